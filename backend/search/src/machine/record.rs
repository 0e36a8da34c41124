//! Recording moves: each label once, or once for every outcome.

use super::{Cell, Halt, MOVES_TOO_LARGE, Machine, Shared};
use engine::ErrorKind;
use engine::canonical::Reset;
use engine::state::{Moves, Record, Tag};
use rg_ir::NodeId;
use rg_ir::ids::Id;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A label with the cells and the node that it leads to.
pub(super) type Outcome<W> = (Box<[Tag]>, Box<[W]>, NodeId);

/// Finds moves by their tags: linear probing, in a table no larger than the present search needs, so that it stays in the
/// processor's caches.
#[derive(Default)]
pub(super) struct Dedupe {
    /// Number of the entry plus 1, or 0; only the first `size` are in use.
    slots: Vec<u32>,
    size: usize,
    /// Part of the hash, and number of the move.
    entries: Vec<(u32, u32)>,
}

/// Slots to begin with.
const SLOTS: usize = 64;
/// So many moves are looked through one by one.
const FEW: usize = 16;

impl Dedupe {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.size = 0;
    }

    /// The recorded move with these tags; otherwise records that the next one, number `moves.len()`, has them.
    pub(super) fn find(&mut self, moves: &Moves, tags: &[Tag]) -> Option<usize> {
        let hash = hash(tags);
        if self.entries.len() < FEW {
            let same = |&&(known, index): &&(u32, u32)| known == hash && moves.tags(index as usize) == tags;
            if let Some(&(_, index)) = self.entries.iter().find(same) {
                return Some(index as usize);
            }
            self.entries.push((hash, moves.len() as u32));
            return None;
        }
        if self.size < 2 * (self.entries.len() + 1) {
            self.grow();
        }
        let mask = self.size - 1;
        let mut at = hash as usize & mask;
        while let Some(number) = self.slots[at].checked_sub(1) {
            let (known, index) = self.entries[number as usize];
            if known == hash && moves.tags(index as usize) == tags {
                return Some(index as usize);
            }
            at = (at + 1) & mask;
        }
        self.entries.push((hash, moves.len() as u32));
        self.slots[at] = self.entries.len() as u32;
        None
    }

    fn grow(&mut self) {
        self.size = (4 * self.size).max(SLOTS);
        if self.slots.len() < self.size {
            self.slots.resize(self.size, 0);
        }
        self.slots[..self.size].fill(0);
        let mask = self.size - 1;
        for (number, &(hash, _)) in (1..).zip(&self.entries) {
            let mut at = hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = number;
        }
    }
}

#[inline]
fn hash(tags: &[Tag]) -> u32 {
    // Two tags at a time: labels may be long.
    let mut hasher = FxHasher::default();
    for pair in tags.chunks(2) {
        hasher.write_u64(pair.iter().fold(0, |word, tag| word << 32 | u64::from(tag.0)));
    }
    hasher.finish() as u32
}

impl<W: Cell> Machine<W> {
    /// Adds the move that was just completed, unless it is there already.
    pub(super) fn record(&mut self, shared: &Shared<W>, node: NodeId, moves: &mut Moves) -> Result<(), Halt> {
        if !self.labels_unique
            && let Some(index) = self.dedupe.find(moves, &self.tags)
        {
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
            return Err(self.limit(MOVES_TOO_LARGE, shared.limits.memory));
        }
        let (tags, effects) = (moves.tags.len() as u32, moves.effects.len() as u32);
        moves.records.push(Record { tags, effects, node: node.index() as u32 });
        moves.tags.extend_from_slice(&self.tags);
        if shared.program.visible.is_some() {
            moves.visibility.extend(self.masks.iter().take(self.tags.len()));
        }
        // What is only used within moves is left out, and the entries of scopes, which are no cells.
        let cells = self.cells.len() as u32;
        let lasting = if self.strict { cells } else { cells.min(shared.lasting) };
        let lasting = self.cells.get(..lasting as usize).unwrap_or(&[]);
        moves.effects.resize(moves.effects.len() + self.trail.len(), (0, 0));
        let mut end = effects as usize;
        for &(slot, _) in self.trail.iter().rev() {
            if let (Some(cell), Some(effect)) = (lasting.get(slot as usize), moves.effects.get_mut(end)) {
                *effect = (slot, cell.get());
                end += 1;
            }
        }
        moves.effects.truncate(end);
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
        for &(slot, old) in self.trail.iter().rev() {
            // Entries of scopes are no cells.
            if let Some(cell) = other.get_mut(slot as usize) {
                *cell = W::put(old);
            }
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
