//! Copies of steps that follow one another become a loop (a catalogue entry of our own: loops that were written out).

mod bounded;
mod foretold;

use crate::analysis::{Liveness, Ranges, Values};
use crate::dataflow::{Solution, order};
use crate::effects;
use crate::pass::{Context, Pass};
use crate::plain::Plain;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// Fewest copies that become a loop.
const MIN_COPIES: usize = 3;
/// How far behind a node its copy is looked for, and among how many nodes.
const MAX_AHEAD: usize = 12;
const MAX_NEAR: usize = 64;
/// Most pairs of nodes that are compared for one loop, and for all loops and each node of the game.
const MAX_PAIRS: usize = 1 << 10;
const MAX_WORK: usize = 64;
/// Most nodes of a loop.
const MAX_BODY: usize = 32;
/// Most ways in which the variables that a loop only reads are distinguished.
const MAX_CASES: usize = 16;

/// Makes a loop of copies of steps that follow one another, if there are so many of them that one more is impossible.
///
/// ```text
/// m, a: v = up[v];   a, b: s[v] == e;   b, z: ;   b, c: v = up[v];   c, d: s[v] == e;   d, z: ;   d, f: v = up[v];   …
/// ```
/// becomes
/// ```text
/// m, a: v = up[v];   a, b: s[v] == e;   b, z: ;   b, a: v = up[v];
/// ```
///
/// *Correct*: two nodes side by side are followed through the automaton from the beginnings of two copies, and have the
/// same steps, to nodes that are one or correspond in turn, until the last copy, which may only lack what goes on to
/// another one, and assignments that nobody needs there any more. So a walk that goes round as often as there are copies is
/// a walk in the game before, with the same label and end, and the other way round. That no walk goes round more often is
/// found out with the values that the only variable of a set type which changes on the way round can have ([`Values`]; maps
/// may change, too): each time there are fewer, and after as many rounds as there are copies none is left with which a walk
/// leaves the loop. Where the last copy goes on to something else, walks must be led there from the loop as well
/// ([`foretold`]). No check starts or ends in a copy. O(edges · a constant + solution of [`Values`]).
pub struct Rounds;

impl Pass for Rounds {
    fn name(&self) -> &'static str {
        "rounds"
    }

    fn summary(&self) -> &'static str {
        "make a loop of consecutive copies of the same steps"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let found = chains(game);
        if found.is_empty() {
            return false;
        }
        let Some(values) = Values::solve(game, &Ranges::solve(game)) else { return false };
        let mut back: FxHashMap<EdgeId, NodeId> = FxHashMap::default();
        let mut changed: FxHashSet<NodeId> = FxHashSet::default();
        for chain in found {
            // Copies may have nodes in common, but not with what has become a loop.
            if !chain.nodes.is_disjoint(&changed) {
                continue;
            }
            let right = match chain.behind {
                Some(behind) => foretold::leads_behind(game, &values, &chain, behind),
                None => chain.cannot_go_on(game, &values),
            };
            if right {
                back.extend(chain.again.iter().map(|&id| (id, chain.header)));
                changed.extend(chain.body);
            }
        }
        if back.is_empty() {
            return false;
        }
        game.automaton.edit_edges(|id, edge| {
            if let Some(&header) = back.get(&id) {
                edge.target = header;
            }
            true
        });
        crate::facts::drop_claims(game);
        true
    }
}

/// Copies of some steps.
struct Chain {
    /// All nodes of all copies.
    nodes: FxHashSet<NodeId>,
    /// Where the first one begins.
    header: NodeId,
    /// How many there are.
    copies: usize,
    /// The nodes of the first one that walks come by on their way to the second one.
    body: BTreeSet<NodeId>,
    /// The edges to the second one.
    again: Vec<EdgeId>,
    /// Edges of the first one that the last one lacks.
    lacking: FxHashSet<EdgeId>,
    /// Where the last one goes on to instead of another one.
    behind: Option<NodeId>,
    /// The variable that changes on the way.
    moving: VarId,
    /// Variables that are read to change it.
    read: Vec<VarId>,
}

/// All combinations of the values that some variables may have at a node, at most [`MAX_CASES`]; maps are left out.
fn cases(values: &Values, node: NodeId, vars: &[VarId]) -> Option<Vec<Vec<(VarId, Symbol)>>> {
    let mut cases: Vec<Vec<(VarId, Symbol)>> = vec![Vec::new()];
    for &var in vars {
        let Some(known) = values.at(node, var) else { continue };
        if cases.len() * known.len() > MAX_CASES {
            return None;
        }
        let with = |case: &Vec<(VarId, Symbol)>| {
            let case = case.clone();
            known.iter().map(move |&value| case.iter().copied().chain([(var, value)]).collect())
        };
        cases = cases.iter().flat_map(with).collect();
    }
    Some(cases)
}

/// All chains that look like it.
fn chains(game: &Game) -> Vec<Chain> {
    let plain = Plain::of(game);
    let (fixed, mut used) = (effects::fixed(game), FixedBitSet::with_capacity(game.automaton.node_bound()));
    let ends = game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label));
    let search = Search {
        game,
        plain: &plain,
        fixed: &fixed,
        ends: ends.map(|(id, _)| id.index()).collect(),
        seen: RefCell::new((0, vec![0; game.automaton.node_bound()])),
        live: OnceCell::new(),
    };
    let signs: Vec<Option<u64>> = (0..game.automaton.node_bound())
        .map(NodeId::from_index)
        .map(|node| (game.automaton.contains_node(node)).then(|| search.sign(node)))
        .collect();
    let mut common: FxHashMap<u64, usize> = FxHashMap::default();
    signs.iter().flatten().for_each(|&sign| *common.entry(sign).or_default() += 1);
    let mut left = MAX_WORK * game.automaton.node_count();
    let mut found = Vec::new();
    for node in forward(game) {
        let sign = signs.get(node.index()).copied().flatten();
        let frequent = sign.and_then(|sign| common.get(&sign)).is_some_and(|&count| count >= MIN_COPIES);
        if !frequent || used.contains(node.index()) || fixed.contains(node.index()) {
            continue;
        }
        for other in search.near(node) {
            if signs.get(other.index()).copied().flatten() != sign || left == 0 {
                continue;
            }
            let Some(next) = search.follow(node, other, &mut left) else { continue };
            if let Some(chain) = search.chain(node, &next) {
                chain.nodes.iter().for_each(|node| used.insert(node.index()));
                found.push(chain);
                break;
            }
        }
    }
    found
}

/// All nodes, those that walks come by first first.
fn forward(game: &Game) -> Vec<NodeId> {
    let number = order(game, true);
    let mut nodes: Vec<NodeId> = game.automaton.nodes().collect();
    nodes.sort_by_key(|node| number.get(node.index()).copied());
    nodes
}

/// For each node of a copy the one of the next copy.
#[derive(Default)]
struct Next {
    to: FxHashMap<NodeId, NodeId>,
    from: FxHashMap<NodeId, NodeId>,
    /// Edges that the next copy lacks.
    missing: Vec<EdgeId>,
    /// Assignments in whose place the next copy has a skip, with that.
    dropped: Vec<(EdgeId, EdgeId)>,
    /// What is behind the last copy, if it is not a copy and nothing is missing.
    behind: Option<NodeId>,
}

impl Next {
    /// The last copy of a node.
    fn last(&self, mut node: NodeId) -> NodeId {
        for _ in 0..self.to.len() {
            let Some(&next) = self.to.get(&node) else { break };
            node = next;
        }
        node
    }

    /// The node of the first copy, and how many copies are before that of the node.
    fn first(&self, mut node: NodeId) -> (NodeId, usize) {
        let mut copies = 0;
        while let Some(&before) = self.from.get(&node) {
            (node, copies) = (before, copies + 1);
            if copies > self.from.len() {
                break;
            }
        }
        (node, copies)
    }
}

struct Search<'a> {
    game: &'a Game,
    plain: &'a Plain,
    fixed: &'a FixedBitSet,
    /// The edges that end a move.
    ends: FixedBitSet,
    /// The number of a search, and by node the last one that came there.
    seen: RefCell<(u32, Vec<u32>)>,
    /// Live variables, solved for when they are first asked for.
    live: OnceCell<Solution<FixedBitSet>>,
}

impl Search<'_> {
    /// What copies have in common.
    fn sign(&self, node: NodeId) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        for &id in self.game.automaton.outgoing(node) {
            self.label(id).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn label(&self, id: EdgeId) -> Label {
        self.plain.label(self.game, &self.game.automaton.edge(id).label)
    }

    /// Nodes shortly behind a node, nearest first, without itself.
    fn near(&self, node: NodeId) -> Vec<NodeId> {
        let (search, seen) = &mut *self.seen.borrow_mut();
        *search += 1;
        let mut is_new = |node: NodeId| {
            let last = seen.get_mut(node.index()).map(|last| std::mem::replace(last, *search));
            last.is_some_and(|last| last != *search)
        };
        is_new(node);
        // What the list had before is a layer.
        let (mut near, mut layer) = (vec![node], 0..1);
        for _ in 0..MAX_AHEAD {
            for at in layer.clone() {
                let Some(&node) = near.get(at) else { continue };
                for &id in self.game.automaton.outgoing(node) {
                    let target = self.game.automaton.edge(id).target;
                    if !self.ends.contains(id.index()) && is_new(target) {
                        near.push(target);
                    }
                }
            }
            layer = layer.end..near.len();
            if near.len() - 1 > MAX_NEAR {
                break;
            }
        }
        near.remove(0);
        near
    }

    /// Follows two nodes side by side; `None` if they are not the beginnings of copies.
    fn follow(&self, one: NodeId, other: NodeId, left: &mut usize) -> Option<Next> {
        let mut next = Next::default();
        let mut work = vec![(one, other)];
        while let Some((a, b)) = work.pop() {
            if a == b {
                continue;
            }
            if let Some(&known) = next.to.get(&a) {
                if known != b {
                    return None;
                }
                continue;
            }
            *left = left.checked_sub(1)?;
            if next.to.len() == MAX_PAIRS {
                return None;
            }
            let (from, to) = (self.game.automaton.outgoing(a), self.game.automaton.outgoing(b));
            // The end of the last copy may be what is behind it.
            let out = |id: &EdgeId| {
                let edge = self.game.automaton.edge(*id);
                edge.label == Label::Skip && edge.target == b
            };
            if from.iter().any(out) {
                next.missing.extend(from.iter().copied().filter(|id| !out(id)));
                continue;
            }
            let Some(pairs) = self.pairs(from, to) else {
                // The last copy may go on to what is behind it.
                if a != next.last(one) || a == one || next.behind.is_some_and(|behind| behind != b) {
                    return None;
                }
                next.behind = Some(b);
                continue;
            };
            if self.fixed.contains(b.index()) || self.fixed.contains(a.index()) || next.from.insert(b, a).is_some() {
                return None;
            }
            next.to.insert(a, b);
            for (&id, pair) in from.iter().zip(pairs) {
                match pair {
                    Some(pair) => {
                        if self.label(id) != self.label(pair) {
                            next.dropped.push((id, pair));
                        }
                        work.push((self.game.automaton.edge(id).target, self.game.automaton.edge(pair).target));
                    }
                    None => next.missing.push(id),
                }
            }
        }
        Some(next)
    }

    /// For each edge of the one list the one of the other that says the same, or is a skip in place of an assignment; `None`
    /// if the other one has more.
    fn pairs(&self, from: &[EdgeId], to: &[EdgeId]) -> Option<Vec<Option<EdgeId>>> {
        let mut rest: Vec<EdgeId> = to.to_vec();
        let mut pair = |&id: &EdgeId| {
            let label = self.label(id);
            let same = rest.iter().position(|&other| self.label(other) == label);
            let left_out = || {
                let skip = |&other: &EdgeId| matches!(label, Label::Assign { .. }) && self.label(other) == Label::Skip;
                rest.iter().position(skip)
            };
            let at = same.or_else(left_out)?;
            Some(rest.remove(at))
        };
        let pairs: Vec<Option<EdgeId>> = from.iter().map(&mut pair).collect();
        rest.is_empty().then_some(pairs)
    }

    /// The chain that begins at a node, if it is one.
    fn chain(&self, header: NodeId, next: &Next) -> Option<Chain> {
        let automaton = &self.game.automaton;
        let second = *next.to.get(&header)?;
        let (mut copies, mut last) = (1, header);
        while let Some(&node) = next.to.get(&last) {
            (last, copies) = (node, copies + 1);
            if copies > next.to.len() + 1 {
                return None;
            }
        }
        if copies < MIN_COPIES {
            return None;
        }
        let (body, again) = self.body(header, second, next);
        if !body.contains(&header) || body.len() > MAX_BODY {
            return None;
        }
        let inside = |id: EdgeId| {
            let target = automaton.edge(id).target;
            target == second || body.contains(&target)
        };
        // The last copy lacks nothing but ways to go on.
        let mut lacking: FxHashSet<EdgeId> = FxHashSet::default();
        for &id in &next.missing {
            let (first, before) = next.first(automaton.edge(id).source);
            let same = automaton.outgoing(first).iter().copied().filter(|&other| self.label(other) == self.label(id));
            let same: Vec<EdgeId> = same.collect();
            if before + 2 != copies || same.is_empty() || !same.iter().copied().all(inside) {
                return None;
            }
            lacking.extend(same);
        }
        if lacking.is_empty() == next.behind.is_none() {
            return None;
        }
        let (moving, read) = self.moving(header, &body, inside)?;
        // What nobody needs any more may not have been assigned in the last copy.
        if !next.dropped.is_empty() {
            let live = self.live.get_or_init(|| Liveness::solve(self.game));
            let needless = |&(id, skip): &(EdgeId, EdgeId)| {
                let (edge, skip) = (automaton.edge(id), automaton.edge(skip));
                let assigns = effects::write(self.game, &edge.label).is_some_and(|write| write.var == moving);
                let needed = live.at(skip.target).is_none_or(|live| live.contains(moving.index()));
                assigns && !needed && next.first(edge.source).1 + 2 == copies
            };
            if next.behind.is_none() || !next.dropped.iter().all(needless) {
                return None;
            }
        }
        let nodes = next.to.iter().flat_map(|(&a, &b)| [a, b]).collect();
        Some(Chain { nodes, header, copies, body, again, lacking, behind: next.behind, moving, read })
    }

    /// The nodes of the first copy, and the edges from there to the second one.
    fn body(&self, header: NodeId, second: NodeId, next: &Next) -> (BTreeSet<NodeId>, Vec<EdgeId>) {
        let automaton = &self.game.automaton;
        // Forward from the header, and backward from the second copy.
        let mut ahead: BTreeSet<NodeId> = BTreeSet::from([header]);
        let (mut work, mut again) = (vec![header], Vec::new());
        while let Some(node) = work.pop() {
            for &id in automaton.outgoing(node) {
                let target = automaton.edge(id).target;
                if target == second {
                    again.push(id);
                } else if next.first(target).1 == 0 && next.to.contains_key(&target) && ahead.insert(target) {
                    work.push(target);
                }
            }
        }
        let mut body: BTreeSet<NodeId> = again.iter().map(|&id| automaton.edge(id).source).collect();
        let mut work: Vec<NodeId> = body.iter().copied().collect();
        while let Some(node) = work.pop() {
            let before = automaton.incoming(node).iter().map(|&id| automaton.edge(id).source);
            for node in before.filter(|node| ahead.contains(node)) {
                if body.insert(node) {
                    work.push(node);
                }
            }
        }
        (body, again)
    }

    /// The one variable that a body writes, and the others that are read for that; `None` if it does anything else, or is entered in its middle.
    fn moving(
        &self,
        header: NodeId,
        body: &BTreeSet<NodeId>,
        inside: impl Fn(EdgeId) -> bool,
    ) -> Option<(VarId, Vec<VarId>)> {
        let automaton = &self.game.automaton;
        let mut moving: Option<VarId> = None;
        let mut read: Vec<VarId> = Vec::new();
        for &node in body {
            if node != header && automaton.incoming(node).iter().any(|&id| !body.contains(&automaton.edge(id).source)) {
                return None;
            }
            for &id in automaton.outgoing(node) {
                let label = &automaton.edge(id).label;
                if self.game.ends_move(label) {
                    return None;
                }
                if !inside(id) {
                    continue;
                }
                let Some(write) = effects::write(self.game, label) else { continue };
                // What maps hold is known for the whole game only, whoever writes it.
                if self.game.vars.get(write.var).is_some_and(|decl| !self.game.types.is_set(decl.ty)) {
                    continue;
                }
                if !write.whole
                    || matches!(label, Label::AssignAny { .. })
                    || moving.is_some_and(|old| old != write.var)
                {
                    return None;
                }
                moving = Some(write.var);
                effects::reads(self.game, label, |var| read.push(var));
            }
        }
        let moving = moving?;
        read.retain(|&var| var != moving);
        read.sort_unstable();
        read.dedup();
        Some((moving, read))
    }
}
