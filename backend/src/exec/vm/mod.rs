//! Runs reasoner programs as register bytecode.
//!
//! Each function is flattened when it is first called: structured code becomes jumps, common pairs of operations one
//! instruction, and registers slots of a small frame, where constants and small states already are. Everything runs in
//! safe code.

mod assign;
mod code;
mod flatten;
mod fuse;
mod group;
mod jump;
mod pool;
mod ranges;
mod run;
mod sink;
mod step;
mod uses;

use super::{Bailed, Executor, Run};
use crate::ir::calls::inlined;
use crate::ir::effects::Effects;
use crate::ir::verify::verify;
use crate::ir::{FnId, Function, Program};
use assign::Assigned;
use code::Compiled;
use group::grouped;
use pool::{Pool, Scratch};
use run::{run, run_counted};
use sink::Sink;
use std::sync::OnceLock;
use step::Memory;

/// Registers that the functions may have together, with those that they call in their places.
const MAX_INLINED: u64 = 4_000_000;

/// Rounds of loops after which a call gives up.
const BUDGET: u64 = 100_000_000;

/// The bytecode engine.
#[derive(Debug)]
pub struct Vm {
    /// Without calls.
    program: Program,
    /// By function that has been called; none for one that is too large.
    functions: Vec<OnceLock<Option<Compiled>>>,
    /// The entries of all tables, and by table where they begin.
    tables: Vec<u64>,
    starts: Vec<u32>,
    budget: u64,
    pool: Pool,
}

impl Vm {
    /// Prepares a program.
    ///
    /// # Errors
    /// If the program breaks a rule of [`crate::ir`], or its tables are too large.
    pub fn new(program: &Program) -> Result<Self, String> {
        Self::with_budget(program, BUDGET)
    }

    /// As [`Vm::new`], with the number of rounds of loops after which a call gives up. Loops that are known to be short
    /// are not counted.
    ///
    /// # Errors
    /// As for [`Vm::new`].
    pub fn with_budget(program: &Program, budget: u64) -> Result<Self, String> {
        verify(program)?;
        let program = inlined(program, MAX_INLINED)?.into_owned();
        let (mut starts, mut tables) = (Vec::new(), Vec::new());
        for table in &program.tables {
            starts.push(u32::try_from(tables.len()).map_err(|_| "the tables are too large")?);
            u32::try_from(table.entries.len()).map_err(|_| "a table is too large")?;
            tables.extend_from_slice(&table.entries);
        }
        let functions = program.functions.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { program, functions, tables, starts, budget, pool: Pool::default() })
    }

    /// Number of bytecode instructions that a call executes, whatever the function is for: a measure that does not
    /// depend on the machine.
    #[must_use]
    pub fn executed(&self, function: FnId, state: &[u64], argument: u64) -> Option<u64> {
        let compiled = self.function(function, state, |_| true).ok()?;
        let mut count = 0;
        self.pool.with(|scratch| self.enter(compiled, scratch, state, argument, Sink::Tally(0), Some(&mut count)))?;
        Some(count)
    }

    /// The bytecode of a function, for people.
    #[must_use]
    pub fn bytecode(&self, function: FnId) -> String {
        let found = self.program.functions.get(function as usize);
        let found = found.and_then(|found| assigned(&self.program, found, &self.starts));
        let Some((Assigned { code, constants, slots, .. }, _)) = found else { return String::new() };
        let lines = code.iter().enumerate();
        let code: String = lines.map(|(index, code)| format!("{index:4}  {code:?}\n")).collect();
        format!("{slots} slots, constants {constants:x?}\n{code}")
    }

    fn compiled(&self, function: FnId) -> Option<&Compiled> {
        let id = function as usize;
        let code = || compile(&self.program, self.program.functions.get(id)?, &self.starts);
        self.functions.get(id)?.get_or_init(code).as_ref()
    }

    fn function(
        &self,
        function: FnId,
        state: &[u64],
        fits: impl FnOnce(&Compiled) -> bool,
    ) -> Result<&Compiled, Bailed> {
        let compiled = self.compiled(function).ok_or(Bailed)?;
        if state.len() == self.program.state_words as usize && fits(compiled) { Ok(compiled) } else { Err(Bailed) }
    }

    /// Runs a function: its result, and how many moves the sink has then. What it makes of the state is in the memory.
    fn enter(
        &self,
        compiled: &Compiled,
        scratch: &mut Scratch,
        state: &[u64],
        argument: u64,
        sink: Sink<'_>,
        steps: Option<&mut u64>,
    ) -> Option<(u64, u64)> {
        let (frame, own) = scratch.parts()?;
        frame.get_mut(..compiled.constants.len())?.copy_from_slice(&compiled.constants);
        *frame.get_mut(compiled.argument_at)? = argument;
        if let Some(at) = compiled.state_at {
            own.clear();
            frame.get_mut(at..at + state.len())?.copy_from_slice(state);
        } else {
            own.clear();
            own.extend_from_slice(state);
        }
        let (tables, targets) = (self.tables.as_slice(), compiled.targets.as_slice());
        let mut memory = Memory { tables, state: own, targets, sink, budget: self.budget, result: None };
        let result = match steps {
            None => run(&compiled.code, frame, &mut memory),
            Some(steps) => run_counted(&compiled.code, frame, &mut memory, steps),
        };
        Some((result?, memory.sink.count()))
    }

    /// Runs a function for its moves.
    fn emit(&self, function: FnId, state: &[u64], sink: Sink<'_>) -> Result<u64, Bailed> {
        let compiled = self.function(function, state, |compiled| compiled.lists)?;
        let done = self.pool.with(|scratch| self.enter(compiled, scratch, state, 0, sink, None));
        done.map(|(_, count)| count).ok_or(Bailed)
    }

    /// Runs a function that changes the state.
    fn change(&self, function: FnId, scratch: &mut Scratch, state: &mut [u64], argument: u64) -> Result<u64, Bailed> {
        let compiled = self.function(function, state, |compiled| compiled.calls)?;
        let done = self.enter(compiled, scratch, state, argument, Sink::Tally(0), None);
        let (result, _) = done.ok_or(Bailed)?;
        if compiled.stores {
            let (frame, own) = scratch.parts().ok_or(Bailed)?;
            let after = match compiled.state_at {
                Some(at) => frame.get(at..at + state.len()).ok_or(Bailed)?,
                None => own,
            };
            state.copy_from_slice(after);
        }
        Ok(result)
    }
}

/// The instructions of a function one by one, and whether it changes the state.
fn assigned(program: &Program, function: &Function, starts: &[u32]) -> Option<(Assigned, Effects)> {
    let effects = Effects::of(&function.body);
    let flat = flatten::flatten(program, function, starts)?;
    Some((assign::assign(&flat, program.state_words)?, effects))
}

fn compile(program: &Program, function: &Function, starts: &[u32]) -> Option<Compiled> {
    let (mut assigned, effects) = assigned(program, function, starts)?;
    let results = function.body.yields.len();
    Some(Compiled {
        code: grouped(&assigned.code, &mut assigned.targets)?,
        targets: assigned.targets,
        constants: assigned.constants,
        state_at: assigned.state_at,
        argument_at: assigned.argument_at,
        stores: effects.stores,
        lists: function.params == 0 && results == 0,
        calls: function.params == 1 && results == 1 && !effects.emits,
    })
}

impl Executor for Vm {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), Bailed> {
        moves.clear();
        self.emit(function, state, Sink::List(moves)).map(|_| ())
    }

    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, Bailed> {
        self.emit(function, state, Sink::Tally(0))
    }

    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, Bailed> {
        runs.clear();
        self.emit(function, state, Sink::Sets(runs, 0))
    }

    fn instructions(&self, function: FnId, state: &[u64], argument: u64) -> Option<u64> {
        self.executed(function, state, argument)
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, Bailed> {
        self.pool.with(|scratch| self.change(function, scratch, state, argument))
    }
}
