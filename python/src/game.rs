//! Games.

use crate::agent::Agent;
use crate::audit::{self, Audit, Properness};
use crate::batch::BatchEnv;
use crate::bytes;
use crate::errors::{Finding, env_error, game_error, numbers, told};
use crate::interrupt::Interrupt;
use crate::options;
use crate::playouts;
use crate::state::State;
use crate::whole::{Whole, seed_of};
use crate::words;
use envs::{ActionKind, Actions, Env, Labels, MAX_OBSERVED, Plan, Shape};
use kit::moves::written_moves;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyWeakrefReference};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// The rules of a game, with an engine for them. It does not change, is shared by threads, and is pickled as its text.
#[pyclass(frozen, weakref, module = "rgc")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) game: Arc<envs::Game>,
    actions: Actions,
    /// What was said of what scores are worth.
    utilities: Option<Arc<[(String, f64)]>>,
    labels: Arc<Mutex<Labels>>,
    /// See [`Game::object`].
    pub(crate) object: Arc<Mutex<Option<Py<PyWeakrefReference>>>>,
}

/// Games of a batch, tags observed and threads at most.
const MAX_GAMES: usize = 1 << 20;
const MAX_THREADS: usize = 256;

/// What pickles: a function, and what it is called with.
pub(crate) type Rebuilt<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

impl Game {
    pub(crate) fn new(game: envs::Game, actions: Actions, utilities: Option<Vec<(String, f64)>>) -> PyResult<Self> {
        let game = match &utilities {
            Some(said) => game.with_utilities(said).map_err(PyValueError::new_err)?,
            None => game,
        };
        Ok(Self {
            game: Arc::new(game),
            actions,
            utilities: utilities.map(Arc::from),
            labels: Arc::default(),
            object: Arc::default(),
        })
    }

    /// Lists the legal actions of a game in progress.
    pub(crate) fn list(&self, py: Python<'_>, env: &mut Env) -> PyResult<()> {
        let mut labels = self.labels.lock().unwrap_or_else(PoisonError::into_inner);
        env.list(&self.game, &mut labels).map_err(|error| env_error(py, &self.game, error))
    }

    fn automaton(&self, py: Python<'_>, level: u8) -> PyResult<rg_ir::Game> {
        if level > 2 {
            return Err(PyValueError::new_err(format!("levels are 0, 1 and 2, not {level}")));
        }
        py.detach(|| self.game.automaton(level)).map_err(|error| game_error(py, &error))
    }

    /// Where plays are counted: outcomes of chance are merged by all values.
    fn counted(&self, py: Python<'_>) -> PyResult<&envs::Game> {
        match self.game.reasoner().has_chance() {
            true => py.detach(|| self.game.in_full()).map_err(|error| game_error(py, error)),
            false => Ok(&self.game),
        }
    }

    /// Whether another game has the same rules, actions and utilities.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        fn key(game: &Game) -> (&str, &str, &[f64], &str) {
            (game.game.language(), game.actions_name(), game.game.utilities(), game.game.text())
        }
        Arc::ptr_eq(&self.game, &other.game) || key(self) == key(other)
    }

    /// The index of a player that there is.
    pub(crate) fn player(&self, player: Whole) -> PyResult<usize> {
        let names: Vec<&str> = self.game.runner().players().collect();
        player.to::<usize>().filter(|&player| player < names.len()).ok_or_else(|| {
            let known: Vec<String> = names.iter().enumerate().map(|(at, name)| format!("{at} ('{name}')")).collect();
            let known = known.join(", ");
            PyValueError::new_err(format!(
                "there is no player {player}: the players of {} are {known}",
                self.game.name()
            ))
        })
    }

    /// An action that there is.
    pub(crate) fn known(&self, action: Whole) -> PyResult<u32> {
        let count = self.game.actions().len();
        let known = action.to::<u32>().filter(|&action| (action as usize) < count);
        known.ok_or_else(|| {
            let known = numbers("actions", count);
            PyValueError::new_err(format!("there is no action {action}: {known}"))
        })
    }

    /// How many tags are shown, if something is hidden.
    fn observing(&self, most: usize) -> PyResult<usize> {
        match self.hides() {
            true if most <= MAX_OBSERVED => Ok(most),
            true => Err(PyValueError::new_err(format!("`max_observed` is at most {MAX_OBSERVED}, not {most}"))),
            false => Err(PyValueError::new_err(format!(
                "`max_observed` is for games that hide something, which {} does not",
                self.game.name()
            ))),
        }
    }

    fn actions_name(&self) -> &'static str {
        match self.actions {
            Actions::Auto => "auto",
            Actions::Moves => "moves",
            Actions::Steps => "steps",
            Actions::Places => "places",
        }
    }
}

/// The shape of planes without the number of games.
pub(crate) fn shape_of(game: &envs::Game) -> Vec<usize> {
    let channels = game.observations().channels().len();
    match game.observations().shape() {
        Shape::Grid { rows, columns } => vec![channels, rows, columns],
        Shape::Places { places } => vec![channels, places],
        Shape::Flat => vec![channels],
    }
}

#[pymethods]
impl Game {
    /// The name of the file or the bundled game, without the extension.
    #[getter]
    fn name(&self) -> &str {
        self.game.name()
    }

    /// The language of the rules: `rbg`, `hrg`, `sbg`, `gdl` or `rg`.
    #[getter]
    fn language(&self) -> &str {
        self.game.language()
    }

    /// The rules.
    #[getter]
    fn source(&self) -> &str {
        self.game.text()
    }

    /// What `rgc check` finds of the rules and of the first positions: warnings, and notes on style. Bundled games have none of the former.
    #[getter]
    fn findings(&self, py: Python<'_>) -> Vec<Finding> {
        told(py.detach(|| self.game.findings()), self.game.sources()).0
    }

    /// The players' names. Players are numbered from 0, in this order.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.game.runner().players().map(str::to_owned).collect()
    }

    /// The number of players.
    #[getter]
    fn num_players(&self) -> usize {
        self.game.reasoner().players().len()
    }

    /// Whether some player does not see all of every move. Observations are then what a player observed.
    #[getter]
    fn hides(&self) -> bool {
        self.game.reasoner().hides()
    }

    /// Whether chance decides something.
    #[getter]
    fn has_chance(&self) -> bool {
        self.game.reasoner().has_chance()
    }

    /// The scores that the rules know, by name.
    #[getter]
    fn score_names(&self) -> Vec<String> {
        self.game.reasoner().score_names().to_vec()
    }

    /// What each of `score_names` is worth: the number that it is, or else its rank; or what `load(utilities=...)` said.
    #[getter]
    fn utilities(&self) -> Vec<f64> {
        self.game.utilities().to_vec()
    }

    /// What all players' scores are worth together at the end of every play; `None` if that differs, or cannot be told from the rules.
    #[getter]
    fn utility_sum(&self, py: Python<'_>) -> Option<f64> {
        py.detach(|| self.game.utility_sum())
    }

    /// Actions are the numbers below; they mean the same in all states, and depend on the rules as they are written alone.
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.actions().len()
    }

    /// What an action is: a whole move, or a step of one.
    #[getter]
    fn action_kind(&self) -> &'static str {
        if self.game.actions().kind() == ActionKind::Moves { "moves" } else { "steps" }
    }

    /// Changes if the shape of observations does, the name of a channel, the number that stands for any value, or the number of any tag that players observe.
    #[getter]
    fn observation_version(&self) -> String {
        format!("{:016x}", self.game.observations().version())
    }

    /// Changes if the number of any action does.
    #[getter]
    fn action_version(&self) -> String {
        format!("{:016x}", self.game.actions().version())
    }

    /// An action in full, whatever the state; a state has a shorter text for those that are legal.
    fn action_to_string(&self, action: Whole) -> PyResult<String> {
        Ok(self.game.action_text(self.known(action)?))
    }

    /// The names of an action's tags; none for the step that ends a move.
    fn action_tags(&self, action: Whole) -> PyResult<Vec<String>> {
        Ok(self.game.actions().tags(self.known(action)?).to_vec())
    }

    /// `(C, rows, columns)`; `(C, places)` for boards that are no rectangles; `(C,)` without a board. In games that hide something, `(max_observed,)`.
    #[getter]
    fn observation_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match self.hides() {
            true => PyTuple::new(py, [self.max_observed(py)]),
            false => PyTuple::new(py, shape_of(&self.game)),
        }
    }

    /// How many of the tags that a player observed last are shown in games that hide something; 0 in others.
    ///
    /// It is the most that a player observes in some random plays, rounded up to a multiple of 64, at most 65,536, and depends on the rules alone. `State.observed` has all tags.
    #[getter]
    fn max_observed(&self, py: Python<'_>) -> usize {
        py.detach(|| self.game.max_observed())
    }

    /// What each of the `C` planes is: `board = whitepawn`, `player = white`; `decision = NODE` where a player moves at several places of the rules.
    ///
    /// A number above 255 has more channels (`turn / 256`); of more than 255 places of the rules, `decision` has the number of the first 255 and `decision from 255 on` those of the following ones, from 1
    /// on, and so on; 0 stands for none of them. In games that hide something there are none: observations are numbers of tags.
    #[getter]
    fn channels(&self) -> Vec<String> {
        if self.hides() { Vec::new() } else { self.game.observations().channels().to_vec() }
    }

    /// Variables that observations leave out, since they are too large.
    #[getter]
    fn unobserved(&self) -> Vec<String> {
        if self.hides() { Vec::new() } else { self.game.observations().left_out().to_vec() }
    }

    /// By player, the channels in an order in which the player's own are where those of player 0 are: `planes[game.perspectives[player]]`.
    ///
    /// Channels are told apart by the players' names in them, their initials, or capital and small letters. All others stay where they are, and so do those that say who is to
    /// move (`player = white`). Places are not turned. Where no name tells anything, all orders are the same, and a `UserWarning` says so.
    #[getter]
    fn perspectives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let (players, channels) = (self.num_players(), self.channels().len());
        let seen = self.game.perspectives();
        if channels > 0 && players > 1 && seen.windows(2).all(|pair| matches!(pair, [one, other] if one == other)) {
            let text = c"no channel has the name of a player in it, so that all perspectives are the same";
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), text, 1)?;
        }
        let array = PyArray2::zeros(py, [players, channels], false);
        if channels > 0 {
            let mut out = array.readwrite();
            for (slot, channel) in out.as_array_mut().iter_mut().zip(seen.iter().flatten()) {
                *slot = *channel as i64;
            }
        }
        Ok(array)
    }

    /// Whether the rules let all players move at once. Their actions are taken one after the other, and none knows those of the others.
    #[getter]
    fn simultaneous(&self) -> bool {
        self.game.is_simultaneous()
    }

    /// The automaton that the rules are translated to, as text in the language RG: as translated, or optimised (1, 2).
    #[pyo3(signature = (*, level=Whole::from(0)), text_signature = "($self, *, level=0)")]
    fn to_rg(&self, py: Python<'_>, level: Whole) -> PyResult<String> {
        Ok(rg_ir::text::print(&self.automaton(py, level.argument("level")?)?))
    }

    /// A drawing of the automaton, as SVG or as text for Graphviz. A notebook shows the SVG, which is a text else. Raises `ValueError` if it is too large for SVG.
    #[pyo3(signature = (format="svg", *, level=Whole::from(2)), text_signature = "($self, format='svg', *, level=2)")]
    fn graph<'py>(&self, py: Python<'py>, format: &str, level: Whole) -> PyResult<Bound<'py, PyAny>> {
        let automaton = self.automaton(py, level.argument("level")?)?;
        match format {
            "dot" => Ok(rg_ir::dot::dot(&automaton).into_pyobject(py)?.into_any()),
            "svg" => {
                let svg = rg_ir::svg::svg(&automaton).map_err(|error| PyValueError::new_err(error.to_string()))?;
                py.import("rgc")?.getattr("_Drawing")?.call1((svg,))
            }
            other => Err(PyValueError::new_err(format!("format is \"svg\" or \"dot\", not \"{other}\""))),
        }
    }

    /// All tags. In games that hide something, players observe tags: the number `k` stands for `tags[k - 1]`, 0 for nothing.
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.game.actions().all_tags().to_vec()
    }

    /// The state at the beginning.
    fn new_initial_state(&self, py: Python<'_>) -> PyResult<State> {
        State::new(py, self.clone())
    }

    /// What `State.to_bytes` has written. Raises `ValueError` for bytes of another game or another format, and for some that were cut off or changed in length.
    fn state_from_bytes(&self, py: Python<'_>, data: &[u8]) -> PyResult<State> {
        State::after(py, self.clone(), bytes::read(self, data)?)
    }

    /// `n` games that are stepped together. What is drawn depends on `seed` and the number of a game in the batch alone; `None` stands for a fresh seed. `max_observed` is for
    /// games that hide something; `None` stands for `Game.max_observed`. A game is cut off after `max_plies` moves of players, once chance has answered the last one, also where that is
    /// the caller's to do (`chance="explicit"`).
    ///
    /// Raises `ValueError` for no games, or more than about a million, and `MemoryError` at once where there is no room for them. Ctrl-C ends it while games are begun.
    #[pyo3(
        signature = (n, *, seed=None, threads=Whole::from(1), autoreset="same_step", chance="sampled", max_plies=None, max_observed=None, mask=true, observations=true),
        text_signature = "($self, n, *, seed=None, threads=1, autoreset='same_step', chance='sampled', max_plies=None, max_observed=None, mask=True, observations=True)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are the keyword arguments of Python")]
    fn batch(
        &self,
        py: Python<'_>,
        n: Whole,
        seed: Option<Whole>,
        threads: Whole,
        autoreset: &str,
        chance: &str,
        max_plies: Option<Whole>,
        max_observed: Option<Whole>,
        mask: bool,
        observations: bool,
    ) -> PyResult<BatchEnv> {
        let (autoreset, chance) = (options::autoreset_of(autoreset)?, options::chance_of(chance)?);
        let n = n.positive("n")?;
        let max_observed = match max_observed {
            Some(most) => self.observing(most.argument("max_observed")?)?,
            None => self.max_observed(py),
        };
        let (seed, threads) = (seed_of(py, seed)?, threads.positive::<usize>("threads")?);
        let max_plies = max_plies.map(|most| most.positive("max_plies")).transpose()?;
        if n > MAX_GAMES {
            return Err(PyValueError::new_err(format!("a batch has at most {MAX_GAMES} games, not {n}")));
        }
        let threads = threads.min(MAX_THREADS);
        let plan = Plan { size: n, seed, threads, autoreset, chance, max_plies, max_observed };
        BatchEnv::new(py, self.clone(), plan, (mask, observations))
    }

    /// The number of plays of `depth` moves. Behind some steps of a move, that move is the first one. Raises `ValueError` for a state of another game.
    #[pyo3(signature = (depth, *, state=None))]
    fn perft(&self, py: Python<'_>, depth: Whole, state: Option<PyRef<'_, State>>) -> PyResult<u64> {
        let depth = depth.argument("depth")?;
        if state.as_ref().is_some_and(|state| !self.is_same(&state.game)) {
            return Err(PyValueError::new_err("the state is one of another game"));
        }
        let history = state.map(|state| state.history()).unwrap_or_default();
        let game = self.counted(py)?;
        let mut interrupt = Interrupt::new();
        let counted = py.detach(|| game.perft(&history, depth, &mut || interrupt.goes_on()));
        interrupt.finish()?;
        Ok(counted.map_err(|error| env_error(py, game, error))?.unwrap_or(0))
    }

    /// The count of plays in parts, for `rgc.distributed`.
    fn _perft_parts(&self, py: Python<'_>, depth: u32, whole: u32, wanted: usize) -> PyResult<Vec<(Vec<u32>, u32)>> {
        let game = self.counted(py)?;
        let parts = py.detach(|| game.perft_parts(depth, whole, wanted)).map_err(|error| env_error(py, game, error))?;
        Ok(parts.into_iter().map(|part| (part.actions, part.depth)).collect())
    }

    /// Random games: how many there were (`plays`), the moves of players in all of them (`plies`), and by player how often it had each score (`scores`).
    ///
    /// Games of more than `max_plies` moves of players are cut off: they have no scores, and are in `plays` and `plies`, but also in `truncated` and `truncated_plies` alone. So scores are
    /// those of `plays - truncated` games, with `plies - truncated_plies` moves. Equal seeds give equal games, whatever `n` and `max_plies` are; `None` stands for a fresh seed.
    #[pyo3(signature = (n, *, seed=None, max_plies=None))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        n: Whole,
        seed: Option<Whole>,
        max_plies: Option<Whole>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let max_plies = max_plies.map(|most| most.positive("max_plies")).transpose()?;
        playouts::playouts(py, self, (n.argument("n")?, seed_of(py, seed)?), max_plies)
    }

    /// A report as that of `rgc audit`: lengths, branching, results, sizes, dead rules; with `proper`, whether the game is proper.
    ///
    /// `playouts` random plays of at most `max_plies` moves, those of chance included as in `rgc audit`, and the `positions` nearest to the start. Equal seeds give equal reports; `None` stands for a fresh seed. Ctrl-C
    /// ends it.
    #[pyo3(
        signature = (*, playouts=Whole::from(1_000), positions=Whole::from(10_000), max_plies=Whole::from(5_000), seed=Some(Whole::from(0)), proper=false),
        text_signature = "($self, *, playouts=1000, positions=10000, max_plies=5000, seed=0, proper=False)"
    )]
    fn audit(
        &self,
        py: Python<'_>,
        playouts: Whole,
        positions: Whole,
        max_plies: Whole,
        seed: Option<Whole>,
        proper: bool,
    ) -> PyResult<Audit> {
        let (playouts, positions) = (audit::count("playouts", playouts)?, audit::count("positions", positions)?);
        let (max_plies, seed) = (audit::count("max_plies", max_plies)?, seed_of(py, seed)?);
        let properness = if proper { Properness::Examined } else { Properness::Left };
        Audit::new(py, self, audit::plan((playouts, positions), max_plies, seed, properness))
    }

    /// Why one of some moves from the beginning, separated by `;`, is not legal: what is wrong with the first one that is not. `None` if all are legal.
    fn why(&self, py: Python<'_>, text: &str) -> PyResult<Option<String>> {
        let mut state = self.new_initial_state(py)?;
        let mut made = Vec::new();
        for (_, part) in written_moves(text) {
            match state.moves_as(part) {
                Some(actions) => {
                    actions.into_iter().try_for_each(|action| state.act(py, action))?;
                    made.push(format!("`{}`", part.trim()));
                }
                None => {
                    let after = if made.is_empty() { String::new() } else { format!("after {}: ", made.join(", ")) };
                    return Ok(audit::why(py, self, &state.history(), part)?.map(|said| after + &said));
                }
            }
        }
        Ok(None)
    }

    /// A program that chooses moves: `random`, `greedy`, `flat:1000p`, `uct:1s`, `ab:depth=6`. `None` stands for a fresh seed.
    #[pyo3(signature = (spec, *, seed=None))]
    fn agent(&self, py: Python<'_>, spec: &str, seed: Option<Whole>) -> PyResult<Agent> {
        Agent::new(self.clone(), spec, seed_of(py, seed)?)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.is_same(other)
    }

    // It does not change.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.game.text(), self.game.language(), self.actions_name()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        words::of_game(self)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Rebuilt<'py>> {
        let rebuild = py.import("rgc")?.getattr("_rebuild")?;
        let utilities = self.utilities.as_deref().map(|said| PyTuple::new(py, said.to_vec())).transpose()?;
        let key = (self.game.text(), self.game.language(), self.game.name(), self.actions_name(), utilities);
        Ok((rebuild, key.into_pyobject(py)?))
    }
}
