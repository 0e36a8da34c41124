//! In which order a data flow analysis looks at the nodes of an automaton, and what checks tell of what is behind them.

use crate::reading::Reading;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Edges that are followed at most to find out what checks assign.
const MAX_FOLLOWED: usize = 1 << 20;

/// The nodes that can be reached in reverse postorder, checks entered: most nodes come behind all that lead to them.
pub(crate) struct Order {
    nodes: Vec<NodeId>,
    /// By node.
    place: Vec<usize>,
}

impl Order {
    /// Linear.
    pub(crate) fn of(game: &Game) -> Self {
        let mut seen = vec![false; game.automaton.node_bound()];
        let mut nodes: Vec<NodeId> = Vec::new();
        // Nodes that are entered, and those that are left.
        let mut stack = vec![(game.begin(), false)];
        while let Some((node, is_done)) = stack.pop() {
            if is_done {
                nodes.push(node);
                continue;
            }
            let Some(seen) = seen.get_mut(node.index()).filter(|seen| !**seen) else { continue };
            *seen = true;
            stack.push((node, true));
            for edge in game.automaton.outgoing(node).iter().map(|&id| game.automaton.edge(id)) {
                stack.push((edge.target, false));
                if let Label::Reach { from, .. } = edge.label {
                    stack.push((from, false));
                }
            }
        }
        nodes.reverse();
        let mut place = vec![0; game.automaton.node_bound()];
        for (at, node) in nodes.iter().enumerate() {
            place.get_mut(node.index()).into_iter().for_each(|slot| *slot = at);
        }
        Self { nodes, place }
    }
}

/// Nodes that are to be looked at, the first in an order first, each once.
pub(crate) struct Left<'o> {
    order: &'o Order,
    places: BTreeSet<usize>,
}

impl<'o> Left<'o> {
    pub(crate) fn new(order: &'o Order) -> Self {
        Self { order, places: BTreeSet::new() }
    }

    /// Adds a node that can be reached.
    pub(crate) fn add(&mut self, node: NodeId) {
        self.places.extend(self.order.place.get(node.index()));
    }

    /// Takes the first node.
    pub(crate) fn next(&mut self) -> Option<NodeId> {
        self.order.nodes.get(self.places.pop_first()?).copied()
    }
}

/// What checks that hold tell: expressions with nothing that the check assigns have the same values at its end and behind it.
#[derive(Default)]
pub(crate) struct Guards {
    /// By the node where a check ends, the nodes from which it is made.
    sources: FxHashMap<NodeId, Vec<NodeId>>,
    /// By the node where a check begins, whether each expression stays what it is.
    stays: FxHashMap<NodeId, Vec<bool>>,
}

impl Guards {
    /// For these expressions. Linear in the automaton for each check, and bounded; of the checks beyond the bound, nothing is known.
    pub(crate) fn of(reading: &Reading<'_>, followed: &[ExprId]) -> Self {
        let game = reading.game;
        let of_expr: Vec<Vec<VarId>> = followed.iter().map(|&expr| variables(game, expr)).collect();
        let (mut guards, mut left) = (Self::default(), MAX_FOLLOWED);
        for (_, edge) in game.automaton.edges() {
            let Label::Reach { from, to, negated: false } = edge.label else { continue };
            guards.sources.entry(to).or_default().push(edge.source);
            if !guards.stays.contains_key(&from)
                && let Some(assigned) = assigned(game, from, &mut left)
            {
                let stays = of_expr.iter().map(|list| !list.iter().any(|one| assigned.contains(one))).collect();
                guards.stays.insert(from, stays);
            }
        }
        guards
    }

    /// The nodes from which a check is made that ends at a node.
    pub(crate) fn sources(&self, end: NodeId) -> &[NodeId] {
        self.sources.get(&end).map_or(&[], Vec::as_slice)
    }

    /// Whether an expression, by its number, stays what it is in a check that begins at a node.
    pub(crate) fn stays(&self, from: NodeId, at: usize) -> bool {
        self.stays.get(&from).and_then(|stays| stays.get(at)) == Some(&true)
    }
}

fn variables(game: &Game, expr: ExprId) -> Vec<VarId> {
    let mut found = Vec::new();
    game.exprs.preorder(expr, |_, part| {
        if let Expr::Var(variable) = part {
            found.push(variable);
        }
    });
    found
}

/// The variables that are assigned on walks from a node; what the checks on them assign is gone behind them. `None` if that is beyond what is `left`.
fn assigned(game: &Game, from: NodeId, left: &mut usize) -> Option<FxHashSet<VarId>> {
    let (mut assigned, mut seen, mut open) = (FxHashSet::default(), FxHashSet::default(), vec![from]);
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        for edge in game.automaton.outgoing(node).iter().map(|&id| game.automaton.edge(id)) {
            *left = left.checked_sub(1)?;
            if let Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } = edge.label
                && let Expr::Var(variable) = game.exprs.root(lhs)
            {
                assigned.insert(variable);
            }
            open.push(edge.target);
        }
    }
    Some(assigned)
}
