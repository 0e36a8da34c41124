//! What the next move may change, as far as that follows from what a player knows: which of several boards a move is about can be said without a look at
//! what is hidden.

use super::{Deduction, Walks};
use rg_ir::{Expr, ExprId, Label, NodeId, VarId};
use rustc_hash::FxHashSet;

/// Cells of a variable to which a move may assign.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Assigned {
    /// The name of the variable.
    pub variable: String,
    /// The keys of the cells, outermost first; `None` where any key may be meant.
    pub keys: Vec<Option<String>>,
}

impl Deduction<'_> {
    /// What the next move may change, whichever it is, by all assignments between the node where it begins and those where it ends. `None` if nothing
    /// is known of the position. Linear in the edges of the automaton, for each position that is possible.
    pub fn assigned(&self) -> Option<Vec<Assigned>> {
        if self.front.is_empty() {
            return None;
        }
        let game = &self.runner.loaded.game;
        let walks = Walks { runner: self.runner, layout: &self.layout, player: 0, observed: &[] };
        let mut found = FxHashSet::default();
        for (node, cells) in &self.front {
            let assignments = self.assignments(*node);
            let mut cells = cells.clone();
            // What is assigned on the way is not known behind that.
            for cell in assignments.iter().flat_map(|(var, _)| self.layout.below(game, *var, &[])) {
                cells.get_mut(cell).into_iter().for_each(|cell| *cell = None);
            }
            found.extend(assignments.into_iter().map(|(var, lhs)| {
                let (_, keys) = walks.path(&cells, lhs);
                let keys = keys.into_iter().map(|key| key.map(|key| game.name(key).to_owned())).collect();
                let variable = game.vars.get(var).map(|decl| game.name(decl.name).to_owned()).unwrap_or_default();
                Assigned { variable, keys }
            }));
        }
        Some(found.into_iter().collect())
    }

    /// The left sides of all assignments of a move that begins at a node, with their variables, without the one that ends it.
    fn assignments(&self, begin: NodeId) -> Vec<(VarId, ExprId)> {
        let game = &self.runner.loaded.game;
        let (mut open, mut seen, mut found) = (vec![begin], FxHashSet::from_iter([begin]), Vec::new());
        while let Some(node) = open.pop() {
            for edge in game.automaton.outgoing(node).iter().map(|&id| game.automaton.edge(id)) {
                if game.ends_move(&edge.label) {
                    continue;
                }
                if let Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } = edge.label
                    && let Expr::Var(var) = game.exprs.root(lhs)
                {
                    found.push((var, lhs));
                }
                if seen.insert(edge.target) {
                    open.push(edge.target);
                }
            }
        }
        found
    }
}
