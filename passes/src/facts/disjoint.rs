//! Edges of which at most one can be taken (catalogue of passes, 8.1).

use super::{Classes, Values};
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Pragma, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// Finds, per node,
///
/// - switches: comparisons of one expression for equality with others whose possible symbols are pairwise disjoint;
///   exhaustive if the others are single symbols and all that the expression can be;
/// - opposites: a condition and its negation, which are exhaustive.
///
/// All edges to a target are listed or none, as a pragma has one entry per edge. O(edges + possible symbols).
pub(super) fn infer(game: &Game) -> Vec<Pragma> {
    let mut search = Search { game, classes: Classes::new(game), values: Values::new(game) };
    let nodes = game.automaton.nodes().filter(|&node| game.automaton.outgoing(node).len() > 1);
    nodes.flat_map(|node| search.node(node)).collect()
}

/// Sets of possible symbols that are larger are not compared.
const MAX_POSSIBLE: usize = 1_000;

struct Search<'g> {
    game: &'g Game,
    classes: Classes,
    values: Values<'g>,
}

/// A condition without its sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Condition {
    Equal(ExprId, ExprId),
    Reach(NodeId, NodeId),
}

impl Search<'_> {
    fn node(&mut self, node: NodeId) -> Vec<Pragma> {
        let edges = self.game.automaton.outgoing(node);
        let mut found = self.switches(node, edges);
        found.extend(self.opposites(node, edges));
        found
    }

    /// The condition of a label, and whether it is negated.
    fn condition(&self, label: Label) -> Option<(Condition, bool)> {
        match label {
            Label::Compare { lhs, rhs, negated } => {
                let (a, b) = (self.classes.of(lhs), self.classes.of(rhs));
                Some((Condition::Equal(a.min(b), a.max(b)), negated))
            }
            Label::Reach { from, to, negated } => Some((Condition::Reach(from, to), negated)),
            _ => None,
        }
    }

    fn opposites(&self, node: NodeId, edges: &[EdgeId]) -> Vec<Pragma> {
        let mut order = Vec::new();
        let mut pairs: FxHashMap<Condition, [Vec<EdgeId>; 2]> = FxHashMap::default();
        for &id in edges {
            let Some((condition, negated)) = self.condition(self.game.automaton.edge(id).label) else { continue };
            let [yes, no] = pairs.entry(condition).or_insert_with(|| {
                order.push(condition);
                Default::default()
            });
            if negated { no } else { yes }.push(id);
        }
        let pairs = order.iter().filter_map(|condition| match pairs.get(condition) {
            Some([yes, no]) => match (&yes[..], &no[..]) {
                ([yes], [no]) => self.claim(node, edges, vec![*yes, *no], true),
                _ => None,
            },
            None => None,
        });
        pairs.collect()
    }

    fn switches(&mut self, node: NodeId, edges: &[EdgeId]) -> Vec<Pragma> {
        let mut order = Vec::new();
        let mut cases: FxHashMap<ExprId, Vec<(EdgeId, ExprId)>> = FxHashMap::default();
        for &id in edges {
            let Label::Compare { lhs, rhs, negated: false } = self.game.automaton.edge(id).label else { continue };
            let (lhs, rhs) = (self.classes.of(lhs), self.classes.of(rhs));
            let fixed = |expr| matches!(self.game.exprs.root(expr), Expr::Symbol(_) | Expr::Const(_));
            let (subject, value) = if fixed(lhs) && !fixed(rhs) { (rhs, lhs) } else { (lhs, rhs) };
            let list = cases.entry(subject).or_insert_with(|| {
                order.push(subject);
                Vec::new()
            });
            list.push((id, value));
        }
        let mut found = Vec::new();
        for subject in order {
            let Some(cases) = cases.get(&subject).filter(|cases| cases.len() > 1) else { continue };
            found.extend(self.switch(node, edges, subject, cases));
        }
        found
    }

    /// The cases of one subject. A case that may coincide with an earlier one is left out.
    fn switch(
        &mut self,
        node: NodeId,
        edges: &[EdgeId],
        subject: ExprId,
        cases: &[(EdgeId, ExprId)],
    ) -> Option<Pragma> {
        let game = self.game;
        let is_set = |expr| match rg_ir::check::expr_type(game, expr) {
            Some(rg_ir::check::Ty::Type(ty)) => game.types.is_set(ty),
            Some(rg_ir::check::Ty::Symbol(_)) => true,
            None => false,
        };
        if !is_set(subject) {
            return None;
        }
        let mut taken: FxHashSet<Symbol> = FxHashSet::default();
        let mut listed = Vec::new();
        let mut exact = FxHashSet::default();
        for &(id, value) in cases {
            let Some(possible) = self.values.possible(value).filter(|all| all.len() <= MAX_POSSIBLE) else { continue };
            if possible.iter().any(|symbol| taken.contains(symbol)) {
                continue;
            }
            taken.extend(possible.iter().copied());
            if possible.len() == 1 {
                exact.extend(possible.iter().copied());
            }
            listed.push(id);
        }
        let listed = self.whole_targets(edges, listed);
        let exhaustive = listed.len() == cases.len()
            && self.values.possible(subject).is_some_and(|all| all.iter().all(|symbol| exact.contains(symbol)));
        self.claim(node, edges, listed, exhaustive)
    }

    /// Those of `listed` to whose targets no other edge leads.
    fn whole_targets(&self, edges: &[EdgeId], listed: Vec<EdgeId>) -> Vec<EdgeId> {
        let automaton = &self.game.automaton;
        let known: FxHashSet<EdgeId> = listed.iter().copied().collect();
        let others = edges.iter().filter(|id| !known.contains(id)).map(|&id| automaton.edge(id).target);
        let others: FxHashSet<NodeId> = others.collect();
        listed.into_iter().filter(|&id| !others.contains(&automaton.edge(id).target)).collect()
    }

    fn claim(&self, node: NodeId, edges: &[EdgeId], listed: Vec<EdgeId>, exhaustive: bool) -> Option<Pragma> {
        let count = listed.len();
        let listed = self.whole_targets(edges, listed);
        if listed.len() != count || count < 2 {
            return None;
        }
        let automaton = &self.game.automaton;
        let name = |node: NodeId| automaton.node(node).name;
        let targets = listed.into_iter().map(|id| name(automaton.edge(id).target)).collect();
        Some(Pragma::Disjoint { exhaustive, node: name(node), targets })
    }
}
