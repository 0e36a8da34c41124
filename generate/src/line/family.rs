//! Boards of named families: grids, concentric squares and rings, with what is attached to their sides.
//!
//! All but rings are drawn on a sheet, and the drawing is read like any other.

use super::board::{Board, MAX_POINTS, too_large};
use super::drawing::{self, Row};
use super::rings;
use super::words::{Text, Words, Wrong, unknown};
use crate::codes;
use rg_ir::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of rays. Each is a direction of its own.
const RAYS: std::ops::RangeInclusive<usize> = 3..=40;

/// The names of the families.
const FAMILIES: [&str; 3] = ["grid", "squares", "rings"];

/// A place on the sheet: line and column.
type Place = (i32, i32);

/// The sides of a board, with the way out.
const SIDES: [(&str, Place); 4] = [("north", (-1, 0)), ("east", (0, 1)), ("south", (1, 0)), ("west", (0, -1))];

fn sum((a, b): Place, (c, d): Place, times: i32) -> Place {
    (a + c * times, b + d * times)
}

fn number(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A drawing in the making.
#[derive(Default)]
struct Sheet {
    points: BTreeSet<Place>,
    lines: BTreeMap<Place, char>,
}

impl Sheet {
    /// Draws a line of `steps` signs between two points.
    fn line(&mut self, from: Place, to: Place) {
        let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let sign = match step {
            (0, _) => '-',
            (_, 0) => '|',
            (down, right) if down == right => '\\',
            _ => '/',
        };
        let mut at = sum(from, step, 1);
        while at != to {
            self.lines.entry(at).and_modify(|old| *old = if *old == sign { sign } else { 'X' }).or_insert(sign);
            at = sum(at, step, 1);
        }
    }

    fn read(&self, span: Span) -> Result<Board, Vec<Diagnostic>> {
        if self.points.len() > MAX_POINTS {
            return Err(vec![too_large(span)]);
        }
        let top = self.points.iter().map(|place| place.0).min().unwrap_or_default();
        let left = self.points.iter().map(|place| place.1).min().unwrap_or_default();
        let mut rows: Vec<String> = Vec::new();
        let signs =
            self.points.iter().map(|&place| (place, '.')).chain(self.lines.iter().map(|(&at, &sign)| (at, sign)));
        for ((line, column), sign) in signs.collect::<BTreeMap<_, _>>() {
            let [line, column] = [line - top, column - left].map(|n| usize::try_from(n).unwrap_or_default());
            rows.resize(rows.len().max(line + 1), String::new());
            if let Some(row) = rows.get_mut(line) {
                row.push_str(&" ".repeat(column.saturating_sub(row.len())));
                row.push(sign);
            }
        }
        let rows: Vec<Row<'_>> = rows.iter().map(|text| Row { text, start: None }).collect();
        drawing::read(span.source, span, &rows)
    }
}

/// A board that its parts do not make.
fn bad(text: Text<'_>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::BAD_BOARD, text.span(), message)
}

/// Reads the description of a board, such as `grid 5x5, diagonals, triangles 2 north south`.
pub(super) fn read(value: Text<'_>) -> Result<Board, Vec<Diagnostic>> {
    let items = value.items();
    let Some((&first, more)) = items.split_first() else { return Err(Vec::new()) };
    let mut words = first.words();
    let family = words.next();
    let summary = format!("a board of lines: {}", value.text.split_whitespace().collect::<Vec<_>>().join(" "));
    let board = match family.text {
        "grid" => grid(&mut words, more).map_err(|finding| vec![*finding])?.read(value.span())?,
        "squares" => squares(&mut words, more).map_err(|finding| vec![*finding])?.read(value.span())?,
        "rings" => return circles(&mut words, more, value).map_err(|finding| vec![*finding]),
        _ => {
            let finding = unknown(codes::BAD_VALUE, "family of boards", family, &FAMILIES);
            return Err(vec![finding.note("a drawing stands in the lines below `board:`, indented")]);
        }
    };
    Ok(Board { summary, ..board })
}

/// Two numbers with `x` between them.
fn product(words: &mut Words<'_>, [first, second]: [&str; 2]) -> Result<[usize; 2], Wrong> {
    let a = words.number(first, MAX_POINTS)?;
    let sign = words.next();
    if sign.text != "x" {
        return Err(sign.not(second, "`x` and a number, as in `5x5`").into());
    }
    let b = words.number(second, MAX_POINTS)?;
    words.end("the size")?;
    Ok([a, b])
}

fn circles(words: &mut Words<'_>, more: &[Text<'_>], value: Text<'_>) -> Result<Board, Wrong> {
    let [rings, rays] = product(words, ["number of rings", "number of rays"])?;
    if let Some(&item) = more.first() {
        return Err(item.not("a part of a board of rings", "the end of the line").into());
    }
    if !RAYS.contains(&rays) {
        let (least, most) = (RAYS.start(), RAYS.end());
        return Err(bad(value, format!("rings of {rays} points, expected {least} to {most}")).into());
    }
    if rings * rays >= MAX_POINTS {
        return Err(too_large(value.span()).into());
    }
    Ok(rings::board(rings, rays, value.span()))
}

/// Concentric squares, joined in the middles of their sides.
fn squares(words: &mut Words<'_>, more: &[Text<'_>]) -> Result<Sheet, Wrong> {
    const PARTS: [&str; 2] = ["diagonals", "centre"];
    let count = number(words.number("number of squares", MAX_POINTS / 8)?);
    words.end("the number of squares")?;
    let [mut diagonals, mut centre] = [false; 2];
    for item in more {
        match item.text {
            "diagonals" => diagonals = true,
            "centre" => centre = true,
            _ => return Err(unknown(codes::BAD_VALUE, "part of a board of squares", *item, &PARTS).into()),
        }
    }
    let mut sheet = Sheet::default();
    let around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)];
    for square in 1..=count {
        for (from, to) in around.iter().zip(around.iter().cycle().skip(1)) {
            let [from_, to] = [from, to].map(|&way| sum((0, 0), way, 2 * square));
            sheet.points.insert(from_);
            sheet.line(from_, to);
            let is_corner = from.0 != 0 && from.1 != 0;
            if (diagonals || !is_corner) && (square > 1 || centre) {
                sheet.line(sum((0, 0), *from, 2 * square - 2), from_);
            }
        }
    }
    if centre {
        sheet.points.insert((0, 0));
    }
    Ok(sheet)
}

/// How the cells of a grid are crossed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Crossed {
    No,
    /// By one diagonal each, so that every second point has diagonals.
    Alternating,
    /// By both diagonals.
    Both,
    /// By both diagonals, with a point where they meet.
    Centred,
}

/// Something on a side of a grid.
#[derive(Clone, Copy)]
enum Attached {
    Triangle,
    Tail,
}

fn grid(words: &mut Words<'_>, more: &[Text<'_>]) -> Result<Sheet, Wrong> {
    const PARTS: [&str; 6] = ["diagonals", "all diagonals", "centres", "cross", "triangles", "tails"];
    let [rows, columns] = product(words, ["number of rows", "number of columns"])?;
    if rows * columns > MAX_POINTS {
        return Err(too_large(words.span()).into());
    }
    let mut crossed = Crossed::No;
    let mut arms = None;
    let mut attached = Vec::new();
    for &item in more {
        let mut words = item.words();
        match words.next().text {
            "diagonals" => crossed = Crossed::Alternating,
            "all" if words.take("diagonals") => crossed = Crossed::Both,
            "centres" => crossed = Crossed::Centred,
            "cross" => {
                let width = words.number("width of the arms", rows.min(columns))?;
                if (rows - width) % 2 == 1 || (columns - width) % 2 == 1 {
                    return Err(bad(
                        item,
                        "arms that are not in the middle, expected a width that leaves even numbers on the sides",
                    )
                    .into());
                }
                arms = Some(width);
            }
            "triangles" => attached.extend(sides(&mut words, Attached::Triangle, item)?),
            "tails" => attached.extend(sides(&mut words, Attached::Tail, item)?),
            _ => return Err(unknown(codes::BAD_VALUE, "part of a grid", item, &PARTS).into()),
        }
        words.end("this part")?;
    }
    let scale = if crossed == Crossed::Centred { 4 } else { 2 };
    let mut sheet = Sheet::default();
    let inside = |place, size| arms.is_none_or(|width| (size - width) / 2 <= place && place < (size + width) / 2);
    let is_there = |row, column| row < rows && column < columns && (inside(row, rows) || inside(column, columns));
    lay(&mut sheet, [rows, columns], &is_there, crossed, scale);
    for (item, kind, length, out) in attached {
        let middle = |size: usize| (size % 2 == 1).then(|| number(size / 2));
        let end = |way: i32, size: usize| if way > 0 { Some(number(size) - 1) } else { middle(size) };
        let line = if out.0 < 0 { Some(0) } else { end(out.0, rows) };
        let column = if out.1 < 0 { Some(0) } else { end(out.1, columns) };
        let (Some(line), Some(column)) = (line, column) else {
            return Err(bad(item, "a side without a middle point, expected an odd number of points there").into());
        };
        attach(&mut sheet, (line * scale, column * scale), out, kind, (length, scale)).map_err(|()| {
            bad(item, "parts of the board that overlap, expected parts on different sides, with room for them")
        })?;
    }
    Ok(sheet)
}

/// A length and the names of sides.
fn sides<'t>(
    words: &mut Words<'_>,
    kind: Attached,
    item: Text<'t>,
) -> Result<Vec<(Text<'t>, Attached, usize, Place)>, Wrong> {
    let length = words.number("number of rows of points", MAX_POINTS)?;
    let mut found = Vec::new();
    while !words.is_at_end() {
        found.push((item, kind, length, words.next().choice("side", &SIDES)?));
    }
    if found.is_empty() {
        return Err(words.peek().not("side", "`north`, `east`, `south` or `west`, or several of them").into());
    }
    Ok(found)
}

/// Draws a grid.
fn lay(
    sheet: &mut Sheet,
    [rows, columns]: [usize; 2],
    is_there: &dyn Fn(usize, usize) -> bool,
    crossed: Crossed,
    scale: i32,
) {
    let place = |(row, column): (usize, usize)| (number(row) * scale, number(column) * scale);
    for row in 0..rows {
        for column in 0..columns {
            let corners = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)];
            let [here, right, below, across] = corners.map(|(row, column)| is_there(row, column));
            let [at, at_right, at_below, at_across] = corners.map(place);
            if !here {
                continue;
            }
            sheet.points.insert(at);
            if right {
                sheet.line(at, at_right);
            }
            if below {
                sheet.line(at, at_below);
            }
            if !(right && below && across) {
                continue;
            }
            let even = (row + column) % 2 == 0;
            match crossed {
                Crossed::No => {}
                Crossed::Alternating if even => sheet.line(at, at_across),
                Crossed::Alternating => sheet.line(at_right, at_below),
                Crossed::Both | Crossed::Centred => {
                    sheet.line(at, at_across);
                    sheet.line(at_right, at_below);
                    if crossed == Crossed::Centred {
                        let middle = sum(at, (1, 1), scale / 2);
                        sheet.lines.remove(&middle);
                        sheet.points.insert(middle);
                    }
                }
            }
        }
    }
}

/// Draws a triangle or a tail that begins at `base`. Nothing may be there yet.
fn attach(sheet: &mut Sheet, base: Place, out: Place, kind: Attached, (length, scale): (usize, i32)) -> Result<(), ()> {
    let aside = (out.1, out.0);
    let ways: &[i32] = match kind {
        Attached::Triangle => &[-1, 0, 1],
        Attached::Tail => &[0],
    };
    for row in 1..=number(length) {
        if sheet.points.len() > MAX_POINTS {
            // The reader of the sheet says so.
            break;
        }
        let middle = sum(base, out, row * scale);
        for &way in ways {
            let at = sum(middle, aside, way * row * scale);
            let before = sum(sum(base, out, (row - 1) * scale), aside, way * (row - 1) * scale);
            if !sheet.points.insert(at) {
                return Err(());
            }
            sheet.line(before, at);
        }
        for end in ways.iter().filter(|&&way| way != 0) {
            sheet.line(middle, sum(middle, aside, end * row * scale));
        }
    }
    Ok(())
}
