//! The words of a text, in any syntax.

use crate::ast::Syntax;
use crate::{infix, prefix};
use rg_ir::{Report, SourceId, Span};

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// The name of something.
    Name,
    /// A variable.
    Variable,
    /// A comment.
    Comment,
    /// A sign; brackets and commas are none.
    Sign,
}

/// The words of a text, in order. Linear.
pub(crate) fn words(source: SourceId, text: &str, syntax: Syntax) -> Vec<(Span, Sort)> {
    let mut report = Report::default();
    match syntax {
        Syntax::Prefix => {
            use prefix::lexer::Kind;
            let tokens = prefix::lexer::lex(source, text, &mut report).into_iter();
            let sort = |kind, word: &str| match kind {
                Kind::Open | Kind::Close => None,
                Kind::Comment => Some(Sort::Comment),
                Kind::Word if word.starts_with('?') => Some(Sort::Variable),
                Kind::Word if word == "<=" => Some(Sort::Sign),
                Kind::Word => Some(Sort::Name),
            };
            tokens.filter_map(|token| Some((token.span(source), sort(token.kind, token.text(text))?))).collect()
        }
        Syntax::Infix | Syntax::Prolog => {
            use infix::lexer::Kind;
            let tokens = infix::lexer::lex(source, text, syntax, &mut report).into_iter();
            let sort = |kind| match kind {
                Kind::Open | Kind::Close | Kind::Comma | Kind::Period => None,
                Kind::Comment => Some(Sort::Comment),
                Kind::Variable => Some(Sort::Variable),
                Kind::Name | Kind::Quoted => Some(Sort::Name),
                Kind::If | Kind::And | Kind::Or | Kind::Not | Kind::Differs => Some(Sort::Sign),
            };
            tokens.filter_map(|token| Some((token.span(source), sort(token.kind)?))).collect()
        }
    }
}
