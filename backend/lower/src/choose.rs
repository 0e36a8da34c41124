//! Choices made one by one: the rest of a lane's walk as the body of a loop over its set.

use super::explore::Exit;
use super::lane::{Fact, Generator, Lane, Part, Pending, Sets, Store, Val};
use super::region::{Goal, Region};
use super::sets::Set;
use super::values::{Condition, Stop};
use super::{Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::{Label, NodeId};
use std::rc::Rc;
use wir::{Inst, Op, Reg};

/// Most loops inside each other.
const MAX_DEPTH: usize = 40;
/// How many steps ahead a check is looked for behind which a choice may be made.
const MAX_AHEAD: usize = 16;
/// From how many words on those without an element are left out.
const MANY_WORDS: usize = 3;

impl Lifter<'_> {
    /// The lane with its choice made: `element`. Its guard is left alone.
    pub(super) fn fixed(&mut self, lane: &Lane, element: Reg) -> Result<Lane, Stop> {
        let Some(generator) = &lane.generator else { return Ok(lane.clone()) };
        self.note_choice(generator);
        let mut fixed = lane.clone();
        fixed.generator = None;
        fixed.chosen.push((generator.id, element));
        let chosen = Val::Reg(element);
        let at = |lifter: &mut Self, value: &Val| match value {
            Val::Gen(map) => lifter.looked_up(map, &chosen),
            other => other.clone(),
        };
        for part in &mut fixed.label {
            if let Part::Value(value, _) = part {
                *value = at(self, value);
            }
        }
        let mut facts = Vec::with_capacity(fixed.facts.len());
        for fact in &fixed.facts {
            facts.push(Fact { index: at(self, &fact.index), ..fact.clone() });
        }
        for origin in fixed.origins.iter_mut().chain(&mut fixed.found) {
            origin.index = at(self, &origin.index);
        }
        for var in 0..fixed.vars.len() {
            let Some(store) = fixed.vars.get(var).cloned() else { continue };
            let new = match store {
                Store::Dead => Store::Dead,
                Store::Scalar(value) => Store::Scalar(at(self, &value)),
                Store::Cells(cells) => Store::Cells(cells.iter().map(|value| at(self, value)).collect()),
                Store::Sets(sets) if sets.pending.is_empty() => Store::Sets(sets),
                Store::Sets(sets) => {
                    // The writes happen now, on the map as it was before them.
                    let id = rg_ir::VarId::from_index(var);
                    // The facts are of the time after them; what a write replaces is noted with it.
                    facts.retain(|fact| fact.var != id);
                    let mut before = fixed.clone();
                    before.facts = Vec::new();
                    before.vars[var] = Store::Sets(Sets { of: sets.of, pending: Rc::from([]) });
                    for Pending { index, value, old } in sets.pending.iter() {
                        let (index, value) = (self.looked_up(index, &chosen), at(self, value));
                        if let Some(value) = *old {
                            before.facts.push(Fact { var: id, index: index.clone(), value });
                        }
                        self.write(&mut before, id, Some(index), value)?;
                    }
                    facts.extend(before.facts.into_iter().filter(|fact| fact.var == id));
                    before.vars.swap_remove(var)
                }
            };
            if let Some(slot) = fixed.vars.get_mut(var) {
                *slot = new;
            }
        }
        fixed.facts = facts;
        Ok(fixed)
    }

    /// Runs `body` for every element of a set with some values carried from one round to the next.
    pub(super) fn for_each(
        &mut self,
        set: &Set,
        carried: Vec<Reg>,
        body: impl FnOnce(&mut Self, Reg, &[Reg]) -> Result<Vec<Reg>, Failure>,
    ) -> Result<Vec<Reg>, Failure> {
        if self.function.builder.depth() > MAX_DEPTH {
            return Err(Failure::new("choices nest too deep"));
        }
        let params: Vec<Reg> = carried.iter().map(|_| self.function.builder.fresh()).collect();
        let pairs = params.iter().copied().zip(carried.iter().copied());
        let possible =
            set.iter().rposition(|&word| self.function.builder.possible_bits(word) != 0).map_or(1, |last| last + 1);
        let set: Set = set.iter().take(possible).copied().collect();
        if let [word] = set[..] {
            let item = self.function.builder.fresh();
            self.open();
            let next = body(self, item, &params)?;
            let block = self.close(next);
            let to: Vec<Reg> = params.iter().map(|_| self.function.builder.fresh()).collect();
            self.function.builder.push(Inst::Each {
                set: word,
                item,
                carried: pairs.collect(),
                body: block,
                to: to.clone(),
            });
            return Ok(to);
        }
        // Word by word: the loop over the words is around the one over the bits.
        let count = set.len();
        if count >= 64 {
            return Err(Failure::new("a choice is of too many values"));
        }
        let numbers = self.words_with_any(&set);
        let number = self.function.builder.fresh();
        self.function.builder.bound(number, (count as u64).next_power_of_two() - 1);
        self.open();
        let mut word = set.first().copied().unwrap_or(number);
        for (i, &other) in set.iter().enumerate().skip(1) {
            let i = self.function.builder.constant(i as u64);
            let here = self.function.builder.op(Op::Eq(number, i));
            word = self.function.builder.op(Op::Select(here, other, word));
        }
        let first = self.function.builder.op(Op::ShlBy(number, 6));
        let bit = self.function.builder.fresh();
        self.function.builder.bound(bit, 63);
        let inner: Vec<Reg> = carried.iter().map(|_| self.function.builder.fresh()).collect();
        self.open();
        let item = self.function.builder.or(first, bit);
        let next = body(self, item, &inner)?;
        let block = self.close(next);
        let to: Vec<Reg> = inner.iter().map(|_| self.function.builder.fresh()).collect();
        let carried = inner.into_iter().zip(params.iter().copied()).collect();
        self.function.builder.push(Inst::Each { set: word, item: bit, carried, body: block, to: to.clone() });
        let block = self.close(to);
        let to: Vec<Reg> = params.iter().map(|_| self.function.builder.fresh()).collect();
        self.function.builder.push(Inst::Each {
            set: numbers,
            item: number,
            carried: pairs.collect(),
            body: block,
            to: to.clone(),
        });
        Ok(to)
    }

    /// The numbers of the words of a set that are to be looked at, a bit each: those with an element, if there are many.
    fn words_with_any(&mut self, set: &Set) -> Reg {
        if set.len() < MANY_WORDS {
            return self.function.builder.constant((1 << set.len()) - 1);
        }
        let zero = self.function.builder.constant(0);
        let mut numbers = zero;
        for (&word, number) in set.iter().zip(0..) {
            let any = self.function.builder.op(Op::Ne(word, zero));
            let bit = self.function.builder.op(Op::ShlBy(any, number));
            numbers = self.function.builder.or(numbers, bit);
        }
        numbers
    }

    /// Walks on from a node with the lane's choice made, choice by choice. Moves are emitted on the way.
    pub(super) fn choose(
        &mut self,
        region: &Rc<Region>,
        node: NodeId,
        lane: Lane,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        let failed = |reason| Failure::new(reason).at(self.game.node_name(node));
        let Some(generator) = lane.generator.clone() else { return Err(failed("an expression has no form here")) };
        let stopped = |stop| match stop {
            Stop::Fail(failure) => failure,
            Stop::Choose | Stop::Split(_) => failed("a choice cannot be made here"),
        };
        if region.header.is_some() && region.goal != Goal::Keeper {
            return Err(failed("a choice is made in a loop"));
        }
        match region.goal {
            Goal::Moves if self.function.singles.contains(&generator.id) => {
                let guard = self.is_any(&generator.set);
                let lane = self.single(lane).ok_or_else(|| failed("a choice cannot be made here"))?;
                self.function.free.insert(generator.id);
                self.explore(region, vec![(node, Lane { guard, ..lane })])
            }
            Goal::Moves => {
                self.for_each(&generator.set, Vec::new(), |lifter, element, _| {
                    let mut fixed = lifter.fixed(&lane, element).map_err(stopped)?;
                    fixed.guard = lifter.function.builder.constant(1);
                    lifter.explore(region, vec![(node, fixed)])?;
                    Ok(Vec::new())
                })?;
                Ok(Vec::new())
            }
            Goal::Check(_) => {
                let words = generator.set.len();
                let pinned = self.function.pinned.contains(&generator.id);
                let zero = self.function.builder.constant(0);
                let carried = vec![zero; if pinned { words } else { 1 }];
                let found = self.for_each(&generator.set, carried, |lifter, element, carried| {
                    let mut fixed = lifter.fixed(&lane, element).map_err(stopped)?;
                    fixed.guard = lifter.function.builder.constant(1);
                    let exits = lifter.explore(region, vec![(node, fixed)])?;
                    let reached = lifter.reached(&exits);
                    if !pinned {
                        return Ok(carried.iter().map(|&old| lifter.function.builder.or(old, reached)).collect());
                    }
                    let bit = lifter.function.builder.bit(element, words);
                    let bit = lifter.function.builder.when(reached, &bit);
                    Ok(carried
                        .iter()
                        .zip(bit.iter())
                        .map(|(&old, &new)| lifter.function.builder.or(old, new))
                        .collect())
                })?;
                let mut reached = lane;
                for slot in &mut reached.vars {
                    *slot = Store::Dead;
                }
                reached.facts.clear();
                if pinned {
                    reached.generator = Some(Generator { id: generator.id, set: found.into() });
                } else {
                    reached.generator = None;
                    reached.guard = found.first().copied().unwrap_or(zero);
                }
                Ok(vec![(Exit::Target, reached)])
            }
            Goal::Keeper => {
                let lane = self.single(lane).ok_or_else(|| failed("the keeper has a choice"))?;
                self.explore(region, vec![(node, lane)])
            }
        }
    }

    /// Whether a choice is better made later: the only way from a node leads to checks, or all ways are checks that are
    /// answered for all choices of a lane at once, without going round.
    pub(super) fn checks_first(&mut self, node: NodeId, lane: &Lane) -> bool {
        if self.check.recording.is_some() || self.function.style.size_optimised {
            return false;
        }
        let automaton = &self.game.automaton;
        let mut last = node;
        for _ in 0..MAX_AHEAD {
            let &[only] = automaton.outgoing(last) else { break };
            let edge = automaton.edge(only);
            if self.game.ends_move(&edge.label)
                || !matches!(edge.label, Label::Skip | Label::Assign { .. } | Label::Tag(_) | Label::TagVar(_))
            {
                return false;
            }
            last = edge.target;
        }
        if last == node {
            return self.checks_at_once(node, lane);
        }
        let ways = automaton.outgoing(last);
        let short = |lifter: &mut Self, id| match lifter.game.automaton.edge(id).label {
            Label::Reach { from, to, .. } => lifter.region(Goal::Check(to), from).is_acyclic(),
            _ => false,
        };
        ways.len() > 1 && ways.iter().all(|&id| short(self, id))
    }

    /// See [`Lifter::checks_first`].
    fn checks_at_once(&mut self, node: NodeId, lane: &Lane) -> bool {
        let game = self.game;
        game.automaton.outgoing(node).iter().all(|&id| {
            let Label::Reach { from, to, .. } = game.automaton.edge(id).label else { return false };
            if !self.region(Goal::Check(to), from).is_acyclic() {
                return false;
            }
            let depth = self.function.builder.depth();
            self.open();
            let answer = self.check(lane, from, to);
            self.function.builder.unwind(depth + 1);
            let block = self.close(Vec::new());
            let straight = block.insts.iter().all(|inst| matches!(inst, Inst::Let { .. }));
            let at_once = straight && matches!(answer, Ok(Condition::Choices(_)));
            if at_once {
                self.function.builder.splice(block);
            }
            at_once
        })
    }

    /// Begins a block.
    pub(super) fn open(&mut self) {
        self.function.builder.open();
    }

    /// Ends a block: what was found out inside it is forgotten.
    pub(super) fn close(&mut self, yields: Vec<Reg>) -> wir::Block {
        let block = self.function.builder.close(yields);
        self.forget_closed();
        block
    }

    /// Forgets what was found out in blocks that are closed.
    pub(super) fn forget_closed(&mut self) {
        let depth = self.function.builder.depth();
        self.check.answers.retain(|answer| answer.depth <= depth);
        self.forget_supports();
        self.function.emitted.retain(|emitted| emitted.depth <= depth);
    }

    /// Tries something: what it builds stays only if it succeeds.
    pub(super) fn attempt<T, E>(&mut self, what: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        let depth = self.function.builder.depth();
        self.open();
        let result = what(self);
        match &result {
            Ok(_) => {
                let block = self.close(Vec::new());
                self.function.builder.splice(block);
            }
            Err(_) => {
                self.function.builder.unwind(depth + 1);
                self.close(Vec::new());
            }
        }
        result
    }

    /// Notes which elements a choice can be of.
    fn note_choice(&mut self, generator: &Generator) {
        let at = generator.id as usize;
        if self.function.elements.len() <= at {
            self.function.elements.resize(at + 1, Vec::new());
        }
        let Some(slot) = self.function.elements.get_mut(at) else { return };
        slot.resize(slot.len().max(generator.set.len()), 0);
        for (bits, &word) in slot.iter_mut().zip(generator.set.iter()) {
            *bits |= self.function.builder.possible_bits(word);
        }
    }

    /// The number of bits that hold numbers below `size`.
    pub(super) fn bits(size: usize) -> u32 {
        usize::BITS - size.saturating_sub(1).leading_zeros()
    }

    /// `a << shift | b`.
    pub(super) fn packed(&mut self, a: Reg, b: Reg, shift: u32) -> Reg {
        let moved = self.function.builder.op(Op::ShlBy(b, shift));
        self.function.builder.or(a, moved)
    }
}
