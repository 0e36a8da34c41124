//! Alpha-beta search with iterative deepening and a table of positions (Knuth and Moore, 1975; Slate and Atkin, 1977).
//!
//! The value of a position is the first player's payoff less the second's; who maximises it is looked up at every node, so
//! moves need not alternate. Positions at the horizon are worth the mean of a few random playouts, which depend on the
//! position only: equal positions have equal values. A search that meets no horizon has solved the game.

use crate::budget::{Budget, Meter};
use crate::payoffs::Payoffs;
use crate::{Agent, Choice, Insight, Knowledge, Situation};
use backend::{Error, Moves, PlayoutStats, Reasoner, Rng, State, Turn};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Greatest depth of a search in plies: it calls itself.
pub(crate) const MAX_DEPTH: u32 = 200;
/// Positions remembered at most.
const MAX_TABLE: usize = 2_000_000;

/// Options of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Options {
    pub(crate) budget: Budget,
    /// Greatest depth in plies, if one is given.
    pub(crate) depth: Option<u32>,
    /// Playouts from each position at the horizon; with 0, the scores count as they stand.
    pub(crate) playouts: u32,
}

/// What the value in the table says about the true one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    value: f64,
    bound: Bound,
    best: u32,
    /// Whether no horizon was met below, so that the depth does not matter.
    solved: bool,
}

/// Why a search stopped.
enum Stop {
    Over,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

/// The agent.
#[derive(Clone)]
pub(crate) struct AlphaBeta {
    options: Options,
    payoffs: Payoffs,
    seed: u64,
    table: FxHashMap<State, Entry>,
    /// How often a move, by its name, was best somewhere.
    history: FxHashMap<u64, u64>,
    /// Number of horizons met so far.
    horizons: u64,
}

impl AlphaBeta {
    pub(crate) fn new(options: Options, payoffs: Payoffs, seed: u64) -> Self {
        Self { options, payoffs, seed, table: FxHashMap::default(), history: FxHashMap::default(), horizons: 0 }
    }

    /// Deepens until the budget is used up, or the position is solved.
    fn deepen(&mut self, situation: &Situation<'_>, state: &State) -> Result<Choice, Error> {
        if self.table.len() > MAX_TABLE / 2 {
            self.table.clear();
        }
        let mut meter = self.options.budget.start(situation);
        let mut choice = Choice::default();
        for depth in 1..=self.options.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) {
            let before = self.horizons;
            let mut run = Run {
                agent: self,
                reasoner: situation.reasoner,
                meter: &mut meter,
                first: depth == 1,
                own: situation.player,
            };
            match run.root(state, situation.moves, depth, choice.index) {
                Ok((index, value)) => {
                    let own = if situation.player == 0 { value } else { -value };
                    choice = Choice { index, value: Some(own), depth, ..choice };
                }
                Err(Stop::Over) => break,
                Err(Stop::Failed(error)) => return Err(error),
            }
            if self.horizons == before || meter.is_over() {
                break;
            }
        }
        Ok(Choice { playouts: meter.playouts, nodes: meter.nodes, ..choice })
    }
}

impl Agent for AlphaBeta {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Choice, Error> {
        match situation.knowledge {
            Knowledge::State(state) if situation.moves.len() > 1 => self.deepen(situation, state),
            _ => Ok(Choice::default()),
        }
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// A search to one depth.
struct Run<'a, 'm> {
    agent: &'a mut AlphaBeta,
    reasoner: &'a Reasoner,
    meter: &'a mut Meter<'m>,
    /// The first depth is searched to its end, so that there is a result, unless the search is stopped from outside.
    first: bool,
    /// The player that the search is for.
    own: usize,
}

impl Run<'_, '_> {
    /// The best move and its value; `guess` is looked at first.
    fn root(&mut self, state: &State, moves: &Moves, depth: u32, guess: usize) -> Result<(usize, f64), Stop> {
        let maximising = self.reasoner.turn(state) == Turn::Player(0);
        let (mut alpha, mut beta) = (f64::NEG_INFINITY, f64::INFINITY);
        let (mut best, mut tried) = (None, Vec::new());
        for index in self.ordered(moves, Some(guess)) {
            let before = self.meter.nodes;
            let mut next = state.clone();
            self.reasoner.apply(&mut next, moves, index)?;
            let value = self.value(&next, depth - 1, alpha, beta)?;
            if best.is_none_or(|(_, best)| if maximising { value > best } else { value < best }) {
                best = Some((index, value));
            }
            if maximising {
                alpha = alpha.max(value)
            } else {
                beta = beta.min(value)
            }
            tried.push((index, self.meter.nodes - before, if self.own == 0 { value } else { -value }));
            if self.meter.is_due() {
                let line = self.line(state, best.map(|(index, _)| index), depth)?;
                let (playouts, nodes) = (self.meter.playouts, self.meter.nodes);
                self.meter.report(&Insight { playouts, nodes, depth, moves: &tried, line: &line });
            }
        }
        best.ok_or(Stop::Over)
    }

    /// The moves that are expected after the first one: those that the table knows as the best.
    fn line(&self, state: &State, first: Option<usize>, depth: u32) -> Result<Vec<usize>, Error> {
        let (mut state, mut moves, mut line, mut next) = (state.clone(), Moves::new(), Vec::new(), first);
        while let Some(index) = next.filter(|_| line.len() < depth as usize) {
            self.reasoner.legal_moves(&state, &mut moves)?;
            self.reasoner.apply(&mut state, &moves, index)?;
            line.push(index);
            next = self.agent.table.get(&state).map(|entry| entry.best as usize);
        }
        Ok(line)
    }

    fn value(&mut self, state: &State, depth: u32, mut alpha: f64, mut beta: f64) -> Result<f64, Stop> {
        let over = if self.first { self.meter.is_stopped() } else { self.meter.is_over() };
        if over {
            return Err(Stop::Over);
        }
        self.meter.nodes += 1;
        let turn = self.reasoner.turn(state);
        if turn == Turn::End {
            return Ok(difference(&self.agent.payoffs.of(self.reasoner, state)));
        }
        let known = self.agent.table.get(state).copied();
        if let Some(entry) = known.filter(|entry| entry.solved || entry.depth >= depth) {
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if enough {
                self.agent.horizons += u64::from(!entry.solved);
                return Ok(entry.value);
            }
        }
        if depth == 0 {
            self.agent.horizons += 1;
            return self.estimate(state);
        }
        let (window, before) = ((alpha, beta), self.agent.horizons);
        let mut moves = Moves::new();
        self.reasoner.legal_moves(state, &mut moves)?;
        let maximising = turn == Turn::Player(0);
        let mut best = (0, if maximising { f64::NEG_INFINITY } else { f64::INFINITY });
        for index in self.ordered(&moves, known.map(|entry| entry.best as usize)) {
            let mut next = state.clone();
            self.reasoner.apply(&mut next, &moves, index)?;
            let value = self.value(&next, depth - 1, alpha, beta)?;
            if if maximising { value > best.1 } else { value < best.1 } {
                best = (index, value);
            }
            if maximising {
                alpha = alpha.max(value)
            } else {
                beta = beta.min(value)
            }
            if alpha >= beta {
                *self.agent.history.entry(name(&moves, index)).or_default() += u64::from(depth) * u64::from(depth);
                break;
            }
        }
        let bound = match best.1 {
            value if value <= window.0 => Bound::Upper,
            value if value >= window.1 => Bound::Lower,
            _ => Bound::Exact,
        };
        if self.agent.table.len() < MAX_TABLE || known.is_some() {
            let solved = self.agent.horizons == before;
            let entry = Entry { depth, value: best.1, bound, best: best.0 as u32, solved };
            self.agent.table.insert(state.clone(), entry);
        }
        Ok(best.1)
    }

    /// The moves in the order in which they are looked at: the guess, then those that were best more often elsewhere.
    fn ordered(&self, moves: &Moves, guess: Option<usize>) -> Vec<usize> {
        let score = |index: usize| self.agent.history.get(&name(moves, index)).copied().unwrap_or(0);
        let mut keyed: Vec<((bool, u64), usize)> =
            (0..moves.len()).map(|index| ((Some(index) == guess, score(index)), index)).collect();
        keyed.sort_by(|(a, i), (b, j)| b.cmp(a).then(i.cmp(j)));
        keyed.into_iter().map(|(_, index)| index).collect()
    }

    /// The value of a position at the horizon.
    fn estimate(&mut self, state: &State) -> Result<f64, Stop> {
        let playouts = self.agent.options.playouts;
        if playouts == 0 {
            // Each estimate counts, so that a budget of playouts ends some time.
            self.meter.playouts += 1;
            return Ok(difference(&self.agent.payoffs.of(self.reasoner, state)));
        }
        let mut hasher = FxHasher::default();
        (self.agent.seed, state).hash(&mut hasher);
        let (mut rng, mut stats, mut sum) = (Rng::new(hasher.finish()), PlayoutStats::default(), 0.0);
        for _ in 0..playouts {
            if self.meter.is_stopped() {
                return Err(Stop::Over);
            }
            self.reasoner.playout_from(state, &mut rng, &mut stats)?;
            let values: Vec<f64> = self.agent.payoffs.last(&stats).collect();
            sum += difference(&values);
        }
        self.meter.playouts += u64::from(playouts);
        Ok(sum / f64::from(playouts))
    }
}

/// The first player's payoff less the second's.
fn difference(values: &[f64]) -> f64 {
    match values {
        [first, second, ..] => first - second,
        [only] => *only,
        [] => 0.0,
    }
}

fn name(moves: &Moves, index: usize) -> u64 {
    let mut hasher = FxHasher::default();
    (moves.tags(index), moves.outcome(index)).hash(&mut hasher);
    hasher.finish()
}
