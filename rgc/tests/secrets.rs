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
    // A move that was not answered is taken back.
    let said = play("kuhnPoker.hrg", "first,second", "bet\nundo\nquit\n");
    assert!(said.contains("> undo\n") && said.matches("first to move").count() == 2, "{said}");
}

/// What was answered is not taken back where something is hidden: the answer may tell it.
#[test]
fn answered_moves_are_not_taken_back_where_something_is_hidden() {
    let answered = "> undo\nyour move was answered, and the answer may tell what is hidden: it cannot be taken back. ";
    let play = |game: &str, humans: &str, input: &str| {
        let arguments = ["play", game, "--as", humans, "--against", "random", "--seed", "1"];
        rgc_with_input(arguments, input).success()
    };
    let fleet = ["a1", "a2", "a3", "a4", "a5"].map(|cell| format!("{cell} across\n")).concat();
    let said = play("battleships", "first", &format!("{fleet}j1\nundo\nj2\n"));
    assert!(said.contains(answered) && said.contains("first: j2 → "), "the play goes on: {said}");
    // The keeper's answer is one, though no other player has moved; so is what chance reveals.
    let both = fleet.repeat(2);
    let said = play("battleships", "first,second", &format!("{both}j1\nundo\n"));
    assert!(said.contains(answered), "{said}");
    assert!(play("leducPoker", "first", "check\nundo\n").contains(answered));
    assert!(play("leducPoker", "first,second", "check\ncheck\nundo\n").contains(answered));
    // A fleet that is not complete is not answered, and nothing is where nothing is hidden.
    let said = play("battleships", "first", "a1 across\na2 across\nundo\n");
    assert!(!said.contains(answered) && said.matches("first to move").count() == 4, "{said}");
    let said = play("ticTacToe", "crosses", "b2\nundo\n");
    assert!(!said.contains(answered) && said.matches("crosses to move, 9 legal moves").count() == 2, "{said}");
}
