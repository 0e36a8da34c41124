//! The engine for lifted games: programs where there are any, backtracking for everything else.
//!
//! A state is either the words of the lifted layout, or, between a move that only the backtracking engine could make and
//! the keeper's answer, a state of that engine. The latter are told by their length.

mod events;
mod model;
mod observe;
mod play;
mod report;
mod step;
pub(crate) mod trial;

use crate::bridge::{Bridge, Reader};
use crate::fused::events::{Names, Witness};
use crate::fused::trial::Parts;
use codegen::{Decisions, Executor, SideExit};
use engine::state::{Moves, State, Tag, Turn};
use engine::valid::{ValidGame, has_chance};
use engine::{Counter, Error, ErrorKind, Pool};
use lower::{Decision, Lifted, PART_SHIFT, Stop, TEMPLATE_SHIFT, Tag as LabelPart};
use rg_ir::ids::Id;
use rg_ir::invariant::invariant;
use rg_ir::{Expr, Label, NodeId, Symbol};
use rustc_hash::FxHashMap;
use search::Backtracking;
use search::program::FAIL;
use std::collections::hash_map::Entry;
use std::sync::OnceLock;
use step::Words;
use wir::Program;

/// See the module.
pub(crate) struct Fused {
    game: ValidGame,
    lifted: Lifted,
    bridge: Bridge,
    executor: Box<dyn Executor>,
    decisions: Decisions,
    slow: Box<dyn Backtracking>,
    player: Reader,
    goals: Vec<Reader>,
    /// Limit of the moves of a playout.
    plies: u64,
    /// Whether `random` ever decides.
    chance: bool,
    /// Whether some player may not see some tag.
    hidden: bool,
    /// For each player: what `visible` is, and the number that means seen.
    sights: Vec<(Reader, u32)>,
    names: Names,
    /// By decision: what is known of what players observe.
    witnesses: Vec<OnceLock<Witness>>,
    /// Decisions that the backtracking engine made.
    side_exits: Counter,
    /// Memory of logged moves that the backtracking engine makes.
    rooms: Pool<Room>,
}

/// A position, as the two engines have it.
#[derive(Default)]
struct Room {
    cells: Vec<u32>,
    words: Vec<u64>,
}

impl Fused {
    /// Joins the two. They are given back if they do not fit together. `plies` is the limit of the moves of a playout.
    pub(crate) fn new(parts: Parts, executor: Box<dyn Executor>, plies: u64) -> Result<Self, Box<Parts>> {
        let Some(bridge) = Bridge::new(&parts.lifted, parts.search.program(), &parts.game) else {
            return Err(Box::new(parts));
        };
        let Parts { game, lifted, search: slow } = parts;
        let program = slow.program();
        let reader = |slot| bridge.cell(&lifted, slot);
        let player = reader(program.player_slot);
        let goals = program.goals.iter().map(|&slot| reader(slot)).collect();
        let seen = program.visible.iter().flat_map(|(slots, seen)| slots.iter().map(move |&slot| (slot, *seen)));
        let sights = seen.map(|(slot, seen)| (reader(slot), seen)).collect();
        let names = Names::of(&game, players(program));
        let chance = has_chance(&game);
        let functions = |decision: &Decision| (decision.decide, decision.apply);
        let plain = |stop: &Stop| stop.decision.as_ref().ok().filter(|decision| !decision.overlaps).map(functions);
        let last =
            |decision: &Decision| decision.decide.max(decision.apply).max(decision.speculative.unwrap_or(0)) as usize;
        let mut lasts = lifted.stops.iter().filter_map(|stop| stop.decision.as_ref().ok()).map(last);
        invariant(lasts.all(|last| last < lifted.program.functions.len()), "the functions of decisions exist");
        let chances: Vec<Option<bool>> = match chance {
            true => lifted.stops.iter().map(|stop| is_chance(&game, &lifted, stop)).collect(),
            false => vec![Some(false); lifted.stops.len()],
        };
        let number = lifted.layout.node;
        invariant(number.word < lifted.program.state_words, "a state has the word of its decision");
        let decisions = Decisions {
            number: (number.word as usize, number.shift, (1 << number.bits) - 1),
            functions: lifted
                .stops
                .iter()
                .zip(&chances)
                .map(|(stop, chance)| plain(stop).filter(|_| chance.is_some()))
                .collect(),
            speculative: lifted.stops.iter().map(|stop| stop.decision.as_ref().ok()?.speculative).collect(),
            passes: lifted
                .stops
                .iter()
                .map(|stop| stop.decision.as_ref().map_or(0, |decision| decision.passes))
                .collect(),
            kind: TEMPLATE_SHIFT,
            chance: chances.iter().map(|chance| *chance == Some(true)).collect(),
        };
        Ok(Self {
            decisions,
            chance,
            hidden: slow.program().visible.is_some(),
            sights,
            names,
            witnesses: lifted.stops.iter().map(|_| OnceLock::new()).collect(),
            game,
            lifted,
            executor,
            player,
            goals,
            plies,
            bridge,
            slow,
            side_exits: Counter::default(),
            rooms: Pool::default(),
        })
    }

    /// What it was made of.
    pub(crate) fn into_parts(self) -> Parts {
        Parts { game: self.game, lifted: self.lifted, search: self.slow }
    }

    /// The program of the decisions that are lifted.
    pub(crate) fn program(&self) -> &Program {
        &self.lifted.program
    }

    /// Goes on with another executor of the same program; the one before it.
    pub(crate) fn replace_executor(&mut self, executor: Box<dyn Executor>) -> Box<dyn Executor> {
        self.side_exits = Counter::default();
        std::mem::replace(&mut self.executor, executor)
    }

    fn decision(&self, words: &[u64]) -> Option<&Decision> {
        let stop = self.lifted.stops.get(self.lifted.layout.node.of(words) as usize)?;
        stop.decision.as_ref().ok()
    }

    fn at_end(&self, words: &[u64]) -> bool {
        self.lifted.layout.node.of(words) == 0
    }

    fn node(&self, words: &[u64]) -> &str {
        let stop = self.lifted.stops.get(self.lifted.layout.node.of(words) as usize);
        stop.map_or("", |stop| self.node_text(stop.decider.node))
    }

    fn node_text(&self, node: NodeId) -> &str {
        if self.game.automaton.contains_node(node) { self.game.node_name(node) } else { "" }
    }

    fn turn_of(&self, words: &[u64]) -> Option<Turn> {
        if self.at_end(words) {
            return Some(Turn::End);
        }
        let program = self.slow.program();
        let player = self.player.read(&self.lifted, words);
        if player == program.random {
            return Some(Turn::Random);
        }
        let index = program.player_index.get(player as usize).copied().filter(|&index| index != FAIL);
        index.map(|index| Turn::Player(index as usize))
    }

    /// The words of a state, if it has any.
    #[inline]
    fn words<'s>(&self, state: &'s State) -> Option<Words<'s>> {
        self.has_words(state).then(|| Words::of(state))
    }

    fn state(&self, words: &[u64]) -> State {
        State { bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect() }
    }

    /// A state of the backtracking engine as one of this engine, with a length that no words have.
    fn wrapped(&self, state: &State) -> State {
        let mut bytes = state.bytes.to_vec();
        bytes.push(0);
        while bytes.len().is_multiple_of(8) {
            bytes.push(0);
        }
        let added = (bytes.len() - state.bytes.len()) as u8;
        if let Some(last) = bytes.last_mut() {
            *last = added;
        }
        State { bytes: bytes.into() }
    }

    /// Any state as one of the backtracking engine.
    fn slow_state(&self, state: &State) -> State {
        match self.words(state) {
            Some(words) => self.slow_of(&words),
            None => {
                let added = state.bytes.last().map_or(0, |&added| added as usize);
                let len = state.bytes.len().saturating_sub(added);
                State { bytes: state.bytes.get(..len).unwrap_or(&[]).into() }
            }
        }
    }

    fn slow_of(&self, words: &[u64]) -> State {
        let mut cells = Vec::new();
        let node = self.cells_of(words, &mut cells);
        self.slow.state_of(&cells, node)
    }

    /// Replaces `cells` by what words mean to the backtracking engine; the node.
    fn cells_of(&self, words: &[u64], cells: &mut Vec<u32>) -> NodeId {
        let number = self.bridge.cells(&self.lifted, words, cells);
        self.lifted.stops.get(number).map_or(self.game.end(), |stop| stop.decider.node)
    }

    /// A state of the backtracking engine, the keeper's moves completed, as words.
    fn words_of(&self, state: &State) -> Result<Vec<u64>, Error> {
        let (mut cells, mut words) = (Vec::new(), Vec::new());
        let node = self.slow.cells(state, &mut cells);
        self.put_words((&cells, node), &mut words)?;
        Ok(words)
    }

    /// Replaces `words` by those of cells at a node, the keeper's moves completed.
    fn put_words(&self, at: (&[u32], NodeId), words: &mut Vec<u64>) -> Result<(), Error> {
        let decided = self.bridge.words(&self.lifted, at, words);
        decided.ok_or_else(|| Error::new(ErrorKind::Invalid, self.node_text(at.1), "nobody decides here"))
    }

    /// The moves at a state as words; [`SideExit`] if the backtracking engine has to find them.
    fn list(&self, words: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        let decision = self.decision(words).ok_or(SideExit)?;
        self.executor.list(decision.decide, words, moves)?;
        if decision.overlaps {
            self.distinguish(decision, words, moves)?;
        }
        if moves.is_empty() { Err(SideExit) } else { Ok(()) }
    }

    /// Keeps one of the moves that have the same label and lead to the same state; [`SideExit`] if they lead to different ones.
    fn distinguish(&self, decision: &Decision, words: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        let mut labels: Vec<Tag> = Vec::new();
        let mut ends: Vec<usize> = Vec::with_capacity(moves.len());
        for &word in moves.iter() {
            labels.extend(self.tags(decision, word));
            ends.push(labels.len());
        }
        let mut first: FxHashMap<&[Tag], u64> = FxHashMap::default();
        first.reserve(moves.len());
        let (mut start, mut kept) = (0, 0);
        for at in 0..moves.len() {
            let (Some(&word), Some(&end)) = (moves.get(at), ends.get(at)) else { break };
            let label = labels.get(start..end).unwrap_or(&[]);
            start = end;
            match first.entry(label) {
                Entry::Vacant(entry) => {
                    entry.insert(word);
                    moves.swap(kept, at);
                    kept += 1;
                }
                Entry::Occupied(entry) => {
                    let (mut one, mut other) = (words.to_vec(), words.to_vec());
                    self.make(&mut one, *entry.get())?;
                    self.make(&mut other, word)?;
                    if one != other {
                        return Err(SideExit);
                    }
                }
            }
        }
        moves.truncate(kept);
        Ok(())
    }

    /// Makes a move given as a word; [`SideExit`] if the backtracking engine has to.
    fn make(&self, words: &mut [u64], word: u64) -> Result<(), SideExit> {
        let decision = self.decision(words).ok_or(SideExit)?;
        self.executor.call(decision.apply, words, word).map(|_| ())
    }

    /// The tags of a move given as a word.
    fn tags<'a>(&'a self, decision: &'a Decision, word: u64) -> impl Iterator<Item = Tag> + 'a {
        let template = decision.templates.get((word >> TEMPLATE_SHIFT) as usize);
        let tags = template.map_or(&[][..], |template| &template.tags);
        let symbol = move |part: &LabelPart| match part {
            LabelPart::Symbol(symbol) => Some(*symbol),
            LabelPart::Argument(at, symbols) => {
                let argument = template.and_then(|template| template.arguments.get(*at));
                argument.and_then(|argument| symbols.get(argument.of(word))).copied()
            }
            LabelPart::Between(..) => None,
        };
        tags.iter().enumerate().flat_map(move |(at, part)| {
            let single = symbol(part);
            let several = match part {
                LabelPart::Between(before, between) => {
                    let beside = |at: usize| tags.get(at);
                    let before = before.as_deref().or_else(|| at.checked_sub(1).and_then(beside));
                    let ends = before.and_then(symbol).zip(beside(at + 1).and_then(symbol));
                    ends.and_then(|ends| between.get(&ends)).map_or(&[][..], |symbols| symbols)
                }
                _ => &[],
            };
            single.into_iter().chain(several.iter().copied()).map(|symbol| Tag(symbol.index() as u32))
        })
    }

    /// Appends the tags of a move given as a word at a state; [`SideExit`] if the backtracking engine has to read them, because they
    /// are too many.
    fn read_label(&self, decision: &Decision, words: &[u64], word: u64, label: &mut Vec<Tag>) -> Result<(), SideExit> {
        label.extend(self.tags(decision, word));
        let Some(read) = decision.label else { return Ok(()) };
        let (bits, part_size) = (self.lifted.tag_width.bits(), self.lifted.tag_width.part());
        let mut state = words.to_vec();
        for part in 0.. {
            let tags = self.executor.call(read, &mut state, word | part << PART_SHIFT)?;
            let before = label.len();
            let tags = (0..part_size).map(|at| tags >> (at * bits) & ((1 << bits) - 1));
            label.extend(tags.map_while(|tag| tag.checked_sub(1)).map(|symbol| Tag(symbol as u32)));
            if label.len() < before + part_size as usize {
                break;
            }
        }
        Ok(())
    }

    /// The moves of the backtracking engine.
    fn slow_moves(&self, words: &[u64], moves: &mut Moves) -> Result<State, Error> {
        self.side_exits.increment();
        let state = self.slow_of(words);
        moves.clear();
        self.slow.moves(&state, moves)?;
        if moves.is_empty() {
            return Err(Error::new(ErrorKind::Stuck, self.node(words), "there is no legal move"));
        }
        Ok(state)
    }

    /// Makes a move with the backtracking engine, whose moves at its state are given.
    fn slow_make(&self, mut state: State, moves: &Moves, index: usize) -> Result<Vec<u64>, Error> {
        if !self.slow.apply(&mut state, moves, index) {
            return Err(Error::new(ErrorKind::IllegalMove, self.slow.node_name(&state), "there is no such move"));
        }
        self.slow.complete(&mut state, None)?;
        self.words_of(&state)
    }

    /// Makes a move given as a word with the backtracking engine.
    fn slow_word(&self, words: &[u64], word: u64) -> Result<Vec<u64>, Error> {
        let mut moves = Moves::new();
        let state = self.slow_moves(words, &mut moves)?;
        let index = self.decision(words).and_then(|decision| self.labelled(decision, words, word, &moves));
        let index =
            index.ok_or_else(|| Error::new(ErrorKind::IllegalMove, self.node(words), "there is no such move"))?;
        self.slow_make(state, &moves, index)
    }

    /// The number of a move given as a word among all moves of its state, by its label.
    fn labelled(&self, decision: &Decision, words: &[u64], word: u64, all: &Moves) -> Option<usize> {
        let mut label = Vec::new();
        if self.read_label(decision, words, word, &mut label).is_ok() {
            return (0..all.len()).find(|&index| all.tags(index) == label);
        }
        // A label that is too long for code is still known by its beginning, unless another one begins with the same tags.
        let begins: Vec<Tag> = self.tags(decision, word).collect();
        let mut same = (0..all.len()).filter(|&index| all.tags(index).starts_with(&begins));
        same.next().filter(|_| same.next().is_none())
    }

    fn text(&self, tags: &[Tag]) -> String {
        let names: Vec<&str> = tags.iter().map(|tag| self.game.name(Symbol::from_index(tag.0 as usize))).collect();
        names.join(" ")
    }
}

/// The symbols of a game's players, in order.
fn players(program: &search::program::Program) -> Vec<Symbol> {
    let members = program.layout.classes.members(program.player_class).iter().zip(&program.player_index);
    let mut players: Vec<(u32, Symbol)> =
        members.filter(|&(_, &index)| index != FAIL).map(|(&symbol, &index)| (index, symbol)).collect();
    players.sort_unstable();
    players.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Whether `random` makes a decision; `None` if it does not always or never. Linear in the edges of the automaton.
fn is_chance(game: &ValidGame, lifted: &Lifted, stop: &Stop) -> Option<bool> {
    let player = game.symbols.get("player").and_then(|name| game.find_var(name))?;
    let random = game.symbols.get("random");
    let symbols = lifted.symbols.get(player.index())?;
    if let Some(&(_, value)) = stop.decider.fixed.iter().find(|(var, _)| *var == player) {
        return Some(random.is_some() && symbols.get(value as usize).copied() == random);
    }
    let before = game.automaton.incoming(stop.decider.node).iter().map(|&id| game.automaton.edge(id).label);
    let mut players = before.filter(|label| game.ends_move(label)).map(|label| match label {
        Label::Assign { rhs, .. } => match game.exprs.get(rhs) {
            Expr::Symbol(symbol) => Some(Some(symbol) == random),
            _ => None,
        },
        _ => None,
    });
    let first = players.next().unwrap_or(Some(false))?;
    players.all(|chance| chance == Some(first)).then_some(first)
}
