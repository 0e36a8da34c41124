//! Steps as edges.

use super::Lift;
use super::query::Step;
use rg_ir::ids::NodeId;
use rg_ir::{Label, Span};

impl Lift<'_, '_> {
    pub(super) fn edge(&mut self, from: NodeId, to: NodeId, label: Label) {
        self.voc.game.automaton.add_edge(from, to, label, Span::NONE);
    }

    /// Writes steps from a node to a new one.
    pub(super) fn emit(&mut self, steps: &[Step], from: NodeId) -> NodeId {
        if steps.is_empty() {
            return from;
        }
        let to = self.voc.node("at");
        self.emit_to(steps, from, to);
        to
    }

    /// Writes steps from one node to another.
    pub(super) fn emit_to(&mut self, steps: &[Step], from: NodeId, to: NodeId) {
        let Some((last, first)) = steps.split_last() else {
            self.edge(from, to, Label::Skip);
            return;
        };
        let mut at = from;
        for step in first {
            let next = self.voc.node("at");
            self.step(step, at, next);
            at = next;
        }
        self.step(last, at, to);
    }

    fn step(&mut self, step: &Step, from: NodeId, to: NodeId) {
        match step {
            Step::Do(label) => self.edge(from, to, *label),
            Step::Any(ways) => {
                for way in ways {
                    self.emit_to(way, from, to);
                }
            }
            Step::Check { steps, negated } => {
                let (start, end) = (self.voc.node("check"), self.voc.node("checked"));
                self.emit_to(steps, start, end);
                self.edge(from, to, Label::Reach { from: start, to: end, negated: *negated });
            }
            Step::Call { procedure, params, negated } => {
                let Some(procedure) = self.procedures.get(*procedure) else { return };
                let (entry, exit) = (procedure.entry, procedure.exit);
                let mut start = entry;
                if !params.is_empty() {
                    start = self.voc.node("call");
                    let mut steps = Vec::new();
                    for &(slot, rhs) in params {
                        steps.push(Step::Do(Label::Assign { lhs: self.voc.slot_expr(slot), rhs }));
                    }
                    self.emit_to(&steps, start, entry);
                }
                self.edge(from, to, Label::Reach { from: start, to: exit, negated: *negated });
            }
            Step::Each { slot, first, next, null, steps, .. } => {
                let lhs = self.voc.slot_expr(*slot);
                let (each, done, after) =
                    (self.voc.node("each"), self.voc.node("each_done"), self.voc.node("each_next"));
                self.edge(from, each, Label::Assign { lhs, rhs: *first });
                self.emit_to(steps, each, done);
                self.edge(done, after, Label::Assign { lhs, rhs: *next });
                self.edge(after, each, Label::Compare { lhs, rhs: *null, negated: true });
                self.edge(after, to, Label::Compare { lhs, rhs: *null, negated: false });
            }
            Step::Closure { first, again } => {
                let at = self.voc.node("walked");
                first.iter().for_each(|way| self.emit_to(way, from, at));
                again.iter().filter(|way| !way.is_empty()).for_each(|way| self.emit_to(way, at, at));
                self.edge(at, to, Label::Skip);
            }
            Step::Again { procedure, params } => {
                let Some(entry) = self.procedures.get(*procedure).map(|procedure| procedure.entry) else { return };
                // All arguments are read before one is written.
                let mut steps = Vec::new();
                for &(_, own, rhs) in params {
                    steps.push(Step::Do(Label::Assign { lhs: self.voc.slot_expr(own), rhs }));
                }
                for &(slot, own, _) in params {
                    let (lhs, rhs) = (self.voc.slot_expr(slot), self.voc.slot_expr(own));
                    steps.push(Step::Do(Label::Assign { lhs, rhs }));
                }
                self.emit_to(&steps, from, entry);
            }
        }
    }
}
