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
/// Tests of which one is enough.
const MAX_WAYS: usize = 8;
/// Loads in loads.
const MAX_NESTED: usize = 4;
/// Values of which is asked whether a table leaves one where it is.
const MAX_VALUES: u32 = 1 << 12;

/// What must hold: one of these tests.
pub(super) type OneOf = Vec<Test>;

/// What has been written since the walk began.
#[derive(Clone)]
struct Written<'a> {
    region: &'a Region,
    /// Where the walk began.
    from: usize,
    /// Cells with what they hold now.
    slots: Vec<(u32, ExId)>,
    /// Variables by their first cell, with the index that was written to, if it is below a number; `None` if that may be
    /// any.
    cells: Vec<(u32, Option<(ExId, u32)>)>,
}

/// What must hold before a write at the node `from` for the walk to get further than the tests behind it: for each of
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
    if !matches!(step, Step::Write { .. }) || written.note(lowering, step).is_none() {
        return (found, passed);
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
                if written.next(lowering, ways, &mut tests, &mut steps).is_none() {
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
            Step::Test(test) => all.push(test.clone()),
            step => all.extend(tests(lowering, region, node, step, way.target).0.into_iter().next()?),
        }
    }
    Some(joined(all)).filter(|all| all.len() <= MAX_WAYS)
}

/// Tests of one value as one.
fn joined(tests: OneOf) -> OneOf {
    let mut all: OneOf = Vec::new();
    for test in tests {
        let same = all.iter_mut().find_map(|other| match (other, &test) {
            (
                Test::In { value: a, class: c, list, negated: false },
                Test::In { value: b, class: d, list: more, negated: false },
            ) if (&*a, &*c) == (b, d) => Some((list, more.clone())),
            _ => None,
        });
        match same {
            Some((list, more)) => {
                list.extend(more);
                list.sort_unstable();
                list.dedup();
            }
            None => all.push(test),
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
            Op::SetCell { base, slot, count, .. } => {
                let first = lowering.owner(base)?.offset;
                let index = lowering.slot(slot);
                let index = self.now(lowering, index, 0).filter(|_| first == base);
                self.cells.push((first, index.map(|index| (index, count))));
            }
            Op::Store { base, first, count, .. } => {
                let start = lowering.owner(base)?.offset;
                let one = lowering.terms.get(first as usize).copied();
                let plain = one.filter(|one| count == 1 && start == base && one.stride == 1 && one.convert == FAIL);
                let index = match plain {
                    Some(one) => self.now(lowering, one.value, 0).map(|index| (index, one.count)),
                    None => None,
                };
                self.cells.push((start, index));
            }
            _ => return None,
        }
        Some(())
    }

    /// A cell holds the present value of an expression.
    fn set(&mut self, lowering: &mut Lowering<'_>, slot: u32, value: ExId) -> Option<()> {
        let (first, len) = lowering.owner(slot).map(|field| (field.offset, field.len))?;
        let value = self.now(lowering, value, 0);
        self.slots.retain(|&(other, _)| other != slot);
        match value {
            // What is one of several cells may be written as such later.
            Some(value) if len == 1 => self.slots.push((slot, value)),
            _ => self.cells.push((first, None)),
        }
        Some(())
    }

    /// Adds the first tests behind all of these ways; `None` if some way may get on without one, or they have no form.
    fn next(
        &self,
        lowering: &mut Lowering<'_>,
        ways: &[Alternative],
        tests: &mut OneOf,
        steps: &mut usize,
    ) -> Option<()> {
        for way in ways {
            *steps = steps.checked_sub(1)?;
            let mut written = self.clone();
            match &way.step {
                Step::Test(test) => {
                    tests.push(self.before(lowering, test)?);
                    continue;
                }
                Step::Skip | Step::Tag(_) => {}
                step => written.note(lowering, step)?,
            }
            let region = self.region;
            let ways = region.alternatives.get(way.target).filter(|_| !region.is_target(way.target))?;
            written.next(lowering, ways, tests, steps)?;
        }
        Some(())
    }

    /// A test as it would be asked when the walk begins.
    fn before(&self, lowering: &mut Lowering<'_>, test: &Test) -> Option<Test> {
        let Test::In { value, class, list, negated } = test else { return None };
        let value = self.now(lowering, *value, 0)?;
        Some(Test::In { value, class: *class, list: list.clone(), negated: *negated })
    }

    /// A value in terms of what cells held when the walk began; `None` if it may have been written since.
    fn now(&self, lowering: &mut Lowering<'_>, ex: ExId, nested: usize) -> Option<ExId> {
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
                self.cells.iter().all(|(written, _)| *written != first).then_some(ex)
            }
            Ex::Table { base, slot } => {
                let index = lowering.slot(slot);
                let index = self.now(lowering, index, nested + 1)?;
                Some(lowering.load(true, base, vec![term(index)]))
            }
            Ex::Cell { base, slot } => {
                let index = lowering.slot(slot);
                let index = self.now(lowering, index, nested + 1)?;
                self.cell(lowering, base, vec![term(index)])
            }
            Ex::Load { table, base, first, count } => {
                let mut terms = Vec::new();
                for at in first..first + count {
                    let term = *lowering.terms.get(at as usize)?;
                    terms.push(Term { value: self.now(lowering, term.value, nested + 1)?, ..term });
                }
                if table { Some(lowering.load(true, base, terms)) } else { self.cell(lowering, base, terms) }
            }
        }
    }

    /// What a variable with keys holds, if that cell has not been written.
    fn cell(&self, lowering: &mut Lowering<'_>, base: u32, terms: Vec<Term>) -> Option<ExId> {
        let first = lowering.owner(base)?.offset;
        for &(_, index) in self.cells.iter().filter(|(written, _)| *written == first) {
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
