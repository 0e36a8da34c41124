//! Words of the prefix syntax (section 2.1).

use crate::codes;
use crate::tokens::too_many;
use rg_ir::{Diagnostic, Report, SourceId, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Open,
    Close,
    /// A name, a variable, or `<=`.
    Word,
    /// From `;` to the end of the line, which is not part of it.
    Comment,
}

/// A token with its place.
pub(crate) type Token = crate::tokens::Token<Kind>;

/// Whether a byte separates words. Lines end at CR, LF, or both.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c)
}

/// Cuts a text into tokens, comments included; linear. Bad characters are reported.
pub(crate) fn lex(source: SourceId, text: &str, report: &mut Report) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if too_many(tokens.len(), source, at..text.len(), report) {
            break;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let until = |ends: &dyn Fn(u8) -> bool| rest.iter().position(|&b| ends(b)).unwrap_or(rest.len());
        let (kind, length) = match byte {
            b'(' => (Kind::Open, 1),
            b')' => (Kind::Close, 1),
            b';' => (Kind::Comment, until(&|b| matches!(b, b'\r' | b'\n'))),
            _ if is_space(byte) => {
                at += 1;
                continue;
            }
            _ => (Kind::Word, until(&|b| is_space(b) || matches!(b, b'(' | b')' | b';'))),
        };
        let span = Span::new(source, at, at + length);
        let token = Token { kind, start: span.start, end: span.end };
        if kind == Kind::Word {
            word(source, token, text, report);
        }
        tokens.push(token);
        at += length;
    }
    tokens
}

/// Whether a character may stand in a word.
pub(crate) fn allowed(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '`' | '(' | ')' | ';')
}

/// Looks at the characters of a word.
fn word(source: SourceId, token: Token, text: &str, report: &mut Report) {
    let shown = token.text(text);
    let block = shown.find("#|").map(|at| (at, 2));
    let bad = shown.char_indices().find(|&(_, c)| !allowed(c)).map(|(at, c)| (at, c.len_utf8()));
    if let Some((at, length)) = block.or(bad) {
        let start = token.start as usize + at;
        let span = Span::new(source, start, start + length);
        let found = visible(shown.get(at..at + length).unwrap_or_default());
        let error = Diagnostic::error(codes::L2_CHARACTER, span, format!("character `{found}` is not allowed in GDL"));
        report.push(if block.is_some() {
            error.help("there are no block comments; `;` begins a comment that goes to the end of the line")
        } else {
            error.help("names are printable ASCII characters without brackets, quotes and `;`")
        });
    } else if shown == "?" {
        let span = token.span(source);
        report.error(codes::L2_CHARACTER, span, "character `?` is not allowed alone; expected a variable such as `?x`");
    }
}

/// A character for a message; those that cannot be seen are escaped.
pub(crate) fn visible(found: &str) -> String {
    found.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}
