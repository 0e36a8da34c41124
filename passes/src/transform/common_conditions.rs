//! Conditions that several branches have in common (catalogue of passes, 5.4).

use crate::effects::{fixed, reads, write};
use crate::pass::{Context, Pass};
use crate::plain::Plain;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Game, Label, NodeId};
use rustc_hash::FxHashMap;

/// How far into a branch conditions are looked for.
const MAX_DEPTH: usize = 8;

/// Moves a condition that several branches of a fork have in common to their beginnings, where `common-heads` makes one
/// of it.
///
/// ```text
/// m, a: v == 0;   a, x: w == 1;   m, b: $ t;   b, y: w == 1;   m, c: v = 2;   c, z: w == 1;
/// ```
/// becomes
/// ```text
/// m, a: w == 1;   a, x: v == 0;   m, b: w == 1;   b, y: $ t;   m, c: w == 1;   c, z: v = 2;
/// ```
///
/// Only within the beginning of a branch that is a chain of its own, through nodes with one way in and one way out that
/// no check starts from or looks for; not across an assignment to what the condition reads, nor across the end of a
/// move. Only comparisons: a check may read anything, is dear, and may need the conditions before it in order not to
/// come to itself. One condition per fork and run: the one that most
/// branches have. The condition is then tested once and not once per branch that comes to it; that it may now be tested
/// where an earlier condition would have failed is what this costs.
///
/// *Correct*, since the same conditions are tested in the same values, and tags and assignments keep their order; reads
/// are defined for all keys, so that no condition guards another against failing. O(edges).
pub struct CommonConditions;

impl Pass for CommonConditions {
    fn name(&self) -> &'static str {
        "common-conditions"
    }

    fn summary(&self) -> &'static str {
        "test a condition that branches have in common before they part"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let automaton = &game.automaton;
        let forks: Vec<NodeId> = automaton.nodes().filter(|&node| automaton.outgoing(node).len() > 1).collect();
        if forks.is_empty() {
            return false;
        }
        let plain = Plain::of(game);
        let fixed = fixed(game);
        // Branches of different forks have no edges in common, so each fork can be decided by itself.
        let moves: Vec<Vec<EdgeId>> = forks.into_iter().flat_map(|fork| common(game, &plain, &fixed, fork)).collect();
        let changed = !moves.is_empty();
        for edges in moves {
            rotate(game, &edges);
        }
        changed
    }
}

/// A branch: its edges, and where in it which conditions are that can be moved to its beginning.
struct Branch {
    edges: Vec<EdgeId>,
    movable: Vec<(Label, usize)>,
}

impl Branch {
    fn of(game: &Game, plain: &Plain, fixed: &FixedBitSet, first: EdgeId) -> Self {
        let automaton = &game.automaton;
        let mut branch = Self { edges: vec![first], movable: Vec::new() };
        let mut last = first;
        while branch.edges.len() < MAX_DEPTH {
            let edge = automaton.edge(last);
            let node = edge.target;
            let inner = automaton.incoming(node).len() == 1 && !fixed.contains(node.index());
            let (true, &[next]) = (inner && !game.ends_move(&edge.label), automaton.outgoing(node)) else { break };
            branch.edges.push(next);
            last = next;
        }
        for (place, &id) in branch.edges.iter().enumerate() {
            let label = automaton.edge(id).label;
            let before = branch.edges.iter().take(place);
            if matches!(label, Label::Compare { .. })
                && before.into_iter().all(|&id| commutes(game, &label, &automaton.edge(id).label))
            {
                branch.movable.push((plain.label(game, &label), place));
            }
        }
        branch
    }
}

/// Whether a comparison can be tested before a step instead of after it.
fn commutes(game: &Game, condition: &Label, step: &Label) -> bool {
    let Some(write) = write(game, step) else { return true };
    let mut free = true;
    reads(game, condition, |var| free &= var != write.var);
    free
}

/// The edges of the branches of a fork up to the condition that is to be moved, for each branch where it is not at the
/// beginning.
fn common(game: &Game, plain: &Plain, fixed: &FixedBitSet, fork: NodeId) -> Vec<Vec<EdgeId>> {
    let outgoing = game.automaton.outgoing(fork);
    let branches: Vec<Branch> = outgoing
        .iter()
        .map(|&first| Branch::of(game, plain, fixed, first))
        // Of a branch that is a single edge into a node with other ways in, no head can be joined.
        .filter(|branch| branch.edges.len() > 1)
        .collect();
    // Per condition, how many branches have it, and how many have it at their beginnings.
    let mut counts: FxHashMap<Label, (usize, usize)> = FxHashMap::default();
    let mut best: Option<(Label, usize)> = None;
    for branch in &branches {
        for (at, &(label, place)) in branch.movable.iter().enumerate() {
            if branch.movable.iter().take(at).any(|&(earlier, _)| earlier == label) {
                continue;
            }
            let (count, first) = counts.entry(label).or_default();
            *count += 1;
            *first += usize::from(place == 0);
            if *first > 1 {
                // There are heads to be joined first; another condition must not get in between.
                return Vec::new();
            }
            if *count > best.map_or(1, |(_, most)| most) {
                best = Some((label, *count));
            }
        }
    }
    let Some((label, _)) = best else { return Vec::new() };
    let prefix = |branch: Branch| {
        let &(_, place) = branch.movable.iter().find(|(other, _)| *other == label)?;
        (place > 0).then(|| branch.edges.into_iter().take(place + 1).collect())
    };
    branches.into_iter().filter_map(prefix).collect()
}

/// Gives the first of the edges the label of the last, and each other the label of the one before it.
fn rotate(game: &mut Game, edges: &[EdgeId]) {
    let labels: Vec<Label> = edges.iter().map(|&id| game.automaton.edge(id).label).collect();
    let moved = labels.iter().cycle().skip(labels.len().saturating_sub(1));
    for (&id, &label) in edges.iter().zip(moved) {
        game.automaton.set_label(id, label);
    }
}
