//! Keys of maps that are not needed.

use super::{mentioning, set_type, spelled_out};
use crate::analysis::Values;
use crate::effects::Builtins;
use crate::scratch::well_typed;
use rg_ir::{Expr, ExprId, Game, Label, NodeId, Symbol, TypeId, Value, VarDecl, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How the cells of a map of one level are used.
#[derive(Default)]
struct Usage {
    read: FxHashSet<Symbol>,
    written: FxHashSet<Symbol>,
}

/// A smaller key type, and the value that goes with it.
struct Smaller {
    ty: TypeId,
    initial: Value,
}

/// By map of one level, for each smaller type of the game that is part of its keys: the other keys. None of those can be written if it is to
/// be the type of the keys.
pub(super) fn candidates(game: &Game) -> FxHashMap<VarId, Vec<Vec<Symbol>>> {
    let sets: Vec<TypeId> = game.type_decls.values().map(|decl| decl.definition).collect();
    let others = |key: TypeId| -> Vec<Vec<Symbol>> {
        let members = game.types.members(key);
        let is_part = |id: TypeId| game.types.members(id).len() < members.len() && game.types.subset(id, key);
        let parts = sets.iter().copied().filter(|&id| game.types.is_set(id) && is_part(id));
        let without =
            |part: TypeId| members.iter().copied().filter(move |&key| !game.types.contains(part, key)).collect();
        parts.map(without).collect()
    };
    let mut by_type: FxHashMap<TypeId, Vec<Vec<Symbol>>> = FxHashMap::default();
    let maps = flat_maps(game).filter_map(|(var, decl)| Some((var, game.types.as_arrow(decl.ty)?.0)));
    let maps = maps.map(|(var, key)| (var, by_type.entry(key).or_insert_with(|| others(key)).clone()));
    maps.filter(|(_, others)| !others.is_empty()).collect()
}

/// The variables that are maps of one level, but for those that are built in.
fn flat_maps(game: &Game) -> impl Iterator<Item = (VarId, &VarDecl)> {
    let builtins = Builtins::of(game);
    let flat = |ty| game.types.as_arrow(ty).is_some_and(|(_, value)| game.types.is_set(value));
    game.vars.iter().filter(move |&(var, decl)| !builtins.contains(var) && flat(decl.ty))
}

/// Makes key types of variables smaller; whether any was made.
///
/// A key can go if its cell is never written and holds what reads outside of the keys give. If there are no such reads,
/// that default is free, and becomes the value that most unwritten cells hold.
pub(super) fn narrow_keys(game: &mut Game, values: &Values) -> bool {
    let mut old: FxHashMap<VarId, (TypeId, Value)> = FxHashMap::default();
    for (var, usage) in usages(game, values) {
        let Some(smaller) = smaller(game, var, &usage) else { continue };
        if let Some(decl) = game.vars.values_mut().nth(rg_ir::ids::Id::index(var)) {
            old.insert(var, (decl.ty, std::mem::replace(&mut decl.initial, smaller.initial)));
            decl.ty = smaller.ty;
        }
    }
    for (id, vars) in mentioning(game, &old) {
        if !well_typed(game, &game.automaton.edge(id).label) {
            for var in vars {
                if let (Some((ty, initial)), Some(decl)) =
                    (old.remove(&var), game.vars.values_mut().nth(rg_ir::ids::Id::index(var)))
                {
                    (decl.ty, decl.initial) = (ty, initial);
                }
            }
        }
    }
    !old.is_empty()
}

/// The use of all variables that are maps of one level and only used cell by cell, in ascending order.
fn usages(game: &Game, values: &Values) -> Vec<(VarId, Usage)> {
    let mut usages: FxHashMap<VarId, Usage> = flat_maps(game).map(|(var, _)| (var, Usage::default())).collect();
    if usages.is_empty() {
        return Vec::new();
    }
    for (_, edge) in game.automaton.edges() {
        if !values.reached(edge.source) {
            // What nobody comes by does nothing.
            continue;
        }
        let target = match edge.label {
            Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } => Some(lhs),
            _ => None,
        };
        for root in edge.label.exprs() {
            accesses(game, values, edge.source, root, target == Some(root), &mut usages);
        }
    }
    let mut usages: Vec<_> = usages.into_iter().collect();
    usages.sort_unstable_by_key(|&(var, _)| var);
    usages
}

/// Notes the accesses in an expression; a map that is used as a whole, or at unknown keys, is forgotten.
fn accesses(
    game: &Game,
    values: &Values,
    node: NodeId,
    root: ExprId,
    written: bool,
    usages: &mut FxHashMap<VarId, Usage>,
) {
    let mut stack = vec![(root, written)];
    while let Some((id, written)) = stack.pop() {
        match game.exprs.get(id) {
            Expr::Var(var) => drop(usages.remove(&var)),
            Expr::Cast(_, inner) => stack.push((inner, written)),
            Expr::Access(map, key) => {
                stack.push((key, false));
                let Expr::Var(var) = game.exprs.get(map) else {
                    stack.push((map, written));
                    continue;
                };
                if let Some(usage) = usages.get_mut(&var) {
                    let symbols = values.of(game, node, key).unwrap_or_default();
                    if written { &mut usage.written } else { &mut usage.read }.extend(symbols);
                }
            }
            Expr::Const(_) | Expr::Symbol(_) => {}
        }
    }
}

fn smaller(game: &mut Game, var: VarId, usage: &Usage) -> Option<Smaller> {
    let decl = game.vars.get(var)?.clone();
    let (key, value) = game.types.as_arrow(decl.ty)?;
    let members = game.types.members(key).to_vec();
    let dense = game.dense(decl.ty, &decl.initial).ok()?;
    let (spare, cells) = dense.values.split_last()?;
    let cells: Vec<(Symbol, Symbol)> = members.iter().copied().zip(cells.iter().copied()).collect();
    let free = |key: &Symbol| !usage.written.contains(key);
    let default = if usage.read.iter().all(|key| members.contains(key)) {
        most_frequent(cells.iter().filter(|(key, _)| free(key) && usage.read.contains(key)).map(|&(_, value)| value))
            .unwrap_or(*spare)
    } else {
        *spare
    };
    let goes = |&(key, value): &(Symbol, Symbol)| free(&key) && (value == default || !usage.read.contains(&key));
    let mut kept: Vec<Symbol> = cells.iter().filter(|cell| !goes(cell)).map(|&(key, _)| key).collect();
    if kept.is_empty() || kept.len() == cells.len() {
        return None;
    }
    kept.sort_unstable();
    // New sets of keys would be hard to number.
    let key = set_type(game, key, &kept, false)?;
    let stays = |&(symbol, value): &(Symbol, Symbol)| game.types.contains(key, symbol) && value != default;
    let entries: Vec<_> = cells.into_iter().filter(stays).map(|(key, value)| (key, Value::Symbol(value))).collect();
    let initial = spelled_out(game, &Value::map(Value::Symbol(default), entries));
    Some(Smaller { ty: game.types.arrow(key, value), initial })
}

/// The symbol that comes most often; of several, the least.
fn most_frequent(symbols: impl Iterator<Item = Symbol>) -> Option<Symbol> {
    let mut list: Vec<Symbol> = symbols.collect();
    list.sort_unstable();
    let runs = list.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| (run.len(), std::cmp::Reverse(run.first().copied()))).and_then(|run| run.first().copied())
}
