//! For whom walks come by a node: for moves, for the checks that look for one node, or for several of these.

use crate::effects::main_part;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, Game, Label, NodeId};

/// For whom walks come by a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// No player does.
    Nobody,
    /// Only checks, all of which look for this node.
    Check(NodeId),
    /// Moves, or checks that look for different nodes.
    Many,
}

impl Owner {
    fn join(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::Nobody, owner) | (owner, Owner::Nobody) => owner,
            (a, b) if a == b => a,
            _ => Owner::Many,
        }
    }
}

/// The owner of every node. A walk of a check ends where it finds what it looks for.
#[derive(Clone, Debug)]
pub struct Owners {
    owners: Vec<Owner>,
    looked_for: Vec<NodeId>,
}

impl Owners {
    /// Follows all walks in the graph. O(nodes + edges).
    pub fn of(game: &Game) -> Self {
        let automaton = &game.automaton;
        let mut owners = vec![Owner::Nobody; automaton.node_bound()];
        let mut looked_for: Vec<NodeId> = Vec::new();
        let mut work: Vec<NodeId> = Vec::new();
        let join = |owners: &mut Vec<Owner>, work: &mut Vec<NodeId>, node: NodeId, owner: Owner| {
            if let Some(slot) = owners.get_mut(node.index()) {
                let joined = slot.join(owner);
                if joined != *slot {
                    *slot = joined;
                    work.push(node);
                }
            }
        };
        for (_, edge) in automaton.edges() {
            if let Label::Reach { from, to, .. } = edge.label {
                looked_for.push(to);
                join(&mut owners, &mut work, from, Owner::Check(to));
            }
        }
        if !looked_for.is_empty() {
            for node in main_part(game).ones() {
                join(&mut owners, &mut work, NodeId::from_index(node), Owner::Many);
            }
        }
        while let Some(node) = work.pop() {
            let owner = owners.get(node.index()).copied().unwrap_or(Owner::Nobody);
            if owner == Owner::Check(node) {
                continue;
            }
            for &edge in automaton.outgoing(node) {
                join(&mut owners, &mut work, automaton.edge(edge).target, owner);
            }
        }
        looked_for.sort_unstable();
        looked_for.dedup();
        Self { owners, looked_for }
    }

    /// The owner of a node.
    pub fn at(&self, node: NodeId) -> Owner {
        self.owners.get(node.index()).copied().unwrap_or(Owner::Nobody)
    }

    /// The nodes that checks look for, ascending.
    pub fn looked_for(&self) -> &[NodeId] {
        &self.looked_for
    }

    /// The nodes owned by checks from which a walk by edges that `passes` leads to what the checks look for, or, if
    /// `generous`, to a node with several owners; that node itself is not one of them. O(nodes + edges).
    pub fn leading(&self, game: &Game, generous: bool, passes: impl Fn(&Edge) -> bool) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.owners.len());
        let many = |&node: &NodeId| generous && self.at(node) == Owner::Many;
        let mut work: Vec<NodeId> = self.looked_for.clone();
        work.extend(game.automaton.nodes().filter(many));
        while let Some(node) = work.pop() {
            for &id in game.automaton.incoming(node) {
                let edge = game.automaton.edge(id);
                let Owner::Check(wanted) = self.at(edge.source) else { continue };
                let arrives = node == wanted || found.contains(node.index()) || many(&node);
                if arrives && edge.source != wanted && passes(edge) && !found.put(edge.source.index()) {
                    work.push(edge.source);
                }
            }
        }
        found
    }
}
