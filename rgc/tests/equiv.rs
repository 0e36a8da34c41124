//! `rgc equiv`: games against their translations, against other descriptions, and against games that differ a little.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::Value;
use std::fs;
use support::{Scratch, game, json_lines, rgc};

/// A small race of SBG: three pawns each.
const PAWNS: &str = "\
<<Pawns>>
<BOARD>
3 4
|ppp|
|...|
|...|
|PPP|
<PIECES>
P (0,1,e) + (-1,1,p) + (1,1,p) &
<GOALS>
40 &
@P 0 3, 1 3, 2 3 &
@p 0 0, 1 0, 2 0 &
";

/// The verdict on two files; the exit code must go with it.
fn verdict(first: &str, second: &str, more: &[&str]) -> Value {
    let run = rgc([&["equiv", first, second, "--json"], more].concat());
    let verdict = json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{}", run.stderr));
    assert_eq!(run.code, if verdict["equal"] == true { 0 } else { 1 }, "{verdict}");
    assert_eq!(verdict["difference"].is_null(), verdict["equal"] == true, "{verdict}");
    verdict
}

fn translated(scratch: &Scratch, file: &str, target: &str, name: &str) -> String {
    let path = scratch.path(name);
    rgc(["translate", file, "--to", target, "-o", &path]).output();
    path
}

#[test]
fn a_game_is_the_same_as_its_translations() {
    let scratch = Scratch::new("equiv-translations");
    let pawns = scratch.path("pawns.sbg");
    fs::write(&pawns, PAWNS).unwrap();
    let few = ["--positions", "300", "--plays", "20"];
    for file in [pawns, game("rbg/breakthrough.rbg"), game("rg/race.rg")] {
        let rg = translated(&scratch, &file, "rg", "translated.rg");
        let json = translated(&scratch, &file, "json", "translated.json");
        for other in [&file, &rg, &json] {
            let found = verdict(&file, other, &few);
            assert_eq!(found["equal"], true, "{file} {other}: {found}");
            assert_ne!(found["criterion"], "shape", "{file} {other}: {found}");
        }
    }
    let file = game("rbg/connectFour.rbg");
    let low = translated(&scratch, &file, "ll-rbg", "low.rbg");
    assert_eq!(verdict(&file, &low, &few)["criterion"], "notation");
}

#[test]
fn games_whose_moves_have_other_names() {
    let found =
        verdict(&game("rg/ticTacToe.rg"), &game("rbg/ticTacToe.rbg"), &["--positions", "200000", "--plays", "0"]);
    assert_eq!(
        (&found["equal"], &found["criterion"], &found["complete"]),
        (&true.into(), &"bijection".into(), &true.into())
    );
    let scratch = Scratch::new("equiv-names");
    let text = fs::read_to_string(game("rg/ticTacToe.rg")).unwrap();
    // Who has three in a row loses.
    let other = text
        .replace("goals[mover] = 100", "goals[mover] = 0")
        .replace("goals[rival[mover]] = 0", "goals[rival[mover]] = 100");
    assert_ne!(text, other);
    let file = scratch.path("misere.rg");
    fs::write(&file, other).unwrap();
    let found = verdict(&file, &game("rbg/ticTacToe.rbg"), &["--positions", "200000", "--plays", "0"]);
    assert_eq!((&found["equal"], &found["criterion"]), (&false.into(), &"shape".into()));
    assert_eq!(found["difference"]["first"].as_array().unwrap().len(), 5);
    assert_eq!(found["difference"]["second"].as_array().unwrap().len(), 5);
    assert!(found["difference"]["what"].as_str().unwrap().contains("scores"));
}

#[test]
fn a_changed_rule_is_told_by_a_shortest_play() {
    let scratch = Scratch::new("equiv-changed");
    let pawns = scratch.path("pawns.sbg");
    fs::write(&pawns, PAWNS).unwrap();
    let cases = [
        ("(-1,1,p) + ", "", 2, "legal moves"),
        ("40 &", "3 &", 3, "over with scores 50, 50"),
        ("@p 0 0, ", "@p ", 6, "over with scores"),
        ("|PPP|", "|PP.|", 0, "legal moves"),
    ];
    for (old, new, length, what) in cases {
        let changed = scratch.path("changed.sbg");
        assert!(PAWNS.contains(old));
        fs::write(&changed, PAWNS.replace(old, new)).unwrap();
        let found = verdict(&pawns, &changed, &["--positions", "100000"]);
        assert_eq!(found["equal"], false, "{new}");
        assert!(found["difference"]["what"].as_str().unwrap().contains(what), "{new}: {found}");
        assert_eq!(found["difference"]["first"].as_array().unwrap().len(), length, "{new}: {found}");
        // The play can be played in both games.
        let play: Vec<&str> =
            found["difference"]["first"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        for file in [&pawns, &changed] {
            rgc(["moves", file, "--play", &play.join(";")]).output();
        }
    }
}

#[test]
fn random_plays_go_beyond_the_positions() {
    let scratch = Scratch::new("equiv-random");
    let pawns = scratch.path("pawns.sbg");
    let changed = scratch.path("changed.sbg");
    fs::write(&pawns, PAWNS).unwrap();
    fs::write(&changed, PAWNS.replace("@p 0 0, 1 0, 2 0", "@p 0 0")).unwrap();
    let found = verdict(&pawns, &changed, &["--positions", "1", "--plays", "200"]);
    assert_eq!(found["equal"], false, "{found}");
}

#[test]
fn text_for_people() {
    let (rg, rbg) = (game("rg/ticTacToe.rg"), game("rbg/connectFour.rbg"));
    let run = rgc(["equiv", &rg, &rbg]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.starts_with("different games"), "{}", run.stdout);
    let run = rgc(["equiv", &rg, &rg, "--positions", "100", "--plays", "3"]).success();
    assert!(run.starts_with("the same game, as far as was looked"), "{run}");
}
