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
    let mut edits = Vec::new();
    for op in diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        let lines = |range: std::ops::Range<usize>| range.map(|line| line..line + 1).collect::<Vec<_>>();
        // Of lines that stand for others, one by one, each is changed where it differs.
        let pairs: Vec<_> = match op.old_range().len() == op.new_range().len() {
            true => lines(op.old_range()).into_iter().zip(lines(op.new_range())).collect(),
            false => vec![(op.old_range(), op.new_range())],
        };
        let place =
            |begins: &[usize], lines: std::ops::Range<usize>| Some(*begins.get(lines.start)?..*begins.get(lines.end)?);
        for (from, to) in pairs {
            let (Some(removed), Some(added)) = (place(&old, from), place(&new, to)) else { continue };
            edits.extend(changed(document, removed, wanted.get(added).unwrap_or_default()));
        }
    }
    edits
}

/// The edit that makes a part of a document another text, without what both begin and end with; nothing if they are equal.
fn changed(document: &Document, removed: std::ops::Range<usize>, added: &str) -> Option<TextEdit> {
    let text = document.text.get(removed.clone())?;
    let equal = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
        a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let before = equal(&mut text.chars(), &mut added.chars());
    let (old, new) = (text.get(before..)?, added.get(before..)?);
    let after = equal(&mut old.chars().rev(), &mut new.chars().rev());
    let (start, end) = (removed.start + before, removed.end - after);
    let new_text = new.get(..new.len() - after)?.to_owned();
    let span = Span::new(crate::document::SOURCE, start, end);
    (start < end || !new_text.is_empty()).then(|| TextEdit { range: document.range(span), new_text })
}
