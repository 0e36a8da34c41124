//! Many games between participants: who plays whom on which seat, and from which opening.

pub mod game;
pub mod opening;

use crate::participant::Participant;
use backend::Rng;
use game::Task;
use opening::Opening;
use rustc_hash::FxHashSet;

/// Line-ups of one tournament at most.
pub const MAX_LINEUPS: usize = 10_000;

/// Different orders of the agents of a line-up at most: all of them for seven players.
const MAX_SEATINGS: usize = 5_040;

/// Who plays in one game: per player the index of a participant.
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

/// All choices of `count` agents, in lexicographic order. `None` if there are more than [`MAX_LINEUPS`].
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

/// Which games a match has, in an order in which all line-ups come equally far: however early it ends, the pairs have met
/// equally often.
pub struct Schedule<'a> {
    participants: &'a [Participant],
    /// Per line-up, the orders in which its participants sit down.
    seatings: Vec<Vec<Seats>>,
    /// Games of each line-up.
    games: u64,
    seed: u64,
    max_plies: u64,
    openings: &'a [Opening],
}

impl<'a> Schedule<'a> {
    /// A round robin of `games` games for every line-up of a game for so many players. Games longer than `max_plies` are stopped.
    /// `None` if there are more than [`MAX_LINEUPS`] line-ups.
    pub fn new(participants: &'a [Participant], players: usize, games: u64, seed: u64, max_plies: u64) -> Option<Self> {
        let lineups = lineups(participants.len(), players)?;
        let seatings = lineups.iter().map(|patterns| seatings(patterns, games)).collect();
        Some(Self { participants, seatings, games, seed, max_plies, openings: &[] })
    }

    /// The same games from these openings in turns. Everybody has each opening on every seat before the next one comes.
    #[must_use]
    pub fn from_openings(self, openings: &'a [Opening]) -> Self {
        Self { openings, ..self }
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        self.games.saturating_mul(self.seatings.len() as u64)
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many different openings there can be: one for every round of seatings.
    pub fn rounds(&self) -> u64 {
        let shortest = self.seatings.iter().map(Vec::len).min().unwrap_or(1).max(1);
        self.games.div_ceil(shortest as u64)
    }

    /// The game with this number.
    pub fn task(&self, number: u64) -> Task<'a> {
        let lineups = self.seatings.len().max(1) as u64;
        let (round, lineup) = (number / lineups, number % lineups);
        let seatings = self.seatings.get(lineup as usize).map_or(&[][..], Vec::as_slice);
        let count = seatings.len().max(1) as u64;
        let seats = seatings.get((round % count) as usize).cloned().unwrap_or_default();
        let opening = self.openings.get((round / count) as usize % self.openings.len().max(1));
        // Seeds of neighbours have nothing in common: the generator mixes them.
        let seed = Rng::new(self.seed ^ Rng::new(number).next_u64()).next_u64();
        let Self { participants, max_plies, .. } = *self;
        Task { number, seats, participants, seed, max_plies, opening: opening.map_or(&[], Opening::moves) }
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
