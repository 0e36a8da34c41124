//! Boards of hexagons whose cells are numbered in rows and columns, as squares are.

use super::grid::real;
use super::{Board, Layout};
use crate::Game;
use crate::ids::Symbol;
use crate::value::{MapLiteral, Value};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeSet;

/// Which way the columns of a board of hexagons lean, seen from the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Slant {
    /// To the left: the neighbours in the row above are in the same column and in the next one.
    Left,
    /// To the right: the neighbours in the row above are in the same column and in the one before.
    Right,
}

impl Slant {
    /// For a game with these steps, in columns to the right and rows upwards: if those to adjacent cells, together with the steps back, are
    /// the four along rows and columns and two along one diagonal, the cells are hexagons. Longer steps do not count. Linear.
    pub fn of(steps: impl IntoIterator<Item = (i64, i64)>) -> Option<Self> {
        let is_adjacent = |&(x, y): &(i64, i64)| (x, y) != (0, 0) && x.abs().max(y.abs()) <= 1;
        let adjacent = steps.into_iter().filter(is_adjacent);
        let all: BTreeSet<(i64, i64)> = adjacent.flat_map(|(x, y)| [(x, y), (-x, -y)]).collect();
        let hexagon = |diagonal: (i64, i64)| {
            let axes = [(1, 0), (0, 1), diagonal];
            all == axes.into_iter().flat_map(|(x, y)| [(x, y), (-x, -y)]).collect()
        };
        if hexagon((1, 1)) {
            Some(Self::Left)
        } else if hexagon((-1, 1)) {
            Some(Self::Right)
        } else {
            None
        }
    }

    /// How far a row is shifted, by its number from the top.
    fn shift(self, row: f32, rows: u32) -> f32 {
        match self {
            Self::Left => row / 2.0,
            Self::Right => (real(rows) - 1.0 - row) / 2.0,
        }
    }
}

impl Board {
    /// Makes the squares of a rectangle hexagons; names and labels stay. Other boards stay as they are. Linear.
    pub fn slant(&mut self, slant: Slant) {
        let Layout::Rectangle { columns, rows } = self.layout else { return };
        self.layout = Layout::Rhombus { columns, rows, slant };
        self.places.iter_mut().for_each(|place| place.x += slant.shift(place.y, rows));
        let left = self.places.iter().map(|place| place.x).fold(f32::INFINITY, f32::min);
        self.places.iter_mut().for_each(|place| place.x -= left);
    }
}

/// The name of a row or column beside a board.
pub(super) struct Label {
    pub(super) text: String,
    /// Where it is, as for places.
    pub(super) x: f32,
    pub(super) y: f32,
    /// How that differs from the next place.
    pub(super) to: (f32, f32),
}

/// The names of the rows and columns of a rhombus: those of columns one row below their last place, those of rows at the left of their first
/// places, or, if a column has its name there, at the right of their last ones. O(n log n).
pub(super) fn labels(board: &Board) -> Vec<Label> {
    let Layout::Rhombus { rows, slant, .. } = board.layout else { return Vec::new() };
    let base = |place: &super::Place| place.x - slant.shift(place.y, rows);
    let places = || board.within().map(|(_, place)| place);
    let left = places().map(base).fold(f32::INFINITY, f32::min);
    let mut labels = Vec::new();
    for (column, text) in (0..).zip(board.column_names()) {
        let is_here = |place: &&super::Place| (base(place) - left - real(column)).abs() < 0.25;
        let y = places().filter(is_here).map(|place| place.y).fold(f32::NEG_INFINITY, f32::max);
        if y < 0.0 {
            continue;
        }
        let x = |y: f32| real(column) + left + slant.shift(y, rows);
        labels.push(Label { text, x: x(y + 1.0), y: y + 1.0, to: (x(y + 1.0) - x(y), 1.0) });
    }
    let row = |number: u32| {
        let y = real(number);
        let row = places().filter(|place| (place.y - y).abs() < 0.25).map(|place| place.x);
        let (first, last) = row.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        (first <= last).then_some((number, first, last))
    };
    let rows_here: Vec<(u32, f32, f32)> = (0..rows).filter_map(row).collect();
    let is_taken = |&(number, first, _): &(u32, f32, f32)| {
        labels.iter().any(|label| (label.y - real(number)).abs() < 0.25 && (label.x - (first - 1.0)).abs() < 0.75)
    };
    let is_right = rows_here.iter().any(is_taken);
    labels.extend(rows_here.into_iter().map(|(number, first, last)| {
        let (x, side) = if is_right { (last + 1.0, 1.0) } else { (first - 1.0, -1.0) };
        Label { text: (rows - number).to_string(), x, y: real(number), to: (side, 0.0) }
    }));
    labels
}

/// The steps that constants of the game make from place to place: how far each map leads that leads equally far from all places where that
/// is a place, and from no other. Linear in the size of the constants, for each map also in the number of places.
pub(super) fn steps(game: &Game, squares: &[(Symbol, i64, i64)]) -> BTreeSet<(i64, i64)> {
    let by_symbol: FxHashMap<Symbol, (i64, i64)> = squares.iter().map(|&(symbol, x, y)| (symbol, (x, y))).collect();
    let places: BTreeSet<(i64, i64)> = by_symbol.values().copied().collect();
    let mut steps = BTreeSet::new();
    let mut open: Vec<&MapLiteral> = game.consts.values().filter_map(|constant| map(&constant.value)).collect();
    while let Some(literal) = open.pop() {
        open.extend(literal.entries.iter().filter_map(|(_, value)| map(value)));
        let mut leads = literal.entries.iter().filter_map(|(key, value)| {
            let Value::Symbol(to) = value else { return None };
            let ((from_x, from_y), (x, y)) = (by_symbol.get(key.as_ref()?)?, by_symbol.get(to)?);
            Some((x - from_x, y - from_y))
        });
        let Some(step) = leads.next() else { continue };
        let expected = places.iter().filter(|(x, y)| places.contains(&(x + step.0, y + step.1))).count();
        let mut count = 1;
        if leads.all(|other| {
            count += 1;
            other == step
        }) && count == expected
        {
            steps.insert(step);
        }
    }
    steps
}

fn map(value: &Value) -> Option<&MapLiteral> {
    match value {
        Value::Map(literal) => Some(literal),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexagons_have_six_neighbours() {
        let square = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        assert_eq!(Slant::of(square), None);
        assert_eq!(Slant::of(square.into_iter().chain([(1, 1)])), Some(Slant::Left));
        assert_eq!(Slant::of([(1, 0), (0, -1), (1, -1)]), Some(Slant::Right), "steps back are implied");
        assert_eq!(Slant::of([(1, 0), (0, 1), (1, 1), (2, 1), (0, 0)]), Some(Slant::Left), "a jump, and none");
        assert_eq!(Slant::of(square.into_iter().chain([(1, 1), (1, -1)])), None, "two diagonals");
    }

    fn drawn(slant: Slant, is_here: impl Fn(i64, i64) -> bool) -> String {
        let cells = (0..3).flat_map(|x| (0..3).map(move |y| (format!("C({x},{y})"), x, y)));
        let squares: Vec<(String, i64, i64)> = cells.filter(|&(_, x, y)| is_here(x, y)).collect();
        let empty = super::super::Piece { name: "e".to_owned(), short: ".".to_owned(), is_empty: true, player: None };
        let mut board = Board::rectangle("", &squares, vec![empty]).unwrap();
        board.slant(slant);
        let setup = super::super::Setup { board: &board, at: vec![Some(0); squares.len()], cursor: None };
        let scene = super::super::Scene { boards: vec![setup], ..Default::default() };
        super::super::text(&scene, super::super::Look::default())
    }

    #[test]
    fn a_rhombus_leans() {
        assert_eq!(drawn(Slant::Left, |_, _| true), "3 . . .\n 2 . . .\n  1 . . .\n     a b c\n");
        assert_eq!(drawn(Slant::Right, |_, _| true), "  3 . . .\n 2 . . .\n1 . . .\n a b c\n");
    }

    #[test]
    fn corners_may_be_missing() {
        assert_eq!(drawn(Slant::Left, |x, y| (x - y).abs() < 2), " 3 . .\n2 . . .\n 1 . . c\n    a b\n");
        assert_eq!(drawn(Slant::Right, |x, y| (1..4).contains(&(x + y))), "  . . 3\n . . . 2\na . . 1\n b c\n");
    }
}
