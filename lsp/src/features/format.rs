//! Formatting, as edits of what changes.

use super::edits;
use crate::document::{Document, SOURCE};
use gen_lsp_types::{Range, TextEdit};

/// The edits after which a text is as `rgc fmt` leaves it; none for one whose syntax is wrong, or whose language has no formatter.
pub(crate) fn edits(document: &Document) -> Option<Vec<TextEdit>> {
    let formatted = document.language.format?(SOURCE, &document.text).ok()?;
    Some(edits::between(document, &document.with_its_line_ends(&formatted)))
}

/// Those of the edits that change lines of a range, or the place where lines are added to it.
pub(crate) fn edits_in(document: &Document, range: Range) -> Option<Vec<TextEdit>> {
    // A range that ends where a line begins does not touch that line.
    let behind = if range.end.character == 0 && range.start < range.end { 0 } else { 1 };
    let lines = range.start.line..range.end.line.saturating_add(behind);
    let touches = |edit: &TextEdit| {
        let edited = edit.range.start.line..edit.range.end.line.max(edit.range.start.line + 1);
        edited.start < lines.end && lines.start < edited.end
    };
    let mut edits = edits(document)?;
    edits.retain(touches);
    Some(edits)
}
