//! Parts of a large automaton that a drawing can show as one box each.
//!
//! A region is a node, its *entry*, and everything that is only reached by way of it within a move: the entry's subtree
//! in the tree of dominators, where walks begin at `begin`, behind an edge that ends a move, and where a reachability
//! test starts its walk from the node that makes the test. So arrows into a region lead to its entry. Of two regions
//! either one contains the other, or they have no node in common.
//!
//! Not every subtree is a region: those directly behind the beginning of a move are, and those between which a large
//! subtree parts, if they have enough nodes for the box to save anything.

use crate::automaton::Label;
use crate::game::Game;
use crate::ids::{Id, NodeId};
use fixedbitset::FixedBitSet;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// Least number of nodes of a region.
const LEAST_NODES: usize = 6;
/// A region has at least one of so many parts of the automaton: there are about twice as many regions at most.
const PARTS: usize = 200;

/// A part of an automaton with a single entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The node by which all walks come in. Its name stands for the region.
    pub entry: NodeId,
    /// Position of the smallest region around this one.
    pub parent: Option<usize>,
    /// Number of nodes, those of inner regions included.
    pub nodes: usize,
    /// Number of regions around this one.
    pub depth: usize,
}

/// All regions of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Regions {
    /// Outer regions come before inner ones.
    list: Vec<Region>,
    /// For every node index, the innermost region.
    of_node: Vec<Option<usize>>,
}

impl Regions {
    /// Finds the regions. The dominators are found by the algorithm of Cooper, Harvey and Kennedy, which is linear for
    /// automata whose loops do not nest deeply; the rest is linear.
    pub fn of(game: &Game) -> Self {
        let tree = Tree::of(game);
        let least = LEAST_NODES.max(game.automaton.node_count() / PARTS);
        let mut regions = Self { list: Vec::new(), of_node: vec![None; game.automaton.node_bound()] };
        // Along the order, the region around a vertex is known before the vertex.
        let mut around: Vec<Option<usize>> = vec![None; tree.children.len()];
        for &vertex in &tree.order {
            let outer = around.get(vertex).copied().flatten();
            let children = tree.children.get(vertex).map_or(&[][..], Vec::as_slice);
            let large = |child: &usize| tree.size(*child) >= least;
            let parts = vertex == ROOT || children.iter().filter(|child| large(child)).count() > 1;
            for &child in children {
                let mut inner = outer;
                if parts && large(&child) {
                    inner = Some(regions.list.len());
                    let depth = outer.and_then(|outer| regions.list.get(outer)).map_or(0, |outer| outer.depth + 1);
                    let (entry, nodes) = (node_of(child), tree.size(child));
                    regions.list.push(Region { entry, parent: outer, nodes, depth });
                }
                if let (Some(slot), Some(own)) =
                    (around.get_mut(child), regions.of_node.get_mut(node_of(child).index()))
                {
                    (*slot, *own) = (inner, inner);
                }
            }
        }
        regions
    }

    /// The regions, outer ones before inner ones.
    pub fn list(&self) -> &[Region] {
        &self.list
    }

    /// Position of the innermost region that a node is in.
    pub fn around(&self, node: NodeId) -> Option<usize> {
        self.of_node.get(node.index()).copied().flatten()
    }

    /// Position of the region that is entered by a node.
    pub fn entered(&self, node: NodeId) -> Option<usize> {
        self.around(node).filter(|&at| self.list.get(at).is_some_and(|region| region.entry == node))
    }

    /// The positions of a region and of all those around it, from the inside.
    pub fn chain(&self, region: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(region), |&at| self.list.get(at).and_then(|region| region.parent))
    }
}

/// The vertex before all others in the tree of dominators; others are nodes plus one.
const ROOT: usize = 0;

fn vertex_of(node: NodeId) -> usize {
    node.index() + 1
}

fn node_of(vertex: usize) -> NodeId {
    NodeId::from_index(vertex.saturating_sub(1))
}

/// The tree of dominators.
struct Tree {
    children: Vec<Vec<usize>>,
    sizes: Vec<usize>,
    /// All vertices in the tree, parents before children.
    order: Vec<usize>,
}

impl Tree {
    fn of(game: &Game) -> Self {
        let automaton = &game.automaton;
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(automaton.node_bound() + 1, automaton.edge_count());
        for _ in 0..=automaton.node_bound() {
            graph.add_node(());
        }
        let mut arrow = |from: usize, to: usize| {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        };
        arrow(ROOT, vertex_of(game.begin()));
        for (_, edge) in automaton.edges() {
            let (source, target) = (vertex_of(edge.source), vertex_of(edge.target));
            arrow(if game.ends_move(&edge.label) { ROOT } else { source }, target);
            if let Label::Reach { from, .. } = edge.label
                && automaton.contains_node(from)
            {
                arrow(source, vertex_of(from));
            }
        }
        let dominators = simple_fast(&graph, NodeIndex::new(ROOT));
        let mut children = vec![Vec::new(); graph.node_count()];
        for node in automaton.nodes() {
            let parent = dominators.immediate_dominator(NodeIndex::new(vertex_of(node)));
            if let Some(list) = parent.and_then(|parent| children.get_mut(parent.index())) {
                list.push(vertex_of(node));
            }
        }
        let mut tree = Self { sizes: vec![1; children.len()], children, order: Vec::new() };
        let mut stack = vec![ROOT];
        while let Some(vertex) = stack.pop() {
            tree.order.push(vertex);
            stack.extend(tree.children.get(vertex).into_iter().flatten().rev());
        }
        for &vertex in tree.order.iter().rev() {
            let below: usize = tree.children.get(vertex).into_iter().flatten().map(|&child| tree.size(child)).sum();
            if let Some(size) = tree.sizes.get_mut(vertex) {
                *size += below;
            }
        }
        tree
    }

    /// Number of vertices in the subtree.
    fn size(&self, vertex: usize) -> usize {
        self.sizes.get(vertex).copied().unwrap_or(0)
    }
}

/// Which regions are drawn as one box.
#[derive(Clone, Debug)]
pub struct Folding<'r> {
    regions: &'r Regions,
    /// For every region, the outermost folded one among it and those around it.
    hidden_by: Vec<Option<usize>>,
}

impl<'r> Folding<'r> {
    /// Folds the regions at the positions that `folded` names. Linear in the number of regions.
    pub fn new(regions: &'r Regions, folded: impl IntoIterator<Item = usize>) -> Self {
        let folded: FixedBitSet = folded.into_iter().collect();
        let mut hidden_by: Vec<Option<usize>> = Vec::with_capacity(regions.list.len());
        for (at, region) in regions.list.iter().enumerate() {
            let outer = region.parent.and_then(|parent| hidden_by.get(parent).copied().flatten());
            hidden_by.push(outer.or(Some(at).filter(|&at| folded.contains(at))));
        }
        Self { regions, hidden_by }
    }

    /// Folds all regions but those that `open` names and those around them.
    pub fn all_but(regions: &'r Regions, open: impl IntoIterator<Item = usize>) -> Self {
        let open: FixedBitSet = open.into_iter().flat_map(|region| regions.chain(region)).collect();
        Self::new(regions, (0..regions.list.len()).filter(|&region| !open.contains(region)))
    }

    /// The regions.
    pub fn regions(&self) -> &'r Regions {
        self.regions
    }

    /// The node whose box stands for this one: itself, or the entry of the folded region that hides it.
    pub fn shown(&self, node: NodeId) -> NodeId {
        let region = self.regions.around(node).and_then(|at| self.hidden_by.get(at).copied().flatten());
        region.and_then(|at| self.regions.list.get(at)).map_or(node, |region| region.entry)
    }

    /// Whether a region is drawn as a part of the drawing, neither folded nor inside of a folded one.
    pub fn is_open(&self, region: usize) -> bool {
        self.hidden_by.get(region) == Some(&None)
    }

    /// The folded region for which the box of this node stands.
    pub fn folded_at(&self, node: NodeId) -> Option<&'r Region> {
        let at = self.regions.entered(node)?;
        self.regions.list.get(at).filter(|_| self.hidden_by.get(at) == Some(&Some(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Folding, Regions};
    use crate::source::SourceId;
    use crate::{Game, testing, text};

    fn parse(text: &str) -> Game {
        text::parse(SourceId(0), text).0.unwrap()
    }

    /// Two turns; the first one parts into two chains of seven, that meet again, and makes a test.
    fn game() -> Game {
        let mut rules = "type Player = { p, q }; type Score = { 0 }; begin, t: player = p;".to_owned();
        for part in ["a", "b"] {
            rules += &format!("t, {part}0: ;");
            (0..6).for_each(|i| rules += &format!("{part}{i}, {part}{}: ;", i + 1));
            rules += &format!("{part}6, m: ;");
        }
        rules += "m, n: ? a0 -> a6; n, u: player = q; u, end: player = keeper;";
        parse(&rules)
    }

    fn names<'g>(game: &'g Game, regions: &Regions) -> Vec<(&'g str, Option<usize>, usize, usize)> {
        let name = |r: &super::Region| (game.node_name(r.entry), r.parent, r.nodes, r.depth);
        regions.list().iter().map(name).collect()
    }

    #[test]
    fn turns_and_their_alternatives_are_regions() {
        let game = game();
        let regions = Regions::of(&game);
        // `t`, 14 nodes of the chains, `m` and `n`; the turn behind `u` has no more than one node.
        assert_eq!(names(&game, &regions), [("t", None, 17, 0), ("a0", Some(0), 7, 1), ("b0", Some(0), 7, 1)]);
        let node = |name: &str| game.find_node(game.symbols.get(name).unwrap()).unwrap();
        assert_eq!(regions.around(node("a3")), Some(1));
        assert_eq!(regions.around(node("m")), Some(0));
        assert_eq!(regions.around(node("u")), None);
        assert_eq!((regions.entered(node("t")), regions.entered(node("m"))), (Some(0), None));
        assert_eq!(regions.chain(2).collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn folded_regions_are_shown_by_their_entry() {
        let game = game();
        let regions = Regions::of(&game);
        let node = |name: &str| game.find_node(game.symbols.get(name).unwrap()).unwrap();
        let none = Folding::new(&regions, []);
        assert!(game.automaton.nodes().all(|node| none.shown(node) == node && none.folded_at(node).is_none()));
        let inner = Folding::new(&regions, [1]);
        assert_eq!((inner.shown(node("a4")), inner.shown(node("b4"))), (node("a0"), node("b4")));
        assert_eq!(inner.folded_at(node("a0")).map(|region| region.nodes), Some(7));
        assert!(inner.is_open(0) && !inner.is_open(1));
        // The outermost folded region counts.
        let both = Folding::new(&regions, [0, 1]);
        assert_eq!((both.shown(node("a4")), both.shown(node("u"))), (node("t"), node("u")));
        assert!(both.folded_at(node("a0")).is_none() && !both.is_open(2));
        let open = Folding::all_but(&regions, [2]);
        assert!(open.is_open(0) && open.is_open(2) && !open.is_open(1));
    }

    /// In every game: regions nest, walks enter them by their entries only, and there are not too many.
    #[test]
    fn regions_have_one_entry() {
        for (name, text) in testing::corpus("rg") {
            let game = parse(&text);
            let regions = Regions::of(&game);
            assert!(regions.list().len() <= 2 * super::PARTS, "{name}");
            for (_, edge) in game.automaton.edges().filter(|(_, edge)| !game.ends_move(&edge.label)) {
                let inside: Vec<usize> =
                    regions.around(edge.source).into_iter().flat_map(|r| regions.chain(r)).collect();
                let entered = regions.around(edge.target).into_iter().flat_map(|r| regions.chain(r));
                for region in entered.filter(|region| !inside.contains(region)) {
                    assert_eq!(regions.list()[region].entry, edge.target, "{name}");
                }
            }
            for (at, region) in regions.list().iter().enumerate() {
                assert!(region.parent.is_none_or(|parent| parent < at), "{name}");
                assert_eq!(regions.entered(region.entry), Some(at), "{name}");
            }
        }
    }

    #[test]
    fn an_empty_automaton_has_no_regions() {
        assert_eq!(Regions::of(&Game::new()).list(), []);
    }
}
