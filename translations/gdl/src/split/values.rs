//! Which values variables may have, by a data-flow analysis: at each node those that are no maps, and entries of maps at any time.

use crate::eval::Root;
use crate::rules::Rules;
use rg_ir::{Expr, ExprId, Label, NodeId, Symbol, VarId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Variables of types with more symbols may have any value, but for those that are keys of variables.
const MAX_VALUES: usize = 16;
/// Most nodes that are looked at, again and again.
const MAX_LOOKS: usize = 200_000;
/// Most tuples of keys that are looked at for one expression.
const MAX_TUPLES: usize = 256;
/// Most entries of a map of which is found out what they may be.
const MAX_ENTRIES: usize = 1 << 14;

type Known = BTreeMap<VarId, BTreeSet<Symbol>>;

/// The values that variables may have. Where nothing is said, all of their type are possible.
#[derive(Default)]
pub(super) struct Values {
    scalars: FxHashMap<NodeId, Known>,
    entries: FxHashMap<VarId, FxHashMap<Vec<Symbol>, BTreeSet<Symbol>>>,
}

impl Values {
    /// Those of an entry of a map, or of a variable that is none, at a node.
    pub(super) fn at(&self, node: NodeId, var: VarId, keys: &[Symbol]) -> Option<&BTreeSet<Symbol>> {
        if keys.is_empty() { self.scalars.get(&node)?.get(&var) } else { self.entries.get(&var)?.get(keys) }
    }

    /// Analyses a game.
    pub(super) fn new(rules: &Rules<'_>) -> Self {
        let mut values = Self::default();
        for (var, table) in rules.vars.iter().filter(|(_, table)| !table.keys.is_empty()) {
            rg_ir::cancel::check();
            let size = table.keys.iter().fold(1, |size: usize, (members, _)| size.saturating_mul(members.len()));
            if size > MAX_ENTRIES {
                continue;
            }
            let keys = table.keys.iter().map(|(members, _)| members.iter().copied().collect()).collect();
            let tuples = crate::text::product(keys);
            let entries = tuples.into_iter().filter_map(|tuple| Some((tuple.clone(), [table.at(&tuple)?].into())));
            values.entries.insert(var, entries.collect());
        }
        let mut looks = 0;
        loop {
            let changed = values.round(rules, &mut looks);
            if looks > MAX_LOOKS {
                return Self::default();
            }
            if !changed {
                return values;
            }
        }
    }

    /// Follows all walks; whether entries of maps may have more values than was known.
    fn round(&mut self, rules: &Rules<'_>, looks: &mut usize) -> bool {
        let game = rules.game;
        let keys = keys(rules);
        let few = |var: &VarId| {
            let table = &rules.vars[*var];
            table.keys.is_empty() && (table.leaf.len() <= MAX_VALUES || keys.contains(var))
        };
        let first: Known =
            rules.vars.ids().filter(few).filter_map(|var| Some((var, [rules.vars[var].at(&[])?].into()))).collect();
        self.scalars = FxHashMap::from_iter([(game.begin(), first)]);
        let (mut pending, mut changed) = (vec![game.begin()], false);
        while let Some(node) = pending.pop() {
            rg_ir::cancel::check();
            *looks += 1;
            if *looks > MAX_LOOKS {
                return false;
            }
            let Some(known) = self.scalars.get(&node).cloned() else { continue };
            for &edge in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(edge);
                changed |= self.write(rules, &known, &edge.label);
                let Some(after) = self.behind(rules, known.clone(), &edge.label) else { continue };
                if let Label::Reach { from, .. } = edge.label
                    && joined(self.scalars.entry(from), known.clone())
                {
                    pending.push(from);
                }
                if joined(self.scalars.entry(edge.target), after) {
                    pending.push(edge.target);
                }
            }
        }
        changed
    }

    /// Adds what an edge writes to entries of a map; whether that is more than was known.
    fn write(&mut self, rules: &Rules<'_>, known: &Known, label: &Label) -> bool {
        let (lhs, set) = match *label {
            Label::Assign { lhs, rhs } => (lhs, self.range(rules, known, rhs)),
            Label::AssignAny { lhs, ty } => (lhs, Some(rules.members(ty).as_ref().clone())),
            _ => return false,
        };
        let (Root::Var(var), keys) = rules.spine(lhs) else { return false };
        if rules.vars[var].keys.is_empty() || !self.entries.contains_key(&var) {
            return false;
        }
        let tuples = self.tuples(rules, known, &keys).filter(|_| keys.len() == rules.vars[var].keys.len());
        let Some(tuples) = tuples else { return self.entries.remove(&var).is_some() };
        let set = set.unwrap_or_else(|| rules.vars[var].leaf.as_ref().clone());
        let mut grown = false;
        let entries = self.entries.entry(var).or_default();
        for tuple in tuples {
            if let Some(entry) = entries.get_mut(&tuple) {
                let count = entry.len();
                entry.extend(&set);
                grown |= entry.len() > count;
            }
        }
        grown
    }

    /// What is known behind an edge; `None` if no walk passes it.
    fn behind(&self, rules: &Rules<'_>, mut known: Known, label: &Label) -> Option<Known> {
        match *label {
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => {}
            Label::Assign { lhs, rhs } => {
                if let Some(var) = scalar(rules, lhs).filter(|var| known.contains_key(var)) {
                    let set = self.range(rules, &known, rhs).unwrap_or_else(|| rules.vars[var].leaf.as_ref().clone());
                    known.insert(var, set);
                }
            }
            Label::AssignAny { lhs, ty } => {
                if let Some(var) = scalar(rules, lhs).filter(|var| known.contains_key(var)) {
                    known.insert(var, rules.members(ty).as_ref().clone());
                }
            }
            Label::Compare { lhs, rhs, negated } => {
                for var in used(rules, &[lhs, rhs]) {
                    let Some(set) = known.get(&var) else { continue };
                    if scalar(rules, lhs) == Some(var) || scalar(rules, rhs) == Some(var) {
                        continue;
                    }
                    let can = |value: &Symbol| {
                        let mut known = known.clone();
                        known.insert(var, [*value].into());
                        let (Some(a), Some(b)) = (self.range(rules, &known, lhs), self.range(rules, &known, rhs))
                        else {
                            return true;
                        };
                        if negated { a.len() != 1 || a != b } else { !a.is_disjoint(&b) }
                    };
                    let kept: BTreeSet<Symbol> = set.iter().filter(|value| can(value)).copied().collect();
                    if kept.is_empty() {
                        return None;
                    }
                    known.insert(var, kept);
                }
                for (own, other) in [(lhs, rhs), (rhs, lhs)] {
                    let Some(var) = scalar(rules, own) else { continue };
                    let (Some(set), Some(other)) = (known.get(&var), self.range(rules, &known, other)) else {
                        continue;
                    };
                    let kept: BTreeSet<Symbol> = match negated {
                        false => set.intersection(&other).copied().collect(),
                        true if other.len() == 1 => set.difference(&other).copied().collect(),
                        true => set.clone(),
                    };
                    if kept.is_empty() {
                        return None;
                    }
                    known.insert(var, kept);
                }
            }
        }
        Some(known)
    }

    /// The values that an expression may have; `None` if nothing is known.
    fn range(&self, rules: &Rules<'_>, known: &Known, expr: ExprId) -> Option<BTreeSet<Symbol>> {
        let (root, keys) = rules.spine(expr);
        match root {
            Root::Symbol(symbol) => keys.is_empty().then(|| [symbol].into()),
            Root::Var(var) if keys.is_empty() => {
                Some(known.get(&var).cloned().unwrap_or_else(|| rules.vars[var].leaf.as_ref().clone()))
            }
            Root::Var(var) if keys.len() == rules.vars[var].keys.len() => {
                let table = &rules.vars[var];
                let mut out = BTreeSet::new();
                for tuple in self.tuples(rules, known, &keys)? {
                    let inside = tuple.iter().zip(&table.keys).all(|(key, (members, _))| members.contains(key));
                    match inside {
                        true => match self.entries.get(&var).and_then(|entries| entries.get(&tuple)) {
                            Some(entry) => out.extend(entry),
                            None => out.extend(table.leaf.iter()),
                        },
                        // Nothing assigns what is outside.
                        false => out.extend(table.at(&tuple)),
                    }
                }
                Some(out)
            }
            Root::Var(_) => None,
            Root::Const(id) => {
                self.tuples(rules, known, &keys)?.iter().map(|tuple| rules.consts[id].at(tuple)).collect()
            }
        }
    }

    fn tuples(&self, rules: &Rules<'_>, known: &Known, keys: &[ExprId]) -> Option<Vec<Vec<Symbol>>> {
        let mut tuples: Vec<Vec<Symbol>> = vec![Vec::new()];
        for &key in keys {
            let range = self.range(rules, known, key)?;
            tuples = tuples.iter().flat_map(|tuple| range.iter().map(|&s| [tuple.as_slice(), &[s]].concat())).collect();
            if tuples.len() > MAX_TUPLES {
                return None;
            }
        }
        Some(tuples)
    }
}

/// Adds to what is known at a node; whether that is more.
fn joined(at: Entry<'_, NodeId, Known>, more: Known) -> bool {
    let before = match at {
        Entry::Vacant(entry) => {
            entry.insert(more);
            return true;
        }
        Entry::Occupied(entry) => entry.into_mut(),
    };
    let mut grown = false;
    for (var, set) in more {
        let before = before.entry(var).or_default();
        let count = before.len();
        before.extend(set);
        grown |= before.len() > count;
    }
    grown
}

/// The variable that an expression is, if it is no map.
fn scalar(rules: &Rules<'_>, expr: ExprId) -> Option<VarId> {
    match rules.spine(expr) {
        (Root::Var(var), keys) if keys.is_empty() && rules.vars[var].keys.is_empty() => Some(var),
        _ => None,
    }
}

/// The variables that are no maps in expressions.
fn used(rules: &Rules<'_>, exprs: &[ExprId]) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for &expr in exprs {
        rules.game.exprs.preorder(expr, |_, expr| match expr {
            Expr::Var(var) if rules.vars[var].keys.is_empty() => drop(found.insert(var)),
            _ => {}
        });
    }
    found
}

/// The variables that are no maps, and in keys of entries of variables.
fn keys(rules: &Rules<'_>) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for (_, edge) in rules.game.automaton.edges() {
        for expr in edge.label.exprs() {
            rules.game.exprs.preorder(expr, |id, _| {
                if let (Root::Var(_), keys) = rules.spine(id) {
                    found.extend(used(rules, &keys));
                }
            });
        }
    }
    found
}
