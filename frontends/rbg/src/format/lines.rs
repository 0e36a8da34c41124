//! Where the lines begin with which directives go on.

use super::{TAB, indentation, items};
use crate::lexer::{Kind, Lexed};
use rustc_hash::FxHashMap;

/// A line of a directive behind the first one.
struct Line {
    /// Its first byte.
    start: u32,
    column: usize,
    /// Brackets that are open in front of it, without the one that it closes.
    depth: usize,
    /// Whether it begins with a bracket that closes.
    closes: bool,
}

impl Line {
    /// Whether it may stand at the left margin: it closes what the directive has opened.
    fn is_end(&self) -> bool {
        self.closes && self.depth == 0
    }
}

/// The new columns of lines that stand at the left margin in the middle of a directive, and of those around them, by their first bytes. Linear.
pub(super) fn columns(lexed: &Lexed, text: &str) -> FxHashMap<u32, usize> {
    let mut columns = FxHashMap::default();
    let mut lines: Vec<Line> = Vec::new();
    // Comments behind a directive are about what follows.
    let mut comments: Vec<Line> = Vec::new();
    let (mut depth, mut end, mut inside) = (0_usize, 0_u32, false);
    for item in items(&lexed.tokens, &lexed.comments) {
        let gap = text.get(end as usize..item.start as usize).unwrap_or_default();
        end = item.end;
        if item.kind == Some(Kind::Hash) {
            columns.extend(moved(&lines));
            lines.clear();
            comments.clear();
            (depth, inside) = (0, true);
            continue;
        }
        let closes = item.kind.is_some_and(Kind::closes);
        let around = depth.saturating_sub(usize::from(closes));
        let line = Line { start: item.start, column: indentation(gap), depth: around, closes };
        let begins = inside && gap.contains('\n');
        match item.kind {
            None => comments.extend(begins.then_some(line)),
            Some(kind) => {
                lines.append(&mut comments);
                lines.extend(begins.then_some(line));
                depth = if kind.opens() { depth + 1 } else { around };
            }
        }
    }
    columns.extend(moved(&lines));
    columns
}

/// The lines of a directive that move, with their new columns.
fn moved(lines: &[Line]) -> Vec<(u32, usize)> {
    let inner = || lines.iter().filter(|line| !line.is_end());
    if inner().all(|line| line.column > 0) {
        return Vec::new();
    }
    let all = inner().all(|line| line.column == 0);
    let column = |line: &Line| if all { TAB * line.depth.max(1) } else { line.column + TAB };
    inner().map(|line| (line.start, column(line))).collect()
}
