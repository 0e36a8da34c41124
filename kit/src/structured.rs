//! A game of any language as a structured program in HRG.

use rg_ir::{Diagnostic, Game};

/// The text of a game in HRG, formatted. With it come warnings about what is called something else there.
///
/// # Errors
/// Why the game cannot be translated.
pub fn structured(game: &Game) -> Result<(String, Vec<Diagnostic>), Box<Diagnostic>> {
    rg_to_hrg::translate(game).map(|program| (program.text, program.findings))
}
