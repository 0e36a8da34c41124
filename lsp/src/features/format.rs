//! Formatting, as edits of what changes.

use super::edits;
use crate::document::{Document, SOURCE};
use gen_lsp_types::TextEdit;

/// The edits after which a text is as `rgc fmt` leaves it; none for one whose syntax is wrong, or whose language has no formatter.
pub(crate) fn edits(document: &Document) -> Option<Vec<TextEdit>> {
    let formatted = document.language.format?(SOURCE, &document.text).ok()?;
    Some(edits::between(document, &formatted))
}
