//! Walks that are no moves because of some conditions.

use super::search::Search;
use super::{Cells, Naive, Val};
use engine::{Error, ErrorKind};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tags of a near miss at most: ignored conditions may be all that keeps a loop from going on.
const MAX_TAGS: usize = 200;
/// Near misses collected at most.
const MAX_FOUND: usize = 50_000;
/// Alternatives to the conditions of one edge collected at most.
const MAX_ALTERNATIVES: usize = 100;

/// What [`crate::why::near_misses`] may spend.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// Conditions ignored at most.
    pub conditions: usize,
    /// Only conditions with at least so many tags before them are ignored: with 1, the walks are those that can begin.
    pub behind: usize,
    /// Steps of the search.
    pub steps: u64,
    /// Set from outside when the answer is not wanted any more: the search then ends soon, as if it had no steps left.
    pub stop: Option<&'a AtomicBool>,
}

/// Nodes of a loop that are looked at, at most.
const MAX_LOOP: usize = 256;

/// A walk so far, with the conditions on it that do not hold.
#[derive(Clone)]
struct Walk {
    node: NodeId,
    tags: Vec<u32>,
    cells: Cells,
    broken: Vec<Broken<u32>>,
}

/// Tags and cells of a walk one edge further on.
type Ahead = (Vec<u32>, Cells);

/// A condition that does not hold.
#[derive(Clone, PartialEq)]
pub(crate) struct Broken<S> {
    pub(crate) edge: EdgeId,
    /// For a comparison of symbols, the values of both sides.
    pub(crate) sides: Option<(S, S)>,
    /// The keys in a comparison that are no constant symbols, with their values.
    pub(crate) keys: Vec<(ExprId, S)>,
    /// The number of tags before it.
    pub(crate) after: usize,
}

/// A label with the conditions ignored on the way, as few as possible.
pub(crate) struct Missed {
    pub(crate) tags: Vec<Symbol>,
    pub(crate) broken: Vec<Broken<Symbol>>,
}

/// By the edge of a condition that is ignored on the first walk to some point: that condition, and another one in its place on a walk that comes to
/// the same point and ignores the same conditions otherwise.
pub(crate) type Alternatives<S> = FxHashMap<EdgeId, Vec<(Broken<S>, Broken<S>)>>;

/// Adds the alternatives that a walk has to the first one that came to the same point.
fn compare(first: &[Broken<u32>], walk: &[Broken<u32>], alternatives: &mut Alternatives<u32>) {
    if first.len() != walk.len() {
        return;
    }
    let mut differing = first.iter().zip(walk).filter(|(one, other)| one != other);
    if let (Some((one, other)), None) = (differing.next(), differing.next()) {
        let known = alternatives.entry(one.edge).or_default();
        let is_known = known.iter().any(|(first, instead)| first == one && instead == other);
        if !is_known && known.len() < MAX_ALTERNATIVES {
            known.push((one.clone(), other.clone()));
        }
    }
}

/// What a search has found.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) missed: Vec<Missed>,
    /// The walk that comes furthest before a condition stops it.
    pub(crate) furthest: Option<Missed>,
    pub(crate) alternatives: Alternatives<Symbol>,
    /// Whether the search was cut short.
    pub(crate) is_cut: bool,
}

impl Naive {
    /// Labels of walks from a state, given by its image, on which 1 to `effort.conditions` conditions do not hold, the fewest first;
    /// without the labels of legal moves. Walks whose tags `wanted` does not like are not followed. The search ends after
    /// `effort.steps` steps, or when it is stopped; then some are missing, and the second result says so.
    pub(crate) fn missed(
        &self,
        image: &[u32],
        effort: Effort<'_>,
        wanted: &dyn Fn(&[Symbol]) -> bool,
    ) -> Result<Found, Error> {
        let mut search = Search::new(self);
        // What the first walk to a point, and the first one with some tags, ignore.
        let mut visited: FxHashMap<(NodeId, Vec<u32>, Cells), Vec<Broken<u32>>> = FxHashMap::default();
        let mut labels: FxHashMap<Vec<u32>, Vec<Broken<u32>>> = FxHashMap::default();
        let mut alternatives = Alternatives::default();
        let mut found = Found::default();
        // Walks that ignore nothing more come first: in the order of how much they ignore.
        let mut queue = VecDeque::from([self.first_walk(image)]);
        let mut made = 0;
        let mut loops: FxHashMap<EdgeId, bool> = FxHashMap::default();
        'walks: while let Some(walk) = queue.pop_front() {
            match visited.entry((walk.node, walk.tags.clone(), walk.cells.clone())) {
                Entry::Occupied(first) => {
                    compare(first.get(), &walk.broken, &mut alternatives);
                    continue;
                }
                Entry::Vacant(slot) => slot.insert(walk.broken.clone()),
            };
            made += 1;
            let is_stopped = effort.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            if made > effort.steps || is_stopped || found.missed.len() >= MAX_FOUND {
                found.is_cut = true;
                break;
            }
            if walk.node == self.game.end() || walk.tags.len() > MAX_TAGS {
                continue;
            }
            for &id in self.game.automaton.outgoing(walk.node).iter().rev() {
                let edge = self.game.automaton.edge(id);
                let nexts = search.remember(walk.node, 1, walk.cells.len(), walk.tags.len() + 1);
                let nexts = match nexts.and_then(|()| self.follow(&mut search, &walk, id, wanted)) {
                    Ok(Some(nexts)) => nexts,
                    Ok(None) => continue,
                    // What was found so far is something.
                    Err(error) if error.kind == ErrorKind::Limit => {
                        found.is_cut = true;
                        break 'walks;
                    }
                    Err(error) => return Err(error),
                };
                let ignored = nexts.is_empty() && !*loops.entry(id).or_insert_with(|| leaves_loop(&self.game, id));
                if ignored && walk.broken.len() < effort.conditions && walk.tags.len() >= effort.behind {
                    let mut next = Walk { node: edge.target, ..walk.clone() };
                    let sides = self.sides(&walk.cells, edge.label);
                    let keys = self.keys(&walk.cells, edge.label);
                    next.broken.push(Broken { edge: id, sides, keys, after: walk.tags.len() });
                    let is_further = found.furthest.as_ref().is_none_or(|before| before.tags.len() < walk.tags.len());
                    if walk.broken.is_empty() && is_further {
                        found.furthest = Some(self.miss(&walk.tags, &next.broken));
                    }
                    queue.push_back(next);
                }
                for (tags, cells) in nexts {
                    if !self.game.ends_move(&edge.label) {
                        queue.push_front(Walk { node: edge.target, tags, cells, broken: walk.broken.clone() });
                        continue;
                    }
                    match labels.entry(tags) {
                        Entry::Occupied(first) => compare(first.get(), &walk.broken, &mut alternatives),
                        Entry::Vacant(slot) => {
                            if !walk.broken.is_empty() {
                                found.missed.push(self.miss(slot.key(), &walk.broken));
                            }
                            slot.insert(walk.broken.clone());
                        }
                    }
                }
            }
        }
        let pair = |(one, other)| (named(one), named(other));
        let pairs = |(edge, pairs): (EdgeId, Vec<_>)| (edge, pairs.into_iter().map(pair).collect());
        found.alternatives = alternatives.into_iter().map(pairs).collect();
        Ok(found)
    }

    /// The walk that has not gone anywhere from a state, given by its image.
    fn first_walk(&self, image: &[u32]) -> Walk {
        let (node, cells) = self.state_of(image);
        Walk { node, tags: Vec::new(), cells, broken: Vec::new() }
    }

    /// The node and the cells of a state, given by its image.
    pub(super) fn state_of(&self, image: &[u32]) -> (NodeId, Cells) {
        let (node, values) = image.split_last().map_or((0, &[][..]), |(node, values)| (*node, values));
        let mut cells = self.initial.clone();
        for (place, &value) in self.listed().zip(values) {
            if let Some(cell) = cells.get_mut(place) {
                *cell = value;
            }
        }
        (NodeId::from_index(node as usize), cells)
    }

    /// The walks one edge on; none at all if a condition does not hold, `None` if they are not wanted.
    fn follow(
        &self,
        search: &mut Search<'_>,
        walk: &Walk,
        id: EdgeId,
        wanted: &dyn Fn(&[Symbol]) -> bool,
    ) -> Result<Option<Vec<Ahead>>, Error> {
        let label = self.game.automaton.edge(id).label;
        let tag = match label {
            Label::Tag(tag) => Some(tag.index() as u32),
            Label::TagVar(var) => Some(self.read(&walk.cells, super::Space::State, self.offsets[var])),
            _ => None,
        };
        let mut tags = walk.tags.clone();
        if let Some(tag) = tag {
            tags.push(tag);
            let symbols: Vec<Symbol> = tags.iter().map(|&tag| Symbol::from_index(tag as usize)).collect();
            return Ok(wanted(&symbols).then(|| vec![(tags, walk.cells.clone())]));
        }
        let nexts = search.successors(&walk.cells, label)?;
        Ok(Some(nexts.into_iter().map(|cells| (tags.clone(), cells)).collect()))
    }

    /// The values of both sides of a comparison, if they are symbols.
    fn sides(&self, cells: &Cells, label: Label) -> Option<(u32, u32)> {
        let Label::Compare { lhs, rhs, .. } = label else { return None };
        match (self.eval(cells, lhs), self.eval(cells, rhs)) {
            (Ok(Val::Symbol(left)), Ok(Val::Symbol(right))) => Some((left, right)),
            _ => None,
        }
    }

    /// The keys of maps in a comparison, with their values; those that are written as symbols are left out.
    fn keys(&self, cells: &Cells, label: Label) -> Vec<(ExprId, u32)> {
        let Label::Compare { lhs, rhs, .. } = label else { return Vec::new() };
        let (mut keys, mut rest) = (Vec::new(), vec![rhs, lhs]);
        while let Some(expr) = rest.pop() {
            match self.game.exprs.get(expr) {
                Expr::Access(map, key) => {
                    rest.extend([key, map]);
                    let value = if matches!(self.game.exprs.get(key), Expr::Symbol(_)) {
                        None
                    } else {
                        self.eval(cells, key).ok()
                    };
                    match value {
                        Some(Val::Symbol(value)) if !keys.contains(&(key, value)) => keys.push((key, value)),
                        _ => {}
                    }
                }
                Expr::Cast(_, inner) => rest.push(inner),
                Expr::Symbol(_) | Expr::Const(_) | Expr::Var(_) => {}
            }
        }
        keys
    }

    fn miss(&self, tags: &[u32], broken: &[Broken<u32>]) -> Missed {
        Missed { tags: tags.iter().map(symbol).collect(), broken: broken.iter().cloned().map(named).collect() }
    }
}

/// Whether an edge is taken when a loop is over: behind the opposite of its comparison, the rules can come back to it within the same move. That this does
/// not hold is no reason why a walk is no move: what stops it is in the loop.
fn leaves_loop(game: &Game, edge: EdgeId) -> bool {
    let edge = game.automaton.edge(edge);
    let Label::Compare { lhs, rhs, negated } = edge.label else { return false };
    let opposite = Label::Compare { lhs, rhs, negated: !negated };
    let out = |node| game.automaton.outgoing(node).iter().map(|&id| game.automaton.edge(id));
    let mut open: Vec<NodeId> =
        out(edge.source).filter(|other| other.label == opposite).map(|other| other.target).collect();
    let mut seen = FxHashSet::default();
    while let Some(node) = open.pop() {
        if node == edge.source {
            return true;
        }
        if seen.len() < MAX_LOOP && seen.insert(node) {
            open.extend(out(node).filter(|edge| !game.ends_move(&edge.label)).map(|edge| edge.target));
        }
    }
    false
}

fn symbol(index: &u32) -> Symbol {
    Symbol::from_index(*index as usize)
}

/// A condition with symbols in place of their indices.
fn named(Broken { edge, sides, keys, after }: Broken<u32>) -> Broken<Symbol> {
    let sides = sides.map(|(left, right)| (symbol(&left), symbol(&right)));
    Broken { edge, sides, keys: keys.iter().map(|(key, value)| (*key, symbol(value))).collect(), after }
}
