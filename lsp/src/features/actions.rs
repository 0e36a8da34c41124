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
    // What only adds something is right wherever the finding points to, as to a bracket that is not closed.
    let completes = |finding: &Diagnostic| {
        let edits = || finding.fixes.iter().flat_map(|fix| &fix.edits);
        edits().next().is_some()
            && edits().all(|edit| edit.span.range().is_empty())
            && finding.secondary.iter().any(|place| is_near(place.span.range()))
    };
    let touches =
        |finding: &Diagnostic| is_near(findings::place(finding).range()) || adds(finding) || completes(finding);
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
        let all = near.into_iter().chain(others);
        let all = all.flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix)));
        let all: Vec<_> = distinct(all.filter(|(_, fix)| fixes::fits(&sources, fix)));
        let titles = titles(document, &all);
        actions.extend(
            all.iter().zip(titles).map(|(&(finding, fix), title)| of_fix(document, client, (finding, fix), title)),
        );
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

/// Fixes with their findings, without those that change the text as an earlier one does.
fn distinct<'f>(all: impl Iterator<Item = (&'f Diagnostic, &'f Fix)>) -> Vec<(&'f Diagnostic, &'f Fix)> {
    let mut found: Vec<(&Diagnostic, &Fix)> = Vec::new();
    for (finding, fix) in all {
        let is_alike = |other: &Fix| {
            let edits = |fix: &Fix| fix.edits.iter().map(|edit| (edit.span, edit.text.clone())).collect::<Vec<_>>();
            other.edits.len() == fix.edits.len() && edits(other) == edits(fix)
        };
        if !found.iter().any(|(_, other)| is_alike(other)) {
            found.push((finding, fix));
        }
    }
    found
}

/// What fixes are called, with the places of those that are called alike.
fn titles(document: &Document, all: &[(&Diagnostic, &Fix)]) -> Vec<String> {
    let title = |fix: &Fix| {
        let title = capitalised(&fix.title);
        let is_alone = all.iter().filter(|(_, other)| other.title == fix.title).count() == 1;
        let place = fix.edits.first().filter(|_| !is_alone).map(|edit| document.range(edit.span).start);
        match place {
            Some(place) => format!("{title} (line {}, column {})", place.line + 1, place.character + 1),
            None => title,
        }
    };
    all.iter().map(|(_, fix)| title(fix)).collect()
}

fn of_fix(document: &Document, client: &Client, (finding, fix): (&Diagnostic, &Fix), title: String) -> CodeAction {
    CodeAction {
        title,
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
    let text = &document.text;
    let (place, added) = if text.trim().is_empty() {
        // The end of the last line stays, so that no empty line is before or behind the game.
        let kept = if text.ends_with("\r\n") { 2 } else { usize::from(text.ends_with('\n')) };
        let game = if kept > 0 { game.trim_end().to_owned() } else { game };
        (Span::new(SOURCE, 0, text.len() - kept), game)
    } else {
        let line = if text.ends_with('\n') { "" } else { "\n" };
        (Span::new(SOURCE, text.len(), text.len()), format!("{line}{game}"))
    };
    let new_text = document.with_its_line_ends(&added);
    Some(CodeAction {
        title: "Write a small game to begin with".to_owned(),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(found.iter().map(|finding| findings::shown(document, client, finding)).collect()),
        edit: Some(edits::of_document(document, client, vec![TextEdit { range: document.range(place), new_text }])),
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
