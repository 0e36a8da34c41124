//! Machine code in memory, and calling it: all that the compiler cannot check.
#![expect(unsafe_code, reason = "the calls of compiled code")]

use std::sync::Mutex;

use cranelift_jit::JITModule;
use cranelift_module::FuncId;

use super::emit::{AT_MOST, MOST_UNCHECKED};
use super::translate::{DONE, FULL};
use crate::exec::{Bailed, Run};

/// Moves or sets of moves in one answer.
const MOST: usize = 1 << 24;

/// `(state, buffer, its end, out) -> status`.
type Lister = unsafe extern "C" fn(*const u64, *mut u64, *mut u64, *mut [u64; 2]) -> i64;
/// `(state, out) -> status`.
type Counter = unsafe extern "C" fn(*const u64, *mut [u64; 2]) -> i64;
/// `(state, argument, out) -> status`.
type Caller = unsafe extern "C" fn(*mut u64, u64, *mut [u64; 2]) -> i64;

/// Which machine code belongs to a function.
#[derive(Clone, Copy)]
pub(super) enum Compiled {
    /// A function that emits moves.
    Emits {
        /// The three translations.
        list: FuncId,
        /// See `list`.
        count: FuncId,
        /// See `list`.
        runs: FuncId,
        /// Greatest numbers of moves and of sets of moves.
        most: [u64; 2],
        /// Whether it writes the state.
        stores: bool,
    },
    /// A function with an argument and a result.
    Calls(FuncId),
    /// Nothing that can be called.
    Nothing,
}

/// Machine code that can be called.
#[derive(Clone, Copy)]
enum Entry {
    Emits { list: Lister, count: Counter, runs: Lister, room: [usize; 2], stores: bool },
    Calls(Caller),
    Nothing,
}

/// The machine code of a program.
pub(super) struct Code {
    entries: Vec<Entry>,
    state_words: usize,
    /// Owns the memory.
    module: Mutex<Option<JITModule>>,
}

impl Code {
    /// The module must be finalised and hold what [`super::translate`] made of the functions for a state of so many
    /// words.
    pub(super) fn new(module: JITModule, compiled: &[Compiled], state_words: u32) -> Self {
        let entry = |compiled: &Compiled| match *compiled {
            Compiled::Emits { list, count, runs, most, stores } => {
                let [list, runs] = [list, runs].map(|id| {
                    let address = module.get_finalized_function(id);
                    // SAFETY: the address is the start of a function with this signature: `Sink::List` and `Sink::Runs`
                    // have four words as parameters and one as result, in the calling convention of the host's C.
                    unsafe { std::mem::transmute::<*const u8, Lister>(address) }
                });
                let address = module.get_finalized_function(count);
                // SAFETY: as above, with the two parameters of `Sink::Count`.
                let count = unsafe { std::mem::transmute::<*const u8, Counter>(address) };
                Entry::Emits { list, count, runs, room: most.map(room), stores }
            }
            Compiled::Calls(id) => {
                let address = module.get_finalized_function(id);
                // SAFETY: as above, with the three parameters of `Sink::Call`.
                Entry::Calls(unsafe { std::mem::transmute::<*const u8, Caller>(address) })
            }
            Compiled::Nothing => Entry::Nothing,
        };
        let entries = compiled.iter().map(entry).collect();
        Self { entries, state_words: state_words as usize, module: Mutex::new(Some(module)) }
    }

    fn entry(&self, function: u32, state: &[u64]) -> Result<Entry, Bailed> {
        if state.len() != self.state_words {
            return Err(Bailed);
        }
        self.entries.get(function as usize).copied().ok_or(Bailed)
    }

    /// See [`crate::exec::Executor::list`].
    pub(super) fn list(&self, function: u32, state: &[u64], moves: &mut Vec<u64>) -> Result<(), Bailed> {
        moves.clear();
        let Entry::Emits { list, room: [room, _], stores, .. } = self.entry(function, state)? else {
            return Err(Bailed);
        };
        // SAFETY: the code is there as long as `self` is, and the state has the number of words it was made for. A word
        // is valid for each bit pattern.
        let (length, _) = unsafe { fill(list, state, stores, moves, room)? };
        // SAFETY: `fill` says that so many are there.
        unsafe { moves.set_len(length) };
        Ok(())
    }

    /// See [`crate::exec::Executor::runs`].
    pub(super) fn runs(&self, function: u32, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, Bailed> {
        runs.clear();
        let Entry::Emits { runs: code, room: [_, room], stores, .. } = self.entry(function, state)? else {
            return Err(Bailed);
        };
        // SAFETY: as in `list`. A run is three words in the order in which the code writes them (`repr(C)`), valid for
        // each bit pattern.
        let (length, moves) = unsafe { fill(code, state, stores, runs, room)? };
        // SAFETY: `fill` says that so many are there.
        unsafe { runs.set_len(length) };
        Ok(moves)
    }

    /// See [`crate::exec::Executor::count`].
    pub(super) fn count(&self, function: u32, state: &[u64]) -> Result<u64, Bailed> {
        let Entry::Emits { count, stores, .. } = self.entry(function, state)? else {
            return Err(Bailed);
        };
        let mut out = [0; 2];
        let mut copy = Vec::new();
        let state = readable(state, stores, &mut copy);
        // SAFETY: the code is there as long as `self` is, and the state has the number of words it was made for. The code
        // writes only `out`, and the state only if `stores` says so: then it is a copy.
        let status = unsafe { count(state, &raw mut out) };
        if status == DONE { Ok(out[0]) } else { Err(Bailed) }
    }

    /// See [`crate::exec::Executor::call`].
    pub(super) fn call(&self, function: u32, state: &mut [u64], argument: u64) -> Result<u64, Bailed> {
        let Entry::Calls(code) = self.entry(function, state)? else {
            return Err(Bailed);
        };
        let mut out = [0; 2];
        // SAFETY: the code is there as long as `self` is, and the state has the number of words it was made for.
        let status = unsafe { code(state.as_mut_ptr(), argument, &raw mut out) };
        if status == DONE { Ok(out[0]) } else { Err(Bailed) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        self.entries.clear();
        let module = match self.module.get_mut() {
            Ok(module) => module.take(),
            Err(poisoned) => poisoned.into_inner().take(),
        };
        if let Some(module) = module {
            // SAFETY: the addresses never leave this module, calls borrow `self`, and nobody else does while it is
            // dropped: nothing runs or will run.
            unsafe { module.free_memory() };
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
        if items.capacity() < room {
            items.reserve(room);
        }
        copy.clear();
        let state = readable(state, stores, &mut copy);
        let buffer = items.spare_capacity_mut();
        let (start, places) = (buffer.as_mut_ptr(), buffer.len());
        let mut out = [0; 2];
        // SAFETY: the caller vouches for code and state. The buffer is empty and has at least `room` places: what the
        // function may emit at most and a few more, or else it looks before it writes. It writes the state only if
        // `stores` says so: then it is a copy.
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
