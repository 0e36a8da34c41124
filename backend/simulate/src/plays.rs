//! Random plays in lockstep, decision by decision.

use crate::circuit::{Circuit, WORD};
use crate::evaluate::evaluate;
use crate::{LANES, Row};
use engine::Rng;
use rg_ir::cancel;
use std::collections::VecDeque;

/// All that plays of a game need.
#[derive(Debug)]
pub struct Simulation {
    /// Words of a state.
    pub words: usize,
    /// Where a state has the number of its decision, 0 at the end of the game: the word, its lowest bit there, and a mask.
    pub number: (usize, u32, u64),
    /// By number.
    pub decisions: Vec<Option<Decision>>,
}

/// A decision: what is legal, and what follows.
#[derive(Debug)]
pub struct Decision {
    /// Which moves are legal: a bit for each.
    pub legal: Circuit,
    /// For each variable that moves choose, by move, what they choose.
    pub values: Vec<Vec<u32>>,
    /// The state after a move.
    pub after: After,
}

/// What follows a move.
#[derive(Debug)]
pub enum After {
    /// The keeper moves.
    Keeper {
        /// The words of the next state, then one that is 1 if there is one.
        next: Circuit,
        /// What only matters at the end.
        scores: Option<Scores>,
    },
    /// Somebody else decides at once.
    HandOver(HandOver),
}

/// What is evaluated at the end of a game only, and stays as it is before.
#[derive(Debug)]
pub struct Scores {
    /// The words of the state with these bits.
    pub circuit: Circuit,
    /// By word of a state, these bits.
    pub masks: Vec<u64>,
}

/// A state that is the one before it, but for what a move has chosen.
#[derive(Debug)]
pub struct HandOver {
    /// By word, the bits that stay, and those that are set.
    pub words: Vec<(u64, u64)>,
    /// What is chosen: the word and the lowest bit of its place, and the number of the variable.
    pub chosen: Vec<(usize, u32, usize)>,
}

/// A play that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The last state.
    pub words: &'a [u64],
    /// Moves of players.
    pub plies: u64,
    /// Sum and maximum of how many moves players had.
    pub moves: u64,
    /// See above.
    pub most: u64,
}

/// A play that went wrong: nobody can move, it has no next state, or it is too long.
#[derive(Debug)]
pub struct Failed {
    /// The generator that the play began with.
    pub rng: Rng,
}

impl Simulation {
    /// Plays a game so many times, each with a generator of its own, whose seed is the next number of `rng`. `limit` is the number of moves
    /// that a play may have, those of chance included; `chance` says at which decisions these are made. `each` gets every play that ends.
    /// Returns the plays that failed, in order. Memory is O([`LANES`] · decisions · words), and that of the circuits.
    pub fn play(
        &self,
        (start, count): (&[u64], u64),
        (limit, chance): (u64, &[bool]),
        rng: &mut Rng,
        each: &mut dyn FnMut(Played<'_>),
    ) -> Vec<Failed> {
        let mut run = Run {
            simulation: self,
            start,
            limit,
            chance,
            rng,
            begun: 0,
            count,
            states: Vec::new(),
            plays: Vec::new(),
            queues: vec![VecDeque::new(); self.decisions.len().max(1)],
            ends: self.decisions.iter().map(|_| Ends::default()).collect(),
            failed: Vec::new(),
            each,
        };
        let mut memories: Vec<Option<Memory>> = self.decisions.iter().map(|_| None).collect();
        // So many that the longest queue is full most of the time.
        let most = LANES * (1 + self.decisions.iter().flatten().count().min(MOST_QUEUES));
        for slot in 0..count.min(most as u64) as usize {
            run.begin(slot);
        }
        let (mut lanes, mut buffers) = (Vec::new(), Buffers::default());
        while let Some(number) = run.longest() {
            cancel::check();
            lanes.clear();
            if let Some(queue) = run.queues.get_mut(number) {
                lanes.extend(queue.drain(..queue.len().min(LANES)));
            }
            let (Some(decision), Some(memory)) = (self.decision(number), memories.get_mut(number)) else {
                lanes.iter().for_each(|&slot| run.fail(slot));
                continue;
            };
            let memory = memory.get_or_insert_with(|| Memory::of(decision));
            run.serve((number, decision), memory, &lanes, &mut buffers);
        }
        for (number, memory) in memories.iter_mut().enumerate() {
            if let (Some(decision), Some(memory)) = (self.decision(number), memory) {
                run.score((number, decision), memory);
            }
        }
        run.failed.sort_unstable_by_key(|(number, _)| *number);
        run.failed.into_iter().map(|(_, failed)| failed).collect()
    }

    fn number_of(&self, state: &[u64]) -> usize {
        let (word, shift, mask) = self.number;
        state.get(word).map_or(0, |word| (word >> shift & mask) as usize)
    }

    fn decision(&self, number: usize) -> Option<&Decision> {
        self.decisions.get(number).and_then(Option::as_ref)
    }

    /// What a ply costs in picoseconds if many plays go on side by side, and all decisions are made equally often.
    pub fn cost(&self) -> u64 {
        let all = self.decisions.iter().flatten().map(Decision::cost);
        all.sum::<u64>() / self.decisions.iter().flatten().count().max(1) as u64
    }
}

/// Decisions for which there are plays enough to serve [`LANES`] at a time.
const MOST_QUEUES: usize = 6;
/// What a ply costs without its circuits: drawing a move, and waiting.
const PLY: u64 = 20_000;

impl Decision {
    /// How many gates its circuits have.
    pub fn gates(&self) -> usize {
        let after = match &self.after {
            After::Keeper { next, scores } => next.gates() + scores.as_ref().map_or(0, |scores| scores.circuit.gates()),
            After::HandOver(_) => 0,
        };
        self.legal.gates() + after
    }

    fn cost(&self) -> u64 {
        let next = match &self.after {
            After::Keeper { next, .. } => next.cost(),
            After::HandOver(_) => 0,
        };
        PLY + self.legal.cost() + WORD * self.legal.words() as u64 + next
    }
}

/// A play that goes on.
#[derive(Clone, Debug)]
struct Play {
    /// Its number.
    number: u64,
    /// Its generator, at the beginning and now.
    first: Rng,
    rng: Rng,
    /// All moves, and those of chance.
    made: u64,
    by_chance: u64,
    moves: u64,
    most: u64,
}

/// Plays whose scores are not known yet.
#[derive(Default)]
struct Ends {
    before: Vec<u64>,
    after: Vec<u64>,
    choices: Vec<usize>,
    plays: Vec<Play>,
}

/// Values of the gates of a decision's circuits.
struct Memory {
    legal: Vec<Row>,
    next: Vec<Row>,
    scores: Vec<Row>,
}

impl Memory {
    fn of(decision: &Decision) -> Self {
        let (next, scores) = match &decision.after {
            After::Keeper { next, scores } => {
                (next.memory(), scores.as_ref().map_or(Vec::new(), |scores| scores.circuit.memory()))
            }
            After::HandOver(_) => (Vec::new(), Vec::new()),
        };
        Self { legal: decision.legal.memory(), next, scores }
    }
}

/// What is used again from ply to ply.
#[derive(Default)]
struct Buffers {
    firsts: Vec<usize>,
    legal: Vec<u64>,
    /// By lane, the move that is drawn.
    choices: Vec<Option<usize>>,
    next: Vec<u64>,
}

/// Plays under way. A *slot* is the place of one.
struct Run<'a> {
    simulation: &'a Simulation,
    start: &'a [u64],
    limit: u64,
    chance: &'a [bool],
    rng: &'a mut Rng,
    /// Plays that have begun, and how many shall.
    begun: u64,
    count: u64,
    /// The states of plays, one after the other.
    states: Vec<u64>,
    plays: Vec<Play>,
    /// By decision, the plays that wait for it: first come, first served.
    queues: Vec<VecDeque<usize>>,
    /// By decision.
    ends: Vec<Ends>,
    failed: Vec<(u64, Failed)>,
    each: &'a mut dyn FnMut(Played<'_>),
}

impl Run<'_> {
    fn longest(&self) -> Option<usize> {
        let (number, queue) = self.queues.iter().enumerate().max_by_key(|(_, queue)| queue.len())?;
        (!queue.is_empty()).then_some(number)
    }

    /// Begins a play in the place of one that is over or behind all others, if there is one more.
    fn begin(&mut self, slot: usize) {
        if self.begun == self.count {
            return;
        }
        let first = Rng::new(self.rng.next_u64());
        let play = Play { number: self.begun, rng: first.clone(), first, made: 0, by_chance: 0, moves: 0, most: 0 };
        self.begun += 1;
        match self.plays.get_mut(slot) {
            Some(old) => {
                *old = play;
                let start = self.start;
                self.states_of(slot).copy_from_slice(start);
            }
            None => {
                self.plays.push(play);
                self.states.extend_from_slice(self.start);
            }
        }
        self.wait(slot, self.simulation.number_of(self.start));
    }

    fn wait(&mut self, slot: usize, number: usize) {
        if let Some(queue) = self.queues.get_mut(number) {
            queue.push_back(slot);
        }
    }

    /// Gives a play up.
    fn fail(&mut self, slot: usize) {
        if let Some(play) = self.plays.get(slot) {
            self.failed.push((play.number, Failed { rng: play.first.clone() }));
        }
        self.begin(slot);
    }

    /// One ply of some plays that wait for a decision.
    fn serve(
        &mut self,
        (number, decision): (usize, &Decision),
        memory: &mut Memory,
        lanes: &[usize],
        buffers: &mut Buffers,
    ) {
        let Buffers { firsts, legal, choices, next } = buffers;
        firsts.clear();
        firsts.extend(lanes.iter().map(|slot| slot * self.simulation.words));
        evaluate(&decision.legal, &mut memory.legal, (&self.states, firsts), legal);
        self.draw(number, (legal, decision.legal.words()), lanes, choices);
        match &decision.after {
            After::Keeper { next: circuit, scores } => {
                decision.choose(circuit, &mut memory.next, choices, true);
                evaluate(circuit, &mut memory.next, (&self.states, firsts), next);
                decision.choose(circuit, &mut memory.next, choices, false);
                let rows = next.chunks_exact(circuit.words());
                for ((&slot, choice), row) in lanes.iter().zip(&*choices).zip(rows) {
                    match (choice, row) {
                        (&Some(choice), [row @ .., 1]) => self.go_on(slot, (number, choice), row, scores.as_ref()),
                        _ => self.fail(slot),
                    }
                }
                if self.ends.get(number).is_some_and(|ends| ends.plays.len() >= LANES) {
                    self.score((number, decision), memory);
                }
            }
            After::HandOver(hand_over) => {
                for (&slot, choice) in lanes.iter().zip(&*choices) {
                    let Some(choice) = *choice else {
                        self.fail(slot);
                        continue;
                    };
                    let state = self.states_of(slot);
                    for (word, (kept, set)) in state.iter_mut().zip(&hand_over.words) {
                        *word = *word & kept | set;
                    }
                    for &(word, shift, variable) in &hand_over.chosen {
                        if let Some(word) = state.get_mut(word) {
                            *word |= u64::from(decision.value(variable, choice)) << shift;
                        }
                    }
                    self.moved(slot);
                }
            }
        }
    }

    fn states_of(&mut self, slot: usize) -> &mut [u64] {
        let words = self.simulation.words;
        self.states.get_mut(slot * words..(slot + 1) * words).unwrap_or_default()
    }

    /// Draws a legal move in each play, each with the same probability, and counts it.
    fn draw(
        &mut self,
        number: usize,
        (legal, words): (&[u64], usize),
        lanes: &[usize],
        choices: &mut Vec<Option<usize>>,
    ) {
        choices.clear();
        let is_chance = self.chance.get(number) == Some(&true);
        for (&slot, legal) in lanes.iter().zip(legal.chunks_exact(words.max(1))) {
            let count: u64 = legal.iter().map(|word| u64::from(word.count_ones())).sum();
            let Some(play) = self.plays.get_mut(slot).filter(|_| count > 0) else {
                choices.push(None);
                continue;
            };
            let drawn = play.rng.below(u32::try_from(count).unwrap_or(u32::MAX));
            choices.push(nth(legal, drawn));
            play.made += 1;
            if is_chance {
                play.by_chance += 1;
            } else {
                play.moves += count;
                play.most = play.most.max(count);
            }
        }
    }

    /// Gives a play the state after a move, or notes that it has ended.
    fn go_on(&mut self, slot: usize, (number, choice): (usize, usize), next: &[u64], scores: Option<&Scores>) {
        let is_over = self.simulation.number_of(next) == 0;
        let state = self.states_of(slot);
        match scores {
            None => state.copy_from_slice(next),
            Some(_) if is_over => {
                let words = self.simulation.words;
                let before = self.states.get(slot * words..(slot + 1) * words).unwrap_or_default();
                if let (Some(ends), Some(play)) = (self.ends.get_mut(number), self.plays.get(slot)) {
                    ends.before.extend_from_slice(before);
                    ends.after.extend_from_slice(next);
                    ends.choices.push(choice);
                    ends.plays.push(play.clone());
                }
                return self.begin(slot);
            }
            Some(scores) => {
                for ((word, next), mask) in state.iter_mut().zip(next).zip(&scores.masks) {
                    *word = *word & mask | next;
                }
            }
        }
        self.moved(slot);
    }

    /// Sees where a play is after a move.
    fn moved(&mut self, slot: usize) {
        let words = self.simulation.words;
        let state = self.states.get(slot * words..(slot + 1) * words).unwrap_or_default();
        let number = self.simulation.number_of(state);
        let Some(play) = self.plays.get(slot) else { return };
        if number == 0 {
            (self.each)(play.ended(state));
            self.begin(slot);
        } else if play.made >= self.limit {
            self.fail(slot);
        } else {
            self.wait(slot, number);
        }
    }

    /// Finds out the scores of plays that have ended at a decision.
    fn score(&mut self, (number, decision): (usize, &Decision), memory: &mut Memory) {
        let After::Keeper { scores: Some(Scores { circuit, masks }), .. } = &decision.after else { return };
        let Some(ends) = self.ends.get_mut(number).map(std::mem::take) else { return };
        let words = self.simulation.words;
        let (mut out, mut last) = (Vec::new(), vec![0; words]);
        let (mut firsts, mut choices) = (Vec::new(), Vec::new());
        for (group, plays) in ends.plays.chunks(LANES).enumerate() {
            let all = group * LANES..group * LANES + plays.len();
            firsts.clear();
            firsts.extend(all.clone().map(|at| at * words));
            choices.clear();
            choices.extend(ends.choices.get(all).unwrap_or_default().iter().copied().map(Some));
            decision.choose(circuit, &mut memory.scores, &choices, true);
            evaluate(circuit, &mut memory.scores, (&ends.before, &firsts), &mut out);
            decision.choose(circuit, &mut memory.scores, &choices, false);
            for ((play, &first), scores) in plays.iter().zip(&firsts).zip(out.chunks_exact(words.max(1))) {
                let after = ends.after.get(first..first + words).unwrap_or_default();
                for (((to, after), score), mask) in last.iter_mut().zip(after).zip(scores).zip(masks) {
                    *to = after & !mask | score;
                }
                (self.each)(play.ended(&last));
            }
        }
    }
}

impl Play {
    fn ended<'a>(&self, words: &'a [u64]) -> Played<'a> {
        Played { words, plies: self.made - self.by_chance, moves: self.moves, most: self.most }
    }
}

impl Decision {
    /// What a move chooses for a variable.
    fn value(&self, variable: usize, choice: usize) -> u32 {
        self.values.get(variable).and_then(|values| values.get(choice)).copied().unwrap_or(0)
    }

    /// Sets or clears the inputs for what moves choose.
    fn choose(&self, circuit: &Circuit, memory: &mut [Row], choices: &[Option<usize>], holds: bool) {
        for (lane, choice) in choices.iter().enumerate() {
            let Some(choice) = *choice else { continue };
            for variable in 0..self.values.len() {
                circuit.choose(memory, lane, (variable, self.value(variable, choice)), holds);
            }
        }
    }
}

/// The place of the bit before which so many are set.
fn nth(words: &[u64], mut index: u32) -> Option<usize> {
    for (number, &word) in words.iter().enumerate() {
        let count = word.count_ones();
        if index < count {
            let rest = (0..index).fold(word, |rest, _| rest & rest.wrapping_sub(1));
            return Some(64 * number + rest.trailing_zeros() as usize);
        }
        index -= count;
    }
    None
}
