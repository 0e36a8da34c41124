//! Scores of a state, for people and programs.

use crate::runner::Runner;
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
