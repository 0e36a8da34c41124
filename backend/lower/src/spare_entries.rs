//! Spare entries of maps: what a map has for what is no key of its type.
//!
//! A copy of a map copies them, too, but states do not keep them. That is no difference where nobody asks for them: all accesses to the map
//! have keys of its type, the map is never compared as a whole, and it is copied to no map whose spare entries matter.

use super::numbers::path;
use fixedbitset::FixedBitSet;
use passes::analysis::Ranges;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, Label, VarId};

/// The maps whose spare entries may matter, by variable.
pub(super) struct SpareEntries(FixedBitSet);

impl SpareEntries {
    /// Finds them: O(expressions · size of types), and O(assignments) for each map that gets its entries from another one.
    pub(super) fn solve(game: &Game, ranges: &Ranges) -> Self {
        let mut read = Self(FixedBitSet::with_capacity(game.vars.len()));
        let mut copies: Vec<(VarId, VarId)> = Vec::new();
        for (_, edge) in game.automaton.edges() {
            for expr in edge.label.exprs() {
                game.exprs.preorder(expr, |id, _| read.find(game, ranges, id));
            }
            let (Label::Assign { lhs, rhs } | Label::Compare { lhs, rhs, .. }) = edge.label else { continue };
            if !is_map(game, lhs) {
                continue;
            }
            match (edge.label, path(game, lhs).0, path(game, rhs).0) {
                (Label::Assign { .. }, Expr::Var(to), Expr::Var(from)) => copies.push((to, from)),
                (Label::Compare { .. }, one, other) => [one, other].into_iter().for_each(|root| read.matters(root)),
                _ => {}
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(to, from) in &copies {
                changed |= read.contains(to) && !read.0.put(from.index());
            }
        }
        read
    }

    /// Whether the spare entries of a map may matter.
    pub(super) fn contains(&self, var: VarId) -> bool {
        self.0.contains(var.index())
    }

    fn matters(&mut self, root: Expr) {
        if let Expr::Var(var) = root {
            self.0.insert(var.index());
        }
    }

    /// Looks at an access: its last key may be none of the map's.
    fn find(&mut self, game: &Game, ranges: &Ranges, expr: ExprId) {
        let (root, keys) = path(game, expr);
        let Expr::Var(var) = root else { return };
        let Some(&key) = keys.last() else { return };
        let shape = game.vars.get(var).and_then(|decl| game.shape(decl.ty));
        let ty = shape.and_then(|shape| shape.keys.get(keys.len() - 1).copied());
        let inside = ty.zip(ranges.of(game, key)).is_some_and(|(ty, range)| {
            let ty = game.types.resolve(ty).unwrap_or(ty);
            range.iter().all(|symbol| game.types.members(ty).contains(symbol))
        });
        if !inside {
            self.matters(root);
        }
    }
}

/// Whether an expression is a map, or a part of one that is a map.
fn is_map(game: &Game, expr: ExprId) -> bool {
    let (root, keys) = path(game, expr);
    let ty = match root {
        Expr::Var(var) => game.vars.get(var).map(|decl| decl.ty),
        Expr::Const(id) => game.consts.get(id).map(|decl| decl.ty),
        Expr::Symbol(_) | Expr::Access(..) | Expr::Cast(..) => None,
    };
    ty.and_then(|ty| game.shape(ty)).is_some_and(|shape| keys.len() < shape.keys.len())
}
