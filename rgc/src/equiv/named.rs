//! Comparing games whose moves are called the same.

use super::{Budget, Criterion, Difference, MAX_PLIES, Position, Verdict, below, players, unmatched};
use crate::runner::Runner;
use crate::session::Failure;
use backend::{Moves, Rng, State};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Compares two games by the names of moves; `None` if the moves at the start are not called the same.
pub(super) fn compare(games: [&Runner; 2], criterion: Criterion, budget: &Budget) -> Result<Option<Verdict>, Failure> {
    let start = Position::initial(games)?;
    let mut search = Search { games, criterion, moves: [Moves::new(), Moves::new()] };
    let mut verdict = Verdict {
        equal: true,
        criterion,
        depth: 0,
        complete: false,
        positions: 0,
        plays: 0,
        undecided: 0,
        difference: players(games).map(|what| start.difference(games, what, false)),
    };
    if verdict.difference.is_none() {
        if let Err(Stop::Different(difference)) = search.pairs(&start)
            && difference.named
        {
            return Ok(None);
        }
        match search
            .systematically(&start, budget, &mut verdict)
            .and_then(|()| search.randomly(&start, budget, &mut verdict))
        {
            Ok(()) => {}
            Err(Stop::Different(difference)) => verdict.difference = Some(*difference),
            Err(Stop::Failed(failure)) => return Err(failure),
        }
    }
    verdict.equal = verdict.difference.is_none();
    Ok(Some(verdict))
}

/// Why a search ends.
enum Stop {
    Different(Box<Difference>),
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failed(failure)
    }
}

struct Search<'g> {
    games: [&'g Runner; 2],
    criterion: Criterion,
    moves: [Moves; 2],
}

impl Search<'_> {
    /// Breadth first: the first difference is one after a shortest play.
    fn systematically(&mut self, start: &Position, budget: &Budget, verdict: &mut Verdict) -> Result<(), Stop> {
        let mut seen: FxHashSet<[State; 2]> = FxHashSet::from_iter([start.states.clone()]);
        let mut queue = VecDeque::from([(0u32, start.clone())]);
        while let Some((depth, position)) = queue.pop_front() {
            if depth > budget.depth || verdict.positions >= budget.positions {
                // Everything before the positions of this depth has been looked at.
                verdict.depth = depth.saturating_sub(1).min(budget.depth);
                return Ok(());
            }
            verdict.positions += 1;
            verdict.depth = depth;
            for choice in self.pairs(&position)? {
                let next = position.after(self.games, &self.moves, choice)?;
                if seen.insert(next.states.clone()) {
                    queue.push_back((depth + 1, next));
                }
            }
        }
        verdict.complete = true;
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
        let different = |what, named| Stop::Different(Box::new(position.difference(self.games, what, named)));
        if let Some(what) = position.differs(self.games) {
            return Err(different(what, false));
        }
        position.moves(self.games, &mut self.moves)?;
        let [first, second] = [0, 1].map(|at| self.names(at));
        let left = unmatched(&first, &second);
        if left.iter().any(|left| !left.is_empty()) {
            let show = |names: &[String], left: &[usize]| {
                let shown: Vec<&str> =
                    left.iter().take(3).filter_map(|&at| names.get(at)).map(String::as_str).collect();
                let more = if left.len() > shown.len() { ", …" } else { "" };
                if shown.is_empty() { "nothing else".to_owned() } else { format!("`{}`{more}", shown.join("`, `")) }
            };
            let [a, b] = &left;
            let what = format!(
                "{} legal moves, among them {} / {} legal moves, among them {}",
                first.len(),
                show(&first, a),
                second.len(),
                show(&second, b)
            );
            return Err(different(what, first.len() == second.len()));
        }
        let places: FxHashMap<&String, usize> = second.iter().zip(0..).collect();
        if places.len() < second.len() {
            // Names that are there twice tell nothing.
            return Err(different("moves with the same name".to_owned(), true));
        }
        Ok(first.iter().zip(0..).filter_map(|(name, at)| Some([at, *places.get(name)?])).collect())
    }

    fn names(&self, at: usize) -> Vec<String> {
        let (Some(game), Some(moves)) = (self.games.get(at), self.moves.get(at)) else { return Vec::new() };
        let tags = game.tags(moves);
        match self.criterion {
            Criterion::Notation => {
                let texts = game.loaded.notation.render_moves(&tags);
                texts.iter().map(|text| text.split_whitespace().collect()).collect()
            }
            Criterion::Tags | Criterion::Shape => tags.iter().map(|tags| tags.join(" ")).collect(),
        }
    }
}
