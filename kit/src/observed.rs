//! What a player knows of a game that hides something, as text.

use crate::runner::{CHANCE, Runner};
use agents::Observed;
use backend::Turn;

/// What a player observed, a line for every move of a player or of chance. What the keeper announces of a move, such as a hit, is behind it.
pub fn lines(runner: &Runner, events: &[Observed]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for event in events {
        let names: Vec<&str> = event.tags.iter().map(|&tag| runner.reasoner.tag_name(tag)).collect();
        let who = match event.mover {
            Some(Turn::Player(mover)) => runner.players().nth(mover).unwrap_or_default(),
            Some(_) => CHANCE,
            // The keeper speaks by tags only.
            None if names.is_empty() => continue,
            None => "",
        };
        let what = match names.is_empty() {
            true => "something hidden".to_owned(),
            false => runner.loaded.notation.short_moves(&[names], runner.naming()).concat(),
        };
        match lines.last_mut().filter(|_| event.mover.is_none()) {
            Some(move_) => *move_ += &format!(" → {what}"),
            None if who.is_empty() => lines.push(format!("keeper: {what}")),
            None => lines.push(format!("{who}: {what}")),
        }
    }
    lines
}
