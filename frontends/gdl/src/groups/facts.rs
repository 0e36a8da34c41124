//! What is known while something is proven: atoms that hold or do not, and which terms are equal.

use super::consequences::{Consequence, place_of_some, with_some};
use super::entailment::Entailment;
use super::{ANY, Context};
use crate::flat::{Arg, Atom, Literal, Rel, value};
use crate::normal::{RelationKind, TermId};
use std::rc::Rc;

/// Largest table that is looked through for rows that agree with an atom.
pub(super) const MAX_SCAN: usize = 5_000;

/// A set of assumptions. Variables are numbered from 0 and may be bound. Cases share their atoms.
#[derive(Clone)]
pub(super) struct Facts<'c> {
    pub(super) context: &'c Context<'c>,
    pub(super) bindings: Vec<Option<Arg>>,
    pub(super) positive: Vec<Known>,
    pub(super) negative: Vec<Rc<Atom>>,
    pub(super) distinct: Vec<(Arg, Arg)>,
    /// Lists of terms that must not be equal as wholes; the assumption to be refuted.
    different: Option<(Vec<Arg>, Vec<Arg>)>,
    /// Lists of conditions of each of which not all hold, whatever their variables from a number on are: the assumption to be
    /// refuted.
    goals: Option<Rc<(Vec<Vec<Literal>>, u32)>>,
    /// What was excluded when the atoms that have been looked at were.
    excluded: Rc<[(Arg, TermId)]>,
}

/// An atom that holds.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) atom: Rc<Atom>,
    pub(super) source: Source,
    /// Whether simple conclusions were drawn from it, as it is, and from all others of which that is said.
    is_seen: bool,
}

/// What is known about the rules that an atom comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// They have not been looked into.
    Open,
    /// What follows from them is known.
    Expanded,
    /// The atom is a consequence of another, which they are found by.
    Implied,
}

/// The assumptions contradict each other.
pub(super) struct Contradiction;

impl<'c> Facts<'c> {
    pub(super) fn new(context: &'c Context<'c>) -> Self {
        Self {
            context,
            bindings: Vec::new(),
            positive: Vec::new(),
            negative: Vec::new(),
            distinct: Vec::new(),
            different: None,
            goals: None,
            excluded: Rc::new([]),
        }
    }

    /// Numbers for `count` new variables: the first of them.
    pub(super) fn fresh(&mut self, count: u32) -> u32 {
        let first = u32::try_from(self.bindings.len()).unwrap_or(u32::MAX);
        self.bindings.resize(self.bindings.len() + count as usize, None);
        first
    }

    pub(super) fn assume_different(&mut self, left: Vec<Arg>, right: Vec<Arg>) {
        self.different = Some((left, right));
    }

    /// Assumes that of each of these lists not all conditions hold, whatever their variables from `local` on are.
    pub(super) fn assume_not(&mut self, goals: Vec<Vec<Literal>>, local: u32) {
        self.goals = Some(Rc::new((goals, local)));
    }

    /// Whether conditions hold that are assumed not to.
    pub(super) fn denied_goal(&self, depth: usize) -> bool {
        let Some(goals) = &self.goals else { return false };
        goals.0.iter().any(|goal| self.entails_bound(goal, goals.1, depth))
    }

    pub(super) fn assume(&mut self, literal: Literal) {
        match literal {
            Literal::Pos(atom) => {
                self.context.consequences.of_atom(&atom).for_each(|consequence| self.imply(&consequence));
                self.positive.push(Known { atom: Rc::new(atom), source: Source::Open, is_seen: false });
            }
            Literal::Neg(atom) => self.negative.push(Rc::new(atom)),
            Literal::Distinct(a, b) => self.distinct.push((a, b)),
        }
    }

    /// Adds a consequence, if it is not known already.
    fn imply(&mut self, consequence: &Consequence) {
        let consequence: Consequence = consequence.iter().map(|atom| self.resolved(atom)).collect();
        let known = |atoms: &Consequence| atoms.iter().all(|atom| self.positive.iter().any(|own| *own.atom == *atom));
        let consequence = match place_of_some(&consequence).zip(consequence.first()) {
            None if known(&consequence) => return,
            None => consequence,
            Some((place, fluent)) => {
                let same = self.positive.iter().filter(|own| own.atom.rel == fluent.rel);
                let mut values = same.filter_map(|own| own.atom.args.get(place));
                if values.any(|&value| known(&with_some(&consequence, value))) {
                    return;
                }
                let some = Arg::Var(self.fresh(1));
                with_some(&consequence, some)
            }
        };
        let new =
            consequence.into_iter().map(|atom| Known { atom: Rc::new(atom), source: Source::Implied, is_seen: false });
        self.positive.extend(new);
    }

    /// What an argument is known to be.
    pub(super) fn walk(&self, arg: Arg) -> Arg {
        walk(&self.bindings, arg)
    }

    pub(super) fn resolved(&self, atom: &Atom) -> Atom {
        atom.map(&|arg| self.walk(arg))
    }

    /// Writes what arguments are known to be; whether that changed anything.
    fn resolve(&self, atom: &mut Rc<Atom>) -> bool {
        let changes = atom.args.iter().any(|&arg| self.walk(arg) != arg);
        if changes {
            *atom = Rc::new(self.resolved(atom));
        }
        changes
    }

    /// Makes two arguments equal.
    pub(super) fn unify(&mut self, a: Arg, b: Arg) -> Result<bool, Contradiction> {
        let (a, b) = (self.walk(a), self.walk(b));
        match (a, b) {
            _ if a == b => Ok(false),
            (Arg::Var(var), other) | (other, Arg::Var(var)) => {
                if let Some(slot) = self.bindings.get_mut(var as usize) {
                    *slot = Some(other);
                }
                Ok(true)
            }
            (Arg::Is(_), Arg::Is(_)) => Err(Contradiction),
        }
    }

    pub(super) fn unify_all(&mut self, a: &[Arg], b: &[Arg]) -> Result<bool, Contradiction> {
        let mut changed = false;
        for (&a, &b) in a.iter().zip(b) {
            changed |= self.unify(a, b)?;
        }
        Ok(changed)
    }

    /// Draws simple conclusions until there are no more. What was looked at before and is as it was says nothing new.
    pub(super) fn saturate(&mut self) -> Result<(), Contradiction> {
        loop {
            let mut positive = std::mem::take(&mut self.positive);
            positive.iter_mut().for_each(|known| known.is_seen &= !self.resolve(&mut known.atom));
            self.positive = positive;
            let mut negative = std::mem::take(&mut self.negative);
            negative.iter_mut().for_each(|atom| {
                self.resolve(atom);
            });
            self.negative = negative;
            let excluded = self.excluded();
            let is_excluded_as_before = self.excluded == excluded;
            self.excluded = excluded;
            let mut changed = false;
            let context = self.context;
            let is_done = |rel: Rel| context.flat.relation(rel).kind == RelationKind::Does;
            let all: Vec<(Rel, bool, bool)> =
                self.positive.iter().map(|known| (known.atom.rel, is_done(known.atom.rel), known.is_seen)).collect();
            for (index, &(rel, is_done, is_seen)) in all.iter().enumerate() {
                let Some(atom) = self.positive.get(index).map(|known| known.atom.clone()) else { continue };
                changed |= self.table(&atom, is_seen && is_excluded_as_before)?;
                if !self.is_dependent(rel) {
                    continue;
                }
                for (other, &(other_rel, other_done, other_seen)) in all.iter().enumerate().skip(index + 1) {
                    if is_seen && other_seen || other_rel != rel && !(is_done && other_done) {
                        continue;
                    }
                    if let Some(other) = self.positive.get(other).map(|known| known.atom.clone()) {
                        changed |= self.dependent(&atom, &other)?;
                    }
                }
            }
            self.positive.iter_mut().for_each(|known| known.is_seen = true);
            if !changed {
                break;
            }
        }
        let equal = |(a, b): &(Arg, Arg)| self.walk(*a) == self.walk(*b);
        let refuted =
            self.different.as_ref().is_some_and(|(a, b)| a.iter().copied().zip(b.iter().copied()).all(|p| equal(&p)));
        let denied = self.negative.iter().any(|atom| self.holds(atom));
        if refuted || denied || self.distinct.iter().any(equal) { Err(Contradiction) } else { Ok(()) }
    }

    /// Whether an atom is known to hold as it is, with [`ANY`] for whatever.
    fn holds(&self, atom: &Atom) -> bool {
        let same = |known: &Known| {
            let pairs = known.atom.args.iter().zip(&atom.args);
            known.atom.rel == atom.rel && pairs.into_iter().all(|(own, &arg)| *own == arg || arg == ANY)
        };
        self.positive.iter().any(same)
            || self.row(atom).is_some_and(|row| self.context.tables.of(atom.rel).contains(&row))
    }

    /// The row that a static atom without variables asks for.
    fn row(&self, atom: &Atom) -> Option<Vec<TermId>> {
        if !self.context.flat.relation(atom.rel).is_static {
            return None;
        }
        atom.args.iter().map(|arg| arg.constant()).collect()
    }

    /// What arguments are certainly not.
    fn excluded(&self) -> Rc<[(Arg, TermId)]> {
        let other = |&(a, b): &(Arg, Arg)| match (self.walk(a), self.walk(b)) {
            (arg @ Arg::Var(_), Arg::Is(term)) | (Arg::Is(term), arg @ Arg::Var(_)) => Some((arg, term)),
            _ => None,
        };
        self.distinct.iter().filter_map(other).collect()
    }

    /// What the table of a static relation says about its arguments, unless that has been said.
    fn table(&mut self, atom: &Atom, is_said: bool) -> Result<bool, Contradiction> {
        if !self.context.flat.relation(atom.rel).is_static {
            return Ok(false);
        }
        let rows = self.context.tables.of(atom.rel).rows();
        if rows.len() > MAX_SCAN {
            return Ok(false);
        }
        self.context.spend(rows.len());
        if is_said {
            return Ok(false);
        }
        // What is known to differ from a constant is not that.
        let excluded = self.excluded.clone();
        let admitted = |row: &&Vec<TermId>| {
            agrees(&atom.args, row) && !atom.args.iter().zip(*row).any(|(&arg, &term)| excluded.contains(&(arg, term)))
        };
        let mut only: Option<Vec<Option<TermId>>> = None;
        let like = self.context.rows_like(atom.rel, &atom.args);
        for row in chosen_rows(rows, like.as_deref()).filter(admitted) {
            match &mut only {
                None => only = Some(row.iter().map(|&term| Some(term)).collect()),
                Some(only) => {
                    for (slot, &term) in only.iter_mut().zip(row) {
                        if *slot != Some(term) {
                            *slot = None;
                        }
                    }
                    if only.iter().all(Option::is_none) {
                        break;
                    }
                }
            }
        }
        let only = only.ok_or(Contradiction)?;
        let mut changed = false;
        for (&arg, term) in atom.args.iter().zip(only) {
            if let Some(term) = term {
                changed |= self.unify(arg, Arg::Is(term))?;
            }
        }
        Ok(changed)
    }

    /// Whether atoms of a relation can say something about other atoms.
    fn is_dependent(&self, rel: Rel) -> bool {
        self.context.flat.relation(rel).kind == RelationKind::Does || !self.context.dependencies(rel).is_empty()
    }

    /// What two atoms that both hold say about each other.
    fn dependent(&mut self, a: &Atom, b: &Atom) -> Result<bool, Contradiction> {
        let kind = self.context.flat.relation(a.rel).kind;
        if kind == RelationKind::Does && self.context.flat.relation(b.rel).kind == RelationKind::Does {
            // A role makes one move.
            return match (a.args.first(), b.args.first()) {
                (Some(left), Some(right)) if left == right && a.rel == b.rel => self.unify_all(&a.args, &b.args),
                (Some(left), Some(right)) if left == right => Err(Contradiction),
                _ => Ok(false),
            };
        }
        if a.rel != b.rel {
            return Ok(false);
        }
        let mut changed = false;
        for value in self.context.dependencies(a.rel) {
            let keys_agree =
                a.args.iter().zip(&b.args).enumerate().all(|(place, (x, y))| value.contains(&place) || x == y);
            if keys_agree {
                changed |= self.unify_all(&a.args, &b.args)?;
            }
        }
        Ok(changed)
    }

    /// Whether a list of conditions follows. Variables from `local` on may be chosen freely.
    pub(super) fn entails(&self, literals: &[Literal], local: u32, depth: usize) -> bool {
        Entailment::of(self).follows(literals, local, depth)
    }

    /// Whether conditions follow whose variables from `local` on, the last of all that there were at first, may be chosen.
    fn entails_bound(&self, goal: &[Literal], local: u32, depth: usize) -> bool {
        let mut entailment = Entailment::of(self);
        // Numbers behind those of all other variables.
        let count = goal.iter().flat_map(Literal::vars).max().map_or(0, |var| (var + 1).saturating_sub(local));
        let first = entailment.fresh(count);
        let rename = |arg: Arg| match arg {
            Arg::Var(var) if var >= local => Arg::Var(first + (var - local)),
            other => other,
        };
        let goal: Vec<Literal> = goal.iter().map(|literal| literal.map(&rename)).collect();
        entailment.follows(&goal, first, depth)
    }

    /// Whether an atom, with [`ANY`] for whatever, follows by rules.
    pub(super) fn entails_some(&self, atom: &Atom, depth: usize) -> bool {
        let mut entailment = Entailment::of(self);
        let mut local = None;
        let mut args = atom.args.clone();
        for arg in args.iter_mut().filter(|arg| **arg == ANY) {
            let var = entailment.fresh(1);
            local = local.or(Some(var));
            *arg = Arg::Var(var);
        }
        let goal = [Literal::Pos(Atom { rel: atom.rel, args })];
        entailment.follows(&goal, local.unwrap_or(u32::MAX), depth)
    }

    /// Whether an atom is known not to hold.
    pub(super) fn denies(&self, atom: &Atom) -> bool {
        if self.negative.iter().any(|other| **other == *atom) {
            return true;
        }
        if let Some(row) = self.row(atom) {
            return !self.context.tables.of(atom.rel).contains(&row);
        }
        // Another value of a group that has at most one.
        self.context.dependencies(atom.rel).iter().any(|value| {
            self.positive.iter().filter(|known| known.atom.rel == atom.rel).any(|known| {
                let mut differs = false;
                let same_key = atom.args.iter().zip(&known.atom.args).enumerate().all(|(place, (x, y))| {
                    if value.contains(&place) {
                        differs |= matches!((x, y), (Arg::Is(x), Arg::Is(y)) if x != y);
                        return true;
                    }
                    x == y
                });
                same_key && differs
            })
        })
    }

    pub(super) fn context(&self) -> &'c Context<'c> {
        self.context
    }

    /// Whether something is known about a variable besides the atoms that hold.
    pub(super) fn tested(&self, var: u32) -> bool {
        let is = |&arg: &Arg| self.walk(arg) == Arg::Var(var);
        self.negative.iter().any(|atom| atom.args.iter().any(is))
            || self.distinct.iter().any(|(a, b)| is(a) || is(b))
            || self.different.as_ref().is_some_and(|(a, b)| a.iter().chain(b).any(is))
    }

    /// The values that an atom's argument can have.
    pub(super) fn domain(&self, rel: Rel, place: usize) -> &[TermId] {
        self.context.domains.at(rel, place).map_or(&[], |domain| domain.values())
    }
}

/// What an argument is known to be.
pub(super) fn walk(bindings: &[Option<Arg>], mut arg: Arg) -> Arg {
    while let Arg::Var(var) = arg {
        match bindings.get(var as usize).copied().flatten() {
            Some(next) => arg = next,
            None => break,
        }
    }
    arg
}

/// Some rows of a table, or all.
pub(super) fn chosen_rows<'r>(
    rows: &'r [Vec<TermId>],
    numbers: Option<&'r [u32]>,
) -> impl Iterator<Item = &'r Vec<TermId>> {
    let count = numbers.map_or(rows.len(), <[u32]>::len);
    (0..count).filter_map(move |at| match numbers {
        Some(numbers) => rows.get(*numbers.get(at)? as usize),
        None => rows.get(at),
    })
}

/// Whether a row is an instance of the arguments.
pub(super) fn agrees(args: &[Arg], row: &[TermId]) -> bool {
    args.iter().zip(row).enumerate().all(|(place, (&arg, &term))| match value(arg, &[]) {
        Some(constant) => constant == term,
        // The same variable has the same value everywhere.
        None => args.iter().zip(row).take(place).all(|(&other, &value)| other != arg || value == term),
    })
}
