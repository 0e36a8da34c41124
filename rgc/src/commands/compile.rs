//! `rgc compile`.

use super::translate::write;
use crate::cli::{Emit, GameArgs, LevelArgs, OutFile};
use crate::output::Kind;
use crate::session::{Failure, Session, finding};
use backend::{Engine, Options};
use kit::runner::Runner;
use rg_ir::Severity;

pub(super) fn run(
    session: &mut Session,
    game: &GameArgs,
    emit: Emit,
    level: LevelArgs,
    output: &OutFile,
) -> Result<(), Failure> {
    let kind = match emit {
        Emit::Rust => Kind::Rust,
        Emit::Cpp => Kind::Cpp,
    };
    let loaded = session.load(&game.file, game.language.from.as_deref(), Severity::Error)?;
    let mut loaded = loaded.optimised(level.or(2))?;
    if loaded.ground.is_some() {
        // Whichever form engines run is the one that is compiled.
        loaded = Runner::new(loaded, Options { engine: Engine::Interpreter, ..Options::default() })?.loaded;
    }
    match backend::emit::emit(&loaded.game, &loaded.name, emit.into()) {
        Ok(text) => write(session, output, kind, text),
        Err(reasons) => {
            let refused = finding("IO314", format!("there is no source text of `{}`", loaded.name));
            let refused = reasons.lines().fold(refused, |refused, reason| refused.note(reason));
            Err(refused.help("engines run every game; see `rgc perft` and `rgc bench`").into())
        }
    }
}
