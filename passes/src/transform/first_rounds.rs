//! First rounds of loops that ask more than the others (a catalogue entry of our own: what stands before a loop).

use crate::facts::components;
use crate::merge::Roles;
use crate::pass::{Context, Pass};
use crate::plain::Plain;
use crate::rewrite::{Change, change_edges};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Game, Label, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Steps into a loop where a node before it has all steps of one in the loop, and others.
///
/// ```text
/// a, y: s[v] == king;   a, y: s[v] == rook;   a, b: s[v] == none;
/// b, c: v = up[v];   c, y: s[v] == rook;   c, b: s[v] == none;
/// ```
/// becomes
/// ```text
/// a, y: s[v] == king;   a, c: ;
/// b, c: v = up[v];   c, y: s[v] == rook;   c, b: s[v] == none;
/// ```
///
/// The node in the loop is nothing that a check looks for, and no move starts there. The other one is outside of the loop,
/// and has a step that is none of those.
///
/// *Correct*, since a walk by one of the steps that go is a walk by the skip and the same step from the node in the loop, and
/// the other way round. O(edges · in-degree of a node).
pub struct FirstRounds;

impl Pass for FirstRounds {
    fn name(&self) -> &'static str {
        "first-rounds"
    }

    fn summary(&self) -> &'static str {
        "enter a loop directly where its first round tests the same conditions and more"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let automaton = &game.automaton;
        let steps = automaton.edges().filter(|(_, edge)| !game.ends_move(&edge.label));
        let component = components(automaton.node_bound(), steps.map(|(_, edge)| (edge.source, edge.target)));
        let of = |node: NodeId| component.get(node.index());
        let Roles { targets, moves, .. } = Roles::of(game);
        let plain = Plain::of(game);
        let mut changes: FxHashMap<EdgeId, Change> = FxHashMap::default();
        let mut changed: FxHashSet<NodeId> = FxHashSet::default();
        // By node of a loop: those from which it is entered and which have enough steps.
        let mut entered: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for node in automaton.nodes().filter(|node| !targets.contains(node.index()) && !moves.contains(node.index())) {
            let outgoing = automaton.outgoing(node).iter().map(|&id| automaton.edge(id));
            let again = outgoing.filter(|edge| !game.ends_move(&edge.label)).find(|edge| of(edge.target) == of(node));
            let Some(again) = again else { continue };
            let entries = entered.entry(again.target).or_insert_with(|| {
                let sources = automaton.incoming(again.target).iter().map(|&id| automaton.edge(id).source);
                sources.filter(|&before| of(before) != of(node) && automaton.outgoing(before).len() > 2).collect()
            });
            for &before in entries.iter() {
                if changed.contains(&before) {
                    continue;
                }
                let Some(same) = same_steps(game, &plain, before, node) else { continue };
                changed.insert(before);
                let into = std::iter::once(Change::Lead(node, Label::Skip)).chain(std::iter::repeat(Change::Remove));
                changes.extend(same.into_iter().zip(into));
            }
        }
        change_edges(game, |_, id, _| changes.get(&id).copied().unwrap_or(Change::Keep))
    }
}

/// The steps of a node that are those of another one; `None` if it lacks one, or has no others.
fn same_steps(game: &Game, plain: &Plain, node: NodeId, other: NodeId) -> Option<Vec<EdgeId>> {
    let (mine, others) = (game.automaton.outgoing(node), game.automaton.outgoing(other));
    if mine.len() <= others.len() || others.len() < 2 {
        return None;
    }
    let step = |id: EdgeId| {
        let edge = game.automaton.edge(id);
        (edge.target, plain.label(game, &edge.label))
    };
    let same = others.iter().map(|&wanted| mine.iter().copied().find(|&id| step(id) == step(wanted)));
    let same: FxHashSet<EdgeId> = same.collect::<Option<_>>()?;
    let mut same: Vec<EdgeId> = same.into_iter().collect();
    same.sort_unstable();
    (same.len() == others.len()).then_some(same)
}
