//! The edges that a move crosses, and those of what the keeper does behind it.

use super::search::Search;
use super::{Cells, Naive, Val};
use engine::Error;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId, Symbol};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A walk so far: where it is, the tags it has shown, and the step before its last one.
struct Point {
    before: Option<(usize, EdgeId)>,
    node: NodeId,
    tags: usize,
    cells: Cells,
}

/// An edge that is crossed, with the values of what it reads.
pub(crate) struct Step {
    pub(crate) edge: EdgeId,
    /// Expressions that are no symbols, from the outside to the inside.
    pub(crate) reads: Vec<(ExprId, Symbol)>,
    /// Of a check, the cells with which it is crossed.
    pub(super) at_check: Option<Cells>,
}

/// The steps of a move, and those of what the keeper does behind it.
pub(crate) type Routes = (Vec<Step>, Vec<Step>);

/// A walk to the end of a move.
pub(super) struct Walked {
    steps: Vec<Step>,
    node: NodeId,
    cells: Cells,
}

impl Walked {
    /// Where it ends.
    pub(super) fn end(self) -> (NodeId, Cells) {
        (self.node, self.cells)
    }
}

/// The walks from a state to the ends of moves, the shortest first, each of another state behind the move.
pub(super) struct Walks<'n> {
    naive: &'n Naive,
    search: Search<'n>,
    /// The tags of the move, if they matter.
    tags: Option<&'n [Symbol]>,
    visited: FxHashSet<(NodeId, usize, Cells)>,
    points: Vec<Point>,
    /// The point that is looked at next.
    at: usize,
    /// Ends of moves that were found, and are still to be told.
    ends: VecDeque<usize>,
    /// The states behind the moves that were found.
    behind: FxHashSet<(NodeId, Cells)>,
}

impl<'n> Walks<'n> {
    pub(super) fn new(naive: &'n Naive, (node, cells): (NodeId, Cells), tags: Option<&'n [Symbol]>) -> Self {
        Self {
            naive,
            search: Search::new(naive),
            tags,
            visited: FxHashSet::default(),
            points: vec![Point { before: None, node, tags: 0, cells }],
            at: 0,
            ends: VecDeque::new(),
            behind: FxHashSet::default(),
        }
    }

    /// The next walk; `None` if there is no other, or no step is left.
    pub(super) fn next(&mut self, left: &mut usize) -> Result<Option<Walked>, Error> {
        loop {
            if let Some(end) = self.ends.pop_front() {
                return Ok(self.naive.walked(&self.points, end));
            }
            let point = self.points.get(self.at).filter(|_| *left > 0);
            let Some((node, count, cells)) = point.map(|point| (point.node, point.tags, point.cells.clone())) else {
                return Ok(None);
            };
            (self.at, *left) = (self.at + 1, *left - 1);
            // A move goes no further than to its end.
            let is_end = self.points.get(self.at - 1).is_some_and(|point| self.is_end(point));
            if node != self.naive.game.end() && !is_end && self.visited.insert((node, count, cells.clone())) {
                self.leave(node, count, &cells)?;
            }
        }
    }

    /// Whether a walk to a point has made its move.
    fn is_end(&self, point: &Point) -> bool {
        let label = point.before.map(|(_, edge)| self.naive.game.automaton.edge(edge).label);
        label.is_some_and(|label| self.naive.game.ends_move(&label))
    }

    /// Adds the points one edge behind another one.
    fn leave(&mut self, node: NodeId, count: usize, cells: &Cells) -> Result<(), Error> {
        let naive = self.naive;
        self.search.remember(node, 1, cells.len(), 1)?;
        for &id in naive.game.automaton.outgoing(node) {
            let edge = naive.game.automaton.edge(id);
            let tag = match edge.label {
                Label::Tag(tag) => Some(tag),
                Label::TagVar(var) => {
                    let value = naive.read(cells, super::Space::State, naive.offsets[var]);
                    Some(Symbol::from_index(value as usize))
                }
                _ => None,
            };
            let is_next = tag.is_none() || self.tags.is_none_or(|tags| tags.get(count) == tag.as_ref());
            let nexts = if is_next { self.search.successors(cells, edge.label)? } else { Vec::new() };
            let count = count + usize::from(tag.is_some() && self.tags.is_some());
            let is_end = naive.game.ends_move(&edge.label);
            if is_end && self.tags.is_some_and(|tags| tags.len() != count) {
                continue;
            }
            for cells in nexts {
                if is_end && !self.behind.insert((edge.target, cells.clone())) {
                    continue;
                }
                if is_end {
                    self.ends.push_back(self.points.len());
                }
                self.points.push(Point { before: Some((self.at - 1, id)), node: edge.target, tags: count, cells });
            }
        }
        Ok(())
    }
}

impl Naive {
    /// The edges of a walk with these tags from the state with this image to the end of a move, and those of the keeper's moves behind it, as far as they are
    /// found within so many steps, for the move and for the answers each: the shortest one of those that lead to the state with the image `behind`, or else the only one that leads to a state
    /// which differs from it in dead variables alone, since engines may have reset these. Where several moves have these tags and none is found to lead there, it is not known which one was made; else
    /// the only one is it.
    pub(crate) fn route(
        &self,
        (image, behind): (&[u32], &[u32]),
        tags: &[Symbol],
        mut steps: usize,
    ) -> Result<Option<Routes>, Error> {
        let behind = self.state_of(behind);
        let mut walks = Walks::new(self, self.state_of(image), Some(tags));
        let canonical = |(node, cells): (NodeId, Cells)| (node, self.canonical(cells, node));
        let reset = canonical(behind.clone());
        let (mut live_equal, mut others): (Vec<Routes>, Vec<Routes>) = (Vec::new(), Vec::new());
        let mut answering = steps;
        while let Some(made) = walks.next(&mut steps)? {
            let (answers, state) = self.answers((made.node, made.cells), &mut answering);
            if state == behind {
                return Ok(Some((made.steps, answers)));
            }
            let list = if canonical(state) == reset { &mut live_equal } else { &mut others };
            if list.len() < 2 {
                list.push((made.steps, answers));
            }
        }
        let mut found = if live_equal.is_empty() { others } else { live_equal };
        // If not all walks were seen, there may be others.
        Ok(found.pop().filter(|_| found.is_empty() && steps > 0))
    }

    /// The image of the state in which somebody would be to move and has no move, if a game has ended because of that behind a move with these tags, as far as
    /// this is found out within so many steps. The images are those for [`Naive::route`].
    pub(crate) fn unable_behind(
        &self,
        images: (&[u32], &[u32]),
        tags: &[Symbol],
        mut steps: usize,
    ) -> Result<Option<Vec<u32>>, Error> {
        let Some((mut made, answers)) = self.route(images, tags, steps)? else { return Ok(None) };
        made.extend(answers);
        Ok(self.unable(&made, &mut steps).map(|state| self.image_of(&state)))
    }

    /// The edges of the keeper's moves from a state, until somebody else is to move or the game ends, as far as they are found; and the state behind them.
    pub(super) fn answers(
        &self,
        (mut node, mut cells): (NodeId, Cells),
        steps: &mut usize,
    ) -> (Vec<Step>, (NodeId, Cells)) {
        let mut answers = Vec::new();
        let keeper = Some(self.keeper);
        while node != self.game.end() && cells.get(self.offsets[self.player]).copied() == keeper {
            let Ok(Some(next)) = Walks::new(self, (node, cells.clone()), None).next(steps) else { break };
            answers.extend(next.steps);
            (node, cells) = (next.node, next.cells);
        }
        (answers, (node, cells))
    }

    /// The walk to one of some points.
    fn walked(&self, points: &[Point], end: usize) -> Option<Walked> {
        let mut steps = Vec::new();
        let mut at = end;
        while let Some((before, edge)) = points.get(at)?.before {
            let [from, to] = [before, at].map(|at| points.get(at));
            let is_check = matches!(self.game.automaton.edge(edge).label, Label::Reach { .. });
            let at_check = if is_check { Some(from?.cells.clone()) } else { None };
            steps.push(Step { edge, reads: self.reads(edge, &from?.cells, &to?.cells), at_check });
            at = before;
        }
        steps.reverse();
        let Point { node, cells, .. } = points.get(end)?;
        Some(Walked { steps, node: *node, cells: cells.clone() })
    }

    /// What an edge reads that is crossed, with the cells before and behind it. What is written is not read, but its keys are; of what any value is
    /// written into, the value is told.
    fn reads(&self, edge: EdgeId, before: &Cells, behind: &Cells) -> Vec<(ExprId, Symbol)> {
        let (mut open, written) = match self.game.automaton.edge(edge).label {
            Label::Compare { lhs, rhs, .. } => (vec![rhs, lhs], None),
            Label::Assign { lhs, rhs } => (vec![rhs], Some(lhs)),
            Label::AssignAny { lhs, .. } => (Vec::new(), Some(lhs)),
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVar(_) => return Vec::new(),
        };
        let mut found: Vec<(ExprId, Symbol)> = Vec::new();
        let mut read = |expr: ExprId, cells: &Cells| match self.eval(cells, expr) {
            Ok(Val::Symbol(value)) if !found.iter().any(|(known, _)| *known == expr) => {
                found.push((expr, Symbol::from_index(value as usize)));
            }
            _ => {}
        };
        if let (Some(written), true) = (written, open.is_empty()) {
            read(written, behind);
        }
        let mut at = written;
        while let Some(expr) = at {
            at = match self.game.exprs.get(expr) {
                Expr::Access(map, key) => {
                    open.insert(0, key);
                    Some(map)
                }
                Expr::Cast(_, inner) => Some(inner),
                Expr::Symbol(_) | Expr::Const(_) | Expr::Var(_) => None,
            };
        }
        while let Some(expr) = open.pop() {
            match self.game.exprs.get(expr) {
                Expr::Access(map, key) => {
                    read(expr, before);
                    open.extend([key, map]);
                }
                Expr::Cast(_, inner) => open.push(inner),
                Expr::Var(_) => read(expr, before),
                Expr::Symbol(_) | Expr::Const(_) => {}
            }
        }
        found
    }
}
