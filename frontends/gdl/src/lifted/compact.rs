//! The compact form: relations that are costly to ask are asked by automata of their own instead of being written out
//! wherever they are asked. Walks are longer then, as arguments are handed over, but there are fewer cases.
//!
//! Whether a costly relation holds of anything at all is asked once per state, and remembered in a variable: whether a
//! king is in check, say, matters for every move. Where such a relation has to bind something, it is looked through only
//! if it holds of anything.

use super::Lift;
use super::query::{Mode, Step};
use crate::flat::Rel;
use crate::normal::RelationKind;
use rg_ir::ids::{ExprId, NodeId};
use rg_ir::{Expr, Label, Span, Value};
use rustc_hash::FxHashMap;

/// Checks that look at fewer edges than this are written out.
const COSTLY: f64 = 8.0;

/// Checks without arguments that look at fewer edges than this are asked each time.
const REMEMBERED: f64 = 64.0;

/// What is known about relations in the compact form.
#[derive(Default)]
pub(super) struct Compact {
    /// Whether the form is compact at all.
    pub(super) wanted: bool,
    /// Per relation, and for each of its arguments whether any value will do, whether it is costly. While that is found
    /// out, it is not.
    costly: FxHashMap<(Rel, Vec<bool>), bool>,
    /// Relations of which it is remembered whether they hold of anything.
    remembered: FxHashMap<Rel, usize>,
    /// The automata that find out, and the variables, those that others ask for first.
    answers: Vec<(usize, ExprId)>,
    /// Where that has to be found out: between these nodes.
    places: Vec<(NodeId, NodeId)>,
}

impl Compact {
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, ..Self::default() }
    }
}

impl Lift<'_, '_> {
    /// Whether a relation on the state is so costly to ask that it should not be written out again and again.
    pub(super) fn is_costly(&mut self, rel: Rel, modes: &[Mode]) -> bool {
        if !self.compact.wanted {
            return false;
        }
        let any: Vec<bool> = modes.iter().map(|mode| *mode == Mode::Any).collect();
        let question = (rel, any);
        if let Some(&known) = self.compact.costly.get(&question) {
            return known;
        }
        self.compact.costly.insert(question.clone(), false);
        let modes: Vec<Mode> = question.1.iter().map(|any| if *any { Mode::Any } else { Mode::Param }).collect();
        let procedure = self.procedure(rel, &modes).ok().and_then(|number| self.procedures.get(number));
        let costly = procedure.is_some_and(|procedure| procedure.effort.of_check() >= COSTLY);
        self.compact.costly.insert(question, costly);
        costly
    }

    /// A variable that is `1` in states in which a relation on the state holds of anything, if that is worth it.
    pub(super) fn remembered(&mut self, rel: Rel) -> Option<ExprId> {
        let relation = self.context.flat.relation(rel);
        if !self.compact.wanted || relation.kind != RelationKind::Helper || relation.is_static || relation.recursive {
            return None;
        }
        if let Some(&known) = self.compact.remembered.get(&rel) {
            return self.compact.answers.get(known).map(|&(_, expr)| expr);
        }
        let modes = vec![Mode::Any; relation.arity];
        if self.asks_moves(rel) || !self.is_costly(rel, &modes) {
            return None;
        }
        let procedure = self.procedure(rel, &modes).ok()?;
        if self.procedures.get(procedure).is_none_or(|procedure| procedure.effort.of_check() < REMEMBERED) {
            return None;
        }
        let name = self.voc.name(&format!("some_{}", self.relation_name(rel)));
        let (ty, no) = (self.voc.bool_ty, Value::Symbol(self.voc.bools[0]));
        let var = self.voc.game.add_var(name, ty, no, Span::NONE);
        let expr = self.voc.game.exprs.intern(Expr::Var(var));
        self.compact.remembered.insert(rel, self.compact.answers.len());
        self.compact.answers.push((procedure, expr));
        Some(expr)
    }

    /// The step that asks for what is remembered.
    pub(super) fn recall(&mut self, lhs: ExprId, negated: bool) -> Step {
        let rhs = self.voc.symbol_expr(self.voc.bools[1]);
        Step::Do(Label::Compare { lhs, rhs, negated })
    }

    /// A place in which everything is found out that is remembered; the node behind it. What that is, is known at the end.
    pub(super) fn remember_here(&mut self, from: NodeId) -> NodeId {
        if !self.compact.wanted {
            return from;
        }
        let to = self.voc.node("known");
        self.compact.places.push((from, to));
        to
    }

    /// Writes what has to be found out, in all its places.
    pub(super) fn write_remembered(&mut self) {
        let call = |procedure, negated| Step::Call { procedure, params: Vec::new(), negated };
        let mut steps = Vec::new();
        for (procedure, lhs) in self.compact.answers.clone() {
            let [no, yes] = self.voc.bools.map(|value| self.voc.game.exprs.intern(Expr::Symbol(value)));
            let way = |negated, rhs| vec![call(procedure, negated), Step::Do(Label::Assign { lhs, rhs })];
            steps.push(Step::Any(vec![way(false, yes), way(true, no)]));
            for _ in 0..self.phases.list.len() {
                self.count(self.effort(&[call(procedure, true)]));
            }
        }
        let places = std::mem::take(&mut self.compact.places);
        if !steps.is_empty() {
            places.iter().for_each(|&(from, to)| self.emit_to(&steps, from, to));
            return;
        }
        // Nothing: what comes behind a place comes before it.
        let before: FxHashMap<NodeId, NodeId> = places.into_iter().map(|(from, to)| (to, from)).collect();
        let automaton = &mut self.voc.game.automaton;
        automaton.edit_edges(|_, edge| {
            edge.source = before.get(&edge.source).copied().unwrap_or(edge.source);
            true
        });
        for &node in before.keys() {
            automaton.remove_node(node);
        }
    }
}
