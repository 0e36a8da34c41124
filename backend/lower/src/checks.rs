//! Reachability checks: by walking lanes, and what was found out before.

use super::explore::Exit;
use super::lane::{Fact, Lane, Store, Val};
use super::loops::Loops;
use super::places::Places;
use super::region::{Goal, Region};
use super::values::{Condition, Stop};
use super::{Failure, Lifter};
use passes::effects;
use rg_ir::ids::Id;
use rg_ir::{Expr, Label, NodeId};
use std::rc::Rc;
use wir::{Block, Inst, Reg};

/// Most answers that are kept.
const MAX_ANSWERS: usize = 512;
/// Most instructions that are run whether they are needed or not.
const MAX_UNASKED: usize = 30;
/// Most steps of a check's beginning.
const MAX_BEGINNING: usize = 8;
/// Checks inside checks.
const MAX_NESTED: usize = 16;

/// A check that was made in a block that is still open.
pub(super) struct Answer {
    pub(super) depth: usize,
    from: NodeId,
    to: NodeId,
    vars: Vec<Store>,
    /// What was known when it was asked.
    facts: Vec<Fact>,
    /// What it was asked for.
    question: Question,
    answer: Vec<Reg>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether it holds.
    Holds,
    /// Whether it holds, if this truth value does.
    HoldsIf(Reg),
    /// For which values of a variable it holds, or of none, if it does not depend on a place: all or nothing.
    Where(Option<usize>),
}

impl Lifter<'_> {
    /// Whether a check holds on a lane, or for which of its choices.
    pub(super) fn check(&mut self, lane: &Lane, from: NodeId, to: NodeId) -> Result<Condition, Stop> {
        if self.check.nested >= MAX_NESTED {
            return Err(Stop::Fail(Failure::new("checks nest too deep")));
        }
        self.check.nested += 1;
        let condition = match self.needed(lane, from) {
            Some(guard) => self.checked_if_needed(lane, guard, from, to),
            None => self.checked(lane, from, to),
        };
        self.check.nested -= 1;
        condition
    }

    /// Whether any walk of a lane comes to a check, if it is worth testing that first: what is found out for all places
    /// at once is better kept for other lanes.
    fn needed(&mut self, lane: &Lane, from: NodeId) -> Option<Reg> {
        if self.check.recording.is_some() {
            return None;
        }
        let guard = match &lane.generator {
            None => lane.guard,
            Some(generator) => {
                let mut asking = lane.clone();
                self.bury(&mut asking, from);
                if !self.function.style.size_optimised || asking.dependants().len() < 2 {
                    return None;
                }
                let set = generator.set.clone();
                self.is_any(&set)
            }
        };
        self.function.builder.constant_of(guard).is_none().then_some(guard)
    }

    /// As [`Lifter::checked`] for one walk that perhaps does not come here at all: what takes time is done only if it does.
    fn checked_if_needed(&mut self, lane: &Lane, guard: Reg, from: NodeId, to: NodeId) -> Result<Condition, Stop> {
        let mut asking = lane.clone();
        self.bury(&mut asking, from);
        let question = Question::HoldsIf(guard);
        if let Some(&known) = self.known_answer(&asking, from, to, question).as_ref().and_then(|known| known.first()) {
            return Ok(Condition::Truth(known));
        }
        self.open();
        let walked = self.check.walked;
        let condition = self.checked(lane, from, to);
        let found: Vec<Reg> = match &condition {
            Ok(Condition::Truth(truth)) => vec![*truth],
            Ok(Condition::Choices(set)) => set.to_vec(),
            Err(_) => Vec::new(),
        };
        let block = self.close(found.clone());
        // A walk along lines takes no time in the end, and the walk behind the check perhaps goes the same way.
        if found.is_empty() || !takes_time(&block) || self.check.walked > walked && block.insts.len() <= MAX_UNASKED {
            self.function.builder.splice(block);
            return condition;
        }
        self.open();
        let zero = self.function.builder.constant(0);
        let other = self.close(vec![zero; found.len()]);
        let found = self.function.builder.if_else(guard, block, other);
        if let Ok(Condition::Choices(_)) = condition {
            return Ok(Condition::Choices(found.into()));
        }
        self.remember(&asking, from, to, question, found.clone());
        Ok(Condition::Truth(found.first().copied().unwrap_or(guard)))
    }

    fn checked(&mut self, lane: &Lane, from: NodeId, to: NodeId) -> Result<Condition, Stop> {
        let region = self.region(Goal::Check(to), from);
        if !region.contains(from) {
            return Ok(Condition::Truth(self.function.builder.constant(0)));
        }
        if from == to {
            return Ok(Condition::Truth(self.function.builder.constant(1)));
        }
        let mut asking = lane.clone();
        asking.label.clear();
        self.bury(&mut asking, from);
        if self.known.tails.is_some_and(|tails| tails.done.contains(&to)) && !asking.dependants().is_empty() {
            return Err(Stop::Choose);
        }
        if let Some(condition) = self.by_support(&region, &asking, from, to)? {
            return Ok(condition);
        }
        if !self.function.keeper || self.check.nested > 1 || !asking.dependants().is_empty() {
            return self.checked_anew(&region, &asking, from, to);
        }
        // Checks inside this one differ from it by what it writes.
        let before = self.begins_at(&asking);
        let condition = self.checked_anew(&region, &asking, from, to);
        self.check.beginning = before;
        self.check.supports.clear();
        condition
    }

    /// The answer of a search: a known one, or that of a function, or a search of its own.
    pub(super) fn checked_anew(
        &mut self,
        region: &Rc<Region>,
        asking: &Lane,
        from: NodeId,
        to: NodeId,
    ) -> Result<Condition, Stop> {
        let anywhere =
            |places: Places| places.at(from).is_none_or(|place| asking.vars.get(place) == Some(&Store::Dead));
        let outline = std::mem::take(&mut self.check.outline) || self.function.style.size_optimised;
        let shared = outline && asking.dependants().is_empty();
        if shared && self.place_only(region, asking).is_none_or(anywhere) {
            if let Some(known) = self.known_answer(asking, from, to, Question::Holds)
                && let Some(&known) = known.first()
            {
                return Ok(Condition::Truth(known));
            }
            if let Some(truth) = self.by_call(region, asking, from, to)? {
                self.remember(asking, from, to, Question::Holds, vec![truth]);
                return Ok(Condition::Truth(truth));
            }
        }
        if (!self.function.keeper || self.check.nested > 1)
            && let Some(choices) = self.by_calls(region, asking, from, to)
        {
            return Ok(Condition::Choices(choices));
        }
        self.searched(region, asking, from, to)
    }

    /// The search itself.
    pub(super) fn searched(
        &mut self,
        region: &Rc<Region>,
        asking: &Lane,
        from: NodeId,
        to: NodeId,
    ) -> Result<Condition, Stop> {
        let mut asking = asking.clone();
        if self.check.recording.is_none()
            && let Some(places) = self.place_only(region, &asking)
            && !self.begins_at_one_place(region, &asking, from)
        {
            if let Some(place) = places.only() {
                if let Some(truth) = self.walked_along(region, &asking, place, from) {
                    return Ok(Condition::Truth(truth));
                }
                if let Some(truth) = self.walked_from_the_move(region, &asking, place, (from, to)) {
                    return Ok(Condition::Truth(truth));
                }
            }
            // In this block, so that what is found out is not forgotten.
            let depth = self.function.builder.depth();
            let condition = self.backward(region, &asking, &places, from, to);
            if !matches!(condition, Err(Stop::Choose | Stop::Split(_))) || asking.generator.is_some() {
                return condition;
            }
            // What has no form for all places at once may have one place by place.
            self.function.builder.unwind(depth);
            self.forget_closed();
        }
        let depends = !asking.dependants().is_empty();
        if depends && self.function.keeper && self.check.nested == 1 {
            // One of the choices at most is the keeper's: better to ask once for that one.
            return Err(Stop::Choose);
        }
        if !depends {
            asking.generator = None;
            asking.guard = self.function.builder.constant(1);
            asking.forget_choices();
            if let Some(known) = self.known_answer(&asking, from, to, Question::Holds) {
                return Ok(Condition::Truth(known.first().copied().unwrap_or(asking.guard)));
            }
            if let Some(found) = self.in_stages(region, &asking, from)? {
                self.remember(&asking, from, to, Question::Holds, vec![found]);
                return Ok(Condition::Truth(found));
            }
        }
        let pinned = asking.generator.as_ref().map(|generator| generator.id);
        self.function.pinned.extend(pinned);
        let exits = self.explore(region, vec![(from, asking.clone())]);
        if pinned.is_some() {
            self.function.pinned.pop();
        }
        let mut truth = self.function.builder.constant(0);
        let mut choices = self.function.builder.constant_set(Self::choice_words(&asking), []);
        for (exit, lane) in exits.map_err(Stop::Fail)? {
            match (exit, &lane.generator) {
                (Exit::Target, Some(generator)) if Some(generator.id) == pinned => {
                    choices = self.function.builder.either(&choices, &generator.set);
                }
                (Exit::Target, Some(generator)) => {
                    let set = generator.set.clone();
                    let any = self.is_any(&set);
                    truth = self.any_of(truth, any);
                }
                (Exit::Target, None) => truth = self.any_of(truth, lane.guard),
                _ => {}
            }
        }
        if pinned.is_some() {
            // Lanes that lost the choice on the way were walked for all of its elements together: not possible while it
            // is pinned.
            return Ok(Condition::Choices(choices));
        }
        self.remember(&asking, from, to, Question::Holds, vec![truth]);
        Ok(Condition::Truth(truth))
    }

    /// Whether a check holds at one place, from where walks only go along lines; `None` if it is another kind of check.
    fn walked_along(&mut self, region: &Rc<Region>, asking: &Lane, place: usize, from: NodeId) -> Option<Reg> {
        let at_one = matches!(asking.vars.get(place), Some(Store::Scalar(Val::Reg(_))));
        // Where room is scarce what is found out for all places at once serves others, too.
        let fits =
            !self.function.style.size_optimised && self.check.loops != Loops::Lines && asking.generator.is_none();
        if !at_one || !fits || !self.has_lines_only(region, asking, place) {
            return None;
        }
        let mut asking = asking.clone();
        asking.guard = self.function.builder.constant(1);
        asking.forget_choices();
        let loops = std::mem::replace(&mut self.check.loops, Loops::Lines);
        let found = self.attempt(|lifter| {
            let exits = lifter.explore(region, vec![(from, asking)])?;
            Ok::<_, Failure>(lifter.reached(&exits))
        });
        self.check.loops = loops;
        self.check.walked += usize::from(found.is_ok());
        found.ok()
    }

    /// Whether a check holds at the place that a move shows, from where walks go in all directions: what they come to is less
    /// than all from which the end can be reached. Elsewhere several places are asked about, so that all at once is better.
    fn walked_from_the_move(
        &mut self,
        region: &Rc<Region>,
        asking: &Lane,
        place: usize,
        (from, to): (NodeId, NodeId),
    ) -> Option<Reg> {
        let Some(&Store::Scalar(Val::Reg(at))) = asking.vars.get(place) else { return None };
        let once = self.function.keeper
            && self.check.nested == 1
            && asking.generator.is_none()
            && self.function.builder.confined(at).is_some();
        if !once || self.function.style.size_optimised || !region.cyclic.contains(&true) {
            return None;
        }
        let mut asking = asking.clone();
        asking.guard = self.function.builder.constant(1);
        asking.forget_choices();
        if let Some(known) = self.known_answer(&asking, from, to, Question::Holds) {
            return known.first().copied();
        }
        let loops = std::mem::replace(&mut self.check.loops, Loops::Whole);
        let found = self.attempt(|lifter| {
            let exits = lifter.explore(region, vec![(from, asking.clone())])?;
            Ok::<_, Failure>(lifter.reached(&exits))
        });
        self.check.loops = loops;
        let found = found.ok()?;
        self.remember(&asking, from, to, Question::Holds, vec![found]);
        Some(found)
    }

    /// Whether a check begins with going where a map has a value that it has at one place at most, or to a place that is the
    /// same for all choices.
    fn begins_at_one_place(&self, region: &Region, asking: &Lane, from: NodeId) -> bool {
        if !region.cyclic.contains(&true) {
            return false;
        }
        let only = |node: NodeId| {
            let edges = self.game.automaton.outgoing(node).iter().map(|&id| self.game.automaton.edge(id));
            let mut edges = edges.filter(|edge| region.contains(edge.target));
            edges.next().filter(|_| edges.next().is_none())
        };
        let mut node = from;
        for _ in 0..MAX_BEGINNING {
            let Some(edge) = only(node).filter(|_| region.goal != Goal::Check(node)) else { return false };
            match edge.label {
                Label::Skip | Label::AssignAny { .. } => node = edge.target,
                Label::Compare { lhs, rhs, negated: false } => {
                    return self.known.unique.compared(self.game, &self.known.numbers, node, lhs, rhs);
                }
                Label::Assign { lhs, rhs } => {
                    let mut same = true;
                    effects::variables(self.game, rhs, &mut |var| {
                        same &= !asking.depends(var.index()) && self.game.exprs.get(lhs) != Expr::Var(var);
                    });
                    return same;
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether some lane came to the end of a check.
    pub(super) fn reached(&mut self, exits: &[(Exit, Lane)]) -> Reg {
        let mut found = self.function.builder.constant(0);
        for (_, lane) in exits.iter().filter(|(exit, _)| *exit == Exit::Target) {
            let here = self.any_walk(&lane.walks());
            found = self.any_of(found, here);
        }
        found
    }

    pub(super) fn known_answer(&self, lane: &Lane, from: NodeId, to: NodeId, question: Question) -> Option<Vec<Reg>> {
        if self.check.recording.is_some() {
            // What was asked then is not known any more.
            return None;
        }
        let found = self.check.answers.iter().find(|answer| {
            answer.from == from
                && answer.to == to
                && answer.question == question
                && answer.vars == lane.vars
                && answer.facts.iter().all(|fact| lane.facts.contains(fact))
        });
        found.map(|answer| answer.answer.clone())
    }

    pub(super) fn remember(&mut self, lane: &Lane, from: NodeId, to: NodeId, question: Question, answer: Vec<Reg>) {
        if self.check.answers.len() == MAX_ANSWERS {
            return;
        }
        if self.check.recording.is_some() {
            return;
        }
        let depth = self.function.builder.depth();
        let (vars, facts) = (lane.vars.clone(), lane.facts.clone());
        self.check.answers.push(Answer { depth, from, to, vars, facts, question, answer });
    }
}

/// Whether a block is better skipped where it is not needed.
pub(super) fn takes_time(block: &Block) -> bool {
    let simple = |inst: &Inst| matches!(inst, Inst::Let { .. } | Inst::SideExit { .. });
    block.insts.len() > MAX_UNASKED || !block.insts.iter().all(simple)
}
