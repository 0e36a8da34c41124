//! Playing lifted games: perft, random plays, and how much work they are.

use super::Fused;
use codegen::{Pause, Play, Run, SideExit, Tally, Tracer};
use engine::Error;
use engine::PlayoutStats;
use engine::Rng;
use engine::limits::MAX_PERFT_DEPTH;
use engine::model::{Effort, Model, MoveForm};
use engine::state::text_of;
use engine::state::{Moves, State, Turn};
use rg_ir::Symbol;
use rg_ir::cancel;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use simulate::Simulation;
use std::cell::Cell;
use wir::profile::Profile;

/// Plies of a play between two looks at whether it is still wanted.
const UNCHECKED: u64 = 1 << 16;

/// Plies beyond which a play is not made side by side with others: the last ones would have circuits to themselves.
const LONG: u64 = 1 << 13;

/// What a play needs from ply to ply.
#[derive(Default)]
struct Buffers {
    /// Where plays begin.
    start: Vec<u64>,
    state: Vec<u64>,
    moves: Vec<u64>,
    sets: Vec<Run>,
    slow: Moves,
    /// See [`Play::ends`].
    ends: Vec<u64>,
}

thread_local! {
    /// Those that no play of the thread uses at the moment.
    static BUFFERS: Cell<Option<Box<Buffers>>> = const { Cell::new(None) };
}

impl Fused {
    fn perft_at(&self, words: &[u64], depth: u32, level: u32, buffers: &mut Vec<Vec<u64>>) -> Result<u64, Error> {
        if level > MAX_PERFT_DEPTH {
            return Err(Error::too_deep(self.node(words)));
        }
        if self.chance && self.turn_of(words) == Some(Turn::Random) {
            // Its moves are merged by states that only the backtracking engine has.
            return self.slow.perft(&self.slow_of(words), depth);
        }
        if depth == 1
            && let Some(decision) = self.decision(words).filter(|decision| !decision.overlaps)
            && let Ok(count @ 1..) = self.executor.count(decision.decide, words)
        {
            return Ok(count);
        }
        let mut moves = buffers.pop().unwrap_or_default();
        let mut sum = 0u64;
        if self.list(words, &mut moves).is_ok() {
            if depth == 1 {
                sum = moves.len() as u64;
                buffers.push(moves);
                return Ok(sum);
            }
            let mut next = words.to_vec();
            for &word in &moves {
                let named = |error: Error| {
                    let mut tags = Vec::new();
                    let read = self.decision(words).map(|decision| self.read_label(decision, words, word, &mut tags));
                    error.after(if let Some(Ok(())) = read { self.text(&tags) } else { String::new() })
                };
                next.copy_from_slice(words);
                if self.make(&mut next, word).is_err() {
                    next = self.slow_word(words, word).map_err(named)?;
                }
                sum = sum.saturating_add(self.below(&next, depth - 1, level + 1, buffers).map_err(named)?);
            }
        } else {
            let mut moves = Moves::new();
            let state = self.slow_moves(words, &mut moves)?;
            if depth == 1 {
                return Ok(moves.len() as u64);
            }
            for index in 0..moves.len() {
                let named = |error: Error| {
                    error.after(text_of(&moves, index, |tag| self.game.name(Symbol::from_index(tag.0 as usize))))
                };
                let next = self.slow_make(state.clone(), &moves, index).map_err(named)?;
                sum = sum.saturating_add(self.below(&next, depth - 1, level + 1, buffers).map_err(named)?);
            }
        }
        buffers.push(moves);
        Ok(sum)
    }

    pub(super) fn below(
        &self,
        words: &[u64],
        depth: u32,
        level: u32,
        buffers: &mut Vec<Vec<u64>>,
    ) -> Result<u64, Error> {
        match depth {
            0 => Ok(1),
            _ if self.at_end(words) => Ok(0),
            _ => self.perft_at(words, depth, level, buffers),
        }
    }

    /// Draws one of the moves at a state as a word, each with the same probability, and counts them.
    fn drawn(&self, buffers: &mut Buffers, form: MoveForm, rng: &mut Rng) -> Result<(u64, u64), SideExit> {
        let Buffers { state, moves, sets, .. } = buffers;
        let decision = self.decision(state).ok_or(SideExit)?;
        if form == MoveForm::List || decision.overlaps {
            self.list(state, moves)?;
            let word = moves
                .get(rng.below(moves.len() as u32) as usize)
                .copied()
                .invariant_or(0, "the move that is drawn is listed");
            return Ok((word, moves.len() as u64));
        }
        let count = self.executor.runs(decision.decide, state, sets)?;
        if count == 0 {
            return Err(SideExit);
        }
        let mut index = rng.below(u32::try_from(count).map_err(|_| SideExit)?);
        for set in sets.iter() {
            let size = set.set.count_ones();
            if index < size {
                let element = (0..index).fold(set.set, |rest, _| rest & rest.wrapping_sub(1)).trailing_zeros();
                return Ok((set.base.wrapping_add(u64::from(element) << (set.shift & 63)), count));
            }
            index -= size;
        }
        Err(SideExit)
    }

    /// So many plays at random from a state until the end.
    pub(super) fn play(
        &self,
        start: &State,
        (form, count): (MoveForm, u16),
        rng: &mut Rng,
        stats: &mut PlayoutStats,
    ) -> Result<(), Error> {
        // Nothing in a play begins another one; if it did, that one would have buffers of its own.
        let mut buffers = BUFFERS.take().unwrap_or_default();
        let mut words = std::mem::take(&mut buffers.start);
        words.clear();
        words.extend(start.words());
        let mut tally = Tally { plies: 0, limit: self.plies, chance: 0, choices: 0, most: 0 };
        let played = self.played(&mut buffers, &words, (form, count), (rng, &mut tally), stats);
        buffers.start = words;
        BUFFERS.set(Some(buffers));
        // A play that failed does not count, and with it none that was asked for at once.
        played.inspect(|()| stats.add_choices(tally.choices, tally.most))
    }

    fn played(
        &self,
        buffers: &mut Buffers,
        start: &[u64],
        (form, count): (MoveForm, u16),
        (rng, tally): (&mut Rng, &mut Tally),
        stats: &mut PlayoutStats,
    ) -> Result<(), Error> {
        buffers.state.clear();
        buffers.state.extend_from_slice(start);
        let mut left = count;
        while left > 0 {
            if form == MoveForm::List || tally.plies.is_multiple_of(UNCHECKED) {
                cancel::check();
            }
            tally.limit = self.plies.min(tally.plies.saturating_add(UNCHECKED));
            if form == MoveForm::List {
                let Buffers { state, moves, ends, .. } = &mut *buffers;
                let mut play = Play { start, state, left, ends, moves, rng, tally, speculative: true };
                let pause = self.executor.plies(&self.decisions, &mut play);
                if play.left < left {
                    left = play.left;
                    for end in ends.chunks_exact(start.len() + 1) {
                        let (words, plies) = end.split_at(start.len());
                        self.add(
                            words,
                            plies.first().copied().invariant_or(0, "the end of a playout has its plies"),
                            stats,
                        );
                    }
                    ends.clear();
                }
                match pause {
                    Pause::Over => break,
                    Pause::Asked => {}
                    Pause::Chosen(word) => {
                        if self.make(&mut buffers.state, word).is_err() {
                            buffers.state = self.slow_word(&buffers.state, word)?;
                        }
                        continue;
                    }
                }
            }
            if self.at_end(&buffers.state) {
                self.add(&buffers.state, tally.counted(), stats);
                buffers.state.clear();
                buffers.state.extend_from_slice(start);
                left -= 1;
                tally.begin();
                continue;
            }
            if tally.plies >= self.plies {
                return Err(Error::endless(self.node(&buffers.state), self.plies));
            }
            let random = self.chance && self.turn_of(&buffers.state) == Some(Turn::Random);
            let count = match self.drawn(buffers, form, rng) {
                Ok((word, count)) => {
                    if self.make(&mut buffers.state, word).is_err() {
                        buffers.state = self.slow_word(&buffers.state, word)?;
                    }
                    count
                }
                Err(SideExit) => {
                    let state = self.slow_moves(&buffers.state, &mut buffers.slow)?;
                    let index = rng.below(buffers.slow.len() as u32) as usize;
                    buffers.state = self.slow_make(state, &buffers.slow, index)?;
                    buffers.slow.len() as u64
                }
            };
            if random { tally.add_chance() } else { tally.add(count) }
        }
        Ok(())
    }

    /// Counts a play that ended in a state.
    fn add(&self, words: &[u64], plies: u64, stats: &mut PlayoutStats) {
        stats.add_play(plies, self.goals.iter().map(|goal| goal.read(&self.lifted, words)));
    }

    /// So many plays at random from a state until the end, many side by side. Returns the generators of those that failed or are long.
    pub(super) fn simulated(
        &self,
        simulation: &Simulation,
        (start, count): (&State, u64),
        rng: &mut Rng,
        stats: &mut PlayoutStats,
    ) -> Vec<Rng> {
        let words: Vec<u64> = start.words().collect();
        let rules = (self.plies.min(LONG), &self.decisions.chance[..]);
        let failed = simulation.play((&words, count), rules, rng, &mut |played| {
            self.add(played.words, played.plies, stats);
            stats.add_choices(played.moves, played.most);
        });
        failed.into_iter().map(|failed| failed.rng).collect()
    }

    /// How often the blocks of the program run in so many plays at random from the start. Always the same.
    ///
    /// # Errors
    /// If the program is too large for that, or there is no start.
    pub(crate) fn profile(&self, plays: u32) -> Result<Profile, String> {
        let mut first = self.initial();
        self.complete(&mut first, None).map_err(|error| error.to_string())?;
        let (mut tracer, mut rng) = (Tracer::new(&self.lifted.program)?, Rng::new(0));
        let mut buffers = Buffers::default();
        for _ in 0..plays {
            buffers.state.clear();
            buffers.state.extend(first.words());
            let mut plies = 0;
            while plies < self.plies && !tracer.done() && !self.at_end(&buffers.state) {
                plies += 1;
                // What fails here fails for those who play, too, and they are told why.
                if self.traced_ply(&mut buffers, &mut tracer, &mut rng).is_err() {
                    break;
                }
            }
        }
        Ok(tracer.finish())
    }

    /// One ply, of which is counted what its functions come through.
    fn traced_ply(&self, buffers: &mut Buffers, tracer: &mut Tracer, rng: &mut Rng) -> Result<(), Error> {
        let decision = self.decision(&buffers.state);
        if let Some(decision) = decision {
            tracer.call(decision.decide, &buffers.state, 0);
        }
        let Ok((word, _)) = self.drawn(buffers, MoveForm::List, rng) else {
            let state = self.slow_moves(&buffers.state, &mut buffers.slow)?;
            let index = rng.below(buffers.slow.len() as u32) as usize;
            buffers.state = self.slow_make(state, &buffers.slow, index)?;
            return Ok(());
        };
        for function in decision.into_iter().flat_map(|decision| [Some(decision.apply), decision.speculative]).flatten()
        {
            tracer.call(function, &buffers.state, word);
        }
        if self.make(&mut buffers.state, word).is_err() {
            buffers.state = self.slow_word(&buffers.state, word)?;
        }
        Ok(())
    }

    /// Plays at random, over and over again, until so many plies are made, and counts what that takes.
    pub(super) fn measured(&self, start: &State, plies: u64, rng: &mut Rng) -> Result<Effort, Error> {
        let mut effort = Effort::default();
        let mut buffers = Buffers::default();
        while effort.plies < plies {
            buffers.state.clear();
            buffers.state.extend(start.words());
            while effort.plies < plies && !self.at_end(&buffers.state) {
                effort.plies += 1;
                let ids = self.decision(&buffers.state).map(|decision| (decision.decide, decision.apply));
                let steps = |function, argument, state: &[u64]| self.executor.instructions(function, state, argument);
                let decided = ids.and_then(|(decide, _)| steps(decide, 0, &buffers.state));
                let Ok((word, _)) = self.drawn(&mut buffers, MoveForm::List, rng) else {
                    effort.side_exits += 1;
                    let state = self.slow_moves(&buffers.state, &mut buffers.slow)?;
                    let index = rng.below(buffers.slow.len() as u32) as usize;
                    buffers.state = self.slow_make(state, &buffers.slow, index)?;
                    continue;
                };
                let made = ids.and_then(|(_, apply)| steps(apply, word, &buffers.state));
                effort.instructions += decided.unwrap_or(0) + made.unwrap_or(0);
                if self.make(&mut buffers.state, word).is_err() {
                    effort.side_exits += 1;
                    buffers.state = self.slow_word(&buffers.state, word)?;
                }
            }
            if self.at_end(&buffers.state) && effort.plies == 0 {
                break;
            }
        }
        Ok(effort)
    }
}
