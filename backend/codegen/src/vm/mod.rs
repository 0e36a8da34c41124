//! Runs reasoner programs as register bytecode.
//!
//! Each function is flattened when it is first called: structured code becomes jumps, common groups of operations one
//! instruction, and registers slots of a frame. That begins with the state, where it is small, and the argument; at its end
//! are the constants of all functions. Everything runs in safe code.

mod assign;
mod code;
mod flatten;
mod fuse;
mod group;
mod jump;
mod play;
mod pool;
mod ranges;
mod run;
mod step;
mod unions;
mod uses;

use super::{BUDGET, Decisions, Executor, Pause, Play, Run, SideExit};
use crate::framed::{Costs, FramedVm, Spent};
use crate::sink::{self, Sink};
use assign::Assigned;
use code::Compiled;
use flatten::MAX_STATE_IN_FRAME;
use group::grouped;
use pool::Pool;
use run::{run, run_counted};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use step::{FIRST_CONSTANT, Frame, Memory, SLOTS};
use wir::calls::inlined;
use wir::effects::Effects;
use wir::verify::verify;
use wir::{FnId, Function, Program};

/// Registers that the functions may have together, with those that they call in their places.
const MAX_INLINED: u64 = 4_000_000;

/// The bytecode engine.
#[derive(Debug)]
pub struct Vm {
    /// Without calls, those of procedures excepted.
    program: Arc<Program>,
    /// Words of the state in the frame: all, or none if there are too many.
    in_frame: usize,
    /// By function that has been called; none for one that is too large.
    functions: Vec<OnceLock<Option<Compiled>>>,
    /// The entries of all tables, and by table where they begin.
    tables: Vec<u64>,
    starts: Vec<u32>,
    /// Constants have the slots from here on.
    top: AtomicUsize,
    budget: u64,
    pool: Pool,
    /// By function: whether it works on scratch memory, and runs with frames.
    has_frames: Vec<bool>,
    framed: FramedVm,
    /// The same, for those who count instructions.
    counting: OnceLock<FramedVm>,
}

impl Vm {
    /// Prepares a program.
    ///
    /// # Errors
    /// If the program breaks a rule of [`wir`], or its tables are too large.
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
        let in_frame = if program.state_words <= MAX_STATE_IN_FRAME { program.state_words as usize } else { 0 };
        let (top, pool) = (AtomicUsize::new(SLOTS), Pool::default());
        let has_frames = program.functions.iter().map(|function| Effects::of(&function.body).memory).collect();
        let program = Arc::new(program);
        let framed = FramedVm::over(program.clone(), Costs::Ignored, budget);
        Ok(Self {
            program,
            in_frame,
            functions,
            tables,
            starts,
            top,
            budget,
            pool,
            has_frames,
            framed,
            counting: OnceLock::new(),
        })
    }

    /// Number of bytecode instructions that a call executes, whatever the function is for: a measure that does not
    /// depend on the machine.
    #[must_use]
    pub fn executed(&self, function: FnId, state: &[u64], argument: u64) -> Option<u64> {
        if self.has_frames(function, state) {
            let counting = || FramedVm::over(self.program.clone(), Costs::Added, self.budget);
            let counting = self.counting.get_or_init(counting);
            let mut spent = Spent::default();
            counting.run(function, &mut state.to_vec(), argument, Sink::Tally(0), &mut spent)?;
            return Some(spent.steps);
        }
        let compiled = self.function(function, state, |_| true).ok()?;
        let mut count = 0;
        self.pool.with(|scratch| {
            let (frame, own) = scratch.of(function, compiled)?;
            self.put(frame, own, state)?;
            self.enter(compiled, frame, own, argument, Sink::Tally(0), Some(&mut count))
        })?;
        Some(count)
    }

    /// The bytecode of a function, for people.
    #[must_use]
    pub fn bytecode(&self, function: FnId) -> String {
        let found = self.program.functions.get(function as usize);
        let flat = found.and_then(|found| flatten::flatten(&self.program, found, &self.starts));
        let assigned = flat.and_then(|flat| assign::assign(&flat, self.in_frame, FIRST_CONSTANT));
        let Some(Assigned { code, constants, .. }) = assigned else { return String::new() };
        let lines = code.iter().enumerate();
        let code: String = lines.map(|(index, code)| format!("{index:4}  {code:?}\n")).collect();
        format!("constants {constants:x?} from slot {FIRST_CONSTANT} on\n{code}")
    }

    fn compiled(&self, function: FnId) -> Option<&Compiled> {
        let id = function as usize;
        let code = || self.compile(self.program.functions.get(id)?);
        self.functions.get(id)?.get_or_init(code).as_ref()
    }

    fn function(
        &self,
        function: FnId,
        state: &[u64],
        fits: impl FnOnce(&Compiled) -> bool,
    ) -> Result<&Compiled, SideExit> {
        let compiled = self.compiled(function).ok_or(SideExit)?;
        if state.len() == self.program.state_words as usize && fits(compiled) { Ok(compiled) } else { Err(SideExit) }
    }

    /// Runs a function: its result, and how many moves the sink has then. The state is where [`Vm::put`] put it, and the
    /// constants are in the frame.
    #[inline(always)]
    fn enter(
        &self,
        compiled: &Compiled,
        frame: &mut Frame,
        state: &mut Vec<u64>,
        argument: u64,
        sink: Sink<'_>,
        steps: Option<&mut u64>,
    ) -> Option<(u64, u64)> {
        *frame.get_mut(self.in_frame)? = argument;
        let (tables, targets) = (self.tables.as_slice(), compiled.targets.as_slice());
        let mut memory = Memory { tables, state, targets, sink, budget: self.budget, result: None };
        let result = match steps {
            None => run(&compiled.code, frame, &mut memory),
            Some(steps) => run_counted(&compiled.code, frame, &mut memory, steps),
        };
        Some((result?, memory.sink.count()))
    }

    /// Puts the state where functions work on it.
    #[inline(always)]
    fn put(&self, frame: &mut Frame, own: &mut Vec<u64>, state: &[u64]) -> Option<()> {
        if self.in_frame == state.len() {
            copy(frame.get_mut(..state.len())?, state);
        } else {
            own.clear();
            own.extend_from_slice(state);
        }
        Some(())
    }

    /// Takes what a function made of the state.
    #[inline(always)]
    fn take(&self, compiled: &Compiled, frame: &Frame, own: &[u64], state: &mut [u64]) -> Option<()> {
        if compiled.stores {
            copy(state, if self.in_frame == state.len() { frame.get(..state.len())? } else { own });
        }
        Some(())
    }

    /// Whether a function works on scratch memory, and the state has the right size.
    fn has_frames(&self, function: FnId, state: &[u64]) -> bool {
        state.len() == self.program.state_words as usize && self.has_frames.get(function as usize) == Some(&true)
    }

    /// Runs a function for its moves.
    fn emit(&self, function: FnId, state: &[u64], sink: Sink<'_>) -> Result<u64, SideExit> {
        if self.has_frames(function, state) {
            let found = self.framed.run(function, &mut state.to_vec(), 0, sink, &mut Spent::default());
            return found.map(|(_, count)| count).ok_or(SideExit);
        }
        let compiled = self.function(function, state, |compiled| compiled.lists_moves)?;
        let done = self.pool.with(|scratch| {
            let (frame, own) = scratch.of(function, compiled)?;
            self.put(frame, own, state)?;
            self.enter(compiled, frame, own, 0, sink, None)
        });
        done.map(|(_, count)| count).ok_or(SideExit)
    }

    /// Slots for so many constants that no other function has.
    fn reserve(&self, count: usize) -> Option<usize> {
        let next = |top: usize| top.checked_sub(count).filter(|&top| top >= FIRST_CONSTANT);
        self.top.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok().map(|top| top - count)
    }

    fn compile(&self, function: &Function) -> Option<Compiled> {
        if Effects::of(&function.body).memory {
            return None;
        }
        let flat = flatten::flatten(&self.program, function, &self.starts)?;
        let own = self.reserve(flat.constants.len());
        let mut assigned = assign::assign(&flat, self.in_frame, own.unwrap_or(FIRST_CONSTANT))?;
        let (results, effects) = (function.body.yields.len(), Effects::of(&function.body));
        Some(Compiled {
            code: grouped(&assigned.code, &mut assigned.targets)?,
            targets: assigned.targets,
            constants: assigned.constants,
            constants_at: assigned.constants_at,
            resident: own.is_some(),
            stores: effects.stores,
            lists_moves: function.params == 0 && results == 0,
            calls: function.params == 1 && results == 1 && !effects.emits,
        })
    }
}

/// Copies a state to one of the same size. Where it is small, a call would take longer than the copy.
#[inline(always)]
fn copy(to: &mut [u64], from: &[u64]) {
    match (to, from) {
        ([a], [x]) => *a = *x,
        ([a, b], [x, y]) => (*a, *b) = (*x, *y),
        ([a, b, c], [x, y, z]) => (*a, *b, *c) = (*x, *y, *z),
        ([a, b, c, d], [x, y, z, w]) => (*a, *b, *c, *d) = (*x, *y, *z, *w),
        (to, from) if to.len() == from.len() => to.copy_from_slice(from),
        _ => {}
    }
}

impl Executor for Vm {
    fn name(&self) -> &'static str {
        "interpreter"
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

    fn instructions(&self, function: FnId, state: &[u64], argument: u64) -> Option<u64> {
        self.executed(function, state, argument)
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, SideExit> {
        if self.has_frames(function, state) {
            return self.framed.call(function, state, argument);
        }
        let compiled = self.function(function, state, |compiled| compiled.calls)?;
        let done = self.pool.with(|scratch| {
            let (frame, own) = scratch.of(function, compiled)?;
            self.put(frame, own, state)?;
            let (result, _) = self.enter(compiled, frame, own, argument, Sink::Tally(0), None)?;
            self.take(compiled, frame, own, state)?;
            Some(result)
        });
        done.ok_or(SideExit)
    }

    fn plies(&self, game: &Decisions, play: &mut Play<'_>) -> Pause {
        self.pool.with(|scratch| self.plies_with(game, play, scratch))
    }
}
