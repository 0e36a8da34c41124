//! Positions of RBG as scenes.

use super::embed::embedded;
use super::hexagons::slant;
use super::{PIECE, PLAYER, VARIABLE, VERTEX};
use crate::ast::{self, Arith, Description, Rule};
use rg_ir::StateView;
use rg_ir::ids::Id;
use rg_ir::scene::{Board, CURSOR, Fact, Layout, Piece, Place, Scene, Setup, coordinates, namesakes, short_names};
use rustc_hash::{FxHashMap, FxHashSet};

/// A board of more cells than this, holes included, has no coordinates.
const MAX_CELLS: u64 = 1 << 20;

/// The sign for the points of a lattice.
const POINT: &str = "+";

/// What is needed to draw a state.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) board: Board,
    /// Kinds of pieces by the name in the translation.
    pieces: FxHashMap<String, u32>,
    variables: Vec<String>,
    players: Vec<String>,
    /// Kinds of pieces whose numbers the rules compare.
    pub(super) compared: Vec<String>,
}

/// The pieces other than the empty one that stand on both sides of comparisons: `b` and `w` of `b > w + 6`. Linear in the rules.
fn compared(description: &Description, empty: Option<usize>) -> Vec<String> {
    let mut found = vec![false; description.pieces.len()];
    for (rule, _) in &description.rules.nodes {
        let Rule::Compare { left, right, .. } = rule else { continue };
        let sides = [*left, *right].map(|side| {
            let mut counted = Vec::new();
            let mut open = vec![side];
            while let Some(id) = open.pop() {
                match description.rules.arith.get(id.index()).map(|(arith, _)| arith) {
                    Some(Arith::Count(piece)) if Some(*piece as usize) != empty => counted.push(*piece as usize),
                    Some(Arith::Binary(_, one, other)) => open.extend([*one, *other]),
                    _ => {}
                }
            }
            counted
        });
        if sides.iter().all(|side| !side.is_empty()) {
            for &piece in sides.iter().flatten() {
                found.get_mut(piece).into_iter().for_each(|found| *found = true);
            }
        }
    }
    let names = description.pieces.iter().zip(found).filter(|(_, found)| *found);
    names.map(|(piece, _)| piece.text.to_string()).collect()
}

/// The piece on the board that no rule names, if there is one such piece: it is never put anywhere, and nothing depends on it, as on the light cells
/// of a board for draughts. None on boards that are no rectangles, where all places are shown. Linear in the rules.
fn scenery(description: &Description, counts: &[usize]) -> Option<usize> {
    let mut is_named = vec![false; counts.len()];
    let mut names = |piece: u32| is_named.get_mut(piece as usize).into_iter().for_each(|is_named| *is_named = true);
    for (rule, _) in &description.rules.nodes {
        match rule {
            Rule::On(pieces) => pieces.iter().for_each(|&piece| names(piece)),
            Rule::Off { piece, .. } => names(*piece),
            _ => {}
        }
    }
    for (arith, _) in &description.rules.arith {
        if let Arith::Count(piece) = arith {
            names(*piece);
        }
    }
    let is_rectangle = matches!(description.board.layout, ast::Layout::Rectangle { .. });
    let mut unnamed = counts.iter().zip(is_named).enumerate().filter(|(_, (count, is_named))| **count > 0 && !is_named);
    let (only, _) = unnamed.next().filter(|_| is_rectangle)?;
    unnamed.next().is_none().then_some(only)
}

/// Whether a piece stands on the points of a lattice: no two of its places touch, even at a corner, and each has another one behind its neighbour in the
/// same row or column. Such points, as between the lines of dots and boxes, give the board its form. Linear in the places.
fn is_lattice(board: &ast::Board, piece: usize) -> bool {
    let vertices = board.vertices.iter().filter(|vertex| vertex.piece as usize == piece);
    let Some(points) = vertices.map(|vertex| grid(&vertex.name.text)).collect::<Option<FxHashSet<(u32, u32)>>>() else {
        return false;
    };
    let is_there = |&(column, row): &(u32, u32), (right, up): (i32, i32)| {
        let point = column.checked_add_signed(right).zip(row.checked_add_signed(up));
        point.is_some_and(|point| points.contains(&point))
    };
    let straight = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    let touching = straight.into_iter().chain([(1, 1), (1, -1), (-1, 1), (-1, -1)]);
    points.iter().all(|point| {
        !touching.clone().any(|step| is_there(point, step))
            && straight.iter().any(|(right, up)| is_there(point, (2 * right, 2 * up)))
    })
}

impl Picture {
    /// Linear in the size of the board and the declarations.
    pub(super) fn new(description: &Description) -> Self {
        let names: Vec<&str> = description.pieces.iter().map(|piece| &*piece.text).collect();
        let mut counts = vec![0; names.len()];
        for vertex in &description.board.vertices {
            counts.get_mut(vertex.piece as usize).into_iter().for_each(|count| *count += 1);
        }
        let players: Vec<&str> = description.players.iter().map(|player| &*player.name.text).collect();
        let (mut short, empty) = short_names(&names, &counts, &players);
        let owners = namesakes(&names, &players);
        // Where a player's pieces are not named, the rules are not complete yet.
        let is_owned = |piece: usize| owners.get(piece).is_some_and(Option::is_some);
        if let Some(scenery) = scenery(description, &counts).filter(|&piece| Some(piece) != empty && !is_owned(piece)) {
            let sign = if is_lattice(&description.board, scenery) { POINT } else { " " };
            short.get_mut(scenery).into_iter().for_each(|short| sign.clone_into(short));
        }
        let kind = |(index, ((name, short), player)): (usize, ((&&str, String), Option<String>))| Piece {
            name: (*name).to_owned(),
            short,
            is_empty: Some(index) == empty,
            player,
        };
        let pieces = names.iter().zip(short).zip(owners).enumerate().map(kind).collect();
        let symbols = names.iter().map(|name| format!("{PIECE}{name}"));
        let (layout, places) = places(&description.board);
        let lines = if layout == Layout::Graph { lines(&description.board) } else { Vec::new() };
        let mut board = Board { title: String::new(), layout, places, lines, pieces, block: None };
        if let Some(slant) = slant(description) {
            board.slant(slant);
        }
        Self {
            pieces: symbols.zip(0..).collect(),
            board,
            variables: description.variables.iter().map(|v| v.name.text.clone()).collect(),
            players: description.players.iter().map(|p| p.name.text.clone()).collect(),
            compared: compared(description, empty),
        }
    }

    /// The board, the current vertex, variables, scores and who is in control.
    pub(super) fn scene(&self, state: &dyn StateView) -> Scene<'_> {
        let piece = |place: &Place| {
            let symbol = state.get("board", &[&format!("{VERTEX}{}", place.name)])?;
            self.pieces.get(symbol).copied()
        };
        let at = self.board.places.iter().map(piece).collect();
        let vertex = state.get("pos", &[]).map(|vertex| vertex.strip_prefix(VERTEX).unwrap_or(vertex));
        let cursor = vertex.and_then(|vertex| u32::try_from(self.board.place(vertex)?).ok());
        let label = cursor.and_then(|cursor| self.board.places.get(cursor as usize)).map(|place| &place.label);
        let mut facts: Vec<Fact> = label.map(|label| Fact::alone(CURSOR, label)).into_iter().collect();
        let value = |name: &String| Some(Fact::of("variables", name, state.get(&format!("{VARIABLE}{name}"), &[])?));
        let score = |name: &String| Some(Fact::of("scores", name, state.get("goals", &[&format!("{PLAYER}{name}")])?));
        facts.extend(self.variables.iter().filter_map(value));
        facts.extend(self.players.iter().filter_map(score));
        let player = state.get("player", &[]).map(|player| player.strip_prefix(PLAYER).unwrap_or(player));
        facts.extend(player.map(|player| Fact::alone("in control", player)));
        Scene { boards: vec![Setup { board: &self.board, at, cursor }], tables: Vec::new(), facts }
    }
}

/// The layout and all places. Boards that are too large to draw, or have vertices whose names are not those of the layout, are graphs.
fn places(board: &ast::Board) -> (Layout, Vec<Place>) {
    let names = || board.vertices.iter().map(|vertex| vertex.name.text.as_str());
    let placed = match board.layout {
        ast::Layout::Rectangle { columns, rows } if u64::from(columns) * u64::from(rows) <= MAX_CELLS => {
            let place = |name: &str| {
                let (column, row) = grid(name)?;
                let label = coordinates(column, rows.checked_sub(row + 1)?);
                Some(Place { name: name.to_owned(), label, x: real(column), y: real(row) })
            };
            names().map(place).collect::<Option<_>>().map(|places| (Layout::Rectangle { columns, rows }, places))
        }
        ast::Layout::Hexagon => hexagon(&names().collect::<Vec<_>>()).map(|places| (Layout::Hexagon, places)),
        ast::Layout::Cuboid { columns, rows, layers }
            if u64::from(columns) * u64::from(rows) * u64::from(layers) <= MAX_CELLS =>
        {
            let place = |name: &str| {
                let (column, row, layer) = cuboid(name)?;
                let y = layer.checked_mul(rows + 1)?.checked_add(row)?;
                Some(Place { name: name.to_owned(), label: name.to_owned(), x: real(column), y: real(y) })
            };
            let layout = Layout::Cuboid { columns, rows, layers };
            names().map(place).collect::<Option<_>>().map(|places| (layout, places))
        }
        _ => None,
    };
    placed.unwrap_or_else(|| {
        let known = embedded(board).unwrap_or_else(|| vec![(0, 0); board.vertices.len()]);
        let point = |(name, (x, y)): (&str, (u32, u32))| Place {
            name: name.to_owned(),
            label: name.to_owned(),
            x: real(x),
            y: real(y),
        };
        (Layout::Graph, names().zip(known).map(point).collect())
    })
}

/// `hx<column>y<row>`: rows are centred, and as long as there are vertices in them, holes between them included.
fn hexagon(names: &[&str]) -> Option<Vec<Place>> {
    let parse = |name: &&str| -> Option<(u32, u32)> {
        let (column, row) = name.strip_prefix("hx")?.split_once('y')?;
        Some((column.parse().ok()?, row.parse().ok()?))
    };
    let cells: Vec<(u32, u32)> = names.iter().map(parse).collect::<Option<_>>()?;
    let rows = cells.iter().map(|&(_, row)| u64::from(row) + 1).max()?;
    let longest = cells.iter().map(|&(column, _)| u64::from(column) + 1).max()?;
    if rows.saturating_mul(longest) > MAX_CELLS {
        return None;
    }
    let mut lengths: FxHashMap<u32, u32> = FxHashMap::default();
    for &(column, row) in &cells {
        let length = lengths.entry(row).or_default();
        *length = (*length).max(column + 1);
    }
    let place = |(name, &(column, row)): (&&str, &(u32, u32))| {
        let indent = u32::try_from(longest).ok()?.checked_sub(*lengths.get(&row)?)?;
        let label = coordinates(column, u32::try_from(rows).ok()?.checked_sub(row + 1)?);
        Some(Place { name: (*name).to_owned(), label, x: real(column) + real(indent) / 2.0, y: real(row) })
    };
    names.iter().zip(&cells).map(place).collect()
}

/// All pairs of vertices with an edge between them, in either direction.
fn lines(board: &ast::Board) -> Vec<(u32, u32)> {
    let from = |(from, vertex): (u32, &ast::Vertex)| -> Vec<(u32, u32)> {
        vertex.edges.iter().map(|&(_, to)| (from.min(to), from.max(to))).collect()
    };
    let mut lines: Vec<(u32, u32)> = (0..).zip(&board.vertices).flat_map(from).filter(|(a, b)| a != b).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// A number below 2²⁴ as it is.
fn real(number: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "boards that are drawn are smaller")]
    let real = number as f32;
    real
}

/// Column and row of a vertex of a rectangle: `rx<column>y<row>`.
pub(super) fn grid(name: &str) -> Option<(u32, u32)> {
    let (column, row) = name.strip_prefix("rx")?.split_once('y')?;
    Some((column.parse().ok()?, row.parse().ok()?))
}

/// Column, row and layer of a vertex of a cuboid: `cx<column>y<row>z<layer>`.
fn cuboid(name: &str) -> Option<(u32, u32, u32)> {
    let (column, rest) = name.strip_prefix("cx")?.split_once('y')?;
    let (row, layer) = rest.split_once('z')?;
    Some((column.parse().ok()?, row.parse().ok()?, layer.parse().ok()?))
}
