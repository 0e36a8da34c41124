//! The C interface: `include/rgc.h` says what each function does.
//!
//! Games and states are numbers that this library gives out, not addresses: a wrong one is an error like others. Every
//! function answers with a [`status::Status`]; no panic leaves it.
#![allow(unsafe_code)] // Only `memory` follows pointers; the exported names are the other reason.

mod game;
mod handles;
mod memory;
mod state;
mod status;

use game::Session;
use handles::{Handle, Handles};
use memory::{Memory, NumberOut, Text, TextOut};
use state::Position;
use status::{Status, answer};
use std::ffi::c_char;
use std::sync::{Arc, Mutex};

static GAMES: Handles<Arc<Session>> = Handles::new();
static STATES: Handles<Arc<Mutex<Position>>> = Handles::new();

/// Sums over playouts, as the header has them.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Stats {
    plays: u64,
    plies: u64,
    plies_squared: u64,
    moves: u64,
    max_moves: u64,
}

fn game(handle: Handle) -> Result<Arc<Session>, Status> {
    GAMES.get(handle).ok_or_else(|| Status::Handle.saying("there is no such game"))
}

/// Does something with a state. States are used by one thread at a time.
fn state<T>(handle: Handle, act: impl FnOnce(&mut Position) -> Result<T, Status>) -> Result<T, Status> {
    let state = STATES.get(handle).ok_or_else(|| Status::Handle.saying("there is no such state"))?;
    let mut state = state.lock().map_err(|_| Status::Panic.saying("the state was left in the middle of a change"))?;
    act(&mut state)
}

/// Version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_abi_version() -> u32 {
    1
}

/// What the last call of this thread that failed has to say.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_last_error(buffer: *mut c_char, size: usize, needed: *mut usize) -> i32 {
    // This one must not replace the text that it shows.
    let text = status::last();
    status::guarded(|| TextOut { buffer, size, needed }.put(&text)).unwrap_or_else(|status| status) as i32
}

/// Reads a game.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_game_load(
    text: *const c_char,
    length: usize,
    language: *const c_char,
    engine: *const c_char,
    game: *mut Handle,
) -> i32 {
    answer(|| {
        let text = Text::sized(text, length)?;
        let (language, engine) = (Text::optional(language)?, Text::optional(engine)?);
        let out = NumberOut::new(game)?;
        let session = Session::load(&text, language.as_deref().unwrap_or("rg"), engine.as_deref().unwrap_or("auto"))?;
        out.put(GAMES.add(Arc::new(session))?)
    })
}

/// Gives a game back. Its states live on.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_game_free(game: Handle) -> i32 {
    answer(|| {
        GAMES.remove(game).map_or_else(|| Err(Status::Handle.saying("there is no such game")), |_| Ok(Status::Ok))
    })
}

/// Name of the engine that runs.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_game_engine(handle: Handle, buffer: *mut c_char, size: usize, needed: *mut usize) -> i32 {
    answer(|| TextOut { buffer, size, needed }.put(game(handle)?.reasoner.engine_name()))
}

/// Number of players.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_game_player_count(handle: Handle, count: *mut usize) -> i32 {
    answer(|| NumberOut::new(count)?.put(game(handle)?.reasoner.players().len()))
}

/// Name of a player.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_game_player_name(
    handle: Handle,
    player: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    answer(|| TextOut { buffer, size, needed }.put(named(game(handle)?.reasoner.players(), player, "player")?))
}

/// Number of scores.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_game_score_count(handle: Handle, count: *mut usize) -> i32 {
    answer(|| NumberOut::new(count)?.put(game(handle)?.reasoner.score_names().len()))
}

/// Name of a score.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_game_score_name(
    handle: Handle,
    score: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    answer(|| TextOut { buffer, size, needed }.put(named(game(handle)?.reasoner.score_names(), score, "score")?))
}

/// Random plays.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_game_playouts(
    handle: Handle,
    count: u64,
    seed: u64,
    stats: *mut Stats,
    scores: *mut u64,
    capacity: usize,
) -> i32 {
    answer(|| {
        let session = game(handle)?;
        let out = NumberOut::new(stats)?;
        let wanted = session.reasoner.players().len() * session.reasoner.score_names().len();
        if !scores.is_null() && capacity < wanted {
            return Err(Status::Buffer.saying(&format!("there is room for {capacity} counts, {wanted} are needed")));
        }
        let (sums, counts) = session.playouts(count, seed)?;
        if !scores.is_null() {
            Memory::fill(scores, capacity, &counts);
        }
        out.put(Stats {
            plays: sums.plays,
            plies: sums.plies,
            plies_squared: sums.plies_squared,
            moves: sums.moves,
            max_moves: sums.max_moves,
        })
    })
}

/// The state of the first decision.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_new(handle: Handle, state: *mut Handle) -> i32 {
    answer(|| {
        let out = NumberOut::new(state)?;
        let position = Position::new(game(handle)?)?;
        out.put(STATES.add(Arc::new(Mutex::new(position)))?)
    })
}

/// A copy of a state.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_clone(handle: Handle, copy: *mut Handle) -> i32 {
    answer(|| {
        let out = NumberOut::new(copy)?;
        let position = state(handle, |position| Ok(position.clone()))?;
        out.put(STATES.add(Arc::new(Mutex::new(position)))?)
    })
}

/// Gives a state back.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_free(state: Handle) -> i32 {
    answer(|| {
        STATES.remove(state).map_or_else(|| Err(Status::Handle.saying("there is no such state")), |_| Ok(Status::Ok))
    })
}

/// Who decides.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_turn(handle: Handle, turn: *mut i32) -> i32 {
    answer(|| NumberOut::new(turn)?.put(state(handle, |position| Ok(position.turn()))?))
}

/// Number of the legal moves.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_move_count(handle: Handle, count: *mut usize) -> i32 {
    answer(|| NumberOut::new(count)?.put(state(handle, Position::move_count)?))
}

/// Text of a legal move.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_move_text(
    handle: Handle,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    answer(|| TextOut { buffer, size, needed }.put(&state(handle, |position| position.move_text(index))?))
}

/// Makes a legal move.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_apply(handle: Handle, index: usize) -> i32 {
    answer(|| state(handle, |position| position.apply(index)))
}

/// A player's score.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_score(
    handle: Handle,
    player: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    answer(|| TextOut { buffer, size, needed }.put(&state(handle, |position| position.score(player))?))
}

/// Number of plays of a given length.
#[unsafe(no_mangle)]
pub extern "C" fn rgc_state_perft(handle: Handle, depth: u32, plays: *mut u64) -> i32 {
    answer(|| NumberOut::new(plays)?.put(state(handle, |position| position.perft(depth))?))
}

fn named<'n>(names: &'n [String], index: usize, what: &str) -> Result<&'n str, Status> {
    let found = names.get(index).map(String::as_str);
    found.ok_or_else(|| Status::Index.saying(&format!("there is no {what} {index}; there are {}", names.len())))
}
