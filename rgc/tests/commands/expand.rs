//! `rgc expand`: texts without macros and functions are the same games, and each line says what it comes from.

use crate::support::{Scratch, game, json_lines, rgc, snapshot};
use rgc::library;
use std::fs;

const RACE: &str = "\
#players = white(100), black(100)
#pieces = e, w, b
#variables =
#board = rectangle(up, down, left, right, [b, b] [e, e] [w, w])
#step(piece; way) = {piece} [e] way {e} [piece]
#turn(me; mine; way) = ->me (up* + down*) (left* + right*) step(mine; way)
  ->> ({! way} [$ me = 100] ->> {} + {? way})
#rules = (turn(white; w; up) turn(black; b; down))*
";

#[test]
fn macros_are_written_out_with_the_way_back() {
    let scratch = Scratch::new("expand-race");
    let file = scratch.path("race.rbg");
    fs::write(&file, RACE).unwrap();
    let expanded = rgc(["expand", &file]).success();
    snapshot("expand_race", &expanded);
    let call = rgc(["expand", &file, "--at", "6:60", "--plain"]).success();
    assert_eq!(call, "{mine} [e] way {e} [mine]\n");
    let lines = json_lines(&rgc(["expand", &file, "--at", "8:11", "--json"]).success());
    assert_eq!(lines[0]["from"], serde_json::json!([6, 24]));
    assert_eq!(lines[0]["through"], serde_json::json!([["turn", [8, 11]]]));
}

#[test]
fn bundled_games_without_macros_and_functions_are_the_same() {
    let scratch = Scratch::new("expand-bundled");
    for bundled in library::all().into_iter().filter(|bundled| ["rbg", "hrg"].contains(&bundled.language.name)) {
        let (name, language) = (bundled.file_name(), bundled.language.name);
        let file = game(&format!("{language}/{name}"));
        for (form, options) in [("with", &[][..]), ("plain", &["--plain"])] {
            let out = scratch.path(&format!("{form}-{name}"));
            let run = rgc([&["expand", &file, "-o", &out], options].concat());
            assert_eq!(run.code, 0, "{name}: {}", run.stderr);
            // The automata are the same, text for text.
            let rules = |file: &str| rgc(["translate", file, "--to", "rg"]).output();
            assert_eq!(rules(&out), rules(&file), "{name} {form}");
        }
    }
}

#[test]
fn what_is_not_to_be_expanded_is_refused() {
    for name in ["breakthrough.sbg", "ticTacToe.gdl", "race.rg"] {
        let run = rgc(["expand", name]);
        assert!(run.code == 1 && run.stderr.contains("IO404"), "{name}: {}", run.stderr);
    }
    for place in ["1:1", "1000:1", "20:1000"] {
        let run = rgc(["expand", "breakthrough.rbg", "--at", place]);
        assert!(run.code == 1 && run.stderr.contains("IO404"), "{place}: {}", run.stderr);
    }
    for place in ["0:1", "x", "1:", "1:0"] {
        assert_eq!(rgc(["expand", "breakthrough.rbg", "--at", place]).code, 2, "{place}");
    }
}
