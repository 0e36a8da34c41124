//! The loops that stay inside one machine: moves of a decision, the keeper's answers, perft and playouts.

use super::Interpreter;
use crate::machine::{Cell, Goal, Machine};
use engine::PlayoutStats;
use engine::Rng;
use engine::error::{Error, ErrorKind};
use engine::limits::MAX_PERFT_DEPTH;
use engine::outcomes::order;
use engine::state::text_of;
use engine::state::{Event, Moves, State, Tag, Turn};
use rg_ir::cancel;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{NodeId, Symbol};
use rustc_hash::FxHashSet;

/// A machine at work: its cells and `node` are the present state.
pub(super) struct Run<'a, W> {
    pub(super) engine: &'a Interpreter<W>,
    pub(super) machine: Machine<W>,
    pub(super) node: NodeId,
}

impl<W: Cell> Run<'_, W> {
    pub(super) fn load(&mut self, state: &State) {
        let (body, node) = self.engine.split(state);
        self.node = node;
        for (cell, bytes) in self.machine.cells.iter_mut().zip(body.chunks_exact(W::BYTES)) {
            *cell = W::read(bytes);
        }
    }

    fn player(&self) -> u32 {
        let slot = self.engine.shared.program.player_slot as usize;
        self.machine.cells.get(slot).map(|cell| cell.get()).invariant_or(0, "`player` has a cell")
    }

    pub(super) fn turn(&self) -> Option<Turn> {
        self.engine.turn_of(self.node, self.player())
    }

    pub(super) fn moves(&mut self, moves: &mut Moves) -> Result<(), Error> {
        let engine = self.engine;
        let found = self.machine.search(&engine.shared, || engine.exact(), self.node, Goal::All, moves);
        found.map_err(|halt| self.engine.error(halt, self.node, &self.machine.tags))?;
        moves.steps = self.machine.steps();
        if moves.split {
            order(engine, &engine.pack(&self.machine.cells, self.node), moves);
        }
        Ok(())
    }

    /// Makes the move with these tags; `false` if there is none.
    pub(super) fn make_labelled(&mut self, tags: &[Tag], moves: &mut Moves) -> Result<bool, Error> {
        let engine = self.engine;
        self.machine.wanted.clear();
        self.machine.wanted.extend_from_slice(tags);
        let found = self.machine.search(&engine.shared, || engine.exact(), self.node, Goal::Labelled, moves);
        let found = found.map_err(|halt| engine.error(halt, self.node, &self.machine.tags))?;
        if found {
            self.node = self.machine.node;
        }
        Ok(found)
    }

    /// The tags of the move that was found last, each with the players who see it.
    pub(super) fn seen(&self) -> Vec<(Tag, u64)> {
        let masks = self.machine.masks.iter().copied().chain(std::iter::repeat(u64::MAX));
        self.machine.tags.iter().copied().zip(masks).collect()
    }

    /// All legal moves; none is an error.
    fn decision(&mut self, moves: &mut Moves) -> Result<(), Error> {
        self.moves(moves)?;
        if moves.is_empty() {
            let node = self.engine.node_text(self.node);
            return Err(Error::new(ErrorKind::Stuck, node, "there is no legal move"));
        }
        Ok(())
    }

    fn apply(&mut self, moves: &Moves, index: usize) {
        for &(slot, value) in moves.effects(index) {
            if let Some(cell) = self.machine.cells.get_mut(slot as usize) {
                *cell = W::put(value);
            }
        }
        if let Some(record) = moves.records.get(index) {
            self.node = NodeId::from_index(record.node as usize);
        }
    }

    /// The keeper's moves, until somebody else is to move.
    pub(super) fn complete(&mut self, mut log: Option<&mut Vec<Event>>) -> Result<(), Error> {
        let engine = self.engine;
        let mut made = 0u64;
        let mut moves = Moves::new();
        while self.turn().is_none() {
            let player = self.player();
            if player != engine.shared.program.keeper {
                let value = engine.value_name(engine.shared.program.player_class, player);
                return Err(Error::nobody(engine.node_text(self.node), value));
            }
            let stuck = |node| Error::new(ErrorKind::Stuck, engine.node_text(node), "the keeper has no move");
            if engine.options.checked && !engine.shared.program.keeper_may_choose {
                self.moves(&mut moves)?;
                match moves.len() {
                    0 => return Err(stuck(self.node)),
                    1 => self.apply(&moves, 0),
                    several => {
                        let message = format!("the keeper has a choice between {several} moves");
                        return Err(Error::new(ErrorKind::KeeperChoice, engine.node_text(self.node), message));
                    }
                }
                self.machine.tags.clear();
                self.machine.tags.extend_from_slice(moves.tags(0));
                self.machine.masks.clone_from(&moves.visibility);
            } else {
                let found = self.machine.search(&engine.shared, || engine.exact(), self.node, Goal::First, &mut moves);
                match found.map_err(|halt| engine.error(halt, self.node, &self.machine.tags))? {
                    true => self.node = self.machine.node,
                    false => return Err(stuck(self.node)),
                }
            }
            if let Some(log) = log.as_deref_mut() {
                log.push(Event { mover: None, tags: self.seen() });
            }
            made += 1;
            if made > engine.shared.limits.keeper_moves {
                let message = format!("the keeper made more than {} moves in a row", engine.shared.limits.keeper_moves);
                return Err(Error::new(ErrorKind::Limit, engine.node_text(self.node), message));
            }
        }
        Ok(())
    }

    /// Leaves below the present state, which is not the end, at `depth` of at least 1, `level` plies below the first. The cells
    /// are not restored.
    pub(super) fn perft(&mut self, depth: u32, level: u32, buffers: &mut Vec<Moves>) -> Result<u64, Error> {
        let mut moves = buffers.pop().unwrap_or_default();
        let random = self.turn() == Some(Turn::Random);
        self.decision(&mut moves)?;
        if depth == 1 && !random {
            let leaves = moves.len() as u64;
            buffers.push(moves);
            return Ok(leaves);
        }
        if random {
            self.strict(&mut moves)?;
        }
        let (cells, node) = (self.machine.cells.clone(), self.node);
        let mut seen: FxHashSet<(Vec<W>, NodeId)> = FxHashSet::default();
        let mut sum = 0u64;
        for index in 0..moves.len() {
            self.machine.cells.clone_from(&cells);
            self.node = node;
            self.apply(&moves, index);
            if random {
                let shared = &self.engine.shared;
                shared.program.resets.spares().apply(&mut self.machine.cells, &shared.initial);
                if !seen.insert((self.machine.cells.clone(), self.node)) {
                    continue;
                }
                self.reset();
            }
            let leaves = self.below(depth - 1, level + 1, buffers).map_err(|error| {
                let game = &self.engine.game;
                error.after(text_of(&moves, index, |tag| game.name(Symbol::from_index(tag.0 as usize))))
            });
            sum = sum.saturating_add(leaves?);
        }
        buffers.push(moves);
        Ok(sum)
    }

    /// Forgets what nobody reads any more.
    fn reset(&mut self) {
        let shared = &self.engine.shared;
        shared.program.resets.apply(self.node, &mut self.machine.cells, &shared.initial);
    }

    /// The moves with what they lead to before anything is forgotten, by which perft merges the moves of chance.
    fn strict(&mut self, moves: &mut Moves) -> Result<(), Error> {
        let engine = self.engine;
        self.reset();
        self.machine.strict = true;
        let found = self.machine.search(&engine.shared, || engine.exact(), self.node, Goal::All, moves);
        self.machine.strict = false;
        found.map(drop).map_err(|halt| engine.error(halt, self.node, &self.machine.tags))
    }

    /// Leaves below a state in which the keeper may be to move.
    fn below(&mut self, depth: u32, level: u32, buffers: &mut Vec<Moves>) -> Result<u64, Error> {
        if depth == 0 {
            return Ok(1);
        }
        if level > MAX_PERFT_DEPTH {
            return Err(Error::too_deep(self.engine.node_text(self.node)));
        }
        self.complete(None)?;
        if self.turn() == Some(Turn::End) { Ok(0) } else { self.perft(depth, level, buffers) }
    }

    pub(super) fn playout(&mut self, rng: &mut Rng, moves: &mut Moves, stats: &mut PlayoutStats) -> Result<(), Error> {
        let (mut made, mut plies, mut choices, mut most) = (0u64, 0u64, 0u64, 0u64);
        let limit = self.engine.shared.limits.plies;
        loop {
            cancel::check();
            let turn = self.turn();
            if turn == Some(Turn::End) {
                break;
            }
            if made >= limit {
                return Err(Error::endless(self.engine.node_text(self.node), limit));
            }
            self.decision(moves)?;
            if turn != Some(Turn::Random) {
                plies += 1;
                choices += moves.len() as u64;
                most = most.max(moves.len() as u64);
            }
            self.apply(moves, rng.below(moves.len() as u32) as usize);
            self.complete(None)?;
            made += 1;
        }
        let program = &self.engine.shared.program;
        let field = program.goals.iter().map(|&slot| {
            self.machine.cells.get(slot as usize).map(|c| c.get()).invariant_or(0, "every score has a cell")
        });
        stats.add(plies, choices, most, field);
        Ok(())
    }
}
