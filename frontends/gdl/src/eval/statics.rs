//! The static part: relations that depend on neither `true` nor `does` are evaluated once (section 9.2).

use super::join::{Joiner, Range, value};
use super::limits::{Exceeded, Meter};
use super::plan::Planner;
use super::strata::Strata;
use super::table::Table;
use crate::codes;
use crate::normal::{Literal, Program, RelationId};
use rg_ir::Diagnostic;

/// Fills the tables of the static relations that `wanted` needs. Group by group, in semi-naive rounds.
pub(crate) fn evaluate_statics(
    program: &mut Program,
    tables: &mut [Table],
    wanted: &[RelationId],
    dynamic: &[bool],
    meter: &mut Meter,
) -> Result<(), Box<Diagnostic>> {
    let strata = Strata::new(program, wanted, |relation| !dynamic[relation.index()]);
    let mut complete = vec![false; program.relations.len()];
    for (number, group) in strata.groups.iter().enumerate() {
        let is_inside = |relation: RelationId| strata.group_of[relation.index()] == number;
        let rules: Vec<usize> =
            (0..program.rules.len()).filter(|&rule| is_inside(program.rules[rule].head.relation)).collect();
        for &rule in &rules {
            let rule = &program.rules[rule];
            let negated = rule.body.iter().find_map(|literal| match literal {
                Literal::Neg(atom) if is_inside(atom.relation) => Some(atom),
                _ => None,
            });
            if let Some(atom) = negated {
                let (head, name) = (program.relation(rule.head.relation), program.relation(atom.relation));
                let message = format!("negation in a cycle: `{}` depends on `not {}`", head.name, name.name);
                return Err(Box::new(Diagnostic::error(codes::R2_NEGATION, rule.span, message)));
            }
        }
        let result = evaluate_group(program, tables, &rules, &is_inside, &complete, meter);
        result.map_err(|exceeded| Box::new(exceeded.diagnostic(program, &meter.limits)))?;
        for relation in group {
            complete[relation.index()] = true;
        }
    }
    Ok(())
}

fn evaluate_group(
    program: &mut Program,
    tables: &mut [Table],
    rules: &[usize],
    is_inside: &impl Fn(RelationId) -> bool,
    complete: &[bool],
    meter: &mut Meter,
) -> Result<(), Exceeded> {
    // Rows before `old` were joined with everything in earlier rounds.
    let mut old: Vec<u32> = vec![0; tables.len()];
    let mut first_round = true;
    loop {
        let now: Vec<u32> = tables.iter().map(|table| table.len() as u32).collect();
        let mut changed = false;
        for &number in rules {
            let rule = &program.rules[number];
            let recursive = |literal: &Literal| matches!(literal, Literal::Pos(atom) if is_inside(atom.relation));
            let positions: Vec<usize> = (0..rule.body.len()).filter(|&i| recursive(&rule.body[i])).collect();
            let firsts: Vec<Option<usize>> = if positions.is_empty() {
                if first_round { vec![None] } else { Vec::new() }
            } else {
                positions.iter().map(|&position| Some(position)).collect()
            };
            for first in firsts {
                let ranges = ranges(rule, &positions, first, &old, &now);
                if ranges.iter().any(|range| range.from >= range.to) {
                    continue;
                }
                let Some(plan) = (Planner { terms: &program.terms, tables }).plan(rule, first) else { continue };
                let mut joiner = Joiner::new(&mut program.terms, tables, meter, rule, &plan, &ranges, complete);
                joiner.run(&mut |instance| {
                    let head = &rule.head;
                    let mut tuple = Vec::with_capacity(head.args.len());
                    for &arg in &head.args {
                        let arg = value(instance.terms, instance.values, arg);
                        if instance.terms.depth(arg) > instance.meter.limits.depth {
                            return Err(Exceeded::Depth(head.relation));
                        }
                        tuple.push(arg);
                    }
                    if instance.tables[head.relation.index()].insert(&tuple).is_some() {
                        instance.meter.atom(head.relation)?;
                        changed = true;
                    }
                    Ok(())
                })?;
            }
        }
        if !changed {
            return Ok(());
        }
        first_round = false;
        old = now;
    }
}

/// The rows that count when `first` reads new ones: the others read old ones before it and all behind it, so that no
/// instance comes twice.
pub(crate) fn ranges(
    rule: &crate::normal::Rule,
    recursive: &[usize],
    first: Option<usize>,
    old: &[u32],
    now: &[u32],
) -> Vec<Range> {
    let range = |(position, literal): (usize, &Literal)| {
        let Literal::Pos(atom) = literal else { return Range { from: 0, to: u32::MAX } };
        let relation = atom.relation.index();
        let all = Range { from: 0, to: now[relation] };
        match first {
            Some(first) if recursive.contains(&position) => match position.cmp(&first) {
                std::cmp::Ordering::Less => Range { from: 0, to: old[relation] },
                std::cmp::Ordering::Equal => Range { from: old[relation], to: now[relation] },
                std::cmp::Ordering::Greater => all,
            },
            _ => all,
        }
    };
    rule.body.iter().enumerate().map(range).collect()
}
