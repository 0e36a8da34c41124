//! What is known of all walks of a search to a node.

use super::terms::{Term, TermId, Terms};
use rg_ir::{NodeId, VarId};

/// Variables with values of their own at most; with more nothing is known of any.
const MAX_VARIABLES: usize = 64;
/// Comparisons remembered at most.
const MAX_COMPARISONS: usize = 48;

/// What is known of all walks of a search to a node. Every statement is about the beginning of the search, the tags, and
/// the state at the node, so that it can be held against what is known of another walk with the same ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Knowledge {
    /// What variables hold, ascending by variable. A variable that is not here holds what it held at the start.
    values: Vec<(VarId, TermId)>,
    /// Too many variables were written: those that are not in `values` hold what they hold.
    lost: bool,
    /// Pairs of terms that are equal (or not), ascending.
    comparisons: Vec<(TermId, TermId, bool)>,
    /// Checks that succeed (or fail) in the present state, ascending.
    checks: Vec<(NodeId, NodeId, bool)>,
    /// Number of tags, if all walks have the same. `None` in checks, which have none.
    pub(super) tags: Option<u32>,
}

impl Knowledge {
    /// At the beginning of a search.
    pub(super) fn start(tags: Option<u32>) -> Self {
        Self { values: Vec::new(), lost: false, comparisons: Vec::new(), checks: Vec::new(), tags }
    }

    /// What a variable holds.
    pub(super) fn value(&self, terms: &mut Terms, var: VarId) -> Option<TermId> {
        match self.values.binary_search_by_key(&var, |&(var, _)| var) {
            Ok(at) => self.values.get(at).map(|&(_, term)| term),
            Err(_) => terms.make(if self.lost { Term::Now(var) } else { Term::Start(var) }),
        }
    }

    fn set(&mut self, var: VarId, term: TermId) {
        match self.values.binary_search_by_key(&var, |&(var, _)| var) {
            Ok(at) => {
                if let Some(slot) = self.values.get_mut(at) {
                    slot.1 = term;
                }
            }
            Err(at) => self.values.insert(at, (var, term)),
        }
        self.limit();
    }

    fn limit(&mut self) {
        if self.values.len() > MAX_VARIABLES {
            self.values.clear();
            self.lost = true;
        }
    }

    /// The variables whose present values, with the tags, determine the state; `None` if that could be any.
    pub(super) fn determining(&self, terms: &Terms) -> Option<Vec<VarId>> {
        if self.lost {
            return None;
        }
        let mut found = Vec::new();
        self.values.iter().for_each(|&(_, term)| terms.state(term, &mut |var| found.push(var)));
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// Learns that `a` and `b` are (not) equal; `false` if they cannot be. With `symbols` both are symbols, not maps.
    pub(super) fn compare(&mut self, terms: &mut Terms, a: TermId, b: TermId, equal: bool, symbols: bool) -> bool {
        if a == b {
            return equal;
        }
        let (a, b) = (a.min(b), a.max(b));
        if let (Term::Symbol(_), Term::Symbol(_)) = (terms.get(a), terms.get(b)) {
            return !equal;
        }
        if self.comparisons.binary_search(&(a, b, !equal)).is_ok() {
            return false;
        }
        if equal && symbols {
            for (one, other) in [(a, b), (b, a)] {
                if let Term::Now(var) = terms.get(one)
                    && !terms.mentions(other, var)
                {
                    self.replace(terms, var, other);
                    self.set(var, other);
                    return true;
                }
            }
        }
        self.remember(a, b, equal);
        true
    }

    fn remember(&mut self, a: TermId, b: TermId, equal: bool) {
        let entry = (a.min(b), a.max(b), equal);
        if let Err(at) = self.comparisons.binary_search(&entry)
            && self.comparisons.len() < MAX_COMPARISONS
        {
            self.comparisons.insert(at, entry);
        }
    }

    /// Learns that a check succeeds or fails; `false` if it cannot.
    pub(super) fn check(&mut self, from: NodeId, to: NodeId, succeeds: bool) -> bool {
        if self.checks.binary_search(&(from, to, !succeeds)).is_ok() {
            return false;
        }
        if let Err(at) = self.checks.binary_search(&(from, to, succeeds))
            && self.checks.len() < MAX_COMPARISONS
        {
            self.checks.insert(at, (from, to, succeeds));
        }
        true
    }

    /// A tag with this value is emitted.
    pub(super) fn tag(&mut self, terms: &mut Terms, value: TermId) {
        let Some(number) = self.tags else { return };
        self.tags = number.checked_add(1);
        if let Some(tag) = terms.make(Term::Tag(number)) {
            self.compare(terms, value, tag, true, true);
        }
    }

    /// Puts `to` for what `var` holds now; statements that become too large are forgotten.
    fn replace(&mut self, terms: &mut Terms, var: VarId, to: TermId) {
        self.rewrite(terms, |terms, term| terms.replace(term, var, to));
    }

    /// Forgets all statements about what `var` holds now.
    fn forget(&mut self, terms: &mut Terms, var: VarId) {
        self.rewrite(terms, |terms, term| (!terms.mentions(term, var)).then_some(term));
    }

    fn rewrite(&mut self, terms: &mut Terms, mut change: impl FnMut(&mut Terms, TermId) -> Option<TermId>) {
        for (holder, term) in &mut self.values {
            if let Some(new) = change(terms, *term).or_else(|| terms.make(Term::Now(*holder))) {
                *term = new;
            }
        }
        let old = std::mem::take(&mut self.comparisons);
        for (a, b, equal) in old {
            if let (Some(a), Some(b)) = (change(terms, a), change(terms, b)) {
                self.remember(a, b, equal);
            }
        }
    }

    /// Prepares a write to `var`: whether the old value can still be told from the new state. Afterwards nothing is said
    /// about the value that goes; `carried` are terms about the old state, which are changed to say the same about the
    /// new one, or to `None`. `cell` is what the written part is known to be, as (keys, cell).
    pub(super) fn write(
        &mut self,
        terms: &mut Terms,
        var: VarId,
        cell: Option<(TermId, TermId)>,
        carried: &mut [Option<TermId>],
    ) -> bool {
        self.checks.clear();
        let Some(old) = self.value(terms, var) else { return false };
        let mut other = (!terms.mentions(old, var)).then_some(old);
        if other.is_none() {
            // A copy of the value.
            let copy = self
                .values
                .iter()
                .find(|&&(holder, term)| holder != var && term == old && terms.get(term) == Term::Now(var));
            other = copy.and_then(|&(holder, _)| terms.make(Term::Now(holder)));
        }
        if let Some(other) = other {
            self.replace(terms, var, other);
            for term in carried.iter_mut() {
                *term = term.and_then(|term| terms.replace(term, var, other));
            }
            return true;
        }
        let known = cell.is_some_and(|(keys, cell)| !terms.mentions(keys, var) && self.is_known(terms, cell, var));
        self.forget(terms, var);
        for term in carried.iter_mut() {
            *term = term.filter(|&term| !terms.mentions(term, var));
        }
        known
    }

    /// Whether `cell` is known to equal something that does not depend on what `var` holds now.
    fn is_known(&self, terms: &Terms, cell: TermId, var: VarId) -> bool {
        self.comparisons.iter().any(|&(a, b, equal)| {
            let other = if a == cell { b } else { a };
            equal && (a == cell || b == cell) && !terms.mentions(other, var)
        })
    }

    /// `var` now holds `value`, or whatever it holds. Comes after [`Knowledge::write`].
    pub(super) fn assign(&mut self, terms: &mut Terms, var: VarId, value: Option<TermId>) {
        let value = value.filter(|&value| !terms.mentions(value, var)).or_else(|| terms.make(Term::Now(var)));
        if let Some(value) = value {
            self.set(var, value);
        }
    }

    /// Keeps what is also known in `other`; whether that is less.
    pub(super) fn join(&mut self, terms: &mut Terms, other: &Self) -> bool {
        let before = self.clone();
        let vars: Vec<VarId> = self.values.iter().chain(&other.values).map(|&(var, _)| var).collect();
        for var in vars {
            let (a, b) = (self.value(terms, var), other.value(terms, var));
            if a != b
                && let Some(now) = terms.make(Term::Now(var))
            {
                match self.values.binary_search_by_key(&var, |&(var, _)| var) {
                    Ok(at) => self.values.iter_mut().skip(at).take(1).for_each(|slot| slot.1 = now),
                    Err(at) => self.values.insert(at, (var, now)),
                }
            }
        }
        // What neither names was lost on one side, or is the same on both.
        self.lost |= other.lost;
        self.limit();
        self.comparisons.retain(|entry| other.comparisons.binary_search(entry).is_ok());
        self.checks.retain(|entry| other.checks.binary_search(entry).is_ok());
        if self.tags != other.tags {
            self.tags = None;
        }
        *self != before
    }

    /// Whether no two walks, of one this is known and of the other that, have the same tags and lead to the same state.
    pub(super) fn excludes(&self, terms: &mut Terms, other: &Self) -> bool {
        if matches!((self.tags, other.tags), (Some(a), Some(b)) if a != b) {
            return true;
        }
        let opposite = |entry: &(TermId, TermId, bool), list: &[(TermId, TermId, bool)]| {
            list.binary_search(&(entry.0, entry.1, !entry.2)).is_ok()
        };
        if self.comparisons.iter().any(|entry| opposite(entry, &other.comparisons)) {
            return true;
        }
        let reversed =
            |entry: &(NodeId, NodeId, bool)| other.checks.binary_search(&(entry.0, entry.1, !entry.2)).is_ok();
        if self.checks.iter().any(reversed) {
            return true;
        }
        self.symbols_differ(terms, other)
    }

    /// As [`Knowledge::excludes`] for two walks that only began in the same state and have the same tags so far.
    pub(super) fn excludes_from_start(&self, terms: &Terms, other: &Self) -> bool {
        if matches!((self.tags, other.tags), (Some(a), Some(b)) if a != b) {
            return true;
        }
        let lasting = |&(a, b, _): &(TermId, TermId, bool)| !terms.mentions_state(a) && !terms.mentions_state(b);
        let opposite =
            |&(a, b, equal): &(TermId, TermId, bool)| other.comparisons.binary_search(&(a, b, !equal)).is_ok();
        if self.comparisons.iter().filter(|entry| lasting(entry)).any(opposite) {
            return true;
        }
        let there = other.fixed(terms);
        self.fixed(terms).iter().filter(|entry| lasting(entry)).any(|one| there.iter().any(|two| clash(one, two)))
    }

    /// Whether some term is one symbol here and another one, or not this one, there.
    fn symbols_differ(&self, terms: &mut Terms, other: &Self) -> bool {
        let mut here = self.fixed(terms);
        let mut there = other.fixed(terms);
        for var in self.values.iter().chain(&other.values).map(|&(var, _)| var) {
            let (Some(a), Some(b)) = (self.value(terms, var), other.value(terms, var)) else { continue };
            match (terms.get(a), terms.get(b)) {
                (Term::Symbol(_), Term::Symbol(_)) if a != b => return true,
                (Term::Symbol(_), Term::Symbol(_)) => {}
                (Term::Symbol(_), _) => here.push((b, a, true)),
                (_, Term::Symbol(_)) => there.push((a, b, true)),
                _ => {}
            }
        }
        here.iter().any(|one| there.iter().any(|two| clash(one, two)))
    }

    /// Comparisons of a term with a symbol, as (term, symbol, equal).
    fn fixed(&self, terms: &Terms) -> Vec<(TermId, TermId, bool)> {
        let one = |&(a, b, equal): &(TermId, TermId, bool)| match (terms.get(a), terms.get(b)) {
            (_, Term::Symbol(_)) => Some((a, b, equal)),
            (Term::Symbol(_), _) => Some((b, a, equal)),
            _ => None,
        };
        self.comparisons.iter().filter_map(one).collect()
    }
}

/// Whether two comparisons of terms with symbols, as (term, symbol, equal), contradict each other.
fn clash(one: &(TermId, TermId, bool), two: &(TermId, TermId, bool)) -> bool {
    one.0 == two.0 && if one.2 && two.2 { one.1 != two.1 } else { one.1 == two.1 && one.2 != two.2 }
}
