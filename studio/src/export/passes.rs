//! What the passes do to a game, with a difference of texts for each run that changes something.

use crate::api::Failure;
use crate::api::games::Version;
use crate::api::passes::{Runs, watched};
use passes::Step;
use serde::Serialize;
use similar::TextDiff;
use std::collections::BTreeMap;
use std::time::Duration;

/// The level whose passes run.
const LEVEL: u8 = 2;

/// Bytes of all differences at most; later runs have none.
const MAX_BYTES: usize = 1_500_000;

/// A difference of texts is looked for so long; after that it is a correct one, but no shortest one.
const TIME: Duration = Duration::from_millis(300);

/// Lines around what has changed.
const CONTEXT: usize = 2;

/// All runs.
#[derive(Serialize)]
pub(super) struct Passes {
    level: u8,
    #[serde(flatten)]
    runs: Runs,
    /// By the number of the run.
    differences: BTreeMap<usize, String>,
}

/// The runs of the passes on a game.
///
/// # Errors
/// A defect of a pass.
pub(super) fn passes(version: &Version) -> Result<Passes, Failure> {
    let mut before = rg_ir::text::print(&version.game);
    let mut differences = BTreeMap::new();
    let mut left = MAX_BYTES;
    let mut look = |step: &Step<'_>| {
        if !step.changed || left == 0 {
            return;
        }
        let after = rg_ir::text::print(step.after);
        let diff = TextDiff::configure().timeout(TIME).diff_lines(&before, &after);
        let diff = diff.unified_diff().context_radius(CONTEXT).to_string();
        left = left.saturating_sub(diff.len());
        if left > 0 && !diff.is_empty() {
            differences.insert(step.number, diff);
        }
        before = after;
    };
    let runs = watched(version, LEVEL, &mut look)?;
    Ok(Passes { level: LEVEL, runs, differences })
}
