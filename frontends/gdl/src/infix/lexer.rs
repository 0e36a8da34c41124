//! Words of the infix syntax.

use crate::ast::Syntax;
use crate::codes;
use crate::prefix::{allowed, visible};
use crate::tokens::too_many;
use rg_ir::{Diagnostic, Report, SourceId, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A word that begins with a lower-case letter or a digit.
    Name,
    /// A name in single quotes, which may have any characters that prefix names have.
    Quoted,
    /// A word that begins with an upper-case letter or `_`.
    Variable,
    Open,
    Close,
    Comma,
    /// `:-`
    If,
    /// `&`
    And,
    /// `|`, or `;` in the style of Prolog
    Or,
    /// `~` or `\+`
    Not,
    /// `!=` or `\=`
    Differs,
    /// `.`
    Period,
    /// From `%` (or `;`, but not in the style of Prolog) to the end of the line, which is not part of it; or `/* … */`.
    Comment,
}

/// A token with its place.
pub(crate) type Token = crate::tokens::Token<Kind>;

/// Cuts a text into tokens, comments included; linear. Bad characters are reported and left out.
pub(crate) fn lex(source: SourceId, text: &str, syntax: Syntax, report: &mut Report) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if too_many(tokens.len(), source, at..text.len(), report) {
            break;
        }
        let (kind, length) = token(rest, syntax);
        if let Some(kind) = kind {
            let span = Span::new(source, at, at + length);
            tokens.push(Token { kind, start: span.start, end: span.end });
        } else if !rest.starts_with(|c: char| c.is_ascii_whitespace()) {
            stray((source, at), rest.get(..length).unwrap_or_default(), syntax, report);
        }
        at += length;
    }
    tokens
}

/// The first token of a text that is not empty, and its length; no token is white space or an error.
fn token(rest: &str, syntax: Syntax) -> (Option<Kind>, usize) {
    let until = |ends: &dyn Fn(char) -> bool| rest.find(ends).unwrap_or(rest.len());
    let word = || until(&|c| !c.is_ascii_alphanumeric() && c != '_');
    let first = rest.chars().next().unwrap_or_default();
    match first {
        '(' => (Some(Kind::Open), 1),
        ')' => (Some(Kind::Close), 1),
        ',' => (Some(Kind::Comma), 1),
        '&' => (Some(Kind::And), 1),
        '|' => (Some(Kind::Or), 1),
        '~' => (Some(Kind::Not), 1),
        '.' => (Some(Kind::Period), 1),
        ':' if rest.starts_with(":-") => (Some(Kind::If), 2),
        ';' if syntax == Syntax::Prolog => (Some(Kind::Or), 1),
        '\\' if rest.starts_with("\\+") => (Some(Kind::Not), 2),
        '\\' if rest.starts_with("\\==") => (Some(Kind::Differs), 3),
        '\\' if rest.starts_with("\\=") => (Some(Kind::Differs), 2),
        '/' if rest.starts_with("/*") => match rest.find("*/") {
            Some(end) => (Some(Kind::Comment), end + 2),
            None => (None, 2),
        },
        '!' if rest.starts_with("!=") => (Some(Kind::Differs), 2),
        '%' | ';' => (Some(Kind::Comment), until(&|c| matches!(c, '\r' | '\n'))),
        'a'..='z' | '0'..='9' => (Some(Kind::Name), word()),
        'A'..='Z' | '_' => (Some(Kind::Variable), word()),
        '\'' => match quoted(rest) {
            Some(length) => (Some(Kind::Quoted), length),
            None => (None, 1),
        },
        c if c.is_ascii_whitespace() => (None, until(&|c| !c.is_ascii_whitespace())),
        c => (None, c.len_utf8()),
    }
}

/// The length of a name in quotes, which has to be one in prefix texts, too: no variable, no block comment.
fn quoted(rest: &str) -> Option<usize> {
    let inner = rest.get(1..)?;
    let length = inner.find(|c: char| !allowed(c)).filter(|&length| length > 0)?;
    if inner.starts_with('?') || inner.get(..length)?.contains("#|") {
        return None;
    }
    inner.get(length..)?.starts_with('\'').then_some(length + 2)
}

fn stray((source, at): (SourceId, usize), found: &str, syntax: Syntax, report: &mut Report) {
    let span = Span::new(source, at, at + found.len());
    let message = format!("character `{}` is not allowed in {}", visible(found), syntax.name());
    let error = Diagnostic::error(codes::L2_CHARACTER, span, message);
    report.push(match (found, syntax) {
        (":", Syntax::Prolog) => error.help("a rule is written `head :- condition, condition.`"),
        (":", _) => error.help("a rule is written `head :- condition & condition`"),
        ("!", Syntax::Prolog) => error.help("negation is `\\+`, inequality `\\=`"),
        ("!", _) => error.help("negation is `~`, inequality `!=`"),
        ("'", _) => error.help(
            "a name in quotes has at least one character, does not begin with `?`, and has no spaces, brackets or `#|`",
        ),
        ("/*", _) => error.help("there is no `*/` after this comment"),
        ("?", _) => error.help("variables begin with an upper-case letter"),
        _ => error,
    });
}
