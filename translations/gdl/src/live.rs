//! Which variables matter where: those that some walk from there reads before it assigns them.

use rg_ir::{Expr, ExprId, Game, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The question that a walk is to answer: which move it is, or whether there is one to a node.
pub(crate) type Question = Option<NodeId>;

/// The variables that matter at nodes; only nodes from which a walk leads on to an answer are there.
type Table = FxHashMap<NodeId, BTreeSet<VarId>>;

/// For each question the variables that matter at each node.
pub(crate) struct Live {
    tables: FxHashMap<Question, Table>,
    visible: Option<VarId>,
}

impl Live {
    /// Solves the data-flow equations for all questions together. Checks ask questions of their own.
    ///
    /// Where players do not see everything, tags ask who sees them: then `visible` is that variable.
    pub(crate) fn new(game: &Game, visible: Option<VarId>) -> Self {
        let mut questions: Vec<Question> = vec![None];
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        for (_, edge) in game.automaton.edges() {
            if let Label::Reach { to, .. } = edge.label
                && seen.insert(to)
            {
                questions.push(Some(to));
            }
        }
        let tables = questions.iter().map(|&question| (question, Table::default())).collect();
        let mut live = Self { tables, visible };
        loop {
            let changed = questions.iter().filter(|&&question| live.solve(game, question)).count();
            if changed == 0 {
                break;
            }
        }
        live
    }

    /// The variables that matter at a node; `None` if no walk from there answers the question.
    pub(crate) fn at(&self, question: Question, node: NodeId) -> Option<&BTreeSet<VarId>> {
        self.tables.get(&question)?.get(&node)
    }

    /// Solves the equations of one question, given what is known of the others; whether anything is new.
    fn solve(&mut self, game: &Game, question: Question) -> bool {
        let answer = question.unwrap_or(game.end());
        let goals = game.symbols.get("goals").and_then(|name| game.find_var(name));
        let mut table = self.tables.remove(&question).unwrap_or_default();
        let at_answer: BTreeSet<VarId> = goals.filter(|_| question.is_none()).into_iter().collect();
        let mut changed = add(&mut table, answer, &at_answer);
        let mut pending: Vec<NodeId> = game.automaton.nodes().collect();
        while let Some(node) = pending.pop() {
            rg_ir::cancel::check();
            let Some(after) = table.get(&node).cloned() else { continue };
            for &edge in game.automaton.incoming(node) {
                let edge = game.automaton.edge(edge);
                // A check is over where it is answered.
                if question == Some(edge.source) {
                    continue;
                }
                let mut before = after.clone();
                self.before(game, &table, question, &edge.label, &mut before);
                if add(&mut table, edge.source, &before) {
                    changed = true;
                    pending.push(edge.source);
                }
            }
        }
        self.tables.insert(question, table);
        changed
    }

    fn before(&self, game: &Game, own: &Table, question: Question, label: &Label, live: &mut BTreeSet<VarId>) {
        match *label {
            Label::Skip => {}
            Label::Tag(_) => live.extend(self.visible.filter(|_| question.is_none())),
            Label::TagVar(var) => {
                live.insert(var);
                live.extend(self.visible.filter(|_| question.is_none()));
            }
            Label::Compare { lhs, rhs, .. } => {
                variables(game, lhs, live);
                variables(game, rhs, live);
            }
            Label::Assign { lhs, rhs } => {
                // Who moves next always matters.
                let hands_over = question.is_none() && game.ends_move(label);
                if write(game, lhs, live) || hands_over {
                    variables(game, rhs, live);
                }
            }
            Label::AssignAny { lhs, .. } => drop(write(game, lhs, live)),
            Label::Reach { from, to, .. } => {
                let table = if question == Some(to) { Some(own) } else { self.tables.get(&Some(to)) };
                if let Some(inside) = table.and_then(|table| table.get(&from)) {
                    live.extend(inside);
                }
            }
        }
    }
}

/// Adds variables to those of a node; whether that is new.
fn add(table: &mut Table, node: NodeId, more: &BTreeSet<VarId>) -> bool {
    let Some(known) = table.get_mut(&node) else {
        table.insert(node, more.clone());
        return true;
    };
    let before = known.len();
    known.extend(more);
    known.len() > before
}

/// Looks back through the assignment of a left side; whether that mattered.
fn write(game: &Game, mut lhs: ExprId, live: &mut BTreeSet<VarId>) -> bool {
    let Expr::Var(var) = game.exprs.root(lhs) else { return false };
    if !live.contains(&var) {
        return false;
    }
    let mut whole = true;
    loop {
        match game.exprs.get(lhs) {
            Expr::Access(map, key) => {
                variables(game, key, live);
                (lhs, whole) = (map, false);
            }
            Expr::Cast(_, inner) => lhs = inner,
            Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => break,
        }
    }
    if whole {
        live.remove(&var);
    }
    true
}

fn variables(game: &Game, expr: ExprId, live: &mut BTreeSet<VarId>) {
    game.exprs.preorder(expr, |_, expr| {
        if let Expr::Var(var) = expr {
            live.insert(var);
        }
    });
}
