//! Many games at once, in numpy arrays.

use crate::arguments::{Seed, actions_of, chosen, number, seeds, wrong_kind};
use crate::errors::{IllegalAction, batch_error, env_error, numbers};
use crate::game::{Game, Rebuilt, shape_of};
use crate::options::{autoreset_name, chance_name};
use crate::state::State;
use crate::whole::Whole;
use crate::words;
use envs::{Arrays, Batch, BatchError, EnvError, Plan, Seeds, available_memory};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Many games of one kind. Every step fills the same arrays: copy what has to be kept.
///
/// Batches are copied and pickled with their games, arrays, and what they will draw: a copy goes on as the batch itself does.
#[pyclass(frozen, module = "rgc")]
pub(crate) struct BatchEnv {
    /// The game.
    #[pyo3(get)]
    game: Game,
    /// Held while something is done with the games and their arrays.
    batch: Mutex<Batch>,
    /// Number of games.
    size: usize,
    /// Planes, as `Game.observation_shape` says; of size 0 in games that hide something.
    #[pyo3(get)]
    observations: Py<PyArrayDyn<u8>>,
    /// With `autoreset="same_step"`: the last observation of games that were over in this step.
    #[pyo3(get)]
    final_observations: Py<PyArrayDyn<u8>>,
    /// The last `max_observed` tags that the player to move observed, in games that hide something.
    #[pyo3(get)]
    observed: Py<PyArrayDyn<i32>>,
    /// By game and action, whether it is legal.
    #[pyo3(get)]
    mask: Py<PyArrayDyn<bool>>,
    /// By game and player, what the score is worth in the step in which a game ends; else 0.
    #[pyo3(get)]
    rewards: Py<PyArrayDyn<f32>>,
    /// Which games ended in this step; without a reset, until they are reset.
    #[pyo3(get)]
    done: Py<PyArrayDyn<bool>>,
    /// Which games were cut off, after `max_plies` moves of players.
    #[pyo3(get)]
    truncated: Py<PyArrayDyn<bool>>,
    /// Who is to move; -1 for chance, -4 for nobody.
    #[pyo3(get)]
    current_player: Py<PyArrayDyn<i8>>,
    /// The number of moves of players so far, as `State.plies`: those of chance, and steps of a move, do not count.
    #[pyo3(get)]
    ply: Py<PyArrayDyn<i32>>,
    actions: Py<PyArrayDyn<i64>>,
    /// Whether there is a mask, and whether there are planes if nothing is hidden.
    shown: (bool, bool),
    /// Elements of the arrays that are written.
    lengths: [usize; 9],
}

/// Games that are begun at once when a batch is made, at least, and into how many parts they are divided if there are more.
const AT_ONCE: usize = 1 << 12;
const PARTS: usize = 64;

/// Bytes of a game in arrays that have one element for each: `done`, `truncated`, `current_player`, `ply`, and the action that was drawn.
const EACH: usize = 15;

/// Where rows begin, and what is in them, one after the other.
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>);

/// The arrays of a batch while Rust writes to them.
struct Borrowed<'py> {
    observations: PyReadwriteArrayDyn<'py, u8>,
    final_observations: PyReadwriteArrayDyn<'py, u8>,
    observed: PyReadwriteArrayDyn<'py, i32>,
    mask: PyReadwriteArrayDyn<'py, bool>,
    rewards: PyReadwriteArrayDyn<'py, f32>,
    done: PyReadwriteArrayDyn<'py, bool>,
    truncated: PyReadwriteArrayDyn<'py, bool>,
    current_player: PyReadwriteArrayDyn<'py, i8>,
    ply: PyReadwriteArrayDyn<'py, i32>,
}

impl Borrowed<'_> {
    fn arrays(&mut self) -> PyResult<Arrays<'_>> {
        Ok(Arrays {
            observations: self.observations.as_slice_mut()?,
            final_observations: self.final_observations.as_slice_mut()?,
            observed: self.observed.as_slice_mut()?,
            mask: self.mask.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            done: self.done.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            current_player: self.current_player.as_slice_mut()?,
            ply: self.ply.as_slice_mut()?,
        })
    }
}

/// An array of zeros. The one who asks numpy itself gets a `MemoryError` where there is no room.
fn zeros<T: Element>(py: Python<'_>, shape: &[usize]) -> PyResult<Py<PyArrayDyn<T>>> {
    let zeros = py.import("numpy")?.getattr("zeros")?;
    let array = zeros.call1((PyTuple::new(py, shape)?, T::get_dtype(py)))?;
    Ok(array.cast_into::<PyArrayDyn<T>>()?.unbind())
}

impl BatchEnv {
    pub(crate) fn new(py: Python<'_>, game: Game, plan: Plan, (mask, observations): (bool, bool)) -> PyResult<Self> {
        let n = plan.size;
        let hides = game.game.reasoner().hides();
        let row = |shape: &[usize]| [&[n][..], shape].concat();
        let planes = if hides || !observations { row(&[0]) } else { row(&shape_of(&game.game)) };
        let observed = if hides { row(&[plan.max_observed]) } else { row(&[0]) };
        let masked = if mask { row(&[game.game.actions().len()]) } else { row(&[0]) };
        let players = game.game.reasoner().players().len();
        let rows = |shape: &[usize]| shape.iter().product::<usize>();
        let (planes_len, tags_len, legal) = (rows(&planes), rows(&observed), rows(&masked));
        let arrays = 2 * planes_len + 4 * (tags_len + n * players) + legal + EACH * n;
        let (needed, free) = (plan.bytes(&game.game).saturating_add(arrays as u64), available_memory());
        if let Some(free) = free.filter(|&free| needed > free) {
            return Err(PyMemoryError::new_err(format!(
                "{n} games take about {}, and {} are free: make fewer, or some without `observations` or `mask`",
                gibibytes(needed),
                gibibytes(free)
            )));
        }
        let batch = Self {
            shown: (mask, observations),
            lengths: [planes_len, planes_len, tags_len, legal, n * players, n, n, n, n],
            size: n,
            observations: zeros(py, &planes)?,
            final_observations: zeros(py, &planes)?,
            observed: zeros(py, &observed)?,
            mask: zeros(py, &masked)?,
            rewards: zeros(py, &row(&[players]))?,
            done: zeros(py, &row(&[]))?,
            truncated: zeros(py, &row(&[]))?,
            current_player: zeros(py, &row(&[]))?,
            ply: zeros(py, &row(&[]))?,
            actions: zeros(py, &row(&[]))?,
            // Last, since arrays without room are an error, while games without room would end the process.
            batch: Mutex::new(Batch::new(game.game.clone(), plan).map_err(|error| batch_error(py, &game.game, error))?),
            game,
        };
        // Ctrl-C is heard between parts. Each part looks at all games, so that there are not too many of them.
        let part = AT_ONCE.max(n / PARTS);
        for first in (0..n).step_by(part) {
            let which: Vec<bool> = (0..n).map(|index| (first..first + part).contains(&index)).collect();
            batch.write(py, |batch, arrays| batch.reset(Seeds::Kept, Some(&which), arrays))?;
            py.check_signals()?;
        }
        Ok(batch)
    }

    /// The games, which are one thread's at a time.
    fn mine(&self) -> PyResult<MutexGuard<'_, Batch>> {
        match self.batch.try_lock() {
            Ok(batch) => Ok(batch),
            Err(TryLockError::Poisoned(batch)) => Ok(batch.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "another thread is using this batch: make a batch for each thread, or one with `threads=...`",
            )),
        }
    }

    /// Lets a batch write to the arrays, while other threads of Python go on.
    fn write(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Batch, Arrays<'_>) -> Result<(), BatchError> + Send,
    ) -> PyResult<()> {
        let mut batch = self.mine()?;
        let mut borrowed = Borrowed {
            observations: self.observations.bind(py).try_readwrite()?,
            final_observations: self.final_observations.bind(py).try_readwrite()?,
            observed: self.observed.bind(py).try_readwrite()?,
            mask: self.mask.bind(py).try_readwrite()?,
            rewards: self.rewards.bind(py).try_readwrite()?,
            done: self.done.bind(py).try_readwrite()?,
            truncated: self.truncated.bind(py).try_readwrite()?,
            current_player: self.current_player.bind(py).try_readwrite()?,
            ply: self.ply.bind(py).try_readwrite()?,
        };
        let arrays = borrowed.arrays()?;
        if arrays.lengths() != self.lengths {
            return Err(PyValueError::new_err("an array of the batch has another size than it was made with"));
        }
        let batch = &mut *batch;
        py.detach(|| act(batch, arrays)).map_err(|error| batch_error(py, &self.game.game, error))
    }

    /// Where each game begins; nothing for all at the beginning.
    fn starts(&self, states: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Option<Vec<u32>>>> {
        let Some(states) = states else { return Ok(Vec::new()) };
        if let Ok(one) = states.extract::<PyRef<'_, State>>() {
            return Ok(vec![Some(self.start(&one)?); self.size]);
        }
        let each = states.extract::<Vec<Option<PyRef<'_, State>>>>();
        let each = each.map_err(|_| wrong_kind("states", "a state, or a list with a state or `None`", states))?;
        if each.len() != self.size {
            return Err(PyValueError::new_err(format!(
                "`states` is a state, or one for each of {} games, not {}",
                self.size,
                each.len()
            )));
        }
        each.iter().map(|state| state.as_ref().map(|state| self.start(state)).transpose()).collect()
    }

    fn start(&self, state: &State) -> PyResult<Vec<u32>> {
        match self.game.is_same(&state.game) {
            true => Ok(state.history()),
            false => Err(PyValueError::new_err(format!(
                "{} is no state of {}, or was made with other actions or utilities",
                words::of_state(state),
                words::of_game(&self.game)
            ))),
        }
    }

    /// The arrays that are not written anew when games are read: rewards, which games are over and cut off, and the last observations.
    fn kept<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let kept = [
            self.rewards.bind(py).as_any(),
            self.done.bind(py).as_any(),
            self.truncated.bind(py).as_any(),
            self.final_observations.bind(py).as_any(),
        ];
        PyTuple::new(py, kept)
    }

    /// What an agent sees: planes, or what it observed.
    fn seen(&self, py: Python<'_>) -> Py<PyAny> {
        if self.game.game.reasoner().hides() {
            self.observed.clone_ref(py).into_any()
        } else {
            self.observations.clone_ref(py).into_any()
        }
    }
}

#[pymethods]
impl BatchEnv {
    fn __len__(&self) -> usize {
        self.size
    }

    /// The number of games, which `len` is as well.
    #[getter]
    fn num_games(&self) -> usize {
        self.size
    }

    /// Begins all games anew, or those in `which`: a bool for each game, or the numbers of some, each once. Integers are always numbers, so that a mask of 0 and 1 needs
    /// `astype(bool)`. Returns observations and mask.
    ///
    /// Games begin in `states`, which is one for all or one for each game, `None` for the beginning; the games after them begin at the beginning. Moves before a state count for
    /// `ply` and `max_plies`. In a state that is over, nothing is legal: the next step ignores the game's action, and reports its end with `done` and rewards. Where something is wrong,
    /// no game has changed.
    ///
    /// A seed draws in each game anew, by the number of the game; of a list, each game has its own, so that equal seeds draw the same, and with `None` goes on.
    #[pyo3(signature = (seed=None, *, which=None, states=None))]
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        which: Option<&Bound<'_, PyAny>>,
        states: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Py<PyAny>, Py<PyArrayDyn<bool>>)> {
        let seed = seed.map(Seed::of).transpose()?;
        let each = match &seed {
            Some(Seed::Each(each)) => seeds(self.size, each)?,
            _ => Vec::new(),
        };
        let seeds = match seed {
            None => Seeds::Kept,
            Some(Seed::One(seed)) => Seeds::One(seed.seed()?),
            Some(Seed::Each(_)) => Seeds::Each(&each),
        };
        let which = which.map(|which| chosen(self.size, which)).transpose()?;
        let starts = self.starts(states)?;
        self.write(py, |batch, arrays| batch.reset_to(&starts, seeds, which.as_deref(), arrays))?;
        Ok((self.seen(py), self.mask.clone_ref(py)))
    }

    /// Takes an action in every game. Returns observations, rewards, `done` and mask.
    ///
    /// Raises `IllegalAction` before any game has changed.
    fn step<'py>(&self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let mut copied = Vec::new();
        let own = actions.is(&self.actions);
        if let Ok(array) = actions.cast::<PyArray1<i64>>() {
            copied.extend(array.try_readonly()?.as_array().iter());
        } else if own {
            copied.extend(self.actions.bind(py).try_readonly()?.as_array().iter());
        } else {
            copied = actions_of(self.size, actions)?;
        }
        if copied.len() != self.size {
            return Err(PyValueError::new_err(format!("there are {} games, but {} actions", self.size, copied.len())));
        }
        // Numbers that no action can have.
        let mut unknown = None;
        let stepped = self.write(py, |batch, arrays| {
            batch.step(&copied, arrays).inspect_err(|wrong| {
                if matches!(wrong.error, EnvError::Illegal { action: u32::MAX }) {
                    unknown = copied.get(wrong.index).map(|&action| (wrong.index, action));
                }
            })
        });
        stepped.map_err(|error| match unknown {
            Some((index, action)) => {
                let known = numbers("actions", self.game.game.actions().len());
                IllegalAction::new_err(format!("game {index} of the batch: there is no action {action}: {known}"))
            }
            None => error,
        })?;
        let items = [
            self.seen(py),
            self.rewards.clone_ref(py).into_any(),
            self.done.clone_ref(py).into_any(),
            self.mask.clone_ref(py).into_any(),
        ];
        PyTuple::new(py, items)
    }

    /// A legal action for each game, each with the same probability; 0 for games that are over.
    fn sample(&self, py: Python<'_>) -> PyResult<Py<PyArrayDyn<i64>>> {
        {
            let mut batch = self.mine()?;
            let mut actions = self.actions.bind(py).try_readwrite()?;
            batch.sample(actions.as_slice_mut()?);
        }
        Ok(self.actions.clone_ref(py))
    }

    /// Where the legal actions of each game begin, with the end of the last; and all of them, one after the other, those of each game ascending.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let (offsets, legal) = self.mine()?.legal();
        Ok((offsets.into_pyarray(py), legal.into_pyarray(py)))
    }

    /// The game of this number as a `State` of its own, with all actions that led there; negative numbers count from the end. Raises `IndexError`.
    fn state(&self, py: Python<'_>, index: Whole) -> PyResult<State> {
        let index = number(self.size, index)?;
        let rules = &self.game.game;
        let batch = self.mine()?;
        let games: &Batch = &batch;
        let history = py.detach(|| games.history(index)).map_err(|error| env_error(py, rules, error))?;
        drop(batch);
        let history = history.ok_or_else(|| {
            PyValueError::new_err(format!("actions do not tell which outcomes of chance led to game {index}"))
        })?;
        State::after(py, self.game.clone(), history)
    }

    /// A copy, with arrays of its own.
    fn clone(slf: &Bound<'_, Self>) -> PyResult<Self> {
        let (py, own) = (slf.py(), slf.get());
        let batch = own.mine()?;
        let (plan, games): (Plan, &Batch) = (*batch.plan(), &batch);
        let games = py.detach(|| games.clone());
        let copy = Self::new(py, own.game.clone(), plan, own.shown)?;
        *copy.mine()? = games;
        let arrays = |batch: &Self| {
            let of = [
                batch.observations.bind(py).as_any(),
                batch.observed.bind(py).as_any(),
                batch.mask.bind(py).as_any(),
                batch.current_player.bind(py).as_any(),
                batch.ply.bind(py).as_any(),
                batch.actions.bind(py).as_any(),
            ];
            of.map(|array| array.clone().unbind())
        };
        for (to, from) in arrays(&copy).iter().zip(arrays(own)) {
            fill(to.bind(py), from.bind(py))?;
        }
        copy.fill_kept(own.kept(py)?)?;
        Ok(copy)
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
        Self::clone(slf)
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: Py<PyAny>) -> PyResult<Self> {
        Self::clone(slf)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Rebuilt<'py>> {
        let (plan, games) = {
            let batch = self.mine()?;
            let games: &Batch = &batch;
            (*games.plan(), py.detach(|| games.to_bytes()))
        };
        let options = PyDict::new(py);
        options.set_item("seed", plan.seed)?;
        options.set_item("threads", plan.threads)?;
        options.set_item("autoreset", autoreset_name(plan.autoreset))?;
        options.set_item("chance", chance_name(plan.chance))?;
        options.set_item("max_plies", plan.max_plies)?;
        let hides = self.game.game.reasoner().hides();
        options.set_item("max_observed", hides.then_some(plan.max_observed))?;
        options.set_item("mask", self.shown.0)?;
        options.set_item("observations", self.shown.1)?;
        let arguments = (self.game.object(py)?, self.size, options, PyBytes::new(py, &games), self.kept(py)?);
        Ok((py.import("rgc")?.getattr("_batch")?, arguments.into_pyobject(py)?))
    }

    /// Leads the games to where those of a pickled batch were.
    fn _restore(&self, py: Python<'_>, games: &[u8], kept: Bound<'_, PyTuple>) -> PyResult<()> {
        self.write(py, |batch, arrays| batch.read(games, arrays))?;
        self.fill_kept(kept)
    }

    fn __repr__(&self) -> String {
        let name = self.game.game.name();
        let Ok(batch) = self.mine() else { return format!("<BatchEnv of {} games of {name}>", self.size) };
        let plan = batch.plan();
        let cut = plan.max_plies.map(|most| format!(", max_plies={most}")).unwrap_or_default();
        format!(
            "<BatchEnv of {} games of {name}: threads={}, autoreset=\"{}\", chance=\"{}\"{cut}>",
            self.size,
            plan.threads,
            autoreset_name(plan.autoreset),
            chance_name(plan.chance),
        )
    }
}

impl BatchEnv {
    /// Copies what [`BatchEnv::kept`] has.
    fn fill_kept(&self, kept: Bound<'_, PyTuple>) -> PyResult<()> {
        let py = kept.py();
        for (to, from) in self.kept(py)?.iter().zip(kept.iter()) {
            fill(&to, &from)?;
        }
        Ok(())
    }
}

/// So many bytes in words.
fn gibibytes(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}

/// Copies the elements of an array of numpy to another one of the same shape.
fn fill(to: &Bound<'_, PyAny>, from: &Bound<'_, PyAny>) -> PyResult<()> {
    to.py().import("numpy")?.call_method1("copyto", (to, from))?;
    Ok(())
}
