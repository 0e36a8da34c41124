//! The few figures of a report by which games are compared.

use crate::Report;

/// What random plays tell about a game in which all of them ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// Moves of players in a play, on average.
    pub plies: f64,
    /// Legal moves where a player is to move, on average.
    pub choices: f64,
    /// Share of the plays that one player won.
    pub decisive: f64,
    /// Share of the plays that each player won.
    pub wins: Vec<f64>,
}

impl Report {
    /// The figures of the plays; `None` if some did not end or ended in an error, or if there is one player only.
    pub fn figures(&self) -> Option<Figures> {
        let sample = &self.sample;
        let complete = self.failure.is_none() && sample.failed == 0 && sample.unfinished == 0;
        Some(Figures {
            plies: sample.length.as_ref().filter(|_| complete)?.mean.value,
            choices: sample.branching.as_ref()?.mean.value,
            decisive: sample.decisive.as_ref()?.value,
            wins: sample.players.iter().map(|player| Some(player.wins.as_ref()?.value)).collect::<Option<_>>()?,
        })
    }
}
