//! Moves that are typed, and on which of several boards moves act.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
use support::{Client, Served};

/// What a text means in a position: the move that it is, and those that may be meant.
fn read(page: &mut Client, position: &Value, text: &str) -> (Option<String>, Vec<String>) {
    let params = json!({ "play": position["play"], "do": "read", "text": text, "ply": position["ply"] });
    let answer = page.ask("play.do", params);
    let legal = position["moves"].as_array().unwrap();
    let name = |index: &Value| {
        let found = legal.iter().find(|legal| legal["index"] == *index);
        found.unwrap_or_else(|| panic!("{text}: {answer}"))["text"].as_str().unwrap().to_owned()
    };
    let only = Some(&answer["only"]).filter(|only| !only.is_null()).map(name);
    (only, answer["moves"].as_array().unwrap().iter().map(name).collect())
}

fn make(page: &mut Client, position: &Value, text: &str) -> Value {
    let legal = position["moves"].as_array().unwrap();
    let found = legal.iter().find(|legal| legal["text"] == text).unwrap_or_else(|| panic!("no {text} in {legal:?}"));
    let params = json!({ "play": position["play"], "do": "move", "index": found["index"], "ply": position["ply"] });
    page.ask("play.do", params)
}

/// In all ways in which `rgc play` reads moves.
#[test]
fn moves_are_read_in_every_notation() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "chess.rbg" }));
    let mut position = page.play(game, &[None, None]);
    for text in ["e2e4", "E2-E4", "e2 e4", " e2xe4 ", "e2 - e4"] {
        let (only, moves) = read(&mut page, &position, text);
        assert_eq!((only.as_deref(), moves.as_slice()), (Some("e2e4"), ["e2e4".to_owned()].as_slice()), "{text}");
    }
    let first = position["moves"][0]["text"].as_str().unwrap().to_owned();
    assert_eq!(read(&mut page, &position, "1.").0, Some(first.clone()));
    // The dot may be left out where nothing else is meant.
    assert_eq!(read(&mut page, &position, "1").0, Some(first));
    assert_eq!(read(&mut page, &position, "e2"), (None, vec!["e2e3".to_owned(), "e2e4".to_owned()]));
    for nothing in ["e2e5", "21.", "21", "0.", "", "x", "é😀"] {
        assert_eq!(read(&mut page, &position, nothing), (None, vec![]), "{nothing}");
    }
    // Where only a choice is missing, there is something to choose from.
    for text in ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"] {
        position = make(&mut page, &position, text);
    }
    let (only, moves) = read(&mut page, &position, "a7-b8");
    assert!(only.is_none() && moves.len() == 4 && moves.iter().all(|text| text.starts_with("a7b8")), "{moves:?}");
    // What was typed in another position, or is no move, has no answer.
    let ask = |text: &str, ply: u64| json!({ "play": position["play"], "do": "read", "text": text, "ply": ply });
    for wrong in [ask("e2e4", 0), ask(&"e2".repeat(1000), 8)] {
        assert!(page.request("play.do", wrong).is_err());
    }
}

/// The boards on which all moves of a position act, by title.
fn boards(position: &Value) -> Vec<String> {
    let legal = position["moves"].as_array().unwrap();
    let numbers = &legal.first().unwrap()["boards"];
    assert!(legal.iter().all(|legal| legal["boards"] == *numbers), "{legal:?}");
    let title = |number: &Value| {
        let board = &position["boards"][usize::try_from(number.as_u64().unwrap()).unwrap()];
        board["title"].as_str().unwrap().to_owned()
    };
    numbers.as_array().unwrap().iter().map(title).collect()
}

/// Each player marks cells of an own board, which moves do not name.
const OWN_BOARDS: &str = "\
domain Player = left | right
domain Score = 0 | 100
domain Mark = empty | x
domain Cell = C(X, Y) where X in 0..2, Y in 0..2

opponent: Player -> Player
opponent(left) = right
opponent(right) = left

board: Player -> Cell -> Mark
me: Player
cell: Cell

graph free() {
  cell = Cell(*)
  check(board[me][cell] == empty)
}

graph rules() {
  loop {
    player = me
    free()
    $$ cell
    board[me][cell] = x
    player = keeper
    me = opponent[me]
    if not(reachable(free())) {
      goals[me] = 100
      end()
    }
  }
}
";

#[test]
fn moves_say_on_which_of_several_boards_they_act() {
    let served = Served::new();
    let mut page = served.page();
    std::fs::write(served.folder.path().join("own.hrg"), OWN_BOARDS).unwrap();
    let game = page.open(json!({ "path": "own.hrg" }));
    let position = page.play(game, &[None, None]);
    assert_eq!(boards(&position), ["board[left]"]);
    let position = make(&mut page, &position, "b2");
    assert_eq!(boards(&position), ["board[right]"]);
    // The same label is on both boards, and both players may choose it.
    let position = make(&mut page, &position, "b2");
    assert_eq!(boards(&position), ["board[left]"]);
    // With one board, there is nothing to be told apart.
    let game = page.open(json!({ "name": "ticTacToe.hrg" }));
    let position = page.play(game, &[None, None]);
    assert_eq!(position["moves"][0]["boards"], json!([]));
}

/// That follows from what a player knows: whether a shot hits is not looked at.
#[test]
fn boards_of_moves_are_known_where_something_is_hidden() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "battleships.hrg" }));
    let mut position = page.play(game, &[None, Some("random")]);
    for column in ["a1 up", "b1 up", "c1 up", "d1 up", "e1 up"] {
        assert_eq!(boards(&position), ["sea[first]"], "{column}");
        position = make(&mut page, &position, column);
    }
    while position["moves"].as_array().unwrap().is_empty() {
        position = page.notified("position");
    }
    assert_eq!(boards(&position), ["shot[first]"]);
}

/// A number alone is that of the list only where no move is written like it.
#[test]
fn numbers_that_begin_moves_are_no_numbers_of_the_list() {
    let served = Served::new();
    let mut page = served.page();
    std::fs::write(
        served.folder.path().join("count.hrg"),
        "domain Player = only\ndomain Score = 0 | 100\ndomain N = 0 | 3 | 7 | 12\nn: N\n\
         graph rules() {\n  player = only\n  n = N(*)\n  $$ n\n  player = keeper\n  end()\n}\n",
    )
    .unwrap();
    let game = page.open(json!({ "path": "count.hrg" }));
    let position = page.play(game, &[None]);
    assert_eq!(read(&mut page, &position, "3").0.as_deref(), Some("3"));
    assert_eq!(read(&mut page, &position, "3.").0.as_deref(), Some("7"));
    assert_eq!(read(&mut page, &position, "2").0.as_deref(), Some("3"));
    assert_eq!(read(&mut page, &position, "1").1, ["12"], "the beginning of a move");
    assert_eq!(read(&mut page, &position, "5"), (None, vec![]));
}

/// Where something is hidden, the reason is told if it follows from what the player knows, whatever the other one has done.
#[test]
fn reasons_that_a_player_knows_are_told_where_something_is_hidden() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "battleships.hrg" }));
    for seats in [[None, Some("random")], [Some("random"), None]] {
        let mut position = page.play(game, &seats);
        while position["moves"].as_array().unwrap().is_empty() {
            position = page.notified("position");
        }
        make(&mut page, &position, "a1 up");
        let why = |page: &mut Client, text: &str| {
            page.request("play.do", json!({ "play": position["play"], "do": "why", "text": text }))
        };
        let told = why(&mut page, "a2 up").unwrap();
        let text = told["text"].as_str().unwrap();
        assert!(text.contains("a2") && text.contains("`ship`"), "{told}");
        let legal = why(&mut page, "b2 up").unwrap();
        assert_eq!(legal["text"], "`b2 up` is legal");
    }
}
