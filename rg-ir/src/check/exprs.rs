//! The types of expressions (section 7), and checks 18 and 19.

use super::Checker;
use super::builtins::VARIABLES;
use super::facts::Relation;
use crate::automaton::Edge;
use crate::diag::Diagnostic;
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{ExprId, Id, IdVec, Symbol, TypeId};
use crate::source::Span;
use crate::types::TypeKind;

/// The type of an expression. The type of a symbol is the set with just that symbol, which a game need not contain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// The set of this one symbol.
    Symbol(Symbol),
    /// A type of the game.
    Type(TypeId),
}

/// The type of an expression; `None` where it has none (an access of something that is not a map, an unknown type).
///
/// The same as [`Game::type_of`], without adding types to the game. Linear in the nesting depth.
pub fn expr_type(game: &Game, expr: ExprId) -> Option<Ty> {
    let mut accesses = 0;
    let mut at = expr;
    let mut ty = loop {
        match game.exprs.get(at) {
            Expr::Const(id) => break game.consts.get(id)?.ty,
            Expr::Var(id) => break game.vars.get(id)?.ty,
            Expr::Symbol(symbol) => return (accesses == 0).then_some(Ty::Symbol(symbol)),
            Expr::Cast(ty, _) => break ty,
            Expr::Access(map, _) => {
                accesses += 1;
                at = map;
            }
        }
    };
    for _ in 0..accesses {
        ty = game.types.as_arrow(ty)?.1;
    }
    game.types.structure(ty).map(|_| Ty::Type(ty))
}

/// What is known about every expression of a game.
pub(super) struct ExprFacts {
    types: IdVec<ExprId, Option<Ty>>,
    /// Whether neither the expression nor a part of it has a mistake.
    clean: IdVec<ExprId, bool>,
    /// Number of expressions in the tree below, itself included.
    sizes: IdVec<ExprId, usize>,
}

/// What is wrong with one expression, its parts not considered.
enum Problem {
    NotAMap,
    KeyIsMap,
    KeyUnrelated(TypeId),
    UnknownCast(Symbol),
    UnrelatedCast(TypeId),
}

impl ExprFacts {
    /// Types all expressions in one run over the table: parts have smaller ids than the whole.
    pub(super) fn new(cx: &mut Checker<'_>) -> Self {
        let mut facts = Self { types: IdVec::new(), clean: IdVec::new(), sizes: IdVec::new() };
        for i in 0..cx.game.exprs.len() {
            let expr = cx.game.exprs.get(ExprId::from_index(i));
            let ty = facts.type_one(cx, expr);
            let (parts_clean, size) = match expr {
                Expr::Access(map, key) => (
                    facts.clean(map) && facts.clean(key),
                    facts.size(map).saturating_add(facts.size(key)).saturating_add(1),
                ),
                Expr::Cast(_, inner) => (facts.clean(inner), facts.size(inner).saturating_add(1)),
                Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => (true, 1),
            };
            let clean = parts_clean && facts.problem(cx, expr).is_none();
            facts.types.push(ty);
            facts.clean.push(clean);
            facts.sizes.push(size);
        }
        facts
    }

    /// The type of an expression; `None` where a mistake leaves it without one.
    pub(super) fn ty(&self, expr: ExprId) -> Option<Ty> {
        self.types.get(expr).copied().flatten()
    }

    fn clean(&self, expr: ExprId) -> bool {
        self.clean.get(expr).copied().unwrap_or(false)
    }

    /// Number of expressions in the tree of `expr`: how many spans it takes in [`Edge::spans`].
    pub(super) fn size(&self, expr: ExprId) -> usize {
        self.sizes.get(expr).copied().unwrap_or(1)
    }

    fn type_one(&self, cx: &Checker<'_>, expr: Expr) -> Option<Ty> {
        let ty = match expr {
            Expr::Symbol(symbol) => return Some(Ty::Symbol(symbol)),
            Expr::Const(id) => cx.game.consts.get(id)?.ty,
            Expr::Var(id) => cx.game.vars.get(id)?.ty,
            Expr::Cast(ty, _) => ty,
            Expr::Access(map, _) => match self.ty(map)? {
                Ty::Symbol(_) => return None,
                Ty::Type(ty) => cx.facts.arrow(ty)?.1,
            },
        };
        cx.facts.get(ty).map(|_| Ty::Type(ty))
    }

    fn problem(&self, cx: &mut Checker<'_>, expr: Expr) -> Option<Problem> {
        match expr {
            Expr::Access(map, key) => {
                let map = self.ty(map)?;
                let Some((key_ty, _)) = arrow(cx, map) else { return Some(Problem::NotAMap) };
                let key = self.ty(key)?;
                if arrow(cx, key).is_some() {
                    return Some(Problem::KeyIsMap);
                }
                (!assignable(cx, Ty::Type(key_ty), key)).then_some(Problem::KeyUnrelated(key_ty))
            }
            Expr::Cast(ty, inner) => {
                if let TypeKind::Name(name) = *cx.game.types.kind(ty)
                    && cx.game.types.declaration(name).is_none()
                {
                    return Some(Problem::UnknownCast(name));
                }
                let inner = self.ty(inner)?;
                (!assignable(cx, Ty::Type(ty), inner)).then_some(Problem::UnrelatedCast(ty))
            }
            Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => None,
        }
    }

    /// Reports everything that is wrong inside `root`, an expression of `edge` whose own span is number `at`.
    pub(super) fn report(&self, cx: &mut Checker<'_>, edge: &Edge, root: ExprId, at: usize) {
        let mut stack = vec![(root, at)];
        while let Some((id, at)) = stack.pop() {
            if self.clean(id) {
                continue;
            }
            let expr = cx.game.exprs.get(id);
            if let Some(problem) = self.problem(cx, expr) {
                self.report_one(cx, edge, expr, at, &problem);
            }
            match expr {
                Expr::Access(map, key) => {
                    let map_at = at.saturating_add(1);
                    stack.extend([(key, map_at.saturating_add(self.size(map))), (map, map_at)]);
                }
                Expr::Cast(_, inner) => stack.push((inner, at.saturating_add(1))),
                Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => {}
            }
        }
    }

    fn report_one(&self, cx: &mut Checker<'_>, edge: &Edge, expr: Expr, at: usize, problem: &Problem) {
        let show = cx.show();
        let (outer, inner, inner_at) = match expr {
            Expr::Access(map, key) => (Some(map), key, at.saturating_add(1).saturating_add(self.size(map))),
            Expr::Cast(_, inner) => (None, inner, at.saturating_add(1)),
            Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => return,
        };
        if let (Problem::NotAMap, Some(Expr::Symbol(name))) = (problem, outer.map(|map| cx.game.exprs.get(map))) {
            return unknown_map(cx, edge, name, span_at(edge, at.saturating_add(1)));
        }
        let outer = outer.map(|map| show.expr(map)).unwrap_or_default();
        let (text, inner_ty) = (show.expr(inner), describe(cx, self.ty(inner)));
        let (code, span, message, wanted) = match *problem {
            Problem::NotAMap => {
                let message = format!("`{outer}` is not a map and cannot be accessed with a key");
                ("RG018", span_at(edge, at.saturating_add(1)), message, None)
            }
            Problem::KeyIsMap => {
                ("RG018", span_at(edge, inner_at), format!("a key must be a symbol, but `{text}` is a map"), None)
            }
            Problem::KeyUnrelated(key_ty) => {
                let key_text = show.ty(key_ty);
                let message = format!("`{outer}` has keys of type `{key_text}`, found `{text}`{inner_ty}");
                ("RG018", span_at(edge, inner_at), message, Some(key_ty))
            }
            Problem::UnknownCast(name) => {
                return super::types::unknown_type(cx, "RG019", name, span_at(edge, at));
            }
            Problem::UnrelatedCast(ty) => {
                let message = format!("`{text}`{inner_ty} can never be of type `{}`", show.ty(ty));
                ("RG019", span_at(edge, inner_at), message, Some(ty))
            }
        };
        let found = cx.quote(edge, Diagnostic::error(code, span, message));
        match wanted {
            Some(wanted) => suggest_symbol(cx, found, inner, Ty::Type(wanted)),
            None => cx.report(found),
        }
    }
}

/// Reports a name with a key that is neither a variable nor a constant. Where a built-in variable is missing, so is a type that it needs.
fn unknown_map(cx: &mut Checker<'_>, edge: &Edge, name: Symbol, span: Span) {
    let game = cx.game;
    let text = game.name(name);
    let found =
        Diagnostic::error("RG018", span, format!("there is no variable or constant `{text}` to access with a key"));
    let found = cx.quote(edge, found);
    if VARIABLES.contains(&text) {
        return cx
            .report(found.note(format!("`{text}` is built in where the types `Player` and `Score` are declared")));
    }
    let variables = game.vars.values().map(|d| game.name(d.name));
    let constants = game.consts.values().map(|d| game.name(d.name));
    cx.report_suggesting(found, text, variables.chain(constants).chain(VARIABLES));
}

/// Reports `found`, with the name `expr` was probably meant to be, where it is a symbol that is not a member of `wanted`.
pub(super) fn suggest_symbol(cx: &mut Checker<'_>, found: Diagnostic, expr: ExprId, wanted: Ty) {
    let game = cx.game;
    let Expr::Symbol(symbol) = game.exprs.get(expr) else { return cx.report(found) };
    let (members, other) = match wanted {
        Ty::Type(ty) => (Some(cx.facts.member_names(ty)), None),
        Ty::Symbol(other) => (None, Some(game.name(other))),
    };
    let members = members.into_iter().flatten().chain(other);
    let variables = game.vars.values().map(|d| game.name(d.name));
    let constants = game.consts.values().map(|d| game.name(d.name));
    cx.report_suggesting(found, game.name(symbol), members.chain(variables).chain(constants));
}

/// Key and value type, if `ty` is a map type.
fn arrow(cx: &Checker<'_>, ty: Ty) -> Option<(TypeId, TypeId)> {
    match ty {
        Ty::Symbol(_) => None,
        Ty::Type(ty) => cx.facts.arrow(ty),
    }
}

/// The weak relation of section 5.1.
pub(super) fn assignable(cx: &mut Checker<'_>, a: Ty, b: Ty) -> bool {
    match (a, b) {
        (Ty::Symbol(a), Ty::Symbol(b)) => a == b,
        (Ty::Symbol(symbol), Ty::Type(ty)) | (Ty::Type(ty), Ty::Symbol(symbol)) => {
            cx.facts.get(ty).is_none() || cx.facts.contains(ty, symbol)
        }
        (Ty::Type(a), Ty::Type(b)) => cx.facts.related(Relation::Overlap, a, b),
    }
}

/// ` of type T`, for messages; nothing for a symbol.
pub(super) fn describe(cx: &Checker<'_>, ty: Option<Ty>) -> String {
    match ty {
        Some(Ty::Type(ty)) => format!(" of type `{}`", cx.show().ty(ty)),
        Some(Ty::Symbol(_)) | None => String::new(),
    }
}

/// The span of the `at`-th expression of an edge, or the whole edge.
pub(super) fn span_at(edge: &Edge, at: usize) -> Span {
    edge.spans.get(at).copied().filter(|span| span.is_some()).unwrap_or(edge.span)
}
