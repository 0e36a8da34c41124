//! The automaton: a directed multigraph of nodes and labelled edges, on petgraph behind our own ids.

use crate::ids::{EdgeId, ExprId, Id, NodeId, Symbol, TypeId, VarId};
use crate::source::Span;
use petgraph::Direction;
use petgraph::stable_graph::{EdgeIndex, NodeIndex, StableDiGraph};

/// What an edge does (section 8.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// Nothing.
    Skip,
    /// `lhs == rhs` or, negated, `lhs != rhs`.
    Compare {
        /// Left side.
        lhs: ExprId,
        /// Right side.
        rhs: ExprId,
        /// Whether the edge needs the values to differ.
        negated: bool,
    },
    /// `lhs = rhs`.
    Assign {
        /// A variable, through accesses and casts.
        lhs: ExprId,
        /// The new value.
        rhs: ExprId,
    },
    /// `lhs = T(*)`: any member of the set type.
    AssignAny {
        /// A variable, through accesses and casts.
        lhs: ExprId,
        /// The set type to choose from.
        ty: TypeId,
    },
    /// `$ tag`.
    Tag(Symbol),
    /// `$$ variable`: the variable's value is the tag.
    TagVar(VarId),
    /// `? from -> to` or, negated, `! from -> to`.
    Reach {
        /// Where the checked walk starts.
        from: NodeId,
        /// Where it has to arrive.
        to: NodeId,
        /// Whether the edge needs that there is no such walk.
        negated: bool,
    },
}

impl Label {
    /// The expressions of the label in source order.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + use<> {
        let (first, second) = match *self {
            Label::Compare { lhs, rhs, .. } | Label::Assign { lhs, rhs } => (Some(lhs), Some(rhs)),
            Label::AssignAny { lhs, .. } => (Some(lhs), None),
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// A place in the rules.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name; unique in a game.
    pub name: Symbol,
    /// Where it comes from.
    pub span: Span,
}

/// A step of the rules.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where the step starts.
    pub source: NodeId,
    /// Where it leads.
    pub target: NodeId,
    /// What it does.
    pub label: Label,
    /// The whole edge (RG text) or the source construct it stands for.
    pub span: Span,
    /// Spans of the label's expressions in the order of [`crate::Exprs::preorder`], left side first; may be empty
    /// (generated edges), in which case `span` stands for all of them.
    pub spans: Box<[Span]>,
}

/// The automaton of a game.
///
/// The outgoing edges of a node are kept in ascending order of their ids, which for a freshly built game is the order
/// in which they were added. Ids are stable under removal; [`crate::Game::compact`] closes the holes.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    graph: StableDiGraph<Node, Edge, u32>,
    out: Vec<Vec<EdgeId>>,
    inc: Vec<Vec<EdgeId>>,
}

impl Automaton {
    /// Adds a node. Names are not checked for uniqueness here; [`crate::Game::node`] finds or adds one by name.
    pub fn add_node(&mut self, name: Symbol, span: Span) -> NodeId {
        let index = self.graph.add_node(Node { name, span }).index();
        if self.out.len() <= index {
            self.out.resize_with(index + 1, Vec::new);
            self.inc.resize_with(index + 1, Vec::new);
        }
        NodeId::from_index(index)
    }

    /// Gives a node a place if it has none yet: `begin` and `end` are there before any text.
    pub(crate) fn locate_node(&mut self, id: NodeId, span: Span) {
        if let Some(node) = self.graph.node_weight_mut(node_index(id)).filter(|node| !node.span.is_some()) {
            node.span = span;
        }
    }

    /// Adds an edge without sub-spans.
    pub fn add_edge(&mut self, source: NodeId, target: NodeId, label: Label, span: Span) -> EdgeId {
        self.insert(Edge { source, target, label, span, spans: Box::default() })
    }

    /// Adds an edge. Both ends must be nodes of this automaton.
    pub fn insert(&mut self, edge: Edge) -> EdgeId {
        let (source, target) = (edge.source, edge.target);
        let index = self.graph.add_edge(node_index(source), node_index(target), edge);
        let id = EdgeId::from_index(index.index());
        for list in [&mut self.out[source.index()], &mut self.inc[target.index()]] {
            let at = list.partition_point(|&other| other < id);
            list.insert(at, id);
        }
        id
    }

    /// Removes an edge; `None` if it was removed before.
    pub fn remove_edge(&mut self, id: EdgeId) -> Option<Edge> {
        let edge = self.graph.remove_edge(edge_index(id))?;
        for list in [&mut self.out[edge.source.index()], &mut self.inc[edge.target.index()]] {
            if let Ok(at) = list.binary_search(&id) {
                list.remove(at);
            }
        }
        Some(edge)
    }

    /// Lets `edit` change every edge, in ascending order: its ends, its label (clear [`Edge::spans`] then), or, by
    /// returning `false`, that it is there at all. Edges are numbered anew without holes, in the same order; nodes keep
    /// their ids. O(nodes + edges): the way to make many changes, since single removals cost the degree of a node.
    pub fn edit_edges(&mut self, mut edit: impl FnMut(EdgeId, &mut Edge) -> bool) {
        let ids: Vec<EdgeIndex<u32>> = self.graph.edge_indices().collect();
        let mut kept = Vec::with_capacity(ids.len());
        for index in ids {
            let Some(weight) = self.graph.edge_weight_mut(index) else { continue };
            let empty = Edge { spans: Box::default(), ..*weight };
            let mut edge = std::mem::replace(weight, empty);
            if edit(EdgeId::from_index(index.index()), &mut edge) {
                kept.push(edge);
            }
        }
        self.graph.clear_edges();
        self.out.iter_mut().chain(&mut self.inc).for_each(Vec::clear);
        for edge in kept {
            self.insert(edge);
        }
    }

    /// Removes a node with all its edges; `None` if it was removed before.
    pub fn remove_node(&mut self, id: NodeId) -> Option<Node> {
        for edge in self.out.get(id.index()).cloned().unwrap_or_default() {
            self.remove_edge(edge);
        }
        for edge in self.inc.get(id.index()).cloned().unwrap_or_default() {
            self.remove_edge(edge);
        }
        self.graph.remove_node(node_index(id))
    }

    /// The node; it must exist.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.graph[node_index(id)]
    }

    /// The edge; it must exist.
    #[inline]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.graph[edge_index(id)]
    }

    /// Replaces the label of an edge; sub-spans are dropped.
    pub fn set_label(&mut self, id: EdgeId, label: Label) {
        if let Some(edge) = self.graph.edge_weight_mut(edge_index(id)) {
            edge.label = label;
            edge.spans = Box::default();
        }
    }

    /// Whether the node exists.
    #[inline]
    pub fn contains_node(&self, id: NodeId) -> bool {
        self.graph.contains_node(node_index(id))
    }

    /// Outgoing edges, ascending.
    #[inline]
    pub fn outgoing(&self, id: NodeId) -> &[EdgeId] {
        self.out.get(id.index()).map_or(&[], |list| list)
    }

    /// Incoming edges, ascending.
    #[inline]
    pub fn incoming(&self, id: NodeId) -> &[EdgeId] {
        self.inc.get(id.index()).map_or(&[], |list| list)
    }

    /// All nodes, ascending.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.graph.node_indices().map(|index| NodeId::from_index(index.index()))
    }

    /// All edges, ascending.
    pub fn edges(&self) -> impl DoubleEndedIterator<Item = (EdgeId, &Edge)> + '_ {
        self.graph.edge_indices().map(|index| (EdgeId::from_index(index.index()), &self.graph[index]))
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// One more than the largest node index: the length of a table with an entry per node.
    #[inline]
    pub fn node_bound(&self) -> usize {
        self.out.len()
    }

    /// The nodes that walks from `starts` can come by in the plain edge graph (labels ignored, checks not entered).
    /// O(nodes + edges).
    pub fn reachable(&self, starts: impl IntoIterator<Item = NodeId>) -> fixedbitset::FixedBitSet {
        self.flood(starts, |automaton, node| automaton.outgoing(node), |edge| edge.target)
    }

    /// The nodes from which a walk can reach one of `targets` in the plain edge graph. O(nodes + edges).
    pub fn reaching(&self, targets: impl IntoIterator<Item = NodeId>) -> fixedbitset::FixedBitSet {
        self.flood(targets, |automaton, node| automaton.incoming(node), |edge| edge.source)
    }

    fn flood(
        &self,
        starts: impl IntoIterator<Item = NodeId>,
        list: impl Fn(&Self, NodeId) -> &[EdgeId],
        next: impl Fn(&Edge) -> NodeId,
    ) -> fixedbitset::FixedBitSet {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(self.node_bound());
        let mut stack: Vec<NodeId> = Vec::new();
        for start in starts {
            if start.index() < self.node_bound() && !seen.put(start.index()) {
                stack.push(start);
            }
        }
        while let Some(node) = stack.pop() {
            for &edge in list(self, node) {
                let other = next(self.edge(edge));
                if !seen.put(other.index()) {
                    stack.push(other);
                }
            }
        }
        seen
    }

    /// The graph itself, for petgraph's algorithms. Its order of neighbours is not ours: never let it reach output.
    pub fn graph(&self) -> &StableDiGraph<Node, Edge, u32> {
        &self.graph
    }

    /// Degree of a node in the given direction, parallel edges counted apart.
    pub fn degree(&self, id: NodeId, direction: Direction) -> usize {
        match direction {
            Direction::Outgoing => self.outgoing(id).len(),
            Direction::Incoming => self.incoming(id).len(),
        }
    }
}

fn node_index(id: NodeId) -> NodeIndex<u32> {
    NodeIndex::new(id.index())
}

fn edge_index(id: EdgeId) -> EdgeIndex<u32> {
    EdgeIndex::new(id.index())
}
