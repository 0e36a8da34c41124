//! Rules of `next` in other words: with what is done in the rule itself, and with values that the state determines.
//!
//! Translations of other games say what a move does by a relation of its own, `(made m x y p)`: somebody makes the move, and
//! walks as the rules for legal moves say. As a part of the rule for `next`, what is done binds the move's arguments. The piece
//! `p` is an argument of the walk, which a search finds; but the walk implies `(true (cell x y p))`, by which it is read. The walk
//! itself is then nothing but what the legal move has asked for.

use super::Lift;
use super::effects::{Scene, keeps};
use super::plan::is_derived;
use crate::flat::{Arg, Atom, Literal, Rule, renumber, unfolded};
use crate::normal::RelationKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most rules that one rule becomes.
const MAX_RULES: usize = 16;

impl Lift<'_, '_> {
    /// A rule with the rules of relations that ask what is done in their place; as it is if there would be too many. Rules that
    /// keep a fluent stay one rule each.
    pub(super) fn unfolded(&self, fluent: usize, rule: &Rule) -> Vec<Rule> {
        let flat = self.context.flat;
        let truth = flat.fluents.get(fluent).map(|fluent| fluent.truth);
        let most = if truth.is_some_and(|truth| keeps(truth, rule)) { 1 } else { MAX_RULES };
        let asks = |literal: &Literal| match literal {
            Literal::Pos(atom) => {
                let relation = flat.relation(atom.rel);
                let has_rules = relation.kind == RelationKind::Helper && !relation.is_static && !relation.recursive;
                has_rules && self.asks_moves(atom.rel)
            }
            Literal::Neg(_) | Literal::Distinct(..) => false,
        };
        let (mut open, mut closed) = (vec![rule.clone()], Vec::new());
        while let Some(next) = open.pop() {
            match next.body.iter().position(asks) {
                Some(index) => open.extend(self.with_rules(&next, index).into_iter().rev()),
                None => closed.push(next),
            }
            if open.len() + closed.len() > most {
                return vec![rule.clone()];
            }
        }
        closed
    }

    /// A rule with each of the rules of an atom in its body in the place of that.
    fn with_rules(&self, rule: &Rule, index: usize) -> Vec<Rule> {
        let Some(Literal::Pos(atom)) = rule.body.get(index) else { return Vec::new() };
        let rules = self.context.flat.rules_of(atom.rel);
        rules.filter_map(|inner| unfolded(rule, index, inner)).collect()
    }

    /// A rule whose head's variables are bound by what is done, by fluents whose keys are known, and by steps from there, as far
    /// as such conditions are implied by others that only a search could find them by.
    pub(super) fn determined(&self, rule: Rule) -> Rule {
        let open = |rule: &Rule| {
            let bound = self.bound(&rule.body);
            rule.head.vars().find(|var| !bound.contains(var))
        };
        if open(&rule).is_none() {
            return rule;
        }
        let derived = rule.body.iter().filter_map(|literal| match literal {
            Literal::Pos(atom) if is_derived(self.context.flat.relation(atom.rel).kind) => Some(atom),
            _ => None,
        });
        let (mut vars, mut offers) = (rule.vars, Vec::new());
        for atom in derived {
            let (list, more) = self.context.implied(atom, vars);
            vars += more;
            offers.extend(list);
        }
        let mut made = Rule { vars, ..rule.clone() };
        while let Some(var) = open(&made) {
            let bound = self.bound(&made.body);
            let with = |offer: &Vec<Atom>| {
                let new = offer.iter().cloned().map(Literal::Pos);
                [made.body.as_slice(), &new.collect::<Vec<_>>()].concat()
            };
            // A value that helps on the way to another one is found with it: such conditions come together.
            let new = |offer: &&Vec<Atom>| {
                let more = self.bound(&with(offer));
                more.contains(&var) && !bound.contains(&var)
            };
            let Some(body) = offers.iter().find(new).map(with) else { return rule };
            made.body = body;
        }
        let (head, body, vars) = renumber(made.head, made.body);
        Rule { head, body, vars, span: rule.span }
    }

    /// Rules that say the same of what they add, and one of which fires in any case, as one rule.
    pub(super) fn merged(&self, fluent: usize, rules: Vec<Rule>, scene: &Scene) -> Vec<Rule> {
        let Some(truth) = self.context.flat.fluents.get(fluent).map(|fluent| fluent.truth) else { return rules };
        let cores: Vec<Option<Rule>> =
            rules.iter().map(|rule| self.core(rule).filter(|_| !keeps(truth, rule))).collect();
        let mut merged: Vec<Rule> = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            let same = |other: &Option<Rule>| match (other, cores.get(index)) {
                (Some(a), Some(Some(b))) => a.head == b.head && a.body == b.body,
                _ => false,
            };
            let alike: Vec<usize> =
                cores.iter().enumerate().filter(|(_, core)| same(core)).map(|(other, _)| other).collect();
            let core = cores.get(index).and_then(Option::as_ref).filter(|_| alike.len() > 1);
            let Some(core) = core else {
                merged.push(rule.clone());
                continue;
            };
            if alike.first() == Some(&index) {
                let list: Vec<&Rule> = alike.iter().filter_map(|&other| rules.get(other)).collect();
                if self.always_one(core, &list, scene) {
                    merged.push(core.clone());
                } else {
                    merged.extend(list.into_iter().cloned());
                }
            }
        }
        merged
    }

    /// A rule with those conditions only by which what is done and the state determine what it adds; `None` if they do not.
    fn core(&self, rule: &Rule) -> Option<Rule> {
        let determines = |body: &[Literal]| {
            let bound = self.bound(body);
            rule.head.vars().all(|var| bound.contains(&var))
        };
        let is_read = |literal: &&Literal| match literal {
            Literal::Pos(atom) => !is_derived(self.context.flat.relation(atom.rel).kind) || self.is_static(literal),
            Literal::Neg(_) | Literal::Distinct(..) => false,
        };
        let mut body: Vec<Literal> = rule.body.iter().filter(is_read).cloned().collect();
        if !determines(&body) {
            return None;
        }
        let mut index = 0;
        while let Some(Literal::Pos(atom)) = body.get(index) {
            let mut rest = body.clone();
            rest.remove(index);
            if !self.is_does(atom.rel) && determines(&rest) {
                body = rest;
            } else {
                index += 1;
            }
        }
        body.sort_by_key(|literal| literal.atom().map(|atom| atom.rel));
        let (head, body, vars) = renumber(rule.head.clone(), body);
        Some(Rule { head, body, vars, span: rule.span })
    }

    /// Whether where the conditions of `core` hold, one of these rules fires and adds the same.
    pub(super) fn always_one(&self, core: &Rule, rules: &[&Rule], scene: &Scene) -> bool {
        let (local, assumed) = self.with_moves(core.vars, &core.body, scene);
        let goal = |rule: &&Rule| {
            let (mut vars, mut names): (u32, FxHashMap<u32, Arg>) = (local, FxHashMap::default());
            for (own, &arg) in rule.head.args.iter().zip(&core.head.args) {
                own.var().map(|var| names.insert(var, arg));
            }
            let mut value = |arg: Arg| match arg {
                Arg::Var(var) => *names.entry(var).or_insert_with(|| {
                    vars += 1;
                    Arg::Var(vars - 1)
                }),
                Arg::Is(_) => arg,
            };
            let mut goal = rule.body.clone();
            for literal in &mut goal {
                let args: Vec<&mut Arg> = match literal {
                    Literal::Pos(atom) | Literal::Neg(atom) => atom.args.iter_mut().collect(),
                    Literal::Distinct(a, b) => vec![a, b],
                };
                args.into_iter().for_each(|arg| *arg = value(*arg));
            }
            goal
        };
        self.context.implies(local, &assumed, rules.iter().map(goal).collect())
    }

    /// The variables that are bound without a search: by what is done, by fluents whose keys are known, and by static relations
    /// that determine an argument.
    pub(super) fn bound(&self, body: &[Literal]) -> FxHashSet<u32> {
        let mut bound: FxHashSet<u32> = FxHashSet::default();
        let mut changed = true;
        while changed {
            let before = bound.len();
            for literal in body {
                let Literal::Pos(atom) = literal else { continue };
                let known = |place: &usize| {
                    atom.args.get(*place).is_some_and(|arg| arg.var().is_none_or(|var| bound.contains(&var)))
                };
                let places = 0..atom.args.len();
                let relation = self.context.flat.relation(atom.rel);
                let all = match relation.kind {
                    RelationKind::Does => true,
                    RelationKind::True => {
                        let layout = self.layout_of(atom.rel);
                        layout.is_some_and(|layout| layout.key.iter().all(known))
                    }
                    _ => false,
                };
                let steps = || {
                    self.context.dependencies(atom.rel).iter().filter(|list| {
                        relation.is_static
                            && places.clone().filter(|place| !list.contains(place)).all(|place| known(&place))
                    })
                };
                let found: Vec<usize> =
                    if all { places.clone().collect() } else { steps().flatten().copied().collect() };
                bound.extend(found.into_iter().filter_map(|place| atom.args.get(place)?.var()));
            }
            changed = bound.len() > before;
        }
        bound
    }
}
