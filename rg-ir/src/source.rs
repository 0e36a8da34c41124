//! Source files and spans: where in the user's text a part of a game comes from.

/// A file (or other text) in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub u32);

/// A byte range of one source: `start..end`, with `start <= end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The source the range lies in.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of something no text stands for: built-in definitions, generated games.
    pub const NONE: Span = Span { source: SourceId(u32::MAX), start: 0, end: 0 };

    /// The range `start..end` of `source`. Sources are limited to less than 4 GiB; larger offsets are clamped.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { source, start: clamp(start), end: clamp(end) }
    }

    /// Whether this span points into a text at all.
    pub fn is_some(self) -> bool {
        self.source != Span::NONE.source
    }

    /// The smallest span that covers both; `self` where the two lie in different sources.
    pub fn to(self, other: Span) -> Span {
        if !self.is_some() {
            return other;
        }
        if self.source != other.source {
            return self;
        }
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The range as indices into the source text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One text that was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Name for messages: a path as the user wrote it, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All texts of one run. Spans refer to it.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a text and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let id = SourceId(u32::try_from(self.files.len()).unwrap_or(u32::MAX - 1));
        self.files.push(SourceFile { name: name.into(), text: text.into() });
        id
    }

    /// The text with that id; `None` for [`Span::NONE`]'s source.
    pub fn get(&self, id: SourceId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Line and column (both from 1, the column in characters) of the span's first byte. Linear in the offset.
    pub fn position(&self, span: Span) -> Option<(usize, usize)> {
        let text = &self.get(span.source)?.text;
        let start = (span.start as usize).min(text.len());
        let before = text.as_bytes().get(..start)?;
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = String::from_utf8_lossy(before.get(line_start..)?).chars().count() + 1;
        Some((line, column))
    }
}
