//! Wide conjunctions are split (section 9.3, cure 2): a variable that the head does not need is joined away in a relation
//! of its own, over the variables that its literals share with the rest. The number of instances is then a product no
//! more (Bichler, Morak & Woltran 2016: rule decomposition).

use crate::normal::{Atom, Literal, Program, Relation, RelationId, RelationKind, Rule, TermId};
use std::collections::BTreeSet;

/// Most variables that a split-off relation has.
const MAX_ARITY: usize = 4;

/// Splits a rule as far as that pays; `false` if nothing can be split. Polynomial in the rule.
pub(super) fn decompose(program: &mut Program, number: usize, dynamic: &mut Vec<bool>) -> bool {
    let mut changed = false;
    while let Some((var, shared)) = program.rules.get(number).and_then(|rule| candidate(program, rule, dynamic)) {
        split(program, number, var, shared, dynamic);
        changed = true;
    }
    changed
}

/// Whether a rule can be split so that it pays.
pub(super) fn can_split(program: &Program, rule: &Rule, dynamic: &[bool]) -> bool {
    candidate(program, rule, dynamic).is_some()
}

/// The variable whose literals share the fewest others with the rest, and these.
fn candidate(program: &Program, rule: &Rule, dynamic: &[bool]) -> Option<(u32, Vec<u32>)> {
    let mut head = Vec::new();
    rule.head.args.iter().for_each(|&arg| program.terms.variables_of(arg, &mut head));
    let does = Program::reserved(RelationKind::Does);
    let options = (0..rule.vars.len() as u32).filter(|var| !head.contains(var)).filter_map(|var| {
        let (own, rest): (Vec<&Literal>, Vec<&Literal>) =
            rule.body.iter().partition(|literal| program.variables_of(literal).contains(&var));
        let is_state =
            |literal: &&Literal| literal.atom().is_some_and(|atom| dynamic.get(atom.relation.index()) == Some(&true));
        if own.iter().filter_map(|literal| literal.atom()).any(|atom| atom.relation == does)
            || !own.iter().any(is_state)
        {
            return None;
        }
        let all: BTreeSet<u32> = own.iter().flat_map(|literal| program.variables_of(literal)).collect();
        let bound: BTreeSet<u32> = own
            .iter()
            .filter(|literal| matches!(literal, Literal::Pos(_)))
            .flat_map(|literal| program.variables_of(literal))
            .collect();
        let outside: BTreeSet<u32> =
            rest.iter().flat_map(|literal| program.variables_of(literal)).chain(head.iter().copied()).collect();
        // The rest must have variables of its own, or nothing is gained.
        let pays = rest.iter().any(|literal| {
            matches!(literal, Literal::Pos(_)) && program.variables_of(literal).iter().any(|other| !all.contains(other))
        });
        // Variables that occur nowhere else are joined away together with this one.
        let shared: Vec<u32> = all.iter().copied().filter(|other| *other != var && outside.contains(other)).collect();
        (pays && all == bound && shared.len() <= MAX_ARITY).then_some((var, shared))
    });
    options.min_by_key(|(var, shared)| (shared.len(), *var))
}

/// Moves the literals with a variable to a rule of their own.
fn split(program: &mut Program, number: usize, var: u32, shared: Vec<u32>, dynamic: &mut Vec<bool>) {
    let args: Box<[TermId]> = shared.iter().map(|&other| program.terms.variable(other)).collect();
    let relation = RelationId(program.relations.len() as u32);
    let Some(rule) = program.rules.get(number) else { return };
    let (own, mut rest): (Vec<Literal>, Vec<Literal>) =
        rule.body.iter().cloned().partition(|literal| program.variables_of(literal).contains(&var));
    let name = format!("{}_{}", program.relation(rule.head.relation).name, relation.0).into();
    let head = Atom { relation, args };
    let part = Rule { head: head.clone(), body: own, vars: rule.vars.clone(), span: rule.span };
    program.relations.push(Relation { name, arity: shared.len(), kind: RelationKind::Helper });
    dynamic.push(true);
    rest.push(Literal::Pos(head));
    if let Some(rule) = program.rules.get_mut(number) {
        rule.body = rest;
    }
    program.rules.push(part);
}
