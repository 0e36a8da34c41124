//! Binding a tuple: from a slot by static relations, or by a choice.
//!
//! For a tuple of arguments some of which are free, static literals between it and a slot make it a function of the slot
//! (a step along a direction, say), or one of few functions; or they make it a function of two slots (a step from here in
//! that direction). Without such literals, it is any tuple that constants and static literals on the tuple alone admit.

use super::Lift;
use super::query::{Query, Step, Stop, Val};
use super::vocabulary::{Dom, Slot};
use crate::flat::{Arg, Literal, Rel};
use crate::normal::TermId;
use rg_ir::{Label, Symbol};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most combinations of a slot's and a tuple's values that are looked at.
const MAX_PAIRS: usize = 3_000_000;

/// Most functions that a relation is written as.
pub(super) const MAX_FUNCTIONS: usize = 8;

/// Most cells of a function of two slots.
const MAX_CELLS: usize = 4_096;

/// What a tuple can be a function of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Slot(Slot),
    /// A variable that could be chosen from a domain.
    Choice(u32, Dom),
}

/// A question for the values of a tuple, without the names of variables and slots: many are asked again and again.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pattern {
    dom: Dom,
    /// The domains of the sources.
    sources: Vec<Dom>,
    /// Where the tuple's arguments are.
    fixed: Vec<At>,
    tests: Vec<(Test, Vec<At>)>,
}

/// A static literal without its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Test {
    Is(Rel),
    IsNot(Rel),
    Distinct,
}

/// Per value of the source, or per pair of the sources' values, the possible values, by position in the domain; one list
/// without a source.
type Images = Rc<Vec<Vec<usize>>>;

/// What has been asked, with the answer; `None` if there is none.
pub(super) type Solved = FxHashMap<Pattern, Option<Images>>;

/// One way to bind a tuple.
pub(super) struct Solution {
    pub(super) target: Vec<Arg>,
    pub(super) dom: Dom,
    /// At most two.
    sources: Vec<Slot>,
    /// Static literals that are true then, by position in [`Query::left`].
    used: Vec<usize>,
    images: Images,
}

impl Test {
    /// A literal, and its arguments.
    pub(super) fn of(literal: &Literal) -> (Self, Vec<Arg>) {
        match literal {
            Literal::Pos(atom) => (Test::Is(atom.rel), atom.args.clone()),
            Literal::Neg(atom) => (Test::IsNot(atom.rel), atom.args.clone()),
            Literal::Distinct(a, b) => (Test::Distinct, vec![*a, *b]),
        }
    }
}

impl Solution {
    /// Most possible values.
    pub(super) fn fan(&self) -> usize {
        self.images.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether it is at most one value.
    pub(super) fn is_function(&self) -> bool {
        self.fan() <= 1
    }

    pub(super) fn has_source(&self) -> bool {
        !self.sources.is_empty()
    }
}

/// An argument of a literal while values are tried.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum At {
    Is(TermId),
    /// Which source, and which part of it.
    Source(usize, usize),
    Target(usize),
}

impl Lift<'_, '_> {
    /// The best way to bind a tuple from what is known, without (`source` false) or with a slot.
    pub(super) fn solve(&self, query: &Query, target: &[Arg], dom: Dom, with_source: bool) -> Option<Solution> {
        if !with_source {
            return self.solve_from(query, target, dom, &[]);
        }
        let slots = self.related_slots(query, target);
        let from = |&slot: &Slot| self.solve_from(query, target, dom, &[Source::Slot(slot)]);
        let single = slots.iter().rev().filter_map(from).min_by_key(Solution::fan);
        if single.as_ref().is_some_and(Solution::is_function) {
            return single;
        }
        // The larger first, so that equal steps are one map.
        let ordered = |mut pair: [Slot; 2]| {
            pair.sort_by_key(|&slot| std::cmp::Reverse(self.voc.slot_values(slot).values.len()));
            pair
        };
        let rest = |at: usize| slots.iter().skip(at + 1);
        let pairs = slots.iter().enumerate().flat_map(|(at, &a)| rest(at).map(move |&b| ordered([a, b])));
        let mut both = pairs.filter_map(|pair| self.solve_from(query, target, dom, &pair.map(Source::Slot)));
        both.find(Solution::is_function).or(single)
    }

    /// Whether a tuple would be a function of what is known if a variable that is not part of it had one of the values of
    /// a domain.
    pub(super) fn would_follow(&self, query: &Query, target: &[Arg], dom: Dom, choice: (u32, Dom)) -> bool {
        let choice = Source::Choice(choice.0, choice.1);
        let with = |&slot: &Slot| self.solve_from(query, target, dom, &[Source::Slot(slot), choice]);
        self.related_slots(query, target).iter().filter_map(with).any(|solution| solution.is_function())
    }

    /// The slots whose values say something about a tuple.
    fn related_slots(&self, query: &Query, target: &[Arg]) -> Vec<Slot> {
        let mut slots: Vec<Slot> = Vec::new();
        let free: Vec<u32> = target.iter().filter_map(|&arg| query.free(arg)).collect();
        let related = query.left.iter().filter(|literal| {
            self.is_static(literal)
                && literal.vars().iter().any(|&var| query.free(Arg::Var(var)).is_some_and(|var| free.contains(&var)))
        });
        let vars = related.flat_map(Literal::vars).map(Arg::Var).chain(target.iter().copied());
        for arg in vars.collect::<Vec<_>>() {
            for place in query.places(arg) {
                if let Val::Part(slot, _) = place
                    && !slots.contains(&slot)
                {
                    slots.push(slot);
                }
            }
        }
        slots.sort_unstable();
        slots
    }

    pub(super) fn is_static(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Pos(atom) | Literal::Neg(atom) => self.context.flat.relation(atom.rel).is_static,
            Literal::Distinct(..) => true,
        }
    }

    fn solve_from(&self, query: &Query, target: &[Arg], dom: Dom, sources: &[Source]) -> Option<Solution> {
        let free: Vec<Option<u32>> = target.iter().map(|&arg| query.free(arg)).collect();
        // Where each argument is read: from a constant, the source, or the tuple; `None` if it is elsewhere.
        let at = |arg: Arg| -> Option<At> {
            if let Some(var) = query.free(arg) {
                let choice = |source: &Source| matches!(source, Source::Choice(other, _) if *other == var);
                if let Some(which) = sources.iter().position(choice) {
                    return Some(At::Source(which, 0));
                }
                return free.iter().position(|&other| other == Some(var)).map(At::Target);
            }
            query.places(arg).into_iter().find_map(|place| match place {
                Val::Is(term) => Some(At::Is(term)),
                Val::Part(slot, part) => {
                    let which = sources.iter().position(|&source| source == Source::Slot(slot));
                    which.map(|which| At::Source(which, part))
                }
            })
        };
        let fixed: Vec<At> = target.iter().map(|&arg| at(arg)).collect::<Option<_>>()?;
        let mut used = Vec::new();
        let mut tests: Vec<(Test, Vec<At>)> = Vec::new();
        for (index, literal) in query.left.iter().enumerate() {
            if !self.is_static(literal) {
                continue;
            }
            let (test, args) = Test::of(literal);
            let Some(args) = args.iter().map(|&arg| at(arg)).collect::<Option<Vec<At>>>() else { continue };
            if args.iter().any(|arg| matches!(arg, At::Target(_))) {
                used.push(index);
                tests.push((test, args));
            }
        }
        let read = |list: &[At], which: usize| list.iter().any(|arg| matches!(arg, At::Source(at, _) if *at == which));
        let reads = |list: &[At]| (0..sources.len()).all(|which| read(list, which));
        // Two sources are more than one only where something is asked of each of them.
        let asked = |which: usize| tests.iter().any(|(_, args)| read(args, which));
        if !(reads(&fixed) && sources.len() < 2 || (0..sources.len()).all(asked)) {
            return None;
        }
        let dom_of = |source: &Source| match *source {
            Source::Slot(slot) => self.voc.slot(slot).dom,
            Source::Choice(_, dom) => dom,
        };
        let mut pattern = Pattern { dom, sources: sources.iter().map(dom_of).collect(), fixed, tests };
        let mut images = self.solved_images(&pattern);
        if images.as_ref().is_none_or(|images| images.iter().any(|image| image.len() > 1)) {
            // What has been tested is true of no other values.
            let count = pattern.tests.len();
            for literal in &query.tested {
                let (test, args) = Test::of(literal);
                let args = args.iter().map(|&arg| at(arg)).collect::<Option<Vec<At>>>();
                pattern.tests.extend(args.filter(|args| reads(args)).map(|args| (test, args)));
            }
            if pattern.tests.len() > count {
                images = self.solved_images(&pattern);
            }
        }
        let images = images?;
        let slot = |source: &Source| match *source {
            Source::Slot(slot) => Some(slot),
            Source::Choice(..) => None,
        };
        let sources = sources.iter().filter_map(slot).collect();
        Some(Solution { target: target.to_vec(), dom, sources, used, images })
    }

    /// The answer to a question that may have been asked before.
    fn solved_images(&self, pattern: &Pattern) -> Option<Images> {
        if let Some(known) = self.solved.borrow().get(pattern) {
            return known.clone();
        }
        let images = self.images(pattern).map(Rc::new);
        self.solved.borrow_mut().insert(pattern.clone(), images.clone());
        images
    }

    /// The answer to a question; `None` if that is too much, or of no use.
    fn images(&self, pattern: &Pattern) -> Option<Vec<Vec<usize>>> {
        let Pattern { dom, sources, fixed, tests } = pattern;
        let tuples = self.voc.tuples(*dom);
        let mut from: Vec<Vec<&[TermId]>> = vec![Vec::new()];
        for &source in sources {
            let values = &self.voc.tuples(source).values;
            if sources.len() > 1 && from.len().saturating_mul(values.len()) > MAX_CELLS {
                return None;
            }
            let more = |given: Vec<_>| values.iter().map(move |value| [given.as_slice(), &[value.as_slice()]].concat());
            from = from.into_iter().flat_map(more).collect();
        }
        if from.len().saturating_mul(tuples.values.len()) > MAX_PAIRS {
            return None;
        }
        let tries = from.len() * tuples.values.len() * (1 + tests.len());
        self.tried.set(self.tried.get().saturating_add(tries));
        let mut images = Vec::with_capacity(from.len());
        let mut row = Vec::new();
        let all: Vec<usize> = (0..tuples.values.len()).collect();
        // Tuples by what is known of them beforehand, where that is asked more than once.
        let arity = tuples.values.iter().map(Vec::len).min().unwrap_or(0);
        let is_known = |&(place, arg): &(usize, &At)| place < arity && !matches!(arg, At::Target(_));
        let places: Vec<usize> = fixed.iter().enumerate().filter(is_known).map(|(place, _)| place).collect();
        let mut by_places: FxHashMap<Vec<TermId>, Vec<usize>> = FxHashMap::default();
        if !places.is_empty() && from.len() > 1 {
            for (position, tuple) in tuples.values.iter().enumerate() {
                let known = places.iter().filter_map(|&place| tuple.get(place).copied()).collect();
                by_places.entry(known).or_default().push(position);
            }
        }
        for given in &from {
            let value = |arg: &At, tuple: &[TermId]| match *arg {
                At::Is(term) => Some(term),
                At::Source(which, part) => given.get(which)?.get(part).copied(),
                At::Target(part) => tuple.get(part).copied(),
            };
            let mut image = Vec::new();
            let known = |(test, args): &&(Test, Vec<At>)| {
                let row: Option<Vec<TermId>> = args.iter().map(|arg| value(arg, &[])).collect();
                row.is_none_or(|row| self.passes(*test, &row))
            };
            if !tests.iter().all(|test| known(&test)) {
                images.push(image);
                continue;
            }
            let candidates = if by_places.is_empty() {
                all.as_slice()
            } else {
                let known = places.iter().map(|&place| value(fixed.get(place)?, &[])).collect::<Option<Vec<TermId>>>();
                known.and_then(|known| by_places.get(&known)).map_or(&[][..], Vec::as_slice)
            };
            for &position in candidates {
                let Some(tuple) = tuples.values.get(position) else { continue };
                if !fixed.iter().zip(tuple).all(|(arg, &term)| value(arg, tuple) == Some(term)) {
                    continue;
                }
                let admitted = tests.iter().all(|(test, args)| {
                    row.clear();
                    row.extend(args.iter().filter_map(|arg| value(arg, tuple)));
                    self.passes(*test, &row)
                });
                if admitted {
                    image.push(position);
                }
                // Two sources are of use for functions only.
                if image.len() > 1 && sources.len() > 1 {
                    return None;
                }
            }
            images.push(image);
        }
        Some(images)
    }

    /// Whether a static literal is true of a row.
    pub(super) fn passes(&self, test: Test, row: &[TermId]) -> bool {
        match test {
            Test::Is(rel) => self.context.tables.of(rel).contains(row),
            Test::IsNot(rel) => !self.context.tables.of(rel).contains(row),
            Test::Distinct => row.first() != row.get(1),
        }
    }

    /// Binds the tuple as a solution says. `Undetermined` where there are several values and choices are not allowed.
    pub(super) fn apply(&mut self, query: &mut Query, solution: Solution) -> Result<(), Stop> {
        let fan = solution.fan();
        if fan == 0 {
            return Err(Stop::Never);
        }
        if fan > 1 {
            if !query.may_choose {
                return Err(Stop::Undetermined);
            }
            query.chose = true;
        }
        let Solution { target, dom, sources, used, images } = solution;
        let mut index = 0;
        let target: Vec<Arg> = target.into_iter().map(|arg| query.walk(arg)).collect();
        query.left.retain(|_| {
            index += 1;
            !used.contains(&(index - 1))
        });
        let values = self.voc.tuples(dom).values.clone();
        if let ([], [only]) = (sources.as_slice(), images.as_slice())
            && let [value] = only.as_slice()
        {
            for (&arg, &term) in target.iter().zip(values.get(*value).into_iter().flatten()) {
                if query.free(arg).is_some() {
                    query.bind(arg, Val::Is(term));
                }
            }
            return Ok(());
        }
        if let &[source] = sources.as_slice()
            && self.voc.slot(source).dom == dom
        {
            let identity = images.iter().enumerate().all(|(number, image)| image.as_slice() == [number]);
            if identity {
                self.bind_tuple(query, &target, source);
                return Ok(());
            }
        }
        let slot = self.slot_for(query, &target, dom);
        match sources.as_slice() {
            [] => {
                let chosen: Vec<Vec<TermId>> =
                    images.iter().flatten().filter_map(|&value| values.get(value).cloned()).collect();
                let ty = if chosen.len() == values.len() {
                    dom
                } else {
                    let stem = format!("some_{}", self.voc.dom_name(dom).to_lowercase());
                    self.voc.dom(chosen, &stem)
                };
                let (lhs, ty) = (self.voc.slot_expr(slot), self.voc.tuples(ty).ty);
                query.steps.push(Step::Do(Label::AssignAny { lhs, ty }));
            }
            sources => {
                let mut ways = Vec::new();
                for number in 0..fan {
                    ways.push(self.function(sources, slot, dom, &images, number));
                }
                match <[Vec<Step>; 1]>::try_from(ways) {
                    Ok([steps]) => query.steps.extend(steps),
                    Err(ways) => query.steps.push(Step::Any(ways)),
                }
            }
        }
        self.bind_tuple(query, &target, slot);
        Ok(())
    }

    /// Whether a solution can be written down: a choice, or few functions of what was chosen. Several functions of what
    /// was read are a choice with a test instead, since a move is told by what it chooses.
    pub(super) fn writable(&self, query: &Query, solution: &Solution) -> bool {
        let read = || solution.sources.iter().any(|source| query.read.contains(source));
        !solution.has_source() || solution.is_function() || (solution.fan() <= MAX_FUNCTIONS && !read())
    }

    /// The steps to the `number`-th value for each value of the sources.
    fn function(&mut self, sources: &[Slot], slot: Slot, dom: Dom, images: &[Vec<usize>], number: usize) -> Vec<Step> {
        let null = self.voc.null;
        let values = self.voc.tuples(dom).values.clone();
        let mut cells: Vec<Symbol> = Vec::with_capacity(images.len());
        for image in images {
            let value = image.get(number).and_then(|&value| values.get(value));
            cells.push(match value {
                Some(tuple) => self.voc.symbol(tuple),
                None => null,
            });
        }
        let partial = cells.contains(&null);
        let from: Vec<Dom> = sources.iter().map(|&source| self.voc.slot(source).dom).collect();
        let ty = self.voc.tuples(dom).or_null;
        let stem = format!("step_{}", self.voc.dom_name(dom).to_lowercase());
        let map = self.voc.map(&stem, &from, ty, cells, null);
        let mut rhs = map;
        for &source in sources {
            let key = self.voc.slot_expr(source);
            rhs = self.voc.access(rhs, key);
        }
        let lhs = self.voc.slot_expr(slot);
        let mut steps = vec![Step::Do(Label::Assign { lhs, rhs })];
        if partial {
            steps.push(Step::Do(self.not_null(lhs)));
        }
        steps
    }

    pub(super) fn not_null(&mut self, lhs: rg_ir::ExprId) -> Label {
        let rhs = self.voc.symbol_expr(self.voc.null);
        Label::Compare { lhs, rhs, negated: true }
    }

    /// Remembers that a tuple is in a slot.
    pub(super) fn bind_tuple(&mut self, query: &mut Query, target: &[Arg], slot: Slot) {
        query.tuples.push((target.to_vec(), slot));
        for (part, &arg) in target.iter().enumerate() {
            query.bind(arg, Val::Part(slot, part));
        }
    }

    /// The slot that a tuple should be in: one that was asked for, else a temporary one.
    pub(super) fn slot_for(&mut self, query: &mut Query, target: &[Arg], dom: Dom) -> Slot {
        let wanted = query.preferred.iter().find(|(tuple, slot)| {
            tuple.len() == target.len()
                && self.voc.slot(*slot).dom == dom
                && tuple.iter().zip(target).all(|(&a, &b)| query.walk(a) == query.walk(b))
        });
        if let Some(&(_, slot)) = wanted {
            return slot;
        }
        let number = query.used.entry(dom).or_insert(0);
        *number += 1;
        self.temporary(dom, *number - 1)
    }
}
