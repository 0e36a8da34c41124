//! Conditions of edges as Boolean functions: comparisons, and reachability checks without choices or cycles.
//!
//! What a condition is stays known until a cell that it reads is assigned, so a check that is asked many times is evaluated once.

use super::super::Failure;
use super::cells::{ANY, Cell, Cells};
use super::gates::Literal;
use rg_ir::{ExprId, Label, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How deep checks are inside each other, walks of a check included.
const MAX_DEPTH: usize = 400;
/// Cells that a condition reads are kept one by one up to this number.
const FEW: usize = 24;

/// A condition that was evaluated: what it is, when, and the cells that it read.
#[derive(Clone)]
struct Answer {
    literal: Literal,
    at: u64,
    reads: Vec<Cell>,
}

/// Answers of conditions.
#[derive(Default)]
pub(super) struct Conditions {
    checks: FxHashMap<(NodeId, NodeId), Answer>,
    comparisons: FxHashMap<(ExprId, ExprId), Answer>,
    open: FxHashSet<NodeId>,
}

impl Conditions {
    /// What the label of an edge asks.
    pub(super) fn of(&mut self, cells: &mut Cells<'_, '_>, label: &Label) -> Result<Literal, Failure> {
        self.with_reads(cells, label, &mut Vec::new())
    }

    fn with_reads(
        &mut self,
        cells: &mut Cells<'_, '_>,
        label: &Label,
        reads: &mut Vec<Cell>,
    ) -> Result<Literal, Failure> {
        match *label {
            Label::Skip | Label::Tag(_) | Label::TagVar(_) => Ok(Literal::TRUE),
            Label::Compare { lhs, rhs, negated } => Ok(self.comparison(cells, (lhs, rhs), reads)?.negated_if(negated)),
            Label::Reach { from, to, negated } => Ok(self.check(cells, from, to, reads)?.negated_if(negated)),
            Label::Assign { .. } | Label::AssignAny { .. } => Err(Failure::new("a check assigns something")),
        }
    }

    fn comparison(
        &mut self,
        cells: &mut Cells<'_, '_>,
        (lhs, rhs): (ExprId, ExprId),
        reads: &mut Vec<Cell>,
    ) -> Result<Literal, Failure> {
        if let Some(answer) = self.comparisons.get(&(lhs, rhs))
            && answer.is_valid(cells)
        {
            note(reads, &answer.reads);
            return Ok(answer.literal);
        }
        let at = cells.now;
        let (symbol, other) = match (cells.symbol(lhs), cells.symbol(rhs)) {
            (Some(one), Some(other)) => return Ok(Literal::constant(one == other)),
            (None, Some(symbol)) => (symbol, lhs),
            (Some(symbol), None) => (symbol, rhs),
            (None, None) => return Err(Failure::new("two variables are compared")),
        };
        let (cell, literal) = if let Some(cell) = cells.cell(other) {
            let literal = match cells.number(cell.0, symbol) {
                Some(value) => cells.is(cell, value)?,
                None => Literal::FALSE,
            };
            (cell, literal)
        } else if let Some((cell, values)) = cells.table_lookup(other, symbol) {
            let mut any = Literal::FALSE;
            cells.spend(values.len())?;
            for value in values {
                let is = cells.is(cell, value)?;
                any = cells.gates.or(any, is);
            }
            (cell, any)
        } else {
            return Err(Failure::new("a comparison depends on several values"));
        };
        note(reads, &[cell]);
        self.comparisons.insert((lhs, rhs), Answer { literal, at, reads: vec![cell] });
        Ok(literal)
    }

    /// Whether some walk goes from one node to another.
    fn check(
        &mut self,
        cells: &mut Cells<'_, '_>,
        from: NodeId,
        to: NodeId,
        reads: &mut Vec<Cell>,
    ) -> Result<Literal, Failure> {
        if from == to {
            return Ok(Literal::TRUE);
        }
        if let Some(answer) = self.checks.get(&(from, to))
            && answer.is_valid(cells)
        {
            note(reads, &answer.reads);
            return Ok(answer.literal);
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(Failure::new("checks are too deep inside each other"));
        }
        if !self.open.insert(from) {
            return Err(Failure::new("a check goes round a cycle"));
        }
        let (at, game) = (cells.now, cells.lifter.game);
        let (mut any, mut own) = (Literal::FALSE, Vec::new());
        for &id in game.automaton.outgoing(from) {
            cells.spend(1)?;
            let edge = game.automaton.edge(id);
            let here = self.with_reads(cells, &edge.label, &mut own)?;
            if here == Literal::FALSE {
                continue;
            }
            let beyond = self.check(cells, edge.target, to, &mut own)?;
            let walk = cells.gates.and(here, beyond);
            any = cells.gates.or(any, walk);
        }
        self.open.remove(&from);
        note(reads, &own);
        self.checks.insert((from, to), Answer { literal: any, at, reads: own });
        Ok(any)
    }
}

impl Answer {
    fn is_valid(&self, cells: &Cells<'_, '_>) -> bool {
        self.reads.iter().all(|&cell| cells.is_unchanged(cell, self.at))
    }
}

/// Adds cells to those that were read; of many, only their variables.
fn note(reads: &mut Vec<Cell>, more: &[Cell]) {
    for &cell in more {
        if !reads.contains(&cell) && !reads.contains(&(cell.0, ANY)) {
            reads.push(cell);
        }
    }
    if reads.len() > FEW {
        reads.iter_mut().for_each(|cell| cell.1 = ANY);
        reads.sort_unstable();
        reads.dedup();
    }
}
