//! Pages that need no server, and links that carry games.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use kit::language;
use kit::participant::Participant;
use serde_json::{Value, json};
use studio::{Exported, Options, Source, Studio, export, list};
use support::Served;

/// What is in a page.
fn contents(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"contents\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn exported(name: &str, text: &str, agents: &str) -> Exported {
    let language = language::choose(std::path::Path::new(name), None, text).unwrap();
    let source = Source { name, text, language, reading: language::Reading::default() };
    export(&source, &Participant::parse_list(agents).unwrap()).unwrap()
}

fn bundled(name: &str, agents: &str) -> Exported {
    exported(name, kit::library::find(name, None).unwrap().text, agents)
}

#[test]
fn a_page_has_a_whole_game() {
    let Exported { entry, page } = bundled("ticTacToe.rbg", "random");
    assert_eq!(entry.file, "ticTacToe-rbg.html");
    let contents = contents(&page);
    let replay = &contents["replay"];
    let (moves, positions) = (replay["moves"].as_array().unwrap(), replay["positions"].as_array().unwrap());
    assert_eq!(positions.len(), moves.len() + 1);
    assert!(replay["over"].is_string() && moves.len() >= 5);
    assert_eq!(replay["seats"], json!(["random", "random"]));
    // Positions share their parts: a move changes one place.
    let parts = |at: usize| positions[at]["boards"][0]["parts"].as_array().unwrap();
    let changed = parts(0).iter().zip(parts(1)).filter(|(before, after)| before != after).count();
    assert_eq!(changed, 1);
    let picture: String = parts(0)
        .iter()
        .map(|part| replay["parts"][usize::try_from(part.as_u64().unwrap()).unwrap()].as_str().unwrap())
        .collect();
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n") && picture.contains("data-place=\"a1\""));
    assert!(contents["automaton"]["drawings"][0]["svg"].as_str().unwrap().contains("data-node=\"begin\""));
    // The differences belong to runs that changed something.
    let runs = contents["passes"]["runs"].as_array().unwrap();
    let changed: Vec<String> =
        runs.iter().filter(|run| run["changed"] == true).map(|run| run["number"].to_string()).collect();
    let differences = contents["passes"]["differences"].as_object().unwrap();
    assert!(!differences.is_empty() && differences.keys().all(|number| changed.contains(number)));
}

/// Places that a move changes without naming them are marked as well.
#[test]
fn pages_know_what_moves_have_changed() {
    let Exported { page, .. } = bundled("reversi.hrg", "random");
    let contents = contents(&page);
    let moves = contents["replay"]["moves"].as_array().unwrap();
    // A disc that is put, and another one that is turned.
    let changed = moves[0]["changed"]["places"].as_array().unwrap();
    let named = moves[0]["places"].as_array().unwrap();
    assert_eq!((changed.len(), named.len()), (2, 1), "{:?}", moves[0]);
    assert!(changed.iter().any(|place| place[1] == named[0]) && changed.iter().all(|place| place[0] == 0));
    // The cells of tables, too.
    let nim = self::contents(&bundled("nim.hrg", "random").page);
    assert_eq!(nim["replay"]["moves"][0]["changed"]["cells"][0]["table"], "matches");
}

#[test]
fn a_page_fetches_nothing_and_runs_nothing_of_the_game() {
    let text = "// </script><script>alert(1)</script>: <img src=x onerror=alert(1)>\n\
                type Player = { p }; type Score = { 0, 1 }; begin, a: player = p; a, end: player = keeper;";
    let Exported { entry, page } = exported("evil.rg", text, "random");
    assert_eq!(page.matches("<script").count(), 2, "the contents and the script");
    assert!(page.matches("</script").count() == 2 && !page.contains("<img"));
    assert_eq!(contents(&page)["text"], text);
    for outside in ["src=\"", "href=\"http", "url(http", "@import", "fetch(", "WebSocket"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
    let list = list(&[entry]);
    assert!(list.contains("href=\"evil-rg.html\"") && !list.contains("<img") && list.matches("<script").count() == 1);
}

#[test]
fn large_automata_have_a_drawing_for_each_region() {
    let contents = contents(&bundled("chess.rbg", "random").page);
    let drawings = contents["automaton"]["drawings"].as_array().unwrap();
    assert!(drawings.len() > 10 && drawings[0]["open"].is_null());
    let count = |drawing: &Value| drawing["svg"].as_str().unwrap().matches("data-node=").count();
    assert!(drawings.iter().skip(1).all(|drawing| drawing["open"].is_string() && count(drawing) > 1));
    let bytes: usize = drawings.iter().map(|drawing| drawing["svg"].as_str().unwrap().len()).sum();
    assert!(bytes < 4_500_000, "{bytes}");
}

#[test]
fn the_page_of_a_play_has_its_moves() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let position = page.play(game, &[None, None]);
    let index = position["moves"][3]["index"].clone();
    let made = json!({ "play": position["play"], "do": "move", "index": index, "ply": 0 });
    page.ask("play.do", made);
    let moves = page.ask("play.do", json!({ "play": position["play"], "do": "record" }));
    assert_eq!(moves.as_array().unwrap().len(), 1);
    let wanted = json!({ "game": game, "form": "page", "moves": moves, "seats": ["person", "person"] });
    let file = page.ask("export", wanted);
    assert_eq!(file["name"], "ticTacToe-rbg.html");
    assert_eq!(contents(file["text"].as_str().unwrap())["replay"]["moves"][0]["text"], position["moves"][3]["text"]);
    // Nothing is written by the server.
    assert_eq!(std::fs::read_dir(served.folder.path()).unwrap().count(), 0);
    let wrong = json!({ "game": game, "form": "page", "moves": ["z9"], "seats": [] });
    assert_eq!(page.request("export", wrong).unwrap_err()["code"], "request");
    let rg = page.ask("export", json!({ "game": game, "form": "rg" }));
    let again = page.open(json!({ "shared": { "name": rg["name"], "text": rg["text"] } }));
    assert!(!page.play(again, &[None, None])["moves"].as_array().unwrap().is_empty());
    let json = page.ask("export", json!({ "game": game, "form": "json" }));
    assert!(serde_json::from_str::<Value>(json["text"].as_str().unwrap()).is_ok());
}

/// A game in which somebody is left without a move is shown up to there, whoever has played it.
#[test]
fn a_game_that_is_stuck_has_a_page() {
    let text = include_str!("../web/tests/stuck.rg");
    let stuck = "second has no legal move here, and the rules do not end the game";
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "shared": { "name": "stuck.rg", "text": text } }));
    let wanted = json!({ "game": game, "form": "page", "moves": ["stay"], "seats": ["person", "person"] });
    let file = page.ask("export", wanted);
    let replay = &contents(file["text"].as_str().unwrap())["replay"];
    assert_eq!((&replay["stuck"], &replay["over"]), (&json!(stuck), &Value::Null));
    assert_eq!((replay["positions"].as_array().unwrap().len(), &replay["moves"][0]["text"]), (2, &json!("stay")));
    // Nothing comes behind it.
    let longer = json!({ "game": game, "form": "page", "moves": ["stay", "go"], "seats": [] });
    assert_eq!(page.request("export", longer).unwrap_err()["code"], "request");
    // Agents get there as well, if nothing else can be done.
    let is_other =
        |line: &&str| !line.starts_with("choose, going") && !line.starts_with("going,") && !line.starts_with("won,");
    let forced: String = text.lines().filter(is_other).flat_map(|line| [line, "\n"]).collect();
    let replay = &contents(&exported("stuck.rg", &forced, "random").page)["replay"];
    assert_eq!((&replay["stuck"], replay["moves"].as_array().unwrap().len()), (&json!(stuck), 1));
    let whole = &contents(&bundled("ticTacToe.rbg", "random").page)["replay"];
    assert_eq!(whole["stuck"], Value::Null);
}

/// What a player must not know is in no page that a player can have made.
#[test]
fn pages_of_plays_hide_what_is_hidden() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "kuhnPoker.hrg" }));
    let position = page.ask("play.new", json!({ "game": game, "seats": [null, "random"], "seed": 1 }));
    let moves = page.ask("play.do", json!({ "play": position["play"], "do": "record" }));
    assert_eq!(moves, json!([]));
    let file = page.ask("export", json!({ "game": game, "form": "page", "moves": [], "seats": [] }));
    let contents = contents(file["text"].as_str().unwrap());
    assert!(contents["replay"].is_null() && contents["note"].as_str().unwrap().contains("hidden"));
}

#[test]
fn shared_texts_are_opened_as_copies() {
    let served = Served::new();
    let mut page = served.page();
    let text = kit::library::find("ticTacToe.rbg", None).unwrap().text;
    let opened = page.ask("open", json!({ "shared": { "name": "../../x/own.rbg", "text": text } }));
    assert_eq!((&opened["name"], &opened["path"]), (&json!("own.rbg"), &Value::Null));
    for name in ["", "a", "..", ".rbg", ".hidden.rbg", "x/", "a.exe", "a\u{1b}.rbg"] {
        let failed = page.request("open", json!({ "shared": { "name": name, "text": text } })).unwrap_err();
        assert_eq!(failed["code"], "IO303", "{name}");
    }
}

#[test]
fn a_link_leads_to_the_page_of_this_server() {
    let bind = |target: &str| Studio::bind(Options { target: Some(target.into()), ..Options::default() });
    let address = bind("http://127.0.0.1:4000/#g=abc-_9").unwrap().address();
    let (_, fragment) = address.split_once("/#t=").unwrap();
    assert_eq!(fragment.split_once('&').unwrap().1, "g=abc-_9");
    assert!(bind("http://127.0.0.1:4000/#g=a&x=<b>").is_err());
    assert!(bind("#g=").is_err());
}
