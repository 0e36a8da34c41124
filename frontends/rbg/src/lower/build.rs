//! From the expression to the draft automaton.

use super::arith::{Arithmetic, Test};
use super::canon::Canon;
use super::draft::{BEGIN, Draft, Kind, Place, Step};
use super::relation::{Plan, RelId, Relations};
use crate::ast::{Description, Rule, RuleId};
use crate::codes;
use rg_ir::ids::Id;
use rg_ir::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// Builds the draft of the rules. The work to do is on an explicit stack.
pub(super) struct Builder<'a, 'd> {
    pub(super) description: &'d Description,
    pub(super) relations: &'a mut Relations,
    pub(super) canon: &'a Canon,
    pub(super) arithmetic: &'a mut Arithmetic<'d>,
    /// The result.
    pub(super) draft: Draft,
    /// Start and success of the automaton of every check met so far, by what its rule is the same as.
    pub(super) checks: FxHashMap<RuleId, (Place, Place)>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A rule to put between two places.
#[derive(Clone, Copy)]
struct Task {
    rule: RuleId,
    from: Place,
    to: Place,
}

/// A factor of a concatenation: a rule, or consecutive ones that are a relation together.
enum Factor {
    Rule(RuleId),
    Run(RelId, Span),
}

impl Builder<'_, '_> {
    /// Puts the whole expression after the start. Near-linear in the size of the rules.
    pub(super) fn build(&mut self) {
        let root = self.description.rules.root;
        let span = self.span(root);
        let (entry, exit) = (self.draft.place(Kind::Plain, span), self.draft.place(Kind::Plain, span));
        self.draft.arrow(BEGIN, entry, Step::Skip, span);
        let mut tasks = vec![Task { rule: root, from: entry, to: exit }];
        while let Some(task) = tasks.pop() {
            self.step(task, &mut tasks);
        }
    }

    fn rule(&self, id: RuleId) -> &Rule {
        self.description.rules.nodes.get(id.index()).map_or(&Rule::Dot, |(rule, _)| rule)
    }

    fn span(&self, id: RuleId) -> Span {
        self.description.rules.nodes.get(id.index()).map_or(Span::NONE, |(_, origin)| origin.span)
    }

    fn step(&mut self, Task { rule: id, from, to }: Task, tasks: &mut Vec<Task>) {
        let span = self.span(id);
        let fact = self.canon.fact(id);
        if let Some(relation) = fact.relation
            && !fact.cost.by_parts
            && self.go(from, to, relation, span)
        {
            return;
        }
        match self.rule(id).clone() {
            Rule::Sum(children) => self.sum(&children, from, to, tasks),
            Rule::Concat(_) => self.concat(id, from, to, tasks),
            Rule::Star(child) => {
                let turn = self.draft.place(Kind::Plain, span);
                self.draft.arrow(from, turn, Step::Skip, span);
                self.draft.arrow(turn, to, Step::Skip, span);
                tasks.push(Task { rule: child, from: turn, to: turn });
            }
            Rule::Check { negated, rule } => self.check(negated, rule, from, to, span, tasks),
            Rule::On(pieces) => {
                let set = self.draft.set(&pieces);
                self.draft.arrow(from, to, Step::On(set), span);
            }
            Rule::Off { piece, index } => self.draft.arrow(from, to, Step::Off { piece, index }, span),
            Rule::Switch { player, index } => self.draft.arrow(from, to, Step::Switch { player, index }, span),
            Rule::Dot => self.draft.arrow(from, to, Step::Skip, span),
            Rule::Assign { target, value, index } => {
                let value = self.canon.same_arith(value);
                match self.arithmetic.assign(target, value, span) {
                    Ok(answer) if matches!(answer.0, Test::Never) => {}
                    Ok(_) => self.draft.arrow(from, to, Step::Assign { target, value, index }, span),
                    Err(diagnostic) => self.diagnostics.push(*diagnostic),
                }
            }
            Rule::Compare { relation, left, right } => {
                let (left, right) = (self.canon.same_arith(left), self.canon.same_arith(right));
                match self.arithmetic.compare(relation, left, right, span).as_deref() {
                    Ok(Test::Never) => {}
                    Ok(Test::Always) => self.draft.arrow(from, to, Step::Skip, span),
                    Ok(_) => self.draft.arrow(from, to, Step::Compare { relation, left, right }, span),
                    Err(diagnostic) => self.diagnostics.push((**diagnostic).clone()),
                }
            }
            // Shifts by declared labels are relations, and were dealt with.
            Rule::Shift(_) => {
                self.diagnostics.push(Diagnostic::error(
                    codes::UNKNOWN_LABEL,
                    span,
                    "no edge of the board has this label",
                ));
            }
        }
    }

    /// An arrow for a relation; `false` if the relation cannot be expressed in one step.
    fn go(&mut self, from: Place, to: Place, relation: RelId, span: Span) -> bool {
        match self.relations.plan(relation).as_deref() {
            None => return false,
            Some(Plan::Empty) => {}
            Some(Plan::Identity) => self.draft.arrow(from, to, Step::Skip, span),
            Some(_) => self.draft.arrow(from, to, Step::Go(relation), span),
        }
        true
    }

    /// Alternatives; those that are relations become one where that is cheaper.
    fn sum(&mut self, children: &[RuleId], from: Place, to: Place, tasks: &mut Vec<Task>) {
        let parts: Vec<(RuleId, RelId)> =
            children.iter().filter_map(|&c| Some((c, self.canon.fact(c).relation?))).collect();
        let factors: Vec<RuleId> = parts.iter().map(|&(c, _)| c).collect();
        let joined = match parts.split_first() {
            Some((&(_, first), rest)) if !rest.is_empty() && parts.len() < children.len() => {
                rest.iter().try_fold(first, |sum, &(_, r)| self.relations.union(sum, r))
            }
            _ => None,
        };
        let joined = joined.filter(|&r| !self.canon.run_cost(self.relations, &factors, r).by_parts);
        let span = factors.first().map_or(Span::NONE, |&f| self.span(f));
        let joined = joined.is_some_and(|relation| self.go(from, to, relation, span));
        for &rule in children.iter().rev() {
            if !(joined && self.canon.fact(rule).relation.is_some()) {
                tasks.push(Task { rule, from, to });
            }
        }
    }

    fn concat(&mut self, id: RuleId, from: Place, to: Place, tasks: &mut Vec<Task>) {
        let factors = self.factors(id);
        let last = factors.len().saturating_sub(1);
        let first_task = tasks.len();
        let mut at = from;
        for (i, factor) in factors.into_iter().enumerate() {
            let span = match factor {
                Factor::Rule(rule) => self.span(rule),
                Factor::Run(_, span) => span,
            };
            let next = if i == last { to } else { self.draft.place(Kind::Plain, span) };
            match factor {
                Factor::Rule(rule) => tasks.push(Task { rule, from: at, to: next }),
                Factor::Run(relation, span) => {
                    self.go(at, next, relation, span);
                }
            }
            at = next;
        }
        if let Some(new) = tasks.get_mut(first_task..) {
            new.reverse();
        }
    }

    /// The factors of a concatenation, nested ones included, up to the first that is never legal. Longest runs of
    /// relations are composed where that is cheaper.
    fn factors(&mut self, id: RuleId) -> Vec<Factor> {
        let mut factors = Vec::new();
        let mut run: Vec<RuleId> = Vec::new();
        let mut stack: Vec<RuleId> = match self.rule(id) {
            Rule::Concat(children) => children.iter().rev().copied().collect(),
            _ => vec![id],
        };
        while let Some(id) = stack.pop() {
            let fact = self.canon.fact(id);
            if fact.relation.is_some() {
                run.push(id);
                if fact.void {
                    break;
                }
                continue;
            }
            if let Rule::Concat(children) = self.rule(id) {
                stack.extend(children.iter().rev());
                continue;
            }
            self.close_run(&mut run, &mut factors);
            factors.push(Factor::Rule(id));
        }
        self.close_run(&mut run, &mut factors);
        factors
    }

    fn close_run(&mut self, run: &mut Vec<RuleId>, factors: &mut Vec<Factor>) {
        let parts: Vec<(RuleId, RelId)> =
            run.iter().filter_map(|&rule| Some((rule, self.canon.fact(rule).relation?))).collect();
        let composed = parts.split_first().and_then(|(&(_, first), rest)| {
            rest.iter().try_fold(first, |product, &(_, r)| self.relations.compose(product, r))
        });
        match composed {
            Some(relation)
                if self.relations.plan(relation).is_some()
                    && !self.canon.run_cost(self.relations, run, relation).by_parts =>
            {
                let ends = (run.first(), run.last());
                let span = ends.0.map_or(Span::NONE, |&r| self.span(r));
                let span = ends.1.map_or(span, |&r| span.to(self.span(r)));
                factors.push(Factor::Run(relation, span));
            }
            _ => factors.extend(run.iter().map(|&rule| Factor::Rule(rule))),
        }
        run.clear();
    }

    /// A check: an edge, and the automaton of what it checks unless there is one already.
    fn check(&mut self, negated: bool, rule: RuleId, from: Place, to: Place, span: Span, tasks: &mut Vec<Task>) {
        let fact = self.canon.fact(rule);
        if fact.void {
            if negated {
                self.draft.arrow(from, to, Step::Skip, span);
            }
            return;
        }
        let known = self.checks.get(&fact.same).copied();
        let (start, success) = known.unwrap_or_else(|| {
            let inner = self.span(rule);
            let start = self.draft.place(Kind::CheckStart, inner);
            let success = self.draft.place(Kind::CheckEnd, inner);
            tasks.push(Task { rule, from: start, to: success });
            self.checks.insert(fact.same, (start, success));
            (start, success)
        });
        self.draft.arrow(from, to, Step::Check { negated, from: start, to: success }, span);
    }
}
