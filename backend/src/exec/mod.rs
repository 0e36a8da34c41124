//! What runs a reasoner program ([`crate::ir`]).

#[cfg(feature = "native")]
pub mod native;
#[cfg(feature = "native")]
mod switching;
mod vm;

#[cfg(feature = "native")]
pub use switching::Switching;
pub use vm::Vm;

use crate::ir::FnId;

/// The function gave its case back ([`crate::ir::Inst::Bail`]), or met a limit: the caller has to find the answer in
/// another way. The state is as before; what was put into buffers is to be forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bailed;

/// A set of moves: `base + (i << shift)` for each bit i of `set`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Run {
    /// The move without its last element.
    pub base: u64,
    /// The elements.
    pub set: u64,
    /// Where the element goes.
    pub shift: u64,
}

/// An engine for programs. The functions must exist and the state must have the program's number of words; otherwise the
/// answer is [`Bailed`].
pub trait Executor: Send + Sync {
    /// Name of the engine.
    fn name(&self) -> &'static str;

    /// Runs a function without parameters and results for the moves it emits, in order; `moves` is cleared first.
    ///
    /// # Errors
    /// [`Bailed`].
    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), Bailed>;

    /// As [`Executor::list`], only the number of moves.
    ///
    /// # Errors
    /// [`Bailed`].
    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, Bailed>;

    /// As [`Executor::list`], with the moves as sets; returns their number.
    ///
    /// # Errors
    /// [`Bailed`].
    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, Bailed>;

    /// Runs a function with one parameter and one result that changes the state and emits nothing.
    ///
    /// # Errors
    /// [`Bailed`].
    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, Bailed>;

    /// How many instructions a call takes, if the engine counts them and it does not bail.
    fn instructions(&self, _function: FnId, _state: &[u64], _argument: u64) -> Option<u64> {
        None
    }
}
