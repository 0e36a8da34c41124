//! The update of the state after a joint move: all effects, in an order in which every condition reads the old state.

use super::Lift;
use super::effects::{Effect, Scene};
use super::layout::Layout;
use super::query::{Query, Step, Stop};
use crate::flat::{Arg, Rule};
use rg_ir::ids::{ExprId, VarId};
use rg_ir::{Expr, Label, Span};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Lift<'_, '_> {
    /// The steps from the old state to the next one.
    pub(super) fn update(&mut self, scene: &mut Scene) -> Result<Vec<Step>, Stop> {
        let (mut effects, mut copies) = (Vec::new(), Vec::new());
        for fluent in 0..self.context.flat.fluents.len() {
            let Some(layout) = self.layouts.get(fluent).cloned().flatten() else { continue };
            let rules = self.instances(fluent, scene);
            if layout.key_dom.is_none() {
                effects.push(self.keyless(fluent, &layout, &rules, scene)?);
                continue;
            }
            let used = scene.used.clone();
            match self.keyed_effects(fluent, &rules, scene) {
                Ok(list) => effects.extend(list),
                Err(Stop::Undetermined) => {
                    scene.used = used;
                    let (effect, copy) = self.everywhere(&layout, &rules, scene)?;
                    effects.push(effect);
                    copies.push(copy);
                }
                Err(stop) => return Err(stop),
            }
        }
        self.ordered(effects, copies)
    }

    /// The effect on a fluent without a key: the first of its rules that fires says the value; without one, there is none.
    fn keyless(&mut self, fluent: usize, layout: &Layout, rules: &[Rule], scene: &mut Scene) -> Result<Effect, Stop> {
        let (mut ways, mut tests, mut reads) = (Vec::new(), Vec::new(), FxHashSet::default());
        for rule in rules {
            let body = self.reduced(rule.vars, &rule.body, scene);
            let mut query = self.scene_query(rule, body.clone(), scene);
            match self.assignment(&mut query, layout, &rule.head.args, layout.expr) {
                Ok(write) => {
                    reads.extend(self.reads(&body));
                    tests.push(query.steps.clone());
                    ways.push((query.steps, write));
                }
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        let sure = ways.iter().position(|(steps, _)| steps.iter().all(is_sure));
        if let (Some(sure), 1) = (sure, ways.len())
            && let Some((prelude, write)) = ways.get(sure).cloned()
        {
            return Ok(Effect { prelude, write: vec![write], reads, writes: Some(fluent) });
        }
        let mut all: Vec<Vec<Step>> = ways
            .into_iter()
            .map(|(mut steps, write)| {
                steps.push(write);
                steps
            })
            .collect();
        if sure.is_none() && !layout.total {
            let rhs = self.voc.symbol_expr(layout.null);
            let mut none = Vec::new();
            if !tests.is_empty() {
                none.push(Step::Check { steps: vec![Step::Any(tests)], negated: true });
            }
            none.push(Step::Do(Label::Assign { lhs: layout.expr, rhs }));
            all.push(none);
        }
        if all.is_empty() {
            return Err(Stop::Unsupported("a fluent that always has a value has no next one".to_owned()));
        }
        Ok(Effect { prelude: Vec::new(), write: vec![Step::Any(all)], reads, writes: Some(fluent) })
    }

    fn scene_query(&self, rule: &Rule, body: Vec<crate::flat::Literal>, scene: &Scene) -> Query {
        let mut query = Query::new(rule.vars, body);
        query.done = Rc::clone(&scene.done);
        query.used = scene.used.clone();
        query
    }

    /// Computes every cell of a map into a second one; the step that copies that comes after everything else.
    fn everywhere(&mut self, layout: &Layout, rules: &[Rule], scene: &mut Scene) -> Result<(Effect, Step), Stop> {
        let Some(dom) = layout.key_dom else { return Err(Stop::Undetermined) };
        let next = self.shadow(layout);
        let next_map = self.voc.game.exprs.intern(Expr::Var(next));
        let number = scene.used.entry(dom).or_insert(0);
        *number += 1;
        let number = *number - 1;
        let slot = self.temporary(dom, number);
        let key_expr = self.voc.slot_expr(slot);
        let lhs = self.voc.access(next_map, key_expr);
        let (mut all, mut tests, mut reads) = (Vec::new(), Vec::new(), FxHashSet::default());
        let mut sure = false;
        for rule in rules {
            let body = self.reduced(rule.vars, &rule.body, scene);
            reads.extend(self.reads(&body));
            let mut query = self.scene_query(rule, body, scene);
            let own = query.fresh(u32::try_from(layout.key.len()).unwrap_or(0));
            let key: Vec<Arg> = (own..).take(layout.key.len()).map(Arg::Var).collect();
            self.bind_tuple(&mut query, &key, slot);
            let mut possible = Ok(());
            for (&own, &place) in key.iter().zip(&layout.key) {
                if let Some(&arg) = rule.head.args.get(place) {
                    possible = possible.and_then(|()| self.equate(&mut query, own, arg));
                }
            }
            let value: Vec<Arg> = layout.value.iter().filter_map(|&place| rule.head.args.get(place).copied()).collect();
            query.needed.extend(value.iter().filter_map(|arg| arg.var()));
            match possible.and_then(|()| self.plan(&mut query)) {
                Ok(()) => {}
                Err(Stop::Never) => continue,
                Err(stop) => return Err(stop),
            }
            let (rhs, _) = self.tuple(&query, &value, layout.value_dom)?;
            match self.member_test(&query, &value, layout.value_dom) {
                Ok(None) => {}
                Ok(Some(test)) => {
                    let step = self.is_true(test);
                    query.steps.push(step);
                }
                Err(Stop::Never) => continue,
                Err(stop) => return Err(stop),
            }
            sure |= query.steps.iter().all(is_sure);
            tests.push(query.steps.clone());
            query.steps.push(Step::Do(Label::Assign { lhs, rhs }));
            all.push(query.steps);
        }
        if !sure {
            let mut none = Vec::new();
            if !tests.is_empty() {
                none.push(Step::Check { steps: vec![Step::Any(tests)], negated: true });
            }
            let rhs = self.voc.symbol_expr(layout.null);
            none.push(Step::Do(Label::Assign { lhs, rhs }));
            all.push(none);
        }
        let each = self.each(slot, dom, vec![Step::Any(all)]);
        let copy = Step::Do(Label::Assign { lhs: layout.expr, rhs: next_map });
        Ok((Effect { prelude: Vec::new(), write: vec![each], reads, writes: None }, copy))
    }

    /// Steps for every value of a slot.
    fn each(&mut self, slot: super::Slot, dom: super::Dom, steps: Vec<Step>) -> Step {
        let values = self.voc.tuples(dom).values.clone();
        let symbols: Vec<rg_ir::Symbol> = values.iter().map(|tuple| self.voc.symbol(tuple)).collect();
        let null = self.voc.null;
        let cells = symbols.iter().copied().skip(1).chain([null]).take(symbols.len()).collect();
        let or_null = self.voc.tuples(dom).or_null;
        let stem = format!("next_{}", self.voc.dom_name(dom).to_lowercase());
        let map = self.voc.map(&stem, &[dom], or_null, cells, null);
        let key = self.voc.slot_expr(slot);
        let next = self.voc.access(map, key);
        let first = self.voc.symbol_expr(symbols.first().copied().unwrap_or(null));
        let null = self.voc.symbol_expr(null);
        Step::Each { slot, first, next, null, steps }
    }

    /// A second variable of the same type.
    fn shadow(&mut self, layout: &Layout) -> VarId {
        if let Some(&next) = self.shadows.get(&layout.var) {
            return next;
        }
        let decl = &self.voc.vars()[layout.var];
        let (name, initial) = (self.voc.game.name(decl.name).to_owned(), decl.initial.clone());
        let name = self.voc.name(&format!("next_{name}"));
        let next = self.voc.game.add_var(name, layout.ty, initial, Span::NONE);
        self.shadows.insert(layout.var, next);
        next
    }

    /// Effects in an order in which no condition reads what was written before. Where there is none, conditions come
    /// before all assignments, or assignments go to second variables.
    fn ordered(&mut self, effects: Vec<Effect>, mut copies: Vec<Step>) -> Result<Vec<Step>, Stop> {
        let mut steps = Vec::new();
        let mut shadowed: FxHashSet<usize> = FxHashSet::default();
        let mut left: Vec<Effect> = effects;
        while !left.is_empty() {
            // An effect waits for those that read what it writes, and for earlier ones on the same fluents.
            let waits = |index: usize, effect: &Effect| {
                let Some(written) = effect.writes else { return false };
                left.iter().enumerate().any(|(other, earlier)| {
                    let reads = earlier.reads.contains(&written) && !shadowed.contains(&written);
                    other != index && (reads || (other < index && earlier.writes == Some(written)))
                })
            };
            let ready = left.iter().enumerate().position(|(index, effect)| !waits(index, effect));
            if let Some(index) = ready {
                let effect = left.remove(index);
                let written = effect.writes.filter(|fluent| shadowed.contains(fluent));
                let mut block = self.block(&effect);
                if let Some(layout) = written.and_then(|fluent| self.layouts.get(fluent).cloned().flatten()) {
                    let next = self.shadow(&layout);
                    block = block.iter().map(|step| self.retarget(step, layout.var, next)).collect();
                }
                steps.extend(block);
                continue;
            }
            if left.iter().all(|effect| effect.prelude.iter().chain(&effect.write).all(is_sure)) {
                left.iter().for_each(|effect| steps.extend(effect.prelude.iter().cloned()));
                left.iter().for_each(|effect| steps.extend(effect.write.iter().cloned()));
                break;
            }
            let read: FxHashSet<usize> = left.iter().flat_map(|effect| effect.reads.iter().copied()).collect();
            let Some(fluent) = left
                .iter()
                .filter_map(|effect| effect.writes)
                .find(|fluent| read.contains(fluent) && !shadowed.contains(fluent))
            else {
                return Err(Stop::Unsupported("effects have no order".to_owned()));
            };
            shadowed.insert(fluent);
            let Some(layout) = self.layouts.get(fluent).cloned().flatten() else { continue };
            let next = self.shadow(&layout);
            let (lhs, rhs) = (self.voc.game.exprs.intern(Expr::Var(next)), layout.expr);
            steps.push(Step::Do(Label::Assign { lhs, rhs }));
            copies.push(Step::Do(Label::Assign { lhs: rhs, rhs: lhs }));
        }
        steps.extend(copies);
        Ok(steps)
    }

    /// An effect on its own: nothing, if its conditions do not hold.
    fn block(&mut self, effect: &Effect) -> Vec<Step> {
        let mut steps = effect.prelude.clone();
        steps.extend(effect.write.iter().cloned());
        if effect.prelude.iter().all(is_sure) {
            return steps;
        }
        let otherwise = vec![Step::Check { steps: effect.prelude.clone(), negated: true }];
        vec![Step::Any(vec![steps, otherwise])]
    }

    /// The step with assignments to one variable as assignments to another.
    fn retarget(&mut self, step: &Step, from: VarId, to: VarId) -> Step {
        match step {
            Step::Do(Label::Assign { lhs, rhs }) => {
                Step::Do(Label::Assign { lhs: self.moved(*lhs, from, to), rhs: *rhs })
            }
            Step::Any(ways) => Step::Any(
                ways.iter().map(|way| way.iter().map(|step| self.retarget(step, from, to)).collect()).collect(),
            ),
            other => other.clone(),
        }
    }

    fn moved(&mut self, lhs: ExprId, from: VarId, to: VarId) -> ExprId {
        let expr = match self.voc.game.exprs.get(lhs) {
            Expr::Var(var) if var == from => Expr::Var(to),
            Expr::Access(map, key) => Expr::Access(self.moved(map, from, to), key),
            other => other,
        };
        self.voc.game.exprs.intern(expr)
    }
}

/// Whether a step is always possible, and in one way.
pub(super) fn is_sure(step: &Step) -> bool {
    matches!(step, Step::Do(Label::Assign { .. } | Label::Skip))
}
