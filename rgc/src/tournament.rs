//! Many plays between agents: who plays whom on which seat, and the plays themselves.

use crate::record::{Check, PlayLine};
use crate::runner::Runner;
use agents::{Agent, Payoffs, Play, Spec};
use backend::{Error, Rng, Turn};
use std::time::{Duration, Instant};

/// Line-ups of one tournament at most.
pub(crate) const MAX_LINEUPS: usize = 10_000;

/// Who plays in one play: per player the index of an agent.
pub(crate) type Seats = Vec<usize>;

/// All line-ups of a round robin: every choice of as many agents as there are players; if there are fewer agents, some of
/// them play several players. `None` if there are more than [`MAX_LINEUPS`].
pub(crate) fn lineups(agents: usize, players: usize) -> Option<Vec<Seats>> {
    if agents <= players {
        return Some(vec![(0..players).map(|seat| seat % agents.max(1)).collect()]);
    }
    let mut lineups = Vec::new();
    let mut chosen: Seats = (0..players).collect();
    loop {
        lineups.push(chosen.clone());
        if lineups.len() > MAX_LINEUPS {
            return None;
        }
        // The next choice in lexicographic order: the last place that can still grow does.
        let room = |&place: &usize| chosen.get(place).is_some_and(|&agent| agent < agents - players + place);
        let Some(place) = (0..players).rev().find(room) else { return Some(lineups) };
        let first = chosen.get(place).map_or(0, |&agent| agent + 1);
        for (slot, agent) in chosen.iter_mut().skip(place).zip(first..) {
            *slot = agent;
        }
    }
}

/// The seats of play `number` of a line-up: everybody moves on by one seat from play to play.
pub(crate) fn seated(lineup: &[usize], number: u64) -> Seats {
    let mut seats = lineup.to_vec();
    if !seats.is_empty() {
        let by = (number % seats.len() as u64) as usize;
        seats.rotate_left(by);
    }
    seats
}

/// A play to be played.
pub(crate) struct Task<'a> {
    pub(crate) number: u64,
    pub(crate) seats: Seats,
    pub(crate) specs: &'a [Spec],
    pub(crate) seed: u64,
    /// The play is stopped after so many plies, and counts as drawn.
    pub(crate) max_plies: u64,
}

/// A play that was played.
pub(crate) struct Played {
    pub(crate) seats: Seats,
    pub(crate) line: PlayLine,
    /// Per player, what it scored; all the same if the play was stopped.
    pub(crate) payoffs: Vec<f64>,
    /// Moves made, chance included.
    pub(crate) plies: u64,
    /// Per player, the time it took and its number of moves.
    pub(crate) thinking: Vec<(Duration, u64)>,
}

/// An error of the rules with the moves made before, by tags.
pub(crate) type Broken = (Error, Vec<String>);

impl Task<'_> {
    /// Plays it.
    pub(crate) fn run(&self, runner: &Runner) -> Result<Played, Broken> {
        let mut made = Vec::new();
        self.played(runner, &mut made).map_err(|error| (error, made))
    }

    fn played(&self, runner: &Runner, made: &mut Vec<String>) -> Result<Played, Error> {
        let reasoner = &runner.reasoner;
        let mut rng = Rng::new(self.seed);
        let mut agents: Vec<Box<dyn Agent>> = Vec::new();
        for seat in &self.seats {
            // Whether all agents can play the game was tried before.
            agents.extend(self.specs.get(*seat).and_then(|spec| spec.agent(reasoner, rng.next_u64()).ok()));
        }
        let mut thinking = vec![(Duration::ZERO, 0); agents.len()];
        let (mut play, mut check, mut moves) = (Play::new(reasoner)?, Check::new(), Vec::new());
        while (moves.len() as u64) < self.max_plies {
            let index = match play.turn() {
                Turn::End => break,
                Turn::Random => rng.below(play.moves().len() as u32) as usize,
                Turn::Player(player) => {
                    let start = Instant::now();
                    let Some(agent) = agents.get_mut(player) else { break };
                    let choice = agent.choose(&play.situation(player))?;
                    if let Some((time, count)) = thinking.get_mut(player) {
                        (*time, *count) = (*time + start.elapsed(), *count + 1);
                    }
                    choice.index
                }
            };
            check.add(runner, &play, index);
            moves.push(runner.texts(play.moves()).get(index).cloned().unwrap_or_default());
            made.push(reasoner.move_text(play.moves(), index));
            play.make(index)?;
        }
        let over = play.turn() == Turn::End;
        let all = Payoffs::new(reasoner);
        let payoffs = if over { all.of(reasoner, play.state()) } else { vec![0.0; agents.len()] };
        let name = |seat: &usize| self.specs.get(*seat).map(ToString::to_string).unwrap_or_default();
        let line = PlayLine {
            play: self.number,
            seats: self.seats.iter().map(name).collect(),
            seed: self.seed,
            scores: play.scores().into_iter().map(str::to_owned).collect(),
            over,
            check: check.text(),
            moves,
        };
        Ok(Played { seats: self.seats.clone(), plies: line.moves.len() as u64, line, payoffs, thinking })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody() {
        assert_eq!(lineups(3, 2).unwrap(), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(lineups(2, 2).unwrap(), [[0, 1]]);
        assert_eq!(lineups(1, 2).unwrap(), [[0, 0]]);
        assert_eq!(lineups(3, 1).unwrap(), [[0], [1], [2]]);
        assert_eq!(lineups(2, 3).unwrap(), [[0, 1, 0]]);
        assert_eq!(lineups(5, 3).unwrap().len(), 10);
        assert_eq!(lineups(60, 6), None);
    }

    #[test]
    fn seats_go_round() {
        assert_eq!(seated(&[4, 7], 0), [4, 7]);
        assert_eq!(seated(&[4, 7], 3), [7, 4]);
        assert_eq!(seated(&[1, 2, 3], 5), [3, 1, 2]);
    }
}
