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
            true => HIDDEN.to_owned(),
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

/// A move of which nothing was seen.
const HIDDEN: &str = "something hidden";

/// The lines of [`lines()`] for people: moves of one player of which nothing was seen, one after another, are counted. Linear.
pub fn counted(lines: Vec<String>) -> Vec<String> {
    let is_hidden = |line: &str| line.strip_suffix(HIDDEN).is_some_and(|who| who.ends_with(": "));
    let same = lines.chunk_by(|one, other| one == other && is_hidden(one));
    let one = |chunk: &[String]| match chunk {
        [line, _, ..] => format!("{}{} hidden moves", line.trim_end_matches(HIDDEN), chunk.len()),
        _ => chunk.concat(),
    };
    same.map(one).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn hidden_moves_are_counted() {
        let lines = ["a: something hidden", "a: x", "b: something hidden", "b: something hidden", "a: y", "a: y"];
        let counted = super::counted(lines.map(str::to_owned).to_vec());
        assert_eq!(counted, ["a: something hidden", "a: x", "b: 2 hidden moves", "a: y", "a: y"]);
    }
}
