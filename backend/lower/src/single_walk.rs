//! Loops that one walk goes round, and loops whose rounds have code of their own.

use super::explore::Exit;
use super::lane::{Lane, Store, Val};
use super::numbers::path;
use super::region::{Goal, Region};
use super::{Failure, Lifter};
use passes::effects;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Label, NodeId, Symbol, VarId};
use std::rc::Rc;
use wir::{Block, Inst, Op, Reg};

/// Most rounds of a loop of one walk before a side exit is taken.
const MAX_ROUNDS: u64 = 4096;
/// Most rounds of a loop that have code of their own: where walks part on the way, and where only one goes round.
const MAX_UNROLLED: usize = 2;
const MAX_UNROLLED_LINE: usize = 15;
/// Most places of a line that is walked place by place: the bits of a word, and one off the board.
const MAX_PLACES: usize = 65;

/// Which loops are walked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ways {
    /// Those that one walk goes round as far as plays usually go; where it could go on in two ways, a side exit is taken.
    Usual,
    /// Those of which it is known that a walk cannot go on in two ways.
    Proven,
}

/// Rounds of a loop that have code of their own.
#[derive(Clone, Copy)]
pub(super) struct Rounds {
    taken: usize,
    most: usize,
}

impl Rounds {
    /// Before the first one.
    pub(super) const NONE: Self = Self { taken: 0, most: MAX_UNROLLED_LINE };

    /// After one more from which so many lanes go round; where those part, there are `most` rounds.
    fn next(self, lanes: usize, most: usize) -> Self {
        Self { taken: self.taken + 1, most: if lanes > 1 { self.most.min(most) } else { self.most } }
    }
}

/// The lane that goes round a loop once more, and those that leave it.
type BackAndLeaving = (Option<Lane>, Vec<(Exit, Lane)>);

impl Lifter<'_> {
    /// A loop that takes the only walk in a lane along a line, and cannot leave it at two places: a place is carried instead
    /// of the set of all that are reached. It is closed later ([`wir_opt`]), so this is less code. `None` if
    /// this is no such loop.
    pub(super) fn along(
        &mut self,
        inside: &Rc<Region>,
        region: &Rc<Region>,
        component: usize,
        header: NodeId,
        lane: &Lane,
        var: usize,
    ) -> Result<Option<Vec<(Exit, Lane)>>, Failure> {
        let Some(&Store::Scalar(Val::Reg(place))) = lane.vars.get(var) else { return Ok(None) };
        // Moves are made once more edge by edge, and so do not go round a loop. What is tried counts, too: it is too much
        // where room is scarce.
        let searched = region.goal != Goal::Moves && self.check.recording.is_none();
        let possible = lane.generator.is_none() && searched && !self.function.style.size_optimised;
        if !possible || !self.parts_once(region, component, lane, var) {
            return Ok(None);
        }
        if self.is_wide(var) {
            return Ok(self.furthest(inside, header, lane, var, place));
        }
        let Some(rebased) = self.rebased(lane, var) else { return Ok(None) };
        if self.line(inside, header, &rebased, var).is_none() {
            return Ok(None);
        }
        let depth = self.function.builder.depth();
        self.open();
        let walked = self.single_walk(inside, region, component, header, lane.clone(), Ways::Proven);
        if let Ok(Some(walked)) = walked {
            let block = self.close(Vec::new());
            self.function.builder.splice(block);
            return Ok(Some(walked));
        }
        self.function.builder.unwind(depth);
        self.forget_closed();
        Ok(None)
    }

    /// Whether a search has loops, all of them of this kind as far as the automaton shows.
    pub(super) fn has_lines_only(&self, region: &Region, lane: &Lane, var: usize) -> bool {
        let mut cyclic = (0..region.members.len()).filter(|&at| region.cyclic.get(at) == Some(&true)).peekable();
        cyclic.peek().is_some() && cyclic.all(|component| self.parts_once(region, component, lane, var))
    }

    /// Whether a position has more values than a loop that carries a place is closed for.
    fn is_wide(&self, var: usize) -> bool {
        let form = self.known.numbers.vars.get(Id::from_index(var)).and_then(|form| form.as_ref().ok());
        form.is_none_or(|form| self.known.numbers.size(form.class) > MAX_PLACES)
    }

    /// Whether walks through a component that moves a position part at one node only, as far as the automaton shows.
    fn parts_once(&self, region: &Region, component: usize, lane: &Lane, var: usize) -> bool {
        if self.is_wide(var) { self.leaves_once(region, component) } else { self.forks_once(region, component, lane) }
    }

    /// Whether walks through a component part at one node only: they go on or leave there.
    fn leaves_once(&self, region: &Region, component: usize) -> bool {
        let mut forks = 0;
        for &node in region.members.get(component).map_or(&[][..], |members| members) {
            let edges = self.game.automaton.outgoing(node).iter().map(|&id| self.game.automaton.edge(id).target);
            let inside = |target: &NodeId| region.component.get(target) == Some(&component);
            let (on, out): (Vec<_>, Vec<_>) = edges.filter(|&target| region.contains(target)).partition(inside);
            if on.len() > 1 {
                return false;
            }
            forks += usize::from(!out.is_empty());
        }
        forks == 1
    }

    /// Whether walks through a component part at one node only, by the value that something has.
    fn forks_once(&self, region: &Region, component: usize, lane: &Lane) -> bool {
        let mut forks = 0;
        for &node in region.members.get(component).map_or(&[][..], |members| members) {
            let edges = self.game.automaton.outgoing(node).iter().map(|&id| self.game.automaton.edge(id));
            let edges: Vec<_> = edges.filter(|edge| region.contains(edge.target)).collect();
            if edges.len() < 2 {
                continue;
            }
            forks += 1;
            let mut asked = None;
            let mut values = Vec::new();
            for edge in edges {
                let Label::Compare { lhs, rhs, negated: false } = edge.label else { return false };
                let Some(value) = self.always(region, lane, rhs) else { return false };
                if *asked.get_or_insert(lhs) != lhs || values.contains(&value) {
                    return false;
                }
                values.push(value);
            }
        }
        forks == 1
    }

    /// The symbol that an expression is wherever a lane walks in a region, if it is always the same.
    fn always(&self, region: &Region, lane: &Lane, expr: ExprId) -> Option<Symbol> {
        let (root, keys) = path(self.game, expr);
        match root {
            Expr::Symbol(symbol) => Some(symbol),
            Expr::Const(id) => {
                let form =
                    self.known.numbers.consts.get(id)?.as_ref().ok().filter(|form| form.keys.len() == keys.len())?;
                let mut index = 0;
                for (at, ((&key, &class), &size)) in keys.iter().zip(&form.keys[..]).zip(&form.sizes[..]).enumerate() {
                    let number = self.known.numbers.number(class, self.always(region, lane, key)?)?;
                    index = index * size + form.row(at, number)? as usize;
                }
                self.known.numbers.members(form.class).get(*form.values.get(index)? as usize).copied()
            }
            Expr::Var(var) if keys.is_empty() => {
                let Some(Store::Scalar(Val::Const(number))) = lane.vars.get(var.index()) else { return None };
                let nodes = region.members.iter().flatten().flat_map(|&node| self.game.automaton.outgoing(node));
                let mut written =
                    nodes.filter_map(|&id| effects::write(self.game, &self.game.automaton.edge(id).label));
                if written.any(|write| write.var == var) {
                    return None;
                }
                let class = self.known.numbers.vars.get(var)?.as_ref().ok()?.class;
                self.known.numbers.members(class).get(*number as usize).copied()
            }
            _ => None,
        }
    }

    /// A loop with several ways round: round after round as code of its own, as far as plays usually go. Moves are emitted
    /// on the way; the result is whether a check has come to its end.
    pub(super) fn unrolled(
        &mut self,
        region: &Rc<Region>,
        inside: &Rc<Region>,
        header: NodeId,
        mut lane: Lane,
        rounds: Rounds,
    ) -> Result<Reg, Failure> {
        if rounds.taken > rounds.most {
            self.gives_up_loops |= self.function.builder.constant_of(lane.guard) != Some(0);
            self.function.builder.exit_if(lane.guard);
            return Ok(self.function.builder.constant(0));
        }
        let guard = lane.guard;
        self.open();
        lane.guard = self.function.builder.constant(1);
        let (mut again, mut out) = (Vec::new(), Vec::new());
        for (exit, lane) in self.explore(inside, vec![(header, lane)])? {
            match exit {
                Exit::Back => again.push(lane),
                Exit::Out(node) if node == header => again.push(lane),
                Exit::Out(node) => out.push((node, lane)),
                Exit::Switch(edge) => self.emit(&lane, edge)?,
                Exit::Target => {}
            }
        }
        let exits = self.explore(region, out)?;
        let mut found = self.reached(&exits);
        let going_on = self.merged(inside, header, again)?;
        let most = if self.function.style.one_round { 1 } else { MAX_UNROLLED };
        let next = rounds.next(going_on.len(), most);
        for mut lane in going_on {
            if lane.generator.is_some() {
                return Err(Failure::new("a loop makes a choice").at(self.game.node_name(header)));
            }
            if region.goal != Goal::Moves {
                // One way is enough.
                let not = self.function.builder.negation(found);
                lane.guard = self.function.builder.and(lane.guard, not);
            }
            let more = self.next_round(region, inside, header, lane, next)?;
            found = self.function.builder.or(found, more);
        }
        let then = self.close(vec![found]);
        self.open();
        let zero = self.function.builder.constant(0);
        let other = self.close(vec![zero]);
        Ok(self.function.builder.if_else(guard, then, other).first().copied().unwrap_or(zero))
    }

    /// As [`Self::unrolled`]; the walk is left to a side exit if a round that not every loop is given cannot be written.
    fn next_round(
        &mut self,
        region: &Rc<Region>,
        inside: &Rc<Region>,
        header: NodeId,
        lane: Lane,
        rounds: Rounds,
    ) -> Result<Reg, Failure> {
        if rounds.taken <= MAX_UNROLLED {
            return self.unrolled(region, inside, header, lane, rounds);
        }
        let (guard, kinds) = (lane.guard, self.function.templates.len());
        match self.attempt(|lifter| lifter.unrolled(region, inside, header, lane, rounds)) {
            Err(failure) if !failure.same_label => {
                self.function.templates.truncate(kinds);
                self.gives_up_loops = true;
                self.function.builder.exit_if(guard);
                Ok(self.function.builder.constant(0))
            }
            other => other,
        }
    }

    /// Walks of a tail cannot part: one that leaves a loop at its first node without a test does so, as its next test will find, only if
    /// it cannot go round.
    fn leave_where_nothing_goes_on(&mut self, all: &mut [(Exit, Lane)]) {
        let zero = self.function.builder.constant(0);
        let back = all.iter().filter(|(exit, _)| *exit == Exit::Back).map(|(_, lane)| lane.guard).collect::<Vec<_>>();
        let goes_on = back.into_iter().fold(zero, |any, guard| self.function.builder.or(any, guard));
        let stops = self.function.builder.negation(goes_on);
        for (_, lane) in all.iter_mut().filter(|(exit, _)| *exit != Exit::Back) {
            lane.guard = self.function.builder.and(lane.guard, stops);
            lane.tested.push((goes_on, true));
        }
        for (_, lane) in all.iter_mut().filter(|(exit, _)| *exit == Exit::Back) {
            lane.tested.push((goes_on, false));
        }
    }

    /// A loop of one walk: everything it writes is carried; it may leave in one way only. `None` for a check with several
    /// ways round.
    pub(super) fn single_walk(
        &mut self,
        inside: &Rc<Region>,
        region: &Rc<Region>,
        component: usize,
        header: NodeId,
        lane: Lane,
        ways: Ways,
    ) -> Result<Option<Vec<(Exit, Lane)>>, Failure> {
        let written = self.written_inside(region, component)?;
        let mut before = lane.clone();
        before.facts.retain(|fact| !written.contains(&fact.var));
        // What is dead at the header has some value all the same: it is carried on leaving.
        let shape = self.shape_of(&written);
        let [zero, one] = [0, 1].map(|value| self.function.builder.constant(value));
        let initial = self.flat(&before, &shape)?;
        self.open();
        let count = self.function.builder.fresh();
        let params: Vec<Reg> = initial.iter().map(|_| self.function.builder.fresh()).collect();
        let mut start = before.clone();
        start.guard = one;
        // What is tested here is the state in which the round began.
        start.origins.clear();
        start.written.clear();
        self.unflat(&mut start, &shape, &params);
        self.bury(&mut start, header);
        let mut all: Vec<(Exit, Lane)> = Vec::new();
        for (exit, lane) in self.explore(inside, vec![(header, start)])? {
            let Some(lane) = self.single(lane) else {
                return Err(Failure::new("a loop makes a choice").at(self.game.node_name(header)));
            };
            all.push((exit, lane));
        }
        if self.fork_of_tail(region, component) == Some(header) {
            self.leave_where_nothing_goes_on(&mut all);
        }
        let mut pairs = all.iter().enumerate().flat_map(|(i, (_, a))| all.iter().skip(i + 1).map(move |(_, b)| (a, b)));
        let exclusive = pairs.all(|(a, b)| a.excludes(b) || a.began_otherwise(b));
        if ways == Ways::Proven && !exclusive {
            self.close(Vec::new());
            return Ok(None);
        }
        let Some((back, leaving)) = self.back_and_leaving(region, all) else {
            self.close(Vec::new());
            return Ok(None);
        };
        let (go_on, next) = match &back {
            Some(back) => (back.guard, self.flat(back, &shape)?),
            None => (zero, params.clone()),
        };
        let mut results = Vec::new();
        let mut any = zero;
        for (_, lane) in &leaving {
            if !exclusive {
                let both = self.function.builder.and(any, lane.guard);
                self.function.builder.exit_if(both);
            }
            any = self.function.builder.or(any, lane.guard);
            results.push(lane.guard);
            results.extend(self.flat(lane, &shape)?);
        }
        if !exclusive {
            let both = self.function.builder.and(any, go_on);
            self.function.builder.exit_if(both);
        }
        let limit = self.function.builder.constant(MAX_ROUNDS);
        let endless = self.function.builder.op(Op::Eq(count, limit));
        self.function.builder.exit_if(endless);
        let rounds = self.function.builder.op(Op::Add(count, one));
        let yields: Vec<Reg> = [go_on, rounds].into_iter().chain(next).chain(results.iter().copied()).collect();
        let body = self.close(yields);
        let carried: Vec<(Reg, Reg)> = params.iter().copied().zip(initial.iter().copied()).collect();
        let outcome = self.looped(before.guard, (count, &carried), body, results.len());
        let mut outcome = outcome.as_slice();
        let mut exits = Vec::new();
        for (exit, inside) in leaving {
            let Some((&guard, rest)) = outcome.split_first() else { break };
            let (values, rest) = rest.split_at(initial.len().min(rest.len()));
            outcome = rest;
            // What the loop did not write is as before; what it computed inside is only known there.
            let mut lane = before.clone();
            (lane.path, lane.guard) = (inside.path, guard);
            self.unflat(&mut lane, &shape, values);
            for (slot, store) in lane.vars.iter_mut().zip(&inside.vars) {
                if *store == Store::Dead {
                    *slot = Store::Dead;
                }
            }
            lane.written.extend(written.iter().filter(|var| !before.written.contains(var)));
            exits.push((exit, lane));
        }
        Ok(Some(exits))
    }

    /// A loop that runs only if a walk comes there, with a count of its rounds and what it carries: its results, which are the last ones
    /// that it yields.
    fn looped(&mut self, comes: Reg, (count, carried): (Reg, &[(Reg, Reg)]), body: Block, results: usize) -> Vec<Reg> {
        self.open();
        let zero = self.function.builder.constant(0);
        let extra: Vec<(Reg, Reg)> = (0..results).map(|_| (self.function.builder.fresh(), zero)).collect();
        let all: Vec<(Reg, Reg)> = [(count, zero)].into_iter().chain(carried.iter().copied()).chain(extra).collect();
        let to: Vec<Reg> = all.iter().map(|_| self.function.builder.fresh()).collect();
        self.function.builder.push(Inst::Loop { carried: all, body, to: to.clone() });
        let then = self.close(to.into_iter().skip(1 + carried.len()).collect());
        self.open();
        let zero = self.function.builder.constant(0);
        let other = self.close(vec![zero; results]);
        self.function.builder.if_else(comes, then, other)
    }

    /// The lane that goes round once more, and those that leave a loop, one for each way out; `None` if several walks may go round.
    fn back_and_leaving(&mut self, region: &Region, all: Vec<(Exit, Lane)>) -> Option<BackAndLeaving> {
        let mut back: Option<Lane> = None;
        let mut leaving: Vec<(Exit, Lane)> = Vec::new();
        for (exit, lane) in all {
            if exit != Exit::Back {
                let lane = match leaving.iter().position(|(other, _)| *other == exit) {
                    Some(at) => {
                        let (_, other) = leaving.swap_remove(at);
                        self.multiplex(other, lane)
                    }
                    None => lane,
                };
                leaving.push((exit, lane));
                continue;
            }
            back = Some(match back.take() {
                Some(other) if !region.one_walk && region.header.is_none() && !other.excludes(&lane) => return None,
                Some(other) => self.multiplex(other, lane),
                None => lane,
            });
        }
        Some((back, leaving))
    }

    pub(super) fn written_inside(&self, region: &Region, component: usize) -> Result<Vec<VarId>, Failure> {
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
}
