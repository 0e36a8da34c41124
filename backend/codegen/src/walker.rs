//! Runs programs as they are written, and adds up what their instructions would cost in machine code: ready at once, slow.

use crate::vm::{BUDGET, Sink, Walk};
use crate::{Executor, Run, SideExit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use wir::verify::verify;
use wir::{FnId, Program};

/// See the module.
#[derive(Debug)]
pub struct Walker {
    program: Arc<Program>,
    /// Rounds of loops after which a call gives up.
    budget: u64,
    /// Scratch memory that no call uses at the moment.
    scratch: Mutex<Vec<Vec<u64>>>,
    /// See [`Walker::cost`].
    cost: Arc<AtomicU64>,
}

impl Walker {
    /// Prepares a program.
    ///
    /// # Errors
    /// If the program breaks a rule of [`wir`].
    pub fn new(program: &Program) -> Result<Self, String> {
        verify(program)?;
        Ok(Self::over(Arc::new(program.clone()), BUDGET))
    }

    /// For a program that is known to break no rule.
    pub(crate) fn over(program: Arc<Program>, budget: u64) -> Self {
        Self { program, budget, scratch: Mutex::default(), cost: Arc::default() }
    }

    /// The sum of what all calls would have cost in machine code so far, in tenths of a nanosecond, more or less.
    #[must_use]
    pub fn cost(&self) -> Arc<AtomicU64> {
        self.cost.clone()
    }

    /// Runs a function: its result, 0 if it has none, and how many moves there are. The state is written even if the call ends with
    /// a side exit, `None`.
    pub(crate) fn run(
        &self,
        function: FnId,
        state: &mut [u64],
        arguments: &[u64],
        sink: Sink<'_>,
    ) -> Option<(u64, u64)> {
        if state.len() != self.program.state_words as usize {
            return None;
        }
        let scratch = self.scratch.lock().ok().and_then(|mut idle| idle.pop()).unwrap_or_default();
        let mut walk = Walk::new(&self.program, state, scratch, sink, self.budget);
        let found = walk.run(function, arguments);
        self.cost.fetch_add(walk.cost, Ordering::Relaxed);
        let scratch = walk.scratch;
        if let Ok(mut idle) = self.scratch.lock() {
            idle.push(scratch);
        }
        found
    }

    fn emit(&self, function: FnId, state: &[u64], sink: Sink<'_>) -> Result<u64, SideExit> {
        self.run(function, &mut state.to_vec(), &[], sink).map(|(_, count)| count).ok_or(SideExit)
    }
}

impl Executor for Walker {
    fn name(&self) -> &'static str {
        "walker"
    }

    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        let count = self.emit(function, state, Sink::List(moves, 0));
        moves.truncate(count.unwrap_or(0) as usize);
        count.map(|_| ())
    }

    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, SideExit> {
        self.emit(function, state, Sink::Tally(0))
    }

    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, SideExit> {
        runs.clear();
        self.emit(function, state, Sink::Sets(runs, 0))
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, SideExit> {
        let mut next = state.to_vec();
        let (result, _) = self.run(function, &mut next, &[argument], Sink::Tally(0)).ok_or(SideExit)?;
        state.copy_from_slice(&next);
        Ok(result)
    }
}
