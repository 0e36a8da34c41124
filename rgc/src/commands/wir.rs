//! `rgc optimize --wir-passes` and `--dump-wir`: the passes over programs of the word-level IR.

use crate::cli::OptimizeArgs;
use crate::optimize::programs::ProgramDumper;
use crate::output::{Folder, Kind};
use crate::session::{Failure, Session, finding};
use backend::wir::{Program, parse, verify};
use backend::wir_opt::{self, Pass};
use rg_ir::{Diagnostic, Game, Span};
use std::io;
use std::path::{Path, PathBuf};

/// The program of a game as text after the passes that the options name, or all.
pub(super) fn of_game(session: &Session, game: &Game, options: &OptimizeArgs) -> Result<String, Failure> {
    let mut outcome = Ok(());
    let mut optimise = |program: &mut Program| outcome = optimised(session, program, options);
    let program = backend::program_by(game, &mut optimise).map_err(super::optimize::not_lifted)?;
    outcome.map(|()| program.to_string())
}

/// Options of `rgc optimize` that are about games: as they are written, without a value.
const OF_GAMES: [&str; 12] = [
    "--bisect",
    "--dump-passes",
    "--emit",
    "--from",
    "--infer",
    "--passes",
    "--pragmas",
    "--profile",
    "--time-passes",
    "--validate",
    "--verify",
    "-O",
];

/// Refuses options that mean nothing where the file is a program.
///
/// # Errors
/// `IO339`.
pub(super) fn only_options_of_programs(session: &Session) -> Result<(), Failure> {
    let given = |option: &&&str| {
        let is_it = |argument: &str| match argument.strip_prefix(**option) {
            Some(rest) => rest.is_empty() || rest.starts_with('=') || !option.starts_with("--"),
            None => false,
        };
        session.repeat.arguments.iter().skip(1).filter_map(|argument| argument.to_str()).any(is_it)
    };
    let Some(option) = OF_GAMES.iter().find(given) else { return Ok(()) };
    let message = format!("`{option}` is for games, and the file is a program of the reasoner");
    Err(finding("IO339", message).help("`--wir-passes`, `--dump-wir` and `-o` are for programs, too").into())
}

/// The program of a file of the form that `rgc optimize --emit program` prints, after the same passes.
pub(super) fn of_file(session: &mut Session, path: &Path, options: &OptimizeArgs) -> Result<String, Failure> {
    let text = crate::input::read_as(path, "a program")?;
    let source = session.sources.add(crate::input::source_name(path), text.clone());
    let mut program = parse(&text).map_err(|error| {
        let start = offset(&text, error.line, error.column);
        let end = start + text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let span = Span::new(source, start, end);
        let expected = "a program as `rgc optimize --emit program` prints it";
        Diagnostic::error("IO338", span, format!("this is not a program: {}", error.message)).help(expected)
    })?;
    verify::verify(&program).map_err(|broken| finding("IO338", format!("this program breaks a rule: {broken}")))?;
    optimised(session, &mut program, options)?;
    Ok(program.to_string())
}

/// Runs the passes, and dumps what they do.
fn optimised(session: &Session, program: &mut Program, options: &OptimizeArgs) -> Result<(), Failure> {
    let passes: Option<Vec<&'static Pass>> =
        options.program.wir_passes.as_ref().map(|names| names.iter().filter_map(|name| wir_opt::find(name)).collect());
    let Some(folder) = &options.program.dump_wir else {
        match passes {
            Some(passes) => wir_opt::run(program, &passes, &mut ()),
            None => wir_opt::optimise(program),
        }
        return Ok(());
    };
    let existing = options.output.force.over(Kind::Program);
    let opened = |path: &PathBuf| Folder::new(path, &session.writer, existing, ProgramDumper::<io::Stderr>::LAST);
    let mut dumper = ProgramDumper::new(io::stderr(), folder.as_ref().map(opened).transpose()?);
    dumper.begin(program);
    match passes {
        Some(passes) => wir_opt::run(program, &passes, &mut dumper),
        None => wir_opt::optimise_observed(program, &mut dumper),
    }
    dumper.finish(program).map_err(|message| finding("IO309", message).into())
}

/// Where a character stands in a text, in bytes, given its line and column from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}
