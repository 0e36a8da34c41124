//! Places of points that are joined by lines.

use std::collections::VecDeque;

/// Rounds of improvement.
const ROUNDS: usize = 200;

/// Larger graphs lie on a circle: the method is quadratic.
const MAX_POINTS: usize = 400;

/// Where to draw `count` points so that distances in the plane are those along the `lines`, as far as possible: the stress of the
/// drawing is made smaller by majorization (SMACOF; Gansner, Koren and North, *Graph Drawing by Stress Majorization*), beginning with a
/// circle. The result has its left upper corner at (0, 0), with about unit length for every line. It depends on nothing but the
/// arguments. O(rounds · n²).
pub fn spread(count: usize, lines: &[(u32, u32)]) -> Vec<(f32, f32)> {
    let mut at: Vec<(f64, f64)> = (0..count).map(|index| on_circle(index, count)).collect();
    if count <= MAX_POINTS {
        let distances = distances(count, lines);
        for _ in 0..ROUNDS {
            at = improved(&at, &distances);
        }
    }
    let least = |value: fn(&(f64, f64)) -> f64| at.iter().map(value).fold(f64::INFINITY, f64::min);
    let (left, top) = (least(|point| point.0), least(|point| point.1));
    #[expect(clippy::cast_possible_truncation, reason = "a drawing needs no more digits")]
    let moved = |&(x, y): &(f64, f64)| ((x - left) as f32, (y - top) as f32);
    at.iter().map(moved).collect()
}

/// Places on a circle with unit distances.
fn on_circle(index: usize, count: usize) -> (f64, f64) {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let (index, count) = (index as f64, count.max(1) as f64);
    let radius = count / std::f64::consts::TAU;
    let (sine, cosine) = (std::f64::consts::TAU * index / count).sin_cos();
    (radius * (1.0 + sine), radius * (1.0 - cosine))
}

/// Distances along the lines, by breadth-first search from every point. Points without a way are as far apart as the longest way and one
/// more.
fn distances(count: usize, lines: &[(u32, u32)]) -> Vec<Vec<f64>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(a, b) in lines {
        for (from, to) in [(a as usize, b as usize), (b as usize, a as usize)] {
            if from < count && to < count {
                neighbours.get_mut(from).into_iter().for_each(|list| list.push(to));
            }
        }
    }
    let from = |start: usize| {
        let mut steps: Vec<Option<u32>> = vec![None; count];
        steps.get_mut(start).into_iter().for_each(|slot| *slot = Some(0));
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((point, so_far)) = queue.pop_front() {
            for &next in neighbours.get(point).map_or(&[][..], Vec::as_slice) {
                if let Some(slot @ None) = steps.get_mut(next) {
                    *slot = Some(so_far + 1);
                    queue.push_back((next, so_far + 1));
                }
            }
        }
        steps
    };
    let all: Vec<Vec<Option<u32>>> = (0..count).map(from).collect();
    let longest = all.iter().flatten().flatten().max().copied().unwrap_or(0);
    all.iter().map(|row| row.iter().map(|steps| f64::from(steps.unwrap_or(longest + 1))).collect()).collect()
}

/// One step of majorization with weights 1/d².
fn improved(at: &[(f64, f64)], distances: &[Vec<f64>]) -> Vec<(f64, f64)> {
    let moved = |(i, &(x, y)): (usize, &(f64, f64))| {
        let (mut sum, mut weights) = ((0.0, 0.0), 0.0);
        for (j, &(other_x, other_y)) in at.iter().enumerate().filter(|&(j, _)| j != i) {
            let wanted = distances.get(i).and_then(|row| row.get(j)).copied().unwrap_or(1.0);
            let weight = 1.0 / (wanted * wanted);
            let (dx, dy) = (x - other_x, y - other_y);
            let length = dx.hypot(dy).max(1e-9);
            sum.0 += weight * (other_x + wanted * dx / length);
            sum.1 += weight * (other_y + wanted * dy / length);
            weights += weight;
        }
        if weights > 0.0 { (sum.0 / weights, sum.1 / weights) } else { (x, y) }
    };
    at.iter().enumerate().map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_points_is_straight() {
        let at = spread(4, &[(0, 1), (1, 2), (2, 3)]);
        let length = |a: usize, b: usize| (at[a].0 - at[b].0).hypot(at[a].1 - at[b].1);
        for (a, b, wanted) in [(0, 1, 1.0), (1, 2, 1.0), (0, 3, 3.0)] {
            assert!((length(a, b) - wanted).abs() < 0.1, "{a} to {b}: {}", length(a, b));
        }
    }

    #[test]
    fn points_without_lines_have_places_of_their_own() {
        for count in [0, 1, 2, 5] {
            let at = spread(count, &[]);
            assert_eq!(at.len(), count);
            for (i, a) in at.iter().enumerate() {
                assert!(at.iter().skip(i + 1).all(|b| (a.0 - b.0).hypot(a.1 - b.1) > 0.5), "{at:?}");
            }
        }
    }
}
