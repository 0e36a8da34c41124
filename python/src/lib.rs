//! The Python module `rgc._rgc`; `rgc/_rgc.pyi` says what is in it.
#![allow(unsafe_code)] // What the macros of pyo3 write; there is none of our own.
#![allow(missing_docs)] // Python shows the comments here as its own, and the stubs are the reference.

mod agent;
mod arguments;
mod audit;
mod batch;
mod bytes;
mod errors;
mod game;
mod interrupt;
mod load;
mod objects;
mod observing;
mod options;
mod playouts;
mod resampling;
mod state;
mod tables;
mod texts;
mod values;
mod warnings;
mod whole;
mod words;

use pyo3::prelude::*;

#[pymodule]
fn _rgc(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("GameError", py.get_type::<errors::GameError>())?;
    module.add("IllegalAction", py.get_type::<errors::IllegalAction>())?;
    module.add("RulesWarning", py.get_type::<errors::RulesWarning>())?;
    module.add("ScoreWarning", py.get_type::<errors::ScoreWarning>())?;
    module.add_class::<errors::Finding>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<state::State>()?;
    module.add_class::<batch::BatchEnv>()?;
    module.add_class::<agent::Agent>()?;
    module.add_class::<audit::Audit>()?;
    module.add_function(wrap_pyfunction!(load::load, module)?)?;
    module.add_function(wrap_pyfunction!(load::loads, module)?)?;
    module.add_function(wrap_pyfunction!(load::rebuilt, module)?)?;
    module.add_function(wrap_pyfunction!(load::games, module)?)?;
    module.add_function(wrap_pyfunction!(tables::seats, module)?)?;
    module.add_function(wrap_pyfunction!(tables::elo_of, module)?)?;
    module.add_function(wrap_pyfunction!(tables::ratings, module)?)?;
    Ok(())
}
