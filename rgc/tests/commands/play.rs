//! `rgc play`, as a user runs it.

use crate::support::{Scratch, game, rgc, rgc_with_input};
use std::fs;

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
        "`b` is not a complete move. Legal moves that start like this: `b1`, `b2`, `b3`\n",
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

/// A question is answered by a word or its beginning; other texts that are no moves are answered with the question.
#[test]
fn choices_are_asked_for_again() {
    let game = game("rbg/losAlamosChess.rbg");
    let before = "b2b3\na5a4\nb3a4\nf5f4\na4a5\nf4f3\na5b6\n";
    let said = |answers: &str| {
        rgc_with_input(["play", &game, "--as", "white,black"], &format!("{before}{answers}quit\n")).success()
    };
    let asked = said("queen\n9.\n1.\nN\n");
    assert!(asked.contains("`queen` is none of them; which one? "), "{asked}");
    assert!(asked.contains("`9.` is none of them; which one? "), "{asked}");
    assert!(asked.contains("`1.` is none of them; which one? "), "the question has no numbers: {asked}");
    let (_, first) = asked.split_once("which one? ").unwrap();
    let word = first.split([',', '\n']).next().unwrap();
    let board = |said: &str| {
        said.rsplit_once("> quit")
            .unwrap()
            .0
            .rsplit_once("> ")
            .unwrap()
            .1
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(board(&asked), board(&said(&format!("{word}\n"))));
}

/// The number of a move in the list has a dot: without it, it is no move, unless moves are called so.
#[test]
fn lone_numbers_are_no_moves() {
    for game in ["ticTacToe.rbg", "nim.rbg", "pentagoSplit.rbg", "theMillGame.rbg", "hex5.rbg"] {
        let run = rgc(["moves", game, "--play", "1"]);
        assert!(run.code == 1 && run.stderr.contains("has a dot: `1.`"), "{game}: {}{}", run.stdout, run.stderr);
    }
}

/// What is typed by people who know chess programs, or shells, is answered with what to type.
#[test]
fn misread_lines() {
    let input =
        "Nf3\nO-O\nhelp foo\nhelp bord\n-1.\n5\nundo 3\nhello\nwhy e1g1\nwhy e2e5\ne2e4\nNEW\nQUIT\nnever read\n";
    let said = rgc_with_input(["play", &game("rbg/chess.rbg"), "--as", "white,black"], input).success();
    for wanted in [
        "`Nf3` does not say where the piece comes from. Type from and to, here `g1f3`\n",
        "castling is the move of the king, not `O-O`. Type where the king goes from and to, such as `e1g1`\n",
        "unknown command `foo`. `help` lists the commands\n",
        "unknown command `bord`. Did you mean `board`?\n",
        "there is no move `-1.`; moves are numbered from 1. to 20. Type `moves`",
        "`5` is not a legal move. Move 5 of the list is `5.`, with a dot\n",
        "`undo` takes no arguments. Type `undo` alone\n",
        "`hello` is neither a legal move nor a command.",
        "`e1g1` is not legal, because of 2 conditions:\n  `f1` must be empty, but it holds `wB`\n",
        "`e2e5` is not legal: there is no way from `e2` to `e5` now; legal from there: `e2e3`, `e2e4`\n",
        "pieces: e = enpassant (a mark, not a piece)\n",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    // Whose move it is says which king castles.
    let black = "e2e4\nO-O\n0-0-0\nwhy O-O\n";
    let said_to_black = rgc_with_input(["play", &game("rbg/chess.rbg"), "--as", "white,black"], black).success();
    assert!(
        said_to_black.contains("such as `e8g8`\n") && said_to_black.contains("such as `e8c8`\n"),
        "{said_to_black}"
    );
    assert!(!said_to_black.contains("e1g1"), "{said_to_black}");
    assert!(said.ends_with("> QUIT\n") && said.matches("white to move").count() == 2, "{said}");
}

/// What stands behind a legal move and is not understood is named, with the move; a full column is explained as `why` does.
#[test]
fn legal_moves_with_something_behind_them() {
    let promotes = "a2a4; b7b5; a4b5; a7a6; b5a6; c8b7; a6b7; h7h6";
    for (game, before, text, message) in [
        ("chess", "", "e2e4!", "`e2e4!` is not a legal move; did you mean `e2e4`?\n"),
        ("chess", "", "e2e4=Q", "`=Q` behind `e2e4` is not understood; did you mean `e2e4`?\n"),
        ("chess", "", "e4!", "`e4!` is not a legal move. A move is written like `"),
        ("chess", promotes, "b7a8(Q)", "did you mean `b7a8=Q`?\n"),
        ("chess", promotes, "bxa8=Q", "Type from and to, here `b7a8=Q`\n"),
        ("amazons.rbg", "", "a4a5/a6", "did you mean `a4a5a6`?\n"),
        ("chess", "", "e2e9!", "`e9` is not on the board."),
    ] {
        let said =
            rgc_with_input(["play", game, "--as", "white,black", "--play", before], &format!("{text}\n")).success();
        assert!(said.contains(message) && !said.contains("vertex"), "{text}: {said}");
    }
    for game in ["connectFour.rbg", "connectFour.hrg"] {
        let play = ["play", game, "--as", "yellow,red", "--play", "d;d;d;d;d;d"];
        let said = rgc_with_input(play, "d\nD\nh\n").success();
        assert_eq!(
            said.matches("is not legal, because of one condition:\n  `d6` must be empty, but it holds `r").count(),
            2
        );
        assert!(said.contains("`h` is neither a legal move nor a command."), "{said}");
    }
}

/// One text names all places where a piece comes down: between the jumps of one move, where the rules name what is captured, and between moves that a
/// player makes one after another. It is no such text if a part of it is not legal, and then nothing is played.
#[test]
fn ways_are_typed_in_one_go() {
    let english = "c3b4; f6e5; g3h4; b6c5; f2g3; h6g5; h4f6; e7g5; e3d4; e5c3; ";
    let international = "b4c5; c7d6; h4g5; d6b4; c3a5; e7d6; g5f6; ";
    for (game, before, way, wrong) in [
        ("englishDraughts.rbg", english, "b2d4b6", "b2a3b6"),
        ("internationalDraughts.rbg", international, "g7e5c3", "g7f5c3"),
    ] {
        let jumped = rgc(["moves", game, "--play", &format!("{before}{way}")]);
        assert_eq!(jumped.code, 0, "{game}: {}", jumped.stderr);
        assert_eq!(rgc(["moves", game, "--play", &format!("{before}{wrong}")]).code, 1, "{game}");
    }
    let split = |input: &str| rgc_with_input(["play", "amazonsSplit.rbg", "--as", "white,black"], input).success();
    let both = split("a4a3c3\n");
    assert!(both.contains("white: a4a3\nwhite: c3\n") && both.contains("black to move"), "{both}");
    let none = split("a4a3a4a5\n");
    assert!(!none.contains("white: a4a3") && none.matches("white to move").count() == 1, "{none}");
}

/// `help` ends with what the game says about its moves.
#[test]
fn help_says_what_moves_are() {
    let said = rgc_with_input(["play", "backgammon.hrg", "--as", "white,black"], "help\n").success();
    assert!(said.contains("\nMoves: of chance: both dice;") && !said.contains("Scores: what was won"), "{said}");
    // What is nowhere yet takes no room.
    assert!(said.contains("\ncheckers P1 ") && !said.contains("checkers bar off"), "{said}");
}

/// Words of other programs, moves without `;` between them, and places where no move is possible any more.
#[test]
fn what_to_type_instead() {
    let input = "resign\nredo\na1 b2\nwhy --rules\na1\na1\na2;a2\n";
    let said = sit(&["--as", "x,o"], input);
    for wanted in [
        "`resign` is not a command here. `quit` ends the game\n",
        "`redo` is not a command here. Type the moves again that `undo` took back\n",
        "`a1 b2` is not a legal move. Several moves in a line are separated by `;`: `a1; b2`\n",
        "> why --rules\na move is missing: `why MOVE`\n",
        "> a1\n`a1` is not a legal move. Type `moves` to list",
        "`a2` was not played: `a2` is not a legal move.",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    let twice = rgc(["moves", &game("rg/ticTacToe.rg"), "--play", "a1;a1"]).stderr;
    assert!(twice.contains("`a1` is not a legal move\n"), "{twice}");
    assert!(twice.contains("legal in this position: `a2`, `a3`, `b1`, "), "{twice}");
}

/// A line that is too long for anything is not repeated.
#[test]
fn long_lines_are_not_repeated() {
    let long = "a1 ".repeat(400_000);
    let said = sit(&["--as", "x,o"], &format!("{long}\nwhy {long}\na1\n"));
    assert!(said.len() < 4_000 && said.matches("the line is too long for a move or a command\n").count() == 2);
    assert!(said.ends_with("Input ended before the game was over.\n") && said.contains("o to move, 8 legal"), "{said}");
}

/// The name of a file may stand in quotation marks, as in a shell.
#[test]
fn names_of_files_may_be_quoted() {
    let scratch = crate::support::Scratch::new("quoted");
    let path = scratch.path("a b.jsonl");
    let said = sit(&["--as", "x,o"], &format!("a1\nsave \"{path}\"\nnew\nresume '{path}'\n"));
    assert!(said.contains(&format!("saved to {path}\n")) && said.contains("after 1 move\n"), "{said}");
}

/// Several moves in a line are made as long as humans are to move; the rest is named.
#[test]
fn several_moves_at_once() {
    let both = sit(&["--as", "x,o"], "a1;b1; a2\nb2;b2;c3\nundo\nb2;a3;c1\nmoves\nmove\n");
    assert!(both.contains("o to move, 6 legal moves") && both.contains("`b2` was not played: "), "{both}");
    assert!(both.contains("`c1` was not played: the game is over. `new` starts again"), "{both}");
    assert!(both.contains("> moves\nthe game is over: there are no legal moves; `new` starts again"), "{both}");
    assert!(
        both.ends_with("> move\nthe game is over. `new` starts again, `undo` takes a move back, `quit` ends\n"),
        "{both}"
    );
    let one = sit(&["--against", "random"], "a1;b1\nquit\n");
    assert!(one.contains("> a1;b1\n`b1` was not played: another player is to move\n"), "{one}");
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

/// Through a pipe there is no screen to fill: that is said before anything is read or played.
#[test]
fn a_full_screen_needs_a_terminal() {
    let run = rgc_with_input(["play", "ticTacToe", "--full-screen"], "b2\nquit\n");
    assert!(run.code == 1 && run.stdout.is_empty(), "{}", run.stdout);
    assert!(run.stderr.contains("IO352") && run.stderr.contains("standard input is not one"), "{}", run.stderr);
}

#[test]
fn nothing_hidden_is_shown() {
    let run = |player: &str, input: &str| {
        rgc_with_input(["play", &game("hrg/kuhnPoker.hrg"), "--as", player, "--against", "uct:50p"], input).success()
    };
    let said = run("first", "board\nwhy call\nbet\n");
    let (before, after) = said.split_once("> bet").unwrap();
    assert_eq!(before.matches("something hidden").count(), 2, "one card, shown twice: {said}");
    assert_eq!(before.matches("hand first second\n     queen      ?\n").count(), 2, "only one's own card: {said}");
    assert!(!before.contains("jack") && !before.contains("king") && !before.contains("card ="), "{said}");
    assert!(before.contains("the reason may be something that is hidden from you"), "{said}");
    assert!(after.contains("hand first second") && after.contains("the game is over"), "the end is open: {said}");
}

/// The boards are shown as far as the player to move knows them: its own fleet, and shots with their answers, but nothing of the other fleet.
#[test]
fn boards_show_what_a_player_knows() {
    let own = "a1 across; b2 up; c2 up; d2 up; e2 up";
    let shown = |other: &str| {
        let play = format!("{own}; {other}; j1; j10; a10; b3");
        rgc_with_input(["play", "battleships", "--as", "first,second", "--play", &play], "quit\n").success()
    };
    let one = shown("a1 across; a2 across; a3 across; a4 across; a5 across");
    assert!(one.contains("\n 3 . s s s s . . . . .\n") && one.contains("\n 1 s s s s s . . . . .\n"), "{one}");
    assert!(one.contains("sea[first]:") && !one.contains("sea[second]") && one.contains("pieces: s = ship"), "{one}");
    assert!(
        one.contains("\n10 m . . . . . . . . .   10 . . . . . . . . . m\n"),
        "one's own shots and those at one: {one}"
    );
    assert!(one.contains("\n 3 . . . . . . . . . .    3 . h . . . . . . . .\n"), "{one}");
    // What is hidden makes no difference.
    assert_eq!(one, shown("e1 up; f1 up; g1 up; h1 up; i1 up"));
    assert_ne!(one, shown("f1 across; f2 across; f3 across; f4 across; f5 across"), "another answer was heard");
}

/// What the board shows of a piece can be typed, where there is one such piece and one move of it, and asked about.
#[test]
fn signs_of_the_board_are_read() {
    let said = rgc_with_input(["play", "fifteenPuzzle.rbg"], "why t1\n15\n5\nT2\n").success();
    assert!(said.contains("> why t1\n`a4` holds `t1`, which has no legal move now"), "{said}");
    assert!(said.contains("> 15\n`15` is not a legal move: what is on `c1` has no legal move now."), "{said}");
    assert!(said.contains("> 5\nsolver: a3b3\n"), "{said}");
    // What looks like a place, or the number of one, is what stands on the board.
    let said = rgc_with_input(["play", "fifteenPuzzle.rbg"], "t7\n7\nwhy 7\n").success();
    assert_eq!(said.matches("7` is not a legal move: what is on `c2` has no legal move now.").count(), 2, "{said}");
    assert!(said.contains("> why 7\n`c2` holds `t7`, which has no legal move now"), "{said}");
    // Where moves name pieces, those that cannot move are known.
    for (game, place, legal) in
        [("fifteenPuzzle.hrg", "c2", "`2`, `5`"), ("fifteenPuzzle.gdl", "c3", "`(push 2)`, `(push 5)`")]
    {
        let said = rgc_with_input(["play", game], "why 7\nwhy t7\n").success();
        let wanted = format!("`7`, which is on `{place}`, has no legal move now; legal moves: {legal}, ");
        assert!(
            said.contains(&wanted) && said.contains("`t7` is not the name of a single piece on the board"),
            "{said}"
        );
    }
    let board = rgc_with_input(["play", "connectFour.rbg", "--as", "red,yellow"], "d\nd\nr\n").success();
    assert!(board.contains("> r\n`r` is "), "a piece that makes no move: {board}");
}

#[test]
fn wrong_command_lines() {
    let ttt = game("rg/ticTacToe.rg");
    for (arguments, said) in [
        (vec!["play", &ttt, "--as", "y"], "there is no player `y`; the players are x, o"),
        (vec!["play", &ttt, "--as", "x,x"], "player `x` is named twice"),
        (vec!["play", &ttt, "--as", "x", "--as", "x"], "player `x` is named twice"),
        (vec!["play", &ttt, "--as", "none,x"], "`none` stands for no player"),
        (vec!["match", &ttt, "--players", "random", "--opening", "-3"], "`-3` is not a number of random moves"),
        (vec!["perft", &ttt], "a number of moves is expected after the games, as in `rgc perft "),
        (vec!["help", "chek"], "tip: a similar subcommand exists: 'check'\n\nUsage: rgc "),
        (vec!["play", "-"], "standard input is where the moves come from"),
        (vec!["play", &ttt, "--against", "minimax"], "there is no agent `minimax`"),
        (vec!["play", &ttt, "--against", "rndom"], "there is no agent `rndom` (did you mean `random`?)"),
        (vec!["play", &ttt, "--against", "ab:depht=3"], "`ab` has no option `depht=3` (did you mean `depth`?)"),
        (vec!["match", &ttt, "--players", "random,uct:1q"], "`1q` is not a budget"),
        (vec!["match", &ttt, "--players", "random", "--games", "0"], "a whole number of at least 1 is expected"),
        (vec!["match", &ttt, "--players", "random", "--max-plies", "0"], "a whole number of at least 1 is expected"),
        (vec!["match", &ttt], "--players"),
        (
            vec!["match", &game("hrg/kuhnPoker.hrg"), "--players", "ab"],
            "some player does not see a move when it is made",
        ),
        (vec!["replay", "/nowhere.jsonl"], "IO301"),
        (vec!["replay", &ttt], "IO343"),
        (vec!["replay", &ttt], "this is not the first line of a record of games, which is a JSON object in a line"),
        (vec!["moves", &ttt, "--position", "/"], "`/` is a folder; a file with a position is expected"),
    ] {
        let run = rgc(&arguments);
        assert!(run.code != 0 && run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
}

/// Of what a player observed, only what is new is shown, and hidden moves are counted; `board` shows everything.
#[test]
fn observations_are_shown_once() {
    let fleet = ["a1", "a2", "a3", "a4", "a5"].map(|cell| format!("{cell} across\n")).concat();
    let arguments = ["play", "battleships", "--against", "random", "--seed", "3"];
    let said = rgc_with_input(arguments, &format!("{fleet}j1\nboard\n")).success();
    assert_eq!(said.matches("\nfirst: a1 across\n").count(), 2, "at once, and for `board`: {said}");
    assert_eq!(said.matches("\nsecond: 5 hidden moves\n").count(), 2, "{said}");
    let undone = rgc_with_input(arguments, "a1 across\na2 across\nundo\n").success();
    assert_eq!(undone.matches("\nfirst: a1 across\n").count(), 2, "at once, and after `undo`: {undone}");
    let (_, shot) = said.split_once("> j1\n").unwrap();
    assert!(shot.starts_with("\nfirst: j1 → ") && !said.contains("has moved"), "{said}");
    let end = rgc_with_input(["play", "kuhnPoker", "--against", "random", "--seed", "1"], "bet\n").success();
    assert!(end.contains("> bet\nsecond: ") && end.contains("the game is over"), "the end is open: {end}");
}

/// What chance did in the turn that goes on is shown, and columns are called as in moves.
#[test]
fn dice_stay_in_sight() {
    let said = rgc_with_input(["play", "backgammon", "--as", "white,black", "--seed", "1"], "P8 5\nstate\n").success();
    let (before, after) = said.split_once("> P8 5\n").unwrap();
    assert!(before.contains("\nthis turn, chance gave: 5 6\nwhite to move"), "{said}");
    assert!(before.contains(" P8 ") && after.contains("\nthis turn, chance gave: 5 6\nplayed of it: P8 5\n"), "{said}");
    assert_eq!(before.matches("5 6").count(), 1, "the dice are shown once: {said}");
    let double = rgc_with_input(["play", "backgammon", "--as", "white,black", "--play", "3 3"], "13 3\n").success();
    assert!(double.matches("this turn, chance gave: 3 3\n").count() == 2 && !double.contains("first = "), "{double}");
    assert!(!before.contains("first = ") && after.contains("first = 5"), "`state` shows all: {said}");
    assert!(after.contains("\ndecision in the rules: 5 of 6\n"), "{said}");
}

/// The system player is called chance, also where moves are hidden.
#[test]
fn chance_is_called_chance() {
    let dice = rgc_with_input(["play", &game("hrg/backgammon.hrg")], "quit\n").success();
    assert!(dice.contains("\nthis turn, chance gave: "), "{dice}");
    let cards = rgc_with_input(["play", &game("hrg/leducPoker.hrg")], "quit\n").success();
    assert!(cards.starts_with("\nchance: ") && cards.contains("\nchance: something hidden\n"), "{cards}");
}

#[test]
fn a_number_before_a_move_is_left_out() {
    let said = rgc_with_input(["play", "chess", "--as", "white,black"], "1. e4\n1. e2e4 e7e5\n").success();
    assert_eq!(said.matches("`1.` stands for a move of the list: leave it out before a move").count(), 2, "{said}");
}
