//! Findings for people, through `annotate-snippets`.
//!
//! The renderer lays out whole lines, so it is never given more of a text than a window around each place: generated
//! files have lines of many megabytes.

use super::position::Positions;
use crate::input::escaped;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use rg_ir::{Diagnostic, Severity, SourceId, Span};
use std::ops::Range;

/// Bytes shown on either side of a place in a long line.
const WINDOW: usize = 30;
/// Bytes shown of a long place in a long line.
const LONG_PLACE: usize = 40;
/// Lines up to this length are shown whole.
const LONG_LINE: usize = 130;
/// Places of one text are shown as one piece if that piece is not longer than this.
const MAX_PIECE: usize = 1 << 15;

/// `file:1:2: error[RG001]: message`, with a final newline.
pub(super) fn short(positions: &mut Positions<'_>, finding: &Diagnostic) -> String {
    let head = format!("{}[{}]: {}", finding.severity.name(), finding.code, finding.message);
    let Some(primary) = &finding.primary else { return one_line(&head) };
    let position = positions.position(primary.span.source, primary.span.start as usize);
    let file = positions.file(primary.span.source).0;
    one_line(&format!("{file}:{}:{}: {head}", position.line, position.column))
}

/// The text as one line for a terminal.
fn one_line(text: &str) -> String {
    escaped(text) + "\n"
}

/// The finding with excerpts of the text, with a final empty line.
pub(super) fn render(positions: &mut Positions<'_>, finding: &Diagnostic, colour: bool) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Lint => Level::INFO.with_name("lint"),
    };
    let mut group = level.primary_title(finding.message.as_str()).id(finding.code).elements(None::<Origin<'_>>);
    let mut cropped = Vec::new();
    for places in by_source(finding) {
        let Some(name) = places.first().map(|place| escaped(positions.file(place.span.source).0)) else { continue };
        for piece in pieces(positions, &places) {
            let place = |column: usize| format!("{name}:{}:{column}", piece.first_line);
            cropped.extend(piece.cropped.as_ref().map(|&Columns { excerpt, line }| (place(excerpt), place(line))));
            group = group.element(piece.snippet().path(name.clone()));
        }
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let report: [Group<'_>; 1] = [group];
    let mut text = renderer.render(&report);
    // The renderer takes the columns from the excerpts.
    let mut from = 0;
    for (wrong, right) in cropped {
        if let Some(at) = text.get(from..).and_then(|rest| rest.find(&wrong)).map(|at| from + at) {
            text.replace_range(at..at + wrong.len(), &right);
            from = at + right.len();
        }
    }
    text.push_str("\n\n");
    text
}

/// A place with its remark.
#[derive(Clone, Copy)]
struct Place<'d> {
    span: Span,
    text: &'d str,
    primary: bool,
}

/// The places of a finding by the text they lie in, that of the primary place first.
fn by_source(finding: &Diagnostic) -> Vec<Vec<Place<'_>>> {
    let primary = finding.primary.iter().map(|a| Place { span: a.span, text: &a.text, primary: true });
    let secondary = finding.secondary.iter().map(|a| Place { span: a.span, text: &a.text, primary: false });
    let mut groups: Vec<(SourceId, Vec<Place<'_>>)> = Vec::new();
    for place in primary.chain(secondary) {
        match groups.iter_mut().find(|(source, _)| *source == place.span.source) {
            Some((_, places)) => places.push(place),
            None => groups.push((place.span.source, vec![place])),
        }
    }
    groups.into_iter().map(|(_, places)| places).collect()
}

/// Where the only mark of an excerpt begins, in characters from 1.
struct Columns {
    /// In the excerpt.
    excerpt: usize,
    /// In the line.
    line: usize,
}

/// A piece of a text with marked ranges.
struct Piece<'d> {
    text: String,
    first_line: usize,
    /// The columns of the only mark, if the beginning of its line was left out.
    cropped: Option<Columns>,
    marks: Vec<(Range<usize>, Place<'d>)>,
}

impl<'d> Piece<'d> {
    fn snippet(self) -> Snippet<'d, annotate_snippets::Annotation<'d>> {
        // The renderer would show what ends the lines of some systems.
        let text = self.text.replace("\r\n", " \n");
        let text = text.strip_suffix('\r').map_or_else(|| text.clone(), |line| format!("{line} "));
        let marks = self.marks.into_iter().map(|(range, place)| {
            let kind = if place.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!place.text.is_empty()).then_some(place.text);
            kind.span(range).label(label)
        });
        Snippet::source(text).line_start(self.first_line).annotations(marks)
    }
}

/// What to show of one text: one piece, or where that would be long, a window for every place.
fn pieces<'d>(positions: &mut Positions<'_>, places: &[Place<'d>]) -> Vec<Piece<'d>> {
    whole(positions, places)
        .map_or_else(|| places.iter().map(|place| window(positions, place)).collect(), |piece| vec![piece])
}

/// The lines from the first to the last place, unless that is much.
fn whole<'d>(positions: &mut Positions<'_>, places: &[Place<'d>]) -> Option<Piece<'d>> {
    let source = places.first()?.span.source;
    let text = positions.file(source).1;
    let ranges: Vec<Range<usize>> = places.iter().map(|place| positions.range(place.span)).collect();
    let start = positions.position(source, ranges.iter().map(|range| range.start).min()?);
    let last = ranges.iter().map(|range| range.end).max()?;
    if last - start.line_start > MAX_PIECE {
        return None;
    }
    let limit = text.floor_char_boundary(last + LONG_LINE);
    let end = text.get(last..limit)?.find('\n').map(|length| last + length);
    let end = end.or_else(|| (limit == text.len()).then_some(limit))?;
    let piece = text.get(start.line_start..end)?;
    if piece.split('\n').any(|line| line.len() > LONG_LINE) {
        return None;
    }
    let marks = ranges.into_iter().zip(places).map(|(range, place)| {
        let range = range.start - start.line_start..range.end - start.line_start;
        (range, *place)
    });
    Some(Piece { text: piece.to_owned(), first_line: start.line, cropped: None, marks: marks.collect() })
}

/// The place and a little of its line on either side. Of a place of several lines only the first is shown.
fn window<'d>(positions: &mut Positions<'_>, place: &Place<'d>) -> Piece<'d> {
    let text = positions.file(place.span.source).1;
    let range = positions.range(place.span);
    let position = positions.position(place.span.source, range.start);
    let rest = text.get(range.clone()).unwrap_or("");
    let first = rest.split('\n').next().unwrap_or("");
    let shown = first.floor_char_boundary(LONG_PLACE);
    let end = range.start + shown;
    let left = text.ceil_char_boundary(position.line_start.max(range.start.saturating_sub(WINDOW)));
    let after = text.get(end..text.floor_char_boundary(end + WINDOW)).unwrap_or("");
    let right = end + after.find('\n').unwrap_or(after.len());
    let cut = |cut: bool| if cut { "…" } else { "" };
    let before = cut(left > position.line_start);
    let behind = cut(right < text.len() && text.as_bytes().get(right) != Some(&b'\n'));
    let middle = text.get(left..right).unwrap_or("");
    let at = before.len() + range.start - left;
    Piece {
        text: format!("{before}{middle}{behind}"),
        first_line: position.line,
        cropped: (left > position.line_start).then(|| {
            let shown = text.get(left..range.start).unwrap_or_default().chars().count();
            Columns { excerpt: shown + 2, line: position.column }
        }),
        marks: vec![(at..at + shown, *place)],
    }
}
