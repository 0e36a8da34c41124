//! Finding the guilty pass: of all runs that changed the game, the first one with which it is another game.

use super::verify::{Effort, describe};
use backend::lockstep::{Compared, compare_counted};
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

/// What came of the search.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The whole pipeline keeps the game, as far as it was compared.
    Kept(Compared),
    /// A step makes another game of it.
    Broken(Box<Guilty>),
}

impl Verdict {
    /// The guilty step, if there is one.
    pub fn guilty(self) -> Option<Guilty> {
        match self {
            Self::Kept(_) => None,
            Self::Broken(guilty) => Some(*guilty),
        }
    }
}

/// Runs prefixes of a pipeline on copies of a game, and finds the first change after which it differs from the game, by
/// a binary search.
///
/// A search among prefixes is right if what went wrong stays wrong; should a later pass hide the difference again, a
/// change is found nevertheless before which the game is the same and after which it is not.
///
/// # Errors
/// If a pass leaves a game with errors.
pub fn bisect(game: &Game, pipeline: &Pipeline, notation: &dyn Notation, effort: &Effort) -> Result<Verdict, Error> {
    let search = Search { game, pipeline, notation, effort, first: Reasoner::with_options(game, effort.options) };
    let mut whole = game.clone();
    let changes = pipeline.run(&mut whole, &mut ())?.changes;
    let mut comparisons = 1;
    let (found, compared) = search.differs(&whole);
    let Some(mut difference) = found else { return Ok(Verdict::Kept(compared)) };
    let (mut good, mut bad) = (0, changes);
    while good + 1 < bad {
        let middle = good + (bad - good) / 2;
        comparisons += 1;
        match search.differs(&search.prefix(middle)?.0).0 {
            Some(found) => (bad, difference) = (middle, found),
            None => good = middle,
        }
    }
    let (before, _) = search.prefix(good)?;
    let (after, last) = search.prefix(bad)?;
    let texts = [rg_ir::text::print(&before), rg_ir::text::print(&after)];
    let guilty = last.found.map(|(pass, number, round)| {
        let change = (bad, changes);
        Box::new(Guilty { pass, number, round, change, difference, texts, comparisons })
    });
    Ok(guilty.map_or(Verdict::Kept(compared), Verdict::Broken))
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

    /// What is different in a game, if anything is, and how much was compared.
    fn differs(&self, game: &Game) -> (Option<String>, Compared) {
        let Ok(first) = &self.first else { return (None, Compared::default()) };
        match Reasoner::with_options(game, self.effort.options) {
            Ok(second) => {
                let (difference, compared) = compare_counted(first, &second, &self.effort.whole);
                (difference.map(|difference| describe(&difference, self.notation, first)), compared)
            }
            Err(error) => (Some(format!("the game cannot be run any more: {error}")), Compared::default()),
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
