//! Every expression with its type (catalogue of passes, 7.4).

use crate::pass::{Context, Pass, Phase};
use crate::type_names::TypeNames;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, IdVec, Label, Symbol, TypeDeclId, TypeId};
use rustc_hash::FxHashMap;

/// Expressions that would nest deeper than this are left alone: text may not nest deeper than a thousand brackets.
const MAX_DEPTH: u32 = 900;

/// Writes the type of every expression and of its parts as a cast, for engines that choose representations by type.
///
/// ```text
/// type P = { p, q };   type B = P -> Score;   var m: B = { :0 };   var v: P = p;   x, y: m[v] == 1;
/// ```
/// becomes
/// ```text
/// x, y: Score(B(m)[P(v)]) == Score(1);
/// ```
///
/// *Correct*, since casts never change a value, and on a left side they are looked through. A symbol has the type of the
/// place where it stands. Types without a name get one. O(expressions).
pub struct ExplicitCasts;

impl Pass for ExplicitCasts {
    fn name(&self) -> &'static str {
        "explicit-casts"
    }

    fn summary(&self) -> &'static str {
        "write the type of every expression as a cast"
    }

    fn phase(&self) -> Phase {
        Phase::Request
    }

    fn keeps_claims(&self) -> bool {
        true
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let declared = game.type_decls.len();
        let mut casts = Casts::new(game);
        let edges: Vec<_> = game.automaton.edges().map(|(id, edge)| (id, edge.label)).collect();
        let (mut changed, mut deep) = (false, 0usize);
        for (id, label) in edges {
            let Some(new) = casts.label(game, label) else {
                deep += 1;
                continue;
            };
            if new != label {
                game.automaton.set_label(id, new);
                changed = true;
            }
        }
        if deep > 0 {
            context.note(format!("{deep} edges would nest deeper than {MAX_DEPTH} brackets"));
        }
        changed | (declared != game.type_decls.len())
    }
}

/// What an expression has become.
#[derive(Clone, Copy)]
struct Typed {
    /// The expression with casts; a symbol stays what it is.
    expr: ExprId,
    /// Its type; `None` for a symbol, and where something is wrong.
    ty: Option<TypeId>,
    depth: u32,
}

struct Casts {
    names: TypeNames,
    /// For every expression of the game before the pass.
    done: IdVec<ExprId, Typed>,
    /// The first declared set that has the symbol, for comparisons of two symbols.
    homes: FxHashMap<Symbol, TypeDeclId>,
}

impl Casts {
    fn new(game: &mut Game) -> Self {
        let mut homes = FxHashMap::default();
        for (id, decl) in game.type_decls.iter() {
            for &symbol in game.types.members(decl.definition) {
                homes.entry(symbol).or_insert(id);
            }
        }
        let mut casts = Self { names: TypeNames::new(game), done: IdVec::new(), homes };
        // Parts have smaller ids than what they are part of.
        for index in 0..game.exprs.len() {
            let typed = casts.one(game, ExprId::from_index(index));
            casts.done.push(typed);
        }
        casts
    }

    fn one(&mut self, game: &mut Game, id: ExprId) -> Typed {
        match game.exprs.get(id) {
            Expr::Symbol(_) => Typed { expr: id, ty: None, depth: 1 },
            Expr::Const(constant) => self.cast(game, id, game.consts.get(constant).map(|decl| decl.ty), 1),
            Expr::Var(var) => self.cast(game, id, game.vars.get(var).map(|decl| decl.ty), 1),
            Expr::Access(map, key) => {
                let map = self.done[map];
                let Some((key_ty, value_ty)) = map.ty.and_then(|ty| game.types.as_arrow(ty)) else {
                    return Typed { expr: id, ty: None, depth: map.depth };
                };
                let key = self.at(game, key, Some(key_ty));
                let access = game.exprs.intern(Expr::Access(map.expr, key.expr));
                self.cast(game, access, Some(value_ty), map.depth.max(key.depth).saturating_add(1))
            }
            Expr::Cast(ty, inner) => {
                let inner = self.done[inner];
                // `T(T(e))` says nothing more.
                let parts = match (game.exprs.get(inner.expr), inner.ty) {
                    (Expr::Cast(_, parts), Some(other)) if game.types.same(ty, other) => parts,
                    _ => inner.expr,
                };
                self.cast(game, parts, Some(ty), inner.depth)
            }
        }
    }

    /// `expr` as a `ty`.
    fn cast(&mut self, game: &mut Game, expr: ExprId, ty: Option<TypeId>, depth: u32) -> Typed {
        let Some(ty) = ty else { return Typed { expr, ty, depth } };
        let ty = self.names.name(game, ty);
        let expr = game.exprs.intern(Expr::Cast(ty, expr));
        Typed { expr, ty: Some(ty), depth: depth.saturating_add(1) }
    }

    /// An expression at a place of the given type.
    fn at(&mut self, game: &mut Game, id: ExprId, place: Option<TypeId>) -> Typed {
        let Expr::Symbol(symbol) = game.exprs.get(id) else { return self.done[id] };
        let place = place.filter(|&ty| game.types.contains(ty, symbol));
        let home = || self.homes.get(&symbol).and_then(|&home| game.type_decls.get(home)).map(|decl| decl.name);
        let home = if place.is_none() { home() } else { None };
        let ty = place.or_else(|| home.map(|name| game.types.name(name)));
        self.cast(game, id, ty, 1)
    }

    /// The label with casts; `None` if they would nest too deeply.
    fn label(&mut self, game: &mut Game, mut label: Label) -> Option<Label> {
        let mut sides = label.exprs();
        let (first, second) = (sides.next(), sides.next());
        let place = |side: Option<ExprId>| side.and_then(|id| self.done[id].ty);
        let (first_ty, second_ty) = (place(first), place(second));
        let mut deepest = 0;
        label.map_exprs(|id| {
            let other = if Some(id) == first { second_ty } else { first_ty };
            let typed = self.at(game, id, other);
            deepest = deepest.max(typed.depth);
            typed.expr
        });
        (deepest <= MAX_DEPTH).then_some(label)
    }
}
