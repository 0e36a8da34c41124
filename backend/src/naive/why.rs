//! Walks that are no moves because of some conditions.

use super::search::Search;
use super::{Cells, Naive, Val};
use engine::{Error, ErrorKind};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Label, NodeId, Symbol};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Tags of a near miss at most: ignored conditions may be all that keeps a loop from going on.
const MAX_TAGS: usize = 200;
/// Near misses collected at most.
const MAX_FOUND: usize = 50_000;

/// A walk so far, with the conditions on it that do not hold.
#[derive(Clone)]
struct Walk {
    node: NodeId,
    tags: Vec<u32>,
    cells: Cells,
    broken: Vec<(EdgeId, Option<(u32, u32)>)>,
}

/// Tags and cells of a walk one edge further on.
type Ahead = (Vec<u32>, Cells);

/// A label with the conditions ignored on the way, as few as possible: their edges, and for comparisons of symbols the
/// values of both sides.
pub(crate) struct Missed {
    pub(crate) tags: Vec<Symbol>,
    pub(crate) broken: Vec<(EdgeId, Option<(Symbol, Symbol)>)>,
}

impl Naive {
    /// Labels of walks from a state, given by its image, on which 1 to `most` conditions do not hold, the fewest first;
    /// without the labels of legal moves. Walks whose tags `wanted` does not like are not followed. The search ends after
    /// `steps` steps; then some are missing, and the second result says so.
    pub(crate) fn missed(
        &self,
        image: &[u32],
        most: usize,
        steps: u64,
        wanted: &dyn Fn(&[Symbol]) -> bool,
    ) -> Result<(Vec<Missed>, bool), Error> {
        let (node, values) = image.split_last().map_or((0, &[][..]), |(node, values)| (*node, values));
        let mut cells = self.initial.clone();
        for (place, &value) in self.listed().zip(values) {
            if let Some(cell) = cells.get_mut(place) {
                *cell = value;
            }
        }
        let mut search = Search::new(self);
        let mut visited: FxHashSet<(NodeId, Vec<u32>, Cells)> = FxHashSet::default();
        let mut found: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut missed = Vec::new();
        let first = Walk { node: NodeId::from_index(node as usize), tags: Vec::new(), cells, broken: Vec::new() };
        // Walks that ignore nothing more come first: in the order of how much they ignore.
        let mut queue = VecDeque::from([first]);
        let mut made = 0;
        while let Some(walk) = queue.pop_front() {
            if !visited.insert((walk.node, walk.tags.clone(), walk.cells.clone())) {
                continue;
            }
            made += 1;
            if made > steps || missed.len() >= MAX_FOUND {
                return Ok((missed, true));
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
                    Err(error) if error.kind == ErrorKind::Limit => return Ok((missed, true)),
                    Err(error) => return Err(error),
                };
                let ignored = nexts.is_empty();
                if ignored && walk.broken.len() < most {
                    let mut next = Walk { node: edge.target, ..walk.clone() };
                    next.broken.push((id, self.sides(&walk.cells, edge.label)));
                    queue.push_back(next);
                }
                for (tags, cells) in nexts {
                    if !self.game.ends_move(&edge.label) {
                        queue.push_front(Walk { node: edge.target, tags, cells, broken: walk.broken.clone() });
                    } else if found.insert(tags.clone()) && !walk.broken.is_empty() {
                        missed.push(self.miss(&tags, &walk.broken));
                    }
                }
            }
        }
        Ok((missed, false))
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

    fn miss(&self, tags: &[u32], broken: &[(EdgeId, Option<(u32, u32)>)]) -> Missed {
        let symbol = |&index: &u32| Symbol::from_index(index as usize);
        let sides = |(left, right): (u32, u32)| (symbol(&left), symbol(&right));
        Missed {
            tags: tags.iter().map(symbol).collect(),
            broken: broken.iter().map(|&(edge, values)| (edge, values.map(sides))).collect(),
        }
    }
}
