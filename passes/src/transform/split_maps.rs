//! Maps whose keys are known, taken apart (catalogue of passes, 10).

use crate::effects::Builtins;
use crate::pass::{Context, Pass};
use crate::scratch::{self, Scratch};
use crate::tables::{Tables, literal};
use rg_ir::{Expr, ExprId, Game, Label, Symbol, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Most variables made of one.
const MAX_PARTS: usize = 64;

/// Makes a variable for each key of a map that is only accessed at keys that are written in the rules.
///
/// ```text
/// var count: Player -> T = { :s, b: t };
/// x, y: count[a] = t;   y, z: count[b] == t;   z, end: player = keeper;
/// ```
/// becomes
/// ```text
/// var count_a: T = s;   var count_b: T = t;
/// x, y: count_a = t;   y, z: count_b == t;   z, end: player = keeper;
/// ```
///
/// The key may be at any level of the map; what other levels are accessed at does not matter. *Correct*, since the new
/// variables hold what the parts of the map hold that are accessed, and nothing reads the map as a whole or outside of
/// these parts. O(expressions + cells of the maps).
pub struct SplitMaps;

impl Pass for SplitMaps {
    fn name(&self) -> &'static str {
        "split-maps"
    }

    fn summary(&self) -> &'static str {
        "make a variable for each key of a map that is only accessed at known keys"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let splits = splits(game);
        if splits.is_empty() {
            return false;
        }
        let parts = declare(game, &splits);
        if parts.is_empty() {
            return false;
        }
        rename(game, &parts);
        let gone = |id: VarId| parts.contains_key(&id);
        crate::facts::drop_claims(game);
        game.retain_declarations(|_| true, |_| true, |id| !gone(id));
        true
    }
}

/// The known keys of a map at each of its levels; `None` where it is also accessed at others.
type Levels = Vec<Option<BTreeSet<Symbol>>>;

/// The maps to split, with the level and the keys at that level, in ascending order.
fn splits(game: &Game) -> Vec<(VarId, usize, BTreeSet<Symbol>)> {
    let builtins = Builtins::of(game);
    let mut levels: FxHashMap<VarId, Levels> = FxHashMap::default();
    for (id, decl) in game.vars.iter() {
        if let Some(shape) = game.shape(decl.ty).filter(|shape| !shape.keys.is_empty() && !builtins.contains(id)) {
            levels.insert(id, vec![Some(BTreeSet::new()); shape.keys.len()]);
        }
    }
    if levels.is_empty() {
        return Vec::new();
    }
    for (_, edge) in game.automaton.edges() {
        edge.label.exprs().for_each(|root| look(game, root, &mut levels));
    }
    let mut splits = Vec::new();
    for (id, levels) in levels {
        let Some(shape) = game.vars.get(id).and_then(|decl| game.shape(decl.ty)) else { continue };
        let known = levels.into_iter().zip(&shape.keys).enumerate().find_map(|(level, (keys, &ty))| {
            let few = |keys: &BTreeSet<Symbol>| {
                (1..=MAX_PARTS).contains(&keys.len()) && keys.iter().all(|&key| game.types.contains(ty, key))
            };
            keys.filter(few).map(|keys| (level, keys))
        });
        splits.extend(known.map(|(level, keys)| (id, level, keys)));
    }
    splits.sort_unstable_by_key(|&(id, ..)| id);
    splits
}

/// Notes the keys of accesses; forgets maps that are used as a whole.
fn look(game: &Game, root: ExprId, levels: &mut FxHashMap<VarId, Levels>) {
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        let Some((var, keys)) = access(|id| game.exprs.get(id), id) else {
            match game.exprs.get(id) {
                Expr::Access(map, key) => stack.extend([map, key]),
                Expr::Cast(_, inner) => stack.push(inner),
                Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => {}
            }
            continue;
        };
        stack.extend(&keys);
        let Some(found) = levels.get_mut(&var) else { continue };
        if found.len() != keys.len() {
            levels.remove(&var);
            continue;
        }
        for (known, key) in found.iter_mut().zip(keys) {
            match symbol(|id| game.exprs.get(id), key) {
                Some(symbol) => known.iter_mut().for_each(|known| known.extend([symbol])),
                None => *known = None,
            }
        }
    }
}

/// The variable and the keys of `var[key]..[key]`, or of the variable by itself.
fn access(get: impl Fn(ExprId) -> Expr, mut at: ExprId) -> Option<(VarId, Vec<ExprId>)> {
    let mut keys = Vec::new();
    loop {
        match get(at) {
            Expr::Access(map, key) => {
                keys.push(key);
                at = map;
            }
            Expr::Var(var) => {
                keys.reverse();
                return Some((var, keys));
            }
            // A cast of a map keeps its keys.
            Expr::Cast(_, inner) if !keys.is_empty() => at = inner,
            Expr::Cast(..) | Expr::Const(_) | Expr::Symbol(_) => return None,
        }
    }
}

/// The symbol below casts.
fn symbol(get: impl Fn(ExprId) -> Expr, mut at: ExprId) -> Option<Symbol> {
    loop {
        match get(at) {
            Expr::Symbol(symbol) => return Some(symbol),
            Expr::Cast(_, inner) => at = inner,
            Expr::Access(..) | Expr::Var(_) | Expr::Const(_) => return None,
        }
    }
}

/// What becomes of a map: the level that goes, and the variable for each key.
struct Parts {
    level: usize,
    vars: FxHashMap<Symbol, VarId>,
}

/// Declares the variables.
fn declare(game: &mut Game, splits: &[(VarId, usize, BTreeSet<Symbol>)]) -> FxHashMap<VarId, Parts> {
    let tables = Tables::default();
    let mut all = FxHashMap::default();
    for (id, level, keys) in splits {
        let Some(decl) = game.vars.get(*id).cloned() else { continue };
        let Some(table) = tables.table(game, decl.ty, &decl.initial) else { continue };
        let rest: Vec<_> =
            table.shape.keys.iter().enumerate().filter(|(at, _)| at != level).map(|(_, &key)| key).collect();
        let ty = rest.iter().rev().fold(table.shape.leaf, |value, &key| game.types.arrow(key, value));
        let mut vars = FxHashMap::default();
        for &key in keys {
            let Some((dims, values)) = table.slice(*level, key) else { continue };
            let Some(initial) = literal(game, ty, &dims, &values) else { continue };
            let name = format!("{}_{}", game.name(decl.name), game.name(key));
            let name = game.fresh_name(&name);
            let var = game.add_var(name, ty, initial, decl.span);
            if decl.live_out {
                game.make_live_out(var);
            }
            vars.insert(key, var);
        }
        if vars.len() == keys.len() {
            all.insert(*id, Parts { level: *level, vars });
        }
    }
    all
}

/// Puts the new variables in place of the accesses.
fn rename(game: &mut Game, parts: &FxHashMap<VarId, Parts>) {
    let scratch = Scratch::new(game);
    let part = |id: ExprId| {
        let (var, mut keys) = access(|id| scratch.get(id), id)?;
        let parts = parts.get(&var)?;
        let key = (parts.level < keys.len()).then(|| keys.remove(parts.level))?;
        let var = *parts.vars.get(&symbol(|id| scratch.get(id), key)?)?;
        let map = scratch.intern(Expr::Var(var));
        Some(keys.into_iter().fold(map, |map, key| scratch.intern(Expr::Access(map, key))))
    };
    let mut labels: Vec<(_, Label)> = Vec::new();
    for (id, edge) in game.automaton.edges() {
        let mut label = edge.label;
        label.map_exprs(|mut expr| {
            // Keys may have accesses of their own.
            loop {
                let next = scratch.rewrite(expr, |id, _| part(id));
                if next == expr {
                    return expr;
                }
                expr = next;
            }
        });
        if label != edge.label {
            labels.push((id, label));
        }
    }
    let new = scratch.into_new();
    scratch::commit(game, new);
    labels.into_iter().for_each(|(id, label)| game.automaton.set_label(id, label));
}
