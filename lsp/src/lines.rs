//! Places in a text: bytes here, lines and columns in the protocol. Nothing else converts one to the other.

use gen_lsp_types::{Position, PositionEncodingKind, Range};
use line_index::{LineCol, LineIndex, WideEncoding, WideLineCol};
use rg_ir::Span;

/// What columns count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16: two for characters outside of the basic plane.
    Utf16,
}

impl Encoding {
    /// Its name in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines {
    index: LineIndex,
    encoding: Encoding,
    /// Bytes of the text.
    length: u32,
}

impl Lines {
    /// The lines of a text; they end with `\n`, `\r\n` or `\r`.
    pub(crate) fn of(text: &str, encoding: Encoding) -> Self {
        let index = match lone_returns(text) {
            Some(text) => LineIndex::new(&text),
            None => LineIndex::new(text),
        };
        Self { index, encoding, length: u32::try_from(text.len()).unwrap_or(u32::MAX) }
    }

    /// Where a byte is. Behind the text: its end.
    pub(crate) fn position(&self, offset: u32) -> Position {
        // A place within a character is where the character begins.
        let at = (0..4).find_map(|back| self.index.try_line_col(offset.min(self.length).saturating_sub(back).into()));
        let LineCol { line, col } = at.unwrap_or(LineCol { line: 0, col: 0 });
        let character = match self.encoding {
            Encoding::Utf8 => col,
            Encoding::Utf16 => {
                self.index.to_wide(WideEncoding::Utf16, LineCol { line, col }).map_or(col, |wide| wide.col)
            }
        };
        Position { line, character }
    }

    /// The byte at a position. Behind the end of a line, that end; behind the last line, the end of the text.
    pub(crate) fn offset(&self, text: &str, position: Position) -> u32 {
        let Position { line, character } = position;
        let Some(range) = self.index.line(line) else { return self.length };
        let (start, end) = (u32::from(range.start()), u32::from(range.end()));
        let content = text.get(start as usize..end as usize).unwrap_or_default();
        let last = start + u32::try_from(content.trim_end_matches(['\r', '\n']).len()).unwrap_or(0);
        let col = match self.encoding {
            Encoding::Utf8 => Some(character),
            Encoding::Utf16 => {
                let wide = WideLineCol { line, col: character };
                self.index.to_utf8(WideEncoding::Utf16, wide).map(|narrow| narrow.col)
            }
        };
        let at = col.and_then(|col| start.checked_add(col)).map_or(last, |at| at.min(last));
        u32::try_from(text.floor_char_boundary(at as usize)).unwrap_or(last)
    }

    /// A place of the text.
    pub(crate) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// The bytes of a range, from one to the other; empty if it is upside down.
    pub(crate) fn bytes(&self, text: &str, range: Range) -> std::ops::Range<usize> {
        let (start, end) = (self.offset(text, range.start) as usize, self.offset(text, range.end) as usize);
        start..end.max(start)
    }

    /// The number of the line that a byte is in, from 0.
    pub(crate) fn line(&self, offset: u32) -> u32 {
        self.position(offset).line
    }

    /// How many columns a text within a line takes.
    pub(crate) fn width(&self, text: &str) -> u32 {
        let width = match self.encoding {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(width).unwrap_or(u32::MAX)
    }
}

/// The text with `\n` for each `\r` that no `\n` follows, if there is one: such a `\r` ends a line, too.
fn lone_returns(text: &str) -> Option<String> {
    let lone = |(at, _): &(usize, &str)| text.as_bytes().get(at + 1) != Some(&b'\n');
    let mut places = text.match_indices('\r').filter(lone).map(|(at, _)| at).peekable();
    places.peek()?;
    let mut changed = String::with_capacity(text.len());
    let mut end = 0;
    for at in places {
        changed.push_str(text.get(end..at).unwrap_or_default());
        changed.push('\n');
        end = at + 1;
    }
    changed.push_str(text.get(end..).unwrap_or_default());
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_the_units_asked_for() {
        let text = "é🎲x\r\ny\rz";
        let at = |encoding, offset| {
            let Position { line, character } = Lines::of(text, encoding).position(offset);
            (line, character)
        };
        assert_eq!((at(Encoding::Utf8, 6), at(Encoding::Utf16, 6)), ((0, 6), (0, 3)));
        assert_eq!((at(Encoding::Utf8, 9), at(Encoding::Utf8, 11)), ((1, 0), (2, 0)));
        assert_eq!((at(Encoding::Utf8, 3), at(Encoding::Utf16, 99)), ((0, 2), (2, 1)));
    }

    #[test]
    fn every_place_is_found_again() {
        for text in ["", "é🎲x\r\ny\rz", "a\n\nb\n", "\r\r\n\r"] {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let lines = Lines::of(text, encoding);
                for (offset, c) in text.char_indices() {
                    let offset = u32::try_from(offset).unwrap();
                    // Between `\r` and `\n` there is no place.
                    if c != '\n' || !text[..offset as usize].ends_with('\r') {
                        assert_eq!(lines.offset(text, lines.position(offset)), offset, "{text:?} {encoding:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest_that_are() {
        let text = "é🎲\nx";
        let lines = Lines::of(text, Encoding::Utf16);
        let offset = |line, character| lines.offset(text, Position { line, character });
        assert_eq!((offset(0, 2), offset(0, 99), offset(9, 0), offset(1, 99)), (2, 6, 8, 8));
        let bytes = Lines::of(text, Encoding::Utf8);
        assert_eq!(bytes.offset(text, Position { line: 0, character: 1 }), 0);
        assert_eq!(bytes.offset(text, Position { line: 0, character: u32::MAX }), 6);
    }
}
