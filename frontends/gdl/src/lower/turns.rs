//! Proof that players take turns (section 9.8): in every reachable state at most one role has a choice.
//!
//! The proof needs a set of fluents of which at most one holds at a time (`control` of each role, or phases), and per
//! role a waiting move, such that every rule for another move of that role needs one of the role's fluents. That at most
//! one holds is shown by induction: it is so initially, and any two rules that make two of them true next contradict each
//! other. Rules contradict each other if one needs an atom that must not hold in the other, if they need different moves
//! of one role, or if they need different fluents of the set; a move needs what its `legal` rules need, and a helper what
//! its own rules need.

use crate::ground::{AtomId, AtomKind, Condition, GroundProgram, GroundRule, MoveSet};
use crate::normal::Program;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Most fluents of a set.
const MAX_SET: usize = 256;

/// Most pairs of rules that are compared.
const MAX_PAIRS: usize = 1_000_000;

/// How deep helpers are looked through.
const MAX_DEPTH: usize = 100;

/// How players take turns.
pub(super) struct Turns {
    /// Per role the atoms of which one holds when it has a choice.
    pub(super) control: Vec<Vec<AtomId>>,
    /// Per role the number of the move that it makes otherwise.
    pub(super) waiting: Vec<u32>,
}

/// What of the set must hold: one of these; `None` if nothing is known.
type Needs = Option<BTreeSet<AtomId>>;

/// Finds a proof. Bounded by [`MAX_PAIRS`], otherwise linear in the program.
pub(super) fn turns(program: &Program, ground: &GroundProgram) -> Option<Turns> {
    if ground.roles.len() < 2 || ground.roles.iter().any(|role| role.moves.is_empty()) {
        return None;
    }
    let mut sets: FxHashMap<_, Vec<(AtomId, u32)>> = FxHashMap::default();
    for (number, kind) in (0..).zip(&ground.atoms) {
        if let AtomKind::True(fluent) = kind {
            let functor = program.terms.functor(*ground.fluents.get(*fluent as usize)?)?;
            sets.entry(functor).or_default().push((AtomId(number), *fluent));
        }
    }
    let mut sets: Vec<_> = sets.into_values().filter(|set| (2..=MAX_SET).contains(&set.len())).collect();
    sets.sort_by_key(|set| (set.len(), set.first().copied()));
    sets.iter().find_map(|set| Proof::new(ground, set).run())
}

struct Proof<'a> {
    ground: &'a GroundProgram,
    set: &'a [(AtomId, u32)],
    members: BTreeSet<AtomId>,
    /// Per role and move what its legality needs.
    legal: Vec<Vec<Needs>>,
    /// What helpers need, as far as that was asked; nothing is known of those that are being looked at.
    helpers: RefCell<FxHashMap<AtomId, Needs>>,
}

impl<'a> Proof<'a> {
    fn new(ground: &'a GroundProgram, set: &'a [(AtomId, u32)]) -> Self {
        let members: BTreeSet<AtomId> = set.iter().map(|entry| entry.0).collect();
        let legal = ground.roles.iter().map(|role| vec![Some(BTreeSet::new()); role.moves.len()]).collect();
        let mut proof = Self { ground, set, members, legal, helpers: RefCell::default() };
        for (number, kind) in (0..).zip(&ground.atoms) {
            let AtomKind::Legal(role, action) = kind else { continue };
            let needs = proof.needs_of_head(AtomId(number), 0);
            if let Some(slot) = proof.legal.get_mut(*role as usize).and_then(|list| list.get_mut(*action as usize)) {
                *slot = needs;
            }
        }
        proof
    }

    /// What of the set an atom needs that follows from rules: what one of them needs.
    fn needs_of_head(&self, head: AtomId, depth: usize) -> Needs {
        let rules = self.ground.rules_of(head).iter();
        let mut needs = rules.map(|rule| self.needs_at(rule, depth));
        needs.try_fold(BTreeSet::new(), |mut all, needs| {
            all.extend(needs?);
            Some(all)
        })
    }

    /// What of the set a condition on an atom needs.
    fn needs_of(&self, atom: AtomId, depth: usize) -> Needs {
        if self.members.contains(&atom) {
            return Some(BTreeSet::from([atom]));
        }
        if depth == MAX_DEPTH || !matches!(self.ground.atoms.get(atom.index()), Some(AtomKind::Helper { .. })) {
            return None;
        }
        if let Some(known) = self.helpers.borrow().get(&atom) {
            return known.clone();
        }
        self.helpers.borrow_mut().insert(atom, None);
        let needs = self.needs_of_head(atom, depth + 1);
        self.helpers.borrow_mut().insert(atom, needs.clone());
        needs
    }

    fn run(&self) -> Option<Turns> {
        let (mut control, mut waiting) = (Vec::new(), Vec::new());
        for moves in &self.legal {
            let (atoms, own) = self.waiting(moves)?;
            if control.iter().any(|other: &BTreeSet<AtomId>| !other.is_disjoint(&atoms)) {
                return None;
            }
            control.push(atoms);
            waiting.push(own);
        }
        if control.iter().all(BTreeSet::is_empty) || !self.exclusive() {
            return None;
        }
        let control = control.into_iter().map(|atoms| atoms.into_iter().collect()).collect();
        Some(Turns { control, waiting })
    }

    /// The waiting move of a role, and what all its other moves need: the choice that needs least.
    fn waiting(&self, moves: &[Needs]) -> Option<(BTreeSet<AtomId>, u32)> {
        let mut frequency: FxHashMap<AtomId, usize> = FxHashMap::default();
        for needs in moves.iter().flatten() {
            needs.iter().for_each(|&atom| *frequency.entry(atom).or_default() += 1);
        }
        // Only a move that needs nothing, or else something that no other move needs, can make a difference.
        let without = |candidate: usize| {
            let mut all = BTreeSet::new();
            for (number, needs) in moves.iter().enumerate() {
                if number != candidate {
                    all.extend(needs.as_ref()?.iter().copied());
                }
            }
            Some(all)
        };
        let differs = |&(_, needs): &(usize, &Needs)| match needs {
            None => true,
            Some(needs) => needs.is_empty() || needs.iter().any(|atom| frequency.get(atom) == Some(&1)),
        };
        let candidates: Vec<usize> =
            moves.iter().enumerate().filter(differs).map(|(number, _)| number).take(64).collect();
        let choices = candidates.into_iter().filter_map(|number| Some((without(number)?, number)));
        let best = choices.min_by_key(|(all, _)| all.len())?;
        Some((best.0, u32::try_from(best.1).ok()?))
    }

    /// Whether at most one of the set holds in every reachable state.
    fn exclusive(&self) -> bool {
        let initial = self.set.iter().filter(|(_, fluent)| self.ground.initial.get(*fluent as usize) == Some(&true));
        if initial.count() > 1 {
            return false;
        }
        let mut next: FxHashMap<u32, AtomId> = FxHashMap::default();
        for (number, kind) in (0..).zip(&self.ground.atoms) {
            if let AtomKind::Next(fluent) = kind {
                next.insert(*fluent, AtomId(number));
            }
        }
        let rules: Vec<Vec<(&GroundRule, Needs)>> = self
            .set
            .iter()
            .filter_map(|(_, fluent)| next.get(fluent))
            .map(|&atom| self.ground.rules_of(atom).iter().map(|rule| (rule, self.needs(rule))).collect())
            .collect();
        let count: usize = rules.iter().map(Vec::len).sum();
        if count.saturating_mul(count) > MAX_PAIRS {
            return false;
        }
        let excluded = |a: &(&GroundRule, Needs), b: &(&GroundRule, Needs)| {
            let apart = matches!((&a.1, &b.1), (Some(a), Some(b)) if a.is_disjoint(b));
            apart || contradict(a.0, b.0)
        };
        rules.iter().enumerate().all(|(number, left)| {
            rules[number + 1..].iter().all(|right| left.iter().all(|a| right.iter().all(|b| excluded(a, b))))
        })
    }

    /// What of the set a rule needs.
    fn needs(&self, rule: &GroundRule) -> Needs {
        self.needs_at(rule, 0)
    }

    /// What of the set a rule needs, looked at for a helper so deep.
    fn needs_at(&self, rule: &GroundRule, depth: usize) -> Needs {
        let mut known: Needs = None;
        for condition in &rule.body {
            let needs = match condition {
                Condition::Holds(atom) => self.needs_of(*atom, depth),
                Condition::Does(set) => {
                    let moves = self.legal.get(set.role as usize).map_or(&[][..], Vec::as_slice);
                    let members = (0..).zip(moves).filter(|(action, _)| set.contains(*action));
                    members.map(|(_, needs)| needs.as_ref()).try_fold(BTreeSet::new(), |mut all, needs| {
                        all.extend(needs?.iter().copied());
                        Some(all)
                    })
                }
                Condition::Fails(_) => None,
            };
            known = match (known, needs) {
                (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
                (a, b) => a.or(b),
            };
        }
        known
    }
}

/// Whether two rules cannot fire together.
fn contradict(a: &GroundRule, b: &GroundRule) -> bool {
    a.body.iter().any(|left| {
        b.body.iter().any(|right| match (left, right) {
            (Condition::Holds(x), Condition::Fails(y)) | (Condition::Fails(x), Condition::Holds(y)) => x == y,
            (Condition::Does(x), Condition::Does(y)) => {
                let apart = |x: &MoveSet, y: &MoveSet| !x.except && x.moves.iter().all(|&action| !y.contains(action));
                x.role == y.role && (apart(x, y) || apart(y, x))
            }
            _ => false,
        })
    })
}
