//! Helpers of the tests: the corpus, and diagnostics as text.

#![allow(dead_code, clippy::unwrap_used)]

use rg_ir::{Diagnostic, SourceMap, Span};
use std::path::PathBuf;

/// The files of one folder of the corpus with an extension, by name; empty, with a remark, if there is no corpus.
pub(crate) fn corpus(folder: &str, extension: &str) -> Vec<(String, String)> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");
    let root = std::env::var_os("RGC_CORPUS").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
        println!("skipped: no corpus (set RGC_CORPUS)");
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    paths.sort();
    assert!(!paths.is_empty(), "the corpus has no {folder}/*.{extension}");
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// Findings as text, a few lines each: code, place and message, the marked text, then everything else.
pub(crate) fn render(text: &str, findings: &[Diagnostic]) -> String {
    let mut map = SourceMap::default();
    map.add("test", text);
    let place = |span: Span| {
        let (line, column) = map.position(span).unwrap();
        let marked = text.get(span.range()).unwrap();
        let marked: String = marked.chars().take(40).collect();
        format!("{line}:{column} {marked:?}")
    };
    let mut out = String::new();
    for finding in findings {
        out += &format!("{}[{}]: {}\n", finding.severity.name(), finding.code, finding.message);
        if let Some(primary) = &finding.primary {
            out += format!("  at {} {}", place(primary.span), primary.text).trim_end();
            out += "\n";
        }
        for also in &finding.secondary {
            out += &format!("  also {} {}\n", place(also.span), also.text);
        }
        out.extend(finding.notes.iter().map(|note| format!("  note: {note}\n")));
        out.extend(finding.help.iter().map(|help| format!("  help: {help}\n")));
    }
    out
}
