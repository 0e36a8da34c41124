//! Loops: fixed points of sets of positions, and loops of one walk.

use super::explore::Exit;
use super::lane::{Generator, Lane, Sets, Store, Val};
use super::region::{Goal, Region};
use super::sets::Set;
use super::{Failure, Lifter};
use crate::ir::{Block, Inst, Op, Reg};
use rg_ir::ids::Id;
use rg_ir::{Label, NodeId, VarId};
use std::rc::Rc;

/// Most rounds of a loop of one walk before the case is given back.
const MAX_ROUNDS: u64 = 4096;

impl Lifter<'_> {
    /// Walks a component that is a cycle, from lanes at its nodes, and returns how they leave it.
    pub(super) fn round(
        &mut self,
        region: &Rc<Region>,
        component: usize,
        lanes: Vec<(NodeId, Lane)>,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        let Some(header) = self.header(region, component, &lanes) else { return Ok(Vec::new()) };
        let inside = Rc::new(region.inside(self.game, component, header));
        let (mut at_header, mut exits) = (Vec::new(), Vec::new());
        let elsewhere: Vec<(NodeId, Lane)> = lanes
            .into_iter()
            .filter_map(|(node, lane)| {
                if node == header {
                    at_header.push(lane);
                    return None;
                }
                Some((node, lane))
            })
            .collect();
        for (exit, lane) in self.explore(&inside, elsewhere)? {
            if exit == Exit::Back { at_header.push(lane) } else { exits.push((exit, lane)) }
        }
        let moving = self.assigned_inside(region, component);
        let at_header = self.merged(&inside, header, at_header)?;
        for lane in at_header {
            if moving == Some(None) {
                // Going round changes nothing.
                let once = self.explore(&inside, vec![(header, lane)])?;
                exits.extend(once.into_iter().filter(|(exit, _)| *exit != Exit::Back));
                continue;
            }
            if let Some(Some(var)) = moving
                && let Some(lane) = self.rebased(&lane, var)
            {
                exits.extend(self.flood(&inside, header, lane, var)?);
            } else if lane.generator.is_none() && region.goal != Goal::Moves {
                exits.extend(self.wander(&inside, region, component, header, lane)?);
            } else if lane.generator.is_some() && region.header.is_none() {
                let chosen = self.choose(region, header, lane)?;
                exits.extend(chosen);
            } else {
                return Err(Failure::new("a loop does more than move a position").at(self.game.node_name(header)));
            }
        }
        Ok(exits)
    }

    /// A node of the component without which it is no cycle, if there is one; where lanes are, if possible.
    fn header(&self, region: &Region, component: usize, lanes: &[(NodeId, Lane)]) -> Option<NodeId> {
        let members = region.members.get(component)?;
        let candidates = lanes.iter().map(|(node, _)| node).chain(members);
        let mut tried: Vec<NodeId> = Vec::new();
        for &node in candidates {
            if tried.contains(&node) {
                continue;
            }
            if region.inside(self.game, component, node).is_acyclic() {
                return Some(node);
            }
            tried.push(node);
            if tried.len() > 16 {
                break;
            }
        }
        lanes.first().map(|&(node, _)| node)
    }

    /// The only variable that the loop assigns to (`Some(None)` if none is), if it does nothing else than that and
    /// testing; `None` if it does.
    fn assigned_inside(&self, region: &Region, component: usize) -> Option<Option<usize>> {
        let mut moving = None;
        for &node in region.members.get(component)? {
            for &id in self.game.automaton.outgoing(node) {
                let edge = self.game.automaton.edge(id);
                if region.component.get(&edge.target) != Some(&component) {
                    continue;
                }
                match edge.label {
                    Label::Skip | Label::Compare { .. } | Label::Reach { .. } => {}
                    Label::Assign { lhs, .. } => {
                        let (rg_ir::Expr::Var(var), keys) = super::numbers::path(self.game, lhs) else { return None };
                        if !keys.is_empty() || moving.is_some_and(|moving| moving != var.index()) {
                            return None;
                        }
                        moving = Some(var.index());
                    }
                    Label::Tag(_) | Label::TagVar(_) if region.goal != Goal::Moves => {}
                    Label::Tag(_) | Label::TagVar(_) | Label::AssignAny { .. } => return None,
                }
            }
        }
        Some(moving)
    }

    /// All places that a loop can take a position to: the lane's generator is the position.
    fn flood(
        &mut self,
        inside: &Rc<Region>,
        header: NodeId,
        lane: Lane,
        var: usize,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        let Some(generator) = lane.generator.clone() else { return Ok(Vec::new()) };
        let words = generator.set.len();
        // New places, then all places.
        let initial: Vec<Reg> = generator.set.iter().chain(generator.set.iter()).copied().collect();
        let last = self.fixpoint(initial, |lifter, carried| {
            let (new, all) = carried.split_at(words);
            let mut lane = lane.clone();
            lane.facts.clear();
            lane.generator = Some(Generator { id: generator.id, set: new.into() });
            let mut reached = lifter.builder.constant_set(words, []);
            for (exit, mut back) in lifter.explore(inside, vec![(header, lane)])? {
                if exit != Exit::Back {
                    continue;
                }
                lifter.bury(&mut back, header);
                let back =
                    lifter.rebased(&back, var).ok_or_else(|| Failure::new("a loop moves more than one thing"))?;
                let places = back.generator.map(|generator| generator.set);
                let places = places.ok_or_else(|| Failure::new("a loop moves nothing"))?;
                reached = lifter.builder.either(&reached, &places);
            }
            let all: Set = all.into();
            let new = lifter.builder.minus(&reached, &all);
            let all = lifter.builder.either(&all, &new);
            let more = lifter.builder.any(&new);
            Ok((more, new.iter().chain(all.iter()).copied().collect()))
        })?;
        let all: Set = last.iter().skip(words).copied().collect();
        let mut lane = lane;
        lane.facts.clear();
        lane.generator = Some(Generator { id: generator.id, set: all });
        let exits = self.explore(inside, vec![(header, lane)])?;
        Ok(exits.into_iter().filter(|(exit, _)| *exit != Exit::Back).collect())
    }

    /// A loop that goes on while the first result of `step` is not 0. Words that are and stay 0 are not carried.
    pub(super) fn fixpoint(
        &mut self,
        initial: Vec<Reg>,
        mut step: impl FnMut(&mut Self, &[Reg]) -> Result<(Reg, Vec<Reg>), Failure>,
    ) -> Result<Vec<Reg>, Failure> {
        let mut nothing: Vec<bool> = initial.iter().map(|&reg| self.builder.constant_of(reg) == Some(0)).collect();
        if nothing.iter().all(|&nothing| nothing) {
            return Ok(initial);
        }
        loop {
            let params: Vec<Option<Reg>> =
                nothing.iter().map(|&nothing| (!nothing).then(|| self.builder.fresh())).collect();
            self.open();
            let zero = self.builder.constant(0);
            let carried: Vec<Reg> = params.iter().map(|param| param.unwrap_or(zero)).collect();
            let (more, next) = step(self, &carried)?;
            let mut wrong = false;
            for (nothing, &next) in nothing.iter_mut().zip(&next) {
                if *nothing && self.builder.constant_of(next) != Some(0) {
                    (*nothing, wrong) = (false, true);
                }
            }
            let kept = params.iter().zip(&next).filter(|(param, _)| param.is_some()).map(|(_, &next)| next);
            let yields = [more].into_iter().chain(kept).collect();
            let body = self.close(yields);
            if wrong {
                continue;
            }
            let carried: Vec<(Reg, Reg)> =
                params.iter().zip(&initial).filter_map(|(param, &first)| Some(((*param)?, first))).collect();
            let to: Vec<Reg> = carried.iter().map(|_| self.builder.fresh()).collect();
            self.builder.push(Inst::Loop { carried, body, to: to.clone() });
            let mut to = to.into_iter();
            let zero = self.builder.constant(0);
            return Ok(params.iter().map(|param| param.and_then(|_| to.next()).unwrap_or(zero)).collect());
        }
    }

    /// A loop of one walk: everything it writes is carried; it may leave in one way only.
    fn wander(
        &mut self,
        inside: &Rc<Region>,
        region: &Rc<Region>,
        component: usize,
        header: NodeId,
        lane: Lane,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        let written = self.written_inside(region, component)?;
        let mut before = lane.clone();
        before.facts.retain(|fact| !written.contains(&fact.var));
        // What is dead at the header has some value all the same: it is carried on leaving.
        let shape = self.shape_of(&written);
        let one = self.builder.constant(1);
        let zero = self.builder.constant(0);
        let initial = self.flat(&before, &shape)?;
        self.open();
        let count = self.builder.fresh();
        let params: Vec<Reg> = initial.iter().map(|_| self.builder.fresh()).collect();
        let mut start = before.clone();
        start.guard = one;
        self.unflat(&mut start, &shape, &params);
        self.bury(&mut start, header);
        let mut back: Option<Lane> = None;
        let mut leaving: Vec<(Exit, Lane)> = Vec::new();
        for (exit, lane) in self.explore(inside, vec![(header, start)])? {
            let Some(lane) = self.single(lane) else {
                return Err(Failure::new("a loop makes a choice").at(self.game.node_name(header)));
            };
            let same = if exit == Exit::Back {
                &mut back
            } else {
                match leaving.iter().position(|(other, _)| *other == exit) {
                    Some(at) => {
                        let (_, other) = leaving.swap_remove(at);
                        leaving.push((exit, self.multiplex(other, lane)));
                        continue;
                    }
                    None => {
                        leaving.push((exit, lane));
                        continue;
                    }
                }
            };
            *same = Some(match same.take() {
                Some(other) => self.multiplex(other, lane),
                None => lane,
            });
        }
        let (go_on, next) = match &back {
            Some(back) => (back.guard, self.flat(back, &shape)?),
            None => (zero, params.clone()),
        };
        let mut results = Vec::new();
        let mut any = zero;
        for (_, lane) in &leaving {
            let both = self.builder.and(any, lane.guard);
            self.builder.bail(both);
            any = self.builder.or(any, lane.guard);
            results.push(lane.guard);
            results.extend(self.flat(lane, &shape)?);
        }
        let both = self.builder.and(any, go_on);
        self.builder.bail(both);
        let limit = self.builder.constant(MAX_ROUNDS);
        let endless = self.builder.op(Op::Eq(count, limit));
        self.builder.bail(endless);
        let rounds = self.builder.op(Op::Add(count, one));
        let yields: Vec<Reg> = [go_on, rounds].into_iter().chain(next).chain(results.iter().copied()).collect();
        let body = self.close(yields);
        // The loop runs only if the walk comes here.
        self.open();
        let zero_inside = self.builder.constant(0);
        let extra: Vec<(Reg, Reg)> = results.iter().map(|_| (self.builder.fresh(), zero_inside)).collect();
        let carried: Vec<(Reg, Reg)> = [(count, zero_inside)]
            .into_iter()
            .chain(params.iter().copied().zip(initial.iter().copied()))
            .chain(extra)
            .collect();
        let to: Vec<Reg> = carried.iter().map(|_| self.builder.fresh()).collect();
        self.builder.push(Inst::Loop { carried, body, to: to.clone() });
        let then = self.close(to.into_iter().skip(1 + params.len()).collect());
        self.open();
        let zero_inside = self.builder.constant(0);
        let other = self.close(vec![zero_inside; results.len()]);
        let outcome = self.branch(before.guard, then, other);
        let mut outcome = outcome.as_slice();
        let mut exits = Vec::new();
        for (exit, mut lane) in leaving {
            let Some((&guard, rest)) = outcome.split_first() else { break };
            let (values, rest) = rest.split_at(initial.len().min(rest.len()));
            outcome = rest;
            let labels = before.label.clone();
            let (path, chosen) = (lane.path, before.chosen.clone());
            // What the loop did not write is as before; what it computed inside is only known there.
            let dead: Vec<usize> =
                (0..lane.vars.len()).filter(|&var| lane.vars.get(var) == Some(&Store::Dead)).collect();
            lane = before.clone();
            (lane.label, lane.path, lane.chosen, lane.guard) = (labels, path, chosen, guard);
            self.unflat(&mut lane, &shape, values);
            for var in dead {
                if let Some(slot) = lane.vars.get_mut(var) {
                    *slot = Store::Dead;
                }
            }
            for &var in &written {
                if !lane.written.contains(&var) {
                    lane.written.push(var);
                }
            }
            exits.push((exit, lane));
        }
        Ok(exits)
    }

    /// `if cond { then } else { other }`, without a test where there is nothing to decide.
    fn branch(&mut self, cond: Reg, then: Block, other: Block) -> Vec<Reg> {
        self.builder.if_else(cond, then, other)
    }

    fn written_inside(&self, region: &Region, component: usize) -> Result<Vec<VarId>, Failure> {
        let mut written = Vec::new();
        for &node in region.members.get(component).map_or(&[][..], |members| members) {
            for &id in self.game.automaton.outgoing(node) {
                let edge = self.game.automaton.edge(id);
                if region.component.get(&edge.target) != Some(&component) && !region.contains(edge.target) {
                    // The end of the search: its write is carried, too.
                    if !super::region::ends(self.game, region.goal, &edge.label, edge.target) {
                        continue;
                    }
                }
                if let Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } = edge.label
                    && let (rg_ir::Expr::Var(var), _) = super::numbers::path(self.game, lhs)
                    && !written.contains(&var)
                {
                    written.push(var);
                }
            }
        }
        Ok(written)
    }

    /// The registers it takes to hold variables: per variable the kind of its store.
    pub(super) fn shape_of(&mut self, vars: &[VarId]) -> Vec<(VarId, Shape)> {
        vars.iter()
            .filter_map(|&var| {
                let store = self.blank.get(var.index())?;
                Some((
                    var,
                    match store {
                        Store::Dead => return None,
                        Store::Scalar(_) => Shape::Scalar,
                        Store::Cells(cells) => Shape::Cells(cells.len()),
                        Store::Sets(sets) => Shape::Sets(sets.of.iter().map(|set| set.len()).collect()),
                    },
                ))
            })
            .collect()
    }

    /// The values of variables as registers; what is dead is 0.
    pub(super) fn flat(&mut self, lane: &Lane, shape: &[(VarId, Shape)]) -> Result<Vec<Reg>, Failure> {
        let choice = || Failure::new("a loop makes a choice");
        let mut regs = Vec::new();
        let zero = self.builder.constant(0);
        for (var, shape) in shape {
            let store = lane.vars.get(var.index());
            match (shape, store) {
                (Shape::Scalar, Some(Store::Scalar(value))) => {
                    regs.push(value.reg(&mut self.builder).ok_or_else(choice)?);
                }
                (Shape::Cells(_), Some(Store::Cells(cells))) => {
                    for cell in cells.iter() {
                        regs.push(cell.reg(&mut self.builder).ok_or_else(choice)?);
                    }
                }
                (Shape::Sets(_), Some(Store::Sets(sets))) if sets.pending.is_empty() => {
                    regs.extend(sets.of.iter().flat_map(|set| set.iter()));
                }
                (Shape::Scalar, _) => regs.push(zero),
                (Shape::Cells(len), _) => regs.extend(std::iter::repeat_n(zero, *len)),
                (Shape::Sets(words), _) => regs.extend(std::iter::repeat_n(zero, words.iter().sum())),
            }
        }
        Ok(regs)
    }

    /// The inverse of [`Lifter::flat`].
    pub(super) fn unflat(&mut self, lane: &mut Lane, shape: &[(VarId, Shape)], mut regs: &[Reg]) {
        let mut take = |count: usize| {
            let (first, rest) = regs.split_at(count.min(regs.len()));
            regs = rest;
            first
        };
        for (var, shape) in shape {
            let store = match shape {
                Shape::Scalar => Store::Scalar(take(1).first().map_or(Val::Const(0), |&reg| Val::Reg(reg))),
                Shape::Cells(len) => Store::Cells(take(*len).iter().map(|&reg| Val::Reg(reg)).collect()),
                Shape::Sets(words) => Store::Sets(Sets {
                    of: words.iter().map(|&words| take(words).into()).collect(),
                    pending: Rc::from([]),
                }),
            };
            if let Some(slot) = lane.vars.get_mut(var.index()) {
                *slot = store;
            }
        }
    }

    /// The lane as one walk: in a search that can have one outcome only, the one choice that is left is taken.
    pub(super) fn single(&mut self, mut lane: Lane) -> Option<Lane> {
        let Some(generator) = lane.generator.clone() else { return Some(lane) };
        if self.drop_generator(&mut lane) {
            return Some(lane);
        }
        if self.pinned.contains(&generator.id) {
            return None;
        }
        let several = self.several(&generator.set);
        self.builder.bail(several);
        let guard = self.builder.any(&generator.set);
        let element = self.builder.lowest(&generator.set);
        let mut lane = self.fixed(&lane, element).ok()?;
        lane.guard = guard;
        Some(lane)
    }

    /// Whether a set has more than one element.
    pub(super) fn several(&mut self, set: &Set) -> Reg {
        let bits: u32 = set.iter().map(|&word| self.builder.possible_bits(word).count_ones()).sum();
        if bits < 2 {
            return self.builder.constant(0);
        }
        let one = self.builder.constant(1);
        let zero = self.builder.constant(0);
        if let [word] = set[..] {
            let less = self.builder.op(Op::Sub(word, one));
            let rest = self.builder.and(word, less);
            return self.builder.op(Op::Ne(rest, zero));
        }
        let mut count = zero;
        for &word in set.iter() {
            let bits = self.builder.op(Op::Count(word));
            count = self.builder.op(Op::Add(count, bits));
        }
        self.builder.op(Op::Less(one, count))
    }

    /// Makes one lane of lanes without choices of which at most one can be walked; where `only` one outcome is possible at
    /// all, that is taken for granted.
    pub(super) fn multiplexed(&mut self, lanes: Vec<Lane>, only: bool) -> Vec<Lane> {
        let mut result: Vec<Lane> = Vec::new();
        for lane in lanes {
            let fits = |other: &Lane| {
                let plain = lane.generator.is_none() && other.generator.is_none();
                plain && (only || (lane.excludes(other) && lane.chosen == other.chosen))
            };
            match result.iter().position(fits) {
                Some(at) => {
                    let other = result.swap_remove(at);
                    result.push(self.multiplex(other, lane));
                }
                None => result.push(lane),
            }
        }
        result
    }

    /// Two walks without choices, of which at most one is possible, as one.
    pub(super) fn multiplex(&mut self, a: Lane, b: Lane) -> Lane {
        let mut lane = a.clone();
        lane.common_facts(&b);
        let both = self.builder.and(a.guard, b.guard);
        let differ = a.vars != b.vars;
        if (differ || self.strict && self.nested == 0) && !a.excludes(&b) {
            self.builder.bail(both);
        }
        lane.guard = self.builder.or(a.guard, b.guard);
        for (slot, other) in lane.vars.iter_mut().zip(&b.vars) {
            let builder = &mut self.builder;
            let mut value = |x: &Val, y: &Val| {
                if x == y {
                    return Some(x.clone());
                }
                let (x, y) = (x.reg(builder)?, y.reg(builder)?);
                Some(Val::Reg(builder.op(Op::Select(b.guard, y, x))))
            };
            let mixed = match (&*slot, other) {
                (x, y) if x == y => continue,
                (Store::Scalar(x), Store::Scalar(y)) => value(x, y).map(Store::Scalar),
                (Store::Cells(x), Store::Cells(y)) => {
                    let cells: Option<Rc<[Val]>> = x.iter().zip(y.iter()).map(|(x, y)| value(x, y)).collect();
                    cells.map(Store::Cells)
                }
                (Store::Sets(x), Store::Sets(y)) => {
                    let mut of = Vec::with_capacity(x.of.len());
                    for (x, y) in x.of.iter().zip(y.of.iter()) {
                        let words = x.iter().zip(y.iter()).map(|(&x, &y)| match x == y {
                            true => x,
                            false => self.builder.op(Op::Select(b.guard, y, x)),
                        });
                        of.push(words.collect::<Set>());
                    }
                    Some(Store::Sets(Sets { of: of.into(), pending: Rc::from([]) }))
                }
                _ => None,
            };
            *slot = mixed.unwrap_or(Store::Dead);
        }
        lane
    }
}

/// See [`Lifter::shape_of`].
pub(super) enum Shape {
    Scalar,
    Cells(usize),
    Sets(Vec<usize>),
}
