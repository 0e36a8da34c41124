//! What a page can ask for, and that nobody sees what is hidden from them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
use support::{Client, Served};

/// The index of a legal move, by its text.
fn index(position: &Value, text: &str) -> u64 {
    let moves = position["moves"].as_array().unwrap();
    let found = moves.iter().find(|legal| legal["text"] == text);
    found.unwrap_or_else(|| panic!("no move {text} in {moves:?}"))["index"].as_u64().unwrap()
}

fn make(page: &mut Client, position: &Value, text: &str) -> Value {
    let params = json!({
        "play": position["play"], "do": "move", "index": index(position, text), "ply": position["ply"],
    });
    page.ask("play.do", params)
}

#[test]
fn a_game_is_played_and_taken_back() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let mut position = page.play(game, &[None, None]);
    assert_eq!(position["players"], json!(["crosses", "noughts"]));
    for text in ["a1", "b1", "a2", "b2"] {
        position = make(&mut page, &position, text);
    }
    let walk = page.ask("play.do", json!({ "play": position["play"], "do": "walk" }));
    assert!(walk["made"].as_array().unwrap().len() > 2, "{walk}");
    let ended = |page: &mut Client, play: &Value| page.ask("play.do", json!({ "play": play, "do": "ended" }));
    assert_eq!(ended(&mut page, &position["play"])["lines"], json!([]), "the game goes on");
    position = make(&mut page, &position, "a3");
    assert!(position["over"].as_str().unwrap().contains("crosses wins"));
    assert_eq!((&position["moves"], &position["scores"]), (&json!([]), &json!(["100", "0"])));
    // The walk goes on to the end of the game, and the last lines of the rules before it are the reason.
    let walk = page.ask("play.do", json!({ "play": position["play"], "do": "walk" }));
    let last = walk["made"].as_array().unwrap().iter().chain(walk["answers"].as_array().unwrap()).next_back().unwrap();
    assert_eq!(last[1], "end", "{walk}");
    let why = ended(&mut page, &position["play"]);
    let lines = why["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["text"].as_str().unwrap().contains("100")), "{lines:?}");
    let back = page.ask("play.do", json!({ "play": position["play"], "do": "back" }));
    assert_eq!((&back["ply"], &back["plies"], &back["over"]), (&json!(4), &json!(5), &Value::Null));
    let other = make(&mut page, &back, "c3");
    assert_eq!((&other["ply"], &other["plies"]), (&json!(5), &json!(5)), "what was played there is forgotten");
    // A move that was chosen in another position is not made.
    let late = json!({ "play": position["play"], "do": "move", "index": 0, "ply": 4 });
    assert_eq!(page.request("play.do", late).unwrap_err()["code"], "request");
}

#[test]
fn clicks_lead_to_every_move() {
    let served = Served::new();
    let mut page = served.page();
    for (name, text, clicks) in [
        ("chess.rbg", "e2e4", json!(["e2", "e4"])),
        ("breakthrough.sbg", "a2a3", json!(["a2", "a3"])),
        ("breakthrough.hrg", "a2a3", json!(["a2", "a3"])),
        ("amazons.rbg", "", json!(null)),
    ] {
        let game = page.open(json!({ "name": name }));
        let position = page.play(game, &[None, None]);
        let moves = position["moves"].as_array().unwrap();
        match moves.iter().find(|legal| legal["text"] == text) {
            Some(legal) => assert_eq!(legal["clicks"], clicks, "{name}"),
            None => assert!(text.is_empty() && moves.iter().all(|it| it["clicks"].as_array().unwrap().len() == 3)),
        }
        // Every place that is to be clicked is on the board.
        let svg = position["boards"][0]["svg"].as_str().unwrap();
        for label in moves.iter().flat_map(|legal| legal["clicks"].as_array().unwrap()) {
            assert!(svg.contains(&format!("data-place=\"{}\"", label.as_str().unwrap())), "{name}: {label}");
        }
    }
}

/// All moves of a game of kuhnPoker, with a look at everything that is sent.
#[test]
fn a_hidden_card_is_never_sent() {
    let served = Served::new();
    for seed in 0..12 {
        let mut page = served.page();
        let game = page.open(json!({ "name": "kuhnPoker.hrg" }));
        page.bytes.clear();
        let params = json!({ "game": game, "seats": [null, "random"], "seed": seed });
        let mut position = page.ask("play.new", params);
        for _ in 0..6 {
            if position["over"].is_string() {
                break;
            }
            match position["moves"].as_array().unwrap().first() {
                Some(legal) => {
                    let text = legal["text"].as_str().unwrap().to_owned();
                    position = make(&mut page, &position, &text);
                }
                None => position = page.notified("position"),
            }
        }
        assert_eq!(position["viewer"], 0);
        let observed = position["observed"].to_string();
        let cards = ["jack", "queen", "king"];
        let own: Vec<&&str> = cards.iter().filter(|card| observed.contains(**card)).collect();
        // `thinking` is the name of a field.
        let bytes = page.bytes.replace("thinking", "");
        let sent: Vec<&&str> = cards.iter().filter(|card| bytes.contains(**card)).collect();
        assert_eq!(own.len(), 1, "{observed}");
        assert_eq!(sent, own, "{}", page.bytes);
        assert!(position["record"].as_array().unwrap().is_empty());
        assert!(position["tables"].to_string().contains(own[0]), "the own card is known: {position}");
        let walk = page.ask("play.do", json!({ "play": position["play"], "do": "walk" }));
        assert_eq!(
            (&walk["made"], &walk["answers"]),
            (&json!([]), &json!([])),
            "the way through the rules tells the card"
        );
    }
}

#[test]
fn two_persons_look_one_after_the_other() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "kuhnPoker.hrg" }));
    let covered = page.play(game, &[None, None]);
    assert_eq!((&covered["covered"], &covered["moves"], &covered["viewer"]), (&json!(true), &json!([]), &Value::Null));
    // What is covered cannot be played.
    let blind = json!({ "play": covered["play"], "do": "move", "index": 0, "ply": covered["ply"] });
    assert!(page.request("play.do", blind).is_err());
    let first = page.ask("play.do", json!({ "play": covered["play"], "do": "look" }));
    assert!(first["viewer"] == first["turn"] && !first["moves"].as_array().unwrap().is_empty());
    let text = first["moves"][0]["text"].as_str().unwrap().to_owned();
    let next = make(&mut page, &first, &text);
    assert_eq!((&next["covered"], &next["observed"]), (&json!(true), &Value::Null));
    let second = page.ask("play.do", json!({ "play": covered["play"], "do": "look" }));
    assert_ne!(second["viewer"], first["viewer"]);
}

#[test]
fn an_agent_is_stopped_and_goes_on() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "connectFour.rbg" }));
    let position = page.play(game, &[Some("uct:60s"), None]);
    assert_eq!(position["thinking"], true);
    let insight = page.notified("insight");
    assert!(insight["playouts"].as_u64().unwrap() > 0 && !insight["moves"].as_array().unwrap().is_empty());
    page.ask("play.do", json!({ "play": position["play"], "do": "stop" }));
    let stopped = page.notified("position");
    assert_eq!((&stopped["thinking"], &stopped["paused"], &stopped["ply"]), (&json!(false), &json!(true), &json!(0)));
    let seats = json!({ "play": position["play"], "do": "seats", "seats": ["random", null] });
    page.ask("play.do", seats);
    page.ask("play.do", json!({ "play": position["play"], "do": "resume" }));
    assert_eq!(page.notified("position")["ply"], 1);
}

#[test]
fn errors_keep_the_last_good_version() {
    let served = Served::new();
    let mut page = served.page();
    let opened = page.ask("open", json!({ "name": "ticTacToe.rbg" }));
    let game = &opened["game"];
    assert_eq!(page.request("graph", json!({ "game": game, "level": 0 })).unwrap_err()["code"], "errors");
    let text = opened["text"].as_str().unwrap();
    let good = page.ask("update", json!({ "game": game, "version": 3, "text": text }));
    assert_eq!((&good["errors"], &good["wrong"]), (&json!(0), &Value::Null));
    let bad = page.ask("update", json!({ "game": game, "version": 4, "text": text.replace("->foe", "->fo") }));
    assert!(bad["errors"].as_u64().unwrap() > 0 && bad["players"].is_null());
    let details = bad["wrong"]["details"].as_str().unwrap();
    assert!(details.contains("ticTacToe.rbg:"), "{details}");
    let drawn = page.ask("graph", json!({ "game": game, "level": 0 }));
    assert_eq!(drawn["version"], 3);
}

#[test]
fn drawings_have_nodes_places_and_regions() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "chess.rbg" }));
    let folded = page.ask("graph", json!({ "game": game, "level": 0 }));
    let count = |drawn: &Value| drawn["svg"].as_str().unwrap().matches("data-node=").count();
    let regions = folded["regions"].as_array().unwrap();
    assert!(count(&folded) < 100 && regions.iter().all(|region| region["open"] == false));
    let name = &regions[0]["name"];
    let open = page.ask("graph", json!({ "game": game, "level": 0, "open": [name] }));
    assert!(count(&open) > count(&folded));
    let inner = open["boxes"].as_array().unwrap().iter().find(|pair| pair[0] != pair[1]).unwrap()[0].clone();
    let revealed = page.ask("graph", json!({ "game": game, "level": 0, "open": [], "reveal": inner }));
    assert!(revealed["svg"].as_str().unwrap().contains(&format!("data-node={inner}")));
    assert!(folded["places"].as_array().unwrap().len() > 500);
    let noted = page.ask("graph", json!({ "game": game, "level": 2, "analysis": "live" }));
    assert!(noted["svg"].as_str().unwrap().contains("class=\"note\""));
    // Strict policies of pages allow no styles in attributes; classes say the same.
    assert!(!folded["svg"].as_str().unwrap().contains("style="));
}

#[test]
fn places_are_counted_as_pages_do() {
    let served = Served::new();
    let text = "// 🎲 é\ntype Player = { p }; type Score = { 0, 1 }; begin, a: player = p; a, end: player = keeper;";
    std::fs::write(served.folder.path().join("own.rg"), text).unwrap();
    let mut page = served.page();
    let game = page.open(json!({ "path": "own.rg" }));
    let drawn = page.ask("graph", json!({ "game": game, "level": 0 }));
    let text: Vec<u16> = text.encode_utf16().collect();
    let place = drawn["places"].as_array().unwrap().iter().find(|place| place[0] == "a").unwrap();
    let [from, to] = [1, 2].map(|at| usize::try_from(place[at].as_u64().unwrap()).unwrap());
    let written = String::from_utf16(&text[from..to]).unwrap();
    assert!(written.starts_with("a, end"), "{written}");
}

#[test]
fn every_bundled_game_opens_and_can_be_played() {
    let served = Served::new();
    let mut page = served.page();
    let library = page.ask("library", json!({}));
    for game in library["bundled"].as_array().unwrap() {
        for language in game["languages"].as_array().unwrap() {
            let name = format!("{}.{}", game["name"].as_str().unwrap(), language.as_str().unwrap());
            let number = page.open(json!({ "name": name }));
            let position = page.play(number, &[]);
            let is_ready = position["covered"] == true || !position["moves"].as_array().unwrap().is_empty();
            assert!(is_ready && position["trouble"].is_null(), "{name}: {position}");
            page.ask("play.end", json!({ "number": position["play"] }));
            page.ask("close", json!({ "number": number }));
        }
    }
}

#[test]
fn moves_that_are_not_legal_are_explained() {
    let served = Served::new();
    let mut page = served.page();
    let mut ask = |name: &str, text: &str| {
        let game = page.open(json!({ "name": name }));
        let position = page.play(game, &[None, None]);
        page.request("play.do", json!({ "play": position["play"], "do": "why", "text": text }))
    };
    for (name, text, said) in [
        ("breakthrough.rbg", "a4", "`a4` is empty"),
        ("breakthrough.rbg", "a7a6", "black"),
        ("breakthrough.rbg", "a2a3", "`a2a3` is legal"),
        ("breakthrough.hrg", "a1a2", "a2"),
        ("chess.rbg", "e1e2", "e2"),
        ("chess.rbg", "z9", "z9"),
    ] {
        let answer = ask(name, text).unwrap();
        assert!(answer["text"].as_str().unwrap().contains(said), "{name} {text}: {answer}");
    }
    // The comparison that fails is somewhere in the text.
    let answer = ask("chess.rbg", "e2e5").unwrap();
    let (text, places) = (kit::library::find("chess.rbg", None).unwrap().text, answer["places"].as_array().unwrap());
    for place in places {
        let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
        assert_eq!(text.lines().nth(line - 1).unwrap().trim(), place["text"]);
        assert!(place["from"].as_u64() < place["to"].as_u64());
    }
    let answer = ask("breakthrough.rbg", "a1b2").unwrap();
    assert!(!answer["places"].as_array().unwrap().is_empty(), "{answer}");
    for text in ["", " ", &"x".repeat(500)] {
        assert_eq!(ask("chess.rbg", text).unwrap_err()["code"], "request");
    }
    assert_eq!(ask("kuhnPoker.hrg", "bet").unwrap_err()["code"], "hidden");
}

#[test]
fn boards_of_a_block_are_called_as_moves_call_them() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ultimateTicTacToe.hrg" }));
    let position = page.play(game, &[None, None]);
    let boards = position["boards"].as_array().unwrap();
    let outer: Vec<&str> = boards.iter().filter_map(|board| board["outer"].as_str()).collect();
    assert_eq!(outer.len(), 9);
    // The boards and their places make all the moves.
    let mut clicks: Vec<String> = Vec::new();
    for outer in &outer {
        clicks.extend(outer_places(boards, outer).iter().map(|place| format!("{outer}{place}")));
    }
    let mut moves: Vec<String> = position["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|legal| legal["clicks"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect())
        .collect();
    clicks.sort_unstable();
    moves.sort_unstable();
    assert_eq!(clicks, moves);
    let chess = page.open(json!({ "name": "chess.rbg" }));
    assert!(page.play(chess, &[None, None])["boards"][0]["outer"].is_null());
}

/// The labels of the places of a board in a block.
fn outer_places(boards: &[Value], outer: &str) -> Vec<String> {
    let board = boards.iter().find(|board| board["outer"] == *outer).unwrap();
    let svg = board["svg"].as_str().unwrap();
    svg.split("data-place=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn new_games_can_be_played_in_every_language() {
    let served = Served::new();
    let mut page = served.page();
    let hello = page.ask("hello", json!({}));
    let beginnings = hello["beginnings"].as_array().unwrap();
    assert!(beginnings.len() >= 5);
    for language in beginnings {
        let game = page.open(json!({ "new": { "language": language, "name": "own" } }));
        assert!(!page.play(game, &[None, None])["moves"].as_array().unwrap().is_empty(), "{language}");
    }
    for (language, name) in
        [("rbg", "../own"), ("rbg", ""), ("rbg", "1st"), ("nothing", "own"), ("rbg", &"x".repeat(100))]
    {
        let wanted = json!({ "new": { "language": language, "name": name } });
        assert_eq!(page.request("open", wanted).unwrap_err()["code"], "IO369", "{language} {name}");
    }
}

#[test]
fn cells_that_moves_name_are_clicked() {
    let served = Served::new();
    let mut page = served.page();
    for (name, text, clicks) in [
        ("oware.hrg", "H3", json!(["H3"])),
        ("nim.hrg", "c 2", json!(["c"])),
        ("theMillGame.hrg", "medium,1", json!(["medium,1"])),
    ] {
        let game = page.open(json!({ "name": name }));
        let position = page.play(game, &[None, None]);
        assert_eq!(position["boards"], json!([]), "{name}");
        let moves = position["moves"].as_array().unwrap();
        let found = moves.iter().find(|legal| legal["text"] == text).unwrap_or_else(|| panic!("{name}: {moves:?}"));
        assert_eq!(found["clicks"], clicks, "{name}");
    }
}

/// Why a move is not legal has the places where the rules refuse it, and says what was found there if the sentence does not.
#[test]
fn reasons_have_places_and_what_was_found_there() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "breakthrough.hrg" }));
    let position = page.play(game, &[None, None]);
    let why = |page: &mut Client, text: &str| {
        page.ask("play.do", json!({ "play": position["play"], "do": "why", "text": text }))
    };
    let found = |answer: &Value| -> Vec<String> {
        let places = answer["places"].as_array().unwrap();
        assert!(places.iter().all(|place| place["line"].as_u64().unwrap() > 0), "{answer}");
        places.iter().filter_map(|place| place["found"].as_str().map(str::to_owned)).collect()
    };
    // No rule leads there: what keeps other moves from being made, such as one off the board, is no reason.
    for far in ["a2a4", "b1d3"] {
        let answer = why(&mut page, far);
        assert_eq!(answer["places"], json!([]), "{answer}");
    }
    // Where the sentence says it, it is not said once more, but the place is told.
    let answer = why(&mut page, "a1a2");
    assert!(answer["text"].as_str().unwrap().contains("`a2` must be empty"), "{answer}");
    assert!(found(&answer).is_empty() && !answer["places"].as_array().unwrap().is_empty(), "{answer}");
    // A place alone is no move: what stands there is said.
    let answer = why(&mut page, "a1");
    assert!(answer["text"].as_str().unwrap().contains("no legal move now"), "{answer}");
    let answer = why(&mut page, "a8");
    assert!(answer["text"].as_str().unwrap().contains("a piece of black"), "{answer}");
}

/// The automaton can be searched by the labels of its edges, and several runs of passes are looked at together.
#[test]
fn labels_and_several_runs() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let drawn = page.ask("graph", json!({ "game": game, "level": 0 }));
    let labels = drawn["labels"].as_array().unwrap();
    assert!(labels.iter().any(|label| label[1] == "player = keeper"), "{labels:?}");
    let look = |page: &mut Client, since: Value, number: usize| {
        page.ask("passes.step", json!({ "game": game, "level": 2, "number": number, "since": since, "draw": false }))
    };
    let runs = page.ask("passes.run", json!({ "game": game, "level": 2 }));
    let changed: Vec<u64> = runs["runs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|run| run["changed"] == true)
        .map(|run| run["number"].as_u64().unwrap())
        .collect();
    let (first, last) = (changed[0] as usize, changed[1] as usize);
    let [one, other] = [first, last].map(|number| look(&mut page, Value::Null, number));
    let both = look(&mut page, json!(first), last);
    assert_eq!((&both["before"], &both["after"]), (&one["before"], &other["after"]));
    assert_ne!(both["before"], other["before"]);
    // In the other order, it is the same.
    assert_eq!(look(&mut page, json!(last), first)["after"], both["after"]);
}

/// A position in which nobody can move is one of the play, and says whose turn it is.
#[test]
fn a_stuck_position_is_shown() {
    let served = Served::new();
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/web/tests/stuck.rg")).unwrap();
    std::fs::write(served.folder.path().join("stuck.rg"), text).unwrap();
    let mut page = served.page();
    let game = page.open(json!({ "path": "stuck.rg" }));
    let position = page.play(game, &[None, Some("random")]);
    let stuck = make(&mut page, &position, "stay");
    assert_eq!((&stuck["ply"], &stuck["over"], &stuck["turn"]), (&json!(1), &Value::Null, &json!(1)));
    let message = stuck["trouble"]["message"].as_str().unwrap();
    assert_eq!(message, "second has no legal move here, and the rules do not end the game");
    let walk = page.ask("play.do", json!({ "play": position["play"], "do": "walk" }));
    assert_eq!(walk["made"].as_array().unwrap().last().unwrap()[1], "other");
    let back = page.ask("play.do", json!({ "play": position["play"], "do": "back" }));
    assert_eq!((&back["ply"], &back["trouble"]), (&json!(0), &Value::Null));
}

/// What cannot be asked for is told without words of the program; these are in the details.
#[test]
fn wrong_numbers_are_told_in_plain_words() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rg" }));
    let error = page.request("perft.start", json!({ "game": game, "depth": -3, "divide": false })).unwrap_err();
    assert!(!error["message"].as_str().unwrap().contains("u32"), "{error}");
    assert!(error["details"].as_str().unwrap().contains("-3"), "{error}");
}
