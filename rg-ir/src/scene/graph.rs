//! Boards that are graphs, as text.

use super::text::{Ink, Line, Look, cell, glyphs, label_span, plain};
use super::{Board, Layout, Setup};
use std::collections::{BTreeMap, BTreeSet};

/// Letters of a column or lines of a row in which no place is.
const GAP: usize = 2;

/// Places with what is there: where they lie, if that is known; else as a table, if their names say so; else one after the other.
pub(super) fn graph(setup: &Setup<'_>, look: Look<'_>, lines: &mut Vec<Line>) {
    if setup.board.places.iter().any(|place| place.x > 0.0 || place.y > 0.0) {
        return laid(setup, look, lines);
    }
    match Names::new(setup.board) {
        Some(names) => {
            names.lines(setup, look, lines);
            beside(setup, look, &names.rest, lines);
        }
        None => list(setup, look, lines),
    }
}

/// The places of a board that are listed beside it by what is there, which is written out.
pub(super) fn aside(board: &Board) -> Vec<usize> {
    let is_laid = || board.places.iter().any(|place| place.x > 0.0 || place.y > 0.0);
    if board.layout != Layout::Graph || is_laid() {
        return Vec::new();
    }
    Names::new(board).map_or_else(Vec::new, |names| names.rest)
}

/// Places that have no room in rows and columns, by what is there.
fn beside(setup: &Setup<'_>, look: Look<'_>, places: &[usize], lines: &mut Vec<Line>) {
    let mut kinds: Vec<(Option<u32>, Vec<usize>)> = Vec::new();
    for &place in places {
        let kind = setup.at.get(place).copied().flatten();
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, members)) => members.push(place),
            None => kinds.push((kind, vec![place])),
        }
    }
    let pieces = &setup.board.pieces;
    let glyphs = glyphs(setup.board, look);
    for (kind, members) in kinds {
        let name = match kind.and_then(|kind| pieces.get(kind as usize)) {
            None => "?",
            Some(piece) if piece.is_empty && pieces.iter().all(|other| other.name != "empty") => "empty",
            Some(piece) => &piece.name,
        };
        let (mut line, mut column) = (vec![plain(format!("{name}:"))], name.chars().count() + 1);
        for place in members {
            let label = setup.board.places.get(place).map_or("", |place| place.label.as_str());
            let length = label.chars().count() + 1;
            if column + length > look.width() && column > 1 {
                lines.push(std::mem::replace(&mut line, vec![plain(" ")]));
                column = 1;
            }
            let (_, ink) = cell(setup, &glyphs, place);
            line.push(plain(" "));
            line.push(super::Span { text: label.to_owned(), ink, is_marked: look.marked.contains(&label) });
            column += length;
        }
        lines.push(line);
    }
}

/// A place with its name and what is there, in so many letters at least.
fn named(setup: &Setup<'_>, glyphs: &[String], look: Look<'_>, place: usize, line: &mut Line) -> usize {
    let label = setup.board.places.get(place).map_or("", |place| place.label.as_str());
    let (text, ink) = cell(setup, glyphs, place);
    let length = label.chars().count() + text.chars().count() + 2;
    line.push(plain(format!("{label}[")));
    line.push(super::Span { text, ink, is_marked: look.marked.contains(&label) });
    line.push(plain("]"));
    length
}

/// Places where they lie. Where names beside what is there would be too wide, empty places have their names instead.
fn laid(setup: &Setup<'_>, look: Look<'_>, lines: &mut Vec<Line>) {
    let glyphs = glyphs(setup.board, look);
    let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(1);
    let places = &setup.board.places;
    let label = longest(&mut places.iter().map(|place| place.label.chars().count()));
    let glyph = longest(&mut glyphs.iter().map(|text| text.chars().count()));
    let mut rows: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    for (index, place) in places.iter().enumerate() {
        rows.entry(whole(place.y)).or_default().insert(whole(place.x), index);
    }
    let used: BTreeSet<usize> = rows.values().flat_map(BTreeMap::keys).copied().collect();
    let start = |column: usize, width: usize| {
        let before = used.range(..column).count();
        before * width + (column - before) * GAP
    };
    let wide = label + glyph + 3;
    let is_name = |text: &String| places.iter().any(|place| place.label == *text);
    let end = used.last().map_or(0, |&last| start(last, wide) + wide - 1);
    let is_small = end > look.width() && !glyphs.iter().any(is_name);
    let width = if is_small { label.max(glyph) + 1 } else { wide };
    let mut last = 0;
    for (row, cells) in rows {
        if row > last + 1 {
            lines.push(Line::new());
        }
        last = row;
        let (mut line, mut column) = (vec![label_span(String::new())], 0);
        for (at, place) in cells {
            let at = start(at, width);
            line.push(plain(" ".repeat(at.saturating_sub(column))));
            let written = if is_small { small } else { named };
            column = at.max(column) + written(setup, &glyphs, look, place, &mut line);
        }
        lines.push(line);
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawings are small, and start at 0")]
fn whole(number: f32) -> usize {
    number.round().max(0.0) as usize
}

/// What is on a place, or its name if it is empty; returns the letters.
fn small(setup: &Setup<'_>, glyphs: &[String], look: Look<'_>, place: usize, line: &mut Line) -> usize {
    let label = setup.board.places.get(place).map_or("", |place| place.label.as_str());
    let (text, ink) = cell(setup, glyphs, place);
    let text = if ink == Ink::Empty { label.to_owned() } else { text };
    let length = text.chars().count();
    line.push(super::Span { text, ink, is_marked: look.marked.contains(&label) });
    length
}

/// All places one after the other.
fn list(setup: &Setup<'_>, look: Look<'_>, lines: &mut Vec<Line>) {
    let glyphs = glyphs(setup.board, look);
    let (mut line, mut column) = (Line::new(), 0);
    for index in 0..setup.board.places.len() {
        let mut one = Line::new();
        let length = named(setup, &glyphs, look, index, &mut one);
        if column > 0 && column + length + 1 > look.width() {
            lines.push(std::mem::take(&mut line));
            column = 0;
        }
        if column > 0 {
            line.push(plain(" "));
            column += 1;
        }
        column += length;
        line.extend(one);
    }
    if !line.is_empty() {
        lines.push(line);
    }
}

/// Places whose names are a word and a number, every word with the same numbers.
pub(super) struct Names {
    /// The words, each with its places, in the order of the numbers.
    pub(super) rows: Vec<(String, Vec<usize>)>,
    numbers: Vec<u32>,
    /// All other places.
    pub(super) rest: Vec<usize>,
}

impl Names {
    /// The largest such group of places, of two words and two numbers at least.
    pub(super) fn new(board: &Board) -> Option<Self> {
        let mut words: Vec<(&str, BTreeMap<u32, usize>)> = Vec::new();
        for (index, place) in board.places.iter().enumerate() {
            let Some(at) = place.label.find(|c: char| c.is_ascii_digit()) else { continue };
            let (word, number) = place.label.split_at(at);
            let Some(number) = number.parse().ok().filter(|_| !word.is_empty()) else { continue };
            match words.iter_mut().find(|(other, _)| *other == word) {
                Some((_, places)) => drop(places.insert(number, index)),
                None => words.push((word, BTreeMap::from([(number, index)]))),
            }
        }
        let same = |places: &BTreeMap<u32, usize>| {
            words.iter().filter(|(_, other)| other.keys().eq(places.keys())).count() * places.len()
        };
        let numbers = words.iter().max_by_key(|(_, places)| same(places))?.1.keys().copied().collect::<Vec<u32>>();
        let rows: Vec<(String, Vec<usize>)> = words
            .iter()
            .filter(|(_, places)| places.keys().eq(&numbers))
            .map(|(word, places)| ((*word).to_owned(), places.values().copied().collect()))
            .collect();
        let shown: BTreeSet<usize> = rows.iter().flat_map(|(_, places)| places).copied().collect();
        let rest = (0..board.places.len()).filter(|index| !shown.contains(index)).collect();
        (rows.len() > 1 && numbers.len() > 1).then_some(Self { rows, numbers, rest })
    }

    /// Whether all words are letters: then these are the columns, as on other boards.
    pub(super) fn is_board(&self) -> bool {
        self.rows.iter().all(|(word, _)| word.chars().count() == 1)
    }

    /// A row for each word; but where all words are letters, these are the columns, as on other boards.
    fn lines(&self, setup: &Setup<'_>, look: Look<'_>, lines: &mut Vec<Line>) {
        let names: Vec<String> = self.rows.iter().map(|(word, _)| word.clone()).collect();
        let numbers: Vec<String> = self.numbers.iter().map(u32::to_string).collect();
        let mut rows: Vec<(String, Vec<usize>)> = self.rows.clone();
        let mut columns = numbers.clone();
        if self.is_board() {
            let row = |(at, number): (usize, &String)| {
                let places = self.rows.iter().filter_map(|(_, places)| places.get(at).copied());
                (number.clone(), places.collect())
            };
            rows = numbers.iter().enumerate().map(row).rev().collect();
            columns = names;
        }
        let glyphs = glyphs(setup.board, look);
        let longest = glyphs.iter().chain(&columns).map(|text| text.chars().count()).max().unwrap_or(1);
        let margin = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, places) in rows {
            let mut line = vec![label_span(format!("{name:>margin$}"))];
            for place in places {
                let (text, ink) = cell(setup, &glyphs, place);
                let label = setup.board.places.get(place).map_or("", |place| place.label.as_str());
                line.push(plain(" ".repeat((longest + 1).saturating_sub(text.chars().count()))));
                line.push(super::Span { text, ink, is_marked: look.marked.contains(&label) });
            }
            lines.push(line);
        }
        let width = longest + 1;
        let below: String = columns.iter().map(|name| format!("{name:>width$}")).collect();
        lines.push(vec![label_span(" ".repeat(margin)), plain(below)]);
    }
}
