//! Orders of a board's squares in which steps are shifts.
//!
//! A step of a walk takes a set of squares by as many shifts as there are distances between a square's number and that of
//! its neighbour. Languages list the squares of a hexagon row by row, with rows of all lengths, so that a direction has a
//! distance for every pair of rows; along two of the directions the same board is a rhombus, and every direction is one
//! distance. See the design study on reasoner performance, T3.

use rg_ir::grid;
use rustc_hash::FxHashSet;

/// Most steps that are looked at.
const MAX_STEPS: usize = 16;
/// Largest board that is looked at.
const MAX_SQUARES: usize = 1024;

/// A step: for every square the next one, if there is one. At most one square comes to each.
type Map = Vec<Option<usize>>;

/// An order of `count` squares, listed first to last, in which the steps have fewer distances than as they are numbered;
/// `None` if none is found. Steps under which squares come together, and most after [`MAX_STEPS`], are left out.
/// O(steps³ · squares).
pub(super) fn order(count: usize, steps: &[Map]) -> Option<Vec<usize>> {
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
    for (i, along) in used.iter().enumerate() {
        for across in used.iter().skip(i + 1) {
            let Some(places) = grid::places(count, along, across) else { continue };
            let mut listed = identity.clone();
            listed.sort_by_key(|&square| places.get(square).map(|&(x, y)| (y, x)));
            let mut numbers = vec![0; count];
            for (number, &square) in listed.iter().enumerate() {
                if let Some(slot) = numbers.get_mut(square) {
                    *slot = number;
                }
            }
            let distances = distances(&numbers, &used);
            if distances < best.0 {
                best = (distances, Some(listed));
            }
        }
    }
    best.1
}

fn is_injective(step: &Map) -> bool {
    let mut seen = FxHashSet::default();
    step.iter().flatten().all(|&to| seen.insert(to)) && !seen.is_empty()
}

/// How many distances the steps have together.
fn distances(numbers: &[usize], steps: &[&Map]) -> usize {
    let number = |square: usize| numbers.get(square).map_or(0, |&number| number as i64);
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
        let order = order(count, &steps).expect("there is a better order");
        let mut numbers = vec![0; count];
        order.iter().enumerate().for_each(|(number, &square)| numbers[square] = number);
        let used: Vec<&Map> = steps.iter().collect();
        assert_eq!(distances(&numbers, &used), 6);
        assert!(distances(&(0..count).collect::<Vec<_>>(), &used) > 12);
    }

    #[test]
    fn rows_of_a_rectangle_stay() {
        let step =
            |by: usize| (0..12usize).map(|at| (at + by < 12 && (by == 4 || at % 4 < 3)).then(|| at + by)).collect();
        assert_eq!(order(12, &[step(1), step(4)]), None);
    }

    #[test]
    fn what_is_no_grid_stays() {
        // A ring, and a step to one square from everywhere.
        let ring = (0..6).map(|at| Some((at + 1) % 6)).collect();
        let sink = vec![Some(0); 6];
        assert_eq!(order(6, &[ring, sink]), None);
        assert_eq!(order(0, &[]), None);
    }
}
