//! Scores of a state, for people and programs.

use crate::runner::Runner;
use agents::Payoffs;
use backend::State;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

/// The scores of all players in declaration order.
///
/// Displays as `white 100, black 0`. As JSON an object; scores that are written as decimal numbers become numbers.
pub struct Scores<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Scores<'a> {
    /// Player and score in the state, in declaration order.
    pub fn of(runner: &'a Runner, state: &'a State) -> Self {
        Self(runner.players().zip(runner.reasoner.scores(state)).collect())
    }
}

impl fmt::Display for Scores<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores: Vec<String> = self.0.iter().map(|(player, score)| format!("{player} {score}")).collect();
        f.write_str(&scores.join(", "))
    }
}

impl Serialize for Scores<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (player, score) in &self.0 {
            match score.parse::<u32>() {
                Ok(number) if number.to_string() == *score => map.serialize_entry(player, &number)?,
                _ => map.serialize_entry(player, score)?,
            }
        }
        map.end()
    }
}

/// That the game is over, and how it ended: `the game is over: white wins; scores: white 100, black 0`. Where there is one player only, nobody wins.
pub fn ended(runner: &Runner, state: &State) -> String {
    let verdict = Outcome::of(runner, state).verdict().map_or(String::new(), |verdict| format!(": {verdict}"));
    format!("the game is over{verdict}; scores: {}", Scores::of(runner, state))
}

/// How a game ended for each player, in declaration order: whoever has the greatest score has `won`, or `drawn` if others have it, too; the others have
/// `lost`. Empty if there is one player only, whose score is compared with nothing.
pub struct Outcome<'a>(Vec<(&'a str, &'static str)>);

impl<'a> Outcome<'a> {
    /// How it ended in a final state.
    pub fn of(runner: &'a Runner, state: &State) -> Self {
        let payoffs = Payoffs::new(&runner.reasoner).of(&runner.reasoner, state);
        if payoffs.len() < 2 {
            return Self(Vec::new());
        }
        let most = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_shared = payoffs.iter().filter(|&&value| value == most).count() > 1;
        let word = |value: f64| match (value == most, is_shared) {
            (true, false) => "won",
            (true, true) => "drawn",
            (false, _) => "lost",
        };
        Self(runner.players().zip(payoffs).map(|(player, value)| (player, word(value))).collect())
    }

    /// Who has won: `white wins`, `draw` if all have the same score, or `a and b tie` if only some of them have the greatest; `None` if there is
    /// one player only.
    pub fn verdict(&self) -> Option<String> {
        let with = |word| self.0.iter().filter(move |(_, other)| *other == word).map(|(player, _)| *player);
        match (with("won").next(), with("drawn").count()) {
            (Some(winner), _) => Some(format!("{winner} wins")),
            (None, 0) => None,
            (None, count) if count == self.0.len() => Some("draw".to_owned()),
            (None, _) => Some(format!("{} tie", with("drawn").collect::<Vec<_>>().join(" and "))),
        }
    }
}

impl Serialize for Outcome<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
