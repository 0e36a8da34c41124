//! Several people at one terminal in games that hide something: none sees, or decides by, what another one has seen.

use crate::support::{rgc, rgc_with_input};
use std::path::PathBuf;

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

/// A game of two steps in which both roles choose a row at the same time, and both pieces go there. Nothing says what players see.
const ROWS: &str = "
    (role red) (role blue) (n 1) (n 2) (n 3) (succ 1 2) (succ 2 3)
    (init (cell 1 1 r)) (init (cell 3 3 b)) (init (step 1))
    (<= (legal ?role (go ?y)) (role ?role) (n ?y))
    (<= (next (cell 1 ?y r)) (does red (go ?y)))
    (<= (next (cell 3 ?y b)) (does blue (go ?y)))
    (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
    (<= terminal (true (step 3)))
    (<= same (true (cell 1 ?y r)) (true (cell 3 ?y b)))
    (<= (goal red 100) same) (<= (goal red 0) (not same)) (<= (goal blue 100) (not same)) (<= (goal blue 0) same)";

/// A file with rules, for one test.
fn file(name: &str, rules: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, rules).unwrap();
    path
}

fn rows(name: &str, arguments: &[&str], input: &str) -> String {
    let path = file(name, ROWS);
    let seed = if arguments.contains(&"--seed") { &[][..] } else { &["--seed", "1"] };
    let arguments = [&["play", path.to_str().unwrap(), "--against", "random"], seed, arguments].concat();
    rgc_with_input(arguments, input).success()
}

/// Of moves that are made at the same time, each is hidden until all have been made; then they are told, and everybody sees the position.
#[test]
fn moves_of_a_step_are_told_when_it_is_complete() {
    let said = rows("red.gdl", &["--as", "red"], "go 2\nstate\nwhy go 7\nundo\ngo 3\nquit\n");
    assert!(!said.contains("hidden") && !said.contains('?'), "{said}");
    let (_, step) = said.split_once("> go 2\n").unwrap();
    assert!(step.starts_with("red: (go 2)\nblue: (go "), "both moves: {said}");
    assert!(step.contains("\n2 r ") && step.contains("(step 2)"), "the whole position: {said}");
    assert!(said.contains("> why go 7\n`go 7` is not legal: "), "{said}");
    let (_, undone) = said.split_once("> undo\n").unwrap();
    assert!(undone.starts_with("\n3 . b\n2 . .\n1 r .\n"), "the whole step is taken back: {said}");
    // What `moves --as` says is the same.
    let path = file("as.gdl", ROWS);
    let known = rgc(["moves", path.to_str().unwrap(), "--play", "(go 2); (go 3)", "--as", "red"]).success();
    assert!(known.contains("sees (does blue (go 3))"), "{known}");
}

/// Nothing is told of a step before it is complete, whoever asks in whatever way.
#[test]
fn moves_of_a_step_are_hidden_before_it_is_complete() {
    // Red has chosen when blue is asked.
    for seed in ["1", "2", "3", "4"] {
        let input = "board\nstate\nwhy go 1; go 2\nmoves\nwhy go 7\n";
        let said = rows("blue.gdl", &["--as", "blue", "--seed", seed], input);
        assert!(!said.contains("red: ") && !said.contains("is legal"), "{said}");
        assert_eq!(said.matches("\n3 . b\n2 . .\n1 r .\n").count(), 3, "{said}");
        assert!(said.contains("where something is hidden, `why` takes one move\n"), "{said}");
    }
    let said = rows("both.gdl", &["--as", "red,blue"], "go 2\nboard\nstate\nundo\ngo 3\n1.\nundo\nquit\n");
    let (_, behind) = said.split_once("> go 2\n").unwrap();
    let (before, after) = behind.split_once("> 1.\n").unwrap();
    assert!(!before.contains("red: ") && !before.contains("\n2 r"), "{said}");
    assert!(after.starts_with("red: (go 3)\nblue: (go 1)\n"), "{said}");
    // Blue's choice is not made again by one who knows that of red.
    assert!(after.split_once("> undo\n").unwrap().1.contains("red to move"), "{said}");
    let said = rows("nobody.gdl", &["--as", "blue"], "go 1\ngo 1\nundo\nquit\n");
    assert!(said.contains("`new` starts again, `undo` takes a move back"), "{said}");
}

/// Where players see only what the rules tell them, nothing more is known when a step is complete.
#[test]
fn what_rules_do_not_show_stays_hidden() {
    let path = file("sees.gdl", &format!("{ROWS} (<= (sees red done) (does red (go ?y)))"));
    let arguments = ["play", path.to_str().unwrap(), "--as", "red", "--against", "random", "--seed", "1"];
    let said = rgc_with_input(arguments, "go 2\nstate\nundo\nquit\n").success();
    assert!(said.contains("part of the position is hidden from you") && !said.contains("blue: (go "), "{said}");
    assert!(said.contains("your move was answered, and the answer may tell what is hidden"), "{said}");
}

/// One's own move that another one has answered is not taken back, though that is not the last one.
#[test]
fn a_move_of_another_human_is_not_taken_back_by_one_who_has_seen_it() {
    let said = play("kuhnPoker.hrg", "first,second", "check\nbet\nundo\nquit\n");
    let (_, undone) = said.split_once("> undo\n").unwrap();
    assert!(undone.starts_with("your move was answered, and the answer may tell what is hidden"), "{said}");
}

/// One hides a ball under a cup of a row; the other one lifts cups. What is written down comes behind the answer, and not if the ball is found.
fn cups(count: usize) -> String {
    format!(
        "domain Player = hider | guesser
domain Score = 0 | 100
domain Bool = 0 | 1
domain Cup = C(X, Y) where X in 0..{count}, Y in 0..1
domain Under = nothing | ball
domain Mark = down | lifted

under: Cup -> Under = {{ _ = nothing }}
state: Cup -> Mark = {{ _ = down }}
cup: Cup

graph rules() {{
  visible[guesser] = 0
  player = hider
  cup = Cup(*)
  $$ cup
  under[cup] = ball
  player = keeper
  visible[guesser] = 1
  loop {{
    player = guesser
    cup = Cup(*)
    check(state[cup] == down)
    $$ cup
    player = keeper
    if under[cup] == ball {{ $ found  goals[guesser] = 100 end() }} else {{ $ empty }}
    state[cup] = lifted
  }}
}}
"
    )
}

/// A place is shown if it holds the same in all positions that a player may be in after what was answered, and no other is.
#[test]
fn places_that_an_answer_tells_are_shown() {
    let path = file("cups.hrg", &cups(2));
    let lifted = |hidden: &str| {
        let play = format!("{hidden}; C(0,0); C(1,1)");
        play_file(&path, &["--play", &play])
    };
    let one = lifted("C(2,0)");
    assert!(one.contains("under:\n2 ? . ?\n1 . ? ?\n") && one.contains("? = hidden from you"), "{one}");
    assert!(one.contains("state:\n2 . e .\n1 e . .\n") && one.contains("e = empty"), "{one}");
    for other in ["C(0,1)", "C(1,0)", "C(2,1)"] {
        assert_eq!(one, lifted(other), "what is hidden makes no difference");
    }
    // Where only one place is left, it is known what is there, and the one who hid something sees it.
    let last = play_file(&path, &["--play", "C(2,0); C(0,0); C(1,1); C(0,1); C(1,0); C(2,1)"]);
    assert!(last.contains("under:\n2 . . .\n1 . . b\n"), "{last}");
}

/// Nor is it otherwise where the positions are too many to look at all of them.
#[test]
fn places_that_an_answer_tells_are_shown_in_large_games() {
    let path = file("many-cups.hrg", &cups(700));
    let said = play_file(&path, &["--play", "C(650,0); C(0,0)"]);
    let (_, state) = said.split_once("state:\n").unwrap();
    let rows: Vec<&str> = state.lines().take(2).collect();
    assert!(rows[1].starts_with("1  e  . ") && !rows.concat().contains('?'), "{}", &rows[1][..20]);
    assert!(!said.contains("under:") || said.contains("? ? ?"), "what is hidden is not shown");
}

/// What is on the screen first.
fn play_file(path: &std::path::Path, arguments: &[&str]) -> String {
    let all = [&["play", path.to_str().unwrap(), "--as", "hider,guesser", "--seed", "1"], arguments].concat();
    rgc_with_input(all, "quit\n").success()
}

/// Why a move is not legal is said if that is the same in all positions that a player may be in: what it has done itself is not hidden from it.
#[test]
fn reasons_that_a_player_knows_are_told() {
    let said = play("battleships", "first,second", "a1 across\nwhy a1 up\nwhy a1\n");
    let own = "it needs `sea[me][cell] == water`, but it is `ship` (`cell` is `a1`, `me` is `first`)";
    assert_eq!(said.matches(own).count(), 2, "{said}");
    let said = play("leducPoker", "first,second", "why raise\nwhy call\nwhy rise\n");
    assert!(said.contains("it needs `bets == bet`, but it is `start`"), "{said}");
    assert!(said.contains("it needs `bets != start`, but it is `start`"), "{said}");
    assert!(said.contains("there is no place or name `rise` in this game"), "{said}");
    // A reason that only the hidden card gives is not.
    let rules = "domain Player = dealer | guesser
domain Score = 0 | 100
domain Bool = 0 | 1
domain Cell = C(X, Y) where X in 0..1, Y in 0..1
domain State = free | mined

mine: Cell -> State = { _ = free }
cell: Cell

graph rules() {
  visible[guesser] = 0
  player = dealer
  cell = Cell(*)
  $$ cell
  mine[cell] = mined
  player = keeper
  visible[guesser] = 1
  player = guesser
  cell = Cell(*)
  check(mine[cell] == free)
  $$ cell
  player = keeper
  goals[guesser] = 100
  end()
}
";
    let path = file("mines.hrg", rules);
    let why = |mined: &str| {
        let arguments = ["play", path.to_str().unwrap(), "--as", "dealer,guesser", "--play", mined];
        rgc_with_input(arguments, "why a1\nquit\n").success()
    };
    assert!(why("C(0,0)").contains("may be something that is hidden from you"), "{}", why("C(0,0)"));
}

/// What cannot be taken back by `undo` cannot be by going back to a saved beginning of the game either.
#[test]
fn a_saved_beginning_does_not_take_back_what_was_answered() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("beginning.jsonl");
    let name = path.to_str().unwrap();
    let _ = std::fs::remove_file(&path);
    let refused = "a move behind it was answered: it cannot be taken back";
    let said = play("leducPoker", "first,second", &format!("save {name}\ncheck\ncheck\nundo\nresume {name}\nboard\n"));
    let (_, resumed) = said.split_once("> resume").unwrap();
    assert!(resumed.contains(refused) && !resumed.contains("resumed: "), "{said}");
    let _ = std::fs::remove_file(&path);
    // Moves that were not answered are.
    let said = play("battleships", "first,second", &format!("save {name}\na1 across\na2 across\nresume {name}\n"));
    assert!(said.contains("resumed: game 0") && !said.contains(refused), "{said}");
}
