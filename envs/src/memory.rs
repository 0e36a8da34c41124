//! How much memory batches take, and how much there is.

use crate::batch::{LISTED, Plan, SLOT};
use crate::env::Labels;
use crate::game::Game;
use crate::listing::Listing;
use std::fs::read_to_string;

/// How much more room lists take than the first ones: later positions have more moves, and lists grow by doubling.
const GROWS: usize = 2;

impl Plan {
    /// About how many bytes the games of a batch take, its arrays left out: an estimate from the first position and its moves.
    pub fn bytes(&self, game: &Game) -> u64 {
        let Ok(state) = game.reasoner().initial() else { return 0 };
        let mut listing = Listing::default();
        let listed = listing.list(game, &state, &mut Labels::default()).map_or(0, |()| listing.bytes());
        let row = SLOT + state.as_bytes().len() + LISTED.max(GROWS * listed);
        (self.size as u64).saturating_mul(row as u64)
    }
}

/// Bytes that this process may still take before the system has to end something, swap included: on Linux, what is available, or what is left to the control group if that is less.
/// `None` where the system does not say.
pub fn available_memory() -> Option<u64> {
    let free = free(&read_to_string("/proc/meminfo").ok()?)?;
    let of_group = |name: &str| read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let left = of_group("max").zip(of_group("current")).zip(of_group("stat"));
    let left = left.and_then(|((most, current), stat)| left_of(&most, &current, &stat));
    Some(left.map_or(free, |left| left.min(free)))
}

/// Of a text in the form of `/proc/meminfo`.
fn free(text: &str) -> Option<u64> {
    let kibibytes = |name: &str| number_behind(text, name);
    Some((kibibytes("MemAvailable:")? + kibibytes("SwapFree:").unwrap_or(0)) << 10)
}

/// What a control group may take besides what it takes; files that are cached are given back when something else needs the room.
fn left_of(most: &str, current: &str, stat: &str) -> Option<u64> {
    let (most, current): (u64, u64) = (most.trim().parse().ok()?, current.trim().parse().ok()?);
    let cached = number_behind(stat, "file").unwrap_or(0);
    Some(most.saturating_sub(current.saturating_sub(cached)))
}

/// The number behind the first word of a line.
fn number_behind(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.next()?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::Actions;

    #[test]
    fn games_with_many_moves_take_more_room() {
        let bytes = |name| {
            let game = Game::load(name, None, Actions::Auto).ok()?;
            Some((Plan::of(1).bytes(&game), Plan::of(1000).bytes(&game)))
        };
        let (few, many) = (bytes("ticTacToe.hrg"), bytes("amazons.rbg"));
        assert!(few.is_some_and(|(one, all)| (4_000..10_000).contains(&one) && all == 1000 * one), "{few:?}");
        // There are 2,176 moves at the beginning.
        assert!(many.is_some_and(|(one, _)| (100_000..1_000_000).contains(&one)), "{many:?}");
    }

    #[test]
    fn texts_of_the_system_are_read() {
        let text = "MemTotal:  8000 kB\nMemFree:  10 kB\nMemAvailable:  300 kB\nSwapFree:  20 kB\n";
        assert_eq!(free(text), Some(320 << 10));
        assert_eq!(free("MemAvailable:  300 kB"), Some(300 << 10));
        assert_eq!((free(""), free("MemAvailable:"), free("MemAvailable: many kB")), (None, None, None));
        let stat = "anon 70\nfile 30\nfile_mapped 5\n";
        assert_eq!(left_of("1000\n", "100\n", stat), Some(930));
        assert_eq!(left_of("90\n", "100\n", ""), Some(0));
        assert_eq!((left_of("max\n", "100\n", stat), left_of("", "", "")), (None, None));
    }
}
