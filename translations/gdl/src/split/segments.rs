//! Parts of moves: all walks from one node to the nodes where a move may be split, or to where it ends, with what they ask and what they write.
//!
//! The state in which such a walk begins is not known. What is asked about an entry of it is a *fact*: the values that the entry may have. Keys are always
//! known symbols, so that a walk that goes on from any square is a walk for each square.

use super::values::Values;
use crate::eval::Root;
use crate::rules::Rules;
use rg_ir::{ConstId, ExprId, Label, NodeId, Symbol, VarId};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Most steps of the walks from one node.
const MAX_STEPS: usize = 100_000;
/// Most tags and facts of a walk.
const MAX_LENGTH: usize = 200;
/// What a step of a walk costs, in comparisons of walks.
const STEP: usize = 20;
/// Most tuples of values that are looked at for one expression.
const MAX_TUPLES: usize = 4_096;

/// An entry of a map, or a variable that is none, without keys.
pub(super) type Entry = (VarId, Vec<Symbol>);

/// What something is, as far as that is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Value {
    Symbol(Symbol),
    /// What the entry is at the beginning.
    Before(Entry),
    /// The entry of a constant.
    Of(ConstId, Vec<Value>),
}

/// A check, with all that it may read and that was changed on the way.
pub(super) type Check = (NodeId, NodeId, BTreeMap<Entry, Value>);

/// What is asked of the state at the beginning.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(super) struct Facts {
    pub(super) sets: BTreeMap<Entry, BTreeSet<Symbol>>,
    pub(super) checks: BTreeMap<Check, bool>,
}

/// Where a walk is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Walk {
    pub(super) node: NodeId,
    /// Whether the move is over there.
    pub(super) over: bool,
    pub(super) facts: Facts,
    pub(super) writes: BTreeMap<Entry, Value>,
    pub(super) tags: Vec<Symbol>,
}

/// All there is to know for following walks.
pub(super) struct Segments<'r, 'g> {
    pub(super) rules: &'r Rules<'g>,
    pub(super) values: &'r Values,
    pub(super) root: NodeId,
    /// How much may still be looked at.
    pub(super) left: &'r Cell<usize>,
}

impl Segments<'_, '_> {
    /// Counts work; `None` if it is too much.
    pub(super) fn spend(&self, work: usize) -> Option<()> {
        rg_ir::cancel::check();
        self.left.set(self.left.get().saturating_sub(work));
        (self.left.get() > 0).then_some(())
    }

    /// The walks from the root to where they come to one of some nodes, or the move ends, or the check succeeds; `None` if there is too much to look at.
    pub(super) fn walks(&self, question: Option<NodeId>, cuts: &BTreeSet<NodeId>) -> Option<Vec<Walk>> {
        let start =
            Walk { node: self.root, over: false, facts: Facts::default(), writes: BTreeMap::new(), tags: Vec::new() };
        self.follow(start, question, cuts)
    }

    /// What must hold of the state for a check to succeed: one of these.
    pub(super) fn cubes(&self, check: &Check, facts: &Facts) -> Option<Vec<Facts>> {
        let (from, to, writes) = check;
        let start = Walk { node: *from, over: false, facts: facts.clone(), writes: writes.clone(), tags: Vec::new() };
        let walks = self.follow(start, Some(*to), &BTreeSet::new())?;
        Some(walks.into_iter().map(|walk| walk.facts).collect())
    }

    fn follow(&self, start: Walk, question: Option<NodeId>, cuts: &BTreeSet<NodeId>) -> Option<Vec<Walk>> {
        let game = self.rules.game;
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut pending = vec![start];
        while let Some(walk) = pending.pop() {
            if Some(walk.node) == question {
                found.push(Walk { over: true, ..walk });
                continue;
            }
            for &id in game.automaton.outgoing(walk.node) {
                let edge = game.automaton.edge(id);
                if self.rules.live.at(question, edge.target).is_none() {
                    continue;
                }
                if question.is_none() && game.ends_move(&edge.label) {
                    found.push(Walk { over: true, ..walk.clone() });
                    continue;
                }
                for mut next in self.cross(&walk, question, id)? {
                    next.node = edge.target;
                    self.forget(&mut next, question);
                    if !seen.insert(next.clone()) {
                        continue;
                    }
                    self.spend(STEP)?;
                    let length = next.tags.len() + next.facts.sets.len() + next.facts.checks.len();
                    if seen.len() > MAX_STEPS || length > MAX_LENGTH {
                        return None;
                    }
                    if cuts.contains(&next.node) { found.push(next) } else { pending.push(next) }
                }
            }
        }
        Some(found)
    }

    /// Forgets what does not matter any more.
    fn forget(&self, walk: &mut Walk, question: Option<NodeId>) {
        let node = walk.node;
        walk.writes.retain(|(var, _), _| *var == self.rules.player || self.rules.matters(question, node, *var));
    }

    /// A walk behind an edge: several where it asks or chooses.
    fn cross(&self, walk: &Walk, question: Option<NodeId>, id: rg_ir::EdgeId) -> Option<Vec<Walk>> {
        let edge = self.rules.game.automaton.edge(id);
        match edge.label {
            Label::Skip => Some(vec![walk.clone()]),
            Label::Tag(tag) => {
                let mut walk = walk.clone();
                if question.is_none() {
                    walk.tags.push(tag);
                }
                Some(vec![walk])
            }
            Label::TagVar(_) if question.is_some() => Some(vec![walk.clone()]),
            Label::TagVar(var) => {
                let told = |(mut walk, tag): (Walk, Symbol)| {
                    walk.tags.push(tag);
                    walk
                };
                let value = self.read(walk, var, Vec::new())?;
                Some(self.known(walk.clone(), &value)?.into_iter().map(told).collect())
            }
            Label::Compare { lhs, rhs, negated } => {
                let mut out = Vec::new();
                for (walk, values) in self.eval_all(walk.clone(), &[lhs, rhs])? {
                    let [a, b] = values.as_slice() else { continue };
                    out.extend(self.compare(walk, a, b, negated)?);
                }
                Some(out)
            }
            Label::Reach { from, to, negated } => Some(self.ask(walk, from, to, !negated).into_iter().collect()),
            Label::Assign { lhs, rhs } => self.assign(walk, lhs, Err(rhs), edge.target, question),
            Label::AssignAny { lhs, ty } => self.assign(walk, lhs, Ok(ty), edge.target, question),
        }
    }

    fn assign(
        &self,
        walk: &Walk,
        lhs: ExprId,
        right: Result<rg_ir::TypeId, ExprId>,
        target: NodeId,
        question: Option<NodeId>,
    ) -> Option<Vec<Walk>> {
        let (Root::Var(var), keys) = self.rules.spine(lhs) else { return None };
        if !self.rules.matters(question, target, var) && var != self.rules.player {
            return Some(vec![walk.clone()]);
        }
        if keys.len() != self.rules.vars[var].keys.len() {
            return None;
        }
        let mut out = Vec::new();
        for (walk, keys) in self.symbols(walk.clone(), &keys)? {
            let inside = keys.iter().zip(&self.rules.vars[var].keys).all(|(key, (members, _))| members.contains(key));
            if !inside {
                // Such an assignment is an error of the rules, so that no walk comes here.
                continue;
            }
            let values = match right {
                Ok(ty) => {
                    let values = self.rules.members(ty).iter().map(|&symbol| Value::Symbol(symbol)).collect::<Vec<_>>();
                    values.into_iter().map(|value| (walk.clone(), value)).collect()
                }
                Err(rhs) => self.eval(walk, rhs)?,
            };
            for (mut walk, value) in values {
                let value = self.plain(&walk.facts, value);
                walk.writes.insert((var, keys.clone()), value);
                out.push(walk);
            }
        }
        Some(out)
    }

    /// The values of an entry at the beginning that are possible.
    pub(super) fn possible(&self, facts: &Facts, entry: &Entry) -> BTreeSet<Symbol> {
        if let Some(set) = facts.sets.get(entry) {
            return set.clone();
        }
        self.values
            .at(self.root, entry.0, &entry.1)
            .cloned()
            .unwrap_or_else(|| self.rules.vars[entry.0].leaf.as_ref().clone())
    }

    /// The values that something may have.
    pub(super) fn range(&self, facts: &Facts, value: &Value) -> Option<BTreeSet<Symbol>> {
        match value {
            Value::Symbol(symbol) => Some([*symbol].into()),
            Value::Before(entry) => Some(self.possible(facts, entry)),
            Value::Of(id, keys) => {
                let mut tuples = vec![Vec::new()];
                for key in keys {
                    let range = self.range(facts, key)?;
                    tuples = tuples
                        .iter()
                        .flat_map(|t: &Vec<Symbol>| range.iter().map(|&s| [t.as_slice(), &[s]].concat()))
                        .collect();
                    if tuples.len() > MAX_TUPLES {
                        return None;
                    }
                }
                tuples.iter().map(|tuple| self.rules.consts[*id].at(tuple)).collect()
            }
        }
    }

    /// The same value, with all that is known of it.
    pub(super) fn plain(&self, facts: &Facts, value: Value) -> Value {
        let only = self.range(facts, &value).filter(|range| range.len() == 1);
        only.and_then(|range| range.first().copied()).map_or(value, Value::Symbol)
    }

    /// What an entry is on a walk.
    fn read(&self, walk: &Walk, var: VarId, keys: Vec<Symbol>) -> Option<Value> {
        let table = &self.rules.vars[var];
        let inside = keys.iter().zip(&table.keys).all(|(key, (members, _))| members.contains(key));
        if !inside {
            return table.at(&keys).map(Value::Symbol);
        }
        let entry = (var, keys);
        let value = walk.writes.get(&entry).cloned().unwrap_or(Value::Before(entry));
        Some(self.plain(&walk.facts, value))
    }

    fn eval(&self, walk: Walk, expr: ExprId) -> Option<Vec<(Walk, Value)>> {
        let (root, keys) = self.rules.spine(expr);
        match root {
            Root::Symbol(symbol) => keys.is_empty().then(|| vec![(walk, Value::Symbol(symbol))]),
            Root::Var(var) if keys.len() == self.rules.vars[var].keys.len() => {
                let read = |(walk, keys): (Walk, Vec<Symbol>)| {
                    let value = self.read(&walk, var, keys)?;
                    Some((walk, value))
                };
                self.symbols(walk, &keys)?.into_iter().map(read).collect()
            }
            Root::Const(id) if keys.len() == self.rules.consts[id].keys.len() => {
                let value = |(walk, keys): (Walk, Vec<Value>)| {
                    let value = self.plain(&walk.facts, Value::Of(id, keys));
                    (walk, value)
                };
                Some(self.eval_all(walk, &keys)?.into_iter().map(value).collect())
            }
            Root::Var(_) | Root::Const(_) => None,
        }
    }

    fn eval_all(&self, walk: Walk, exprs: &[ExprId]) -> Option<Vec<(Walk, Vec<Value>)>> {
        let mut open = vec![(walk, Vec::new())];
        for &expr in exprs {
            let mut next = Vec::new();
            for (walk, values) in open {
                for (walk, value) in self.eval(walk, expr)? {
                    next.push((walk, [values.as_slice(), &[value]].concat()));
                }
            }
            open = next;
        }
        Some(open)
    }

    /// The symbols of several expressions.
    fn symbols(&self, walk: Walk, exprs: &[ExprId]) -> Option<Vec<(Walk, Vec<Symbol>)>> {
        let mut open = vec![(walk, Vec::new())];
        for &expr in exprs {
            let mut next = Vec::new();
            for (walk, symbols) in open {
                for (walk, value) in self.eval(walk, expr)? {
                    for (walk, symbol) in self.known(walk, &value)? {
                        next.push((walk, [symbols.as_slice(), &[symbol]].concat()));
                    }
                }
            }
            open = next;
        }
        Some(open)
    }

    /// A walk for each symbol that a value may be.
    fn known(&self, walk: Walk, value: &Value) -> Option<Vec<(Walk, Symbol)>> {
        if let Value::Symbol(symbol) = value {
            return Some(vec![(walk, *symbol)]);
        }
        let mut out = Vec::new();
        for walk in self.decided(walk, value) {
            match self.plain(&walk.facts, value.clone()) {
                Value::Symbol(symbol) => out.push((walk, symbol)),
                _ => return None,
            }
        }
        Some(out)
    }

    /// Walks for all values of the entries that a value depends on.
    fn decided(&self, walk: Walk, value: &Value) -> Vec<Walk> {
        let mut entries = Vec::new();
        entries_of(value, &mut entries);
        let mut open = vec![walk];
        for entry in entries {
            let with = |walk: &Walk| {
                let all = self.possible(&walk.facts, &entry);
                let with = |symbol: Symbol| {
                    let mut walk = walk.clone();
                    walk.facts.sets.insert(entry.clone(), [symbol].into());
                    walk
                };
                all.into_iter().map(with).collect::<Vec<_>>()
            };
            open = open.iter().flat_map(with).collect();
        }
        open
    }

    /// The walks on which two values are equal, or on which they are not.
    fn compare(&self, walk: Walk, a: &Value, b: &Value, negated: bool) -> Option<Vec<Walk>> {
        let mut entries = Vec::new();
        entries_of(a, &mut entries);
        entries_of(b, &mut entries);
        entries.sort();
        entries.dedup();
        let Some((first, rest)) = entries.split_last() else {
            return Some(((a == b) != negated).then_some(walk).into_iter().collect());
        };
        let mut out = Vec::new();
        let others = rest.iter().map(|entry| Value::Before(entry.clone())).collect::<Vec<_>>();
        let open = others
            .iter()
            .fold(vec![walk], |open, value| open.into_iter().flat_map(|walk| self.decided(walk, value)).collect());
        for mut walk in open {
            let mut fits = BTreeSet::new();
            for symbol in self.possible(&walk.facts, first) {
                let mut facts = walk.facts.clone();
                facts.sets.insert(first.clone(), [symbol].into());
                let [a, b] = [a, b].map(|value| self.plain(&facts, value.clone()));
                let (Value::Symbol(a), Value::Symbol(b)) = (a, b) else { return None };
                if (a == b) != negated {
                    fits.insert(symbol);
                }
            }
            if !fits.is_empty() {
                walk.facts.sets.insert(first.clone(), fits);
                out.push(walk);
            }
        }
        Some(out)
    }

    /// A walk on which a check succeeds, or fails.
    fn ask(&self, walk: &Walk, from: NodeId, to: NodeId, succeeds: bool) -> Option<Walk> {
        let Some(live) = self.rules.live.at(Some(to), from) else { return (!succeeds).then(|| walk.clone()) };
        let mut read: BTreeMap<Entry, Value> = BTreeMap::new();
        for ((var, keys), value) in &walk.writes {
            if live.contains(var) {
                read.insert((*var, keys.clone()), self.plain(&walk.facts, value.clone()));
            }
        }
        for &var in live.iter().filter(|&&var| self.rules.vars[var].keys.is_empty()) {
            let entry = (var, Vec::new());
            let value = read.get(&entry).cloned().unwrap_or(Value::Before(entry.clone()));
            if let value @ Value::Symbol(_) = self.plain(&walk.facts, value) {
                read.insert(entry, value);
            }
        }
        let check = (from, to, read);
        match walk.facts.checks.get(&check) {
            Some(known) => (*known == succeeds).then(|| walk.clone()),
            None => {
                let mut walk = walk.clone();
                walk.facts.checks.insert(check, succeeds);
                Some(walk)
            }
        }
    }
}

/// The entries that a value depends on.
fn entries_of(value: &Value, out: &mut Vec<Entry>) {
    match value {
        Value::Symbol(_) => {}
        Value::Before(entry) => out.push(entry.clone()),
        Value::Of(_, keys) => keys.iter().for_each(|key| entries_of(key, out)),
    }
}
