//! Where a search needs marks, and what tells two arrivals apart.
//!
//! Between two *scopes* of a search (the last tag, the last write to a map, or its start) everything is determined by
//! the scalar variables written since: two arrivals at a node within one scope are the same if these agree. So a mark is
//! a bit per node and combination of these values, kept as the number of the scope that set it. A scope is left by
//! backtracking over its beginning, which gives the marks of the scope around it back.
//!
//! Writes to maps on cycles cannot begin scopes, since the search would then not end; nodes on such cycles, and those
//! with too many combinations, use a hash set of whole states.

use super::distinct::Distinct;
use super::layout::Layout;
use super::region::{Kind, Region};
use super::step::Step;
use super::{Ex, FAIL, MarkSite};
use fixedbitset::FixedBitSet;
use rg_ir::VarId;
use rg_ir::ids::Id;

/// Largest number of combinations of a mark in an array.
const MAX_COMBINATIONS: u32 = 1 << 16;
/// Largest mark array of a program, in entries.
const MAX_ARRAY: u32 = 1 << 24;

/// Which nodes have marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marking {
    /// Those at which two arrivals *in one scope* may be the same: what a search that tells walks apart by scopes needs.
    WhereNeeded,
    /// All at which walks may become the same: what an exact search needs, which knows walks by all their tags and so
    /// also finds those that meet again after different scopes.
    Everywhere,
}

/// The marks of a region.
pub(super) struct Marks {
    /// Per node: its mark site, if it has one.
    pub(super) sites: Vec<Option<MarkSite>>,
    /// Per node: whether a scope must begin *after* the steps that begin one and lead here.
    pub(super) scoped: Vec<bool>,
    /// Per node with a mark in the hash set, on a cycle to which only one way leads: where that way comes from. Arrivals by
    /// it differ because those before did, so only those that have gone round are looked up.
    way_in: Vec<Option<usize>>,
}

impl Marks {
    /// Decides on marks. `used` is the length of the mark array so far and is increased. Nodes with
    /// `unique_labels` are never reached twice with one label ([`super::labels`]). Near-linear in the size of the region times the
    /// number of scalar variables written in one scope.
    pub(super) fn new(
        region: &Region,
        layout: &Layout,
        exprs: &[Ex],
        used: &mut u32,
        marking: Marking,
        unique_labels: &[bool],
    ) -> Self {
        let count = region.nodes.len();
        let mut marks = Self { sites: vec![None; count], scoped: vec![false; count], way_in: vec![None; count] };
        let has_unique_label = |index: usize| unique_labels.get(index).copied().unwrap_or(false);
        // Elsewhere no node wants a mark.
        let meets = |index: usize| region.arrivals[index] > 1 || region.forgets[index].is_some();
        let candidates: Vec<usize> = (0..count).filter(|&index| meets(index) && !has_unique_label(index)).collect();
        if candidates.is_empty() {
            return marks;
        }
        let written = marks.written(region, layout.vars.len());
        let proved = match marking {
            Marking::Everywhere => vec![false; count],
            Marking::WhereNeeded => Distinct::new(region, layout, exprs).proved(),
        };
        for index in candidates {
            if marks.wants_mark(region, &written, index, marking) && !proved[index] {
                marks.sites[index] = Some(site(region, layout, &written[index], index, used));
            }
        }
        if marking == Marking::WhereNeeded {
            marks.ways_in(region);
        }
        marks.scopes(region);
        marks
    }

    fn ways_in(&mut self, region: &Region) {
        let count = region.nodes.len();
        let mut ways: Vec<(usize, usize)> = vec![(0, 0); count];
        for (source, list) in region.alternatives.iter().enumerate() {
            for target in list.iter().map(|way| way.target).filter(|&target| target < count) {
                if region.component[source] != region.component[target] {
                    ways[target] = (ways[target].0 + 1, source);
                }
            }
        }
        for (index, (outside, source)) in ways.into_iter().enumerate().skip(region.entries) {
            let hashed = self.sites[index].as_ref().is_some_and(|site| site.base == FAIL);
            if hashed && outside == 1 && region.forgets[index].is_none() {
                self.way_in[index] = Some(source);
            }
        }
    }

    /// Whether a walk from `source` to a node with a mark need not be looked up.
    pub(super) fn is_way_in(&self, source: usize, node: usize) -> bool {
        self.way_in[node] == Some(source)
    }

    /// For every node the variables that may have been written since the scope began. The bit after the last variable
    /// stands for writes to maps.
    fn written(&self, region: &Region, vars: usize) -> Vec<FixedBitSet> {
        let mut sets = vec![FixedBitSet::with_capacity(vars + 1); region.nodes.len()];
        let mut queued = vec![true; region.nodes.len()];
        let mut stack: Vec<usize> = (0..region.nodes.len()).rev().collect();
        while let Some(index) = stack.pop() {
            queued[index] = false;
            for alternative in &region.alternatives[index] {
                let target = alternative.target;
                if target >= sets.len() || region.opens(&alternative.step, index, target) {
                    continue;
                }
                let mut next = sets[index].clone();
                match &alternative.step {
                    Step::Write { var, scalar: true, .. } | Step::Each { var, scalar: true, .. } => {
                        next.insert(var.index());
                    }
                    Step::Write { .. } | Step::Each { .. } => next.insert(vars),
                    _ => {}
                }
                if !next.is_subset(&sets[target]) {
                    sets[target].union_with(&next);
                    if !std::mem::replace(&mut queued[target], true) {
                        stack.push(target);
                    }
                }
            }
        }
        sets
    }

    /// Marks stand where ways meet, and where a variable that was written in the scope is forgotten (two arrivals with
    /// different values go on as one).
    fn wants_mark(&self, region: &Region, written: &[FixedBitSet], index: usize, marking: Marking) -> bool {
        if region.is_target(index) {
            return false;
        }
        if region.arrivals[index] > 1 {
            return true;
        }
        let everywhere = marking == Marking::Everywhere;
        region.forgets[index].is_some_and(|(source, var)| everywhere || written[source].contains(var.index()))
    }

    /// A scope is only begun where a mark can be met before the next one begins.
    fn scopes(&mut self, region: &Region) {
        let count = region.nodes.len();
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (index, list) in region.alternatives.iter().enumerate() {
            for alternative in list {
                if alternative.target < count && !region.opens(&alternative.step, index, alternative.target) {
                    back[alternative.target].push(index);
                }
            }
        }
        let mut stack: Vec<usize> = (0..count).filter(|&i| self.sites[i].is_some()).collect();
        for &index in &stack {
            self.scoped[index] = true;
        }
        while let Some(index) = stack.pop() {
            for &source in &back[index] {
                if !std::mem::replace(&mut self.scoped[source], true) {
                    stack.push(source);
                }
            }
        }
    }
}

/// The mark site of a node.
fn site(region: &Region, layout: &Layout, written: &FixedBitSet, index: usize, used: &mut u32) -> MarkSite {
    let node = region.nodes[index];
    let patient = region.kind != Kind::Moves;
    let hashed = MarkSite { base: FAIL, slots: Vec::new(), patient, node };
    let mut stride = 1u32;
    let mut slots = Vec::new();
    for var in written.ones() {
        if var >= layout.vars.len() {
            return hashed;
        }
        let field = &layout.vars[VarId::from_index(var)];
        let size = layout.classes.members(field.class).len() as u32;
        slots.push((field.offset, stride));
        match stride.checked_mul(size) {
            Some(product) if product <= MAX_COMBINATIONS => stride = product,
            _ => return hashed,
        }
    }
    if *used + stride > MAX_ARRAY {
        return hashed;
    }
    *used += stride;
    MarkSite { base: *used - stride, slots, patient, node }
}
