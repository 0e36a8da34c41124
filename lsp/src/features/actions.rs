//! Changes that the client offers: fixes of findings, rewritten edges, and macros made of parts.

use super::{beginning, edits, split};
use crate::capabilities::{Client, FIX_ALL};
use crate::document::{Document, SOURCE};
use crate::findings;
use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, TextEdit};
use kit::fixes;
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Span};
use std::ops::Range;

/// The fixes of findings in a range, what can be rewritten there, and all certain fixes of the text as one.
pub(crate) fn actions(
    document: &Document,
    client: &Client,
    params: &CodeActionParams,
) -> Option<Vec<CodeActionResponse>> {
    let found = document.findings().unwrap_or_default();
    let wanted = |kind: &CodeActionKind| {
        params.context.only.as_ref().is_none_or(|only| only.iter().any(|only| is_kind_of(kind, only)))
    };
    let bytes = document.lines.bytes(&document.text, params.range);
    // What is missing at the end of the text is missing behind its last word.
    let end = document.text.trim_end().len();
    let is_near = |place: Range<usize>| {
        let start = if place.start == document.text.len() { end } else { place.start };
        start <= bytes.end && bytes.start <= place.end
    };
    // What is missing in the whole text is also offered where it would be added.
    let adds = |finding: &Diagnostic| {
        let mut edits = finding.fixes.iter().flat_map(|fix| &fix.edits);
        findings::place(finding).range().is_empty() && edits.any(|edit| is_near(edit.span.range()))
    };
    let touches = |finding: &Diagnostic| is_near(findings::place(finding).range()) || adds(finding);
    // Where nothing is selected, the rest of the line comes behind that.
    let line = bytes.is_empty().then(|| line_around(&document.text, &bytes)).flatten();
    let shares_line = |finding: &Diagnostic| {
        let place = findings::place(finding).range();
        line.as_ref().is_some_and(|line| place.start <= line.end && line.start <= place.end)
    };
    let mut actions = Vec::new();
    if wanted(&CodeActionKind::QuickFix) {
        actions.extend(first_game(document, client, found));
        let sources = document.sources();
        let (near, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) = found.iter().partition(|finding| touches(finding));
        let others = others.into_iter().filter(|finding| shares_line(finding));
        for finding in near.into_iter().chain(others) {
            let fixes = finding.fixes.iter().filter(|fix| fixes::fits(&sources, fix));
            actions.extend(fixes.map(|fix| of_fix(document, client, finding, fix)));
        }
    }
    if wanted(&CodeActionKind::RefactorExtract)
        && let Some(fix) = (document.language.editing.extract)(SOURCE, &document.text, bytes.clone())
    {
        actions.push(CodeAction {
            title: capitalised(&fix.title),
            kind: Some(CodeActionKind::RefactorExtract),
            edit: Some(edits::of_document(document, client, of_edits(document, &fix))),
            ..CodeAction::default()
        });
    }
    if wanted(&CodeActionKind::RefactorRewrite)
        && let Some(edits) = split::edge(document, bytes)
    {
        actions.push(CodeAction {
            title: "Split the edge by a new node".to_owned(),
            kind: Some(CodeActionKind::RefactorRewrite),
            edit: Some(edits::of_document(document, client, edits)),
            ..CodeAction::default()
        });
    }
    // All fixes are offered where somebody asks for them, not with every single one.
    if params.context.only.is_some() && wanted(&FIX_ALL) {
        actions.extend(all(document, client, found));
    }
    Some(actions.into_iter().map(CodeActionResponse::CodeAction).collect())
}

/// The line in which a place is, without its end.
fn line_around(text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let start = text.get(..place.start)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text.get(place.end..)?.find('\n').map_or(text.len(), |end| place.end + end);
    Some(start..end)
}

/// Whether a kind is another one or one below it: `source.fixAll` is a kind of `source`.
fn is_kind_of(kind: &CodeActionKind, other: &CodeActionKind) -> bool {
    let name = |kind: &CodeActionKind| {
        serde_json::to_value(kind).ok().and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default()
    };
    let (kind, other) = (name(kind), name(other));
    kind.strip_prefix(&other).is_some_and(|rest| rest.is_empty() || other.is_empty() || rest.starts_with('.'))
}

fn of_edits(document: &Document, fix: &Fix) -> Vec<TextEdit> {
    let text = |edit: &Edit| document.with_its_line_ends(&edit.text);
    let edit = |edit: &Edit| TextEdit { range: document.range(edit.span), new_text: text(edit) };
    fix.edits.iter().map(edit).collect()
}

fn of_fix(document: &Document, client: &Client, finding: &Diagnostic, fix: &Fix) -> CodeAction {
    CodeAction {
        title: capitalised(&fix.title),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![findings::shown(document, client, finding)]),
        is_preferred: (fix.applies == Applies::Always).then_some(true),
        edit: Some(edits::of_document(document, client, of_edits(document, fix))),
        ..CodeAction::default()
    }
}

/// A small game to begin with, where nothing is written yet.
fn first_game(document: &Document, client: &Client, found: &[Diagnostic]) -> Option<CodeAction> {
    let game = beginning::game(document)?;
    let end = Span::new(SOURCE, document.text.len(), document.text.len());
    let line = if document.text.is_empty() || document.text.ends_with('\n') { "" } else { "\n" };
    let new_text = document.with_its_line_ends(&format!("{line}{game}"));
    Some(CodeAction {
        title: "Write a small game to begin with".to_owned(),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(found.iter().map(|finding| findings::shown(document, client, finding)).collect()),
        edit: Some(edits::of_document(document, client, vec![TextEdit { range: document.range(end), new_text }])),
        ..CodeAction::default()
    })
}

/// All certain fixes at once, if there are any.
fn all(document: &Document, client: &Client, found: &[Diagnostic]) -> Option<CodeAction> {
    let (mut text, count) = fixes::apply(&document.sources(), SOURCE, found);
    if document.text.matches('\n').count() == document.text.matches("\r\n").count() {
        text = document.with_its_line_ends(&text);
    }
    (count > 0).then(|| CodeAction {
        title: "Make all certain fixes".to_owned(),
        kind: Some(FIX_ALL),
        edit: Some(edits::of_document(document, client, edits::between(document, &text))),
        ..CodeAction::default()
    })
}

fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
