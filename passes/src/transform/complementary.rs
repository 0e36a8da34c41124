//! Conditions of which one always holds (catalogue of passes, 6.1).

use crate::effects::fixed;
use crate::pass::{Context, Level, Pass};
use crate::plain::{Plain, negation};
use crate::rewrite::{Change, change_edges};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Game, Label, NodeId};
use rustc_hash::FxHashMap;

/// Makes a skip of a condition that stands next to its opposite.
///
/// ```text
/// x, y: v == 0;   x, y: v != 0;   y, a: v == 1;   a, z: ? s -> t;   y, z: v != 1;   y, z: ! s -> t;
/// ```
/// becomes
/// ```text
/// x, y: ;   y, z: ;   a, z: ? s -> t;
/// ```
///
/// The one side may be a chain of conditions through nodes with one way in and one way out; then the other side has to
/// be the opposites of all of them, each as an edge of its own.
///
/// *Correct*, since one of the two sides is legal in every state, and neither changes anything; a node within the chain
/// is neither the start of a check nor looked for. Chains begin at forks and do not overlap: O(edges + expressions).
pub struct Complementary;

impl Pass for Complementary {
    fn name(&self) -> &'static str {
        "complementary"
    }

    fn summary(&self) -> &'static str {
        "replace two complementary conditions between the same nodes by a skip"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let changes = find(game);
        if changes.is_empty() {
            return false;
        }
        change_edges(game, |_, id, _| changes.get(&id).copied().unwrap_or(Change::Keep))
    }
}

/// What becomes of which edges.
fn find(game: &Game) -> FxHashMap<EdgeId, Change> {
    let mut changes = FxHashMap::default();
    let automaton = &game.automaton;
    let forks = |node: NodeId| automaton.outgoing(node).len() > 1;
    let plain = Plain::of(game);
    let mut conditions: FxHashMap<(NodeId, NodeId, Label), EdgeId> = FxHashMap::default();
    for (id, edge) in automaton.edges() {
        if negation(&edge.label).is_some() && forks(edge.source) {
            conditions.insert((edge.source, edge.target, plain.label(game, &edge.label)), id);
        }
    }
    let fixed = fixed(game);
    let mut chain: Vec<Label> = Vec::new();
    for (first, edge) in automaton.edges() {
        if !forks(edge.source) || negation(&edge.label).is_none() || changes.contains_key(&first) {
            continue;
        }
        let end = follow(game, &fixed, first, &mut chain);
        let opposite = |label: &Label| {
            let label = plain.label(game, &negation(label)?);
            conditions.get(&(edge.source, end, label)).copied().filter(|id| *id != first && !changes.contains_key(id))
        };
        let Some(opposites) = chain.iter().map(opposite).collect::<Option<Vec<EdgeId>>>() else { continue };
        changes.extend(opposites.into_iter().map(|id| (id, Change::Remove)));
        changes.insert(first, Change::Lead(end, Label::Skip));
    }
    changes
}

/// Follows conditions and skips from an edge on, through nodes with one way in and one way out. Returns where that ends,
/// with the conditions on the way in `chain`.
fn follow(game: &Game, fixed: &FixedBitSet, first: EdgeId, chain: &mut Vec<Label>) -> NodeId {
    let automaton = &game.automaton;
    chain.clear();
    let mut at = automaton.edge(first);
    loop {
        if at.label != Label::Skip {
            chain.push(at.label);
        }
        let node = at.target;
        let [_] = automaton.incoming(node) else { return node };
        let &[next] = automaton.outgoing(node) else { return node };
        let next = automaton.edge(next);
        let condition = next.label == Label::Skip || negation(&next.label).is_some();
        if fixed.contains(node.index()) || !condition || next.target == node {
            return node;
        }
        at = next;
    }
}
