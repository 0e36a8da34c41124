//! Simplification of the ground program (section 9.4): constants are propagated, rules that differ in the move of one
//! role only are merged, and rules that nothing needs are dropped.

use super::program::{AtomId, AtomKind, Condition, GroundProgram, GroundRule, MoveSet};
use crate::eval::components;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Simplifies a program. Near-linear in its size.
pub(super) fn simplify(program: &mut GroundProgram) {
    let counts: Vec<usize> = program.roles.iter().map(|role| role.moves.len()).collect();
    program.rules.retain_mut(|rule| tidy(rule, &counts));
    // Often most is dropped at once; sorting and propagating it would take most of the time.
    drop_useless(program);
    program.arrange();
    propagate(program);
    collapse(program, &counts);
    propagate(program);
    merge(program, &counts);
    drop_useless(program);
    program.arrange();
}

/// Sorts a body and makes the sets of one role one; `false` if it can never hold.
fn tidy(rule: &mut GroundRule, counts: &[usize]) -> bool {
    rule.body.sort_unstable();
    rule.body.dedup();
    let mut sets: Vec<MoveSet> = Vec::new();
    let mut body = Vec::with_capacity(rule.body.len());
    for condition in std::mem::take(&mut rule.body) {
        match condition {
            Condition::Does(set) => match sets.iter_mut().find(|other| other.role == set.role) {
                Some(other) => {
                    let count = counts.get(set.role as usize).copied().unwrap_or(0);
                    let mut members = other.members(count);
                    members.intersect_with(&set.members(count));
                    *other = MoveSet::new(set.role, &members);
                }
                None => sets.push(set),
            },
            Condition::Fails(atom) if body.contains(&Condition::Holds(atom)) => return false,
            other => body.push(other),
        }
    }
    if sets.iter().any(|set| !set.except && set.moves.is_empty()) {
        return false;
    }
    sets.retain(|set| !(set.except && set.moves.is_empty()));
    sets.sort_unstable();
    body.extend(sets.into_iter().map(Condition::Does));
    rule.body = body;
    true
}

/// What is known of an atom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// It always holds.
    Always,
    /// It never holds.
    Never,
}

struct Propagation<'a> {
    program: &'a mut GroundProgram,
    known: Vec<Known>,
    alive: Vec<bool>,
    /// Per atom the rules that read it.
    readers: Vec<Vec<u32>>,
    /// Per atom the number of rules left.
    support: Vec<u32>,
    /// Per fluent the atoms `true` and `next` of it.
    fluent_atoms: Vec<(Option<AtomId>, Option<AtomId>)>,
    work: Vec<AtomId>,
}

fn propagate(program: &mut GroundProgram) {
    let atoms = program.atoms.len();
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); atoms];
    let mut support = vec![0u32; atoms];
    for (number, rule) in (0..).zip(&program.rules) {
        support[rule.head.index()] += 1;
        for condition in &rule.body {
            if let Condition::Holds(atom) | Condition::Fails(atom) = condition {
                readers[atom.index()].push(number);
            }
        }
    }
    let mut fluent_atoms = vec![(None, None); program.fluents.len()];
    for (number, kind) in (0..).zip(&program.atoms) {
        match kind {
            AtomKind::True(fluent) => fluent_atoms[*fluent as usize].0 = Some(AtomId(number)),
            AtomKind::Next(fluent) => fluent_atoms[*fluent as usize].1 = Some(AtomId(number)),
            _ => {}
        }
    }
    let alive = vec![true; program.rules.len()];
    let known = vec![Known::Nothing; atoms];
    let mut propagation = Propagation { program, known, alive, readers, support, fluent_atoms, work: Vec::new() };
    propagation.run();
    let Propagation { alive, known, program, .. } = propagation;
    let mut keep = alive.into_iter();
    program.rules.retain(|_| keep.next().unwrap_or(true));
    for (kind, known) in program.atoms.iter().zip(known) {
        if let (AtomKind::True(fluent), Known::Always) = (kind, known) {
            program.constant[*fluent as usize] = true;
        }
    }
    program.arrange();
}

impl Propagation<'_> {
    fn run(&mut self) {
        for rule in 0..self.program.rules.len() {
            self.look(rule);
        }
        for atom in 0..self.support.len() {
            self.unsupported(AtomId(atom as u32));
        }
        while let Some(atom) = self.work.pop() {
            let holds = self.known[atom.index()] == Known::Always;
            for rule in std::mem::take(&mut self.readers[atom.index()]) {
                let rule = rule as usize;
                if !self.alive[rule] {
                    continue;
                }
                let (wanted, unwanted) = (Condition::Holds(atom), Condition::Fails(atom));
                let (met, broken) = if holds { (wanted, unwanted) } else { (unwanted, wanted) };
                if self.program.rules[rule].body.contains(&broken) {
                    self.kill(rule);
                } else {
                    self.program.rules[rule].body.retain(|condition| *condition != met);
                    self.look(rule);
                }
            }
        }
    }

    /// Learns what a rule says that always fires.
    fn look(&mut self, rule: usize) {
        let GroundRule { head, body } = &self.program.rules[rule];
        let head = *head;
        match (body.as_slice(), &self.program.atoms[head.index()]) {
            ([], kind) => {
                let fluent = match kind {
                    AtomKind::Next(fluent) => Some(*fluent as usize),
                    _ => None,
                };
                self.learn(head, Known::Always);
                self.constant(fluent);
            }
            (&[Condition::Holds(atom)], AtomKind::Next(fluent)) => {
                let fluent = *fluent as usize;
                if self.fluent_atoms[fluent].0 == Some(atom) && self.program.initial[fluent] {
                    self.learn(head, Known::Always);
                    self.constant(Some(fluent));
                }
            }
            _ => {}
        }
    }

    /// A fluent that is always true next is always true, if it is true initially.
    fn constant(&mut self, fluent: Option<usize>) {
        if let Some(fluent) = fluent.filter(|&fluent| self.program.initial[fluent])
            && let Some(atom) = self.fluent_atoms[fluent].0
        {
            self.learn(atom, Known::Always);
        }
    }

    fn kill(&mut self, rule: usize) {
        self.alive[rule] = false;
        let head = self.program.rules[rule].head;
        self.support[head.index()] = self.support[head.index()].saturating_sub(1);
        self.unsupported(head);
    }

    /// Learns that an atom without rules never holds; of a fluent, if it does not hold initially.
    fn unsupported(&mut self, atom: AtomId) {
        if self.support[atom.index()] > 0 {
            return;
        }
        match self.program.atoms[atom.index()] {
            AtomKind::True(fluent) => {
                let fluent = fluent as usize;
                let is_next = self.fluent_atoms[fluent].1.is_some_and(|next| self.known[next.index()] != Known::Never);
                if !is_next && !self.program.initial[fluent] {
                    self.learn(atom, Known::Never);
                }
            }
            AtomKind::Next(fluent) => {
                self.learn(atom, Known::Never);
                if let Some(holds) = self.fluent_atoms[fluent as usize].0 {
                    self.unsupported(holds);
                }
            }
            _ => self.learn(atom, Known::Never),
        }
    }

    fn learn(&mut self, atom: AtomId, known: Known) {
        if self.known[atom.index()] == Known::Nothing {
            self.known[atom.index()] = known;
            self.work.push(atom);
        }
    }
}

/// Merges rules that differ in the moves of one role only.
fn merge(program: &mut GroundProgram, counts: &[usize]) {
    for (role, &count) in (0..).zip(counts) {
        let mut merged: FxHashMap<(AtomId, Vec<Condition>), Vec<MoveSet>> = FxHashMap::default();
        let mut rules = Vec::with_capacity(program.rules.len());
        for rule in std::mem::take(&mut program.rules) {
            let is_own = |condition: &Condition| matches!(condition, Condition::Does(set) if set.role == role);
            let Some(position) = rule.body.iter().position(is_own) else {
                rules.push(rule);
                continue;
            };
            let mut rest = rule.body;
            if let Condition::Does(set) = rest.remove(position) {
                merged.entry((rule.head, rest)).or_default().push(set);
            }
        }
        for ((head, mut body), mut sets) in merged {
            if sets.len() == 1 {
                body.extend(sets.pop().map(Condition::Does));
                body.sort_unstable();
                rules.push(GroundRule { head, body });
                continue;
            }
            let mut members = FixedBitSet::with_capacity(count);
            sets.iter().for_each(|set| set.add_to(&mut members));
            body.push(Condition::Does(MoveSet::new(role, &members)));
            let mut rule = GroundRule { head, body };
            if tidy(&mut rule, counts) {
                rules.push(rule);
            }
        }
        program.rules = rules;
    }
    program.arrange();
}

/// Atoms of helper relations with equal rules become one, and those that stand for one condition vanish. Linear but for
/// the sorting of rules.
fn collapse(program: &mut GroundProgram, counts: &[usize]) {
    let mut reads: Vec<Vec<usize>> = vec![Vec::new(); program.atoms.len()];
    for rule in &program.rules {
        for condition in &rule.body {
            if let Condition::Holds(atom) | Condition::Fails(atom) = condition {
                reads[rule.head.index()].push(atom.index());
            }
        }
    }
    for list in &mut reads {
        list.sort_unstable();
        list.dedup();
    }
    let mut stands_for: Vec<Option<Condition>> = vec![None; program.atoms.len()];
    let mut known: FxHashMap<Vec<Vec<Condition>>, AtomId> = FxHashMap::default();
    for group in components(&reads, 0..program.atoms.len()) {
        for &number in &group {
            let atom = AtomId(number as u32);
            let Some(&(from, to)) = program.rules_of.get(number) else { continue };
            for rule in program.rules.get_mut(from as usize..to as usize).unwrap_or(&mut []) {
                let mut changed = false;
                for condition in &mut rule.body {
                    if let Some(other) = replacement(condition, &stands_for, counts) {
                        *condition = other;
                        changed = true;
                    }
                }
                if changed && !tidy(rule, counts) {
                    // It can never fire; a contradiction stands for that until the rule is dropped.
                    rule.body = vec![Condition::Holds(rule.head), Condition::Fails(rule.head)];
                }
            }
            let is_alone = group.len() == 1 && reads[number].binary_search(&number).is_err();
            if !is_alone || !matches!(program.atoms[number], AtomKind::Helper { .. }) || from == to {
                continue;
            }
            let mut bodies: Vec<Vec<Condition>> = program.rules_of(atom).iter().map(|rule| rule.body.clone()).collect();
            bodies.sort_unstable();
            bodies.dedup();
            stands_for[number] = match bodies.as_slice() {
                [body] if body.len() == 1 => body.first().cloned(),
                _ => {
                    let first = *known.entry(bodies).or_insert(atom);
                    (first != atom).then_some(Condition::Holds(first))
                }
            };
        }
    }
    program.rules.retain(|rule| {
        let (holds, fails) = (Condition::Holds(rule.head), Condition::Fails(rule.head));
        !(rule.body.contains(&holds) && rule.body.contains(&fails))
    });
    program.arrange();
}

/// What a condition on an atom becomes that stands for another condition.
fn replacement(condition: &Condition, stands_for: &[Option<Condition>], counts: &[usize]) -> Option<Condition> {
    let of = |atom: &AtomId| stands_for.get(atom.index())?.clone();
    match condition {
        Condition::Holds(atom) => of(atom),
        Condition::Fails(atom) => Some(match of(atom)? {
            Condition::Holds(other) => Condition::Fails(other),
            Condition::Fails(other) => Condition::Holds(other),
            Condition::Does(set) => {
                let count = counts.get(set.role as usize).copied().unwrap_or(0);
                Condition::Does(set.complement(count))
            }
        }),
        Condition::Does(_) => None,
    }
}

/// Drops the rules of atoms that the results do not need. The rules may be in any order. Linear.
fn drop_useless(program: &mut GroundProgram) {
    // Positions of rules by head: those of an atom begin where those of the atom before end.
    let mut ends = vec![0usize; program.atoms.len() + 1];
    program.rules.iter().for_each(|rule| ends[rule.head.index() + 1] += 1);
    (1..ends.len()).for_each(|at| ends[at] += ends[at - 1]);
    let mut rules_of = vec![0u32; program.rules.len()];
    for (number, rule) in (0..).zip(&program.rules) {
        let end = &mut ends[rule.head.index()];
        rules_of[*end] = number;
        *end += 1;
    }
    let mut needed = vec![false; program.atoms.len()];
    let mut work = Vec::new();
    for (number, kind) in (0..).zip(&program.atoms) {
        if !matches!(kind, AtomKind::Helper { .. } | AtomKind::True(_)) {
            needed[number as usize] = true;
            work.push(AtomId(number));
        }
    }
    while let Some(atom) = work.pop() {
        let from = if atom.index() == 0 { 0 } else { ends[atom.index() - 1] };
        for &rule in &rules_of[from..ends[atom.index()]] {
            for condition in &program.rules[rule as usize].body {
                if let Condition::Holds(other) | Condition::Fails(other) = condition
                    && !std::mem::replace(&mut needed[other.index()], true)
                {
                    work.push(*other);
                }
            }
        }
    }
    program.rules.retain(|rule| needed[rule.head.index()]);
}
