//! Refutation: assumptions are contradictory if all their cases are.

use super::facts::{Facts, Known, MAX_SCAN, Source};
use crate::flat::{Arg, Atom, Rel, Rule};
use crate::normal::RelationKind;

/// Most values of a variable that cases are made of.
const MAX_VALUES: usize = 6;

/// Most variables that cases are made of, one after the other.
const MAX_SPLITS: usize = 2;

/// Most rules of a relation with a large table that are looked into instead.
const MAX_RULES_OF_TABLE: usize = 8;

/// Deepest nesting of helper relations that is looked through for what follows.
const DEPTH: usize = 4;

/// Whether the assumptions cannot all be true. `budget` counts the cases that may still be looked at; without any left the
/// answer is no.
pub(super) fn refuted(facts: Facts<'_>, budget: &mut usize) -> bool {
    cases(facts, MAX_SPLITS, budget)
}

/// Which of several atoms is looked into first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Order {
    /// That which is known longest.
    #[default]
    First,
    /// That with fewest cases.
    Fewest,
}

fn cases(mut facts: Facts<'_>, splits: usize, budget: &mut usize) -> bool {
    if *budget == 0 || !facts.context().spend(facts.positive.len() * facts.positive.len()) {
        return false;
    }
    *budget -= 1;
    if facts.saturate().is_err() {
        return true;
    }
    // What is to be shown is mostly plain as soon as the rules for the move are known.
    if facts.denied_goal(DEPTH) {
        return true;
    }
    // Often it is plain without looking into what the rules for moves ask.
    if facts.asks_moves_next() && facts.denied_helper() {
        return true;
    }
    if let Some(list) = facts.expansions() {
        return list.into_iter().all(|facts| cases(facts, splits, budget));
    }
    if facts.denied_helper() {
        return true;
    }
    if splits == 0 {
        return false;
    }
    facts.splits().into_iter().any(|list| list.into_iter().all(|facts| cases(facts, splits - 1, budget)))
}

impl Facts<'_> {
    /// The cases of an atom that has not been looked into: the rules that can have yielded it. `None` if there is no such
    /// atom.
    fn expansions(&mut self) -> Option<Vec<Self>> {
        let index = self.open()?;
        let atom = self.positive.get(index)?.atom.clone();
        let source = self.sources(atom.rel)?;
        if let Some(known) = self.positive.get_mut(index) {
            known.source = Source::Expanded;
        }
        let context = self.context();
        let rules: Vec<&Rule> = context.flat.rules_of(source).collect();
        let mut list = Vec::new();
        for rule in rules {
            let mut facts = self.clone();
            if facts.apply(rule, &atom.args) {
                list.push(facts);
            }
        }
        Some(list)
    }

    /// The position of the atom to look into next, of those that have not been looked into.
    fn open(&self) -> Option<usize> {
        let known = self.positive.iter().enumerate().filter(|(_, known)| known.source == Source::Open);
        let mut open = known.filter_map(|(index, known)| Some((index, known, self.sources(known.atom.rel)?)));
        match self.context().order.get() {
            Order::First => open.next().map(|(index, ..)| index),
            Order::Fewest => {
                let same = |known: &Known, atom: &Atom| known.source == Source::Expanded && *known.atom == *atom;
                let again = |atom: &Atom| self.positive.iter().any(|other| same(other, atom));
                let cases = |atom: &Atom, source: Rel| {
                    let fits = |(a, b): (&Arg, &Arg)| a == b || a.constant().is_none() || b.constant().is_none();
                    let rules = self.context().flat.rules_of(source);
                    rules.filter(|rule| rule.head.args.iter().zip(&atom.args).all(fits)).count()
                };
                let new = open.filter(|(_, known, _)| !again(&known.atom));
                new.min_by_key(|(_, known, source)| cases(&known.atom, *source)).map(|(index, ..)| index)
            }
        }
    }

    /// Whether that atom says what a role does.
    fn asks_moves_next(&self) -> bool {
        let next = self.open().and_then(|index| self.positive.get(index));
        next.is_some_and(|known| self.context().flat.relation(known.atom.rel).kind == RelationKind::Does)
    }

    /// Assumes the body of a rule whose head has these arguments; whether it can have them.
    pub(super) fn apply(&mut self, rule: &Rule, args: &[Arg]) -> bool {
        let first = self.fresh(rule.vars);
        let head: Vec<Arg> = rule.head.args.iter().map(|arg| arg.shifted(first)).collect();
        if self.unify_all(&head, args).is_err() {
            return false;
        }
        for literal in &rule.body {
            self.assume(literal.map(&|arg| arg.shifted(first)));
        }
        true
    }

    /// The relation whose rules an atom of `rel` comes from: what is done is legal.
    fn sources(&self, rel: Rel) -> Option<Rel> {
        let flat = self.context().flat;
        let relation = flat.relation(rel);
        match relation.kind {
            RelationKind::Does => flat.moves.iter().find(|kind| kind.does == rel).map(|kind| kind.legal),
            RelationKind::Helper | RelationKind::Legal | RelationKind::Goal | RelationKind::Terminal
                if !relation.recursive && self.has_no_table(rel) =>
            {
                Some(rel)
            }
            _ => None,
        }
    }

    /// Whether only the rules of a relation say what holds: its table is not looked through.
    fn has_no_table(&self, rel: Rel) -> bool {
        let (flat, tables) = (self.context().flat, self.context().tables);
        !flat.relation(rel).is_static
            || tables.of(rel).rows().len() > MAX_SCAN && flat.relation(rel).rules.len() <= MAX_RULES_OF_TABLE
    }

    /// Whether something follows that is assumed not to hold.
    fn denied_helper(&self) -> bool {
        self.negative.iter().any(|atom| self.entails_some(atom, DEPTH))
    }

    /// Cases by the value of a variable, for variables where that may help.
    fn splits(&self) -> Vec<Vec<Self>> {
        let mut seen: Vec<u32> = Vec::new();
        let mut all = Vec::new();
        for known in &self.positive {
            for (place, &arg) in known.atom.args.iter().enumerate() {
                let Arg::Var(var) = arg else { continue };
                let values = self.domain(known.atom.rel, place);
                if seen.contains(&var) || values.len() > MAX_VALUES || !self.tested(var) {
                    continue;
                }
                seen.push(var);
                let case = |&term| {
                    let mut facts = self.clone();
                    facts.unify(arg, Arg::Is(term)).is_ok().then_some(facts)
                };
                all.push(values.iter().filter_map(case).collect());
            }
        }
        all
    }
}
