//! Where fixes are offered and how they are called, where declarations are, and why names stay.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use gen_lsp_types::TextEdit;
use serde_json::{Value, json};
use support::{Client, edited, position};

/// The actions that mend something at a place of a text, with the text after each.
fn actions(language: &str, text: &str, offset: usize) -> Vec<(String, String)> {
    let mut client = Client::new();
    let uri = format!("file:///a.{language}");
    client.open(&uri, text);
    client.findings(&uri, 1);
    let place = position(text, offset);
    let params = json!({
        "textDocument": { "uri": uri }, "range": { "start": place, "end": place },
        "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    let actions = client.request("textDocument/codeAction", params).unwrap();
    let action = |action: &Value| {
        let edits: Vec<TextEdit> = serde_json::from_value(action["edit"]["changes"][&uri].clone()).unwrap();
        (action["title"].as_str().unwrap().to_owned(), edited(text, &edits))
    };
    actions.as_array().unwrap().iter().map(action).collect()
}

fn titles(language: &str, text: &str, offset: usize) -> Vec<String> {
    actions(language, text, offset).into_iter().map(|(title, _)| title).collect()
}

#[test]
fn what_is_not_closed_can_be_closed_at_both_ends() {
    for (language, text, open, end, title) in [
        ("hrg", "domain A = a\ngraph g() {\n  loop {\n    end()\n}\n", "{\n  loop", "}\n", "Add `}`"),
        ("hrg", "graph g() {\n  check(a == b\n  c = d\n}\n", "(a", "b\n  c", "Add `)`"),
        ("rg", "type A = { a, b ;\ntype B = { b };", "{ a", ";\ntype", "Add `}`"),
    ] {
        for place in [open, end] {
            let at = text.rfind(place).unwrap();
            assert!(
                titles(language, text, at).contains(&title.to_owned()),
                "{language} {place}: {:?}",
                titles(language, text, at)
            );
        }
    }
}

#[test]
fn fixes_that_are_called_alike_can_be_told_apart() {
    let text = "domain Player = white | black\ndomain Score = 0 | 100\ngraph rules() {\n  \
                player = whit goals[whit] = 100\n  end()\n}\n";
    let found = titles("hrg", text, text.find("whit g").unwrap());
    assert_eq!(
        found,
        ["Replace `whit` by `white` (line 4, column 12)", "Replace `whit` by `white` (line 4, column 23)"]
    );
    // One change is offered once.
    let text = "#players = a(1), b(1)\n#pieces = e\n#variables =\n#board = rectangle(u, d, l, r, [e, e])\n#turn(x; y) = ->x {e} ->y [e]\n#rules = turn(a, b) turn(a; b)\n";
    let found = titles("rbg", text, text.find("turn(a, b)").unwrap());
    assert_eq!(found.iter().filter(|title| title.starts_with("Write `;`")).count(), 1, "{found:?}");
}

#[test]
fn a_game_to_begin_with_has_no_empty_lines_around_it() {
    for language in ["rbg", "hrg", "sbg", "rg", "gdl"] {
        for empty in ["", "\n", "\n\n", "  \n", "\r\n"] {
            let all = actions(language, empty, 0);
            let (_, text) = all.iter().find(|(title, _)| title.starts_with("Write a small game")).unwrap();
            assert!(!text.starts_with(['\n', '\r', ' ']), "{language} {empty:?}: {text:?}");
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{language} {empty:?}: {text:?}");
        }
        let sign = if language == "gdl" { ";" } else { "//" };
        let all = actions(language, &format!("{sign} Mine."), 0);
        let (_, text) = all.iter().find(|(title, _)| title.starts_with("Write a small game")).unwrap();
        assert!(text.starts_with(&format!("{sign} Mine.\n")), "{text:?}");
    }
}

/// The places, as lines and columns from 0, that a request about `|` answers with.
fn places(language: &str, marked: &str, method: &str) -> Vec<(u64, u64)> {
    let mut client = Client::new();
    let uri = format!("file:///a.{language}");
    let (before, after) = marked.split_once('|').unwrap();
    let text = format!("{before}{after}");
    client.open(&uri, &text);
    let params = json!({
        "textDocument": { "uri": uri }, "position": position(&text, before.len()),
        "context": { "includeDeclaration": true },
    });
    let found = client.request(method, params).unwrap();
    let place = |found: &Value| {
        let start = &found["range"]["start"];
        (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap())
    };
    found.as_array().unwrap().iter().map(place).collect()
}

#[test]
fn a_function_is_declared_once_and_its_cases_are_references() {
    let text = "domain A = a / b\nf: A -> A\nf(a) = b\nf(b) = a\nv: A\ngraph rules() {\n  v = |f(v)\n}\n"
        .replace('/', "\u{7c}");
    let marked = text.replacen("= a \u{7c} b", "= a or b", 1);
    assert_eq!(places("hrg", &marked, "textDocument/definition"), [(1, 0)]);
    assert_eq!(places("hrg", &marked, "textDocument/references"), [(1, 0), (2, 0), (3, 0), (6, 6)]);
    // A relation of GDL is what all of its rules say.
    let gdl = "(role a)\n(<= (p 1) (q 1))\n(<= (p 2) (q 2))\n(q 1)\n(<= terminal (|p 1))\n";
    assert_eq!(places("kif", gdl, "textDocument/definition").len(), 2);
}

#[test]
fn what_has_no_name_says_what_it_is() {
    let refused = |language: &str, marked: &str| {
        let mut client = Client::new();
        let uri = format!("file:///a.{language}");
        let (before, after) = marked.split_once('|').unwrap();
        let text = format!("{before}{after}");
        client.open(&uri, &text);
        let params = json!({ "textDocument": { "uri": uri }, "position": position(&text, before.len()) });
        client.request("textDocument/prepareRename", params).unwrap_err().1
    };
    assert_eq!(refused("hrg", "gr|aph rules() { }\n"), "`graph` is a word of the language, and has no other name");
    assert_eq!(refused("sbg", "<<a>>\n<BOARD>\n|3 3\n"), "`3` is a number, and has no other name");
    assert_eq!(refused("rbg", "#players |= a(1)\n"), "`=` is a sign, and has no other name");
    assert_eq!(refused("rg", "// a| b\n"), "comments have no name");
    assert_eq!(refused("hrg", "graph rules() {\n  v = f[|w]\n}\n"), "`w` is declared nowhere");
    assert_eq!(refused("rg", "type A = { a };\n|\n"), "nothing with a name is here");
}

#[test]
fn numbers_of_sbg_are_explained() {
    let text = kit::library::find("hexapawn", Some("sbg")).unwrap().text;
    for (part, inside, said) in [
        ("3 3", 2, "the height of the board: 3 rows"),
        ("(-1,1,p)", 2, "1 column to the left and 1 row forward, to a piece of the opponent"),
        ("20 &", 0, "the game is a draw after 20 half-moves"),
        ("@P 0 2", 3, "white wins by a `P` on one of: a3, b3, c3"),
        (") + (", 2, "or: an alternative"),
        (") &", 2, "ends a rule"),
    ] {
        let mut client = Client::new();
        client.open("file:///a.sbg", text);
        let at = position(text, text.find(part).unwrap() + inside);
        let params = json!({ "textDocument": { "uri": "file:///a.sbg" }, "position": at });
        let hover = client.request("textDocument/hover", params).unwrap();
        let shown = hover["contents"]["value"].as_str().unwrap();
        assert!(shown.contains(said), "{part}: {shown}");
    }
}
