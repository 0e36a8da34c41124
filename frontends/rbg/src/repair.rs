//! Rules with mistakes: what does not fit is replaced by something that does, so that the rest can be checked.

use crate::lexer::Kind;
use crate::macros::Expanded;
use crate::raw::{Arena, Parsed};
use crate::syntax::Text;
use rg_ir::Report;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Mistakes in the rules that are looked behind at most.
const MAX_MISTAKES: usize = 10;
/// Tokens that are read again at most, over all mistakes.
const MAX_READ_AGAIN: usize = 200_000;
/// What follows a mistake within so many tokens may be a consequence of it.
const NEAR: usize = 3;

/// Rules as far as they could be read: what they are, and the tokens that this is about.
pub(crate) struct Repaired {
    pub(crate) parsed: Parsed,
    pub(crate) arena: Arena,
    pub(crate) tokens: Vec<Expanded>,
    /// Whether brackets or calls of macros were wrong, so that what stands in which brackets is a guess.
    pub(crate) is_guess: bool,
}

/// Whether all macro calls of a text could be expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Complete {
    Yes,
    No,
}

/// Reads rules in which something is wrong. Reports each mistake of the syntax once; what probably follows from another one is not reported, and
/// neither is anything where the expansion was not `complete`. Linear for each of at most [`MAX_MISTAKES`] mistakes.
pub(crate) fn rules(text: &Text<'_>, complete: Complete, report: &mut Report) -> Option<Repaired> {
    let mut tokens = text.tokens.to_vec();
    without_holes(&mut tokens);
    let mut is_guess = complete == Complete::No;
    let mut called = FxHashSet::default();
    // The first token behind the last mistake.
    let mut clear = 0;
    let mut work = 0;
    for mistakes in 0..=MAX_MISTAKES {
        let mut arena = Arena::default();
        let current = Text { tokens: &tokens, ..*text };
        let (at, expected) = match current.attempt(&mut arena) {
            Ok(parsed) => return Some(Repaired { parsed, arena, tokens, is_guess }),
            Err(mistake) => mistake,
        };
        let kinds: Vec<Kind> = tokens.iter().filter_map(|token| token.kind).collect();
        // Where brackets were repaired, what is missing or left over in the end says nothing.
        let is_bracket = kinds.get(at).is_none_or(|kind| kind.closes() && !closes(&opened(&kinds, at), &kinds, *kind));
        // A macro that is not there is missing once.
        let callee = opened(&kinds, at).last().and_then(|open| tokens.get(open.checked_sub(1)?)).map(|token| token.sym);
        let is_new = kinds.get(at) != Some(&Kind::Semicolon) || callee.is_none_or(|callee| called.insert(callee));
        if complete == Complete::Yes && is_new && (mistakes == 0 || (at >= clear + NEAR && !is_bracket)) {
            current.explain(at, &expected, report);
        }
        is_guess |= kinds.get(at).is_none_or(|kind| kind.opens() || kind.closes());
        work += tokens.len();
        let (range, with) = mend(&kinds, at)?;
        if report.full() || work > MAX_READ_AGAIN {
            return None;
        }
        clear = range.start + with.len();
        replace(&mut tokens, range, &with);
    }
    None
}

/// Replaces all holes, each with as much around it as is of no use without what stands there.
fn without_holes(tokens: &mut Vec<Expanded>) {
    let mut kinds: Vec<Kind> = tokens.iter().filter_map(|token| token.kind).collect();
    while let Some(at) = kinds.iter().rposition(|&kind| kind == Kind::Hole) {
        let Some((range, with)) = mend(&kinds, at) else { return };
        kinds.splice(range.clone(), with.iter().copied());
        replace(tokens, range, &with);
    }
}

/// Puts tokens of these kinds in the place of others; they come from where those came from, or from next to it.
pub(crate) fn replace(tokens: &mut Vec<Expanded>, range: Range<usize>, with: &[Kind]) {
    let Some(model) = tokens.get(range.start).or(tokens.last()).copied() else { return };
    let made: Vec<Expanded> = with.iter().map(|&kind| Expanded { kind: Some(kind), ..model }).collect();
    tokens.splice(range, made);
}

/// The brackets that are open in front of a token.
pub(crate) fn opened(kinds: &[Kind], at: usize) -> Vec<usize> {
    let mut open = Vec::new();
    for (index, kind) in kinds.iter().enumerate().take(at) {
        if kind.opens() {
            open.push(index);
        } else if kind.closes() {
            open.pop();
        }
    }
    open
}

/// Whether a bracket closes the innermost one that is open.
pub(crate) fn closes(open: &[usize], kinds: &[Kind], close: Kind) -> bool {
    open.last().and_then(|&open| kinds.get(open)).is_some_and(|&open| fit(open, close))
}

/// Whether two brackets belong together.
pub(crate) fn fit(open: Kind, close: Kind) -> bool {
    match close {
        Kind::ParenClose => open == Kind::ParenOpen,
        Kind::BracketClose => matches!(open, Kind::BracketOpen | Kind::AssignOpen),
        Kind::BraceClose => matches!(open, Kind::BraceOpen | Kind::CheckOpen | Kind::NotOpen | Kind::CompareOpen),
        _ => false,
    }
}

/// The bracket that closes one.
pub(crate) fn closing(open: Kind) -> Kind {
    match open {
        Kind::ParenOpen => Kind::ParenClose,
        Kind::BracketOpen | Kind::AssignOpen => Kind::BracketClose,
        _ => Kind::BraceClose,
    }
}

/// Whether an action begins with it.
pub(crate) fn begins_action(kind: Kind) -> bool {
    matches!(kind, Kind::Ident | Kind::Dot | Kind::Arrow | Kind::ArrowKeeper) || kind.opens()
}

/// What is to be replaced so that the token at `at`, or the end, may fit, and by what: an action that names nothing, or nothing.
fn mend(kinds: &[Kind], at: usize) -> Option<(Range<usize>, Vec<Kind>)> {
    let open = opened(kinds, at);
    let inner = open.last().map(|&index| (index, kinds.get(index).copied().unwrap_or(Kind::Hole)));
    let before = at.checked_sub(1).and_then(|before| kinds.get(before)).copied();
    // An operator lacks its operand in front of the place.
    let lacks = matches!(before, Some(Kind::Arrow | Kind::Caret));
    let begins = before.is_none_or(|before| before == Kind::Plus || before.opens());
    let dot = || vec![Kind::Dot];
    let Some(&kind) = kinds.get(at) else {
        let list = inner.filter(|(_, kind)| is_list(*kind)).map(|(index, _)| index);
        let start = list.unwrap_or(if lacks { at - 1 } else { at });
        let mut with = if lacks || begins || list.is_some() { dot() } else { Vec::new() };
        let left = open.iter().rev().skip(usize::from(list.is_some()));
        with.extend(left.filter_map(|&index| kinds.get(index)).map(|&kind| closing(kind)));
        return (!with.is_empty()).then_some((start..at, with));
    };
    match inner {
        Some((index, bracket)) if is_list(bracket) => return Some((index..end_of_list(kinds, index, at), dot())),
        // What looks like a call of a macro.
        Some((index, Kind::ParenOpen)) if kind == Kind::Semicolon => {
            let name = index.checked_sub(1).filter(|&name| kinds.get(name) == Some(&Kind::Ident)).unwrap_or(index);
            return Some((name..end_of_group(kinds, index), dot()));
        }
        _ => {}
    }
    Some(if kind.closes() {
        match (closes(&open, kinds, kind), lacks) {
            (false, _) => (at..at + 1, Vec::new()),
            (true, true) => (at - 1..at, dot()),
            (true, false) => (at..at, dot()),
        }
    } else if kind == Kind::Ident && lacks {
        (at - 1..at + 1, dot())
    } else if begins_action(kind) {
        if before.is_some() && !begins { (at - 1..at, dot()) } else { (at..at + 1, Vec::new()) }
    } else if lacks {
        (at - 1..at + 1, dot())
    } else if begins || kind == Kind::Hole {
        (at..at + 1, dot())
    } else {
        (at..at + 1, Vec::new())
    })
}

/// Whether a bracket has names or numbers in it, and no actions.
fn is_list(open: Kind) -> bool {
    matches!(open, Kind::BraceOpen | Kind::BracketOpen | Kind::AssignOpen | Kind::CompareOpen)
}

/// Where a list ends that is open at `at`: behind its bracket, or where an action begins before that.
fn end_of_list(kinds: &[Kind], open: usize, at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, &kind) in kinds.iter().enumerate().skip(open + 1) {
        match kind {
            Kind::ParenOpen => depth += 1,
            Kind::ParenClose if depth == 0 => return index.max(at),
            Kind::ParenClose => depth -= 1,
            kind if kind.closes() => return index + 1,
            kind if kind.opens() || matches!(kind, Kind::Arrow | Kind::ArrowKeeper) => return index.max(at),
            _ => {}
        }
    }
    kinds.len()
}

/// Where a bracket ends with all that is in it.
fn end_of_group(kinds: &[Kind], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, kind) in kinds.iter().enumerate().skip(open) {
        depth = if kind.opens() { depth + 1 } else { depth.saturating_sub(usize::from(kind.closes())) };
        if depth == 0 {
            return index + 1;
        }
    }
    kinds.len()
}
