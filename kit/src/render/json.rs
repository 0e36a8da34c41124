//! Findings as JSON, one object in a line.

use super::position::Positions;
use crate::fixes::fits;
use rg_ir::Diagnostic;
use rg_ir::diag::{self, Annotation};
use serde::Serialize;

#[derive(Serialize)]
struct Finding<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    /// The primary place first.
    spans: Vec<Place<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix<'a>>,
}

#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    /// `always` if it is certain, else `maybe`.
    applies: &'a str,
    edits: Vec<Edit<'a>>,
}

/// Bytes that are replaced by a text.
#[derive(Serialize)]
struct Edit<'a> {
    file: &'a str,
    byte_start: usize,
    byte_end: usize,
    text: &'a str,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    primary: bool,
    byte_start: usize,
    byte_end: usize,
    /// Lines and columns count from 1, columns in characters.
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    label: &'a str,
}

/// The object, with a final newline.
pub(super) fn render<'a>(positions: &mut Positions<'a>, finding: &'a Diagnostic) -> String {
    let primary = finding.primary.iter().map(|annotation| (annotation, true));
    let secondary = finding.secondary.iter().map(|annotation| (annotation, false));
    let finding = Finding {
        code: finding.code,
        severity: finding.severity.name(),
        message: &finding.message,
        spans: primary.chain(secondary).map(|(annotation, primary)| place(positions, annotation, primary)).collect(),
        notes: &finding.notes,
        help: finding.help.as_deref(),
        fixes: finding
            .fixes
            .iter()
            .filter(|fix| fits(positions.sources(), fix))
            .map(|fix| self::fix(positions, fix))
            .collect(),
    };
    // Plain strings and numbers always have a JSON form.
    let mut line = serde_json::to_string(&finding).unwrap_or_default();
    line.push('\n');
    line
}

fn fix<'a>(positions: &Positions<'a>, fix: &'a diag::Fix) -> Fix<'a> {
    let edit = |edit: &'a diag::Edit| {
        let range = positions.range(edit.span);
        let file = positions.file(edit.span.source).0;
        Edit { file, byte_start: range.start, byte_end: range.end, text: &edit.text }
    };
    Fix { title: &fix.title, applies: fix.applies.name(), edits: fix.edits.iter().map(edit).collect() }
}

fn place<'a>(positions: &mut Positions<'a>, annotation: &'a Annotation, primary: bool) -> Place<'a> {
    let source = annotation.span.source;
    let range = positions.range(annotation.span);
    let start = positions.position(source, range.start);
    let end = positions.position(source, range.end);
    Place {
        file: positions.file(source).0,
        primary,
        byte_start: range.start,
        byte_end: range.end,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        label: &annotation.text,
    }
}
