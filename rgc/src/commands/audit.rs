//! `rgc audit`.

use crate::cli::AuditArgs;
use crate::files::named;
use crate::output::{Kind, What};
use crate::session::{Failure, Session, finding, progress};
use audit::{Plan, Report, page, text};
use backend::Engine;
use std::io::Write as _;
use std::path::Path;

/// Reports on all games; what is wrong with one does not keep the others from being looked at.
pub(super) fn run(session: &mut Session, options: &AuditArgs) -> Result<(), Failure> {
    let games = named(&options.games.files, options.games.language.from.as_deref())?;
    games.start_at(options.start.position.as_deref())?;
    let files = games.files();
    if let (Some(page), true) = (&options.html, files.len() > 1) {
        let message = format!("`{}` can hold the report on one game only", page.display());
        return Err(finding("IO351", message).help("name one game with `--html`, or use `--json`").into());
    }
    if let (Some(page), Some(file)) = (&options.html, files.first()) {
        // Before the work, which may take long.
        session.writer.spare(file);
        session.writer.probe(What::Page, page, options.force.over(Kind::Page))?;
    }
    let mut failed = false;
    for (number, file) in files.iter().enumerate() {
        match audit(session, options, file, number > 0) {
            Ok(wrong) => failed |= wrong,
            Err(Failure::Shown) => failed = true,
            Err(Failure::Finding(error)) => {
                session.show(&[*error]);
                failed = true;
            }
            Err(failure) => return Err(failure),
        }
    }
    if failed { session.finish().and(Err(Failure::Shown)) } else { Ok(()) }
}

/// The report on one game; whether something is wrong with it.
fn audit(session: &mut Session, options: &AuditArgs, file: &Path, gap: bool) -> Result<bool, Failure> {
    let mut engine = options.engine.options();
    let loaded = session.load_at((file, options.games.language.from.as_deref()), &options.start, engine)?;
    // Reports do not depend on time, as the moment does in which `auto` goes from bytecode to machine code.
    if let (Engine::Auto, Some((_, native))) = (engine.engine, Engine::ALL.iter().find(|(name, _)| *name == "native")) {
        engine.engine = *native;
    }
    let plan = Plan {
        proper: options.proper,
        playouts: options.playouts,
        max_plies: options.max_plies,
        positions: options.positions,
        seed: options.seed,
        options: engine,
        level: options.engine.level.or_fast(engine.ambiguity),
    };
    let report = Report::new(&session.sources, loaded, &plan, &mut progress);
    progress("");
    let report = report?;
    if options.json {
        let line = serde_json::to_string(&report).map_err(std::io::Error::from)?;
        writeln!(session.out(), "{line}")?;
    } else {
        let gap = if gap { "\n" } else { "" };
        write!(session.out(), "{gap}{}", text(&report))?;
    }
    session.out().flush()?;
    if let Some(path) = &options.html {
        session.writer.write(What::Page, path, options.force.over(Kind::Page), page(&report))?;
    }
    report.findings().for_each(|finding| session.show(std::slice::from_ref(finding)));
    Ok(report.wrong())
}
