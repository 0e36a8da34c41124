//! The order of the literals of a body (section 9.9, step 2): tests and reads as soon as they are possible, then steps
//! along static relations, then choices, own pieces first. What is left when everything that is asked for is known is
//! asked in a check, so that no walk is taken twice.

use super::Lift;
use super::expr::Cover;
use super::phases::assign;
use super::query::{Query, Step, Stop, Val};
use super::solve::{MAX_FUNCTIONS, Solution};
use super::vocabulary::Dom;
use crate::flat::{Arg, Atom, Literal, Rel, Rule};
use crate::normal::RelationKind;
use rg_ir::{Expr, Label};

/// Most steps that are decided for one game.
const MAX_STEPS: usize = 6_000;

/// The same for the compact form: there is no other to try then.
const MAX_STEPS_COMPACT: usize = 200_000;

/// Most values of tuples that are tried for one game.
const MAX_TRIES: usize = 200_000_000;

impl Lift<'_, '_> {
    /// Decides all steps of a query.
    pub(super) fn plan(&mut self, query: &mut Query) -> Result<(), Stop> {
        loop {
            self.work += 1;
            let steps = if self.compact.wanted { MAX_STEPS_COMPACT } else { MAX_STEPS };
            if self.work > steps || self.tried.get() > MAX_TRIES {
                return Err(Stop::Cases);
            }
            if self.unfold(query)? || self.ready(query)? || self.follow(query)? {
                continue;
            }
            if query.left.is_empty() && query.is_answered() {
                break;
            }
            if query.cut && query.is_answered() {
                self.cut(query)?;
                break;
            }
            if !self.choose(query)? {
                if !query.may_choose {
                    return Err(Stop::Undetermined);
                }
                return Err(Stop::Unsupported("a condition binds its variables in no order that is known".to_owned()));
            }
        }
        self.finish(query)
    }

    /// Puts the tuples that were asked for where they should be.
    fn finish(&mut self, query: &mut Query) -> Result<(), Stop> {
        for (tuple, slot) in query.preferred.clone() {
            let there = |(part, &arg): (usize, &Arg)| query.places(arg).contains(&Val::Part(slot, part));
            if tuple.iter().enumerate().all(there) {
                continue;
            }
            let dom = self.voc.slot(slot).dom;
            let (rhs, _) = self.tuple(query, &tuple, dom)?;
            if let Some(test) = self.member_test(query, &tuple, dom)? {
                let step = self.is_true(test);
                query.steps.push(step);
            }
            let lhs = self.voc.slot_expr(slot);
            query.steps.push(Step::Do(Label::Assign { lhs, rhs }));
        }
        Ok(())
    }

    /// Writes the body of a relation with one rule in its place.
    fn unfold(&mut self, query: &mut Query) -> Result<bool, Stop> {
        for (index, literal) in query.left.iter().enumerate() {
            let Literal::Pos(atom) = literal else { continue };
            let relation = self.context.flat.relation(atom.rel);
            if relation.is_static || relation.recursive || !is_derived(relation.kind) {
                continue;
            }
            let rules = self.rules_in(query, atom.rel);
            match rules.as_slice() {
                [] => return Err(Stop::Never),
                [rule] => {
                    if self.is_asked(query, index, literal) {
                        continue;
                    }
                    let args = atom.args.clone();
                    query.left.remove(index);
                    self.resolve(query, rule, &args)?;
                    return Ok(true);
                }
                _ => {}
            }
        }
        Ok(false)
    }

    /// Whether an atom is known to be costly, and can be asked now.
    fn is_asked(&mut self, query: &Query, index: usize, literal: &Literal) -> bool {
        let Literal::Pos(atom) = literal else { return false };
        if !self.compact.wanted || self.asks_moves(atom.rel) || self.readiness(query, index, literal).is_none() {
            return false;
        }
        let modes = self.modes(query, atom);
        self.is_costly(atom.rel, &modes)
    }

    /// The rules of a relation; those that ask what a role does once per role that can have done it.
    pub(super) fn rules_in(&self, query: &Query, rel: Rel) -> Vec<Rule> {
        let mut open: Vec<Rule> = self.context.flat.rules_of(rel).rev().cloned().collect();
        let mut rules = Vec::new();
        while let Some(rule) = open.pop() {
            let unknown = rule.body.iter().find_map(|literal| match literal {
                Literal::Pos(atom) if self.context.flat.relation(atom.rel).kind == RelationKind::Does => {
                    atom.args.first().copied().filter(|arg| arg.var().is_some()).map(|arg| (arg, atom.rel))
                }
                _ => None,
            });
            let Some((arg, does)) = unknown.filter(|_| !query.done.is_empty()) else {
                rules.push(rule);
                continue;
            };
            let kind = self.context.flat.move_of(does);
            for role in self.context.flat.roles.iter().rev() {
                if query.done.get(role).is_some_and(|done| Some(done.kind) == kind) {
                    open.extend(assign(&rule, arg, *role));
                }
            }
        }
        rules
    }

    /// Adds the body of a rule whose head has these arguments.
    pub(super) fn resolve(&mut self, query: &mut Query, rule: &Rule, args: &[Arg]) -> Result<(), Stop> {
        let first = query.fresh(rule.vars);
        for (&head, &arg) in rule.head.args.iter().zip(args) {
            self.equate(query, head.shifted(first), arg)?;
        }
        query.left.extend(rule.body.iter().map(|literal| literal.map(&|arg| arg.shifted(first))));
        Ok(())
    }

    /// Makes two arguments equal: by another name, or by a test.
    pub(super) fn equate(&mut self, query: &mut Query, a: Arg, b: Arg) -> Result<(), Stop> {
        let (a, b) = (query.walk(a), query.walk(b));
        if a == b {
            return Ok(());
        }
        match (query.free(a), query.free(b)) {
            (Some(var), _) => query.rename(var, b),
            (_, Some(var)) => query.rename(var, a),
            (None, None) => self.compare(query, a, b, false)?,
        }
        Ok(())
    }

    /// Makes an argument the value in a place: binds it if it is free, else by a test.
    pub(super) fn equate_value(&mut self, query: &mut Query, arg: Arg, val: Val) -> Result<(), Stop> {
        if query.free(arg).is_some() {
            query.bind(arg, val);
            return Ok(());
        }
        let other = Arg::Var(query.fresh(1));
        query.bind(other, val);
        self.equate(query, other, arg)
    }

    /// A test whether two bound arguments are equal, or differ.
    fn compare(&mut self, query: &mut Query, a: Arg, b: Arg, negated: bool) -> Result<(), Stop> {
        let ((lhs, left), (rhs, right)) = (self.scalar(query, a)?, self.scalar(query, b)?);
        let common = left.iter().any(|term| right.contains(term));
        if !common || lhs == rhs {
            let equal = lhs == rhs && common;
            return if equal == negated { Err(Stop::Never) } else { Ok(()) };
        }
        query.steps.push(Step::Do(Label::Compare { lhs, rhs, negated }));
        Ok(())
    }

    /// Decides one literal all of whose variables are known, or that only reads.
    fn ready(&mut self, query: &mut Query) -> Result<bool, Stop> {
        let mut best: Option<(usize, usize)> = None;
        for (index, literal) in query.left.iter().enumerate() {
            if let Some(cost) = self.readiness(query, index, literal)
                && best.is_none_or(|(_, other)| cost < other)
            {
                best = Some((index, cost));
            }
        }
        let Some((index, _)) = best else { return Ok(false) };
        let literal = query.left.remove(index);
        self.decide(query, &literal)?;
        Ok(true)
    }

    /// How soon a literal should be decided, if it can be.
    fn readiness(&self, query: &Query, index: usize, literal: &Literal) -> Option<usize> {
        let bound = |atom: &Atom| atom.args.iter().all(|&arg| query.is_bound(arg));
        if self.is_static(literal) {
            return literal.vars().iter().all(|&var| query.is_bound(Arg::Var(var))).then_some(0);
        }
        let (atom, negated) = match literal {
            Literal::Pos(atom) => (atom, false),
            Literal::Neg(atom) => (atom, true),
            Literal::Distinct(..) => return None,
        };
        match self.context.flat.relation(atom.rel).kind {
            RelationKind::Does => (!negated || bound(atom)).then_some(0),
            RelationKind::True => {
                let layout = self.layout_of(atom.rel)?;
                let keyed =
                    layout.key.iter().all(|&place| atom.args.get(place).is_some_and(|&arg| query.is_bound(arg)));
                match (keyed, negated, bound(atom)) {
                    (true, _, true) => Some(1),
                    (true, false, false) => Some(2),
                    _ => None,
                }
            }
            _ => {
                let known = |(place, &arg): (usize, &Arg)| match query.free(arg) {
                    None => true,
                    Some(var) => {
                        let again = |(other, &arg): (usize, &Arg)| other != place && query.free(arg) == Some(var);
                        !negated && !query.is_used(var, index) && !atom.args.iter().enumerate().any(again)
                    }
                };
                let known = atom.args.iter().enumerate().all(known);
                // The same relation again comes last.
                let last = query.left.len() == 1 || query.inside.as_ref().is_none_or(|(_, rel, _)| *rel != atom.rel);
                (known && last).then_some(3)
            }
        }
    }

    fn decide(&mut self, query: &mut Query, literal: &Literal) -> Result<(), Stop> {
        if let Literal::Distinct(a, b) = literal {
            return self.compare(query, *a, *b, true);
        }
        if self.is_static(literal) {
            if let Some(lhs) = self.static_test(query, literal)? {
                let step = self.is_true(lhs);
                query.steps.push(step);
                query.tested.push(literal.clone());
            }
            return Ok(());
        }
        let (atom, negated) = match literal {
            Literal::Pos(atom) => (atom, false),
            Literal::Neg(atom) => (atom, true),
            Literal::Distinct(..) => return Ok(()),
        };
        match self.context.flat.relation(atom.rel).kind {
            RelationKind::Does => self.does(query, atom, negated),
            RelationKind::True => self.read(query, atom, negated),
            _ => self.derived(query, atom, negated),
        }
    }

    /// A fluent whose key is known.
    fn read(&mut self, query: &mut Query, atom: &Atom, negated: bool) -> Result<(), Stop> {
        let Some(layout) = self.layout_of(atom.rel).cloned() else { return Err(Stop::Never) };
        let pick = |places: &[usize]| -> Vec<Arg> {
            places.iter().filter_map(|&place| atom.args.get(place).copied()).collect()
        };
        let (key, value) = (pick(&layout.key), pick(&layout.value));
        let mut cell = layout.expr;
        if let Some(dom) = layout.key_dom {
            let (expr, cover) = self.tuple(query, &key, dom)?;
            if cover == Cover::Never {
                return if negated { Ok(()) } else { Err(Stop::Never) };
            }
            cell = self.voc.access(cell, expr);
        }
        let free: Vec<u32> = value.iter().filter_map(|&arg| query.free(arg)).collect();
        if free.is_empty() {
            let (rhs, cover) = self.tuple(query, &value, layout.value_dom)?;
            if cover == Cover::Never {
                return if negated { Ok(()) } else { Err(Stop::Never) };
            }
            // Where the value is computed, `null` means that the fluent cannot have it; in the cell, that there is none.
            let plain = cover == Cover::Always || matches!(self.voc.game.exprs.get(rhs), Expr::Var(_));
            let test = Step::Do(Label::Compare { lhs: cell, rhs, negated: negated && plain });
            if plain {
                query.steps.push(test);
            } else {
                let guard = Step::Do(self.not_null(rhs));
                match negated {
                    false => query.steps.extend([guard, test]),
                    true => query.steps.push(Step::Check { steps: vec![guard, test], negated: true }),
                }
            }
            return Ok(());
        }
        // The literal is out of the list: whatever still mentions its variables uses them.
        let used = free.iter().any(|&var| query.is_used(var, usize::MAX)) || value.len() > 1;
        if !used {
            if !layout.total {
                let rhs = self.voc.symbol_expr(layout.null);
                query.steps.push(Step::Do(Label::Compare { lhs: cell, rhs, negated: true }));
            }
            return Ok(());
        }
        let own: Vec<Arg> = {
            let first = query.fresh(u32::try_from(value.len()).unwrap_or(0));
            (first..).take(value.len()).map(Arg::Var).collect()
        };
        let slot = self.slot_for(query, &value, layout.value_dom);
        query.read.push(slot);
        let lhs = self.voc.slot_expr(slot);
        query.steps.push(Step::Do(Label::Assign { lhs, rhs: cell }));
        if !layout.total {
            let label = self.not_null(lhs);
            query.steps.push(Step::Do(label));
        }
        self.bind_tuple(query, &own, slot);
        for (&own, &arg) in own.iter().zip(&value) {
            match query.free(arg) {
                Some(_) => query.places(own).into_iter().for_each(|val| query.bind(arg, val)),
                None => self.equate(query, own, arg)?,
            }
        }
        Ok(())
    }

    /// Binds a tuple that static relations determine.
    fn follow(&mut self, query: &mut Query) -> Result<bool, Stop> {
        let mut best: Option<(usize, Solution)> = None;
        for (cost, target, dom) in self.targets(query) {
            if best.as_ref().is_some_and(|(other, _)| *other <= cost) {
                continue;
            }
            for with_source in [false, true] {
                let found = self.solve(query, &target, dom, with_source);
                if let Some(solution) = found.filter(Solution::is_function) {
                    best = Some((cost, solution));
                    break;
                }
            }
        }
        let Some((_, solution)) = best else { return Ok(false) };
        self.apply(query, solution)?;
        Ok(true)
    }

    /// Makes a choice: the one that seems cheapest.
    fn choose(&mut self, query: &mut Query) -> Result<bool, Stop> {
        let mut best: Option<(usize, Solution)> = None;
        let walked = self.walkable(query);
        let ends = |target: &[Arg]| {
            let ends = walked.iter().flat_map(|(_, ends)| ends);
            target.iter().filter_map(|&arg| query.free(arg)).any(|var| ends.clone().any(|&end| end == var))
        };
        let targets = self.targets(query);
        for (cost, target, dom) in &targets {
            // Where walks end is not chosen before they are walked.
            if ends(target) {
                continue;
            }
            for with_source in [true, false] {
                let Some(solution) = self.solve(query, target, *dom, with_source) else { continue };
                if !self.writable(query, &solution) {
                    continue;
                }
                // A step somewhere is as good as a choice where to, and the step.
                let step = solution.has_source() || self.leads_on(query, &solution, (target, *dom), &targets);
                let cost = if step { solution.fan() } else { 1000 * cost + solution.fan() };
                if best.as_ref().is_none_or(|(other, _)| cost < *other) {
                    best = Some((cost, solution));
                }
            }
        }
        let helper = walked.map(|(index, _)| index).or_else(|| self.enumerable(query));
        match (best, helper) {
            (Some((_, solution)), None) => self.apply(query, solution)?,
            // Own pieces first.
            (Some((cost, solution)), Some(_)) if cost < 3000 => self.apply(query, solution)?,
            (_, Some(index)) => self.enumerate(query, index)?,
            (None, None) => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a choice of one of few values makes another tuple a function of that value and of what is known.
    fn leads_on(
        &self,
        query: &Query,
        choice: &Solution,
        (target, dom): (&[Arg], Dom),
        targets: &[(usize, Vec<Arg>, Dom)],
    ) -> bool {
        let Some(var) = <[Arg; 1]>::try_from(target).ok().and_then(|[arg]| query.free(arg)) else { return false };
        let others = targets.iter().filter(|(_, other, _)| other.iter().all(|&arg| query.free(arg) != Some(var)));
        choice.fan() <= MAX_FUNCTIONS
            && others.into_iter().any(|(_, other, of)| self.would_follow(query, other, *of, (var, dom)))
    }

    /// What is left, in a check.
    fn cut(&mut self, query: &mut Query) -> Result<(), Stop> {
        let left = std::mem::take(&mut query.left);
        for part in components(query, left) {
            let mut inner = query.about(part);
            (inner.cut, inner.may_choose) = (false, true);
            self.plan(&mut inner)?;
            if inner.chose {
                query.steps.push(Step::Check { steps: inner.steps, negated: false });
            } else {
                query.steps.extend(inner.steps);
            }
        }
        Ok(())
    }
}

/// Whether atoms of a relation follow from rules.
pub(super) fn is_derived(kind: RelationKind) -> bool {
    matches!(kind, RelationKind::Helper | RelationKind::Legal | RelationKind::Goal | RelationKind::Terminal)
}

/// Splits literals into parts without common free variables.
fn components(query: &Query, literals: Vec<Literal>) -> Vec<Vec<Literal>> {
    let mut parts: Vec<(Vec<u32>, Vec<Literal>)> = Vec::new();
    for literal in literals {
        let mut vars: Vec<u32> = literal.vars().into_iter().filter_map(|var| query.free(Arg::Var(var))).collect();
        let mut joined = Vec::new();
        for (others, list) in std::mem::take(&mut parts) {
            if others.iter().any(|var| vars.contains(var)) {
                vars.extend(others);
                joined.extend(list);
            } else {
                parts.push((others, list));
            }
        }
        joined.push(literal);
        parts.push((vars, joined));
    }
    parts.into_iter().map(|(_, list)| list).collect()
}
