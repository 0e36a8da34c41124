//! Small games whose outcome can be worked out by hand, most of them from section 8 of the specification.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use backend::Moves;
use common::{perft, probe, run};

/// Half-moves and scores of the play in which always the first legal move is made.
fn first_play(text: &str) -> (usize, Vec<String>) {
    let (reasoner, _) = run(text);
    let mut state = reasoner.initial().unwrap();
    let mut moves = Moves::new();
    let mut plies = 0;
    while !reasoner.is_terminal(&state) {
        reasoner.legal_moves(&state, &mut moves).unwrap();
        reasoner.apply(&mut state, &moves, 0).unwrap();
        plies += 1;
    }
    (plies, reasoner.scores(&state).into_iter().map(str::to_owned).collect())
}

const WHITE: [&str; 2] = ["100", "0"];
const BLACK: [&str; 2] = ["0", "100"];
const DRAW: [&str; 2] = ["50", "50"];

fn assert_play(rules: &str, goals: &str, plies: usize, scores: [&str; 2]) {
    let play = first_play(&probe(rules, goals));
    assert_eq!((play.0, play.1.iter().map(String::as_str).collect::<Vec<_>>()), (plies, scores.to_vec()), "{rules}");
}

#[test]
fn passes_are_moves() {
    assert_eq!(perft(&probe("A (0,0,w) &", "5 &"), 6), [1, 1, 1, 1, 1, 0]);
    assert_play("A (0,0,w) &", "5 &", 5, DRAW);
    assert_eq!(perft(&probe("A (0,1,e)^0 &", "5 &"), 3), [1, 1, 1]);
    // A pass on a goal square wins.
    assert_play("A (0,0,w) &", "5 & @A 0 0 &", 1, WHITE);
}

#[test]
fn walks_that_run_in_circles_give_each_move_once() {
    assert_eq!(perft(&probe("A ((0,1,e)+(0,-1,e))^* &", "5 &"), 2), [3, 9]);
    assert_eq!(perft(&probe("A (((0,1,e)^*)^*+(0,1,e)^0)^* &", "5 &"), 1), [3]);
}

#[test]
fn the_board_stays_as_it_is_while_a_word_is_read() {
    assert_eq!(perft(&probe("A (1,0,e)(-1,0,w)(0,1,e) + (1,0,e)(-1,0,e)(0,2,e) &", "9 &"), 2), [1, 0]);
    assert_eq!(perft(&probe("A (0,0,e)+(0,1,w)+(1,0,e) &", "5 &"), 2), [1, 0]);
}

#[test]
fn black_moves_upside_down() {
    assert_eq!(perft(&probe("A (1,1,e)+(0,1,e) &", "5 &"), 2), [2, 2]);
}

#[test]
fn who_cannot_move_loses() {
    assert_play("A (0,2,e)(0,1,e) &", "5 &", 0, BLACK);
    assert_play("", "5 &", 0, BLACK);
    assert_play("A (0,1,e) &", "9 & @a 0 1 &", 4, BLACK);
    // At the limit, it is a draw all the same.
    assert_play("A (0,1,e) &", "4 &", 4, DRAW);
}

#[test]
fn goals_are_tested_in_order() {
    assert_play("A (0,1,e) &", "1 &", 1, DRAW);
    assert_play("A (0,1,e) &", "9 & #A 1 & #a 1 &", 1, BLACK);
    assert_play("A (0,1,e) &", "9 & #a 1 & #A 1 &", 1, WHITE);
    assert_play("A (0,1,e) &", "9 & #A 1 & @A 0 1 &", 1, WHITE);
    // A goal comes before the limit.
    assert_play("A (0,1,e) &", "1 & @A 0 1 &", 1, WHITE);
}

#[test]
fn pieces_are_counted() {
    let game =
        |goals: &str| format!("<<row>><BOARD> 3 2 |aaa| |AAA| <PIECES> A (0,1,p)+(0,0,w)+(1,0,w) & <GOALS> {goals}");
    // Nine half-moves are played out by captures only.
    let three = first_play(&game("30 & #a 0 &"));
    let two = first_play(&game("30 & #a 1 &"));
    let one = first_play(&game("30 & #a 2 &"));
    assert!(one.0 <= two.0 && two.0 <= three.0, "{one:?} {two:?} {three:?}");
    // The first capture decides; both ways of finding that out agree.
    for depth in 1..=4 {
        assert_eq!(perft(&game("6 & #a 2 &"), depth), perft(&game("6 & #a 2 & #a 1 &"), depth));
    }
    // Capturing an own piece counts as well: white can lose by it.
    assert_eq!(perft(&game("6 & #A 2 &"), 2)[0], 8);
    assert_eq!(perft(&game("6 & #A 2 & #a 2 &"), 2), [8, 24]);
}

#[test]
fn the_published_counts() {
    let Some(games) = common::corpus("sbg") else { return };
    let known: [(&str, &[u64]); 6] = [
        ("breakthrough", &[22, 484, 11132]),
        ("cannons", &[11, 119, 1311, 14495]),
        ("gardner", &[7, 53, 510, 5000]),
        ("knightthrough", &[40, 1600, 63520]),
        ("los_alamos", &[10, 100, 1216, 14914]),
        ("pass_and_eat", &[11, 113, 976, 7982, 56517]),
    ];
    for (name, counts) in known {
        let (_, text) = games.iter().find(|(file, _)| file == name).unwrap();
        assert_eq!(perft(text, counts.len() as u32), counts, "{name}");
    }
}
