//! Orders of a board's squares in which steps are shifts.
//!
//! A step of a walk takes a set of squares by as many shifts as there are distances between a square's number and that of
//! its neighbour. Languages list the squares of a hexagon row by row, with rows of all lengths, so that a direction has a
//! distance for every pair of rows; along two of the directions the same board is a rhombus, and every direction is one
//! distance. Other boards, such as the dark squares of a chequered one, which stand on a corner, are a grid with some places
//! missing: if these have numbers, too, every direction is one distance again. See `docs/engine/techniques.md`,
//! *board numbering*.

use rg_ir::grid;
use rg_ir::invariant::{Invariant, put};
use rustc_hash::FxHashSet;

/// Most steps that are looked at.
const MAX_STEPS: usize = 16;
/// Largest board that is looked at.
const MAX_SQUARES: usize = 1024;

/// Greatest distance of a step where numbers have gaps, and how many grids of a board are tried for such numbers.
const MAX_APART: i64 = 32;
const MAX_SPACED: usize = 4;

/// A step: for every square the next one, if there is one. At most one square comes to each.
type Map = Vec<Option<usize>>;

/// Numbers of `count` squares with which the steps have fewer distances than as they are; `None` if none are found. There
/// may be gaps, but all are below `limit`. Steps under which squares come together, and most after [`MAX_STEPS`], are left
/// out. O(steps³ · squares).
pub(super) fn order(count: usize, limit: usize, steps: &[Map]) -> Option<Vec<usize>> {
    if count > MAX_SQUARES {
        return None;
    }
    let mut used: Vec<&Map> = Vec::new();
    for step in steps.iter().filter(|step| is_injective(step)) {
        if used.len() < MAX_STEPS && !used.contains(&step) {
            used.push(step);
        }
    }
    let identity: Vec<usize> = (0..count).collect();
    let mut best = (distances(&identity, &used), None);
    if best.0 == used.len() {
        return None; // no step can have fewer than one
    }
    let pairs =
        || used.iter().enumerate().flat_map(|(i, along)| used.iter().skip(i + 1).map(move |across| (along, across)));
    let grids: Vec<Vec<(i64, i64)>> =
        pairs().filter_map(|(along, across)| grid::places(count, along, across)).collect();
    let mut try_numbers = |numbers: Vec<usize>| {
        let distances = distances(&numbers, &used);
        if distances < best.0 {
            best = (distances, Some(numbers));
        }
    };
    for places in &grids {
        let mut listed = identity.clone();
        listed.sort_by_key(|&square| places.get(square).map(|&(x, y)| (y, x)));
        let mut numbers = vec![0; count];
        for (number, &square) in listed.iter().enumerate() {
            put(&mut numbers, square, number, "every square has a number");
        }
        try_numbers(numbers);
    }
    // With gaps, a step is one distance on a grid of any shape.
    for places in grids.iter().take(MAX_SPACED) {
        if let Some(numbers) = spaced(places, limit) {
            try_numbers(numbers);
        }
    }
    best.1
}

/// Numbers of the places of a grid, such that a step along it and one across it add the same to all of them: those with the
/// smallest last number, if that is below `limit`.
fn spaced(places: &[(i64, i64)], limit: usize) -> Option<Vec<usize>> {
    let mut best: Option<(usize, Vec<usize>)> = None;
    for (along, across) in (1..=MAX_APART).flat_map(|x| (-MAX_APART..=MAX_APART).map(move |y| (x, y))) {
        let number = |&(x, y): &(i64, i64)| x * along + y * across;
        let first = places.iter().map(number).min()?;
        let numbers: Vec<usize> =
            places.iter().map(|place| usize::try_from(number(place) - first).unwrap_or(usize::MAX)).collect();
        let last = numbers.iter().copied().max()?;
        let better = last < limit && best.as_ref().is_none_or(|(other, _)| last < *other);
        if better && numbers.iter().collect::<FxHashSet<_>>().len() == numbers.len() {
            best = Some((last, numbers));
        }
    }
    best.map(|(_, numbers)| numbers)
}

fn is_injective(step: &Map) -> bool {
    let mut seen = FxHashSet::default();
    step.iter().flatten().all(|&to| seen.insert(to)) && !seen.is_empty()
}

/// How many distances the steps have together.
fn distances(numbers: &[usize], steps: &[&Map]) -> usize {
    let number =
        |square: usize| numbers.get(square).map(|&number| number as i64).invariant_or(0, "every square has a number");
    let distances = |step: &&Map| {
        let moved = step.iter().enumerate().filter_map(|(from, to)| Some(number((*to)?) - number(from)));
        moved.collect::<FxHashSet<i64>>().len()
    };
    steps.iter().map(distances).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of a rhombus of side `n`, listed by the diagonals across it as hexagonal boards are, and its six steps.
    fn rhombus(n: i64) -> (usize, Vec<Map>) {
        let mut squares: Vec<(i64, i64)> = (0..n).flat_map(|x| (0..n).map(move |y| (x, y))).collect();
        squares.sort_by_key(|&(x, y)| (x + y, x));
        let steps = [(1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1)].map(|(by_x, by_y)| {
            let to = |&(x, y): &(i64, i64)| squares.iter().position(|&other| other == (x + by_x, y + by_y));
            squares.iter().map(to).collect()
        });
        (squares.len(), steps.to_vec())
    }

    #[test]
    fn a_rhombus_gets_one_distance_for_every_step() {
        let (count, steps) = rhombus(5);
        let numbers = order(count, count, &steps).expect("there is a better order");
        let used: Vec<&Map> = steps.iter().collect();
        assert_eq!(distances(&numbers, &used), 6);
        assert!(distances(&(0..count).collect::<Vec<_>>(), &used) > 12);
    }

    /// The dark squares of a chequered board of `size` rows, listed by diagonals, and the four steps along diagonals.
    fn chequered(size: i64) -> (usize, Vec<Map>) {
        let rows = |row: i64| (0..size).filter(move |column| (row + column) % 2 == 1).map(move |column| (row, column));
        let mut squares: Vec<(i64, i64)> = (0..size).flat_map(rows).collect();
        squares.sort_by_key(|&(row, column)| (row + column, row));
        let steps = [(1, 1), (1, -1), (-1, 1), (-1, -1)].map(|(down, right)| {
            let to = |&(row, column): &(i64, i64)| squares.iter().position(|&at| at == (row + down, column + right));
            squares.iter().map(to).collect()
        });
        (squares.len(), steps.to_vec())
    }

    #[test]
    fn a_board_on_its_corner_gets_gaps() {
        for (size, last) in [(8, 33), (10, 53)] {
            let (count, steps) = chequered(size);
            let used: Vec<&Map> = steps.iter().collect();
            let numbers = order(count, 63, &steps).expect("there is a better order");
            assert_eq!(distances(&numbers, &used), 4);
            assert_eq!(numbers.iter().max(), Some(&last));
            assert_eq!(numbers.iter().collect::<FxHashSet<_>>().len(), count);
            // Without room for gaps there are more distances.
            let tight = order(count, count, &steps);
            assert!(tight.is_none_or(|numbers| distances(&numbers, &used) > 4));
        }
    }

    #[test]
    fn rows_of_a_rectangle_stay() {
        let step =
            |by: usize| (0..12usize).map(|at| (at + by < 12 && (by == 4 || at % 4 < 3)).then(|| at + by)).collect();
        assert_eq!(order(12, 12, &[step(1), step(4)]), None);
    }

    #[test]
    fn what_is_no_grid_stays() {
        // A ring, and a step to one square from everywhere.
        let ring = (0..6).map(|at| Some((at + 1) % 6)).collect();
        let sink = vec![Some(0); 6];
        assert_eq!(order(6, 6, &[ring, sink]), None);
        assert_eq!(order(0, 0, &[]), None);
    }
}
