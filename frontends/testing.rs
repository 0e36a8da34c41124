//! What the tests of all front ends share; their `common` modules include this file.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use std::fmt::Write as _;
use std::path::PathBuf;

use rg_ir::{Diagnostic, SourceMap, Span};

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
    map.add("test", text);
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
