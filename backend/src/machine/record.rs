//! Recording moves: each label once, or once for every outcome.

use super::{Cell, Halt, Machine, SCOPE, Shared};
use crate::canonical::Reset;
use crate::error::ErrorKind;
use crate::state::{Moves, Record, Tag};
use rg_ir::NodeId;
use rg_ir::ids::Id;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A label with the cells and the node that it leads to.
pub(super) type Outcome<W> = (Box<[Tag]>, Box<[W]>, NodeId);

/// Finds moves by their tags: open addressing, cleared by a generation count.
#[derive(Default)]
pub(super) struct Dedupe {
    slots: Vec<(u32, u32)>,
    generation: u32,
}

impl Dedupe {
    pub(super) fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.clear();
            self.generation = 1;
        }
    }

    /// The recorded move with these tags; otherwise records that the next one, number `moves.len()`, has them.
    pub(super) fn find(&mut self, moves: &Moves, tags: &[Tag]) -> Option<usize> {
        if self.slots.len() < 2 * (moves.len() + 1) {
            self.slots = vec![(0, 0); (4 * (moves.len() + 1)).next_power_of_two().max(64)];
            for index in 0..moves.len() {
                let _ = self.probe(moves, moves.tags(index), index as u32);
            }
        }
        self.probe(moves, tags, moves.len() as u32)
    }

    #[inline]
    fn probe(&mut self, moves: &Moves, tags: &[Tag], new: u32) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash(tags) as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.0 != self.generation {
                *slot = (self.generation, new);
                return None;
            }
            if moves.tags(slot.1 as usize) == tags {
                return Some(slot.1 as usize);
            }
            at = (at + 1) & mask;
        }
    }
}

#[inline]
fn hash(tags: &[Tag]) -> u64 {
    let mut hasher = FxHasher::default();
    for tag in tags {
        hasher.write_u32(tag.0);
    }
    hasher.finish() >> 7
}

impl<W: Cell> Machine<W> {
    /// Adds the move that was just completed, unless it is there already.
    pub(super) fn record(&mut self, shared: &Shared<W>, node: NodeId, moves: &mut Moves) -> Result<(), Halt> {
        if let Some(index) = self.dedupe.find(moves, &self.tags) {
            if self.same_outcome(shared, moves, index, node) {
                return Ok(());
            }
            if !shared.split && !self.strict {
                return Err(Halt { kind: ErrorKind::Ambiguous, what: "", limit: 0, node: Some(node) });
            }
            let mut cells = self.cells.clone().into_boxed_slice();
            if !self.strict {
                shared.program.resets.apply(node, &mut cells, &shared.initial);
            }
            if !self.outcomes.insert((self.tags.as_slice().into(), cells, node)) {
                return Ok(());
            }
            moves.split = true;
        }
        if moves.len() as u64 >= shared.limits.moves {
            return Err(self.limit("legal moves", shared.limits.moves));
        }
        let outcomes = self.outcomes.len() * (self.cells.len() * W::BYTES + 64);
        if (8 * (moves.tags.len() + moves.effects.len()) + outcomes) as u64 > shared.limits.memory {
            return Err(self.limit("bytes of tags and writes of legal moves", shared.limits.memory));
        }
        let (tags, effects) = (moves.tags.len() as u32, moves.effects.len() as u32);
        moves.records.push(Record { tags, effects, node: node.index() as u32 });
        moves.tags.extend_from_slice(&self.tags);
        if shared.program.visible.is_some() {
            moves.visibility.extend(self.masks.iter().take(self.tags.len()));
        }
        let lasting = if self.strict { SCOPE } else { shared.lasting };
        let mut scope = false;
        for &(slot, _) in self.trail.iter().rev() {
            // The entry below a scope entry is a length, not a cell. What is only used within moves is left out.
            if std::mem::replace(&mut scope, slot == SCOPE) || slot >= lasting {
                continue;
            }
            moves.effects.push((slot, self.cells[slot as usize].get()));
        }
        if let Some(reset) = shared.program.resets.sometimes_at(node).filter(|_| !shared.keep_dead && !self.strict) {
            self.put_back(shared, reset, moves);
        }
        Ok(())
    }

    /// Adds what a move puts back to the initial value.
    fn put_back(&self, shared: &Shared<W>, reset: &Reset, moves: &mut Moves) {
        for &(start, end) in &reset.ranges {
            let range = start as usize..end as usize;
            if self.cells[range.clone()] == shared.initial[range.clone()] {
                continue;
            }
            let changed = range.filter(|&slot| self.cells[slot] != shared.initial[slot]);
            moves.effects.extend(changed.map(|slot| (slot as u32, shared.initial[slot].get())));
        }
    }

    /// Whether a recorded move has the outcome of the one just completed.
    fn same_outcome(&self, shared: &Shared<W>, moves: &Moves, index: usize, node: NodeId) -> bool {
        if moves.records.get(index).map(|r| r.node) != Some(node.index() as u32) {
            return false;
        }
        let mut other = self.cells.clone();
        let mut scope = false;
        for &(slot, old) in self.trail.iter().rev() {
            if std::mem::replace(&mut scope, slot == SCOPE) || slot == SCOPE {
                continue;
            }
            other[slot as usize] = W::put(old);
        }
        for &(slot, value) in moves.effects(index) {
            other[slot as usize] = W::put(value);
        }
        match shared.program.resets.at(node).filter(|_| !self.strict) {
            Some(reset) => reset.same_outside(&other, &self.cells),
            None => other == self.cells,
        }
    }
}
