//! Several people at one terminal in games that hide something: none sees, or decides by, what another one has seen.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use support::rgc_with_input;

fn play(game: &str, humans: &str, input: &str) -> String {
    rgc_with_input(["play", game, "--as", humans, "--seed", "1"], input).success()
}

/// A line makes moves of one human only, and says that it was cut.
#[test]
fn a_line_ends_where_another_human_is_to_move() {
    let cut = "the rest of the line was not played: another player is next, who may not see the same\n";
    for game in ["kuhnPoker.hrg", "kuhnPoker.rg", "leducPoker.hrg"] {
        let said = play(game, "first,second", "check; check\nquit\nquit\n");
        let (_, after) = said.split_once("> check; check\n").unwrap();
        assert!(after.starts_with(cut) && after.contains("\nsecond to move"), "{game}: {said}");
        assert!(!after.contains("the game is over"), "{game}: {said}");
    }
    // Moves of the same human go on, and so do all where nothing is hidden.
    let said =
        play("battleships", "first,second", "a1 across; a2 across; a3 across; a4 across; a5 across; a1 across\n");
    assert!(said.contains(cut) && said.matches("second to move").count() == 1, "{said}");
    let said = play("ticTacToe.rbg", "crosses,noughts", "a1; b2; c3\n");
    assert!(!said.contains(cut) && said.contains("noughts to move, 6 legal moves"), "{said}");
}

/// When everything has been shown, no decision is made again.
#[test]
fn the_end_is_not_taken_back_where_something_was_hidden() {
    let said = play("kuhnPoker.hrg", "first,second", "bet\nfold\nundo\nnew\nquit\n");
    let (_, end) = said.split_once("> fold\n").unwrap();
    assert!(end.contains("the game is over") && end.contains("\n`new` starts again, `quit` ends\n"), "{said}");
    let (_, undone) = end.split_once("> undo\n").unwrap();
    assert!(undone.starts_with("what was hidden has been shown, so no move can be taken back. `new` starts"), "{said}");
    assert!(undone.contains("first to move"), "{said}");
    // Before the end, and where nothing is hidden, moves are taken back.
    let said = play("kuhnPoker.hrg", "first,second", "bet\nundo\nquit\n");
    assert!(said.contains("> undo\n") && said.matches("first to move").count() == 2, "{said}");
}
