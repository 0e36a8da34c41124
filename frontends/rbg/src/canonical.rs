//! The canonical form of a description: everything whose order means nothing is sorted.

use std::cmp::Ordering;

use crate::ast::{Arith, Board, Cell, Description, Layout, Name, Rule, Vertex};

/// Sorts pieces, variables and labels, drops labels without edges, and names the layout. O(n log n).
pub(crate) fn canonicalise(description: &mut Description) {
    let pieces = sort(&mut description.pieces, |name| name);
    let variables = sort(&mut description.variables, |variable| &variable.name);
    for vertex in &mut description.board.vertices {
        vertex.piece = new_index(&pieces, vertex.piece);
    }
    let labels = labels(&mut description.board);
    description.board.layout = layout(&description.board.vertices);
    for (arith, _) in &mut description.rules.arith {
        match arith {
            Arith::Count(piece) => *piece = new_index(&pieces, *piece),
            Arith::Cell(Cell::Variable(variable)) => *variable = new_index(&variables, *variable),
            Arith::Number(_) | Arith::Cell(Cell::Score(_)) | Arith::Binary(..) => {}
        }
    }
    for (rule, _) in &mut description.rules.nodes {
        match rule {
            Rule::On(set) => {
                for piece in set.iter_mut() {
                    *piece = new_index(&pieces, *piece);
                }
                set.sort_unstable();
            }
            Rule::Off { piece, .. } => *piece = new_index(&pieces, *piece),
            Rule::Assign { target: Cell::Variable(variable), .. } => *variable = new_index(&variables, *variable),
            Rule::Shift(label) => match labels.get(*label as usize).copied().flatten() {
                Some(new) => *label = new,
                None => *rule = Rule::On(Vec::new()),
            },
            _ => {}
        }
    }
}

/// Sorts by name; returns the new position of every old one.
fn sort<T>(items: &mut Vec<T>, name: impl Fn(&T) -> &Name) -> Vec<u32> {
    let mut tagged: Vec<(usize, T)> = std::mem::take(items).into_iter().enumerate().collect();
    tagged.sort_by(|(_, a), (_, b)| name(a).text.cmp(&name(b).text));
    let mut positions = vec![0; tagged.len()];
    for (new, (old, item)) in (0u32..).zip(tagged) {
        if let Some(slot) = positions.get_mut(old) {
            *slot = new;
        }
        items.push(item);
    }
    positions
}

fn new_index(positions: &[u32], old: u32) -> u32 {
    positions.get(old as usize).copied().unwrap_or(old)
}

/// Sorts the labels and the edges of each vertex, and drops labels without edges; returns the new position of every
/// old label that is left.
fn labels(board: &mut Board) -> Vec<Option<u32>> {
    let sorted = sort(&mut board.labels, |name| name);
    let mut used = vec![false; sorted.len()];
    for &(label, _) in board.vertices.iter().flat_map(|vertex| &vertex.edges) {
        if let Some(slot) = used.get_mut(new_index(&sorted, label) as usize) {
            *slot = true;
        }
    }
    let mut dense = vec![None; sorted.len()];
    for (new, (slot, _)) in (0u32..).zip(dense.iter_mut().zip(&used).filter(|&(_, &used)| used)) {
        *slot = Some(new);
    }
    let mut keep = used.iter();
    board.labels.retain(|_| keep.next().copied().unwrap_or(false));
    let positions: Vec<Option<u32>> = sorted.iter().map(|&at| dense.get(at as usize).copied().flatten()).collect();
    for vertex in &mut board.vertices {
        for (label, _) in &mut vertex.edges {
            *label = positions.get(*label as usize).copied().flatten().unwrap_or(*label);
        }
        vertex.edges.sort_unstable();
    }
    positions
}

/// The generator that would give the vertices these names.
fn layout(vertices: &[Vertex]) -> Layout {
    let Some(first) = vertices.first() else { return Layout::Explicit };
    let letters: &[char] = match first.name.text.as_bytes().first() {
        Some(b'r' | b'h') => &['x', 'y'],
        Some(b'c') => &['x', 'y', 'z'],
        _ => return Layout::Explicit,
    };
    let kind = first.name.text.get(..1).unwrap_or_default();
    let mut size = [1u32; 3];
    for vertex in vertices {
        let Some(position) = position(&vertex.name.text, kind, letters) else { return Layout::Explicit };
        for (extent, coordinate) in size.iter_mut().zip(position) {
            *extent = (*extent).max(coordinate + 1);
        }
    }
    let [columns, rows, layers] = size;
    let cells = size.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul);
    // Vertices with names far apart make no picture.
    match kind.cmp("h") {
        _ if cells > 8 * vertices.len() as u64 + 10_000 => Layout::Explicit,
        Ordering::Equal => Layout::Hexagon,
        Ordering::Greater => Layout::Rectangle { columns, rows },
        Ordering::Less => Layout::Cuboid { columns, rows, layers },
    }
}

/// The coordinates in a name such as `rx3y12`: the kind, then each letter with a number.
fn position(name: &str, kind: &str, letters: &[char]) -> Option<[u32; 3]> {
    let mut rest = name.strip_prefix(kind)?;
    let mut position = [0; 3];
    for (slot, &letter) in position.iter_mut().zip(letters) {
        rest = rest.strip_prefix(letter)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at_checked(end)?;
        let plain = digits == "0" || !digits.starts_with('0');
        *slot = digits.parse().ok().filter(|&n: &u32| plain && n < 1_000_000)?;
        rest = after;
    }
    rest.is_empty().then_some(position)
}
