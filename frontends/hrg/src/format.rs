//! The source formatter: indentation and the space between tokens; the author's lines and comments stay.

use crate::lexer::{self, Kind, Token};
use crate::report::Report;
use rg_ir::{Diagnostic, SourceId};

/// Tokens that a line begins with if it continues the one before.
const CONTINUES: [&str; 16] =
    ["then", "else", "where", "in", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "->", "%", "|", "="];

/// Tokens that a line ends with if the next one continues it.
const UNFINISHED: [&str; 18] =
    ["=", "|", "->", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "%", "then", "else", "where", "in"];

/// Formats a description: two spaces of indentation per open bracket, and for lines that continue others; single spaces
/// between tokens; at most one blank line in a row. Tokens and comments stay as they are, so the meaning does too.
///
/// Errors: those of reading the description. Linear.
pub fn format(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, findings) = crate::parse::parse(source, text);
    if tree.is_none() {
        return Err(findings);
    }
    let tokens = lexer::lex(source, text, &mut Report::default());
    let mut out = String::with_capacity(text.len());
    let mut open = 0_usize;
    let mut before: Option<Token> = None;
    let mut word: Option<Token> = None;
    for token in tokens {
        let closes = [")", "]", "}"].iter().any(|bracket| token.is(bracket));
        open = open.saturating_sub(usize::from(closes));
        let gap = text.get(before.map_or(0, |b| b.end)..token.start).unwrap_or_default();
        let lines = gap.bytes().filter(|&b| b == b'\n').count();
        match before {
            None => {}
            Some(_) if lines > 0 => {
                out.push_str(if lines > 1 { "\n\n" } else { "\n" });
                let hangs = token.kind != Kind::Comment && continues(word, token);
                // Deep nesting is not shown by indentation: the text would grow quadratically.
                out.push_str(&"  ".repeat((open + usize::from(hangs)).min(40)));
            }
            Some(before) => out.push_str(if spaced(before, token, text) { " " } else { "" }),
        }
        out.push_str(text.get(token.start..token.end).unwrap_or_default().trim_end());
        open += usize::from(["(", "[", "{"].iter().any(|bracket| token.is(bracket)));
        before = Some(token);
        if token.kind != Kind::Comment {
            word = Some(token);
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    Ok(out)
}

fn continues(before: Option<Token>, token: Token) -> bool {
    CONTINUES.iter().any(|word| token.is(word))
        || before.is_some_and(|before| UNFINISHED.iter().any(|word| before.is(word)))
}

/// Whether a space stands between two tokens of a line.
fn spaced(before: Token, token: Token, text: &str) -> bool {
    let is_word = |token: Token| matches!(token.kind, Kind::Name);
    if token.kind == Kind::Comment {
        return true;
    }
    let brace_map = before.is("{") && token.is(":");
    if brace_map {
        return true;
    }
    let none_before = [")", "]", ",", ";", ":", "..", "*"];
    let none_after = ["(", "[", "..", "*", "$_"];
    if none_before.iter().any(|t| token.is(t)) || none_after.iter().any(|t| before.is(t)) {
        return false;
    }
    if before.is(":") {
        // The colon of a default value clings to it.
        let prefix = text.get(..before.start).unwrap_or_default().trim_end();
        return !prefix.ends_with('{');
    }
    if token.is("(") || token.is("[") {
        return !(is_word(before) || before.is(")") || before.is("]"));
    }
    true
}
