//! Positions as text.

use super::aside::aside_lines;
use super::edge::{edge_letters, edge_line};
use super::graph::graph;
use super::grid::{coordinates, rows};
use super::shapes::{Colour, Shape, shapes};
use super::slant::labels;
use super::{Board, Layout, Scene, Setup, Table};
use std::collections::BTreeMap;

/// Width of lists, tables and values where nothing else is wanted.
const WIDTH: usize = 78;

/// Before the lines that go on with a list.
const INDENT: &str = "  ";

/// An equals sign where no line is broken, between spaces that do not separate words.
const JOINED: &str = "\u{a0}=\u{a0}";

/// Spaces between boards that lie side by side.
const BETWEEN: usize = 3;

/// How a position is written.
#[derive(Clone, Copy, Default, Debug)]
pub struct Look<'a> {
    /// Characters of chess pieces and discs instead of short names, where the names of the pieces allow that.
    pub unicode: bool,
    /// Labels of the places to mark.
    pub marked: &'a [&'a str],
    /// Lists, tables and values are at most so wide, where that is possible; 78 letters if it is not said. Boards are as wide as they are.
    pub width: Option<usize>,
    /// Lines at most, if boards can lie side by side for that.
    pub height: Option<usize>,
    /// Of boards that would be too high even so, the empty ones behind the first are only named.
    pub names_empty: bool,
}

impl Look<'_> {
    pub(super) fn width(&self) -> usize {
        self.width.unwrap_or(WIDTH)
    }
}

/// What a part of a line is, for colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Labels, names, spaces.
    Plain,
    /// The label of a row of a board, or the space below these labels: it stays where it is when a drawing is moved to the side.
    Margin,
    /// An empty place.
    Empty,
    /// A piece, with the index of its kind, or of the first kind of its player, among those that are not empty.
    Piece(usize),
    /// A piece of a side that has a colour: its name is a word for one, or begins with it, or that of its player is.
    Coloured(Colour),
}

/// A part of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The text.
    pub text: String,
    /// What it is.
    pub ink: Ink,
    /// Whether it is on a marked place.
    pub is_marked: bool,
}

/// A line, in parts.
pub(super) type Line = Vec<Span>;

pub(super) fn plain(text: impl Into<String>) -> Span {
    Span { text: text.into(), ink: Ink::Plain, is_marked: false }
}

pub(super) fn label_span(text: String) -> Span {
    Span { text, ink: Ink::Margin, is_marked: false }
}

/// The position as text with a final newline. Different scenes of one game have different texts.
pub fn text(scene: &Scene<'_>, look: Look<'_>) -> String {
    let mut text = String::new();
    for line in lines(scene, look) {
        let line: String = line.into_iter().map(|span| span.text).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The lines of the position, in parts: boards, tables, then all else. Boards lie beside each other where they would be too high one below the
/// other, and the width allows it.
pub fn lines(scene: &Scene<'_>, look: Look<'_>) -> Vec<Line> {
    let lines = all_lines(scene, look);
    if !look.names_empty || look.height.is_none_or(|most| lines.len() <= most) {
        return lines;
    }
    named::without_empty(scene, look).filter(|fewer| fewer.len() < lines.len()).unwrap_or(lines)
}

/// The lines with all boards.
fn all_lines(scene: &Scene<'_>, look: Look<'_>) -> Vec<Line> {
    let boards = boards(scene, look);
    let rest = others(scene, look.width());
    let high = |rows: &[usize], rest: usize| rows.iter().sum::<usize>() + rows.len().saturating_sub(1) + rest;
    let heights: Vec<usize> = boards.iter().map(Vec::len).collect();
    let Some(most) = look.height.filter(|&most| high(&heights, rest.len()) > most) else {
        return stacked(boards.into_iter().map(|board| vec![board]).collect(), rest);
    };
    let mut rows = packed(boards, look.width());
    let heights: Vec<usize> = rows.iter().map(|row| row.iter().map(Vec::len).max().unwrap_or(0)).collect();
    if high(&heights, rest.len()) > most
        && let Some([before @ .., last]) = rows.last_mut().map(Vec::as_mut_slice)
        && !before.is_empty()
    {
        // What is no board has room below the last one of a row.
        let start: usize = before.iter().map(|board| widest(board) + BETWEEN).sum();
        let room = look.width().saturating_sub(start);
        let narrow = others(scene, room);
        if widest(&narrow) <= room && last.len() + narrow.len() <= heights.last().copied().unwrap_or(0) {
            last.extend(narrow);
            return stacked(rows, Vec::new());
        }
    }
    stacked(rows, rest)
}

/// Tables and facts, in lines of this width if possible.
fn others(scene: &Scene<'_>, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for tables in
        scene.tables.chunk_by(|one, other| one.title == other.title && one.columns.len() == other.columns.len())
    {
        (0..).zip(tables).for_each(|(index, table)| table_lines((table, index == 0), tables, width, &mut lines));
    }
    facts(scene, width, &mut lines);
    lines
}

/// Rows of drawings, with blank lines between them, and what comes last.
fn stacked(rows: Vec<Vec<Vec<Line>>>, rest: Vec<Line>) -> Vec<Line> {
    let mut lines = Vec::new();
    for row in rows {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        beside(row, &mut lines);
    }
    lines.extend(rest);
    lines
}

/// The boards with their titles; those of one name that lie in a block are one.
fn boards(scene: &Scene<'_>, look: Look<'_>) -> Vec<Vec<Line>> {
    let mut all = Vec::new();
    let mut rest = scene.boards.as_slice();
    while let [setup, after @ ..] = rest {
        let mut lines = Vec::new();
        let name = |setup: &Setup<'_>| setup.board.title.split('[').next().map(str::to_owned);
        let is_beside = |other: &Setup<'_>| other.board.block.is_some() && name(other) == name(setup);
        let count = rest.iter().take_while(|other| is_beside(other)).count();
        let (together, behind) = rest.split_at(count);
        if count > 1 && block(together, look, &mut lines) {
            rest = behind;
        } else {
            if !setup.board.title.is_empty() {
                lines.push(vec![plain(format!("{}{}:", setup.board.title, range(setup.board)))]);
            }
            one_board(setup, look, &mut lines);
            rest = after;
        }
        all.push(lines);
    }
    all
}

/// Which places a board has, where their names begin with the last word of its title, so that those of other boards have other names: ` (Ha1 to Hc4)`.
fn range(board: &Board) -> String {
    let Some((_, prefix)) = board.title.rsplit_once(' ').filter(|(_, prefix)| !prefix.is_empty()) else {
        return String::new();
    };
    let labels = || board.places.iter().map(|place| place.label.as_str());
    let key = |label: &&str| (label.len(), (*label).to_owned());
    match (labels().min_by_key(key), labels().max_by_key(key)) {
        (Some(first), Some(last)) if labels().all(|label| label.len() > prefix.len() && label.starts_with(prefix)) => {
            format!(" ({first} to {last})")
        }
        _ => String::new(),
    }
}

/// Drawings in rows, each with as many as fit into the width; one at least.
fn packed(drawings: Vec<Vec<Line>>, most: usize) -> Vec<Vec<Vec<Line>>> {
    let mut rows: Vec<Vec<Vec<Line>>> = Vec::new();
    let mut used = 0;
    for drawing in drawings {
        let needed = widest(&drawing);
        match rows.last_mut().filter(|_| used + BETWEEN + needed <= most) {
            Some(row) => {
                row.push(drawing);
                used += BETWEEN + needed;
            }
            None => {
                rows.push(vec![drawing]);
                used = needed;
            }
        }
    }
    rows
}

/// Letters of a line.
fn letters(line: &Line) -> usize {
    line.iter().map(|span| span.text.chars().count()).sum()
}

/// Letters of the longest line.
fn widest(lines: &[Line]) -> usize {
    lines.iter().map(letters).max().unwrap_or(0)
}

/// Adds drawings side by side.
fn beside(drawings: Vec<Vec<Line>>, lines: &mut Vec<Line>) {
    let first = lines.len();
    let height = drawings.iter().map(Vec::len).max().unwrap_or(0);
    lines.resize(first + height, Line::new());
    let mut start = 0;
    for (index, drawing) in drawings.into_iter().enumerate() {
        let end = start + widest(&drawing);
        for (line, spans) in lines.iter_mut().skip(first).zip(drawing) {
            if index > 0 {
                line.push(plain(" ".repeat(start.saturating_sub(letters(line)))));
            }
            // Only the labels at the left stay when the drawing is moved to the side.
            let inner = |span: Span| if index > 0 && span.ink == Ink::Margin { plain(span.text) } else { span };
            line.extend(spans.into_iter().map(inner));
        }
        start = end + BETWEEN;
    }
}

fn one_board(setup: &Setup<'_>, look: Look<'_>, lines: &mut Vec<Line>) {
    match setup.board.layout {
        Layout::Graph => graph(setup, look, lines),
        Layout::Rhombus { .. } => rhombus(setup, look, lines),
        Layout::Rectangle { .. } | Layout::Hexagon | Layout::Cuboid { .. } => grid(setup, look, lines),
    }
}

/// Boards of one name side by side and one below the other, as they lie in a block; `false` if they do not fit into the width.
fn block(setups: &[Setup<'_>], look: Look<'_>, lines: &mut Vec<Line>) -> bool {
    let mut rows: BTreeMap<u32, BTreeMap<u32, Vec<Line>>> = BTreeMap::new();
    let bottom = setups.iter().filter_map(|setup| setup.board.block).map(|(_, row)| row).max().unwrap_or(0);
    for setup in setups {
        let key = setup.board.title.find('[').and_then(|at| setup.board.title.get(at..)).unwrap_or_default();
        // As moves name it.
        let place = |(column, row): (u32, u32)| format!("[{}]", coordinates(column, bottom - row));
        let title = setup.board.block.filter(|_| bottom > 0).map_or(key.to_owned(), place);
        let mut drawn = vec![vec![plain(title)]];
        one_board(setup, look, &mut drawn);
        let (column, row) = setup.board.block.unwrap_or_default();
        rows.entry(row).or_default().insert(column, drawn);
    }
    let width = rows.values().flat_map(BTreeMap::values).map(|drawn| widest(drawn)).max().unwrap_or(0);
    let columns = rows.values().map(BTreeMap::len).max().unwrap_or(0);
    if columns * (width + BETWEEN) > look.width() + BETWEEN {
        return false;
    }
    let title = setups.first().and_then(|setup| setup.board.title.split('[').next()).unwrap_or_default();
    lines.push(vec![plain(format!("{title}:"))]);
    for row in rows.into_values() {
        let equal = |mut drawn: Vec<Line>| {
            let missing = width.saturating_sub(drawn.first().map_or(0, letters));
            drawn.first_mut().into_iter().for_each(|line| line.push(plain(" ".repeat(missing))));
            drawn
        };
        beside(row.into_values().map(equal).collect(), lines);
    }
    true
}

/// How the kinds of pieces of a board are written, in their order. Linear.
pub fn glyphs(board: &Board, look: Look<'_>) -> Vec<String> {
    let short = || board.pieces.iter().map(|piece| piece.short.clone());
    if !look.unicode {
        return short().collect();
    }
    let glyph = |(short, shape): (String, Shape)| match shape {
        Shape::Chess(figure, colour) => figure.character(colour).to_string(),
        Shape::Disc(Colour::White, text) if text.is_empty() => "○".to_owned(),
        Shape::Disc(Colour::Black, text) if text.is_empty() => "●".to_owned(),
        Shape::Empty => "·".to_owned(),
        Shape::Marker => "*".to_owned(),
        _ => short,
    };
    let glyphs: Vec<String> = short().zip(shapes(&board.pieces)).map(glyph).collect();
    // Two kinds that would look alike keep their names, except for variants of a figure of chess, such as a king that has not moved.
    let is_figure = |glyph: &String| glyph.chars().all(|c| ('\u{2654}'..='\u{265f}').contains(&c));
    let mut sorted: Vec<&String> = glyphs.iter().filter(|glyph| !is_figure(glyph)).collect();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair.first() == pair.last()) { short().collect() } else { glyphs }
}

/// The text of a place, and what it is.
pub(super) fn cell(setup: &Setup<'_>, glyphs: &[String], place: usize) -> (String, Ink) {
    let Some(piece) = setup.at.get(place).copied().flatten() else { return ("?".to_owned(), Ink::Plain) };
    let text = glyphs.get(piece as usize).cloned().unwrap_or_default();
    let pieces = &setup.board.pieces;
    if pieces.get(piece as usize).is_none_or(|piece| piece.is_empty) {
        return (text, Ink::Empty);
    }
    let player = |index: usize| pieces.get(index).and_then(|piece| piece.player.as_deref());
    let side = match shapes(pieces).into_iter().nth(piece as usize) {
        Some(Shape::Chess(_, colour) | Shape::Disc(colour, _)) => Some(colour),
        _ => None,
    };
    if let Some(colour) = pieces.get(piece as usize).and_then(Colour::named).or(side) {
        return (text, Ink::Coloured(colour));
    }
    // All pieces of a player look like the first of them.
    let own = player(piece as usize);
    let first = own.and_then(|_| (0..piece as usize).find(|&other| player(other) == own)).unwrap_or(piece as usize);
    let before = pieces.iter().take(first).filter(|piece| !piece.is_empty).count();
    (text, Ink::Piece(before))
}

fn grid(setup: &Setup<'_>, look: Look<'_>, lines: &mut Vec<Line>) {
    let board = setup.board;
    let glyphs = glyphs(board, look);
    let columns = board.column_names();
    let longest = glyphs.iter().chain(&columns).map(|text| text.chars().count()).max().unwrap_or(1);
    let rows = rows(board);
    let shifted = rows.iter().flatten().any(|(half, _)| half % 2 == 1);
    // Of an even width where half cells occur.
    let width = if shifted { (longest + 2) & !1 } else { longest + 1 };
    let mut edge = if board.layout == Layout::Hexagon { edge_letters(board, &rows) } else { Vec::new() };
    let numbered = !matches!(board.layout, Layout::Cuboid { .. });
    let margin = if numbered { rows.len().to_string().len() } else { 0 };
    for (number, row) in rows.iter().enumerate() {
        let label = if numbered { (rows.len() - number).to_string() } else { String::new() };
        let mut line = vec![label_span(format!("{label:>margin$}"))];
        let mut column = 0;
        for &(half, place) in row {
            let (text, ink) = cell(setup, &glyphs, place);
            let start = half * width / 2;
            let before = (start + width).saturating_sub(column + text.chars().count());
            line.push(plain(" ".repeat(before)));
            column += before + text.chars().count();
            let label = board.places.get(place).map_or("", |place| place.label.as_str());
            line.push(Span { text, ink, is_marked: look.marked.contains(&label) });
        }
        edge_line(&mut edge, number, width, (&mut line, column));
        lines.push(line);
    }
    if !edge.is_empty() {
        let mut line = vec![label_span(" ".repeat(margin))];
        edge_line(&mut edge, rows.len(), width, (&mut line, 0));
        lines.push(line);
    }
    if !columns.is_empty() {
        let letters: String = columns.iter().map(|letters| format!("{letters:>width$}")).collect();
        lines.push(vec![label_span(" ".repeat(margin)), plain(letters)]);
    }
    aside_lines(setup, look, margin, lines);
}

/// Hexagons in slanted columns, with the names of rows and columns beside the places they belong to.
fn rhombus(setup: &Setup<'_>, look: Look<'_>, lines: &mut Vec<Line>) {
    let glyphs = glyphs(setup.board, look);
    let names = labels(setup.board);
    let texts = glyphs.iter().chain(names.iter().map(|label| &label.text));
    let longest = texts.map(|text| text.chars().count()).max().unwrap_or(1);
    // One cell at the left for the names of rows; of an even width, since half cells occur.
    let width = (longest + 1) & !1;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawings are small, and start at -1")]
    let half = |number: f32| (number * 2.0).round().max(0.0) as usize;
    let mut rows: BTreeMap<usize, BTreeMap<usize, Span>> = BTreeMap::new();
    let mut add = |x: f32, y: f32, span: Span| drop(rows.entry(half(y)).or_default().insert(half(x + 1.0), span));
    for (index, place) in setup.board.within() {
        let (text, ink) = cell(setup, &glyphs, index);
        add(place.x, place.y, Span { text, ink, is_marked: look.marked.contains(&place.label.as_str()) });
    }
    names.into_iter().for_each(|label| add(label.x, label.y, plain(label.text)));
    let start = |half: usize, span: &Span| (half * width / 2 + width).saturating_sub(span.text.chars().count());
    let starts = rows.values().filter_map(|row| row.first_key_value().map(|(&half, span)| start(half, span)));
    let least = starts.min().unwrap_or(0);
    for row in rows.into_values() {
        // Empty, but shows that this is a row of a board.
        let mut line = vec![label_span(String::new())];
        let mut column = least;
        for (half, span) in row {
            let length = span.text.chars().count();
            let before = start(half, &span).saturating_sub(column);
            line.push(plain(" ".repeat(before)));
            line.push(span);
            column += before + length;
        }
        lines.push(line);
    }
    aside_lines(setup, look, 0, lines);
}

/// A table; one that is too wide is cut into several with the same row names. Its columns are as wide as those of the tables of its `group`, of which
/// the first one has the title.
fn table_lines((table, is_first): (&Table, bool), group: &[Table], most: usize, lines: &mut Vec<Line>) {
    let count = |text: &str| text.chars().count();
    let rows = || group.iter().flat_map(|table| &table.rows);
    let names = rows().map(|(name, _)| count(name) + 2).chain([count(&table.title)]).max().unwrap_or(0);
    let width = |index: usize| {
        let cells = rows().filter_map(|(_, cells)| cells.get(index));
        let headers = group.iter().filter_map(|table| table.columns.get(index));
        headers.chain(cells).map(|text| count(text) + 1).max().unwrap_or(0)
    };
    let mut first = 0;
    while first < table.columns.len() {
        let (mut last, mut used) = (first, names);
        while last < table.columns.len() && (last == first || used + width(last) <= most) {
            used += width(last);
            last += 1;
        }
        let row = |name: String, cells: &[String]| {
            let cells = cells.iter().enumerate().take(last).skip(first);
            let cells: String = cells.map(|(index, text)| format!("{text:>width$}", width = width(index))).collect();
            vec![plain(format!("{name:names$}{cells}"))]
        };
        lines.push(row(if is_first { table.title.clone() } else { String::new() }, &table.columns));
        lines.extend(table.rows.iter().map(|(name, cells)| row(format!("  {name}"), cells)));
        first = last;
    }
}

/// One line for each group, and one for each fact without a group, in the order of the first of each.
fn facts(scene: &Scene<'_>, width: usize, lines: &mut Vec<Line>) {
    let mut seen: Vec<&str> = Vec::new();
    for fact in &scene.facts {
        if fact.group.is_empty() {
            let name = if fact.name.is_empty() { String::new() } else { format!("{}: ", fact.name) };
            lines.push(vec![plain(format!("{name}{}", fact.value))]);
        } else if !seen.contains(&fact.group) {
            seen.push(fact.group);
            let group = scene.facts.iter().filter(|other| other.group == fact.group);
            let values = group.map(|fact| format!("{} = {}", fact.name, fact.value));
            wrapped(&format!("{}: ", fact.group), values, width, lines);
        }
    }
}

/// Texts separated by commas, in lines that are not too long. A text that is longer than a line is broken between words.
fn wrapped(start: &str, texts: impl Iterator<Item = String>, width: usize, lines: &mut Vec<Line>) {
    let count = |text: &str| text.chars().count();
    let texts: Vec<String> = texts.collect();
    if texts.iter().any(|text| count(text) + INDENT.len() > width) {
        // A name stays with the sign behind it.
        let (mut line, mut words) = (start.to_owned(), texts.join(", ").replace(" = ", JOINED));
        words.push(' ');
        for word in words.split_inclusive(' ') {
            if count(&line) + count(word.trim_end()) > width && !line.trim().is_empty() {
                lines.push(vec![plain(line.trim_end())]);
                line = INDENT.to_owned();
            }
            line.push_str(&word.replace(JOINED, " = "));
        }
        lines.push(vec![plain(line.trim_end())]);
        return;
    }
    let mut line = start.to_owned();
    let mut empty = true;
    let mut texts = texts.into_iter().peekable();
    while let Some(text) = texts.next() {
        let comma = usize::from(texts.peek().is_some());
        let between = if empty { 0 } else { 2 };
        if line != INDENT && line.chars().count() + between + text.chars().count() + comma > width {
            let end = if empty { "" } else { "," };
            lines.push(vec![plain(format!("{}{end}", line.trim_end()))]);
            line = INDENT.to_owned();
            empty = true;
        }
        line.push_str(if empty { "" } else { ", " });
        line.push_str(&text);
        empty = false;
    }
    lines.push(vec![plain(line)]);
}

mod named;
#[cfg(test)]
mod tests;
