//! Marks: where a search was before.

use super::{Cell, Halt, LENGTH, MEMORY, Machine, SCOPE, Shared, VISITED};
use crate::program::{FAIL, Pc};
use engine::state::Tag;
use rg_ir::NodeId;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Whole-state marks of the scopes in progress: a stack, since those of the scope that was begun last are made last and
/// forgotten first, and a hash table of its entries (linear probing, which a stack's order lets forget without traces).
pub(super) struct Visited<W> {
    /// Number of the entry plus 1, or 0.
    table: Vec<u32>,
    entries: Vec<Entry>,
    /// The cells of all entries, one after the other.
    cells: Vec<W>,
}

struct Entry {
    scope: u32,
    mark: u32,
    /// The label's number in exact mode.
    label: u32,
    /// Where the table has the entry.
    slot: u32,
}

/// Slots and cells that are kept from one search to the next.
const MAX_KEPT: usize = 1 << 20;

impl<W> Default for Visited<W> {
    fn default() -> Self {
        Self { table: Vec::new(), entries: Vec::new(), cells: Vec::new() }
    }
}

impl<W: Cell> Visited<W> {
    /// Number of marks.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.table.len() > MAX_KEPT || self.cells.len() > MAX_KEPT {
            *self = Self::default();
            return;
        }
        for entry in self.entries.drain(..) {
            if let Some(slot) = self.table.get_mut(entry.slot as usize) {
                *slot = 0;
            }
        }
        self.cells.clear();
    }

    /// Forgets the marks of a scope, if they are the last ones.
    #[inline]
    pub(super) fn forget(&mut self, scope: u32, len: usize) {
        while let Some(entry) = self.entries.pop_if(|entry| entry.scope == scope) {
            if let Some(slot) = self.table.get_mut(entry.slot as usize) {
                *slot = 0;
            }
            self.cells.truncate(self.entries.len() * len);
        }
    }

    /// Makes a mark; whether it is new.
    fn insert(&mut self, scope: u32, mark: u32, label: u32, cells: &[W]) -> bool {
        if self.table.len() < 2 * (self.entries.len() + 1) {
            self.grow(cells.len());
        }
        let slot = match self.find(scope, mark, label, cells) {
            Ok(_) => return false,
            Err(slot) => slot,
        };
        self.entries.push(Entry { scope, mark, label, slot: slot as u32 });
        self.cells.extend_from_slice(cells);
        self.table[slot] = self.entries.len() as u32;
        true
    }

    /// The place of a mark in the table, or where it belongs.
    fn find(&self, scope: u32, mark: u32, label: u32, cells: &[W]) -> Result<usize, usize> {
        let mask = self.table.len() - 1;
        let mut at = hash(scope, mark, label, cells) as usize & mask;
        loop {
            let Some(number) = self.table[at].checked_sub(1) else { return Err(at) };
            let entry = &self.entries[number as usize];
            let start = number as usize * cells.len();
            if (entry.scope, entry.mark, entry.label) == (scope, mark, label)
                && self.cells[start..start + cells.len()] == *cells
            {
                return Ok(at);
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self, len: usize) {
        self.table = vec![0; (4 * (self.entries.len() + 1)).next_power_of_two().max(64)];
        for number in 0..self.entries.len() {
            let Entry { scope, mark, label, .. } = self.entries[number];
            let found = self.find(scope, mark, label, &self.cells[number * len..(number + 1) * len]);
            let (Ok(slot) | Err(slot)) = found;
            self.entries[number].slot = slot as u32;
            self.table[slot] = number as u32 + 1;
        }
    }
}

fn hash<W: Cell>(scope: u32, mark: u32, label: u32, cells: &[W]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(scope) << 32 | u64::from(mark));
    hasher.write_u32(label);
    W::hash_slice(cells, &mut hasher);
    hasher.finish()
}

impl<W: Cell> Machine<W> {
    #[inline]
    pub(super) fn open_scope(&mut self) {
        self.trail.push((LENGTH, self.mark_trail.len() as u32));
        self.trail.push((SCOPE, self.scope));
        self.last_scope = self.last_scope.saturating_add(1);
        self.scope = self.last_scope;
    }

    /// Whether this is the first arrival at a mark.
    #[inline]
    pub(super) fn mark(&mut self, shared: &Shared<W>, index: u32) -> Result<bool, Halt> {
        let site = &shared.program.marks[index as usize];
        self.steps += 1;
        if site.base == FAIL {
            let unremembered = &mut self.unremembered[usize::from(site.patient)];
            if let Some(left) = unremembered.checked_sub(1) {
                *unremembered = left;
                return Ok(true);
            }
        }
        if self.exact || site.base == FAIL {
            return self.remember(shared, index, Some(site.node));
        }
        let mut at = site.base;
        for &(slot, stride) in &site.slots {
            at += self.slot(slot) * stride;
        }
        let mark = &mut self.marks[at as usize];
        if *mark == self.scope {
            return Ok(false);
        }
        self.mark_trail.push((at, *mark));
        *mark = self.scope;
        Ok(true)
    }

    /// Whether the whole state arrives for the first time at a mark, within the scope or (in exact mode) with these tags
    /// in this search or check.
    pub(super) fn remember(&mut self, shared: &Shared<W>, index: u32, node: Option<NodeId>) -> Result<bool, Halt> {
        let remembered = self.hashed.len() as u64;
        if remembered >= shared.limits.visited {
            return Err(Halt { node, ..self.limit(VISITED, shared.limits.visited) });
        }
        let bytes = (self.cells.len() * W::BYTES) as u64 + 48;
        if remembered.saturating_mul(bytes) >= shared.limits.memory {
            return Err(Halt { node, ..self.limit(MEMORY, shared.limits.memory) });
        }
        let (scope, label) = if self.exact { (self.check, self.label()) } else { (self.scope, 0) };
        let new = self.hashed.insert(scope, index, label, &self.cells);
        Ok(new)
    }

    /// In exact mode every tag is a mark: walks with equal tags that met in different scopes go on as one from here.
    #[inline(always)]
    pub(super) fn repeats(&mut self, shared: &Shared<W>, pc: Pc) -> Result<bool, Halt> {
        Ok(self.exact && !self.remember(shared, shared.program.marks.len() as u32 + pc, None)?)
    }

    /// Number of the tags so far, for exact mode; tags do not count in checks.
    pub(super) fn label(&self) -> u32 {
        let last = self.tags.len().checked_sub(1).filter(|_| self.check == 0);
        last.and_then(|last| self.prefixes.get(last)).copied().unwrap_or(0)
    }

    /// Numbers the label that ends with a tag that is about to be emitted.
    #[cold]
    pub(super) fn lengthen(&mut self, tag: Tag) {
        self.prefixes.truncate(self.tags.len());
        let next = self.labels.len() as u32 + 1;
        let before = self.prefixes.last().copied().unwrap_or(0);
        self.prefixes.push(*self.labels.entry((before, tag)).or_insert(next));
    }
}
