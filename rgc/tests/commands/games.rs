//! The bundled library: every game is checked, recounted and played.

use crate::support::{Scratch, json_lines, rgc, snapshot};
use rgc::library;

/// Most plays that are counted for one known number: more take too long without optimization.
const MAX_LEAVES: u64 = 300_000;

#[test]
fn all_check_clean_and_are_formatted() {
    for game in library::all() {
        let name = game.file_name();
        let run = rgc(["check", &name]);
        assert_eq!((run.code, run.stderr.as_str(), run.stdout.as_str()), (0, "", ""), "{name}");
        let run = rgc(["fmt", "--check", &name]);
        assert_eq!((run.code, run.stderr.as_str(), run.stdout.as_str()), (0, "", ""), "{name}");
    }
}

#[test]
fn known_numbers_of_plays_are_recounted() {
    for game in library::all() {
        let name = game.file_name();
        let known: Vec<u64> = game.perft().into_iter().take_while(|&leaves| leaves <= MAX_LEAVES).collect();
        assert!(!known.is_empty(), "{name}: the first number of its perft line is missing or too large");
        // In GDL all roles move at once, and the numbers are those of joint moves.
        let joint = (game.language.name == "gdl").then_some("--joint");
        let depth = known.len().to_string();
        let output = rgc(["perft", &name, &depth, "--json"].into_iter().chain(joint)).output();
        let counted: Vec<u64> = json_lines(&output).iter().map(|row| row["leaves"].as_u64().unwrap()).collect();
        assert_eq!(counted, known, "{name}");
    }
}

#[test]
fn versions_in_several_languages_are_the_same_game() {
    let games = library::all();
    let mut compared = 0;
    for texts in games.chunk_by(|a, b| a.name == b.name) {
        let (first, others) = texts.split_first().unwrap();
        for other in others {
            let (first, other) = (first.file_name(), other.file_name());
            let output = rgc(["equiv", &first, &other, "--positions", "60", "--plays", "2", "--json"]).output();
            let verdict = json_lines(&output).pop().unwrap();
            assert_eq!(verdict["equal"], true, "{first} {other}: {verdict}");
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
fn every_language_has_its_share_and_many_games_have_several() {
    let count = |language: &str| library::all().iter().filter(|game| game.language.name == language).count();
    for (language, least) in [("rbg", 14), ("hrg", 20), ("sbg", 8), ("gdl", 10), ("rg", 3)] {
        assert!(count(language) >= least, "{language}: {} of {least}", count(language));
    }
    for name in ["breakthrough", "knightthrough"] {
        let languages = library::all().into_iter().filter(|game| game.name == name);
        assert!(languages.count() >= 5, "{name}");
    }
}

#[test]
fn all_can_be_played_to_the_end() {
    for game in library::all() {
        let output = rgc(["trace", &game.file_name(), "--seed", "3"]).output();
        let lines = json_lines(&output);
        assert!(lines.len() > 1, "{}", game.file_name());
        assert!(lines.last().unwrap()["scores"].is_object(), "{}: {:?}", game.file_name(), lines.last());
    }
}

#[test]
fn the_table_lists_every_game_once() {
    let entries = json_lines(&rgc(["games", "--json"]).success());
    let texts: usize = entries.iter().map(|entry| entry["languages"].as_array().unwrap().len()).sum();
    assert_eq!(texts, library::all().len());
    let entry = |name: &str| entries.iter().find(|entry| entry["name"] == name).unwrap();
    assert_eq!(entry("race")["players"], serde_json::json!(["red", "blue"]));
    let table = rgc(["games"]).success();
    assert_eq!(table.lines().count(), entries.len() + 1);
    let first: Vec<&str> = table.lines().filter(|line| line.starts_with("name") || line.starts_with("race")).collect();
    snapshot("games_table", &first.join("\n"));
    let only = json_lines(&rgc(["games", "--json", "--from", "rg"]).success());
    assert!(only.len() < entries.len() && only.iter().all(|entry| entry["languages"] == serde_json::json!(["rg"])));
}

#[test]
fn sources_are_shown() {
    let show = |arguments: &[&str]| rgc([&["games", "--show"], arguments].concat()).success();
    let text = |language| library::find("breakthrough", Some(language)).unwrap().text;
    assert_eq!(show(&["breakthrough"]), text("rbg"));
    assert_eq!(show(&["breakthrough", "--from", "rg"]), text("rg"));
    assert_eq!(show(&["breakthrough.rg"]), text("rg"));
    let run = rgc(["games", "--show", "breakthru"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("IO301") && run.stderr.contains("did you mean"), "{}", run.stderr);
    let run = rgc(["perft", "race", "1", "--from", "rbg"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("IO313"), "{}", run.stderr);
}

#[test]
fn a_file_goes_before_a_bundled_game_and_a_folder_does_not() {
    let scratch = Scratch::new("games");
    std::fs::create_dir(scratch.path("breakthrough")).unwrap();
    let small = library::find("ticTacToe", Some("rg")).unwrap().text;
    std::fs::write(scratch.path("reversi"), small).unwrap();
    let perft = |name: &str| {
        let output =
            crate::support::command(["perft", name, "1", "--json"]).current_dir(scratch.folder()).output().unwrap();
        json_lines(&String::from_utf8(output.stdout).unwrap())[0]["leaves"].as_u64().unwrap()
    };
    assert_eq!(perft("breakthrough"), 22);
    assert_eq!(perft("reversi"), 9);
    assert_eq!(perft("chess"), 20);
}

#[test]
fn bundled_games_are_formatted_to_standard_output() {
    let text = rgc(["fmt", "ticTacToe"]).success();
    assert_eq!(text, library::find("ticTacToe", None).unwrap().text);
}
