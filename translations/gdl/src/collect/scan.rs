//! Walks with the values of variables written out.

use super::assigned;
use crate::eval::Root;
use crate::rules::Rules;
use indexmap::IndexMap;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most states of walks, with the values of variables.
const MAX_STATES: usize = 400_000;
/// Most steps from writes onwards.
const MAX_STEPS: usize = 40_000_000;
/// Most values, or tuples of keys, that are looked at one by one.
const MAX_TUPLES: usize = 4_096;

/// Values of variables that are no maps, in the order of variables.
type Values = Vec<(VarId, Symbol)>;
/// An entry of a map.
type Entry = (VarId, Vec<Symbol>);

/// A step of a walk.
struct Step {
    next: usize,
    edge: EdgeId,
    reads: Rc<FxHashSet<Entry>>,
    write: Option<(Entry, Rc<Vec<Symbol>>)>,
}

pub(super) struct Scan<'s, 'r, 'g> {
    rules: &'r Rules<'g>,
    /// The edges that are to be collected, with the maps that they write to.
    edges: &'s FxHashMap<EdgeId, VarId>,
    vars: &'s BTreeSet<VarId>,
    states: IndexMap<(NodeId, Values), Vec<Step>>,
    checks: FxHashMap<(NodeId, NodeId, Values), Rc<FxHashSet<Entry>>>,
}

impl<'s, 'r, 'g> Scan<'s, 'r, 'g> {
    pub(super) fn new(rules: &'r Rules<'g>, edges: &'s FxHashMap<EdgeId, VarId>, vars: &'s BTreeSet<VarId>) -> Self {
        Self { rules, edges, vars, states: IndexMap::new(), checks: FxHashMap::default() }
    }

    /// The maps of which an entry may be read after it was collected, or written twice; `None` if there is too much to look at.
    pub(super) fn conflicts(&mut self) -> Option<BTreeSet<VarId>> {
        self.begin()?;
        let mut at = 0;
        while at < self.states.len() {
            rg_ir::cancel::check();
            let (node, values) = self.states.get_index(at).map(|(key, _)| key.clone())?;
            let mut steps = Vec::new();
            for &edge in self.rules.game.automaton.outgoing(node) {
                self.steps(edge, &values, &mut steps)?;
            }
            *self.states.get_index_mut(at)?.1 = steps;
            at += 1;
        }
        self.compare()
    }

    /// The states in which moves of players begin.
    fn begin(&mut self) -> Option<()> {
        let (rules, game) = (self.rules, self.rules.game);
        for (_, edge) in game.automaton.edges() {
            let Label::Assign { rhs, .. } = edge.label else { continue };
            if !game.ends_move(&edge.label) || game.exprs.get(rhs) == Expr::Symbol(rules.keeper) {
                continue;
            }
            let mut all: Vec<Values> = vec![Vec::new()];
            for &var in rules.live.at(None, edge.target).into_iter().flatten() {
                if rules.vars[var].keys.is_empty() {
                    let with = |values: &Values| {
                        let values = values.clone();
                        rules.vars[var].leaf.iter().map(move |&value| [values.as_slice(), &[(var, value)]].concat())
                    };
                    all = all.iter().flat_map(with).collect();
                    if all.len() > MAX_STATES {
                        return None;
                    }
                }
            }
            for values in all {
                self.state(edge.target, values)?;
            }
        }
        Some(())
    }

    fn state(&mut self, node: NodeId, values: Values) -> Option<usize> {
        let live = self.rules.live.at(None, node)?;
        let values = values.into_iter().filter(|(var, _)| live.contains(var) || *var == self.rules.player).collect();
        let entry = self.states.entry((node, values));
        let index = entry.index();
        entry.or_default();
        (index <= MAX_STATES).then_some(index)
    }

    /// The steps along an edge, up to where the move ends.
    fn steps(&mut self, id: EdgeId, values: &Values, out: &mut Vec<Step>) -> Option<()> {
        let edge = self.rules.game.automaton.edge(id);
        let target = edge.target;
        if self.rules.live.at(None, target).is_none() {
            return Some(());
        }
        let ends = self.rules.game.ends_move(&edge.label);
        let mut reads = FxHashSet::default();
        if let Label::Reach { from, to, .. } = edge.label {
            let reads = self.check(from, to, values)?;
            let next = self.state(target, values.clone())?;
            out.push(Step { next, edge: id, reads, write: None });
            return Some(());
        }
        for (after, write) in self.cross(None, id, values, &mut reads)? {
            // What is read when the move ends counts; what comes then is another walk.
            let next = if ends { usize::MAX } else { self.state(target, after)? };
            out.push(Step { next, edge: id, reads: Rc::default(), write });
        }
        let reads = Rc::new(reads);
        out.iter_mut().filter(|step| step.edge == id).for_each(|step| step.reads = reads.clone());
        Some(())
    }

    /// The values behind an edge that is no check, with the entry that it writes.
    #[expect(clippy::type_complexity, reason = "used here only")]
    fn cross(
        &self,
        question: Option<NodeId>,
        id: EdgeId,
        values: &Values,
        reads: &mut FxHashSet<Entry>,
    ) -> Option<Vec<(Values, Option<(Entry, Rc<Vec<Symbol>>)>)>> {
        let edge = self.rules.game.automaton.edge(id);
        let (lhs, right) = match edge.label {
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => {
                return Some(vec![(values.clone(), None)]);
            }
            Label::Compare { lhs, rhs, negated } => {
                let (a, b) = (self.eval(lhs, values, reads)?, self.eval(rhs, values, reads)?);
                let can = if negated { a.len() != 1 || b.len() != 1 || a != b } else { !a.is_disjoint(&b) };
                return Some(if can { vec![(values.clone(), None)] } else { Vec::new() });
            }
            Label::Assign { lhs, rhs } => (lhs, Err(rhs)),
            Label::AssignAny { lhs, ty } => (lhs, Ok(ty)),
        };
        let Some((var, is_entry)) = assigned(self.rules.game, &edge.label) else { return Some(Vec::new()) };
        // What does not matter is not written, so that nothing is read for it.
        if !self.rules.matters(question, edge.target, var) && !self.rules.game.ends_move(&edge.label) {
            return Some(vec![(values.clone(), None)]);
        }
        let new: BTreeSet<Symbol> = match right {
            Ok(ty) => self.rules.members(ty).iter().copied().collect(),
            Err(rhs) if self.rules.vars[var].keys.is_empty() || is_entry => self.eval(rhs, values, reads)?,
            Err(_) => BTreeSet::new(),
        };
        if is_entry {
            let (_, keys) = self.rules.spine(lhs);
            let tuples = self.tuples(&keys, values, reads)?;
            let new = Rc::new(new.into_iter().collect::<Vec<_>>());
            return Some(tuples.into_iter().map(|keys| (values.clone(), Some(((var, keys), new.clone())))).collect());
        }
        if !self.rules.vars[var].keys.is_empty() {
            return Some(vec![(values.clone(), None)]);
        }
        let with = |value: Symbol| {
            let mut values: Values = values.iter().filter(|(other, _)| *other != var).copied().collect();
            let at = values.partition_point(|(other, _)| *other < var);
            values.insert(at, (var, value));
            (values, None)
        };
        Some(new.into_iter().map(with).collect())
    }

    /// What an expression may be. Entries that are read for it are noted.
    fn eval(&self, expr: ExprId, values: &Values, reads: &mut FxHashSet<Entry>) -> Option<BTreeSet<Symbol>> {
        let (root, keys) = self.rules.spine(expr);
        let tuples = self.tuples(&keys, values, reads)?;
        let (table, var) = match root {
            Root::Symbol(symbol) => return Some([symbol].into()),
            Root::Const(id) => (&self.rules.consts[id], None),
            Root::Var(var) => (&self.rules.vars[var], Some(var)),
        };
        if table.keys.len() != keys.len() {
            return None;
        }
        if let Some(var) = var.filter(|_| keys.is_empty()) {
            let known = values.iter().find(|(other, _)| *other == var);
            return Some(known.map_or_else(|| table.leaf.as_ref().clone(), |&(_, value)| [value].into()));
        }
        let mut out = BTreeSet::new();
        for tuple in tuples {
            let inside = tuple.iter().zip(&table.keys).all(|(key, (members, _))| members.contains(key));
            match var {
                // Nothing assigns what is outside.
                Some(var) if inside => {
                    out.extend(table.leaf.iter());
                    if self.vars.contains(&var) {
                        reads.insert((var, tuple));
                    }
                }
                _ => out.extend(table.at(&tuple)),
            }
        }
        Some(out)
    }

    fn tuples(&self, keys: &[ExprId], values: &Values, reads: &mut FxHashSet<Entry>) -> Option<Vec<Vec<Symbol>>> {
        let mut tuples = vec![Vec::new()];
        for &key in keys {
            let all = self.eval(key, values, reads)?;
            tuples = tuples
                .iter()
                .flat_map(|tuple: &Vec<Symbol>| all.iter().map(|&symbol| [tuple.as_slice(), &[symbol]].concat()))
                .collect();
            if tuples.len() > MAX_TUPLES {
                return None;
            }
        }
        Some(tuples)
    }

    /// The entries that a check may read.
    fn check(&mut self, from: NodeId, to: NodeId, values: &Values) -> Option<Rc<FxHashSet<Entry>>> {
        let kept = |node: NodeId, to: NodeId, values: Values| -> Option<Values> {
            let live = self.rules.live.at(Some(to), node)?;
            Some(values.into_iter().filter(|(var, _)| live.contains(var)).collect())
        };
        let Some(values) = kept(from, to, values.clone()) else { return Some(Rc::default()) };
        if let Some(known) = self.checks.get(&(from, to, values.clone())) {
            return Some(known.clone());
        }
        let mut reads = FxHashSet::default();
        let first = (from, to, values.clone());
        let mut seen: FxHashSet<(NodeId, NodeId, Values)> = FxHashSet::from_iter([first.clone()]);
        let mut pending = vec![first];
        while let Some((node, to, values)) = pending.pop() {
            if node == to {
                continue;
            }
            for &id in self.rules.game.automaton.outgoing(node) {
                let edge = self.rules.game.automaton.edge(id);
                let mut next = Vec::new();
                if let Label::Reach { from, to, .. } = edge.label {
                    next.extend(kept(from, to, values.clone()).map(|values| (from, to, values)));
                }
                for (after, _) in self.cross(Some(to), id, &values, &mut reads)? {
                    next.extend(kept(edge.target, to, after).map(|values| (edge.target, to, values)));
                }
                for state in next {
                    if seen.insert(state.clone()) {
                        pending.push(state);
                    }
                }
            }
            if seen.len() > MAX_STATES {
                return None;
            }
        }
        let reads = Rc::new(reads);
        self.checks.insert((from, to, values), reads.clone());
        Some(reads)
    }

    /// Follows every write to the end of the move.
    fn compare(&self) -> Option<BTreeSet<VarId>> {
        let (mut conflicts, mut left) = (BTreeSet::new(), MAX_STEPS);
        for steps in self.states.values() {
            for step in steps {
                if let Some((entry, new)) = &step.write
                    && self.vars.contains(&entry.0)
                    && !conflicts.contains(&entry.0)
                    && self.meets(step, entry, new, &mut left)?
                {
                    conflicts.insert(entry.0);
                }
            }
        }
        Some(conflicts)
    }

    /// The nodes among some from which walks may go on within these for ever. What was not looked at may, too.
    pub(super) fn endless(&self, among: &FxHashSet<NodeId>) -> FxHashSet<NodeId> {
        let inside = |state: usize| self.states.get_index(state).is_some_and(|((node, _), _)| among.contains(node));
        let mut left: Vec<usize> = Vec::with_capacity(self.states.len());
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (state, steps) in self.states.values().enumerate() {
            let steps = steps.iter().filter(|step| inside(step.next));
            left.push(steps.clone().count());
            for step in steps {
                if let Some(before) = before.get_mut(step.next) {
                    before.push(state);
                }
            }
        }
        let mut pending: Vec<usize> = (0..left.len()).filter(|&state| left.get(state) == Some(&0)).collect();
        while let Some(state) = pending.pop() {
            for &before in before.get(state).into_iter().flatten().filter(|_| inside(state)) {
                if let Some(left) = left.get_mut(before) {
                    *left -= 1;
                    if *left == 0 {
                        pending.push(before);
                    }
                }
            }
        }
        let seen: FxHashSet<NodeId> = self.states.keys().map(|(node, _)| *node).collect();
        let endless = self.states.keys().zip(&left).filter(|(_, left)| **left > 0).map(|((node, _), _)| *node);
        endless.chain(among.iter().copied().filter(|node| !seen.contains(node))).collect()
    }

    /// Whether a walk that goes on from a write reads the entry, or writes something else there.
    fn meets(&self, from: &Step, entry: &Entry, new: &[Symbol], left: &mut usize) -> Option<bool> {
        rg_ir::cancel::check();
        let collects = |edge: &EdgeId| self.edges.contains_key(edge);
        let own = collects(&from.edge);
        let mut seen: FxHashSet<usize> = FxHashSet::from_iter([from.next]);
        let mut pending = vec![from.next];
        while let Some(state) = pending.pop() {
            let Some((_, steps)) = self.states.get_index(state) else { continue };
            for step in steps {
                *left = left.checked_sub(1)?;
                if own && step.reads.contains(entry) {
                    return Some(true);
                }
                if let Some((other, value)) = &step.write
                    && other == entry
                    && (own || collects(&step.edge))
                    && (value.len() != 1 || value.as_slice() != new)
                {
                    return Some(true);
                }
                if seen.insert(step.next) {
                    pending.push(step.next);
                }
            }
        }
        Some(false)
    }
}
