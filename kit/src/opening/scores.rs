//! Games in which nobody can score.

use crate::load::Loaded;
use rg_ir::check::unscored;
use rg_ir::{Diagnostic, Span};

/// What there is to say about a game in which no rule assigns a score. Nothing about games in GDL, whose front end knows roles without goals. Linear in the game.
pub(super) fn finding(loaded: &Loaded) -> Option<Diagnostic> {
    let game = &loaded.game;
    let found = unscored(game).filter(|_| loaded.notation.joint().is_none())?;
    let span = game.symbols.get("Player").and_then(|name| game.types.declaration(name));
    let span = span.and_then(|id| game.type_decls.get(id)).map_or(Span::NONE, |decl| decl.span);
    let (player, best) = (loaded.notation.render_player(game.name(found.player)), game.name(found.best));
    let example = match loaded.language.name {
        "rbg" => format!("[$ {player} = {best}]"),
        _ => format!("goals[{player}] = {best}"),
    };
    let message = "no score is ever assigned, so the score of every player is always 0";
    let help = format!("assign one where the game is decided, as in `{example}`");
    Some(Diagnostic::warning("RT212", span, message).help(help))
}
