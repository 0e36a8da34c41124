//! Players who cannot score.

use crate::load::Loaded;
use rg_ir::check::unassigned_scores;
use rg_ir::{Diagnostic, Span, Symbol};

/// Most players that are named.
const MAX_NAMED: usize = 4;

/// What there is to say about players whose score no rule assigns. Nothing about games in GDL, whose front end knows roles without goals. Linear in the game.
pub(super) fn finding(loaded: &Loaded) -> Option<Diagnostic> {
    let game = &loaded.game;
    let unassigned = unassigned_scores(game);
    let (first, best) = (*unassigned.players.first()?, unassigned.best?);
    if loaded.notation.joint().is_some() {
        return None;
    }
    let name = |player: &Symbol| format!("`{}`", loaded.notation.render_player(game.name(*player)));
    let named: Vec<String> = unassigned.players.iter().take(MAX_NAMED).map(name).collect();
    let rest = unassigned.players.len() - named.len();
    let message = match (named.as_slice(), unassigned.are_all) {
        ([only], _) => format!("the score of {only} is never assigned, so it is always 0"),
        (_, true) => "no score is ever assigned, so the score of every player is always 0".to_owned(),
        (several, false) => {
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!("the scores of {}{more} are never assigned, so they are always 0", several.join(", "))
        }
    };
    let span = game.symbols.get("Player").and_then(|name| game.types.declaration(name));
    let span = span.and_then(|id| game.type_decls.get(id)).map_or(Span::NONE, |decl| decl.span);
    let (player, best) = (loaded.notation.render_player(game.name(first)), game.name(best));
    let example = match loaded.language.name {
        "rbg" => format!("[$ {player} = {best}]"),
        _ => format!("goals[{player}] = {best}"),
    };
    let help = format!("assign it where the game is decided, as in `{example}`");
    Some(Diagnostic::warning("RT212", span, message).help(help))
}
