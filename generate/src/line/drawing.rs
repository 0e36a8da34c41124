//! From a drawing to a board.
//!
//! Points are `.`, `o` and `*` where no piece stands, `w` and `b` where a man stands, `W` and `B` where a king does. Lines are made
//! of `-`, `|`, `/` and `\`; where two cross without a point there is `+` or `X`. A line is straight and leads from a point to the next
//! one, and two lines of the same direction that meet in a point are one line for pieces that jump.

use super::board::{Board, Direction, MAX_POINTS, Piece, Point, letters, too_large};
use crate::codes;
use rg_ir::{Diagnostic, SourceId, Span};
use std::collections::BTreeMap;

/// Most findings about one drawing.
const MAX_FINDINGS: usize = 20;

/// Most characters of a drawing.
const MAX_CHARACTERS: usize = 1 << 20;

/// A direction, the opposite one, lines down and columns to the right, and the characters of its lines.
type Axis = (&'static str, &'static str, (i8, i8), &'static [char]);

/// Four of the directions of drawings, with the characters of their lines; the others are opposite to them.
const AXES: [Axis; 4] = [
    ("east", "west", (0, 1), &['-', '+']),
    ("south", "north", (1, 0), &['|', '+']),
    ("southeast", "northwest", (1, 1), &['\\', 'X', 'x']),
    ("southwest", "northeast", (1, -1), &['/', 'X', 'x']),
];

/// The order of directions in games.
const ORDER: [&str; 8] = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];

/// A line of a drawing, with where it begins in the source; `None`: nowhere.
pub(super) struct Row<'t> {
    pub(super) text: &'t str,
    pub(super) start: Option<usize>,
}

type Cell = (usize, usize);

/// What stands where.
struct Canvas {
    source: SourceId,
    cells: BTreeMap<Cell, (char, Span)>,
}

impl Canvas {
    fn char(&self, cell: Cell) -> Option<char> {
        self.cells.get(&cell).map(|&(found, _)| found)
    }

    fn span(&self, cell: Cell) -> Span {
        self.cells.get(&cell).map_or(Span::new(self.source, 0, 0), |&(_, span)| span)
    }
}

fn is_point(found: char) -> bool {
    matches!(found, '.' | 'o' | '*') || Piece::of_letter(found).is_some()
}

fn is_line(found: char) -> bool {
    AXES.iter().any(|(_, _, _, signs)| signs.contains(&found))
}

/// The cell next to another one.
fn beside((line, column): Cell, (down, right): (i8, i8)) -> Option<Cell> {
    Some((line.checked_add_signed(down.into())?, column.checked_add_signed(right.into())?))
}

/// Reads a drawing. `span` is all of it.
pub(super) fn read(source: SourceId, span: Span, rows: &[Row<'_>]) -> Result<Board, Vec<Diagnostic>> {
    let characters: usize = rows.iter().map(|row| row.text.len()).sum();
    if characters > MAX_CHARACTERS {
        let message = format!("a drawing of {characters} characters, expected at most {MAX_CHARACTERS}");
        return Err(vec![Diagnostic::error(codes::TOO_LARGE, span, message)]);
    }
    let canvas = cells(source, span, rows)?;
    let points: Vec<Cell> = canvas.cells.iter().filter(|(_, (found, _))| is_point(*found)).map(|(&at, _)| at).collect();
    if points.is_empty() {
        let message = "the drawing has no points, expected `.`, `o` or `*`, or pieces `w` and `b`";
        return Err(vec![Diagnostic::error(codes::NO_BOARD, span, message)]);
    }
    if points.len() > MAX_POINTS {
        return Err(vec![too_large(span)]);
    }
    let directions = directions(&canvas, &points)?;
    let picture = picture(&canvas, rows.len());
    let points = named(&canvas, &points);
    let summary = format!("a board of {} points", points.len());
    let board = Board { points, directions, picture, circular: false, summary, span };
    match board.unreachable() {
        Some(finding) => Err(vec![finding]),
        None => Ok(board),
    }
}

fn cells(source: SourceId, whole: Span, rows: &[Row<'_>]) -> Result<Canvas, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let mut cells = BTreeMap::new();
    for (line, row) in rows.iter().enumerate() {
        for (column, (at, found)) in row.text.char_indices().enumerate() {
            let span = row.start.map_or(whole, |start| Span::new(source, start + at, start + at + found.len_utf8()));
            if is_point(found) || is_line(found) {
                cells.insert((line, column), (found, span));
            } else if found != ' ' && findings.len() < MAX_FINDINGS {
                let message = format!("`{}` in a drawing", found.escape_debug());
                let expected = "expected points `.`, `o`, `*`, men `w`, `b`, kings `W`, `B`, or lines `-`, `|`, `/`, `\\`, `X`, `+`";
                findings.push(Diagnostic::error(codes::BAD_CHARACTER, span, format!("{message}, {expected}")));
            }
        }
    }
    if findings.is_empty() { Ok(Canvas { source, cells }) } else { Err(findings) }
}

/// Follows all lines.
fn directions(canvas: &Canvas, points: &[Cell]) -> Result<Vec<Direction>, Vec<Diagnostic>> {
    let index: BTreeMap<Cell, usize> = points.iter().zip(0..).map(|(&cell, at)| (cell, at)).collect();
    let mut found: BTreeMap<&str, Direction> = BTreeMap::new();
    let mut findings = Vec::new();
    let mut add = |name: &'static str, vector: (i8, i8), from: usize, to: usize| {
        let new = || Direction { name: name.to_owned(), vector: Some(vector), next: vec![None; points.len()] };
        if let Some(next) = found.entry(name).or_insert_with(new).next.get_mut(from) {
            *next = Some(to);
        }
    };
    for (name, opposite, vector, signs) in AXES {
        let (down, right) = vector;
        for (&cell, &(sign, span)) in canvas.cells.iter().filter(|(_, (sign, _))| signs.contains(sign)) {
            let back = beside(cell, (-down, -right));
            if back.and_then(|cell| canvas.char(cell)).is_some_and(|before| signs.contains(&before)) {
                // Not the beginning of a line.
                continue;
            }
            let from = back.and_then(|cell| index.get(&cell));
            let mut end = cell;
            while let Some(next) = beside(end, vector).filter(|&n| canvas.char(n).is_some_and(|c| signs.contains(&c))) {
                end = next;
            }
            let to = beside(end, vector).and_then(|cell| index.get(&cell));
            if let (Some(&from), Some(&to)) = (from, to) {
                add(name, vector, from, to);
                add(opposite, (-down, -right), to, from);
            } else if findings.len() < MAX_FINDINGS {
                let (side, at) = if from.is_none() { (opposite, span) } else { (name, canvas.span(end)) };
                findings.push(loose(sign, side, at));
            }
        }
    }
    findings.sort_by_key(|finding| finding.primary.as_ref().map(|place| place.span));
    if !findings.is_empty() {
        return Err(findings);
    }
    Ok(ORDER.iter().filter_map(|name| found.remove(name)).collect())
}

fn loose(sign: char, side: &str, span: Span) -> Diagnostic {
    let message =
        format!("the line `{sign}` ends here without a point, expected a point or more of the line to the {side}");
    let help = match sign {
        'X' | 'x' | '+' => "where two lines cross, both go on to a point",
        _ => {
            "a line is straight: `-` and `|` go on beside and below each other, `/` and `\\` one line and one column on"
        }
    };
    Diagnostic::error(codes::LOOSE_END, span, message).help(help)
}

/// The drawing without pieces, cropped.
fn picture(canvas: &Canvas, height: usize) -> Vec<String> {
    let mut lines = vec![Vec::new(); height];
    for (&(line, column), &(found, _)) in &canvas.cells {
        if let Some(line) = lines.get_mut(line) {
            line.resize(column, ' ');
            line.push(if is_point(found) { '.' } else { found });
        }
    }
    lines.into_iter().map(String::from_iter).collect()
}

/// Points with names: letters for columns from the left, numbers for lines from below, both without gaps.
fn named(canvas: &Canvas, points: &[Cell]) -> Vec<Point> {
    let ranks = |of: fn(&Cell) -> usize| -> BTreeMap<usize, usize> {
        let mut all: Vec<usize> = points.iter().map(of).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().zip(0..).collect()
    };
    let (lines, columns) = (ranks(|cell| cell.0), ranks(|cell| cell.1));
    let rank = |ranks: &BTreeMap<usize, usize>, at: usize| ranks.get(&at).copied().unwrap_or_default();
    let point = |&cell: &Cell| Point {
        name: format!("{}{}", letters(rank(&columns, cell.1)), lines.len() - rank(&lines, cell.0)),
        term: Some((rank(&columns, cell.1), lines.len().saturating_sub(1 + rank(&lines, cell.0)))),
        piece: canvas.char(cell).and_then(Piece::of_letter),
        cell,
        span: canvas.span(cell),
    };
    points.iter().map(point).collect()
}
