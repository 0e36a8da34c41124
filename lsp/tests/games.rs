//! What has to hold for every bundled game, and as far as names and tokens go for the corpus, too: names are where the index says, renaming everything changes nothing else, formatting does what `rgc fmt`
//! does.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use backend::Options;
use gen_lsp_types::{DocumentFormattingRequest, DocumentRangeFormattingRequest, TextEdit};
use kit::language::{self, Language, Reading};
use kit::library::all;
use kit::runner::Runner;
use kit::{Loaded, load};
use rg_ir::SourceId;
use rg_ir::index::{Entity, EntityKind, Role};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;
use support::{Client, edited, position};

const SOURCE: SourceId = SourceId(0);
/// Bytes of a file of the corpus that is too long for a test.
const LONG: usize = 200_000;

/// Texts with their names and languages: the bundled games, and the files of the corpus, if it is there.
fn texts() -> Vec<(String, &'static Language, String)> {
    let bundled = all().into_iter().map(|game| (game.file_name(), game.language, game.text.to_owned()));
    let mut texts: Vec<_> = bundled.collect();
    let root = std::env::var_os("RGC_CORPUS").map_or_else(|| "../../shared/corpus".into(), PathBuf::from);
    let Ok(folders) = std::fs::read_dir(&root) else {
        eprintln!("skipped: there is no corpus; set RGC_CORPUS, or put it at ../shared/corpus");
        return texts;
    };
    let paths = folders.filter_map(|folder| std::fs::read_dir(folder.unwrap().path()).ok()).flatten();
    for path in paths.map(|file| file.unwrap().path()) {
        // Sheets in GDL may be too long for tests in a build for development.
        let language = language::of_extension(&path).filter(|language| language.name != "json");
        if let Some((language, text)) = language.zip(std::fs::read_to_string(&path).ok().filter(|t| t.len() < LONG)) {
            texts.push((path.display().to_string(), language, text));
        }
    }
    texts
}

#[test]
fn every_use_spells_its_name() {
    for (file, language, text) in texts() {
        let index = (language.editing.index)(SOURCE, &text);
        assert!(index.uses().len() > 4 && !index.items().is_empty(), "{file}");
        for used in index.uses() {
            let name = &index.entity(used.entity).unwrap().name;
            let written = &text[used.span.range()];
            let spelt = written == name || written.eq_ignore_ascii_case(name) || used.role == Role::Pasted;
            assert!(spelt, "{file}: {written} is {name}");
        }
    }
}

#[test]
fn tokens_are_in_order_and_cover_all_words() {
    for (file, language, text) in texts() {
        let index = (language.editing.index)(SOURCE, &text);
        let mut end = 0;
        for (span, _) in index.tokens() {
            assert!(end <= span.start && span.start < span.end, "{file}");
            // Parts of pasted names have no meaning of their own.
            let between = &text[end as usize..span.start as usize];
            let part = language.name == "rbg" && between.trim().chars().all(char::is_alphanumeric);
            assert!(part || !between.contains(char::is_alphanumeric), "{file}: {between:?}");
            end = span.end;
        }
        assert!(!text[end as usize..].contains(char::is_alphanumeric), "{file}");
    }
}

#[test]
fn formatting_edits_make_what_the_formatter_makes() {
    let mut client = Client::new();
    for game in all() {
        // Twice as much space everywhere, and some lines joined.
        let text = game.text.replace("  ", "   ").replace(" = ", "  =  ").replace(") (", ")  (");
        let uri = format!("file:///{}", game.file_name());
        client.open(&uri, &text);
        let params = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
        let edits: Vec<TextEdit> = client.ask::<DocumentFormattingRequest>(params).unwrap();
        let formatted = (game.language.format.unwrap())(SOURCE, &text).unwrap();
        assert_eq!(edited(&text, &edits), formatted, "{}", game.file_name());
        // Of a range, those edits that lie in it; two ranges have all of them.
        let half = u32::try_from(text.lines().count() / 2).unwrap();
        let mut of_range = |from: u32, to: u32| {
            let range = json!({ "start": { "line": from, "character": 0 }, "end": { "line": to, "character": 0 } });
            let options = json!({ "tabSize": 4, "insertSpaces": true });
            let params = json!({ "textDocument": { "uri": uri }, "range": range, "options": options });
            client.ask::<DocumentRangeFormattingRequest>(params).unwrap()
        };
        let (first, second) = (of_range(0, half), of_range(half, 2 * half + 2));
        assert!(first.iter().all(|edit| edit.range.start.line < half), "{}", game.file_name());
        assert!(edits.iter().all(|edit| first.contains(edit) || second.contains(edit)), "{}", game.file_name());
        assert!(first.iter().chain(&second).all(|edit| edits.contains(edit)), "{}", game.file_name());
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
}

/// Numbers of moves, of the first positions.
fn perft(language: &'static Language, text: &str) -> Vec<u64> {
    let (translation, findings) = load::load_text(SOURCE, "", text, language, Reading::default());
    let errors: Vec<_> = findings.iter().filter(|finding| finding.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let loaded = Loaded::new("game".to_owned(), language, SOURCE, translation.unwrap());
    let runner =
        Runner::new(loaded, Options { engine: backend::Engine::Backtracking, ..Options::default() }).ok().unwrap();
    let start = runner.initial().ok().unwrap();
    (1..=2).map(|depth| runner.reasoner.perft(&start, depth).unwrap()).collect()
}

/// A name that no game has, which can stand for such an entity.
fn fresh(language: &str, entity: &Entity, number: usize) -> String {
    match (language, entity.name.chars().next().unwrap()) {
        ("sbg", _) => char::from(b'A' + u8::try_from(number % 26).unwrap()).to_string(),
        (_, '?') => format!("?Fresh{number}"),
        (_, first) if first.is_uppercase() => format!("Fresh{number}"),
        _ => format!("fresh{number}"),
    }
}

/// What may not be renamed, of which kind, and what the refusal says.
const REFUSED: [(&str, EntityKind, &str); 4] = [
    // Half of a name that is pasted together of parts could be renamed, and the other half not.
    ("rbg", EntityKind::Piece, "it is made of parts"),
    // The new name would no longer be the one that is made by pasting.
    ("rbg", EntityKind::Piece, MEANING),
    // A parameter of a macro that some calls make a place and others something else: one word in the macro, several names.
    ("rbg", EntityKind::Place, "has several meanings"),
    ("rbg", EntityKind::Place, MEANING),
];
const MEANING: &str = "names would mean something else";

/// Names that cannot be changed at all: the language knows them, or they are numbers.
const FIXED: [(&str, EntityKind, &str); 14] = [
    ("rg", EntityKind::Type, MEANT),
    ("rg", EntityKind::Variable, MEANT),
    ("rg", EntityKind::Value, MEANT),
    ("rg", EntityKind::Node, MEANT),
    ("rg", EntityKind::Value, NUMBER),
    ("hrg", EntityKind::Type, MEANT),
    ("hrg", EntityKind::Variable, MEANT),
    ("hrg", EntityKind::Value, MEANT),
    ("hrg", EntityKind::Graph, MEANT),
    ("hrg", EntityKind::Value, NUMBER),
    ("gdl", EntityKind::Relation, WORD),
    ("gdl", EntityKind::Value, WORD),
    ("gdl", EntityKind::Player, WORD),
    ("gdl", EntityKind::Value, NUMBER),
];
const MEANT: &str = "the language gives it a meaning";
const NUMBER: &str = "it is a number";
const WORD: &str = "it is a word of the language";

#[test]
fn renaming_everything_gives_an_equivalent_game() {
    let mut client = Client::new();
    let (mut renamed, mut refused, mut unexpected) = (0, BTreeSet::new(), Vec::new());
    for game in all() {
        let uri = format!("file:///{}", game.file_name());
        let mut text = game.text.to_owned();
        client.open(&uri, &text);
        let (mut version, mut number, mut at) = (1, 0, 0);
        loop {
            let index = (game.language.editing.index)(SOURCE, &text);
            let Some(entity) = index.entities().values().nth(at).cloned() else { break };
            at += 1;
            if let Some(why) = entity.fixed {
                let known = FIXED.contains(&(game.language.name, entity.kind, why));
                assert!(known, "{}: {:?} {}: {why}", game.file_name(), entity.kind, entity.name);
                continue;
            }
            // Titles of sections are words of the language; what it declares itself stands nowhere.
            if !entity.span.is_some() || entity.kind == EntityKind::Section {
                continue;
            }
            let mut answer = None;
            // In SBG, some letters are taken.
            for _ in 0..26 {
                number += 1;
                let params = json!({
                    "textDocument": { "uri": uri },
                    "position": position(&text, entity.span.start as usize),
                    "newName": fresh(game.language.name, &entity, number),
                });
                answer = Some(client.request("textDocument/rename", params));
                if game.language.name != "sbg" || answer.as_ref().is_some_and(Result::is_ok) {
                    break;
                }
            }
            match answer.unwrap() {
                // It has that name already.
                Ok(edit) if edit.is_null() => {}
                Ok(edit) => {
                    let edits: Vec<TextEdit> = serde_json::from_value(edit["changes"][&uri].clone()).unwrap();
                    text = edited(&text, &edits);
                    version += 1;
                    client.change(&uri, version, json!([{ "text": text }]));
                    renamed += 1;
                }
                Err((code, message)) => {
                    assert_eq!(code, -32803, "{}: {message}", game.file_name());
                    let of = (game.language.name, entity.kind);
                    let known =
                        REFUSED.iter().find(|(language, kind, why)| (*language, *kind) == of && message.contains(why));
                    match known {
                        Some(known) => drop(refused.insert(*known)),
                        None => unexpected.push(format!("{}: {:?} {message}", game.file_name(), entity.kind)),
                    }
                }
            }
        }
        assert_eq!(perft(game.language, &text), perft(game.language, game.text), "{}\n{text}", game.file_name());
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    assert_eq!(refused, BTreeSet::from(REFUSED), "what is listed is refused somewhere");
    assert!(renamed > 2_000, "{renamed}");
}
