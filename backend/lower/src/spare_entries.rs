//! Spare entries of maps: the entries of a class of keys that are outside the key type of the map.
//!
//! A copy of a map copies them, too, but states do not keep them. That makes no difference where they are never read: all accesses to the map
//! have keys of its type, the map is never compared as a whole, and it is copied to no map whose spare entries matter.

use super::numbers::path;
use fixedbitset::FixedBitSet;
use passes::analysis::{Ranges, Values};
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, Label, Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The maps whose spare entries may matter, by variable.
pub(super) struct SpareEntries(FixedBitSet);

/// What variables may hold.
struct Known<'a> {
    game: &'a Game,
    ranges: &'a Ranges,
    values: Option<&'a Values>,
    /// What single variables ever hold, as far as that was looked up.
    ever: FxHashMap<VarId, Rc<[Symbol]>>,
    /// The members of types, as far as they were looked up.
    members: FxHashMap<TypeId, Rc<FxHashSet<Symbol>>>,
}

impl SpareEntries {
    /// Finds them: O(expressions + size of types), and O(assignments) for each map that gets its entries from another one.
    pub(super) fn solve(game: &Game, ranges: &Ranges, values: Option<&Values>) -> Self {
        let mut known = Known { game, ranges, values, ever: FxHashMap::default(), members: FxHashMap::default() };
        let mut matter = Self(FixedBitSet::with_capacity(game.vars.len()));
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut copies: Vec<(VarId, VarId)> = Vec::new();
        for (_, edge) in game.automaton.edges() {
            for expr in edge.label.exprs().filter(|&expr| seen.insert(expr)) {
                game.exprs.preorder(expr, |id, _| matter.0.extend(known.read_beyond_keys(id).map(Id::index)));
            }
            let (Label::Assign { lhs, rhs } | Label::Compare { lhs, rhs, .. }) = edge.label else { continue };
            if !is_map(game, lhs) {
                continue;
            }
            match (edge.label, path(game, lhs).0, path(game, rhs).0) {
                (Label::Assign { .. }, Expr::Var(to), Expr::Var(from)) => copies.push((to, from)),
                (Label::Compare { .. }, one, other) => {
                    let maps = [one, other].into_iter().filter_map(|root| match root {
                        Expr::Var(var) => Some(var.index()),
                        _ => None,
                    });
                    matter.0.extend(maps);
                }
                _ => {}
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(to, from) in &copies {
                changed |= matter.contains(to) && !matter.0.put(from.index());
            }
        }
        matter
    }

    /// Whether the spare entries of a map may matter.
    pub(super) fn contains(&self, var: VarId) -> bool {
        self.0.contains(var.index())
    }
}

impl Known<'_> {
    /// The variable of which an expression may read a spare entry: the last key may be outside the key type.
    fn read_beyond_keys(&mut self, expr: ExprId) -> Option<VarId> {
        let (Expr::Var(var), keys) = path(self.game, expr) else { return None };
        let &key = keys.last()?;
        let shape = self.game.vars.get(var).and_then(|decl| self.game.shape(decl.ty));
        let ty = shape.and_then(|shape| shape.keys.get(keys.len() - 1).copied());
        let inside = ty.zip(self.symbols(key)).is_some_and(|(ty, symbols)| {
            let members = self.members(self.game.types.resolve(ty).unwrap_or(ty));
            symbols.iter().all(|symbol| members.contains(symbol))
        });
        (!inside).then_some(var)
    }

    fn members(&mut self, ty: TypeId) -> Rc<FxHashSet<Symbol>> {
        let types = &self.game.types;
        self.members.entry(ty).or_insert_with(|| Rc::new(types.members(ty).iter().copied().collect())).clone()
    }

    /// The values that an expression may have, if they are known.
    fn symbols(&mut self, expr: ExprId) -> Option<Rc<[Symbol]>> {
        if let Some(range) = self.ranges.of(self.game, expr) {
            return Some(range);
        }
        let (Expr::Var(var), []) = (path(self.game, expr).0, &path(self.game, expr).1[..]) else { return None };
        let values = self.values?;
        Some(self.ever.entry(var).or_insert_with(|| values.ever(var).into()).clone())
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
