//! Expressions (section 7), hash-consed: structurally equal expressions of a game have the same [`ExprId`].

use crate::ids::{ConstId, ExprId, IdVec, Symbol, TypeId, VarId};
use rustc_hash::FxHashMap;

/// One expression node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Const(ConstId),
    /// A variable.
    Var(VarId),
    /// A symbol: itself.
    Symbol(Symbol),
    /// `map[key]`.
    Access(ExprId, ExprId),
    /// `T(e)`; never changes a value.
    Cast(TypeId, ExprId),
}

/// The expressions of a game.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: IdVec<ExprId, Expr>,
    ids: FxHashMap<Expr, ExprId>,
}

impl Exprs {
    /// The id of an expression. Sub-expressions come first, so they have smaller ids.
    pub fn intern(&mut self, expr: Expr) -> ExprId {
        if let Some(&id) = self.ids.get(&expr) {
            return id;
        }
        let id = self.nodes.push(expr);
        self.ids.insert(expr, id);
        id
    }

    /// The id of an expression that was interned before.
    pub fn find(&self, expr: Expr) -> Option<ExprId> {
        self.ids.get(&expr).copied()
    }

    /// The node behind an id.
    #[inline]
    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id]
    }

    /// Number of distinct expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Calls `visit` for `root` and its sub-expressions in *source order*: preorder, a map before its key, the operand
    /// of a cast after it. This is the order in which an edge's spans are stored ([`crate::Edge::spans`]).
    /// No recursion; linear in the size of the expression.
    pub fn preorder(&self, root: ExprId, mut visit: impl FnMut(ExprId, Expr)) {
        // What is still to be visited; empty, and so without memory, for most expressions.
        let (mut id, mut stack) = (root, Vec::new());
        loop {
            let expr = self.get(id);
            visit(id, expr);
            id = match expr {
                Expr::Access(map, key) => {
                    stack.push(key);
                    map
                }
                Expr::Cast(_, inner) => inner,
                Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => match stack.pop() {
                    Some(next) => next,
                    None => return,
                },
            };
        }
    }

    /// The variable at the root of a left-hand side, looking through accesses and casts (section 6, note on casts).
    #[inline]
    pub fn root(&self, mut id: ExprId) -> Expr {
        loop {
            match self.get(id) {
                Expr::Access(map, _) => id = map,
                Expr::Cast(_, inner) => id = inner,
                leaf => return leaf,
            }
        }
    }
}
