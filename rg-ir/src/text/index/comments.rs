//! Which comment describes which declaration: the one that stands right above it.

use crate::source::{SourceId, Span};
use crate::text::lexer::{Lexer, Token};
use rustc_hash::FxHashMap;

/// Comments, by the first byte of what they describe.
#[derive(Default)]
pub(super) struct Comments(FxHashMap<u32, Span>);

impl Comments {
    /// The comments of a text. What stands behind something on its line, or has a blank line below, describes nothing. Linear.
    pub(super) fn of(source: SourceId, text: &str) -> Self {
        let mut found = FxHashMap::default();
        let mut block: Option<Span> = None;
        let mut begins = true;
        let mut first = true;
        for lexeme in Lexer::new(text) {
            let span = Span::new(source, lexeme.start, lexeme.end);
            if let Token::Comment(comment) = lexeme.token {
                let span = Span::new(source, lexeme.start, lexeme.start + comment.len());
                let alone = lexeme.newlines > 0 || first;
                let joined = block.filter(|_| lexeme.newlines == 1);
                block = alone.then(|| joined.map_or(span, |block| block.to(span)));
            } else {
                if let Some(block) = block.take().filter(|_| begins && lexeme.newlines == 1) {
                    found.insert(span.start, block);
                }
                begins = lexeme.token == Token::Semicolon;
            }
            first = false;
        }
        Self(found)
    }

    /// The comment on what begins at a place.
    pub(super) fn on(&self, span: Span) -> Span {
        self.0.get(&span.start).copied().unwrap_or(Span::NONE)
    }
}
