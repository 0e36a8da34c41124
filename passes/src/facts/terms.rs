//! Symbolic values: what variables hold at a node of a search, in terms of where it began, of the tags so far, and of
//! what variables hold now.

use rg_ir::{ConstId, Symbol, TypeId, VarId};
use rustc_hash::FxHashMap;

/// Parts of a term at most; larger values count as unknown.
const MAX_SIZE: u32 = 24;

/// A hash-consed term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct TermId(u32);

/// A symbolic value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Term {
    /// What the variable held when the search began.
    Start(VarId),
    /// What the variable holds at the node.
    Now(VarId),
    /// The tag with this number, from 0.
    Tag(u32),
    Symbol(Symbol),
    /// A constant map.
    Const(ConstId),
    /// A map at a key.
    Access(TermId, TermId),
    /// A map turned into a map of another type.
    Convert(TypeId, TermId),
    /// A map after a write; the second part is a list of the keys and the value.
    Store(TermId, TermId),
    /// A part of a list.
    Pair(TermId, TermId),
}

/// The terms of one analysis.
#[derive(Default)]
pub(super) struct Terms {
    terms: Vec<Term>,
    /// Number of parts.
    sizes: Vec<u32>,
    /// Whether [`Term::Now`] is in it.
    now: Vec<bool>,
    ids: FxHashMap<Term, TermId>,
}

impl Terms {
    /// The id of a term; `None` if it would be too large.
    pub(super) fn make(&mut self, term: Term) -> Option<TermId> {
        if let Some(&id) = self.ids.get(&term) {
            return Some(id);
        }
        let parts: u32 = parts(term).into_iter().flatten().map(|part| self.size(part)).sum();
        if parts >= MAX_SIZE {
            return None;
        }
        let now = matches!(term, Term::Now(_)) || parts_of(term).any(|part| self.mentions_state(part));
        let id = TermId(u32::try_from(self.terms.len()).ok()?);
        self.terms.push(term);
        self.sizes.push(parts + 1);
        self.now.push(now);
        self.ids.insert(term, id);
        Some(id)
    }

    /// The term behind an id.
    pub(super) fn get(&self, id: TermId) -> Term {
        self.terms[id.0 as usize]
    }

    fn size(&self, id: TermId) -> u32 {
        self.sizes.get(id.0 as usize).copied().unwrap_or(MAX_SIZE)
    }

    /// Whether the term depends on what some variable holds now.
    pub(super) fn mentions_state(&self, id: TermId) -> bool {
        self.now.get(id.0 as usize).copied().unwrap_or(true)
    }

    /// Calls `found` for the variables whose present value the term depends on.
    pub(super) fn state(&self, id: TermId, found: &mut impl FnMut(VarId)) {
        if !self.mentions_state(id) {
            return;
        }
        if let Term::Now(var) = self.get(id) {
            found(var);
        }
        parts_of(self.get(id)).for_each(|part| self.state(part, found));
    }

    /// Whether the term depends on what `var` holds now.
    pub(super) fn mentions(&self, id: TermId, var: VarId) -> bool {
        let mut found = false;
        self.state(id, &mut |other| found |= other == var);
        found
    }

    /// The term with `to` for what `var` holds now; `None` if it becomes too large.
    pub(super) fn replace(&mut self, id: TermId, var: VarId, to: TermId) -> Option<TermId> {
        if !self.mentions_state(id) {
            return Some(id);
        }
        let term = match self.get(id) {
            Term::Now(other) if other == var => return Some(to),
            Term::Access(a, b) => Term::Access(self.replace(a, var, to)?, self.replace(b, var, to)?),
            Term::Store(a, b) => Term::Store(self.replace(a, var, to)?, self.replace(b, var, to)?),
            Term::Pair(a, b) => Term::Pair(self.replace(a, var, to)?, self.replace(b, var, to)?),
            Term::Convert(ty, a) => Term::Convert(ty, self.replace(a, var, to)?),
            leaf => leaf,
        };
        self.make(term)
    }
}

fn parts(term: Term) -> [Option<TermId>; 2] {
    match term {
        Term::Access(a, b) | Term::Store(a, b) | Term::Pair(a, b) => [Some(a), Some(b)],
        Term::Convert(_, a) => [Some(a), None],
        Term::Start(_) | Term::Now(_) | Term::Tag(_) | Term::Symbol(_) | Term::Const(_) => [None, None],
    }
}

fn parts_of(term: Term) -> impl Iterator<Item = TermId> {
    parts(term).into_iter().flatten()
}
