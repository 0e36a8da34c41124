//! Value sets (catalogue of passes, 9.5), one for each variable and all nodes.

use crate::effects;
use crate::tables::Tables;
use rg_ir::check::{Ty, expr_type};
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, IdVec, Label, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Sets of more symbols than this are not computed.
const MAX_SYMBOLS: usize = 1024;

/// Most keys, over all levels of a constant map, for which values are looked up one by one.
const MAX_LOOKUPS: usize = 4096;

/// A set that grows more often than this is given up: most likely that of a counter, which runs through its type.
const MAX_STEPS: usize = 128;

/// Deepest expression that is evaluated.
const MAX_DEPTH: usize = 100;

/// A set of symbols, ascending.
pub type Range = Rc<[Symbol]>;

/// For each variable the symbols it, or any of its cells, may ever hold: the least sets with the initial values (the
/// default of a map included, which is what a read outside its keys gives) and with all that is assigned. Constant maps
/// are looked up key by key. A set is unknown if it has more than [`MAX_SYMBOLS`] members, or all those of the type, or
/// grows in more than [`MAX_STEPS`] steps.
pub struct Ranges {
    vars: IdVec<VarId, Option<Range>>,
    tables: Tables,
    memo: RefCell<FxHashMap<ExprId, Option<Range>>>,
}

impl Ranges {
    /// Solves it. Each assignment is evaluated as often as the sets it reads grow.
    pub fn solve(game: &Game) -> Self {
        let tables = Tables::default();
        let initial = |ty, value| {
            let table = tables.table(game, ty, value)?;
            range(table.dense.values.iter().copied())
        };
        let vars = game.vars.values().map(|decl| initial(decl.ty, &decl.initial)).collect();
        let leaf = |ty| game.shape(ty).map_or(0, |shape| game.types.members(shape.leaf).len());
        let full: Vec<usize> = game.vars.values().map(|decl| leaf(decl.ty)).collect();
        let mut steps = vec![0usize; game.vars.len()];
        let mut ranges = Self { vars, tables, memo: RefCell::default() };
        // Per variable, the assignments that read it.
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); game.vars.len()];
        // The same assignment is made in many places.
        let (mut assignments, mut seen) = (Vec::new(), FxHashSet::default());
        for (_, edge) in game.automaton.edges() {
            let Some(write) = effects::write(game, &edge.label) else { continue };
            let source = match edge.label {
                Label::Assign { rhs, .. } => Ok(rhs),
                Label::AssignAny { ty, .. } => Err(ty),
                _ => continue,
            };
            if !seen.insert((write.var, source)) {
                continue;
            }
            let at = assignments.len();
            if let Ok(rhs) = source {
                let read = &mut |var: VarId| readers.get_mut(var.index()).into_iter().for_each(|list| list.push(at));
                effects::variables(game, rhs, read);
            }
            assignments.push((write.var, source));
        }
        let mut work: BTreeSet<usize> = (0..assignments.len()).collect();
        while let Some(at) = work.pop_first() {
            let Some(&(var, source)) = assignments.get(at) else { continue };
            let Some(old) = ranges.vars.get(var).cloned().flatten() else { continue };
            let written = match source {
                Ok(rhs) => ranges.evaluate(game, rhs, MAX_DEPTH),
                Err(ty) => range(game.types.members(ty).iter().copied()),
            };
            // A set with as many symbols as the type says no more than the type.
            let full = full.get(var.index()).copied().unwrap_or(0);
            let new = written.and_then(|written| match written.iter().all(|s| old.binary_search(s).is_ok()) {
                true => Some(old.clone()),
                false => range(old.iter().chain(written.iter()).copied()).filter(|set| set.len() < full),
            });
            if new.as_ref() != Some(&old) {
                let steps = steps.get_mut(var.index());
                let slow = steps.is_some_and(|steps| {
                    *steps += 1;
                    *steps > MAX_STEPS
                });
                ranges.vars[var] = new.filter(|_| !slow);
                work.extend(readers.get(var.index()).into_iter().flatten());
            }
        }
        ranges
    }

    /// The values of a variable or of its cells, if they are known.
    pub fn var(&self, var: VarId) -> Option<&Range> {
        self.vars.get(var)?.as_ref()
    }

    /// The values of an expression (of a map: of its cells), if they are known.
    pub fn of(&self, game: &Game, expr: ExprId) -> Option<Range> {
        if let Some(known) = self.memo.borrow().get(&expr) {
            return known.clone();
        }
        let range = self.evaluate(game, expr, MAX_DEPTH);
        self.memo.borrow_mut().insert(expr, range.clone());
        range
    }

    fn evaluate(&self, game: &Game, expr: ExprId, depth: usize) -> Option<Range> {
        let depth = depth.checked_sub(1)?;
        let (mut keys, mut at) = (Vec::new(), expr);
        loop {
            match game.exprs.get(at) {
                Expr::Cast(_, inner) => at = inner,
                Expr::Access(map, key) => {
                    keys.push(key);
                    at = map;
                }
                Expr::Symbol(symbol) => return Some(Rc::new([symbol])),
                Expr::Var(var) => return self.var(var).cloned(),
                Expr::Const(id) => {
                    let table = self.tables.constant(game, id)?;
                    let all = || range(table.dense.values.iter().copied());
                    if keys.len() != table.shape.keys.len() {
                        return all();
                    }
                    let sets =
                        keys.iter().rev().map(|&key| self.evaluate(game, key, depth)).collect::<Option<Vec<_>>>();
                    let Some(sets) = sets else { return all() };
                    if let [set] = &sets[..] {
                        return range(set.iter().filter_map(|&key| table.get(&[key])));
                    }
                    let lookups = sets.iter().try_fold(1usize, |n, set| n.checked_mul(set.len()));
                    if lookups.is_none_or(|lookups| lookups > MAX_LOOKUPS) {
                        return all();
                    }
                    return range(combinations(&sets).iter().filter_map(|keys| table.get(keys)));
                }
            }
        }
    }

    /// Whether two expressions certainly never have the same value.
    pub fn disjoint(&self, game: &Game, a: ExprId, b: ExprId) -> bool {
        let set = |expr| match expr_type(game, expr)? {
            Ty::Type(ty) if game.types.as_arrow(ty).is_some() => None,
            _ => self.of(game, expr),
        };
        match (set(a), set(b)) {
            (Some(a), Some(b)) => !a.iter().any(|symbol| b.binary_search(symbol).is_ok()),
            _ => false,
        }
    }
}

/// A set of few symbols.
fn range(symbols: impl Iterator<Item = Symbol>) -> Option<Range> {
    let mut list: Vec<Symbol> = symbols.collect();
    list.sort_unstable();
    list.dedup();
    (list.len() <= MAX_SYMBOLS).then(|| list.into())
}

/// All lists with one element of each set.
fn combinations(sets: &[Range]) -> Vec<Vec<Symbol>> {
    sets.iter().fold(vec![Vec::new()], |lists, set| {
        let longer = |list: Vec<Symbol>| {
            set.iter().map(move |&symbol| list.iter().copied().chain([symbol]).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        lists.into_iter().flat_map(longer).collect()
    })
}
