//! How the server behaves: order, cancellation, encodings, versions, mistakes of the client.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use gen_lsp_types::{
    ActiveParameter, CodeActionRequest, CodeActionResponse, CodeLensRequest, DocumentFormattingRequest, HoverRequest,
    ParameterInformationLabel, RenameRequest, SignatureHelpRequest, TextEdit,
};
use serde_json::{Value, json};
use support::Client;

const GAME: &str = "// é🎲\ntype Player = { white };\ntype Score = { 0 };\nbegin, end: player = keeper; /";

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

#[test]
fn utf8_is_used_if_it_is_offered_and_else_utf16() {
    let text = "type é = { 𝒳 }; var x: T = 𝒳;";
    for (capabilities, column) in [
        (json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } }), 27),
        (json!({ "general": { "positionEncodings": ["utf-16"] } }), 24),
        (json!({}), 24),
    ] {
        let mut client = Client::with(capabilities);
        client.open("file:///a.rg", text);
        let found = client.findings("file:///a.rg", 1);
        assert!(found.iter().any(|finding| finding.range.start.character == column), "{column}: {found:?}");
    }
}

#[test]
fn findings_are_of_the_version_they_are_told_with() {
    let mut client = Client::new();
    client.open("file:///a.rg", GAME);
    assert_eq!(client.findings("file:///a.rg", 1).len(), 1);
    // The sign that is wrong goes, in two steps.
    let range = |start: u32, end: u32| json!({ "start": { "line": 3, "character": start }, "end": { "line": 3, "character": end } });
    client.change(
        "file:///a.rg",
        2,
        json!([{ "range": range(29, 30), "text": "" }, { "range": range(28, 29), "text": "" }]),
    );
    assert!(client.findings("file:///a.rg", 2).is_empty());
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": "file:///a.rg" } }));
    // Of what is not open, nothing is known.
    assert!(client.ask::<HoverRequest>(at("file:///a.rg", 1, 5)).is_none());
}

#[test]
fn requests_are_answered_about_the_text_before_them() {
    let mut client = Client::new();
    client.open("file:///a.rg", "type A = { a };");
    let mut ids = Vec::new();
    for version in 2..50 {
        client.change("file:///a.rg", version, json!([{ "text": format!("type A{version} = {{ a }};") }]));
        ids.push((version, client.send("textDocument/hover", at("file:///a.rg", 0, 6))));
    }
    for (version, id) in ids {
        let hover = client.answer(&id).unwrap();
        let told = hover["contents"]["value"].as_str().unwrap();
        assert!(told.contains(&format!("type A{version} = ")), "{version}: {told}");
    }
}

#[test]
fn what_is_cancelled_is_answered_as_such() {
    let mut client = Client::new();
    client.open("file:///a.rg", &"a, b: $ x;\n".repeat(20_000));
    let id = client.send(
        "textDocument/codeAction",
        json!({
            "textDocument": { "uri": "file:///a.rg" },
            "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
            "context": { "diagnostics": [] },
        }),
    );
    client.notify("$/cancelRequest", json!({ "id": 2 }));
    assert_eq!(client.answer(&id).unwrap_err().0, -32800);
    // One that was answered already, or never asked, cancels nothing.
    client.notify("$/cancelRequest", json!({ "id": 2 }));
    client.notify("$/cancelRequest", json!({ "id": "x" }));
    assert!(client.request("textDocument/hover", at("file:///a.rg", 0, 0)).is_ok());
}

#[test]
fn mistakes_of_the_client_are_errors_and_no_end() {
    let mut client = Client::new();
    assert_eq!(client.request("textDocument/unheardOf", json!({})).unwrap_err().0, -32601);
    assert_eq!(client.request("textDocument/hover", json!({ "position": 1 })).unwrap_err().0, -32602);
    client.notify("textDocument/didChange", json!({ "nothing": true }));
    client.change("file:///never-opened.rg", 1, json!([{ "text": "x" }]));
    client.open("file:///a.rg", "type A = { a };");
    let far = json!({ "start": { "line": 9, "character": 9 }, "end": { "line": 0, "character": 0 } });
    client.change("file:///a.rg", 2, json!([{ "range": far, "text": " type B = { b };" }]));
    assert!(client.ask::<HoverRequest>(at("file:///a.rg", 0, 21)).is_some());
}

/// An argument of a macro that is used both as the player to move and as its score is renamed once where it is written.
#[test]
fn arguments_with_several_uses_are_renamed_once() {
    let text = include_str!("../../games/rbg/breakthrough.rbg");
    let (line, declared) = text.lines().enumerate().find(|(_, line)| line.starts_with("#players")).unwrap();
    let mut client = Client::new();
    client.open("file:///a.rbg", text);
    let mut params = at("file:///a.rbg", line as u32, declared.find("white").unwrap() as u32);
    params["newName"] = json!("red");
    let edits = client.request("textDocument/rename", params).unwrap()["changes"]["file:///a.rbg"].take();
    let mut places: Vec<String> = edits.as_array().unwrap().iter().map(|edit| edit["range"].to_string()).collect();
    let count = places.len();
    places.sort();
    places.dedup();
    // Whole words that are neither in comments nor in other names.
    let code = text.lines().map(|line| line.split("//").next().unwrap());
    let words =
        code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric())).filter(|word| *word == "white").count();
    assert_eq!((places.len(), count), (words, words));
}

#[test]
fn a_name_that_means_something_already_is_refused() {
    let mut client = Client::new();
    client.open("file:///a.rg", "type A = { a, b };\ntype B = { c };\nvar x: A = a;\nvar y: A = a;");
    let mut rename = |line, character, name: &str| {
        let mut params = at("file:///a.rg", line, character);
        params["newName"] = json!(name);
        client.request("textDocument/rename", params)
    };
    assert_eq!(rename(2, 4, "y").unwrap_err().1, "`y` is the name of a variable here (line 4, column 5)");
    assert_eq!(rename(2, 4, "a").unwrap_err().1, "`a` is the name of a value here (line 1, column 12)");
    assert_eq!(rename(0, 5, "B").unwrap_err().1, "`B` is the name of a type here (line 2, column 6)");
    for (wrong, reason) in [
        ("", "a name has at least one character"),
        ("var", "`var` is a word of the language"),
        ("a b", "a name has only letters, digits and `_`"),
        ("z;", "a name has only letters, digits and `_`"),
        ("a-b", "a name has only letters, digits and `_`"),
        ("// a", "a name has only letters, digits and `_`"),
    ] {
        let error = rename(2, 4, wrong).unwrap_err();
        assert_eq!(error.1, format!("`{wrong}` cannot be the name of this variable: {reason}"));
    }
    // Types and variables do not meet.
    assert_eq!(rename(2, 4, "B").unwrap()["changes"]["file:///a.rg"].as_array().unwrap().len(), 1);
    assert!(rename(2, 4, "x").unwrap().is_null());
}

#[test]
fn edits_are_for_one_version_where_the_client_knows_versions() {
    let mut client = Client::with(json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } }));
    client.open("file:///a.rg", "type A = { a };");
    let mut params = at("file:///a.rg", 0, 5);
    params["newName"] = json!("B");
    let edit = client.ask::<RenameRequest>(params).unwrap();
    assert!(edit.changes.is_none());
    assert_eq!(serde_json::to_value(edit.document_changes).unwrap()[0]["textDocument"]["version"], 1);
}

#[test]
fn all_certain_fixes_are_one_action_for_those_who_ask() {
    let mut client = Client::new();
    let text = "type Player = { white };\ntype Score = { 0 };\nbegin, a: player = keper;\na, end: player = keper;";
    client.open("file:///a.rg", text);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let mut actions = |only: Value| {
        let context = json!({ "diagnostics": [], "only": only });
        let params = json!({ "textDocument": { "uri": "file:///a.rg" }, "range": range, "context": context });
        client.ask::<CodeActionRequest>(params).unwrap()
    };
    assert!(actions(json!(null)).is_empty() && actions(json!(["quickfix"])).is_empty());
    for only in ["source", "source.fixAll"] {
        let all = actions(json!([only]));
        let [CodeActionResponse::CodeAction(action)] = &*all else { panic!("{all:?}") };
        let edits = action.edit.clone().unwrap().changes.unwrap().into_values().flatten().collect::<Vec<_>>();
        assert_eq!((&*action.title, edits.len()), ("Make all certain fixes", 2));
        assert_eq!(support::edited(text, &edits), text.replace("keper", "keeper"));
    }
}

#[test]
fn a_client_without_the_commands_sees_none() {
    let lenses = json!({ "textDocument": { "uri": "file:///a.rg" } });
    for (options, shown) in [(json!({ "commands": true }), 4), (json!({ "commands": 1 }), 0), (Value::Null, 0)] {
        let mut client = Client::with_options(json!({}), options);
        client.open("file:///a.rg", GAME);
        let lenses = client.ask::<CodeLensRequest>(lenses.clone()).unwrap_or_default();
        assert_eq!(lenses.len(), shown);
    }
}

#[test]
fn calls_that_are_not_closed_tell_what_they_take() {
    let mut client = Client::new();
    let text = "#go(dir; to) = dir {to}\n#other = up\n#rules = go(up; // ; (\n  ";
    client.open("file:///a.rbg", text);
    let help = client.ask::<SignatureHelpRequest>(at("file:///a.rbg", 3, 2)).unwrap();
    let parameters = help.signatures[0].parameters.as_ref().unwrap();
    assert_eq!((&*help.signatures[0].label, parameters.len()), ("go(dir; to)", 2));
    assert_eq!(help.active_parameter, Some(ActiveParameter::Int(1)));
    // Without the offer of offsets, parameters are texts.
    assert_eq!(parameters[1].label, ParameterInformationLabel::String("to".to_owned()));
    assert!(client.ask::<SignatureHelpRequest>(at("file:///a.rbg", 1, 11)).is_none());
}

#[test]
fn an_edge_is_split_by_a_new_node() {
    let mut client = Client::new();
    let text = "type A = { a };\nbegin, end: // ;\n  player = keeper;\nbegin, begin_1: $ a;\nbegin, : $ a;\n\
        told, end: $ a;\n@unique told : told;\n";
    client.open("file:///a.rg", text);
    let mut split = |line: u32, only: &str| {
        let place = json!({ "line": line, "character": 3 });
        let context = json!({ "diagnostics": [], "only": [only] });
        let params = json!({
            "textDocument": { "uri": "file:///a.rg" },
            "range": { "start": place, "end": place },
            "context": context,
        });
        let actions = client.ask::<CodeActionRequest>(params).unwrap();
        let edits = |action| match action {
            CodeActionResponse::CodeAction(action) => action.edit.unwrap().changes.unwrap().into_values().flatten(),
            CodeActionResponse::Command(_) => panic!("a command"),
        };
        let edits: Vec<TextEdit> = actions.into_iter().flat_map(edits).collect();
        support::edited(text, &edits)
    };
    let expected = text.replacen("end:", "begin_2:", 1).replacen("keeper;", "keeper;\nbegin_2, end: ;", 1);
    assert_eq!((split(1, "refactor"), split(2, "refactor.rewrite")), (expected.clone(), expected));
    // No edge, one that is not whole, one of a node that a pragma names, and a client that asks for something else.
    for (line, only) in [(0, "refactor"), (4, "refactor"), (5, "refactor"), (1, "source")] {
        assert_eq!(split(line, only), text, "{line}");
    }
}

#[test]
fn what_is_put_into_a_text_has_its_ends_of_lines() {
    let mut client = Client::new();
    let changed = |client: &mut Client, uri: &str, text: &str, (line, character): (u32, u32), only: &str| {
        client.open(uri, text);
        let place = json!({ "line": line, "character": character });
        let params = json!({
            "textDocument": { "uri": uri },
            "range": { "start": place, "end": place },
            "context": { "diagnostics": [], "only": [only] },
        });
        let actions = client.ask::<CodeActionRequest>(params).unwrap();
        let edits = |action: CodeActionResponse| match action {
            CodeActionResponse::CodeAction(action) => action.edit.unwrap().changes.unwrap().into_values().flatten(),
            CodeActionResponse::Command(_) => panic!("a command"),
        };
        let edits: Vec<TextEdit> = edits(actions.into_iter().next().unwrap()).collect();
        support::edited(text, &edits)
    };
    let text = "type A = { a };\r\nbegin, begin_1: $ a;\r\nbegin_1, end: $ a;\r\n";
    let split = changed(&mut client, "file:///a.rg", text, (1, 3), "refactor.rewrite");
    assert_eq!(split, text.replacen("begin_1: $ a;", "begin_2: $ a;\r\nbegin_2, begin_1: ;", 1));
    // Of a fix, too.
    let text = "#players = a(1)\r\n#pieces = e\r\n#board = rectangle(up, down, left, right, [e])\r\n#rules = ->a [e]";
    let fixed = changed(&mut client, "file:///a.rbg", text, (3, 16), "source.fixAll");
    assert_eq!(fixed, text.replace("#board", "#variables =\r\n#board"));
    let begun = changed(&mut client, "file:///a.hrg", "// b\r\n// c", (1, 4), "quickfix");
    assert!(begun.starts_with("// b\r\n// c\r\n// a: ") && !begun.replace("\r\n", "").contains('\n'), "{begun:?}");
}

#[test]
fn an_empty_text_can_begin_as_a_small_game() {
    for (language, name) in [("rg", "a"), ("hrg", "a"), ("rbg", "a"), ("sbg", "a"), ("gdl", "a%20b")] {
        let mut client = Client::with(json!({
            "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
        }));
        let uri = format!("file:///{name}.{language}");
        let sign = if language == "gdl" { ";" } else { "//" };
        let text = format!("{sign} Mine.\n");
        client.open(&uri, &text);
        let here = json!({ "line": 1, "character": 0 });
        let params = json!({
            "textDocument": { "uri": uri },
            "range": { "start": here, "end": here },
            "context": { "diagnostics": [] },
        });
        let actions = client.ask::<CodeActionRequest>(params).unwrap();
        let Some(CodeActionResponse::CodeAction(action)) = actions.first() else { panic!("{actions:?}") };
        assert_eq!(action.title, "Write a small game to begin with");
        let edits = action.edit.clone().unwrap().changes.unwrap().into_values().flatten().collect::<Vec<_>>();
        let begun = support::edited(&text, &edits);
        client.change(&uri, 2, json!([{ "text": begun }]));
        let found = client.findings(&uri, 2);
        assert!(found.is_empty(), "{begun}\n{found:?}");
        // What is missing at the end can be added from the last line with words on, too.
        assert!(actions.len() > 1 || ["sbg", "rg", "gdl"].contains(&language), "{actions:?}");
        // The same as completion.
        client.change(&uri, 3, json!([{ "text": text }]));
        let list = client.request("textDocument/completion", at(&uri, 1, 0)).unwrap();
        let games = list["items"].as_array().unwrap().iter().filter(|item| item["label"] == "game");
        let games: Vec<&str> = games.map(|item| item["textEdit"]["newText"].as_str().unwrap()).collect();
        assert_eq!(games, [edits[0].new_text.as_str()]);
        client.change(&uri, 4, json!([{ "text": begun }]));
        let list = client.request("textDocument/completion", at(&uri, 1, 0)).unwrap();
        assert!(list["items"].as_array().unwrap().iter().all(|item| item["label"] != "game"));
    }
}

#[test]
fn boards_are_completed_with_what_they_are_made_of() {
    let boards = |snippets: bool, text: &str| -> Vec<String> {
        let item = json!({ "snippetSupport": snippets });
        let mut client = Client::with(json!({ "textDocument": { "completion": { "completionItem": item } } }));
        client.open("file:///a.rbg", text);
        let list = client.request("textDocument/completion", at("file:///a.rbg", 1, 12)).unwrap();
        let items = list["items"].as_array().unwrap().iter();
        items.map(|item| item["textEdit"]["newText"].as_str().unwrap().to_owned()).collect()
    };
    let text = "#pieces = n\n#board = rec";
    let offered = boards(true, text);
    assert_eq!(
        offered[0],
        "rectangle(${1:up}, ${2:down}, ${3:left}, ${4:right},\n    [${5:n, n, n}]\n    [${6:n, n, n}]\n    [${7:n, n, n}])"
    );
    assert_eq!(boards(false, text)[0], "rectangle(up, down, left, right, [n, n, n] [n, n, n] [n, n, n])");
    // Where brackets are there already, the word alone is written.
    assert_eq!(boards(true, "#pieces = n\n#board = rec(up, down")[0], "rectangle");
}

/// Clients that know no snippets may put several lines on one.
#[test]
fn clients_without_snippets_are_offered_single_lines() {
    for language in ["rg", "rbg", "hrg", "sbg", "gdl"] {
        let mut client = Client::with(json!({}));
        let uri = format!("file:///a.{language}");
        client.open(&uri, "");
        let list = client.request("textDocument/completion", at(&uri, 0, 0)).unwrap();
        let items = list["items"].as_array().unwrap().iter();
        let texts: Vec<&str> = items.map(|item| item["textEdit"]["newText"].as_str().unwrap()).collect();
        assert!(texts.iter().all(|text| !text.contains('\n')), "{language}: {texts:?}");
    }
}

/// `|` is where the cursor is.
#[test]
fn names_of_what_is_being_written_are_offered_behind_its_last_word() {
    let offered = |language: &str, marked: &str| -> Vec<String> {
        let mut client = Client::new();
        let uri = format!("file:///a.{language}");
        let before = marked.split('|').next().unwrap();
        client.open(&uri, &marked.replace('|', ""));
        let (line, character) = (before.matches('\n').count() as u32, before.rsplit('\n').next().unwrap().len() as u32);
        let list = client.request("textDocument/completion", at(&uri, line, character)).unwrap();
        let items = list["items"].as_array().unwrap().iter();
        items.map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    for (language, marked, name) in [
        ("rbg", "#players = a(1)\n#m(x) = up {x} |\n#rules = ->a m(e)", "x"),
        ("rbg", "#players = a(1)\n#t(me; mine) = |\n#rules = ->a", "me"),
        ("hrg", "graph g(me: Player) {\n  player = |", "me"),
        ("hrg", "domain Cell = P(X) where X in 0..1\ngraph g() {\n  branch c in Cell {\n    $ |", "c"),
    ] {
        let found = offered(language, marked);
        assert!(found.iter().any(|label| label == name), "{marked}: {found:?}");
    }
    let outside = offered("hrg", "graph g(me: Player) {\n  player = me\n}\n|");
    assert!(!outside.contains(&"me".to_owned()), "{outside:?}");
}

#[test]
fn a_name_that_would_be_an_error_is_refused() {
    let mut client = Client::new();
    let text = "domain Player = white | black\ndomain Score = 0 | 1\ndomain Cell = P(X, Y) where X in 0..1, Y in 0..1\n\
                next: Cell -> Cell\nnext(P(X, Y)) = P((X + 1) % 2, Y)\ncell: Cell = P(0, 0)\n\
                graph rules() {\n  player = white\n  cell = next[cell]\n  $$ cell\n  goals[white] = 1\n  end()\n}\n";
    client.open("file:///a.hrg", text);
    let mut params = at("file:///a.hrg", 2, 28);
    params["newName"] = json!("Column");
    assert!(client.request("textDocument/rename", params.clone()).is_ok());
    params["newName"] = json!("lower");
    let refused = client.request("textDocument/rename", params).unwrap_err().1;
    assert!(refused.starts_with("`lower` cannot be the name of this"), "{refused}");
}

#[test]
fn comments_around_a_place_are_no_part_of_a_call() {
    let mut client = Client::new();
    let text = "#step(dir; to) = dir {to}\n#rules = step(up; // step(up\n  e) ->>\n// later\n";
    client.open("file:///a.rbg", text);
    let help =
        |client: &mut Client, line, character| client.ask::<SignatureHelpRequest>(at("file:///a.rbg", line, character));
    let help_after = help(&mut client, 2, 3).unwrap();
    assert_eq!(help_after.active_parameter, Some(ActiveParameter::Int(1)));
    assert!(help(&mut client, 1, 27).is_none());
    client.open("file:///a.kif", "(role a)\n(<= (pq ?x ?y) (role ?x) (role ?y))\n(pq 1 2)\n; later\n");
    let help = client.ask::<SignatureHelpRequest>(at("file:///a.kif", 2, 5)).unwrap();
    assert_eq!(help.active_parameter, Some(ActiveParameter::Int(0)));
}

#[test]
fn lines_that_end_like_those_of_other_systems_stay_so() {
    let mut client = Client::new();
    let text = "type A = { a };\r\ntype  B = { b };\r\n";
    client.open("file:///a.rg", text);
    let params =
        json!({ "textDocument": { "uri": "file:///a.rg" }, "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client.ask::<DocumentFormattingRequest>(params).unwrap();
    assert_eq!(support::edited(text, &edits), "type A = { a };\r\ntype B = { b };\r\n");
    assert!(edits.iter().all(|edit| edit.range.start.line > 0), "{edits:?}");
}

#[test]
fn a_part_of_the_rules_becomes_a_macro() {
    let mut client = Client::new();
    let text = "#any = up\n#rules = ->white (any + left) {e}\n";
    client.open("file:///a.rbg", text);
    let place = |character: u32| json!({ "line": 1, "character": character });
    let params = json!({
        "textDocument": { "uri": "file:///a.rbg" },
        "range": { "start": place(17), "end": place(29) },
        "context": { "diagnostics": [], "only": ["refactor.extract"] },
    });
    let actions = client.ask::<CodeActionRequest>(params).unwrap();
    let [CodeActionResponse::CodeAction(action)] = &actions[..] else { panic!("{actions:?}") };
    let changes = action.edit.clone().unwrap().changes.unwrap();
    let edits: Vec<TextEdit> = changes.into_values().flatten().collect();
    let expected = "#any = up\n#part = (any + left)\n#rules = ->white part {e}\n";
    assert_eq!((support::edited(text, &edits).as_str(), action.title.as_str()), (expected, "Extract a macro `part`"));
}

#[test]
fn the_end_is_asked_for_and_then_said() {
    let mut client = Client::new();
    // All at once: nothing is waited for.
    let end = client.send("shutdown", Value::Null);
    let late = client.send("textDocument/hover", at("file:///a.rg", 0, 0));
    client.notify("exit", Value::Null);
    assert_eq!(client.answer(&end), Ok(Value::Null));
    assert_eq!(client.answer(&late).unwrap_err().0, -32600);
    assert!(client.ended().is_ok());
    let mut hasty = Client::new();
    hasty.notify("exit", Value::Null);
    assert!(hasty.ended().is_err());
}
