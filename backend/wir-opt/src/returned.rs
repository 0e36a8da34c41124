//! Walks that come back to where they began.
//!
//! A walk goes along a line from a place, writes on the way, and goes back along what it wrote as far as it can: back to where
//! it began, if what stops it is there and nowhere before. What it walks on is a set in which the place is known not to be:
//! a set from which that bit was taken, and what became of it since. Where it went is one of few places for each where it may
//! have begun, and for each such pair the tables tell that nothing else can stop it.

use super::entries::Member;
use super::fold::{Facts, Rule};
use super::gvn::Builder;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use wir::{Op, Reg};

/// Numbers that a place may be.
const PLACES: u64 = 64;
/// How deep operations are looked through.
const MAX_DEPTH: u32 = 8;
/// Most places of which membership is followed.
const MAX_PLACES: usize = 4;
/// Most operations that are looked at for one function.
const MAX_WORK: u32 = 1 << 22;

/// By set and place: how many levels of operations were looked through, and whether the set has the place.
type Found = FxHashMap<(Reg, Reg), (u32, Option<bool>)>;

/// Which sets have a place, and which do not.
#[derive(Default)]
pub(super) struct Members {
    /// How many operations were looked at.
    work: Cell<u32>,
    /// Registers whose bits were taken from words of the state.
    places: Vec<Reg>,
    inside: FxHashSet<(Reg, Reg)>,
    outside: FxHashSet<(Reg, Reg)>,
    /// What was found out for one question.
    found: RefCell<Found>,
}

impl Builder<'_> {
    /// Notes a place whose bit is taken from a word of the state.
    pub(super) fn note_place(&mut self, op: Op) {
        let Op::AndNot(word, bit) = op else { return };
        let (Some(Op::Load(_)), Some(Op::Shl(one, place))) = (self.definition(word), self.definition(bit)) else {
            return;
        };
        let places = &mut self.members.places;
        if places.len() < MAX_PLACES
            && !places.contains(&place)
            && self.constant(one) == Some(1)
            && self.is_place(place)
        {
            self.members.places.push(place);
        }
    }

    /// Whether a register is always a place, whatever is assumed here.
    fn is_place(&self, register: Reg) -> bool {
        self.values.get(register as usize).is_some_and(|value| value.possible < PLACES)
    }

    /// One level less of operations to be looked through, if there is one and room for more work.
    fn less(&self, depth: u32) -> Option<u32> {
        let work = self.members.work.get();
        self.members.work.set(work.saturating_add(1));
        depth.checked_sub(1).filter(|_| work < MAX_WORK)
    }

    /// Notes what is known of the result of a choice, given those of all cases.
    pub(super) fn note_result(&mut self, result: Reg, cases: &[Reg]) {
        for at in 0..self.members.places.len() {
            let Some(&place) = self.members.places.get(at) else { return };
            let mut has = cases.iter().map(|&case| self.has(case, place));
            let first = has.next().flatten();
            match first.filter(|_| has.all(|other| other == first)) {
                Some(true) => self.members.inside.insert((result, place)),
                Some(false) => self.members.outside.insert((result, place)),
                None => false,
            };
        }
    }

    /// What an operation is where walks came back.
    pub(super) fn returned(&self, op: Op) -> Option<Rule> {
        if self.members.places.is_empty() {
            return None;
        }
        match op {
            Op::And(bit, one) if self.constant(one) == Some(1) => {
                let Op::Shr(set, place) = self.definition(bit)? else { return None };
                let known = self.members.places.contains(&place);
                let has = known.then(|| self.has(set, place)).flatten()?;
                Some(Rule::Constant(u64::from(has)))
            }
            Op::Lowest(stops) | Op::Highest(stops) => {
                let Op::AndNot(line, walked) = self.definition(stops)? else { return None };
                let comes_back = |&&place: &&Reg| self.comes_back(op, line, walked, place);
                self.members.places.iter().find(comes_back).map(|&place| Rule::Same(place))
            }
            _ => None,
        }
    }

    /// Whether a set has a place, if that is known.
    fn has(&self, set: Reg, place: Reg) -> Option<bool> {
        self.members.found.borrow_mut().clear();
        self.has_within(set, place, MAX_DEPTH)
    }

    /// The same, with so many levels of operations looked through.
    fn has_within(&self, set: Reg, place: Reg, depth: u32) -> Option<bool> {
        if self.members.outside.contains(&(set, place)) {
            return Some(false);
        }
        if self.members.inside.contains(&(set, place)) {
            return Some(true);
        }
        if let Some(&(looked, found)) = self.members.found.borrow().get(&(set, place))
            && (found.is_some() || looked >= depth)
        {
            return found;
        }
        let found = self.has_anew(set, place, depth);
        self.members.found.borrow_mut().insert((set, place), (depth, found));
        found
    }

    fn has_anew(&self, set: Reg, place: Reg, depth: u32) -> Option<bool> {
        let depth = self.less(depth)?;
        let has = |set: Reg| self.has_within(set, place, depth);
        match self.definition(set)? {
            Op::Not(a) => has(a).map(|has| !has),
            Op::And(a, b) => match (has(a), has(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Op::Or(a, b) => match (has(a), has(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Op::AndNot(a, b) => match (has(a), has(b)) {
                (Some(false), _) | (_, Some(true)) => Some(false),
                (Some(true), Some(false)) => Some(true),
                _ => None,
            }
            .or_else(|| self.has_of_tables(set, place)),
            Op::Select(_, a, b) => {
                let first = has(a);
                first.filter(|_| has(b) == first).or_else(|| self.has_of_tables(set, place))
            }
            _ => self.has_of_tables(set, place),
        }
    }

    /// The same for what nothing but the place tells.
    fn has_of_tables(&self, set: Reg, place: Reg) -> Option<bool> {
        let mut all = None;
        for number in self.numbers(place) {
            let known = [(place, number)];
            let (least, most) = self.bounds(set, &known, MAX_DEPTH);
            let has = if least >> number & 1 == 1 {
                true
            } else if most >> number & 1 == 0 {
                false
            } else {
                return None;
            };
            if *all.get_or_insert(has) != has {
                return None;
            }
        }
        all
    }

    /// The numbers that a place may be.
    fn numbers(&self, place: Reg) -> impl Iterator<Item = u64> + use<> {
        let possible = self.values.get(place as usize).map_or(u64::MAX, |value| value.possible);
        (0..PLACES).filter(move |number| number & !possible == 0)
    }

    /// Whether the first element of `line` that is not in `walked` is always a place.
    fn comes_back(&self, op: Op, line: Reg, walked: Reg, place: Reg) -> bool {
        if self.has(walked, place) != Some(false) {
            return false;
        }
        let Some(end) = self.root(line) else { return false };
        let ends = match self.definition(end) {
            Some(Op::Lowest(ends) | Op::Highest(ends)) if self.is_found(end) => ends,
            _ => return false,
        };
        self.numbers(place).all(|from| {
            let (_, ends) = self.bounds(ends, &[(place, from)], MAX_DEPTH);
            (0..PLACES).filter(|to| ends >> to & 1 == 1).all(|to| {
                let known = [(place, from), (end, to)];
                let Some(line) = self.given(line, &known, MAX_DEPTH) else { return false };
                let stops = line & !self.bounds(walked, &known, MAX_DEPTH).0;
                let first = match op {
                    Op::Lowest(_) => stops.trailing_zeros(),
                    _ => 63u32.wrapping_sub(stops.leading_zeros()),
                };
                stops != 0 && u64::from(first) == from
            })
        })
    }

    /// What tables of tables are looked up by.
    fn root(&self, mut register: Reg) -> Option<Reg> {
        for _ in 0..MAX_DEPTH {
            match self.definition(register) {
                Some(Op::Table(_, index)) => register = index,
                _ => return Some(register),
            }
        }
        None
    }

    /// Whether a place that is the first of a set is there at all, since a condition asks whether a set has it.
    fn is_found(&self, end: Reg) -> bool {
        let mut left: Vec<Reg> = self.nonzero.iter().copied().collect();
        left.extend(self.assumed.iter().filter(|&(_, &value)| value != 0).map(|(&register, _)| register));
        while let Some(register) = left.pop() {
            let Some(_) = self.less(1) else { return false };
            let Some(Op::And(a, b)) = self.definition(register) else { continue };
            let member = Member::of(&|register| self.definition(register), a);
            if self.constant(b) == Some(1) && member.is_some_and(|member| member.element == end) {
                return true;
            }
            // Both have some bit, then.
            left.extend([a, b]);
        }
        false
    }

    /// The value of a register, if those of others tell it.
    fn given(&self, register: Reg, known: &[(Reg, u64)], depth: u32) -> Option<u64> {
        if let Some(&(_, value)) = known.iter().find(|(other, _)| *other == register) {
            return Some(value);
        }
        if let Some(value) = self.constant(register) {
            return Some(value);
        }
        let depth = self.less(depth)?;
        self.definition(register)?.evaluate(&self.program().tables, |read| self.given(read, known, depth))
    }

    /// Bits that a register surely has, and bits of which it has no others.
    fn bounds(&self, register: Reg, known: &[(Reg, u64)], depth: u32) -> (u64, u64) {
        let possible = self.possible(register);
        let Some(less) = self.less(depth) else { return (0, possible) };
        if let Some(value) = self.given(register, known, depth) {
            return (value, value);
        }
        let both = |a: Reg, b: Reg| (self.bounds(a, known, less), self.bounds(b, known, less));
        let (least, most) = match self.definition(register) {
            Some(Op::Or(a, b)) => {
                let (a, b) = both(a, b);
                (a.0 | b.0, a.1 | b.1)
            }
            Some(Op::And(a, b)) => {
                let (a, b) = both(a, b);
                (a.0 & b.0, a.1 & b.1)
            }
            Some(Op::AndNot(a, b)) => {
                let (a, b) = both(a, b);
                (a.0 & !b.1, a.1 & !b.0)
            }
            Some(Op::Select(cond, a, b)) => match self.given(cond, known, less) {
                Some(cond) => self.bounds(if cond == 0 { b } else { a }, known, less),
                None => {
                    let (a, b) = both(a, b);
                    (a.0 & b.0, a.1 | b.1)
                }
            },
            _ => (0, u64::MAX),
        };
        (least, possible & most)
    }
}
