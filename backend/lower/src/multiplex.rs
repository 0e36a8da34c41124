//! Lanes of which only one can be walked, as one lane.

use super::Lifter;
use super::lane::{GenId, Lane, Sets, Step, Store, Val};
use super::sets::Set;
use rg_ir::{EdgeId, Label};
use std::rc::Rc;
use wir::{Op, Reg};

/// Most edges between a write and the end of a move.
const MAX_BEHIND: usize = 16;

impl Lifter<'_> {
    /// The lane as one walk: in a search that can have one outcome only, the one choice that is left is taken.
    pub(super) fn single(&mut self, mut lane: Lane) -> Option<Lane> {
        let Some(generator) = lane.generator.clone() else { return Some(lane) };
        if self.drop_generator(&mut lane) {
            return Some(lane);
        }
        if self.function.pinned.contains(&generator.id) {
            return None;
        }
        if !self.takes_first(&lane, generator.id) {
            let several = self.several(&generator.set);
            self.function.builder.exit_if(several);
        }
        let guard = self.is_any(&generator.set);
        let element = self.function.builder.lowest(&generator.set);
        let mut lane = self.fixed(&lane, element).ok()?;
        lane.guard = guard;
        Some(lane)
    }

    /// Whether the keeper makes the move of the first choice on a lane, as searches do: he may choose, all of his move has
    /// been walked since, and the choices are numbered in the order in which a search tries them.
    fn takes_first(&self, lane: &Lane, choice: GenId) -> bool {
        if !self.known.keeper_may_choose || !self.function.keeper || self.known.strict || self.check.nested > 0 {
            return false;
        }
        let steps = self.function.paths.steps(lane.path);
        let at = steps.iter().rposition(|step| matches!(step, Step::Choose(_, id) if *id == choice));
        let Some((Step::Choose(edge, _), after)) = at.and_then(|at| steps.get(at..)?.split_first()) else {
            return false;
        };
        let label = |edge: EdgeId| self.game.automaton.edge(edge).label;
        let is_made = |step: &Step| matches!(step, Step::Edge(edge) if self.game.ends_move(&label(*edge)));
        let Label::AssignAny { lhs, ty } = label(*edge) else { return false };
        let Ok(Some(class)) = self.class_of(lhs) else { return false };
        let members = self.game.types.members(ty).iter().map(|&symbol| self.known.numbers.number(class, symbol));
        // Nothing is done behind the end of the move.
        let ends = after.last().is_some_and(is_made)
            || after.iter().rev().find_map(|step| self.ends_behind(step)) == Some(true);
        ends && members.is_sorted_by(|a, b| a.is_some() && a < b)
    }

    /// Whether a walk surely ends its move behind an edge.
    fn ends_behind(&self, step: &Step) -> Option<bool> {
        let Step::Edge(edge) = *step else { return None };
        let mut node = self.game.automaton.edge(edge).target;
        for _ in 0..MAX_BEHIND {
            let &[next] = self.game.automaton.outgoing(node) else { return Some(false) };
            let edge = self.game.automaton.edge(next);
            match edge.label {
                _ if self.game.ends_move(&edge.label) => return Some(true),
                Label::Skip | Label::Assign { .. } | Label::Tag(_) | Label::TagVar(_) => node = edge.target,
                Label::Compare { .. } | Label::Reach { .. } | Label::AssignAny { .. } => return Some(false),
            }
        }
        Some(false)
    }

    /// Whether a set has more than one element.
    pub(super) fn several(&mut self, set: &Set) -> Reg {
        let bits: u32 = set.iter().map(|&word| self.function.builder.possible_bits(word).count_ones()).sum();
        if bits < 2 {
            return self.function.builder.constant(0);
        }
        let one = self.function.builder.constant(1);
        let zero = self.function.builder.constant(0);
        if let [word] = set[..] {
            let less = self.function.builder.op(Op::Sub(word, one));
            let rest = self.function.builder.and(word, less);
            return self.function.builder.op(Op::Ne(rest, zero));
        }
        let mut count = zero;
        for &word in set.iter() {
            let bits = self.function.builder.op(Op::Count(word));
            count = self.function.builder.op(Op::Add(count, bits));
        }
        self.function.builder.op(Op::Less(one, count))
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
        let both = self.function.builder.and(a.guard, b.guard);
        let differ = a.vars != b.vars;
        if (differ || self.known.strict && self.check.nested == 0) && !a.excludes(&b) {
            self.function.builder.exit_if(both);
        }
        lane.guard = self.function.builder.or(a.guard, b.guard);
        for (slot, other) in lane.vars.iter_mut().zip(&b.vars) {
            let builder = &mut self.function.builder;
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
                            false => self.function.builder.op(Op::Select(b.guard, y, x)),
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
