//! A game of any language that is a Simplified Boardgame, in SBG.

use rg_ir::{Diagnostic, Game};

/// The text of a game in SBG, formatted, where it is called `name`.
///
/// # Errors
/// Why the game is not translated: most games are no Simplified Boardgames.
pub fn boardgame(game: &Game, name: &str) -> Result<String, Box<Diagnostic>> {
    rg_to_sbg::translate(game, name)
}
