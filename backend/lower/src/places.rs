//! Which position a check moves: at every node there is one at most on which depends what comes.
//!
//! Most checks walk with the variable that they begin with; others go on with a second one (`next = up[pos]`, and `pos` is not
//! read any more). Both are walks of one place, which is only called otherwise from some node on.

use super::Lifter;
use super::lane::{Lane, Store, Val};
use super::numbers::path;
use super::region::{Goal, Region};
use rg_ir::ids::Id;
use rg_ir::{Expr, Label, NodeId, VarId};
use rustc_hash::FxHashMap;

/// See the module.
pub(super) struct Places {
    /// The class of all the variables.
    pub(super) class: usize,
    /// The bits of a set of places, in whole words.
    bits: u32,
    /// Those that hold the place somewhere.
    vars: Vec<usize>,
    /// The one that does, by node; without an entry there is none.
    at: FxHashMap<NodeId, usize>,
}

impl Places {
    /// The variable that holds the place at a node, if anything there depends on a place.
    pub(super) fn at(&self, node: NodeId) -> Option<usize> {
        self.at.get(&node).copied()
    }

    /// The variable that holds the place at all nodes, if it is the same one.
    pub(super) fn only(&self) -> Option<usize> {
        match self.vars[..] {
            [var] => Some(var),
            _ => None,
        }
    }

    /// Takes the places from a lane.
    pub(super) fn forgotten_in(&self, lane: &mut Lane) {
        for &var in &self.vars {
            if let Some(slot) = lane.vars.get_mut(var) {
                *slot = Store::Dead;
            }
        }
    }

    /// A lane that has all places at a node: those of its generator.
    pub(super) fn open_at(&self, node: NodeId, lane: &Lane) -> Lane {
        let mut lane = lane.clone();
        if let Some(slot) = self.at(node).and_then(|var| lane.vars.get_mut(var)) {
            *slot = Store::Scalar(Val::Gen((0..self.bits).collect()));
        }
        lane
    }
}

impl Lifter<'_> {
    /// The places of a check, if its result depends only on one at a time and it changes nothing else: everything else is
    /// the same for all choices. Linear in the region.
    pub(super) fn place_only(&self, region: &Region, lane: &Lane) -> Option<Places> {
        let mut vars: Vec<usize> = Vec::new();
        for &node in region.members.iter().flatten().filter(|&&node| region.goal != Goal::Check(node)) {
            for &id in self.game.automaton.outgoing(node) {
                let edge = self.game.automaton.edge(id);
                let (Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. }) = edge.label else { continue };
                if !region.contains(edge.target) {
                    continue;
                }
                let (Expr::Var(var), keys) = path(self.game, lhs) else { return None };
                if !keys.is_empty() {
                    return None;
                }
                vars.push(var.index());
            }
        }
        if vars.is_empty() {
            // Nothing changes: what depends on the choice is looked at where it is.
            return None;
        }
        vars.extend(lane.dependants());
        vars.sort_unstable();
        vars.dedup();
        let class_of = |var: usize| Some(self.known.numbers.vars.get(VarId::from_index(var))?.as_ref().ok()?.class);
        let class = class_of(*vars.first()?)?;
        if !self.is_position(class) || !vars.iter().all(|&var| class_of(var) == Some(class)) {
            return None;
        }
        let mut at = FxHashMap::default();
        for &node in region.members.iter().flatten() {
            if let [var] = vars[..] {
                // Where nobody asks for it, it may as well be there.
                at.insert(node, var);
                continue;
            }
            let mut live = vars.iter().filter(|&&var| self.is_live(node, var));
            let var = live.next().filter(|_| region.goal != Goal::Check(node));
            if var.is_some() && live.next().is_some() {
                return None;
            }
            at.extend(var.map(|&var| (node, var)));
        }
        let bits = super::sets::words(self.known.numbers.size(class)) as u32 * 64;
        Some(Places { class, bits, vars, at })
    }
}
