//! Machine code in memory, and calling it: all that the compiler cannot check.
#![expect(unsafe_code, reason = "the calls of compiled code")]

use std::mem::{offset_of, transmute};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, OnceLock};

use super::compile::{Compiler, Input};
use super::emit::{AT_MOST, MOST_UNCHECKED};
use super::guard;
use super::plays::{CHOSEN, OVER, field};
use super::scratch::{self, Scratch};
use super::translate::{BAILED, DONE, FULL, Sink};
use crate::{Decisions, Pause, Play, Run, SideExit, Speculation, Tally};
use engine::Rng;
use wir::FnId;

/// Moves or sets of moves in one answer.
const MOST: usize = 1 << 24;

/// How much stack searches want to have, and how much more there is made where there is less.
const RED_ZONE: usize = 1 << 20;
const GROWN: usize = 8 << 20;

/// Moves that plays have room for.
const LISTED: usize = 1 << 10;

/// Decisions whose code a play keeps at hand.
const MET: usize = 8;

/// What functions are given besides: two words that they write, and where scratch memory begins.
type Out = [u64; 3];

/// `(state, buffer, its end, out) -> status`.
type Lister = unsafe extern "C" fn(*const u64, *mut u64, *mut u64, *mut Out) -> i64;
/// `(state, out) -> status`.
type Counter = unsafe extern "C" fn(*const u64, *mut Out) -> i64;
/// `(state, argument, out) -> status`.
type Caller = unsafe extern "C" fn(*mut u64, u64, *mut Out) -> i64;

/// `(state, buffer, what else there is) -> why it ends`.
type PlayOn = unsafe extern "C" fn(*mut u64, *mut u64, *mut Playing) -> i64;

/// What plays need besides the state and a buffer.
#[repr(C)]
struct Playing {
    rng: [u64; 4],
    rest: u64,
    limit: u64,
    choices: u64,
    most: u64,
    chosen: u64,
    start: *const u64,
    ends: *mut u64,
    left: u64,
    room: *mut u64,
    speculative: u64,
    chance: u64,
    scratch: u64,
}

const _: () = {
    assert!(offset_of!(Playing, rng) == field::RNG as usize);
    assert!(offset_of!(Playing, rest) == field::REST as usize);
    assert!(offset_of!(Playing, limit) == field::LIMIT as usize);
    assert!(offset_of!(Playing, choices) == field::CHOICES as usize);
    assert!(offset_of!(Playing, most) == field::MOST as usize);
    assert!(offset_of!(Playing, chosen) == field::CHOSEN as usize);
    assert!(offset_of!(Playing, start) == field::START as usize);
    assert!(offset_of!(Playing, ends) == field::ENDS as usize);
    assert!(offset_of!(Playing, left) == field::LEFT as usize);
    assert!(offset_of!(Playing, room) == field::ROOM as usize);
    assert!(offset_of!(Playing, speculative) == field::SPECULATIVE as usize);
    assert!(offset_of!(Playing, chance) == field::CHANCE as usize);
    assert!(offset_of!(Playing, scratch) == field::SCRATCH as usize);
};

/// What plays are like.
#[derive(Clone, Default)]
pub(super) struct Survey {
    plies: u64,
    /// By number of the decision, how often it was made, and between how many moves altogether.
    decisions: [(u64, u64); MET],
}

impl Survey {
    fn add(&mut self, number: usize, moves: u64) {
        self.plies += 1;
        if let Some((plies, all)) = self.decisions.get_mut(number) {
            *plies += 1;
            *all += moves;
        }
    }

    fn join(&mut self, other: &Self) {
        self.plies += other.plies;
        for (mine, other) in self.decisions.iter_mut().zip(&other.decisions) {
            mine.0 += other.0;
            mine.1 += other.1;
        }
    }

    /// The mean number of moves of a decision, 0 if it was not looked at; `None` if nothing was.
    pub(super) fn moves(&self, number: usize) -> Option<f64> {
        let looked = self.decisions.get(number).filter(|(plies, _)| *plies > 0);
        (self.plies > 0).then(|| looked.map_or(0.0, |&(plies, all)| all as f64 / plies as f64))
    }
}

/// Whole plays as one function.
struct CompiledPlays {
    /// The decisions for which it is made.
    game: Decisions,
    code: PlayOn,
    /// Places that the buffer must have.
    room: usize,
}

impl CompiledPlays {
    /// Plays until something else has to go on; the states have the number of words for which the code was made, and some
    /// play is left.
    fn go_on(&self, play: &mut Play<'_>, memory: &mut Scratch) -> Pause {
        play.moves.clear();
        play.moves.reserve(self.room + guard::WORDS);
        let end = play.state.len() + 1;
        let all = usize::from(play.left) * end;
        play.ends.reserve(all + guard::WORDS);
        let Tally { plies, limit, chance, choices, most } = *play.tally;
        // SAFETY: the end of the vector.
        let ends = unsafe { play.ends.as_mut_ptr().add(play.ends.len()) };
        let (rng, start) = (play.rng.words(), play.start.as_ptr());
        let (left, rest) = (u64::from(play.left), limit.saturating_sub(plies));
        // SAFETY: the end of the buffer, or as much before it as is wanted.
        let room = unsafe { play.moves.as_mut_ptr().add(guard::places(play.moves.capacity(), self.room)) };
        // SAFETY: as many words more were reserved behind each of them.
        unsafe {
            guard::mark(room);
            guard::mark(ends.add(all));
        }
        let (chosen, speculative, scratch) = (0, 0, memory.address());
        let mut playing =
            Playing { rng, rest, limit, choices, most, chosen, start, ends, left, room, speculative, chance, scratch };
        // SAFETY: the code has this signature and is there as long as what owns `self`. It was made for states of so many
        // words, as its caller sees to, writes at most `self.room` moves unless it looks where the buffer ends, and reads only
        // those. For each play of `left` that is over it writes the words of the state and one more.
        let status = unsafe { (self.code)(play.state.as_mut_ptr(), play.moves.as_mut_ptr(), &raw mut playing) };
        // SAFETY: they were marked.
        unsafe {
            guard::check(room);
            guard::check(ends.add(all));
        }
        let Playing { rng, rest, limit, choices, most, chosen, left, chance, .. } = playing;
        let plies = limit.saturating_sub(rest);
        let over = usize::from(play.left).saturating_sub(left as usize);
        // SAFETY: so many words were reserved and have been written.
        unsafe { play.ends.set_len(play.ends.len() + over * end) };
        play.left = left as u16;
        *play.rng = Rng::from_words(rng);
        *play.tally = Tally { plies, limit, chance, choices, most };
        match status {
            OVER => Pause::Over,
            CHOSEN => Pause::Chosen(chosen),
            _ => Pause::Asked,
        }
    }
}

/// Where the code of a function is, for each way to call it; null until it is needed, then the code or a function that
/// takes a side exit. It fills a cache line.
#[derive(Default)]
#[repr(align(64))]
struct Entry {
    list: AtomicPtr<u8>,
    runs: AtomicPtr<u8>,
    count: AtomicPtr<u8>,
    call: AtomicPtr<u8>,
    /// Free places that the lists of moves and of sets want to begin with.
    room: [u32; 2],
    /// Whether it writes the state.
    stores: bool,
}

impl Entry {
    fn slot(&self, sink: Sink) -> &AtomicPtr<u8> {
        match sink {
            Sink::List => &self.list,
            Sink::Runs => &self.runs,
            Sink::Count => &self.count,
            Sink::Call | Sink::Inner => &self.call,
        }
    }
}

extern "C" fn no_lister(_: *const u64, _: *mut u64, _: *mut u64, _: *mut Out) -> i64 {
    BAILED
}

extern "C" fn no_counter(_: *const u64, _: *mut Out) -> i64 {
    BAILED
}

extern "C" fn no_caller(_: *mut u64, _: u64, _: *mut Out) -> i64 {
    BAILED
}

/// What stands for a function that cannot be compiled, or not be called in this way.
fn no_code(sink: Sink) -> *const u8 {
    match sink {
        Sink::List | Sink::Runs => no_lister as Lister as *const u8,
        Sink::Count => no_counter as Counter as *const u8,
        Sink::Call | Sink::Inner => no_caller as Caller as *const u8,
    }
}

/// A program and its machine code.
pub(super) struct Code {
    entries: Vec<Entry>,
    state_words: usize,
    /// Words of scratch memory, and whose they are.
    scratch_words: usize,
    owner: u64,
    input: Input,
    /// Whole plays, once so many plies have been played; `None` if they have no form as one function.
    plays: OnceLock<Option<CompiledPlays>>,
    /// Plies that are played before.
    patience: u64,
    survey: Mutex<Survey>,
    /// Owns the memory of the code.
    compiler: Mutex<Option<Compiler>>,
}

impl Code {
    pub(super) fn new(input: Input, patience: u64) -> Result<Self, String> {
        let entries = input.shapes.iter().map(|shape| Entry {
            room: [shape.moves, shape.runs].map(room),
            stores: shape.stores,
            ..Entry::default()
        });
        Ok(Self {
            entries: entries.collect(),
            state_words: input.program.state_words as usize,
            scratch_words: input.program.scratch_words as usize,
            owner: scratch::owner(),
            plays: OnceLock::new(),
            patience,
            survey: Mutex::default(),
            compiler: Mutex::new(Some(Compiler::new(&input)?)),
            input,
        })
    }

    pub(super) fn input(&self) -> &Input {
        &self.input
    }

    /// Compiles the functions for the sinks that are wanted.
    pub(super) fn compile_where(&self, wanted: impl Fn(FnId, Sink) -> bool) -> Result<(), String> {
        for (id, entry) in (0..).zip(&self.entries) {
            for &sink in self.input.sinks(id).iter().filter(|&&sink| wanted(id, sink)) {
                self.code(entry, id, sink);
            }
        }
        let compiler = self.compiler.lock().map_err(|error| error.to_string())?;
        let failed = compiler.as_ref().and_then(|compiler| compiler.failed.clone());
        failed.map_or(Ok(()), Err)
    }

    /// Where the code of a function begins. There is one with the signature that belongs to `sink`: [`Lister`] for lists
    /// and sets, [`Counter`], [`Caller`].
    fn code(&self, entry: &Entry, id: FnId, sink: Sink) -> *const u8 {
        let code = entry.slot(sink).load(Ordering::Acquire);
        if code.is_null() { self.compile(entry, id, sink) } else { code }
    }

    #[cold]
    fn compile(&self, entry: &Entry, id: FnId, sink: Sink) -> *const u8 {
        let Ok(mut compiler) = self.compiler.lock() else {
            return no_code(sink);
        };
        // Someone else may have been faster.
        let slot = entry.slot(sink);
        let there = slot.load(Ordering::Acquire);
        if !there.is_null() {
            return there;
        }
        let mut code = no_code(sink);
        if let (Some(compiler), true) = (compiler.as_mut(), self.input.sinks(id).contains(&sink)) {
            match compiler.compile(&self.input, id, sink) {
                Ok(compiled) => code = compiled,
                Err(error) => compiler.failed = Some(error),
            }
        }
        slot.store(code.cast_mut(), Ordering::Release);
        code
    }

    fn entry(&self, id: FnId, state: &[u64]) -> Result<&Entry, SideExit> {
        if state.len() == self.state_words { self.entries.get(id as usize).ok_or(SideExit) } else { Err(SideExit) }
    }

    /// Does something with room on the stack for procedures that call each other.
    #[inline]
    pub(super) fn with_stack<T>(&self, what: impl FnOnce() -> T) -> T {
        if self.scratch_words == 0 { what() } else { stacker::maybe_grow(RED_ZONE, GROWN, what) }
    }

    /// Scratch memory for a call.
    #[inline]
    fn scratch(&self) -> Scratch {
        Scratch::of(self.owner, self.scratch_words)
    }

    /// See [`crate::Executor::list`].
    pub(super) fn list(&self, id: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        moves.clear();
        let entry = self.entry(id, state)?;
        let code = self.code(entry, id, Sink::List);
        // SAFETY: the code has this signature and is there as long as `self` is, and the state has the number of words it
        // was made for. A word is valid for each bit pattern.
        let (length, _) = unsafe {
            fill(
                transmute::<*const u8, Lister>(code),
                (state, entry.stores),
                &mut self.scratch(),
                moves,
                entry.room[0] as usize,
            )?
        };
        // SAFETY: `fill` says that so many are there.
        unsafe { moves.set_len(length) };
        Ok(())
    }

    /// See [`crate::Executor::runs`].
    pub(super) fn runs(&self, id: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, SideExit> {
        runs.clear();
        let entry = self.entry(id, state)?;
        let code = self.code(entry, id, Sink::Runs);
        // SAFETY: as in `list`. A run is three words in the order in which the code writes them (`repr(C)`), valid for
        // each bit pattern.
        let (length, moves) = unsafe {
            fill(
                transmute::<*const u8, Lister>(code),
                (state, entry.stores),
                &mut self.scratch(),
                runs,
                entry.room[1] as usize,
            )?
        };
        // SAFETY: `fill` says that so many are there.
        unsafe { runs.set_len(length) };
        Ok(moves)
    }

    /// See [`crate::Executor::count`].
    pub(super) fn count(&self, id: FnId, state: &[u64]) -> Result<u64, SideExit> {
        let entry = self.entry(id, state)?;
        let code = self.code(entry, id, Sink::Count);
        let mut scratch = self.scratch();
        let mut out = [0, 0, scratch.address()];
        let mut copy = Vec::new();
        let state = readable(state, entry.stores, &mut copy);
        // SAFETY: as in `list`. The code writes only `out`, and the state only if `stores` says so: then it is a copy.
        let status = unsafe { transmute::<*const u8, Counter>(code)(state, &raw mut out) };
        if status == DONE { Ok(out[0]) } else { Err(SideExit) }
    }

    /// See [`crate::Executor::call`].
    pub(super) fn call(&self, id: FnId, state: &mut [u64], argument: u64) -> Result<u64, SideExit> {
        let entry = self.entry(id, state)?;
        let code = self.code(entry, id, Sink::Call);
        let mut scratch = self.scratch();
        let mut out = [0, 0, scratch.address()];
        // SAFETY: as in `list`, and nobody else has the state.
        let status = unsafe { transmute::<*const u8, Caller>(code)(state.as_mut_ptr(), argument, &raw mut out) };
        if status == DONE { Ok(out[0]) } else { Err(SideExit) }
    }

    /// See [`crate::Executor::plies`]. Whatever is out of the ordinary is left to the caller.
    pub(super) fn plies(&self, game: &Decisions, play: &mut Play<'_>) -> Pause {
        if play.state.len() != self.state_words || play.start.len() != self.state_words || play.left == 0 {
            return Pause::Asked;
        }
        if self.plays.get().is_none() {
            self.compile_plays(game);
        }
        match self.plays.get() {
            Some(Some(plays)) if plays.game == *game && play.speculative => plays.go_on(play, &mut self.scratch()),
            _ => self.ply_by_ply(game, play),
        }
    }

    /// Compiles plays if enough has been played to know what they are like, and nobody else is compiling.
    #[cold]
    fn compile_plays(&self, game: &Decisions) {
        if self.patience == u64::MAX {
            return;
        }
        let Ok(survey) = self.survey.lock().map(|survey| survey.clone()) else { return };
        if survey.plies < self.patience {
            return;
        }
        let Ok(mut compiler) = self.compiler.try_lock() else { return };
        if self.plays.get().is_some() {
            return;
        }
        let compiled = compiler.as_mut().and_then(|compiler| compiler.compile_plays(&self.input, game, &survey).ok());
        let plays = compiled.map(|(code, most)| {
            // SAFETY: this is how plays are compiled, and they are dropped before the code.
            let code = unsafe { transmute::<*const u8, PlayOn>(code) };
            CompiledPlays { game: game.clone(), code, room: room(most) as usize }
        });
        // Nobody else sets it: the compiler is locked.
        let _ = self.plays.set(plays);
    }

    /// Plays as calls of the functions that list moves and make them.
    fn ply_by_ply(&self, game: &Decisions, play: &mut Play<'_>) -> Pause {
        play.moves.clear();
        play.moves.reserve(LISTED + guard::WORDS);
        let (start, places) = (play.moves.as_mut_ptr(), guard::places(play.moves.capacity(), LISTED));
        // SAFETY: the end of the buffer, or as much before it as is wanted.
        let end = unsafe { start.add(places) };
        // SAFETY: as many words more were reserved.
        unsafe { guard::mark(end) };
        // What every ply changes is at hand, and the code of the first decisions, once they have been met.
        let (mut rng, mut tally) = (play.rng.clone(), *play.tally);
        let mut met = [None; MET];
        let mut survey = Survey::default();
        let mut speculative = Speculation::default();
        let mut scratch = self.scratch();
        let mut out = [0, 0, scratch.address()];
        let pause = loop {
            let number = game.number_in(play.state);
            let known = met.get(number).copied().flatten();
            let (list, call, fast) = match known.filter(|_| tally.plies < tally.limit) {
                Some(code) => code,
                None => match game.functions_of(number, &tally) {
                    Err(Pause::Over) => {
                        (play.tally.plies, play.tally.chance) = (tally.plies, tally.chance);
                        if !play.next() {
                            break Pause::Over;
                        }
                        tally.begin();
                        speculative.word = None;
                        continue;
                    }
                    Err(_) => break speculative.pause(play.state),
                    Ok(functions) => {
                        let fast = game.speculative(number).filter(|_| play.speculative);
                        let Some(code) = self.compiled(functions, fast, places) else {
                            break speculative.pause(play.state);
                        };
                        if let Some(slot) = met.get_mut(number) {
                            *slot = Some(code);
                        }
                        code
                    }
                },
            };
            // SAFETY: `compiled` says how the code is to be called and that it does not write the state and wants no more
            // than these places to begin with, as in `fill`; it is there as long as `self` is, and the state has the number
            // of words that it was made for.
            let status = unsafe { list(play.state.as_ptr(), start, end, &raw mut out) };
            let count = (out[0] as usize).wrapping_sub(start as usize) / size_of::<u64>();
            if status != DONE || count == 0 || count > places {
                break speculative.pause(play.state);
            }
            // SAFETY: the code has written a word.
            if !speculative.is_right(game, number, unsafe { start.read() }) {
                break speculative.pause(play.state);
            }
            // SAFETY: the code has written so many words from the start on, and the index is below their number.
            let word = unsafe { start.add(rng.below(count as u32) as usize).read() };
            game.count(number, count as u64, &mut tally);
            survey.add(number, count as u64);
            speculative.word = None;
            if fast {
                speculative.begin(play.state, word);
            }
            // SAFETY: as in `call`.
            let status = unsafe { call(play.state.as_mut_ptr(), word, &raw mut out) };
            if status != DONE {
                break Pause::Chosen(word);
            }
        };
        // SAFETY: they were marked.
        unsafe { guard::check(end) };
        (*play.rng, *play.tally) = (rng, tally);
        if self.patience < u64::MAX
            && self.plays.get().is_none()
            && let Ok(mut all) = self.survey.lock()
        {
            all.join(&survey);
        }
        pause
    }

    /// How the functions of a decision are called, if they are compiled, the first one does not write the state and wants
    /// no more than so many places to begin with. The function that makes moves is the fast one if there is one, which the
    /// result says, too.
    fn compiled(
        &self,
        (decide, apply): (FnId, FnId),
        speculative: Option<FnId>,
        places: usize,
    ) -> Option<(Lister, Caller, bool)> {
        let (decide, apply) = (self.entries.get(decide as usize)?, self.entries.get(apply as usize)?);
        let (list, call) = (decide.list.load(Ordering::Acquire), apply.call.load(Ordering::Acquire));
        if list.is_null() || call.is_null() || decide.stores || decide.room[0] as usize > places {
            return None;
        }
        // Nobody else calls the fast one, so it is compiled here.
        let fast = speculative.and_then(|id| Some(self.code(self.entries.get(id as usize)?, id, Sink::Call)));
        let call = fast.unwrap_or(call.cast_const());
        // SAFETY: what is in these slots has these signatures.
        Some(unsafe {
            (transmute::<*mut u8, Lister>(list), transmute::<*const u8, Caller>(call), speculative.is_some())
        })
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        self.entries.clear();
        self.plays.take();
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
fn room(most: u64) -> u32 {
    let most = if most <= MOST_UNCHECKED { most } else { 2 * AT_MOST };
    (most + AT_MOST) as u32
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
    (state, stores): (&[u64], bool),
    scratch: &mut Scratch,
    items: &mut Vec<T>,
    room: usize,
) -> Result<(usize, u64), SideExit> {
    let mut room = room;
    let mut copy = Vec::new();
    loop {
        items.reserve(room + guard::WORDS);
        let state = readable(state, stores, &mut copy);
        let buffer = items.spare_capacity_mut();
        let (start, places) = (buffer.as_mut_ptr(), guard::places(buffer.len(), room));
        let mut out = [0, 0, scratch.address()];
        // SAFETY: an item is a word at least, and as many more were reserved.
        unsafe { guard::mark(start.add(places).cast()) };
        // SAFETY: the caller vouches for code and state. The buffer has at least `room` places: what the function may
        // emit at most and a few more, or else it looks before it writes. It writes the state only if `stores` says so:
        // then it is a copy.
        let status = unsafe { code(state, start.cast(), start.add(places).cast(), &raw mut out) };
        // SAFETY: they were marked.
        unsafe { guard::check(start.add(places).cast()) };
        match status {
            DONE => {
                let length = (out[0] as usize).wrapping_sub(start as usize) / size_of::<T>();
                return Ok((length.min(places), out[1]));
            }
            FULL if places < MOST => room = places.saturating_mul(2),
            _ => return Err(SideExit),
        }
    }
}
