//! Coordinates on boards of rows and columns.

use super::{Board, Layout, Piece, Place};
use std::collections::{BTreeMap, BTreeSet};

/// A drawing has at most so many cells, holes included.
const MAX_CELLS: usize = 1 << 20;

/// The name of a column, counted from 0: `a` to `z`, `aa`, `ab`, …
pub fn letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The label of a square by its column and its row from the bottom, both counted from 0: `e2` for (4, 1).
pub fn coordinates(column: u32, row: u32) -> String {
    format!("{}{}", letters(column), u64::from(row) + 1)
}

/// The columns and rows of boards, by number. What counts is the order of the numbers: gaps that no square has are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Axes {
    columns: BTreeMap<i64, u32>,
    rows: BTreeMap<i64, u32>,
}

impl Axes {
    /// For all these squares, each given by its column and row, also of several boards. O(n log n).
    pub fn of(squares: impl IntoIterator<Item = (i64, i64)>) -> Self {
        let (columns, rows): (BTreeSet<i64>, BTreeSet<i64>) = squares.into_iter().unzip();
        Self { columns: columns.into_iter().zip(0..).collect(), rows: rows.into_iter().zip(0..).collect() }
    }
}

impl Board {
    /// A rectangle of squares, each with its name, column, and row from the bottom. Columns and rows are numbers of any size;
    /// what counts is their order, and gaps of numbers that no square has are left out. `None` if there are no squares, two at one
    /// place, or too many cells to draw. O(n log n).
    pub fn rectangle(title: &str, squares: &[(String, i64, i64)], pieces: Vec<Piece>) -> Option<Self> {
        let axes = Axes::of(squares.iter().map(|&(_, column, row)| (column, row)));
        Self::rectangle_on(&axes, title, squares, pieces)
    }

    /// The same, with the columns and rows of several boards, so that a square has one label on all of them. `None` also if a square is in
    /// none of the columns or rows.
    pub fn rectangle_on(axes: &Axes, title: &str, squares: &[(String, i64, i64)], pieces: Vec<Piece>) -> Option<Self> {
        let index = |(_, column, row): &(String, i64, i64)| Some((*axes.columns.get(column)?, *axes.rows.get(row)?));
        let indices = squares.iter().map(index).collect::<Option<Vec<(u32, u32)>>>()?;
        let width = indices.iter().map(|(column, _)| *column).max()?.checked_add(1)?;
        let height = indices.iter().map(|(_, row)| *row).max()?.checked_add(1)?;
        let distinct: BTreeSet<&(u32, u32)> = indices.iter().collect();
        let cells = u64::from(width).saturating_mul(u64::from(height));
        if distinct.len() < squares.len() || usize::try_from(cells).ok()? > MAX_CELLS {
            return None;
        }
        let place = |((name, ..), &(column, row)): (&(String, i64, i64), &(u32, u32))| Place {
            name: name.clone(),
            label: coordinates(column, row),
            x: real(column),
            y: real(height - 1 - row),
        };
        let places = squares.iter().zip(&indices).map(place).collect();
        let layout = Layout::Rectangle { columns: width, rows: height };
        Some(Self { title: title.to_owned(), layout, places, lines: Vec::new(), pieces, block: None })
    }
}

/// Whether squares called `e2` and so on, by their letter and number, are drawn where their names tell: columns begin with `a` and rows with 1, and none is missing.
pub(super) fn are_squares(squares: impl Iterator<Item = [i64; 3]>) -> bool {
    let (columns, rows): (BTreeSet<i64>, BTreeSet<i64>) = squares.map(|[column, row, _]| (column, row)).unzip();
    let is_range = |numbers: &BTreeSet<i64>, first: i64| numbers.iter().copied().eq((first..).take(numbers.len()));
    is_range(&columns, i64::from(u32::from('a'))) && is_range(&rows, 1)
}

/// A number below 2²⁴ as it is; larger ones are rounded.
pub(super) fn real(number: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "drawings are at most a million cells wide")]
    let real = number as f32;
    real
}

/// Places by row and half column.
pub(super) fn rows(board: &Board) -> Vec<Vec<(usize, usize)>> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawings are small, and start at 0")]
    let half = |number: f32| (number * 2.0).round().max(0.0) as usize;
    let used = board.within().map(|(_, place)| half(place.y) / 2 + 1).max().unwrap_or(0);
    // The lowest rows of a rectangle may have no places.
    let height = match board.layout {
        Layout::Rectangle { rows, .. } => usize::try_from(rows).unwrap_or(0).max(used),
        _ => used,
    };
    let mut rows: Vec<Vec<(usize, usize)>> = vec![Vec::new(); height];
    for (index, place) in board.within() {
        if let Some(row) = rows.get_mut(half(place.y) / 2) {
            row.push((half(place.x), index));
        }
    }
    rows.iter_mut().for_each(|row| row.sort_unstable());
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 27, 701, 702].map(letters), ["a", "z", "aa", "ab", "zz", "aaa"]);
        assert_eq!(coordinates(4, 1), "e2");
    }

    #[test]
    fn rectangles_have_their_first_row_at_the_bottom() {
        let square = |x: i64, y: i64| (format!("C({x},{y})"), x, y);
        let squares = [square(3, 10), square(3, 20), square(5, 20)];
        let board = Board::rectangle("", &squares, Vec::new()).unwrap();
        assert_eq!(board.layout, Layout::Rectangle { columns: 2, rows: 2 });
        let labels: Vec<&str> = board.places.iter().map(|place| &*place.label).collect();
        assert_eq!(labels, ["a1", "a2", "b2"]);
        assert_eq!(board.places[0].y, 1.0);
        assert_eq!(Board::rectangle("", &[square(1, 1), square(1, 1)], Vec::new()), None, "two squares at one place");
    }
    #[test]
    fn a_square_has_one_label_on_all_boards() {
        let square = |x: i64, y: i64| (format!("{x} {y}"), x, y);
        let (large, small) = ([square(1, 1), square(2, 1), square(3, 2)], [square(1, 1), square(3, 2)]);
        let axes = Axes::of(large.iter().chain(&small).map(|&(_, x, y)| (x, y)));
        let labels = |squares: &[(String, i64, i64)]| -> Vec<String> {
            let board = Board::rectangle_on(&axes, "", squares, Vec::new()).unwrap();
            assert_eq!(board.layout, Layout::Rectangle { columns: 3, rows: 2 });
            board.places.into_iter().map(|place| place.label).collect()
        };
        assert_eq!(labels(&large), ["a1", "b1", "c2"]);
        assert_eq!(labels(&small), ["a1", "c2"]);
        assert_eq!(Board::rectangle_on(&axes, "", &[square(4, 1)], Vec::new()), None, "in no column");
    }
}
