//! Expressions and labels that differ only in how they are written.

use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, Label};
use rustc_hash::FxHashMap;

/// For every expression the first one that equals it apart from casts, which never change a value.
#[derive(Clone, Debug)]
pub struct Plain {
    first: Vec<ExprId>,
}

impl Plain {
    /// Compares all expressions of a game. O(expressions).
    pub fn of(game: &Game) -> Self {
        let mut first: Vec<ExprId> = Vec::with_capacity(game.exprs.len());
        let mut accesses: FxHashMap<(ExprId, ExprId), ExprId> = FxHashMap::default();
        for id in (0..game.exprs.len()).map(ExprId::from_index) {
            // Parts have smaller ids than what they are part of.
            let plain = |id: ExprId| first.get(id.index()).copied().unwrap_or(id);
            let found = match game.exprs.get(id) {
                Expr::Cast(_, inner) => plain(inner),
                Expr::Access(map, key) => *accesses.entry((plain(map), plain(key))).or_insert(id),
                Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => id,
            };
            first.push(found);
        }
        Self { first }
    }

    /// The first expression that equals `id` apart from casts.
    pub fn expr(&self, id: ExprId) -> ExprId {
        self.first.get(id.index()).copied().unwrap_or(id)
    }

    /// A label that is the same for all labels that do the same: casts are left out as far as [`Plain::expr`] can, and
    /// the sides of comparisons are in ascending order. Only for comparing.
    pub fn label(&self, game: &Game, label: &Label) -> Label {
        let mut label = *label;
        label.map_exprs(|id| self.expr(id));
        match &mut label {
            Label::Compare { lhs, rhs, .. } => (*lhs, *rhs) = ((*lhs).min(*rhs), (*lhs).max(*rhs)),
            Label::AssignAny { ty, .. } => *ty = game.types.resolve(*ty).unwrap_or(*ty),
            _ => {}
        }
        label
    }
}

/// The opposite of a condition; `None` if the label is none.
pub fn negation(label: &Label) -> Option<Label> {
    match *label {
        Label::Compare { lhs, rhs, negated } => Some(Label::Compare { lhs, rhs, negated: !negated }),
        Label::Reach { from, to, negated } => Some(Label::Reach { from, to, negated: !negated }),
        _ => None,
    }
}
