//! The lists and brackets that are open at the end of a text.

use crate::ast::Syntax;
use crate::index::begins_line;
use crate::{infix, prefix};
use rg_ir::{Report, SourceId};

/// Bytes before a place in which what it is in is looked for.
const MAX_BYTES: usize = 20_000;

/// A list or bracket that is not closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Open {
    /// The name of what it is a call of, in lower case in prefix texts; nothing as long as it is not written, or if it is around conditions.
    pub(super) head: Option<String>,
    /// How many arguments come before the place.
    pub(super) argument: usize,
}

/// What a place is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The brackets, from the outermost one on.
    pub(super) open: Vec<Open>,
    /// Whether the head of a clause is here; of infix texts.
    pub(super) is_head: bool,
}

/// What the end of a text is in, where the word that stands there is left out. Linear.
pub(super) fn place(text: &str, syntax: Syntax) -> Place {
    // No comment goes over the end of a line but those in the infix syntaxes, which are rare.
    let start = text.ceil_char_boundary(text.len().saturating_sub(MAX_BYTES));
    let line = text.get(start..).and_then(|rest| rest.find('\n')).filter(|_| start > 0);
    let text = text.get(line.map_or(start, |line| start + line + 1)..).unwrap_or_default();
    match syntax {
        Syntax::Prefix => Place { open: lists(text), is_head: false },
        Syntax::Infix | Syntax::Prolog => clause(text, syntax),
    }
}

/// The open lists, from the innermost one that begins a line on: what is open before that was not closed by mistake.
fn lists(text: &str) -> Vec<Open> {
    use prefix::lexer::Kind;
    let mut open: Vec<(Open, bool)> = Vec::new();
    for token in prefix::lexer::lex(SourceId(0), text, &mut Report::default()) {
        let word = || token.text(text).to_ascii_lowercase();
        match token.kind {
            Kind::Open => {
                open.push((Open { head: None, argument: 0 }, begins_line(text, token.start)));
                continue;
            }
            Kind::Close => {
                open.pop();
            }
            Kind::Comment => continue,
            Kind::Word => {}
        }
        match open.last_mut() {
            Some((Open { head: head @ None, .. }, _)) if token.kind == Kind::Word => *head = Some(word()),
            Some((list, _)) => list.argument += 1,
            None => {}
        }
    }
    let first = open.iter().rposition(|(_, begins_line)| *begins_line).unwrap_or(0);
    open.drain(first..).map(|(list, _)| list).collect()
}

/// The open brackets of the last clause.
fn clause(text: &str, syntax: Syntax) -> Place {
    use infix::lexer::Kind;
    let mut place = Place { open: Vec::new(), is_head: true };
    let mut before: Option<infix::lexer::Token> = None;
    for token in infix::lexer::lex(SourceId(0), text, syntax, &mut Report::default()) {
        let is_name = matches!(token.kind, Kind::Name | Kind::Quoted);
        if is_name && begins_line(text, token.start) {
            place = Place { open: Vec::new(), is_head: true };
        }
        match token.kind {
            Kind::Comment => continue,
            Kind::Period => place = Place { open: Vec::new(), is_head: true },
            Kind::If => place.is_head = false,
            Kind::Open => {
                let is_call = |name: &infix::lexer::Token| {
                    matches!(name.kind, Kind::Name | Kind::Quoted) && name.end == token.start
                };
                let head = before.filter(is_call).map(|name| name.text(text).trim_matches('\'').to_owned());
                place.open.push(Open { head, argument: 0 });
            }
            Kind::Close => {
                place.open.pop();
            }
            Kind::Comma => {
                if let Some(call) = place.open.last_mut() {
                    call.argument += 1;
                }
            }
            _ => {}
        }
        before = Some(token);
    }
    // A word that begins a line begins a clause.
    if begins_line(text, u32::try_from(text.len()).unwrap_or(u32::MAX)) {
        return Place { open: Vec::new(), is_head: true };
    }
    place
}
