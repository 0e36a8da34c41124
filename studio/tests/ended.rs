//! Why a game has ended, why moves are not legal, and what moves change.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
use support::{Client, Served};

/// A race of pawns in RBG: black's go the way that is given.
fn race(black: &str) -> String {
    let text = include_str!("../web/tests/race.rbg");
    let (before, _) = text.rsplit_once("w; up))*").unwrap();
    format!("{before}w; {black}))*\n")
}

/// Opens a text as a file.
fn open(page: &mut Client, served: &Served, name: &str, text: &str) -> u64 {
    std::fs::write(served.folder.path().join(name), text).unwrap();
    page.open(json!({ "path": name }))
}

fn bundled(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../games/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Plays moves from the beginning, as they are written.
fn played(page: &mut Client, game: u64, moves: &[&str]) -> Value {
    let mut position = page.play(game, &[None, None]);
    for text in moves {
        let legal = position["moves"].as_array().unwrap();
        let index = legal.iter().find(|legal| legal["text"] == *text);
        let index = index.unwrap_or_else(|| panic!("no move {text} in {legal:?}"))["index"].clone();
        let params = json!({ "play": position["play"], "do": "move", "index": index, "ply": position["ply"] });
        position = page.ask("play.do", params);
    }
    position
}

fn ended(page: &mut Client, position: &Value) -> Value {
    page.ask("play.do", json!({ "play": position["play"], "do": "ended" }))
}

/// That somebody has no move is said first, with the line where that fails.
#[test]
fn who_has_no_move_is_told() {
    let served = Served::new();
    let mut page = served.page();
    // A mistake: black's pawns go off the board. No move is near, so the line is told that no walk passes.
    let game = open(&mut page, &served, "race.rbg", &race("up"));
    let position = played(&mut page, game, &["b1b2"]);
    assert!(position["over"].as_str().unwrap().contains("white wins"), "{position}");
    let why = ended(&mut page, &position);
    assert!(why["unable"]["text"].as_str().unwrap().starts_with("`black` has no move\n"), "{why}");
    let places = why["unable"]["places"].as_array().unwrap();
    assert_eq!(places.len(), 1, "{why}");
    assert!(places[0]["text"].as_str().unwrap().starts_with("forward ({e}"), "{why}");
    assert!(!why["lines"].as_array().unwrap().is_empty(), "{why}");

    let small = bundled("hrg/clobber.hrg").replace("X in 0..4, Y in 0..5", "X in 0..1, Y in 0..1");
    let hexapawn = ["a1a2", "b3a2", "b1a2", "c3c2"];
    let all: [(&str, String, &[&str], &str, &str); 3] = [
        ("small.hrg", small, &["a1a2", "b1b2", "a2b2"], "black", ""),
        ("hexapawn.sbg", bundled("sbg/hexapawn.sbg"), &hexapawn, "white", "`c2` must be empty"),
        ("hexapawn.gdl", bundled("gdl/hexapawn.gdl"), &hexapawn, "white", "it needs `(cell 3 2 empty)`"),
    ];
    for (name, text, moves, player, near) in all {
        let game = open(&mut page, &served, name, &text);
        let position = played(&mut page, game, moves);
        assert!(position["over"].is_string(), "{name}: {position}");
        let why = ended(&mut page, &position);
        let told = why["unable"]["text"].as_str().unwrap_or_else(|| panic!("{name}: {why}"));
        assert!(told.starts_with(&format!("`{player}` has no move\n")), "{name}: {told}");
        assert!(told.contains(near), "{name}: {told}");
    }
}

/// Where a game ends by something else, nobody is said to have no move, though there may be none: here the last free cell completes a line.
#[test]
fn games_that_end_otherwise_say_so() {
    let served = Served::new();
    let mut page = served.page();
    let full = ["a1", "a2", "b2", "c1", "a3", "b3", "b1", "c2", "c3"];
    for name in ["ticTacToe.rbg", "ticTacToe.hrg", "ticTacToe.rg"] {
        let game = page.open(json!({ "name": name }));
        let position = played(&mut page, game, &full);
        assert_eq!(position["scores"], json!(["100", "0"]), "{name}");
        let why = ended(&mut page, &position);
        assert_eq!(why["unable"], Value::Null, "{name}: {why}");
        assert!(!why["lines"].as_array().unwrap().is_empty(), "{name}: {why}");
    }
    let game = open(&mut page, &served, "race.rbg", &race("down"));
    let position = played(&mut page, game, &["a1a2", "a4a3", "b1b2", "d4d3", "b2b3", "d3d2", "b3c4"]);
    assert!(position["over"].as_str().unwrap().contains("white wins"), "{position}");
    assert_eq!(ended(&mut page, &position)["unable"], Value::Null);
    // The game goes on, or something is hidden: nothing is said.
    let position = played(&mut page, game, &["a1a2"]);
    assert_eq!(ended(&mut page, &position), json!({ "unable": null, "lines": [] }));
}

/// A line of the rules is named only if something is said of it: that a pawn is not yet on the last row does not keep it from going there.
#[test]
fn lines_about_other_moves_are_left_out() {
    let served = Served::new();
    let mut page = served.page();
    let game = open(&mut page, &served, "race.rbg", &race("down"));
    let position = played(&mut page, game, &["a1a2", "a4a3"]);
    let mut why = |text: &str| page.ask("play.do", json!({ "play": position["play"], "do": "why", "text": text }));
    for far in ["a2a4", "b1b4", "c1c3"] {
        let answer = why(far);
        assert!(answer["text"].as_str().unwrap().contains("is not legal"), "{answer}");
        let places = answer["places"].to_string();
        assert!(!places.contains("->> {}") && !places.contains("->foe"), "{far}: {answer}");
    }
    let blocked = why("a2a3");
    assert!(blocked["places"][0]["text"].as_str().unwrap().starts_with("forward ({e}"), "{blocked}");
}

/// What a move would change, and what the last one has changed, by the names of cells and places.
#[test]
fn changes_of_moves_are_told() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "chess.rbg" }));
    let position = played(&mut page, game, &["e2e4", "a7a6", "e4e5", "d7d5"]);
    let labels = |changes: &Value| -> Vec<String> {
        let places = changes["places"].as_array().unwrap().iter().map(|place| place[1].as_str().unwrap().to_owned());
        let mut labels: Vec<String> = places.collect();
        labels.sort();
        labels
    };
    assert_eq!(labels(&position["changed"]), ["d5", "d6", "d7"], "the cell that was passed is marked");
    let legal = position["moves"].as_array().unwrap();
    let passing = legal.iter().find(|legal| legal["text"] == "e5d6").unwrap()["index"].clone();
    let ask = |ply: u64| json!({ "play": position["play"], "do": "preview", "index": passing, "ply": ply });
    assert_eq!(labels(&page.ask("play.do", ask(4))), ["d5", "d6", "e5"], "the pawn that is passed is taken");
    assert_eq!(labels(&page.ask("play.do", ask(3))), [""; 0], "another position is shown");
    // Nothing is told of what is hidden.
    let game = page.open(json!({ "name": "kuhnPoker.hrg" }));
    let position = page.play(game, &[None, Some("random")]);
    let hidden =
        page.ask("play.do", json!({ "play": position["play"], "do": "preview", "index": 0, "ply": position["ply"] }));
    let nothing = json!({ "cells": [], "places": [] });
    assert_eq!((&hidden, &position["changed"]), (&nothing, &nothing));
}
