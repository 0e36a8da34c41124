//! Nodes at which walks cannot part, for no state satisfies the tests of two ways on, or cannot end, for all states satisfy one.
//!
//! Two edges exclude each other if the same assignments lead to tests that cannot all hold: one check and its negation, or
//! comparisons that have no common solution. Comparisons are tried for all values of what they read (a variable, or an entry of one),
//! so tables count, too. Costs at most [`MAX_TRIED`] evaluations for a pair of edges.

use passes::analysis::classes::{ExprType, expr_type};
use passes::tables::Tables;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol};
use std::cell::Cell;

/// Most ways on from a node that are compared.
const MAX_WAYS: usize = 32;
/// Most steps that are looked ahead.
const MAX_STEPS: usize = 8;
/// Most values of what two comparisons read.
const MAX_TRIED: usize = 1 << 14;
/// The same for all comparisons of a game.
const MAX_TRIED_IN_ALL: usize = 1 << 22;

/// See the module.
pub(super) struct Exclusive<'g> {
    game: &'g Game,
    tables: Tables,
    /// How many values may still be tried.
    left: Cell<usize>,
}

impl<'g> Exclusive<'g> {
    pub(super) fn new(game: &'g Game) -> Self {
        Self { game, tables: Tables::default(), left: Cell::new(MAX_TRIED_IN_ALL) }
    }

    /// Whether a walk has at most one way on from a node.
    pub(super) fn has_one_way(&self, node: NodeId) -> bool {
        let ways = self.game.automaton.outgoing(node);
        ways.len() <= MAX_WAYS
            && ways.iter().enumerate().all(|(at, &a)| ways.iter().skip(at + 1).all(|&b| self.excludes(a, b)))
    }

    /// Whether all ways on from a node begin with comparisons of which no two hold in one state.
    pub(super) fn is_decided_by_comparisons(&self, node: NodeId) -> bool {
        let labels = self.labels(node);
        let compares = labels.iter().all(|label| matches!(label, Label::Compare { .. }));
        let others = |at: usize| labels.iter().skip(at + 1);
        let mut pairs = labels.iter().enumerate().flat_map(|(at, &a)| others(at).map(move |&b| (a, b)));
        labels.len() <= MAX_WAYS && compares && pairs.all(|(a, b)| self.contradict(a, b))
    }

    /// Whether the ways on from a node are a check and its negation.
    pub(super) fn is_decided_by_a_check(&self, node: NodeId) -> bool {
        matches!(self.labels(node)[..], [a @ Label::Reach { .. }, b @ Label::Reach { .. }] if self.contradict(a, b))
    }

    /// The labels of at most one way more than are compared.
    fn labels(&self, node: NodeId) -> Vec<Label> {
        let automaton = &self.game.automaton;
        automaton.outgoing(node).iter().take(MAX_WAYS + 1).map(|&id| automaton.edge(id).label).collect()
    }

    /// Whether a walk always has a way on from a node, as far as the next edges tell.
    pub(super) fn has_a_way(&self, node: NodeId) -> bool {
        let labels = self.labels(node);
        if labels.len() > MAX_WAYS {
            return false;
        }
        match labels[..] {
            [Label::Compare { .. } | Label::Reach { .. }] => false,
            [_] => true,
            [a @ Label::Reach { .. }, b @ Label::Reach { .. }] => self.contradict(a, b),
            _ => self.solutions(&labels, |holding| holding == 0) == Some(false),
        }
    }

    /// Whether no state has walks over both edges, or these are tests that come to one node: then it does not matter over which.
    fn excludes(&self, a: EdgeId, b: EdgeId) -> bool {
        let automaton = &self.game.automaton;
        let (first, second) = (automaton.edge(a), automaton.edge(b));
        let is_test = |label| matches!(label, Label::Compare { .. } | Label::Reach { .. });
        if first.target == second.target && is_test(first.label) && is_test(second.label) {
            return true;
        }
        let (Some((before, tests)), Some((begun, others))) = (self.tests(a), self.tests(b)) else { return false };
        before == begun && tests.iter().any(|&test| others.iter().any(|&other| self.contradict(test, other)))
    }

    /// The labels from an edge on to the first test, and the tests that follow each other from there.
    fn tests(&self, mut id: EdgeId) -> Option<(Vec<Label>, Vec<Label>)> {
        let (mut before, mut tests) = (Vec::new(), Vec::new());
        for _ in 0..MAX_STEPS {
            let edge = self.game.automaton.edge(id);
            match edge.label {
                Label::Compare { .. } | Label::Reach { .. } => tests.push(edge.label),
                _ if !tests.is_empty() => break,
                Label::AssignAny { .. } => return None,
                label if self.game.ends_move(&label) => return None,
                label => before.push(label),
            }
            let &[next] = self.game.automaton.outgoing(edge.target) else { break };
            id = next;
        }
        (!tests.is_empty()).then_some((before, tests))
    }

    fn contradict(&self, a: Label, b: Label) -> bool {
        match (a, b) {
            (Label::Reach { from, to, negated }, Label::Reach { from: other, to: target, negated: not }) => {
                (from, to) == (other, target) && negated != not
            }
            (Label::Compare { .. }, Label::Compare { .. }) => {
                self.solutions(&[a, b], |holding| holding == 2) == Some(false)
            }
            _ => false,
        }
    }

    /// Whether for some values of what comparisons read, as many of these hold as are asked for; `None` if that is not found out.
    fn solutions(&self, labels: &[Label], wanted: impl Fn(usize) -> bool) -> Option<bool> {
        let mut read: Vec<(ExprId, &[Symbol])> = Vec::new();
        for label in labels {
            for expr in label.exprs() {
                self.gather(expr, &mut read)?;
            }
        }
        let count = read.iter().try_fold(1usize, |count, (_, values)| count.checked_mul(values.len()))?;
        let left = self.left.get().checked_sub(count)?;
        if count > MAX_TRIED {
            return None;
        }
        self.left.set(left);
        for number in 0..count {
            let mut rest = number;
            let chosen = read.iter().map(|&(expr, values)| {
                let at = rest % values.len().max(1);
                rest /= values.len().max(1);
                Some((expr, *values.get(at)?))
            });
            let chosen: Vec<(ExprId, Symbol)> = chosen.collect::<Option<_>>()?;
            let mut holding = 0;
            for label in labels {
                let Label::Compare { lhs, rhs, negated } = *label else { return None };
                holding += usize::from((self.value(lhs, &chosen)? == self.value(rhs, &chosen)?) != negated);
            }
            if wanted(holding) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Adds the variables and entries of variables that an expression reads, with the values that they can have.
    fn gather<'s>(&'s self, expr: ExprId, read: &mut Vec<(ExprId, &'s [Symbol])>) -> Option<()> {
        match (self.game.exprs.get(expr), self.game.exprs.root(expr)) {
            (Expr::Symbol(_), _) => Some(()),
            (Expr::Cast(_, inner), _) => self.gather(inner, read),
            (_, Expr::Var(_)) => {
                let Some(ExprType::Type(ty)) = expr_type(self.game, expr) else { return None };
                if !self.game.types.is_set(ty) {
                    return None;
                }
                if read.iter().all(|&(other, _)| other != expr) {
                    read.push((expr, self.game.types.members(ty)));
                }
                Some(())
            }
            (Expr::Access(map, key), Expr::Const(_)) => {
                self.gather(key, read)?;
                self.gather(map, read)
            }
            (Expr::Const(_), _) => Some(()),
            _ => None,
        }
    }

    /// The value of an expression, given those of what is read.
    fn value(&self, expr: ExprId, chosen: &[(ExprId, Symbol)]) -> Option<Symbol> {
        if let Some(&(_, value)) = chosen.iter().find(|&&(read, _)| read == expr) {
            return Some(value);
        }
        let (mut keys, mut at) = (Vec::new(), expr);
        loop {
            match self.game.exprs.get(at) {
                Expr::Symbol(symbol) => return keys.is_empty().then_some(symbol),
                Expr::Cast(_, inner) if keys.is_empty() => return self.value(inner, chosen),
                Expr::Cast(_, inner) => at = inner,
                Expr::Access(map, key) => {
                    keys.push(self.value(key, chosen)?);
                    at = map;
                }
                Expr::Const(id) => {
                    keys.reverse();
                    return self.tables.constant(self.game, id)?.get(&keys);
                }
                Expr::Var(_) => return None,
            }
        }
    }
}
