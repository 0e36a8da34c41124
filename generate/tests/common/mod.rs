//! What tests of line games share.
#![allow(dead_code)] // every test crate uses a part

use rg_ir::{SourceId, SourceMap};

/// The game of a description that is in order.
pub(crate) fn generate(text: &str) -> String {
    generate::line::generate(SourceId(0), text).unwrap_or_else(|findings| panic!("{findings:?}\n{text}"))
}

/// The findings about a description: line and column of each, what it marks, message and help.
pub(crate) fn findings(text: &str) -> String {
    let mut sources = SourceMap::default();
    let source = sources.add("game.txt", text);
    let Err(found) = generate::line::generate(source, text) else { panic!("nothing is wrong with\n{text}") };
    assert!(!found.is_empty(), "refused without a reason:\n{text}");
    let mut lines = Vec::new();
    for finding in found {
        let place = finding.primary.as_ref().unwrap_or_else(|| panic!("{finding:?} without a place"));
        let (line, column) = sources.position(place.span).unwrap();
        let marked = text.get(place.span.range()).unwrap();
        let marked = marked.lines().next().unwrap_or_default();
        lines.push(format!("{line}:{column} `{marked}` {}: {}", finding.code, finding.message));
        lines.extend(finding.help.map(|help| format!("    help: {help}")));
        lines.extend(finding.notes.iter().map(|note| format!("    note: {note}")));
    }
    lines.join("\n")
}

/// Compares a text with the snapshot of that name.
pub(crate) fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/generate");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
