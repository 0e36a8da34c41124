//! An earlier run, to compare with.

use super::row::Earlier;
use crate::input;
use crate::record::located;
use crate::session::{Failure, Session};
use rg_ir::{Diagnostic, Span};
use std::path::Path;

/// Reads what `rgc bench --json` wrote.
///
/// # Errors
/// A file that cannot be read (`IO301` to `IO306`), or that is something else (`IO336`).
pub(super) fn read(session: &mut Session, path: &Path) -> Result<Vec<Earlier>, Failure> {
    let text = input::read_as(path, "a run of `rgc bench --json`").map_err(Failure::Finding)?;
    let source = session.sources.add(input::source_name(path), text.clone());
    let mut rows = Vec::new();
    for (start, line) in located(&text).filter(|(_, line)| !line.trim().is_empty()) {
        let place = Span::new(source, start, start + line.len());
        let foreign = |what: String| {
            let message = format!("this is not a line of a run of `rgc bench --json`: {what}");
            Diagnostic::error("IO336", place, message).help("`rgc bench FILE… --json > RUN` writes one")
        };
        let row: Earlier = serde_json::from_str(line).map_err(|error| foreign(rg_ir::json::reason(&error)))?;
        let figures = [Some(row.states_per_s), row.playouts_per_s].into_iter().flatten();
        if figures.chain(row.spread.into_iter().flatten()).any(|figure| figure < 0.0) {
            return Err(foreign("a speed is negative".to_owned()).into());
        }
        rows.push(row);
    }
    Ok(rows)
}
