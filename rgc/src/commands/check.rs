//! `rgc check`.

use crate::audit::{self, properness_in_short};
use crate::cli::LanguageArgs;
use crate::fixes;
use crate::input::{display_name, escaped, is_stdin, source_name};
use crate::library;
use crate::load::load_within;
use crate::output::replace;
use crate::render::MessageFormat;
use crate::session::{Failure, Session, finding};
use rg_ir::diag::has_errors;
use rg_ir::{SourceId, SourceMap};
use std::io::Write as _;
use std::path::PathBuf;

/// Fixes are looked for again after others were made, so often.
const ROUNDS: usize = 20;

/// Makes the certain fixes of the findings about each file, then of those about the result, until there are none; says how many.
pub(super) fn fix(session: &mut Session, files: &[PathBuf], language: &LanguageArgs) -> Result<(), Failure> {
    for file in files {
        if is_stdin(file) || library::instead_of(file, language.from.as_deref()).is_some() {
            let message = format!("`{}` is not a file that could be changed", display_name(file));
            return Err(finding("IO361", message).help("`--fix` needs a file").into());
        }
        let mut made = 0;
        for _ in 0..ROUNDS {
            let mut sources = SourceMap::default();
            let (_, found) = load_within(&mut sources, file, language.from.as_deref(), session.reading);
            // The file is the first text that was read.
            let (text, count) = fixes::apply(&sources, SourceId(0), &found);
            if count == 0 {
                break;
            }
            replace(file, &text)?;
            made += count;
        }
        if made > 0 {
            writeln!(session.out(), "{}: {} applied", display_name(file), plural(made))?;
        }
    }
    Ok(())
}

fn plural(count: usize) -> String {
    if count == 1 { "1 fix".to_owned() } else { format!("{count} fixes") }
}

/// Shows the findings about all files together; with a number of positions, those of plays, too.
pub(super) fn run(
    session: &mut Session,
    files: &[PathBuf],
    language: &LanguageArgs,
    positions: Option<u64>,
) -> Result<(), Failure> {
    let (mut findings, mut verdicts) = (Vec::new(), Vec::new());
    for file in files {
        let (loaded, found) = load_within(&mut session.sources, file, language.from.as_deref(), session.reading);
        // Where the rules alone tell that there is no first move, that is said already.
        let silent = found.iter().any(|finding| finding.code == rbg::codes::NO_MOVE);
        findings.extend(found);
        if let (Some(loaded), None, false) = (&loaded, positions, silent) {
            findings.extend(audit::opening_findings(loaded));
        }
        if let (Some(loaded), Some(positions)) = (loaded, positions) {
            session.progress(&format!("{} …", loaded.name));
            let (broken, proper) = audit::findings(&loaded, positions);
            findings.extend(broken);
            verdicts.extend(proper.map(|proper| (source_name(file), proper)));
            session.progress("");
        }
    }
    // That nothing was found says as much as where it was looked for.
    for (file, proper) in verdicts {
        let line = match session.message_format() {
            MessageFormat::Json => {
                let verdict = serde_json::json!({ "file": file, "proper": proper });
                serde_json::to_string(&verdict).map_err(std::io::Error::from)?
            }
            _ => format!("{}: {}", escaped(&file), properness_in_short(&proper)),
        };
        writeln!(session.out(), "{line}")?;
    }
    session.show(&findings);
    if has_errors(&findings) { Err(Failure::Shown) } else { Ok(()) }
}
