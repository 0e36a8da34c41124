//! The engine for lifted games as a [`Model`]: what is asked of states that have words is answered from them, the rest by the search.

use super::{Fused, report, step};
use engine::Error;
use engine::PlayoutStats;
use engine::Rng;
use engine::model::{DecisionForm, Effort, Model, MoveForm};
use engine::observe::{Looks, Observer};
use engine::state::{Event, Moves, PackedMove, State, Tag, Turn};
use lower::Stop;
use rg_ir::invariant::Invariant;
use simulate::Simulation;
use wir::Program;

impl Model for Fused {
    fn name(&self) -> &'static str {
        self.executor.name()
    }

    fn running(&self) -> &'static str {
        self.executor.running()
    }

    fn settle(&self) {
        self.executor.settle();
    }

    fn initial(&self) -> State {
        self.wrapped(&self.slow.initial())
    }

    fn turn(&self, state: &State) -> Option<Turn> {
        // A state without words waits for the keeper.
        self.turn_of(&self.words(state)?)
    }

    fn is_over(&self, state: &State) -> bool {
        let number = self.lifted.layout.node;
        !self.has_words(state) || number.within(state.word(number.word as usize)) == 0
    }

    fn node_name(&self, state: &State) -> &str {
        match self.words(state) {
            Some(words) => self.node(&words),
            None => {
                let node = self.slow.cells(&self.slow_state(state), &mut Vec::new());
                self.node_text(node)
            }
        }
    }

    fn moves(&self, state: &State, moves: &mut Moves) -> Result<(), Error> {
        moves.clear();
        self.words(state).map_or(Ok(()), |words| self.listed(&words, moves))
    }

    fn packed(&self, state: &State, moves: &mut Vec<PackedMove>) -> Result<(), Error> {
        moves.clear();
        self.words(state).map_or(Ok(()), |words| self.packed_at(&words, moves))
    }

    fn apply_packed(&self, state: &mut State, packed: PackedMove) -> Result<bool, Error> {
        self.make_packed(state, packed)
    }

    fn packed_label_key(&self, state: &State, moves: &[PackedMove]) -> Option<u32> {
        self.label_key(state, moves)
    }

    fn packed_tags(&self, key: u32, packed: PackedMove) -> Vec<Tag> {
        let decision = self.lifted.stops.get(key as usize).and_then(|stop| stop.decision.as_ref().ok());
        decision.map_or_else(Vec::new, |decision| self.tags(decision, packed.0).collect())
    }

    fn observer(&self, looks: Looks) -> Observer {
        let sources = self.sources(&looks).map(|sources| (self.lifted.layout.words as usize, sources));
        Observer { looks, sources }
    }

    fn score_numbers(&self, state: &State, names: &[String], numbers: &mut Vec<u32>) {
        match self.words(state) {
            // Names are in the order of the search's numbers.
            Some(words) => numbers.extend(self.goals.iter().map(|goal| goal.read(&self.lifted, &words))),
            None => {
                let number = |score: &str| names.iter().position(|name| name == score).unwrap_or(0) as u32;
                numbers.extend(self.scores(state).into_iter().map(number));
            }
        }
    }

    fn complete(&self, state: &mut State, log: Option<&mut Vec<Event>>) -> Result<(), Error> {
        if self.has_words(state) {
            return Ok(());
        }
        let mut slow = self.slow_state(state);
        self.slow.complete(&mut slow, log)?;
        *state = self.state(&self.words_of(&slow)?);
        Ok(())
    }

    fn apply(&self, state: &mut State, moves: &Moves, index: usize) -> bool {
        Self::word(moves, index).is_some_and(|word| self.make_in_place(state, word))
            || self.apply_alone(state, moves, index)
    }

    fn apply_logged(
        &self,
        state: &mut State,
        (moves, index): (&Moves, usize),
        log: &mut Vec<Event>,
    ) -> Result<bool, Error> {
        if self.make_logged(state, (moves, index), log) {
            return Ok(true);
        }
        if self.has_words(state) && Self::word(moves, index).is_some() {
            return self.searched_log(state, moves.tags(index), log);
        }
        engine::model::apply_and_log(self, state, (moves, index), log)
    }

    fn apply_alone(&self, state: &mut State, moves: &Moves, index: usize) -> bool {
        let Some(record) = moves.records.get(index) else { return false };
        self.side_exits.increment();
        let mut slow = self.slow_state(state);
        let made = if record.node == step::WORD {
            let mut all = Moves::new();
            let found = self.slow.moves(&slow, &mut all);
            let same = (0..all.len()).find(|&other| all.tags(other) == moves.tags(index));
            found.is_ok() && same.is_some_and(|index| self.slow.apply(&mut slow, &all, index))
        } else {
            self.slow.apply(&mut slow, moves, index)
        };
        *state = self.wrapped(&slow);
        made
    }

    fn visibility(&self, state: &State, moves: &Moves) -> Result<Vec<u64>, Error> {
        if self.hidden && !moves.is_empty() && moves.visibility.is_empty() {
            if let Some(masks) = self.words(state).and_then(|words| self.masks(&words, &moves.tags)) {
                return Ok(masks);
            }
            return self.searched_visibility(&self.slow_state(state), moves);
        }
        Ok(moves.visibility.clone())
    }

    fn image(&self, state: &State) -> Vec<u32> {
        self.slow.image(&self.slow_state(state))
    }

    fn scores(&self, state: &State) -> Vec<&str> {
        let program = self.slow.program();
        let members = program.layout.classes.members(program.goals_class);
        let name = |number: u32| members.get(number as usize).map_or("", |&symbol| self.game.name(symbol));
        if let Some(words) = self.words(state) {
            return self.goals.iter().map(|goal| name(goal.read(&self.lifted, &words))).collect();
        }
        let mut cells = Vec::new();
        self.slow.cells(&self.slow_state(state), &mut cells);
        let value = |&slot: &u32| cells.get(slot as usize).copied().invariant_or(0, "every score has a cell");
        program.goals.iter().map(|slot| name(value(slot))).collect()
    }

    fn get(&self, state: &State, variable: &str, keys: &[&str]) -> Option<&str> {
        if let Some(words) = self.words(state)
            && let Some(symbol) = self.entry(&words, self.game.find_var(self.game.symbols.get(variable)?)?, keys)
        {
            return Some(self.game.name(symbol));
        }
        let value = self.slow.get(&self.slow_state(state), variable, keys)?;
        // The name belongs to the game, not to the state that was made for the question.
        self.game.symbols.get(value).map(|symbol| self.game.name(symbol))
    }

    fn perft(&self, state: &State, depth: u32) -> Result<u64, Error> {
        match self.words(state) {
            Some(words) => self.below(&words, depth, 0, &mut Vec::new()),
            None => self.slow.perft(&self.slow_state(state), depth),
        }
    }

    fn playout(&self, start: &State, form: MoveForm, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        self.playouts(start, (form, 1), rng, stats)
    }

    fn playouts(
        &self,
        start: &State,
        (form, count): (MoveForm, u16),
        rng: &mut Rng,
        stats: &mut PlayoutStats,
    ) -> Result<(), Error> {
        if start.bytes.len() != self.lifted.layout.words as usize * 8 {
            return self.slow.playouts(&self.slow_state(start), (form, count), rng, stats);
        }
        self.play(start, (form, count), rng, stats)
    }

    fn ply_side_by_side(&self) -> Option<u64> {
        // Which decisions are chance's has to be known to count plies.
        let is_known = |(number, decision): (usize, &Option<_>)| {
            decision.is_none() || self.decisions.functions.get(number).is_some_and(Option::is_some)
        };
        let all_known = |simulation: &&Simulation| simulation.decisions.iter().enumerate().all(is_known);
        self.lifted.simulation.as_ref().filter(all_known).map(Simulation::cost)
    }

    fn side_by_side(&self, start: &State, count: u64, rng: &mut Rng, stats: &mut PlayoutStats) -> Option<Vec<Rng>> {
        let begins = self.has_words(start) && !self.is_over(start) && self.plies > 0;
        let simulation = self.lifted.simulation.as_ref().filter(|_| begins)?;
        Some(self.simulated(simulation, (start, count), rng, stats))
    }

    fn effort(&self, start: &State, plies: u64, rng: &mut Rng) -> Result<Effort, Error> {
        self.measured(start, plies, rng)
    }

    fn has_sets(&self) -> bool {
        true
    }

    fn decisions(&self) -> (usize, usize) {
        let elsewhere = |stop: &&Stop| matches!(&stop.decision, Err(failure) if failure.is_elsewhere());
        let stops = self.lifted.stops.iter().skip(1).filter(|stop| !elsewhere(stop));
        stops.fold((0, 0), |(made, all), stop| (made + usize::from(stop.decision.is_ok()), all + 1))
    }

    fn forms(&self) -> Vec<DecisionForm> {
        report::forms(&self.game, &self.lifted)
    }

    fn lifted_program(&self) -> Option<&Program> {
        Some(&self.lifted.program)
    }

    fn report(&self) -> Vec<String> {
        report::lines(&self.forms(), self.side_exits.total())
    }
}
