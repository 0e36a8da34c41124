//! Marks: where a search was before.

use super::{Cell, Halt, MEMORY, Machine, SCOPE, Shared, VISITED};
use crate::program::{FAIL, Pc};
use crate::state::Tag;
use rg_ir::NodeId;
use rustc_hash::FxHashSet;

/// Whole-state marks made in one scope: mark, label (in exact mode) and cells.
pub(super) struct Visited<W> {
    pub(super) scope: u32,
    pub(super) seen: FxHashSet<(u32, u32, Box<[W]>)>,
}

impl<W: Cell> Machine<W> {
    #[inline]
    pub(super) fn open_scope(&mut self) {
        self.trail.push((self.mark_trail.len() as u32, 0));
        self.trail.push((SCOPE, self.scope));
        self.last_scope = self.last_scope.saturating_add(1);
        self.scope = self.last_scope;
    }

    /// Whether this is the first arrival at a mark.
    #[inline]
    pub(super) fn mark(&mut self, shared: &Shared<W>, index: u32) -> Result<bool, Halt> {
        let site = &shared.program.marks[index as usize];
        self.steps += 1;
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
        if self.remembered >= shared.limits.visited {
            return Err(Halt { node, ..self.limit(VISITED, shared.limits.visited) });
        }
        let bytes = (self.cells.len() * W::BYTES) as u64 + 48;
        if self.remembered.saturating_mul(bytes) >= shared.limits.memory {
            return Err(Halt { node, ..self.limit(MEMORY, shared.limits.memory) });
        }
        let (scope, label) = if self.exact { (self.check, self.label()) } else { (self.scope, 0) };
        if self.hashed.last().is_none_or(|visited| visited.scope != scope) {
            self.hashed.push(Visited { scope, seen: FxHashSet::default() });
        }
        let cells = self.cells.as_slice().into();
        let new = self.hashed.last_mut().is_some_and(|visited| visited.seen.insert((index, label, cells)));
        self.remembered += u64::from(new);
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
