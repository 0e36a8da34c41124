//! `rgc compile`.

use super::translate::write;
use crate::cli::{Emit, GameArgs, Interface, LevelArgs, OutFile};
use crate::load::Loaded;
use crate::output::Kind;
use crate::session::{Failure, Session, finding};
use backend::{Engine, Options};
use kit::interface::{Refused, of_rbg, of_rg};
use kit::runner::Runner;
use rg_ir::{Diagnostic, Game, Severity};

/// What is made of a game.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub(super) emit: Emit,
    pub(super) interface: Option<Interface>,
    pub(super) level: LevelArgs,
}

pub(super) fn run(session: &mut Session, game: &GameArgs, how: How, output: &OutFile) -> Result<(), Failure> {
    let kind = match how.emit {
        Emit::Rust => Kind::Rust,
        Emit::Cpp => Kind::Cpp,
    };
    if how.interface.is_some() && how.emit != Emit::Cpp {
        return Err(finding("IO405", "the interfaces of other compilers are in C++").help("use `--emit cpp`").into());
    }
    let mut loaded = session.load(&game.file, game.language.from.as_deref(), Severity::Error)?;
    if how.interface == Some(Interface::Rbg) {
        // Programs look at squares and variables, also at the end.
        loaded = loaded.with_final_values();
    }
    let variables = loaded.game.clone();
    let mut loaded = loaded.optimised(how.level.or(2))?;
    if loaded.ground.is_some() {
        // Whichever form engines run is the one that is compiled.
        loaded = Runner::new(loaded, Options { engine: Engine::Interpreter, ..Options::default() })?.loaded;
    }
    let emitted = backend::emit::emit(&loaded.game, &loaded.name, how.emit.into()).map_err(|reasons| {
        let refused = finding("IO314", format!("there is no source text of `{}`", loaded.name));
        let refused = reasons.lines().fold(refused, |refused, reason| refused.note(reason));
        refused.help("engines run every game; see `rgc perft` and `rgc bench`")
    })?;
    let text = match how.interface {
        None => emitted,
        Some(Interface::Rg) => of_rg(&emitted).ok_or_else(|| refused(&loaded, "there is no forward model in C++"))?,
        Some(Interface::Rbg) => with_rbg(session, (&loaded, &variables), &emitted)?,
    };
    write(session, output, kind, text)
}

/// The header with the interface of the compiler of RBG, for a game that has also been kept as it was before all passes.
fn with_rbg(session: &Session, (loaded, before): (&Loaded, &Game), header: &str) -> Result<String, Failure> {
    let text = session.sources.get(loaded.source).map_or("", |file| &file.text);
    let rules = if loaded.language.name == "rbg" { text } else { "" };
    let header = of_rbg(header, rules, |name| before.vars.iter().any(|(_, var)| before.name(var.name) == name))
        .map_err(|error| match error {
            Refused::NoHeader => refused(loaded, "there is no forward model in C++"),
            Refused::NoRules => {
                let reason = format!("it is in {}, and the interface is about boards of RBG", loaded.language.title);
                refused(loaded, &reason).help("`--interface rg` works for every language")
            }
            Refused::Missing(what) => {
                refused(loaded, &format!("the passes have removed {what}")).help("use a lower `-O` level")
            }
        });
    Ok(header?)
}

fn refused(loaded: &Loaded, reason: &str) -> Diagnostic {
    finding("IO405", format!("`{}` cannot have this interface: {reason}", loaded.name))
}
