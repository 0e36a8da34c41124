//! Applying the fixes of findings.

use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, SourceId, SourceMap};

/// Whether a fix can be made: its edits lie in texts, and replace what they are meant to replace.
pub fn fits(sources: &SourceMap, fix: &Fix) -> bool {
    fix.edits.iter().all(|edit| {
        let text = sources.get(edit.span.source).and_then(|file| file.text.get(range(edit)));
        text.is_some_and(|text| edit.instead_of.as_ref().is_none_or(|wanted| wanted == text))
    })
}

fn range(edit: &Edit) -> std::ops::Range<usize> {
    edit.span.start as usize..edit.span.end as usize
}

/// The text of a file after the first certain fix of each finding, and how many fixes were made. Of fixes that overlap, the first one is made.
/// O(n log n).
pub fn apply(sources: &SourceMap, source: SourceId, findings: &[Diagnostic]) -> (String, usize) {
    let text = sources.get(source).map_or("", |file| &file.text);
    let certain = |finding: &&Diagnostic| {
        let first = finding.fixes.first();
        first.is_some_and(|fix| fix.applies == Applies::Always && fits(sources, fix))
    };
    let fixes = findings.iter().filter(certain).filter_map(|finding| finding.fixes.first());
    let mut made: Vec<&Edit> = Vec::new();
    let mut count = 0;
    for fix in fixes.filter(|fix| fix.edits.iter().all(|edit| edit.span.source == source)) {
        let overlaps = |edit: &Edit| made.iter().any(|other| touches(edit, other));
        if !fix.edits.iter().any(overlaps) {
            made.extend(&fix.edits);
            count += 1;
        }
    }
    made.sort_by_key(|edit| edit.span.start);
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for edit in made {
        let range = range(edit);
        out.push_str(text.get(end..range.start).unwrap_or_default());
        out.push_str(&edit.text);
        end = range.end;
    }
    out.push_str(text.get(end..).unwrap_or_default());
    (out, count)
}

/// Whether two edits are of the same bytes, or insert at the same place.
fn touches(a: &Edit, b: &Edit) -> bool {
    a.span.start < b.span.end && b.span.start < a.span.end || a.span.start == b.span.start
}

#[cfg(test)]
mod tests {
    use super::*;
    use rg_ir::Span;

    #[test]
    fn edits_are_made_once_and_in_order() {
        let mut sources = SourceMap::default();
        let source = sources.add("a.rg", "turm = wite".to_owned());
        let name = |start, end, name: &str, best: &str| {
            Diagnostic::error("RG001", Span::new(source, start, end), "unknown").suggest(name, [best])
        };
        let findings = [name(7, 11, "wite", "white"), name(0, 4, "turm", "turn"), name(0, 4, "turm", "term")];
        assert_eq!(apply(&sources, source, &findings), ("turn = white".to_owned(), 2));
        let elsewhere = [name(1, 4, "turm", "turn"), name(0, 4, "turm", "turn").unsure()];
        assert_eq!(apply(&sources, source, &elsewhere), ("turm = wite".to_owned(), 0));
    }
}
