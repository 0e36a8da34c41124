//! Tuples that it helps to bind, and the domains of their variables.

use super::Lift;
use super::query::Query;
use super::vocabulary::Dom;
use crate::flat::{Arg, Literal};
use crate::normal::TermId;
use rustc_hash::FxHashSet;

impl Lift<'_, '_> {
    /// Tuples that are not bound and that it helps to bind, with how much.
    pub(super) fn targets(&mut self, query: &Query) -> Vec<(usize, Vec<Arg>, Dom)> {
        let mut targets: Vec<(usize, Vec<Arg>, Option<Dom>)> = Vec::new();
        for literal in &query.left {
            let (atom, negated) = match literal {
                Literal::Pos(atom) => (atom, false),
                Literal::Neg(atom) => (atom, true),
                Literal::Distinct(..) => continue,
            };
            if let Some(layout) = self.layout_of(atom.rel) {
                let key: Vec<Arg> = layout.key.iter().filter_map(|&place| atom.args.get(place).copied()).collect();
                let valued =
                    layout.value.iter().all(|&place| atom.args.get(place).is_some_and(|&arg| query.is_bound(arg)));
                let cost = match (negated, valued) {
                    (false, true) => 2,
                    (false, false) => 3,
                    (true, _) => 6,
                };
                // What is not true of a key may be asked about other tuples, too.
                if !negated || self.covers(query, &key, layout.key_dom) {
                    targets.push((cost, key, layout.key_dom));
                }
            }
        }
        for (tuple, slot) in &query.preferred {
            targets.push((7, tuple.clone(), Some(self.voc.slot(*slot).dom)));
        }
        targets.extend(query.wanted.iter().map(|(tuple, dom)| (4, tuple.clone(), Some(*dom))));
        let single: Vec<Arg> = query.left.iter().flat_map(Literal::vars).map(Arg::Var).collect();
        for arg in single {
            targets.push((if query.is_answered() { 8 } else { 9 }, vec![arg], None));
        }
        let mut out: Vec<(usize, Vec<Arg>, Dom)> = Vec::new();
        for (cost, target, dom) in targets {
            let target: Vec<Arg> = target.into_iter().map(|arg| query.walk(arg)).collect();
            let open = target.iter().any(|&arg| query.free(arg).is_some());
            if !open || out.iter().any(|(_, other, _)| *other == target) {
                continue;
            }
            let dom = match dom {
                Some(dom) => dom,
                None => match self.domain_of(query, target.first().copied()) {
                    Some(dom) => dom,
                    None => continue,
                },
            };
            out.push((cost, target, dom));
        }
        out
    }

    /// Whether all values that the free arguments of a key can have are in its domain.
    fn covers(&self, query: &Query, key: &[Arg], dom: Option<Dom>) -> bool {
        let Some(dom) = dom else { return true };
        key.iter().enumerate().all(|(part, &arg)| {
            let known: FxHashSet<TermId> =
                self.voc.tuples(dom).values.iter().filter_map(|tuple| tuple.get(part).copied()).collect();
            let values = match query.free(arg) {
                Some(_) => self.values_of_free(query, arg).unwrap_or_default(),
                None => self.values_of(query, arg),
            };
            !values.is_empty() && values.iter().all(|term| known.contains(term))
        })
    }

    /// The domain of a free variable.
    fn domain_of(&mut self, query: &Query, arg: Option<Arg>) -> Option<Dom> {
        let tuples: Vec<_> = self.values_of_free(query, arg?)?.into_iter().map(|term| vec![term]).collect();
        if tuples.is_empty() { None } else { Some(self.voc.dom(tuples, "value")) }
    }

    /// The values of a free variable: those of its places in positive literals.
    fn values_of_free(&self, query: &Query, arg: Arg) -> Option<Vec<TermId>> {
        let var = query.free(arg)?;
        let mut values: Option<Vec<TermId>> = None;
        for literal in &query.left {
            let Literal::Pos(atom) = literal else { continue };
            for (place, &other) in atom.args.iter().enumerate() {
                if query.walk(other) != Arg::Var(var) {
                    continue;
                }
                let here = self.context.domains.at(atom.rel, place)?;
                match &mut values {
                    None => values = Some(here.values().to_vec()),
                    Some(values) => values.retain(|&term| here.contains(term)),
                }
            }
        }
        values
    }
}
