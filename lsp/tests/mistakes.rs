//! What is said about mistakes that are made while something is written, and what mends them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use gen_lsp_types::{CodeActionRequest, CodeActionResponse, Diagnostic, DocumentFormattingRequest, Message, TextEdit};
use kit::library::find;
use serde_json::json;
use support::{Client, edited, slice};

/// What is wrong with a text.
fn findings(client: &mut Client, uri: &str, text: &str) -> Vec<Diagnostic> {
    client.open(uri, text);
    client.findings(uri, 1)
}

fn message(finding: &Diagnostic) -> &str {
    match &finding.message {
        Message::String(message) => message,
        Message::MarkupContent(_) => panic!("{finding:?}"),
    }
}

/// The text after the first fix of its first finding.
fn mended(language: &str, text: &str) -> String {
    let mut client = Client::new();
    let uri = format!("file:///a.{language}");
    let found = findings(&mut client, &uri, text);
    let params = json!({
        "textDocument": { "uri": uri }, "range": found[0].range, "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    let actions = client.ask::<CodeActionRequest>(params).unwrap();
    let Some(CodeActionResponse::CodeAction(action)) = actions.first() else { panic!("{text}: {found:?}") };
    let edits: Vec<TextEdit> = action.edit.clone().unwrap().changes.unwrap().into_values().flatten().collect();
    edited(text, &edits)
}

#[test]
fn a_missing_sign_of_rg_is_added_where_it_is_missing() {
    for (wrong, right) in [
        ("type A = { a } type B = { b };", "type A = { a }; type B = { b };"),
        ("type A = { a, b ;\ntype B = { b };", "type A = { a, b } ;\ntype B = { b };"),
        ("type A = { a }\n// what follows\ntype B = { b };", "type A = { a };\n// what follows\ntype B = { b };"),
        ("@unique a\ntype A = { a };", "@unique a;\ntype A = { a };"),
        ("@unique a\na, b: $ x;\n", "@unique a;\na, b: $ x;\n"),
        ("a, b:\nb, c: $ x;\n", "a, b:;\nb, c: $ x;\n"),
        ("a, b: x == y b, c: $ x;\n", "a, b: x == y; b, c: $ x;\n"),
        ("a, b: x = f[y;\n", "a, b: x = f[y];\n"),
    ] {
        assert_eq!(mended("rg", wrong), right);
    }
}

#[test]
fn a_missing_sign_of_hrg_is_added_where_it_is_missing() {
    for (wrong, right) in [
        ("graph g() {\n  check(a == b\n  c = d\n}\n", "graph g() {\n  check(a == b)\n  c = d\n}\n"),
        ("graph g() {\n  a = b[c\n  c = d\n}\n", "graph g() {\n  a = b[c]\n  c = d\n}\n"),
        ("graph g() {\n  end()\n\ngraph h() { }\n", "graph g() {\n  end()\n}\n\ngraph h() { }\n"),
        (
            "graph g() {\n  loop {\n    end()\n  // Done.\ndomain A = a\n",
            "graph g() {\n  loop {\n    end()\n  }\n}\n  // Done.\ndomain A = a\n",
        ),
        ("m: A -> B = { :b; c = d\nn: A\n", "m: A -> B = { :b; c = d }\nn: A\n"),
        ("m: A -> B = { :b c = d }\n", "m: A -> B = { :b; c = d }\n"),
        ("m: A -> B = { c = d, e = f }\n", "m: A -> B = { c = d; e = f }\n"),
    ] {
        assert_eq!(mended("hrg", wrong), right);
    }
}

#[test]
fn a_player_is_missing_where_the_arrow_is() {
    let text = "#players = w(1)\n#pieces = e\n#variables =\n#board = rectangle(up, down, left, right, [e])\n\
                #any = {e}\n#rules = -> any ->w [e] ->>\n";
    let mut client = Client::new();
    let found = findings(&mut client, "file:///a.rbg", text);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert!(message(finding).starts_with("expected a player after `->`"), "{finding:?}");
    assert_eq!((slice(text, finding.range), finding.range.start.line), ("->", 5));
}

/// The errors in a bundled game without a part of it.
fn errors_without(name: &str, language: &str, part: &str) -> Vec<String> {
    let text = find(name, Some(language)).unwrap().text;
    assert!(text.contains(part), "{part}");
    let text = text.replacen(part, "", 1);
    let mut client = Client::new();
    let found = findings(&mut client, &format!("file:///{name}.{language}"), &text);
    found.iter().map(|finding| message(finding).to_owned()).collect()
}

#[test]
fn one_missing_piece_is_one_finding() {
    for (name, language, part) in [
        ("hexapawn", "sbg", "<PIECES>\n"),
        ("hexapawn", "sbg", "<GOALS>\n"),
        ("hexapawn", "sbg", "<BOARD>\n"),
        ("hexapawn", "gdl", "(<= (next (cell ?x ?y ?c))\n"),
        ("hexapawn", "gdl", "(true (cell ?x ?y ?c))\n"),
        ("breakthrough", "gdl", "(<= "),
    ] {
        let found = errors_without(name, language, part);
        // The opening bracket of a condition makes rules unsafe, which is one more mistake for each variable.
        let found: Vec<&String> = found.iter().filter(|message| !message.starts_with("unsafe rule")).collect();
        assert!(found.len() <= 1, "{name}.{language} without {part:?}: {found:#?}");
    }
}

#[test]
fn names_in_what_could_not_be_read_are_not_unknown() {
    let mut client = Client::new();
    let text =
        "type Player = { white };\ntype Score = { 0 };\n@unique x, y\ntype A = { a };\nvar v: A = a;\nvar w: A = a;\n";
    let found = findings(&mut client, "file:///a.rg", text);
    assert!(found.iter().all(|finding| !message(finding).contains("unknown type")), "{found:?}");
    // What is declared nowhere is said once.
    let text = "type Player = { white };\na,\ntype Score = { 0 };\nvar v: A = a;\nvar w: A = a;\n";
    let found = findings(&mut client, "file:///b.rg", text);
    assert_eq!(found.iter().filter(|finding| message(finding).contains("unknown type `A`")).count(), 1, "{found:?}");
}

#[test]
fn names_that_differ_in_case_only_are_suggested() {
    let rg = "type Player = { white };\ntype Score = { 0 };\nvar v: player = white;\n";
    let hrg =
        "domain Player = white | black\ndomain Score = 0 | 1\ndomain N = 0 | 1 | 2\ndomain C = P(X) where X in 0..2\n";
    let rules =
        "v: N = 0\nw: C = P(0)\ngraph rules() {\n  player = white\n  v = f[v]\n  w = g[w]\n  $$ v\n  end()\n}\n";
    let with = |functions: &str| format!("{hrg}{functions}{rules}");
    for (language, text, wanted) in [
        ("rg", rg.to_owned(), "`Player`"),
        ("rg", rg.replace("player = white", "Player = White"), "`white`"),
        ("hrg", with("f: N -> N\nf(X) = (x + 1) % 3\ng: C -> C\ng(X) = X\n"), "`X`"),
        ("hrg", with("f: N -> N\nf(X) = X\ng: C -> C\ng(P(X)) = p(X)\n"), "`P`"),
        (
            "hrg",
            with("f: N -> N\nf(X) = X\ng: C -> C\ng(X) = X\n").replace("player = white", "player = WHITE"),
            "`white`",
        ),
        ("sbg", find("hexapawn", Some("sbg")).unwrap().text.replace("<PIECES>\nP", "<PIECES>\np"), "`P`"),
        ("rbg", find("nim", Some("rbg")).unwrap().text.replacen("#players", "#Players", 1), "`#players`"),
    ] {
        let mut client = Client::new();
        let uri = format!("file:///a.{language}");
        let found = findings(&mut client, &uri, &text);
        let params = |finding: &Diagnostic| {
            json!({
                "textDocument": { "uri": uri }, "range": finding.range, "context": { "diagnostics": [] },
            })
        };
        let mut offered = |finding: &Diagnostic| {
            let actions = client.ask::<CodeActionRequest>(params(finding)).unwrap();
            actions.iter().any(|action| matches!(action, CodeActionResponse::CodeAction(action) if action.title.contains(wanted.trim_matches(['`', '#']))))
        };
        let said = found
            .iter()
            .any(|finding| message(finding).contains(&format!("did you mean {wanted}")) || offered(finding));
        assert!(said, "{language} {wanted}: {found:#?}");
    }
}

#[test]
fn commas_and_brackets_are_formatted_and_comments_stay() {
    for (language, wrong, right) in [
        (
            "rbg",
            "#players = a( 1 ) ,b(1)\n#pieces = e,w ,  b\n#rules = ->a { e,w } ( up+down ) /* a ,b */ [ e ] // ( x ,y )\n",
            "#players = a(1), b(1)\n#pieces = e, w,  b\n#rules = ->a {e, w} (up + down) /* a ,b */ [e] // ( x ,y )\n",
        ),
        (
            "hrg",
            "domain A = a|b\nf: A->A\nf( X )=X // ( a ,b )\ng: A -> A = { :f( a ) ;b = a }\n",
            "domain A = a | b\nf: A -> A\nf(X) = X // ( a ,b )\ng: A -> A = { :f(a); b = a }\n",
        ),
    ] {
        let mut client = Client::new();
        let uri = format!("file:///a.{language}");
        client.open(&uri, wrong);
        let params = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
        let edits = client.ask::<DocumentFormattingRequest>(params.clone()).unwrap();
        assert_eq!(edited(wrong, &edits), right);
        // Only what changes is touched.
        assert!(edits.iter().all(|edit| !edit.new_text.contains('\n')), "{edits:?}");
        client.change(&uri, 2, json!([{ "text": right }]));
        assert_eq!(client.ask::<DocumentFormattingRequest>(params), Some(Vec::new()));
    }
}
