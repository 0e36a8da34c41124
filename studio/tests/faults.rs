//! What goes wrong, or would take for ever, ends with an answer.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::{Client, Served};
use tungstenite::Message;

/// Chance moves for ever.
const ENDLESS: &str = "type Player = { p }; type Score = { 0, 1 }; type C = { x, y }; var c: C = x;
begin, a: player = random; a, b: c = C(*); b, t: $$ c; t, begin: player = keeper;";

#[test]
fn chance_that_moves_for_ever_is_stopped() {
    let served = Served::new();
    std::fs::write(served.folder.path().join("endless.rg"), ENDLESS).unwrap();
    let mut page = served.page();
    let opened = page.ask("open", json!({ "path": "endless.rg" }));
    let update = json!({ "game": opened["game"], "version": 0, "text": opened["text"] });
    let checked = page.ask("update", update);
    assert_eq!(checked["errors"], 0, "{checked}");
    let position = page.play(opened["game"].as_u64().unwrap(), &[None]);
    assert_eq!((&position["trouble"]["code"], &position["paused"]), (&json!("endless"), &json!(true)), "{position}");
    assert_eq!(position["plies"], 1_000);
    let more = page.ask("play.do", json!({ "play": position["play"], "do": "resume" }));
    assert_eq!(more["plies"], 2_000, "whoever wants more gets more");
}

#[test]
fn another_seat_does_not_show_another_hand() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "kuhnPoker.hrg" }));
    for (before, after) in [([None, Some("random")], [Some("random"), None]), ([None, None], [Some("random"), None])] {
        let begun = page.play(game, &before);
        let position = page.ask("play.do", json!({ "play": begun["play"], "do": "look" }));
        assert_eq!((&position["viewer"], &position["covered"]), (&json!(0), &json!(false)));
        page.ask("play.do", json!({ "play": begun["play"], "do": "analyse" }));
        let other = page.ask("play.do", json!({ "play": begun["play"], "do": "seats", "seats": after }));
        assert_eq!((&other["covered"], &other["next"], &other["analysing"]), (&json!(true), &json!(1), &json!(false)));
        let nothing = (&json!([]), &Value::Null, &json!([]), &json!([]));
        assert_eq!((&other["moves"], &other["observed"], &other["tables"], &other["facts"]), nothing);
        let looked = page.ask("play.do", json!({ "play": begun["play"], "do": "look" }));
        assert_eq!((&looked["viewer"], &looked["covered"]), (&json!(1), &json!(false)));
        page.ask("play.end", json!({ "number": begun["play"] }));
    }
}

#[test]
fn who_knows_the_seed_does_not_know_the_cards() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "kuhnPoker.hrg" }));
    let mut deal = || page.play(game, &[None, Some("random")])["observed"].to_string();
    let first = deal();
    assert!((0..40).any(|_| deal() != first), "equal seeds give equal deals");
}

#[test]
fn a_replay_that_fails_keeps_the_game() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let begun = page.play(game, &[None, None]);
    let play = &begun["play"];
    let position = page.ask("play.do", json!({ "play": play, "do": "move", "index": 0, "ply": 0 }));
    let wrong = json!({ "play": play, "do": "replay", "moves": ["nonsense"] });
    assert_eq!(page.request("play.do", wrong).unwrap_err()["code"], "request");
    let same = page.ask("play.do", json!({ "play": play, "do": "goto", "ply": 1 }));
    assert_eq!((&same["record"], &same["plies"]), (&position["record"], &json!(1)));
}

#[test]
fn every_request_of_a_play_is_answered() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    // No play begins with an agent that cannot play, and none is left over.
    let wanted = json!({ "game": game, "seats": ["nobody", null], "seed": 1 });
    assert_eq!(page.request("play.new", wanted).unwrap_err()["code"], "agent");
    let begun = page.play(game, &[]);
    page.ask("play.end", json!({ "number": begun["play"] }));
    let late = json!({ "play": begun["play"], "do": "back" });
    assert_eq!(page.request("play.do", late).unwrap_err()["code"], "request");
}

/// Sends requests without waiting for their answers, which are then collected.
fn burst(page: &mut Client, requests: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut count = 0;
    for request in requests {
        page.socket.send(Message::text(request.to_string())).unwrap();
        count += 1;
    }
    (0..count).map(|_| page.receive()).collect()
}

#[test]
fn work_of_a_page_is_limited() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "chess.rbg" }));
    let params = json!({ "game": game, "level": 3 });
    let request = |id: u32| json!({ "jsonrpc": "2.0", "id": 1000 + id, "method": "passes.run", "params": params });
    let answers = burst(&mut page, (0..60).map(request));
    let busy = answers.iter().filter(|answer| answer["error"]["code"] == "busy").count();
    let done = answers.iter().filter(|answer| answer["result"].is_object()).count();
    assert!(busy > 0 && done >= 20 && busy + done == 60, "{busy} busy, {done} done");
}

#[test]
fn answers_are_about_the_text_that_was_asked_about() {
    let served = Served::new();
    let mut page = served.page();
    let opened = page.ask("open", json!({ "name": "ticTacToe.rbg" }));
    let (game, text) = (&opened["game"], &opened["text"]);
    for version in [1, 2] {
        page.ask("update", json!({ "game": game, "version": version, "text": text }));
    }
    for (method, params) in [
        ("graph", json!({ "level": 0 })),
        ("passes.run", json!({ "level": 1 })),
        ("passes.step", json!({ "level": 1, "number": 1, "draw": false })),
        ("play.new", json!({ "seats": [], "seed": 0 })),
        ("perft.start", json!({ "depth": 1, "divide": false })),
    ] {
        let mut about = params;
        (about["game"], about["version"]) = (game.clone(), json!(1));
        assert_eq!(page.request(method, about.clone()).unwrap_err()["code"], "stopped", "{method}");
        about["version"] = json!(2);
        assert!(page.request(method, about).is_ok(), "{method}");
    }
    let none = json!({ "game": game, "level": 1, "number": 0, "draw": false });
    assert_eq!(page.request("passes.step", none).unwrap_err()["code"], "request", "runs begin with 1");
}

#[test]
fn large_texts_are_refused_and_nothing_is_repeated_at_length() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let large = "/".repeat((2 << 20) + 1);
    let update = json!({ "game": game, "version": 1, "text": large });
    assert_eq!(page.request("update", update).unwrap_err()["code"], "large");
    let save = json!({ "game": game, "text": large, "path": "large.rbg" });
    assert_eq!(page.request("save", save).unwrap_err()["code"], "large");
    assert!(!served.folder.path().join("large.rbg").exists());
    let engine = json!({ "game": game, "engines": [large], "seconds": 1 });
    assert!(page.request("measure.start", engine).unwrap_err().to_string().len() < 50_000);
}

#[test]
fn a_count_is_stopped_at_once() {
    let served = Served::new();
    let mut page = served.page();
    // Positions with thousands of moves, and positions with few.
    for name in ["amazons.rbg", "breakthrough.rbg"] {
        let game = page.open(json!({ "name": name }));
        let job = page.ask("perft.start", json!({ "game": game, "depth": 20, "divide": false }))["job"].clone();
        std::thread::sleep(Duration::from_secs(2));
        page.ask("job.stop", json!({ "number": job }));
        let start = Instant::now();
        while page.notified("job")["kind"] != "end" {}
        assert!(start.elapsed() < Duration::from_secs(10), "{name}: {:?}", start.elapsed());
    }
}
