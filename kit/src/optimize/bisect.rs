//! Finding the guilty pass: of all runs that changed the game, the first one with which it is another game.

use super::verify::{Effort, describe};
use backend::lockstep::compare;
use backend::{Error as RunError, Reasoner};
use passes::{Error, Observer, Pipeline, Step};
use rg_ir::{Game, Notation};

/// The guilty step.
#[derive(Clone, PartialEq, Debug)]
pub struct Guilty {
    /// The name of the pass.
    pub pass: &'static str,
    /// The number of the run.
    pub number: usize,
    /// The round.
    pub round: usize,
    /// Which of the changes it is, from 1, and how many there are.
    pub change: (usize, usize),
    /// What is different after it.
    pub difference: String,
    /// The game as text before and after it.
    pub texts: [String; 2],
    /// How often games were compared.
    pub comparisons: usize,
}

/// Runs prefixes of a pipeline on copies of a game, and finds the first change after which it differs from the game, by
/// a binary search; `None` if the whole pipeline keeps the game.
///
/// A search among prefixes is right if what went wrong stays wrong; should a later pass hide the difference again, a
/// change is found nevertheless before which the game is the same and after which it is not.
///
/// # Errors
/// If a pass leaves a game with errors.
pub fn bisect(
    game: &Game,
    pipeline: &Pipeline,
    notation: &dyn Notation,
    effort: &Effort,
) -> Result<Option<Guilty>, Error> {
    let search = Search { game, pipeline, notation, effort, first: Reasoner::with_options(game, effort.options) };
    let mut whole = game.clone();
    let changes = pipeline.run(&mut whole, &mut ())?.changes;
    let mut comparisons = 1;
    let Some(mut difference) = search.differs(&whole) else { return Ok(None) };
    let (mut good, mut bad) = (0, changes);
    while good + 1 < bad {
        let middle = good + (bad - good) / 2;
        comparisons += 1;
        match search.differs(&search.prefix(middle)?.0) {
            Some(found) => (bad, difference) = (middle, found),
            None => good = middle,
        }
    }
    let (before, _) = search.prefix(good)?;
    let (after, last) = search.prefix(bad)?;
    let texts = [rg_ir::text::print(&before), rg_ir::text::print(&after)];
    Ok(last.found.map(|(pass, number, round)| Guilty {
        pass,
        number,
        round,
        change: (bad, changes),
        difference,
        texts,
        comparisons,
    }))
}

struct Search<'a> {
    game: &'a Game,
    pipeline: &'a Pipeline,
    notation: &'a dyn Notation,
    effort: &'a Effort,
    first: Result<Reasoner, RunError>,
}

impl Search<'_> {
    /// The game after this many changes, and the last of them.
    fn prefix(&self, changes: usize) -> Result<(Game, Last), Error> {
        let (mut game, mut last) = (self.game.clone(), Last::default());
        self.pipeline.clone().stop_after(changes).run(&mut game, &mut last)?;
        Ok((game, last))
    }

    fn differs(&self, game: &Game) -> Option<String> {
        let first = self.first.as_ref().ok()?;
        match Reasoner::with_options(game, self.effort.options) {
            Ok(second) => {
                let difference = compare(first, &second, &self.effort.whole);
                difference.map(|difference| describe(&difference, self.notation, first))
            }
            Err(error) => Some(format!("the game cannot be run any more: {error}")),
        }
    }
}

/// Remembers the last step that changed something: pass, number of the run, round.
#[derive(Default)]
struct Last {
    found: Option<(&'static str, usize, usize)>,
}

impl Observer for Last {
    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        if step.changed {
            self.found = Some((step.pass.name(), step.number, step.round));
        }
        Ok(())
    }
}
