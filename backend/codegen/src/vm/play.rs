//! Random plays, without looking anything up twice.

use super::Vm;
use super::code::Compiled;
use super::pool::Scratch;
use crate::sink::Sink;
use crate::{Decisions, Pause, Play, Speculation};
use rg_ir::invariant::Invariant;
use wir::FnId;

/// The functions of a decision.
#[derive(Clone, Copy)]
struct Pair<'v> {
    decide: (FnId, &'v Compiled),
    apply: (FnId, &'v Compiled),
    /// Whether `apply` makes moves speculatively.
    speculative: bool,
}

impl Pair<'_> {
    /// Constants that were once put into the frame stay there.
    fn stays(&self) -> bool {
        self.decide.1.resident && self.apply.1.resident
    }
}

impl Vm {
    /// Makes random plies; the state stays where functions work on it.
    pub(super) fn plies_with(&self, game: &Decisions, play: &mut Play<'_>, scratch: &mut Scratch) -> Pause {
        // By number of a decision, its functions, once their constants are there to stay.
        let mut ready: Vec<Option<Pair<'_>>> = vec![None; game.functions.len()];
        // Whether the state is there.
        let mut there = false;
        let mut speculative = Speculation::default();
        loop {
            let number = game.number_in(play.state);
            let pair = match ready.get(number) {
                Some(&Some(pair)) if play.tally.plies < play.tally.limit => pair,
                _ => {
                    let functions = match game.functions_of(number, play.tally) {
                        Ok(functions) => functions,
                        Err(Pause::Over) if play.next() => {
                            (there, speculative.word) = (false, None);
                            continue;
                        }
                        Err(Pause::Over) => return Pause::Over,
                        Err(_) => return speculative.pause(play.state),
                    };
                    let fast = game.speculative(number).filter(|_| play.speculative);
                    let Some(pair) = self.pair(functions, fast, play.state) else {
                        return speculative.pause(play.state);
                    };
                    if self.load(pair, scratch).is_none() {
                        return speculative.pause(play.state);
                    }
                    if !pair.stays() {
                        ready.fill(None);
                    } else if let Some(ready) = ready.get_mut(number) {
                        *ready = Some(pair);
                    }
                    pair
                }
            };
            let Some(count) = self.listed(pair, play, scratch, there) else { return speculative.pause(play.state) };
            there = !pair.decide.1.stores;
            if !speculative.is_right(game, number, play.moves.first().copied().unwrap_or(0)) {
                return speculative.pause(play.state);
            }
            let word = play
                .moves
                .get(play.rng.below(count as u32) as usize)
                .copied()
                .invariant_or(0, "the move that is drawn is listed");
            game.count(number, count, play.tally);
            speculative.word = None;
            if pair.speculative {
                speculative.begin(play.state, word);
            }
            if self.made(pair, play, scratch, there, word).is_none() {
                return Pause::Chosen(word);
            }
            there = true;
        }
    }

    /// The code of the functions of a decision.
    fn pair(&self, (decide, apply): (FnId, FnId), speculative: Option<FnId>, state: &[u64]) -> Option<Pair<'_>> {
        let (apply, speculative) = (speculative.unwrap_or(apply), speculative.is_some());
        let lists = self.function(decide, state, |compiled| compiled.lists_moves).ok()?;
        let calls = self.function(apply, state, |compiled| compiled.calls).ok()?;
        Some(Pair { decide: (decide, lists), apply: (apply, calls), speculative })
    }

    /// Puts the constants of two functions into the frame.
    fn load(&self, pair: Pair<'_>, scratch: &mut Scratch) -> Option<()> {
        scratch.of(pair.decide.0, pair.decide.1)?;
        scratch.of(pair.apply.0, pair.apply.1)?;
        Some(())
    }

    /// Lists the moves; says how many there are, if there are some.
    #[inline(always)]
    fn listed(&self, pair: Pair<'_>, play: &mut Play<'_>, scratch: &mut Scratch, there: bool) -> Option<u64> {
        let (function, compiled) = pair.decide;
        if !pair.stays() {
            scratch.of(function, compiled)?;
        }
        let (frame, own) = scratch.parts()?;
        if !there {
            self.put(frame, own, play.state)?;
        }
        let (_, count) = self.enter(compiled, frame, own, 0, Sink::List(play.moves, 0), None)?;
        (count > 0).then_some(count)
    }

    /// Makes a move.
    #[inline(always)]
    fn made(&self, pair: Pair<'_>, play: &mut Play<'_>, scratch: &mut Scratch, there: bool, word: u64) -> Option<()> {
        let (function, compiled) = pair.apply;
        if !pair.stays() {
            scratch.of(function, compiled)?;
        }
        let (frame, own) = scratch.parts()?;
        if !there {
            self.put(frame, own, play.state)?;
        }
        self.enter(compiled, frame, own, word, Sink::Tally(0), None)?;
        self.take(compiled, frame, own, play.state)
    }
}
