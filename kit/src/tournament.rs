//! Many plays between agents: who plays whom on which seat, and the plays themselves.

use crate::record::{Check, PlayLine};
use crate::runner::Runner;
use agents::{Agent, Payoffs, Play, Spec};
use backend::{Error, Rng, Turn};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// Line-ups of one tournament at most.
pub const MAX_LINEUPS: usize = 10_000;

/// Different orders of the agents of a line-up at most: all of them for seven players.
const MAX_SEATINGS: usize = 5_040;

/// Who plays in one play: per player the index of an agent.
pub type Seats = Vec<usize>;

/// All line-ups of a round robin: every choice of as many agents as there are players. If there are fewer agents, some of them
/// play several players, in turns; a line-up is a list of such choices. `None` if there are more than [`MAX_LINEUPS`].
pub fn lineups(agents: usize, players: usize) -> Option<Vec<Vec<Seats>>> {
    if agents >= players {
        return Some(choices(agents, players)?.into_iter().map(|chosen| vec![chosen]).collect());
    }
    // Everybody plays equally many players, or some one more than others.
    let all =
        |more: Seats| (0..players / agents.max(1) * agents).map(|seat| seat % agents.max(1)).chain(more).collect();
    Some(vec![choices(agents, players.checked_rem(agents).unwrap_or(0))?.into_iter().map(all).collect()])
}

/// All choices of so many agents, in lexicographic order. `None` if there are more than [`MAX_LINEUPS`].
fn choices(agents: usize, count: usize) -> Option<Vec<Seats>> {
    let mut choices = Vec::new();
    let mut chosen: Seats = (0..count).collect();
    loop {
        choices.push(chosen.clone());
        if choices.len() > MAX_LINEUPS {
            return None;
        }
        // The next choice: the last place that can still grow does.
        let room = |&place: &usize| chosen.get(place).is_some_and(|&agent| agent < agents - count + place);
        let Some(place) = (0..count).rev().find(room) else { return Some(choices) };
        let first = chosen.get(place).map_or(0, |&agent| agent + 1);
        for (slot, agent) in chosen.iter_mut().skip(place).zip(first..) {
            *slot = agent;
        }
    }
}

/// In which orders the agents of a line-up sit down from play to play, for `plays` plays: all different ones (but no more than
/// [`MAX_SEATINGS`]), so that everybody sits everywhere, beside everybody. After every round of rotations all have had every
/// seat equally often.
pub fn seatings(lineup: &[Seats], plays: u64) -> Vec<Seats> {
    let players = lineup.first().map_or(0, Vec::len);
    let enough = usize::try_from(plays).unwrap_or(usize::MAX).min(MAX_SEATINGS);
    let (mut seatings, mut known) = (Vec::new(), FxHashSet::default());
    // The first one stays where it is: rotations move it.
    let mut order: Vec<usize> = (0..players).collect();
    loop {
        for pattern in lineup {
            let mut seats: Seats = order.iter().filter_map(|&place| pattern.get(place).copied()).collect();
            for _ in 0..players {
                if known.insert(seats.clone()) {
                    seatings.push(seats.clone());
                }
                seats.rotate_left(1);
            }
        }
        if seatings.len() >= enough || !permute(order.get_mut(1..).unwrap_or_default()) {
            return seatings;
        }
    }
}

/// Makes the next permutation in lexicographic order; `false` if there is none.
fn permute(order: &mut [usize]) -> bool {
    let Some(place) = order.windows(2).rposition(|pair| matches!(pair, [a, b] if a < b)) else { return false };
    let smaller = |&other: &usize| order.get(place) < order.get(other);
    if let Some(other) = (place + 1..order.len()).rev().find(smaller) {
        order.swap(place, other);
    }
    order.get_mut(place + 1..).unwrap_or_default().reverse();
    true
}

/// A play to be played.
pub struct Task<'a> {
    /// Its number in the match.
    pub number: u64,
    /// The agent of each seat.
    pub seats: Seats,
    /// All agents.
    pub specs: &'a [Spec],
    /// Seed of all random choices.
    pub seed: u64,
    /// The play is stopped after so many plies, and counts as drawn.
    pub max_plies: u64,
}

/// A play that was played.
pub struct Played {
    /// The agent of each seat.
    pub seats: Seats,
    /// The game as a line of a record.
    pub line: PlayLine,
    /// Why it could not go on, if that is so: there is no result.
    pub broken: Option<Broken>,
    /// Per player, what it scored; all the same if the play was stopped or broken off.
    pub payoffs: Vec<f64>,
    /// Moves made, chance included.
    pub plies: u64,
    /// Per player, the time it took and its number of moves.
    pub thinking: Vec<(Duration, u64)>,
}

/// An error of the rules with the moves made before, by tags.
pub type Broken = (Error, Vec<String>);

/// What has been played so far.
struct Course<'a> {
    play: Play<'a>,
    check: Check,
    /// The moves by index, and as they are written.
    made: Vec<usize>,
    texts: Vec<String>,
    /// Whether the last move failed.
    failed: bool,
}

impl<'a> Course<'a> {
    fn new(runner: &'a Runner) -> Result<Self, Error> {
        let play = Play::new(&runner.reasoner)?;
        Ok(Self { play, check: Check::default(), made: Vec::new(), texts: Vec::new(), failed: false })
    }

    /// Makes a legal move. If that fails, all that is left is to make the moves before it again.
    fn make(&mut self, runner: &Runner, index: usize) -> Result<(), Error> {
        self.check.add(runner, &self.play, index);
        self.texts.push(runner.texts(self.play.moves()).get(index).cloned().unwrap_or_default());
        self.made.push(index);
        let made = self.play.make(index);
        self.failed = made.is_err();
        made
    }

    /// The moves by tags, the one that failed included.
    fn tags(&self, runner: &Runner) -> Result<Vec<String>, Error> {
        let (mut play, mut tags) = (Play::new(&runner.reasoner)?, Vec::new());
        for &index in &self.made {
            tags.push(runner.reasoner.move_text(play.moves(), index));
            if play.make(index).is_err() {
                break;
            }
        }
        Ok(tags)
    }
}

impl Task<'_> {
    /// Plays it.
    ///
    /// # Errors
    /// The play cannot even begin.
    pub fn run(&self, runner: &Runner) -> Result<Played, Error> {
        let reasoner = &runner.reasoner;
        let mut rng = Rng::new(self.seed);
        let mut agents: Vec<Box<dyn Agent>> = Vec::new();
        for seat in &self.seats {
            // Whether all agents can play the game was tried before.
            agents.extend(self.specs.get(*seat).and_then(|spec| spec.agent(reasoner, rng.next_u64()).ok()));
        }
        let mut thinking = vec![(Duration::ZERO, 0); agents.len()];
        let mut course = Course::new(runner)?;
        let broken = match self.play(runner, &mut course, &mut agents, &mut thinking, &mut rng) {
            Ok(()) => None,
            Err(error) => {
                // The move that failed is not part of the play.
                let before = std::mem::replace(&mut course, Course::new(runner)?);
                let whole = before.made.len() - usize::from(before.failed);
                for &index in before.made.iter().take(whole) {
                    course.make(runner, index)?;
                }
                Some((error, before.tags(runner)?))
            }
        };
        let over = broken.is_none() && course.play.turn() == Turn::End;
        let all = Payoffs::new(reasoner);
        let payoffs = if over { all.of(reasoner, course.play.state()) } else { vec![0.0; agents.len()] };
        let name = |seat: &usize| self.specs.get(*seat).map(ToString::to_string).unwrap_or_default();
        let line = PlayLine {
            play: self.number,
            seats: self.seats.iter().map(name).collect(),
            seed: self.seed,
            scores: course.play.scores().into_iter().map(str::to_owned).collect(),
            over,
            check: course.check.text(),
            moves: course.texts,
        };
        Ok(Played { seats: self.seats.clone(), plies: line.moves.len() as u64, line, payoffs, thinking, broken })
    }

    /// Plays until the game is over or too long.
    fn play(
        &self,
        runner: &Runner,
        course: &mut Course<'_>,
        agents: &mut [Box<dyn Agent>],
        thinking: &mut [(Duration, u64)],
        rng: &mut Rng,
    ) -> Result<(), Error> {
        while (course.made.len() as u64) < self.max_plies {
            let index = match course.play.turn() {
                Turn::End => break,
                Turn::Random => rng.below(course.play.moves().len() as u32) as usize,
                Turn::Player(player) => {
                    let start = Instant::now();
                    let Some(agent) = agents.get_mut(player) else { break };
                    let choice = agent.choose(&course.play.situation(player))?;
                    if let Some((time, count)) = thinking.get_mut(player) {
                        (*time, *count) = (*time + start.elapsed(), *count + 1);
                    }
                    choice.index
                }
            };
            course.make(runner, index)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody() {
        assert_eq!(lineups(3, 2).unwrap(), [[[0, 1]], [[0, 2]], [[1, 2]]]);
        assert_eq!(lineups(2, 2).unwrap(), [[[0, 1]]]);
        assert_eq!(lineups(1, 2).unwrap(), [[[0, 0]]]);
        assert_eq!(lineups(3, 1).unwrap(), [[[0]], [[1]], [[2]]]);
        assert_eq!(lineups(2, 3).unwrap(), [[[0, 1, 0], [0, 1, 1]]], "each of both plays two players in turns");
        assert_eq!(lineups(2, 4).unwrap(), [[[0, 1, 0, 1]]]);
        assert_eq!(lineups(5, 3).unwrap().len(), 10);
        assert_eq!(lineups(60, 6), None);
    }

    #[test]
    fn everybody_sits_everywhere() {
        assert_eq!(seatings(&[vec![4, 7]], 100), [[4, 7], [7, 4]]);
        assert_eq!(seatings(&[vec![4]], 9), [[4]]);
        assert_eq!(seatings(&[vec![2, 2]], 9), [[2, 2]]);
        // Rotations alone would have 1 always move before 2.
        let three = seatings(&[vec![0, 1, 2]], 100);
        assert_eq!(three, [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]]);
        assert_eq!(seatings(&[vec![0, 1, 2]], 2).len(), 3, "a round is not begun in vain");
        // Two agents at three places: what one has, the other one has, too.
        let two = seatings(&lineups(2, 3).unwrap()[0], 100);
        assert_eq!(two.len(), 6);
        let mirrored: Vec<Seats> = two.iter().map(|seats| seats.iter().map(|agent| 1 - agent).collect()).collect();
        assert!(mirrored.iter().all(|seats| two.contains(seats)), "{two:?}");
        assert_eq!(seatings(&lineups(2, 4).unwrap()[0], 100).len(), 6);
        assert_eq!(seatings(&[(0..9).collect()], u64::MAX).len(), MAX_SEATINGS);
    }
}
