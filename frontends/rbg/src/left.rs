//! Brackets that macros open and leave open.
//!
//! The tokens of a call are next to each other in the expanded text, and calls nest. So of the brackets that are open at a token, those whose macro has not
//! ended yet are in calls around the token, the inner ones behind the outer ones: once the innermost of them goes on, all do. That is why a stack of them
//! shows in one pass where the macro of each bracket ends.

use crate::lexer::Kind;
use crate::macros::Expanded;
use crate::repair::closing;
use crate::report::Steps;
use rustc_hash::FxHashMap;

/// A bracket in a macro, with the first token behind the call that it came from: the number of all tokens if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Left {
    pub(crate) open: usize,
    pub(crate) end: usize,
}

/// The brackets that macros open and leave open, in the order of the text: those that are closed by what stands behind the call although a bracket is open
/// there that this would close, and those that nothing closes. Linear in the tokens and steps.
pub(crate) fn left_by_macros(tokens: &[Expanded], steps: &Steps) -> Vec<Left> {
    let calls = Calls::of(steps);
    let mut brackets = Brackets::default();
    let mut left: Vec<usize> = Vec::new();
    let mut ends: FxHashMap<usize, usize> = FxHashMap::default();
    for (at, token) in tokens.iter().enumerate() {
        let has_ended = |of: Pair| of.0.is_some_and(|call| !calls.are_around(call, token.expansion));
        ends.extend(brackets.end(has_ended).into_iter().map(|open| (open, at)));
        match token.kind {
            Some(kind) if kind.opens() => brackets.push(at, (token.expansion, closing(kind))),
            Some(kind) if kind.closes() => brackets.close((token.expansion, kind), &mut left),
            _ => {}
        }
    }
    // Only macros end at the end of the text.
    left.extend(brackets.open.iter().filter(|bracket| bracket.of.0.is_some()).map(|bracket| bracket.at));
    left.sort_unstable();
    let end = |open: usize| ends.get(&open).copied().unwrap_or(tokens.len());
    left.into_iter().map(|open| Left { open, end: end(open) }).collect()
}

/// What a bracket has in common with the one that closes it: the call both come from, and the kind of the closing one.
type Pair = (Option<u32>, Kind);

#[derive(Clone, Copy)]
struct Bracket {
    at: usize,
    of: Pair,
}

/// Brackets that are open.
#[derive(Default)]
struct Brackets {
    open: Vec<Bracket>,
    /// For what they have in common, the positions in `open`.
    by_pair: FxHashMap<Pair, Vec<usize>>,
    /// Positions in `open` of those whose macro has not ended, or that are in none.
    lasting: Vec<usize>,
}

impl Brackets {
    fn push(&mut self, at: usize, of: Pair) {
        self.by_pair.entry(of).or_default().push(self.open.len());
        self.lasting.push(self.open.len());
        self.open.push(Bracket { at, of });
    }

    /// The brackets whose macro has ended now: the innermost ones of those that last.
    fn end(&mut self, has_ended: impl Fn(Pair) -> bool) -> Vec<usize> {
        let mut ended = Vec::new();
        while let Some(&bracket) =
            self.lasting.last().and_then(|&last| self.open.get(last)).filter(|last| has_ended(last.of))
        {
            ended.push(bracket.at);
            self.lasting.pop();
        }
        ended
    }

    /// Closes the bracket of the same call, if the macros of all brackets behind it have ended: those were left open. Else closes the last one.
    fn close(&mut self, of: Pair, left: &mut Vec<usize>) {
        let partner = self.by_pair.get(&of).and_then(|positions| positions.last()).copied();
        match partner {
            Some(partner) if self.lasting.last().is_none_or(|&last| last <= partner) => {
                while self.open.len() > partner + 1 {
                    left.extend(self.pop());
                }
                self.pop();
            }
            _ => _ = self.pop(),
        }
    }

    fn pop(&mut self) -> Option<usize> {
        let bracket = self.open.pop()?;
        if let Some(positions) = self.by_pair.get_mut(&bracket.of) {
            positions.pop();
        }
        if self.lasting.last() == Some(&self.open.len()) {
            self.lasting.pop();
        }
        Some(bracket.at)
    }
}

/// Which calls are in which, as numbers from the first to one past the last of those in each.
struct Calls(Vec<(u32, u32)>);

impl Calls {
    /// Linear: outer steps stand before inner ones.
    fn of(steps: &Steps) -> Self {
        let mut sizes: Vec<u32> = vec![1; steps.steps.len()];
        for (index, step) in steps.steps.iter().enumerate().rev() {
            let size = sizes.get(index).copied().unwrap_or_default();
            if let Some(outer) = step.outer.and_then(|outer| sizes.get_mut(outer as usize)) {
                *outer = outer.saturating_add(size);
            }
        }
        // Of each call, the number of the next one in it.
        let mut next: Vec<u32> = Vec::with_capacity(sizes.len());
        let mut calls: Vec<(u32, u32)> = Vec::with_capacity(sizes.len());
        let mut top = 0_u32;
        for (step, size) in steps.steps.iter().zip(sizes) {
            let slot = step.outer.and_then(|outer| next.get_mut(outer as usize)).unwrap_or(&mut top);
            let first = *slot;
            *slot = first.saturating_add(size);
            next.push(first.saturating_add(1));
            calls.push((first, first.saturating_add(size)));
        }
        Self(calls)
    }

    /// Whether `call` is one of the calls that something came from, of which `inner` is the innermost.
    fn are_around(&self, call: u32, inner: Option<u32>) -> bool {
        let range = |call: u32| self.0.get(call as usize);
        let (Some(&(first, end)), Some((at, _))) = (range(call), inner.and_then(range)) else { return false };
        (first..end).contains(at)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test stops at the first surprise

    use super::*;
    use crate::report::Step;
    use rg_ir::{SourceId, Symbols};

    /// What [`left_by_macros`] says, by looking back from every bracket. Cubic.
    fn plain(tokens: &[Expanded], steps: &Steps) -> Vec<Left> {
        let outer = |&step: &u32| steps.steps[step as usize].outer;
        let around = |step: u32, of: Option<u32>| std::iter::successors(of, outer).any(|around| around == step);
        let own = |at: usize| tokens.get(at).and_then(|token| token.expansion);
        let has_ended = |open: usize, at: usize| own(open).is_some_and(|step| !around(step, own(at)));
        let (mut open, mut left): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for at in 0..tokens.len() {
            let kind = tokens[at].kind.unwrap();
            if kind.opens() {
                open.push(at);
            } else if kind.closes() {
                let fits = |&open: &usize| own(open) == own(at) && closing(tokens[open].kind.unwrap()) == kind;
                match open.iter().rposition(fits) {
                    Some(partner) if open[partner + 1..].iter().all(|&inner| has_ended(inner, at)) => {
                        left.extend(open.drain(partner..).skip(1));
                    }
                    _ => _ = open.pop(),
                }
            }
        }
        left.extend(open.into_iter().filter(|&open| has_ended(open, tokens.len())));
        left.sort_unstable();
        let end = |open: usize| (open + 1..tokens.len()).find(|&at| has_ended(open, at)).unwrap_or(tokens.len());
        left.into_iter().map(|open| Left { open, end: end(open) }).collect()
    }

    /// Calls in calls with brackets of two kinds, by a generator of pseudorandom numbers.
    fn nested(mut seed: u64, length: usize) -> (Vec<Expanded>, Steps) {
        let mut names = Symbols::default();
        let name = names.intern("m");
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let mut steps = Steps { source: SourceId(0), steps: Vec::new() };
        let (mut tokens, mut inside) = (Vec::new(), None::<u32>);
        while tokens.len() < length {
            match below(8) {
                0 => {
                    steps.steps.push(Step { name, parameter: false, start: 0, end: 1, outer: inside });
                    inside = Some(u32::try_from(steps.steps.len() - 1).unwrap());
                }
                1 => inside = inside.and_then(|step| steps.steps[step as usize].outer),
                kind => {
                    let kinds = [
                        Kind::ParenOpen,
                        Kind::CheckOpen,
                        Kind::ParenOpen,
                        Kind::ParenClose,
                        Kind::BraceClose,
                        Kind::Dot,
                    ];
                    let kind = kinds.get(usize::try_from(kind).unwrap() - 2).copied();
                    tokens.push(Expanded { kind, sym: name, start: 0, end: 1, expansion: inside });
                }
            }
        }
        (tokens, steps)
    }

    #[test]
    fn one_pass_finds_what_looking_back_finds() {
        let mut found = 0;
        for seed in 0..2_000 {
            let (tokens, steps) = nested(seed, 40);
            let left = left_by_macros(&tokens, &steps);
            assert_eq!(left, plain(&tokens, &steps), "seed {seed}");
            found += left.len();
        }
        assert!(found > 1_000, "{found}");
    }

    /// Brackets that all stay open, in calls as deep: looking at all that are open at each token, or at all calls around it, would take hours.
    #[test]
    fn deep_calls_and_many_brackets_are_looked_at_once() {
        let mut names = Symbols::default();
        let name = names.intern("m");
        let count = 400_000_u32;
        let step = |at: u32| Step { name, parameter: false, start: 0, end: 1, outer: at.checked_sub(1) };
        let steps = Steps { source: SourceId(0), steps: (0..count).map(step).collect() };
        let token = |kind, expansion| Expanded { kind: Some(kind), sym: name, start: 0, end: 1, expansion };
        let opening = (0..count).map(|at| token(Kind::ParenOpen, Some(at)));
        let closing = (0..count).map(|at| token(Kind::BraceClose, Some(count - 1 - at)));
        let tokens: Vec<Expanded> = opening.clone().chain(closing).chain(opening).collect();
        assert_eq!(left_by_macros(&tokens, &steps).len(), count as usize);
    }
}
