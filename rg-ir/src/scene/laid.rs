//! Where the points of a graph are on a picture.

use super::graph::Names;
use super::grid::real;
use super::{Board, spread};
use rustc_hash::FxHashSet;

/// Distance of neighbouring points, in widths of a place.
const STEP: f32 = 1.4;

/// Columns of points that are in no row, at least.
const WIDE: usize = 4;

/// The points of a graph, and how long its lines are that are drawn: of those that lie in rows and columns, long lines would run across others.
pub(super) struct Laid {
    pub(super) points: Vec<(f32, f32)>,
    pub(super) reach: f32,
}

impl Laid {
    /// Where it is known where points lie, there. Points whose names are a word and a number are rings, one for each word, if lines lead around; and else
    /// rows or columns. All others are spread by their lines.
    pub(super) fn new(board: &Board) -> Self {
        let (points, reach) = if board.places.iter().any(|place| place.x > 0.0 || place.y > 0.0) {
            (board.places.iter().map(|place| (place.x, place.y)).collect(), 1.6)
        } else if let Some(names) = Names::new(board) {
            rings(board, &names).map_or_else(|| (table(board, &names), 2.3), |points| (points, f32::INFINITY))
        } else {
            (spread(board.places.len(), &board.lines), f32::INFINITY)
        };
        Self { points: points.into_iter().map(|(x, y)| (x * STEP, y * STEP)).collect(), reach: reach * STEP }
    }

    /// Whether the line between two points is drawn.
    pub(super) fn has_line(&self, (from, to): (u32, u32)) -> bool {
        let point = |at: u32| self.points.get(at as usize);
        let ends = point(from).zip(point(to));
        ends.is_some_and(|(from, to)| (from.0 - to.0).hypot(from.1 - to.1) <= self.reach)
    }
}

fn number(count: usize) -> f32 {
    real(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Points in rows and columns; those that are in none are below.
fn table(board: &Board, names: &Names) -> Vec<(f32, f32)> {
    let mut points = vec![(0.0, 0.0); board.places.len()];
    let mut put = |place: usize, point: (f32, f32)| points.get_mut(place).into_iter().for_each(|slot| *slot = point);
    let length = names.rows.first().map_or(0, |(_, places)| places.len());
    let (width, height) = if names.is_board() { (names.rows.len(), length) } else { (length, names.rows.len()) };
    for (row, (_, places)) in names.rows.iter().enumerate() {
        for (at, &place) in places.iter().enumerate() {
            // Numbers of rows count from the bottom.
            let point = if names.is_board() { (row, length - 1 - at) } else { (at, row) };
            put(place, (number(point.0), number(point.1)));
        }
    }
    for (at, &place) in names.rest.iter().enumerate() {
        let width = width.max(WIDE);
        put(place, (number(at % width), number(height + at / width) + 0.5));
    }
    points
}

/// Rings around each other, the first one outside, if lines lead around in each row. With four points or a multiple of that they are squares, at whose corners are
/// points that lines to other rings leave alone, as far as there are any.
fn rings(board: &Board, names: &Names) -> Option<Vec<(f32, f32)>> {
    let lines: FxHashSet<(u32, u32)> = board.lines.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    let index = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let is_joined = |one: usize, other: usize| lines.contains(&(index(one), index(other)));
    let around = |places: &[usize]| {
        let next = places.iter().skip(1).chain(places.first());
        places.len() > 2 && places.iter().zip(next).all(|(&one, &other)| is_joined(one, other))
    };
    if !names.rest.is_empty() || !names.rows.iter().all(|(_, places)| around(places)) {
        return None;
    }
    let count = names.rows.first()?.1.len();
    let is_free = |at: usize| {
        let places: Vec<usize> = names.rows.iter().filter_map(|(_, places)| places.get(at).copied()).collect();
        !places.windows(2).any(|pair| matches!(pair, &[one, other] if is_joined(one, other)))
    };
    let side = count / 4;
    let free = |first: usize| (0..count).filter(|at| (at + first).is_multiple_of(side) && is_free(*at)).count();
    let first = if count.is_multiple_of(4) { (0..side).max_by_key(|&first| (free(first), side - first)) } else { None };
    let rings = names.rows.len();
    let least = first.map_or(number(count) / std::f32::consts::TAU, |_| number(side) / 2.0);
    let middle = number(rings - 1) + least;
    let mut points = vec![(0.0, 0.0); board.places.len()];
    for (ring, (_, places)) in names.rows.iter().enumerate() {
        let radius = number(rings - 1 - ring) + least;
        for (at, &place) in places.iter().enumerate() {
            let (x, y) = match first {
                Some(first) => on_square((at + first) % count, side),
                None => {
                    let (sine, cosine) = (std::f32::consts::TAU * number(at) / number(count)).sin_cos();
                    (sine, -cosine)
                }
            };
            *points.get_mut(place)? = (middle + radius * x, middle + radius * y);
        }
    }
    Some(points)
}

/// A point of a square from -1 to 1, clockwise from the upper left corner, with so many steps along each side.
fn on_square(at: usize, side: usize) -> (f32, f32) {
    let along = 2.0 * number(at % side) / number(side) - 1.0;
    match at / side {
        0 => (along, -1.0),
        1 => (1.0, along),
        2 => (-along, 1.0),
        _ => (-1.0, -along),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Layout, Place};
    use super::*;

    fn board(labels: &[&str], lines: &[(u32, u32)]) -> Board {
        let place = |label: &&str| Place { name: (*label).into(), label: (*label).into(), x: 0.0, y: 0.0 };
        Board {
            title: String::new(),
            layout: Layout::Graph,
            places: labels.iter().map(place).collect(),
            lines: lines.to_vec(),
            pieces: Vec::new(),
            block: None,
        }
    }

    fn rounded(laid: &Laid) -> Vec<(f32, f32)> {
        laid.points.iter().map(|(x, y)| ((x / STEP).round(), (y / STEP).round())).collect()
    }

    #[test]
    fn known_points_lie_where_they_are_known_to_lie() {
        let mut known = board(&["one", "two", "far"], &[(0, 1), (0, 2)]);
        for (place, x) in known.places.iter_mut().zip([0.0, 1.0, 5.0]) {
            place.x = x;
        }
        let laid = Laid::new(&known);
        assert_eq!(rounded(&laid), [(0.0, 0.0), (1.0, 0.0), (5.0, 0.0)]);
        assert!(laid.has_line((0, 1)) && !laid.has_line((0, 2)), "long lines run across others");
    }

    #[test]
    fn names_are_rows_or_columns() {
        assert_eq!(
            rounded(&Laid::new(&board(&["a1", "a2", "b1", "b2"], &[]))),
            [(0.0, 1.0), (0.0, 0.0), (1.0, 1.0), (1.0, 0.0)]
        );
        assert_eq!(
            rounded(&Laid::new(&board(&["up1", "up2", "low1", "low2"], &[]))),
            [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
        );
    }

    /// Two rings of eight, joined at every second point: squares with the joined points in the middles of the sides.
    #[test]
    fn rows_that_lines_lead_around_are_squares() {
        let names: Vec<String> =
            ["out", "in"].iter().flat_map(|ring| (1..=8).map(move |at| format!("{ring}{at}"))).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let ring = |start: u32| (0..8).map(move |at| (start + at, start + (at + 1) % 8));
        let lines: Vec<(u32, u32)> = ring(0).chain(ring(8)).chain([0, 2, 4, 6].map(|at| (at, at + 8))).collect();
        let points = rounded(&Laid::new(&board(&names, &lines)));
        let distinct: std::collections::BTreeSet<String> = points.iter().map(|point| format!("{point:?}")).collect();
        assert_eq!(distinct.len(), 16, "{points:?}");
        for (one, other) in lines {
            let ((x, y), (u, v)) = (points[one as usize], points[other as usize]);
            assert!(x == u || y == v, "all lines are straight: {points:?}");
        }
    }
}
