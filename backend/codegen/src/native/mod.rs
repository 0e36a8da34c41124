//! The engine that compiles to machine code, by Cranelift.
//!
//! Functions that emit moves are compiled to list them, to count them or to keep them as sets. All functions are checked
//! in the beginning, and each is compiled when it is first called in its way.

mod called;
mod compile;
mod emit;
mod guard;
mod known;
mod memory;
mod ops;
mod plays;
mod scratch;
mod shape;
mod tables;
mod translate;
mod weights;
mod wide;
mod written;

use std::fmt::Write;

pub(crate) use self::called::Called;
use self::compile::Input;
pub use self::compile::{Allocation, host};
use self::memory::Code;
pub(crate) use self::translate::Sink;
use self::wide::wide;
use crate::{Decisions, Executor, Pause, Play, Run, SideExit};
use wir::profile::Profile;
use wir::{FnId, Program};

/// Plies that are played before whole plays become one function: what takes less is over before that is ready.
const SURVEYED: u64 = 2_000;

/// A program as machine code.
pub struct Native {
    code: Code,
}

impl Native {
    /// Takes a program.
    ///
    /// # Errors
    /// An invalid program, one that is too big, or a host for which there is no code.
    pub fn new(program: &Program) -> Result<Self, String> {
        Self::with_patience(program, SURVEYED)
    }

    /// As [`Native::new`], but plays become one function after so many plies, or a few thousand.
    ///
    /// # Errors
    /// As for [`Native::new`].
    pub fn with_patience(program: &Program, plies: u64) -> Result<Self, String> {
        Self::with_profile(program, plies, None)
    }

    /// As [`Native::with_patience`], with what plays are like, which makes the code faster and changes nothing else.
    ///
    /// # Errors
    /// As for [`Native::new`]; a profile that does not fit the program ([`Profile::fits`]).
    pub fn with_profile(program: &Program, plies: u64, profile: Option<Profile>) -> Result<Self, String> {
        let input = Input::new(program, wide().is_some(), profile, Allocation::Backtracking)?;
        Ok(Self { code: Code::new(input, plies.min(SURVEYED))? })
    }

    /// As [`Native::with_patience`], without functions for which only some processors have the instructions.
    ///
    /// # Errors
    /// As for [`Native::new`].
    pub fn plain(program: &Program, plies: u64) -> Result<Self, String> {
        let input = Input::new(program, false, None, Allocation::Backtracking)?;
        Ok(Self { code: Code::new(input, plies.min(SURVEYED))? })
    }

    /// As [`Native::new`], for code that is ready soon and not as fast, with no function for whole plays ([`Allocation::SinglePass`]).
    ///
    /// # Errors
    /// As for [`Native::new`].
    pub fn quick(program: &Program) -> Result<Self, String> {
        let input = Input::new(program, wide().is_some(), None, Allocation::SinglePass)?;
        Ok(Self { code: Code::new(input, u64::MAX)? })
    }

    /// Compiles what can be called and has not been compiled, so that no call has to wait for that.
    ///
    /// # Errors
    /// What the compiler does not want; a function that was not compiled takes a side exit.
    pub fn compile_all(&self) -> Result<(), String> {
        self.code.compile_where(|_, _| true)
    }

    /// As [`Native::compile_all`], for what has been called in some way.
    ///
    /// # Errors
    /// As for [`Native::compile_all`].
    pub(crate) fn compile_called(&self, called: &Called) -> Result<(), String> {
        self.code.compile_where(|id, sink| called.has(id, sink))
    }

    /// What Cranelift gets for a function, as text.
    #[must_use]
    pub fn clif(&self, function: FnId) -> String {
        self.texts(function, Input::clif)
    }

    /// Machine code of a function, as text.
    #[must_use]
    pub fn asm(&self, function: FnId) -> String {
        self.texts(function, Input::asm)
    }

    fn texts(&self, function: FnId, render: fn(&Input, FnId, Sink) -> Result<String, String>) -> String {
        let input = self.code.input();
        let name = input.program.functions.get(function as usize).map(|function| function.name.as_str());
        let mut text = String::new();
        let inner: &[Sink] = if input.is_called(function) { &[Sink::Inner] } else { &[] };
        for &sink in input.sinks(function).iter().chain(inner) {
            let rendered = render(input, function, sink).unwrap_or_else(|error| format!("; {error}"));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "; {} of {}\n{}", sink.name(), name.unwrap_or_default(), rendered.trim_end());
        }
        text
    }
}

impl Executor for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        self.code.with_stack(|| self.code.list(function, state, moves))
    }

    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, SideExit> {
        self.code.with_stack(|| self.code.count(function, state))
    }

    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, SideExit> {
        self.code.with_stack(|| self.code.runs(function, state, runs))
    }

    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, SideExit> {
        self.code.with_stack(|| self.code.call(function, state, argument))
    }

    fn plies(&self, game: &Decisions, play: &mut Play<'_>) -> Pause {
        self.code.with_stack(|| self.code.plies(game, play))
    }
}
