//! `rgc optimize`.

use super::translate::write;
use super::wir;
use crate::cli::OptimizeArgs;
use crate::input::{self, display_name};
use crate::load::Loaded;
use crate::optimize::bisect::Verdict;
use crate::optimize::dump::{Dumper, difference};
use crate::optimize::report::{Printer, Times};
use crate::optimize::verify::{Effort, Verifier, describe};
use crate::optimize::{bisect, broken, level, lifting, when};
use crate::output::{Folder, Kind};
use crate::session::{Failure, Session, finding};
use crate::table::{counted, render};
use crate::watchdog;
use backend::lockstep::{Budget, Difference};
use backend::{Engine, Listing, Reasoner};
use passes::facts::{Claims, drop_claims};
use passes::{Observer, Pipeline};
use rg_ir::cancel;
use rg_ir::{Diagnostic, Game, Notation, Severity, Span};
use std::io::{self, Write as _};

pub(super) fn run(session: &mut Session, options: &OptimizeArgs) -> Result<(), Failure> {
    if options.list_passes {
        return Ok(session.out().write_all(list().as_bytes())?);
    }
    let Some(file) = &options.file else { return Ok(()) };
    if file.extension().is_some_and(|extension| extension == "wir") {
        wir::only_options_of_programs(session)?;
        let text = wir::of_file(session, file, options)?;
        return write(session, &options.output, Kind::Program, text);
    }
    let loaded = session.load(file, options.language.from.as_deref(), Severity::Warning)?;
    let verifies = options.verify || options.bisect;
    let goal = if verifies { "the game is not optimised and verified" } else { "the game is not prepared" };
    // Before the work, which may take long.
    if let Some(path) = options.output.output.as_deref().filter(|path| !input::is_stdin(path)) {
        session.writer.check(path)?;
        written(options).check_name(path)?;
    }
    let work = || optimised(session, loaded, options);
    watchdog::bounded(goal, "the game was optimised", work).map_err(Failure::Finding)?
}

/// Optimises a game as the options say, and writes what comes of it.
fn optimised(session: &mut Session, mut loaded: Loaded, options: &OptimizeArgs) -> Result<(), Failure> {
    claims(session, &mut loaded, options)?;
    if options.verify {
        translation(session, &loaded)?;
    }
    let pipeline = pipeline(options);
    if options.bisect {
        return guilty(session, &loaded, &pipeline);
    }
    let Loaded { name, mut game, notation, .. } = loaded;
    let (mut printer, mut times) = (Printer::new(io::stderr()), Times::default());
    let folder = options.dump_passes.as_ref().and_then(Option::as_ref);
    let mut dumper = None;
    if let Some(folder) = folder {
        let folder = Folder::new(folder, &session.writer, options.output.force.over(Kind::Page), Dumper::LAST)?;
        dumper = Some(Dumper::new(folder, &name, &game).map_err(unwritten)?);
    }
    let mut verifier = options.verify.then(|| Verifier::new(&game, notation.as_ref(), Effort::thorough()));
    let mut observers: Vec<&mut dyn Observer> = vec![&mut times];
    if options.dump_passes.is_some() {
        observers.push(&mut printer);
    }
    // The dump comes before the verification, so that it shows the change that is refused.
    observers.extend(dumper.as_mut().map(|dumper| dumper as &mut dyn Observer));
    observers.extend(verifier.as_mut().map(|verifier| verifier as &mut dyn Observer));
    let outcome = pipeline.run(&mut game, &mut observers);
    if let Some(dumper) = dumper {
        dumper.finish().map_err(unwritten)?;
        if let Some(folder) = folder {
            // A failing standard error leaves nowhere to report anything.
            let _ =
                writeln!(io::stderr(), "wrote `{}` and the files it shows", display_name(&folder.join("index.html")));
        }
    }
    if options.time_passes {
        // A failing standard error leaves nowhere to report anything.
        let _ = io::stderr().write_all(times.table().as_bytes());
    }
    let outcome = outcome.map_err(|error| broken(&error))?;
    if let Some(verifier) = &verifier {
        cancel::begin_step(Span::NONE, || "the result was compared with the game".to_owned());
        let different = |what| finding("IO331", format!("the result is another game: {what}"));
        verifier.finish().map_err(different)?;
        cancel::begin_step(Span::NONE, || "the claims of the result were tested".to_owned());
        let wrong = refuted(&game, notation.as_ref(), "IO331")?;
        if !wrong.is_empty() {
            session.show(&wrong);
            return Err(Failure::Shown);
        }
    }
    if !outcome.settled {
        let warning = format!("passes still changed the game after {} rounds", outcome.rounds);
        session.show(&[rg_ir::Diagnostic::warning("IO332", rg_ir::Span::NONE, warning)]);
    }
    let form = Listing::ALL.iter().find(|(name, _)| *name == options.emit);
    let text = match form {
        _ if options.program.wanted() => wir::of_game(session, &game, options)?,
        None => rg_ir::text::print(&game),
        Some((_, form)) => backend::listing(&game, *form, options.profile.unwrap_or(0)).map_err(not_lifted)?,
    };
    write(session, &options.output, written(options), text)
}

/// What is written for a game.
fn written(options: &OptimizeArgs) -> Kind {
    match Listing::ALL.iter().find(|(name, _)| *name == options.emit) {
        _ if options.program.wanted() => Kind::Program,
        None => Kind::Rg,
        Some((name, _)) if *name == "program" => Kind::Program,
        Some(_) => Kind::Code,
    }
}

/// Verifies the translation, where there is another one to compare it with.
fn translation(session: &Session, loaded: &Loaded) -> Result<(), Failure> {
    let text = session.sources.get(loaded.source).map_or("", |file| &file.text);
    let syntax = match loaded.language.name {
        "gdl" => gdl::Syntax::of(text),
        "gdl-prefix" => gdl::Syntax::Prefix,
        "gdl-infix" => gdl::Syntax::Infix,
        "gdl-prolog" => gdl::Syntax::Prolog,
        _ => return Ok(()),
    };
    let (description, _) = gdl::parse_as(loaded.source, text, syntax);
    let Some(description) = description else { return Ok(()) };
    cancel::begin_step(Span::NONE, || "lifted and ground form were compared".to_owned());
    let said = lifting::verify(&description, session.reading.limit.of_grounding()).map_err(Failure::Finding)?;
    // A failing standard error leaves nowhere to report anything.
    let _ = writeln!(io::stderr(), "{said}");
    Ok(())
}

pub(super) fn not_lifted(reason: String) -> Diagnostic {
    finding("IO334", format!("the reasoner has no program for this game: {reason}"))
        .help("`rgc stats --reasoner` shows what is lifted; games that are not are run by the engine `backtracking`")
}

/// Forgets, tests or believes the claims of the input.
fn claims(session: &mut Session, loaded: &mut Loaded, options: &OptimizeArgs) -> Result<(), Failure> {
    match Claims::ALL.iter().find(|(name, _)| *name == options.pragmas).map(|(_, claims)| *claims) {
        None | Some(Claims::Ignore) => {
            drop_claims(&mut loaded.game);
        }
        Some(Claims::Trust) => {}
        Some(Claims::Verify) => {
            let wrong = refuted(&loaded.game, loaded.notation.as_ref(), "IO333")?;
            if !wrong.is_empty() {
                session.show(&wrong);
                return Err(Failure::Shown);
            }
        }
    }
    Ok(())
}

/// Findings about claims of a game that some search refutes.
fn refuted(game: &Game, notation: &dyn Notation, code: &'static str) -> Result<Vec<Diagnostic>, Failure> {
    let untested = |error: backend::Error| finding("IO331", format!("the claims cannot be tested: {error}"));
    let violations = backend::claims::verify(game, &Budget::default()).map_err(untested)?;
    if violations.is_empty() {
        return Ok(Vec::new());
    }
    let reasoner = Reasoner::new(game, Engine::Backtracking).map_err(untested)?;
    let say = |violation: &backend::claims::Violation| {
        let span = game.pragmas.get(violation.pragma).map_or(Span::NONE, |decl| decl.span);
        let difference = Difference { play: violation.play.clone(), what: violation.what.clone(), failure: None };
        Diagnostic::error(code, span, format!("this claim is wrong: {}", describe(&difference, notation, &reasoner)))
    };
    Ok(violations.iter().map(say).collect())
}

/// The passes that were asked for.
fn pipeline(options: &OptimizeArgs) -> Pipeline {
    let mut passes = match &options.passes {
        Some(names) => names.iter().filter_map(|name| passes::find(name)).collect(),
        None => Pipeline::level(level(options.level)).passes().to_vec(),
    };
    if options.infer {
        passes.extend(passes::registry().iter().filter(|pass| pass.name().starts_with("infer-")));
    }
    let pipeline = Pipeline::of(passes);
    if options.verify || options.validate { pipeline.validate(true) } else { pipeline }
}

/// Finds the pass that makes another game of it, and shows what it does.
fn guilty(session: &mut Session, loaded: &Loaded, pipeline: &Pipeline) -> Result<(), Failure> {
    let faithful = pipeline.passes().iter().copied().filter(|pass| !pass.changes_moves()).collect();
    let pipeline = Pipeline::of(faithful).validate(true);
    let found = bisect(&loaded.game, &pipeline, loaded.notation.as_ref(), &Effort::thorough());
    let guilty = match found.map_err(|error| broken(&error))? {
        Verdict::Kept(compared) => {
            let out = session.out();
            return Ok(writeln!(out, "no difference found between the game and the result ({compared} compared)")?);
        }
        Verdict::Broken(guilty) => guilty,
    };
    let (change, changes) = guilty.change;
    let out = session.out();
    writeln!(out, "pass:       {} (run {}, round {})", guilty.pass, guilty.number, guilty.round)?;
    writeln!(
        out,
        "change:     {change} of {changes}, found with {}",
        counted(guilty.comparisons as u64, "comparison")
    )?;
    writeln!(out, "difference: {}", guilty.difference)?;
    let [before, after] = &guilty.texts;
    writeln!(out, "\n{}", difference(before, after))?;
    session.finish().and(Err(Failure::Shown))
}

/// A table of all passes.
fn list() -> String {
    let row = |pass: &&dyn passes::Pass| {
        let moves = if pass.changes_moves() { "changed" } else { "kept" };
        vec![pass.name().to_owned(), when(*pass), moves.to_owned(), pass.summary().to_owned()]
    };
    let passes = render(&["pass", "runs at", "moves", "what it does"], 4, passes::registry().iter().map(row).collect());
    let row = |pass: &&backend::wir_opt::Pass| vec![pass.name.to_owned(), pass.summary.to_owned()];
    let rows = backend::wir_opt::registry().iter().map(row).collect();
    format!("{passes}\n{}", render(&["pass over programs", "what it does"], 2, rows))
}

fn unwritten(message: String) -> Failure {
    finding("IO309", message).into()
}
