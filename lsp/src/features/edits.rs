//! Edits of a document, as the client takes them.

use crate::capabilities::Client;
use crate::document::Document;
use gen_lsp_types::{
    DocumentChange, Edit, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextDocumentIdentifier, TextEdit,
    WorkspaceEdit,
};
use rg_ir::Span;
use similar::{Algorithm, DiffOp, TextDiff};
use std::time::{Duration, Instant};

/// Time after which differences are looked for less thoroughly.
const DIFF_TIME: Duration = Duration::from_millis(50);

/// Edits of a document in a form that the client understands: if possible, for this version of it only.
pub(crate) fn of_document(document: &Document, client: &Client, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let uri = document.uri.clone();
    if !client.versioned_edits {
        return WorkspaceEdit { changes: Some([(uri, edits)].into()), ..WorkspaceEdit::default() };
    }
    let text_document = OptionalVersionedTextDocumentIdentifier {
        version: Some(document.version),
        text_document_identifier: TextDocumentIdentifier { uri },
    };
    let edits = edits.into_iter().map(Edit::TextEdit).collect();
    let change = DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits });
    WorkspaceEdit { document_changes: Some(vec![change]), ..WorkspaceEdit::default() }
}

/// The edits of lines that make another text of a document. Lines that stay are not touched, so that cursors in them stay where they are.
pub(crate) fn between(document: &Document, wanted: &str) -> Vec<TextEdit> {
    let text = &*document.text;
    let mut config = TextDiff::configure();
    let diff = config.algorithm(Algorithm::Patience).deadline(Instant::now() + DIFF_TIME).diff_lines(text, wanted);
    // Where each line begins.
    let begins = |lines: &[&str]| {
        let mut at = 0;
        let ends = lines.iter().map(move |line| {
            at += line.len();
            at
        });
        std::iter::once(0).chain(ends).collect::<Vec<usize>>()
    };
    let (old, new) = (begins(diff.old_slices()), begins(diff.new_slices()));
    let edit = |op: &DiffOp| {
        let place =
            |begins: &[usize], lines: std::ops::Range<usize>| Some(*begins.get(lines.start)?..*begins.get(lines.end)?);
        let (removed, added) = (place(&old, op.old_range())?, place(&new, op.new_range())?);
        let span = Span::new(crate::document::SOURCE, removed.start, removed.end);
        Some(TextEdit { range: document.range(span), new_text: wanted.get(added)?.to_owned() })
    };
    diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).filter_map(edit).collect()
}
