//! What every engine offers to `Reasoner`.

use crate::Error;
use crate::PlayoutStats;
use crate::Rng;
use crate::observe::{Looks, Observer, Write};
use crate::state::{Event, Moves, PackedMove, State, Tag, Turn};
use std::cell::Cell;
use wir::{FnId, Program};

thread_local! {
    /// For models whose moves do not fit into words.
    static LISTED: Cell<Moves> = Cell::new(Moves::new());
}

/// A forward model. States may have the keeper to move; [`Model::complete`] makes the keeper's moves.
pub trait Model: Send + Sync {
    /// Name of the engine.
    fn name(&self) -> &'static str;
    /// Name of the engine that runs at this moment.
    fn running(&self) -> &'static str {
        self.name()
    }
    /// Waits until what has been asked for so far runs as fast as it ever will.
    fn settle(&self) {}
    /// Initial values at `begin`; the keeper has not moved yet.
    fn initial(&self) -> State;
    /// Who decides; `None` for the keeper, and if `player` is nobody (which [`Model::complete`] refuses).
    fn turn(&self, state: &State) -> Option<Turn>;
    /// Whether the game is over.
    fn is_over(&self, state: &State) -> bool {
        self.turn(state).is_none_or(|turn| turn == Turn::End)
    }
    /// Name of the node the state is at.
    fn node_name(&self, state: &State) -> &str;
    /// Legal moves of whoever decides; none at all if there are none. Outcomes of one label are in the order of
    /// [`crate::outcomes::order`].
    fn moves(&self, state: &State, moves: &mut Moves) -> Result<(), Error>;
    /// Makes the keeper's moves and logs them.
    fn complete(&self, state: &mut State, log: Option<&mut Vec<Event>>) -> Result<(), Error>;
    /// Makes one of the moves; the keeper may have answered already. `false` if there is no such move.
    fn apply(&self, state: &mut State, moves: &Moves, index: usize) -> bool;
    /// As [`Model::apply`], and never lets the keeper answer, so that its moves can be logged.
    fn apply_alone(&self, state: &mut State, moves: &Moves, index: usize) -> bool {
        self.apply(state, moves, index)
    }
    /// As [`Model::apply`], and appends what players observe: the move itself, then each move of the keeper. `false` if there is no such move.
    fn apply_logged(
        &self,
        state: &mut State,
        (moves, index): (&Moves, usize),
        log: &mut Vec<Event>,
    ) -> Result<bool, Error> {
        apply_and_log(self, state, (moves, index), log)
    }
    /// As [`Model::moves`], each as a word: its number, or what else tells it apart in this state.
    fn packed(&self, state: &State, moves: &mut Vec<PackedMove>) -> Result<(), Error> {
        moves.clear();
        let mut listed = LISTED.take();
        listed.clear();
        let found = self.moves(state, &mut listed);
        moves.extend((0..listed.len() as u64).map(PackedMove));
        LISTED.set(listed);
        found
    }
    /// As [`Model::apply`], for a move of [`Model::packed`].
    fn apply_packed(&self, state: &mut State, packed: PackedMove) -> Result<bool, Error> {
        let mut listed = LISTED.take();
        listed.clear();
        let found = self.moves(state, &mut listed);
        let made = found.map(|()| self.apply(state, &listed, packed.0 as usize));
        LISTED.set(listed);
        made
    }
    /// The number of the decision that is made at a state, if the words of these moves there tell their tags ([`Model::packed_tags`]), the
    /// same in all states with that number.
    fn packed_label_key(&self, _state: &State, _moves: &[PackedMove]) -> Option<u32> {
        None
    }
    /// The tags of a move at a decision for which there is a [`Model::packed_label_key`].
    fn packed_tags(&self, _key: u32, _packed: PackedMove) -> Vec<Tag> {
        Vec::new()
    }
    /// Prepares to look at states.
    fn observer(&self, looks: Looks) -> Observer {
        Observer { looks, sources: None }
    }
    /// Writes what is looked at to bytes that are all 0.
    fn observe(&self, observer: &Observer, state: &State, out: &mut [u8]) {
        if let Some((words, sources)) = &observer.sources
            && state.bytes.len() == 8 * words
        {
            return match state.as_words() {
                Some(words) => Observer::write(sources, |at| words.get(at as usize).copied().unwrap_or(0), out),
                None => Observer::write(sources, |at| state.word(at as usize), out),
            };
        }
        let mut put = |write: Write| {
            if let Some(slot) = out.get_mut(write.at as usize) {
                *slot = write.byte;
            }
        };
        if !observer.looks.nodes.is_empty()
            && let Some(write) = observer.looks.at_node(self.node_name(state))
        {
            put(write);
        }
        for cell in &observer.looks.cells {
            let keys: Vec<&str> = cell.keys.iter().map(String::as_str).collect();
            let value = self.get(state, &cell.variable, &keys);
            let write = cell.writes.iter().find(|(name, _)| Some(name.as_str()) == value);
            if let Some((_, write)) = write {
                put(*write);
            }
        }
    }
    /// Who sees the tags of the moves listed at a state: a set of players for each of [`Moves::tags`] (bit i: player i), or nothing
    /// at all if everybody sees all of them.
    fn visibility(&self, _state: &State, moves: &Moves) -> Result<Vec<u64>, Error> {
        Ok(moves.visibility.clone())
    }
    /// How many decisions lifted code makes, and how many there are.
    fn decisions(&self) -> (usize, usize) {
        (0, 0)
    }
    /// What became of each decision; nothing in engines that do not lift.
    fn forms(&self) -> Vec<DecisionForm> {
        Vec::new()
    }
    /// The lifted program, if there is one.
    fn lifted_program(&self) -> Option<&Program> {
        None
    }
    /// What became of each decision, for people; nothing if there is nothing to say.
    fn report(&self) -> Vec<String> {
        Vec::new()
    }
    /// The values of all cells as symbol indices, in the order of declarations and keys, then the node: the same in every
    /// engine.
    fn image(&self, state: &State) -> Vec<u32>;
    /// Scores by name.
    fn scores(&self, state: &State) -> Vec<&str>;
    /// Adds the player's scores as numbers of names, which are given in order.
    fn score_numbers(&self, state: &State, names: &[String], numbers: &mut Vec<u32>) {
        let number = |score: &str| names.iter().position(|name| name == score).unwrap_or(0) as u32;
        numbers.extend(self.scores(state).into_iter().map(number));
    }
    /// Value of a variable or cell by name.
    fn get(&self, state: &State, variable: &str, keys: &[&str]) -> Option<&str>;
    /// Leaves at the given depth (at least 1) below a state with a decision.
    fn perft(&self, state: &State, depth: u32) -> Result<u64, Error>;
    /// One random play from a state whose keeper moves are completed. The error has no play. Engines that know no sets
    /// of moves list them.
    fn playout(&self, start: &State, form: MoveForm, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error>;
    /// So many random plays, one after the other. Which one failed is not known afterwards.
    fn playouts(
        &self,
        start: &State,
        (form, count): (MoveForm, u16),
        rng: &mut Rng,
        stats: &mut PlayoutStats,
    ) -> Result<(), Error> {
        (0..count).try_for_each(|_| self.playout(start, form, rng, stats))
    }
    /// What a ply takes in picoseconds if many plays are made side by side, if they can be.
    fn ply_side_by_side(&self) -> Option<u64> {
        None
    }
    /// So many random plays, many side by side, each with a generator of its own: its seed is the next number of `rng`. Returns the generators of
    /// plays that failed, or were too long for that, in order: they are not in `stats`. `None`, and nothing is done, if the engine makes one play after the other.
    fn side_by_side(&self, _start: &State, _count: u64, _rng: &mut Rng, _stats: &mut PlayoutStats) -> Option<Vec<Rng>> {
        None
    }
    /// What so many plies of random plays take in instructions; nothing in engines that do not count.
    fn effort(&self, _start: &State, _plies: u64, _rng: &mut Rng) -> Result<Effort, Error> {
        Ok(Effort::default())
    }
    /// Whether moves can be had as sets.
    fn has_sets(&self) -> bool {
        false
    }
}

/// A move and the keeper's answer one after the other, with what players observe of them. `false` if there is no such move.
pub fn apply_and_log<M: Model + ?Sized>(
    model: &M,
    state: &mut State,
    (moves, index): (&Moves, usize),
    log: &mut Vec<Event>,
) -> Result<bool, Error> {
    let visibility = model.visibility(state, moves)?;
    let masks = visibility.get(moves.tag_range(index)).unwrap_or(&[]);
    let masks = masks.iter().copied().chain(std::iter::repeat(u64::MAX));
    let tags = moves.tags(index).iter().copied().zip(masks).collect();
    log.push(Event { mover: Some(model.turn(state).unwrap_or(Turn::End)), tags });
    let made = model.apply_alone(state, moves, index);
    if made {
        model.complete(state, Some(log))?;
    }
    Ok(made)
}

/// In which form all legal moves of a state are computed before one is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MoveForm {
    /// Every one is written to a list.
    #[default]
    List,
    /// As sets.
    Sets,
}

/// What became of one decision of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionForm {
    /// Its node, and the values of variables that it is made for.
    pub name: String,
    /// How it is lifted, or why it is not.
    pub form: Result<LiftedForm, String>,
}

/// The functions of a lifted decision, as numbers into the functions of `Reasoner::program`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiftedForm {
    /// Lists the moves.
    pub decide: FnId,
    /// Makes a move.
    pub apply: FnId,
    /// Makes a move if the next decision has one that does not pass the turn.
    pub speculative: Option<FnId>,
    /// How many kinds of moves there are.
    pub kinds: usize,
}

/// What random plays take, in figures that do not depend on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Plies made.
    pub plies: u64,
    /// Bytecode instructions: finding all moves, and making one.
    pub instructions: u64,
    /// Plies that lifted code left to backtracking, wholly or in part; their instructions do not count.
    pub side_exits: u64,
}
