//! A game without what HRG has no words for: casts, and constants that are no maps.

use crate::codes;
use rg_ir::ids::Id as _;
use rg_ir::{Diagnostic, Expr, ExprId, Game, Label, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Expressions may nest this deeply.
const MAX_EXPR: usize = 200;

/// The same game without casts and constants of single symbols. Linear.
///
/// # Errors
/// Casts matter in it, expressions nest too deeply, or it has errors.
pub(crate) fn normalise(game: &Game) -> Result<Game, Box<Diagnostic>> {
    if let Some(error) = rg_ir::check(game).into_iter().find(Diagnostic::is_error) {
        let message = format!("this game has errors: {}", error.message);
        return Err(Box::new(Diagnostic::error(
            codes::INVALID,
            error.primary.map_or(Span::NONE, |place| place.span),
            message,
        )));
    }
    let mut plain = game.clone();
    // Parts come before wholes.
    let mut instead: Vec<ExprId> = Vec::with_capacity(game.exprs.len());
    let mut depths: Vec<usize> = Vec::with_capacity(game.exprs.len());
    let of = |list: &[ExprId], id: ExprId| list.get(id.index()).copied().unwrap_or(id);
    for index in 0..game.exprs.len() {
        let id = ExprId::from_index(index);
        let depth = |part: ExprId| depths.get(part.index()).copied().unwrap_or(0);
        let (other, deep) = match game.exprs.get(id) {
            Expr::Access(map, key) => {
                let (map_, key_) = (of(&instead, map), of(&instead, key));
                (plain.exprs.intern(Expr::Access(map_, key_)), 1 + depth(map).max(depth(key)))
            }
            Expr::Cast(_, inner) => (of(&instead, inner), 1 + depth(inner)),
            Expr::Const(constant) => (single(game, constant).map_or(id, |value| plain.exprs.intern(value)), 0),
            Expr::Var(_) | Expr::Symbol(_) => (id, 0),
        };
        instead.push(other);
        depths.push(deep);
    }
    let mut deep = None;
    plain.automaton.edit_edges(|_, edge| {
        if edge.label.exprs().any(|expr| depths.get(expr.index()).is_some_and(|&depth| depth > MAX_EXPR)) {
            deep = Some(edge.span);
        }
        match &mut edge.label {
            Label::Compare { lhs, rhs, .. } | Label::Assign { lhs, rhs } => {
                (*lhs, *rhs) = (of(&instead, *lhs), of(&instead, *rhs));
            }
            Label::AssignAny { lhs, .. } => *lhs = of(&instead, *lhs),
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => {}
        }
        edge.spans = Box::default();
        true
    });
    if let Some(span) = deep {
        let message = format!("an expression nests more than {MAX_EXPR} deep");
        return Err(Box::new(Diagnostic::error(codes::TOO_LARGE, span, message)));
    }
    if let Some(error) = rg_ir::check(&plain).into_iter().find(Diagnostic::is_error) {
        let place = error.primary.map_or(Span::NONE, |place| place.span);
        let message = format!("without its casts, which HRG does not have, this game has errors: {}", error.message);
        return Err(Box::new(Diagnostic::error(codes::CAST, place, message)));
    }
    Ok(plain)
}

/// The symbol that a constant is, if it is no map.
fn single(game: &Game, constant: rg_ir::ConstId) -> Option<Expr> {
    let decl = game.consts.get(constant)?;
    let shape = game.shape(decl.ty)?;
    let dense = shape.keys.is_empty().then(|| game.dense(decl.ty, &decl.value).ok())??;
    dense.values.first().map(|&symbol| Expr::Symbol(symbol))
}

/// For each constant: what its arguments are given besides the keys of its type, where that reads something else than the most common result.
pub(crate) fn wider_keys(game: &Game) -> FxHashMap<rg_ir::ConstId, Vec<Vec<rg_ir::Symbol>>> {
    let mut wider: FxHashMap<rg_ir::ConstId, Vec<Vec<rg_ir::Symbol>>> = FxHashMap::default();
    for (_, edge) in game.automaton.edges() {
        for root in edge.label.exprs() {
            game.exprs.preorder(root, |id, expr| {
                if let Expr::Access(..) = expr {
                    note_keys(game, id, &mut wider);
                }
            });
        }
    }
    wider.retain(|&id, levels| levels.iter().any(|level| !level.is_empty()) && reads_otherwise(game, id));
    wider
}

fn note_keys(game: &Game, access: ExprId, wider: &mut FxHashMap<rg_ir::ConstId, Vec<Vec<rg_ir::Symbol>>>) {
    let (mut root, mut keys) = (access, Vec::new());
    while let Expr::Access(map, key) = game.exprs.get(root) {
        keys.push(key);
        root = map;
    }
    let Expr::Const(id) = game.exprs.get(root) else { return };
    let Some(shape) = game.consts.get(id).and_then(|decl| game.shape(decl.ty)) else { return };
    keys.reverse();
    let levels = wider.entry(id).or_insert_with(|| vec![Vec::new(); shape.keys.len()]);
    for ((key, &ty), level) in keys.into_iter().zip(&shape.keys).zip(levels) {
        let own = game.types.members(ty);
        let given = match rg_ir::check::expr_type(game, key) {
            Some(rg_ir::check::Ty::Type(ty)) => game.types.members(ty).to_vec(),
            Some(rg_ir::check::Ty::Symbol(symbol)) => vec![symbol],
            None => Vec::new(),
        };
        for symbol in given {
            if !game.types.contains(ty, symbol) && !own.contains(&symbol) && !level.contains(&symbol) {
                level.push(symbol);
            }
        }
    }
}

/// Whether other keys read something else than they would in HRG, where that is the most common result.
fn reads_otherwise(game: &Game, id: rg_ir::ConstId) -> bool {
    let Some(decl) = game.consts.get(id) else { return false };
    let Ok(dense) = game.dense(decl.ty, &decl.value) else { return false };
    let ([_], Some((spare, values))) = (dense.dims.as_slice(), dense.values.split_last()) else { return true };
    let count = |symbol| values.iter().filter(|&&other| other == symbol).count();
    let most = count(*spare);
    values.iter().any(|other| other != spare && count(*other) >= most)
}

/// Variables that are read and written with keys of their types only, and never as a whole.
pub(crate) fn closed(game: &Game) -> FxHashSet<rg_ir::VarId> {
    let mut closed: FxHashSet<rg_ir::VarId> = game.vars.ids().collect();
    for (_, edge) in game.automaton.edges() {
        for root in edge.label.exprs() {
            let mut whole = true;
            game.exprs.preorder(root, |_, expr| match expr {
                Expr::Access(map, key) => {
                    // Its map comes next.
                    whole = false;
                    if let Expr::Var(var) = game.exprs.get(map)
                        && !has_key(game, var, key)
                    {
                        closed.remove(&var);
                    }
                }
                Expr::Var(var) => {
                    let is_map = game.vars.get(var).is_some_and(|decl| game.types.as_arrow(decl.ty).is_some());
                    if std::mem::replace(&mut whole, true) && is_map {
                        closed.remove(&var);
                    }
                }
                Expr::Const(_) | Expr::Symbol(_) | Expr::Cast(..) => {
                    whole = true;
                }
            });
        }
    }
    closed
}

/// Whether a key is one of the type of a variable, whatever it is.
fn has_key(game: &Game, var: rg_ir::VarId, key: ExprId) -> bool {
    let Some((own, _)) = game.vars.get(var).and_then(|decl| game.types.as_arrow(decl.ty)) else { return false };
    match rg_ir::check::expr_type(game, key) {
        Some(rg_ir::check::Ty::Type(ty)) => game.types.subset(ty, own),
        Some(rg_ir::check::Ty::Symbol(symbol)) => game.types.contains(own, symbol),
        None => false,
    }
}
