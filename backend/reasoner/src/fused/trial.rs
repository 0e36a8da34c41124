//! Which form of a game's code is the cheapest: each is run on the plies of some random games, and the costs of its instructions are
//! added up ([`FramedVm`]).
//!
//! Sets are cheap where many places are treated alike, 64 at a time; what goes its way step by step, or has only a few places, is
//! cheaper as a search. The games are always the same, and so is the choice. A trial takes at most [`MAX_PLIES`] plies, and not many
//! more than [`MAX_COST`].

use super::Fused;
use codegen::{FramedVm, SideExit};
use engine::Model;
use engine::options::Options;
use engine::state::{Moves, Turn};
use engine::{Rng, valid::ValidGame};
use lower::{Failure, Lifted};
use search::Backtracking;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most plies of a trial, and how many there are in any case.
const MAX_PLIES: u64 = 256;
const MIN_PLIES: u64 = 16;
/// The first plies, whose cost is not counted: code initialises what it keeps from one call to the next.
const FIRST_PLIES: u64 = 6;
/// What a trial may cost. All costs are in tenths of a nanosecond.
const MAX_COST: u64 = 1 << 23;
/// Up to this number of side exits of searches is never too many.
const FEW_EXITS: u64 = 4;
/// Beyond that, more than one side exit of a search in this number of plies is too many.
const MOST_EXITS: u64 = 16;
/// The number of side exits after which a trial ends.
const ENOUGH_EXITS: u64 = 64;
/// The number of moves listed by side exits after which a trial ends: listing many takes long.
const MOST_LISTED: usize = 1 << 16;
/// What a side exit costs at least, a ply by the search over packed states, and how many times as much as the same search in code.
const EXIT: u64 = 50_000;
const SLOWER: u64 = 5;
/// What it costs to look for moves with the same label: for each list, and for each move.
const OVERLAPS: u64 = 3_000;
const OVERLAPPING: u64 = 200;
/// The cost of a ply for which no other form is tried.
const CHEAP: u64 = 1_000;
/// The random numbers of the games.
const SEED: u64 = 1;

/// A game on its way to an engine.
pub(crate) struct Parts {
    pub(crate) game: ValidGame,
    pub(crate) lifted: Lifted,
    pub(crate) search: Box<dyn Backtracking>,
}

/// What the plies of a trial cost.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Trial {
    /// Plies that are counted.
    plies: u64,
    /// What code costs, for all of them.
    cost: u64,
    /// Plies that were left to the search over packed states, and those among them that code for searches had begun. They are
    /// counted from the first ply on.
    exits: u64,
    exits_of_searches: u64,
    /// Whether it ended because another form is better for certain.
    is_given_up: bool,
}

impl Trial {
    /// Whether no other form need be tried.
    pub(crate) fn is_cheap(self) -> bool {
        self.exits == 0 && self.cost <= CHEAP * self.plies
    }

    /// Whether another form is cheaper than this one. A side exit costs so many times as much as a ply by code: of the form for which that
    /// is more, since a form that leaves every ply to side exits has run no code.
    pub(crate) fn is_beaten_by(self, other: Trial) -> bool {
        let exit = EXIT.max(SLOWER * self.of_ply(0)).max(SLOWER * other.of_ply(0));
        !other.is_given_up && other.of_ply(exit) < self.of_ply(exit)
    }

    /// What another form may cost before it cannot be cheaper any more, if that is certain: all plies of a trial at the cost of this one's.
    pub(crate) fn bound(self) -> Option<u64> {
        (self.exits == 0).then(|| MAX_PLIES * self.of_ply(0))
    }

    /// Whether searches are left to side exits so often that the search over packed states is better by itself.
    fn has_many_exits(self) -> bool {
        self.exits_of_searches > FEW_EXITS && MOST_EXITS * self.exits_of_searches > self.plies
    }

    /// The trial of code that takes so many times as long as its instructions cost.
    pub(crate) fn longer(self, times: u64) -> Self {
        Self { cost: self.cost.saturating_mul(times), ..self }
    }

    /// The nanoseconds that a ply takes.
    pub(crate) fn nanoseconds(self) -> u64 {
        self.of_ply(EXIT) / 10
    }

    /// What a ply costs if a side exit costs so much.
    fn of_ply(self, exit: u64) -> u64 {
        (self.cost + exit * self.exits) / self.plies.max(1)
    }
}

/// Tries a form, until it costs so much that another one is better. If its searches leave too much to side exits, it goes on without
/// them; `None` if nothing is left then.
pub(crate) fn of(parts: Parts, options: &Options, bound: Option<u64>) -> (Parts, Option<Trial>) {
    let (mut parts, trial) = tried(parts, options, bound);
    if trial.is_none_or(|trial| !trial.has_many_exits()) {
        return (parts, trial);
    }
    for stop in &mut parts.lifted.stops {
        if stop.decision.as_ref().is_ok_and(|decision| decision.is_search) {
            stop.decision = Err(Failure::unprofitable());
        }
    }
    if parts.lifted.stops.iter().all(|stop| stop.decision.is_err()) {
        return (parts, None);
    }
    tried(parts, options, bound)
}

fn tried(parts: Parts, options: &Options, bound: Option<u64>) -> (Parts, Option<Trial>) {
    let limit = bound.map_or(u64::MAX, |bound| bound.saturating_add(MAX_COST));
    let Ok(vm) = FramedVm::with_costs(&parts.lifted.program, limit) else { return (parts, None) };
    let cost = vm.cost();
    match Fused::new(parts, Box::new(vm), options.limits.plies) {
        Ok(fused) => {
            let trial = fused.trial(&cost, bound);
            (fused.into_parts(), Some(trial))
        }
        Err(parts) => (*parts, None),
    }
}

impl Fused {
    /// Makes some plies, always the same, as long as they have not cost too much. With a bound, a form is given up as soon as what is
    /// counted costs more, whatever is still to come, or as a ply costs as much and a whole trial besides: that much the first plies do
    /// not need to initialise what they keep.
    fn trial(&self, cost: &AtomicU64, bound: Option<u64>) -> Trial {
        let most = bound.map_or(MAX_COST, |bound| bound.min(MAX_COST));
        let (mut state, mut rng, mut trial) = (self.initial(), Rng::new(SEED), Trial::default());
        if self.complete(&mut state, None).is_err() || self.turn(&state) == Some(Turn::End) {
            return trial;
        }
        let (mut moves, mut listed, mut first) = (Vec::new(), 0, FIRST_PLIES);
        let start: Vec<u64> = state.words().collect();
        let mut words = start.clone();
        while trial.plies < MAX_PLIES && (trial.plies < MIN_PLIES || trial.cost < most) {
            if self.at_end(&words) {
                words.clone_from(&start);
            }
            let is_counted = first == 0;
            first = first.saturating_sub(1);
            trial.plies += u64::from(is_counted);
            let decision = self.decision(&words);
            let is_search = decision.is_some_and(|decision| decision.is_search);
            let overlaps = decision.is_some_and(|decision| decision.overlaps);
            let before = cost.load(Ordering::Relaxed);
            let made = match self.list(&words, &mut moves) {
                Ok(()) => {
                    let drawn = rng.below(moves.len() as u32) as usize;
                    moves.get(drawn).is_some_and(|&word| self.make(&mut words, word).is_ok())
                }
                Err(SideExit) => false,
            };
            if is_counted {
                trial.cost += cost.load(Ordering::Relaxed) - before;
                trial.cost += if overlaps { OVERLAPS + OVERLAPPING * moves.len() as u64 } else { 0 };
            }
            let ply = cost.load(Ordering::Relaxed) - before;
            if bound.is_some_and(|bound| trial.cost > bound || ply > bound.saturating_add(MAX_COST)) {
                return Trial { is_given_up: true, ..trial };
            }
            if made {
                continue;
            }
            trial.exits += 1;
            trial.exits_of_searches += u64::from(is_search);
            if trial.has_many_exits() || trial.exits >= ENOUGH_EXITS || listed >= MOST_LISTED {
                return trial;
            }
            let mut all = Moves::new();
            let Ok(state) = self.slow_moves(&words, &mut all) else { break };
            listed += all.len();
            let index = rng.below(all.len() as u32) as usize;
            let Ok(next) = self.slow_make(state, &all, index) else { break };
            words = next;
        }
        trial
    }
}

#[cfg(test)]
mod tests {
    use super::Trial;

    #[test]
    fn code_that_runs_no_ply_is_not_cheap() {
        let dear = Trial { plies: 16, cost: 16_000_000, ..Trial::default() };
        let unused = Trial { exits: 2, exits_of_searches: 2, ..Trial::default() };
        assert!(!dear.is_beaten_by(unused), "side exits list as many moves as the code that is dear");
        assert!(unused.is_beaten_by(dear));
    }

    #[test]
    fn rare_exits_from_cheap_code_are_better_than_dear_code() {
        let dear = Trial { plies: 256, cost: 256 * 100_000, ..Trial::default() };
        let cheap = Trial { plies: 256, cost: 256 * 1_000, exits: 1, ..Trial::default() };
        assert!(dear.is_beaten_by(cheap));
        assert!(!cheap.is_beaten_by(dear));
    }
}
