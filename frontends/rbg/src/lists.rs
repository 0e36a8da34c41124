//! Lists and boards with mistakes in their syntax: a mistake costs the entry, row or vertex in which it is, and the others are looked at all the same.

use crate::declare::{Declared, Scope};
use crate::directives::Section;
use crate::lexer::Kind;
use crate::raw::{Arena, Parsed};
use crate::repair::{opened, replace};
use crate::syntax::Text;
use rg_ir::Report;
use std::ops::Range;

/// Mistakes in a section that are looked behind at most.
const MAX_MISTAKES: usize = 10;

/// Reads a section other than the rules, or reports the mistakes in its syntax, each once. Linear for each of at most [`MAX_MISTAKES`] mistakes.
pub(crate) fn read(text: &Text<'_>, arena: &mut Arena, report: &mut Report) -> Option<Parsed> {
    text.attempt(arena).map_err(|_| mistakes(text, report)).ok()
}

fn mistakes(text: &Text<'_>, report: &mut Report) {
    let mut tokens = text.tokens.to_vec();
    let mut clear = 0;
    for _ in 0..MAX_MISTAKES {
        let current = Text { tokens: &tokens, ..*text };
        let Err((at, expected)) = current.attempt(&mut Arena::default()) else { return };
        // What is in front of that has been mended.
        if at < clear || report.full() {
            return;
        }
        current.explain(at, &expected, report);
        let kinds: Vec<Kind> = tokens.iter().filter_map(|token| token.kind).collect();
        let mended = match text.section {
            Section::Board => place(&kinds, at),
            Section::Players | Section::Variables => {
                Some((entry(&kinds, at), vec![Kind::Ident, Kind::ParenOpen, Kind::Nat, Kind::ParenClose]))
            }
            Section::Pieces => Some((entry(&kinds, at), vec![Kind::Ident])),
            Section::Rules => None,
        };
        let Some((range, with)) = mended else { return };
        clear = range.start + with.len();
        replace(&mut tokens, range, &with);
    }
}

/// Declares the names in a list that could not be read, all with the same number; if there is an entry without one, not all names are known. Linear.
pub(crate) fn names(text: &Text<'_>, declared: Declared, scope: &mut Scope, report: &mut Report) {
    let kind = |at: usize| text.tokens.get(at).and_then(|token| token.kind);
    let mut named = false;
    for at in 0..=text.tokens.len() {
        match kind(at) {
            None | Some(Kind::Comma) => {
                if !named {
                    scope.lacks(declared);
                }
                named = false;
            }
            Some(Kind::Ident) if at.checked_sub(1).and_then(kind) != Some(Kind::ParenOpen) => {
                let Some(token) = text.tokens.get(at) else { continue };
                scope.declare(token.sym, declared, text.origin(at), text, report);
                named = true;
            }
            Some(_) => {}
        }
    }
}

/// The entry of a list in which the token at `at` does not fit: up to the comma behind it.
fn entry(kinds: &[Kind], at: usize) -> Range<usize> {
    let start = kinds.iter().take(at).rposition(|&kind| kind == Kind::Comma).map_or(0, |comma| comma + 1);
    let end = kinds.iter().skip(at).position(|&kind| kind == Kind::Comma).map_or(kinds.len(), |comma| at + comma);
    start..end
}

/// The first bracket from `at` on, but for those of calls, which misspelt macros leave behind.
fn end_of_row(kinds: &[Kind], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, kind) in kinds.iter().enumerate().skip(at) {
        match kind {
            Kind::ParenOpen => depth += 1,
            Kind::ParenClose if depth > 0 => depth -= 1,
            Kind::ParenClose | Kind::BracketOpen | Kind::BracketClose if depth == 0 => return index,
            _ => {}
        }
    }
    kinds.len()
}

/// The row or vertex in which the token at `at` does not fit, and what may stand there.
fn place(kinds: &[Kind], at: usize) -> Option<(Range<usize>, Vec<Kind>)> {
    let opens = |index: usize| kinds.get(index) == Some(&Kind::BracketOpen);
    match kinds.first()? {
        // Behind the whole board.
        Kind::Rectangle | Kind::Hexagon | Kind::Cuboid if opened(kinds, at).is_empty() => None,
        Kind::Rectangle | Kind::Hexagon | Kind::Cuboid => {
            let start = (0..at).rev().find(|&index| opens(index))?;
            let is_closed = kinds.get(start..at)?.contains(&Kind::BracketClose);
            let end = end_of_row(kinds, at);
            match is_closed {
                // Something else between the rows.
                true => (end > at).then(|| (at..end, Vec::new())),
                false => {
                    let end = end + usize::from(kinds.get(end) == Some(&Kind::BracketClose));
                    Some((start..end, vec![Kind::BracketOpen, Kind::BracketClose]))
                }
            }
        }
        _ => {
            let begins = |index: &usize| kinds.get(*index) == Some(&Kind::Ident) && opens(index + 1);
            let start = (0..at).rev().find(begins)?;
            let end = (at..kinds.len()).find(begins).unwrap_or(kinds.len());
            let vertex =
                [Kind::Ident, Kind::BracketOpen, Kind::Ident, Kind::BracketClose, Kind::BraceOpen, Kind::BraceClose];
            Some((start..end, vertex.to_vec()))
        }
    }
}
