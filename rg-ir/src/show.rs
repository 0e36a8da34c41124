//! RG notation of parts of a game, for printing, messages and drawings: expressions, types, labels, edges in one line.
//!
//! Nothing here recurses: expressions may nest as deep as they like.

use crate::automaton::{Edge, Label};
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{ExprId, NodeId, Symbol, TypeId};
use crate::types::TypeKind;

/// Renders parts of one game, cutting what becomes too long.
#[derive(Clone, Copy)]
pub(crate) struct Show<'g> {
    game: &'g Game,
    limit: usize,
}

/// What is still to be written.
enum Part {
    Expr(ExprId),
    Type(TypeId),
    Text(&'static str),
    Name(Symbol),
}

impl<'g> Show<'g> {
    /// Everything in full.
    pub(crate) fn full(game: &'g Game) -> Self {
        Self { game, limit: usize::MAX }
    }

    /// Each rendered text is cut after about `limit` bytes, with `…` at the cut.
    pub(crate) fn short(game: &'g Game, limit: usize) -> Self {
        Self { game, limit }
    }

    /// `map[key]`, `T(e)`, a name.
    pub(crate) fn expr(self, expr: ExprId) -> String {
        collect(|out| self.write_expr(out, expr))
    }

    /// A type as it was written.
    pub(crate) fn ty(self, ty: TypeId) -> String {
        collect(|out| self.write_type(out, ty))
    }

    /// `p, q: label;`
    pub(crate) fn edge(self, edge: &Edge) -> String {
        format!("{}, {}: {};", self.node(edge.source), self.node(edge.target), self.label(&edge.label))
    }

    /// A label; empty for a skip edge.
    pub(crate) fn label(self, label: &Label) -> String {
        collect(|out| self.write_label(out, label))
    }

    /// Appends what [`Show::expr`] gives.
    pub(crate) fn write_expr(self, out: &mut String, expr: ExprId) {
        self.write(out, vec![Part::Expr(expr)]);
    }

    /// Appends what [`Show::ty`] gives.
    pub(crate) fn write_type(self, out: &mut String, ty: TypeId) {
        self.write(out, vec![Part::Type(ty)]);
    }

    /// Appends what [`Show::label`] gives.
    pub(crate) fn write_label(self, out: &mut String, label: &Label) {
        let parts = match *label {
            Label::Skip => return,
            Label::Compare { lhs, rhs, negated } => {
                vec![Part::Expr(rhs), Part::Text(if negated { " != " } else { " == " }), Part::Expr(lhs)]
            }
            Label::Assign { lhs, rhs } => vec![Part::Expr(rhs), Part::Text(" = "), Part::Expr(lhs)],
            Label::AssignAny { lhs, ty } => {
                vec![Part::Text("(*)"), Part::Type(ty), Part::Text(" = "), Part::Expr(lhs)]
            }
            Label::Tag(tag) => vec![Part::Name(tag), Part::Text("$ ")],
            Label::TagVar(variable) => match self.game.vars.get(variable) {
                Some(decl) => vec![Part::Name(decl.name), Part::Text("$$ ")],
                None => vec![Part::Text("$$ ?")],
            },
            Label::Reach { from, to, negated } => {
                let sign = if negated { "! " } else { "? " };
                return out.extend([sign, self.node(from), " -> ", self.node(to)]);
            }
        };
        self.write(out, parts);
    }

    /// The name of a node; `?` for one that was removed.
    pub(crate) fn node(self, node: NodeId) -> &'g str {
        if self.game.automaton.contains_node(node) { self.game.node_name(node) } else { "?" }
    }

    /// Writes the parts, last one first.
    fn write(self, out: &mut String, mut parts: Vec<Part>) {
        let limit = self.limit.saturating_add(out.len());
        while let Some(part) = parts.pop() {
            if out.len() > limit {
                out.push('…');
                break;
            }
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Name(name) => out.push_str(self.game.name(name)),
                Part::Expr(expr) => self.expand_expr(expr, &mut parts),
                Part::Type(ty) => self.expand_type(ty, limit, out, &mut parts),
            }
        }
    }

    fn expand_expr(self, expr: ExprId, parts: &mut Vec<Part>) {
        match self.game.exprs.get(expr) {
            Expr::Const(id) => parts.extend(self.game.consts.get(id).map(|decl| Part::Name(decl.name))),
            Expr::Var(id) => parts.extend(self.game.vars.get(id).map(|decl| Part::Name(decl.name))),
            Expr::Symbol(symbol) => parts.push(Part::Name(symbol)),
            Expr::Access(map, key) => {
                parts.extend([Part::Text("]"), Part::Expr(key), Part::Text("["), Part::Expr(map)]);
            }
            Expr::Cast(ty, inner) => {
                parts.extend([Part::Text(")"), Part::Expr(inner), Part::Text("("), Part::Type(ty)]);
            }
        }
    }

    /// A map type as key, which no text can declare, is put in parentheses.
    fn expand_type(self, ty: TypeId, limit: usize, out: &mut String, parts: &mut Vec<Part>) {
        match self.game.types.kind(ty) {
            TypeKind::Name(name) => parts.push(Part::Name(*name)),
            TypeKind::Arrow(key, value) => {
                parts.extend([Part::Type(*value), Part::Text(" -> ")]);
                match self.game.types.kind(*key) {
                    TypeKind::Arrow(..) => parts.extend([Part::Text(")"), Part::Type(*key), Part::Text("(")]),
                    TypeKind::Name(_) | TypeKind::Set(_) => parts.push(Part::Type(*key)),
                }
            }
            TypeKind::Set(members) if members.is_empty() => out.push_str("{}"),
            TypeKind::Set(members) => {
                for (i, &member) in members.iter().enumerate() {
                    out.push_str(if i == 0 { "{ " } else { ", " });
                    if out.len() > limit {
                        out.push('…');
                        break;
                    }
                    out.push_str(self.game.name(member));
                }
                out.push_str(" }");
            }
        }
    }
}

fn collect(write: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    write(&mut out);
    out
}
