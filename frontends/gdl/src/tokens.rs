//! What the readers of both syntaxes share: tokens, and what becomes of comments.

use crate::ast::{Comment, Name, Word, Words};
use crate::codes;
use rg_ir::{Report, SourceId, Span};
use rustc_hash::FxHashSet;

/// Most tokens that are read.
pub const MAX_TOKENS: usize = 1 << 24;

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<K> {
    pub(crate) kind: K,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl<K> Token<K> {
    /// Its place.
    pub(crate) fn span(&self, source: SourceId) -> Span {
        Span { source, start: self.start, end: self.end }
    }

    /// Its spelling.
    pub(crate) fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// The name that a spelling stands for; it is noted in `respelt`, with a warning, if it is known in another spelling.
pub(crate) fn named(
    words: &mut Words,
    respelt: &mut FxHashSet<Word>,
    report: &mut Report,
    spelling: &str,
    span: Span,
) -> Name {
    let word = words.intern(spelling);
    let first = words.spelling(word);
    if first != spelling && respelt.insert(word) {
        let message = format!("`{first}` and `{spelling}` differ only in case and are the same name");
        report.warning(codes::L3_CASE, span, message);
    }
    Name { word, span }
}

/// Whether so many tokens are all that is read; the finding is about the rest of the text.
pub(crate) fn too_many(count: usize, source: SourceId, rest: std::ops::Range<usize>, report: &mut Report) -> bool {
    if count >= MAX_TOKENS {
        let span = Span::new(source, rest.start, rest.end);
        report.error(codes::TOO_LARGE, span, format!("more than {MAX_TOKENS} words; the rest is ignored"));
    }
    count >= MAX_TOKENS
}

/// Takes out the tokens that are comments.
pub(crate) fn take_comments<K: PartialEq>(
    tokens: &mut Vec<Token<K>>,
    comment: K,
    source: SourceId,
    text: &str,
) -> Vec<Comment> {
    let comments = tokens.iter().filter(|token| token.kind == comment).flat_map(|token| {
        let shown = token.text(text);
        let inner = match shown.strip_prefix("/*") {
            Some(block) => block.strip_suffix("*/").unwrap_or(block),
            None => shown.get(1..).unwrap_or_default(),
        };
        // Blocks have several lines; each is a comment.
        inner.split('\n').map(|line| Comment { text: line.trim_end().to_owned(), span: token.span(source) })
    });
    let comments = comments.collect();
    tokens.retain(|token| token.kind != comment);
    comments
}
