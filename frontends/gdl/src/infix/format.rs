//! The source formatter for infix texts: tidies white space, and touches nothing else.

use super::lexer::{self, Kind, Token};
use crate::ast::Syntax;
use rg_ir::{Diagnostic, Report, SourceId};

/// Most columns of a clause on one line.
const WIDTH: usize = 100;

/// Indentation of the conditions of a clause that goes over several lines.
const INDENT: &str = "    ";

/// Formats an infix text, see [`crate::format`].
pub(crate) fn format(source: SourceId, text: &str, syntax: Syntax) -> Result<String, Vec<Diagnostic>> {
    let mut report = Report::default();
    let tokens = lexer::lex(source, text, syntax, &mut report);
    // Where clauses begin is only known of a text without mistakes.
    super::read(source, text, syntax, &mut report);
    if report.failed() {
        let mut errors = report.finish_in_order();
        errors.retain(Diagnostic::is_error);
        return Err(errors);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < tokens.len() {
        let end = clause_end(&tokens, at);
        let clause = tokens.get(at..end).unwrap_or_default();
        if let (Some(before), Some(first)) = (at.checked_sub(1).and_then(|before| tokens.get(before)), clause.first()) {
            let lines = lines(text, *before, *first);
            out.push_str(if first.kind == Kind::Comment && lines == 0 { " " } else { "\n" });
            if lines > 1 {
                out.push('\n');
            }
        }
        write(text, clause, &mut out);
        at = end.max(at + 1);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    Ok(out)
}

/// The number of line ends between two tokens; CR LF is one.
fn lines(text: &str, before: Token, next: Token) -> usize {
    let gap = text.get(before.end as usize..next.start as usize).unwrap_or_default();
    gap.matches('\n').count() + gap.matches('\r').count() - gap.matches("\r\n").count()
}

/// Where the clause (or the comment between clauses) ends that begins at a token of a correct text.
fn clause_end(tokens: &[Token], first: usize) -> usize {
    let (mut depth, mut at) = (0_usize, first);
    // A term or condition is complete, and what follows on the same level must connect to it.
    let mut complete = false;
    let mut end = first;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Comment if at == first => return at + 1,
            Kind::Comment => {
                at += 1;
                continue;
            }
            Kind::Period => return at + 1,
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Name | Kind::Quoted | Kind::Variable if complete && depth == 0 => return end,
            _ => {}
        }
        complete = depth == 0 && matches!(token.kind, Kind::Name | Kind::Quoted | Kind::Variable | Kind::Close);
        at += 1;
        end = at;
    }
    // Comments at the end belong to no clause.
    end
}

/// Writes the tokens of a clause.
fn write(text: &str, clause: &[Token], out: &mut String) {
    let line = one_line(text, clause);
    if line.chars().count() <= WIDTH && clause.windows(2).all(|pair| lines(text, pair[0], pair[1]) == 0) {
        out.push_str(&line);
        return;
    }
    let mut depth = 0_usize;
    let mut before: Option<Token> = None;
    // Whether the line is to end behind the last token.
    let mut full = false;
    for &token in clause {
        let comment_behind = before.is_some_and(|before| {
            token.kind == Kind::Comment && before.kind != Kind::Comment && lines(text, before, token) == 0
        });
        let behind_comment = before.is_some_and(|before| before.kind == Kind::Comment);
        if before.is_none() {
            // Nothing stands before it.
        } else if comment_behind {
            out.push(' ');
        } else if full || behind_comment || token.kind == Kind::Comment {
            out.push('\n');
            out.push_str(INDENT);
        } else if before.is_some_and(|before| spaced(text, before, token)) {
            out.push(' ');
        }
        out.push_str(token.text(text).trim_end());
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0 && matches!(token.kind, Kind::If | Kind::And | Kind::Comma);
        full = ends || full && comment_behind;
        before = Some(token);
    }
}

fn one_line(text: &str, clause: &[Token]) -> String {
    let mut out = String::new();
    let mut before: Option<Token> = None;
    for &token in clause {
        if before.is_some_and(|before| spaced(text, before, token)) {
            out.push(' ');
        }
        out.push_str(token.text(text).trim_end());
        before = Some(token);
    }
    out
}

/// Whether a space stands between two neighbours.
fn spaced(text: &str, left: Token, right: Token) -> bool {
    let wide = |kind| matches!(kind, Kind::If | Kind::And | Kind::Or | Kind::Differs | Kind::Comment);
    wide(left.kind) || wide(right.kind) || left.kind == Kind::Comma || left.text(text) == "\\+"
}
