//! Checks that ask whether a piece of the rules can be walked that is there anyway (catalogue of passes, 10).

use crate::analysis::{Liveness, remembers_more};
use crate::dataflow::Solution;
use crate::owners::{Owner, Owners};
use crate::pass::{Context, Pass, Phase};
use crate::plain::Plain;
use crate::transform::Prune;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Game, Label, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// How many places are tried for a check.
const MAX_PLACES: usize = 16;

/// How many checks are tried for which it is not plain that nothing more would have to be kept.
const MAX_TRIES: usize = 16;

/// How many tags and skips may follow each other.
const MAX_IDLE: usize = 64;

/// Lets a check walk the rules themselves instead of a copy of them without tags.
///
/// ```text
/// x, m: ? s -> t;   s, u: v = T(*);   u, t: v != w;
/// m, p: v = T(*);   p, q: $$ v;   q, r: v != w;   r, e: $ done;   e, end: player = keeper;
/// ```
/// becomes
/// ```text
/// x, m: ? m -> r;
/// m, p: v = T(*);   p, q: $$ v;   q, r: v != w;   r, e: $ done;   e, end: player = keeper;
/// ```
///
/// From the other place, steps with the same labels have to lead on side by side with those of the check, besides tags
/// and skips where there is nothing else; and one and the same node has to be reached there whenever the check finds
/// what it looks for, and never before.
///
/// Nothing more may be live where moves end: else what only the rules read, behind what the check looks for, would have to
/// be kept until there, and states would differ in it. That is so if all that is live at the other place is live where the
/// check is made; else it is tried, a bounded number of times.
///
/// *Correct*, since checks ignore tags, so that the walks from both places to what is looked for correspond to each
/// other step by step. Each check is compared with a bounded number of places: O(places · edges of checks).
pub struct SharedChecks;

impl Pass for SharedChecks {
    fn name(&self) -> &'static str {
        "shared-checks"
    }

    fn summary(&self) -> &'static str {
        "let checks walk the rules themselves instead of a copy without tags"
    }

    fn phase(&self) -> Phase {
        Phase::Finish
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let owners = Owners::of(game);
        if owners.looked_for().is_empty() {
            return false;
        }
        let found = Places::of(game, &owners).found();
        if found.is_empty() {
            return false;
        }
        redirect(game, &found);
        Prune.run(game, context);
        true
    }
}

/// Lets checks walk elsewhere.
fn redirect(game: &mut Game, found: &FxHashMap<Check, Check>) {
    game.automaton.edit_edges(|_, edge| {
        if let Label::Reach { from, to, .. } = &mut edge.label {
            (*from, *to) = found.get(&(*from, *to)).copied().unwrap_or((*from, *to));
        }
        true
    });
}

/// Where a check starts and what it looks for.
type Check = (NodeId, NodeId);

/// The steps of a node: labels in ascending order, with targets.
type Steps = Vec<(u32, NodeId)>;

/// Where each check is made.
fn makers(game: &Game) -> FxHashMap<Check, Vec<NodeId>> {
    let mut makers: FxHashMap<Check, Vec<NodeId>> = FxHashMap::default();
    for (_, edge) in game.automaton.edges() {
        if let Label::Reach { from, to, .. } = edge.label {
            makers.entry((from, to)).or_default().push(edge.source);
        }
    }
    makers
}

/// Whether all variables that are live at one node are live at the other.
fn is_subset(live: &Solution<FixedBitSet>, node: NodeId, other: NodeId) -> bool {
    match (live.at(node), live.at(other)) {
        (Some(live), Some(other)) => live.is_subset(other),
        (None, _) => true,
        (Some(live), None) => live.is_clear(),
    }
}

struct Places<'g> {
    game: &'g Game,
    owners: &'g Owners,
    /// Per node; empty where two steps have the same label.
    steps: Vec<Steps>,
    /// Nodes that moves come by, by the labels of their steps.
    by_labels: FxHashMap<Vec<u32>, Vec<NodeId>>,
    /// How many pairs of nodes may still be compared.
    work: usize,
}

impl<'g> Places<'g> {
    fn of(game: &'g Game, owners: &'g Owners) -> Self {
        let plain = Plain::of(game);
        let mut labels: FxHashMap<Label, u32> = FxHashMap::default();
        let mut steps: Vec<Steps> = vec![Vec::new(); game.automaton.node_bound()];
        for (_, edge) in game.automaton.edges() {
            let fresh = u32::try_from(labels.len()).unwrap_or(u32::MAX);
            let label = *labels.entry(plain.label(game, &edge.label)).or_insert(fresh);
            if let Some(steps) = steps.get_mut(edge.source.index()) {
                steps.push((label, edge.target));
            }
        }
        for steps in &mut steps {
            steps.sort_unstable();
            if !steps.is_sorted_by(|a, b| a.0 < b.0) {
                steps.clear();
            }
        }
        let work = 16 * (game.automaton.node_count() + game.automaton.edge_count());
        let mut places = Self { game, owners, steps, by_labels: FxHashMap::default(), work };
        for node in game.automaton.nodes().filter(|&node| owners.at(node) == Owner::Many && node != game.end()) {
            let key = places.labels(node);
            if !key.is_empty() && places.idle(node).is_none() {
                places.by_labels.entry(key).or_default().push(node);
            }
        }
        places
    }

    fn steps(&self, node: NodeId) -> &[(u32, NodeId)] {
        self.steps.get(node.index()).map_or(&[], |steps| steps)
    }

    fn labels(&self, node: NodeId) -> Vec<u32> {
        self.steps(node).iter().map(|&(label, _)| label).collect()
    }

    /// Where the only step of a node leads to, if that is a tag or a skip.
    fn idle(&self, node: NodeId) -> Option<NodeId> {
        let &[id] = self.game.automaton.outgoing(node) else { return None };
        let edge = self.game.automaton.edge(id);
        matches!(edge.label, Label::Skip | Label::Tag(_) | Label::TagVar(_)).then_some(edge.target)
    }

    /// The checks that can walk elsewhere, with where.
    fn found(mut self) -> FxHashMap<Check, Check> {
        let mut checks: Vec<Check> = Vec::new();
        let mut seen: FxHashSet<Check> = FxHashSet::default();
        for (_, edge) in self.game.automaton.edges() {
            if let Label::Reach { from, to, .. } = edge.label
                && seen.insert((from, to))
            {
                checks.push((from, to));
            }
        }
        // A part that others enter, too, stays; nothing is gained then.
        let own = |&(from, to): &Check| {
            self.owners.at(from) == Owner::Check(to) && self.game.automaton.incoming(from).is_empty() && from != to
        };
        checks.retain(own);
        if checks.is_empty() {
            return FxHashMap::default();
        }
        let live = Liveness::solve(self.game);
        let makers = makers(self.game);
        let (mut found, mut doubtful) = (FxHashMap::default(), Vec::new());
        for check in checks {
            let made = makers.get(&check).map_or(&[][..], |made| made);
            let places = self.by_labels.get(&self.labels(check.0)).cloned().unwrap_or_default();
            for place in places.into_iter().take(MAX_PLACES) {
                let Some(goal) = self.compare(check, place) else { continue };
                if made.iter().all(|&node| is_subset(&live, place, node)) {
                    found.insert(check, (place, goal));
                    break;
                }
                doubtful.push((check, (place, goal)));
            }
        }
        doubtful.retain(|(check, _)| !found.contains_key(check));
        for (check, place) in doubtful.into_iter().take(MAX_TRIES) {
            let Entry::Vacant(entry) = found.entry(check) else { continue };
            entry.insert(place);
            let mut game = self.game.clone();
            redirect(&mut game, &found);
            if remembers_more(self.game, &game, |node| node) {
                found.remove(&check);
            }
        }
        found
    }

    /// What a walk from `place` comes to whenever the check finds what it looks for, if both can be walked side by side.
    fn compare(&mut self, (from, to): Check, place: NodeId) -> Option<NodeId> {
        let mut goal: Option<NodeId> = None;
        let mut passed = FixedBitSet::with_capacity(self.steps.len());
        let mut seen: FxHashSet<(NodeId, NodeId)> = FxHashSet::default();
        let mut work = vec![(from, place)];
        while let Some((node, mut twin)) = work.pop() {
            if !seen.insert((node, twin)) {
                continue;
            }
            self.work = self.work.checked_sub(1)?;
            if node == to {
                (*goal.get_or_insert(twin) == twin).then_some(())?;
                continue;
            }
            passed.insert(twin.index());
            for _ in 0..MAX_IDLE {
                let Some(next) = self.idle(twin) else { break };
                twin = next;
                passed.insert(twin.index());
            }
            let (steps, twins) = (self.steps(node), self.steps(twin));
            let labels = |steps: &'_ [(u32, NodeId)]| steps.iter().map(|&(label, _)| label).collect::<Vec<u32>>();
            (!steps.is_empty() && labels(steps) == labels(twins)).then_some(())?;
            work.extend(steps.iter().zip(twins).map(|(&(_, node), &(_, twin))| (node, twin)));
        }
        goal.filter(|goal| !passed.contains(goal.index()) && *goal != self.game.end())
    }
}
