//! Checks after a move, answered by the same check before it.
//!
//! Whether a king is attacked is asked after every move, and hardly any move changes the answer. So the check is made
//! once, on the state in which the search began, and what it asked of the maps is noted: its *support*. A move that
//! changes nothing of the support leaves the answer as it is. If no question is negated, the answer is monotone: then
//! only what is added can make it true, and only what is taken away can make it false. What is left is checked as ever.
//! See `docs/engine/techniques.md`, *memoised check*.

use super::checks::takes_time;
use super::lane::{Lane, Pending, Sets, Store, Val};
use super::rays::only_computes;
use super::region::Region;
use super::sets::Set;
use super::values::{Condition, Stop};
use super::{Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::{NodeId, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;
use wir::Reg;

/// By variable and value: the indices of which it was asked whether they have the value.
type Queries = BTreeMap<(usize, usize), Set>;

/// What a check asks while it is made.
pub(super) struct Recording {
    depth: usize,
    queries: Queries,
    questions: usize,
    monotone: bool,
    failed: bool,
    /// Searches whose questions are asked once more elsewhere.
    paused: usize,
}

/// The state in which a search began, and the block in which it is known.
pub(super) struct Beginning {
    depth: usize,
    lane: Lane,
}

/// A check in the state in which the search began.
pub(super) struct Supported {
    depth: usize,
    from: NodeId,
    to: NodeId,
    /// `None` if there is no use in it.
    answer: Option<Rc<Support>>,
}

struct Support {
    holds: Reg,
    queries: Queries,
    monotone: bool,
}

/// What a move changes of a support: whether something whatever the choice is, and for which choices.
struct Change {
    always: Reg,
    choices: Set,
}

impl Lifter<'_> {
    /// The state of a lane without choices as the one in which a search begins; what was before is returned.
    pub(super) fn begins_at(&mut self, lane: &Lane) -> Option<Beginning> {
        let mut lane = lane.clone();
        lane.generator = None;
        lane.guard = self.function.builder.constant(1);
        lane.label.clear();
        lane.facts.clear();
        lane.origins.clear();
        lane.forget_tests();
        let depth = self.function.builder.depth();
        self.check.beginning.replace(Beginning { depth, lane })
    }

    /// Forgets checks of blocks that are closed.
    pub(super) fn forget_supports(&mut self) {
        let depth = self.function.builder.depth();
        self.check.supports.retain(|support| support.depth <= depth);
    }

    /// Notes that it is asked at which of a lane's places a map has a value, or whether it has it at one place.
    pub(super) fn record(&mut self, lane: &Lane, var: VarId, index: &Val, value: &Val) {
        let depth = self.function.builder.depth();
        let Some(Store::Sets(sets)) = lane.vars.get(var.index()) else { return };
        let Some(recording) = &mut self.check.recording else { return };
        if recording.paused > 0 {
            return;
        }
        recording.questions += 1;
        if depth != recording.depth {
            recording.failed = true;
            return;
        }
        let words = sets.of.first().map_or(1, |set| set.len());
        let values: Vec<usize> = match value {
            Val::Const(value) => vec![*value as usize],
            _ => (0..sets.of.len()).collect(),
        };
        let places = match (index, &lane.generator) {
            (Val::Gen(map), Some(generator)) => self.function.builder.image(map, &generator.set, words),
            (Val::Gen(_), None) => None,
            (index, _) => {
                index.reg(&mut self.function.builder).map(|index| self.function.builder.singleton(index, words))
            }
        };
        let Some(places) = places else {
            if let Some(recording) = &mut self.check.recording {
                recording.failed = true;
            }
            return;
        };
        for value in values {
            let key = (var.index(), value);
            let before = self.check.recording.as_ref().and_then(|recording| recording.queries.get(&key).cloned());
            let all = before.map_or(places.clone(), |before| self.function.builder.either(&before, &places));
            if let Some(recording) = &mut self.check.recording {
                recording.queries.insert(key, all);
            }
        }
    }

    /// Number of questions so far.
    pub(super) fn questions(&self) -> usize {
        self.check.recording.as_ref().map_or(0, |recording| recording.questions)
    }

    /// Notes that the answers to the questions since then count the other way round.
    pub(super) fn record_negation(&mut self, since: usize) {
        if let Some(recording) = &mut self.check.recording
            && recording.questions > since
        {
            recording.monotone = false;
        }
    }

    /// Does something whose questions are asked once more later, or not at all.
    pub(super) fn unrecorded<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> T {
        let pause = |lifter: &mut Self, by: isize| {
            if let Some(recording) = &mut lifter.check.recording {
                recording.paused = recording.paused.saturating_add_signed(by);
            }
        };
        pause(self, 1);
        let result = what(self);
        pause(self, -1);
        result
    }

    /// The answer of a check on a lane that differs from the state in which the search began, if that helps.
    pub(super) fn by_support(
        &mut self,
        region: &Rc<Region>,
        asking: &Lane,
        from: NodeId,
        to: NodeId,
    ) -> Result<Option<Condition>, Stop> {
        let Some(maps) = self.changed_maps(asking) else { return Ok(None) };
        let Some(support) = self.support(region, asking, from, to) else { return Ok(None) };
        let Some((added, removed)) = self.changes(asking, &maps, &support) else { return Ok(None) };
        let (always, choices) = if support.monotone {
            let not = self.function.builder.negation(support.holds);
            let (a, b) = (
                self.function.builder.and(removed.always, support.holds),
                self.function.builder.and(added.always, not),
            );
            let always = self.function.builder.or(a, b);
            let a = self.function.builder.when(support.holds, &removed.choices);
            let b = self.function.builder.when(not, &added.choices);
            (always, self.function.builder.either(&a, &b))
        } else {
            let always = self.function.builder.or(removed.always, added.always);
            (always, self.function.builder.either(&removed.choices, &added.choices))
        };
        let depends = !asking.dependants().is_empty();
        let Some(generator) = asking.generator.clone().filter(|_| depends) else {
            if self.function.builder.constant_of(always) == Some(0) {
                return Ok(Some(Condition::Truth(support.holds)));
            }
            self.open();
            let queries = self.checked_anew(region, asking, from, to);
            let truth = if let Ok(Condition::Truth(truth)) = &queries { *truth } else { support.holds };
            let then = self.close(vec![truth]);
            queries?;
            self.open();
            let other = self.close(vec![support.holds]);
            let truth = self.function.builder.if_else(always, then, other);
            return Ok(Some(Condition::Truth(truth.first().copied().unwrap_or(support.holds))));
        };
        let all = self.function.builder.when(always, &generator.set);
        let some = self.function.builder.both(&choices, &generator.set);
        let affected = self.function.builder.either(&all, &some);
        let others = self.function.builder.minus(&generator.set, &affected);
        let mut holds = self.function.builder.when(support.holds, &others);
        if !self.function.builder.is_empty(&affected) {
            let mut lane = asking.clone();
            if let Some(generator) = &mut lane.generator {
                generator.set = affected.clone();
            }
            let calls = self
                .function
                .style
                .size_optimised
                .then(|| self.attempt(|lifter| lifter.one_by_one(region, &lane, from, to)));
            let more = match calls {
                Some(Ok(set)) => set,
                _ => match self.checked_anew(region, &lane, from, to)? {
                    Condition::Choices(set) => self.function.builder.both(&set, &affected),
                    Condition::Truth(truth) => self.function.builder.when(truth, &affected),
                },
            };
            holds = self.function.builder.either(&holds, &more);
        }
        Ok(Some(Condition::Choices(holds)))
    }

    /// For which choices of a lane a check holds, by calls of its function.
    pub(super) fn one_by_one(
        &mut self,
        region: &Rc<Region>,
        lane: &Lane,
        from: NodeId,
        to: NodeId,
    ) -> Result<Set, Stop> {
        let Some(generator) = &lane.generator else { return super::values::fail("there is no choice") };
        let words = generator.set.len();
        let zero = self.function.builder.constant(0);
        let found = self.for_each(&generator.set, vec![zero; words], |lifter, element, carried| {
            let no_function = |_| Failure::new("a check has no function");
            let fixed = lifter.fixed(lane, element).map_err(no_function)?;
            let truth = lifter.by_call(region, &fixed, from, to).map_err(no_function)?;
            let truth = truth.ok_or_else(|| no_function(Stop::Choose))?;
            let bit = lifter.function.builder.bit(element, words);
            let bit = lifter.function.builder.when(truth, &bit);
            Ok(carried.iter().zip(bit.iter()).map(|(&old, &new)| lifter.function.builder.or(old, new)).collect())
        });
        Ok(found.map_err(Stop::Fail)?.into())
    }

    /// The maps in which alone a lane differs from the state in which the search began; `None` if it differs in more, or
    /// in nothing.
    fn changed_maps(&self, asking: &Lane) -> Option<Vec<usize>> {
        if self.check.recording.is_some() {
            return None;
        }
        let beginning = &self.check.beginning.as_ref()?.lane;
        let mut changed = Vec::new();
        for (var, (now, then)) in asking.vars.iter().zip(&beginning.vars).enumerate() {
            match (now, then) {
                (Store::Dead, _) => {}
                (now, then) if now == then => {}
                (Store::Sets(_), Store::Sets(then)) if then.pending.is_empty() => changed.push(var),
                _ => return None,
            }
        }
        (!changed.is_empty()).then_some(changed)
    }

    /// The check in the state in which the search began.
    fn support(&mut self, region: &Rc<Region>, asking: &Lane, from: NodeId, to: NodeId) -> Option<Rc<Support>> {
        let known = self.check.supports.iter().find(|support| support.from == from && support.to == to);
        if let Some(known) = known {
            return known.answer.clone();
        }
        let beginning = self.check.beginning.as_ref()?;
        let (depth, mut lane) = (beginning.depth, beginning.lane.clone());
        for (slot, queries) in lane.vars.iter_mut().zip(&asking.vars) {
            if *queries == Store::Dead {
                *slot = Store::Dead;
            }
        }
        let inner = self.function.builder.suspend(depth);
        self.open();
        self.check.recording = Some(Recording {
            depth: self.function.builder.depth(),
            queries: Queries::new(),
            questions: 0,
            monotone: true,
            failed: false,
            paused: 0,
        });
        let nested = std::mem::replace(&mut self.check.nested, 1);
        let pinned = std::mem::take(&mut self.function.pinned);
        let answer = self.checked_anew(region, &lane, from, to);
        self.check.nested = nested;
        self.function.pinned = pinned;
        let recording = self.check.recording.take();
        self.function.builder.unwind(depth + 1);
        let block = self.function.builder.close(Vec::new());
        let answer = match (answer, recording) {
            (Ok(Condition::Truth(holds)), Some(recording))
                if !recording.failed && only_computes(&block) && takes_time(&block) =>
            {
                self.function.builder.splice(block);
                Some(Rc::new(Support { holds, queries: recording.queries, monotone: recording.monotone }))
            }
            _ => None,
        };
        self.function.builder.resume(inner);
        self.check.supports.push(Supported { depth, from, to, answer: answer.clone() });
        answer
    }

    /// What a lane's walks add to the indices with a value that a support asks for, and what they take away.
    fn changes(&mut self, asking: &Lane, maps: &[usize], support: &Support) -> Option<(Change, Change)> {
        let words = Self::choice_words(asking);
        let (zero, none) = (self.function.builder.constant(0), self.function.builder.constant_set(words, []));
        let any = self.function.builder.constant_set(words, 0..64 * words);
        let mut added = Change { always: zero, choices: none.clone() };
        let mut removed = Change { always: zero, choices: none };
        for &var in maps {
            let (Some(Store::Sets(now)), Some(Store::Sets(then))) = (
                asking.vars.get(var),
                self.check.beginning.as_ref().and_then(|beginning| beginning.lane.vars.get(var)),
            ) else {
                return None;
            };
            let (now, then): (Sets, Sets) = (now.clone(), then.clone());
            let mut held: Option<Set> = None;
            let mut all: Option<Set> = None;
            let join = |lifter: &mut Self, sum: &mut Option<Set>, set: &Set| {
                let new = sum.as_ref().map_or(set.clone(), |sum| lifter.function.builder.either(sum, set));
                *sum = Some(new);
            };
            for ((_, value), queries) in support.queries.range((var, 0)..(var + 1, 0)) {
                let (Some(new), Some(old)) = (now.of.get(*value), then.of.get(*value)) else { return None };
                for (change, from, to) in [(&mut added, old, new), (&mut removed, new, old)] {
                    if from != to {
                        let more = self.function.builder.minus(to, from);
                        let more = self.function.builder.both(&more, queries);
                        let any = self.is_any(&more);
                        change.always = self.function.builder.or(change.always, any);
                    }
                }
                let here = self.function.builder.both(new, queries);
                join(self, &mut held, &here);
                join(self, &mut all, queries);
            }
            // What a write takes away may also be what an earlier one has put there.
            for Pending { value, .. } in now.pending.iter() {
                match value {
                    Val::Const(value) => {
                        if let Some(queries) = support.queries.get(&(var, *value as usize)) {
                            join(self, &mut held, queries);
                        }
                    }
                    _ => held = all.clone(),
                }
            }
            for Pending { index: map, value, .. } in now.pending.iter() {
                let wanted = match value {
                    Val::Const(value) => support.queries.get(&(var, *value as usize)).cloned(),
                    _ => all.clone(),
                };
                for (change, at) in [(&mut added, wanted), (&mut removed, held.clone())] {
                    let Some(at) = at else { continue };
                    let choices = self.function.builder.preimage(map, &at, &any)?;
                    change.choices = self.function.builder.either(&change.choices, &choices);
                }
            }
        }
        Some((added, removed))
    }
}
