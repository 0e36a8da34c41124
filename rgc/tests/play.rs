//! `rgc play` and `rgc replay`, as a user runs them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use std::fs;
use support::{Scratch, game, rgc, rgc_with_input};

/// Plays tic-tac-toe through a pipe.
fn sit(arguments: &[&str], input: &str) -> String {
    let game = game("rg/ticTacToe.rg");
    rgc_with_input([&["play", &game], arguments].concat(), input).success()
}

#[test]
fn a_play_through_a_pipe() {
    let two = sit(&["--as", "x,o"], "a1\nb1\na2\nb2\na3\n");
    assert!(two.contains("> a1\n") && two.contains("o to move, 8 legal moves"), "{two}");
    assert!(two.contains("the game is over: x wins; scores: x 100, o 0"), "{two}");
    assert!(!two.contains('\u{1b}'), "no colours in a pipe");
    let one = sit(&["--against", "ab:depth=9,eval=0"], "b2\nquit\n");
    assert!(one.contains("\no: "), "the agent answers: {one}");
    let nobody = sit(&["--as", "none", "--against", "uct:1000p"], "");
    assert!(nobody.contains("scores: x 50, o 50"), "{nobody}");
    let open = sit(&["--as", "o", "--against", "random"], "");
    assert!(open.starts_with("x: ") && open.contains("Input ended before the game was over."), "{open}");
}

#[test]
fn commands() {
    let input =
        "help\nmoves b\nmoves z\nb\nb1\nundo\nundo\nhint\nboard\n\nmove c3\nbogus\nsave\nwhy\nquit\nnever read\n";
    let said = sit(&["--as", "x,o", "--against", "uct:500p"], input);
    for wanted in [
        "takes back your last move",
        "> moves b\n  4. b1\n  5. b2\n  6. b3\n",
        "no legal move begins with `z`",
        "`b` is not a complete move. Legal moves that begin so: `b1`, `b2`, `b3`\n",
        "there is no move of yours to take back",
        "hint (uct:500p): ",
        "`bogus` is not a legal move",
        "the name of a file is missing: `save FILE`",
        "a move is missing: `why MOVE`",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    assert!(said.contains("o to move, 8 legal moves") && !said.contains("never read"), "{said}");
    let colours = sit(&["--color", "always", "--as", "x,o"], "quit\n");
    assert!(colours.contains("\u{1b}[1mx to move"), "{colours}");
}

/// What is typed by people who know chess programs, or shells, is answered with what to type.
#[test]
fn misread_lines() {
    let input =
        "Nf3\nO-O\nhelp foo\nhelp bord\n-1.\n5\nundo 3\nhello\nwhy e1g1\nwhy e2e5\ne2e4\nNEW\nQUIT\nnever read\n";
    let said = rgc_with_input(["play", &game("rbg/chess.rbg"), "--as", "white,black"], input).success();
    for wanted in [
        "`Nf3` does not say where the piece comes from. Type from and to, here `f2f3` or `g1f3`\n",
        "castling is the move of the king, not `O-O`. Type where the king goes from and to, such as `e1g1`\n",
        "unknown command `foo`. `help` lists the commands\n",
        "unknown command `bord`. Did you mean `board`?\n",
        "there is no move `-1.`; moves are numbered from 1. to 20. Type `moves`",
        "`5` is not a legal move. Move 5 of the list is `5.`, with a dot\n",
        "`undo` takes no arguments. Type `undo` alone\n",
        "`hello` is neither a legal move nor a command.",
        "`e1g1` is not legal, because of 2 conditions:\n  the piece on `f1` must be `e`, but it is `wB`\n",
        "`e2e5` is not legal: no rule leads there from `e2` while the piece on `e2` is `wP` (for `wQ`, `wRu` one does); legal from there: `e2e3`, `e2e4`\n",
        "pieces: e = enpassant\n",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    assert!(said.ends_with("> QUIT\n") && said.matches("white to move").count() == 2, "{said}");
}

/// Several moves in a line are made as long as humans are to move; the rest is named.
#[test]
fn several_moves_at_once() {
    let both = sit(&["--as", "x,o"], "a1;b1; a2\nb2;b2;c3\nundo\nb2;a3;c1\nmoves\nmove\n");
    assert!(both.contains("o to move, 6 legal moves") && both.contains("`b2` was not made: "), "{both}");
    assert!(both.contains("`c1` was not made: the game is over. `new` starts again"), "{both}");
    assert!(both.contains("> moves\nthe game is over: there are no legal moves; `new` starts again"), "{both}");
    assert!(
        both.ends_with("> move\nthe game is over. `new` starts again, `undo` takes a move back, `quit` ends\n"),
        "{both}"
    );
    let one = sit(&["--against", "random"], "a1;b1\nquit\n");
    assert!(one.contains("> a1;b1\n`b1` was not made: another player is to move\n"), "{one}");
}

/// The position shows what legal moves depend on, and scores only where rules read them; `state` shows everything.
#[test]
fn bookkeeping_is_not_shown() {
    let two = |game: &str, input: &str| rgc_with_input(["play", game, "--seed", "1"], input).success();
    let chess = two("chess", "help\nstate\nq\n");
    let (before, after) = chess.split_once("> state").unwrap();
    assert!(!before.contains("quiet = ") && !before.contains("scores: ") && !before.contains("e2e4"), "{before}");
    assert!(before.contains("MOVE              a move, such as a2a3, a2-a3, a2 a3\n"), "{before}");
    assert!(after.contains("variables: quiet = 0\nscores: white = 0, black = 0\n"), "{after}");
    let dice = two("ticTacDie.hrg", "q\n");
    assert!(dice.contains("variables: throw = "), "which moves are legal depends on it: {dice}");
    let gdl = two("ticTacToe.gdl", "state\nq\n");
    assert_eq!(gdl.matches("(control crosses)").count(), 1, "the headline says who is to move: {gdl}");
    let hex = two("hex.rbg", "q\n");
    assert!(hex.contains("pieces: b = blue, r = red\n"), "{hex}");
    let hidden = two("kuhnPoker.hrg", "state\nq\n");
    assert!(hidden.contains("> state\nsome of it is hidden from you. `board` shows"), "{hidden}");
}

/// Parts of a move may be written apart, and letters before numbers be left out; `new` forgets the moves of the command line, too.
#[test]
fn moves_written_in_parts() {
    let oware = rgc_with_input(["play", "oware", "--as", "south,north"], "h 2\nmoves\n").success();
    assert!(oware.contains("> h 2\nsouth: H2\n"), "{oware}");
    let dice = rgc_with_input(["play", "backgammon", "--as", "white,black", "--seed", "1"], "13 5\nquit\n").success();
    assert!(dice.contains("> 13 5\nwhite: P13 5\n"), "{dice}");
    let input = "e2-e5\ne2e5\nnew\n";
    let chess = rgc_with_input(["play", "chess", "--as", "white,black", "--play", "e2e4;e7e5"], input).success();
    assert!(
        chess.trim_end().contains("> new\n") && chess.matches("white to move, 20 legal moves").count() == 1,
        "{chess}"
    );
}

/// What was typed does not become a part of the usage.
#[test]
fn usage_is_that_of_the_command() {
    let said = rgc(["match", "--opening", "2"]).stderr;
    assert!(said.contains("Usage: rgc match [OPTIONS] --players <AGENTS> <FILE>...\n"), "{said}");
    let said = rgc(["play", "--seed", "1"]).stderr;
    assert!(said.contains("Usage: rgc play [OPTIONS] <FILE>\n"), "{said}");
}

/// Conditions are told by what the rules say of them, not by the names that the translation made.
#[test]
fn why_in_the_words_of_the_rules() {
    let input = "e2e4;e7e5;e1e2;e8e7;e2e1;e7e8;g1f3;b8c6;f1c4;f8c5\nwhy e1g1\nwhy Nd5\n";
    let said = rgc_with_input(["play", &game("rbg/chess.rbg"), "--as", "white,black"], input).success();
    assert!(said.contains("while the piece on `e1` is `wK` (for `wKu`, `wQ`, `wRu` one does); legal from"), "{said}");
    assert!(said.contains("`Nd5` does not say where the piece comes from"), "{said}");
    let input = "why d6\nd6\nd;d;d;d;d;d\nwhy d\n";
    let said = rgc_with_input(["play", "connectFour.rbg", "--as", "yellow,red"], input).success();
    assert!(said.contains("`d6` is not a move here; the legal move there is `d`\n"), "{said}");
    assert!(said.contains("`d6` is not a legal move. Did you mean `d`?\n"), "{said}");
    assert!(said.contains("the piece on `d6` must be `e`, but it is `r`\n"), "{said}");
    let input = "why (move 1 1 1 2)\nwhy (move 1 1 2 2)\n";
    let said = rgc_with_input(["play", "breakthrough.gdl", "--as", "white,black"], input).success();
    assert!(said.contains("it needs `(cell 1 2 empty)`, but `(cell 1 2 white)` holds\n"), "{said}");
}

/// Moves are listed by any way of writing their beginning, as they can be made by any.
#[test]
fn moves_are_filtered_by_their_beginning() {
    let listed = |game: &str, text: &str| {
        let said = rgc_with_input(["play", game], &format!("moves {text}\nquit\n")).success();
        let (_, list) = said.split_once(&format!("> moves {text}\n")).unwrap();
        list.lines().take_while(|line| line.starts_with("  ") || line.starts_with("no ")).count()
    };
    assert_eq!(listed("connectFour.rbg", "d"), 1, "a column");
    assert_eq!(listed("connectFour.rbg", "d1"), 1);
    assert_eq!(listed("connectFour.rbg", "rx3"), 1);
    assert_eq!(listed("connectFour.rbg", ""), 7);
    assert_eq!(listed("breakthrough.rbg", "b"), 3, "what begins there, not what ends there");
    assert_eq!(listed("breakthrough.rbg", "b2"), 3);
    assert_eq!(listed("breakthrough.rbg", "b2 c"), 1);
    assert_eq!(listed("breakthrough.rbg", "b2 "), 3);
    assert_eq!(listed("hexapawn.sbg", "b"), 1);
    let made = rgc_with_input(["play", "connectFour.rbg", "--against", "random"], "d\nq\n").success();
    assert!(made.contains("\n1 . . . y "), "what means one move only makes it: {made}");
    let none = rgc_with_input(["play", "breakthrough.rbg"], "moves z\nmoves b9\nquit\n").success();
    assert_eq!(none.matches("no legal move begins with").count(), 2, "{none}");
}

/// A move without tags has a name that can be read, and typed.
#[test]
fn moves_without_tags() {
    let scratch = Scratch::new("no-tags");
    let (file, saved) = (scratch.path("game.rg"), scratch.path("play.jsonl"));
    let text = "type Player = { a };\ntype Score = { 0, 50 };\nbegin, choose: player = a;\nchoose, on: $ go;\n\
        on, end: player = keeper;\nchoose, end: player = keeper;\n";
    fs::write(&file, text).unwrap();
    let commands = format!("moves\nmoves (no\n(no tags)\nsave {saved}\nquit\n");
    let said = rgc_with_input(["play", &file], &commands).success();
    assert!(said.contains("2 legal moves: (no tags), go") && said.contains("> moves (no\n  1. (no tags)\n>"), "{said}");
    assert!(said.contains("> (no tags)\n") && said.contains("the game is over"), "{said}");
    assert!(rgc(["replay", &saved]).success().contains("1. a: (no tags)\n"));
    assert!(rgc(["moves", &file]).success().contains("\n  1. (no tags)\n"));
    assert!(rgc(["moves", &file, "--play", "(no tags)"]).success().contains("the game is over"));
    assert!(rgc(["perft", &file, "1", "--divide"]).success().starts_with("(no tags) "));
}

/// What was missing is said: a position, a game, or nothing.
#[test]
fn usage_says_what_is_required() {
    for (name, message) in
        [("connectFour", "is a bundled game; a file with a position"), ("none.json", "no such file; a file")]
    {
        let run = rgc(["match", "connectFour", "--players", "random", "--games", "1", "--position", name]);
        assert!(run.code == 1 && run.stderr.contains(message), "{}", run.stderr);
    }
    assert_eq!(rgc(["help", "--help"]).success(), rgc(["help"]).success());
    assert!(rgc(["optimize", "--help"]).success().contains("rgc optimize [OPTIONS] <FILE>\n"));
}

/// A square that is typed is not the beginning of a longer number.
#[test]
fn a_square_is_not_part_of_a_number() {
    let said = rgc_with_input(["play", "battleships", "--as", "first,second"], "a1 across\nb1\nb10\n").success();
    assert!(said.contains("`b1` is not a legal move"), "{said}");
    assert!(said.contains("`b10` is not a complete move. Did you mean `b10 across`?"), "the whole number is: {said}");
    assert_eq!(rgc(["moves", "battleships", "--play", "a1 across; b1"]).code, 1);
}

#[test]
fn why_names_what_is_there() {
    let said = rgc_with_input(["play", "oware", "--as", "south,north"], "why zz\nwhy H12\nwhy H8\n").success();
    assert!(said.contains("there is no place or name `zz` in this game\n"), "{said}");
    assert!(said.contains("there is no place or name `H12` in this game; did you mean `H1`"), "{said}");
    assert!(said.contains("it needs `owner[house] == me`, but `owner[H8]` is `north`, and `me` is `south`"), "{said}");
    let said = rgc_with_input(["play", "chess", "--as", "white,black"], "e2e4\ne7e5\ne1e2\na7a6\nwhy e1g1\nwhy e3e4\n");
    let said = said.success();
    assert!(said.contains("`e1` is empty\n") && said.contains("`e3e4` is not legal: `e3` is empty\n"), "{said}");
}

#[test]
fn why_a_move_is_not_legal() {
    let said = sit(&["--as", "x,o"], "a1\nwhy a1\nwhy b2\nwhy d4\n");
    assert!(said.contains("it needs `board[cell] == empty`, but it is `x`"), "{said}");
    assert!(said.contains("ticTacToe.rg:28:1: chosen, free: board[cell] == empty;"), "{said}");
    assert!(said.contains("`b2` is legal") && said.contains("there is no place or name `d4` in this game"), "{said}");
    let input = "why a1 a2\nwhy a1 b1\n";
    let said = rgc_with_input(["play", &game("rbg/breakthrough.rbg"), "--as", "white,black"], input).success();
    assert!(said.contains("the piece on `a2` must be `e`, but it is `w`"), "{said}");
    assert!(said.contains("breakthrough.rbg:25:14: forward"), "{said}");
    let input = "why b1\nwhy e7e5\nwhy e7e4\nwhy e1g1\nwhy a8a9\na8a9\n";
    let said = rgc_with_input(["play", &game("rbg/chess.rbg"), "--as", "white,black"], input).success();
    for wanted in [
        "legal moves begin with `b1`: `b1a3`, `b1c3`\n",
        "`e7e5` is not legal: it would be a move of black, but white is to move\n",
        "`e7e4` is not legal: no move can begin at `e7` now.\n  There the piece on `e7` is `bP`, and moves need one of `wP`,",
        "the piece on `f1` must be `e`, but it is `wB`\n",
        "`a8a9` is not legal: `a9` is not on the board\n",
        "`a8a9` is not a legal move: `a9` is not on the board. Type",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    // What is legal at a10 says nothing of a1.
    let said = rgc_with_input(["play", &game("rbg/hex.rbg"), "--as", "red,blue"], "a1\nb1\nwhy a1\n").success();
    assert!(said.contains("is not legal") && !said.contains("legal moves begin"), "{said}");
    let said = rgc_with_input(["play", &game("sbg/hexapawn.sbg"), "--as", "white,black"], "why a1b2\n").success();
    assert!(said.contains("`a1b2` is not legal, because of one condition:"), "{said}");
}

/// Through a pipe there is no screen to fill: that is said before anything is read or played.
#[test]
fn a_full_screen_needs_a_terminal() {
    let run = rgc_with_input(["play", "ticTacToe", "--full-screen"], "b2\nquit\n");
    assert!(run.code == 1 && run.stdout.is_empty(), "{}", run.stdout);
    assert!(run.stderr.contains("IO352") && run.stderr.contains("standard input is not one"), "{}", run.stderr);
}

#[test]
fn saved_plays_go_on() {
    let scratch = Scratch::new("play-save");
    let file = scratch.path("play.jsonl");
    let said = sit(&["--as", "x,o"], &format!("a1\nb1\na2\nsave {file}\nquit\n"));
    assert!(said.contains("saved to "), "{said}");
    let said = sit(&["--as", "x,o", "--resume", &file], "undo\na2\nb2\na3\n");
    assert!(said.starts_with("resumed: game 0 of ") && said.contains("after 3 moves\n"), "{said}");
    assert!(said.contains("\n3 . . .\n2 x . .\n1 x o .\n"), "{said}");
    assert!(said.contains("scores: x 100, o 0"), "{said}");
    let said = sit(&["--as", "x,o"], &format!("resume {file}\nb2\nquit\n"));
    assert!(said.contains("x to move, 5 legal moves"), "{said}");
    let other = rgc(["play", &game("rg/race.rg"), "--resume", &file]);
    assert!(other.code == 1 && other.stderr.contains("IO345"), "{}", other.stderr);
    let replayed = rgc(["replay", &file]).success();
    assert!(replayed.contains("game 0: x human, o human") && replayed.contains("not over"), "{replayed}");
}

#[test]
fn nothing_hidden_is_shown() {
    let run = |player: &str, input: &str| {
        rgc_with_input(["play", &game("hrg/kuhnPoker.hrg"), "--as", player, "--against", "uct:50p"], input).success()
    };
    let said = run("first", "board\nwhy call\nbet\n");
    let (before, after) = said.split_once("> bet").unwrap();
    assert_eq!(before.matches("something hidden").count(), 2, "one card, shown twice: {said}");
    assert!(!before.contains("hand") && !before.contains("card ="), "{said}");
    assert!(before.contains("the reason may be something that is hidden from you"), "{said}");
    assert!(after.contains("hand first second") && after.contains("the game is over"), "the end is open: {said}");
}

#[test]
fn wrong_command_lines() {
    let ttt = game("rg/ticTacToe.rg");
    for (arguments, said) in [
        (vec!["play", &ttt, "--as", "y"], "there is no player `y`; the players are x, o"),
        (vec!["play", "-"], "standard input is where the moves come from"),
        (vec!["play", &ttt, "--against", "minimax"], "there is no agent `minimax`"),
        (vec!["play", &ttt, "--against", "rndom"], "there is no agent `rndom` (did you mean `random`?)"),
        (vec!["play", &ttt, "--against", "ab:depht=3"], "`ab` has no option `depht=3` (did you mean `depth`?)"),
        (vec!["match", &ttt, "--players", "random,uct:1q"], "`1q` is not a budget"),
        (vec!["match", &ttt, "--players", "random", "--games", "0"], "a whole number of at least 1 is expected"),
        (vec!["match", &ttt, "--players", "random", "--max-plies", "0"], "a whole number of at least 1 is expected"),
        (vec!["match", &ttt], "--players"),
        (vec!["match", &game("hrg/kuhnPoker.hrg"), "--players", "ab"], "something is hidden"),
        (vec!["replay", "/nowhere.jsonl"], "IO301"),
        (vec!["replay", &ttt], "IO343"),
        (vec!["replay", &ttt], "this is not the first line of a record of games, which is a JSON object in a line"),
        (vec!["moves", &ttt, "--position", "/"], "`/` is a folder; a file with a position is expected"),
    ] {
        let run = rgc(&arguments);
        assert!(run.code != 0 && run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
}

/// Whatever a command writes, the rules it reads stay.
#[test]
fn the_game_is_not_overwritten() {
    let scratch = Scratch::new("overwritten");
    let game = scratch.path("game.rbg");
    let text = rgc(["games", "--show", "connectFour.rbg"]).stdout;
    fs::write(&game, &text).unwrap();
    let other_name = format!("{}/../{}/game.rbg", scratch.folder(), scratch.folder().rsplit('/').next().unwrap());
    let refused = |arguments: &[&str], input: &str| {
        let run = rgc_with_input(arguments, input);
        // At play, what cannot be done is said where the play is shown.
        let said = run.stdout + &run.stderr;
        assert!(said.contains("is the game itself"), "{arguments:?}: {said}");
        assert_eq!(fs::read_to_string(&game).unwrap(), text, "{arguments:?}");
    };
    refused(&["match", &game, "--players", "random", "--games", "1", "--record", &game], "");
    refused(&["match", &game, "--players", "random", "--games", "1", "--force", "--record", &game], "");
    refused(&["audit", &game, "--playouts", "1", "--html", &game], "");
    refused(&["play", &game, "--against", "random"], &format!("save {game}\n"));
    refused(&["play", &game, "--against", "random", "--force"], &format!("save {game}\n"));
    let link = scratch.path("link.rbg");
    fs::hard_link(&game, &link).unwrap();
    for output in [&game, &other_name, &link] {
        refused(&["translate", &game, "--to", "rg", "-o", output], "");
        refused(&["translate", &game, "--to", "ll-rbg", "-o", output], "");
        refused(&["graph", &game, "--to", "dot", "-o", output], "");
        refused(&["optimize", &game, "-o", output], "");
        refused(&["compile", &game, "--emit", "rust", "-o", output], "");
    }
    let input = scratch.path("000-input.rg");
    let small = rgc(["games", "--show", "ticTacToe.rg"]).stdout;
    fs::write(&input, &small).unwrap();
    let run = rgc(["optimize", &input, &format!("--dump-passes={}", scratch.folder())]);
    assert!(run.code == 1 && run.stderr.contains("is the game itself"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&input).unwrap(), small);
}

/// Rules in another language are replaced only if that is wanted.
#[test]
fn rules_in_another_language_are_not_overwritten() {
    let scratch = Scratch::new("foreign");
    let (other, same) = (scratch.path("other.sbg"), scratch.path("same.rg"));
    for arguments in
        [&["translate", "ticTacToe", "--to", "rg"][..], &["optimize", "ticTacToe"], &["graph", "ticTacToe"]]
    {
        fs::write(&other, "rules").unwrap();
        let refused = rgc([arguments, &["-o", &other]].concat());
        let named_by = refused.stderr.contains("IO356");
        assert!(
            refused.code == 1 && (named_by || refused.stderr.contains("IO354")),
            "{arguments:?} {}",
            refused.stderr
        );
        assert_eq!(fs::read_to_string(&other).unwrap(), "rules");
        if !named_by {
            rgc([arguments, &["-o", &other, "--force"]].concat()).success();
            assert_ne!(fs::read_to_string(&other).unwrap(), "rules");
        }
    }
    for _ in 0..2 {
        rgc(["translate", "ticTacToe", "--to", "rg", "-o", &same]).success();
    }
}

/// Plays that took hours are not lost by a second run of the same line; a play may be saved where it was saved before.
#[test]
fn records_are_not_overwritten() {
    let scratch = Scratch::new("records");
    let record = scratch.path("plays.jsonl");
    let run = |seed: &str, more: &[&str]| {
        let fixed = ["match", "ticTacToe", "--players", "random", "--games", "2", "--seed", seed, "--record", &record];
        rgc([&fixed, more].concat())
    };
    run("1", &[]).success();
    let first = fs::read_to_string(&record).unwrap();
    let again = run("2", &[]);
    assert!(again.code == 1 && again.stderr.contains("IO354") && again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(fs::read_to_string(&record).unwrap(), first);
    run("2", &["--force"]).success();
    let second = fs::read_to_string(&record).unwrap();
    assert_ne!(second, first);

    // The match has two plays, of which saving one would lose the other.
    let resumed = rgc_with_input(["play", "ticTacToe", "--resume", &record], &format!("save {record}\n")).success();
    assert!(resumed.starts_with("resumed: game 1 of ") && resumed.contains("the last of 2 games"), "{resumed}");
    assert!(resumed.contains("already exists"), "{resumed}");
    assert_eq!(fs::read_to_string(&record).unwrap(), second);
    let saved = scratch.path("saved.jsonl");
    let commands = format!("a1\nsave {saved}\nb1\nsave {saved}\nquit\n");
    assert_eq!(sit(&["--as", "x,o"], &commands).matches("saved to ").count(), 2);
    let commands = format!("c3\nsave {saved}\nquit\n");
    let on = sit(&["--as", "x,o", "--resume", &saved], &commands);
    assert!(on.contains("after 2 moves") && on.contains("saved to "), "{on}");
    let other = sit(&["--as", "x,o"], &commands);
    assert!(other.contains("already exists"), "{other}");

    // Neither is it the place of another play that was resumed before, nor of moves that were taken back.
    let another = scratch.path("another.jsonl");
    sit(&["--as", "x,o"], &format!("b2\nsave {another}\nquit\n"));
    let kept = fs::read_to_string(&saved).unwrap();
    let both = sit(&["--as", "x,o"], &format!("resume {saved}\nresume {another}\nsave {saved}\nquit\n"));
    assert!(both.contains("already exists"), "{both}");
    let back = sit(&["--as", "x,o", "--resume", &saved], &format!("undo\nsave {saved}\nquit\n"));
    assert!(back.contains("already exists"), "{back}");
    assert_eq!(fs::read_to_string(&saved).unwrap(), kept);
}

/// A record says where its game was; where that does not help, it is said what does.
#[test]
fn games_of_records_are_asked_for() {
    let scratch = Scratch::new("places");
    let text = rgc(["games", "--show", "ticTacToe.rg"]).stdout;
    let piped = scratch.path("piped.jsonl");
    rgc_with_input(["match", "-", "--players", "random", "--games", "2", "--record", &piped], &text).success();
    let run = rgc(["replay", &piped]);
    assert!(run.code == 1 && run.stderr.contains("IO355"), "{}", run.stderr);
    assert!(run.stderr.contains("standard input") && run.stderr.contains("--game FILE"), "{}", run.stderr);
    assert_eq!(rgc(["replay", &piped, "--quiet", "--game", "ticTacToe.rg"]).success(), "verified: 2 games\n");
    let lines = fs::read_to_string(&piped).unwrap();
    for arguments in [&["replay", "-"][..], &["replay", "-", "--game", "-"]] {
        let run = rgc_with_input(arguments, &lines);
        assert!(run.code == 1 && run.stderr.contains("IO355"), "{arguments:?}: {}", run.stderr);
    }
    let moved = scratch.path("moved.jsonl");
    fs::write(&moved, lines.replacen("\"game\":\"-\"", "\"game\":\"folder/gone.rg\"", 1)).unwrap();
    let run = rgc(["replay", &moved]);
    assert!(run.code == 1 && run.stderr.contains("`folder/gone.rg`, is not there"), "{}", run.stderr);
    assert!(run.stderr.contains("--game FILE"), "{}", run.stderr);
    // Nothing was verified, which is no success.
    fs::write(&moved, lines.lines().next().unwrap()).unwrap();
    let run = rgc(["replay", &moved, "--game", "ticTacToe.rg"]);
    assert!(run.code == 1 && run.stderr.contains("no complete games"), "{}", run.stderr);
}

/// A record says who played; if that does not fit the game, or its lines do not follow each other, it is refused before any move.
#[test]
fn records_fit_their_game() {
    let scratch = Scratch::new("fits");
    let record = scratch.path("plays.jsonl");
    rgc(["match", "ticTacToe.rg", "--players", "random", "--games", "3", "--record", &record]).success();
    let text = fs::read_to_string(&record).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let header: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    let players: Vec<&str> = header["players"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let [first, second] = players[..] else { panic!("{header}") };
    let swapped = lines[0].replace(&format!("[\"{first}\",\"{second}\"]"), &format!("[\"{second}\",\"{first}\"]"));
    let seats = lines[1].replacen("\"seats\":[\"random\",", "\"seats\":[", 1);
    let split = lines[1].replacen("\"moves\":[\"", "\"moves\":[\"x #2\",\"", 1);
    for (text, message) in [
        ([&*swapped, lines[1], lines[2], lines[3]], "the record has the players"),
        ([lines[0], lines[2], lines[1], lines[3]], "it stands where game 0 is expected"),
        ([lines[0], &*seats, lines[2], lines[3]], "it has 1 seat, the game has 2 players"),
        ([lines[0], &*split, lines[2], lines[3]], "the header says `split: false`"),
    ] {
        fs::write(&record, text.join("\n") + "\n").unwrap();
        let run = rgc(["replay", &record, "--quiet"]);
        assert!(
            run.code == 1 && run.stderr.contains("IO344") && run.stderr.contains(message),
            "{message}: {}",
            run.stderr
        );
    }
    // What was cut off within its last line is verified up to there.
    let whole = lines[..3].join("\n").len() + 1;
    for length in [whole + 1, whole + 40, text.len() - 2] {
        fs::write(&record, &text[..length]).unwrap();
        let run = rgc(["replay", &record, "--quiet"]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "verified: 2 games\n"), "{length}: {}", run.stderr);
        assert!(run.stderr.contains("IO360") && run.stderr.contains("plays.jsonl:4:"), "{length}: {}", run.stderr);
    }
}

/// While one program writes a record, another one cannot.
#[test]
fn two_programs_do_not_write_one_record() {
    let scratch = Scratch::new("lock");
    let record = scratch.path("plays.jsonl");
    let held = fs::File::create(&record).unwrap();
    held.lock().unwrap();
    let line = ["match", "ticTacToe.rg", "--players", "random", "--games", "1", "--record", &record, "--force"];
    let run = rgc(line);
    assert!(run.code == 1 && run.stderr.contains("IO359"), "{}", run.stderr);
    drop(held);
    rgc(line).success();
}

/// What no rule can lead to is said: a name that the game does not have, or a value that no move can have now.
#[test]
fn why_names_what_is_unknown_or_impossible() {
    let why = |file: &str, arguments: &[&str], input: &str| {
        rgc_with_input([&["play", &game(file)], arguments].concat(), input).success()
    };
    let drop = why("gdl/connectFour.gdl", &[], "why (drop 9)\nwhy (drob 1)\n");
    assert!(drop.contains("there is no place or name `9` in this game; legal moves: `(drop 1)`"), "{drop}");
    assert!(drop.contains("`drob` in this game; did you mean `drop`?"), "{drop}");
    let checkers = why("hrg/backgammon.hrg", &["--as", "white,black"], "why P1 1\nwhy P30 1\n");
    assert!(!checkers.contains("no explanation"), "{checkers}");
    assert!(checkers.contains("no move can have `1` there now; legal moves have `2`"), "{checkers}");
    assert!(checkers.contains("there is no place or name `P30`"), "{checkers}");
}

/// What every legal move begins with, such as taking away a mark, is not what is missing; and what is there is named.
#[test]
fn why_follows_the_move_that_was_typed() {
    let input = "e2e4\ne7e5\nwhy e1g1\nwhy b1b3\nwhy b1d2\nwhy e4d5\n";
    let chess = rgc_with_input(["play", "chess", "--as", "white,black"], input).success();
    assert!(
        !chess.contains("count[") && chess.contains("because of 2 conditions:\n  the piece on `f1` must"),
        "{chess}"
    );
    assert!(chess.contains("`b1b3` is not legal: no rule leads there from `b1`; legal from there: `b1a3`, `b1c3`\n"));
    assert!(chess.contains("`bRu`, `e`, but it is `wP`, one of your own\n"), "{chess}");
    assert!(chess.contains("the piece on `d5` must be one of `bB`,") && !chess.contains("a condition of"), "{chess}");
    let reversi = rgc_with_input(["play", "reversi"], "why e6\n").success();
    assert!(reversi.contains("`{? encloses(mine; theirs)}` must hold on `e6`, but it does not\n"), "{reversi}");
    let go = rgc_with_input(["play", "go9"], "why a1 b1\n").success();
    assert!(go.contains("`a1` alone is a move, and no rule goes on from there\n"), "{go}");
}

/// The system player is called chance, also where moves are hidden.
#[test]
fn chance_is_called_chance() {
    let dice = rgc_with_input(["play", &game("hrg/backgammon.hrg")], "quit\n").success();
    assert!(dice.starts_with("chance: "), "{dice}");
    let cards = rgc_with_input(["play", &game("hrg/leducPoker.hrg")], "quit\n").success();
    assert!(cards.starts_with("chance has moved\n"), "{cards}");
}
