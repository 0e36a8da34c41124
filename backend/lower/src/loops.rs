//! Loops: fixed points of sets of positions, and loops of one walk.

use super::explore::Exit;
use super::lane::{Generator, Lane, Store, Val};
use super::region::{Goal, Region};
use super::sets::Set;
use super::single_walk::{Rounds, Ways};
use super::{Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::{Label, NodeId};
use std::rc::Rc;
use wir::uses::size;
use wir::{Block, Inst, Reg};

/// How often the bits that a loop's words may have are found to be more, before nothing is assumed of them.
const MAX_WIDENED: u32 = 2;

/// Rounds that checks go for all choices at once, before they go round choice by choice, and most lanes to do so; only where
/// a position is all that changes, so that a round is little code.
const MAX_PEELED: usize = 1;
const MAX_PEELED_LANES: usize = 8;

/// How many times less code a round of a flood must be that goes on from one place instead of from all.
const CHEAPER: usize = 2;

/// How loops are walked.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Loops {
    /// As it is least work.
    #[default]
    Any,
    /// Loops are refused but those that take one walk along a line.
    Lines,
    /// Floods end when nothing is new, whatever is asked of what they come to: those that begin at one place are the same.
    Whole,
}

/// From where a round of a flood goes on.
#[derive(Clone, Copy)]
enum Round {
    /// From all places that are new.
    All,
    /// From one of them; whether there is surely one in the beginning.
    One { sure: bool },
}

/// Lanes that leave a loop, and where to.
type Exits = Vec<(Exit, Lane)>;

impl Lifter<'_> {
    /// Walks a component that is a cycle, from lanes at its nodes, and returns how they leave it. Lanes of a check whose
    /// choices have to be made one by one to go round are put off: they go to `late`.
    pub(super) fn round(
        &mut self,
        region: &Rc<Region>,
        component: usize,
        lanes: Vec<(NodeId, Lane)>,
        late: &mut Vec<(NodeId, Lane)>,
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
                && let Some(walked) = self.along(&inside, region, component, header, &lane, var)?
            {
                exits.extend(walked);
            } else if self.check.loops == Loops::Lines {
                return Err(Failure::new("a loop is no line of one walk").at(self.game.node_name(header)));
            } else if let Some(Some(var)) = moving
                && let Some(rebased) = self.rebased(&lane, var)
            {
                let start = match (&lane.generator, lane.vars.get(var)) {
                    (None, Some(Store::Scalar(Val::Reg(start)))) => Some((*start, lane.guard)),
                    _ => None,
                };
                exits.extend(self.flood(&inside, header, rebased, var, start)?);
            } else if lane.generator.is_none() && region.goal != Goal::Moves {
                self.open();
                let walked = self.single_walk(&inside, region, component, header, lane.clone(), Ways::Usual);
                let block = self.close(Vec::new());
                if let Some(walked) = walked? {
                    self.function.builder.splice(block);
                    exits.extend(walked);
                } else {
                    let found = self.unrolled(region, &inside, header, lane.clone(), Rounds::NONE)?;
                    let dead = lane.vars.iter().map(|_| Store::Dead).collect();
                    exits.push((Exit::Target, Lane { guard: found, vars: dead, facts: Vec::new(), ..lane }));
                }
            } else if lane.generator.is_none() && region.header.is_none() {
                self.unrolled(region, &inside, header, lane, Rounds::NONE)?;
            } else if lane.generator.is_some() && region.is_whole_check() {
                // Perhaps it need not go round at all, or once.
                let mut begun = vec![lane.clone()];
                let mut restricted = None;
                let peeled = if let Some(Some(_)) = moving { MAX_PEELED } else { 0 };
                for _ in 0..=peeled {
                    let Ok(left) = self.attempt(|lifter| lifter.once(&inside, header, begun)) else { break };
                    exits.extend(left.0);
                    begun = left.1;
                    restricted = self.choices_of(&lane, &begun);
                    if begun.is_empty() || begun.len() > MAX_PEELED_LANES {
                        break;
                    }
                }
                // What has not gone round so far has come to its end.
                late.push((header, restricted.unwrap_or(lane)));
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
        if let Some(fork) = self.fork_of_tail(region, component)
            && region.inside(self.game, component, fork).is_acyclic()
        {
            return Some(fork);
        }
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

    /// The node of a loop of a tail at which walks leave it, if there is only one.
    pub(super) fn fork_of_tail(&self, region: &Region, component: usize) -> Option<NodeId> {
        let (tails, members) = (self.known.tails?, region.members.get(component)?);
        let leaves = |node: &NodeId| {
            let edges = self.game.automaton.outgoing(*node).iter().map(|&id| self.game.automaton.edge(id));
            edges.filter(|edge| region.whole.contains(&edge.target)).any(|edge| !members.contains(&edge.target))
        };
        let mut forks = members.iter().copied().filter(leaves);
        let fork = forks.next().filter(|fork| tails.copies.contains(fork))?;
        forks.next().is_none().then_some(fork)
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

    /// All places that a loop can take a position to: the lane's generator is the position. If there is only one in the
    /// beginning, `start` has it, and whether it counts.
    fn flood(
        &mut self,
        inside: &Rc<Region>,
        header: NodeId,
        lane: Lane,
        var: usize,
        start: Option<(Reg, Reg)>,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        let Some(generator) = lane.generator.clone() else { return Ok(Vec::new()) };
        let words = generator.set.len();
        // What the rounds ask is asked once more by the lane with all places that leaves the loop.
        if let Some(line) = self.unrecorded(|lifter| lifter.line(inside, header, &lane, var)) {
            let all = match start {
                Some((start, guard)) => {
                    let ray = self.ray(&line, words * 64, start);
                    self.function.builder.when(guard, &ray)
                }
                None => match self.ray_of_entry(&line, words * 64, &generator.set) {
                    Some(ray) => ray,
                    None => self.filled(&line, &generator.set),
                },
            };
            return self.left(inside, header, Lane { generator: Some(Generator { set: all, ..generator }), ..lane });
        }
        // New places, then all places.
        let initial: Vec<Reg> = generator.set.iter().chain(generator.set.iter()).copied().collect();
        let before = self.function.builder.size();
        let mut last = self.rounds(inside, header, &lane, var, &initial, Round::All)?;
        // What is tried counts, too: there must be room for more than it will take.
        let taken = self.function.builder.size();
        if self.check.loops != Loops::Whole && start.is_some() && taken + 4 * (taken - before) < self.known.most {
            // From one place on there may be few: then it is less work to go on from each of them by itself.
            let depth = self.function.builder.depth();
            let sure = start.is_some_and(|(_, guard)| self.function.builder.constant_of(guard) == Some(1));
            let single = self.rounds(inside, header, &lane, var, &initial, Round::One { sure });
            self.function.builder.unwind(depth);
            self.forget_closed();
            if let Ok(single) = single
                && CHEAPER * size(&single.0) < size(&last.0)
            {
                last = single;
            }
        }
        let (block, last) = last;
        self.function.builder.splice(block);
        let all: Set = last.iter().skip(words).copied().collect();
        self.left(inside, header, Lane { generator: Some(Generator { id: generator.id, set: all }), ..lane })
    }

    /// The code of a flood's rounds, and its results: the places that are new in the end, which are none, and all places.
    fn rounds(
        &mut self,
        inside: &Rc<Region>,
        header: NodeId,
        lane: &Lane,
        var: usize,
        initial: &[Reg],
        round: Round,
    ) -> Result<(Block, Vec<Reg>), Failure> {
        self.open();
        let last = self.fixpoint(initial.to_vec(), |lifter, carried| {
            let (new, all) = carried.split_at(carried.len() / 2);
            let (new, all): (Set, Set) = (new.into(), all.into());
            let mut lane = lane.clone();
            lane.facts.clear();
            let mut left = lifter.function.builder.constant_set(new.len(), []);
            match round {
                Round::All => {
                    lane.generator = lane.generator.map(|generator| Generator { set: new, ..generator });
                }
                Round::One { sure } => {
                    let place = lifter.function.builder.lowest(&new);
                    let single = lifter.function.builder.singleton(place, new.len());
                    left = lifter.function.builder.minus(&new, &single);
                    // Rounds end when nothing is new.
                    lane.guard = if sure { lifter.function.builder.constant(1) } else { lifter.is_any(&new) };
                    lane.generator = None;
                    if let Some(slot) = lane.vars.get_mut(var) {
                        *slot = Store::Scalar(Val::Reg(place));
                    }
                }
            }
            let mut reached = lifter.function.builder.constant_set(all.len(), []);
            let mut found = lifter.function.builder.constant(0);
            for (exit, mut back) in lifter.unrecorded(|lifter| lifter.explore(inside, vec![(header, lane)]))? {
                if exit != Exit::Back {
                    if lifter.check.loops != Loops::Whole
                        && let Exit::Out(node) = exit
                        && inside.goal == Goal::Check(node)
                    {
                        let here = lifter.any_walk(&back.walks());
                        found = lifter.function.builder.or(found, here);
                    }
                    continue;
                }
                lifter.bury(&mut back, header);
                let back =
                    lifter.rebased(&back, var).ok_or_else(|| Failure::new("a loop moves more than one thing"))?;
                let places = back.generator.map(|generator| generator.set);
                let places = places.ok_or_else(|| Failure::new("a loop moves nothing"))?;
                reached = lifter.function.builder.either(&reached, &places);
            }
            let new = lifter.function.builder.minus(&reached, &all);
            let all = lifter.function.builder.either(&all, &new);
            let new = lifter.function.builder.either(&left, &new);
            let more = lifter.is_any(&new);
            // The end of a check need not be found twice.
            let open = lifter.function.builder.negation(found);
            let more = lifter.function.builder.and(more, open);
            Ok((more, new.iter().chain(all.iter()).copied().collect()))
        })?;
        Ok((self.close(Vec::new()), last))
    }

    /// How lanes leave a loop without going round, and those that go round.
    fn once(&mut self, inside: &Rc<Region>, header: NodeId, lanes: Vec<Lane>) -> Result<(Exits, Vec<Lane>), Failure> {
        let (mut exits, mut again) = (Vec::new(), Vec::new());
        for mut lane in lanes {
            lane.facts.clear();
            for (exit, lane) in self.explore(inside, vec![(header, lane)])? {
                if exit == Exit::Back { again.push(lane) } else { exits.push((exit, lane)) }
            }
        }
        let again = self.merged(inside, header, again)?;
        Ok((exits, again))
    }

    /// A lane with only those choices that some other lanes have; `None` if they are lanes of another choice.
    fn choices_of(&mut self, lane: &Lane, others: &[Lane]) -> Option<Lane> {
        let generator = lane.generator.as_ref()?;
        let mut set = self.function.builder.constant_set(generator.set.len(), []);
        for other in others {
            let other = other.generator.as_ref().filter(|other| other.id == generator.id)?;
            set = self.function.builder.either(&set, &other.set);
        }
        Some(Lane { generator: Some(Generator { id: generator.id, set }), ..lane.clone() })
    }

    /// How a lane with all places to which a loop takes it leaves the loop.
    pub(super) fn left(
        &mut self,
        inside: &Rc<Region>,
        header: NodeId,
        mut lane: Lane,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        lane.facts.clear();
        let exits = self.explore(inside, vec![(header, lane)])?;
        Ok(exits.into_iter().filter(|(exit, _)| *exit != Exit::Back).collect())
    }

    /// A loop that goes on while the first result of `step` is not 0. Words that are and stay 0 are not carried, and bits
    /// that are and stay 0 are known as such.
    pub(super) fn fixpoint(
        &mut self,
        initial: Vec<Reg>,
        step: impl FnMut(&mut Self, &[Reg]) -> Result<(Reg, Vec<Reg>), Failure>,
    ) -> Result<Vec<Reg>, Failure> {
        self.check.fixpoints += 1;
        let last = self.repeated(initial, step);
        self.check.fixpoints -= 1;
        last
    }

    fn repeated(
        &mut self,
        initial: Vec<Reg>,
        mut step: impl FnMut(&mut Self, &[Reg]) -> Result<(Reg, Vec<Reg>), Failure>,
    ) -> Result<Vec<Reg>, Failure> {
        let mut nothing: Vec<bool> =
            initial.iter().map(|&reg| self.function.builder.constant_of(reg) == Some(0)).collect();
        if nothing.iter().all(|&nothing| nothing) {
            return Ok(initial);
        }
        // Loops in loops would be built too often.
        let assumed =
            |reg: &Reg| if self.check.fixpoints > 1 { u64::MAX } else { self.function.builder.possible_bits(*reg) };
        let mut bits: Vec<u64> = initial.iter().map(assumed).collect();
        for attempt in 0.. {
            let params: Vec<Option<Reg>> =
                nothing.iter().map(|&nothing| (!nothing).then(|| self.function.builder.fresh())).collect();
            for (param, &bits) in params.iter().zip(&bits) {
                param.iter().for_each(|&param| self.function.builder.bound(param, bits));
            }
            self.open();
            let zero = self.function.builder.constant(0);
            let carried: Vec<Reg> = params.iter().map(|param| param.unwrap_or(zero)).collect();
            let (more, next) = step(self, &carried)?;
            let mut wrong = false;
            for (nothing, &next) in nothing.iter_mut().zip(&next) {
                if *nothing && self.function.builder.constant_of(next) != Some(0) {
                    (*nothing, wrong) = (false, true);
                }
            }
            for (bits, &next) in bits.iter_mut().zip(&next) {
                let more = self.function.builder.possible_bits(next) & !*bits;
                if more != 0 {
                    wrong = true;
                    *bits = if attempt < MAX_WIDENED { *bits | more } else { u64::MAX };
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
            let to: Vec<Reg> = carried.iter().map(|_| self.function.builder.fresh()).collect();
            let known = params.iter().zip(&bits).filter(|(param, _)| param.is_some()).map(|(_, &bits)| bits);
            to.iter().zip(known).for_each(|(&to, bits)| self.function.builder.bound(to, bits));
            self.function.builder.push(Inst::Loop { carried, body, to: to.clone() });
            let mut to = to.into_iter();
            let zero = self.function.builder.constant(0);
            return Ok(params.iter().map(|param| param.and_then(|_| to.next()).unwrap_or(zero)).collect());
        }
        Ok(initial)
    }
}
