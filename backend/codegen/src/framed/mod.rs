//! Register bytecode with a frame for each call: runs functions that work on scratch memory and call each other in circles, and adds
//! up what instructions would cost in machine code where that is wanted. Ready at once.

mod flatten;
mod run;

use crate::sink::{self, Sink};
use crate::{Executor, Run, SideExit};
use engine::Pool;
use flatten::Flat;
use run::Machine;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use wir::verify::verify;
use wir::{FnId, Program};

/// Rounds of loops after which a call gives up where costs are added up.
const TRIAL_BUDGET: u64 = 1 << 20;

/// Whether costs are added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Costs {
    Added,
    Ignored,
}

/// What calls have cost.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Spent {
    /// Instructions.
    pub(crate) steps: u64,
    /// What they would cost in machine code, in tenths of a nanosecond, more or less.
    pub(crate) cost: u64,
}

/// See the module.
#[derive(Debug)]
pub struct FramedVm {
    program: Arc<Program>,
    costs: Costs,
    /// Rounds of loops after which a call gives up.
    budget: u64,
    /// The cost after which it gives up, at the next round of a loop.
    limit: u64,
    /// By function that has been called.
    functions: Vec<OnceLock<Flat>>,
    /// Machines that no call uses at the moment.
    idle: Pool<Machine>,
    /// See [`FramedVm::cost`].
    cost: Arc<AtomicU64>,
}

impl FramedVm {
    /// Prepares a program, and adds up the costs of its calls. A call that costs more than `limit` gives up at the next round of a
    /// loop.
    ///
    /// # Errors
    /// If the program breaks a rule of [`wir`].
    pub fn with_costs(program: &Program, limit: u64) -> Result<Self, String> {
        verify(program)?;
        Ok(Self { limit, ..Self::over(Arc::new(program.clone()), Costs::Added, TRIAL_BUDGET) })
    }

    /// For a program that is known to break no rule.
    pub(crate) fn over(program: Arc<Program>, costs: Costs, budget: u64) -> Self {
        let functions = program.functions.iter().map(|_| OnceLock::new()).collect();
        Self { program, costs, budget, limit: u64::MAX, functions, idle: Pool::default(), cost: Arc::default() }
    }

    /// The sum of what all calls would have cost in machine code so far, in tenths of a nanosecond, more or less.
    #[must_use]
    pub fn cost(&self) -> Arc<AtomicU64> {
        self.cost.clone()
    }

    fn function(&self, id: FnId) -> Option<&Flat> {
        let function = self.program.functions.get(id as usize)?;
        Some(self.functions.get(id as usize)?.get_or_init(|| Flat::of(function, self.costs)))
    }

    /// Runs a function: its result, 0 if it has none, and how many moves there are; what it took is added to `spent`. The state is
    /// written even if the call ends with a side exit, `None`.
    pub(crate) fn run(
        &self,
        function: FnId,
        state: &mut [u64],
        argument: u64,
        mut sink: Sink<'_>,
        spent: &mut Spent,
    ) -> Option<(u64, u64)> {
        if state.len() != self.program.state_words as usize {
            return None;
        }
        let mut machine = self.idle.take().unwrap_or_default();
        let result = machine.run(self, (function, argument), state, &mut sink, spent);
        self.idle.put(machine);
        Some((result?, sink.count()))
    }

    fn emit(&self, function: FnId, state: &[u64], sink: Sink<'_>) -> Result<u64, SideExit> {
        let mut spent = Spent::default();
        let found = self.run(function, &mut state.to_vec(), 0, sink, &mut spent);
        self.cost.fetch_add(spent.cost, Ordering::Relaxed);
        found.map(|(_, count)| count).ok_or(SideExit)
    }
}

impl Executor for FramedVm {
    fn name(&self) -> &'static str {
        "framed"
    }

    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        sink::list(moves, |sink| self.emit(function, state, sink))
    }

    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, SideExit> {
        self.emit(function, state, Sink::Tally(0))
    }

    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, SideExit> {
        sink::sets(runs, |sink| self.emit(function, state, sink))
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, SideExit> {
        let (mut next, mut spent) = (state.to_vec(), Spent::default());
        let found = self.run(function, &mut next, argument, Sink::Tally(0), &mut spent);
        self.cost.fetch_add(spent.cost, Ordering::Relaxed);
        let (result, _) = found.ok_or(SideExit)?;
        state.copy_from_slice(&next);
        Ok(result)
    }
}
