//! Effects: what a joint move changes, from the rules of `next` (section 9.7).
//!
//! A rule with its own head in its body keeps a fluent; the conjunctions of what contradicts each such rule delete it. The
//! other rules add. If the keys of all that is deleted and added are determined by the moves and the state, assignments
//! say it all; else every key is looked at.

use super::Lift;
use super::deletions::{Spelt, products};
use super::layout::Layout;
use super::phases::{Control, assign, specialise, with_control};
use super::plan::is_derived;
use super::query::{Done, Query, Step, Stop, Val};
use super::update::is_sure;
use super::vocabulary::Dom;
use crate::flat::{Arg, Atom, Literal, Rel, Rule};
use crate::groups::ANY;
use crate::normal::{RelationKind, TermId};
use rg_ir::Label;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most effects that one rule becomes, since values are written out.
const MAX_SPELT: usize = 16;

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
    /// Whether effects were written out for several values.
    pub(super) spelt: bool,
}

impl Lift<'_, '_> {
    /// The rules of `next` for one kind of fluents that can fire in a scene, for every role that the moves in them can be
    /// of.
    pub(super) fn instances(&self, fluent: usize, scene: &Scene) -> Vec<Rule> {
        let context = self.context;
        let Some(next) = context.flat.fluents.get(fluent).map(|fluent| fluent.next) else { return Vec::new() };
        let unfolded = context.flat.rules_of(next).flat_map(|rule| self.unfolded(fluent, rule));
        let mut open: Vec<Rule> =
            unfolded.filter_map(|rule| specialise(context, &rule, scene.control.as_ref())).collect();
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
            if !possible {
                continue;
            }
            let (vars, assumed) = self.with_moves(rule.vars, &rule.body, scene);
            if !context.impossible(vars, &assumed) && !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules.reverse();
        let rules = rules.into_iter().map(|rule| self.determined(rule)).collect();
        self.merged(fluent, rules, scene)
    }

    /// A body with what is known in a scene: the value of the fluent that controls the turns, and which moves are made.
    pub(super) fn with_moves(&self, mut vars: u32, body: &[Literal], scene: &Scene) -> (u32, Vec<Literal>) {
        let mut assumed = with_control(body, scene.control.as_ref());
        for &role in &self.context.flat.roles {
            let Some(done) = scene.done.get(&role) else { continue };
            let Some(does) = self.context.flat.moves.get(done.kind).map(|kind| kind.does) else { continue };
            let same = |literal: &Literal| matches!(literal, Literal::Pos(atom) if atom.rel == does && atom.args.first() == Some(&Arg::Is(role)));
            if body.iter().any(same) {
                continue;
            }
            let mut args = vec![Arg::Is(role)];
            for val in &done.args {
                args.push(match val {
                    Val::Is(term) => Arg::Is(*term),
                    Val::Part(..) => {
                        vars += 1;
                        Arg::Var(vars - 1)
                    }
                });
            }
            assumed.push(Literal::Pos(Atom { rel: does, args }));
        }
        (vars, assumed)
    }

    pub(super) fn is_does(&self, rel: Rel) -> bool {
        self.context.flat.relation(rel).kind == RelationKind::Does
    }

    /// A body without the literals that follow from the others, those first that have rules. What is needed stays bound.
    pub(super) fn reduced(&self, vars: u32, body: &[Literal], needed: &[Arg], scene: &Scene) -> Vec<Literal> {
        let mut body = body.to_vec();
        for derived in [true, false] {
            let mut index = 0;
            while let Some(literal) = body.get(index) {
                let is_derived = |atom: &Atom| is_derived(self.context.flat.relation(atom.rel).kind);
                let wanted = !derived || matches!(literal, Literal::Pos(atom) if is_derived(atom));
                if wanted && self.follows(vars, &body, index, needed, scene) {
                    body.remove(index);
                } else {
                    index += 1;
                }
            }
        }
        body
    }

    /// Whether a literal of a body follows from the others and from what is done, and none of them needs it.
    fn follows(&self, vars: u32, body: &[Literal], index: usize, needed: &[Arg], scene: &Scene) -> bool {
        let Some(literal) = body.get(index) else { return false };
        let literal_is_derived =
            literal.atom().is_some_and(|atom| is_derived(self.context.flat.relation(atom.rel).kind));
        let others = || body.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other);
        // What is read or stepped to is not searched for instead.
        let searches = |atom: &Atom| !literal_is_derived && is_derived(self.context.flat.relation(atom.rel).kind);
        let binds = |other: &Literal, var: u32| matches!(other, Literal::Pos(atom) if !searches(atom) && atom.vars().any(|own| own == var));
        let bound = |var: u32| others().any(|other| binds(other, var));
        let used = |var: u32| needed.contains(&Arg::Var(var)) || others().any(|other| other.vars().contains(&var));
        let mut rest: Vec<Literal> = others().cloned().collect();
        match literal {
            Literal::Pos(atom) if !self.is_does(atom.rel) => {
                let is_static = self.context.flat.relation(atom.rel).is_static;
                // The only places of variables that matter nowhere else.
                let once = |var: u32| atom.vars().filter(|&other| other == var).count() == 1;
                let open = |var: u32| !used(var) && once(var) && !is_static;
                if atom.vars().any(|var| !bound(var) && !open(var)) {
                    return false;
                }
                let value = |arg: Arg| arg.var().filter(|&var| !bound(var)).map_or(arg, |_| ANY);
                rest.push(Literal::Neg(atom.map(&value)));
            }
            Literal::Neg(atom) if atom.vars().all(bound) => rest.push(Literal::Pos(atom.clone())),
            Literal::Distinct(a, b) if literal.vars().into_iter().all(bound) => {
                let (from, to) = if a.var().is_some() { (*a, *b) } else { (*b, *a) };
                rest = rest.iter().map(|literal| literal.map(&|arg| if arg == from { to } else { arg })).collect();
            }
            _ => return false,
        }
        let (vars, assumed) = self.with_moves(vars, &rest, scene);
        self.context.impossible(vars, &assumed)
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
        let is_frame = |rule: &&Rule| keeps(truth, rule);
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
                    let mut most = self.most_spelt(&layout);
                    let product = Spelt { product, vars };
                    effects.extend(self.deletions(fluent, truth, &layout, product, &mut most, scene)?);
                }
            }
        }
        for rule in adds {
            let mut most = self.most_spelt(&layout);
            let used = scene.used.clone();
            match self.additions(fluent, &layout, rule, &mut most, scene) {
                Err(Stop::Undetermined) => {
                    scene.used = used;
                    effects.extend(self.addition_at_keys(fluent, &layout, rule, scene)?);
                }
                additions => effects.extend(additions?),
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

    /// Takes the tests out of a query's steps if its body always holds after these moves.
    pub(super) fn drop_sure(&self, query: &mut Query, body: &[Literal], scene: &Scene) {
        let drops =
            |step: &Step| matches!(step, Step::Do(Label::Compare { .. }) | Step::Check { .. } | Step::Call { .. });
        let plain = query.steps.iter().all(|step| is_sure(step) || drops(step));
        if plain && query.steps.iter().any(drops) && self.always(body, scene) {
            query.steps.retain(is_sure);
        }
    }

    /// Whether a body holds, for some values of its variables, whenever these moves are made.
    fn always(&self, body: &[Literal], scene: &Scene) -> bool {
        let (local, assumed) = self.with_moves(0, &[], scene);
        let goal: Vec<Literal> = body.iter().map(|literal| literal.map(&|arg| arg.shifted(local))).collect();
        self.context.implies(local, &assumed, vec![goal])
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

    /// Most effects that one rule for fluents with this layout becomes: with more than half of the keys, a look at all of them is
    /// a loop with less code.
    fn most_spelt(&self, layout: &Layout) -> usize {
        let keys = layout.key_dom.map_or(1, |dom| self.voc.tuples(dom).values.len());
        MAX_SPELT.min(keys / 2)
    }

    /// The effects of a rule that adds: one, or where a search would have to find what it adds, one for each value of that.
    /// `most` counts the effects that there may be.
    fn additions(
        &mut self,
        fluent: usize,
        layout: &Layout,
        rule: &Rule,
        most: &mut usize,
        scene: &mut Scene,
    ) -> Result<Vec<Effect>, Stop> {
        let used = scene.used.clone();
        match self.addition(fluent, layout, rule, scene) {
            Err(Stop::Undetermined) => scene.used = used,
            result => return result.map(|effect| effect.into_iter().collect()),
        }
        let bound = self.bound(&rule.body);
        let open = |arg: &Arg| arg.var().is_some_and(|var| !bound.contains(&var));
        let own = self.spelling(rule.head.rel, &rule.head.args, &open, *most).and_then(|(place, values)| {
            let &arg = rule.head.args.get(place)?;
            Some((arg, values))
        });
        let read = self.spelling_of_keys(&rule.body, &open, *most);
        // A key that is read may say what is added, and what is added may say which key is read.
        let mut ways: Vec<_> = read.into_iter().chain(own).collect();
        ways.sort_by_key(|(_, values)| values.len());
        for way in ways {
            let (used, left) = (scene.used.clone(), *most);
            match self.additions_by_value(fluent, layout, (rule, way), most, scene) {
                Err(Stop::Undetermined) => (scene.used, *most) = (used, left),
                result => return result,
            }
        }
        Err(Stop::Undetermined)
    }

    /// The effects of a rule that adds, for each value of a variable.
    fn additions_by_value(
        &mut self,
        fluent: usize,
        layout: &Layout,
        (rule, (arg, values)): (&Rule, (Arg, Vec<TermId>)),
        most: &mut usize,
        scene: &mut Scene,
    ) -> Result<Vec<Effect>, Stop> {
        *most -= values.len() - 1;
        scene.spelt = true;
        let mut effects = Vec::new();
        for value in values {
            let rule = assign(rule, arg, value).and_then(|rule| specialise(self.context, &rule, None));
            let Some(rule) = rule else { continue };
            effects.extend(self.additions(fluent, layout, &rule, most, scene)?);
        }
        Ok(effects)
    }

    /// An open argument in the key of a fluent that a body reads, with its values: the one with fewest values, if these are not too many.
    fn spelling_of_keys(
        &self,
        body: &[Literal],
        open: &dyn Fn(&Arg) -> bool,
        most: usize,
    ) -> Option<(Arg, Vec<TermId>)> {
        let of = |literal: &Literal| {
            let Literal::Pos(atom) = literal else { return None };
            let layout = self.layout_of(atom.rel)?;
            let mut keys = Vec::new();
            for &place in &layout.key {
                keys.extend(atom.args.get(place).copied());
            }
            let of_key = |arg: &Arg| open(arg) && keys.contains(arg);
            let (place, values) = self.spelling(atom.rel, &atom.args, &of_key, most)?;
            Some((*atom.args.get(place)?, values))
        };
        body.iter().filter_map(of).min_by_key(|(_, values)| values.len())
    }

    /// An argument of an atom that is open, with its values: the one with fewest values, if these are not too many.
    pub(super) fn spelling(
        &self,
        rel: Rel,
        args: &[Arg],
        open: &dyn Fn(&Arg) -> bool,
        most: usize,
    ) -> Option<(usize, Vec<TermId>)> {
        let places = args.iter().enumerate().filter(|(_, arg)| open(arg)).map(|(place, _)| place);
        let values = |place| Some((place, self.context.domains.at(rel, place)?.values().to_vec()));
        places.filter_map(values).min_by_key(|(_, values)| values.len()).filter(|(_, values)| values.len() <= most)
    }

    /// The effect of a rule that adds; `None` if it never fires.
    fn addition(
        &mut self,
        fluent: usize,
        layout: &Layout,
        rule: &Rule,
        scene: &mut Scene,
    ) -> Result<Option<Effect>, Stop> {
        let body = self.reduced(rule.vars, &rule.body, &rule.head.args, scene);
        let reads = self.reads(&body);
        let mut query = self.query(rule.vars, body.clone(), scene);
        query.tested = rule.body.iter().filter(|literal| self.is_static(literal)).cloned().collect();
        match self.assignment(&mut query, layout, &rule.head.args, layout.expr) {
            Ok(write) => {
                self.drop_sure(&mut query, &body, scene);
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

/// Whether a rule has its own head in its body: it keeps fluents of the kind that `truth` is about.
pub(super) fn keeps(truth: Rel, rule: &Rule) -> bool {
    let own =
        |literal: &Literal| matches!(literal, Literal::Pos(atom) if atom.rel == truth && atom.args == rule.head.args);
    rule.body.iter().any(own)
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
