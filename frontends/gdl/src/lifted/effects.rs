//! Effects: what a joint move changes, from the rules of `next` (section 9.7).
//!
//! A rule with its own head in its body keeps a fluent; the conjunctions of what contradicts each such rule delete it. The
//! other rules add. If the keys of all that is deleted and added are determined by the moves and the state, assignments
//! say it all; else every key is looked at.

use super::Lift;
use super::deletions::products;
use super::layout::Layout;
use super::phases::{Control, assign, specialise, with_control};
use super::query::{Done, Query, Step, Stop, Val};
use super::vocabulary::Dom;
use crate::flat::{Arg, Atom, Literal, Rel, Rule};
use crate::normal::{RelationKind, TermId};
use rg_ir::Label;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Something that a joint move does to the state.
#[derive(Clone, Debug)]
pub(super) struct Effect {
    /// Conditions and bindings.
    pub(super) prelude: Vec<Step>,
    /// Assignments.
    pub(super) write: Vec<Step>,
    /// The kinds of fluents that are read, by position.
    pub(super) reads: FxHashSet<usize>,
    /// The kind of fluents that is written.
    pub(super) writes: Option<usize>,
}

/// What is known in a step.
pub(super) struct Scene {
    pub(super) control: Option<Control>,
    pub(super) done: Rc<FxHashMap<TermId, Done>>,
    pub(super) used: FxHashMap<Dom, usize>,
}

impl Lift<'_, '_> {
    /// The rules of `next` for one kind of fluents that can fire in a scene, for every role that the moves in them can be
    /// of.
    pub(super) fn instances(&self, fluent: usize, scene: &Scene) -> Vec<Rule> {
        let context = self.context;
        let Some(next) = context.flat.fluents.get(fluent).map(|fluent| fluent.next) else { return Vec::new() };
        let mut open: Vec<Rule> =
            context.flat.rules_of(next).filter_map(|rule| specialise(context, rule, scene.control.as_ref())).collect();
        let mut rules: Vec<Rule> = Vec::new();
        while let Some(rule) = open.pop() {
            let unknown = rule.body.iter().find_map(|literal| match literal {
                Literal::Pos(atom) if self.is_does(atom.rel) => {
                    atom.args.first().copied().filter(|arg| arg.var().is_some())
                }
                _ => None,
            });
            if let Some(arg) = unknown {
                let roles = context.flat.roles.iter().filter_map(|&role| assign(&rule, arg, role));
                open.extend(roles.filter_map(|rule| specialise(context, &rule, scene.control.as_ref())));
                continue;
            }
            let possible = rule.body.iter().all(|literal| match literal {
                Literal::Pos(atom) if self.is_does(atom.rel) => {
                    let role = atom.args.first().and_then(|arg| arg.constant());
                    let done = role.and_then(|role| scene.done.get(&role));
                    done.is_some_and(|done| context.flat.move_of(atom.rel) == Some(done.kind) && agrees(done, atom))
                }
                _ => true,
            });
            if possible
                && !context.impossible(rule.vars, &with_control(&rule.body, scene.control.as_ref()))
                && !rules.contains(&rule)
            {
                rules.push(rule);
            }
        }
        rules.reverse();
        rules
    }

    pub(super) fn is_does(&self, rel: Rel) -> bool {
        self.context.flat.relation(rel).kind == RelationKind::Does
    }

    /// A body without the literals that follow from the others.
    pub(super) fn reduced(&self, vars: u32, body: &[Literal], scene: &Scene) -> Vec<Literal> {
        let mut body = body.to_vec();
        let mut index = 0;
        while let Some(literal) = body.get(index) {
            let opposite = match literal {
                Literal::Pos(atom) if !self.is_does(atom.rel) => Literal::Neg(atom.clone()),
                Literal::Neg(atom) => Literal::Pos(atom.clone()),
                _ => {
                    index += 1;
                    continue;
                }
            };
            let mut rest = body.clone();
            rest.remove(index);
            let known = |var: &u32| {
                rest.iter().any(|other| matches!(other, Literal::Pos(atom) if atom.vars().any(|v| v == *var)))
            };
            if literal.vars().iter().all(known) {
                let mut assumed = with_control(&rest, scene.control.as_ref());
                assumed.push(opposite);
                if self.context.impossible(vars, &assumed) {
                    body = rest;
                    continue;
                }
            }
            index += 1;
        }
        body
    }

    /// The effects on one kind of fluents with keys; `Undetermined` if some key is not determined.
    pub(super) fn keyed_effects(
        &mut self,
        fluent: usize,
        rules: &[Rule],
        scene: &mut Scene,
    ) -> Result<Vec<Effect>, Stop> {
        let Some(layout) = self.layouts.get(fluent).cloned().flatten() else { return Ok(Vec::new()) };
        let Some(truth) = self.context.flat.fluents.get(fluent).map(|fluent| fluent.truth) else {
            return Ok(Vec::new());
        };
        let is_frame = |rule: &&Rule| {
            rule.body.iter().any(
                |literal| matches!(literal, Literal::Pos(atom) if atom.rel == truth && atom.args == rule.head.args),
            )
        };
        let frames: Vec<&Rule> = rules.iter().filter(is_frame).collect();
        let adds: Vec<&Rule> = rules.iter().filter(|rule| !is_frame(rule)).collect();
        let mut effects = Vec::new();
        if frames.is_empty() {
            // Nothing stays.
            let clear = self.cleared(&layout);
            effects.push(Effect {
                prelude: Vec::new(),
                write: vec![clear],
                reads: FxHashSet::default(),
                writes: Some(fluent),
            });
        } else {
            let arity = self.context.flat.relation(truth).arity;
            for product in products(&self.kept(&frames, truth, arity, scene)?)? {
                let expanded = self.expanded(product, arity, &layout.key, scene)?;
                for (product, vars) in self.spelt_out(truth, &layout, expanded) {
                    if let Some(effect) = self.deletion(fluent, truth, arity, &layout, (&product, vars), scene)? {
                        effects.push(effect);
                    }
                }
            }
        }
        for rule in adds {
            if let Some(effect) = self.addition(fluent, &layout, rule, scene)? {
                effects.push(effect);
            }
        }
        Ok(drop_overwritten(effects))
    }

    /// A query without choices in a scene.
    pub(super) fn query(&self, vars: u32, body: Vec<Literal>, scene: &Scene) -> Query {
        let mut query = Query::new(vars, body);
        query.may_choose = false;
        query.done = Rc::clone(&scene.done);
        query.used = scene.used.clone();
        query
    }

    /// Plans a query that has to bind a key; the cell with that key.
    pub(super) fn cell(&mut self, query: &mut Query, layout: &Layout, key: &[Arg]) -> Result<rg_ir::ExprId, Stop> {
        query.needed.extend(key.iter().filter_map(|arg| arg.var()));
        query.wanted.extend(layout.key_dom.map(|dom| (key.to_vec(), dom)));
        self.plan(query)?;
        let Some(dom) = layout.key_dom else { return Ok(layout.expr) };
        let (expr, _) = self.tuple(query, key, dom)?;
        if let Some(test) = self.member_test(query, key, dom)? {
            let step = self.is_true(test);
            query.steps.push(step);
        }
        Ok(self.voc.access(layout.expr, expr))
    }

    /// The effect of a rule that adds; `None` if it never fires.
    fn addition(
        &mut self,
        fluent: usize,
        layout: &Layout,
        rule: &Rule,
        scene: &mut Scene,
    ) -> Result<Option<Effect>, Stop> {
        let body = self.reduced(rule.vars, &rule.body, scene);
        let reads = self.reads(&body);
        let mut query = self.query(rule.vars, body, scene);
        match self.assignment(&mut query, layout, &rule.head.args, layout.expr) {
            Ok(write) => {
                scene.used = query.used.clone();
                Ok(Some(Effect { prelude: query.steps, write: vec![write], reads, writes: Some(fluent) }))
            }
            Err(Stop::Never) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// Plans a query that binds all arguments of a fluent; the assignment that makes the fluent true.
    pub(super) fn assignment(
        &mut self,
        query: &mut Query,
        layout: &Layout,
        args: &[Arg],
        map: rg_ir::ExprId,
    ) -> Result<Step, Stop> {
        let pick =
            |places: &[usize]| -> Vec<Arg> { places.iter().filter_map(|&place| args.get(place).copied()).collect() };
        query.needed.extend(args.iter().filter_map(|arg| arg.var()));
        query.wanted.extend(layout.key_dom.map(|dom| (pick(&layout.key), dom)));
        self.plan(query)?;
        let mut lhs = map;
        if let Some(dom) = layout.key_dom {
            let key = pick(&layout.key);
            let (expr, _) = self.tuple(query, &key, dom)?;
            if let Some(test) = self.member_test(query, &key, dom)? {
                let step = self.is_true(test);
                query.steps.push(step);
            }
            lhs = self.voc.access(lhs, expr);
        }
        let value = pick(&layout.value);
        let (rhs, _) = self.tuple(query, &value, layout.value_dom)?;
        if let Some(test) = self.member_test(query, &value, layout.value_dom)? {
            let step = self.is_true(test);
            query.steps.push(step);
        }
        Ok(Step::Do(Label::Assign { lhs, rhs }))
    }

    /// Makes all fluents of a kind false.
    fn cleared(&mut self, layout: &Layout) -> Step {
        let rhs = match layout.key_dom {
            None => self.voc.symbol_expr(layout.null),
            Some(dom) => {
                let cells = vec![layout.null; self.voc.tuples(dom).values.len()];
                let value_ty = self.voc.game.types.as_arrow(layout.ty).map_or(layout.ty, |(_, value)| value);
                self.voc.map("nothing", &[dom], value_ty, cells, layout.null)
            }
        };
        Step::Do(Label::Assign { lhs: layout.expr, rhs })
    }

    /// The kinds of fluents that literals ask about, directly or by rules.
    pub(super) fn reads(&self, body: &[Literal]) -> FxHashSet<usize> {
        let flat = self.context.flat;
        let mut found = FxHashSet::default();
        let mut seen: FxHashSet<Rel> = FxHashSet::default();
        let rel = |literal: &Literal| match literal {
            Literal::Pos(atom) | Literal::Neg(atom) => Some(atom.rel),
            Literal::Distinct(..) => None,
        };
        let mut stack: Vec<Rel> = body.iter().filter_map(rel).collect();
        while let Some(at) = stack.pop() {
            if !seen.insert(at) {
                continue;
            }
            found.extend(flat.fluent_of(at));
            if !self.is_does(at) {
                stack.extend(flat.rules_of(at).flat_map(|rule| rule.body.iter().filter_map(rel)));
            }
        }
        found
    }
}

/// Whether a move that is known can be an instance of an atom.
fn agrees(done: &Done, atom: &Atom) -> bool {
    done.args.iter().zip(atom.args.iter().skip(1)).all(|(val, arg)| match (val, arg) {
        (Val::Is(a), Arg::Is(b)) => a == b,
        _ => true,
    })
}

/// Without deletions of cells that are written later in any case.
fn drop_overwritten(effects: Vec<Effect>) -> Vec<Effect> {
    let cell = |effect: &Effect| match effect.write.as_slice() {
        [Step::Do(Label::Assign { lhs, .. })] => Some(*lhs),
        _ => None,
    };
    let sure = |effect: &Effect| effect.prelude.is_empty();
    let mut kept: Vec<Effect> = Vec::new();
    for (index, effect) in effects.iter().enumerate() {
        let later = effects.iter().skip(index + 1);
        if !later.into_iter().any(|other| sure(other) && cell(other).is_some() && cell(other) == cell(effect)) {
            kept.push(effect.clone());
        }
    }
    kept
}
