//! The size of the board, as a hint.

use super::Indexer;
use crate::directives::Section;
use crate::lexer::Kind;
use crate::macros::Expanded;

/// Boards with at most so many vertices, written one by one, get no hint.
const FEW: usize = 8;

/// A row of a usual board.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Row {
    /// The number of the layer that it is in, in a cuboid.
    layer: usize,
    columns: usize,
    /// Cells that are no holes.
    cells: usize,
}

impl Indexer<'_> {
    /// Says how large the board is, behind it: `8×8`; where vertices are written one by one, behind the title of the section.
    pub(super) fn size(&mut self, tokens: &[Expanded]) {
        let generator =
            tokens.iter().find(|token| matches!(token.kind, Some(Kind::Rectangle | Kind::Hexagon | Kind::Cuboid)));
        match generator {
            Some(word) => {
                if let Some(size) = word.kind.and_then(|kind| usual(kind, &rows(tokens, kind == Kind::Cuboid)?)) {
                    // A macro may have the end.
                    let last = tokens.last().filter(|last| last.expansion.is_none()).unwrap_or(word);
                    self.builder.hint(last.end, format!(" {size}"));
                }
            }
            None => {
                let vertices = written(tokens);
                let title = self.directives.sections.get(Section::Board as usize).copied().flatten();
                if let Some(title) = title.filter(|_| vertices > FEW) {
                    self.builder.hint(title.span.end, format!(" {vertices} vertices"));
                }
            }
        }
    }
}

/// The rows of a usual board; `None` if brackets are not closed. Linear.
fn rows(tokens: &[Expanded], layered: bool) -> Option<Vec<Row>> {
    let (mut rows, mut open, mut layer) = (Vec::new(), 0_usize, 0);
    let depth = if layered { 2 } else { 1 };
    let mut row = Row { layer: 0, columns: 1, cells: 0 };
    for kind in tokens.iter().filter_map(|token| token.kind) {
        match kind {
            Kind::BracketOpen => {
                open += 1;
                row = Row { layer, columns: 1, cells: 0 };
            }
            Kind::BracketClose => {
                if open == depth {
                    rows.push(row);
                }
                open = open.checked_sub(1)?;
                layer += usize::from(open == 0);
            }
            Kind::Comma if open == depth => row.columns += 1,
            Kind::Ident if open == depth => row.cells += 1,
            _ => {}
        }
    }
    (open == 0 && !rows.is_empty()).then_some(rows)
}

/// The size of a usual board with these rows, if they fit each other.
fn usual(kind: Kind, rows: &[Row]) -> Option<String> {
    let cells: usize = rows.iter().map(|row| row.cells).sum();
    let columns = rows.first()?.columns;
    if kind == Kind::Hexagon {
        return Some(format!("{cells} vertices"));
    }
    if rows.iter().any(|row| row.columns != columns) {
        return None;
    }
    let layers = if kind == Kind::Cuboid { rows.last()?.layer + 1 } else { 1 };
    let each = rows.len() / layers;
    let even = rows.chunk_by(|a, b| a.layer == b.layer).all(|layer| layer.len() == each);
    if kind == Kind::Cuboid && !even {
        return None;
    }
    let size = match kind {
        Kind::Cuboid => format!("{columns}×{each}×{layers}"),
        _ => format!("{columns}×{}", rows.len()),
    };
    let whole = columns * rows.len() == cells;
    Some(if whole { size } else { format!("{size}, {cells} vertices") })
}

/// How many vertices are written one by one: names with a piece in square brackets behind them.
fn written(tokens: &[Expanded]) -> usize {
    let begins = |pair: &&[Expanded]| matches!(pair, [name, open] if name.kind == Some(Kind::Ident) && open.kind == Some(Kind::BracketOpen));
    tokens.windows(2).filter(begins).count()
}
