//! That somebody had no move when a game ended, and what comes nearest to one.

use super::answer::{Said, reason};
use super::position::{Told, only_board};
use super::{Owners, STEPS, Signs, first_place, is_way, looked, texts, words};
use backend::why::{Condition, Effort, NearMiss, near_misses};
use backend::{Error, State};
use kit::draw::Drawer;
use kit::runner::Runner;
use rg_ir::SourceMap;
use rg_ir::scene::Setup;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

pub use backend::why::Unable;

/// Conditions that are taken away at most until a move is found.
const MOST: usize = 2;

/// Who has no move, and what comes nearest to one: a move that would be legal but for the fewest conditions, with the one that fails, or else the place in the
/// rules at which all walks stop. The state is the one in which the game ended. Costs a search for moves with conditions ignored, which is
/// bounded, and ends soon after `stop` is set.
///
/// # Errors
/// The rules fail.
pub fn unable(
    sources: &SourceMap,
    (runner, drawer, state): (&Runner, &Drawer<'_>, &State),
    unable: &Unable,
    stop: &AtomicBool,
) -> Result<Told, Error> {
    let owners = Owners::of(runner, drawer, state);
    let setup = only_board(drawer, state);
    let before = setup.as_ref().map(|setup| setup.at.clone()).unwrap_or_default();
    let signs = Signs::new(runner, drawer.boards(), true).with_owners(&owners).with_position(before);
    let game = &runner.loaded.game;
    let player = runner.loaded.notation.render_player(&unable.player);
    let first = format!("`{player}` has no move\n");
    let mover = game.players().iter().position(|&player| game.name(player) == unable.player);
    let starts = |miss: &NearMiss| setup.as_ref().zip(mover).is_none_or(|on| can_start(runner, on, &owners, miss));
    let mut furthest = None;
    for conditions in 1..=MOST {
        let effort = Effort { conditions, behind: 0, steps: STEPS, stop: Some(stop) };
        let misses = near_misses(game, &unable.image, effort, |_| true)?;
        furthest = furthest.or(misses.furthest);
        if let Some(miss) = nearest(&signs, misses.found.iter().filter(|miss| starts(miss))) {
            return Ok(told(sources, &signs, first, miss));
        }
        if misses.is_cut {
            break;
        }
    }
    let stops = furthest.iter().flat_map(|miss| miss.conditions.first());
    let places = stops.map(|condition| (game.automaton.edge(condition.edge).span, None));
    let reasons: Vec<_> = places.filter(|(span, _)| span.is_some()).collect();
    let more = if reasons.is_empty() { "" } else { "  its moves get no further than this line of the rules:\n" };
    Ok(Told { text: first + more, reasons })
}

/// That nobody can move but for some conditions, in lines.
fn told(sources: &SourceMap, signs: &Signs<'_>, first: String, miss: &NearMiss) -> Told {
    let runner = signs.runner;
    let name = named(runner, miss);
    let said = Said::new(sources, signs);
    let mut lines: Vec<String> = miss.conditions.iter().map(|condition| said.line(condition)).collect();
    lines.dedup();
    let but = if miss.conditions.len() > 1 { "these conditions" } else { "one condition" };
    let text = format!("{first}  nearest to one is `{name}`, which would be legal but for {but}:\n{}", lines.concat());
    let game = &runner.loaded.game;
    let mut reasons: Vec<_> = miss
        .conditions
        .iter()
        .map(|one| (game.automaton.edge(one.edge).span, reason(sources, signs, one)))
        .filter(|(span, _)| span.is_some())
        .collect();
    reasons.dedup_by_key(|(span, _)| *span);
    Told { text, reasons }
}

/// The move that is nearest to being legal: because of the fewest conditions, which are about what is seen rather than about variables, and need no piece where there is
/// none; of several that are equal in this, one that comes far before it fails, where most others fail as well. Moves that leave the board or go from one place to
/// another where no rule leads are none. Linear in the near misses.
fn nearest<'m>(signs: &Signs<'_>, misses: impl Iterator<Item = &'m NearMiss> + Clone) -> Option<&'m NearMiss> {
    let mut common: FxHashMap<_, usize> = FxHashMap::default();
    for condition in misses.clone().flat_map(|miss| &miss.conditions) {
        *common.entry(condition.edge).or_default() += 1;
    }
    let fewness = |miss: &NearMiss| {
        let count = |is: &dyn Fn(&Condition) -> bool| miss.conditions.iter().filter(|one| is(one)).count();
        let unseen = count(&|one| !looked::is_on_board(signs, one));
        let pieces = count(&|one| looked::requires_piece(signs, one));
        let first = miss.conditions.first();
        let reached = first.map_or(0, |one| one.after);
        let shared = first.and_then(|one| common.get(&one.edge)).copied().unwrap_or(0);
        (miss.conditions.len(), unseen, pieces, Reverse(reached), Reverse(shared), miss.tags.len())
    };
    let is_move = |miss: &&NearMiss| !miss.conditions.iter().any(|one| is_jump(signs, one) || is_start(signs, one));
    misses.filter(is_move).min_by_key(|miss| fewness(miss))
}

/// Whether a condition is that there is a piece to be moved, before anything of the move was chosen: with another piece it is another position.
fn is_start(signs: &Signs<'_>, condition: &Condition) -> bool {
    condition.after == 0 && looked::requires_piece(signs, condition)
}

/// Whether a near miss can begin where it does on the only board: a move from one place to another begins with a piece, which is not known to be another player's.
fn can_start(runner: &Runner, (setup, mover): (&Setup<'_>, usize), owners: &Owners, miss: &NearMiss) -> bool {
    let name = named(runner, miss);
    let Some(first) = first_place(runner, &name).filter(|_| is_way(runner, &name)) else { return true };
    let Some(place) = setup.board.places.iter().position(|place| place.label == first) else { return true };
    let Some(kind) = setup.at.get(place).copied().flatten() else { return true };
    setup.piece(place).is_some() && owners.owner(setup.board, kind).is_none_or(|owner| owner == mover)
}

/// How people write a near miss.
fn named(runner: &Runner, miss: &NearMiss) -> String {
    runner.loaded.notation.short_moves(&[texts(&miss.tags)], runner.naming()).concat()
}

/// Whether a condition is about where the rules stand on the board, or about what is outside of it: a move that ignores it goes where no rule leads.
fn is_jump(signs: &Signs<'_>, condition: &Condition) -> bool {
    let runner = signs.runner;
    let cursor = runner.loaded.notation.cursor();
    let is_cursor = words::compared(&runner.loaded.game, condition)
        .is_some_and(|((variable, keys), ..)| keys.is_empty() && Some(variable) == cursor);
    is_cursor || looked::is_off_board(runner, condition) || looked::unused(signs, condition).is_some()
}
