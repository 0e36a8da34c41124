//! Boards of rings: circles around a centre, cut by rays.

use super::board::{Board, Direction, Point, letters};
use rg_ir::Span;

/// A board of `rings` circles with `rays` points each. Where the number of rays is even, opposite ones make one line through the
/// centre.
///
/// Points are `centre` and, ring by ring from the first ray clockwise, a letter for the ray with a number for the ring: `a1`, `b1`.
pub(super) fn board(rings: usize, rays: usize, span: Span) -> Board {
    let name =
        |ring: usize, ray: usize| if ring == 0 { "centre".to_owned() } else { format!("{}{ring}", letters(ray)) };
    let cells: Vec<(usize, usize)> =
        std::iter::once((0, 0)).chain((1..=rings).flat_map(|ring| (0..rays).map(move |ray| (ring, ray)))).collect();
    let index = |(ring, ray): (usize, usize)| if ring == 0 { 0 } else { 1 + (ring - 1) * rays + ray % rays };
    let direction = |name: String, step: &dyn Fn(usize, usize) -> Option<(usize, usize)>| Direction {
        name,
        vector: None,
        next: cells.iter().map(|&(ring, ray)| step(ring, ray).map(index)).collect(),
    };
    let opposite = rays.is_multiple_of(2).then_some(rays / 2);
    let mut directions: Vec<Direction> = (0..rays)
        .map(|to| {
            let capital = letters(to).to_uppercase();
            direction(format!("to{capital}"), &|ring, ray| match ring {
                0 => Some((1, to)),
                _ if ray == to => (ring < rings).then_some((ring + 1, ray)),
                _ if opposite.is_some_and(|half| (ray + half) % rays == to) => Some((ring - 1, ray)),
                _ => None,
            })
        })
        .collect();
    if opposite.is_none() {
        directions.push(direction("inwards".to_owned(), &|ring, ray| Some((ring.checked_sub(1)?, ray))));
    }
    directions.push(direction("clockwise".to_owned(), &|ring, ray| (ring > 0).then_some((ring, ray + 1))));
    directions.push(direction("counter".to_owned(), &|ring, ray| (ring > 0).then_some((ring, ray + rays - 1))));
    let points = cells.iter().map(|&(ring, ray)| Point {
        name: name(ring, ray),
        term: (ring > 0).then_some((ray, ring)),
        piece: None,
        cell: (ring, ray),
        span: Span::NONE,
    });
    let circles = if rings == 1 { "one ring".to_owned() } else { format!("{rings} rings") };
    Board {
        points: points.collect(),
        directions,
        picture: Vec::new(),
        circular: true,
        summary: format!("a board of {circles} of {rays} points around a centre"),
        span,
    }
}
