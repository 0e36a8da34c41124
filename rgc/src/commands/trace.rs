//! `rgc trace`: a reproducible play.

use crate::cli::{EngineArgs, GameArgs, StartArgs};
use crate::joint::Steps;
use crate::runner::Runner;
use crate::scores::Scores;
use crate::session::{Failure, Session, finding};
use backend::{Moves, Options, Turn};
use serde::Serialize;
use std::io::Write as _;

#[derive(Serialize)]
struct Ply<'a> {
    ply: u64,
    player: &'a str,
    /// Number of legal moves.
    moves: usize,
    #[serde(rename = "move")]
    played: &'a str,
    short: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<&'a str>>,
}

#[derive(Serialize)]
struct End<'a> {
    /// Number of plies.
    ply: u64,
    scores: Scores<'a>,
}

/// Which of the sorted legal moves is played: (7·ply + 3·player + seed) mod `moves`.
pub(crate) fn choice(ply: u64, player: usize, seed: u64, moves: usize) -> usize {
    let sum = 7 * u128::from(ply) + 3 * player as u128 + u128::from(seed);
    // The remainder is less than a `usize`.
    (sum % moves.max(1) as u128) as usize
}

/// Which play is made.
pub(super) struct How<'a> {
    pub(super) seed: u64,
    pub(super) max_plies: u64,
    /// Where it begins.
    pub(super) start: &'a StartArgs,
    /// Moves with their tags.
    pub(super) tags: bool,
}

pub(super) fn run(session: &mut Session, game: &GameArgs, how: &How<'_>, engine: &EngineArgs) -> Result<(), Failure> {
    let &How { seed, max_plies, start, tags } = how;
    let loaded = session.load_at((&game.file, game.language.from.as_deref()), start, engine.options())?;
    if loaded.notation.joint().is_some() {
        if tags {
            let message =
                "`--tags` shows the tags of one player's move, and here every line has the moves of all roles";
            return Err(finding("IO325", message).help("`rgc moves --tags` shows them for each role").into());
        }
        // States are hashed with all that is in them.
        let options = Options { checked: true, keep_dead: true, ..engine.options() };
        let runner = Runner::new(loaded.optimised(engine.level.or(0))?, options)?;
        return Steps::of(&runner)?.trace(session, seed, max_plies);
    }
    let options = Options { checked: true, ..engine.options() };
    let runner = Runner::new(loaded.optimised(engine.level.or_fast(options.ambiguity))?, options)?;
    let reasoner = &runner.reasoner;
    let mut state = runner.initial()?;
    let mut moves = Moves::new();
    let mut play = Vec::new();
    let mut ply = 0;
    while let Some(player) = super::moves::named(&runner, &state) {
        if ply == max_plies {
            let message =
                format!("the game is not over after {max_plies} {}", if max_plies == 1 { "ply" } else { "plies" });
            return Err(finding("IO321", message).help("`--max-plies` allows more").into());
        }
        if let Err(error) = reasoner.legal_moves(&state, &mut moves) {
            return Err(runner.failure_after(error, play).into());
        }
        let listed = runner.listed(&moves);
        let number = match reasoner.turn(&state) {
            Turn::Player(index) => index,
            Turn::Random | Turn::End => reasoner.players().len(),
        };
        let Some((played, index)) = listed.get(choice(ply, number, seed, listed.len())) else { break };
        let short = runner.short_texts(&moves);
        let short = short.get(*index).map_or("", String::as_str);
        let tags = tags.then(|| runner.tags(&moves).into_iter().nth(*index).unwrap_or_default());
        let line = serde_json::to_string(&Ply { ply, player, moves: listed.len(), played, short, tags });
        writeln!(session.out(), "{}", line.map_err(std::io::Error::from)?)?;
        play.push(reasoner.move_text(&moves, *index));
        if let Err(error) = reasoner.apply(&mut state, &moves, *index) {
            return Err(runner.failure_after(error, play).into());
        }
        ply += 1;
    }
    let line = serde_json::to_string(&End { ply, scores: Scores::of(&runner, &state) });
    Ok(writeln!(session.out(), "{}", line.map_err(std::io::Error::from)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_of_choice() {
        assert_eq!(choice(0, 0, 0, 20), 0);
        assert_eq!(choice(2, 1, 5, 20), 2);
        assert_eq!(choice(u64::MAX, 2, u64::MAX, 7), ((u128::from(u64::MAX) * 8 + 6) % 7) as usize);
        assert_eq!(choice(3, 0, 1, 1), 0);
    }
}
