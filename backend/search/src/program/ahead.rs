//! Tests that follow writes, asked before them: a walk that would fail there need not begin, and needs no choice point.

use super::region::{Alternative, Region};
use super::step::{Lowering, Step, Test};
use super::{Ex, ExId, FAIL, Op, Term};

/// Steps that are followed.
const MAX_STEPS: usize = 8;
/// Steps that are followed where ways part.
const MAX_FOLLOWED: usize = 32;
/// Tests that are asked ahead, those of which one is enough counted as one.
const MAX_TESTS: usize = 2;
/// Groups of tests of which one is enough.
const MAX_WAYS: usize = 8;
/// Tests of such a group.
const MAX_ALL: usize = 2;
/// Loads in loads.
const MAX_NESTED: usize = 4;
/// Values of which is asked whether a table leaves one where it is.
const MAX_VALUES: u32 = 1 << 12;

/// What must hold: one of these groups, of which all tests must.
pub(super) type OneOf = Vec<Vec<Test>>;

/// What has been written since the walk began.
#[derive(Clone)]
struct Written<'a> {
    region: &'a Region,
    /// Where the walk began.
    from: usize,
    /// Cells with what they hold now.
    slots: Vec<(u32, ExId)>,
    /// What was written to variables that have several cells.
    cells: Vec<Wrote>,
}

/// A write to one of the cells of a variable.
#[derive(Clone, Copy)]
struct Wrote {
    /// The variable's first cell.
    first: u32,
    /// The index that was written to, if it is below a number; `None` if that may be any.
    index: Option<(ExId, u32)>,
    /// What was written, if that is always the same.
    value: Option<u32>,
}

/// What must hold before a write or a tag at the node `from` for the walk to get further than the tests behind it: for each of
/// these, one test. Also the nodes up to which that has been looked at.
pub(super) fn tests(
    lowering: &mut Lowering<'_>,
    region: &Region,
    from: usize,
    step: &Step,
    target: usize,
) -> (Vec<OneOf>, Vec<usize>) {
    let mut written = Written { region, from, slots: Vec::new(), cells: Vec::new() };
    let (mut found, mut passed) = (Vec::new(), Vec::new());
    match step {
        Step::Write { .. } if written.note(lowering, step).is_some() => {}
        Step::Tag(_) => {}
        _ => return (found, passed),
    }
    let mut at = target;
    for _ in 0..MAX_STEPS {
        let Some(ways) = region.alternatives.get(at).filter(|_| !region.is_target(at)) else { break };
        if region.arrivals.get(at) == Some(&1) {
            passed.push(at);
        }
        match ways.as_slice() {
            [Alternative { step: Step::Skip | Step::Tag(_), target, .. }] => at = *target,
            [Alternative { step: step @ Step::Write { .. }, target, .. }] => {
                if written.note(lowering, step).is_none() {
                    break;
                }
                at = *target;
            }
            ways => {
                if found.len() == MAX_TESTS || ways.len() > MAX_WAYS {
                    break;
                }
                let (mut tests, mut steps) = (OneOf::new(), MAX_FOLLOWED);
                // Where there is one way, what follows is a group of its own.
                if written.next(lowering, ways, ways.len() > 1, &mut tests, &mut steps).is_none() {
                    break;
                }
                let tests = joined(tests);
                if tests.is_empty() || tests.len() > MAX_WAYS {
                    break;
                }
                found.push(tests);
                match ways {
                    [way] => at = way.target,
                    _ => break,
                }
            }
        }
    }
    (found, passed)
}

/// What must hold at a node for the walk to get further than the next tests, if that can be said.
pub(super) fn test(lowering: &mut Lowering<'_>, region: &Region, node: usize) -> Option<OneOf> {
    let ways = region.alternatives.get(node).filter(|ways| (1..=MAX_WAYS).contains(&ways.len()))?;
    let mut all = OneOf::new();
    for way in ways {
        match &way.step {
            Step::Test(test) => all.push(vec![test.clone()]),
            step => all.extend(tests(lowering, region, node, step, way.target).0.into_iter().next()?),
        }
    }
    Some(joined(all)).filter(|all| all.len() <= MAX_WAYS)
}

/// Groups that differ in the first test only, which asks for the same value, as one.
fn joined(groups: OneOf) -> OneOf {
    let mut all: OneOf = Vec::new();
    for group in groups {
        let same = all.iter_mut().find_map(|other| match (other.as_mut_slice(), group.as_slice()) {
            (
                [Test::In { value: a, class: c, list, negated: false }, others @ ..],
                [Test::In { value: b, class: d, list: more, negated: false }, rest @ ..],
            ) if (&*a, &*c, &*others) == (b, d, rest) => Some((list, more.clone())),
            _ => None,
        });
        match same {
            Some((list, more)) => {
                list.extend(more);
                list.sort_unstable();
                list.dedup();
            }
            None => all.push(group),
        }
    }
    all
}

impl Written<'_> {
    /// Notes a write; `None` if it has no form.
    fn note(&mut self, lowering: &mut Lowering<'_>, step: &Step) -> Option<()> {
        let Step::Write { op, .. } = *step else { return None };
        match op {
            Op::SetConstant { slot, value } => {
                let value = lowering.constant(value);
                self.set(lowering, slot, value)?;
            }
            Op::SetTable { slot, base, from } => {
                let index = lowering.slot(from);
                let value = lowering.load(true, base, vec![term(index)]);
                self.set(lowering, slot, value)?;
            }
            Op::Set { slot, value } => self.set(lowering, slot, value)?,
            Op::SetCell { base, slot, value, count } => {
                let first = lowering.owner(base)?.offset;
                let index = lowering.slot(slot);
                let index = self.now(lowering, index).filter(|_| first == base);
                self.cells.push(Wrote { first, index: index.map(|index| (index, count)), value: Some(value) });
            }
            Op::Store { base, first, count, value } => {
                let start = lowering.owner(base)?.offset;
                let one = lowering.terms.get(first as usize).copied();
                let plain = one.filter(|one| count == 1 && start == base && one.stride == 1 && one.convert == FAIL);
                let index = match plain {
                    Some(one) => self.now(lowering, one.value).map(|index| (index, one.count)),
                    None => None,
                };
                let value = match lowering.exprs.get(value as usize) {
                    Some(&Ex::Constant(value)) => Some(value),
                    _ => None,
                };
                self.cells.push(Wrote { first: start, index, value });
            }
            _ => return None,
        }
        Some(())
    }

    /// A cell holds the present value of an expression.
    fn set(&mut self, lowering: &mut Lowering<'_>, slot: u32, value: ExId) -> Option<()> {
        let (first, len) = lowering.owner(slot).map(|field| (field.offset, field.len))?;
        let value = self.now(lowering, value);
        self.slots.retain(|&(other, _)| other != slot);
        match value {
            // What is one of several cells may be written as such later.
            Some(value) if len == 1 => self.slots.push((slot, value)),
            _ => self.cells.push(Wrote { first, index: None, value: None }),
        }
        Some(())
    }

    /// Adds the first tests behind all of these ways, and (if it `goes_on`) of each those that follow at once; `None` if some
    /// way may get on without one, or they have no form.
    fn next(
        &self,
        lowering: &mut Lowering<'_>,
        ways: &[Alternative],
        goes_on: bool,
        tests: &mut OneOf,
        steps: &mut usize,
    ) -> Option<()> {
        for way in ways {
            *steps = steps.checked_sub(1)?;
            let mut written = self.clone();
            match &way.step {
                Step::Test(test) => {
                    let mut group = vec![self.before(lowering, test)?];
                    if goes_on {
                        written.then(lowering, way.target, &mut group);
                    }
                    tests.push(group);
                    continue;
                }
                Step::Skip | Step::Tag(_) => {}
                step => written.note(lowering, step)?,
            }
            let region = self.region;
            let ways = region.alternatives.get(way.target).filter(|_| !region.is_target(way.target))?;
            written.next(lowering, ways, goes_on, tests, steps)?;
        }
        Some(())
    }

    /// Adds what must hold from a node on, as far as there is one way.
    fn then(&mut self, lowering: &mut Lowering<'_>, mut at: usize, group: &mut Vec<Test>) {
        let (region, mut steps) = (self.region, MAX_STEPS);
        while group.len() < MAX_ALL && steps > 0 {
            steps -= 1;
            match region.alternatives.get(at).filter(|_| !region.is_target(at)).map(Vec::as_slice) {
                Some([Alternative { step: Step::Skip | Step::Tag(_), target, .. }]) => at = *target,
                Some([Alternative { step: step @ Step::Write { .. }, target, .. }]) => {
                    if self.note(lowering, step).is_none() {
                        return;
                    }
                    at = *target;
                }
                Some(ways) => {
                    let mut tests = OneOf::new();
                    let known = self.next(lowering, ways, false, &mut tests, &mut steps).is_some();
                    if let ([test], true) = (joined(tests).as_slice(), known) {
                        group.extend_from_slice(test);
                    }
                    return;
                }
                None => return,
            }
        }
    }

    /// A test as it would be asked when the walk begins: one that holds there if it is going to hold here.
    fn before(&self, lowering: &mut Lowering<'_>, test: &Test) -> Option<Test> {
        let Test::In { value, class, list, negated } = test else { return None };
        let passes = |written: u32| list.contains(&written) != *negated;
        let value = self.value(lowering, *value, &passes, 0)?;
        Some(Test::In { value, class: *class, list: list.clone(), negated: *negated })
    }

    /// A value in terms of what cells held when the walk began; `None` if it may have been written since.
    fn now(&self, lowering: &mut Lowering<'_>, ex: ExId) -> Option<ExId> {
        self.value(lowering, ex, &|_| true, 0)
    }

    /// As [`Self::now`], but if the value is one that does not pass it may be another.
    fn value(
        &self,
        lowering: &mut Lowering<'_>,
        ex: ExId,
        passes: &dyn Fn(u32) -> bool,
        nested: usize,
    ) -> Option<ExId> {
        if nested > MAX_NESTED {
            return None;
        }
        match *lowering.exprs.get(ex as usize)? {
            Ex::Constant(_) => Some(ex),
            Ex::Slot(slot) => {
                if let Some(&(_, value)) = self.slots.iter().find(|(other, _)| *other == slot) {
                    return Some(value);
                }
                let first = lowering.owner(slot)?.offset;
                self.cells.iter().all(|written| written.first != first).then_some(ex)
            }
            Ex::Table { base, slot } => {
                let index = lowering.slot(slot);
                let index = self.value(lowering, index, &|_| true, nested + 1)?;
                Some(lowering.load(true, base, vec![term(index)]))
            }
            Ex::Cell { base, slot } => {
                let index = lowering.slot(slot);
                let index = self.value(lowering, index, &|_| true, nested + 1)?;
                self.cell(lowering, base, vec![term(index)], passes)
            }
            Ex::Load { table, base, first, count } => {
                let mut terms = Vec::new();
                for at in first..first + count {
                    let term = *lowering.terms.get(at as usize)?;
                    let value = self.value(lowering, term.value, &|_| true, nested + 1)?;
                    terms.push(Term { value, ..term });
                }
                if table { Some(lowering.load(true, base, terms)) } else { self.cell(lowering, base, terms, passes) }
            }
        }
    }

    /// What a variable with keys holds, if that cell has not been written, or only to what does not pass.
    fn cell(
        &self,
        lowering: &mut Lowering<'_>,
        base: u32,
        terms: Vec<Term>,
        passes: &dyn Fn(u32) -> bool,
    ) -> Option<ExId> {
        let first = lowering.owner(base)?.offset;
        for &Wrote { index, value, .. } in self.cells.iter().filter(|written| written.first == first) {
            if value.is_some_and(|value| !passes(value)) {
                continue;
            }
            let [Term { value, stride: 1, convert: FAIL, .. }] = terms[..] else { return None };
            let (index, count) = index?;
            if base != first || !self.apart(lowering, value, index, count) {
                return None;
            }
        }
        Some(lowering.load(false, base, terms))
    }

    /// Whether two values always differ where the second is below a number.
    fn apart(&self, lowering: &Lowering<'_>, a: ExId, b: ExId, below: u32) -> bool {
        let ex = |id: ExId| lowering.exprs.get(id as usize).copied();
        let (Some(Ex::Table { base, slot }), Some(Ex::Slot(other))) = (ex(a), ex(b)) else { return false };
        if slot != other {
            return false;
        }
        let Some((low, high)) = self.chosen(slot).or_else(|| Some((0, holding(lowering, slot)?))) else { return false };
        if high.saturating_sub(low) > MAX_VALUES {
            return false;
        }
        let entry = |x: u32| lowering.layout.tables.get((base + x) as usize);
        (low..high.min(below)).all(|x| entry(x).is_some_and(|&y| y != x))
    }

    /// The values that a cell has where the walk began, if it was chosen from them on the only way there.
    fn chosen(&self, slot: u32) -> Option<(u32, u32)> {
        let mut at = self.from;
        for _ in 0..MAX_STEPS {
            let (source, way) = self.region.source(at)?;
            match self.region.alternatives.get(source)?.get(way)?.step {
                Step::Skip | Step::Test(_) | Step::Tag(_) => at = source,
                Step::Each { op: Op::Each { slot: chosen, low, high }, .. } if chosen == slot => {
                    return Some((low, high));
                }
                _ => return None,
            }
        }
        None
    }
}

fn term(value: ExId) -> Term {
    Term { value, stride: 1, convert: FAIL, count: u32::MAX }
}

/// The number of values that a cell may hold.
fn holding(lowering: &Lowering<'_>, cell: u32) -> Option<u32> {
    Some(lowering.layout.classes.members(lowering.owner(cell)?.class).len() as u32)
}
