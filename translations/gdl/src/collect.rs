//! Writes that walks need not carry along.
//!
//! Once all tags of a move are passed, what its walk writes follows from the move. Such writes are *collected*: they are in a relation of their own that is
//! derived from the move that is made, and the places that the walk comes to know nothing of them. That is right if no such walk reads an entry
//! after it has written it, or writes there twice what is not the same. Here that is shown for the entries of a map, by following all walks with the
//! values of variables written out; what entries of maps hold is not looked at, so every comparison with one of them goes both ways.

mod scan;

use crate::rules::Rules;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, Game, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use scan::Scan;
use std::collections::BTreeSet;

/// Maps with at most so many edges that write to them in a row are carried along, if none of these is in a loop.
const CARRIED: usize = 4;

/// What walks need not carry along.
#[derive(Default)]
pub(crate) struct Collected {
    /// The edges whose writes are collected.
    pub(crate) edges: FxHashSet<EdgeId>,
    /// Nodes from which a player's walk has one way to go on, up to the end of the move, and writes that are collected are on it.
    pub(crate) rest: FxHashSet<NodeId>,
    /// Nodes to which the keeper comes in one way at most from the state that a move leads to.
    pub(crate) known: FxHashSet<NodeId>,
    /// Nodes where another move begins, or the keeper's.
    pub(crate) handed: FxHashSet<NodeId>,
}

/// Finds what walks need not carry along. If the keeper has still to move before the first player does (`begun` is false), its writes are carried into that
/// player's move, so nothing is collected: an entry could be written by both.
pub(crate) fn collected(rules: &Rules<'_>, begun: bool) -> Collected {
    let game = rules.game;
    let known = known(rules);
    let candidates = candidates(rules);
    let ends = game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label));
    let handed: FxHashSet<NodeId> = ends.map(|(_, edge)| edge.target).collect();
    let nothing = Collected { known: known.clone(), handed: handed.clone(), ..Collected::default() };
    if candidates.is_empty() || !begun {
        return nothing;
    }
    let vars: BTreeSet<VarId> = candidates.keys().copied().collect();
    let wholes = wholes(game);
    let edges: FxHashMap<EdgeId, VarId> =
        candidates.iter().flat_map(|(&var, edges)| edges.iter().map(move |&edge| (edge, var))).collect();
    let mut scan = Scan::new(rules, &edges, &vars);
    let Some(conflicts) = scan.conflicts() else { return nothing };
    let fine = |var: &VarId| !conflicts.contains(var) && !wholes.contains(var);
    let edges: FxHashSet<EdgeId> = edges.iter().filter(|(_, var)| fine(var)).map(|(&edge, _)| edge).collect();
    let mut rest = one_way(rules);
    let endless = scan.endless(&rest);
    rest.retain(|node| !endless.contains(node));
    lead_on(game, &mut rest);
    let writes = edges.iter().map(|&edge| game.automaton.edge(edge).source).collect();
    let before = closure(game, writes, false);
    rest.retain(|node| before.contains(node));
    Collected { edges, rest, known, handed }
}

/// Nodes to which the keeper comes in one way at most: where nothing before is chosen, and not again and again.
fn known(rules: &Rules<'_>) -> FxHashSet<NodeId> {
    let (game, automaton) = (rules.game, &rules.game.automaton);
    let keeps = |label: &Label| match *label {
        Label::Assign { rhs, .. } => game.ends_move(label) && game.exprs.get(rhs) == Expr::Symbol(rules.keeper),
        _ => false,
    };
    let begins = automaton.edges().filter(|(_, edge)| keeps(&edge.label)).map(|(_, edge)| edge.target);
    let mut walked = closure(game, begins.chain([game.begin()]).collect(), true);
    let choices = walked.iter().copied().filter(|&node| !is_one_way(game, node)).collect();
    let unclear = closure(game, choices, true);
    let loops = loops(game);
    let again = |node: NodeId| automaton.outgoing(node).iter().any(|edge| loops.contains(edge));
    walked.retain(|&node| !unclear.contains(&node) && !again(node));
    walked
}

/// Nodes of players' walks from which there is one way to go on in any state.
fn one_way(rules: &Rules<'_>) -> FxHashSet<NodeId> {
    let (game, automaton) = (rules.game, &rules.game.automaton);
    let starts = automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)).map(|(_, edge)| edge.target);
    let mut found = closure(game, starts.collect(), true);
    found.retain(|&node| {
        let mut edges = automaton.outgoing(node).iter().map(|&edge| automaton.edge(edge));
        is_one_way(game, node) && edges.all(|edge| rules.live.at(None, edge.target).is_some() && !is_tag(&edge.label))
    });
    lead_on(game, &mut found);
    found
}

fn is_tag(label: &Label) -> bool {
    matches!(label, Label::Tag(_) | Label::TagVar(_))
}

/// Whether there is one way to go on from a node, whatever variables hold: one edge, or two with opposite conditions.
fn is_one_way(game: &Game, node: NodeId) -> bool {
    let opposite = |a: &Label, b: &Label| match (*a, *b) {
        (Label::Compare { lhs: a, rhs: b, negated: x }, Label::Compare { lhs: c, rhs: d, negated: y }) => {
            (a, b) == (c, d) && x != y
        }
        (Label::Reach { from: a, to: b, negated: x }, Label::Reach { from: c, to: d, negated: y }) => {
            (a, b) == (c, d) && x != y
        }
        _ => false,
    };
    let edges: Vec<_> = game.automaton.outgoing(node).iter().map(|&edge| game.automaton.edge(edge)).collect();
    match edges[..] {
        [edge] => matches!(edge.label, Label::Skip | Label::Assign { .. } | Label::Tag(_) | Label::TagVar(_)),
        [a, b] => opposite(&a.label, &b.label),
        _ => edges.is_empty() && node == game.end(),
    }
}

/// Leaves only nodes from which walks lead to others of these, or to the end of the move.
fn lead_on(game: &Game, nodes: &mut FxHashSet<NodeId>) {
    loop {
        let before = nodes.len();
        let known = nodes.clone();
        nodes.retain(|&node| {
            game.automaton.outgoing(node).iter().all(|&edge| {
                let edge = game.automaton.edge(edge);
                game.ends_move(&edge.label) || known.contains(&edge.target)
            })
        });
        if nodes.len() == before {
            return;
        }
    }
}

/// The variable that an edge assigns, and whether that is an entry of a map.
pub(crate) fn assigned(game: &Game, label: &Label) -> Option<(VarId, bool)> {
    let (Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. }) = *label else { return None };
    let Expr::Var(var) = game.exprs.root(lhs) else { return None };
    let mut expr = lhs;
    while let Expr::Cast(_, inner) = game.exprs.get(expr) {
        expr = inner;
    }
    Some((var, matches!(game.exprs.get(expr), Expr::Access(..))))
}

/// Per map the edges that may be collected: they are in the walk of a player, and no tag comes after them.
fn candidates(rules: &Rules<'_>) -> FxHashMap<VarId, Vec<EdgeId>> {
    let (game, automaton) = (rules.game, &rules.game.automaton);
    let hands_over = |label: &Label| match *label {
        Label::Assign { rhs, .. } => game.ends_move(label) && game.exprs.get(rhs) != Expr::Symbol(rules.keeper),
        _ => false,
    };
    let starts = automaton.edges().filter(|(_, edge)| hands_over(&edge.label)).map(|(_, edge)| edge.target);
    let walked = closure(game, starts.collect(), true);
    let tags = automaton.edges().filter(|(_, edge)| is_tag(&edge.label));
    let tagged = closure(game, tags.map(|(_, edge)| edge.source).collect(), false);
    let mut found: FxHashMap<VarId, Vec<EdgeId>> = FxHashMap::default();
    for (id, edge) in automaton.edges() {
        if let Some((var, true)) = assigned(game, &edge.label)
            && var != rules.goals
            && Some(var) != rules.visible
            && walked.contains(&edge.source)
            && !tagged.contains(&edge.target)
            && rules.matters(None, edge.target, var)
        {
            found.entry(var).or_default().push(id);
        }
    }
    let loops = loops(game);
    found.retain(|_, edges| edges.len() > CARRIED || edges.iter().any(|edge| loops.contains(edge)));
    found
}

/// The edges that a walk may pass several times within a move.
pub(crate) fn loops(game: &Game) -> FxHashSet<EdgeId> {
    let mut graph: DiGraphMap<usize, ()> = DiGraphMap::new();
    let within = || game.automaton.edges().filter(|(_, edge)| !game.ends_move(&edge.label));
    for (_, edge) in within() {
        graph.add_edge(edge.source.index(), edge.target.index(), ());
    }
    let groups = tarjan_scc(&graph).into_iter().enumerate();
    let group: FxHashMap<usize, usize> =
        groups.flat_map(|(number, nodes)| nodes.into_iter().map(move |node| (node, number))).collect();
    let same = |a: NodeId, b: NodeId| group.get(&a.index()) == group.get(&b.index());
    within().filter(|(_, edge)| same(edge.source, edge.target)).map(|(id, _)| id).collect()
}

/// The nodes to which walks lead from some nodes within a move, or from which they lead there.
pub(crate) fn closure(game: &Game, nodes: Vec<NodeId>, forwards: bool) -> FxHashSet<NodeId> {
    let automaton = &game.automaton;
    let mut found: FxHashSet<NodeId> = nodes.iter().copied().collect();
    let mut pending = nodes;
    while let Some(node) = pending.pop() {
        for &edge in if forwards { automaton.outgoing(node) } else { automaton.incoming(node) } {
            let edge = automaton.edge(edge);
            let next = if forwards { edge.target } else { edge.source };
            if !game.ends_move(&edge.label) && found.insert(next) {
                pending.push(next);
            }
        }
    }
    found
}

/// Maps that are assigned as a whole, or to others.
fn wholes(game: &Game) -> FxHashSet<VarId> {
    let mut found = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        let Label::Assign { lhs, rhs } = edge.label else { continue };
        let Some((var, false)) = assigned(game, &edge.label) else { continue };
        if game.types.as_arrow(game.vars[var].ty).is_some() {
            found.extend([lhs, rhs].iter().filter_map(|&expr| match game.exprs.root(expr) {
                Expr::Var(var) => Some(var),
                Expr::Access(..) | Expr::Cast(..) | Expr::Const(_) | Expr::Symbol(_) => None,
            }));
        }
    }
    found
}
