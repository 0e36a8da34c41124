//! From nodes and edges to code: depth-first search, one way after the other.

use super::super::lane::Val;
use super::super::numbers::path;
use super::super::{Failure, Lifter};
use super::access::Undo;
use super::area::{Area, Mark};
use super::parting::Parting;
use super::{Due, Goal, Walk};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId, VarId};
use std::rc::Rc;
use wir::{Block, FnId, Function, Inst, Op, Reg};

/// Whether a search has found what it is after; then, for the last thing that a procedure does, whether the procedure begins anew, and
/// with which arguments.
pub(super) type Found = Vec<Reg>;

/// How many edges are followed before the rest is a procedure of its own: code for them is written by recursion.
const MAX_STEPS: u32 = 64;

/// How deep blocks are nested before the rest is a procedure of its own.
const MAX_NESTED: usize = 40;

/// Where a procedure begins, or a node inside one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    Begin,
    Inside,
}

impl Lifter<'_> {
    /// Calls the procedure of a node: whether it has found what is searched.
    pub(super) fn call_search(&mut self, area: &Rc<Area>, node: NodeId, walk: &Walk) -> Result<Reg, Failure> {
        let walk = self.with_room(walk);
        let walk = &self.numbered((area, node), &walk);
        let mut args = self.arguments(area, node, walk)?;
        args.push(walk.depth);
        let function = self.number_of_procedure(area, node, args.len());
        let to = self.function.builder.fresh();
        self.function.builder.bound(to, 1);
        self.function.builder.push(Inst::Call { function, args, to });
        Ok(to)
    }

    /// The arguments of a procedure, the depth excepted.
    fn arguments(&mut self, area: &Area, node: NodeId, walk: &Walk) -> Result<Vec<Reg>, Failure> {
        let mut args = Vec::new();
        for var in area.parameters(self, node) {
            let value = walk.vars.get(var.index()).cloned().flatten();
            let value = value.ok_or_else(|| Failure::new("a variable has no value").at(self.var_name(var)))?;
            args.push(self.register(&value)?);
        }
        args.extend(walk.own(area));
        Ok(args)
    }

    fn number_of_procedure(&mut self, area: &Rc<Area>, node: NodeId, params: usize) -> FnId {
        if let Some(&id) = self.searches.procedures.get(&(area.goal, node)) {
            return id;
        }
        let id = self.program.functions.len() as FnId;
        let params = params as u32;
        let body = Block { insts: vec![Inst::Let { to: params, op: Op::Const(0) }], yields: vec![params] };
        self.program.functions.push(Function { name: String::new(), params, registers: params + 1, body });
        self.searches.procedures.insert((area.goal, node), id);
        self.searches.queue.push((area.clone(), node, id));
        id
    }

    /// The body of a procedure. A check that was here before finds nothing new.
    pub(super) fn marked(&mut self, area: &Rc<Area>, node: NodeId, walk: Walk) -> Result<Found, Failure> {
        let Some(mark) = area.mark(node) else { return self.search_from(area, node, walk, At::Begin) };
        let at = self.word_of(mark, &walk)?;
        let mark = self.peek_at(at);
        let seen = self.function.builder.op(Op::Eq(mark, walk.scope));
        self.open();
        let nothing = self.nothing(&walk);
        let then = self.close(nothing);
        self.open();
        self.poke_at(at, walk.scope);
        let found = self.search_from(area, node, walk, At::Begin)?;
        let other = self.close(found);
        Ok(self.function.builder.if_else(seen, then, other))
    }

    /// The address of the word that a walk's values of some variables have.
    pub(super) fn word_of(&mut self, (base, vars): &Mark, walk: &Walk) -> Result<Reg, Failure> {
        let mut key = self.function.builder.constant(0);
        for (var, size) in vars {
            let value = walk.vars.get(var.index()).cloned().flatten().unwrap_or(Val::Const(0));
            let (size, value) = (self.function.builder.constant(*size), self.register(&value)?);
            let scaled = self.function.builder.op(Op::Mul(key, size));
            key = self.function.builder.op(Op::Add(scaled, value));
        }
        let base = self.function.builder.constant(u64::from(*base));
        Ok(self.function.builder.op(Op::Add(base, key)))
    }

    /// Whether something is found, where that is all there is to say.
    pub(super) fn first_result(found: &Found) -> Result<Reg, Failure> {
        found.first().copied().ok_or_else(|| Failure::new("a block has no result"))
    }

    /// What is found, and that the procedure does not begin anew if this is the last thing that it does.
    pub(super) fn ended_with(&mut self, walk: &Walk, found: Reg) -> Found {
        let mut all = vec![found];
        if let Some((_, params)) = &walk.tail {
            all.push(self.function.builder.constant(0));
            all.extend(params);
        }
        all
    }

    pub(super) fn nothing(&mut self, walk: &Walk) -> Found {
        let zero = self.function.builder.constant(0);
        self.ended_with(walk, zero)
    }

    /// Everything from a node on: whether it has found what is searched.
    pub(super) fn search_from(&mut self, area: &Rc<Area>, node: NodeId, walk: Walk, at: At) -> Result<Found, Failure> {
        self.fits()?;
        if area.goal == Goal::Check(node) || area.is_certain(node) {
            return self.certain_end(area, &walk);
        }
        let long = walk.steps > MAX_STEPS || self.function.builder.depth() > MAX_NESTED;
        if at == At::Inside && (area.heads.contains(&node) || long) {
            if walk.tail.as_ref().is_some_and(|&(begin, _)| begin == node) {
                let walk = self.with_room(&walk);
                let walk = self.numbered((area, node), &walk);
                let mut all = vec![self.function.builder.constant(0), self.function.builder.constant(1)];
                all.extend(self.arguments(area, node, &walk)?);
                return Ok(all);
            }
            let found = self.call_search(area, node, &walk)?;
            return Ok(self.ended_with(&walk, found));
        }
        let ways = area.ways(self, node);
        let bits = Self::bits(ways.len());
        let Some((&last, others)) = ways.split_last() else { return Ok(self.nothing(&walk)) };
        if others.is_empty() {
            return self.follow(area, last, walk);
        }
        let walk = self.numbered((area, node), &walk);
        let replays = matches!(area.goal, Goal::Make | Goal::Label);
        match area.parting(self, node) {
            Parting::Tests { exhaustive } => return self.part(area, &ways, walk, exhaustive || replays),
            Parting::Checks if !replays => return self.part_by_check(area, &ways, walk),
            Parting::Checks | Parting::Open => {}
        }
        match area.goal {
            Goal::Make | Goal::Label => {
                let (digit, walk) = self.digit(area, &walk, bits);
                let mut cases = Vec::new();
                for &way in &ways {
                    self.open();
                    let found = self.follow(area, way, walk.clone())?;
                    cases.push(self.close(found));
                }
                let results = cases.first().map_or(1, |case| case.yields.len());
                Ok(self.function.builder.switch(digit, cases, results))
            }
            Goal::List(_) => {
                for (number, &way) in (0..).zip(others) {
                    let walk = self.with_digit(&walk.inside(), &Val::Const(number), bits)?;
                    self.follow(area, way, walk)?;
                }
                let walk = self.with_digit(&walk, &Val::Const(others.len() as u32), bits)?;
                self.follow(area, last, walk)
            }
            Goal::Nth(_) | Goal::Tail | Goal::Keep | Goal::Check(_) => {
                let mut found = self.function.builder.constant(0);
                for &way in others {
                    let inside = walk.inside();
                    found = self.unless_found(found, |lifter| {
                        let found = lifter.follow(area, way, inside)?;
                        Self::first_result(&found)
                    })?;
                }
                match self.function.builder.constant_of(found) {
                    Some(0) => return self.follow(area, last, walk),
                    Some(_) => return Ok(self.ended_with(&walk, found)),
                    None => {}
                }
                self.open();
                let one = self.function.builder.constant(1);
                let one = self.ended_with(&walk, one);
                let then = self.close(one);
                self.open();
                let more = self.follow(area, last, walk)?;
                let other = self.close(more);
                Ok(self.function.builder.if_else(found, then, other))
            }
        }
    }

    /// What a search does where the rest of the walk is certain: it records the move, or has found that there is a walk.
    fn certain_end(&mut self, area: &Area, walk: &Walk) -> Result<Found, Failure> {
        let found = match area.goal {
            Goal::List(labels) => {
                let walk = self.with_room(walk);
                self.record_move(labels, &walk)?
            }
            Goal::Check(_) => self.function.builder.constant(1),
            Goal::Nth(_) | Goal::Make | Goal::Label | Goal::Tail | Goal::Keep => {
                return Err(Failure::new("the rest of a move has to be made"));
            }
        };
        Ok(self.ended_with(walk, found))
    }

    /// Goes the one way whose comparison holds; the last one untested if one of them is known to hold.
    fn part(&mut self, area: &Rc<Area>, ways: &[EdgeId], walk: Walk, one_holds: bool) -> Result<Found, Failure> {
        let Some((&way, others)) = ways.split_first() else { return Ok(self.nothing(&walk)) };
        let label = self.game.automaton.edge(way).label;
        let (Label::Compare { lhs, rhs, negated }, false) = (label, others.is_empty()) else {
            return if one_holds { self.pass(area, way, walk) } else { self.follow(area, way, walk) };
        };
        let holds = self.test_of(&walk, lhs, rhs)?;
        let here = walk.clone();
        let on = |lifter: &mut Self| lifter.pass(area, way, here);
        self.one_of((holds, negated), on, |lifter| lifter.part(area, others, walk, one_holds))
    }

    /// Goes one way if a check holds, the other one if not.
    fn part_by_check(&mut self, area: &Rc<Area>, ways: &[EdgeId], walk: Walk) -> Result<Found, Failure> {
        let &[way, other] = ways else { return Err(Failure::new("a check has one negation")) };
        let Label::Reach { from, to, negated } = self.game.automaton.edge(way).label else {
            return Err(Failure::new("a check has one negation"));
        };
        let holds = self.check_search(from, to, &walk)?;
        let numbered = |lifter: &mut Self, number: u32| match area.goal {
            Goal::List(_) => lifter.with_digit(&walk, &Val::Const(number), 1),
            _ => Ok(walk.clone()),
        };
        let on = |lifter: &mut Self| {
            let walk = numbered(lifter, 0)?;
            lifter.pass(area, way, walk)
        };
        let off = |lifter: &mut Self| {
            let walk = numbered(lifter, 1)?;
            lifter.pass(area, other, walk)
        };
        self.one_of((holds, negated), on, off)
    }

    /// One of two parts of a walk.
    fn one_of(
        &mut self,
        (holds, negated): (Reg, bool),
        on: impl FnOnce(&mut Self) -> Result<Found, Failure>,
        off: impl FnOnce(&mut Self) -> Result<Found, Failure>,
    ) -> Result<Found, Failure> {
        match self.function.builder.constant_of(holds) {
            Some(constant) if (constant != 0) != negated => return on(self),
            Some(_) => return off(self),
            None => {}
        }
        self.open();
        let found = on(self)?;
        let on = self.close(found);
        self.open();
        let found = off(self)?;
        let off = self.close(found);
        let (then, other) = if negated { (off, on) } else { (on, off) };
        Ok(self.function.builder.if_else(holds, then, other))
    }

    /// Tries something if nothing has been found yet.
    pub(super) fn unless_found(
        &mut self,
        found: Reg,
        attempt: impl FnOnce(&mut Self) -> Result<Reg, Failure>,
    ) -> Result<Reg, Failure> {
        match self.function.builder.constant_of(found) {
            Some(0) => return attempt(self),
            Some(_) => return Ok(found),
            None => {}
        }
        self.open();
        let one = self.function.builder.constant(1);
        let then = self.close(vec![one]);
        self.open();
        let more = attempt(self)?;
        let other = self.close(vec![more]);
        let found = self.function.builder.if_else(found, then, other);
        Self::first_result(&found)
    }

    /// Everything from an edge on.
    fn follow(&mut self, area: &Rc<Area>, id: EdgeId, walk: Walk) -> Result<Found, Failure> {
        let source = self.game.automaton.edge(id).source;
        self.follow_edge(area, id, walk).map_err(|failure| failure.at(self.game.node_name(source)))
    }

    fn follow_edge(&mut self, area: &Rc<Area>, id: EdgeId, mut walk: Walk) -> Result<Found, Failure> {
        let edge = self.game.automaton.edge(id);
        let (label, target) = (edge.label, edge.target);
        if area.ends(self, id) {
            let found = self.arrived(area, id, walk.clone())?;
            return Ok(self.ended_with(&walk, found));
        }
        let label = self.full_label(area.goal, id).unwrap_or(label);
        let replays = matches!(area.goal, Goal::Make | Goal::Label);
        if !matches!(label, Label::Compare { .. } | Label::Reach { .. }) {
            walk.steps += 1;
        }
        match label {
            Label::Skip => self.search_from(area, target, walk, At::Inside),
            Label::Tag(_) | Label::TagVar(_) => {
                self.show(area, &mut walk, label)?;
                self.open_scope(area, id, &mut walk);
                self.search_from(area, target, walk, At::Inside)
            }
            Label::Compare { lhs, rhs, negated } => {
                if replays {
                    return self.pass(area, id, walk);
                }
                let holds = self.test_of(&walk, lhs, rhs)?;
                let before = walk.clone();
                self.guarded(&before, holds, negated, |lifter| lifter.pass(area, id, walk))
            }
            Label::Reach { from, to, negated } => {
                if replays {
                    return self.pass(area, id, walk);
                }
                let walk = self.numbered((area, edge.source), &walk);
                let holds = self.check_search(from, to, &walk)?;
                let before = walk.clone();
                self.guarded(&before, holds, negated, |lifter| lifter.pass(area, id, walk))
            }
            Label::Assign { lhs, rhs } => {
                let (Expr::Var(var), keys) = path(self.game, lhs) else {
                    return Err(Failure::new("something else than a variable is assigned to"));
                };
                if !area.is_live(self, target, var) {
                    self.open_scope(area, id, &mut walk);
                    return self.search_from(area, target, walk, At::Inside);
                }
                if let Some(maps) = self.whole_maps(lhs, rhs)? {
                    let write =
                        |lifter: &mut Self, walk: &mut Walk, undo: &mut Undo| lifter.copy_map(walk, &maps, undo);
                    return self.written_walk(area, target, walk, write);
                }
                let class = self.class_of_var(var)?;
                let value = self.number_of_expr(&walk, rhs, class)?;
                let value = value.ok_or_else(|| Failure::new("a value without a number is assigned"))?;
                self.assigned_walk(area, target, walk, (var, &keys), value)
            }
            Label::AssignAny { .. } => self.any(area, id, walk),
        }
    }

    /// A scope begins behind an edge whose write is left out, or that shows a tag, if marks have to tell what it does.
    pub(super) fn open_scope(&self, area: &Area, id: EdgeId, walk: &mut Walk) {
        if area.opens(self, id) && walk.due == Due::Nothing {
            walk.due = Due::Scope;
        }
    }

    /// Everything behind a test that holds.
    fn pass(&mut self, area: &Rc<Area>, id: EdgeId, mut walk: Walk) -> Result<Found, Failure> {
        let edge = self.game.automaton.edge(id);
        let (label, target) = (edge.label, edge.target);
        walk.steps += 1;
        if let Label::Compare { lhs, rhs, negated: false } = label {
            self.learn_equal(&mut walk, lhs, rhs)?;
        }
        self.search_from(area, target, walk, At::Inside)
    }

    /// A part of a walk that is behind a test.
    pub(super) fn guarded(
        &mut self,
        before: &Walk,
        holds: Reg,
        negated: bool,
        rest: impl FnOnce(&mut Self) -> Result<Found, Failure>,
    ) -> Result<Found, Failure> {
        match self.function.builder.constant_of(holds) {
            Some(constant) if (constant != 0) != negated => return rest(self),
            Some(_) => return Ok(self.nothing(before)),
            None => {}
        }
        self.open();
        let found = rest(self)?;
        let on = self.close(found);
        self.open();
        let nothing = self.nothing(before);
        let off = self.close(nothing);
        let (then, other) = if negated { (off, on) } else { (on, off) };
        Ok(self.function.builder.if_else(holds, then, other))
    }

    /// The walk after an assignment, which is undone.
    pub(super) fn assigned_walk(
        &mut self,
        area: &Rc<Area>,
        target: NodeId,
        mut walk: Walk,
        (var, keys): (VarId, &[ExprId]),
        value: Val,
    ) -> Result<Found, Failure> {
        if keys.is_empty() {
            self.assign(&mut walk, (var, keys), value, &mut Undo::new())?;
            return self.search_from(area, target, walk, At::Inside);
        }
        self.written_walk(area, target, walk, |lifter, walk, undo| lifter.assign(walk, (var, keys), value, undo))
    }

    /// The walk after a write to a map, which is undone.
    fn written_walk(
        &mut self,
        area: &Rc<Area>,
        target: NodeId,
        mut walk: Walk,
        write: impl FnOnce(&mut Self, &mut Walk, &mut Undo) -> Result<(), Failure>,
    ) -> Result<Found, Failure> {
        let mut undo = Undo::new();
        write(self, &mut walk, &mut undo)?;
        // A move that is made undoes nothing.
        if undo.is_empty() || matches!(area.goal, Goal::Make | Goal::Label) {
            let walk = Walk { due: Due::ScopeAndVersion, ..walk };
            return self.search_from(area, target, walk, At::Inside);
        }
        let before = walk.clone();
        let walk = Walk { due: Due::ScopeAndVersion, ..walk.inside() };
        let found = self.search_from(area, target, walk, At::Inside)?;
        let found = Self::first_result(&found)?;
        self.undo(&undo);
        Ok(self.ended_with(&before, found))
    }

    /// The edge that ends the search.
    fn arrived(&mut self, area: &Rc<Area>, id: EdgeId, walk: Walk) -> Result<Reg, Failure> {
        match area.goal {
            Goal::List(labels) => {
                let walk = self.with_room(&walk);
                self.record_move(labels, &walk)
            }
            Goal::Nth(_) => self.arrived_nth(area, id, walk),
            Goal::Label | Goal::Tail => {
                let end = self.function.builder.constant(0);
                self.put_tag(walk.next, end);
                Ok(self.function.builder.constant(1))
            }
            Goal::Check(_) => Err(Failure::new("a check ends with a move")),
            Goal::Make | Goal::Keep => self.make_end(area, id, walk),
        }
    }

    /// Makes the edge that ends a move, and the keeper's moves that follow.
    pub(super) fn make_end(&mut self, area: &Area, id: EdgeId, mut walk: Walk) -> Result<Reg, Failure> {
        let edge = self.game.automaton.edge(id);
        let (Label::Assign { lhs, rhs }, target) = (edge.label, edge.target) else {
            return Err(Failure::new("a player is chosen"));
        };
        let (Expr::Var(var), keys) = path(self.game, lhs) else {
            return Err(Failure::new("something else than a variable is assigned to"));
        };
        let class = self.class_of_var(var)?;
        let value = self.number_of_expr(&walk, rhs, class)?;
        let value = value.ok_or_else(|| Failure::new("a value without a number is assigned"))?;
        self.assign(&mut walk, (var, &keys), value, &mut Undo::new())?;
        let (_, keepers) = self.led_to(id);
        if area.goal == Goal::Keep || !keepers {
            return self.finish(target, &walk);
        }
        let keeper = self.area(Goal::Keep)?;
        if !keeper.region.contains(target) {
            return Err(Failure::new("the keeper has no move").at(self.game.node_name(target)));
        }
        let walk = Walk { due: Due::ScopeAndVersion, ..walk };
        self.call_search(&keeper, target, &walk)
    }
}
