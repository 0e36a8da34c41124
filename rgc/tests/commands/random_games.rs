//! `rgc generate random`: the games load without findings, are equal for equal seeds, and play as the comment says.

use crate::support::{rgc, rgc_with_input};

const LANGUAGES: [&str; 3] = ["rbg", "hrg", "sbg"];

fn generated(language: &str, seed: u32) -> String {
    rgc(["generate", "random", "--language", language, "--seed", &seed.to_string()]).success()
}

#[test]
fn random_games_are_sound_and_formatted() {
    for language in LANGUAGES {
        for seed in 0..6 {
            let game = generated(language, seed);
            let checked = rgc_with_input(["check", "-", "--from", language], &game);
            assert!(checked.code == 0 && checked.stderr.is_empty(), "{language} {seed}: {}\n{game}", checked.stderr);
            let formatted = rgc_with_input(["fmt", "-", "--from", language], &game).success();
            assert_eq!(formatted, game, "{language} {seed}");
            assert_eq!(generated(language, seed), game, "{language} {seed}");
        }
    }
}

#[test]
fn plays_of_random_games_end_and_are_won_by_both() {
    for language in LANGUAGES {
        let game = generated(language, 1);
        let audit = rgc_with_input(
            ["audit", "-", "--from", language, "--playouts", "500", "--positions", "1", "--seed", "9", "--json"],
            &game,
        );
        let report: serde_json::Value = serde_json::from_str(&audit.success()).unwrap();
        let sample = &report["sample"];
        assert_eq!((sample["plays"].as_u64(), sample["unfinished"].as_u64()), (Some(500), Some(0)), "{language}");
        for player in sample["players"].as_array().unwrap() {
            assert!(player["wins"]["value"].as_f64().unwrap() > 0.1, "{language}: {player}");
        }
    }
}

#[test]
fn a_language_without_random_games_is_refused() {
    assert_eq!(rgc(["generate", "random", "--language", "gdl"]).code, 2);
    assert_eq!(rgc(["generate", "random"]).code, 2);
}
