//! Which tags could be left out of labels, so that they still tell moves apart (catalogue of passes, 2.4 and 2.5).
//!
//! Pairs of walks from one state with the same tags so far are followed together, from tag to tag. Where one of them can
//! emit a tag that is to be left out, the other must emit the same tag there, which is certain only if its value is known
//! from the state in which the move began and the tags before; or what is known of the two walks must contradict each
//! other, as far as it concerns that state and those tags. Then two labels that first differ in some tag differ in one
//! that is kept: what remains of different labels is different. Pairs of *nodes* are followed, so no walks are enumerated.

use super::knowledge::Knowledge;
use super::terms::{Term, TermId};
use super::walks::{Kind, Walks};
use crate::dataflow::{Solution, solve};
use rg_ir::{EdgeId, Game, Label, NodeId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Pairs of steps looked at in all; with more, everything is kept.
const MAX_PAIRS: usize = 600_000;

/// A set of edges that emit tags.
pub(crate) type TagEdges = FxHashSet<EdgeId>;

/// The largest part of `candidates` that this analysis can show to be superfluous; `None` if that takes too long. If
/// `by_name`, all edges with a fixed tag are kept once one of them is. At most [`MAX_PAIRS`] pairs of steps are looked at.
pub(crate) fn droppable(game: &Game, candidates: TagEdges, by_name: bool) -> Option<TagEdges> {
    if candidates.is_empty() {
        return Some(candidates);
    }
    let walks = Walks::new(game, Kind::Moves);
    let solution = solve(game, &walks);
    let mut pairs = Pairs { game, walks: &walks, solution: &solution, exits: FxHashMap::default(), left: MAX_PAIRS };
    let mut dropped = candidates;
    loop {
        let needed = pairs.needed(&dropped)?;
        if needed.is_empty() {
            return Some(dropped);
        }
        let names: FxHashSet<Symbol> = needed.iter().filter_map(|&id| fixed_tag(game, id)).collect();
        let named = |id: EdgeId| by_name && fixed_tag(game, id).is_some_and(|tag| names.contains(&tag));
        dropped.retain(|&id| !needed.contains(&id) && !named(id));
    }
}

fn fixed_tag(game: &Game, id: EdgeId) -> Option<Symbol> {
    match game.automaton.edge(id).label {
        Label::Tag(tag) => Some(tag),
        _ => None,
    }
}

/// A step that emits a tag or ends the move, after walks from some node without such steps.
struct Exit {
    edge: EdgeId,
    /// What is known of these walks.
    known: Knowledge,
    /// The tag in terms of the start of the move and the tags before, if they determine it.
    value: Option<TermId>,
}

struct Pairs<'a> {
    game: &'a Game,
    walks: &'a Walks<'a>,
    solution: &'a Solution<Knowledge>,
    exits: FxHashMap<NodeId, Rc<[Exit]>>,
    left: usize,
}

impl Pairs<'_> {
    /// The edges of `dropped` that are needed to tell labels apart as long as the others of `dropped` are left out;
    /// `None` if that takes too long.
    fn needed(&mut self, dropped: &TagEdges) -> Option<TagEdges> {
        let mut needed = TagEdges::default();
        let mut stack: Vec<(NodeId, NodeId)> = self.walks.starts.iter().map(|&node| (node, node)).collect();
        let mut seen: FxHashSet<(NodeId, NodeId)> = stack.iter().copied().collect();
        while let Some((one, other)) = stack.pop() {
            let (firsts, seconds) = (self.exits(one)?, self.exits(other)?);
            for (at, first) in firsts.iter().enumerate() {
                // A pair and its mirror image say the same.
                let seconds = if one == other { seconds.get(at..).unwrap_or(&[]) } else { &seconds };
                self.left = self.left.checked_sub(seconds.len())?;
                for second in seconds {
                    if self.step(first, second, dropped, &mut needed) {
                        let target = |exit: &Exit| self.game.automaton.edge(exit.edge).target;
                        let (a, b) = (target(first), target(second));
                        let pair = (a.min(b), a.max(b));
                        if seen.insert(pair) {
                            stack.push(pair);
                        }
                    }
                }
            }
        }
        Some(needed)
    }

    /// Two walks with the same tags so far take these steps. Notes edges that must not be left out, and says whether the
    /// walks can go on with the same tags.
    fn step(&self, first: &Exit, second: &Exit, dropped: &TagEdges, needed: &mut TagEdges) -> bool {
        let both = [first.edge, second.edge];
        let drops = both.map(|edge| dropped.contains(&edge));
        let tags = both.iter().all(|&edge| self.emits(edge));
        let same = tags && first.value.is_some() && first.value == second.value;
        if same && drops != [true, false] && drops != [false, true] {
            return true;
        }
        let may_agree = tags && self.may_agree(first.edge, second.edge);
        if drops == [false, false] && !may_agree {
            return false;
        }
        if first.known.excludes_from_start(&self.walks.terms.borrow(), &second.known) {
            return false;
        }
        needed.extend(both.into_iter().filter(|edge| dropped.contains(edge)));
        may_agree
    }

    fn emits(&self, id: EdgeId) -> bool {
        matches!(self.game.automaton.edge(id).label, Label::Tag(_) | Label::TagVar(_))
    }

    /// Whether two edges may emit the same tag.
    fn may_agree(&self, e: EdgeId, f: EdgeId) -> bool {
        let label = |id: EdgeId| self.game.automaton.edge(id).label;
        match (label(e), label(f)) {
            (Label::Tag(a), Label::Tag(b)) => a == b,
            _ => true,
        }
    }

    /// The first steps on walks from a node that emit a tag or end the move; `None` if that takes too long.
    fn exits(&mut self, node: NodeId) -> Option<Rc<[Exit]>> {
        if let Some(found) = self.exits.get(&node) {
            return Some(found.clone());
        }
        let automaton = &self.game.automaton;
        // What is known along these walks alone, which is more than what is known of all walks.
        let mut known: FxHashMap<NodeId, Knowledge> = FxHashMap::default();
        let mut order = vec![node];
        known.insert(node, self.solution.at(node)?.clone());
        let mut queue = VecDeque::from([node]);
        while let Some(at) = queue.pop_front() {
            self.left = self.left.checked_sub(automaton.outgoing(at).len() + 1)?;
            for edge in automaton.outgoing(at).iter().filter(|&&id| !self.leaves(id)).map(|&id| automaton.edge(id)) {
                let Some(mut after) = known.get(&at).cloned() else { continue };
                if self.walks.step(edge, &mut after).is_none() {
                    continue;
                }
                let changed = match known.entry(edge.target) {
                    Entry::Occupied(mut old) => old.get_mut().join(&mut self.walks.terms.borrow_mut(), &after),
                    Entry::Vacant(none) => {
                        none.insert(after);
                        order.push(edge.target);
                        true
                    }
                };
                if changed {
                    queue.push_back(edge.target);
                }
            }
        }
        let mut found = Vec::new();
        for at in order {
            // No move goes on from `end`.
            let Some(known) = known.get(&at).filter(|_| at != self.game.end()) else { continue };
            for &edge in automaton.outgoing(at).iter().filter(|&&id| self.leaves(id)) {
                found.push(Exit { edge, value: self.value(known, edge), known: known.clone() });
            }
        }
        let found: Rc<[Exit]> = found.into();
        self.exits.insert(node, found.clone());
        Some(found)
    }

    /// Whether an edge emits a tag or ends the move.
    fn leaves(&self, id: EdgeId) -> bool {
        self.emits(id) || self.game.ends_move(&self.game.automaton.edge(id).label)
    }

    /// The tag of an edge, if the start of the move and the tags before determine it.
    fn value(&self, known: &Knowledge, edge: EdgeId) -> Option<TermId> {
        let terms = &mut *self.walks.terms.borrow_mut();
        let value = match self.game.automaton.edge(edge).label {
            Label::Tag(tag) => terms.make(Term::Symbol(tag)),
            Label::TagVar(var) => known.value(terms, var),
            _ => None,
        };
        value.filter(|&value| !terms.mentions_state(value))
    }
}
