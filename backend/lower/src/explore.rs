//! Walks a region with lanes: every node once, all walks at a time.

use super::lane::{Fact, Generator, Lane, Origin, Part, PathId, Step, Store, Val, Walks};
use super::numbers::path;
use super::region::{Goal, Region, ends};
use super::sets::Map;
use super::values::{Condition, Known, Stop};
use super::{Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId, TypeId};
use std::collections::BTreeMap;
use std::rc::Rc;
use wir::Reg;

/// Most lanes at one node, and most values over which a lane is split.
pub(super) const MAX_LANES: usize = 400;
/// By how many expressions lanes are split for one step.
const MAX_SPLITS: usize = 2;
/// Most searches inside each other.
const MAX_EXPLORED: usize = 32;
/// From how many ways on a choice of [`FEW`] places is made before they part.
const MANY_WAYS: usize = 4;
/// Most places of a choice that is made early.
const FEW: usize = 2;
/// Longest label.
const MAX_LABEL: usize = 48;
/// Largest type whose values are tried one by one where they do not choose a position.
pub(super) const MAX_CASES: usize = 24;

/// Where a lane leaves a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// At the header of the loop.
    Back,
    /// At a node outside the loop.
    Out(NodeId),
    /// With an edge that ends the search.
    Switch(EdgeId),
    /// At the node that a check looks for.
    Target,
}

/// Most comparisons of a check that are known to hold behind it.
const MAX_PATH: usize = 16;

/// Lanes by component and node.
pub(super) type Work = BTreeMap<(usize, NodeId), Vec<Lane>>;

impl Lifter<'_> {
    /// Walks a region from the given nodes; moves are emitted on the way, all else is returned.
    pub(super) fn explore(
        &mut self,
        region: &Rc<Region>,
        lanes: Vec<(NodeId, Lane)>,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        if self.check.depth == MAX_EXPLORED {
            return Err(Failure::new("searches nest too deep"));
        }
        self.check.depth += 1;
        let exits = self.explored(region, lanes);
        self.check.depth -= 1;
        exits
    }

    fn explored(&mut self, region: &Rc<Region>, lanes: Vec<(NodeId, Lane)>) -> Result<Vec<(Exit, Lane)>, Failure> {
        let mut work = Work::new();
        for (node, lane) in lanes {
            put(&mut work, region, node, lane);
        }
        self.explored_from(region, work)
    }

    /// Goes on from where lanes are.
    pub(super) fn explored_from(&mut self, region: &Rc<Region>, mut work: Work) -> Result<Vec<(Exit, Lane)>, Failure> {
        let mut exits = Vec::new();
        let mut late: Vec<(NodeId, Lane)> = Vec::new();
        while let Some((&(component, node), _)) = work.first_key_value() {
            self.fits()?;
            if region.cyclic.get(component) == Some(&true) {
                let mut inside = Vec::new();
                while let Some(entry) = work.first_entry().filter(|entry| entry.key().0 == component) {
                    let ((_, node), lanes) = entry.remove_entry();
                    inside.extend(lanes.into_iter().map(|lane| (node, lane.without_cases())));
                }
                let walks = self.to_give_back(region, inside.iter().map(|(_, lane)| lane));
                let left = self.or_give_back(walks, |lifter| lifter.round(region, component, inside, &mut late))?;
                for (exit, lane) in left {
                    self.settle(region, exit, lane.without_cases(), &mut work, &mut exits)?;
                }
                continue;
            }
            let Some(lanes) = work.remove(&(component, node)) else { break };
            let walks = self.to_give_back(region, lanes.iter());
            let lanes = self.or_give_back(walks, |lifter| lifter.merged(region, node, lanes))?;
            if region.goal == Goal::Check(node) {
                exits.extend(lanes.into_iter().map(|lane| (Exit::Target, lane)));
                continue;
            }
            if self.known.tails.is_some_and(|tails| tails.unlike.contains(&node)) {
                for walks in lanes.iter().map(Lane::walks) {
                    let any = self.any_walk(&walks);
                    self.function.builder.exit_if(any);
                }
                continue;
            }
            let lanes = self.few_lanes(region, node, lanes, &mut exits);
            if self.branches_at(region, node) {
                for lane in lanes {
                    exits.extend(self.branch(region, node, lane)?);
                }
                continue;
            }
            let mut lanes = lanes;
            let together = self.still_open(region, node, &mut lanes, &work, &exits);
            let outer = std::mem::replace(&mut self.check.together, together);
            let left = lanes.into_iter().try_for_each(|lane| {
                let walks = self.to_give_back(region, std::iter::once(&lane));
                let left =
                    self.or_give_back(walks, |lifter| lifter.leave(region, node, lane, &mut work, &mut exits))?;
                late.extend(left.map(|lane| (node, lane)));
                Ok(())
            });
            self.check.together = outer;
            left?;
        }
        self.look_further(region, late, &mut exits)?;
        Ok(exits)
    }

    /// The walks of lanes, if those without a form are given back: they are the keeper's.
    fn to_give_back<'l>(&self, region: &Region, lanes: impl Iterator<Item = &'l Lane>) -> Option<Vec<Walks>> {
        let keepers = region.goal == Goal::Keeper && region.header.is_none() && self.check.nested == 0;
        keepers.then(|| lanes.map(Lane::walks).collect())
    }

    /// Whether there is any of these walks.
    pub(super) fn any_walk(&mut self, walks: &Walks) -> Reg {
        match walks {
            Walks::Of(set) => self.is_any(set),
            Walks::If(guard) => *guard,
        }
    }

    /// Walks on; where the keeper's walk has no form, the code gives the case back if any of the walks is possible: what
    /// comes late, such as the end of a game, does not keep the rest from being lifted.
    fn or_give_back<T: Default>(
        &mut self,
        walks: Option<Vec<Walks>>,
        walk: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Some(walks) = walks else { return walk(self) };
        // In this block, so that what is found out is not forgotten; what a walk without form leaves here does no harm.
        let depth = self.function.builder.depth();
        match walk(self) {
            Err(failure) if !failure.is_too_large() => {
                self.function.builder.unwind(depth);
                self.forget_closed();
                for walks in walks {
                    let possible = self.any_walk(&walks);
                    self.function.builder.exit_if(possible);
                }
                self.left_out.get_or_insert(failure);
                Ok(T::default())
            }
            result => result,
        }
    }

    /// Goes on with the lanes of a check whose choices have to be made one by one: only if nothing else came to its end.
    fn look_further(
        &mut self,
        region: &Rc<Region>,
        late: Vec<(NodeId, Lane)>,
        exits: &mut Vec<(Exit, Lane)>,
    ) -> Result<(), Failure> {
        for (node, mut lane) in late {
            if region.goal == Goal::Moves {
                exits.extend(self.choose(region, node, lane)?);
                continue;
            }
            let Some(mut generator) = lane.generator.clone() else { continue };
            if self.function.pinned.contains(&generator.id) {
                // It is asked for which choices the check holds: for some of them that is known.
                for found in exits.iter().filter_map(|(_, lane)| lane.generator.as_ref()) {
                    if found.id == generator.id {
                        generator.set = self.function.builder.minus(&generator.set, &found.set);
                    }
                }
                lane.generator = Some(generator.clone());
                if let Some(sure) = self.monotone_check(region, node, &lane) {
                    generator.set = self.function.builder.minus(&generator.set, &sure);
                    let vars = lane.vars.iter().map(|_| Store::Dead).collect();
                    let found = Generator { id: generator.id, set: sure };
                    exits
                        .push((Exit::Target, Lane { vars, facts: Vec::new(), generator: Some(found), ..lane.clone() }));
                }
            } else {
                let found = self.reached(exits);
                let open = self.function.builder.negation(found);
                generator.set = self.function.builder.when(open, &generator.set);
            }
            lane.generator = Some(generator);
            if self.alive(&lane) {
                exits.extend(self.choose(region, node, lane)?);
            }
        }
        Ok(())
    }

    /// Puts a lane where it arrived.
    fn settle(
        &mut self,
        region: &Rc<Region>,
        exit: Exit,
        lane: Lane,
        work: &mut Work,
        exits: &mut Vec<(Exit, Lane)>,
    ) -> Result<(), Failure> {
        match exit {
            Exit::Out(node) if region.header == Some(node) => exits.push((Exit::Back, lane)),
            Exit::Out(node) if region.contains(node) => put(work, region, node, lane),
            Exit::Switch(edge) if region.goal == Goal::Moves && region.header.is_none() => self.emit(&lane, edge)?,
            exit => exits.push((exit, lane)),
        }
        Ok(())
    }

    /// All ways from a node. Gives the lane back if it belongs to a check and its choice has to be made, which takes long.
    pub(super) fn leave(
        &mut self,
        region: &Rc<Region>,
        node: NodeId,
        lane: Lane,
        work: &mut Work,
        exits: &mut Vec<(Exit, Lane)>,
    ) -> Result<Option<Lane>, Failure> {
        let component = region.component.get(&node).copied();
        let ahead = component.and_then(|at| region.choices_ahead.get(at)).copied().unwrap_or(false);
        let game = self.game;
        if (region.goal == Goal::Moves || region.is_whole_check()) && lane.generator.is_some() && self.begins_tail(node)
        {
            return Ok(Some(lane));
        }
        if region.goal == Goal::Moves && lane.generator.is_some() {
            // Later steps will want to know the choice: it is best made once, before the ways part.
            let wanted = ahead
                && (lane.labelled() || lane.dependants().len() > 1)
                && !self.tests_first(node)
                && !self.checks_first(node, &lane);
            // All ways of one piece at once are less work than all pieces on one way at once.
            let many = region.header.is_none() && game.automaton.outgoing(node).len() >= MANY_WAYS;
            if wanted && self.known.tails.is_some() {
                return Ok(Some(lane));
            }
            if wanted || many && lane.labelled() && self.of_few(&lane) {
                for (exit, lane) in self.choose(region, node, lane)? {
                    self.settle(region, exit, lane, work, exits)?;
                }
                return Ok(None);
            }
        }
        let mut arrived: Vec<(Exit, Lane)> = Vec::new();
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            if region.goal == Goal::Keeper && (self.subsumed.contains(&id) || self.mobility.excludes(id)) {
                continue;
            }
            let exit = if ends(game, region.goal, &edge.label, edge.target) {
                Exit::Switch(id)
            } else {
                Exit::Out(edge.target)
            };
            // What is outside a whole region leads nowhere.
            if matches!(exit, Exit::Out(target) if !region.whole.contains(&target)) {
                continue;
            }
            match self.step(region, lane.clone(), id, &mut Known::default()) {
                Ok(lanes) => arrived.extend(lanes.into_iter().map(|lane| (exit, lane))),
                Err(Stop::Fail(failure)) => return Err(failure.at(game.node_name(node))),
                Err(Stop::Split(_)) => return Err(Failure::new("a lane was not split").at(game.node_name(node))),
                Err(Stop::Choose) => {
                    let waits = region.is_whole_check() || region.goal == Goal::Moves && self.known.tails.is_some();
                    if waits && lane.generator.is_some() {
                        return Ok(Some(lane));
                    }
                    for (exit, lane) in self.choose(region, node, lane)? {
                        self.settle(region, exit, lane, work, exits)?;
                    }
                    return Ok(None);
                }
            }
        }
        for (exit, lane) in arrived {
            self.settle(region, exit, lane, work, exits)?;
        }
        Ok(None)
    }

    /// Whether the only way from a node is a check that a tail can be walked: it is asked of one walk at a time.
    pub(super) fn begins_tail(&self, node: NodeId) -> bool {
        let Some(tails) = self.known.tails else { return false };
        let automaton = &self.game.automaton;
        let checks = |label| matches!(label, Label::Reach { to, .. } if tails.done.contains(&to));
        automaton.outgoing(node).iter().any(|&id| checks(automaton.edge(id).label))
    }

    /// Whether all ways from a node begin with a test: fewer choices are left behind it.
    fn tests_first(&self, node: NodeId) -> bool {
        let automaton = &self.game.automaton;
        automaton
            .outgoing(node)
            .iter()
            .all(|&id| matches!(automaton.edge(id).label, Label::Compare { negated: false, .. }))
    }

    /// Whether the choice is one of few places, as far as the beginning of the game tells: where a map has a value that is
    /// rare there.
    fn of_few(&self, lane: &Lane) -> bool {
        let rare = |origin: &Origin| {
            let Val::Gen(map) = &origin.index else { return false };
            let Some(Ok(form)) = self.known.numbers.vars.get(origin.var) else { return false };
            let here = || form.values.iter().zip(form.real.iter()).filter(|(_, real)| **real);
            let counts = |value: u32| here().filter(|&(&other, _)| other == value).count();
            map.iter().zip(0..).all(|(&index, choice)| index == choice)
                && origin.values.count_ones() == 1
                && (1..=FEW).contains(&counts(origin.values.trailing_zeros()))
        };
        lane.origins.iter().any(rare)
    }

    /// What an edge makes of a lane.
    pub(super) fn step(
        &mut self,
        region: &Rc<Region>,
        lane: Lane,
        id: EdgeId,
        known: &mut Known,
    ) -> Result<Vec<Lane>, Stop> {
        match self.label(region, lane.clone(), id, known) {
            Err(Stop::Split(expr)) => {
                // One lane per value of the expression.
                let none = || Stop::Fail(Failure::new("no map to split by"));
                let (var, keys, outcomes) = self.behind(expr).ok_or_else(none)?;
                let (Some(index), _) = self.place(&lane, var, &keys, known)? else { return Err(none()) };
                let cases = cases(expr, &outcomes, known).ok_or(Stop::Choose)?;
                let mut lanes = Vec::new();
                for (outcome, values) in cases {
                    let condition = self.holds_one(&lane, var, &index, &values)?;
                    let Some(mut part) = self.restrict(lane.clone(), &condition, false) else { continue };
                    part.learn(var, &index, &values, false);
                    known.insert(expr, Val::Const(outcome));
                    lanes.extend(self.step(region, part, id, known)?);
                    known.remove(&expr);
                }
                Ok(lanes)
            }
            other => other,
        }
    }

    fn label(&mut self, region: &Rc<Region>, mut lane: Lane, id: EdgeId, known: &Known) -> Result<Vec<Lane>, Stop> {
        let label = self.game.automaton.edge(id).label;
        self.function.folded.clear();
        match label {
            Label::Skip => {}
            Label::Reach { .. } if region.goal == Goal::Keeper && self.mobility.assumes(id) => {}
            Label::Compare { lhs, rhs, negated } => {
                return self.comparison(region, lane, (id, lhs, rhs, negated), known);
            }
            Label::Reach { from, to, negated } => {
                let since = self.questions();
                // Plays hardly ever come here: they make moves speculatively.
                self.check.outline = region.goal == Goal::Keeper && self.mobility.contains(id);
                let condition = self.check(&lane, from, to);
                self.check.outline = false;
                let condition = condition?;
                if negated {
                    self.record_negation(since);
                }
                let Some(mut kept) = self.restrict(lane, &condition, negated) else { return Ok(Vec::new()) };
                if !negated && region.goal == Goal::Moves {
                    self.learn_path(&mut kept, from, to)?;
                }
                return Ok(vec![kept]);
            }
            Label::Tag(_) | Label::TagVar(_) if lane.label.len() >= MAX_LABEL => {
                return Err(Stop::Fail(Failure::new("a label is too long")));
            }
            Label::Tag(symbol) => {
                if region.goal == Goal::Moves {
                    lane.label.push(Part::Symbol(symbol));
                }
            }
            Label::TagVar(var) => {
                if region.goal == Goal::Moves {
                    let class =
                        self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok()).map(|form| form.class);
                    let (Some(Store::Scalar(value)), Some(class)) = (lane.vars.get(var.index()), class) else {
                        return Err(Stop::Fail(Failure::new("a tag has no value")));
                    };
                    lane.label.push(Part::Value(value.clone(), class));
                }
            }
            Label::Assign { lhs, rhs } => {
                self.assignment(region, &mut lane, (id, lhs, rhs), known)?;
            }
            Label::AssignAny { lhs, ty } => {
                let (Expr::Var(var), keys) = path(self.game, lhs) else {
                    return Err(Stop::Fail(Failure::new("no variable is assigned to")));
                };
                let (index, class) = self.place(&lane, var, &keys, known)?;
                return self.choices(lane, id, var, index, class, ty);
            }
        }
        Ok(vec![lane])
    }

    /// A lane behind a comparison.
    fn comparison(
        &mut self,
        region: &Rc<Region>,
        lane: Lane,
        (id, lhs, rhs, negated): (EdgeId, ExprId, ExprId, bool),
        known: &Known,
    ) -> Result<Vec<Lane>, Stop> {
        let since = self.questions();
        let (condition, fact) = self.equal(&lane, lhs, rhs, known)?;
        if negated {
            self.record_negation(since);
        }
        let asked = if negated { None } else { self.question(&lane, lhs, rhs) };
        let before = lane.guard;
        let Some(mut kept) = self.restrict(lane, &condition, negated) else { return Ok(Vec::new()) };
        if let (Some(asked), Condition::Truth(truth)) = (asked, condition) {
            self.answered(&mut kept, asked, truth, before);
        }
        if let Some(fact) = fact {
            kept.learn(fact.var, &fact.index, &[fact.value], negated);
            let source = self.game.automaton.edge(id).source;
            if !negated && self.known.unique.at(source, fact.var, fact.value) {
                kept = self.at_one_place(region, kept, &fact);
            }
        }
        Ok(vec![kept])
    }

    /// A lane behind an assignment.
    fn assignment(
        &mut self,
        region: &Rc<Region>,
        lane: &mut Lane,
        (id, lhs, rhs): (EdgeId, ExprId, ExprId),
        known: &Known,
    ) -> Result<(), Stop> {
        let (Expr::Var(var), keys) = path(self.game, lhs) else {
            return Err(Stop::Fail(Failure::new("no variable is assigned to")));
        };
        if region.goal == Goal::Moves && self.check.nested == 0 && self.function.deferred.contains(&var) {
            lane.path = self.function.paths.with(lane.path, Step::Edge(id));
            lane.deferred_at = (lane.path, lane.generator.as_ref().map(|generator| generator.id));
            return Ok(());
        }
        let target = self.game.automaton.edge(id).target;
        if matches!(region.goal, Goal::Check(_)) && !self.is_live(target, var.index()) {
            // Of what is read for it, something may be dead, too.
            return Ok(());
        }
        if !self.copy_store(lane, lhs, rhs)? {
            let (index, class) = self.place(lane, var, &keys, known)?;
            let Some(value) = self.value(lane, rhs, class, known)? else {
                return Err(Stop::Fail(Failure::new("a value without a number is assigned")));
            };
            self.write(lane, var, index, value)?;
        }
        lane.path = self.walked(lane.path, Step::Edge(id));
        Ok(())
    }

    /// A lane behind a check that holds: if the check has one path, of comparisons only, these hold.
    fn learn_path(&mut self, lane: &mut Lane, from: NodeId, to: NodeId) -> Result<(), Stop> {
        let (mut node, mut path) = (from, Vec::new());
        while node != to {
            let &[id] = self.game.automaton.outgoing(node) else { return Ok(()) };
            let edge = self.game.automaton.edge(id);
            match edge.label {
                Label::Skip => {}
                Label::Compare { lhs, rhs, negated: false } if path.len() < MAX_PATH => path.push((lhs, rhs)),
                _ => return Ok(()),
            }
            node = edge.target;
        }
        for (lhs, rhs) in path {
            if let (_, Some(fact)) = self.equal(lane, lhs, rhs, &Known::default())? {
                lane.learn(fact.var, &fact.index, &[fact.value], false);
            }
        }
        Ok(())
    }

    /// A lane of a check behind a test that holds at one place at most: its choices are an entry of a table.
    fn at_one_place(&mut self, region: &Region, lane: Lane, fact: &Fact) -> Lane {
        let Some(generator) = lane.generator.clone() else { return lane };
        let identical = |map: &Map| map.iter().zip(0..).all(|(&index, choice)| index == choice);
        let place = matches!(&fact.index, Val::Gen(map) if identical(map));
        // Without lines, sets do as well, and what else is asked of them is the same.
        let lines = matches!(region.goal, Goal::Check(_)) && region.cyclic.contains(&true);
        if !lines || !place || self.function.pinned.contains(&generator.id) {
            return lane;
        }
        let words = generator.set.len();
        let element = self.function.builder.lowest(&generator.set);
        let possible: Vec<u64> = generator.set.iter().map(|&word| self.function.builder.possible_bits(word)).collect();
        let word = |i: usize| {
            let bits = possible.get(i).copied().invariant_or(0, "every word of a set has possible bits");
            // Where there is none, the place is beyond all.
            (0..=64 * words).map(|place| if place / 64 == i { bits & 1 << (place % 64) } else { 0 }).collect()
        };
        let set = (0..words).map(|i| self.function.builder.looked_up(word(i), element)).collect();
        Lane { generator: Some(Generator { set, ..generator }), ..lane }
    }

    /// The walk with one more step, and what had to be known for it.
    fn walked(&mut self, path: PathId, step: Step) -> PathId {
        let known = self
            .function
            .folded
            .iter()
            .fold(path, |path, &(expr, value)| self.function.paths.with(path, Step::Under(expr, value)));
        self.function.paths.with(known, step)
    }

    /// `var[index] = ty(*)`.
    fn choices(
        &mut self,
        lane: Lane,
        id: EdgeId,
        var: rg_ir::VarId,
        index: Option<Val>,
        class: usize,
        ty: TypeId,
    ) -> Result<Vec<Lane>, Stop> {
        let members: Vec<u32> =
            self.game.types.members(ty).iter().filter_map(|&symbol| self.known.numbers.number(class, symbol)).collect();
        let positions = index.is_none() && self.is_position(class);
        if !positions {
            if members.len() > MAX_CASES {
                return Err(Stop::Fail(Failure::new("there are many values to choose from, which are no positions")));
            }
            let mut lanes = Vec::new();
            for member in members {
                let mut part = lane.clone();
                self.write(&mut part, var, index.clone(), Val::Const(member))?;
                part.path = self.walked(part.path, Step::Fixed(id, member));
                lanes.push(part);
            }
            return Ok(lanes);
        }
        let mut lane = lane;
        if let Some(slot) = lane.vars.get_mut(var.index()) {
            *slot = Store::Dead;
        }
        if !self.drop_generator(&mut lane) {
            return Err(Stop::Choose);
        }
        let generator = self.fresh_generator();
        let words = super::sets::words(members.iter().max().map_or(1, |&most| most as usize + 1));
        let all = self.function.builder.constant_set(words, members.iter().map(|&member| member as usize));
        let set = self.function.builder.when(lane.guard, &all);
        lane.generator = Some(Generator { id: generator, set });
        lane.guard = self.function.builder.constant(1);
        if let Some(slot) = lane.vars.get_mut(var.index()) {
            *slot = Store::Scalar(Val::Gen((0..words as u32 * 64).collect()));
        }
        lane.path = self.walked(lane.path, Step::Choose(id, generator));
        Ok(vec![lane])
    }

    /// As [`Lifter::holds`] for one of several constants.
    pub(super) fn holds_one(
        &mut self,
        lane: &Lane,
        var: rg_ir::VarId,
        index: &Val,
        values: &[u32],
    ) -> Result<Condition, Stop> {
        let mut sum: Option<Condition> = None;
        for &value in values {
            let next = self.holds(lane, var, index, &Val::Const(value))?;
            sum = Some(match (sum, next) {
                (None, next) => next,
                (Some(Condition::Truth(a)), Condition::Truth(b)) => Condition::Truth(self.function.builder.or(a, b)),
                (Some(Condition::Choices(a)), Condition::Choices(b)) => {
                    Condition::Choices(self.function.builder.either(&a, &b))
                }
                _ => return Err(Stop::Choose),
            });
        }
        sum.ok_or_else(|| Stop::Fail(Failure::new("no map to split by")))
    }
}

/// The values that an expression may have, each with the values of the entry behind it that lead to it, in terms of which
/// `outcomes` are given; `None` if there are too many, or if the expression or too many others are known.
pub(super) fn cases(expr: ExprId, outcomes: &[u32], known: &Known) -> Option<Vec<(u32, Vec<u32>)>> {
    if known.len() >= MAX_SPLITS || known.contains_key(&expr) || outcomes.len() > MAX_LANES {
        return None;
    }
    let mut cases: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (value, &outcome) in (0..).zip(outcomes) {
        cases.entry(outcome).or_default().push(value);
    }
    Some(cases.into_iter().collect())
}

fn put(work: &mut Work, region: &Region, node: NodeId, lane: Lane) {
    if let Some(&component) = region.component.get(&node) {
        work.entry((component, node)).or_default().push(lane);
    }
}
