//! Decisions of one node, distinguished by the players that variables hold.

use super::lane::{Lane, Store, Val};
use super::layout::{Code, NODE_BITS};
use super::{Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::{NodeId, VarId};

/// Most decisions of one node, by values of variables.
const MAX_CONTEXTS: usize = 8;
/// Most values of a variable that decisions are distinguished by.
const MAX_FIXED: usize = 8;

/// A node where somebody decides, and variables whose values are known whenever this decision is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decider {
    /// The node.
    pub node: NodeId,
    /// Single values of small types, as numbers.
    pub fixed: Vec<(VarId, u32)>,
}

impl Lifter<'_> {
    /// The variables by whose values decisions at a node are distinguished: those that hold players.
    pub(super) fn special(&self, node: NodeId) -> Vec<VarId> {
        // Other code is the same for all values.
        if self.known.code != Code::Sets {
            return Vec::new();
        }
        let form = |var: VarId| self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
        let players = self.known.player.and_then(form).map(|form| form.class);
        let held = |var: VarId| {
            let ty = self.game.vars.get(var).map(|decl| decl.ty).filter(|&ty| self.game.types.is_set(ty));
            ty.map_or(&[][..], |ty| self.game.types.members(ty))
        };
        let small = |var: &VarId| {
            let fits = form(*var).is_some_and(|form| {
                let players = Some(form.class) == players && self.known.numbers.size(form.class) <= MAX_FIXED;
                let only_players = (1..=MAX_FIXED).contains(&held(*var).len())
                    && held(*var).iter().all(|name| self.game.players().contains(name));
                form.keys.is_empty() && (players || only_players)
            });
            fits && self.is_live(node, var.index())
        };
        self.game.vars.ids().filter(small).collect()
    }

    /// The number of the decision to which a lane came.
    pub(super) fn number_of(&mut self, lane: &Lane, node: NodeId) -> Result<u32, Failure> {
        if node == self.game.end() {
            return Ok(0);
        }
        let fixed = self.special(node).into_iter().filter_map(|var| match lane.vars.get(var.index()) {
            Some(Store::Scalar(Val::Const(value))) => Some((var, *value)),
            _ => None,
        });
        let decider = Decider { node, fixed: fixed.collect() };
        if let Some(at) = self.stops.iter().position(|stop| *stop == decider) {
            return Ok(at as u32);
        }
        let decider = match self.stops.iter().filter(|stop| stop.node == node).count() {
            0..MAX_CONTEXTS => decider,
            _ => Decider { node, fixed: Vec::new() },
        };
        if let Some(at) = self.stops.iter().position(|stop| *stop == decider) {
            return Ok(at as u32);
        }
        if self.stops.len() + self.known.nodes.len() >= 1 << NODE_BITS {
            return Err(Failure::new("there are too many decisions"));
        }
        self.stops.push(decider);
        Ok(self.stops.len() as u32 - 1)
    }
}
