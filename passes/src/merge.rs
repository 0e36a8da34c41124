//! Making one node of several.

use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, Game, Label, NodeId};
use rustc_hash::FxHashSet;

/// Sets of nodes, each of which is to become one node. Joining and finding take amortised logarithmic time.
#[derive(Clone, Debug)]
pub struct Merge {
    parent: Vec<NodeId>,
    joined: usize,
    begin: NodeId,
    end: NodeId,
}

impl Merge {
    /// Every node alone.
    pub fn new(game: &Game) -> Self {
        let parent = (0..game.automaton.node_bound()).map(NodeId::from_index).collect();
        Self { parent, joined: 0, begin: game.begin(), end: game.end() }
    }

    /// The node that the set of `node` becomes.
    pub fn find(&mut self, mut node: NodeId) -> NodeId {
        while let Some(&parent) = self.parent.get(node.index()).filter(|&&parent| parent != node) {
            let above = self.parent.get(parent.index()).copied().unwrap_or(parent);
            if let Some(slot) = self.parent.get_mut(node.index()) {
                *slot = above;
            }
            node = above;
        }
        node
    }

    /// Joins two sets, which become what the first one becomes; but `begin` and `end` always stay. Returns the node
    /// that both become. A caller must not join `begin` and `end`.
    pub fn join(&mut self, into: NodeId, node: NodeId) -> NodeId {
        let (mut kept, mut gone) = (self.find(into), self.find(node));
        if kept == gone {
            return kept;
        }
        if gone == self.begin || gone == self.end {
            (kept, gone) = (gone, kept);
        }
        if let Some(slot) = self.parent.get_mut(gone.index()) {
            *slot = kept;
            self.joined += 1;
        }
        kept
    }

    /// Whether no two nodes were joined.
    pub fn is_empty(&self) -> bool {
        self.joined == 0
    }

    /// Makes one node of each set: edges and checks that had any of its nodes now have that one. Of edges that become
    /// equal one stays, skips from a node to itself go. Whether anything changed. O(nodes + edges).
    ///
    /// If a tag came to lead from a node to itself, nothing is done. It must not, and it never does in a proper game,
    /// where the passes join nodes only if such a tag could be repeated for ever.
    pub fn apply(mut self, game: &mut Game) -> bool {
        if self.is_empty() || self.joins_ends_of_a_tag(game) {
            return false;
        }
        let mut seen: FxHashSet<(NodeId, NodeId, Label)> = FxHashSet::default();
        game.automaton.edit_edges(|_, edge| {
            self.redirect(edge);
            let idle = edge.label == Label::Skip && edge.source == edge.target;
            !idle && seen.insert((edge.source, edge.target, edge.label))
        });
        let gone: Vec<NodeId> = game.automaton.nodes().filter(|&node| self.find(node) != node).collect();
        gone.into_iter().for_each(|node| game.remove_node(node));
        true
    }

    fn joins_ends_of_a_tag(&mut self, game: &Game) -> bool {
        game.automaton.edges().any(|(_, edge)| {
            let tag = matches!(edge.label, Label::Tag(_) | Label::TagVar(_));
            tag && self.find(edge.source) == self.find(edge.target)
        })
    }

    fn redirect(&mut self, edge: &mut Edge) {
        edge.source = self.find(edge.source);
        edge.target = self.find(edge.target);
        if let Label::Reach { from, to, .. } = &mut edge.label {
            (*from, *to) = (self.find(*from), self.find(*to));
        }
    }
}

/// What the nodes of a game are besides places that walks come by: bit sets by node index.
#[derive(Clone, Debug)]
pub struct Roles {
    /// Where checks start.
    pub starts: FixedBitSet,
    /// What checks look for.
    pub targets: FixedBitSet,
    /// Where moves start: `begin` and the targets of assignments to `player`.
    pub moves: FixedBitSet,
}

impl Roles {
    /// Finds them. O(edges).
    pub fn of(game: &Game) -> Self {
        let empty = || FixedBitSet::with_capacity(game.automaton.node_bound());
        let mut roles = Self { starts: empty(), targets: empty(), moves: empty() };
        roles.moves.insert(game.begin().index());
        for (_, edge) in game.automaton.edges() {
            if let Label::Reach { from, to, .. } = edge.label {
                roles.starts.insert(from.index());
                roles.targets.insert(to.index());
            } else if game.ends_move(&edge.label) {
                roles.moves.insert(edge.target.index());
            }
        }
        roles
    }
}
