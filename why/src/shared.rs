//! Why a move is not legal where the position is known in part only.

use super::{Asked, Signs, Told, search, with_reasons};
use backend::{Error, State};
use rg_ir::SourceMap;
use std::sync::atomic::AtomicBool;

/// Why a text is not a legal move, if the reason is the same in all of some states that a player may be in, of which there is one: it tells nothing that the
/// player does not know. `None` if it differs, or if there is none that rules tell. Costs a search in each state; ends soon after `stop` is set.
///
/// # Errors
/// The rules fail.
pub fn in_all<'s>(
    sources: &SourceMap,
    signs: &Signs<'_>,
    asked: &Asked<'_>,
    states: impl IntoIterator<Item = &'s State>,
    stop: &AtomicBool,
) -> Result<Option<Told>, Error> {
    let mut same: Option<Told> = None;
    for state in states {
        let found = search(signs.runner, state, (asked.text, None), stop)?;
        if !found.has_reason() {
            return Ok(None);
        }
        let (text, reasons) = with_reasons(sources, signs, asked, &found);
        let told = Told { text, reasons };
        if same.as_ref().is_some_and(|same| *same != told) {
            return Ok(None);
        }
        same = Some(told);
    }
    Ok(same)
}
