//! Words and punctuation (section 2 of the specification).

use crate::codes;
use crate::report::Report;
use rg_ir::{Diagnostic, SourceId, Span};

/// Most tokens that are read.
pub const MAX_TOKENS: usize = 4_000_000;

/// Words that cannot be names.
pub(crate) const RESERVED: [&str; 16] = [
    "domain", "where", "in", "graph", "reusable", "if", "then", "else", "loop", "while", "repeat", "branch", "or",
    "const", "type", "var",
];

const PUNCTUATION: [&str; 28] = [
    "$$", "$_", "==", "!=", "<=", ">=", "&&", "||", "..", "->", "{", "}", "(", ")", "[", "]", ",", ":", ";", "=", "<",
    ">", "+", "-", "%", "|", "$", "*",
];

/// A kind of token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Name,
    /// A reserved word or punctuation, by its spelling.
    Fixed(&'static str),
    Comment,
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn is(&self, spelling: &str) -> bool {
        matches!(self.kind, Kind::Fixed(fixed) if fixed == spelling)
    }
}

/// All tokens, comments included. Linear.
pub(crate) fn lex(source: SourceId, text: &str, report: &mut Report) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let kind = if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            Kind::Comment
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            at += length;
            let word = rest.get(..length).unwrap_or_default();
            RESERVED.iter().find(|reserved| **reserved == word).map_or(Kind::Name, |word| Kind::Fixed(word))
        } else if let Some(fixed) = PUNCTUATION.iter().find(|fixed| rest.starts_with(**fixed)) {
            at += fixed.len();
            Kind::Fixed(fixed)
        } else {
            at += rest.chars().take_while(|c| *c == first).map(char::len_utf8).sum::<usize>();
            let message = format!("unknown character `{}`", first.escape_debug());
            report.error(codes::UNKNOWN_CHARACTER, Span::new(source, start, at), message);
            continue;
        };
        tokens.push(Token { kind, start, end: at });
        if tokens.len() > MAX_TOKENS {
            let span = Span::new(source, start, at);
            let error = Diagnostic::error(codes::TOO_LARGE, span, "this description is too large");
            report.push(error.note(format!("at most {MAX_TOKENS} tokens are read")));
            break;
        }
    }
    tokens
}
