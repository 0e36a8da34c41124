//! The goals: what decides a play after a half-move, in the order of SBG.

use crate::{Game, Side, board, piece};
use sbg::ast::{GoalKind, Square};
use std::collections::{BTreeMap, BTreeSet};

/// The condition that the piece just moved has reached one of its squares; `None` if a side has no such goals.
pub(crate) fn reached(game: &Game, side: Side) -> Option<String> {
    let mut wanted: BTreeMap<char, BTreeSet<Square>> = BTreeMap::new();
    for goal in &game.description.goals {
        if let GoalKind::Reach(squares) = &goal.kind {
            wanted.entry(goal.letter).or_default().extend(squares.iter().map(|&(square, _)| square));
        }
    }
    let size = (game.description.width, game.description.height);
    let conditions: Vec<String> = wanted
        .iter()
        .filter(|(letter, _)| Side::of(**letter) == side && game.letters.contains(letter))
        .map(|(&letter, squares)| {
            let places = board::anywhere_of(squares, size);
            let places = if places.contains(" + ") { format!("({places})") } else { places };
            format!("{{{}}} {places}", piece(letter))
        })
        .collect();
    (!conditions.is_empty()).then(|| conditions.join(" + "))
}

/// The numbers of pieces that decide the play: which piece, how many, and who wins then.
pub(crate) fn counts(game: &Game) -> Vec<(String, u32, Side)> {
    let goals = game.description.goals.iter().filter(|goal| game.letters.contains(&goal.letter));
    goals
        .filter_map(|goal| match goal.kind {
            GoalKind::Count(count) => Some((piece(goal.letter), count, Side::of(goal.letter).other())),
            GoalKind::Reach(_) => None,
        })
        .collect()
}
