//! Runs reasoner programs as register bytecode.
//!
//! Each function is flattened when it is first called: structured code becomes jumps, common pairs of operations one
//! instruction, and registers slots of a small frame, where constants and small states already are. Everything runs in
//! safe code.

mod assign;
mod code;
mod flatten;
mod fuse;
mod pool;
mod ranges;
mod run;
mod sink;
mod uses;

use super::{Bailed, Executor, Run};
use crate::ir::calls::inlined;
use crate::ir::effects::Effects;
use crate::ir::verify::verify;
use crate::ir::{FnId, Function, Program};
use code::Compiled;
use pool::Pool;
use run::{Memory, run};
use sink::{List, Sets, Sink, Steps, Tally};
use std::sync::OnceLock;

/// Slots of frames on the stack, which have to be cleared.
const SMALL: usize = 16;
const MIDDLE: usize = 32;
const BIG: usize = 64;

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

/// The state of a call.
enum State<'s> {
    Read(&'s [u64]),
    Change(&'s mut [u64]),
}

impl State<'_> {
    fn words(&self) -> &[u64] {
        match self {
            State::Read(words) => words,
            State::Change(words) => words,
        }
    }
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
        let mut steps = Steps(0);
        self.enter(compiled, State::Read(state), argument, &mut steps).ok()?;
        Some(steps.0)
    }

    /// The bytecode of a function, for people.
    #[must_use]
    pub fn bytecode(&self, function: FnId) -> String {
        let Some(compiled) = self.compiled(function) else { return String::new() };
        let lines = compiled.code.iter().enumerate();
        let code: String = lines.map(|(index, code)| format!("{index:4}  {code:?}\n")).collect();
        format!("{} slots, constants {:x?}\n{code}", compiled.slots, compiled.constants)
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

    /// Runs a function with a frame.
    fn enter<S: Sink>(
        &self,
        compiled: &Compiled,
        state: State<'_>,
        argument: u64,
        sink: &mut S,
    ) -> Result<u64, Bailed> {
        let copies = compiled.state_at.is_none()
            && match &state {
                State::Read(_) => compiled.stores,
                State::Change(_) => compiled.copies,
            };
        let result = match compiled.slots {
            ..=SMALL if !copies => self.with_frame(compiled, &mut [0; SMALL], None, state, argument, sink),
            ..=MIDDLE if !copies => self.with_frame(compiled, &mut [0; MIDDLE], None, state, argument, sink),
            ..=BIG if !copies => self.with_frame(compiled, &mut [0; BIG], None, state, argument, sink),
            _ => self.pool.with(|scratch| {
                let (frame, copy) = scratch.parts()?;
                self.with_frame(compiled, frame, copies.then_some(copy), state, argument, sink)
            }),
        };
        result.ok_or(Bailed)
    }

    fn with_frame<S: Sink, const N: usize>(
        &self,
        compiled: &Compiled,
        frame: &mut [u64; N],
        copy: Option<&mut Vec<u64>>,
        mut state: State<'_>,
        argument: u64,
        sink: &mut S,
    ) -> Option<u64> {
        frame.get_mut(..compiled.constants.len())?.copy_from_slice(&compiled.constants);
        *frame.get_mut(compiled.argument_at)? = argument;
        let (tables, budget) = (self.tables.as_slice(), self.budget);
        if let Some(at) = compiled.state_at {
            let places = at..at + self.program.state_words as usize;
            frame.get_mut(places.clone())?.copy_from_slice(state.words());
            let result = run(compiled, Memory { tables, state: &[], own: &mut [], budget }, frame, sink)?;
            if let (State::Change(words), true) = (state, compiled.stores) {
                words.copy_from_slice(frame.get(places)?);
            }
            return Some(result);
        }
        if let Some(copy) = copy {
            copy.clear();
            copy.extend_from_slice(state.words());
            let result = run(compiled, Memory { tables, state: &[], own: copy, budget }, frame, sink)?;
            if let State::Change(words) = state {
                words.copy_from_slice(copy);
            }
            return Some(result);
        }
        let memory = match &mut state {
            State::Change(words) if compiled.stores => Memory { tables, state: &[], own: words, budget },
            State::Change(words) => Memory { tables, state: words, own: &mut [], budget },
            State::Read(words) => Memory { tables, state: words, own: &mut [], budget },
        };
        run(compiled, memory, frame, sink)
    }
}

fn compile(program: &Program, function: &Function, starts: &[u32]) -> Option<Compiled> {
    let effects = Effects::of(&function.body);
    let flat = flatten::flatten(program, function, starts, effects)?;
    let compiled = assign::assign(&flat, program.state_words)?;
    let results = function.body.yields.len();
    Some(Compiled {
        stores: effects.stores,
        // Nested loops may meet the budget, too.
        copies: effects.stores_before_bail || flat.counted && effects.stores,
        lists: function.params == 0 && results == 0,
        calls: function.params == 1 && results == 1 && !effects.emits,
        ..compiled
    })
}

impl Executor for Vm {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), Bailed> {
        moves.clear();
        let compiled = self.function(function, state, |compiled| compiled.lists)?;
        self.enter(compiled, State::Read(state), 0, &mut List(moves))?;
        Ok(())
    }

    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, Bailed> {
        let compiled = self.function(function, state, |compiled| compiled.lists)?;
        let mut tally = Tally(0);
        self.enter(compiled, State::Read(state), 0, &mut tally)?;
        Ok(tally.0)
    }

    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, Bailed> {
        runs.clear();
        let compiled = self.function(function, state, |compiled| compiled.lists)?;
        let mut sets = Sets(runs, 0);
        self.enter(compiled, State::Read(state), 0, &mut sets)?;
        Ok(sets.1)
    }

    fn instructions(&self, function: FnId, state: &[u64], argument: u64) -> Option<u64> {
        self.executed(function, state, argument)
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, Bailed> {
        let compiled = self.function(function, state, |compiled| compiled.calls)?;
        self.enter(compiled, State::Change(state), argument, &mut Tally(0))
    }
}
