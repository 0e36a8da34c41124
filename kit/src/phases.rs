//! Places of an automaton where a move can begin, as far as they differ: part of a position that is in no variable.

use rg_ir::ids::Id;
use rg_ir::{Expr, Game, Label, NodeId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger automata are not looked at.
const MAX_EDGES: usize = 50_000;
/// Rounds of refinement at most; with fewer than it takes, places that differ may count as one.
const MAX_ROUNDS: usize = 500;

/// A place where a move can begin, among those of the one who moves, or of all where a variable says who moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Which one it is, from 1.
    pub number: usize,
    /// How many there are.
    pub count: usize,
    /// Whether only one player, or chance, moves there.
    pub is_of_one: bool,
}

/// The phases of a game, by name of the node where a move begins. Nodes are of one phase if all walks from them have the same labels. Those of which there is
/// only one are left out.
pub fn phases(game: &Game) -> FxHashMap<String, Phase> {
    let automaton = &game.automaton;
    if automaton.edge_count() > MAX_EDGES {
        return FxHashMap::default();
    }
    let classes = classes(game);
    let class = |node: NodeId| classes.get(node.index()).copied().unwrap_or(0);
    let mut phases = FxHashMap::default();
    let (groups, any) = starts(game);
    let mut owners: FxHashMap<NodeId, usize> = FxHashMap::default();
    groups.iter().flatten().for_each(|&node| *owners.entry(node).or_default() += 1);
    for starts in groups {
        let mut order: FxHashMap<usize, usize> = FxHashMap::default();
        for &node in &starts {
            let next = order.len() + 1;
            order.entry(class(node)).or_insert(next);
        }
        for node in starts.into_iter().filter(|_| order.len() > 1) {
            let number = order.get(&class(node)).copied().unwrap_or(0);
            let is_of_one = !any.contains(&node) && owners.get(&node) == Some(&1);
            phases.insert(game.node_name(node).to_owned(), Phase { number, count: order.len(), is_of_one });
        }
    }
    phases
}

/// The nodes where moves begin, for each player and for chance, and those where a variable says who is to move, which are those of all.
fn starts(game: &Game) -> (Vec<Vec<NodeId>>, FxHashSet<NodeId>) {
    let keeper = game.symbols.get("keeper");
    let (mut known, mut any): (FxHashMap<Symbol, Vec<NodeId>>, Vec<NodeId>) = Default::default();
    for (_, edge) in game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)) {
        let Label::Assign { rhs, .. } = edge.label else { continue };
        match game.exprs.get(rhs) {
            Expr::Symbol(symbol) if Some(symbol) == keeper => {}
            Expr::Symbol(symbol) => known.entry(symbol).or_default().push(edge.target),
            _ => any.push(edge.target),
        }
    }
    let mut groups: Vec<Vec<NodeId>> = known.into_values().collect();
    groups.iter_mut().for_each(|group| group.extend(&any));
    let of_all = any.iter().copied().collect();
    groups.push(any);
    groups.iter_mut().for_each(|group| {
        group.sort_unstable();
        group.dedup();
    });
    groups.sort_by_key(Vec::len);
    (groups, of_all)
}

/// What follows a node in one round: labels, and the classes they lead to.
type Signature = Vec<(Label, usize)>;

/// Per node its class: partition refinement by labels and classes of targets, edges that do nothing left out. O(rounds · edges · log edges), where
/// chains of such edges count with all that is behind them.
fn classes(game: &Game) -> Vec<usize> {
    let automaton = &game.automaton;
    let mut follow: Vec<Vec<(Label, NodeId)>> = vec![Vec::new(); automaton.node_bound()];
    for node in automaton.nodes() {
        if let Some(slot) = follow.get_mut(node.index()) {
            *slot = behind_skips(game, node);
        }
    }
    let mut classes = vec![0; follow.len()];
    let mut count = 1;
    for _ in 0..MAX_ROUNDS {
        let mut ids: FxHashMap<(usize, Signature), usize> = FxHashMap::default();
        let mut next = vec![0; classes.len()];
        for (node, edges) in follow.iter().enumerate() {
            let of = |target: &NodeId| classes.get(target.index()).copied().unwrap_or(0);
            let mut signature: Signature = edges.iter().map(|(label, target)| (*label, of(target))).collect();
            signature.sort_by_key(|(label, class)| (format!("{label:?}"), *class));
            signature.dedup();
            let fresh = ids.len();
            let id = *ids.entry((classes.get(node).copied().unwrap_or(0), signature)).or_insert(fresh);
            next.get_mut(node).into_iter().for_each(|slot| *slot = id);
        }
        classes = next;
        if ids.len() == count {
            break;
        }
        count = ids.len();
    }
    classes
}

/// The edges that do something, behind those that do nothing.
fn behind_skips(game: &Game, start: NodeId) -> Vec<(Label, NodeId)> {
    let automaton = &game.automaton;
    let (mut found, mut seen, mut stack) = (Vec::new(), vec![start], vec![start]);
    while let Some(node) = stack.pop() {
        if node == game.end() {
            continue;
        }
        for edge in automaton.outgoing(node).iter().map(|&edge| automaton.edge(edge)) {
            match edge.label {
                Label::Skip if !seen.contains(&edge.target) => {
                    seen.push(edge.target);
                    stack.push(edge.target);
                }
                Label::Skip => {}
                _ => found.push((edge.label, edge.target)),
            }
        }
    }
    found
}
