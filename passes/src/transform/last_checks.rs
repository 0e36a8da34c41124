//! Checks that are the last step of a check (a catalogue entry of our own).

use crate::owners::{Owner, Owners};
use crate::pass::{Context, Pass};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Game, Label, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Walks on where the last step of a check is a check.
///
/// ```text
/// m, x: ! a -> z;   a, b: pos = king[me];   b, z: ? s -> t;   s, t: board[up[pos]] == e;
/// ```
/// becomes
/// ```text
/// m, x: ! a -> z;   a, b: pos = king[me];   b, s: ;   s, t: board[up[pos]] == e;   t, z: ;
/// ```
///
/// *Correct*, since only walks of checks for `z` come by `b`, and it leads to `z` exactly if a walk leads from `s` to `t`;
/// what such a walk changes is forgotten with what the check changes. All checks for `t` must be last steps of checks for
/// `z`, so that nobody else goes on from there, and none may come to itself or by `z`. O(edges · checks that are last steps).
pub struct LastChecks;

impl Pass for LastChecks {
    fn name(&self) -> &'static str {
        "last-checks"
    }

    fn summary(&self) -> &'static str {
        "replace a check that ends in another check by one that continues there"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let mut users: FxHashMap<NodeId, Vec<EdgeId>> = FxHashMap::default();
        for (id, edge) in game.automaton.edges() {
            if let Label::Reach { to, .. } = edge.label {
                users.entry(to).or_default().push(id);
            }
        }
        if users.is_empty() {
            return false;
        }
        let owners = Owners::of(game);
        let mut ends: Vec<NodeId> = users.keys().copied().collect();
        ends.sort_unstable();
        let mut changed: FxHashSet<NodeId> = FxHashSet::default();
        let mut last: FxHashSet<EdgeId> = FxHashSet::default();
        let mut ways: Vec<Edge> = Vec::new();
        for end in ends {
            let Some((&first, users)) = users.get(&end).and_then(|users| Some((users.first()?, users))) else {
                continue;
            };
            let Some(wanted) = wanted(game, &owners, end, users) else { continue };
            // What is known of owners holds as long as nothing of it is changed.
            if changed.contains(&wanted) || !changed.insert(end) {
                continue;
            }
            changed.insert(wanted);
            let edge = game.automaton.edge(first);
            ways.push(Edge { source: end, target: wanted, label: Label::Skip, spans: Box::default(), ..edge.clone() });
            last.extend(users);
        }
        if last.is_empty() {
            return false;
        }
        game.automaton.edit_edges(|id, edge| {
            if let (true, Label::Reach { from, .. }) = (last.contains(&id), edge.label) {
                (edge.target, edge.label) = (from, Label::Skip);
            }
            true
        });
        for way in ways {
            game.automaton.insert(way);
        }
        crate::facts::drop_claims(game);
        true
    }
}

/// What is looked for by all checks in which checks for `end` are the last steps; `None` if one is something else.
fn wanted(game: &Game, owners: &Owners, end: NodeId, users: &[EdgeId]) -> Option<NodeId> {
    let automaton = &game.automaton;
    let wanted = users.first().map(|&id| automaton.edge(id).target).filter(|&wanted| wanted != end)?;
    for &id in users {
        let edge = automaton.edge(id);
        let Label::Reach { from, negated: false, .. } = edge.label else { return None };
        let inside: FixedBitSet = automaton.reachable([from]);
        // Coming by what the outer check looks for would be enough for it then.
        let comes_by = |node: NodeId| inside.contains(node.index());
        if edge.target != wanted
            || owners.at(edge.source) != Owner::Check(wanted)
            || comes_by(edge.source)
            || comes_by(wanted)
        {
            return None;
        }
    }
    let alone = owners.at(end) == Owner::Check(end) && automaton.outgoing(end).is_empty();
    alone.then_some(wanted)
}
