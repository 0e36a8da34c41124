//! Lines and columns of many places of a text, without scanning it for each of them.

use rg_ir::{SourceId, SourceMap, Span};
use std::collections::BTreeMap;

/// Distance of the places for which the position is stored.
const STEP: usize = 1 << 15;

/// What is known at a multiple of [`STEP`].
#[derive(Clone, Copy)]
struct Mark {
    /// Line number, from 0.
    line: usize,
    /// Offset at which that line begins.
    line_start: usize,
    /// Characters between the two.
    characters: usize,
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    /// Line number, from 1.
    pub(super) line: usize,
    /// Column in characters, from 1.
    pub(super) column: usize,
    /// Offset at which the line begins.
    pub(super) line_start: usize,
}

/// Finds positions; the index of a text is made when it is first needed.
pub(super) struct Positions<'s> {
    sources: &'s SourceMap,
    marks: BTreeMap<SourceId, Vec<Mark>>,
}

impl<'s> Positions<'s> {
    pub(super) fn new(sources: &'s SourceMap) -> Self {
        Self { sources, marks: BTreeMap::new() }
    }

    /// All texts.
    pub(super) fn sources(&self) -> &'s SourceMap {
        self.sources
    }

    /// Name and text of a source; empty for one that does not exist.
    pub(super) fn file(&self, source: SourceId) -> (&'s str, &'s str) {
        self.sources.get(source).map_or(("", ""), |file| (&file.name, &file.text))
    }

    /// The span as a range of character boundaries inside the text.
    pub(super) fn range(&self, span: Span) -> std::ops::Range<usize> {
        let (_, text) = self.file(span.source);
        let start = text.floor_char_boundary(span.start as usize);
        start..text.ceil_char_boundary(span.end as usize).max(start)
    }

    /// The position of a byte offset; of the end, if it lies behind it.
    pub(super) fn position(&mut self, source: SourceId, offset: usize) -> Position {
        let (_, text) = self.file(source);
        let offset = text.floor_char_boundary(offset);
        let marks = self.marks.entry(source).or_insert_with(|| index(text.as_bytes()));
        let known = offset / STEP;
        let mark = marks.get(known).copied().unwrap_or(Mark { line: 0, line_start: 0, characters: 0 });
        let from = if marks.get(known).is_some() { known * STEP } else { 0 };
        let mark = advance(mark, text.as_bytes().get(from..offset).unwrap_or_default(), from);
        Position { line: mark.line + 1, column: mark.characters + 1, line_start: mark.line_start }
    }
}

fn index(text: &[u8]) -> Vec<Mark> {
    let mut mark = Mark { line: 0, line_start: 0, characters: 0 };
    let mut marks = Vec::with_capacity(text.len() / STEP + 1);
    for (chunk, at) in text.chunks(STEP).zip((0..).step_by(STEP)) {
        marks.push(mark);
        mark = advance(mark, chunk, at);
    }
    if text.len().is_multiple_of(STEP) {
        marks.push(mark);
    }
    marks
}

/// The mark behind `bytes`, which begin at the offset `at`.
fn advance(mark: Mark, bytes: &[u8], at: usize) -> Mark {
    let starts = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
    match bytes.iter().rposition(|&byte| byte == b'\n') {
        None => Mark { characters: mark.characters + starts(bytes), ..mark },
        Some(last) => Mark {
            line: mark.line + bytes.iter().filter(|&&byte| byte == b'\n').count(),
            line_start: at + last + 1,
            characters: starts(bytes.get(last + 1..).unwrap_or_default()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_agree_with_a_plain_scan() {
        let mut text = String::new();
        for i in 0..20_000 {
            text.push_str(if i % 7 == 0 { "żółć\n" } else { "abc " });
        }
        let mut sources = SourceMap::default();
        let id = sources.add("x", text.as_str());
        let mut positions = Positions::new(&sources);
        for offset in (0..=text.len()).step_by(997).chain([0, STEP - 1, STEP, STEP + 1, text.len()]) {
            let offset = text.floor_char_boundary(offset);
            let position = positions.position(id, offset);
            let wanted = sources.position(Span::new(id, offset, offset));
            assert_eq!(Some((position.line, position.column)), wanted, "offset {offset}");
        }
    }

    #[test]
    fn empty_and_missing_texts_have_a_first_line() {
        let mut sources = SourceMap::default();
        let id = sources.add("x", "");
        let mut positions = Positions::new(&sources);
        assert_eq!(positions.position(id, 10), Position { line: 1, column: 1, line_start: 0 });
        assert_eq!(positions.position(SourceId(9), 10), Position { line: 1, column: 1, line_start: 0 });
    }
}
