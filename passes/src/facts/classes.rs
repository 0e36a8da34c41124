//! Expressions that are the same but for casts.

use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, IdVec, Value};
use rustc_hash::FxHashMap;

/// For every expression one that is equal to it and has no casts in it: two expressions of one class have the same value
/// in every state. Constants that are symbols are those symbols.
pub struct Classes {
    of: IdVec<ExprId, ExprId>,
}

impl Classes {
    /// Classifies all expressions. The representative of a class is its first expression. O(expressions).
    pub fn new(game: &Game) -> Self {
        let mut symbols = FxHashMap::default();
        let mut accesses = FxHashMap::default();
        let mut of: IdVec<ExprId, ExprId> = IdVec::new();
        // Parts have smaller ids than what they are part of.
        for index in 0..game.exprs.len() {
            let id = ExprId::from_index(index);
            let class = match game.exprs.get(id) {
                Expr::Cast(_, inner) => of[inner],
                Expr::Access(map, key) => *accesses.entry((of[map], of[key])).or_insert(id),
                Expr::Symbol(symbol) => *symbols.entry(symbol).or_insert(id),
                Expr::Const(constant) => match game.consts.get(constant).map(|decl| &decl.value) {
                    Some(&Value::Symbol(symbol)) => *symbols.entry(symbol).or_insert(id),
                    _ => id,
                },
                Expr::Var(_) => id,
            };
            of.push(class);
        }
        Self { of }
    }

    /// The class of an expression that was there when the classes were made; others are in a class of their own.
    pub fn of(&self, expr: ExprId) -> ExprId {
        self.of.get(expr).copied().unwrap_or(expr)
    }
}
