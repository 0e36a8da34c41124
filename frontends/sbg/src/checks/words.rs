//! What the words of a rule can do on a board.

use super::RuleFacts;
use crate::ast::{Description, On, Rule, Square};
use crate::automaton::{State, Words};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What may still be visited. What is not looked at any more makes no findings.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(1 << 22)
    }
}

impl Budget {
    fn spend(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// What is reached from a square, whatever stands elsewhere: columns and rows relative to it.
pub(super) struct Reach {
    /// Whether some word may be possible.
    pub(super) possible: bool,
    /// Whether some word may lead back.
    pub(super) returns: bool,
    /// Where words may end, in no order; `None` if the budget was used up.
    pub(super) ends: Option<Vec<(i32, i32)>>,
}

/// Follows all words. A word that is not possible may be taken for possible, never the other way round: squares may be
/// empty for one step and occupied for the next, but the own square is the mover's, and no word is wider than the board.
pub(super) fn explore(words: &Words, description: &Description, budget: &mut Budget) -> Reach {
    let (width, height) = (description.width.cast_signed(), description.height.cast_signed());
    let mut ends = FxHashSet::default();
    let mut seen: FxHashSet<(State, i32, i32)> = FxHashSet::from_iter([(0, 0, 0)]);
    let mut stack: Vec<(State, i32, i32)> = vec![(0, 0, 0)];
    while let Some((state, x, y)) = stack.pop() {
        if words.accepts(state) {
            ends.insert((x, y));
        }
        for &(step, to) in words.from(state) {
            if !budget.spend() {
                return Reach { possible: true, returns: false, ends: None };
            }
            let (x, y) = (x.saturating_add(step.dx), y.saturating_add(step.dy));
            let home = (x, y) == (0, 0);
            if x.abs() < width && y.abs() < height && (!home || step.on == On::Own) && seen.insert((to, x, y)) {
                stack.push((to, x, y));
            }
        }
    }
    let returns = ends.contains(&(0, 0));
    Reach { possible: !ends.is_empty(), returns, ends: Some(ends.into_iter().collect()) }
}

/// Whether a word of a rule can pass over the square that its piece starts from, or end there, after a step. `true` also
/// if that takes too long to find out, or if the rule is too large.
pub fn revisits_start(description: &Description, rule: &Rule) -> bool {
    let Ok(words) = Words::plain(&description.moves, rule.moves) else { return true };
    let (width, height) = (description.width.cast_signed(), description.height.cast_signed());
    let mut budget = Budget::default();
    let mut seen: FxHashSet<(State, i32, i32)> = FxHashSet::from_iter([(0, 0, 0)]);
    let mut stack: Vec<(State, i32, i32)> = vec![(0, 0, 0)];
    while let Some((state, x, y)) = stack.pop() {
        for &(step, to) in words.from(state) {
            let (x, y) = (x.saturating_add(step.dx), y.saturating_add(step.dy));
            if (x, y) == (0, 0) || !budget.spend() {
                return true;
            }
            if x.abs() < width && y.abs() < height && seen.insert((to, x, y)) {
                stack.push((to, x, y));
            }
        }
    }
    false
}

/// Whether white has a legal move at the start; `true` if that takes too long to find out.
pub fn white_can_move(description: &Description) -> bool {
    let mut budget = Budget::default();
    description.squares().any(|square| {
        let rule =
            description.cell(square).filter(char::is_ascii_uppercase).and_then(|letter| description.rule(letter));
        let words = rule.and_then(|rule| Words::plain(&description.moves, rule.moves).ok());
        words.is_some_and(|words| can_move(&words, square, description, &mut budget))
    })
}

/// As [`white_can_move`], with what is known about the rules.
pub(super) fn first_move(description: &Description, rules: &BTreeMap<char, RuleFacts>, budget: &mut Budget) -> bool {
    description.squares().any(|square| {
        let letter = description.cell(square).filter(char::is_ascii_uppercase);
        let rule = letter.and_then(|letter| rules.get(&letter));
        rule.is_some_and(|facts| can_move(&facts.words, square, description, budget))
    })
}

fn can_move(words: &Words, from: Square, description: &Description, budget: &mut Budget) -> bool {
    let mut seen: FxHashSet<(State, Square)> = FxHashSet::from_iter([(0, from)]);
    let mut stack = vec![(0, from)];
    while let Some((state, square)) = stack.pop() {
        if words.accepts(state) || !budget.spend() {
            return true;
        }
        for &(step, to) in words.from(state) {
            let (Some(x), Some(y)) = (square.x.checked_add_signed(step.dx), square.y.checked_add_signed(step.dy))
            else {
                continue;
            };
            if x >= description.width || y >= description.height {
                continue;
            }
            let square = Square { x, y };
            let on = match description.cell(square) {
                None => On::Empty,
                Some(letter) if letter.is_ascii_uppercase() => On::Own,
                Some(_) => On::Opponent,
            };
            if on == step.on && seen.insert((to, square)) {
                stack.push((to, square));
            }
        }
    }
    false
}
