//! What can be folded: items, and comments of several lines.

use crate::document::Document;
use gen_lsp_types::{FoldingRange, FoldingRangeKind};
use rg_ir::Span;
use rg_ir::index::Class;

/// What can be folded, by where it begins.
pub(crate) fn ranges(document: &Document) -> Option<Vec<FoldingRange>> {
    let index = document.index();
    let items = index.items().values().map(|item| (item.span, None));
    let comments = comments(document).into_iter().map(|span| (span, Some(FoldingRangeKind::Comment)));
    let mut found: Vec<FoldingRange> = items
        .chain(comments)
        .map(|(span, kind)| FoldingRange {
            start_line: document.lines.line(span.start),
            end_line: document.lines.line(span.end),
            kind,
            ..FoldingRange::default()
        })
        .filter(|range| range.start_line < range.end_line)
        .collect();
    found.sort_by_key(|range| (range.start_line, range.end_line));
    found.dedup_by_key(|range| range.start_line);
    Some(found)
}

/// Comments that follow each other on lines of their own, each run as one.
fn comments(document: &Document) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    for &(span, class) in document.index().tokens() {
        if class != Class::Comment {
            continue;
        }
        let gap = |run: &Span| document.text.get(run.end as usize..span.start as usize).unwrap_or("?");
        match runs.last_mut() {
            Some(run) if gap(run).trim().is_empty() && gap(run).matches('\n').count() <= 1 => *run = run.to(span),
            _ => runs.push(span),
        }
    }
    runs
}
