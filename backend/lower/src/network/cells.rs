//! What variables hold, as Boolean functions of the inputs of a network.
//!
//! An entry of a map with two values is one input, its bit in the state. Any other variable has an input for each of its values, of which
//! at most one is true. What the keeper assigns is a function of inputs from then on ([`Cells::assign`]).

use super::super::layout::Place;
use super::super::numbers::path;
use super::super::{Failure, Lifter};
use super::gates::{Gates, Literal};
use rg_ir::cancel;
use rg_ir::invariant::Invariant;
use rg_ir::{Expr, ExprId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A variable, or the entry of a map by its index.
pub(super) type Cell = (VarId, u32);

/// What an input of a network is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Input {
    /// A bit of an entry that has two values: it is the number of the value.
    Bit(Cell),
    /// Whether a cell has the value of this number.
    Value(Cell, u32),
}

/// What a cell holds after assignments.
#[derive(Clone)]
enum Symbolic {
    /// A value, by number.
    Constant(u32),
    /// For each value by number, whether it is this.
    Values(Rc<[Literal]>),
}

/// See the module.
pub(super) struct Cells<'a, 'g> {
    pub(super) lifter: &'a Lifter<'g>,
    pub(super) gates: Gates,
    /// MultiValued variables that moves choose.
    pub(super) chosen: FxHashSet<VarId>,
    pub(super) inputs: FxHashMap<Input, Literal>,
    held: FxHashMap<Cell, Symbolic>,
    /// The number of the last assignment to each cell and, at the index [`ANY`], to any entry of a map.
    assigned: FxHashMap<Cell, u64>,
    /// Where each cell was assigned.
    guards: FxHashMap<Cell, Vec<Literal>>,
    /// How many steps are left.
    work: usize,
    /// How many assignments there were.
    pub(super) now: u64,
}

/// Most steps of symbolic execution, and most nodes of the graph.
const MAX_WORK: usize = 1 << 27;
const MAX_NODES: usize = 1 << 23;

/// Stands for all entries of a map.
pub(super) const ANY: u32 = u32::MAX;

impl<'a, 'g> Cells<'a, 'g> {
    pub(super) fn new(lifter: &'a Lifter<'g>, chosen: FxHashSet<VarId>) -> Self {
        let (inputs, held, assigned) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self {
            lifter,
            gates: Gates::new(),
            chosen,
            inputs,
            held,
            assigned,
            guards: FxHashMap::default(),
            work: MAX_WORK,
            now: 0,
        }
    }

    /// Counts steps.
    ///
    /// # Errors
    /// There were too many, or the graph is too large.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Failure> {
        cancel::check();
        match self.work.checked_sub(steps) {
            Some(left) if self.gates.len() < MAX_NODES => {
                self.work = left;
                Ok(())
            }
            _ => Err(Failure::too_large()),
        }
    }

    /// Forgets all assignments: what is read from now on is before them.
    pub(super) fn restart(&mut self) {
        self.held.clear();
        self.guards.clear();
        self.now += 1;
        let now = self.now;
        self.assigned.values_mut().for_each(|at| *at = now);
    }

    /// Whether a cell has not been assigned since a moment, that is a value of [`Cells::now`].
    pub(super) fn is_unchanged(&self, cell: Cell, since: u64) -> bool {
        self.assigned.get(&cell).is_none_or(|&at| at <= since)
    }

    fn form(&self, var: VarId) -> Result<&'a super::super::numbers::Form, Failure> {
        match self.lifter.known.numbers.vars.get(var) {
            Some(Ok(form)) => Ok(form),
            Some(Err(failure)) => Err(failure.clone()),
            None => Err(Failure::new("a variable has no form")),
        }
    }

    /// How many values a variable has.
    pub(super) fn size(&self, var: VarId) -> usize {
        self.form(var).map_or(0, |form| self.lifter.known.numbers.size(form.class))
    }

    /// Whether an entry is one bit of the state.
    fn is_bit(&self, var: VarId) -> bool {
        matches!(self.lifter.layout.of(var), Some(Place::Packed(packed)) if packed.log == 0) && self.size(var) == 2
    }

    /// Whether a cell has a value, by number.
    pub(super) fn is(&mut self, (var, index): Cell, value: u32) -> Result<Literal, Failure> {
        match self.held.get(&(var, index)) {
            Some(Symbolic::Constant(held)) => return Ok(Literal::constant(*held == value)),
            Some(Symbolic::Values(values)) => {
                return Ok(values.get(value as usize).copied().unwrap_or(Literal::FALSE));
            }
            None => {}
        }
        let form = self.form(var)?;
        let initial = form.values.get(index as usize).copied();
        let initial = initial.ok_or_else(|| Failure::new("a map has no such entry"))?;
        let is_real = form.real.get(index as usize) == Some(&true);
        let is_kept = !matches!(self.lifter.layout.of(var), None | Some(Place::Nowhere));
        if !is_real || !is_kept && !self.chosen.contains(&var) {
            return Ok(Literal::constant(initial == value));
        }
        let (input, negated) = match self.is_bit(var) {
            true => (Input::Bit((var, index)), value == 0),
            false => (Input::Value((var, index), value), false),
        };
        let gates = &mut self.gates;
        Ok(self.inputs.entry(input).or_insert_with(|| gates.input()).negated_if(negated))
    }

    /// The keeper is the player, as where it begins to move.
    pub(super) fn hand_to_keeper(&mut self) -> Result<(), Failure> {
        let keeper = self.lifter.game.symbols.get("keeper");
        let player = self.lifter.known.player;
        let (Some(player), Some(keeper)) = (player, keeper) else { return Ok(()) };
        let number = self.number(player, keeper).ok_or_else(|| Failure::new("the keeper has no number"))?;
        self.assign((player, 0), number, Literal::TRUE)
    }

    /// For each value of a cell, whether it has it.
    fn values(&mut self, cell: Cell) -> Result<Rc<[Literal]>, Failure> {
        self.spend(self.size(cell.0))?;
        (0..self.size(cell.0) as u32).map(|value| self.is(cell, value)).collect()
    }

    /// A cell takes a value where a guard holds.
    pub(super) fn assign(&mut self, cell: Cell, value: u32, guard: Literal) -> Result<(), Failure> {
        if self.form(cell.0)?.real.get(cell.1 as usize) != Some(&true) {
            return Ok(());
        }
        let held = if guard == Literal::TRUE {
            Symbolic::Constant(value)
        } else {
            let old = self.values(cell)?;
            let new = old
                .iter()
                .zip(0..)
                .map(|(&old, number)| self.gates.choose(guard, Literal::constant(number == value), old));
            Symbolic::Values(new.collect())
        };
        self.hold(cell, held, guard);
        Ok(())
    }

    /// A cell takes what an expression is, a constant map at a cell or a cell, where a guard holds.
    pub(super) fn assign_value(&mut self, cell: Cell, expr: ExprId, guard: Literal) -> Result<(), Failure> {
        let unknown = || Failure::new("what is assigned depends on several values");
        let mut new = vec![Literal::FALSE; self.size(cell.0)];
        self.spend(new.len())?;
        for value in 0..new.len() as u32 {
            let symbol = self.symbol_of(cell.0, value).ok_or_else(unknown)?;
            let (from, values) = match self.cell(expr) {
                Some(from) => (from, self.number(from.0, symbol).into_iter().collect()),
                None => self.table_lookup(expr, symbol).ok_or_else(unknown)?,
            };
            for other in values {
                let is = self.is(from, other)?;
                if let Some(slot) = new.get_mut(value as usize) {
                    *slot = self.gates.or(*slot, is);
                }
            }
        }
        if guard != Literal::TRUE {
            let old = self.values(cell)?;
            new = new.iter().zip(&*old).map(|(&new, &old)| self.gates.choose(guard, new, old)).collect();
        }
        if self.form(cell.0)?.real.get(cell.1 as usize) == Some(&true) {
            self.hold(cell, Symbolic::Values(new.into()), guard);
        }
        Ok(())
    }

    /// Whether a cell was assigned, and nowhere but where a guard holds, as far as that is plain.
    pub(super) fn is_assigned_only_where(&self, cell: Cell, guard: Literal) -> bool {
        let guards = self.guards.get(&cell);
        guards.is_some_and(|guards| guards.iter().all(|&own| self.gates.has_factor(own, guard)))
    }

    fn hold(&mut self, cell: Cell, held: Symbolic, guard: Literal) {
        self.guards.entry(cell).or_default().push(guard);
        self.now += 1;
        self.held.insert(cell, held);
        self.assigned.insert(cell, self.now);
        self.assigned.insert((cell.0, ANY), self.now);
    }

    /// A variable takes what another one, or a constant, holds, where a guard does.
    pub(super) fn copy(&mut self, to: VarId, from: Expr, guard: Literal) -> Result<(), Failure> {
        let numbers = &self.lifter.known.numbers;
        let form = self.form(to)?;
        let other = match from {
            Expr::Var(from) => self.form(from)?,
            Expr::Const(from) => match numbers.consts.get(from) {
                Some(Ok(form)) => form,
                _ => return Err(Failure::new("a constant has no form")),
            },
            _ => return Err(Failure::new("what is assigned is not known")),
        };
        if form.len() != other.len() || form.keys != other.keys || form.class != other.class || form.rows != other.rows
        {
            return Err(Failure::new("maps have different forms"));
        }
        let real = form.real.clone();
        self.spend(real.len())?;
        let mut new = Vec::new();
        for index in (0..).zip(real.iter()).filter(|(_, real)| **real).map(|(index, _)| index) {
            let value = match from {
                Expr::Var(from) => match self.held.get(&(from, index)) {
                    Some(held) if guard == Literal::TRUE => held.clone(),
                    _ => Symbolic::Values(self.values((from, index))?),
                },
                _ => Symbolic::Constant(
                    other.values.get(index as usize).copied().invariant_or(0, "forms of the same length"),
                ),
            };
            new.push((index, value));
        }
        for (index, value) in new {
            let cell = (to, index);
            let held = match value {
                held if guard == Literal::TRUE => held,
                Symbolic::Constant(value) => {
                    self.assign(cell, value, guard)?;
                    continue;
                }
                Symbolic::Values(values) => {
                    let old = self.values(cell)?;
                    let gates = &mut self.gates;
                    Symbolic::Values(
                        old.iter().zip(&*values).map(|(&old, &new)| gates.choose(guard, new, old)).collect(),
                    )
                }
            };
            self.hold(cell, held, guard);
        }
        Ok(())
    }

    /// The cell that an expression names, if all of its keys are constant.
    pub(super) fn cell(&self, expr: ExprId) -> Option<Cell> {
        let (Expr::Var(var), keys) = path(self.lifter.game, expr) else { return None };
        let form = self.form(var).ok()?;
        if form.keys.len() != keys.len() {
            return None;
        }
        let mut index = 0;
        for (at, (&key, (&class, &size))) in keys.iter().zip(form.keys.iter().zip(&form.sizes[..])).enumerate() {
            let symbol = self.symbol(key)?;
            let number = self.lifter.known.numbers.number(class, symbol)?;
            index = index * size as u32 + form.row(at, number)?;
        }
        Some((var, index))
    }

    /// The symbol that an expression is, if it is constant.
    pub(super) fn symbol(&self, expr: ExprId) -> Option<Symbol> {
        match path(self.lifter.game, expr) {
            (Expr::Symbol(symbol), keys) if keys.is_empty() => Some(symbol),
            _ => None,
        }
    }

    /// The number of a symbol among a variable's values.
    pub(super) fn number(&self, var: VarId, symbol: Symbol) -> Option<u32> {
        self.lifter.known.numbers.number(self.form(var).ok()?.class, symbol)
    }

    /// The symbol of a variable's value.
    pub(super) fn symbol_of(&self, var: VarId, value: u32) -> Option<Symbol> {
        self.lifter.known.numbers.members(self.form(var).ok()?.class).get(value as usize).copied()
    }

    /// Whether a variable is no map.
    pub(super) fn is_single(&self, var: VarId) -> bool {
        self.form(var).is_ok_and(|form| form.keys.is_empty())
    }

    /// If an expression is a constant map at the value of a single variable: that variable, and its values by number where the map has
    /// a symbol.
    pub(super) fn table_lookup(&self, expr: ExprId, symbol: Symbol) -> Option<(Cell, Vec<u32>)> {
        let numbers = &self.lifter.known.numbers;
        let (Expr::Const(table), keys) = path(self.lifter.game, expr) else { return None };
        let &[key] = &keys[..] else { return None };
        let Some(Ok(table)) = numbers.consts.get(table) else { return None };
        let cell = self.cell(key)?;
        let class = self.form(cell.0).ok()?.class;
        let &[of_key] = &table.keys[..] else { return None };
        if of_key != class || table.rows.is_some() {
            return None;
        }
        let wanted = numbers.number(table.class, symbol)?;
        let has = |&(_, &value): &(u32, &u32)| value == wanted;
        Some((cell, (0..).zip(table.values.iter()).filter(has).map(|(number, _)| number).collect()))
    }

    /// Where a cell is in the game.
    pub(super) fn name(&self, var: VarId) -> &str {
        self.lifter.game.vars.get(var).map_or("", |decl| self.lifter.game.name(decl.name))
    }
}
