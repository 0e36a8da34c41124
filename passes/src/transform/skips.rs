//! Skip contraction (catalogue of passes, 5.1, and of 3.3 what is about skips).

use crate::merge::{Merge, Roles};
use crate::pass::{Context, Level, Pass};
use rg_ir::ids::Id;
use rg_ir::{Game, Label, NodeId};

/// How often all skips are gone through in one run. Each time but the last removes a node.
const MAX_SWEEPS: usize = 16;

/// Makes one node of the two ends of a skip.
///
/// ```text
/// begin, m: player = a;   m, x: ;   m, y: $ t;   x, z: $ s;   y, z: ;   z, end: player = keeper;
/// ```
/// becomes
/// ```text
/// begin, m: player = a;   m, y: $ t;   m, y: $ s;   y, end: player = keeper;
/// ```
///
/// The ends `x` and `y` become one if the skip is the only step from `x` or the only step to `y`, so that nobody who
/// comes to `y` another way leaves by another step of `x`. Nor may anybody *start* in `y` then, if `x` has other steps;
/// and a check that looks for `x` must not find it in `y`. Nothing becomes one with `end`: it ends the play.
///
/// *Correct*, since every walk through the merged node takes a step into `x` or `y` and a step from `x` or `y`, and in
/// each combination the walk was there before, up to the skip; a check that starts in `x` or looks for `y` has the same
/// answer in the merged node. O(edges) for each of a bounded number of sweeps.
pub struct Skips;

impl Pass for Skips {
    fn name(&self) -> &'static str {
        "skips"
    }

    fn summary(&self) -> &'static str {
        "merge the two ends of an edge that does nothing"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let automaton = &game.automaton;
        let skip = |&(_, edge): &(_, &rg_ir::Edge)| edge.label == Label::Skip;
        let mut skips: Vec<(NodeId, NodeId)> =
            automaton.edges().filter(skip).map(|(_, edge)| (edge.source, edge.target)).collect();
        if skips.is_empty() {
            return false;
        }
        let mut contraction = Contraction::new(game);
        for _ in 0..MAX_SWEEPS {
            let before = skips.len();
            skips.retain(|&(x, y)| !contraction.contract(x, y));
            if skips.len() == before {
                break;
            }
        }
        contraction.merge.apply(game)
    }
}

struct Contraction {
    merge: Merge,
    roles: Roles,
    /// Steps from and to a set of nodes, by the node that it becomes.
    outgoing: Vec<u32>,
    incoming: Vec<u32>,
    begin: NodeId,
    end: NodeId,
}

impl Contraction {
    fn new(game: &Game) -> Self {
        let nodes = (0..game.automaton.node_bound()).map(NodeId::from_index);
        let degree = |list: &[_]| u32::try_from(list.len()).unwrap_or(u32::MAX);
        Self {
            merge: Merge::new(game),
            roles: Roles::of(game),
            outgoing: nodes.clone().map(|node| degree(game.automaton.outgoing(node))).collect(),
            incoming: nodes.map(|node| degree(game.automaton.incoming(node))).collect(),
            begin: game.begin(),
            end: game.end(),
        }
    }

    fn degrees(&self, node: NodeId) -> (u32, u32) {
        let of = |list: &[u32]| list.get(node.index()).copied().unwrap_or(0);
        (of(&self.outgoing), of(&self.incoming))
    }

    fn set_degrees(&mut self, node: NodeId, outgoing: u32, incoming: u32) {
        if let (Some(out), Some(inc)) = (self.outgoing.get_mut(node.index()), self.incoming.get_mut(node.index())) {
            (*out, *inc) = (outgoing, incoming);
        }
    }

    /// Removes a skip if its ends may be one node, or already are.
    fn contract(&mut self, x: NodeId, y: NodeId) -> bool {
        let (x, y) = (self.merge.find(x), self.merge.find(y));
        let ((x_out, x_in), (y_out, y_in)) = (self.degrees(x), self.degrees(y));
        if x == y {
            self.set_degrees(x, x_out.saturating_sub(1), x_in.saturating_sub(1));
            return true;
        }
        if x == self.end || y == self.end {
            return false;
        }
        let starts = |node: NodeId| node == self.begin || self.roles.starts.contains(node.index());
        let only_to_y = y_in == 1 && !starts(y);
        let only_from_x = x_out == 1 && !self.roles.targets.contains(x.index());
        if !only_to_y && !only_from_x {
            return false;
        }
        let merged = self.merge.join(y, x);
        for set in [&mut self.roles.starts, &mut self.roles.targets] {
            if set.contains(x.index()) || set.contains(y.index()) {
                set.insert(merged.index());
            }
        }
        self.set_degrees(merged, (x_out + y_out).saturating_sub(1), (x_in + y_in).saturating_sub(1));
        true
    }
}
