//! Passes, measurements, matches and reports: work that goes on while a page does other things.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
use support::{Client, Served};

#[test]
fn runs_of_passes_add_up() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "breakthrough.rbg" }));
    let all = page.ask("passes.run", json!({ "game": game, "level": 2 }));
    let runs = all["runs"].as_array().unwrap();
    assert_eq!(runs.last().unwrap()["after"], all["after"]);
    let changed = runs.iter().find(|run| run["delta"].as_str().is_some_and(|delta| delta.contains("nodes"))).unwrap();
    let number = &changed["number"];
    let step = page.ask("passes.step", json!({ "game": game, "level": 2, "number": number, "draw": true }));
    assert_ne!(step["before"], step["after"]);
    let svg = step["svg"].as_str().unwrap();
    assert!(svg.contains(" removed") || svg.contains(" added"));
    let without = json!({ "game": game, "level": 2, "without": [changed["pass"]] });
    let less = page.ask("passes.run", without);
    assert!(less["runs"].as_array().unwrap().iter().all(|run| run["pass"] != changed["pass"]));
    let none = json!({ "game": game, "level": 2, "number": 100_000, "draw": false });
    assert_eq!(page.request("passes.step", none).unwrap_err()["code"], "request");
}

/// Reports of a job, until it ends.
fn reports(page: &mut Client, job: &Value) -> Vec<(String, Value)> {
    let mut reports = Vec::new();
    loop {
        let message = page.notified("job");
        if message["job"] != *job {
            continue;
        }
        let kind = message["kind"].as_str().unwrap().to_owned();
        if kind == "end" {
            assert_eq!(message["what"], Value::Null);
            return reports;
        }
        reports.push((kind, message["what"].clone()));
    }
}

#[test]
fn passes_are_verified_and_reordered() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let usual = page.ask("passes.run", json!({ "game": game, "level": 2 }));
    let mut order: Vec<&Value> = usual["passes"].as_array().unwrap().iter().map(|pass| &pass["name"]).collect();
    order.reverse();
    let other = page.ask("passes.run", json!({ "game": game, "level": 2, "order": order }));
    let ran =
        |all: &Value| -> Vec<Value> { all["runs"].as_array().unwrap().iter().map(|run| run["pass"].clone()).collect() };
    assert_ne!(ran(&usual), ran(&other));
    let job = page.ask("passes.verify", json!({ "game": game, "level": 2, "order": order }))["job"].clone();
    let [(kind, verdict)] = &reports(&mut page, &job)[..] else { panic!("there is one verdict") };
    assert_eq!((kind.as_str(), &verdict["guilty"]), ("verdict", &Value::Null));
    let compared = verdict["compared"].as_str().unwrap();
    assert!(compared.contains(" positions from the start and ") && compared.ends_with(" random plays"), "{compared}");
    // It is stopped like all other work.
    let chess = page.open(json!({ "name": "chess.rbg" }));
    let job = page.ask("passes.verify", json!({ "game": chess, "level": 3 }))["job"].clone();
    page.ask("job.stop", json!({ "number": job }));
    assert_eq!(reports(&mut page, &job), []);
}

#[test]
fn numbers_of_sequences_are_those_of_the_text() {
    let served = Served::new();
    let mut page = served.page();
    for (name, depth) in [("breakthrough.rbg", 4), ("ticTacToe.gdl", 5), ("race.rg", 6)] {
        let game = page.open(json!({ "name": name }));
        let job = page.ask("perft.start", json!({ "game": game, "depth": depth, "divide": true }))["job"].clone();
        let rows = reports(&mut page, &job);
        assert_eq!(rows.len(), depth, "{name}");
        for (_, row) in rows {
            assert_eq!(row["leaves"], row["known"], "{name}");
            let shares = row["shares"].as_array().unwrap();
            let sum: u64 = shares.iter().map(|share| share[1].as_str().unwrap().parse::<u64>().unwrap()).sum();
            assert_eq!(row["leaves"], sum.to_string());
        }
    }
}

#[test]
fn matches_are_counted_and_replayed() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let wanted = json!({ "game": game, "agents": ["random", "uct:100p"], "games": 6, "seed": 4 });
    let job = page.ask("match.start", wanted)["job"].clone();
    let reports = reports(&mut page, &job);
    let results: Vec<&Value> = reports.iter().filter(|(kind, _)| kind == "result").map(|(_, what)| what).collect();
    assert_eq!(results.len(), 6);
    let rows = results[5]["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["games"] == 6) && rows[0]["won"] == rows[1]["lost"]);
    assert!(rows[1]["score"].as_f64() > rows[0]["score"].as_f64());
    let position = page.play(game, &[None, None]);
    let replay = json!({ "play": position["play"], "do": "replay", "moves": results[0]["moves"] });
    let first = page.ask("play.do", replay);
    assert_eq!((&first["ply"], &first["plies"]), (&json!(0), &results[0]["plies"]));
    let last = page.ask("play.do", json!({ "play": position["play"], "do": "goto", "ply": 99 }));
    assert_eq!(last["scores"], results[0]["scores"]);
}

#[test]
fn two_jobs_go_on_at_once_and_end_when_they_are_stopped() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "chess.rbg" }));
    let wanted = json!({ "game": game, "engines": ["interpreter"], "seconds": 60 });
    let jobs: Vec<Value> = (0..2).map(|_| page.ask("measure.start", wanted.clone())["job"].clone()).collect();
    assert_eq!(page.request("measure.start", wanted.clone()).unwrap_err()["code"], "busy");
    // Those of a page that is closed end with it.
    let mut other = served.page();
    let elsewhere = other.open(json!({ "name": "chess.rbg" }));
    page.ask("job.stop", json!({ "number": jobs[0] }));
    while page.notified("job")["kind"] != "end" {}
    let own = json!({ "game": elsewhere, "engines": ["interpreter"], "seconds": 60 });
    other.ask("measure.start", own.clone());
    drop(page);
    let start = std::time::Instant::now();
    while other.request("measure.start", own.clone()).is_err() {
        assert!(start.elapsed().as_secs() < 30);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn a_report_tells_what_the_command_tells() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let wanted = json!({ "game": game, "playouts": 200, "positions": 10_000, "proper": true });
    let job = page.ask("audit.start", wanted)["job"].clone();
    let reports = reports(&mut page, &job);
    assert!(reports.iter().any(|(kind, _)| kind == "progress"));
    let (kind, report) = reports.last().unwrap();
    assert_eq!((kind.as_str(), &report["wrong"], &report["findings"]), ("report", &json!(false), &json!([])));
    let section = |title: &str| {
        let sections = report["sections"].as_array().unwrap();
        sections.iter().find(|section| section["title"] == title).unwrap_or_else(|| panic!("{title}")).clone()
    };
    let line = |title: &str, name: &str| {
        let lines = section(title)["lines"].as_array().unwrap().clone();
        lines.iter().find(|line| line[0] == name).unwrap_or_else(|| panic!("{name}"))[1].as_str().unwrap().to_owned()
    };
    // A board of nine cells is full after nine moves.
    assert!(
        line("sizes", "positions").ends_with(": all, up to 9 moves from the start"),
        "{}",
        line("sizes", "positions")
    );
    assert!(line("properness", "verdict").starts_with("proper"));
    assert!(section("playouts")["plots"][0]["svg"].as_str().unwrap().starts_with("<svg"));
    // It is stopped like all other work.
    let chess = page.open(json!({ "name": "chess.rbg" }));
    let wanted = json!({ "game": chess, "playouts": 1_000_000, "positions": 1_000_000, "proper": false });
    let job = page.ask("audit.start", wanted)["job"].clone();
    page.ask("job.stop", json!({ "number": job }));
    while page.notified("job")["kind"] != "end" {}
}

#[test]
fn engines_are_measured_with_their_memory() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let engine = page.ask("hello", json!({}))["engines"][0].clone();
    let job = page.ask("measure.start", json!({ "game": game, "engines": [engine], "seconds": 0.1 }))["job"].clone();
    let reports = reports(&mut page, &job);
    let (_, sample) = reports.last().unwrap();
    assert!(sample["playouts"].as_u64().unwrap() > 0, "{sample}");
    // Only Linux tells.
    assert_eq!(sample["memory"].is_u64(), cfg!(target_os = "linux"), "{sample}");
}
