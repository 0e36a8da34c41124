//! `rgc translate --to hrg`: games of all languages as structured programs in HRG are the same games.

use crate::support::{Scratch, game, json_lines, rgc, rgc_with_input, snapshot};
use std::fs;

/// The program of a game.
fn program(file: &str) -> String {
    rgc(["translate", file, "--to", "hrg"]).success()
}

/// Compares two games; both must have as many moves, scores and turns in as many positions.
fn prove(first: &str, second: &str, positions: &str) {
    let run = rgc(["equiv", first, second, "--positions", positions, "--plays", "1", "--json"]);
    let verdict = json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{first}: {}", run.stderr));
    assert_eq!(verdict["equal"], true, "{first}: {verdict}");
    assert_ne!(verdict["criterion"], "counts", "{first}");
}

/// Games of all languages and kinds: boards, checks for lines and connections, chance, hidden cards, moves in parts, long captures, rules with places
/// that are left in several ways.
#[test]
fn programs_are_the_same_game() {
    let scratch = Scratch::new("programs-of-hrg");
    testgen::parallel(PROVED, |(file, positions)| {
        let written = scratch.path(&format!("{}.hrg", file.replace('/', "_")));
        fs::write(&written, program(&game(file))).unwrap();
        prove(&game(file), &written, positions);
    });
}

/// Bundled games, and how many positions are compared.
const PROVED: &[(&str, &str)] = &[
    ("rg/breakthrough.rg", "100"),
    ("rg/knightthrough.rg", "60"),
    ("rg/kuhnPoker.rg", "500"),
    ("rg/matchingPennies.rg", "100"),
    ("rg/race.rg", "2000"),
    ("rg/ticTacToe.rg", "2000"),
    ("hrg/alquerque.hrg", "60"),
    ("hrg/backgammon.hrg", "20"),
    ("hrg/battleships.hrg", "20"),
    ("hrg/breakthrough.hrg", "100"),
    ("hrg/dotsAndBoxes.hrg", "100"),
    ("hrg/leducPoker.hrg", "200"),
    ("hrg/oware.hrg", "50"),
    ("hrg/reversi.hrg", "100"),
    ("hrg/surakarta.hrg", "60"),
    ("hrg/theMillGame.hrg", "60"),
    ("hrg/ticTacDie.hrg", "500"),
    ("hrg/ultimateTicTacToe.hrg", "90"),
    ("rbg/breakthrough.rbg", "60"),
    ("rbg/connectFour.rbg", "60"),
    ("rbg/englishDraughts.rbg", "60"),
    ("rbg/gardnerChess.rbg", "20"),
    ("rbg/hex5.rbg", "60"),
    ("sbg/breakthrough.sbg", "60"),
    ("sbg/chaturanga.sbg", "30"),
    ("sbg/hexapawn.sbg", "500"),
    ("gdl/connectFour.gdl", "60"),
    ("gdl/matchingPennies.gdl", "50"),
    ("gdl/nim.gdl", "100"),
    ("gdl/ticTacDie.gdl", "60"),
];

/// What is written has neither errors nor warnings about it, and is formatted; its own program is the same game again.
#[test]
fn programs_check_clean_and_translate_again() {
    let scratch = Scratch::new("programs-of-hrg-again");
    testgen::parallel(&PROVED.iter().step_by(4).collect::<Vec<_>>(), |(file, positions)| {
        let text = program(&game(file));
        let written = scratch.path(&format!("{}.hrg", file.replace('/', "_")));
        fs::write(&written, &text).unwrap();
        let run = rgc(["check", &written]);
        assert!(run.code == 0 && !run.stderr.contains("[HRG4"), "{file}: {}", run.stderr);
        assert_eq!(rgc_with_input(["fmt", "-"], &text).stdout, text, "{file} is formatted");
        let again = scratch.path(&format!("{}_again.hrg", file.replace('/', "_")));
        fs::write(&again, program(&written)).unwrap();
        prove(&game(file), &again, positions);
    });
}

/// A program is readable: this is all of it.
#[test]
fn a_program_reads_well() {
    snapshot("program_of_ticTacToe", &program(&game("hrg/ticTacToe.hrg")));
}

/// Files by their extension, standard input, and games that were optimised before.
#[test]
fn programs_in_files() {
    let scratch = Scratch::new("programs-of-hrg-files");
    let file = game("rg/ticTacToe.rg");
    let text = program(&file);
    let written = scratch.path("ticTacToe.hrg");
    rgc(["translate", &file, "-o", &written]).success();
    assert_eq!(fs::read_to_string(&written).unwrap(), text);
    let rg = fs::read_to_string(&file).unwrap();
    assert_eq!(rgc_with_input(["translate", "-", "--to", "hrg"], &rg).success(), text);
    for (file, level) in [("rg/ticTacToe.rg", "-O2"), ("sbg/hexapawn.sbg", "-O1"), ("rbg/breakthrough.rbg", "-O2")] {
        let optimised = scratch.path(&format!("{}.hrg", file.replace('/', "_")));
        fs::write(&optimised, rgc(["translate", &game(file), "--to", "hrg", level]).success()).unwrap();
        prove(&game(file), &optimised, "100");
    }
}

/// What HRG cannot say is refused, and what it says with another name is told.
#[test]
fn what_has_no_program_is_refused() {
    let refused = |text: &str, code: &str| {
        let run = rgc_with_input(["translate", "-", "--from", "rg", "--to", "hrg"], text);
        assert!(run.code == 1 && run.stderr.contains(&format!("error[{code}]")), "{code}: {}", run.stderr);
    };
    let head = "type Player = { a }; type Score = { 0, 1 }; type Low = { 1, 2 }; type Mid = { 2, 3 }; type High = { 3, 4 };\n\
        var low: Low = 1; var high: High = 3;\n";
    let circle = "begin, m: player = a; m, n: ? q -> r; q, r: ? q -> r; q, r: low == 1; n, end: player = keeper;";
    refused(&format!("{head}{circle}"), "THR701");
    refused(&format!("{head}begin, m: player = a; m, n: Mid(low) == high; n, end: player = keeper;"), "THR702");
    let run = rgc_with_input(
        ["translate", "-", "--from", "rg", "--to", "hrg"],
        &format!("{head}begin, m: player = a; m, n: $ loop; n, end: player = keeper;"),
    );
    assert!(
        run.code == 0 && run.stderr.contains("warning[THR705]") && run.stdout.contains("$ loop_2"),
        "{}",
        run.stderr
    );
}
