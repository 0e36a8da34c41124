//! The part of the automaton that a search walks, in an order in which every node comes after those before it.

use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::ids::Id;
use rg_ir::{Expr, Game, Label, NodeId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a search is after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Goal {
    /// All moves: walks to the next assignment to `player`.
    Moves,
    /// The end of the keeper's moves: walks to an assignment of another value to `player`, or to `end`.
    Keeper,
    /// A walk to this node.
    Check(NodeId),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) goal: Goal,
    /// In a loop without its back edges: where these lead.
    pub(super) header: Option<NodeId>,
    /// Whether at most one walk goes on from each node.
    pub(super) one_walk: bool,
    /// The nodes of the whole search: what is not among them leads nowhere.
    pub(super) whole: Rc<FxHashSet<NodeId>>,
    /// Number of the component of every node.
    pub(super) component: FxHashMap<NodeId, usize>,
    /// Nodes per component, components in walking order.
    pub(super) members: Vec<Vec<NodeId>>,
    /// Whether a component is a cycle.
    pub(super) cyclic: Vec<bool>,
    /// Whether a cycle or a choice of a value is still to come, by component.
    pub(super) choices_ahead: Vec<bool>,
    /// Whether a check is still to come, by component.
    pub(super) checks_ahead: Vec<bool>,
}

/// The value that an edge gives to `player`, if it is a symbol.
pub(super) fn constant_player(game: &Game, label: &Label) -> Option<Symbol> {
    match *label {
        Label::Assign { rhs, .. } => match super::numbers::path(game, rhs) {
            (Expr::Symbol(symbol), _) => Some(symbol),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a search for `goal` ends with this edge.
pub(super) fn ends(game: &Game, goal: Goal, label: &Label, target: NodeId) -> bool {
    if !game.ends_move(label) {
        return false;
    }
    match goal {
        Goal::Moves => true,
        Goal::Check(_) => false,
        Goal::Keeper => {
            let keeper = game.symbols.get("keeper");
            target == game.end() || keeper.is_none() || constant_player(game, label) != keeper
        }
    }
}

impl Region {
    /// The region of a search from some nodes: what they lead to and what leads to the goal. Linear.
    pub(super) fn new(game: &Game, goal: Goal, starts: &[NodeId]) -> Self {
        let mut seen: FxHashSet<NodeId> = starts.iter().copied().collect();
        let mut stack: Vec<NodeId> = starts.to_vec();
        let mut back: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        let mut useful: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(node) = stack.pop() {
            if goal == Goal::Check(node) {
                useful.insert(node);
                continue;
            }
            for &id in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(id);
                if ends(game, goal, &edge.label, edge.target) {
                    useful.insert(node);
                    continue;
                }
                back.entry(edge.target).or_default().push(node);
                if seen.insert(edge.target) {
                    stack.push(edge.target);
                }
            }
        }
        let mut stack: Vec<NodeId> = useful.iter().copied().collect();
        while let Some(node) = stack.pop() {
            for &before in back.get(&node).map_or(&[][..], |list| list) {
                if useful.insert(before) {
                    stack.push(before);
                }
            }
        }
        Self::ordered(game, goal, None, &useful, Rc::new(useful.clone()))
    }

    /// No region at all.
    pub(super) fn empty(goal: Goal) -> Self {
        Self {
            goal,
            header: None,
            one_walk: goal == Goal::Keeper,
            whole: Rc::default(),
            component: FxHashMap::default(),
            members: Vec::new(),
            cyclic: Vec::new(),
            choices_ahead: Vec::new(),
            checks_ahead: Vec::new(),
        }
    }

    /// Leaves out the nodes that do not satisfy a condition; components stay in order, and keep their numbers.
    pub(super) fn retain(&mut self, keeps: impl Fn(NodeId) -> bool) {
        self.component.retain(|&node, _| keeps(node));
        self.members.iter_mut().for_each(|members| members.retain(|&node| keeps(node)));
    }

    /// A loop without the edges to `header`.
    pub(super) fn inside(&self, game: &Game, component: usize, header: NodeId) -> Self {
        let nodes = self.members.get(component).map_or(&[][..], |members| members).iter().copied().collect();
        let inside = Self::ordered(game, self.goal, Some(header), &nodes, self.whole.clone());
        Self { one_walk: self.one_walk, ..inside }
    }

    fn ordered(
        game: &Game,
        goal: Goal,
        header: Option<NodeId>,
        nodes: &FxHashSet<NodeId>,
        whole: Rc<FxHashSet<NodeId>>,
    ) -> Self {
        let mut sorted: Vec<NodeId> = nodes.iter().copied().collect();
        sorted.sort_unstable_by_key(|node| node.index());
        let mut graph: DiGraph<NodeId, ()> = DiGraph::new();
        let indices: FxHashMap<NodeId, NodeIndex> = sorted.iter().map(|&node| (node, graph.add_node(node))).collect();
        let mut own: FxHashSet<NodeId> = FxHashSet::default();
        for &node in &sorted {
            if goal == Goal::Check(node) {
                continue;
            }
            for &id in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(id);
                if ends(game, goal, &edge.label, edge.target) || header == Some(edge.target) {
                    continue;
                }
                if let (Some(&a), Some(&b)) = (indices.get(&node), indices.get(&edge.target)) {
                    graph.add_edge(a, b, ());
                    if a == b {
                        own.insert(node);
                    }
                }
            }
        }
        let mut region = Self {
            goal,
            header,
            one_walk: goal == Goal::Keeper,
            whole,
            component: FxHashMap::default(),
            members: Vec::new(),
            cyclic: Vec::new(),
            choices_ahead: Vec::new(),
            checks_ahead: Vec::new(),
        };
        for members in petgraph::algo::kosaraju_scc(&graph).into_iter().rev() {
            let mut members: Vec<NodeId> = members.into_iter().filter_map(|i| graph.node_weight(i).copied()).collect();
            members.sort_unstable_by_key(|node| node.index());
            for &node in &members {
                region.component.insert(node, region.members.len());
            }
            region.cyclic.push(members.len() > 1 || members.first().is_some_and(|node| own.contains(node)));
            region.members.push(members);
        }
        let (cyclic, none) = (region.cyclic.clone(), vec![false; region.members.len()]);
        region.choices_ahead = region.ahead(game, cyclic, |label| matches!(label, Label::AssignAny { .. }));
        region.checks_ahead = region.ahead(game, none, |label| matches!(label, Label::Reach { .. }));
        region
    }

    /// By component, whether something is still to come: where it is in the component itself, or on an edge.
    fn ahead(&self, game: &Game, here: Vec<bool>, on_edge: impl Fn(&Label) -> bool) -> Vec<bool> {
        let mut ahead = here;
        for (at, members) in self.members.iter().enumerate().rev() {
            let edges = members.iter().flat_map(|&node| game.automaton.outgoing(node));
            let found = edges.map(|&id| game.automaton.edge(id)).any(|edge| {
                let next = self.component.get(&edge.target).and_then(|&to| ahead.get(to));
                next.is_some_and(|&next| next || on_edge(&edge.label))
            });
            if let Some(slot) = ahead.get_mut(at) {
                *slot |= found;
            }
        }
        ahead
    }

    /// Whether a node belongs to the region.
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.component.contains_key(&node)
    }

    /// Whether the search is a check, and not a loop in one.
    pub(super) fn is_whole_check(&self) -> bool {
        matches!(self.goal, Goal::Check(_)) && self.header.is_none()
    }

    /// Whether walks cannot go round.
    pub(super) fn is_acyclic(&self) -> bool {
        !self.cyclic.contains(&true)
    }
}
