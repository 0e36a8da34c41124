//! Which symbols expressions can have, whatever the state.

use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{ConstId, Expr, ExprId, Game, Label, Symbol, TypeId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// Types are loose: a write may put a symbol into a variable that its type does not have. The variables for which no write
/// can do so hold members of their type, and that is what is known here, together with the symbols in constants.
pub struct Values<'g> {
    game: &'g Game,
    /// Variables that may hold something else.
    loose: FixedBitSet,
    /// Symbols of the map constants asked for so far, in order of first occurrence.
    constants: FxHashMap<ConstId, Vec<Symbol>>,
}

impl<'g> Values<'g> {
    /// Finds the variables that stay within their type. Near-linear.
    pub fn new(game: &'g Game) -> Self {
        let mut values =
            Self { game, loose: FixedBitSet::with_capacity(game.vars.len()), constants: FxHashMap::default() };
        let mut flows: Vec<Vec<VarId>> = vec![Vec::new(); game.vars.len()];
        let mut stack: Vec<VarId> = Vec::new();
        let mut fits: FxHashMap<(TypeId, TypeId), bool> = FxHashMap::default();
        for (_, edge) in game.automaton.edges() {
            let (lhs, source) = match edge.label {
                Label::Assign { lhs, rhs } => (lhs, Source::Expr(rhs)),
                Label::AssignAny { lhs, ty } => (lhs, Source::Type(ty)),
                _ => continue,
            };
            let Expr::Var(var) = game.exprs.root(lhs) else { continue };
            let Some(leaf) = values.leaf(game.vars[var].ty) else { continue };
            let from = match source {
                Source::Type(ty) => Some(ty),
                Source::Expr(expr) => match game.exprs.root(expr) {
                    Expr::Symbol(symbol) if game.types.contains(leaf, symbol) => continue,
                    Expr::Const(id) => values.leaf(game.consts[id].ty),
                    Expr::Var(other) => {
                        if let Some(list) = flows.get_mut(other.index()) {
                            list.push(var);
                        }
                        values.leaf(game.vars[other].ty)
                    }
                    _ => None,
                },
            };
            let fits =
                from.is_some_and(|from| *fits.entry((from, leaf)).or_insert_with(|| game.types.subset(from, leaf)));
            if !fits && !values.loose.put(var.index()) {
                stack.push(var);
            }
        }
        while let Some(var) = stack.pop() {
            for &next in flows.get(var.index()).map_or(&[][..], |list| list) {
                if !values.loose.put(next.index()) {
                    stack.push(next);
                }
            }
        }
        values
    }

    /// Whether a variable only ever holds members of its type (the parts of a map: of the type at its end).
    pub fn fits(&self, var: VarId) -> bool {
        !self.loose.contains(var.index())
    }

    /// All symbols that an expression of set type can have; `None` if nothing is known. O(size of the answer), for a
    /// constant map O(size of the literal) the first time.
    pub fn possible(&mut self, expr: ExprId) -> Option<Cow<'_, [Symbol]>> {
        let game = self.game;
        match game.exprs.root(expr) {
            Expr::Symbol(symbol) => Some(Cow::Owned(vec![symbol])),
            Expr::Const(id) => Some(Cow::Borrowed(self.constant(id))),
            Expr::Var(var) if self.fits(var) => Some(Cow::Borrowed(game.types.members(self.leaf(game.vars[var].ty)?))),
            Expr::Var(_) | Expr::Access(..) | Expr::Cast(..) => None,
        }
    }

    fn constant(&mut self, id: ConstId) -> &[Symbol] {
        let game = self.game;
        self.constants.entry(id).or_insert_with(|| {
            let (mut found, mut seen, mut entered) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
            entered.insert(id);
            let mut stack = vec![&game.consts[id].value];
            while let Some(value) = stack.pop() {
                match value {
                    Value::Symbol(symbol) => {
                        if seen.insert(*symbol) {
                            found.push(*symbol);
                        }
                    }
                    Value::Const(id) => {
                        if entered.insert(*id) {
                            stack.push(&game.consts[*id].value);
                        }
                    }
                    Value::Map(literal) => stack.extend(literal.entries.iter().rev().map(|(_, value)| value)),
                }
            }
            found
        })
    }

    /// The set at the end of a type.
    fn leaf(&self, ty: TypeId) -> Option<TypeId> {
        self.game.shape(ty).map(|shape| shape.leaf)
    }
}

/// Where a value comes from.
enum Source {
    Expr(ExprId),
    Type(TypeId),
}
