//! Every function of the interface with pointers to exactly as much memory as the header asks for, and with wrong ones: what
//! Miri is to look at (see `CONTRIBUTING.md`).
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test stops at the first surprise

use rgc_capi::{
    Stats, rgc_abi_version, rgc_game_engine, rgc_game_free, rgc_game_load, rgc_game_player_count, rgc_game_player_name,
    rgc_game_playouts, rgc_game_score_count, rgc_game_score_name, rgc_last_error, rgc_state_apply, rgc_state_clone,
    rgc_state_free, rgc_state_move_count, rgc_state_move_text, rgc_state_new, rgc_state_perft, rgc_state_score,
    rgc_state_turn,
};
use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

/// Whoever moves takes a number that is left; the one who takes the last one wins.
const GAME: &str = "\
type Player = { first, second };
type Score = { 0, 1 };
type Number = { n1, n2, n3 };
type Taken = { no, yes };
var number: Number = n1;
var taken: Number -> Taken = { :no };
begin, move: player = first;
move, chosen: number = Number(*);
chosen, free: taken[number] == no;
free, told: $$ number;
told, marked: taken[number] = yes;
marked, done: player = keeper;
done, over: ! more -> left;
done, again: ? more -> left;
more, some: number = Number(*);
some, left: taken[number] == no;
again, move: player = second;
over, won: goals[first] = 1;
won, end: player = keeper;
";

const OK: i32 = 0;
const NULL: i32 = 1;
const HANDLE: i32 = 2;
const TEXT: i32 = 3;
const INDEX: i32 = 8;
const BUFFER: i32 = 9;

/// A text that a function writes: into no room, too little, and as much as it wants, each a box of its own, so that not one
/// byte more may be written.
fn text(write: impl Fn(*mut c_char, usize, *mut usize) -> i32) -> String {
    let mut needed = 0;
    assert_eq!(write(null_mut(), 0, &raw mut needed), OK);
    for size in 1..needed {
        let mut room = vec![0xffu8; size].into_boxed_slice();
        assert_eq!(write(room.as_mut_ptr().cast(), size, null_mut()), BUFFER);
        assert_eq!(room[size - 1], 0);
    }
    let mut room = vec![0xffu8; needed].into_boxed_slice();
    assert_eq!(write(room.as_mut_ptr().cast(), needed, &raw mut needed), OK);
    assert_eq!(write(null_mut(), 1, null_mut()), NULL);
    CStr::from_bytes_with_nul(&room).unwrap().to_str().unwrap().to_owned()
}

/// A number that a function writes, which refuses to write it nowhere.
fn number<T: Default>(write: impl Fn(*mut T) -> i32) -> T {
    assert_eq!(write(null_mut()), NULL);
    let mut number = Box::new(T::default());
    assert_eq!(write(&raw mut *number), OK);
    *number
}

fn load(engine: &CStr) -> u64 {
    // Without a zero byte at the end.
    let game = GAME.as_bytes().to_vec().into_boxed_slice();
    number(|out| rgc_game_load(game.as_ptr().cast(), game.len(), c"rg".as_ptr(), engine.as_ptr(), out))
}

#[test]
fn what_is_written_fits() {
    let engines: &[&CStr] =
        if cfg!(miri) { &[c"naive"] } else { &[c"auto", c"interpreter", c"backtracking", c"naive"] };
    for engine in engines {
        let game = load(engine);
        assert_eq!(text(|room, size, needed| rgc_game_player_name(game, 1, room, size, needed)), "second");
        assert_eq!(text(|room, size, needed| rgc_game_score_name(game, 0, room, size, needed)), "0");
        assert!(!text(|room, size, needed| rgc_game_engine(game, room, size, needed)).is_empty());
        assert_eq!(number(|out| rgc_game_player_count(game, out)), 2);
        assert_eq!(number(|out| rgc_game_score_count(game, out)), 2);

        let state = number(|out| rgc_state_new(game, out));
        assert_eq!(number(|out| rgc_state_move_count(state, out)), 3);
        assert_eq!(number(|out| rgc_state_perft(state, 2, out)), 6);
        let copy = number(|out| rgc_state_clone(state, out));
        assert_eq!(rgc_state_apply(copy, 1), OK);
        assert_eq!(number(|out| rgc_state_move_count(copy, out)), 2);
        assert_eq!(number(|out| rgc_state_turn(copy, out)), 1);
        assert!(text(|room, size, needed| rgc_state_move_text(state, 2, room, size, needed)).starts_with('n'));
        assert!(!text(|room, size, needed| rgc_state_score(state, 0, room, size, needed)).is_empty());
        // The game lives as long as its states do.
        assert_eq!((rgc_state_free(state), rgc_game_free(game)), (OK, OK));
        assert_eq!(rgc_state_apply(copy, 0), OK);
        assert_eq!(rgc_state_free(copy), OK);
    }
}

#[test]
fn counts_fit() {
    let game = load(c"naive");
    for capacity in [4, 5] {
        let mut counts = vec![7u64; capacity].into_boxed_slice();
        let mut stats = Box::new(Stats::default());
        assert_eq!(rgc_game_playouts(game, 5, 3, &raw mut *stats, counts.as_mut_ptr(), capacity), OK);
        assert_eq!(counts[..4].iter().sum::<u64>(), 10);
        assert!(counts.iter().skip(4).all(|&count| count == 7));
    }
    let mut stats = Stats::default();
    let mut short = vec![7u64; 3].into_boxed_slice();
    assert_eq!(rgc_game_playouts(game, 1, 3, &raw mut stats, short.as_mut_ptr(), 3), BUFFER);
    assert_eq!(rgc_game_playouts(game, 1, 3, &raw mut stats, null_mut(), 0), OK);
    assert_eq!(rgc_game_playouts(game, 1, 3, null_mut(), null_mut(), 0), NULL);
    assert_eq!(rgc_game_free(game), OK);
}

#[test]
fn wrong_arguments_are_errors() {
    assert_eq!(rgc_abi_version(), 1);
    let mut game = 0;
    let text_of = CString::new(GAME).unwrap();
    let load = |text: *const c_char, length: usize, language: *const c_char, out: *mut u64| {
        rgc_game_load(text, length, language, c"naive".as_ptr(), out)
    };
    assert_eq!(load(null(), 5, null(), &raw mut game), NULL);
    assert_eq!(load(text_of.as_ptr(), GAME.len(), null(), null_mut()), NULL);
    assert_eq!(load(text_of.as_ptr(), usize::MAX, null(), &raw mut game), TEXT);
    let odd = (&raw mut game).wrapping_byte_add(1);
    assert_eq!(load(text_of.as_ptr(), GAME.len(), null(), odd), NULL);
    assert!(text(|room, size, needed| rgc_last_error(room, size, needed)).contains("aligned"));
    assert_eq!(load([0xffu8, 0xfe].as_ptr().cast(), 2, null(), &raw mut game), TEXT);
    assert_eq!(load(text_of.as_ptr(), GAME.len(), null(), &raw mut game), OK);
    let (mut state, mut count) = (0, 0);
    assert_eq!(rgc_state_new(game + 1_000, &raw mut state), HANDLE);
    assert_eq!(rgc_state_new(game, &raw mut state), OK);
    assert_eq!(rgc_state_move_count(game, &raw mut count), HANDLE);
    assert_eq!(rgc_state_apply(state, 3), INDEX);
    assert_eq!(rgc_game_player_name(game, 2, null_mut(), 0, null_mut()), INDEX);
    assert_eq!((rgc_game_free(game), rgc_game_free(game)), (OK, HANDLE));
    assert_eq!((rgc_state_free(state), rgc_state_free(state)), (OK, HANDLE));
}
