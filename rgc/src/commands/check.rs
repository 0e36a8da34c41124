//! `rgc check`.

use crate::audit;
use crate::cli::LanguageArgs;
use crate::load::load_within;
use crate::session::{Failure, Session};
use rg_ir::diag::has_errors;
use std::path::PathBuf;

/// Shows the findings about all files together; with a number of positions, those of plays, too.
pub(super) fn run(
    session: &mut Session,
    files: &[PathBuf],
    language: &LanguageArgs,
    positions: Option<u64>,
) -> Result<(), Failure> {
    let mut findings = Vec::new();
    for file in files {
        let (loaded, found) = load_within(&mut session.sources, file, language.from.as_deref(), session.limit);
        findings.extend(found);
        if let (Some(loaded), Some(positions)) = (loaded, positions) {
            session.progress(&format!("{} …", loaded.name));
            findings.extend(audit::findings(&loaded, positions));
            session.progress("");
        }
    }
    session.show(&findings);
    if has_errors(&findings) { Err(Failure::Shown) } else { Ok(()) }
}
