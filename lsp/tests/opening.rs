//! What the server finds out in the background about games without errors: what their first positions show, and how many plays they have.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use gen_lsp_types::{Code, CodeLensRequest, Message};
use kit::library::find;
use serde_json::json;
use support::Client;

/// A game whose first player has no piece.
const STUCK: &str = "#players = white(100), black(100)\n#pieces = e, w\n#variables =\n\
    #board = rectangle(up, down, left, right, [e, e] [e, e])\n\
    #rules = ->white (up* + down*) (left* + right*) {w} [e] [$ white = 100] ->black {e} [w] ->> {}\n";

fn codes(client: &mut Client, uri: &str, version: i32) -> Vec<String> {
    let code = |found: &gen_lsp_types::Diagnostic| match &found.code {
        Some(Code::String(code)) => code.clone(),
        other => panic!("{other:?}"),
    };
    client.findings(uri, version).iter().map(code).collect()
}

#[test]
fn a_player_who_cannot_begin_is_told() {
    let mut client = Client::new();
    let uri = "file:///a.rbg";
    client.open(uri, STUCK);
    assert!(codes(&mut client, uri, 1).is_empty());
    let found = client.findings(uri, 1);
    let [warning] = &found[..] else { panic!("{found:?}") };
    assert_eq!(warning.code, Some(Code::String("RT210".to_owned())));
    assert_eq!(warning.range.start.line, 4);
    let Message::String(text) = &warning.message else { panic!("{warning:?}") };
    assert!(text.contains("the player who begins needs a legal move"), "{text}");
    // With another text, it is gone at once.
    client.change(uri, 2, json!([{ "text": STUCK.replacen("[e, e]", "[w, e]", 1) }]));
    assert!(codes(&mut client, uri, 2).is_empty());
    // It is that of `rgc check` in every language.
    let rg = "type Player = { a };\ntype Score = { 0 };\nbegin, end: player = keeper;\n";
    client.open("file:///b.rg", rg);
    assert!(codes(&mut client, "file:///b.rg", 1).is_empty());
    assert_eq!(codes(&mut client, "file:///b.rg", 1), ["RT210"]);
}

#[test]
fn lenses_tell_the_number_of_plays_when_it_is_known() {
    let capabilities = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
    let mut client = Client::with_options(capabilities, json!({ "commands": true }));
    let uri = "file:///chess.rbg";
    client.open(uri, find("chess", Some("rbg")).unwrap().text);
    let titles = |client: &mut Client| -> Vec<String> {
        let lenses = client.ask::<CodeLensRequest>(json!({ "textDocument": { "uri": uri } })).unwrap();
        lenses.into_iter().map(|lens| lens.command.unwrap().title).collect()
    };
    assert_eq!(titles(&mut client), ["play", "perft", "bench", "draw"]);
    client.wait_until_asked("workspace/codeLens/refresh");
    let counted = titles(&mut client);
    // How far it gets depends on the machine.
    assert!(["perft 1: 20", "perft 2: 400", "perft 3: 8,902"].contains(&&*counted[1]), "{counted:?}");
    client.change(uri, 2, json!([{ "text": STUCK }]));
    assert_eq!(titles(&mut client)[1], "perft");
    client.wait_until_asked("workspace/codeLens/refresh");
    assert_eq!(titles(&mut client)[1], "perft 1: 0");
}
