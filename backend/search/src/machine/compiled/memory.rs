//! Calling compiled searches: all that the compiler cannot check.
#![expect(unsafe_code, reason = "the calls of compiled code")]

use super::checks::{NEW, UNKNOWN};
use super::known::AT_ONCE;
use super::translate::{EXHAUSTED, FOUND, HALTED, field};
use super::{Cell, Code};
use crate::machine::answers::{NOT_ASKED, Recall};
use crate::machine::{Goal, Halt, Machine, NO_TAG, STEPS_PER_MOVE, Shared};
use crate::program::Pc;
use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use engine::state::{Moves, Tag};
use rg_ir::NodeId;
use rg_ir::ids::Id;
use rustc_hash::FxHashMap;
use std::ffi::c_void;
use std::mem::{offset_of, transmute};
use std::sync::Mutex;

/// Entries of the trail and of the marks' trail for which there is room.
const TRAIL: usize = 1 << 15;
/// Choice points for which there is room.
const POINTS: usize = 1 << 14;
/// Tags for which there is room.
const TAGS: u64 = 1 << 12;
/// Checks inside each other for which there is room on the processor's own stack.
const MAX_DEPTH: u64 = 1_000;
/// Cells behind those of the state that code may read.
const SPARE: usize = 16;

/// `(context) -> status`.
type Search = unsafe extern "C" fn(*mut Context) -> i64;
/// `(context, argument) -> status`.
type Helper = unsafe extern "C" fn(*mut Context, u64) -> i64;

// Pairs on the trails are written by machine code.
const _: () = assert!(offset_of!((u32, u32), 0) == 0 && offset_of!((u32, u32), 1) == 4);
const _: () = assert!(NOT_ASKED as i64 == NEW);
const _: () = assert!(size_of::<(u32, u32)>() == 8 && size_of::<Tag>() == 4);

/// What machine code works on.
#[repr(C)]
struct Context {
    cells: *mut c_void,
    tables: *const c_void,
    marks: *mut u32,
    trail: *mut (u32, u32),
    trail_end: *mut (u32, u32),
    choices: *mut [u64; 4],
    choices_end: *mut [u64; 4],
    tags: *mut Tag,
    tags_end: *mut Tag,
    marked_first: *mut (u32, u32),
    marked: *mut (u32, u32),
    marked_end: *mut (u32, u32),
    scope: u64,
    last_scope: u64,
    fuel: i64,
    depth: u64,
    first: u64,
    node: u64,
    record: Helper,
    remember: Helper,
    forget: Helper,
    names: *const u32,
    recall: Helper,
    learn: Helper,
    /// From where tags are put to those that are wanted there, in bytes; 0 if all are.
    wanted: isize,
    unremembered: [u64; 2],
    /// Whole states that are remembered.
    hashed: u64,
    /// By check, its answer where the search began, if it is kept; [`NEW`] otherwise.
    kept: *const u8,
    /// Whether checks where the keeper hands over are taken to hold, and whether one was; 0 or 1.
    speculative: u64,
    speculated: u64,
    /// The `Session` with the right type of cells.
    session: *mut c_void,
}

const _: () = {
    assert!(offset_of!(Context, cells) == field::CELLS as usize);
    assert!(offset_of!(Context, tables) == field::TABLES as usize);
    assert!(offset_of!(Context, marks) == field::MARKS as usize);
    assert!(offset_of!(Context, trail) == field::TRAIL as usize);
    assert!(offset_of!(Context, trail_end) == field::TRAIL_END as usize);
    assert!(offset_of!(Context, choices) == field::CHOICES as usize);
    assert!(offset_of!(Context, choices_end) == field::CHOICES_END as usize);
    assert!(offset_of!(Context, tags) == field::TAGS as usize);
    assert!(offset_of!(Context, tags_end) == field::TAGS_END as usize);
    assert!(offset_of!(Context, marked_first) == field::MARKED_FIRST as usize);
    assert!(offset_of!(Context, marked) == field::MARKED as usize);
    assert!(offset_of!(Context, marked_end) == field::MARKED_END as usize);
    assert!(offset_of!(Context, scope) == field::SCOPE as usize);
    assert!(offset_of!(Context, last_scope) == field::LAST_SCOPE as usize);
    assert!(offset_of!(Context, fuel) == field::FUEL as usize);
    assert!(offset_of!(Context, depth) == field::DEPTH as usize);
    assert!(offset_of!(Context, first) == field::FIRST as usize);
    assert!(offset_of!(Context, node) == field::NODE as usize);
    assert!(offset_of!(Context, record) == field::RECORD as usize);
    assert!(offset_of!(Context, remember) == field::REMEMBER as usize);
    assert!(offset_of!(Context, forget) == field::FORGET as usize);
    assert!(offset_of!(Context, names) == field::NAMES as usize);
    assert!(offset_of!(Context, recall) == field::RECALL as usize);
    assert!(offset_of!(Context, learn) == field::LEARN as usize);
    assert!(offset_of!(Context, wanted) == field::WANTED as usize);
    assert!(offset_of!(Context, unremembered) == field::UNREMEMBERED as usize);
    assert!(offset_of!(Context, hashed) == field::HASHED as usize);
    assert!(offset_of!(Context, kept) == field::KEPT as usize);
    assert!(offset_of!(Context, speculative) == field::SPECULATIVE as usize);
    assert!(offset_of!(Context, speculated) == field::SPECULATED as usize);
};

/// What helpers work on.
struct Session<'a, W> {
    machine: &'a mut Machine<W>,
    shared: &'a Shared<W>,
    moves: &'a mut Moves,
    trail: *const (u32, u32),
    tags: *const Tag,
    halt: Option<Halt>,
}

/// Compiled functions by where they begin.
pub(super) struct Functions {
    code: FxHashMap<Pc, Entry>,
    /// Owns the memory of the code.
    module: Mutex<Option<JITModule>>,
}

/// A function with the signature of [`Search`].
#[derive(Clone, Copy)]
struct Entry(Search);

impl Functions {
    /// The functions of a module that has been finalised; its memory is freed with them, or at once if there are none.
    pub(super) fn new(module: JITModule, functions: Result<Vec<(Pc, FuncId)>, String>) -> Result<Self, String> {
        let mut made = Self { code: FxHashMap::default(), module: Mutex::new(None) };
        let result = functions.map(|functions| {
            for (entry, id) in functions {
                let code = module.get_finalized_function(id);
                // SAFETY: all functions of the module have this signature.
                made.code.insert(entry, Entry(unsafe { transmute::<*const u8, Search>(code) }));
            }
        });
        made.module = Mutex::new(Some(module));
        result.map(|()| made)
    }
}

impl Drop for Functions {
    fn drop(&mut self) {
        self.code.clear();
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

impl<W: Cell> Code<W> {
    /// Runs a search that was prepared, from an entry; `None` if it gave up. Writes are on the trail, to be undone, or
    /// left for [`Goal::First`] and [`Goal::Wanted`].
    pub(in crate::machine) fn search(
        &self,
        machine: &mut Machine<W>,
        shared: &Shared<W>,
        entry: Pc,
        goal: Goal,
        moves: &mut Moves,
    ) -> Option<Result<bool, Halt>> {
        let &Entry(function) = self.functions.code.get(&entry)?;
        if machine.cells.len() != self.most.len() || machine.marks.len() != shared.program.mark_cells as usize {
            return None;
        }
        // States may come from elsewhere: the proof of bounds begins with cells that are within them.
        for (cell, &most) in machine.cells.iter_mut().zip(&self.most) {
            *cell = (*cell).min(most);
        }
        machine.cells.reserve(SPARE);
        for spare in machine.cells.spare_capacity_mut().iter_mut().take(SPARE) {
            spare.write(W::default());
        }
        let tags = shared.limits.tags.min(TAGS) as usize;
        // The tag behind the wanted ones is compared at last, and no move has it.
        if goal == Goal::Wanted && (machine.wanted.last() != Some(&NO_TAG) || machine.wanted.len() > tags) {
            return None;
        }
        machine.trail.reserve(TRAIL);
        machine.mark_trail.reserve(TRAIL);
        machine.points.reserve(POINTS);
        machine.tags.reserve(tags);
        let (trail, points) = (machine.trail.as_mut_ptr(), machine.points.as_mut_ptr());
        let (marked, first_tag) = (machine.mark_trail.as_mut_ptr(), machine.tags.as_mut_ptr());
        // Where tags are wanted there is never room for others, so that all are compared.
        let (wanted, room) = match goal {
            Goal::Wanted => (machine.wanted.as_ptr().addr().wrapping_sub(first_tag.addr()) as isize, 0),
            Goal::All | Goal::Labels | Goal::First => (0, tags),
        };
        let mut context = Context {
            cells: machine.cells.as_mut_ptr().cast(),
            tables: shared.tables.as_ptr().cast(),
            marks: machine.marks.as_mut_ptr(),
            trail,
            // Code asks for several entries at once, and a scope is two. SAFETY (here and below): so much was reserved.
            trail_end: unsafe { trail.add(TRAIL - AT_ONCE as usize - 2) },
            choices: points,
            choices_end: unsafe { points.add(POINTS) },
            tags: first_tag,
            tags_end: unsafe { first_tag.add(room) },
            marked_first: marked,
            marked,
            marked_end: unsafe { marked.add(TRAIL) },
            scope: u64::from(machine.scope),
            last_scope: u64::from(machine.last_scope),
            fuel: i64::try_from(machine.allowed).unwrap_or(i64::MAX),
            depth: shared.limits.check_depth.min(MAX_DEPTH),
            first: u64::from(matches!(goal, Goal::First | Goal::Wanted)),
            node: 0,
            record: record::<W>,
            remember: remember::<W>,
            forget: forget::<W>,
            names: self.names.as_ptr(),
            recall: recall::<W>,
            learn: learn::<W>,
            wanted,
            unremembered: machine.unremembered,
            hashed: machine.hashed.len() as u64,
            kept: machine.kept.as_ptr(),
            speculative: u64::from(machine.speculative),
            speculated: 0,
            session: std::ptr::null_mut(),
        };
        let mut session = Session { machine, shared, moves, trail, tags: first_tag, halt: None };
        context.session = (&raw mut session).cast();
        // SAFETY: the function belongs to the program of `shared`, for which it is proved that cells stay within bounds;
        // the stacks are as long as the context says.
        let status = unsafe { function(&raw mut context) };
        // SAFETY: the code has written what is below the tops, all of it inside of what was reserved.
        unsafe {
            session.keep(&context);
            let marks = context.marked.offset_from(marked) as usize;
            session.machine.mark_trail.set_len(marks.min(TRAIL));
        }
        let machine = session.machine;
        machine.speculated = context.speculated != 0;
        machine.scope = saturated(context.scope);
        machine.last_scope = saturated(context.last_scope);
        match (status, session.halt) {
            (FOUND, _) => {
                machine.node = NodeId::from_index(context.node as usize);
                machine.reset_dead(shared, machine.node);
                Some(Ok(true))
            }
            (EXHAUSTED, _) => Some(Ok(false)),
            (HALTED, Some(halt)) => Some(Err(halt)),
            _ => None,
        }
    }
}

impl<W: Cell> Session<'_, W> {
    /// Takes over the lengths of the trail and of the tags.
    ///
    /// # Safety
    /// The code must have written what is below the tops.
    unsafe fn keep(&mut self, context: &Context) {
        // SAFETY: the tops point into the same buffers, which nobody has moved.
        unsafe {
            let (trail, tags) = (context.trail.offset_from(self.trail), context.tags.offset_from(self.tags));
            self.machine.trail.set_len((trail as usize).min(TRAIL));
            self.machine.tags.set_len((tags as usize).min(TAGS as usize));
        }
        self.machine.scope = saturated(context.scope);
    }
}

/// A scope as the machine has it: numbers that are too large make it begin anew.
fn saturated(scope: u64) -> u32 {
    u32::try_from(scope).unwrap_or(u32::MAX)
}

/// A move is complete.
unsafe extern "C" fn record<W: Cell>(context: *mut Context, node: u64) -> i64 {
    // SAFETY: the code passes the context that it was called with, whose session outlives the call and is used by nobody
    // else meanwhile.
    let (context, session) = unsafe { (&mut *context, &mut *(*context).session.cast::<Session<'_, W>>()) };
    // SAFETY: the tops of the stacks were put back before the call.
    unsafe { session.keep(context) };
    let before = session.moves.len();
    match session.machine.record(session.shared, NodeId::from_index(node as usize), session.moves) {
        Ok(()) => {
            if session.moves.len() > before {
                context.fuel = context.fuel.saturating_add(STEPS_PER_MOVE as i64);
            }
            0
        }
        Err(halt) => {
            session.halt = Some(halt);
            HALTED
        }
    }
}

/// Whether the whole state arrives at a mark for the first time.
unsafe extern "C" fn remember<W: Cell>(context: *mut Context, mark: u64) -> i64 {
    // SAFETY: as in `record`.
    let (context, session) = unsafe { (&mut *context, &mut *(*context).session.cast::<Session<'_, W>>()) };
    session.machine.scope = saturated(context.scope);
    let node = session.shared.program.marks.get(mark as usize).map(|site| site.node);
    let remembered = session.machine.remember(session.shared, mark as u32, node);
    context.hashed = session.machine.hashed.len() as u64;
    match remembered {
        Ok(new) => i64::from(new),
        Err(halt) => {
            session.halt = Some(halt);
            HALTED
        }
    }
}

/// A scope is left.
unsafe extern "C" fn forget<W: Cell>(context: *mut Context, _: u64) -> i64 {
    // SAFETY: as in `record`.
    let (context, session) = unsafe { (&mut *context, &mut *(*context).session.cast::<Session<'_, W>>()) };
    session.machine.scope = saturated(context.scope);
    session.machine.forget();
    context.hashed = session.machine.hashed.len() as u64;
    0
}

/// What is known of the answer of a check.
unsafe extern "C" fn recall<W: Cell>(context: *mut Context, check: u64) -> i64 {
    // SAFETY: as in `record`.
    let (context, session) = unsafe { (&mut *context, &mut *(*context).session.cast::<Session<'_, W>>()) };
    // SAFETY: as in `record`.
    unsafe { session.keep(context) };
    match session.machine.recall(session.shared, check as u32) {
        Recall::Known(found) => i64::from(found),
        Recall::New => NEW,
        Recall::Unknown => UNKNOWN,
    }
}

/// The answer of a check is kept, which is twice its number, and one more if it holds.
unsafe extern "C" fn learn<W: Cell>(context: *mut Context, answer: u64) -> i64 {
    // SAFETY: as in `record`.
    let (_, session) = unsafe { (&mut *context, &mut *(*context).session.cast::<Session<'_, W>>()) };
    session.machine.learn((answer / 2) as u32, answer % 2 == 1);
    0
}
