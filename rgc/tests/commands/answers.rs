//! `rgc play`: what is said about moves as people write them who do not know how they are written here.

use crate::support::rgc_with_input;

/// The answers to some lines at a game that two humans play, after some moves.
fn said(game: &str, play: &str, lines: &[&str]) -> Vec<String> {
    let humans = match game {
        "ticTacToe" => "crosses,noughts",
        "nim" => "first,second",
        "connectFour" => "yellow,red",
        _ => "white,black",
    };
    let input = lines.join("\n") + "\n";
    let all = rgc_with_input(["play", game, "--as", humans, "--play", play], &input).success();
    let answer = |line: &&str| {
        let (_, behind) = all.split_once(&format!("> {line}\n")).unwrap();
        behind.split("\n> ").next().unwrap().split("Input ended").next().unwrap().trim_end().to_owned()
    };
    lines.iter().map(answer).collect()
}

/// Brackets and quotation marks around a move, and the name of the piece before it, are no part of it.
#[test]
fn moves_stand_in_brackets() {
    let lines =
        ["why (e2,e4)", "why [e2 e4]", "why \"e2e4\"", "why P e2e4", "why wP e2e4", "why {(e2-e4)}", "why P (e2e4)"];
    assert_eq!(said("chess", "", &lines), ["`e2e4` is legal"; 7]);
    assert_eq!(said("breakthrough", "", &["why (a2 a3)"]), ["`a2a3` is legal"]);
    assert_eq!(said("ticTacToe", "", &["why (b2)"]), ["`b2` is legal"]);
    assert!(said("chess", "", &["(e2,e4)"])[0].starts_with("white: e2e4\n"));
    assert_eq!(
        said("chess", "", &["why N e2e4", "why (e2,e5)"]),
        [
            "`N e2e4` is not legal; legal moves from `e2`: `e2e3`, `e2e4`",
            "`e2,e5` is not legal: there is no way from `e2` to `e5` now; legal from there: `e2e3`, `e2e4`"
        ],
        "what stands there has legal moves"
    );
}

/// A move that is refused for what the board shows where it begins is refused with the reason that `why` gives.
#[test]
fn refusals_have_the_reason_that_the_board_shows() {
    for (game, texts) in [
        ("chess", ["e7e5", "e4e5", "a7"]),
        ("breakthrough", ["a7a6", "a4a5", "a7"]),
        ("englishDraughts", ["b6a5", "b4a5", "b6"]),
    ] {
        for text in texts {
            let answers = said(game, "", &[text, &format!("why {text}")]);
            let is_reason = answers[1].contains(", a piece of ") && answers[1].contains(" is to move")
                || answers[1].contains(" is empty");
            assert!(is_reason, "{game}: {answers:?}");
            let refused = format!("{}. Type `moves` to list legal moves, `help` for commands", answers[1]);
            assert_eq!(answers[0], refused, "{game}");
        }
    }
}

/// Where legal moves begin, none is said to begin.
#[test]
fn what_moves_can_begin() {
    for target in ["d1", "b1", "d5", "e5", "a1"] {
        let why = format!("why c3{target}");
        let legal = "legal from there: `c3b4`, `c3c4`, `c3d4`";
        assert_eq!(
            said("simpleGardnerChess", "b1a3;c4c3;d2c3;b5a3", &[&why]),
            [format!("`c3{target}` is not legal: there is no way from `c3` to `{target}` now; {legal}")]
        );
    }
}

/// An answer is about the move that was typed, and not about one that the rules know by some of its places.
#[test]
fn answers_are_about_the_move_that_was_typed() {
    let play = "d4c5;e7d6;c5e7;d8f6;e3d4;f6g5;f4h6;g7i5;h4j6;f8e7;d4c5;e9f8;g3f4;f8g7;d2e3;c7b6;f4e5;b6f6;f2g3;f6e5;j4i5;\
                g9f8;c3d4;e5a5;b2c3;h10g9;e1d2;f10e9;c3d4;g7h6;i5g7;f8h6;i3h4;g9f8;e3f4;h8g7";
    let answers = said("internationalDraughts", play, &["why j6h8f10"]);
    assert!(answers[0].starts_with("`j6h8f10` is not legal; did you mean `j6f10`?\n"), "{answers:?}");
    // A piece that was captured on the way is there no more.
    let play = "d3c3;b3d3;e3c3;e4e3;e2e4;e5e3;c3e5;e3d4;e5c3;d5d4;c3e5;c4d4;e5c3;b4c4;b2b3;c4b4;d2d3";
    let answers = said("alquerque", play, &["why b4b3b4"]);
    assert!(
        answers[0].starts_with("`b4b3b4` is not legal:\n  `b3` must hold `w`, but it is empty by then\n"),
        "{answers:?}"
    );
    let answers = said("nim", "", &["why 1 3"]);
    assert!(answers[0].starts_with("`1 3` is not legal: "), "{answers:?}");
}

/// A sign between places is read in legal moves and in others.
#[test]
fn captures_have_a_sign() {
    let play = "e2e4;a7a6;e4e5;d7d5;a2a3;a6a5;b2b3;b7b6";
    for (signed, plain) in [("e5xd6", "e5d6"), ("a3xa5", "a3a5"), ("e5xe6", "e5e6")] {
        let answers = said("chess", play, &[&format!("why {signed}"), &format!("why {plain}")]);
        assert_eq!(answers[0].replace(signed, plain), answers[1], "{signed}");
    }
    let answers = said("chess", play, &["e5xd6", "e5d6", "e5xj9"]);
    assert_eq!(answers[0].replace("e5xd6", "e5d6"), answers[1]);
    assert!(answers[2].starts_with("`e5xj9` is not a legal move: `j9` is not on the board"), "{answers:?}");
}

/// What is no choice does not make the way illegal.
#[test]
fn choices_are_told_where_none_fits() {
    let play = "a2a4;b7b5;a4b5;a7a6;b5a6;c8b7;a6b7;h7h6";
    let rest = "the piece becomes `N`, `B`, `R` or `Q` here: `b7a8=N`, `b7a8=B`, `b7a8=R`, `b7a8=Q`";
    for text in ["b7a8=K", "b7a8=P", "b7a8=X", "b7xa8k"] {
        let expected = format!("`{text}` is not legal: {rest}");
        assert_eq!(said("chess", play, &[text, &format!("why {text}")]), [expected.clone(), expected]);
    }
    assert_eq!(said("chess", play, &["why b7xa8q"]), ["`b7a8=Q` is legal"]);
}

/// While a question is open, its words are answers, and numbers are those of the list if that was shown.
#[test]
fn numbers_are_those_of_the_list() {
    let play = "a2a4;b7b5;a4b5;a7a6;b5a6;c8b7;a6b7;h7h6";
    let answers = said("chess", play, &["b7a8", "2.", "moves", "2."]);
    assert_eq!(answers[..2], ["which one? N, B, R, Q", "`2.` is none of them; which one? N, B, R, Q"]);
    let all = rgc_with_input(["play", "chess", "--as", "white,black", "--play", play], "b7a8\nmoves\n2.\n").success();
    let (_, listed) = all.split_once("   2. ").unwrap();
    let second = listed.lines().next().unwrap();
    assert!(all.contains(&format!("> 2.\nwhite: {second}\n")), "{all}");
    let all = rgc_with_input(["play", "backgammon", "--as", "white,black"], "P13\nmoves\n2\n").success();
    assert!(all.contains("which one? 2, 6\n") && all.contains("> 2\nwhite: P13 2\n"), "{all}");
}

/// Letters at once behind a whole move are no part of it, whatever they are the name of; those that choose a move are.
#[test]
fn letters_behind_a_move_are_surplus() {
    for (game, text, legal) in [
        ("chess", "e2e4e", "e2e4"),
        ("chess", "g1f3e", "g1f3"),
        ("chess", "e2e4P", "e2e4"),
        ("englishDraughts", "c3d4e", "c3d4"),
        ("englishDraughts", "c3d4B", "c3d4"),
        ("go9", "c2b", "c2"),
        ("alquerque", "b2c3e", "b2c3"),
    ] {
        let answers = said(game, "", &[text, &format!("why {text}")]);
        let typed = format!("`{text}` is not a legal move; did you mean `{legal}`?");
        assert!(answers[0].starts_with(&typed), "{answers:?}");
        assert_eq!(answers[1], format!("`{text}` is not legal; did you mean `{legal}`?"));
    }
    let play = "a2a4;b7b5;a4b5;a7a6;b5a6;c8b7;a6b7;h7h6";
    assert!(said("chess", play, &["b7a8q"])[0].starts_with("white: b7a8=Q\n"));
}

/// What is said of the position behind a move is said so.
#[test]
fn checks_behind_a_move_are_told_as_such() {
    let answers = said("chess", "e2e4;b7b6;g2g3;c8a6;f1h3;h7h6", &["why e1f1"]);
    assert!(answers[0].contains("    inCheck (then): The king is in check"), "{answers:?}");
}

/// Several moves are suggested only where the second can be one.
#[test]
fn moves_are_separated_where_they_are_moves() {
    let answers = said("ticTacToe", "", &["b2 o", "b2 a1"]);
    assert!(!answers[0].contains("`b2; o`"), "{answers:?}");
    assert!(answers[1].contains("separated by `;`: `b2; a1`"), "{answers:?}");
}

/// Whatever cannot be read is answered with a move that can, or with what is the matter with it.
#[test]
fn what_is_not_read_is_answered_with_an_example() {
    for (game, text) in [
        ("backgammon", "13/x"),
        ("backgammon", "bar/24"),
        ("englishDraughts", "9-14"),
        ("internationalDraughts", "32-28"),
        ("connectFour", "column 4"),
        ("nim", "take 3"),
        ("oware", "house 3"),
        ("hex", "swap"),
        ("dotsAndBoxes", "a1a2"),
        ("fifteenPuzzle", "up"),
        ("theMillGame.hrg", "a1d1"),
    ] {
        let all = rgc_with_input(["play", game, "--seed", "1"], &format!("{text}\nmoves\n")).success();
        let (_, answer) = all.split_once(&format!("> {text}\n")).unwrap();
        let (_, example) = answer.split_once("A move is written like `").unwrap_or_else(|| panic!("{game}: {all}"));
        let example = example.split('`').next().unwrap();
        let (_, moves) = all.split_once("> moves\n").unwrap();
        let is_legal = |line: &str| line.split_once(". ").is_some_and(|(_, text)| text == example);
        assert!(moves.lines().any(is_legal), "{game}: `{example}` is legal: {all}");
    }
    assert_eq!(said("connectFour", "", &["drop d"]), ["`drop d` is not a legal move. Did you mean `d`?"]);
    let answers = said("theMillGame.rbg", "", &["a1d1", "why a1"]);
    assert!(
        answers.iter().all(|answer| answer.to_lowercase().contains("places are named like `large0`")),
        "{answers:?}"
    );
    assert!(
        said("theMillGame.rbg", "", &["help"])[0].contains("0 is the upper left corner"),
        "the places are explained"
    );
    assert!(said("chess", "", &["draw"])[0].contains("cannot agree on a draw"));
}

/// Where all moves have to capture, that is said of one that does not.
#[test]
fn captures_are_compulsory() {
    let answers = said("englishDraughts", "c3d4;f6e5", &["g3h4"]);
    assert_eq!(answers, ["`g3h4` is not a legal move. All legal moves capture: `d4f6`"]);
    let answers = said("englishDraughts", "", &["c3e5"]);
    assert!(!answers[0].contains("capture"), "{answers:?}");
}

/// `moves PLACE` lists what begins there, or else what names the place, and says so.
#[test]
fn moves_of_a_place_are_those_that_begin_there() {
    let answers = said("chess", "", &["moves e2", "moves e4", "moves e5"]);
    let texts = |answer: &str| -> Vec<String> {
        answer.lines().filter_map(|line| Some(line.split_once(". ")?.1.to_owned())).collect()
    };
    assert_eq!(texts(&answers[0]), ["e2e3", "e2e4"]);
    assert!(answers[1].starts_with("no legal move begins at `e4`; these name it:\n"), "{answers:?}");
    assert_eq!(texts(&answers[1]), ["e2e4"]);
    assert_eq!(answers[2], "no legal move begins with `e5`");
}

/// A part of the board that is turned is named by any place of it.
#[test]
fn any_place_names_the_part_that_turns() {
    for (text, whole) in
        [("a1 clockwise", "a3 clockwise"), ("b2 cw", "a3 clockwise"), ("f6 ccw", "d6 counterclockwise")]
    {
        let answers = said("pentagoSplit", "a1", &[text]);
        assert!(answers[0].starts_with(&format!("white: {whole}\n")), "{text}: {answers:?}");
    }
    assert!(said("pentagoSplit", "a1", &["g7 clockwise"])[0].starts_with("`g7 clockwise` is not a legal move"));
}

/// Of a turn of several moves, those that were made are shown beside what chance gave for it; of a line, the move that is missing is named.
#[test]
fn parts_of_a_turn_are_told() {
    let input = "P13 3\nboard\nP13 2;;P1 1\nquit\n";
    let all = rgc_with_input(["play", "backgammon", "--as", "white,black", "--play", "3 2"], input).success();
    let (before, after) = all.split_once("> P13 3\n").unwrap();
    assert!(before.contains("this turn, chance gave: 3 2\n") && !before.contains("played of it"), "{all}");
    assert!(after.contains("this turn, chance gave: 3 2\nplayed of it: P13 3\nwhite to move"), "{all}");
    let answers = said("ticTacToe", "", &["b2;;a1"]);
    assert!(answers[0].starts_with("move 2 of the line is missing; what is behind it was not played\n"), "{answers:?}");
}
