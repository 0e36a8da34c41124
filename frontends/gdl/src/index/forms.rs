//! Where the rules of a text begin and end, whether or not they can be read.

use crate::ast::Syntax;
use crate::{infix, prefix};
use rg_ir::{Report, SourceId, Span};

/// The rules and facts of a text, in order. One whose brackets are not closed ends where a line begins with the next one. Linear.
pub(crate) fn forms(source: SourceId, text: &str, syntax: Syntax) -> Vec<Span> {
    let mut report = Report::default();
    match syntax {
        Syntax::Prefix => lists(source, text, &prefix::lexer::lex(source, text, &mut report)),
        Syntax::Infix | Syntax::Prolog => clauses(source, text, &infix::lexer::lex(source, text, syntax, &mut report)),
    }
}

/// The lists that are in no other one.
fn lists(source: SourceId, text: &str, tokens: &[prefix::lexer::Token]) -> Vec<Span> {
    let (mut forms, rest) = outermost(source, text, tokens, Margin::Inside);
    if let Some(rest) = rest.and_then(|rest| tokens.get(rest..)) {
        forms.extend(outermost(source, text, rest, Margin::Between).0);
    }
    forms
}

/// Where a bracket that begins a line may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Margin {
    /// Inside a list as well.
    Inside,
    /// Only where a list begins that is in no other one.
    Between,
}

/// The outermost lists; and the token that begins the last one, if that is not closed.
fn outermost(
    source: SourceId,
    text: &str,
    tokens: &[prefix::lexer::Token],
    margin: Margin,
) -> (Vec<Span>, Option<usize>) {
    use prefix::lexer::Kind;
    let mut forms = Vec::new();
    let mut depth = 0_usize;
    // The bracket that begins the list, and where the list ends as far as it is read.
    let mut open: Option<(usize, Span)> = None;
    for (at, token) in tokens.iter().enumerate() {
        let place = token.span(source);
        let is_next = margin == Margin::Between && token.kind == Kind::Open && begins_line(text, token.start);
        if is_next && let Some((_, span)) = open.take() {
            forms.push(span);
            depth = 0;
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Comment => continue,
            Kind::Word => {}
        }
        open = open.map(|(first, span)| (first, span.to(place)));
        match &open {
            None if depth > 0 => open = Some((at, place)),
            Some((_, span)) if depth == 0 => {
                forms.push(*span);
                open = None;
            }
            _ => {}
        }
    }
    if margin == Margin::Between {
        forms.extend(open.map(|(_, span)| span));
    }
    (forms, open.map(|(first, _)| first))
}

/// The clauses: each begins behind a period, or where a line begins with a name.
fn clauses(source: SourceId, text: &str, tokens: &[infix::lexer::Token]) -> Vec<Span> {
    use infix::lexer::Kind;
    let mut forms: Vec<Span> = Vec::new();
    let mut begins = true;
    for token in tokens.iter().filter(|token| token.kind != Kind::Comment) {
        let is_name = matches!(token.kind, Kind::Name | Kind::Quoted);
        let place = token.span(source);
        match forms.last_mut() {
            Some(last) if !(begins || is_name && begins_line(text, token.start)) => *last = last.to(place),
            _ => forms.push(place),
        }
        begins = token.kind == Kind::Period;
    }
    forms
}

/// Whether a place is at the beginning of a line.
pub(crate) fn begins_line(text: &str, place: u32) -> bool {
    let before = (place as usize).checked_sub(1).and_then(|at| text.as_bytes().get(at));
    before.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, syntax: Syntax) -> Vec<&str> {
        forms(SourceId(0), text, syntax).iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn lists_end_where_the_next_one_begins() {
        let prefix = |text| shown(text, Syntax::Prefix);
        assert_eq!(prefix("(a)\n(b\n(c))\n; (\n(d)"), ["(a)", "(b\n(c))", "(d)"]);
        assert_eq!(prefix("(a)\n(<= (b ?x)\n  (c ?x\n\n(d)\n(e"), ["(a)", "(<= (b ?x)\n  (c ?x", "(d)", "(e"]);
        assert_eq!(prefix("(a))\n(b)"), ["(a)", "(b)"]);
    }

    #[test]
    fn clauses_begin_lines_or_stand_behind_periods() {
        assert_eq!(shown("a(X) :- b(X, \n  c(\nd. e", Syntax::Prolog), ["a(X) :- b(X, \n  c(", "d.", "e"]);
    }
}
