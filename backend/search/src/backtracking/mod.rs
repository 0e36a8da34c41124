//! The interpreting engine: states to and from [`Machine`]s, and the loops that stay inside one.

mod run;

use crate::machine::{Cell, Halt, MOVES_TOO_LARGE, Machine, Shared};
use crate::program::{self, FAIL, Marking, Program};
use engine::error::{Error, ErrorKind, ambiguous};
use engine::model::{Model, MoveForm};
use engine::options::Options;
use engine::outcomes::places;
use engine::state::{Event, Moves, State, Tag, Turn};
use engine::valid::ValidGame;
use engine::{PlayoutStats, Pool, Rng};
use passes::analysis::classes::Class;
use rg_ir::ids::Id;
use rg_ir::{NodeId, Symbol};
use run::Run;
use std::sync::OnceLock;

/// The engine, for one width of cells.
pub(crate) struct Interpreter<W> {
    game: ValidGame,
    shared: Shared<W>,
    /// The game with marks everywhere, lowered when it is first needed; `None` if that is not possible.
    exact: OnceLock<Option<Shared<W>>>,
    options: Options,
    /// The cells in the order of images, with the classes of their values; listed when they are first needed.
    listed: OnceLock<Vec<(usize, Class)>>,
    /// Machines that no call uses at the moment.
    pool: Pool<(Machine<W>, Moves)>,
}

/// The engine, as one that others fall back on.
pub trait Backtracking: Model {
    /// The program that runs.
    fn program(&self) -> &Program;
    /// Replaces `cells` by those of a state; its node.
    fn cells(&self, state: &State, cells: &mut Vec<u32>) -> NodeId;
    /// The state with these cells at a node.
    fn state_of(&self, cells: &[u32], node: NodeId) -> State;
    /// Makes the move with these tags and the keeper's answer from cells at a node, and appends what players observe of them; the node after
    /// them. `None` if there is no such move; the cells have not changed then. As dear as the walks that begin with these tags.
    ///
    /// # Errors
    /// As for [`Model::moves`] and [`Model::complete`].
    fn make_labelled(
        &self,
        at: (&mut [u32], NodeId),
        tags: &[Tag],
        log: &mut Vec<Event>,
    ) -> Result<Option<NodeId>, Error>;
}

impl<W: Cell> Backtracking for Interpreter<W> {
    fn program(&self) -> &Program {
        &self.shared.program
    }

    fn cells(&self, state: &State, cells: &mut Vec<u32>) -> NodeId {
        let (body, node) = self.split(state);
        cells.clear();
        cells.extend(body.chunks_exact(W::BYTES).map(|bytes| W::read(bytes).get()));
        node
    }

    fn state_of(&self, cells: &[u32], node: NodeId) -> State {
        let cells: Vec<W> = cells.iter().map(|&cell| W::put(cell)).collect();
        self.pack(&cells, node)
    }

    fn make_labelled(
        &self,
        (cells, node): (&mut [u32], NodeId),
        tags: &[Tag],
        log: &mut Vec<Event>,
    ) -> Result<Option<NodeId>, Error> {
        self.with(|run, moves| {
            run.node = node;
            for (cell, &value) in run.machine.cells.iter_mut().zip(&*cells) {
                *cell = W::put(value);
            }
            let Some(mover) = run.turn().filter(|&turn| turn != Turn::End) else { return Ok(None) };
            if !run.make_labelled(tags, moves)? {
                return Ok(None);
            }
            log.push(Event { mover: Some(mover), tags: run.seen() });
            run.complete(Some(log))?;
            for (value, cell) in cells.iter_mut().zip(&run.machine.cells) {
                *value = cell.get();
            }
            Ok(Some(run.node))
        })
    }
}

/// Prepares a program with the narrowest cells that hold its values.
pub fn interpreter(game: ValidGame, program: Program, options: &Options) -> Box<dyn Backtracking> {
    match program.layout.classes.largest() {
        0..=0x100 => Box::new(Interpreter::<u8>::new(game, program, options)),
        0x101..=0x1_0000 => Box::new(Interpreter::<u16>::new(game, program, options)),
        _ => Box::new(Interpreter::<u32>::new(game, program, options)),
    }
}

impl<W: Cell> Interpreter<W> {
    fn new(game: ValidGame, program: Program, options: &Options) -> Self {
        Self {
            game,
            shared: Shared::new(program, options),
            options: *options,
            exact: OnceLock::new(),
            listed: OnceLock::new(),
            pool: Pool::default(),
        }
    }

    /// The game with marks everywhere.
    fn exact(&self) -> &Shared<W> {
        let lowered = || {
            let program = program::lower(&self.game, Marking::Everywhere).ok()?;
            Some(Shared::new(program, &self.options))
        };
        self.exact.get_or_init(lowered).as_ref().unwrap_or(&self.shared)
    }

    /// Runs `f` with a machine and a move buffer of its own.
    fn with<T>(&self, f: impl FnOnce(&mut Run<'_, W>, &mut Moves) -> T) -> T {
        let (machine, mut moves) = self.pool.take().unwrap_or_else(|| (Machine::new(&self.shared), Moves::new()));
        let mut run = Run { engine: self, machine, node: self.shared.program.begin };
        let result = f(&mut run, &mut moves);
        self.pool.put((run.machine, moves));
        result
    }

    fn pack(&self, cells: &[W], node: NodeId) -> State {
        let mut bytes = vec![0; cells.len() * W::BYTES + 4].into_boxed_slice();
        self.pack_into(cells, node, &mut bytes);
        State { bytes }
    }

    fn pack_into(&self, cells: &[W], node: NodeId, bytes: &mut [u8]) {
        let (body, tail) = bytes.split_at_mut(cells.len() * W::BYTES);
        for (cell, out) in cells.iter().zip(body.chunks_exact_mut(W::BYTES)) {
            cell.write(out);
        }
        tail.copy_from_slice(&(node.index() as u32).to_le_bytes());
    }

    /// Cells as bytes and the node; states of another reasoner are cut or padded to fit.
    fn split<'s>(&self, state: &'s State) -> (&'s [u8], NodeId) {
        let (body, tail) = state.bytes.split_at(state.bytes.len().saturating_sub(4));
        let node = tail.try_into().map_or(0, u32::from_le_bytes);
        (body, NodeId::from_index(node as usize))
    }

    fn cell(&self, state: &State, slot: u32) -> u32 {
        let at = slot as usize * W::BYTES;
        state.bytes.get(at..at + W::BYTES).map_or(0, |bytes| W::read(bytes).get())
    }

    fn turn_of(&self, node: NodeId, player: u32) -> Option<Turn> {
        let program = &self.shared.program;
        if node == program.end {
            return Some(Turn::End);
        }
        if player == program.keeper {
            return None;
        }
        if player == program.random {
            return Some(Turn::Random);
        }
        let index = program.player_index.get(player as usize).copied().filter(|&index| index != FAIL);
        index.map(|index| Turn::Player(index as usize))
    }

    fn error(&self, halt: Halt, node: NodeId, tags: &[Tag]) -> Error {
        let node = halt.node.unwrap_or(node);
        let message = match halt.kind {
            ErrorKind::Ambiguous => {
                let names: Vec<&str> = tags.iter().map(|t| self.game.name(Symbol::from_index(t.0 as usize))).collect();
                ambiguous(&names)
            }
            ErrorKind::Recursion => {
                format!("{} nest more than {} deep: a check seems to need its own result", halt.what, halt.limit)
            }
            _ if halt.what == MOVES_TOO_LARGE => format!(
                "the legal moves of one position take more than {} MiB; the rules probably loop without handing over to a player",
                halt.limit >> 20
            ),
            _ => format!("the search met its limit of {} {}", halt.limit, halt.what),
        };
        Error::new(halt.kind, self.node_text(node), message)
    }

    fn node_text(&self, node: NodeId) -> &str {
        if self.game.automaton.contains_node(node) { self.game.node_name(node) } else { "" }
    }

    /// The cells in the order of images.
    fn listed(&self) -> &[(usize, Class)] {
        let layout = &self.shared.program.layout;
        self.listed.get_or_init(|| {
            let mut listed = Vec::new();
            for field in layout.vars.values() {
                let keys = field.keys.iter().enumerate().map(|(level, key)| {
                    let members = self.game.types.members(key.set);
                    let positions = members.iter().filter_map(|&symbol| layout.position(key, symbol));
                    (positions.map(|position| position as usize).collect(), field.stride(level + 1) as usize)
                });
                listed.extend(places(field.offset as usize, keys).into_iter().map(|place| (place, field.class)));
            }
            listed
        })
    }

    /// The name of a value of a class.
    fn value_name(&self, class: usize, value: u32) -> &str {
        let members = self.shared.program.layout.classes.members(class);
        members.get(value as usize).map_or("", |&symbol| self.game.name(symbol))
    }
}

impl<W: Cell> Model for Interpreter<W> {
    fn name(&self) -> &'static str {
        "backtracking"
    }

    fn initial(&self) -> State {
        self.pack(&self.shared.initial, self.shared.program.begin)
    }

    fn turn(&self, state: &State) -> Option<Turn> {
        self.turn_of(self.split(state).1, self.cell(state, self.shared.program.player_slot))
    }

    fn node_name(&self, state: &State) -> &str {
        self.node_text(self.split(state).1)
    }

    fn moves(&self, state: &State, moves: &mut Moves) -> Result<(), Error> {
        self.with(|run, _| {
            run.load(state);
            run.moves(moves)
        })
    }

    fn complete(&self, state: &mut State, log: Option<&mut Vec<Event>>) -> Result<(), Error> {
        if self.turn(state).is_some() {
            return Ok(());
        }
        self.with(|run, _| {
            run.load(state);
            run.complete(log)?;
            self.pack_into(&run.machine.cells, run.node, &mut state.bytes);
            Ok(())
        })
    }

    fn apply(&self, state: &mut State, moves: &Moves, index: usize) -> bool {
        let Some(record) = moves.records.get(index) else { return false };
        for &(slot, value) in moves.effects(index) {
            let at = slot as usize * W::BYTES;
            if let Some(bytes) = state.bytes.get_mut(at..at + W::BYTES) {
                W::put(value).write(bytes);
            }
        }
        let at = state.bytes.len().saturating_sub(4);
        if let Some(tail) = state.bytes.get_mut(at..) {
            tail.copy_from_slice(&record.node.to_le_bytes());
        }
        true
    }

    fn image(&self, state: &State) -> Vec<u32> {
        let classes = &self.shared.program.layout.classes;
        let (body, node) = self.split(state);
        let mut cells: Vec<W> = body.chunks_exact(W::BYTES).map(W::read).collect();
        self.shared.program.resets.apply(node, &mut cells, &self.shared.initial);
        let symbol = |&(place, class): &(usize, Class)| {
            let value = cells.get(place).map_or(0, |cell| cell.get()) as usize;
            classes.members(class).get(value).map_or(u32::MAX, |symbol| symbol.index() as u32)
        };
        self.listed().iter().map(symbol).chain([node.index() as u32]).collect()
    }

    fn scores(&self, state: &State) -> Vec<&str> {
        let program = &self.shared.program;
        program.goals.iter().map(|&slot| self.value_name(program.goals_class, self.cell(state, slot))).collect()
    }

    fn get(&self, state: &State, variable: &str, keys: &[&str]) -> Option<&str> {
        let layout = &self.shared.program.layout;
        let field = &layout.vars[self.game.find_var(self.game.symbols.get(variable)?)?];
        if keys.len() != field.keys.len() {
            return None;
        }
        let mut slot = field.offset;
        for (level, (key, name)) in field.keys.iter().zip(keys).enumerate() {
            let symbol = self.game.symbols.get(name)?;
            if !self.game.types.contains(key.set, symbol) {
                return None;
            }
            slot += layout.position(key, symbol)? * field.stride(level + 1);
        }
        Some(self.value_name(field.class, self.cell(state, slot)))
    }

    fn perft(&self, state: &State, depth: u32) -> Result<u64, Error> {
        self.with(|run, _| {
            run.load(state);
            run.perft(depth, 0, &mut Vec::new())
        })
    }

    fn playout(&self, start: &State, _: MoveForm, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        self.with(|run, moves| {
            run.load(start);
            run.playout(rng, moves, stats)
        })
    }
}
