//! Machine code in memory, and calling it: all that the compiler cannot check.
#![expect(unsafe_code, reason = "the calls of compiled code")]

use std::sync::{Mutex, OnceLock};

use super::compile::{Compiler, Input};
use super::emit::{AT_MOST, MOST_UNCHECKED};
use super::translate::{DONE, FULL, Sink};
use crate::exec::{Bailed, Run};
use crate::ir::FnId;

/// Moves or sets of moves in one answer.
const MOST: usize = 1 << 24;

/// `(state, buffer, its end, out) -> status`.
type Lister = unsafe extern "C" fn(*const u64, *mut u64, *mut u64, *mut [u64; 2]) -> i64;
/// `(state, out) -> status`.
type Counter = unsafe extern "C" fn(*const u64, *mut [u64; 2]) -> i64;
/// `(state, argument, out) -> status`.
type Caller = unsafe extern "C" fn(*mut u64, u64, *mut [u64; 2]) -> i64;

/// A function's code once it is needed; `None` if it cannot be compiled or there is no such way to call it.
#[derive(Default)]
struct Entry {
    list: OnceLock<Option<Lister>>,
    runs: OnceLock<Option<Lister>>,
    count: OnceLock<Option<Counter>>,
    call: OnceLock<Option<Caller>>,
    /// Free places that the lists of moves and of sets want to begin with.
    room: [usize; 2],
    /// Whether it writes the state.
    stores: bool,
}

/// A program and its machine code.
pub(super) struct Code {
    entries: Vec<Entry>,
    state_words: usize,
    input: Input,
    /// Owns the memory of the code.
    compiler: Mutex<Option<Compiler>>,
}

impl Code {
    pub(super) fn new(input: Input) -> Result<Self, String> {
        let entries = input.shapes.iter().map(|shape| Entry {
            room: [shape.moves, shape.runs].map(room),
            stores: shape.stores,
            ..Entry::default()
        });
        Ok(Self {
            entries: entries.collect(),
            state_words: input.program.state_words as usize,
            compiler: Mutex::new(Some(Compiler::new(&input)?)),
            input,
        })
    }

    pub(super) fn input(&self) -> &Input {
        &self.input
    }

    pub(super) fn compile_all(&self) -> Result<(), String> {
        for (id, entry) in (0..).zip(&self.entries) {
            for &sink in self.input.sinks(id) {
                let there = match sink {
                    Sink::List => entry.list.get_or_init(|| self.lister(id, sink)).is_some(),
                    Sink::Runs => entry.runs.get_or_init(|| self.lister(id, sink)).is_some(),
                    Sink::Count => entry.count.get_or_init(|| self.counter(id)).is_some(),
                    Sink::Call => entry.call.get_or_init(|| self.caller(id)).is_some(),
                };
                if !there {
                    return Err(format!("function {id} could not be compiled ({})", sink.name()));
                }
            }
        }
        Ok(())
    }

    /// Compiles a function; where it begins.
    #[cold]
    fn compile(&self, id: FnId, sink: Sink) -> Option<*const u8> {
        if !self.input.sinks(id).contains(&sink) {
            return None;
        }
        self.compiler.lock().ok()?.as_mut()?.compile(&self.input, id, sink).ok()
    }

    /// For `Sink::List` or `Sink::Runs`.
    fn lister(&self, id: FnId, sink: Sink) -> Option<Lister> {
        let address = self.compile(id, sink)?;
        // SAFETY: the address is the start of a function with this signature: these sinks have four words as parameters
        // and one as result, in the calling convention of the host's C.
        Some(unsafe { std::mem::transmute::<*const u8, Lister>(address) })
    }

    fn counter(&self, id: FnId) -> Option<Counter> {
        let address = self.compile(id, Sink::Count)?;
        // SAFETY: as above, with the two parameters of `Sink::Count`.
        Some(unsafe { std::mem::transmute::<*const u8, Counter>(address) })
    }

    fn caller(&self, id: FnId) -> Option<Caller> {
        let address = self.compile(id, Sink::Call)?;
        // SAFETY: as above, with the three parameters of `Sink::Call`.
        Some(unsafe { std::mem::transmute::<*const u8, Caller>(address) })
    }

    fn entry(&self, id: FnId, state: &[u64]) -> Result<&Entry, Bailed> {
        if state.len() == self.state_words { self.entries.get(id as usize).ok_or(Bailed) } else { Err(Bailed) }
    }

    /// See [`crate::exec::Executor::list`].
    pub(super) fn list(&self, id: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), Bailed> {
        moves.clear();
        let entry = self.entry(id, state)?;
        let code = entry.list.get_or_init(|| self.lister(id, Sink::List)).ok_or(Bailed)?;
        // SAFETY: the code is there as long as `self` is, and the state has the number of words it was made for. A word
        // is valid for each bit pattern.
        let (length, _) = unsafe { fill(code, state, entry.stores, moves, entry.room[0])? };
        // SAFETY: `fill` says that so many are there.
        unsafe { moves.set_len(length) };
        Ok(())
    }

    /// See [`crate::exec::Executor::runs`].
    pub(super) fn runs(&self, id: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, Bailed> {
        runs.clear();
        let entry = self.entry(id, state)?;
        let code = entry.runs.get_or_init(|| self.lister(id, Sink::Runs)).ok_or(Bailed)?;
        // SAFETY: as in `list`. A run is three words in the order in which the code writes them (`repr(C)`), valid for
        // each bit pattern.
        let (length, moves) = unsafe { fill(code, state, entry.stores, runs, entry.room[1])? };
        // SAFETY: `fill` says that so many are there.
        unsafe { runs.set_len(length) };
        Ok(moves)
    }

    /// See [`crate::exec::Executor::count`].
    pub(super) fn count(&self, id: FnId, state: &[u64]) -> Result<u64, Bailed> {
        let entry = self.entry(id, state)?;
        let code = entry.count.get_or_init(|| self.counter(id)).ok_or(Bailed)?;
        let mut out = [0; 2];
        let mut copy = Vec::new();
        let state = readable(state, entry.stores, &mut copy);
        // SAFETY: the code is there as long as `self` is, and the state has the number of words it was made for. The code
        // writes only `out`, and the state only if `stores` says so: then it is a copy.
        let status = unsafe { code(state, &raw mut out) };
        if status == DONE { Ok(out[0]) } else { Err(Bailed) }
    }

    /// See [`crate::exec::Executor::call`].
    pub(super) fn call(&self, id: FnId, state: &mut [u64], argument: u64) -> Result<u64, Bailed> {
        let entry = self.entry(id, state)?;
        let code = entry.call.get_or_init(|| self.caller(id)).ok_or(Bailed)?;
        let mut out = [0; 2];
        // SAFETY: the code is there as long as `self` is, and the state has the number of words it was made for.
        let status = unsafe { code(state.as_mut_ptr(), argument, &raw mut out) };
        if status == DONE { Ok(out[0]) } else { Err(Bailed) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        self.entries.clear();
        let compiler = match self.compiler.get_mut() {
            Ok(compiler) => compiler.take(),
            Err(poisoned) => poisoned.into_inner().take(),
        };
        if let Some(compiler) = compiler {
            // SAFETY: the addresses never leave this module, calls borrow `self`, and nobody else does while it is
            // dropped: nothing runs or will run.
            unsafe { compiler.into_module().free_memory() };
        }
    }
}

/// Free places that a function wants to begin with.
fn room(most: u64) -> usize {
    let most = if most <= MOST_UNCHECKED { most } else { 2 * AT_MOST };
    (most + AT_MOST) as usize
}

/// The state for a function that must not change it; a copy if it writes it nevertheless.
fn readable(state: &[u64], stores: bool, copy: &mut Vec<u64>) -> *const u64 {
    if stores {
        copy.clear();
        copy.extend_from_slice(state);
        copy.as_mut_ptr()
    } else {
        state.as_ptr()
    }
}

/// Lets a function write to a buffer that is empty, and grows it until everything has its place. Returns how many items
/// are written from its start on (its length is left for the caller to set), and the second word of `out`.
///
/// # Safety
/// `code` must be callable with this state. Items must consist of initialised words, as many as the code writes for each.
unsafe fn fill<T>(
    code: Lister,
    state: &[u64],
    stores: bool,
    items: &mut Vec<T>,
    room: usize,
) -> Result<(usize, u64), Bailed> {
    let mut room = room;
    let mut copy = Vec::new();
    loop {
        items.reserve(room);
        let state = readable(state, stores, &mut copy);
        let buffer = items.spare_capacity_mut();
        let (start, places) = (buffer.as_mut_ptr(), buffer.len());
        let mut out = [0; 2];
        // SAFETY: the caller vouches for code and state. The buffer has at least `room` places: what the function may
        // emit at most and a few more, or else it looks before it writes. It writes the state only if `stores` says so:
        // then it is a copy.
        let status = unsafe { code(state, start.cast(), start.add(places).cast(), &raw mut out) };
        match status {
            DONE => {
                let length = (out[0] as usize).wrapping_sub(start as usize) / size_of::<T>();
                return Ok((length.min(places), out[1]));
            }
            FULL if places < MOST => room = places.saturating_mul(2),
            _ => return Err(Bailed),
        }
    }
}
