//! The source formatter: indentation and the space between tokens; the author's lines and comments stay.

use crate::lexer::{self, Kind, Token};
use rg_ir::{Diagnostic, Report, SourceId};

/// Whether a line that begins with such a token continues the one before.
fn continues(kind: Kind) -> bool {
    use Kind::{
        AndAnd, Arrow, Bar, Else, Equal, EqualEqual, Greater, GreaterEqual, In, Less, LessEqual, NotEqual, OrOr,
    };
    let comparison = matches!(kind, EqualEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual);
    comparison
        || matches!(kind, Kind::Then | Else | Kind::Where | In | AndAnd | OrOr | Arrow | Kind::Percent | Bar | Equal)
}

/// Whether a line that ends with such a token is continued by the next one.
fn is_unfinished(kind: Kind) -> bool {
    continues(kind) || matches!(kind, Kind::Plus | Kind::Minus)
}

/// Formats a description: two spaces of indentation per open bracket, and for lines that continue others; single spaces
/// between tokens; at most one blank line in a row. Tokens and comments stay as they are, so the meaning does too.
///
/// Errors: those of reading the description. Linear.
pub fn format(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, findings) = crate::parse::parse(source, text);
    if tree.is_none() {
        return Err(findings);
    }
    let tokens = lexer::lex(source, text, &mut Report::default()).tokens;
    let mut out = String::with_capacity(text.len());
    let mut open = 0_usize;
    let mut before: Option<Token> = None;
    let mut word: Option<Kind> = None;
    for token in tokens {
        open = open.saturating_sub(usize::from(token.kind.closes()));
        let gap = text.get(before.map_or(0, |b| b.end as usize)..token.start as usize).unwrap_or_default();
        let lines = gap.bytes().filter(|&b| b == b'\n').count();
        match before {
            None => {}
            Some(_) if lines > 0 => {
                out.push_str(if lines > 1 { "\n\n" } else { "\n" });
                let hangs = token.kind != Kind::Comment && (continues(token.kind) || word.is_some_and(is_unfinished));
                // Deep nesting is not shown by indentation: the text would grow quadratically.
                out.push_str(&"  ".repeat((open + usize::from(hangs)).min(40)));
            }
            Some(before) => out.push_str(if spaced(before, token, text) { " " } else { "" }),
        }
        out.push_str(token.text(text).trim_end());
        open += usize::from(token.kind.opens());
        before = Some(token);
        if token.kind != Kind::Comment {
            word = Some(token.kind);
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    Ok(out)
}

/// Whether a space stands between two tokens of a line.
fn spaced(before: Token, token: Token, text: &str) -> bool {
    use Kind::{BraceOpen, BracketClose, BracketOpen, Colon, Comma, DotDot, ParenClose, ParenOpen, Semicolon, Star};
    let (left, right) = (before.kind, token.kind);
    if right == Kind::Comment || (left, right) == (BraceOpen, Colon) {
        return true;
    }
    let tight_before = matches!(right, ParenClose | BracketClose | Comma | Semicolon | Colon | DotDot | Star);
    let tight_after = matches!(left, ParenOpen | BracketOpen | DotDot | Star | Kind::DollarArtificial);
    if tight_before || tight_after {
        return false;
    }
    if left == Colon {
        // The colon of a default value clings to it.
        return !text.get(..before.start as usize).unwrap_or_default().trim_end().ends_with('{');
    }
    if matches!(right, ParenOpen | BracketOpen) {
        return !(left.is_name() || matches!(left, ParenClose | BracketClose));
    }
    true
}
