//! Relations that ask for themselves, as walks: a piece that slides goes on from where it came to.
//!
//! `(reach f y)` holds where `(start f y)` does, and where `(reach f x)`, `(free x)` and `(step x y)` do (a linear recursion). With
//! `y` unknown, it is not looked for among all values, each with a check that goes the way back: walks begin where the rules that
//! do not ask for the relation say, and go on by the others, as often as that is possible. An argument that the rules only hand
//! on may be known before.

use super::Lift;
use super::plan::is_derived;
use super::query::{Query, Step, Stop};
use super::vocabulary::Slot;
use crate::flat::{Arg, Atom, Literal, Rel, Rule};
use rg_ir::Label;

/// A relation that asks for itself once in some of its rules.
struct Linear<'r> {
    /// The other rules.
    first: Vec<&'r Rule>,
    /// Those rules, with the position of the atom of the same relation.
    again: Vec<(&'r Rule, usize)>,
    /// The arguments that the rules hand on.
    kept: Vec<bool>,
}

impl Lift<'_, '_> {
    /// An atom by whose rules walks find its free arguments, with those of which they are the ends.
    pub(super) fn walkable(&self, query: &Query) -> Option<(usize, Vec<u32>)> {
        query.left.iter().enumerate().find_map(|(index, literal)| {
            let Literal::Pos(atom) = literal else { return None };
            let relation = self.context.flat.relation(atom.rel);
            let is_inside = query.inside.as_ref().is_some_and(|(_, rel, _)| *rel == atom.rel);
            if !query.may_choose || !relation.recursive || relation.is_static || !is_derived(relation.kind) || is_inside
            {
                return None;
            }
            let linear = self.linear(atom.rel)?;
            let mut ends = Vec::new();
            for (&arg, &kept) in atom.args.iter().zip(&linear.kept) {
                match query.free(arg) {
                    Some(var) if !kept && ends.contains(&var) => return None,
                    Some(var) if !kept => ends.push(var),
                    None if !kept => return None,
                    _ => {}
                }
            }
            (!ends.is_empty() && !ends.iter().any(|&end| self.is_read(query, end))).then_some((index, ends))
        })
    }

    /// Whether a variable is a value that a fluent has: then that is read rather than searched for.
    fn is_read(&self, query: &Query, var: u32) -> bool {
        query.left.iter().any(|literal| {
            let Literal::Pos(atom) = literal else { return false };
            let Some(layout) = self.layout_of(atom.rel) else { return false };
            let mut values = layout.value.iter().filter_map(|&place| atom.args.get(place));
            values.any(|&arg| query.free(arg) == Some(var))
        })
    }

    /// A relation's rules, if those that ask for it ask once, and for nothing that depends on it otherwise.
    fn linear(&self, rel: Rel) -> Option<Linear<'_>> {
        let flat = self.context.flat;
        let mut linear = Linear { first: Vec::new(), again: Vec::new(), kept: vec![true; flat.relation(rel).arity] };
        for rule in flat.rules_of(rel) {
            let own = |literal: &Literal| literal.atom().is_some_and(|atom| self.depends(atom.rel, rel));
            let mut asking = rule.body.iter().enumerate().filter(|(_, literal)| own(literal));
            match (asking.next(), asking.next()) {
                (None, _) => linear.first.push(rule),
                (Some((index, Literal::Pos(atom))), None) if atom.rel == rel => {
                    for (place, kept) in linear.kept.iter_mut().enumerate() {
                        let pair = rule.head.args.get(place).zip(atom.args.get(place));
                        *kept &= pair.is_some_and(|(a, b)| a == b && a.var().is_some());
                    }
                    linear.again.push((rule, index));
                }
                _ => return None,
            }
        }
        (!linear.again.is_empty() && !linear.first.is_empty()).then_some(linear)
    }

    /// Whether a relation asks for another one, or is that.
    fn depends(&self, from: Rel, on: Rel) -> bool {
        let flat = self.context.flat;
        let (mut seen, mut stack) = (vec![from], vec![from]);
        while let Some(at) = stack.pop() {
            if at == on {
                return true;
            }
            for atom in flat.rules_of(at).flat_map(|rule| rule.body.iter().filter_map(Literal::atom)) {
                if !seen.contains(&atom.rel) {
                    seen.push(atom.rel);
                    stack.push(atom.rel);
                }
            }
        }
        false
    }

    /// Binds the free arguments of an atom by walks; [`Lift::walkable`] has found that that is possible.
    pub(super) fn closure(&mut self, query: &mut Query, atom: &Atom) -> Result<(), Stop> {
        let context = self.context;
        let Some(linear) = self.linear(atom.rel) else { return Err(Stop::Undetermined) };
        let (first, again): (Vec<Rule>, Vec<(Rule, usize)>) = (
            linear.first.into_iter().cloned().collect(),
            linear.again.into_iter().map(|(rule, index)| (rule.clone(), index)).collect(),
        );
        let kept = linear.kept;
        // Where the free arguments are while walks go on, and the values of the next round.
        let (mut now, mut next): (Vec<Option<Slot>>, Vec<Option<Slot>>) = (Vec::new(), Vec::new());
        let mut results: Vec<(Vec<Arg>, Slot)> = Vec::new();
        for (place, &arg) in atom.args.iter().enumerate() {
            let Some(var) = query.free(arg) else {
                now.push(None);
                next.push(None);
                continue;
            };
            let values = context.domains.at(atom.rel, place).map(|domain| domain.values()).unwrap_or_default();
            let tuples: Vec<_> = values.iter().map(|&term| vec![term]).collect();
            if tuples.is_empty() {
                return Err(Stop::Never);
            }
            let dom = self.voc.dom(tuples, "value");
            let slot = self.slot_for(query, &[], dom);
            results.push((vec![Arg::Var(var)], slot));
            now.push(Some(slot));
            next.push(if kept.get(place) == Some(&true) { None } else { Some(self.slot_for(query, &[], dom)) });
        }
        let mut begins = Vec::new();
        for rule in &first {
            let mut inner = on_the_way(query);
            inner.needed = results.iter().flat_map(|(tuple, _)| tuple.iter().filter_map(|arg| arg.var())).collect();
            (inner.preferred, inner.cut) = (results.clone(), true);
            match self.resolve(&mut inner, rule, &atom.args).and_then(|()| self.plan(&mut inner)) {
                Ok(()) => begins.push(inner.steps),
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        if begins.is_empty() {
            return Err(Stop::Never);
        }
        let mut rounds = Vec::new();
        for (rule, index) in &again {
            match self.round(query, atom, (rule, *index), &now, &next) {
                Ok(steps) => rounds.push(steps),
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        query.steps.push(Step::Closure { first: begins, again: rounds });
        for (tuple, slot) in results {
            self.bind_tuple(query, &tuple, slot);
        }
        Ok(())
    }

    /// The steps of one round: from the arguments that the walk has come to, to the next ones.
    fn round(
        &mut self,
        query: &Query,
        atom: &Atom,
        (rule, index): (&Rule, usize),
        now: &[Option<Slot>],
        next: &[Option<Slot>],
    ) -> Result<Vec<Step>, Stop> {
        let mut inner = on_the_way(query);
        let first = inner.fresh(rule.vars);
        let Some(Literal::Pos(before)) = rule.body.get(index) else { return Err(Stop::Never) };
        for ((&own, &arg), slot) in before.args.iter().zip(&atom.args).zip(now) {
            let own = own.shifted(first);
            match slot {
                None => self.equate(&mut inner, own, arg)?,
                Some(slot) => {
                    let here = Arg::Var(inner.fresh(1));
                    self.bind_tuple(&mut inner, &[here], *slot);
                    self.equate(&mut inner, own, here)?;
                }
            }
        }
        for (&head, slot) in rule.head.args.iter().zip(next) {
            let Some(slot) = slot else { continue };
            let end = Arg::Var(inner.fresh(1));
            inner.needed.extend(end.var());
            inner.preferred.push((vec![end], *slot));
            self.equate(&mut inner, end, head.shifted(first))?;
        }
        let rest = rule.body.iter().enumerate().filter(|(other, _)| *other != index);
        inner.left.extend(rest.map(|(_, literal)| literal.map(&|arg| arg.shifted(first))));
        inner.cut = true;
        self.plan(&mut inner)?;
        let mut steps = inner.steps;
        for (now, next) in now.iter().zip(next) {
            if let (Some(now), Some(next)) = (now, next) {
                let (lhs, rhs) = (self.voc.slot_expr(*now), self.voc.slot_expr(*next));
                steps.push(Step::Do(Label::Assign { lhs, rhs }));
            }
        }
        Ok(steps)
    }
}

/// A query about a place on a walk. What is tested of the values that are looked for holds at the end of the walk, not on the way.
fn on_the_way(query: &Query) -> Query {
    let mut inner = query.about(Vec::new());
    inner.tested.clear();
    inner
}
