//! Games typed character by character: the server keeps up, loses nothing, and says at the end what `rgc check` says.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use gen_lsp_types::{Code, Diagnostic};
use kit::language::Reading;
use kit::library::{all, find};
use kit::load::load_text;
use rg_ir::SourceId;
use serde_json::{Value, json};
use support::{Client, position};

/// The games that are typed; all with `RGC_LSP_GAMES=all`.
const GAMES: [(&str, &str); 5] =
    [("matchingPennies", "rg"), ("nim", "hrg"), ("nim", "rbg"), ("hexapawn", "sbg"), ("matchingPennies", "gdl")];

/// Types a text, and says what is found at the end.
fn type_in(client: &mut Client, uri: &str, text: &str) -> Vec<Diagnostic> {
    client.open(uri, "");
    let mut version = 1;
    let mut ids = Vec::new();
    for (at, letter) in text.char_indices() {
        version += 1;
        let place = position(text, at);
        client.change(uri, version, json!([{ "range": { "start": place, "end": place }, "text": letter.to_string() }]));
        let about = json!({ "textDocument": { "uri": uri }, "position": position(text, at + letter.len_utf8()) });
        // Some questions in between, as editors ask them.
        let method = ["completion", "hover", "documentHighlight"][at % 3];
        ids.push(client.send(&format!("textDocument/{method}"), about));
    }
    for id in ids {
        client.answer(&id).unwrap();
    }
    let mut found = client.findings(uri, version);
    if uri.ends_with(".gdl") {
        // The translation has the last word.
        found = client.findings(uri, version);
    }
    found
}

fn codes(findings: &[Diagnostic]) -> Vec<String> {
    let code = |finding: &Diagnostic| match &finding.code {
        Some(Code::String(code)) => code.clone(),
        other => panic!("{other:?}"),
    };
    findings.iter().map(code).collect()
}

#[test]
fn typing_a_game_ends_with_the_game() {
    let everything = std::env::var_os("RGC_LSP_GAMES").is_some_and(|games| games == "all");
    let games = match everything {
        true => all(),
        false => GAMES.iter().map(|(name, language)| find(name, Some(language)).unwrap()).collect(),
    };
    let mut client = Client::new();
    for game in games {
        // The long comment at the beginning is typed as its last line.
        let comment = game.text.find("\n\n").unwrap();
        let text = &game.text[game.text[..comment].rfind('\n').map_or(0, |at| at + 1)..];
        let uri = format!("file:///typed/{}", game.file_name());
        let found = type_in(&mut client, &uri, text);
        let (_, expected) = load_text(SourceId(0), "", text, game.language, Reading::default());
        assert_eq!(codes(&found), expected.iter().map(|finding| finding.code).collect::<Vec<_>>(), "{uri}");
        // The text is the same: what was typed has the tokens of what is opened as a whole.
        let opened = format!("file:///opened/{}", game.file_name());
        client.open(&opened, text);
        let mut tokens = |uri: &str| -> Value {
            client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } })).unwrap()
        };
        assert_eq!(tokens(&uri), tokens(&opened), "{uri}");
        for uri in [uri, opened] {
            client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        }
    }
}

/// Texts that break off anywhere, and texts with a character too few or too many, are indexed, and completed, without a crash.
#[test]
fn no_text_is_too_broken() {
    for (name, language) in GAMES {
        let game = find(name, Some(language)).unwrap();
        let editing = game.language.editing;
        for (at, letter) in game.text.char_indices() {
            let (before, after) = (&game.text[..at], &game.text[at + letter.len_utf8()..]);
            (editing.expected)(game.text, at);
            if at % 7 == 0 {
                for text in [before.to_owned(), format!("{before}{after}"), format!("{before}({letter}{after}")] {
                    let index = (editing.index)(SourceId(0), &text);
                    (editing.expected)(&text, at);
                    assert!(index.uses().iter().all(|used| text.get(used.span.range()).is_some()), "{name}: {at}");
                }
            }
        }
    }
}
