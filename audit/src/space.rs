//! Positions in order of their distance from the start: how many there are, and who can win.

use backend::{Error, Moves, State, Turn};
use kit::runner::Runner;
use passes::analysis::{Ranges, move_local};
use rg_ir::Game;
use rg_ir::ids::Id;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Bytes of positions that are kept.
const MAX_MEMORY: usize = 1 << 29;

/// Errors of the rules after which no more positions are looked at.
const MAX_FAILURES: u32 = 20;

/// What exploration tells of the positions.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Space {
    /// Different positions found.
    pub(crate) found: u64,
    /// Whether these are all.
    pub(crate) complete: bool,
    /// Positions that are so many moves from the start, as far as all were found.
    pub(crate) by_depth: Vec<u64>,
    /// There are at most so many positions, as a decimal logarithm: the product of what all variables can hold.
    pub(crate) bound_log10: f64,
}

/// All that was found, for those who look further.
pub(crate) struct Explored<'r> {
    pub(crate) runner: &'r Runner,
    positions: Vec<Position>,
    ids: FxHashMap<State, usize>,
    complete: bool,
    /// Errors of the rules, one of a kind, each with a play.
    failures: Vec<Error>,
    /// Number of errors.
    failed: u32,
    /// Number of positions looked at.
    looked: usize,
    /// Depth of the first position that was left out.
    left_out: Option<u32>,
    memory: usize,
}

struct Position {
    state: State,
    /// Where it was reached from, and by the move with which number.
    parent: Option<(usize, usize)>,
    depth: u32,
}

impl<'r> Explored<'r> {
    /// Looks at up to `limit` positions. What ends in an error of the rules is left out. Linear in their moves.
    pub(crate) fn new(runner: &'r Runner, limit: u64, mut progress: impl FnMut(usize)) -> Self {
        let (positions, ids) = (Vec::new(), FxHashMap::default());
        let failures = Vec::new();
        let mut new =
            Self { runner, positions, ids, complete: true, failures, failed: 0, looked: 0, left_out: None, memory: 0 };
        match runner.reasoner.initial() {
            Ok(state) => new.add(state, None, 0, limit),
            Err(error) => new.fail(error, Vec::new),
        }
        let mut moves = Moves::new();
        while let Some(position) = new.positions.get(new.looked) {
            let (state, depth, at) = (position.state.clone(), position.depth, new.looked);
            // Errors at limits take their time.
            if new.failed >= MAX_FAILURES {
                break;
            }
            if at % 1024 == 0 {
                progress(at);
            }
            new.looked += 1;
            if let Err(error) = runner.reasoner.legal_moves(&state, &mut moves) {
                let play = new.play(at);
                new.fail(error, || play);
                continue;
            }
            for index in 0..moves.len() {
                let mut next = state.clone();
                match runner.reasoner.apply(&mut next, &moves, index) {
                    Ok(()) => new.add(next, Some((at, index)), depth + 1, limit),
                    Err(error) => {
                        let play = new.play(at).into_iter().chain([runner.reasoner.move_text(&moves, index)]);
                        let play = play.collect();
                        new.fail(error, || play);
                    }
                }
            }
        }
        new.complete &= new.left_out.is_none();
        new
    }

    /// Notes an error after a play.
    fn fail(&mut self, error: Error, play: impl FnOnce() -> Vec<String>) {
        self.complete = false;
        self.failed += 1;
        if self.failures.iter().all(|known| known.kind != error.kind) {
            self.failures.push(Error { play: play(), ..error });
        }
    }

    /// Errors of the rules that were met, one of a kind, each with a play; the nearest to the start first.
    pub(crate) fn failures(&self) -> &[Error] {
        &self.failures
    }

    fn add(&mut self, state: State, parent: Option<(usize, usize)>, depth: u32, limit: u64) {
        if self.ids.contains_key(&state) {
            return;
        }
        if self.positions.len() as u64 >= limit || self.memory >= MAX_MEMORY {
            self.left_out.get_or_insert(depth);
            return;
        }
        self.memory += 2 * state.as_bytes().len() + 128;
        self.ids.insert(state.clone(), self.positions.len());
        self.positions.push(Position { state, parent, depth });
    }

    /// How many positions there are.
    pub(crate) fn space(&self) -> Space {
        let mut by_depth: Vec<u64> = Vec::new();
        for position in &self.positions {
            let depth = position.depth as usize;
            if by_depth.len() <= depth {
                by_depth.resize(depth + 1, 0);
            }
            if let Some(count) = by_depth.get_mut(depth) {
                *count += 1;
            }
        }
        // Where positions were left out, the numbers are too small.
        by_depth.truncate(self.left_out.map_or(usize::MAX, |depth| depth as usize));
        Space {
            found: self.positions.len() as u64,
            complete: self.complete,
            by_depth,
            bound_log10: bound(&self.runner.loaded.game),
        }
    }

    /// Whether all positions were found.
    pub(crate) fn complete(&self) -> bool {
        self.complete
    }

    /// Numbers and states of the positions at the ends of plays, the nearest first.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (usize, &State)> {
        let states = self.positions.iter().enumerate().map(|(at, position)| (at, &position.state));
        states.filter(|(_, state)| self.runner.reasoner.is_terminal(state))
    }

    /// The state of a position.
    pub(crate) fn state(&self, at: usize) -> Option<&State> {
        self.positions.get(at).map(|position| &position.state)
    }

    /// Who is to move in a position.
    pub(crate) fn turn(&self, at: usize) -> Turn {
        self.state(at).map_or(Turn::End, |state| self.runner.reasoner.turn(state))
    }

    /// The moves of a position as tags, with the positions they lead to.
    pub(crate) fn moves(&self, at: usize) -> Vec<(String, usize)> {
        let Some(state) = self.state(at) else { return Vec::new() };
        let mut moves = Moves::new();
        if self.runner.reasoner.legal_moves(state, &mut moves).is_err() {
            return Vec::new();
        }
        let to = |index: usize| {
            let mut next = state.clone();
            self.runner.reasoner.apply(&mut next, &moves, index).ok()?;
            Some((self.runner.reasoner.move_text(&moves, index), *self.ids.get(&next)?))
        };
        (0..moves.len()).filter_map(to).collect()
    }

    /// The moves from the start to a position, as tags; as few as possible.
    pub(crate) fn play(&self, mut at: usize) -> Vec<String> {
        let mut play = Vec::new();
        let mut moves = Moves::new();
        while let Some((parent, index)) = self.positions.get(at).and_then(|position| position.parent) {
            let state = self.state(parent);
            if state.is_none_or(|state| self.runner.reasoner.legal_moves(state, &mut moves).is_err()) {
                break;
            }
            play.push(self.runner.reasoner.move_text(&moves, index));
            at = parent;
        }
        play.reverse();
        play
    }
}

/// The decimal logarithm of the number of ways to fill all variables that keep something from one move to the next, each
/// with values that an analysis of the rules leaves it, times the number of nodes at which moves begin.
fn bound(game: &Game) -> f64 {
    let (ranges, local) = (Ranges::solve(game), move_local(game));
    let mut sum = 0.0;
    for (var, decl) in game.vars.iter().filter(|(var, _)| !local.contains(var.index())) {
        let Some(shape) = game.shape(decl.ty) else { continue };
        let places: f64 = shape.keys.iter().map(|&key| game.types.members(key).len() as f64).product();
        let members = game.types.members(shape.leaf).len();
        let values = ranges.var(var).map_or(members, |range| range.iter().count().clamp(1, members.max(1)));
        sum += places * (values.max(1) as f64).log10();
    }
    let starts = game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)).map(|(_, edge)| edge.target);
    let mut starts: Vec<_> = starts.chain([game.begin()]).map(Id::index).collect();
    starts.sort_unstable();
    starts.dedup();
    sum + (starts.len() as f64).log10()
}
