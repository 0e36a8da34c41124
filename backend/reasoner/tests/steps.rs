//! Single steps: packed moves do what listed ones do, and nothing is allocated once buffers are warm.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise
#![allow(unsafe_code)] // whoever counts allocations has to make them

mod common;

use backend::{Engine, Moves, Options, PackedMove, Reasoner, Rng, State};
use rg_ir::SourceId;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: it does what the system's allocator does.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller has promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller has promised.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A game of the library in RBG.
fn reasoner(name: &str, engine: Engine) -> Reasoner {
    let path = format!("{}/../../games/rbg/{name}.rbg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let game = rbg::load(SourceId(0), &text).0.unwrap().game;
    Reasoner::with_options(&game, Options { engine, handovers: true, ..Options::default() }).unwrap()
}

/// Buffers of a play.
struct Buffers {
    state: State,
    moves: Moves,
    packed: Vec<PackedMove>,
    next: State,
}

/// A random play of 20 moves at most; returns whether packed moves did the same all the time.
fn play(reasoner: &Reasoner, start: &State, buffers: &mut Buffers, seed: u64) -> bool {
    let Buffers { state, moves, packed, next } = buffers;
    let (mut rng, mut same) = (Rng::new(seed), true);
    state.clone_from(start);
    for _ in 0..20 {
        if reasoner.is_terminal(state) {
            break;
        }
        reasoner.legal_moves(state, moves).unwrap();
        reasoner.packed_moves(state, packed).unwrap();
        let index = rng.below(moves.len() as u32) as usize;
        next.clone_from(state);
        reasoner.apply_packed(next, packed[index]).unwrap();
        reasoner.apply(state, moves, index).unwrap();
        same &= packed.len() == moves.len() && next == state && reasoner.turn(next) == reasoner.turn(state);
    }
    same
}

/// The games are lifted, lifted in part, and not at all.
#[test]
fn packed_moves_do_what_listed_moves_do() {
    for game in ["breakthrough", "connectFour", "reversi", "ticTacToe", "englishDraughts"] {
        for &(name, engine) in Engine::ALL {
            let reasoner = reasoner(game, engine);
            let start = reasoner.initial().unwrap();
            let mut buffers =
                Buffers { state: start.clone(), moves: Moves::new(), packed: Vec::new(), next: start.clone() };
            let plays = if name == "naive" { 1 } else { 5 };
            assert!((0..plays).all(|seed| play(&reasoner, &start, &mut buffers, seed)), "{game}, {name}");
        }
    }
}

#[test]
fn steps_of_lifted_games_allocate_nothing() {
    for (name, engine) in common::lifting().map(|engine| (format!("{engine:?}"), engine)) {
        for game in ["breakthrough", "ticTacToe"] {
            let reasoner = reasoner(game, engine);
            let start = reasoner.initial().unwrap();
            let mut buffers =
                Buffers { state: start.clone(), moves: Moves::new(), packed: Vec::new(), next: start.clone() };
            // What is made once, such as machine code, is there after some rounds.
            let mut round = || {
                let before = ALLOCATIONS.get();
                (0..200).for_each(|seed| assert!(play(&reasoner, &start, &mut buffers, seed)));
                ALLOCATIONS.get() - before
            };
            let counts: Vec<u64> = (0..4).map(|_| round()).collect();
            assert!(counts.contains(&0), "{game}, {name}: {counts:?}");
        }
    }
}
