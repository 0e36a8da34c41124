//! Helpers shared by the tests.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::fmt::Write as _;
use std::path::PathBuf;

use rg_ir::{Diagnostic, SourceId, SourceMap, Span};

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
    map.add("test.rbg", text);
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
    render(text, &rbg::parse(SourceId(0), text).1)
}

/// A description with declarations and a board of one vertex, and the given directives.
pub(crate) fn with(directives: &str) -> String {
    let labels = "up:s, down:s, left:s, right:s, turn:s, y:s";
    format!(
        "#players = p(100), q(100)\n#pieces = a, b, c\n#variables = v(9), w(999)\n#board = s[a]{{{labels}}}\n{directives}\n"
    )
}

/// The codes of all errors, in order.
pub(crate) fn errors(text: &str) -> Vec<&'static str> {
    let (description, diagnostics) = rbg::parse(SourceId(0), text);
    let errors: Vec<&str> = diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
    assert_eq!(description.is_none(), !errors.is_empty(), "{text}");
    errors
}

/// The canonical print of a description; its findings instead if there is an error.
pub(crate) fn printed(text: &str) -> String {
    let (description, diagnostics) = rbg::parse(SourceId(0), text);
    description.map_or_else(|| render(text, &diagnostics), |description| rbg::print(&description))
}
