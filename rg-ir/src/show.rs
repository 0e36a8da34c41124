//! RG notation of parts of a game, for messages and drawings: expressions, types, labels and edges in one line.
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
        self.write(String::new(), vec![Part::Expr(expr)])
    }

    /// A type as it was written.
    pub(crate) fn ty(self, ty: TypeId) -> String {
        self.write(String::new(), vec![Part::Type(ty)])
    }

    /// `p, q: label;`
    pub(crate) fn edge(self, edge: &Edge) -> String {
        format!("{}, {}: {};", self.node(edge.source), self.node(edge.target), self.label(&edge.label))
    }

    /// A label; empty for a skip edge.
    pub(crate) fn label(self, label: &Label) -> String {
        let parts = match *label {
            Label::Skip => Vec::new(),
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
                let sign = if negated { "!" } else { "?" };
                return format!("{sign} {} -> {}", self.node(from), self.node(to));
            }
        };
        self.write(String::new(), parts)
    }

    /// The name of a node; `?` for one that was removed.
    pub(crate) fn node(self, node: NodeId) -> &'g str {
        if self.game.automaton.contains_node(node) { self.game.node_name(node) } else { "?" }
    }

    /// Writes the parts, last one first.
    fn write(self, mut out: String, mut parts: Vec<Part>) -> String {
        while let Some(part) = parts.pop() {
            if out.len() > self.limit {
                out.push('…');
                break;
            }
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Name(name) => out.push_str(self.game.name(name)),
                Part::Expr(expr) => self.expand_expr(expr, &mut parts),
                Part::Type(ty) => self.expand_type(ty, &mut out, &mut parts),
            }
        }
        out
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

    fn expand_type(self, ty: TypeId, out: &mut String, parts: &mut Vec<Part>) {
        match self.game.types.kind(ty) {
            TypeKind::Name(name) => parts.push(Part::Name(*name)),
            TypeKind::Arrow(key, value) => {
                parts.extend([Part::Type(*value), Part::Text(" -> "), Part::Type(*key)]);
            }
            TypeKind::Set(members) => {
                out.push('{');
                for (i, &member) in members.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    if out.len() > self.limit {
                        out.push('…');
                        break;
                    }
                    out.push_str(self.game.name(member));
                }
                out.push('}');
            }
        }
    }
}
