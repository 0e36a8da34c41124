//! States that a player cannot tell from the one it is in.

use crate::agent;
use crate::errors::{GameError, env_error};
use crate::interrupt::watched;
use crate::state::State;
use agents::{Labelled, Resampling};
use envs::{Env, EnvError, Labels};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// What was found for a player in a state, which copies of the state share.
pub(crate) type Shared = (usize, Arc<Mutex<Resampling>>);

/// See [`State::resample`].
pub(crate) fn resampled(state: &Bound<'_, State>, player: usize, seed: u64) -> PyResult<State> {
    let py = state.py();
    let own = state.try_borrow()?.clone();
    let rules = own.game.game.clone();
    if !rules.reasoner().hides() {
        return Ok(own);
    }
    let known = own.resampling.clone().filter(|(of, _)| *of == player);
    let shared = known.unwrap_or_else(|| (player, Arc::new(Mutex::new(Resampling::new(0)))));
    if let Ok(mut state) = state.try_borrow_mut() {
        state.resampling = Some(shared.clone());
    }
    let (resampling, history) = (&shared.1, own.history());
    let drawn = watched(py, |stop| -> Result<_, EnvError> {
        let (play, moved) = agent::play(&rules, &history)?;
        let mut shared = resampling.lock().unwrap_or_else(PoisonError::into_inner);
        // What was found up to an interruption or an error is a part of what there is, and is not kept.
        let mut resampling = std::mem::replace(&mut *shared, Resampling::new(0));
        resampling.reseed(seed);
        let drawn = resampling.draw(&play, player, &stop.flag)?;
        if !stop.flag.load(Ordering::Relaxed) {
            *shared = resampling;
        }
        drop(shared);
        let Some(moves) = drawn else { return Ok(None) };
        // Of a move that is being made, only the mover knows the steps so far.
        let is_mover = play.turn() == backend::Turn::Player(player);
        let steps = history.get(moved..).filter(|_| is_mover).unwrap_or(&[]);
        Ok(actions(&rules, &moves)?.map(|actions| [&actions, steps].concat()))
    })?;
    let actions = drawn.map_err(|error| env_error(py, &rules, error))?;
    let actions = actions.ok_or_else(|| {
        GameError::new_err("no state was found that fits what the player observed, within a bound on the work")
    })?;
    let mut drawn = State::new(py, own.game)?;
    actions.into_iter().try_for_each(|action| drawn.act(py, action))?;
    Ok(drawn)
}

/// The actions that make some moves from the beginning.
fn actions(rules: &envs::Game, moves: &[Labelled]) -> Result<Option<Vec<u32>>, EnvError> {
    let (mut env, mut labels, mut all) = (Env::new(rules)?, Labels::default(), Vec::new());
    for (tags, _) in moves {
        env.list(rules, &mut labels)?;
        let Ok(actions) = env.actions_for(rules, tags) else { return Ok(None) };
        for action in actions {
            env.list(rules, &mut labels)?;
            env.act(rules, action)?;
            all.push(action);
        }
    }
    Ok(Some(all))
}
