//! States drawn as text.

use super::{PIECE, PLAYER, VARIABLE, VERTEX};
use crate::ast::{Description, Layout};
use rg_ir::StateView;
use rustc_hash::FxHashMap;

/// Columns of a line that lists vertices.
const WIDTH: usize = 100;
/// A drawing of more cells than this is replaced by a list.
const MAX_CELLS: u64 = 1 << 20;

/// One line of the board: positions of vertices, or holes.
#[derive(Clone, Debug)]
struct Line {
    /// Half cells to leave free.
    indent: usize,
    /// Left of the line.
    label: String,
    cells: Vec<Option<usize>>,
}

/// What is needed to draw a state.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    vertices: Vec<String>,
    /// Blocks of lines; none if the vertices are to be listed.
    blocks: Vec<Vec<Line>>,
    /// Under the last block.
    columns: Vec<String>,
    /// Abbreviations by translated name.
    pieces: FxHashMap<String, String>,
    variables: Vec<String>,
    players: Vec<String>,
}

impl Picture {
    /// Linear in the size of the board (holes included) and the declarations.
    pub(super) fn new(description: &Description) -> Self {
        let vertices: Vec<String> = description.board.vertices.iter().map(|v| v.name.text.clone()).collect();
        let (blocks, columns) = match description.board.layout {
            Layout::Rectangle { columns, rows } if u64::from(columns) * u64::from(rows) <= MAX_CELLS => {
                (vec![rectangle(&vertices, columns, rows)], (0..columns).map(letters).collect())
            }
            Layout::Hexagon => (hexagon(&vertices), Vec::new()),
            Layout::Cuboid { columns, rows, layers }
                if u64::from(columns) * u64::from(rows) * u64::from(layers) <= MAX_CELLS =>
            {
                (cuboid(&vertices, columns, rows, layers), Vec::new())
            }
            _ => (Vec::new(), Vec::new()),
        };
        Self {
            blocks,
            columns,
            pieces: abbreviations(description),
            variables: description.variables.iter().map(|v| v.name.text.clone()).collect(),
            players: description.players.iter().map(|p| p.name.text.clone()).collect(),
            vertices,
        }
    }

    /// The board, the current vertex, variables, scores and who is in control.
    pub(super) fn draw(&self, state: &dyn StateView) -> String {
        let mut out = String::new();
        if self.blocks.is_empty() {
            self.list(state, &mut out);
        } else {
            self.board(state, &mut out);
        }
        let plain = |symbol: &str, prefix: &str| symbol.strip_prefix(prefix).unwrap_or(symbol).to_owned();
        if let Some(vertex) = state.get("pos", &[]) {
            out.push_str(&format!("current vertex: {}\n", plain(vertex, VERTEX)));
        }
        let value = |name: &String| Some(format!("{name} = {}", state.get(&format!("{VARIABLE}{name}"), &[])?));
        let score = |name: &String| Some(format!("{name} = {}", state.get("goals", &[&format!("{PLAYER}{name}")])?));
        let variables: Vec<String> = self.variables.iter().filter_map(value).collect();
        let scores: Vec<String> = self.players.iter().filter_map(score).collect();
        for (title, values) in [("variables", variables), ("scores", scores)] {
            if !values.is_empty() {
                out.push_str(&format!("{title}: {}\n", values.join(", ")));
            }
        }
        if let Some(player) = state.get("player", &[]) {
            out.push_str(&format!("in control: {}\n", plain(player, PLAYER)));
        }
        out
    }

    fn piece<'a>(&'a self, state: &'a dyn StateView, vertex: usize) -> Option<&'a str> {
        let name = self.vertices.get(vertex)?;
        let symbol = state.get("board", &[&format!("{VERTEX}{name}")])?;
        Some(self.pieces.get(symbol).map_or(symbol, String::as_str))
    }

    fn board(&self, state: &dyn StateView, out: &mut String) {
        let lines = || self.blocks.iter().flatten();
        let longest = self.pieces.values().chain(&self.columns).map(|text| text.chars().count()).max();
        // Odd, so that half a cell is a whole number of columns.
        let width = (longest.unwrap_or(1) + 1) | 1;
        let width =
            if lines().any(|line| line.indent > 0) { width + 1 } else { width - usize::from(longest == Some(1)) };
        let margin = lines().map(|line| line.label.len()).max().unwrap_or(0);
        for (number, block) in self.blocks.iter().enumerate() {
            if number > 0 {
                out.push('\n');
            }
            for line in block {
                let mut text = format!("{:>margin$}{:indent$}", line.label, "", indent = line.indent * width / 2);
                for cell in &line.cells {
                    let piece = cell.and_then(|vertex| self.piece(state, vertex)).unwrap_or("");
                    text.push_str(&format!("{piece:>width$}"));
                }
                out.push_str(text.trim_end());
                out.push('\n');
            }
        }
        if !self.columns.is_empty() {
            let letters: String = self.columns.iter().map(|letters| format!("{letters:>width$}")).collect();
            out.push_str(&format!("{:margin$}{letters}\n", ""));
        }
    }

    fn list(&self, state: &dyn StateView, out: &mut String) {
        let mut column = 0;
        for (position, name) in self.vertices.iter().enumerate() {
            let entry = format!("{name}[{}]", self.piece(state, position).unwrap_or(""));
            if column > 0 && column + entry.len() + 1 > WIDTH {
                out.push('\n');
                column = 0;
            }
            if column > 0 {
                out.push(' ');
            }
            out.push_str(&entry);
            column += entry.len() + 1;
        }
        out.push('\n');
    }
}

/// Column and row of a vertex of a rectangle: `rx<column>y<row>`.
pub(super) fn grid(name: &str) -> Option<(u32, u32)> {
    let (column, row) = name.strip_prefix("rx")?.split_once('y')?;
    Some((column.parse().ok()?, row.parse().ok()?))
}

/// Column letters, and the row counted from the bottom.
pub(super) fn coordinates(column: u32, row: u32, rows: u32) -> String {
    format!("{}{}", letters(column), rows.saturating_sub(row))
}

/// `a` to `z`, `aa`, `ab`, …
fn letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

fn place(cells: &mut [Line], row: u32, column: u32, vertex: usize) {
    let cell = cells.get_mut(row as usize).and_then(|line| line.cells.get_mut(column as usize));
    if let Some(cell) = cell {
        *cell = Some(vertex);
    }
}

fn rectangle(vertices: &[String], columns: u32, rows: u32) -> Vec<Line> {
    let line = |row| Line { indent: 0, label: format!("{}", rows - row), cells: vec![None; columns as usize] };
    let mut lines: Vec<Line> = (0..rows).map(line).collect();
    for (position, name) in vertices.iter().enumerate() {
        if let Some((column, row)) = grid(name) {
            place(&mut lines, row, column, position);
        }
    }
    lines
}

/// `hx<column>y<row>`: rows are centred. Only as many cells per row as there are vertices, holes between them included.
fn hexagon(vertices: &[String]) -> Vec<Vec<Line>> {
    let parse = |name: &str| -> Option<(u32, u32)> {
        let (column, row) = name.strip_prefix("hx")?.split_once('y')?;
        Some((column.parse().ok()?, row.parse().ok()?))
    };
    let cells: Vec<Option<(u32, u32)>> = vertices.iter().map(|name| parse(name)).collect();
    let limit = u32::try_from(MAX_CELLS).unwrap_or(u32::MAX);
    let rows = cells.iter().flatten().map(|&(_, row)| row.saturating_add(1)).max().unwrap_or(0);
    if rows > limit || cells.iter().any(|cell| cell.is_none_or(|(column, _)| column >= limit)) {
        return Vec::new();
    }
    let mut lengths = vec![0usize; rows as usize];
    for &(column, row) in cells.iter().flatten() {
        if let Some(length) = lengths.get_mut(row as usize) {
            *length = (*length).max(column as usize + 1);
        }
    }
    let longest = lengths.iter().max().copied().unwrap_or(0);
    if lengths.iter().map(|&length| length as u64).sum::<u64>() > MAX_CELLS {
        return Vec::new();
    }
    let line = |length: usize| Line { indent: longest - length, label: String::new(), cells: vec![None; length] };
    let mut lines: Vec<Line> = lengths.into_iter().map(line).collect();
    for (position, cell) in cells.into_iter().enumerate() {
        if let Some((column, row)) = cell {
            place(&mut lines, row, column, position);
        }
    }
    vec![lines]
}

/// `cx<column>y<row>z<layer>`, layer by layer.
fn cuboid(vertices: &[String], columns: u32, rows: u32, layers: u32) -> Vec<Vec<Line>> {
    let line = || Line { indent: 0, label: String::new(), cells: vec![None; columns as usize] };
    let mut blocks: Vec<Vec<Line>> = (0..layers).map(|_| (0..rows).map(|_| line()).collect()).collect();
    for (position, name) in vertices.iter().enumerate() {
        let parts = name.strip_prefix("cx").and_then(|rest| {
            let (column, rest) = rest.split_once('y')?;
            let (row, layer) = rest.split_once('z')?;
            Some((column.parse().ok()?, row.parse().ok()?, layer.parse::<usize>().ok()?))
        });
        if let Some((column, row, layer)) = parts
            && let Some(block) = blocks.get_mut(layer)
        {
            place(block, row, column, position);
        }
    }
    blocks
}

/// Short names of the pieces: `.` for the one there is most of at the start; otherwise the initials of the words in the
/// name, and as much of the last word as it takes to tell the pieces apart (`wP`, `wKi`, `wKn`).
fn abbreviations(description: &Description) -> FxHashMap<String, String> {
    let mut amounts = vec![0usize; description.pieces.len()];
    for vertex in &description.board.vertices {
        if let Some(amount) = amounts.get_mut(vertex.piece as usize) {
            *amount += 1;
        }
    }
    let commonest = (0..amounts.len()).rev().max_by_key(|&piece| amounts.get(piece));
    let words: Vec<(String, Vec<char>)> = description.pieces.iter().map(|piece| initials(&piece.text)).collect();
    let mut chosen: Vec<Option<String>> = vec![None; words.len()];
    let longest = words.iter().map(|(_, last)| last.len()).max().unwrap_or(0);
    for length in 1..=longest.min(32) {
        let candidate = |(start, last): &(String, Vec<char>)| -> String {
            start.chars().chain(last.iter().copied().take(length)).collect()
        };
        let candidates: Vec<String> = words.iter().map(candidate).collect();
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        for (text, _) in candidates.iter().zip(0..).filter(|&(_, piece)| Some(piece) != commonest) {
            *uses.entry(text).or_default() += 1;
        }
        for (slot, text) in chosen.iter_mut().zip(&candidates) {
            if slot.is_none() && uses.get(text.as_str()) == Some(&1) {
                *slot = Some(text.clone());
            }
        }
    }
    let mut uses: FxHashMap<String, usize> = FxHashMap::default();
    for text in chosen.iter().flatten() {
        *uses.entry(text.clone()).or_default() += 1;
    }
    let name = |(piece, short): (usize, Option<String>)| {
        let full = description.pieces.get(piece).map_or("", |name| &name.text);
        let unique = short.filter(|text| uses.get(text) == Some(&1)).unwrap_or_else(|| full.to_owned());
        let text = if Some(piece) == commonest { ".".to_owned() } else { unique };
        (format!("{PIECE}{full}"), text)
    };
    chosen.into_iter().enumerate().map(name).collect()
}

/// The initials of all words but the last, and the last word. A capital letter begins a word.
fn initials(name: &str) -> (String, Vec<char>) {
    let mut words: Vec<Vec<char>> = vec![Vec::new()];
    for c in name.chars() {
        if c.is_uppercase() && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(Vec::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    let last = words.pop().unwrap_or_default();
    (words.iter().filter_map(|word| word.first()).collect(), last)
}
