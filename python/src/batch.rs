//! Many games at once, in numpy arrays.

use crate::errors::{argument, batch_error};
use crate::game::{Game, shape_of};
use envs::{Arrays, Batch, BatchError, Plan, Seeds};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Many games of one kind. It owns its arrays: every step fills the same ones.
#[pyclass(frozen, module = "rgc")]
pub(crate) struct BatchEnv {
    #[pyo3(get)]
    game: Game,
    /// Held while something is done with the games and their arrays.
    batch: Mutex<Batch>,
    /// Number of games.
    size: usize,
    /// Planes; of size 0 if something is hidden.
    #[pyo3(get)]
    observations: Py<PyArrayDyn<u8>>,
    #[pyo3(get)]
    final_observations: Py<PyArrayDyn<u8>>,
    /// Tags that players observed; of size 0 if nothing is hidden.
    #[pyo3(get)]
    observed: Py<PyArrayDyn<i32>>,
    #[pyo3(get)]
    mask: Py<PyArrayDyn<bool>>,
    #[pyo3(get)]
    rewards: Py<PyArrayDyn<f32>>,
    #[pyo3(get)]
    done: Py<PyArrayDyn<bool>>,
    #[pyo3(get)]
    truncated: Py<PyArrayDyn<bool>>,
    #[pyo3(get)]
    current_player: Py<PyArrayDyn<i8>>,
    #[pyo3(get)]
    ply: Py<PyArrayDyn<i32>>,
    actions: Py<PyArrayDyn<i64>>,
    /// Elements of the arrays that are written.
    lengths: [usize; 9],
}

/// What `seed=` may be.
#[derive(FromPyObject)]
enum Seed {
    /// One for the batch.
    One(i128),
    /// One for each game, or none.
    Each(Vec<Option<i128>>),
}

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
        let batch = Self {
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
        batch.write(py, |batch, arrays| batch.reset(Seeds::Kept, None, arrays))?;
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

    /// A seed for each game, or none.
    fn seeds(&self, seeds: &[Option<i128>]) -> PyResult<Vec<Option<u64>>> {
        if seeds.len() != self.size {
            return Err(PyValueError::new_err(format!(
                "`seed` is an integer, or one for each of {} games, not {}",
                self.size,
                seeds.len()
            )));
        }
        seeds.iter().map(|seed| seed.map(|seed| argument("seed", seed)).transpose()).collect()
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

    /// Begins all games anew, or those where `which` is true. Returns observations and mask.
    #[pyo3(signature = (seed=None, *, which=None))]
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<Seed>,
        which: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<(Py<PyAny>, Py<PyArrayDyn<bool>>)> {
        let each = match &seed {
            Some(Seed::Each(seeds)) => self.seeds(seeds)?,
            _ => Vec::new(),
        };
        let seeds = match seed {
            None => Seeds::Kept,
            Some(Seed::One(seed)) => Seeds::One(argument("seed", seed)?),
            Some(Seed::Each(_)) => Seeds::Each(&each),
        };
        let which: Option<Vec<bool>> = which.map(|which| which.as_array().iter().copied().collect());
        if which.as_ref().is_some_and(|which| which.len() != self.size) {
            return Err(PyValueError::new_err(format!("`which` needs {} elements", self.size)));
        }
        self.write(py, |batch, arrays| batch.reset(seeds, which.as_deref(), arrays))?;
        Ok((self.seen(py), self.mask.clone_ref(py)))
    }

    /// Takes an action in every game. Returns observations, rewards, `done` and mask: the same arrays every time.
    fn step<'py>(&self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let mut copied = Vec::new();
        let own = actions.is(&self.actions);
        if let Ok(array) = actions.cast::<PyArray1<i64>>() {
            copied.extend(array.try_readonly()?.as_array().iter());
        } else if own {
            copied.extend(self.actions.bind(py).try_readonly()?.as_array().iter());
        } else {
            copied = actions.extract()?;
        }
        if copied.len() != self.size {
            return Err(PyValueError::new_err(format!("there are {} games, but {} actions", self.size, copied.len())));
        }
        self.write(py, |batch, arrays| batch.step(&copied, arrays))?;
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

    /// The legal actions of all games, one after the other, with where those of each begin, and the end: a mask in
    /// compressed rows.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let (offsets, legal) = self.mine()?.legal();
        Ok((offsets.into_pyarray(py), legal.into_pyarray(py)))
    }

    fn __repr__(&self) -> String {
        format!("<{} games of {}>", self.size, self.game.game.name())
    }
}
