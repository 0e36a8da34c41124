//! Relaxed reachability: the least fixpoint of the rules with negation ignored where it is not static. Every instance of
//! a rule that fires is a ground rule.
//!
//! Instances that differ only in the move that one role makes are one ground rule with a set of moves. So the frame rules
//! of a fluent, one per move that leaves it alone, are stored once.

use super::decompose::{can_split, decompose};
use super::factor::factor;
use super::program::{AtomId, AtomKind, Condition, GroundProgram, GroundRule, MoveSet, Role};
use super::project::project;
use super::simplify::simplify;
use crate::codes;
use crate::eval::{
    Exceeded, Instance, Joiner, Lists, Meter, Plan, Planner, Strata, Table, dynamic_relations, evaluate_statics,
    ranges, value,
};
use crate::normal::{Literal, Program, RelationId, RelationKind, Rule, TermId};
use fixedbitset::FixedBitSet;
use rg_ir::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

/// Atoms in keys of instances, by the two highest bits.
const HOLDS: u32 = 0;
const FAILS: u32 = 1 << 30;
const DOES: u32 = 2 << 30;
const DOES_NOT: u32 = 3 << 30;
const MASK: u32 = (1 << 30) - 1;

/// Most conditions of a rule.
const MAX_BODY: usize = 1000;

/// Instances of a rule that are worth the attempt to split it.
const WIDE: usize = 30_000;

/// No move.
const NOTHING: u32 = u32::MAX;

/// In sets of moves: an atom of a projection instead of a row of `does`.
const PROJECTED: u32 = 1 << 31;

/// Grounds a program.
///
/// Fails with check T2 where a limit is met, R1 where a rule is unsafe, R2 where a negation is in a cycle of static
/// relations.
pub fn ground(program: &mut Program, meter: &mut Meter) -> Result<GroundProgram, Box<Diagnostic>> {
    let outputs =
        [RelationKind::Legal, RelationKind::Next, RelationKind::Terminal, RelationKind::Goal, RelationKind::Sees];
    let outputs = outputs.map(Program::reserved);
    // Joins recurse on the literals of a rule.
    if let Some(rule) = program.rules.iter().find(|rule| rule.body.len() > MAX_BODY) {
        let message = format!("this rule has more than {MAX_BODY} conditions");
        return Err(Box::new(
            Diagnostic::error(codes::T2_GROUNDING, rule.span, message).help("give parts of it relations of their own"),
        ));
    }
    factor(program);
    let projections = project(program);
    let init = Program::reserved(RelationKind::Init);
    let mut dynamic = dynamic_relations(program);
    outputs.iter().for_each(|output| dynamic[output.index()] = true);
    let wanted: Vec<RelationId> = outputs.iter().copied().chain([init]).collect();
    let needed = Strata::new(program, &wanted, |_| true);
    let is_needed = |relation: RelationId| needed.group_of[relation.index()] != usize::MAX;
    let statics: Vec<RelationId> =
        needed.groups.iter().flatten().copied().filter(|relation| !dynamic[relation.index()]).collect();
    let mut tables: Vec<Table> = program.relations.iter().map(|relation| Table::new(relation.arity)).collect();
    evaluate_statics(program, &mut tables, &statics, &dynamic, meter)?;
    let mut rules: Vec<usize> = (0..program.rules.len())
        .filter(|&rule| {
            let head = program.rules[rule].head.relation;
            dynamic[head.index()] && is_needed(head)
        })
        .collect();
    for &rule in &rules {
        check_safety(program, &mut tables, &program.rules[rule])?;
    }
    // Rules that turn out to have many instances are split, and grounding starts again.
    let is_whole = |&rule: &usize| !can_split(program, &program.rules[rule], &dynamic);
    let mut whole: FxHashSet<usize> = rules.iter().copied().filter(is_whole).collect();
    loop {
        let mut grounder = Grounder::new(program, tables.clone(), dynamic.clone(), meter);
        grounder.found.projections.clone_from(&projections);
        grounder.found.whole.clone_from(&whole);
        let wide = match grounder.run(&rules) {
            Ok(()) => return Ok(grounder.finish()),
            Err(Exceeded::Wide(rule)) => rule,
            Err(exceeded) => return Err(Box::new(exceeded.diagnostic(program, &meter.limits))),
        };
        whole.insert(wide);
        let before = program.rules.len();
        if decompose(program, wide, &mut dynamic) {
            rules.extend(before..program.rules.len());
            tables.extend(program.relations.iter().skip(tables.len()).map(|relation| Table::new(relation.arity)));
            whole.extend(before..program.rules.len());
            meter.restart();
        }
    }
}

fn check_safety(program: &Program, tables: &mut [Table], rule: &Rule) -> Result<(), Box<Diagnostic>> {
    if (Planner { terms: &program.terms, tables }).plan(rule, None).is_some() {
        return Ok(());
    }
    let message = "unsafe rule: a variable is bound by no positive literal";
    Err(Box::new(Diagnostic::error(codes::R1_UNSAFE, rule.span, message)))
}

struct Grounder<'a> {
    program: &'a mut Program,
    tables: Vec<Table>,
    dynamic: Vec<bool>,
    meter: &'a mut Meter,
    found: Found,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    /// Per relation and row the number of the atom.
    atoms: Vec<Vec<u32>>,
    /// Relation and row of every atom.
    places: Vec<(u32, u32)>,
    roles: FxHashMap<TermId, u32>,
    /// Per row of `does` the role's number and the move's.
    does: Vec<(u32, u32)>,
    moves: Vec<Vec<TermId>>,
    /// Negated atoms; they may turn out never to hold.
    negated: FxHashMap<(RelationId, Box<[TermId]>), u32>,
    negated_list: Vec<(RelationId, Box<[TermId]>)>,
    /// Ground rules: head and conditions without the move of one role, and the rows of `does` for it.
    rules: Lists,
    sets: Vec<Vec<u32>>,
    /// Relations that stand for moves without some of their arguments.
    projections: FxHashSet<RelationId>,
    /// Rules, by number, that are not to be split (any more).
    whole: FxHashSet<usize>,
    /// Per rule the number of its instances.
    instances_of: FxHashMap<usize, usize>,
    instances: usize,
    key: Vec<u32>,
    tuple: Vec<TermId>,
}

impl<'a> Grounder<'a> {
    fn new(program: &'a mut Program, tables: Vec<Table>, dynamic: Vec<bool>, meter: &'a mut Meter) -> Self {
        let roles = (0..).zip(&program.roles).map(|(number, &role)| (role, number)).collect();
        let found = Found {
            atoms: vec![Vec::new(); tables.len()],
            roles,
            moves: vec![Vec::new(); program.roles.len()],
            ..Found::default()
        };
        Self { program, tables, dynamic, meter, found }
    }

    fn run(&mut self, rules: &[usize]) -> Result<(), Exceeded> {
        let complete: Vec<bool> = self.dynamic.iter().map(|dynamic| !dynamic).collect();
        let (init, holds) = (Program::reserved(RelationKind::Init), Program::reserved(RelationKind::True));
        let initial: Vec<Vec<TermId>> = self.tables[init.index()].rows().map(<[TermId]>::to_vec).collect();
        for tuple in initial {
            self.found.insert(&mut self.tables, self.meter, holds, &tuple)?;
        }
        let mut plans: FxHashMap<(usize, usize), Plan> = FxHashMap::default();
        let mut old: Vec<u32> = vec![0; self.tables.len()];
        let mut first_round = true;
        loop {
            let now: Vec<u32> = self.tables.iter().map(|table| table.len() as u32).collect();
            for &number in rules {
                let rule = &self.program.rules[number];
                let is_new = |literal: &Literal| matches!(literal, Literal::Pos(a) if self.dynamic[a.relation.index()]);
                let positions: Vec<usize> = (0..rule.body.len()).filter(|&i| is_new(&rule.body[i])).collect();
                let firsts: Vec<Option<usize>> = match (positions.is_empty(), first_round) {
                    (true, true) => vec![None],
                    (true, false) => Vec::new(),
                    (false, _) => positions.iter().map(|&position| Some(position)).collect(),
                };
                for first in firsts {
                    let ranges = ranges(rule, &positions, first, &old, &now);
                    if ranges.iter().any(|range| range.from >= range.to) {
                        continue;
                    }
                    let mut planner = Planner { terms: &self.program.terms, tables: &mut self.tables };
                    let slot = (number, first.unwrap_or(usize::MAX));
                    let size = planner.size(rule);
                    if plans.get(&slot).is_none_or(|plan| plan.size * 2 < size) {
                        let Some(plan) = planner.plan(rule, first) else { continue };
                        plans.insert(slot, plan);
                    }
                    let Some(plan) = plans.get(&slot) else { continue };
                    let (terms, meter) = (&mut self.program.terms, &mut *self.meter);
                    let (found, dynamic) = (&mut self.found, &self.dynamic);
                    let mut joiner = Joiner::new(terms, &mut self.tables, meter, rule, plan, &ranges, &complete);
                    joiner.run(&mut |instance| {
                        found.count(number)?;
                        found.fire(rule, instance, dynamic)
                    })?;
                }
            }
            if now.iter().zip(&self.tables).all(|(&before, table)| before as usize == table.len()) {
                return Ok(());
            }
            first_round = false;
            old = now;
        }
    }
}

impl Found {
    /// Counts an instance of a rule.
    fn count(&mut self, rule: usize) -> Result<(), Exceeded> {
        let instances = self.instances_of.entry(rule).or_default();
        *instances += 1;
        if *instances == WIDE && !self.whole.contains(&rule) { Err(Exceeded::Wide(rule)) } else { Ok(()) }
    }

    /// Whether an atom stands for moves.
    fn is_projection(&self, atom: u32) -> bool {
        let place = self.places.get(atom as usize);
        place.is_some_and(|&(relation, _)| self.projections.contains(&RelationId(relation)))
    }

    /// Enters an atom and what follows from it at once: what is true next may be true, what is legal may be done.
    fn insert(
        &mut self,
        tables: &mut [Table],
        meter: &mut Meter,
        relation: RelationId,
        tuple: &[TermId],
    ) -> Result<u32, Exceeded> {
        let Some(row) = tables[relation.index()].insert(tuple) else {
            let row = tables[relation.index()].find(tuple).unwrap_or(0);
            return Ok(self.atoms[relation.index()].get(row as usize).copied().unwrap_or(0));
        };
        meter.atom(relation)?;
        let atom = self.places.len() as u32;
        if atom >= MASK {
            return Err(Exceeded::Atoms(relation));
        }
        self.places.push((relation.0, row));
        self.atoms[relation.index()].push(atom);
        let reserved = Program::reserved;
        if relation == reserved(RelationKind::Next) {
            self.insert(tables, meter, reserved(RelationKind::True), tuple)?;
        } else if relation == reserved(RelationKind::Legal)
            && let ([role, action], Some(&number)) = (tuple, tuple.first().and_then(|role| self.roles.get(role)))
        {
            debug_assert!(self.roles.contains_key(role));
            let moves = &mut self.moves[number as usize];
            self.does.push((number, moves.len() as u32));
            moves.push(*action);
            self.insert(tables, meter, reserved(RelationKind::Does), tuple)?;
        }
        Ok(atom)
    }

    /// Enters an instance of a rule.
    fn fire(&mut self, rule: &Rule, instance: Instance<'_>, dynamic: &[bool]) -> Result<(), Exceeded> {
        let Instance { terms, tables, meter, values, rows } = instance;
        let relation = rule.head.relation;
        let mut tuple = std::mem::take(&mut self.tuple);
        tuple.clear();
        for &arg in &rule.head.args {
            let arg = value(terms, values, arg);
            if terms.depth(arg) > meter.limits.depth {
                return Err(Exceeded::Depth(relation));
            }
            tuple.push(arg);
        }
        let head = self.insert(tables, meter, relation, &tuple)?;
        self.key.clear();
        self.key.push(head);
        let (does, mut moved, mut role) = (Program::reserved(RelationKind::Does), NOTHING, NOTHING);
        for (literal, &row) in rule.body.iter().zip(rows) {
            match literal {
                Literal::Pos(atom) if atom.relation == does => {
                    if moved == NOTHING {
                        moved = row;
                        role = self.does.get(row as usize).map_or(NOTHING, |&(role, _)| role);
                    } else {
                        self.key.push(DOES | row);
                    }
                }
                Literal::Pos(atom) if moved == NOTHING && self.projections.contains(&atom.relation) => {
                    let number = self.atoms[atom.relation.index()].get(row as usize).copied().unwrap_or(0);
                    moved = PROJECTED | number;
                    let name = atom.args.first().map(|&arg| value(terms, values, arg));
                    role = name.and_then(|name| self.roles.get(&name)).copied().unwrap_or(NOTHING);
                }
                Literal::Pos(atom) if dynamic[atom.relation.index()] => {
                    let number = self.atoms[atom.relation.index()].get(row as usize).copied().unwrap_or(0);
                    self.key.push(HOLDS | number);
                }
                Literal::Neg(atom) if dynamic[atom.relation.index()] => {
                    tuple.clear();
                    for &arg in &atom.args {
                        tuple.push(value(terms, values, arg));
                    }
                    let slot = (atom.relation, tuple.as_slice().into());
                    let list = &mut self.negated_list;
                    let number = *self.negated.entry(slot).or_insert_with_key(|slot| {
                        list.push(slot.clone());
                        list.len() as u32 - 1
                    });
                    self.key.push((if atom.relation == does { DOES_NOT } else { FAILS }) | (number & MASK));
                }
                _ => {}
            }
        }
        self.tuple = tuple;
        if let Some(conditions) = self.key.get_mut(1..) {
            conditions.sort_unstable();
        }
        // Which role's move was left out is told by its number at the end.
        self.key.push(role);
        self.instances += 1;
        let set = self.rules.intern(&self.key);
        if set as usize == self.sets.len() {
            meter.conditions(self.key.len() + 6, relation)?;
            self.sets.push(Vec::new());
        }
        if moved != NOTHING {
            meter.conditions(1, relation)?;
            if let Some(set) = self.sets.get_mut(set as usize) {
                set.push(moved);
            }
        }
        Ok(())
    }
}

impl Grounder<'_> {
    /// The ground program of what was found.
    fn finish(self) -> GroundProgram {
        let Self { tables, .. } = &self;
        let reserved = Program::reserved;
        let holds = reserved(RelationKind::True);
        let init = reserved(RelationKind::Init);
        let fluents: Vec<TermId> = tables[holds.index()].rows().filter_map(|row| row.first().copied()).collect();
        let initial =
            fluents.iter().map(|&fluent| tables[init.index()].find(std::slice::from_ref(&fluent)).is_some()).collect();
        let (atoms, rules) = (self.atoms(), self.rules());
        let Self { program, found, .. } = self;
        let roles = program.roles.iter().zip(found.moves).map(|(&name, moves)| Role { name, moves }).collect();
        let constant = vec![false; fluents.len()];
        let mut ground = GroundProgram {
            roles,
            fluents,
            initial,
            constant,
            atoms,
            rules,
            rules_of: Vec::new(),
            instances: found.instances,
        };
        simplify(&mut ground);
        ground
    }

    /// The rules that were found.
    fn rules(&self) -> Vec<GroundRule> {
        let Self { tables, found, .. } = self;
        let does = Program::reserved(RelationKind::Does);
        let find = |relation: RelationId, tuple: &[TermId]| {
            let row = tables[relation.index()].find(tuple)?;
            found.atoms[relation.index()].get(row as usize).copied()
        };
        let counts: Vec<usize> = found.moves.iter().map(Vec::len).collect();
        let single = |row: u32| {
            let (role, action) = found.does.get(row as usize).copied().unwrap_or((0, 0));
            let mut members = FixedBitSet::with_capacity(counts.get(role as usize).copied().unwrap_or(0));
            members.insert(action as usize);
            MoveSet::new(role, &members)
        };
        let union = |role: u32, tokens: &[u32], projected: &FxHashMap<u32, MoveSet>| {
            let mut members = FixedBitSet::with_capacity(counts.get(role as usize).copied().unwrap_or(0));
            for &token in tokens {
                if token & PROJECTED == 0 {
                    if let Some(&(_, action)) = found.does.get(token as usize) {
                        members.insert(action as usize);
                    }
                } else if let Some(set) = projected.get(&(token & MASK)) {
                    set.add_to(&mut members);
                }
            }
            MoveSet::new(role, &members)
        };
        // First the atoms of projections: sets of moves.
        let mut projected: FxHashMap<u32, MoveSet> = FxHashMap::default();
        for (key, tokens) in found.rules.iter().zip(&found.sets) {
            if let &[head, role] = key
                && found.is_projection(head)
            {
                projected.insert(head, union(role, tokens, &projected));
            }
        }
        let mut rules = Vec::with_capacity(found.rules.len());
        for (key, tokens) in found.rules.iter().zip(&found.sets) {
            let Some((&head, conditions)) = key.split_first() else { continue };
            let Some((&role, conditions)) = conditions.split_last() else { continue };
            if found.is_projection(head) {
                continue;
            }
            let mut body = Vec::with_capacity(conditions.len() + 1);
            for &condition in conditions {
                let number = condition & MASK;
                match condition & !MASK {
                    HOLDS => body.push(match projected.get(&number) {
                        Some(set) => Condition::Does(set.clone()),
                        None => Condition::Holds(AtomId(number)),
                    }),
                    DOES => body.push(Condition::Does(single(number))),
                    kind => {
                        let Some((relation, tuple)) = found.negated_list.get(number as usize) else { continue };
                        let Some(atom) = find(*relation, tuple) else { continue };
                        if kind == FAILS {
                            body.push(Condition::Fails(AtomId(atom)));
                        } else if let Some(row) = tables[does.index()].find(tuple) {
                            let set = single(row);
                            let count = counts.get(set.role as usize).copied().unwrap_or(0);
                            body.push(Condition::Does(set.complement(count)));
                        }
                    }
                }
            }
            if role != NOTHING {
                body.push(Condition::Does(union(role, tokens, &projected)));
            }
            rules.push(GroundRule { head: AtomId(head), body });
        }
        rules
    }

    /// What the atoms say.
    fn atoms(&self) -> Vec<AtomKind> {
        let Self { program, tables, found, .. } = self;
        let (holds, does) = (Program::reserved(RelationKind::True), Program::reserved(RelationKind::Does));
        let role_of = |row: &[TermId]| row.first().and_then(|role| found.roles.get(role)).copied();
        let kinds = found.places.iter().map(|&(relation, row)| {
            let tuple = tables[relation as usize].row(row);
            let other = || AtomKind::Helper { relation, args: tuple.into() };
            match program.relations[relation as usize].kind {
                RelationKind::True => AtomKind::True(row),
                RelationKind::Next => tables[holds.index()].find(tuple).map_or_else(other, AtomKind::Next),
                RelationKind::Legal => {
                    match tables[does.index()].find(tuple).and_then(|row| found.does.get(row as usize)) {
                        Some(&(role, action)) => AtomKind::Legal(role, action),
                        None => other(),
                    }
                }
                RelationKind::Terminal => AtomKind::Terminal,
                RelationKind::Goal => match (role_of(tuple), tuple.get(1)) {
                    (Some(role), Some(&value)) => AtomKind::Goal(role, value),
                    _ => other(),
                },
                RelationKind::Sees => match (role_of(tuple), tuple.get(1)) {
                    (Some(role), Some(&percept)) => AtomKind::Sees(role, percept),
                    _ => other(),
                },
                _ => other(),
            }
        });
        kinds.collect()
    }
}
