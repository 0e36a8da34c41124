//! How long plays of a description can be: players who only go on, or only capture, come to an end.

use crate::facts::Facts;
use crate::model::Cell;
use crate::turns::Turns;
use rg_ir::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The greatest number of half-moves of a play, if that is plain: a player can only make so many moves if none of his pieces can come back to
/// a square, or if each of his moves captures.
pub(crate) fn longest(turns: &Turns<'_, '_>, facts: &Facts) -> Option<u64> {
    let sides = [0, 1].map(|side| moves(turns, facts, side));
    let pieces: u64 = facts.count.values().map(|&count| count as u64).sum();
    let limit = |side: &Moves| {
        let captures = side.captures.then_some(pieces);
        side.onwards.into_iter().chain(captures).min()
    };
    let [white, black] = [limit(&sides[0]), limit(&sides[1])];
    // White begins: after so many moves of white there are as many of black, and after so many of black one more of white.
    let white = white.map(|moves| moves.saturating_mul(2));
    let black = black.map(|moves| moves.saturating_mul(2).saturating_add(1));
    let together = sides.iter().all(|side| side.captures).then(|| pieces.saturating_sub(1));
    white.into_iter().chain(black).chain(together).min()
}

/// What is known of the moves of a player.
struct Moves {
    /// The greatest number of moves, if no piece can come back to a square.
    onwards: Option<u64>,
    /// Whether each move captures.
    captures: bool,
}

fn moves(turns: &Turns<'_, '_>, facts: &Facts, side: usize) -> Moves {
    let model = turns.explorer.eval.model;
    let empty = turns.explorer.eval.known.mask(facts.empty);
    let mut leads: BTreeMap<(Cell, Symbol), Vec<Cell>> = BTreeMap::new();
    let mut captures = true;
    for turn in turns.turns.iter().filter(|turn| turn.start.player == model.players[side]) {
        for ended in turn.moves.iter().filter(|ended| facts.reached.contains(&ended.origin)) {
            leads.entry(ended.origin).or_default().push(ended.target);
            captures &= ended.outcomes.iter().all(|outcome| facts.before(turns, ended, &outcome.store) & empty == 0);
        }
    }
    let onwards = furthest(&leads).map(|furthest| {
        let begins = (0..).zip(&model.board.initial).filter(|(_, kind)| facts.owner.get(kind) == Some(&side));
        begins.map(|(cell, &kind)| furthest.get(&(cell, kind)).copied().unwrap_or(0)).sum()
    });
    Moves { onwards, captures }
}

/// From each square the greatest number of moves of a piece; `None` if it can come back.
fn furthest(leads: &BTreeMap<(Cell, Symbol), Vec<Cell>>) -> Option<FxHashMap<(Cell, Symbol), u64>> {
    let mut done: FxHashMap<(Cell, Symbol), u64> = FxHashMap::default();
    let mut open: FxHashSet<(Cell, Symbol)> = FxHashSet::default();
    for &start in leads.keys() {
        let mut stack = vec![start];
        while let Some(&at) = stack.last() {
            let next = || leads.get(&at).into_iter().flatten().map(|&to| (to, at.1));
            if done.contains_key(&at) {
                stack.pop();
                continue;
            }
            if open.insert(at) {
                if next().any(|next| open.contains(&next) && !done.contains_key(&next)) {
                    return None;
                }
                stack.extend(next().filter(|next| !done.contains_key(next)));
                continue;
            }
            if next().any(|next| !done.contains_key(&next)) {
                return None;
            }
            let most = next().filter_map(|next| done.get(&next)).max().map_or(0, |most| most + 1);
            done.insert(at, most);
            stack.pop();
        }
    }
    Some(done)
}
