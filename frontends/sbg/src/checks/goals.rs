//! Findings about goals: 11 to 15 and 18.

use super::RuleFacts;
use crate::ast::{Description, Goal, GoalKind, Square};
use crate::codes;
use crate::meant::{self, Certainty};
use rg_ir::{Diagnostic, Report, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// Most pairs of squares that are looked at for a goal.
const DISTANCE_BUDGET: usize = 1 << 20;

/// Looks at all goals; `complete` says whether there are none but these.
pub(super) fn check(description: &Description, rules: &BTreeMap<char, RuleFacts>, complete: bool, report: &mut Report) {
    let mut entries: FxHashMap<(char, Option<Vec<Square>>), Span> = FxHashMap::default();
    let counts: FxHashMap<char, u32> = description.letters().into_iter().map(|l| (l, description.count(l))).collect();
    let mut soonest: Option<u64> = None;
    let mut known: FxHashMap<char, Option<FxHashMap<Square, u64>>> = FxHashMap::default();
    for goal in &description.goals {
        let count = counts.get(&goal.letter).copied().unwrap_or(0);
        repeated(goal, &mut entries, report);
        let first = match &goal.kind {
            &GoalKind::Count(wanted) => {
                amount(goal, wanted, (description, count), report);
                count.checked_sub(wanted).filter(|_| count > 0).map(|captures| u64::from(captures.max(1)))
            }
            GoalKind::Reach(squares) => {
                places(goal, squares, description, count, report);
                let near = known.entry(goal.letter).or_insert_with(|| distances(description, rules, goal.letter));
                let moves = match near {
                    Some(near) => squares.iter().filter_map(|(square, _)| near.get(square)).min().copied(),
                    None => Some(1),
                };
                // White's n-th move is the half-move 2n-1, black's 2n.
                moves.filter(|_| count > 0).map(|n| 2 * n - u64::from(goal.letter.is_ascii_uppercase()))
            }
        };
        soonest = soonest.into_iter().chain(first).min();
    }
    if complete && description.goals.is_empty() {
        let message = "there are no goals: only the limit and blocking end the game";
        report.warning(codes::NO_GOALS, description.limit_span, message);
    } else if let Some(soonest) = soonest.filter(|&n| n > u64::from(description.limit)) {
        let message = format!("no goal can be reached within {} half-moves", description.limit);
        let warning = Diagnostic::warning(codes::SMALL_LIMIT, description.limit_span, message);
        report.push(warning.note(format!("the nearest one takes at least {soonest}")));
    }
}

/// Finding 14: an entry, or a second number for a letter.
fn repeated(goal: &Goal, entries: &mut FxHashMap<(char, Option<Vec<Square>>), Span>, report: &mut Report) {
    let key = match &goal.kind {
        GoalKind::Count(_) => None,
        GoalKind::Reach(squares) => {
            let mut sorted: Vec<Square> = squares.iter().map(|&(square, _)| square).collect();
            sorted.sort_unstable();
            sorted.dedup();
            Some(sorted)
        }
    };
    let message = match key {
        None => format!("a second `#` entry for `{}`", goal.letter),
        Some(_) => format!("this `@` entry for `{}` repeats an earlier one", goal.letter),
    };
    match entries.entry((goal.letter, key)) {
        Entry::Occupied(first) => {
            let warning = Diagnostic::warning(codes::REPEATED, goal.span, message);
            report.push(warning.also(*first.get(), "the first one"));
        }
        Entry::Vacant(place) => {
            place.insert(goal.span);
        }
    }
}

/// Findings 11 and 12 for `#`.
fn amount(goal: &Goal, wanted: u32, (description, count): (&Description, u32), report: &mut Report) {
    let letter = goal.letter;
    if count == 0 && wanted == 0 {
        let message = format!("`{letter}` is nowhere on the board, so this decides the first half-move");
        report.push(suggesting(Diagnostic::error(codes::ABSENT_LETTER, goal.span, message), goal, description));
    } else if wanted > count {
        let message = format!("there are never {wanted} `{letter}`: the board begins with {count}");
        report.warning(codes::COUNT_OUT_OF_REACH, goal.span, message);
    } else if wanted == count {
        let message = format!("the board begins with {count} `{letter}`, so this decides the first half-move");
        report.warning(codes::COUNT_OUT_OF_REACH, goal.span, message);
    }
}

/// The finding about a letter that is nowhere with the suggestion of one that may be meant: that for which the other player has such a goal, and this
/// one has none, or else the only one of this player on the board.
fn suggesting(finding: Diagnostic, goal: &Goal, description: &Description) -> Diagnostic {
    let is_alike = |other: &&Goal| std::mem::discriminant(&other.kind) == std::mem::discriminant(&goal.kind);
    let has_goal = |letter: char| description.goals.iter().filter(is_alike).any(|other| other.letter == letter);
    let same_side = |letter: &char| letter.is_ascii_uppercase() == goal.letter.is_ascii_uppercase();
    let mut present = description.letters();
    present.retain(same_side);
    let (mut letters, mut certainty) = (present.clone(), Certainty::Sure);
    letters.retain(|&letter| has_goal(meant::turned(letter)) && !has_goal(letter));
    if letters.is_empty() && present.len() == 1 {
        (letters, certainty) = (present, Certainty::Guess);
    }
    meant::suggest(finding, goal.letter_span, &goal.letter.to_string(), &letters, certainty)
}

/// Findings 11, 13 and 14 for `@`.
fn places(goal: &Goal, squares: &[(Square, Span)], description: &Description, count: u32, report: &mut Report) {
    if count == 0 {
        let message = format!("`{}` is nowhere on the board, so this never applies", goal.letter);
        report.push(suggesting(Diagnostic::warning(codes::ABSENT_GOAL_LETTER, goal.span, message), goal, description));
    }
    let mut seen = FxHashSet::default();
    for &(square, span) in squares {
        let Square { x, y } = square;
        if x >= description.width || y >= description.height {
            let message = format!("the square `{x} {y}` is outside the board");
            let (right, top) = (description.width - 1, description.height - 1);
            let error = Diagnostic::error(codes::SQUARE_OUTSIDE, span, message);
            report.push(error.note(format!("columns go from 0 to {right}, rows from 0 (bottom) to {top}")));
        } else if !seen.insert(square) {
            report.warning(codes::REPEATED, span, format!("the square `{x} {y}` is listed twice"));
        }
    }
}

/// For every square how many moves pieces with a letter need to get there at least (one, if a piece is there already);
/// `None` if that takes too long to find out.
fn distances(
    description: &Description,
    rules: &BTreeMap<char, RuleFacts>,
    letter: char,
) -> Option<FxHashMap<Square, u64>> {
    let mut near = FxHashMap::default();
    let Some(facts) = rules.get(&letter.to_ascii_uppercase()) else { return Some(near) };
    let ends = facts.reach.ends.as_ref()?;
    if ends.len().saturating_mul(description.cells.len()) > DISTANCE_BUDGET {
        return None;
    }
    let mut layer: Vec<Square> = description.squares().filter(|&s| description.cell(s) == Some(letter)).collect();
    let mut seen: FxHashSet<Square> = layer.iter().copied().collect();
    let mut moves = 0;
    while !layer.is_empty() {
        moves += 1;
        let mut next = Vec::new();
        for square in layer {
            for &(dx, dy) in ends {
                let dy = if letter.is_ascii_uppercase() { dy } else { -dy };
                let (Some(x), Some(y)) = (square.x.checked_add_signed(dx), square.y.checked_add_signed(dy)) else {
                    continue;
                };
                let to = Square { x, y };
                if x < description.width && y < description.height {
                    near.entry(to).or_insert(moves);
                    if seen.insert(to) {
                        next.push(to);
                    }
                }
            }
        }
        layer = next;
    }
    Some(near)
}
