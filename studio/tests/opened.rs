//! What can be opened: hidden games that are over, files without text, and names of new games.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
use studio::Options;
use support::Served;

#[test]
fn what_is_hidden_is_shown_once_the_game_is_over() {
    let mut page = Served::new().page();
    let game = page.open(json!({ "name": "kuhnPoker" }));
    let begun = page.play(game, &[None, None]);
    let early = page.request("play.do", json!({ "play": begun["play"], "do": "open" })).unwrap_err();
    assert_eq!(early["code"], "hidden");
    let mut position = page.play(game, &[Some("random"), Some("random")]);
    let play = position["play"].clone();
    while position["over"].is_null() {
        position = page.notified("position");
    }
    assert_eq!((&position["hides"], &position["record"]), (&json!(true), &json!([])));
    let open = page.ask("play.do", json!({ "play": play, "do": "open" }));
    assert_eq!((&open["hides"], &open["observed"]), (&json!(false), &Value::Null));
    let record = page.ask("play.do", json!({ "play": play, "do": "record" }));
    assert_eq!(record.as_array().unwrap().len(), open["record"].as_array().unwrap().len());
    // All its moves show the same game again.
    let other = page.play(game, &[None, None]);
    let again = page.ask("play.do", json!({ "play": other["play"], "do": "replay", "moves": record }));
    assert_eq!((&again["hides"], &again["record"]), (&json!(false), &open["record"]));
}

#[test]
fn what_comes_after_a_game_was_shown_is_hidden() {
    let mut page = Served::new().page();
    let game = page.open(json!({ "name": "kuhnPoker" }));
    let mut position = page.play(game, &[Some("random"), Some("random")]);
    let play = position["play"].clone();
    while position["over"].is_null() {
        position = page.notified("position");
    }
    page.ask("play.do", json!({ "play": play, "do": "open" }));
    let record = page.ask("play.do", json!({ "play": play, "do": "record" }));
    // All positions of the game that is over may be looked at. If it goes on from one of them, it is another game.
    let back = page.ask("play.do", json!({ "play": play, "do": "back" }));
    assert_eq!(back["hides"], false);
    let resumed = page.ask("play.do", json!({ "play": play, "do": "resume" }));
    assert_eq!((&resumed["hides"], &resumed["record"]), (&json!(true), &json!([])));
    // So it is with a move of a person.
    let other = page.play(game, &[None, None])["play"].clone();
    let mut shown = page.ask("play.do", json!({ "play": other, "do": "replay", "moves": record }));
    for ply in 0..record.as_array().unwrap().len() {
        shown = page.ask("play.do", json!({ "play": other, "do": "goto", "ply": ply }));
        if !shown["turn"].is_null() {
            break;
        }
    }
    assert_eq!(shown["hides"], false);
    let chosen = json!({ "play": other, "do": "move", "index": shown["moves"][0]["index"], "ply": shown["ply"] });
    let moved = page.ask("play.do", chosen);
    assert_eq!((&moved["hides"], &moved["record"]), (&json!(true), &json!([])));
    // Moves that are not legal leave all as it was.
    page.ask("play.do", json!({ "play": other, "do": "replay", "moves": record }));
    page.request("play.do", json!({ "play": other, "do": "replay", "moves": ["no move"] })).unwrap_err();
    let kept = page.ask("play.do", json!({ "play": other, "do": "goto", "ply": 0 }));
    assert_eq!((&kept["hides"], &kept["plies"]), (&json!(false), &json!(record.as_array().unwrap().len())));
}

#[test]
fn a_file_without_text_is_opened() {
    let served = Served::new();
    std::fs::write(served.folder.path().join("empty.rbg"), " \n").unwrap();
    let opened = served.page().ask("open", json!({ "path": "empty.rbg" }));
    assert_eq!((&opened["text"], &opened["language"]), (&json!(" \n"), &json!("rbg")));
    // Also as what the studio is started with.
    let alone = Served::at(&served.folder.path().join("empty.rbg"), Options::default());
    assert_eq!(alone.page().ask("hello", json!({}))["initial"], json!({ "path": "empty.rbg" }));
}

#[test]
fn what_is_wrong_with_a_name_is_said() {
    let mut page = Served::new().page();
    let (long, accents) = ("a".repeat(61), "é".repeat(40));
    let names = [
        ("my pawn", "spaces"),
        ("a/b", "`/`"),
        ("1a", "begins with a letter"),
        ("", "needs a name"),
        (long.as_str(), "61 letters"),
        (accents.as_str(), "cannot have `é`"),
    ];
    for (name, wrong) in names {
        let failure = page.request("open", json!({ "new": { "language": "rbg", "name": name } })).unwrap_err();
        assert!(failure["message"].as_str().unwrap().contains(wrong), "{name}: {failure}");
    }
}
