//! Moves and states in terms of SBG.

mod common;

use backend::Moves;
use common::{probe, run};
use rg_ir::Notation;
use rg_ir::scene::{self, Look};

#[test]
fn moves_are_pairs_of_squares() {
    let (_, notation) = run(&probe("A (0,1,e)+(1,0,e) &", "5 &"));
    let moves = vec![vec!["a1", "a2"], vec!["a1", "b1"]];
    assert_eq!(notation.render_moves(&moves), ["a1a2", "a1b1"]);
    for text in ["a1b1", "a1-b1", "a1xb1", " A1 b1 ", "a1b"] {
        assert_eq!(notation.parse_move(text, &moves), Ok(1), "{text}");
    }
    assert!(notation.parse_move("a1", &moves).unwrap_err().contains("ambiguous"));
    assert!(notation.parse_move("a1c1", &moves).unwrap_err().contains("not a legal move"));
    // A column that is called x.
    let moves = vec![vec!["w1", "x1"], vec!["w1", "xx1"]];
    assert_eq!(notation.parse_move("w1x1", &moves), Ok(0));
    assert_eq!(notation.parse_move("w1xx1", &moves), Ok(1));
}

#[test]
fn states_are_drawn() {
    let (reasoner, notation) = run(&probe("A (0,1,e)+(1,0,e) &", "5 &"));
    let mut state = reasoner.initial().unwrap();
    let mut moves = Moves::new();
    reasoner.legal_moves(&state, &mut moves).unwrap();
    reasoner.apply(&mut state, &moves, 0).unwrap();
    let first: Vec<&str> = moves.tags(0).iter().map(|&tag| reasoner.tag_name(tag)).collect();
    let picture = scene::text(&notation.scene(&reasoner.view(&state)).unwrap(), Look::default());
    let rows = if first == ["a1", "a2"] { "2 A . .\n1 . . .\n" } else { "2 . . .\n1 . A .\n" };
    assert_eq!(picture, format!("3 . . a\n{rows}  a b c\nhalf-moves: 1 of 5\non turn: black\n"));
}

#[test]
fn columns_behind_z_have_two_letters() {
    let row = format!("|{}A|", ".".repeat(27));
    let text = format!("<<wide>><BOARD> 28 2 |a{}| {row} <PIECES> A (0,1,e) & <GOALS> 5 & #A 0 &", ".".repeat(27));
    let (reasoner, notation) = run(&text);
    let state = reasoner.initial().unwrap();
    let mut moves = Moves::new();
    reasoner.legal_moves(&state, &mut moves).unwrap();
    let tags: Vec<&str> = moves.tags(0).iter().map(|&tag| reasoner.tag_name(tag)).collect();
    assert_eq!(notation.render_move(&tags), "ab1ab2");
    assert!(scene::text(&notation.scene(&reasoner.view(&state)).unwrap(), Look::default()).contains(" z aa ab\n"));
}
