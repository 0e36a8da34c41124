//! The checks of a whole description (section 5 of the specification).

mod goals;
mod words;

use crate::ast::{Description, Expr, On, Rule};
use crate::automaton::Words;
use crate::codes;
use crate::meant::{self, Certainty};
use rg_ir::{Diagnostic, Report, Span};
use std::collections::{BTreeMap, BTreeSet};
use words::{Budget, Reach};
pub use words::{revisits_start, white_can_move};

/// Most entries of all tables of steps together: squares times different displacements.
const MAX_TABLE: usize = 1 << 22;

/// What is known about a rule.
struct RuleFacts {
    words: Words,
    reach: Reach,
}

/// Reports everything that is wrong or strange. Near-linear; what could cost more has a fixed budget.
pub(crate) fn run(description: &Description, report: &mut Report) {
    steps(description, report);
    // What a wrong rule means is not known; findings that follow from it are not made.
    let complete = !report.failed();
    let mut budget = Budget::default();
    let mut rules: BTreeMap<char, RuleFacts> = BTreeMap::new();
    for rule in &description.rules {
        match Words::plain(&description.moves, rule.moves) {
            Ok(words) => {
                let reach = words::explore(&words, description, &mut budget);
                rules.insert(rule.letter, RuleFacts { words, reach });
            }
            Err(_) => {
                let message = format!("the rule of `{}` has too many steps", rule.letter);
                let error = Diagnostic::error(codes::RULE_TOO_LARGE, description.moves.span(rule.moves), message);
                report.push(error.note(format!("at most {} steps, powers written out", crate::MAX_STEPS)));
            }
        }
    }
    goals::check(description, &rules, complete, report);
    if complete {
        languages(description, &rules, &mut budget, report);
        letters(description, report);
        sides(description, &rules, &mut budget, report);
    }
}

/// Findings 6 and 7, and the size of tables.
fn steps(description: &Description, report: &mut Report) {
    let mut different = BTreeSet::new();
    for (expr, span) in &description.moves.nodes {
        let &Expr::Step(step) = expr else { continue };
        let (dx, dy) = (step.dx.unsigned_abs(), step.dy.unsigned_abs());
        if dx >= description.width || dy >= description.height {
            let message = "this step leaves the board from every square";
            let error = Diagnostic::error(codes::STEP_TOO_LONG, *span, message);
            let (width, height) = (description.width, description.height);
            report.push(error.note(format!("the board has {width} columns and {height} rows")));
        } else if (dx, dy) == (0, 0) && step.on != On::Own {
            let message = "this step stays where it is, and needs that not to be a square of the mover";
            let warning = Diagnostic::warning(codes::STEP_IN_PLACE, *span, message);
            report.push(warning.note("the moving piece still stands on the square it comes from"));
        }
        different.extend([(step.dx, step.dy), (step.dx, -step.dy)]);
    }
    let squares = description.cells.len();
    if different.len().saturating_mul(squares) > MAX_TABLE && !report.failed() {
        let message = format!("{} different steps are too many for a board of {squares} squares", different.len());
        report.error(codes::TOO_MANY_STEPS, description.board_span, message);
    }
}

/// Findings 8 and 9.
fn languages(description: &Description, rules: &BTreeMap<char, RuleFacts>, budget: &mut Budget, report: &mut Report) {
    for rule in &description.rules {
        let Some(facts) = rules.get(&rule.letter) else { continue };
        let letter = rule.letter;
        if !facts.reach.possible {
            let message = format!("`{letter}` can never move: no word of its rule is possible on this board");
            report.warning(codes::DEAD_WORDS, description.moves.span(rule.moves), message);
        } else if let Some(Expr::Sum(parts)) = description.moves.get(rule.moves) {
            for &part in parts {
                let Ok(words) = Words::part(&description.moves, part) else { continue };
                if !words::explore(&words, description, budget).possible {
                    let message = format!("this alternative of `{letter}` is never possible on this board");
                    report.warning(codes::DEAD_WORDS, description.moves.span(part), message);
                }
            }
        }
        if facts.words.accepts(0) {
            let message = format!("`{letter}` can pass: its rule contains the empty word");
            report.warning(codes::PASSES, rule.span, message);
        } else if facts.reach.returns {
            let message = format!("`{letter}` can pass: its rule leads back to where it starts");
            report.warning(codes::PASSES, rule.span, message);
        }
    }
}

/// Rules whose letter is not on the board, and upper-case letters of pieces without a rule.
fn unmatched(description: &Description) -> (Vec<&Rule>, Vec<char>) {
    let present = description.letters();
    let is_present = |letter: char| present.contains(&letter) || present.contains(&letter.to_ascii_lowercase());
    let unused = description.rules.iter().filter(|rule| !is_present(rule.letter)).collect();
    let mut without: Vec<char> = present.iter().map(char::to_ascii_uppercase).collect();
    without.sort_unstable();
    without.dedup();
    without.retain(|&letter| description.rule(letter).is_none());
    (unused, without)
}

/// How certain it is that the rules without pieces are misspelt. A rule is hardly misspelt if goals are about its letter.
fn certainty(description: &Description, unused: &[&Rule]) -> Certainty {
    let is_wanted = |letter: char| description.goals.iter().any(|goal| goal.letter.eq_ignore_ascii_case(&letter));
    match unused {
        [rule] if !is_wanted(rule.letter) => Certainty::Sure,
        _ => Certainty::Guess,
    }
}

/// The letter that is meant by the one rule without pieces, if that is certain.
fn meant_by_rule(description: &Description) -> Option<char> {
    match unmatched(description) {
        (unused, without) if certainty(description, &unused) == Certainty::Sure => match without[..] {
            [letter] => Some(letter),
            _ => None,
        },
        _ => None,
    }
}

/// Finding 10.
fn letters(description: &Description, report: &mut Report) {
    let present = description.letters();
    let (unused, without) = unmatched(description);
    let certainty = certainty(description, &unused);
    for rule in &unused {
        let (letter, lower) = (rule.letter, rule.letter.to_ascii_lowercase());
        let message = format!("neither `{letter}` nor `{lower}` is on the board");
        let warning = Diagnostic::warning(codes::UNUSED_RULE, rule.span, message);
        let warning = meant::suggest(warning, rule.span, &letter.to_string(), &without, certainty);
        report.push(warning.removing(format_args!("the rule of `{letter}`"), [rule.entry]));
    }
    // Pieces whose rule is there under a misspelt letter have one.
    let mut missing = BTreeSet::from_iter(meant_by_rule(description));
    for letter in present.iter().filter(|&&letter| description.rule(letter).is_none()) {
        let upper = letter.to_ascii_uppercase();
        if missing.insert(upper) {
            let place = |letter| description.letter_spans.get(&letter).copied().unwrap_or(Span::NONE);
            let (white, black) = (place(upper), place(letter.to_ascii_lowercase()));
            let first = if white.is_some() { white } else { black };
            let message = format!("`{upper}` has no rule, so its pieces never move");
            let warning = Diagnostic::warning(codes::NO_RULE, first, message);
            report.push(if white.is_some() { warning.also(black, "for black") } else { warning });
        }
    }
}

/// Finding 16.
fn sides(description: &Description, rules: &BTreeMap<char, RuleFacts>, budget: &mut Budget, report: &mut Report) {
    let letters = description.letters();
    let span = description.board_span;
    let mut complete = meant_by_rule(description).is_none();
    for (side, has) in [
        ("white", letters.iter().any(char::is_ascii_uppercase)),
        ("black", letters.iter().any(char::is_ascii_lowercase)),
    ] {
        if !has {
            report.warning(codes::NO_PIECES, span, format!("{side} has no pieces"));
            complete &= side != "white";
        }
    }
    if complete && rules.len() == description.rules.len() && !words::first_move(description, rules, budget) {
        report.warning(codes::NO_FIRST_MOVE, span, "white has no legal move at the start, and loses at once");
    }
}
