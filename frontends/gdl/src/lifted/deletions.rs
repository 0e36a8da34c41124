//! What a joint move deletes: the conjunctions of what contradicts every rule that keeps a fluent.

use super::Lift;
use super::effects::{Effect, Scene};
use super::layout::Layout;
use super::phases::with_control;
use super::plan::is_derived;
use super::query::{Query, Step, Stop};
use crate::flat::{Arg, Atom, Literal, Rel, Rule};
use crate::normal::TermId;
use rg_ir::Label;
use std::ops::Range;

/// Most conjunctions of contradictions.
const MAX_PRODUCTS: usize = 64;

/// Most values that are deleted one by one.
const MAX_SPELT: usize = 12;

/// A condition that keeps a fluent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Literal(Literal),
    Same(Arg, Arg),
}

/// A conjunction on so many variables.
pub(super) struct Spelt {
    pub(super) product: Vec<Condition>,
    pub(super) vars: u32,
}

impl Lift<'_, '_> {
    /// What keeps a fluent, per rule that keeps it, on common variables: first the fluent's arguments, then what is done.
    pub(super) fn kept(
        &self,
        frames: &[&Rule],
        truth: Rel,
        arity: usize,
        scene: &Scene,
    ) -> Result<Vec<Vec<Condition>>, Stop> {
        let mut all = Vec::new();
        for rule in frames {
            let mut names: Vec<Option<Arg>> = vec![None; rule.vars as usize];
            let mut conditions = Vec::new();
            let mut give = |own: Arg, arg: Arg, conditions: &mut Vec<Condition>| match arg {
                Arg::Is(_) => conditions.push(Condition::Same(own, arg)),
                Arg::Var(var) => match names.get_mut(var as usize) {
                    Some(Some(name)) => conditions.push(Condition::Same(own, *name)),
                    Some(slot) => *slot = Some(own),
                    None => {}
                },
            };
            for (place, &arg) in (0..).zip(&rule.head.args) {
                give(Arg::Var(place), arg, &mut conditions);
            }
            for literal in &rule.body {
                let Literal::Pos(atom) = literal else { continue };
                if self.is_does(atom.rel) {
                    let first = self.done_variables(scene, arity, atom.args.first().and_then(|arg| arg.constant()));
                    for (place, &arg) in (first..).zip(atom.args.iter().skip(1)) {
                        give(Arg::Var(place), arg, &mut conditions);
                    }
                }
            }
            for literal in &rule.body {
                match literal {
                    Literal::Pos(atom)
                        if self.is_does(atom.rel) || (atom.rel == truth && atom.args == rule.head.args) =>
                    {
                        continue;
                    }
                    _ => {}
                }
                if literal.vars().iter().any(|&var| names.get(var as usize).copied().flatten().is_none()) {
                    return Err(Stop::Undetermined);
                }
                let name =
                    |arg: Arg| arg.var().and_then(|var| names.get(var as usize).copied().flatten()).unwrap_or(arg);
                conditions.push(Condition::Literal(literal.map(&name)));
            }
            all.push(conditions);
        }
        Ok(all)
    }

    /// The first variable for the arguments of what a role does: behind those of the fluent and of the roles before it.
    fn done_variables(&self, scene: &Scene, arity: usize, role: Option<TermId>) -> u32 {
        let before = self.context.flat.roles.iter().take_while(|&&other| Some(other) != role);
        let count: usize = before.filter_map(|role| scene.done.get(role)).map(|done| done.args.len()).sum();
        u32::try_from(arity + count).unwrap_or(u32::MAX)
    }

    /// A conjunction with the rules of the relations in it in their place, as far as they ask what is done, or the key is not
    /// known; and what is done instead of `does`.
    pub(super) fn expanded(
        &self,
        product: Vec<Condition>,
        arity: usize,
        key: &[usize],
        scene: &Scene,
    ) -> Result<Vec<(Vec<Condition>, u32)>, Stop> {
        let flat = self.context.flat;
        let done: usize = scene.done.values().map(|done| done.args.len()).sum();
        let first = u32::try_from(arity + done).unwrap_or(u32::MAX);
        let mut open = vec![(product, first)];
        let mut closed = Vec::new();
        while let Some((product, vars)) = open.pop() {
            if open.len() + closed.len() > MAX_PRODUCTS {
                return Err(Stop::Undetermined);
            }
            let find = |wanted: &dyn Fn(Rel) -> bool| {
                product.iter().position(|condition| match condition {
                    Condition::Literal(Literal::Pos(atom)) => wanted(atom.rel),
                    _ => false,
                })
            };
            let derived = |rel: Rel| {
                let relation = flat.relation(rel);
                is_derived(relation.kind) && !relation.is_static && !relation.recursive
            };
            let on_moves = find(&|rel| self.is_does(rel) || derived(rel) && self.asks_moves(rel));
            // What is left is asked of the state; it need not bind anything.
            let known = || is_known(&product, vars, key, arity..arity + done);
            let found = on_moves.or_else(|| if known() { None } else { find(&derived) });
            let Some(index) = found else {
                closed.push((product, vars));
                continue;
            };
            let mut rest = product;
            let Condition::Literal(Literal::Pos(atom)) = rest.remove(index) else { continue };
            if !self.is_does(atom.rel) {
                for rule in flat.rules_of(atom.rel) {
                    let mut list = rest.clone();
                    let heads = rule.head.args.iter().zip(&atom.args);
                    list.extend(heads.map(|(head, &arg)| Condition::Same(head.shifted(vars), arg)));
                    let body = rule.body.iter().map(|literal| literal.map(&|arg| arg.shifted(vars)));
                    list.extend(body.map(Condition::Literal));
                    open.push((list, vars + rule.vars));
                }
                continue;
            }
            let Some((&first, args)) = atom.args.split_first() else { continue };
            for &role in &flat.roles {
                let Some(done) = scene.done.get(&role) else { continue };
                if flat.move_of(atom.rel) != Some(done.kind) || first.constant().is_some_and(|other| other != role) {
                    continue;
                }
                let mut list = rest.clone();
                list.push(Condition::Same(first, Arg::Is(role)));
                let own = self.done_variables(scene, arity, Some(role));
                list.extend(args.iter().zip(own..).map(|(&arg, var)| Condition::Same(arg, Arg::Var(var))));
                open.push((list, vars));
            }
        }
        Ok(closed)
    }

    /// Where a part of the key does not matter and has few values: one conjunction per value.
    pub(super) fn spelt_out(
        &self,
        truth: Rel,
        layout: &Layout,
        products: Vec<(Vec<Condition>, u32)>,
    ) -> Vec<(Vec<Condition>, u32)> {
        let mut all = products;
        for &place in &layout.key {
            let values = self.context.domains.at(truth, place).map(|domain| domain.values()).unwrap_or_default();
            let var = u32::try_from(place).unwrap_or(u32::MAX);
            let mentions = |condition: &Condition| match condition {
                Condition::Literal(literal) => literal.vars().contains(&var),
                Condition::Same(a, b) => [a, b].into_iter().any(|arg| *arg == Arg::Var(var)),
            };
            if values.len() > MAX_SPELT {
                continue;
            }
            let mut next = Vec::new();
            for (product, vars) in all {
                if product.iter().any(mentions) {
                    next.push((product, vars));
                    continue;
                }
                for &value in values {
                    let same = Condition::Same(Arg::Var(var), Arg::Is(value));
                    next.push(([product.as_slice(), &[same]].concat(), vars));
                }
            }
            all = next;
        }
        all
    }

    /// The effects that a conjunction of what contradicts all rules that keep a fluent deletes it: one, or where a search would
    /// have to find what is deleted, one for each value of that. `most` counts the effects that there may be.
    pub(super) fn deletions(
        &mut self,
        fluent: usize,
        truth: Rel,
        layout: &Layout,
        spelt: Spelt,
        most: &mut usize,
        scene: &mut Scene,
    ) -> Result<Vec<Effect>, Stop> {
        let arity = self.context.flat.relation(truth).arity;
        let used = scene.used.clone();
        match self.deletion(fluent, truth, arity, layout, (&spelt.product, spelt.vars), scene) {
            Err(Stop::Undetermined) => scene.used = used,
            result => return result.map(|effect| effect.into_iter().collect()),
        }
        let done: usize = scene.done.values().map(|done| done.args.len()).sum();
        let key: Vec<Arg> = (0..).take(arity).map(Arg::Var).collect();
        let open = |arg: &Arg| {
            let place = arg.var().map_or(arity, |var| var as usize);
            layout.key.contains(&place) && !is_known(&spelt.product, spelt.vars, &[place], arity..arity + done)
        };
        let Some((place, values)) = self.spelling(truth, &key, &open, *most) else { return Err(Stop::Undetermined) };
        *most -= values.len() - 1;
        scene.spelt = true;
        let mut effects = Vec::new();
        for value in values {
            let var = Arg::Var(u32::try_from(place).unwrap_or(u32::MAX));
            let product = [spelt.product.as_slice(), &[Condition::Same(var, Arg::Is(value))]].concat();
            let spelt = Spelt { product, vars: spelt.vars };
            effects.extend(self.deletions(fluent, truth, layout, spelt, most, scene)?);
        }
        Ok(effects)
    }

    /// The effect that what contradicts all rules that keep a fluent deletes it; `None` if that never happens.
    fn deletion(
        &mut self,
        fluent: usize,
        truth: Rel,
        arity: usize,
        layout: &Layout,
        (product, vars): (&[Condition], u32),
        scene: &mut Scene,
    ) -> Result<Option<Effect>, Stop> {
        let Some((names, body)) = unified(product, vars) else { return Ok(None) };
        let name = |var: u32| names.get(var as usize).copied().unwrap_or(Arg::Var(var));
        let args: Vec<Arg> = (0..).take(arity).map(name).collect();
        let mut assumed = body;
        assumed.push(Literal::Pos(Atom { rel: truth, args: args.clone() }));
        assumed.extend(self.moves_made(scene, arity, &name));
        if self.context.impossible(vars, &with_control(&assumed, scene.control.as_ref())) {
            return Ok(None);
        }
        let mut body = self.reduced(vars, &assumed, &args, scene);
        self.drop_own(&mut body, truth, layout, &args);
        let all = body.clone();
        body.retain(|literal| !matches!(literal, Literal::Pos(atom) if self.is_does(atom.rel)));
        let reads = self.reads(&body);
        let mut query = self.query(vars, body, scene);
        query.tested = assumed.iter().filter(|literal| self.is_static(literal)).cloned().collect();
        let key: Vec<Arg> = layout.key.iter().filter_map(|&place| args.get(place).copied()).collect();
        let bound = self.bind_moves(&mut query, scene, arity, &name);
        let cell = match bound.and_then(|()| self.cell(&mut query, layout, &key)) {
            Ok(cell) => cell,
            Err(Stop::Never) => return Ok(None),
            Err(stop) => return Err(stop),
        };
        self.drop_sure(&mut query, &all, scene);
        scene.used = query.used.clone();
        let rhs = self.voc.symbol_expr(layout.null);
        let write = vec![Step::Do(Label::Assign { lhs: cell, rhs })];
        Ok(Some(Effect { prelude: query.steps, write, reads, writes: Some(fluent) }))
    }

    /// What the roles do, with the names of its arguments.
    fn moves_made(&self, scene: &Scene, arity: usize, name: &impl Fn(u32) -> Arg) -> Vec<Literal> {
        let mut made = Vec::new();
        for &role in &self.context.flat.roles {
            let Some(done) = scene.done.get(&role) else { continue };
            let first = self.done_variables(scene, arity, Some(role));
            let Some(does) = self.context.flat.moves.get(done.kind).map(|kind| kind.does) else { continue };
            let args = (first..).take(done.args.len()).map(name);
            let args = std::iter::once(Arg::Is(role)).chain(args).collect();
            made.push(Literal::Pos(Atom { rel: does, args }));
        }
        made
    }

    /// Makes the variables for what the roles do those moves. Of two that have one name, the first binds it, and the other
    /// has to agree.
    fn bind_moves(
        &mut self,
        query: &mut Query,
        scene: &Scene,
        arity: usize,
        name: &impl Fn(u32) -> Arg,
    ) -> Result<(), Stop> {
        for &role in &self.context.flat.roles {
            let Some(done) = scene.done.get(&role) else { continue };
            let first = self.done_variables(scene, arity, Some(role));
            for (var, &val) in (first..).zip(&done.args) {
                self.equate_value(query, name(var), val)?;
            }
        }
        Ok(())
    }

    /// Leaves out that the fluent holds: deleting what is not there does no harm. But where its value matters, only that
    /// value is deleted.
    fn drop_own(&self, body: &mut Vec<Literal>, truth: Rel, layout: &Layout, args: &[Arg]) {
        let own = |literal: &Literal| matches!(literal, Literal::Pos(atom) if atom.rel == truth && atom.args == args);
        // Any value: a variable of the fluent's own that is nothing else, neither a move's nor another argument.
        let any = |&place: &usize| {
            let Some(&Arg::Var(var)) = args.get(place) else { return false };
            let others = body.iter().filter(|literal| !own(literal));
            (var as usize) < args.len()
                && args.iter().filter(|&&arg| arg == Arg::Var(var)).count() == 1
                && !others.flat_map(Literal::vars).any(|other| other == var)
        };
        if layout.value.iter().all(any) {
            body.retain(|literal| !own(literal));
        }
    }
}

/// Whether a conjunction makes all arguments of a key constants, or arguments of what is done, which have these variables.
fn is_known(product: &[Condition], vars: u32, key: &[usize], done: Range<usize>) -> bool {
    let Some((names, _)) = unified(product, vars) else { return true };
    key.iter().all(|&place| {
        let name = names.get(place).copied();
        name.is_some_and(|name| name.constant().is_some())
            || done.clone().any(|other| name.is_some() && names.get(other).copied() == name)
    })
}

/// The names of variables that are equal by the conditions of a conjunction, and its literals with these names. `None` if
/// different constants would be equal.
fn unified(product: &[Condition], vars: u32) -> Option<(Vec<Arg>, Vec<Literal>)> {
    let mut names: Vec<Arg> = (0..vars).map(Arg::Var).collect();
    let mut literals = Vec::new();
    for condition in product {
        let (a, b) = match condition {
            Condition::Literal(literal) => {
                literals.push(literal);
                continue;
            }
            Condition::Same(a, b) => (renamed(&names, *a), renamed(&names, *b)),
        };
        let (from, to) = match (a, b) {
            _ if a == b => continue,
            (Arg::Is(_), Arg::Is(_)) => return None,
            // What is done keeps its name.
            (Arg::Var(x), Arg::Var(y)) if x > y => (b, a),
            (Arg::Var(_), _) => (a, b),
            (Arg::Is(_), Arg::Var(_)) => (b, a),
        };
        names.iter_mut().filter(|name| **name == from).for_each(|name| *name = to);
    }
    let literals = literals.into_iter().map(|literal| literal.map(&|arg| renamed(&names, arg))).collect();
    Some((names, literals))
}

fn renamed(names: &[Arg], arg: Arg) -> Arg {
    arg.var().and_then(|var| names.get(var as usize).copied()).unwrap_or(arg)
}

/// One contradiction of each list of conditions, in all ways, but for conjunctions that ask for more than another one.
pub(super) fn products(kept: &[Vec<Condition>]) -> Result<Vec<Vec<Condition>>, Stop> {
    let mut all: Vec<Vec<Condition>> = vec![Vec::new()];
    for conditions in kept {
        let mut next: Vec<Vec<Condition>> = Vec::new();
        for list in &all {
            for opposite in conditions.iter().map(opposite) {
                let more = if list.contains(&opposite) { Vec::new() } else { vec![opposite] };
                add_least(&mut next, [list.as_slice(), &more].concat());
            }
        }
        all = next;
        if all.len() > MAX_PRODUCTS {
            return Err(Stop::Undetermined);
        }
    }
    Ok(all)
}

/// Adds a conjunction to others of which none asks for all that another one asks.
fn add_least(all: &mut Vec<Vec<Condition>>, new: Vec<Condition>) {
    let asks_more = |list: &[Condition], than: &[Condition]| than.iter().all(|condition| list.contains(condition));
    if !all.iter().any(|list| asks_more(&new, list)) {
        all.retain(|list| !asks_more(list, &new));
        all.push(new);
    }
}

fn opposite(condition: &Condition) -> Condition {
    match condition {
        Condition::Same(a, b) => Condition::Literal(Literal::Distinct(*a, *b)),
        Condition::Literal(Literal::Distinct(a, b)) => Condition::Same(*a, *b),
        Condition::Literal(Literal::Pos(atom)) => Condition::Literal(Literal::Neg(atom.clone())),
        Condition::Literal(Literal::Neg(atom)) => Condition::Literal(Literal::Pos(atom.clone())),
    }
}
