//! Agents.

use crate::errors::env_error;
use crate::game::{Game, Rebuilt};
use crate::interrupt::watched;
use crate::state::State;
use crate::words;
use agents::{Play, Spec};
use backend::{Moves, Tag, Turn};
use envs::{Acted, ActionKind, Env, EnvError, Labels};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A program that chooses moves.
///
/// A copy (`copy.copy`, `copy.deepcopy`) goes on as the agent does, with all that it remembers. One that was pickled begins anew, as it was made: with the same text and seed.
#[pyclass(frozen, module = "rgc")]
pub(crate) struct Agent {
    game: Game,
    spec: String,
    /// What it was made with.
    seed: u64,
    thinks: Mutex<Thinks>,
}

#[derive(Clone)]
struct Thinks {
    agent: Box<dyn agents::Agent>,
    /// Steps: the move that is being made, and after which actions it began.
    chosen: Option<(Vec<u32>, Vec<Tag>)>,
}

impl Agent {
    pub(crate) fn new(game: Game, spec: &str, seed: u64) -> PyResult<Self> {
        let parsed = Spec::parse(spec).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let rules = &game.game;
        let agent = parsed
            .agent_for(rules.reasoner(), rules.payoffs().clone(), seed)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { game, spec: spec.to_owned(), seed, thinks: Mutex::new(Thinks { agent, chosen: None }) })
    }
}

/// A game after some actions, as agents know it, and how many of the actions its moves took.
pub(crate) fn play<'g>(game: &'g envs::Game, history: &[u32]) -> Result<(Play<'g>, usize), EnvError> {
    let mut play = Play::new(game.reasoner())?;
    let (mut env, mut labels) = (Env::new(game)?, Labels::default());
    let mut moved = 0;
    for (at, &action) in history.iter().enumerate() {
        env.list(game, &mut labels)?;
        let tags = label(game, &env, action);
        if env.act(game, action)? == Acted::Moved {
            let moves: &Moves = play.moves();
            let index = (0..moves.len()).find(|&index| Some(moves.tags(index)) == tags.as_deref());
            play.make(index.ok_or(EnvError::Illegal { action })?)?;
            moved = at + 1;
        }
    }
    Ok((play, moved))
}

/// The tags of the move that an action makes, if it makes one.
fn label(game: &envs::Game, env: &Env, action: u32) -> Option<Vec<Tag>> {
    let reasoner = game.reasoner();
    let is_named = |tags: &[Tag], names: &[String]| {
        tags.len() == names.len() && tags.iter().zip(names).all(|(&tag, name)| reasoner.tag_name(tag) == name)
    };
    let names = game.actions().tags(action);
    if game.actions().kind() == ActionKind::Moves {
        let mut moves = Moves::new();
        reasoner.legal_moves(env.state(), &mut moves).ok()?;
        let at = env.legal().iter().position(|&legal| legal == action)?;
        return Some(moves.tags(at).to_vec());
    }
    let depth = env.chosen().len();
    let goes_on = |tags: &&[Tag]| is_named(tags.get(depth..).and_then(|rest| rest.get(..1)).unwrap_or(&[]), names);
    env.possible().find(goes_on).map(<[Tag]>::to_vec)
}

#[pymethods]
impl Agent {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The text that it was made from.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Chooses a legal action for the player to move, of which it knows no more than that player. Raises `ValueError` at the end of a game and where chance decides.
    fn choose(&self, py: Python<'_>, state: PyRef<'_, State>) -> PyResult<u32> {
        if !self.game.is_same(&state.game) {
            return Err(PyValueError::new_err(format!(
                "the agent is for {}, and the state is one of {}, or has other actions or utilities",
                words::of_game(&self.game),
                words::of_game(&state.game)
            )));
        }
        let game = &*self.game.game;
        let (history, legal, turn) = (state.history(), state.env.legal().to_vec(), state.env.turn());
        let chosen_tags = state.env.chosen().to_vec();
        let player = match turn {
            Turn::Player(player) => player,
            Turn::Random => return Err(PyValueError::new_err("chance is to move: no agent chooses for it")),
            Turn::End => return Err(PyValueError::new_err("the game is over: there is nothing to choose")),
        };
        // Another thread may go on with the state meanwhile.
        drop(state);
        let chosen = watched(py, |stop| -> Result<u32, EnvError> {
            let mut thinks = self.thinks.lock().unwrap_or_else(PoisonError::into_inner);
            let (play, moved) = play(game, &history)?;
            let begun = history.get(..moved).unwrap_or(&[]).to_vec();
            let known = thinks
                .chosen
                .take()
                .filter(|(then, tags)| *then == begun && moved < history.len() && tags.starts_with(&chosen_tags));
            let tags = match known {
                Some((_, tags)) => tags,
                None => {
                    let situation = play.situation(player).until(&stop.flag);
                    let choice = thinks.agent.choose(&situation)?;
                    play.moves().tags(choice.index).to_vec()
                }
            };
            let reasoner = game.reasoner();
            let names = |tags: &[Tag]| tags.iter().map(|&tag| reasoner.tag_name(tag).to_owned()).collect::<Vec<_>>();
            let wanted = match game.actions().kind() {
                ActionKind::Moves => Vec::new(),
                ActionKind::Steps if tags.starts_with(&chosen_tags) => {
                    names(tags.get(chosen_tags.len()..).and_then(|rest| rest.get(..1)).unwrap_or(&[]))
                }
                // Another move was begun than it would make: any way to go on.
                ActionKind::Steps => Vec::new(),
            };
            let at = match game.actions().kind() {
                // Legal actions are in the order of the moves.
                ActionKind::Moves => play.moves().iter().position(|listed| *listed == *tags),
                ActionKind::Steps => legal.iter().position(|&action| game.actions().tags(action) == wanted),
            };
            let action = at.and_then(|at| legal.get(at)).or(legal.first()).copied();
            thinks.chosen = Some((begun, tags));
            action.ok_or(EnvError::Illegal { action: u32::MAX })
        })?;
        chosen.map_err(|error| env_error(py, game, error))
    }

    // With all that it remembers; while another thread lets it think, that is waited for.
    fn __copy__(&self, py: Python<'_>) -> Self {
        let thinks = py.detach(|| self.thinks.lock().unwrap_or_else(PoisonError::into_inner).clone());
        Self { game: self.game.clone(), spec: self.spec.clone(), seed: self.seed, thinks: Mutex::new(thinks) }
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: Py<PyAny>) -> Self {
        self.__copy__(py)
    }

    // As it was made.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Rebuilt<'py>> {
        let arguments = (self.game.object(py)?, &self.spec, self.seed).into_pyobject(py)?;
        Ok((py.import("rgc")?.getattr("_agent")?, arguments))
    }

    /// What `choose` does.
    fn __call__(&self, py: Python<'_>, state: PyRef<'_, State>) -> PyResult<u32> {
        self.choose(py, state)
    }

    fn __repr__(&self) -> String {
        format!("<Agent {} for {}>", self.spec, self.game.game.name())
    }
}
