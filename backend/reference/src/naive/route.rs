//! The edges that a move crosses, and those of what the keeper does behind it.

use super::search::Search;
use super::{Cells, Naive, Val};
use engine::Error;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId, Symbol};
use rustc_hash::FxHashSet;

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
}

/// The steps of a move, and those of what the keeper does behind it.
pub(crate) type Routes = (Vec<Step>, Vec<Step>);

/// A walk to the end of a move.
struct Walked {
    steps: Vec<Step>,
    node: NodeId,
    cells: Cells,
}

impl Naive {
    /// The edges of a shortest walk with these tags from the state with this image to the end of a move, and those of the keeper's moves behind it, as far as
    /// they are found within so many steps; `None` if there is no such move, or it is not found.
    pub(crate) fn route(&self, image: &[u32], tags: &[Symbol], mut steps: usize) -> Result<Option<Routes>, Error> {
        let Some(made) = self.shortest(self.state_of(image), Some(tags), &mut steps)? else { return Ok(None) };
        let (mut answers, mut node, mut cells) = (Vec::new(), made.node, made.cells);
        let keeper = Some(self.keeper);
        while node != self.game.end() && cells.get(self.offsets[self.player]).copied() == keeper {
            let Ok(Some(next)) = self.shortest((node, cells), None, &mut steps) else { break };
            answers.extend(next.steps);
            (node, cells) = (next.node, next.cells);
        }
        Ok(Some((made.steps, answers)))
    }

    /// A shortest walk to the end of a move, with these tags if any are given.
    fn shortest(
        &self,
        (node, cells): (NodeId, Cells),
        tags: Option<&[Symbol]>,
        left: &mut usize,
    ) -> Result<Option<Walked>, Error> {
        let mut search = Search::new(self);
        let mut visited: FxHashSet<(NodeId, usize, Cells)> = FxHashSet::default();
        let mut points = vec![Point { before: None, node, tags: 0, cells }];
        let mut at = 0;
        while let Some(point) = points.get(at).filter(|_| *left > 0) {
            let (node, count, cells) = (point.node, point.tags, point.cells.clone());
            (at, *left) = (at + 1, *left - 1);
            if node == self.game.end() || !visited.insert((node, count, cells.clone())) {
                continue;
            }
            search.remember(node, 1, cells.len(), 1)?;
            for &id in self.game.automaton.outgoing(node) {
                let edge = self.game.automaton.edge(id);
                let tag = match edge.label {
                    Label::Tag(tag) => Some(tag),
                    Label::TagVar(var) => {
                        let value = self.read(&cells, super::Space::State, self.offsets[var]);
                        Some(Symbol::from_index(value as usize))
                    }
                    _ => None,
                };
                let is_next = tag.is_none() || tags.is_none_or(|tags| tags.get(count) == tag.as_ref());
                let nexts = if is_next { search.successors(&cells, edge.label)? } else { Vec::new() };
                let count = count + usize::from(tag.is_some() && tags.is_some());
                for cells in nexts {
                    let is_end = self.game.ends_move(&edge.label);
                    if is_end && tags.is_some_and(|tags| tags.len() != count) {
                        continue;
                    }
                    points.push(Point { before: Some((at - 1, id)), node: edge.target, tags: count, cells });
                    if is_end {
                        return Ok(self.walked(points));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The walk to the last of some points.
    fn walked(&self, mut points: Vec<Point>) -> Option<Walked> {
        let mut steps = Vec::new();
        let mut at = points.len().checked_sub(1)?;
        while let Some((before, edge)) = points.get(at)?.before {
            let [from, to] = [before, at].map(|at| points.get(at));
            steps.push(Step { edge, reads: self.reads(edge, &from?.cells, &to?.cells) });
            at = before;
        }
        steps.reverse();
        let Point { node, cells, .. } = points.pop()?;
        Some(Walked { steps, node, cells })
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
