//! The commands, a module each.

mod audit;
mod bench;
mod check;
mod compile;
mod completions;
mod equiv;
mod expand;
mod explain;
mod fmt;
mod games;
mod generate;
mod graph;
#[cfg(feature = "managers")]
mod join;
mod man;
mod many;
mod matches;
mod moves;
mod new;
mod optimize;
mod perft;
pub(crate) mod play;
mod protocol_test;
mod replay;
#[cfg(feature = "managers")]
mod serve;
mod startup;
mod stats;
#[cfg(feature = "studio")]
mod studio;
mod trace;
pub(crate) use trace::choice;
mod translate;
mod watch;
mod wir;

use crate::cli::{BoardForm, Command, PlayArgs, ReplayArgs};
use crate::session::{Failure, Session};
use std::io::Write as _;

/// Executes a command.
#[expect(clippy::too_many_lines, reason = "an arm for each command")]
pub(crate) fn execute(session: &mut Session, command: Command) -> Result<(), Failure> {
    match command {
        Command::Translate { game, to, level, output } => translate::run(session, &game, to, level, &output),
        Command::Graph { game, to, analysis, start, folding, level, output } => {
            let (game, analysis, folding, output) = (&game, analysis.as_deref(), &folding, &output);
            graph::run(session, &graph::Plan { game, to, analysis, start: &start, folding, level, output })
        }
        Command::Compile { game, emit, interface, level, output } => {
            compile::run(session, &game, compile::How { emit, interface, level }, &output)
        }
        Command::Optimize(options) => optimize::run(session, &options),
        Command::Check(options) => check::start(session, &options),
        Command::Fmt(options) => fmt::run(session, &options),
        Command::New(options) => new::run(session, &options),
        Command::Generate(generator) => generate::run(session, &generator),
        Command::Moves { game, start, role, board, svg, tags, json, engine } => {
            let board = if svg { BoardForm::Svg } else { board };
            let how = moves::How { start: &start, role: role.as_deref(), board, json, tags };
            moves::run(session, &game, &how, &engine)
        }
        Command::Perft { games, depth, start, expect, divide, joint, unique, json, jobs, engine } => {
            let unit = match (joint, unique) {
                (true, _) => perft::Unit::Joint,
                (false, true) => perft::Unit::Position,
                (false, false) => perft::Unit::Label,
            };
            let how = perft::How { start, expect, depth, divide, unit, json };
            let plan = many::Plan {
                games: &games,
                jobs,
                trailing: &[depth.to_string().into()],
                json,
                heading: true,
                position: how.start.position.as_deref(),
            };
            many::each(session, &plan, |session, game| perft::run(session, game, &how, &engine))
        }
        Command::Match(args) => matches::start(session, &args),
        Command::Play(PlayArgs {
            game,
            humans,
            against,
            players: _,
            seed,
            start,
            resume,
            force,
            full_screen,
            engine,
        }) => {
            let (game, humans, against, resume, engine) = (&game, &humans, &against, resume.as_deref(), &engine);
            let start = &start;
            play::run(session, &play::Plan { game, humans, against, seed, start, resume, force, engine, full_screen })
        }
        Command::Replay(ReplayArgs { record, game, play, quiet, boards, engine }) => {
            let (record, game, engine) = (&record, game.as_ref(), &engine);
            replay::run(session, &replay::Plan { record, game, play, quiet, boards, engine })
        }
        Command::Trace { game, seed, max_plies, tags, start, engine } => {
            trace::run(session, &game, &trace::How { seed, max_plies, start: &start, tags }, &engine)
        }
        Command::Bench(options) => bench::start(session, &options),
        Command::Audit(options) => audit::run(session, &options),
        Command::Stats { games, level, reasoner, jobs, json } => {
            let jobs = jobs.or_all();
            let plan = many::Plan { games: &games, jobs, trailing: &[], json, heading: false, position: None };
            many::each(session, &plan, |session, game| stats::run(session, game, level, reasoner, json))
        }
        Command::Equiv { first, second, language, by, depth, positions, plays, seed, json, engine } => {
            let budget = crate::equiv::Budget { depth, positions, plays, seed };
            let how = equiv::How { by: by.map(Into::into), budget, json };
            equiv::run(session, [&first, &second], &language, &how, &engine)
        }
        Command::Games { show, json, language } => games::run(session, show.as_deref(), language.from.as_deref(), json),
        Command::Expand(options) => expand::run(session, &options),
        Command::Explain { code, json } => explain::run(session, code.as_deref(), json),
        #[cfg(feature = "lsp")]
        Command::Lsp { stdio: _ } => lsp::serve_standard(lsp::Config { reading: session.reading }).map_err(|error| {
            let message = format!("the editor that started the language server went away: {error}");
            crate::session::finding("IO386", message)
                .help("`rgc lsp` is started by editors; docs/editors.md tells how")
                .into()
        }),
        #[cfg(feature = "studio")]
        Command::Studio(arguments) => studio::run(session, arguments),
        #[cfg(feature = "managers")]
        Command::Serve(arguments) => serve::run(session, &arguments),
        #[cfg(feature = "managers")]
        Command::Join(arguments) => join::run(session, arguments),
        Command::ProtocolTest(arguments) => protocol_test::run(session, &arguments),
        Command::Schema => Ok(session.out().write_all(rg_ir::json::schema().as_bytes())?),
        Command::Man { folder, force } => man::run(session, folder.as_deref(), force),
        Command::Completions { shell } => completions::run(session, shell),
    }
}
