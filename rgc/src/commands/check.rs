//! `rgc check`.

use crate::cli::LanguageArgs;
use crate::load::load_within;
use crate::session::{Failure, Session};
use rg_ir::diag::has_errors;
use std::path::PathBuf;

/// Shows the findings about all files together.
pub(super) fn run(session: &mut Session, files: &[PathBuf], language: &LanguageArgs) -> Result<(), Failure> {
    let mut findings = Vec::new();
    for file in files {
        findings.extend(load_within(&mut session.sources, file, language.from.as_deref(), session.limit).1);
    }
    session.show(&findings);
    if has_errors(&findings) { Err(Failure::Shown) } else { Ok(()) }
}
