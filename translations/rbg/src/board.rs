//! The board, and tests of where a square is.

use crate::piece;
use sbg::ast::{Description, Square};
use std::collections::BTreeSet;

/// The section of the board.
pub(crate) fn declaration(description: &Description) -> String {
    let mut out = "#board = rectangle(up, down, left, right,\n".to_owned();
    let rows = description.cells.chunks(description.width.max(1) as usize);
    let rows: Vec<String> = rows
        .map(|row| {
            let cells: Vec<String> = row.iter().map(|cell| cell.map_or_else(|| "empty".to_owned(), piece)).collect();
            format!("    [{}]", cells.join(", "))
        })
        .collect();
    out.push_str(&rows.join("\n"));
    out.push_str(")\n\n");
    out
}

/// A condition that holds on these squares of the board and on no others: whole rows, then whole columns of what is
/// left, then single squares. The set is not empty, and all of it is on the board.
pub(crate) fn anywhere_of(squares: &BTreeSet<Square>, (width, height): (u32, u32)) -> String {
    let mut tests = Vec::new();
    let mut left = squares.clone();
    let rows: Vec<u32> =
        (0..height).rev().filter(|&y| (0..width).all(|x| squares.contains(&Square { x, y }))).collect();
    left.retain(|square| !rows.contains(&square.y));
    tests.extend(rows.iter().map(|&y| row(y, height)));
    let columns: Vec<u32> = (0..width)
        .filter(|&x| left.iter().any(|square| square.x == x))
        .filter(|&x| (0..height).all(|y| squares.contains(&Square { x, y })))
        .collect();
    left.retain(|square| !columns.contains(&square.x));
    tests.extend(columns.iter().map(|&x| column(x, width)));
    tests.extend(left.iter().map(|square| format!("{} {}", row(square.y, height), column(square.x, width))));
    tests.join(" + ")
}

/// The condition of being in a row.
fn row(y: u32, height: u32) -> String {
    let above = (height - 1).saturating_sub(y);
    if above <= y { from_edge("up", above) } else { from_edge("down", y) }
}

/// The condition of being in a column.
fn column(x: u32, width: u32) -> String {
    let right = (width - 1).saturating_sub(x);
    if x <= right { from_edge("left", x) } else { from_edge("right", right) }
}

/// The condition that so many squares are between here and an edge.
fn from_edge(direction: &str, squares: u32) -> String {
    match squares {
        0 => format!("{{! {direction}}}"),
        1 => format!("{{? {direction} {{! {direction}}}}}"),
        _ => format!("{{? {direction}^{squares} {{! {direction}}}}}"),
    }
}
