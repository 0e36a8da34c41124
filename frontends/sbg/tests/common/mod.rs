//! Helpers shared by the tests.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::fmt::Write as _;
use std::path::PathBuf;

use backend::{Engine, Reasoner};
use rg_ir::{Diagnostic, SourceId, SourceMap, Span};
use sbg::SbgNotation;

/// The corpus folder of that name, or `None` (and a remark) if there is no corpus.
pub(crate) fn corpus(folder: &str) -> Option<Vec<(String, String)>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let root = std::env::var_os("RGC_CORPUS").map_or_else(|| PathBuf::from(default), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
        eprintln!("skipped: no corpus folder `{folder}` (set RGC_CORPUS)");
        return None;
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    Some(paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect())
}

/// Diagnostics as text: a line for each, its places below it.
pub(crate) fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut map = SourceMap::default();
    map.add("test.sbg", text);
    let mut out = String::new();
    for diagnostic in diagnostics {
        writeln!(out, "{}[{}]: {}", diagnostic.severity.name(), diagnostic.code, diagnostic.message).unwrap();
        for (index, annotation) in diagnostic.primary.iter().chain(&diagnostic.secondary).enumerate() {
            let arrow = if index == 0 { "-->" } else { "..." };
            let (line, column) = map.position(annotation.span).unwrap();
            let shown = excerpt(text, annotation.span);
            writeln!(out, "  {arrow} {line}:{column} `{shown}` {}", annotation.text).unwrap();
        }
        for note in &diagnostic.notes {
            writeln!(out, "  note: {note}").unwrap();
        }
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").unwrap();
        }
    }
    out
}

fn excerpt(text: &str, span: Span) -> String {
    let words: Vec<&str> = text[span.range()].split_whitespace().collect();
    let shown = words.join(" ");
    if shown.len() > 60 { format!("{}…", shown.chars().take(60).collect::<String>()) } else { shown }
}

/// The rendered findings of a description.
pub(crate) fn findings(text: &str) -> String {
    render(text, &sbg::parse(SourceId(0), text).1)
}

/// The small board of the probes with a rule section and goals.
pub(crate) fn probe(rules: &str, goals: &str) -> String {
    format!("<<probe>>\n<BOARD>\n3 3\n|..a|\n|...|\n|A..|\n<PIECES>\n{rules}\n<GOALS>\n{goals}\n")
}

/// The codes of all findings, in order.
pub(crate) fn codes(text: &str) -> Vec<&'static str> {
    let (description, diagnostics) = sbg::parse(SourceId(0), text);
    assert_eq!(description.is_none(), rg_ir::diag::has_errors(&diagnostics), "{text}");
    diagnostics.iter().map(|d| d.code).collect()
}

/// The codes of all errors, in order.
pub(crate) fn errors(text: &str) -> Vec<&'static str> {
    let diagnostics = sbg::parse(SourceId(0), text).1;
    diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect()
}

/// The engine and notation of a description without errors.
pub(crate) fn run(text: &str) -> (Reasoner, SbgNotation) {
    let (lowered, diagnostics) = sbg::load(SourceId(0), text);
    let lowered = lowered.unwrap_or_else(|| panic!("{text}\n{}", render(text, &diagnostics)));
    let wrong: Vec<_> = rg_ir::check(&lowered.game).into_iter().filter(Diagnostic::is_error).collect();
    assert_eq!(wrong, [], "{text}");
    (Reasoner::new(&lowered.game, Engine::Auto).unwrap(), lowered.notation)
}

/// Perft of depths 1, 2, ….
pub(crate) fn perft(text: &str, depth: u32) -> Vec<u64> {
    let (reasoner, _) = run(text);
    let state = reasoner.initial().unwrap();
    (1..=depth).map(|depth| reasoner.perft(&state, depth).unwrap()).collect()
}
