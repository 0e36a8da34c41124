//! Boards as grids: where squares are, as steps tell.

use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The places (column, row) of `count` squares, relative to that of the first, if one step goes along the rows of a grid and
/// another one across; `None` if they do not, or do not come to all squares. A step has the next square, if there is one,
/// for every square. O(`count`).
pub fn places(count: usize, along: &[Option<usize>], across: &[Option<usize>]) -> Option<Vec<(i64, i64)>> {
    let ways = [(along, (1, 0)), (across, (0, 1))];
    let mut neighbours: Vec<Vec<(usize, (i64, i64))>> = vec![Vec::new(); count];
    for (step, (x, y)) in ways {
        for (from, to) in step.iter().enumerate() {
            let Some(to) = *to else { continue };
            neighbours.get_mut(from)?.push((to, (x, y)));
            neighbours.get_mut(to)?.push((from, (-x, -y)));
        }
    }
    let mut places: Vec<Option<(i64, i64)>> = vec![None; count];
    *places.first_mut()? = Some((0, 0));
    let mut queue = VecDeque::from([0]);
    while let Some(square) = queue.pop_front() {
        let (x, y) = (*places.get(square)?)?;
        for &(next, (by_x, by_y)) in neighbours.get(square)? {
            let there = (x + by_x, y + by_y);
            match places.get_mut(next)? {
                Some(known) if *known == there => {}
                Some(_) => return None,
                slot => {
                    *slot = Some(there);
                    queue.push_back(next);
                }
            }
        }
    }
    let places: Vec<(i64, i64)> = places.into_iter().collect::<Option<_>>()?;
    let distinct: FxHashSet<(i64, i64)> = places.iter().copied().collect();
    (distinct.len() == count).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_a_triangle() {
        // 0 1 2
        // 3 4
        // 5
        let along = [Some(1), Some(2), None, Some(4), None, None];
        let across = [Some(3), Some(4), None, Some(5), None, None];
        let found = places(6, &along, &across);
        assert_eq!(found, Some(vec![(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)]));
    }

    #[test]
    fn no_grids() {
        // A ring; two squares that no step joins; a step that goes two ways to one square.
        assert_eq!(places(3, &[Some(1), Some(2), Some(0)], &[None, None, None]), None);
        assert_eq!(places(2, &[None, None], &[None, None]), None);
        assert_eq!(places(2, &[Some(1), None], &[Some(1), None]), None);
        assert_eq!(places(0, &[], &[]), None);
    }
}
