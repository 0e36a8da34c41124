//! Checks that are made with different maps as parameters.

use crate::analysis::{Delayed, Delays, Held};
use crate::dataflow::Solution;
use crate::effects::{self, Builtins};
use crate::pass::{Context, Pass};
use crate::scratch::Scratch;
use crate::transform::InlineMaps;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// How many cells of state an edge must save.
const CELLS_PER_EDGE: usize = 4;

/// Most edges that one run adds.
const MAX_GROWTH: usize = 5_000;

/// Gives checks that are made with different constant maps in a variable a copy for each of them, and inlines the
/// variable.
///
/// ```text
/// m, x: dir = up;     x, z: ? s -> t;
/// m, y: dir = down;   y, z: ? s -> t;
/// s, t: board[dir[pos]] == e;
/// ```
/// becomes
/// ```text
/// m, x: ;   x, z: ? s -> t;
/// m, y: ;   y, z: ? s_2 -> t_2;
/// s, t: board[up[pos]] == e;   s_2, t_2: board[down[pos]] == e;
/// ```
///
/// *Correct*, since walks from `s_2` in the copy and from `s` in what was copied correspond to each other one to one,
/// and nothing leads into the copy but its checks. A copy is made only if it has fewer edges than a quarter of the cells
/// of the variable. O(edges of the game + edges of checks · different maps), and that of [`InlineMaps`]; at most [`MAX_GROWTH`]
/// edges are added.
pub struct CheckParameters;

impl Pass for CheckParameters {
    fn name(&self) -> &'static str {
        "check-parameters"
    }

    fn summary(&self) -> &'static str {
        "copy checks that are made with different maps in a variable"
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let (chosen, maps) = map_assignments(game);
        if maps.is_clear() || !game.automaton.edges().any(|(_, edge)| matches!(edge.label, Label::Reach { .. })) {
            return false;
        }
        let copies = {
            let scratch = Scratch::new(game);
            let facts = Delayed { chosen: &chosen, scratch: &scratch }.solve(game);
            Finder { game, maps: &maps, facts: &facts, scratch: &scratch }.copies(context)
        };
        if copies.is_empty() {
            return false;
        }
        copies.into_iter().for_each(|copy| copy.make(game));
        // As long as they read the variable, copies are alike, and other passes make one of them again.
        InlineMaps.run(game, context);
        true
    }
}

/// The assignments of constant maps to variables, by index of their edge, and these variables.
fn map_assignments(game: &Game) -> (FixedBitSet, FixedBitSet) {
    let builtins = Builtins::of(game);
    let (mut chosen, mut maps) = (FixedBitSet::new(), FixedBitSet::with_capacity(game.vars.len()));
    for (id, edge) in game.automaton.edges() {
        if let (Label::Assign { rhs, .. }, Some(write)) = (edge.label, effects::write(game, &edge.label))
            && write.whole
            && !builtins.contains(write.var)
            && matches!(game.exprs.get(rhs), Expr::Const(_))
            && game.vars.get(write.var).is_some_and(|decl| game.types.as_arrow(decl.ty).is_some())
        {
            chosen.grow(id.index() + 1);
            chosen.insert(id.index());
            maps.insert(write.var.index());
        }
    }
    (chosen, maps)
}

/// The nodes and edges that walks from a node come by, in ascending order.
struct Region {
    nodes: Vec<NodeId>,
    edges: Vec<EdgeId>,
    /// The map variables that are read.
    reads: Vec<VarId>,
}

/// A region to copy, and the checks that are to use the copy.
struct Copy {
    nodes: Vec<NodeId>,
    edges: Vec<EdgeId>,
    checks: Vec<EdgeId>,
}

struct Finder<'f, 'g> {
    game: &'g Game,
    maps: &'f FixedBitSet,
    facts: &'f Solution<Delays>,
    scratch: &'f Scratch<'g>,
}

impl Finder<'_, '_> {
    fn copies(&self, context: &mut Context) -> Vec<Copy> {
        let mut checks: BTreeMap<NodeId, Vec<EdgeId>> = BTreeMap::new();
        for (id, edge) in self.game.automaton.edges() {
            if let Label::Reach { from, .. } = edge.label {
                checks.entry(from).or_default().push(id);
            }
        }
        let (mut copies, mut growth) = (Vec::new(), 0usize);
        for (start, checks) in checks {
            let Some(delays) = self.facts.at(start) else { continue };
            let lost = |var: VarId| delays.held(var) == Some(Held::Lost);
            if !self.maps.ones().map(VarId::from_index).any(lost) {
                continue;
            }
            let region = self.region(start);
            let lost: Vec<VarId> = region.reads.iter().copied().filter(|&var| lost(var)).collect();
            if lost.is_empty() {
                continue;
            }
            let groups = self.groups(&lost, checks);
            let cells = lost.iter().filter_map(|&var| self.game.vars.get(var)).map(|decl| self.cells(decl.ty));
            let added = region.edges.len().saturating_mul(groups.len());
            if added.saturating_mul(CELLS_PER_EDGE) > cells.fold(0, usize::saturating_add) {
                continue;
            }
            growth = growth.saturating_add(added);
            if growth > MAX_GROWTH {
                context.note(format!("copies of checks would have more than {MAX_GROWTH} edges"));
                break;
            }
            let copy = |checks| Copy { nodes: region.nodes.clone(), edges: region.edges.clone(), checks };
            copies.extend(groups.into_iter().map(copy));
        }
        copies
    }

    /// The checks by the maps they are made with. The first group stays as it is; and if some are made with unknown
    /// maps, those stay and all groups are copied.
    fn groups(&self, vars: &[VarId], checks: Vec<EdgeId>) -> Vec<Vec<EdgeId>> {
        let mut groups: BTreeMap<Vec<ExprId>, Vec<EdgeId>> = BTreeMap::new();
        let mut unknown = false;
        for id in checks {
            let Some(delays) = self.facts.at(self.game.automaton.edge(id).source) else { continue };
            let map = |&var: &VarId| match delays.held(var) {
                Some(Held::Delayed(value)) => Some(self.scratch.uncast(value)),
                _ => None,
            };
            match vars.iter().map(map).collect::<Option<Vec<_>>>() {
                Some(maps) => groups.entry(maps).or_default().push(id),
                None => unknown = true,
            }
        }
        groups.into_values().skip(usize::from(!unknown)).collect()
    }

    fn region(&self, start: NodeId) -> Region {
        let inside = self.game.automaton.reachable([start]);
        let mut region = Region { nodes: Vec::new(), edges: Vec::new(), reads: Vec::new() };
        let mut reads = FxHashSet::default();
        let mut pending = vec![inside.clone()];
        region.nodes.extend(inside.ones().map(NodeId::from_index));
        for &node in &region.nodes {
            region.edges.extend(self.game.automaton.outgoing(node));
        }
        region.edges.sort_unstable();
        // What nested checks read counts too, though they are copied in their own turn.
        let mut seen = inside;
        while let Some(nodes) = pending.pop() {
            for node in nodes.ones().map(NodeId::from_index) {
                for &id in self.game.automaton.outgoing(node) {
                    let label = &self.game.automaton.edge(id).label;
                    effects::reads(self.game, label, |var| reads.extend([var]));
                    if let Label::Reach { from, .. } = *label
                        && !seen.contains(from.index())
                    {
                        let mut more = self.game.automaton.reachable([from]);
                        more.difference_with(&seen);
                        seen.union_with(&more);
                        pending.push(more);
                    }
                }
            }
        }
        region.reads.extend(reads.into_iter().filter(|var| self.maps.contains(var.index())));
        region.reads.sort_unstable();
        region
    }

    fn cells(&self, ty: rg_ir::TypeId) -> usize {
        let leaf = self.game.shape(ty).map_or(0, |shape| self.game.types.members(shape.leaf).len());
        self.game.cells(ty).unwrap_or(0).saturating_mul(leaf)
    }
}

impl Copy {
    fn make(self, game: &mut Game) {
        let mut to: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for node in self.nodes {
            let (stem, span) = (game.node_name(node).to_owned(), game.automaton.node(node).span);
            to.insert(node, game.fresh_node(&stem, span));
        }
        for id in self.edges {
            let mut edge = game.automaton.edge(id).clone();
            if let (Some(&source), Some(&target)) = (to.get(&edge.source), to.get(&edge.target)) {
                (edge.source, edge.target) = (source, target);
                game.automaton.insert(edge);
            }
        }
        for id in self.checks {
            if let Label::Reach { from, to: target, negated } = game.automaton.edge(id).label {
                // A target that walks from the start never come to is not in the region.
                let target = to.get(&target).copied().unwrap_or(target);
                let from = to.get(&from).copied().unwrap_or(from);
                game.automaton.set_label(id, Label::Reach { from, to: target, negated });
            }
        }
    }
}
