//! Check 29: declarations that nothing refers to.

use super::{Checker, builtins};
use crate::automaton::Label;
use crate::diag::Diagnostic;
use crate::expr::Expr;
use crate::game::{Game, Pragma};
use crate::ids::{ConstId, ExprId, Id, IdVec, TypeDeclId, TypeId, VarId};
use crate::source::Span;
use crate::types::TypeKind;
use crate::value::Value;

/// Reports each unused thing once.
pub(super) fn check(cx: &mut Checker<'_>) {
    let game = cx.game;
    let used = Used::new(game);
    for (id, decl) in game.type_decls.iter() {
        let name = game.name(decl.name);
        if !used.types[id] && !decl.implicit && !builtins::TYPES.contains(&name) {
            unused(cx, "type", name, decl.span);
        }
    }
    for (id, decl) in game.consts.iter() {
        if !used.consts[id] {
            let name = game.name(decl.name);
            unused(cx, "constant", name, decl.span);
        }
    }
    for (id, decl) in game.vars.iter() {
        let name = game.name(decl.name);
        if !used.vars[id] && !decl.implicit && !builtins::VARIABLES.contains(&name) {
            unused(cx, "variable", name, decl.span);
        }
    }
}

/// A declaration that only its author may know the use of.
fn unused(cx: &mut Checker<'_>, kind: &str, name: &str, span: Span) {
    let found = Diagnostic::warning("RG029", span, format!("{kind} `{name}` is never used"));
    // A name of a definition that every game has, and that this game does not spell out.
    let game = cx.game;
    let types = game.type_decls.values().filter(|decl| decl.implicit && kind == "type").map(|decl| decl.name);
    let vars = game.vars.values().filter(|decl| decl.implicit && kind == "variable").map(|decl| decl.name);
    let found = found.suggest(name, types.chain(vars).map(|symbol| game.name(symbol)));
    cx.report(found.removing(format_args!("{kind} `{name}`"), [span]));
}

/// What is referred to.
struct Used {
    types: IdVec<TypeDeclId, bool>,
    consts: IdVec<ConstId, bool>,
    vars: IdVec<VarId, bool>,
}

impl Used {
    fn new(game: &Game) -> Self {
        let mut used = Self {
            types: IdVec::filled(false, game.type_decls.len()),
            consts: IdVec::filled(false, game.consts.len()),
            vars: IdVec::filled(false, game.vars.len()),
        };
        let mut type_exprs = IdVec::filled(false, game.types.len());
        let mut exprs = IdVec::filled(false, game.exprs.len());
        for (_, edge) in game.automaton.edges() {
            edge.label.exprs().for_each(|expr| mark(&mut exprs, expr));
            match edge.label {
                Label::AssignAny { ty, .. } => mark(&mut type_exprs, ty),
                Label::TagVar(variable) => mark(&mut used.vars, variable),
                _ => {}
            }
        }
        used.mark_pragmas(game, &mut exprs, &mut type_exprs);
        used.mark_exprs(game, &mut exprs, &mut type_exprs);
        let definitions = game.type_decls.values().map(|d| d.definition);
        let declared = game.consts.values().map(|d| d.ty).chain(game.vars.values().map(|d| d.ty));
        definitions.chain(declared).for_each(|ty| mark(&mut type_exprs, ty));
        used.mark_types(game, &mut type_exprs);
        for (id, decl) in game.consts.iter() {
            used.mark_value(&decl.value, Some(id));
        }
        for decl in game.vars.values() {
            used.mark_value(&decl.initial, None);
        }
        used
    }

    /// A claim keeps what it names: a pass may rely on it.
    fn mark_pragmas(&mut self, game: &Game, exprs: &mut IdVec<ExprId, bool>, types: &mut IdVec<TypeId, bool>) {
        for decl in &game.pragmas {
            if let Pragma::SimpleApply { tags, assignments, .. } = &decl.pragma {
                tags.iter().filter_map(|tag| tag.ty).for_each(|ty| mark(types, ty));
                for &(lhs, rhs) in assignments {
                    mark(exprs, lhs);
                    mark(exprs, rhs);
                }
            }
        }
    }

    /// Parts have smaller ids than the whole, so one run downwards marks them all.
    fn mark_exprs(&mut self, game: &Game, exprs: &mut IdVec<ExprId, bool>, types: &mut IdVec<TypeId, bool>) {
        for id in exprs.ids().rev() {
            if !exprs[id] {
                continue;
            }
            match game.exprs.get(id) {
                Expr::Const(id) => mark(&mut self.consts, id),
                Expr::Var(id) => mark(&mut self.vars, id),
                Expr::Symbol(_) => {}
                Expr::Access(map, key) => {
                    mark(exprs, map);
                    mark(exprs, key);
                }
                Expr::Cast(ty, inner) => {
                    mark(types, ty);
                    mark(exprs, inner);
                }
            }
        }
    }

    fn mark_types(&mut self, game: &Game, types: &mut IdVec<TypeId, bool>) {
        for id in types.ids().rev() {
            if !types[id] {
                continue;
            }
            match game.types.kind(id) {
                TypeKind::Name(name) => {
                    if let Some(decl) = game.types.declaration(*name) {
                        mark(&mut self.types, decl);
                    }
                }
                TypeKind::Arrow(key, value) => {
                    mark(types, *key);
                    mark(types, *value);
                }
                TypeKind::Set(_) => {}
            }
        }
    }

    /// A constant's use of itself does not count.
    fn mark_value(&mut self, value: &Value, owner: Option<ConstId>) {
        let mut stack = vec![value];
        while let Some(value) = stack.pop() {
            match value {
                Value::Const(id) if Some(*id) != owner => mark(&mut self.consts, *id),
                Value::Map(literal) => stack.extend(literal.entries.iter().map(|(_, value)| value)),
                Value::Const(_) | Value::Symbol(_) => {}
            }
        }
    }
}

fn mark<I: Id>(table: &mut IdVec<I, bool>, id: I) {
    if id.index() < table.len() {
        table[id] = true;
    }
}
