//! Coordinates of boards that are written as graphs, by the names of their directions.

use crate::ast::Board;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Columns and rows, counted from the top.
type Point = (i32, i32);

/// A part of the board that directions join, with its vertices at their places; the least column and row are 0.
struct Part {
    at: BTreeMap<u32, Point>,
}

impl Part {
    /// Columns and rows.
    fn size(&self) -> Point {
        let most = |of: fn(&Point) -> i32| self.at.values().map(of).max().unwrap_or(0) + 1;
        (most(|point| point.0), most(|point| point.1))
    }
}

/// The step of a direction.
fn step(label: &str) -> Option<Point> {
    match label {
        "left" => Some((-1, 0)),
        "right" => Some((1, 0)),
        "up" => Some((0, -1)),
        "down" => Some((0, 1)),
        _ => None,
    }
}

/// Column and row of every vertex, if the edges called `left`, `right`, `up` and `down` say where it is: one grid, or several of which each
/// belongs to a vertex of another one (all its vertices have an edge of one name to that). These lie as their vertices do, with a column
/// or row between them, and the other one is below. O(n log n).
pub(super) fn embedded(board: &Board) -> Option<Vec<(u32, u32)>> {
    let parts = parts(board)?;
    let mut all: BTreeMap<u32, Point> = BTreeMap::new();
    if let [only] = parts.as_slice() {
        all.extend(&only.at);
    } else {
        let hosts: Vec<Option<u32>> = parts.iter().map(|part| host(board, part)).collect();
        let mut free = (0..).zip(&hosts).filter(|(_, host)| host.is_none()).map(|(index, _)| index);
        let outer = parts.get(free.next().filter(|_| free.next().is_none())?)?;
        let distinct: BTreeSet<u32> = hosts.iter().flatten().copied().collect();
        if distinct.len() + 1 < parts.len() || !distinct.iter().all(|host| outer.at.contains_key(host)) {
            return None;
        }
        let inner = || parts.iter().zip(&hosts).filter_map(|(part, host)| Some((part, outer.at.get(&(*host)?)?)));
        let width = inner().map(|(part, _)| part.size().0 + 1).max().unwrap_or(1);
        let height = inner().map(|(part, _)| part.size().1 + 1).max().unwrap_or(1);
        for (part, (column, row)) in inner() {
            all.extend(part.at.iter().map(|(&vertex, (x, y))| (vertex, (column * width + x, row * height + y))));
        }
        let below = outer.size().1 * height;
        all.extend(outer.at.iter().map(|(&vertex, &(x, y))| (vertex, (x, below + y))));
    }
    let (columns, rows): (BTreeSet<i32>, BTreeSet<i32>) = all.values().copied().unzip();
    if all.len() < board.vertices.len() || columns.len() < 2 || rows.len() < 2 {
        return None;
    }
    all.into_values().map(|(x, y)| Some((u32::try_from(x).ok()?, u32::try_from(y).ok()?))).collect()
}

/// The parts that directions join; `None` if they contradict each other, or two vertices would be at one place.
fn parts(board: &Board) -> Option<Vec<Part>> {
    let steps: Vec<Option<Point>> = board.labels.iter().map(|label| step(&label.text)).collect();
    let mut next: Vec<Vec<(u32, Point)>> = vec![Vec::new(); board.vertices.len()];
    for (from, vertex) in (0..).zip(&board.vertices) {
        for &(label, to) in &vertex.edges {
            if let Some((x, y)) = steps.get(label as usize).copied().flatten() {
                next.get_mut(from as usize)?.push((to, (x, y)));
                next.get_mut(to as usize)?.push((from, (-x, -y)));
            }
        }
    }
    let mut seen: BTreeMap<u32, Point> = BTreeMap::new();
    let mut parts = Vec::new();
    for start in (0..).take(board.vertices.len()) {
        if seen.contains_key(&start) {
            continue;
        }
        let (mut at, mut queue) = (BTreeMap::from([(start, (0, 0))]), VecDeque::from([(start, (0, 0))]));
        while let Some((vertex, (x, y))) = queue.pop_front() {
            for &(to, (right, down)) in next.get(vertex as usize)? {
                let there = (x + right, y + down);
                match at.insert(to, there) {
                    None => queue.push_back((to, there)),
                    Some(before) if before == there => {}
                    Some(_) => return None,
                }
            }
        }
        let distinct: BTreeSet<Point> = at.values().copied().collect();
        if distinct.len() < at.len() {
            return None;
        }
        seen.extend(&at);
        let least = |of: fn(&Point) -> i32| at.values().map(of).min().unwrap_or(0);
        let (left, top) = (least(|point| point.0), least(|point| point.1));
        at.values_mut().for_each(|(x, y)| (*x, *y) = (*x - left, *y - top));
        parts.push(Part { at });
    }
    Some(parts)
}

/// The vertex of another part to which all vertices of a part have an edge of the same name.
fn host(board: &Board, part: &Part) -> Option<u32> {
    let mut common: Option<BTreeSet<(u32, u32)>> = None;
    for &vertex in part.at.keys() {
        let edges: BTreeSet<(u32, u32)> = board.vertices.get(vertex as usize)?.edges.iter().copied().collect();
        common = Some(common.map_or(edges.clone(), |common| common.intersection(&edges).copied().collect()));
    }
    common?.into_iter().map(|(_, to)| to).find(|to| !part.at.contains_key(to))
}
