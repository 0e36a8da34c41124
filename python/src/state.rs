//! Games in progress.

use crate::audit;
use crate::bytes;
use crate::errors::{GameError, IllegalAction, env_error, game_error, kind_of, numbers};
use crate::game::{Game, Rebuilt};
use crate::observing;
use crate::resampling::{self, Shared};
use crate::whole::{Whole, seed_of};
use crate::{texts, values, words};
use backend::{State as Position, Turn};
use envs::{Acted, Env, EnvError};
use kit::draw::Drawer;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use rg_ir::scene::{self, Look};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of `random`, and of nobody at the end of a game; the same as OpenSpiel's.
const CHANCE: i64 = -1;
const TERMINAL: i64 = -4;

/// A game in progress. States are equal if their positions are, however they came about.
#[pyclass(module = "rgc")]
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) game: Game,
    pub(crate) env: Env,
    history: Vec<u32>,
    pub(crate) plies: u32,
    /// See [`State::resample`].
    pub(crate) resampling: Option<Shared>,
}

impl State {
    pub(crate) fn new(py: Python<'_>, game: Game) -> PyResult<Self> {
        let mut env = Env::new(&game.game).map_err(|error| env_error(py, &game.game, error))?;
        Self::ready(py, &game, &mut env)?;
        Ok(Self { game, env, history: Vec::new(), plies: 0, resampling: None })
    }

    /// The state after some actions from the beginning, those of chance included.
    pub(crate) fn after(py: Python<'_>, game: Game, history: Vec<u32>) -> PyResult<Self> {
        let mut state = Self::new(py, game)?;
        history.into_iter().try_for_each(|action| state.act(py, action))?;
        Ok(state)
    }

    /// The actions so far, those of chance included.
    pub(crate) fn history(&self) -> Vec<u32> {
        self.history.clone()
    }

    /// Lists the legal actions.
    fn ready(py: Python<'_>, game: &Game, env: &mut Env) -> PyResult<()> {
        if env.turn() == Turn::End { Ok(()) } else { game.list(py, env) }
    }

    /// The actions that make a move; `None` if it is not legal.
    pub(crate) fn moves_as(&self, text: &str) -> Option<Vec<u32>> {
        self.env.actions_of(&self.game.game, text).ok()
    }

    /// Takes an action, and lists those that are legal then. Where that fails, nothing has changed.
    pub(crate) fn act(&mut self, py: Python<'_>, action: u32) -> PyResult<()> {
        let game = &self.game.game;
        self.goes_on()?;
        let is_players = self.env.turn() != Turn::Random;
        let acted = match self.env.act(game, action) {
            Ok(acted) => Self::ready(py, &self.game, &mut self.env).map(|()| acted),
            Err(error @ EnvError::Illegal { .. }) => return Err(env_error(py, game, error)),
            Err(error) => Err(env_error(py, game, error)),
        };
        match acted {
            Ok(acted) => {
                self.history.push(action);
                self.resampling = None;
                self.plies += u32::from(acted == Acted::Moved && is_players);
                Ok(())
            }
            Err(error) => {
                // The same actions lead to the same state again.
                if let Ok(mut env) = Env::after(game, &self.history)
                    && Self::ready(py, &self.game, &mut env).is_ok()
                {
                    self.env = env;
                }
                Err(error)
            }
        }
    }

    /// The position with the values of all variables, and what shows it. The state is not borrowed meanwhile: another thread may go on with it.
    fn shown<T>(slf: &Bound<'_, Self>, show: impl FnOnce(&envs::Game, &Position) -> T + Send) -> PyResult<T>
    where
        T: Send,
    {
        let (py, state) = (slf.py(), slf.try_borrow()?.clone());
        let game = &state.game.game;
        let shown = py.detach(|| {
            let full = game.in_full()?;
            Ok::<_, &envs::GameError>(Env::after(full, &state.history).map(|env| show(full, env.state())))
        });
        let shown = shown.map_err(|error| game_error(py, error))?;
        shown.map_err(|error| env_error(py, game, error))
    }

    /// An error if the game is over.
    pub(crate) fn goes_on(&self) -> PyResult<()> {
        if self.is_terminal() {
            return Err(IllegalAction::new_err("the game is over: no action is legal"));
        }
        Ok(())
    }

    /// The index of a player who asks, or of the one to move.
    pub(crate) fn asking(&self, player: Option<Whole>) -> PyResult<usize> {
        match (player, self.env.turn()) {
            (Some(player), _) => self.game.player(player),
            (None, Turn::Player(player)) => Ok(player),
            (None, _) => self.game.player(Whole::from(0)),
        }
    }

    /// See [`State::observed`].
    pub(crate) fn observed_by(&self, player: usize) -> Vec<i32> {
        let number = |&tag| self.game.game.actions().tag_number(tag).map_or(0, |number| number as i32 + 1);
        self.env.observed(player).iter().map(number).collect()
    }

    /// Whether the actions of a player, or of chance, are those that are legal now.
    fn is_of(&self, player: Option<Whole>) -> PyResult<bool> {
        let is_nobody = |player: Whole| [CHANCE, TERMINAL].map(Whole::from).contains(&player);
        if !player.is_none_or(is_nobody) {
            self.asking(player)?;
        }
        Ok(player.is_none_or(|player| player == Whole::from(self.current_player())))
    }
}

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The player to move; -1 for chance, -4 at the end.
    fn current_player(&self) -> i64 {
        match self.env.turn() {
            Turn::Player(player) => player as i64,
            Turn::Random => CHANCE,
            Turn::End => TERMINAL,
        }
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.env.turn() == Turn::End
    }

    /// Whether chance decides.
    fn is_chance_node(&self) -> bool {
        self.env.turn() == Turn::Random
    }

    /// The number of players, as `Game.num_players`.
    fn num_players(&self) -> usize {
        self.game.game.reasoner().players().len()
    }

    /// The number of actions, as `Game.num_actions`.
    fn num_distinct_actions(&self) -> usize {
        self.game.game.actions().len()
    }

    /// Whether a player decides.
    fn is_player_node(&self) -> bool {
        matches!(self.env.turn(), Turn::Player(_))
    }

    /// Never: players who move at once act one after the other (`Game.simultaneous`).
    fn is_simultaneous_node(&self) -> bool {
        false
    }

    /// Whether nobody has acted so far.
    fn is_initial_state(&self) -> bool {
        self.history.is_empty()
    }

    /// The number of actions so far, those of chance and steps of moves included; `plies` has the moves of players.
    fn move_number(&self) -> usize {
        self.history.len()
    }

    /// Ascending; none for players who are not to move, nor for chance (-1) where a player decides. Raises
    /// `ValueError` for players that there are not.
    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, player: Option<Whole>) -> PyResult<Vec<u32>> {
        if !self.is_of(player)? {
            return Ok(Vec::new());
        }
        let mut legal = self.env.legal().to_vec();
        legal.sort_unstable();
        Ok(legal)
    }

    /// By action, whether it is legal; none is for players who are not to move.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(&self, py: Python<'py>, player: Option<Whole>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![false; self.game.game.actions().len()];
        let is_of = self.is_of(player)?;
        for &action in self.env.legal().iter().filter(|_| is_of) {
            if let Some(legal) = mask.get_mut(action as usize) {
                *legal = true;
            }
        }
        Ok(mask.into_pyarray(py))
    }

    /// Raises `IllegalAction`, and `GameError` where the rules fail; nothing has changed then.
    fn apply_action(&mut self, py: Python<'_>, action: Whole) -> PyResult<()> {
        self.goes_on()?;
        match action.to::<u32>() {
            Some(action) => self.act(py, action),
            None => Err(IllegalAction::new_err(format!(
                "there is no action {action}: {}",
                numbers("actions", self.game.game.actions().len())
            ))),
        }
    }

    /// A copy in which an action was taken. Raises what `apply_action` raises.
    fn child(&self, py: Python<'_>, action: Whole) -> PyResult<Self> {
        let mut child = self.clone();
        child.apply_action(py, action)?;
        Ok(child)
    }

    /// A copy, which goes on by itself.
    #[pyo3(name = "clone")]
    fn py_clone(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: Py<PyAny>) -> Self {
        self.clone()
    }

    /// What the scores of a game that is over are worth, by player; zeros before.
    pub(crate) fn returns(&self) -> Vec<f64> {
        let game = &self.game.game;
        let mut numbers = Vec::new();
        if self.is_terminal() {
            game.reasoner().score_numbers(self.env.state(), &mut numbers);
            return numbers.iter().map(|&at| game.utilities().get(at as usize).copied().unwrap_or(0.0)).collect();
        }
        vec![0.0; game.reasoner().players().len()]
    }

    /// What `returns` has for a player.
    fn player_return(&self, player: Whole) -> PyResult<f64> {
        let player = self.asking(Some(player))?;
        Ok(self.returns().get(player).copied().unwrap_or(0.0))
    }

    /// As `returns`: all rewards come at the end.
    fn rewards(&self) -> Vec<f64> {
        self.returns()
    }

    /// The scores by name, as the rules have them at this moment.
    fn scores(&self) -> Vec<String> {
        self.game.game.reasoner().scores(self.env.state()).into_iter().map(str::to_owned).collect()
    }

    /// Each action of chance with its probability; none where a player decides.
    fn chance_outcomes(&self) -> PyResult<Vec<(u32, f64)>> {
        let legal = if self.is_chance_node() { self.legal_actions(None)? } else { Vec::new() };
        let each = 1.0 / legal.len().max(1) as f64;
        Ok(legal.into_iter().map(|action| (action, each)).collect())
    }

    /// A legal action as people write it here, another one as `Game.action_to_string` has it. Of two numbers, the first one is a player, as OpenSpiel has it.
    #[pyo3(signature = (action_or_player, action=None, /))]
    fn action_to_string(&self, action_or_player: Whole, action: Option<Whole>) -> PyResult<String> {
        if action.is_some() {
            self.is_of(Some(action_or_player))?;
        }
        let action = action.unwrap_or(action_or_player);
        let (game, action) = (&self.game.game, self.game.known(action)?);
        Ok(self.env.text_of(game, action).unwrap_or_else(|| game.action_text(action)))
    }

    /// The legal action with this text, or else with these tags; a move is read in any way that people write it (`e2e4`).
    ///
    /// Raises `IllegalAction`, which says what would be legal; also for a text that several actions have, and for an empty one.
    fn string_to_action(&self, text: &str) -> PyResult<u32> {
        texts::action(self, text)
    }

    /// The actions that make a legal move as people write it: one, or the steps that are still to be taken. Raises `IllegalAction`.
    pub(crate) fn move_to_actions(&self, text: &str) -> PyResult<Vec<u32>> {
        self.goes_on()?;
        self.env.actions_of(&self.game.game, text).map_err(IllegalAction::new_err)
    }

    /// Makes a legal move as people write it, whatever actions are. Raises `IllegalAction`.
    fn apply_move(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        let mut next = self.clone();
        for action in self.move_to_actions(text)? {
            next.act(py, action)?;
        }
        *self = next;
        Ok(())
    }

    /// The legal moves as people write them, whatever actions are.
    fn legal_moves(&self) -> PyResult<Vec<String>> {
        if self.is_terminal() {
            return Ok(Vec::new());
        }
        self.env.written_moves(&self.game.game).map_err(GameError::new_err)
    }

    /// Why a move is not legal, as a look at the position and the rules tell, in the words of `rgc play`; `None` if it is legal. It knows all that is hidden.
    ///
    /// The first call prepares an engine that keeps all values; a call looks for conditions of the rules that stand in the way, which may take a second.
    fn why(slf: &Bound<'_, Self>, text: &str) -> PyResult<Option<String>> {
        // Another thread may go on with the state meanwhile.
        let (py, state) = (slf.py(), slf.try_borrow()?.clone());
        let Err(said) = state.env.actions_of(&state.game.game, text) else { return Ok(None) };
        // A move that is legal, but not any more after some of its steps.
        Ok(audit::why(py, &state.game, &state.history, text)?.or(Some(said)))
    }

    /// A state that a player cannot tell from this one: its information state and, if it is to move, its legal actions are the same. The likelier ones more often, if
    /// everybody moves at random. If nothing is hidden, it is this state. Steps of a move that somebody else is making are left out.
    ///
    /// Every call draws anew, with a fresh seed; with `seed`, equal seeds draw equal states.
    ///
    /// The first call in a state looks for such states; the following ones take as long as it takes to make their moves. Raises `GameError` if none is found.
    #[pyo3(signature = (player=None, *, seed=None))]
    fn resample(slf: &Bound<'_, Self>, player: Option<Whole>, seed: Option<Whole>) -> PyResult<Self> {
        let seed = seed_of(slf.py(), seed)?;
        let player = slf.try_borrow()?.asking(player)?;
        resampling::resampled(slf, player, seed)
    }

    /// The actions so far, those of chance included.
    #[pyo3(name = "history")]
    fn py_history(&self) -> Vec<u32> {
        self.history.clone()
    }

    /// The number of moves of players so far: those of chance, and steps of a move, do not count. `len(history())` is the number of all actions.
    #[getter]
    fn plies(&self) -> u32 {
        self.plies
    }

    /// The tags of the move that is being made, as far as they are chosen (steps), written as `action_to_string` does.
    #[getter]
    pub(crate) fn chosen(&self) -> Vec<String> {
        let game = &self.game.game;
        self.env.chosen().iter().map(|&tag| game.tag_text(game.reasoner().tag_name(tag)).into_owned()).collect()
    }

    /// In games that hide something, the numbers of all tags that a player observed, from the first to the last: `k` stands for `Game.tags[k - 1]`. Empty in others.
    #[pyo3(signature = (player=None))]
    fn observed(&self, player: Option<Whole>) -> PyResult<Vec<i32>> {
        Ok(self.observed_by(self.asking(player)?))
    }

    /// An array of the shape `Game.observation_shape`: planes of bytes (`Game.channels`).
    ///
    /// In games that hide something, the last `Game.max_observed` numbers of `observed`, the latest one last, after zeros (`int32`).
    /// Of a finished game, planes show the last position, as its last move left it.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(&self, py: Python<'py>, player: Option<Whole>) -> PyResult<Bound<'py, PyAny>> {
        observing::tensor(self, py, player)
    }

    /// In games that hide something: the numbers of all tags that the player observed, as `observed` has them, after zeros, so that there are `Game.max_observed` (`int32`).
    ///
    /// Raises `ValueError` where the player observed more, and in games that hide nothing: an information state is the whole history there, which has no greatest length
    /// (`information_state_string` has it as text, `history` as numbers).
    #[pyo3(signature = (player=None))]
    fn information_state_tensor<'py>(&self, py: Python<'py>, player: Option<Whole>) -> PyResult<Bound<'py, PyAny>> {
        observing::information(self, py, player)
    }

    /// The position as text; in games that hide something, what the player observed.
    #[pyo3(signature = (player=None))]
    fn observation_string(slf: &Bound<'_, Self>, player: Option<Whole>) -> PyResult<String> {
        let state = slf.try_borrow()?;
        state.asking(player)?;
        if state.game.game.reasoner().hides() {
            return state.information_state_string(player);
        }
        drop(state);
        Self::__str__(slf)
    }

    /// The actions so far; in games that hide something, what the player observed.
    #[pyo3(signature = (player=None))]
    fn information_state_string(&self, player: Option<Whole>) -> PyResult<String> {
        let game = &self.game.game;
        let player = self.asking(player)?;
        if game.reasoner().hides() {
            let turn = self.current_player();
            let observed = game.reasoner().tags_text(self.env.observed(player));
            return Ok(format!("{turn}: {observed}"));
        }
        let texts: Vec<String> = self.history.iter().map(|&action| game.action_text(action)).collect();
        Ok(texts.join(", "))
    }

    /// The value of a variable, or of an entry of a map: `state["board", "v_rx0y0"]`. Raises `KeyError`, which says what there is.
    fn __getitem__(slf: &Bound<'_, Self>, keys: &Bound<'_, PyAny>) -> PyResult<String> {
        let keys: Vec<String> = match keys.extract::<String>() {
            Ok(name) => vec![name],
            Err(_) => keys.extract().map_err(|_| {
                let wanted = "the name of a variable, or a name with keys, such as state[\"board\", \"a1\"]";
                PyTypeError::new_err(format!("a state has values by {wanted}, not by {}", kind_of(keys)))
            })?,
        };
        Self::shown(slf, |game, position| values::value(game, position, &keys))?.map_err(PyKeyError::new_err)
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = Self::shown(slf, |game, position| Drawer::new(game.runner()).text(position, Look::default()))?;
        let chosen = slf.try_borrow()?.chosen();
        let rest = if chosen.is_empty() { String::new() } else { format!("chosen: {}\n", chosen.join(" ")) };
        Ok(format!("{text}{rest}"))
    }

    /// A picture of the position.
    fn svg(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::shown(slf, |game, position| scene::svg(&Drawer::new(game.runner()).scene(position), &[]))
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::svg(slf)
    }

    fn __repr__(&self) -> String {
        words::of_state(self)
    }

    /// What `Game.state_from_bytes` reads: the actions so far.
    fn to_bytes(&self) -> Vec<u8> {
        bytes::written(&self.game, &self.history)
    }

    fn __eq__(&self, other: &Self) -> bool {
        let place = |state: &Self| (state.env.state().clone(), state.env.chosen().to_vec());
        self.game.is_same(&other.game) && place(self) == place(other)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.env.state(), self.env.chosen().len()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Rebuilt<'py>> {
        let arguments = (self.game.object(py)?, self.to_bytes()).into_pyobject(py)?;
        Ok((py.import("rgc")?.getattr("_state")?, arguments))
    }
}
