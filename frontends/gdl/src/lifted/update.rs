//! The update of the state after a joint move: all effects, in an order in which every condition reads the old state.

use super::Lift;
use super::effects::{Effect, Scene, keeps};
use super::layout::Layout;
use super::query::{Query, Step, Stop};
use super::vocabulary::{Dom, Slot};
use crate::flat::{Arg, Atom, Literal, Rule, renumber};
use crate::normal::TermId;
use rg_ir::ids::{ExprId, VarId};
use rg_ir::{Expr, Label, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a rule adds at a key.
struct AtKey {
    /// The steps that say whether it does.
    tests: Vec<Step>,
    value: ExprId,
    /// The kinds of fluents that it asks about.
    reads: FxHashSet<usize>,
}

fn with(mut steps: Vec<Step>, last: Step) -> Vec<Step> {
    steps.push(last);
    steps
}

impl Lift<'_, '_> {
    /// The steps from the old state to the next one.
    pub(super) fn update(&mut self, scene: &mut Scene) -> Result<Vec<Step>, Stop> {
        let (mut effects, mut copies) = (Vec::new(), Vec::new());
        for fluent in 0..self.context.flat.fluents.len() {
            let Some(layout) = self.layouts.get(fluent).cloned().flatten() else { continue };
            let rules = self.instances(fluent, scene);
            if layout.key_dom.is_none() {
                effects.extend(self.keyless(fluent, &layout, &rules, scene)?);
                continue;
            }
            let used = scene.used.clone();
            scene.spelt = false;
            match self.keyed_effects(fluent, &rules, scene) {
                Ok(list) => match self.cheaper_everywhere(&layout, &rules, &list, &used, scene)? {
                    Some((effect, copy)) => {
                        effects.push(effect);
                        copies.push(copy);
                    }
                    None => effects.extend(list),
                },
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

    /// The effect of looking at every key, if that costs less than effects of which some were written out for several values.
    fn cheaper_everywhere(
        &mut self,
        layout: &Layout,
        rules: &[Rule],
        list: &[Effect],
        used: &FxHashMap<Dom, usize>,
        scene: &mut Scene,
    ) -> Result<Option<(Effect, Step)>, Stop> {
        if !scene.spelt {
            return Ok(None);
        }
        let after = std::mem::replace(&mut scene.used, used.clone());
        let found = match self.everywhere(layout, rules, scene) {
            Ok(found) => Some(found),
            Err(Stop::Cases) => return Err(Stop::Cases),
            Err(_) => None,
        };
        // Conditions are asked twice: whether they hold, and whether they do not.
        let work = |effect: &Effect| {
            let asked = self.effort_of_update(&effect.prelude).work();
            2.0 * asked + self.effort_of_update(&effect.write).work()
        };
        let spelt: f64 = list.iter().map(work).sum();
        let found = found.filter(|(effect, _)| self.effort_of_update(&effect.write).work() < spelt);
        if found.is_none() {
            scene.used = after;
        }
        Ok(found)
    }

    /// Whether the only rule of a kind of fluents keeps all of them.
    fn stays(&self, fluent: usize, rule: &Rule, scene: &Scene) -> bool {
        let Some(truth) = self.context.flat.fluents.get(fluent).map(|fluent| fluent.truth) else { return false };
        let mut args: Vec<Arg> = rule.head.args.clone();
        args.sort_unstable();
        args.dedup();
        if args.len() < rule.head.args.len() || args.iter().any(|arg| arg.var().is_none()) || !keeps(truth, rule) {
            return false;
        }
        let own = vec![Literal::Pos(Atom { rel: truth, args: rule.head.args.clone() })];
        let (head, body, vars) = renumber(rule.head.clone(), own);
        // What must not hold is proven not to one by one.
        let reduced = Rule { body: self.reduced(rule.vars, &rule.body, &rule.head.args, scene), ..rule.clone() };
        self.always_one(&Rule { head, body, vars, span: rule.span }, &[&reduced], scene)
    }

    /// The effect on a fluent without a key: the first of its rules that fires says the value; without one, there is none.
    /// `None` if it stays as it is.
    fn keyless(
        &mut self,
        fluent: usize,
        layout: &Layout,
        rules: &[Rule],
        scene: &mut Scene,
    ) -> Result<Option<Effect>, Stop> {
        let (mut ways, mut tests, mut reads) = (Vec::new(), Vec::new(), FxHashSet::default());
        if let [rule] = rules
            && self.stays(fluent, rule, scene)
        {
            return Ok(None);
        }
        for rule in rules {
            let body = self.reduced(rule.vars, &rule.body, &rule.head.args, scene);
            let mut query = self.scene_query(rule, body.clone(), scene);
            match self.assignment(&mut query, layout, &rule.head.args, layout.expr) {
                Ok(write) => {
                    self.drop_sure(&mut query, &body, scene);
                    reads.extend(self.reads(&body));
                    tests.push(query.steps.clone());
                    ways.push((query.steps, write));
                }
                Err(Stop::Never) => {}
                Err(stop) => return Err(stop),
            }
        }
        // There is one value at most, so that one that there is in any case is that.
        let sure = ways.iter().find(|(steps, _)| steps.iter().all(is_sure)).cloned();
        if let Some((prelude, write)) = sure {
            return Ok(Some(Effect { prelude, write: vec![write], reads, writes: Some(fluent) }));
        }
        let mut all: Vec<Vec<Step>> = ways
            .into_iter()
            .map(|(mut steps, write)| {
                steps.push(write);
                steps
            })
            .collect();
        if !layout.total {
            let rhs = self.voc.symbol_expr(layout.null);
            let mut none = Vec::new();
            if !tests.is_empty() {
                none.push(Step::Check { steps: vec![Step::Any(tests)], negated: true });
            }
            none.push(Step::Do(Label::Assign { lhs: layout.expr, rhs }));
            all.push(none);
        }
        // It always has a next value: these moves are never made.
        if all.is_empty() {
            return Ok(None);
        }
        Ok(Some(Effect { prelude: Vec::new(), write: vec![Step::Any(all)], reads, writes: Some(fluent) }))
    }

    fn scene_query(&self, rule: &Rule, body: Vec<Literal>, scene: &Scene) -> Query {
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
        let (slot, lhs) = self.cell_in_slot(next_map, dom, scene);
        let (mut all, mut tests, mut reads) = (Vec::new(), Vec::new(), FxHashSet::default());
        let mut sure = false;
        for rule in rules {
            let Some(found) = self.at_key(layout, rule, slot, scene)? else { continue };
            reads.extend(found.reads);
            sure |= found.tests.iter().all(is_sure);
            tests.push(found.tests.clone());
            all.push(with(found.tests, Step::Do(Label::Assign { lhs, rhs: found.value })));
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
        let each = self.each(slot, dom, &[], vec![Step::Any(all)]);
        let copy = Step::Do(Label::Assign { lhs: layout.expr, rhs: next_map });
        Ok((Effect { prelude: Vec::new(), write: vec![each], reads, writes: None }, copy))
    }

    /// The effect of a rule that adds keys which only a search would find: a look at each key that it can add. `None` if it never fires.
    pub(super) fn addition_at_keys(
        &mut self,
        fluent: usize,
        layout: &Layout,
        rule: &Rule,
        scene: &mut Scene,
    ) -> Result<Option<Effect>, Stop> {
        let Some(dom) = layout.key_dom else { return Err(Stop::Undetermined) };
        let (slot, lhs) = self.cell_in_slot(layout.expr, dom, scene);
        let Some(found) = self.at_key(layout, rule, slot, scene)? else { return Ok(None) };
        // One key is written before the next one is looked at.
        if found.reads.contains(&fluent) {
            return Err(Stop::Undetermined);
        }
        scene.spelt = true;
        let (tests, write) = (found.tests, Step::Do(Label::Assign { lhs, rhs: found.value }));
        let otherwise = vec![Step::Check { steps: tests.clone(), negated: true }];
        let steps = if tests.iter().all(is_sure) {
            with(tests, write)
        } else {
            vec![Step::Any(vec![with(tests, write), otherwise])]
        };
        let key: Vec<Option<TermId>> =
            layout.key.iter().map(|&place| rule.head.args.get(place).and_then(|arg| arg.constant())).collect();
        let each = self.each(slot, dom, &key, steps);
        if matches!(each, Step::Each { count: 0, .. }) {
            return Ok(None);
        }
        Ok(Some(Effect { prelude: Vec::new(), write: vec![each], reads: found.reads, writes: Some(fluent) }))
    }

    /// A slot of its own for keys, and the cell of a map with the key in it.
    fn cell_in_slot(&mut self, map: ExprId, dom: Dom, scene: &mut Scene) -> (Slot, ExprId) {
        let number = scene.used.entry(dom).or_insert(0);
        *number += 1;
        let slot = self.temporary(dom, *number - 1);
        let key = self.voc.slot_expr(slot);
        (slot, self.voc.access(map, key))
    }

    /// What a rule adds at the key in a slot; `None` if it never fires.
    fn at_key(&mut self, layout: &Layout, rule: &Rule, slot: Slot, scene: &Scene) -> Result<Option<AtKey>, Stop> {
        let body = self.reduced(rule.vars, &rule.body, &rule.head.args, scene);
        let reads = self.reads(&body);
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
            Err(Stop::Never) => return Ok(None),
            Err(stop) => return Err(stop),
        }
        let (rhs, _) = self.tuple(&query, &value, layout.value_dom)?;
        match self.member_test(&query, &value, layout.value_dom) {
            Ok(None) => {}
            Ok(Some(test)) => {
                let step = self.is_true(test);
                query.steps.push(step);
            }
            Err(Stop::Never) => return Ok(None),
            Err(stop) => return Err(stop),
        }
        Ok(Some(AtKey { tests: query.steps, value: rhs, reads }))
    }

    /// Steps for the values of a slot, or those of them that have constants in some places.
    fn each(&mut self, slot: Slot, dom: Dom, constants: &[Option<TermId>], steps: Vec<Step>) -> Step {
        let values = self.voc.tuples(dom).values.clone();
        let agrees = |tuple: &[TermId]| {
            constants.iter().zip(tuple).all(|(constant, term)| constant.is_none_or(|constant| constant == *term))
        };
        let chosen: Vec<(usize, rg_ir::Symbol)> = values
            .iter()
            .enumerate()
            .filter(|(_, tuple)| agrees(tuple))
            .map(|(at, tuple)| (at, self.voc.symbol(tuple)))
            .collect();
        let null = self.voc.null;
        let mut cells = vec![null; values.len()];
        for pair in chosen.windows(2) {
            if let [(at, _), (_, next)] = *pair {
                cells.iter_mut().skip(at).take(1).for_each(|cell| *cell = next);
            }
        }
        let or_null = self.voc.tuples(dom).or_null;
        let stem = format!("next_{}", self.voc.dom_name(dom).to_lowercase());
        let map = self.voc.map(&stem, &[dom], or_null, cells, null);
        let key = self.voc.slot_expr(slot);
        let next = self.voc.access(map, key);
        let first = self.voc.symbol_expr(chosen.first().map_or(null, |&(_, first)| first));
        let null = self.voc.symbol_expr(null);
        Step::Each { slot, first, next, null, count: chosen.len(), steps }
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
            // What is read in any case is read now: then the assignment waits for nothing.
            let early = |effect: &&mut Effect| {
                let mut all = effect.prelude.iter().chain(&effect.write);
                !effect.reads.is_empty() && all.all(is_sure)
            };
            if let Some(effect) = left.iter_mut().find(early) {
                steps.append(&mut effect.prelude);
                effect.reads.clear();
                continue;
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
            Step::Each { slot, first, next, null, count, steps } => Step::Each {
                slot: *slot,
                first: *first,
                next: *next,
                null: *null,
                count: *count,
                steps: steps.iter().map(|step| self.retarget(step, from, to)).collect(),
            },
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
