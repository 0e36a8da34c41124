//! What a pass over programs is, and who may look on.

use wir::{FnId, Function, Program};

/// A transformation of programs. It keeps the rules of [`wir`], and what functions do.
pub struct Pass {
    /// Its name on the command line: words joined by `-`.
    pub name: &'static str,
    /// One line about it, beginning with a verb, without a full stop.
    pub summary: &'static str,
    pub(crate) run: Run,
}

/// What a pass works on.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// One function of a program, by itself: functions can be changed on several threads.
    Function(fn(&Program, &Function) -> Function),
    /// As that, and nothing but the function is needed. Returns whether something may have changed.
    InPlace(fn(&mut Function) -> bool),
    /// The program, since tables are added or functions agree on something. Returns the functions that other passes should
    /// go on with.
    Program(fn(&mut Program) -> Vec<FnId>),
}

/// Sees how a program changes.
pub trait Observer {
    /// Called after every run of a pass that changed a function.
    fn changed(&mut self, change: &Change<'_>);
}

/// Looks away.
impl Observer for () {
    fn changed(&mut self, _: &Change<'_>) {}
}

/// What a run of a pass has done to a function.
pub struct Change<'a> {
    /// The pass.
    pub pass: &'static Pass,
    /// The function before.
    pub before: &'a Function,
    /// The function after.
    pub after: &'a Function,
}
