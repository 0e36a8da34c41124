//! Moves that are typed, in all the ways in which `rgc play` reads them.

use super::Failure;
use agents::Play;
use kit::runner::Runner;
use rg_ir::notation::Unread;
use serde::Serialize;

/// Bytes of a move at most that is read.
const MAX_TEXT: usize = 400;

/// What a text means in a position.
#[derive(Default, Serialize)]
pub(crate) struct Typed {
    /// The legal move that it is, by its index.
    only: Option<usize>,
    /// The legal moves that may be meant: that one, those of which it is the beginning, or those it does not tell apart.
    moves: Vec<usize>,
}

/// What a text means among the legal moves. Where something is hidden, it is not looked at what moves would do.
///
/// # Errors
/// The text is too long for a move.
pub(super) fn read(runner: &Runner, play: &Play<'_>, text: &str, hides: bool) -> Result<Typed, Failure> {
    let (text, moves) = (text.trim(), play.moves());
    if text.len() > MAX_TEXT {
        return Err(Failure::new("request", "this is not a move"));
    }
    if text.is_empty() || moves.is_empty() {
        return Ok(Typed::default());
    }
    let found = match runner.seek(text, moves) {
        Err(Unread::Wrong(_)) if !hides => runner.find_in(text, play.state(), moves).map_err(Unread::Wrong),
        found => found,
    };
    // A number alone is that of a move in the list, where no move is written like it.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let found = match found {
        Err(Unread::Wrong(_)) if is_number && runner.begun(text, moves).is_empty() => {
            runner.seek(&format!("{text}."), moves)
        }
        found => found,
    };
    let choices = match found {
        Ok(index) => return Ok(Typed { only: Some(index), moves: vec![index] }),
        Err(Unread::Choice(moves) | Unread::Passed { moves, .. }) => {
            moves.into_iter().map(|(_, index)| index).collect()
        }
        Err(Unread::Several(_) | Unread::Wrong(_)) => Vec::new(),
    };
    let moves = if choices.is_empty() { runner.begun(text, moves) } else { choices };
    Ok(Typed { only: None, moves })
}
