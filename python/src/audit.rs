//! Reports about games, and why moves are not legal.

use crate::errors::{Finding, env_error, game_error};
use crate::game::Game;
use crate::interrupt::watched;
use crate::whole::Whole;
use ::audit::{NO_NUMBERS, Plan, Report, page, text};
use ::why::{HINT, Position};
use backend::{Engine, Options};
use envs::{EnvError, GameError};
use kit::draw::Drawer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rg_ir::xml::escaped;
use rg_ir::{Diagnostic, cancel};

/// Playouts, their moves, and positions at most.
const MAX_COUNT: u64 = 100_000_000;
/// The level at which the game is optimised that is run for figures.
const LEVEL: u8 = 2;

/// A report about a game. `str` is its text, and in a notebook it is shown with plots.
#[pyclass(frozen, module = "rgc")]
pub(crate) struct Audit {
    name: String,
    text: String,
    json: String,
    page: String,
    /// What is to be said besides: an error that some playout ended in, and the like.
    #[pyo3(get)]
    findings: Vec<Finding>,
    /// Whether the rules fail in some play, or the game is not, or not known to be, proper where that was asked for.
    #[pyo3(get)]
    wrong: bool,
}

impl Audit {
    /// Makes a report.
    pub(crate) fn new(py: Python<'_>, game: &Game, plan: Plan) -> PyResult<Self> {
        let made = watched(py, |_| {
            let (loaded, sources) = game.game.loaded()?;
            match Report::new(&sources, loaded, &plan, &mut |_| cancel::check()) {
                Ok(report) => Ok((report, sources)),
                Err(finding) => Err(GameError::of(vec![*finding], sources)),
            }
        })?;
        let (report, sources) = made.map_err(|error| game_error(py, &error))?;
        let json = serde_json::to_string(&report).map_err(|error| PyValueError::new_err(error.to_string()))?;
        // It may have been said what scores are worth.
        let is_known = |finding: &&Diagnostic| finding.code == NO_NUMBERS && !game.game.payoffs().are_ranks();
        let findings = report.findings().filter(|finding| !is_known(finding));
        let findings = findings.map(|finding| Finding::of(finding, &sources)).collect();
        let name = game.game.name().to_owned();
        Ok(Self { name, text: text(&report), json, page: page(&report), findings, wrong: report.wrong() })
    }
}

/// How many of something a report looks at.
pub(crate) fn count(name: &str, count: Whole) -> PyResult<u64> {
    let known = count.to::<u64>().filter(|known| (1..=MAX_COUNT).contains(known));
    known.ok_or_else(|| PyValueError::new_err(format!("`{name}` is a number from 1 to {MAX_COUNT}, not {count}")))
}

/// What a report looks at. Reports do not depend on time, as the moment does in which `auto` goes from bytecode to machine code.
pub(crate) fn plan((playouts, positions): (u64, u64), max_plies: u64, seed: u64, properness: Properness) -> Plan {
    let native = Engine::ALL.iter().find(|(name, _)| *name == "native").map(|(_, engine)| *engine);
    let options = Options { engine: native.unwrap_or(Engine::Auto), ..Options::default() };
    Plan { proper: properness == Properness::Examined, playouts, max_plies, positions, seed, options, level: LEVEL }
}

/// Whether it is examined if a game is proper.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Properness {
    Examined,
    Left,
}

#[pymethods]
impl Audit {
    /// The figures, as `rgc audit --json` writes them.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.json,))
    }

    /// A page with plots that needs nothing else.
    fn html(&self) -> &str {
        &self.page
    }

    /// The page in a frame, for notebooks.
    fn _repr_html_(&self) -> String {
        format!("<iframe srcdoc=\"{}\" style=\"width: 100%; height: 36em; border: 0\"></iframe>", escaped(&self.page))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Audit of {}>", self.name)
    }
}

/// Why a move is not legal after some actions, in the words of `rgc play`; `None` if it is legal.
pub(crate) fn why(py: Python<'_>, game: &Game, history: &[u32], text: &str) -> PyResult<Option<String>> {
    let rules = &*game.game;
    let asked = watched(py, |stop| {
        let full = match rules.in_full() {
            Ok(full) => full,
            Err(error) => return Ok(Err(error)),
        };
        let env = envs::Env::after(full, history)?;
        let drawer = Drawer::new(full.runner());
        let (sources, runner, state) = (full.sources(), full.runner(), env.state());
        let position = Position { sources, runner, drawer: &drawer, state, unicode: false, hint: HINT };
        Ok::<_, EnvError>(Ok(position.why(text, &stop.flag)?))
    })?;
    let found = asked.map_err(|error| env_error(py, rules, error))?.map_err(|error| game_error(py, error))?;
    Ok(found.map(|told| told.text.trim_end().to_owned()))
}
