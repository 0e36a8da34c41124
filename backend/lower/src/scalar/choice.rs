//! Choices: the digits of a move's word, and assignments of any member of a type.

use super::super::lane::Val;
use super::super::layout::Kind;
use super::super::numbers::path;
use super::super::{Failure, Lifter};
use super::area::Area;
use super::walk::{At, Found};
use super::{Goal, SPARE_BITS, Walk};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId, VarId};
use std::rc::Rc;
use wir::{Inst, Op, Reg};

/// Up to how many values a choice is written anew for each, where the first one that leads on is enough.
const FEW: u32 = 4;

impl Lifter<'_> {
    /// The next choice of the move that is made: the highest bits of its code that are left.
    pub(super) fn digit(&mut self, area: &Area, walk: &Walk, bits: u32) -> (Reg, Walk) {
        debug_assert!(matches!(area.goal, Goal::Make | Goal::Label), "only moves that are made have choices to come");
        let bits_of = self.function.builder.constant(u64::from(bits));
        let left = self.function.builder.op(Op::Sub(walk.left, bits_of));
        let moved = self.function.builder.op(Op::Shr(walk.code, left));
        let mask = self.function.builder.constant((1u64 << bits) - 1);
        let digit = self.function.builder.and(moved, mask);
        (digit, Walk { left, ..walk.clone() })
    }

    /// The walk with one more choice. Of walks with too many choices for a word, only that is known.
    pub(super) fn with_digit(&mut self, walk: &Walk, digit: &Val, bits: u32) -> Result<Walk, Failure> {
        let digit = self.register(digit)?;
        let (mut code, mut untested) = (walk.code, walk.untested + bits);
        if untested > SPARE_BITS {
            let full = self.function.builder.op(Op::ShrBy(walk.code, self.code_bits().saturating_sub(bits)));
            code = self.too_long(code, full, bits);
            untested = 0;
        }
        let moved = self.function.builder.op(Op::ShlBy(code, bits));
        let code = self.function.builder.or(moved, digit);
        Ok(Walk { code, untested, ..walk.clone() })
    }

    /// The walk, if the choices so far have room in a word; else all that is known of it is that they have not.
    pub(super) fn with_room(&mut self, walk: &Walk) -> Walk {
        if walk.untested == 0 {
            return walk.clone();
        }
        let full = self.function.builder.op(Op::ShrBy(walk.code, self.code_bits()));
        Walk { code: self.too_long(walk.code, full, 0), untested: 0, ..walk.clone() }
    }

    /// An assignment of any member of a type: all of them, one after the other.
    pub(super) fn any(&mut self, area: &Rc<Area>, id: EdgeId, walk: Walk) -> Result<Found, Failure> {
        let edge = self.game.automaton.edge(id);
        let (Label::AssignAny { lhs, ty }, target) = (edge.label, edge.target) else {
            return Err(Failure::new("any member of a type is assigned"));
        };
        let (Expr::Var(var), keys) = path(self.game, lhs) else {
            return Err(Failure::new("something else than a variable is assigned to"));
        };
        let class = self.class_of_var(var)?;
        let bits = Self::bits(self.known.numbers.size(class));
        let live = area.is_live(self, target, var);
        if matches!(area.goal, Goal::Make | Goal::Label) {
            let (digit, walk) = self.digit(area, &walk, bits);
            if !live {
                return self.search_from(area, target, walk, At::Inside);
            }
            return self.assigned_walk(area, target, walk, (var, &keys), Val::Reg(digit));
        }
        let before = self.numbered((area, target), &walk);
        let walk = before.inside();
        let wanted = if keys.is_empty() { self.wanted_values(area, target, &walk, var)? } else { None };
        let zero = self.function.builder.constant(0);
        let mut found = zero;
        for (at, members) in (0u64..).zip(self.members_in(ty, class)) {
            let mut set = self.function.builder.constant(members);
            if let Some(wanted) = &wanted {
                let wanted = wanted.get(at as usize).copied().unwrap_or(zero);
                set = self.function.builder.and(set, wanted);
            }
            if self.function.builder.constant_of(set) == Some(0) {
                continue;
            }
            let each = |lifter: &mut Self, item: Reg| {
                let base = lifter.function.builder.constant(64 * at);
                let value = lifter.function.builder.or(item, base);
                let possible =
                    if keys.is_empty() { lifter.passes_some(area, target, &walk, var, value)? } else { None };
                let mut walk = if matches!(area.goal, Goal::List(_)) {
                    lifter.with_digit(&walk, &Val::Reg(value), bits)?
                } else {
                    walk.clone()
                };
                if !live {
                    lifter.open_scope(area, id, &mut walk);
                }
                let rest = |lifter: &mut Self| {
                    if live {
                        lifter.assigned_walk(area, target, walk, (var, &keys), Val::Reg(value))
                    } else {
                        lifter.search_from(area, target, walk, At::Inside)
                    }
                };
                let found = match possible {
                    Some(possible) => lifter.guarded(&before.inside(), possible, false, rest)?,
                    None => rest(lifter)?,
                };
                Self::first_result(&found)
            };
            if matches!(area.goal, Goal::List(_)) {
                self.open();
                let item = self.function.builder.fresh();
                self.function.builder.bound(item, 63);
                each(self, item)?;
                let body = self.close(Vec::new());
                self.function.builder.push(Inst::Each { set, item, carried: Vec::new(), body, to: Vec::new() });
            } else if let Some(few) = self.function.builder.constant_of(set).filter(|set| set.count_ones() <= FEW) {
                for value in (0..64).filter(|value| few >> value & 1 != 0) {
                    found = self.unless_found(found, |lifter| {
                        let item = lifter.function.builder.constant(value);
                        each(lifter, item)
                    })?;
                }
            } else {
                found = self.unless_found(found, |lifter| lifter.first_of(set, each))?;
            }
        }
        Ok(self.ended_with(&before, found))
    }

    /// Tries the elements of a set until something is found.
    fn first_of(
        &mut self,
        set: Reg,
        each: impl FnOnce(&mut Self, Reg) -> Result<Reg, Failure>,
    ) -> Result<Reg, Failure> {
        self.open();
        self.open();
        let rest = self.function.builder.fresh();
        let item = self.function.builder.op(Op::Lowest(rest));
        self.function.builder.bound(item, 63);
        let one = self.function.builder.constant(1);
        let less = self.function.builder.op(Op::Sub(rest, one));
        let next = self.function.builder.and(rest, less);
        let found = each(self, item)?;
        let zero = self.function.builder.constant(0);
        let more = self.function.builder.op(Op::Ne(next, zero));
        let goes_on = self.function.builder.and_not(more, found);
        let before = self.function.builder.fresh();
        let body = self.close(vec![goes_on, next, found]);
        let zero = self.function.builder.constant(0);
        let (left, result) = (self.function.builder.fresh(), self.function.builder.fresh());
        self.function.builder.bound(result, 1);
        let carried = vec![(rest, set), (before, zero)];
        self.function.builder.push(Inst::Loop { carried, body, to: vec![left, result] });
        let then = self.close(vec![result]);
        self.open();
        let zero = self.function.builder.constant(0);
        let other = self.close(vec![zero]);
        let found = self.function.builder.if_else(set, then, other);
        Self::first_result(&found)
    }

    /// The values for which one of the tests behind a choice holds, if there are only tests of a map at the value that is chosen.
    fn wanted_values(
        &mut self,
        area: &Rc<Area>,
        target: NodeId,
        walk: &Walk,
        var: VarId,
    ) -> Result<Option<Vec<Reg>>, Failure> {
        let mut all: Option<Vec<Reg>> = None;
        for id in area.ways(self, target) {
            let Label::Compare { lhs, rhs, negated: false } = self.game.automaton.edge(id).label else {
                return Ok(None);
            };
            let Some((map, value)) =
                self.test_at(lhs, rhs, var, Kind::Sets).or_else(|| self.test_at(rhs, lhs, var, Kind::Sets))
            else {
                return Ok(None);
            };
            let class = self.class_of_var(map)?;
            let Some(value) = self.number_of_expr(walk, value, class)? else { continue };
            let place = self.map_place(map)?;
            let words = (0..place.words()).map(|at| {
                let at = self.address(place, &value, &Val::Const(64 * at));
                self.peek_at(at)
            });
            let words: Vec<Reg> = words.collect();
            all = Some(match all {
                None => words,
                Some(all) => all.iter().zip(&words).map(|(&a, &b)| self.function.builder.or(a, b)).collect(),
            });
        }
        Ok(all)
    }

    /// Whether a value passes one of the tests behind its choice, if there are only tests of a map of single values at it.
    fn passes_some(
        &mut self,
        area: &Rc<Area>,
        target: NodeId,
        walk: &Walk,
        var: VarId,
        value: Reg,
    ) -> Result<Option<Reg>, Failure> {
        let ways = area.ways(self, target);
        let (mut tested, mut wanted) = (None, 0u64);
        for &id in &ways {
            let Label::Compare { lhs, rhs, negated: false } = self.game.automaton.edge(id).label else {
                return Ok(None);
            };
            let test = self.test_at(lhs, rhs, var, Kind::Cells).or_else(|| self.test_at(rhs, lhs, var, Kind::Cells));
            let Some((map, other)) = test else { return Ok(None) };
            let class = self.class_of_var(map)?;
            match self.number_of_expr(walk, other, class)? {
                Some(Val::Const(number)) if number < 64 => wanted |= 1 << number,
                None => {}
                _ => return Ok(None),
            }
            if *tested.get_or_insert(map) != map {
                return Ok(None);
            }
        }
        let Some(map) = tested.filter(|_| ways.len() > 1) else { return Ok(None) };
        let place = self.map_place(map)?;
        let base = self.function.builder.constant(u64::from(place.base));
        let index = self.index_of_number(map, Val::Reg(value))?;
        let index = self.register(&index)?;
        let at = self.function.builder.op(Op::Add(base, index));
        let (here, wanted) = (self.peek_at(at), self.function.builder.constant(wanted));
        let moved = self.function.builder.op(Op::Shr(wanted, here));
        let one = self.function.builder.constant(1);
        Ok(Some(self.function.builder.and(moved, one)))
    }

    /// The map and the value of a test `map[var] == value`, if it is one on a map of a kind, and the value is another.
    fn test_at(&self, lhs: ExprId, value: ExprId, var: VarId, kind: Kind) -> Option<(VarId, ExprId)> {
        let (Expr::Var(map), keys) = path(self.game, lhs) else { return None };
        let &[key] = &keys[..] else { return None };
        let is_var = path(self.game, key) == (Expr::Var(var), Vec::new());
        let sets = self.known.kinds.get(map.index()) == Some(&kind);
        (is_var && sets && !passes::effects::mentions(self.game, value, var)).then_some((map, value))
    }
}
