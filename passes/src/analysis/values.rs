//! Value sets at nodes (catalogue of passes, 9.5).

mod cells;
mod universe;

use super::{Liveness, Ranges};
use crate::dataflow::{Worklist, order};
use crate::effects;
use cells::Cells;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use universe::Universe;

/// How often the set of a variable behind an assignment to it may grow before it is given all values that the variable
/// may ever have.
const MAX_STEPS: u8 = 16;
/// The same for any node. What grows there comes from assignments, whose values comparisons on the way may have left out
/// again, so it is better to wait for them.
const MAX_STEPS_ANYWHERE: u8 = u8::MAX;

/// Most words of all sets at all nodes together; larger games are not analysed.
const MAX_WORDS: usize = 1 << 23;

/// Deepest expression that is evaluated or learnt from.
const MAX_DEPTH: usize = 50;

/// A set of symbols, as places in the [`Universe`].
type Set = Rc<FixedBitSet>;

/// The values of the variables of set types at a node, in the order of [`Values::slots`].
type Fact = Rc<[Set]>;

/// Which values a variable may have when a walk comes by a node: initially the declared one (if anybody reads
/// that), then what was assigned, as
/// far as comparisons on the way let it through. A comparison with an access, `board[pos] == e`, says something about
/// `pos`: only keys at which the map may hold a value of `e` are left. What cells of maps may hold is not distinguished by
/// nodes, but by keys for maps of one level, and is computed together with the rest, from nothing: so a cell that can
/// only be written if it already had been written is found never to be.
///
/// The least sets with these properties, except that a set that grows for long is given what [`Ranges`] says.
pub struct Values {
    universe: Universe,
    /// The variables of set types, by index: their place in a fact.
    slots: Vec<Option<usize>>,
    facts: Vec<Option<Fact>>,
    steps: Vec<u8>,
    cells: Cells,
    /// What a set that grows for long becomes.
    widest: Vec<Set>,
    /// See [`Values::solve_unwritten`].
    unwritten: Option<Unwritten>,
}

/// For each of some maps sets of keys; a set in which one is written goes.
type Unwritten = FxHashMap<VarId, Vec<FixedBitSet>>;

/// Why nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// The game is too large.
    TooLarge,
    /// Of each list of keys one is written ([`Values::solve_unwritten`]).
    Written,
}

/// What a comparison can do at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It never succeeds.
    Never,
    /// It always succeeds.
    Always,
    /// Either.
    Open,
}

impl Values {
    /// Solves it; `None` if the game is too large. O(edges · size of sets) for each of the few times that sets grow.
    pub fn solve(game: &Game, ranges: &Ranges) -> Option<Self> {
        Self::solved(game, ranges, true, None).ok()
    }

    /// As [`Values::solve`] for who needs to know it only if for one of some maps with lists of keys no key in one of its lists is ever
    /// written. Sets only grow, so that it is given up as soon as that is not so.
    ///
    /// # Errors
    /// If the game is too large, or in each of the lists some key is written.
    pub fn solve_unwritten(
        game: &Game,
        ranges: &Ranges,
        lists: &FxHashMap<VarId, Vec<Vec<Symbol>>>,
    ) -> Result<Self, Unsolved> {
        Self::solved(game, ranges, true, Some(lists))
    }

    /// As [`Values::solve`] for walks that make moves: nothing is known of checks, and what these write for themselves does
    /// not count.
    pub fn solve_moves(game: &Game, ranges: &Ranges) -> Option<Self> {
        Self::solved(game, ranges, false, None).ok()
    }

    fn solved(
        game: &Game,
        ranges: &Ranges,
        checks: bool,
        lists: Option<&FxHashMap<VarId, Vec<Vec<Symbol>>>>,
    ) -> Result<Self, Unsolved> {
        let (mut values, first) = Self::begun(game, ranges).ok_or(Unsolved::TooLarge)?;
        values.unwritten = lists.map(|lists| {
            let set = |keys: &Vec<Symbol>| values.universe.set(keys.iter().copied());
            lists.iter().map(|(&var, lists)| (var, lists.iter().map(set).collect())).collect()
        });
        values.run(game, first, checks);
        if values.is_given_up() { Err(Unsolved::Written) } else { Ok(values) }
    }

    /// What is known before any edge is looked at, and what holds at first; `None` if the game is too large.
    fn begun(game: &Game, ranges: &Ranges) -> Option<(Self, Fact)> {
        let universe = Universe::of(game);
        let mut slots = vec![None; game.vars.len()];
        // An initial value that nobody reads is as good as none.
        let live = Liveness::solve(game);
        let needed = |var: VarId| live.at(game.begin()).is_none_or(|live| live.contains(var.index()));
        let (mut first, mut widest) = (Vec::new(), Vec::new());
        for (var, decl) in game.vars.iter().filter(|(_, decl)| game.types.is_set(decl.ty)) {
            slots[var.index()] = Some(first.len());
            let dense = game.dense(decl.ty, &decl.initial).ok()?;
            let initial = universe.set(dense.values.iter().copied().filter(|_| always(game, var) || needed(var)));
            let members = game.types.members(decl.ty);
            let wide = ranges.var(var).map_or(members, |range| range);
            let mut wide = universe.set(wide.iter().copied());
            wide.union_with(&initial);
            first.push(Rc::new(initial));
            widest.push(Rc::new(wide));
        }
        let words = game.automaton.node_bound().checked_mul(first.len())?.checked_mul(universe.len() / 64 + 1)?;
        if words > MAX_WORDS {
            return None;
        }
        let cells = Cells::of(game, &universe)?;
        let facts = vec![None; game.automaton.node_bound()];
        let steps = vec![0; game.automaton.node_bound() * first.len()];
        Some((Self { universe, slots, facts, steps, cells, widest, unwritten: None }, first.into()))
    }

    /// Whether in each of the lists of keys that should not be written some key is.
    fn is_given_up(&self) -> bool {
        self.unwritten.as_ref().is_some_and(FxHashMap::is_empty)
    }

    /// Notes that some keys of a map are written; with no keys, all.
    fn note_written(&mut self, var: VarId, keys: Option<&FixedBitSet>) {
        let Some(unwritten) = &mut self.unwritten else { return };
        let Some(sets) = unwritten.get_mut(&var) else { return };
        sets.retain(|set| keys.is_some_and(|keys| keys.is_disjoint(set)));
        if sets.is_empty() {
            unwritten.remove(&var);
        }
    }

    fn run(&mut self, game: &Game, first: Fact, checks: bool) {
        // Per map variable, the nodes whose edges read it.
        let mut readers: FxHashMap<VarId, BTreeSet<NodeId>> = FxHashMap::default();
        for (_, edge) in game.automaton.edges() {
            effects::reads(game, &edge.label, |var| {
                if self.slot(var).is_none() {
                    readers.entry(var).or_default().insert(edge.source);
                }
            });
        }
        let mut work = Worklist::new(order(game, true));
        work.insert(game.begin());
        if let Some(fact) = self.facts.get_mut(game.begin().index()) {
            *fact = Some(first);
        }
        while let Some(node) = work.pop() {
            if self.is_given_up() {
                return;
            }
            let Some(fact) = self.facts.get(node.index()).cloned().flatten() else { continue };
            for &id in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(id);
                if let Label::Reach { from, .. } = edge.label
                    && checks
                    && self.flow(from, &fact, None)
                {
                    work.insert(from);
                }
                let Some(after) = self.transfer(game, edge, &fact) else { continue };
                let assigned = effects::write(game, &edge.label).and_then(|write| self.slot(write.var));
                if self.flow(edge.target, &after, assigned) {
                    work.insert(edge.target);
                }
                if let Some(written) = self.store(game, &edge.label, &fact) {
                    let nodes = readers.get(&written).into_iter().flatten().copied();
                    nodes.filter(|&node| self.reached(node)).for_each(|node| work.insert(node));
                }
            }
        }
    }

    fn slot(&self, var: VarId) -> Option<usize> {
        self.slots.get(var.index()).copied().flatten()
    }

    /// Joins a fact into that of a node, come to by an edge that assigns to the variable of a slot; whether that changed
    /// it.
    fn flow(&mut self, node: NodeId, fact: &Fact, assigned: Option<usize>) -> bool {
        let Some(old) = self.facts.get_mut(node.index()) else { return false };
        let Some(known) = old else {
            *old = Some(fact.clone());
            return true;
        };
        if Rc::ptr_eq(known, fact) {
            return false;
        }
        let mut joined: Option<Vec<Set>> = None;
        for (slot, (had, more)) in known.iter().zip(fact.iter()).enumerate() {
            if Rc::ptr_eq(had, more) || more.is_subset(had) {
                continue;
            }
            let steps = self.steps.get_mut(node.index() * known.len() + slot);
            let wide = steps.is_some_and(|steps| {
                let most = if assigned == Some(slot) { MAX_STEPS } else { MAX_STEPS_ANYWHERE };
                let wide = *steps >= most;
                *steps = steps.saturating_add(1);
                wide
            });
            let mut set = FixedBitSet::clone(had);
            set.union_with(more);
            if let (true, Some(widest)) = (wide, self.widest.get(slot)) {
                set.union_with(widest);
            }
            let joined = joined.get_or_insert_with(|| known.to_vec());
            if let Some(place) = joined.get_mut(slot) {
                *place = Rc::new(set);
            }
        }
        let Some(joined) = joined else { return false };
        *known = joined.into();
        true
    }

    /// What is known behind an edge; `None` if it cannot be walked.
    fn transfer(&self, game: &Game, edge: &Edge, fact: &Fact) -> Option<Fact> {
        match edge.label {
            Label::Compare { lhs, rhs, negated } => self.compare(game, fact, lhs, rhs, negated),
            Label::Assign { .. } | Label::AssignAny { .. } => {
                let Some(slot) = effects::write(game, &edge.label).and_then(|write| self.slot(write.var)) else {
                    return Some(fact.clone());
                };
                let set = match edge.label {
                    Label::Assign { rhs, .. } => self.eval(game, fact, rhs, MAX_DEPTH),
                    Label::AssignAny { ty, .. } => Rc::new(self.universe.set(game.types.members(ty).iter().copied())),
                    _ => return Some(fact.clone()),
                };
                Some(with(fact, slot, set))
            }
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => Some(fact.clone()),
        }
    }

    /// What is known if the comparison succeeds; `None` if it cannot.
    fn compare(&self, game: &Game, fact: &Fact, lhs: ExprId, rhs: ExprId, negated: bool) -> Option<Fact> {
        if !is_symbol(game, lhs) || !is_symbol(game, rhs) {
            return Some(fact.clone());
        }
        let (a, b) = (self.eval(game, fact, lhs, MAX_DEPTH), self.eval(game, fact, rhs, MAX_DEPTH));
        // Often nothing is left out, and then nothing is copied.
        let allowed = |set: &Set, other: &Set| match negated {
            false if Rc::ptr_eq(set, other) || set.is_subset(other) => set.clone(),
            false => {
                let mut allowed = FixedBitSet::clone(set);
                allowed.intersect_with(other);
                Rc::new(allowed)
            }
            // Only a single symbol is certainly not there.
            true if other.count_ones(..) == 1 => {
                let mut allowed = FixedBitSet::clone(set);
                allowed.difference_with(other);
                Rc::new(allowed)
            }
            true => set.clone(),
        };
        let (left, right) = (allowed(&a, &b), allowed(&b, &a));
        if left.is_clear() || right.is_clear() {
            return None;
        }
        let fact = self.learn(game, fact.clone(), lhs, &left, MAX_DEPTH)?;
        self.learn(game, fact, rhs, &right, MAX_DEPTH)
    }

    /// What is known if the value of an expression is in a set; `None` if it cannot be.
    fn learn(&self, game: &Game, fact: Fact, expr: ExprId, allowed: &FixedBitSet, depth: usize) -> Option<Fact> {
        let Some(depth) = depth.checked_sub(1) else { return Some(fact) };
        match game.exprs.get(expr) {
            Expr::Cast(_, inner) => self.learn(game, fact, inner, allowed, depth),
            Expr::Var(var) => {
                let Some((slot, had)) = self.slot(var).and_then(|slot| Some((slot, fact.get(slot)?))) else {
                    return Some(fact);
                };
                if std::ptr::eq(&**had, allowed) || had.is_subset(allowed) {
                    return Some(fact);
                }
                let mut set = FixedBitSet::clone(had);
                set.intersect_with(allowed);
                (!set.is_clear()).then(|| with(&fact, slot, Rc::new(set)))
            }
            Expr::Access(..) => {
                let (root, path) = self.path(game, &fact, expr, depth);
                let keys: Vec<Set> = path.iter().map(|(_, keys)| keys.clone()).collect();
                let Some(left) = self.cells.keys(game, root, &keys, allowed) else { return Some(fact) };
                if left.iter().any(FixedBitSet::is_clear) {
                    return None;
                }
                path.iter()
                    .zip(left)
                    .try_fold(fact, |fact, ((key, _), left)| self.learn(game, fact, *key, &left, depth))
            }
            Expr::Const(_) | Expr::Symbol(_) => Some(fact),
        }
    }

    /// The values of an expression; of a map, those of its cells.
    fn eval(&self, game: &Game, fact: &Fact, expr: ExprId, depth: usize) -> Set {
        let Some(depth) = depth.checked_sub(1) else { return self.universe.all() };
        match game.exprs.get(expr) {
            Expr::Cast(_, inner) => self.eval(game, fact, inner, depth),
            Expr::Symbol(symbol) => self.universe.single(symbol),
            Expr::Var(var) => match self.slot(var).and_then(|slot| fact.get(slot)) {
                Some(set) => set.clone(),
                None => self.cells.all(game, expr).unwrap_or_else(|| self.universe.all()),
            },
            Expr::Const(_) => self.cells.all(game, expr).unwrap_or_else(|| self.universe.all()),
            Expr::Access(..) => {
                let (root, path) = self.path(game, fact, expr, depth);
                let keys: Vec<Set> = path.into_iter().map(|(_, keys)| keys).collect();
                self.cells
                    .at(game, root, &keys)
                    .or_else(|| self.cells.all(game, root))
                    .unwrap_or_else(|| self.universe.all())
            }
        }
    }

    /// The map below accesses and casts, and the keys with their values, outermost first.
    fn path(&self, game: &Game, fact: &Fact, expr: ExprId, depth: usize) -> (ExprId, Vec<(ExprId, Set)>) {
        let (mut at, mut keys) = (expr, Vec::new());
        loop {
            match game.exprs.get(at) {
                Expr::Access(map, key) => {
                    keys.push((key, self.eval(game, fact, key, depth)));
                    at = map;
                }
                Expr::Cast(_, inner) => at = inner,
                Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => break,
            }
        }
        keys.reverse();
        (at, keys)
    }

    /// Notes what an edge writes to a map; the map, if that is new.
    fn store(&mut self, game: &Game, label: &Label, fact: &Fact) -> Option<VarId> {
        let write = effects::write(game, label).filter(|write| self.slot(write.var).is_none())?;
        let lhs = label.exprs().next()?;
        let key = match game.exprs.get(lhs) {
            Expr::Access(map, key) if game.exprs.get(map) == Expr::Var(write.var) => {
                Some(self.eval(game, fact, key, MAX_DEPTH))
            }
            _ => None,
        };
        let (set, rhs) = match *label {
            Label::Assign { rhs, .. } => (self.eval(game, fact, rhs, MAX_DEPTH), Some(rhs)),
            Label::AssignAny { ty, .. } => (Rc::new(self.universe.set(game.types.members(ty).iter().copied())), None),
            _ => return None,
        };
        if key.is_some() || write.whole {
            self.note_written(write.var, key.as_deref());
        }
        self.cells.store(game, write.var, key.as_deref(), &set, rhs).then_some(write.var)
    }

    /// Whether a walk may come by a node.
    pub fn reached(&self, node: NodeId) -> bool {
        self.facts.get(node.index()).is_some_and(Option::is_some)
    }

    /// What a comparison can do at the source of its edge.
    pub fn verdict(&self, game: &Game, id: EdgeId) -> Verdict {
        let edge = game.automaton.edge(id);
        let Some(fact) = self.facts.get(edge.source.index()).and_then(Option::as_ref) else { return Verdict::Open };
        let Label::Compare { lhs, rhs, negated } = edge.label else { return Verdict::Open };
        match self.compare(game, fact, lhs, rhs, negated) {
            None => Verdict::Never,
            Some(_) if self.compare(game, fact, lhs, rhs, !negated).is_none() => Verdict::Always,
            Some(_) => Verdict::Open,
        }
    }

    /// What an edge makes of the value of a variable, where this and other variables have `known` values and the others may
    /// be what they may be at a node: the values that it may have then, none if the edge cannot be walked; `None` if that is
    /// not told.
    pub fn moved(
        &self,
        game: &Game,
        others: NodeId,
        id: EdgeId,
        var: VarId,
        known: &[(VarId, Symbol)],
    ) -> Option<Vec<Symbol>> {
        let edge = game.automaton.edge(id);
        let mut fact = self.facts.get(others.index())?.clone()?;
        for &(var, value) in known {
            fact = with(&fact, self.slot(var)?, Rc::new(self.universe.set([value])));
        }
        let now = fact.get(self.slot(var)?)?.clone();
        let after = match edge.label {
            Label::Compare { lhs, rhs, negated } if is_symbol(game, lhs) && is_symbol(game, rhs) => {
                let (a, b) = (self.eval(game, &fact, lhs, MAX_DEPTH), self.eval(game, &fact, rhs, MAX_DEPTH));
                let never = if negated { a.count_ones(..) == 1 && a == b } else { a.is_disjoint(&b) };
                if never { Rc::default() } else { now }
            }
            Label::Assign { rhs, .. } => match effects::write(game, &edge.label).filter(|write| write.var == var) {
                Some(write) if write.whole => self.eval(game, &fact, rhs, MAX_DEPTH),
                Some(_) => return None,
                None => now,
            },
            Label::AssignAny { .. } if effects::write(game, &edge.label).is_none_or(|write| write.var == var) => {
                return None;
            }
            _ => now,
        };
        Some(self.universe.symbols(&after))
    }

    /// The values of a variable at a node, ascending; `None` for a map, and where no walk comes by.
    pub fn at(&self, node: NodeId, var: VarId) -> Option<Vec<Symbol>> {
        let fact = self.facts.get(node.index())?.as_ref()?;
        Some(self.universe.symbols(fact.get(self.slot(var)?)?))
    }

    /// The values that an expression may have at a node.
    pub fn of(&self, game: &Game, node: NodeId, expr: ExprId) -> Option<Vec<Symbol>> {
        let fact = self.facts.get(node.index())?.as_ref()?;
        Some(self.universe.symbols(&self.eval(game, fact, expr, MAX_DEPTH)))
    }

    /// The values that a variable or constant may have at some keys for each level of a map, outermost first; `None` if they
    /// are not distinguished.
    pub fn entry(&self, game: &Game, map: ExprId, keys: &[Vec<Symbol>]) -> Option<Vec<Symbol>> {
        let keys: Vec<Set> = keys.iter().map(|keys| Rc::new(self.universe.set(keys.iter().copied()))).collect();
        let found = if keys.is_empty() { self.cells.all(game, map) } else { self.cells.at(game, map, &keys) };
        Some(self.universe.symbols(&*found?))
    }

    /// Whether a map of one level has the same value at a key for ever, as far as that is distinguished.
    pub fn is_constant(&self, var: VarId, key: Symbol) -> bool {
        self.cell(var, key).is_some_and(|values| values.count_ones(..) == 1)
    }

    /// The values that a map of one level ever has at a key, ascending; `None` if cells are not distinguished.
    pub fn ever_at(&self, var: VarId, key: Symbol) -> Option<Vec<Symbol>> {
        Some(self.universe.symbols(self.cell(var, key)?))
    }

    fn cell(&self, var: VarId, key: Symbol) -> Option<&FixedBitSet> {
        self.cells.cell(var, self.universe.place(key)?)
    }

    /// The values that a variable or its cells ever have, ascending.
    pub fn ever(&self, var: VarId) -> Vec<Symbol> {
        let mut all = FixedBitSet::with_capacity(self.universe.len());
        match self.slot(var) {
            Some(slot) => {
                let facts = self.facts.iter().flatten();
                facts.filter_map(|fact| fact.get(slot)).for_each(|set| all.union_with(set));
            }
            None => self.cells.of_var(var).into_iter().for_each(|set| all.union_with(set)),
        }
        self.universe.symbols(&all)
    }
}

/// Whether a variable is built-in: its initial value is seen.
fn always(game: &Game, var: VarId) -> bool {
    effects::Builtins::of(game).contains(var)
}

/// The fact with another set in one place.
fn with(fact: &Fact, slot: usize, set: Set) -> Fact {
    fact.iter().enumerate().map(|(at, old)| if at == slot { set.clone() } else { old.clone() }).collect()
}

/// Whether an expression is certainly no map.
fn is_symbol(game: &Game, expr: ExprId) -> bool {
    match rg_ir::check::expr_type(game, expr) {
        Some(rg_ir::check::Ty::Symbol(_)) => true,
        Some(rg_ir::check::Ty::Type(ty)) => game.types.is_set(ty),
        None => false,
    }
}
