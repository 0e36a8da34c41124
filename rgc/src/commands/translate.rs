//! `rgc translate`.

use crate::boardgame::boardgame;
use crate::cli::{GameArgs, LevelArgs, OutFile, Target};
use crate::input;
use crate::language::{LANGUAGES, Language, View};
use crate::load::{load_text, read};
use crate::optimize;
use crate::output::{Kind, What};
use crate::session::{Failure, Session, finding};
use crate::sheet::sheet;
use crate::structured::structured;
use crate::watchdog;
use passes::Pipeline;
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, Severity, SourceId};
use std::io::Write as _;
use std::path::Path;

pub(super) fn run(
    session: &mut Session,
    game: &GameArgs,
    to: Option<Target>,
    level: LevelArgs,
    output: &OutFile,
) -> Result<(), Failure> {
    let from = game.language.from.as_deref();
    let to = to.map_or_else(|| named_by(output.output.as_deref(), game), Ok)?;
    if let Some(name) = to.view() {
        session.writer.spare(&game.file);
        let (source, language) = read(&mut session.sources, &game.file, from).map_err(Failure::Finding)?;
        let text = match (language.views.iter().find(|view| view.name == name), to.syntax()) {
            (Some(_), _) if level.or(0) > 0 => {
                let message = format!("a game cannot be optimised and translated to `{name}`");
                return Err(finding("IO310", message).help("passes work on RG").into());
            }
            (Some(view), _) => rendered(session, (source, language), view)?,
            (None, Some(syntax)) => rules(session, (source, language), syntax, level.or(2))?,
            (None, None) => return Err(no_view(language.title, name).into()),
        };
        let kind = if name == "rbg" { Kind::Game(name) } else { Kind::View(name) };
        return write(session, output, kind, text);
    }
    let game_name = game.file.clone();
    let mut game = session.load(&game.file, from, Severity::Warning)?.game;
    optimize::run(&mut game, &Pipeline::level(optimize::level(level.or(0))))?;
    let (kind, text) = match to {
        Target::Rg | Target::LlRbg | Target::Rbg | Target::GdlPrefix | Target::GdlInfix | Target::GdlProlog => {
            (Kind::Rg, rg_ir::text::print(&game))
        }
        Target::Hrg => {
            let (text, renamed) = watchdog::guarded("the game was translated to HRG", || structured(&game))??;
            session.show(&renamed);
            (Kind::Game("hrg"), text)
        }
        Target::Sbg => {
            let name = called(&game_name);
            let text = watchdog::guarded("the game was translated to SBG", || boardgame(&game, &name))??;
            (Kind::Game("sbg"), text)
        }
        Target::Json => (Kind::Json, rg_ir::json::to_json(&game)),
        Target::Dot => (Kind::Dot, rg_ir::dot::dot(&game)),
        Target::Svg => (Kind::Svg, rg_ir::svg::svg(&game).map_err(too_large)?),
    };
    write(session, output, kind, text)
}

/// What the extension of the file to write asks for; without a file, RG.
///
/// # Errors
/// `IO356`: it is that of a language that RG text would not be in.
fn named_by(output: Option<&Path>, game: &GameArgs) -> Result<Target, Failure> {
    let is_sbg =
        game.language.from.as_deref().map_or_else(|| extension(Some(&game.file)) == "sbg", |from| from == "sbg");
    let extension = extension(output);
    match extension.as_str() {
        "rg" | "" => Ok(Target::Rg),
        "json" => Ok(Target::Json),
        "dot" | "gv" => Ok(Target::Dot),
        "svg" => Ok(Target::Svg),
        "gdl" | "kif" => Ok(Target::GdlPrefix),
        "rbg" if is_sbg => Ok(Target::Rbg),
        "hrg" => Ok(Target::Hrg),
        "sbg" => Ok(Target::Sbg),
        other if LANGUAGES.iter().any(|language| language.extensions.contains(&other)) => {
            let message = format!("what would be written is RG, but the file is called `.{other}`");
            Err(finding("IO356", message).help("`--to` chooses the format").into())
        }
        _ => Ok(Target::Rg),
    }
}

/// What a game in SBG is called: as the file, without its extension.
fn called(file: &Path) -> String {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).filter(|_| !input::is_stdin(file));
    stem.unwrap_or("game").to_owned()
}

/// The extension of a file in small letters; empty if there is none.
pub(super) fn extension(output: Option<&Path>) -> String {
    let extension = output.and_then(Path::extension).and_then(|extension| extension.to_str());
    extension.map(str::to_ascii_lowercase).unwrap_or_default()
}

/// The finding about an automaton that is not drawn.
pub(super) fn too_large(error: rg_ir::svg::TooLarge) -> Diagnostic {
    finding("IO311", error.to_string())
        .help("`rgc graph --to html` draws its regions, `--to dot` gives all of it to Graphviz")
}

/// A description that was read: its text, and the language it is in.
type Description = (SourceId, &'static Language);

/// The rules of a game of another language in GDL.
fn rules(
    session: &mut Session,
    (source, language): Description,
    syntax: gdl::Syntax,
    level: u8,
) -> Result<String, Failure> {
    let (name, text) =
        session.sources.get(source).map_or(Default::default(), |file| (file.name.clone(), file.text.clone()));
    let (lowered, mut findings) = load_text(source, &name, &text, language, session.reading);
    let failed = has_errors(&findings);
    findings.retain(|finding| finding.severity <= Severity::Warning);
    session.show(&findings);
    let mut game = lowered.filter(|_| !failed).ok_or(Failure::Shown)?.game;
    optimize::run(&mut game, &Pipeline::level(optimize::level(level)))?;
    let (rules, renamed) = watchdog::guarded("the game was translated to GDL", || sheet(&game, syntax))??;
    session.show(&renamed);
    Ok(rules)
}

/// A view of the description in its own language.
fn rendered(session: &mut Session, (source, language): Description, view: &View) -> Result<String, Failure> {
    let text = session.sources.get(source).map_or("", |file| &file.text);
    let (rendered, mut findings) = (view.render)(source, text);
    session.reading.leniency.apply(language, &mut findings);
    let failed = has_errors(&findings);
    findings.retain(|finding| finding.severity <= Severity::Warning);
    session.show(&findings);
    rendered.filter(|_| !failed).ok_or(Failure::Shown)
}

fn no_view(title: &str, name: &str) -> Diagnostic {
    finding("IO310", format!("a game in {title} cannot be translated to `{name}`"))
        .help("`--to rg`, `hrg`, `gdl` and `json` work for every language, `sbg` for games that are Simplified Boardgames, `rbg` for SBG, `ll-rbg` for RBG; `rgc expand` writes RBG without macros")
}

/// Writes a result to the file, or to standard output, with a final newline.
///
/// # Errors
/// `IO353`: the file is the game itself, `IO356`: its extension is that of another format, `IO354`: it exists, and holds something
/// else than an earlier result of this kind, or it cannot be written.
pub(super) fn write(session: &mut Session, output: &OutFile, kind: Kind, mut text: String) -> Result<(), Failure> {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match output.output.as_deref().filter(|path| !input::is_stdin(path)) {
        None => Ok(session.out().write_all(text.as_bytes())?),
        Some(path) => {
            session.writer.check(path)?;
            kind.check_name(path)?;
            Ok(session.writer.write(What::Result, path, output.force.over(kind), text)?)
        }
    }
}
