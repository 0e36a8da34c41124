//! Comparing games whose moves are called the same, or would be if they were renamed.

use super::bijection::follow;
use super::renaming::Renaming;
use super::{Budget, Criterion, Difference, MAX_PLIES, Position, Verdict, below, players, unmatched};
use crate::Result;
use crate::runner::Runner;
use crate::table::counted;
use backend::{Moves, Rng, State};
use rg_ir::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// How moves are called.
pub(super) enum Naming<'s> {
    /// In the notation of their language; white space does not count.
    Notation,
    /// By their tags.
    Tags,
    /// The first game's by words of the second.
    Renamed(Renaming<'s>),
}

/// Compares two games by the names of moves.
pub(super) fn compare(games: [&Runner; 2], criterion: Criterion, budget: &Budget) -> Result<Verdict> {
    let naming = if criterion == Criterion::Notation { Naming::Notation } else { Naming::Tags };
    Search::new(games, naming).run(&Position::initial(games)?, budget, criterion)
}

/// Why a search ends.
pub(super) enum Stop {
    Different(Box<Difference>),
    Failed(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Stop {
    fn from(failure: Box<Diagnostic>) -> Self {
        Stop::Failed(failure)
    }
}

/// An exploration in lock step.
pub(super) struct Search<'g, 's> {
    games: [&'g Runner; 2],
    naming: Naming<'s>,
    moves: [Moves; 2],
    /// Positions compared so far, those of playouts included.
    pub(super) seen: u64,
}

impl<'g, 's> Search<'g, 's> {
    pub(super) fn new(games: [&'g Runner; 2], naming: Naming<'s>) -> Self {
        Self { games, naming, moves: [Moves::new(), Moves::new()], seen: 0 }
    }

    /// Explores both games.
    pub(super) fn run(&mut self, start: &Position, budget: &Budget, criterion: Criterion) -> Result<Verdict> {
        let mut verdict = Verdict::new(criterion, None);
        if let Some(what) = players(self.games) {
            return Ok(Verdict::new(criterion, Some(start.difference(self.games, what, false))));
        }
        let searched = self.systematically(start, budget, &mut verdict);
        match searched.and_then(|()| self.randomly(start, budget, &mut verdict)) {
            Ok(()) => Ok(verdict),
            Err(Stop::Different(difference)) => Ok(verdict.unless(Some(*difference))),
            Err(Stop::Failed(failure)) => Err(failure),
        }
    }

    /// Breadth first: the first difference is one after a shortest play.
    fn systematically(&mut self, start: &Position, budget: &Budget, verdict: &mut Verdict) -> Result<(), Stop> {
        let mut seen: FxHashSet<[State; 2]> = FxHashSet::from_iter([start.states.clone()]);
        let mut queue = VecDeque::from([(0u32, start.clone())]);
        // The depth to which there is room in the budget for all positions.
        let mut whole = None;
        while let Some((depth, position)) = queue.pop_front() {
            verdict.positions += 1;
            verdict.depth = depth;
            for choice in self.pairs(&position)? {
                if depth >= budget.depth || verdict.positions + queue.len() as u64 >= budget.positions {
                    whole = whole.or(Some(depth));
                    break;
                }
                let next = position.after(self.games, &self.moves, choice)?;
                if seen.insert(next.states.clone()) {
                    queue.push_back((depth + 1, next));
                }
            }
        }
        verdict.depth = whole.unwrap_or(verdict.depth);
        verdict.complete = whole.is_none();
        Ok(())
    }

    fn randomly(&mut self, start: &Position, budget: &Budget, verdict: &mut Verdict) -> Result<(), Stop> {
        let mut rng = Rng::new(budget.seed);
        while verdict.plays < budget.plays && !verdict.complete {
            let mut position = start.clone();
            for _ in 0..MAX_PLIES {
                let pairs = self.pairs(&position)?;
                let Some(&choice) = pairs.get(below(&mut rng, pairs.len())) else { break };
                position = position.after(self.games, &self.moves, choice)?;
            }
            verdict.plays += 1;
        }
        Ok(())
    }

    /// The moves of both games that are called the same; all of them, or it is a difference.
    fn pairs(&mut self, position: &Position) -> Result<Vec<[usize; 2]>, Stop> {
        let games = self.games;
        let different = |what, named| Stop::Different(Box::new(position.difference(games, what, named)));
        if let Some(what) = position.differs(games) {
            return Err(different(what, false));
        }
        position.moves(games, &mut self.moves)?;
        let names = self.names(position)?;
        self.seen += 1;
        let [first, second] = &names;
        let left = unmatched(first, second);
        if left.iter().any(|left| !left.is_empty()) {
            let [a, b] = [0, 1].map(|at| self.sum_up(at, left.get(at).map_or(&[], Vec::as_slice)));
            return Err(different(format!("{a}; {b}"), first.len() == second.len()));
        }
        let places: FxHashMap<&String, usize> = second.iter().zip(0..).collect();
        if places.len() < second.len() {
            // Names that are there twice tell nothing.
            return Err(different("moves with the same name / moves with the same name".to_owned(), true));
        }
        Ok(first.iter().zip(0..).filter_map(|(name, at)| Some([at, *places.get(name)?])).collect())
    }

    /// The number of moves, and some of those without a partner.
    fn sum_up(&self, at: usize, left: &[usize]) -> String {
        let (Some(game), Some(moves)) = (self.games.get(at), self.moves.get(at)) else { return String::new() };
        let texts = game.short_texts(moves);
        let shown: Vec<&str> = left.iter().take(3).filter_map(|&at| texts.get(at)).map(String::as_str).collect();
        let more = if left.len() > shown.len() { ", …" } else { "" };
        let [own, other] = if at == 0 { ["first", "second"] } else { ["second", "first"] };
        let count = counted(moves.len() as u64, "legal move");
        match left.len() {
            0 => format!("{own} game: {count}, all of them in the {other} game, too"),
            missing => format!(
                "{own} game: {count}, {missing} of which the {other} game lacks: `{}`{more}",
                shown.join("`, `")
            ),
        }
    }

    fn names(&mut self, position: &Position) -> Result<[Vec<String>; 2], Stop> {
        let (games, moves) = (self.games, &self.moves);
        let [a, b] = games;
        let [first, second] = moves;
        let tags = [a.tags(first), b.tags(second)];
        let renaming = match &mut self.naming {
            Naming::Notation => {
                let texts = |game: &Runner, tags: &[Vec<&str>]| -> Vec<String> {
                    let texts = game.loaded.notation.render_moves(tags);
                    texts.iter().map(|text| text.split_whitespace().collect()).collect()
                };
                let [first, second] = &tags;
                return Ok([texts(a, first), texts(b, second)]);
            }
            Naming::Tags => return Ok(tags.map(|tags| tags.iter().map(|tags| tags.join(" ")).collect())),
            Naming::Renamed(renaming) => renaming,
        };
        let [of_first, of_second] = &tags;
        let (rows, others) = (renaming.rows(0, of_first), renaming.rows(1, of_second));
        let [from, to] = &position.states;
        let [play, other] = &position.play;
        if let ([_], [_]) = (rows.as_slice(), others.as_slice()) {
            // There is no choice: a pass may be called anything.
            return Ok([vec![String::new()], vec![String::new()]]);
        }
        // Without partners for all words the names come out different.
        renaming.extend([&rows, &others], || {
            Ok::<_, Stop>([follow(a, from, first, play)?, follow(b, to, second, other)?])
        })?;
        let renamed = rows.iter().map(|row| renaming.renamed(row).join(" ")).collect();
        Ok([renamed, others.iter().map(|row| row.join(" ")).collect()])
    }
}
