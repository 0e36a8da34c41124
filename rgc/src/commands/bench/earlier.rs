//! An earlier run, to compare with.

use super::row::Earlier;
use crate::input;
use crate::session::{Failure, finding};
use std::path::Path;

/// Reads what `rgc bench --json` wrote.
///
/// # Errors
/// A file that cannot be read (`IO301` to `IO306`), or that is something else (`IO336`).
pub(super) fn read(path: &Path) -> Result<Vec<Earlier>, Failure> {
    let text = input::read(path).map_err(|error| Failure::from(*error))?;
    let name = input::display_name(path);
    let foreign = |what: String| {
        let message = format!("`{name}` is not a run of `rgc bench --json`: {what}");
        finding("IO336", message).help("`rgc bench FILE… --json > RUN` writes one")
    };
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row: Earlier =
            serde_json::from_str(line).map_err(|error| foreign(format!("line {}: {error}", number + 1)))?;
        let figures = [Some(row.states_per_s), row.playouts_per_s].into_iter().flatten();
        if figures.chain(row.spread.into_iter().flatten()).any(|figure| figure < 0.0) {
            return Err(foreign(format!("line {}: a speed is negative", number + 1)).into());
        }
        rows.push(row);
    }
    Ok(rows)
}
