//! What can be opened: hidden games that are over, files without text, and names of new games.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
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
fn a_file_without_text_is_opened() {
    let served = Served::new();
    std::fs::write(served.folder.path().join("empty.rbg"), " \n").unwrap();
    let opened = served.page().ask("open", json!({ "path": "empty.rbg" }));
    assert_eq!((&opened["text"], &opened["language"]), (&json!(" \n"), &json!("rbg")));
}

#[test]
fn what_is_wrong_with_a_name_is_said() {
    let mut page = Served::new().page();
    for (name, wrong) in [("my pawn", "spaces"), ("a/b", "`/`"), ("1a", "begins with a letter"), ("", "needs a name")] {
        let failure = page.request("open", json!({ "new": { "language": "rbg", "name": name } })).unwrap_err();
        assert!(failure["message"].as_str().unwrap().contains(wrong), "{name}: {failure}");
    }
}
