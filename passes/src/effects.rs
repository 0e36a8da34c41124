//! What single edges read and write, and which nodes checks refer to.

use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, Label, NodeId, VarId};

/// A write of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The variable.
    pub var: VarId,
    /// Whether all of it is written, and not a cell or a part of a map.
    pub whole: bool,
}

/// What an edge writes, if anything.
pub fn write(game: &Game, label: &Label) -> Option<Write> {
    let (Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. }) = *label else { return None };
    let (mut at, mut whole) = (lhs, true);
    loop {
        match game.exprs.get(at) {
            Expr::Var(var) => return Some(Write { var, whole }),
            Expr::Cast(_, inner) => at = inner,
            Expr::Access(map, _) => (at, whole) = (map, false),
            Expr::Const(_) | Expr::Symbol(_) => return None,
        }
    }
}

/// Calls `found` for every variable whose value the edge reads, repeatedly if it is read repeatedly: in comparisons,
/// right sides, *indices of left sides*, and `$$`. Checks read nothing by themselves.
pub fn reads(game: &Game, label: &Label, mut found: impl FnMut(VarId)) {
    match *label {
        Label::Compare { lhs, rhs, .. } => {
            variables(game, lhs, &mut found);
            variables(game, rhs, &mut found);
        }
        Label::Assign { lhs, rhs } => {
            indices(game, lhs, &mut found);
            variables(game, rhs, &mut found);
        }
        Label::AssignAny { lhs, .. } => indices(game, lhs, &mut found),
        Label::TagVar(var) => found(var),
        Label::Skip | Label::Tag(_) | Label::Reach { .. } => {}
    }
}

/// Calls `found` for every occurrence of a variable in an expression.
pub fn variables(game: &Game, expr: ExprId, found: &mut impl FnMut(VarId)) {
    game.exprs.preorder(expr, |_, expr| {
        if let Expr::Var(var) = expr {
            found(var);
        }
    });
}

/// Calls `found` for every occurrence of a variable in the indices of a left side.
fn indices(game: &Game, mut lhs: ExprId, found: &mut impl FnMut(VarId)) {
    loop {
        match game.exprs.get(lhs) {
            Expr::Access(map, key) => {
                variables(game, key, found);
                lhs = map;
            }
            Expr::Cast(_, inner) => lhs = inner,
            Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => return,
        }
    }
}

/// Whether `expr` mentions `var`.
pub fn mentions(game: &Game, expr: ExprId, var: VarId) -> bool {
    let mut found = false;
    variables(game, expr, &mut |other| found |= other == var);
    found
}

/// The built-in variables, which are always read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtins {
    /// `player`.
    pub player: Option<VarId>,
    /// `goals`.
    pub goals: Option<VarId>,
    /// `visible`.
    pub visible: Option<VarId>,
}

impl Builtins {
    /// Finds them.
    pub fn of(game: &Game) -> Self {
        let find = |name: &str| game.symbols.get(name).and_then(|name| game.find_var(name));
        Self { player: find("player"), goals: find("goals"), visible: find("visible") }
    }

    /// Whether `var` is one of them.
    pub fn contains(&self, var: VarId) -> bool {
        [self.player, self.goals, self.visible].contains(&Some(var))
    }
}

/// The nodes where reachability checks start or that they look for. Merging, removing or connecting one of them
/// changes a check.
pub fn endpoints(game: &Game) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(game.automaton.node_bound());
    for (_, edge) in game.automaton.edges() {
        if let Label::Reach { from, to, .. } = edge.label {
            set.insert(from.index());
            set.insert(to.index());
        }
    }
    set
}

/// The nodes that keep their identity: `begin`, `end`, and the [`endpoints`].
pub fn fixed(game: &Game) -> FixedBitSet {
    let mut set = endpoints(game);
    set.insert(game.begin().index());
    set.insert(game.end().index());
    set
}

/// The main part: the nodes that walks from `begin` come by.
pub fn main_part(game: &Game) -> FixedBitSet {
    game.automaton.reachable([game.begin()])
}

/// The nodes that walks from `begin` and walks of checks started on the way come by, whatever conditions say.
/// O(nodes + edges).
pub fn live_nodes(game: &Game) -> FixedBitSet {
    let mut seen = FixedBitSet::with_capacity(game.automaton.node_bound());
    let mut stack = vec![game.begin()];
    seen.insert(game.begin().index());
    let mut visit = |node: NodeId, stack: &mut Vec<NodeId>| {
        if !seen.put(node.index()) {
            stack.push(node);
        }
    };
    while let Some(node) = stack.pop() {
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            visit(edge.target, &mut stack);
            if let Label::Reach { from, .. } = edge.label {
                visit(from, &mut stack);
            }
        }
    }
    seen
}
