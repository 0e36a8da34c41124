//! Games and states in a few words.

use crate::game::Game;
use crate::state::State;
use backend::Turn;
use envs::{ActionKind, Merging};

/// A game: its file, players and actions.
pub(crate) fn of_game(game: &Game) -> String {
    let rules = &game.game;
    let actions = rules.actions();
    let kind = match actions.kind() {
        ActionKind::Moves if *actions.merging() == Merging::Exclusive => "places",
        ActionKind::Moves => "moves",
        ActionKind::Steps => "steps",
    };
    let players: Vec<&str> = rules.runner().players().collect();
    let chance = if rules.reasoner().has_chance() { ", chance" } else { "" };
    let hidden = if rules.reasoner().hides() { ", hidden information" } else { "" };
    format!(
        "<Game {}.{}: {} ({}), {} ({kind}){chance}{hidden}>",
        rules.name(),
        rules.language(),
        counted(players.len(), "player"),
        players.join(", "),
        counted(actions.len(), "action"),
    )
}

/// A state: how far the game is, and who is to move or what came of it.
pub(crate) fn of_state(state: &State) -> String {
    let (game, after) = (&state.game.game, counted(state.plies as usize, "move"));
    let who = match state.env.turn() {
        Turn::Player(player) => format!("{} to move", game.runner().players().nth(player).unwrap_or_default()),
        Turn::Random => "chance to move".to_owned(),
        Turn::End => {
            let returns: Vec<String> = state.returns().iter().map(f64::to_string).collect();
            format!("over with returns {}", returns.join(", "))
        }
    };
    let chosen = state.chosen();
    let begun = if chosen.is_empty() { String::new() } else { format!(", chosen: {}", chosen.join(" ")) };
    format!("<State of {} after {after}, {who}{begun}>", game.name())
}

/// So many of something.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
