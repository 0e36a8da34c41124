//! Walks a region with lanes: every node once, all walks at a time.

use super::lane::{Generator, Lane, Part, Step, Store, Val};
use super::numbers::path;
use super::region::{Goal, Region, ends};
use super::values::{Condition, Known, Stop};
use super::{Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, Label, NodeId, TypeId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most lanes at one node, and most values over which a lane is split.
const MAX_LANES: usize = 400;
/// From how many lanes without choices on a check takes it for granted that only one of them is possible.
const MAX_CHECKED: usize = 12;
/// Most searches inside each other.
const MAX_EXPLORED: usize = 32;
/// Longest label.
const MAX_LABEL: usize = 48;
/// Largest type whose values are tried one by one where they do not choose a position.
const MAX_CASES: usize = 8;

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

/// Lanes by component and node.
type Work = BTreeMap<(usize, NodeId), Vec<Lane>>;

impl Lifter<'_> {
    /// Walks a region from the given nodes; moves are emitted on the way, all else is returned.
    pub(super) fn explore(
        &mut self,
        region: &Rc<Region>,
        lanes: Vec<(NodeId, Lane)>,
    ) -> Result<Vec<(Exit, Lane)>, Failure> {
        if self.depth == MAX_EXPLORED {
            return Err(Failure::new("searches nest too deep"));
        }
        self.depth += 1;
        let exits = self.explored(region, lanes);
        self.depth -= 1;
        exits
    }

    fn explored(&mut self, region: &Rc<Region>, lanes: Vec<(NodeId, Lane)>) -> Result<Vec<(Exit, Lane)>, Failure> {
        let mut exits = Vec::new();
        let mut work = Work::new();
        for (node, lane) in lanes {
            put(&mut work, region, node, lane);
        }
        while let Some((&(component, node), _)) = work.first_key_value() {
            self.fits()?;
            if region.cyclic.get(component) == Some(&true) {
                let mut inside = Vec::new();
                while let Some(entry) = work.first_entry().filter(|entry| entry.key().0 == component) {
                    let ((_, node), lanes) = entry.remove_entry();
                    inside.extend(lanes.into_iter().map(|lane| (node, lane)));
                }
                for (exit, lane) in self.round(region, component, inside)? {
                    self.settle(region, exit, lane, &mut work, &mut exits)?;
                }
                continue;
            }
            let Some(lanes) = work.remove(&(component, node)) else { break };
            let lanes = self.merged(region, node, lanes)?;
            if region.goal == Goal::Check(node) {
                exits.extend(lanes.into_iter().map(|lane| (Exit::Target, lane)));
                continue;
            }
            for lane in lanes {
                self.leave(region, node, lane, &mut work, &mut exits)?;
            }
        }
        Ok(exits)
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

    /// All ways from a node.
    fn leave(
        &mut self,
        region: &Rc<Region>,
        node: NodeId,
        lane: Lane,
        work: &mut Work,
        exits: &mut Vec<(Exit, Lane)>,
    ) -> Result<(), Failure> {
        let component = region.component.get(&node).copied();
        let ahead = component.and_then(|at| region.choices_ahead.get(at)).copied().unwrap_or(false);
        if ahead && region.goal == Goal::Moves && lane.generator.is_some() {
            // Later steps will want to know the choice: it is best made once, before the ways part.
            let dependants = lane.dependants();
            if lane.labelled() || dependants.len() > 1 {
                for (exit, lane) in self.choose(region, node, lane)? {
                    self.settle(region, exit, lane, work, exits)?;
                }
                return Ok(());
            }
        }
        let mut arrived: Vec<(Exit, Lane)> = Vec::new();
        let game = self.game;
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
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
                    for (exit, lane) in self.choose(region, node, lane)? {
                        self.settle(region, exit, lane, work, exits)?;
                    }
                    return Ok(());
                }
            }
        }
        for (exit, lane) in arrived {
            self.settle(region, exit, lane, work, exits)?;
        }
        Ok(())
    }

    /// What an edge makes of a lane.
    fn step(&mut self, region: &Rc<Region>, lane: Lane, id: EdgeId, known: &mut Known) -> Result<Vec<Lane>, Stop> {
        match self.label(region, lane.clone(), id, known) {
            Err(Stop::Split(expr)) => {
                // One lane per value of the map at this expression.
                let (Expr::Var(var), keys) = path(self.game, expr) else {
                    return Err(Stop::Fail(Failure::new("no map to split by")));
                };
                let (index, class) = self.place(&lane, var, &keys, known)?;
                let Some(index) = index else { return Err(Stop::Fail(Failure::new("no map to split by"))) };
                if known.len() >= 2 || known.contains_key(&expr) || self.numbers.size(class) > MAX_LANES {
                    return Err(Stop::Choose);
                }
                let mut lanes = Vec::new();
                for value in 0..self.numbers.size(class) as u32 {
                    let (condition, fact) = self.holds_value(&lane, var, &index, value)?;
                    let Some(mut part) = self.restrict(lane.clone(), &condition, false) else { continue };
                    part.learn(fact, false);
                    known.insert(expr, Val::Const(value));
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
        match label {
            Label::Skip => {}
            Label::Compare { lhs, rhs, negated } => {
                let (condition, fact) = self.equal(&lane, lhs, rhs, known)?;
                let Some(mut kept) = self.restrict(lane, &condition, negated) else { return Ok(Vec::new()) };
                if let Some(fact) = fact {
                    kept.learn(fact, negated);
                }
                return Ok(vec![kept]);
            }
            Label::Reach { from, to, negated } => {
                let condition = self.check(&lane, from, to)?;
                return Ok(self.restrict(lane, &condition, negated).into_iter().collect());
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
                    let class = self.numbers.vars.get(var).and_then(|form| form.as_ref().ok()).map(|form| form.class);
                    let (Some(Store::Scalar(value)), Some(class)) = (lane.vars.get(var.index()), class) else {
                        return Err(Stop::Fail(Failure::new("a tag has no value")));
                    };
                    lane.label.push(Part::Value(value.clone(), class));
                }
            }
            Label::Assign { lhs, rhs } => {
                let (Expr::Var(var), keys) = path(self.game, lhs) else {
                    return Err(Stop::Fail(Failure::new("no variable is assigned to")));
                };
                let (index, class) = self.place(&lane, var, &keys, known)?;
                let Some(value) = self.value(&lane, rhs, class, known)? else {
                    return Err(Stop::Fail(Failure::new("a value without a number is assigned")));
                };
                self.write(&mut lane, var, index, value)?;
                lane.path = self.paths.with(lane.path, Step::Edge(id));
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
            self.game.types.members(ty).iter().filter_map(|&symbol| self.numbers.number(class, symbol)).collect();
        let positions = index.is_none() && self.is_position(class);
        if !positions {
            if members.len() > MAX_CASES {
                return Err(Stop::Fail(Failure::new("there are many values to choose from, which are no positions")));
            }
            let mut lanes = Vec::new();
            for member in members {
                let mut part = lane.clone();
                self.write(&mut part, var, index.clone(), Val::Const(member))?;
                part.path = self.paths.with(part.path, Step::Fixed(id, member));
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
        let all = self.builder.constant_set(words, members.iter().map(|&member| member as usize));
        let set = self.builder.when(lane.guard, &all);
        lane.generator = Some(Generator { id: generator, set });
        lane.guard = self.builder.constant(1);
        if let Some(slot) = lane.vars.get_mut(var.index()) {
            *slot = Store::Scalar(Val::Gen((0..words as u32 * 64).collect()));
        }
        lane.path = self.paths.with(lane.path, Step::Choose(id, generator));
        Ok(vec![lane])
    }

    /// Makes a lane one without a generator, if nothing depends on it; whether that is so.
    pub(super) fn drop_generator(&mut self, lane: &mut Lane) -> bool {
        let Some(generator) = &lane.generator else { return true };
        if self.pinned.contains(&generator.id) || lane.labelled() || !lane.dependants().is_empty() {
            return false;
        }
        let set = generator.set.clone();
        if self.strict && self.keeper && self.nested == 0 {
            let several = self.several(&set);
            self.builder.bail(several);
        }
        lane.guard = self.builder.any(&set);
        lane.generator = None;
        lane.forget_choices();
        true
    }

    /// Forgets what is dead, and makes one lane of those that differ in nothing that matters.
    pub(super) fn merged(&mut self, region: &Rc<Region>, node: NodeId, lanes: Vec<Lane>) -> Result<Vec<Lane>, Failure> {
        let mut merged: Vec<Lane> = Vec::new();
        for mut lane in lanes {
            self.bury(&mut lane, node);
            self.drop_generator(&mut lane);
            match merged.iter_mut().find(|other| other.same(&lane) && self.joinable(other, &lane)) {
                Some(other) => {
                    other.common_facts(&lane);
                    self.unite(other, &lane);
                }
                None => merged.push(lane),
            }
        }
        if merged.len() > 1 {
            merged = self.regenerated(merged);
        }
        if merged.len() > 1 && region.goal != Goal::Moves {
            // In a check several walks may go on, but not many do at once.
            let only = region.goal == Goal::Keeper || merged.len() > MAX_CHECKED;
            merged = self.multiplexed(merged, only);
        }
        if merged.len() > MAX_LANES {
            return Err(Failure::new("there are too many kinds of walks").at(self.game.node_name(node)));
        }
        merged.retain(|lane| self.alive(lane));
        Ok(merged)
    }

    /// Whether the choices of two lanes mean the same.
    fn joinable(&self, a: &Lane, b: &Lane) -> bool {
        match (&a.generator, &b.generator) {
            (Some(a), Some(b)) => a.id == b.id || !(self.pinned.contains(&a.id) || self.pinned.contains(&b.id)),
            _ => true,
        }
    }

    fn unite(&mut self, lane: &mut Lane, other: &Lane) {
        if self.strict && self.keeper && self.nested == 0 && !lane.excludes(other) {
            // Two ways to one end may be two moves.
            let both = match (&lane.generator, &other.generator) {
                (Some(a), Some(b)) => {
                    let (a, b) = (a.set.clone(), b.set.clone());
                    let both = self.builder.both(&a, &b);
                    self.builder.any(&both)
                }
                _ => self.builder.and(lane.guard, other.guard),
            };
            self.builder.bail(both);
        }
        match (&mut lane.generator, &other.generator) {
            (Some(a), Some(b)) => a.set = self.builder.either(&a.set, &b.set),
            _ => lane.guard = self.builder.or(lane.guard, other.guard),
        }
    }

    /// Variables that are dead at a node are forgotten.
    pub(super) fn bury(&mut self, lane: &mut Lane, node: NodeId) {
        for (var, store) in lane.vars.iter_mut().enumerate() {
            if !self.is_live(node, var) && *store != Store::Dead {
                *store = Store::Dead;
            }
        }
        let vars = &lane.vars;
        lane.facts.retain(|fact| vars.get(fact.var.index()) != Some(&Store::Dead));
    }

    /// Lanes that differ in the place of one variable only become one lane whose generator is that place.
    fn regenerated(&mut self, lanes: Vec<Lane>) -> Vec<Lane> {
        let mut groups: Vec<(Option<usize>, Vec<Lane>)> = Vec::new();
        'lanes: for lane in lanes {
            for (place, group) in &mut groups {
                let Some(first) = group.first() else { continue };
                let Some(var) = self.only_difference(first, &lane) else { continue };
                if place.is_none_or(|place| place == var) {
                    *place = Some(var);
                    group.push(lane);
                    continue 'lanes;
                }
            }
            groups.push((None, vec![lane]));
        }
        let mut merged = Vec::new();
        for (place, group) in groups {
            let Some(var) = place else {
                merged.extend(group);
                continue;
            };
            let mut moved: Vec<Lane> = Vec::new();
            for lane in group {
                let lane = self.rebased(&lane, var).unwrap_or(lane);
                match moved.iter_mut().find(|other| other.same(&lane)) {
                    Some(other) => {
                        other.common_facts(&lane);
                        self.unite(other, &lane);
                    }
                    None => moved.push(lane),
                }
            }
            merged.extend(moved);
        }
        merged
    }

    /// The variable, a position, in which alone two lanes differ, apart from their generators.
    fn only_difference(&self, a: &Lane, b: &Lane) -> Option<usize> {
        if a.label != b.label || a.chosen != b.chosen {
            return None;
        }
        let mut differing = (0..a.vars.len()).filter(|&var| a.vars.get(var) != b.vars.get(var));
        let var = match differing.next() {
            Some(var) => var,
            // The same function of a generator here and of none there cannot be: one of them depends on it.
            None => a.dependants().first().copied()?,
        };
        (differing.next().is_none() && self.can_rebase(a, var) && self.can_rebase(b, var)).then_some(var)
    }

    /// Whether a variable is the only thing that depends on a lane's generator.
    pub(super) fn can_rebase(&self, lane: &Lane, var: usize) -> bool {
        let positional = matches!(lane.vars.get(var), Some(Store::Scalar(_))) && {
            let form = self.numbers.vars.values().nth(var).and_then(|form| form.as_ref().ok());
            form.is_some_and(|form| self.is_position(form.class))
        };
        let pinned = lane.generator.as_ref().is_some_and(|generator| self.pinned.contains(&generator.id));
        positional && !pinned && !lane.labelled() && lane.dependants().iter().all(|&other| other == var)
    }

    /// The lane with the value of a variable as its generator. `None` if it cannot be.
    pub(super) fn rebased(&mut self, lane: &Lane, var: usize) -> Option<Lane> {
        if !self.can_rebase(lane, var) {
            return None;
        }
        let id = rg_ir::VarId::from_index(var);
        let class = self.numbers.vars.get(id)?.as_ref().ok()?.class;
        let words = super::sets::words(self.numbers.size(class));
        let identity: super::sets::Map = (0..words as u32 * 64).collect();
        let mut lane = lane.clone();
        let set = match (lane.vars.get(var)?, &lane.generator) {
            (Store::Scalar(Val::Gen(map)), Some(generator)) if map.iter().zip(0..).all(|(&y, x)| y == x) => {
                let (set, zero) = (generator.set.clone(), self.builder.constant(0));
                (0..words.max(set.len())).map(|i| set.get(i).copied().unwrap_or(zero)).collect()
            }
            (Store::Scalar(Val::Gen(map)), Some(generator)) => {
                let (map, set) = (map.clone(), generator.set.clone());
                self.builder.image(&map, &set, words)?
            }
            (Store::Scalar(value), generator) => {
                let present = match generator {
                    Some(generator) => {
                        let set = generator.set.clone();
                        self.builder.any(&set)
                    }
                    None => lane.guard,
                };
                let value = value.reg(&mut self.builder)?;
                let set = self.builder.singleton(value, words);
                self.builder.when(present, &set)
            }
            _ => return None,
        };
        let generator = self.fresh_generator();
        lane.generator = Some(Generator { id: generator, set });
        lane.guard = self.builder.constant(1);
        lane.forget_choices();
        *lane.vars.get_mut(var)? = Store::Scalar(Val::Gen(identity));
        lane.path = self.paths.with(lane.path, Step::Bind(id, generator));
        Some(lane)
    }

    /// As [`Lifter::holds`] for a constant, with the fact that it establishes.
    fn holds_value(
        &mut self,
        lane: &Lane,
        var: rg_ir::VarId,
        index: &Val,
        value: u32,
    ) -> Result<(Condition, super::lane::Fact), Stop> {
        let condition = self.holds(lane, var, index, &Val::Const(value))?;
        Ok((condition, super::lane::Fact { var, index: index.clone(), value }))
    }
}

fn put(work: &mut Work, region: &Region, node: NodeId, lane: Lane) {
    if let Some(&component) = region.component.get(&node) {
        work.entry((component, node)).or_default().push(lane);
    }
}
