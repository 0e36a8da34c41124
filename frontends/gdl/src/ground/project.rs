//! Moves without the arguments that a rule does not look at.
//!
//! Where a rule reads `does` and some of the move's variables occur nowhere else in it, the literal is replaced by an atom
//! of a relation over the others. Each such atom is a set of moves, so that a rule has one instance per set instead of one
//! per move.

use crate::normal::{Atom, Literal, Program, Relation, RelationId, RelationKind, Rule, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces such literals; the new relations are returned. Their first argument is the role. Linear.
pub(super) fn project(program: &mut Program) -> FxHashSet<RelationId> {
    let does = Program::reserved(RelationKind::Does);
    let mut relations: FxHashMap<(Atom, usize), RelationId> = FxHashMap::default();
    let mut added = Vec::new();
    for number in 0..program.rules.len() {
        for position in 0..program.rules[number].body.len() {
            let rule = &program.rules[number];
            let Some(Literal::Pos(atom)) = rule.body.get(position) else { continue };
            let (true, [role, action]) = (atom.relation == does, &*atom.args) else { continue };
            let (role, action) = (*role, *action);
            let mut own = Vec::new();
            program.terms.variables_of(action, &mut own);
            let mut kept: Vec<u32> = Vec::new();
            program.terms.variables_of(role, &mut kept);
            let elsewhere = variables_but(program, rule, position);
            let forgotten: Vec<u32> =
                own.iter().copied().filter(|var| !elsewhere.contains(var) && !kept.contains(var)).collect();
            if forgotten.is_empty() {
                continue;
            }
            own.retain(|var| !forgotten.contains(var) && !kept.contains(var));
            kept.extend(own);
            // The same literal in another rule has the same relation: variables are numbered by their appearance.
            let order: Vec<u32> = kept.iter().chain(&forgotten).copied().collect();
            let numbered: Vec<TermId> = (0..order.len() as u32).map(|var| program.terms.variable(var)).collect();
            let rename = |var: u32| order.iter().position(|&other| other == var).map(|place| numbered[place]);
            let (role_there, action_there) =
                (program.terms.substitute(role, &rename), program.terms.substitute(action, &rename));
            let pattern = Atom { relation: does, args: Box::new([role_there, action_there]) };
            let others = program.terms_of(&kept, role);
            let (vars, span) = (rule_vars(&program.rules[number], &order), program.rules[number].span);
            let list = &mut program.relations;
            let relation = *relations.entry((pattern.clone(), kept.len())).or_insert_with(|| {
                let name = format!("does_{}", list.len()).into();
                list.push(Relation { name, arity: others.len(), kind: RelationKind::Helper });
                let relation = RelationId(list.len() as u32 - 1);
                let mut args = vec![role_there];
                let is_own = |term: &&TermId| **term != role_there;
                args.extend(numbered.iter().take(kept.len()).filter(is_own));
                let head = Atom { relation, args: args.into() };
                added.push(Rule { head, body: vec![Literal::Pos(pattern)], vars, span });
                relation
            });
            let atom = Atom { relation, args: others.into() };
            program.rules[number].body[position] = Literal::Pos(atom);
        }
    }
    program.rules.extend(added);
    relations.into_values().collect()
}

/// The variables of a rule outside one literal.
fn variables_but(program: &Program, rule: &Rule, position: usize) -> Vec<u32> {
    let mut found = Vec::new();
    rule.head.args.iter().for_each(|&arg| program.terms.variables_of(arg, &mut found));
    for (_, literal) in rule.body.iter().enumerate().filter(|&(other, _)| other != position) {
        program.add_variables_of(literal, &mut found);
    }
    found
}

fn rule_vars(rule: &Rule, order: &[u32]) -> Vec<crate::ast::Word> {
    order.iter().filter_map(|&var| rule.vars.get(var as usize).copied()).collect()
}

impl Program {
    /// The role, and the terms of the other variables.
    fn terms_of(&mut self, vars: &[u32], role: TermId) -> Vec<TermId> {
        let mut terms = vec![role];
        for &var in vars {
            let term = self.terms.variable(var);
            if term != role {
                terms.push(term);
            }
        }
        terms
    }
}
