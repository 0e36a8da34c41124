//! Where generators take their choices from: a seed, or a list that `proptest` makes, and makes smaller when something is
//! wrong.

use backend::Rng;
use proptest::prelude::*;

/// Most numbers in a list of choices; games need some hundreds.
const MAX_CHOICES: usize = 800;

/// A source of choices.
#[derive(Clone, Debug)]
pub(crate) enum Choices {
    /// Any number of them, determined by a seed.
    Seed(Rng),
    /// Those of a list, and then always the first that there is.
    List(std::vec::IntoIter<u32>),
}

impl Choices {
    /// The choices of a seed.
    pub(crate) fn seed(seed: u64) -> Self {
        Self::Seed(Rng::new(seed))
    }

    /// A number in `0..bound`; 0 if `bound` is 0. Smaller numbers of a list give smaller choices.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap_or(u32::MAX);
        let choice = match self {
            Self::Seed(rng) => rng.below(bound),
            Self::List(list) => ((u64::from(list.next().unwrap_or(0)) * u64::from(bound)) >> 32) as u32,
        };
        choice as usize
    }
}

/// Lists of choices. A smaller list, or one with smaller numbers, tends to give a smaller game.
fn lists() -> impl Strategy<Value = Choices> + use<> {
    proptest::collection::vec(any::<u32>(), 0..MAX_CHOICES).prop_map(|list| Choices::List(list.into_iter()))
}

/// Games as [`crate::game()`] makes them, proper and improper, as texts without errors.
pub fn games() -> impl Strategy<Value = String> + use<> {
    lists().prop_map(crate::games::from).prop_filter("a game without errors", |text| crate::is_valid(text))
}

/// Such games, made larger as [`crate::inflate()`] does, in up to `steps` steps.
pub fn inflated_games(steps: usize) -> impl Strategy<Value = String> + use<> {
    (games(), lists(), 0..=steps).prop_map(|(text, choices, steps)| crate::inflate::by(&text, choices, steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
    use std::cell::Cell;

    fn runner() -> TestRunner {
        let config = Config { cases: 200, failure_persistence: None, max_shrink_iters: 5_000, ..Config::default() };
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }

    /// What is wrong with a large game is found in a small one.
    #[test]
    fn games_get_smaller() {
        let edges = |text: &str| crate::parse(text).map_or(0, |game| game.automaton.edge_count());
        let largest = Cell::new(0);
        let found = runner().run(&inflated_games(8), |text| {
            largest.set(largest.get().max(edges(&text)));
            prop_assert!(!text.contains("$$ v") || edges(&text) < 12);
            Ok(())
        });
        let Err(TestError::Fail(_, text)) = found else { unreachable!("{found:?}") };
        assert!(
            text.contains("$$ v") && (12..=20).contains(&edges(&text)),
            "{} edges, smallest:\n{text}",
            largest.get()
        );
    }

    /// There are games to play among them, and games without end.
    #[test]
    fn games_are_of_all_kinds() {
        let (proper, games) = (Cell::new(0), Cell::new(0));
        let limits = backend::Limits { steps: 20_000, keeper_moves: 12, tags: 8, ..Default::default() };
        let options = backend::Options { checked: true, limits, ..Default::default() };
        let found = runner().run(&inflated_games(8), |text| {
            games.set(games.get() + 1);
            let game = crate::parse(&text).unwrap();
            let reasoner = backend::Reasoner::with_options(&game, options);
            let playable = reasoner.is_ok_and(|reasoner| reasoner.initial().is_ok());
            proper.set(proper.get() + u32::from(playable));
            Ok(())
        });
        assert_eq!(found, Ok(()));
        assert!((60..games.get()).contains(&proper.get()), "{} of {}", proper.get(), games.get());
    }
}
