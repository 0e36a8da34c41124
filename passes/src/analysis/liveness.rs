//! Live variables (catalogue of passes, 9.6).

use crate::dataflow::{Analysis, Direction, Solution, solve};
use crate::effects::{self, Builtins};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Game, Label, NodeId, VarId};

/// Which variables have a value that can still matter: the least set that holds, before an edge,
///
/// - what comparisons and `$$` read;
/// - what an assignment reads, *if the variable it writes is live after it* (so a variable that only serves to compute
///   itself is dead), indices of left sides included;
/// - what is live after the edge and not overwritten as a whole;
/// - what is live where a check starts that the edge makes.
///
/// `goals` is live wherever a move ends, and at `end`; `player` and `visible` are live always. At `end`, so are variables of
/// which the [value there matters](rg_ir::VarDecl::live_out). A write of a cell ends no lifetime.
pub struct Liveness {
    builtins: Builtins,
    vars: usize,
}

impl Liveness {
    /// The problem for a game.
    pub fn new(game: &Game) -> Self {
        Self { builtins: Builtins::of(game), vars: game.vars.len() }
    }

    /// Its solution: the variables live at a node, or `None` where no walk leads to the end of a move, the target of a
    /// check, or `end`. O(edges · variables / word) for each nesting of loops.
    pub fn solve(game: &Game) -> Solution<FixedBitSet> {
        solve(game, &Self::new(game))
    }

    /// Whether a variable is live everywhere.
    pub fn always(&self, var: VarId) -> bool {
        [self.builtins.player, self.builtins.visible].contains(&Some(var))
    }

    fn with_goals(&self) -> FixedBitSet {
        let mut fact = FixedBitSet::with_capacity(self.vars);
        if let Some(goals) = self.builtins.goals {
            fact.insert(goals.index());
        }
        fact
    }
}

impl Analysis for Liveness {
    type Fact = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, game: &Game) -> Vec<(NodeId, FixedBitSet)> {
        let mut last = self.with_goals();
        last.extend(game.vars.iter().filter(|(_, decl)| decl.live_out).map(|(var, _)| var.index()));
        let mut facts = vec![(game.end(), last)];
        for (_, edge) in game.automaton.edges() {
            match edge.label {
                Label::Reach { to, .. } => facts.push((to, FixedBitSet::with_capacity(self.vars))),
                _ if game.ends_move(&edge.label) => facts.push((edge.target, self.with_goals())),
                _ => {}
            }
        }
        facts
    }

    fn transfer(&self, game: &Game, _: EdgeId, edge: &Edge, fact: &mut FixedBitSet) -> bool {
        if let Some(write) = effects::write(game, &edge.label) {
            let at = write.var.index();
            if !self.always(write.var) && !fact.contains(at) {
                return true;
            }
            if write.whole {
                fact.remove(at);
            }
        }
        effects::reads(game, &edge.label, |var| fact.insert(var.index()));
        true
    }

    fn join(&self, fact: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        if other.is_subset(fact) {
            return false;
        }
        fact.union_with(other);
        true
    }
}

/// Whether a variable of the old game is live in the new one where a move ends, and was not in the old one: then states
/// that were equal may come apart. `place` gives the node of the new game for one of the old.
pub fn remembers_more(old: &Game, new: &Game, place: impl Fn(NodeId) -> NodeId) -> bool {
    let ends = old.automaton.edges().filter(|(_, edge)| old.ends_move(&edge.label)).map(|(_, edge)| edge.target);
    let mut ends: Vec<NodeId> = ends.collect();
    ends.sort_unstable();
    ends.dedup();
    let (before, after) = (Liveness::solve(old), Liveness::solve(new));
    ends.into_iter().any(|node| {
        let was = |var: usize| before.at(node).is_some_and(|live| live.contains(var));
        after.at(place(node)).is_some_and(|live| live.ones().any(|var| var < old.vars.len() && !was(var)))
    })
}
