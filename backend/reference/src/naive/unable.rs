//! Whether a game has ended because somebody has no move: who would be to move otherwise, and where.

use super::route::{Step, Walks};
use super::search::Search;
use super::{Cells, Naive};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Label, NodeId, Symbol};
use rustc_hash::FxHashSet;

/// Checks before the end of a walk at most that are looked at, the last ones.
const CHECKS: usize = 16;

/// Points of walks that are looked at for each of them, at most.
const POINTS: usize = 100_000;

/// Checks in each other that are looked into, at most.
const DEPTH: usize = 16;

impl Naive {
    /// The state in which somebody would be to move, but has no move, if the last one of the checks on a walk that can have been about that had another
    /// result: one that holds because there is no way somewhere. `None` if there is no such check, or that is not found out within some steps.
    pub(super) fn unable(&self, walk: &[Step], steps: &mut usize) -> Option<(NodeId, Cells)> {
        let checks = walk.iter().rev().filter_map(|step| Some((step.edge, step.at_check.as_ref()?)));
        checks.take(CHECKS).find_map(|(edge, cells)| self.unable_but_for(edge, cells, steps))
    }

    /// The same for one check, given by its edge and the cells with which it is crossed.
    fn unable_but_for(&self, edge: EdgeId, cells: &Cells, steps: &mut usize) -> Option<(NodeId, Cells)> {
        let check = self.game.automaton.edge(edge);
        let Label::Reach { from, to, negated } = check.label else { return None };
        let mut points = POINTS;
        if !negated && self.is_reached_anyway(cells, (from, to), &mut points, DEPTH).unwrap_or(true) {
            return None;
        }
        let opposite = Label::Reach { from, to, negated: !negated };
        let out = self.game.automaton.outgoing(check.source).iter().map(|&id| self.game.automaton.edge(id));
        out.filter(|other| other.label == opposite).find_map(|other| {
            let (node, cells) = self.turn_behind((other.target, cells.clone()), steps)?;
            let moves = Search::new(self).moves(cells.clone(), node).ok()?;
            moves.is_empty().then_some((node, cells))
        })
    }

    /// The state in which somebody is to move whom a walk from some point reaches first.
    fn turn_behind(&self, (node, cells): (NodeId, Cells), steps: &mut usize) -> Option<(NodeId, Cells)> {
        let made = Walks::new(self, (node, cells), None).next(steps).ok()??;
        let (_, (node, cells)) = self.answers(made.end(), steps);
        let mover = cells.get(self.offsets[self.player]).copied();
        (node != self.game.end() && mover != Some(self.keeper) && mover != Some(self.random)).then_some((node, cells))
    }

    /// Whether a check is reached by a walk on which no other one holds because there is no way somewhere. `None` if that is not found out.
    fn is_reached_anyway(
        &self,
        cells: &Cells,
        (from, to): (NodeId, NodeId),
        points: &mut usize,
        depth: usize,
    ) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let mut search = Search::new(self);
        let mut visited: FxHashSet<(NodeId, Cells)> = FxHashSet::default();
        let mut open = vec![(from, cells.clone())];
        while let Some((node, cells)) = open.pop() {
            if node == to {
                return Some(true);
            }
            if !visited.insert((node, cells.clone())) {
                continue;
            }
            *points = points.checked_sub(1)?;
            for &id in self.game.automaton.outgoing(node) {
                let edge = self.game.automaton.edge(id);
                let nexts = match edge.label {
                    Label::Reach { negated: true, .. } => Vec::new(),
                    Label::Reach { from, to, negated: false } => {
                        let holds = self.is_reached_anyway(&cells, (from, to), points, depth)?;
                        if holds { vec![cells.clone()] } else { Vec::new() }
                    }
                    label => search.successors(&cells, label).ok()?,
                };
                open.extend(nexts.into_iter().map(|cells| (edge.target, cells)));
            }
        }
        Some(false)
    }

    /// Who is to move in the state with this image.
    pub(crate) fn mover(&self, image: &[u32]) -> Symbol {
        let (_, cells) = self.state_of(image);
        Symbol::from_index(cells.get(self.offsets[self.player]).copied().unwrap_or(self.keeper) as usize)
    }

    /// The image of a state: the values of all cells, then the node.
    pub(super) fn image_of(&self, (node, cells): &(NodeId, Cells)) -> Vec<u32> {
        let values = self.listed().map(|place| cells.get(place).copied().unwrap_or(0));
        values.chain([node.index() as u32]).collect()
    }
}
