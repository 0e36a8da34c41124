//! Mutual recursion becomes direct: a relation of a cycle that does not ask for itself is unfolded in the others.

use super::convert::renumber;
use super::share::remove;
use super::{Arg, Atom, Flat, Literal, Rel, Rule};
use crate::eval::components;
use crate::normal::RelationKind;

/// Most rules that the relations of a cycle have after that.
const MAX_RULES: usize = 64;

/// Unfolds relations of cycles until all recursion that can be is direct. What a relation holds of stays the same: a
/// condition on it is replaced by the bodies of all its rules.
pub(super) fn unfold_mutual(flat: &mut Flat) {
    while let Some((rel, users)) = unfoldable(flat) {
        for user in users {
            let old = std::mem::take(&mut flat.relations[user.index()].rules);
            let mut open: Vec<Rule> = old.iter().rev().filter_map(|&index| flat.rules.get(index).cloned()).collect();
            let mut own = old.into_iter();
            while let Some(rule) = open.pop() {
                let asked =
                    rule.body.iter().position(|literal| matches!(literal, Literal::Pos(atom) if atom.rel == rel));
                if let Some(at) = asked {
                    let rules: Vec<Rule> = flat.rules_of(rel).filter_map(|inner| unfolded(&rule, at, inner)).collect();
                    open.extend(rules.into_iter().rev());
                    continue;
                }
                // Positions of rules that are replaced are used again.
                let index = own.next().unwrap_or(flat.rules.len());
                match flat.rules.get_mut(index) {
                    Some(place) => *place = rule,
                    None => flat.rules.push(rule),
                }
                flat.relations[user.index()].rules.push(index);
            }
            let unused: Vec<usize> = own.collect();
            remove(flat, unused);
        }
    }
}

/// A relation of a cycle that does not ask for itself, and those of the cycle that ask for it.
fn unfoldable(flat: &Flat) -> Option<(Rel, Vec<Rel>)> {
    let uses: Vec<Vec<usize>> = (0..flat.relations.len())
        .map(|index| {
            let rules = flat.relations.get(index).map(|relation| &relation.rules).into_iter().flatten();
            let bodies = rules.filter_map(|&rule| flat.rules.get(rule)).flat_map(|rule| &rule.body);
            bodies.filter_map(Literal::atom).map(|atom| atom.rel.index()).collect()
        })
        .collect();
    let cycles = components(&uses, 0..uses.len());
    cycles.iter().filter(|cycle| cycle.len() > 1).find_map(|cycle| {
        let size: usize = cycle.iter().map(|&at| flat.relations[at].rules.len()).sum();
        let rels: Vec<Rel> = cycle.iter().filter_map(|&at| u32::try_from(at).ok()).map(Rel).collect();
        let helpers = rels.iter().all(|&rel| flat.relation(rel).kind == RelationKind::Helper);
        let positive = |&rel: &Rel| {
            let mut bodies = rels.iter().flat_map(|&user| flat.rules_of(user)).flat_map(|rule| &rule.body);
            !bodies.any(|literal| matches!(literal, Literal::Neg(atom) if atom.rel == rel))
        };
        let direct = |&rel: &Rel| uses[rel.index()].contains(&rel.index());
        let users = |rel: Rel| -> Vec<Rel> {
            rels.iter().copied().filter(|user| uses[user.index()].contains(&rel.index())).collect()
        };
        let fits = |&rel: &Rel| {
            let asked = users(rel).into_iter().flat_map(|user| flat.rules_of(user)).flat_map(|rule| &rule.body);
            let asked = asked.filter_map(Literal::atom).filter(|atom| atom.rel == rel).count();
            size + asked * flat.relation(rel).rules.len() <= MAX_RULES
        };
        let rel = rels.iter().copied().filter(|_| helpers).find(|rel| !direct(rel) && positive(rel) && fits(rel))?;
        Some((rel, users(rel)))
    })
}

/// The rule with one condition replaced by the body of a rule for it; `None` if they do not fit.
pub(crate) fn unfolded(rule: &Rule, at: usize, inner: &Rule) -> Option<Rule> {
    let Some(Literal::Pos(asked)) = rule.body.get(at) else { return None };
    let shift = |arg: Arg| arg.shifted(rule.vars);
    let mut aliases: Vec<Option<Arg>> = vec![None; (rule.vars + inner.vars) as usize];
    let walk = |aliases: &[Option<Arg>], mut arg: Arg| {
        while let Some(next) = arg.var().and_then(|var| aliases.get(var as usize).copied().flatten()) {
            arg = next;
        }
        arg
    };
    for (&head, &arg) in inner.head.args.iter().zip(&asked.args) {
        match (walk(&aliases, shift(head)), walk(&aliases, arg)) {
            (a, b) if a == b => {}
            (Arg::Var(var), other) | (other, Arg::Var(var)) => *aliases.get_mut(var as usize)? = Some(other),
            _ => return None,
        }
    }
    let (before, after) = (rule.body.get(..at)?, rule.body.get(at + 1..)?);
    let body = before.iter().cloned().chain(inner.body.iter().map(|literal| literal.map(&shift)));
    let value = |arg: Arg| walk(&aliases, arg);
    let body: Vec<Literal> = body.chain(after.iter().cloned()).map(|literal| literal.map(&value)).collect();
    let head: Atom = rule.head.map(&value);
    let possible = |literal: &Literal| !matches!(literal, Literal::Distinct(a, b) if a == b);
    let (head, body, vars) = renumber(head, body);
    body.iter().all(possible).then_some(Rule { head, body, vars, span: rule.span })
}
