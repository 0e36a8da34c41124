//! The keeper's moves between two decisions: every way in which he can complete them.
//!
//! What a position is must not depend on which of his moves the keeper takes (specification of RG, 8.3; of RBG, 7.5 and
//! 10). A game in which he always has exactly one move fulfils this by itself. Games from RBG may give him several, as
//! long as all completions agree: the states he can come by are explored until a player or chance decides or the game is over.
//! Where there are too many of them, as in floods of a board, whose parts commute, the completion by first moves is compared
//! with one completion through each alternative on its way.

use super::cycles::Graph;
use super::explore::{Run, Wrong};
use super::{Condition, ENDLESS};
use engine::ErrorKind;
use engine::state::State;
use rg_ir::invariant::Invariant;
use rustc_hash::FxHashMap;

/// States of the keeper in one completion at most.
const MAX_KEEPER_STATES: usize = 20_000;

/// States of the keeper up to which all completions are followed.
const MAX_EXPLORED: usize = 200;

/// Alternatives that are completed beyond that.
const MAX_SAMPLED: usize = 20;

/// The moves that lead to a position, for messages; made only if there is something to say.
pub(super) type Way<'w> = &'w dyn Fn(&Run) -> Vec<String>;

/// How the keeper goes on from a state.
enum Ahead {
    /// He does not: somebody else decides, or the game is over.
    Settled,
    /// The states after his moves, in the order of the moves, each once.
    Moves(Vec<State>),
    /// It is not known; why has been noted.
    Unknown,
}

impl Run {
    /// The state in which somebody decides after the keeper's moves, if they come to an end. That they all lead to the same
    /// one is tested, and what is wrong with them is noted.
    pub(super) fn complete_keeper(&mut self, state: State, way: Way<'_>) -> Option<State> {
        if matches!(self.survey.turn(&state), Ok(Some(_))) {
            return Some(state);
        }
        let Some(explored) = Exploration::new(self, &state, way) else { return self.sampled(state, way) };
        if let Some(lasso) = explored.graph.shortest_lasso(&explored.depths) {
            let entry = explored.states.get(lasso.entry).unwrap_or(&state);
            let node = self.survey.node_name(entry).to_owned();
            let what = match lasso.cycle.len() {
                1 => "the keeper need not stop: a move of his leads back to where he made it".to_owned(),
                moves => format!("the keeper need not stop: {moves} moves of his lead back to where he began"),
            };
            let wrong = Wrong::new(Condition::Finite, ENDLESS, node, what);
            let play = way(self);
            self.note(wrong, play, 0);
        }
        let settled: Vec<&State> = explored.settled.iter().filter_map(|&at| explored.states.get(at)).collect();
        if let [first, second, ..] = settled.as_slice() {
            self.disagree(&state, first, second, way);
        }
        explored.first_completion()
    }

    /// Two completions of the keeper's moves lead to different positions.
    fn disagree(&mut self, from: &State, first: &State, second: &State, way: Way<'_>) {
        let what = "the keeper can complete his moves to different positions";
        let node = self.survey.node_name(from).to_owned();
        let wrong = Wrong {
            difference: Some(self.survey.difference(first, second)),
            ..Wrong::new(Condition::DeterministicKeeper, ErrorKind::KeeperChoice.code(), node, what)
        };
        let play = way(self);
        self.note(wrong, play, 0);
        self.unseen = true;
    }

    /// What follows on a state of the keeper.
    fn ahead(&mut self, state: &State, way: Way<'_>) -> Ahead {
        match self.survey.turn(state) {
            Ok(Some(_)) => return Ahead::Settled,
            Ok(None) => {}
            Err(value) => {
                let what = format!("`player` is `{value}`, which is neither a player nor the system");
                let (node, code) = (self.survey.node_name(state).to_owned(), ErrorKind::Invalid.code());
                let play = way(self);
                self.note(Wrong::new(Condition::Valid, code, node, what), play, 0);
                return Ahead::Unknown;
            }
        }
        let Some(moves) = self.look(state, way) else { return Ahead::Unknown };
        let mut next: Vec<State> = Vec::with_capacity(moves.len());
        for index in 0..moves.len() {
            let after = self.survey.after(state, &moves, index);
            if !next.contains(&after) {
                next.push(after);
            }
        }
        Ahead::Moves(next)
    }

    /// The completion by first moves, compared with completions through alternatives on its way.
    fn sampled(&mut self, from: State, way: Way<'_>) -> Option<State> {
        let (settled, alternatives) = self.first_completion(from.clone(), way)?;
        self.unseen = true;
        // Spread over the whole way.
        let step = alternatives.len().div_ceil(MAX_SAMPLED).max(1);
        for alternative in alternatives.into_iter().step_by(step) {
            let Some((other, _)) = self.first_completion(alternative, way) else { break };
            if other != settled {
                self.disagree(&from, &settled, &other, way);
                break;
            }
        }
        Some(settled)
    }

    /// Where the first move leads, again and again, and the states after the other moves on the way.
    fn first_completion(&mut self, mut state: State, way: Way<'_>) -> Option<(State, Vec<State>)> {
        let mut alternatives = Vec::new();
        for _ in 0..MAX_KEEPER_STATES {
            match self.ahead(&state, way) {
                Ahead::Settled => return Some((state, alternatives)),
                Ahead::Unknown => return None,
                Ahead::Moves(next) => {
                    let mut next = next.into_iter();
                    state = next.next()?;
                    alternatives.extend(next);
                }
            }
            if self.exhausted() {
                self.unseen = true;
                return None;
            }
        }
        self.given_up += 1;
        None
    }
}

/// All states that the keeper can come by.
struct Exploration {
    /// In order of their distance.
    states: Vec<State>,
    depths: Vec<u32>,
    /// Where each one's first move leads.
    first: Vec<Option<usize>>,
    graph: Graph,
    /// The states in which somebody else decides.
    settled: Vec<usize>,
}

impl Exploration {
    /// `None` if there are too many.
    fn new(run: &mut Run, start: &State, way: Way<'_>) -> Option<Self> {
        let mut new = Self {
            states: vec![start.clone()],
            depths: vec![0],
            first: Vec::new(),
            graph: Graph::default(),
            settled: Vec::new(),
        };
        let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
        numbers.insert(start.clone(), 0);
        let mut at = 0;
        while let Some(state) = new.states.get(at).cloned() {
            let mut targets = Vec::new();
            match run.ahead(&state, way) {
                Ahead::Settled => new.settled.push(at),
                Ahead::Unknown => {}
                Ahead::Moves(next) => {
                    for state in next {
                        let number = *numbers.entry(state).or_insert_with_key(|state| {
                            new.states.push(state.clone());
                            new.depths.push(
                                new.depths.get(at).map(|depth| depth + 1).invariant_or(0, "every position has a depth"),
                            );
                            new.states.len() - 1
                        });
                        targets.push(number);
                    }
                }
            }
            new.first.push(targets.first().copied());
            new.graph.set(at, targets);
            at += 1;
            if new.states.len() > MAX_EXPLORED || run.exhausted() {
                return None;
            }
        }
        Some(new)
    }

    /// Where first moves lead; if they do not come to an end, the nearest state in which somebody else decides.
    fn first_completion(&self) -> Option<State> {
        let mut at = 0;
        for _ in 0..self.states.len() {
            match self.first.get(at).copied().flatten() {
                Some(next) => at = next,
                None => break,
            }
        }
        let at = if self.settled.contains(&at) { Some(at) } else { self.settled.first().copied() };
        at.and_then(|at| self.states.get(at)).cloned()
    }
}
