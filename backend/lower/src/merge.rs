//! Lanes that come to one node: those that differ in nothing that matters become one.

use super::explore::{Exit, MAX_LANES};
use super::lane::{Generator, Lane, Step, Store, Val};
use super::region::{Goal, Region};
use super::values::{Condition, Stop};
use super::{Failure, Lifter};
use rg_ir::NodeId;
use rg_ir::ids::Id;
use std::rc::Rc;

/// Lanes that are compared with each other. More are given up at once: comparing all pairs would take long, and
/// hardly ever leave no more than [`MAX_LANES`].
const MAX_PAIRED: usize = 8 * MAX_LANES;

/// How many lanes are compared without a look at their hashes.
const FEW_LANES: usize = 4;

/// From how many lanes without choices on a check takes it for granted that only one of them is possible.
const MAX_CHECKED: usize = 12;

impl Lifter<'_> {
    /// Makes a lane one without a generator, if nothing depends on it; whether that is so.
    pub(super) fn drop_generator(&mut self, lane: &mut Lane) -> bool {
        let Some(generator) = &lane.generator else { return true };
        if self.function.pinned.contains(&generator.id)
            || lane.waits_for_choice()
            || lane.labelled()
            || !lane.dependants().is_empty()
        {
            return false;
        }
        let set = generator.set.clone();
        if self.known.strict && self.function.keeper && self.check.nested == 0 {
            let several = self.several(&set);
            self.function.builder.exit_if(several);
        }
        lane.guard = self.is_any(&set);
        lane.generator = None;
        lane.forget_choices();
        true
    }

    /// Forgets what is dead, and makes one lane of those that differ in nothing that matters.
    pub(super) fn merged(&mut self, region: &Rc<Region>, node: NodeId, lanes: Vec<Lane>) -> Result<Vec<Lane>, Failure> {
        let mut lanes = lanes;
        for lane in &mut lanes {
            self.bury(lane, node);
            self.drop_generator(lane);
        }
        if region.goal != Goal::Moves {
            lanes = self.split_by_case(lanes);
        }
        let mut merged: Vec<Lane> = Vec::new();
        // Comparing all pairs takes long: most of them differ in their hashes.
        let mut hashes: Vec<u64> = Vec::new();
        let few = lanes.len() <= FEW_LANES;
        for lane in lanes {
            if merged.len() >= MAX_PAIRED {
                return Err(self.too_many(node));
            }
            let hash = if few { 0 } else { lane.hash_of_same() };
            let mut others = merged.iter_mut().zip(&hashes).filter(|(_, other)| **other == hash);
            match others.find(|(other, _)| other.same(&lane) && self.joinable(other, &lane)) {
                Some((other, _)) => {
                    other.common_facts(&lane);
                    self.unite(other, &lane);
                }
                None => {
                    merged.push(lane);
                    hashes.push(hash);
                }
            }
        }
        if merged.len() > 1 {
            merged = self.regenerated(merged);
        }
        if merged.len() > 1 && region.one_walk {
            // There is one walk: lanes that differ in more than a position can still be distinguished by their guards.
            merged = merged.into_iter().map(|lane| self.single(lane.clone()).unwrap_or(lane)).collect();
        }
        if merged.len() > 1 && region.goal != Goal::Moves {
            // In a check several walks may go on, but not many do at once.
            let only = region.one_walk || merged.len() > MAX_CHECKED && !self.may_call(region);
            merged = self.multiplexed(merged, only);
        }
        if merged.len() > MAX_LANES {
            return Err(self.too_many(node));
        }
        merged.retain(|lane| self.alive(lane));
        Ok(merged)
    }

    /// Whether lanes of a check may be followed by calls; see [`Self::found_by_calls`].
    fn may_call(&self, region: &Region) -> bool {
        region.is_whole_check() && self.check.recording.is_none() && self.function.pinned.is_empty()
    }

    /// The lanes of a check, if they are few; many are followed by calls of one function each, and it is added to `exits`
    /// whether one of them gets to the end. If there can be no such function, at most one of the lanes is taken to be possible.
    pub(super) fn few_lanes(
        &mut self,
        region: &Rc<Region>,
        node: NodeId,
        lanes: Vec<Lane>,
        exits: &mut Vec<(Exit, Lane)>,
    ) -> Vec<Lane> {
        let Goal::Check(to) = region.goal else { return lanes };
        if lanes.len() <= MAX_CHECKED || !self.may_call(region) {
            return lanes;
        }
        match self.attempt(|lifter| lifter.found_by_calls(node, to, &lanes)) {
            Ok(found) => {
                exits.push((Exit::Target, found));
                Vec::new()
            }
            Err(_) => self.multiplexed(lanes, true),
        }
    }

    /// Whether one of some lanes without choices gets from a node to the end of a check.
    fn found_by_calls(&mut self, node: NodeId, to: NodeId, lanes: &[Lane]) -> Result<Lane, Stop> {
        let first = lanes.first().ok_or(Stop::Choose)?;
        let mut found = self.function.builder.constant(0);
        for lane in lanes {
            if lane.generator.is_some() {
                return Err(Stop::Choose);
            }
            // What calls outlines is asked behind the guard: a walk that is not possible costs a branch.
            self.open();
            let asking = Lane { guard: self.function.builder.constant(1), ..lane.clone() };
            self.check.outline = true;
            let condition = self.check(&asking, node, to);
            self.check.outline = false;
            let Condition::Truth(truth) = condition? else { return Err(Stop::Choose) };
            let block = self.close(vec![truth]);
            self.open();
            let zero = self.function.builder.constant(0);
            let other = self.close(vec![zero]);
            let truth = self.function.builder.if_else(lane.guard, block, other).first().copied().unwrap_or(zero);
            found = self.function.builder.or(found, truth);
        }
        let vars = first.vars.iter().map(|_| Store::Dead).collect();
        Ok(Lane { guard: found, vars, facts: Vec::new(), ..first.clone() })
    }

    fn too_many(&self, node: NodeId) -> Failure {
        Failure::new("there are too many kinds of walks").at(self.game.node_name(node))
    }

    /// Whether the choices of two lanes mean the same.
    fn joinable(&self, a: &Lane, b: &Lane) -> bool {
        match (&a.generator, &b.generator) {
            (Some(a), Some(b)) => {
                a.id == b.id || !(self.function.pinned.contains(&a.id) || self.function.pinned.contains(&b.id))
            }
            _ => true,
        }
    }

    fn unite(&mut self, lane: &mut Lane, other: &Lane) {
        if self.known.strict && self.function.keeper && self.check.nested == 0 && !lane.excludes(other) {
            // Two ways to one end may be two moves.
            let both = match (&lane.generator, &other.generator) {
                (Some(a), Some(b)) => {
                    let (a, b) = (a.set.clone(), b.set.clone());
                    let both = self.function.builder.both(&a, &b);
                    self.is_any(&both)
                }
                _ => self.function.builder.and(lane.guard, other.guard),
            };
            self.function.builder.exit_if(both);
        }
        match (&mut lane.generator, &other.generator) {
            (Some(a), Some(b)) => a.set = self.either(&a.set, &b.set),
            _ => lane.guard = self.any_of(lane.guard, other.guard),
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
        if a.label != b.label || a.chosen != b.chosen || a.deferred_at.0 != b.deferred_at.0 {
            return None;
        }
        let mut differing = a.vars.iter().zip(&b.vars).enumerate().filter(|(_, (a, b))| !a.same(b)).map(|(var, _)| var);
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
            let form = self.known.numbers.vars.values().nth(var).and_then(|form| form.as_ref().ok());
            form.is_some_and(|form| self.is_position(form.class))
        };
        let pinned = lane.generator.as_ref().is_some_and(|generator| self.function.pinned.contains(&generator.id));
        positional
            && !pinned
            && !lane.waits_for_choice()
            && !lane.labelled()
            && lane.dependants().iter().all(|&other| other == var)
    }

    /// The lane with the value of a variable as its generator. `None` if it cannot be.
    pub(super) fn rebased(&mut self, lane: &Lane, var: usize) -> Option<Lane> {
        if !self.can_rebase(lane, var) {
            return None;
        }
        let id = rg_ir::VarId::from_index(var);
        let class = self.known.numbers.vars.get(id)?.as_ref().ok()?.class;
        let words = super::sets::words(self.known.numbers.size(class));
        let identity: super::sets::Map = (0..words as u32 * 64).collect();
        let mut lane = lane.clone();
        let set = match (lane.vars.get(var)?, &lane.generator) {
            (Store::Scalar(Val::Gen(map)), Some(generator)) if map.iter().zip(0..).all(|(&y, x)| y == x) => {
                let (set, zero) = (generator.set.clone(), self.function.builder.constant(0));
                (0..words.max(set.len())).map(|i| set.get(i).copied().unwrap_or(zero)).collect()
            }
            (Store::Scalar(Val::Gen(map)), Some(generator)) => {
                let (map, set) = (map.clone(), generator.set.clone());
                self.function.builder.image(&map, &set, words)?
            }
            (Store::Scalar(value), generator) => {
                let present = match generator {
                    Some(generator) => {
                        let set = generator.set.clone();
                        self.is_any(&set)
                    }
                    None => lane.guard,
                };
                let value = value.reg(&mut self.function.builder)?;
                let set = self.only(value, self.known.numbers.size(class), words);
                let set = self.function.builder.when(present, &set);
                let members = super::sets::constant_words(words, 0..self.known.numbers.size(class));
                set.iter().zip(members).for_each(|(&word, bits)| self.function.builder.bound(word, bits));
                set
            }
            _ => return None,
        };
        let generator = self.fresh_generator();
        lane.generator = Some(Generator { id: generator, set });
        lane.guard = self.function.builder.constant(1);
        lane.forget_choices();
        *lane.vars.get_mut(var)? = Store::Scalar(Val::Gen(identity));
        lane.path = self.function.paths.with(lane.path, Step::Bind(id, generator));
        Some(lane)
    }
}
