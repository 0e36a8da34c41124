//! The board as a rectangle: which cells are squares, and where.

use crate::codes;
use crate::model::{Model, Refused};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Most maps from cells to cells that are tried as steps to neighbours.
const MAX_STEPS: usize = 24;

/// How names of squares are read.
type Reading = fn(&str) -> Option<(i64, i64)>;

/// A rectangle. Per cell its column and row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) at: Vec<Option<(i32, i32)>>,
}

impl Grid {
    fn new(at: &[Option<(i64, i64)>]) -> Option<Self> {
        let places: BTreeSet<(i64, i64)> = at.iter().copied().flatten().collect();
        let (left, right) = (places.iter().map(|p| p.0).min()?, places.iter().map(|p| p.0).max()?);
        let (low, high) = (places.iter().map(|p| p.1).min()?, places.iter().map(|p| p.1).max()?);
        let side =
            |low: i64, high: i64| high.checked_sub(low)?.checked_add(1).and_then(|side| i32::try_from(side).ok());
        let (width, height) = (side(left, right)?, side(low, high)?);
        let count = usize::try_from(i64::from(width) * i64::from(height)).ok()?;
        let squares = at.iter().flatten().count();
        if count != squares || places.len() != squares || squares < 2 {
            return None;
        }
        let place = |&(x, y): &(i64, i64)| Some((i32::try_from(x - left).ok()?, i32::try_from(y - low).ok()?));
        Some(Self { width, height, at: at.iter().map(|at| at.as_ref().and_then(place)).collect() })
    }

    pub(crate) fn squares(&self) -> Vec<bool> {
        self.at.iter().map(Option::is_some).collect()
    }

    pub(crate) fn place(&self, cell: u32) -> Option<(i32, i32)> {
        self.at.get(cell as usize).copied().flatten()
    }

    /// The rectangle turned and mirrored: bit 0 turns it upside down, bit 1 mirrors it, bit 2 exchanges columns and rows.
    pub(crate) fn turned(&self, how: u8) -> Self {
        let (width, height) = if how & 4 == 0 { (self.width, self.height) } else { (self.height, self.width) };
        let place = |(x, y): (i32, i32)| {
            let (x, y) = if how & 4 == 0 { (x, y) } else { (y, x) };
            (if how & 2 == 0 { x } else { width - 1 - x }, if how & 1 == 0 { y } else { height - 1 - y })
        };
        Self { width, height, at: self.at.iter().map(|at| at.map(place)).collect() }
    }
}

/// Rectangles that the board may be, the likeliest first: as cells are called, and as steps lead.
///
/// # Errors
/// There are none.
pub(crate) fn grids(model: &Model<'_>) -> Result<Vec<Grid>, Refused> {
    let names: Vec<&str> = model.board.cells.iter().map(|&cell| model.game.name(cell)).collect();
    let readings: [Reading; 3] = [two_numbers, letters_and_number, two_digits];
    let mut found: Vec<Grid> = Vec::new();
    for read in readings {
        let places: Vec<Option<(i64, i64)>> = names.iter().map(|name| read(name)).collect();
        found.extend(Grid::new(&places));
    }
    found.extend(by_steps(model));
    if found.is_empty() {
        let message = "the squares of the board do not form a rectangle";
        let help = "this is seen from names such as `a1` or `x0y1`, or from maps that lead to neighbours along rows and columns";
        return Err(Box::new(rg_ir::Diagnostic::error(codes::BOARD, model.board.span, message).help(help)));
    }
    found.truncate(3);
    Ok(found)
}

/// Runs of digits, and of letters.
fn runs(name: &str) -> Vec<&str> {
    let kind = |c: &char| {
        if c.is_ascii_digit() {
            1
        } else if c.is_ascii_alphabetic() {
            2
        } else {
            0
        }
    };
    let mut runs = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| kind(&c) != kind(&first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if kind(&first) != 0 {
            runs.push(run);
        }
        rest = after;
    }
    runs
}

/// `rx3y4`, `3_4`.
fn two_numbers(name: &str) -> Option<(i64, i64)> {
    let runs = runs(name);
    let mut numbers =
        runs.iter().filter(|run| run.starts_with(|c: char| c.is_ascii_digit())).map(|run| run.parse::<i32>());
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(x)), Some(Ok(y)), None) => Some((i64::from(x), i64::from(y))),
        _ => None,
    }
}

/// `c4`.
fn letters_and_number(name: &str) -> Option<(i64, i64)> {
    let runs = runs(name);
    let [.., letters, number] = runs.as_slice() else { return None };
    if letters.len() > 2 || !letters.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let digit = |c: u8| i64::from(c.to_ascii_lowercase().saturating_sub(b'a')) + 1;
    let column = letters.bytes().fold(0, |column, c| column * 26 + digit(c));
    Some((column, i64::from(number.parse::<i32>().ok()?)))
}

/// `v34`.
fn two_digits(name: &str) -> Option<(i64, i64)> {
    let runs = runs(name);
    let number = runs.last().filter(|run| run.len() % 2 == 0 && run.len() <= 6)?;
    let (x, y) = number.split_at(number.len() / 2);
    Some((i64::from(x.parse::<i32>().ok()?), i64::from(y.parse::<i32>().ok()?)))
}

/// The rectangle that two of the game's maps from cells to cells lead along.
fn by_steps(model: &Model<'_>) -> Option<Grid> {
    let cells = &model.board.cells;
    let mut steps: Vec<Vec<Option<usize>>> = Vec::new();
    for id in model.game.consts.ids().take(1 << 10) {
        if steps.len() >= MAX_STEPS || model.consts[id].keys() != 1 {
            continue;
        }
        let step: Vec<Option<usize>> = (cells.iter().enumerate())
            .map(|(from, &cell)| {
                let to = model.consts[id].at(&[cell]).and_then(|to| model.board.cell_of.get(&to))?;
                Some(*to as usize).filter(|&to| to != from)
            })
            .collect();
        if step.iter().any(Option::is_some) {
            steps.push(step);
        }
    }
    for along in &steps {
        for across in &steps {
            if let Some(grid) = rectangle(cells.len(), along, across) {
                return Some(grid);
            }
        }
    }
    None
}

/// The rectangle of the cells that steps lead from or to. What most steps lead to is no square, but what is behind the edge.
fn rectangle(count: usize, along: &[Option<usize>], across: &[Option<usize>]) -> Option<Grid> {
    let mut visits: FxHashMap<usize, usize> = FxHashMap::default();
    for &to in along.iter().chain(across).flatten() {
        *visits.entry(to).or_default() += 1;
    }
    let behind = visits.into_iter().filter(|&(_, visits)| visits > 2).map(|(cell, _)| cell).max();
    let inside: Vec<usize> = (0..count).filter(|&cell| Some(cell) != behind).collect();
    let number: FxHashMap<usize, usize> = inside.iter().copied().zip(0..).collect();
    let within = |step: &[Option<usize>]| -> Vec<Option<usize>> {
        inside.iter().map(|&cell| step.get(cell).copied().flatten().and_then(|to| number.get(&to).copied())).collect()
    };
    let places = rg_ir::grid::places(inside.len(), &within(along), &within(across))?;
    let mut at = vec![None; count];
    for (&cell, &place) in inside.iter().zip(&places) {
        at[cell] = Some(place);
    }
    Grid::new(&at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_squares() {
        assert_eq!(two_numbers("v_rx3y12"), Some((3, 12)));
        assert_eq!(two_numbers("a1"), None);
        assert_eq!(letters_and_number("c4"), Some((3, 4)));
        assert_eq!(letters_and_number("off"), None);
        assert_eq!(two_digits("v37"), Some((3, 7)));
        assert_eq!(two_digits("null"), None);
        assert_eq!(two_numbers("x99999999999999999999y1"), None);
    }

    #[test]
    fn rectangles() {
        let full = [None, Some((1, 5)), Some((2, 5)), Some((1, 6)), Some((2, 6))];
        let grid = Grid::new(&full).unwrap();
        assert_eq!((grid.width, grid.height, grid.place(4)), (2, 2, Some((1, 1))));
        assert_eq!(Grid::new(&full[..4]), None);
        assert_eq!(grid.turned(1).place(1), Some((0, 1)));
        let row = Grid::new(&[Some((0, 0)), Some((1, 0)), Some((2, 0))]).unwrap();
        assert_eq!((row.turned(4).width, row.turned(4).place(2)), (1, Some((0, 2))));
    }
}
