//! `why` at `rgc play`: what is wrong with a move that is not legal.

use crate::support::{Scratch, game, rgc_with_input};

/// Plays tic-tac-toe through a pipe.
fn sit(arguments: &[&str], input: &str) -> String {
    let game = game("rg/ticTacToe.rg");
    rgc_with_input([&["play", &game], arguments].concat(), input).success()
}

/// Conditions are told by what the rules say of them, not by the names that the translation made.
#[test]
fn why_in_the_words_of_the_rules() {
    let input = "e2e4;e7e5;e1e2;e8e7;e2e1;e7e8;g1f3;b8c6;f1c4;f8c5\nwhy e1g1\nwhy Nd5\n";
    let said = rgc_with_input(["play", &game("rbg/chess.rbg"), "--as", "white,black"], input).success();
    assert!(said.contains("`e1` holds `wK` (with `wKu` there would be one); legal from"), "{said}");
    assert!(said.contains("`Nd5` does not say where the piece comes from"), "{said}");
    let input = "why d6\nd6\nd;d;d;d;d;d\nwhy d\n";
    let said = rgc_with_input(["play", "connectFour.rbg", "--as", "yellow,red"], input).success();
    assert!(said.contains("`d6` is not a move here; the legal move there is `d`\n"), "{said}");
    assert!(said.contains("`d6` is not a legal move. Did you mean `d`?\n"), "{said}");
    assert!(said.contains("`d6` must be empty, but it holds `r`\n"), "{said}");
    let input = "why (move 1 1 1 2)\n";
    let said = rgc_with_input(["play", "breakthrough.gdl", "--as", "white,black"], input).success();
    assert!(said.contains("it needs `(cell 1 2 empty)`, but `(cell 1 2 white)` holds\n"), "{said}");
}

#[test]
fn why_names_what_is_there() {
    let said = rgc_with_input(["play", "oware", "--as", "south,north"], "why zz\nwhy H12\nwhy H8\n").success();
    assert!(said.contains("there is no place or name `zz` in this game; places are named like `H0`\n"), "{said}");
    assert!(said.contains("there is no place or name `H12` in this game; did you mean `H1`"), "{said}");
    assert!(said.contains("it needs `owner[house] == me`, but `owner[H8]` is `north`, and `me` is `south`"), "{said}");
    let said = rgc_with_input(["play", "chess", "--as", "white,black"], "e2e4\ne7e5\ne1e2\na7a6\nwhy e1g1\nwhy e3e4\n");
    let said = said.success();
    assert!(said.contains("`e1` is empty\n") && said.contains("`e3e4` is not legal: `e3` is empty\n"), "{said}");
}

/// Where a board is full at first, the pieces of a player are not taken for empty places.
#[test]
fn why_knows_pieces_of_full_boards() {
    let input = "why b1\nwhy a2a1\na1b1\nwhy a1\nwhy a1a2\n";
    let said = rgc_with_input(["play", "clobber.rbg", "--as", "white,black"], input).success();
    assert!(said.contains("1 w b w b w\n") && said.contains("1 . w w b w\n"), "{said}");
    assert!(said.contains("`b1` holds `b`, a piece of black, but white is to move\n"), "{said}");
    assert!(said.contains("`a2a1` is not legal: `a2` holds `b`, a piece of black, but white is to move\n"), "{said}");
    assert!(said.contains("`a1` is empty; no legal move ends there\n"), "{said}");
    assert!(said.contains("`a1a2` is not legal: `a1` is empty\n"), "{said}");
}

/// What moves take away before their piece goes is no reason why another piece cannot go.
#[test]
fn why_passes_over_marks_that_are_taken_away() {
    let play = ["play", "chess", "--as", "white,black", "--play", "e2e4; a7a6; e4e5; d7d5"];
    let said = rgc_with_input(play, "why g1g3\nwhy e1c1\nwhy e5d6\n").success();
    assert!(
        said.contains("`g1g3` is not legal: there is no way from `g1` to `g3` now; legal from there: `g1e2`, "),
        "{said}"
    );
    assert!(said.contains("`b1` must be empty, but it holds `wN`\n") && said.contains("`e5d6` is legal\n"), "{said}");
    assert!(!said.contains("count[piece_enpassant]"), "{said}");
}

/// Where no condition fails but the rules compute another place from a variable, the values are named with which the move would be legal.
#[test]
fn why_names_the_values_that_would_do() {
    let said = rgc_with_input(["play", "ticTacDie.hrg", "--as", "crosses,noughts", "--play", "3."], "why a1\nwhy c1\n");
    let said = said.success();
    assert!(
        said.contains("`a1` is not legal: it would be legal if `throw` were `1` or `4`, but it is `3`\n"),
        "{said}"
    );
    assert!(said.contains("`c1` is legal\n"), "{said}");
}

/// Where no condition stands in the way, since the rules choose among other places, that is said, with what they offer.
#[test]
fn why_says_what_the_rules_offer() {
    let said = rgc_with_input(["play", "foxAndHounds.hrg"], "why b2\n").success();
    let wanted = "`b2` is not legal: the rules do not offer it here, even with 3 conditions ignored; legal moves: `a1`, `c1`, `e1`, `g1`\n";
    assert!(said.contains(wanted), "{said}");
}

/// Coordinates of a board are understood, though moves name what stands there.
#[test]
fn why_knows_places_that_no_move_names() {
    for (game, corner, beside, push) in
        [("fifteenPuzzle.gdl", "1", "a2", "`(push 5)`"), ("fifteenPuzzle.hrg", "13", "a3", "`5`")]
    {
        let input = format!("why a1\nwhy {}\nwhy a9\n", beside.to_uppercase());
        let said = rgc_with_input(["play", game], &input).success();
        assert!(said.contains(&format!("`a1` holds `{corner}`, but no legal move names it; legal moves: ")), "{said}");
        assert!(said.contains(&format!("`{beside}` holds `5`; legal moves: {push}\n")), "{said}");
        assert!(said.contains("`a9` is not"), "{said}");
    }
}

#[test]
fn why_a_move_is_not_legal() {
    let said = sit(&["--as", "x,o"], "a1\nwhy --rules a1\nwhy b2\nwhy d4\n");
    assert!(said.contains("`a1` must be empty, but it holds `x`\n"), "{said}");
    assert!(said.contains("ticTacToe.rg:28:1: chosen, free: board[cell] == empty;"), "{said}");
    assert!(said.contains("`b2` is legal") && said.contains("there is no place or name `d4` in this game"), "{said}");
    let input = "why a1 a2 --rules\nwhy a1 b1\n";
    let said = rgc_with_input(["play", &game("rbg/breakthrough.rbg"), "--as", "white,black"], input).success();
    assert!(said.contains("`a2` must be empty, but it holds `w`, one of your own"), "{said}");
    assert!(said.contains("breakthrough.rbg:25:14: forward"), "{said}");
    let input = "why b1\nwhy e7e5\nwhy e7e4\nwhy e1g1\nwhy a8a9\na8a9\n";
    let said = rgc_with_input(["play", &game("rbg/chess.rbg"), "--as", "white,black"], input).success();
    for wanted in [
        "legal moves begin with `b1`: `b1a3`, `b1c3`\n",
        "`e7e5` is not legal: `e7` holds `bP`, a piece of black, but white is to move\n",
        "`e7e4` is not legal: `e7` holds `bP`, a piece of black, but white is to move\n",
        "`f1` must be empty, but it holds `wB`\n",
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
    assert!(!chess.contains("count[") && chess.contains("because of 2 conditions:\n  `f1` must be empty"), "{chess}");
    assert!(
        chess
            .contains("`b1b3` is not legal: there is no way from `b1` to `b3` now; legal from there: `b1a3`, `b1c3`\n")
    );
    assert!(
        chess.contains("`d2` must be empty or hold a piece of black, but it holds `wP`, one of your own\n"),
        "{chess}"
    );
    assert!(
        chess.contains("`d5` must hold a piece of black, but it is empty\n") && !chess.contains("a condition of"),
        "{chess}"
    );
    let reversi = rgc_with_input(["play", "reversi"], "why e6\n").success();
    assert!(reversi.contains("`encloses(mine; theirs)` must be possible at `e6`, but it is not\n"), "{reversi}");
    let go = rgc_with_input(["play", "go9"], "why a1 b1\n").success();
    assert!(go.contains("`a1` alone is a move, and no rule goes on from there\n"), "{go}");
}

/// Before anything about rules: what stands, or does not stand, on the places that a move names.
#[test]
fn why_says_what_stands_there() {
    let why = |game: &str, moves: &[&str]| {
        let input: String = moves.iter().map(|text| format!("why {text}\n")).collect();
        let said = rgc_with_input(["play", game, "--as", "white,black"], &input).success();
        let answers = said.split("> why ").skip(1);
        let answers: Vec<String> =
            answers.filter_map(|part| part.lines().nth(1)).map(|line| line.replace(" is not legal", "")).collect();
        answers
    };
    let black = |text: &str, what: &str| {
        format!("`{text}`: `{}` holds {what}a piece of black, but white is to move", &text[..2])
    };
    assert_eq!(
        why("hexapawn.sbg", &["b2b3", "b3b2", "a1b2"])[..2],
        ["`b2b3`: `b2` is empty".to_owned(), black("b3b2", "`p`, ")]
    );
    assert_eq!(
        why("breakthrough.rbg", &["b8c6", "a1a1"]),
        [black("b8c6", "`b`, "), "`a1a1`: it begins and ends at `a1`".to_owned()]
    );
    assert_eq!(
        why("breakthrough.gdl", &["a2a4", "b8c6", "a3a4"]),
        [
            "`a2a4`; legal moves from `a2`: `a2a3`, `a2b3`".to_owned(),
            black("b8c6", ""),
            "`a3a4`: `a3` is empty".to_owned()
        ]
    );
    assert_eq!(why("breakthrough.hrg", &["b7b6"]), [black("b7b6", "")]);
    assert_eq!(
        why("internationalDraughts.rbg", &["a1c3", "b4b5"]),
        ["`a1c3`: `c3` holds `wMan`, a piece of your own", "`b4b5`: `b5` is not used in this game"]
    );
    let reversi = rgc_with_input(["play", "reversi.rbg"], "why a1a2\n").success();
    assert!(reversi.contains("`a1a2` is not legal: a move names one place here, such as `"), "{reversi}");
    // A place alone: what can be done there, or why nothing can.
    assert_eq!(
        why("chess", &["a1", "a3", "a5", "e7", "a9a8"]),
        [
            "`a1` holds `wRu`, which has no legal move now; to learn why, type `why` and a whole move",
            "`a3` is empty; legal moves that end there: `a2a3`, `b1a3`",
            "`a5` is empty; no legal move ends there",
            "`e7` holds `bP`, a piece of black, but white is to move",
            "`a9a8`: `a9` is not on the board",
        ]
    );
    // Several moves: the first that is not legal, where those before it lead.
    assert_eq!(
        why("chess", &["e2e4;e7e5", "e2e4; e7e4", "e2e4;e4e5", "e2e5;e7e5"]),
        [
            "`e2e4`, `e7e5` are legal, one after the other",
            "after `e2e4`: `e7e4`: there is no way from `e7` to `e4` now; legal from there: `e7e5`, `e7e6`",
            "after `e2e4`: `e4e5`: `e4` holds `wP`, a piece of white, but black is to move",
            "`e2e5`: there is no way from `e2` to `e5` now; legal from there: `e2e3`, `e2e4`",
        ]
    );
}

/// In the middle of a turn, what belonged to an earlier part of it is told from what is to be played now; in a game of any language, and at once.
#[test]
fn why_knows_the_parts_of_a_turn() {
    let input = "a1\nwhy a1\nwhy c2\nwhy c2d2\n";
    let said = rgc_with_input(["play", "pentagoSplit.hrg", "--as", "white,black"], input).success();
    let part = "now another part of the turn is to be played";
    assert!(said.contains(&format!("`a1` holds `white`; {part}; legal moves begin with `a1`: `a1 clock")), "{said}");
    assert!(said.contains("`c2` is empty; now another part of the turn is to be played, such as `a"), "{said}");
    let said = rgc_with_input(["play", "pentagoSplit.rbg", "--as", "white,black"], input).success();
    assert!(said.contains("`a1` holds `w`; now another part of the turn is to be played, such as `"), "{said}");
    assert!(said.contains("`c2` is empty; now another part of the turn is to be played, such as `"), "{said}");
    assert!(!said.contains("count["), "{said}");
    let input = "a1 b2\nwhy c3c3\nwhy b2 c1 a1\n";
    let large = rgc_with_input(["play", "ultimateTicTacToe.hrg", "--as", "crosses,noughts"], input).success();
    assert!(large.contains("`c3c3` is not legal: all legal moves begin with `b2` now\n"), "{large}");
    assert!(large.contains("`b2c1` is a legal move, but none goes on from there to `a1`\n"), "{large}");
}

/// The text of the rules is shown on request, and plain sentences without.
#[test]
fn why_shows_rules_on_request() {
    for (game, empty, occupied) in [
        ("reversi.rbg", "encloses(mine; theirs)", "`d4` must be empty, but it holds `b`"),
        ("reversi.hrg", "enclosingAny()", "`d4` must be empty, but it holds `black`"),
    ] {
        let said = rgc_with_input(["play", game], "why a1\nwhy d4\n").success();
        let wanted = format!(
            "`a1` is empty, but the move is not legal there:\n  `{empty}` must be possible at `a1`, but it is not\n    "
        );
        assert!(said.contains(&wanted) && said.contains(&format!("{occupied}\n")), "{said}");
        assert!(!said.contains(&format!("{game}:")), "{said}");
        let said = rgc_with_input(["play", game], "why --rules d4\n").success();
        assert_eq!(said.matches(&format!("{game}:")).count(), 2, "{said}");
    }
}

/// Of a move of several legs, the first one on which no legal move goes is named, with what is in the way there, or with where legal moves go instead.
#[test]
fn why_names_the_leg_that_fails() {
    let asked = "why a4c5a1\nwhy d1d6h3\nwhy a4a5a5\nwhy a4c5\nwhy d1d10\nwhy d1d10a10\nwhy d1d6d10\nwhy a4a2a1\n";
    for game in ["amazons.rbg", "amazons.hrg"] {
        let said = rgc_with_input(["play", game, "--as", "white,black"], asked).success();
        for wanted in [
            "`a4c5a1` is not legal: no legal move begins with `a4c5`; those that begin with `a4` go on to `a1`, `a2`, ",
            "`d1d6h3` is not legal: no legal move goes on from `d1d6` to `h3`; those that begin with `d1d6` go on to `a3`, ",
            "`a4a5a5` is not legal: no legal move goes on from `a4a5` to `a5`; those that begin with `a4a5` go on to `a1`, ",
            "`a4c5` is not legal: no legal move begins with `a4c5`; those that begin with `a4` go on to ",
            "`d1d10` is not legal: no legal move begins with `d1d10`, because of one condition:\n  `d10` must be empty, but it holds `b",
            "`d1d10a10` is not legal, because of one condition:\n  `d10` must be empty, but it holds `b",
            "`d1d6d10` is not legal, because of one condition:\n  `d10` must be empty, but it holds `b",
            "`a4a2a1` is legal\n",
        ] {
            assert!(said.contains(wanted), "{wanted}\n{said}");
        }
        assert!(!said.contains("there is no way"), "{said}");
    }
    let said = rgc_with_input(["play", "chess", "--as", "white,black"], "why e2e4e5\nwhy e2e5e6\n").success();
    for wanted in [
        "`e2e4e5` is not legal: `e2e4` is a legal move, but none goes on from there to `e5`\n",
        "`e2e5e6` is not legal: no legal move begins with `e2e5`",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
}

/// Of several conditions, each one is told with all values that would be enough.
#[test]
fn why_names_no_condition_that_is_not_necessary() {
    let said = rgc_with_input(["play", "chess", "--as", "white,black"], "why h1f1\nwhy a1c1\n").success();
    for wanted in [
        "  `g1` must be empty, but it holds `wN`\n  `f1` must be empty or hold a piece of black, but it holds `wB`\n",
        "  `b1` must be empty, but it holds `wN`\n  `c1` must be empty or hold a piece of black, but it holds `wB`\n",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
}

/// Where every legal move captures, that is said before any variable that the rules compute for it.
#[test]
fn why_says_that_all_legal_moves_capture() {
    let before = "b4c5; c7d6; h4g5; d6b4; c3a5; e7d6; g5f6";
    let play = ["play", "internationalDraughts.rbg", "--as", "white,black", "--play", before];
    let said = rgc_with_input(play, "why d8e7\nwhy d6c7\nwhy g7e5\ng7e5\n").success();
    for wanted in [
        "`d8e7` is not legal: all legal moves capture: `g7c3`\n  the variable `most` must be `0`, but it is `2`\n",
        "  all legal moves capture: `g7c3`\n>",
        "`g7e5` is only the beginning; legal moves: `g7c3`\n",
        "`g7e5` is not a complete move. Did you mean `g7c3`?\n",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    let quiet = rgc_with_input(["play", "internationalDraughts.rbg"], "why b4b5\n").success();
    assert!(!quiet.contains("capture"), "{quiet}");
}

/// What the rules say of a check, in a comment above it, stands beside it.
#[test]
fn why_quotes_the_comment_of_a_check() {
    let check = "e2e4;e7e5;g1f3;d7d6;f1c4;a7a6;d2d3;d8h4;h2h3;h4f2";
    let said = rgc_with_input(["play", "chess", "--as", "white,black", "--play", check], "why e1g1\n").success();
    let wanted =
        "must not be possible, but it is\n    attacked: Whether a piece of the other side could capture on this cell\n";
    assert!(said.contains(wanted), "{said}");
    let said = rgc_with_input(["play", "reversi.hrg"], "why a1\n").success();
    assert!(said.contains("but it is not\n    enclosingAny: A straight line of "), "{said}");
}

/// Where a turn has several parts, the answer says which one is to be played, and what is legal in it.
#[test]
fn the_part_of_the_turn_is_named() {
    let asked = |game: &str, input: &str| rgc_with_input(["play", game, "--as", "white,black"], input).success();
    let said = asked("pentagoSplit.hrg", "a1\nwhy a1\nwhy c3 counter\n");
    let part = "now another part of the turn is to be played";
    let place = format!("`a1` holds `white`; {part}; legal moves begin with `a1`: `a1 clockwise`, `a1 counter`\n");
    assert!(said.contains(&place), "{said}");
    assert!(said.contains(&format!("`c3 counter` is not legal: {part}: `a1 clockwise`, `a1 counter`, ")), "{said}");
    let said = asked("pentagoSplit.rbg", "why a3c2\n");
    // A way that no move goes is not the name of one that goes elsewhere and comes by there.
    let inside = asked("pentagoSplit.rbg", "a3\nwhy a3c2\na3c2\n");
    assert!(inside.contains("`a3c2` is not legal") && inside.contains("> a3c2\n`a3c2` is not a "), "{inside}");
    let first = "`a3c2` is not legal: `a3` is a move of its own, the first part of the turn; after it, the legal moves are `a3 clockwise`, `a3 counterclockwise`, ";
    assert!(said.contains(first), "{said}");
}

/// What is typed is followed as far as the rules go, and nothing is said that another position would be needed for.
#[test]
fn why_says_where_the_typed_move_and_the_rules_part() {
    let why = |game: &str, moves: &str, asked: &[&str]| -> Vec<String> {
        let input: String = asked.iter().map(|text| format!("why {text}\n")).collect();
        let play = ["play", game, "--play", moves, "--as", "white,black", "--seed", "3"];
        let said = rgc_with_input(play, &input).success();
        let answers = said.split("> why ").skip(1);
        answers.map(|answer| answer.split_once('\n').map_or("", |(_, answer)| answer).to_owned()).collect()
    };
    // Castling out of check: the first condition is in front of the first tag.
    let check = "e2e4;e7e5;g1f3;d7d6;f1c4;a7a6;d2d3;d8h4;h2h3;h4f2";
    let castling = why("chess.rbg", check, &["e1g1"]);
    assert!(castling.concat().contains("`attacked(his; ahead)` must not be possible, but it is\n"), "{castling:?}");
    // The beginning of legal moves, an occupied place, and moves from and to places where others stand.
    let amazons = why("amazons.rbg", "", &["d1d7", "d10a10"]);
    assert!(amazons.concat().starts_with("`d1d7` is only the beginning; legal moves: `d1d7a10`, "), "{amazons:?}");
    assert!(amazons.concat().contains("`d10` holds `b`, a piece of black, but white is to move\n"), "{amazons:?}");
    let play = ["play", "ataxx.rbg", "--as", "white,black"];
    let ataxx = rgc_with_input(play, "why a2b2\nwhy a1b2\nwhy a7a6\n").success();
    for wanted in [
        "`a2b2` is not legal: `a2` is empty\n",
        "`a1b2` is not legal: `a1` holds `w`, a piece of white, but black is to move\n",
        "`a7a6` is not legal: there is no way from `a7` to `a6` now; legal from there: `a7a5`, `a7b5`, `a7c5`, `a7c6`, `a7c7`; `a6` alone is a legal move\n",
    ] {
        assert!(ataxx.contains(wanted), "{wanted}\n{ataxx}");
    }
    // The dice are what is in the way, or the enemy; a point is not a way.
    let dice = why("backgammon.hrg", "", &["P24 6", "P13 1", "P23"]);
    assert_eq!(dice[0], "`P24 6` is not legal: it would be legal if `first` were `6`, but it is `1`\n");
    assert!(dice[1].contains("`checkers[black][P13]` must be `0` or `1`, but it is `5`"), "{dice:?}");
    assert!(dice[2].starts_with("no legal move begins with `P23`; legal moves are such as `P"), "{dice:?}");
}

/// A place whose piece a move would turn around is not the name of that move.
#[test]
fn places_that_a_move_changes_do_not_name_it() {
    let play = ["play", "reversi.rbg", "--as", "black,white", "--play", "1.;1.;1."];
    let said = rgc_with_input(play, "moves\n").success();
    let board: Vec<&str> = said.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).take(8).collect();
    let is_full = |at: usize, row: &&str| matches!(row.split_whitespace().nth(at + 1), Some("b" | "w"));
    let mut asked = 0;
    for (row, line) in board.iter().enumerate() {
        for (_, column) in "abcdefgh".chars().enumerate().filter(|&(at, _)| is_full(at, line)) {
            let place = format!("{column}{}", 8 - row);
            let said = rgc_with_input(play, &format!("{place}\nwhy {place}\n")).success();
            assert!(said.contains(&format!("`{place}` is not a legal move")), "{place}: {said}");
            assert!(said.contains(&format!("`{place}` must be empty, but it holds `")), "{place}: {said}");
            asked += 1;
        }
    }
    assert_eq!(asked, 7);
}

/// Squares that a game does not use are said to be so.
#[test]
fn why_knows_squares_that_are_not_used() {
    let said = rgc_with_input(["play", "englishDraughts.rbg", "--as", "white,black"], "why b1c2\nwhy a3a4\nwhy b1\n")
        .success();
    assert!(said.contains("`b1c2` is not legal: `b1` is not used in this game\n"), "{said}");
    assert!(said.contains("`a3a4` is not legal: `a4` is not used in this game\n"), "{said}");
    assert!(said.contains("`b1` is not used in this game; no legal move begins there\n"), "{said}");
}

/// Checks and variables are explained by the comments above their definitions, and tables by what they are asked for.
#[test]
fn why_quotes_the_comments_of_the_rules() {
    for (game, players, play, asked, wanted) in [
        ("chess", "white,black", "e2e4; d7d5; f1b5", "a7a6", "    inCheck (then): The king is in check\n"),
        (
            "englishDraughts.hrg",
            "white,black",
            "c3d4; b6c5",
            "e3f4",
            "    canCapture: There is something to capture, which is compulsory\n",
        ),
        (
            "internationalDraughts",
            "white,black",
            "d4e5; i7j6; c3d4; g7f6",
            "b4a5",
            "    most: the number of men that must be captured now\n",
        ),
        (
            "backgammon",
            "white,black",
            "6 5",
            "P24 5",
            "  `checkers[black][P6]` must be `0` or `1`, but it is `5` (`me` is `white`, `to` is `P19`)\n    \
             barred: A point with two or more checkers of the other player is barred\n",
        ),
    ] {
        let arguments = ["play", game, "--as", players, "--play", play];
        let said = rgc_with_input(arguments, &format!("why {asked}\n")).success();
        assert!(said.contains(wanted), "{game}: {said}");
    }
}

/// That all legal moves capture is a reason only where the rules demand captures.
#[test]
fn why_speaks_of_captures_where_they_are_compulsory() {
    let said = rgc_with_input(
        ["play", "chess", "--as", "white,black", "--play", "e2e4; e7e5; d1h5; a7a6; h5f7"],
        "why a6a5\n",
    );
    let said = said.success();
    assert!(said.contains("black to move, 1 legal move: e8f7") && !said.contains("all legal moves capture"), "{said}");
    let play = "d4e5; i7j6; c3d4; g7f6; e5g7; f8h6; h4i5; j6h4";
    let said = rgc_with_input(["play", "internationalDraughts", "--as", "white,black", "--play", play], "why a1b2\n");
    assert!(said.success().contains("all legal moves capture: `g3g7`, `i3i7`\n"));
}

/// Texts that name only a column, or a number, are answered for what they are.
#[test]
fn why_is_asked_about_a_part_of_a_move() {
    let said =
        rgc_with_input(["play", "backgammon", "--as", "white,black", "--play", "6 5"], "why 3\nwhy 23\n").success();
    assert!(said.contains("no legal move begins with `3`; move 3 of the list is `3.`, with a dot\n"), "{said}");
    assert!(said.contains("no legal move begins with `23`\n"), "{said}");
    let said = rgc_with_input(["play", "reversi.rbg", "--as", "black,white"], "why b\nwhy pass\n").success();
    assert!(said.contains("no legal move begins with `b`\n"), "{said}");
    assert!(said.contains("`pass` is not legal") && said.contains("canPlace: There is a cell"), "{said}");
    for game in ["connectFour.rbg", "connectFour.hrg", "connectFour.gdl"] {
        let full = ["play", game, "--as", "yellow,red", "--play", "a;a;a;a;a;a"];
        let said = rgc_with_input(full, "a 3\nwhy A 3\nb 3\nwhy b 3\n").success();
        assert!(said.contains("`a3` is not a legal move. A move is written like `b`; type"), "{said}");
        assert!(said.contains("; a move names a column here, such as `b`, and none is legal in `a`\n"), "{said}");
        assert!(said.contains("`b3` is not a legal move. Did you mean `b`?\n"), "{said}");
        assert!(said.contains("`b3` is not a move here; the legal move there is `b`\n"), "{said}");
    }
}

/// Another piece than the one that stands there is no reason; another form of it is.
#[test]
fn why_names_other_forms_of_a_piece() {
    let said = rgc_with_input(["play", "chess", "--as", "white,black", "--play", "e2e4; e7e5"], "why e1e3\n").success();
    assert!(said.contains("there is no way from `e1` to `e3` now; legal from there: `e1e2`\n"), "{said}");
}

/// A frog and a toad hop on three columns; where they stand is said by two relations, of which one knows of two columns only.
const HOP: &str = "(role left) (role right)
(init (cell 1 1 frog)) (init (cell 3 2 toad)) (init (cell 2 1 stone)) (init (cell 2 2 stone))
(init (at frog 1 1)) (init (at toad 3 2)) (init (control left)) (init (step 1))
(x 1) (x 2) (x 3) (y 1) (y 2) (own left frog) (own right toad) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (legal ?p (jump ?x1 ?y1 ?x2 ?y2)) (true (control ?p)) (own ?p ?m) (true (cell ?x1 ?y1 ?m)) (x ?x2) (y ?y2) (not (full ?x2 ?y2)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (full ?x ?y) (true (cell ?x ?y ?m)))
(<= (next (cell ?x ?y ?m)) (does ?p (jump ?a ?b ?x ?y)) (own ?p ?m))
(<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)) (not (moved ?m)))
(<= (moved ?m) (does ?p (jump ?a ?b ?x ?y)) (own ?p ?m))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 6)))
(<= (goal ?p 50) (role ?p))
";

/// A place has one label on all boards, also where one of them has fewer columns.
#[test]
fn why_knows_places_of_several_boards() {
    let scratch = Scratch::new("boards");
    let file = scratch.write("hop.gdl", HOP);
    let input = "why c1\na1c1\nwhy c1\nwhy c2\n";
    let said = rgc_with_input(["play", &file, "--as", "left,right"], input).success();
    assert!(!said.contains("no legal move names it") && !said.contains("is not on the board"), "{said}");
    assert!(said.contains("no legal move begins with `c1`; legal moves are such as `a1c1`\n"), "{said}");
    assert!(said.contains("legal moves begin with `c2`: `c2a1`, `c2a2`\n"), "{said}");
}

/// Checks of GDL rules are named by what they look for, also where the rules are not written out for each of their instances.
#[test]
fn why_names_what_a_check_looks_for() {
    let rules = "(role red) (role blue) (succ 1 2) (succ 2 3) (succ 3 4)
(init (cell 1 1 r)) (init (cell 4 4 b)) (init (control red))
(<= (row ?y) (succ ?x ?y)) (<= (row ?x) (succ ?x ?y))
(<= (legal ?p (move ?x ?y)) (true (control ?p)) (row ?x) (row ?y) (not (taken ?x ?y)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p noop) (true (control ?p)) (not (canmove ?p)))
(<= (canmove ?p) (true (control ?p)) (row ?x) (row ?y) (not (taken ?x ?y)))
(<= (taken ?x ?y) (true (cell ?x ?y ?z)))
(<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z)))
(<= (next (cell ?x ?y r)) (does red (move ?x ?y)))
(<= (next (cell ?x ?y b)) (does blue (move ?x ?y)))
(<= (next (control red)) (true (control blue))) (<= (next (control blue)) (true (control red)))
(<= terminal (true (cell 2 2 ?z)))
(<= (goal ?p 100) (role ?p) terminal)";
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("checks.gdl");
    std::fs::write(&path, rules).unwrap();
    let said = rgc_with_input(["play", path.to_str().unwrap(), "--as", "red,blue"], "why noop\n").success();
    assert!(!said.contains("a condition of the rules"), "{said}");
    assert!(said.contains("canmove") && said.contains("must not hold, but it does"), "{said}");
}
