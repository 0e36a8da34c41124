//! Building the board: explicit vertices and the generators (section 4 of the specification).

use std::collections::hash_map::Entry;

use rg_ir::{Diagnostic, Report, Symbol};
use rustc_hash::FxHashMap;

use crate::ast::{Board, Layout, Name, Vertex};
use crate::codes;
use crate::declare::{Declared, Scope};
use crate::directives::count;
use crate::lexer::Kind;
use crate::raw::{Parsed, RawLayer, RawRow, RawVertex, TokenIndex};
use crate::report::Located;
use crate::syntax::Text;

/// The directions of the usual boards, in the order in which they are given.
pub(crate) const RECTANGLE: [&str; 4] = ["up", "down", "left", "right"];
pub(crate) const HEXAGON: [&str; 6] = ["northWest", "northEast", "east", "southEast", "southWest", "west"];
pub(crate) const CUBOID: [&str; 6] = ["up", "down", "left", "right", "front", "back"];

/// Misspelt names for which a correction is looked for.
const MAX_SUGGESTIONS: usize = 20;

/// Builds the board of a parsed section, declaring its labels in `scope`; `None` if there is an error. Linear. The layout is
/// left to the canonical form.
pub(crate) fn build(parsed: &Parsed, text: &Text<'_>, scope: &mut Scope, report: &mut Report) -> Option<Board> {
    let mut builder = Builder::new(text, scope, report);
    let built = match parsed {
        Parsed::Vertices(vertices) => builder.explicit(vertices),
        Parsed::Grid { hexagon: false, start, labels, rows } => builder.rectangle(*start, labels, rows),
        Parsed::Grid { hexagon: true, start, labels, rows } => builder.hexagon(*start, labels, rows),
        Parsed::Cuboid { start, labels, layers } => builder.cuboid(*start, labels, layers),
        Parsed::Names(_) | Parsed::Bounded(_) | Parsed::Rules(_) => None,
    };
    if built.is_none() {
        builder.scope.lacks(Declared::Label(0));
        return None;
    }
    if builder.vertices.is_empty() && builder.errors == 0 {
        let origin = text.origin(0);
        let diagnostic = Diagnostic::error(codes::EMPTY_BOARD, origin.span, "the board has no vertex");
        report.at(text.steps, text.names, origin, diagnostic);
        return None;
    }
    let board = Board { vertices: builder.vertices, labels: builder.labels, layout: Layout::Explicit };
    if builder.errors > 0 {
        return None;
    }
    labels_without_edges(&board, text, report);
    Some(board)
}

/// Declares the labels of a board that could not be parsed, so that the rules can be checked all the same: those in front of the rows of a usual board,
/// and those before colons where vertices are written one by one. Linear.
pub(crate) fn labels(text: &Text<'_>, scope: &mut Scope, report: &mut Report) {
    let tokens = (0u32..).zip(text.tokens).filter_map(|(at, token)| Some((at, token.kind?)));
    let tokens: Vec<(TokenIndex, Kind)> = tokens.collect();
    let before =
        |sign: Kind| move |pair: &&[(TokenIndex, Kind)]| matches!(pair, [(_, Kind::Ident), (_, next)] if *next == sign);
    let usual = |directions: usize| {
        let list = tokens.get(2..).unwrap_or_default().chunks(2).take_while(before(Kind::Comma)).take(directions);
        let labels: Vec<TokenIndex> = list.flatten().step_by(2).map(|(at, _)| *at).collect();
        (labels.len() == directions).then_some(labels)
    };
    let labels = match tokens.as_slice() {
        [(_, Kind::Rectangle), ..] => usual(RECTANGLE.len()),
        [(_, Kind::Hexagon), ..] => usual(HEXAGON.len()),
        [(_, Kind::Cuboid), ..] => usual(CUBOID.len()),
        [(_, Kind::Ident), (_, Kind::BracketOpen), ..] => {
            Some(tokens.windows(2).filter(before(Kind::Colon)).flatten().step_by(2).map(|(at, _)| *at).collect())
        }
        _ => None,
    };
    if labels.is_none() {
        scope.lacks(Declared::Label(0));
    }
    let mut builder = Builder::new(text, scope, report);
    labels.into_iter().flatten().for_each(|label| {
        builder.label(label);
    });
}

fn labels_without_edges(board: &Board, text: &Text<'_>, report: &mut Report) {
    let mut used = vec![false; board.labels.len()];
    for &(label, _) in board.vertices.iter().flat_map(|vertex| &vertex.edges) {
        if let Some(slot) = used.get_mut(label as usize) {
            *slot = true;
        }
    }
    for (label, _) in board.labels.iter().zip(used).filter(|&(_, used)| !used) {
        let message = format!("no edge carries the label `{}`", label.text);
        let diagnostic = Diagnostic::lint(codes::LABEL_WITHOUT_EDGES, label.origin.span, message);
        report.at(text.steps, text.names, label.origin, diagnostic);
    }
}

/// A cell of a generated board: where its vertex is, if it is not a hole.
type Grid = Vec<Vec<Option<u32>>>;

struct Builder<'a, 't> {
    text: &'a Text<'t>,
    scope: &'a mut Scope,
    report: &'a mut Report,
    labels: Vec<Name>,
    vertices: Vec<Vertex>,
    errors: usize,
}

impl<'a, 't> Builder<'a, 't> {
    fn new(text: &'a Text<'t>, scope: &'a mut Scope, report: &'a mut Report) -> Self {
        Self { text, scope, report, labels: Vec::new(), vertices: Vec::new(), errors: 0 }
    }
}

impl Builder<'_, '_> {
    fn error(
        &mut self,
        token: TokenIndex,
        code: &'static str,
        message: String,
        finish: impl Fn(Diagnostic) -> Diagnostic,
    ) {
        self.errors += 1;
        let origin = self.text.origin(token as usize);
        let diagnostic = finish(Diagnostic::error(code, origin.span, message));
        self.report.at(self.text.steps, self.text.names, origin, diagnostic);
    }

    fn name(&self, token: TokenIndex) -> Name {
        Name { text: self.text.text(token as usize).to_owned(), origin: self.text.origin(token as usize) }
    }

    fn symbol(&self, token: TokenIndex) -> Option<Symbol> {
        self.text.tokens.get(token as usize).map(|t| t.sym)
    }

    fn piece(&mut self, token: TokenIndex) -> Option<u32> {
        let symbol = self.symbol(token)?;
        let found = self.scope.get(symbol);
        if let Some(Declared::Piece(piece)) = found {
            return Some(piece);
        }
        self.errors += 1;
        if self.scope.knows(|declared| matches!(declared, Declared::Piece(_))) {
            let name = self.text.text(token as usize).to_owned();
            let near = if self.errors < MAX_SUGGESTIONS { usize::MAX } else { 0 };
            let names = self.text.names;
            let candidates: Vec<String> = self.scope.pieces().take(near).map(|s| names.name(s).to_owned()).collect();
            let message = match found {
                Some(other) => format!("expected a piece, but `{name}` is {}", other.a_kind()),
                None => format!("unknown piece `{name}`"),
            };
            self.error(token, codes::UNKNOWN_PIECE, message, |d| {
                d.suggest(&name, candidates.iter().map(String::as_str))
            });
        }
        None
    }

    /// The number of a label, declared now if it is new.
    fn label(&mut self, token: TokenIndex) -> Option<u32> {
        let symbol = self.symbol(token)?;
        if let Some(Declared::Label(label)) = self.scope.get(symbol) {
            return Some(label);
        }
        let label = small(self.labels.len());
        let origin = self.text.origin(token as usize);
        if !self.scope.declare(symbol, Declared::Label(label), origin, self.text, self.report) {
            self.errors += 1;
            return None;
        }
        self.labels.push(self.name(token));
        Some(label)
    }

    fn explicit(&mut self, vertices: &[RawVertex]) -> Option<()> {
        let mut ids: FxHashMap<Symbol, u32> = FxHashMap::default();
        for (index, vertex) in (0u32..).zip(vertices) {
            match ids.entry(self.symbol(vertex.name)?) {
                Entry::Vacant(slot) => {
                    slot.insert(index);
                }
                Entry::Occupied(earlier) => {
                    let first = vertices.get(*earlier.get() as usize).map_or(vertex.name, |v| v.name);
                    let span = self.text.origin(first as usize).span;
                    let message = format!("vertex `{}` is declared twice", self.text.text(vertex.name as usize));
                    self.error(vertex.name, codes::DUPLICATE_VERTEX, message, |d| d.also(span, "the first one"));
                }
            }
        }
        // Per label: the last vertex that had it, to find repetitions.
        let mut seen: Vec<Option<(usize, TokenIndex)>> = Vec::new();
        for (number, vertex) in vertices.iter().enumerate() {
            let piece = self.piece(vertex.piece);
            let mut edges = Vec::with_capacity(vertex.edges.len());
            for &(label, target) in &vertex.edges {
                edges.extend(self.edge(label, target, number, &ids, &mut seen));
            }
            if let Some(piece) = piece {
                self.vertices.push(Vertex { name: self.name(vertex.name), piece, edges });
            }
        }
        Some(())
    }

    fn edge(
        &mut self,
        label: TokenIndex,
        target: TokenIndex,
        vertex: usize,
        ids: &FxHashMap<Symbol, u32>,
        seen: &mut Vec<Option<(usize, TokenIndex)>>,
    ) -> Option<(u32, u32)> {
        let symbol = self.symbol(target)?;
        let to = ids.get(&symbol).copied();
        if to.is_none() {
            let name = self.text.text(target as usize).to_owned();
            let near = if self.errors < MAX_SUGGESTIONS { usize::MAX } else { 0 };
            let mut sorted: Vec<&str> = ids.keys().take(near).map(|&s| self.text.names.name(s)).collect();
            sorted.sort_unstable();
            let message = format!("unknown vertex `{name}`");
            self.error(target, codes::UNKNOWN_VERTEX, message, |d| d.suggest(&name, sorted.iter().copied()));
        }
        let number = self.label(label)?;
        seen.resize(seen.len().max(self.labels.len()), None);
        let slot = seen.get_mut(number as usize)?;
        if let Some((_, earlier)) = slot.filter(|&(v, _)| v == vertex) {
            let span = self.text.origin(earlier as usize).span;
            let message = format!("this vertex has two edges `{}`", self.text.text(label as usize));
            self.error(label, codes::DUPLICATE_EDGE, message, |d| d.also(span, "the first one"));
            return None;
        }
        *slot = Some((vertex, label));
        Some((number, to?))
    }

    /// The labels of a generator; `None` if there are too few or too many, or one is not free.
    fn directions(&mut self, start: TokenIndex, tokens: &[TokenIndex], positions: &[&str]) -> Option<Vec<u32>> {
        let generator = self.text.text(start as usize).to_owned();
        if tokens.len() != positions.len() {
            let message =
                format!("`{generator}` takes {}, found {}", count(positions.len(), "edge label"), tokens.len());
            let help = format!("give the labels for {}, in this order, then the rows", positions.join(", "));
            self.error(start, codes::WRONG_LABEL_COUNT, message, |d| d.help(help.clone()));
            return None;
        }
        let mut labels = Vec::new();
        for &token in tokens {
            let before = self.labels.len();
            let label = self.label(token)?;
            if self.labels.len() == before {
                let first = self.labels.get(label as usize).map_or(self.text.origin(0), |name| name.origin);
                let message = format!("`{generator}` has two labels `{}`", self.text.text(token as usize));
                self.error(token, codes::DUPLICATE_NAME, message, |d| d.also(first.span, "the first one"));
                return None;
            }
            labels.push(label);
        }
        Some(labels)
    }

    /// Makes the vertices of some rows.
    fn cells(&mut self, rows: &[RawRow], name: impl Fn(usize, usize) -> String) -> Grid {
        let mut grid = Vec::with_capacity(rows.len());
        for (y, row) in rows.iter().enumerate() {
            if let [None] = row.cells.as_slice() {
                let help = "a row needs a piece in each cell, or nothing between two commas for a hole";
                self.error(row.start, codes::EMPTY, "an empty row".to_owned(), |d| d.help(help));
            }
            let mut line = Vec::with_capacity(row.cells.len());
            for (x, cell) in row.cells.iter().enumerate() {
                line.push(cell.and_then(|token| {
                    let piece = self.piece(token)?;
                    let id = small(self.vertices.len());
                    let name = Name { text: name(x, y), origin: self.text.origin(token as usize) };
                    self.vertices.push(Vertex { name, piece, edges: Vec::new() });
                    Some(id)
                }));
            }
            grid.push(line);
        }
        grid
    }

    fn same_length(&mut self, rows: &[RawRow], columns: usize) {
        if let Some(row) = rows.iter().find(|row| row.cells.len() != columns) {
            let found = row.cells.len();
            let message = format!("this row has {}, the first row has {columns}", count(found, "cell"));
            self.error(row.start, codes::BOARD_SHAPE, message, |d| d.help("write commas for missing cells"));
        }
    }

    /// Connects two cells, if both exist.
    fn connect(&mut self, label: Option<u32>, from: Option<u32>, to: Option<u32>) {
        if let (Some(label), Some(from), Some(to)) = (label, from, to)
            && let Some(vertex) = self.vertices.get_mut(from as usize)
        {
            vertex.edges.push((label, to));
        }
    }

    fn connect_rows(&mut self, grid: &Grid, labels: &[u32]) {
        for (y, x) in positions(grid) {
            let here = cell(grid, Some(y), Some(x));
            let around = [
                (y.checked_sub(1), Some(x)),
                (Some(y + 1), Some(x)),
                (Some(y), x.checked_sub(1)),
                (Some(y), Some(x + 1)),
            ];
            for (number, (row, column)) in around.into_iter().enumerate() {
                self.connect(labels.get(number).copied(), here, cell(grid, row, column));
            }
        }
    }

    fn rectangle(&mut self, start: TokenIndex, labels: &[TokenIndex], rows: &[RawRow]) -> Option<()> {
        let labels = self.directions(start, labels, &RECTANGLE)?;
        let columns = rows.first().map_or(0, |row| row.cells.len());
        self.same_length(rows, columns);
        let grid = self.cells(rows, |x, y| format!("rx{x}y{y}"));
        self.connect_rows(&grid, &labels);
        Some(())
    }

    fn hexagon(&mut self, start: TokenIndex, labels: &[TokenIndex], rows: &[RawRow]) -> Option<()> {
        let labels = self.directions(start, labels, &HEXAGON)?;
        let longest = self.hexagon_shape(rows);
        let grid = self.cells(rows, |x, y| format!("hx{x}y{y}"));
        for (y, x) in positions(&grid) {
            let here = cell(&grid, Some(y), Some(x));
            // Which columns of the rows above and below touch this cell depends on whether those rows are shorter.
            let (above_left, above_right) = if y <= longest { (x.checked_sub(1), x) } else { (Some(x), x + 1) };
            let (below_left, below_right) = if y < longest { (Some(x), x + 1) } else { (x.checked_sub(1), x) };
            let around = [
                (y.checked_sub(1), above_left),
                (y.checked_sub(1), Some(above_right)),
                (Some(y), Some(x + 1)),
                (Some(y + 1), Some(below_right)),
                (Some(y + 1), below_left),
                (Some(y), x.checked_sub(1)),
            ];
            for (number, (row, column)) in around.into_iter().enumerate() {
                self.connect(labels.get(number).copied(), here, cell(&grid, row, column));
            }
        }
        Some(())
    }

    /// Checks that row lengths grow by one, then shrink by one; returns the index of the longest row.
    fn hexagon_shape(&mut self, rows: &[RawRow]) -> usize {
        let mut longest = 0;
        let mut shrinking = false;
        for (y, pair) in rows.windows(2).enumerate() {
            let [above, row] = pair else { continue };
            let (before, length) = (above.cells.len(), row.cells.len());
            if length + 1 == before {
                shrinking = true;
            } else if length == before + 1 && !shrinking {
                longest = y + 1;
            } else {
                let message = format!("this row has {}, the one before has {before}", count(length, "cell"));
                let help = "the rows of a hexagon grow by one cell each, then shrink by one cell each";
                self.error(row.start, codes::BOARD_SHAPE, message, |d| d.help(help));
                break;
            }
        }
        longest
    }

    fn cuboid(&mut self, start: TokenIndex, labels: &[TokenIndex], layers: &[RawLayer]) -> Option<()> {
        let labels = self.directions(start, labels, &CUBOID)?;
        let first = layers.first().map_or(&[][..], |layer| &layer.rows);
        let columns = first.first().map_or(0, |row| row.cells.len());
        let mut grids = Vec::with_capacity(layers.len());
        for (z, layer) in layers.iter().enumerate() {
            if layer.rows.len() != first.len() {
                let message =
                    format!("this layer has {}, the first layer has {}", count(layer.rows.len(), "row"), first.len());
                self.error(layer.start, codes::BOARD_SHAPE, message, |d| d);
            }
            self.same_length(&layer.rows, columns);
            let grid = self.cells(&layer.rows, |x, y| format!("cx{x}y{y}z{z}"));
            self.connect_rows(&grid, &labels);
            grids.push(grid);
        }
        for pair in grids.windows(2) {
            let [back, front] = pair else { continue };
            for (y, x) in positions(back) {
                let (near, far) = (cell(back, Some(y), Some(x)), cell(front, Some(y), Some(x)));
                self.connect(labels.get(4).copied(), near, far);
                self.connect(labels.get(5).copied(), far, near);
            }
        }
        Some(())
    }
}

/// All cells, as row and column.
fn positions(grid: &Grid) -> impl Iterator<Item = (usize, usize)> + use<'_> {
    grid.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (y, x)))
}

fn cell(grid: &Grid, row: Option<usize>, column: Option<usize>) -> Option<u32> {
    grid.get(row?)?.get(column?).copied().flatten()
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
