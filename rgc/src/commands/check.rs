//! `rgc check`.

use crate::audit::{self, properness_in_short};
use crate::cli::LanguageArgs;
use crate::input::{escaped, source_name};
use crate::load::load_within;
use crate::render::MessageFormat;
use crate::session::{Failure, Session};
use rg_ir::diag::has_errors;
use std::io::Write as _;
use std::path::PathBuf;

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
