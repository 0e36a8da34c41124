//! Looks on while searches walk: which edges they cross, and whether the actions they come by are valid.
//!
//! An action is valid in a state if its legality can be computed by the types alone: keys belong to the key types of the
//! maps they are used on, cast values to the types they are cast to, and assigned values to the types of what they are
//! assigned to. (Specification of RG, 7 and 8.5.)
//!
//! Values that nobody reads any more are forgotten between moves ([`engine::canonical`]). Assignments whose result nobody
//! reads are left out here, therefore: they may work on forgotten values.

use super::{Cells, Naive, Space, Val};
use engine::Error;
use fixedbitset::FixedBitSet;
use passes::analysis::Liveness;
use passes::effects::Builtins;
use rg_ir::ids::Id;
use rg_ir::text::print_expr;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, Symbol, TypeId};

/// Notes of one or several searches.
#[derive(Debug, Default)]
pub(super) struct Inspector {
    /// The edges that were crossed, by index.
    pub(super) crossed: FixedBitSet,
    /// The first action that was not valid, and what is wrong with it.
    pub(super) invalid: Option<(EdgeId, String)>,
    /// Assignments whose result nobody reads, by index.
    idle: FixedBitSet,
}

impl Inspector {
    /// An inspector for a game with complete built-ins; one data-flow analysis.
    pub(super) fn new(game: &Game) -> Self {
        let (live, builtins) = (Liveness::solve(game), Builtins::of(game));
        let mut idle = FixedBitSet::new();
        for (id, edge) in game.automaton.edges() {
            let (Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. }) = edge.label else { continue };
            let Expr::Var(var) = game.exprs.root(lhs) else { continue };
            let read = live.at(edge.target).is_some_and(|live| live.contains(var.index()));
            if !read && !builtins.contains(var) {
                idle.grow(id.index() + 1);
                idle.insert(id.index());
            }
        }
        Self { idle, ..Self::default() }
    }

    /// An edge could be taken.
    pub(super) fn cross(&mut self, edge: EdgeId) {
        self.crossed.grow(edge.index() + 1);
        self.crossed.insert(edge.index());
    }

    /// A walk has come to the source of an edge.
    pub(super) fn meet(&mut self, engine: &Naive, cells: &Cells, edge: EdgeId) -> Result<(), Error> {
        if self.invalid.is_none()
            && !self.idle.contains(edge.index())
            && let Some(what) = engine.invalid_action(cells, engine.game.automaton.edge(edge).label)?
        {
            self.invalid = Some((edge, what));
        }
        Ok(())
    }
}

impl Naive {
    /// What is not valid about an action in a state.
    fn invalid_action(&self, cells: &Cells, label: Label) -> Result<Option<String>, Error> {
        for expr in label.exprs() {
            if let Some(what) = self.invalid_expr(cells, expr)? {
                return Ok(Some(what));
            }
        }
        let assigned = |lhs: ExprId| Ok::<_, Error>(self.place(cells, lhs)?.map(|(_, ty)| ty));
        Ok(match label {
            Label::Assign { lhs, rhs } => {
                let value = self.eval(cells, rhs)?;
                let outside = assigned(lhs)?.and_then(|ty| self.outside(cells, value, ty));
                outside.map(|value| {
                    let lhs = print_expr(&self.game, lhs);
                    format!("`{lhs}` is assigned `{value}`, which is no value of its type")
                })
            }
            Label::AssignAny { lhs, ty } => {
                let target = assigned(lhs)?;
                let members = self.game.types.members(ty).iter();
                let outside = members.copied().find(|&s| target.is_some_and(|ty| !self.game.types.contains(ty, s)));
                outside.map(|value| {
                    let (lhs, value) = (print_expr(&self.game, lhs), self.game.name(value));
                    format!("`{lhs}` is assigned `{value}`, which is no value of its type")
                })
            }
            _ => None,
        })
    }

    /// What is not valid about an expression: a key, or a cast. The recursion is as deep as the expression, which the
    /// evaluation is, too.
    fn invalid_expr(&self, cells: &Cells, expr: ExprId) -> Result<Option<String>, Error> {
        match self.game.exprs.get(expr) {
            Expr::Symbol(_) | Expr::Const(_) | Expr::Var(_) => Ok(None),
            Expr::Cast(ty, inner) => {
                if let Some(what) = self.invalid_expr(cells, inner)? {
                    return Ok(Some(what));
                }
                let value = self.eval(cells, inner)?;
                Ok(self.outside(cells, value, ty).map(|value| {
                    let cast = print_expr(&self.game, expr);
                    format!("the cast `{cast}` is of `{value}`, which is no value of that type")
                }))
            }
            Expr::Access(map, key) => {
                for part in [map, key] {
                    if let Some(what) = self.invalid_expr(cells, part)? {
                        return Ok(Some(what));
                    }
                }
                let key_ty = match self.eval(cells, map)? {
                    Val::Map { ty, .. } => self.game.types.as_arrow(ty).map(|(key, _)| key),
                    Val::Symbol(_) => None,
                };
                let value = self.eval(cells, key)?;
                Ok(key_ty.and_then(|ty| self.outside(cells, value, ty)).map(|value| {
                    let access = print_expr(&self.game, expr);
                    format!("in `{access}` the key is `{value}`, which the map does not have")
                }))
            }
        }
    }

    /// A symbol of a value that the type does not have; `None` if it has them all.
    fn outside(&self, cells: &Cells, value: Val, ty: TypeId) -> Option<String> {
        let types = &self.game.types;
        match value {
            Val::Symbol(symbol) => {
                let symbol = Symbol::from_index(symbol as usize);
                (!types.contains(ty, symbol)).then(|| self.game.name(symbol).to_owned())
            }
            Val::Map { space, offset, ty: own } => {
                let ((key_ty, value_ty), (_, own_value)) = (types.as_arrow(ty)?, types.as_arrow(own)?);
                if types.same(own, ty) && space_is_typed(space) {
                    return None;
                }
                types.members(key_ty).iter().find_map(|&key| {
                    let at = self.key(own, key)?;
                    let entry = self.load(cells, space, offset + at * self.size(own_value), own_value);
                    self.outside(cells, entry, value_ty)
                })
            }
        }
    }
}

/// Whether the values of maps there were tested against their types already: those of constants, by the checker.
fn space_is_typed(space: Space) -> bool {
    matches!(space, Space::Const(_))
}
