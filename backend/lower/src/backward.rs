//! Checks as the sets of positions from which they hold: least fixed points, from their targets backward.

use super::checks::Question;
use super::explore::cases;
use super::lane::{Generator, Lane, Store, Val};
use super::numbers::path;
use super::places::Places;
use super::region::Region;
use super::sets::Set;
use super::values::{Condition, Known, Stop};
use super::{Failure, Lifter};
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::Reg;

impl Lifter<'_> {
    /// The check as the set of places from which it holds: a least fixed point, from its target backward.
    pub(super) fn backward(
        &mut self,
        region: &Rc<Region>,
        lane: &Lane,
        places: &Places,
        from: NodeId,
        to: NodeId,
    ) -> Result<Condition, Stop> {
        let size = self.known.numbers.size(places.class);
        let mut probe = lane.clone();
        places.forgotten_in(&mut probe);
        let question = Question::Where(places.at(from));
        let set: Set = match self.known_answer(&probe, from, to, question) {
            Some(known) => known.into(),
            None => {
                let full = self.function.builder.constant_set(super::sets::words(size), 0..size);
                let mut general = probe.clone();
                general.facts.clear();
                general.origins.clear();
                general.forget_tests();
                general.generator = Some(Generator { id: self.fresh_generator(), set: full });
                let set = self.places(region, &general, places, from, to)?;
                self.remember(&probe, from, to, question, set.to_vec());
                set
            }
        };
        match places.at(from).and_then(|var| lane.vars.get(var)) {
            Some(Store::Scalar(Val::Gen(map))) => {
                let map = map.clone();
                let domain = lane.generator.as_ref().map(|generator| &generator.set).ok_or(Stop::Choose)?;
                let choices = self.function.builder.preimage(&map, &set, domain);
                Ok(Condition::Choices(choices.ok_or(Stop::Choose)?))
            }
            Some(Store::Scalar(value)) => {
                let place = value.reg(&mut self.function.builder).ok_or(Stop::Choose)?;
                Ok(Condition::Truth(self.function.builder.contains(&set, place, size)))
            }
            // The check does not read it: it holds everywhere or nowhere.
            _ => Ok(Condition::Truth(self.is_any(&set))),
        }
    }

    fn places(
        &mut self,
        region: &Rc<Region>,
        general: &Lane,
        places: &Places,
        from: NodeId,
        to: NodeId,
    ) -> Result<Set, Stop> {
        let full = general.generator.as_ref().map(|generator| generator.set.clone());
        let full = full.ok_or_else(|| Stop::Fail(Failure::new("there are no places")))?;
        let mut known: FxHashMap<NodeId, Set> = FxHashMap::default();
        known.insert(to, full.clone());
        for (component, members) in region.members.iter().enumerate().rev() {
            if region.cyclic.get(component) != Some(&true) {
                for &node in members {
                    if node != to {
                        let set = self.places_at(region, general, places, node, &known)?;
                        known.insert(node, set);
                    }
                }
                continue;
            }
            known = self.sets_around(region, general, places, component, &known)?;
        }
        let empty = self.function.builder.constant_set(full.len(), []);
        Ok(known.get(&from).cloned().unwrap_or(empty))
    }

    /// The places of the nodes of a cycle, added to those that are known.
    fn sets_around(
        &mut self,
        region: &Rc<Region>,
        general: &Lane,
        open: &Places,
        component: usize,
        known: &FxHashMap<NodeId, Set>,
    ) -> Result<FxHashMap<NodeId, Set>, Stop> {
        let words = general.generator.as_ref().map_or(0, |generator| generator.set.len());
        // Sets of the nodes without which there is no cycle are carried; the others follow from them.
        let (headers, order) = self.unfolded(region, component);
        let zero = self.function.builder.constant(0);
        let empty: Vec<Reg> = vec![zero; words];
        let mut around = known.clone();
        for &node in region.members.get(component).map_or(&[][..], |members| members) {
            around.insert(node, empty.as_slice().into());
        }
        // The first round starts from nothing.
        let mut failed = None;
        // What follows from sets for the headers: those of the other nodes and, once around the cycle, theirs.
        let round = |lifter: &mut Self, carried: &[Reg], headers_too: bool, failed: &mut Option<Stop>| {
            let mut known = around.clone();
            for (header, words) in headers.iter().zip(carried.chunks(words)) {
                known.insert(*header, words.into());
            }
            let headed = headers.iter().rev().filter(|_| headers_too);
            for &node in order.iter().rev().chain(headed) {
                match lifter.places_at(region, general, open, node, &known) {
                    Ok(set) => {
                        // Headers are all computed from the last round.
                        if headers.contains(&node) {
                            known.entry(node).and_modify(|old| *old = lifter.function.builder.either(old, &set));
                        } else {
                            known.insert(node, set);
                        }
                    }
                    Err(stop) => {
                        *failed = Some(stop);
                        return known;
                    }
                }
            }
            known
        };
        let start: Vec<Reg> = vec![zero; words * headers.len()];
        let first = round(self, &start, true, &mut failed);
        let initial: Vec<Reg> =
            headers.iter().filter_map(|header| first.get(header)).flat_map(|set| set.to_vec()).collect();
        let line = match headers[..] {
            [header] if failed.is_none() => {
                let inside = Rc::new(region.inside(self.game, component, header));
                let (var, lane) = (open.at(header), open.open_at(header, general));
                var.and_then(|var| self.line(&inside, header, &lane, var))
            }
            _ => None,
        };
        let last = if let Some(line) = line {
            Ok(self.gathered(&line, &initial.into(), words * 64).to_vec())
        } else {
            self.fixpoint(initial, |lifter, carried| {
                let next = round(lifter, carried, true, &mut failed);
                let mut more = lifter.function.builder.constant(0);
                let mut words: Vec<Reg> = Vec::with_capacity(carried.len());
                for header in &headers {
                    words.extend(next.get(header).map_or(&[][..], |set| set));
                }
                for (&old, &new) in carried.iter().zip(&words) {
                    let added = lifter.function.builder.op(wir::Op::Xor(old, new));
                    more = lifter.function.builder.or(more, added);
                }
                let zero = lifter.function.builder.constant(0);
                let more = lifter.function.builder.op(wir::Op::Ne(more, zero));
                Ok((more, words))
            })
        };
        if let Some(stop) = failed.take() {
            return Err(stop);
        }
        let last = last.map_err(Stop::Fail)?;
        // One more round would add nothing to the headers' sets.
        let known = round(self, &last, false, &mut failed);
        failed.take().map_or(Ok(known), Err)
    }

    /// Nodes without which a component has no cycle, and the others in walking order.
    fn unfolded(&self, region: &Region, component: usize) -> (Vec<NodeId>, Vec<NodeId>) {
        let mut headers: Vec<NodeId> = Vec::new();
        let members = region.members.get(component).map_or(&[][..], |members| members);
        // One node that does it, if there is one.
        for &node in members.iter().take(64) {
            let inside = region.inside(self.game, component, node);
            if inside.is_acyclic() {
                let order = inside.members.iter().flatten().copied().filter(|&other| other != node).collect();
                return (vec![node], order);
            }
        }
        let mut rest: Vec<NodeId> = members.to_vec();
        loop {
            // What has no way on to the rest is in order; when all have one, one of them becomes a header.
            let mut order: Vec<NodeId> = Vec::new();
            let mut open: Vec<NodeId> = rest.clone();
            loop {
                let last = open.iter().position(|&node| {
                    self.game.automaton.outgoing(node).iter().all(|&id| {
                        let target = self.game.automaton.edge(id).target;
                        !open.contains(&target) && (target != node)
                    })
                });
                match last {
                    Some(at) => order.push(open.swap_remove(at)),
                    None => break,
                }
            }
            let Some(&header) = open.iter().max_by_key(|&&node| self.game.automaton.incoming(node).len()) else {
                order.reverse();
                return (headers, order);
            };
            headers.push(header);
            rest.retain(|&node| node != header);
        }
    }

    /// The places at a node from which the target is reached, given those at the nodes after it.
    fn places_at(
        &mut self,
        region: &Rc<Region>,
        general: &Lane,
        places: &Places,
        node: NodeId,
        known: &FxHashMap<NodeId, Set>,
    ) -> Result<Set, Stop> {
        let general = &places.open_at(node, general);
        let words = Self::choice_words(general);
        let mut result = self.function.builder.constant_set(words, []);
        let game = self.game;
        for &id in game.automaton.outgoing(node) {
            let target = game.automaton.edge(id).target;
            if !region.contains(target) {
                continue;
            }
            let Some(after) = known.get(&target).cloned() else { continue };
            let part = self.places_before(general, places, id, &after)?;
            result = self.function.builder.either(&result, &part);
        }
        Ok(result)
    }

    /// For which places `lhs == rhs`, case by case where a map is read by the entry of another.
    fn equal_by_cases(
        &mut self,
        general: &Lane,
        lhs: ExprId,
        rhs: ExprId,
        known: &mut Known,
    ) -> Result<Condition, Stop> {
        let expr = match self.equal(general, lhs, rhs, known) {
            Err(Stop::Split(expr)) => expr,
            other => return other.map(|(condition, _)| condition),
        };
        let fail = || Stop::Fail(Failure::new("a check reads a map by another"));
        let (var, keys, outcomes) = self.behind(expr).ok_or_else(fail)?;
        let (Some(index), _) = self.place(general, var, &keys, known)? else { return Err(fail()) };
        let cases = cases(expr, &outcomes, known).ok_or_else(fail)?;
        let words = Self::choice_words(general);
        let mut sum = self.function.builder.constant_set(words, []);
        for (outcome, values) in cases {
            known.insert(expr, Val::Const(outcome));
            let equal = self.equal_by_cases(general, lhs, rhs, known);
            known.remove(&expr);
            let equal = self.where_it_holds(general, &equal?);
            if self.function.builder.is_empty(&equal) {
                continue;
            }
            let case = self.holds_one(general, var, &index, &values)?;
            let case = self.where_it_holds(general, &case);
            let part = self.function.builder.both(&case, &equal);
            sum = self.function.builder.either(&sum, &part);
        }
        Ok(Condition::Choices(sum))
    }

    /// A condition as a set of choices.
    fn where_it_holds(&mut self, lane: &Lane, condition: &Condition) -> Set {
        match (condition, &lane.generator) {
            (Condition::Choices(set), _) => set.clone(),
            (Condition::Truth(truth), Some(generator)) => self.function.builder.when(*truth, &generator.set),
            (Condition::Truth(truth), None) => [*truth].into(),
        }
    }

    fn places_before(&mut self, general: &Lane, places: &Places, id: EdgeId, after: &Set) -> Result<Set, Stop> {
        if self.function.builder.is_empty(after) {
            return Ok(after.clone());
        }
        let words = Self::choice_words(general);
        let full = general.generator.as_ref().map(|generator| generator.set.clone());
        let full = full.unwrap_or_else(|| after.clone());
        let known = Known::default();
        let only = |lifter: &mut Self, condition: &Condition, negated: bool| match condition {
            Condition::Choices(set) if negated => lifter.function.builder.minus(after, set),
            Condition::Choices(set) => lifter.function.builder.both(after, set),
            Condition::Truth(truth) => {
                let truth = if negated { lifter.function.builder.negation(*truth) } else { *truth };
                lifter.function.builder.when(truth, after)
            }
        };
        let edge = self.game.automaton.edge(id);
        // What nobody asks for behind the edge may be anything.
        let place = |lhs: ExprId| match path(self.game, lhs) {
            (Expr::Var(var), keys) if keys.is_empty() => places.at(edge.target) == Some(var.index()),
            _ => false,
        };
        match edge.label {
            Label::Skip | Label::Tag(_) | Label::TagVar(_) => Ok(after.clone()),
            Label::Compare { lhs, rhs, negated } => {
                let condition = self.equal_by_cases(general, lhs, rhs, &mut Known::default())?;
                Ok(only(self, &condition, negated))
            }
            Label::Reach { from, to, negated } => {
                let condition = self.check(general, from, to)?;
                Ok(only(self, &condition, negated))
            }
            Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } if !place(lhs) => Ok(after.clone()),
            Label::Assign { lhs, rhs } => {
                let class = self.class_of(lhs)?.invariant_or(0, "a place has a class");
                let size = self.known.numbers.size(class);
                match self.value(general, rhs, class, &known)? {
                    Some(Val::Gen(map)) => self.function.builder.preimage(&map, after, &full).ok_or(Stop::Choose),
                    Some(value) => {
                        let place = value.reg(&mut self.function.builder).ok_or(Stop::Choose)?;
                        let here = self.function.builder.contains(after, place, size);
                        Ok(self.function.builder.when(here, &full))
                    }
                    None => Err(Stop::Fail(Failure::new("a value without a number is assigned"))),
                }
            }
            Label::AssignAny { lhs, ty } => {
                let class = self.class_of(lhs)?.invariant_or(0, "a place has a class");
                let members = self.game.types.members(ty).iter();
                let members: Vec<usize> =
                    members.filter_map(|&s| self.known.numbers.number(class, s)).map(|n| n as usize).collect();
                let mask = self.function.builder.constant_set(words, members);
                let some = self.function.builder.both(after, &mask);
                let any = self.is_any(&some);
                Ok(self.function.builder.when(any, &full))
            }
        }
    }
}
