//! Letters of columns beside boards that are hexagons.

use super::Board;
use super::text::{Line, plain};
use std::collections::BTreeMap;

/// A letter beside a board: its row, its half column, and what it says.
pub(super) type Edge = (usize, usize, String);

/// The letters of the columns of a hexagon, where the labels of its places have them: each is next to the lowest place of its column, half a place
/// to the side to which the columns lean there. None, unless all columns can have theirs.
pub(super) fn edge_letters(board: &Board, rows: &[Vec<(usize, usize)>]) -> Vec<Edge> {
    let letters = |place: usize| {
        let label = board.places.get(place).map_or("", |place| place.label.as_str());
        label.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
    };
    let mut lowest: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        for &(half, place) in row {
            lowest.insert(letters(place), (number + 1, half + 1));
        }
    }
    let is_place = |&(number, half): &(usize, usize)| {
        rows.get(number).is_some_and(|row| row.iter().any(|&(other, _)| other.abs_diff(half) < 2))
    };
    if lowest.len() < 2 || lowest.values().any(is_place) || lowest.keys().any(|letters| !is_letters(letters)) {
        return Vec::new();
    }
    let mut edge: Vec<Edge> = lowest.into_iter().map(|(text, (number, half))| (number, half, text)).collect();
    edge.sort_unstable();
    edge
}

fn is_letters(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase())
}

/// Adds the letters of a row to its line, of which so much is used, and takes them away from the list.
pub(super) fn edge_line(edge: &mut Vec<Edge>, row: usize, width: usize, (line, mut column): (&mut Line, usize)) {
    for (_, half, text) in edge.extract_if(.., |letter| letter.0 == row) {
        let length = text.chars().count();
        let before = (half * width / 2 + width).saturating_sub(column + length);
        line.push(plain(" ".repeat(before)));
        column += before + length;
        line.push(plain(text));
    }
}
