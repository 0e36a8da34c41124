//! Helpers shared by the tests.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

#[path = "../../../testing.rs"]
mod testing;

#[allow(unused_imports)] // not all tests need both
pub(crate) use testing::{corpus, render};

use rg_ir::SourceId;

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

/// Adds the sections a case does not bring itself.
pub(crate) fn complete(case: &str) -> String {
    if case.contains("#board") { case.to_owned() } else { with(case) }
}

/// The errors of a text, and values that are too great, and the text after the first fix of the first one.
pub(crate) fn mended(text: &str) -> (Vec<rg_ir::Diagnostic>, Option<String>) {
    let mut found = rbg::parse(SourceId(0), text).1;
    found.retain(|found| found.is_error() || found.code == "RBG151");
    let edits = found.first().and_then(|found| found.fixes.first()).map(|fix| fix.edits.clone());
    let after = edits.map(|mut edits| {
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        let mut after = text.to_owned();
        edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
        after
    });
    (found, after)
}
