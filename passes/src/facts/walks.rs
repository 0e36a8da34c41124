//! The walks of searches, as a data-flow problem: what is known where they come by.

use super::Values;
use super::knowledge::Knowledge;
use super::terms::{Term, TermId, Terms};
use crate::dataflow::{Analysis, Direction};
use crate::effects::live_nodes;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Expr, ExprId, Game, Label, NodeId, TypeId, Value, VarId};
use std::cell::RefCell;

/// What is searched for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Moves,
    Checks,
}

/// The nodes where searches of a kind start.
fn starts(game: &Game, kind: Kind) -> Vec<NodeId> {
    match kind {
        Kind::Moves => super::move_starts(game),
        Kind::Checks => {
            let live = live_nodes(game);
            let edges = game.automaton.edges().filter(|(_, edge)| live.contains(edge.source.index()));
            let mut starts: Vec<NodeId> = edges
                .filter_map(|(_, edge)| match edge.label {
                    Label::Reach { from, .. } => Some(from),
                    _ => None,
                })
                .collect();
            starts.sort_unstable();
            starts.dedup();
            starts
        }
    }
}

/// The walks of all searches of one kind.
pub(super) struct Walks<'g> {
    pub(super) game: &'g Game,
    kind: Kind,
    pub(super) terms: RefCell<Terms>,
    values: RefCell<Values<'g>>,
    live: FixedBitSet,
    pub(super) starts: Vec<NodeId>,
    pub(super) starting: FixedBitSet,
}

impl Analysis for Walks<'_> {
    type Fact = Knowledge;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, _: &Game) -> Vec<(NodeId, Knowledge)> {
        self.starts.iter().map(|&node| (node, self.start())).collect()
    }

    fn transfer(&self, _: &Game, _: EdgeId, edge: &Edge, known: &mut Knowledge) -> bool {
        self.step(edge, known).is_some()
    }

    fn join(&self, known: &mut Knowledge, other: &Knowledge) -> bool {
        known.join(&mut self.terms.borrow_mut(), other)
    }

    fn check(&self, _: &Knowledge) -> Option<Knowledge> {
        None
    }
}

impl<'g> Walks<'g> {
    pub(super) fn new(game: &'g Game, kind: Kind) -> Self {
        let starts = starts(game, kind);
        Self {
            game,
            kind,
            terms: RefCell::default(),
            values: RefCell::new(Values::new(game)),
            live: live_nodes(game),
            starting: starts.iter().map(|node| node.index()).collect(),
            starts,
        }
    }

    /// What is known where a search starts.
    pub(super) fn start(&self) -> Knowledge {
        Knowledge::start((self.kind == Kind::Moves).then_some(0))
    }

    /// What is known after an edge; `None` if no walk of the search takes it, otherwise whether the state before the edge
    /// can be told from the state after it.
    pub(super) fn step(&self, edge: &Edge, known: &mut Knowledge) -> Option<bool> {
        let moves = self.kind == Kind::Moves;
        if (moves && (edge.source == self.game.end() || self.game.ends_move(&edge.label)))
            || !self.live.contains(edge.source.index())
        {
            return None;
        }
        let terms = &mut *self.terms.borrow_mut();
        match edge.label {
            Label::Skip => Some(true),
            Label::Compare { lhs, rhs, negated } => {
                let (a, b) = (self.eval(terms, known, lhs), self.eval(terms, known, rhs));
                let (Some(a), Some(b)) = (a, b) else { return Some(true) };
                known.compare(terms, a, b, !negated, self.is_symbol(lhs) && self.is_symbol(rhs)).then_some(true)
            }
            Label::Reach { from, to, negated } => known.check(from, to, !negated).then_some(true),
            Label::Tag(tag) => {
                if let (true, Some(tag)) = (moves, terms.make(Term::Symbol(tag))) {
                    known.tag(terms, tag);
                }
                Some(true)
            }
            Label::TagVar(var) => {
                if let (true, Some(value)) = (moves, known.value(terms, var)) {
                    known.tag(terms, value);
                }
                Some(true)
            }
            Label::Assign { lhs, rhs } => Some(self.assign(terms, known, lhs, Some(rhs))),
            Label::AssignAny { lhs, ty } => {
                let told = self.assign(terms, known, lhs, None);
                Some(told && (self.game.types.members(ty).len() == 1 || self.keys_fit(lhs)))
            }
        }
    }

    /// After `lhs = rhs`, or `lhs = T(*)`.
    fn assign(&self, terms: &mut Terms, known: &mut Knowledge, lhs: ExprId, rhs: Option<ExprId>) -> bool {
        let Expr::Var(var) = self.game.exprs.root(lhs) else { return false };
        let Some(old) = known.value(terms, var) else { return false };
        let value = rhs.and_then(|rhs| self.converted(terms, known, var, lhs, rhs));
        let keys = self.keys(lhs);
        if keys.is_empty() {
            if value == Some(old) {
                return true;
            }
            let mut carried = [value];
            let told = known.write(terms, var, None, &mut carried);
            let [value] = carried;
            known.assign(terms, var, value);
            return told;
        }
        let list = self.list(terms, known, &keys);
        let cell = self.eval(terms, known, lhs);
        let mut carried = [Some(old), list, value];
        let told = known.write(terms, var, list.zip(cell), &mut carried);
        let [old, list, value] = carried;
        let written = old.zip(list).zip(value).and_then(|((old, list), value)| {
            let entry = terms.make(Term::Pair(list, value))?;
            terms.make(Term::Store(old, entry))
        });
        known.assign(terms, var, written);
        told
    }

    /// The value that a write puts: a map is turned into the type of its new place.
    fn converted(&self, terms: &mut Terms, known: &Knowledge, var: VarId, lhs: ExprId, rhs: ExprId) -> Option<TermId> {
        let value = self.eval(terms, known, rhs)?;
        if self.is_symbol(lhs) {
            return Some(value);
        }
        let mut ty = self.game.vars.get(var)?.ty;
        for _ in self.keys(lhs) {
            ty = self.game.types.as_arrow(ty)?.1;
        }
        match self.map_type(rhs) {
            Some(from) if self.game.types.resolve(from) == self.game.types.resolve(ty) => Some(value),
            _ => terms.make(Term::Convert(ty, value)),
        }
    }

    /// The type of the map that an expression is, casts looked through.
    fn map_type(&self, expr: ExprId) -> Option<TypeId> {
        let mut at = expr;
        let mut levels = 0usize;
        let mut ty = loop {
            match self.game.exprs.get(at) {
                Expr::Cast(_, inner) => at = inner,
                Expr::Access(map, _) => (at, levels) = (map, levels + 1),
                Expr::Var(var) => break self.game.vars.get(var)?.ty,
                Expr::Const(id) => break self.game.consts.get(id)?.ty,
                Expr::Symbol(_) => return None,
            }
        };
        for _ in 0..levels {
            ty = self.game.types.as_arrow(ty)?.1;
        }
        Some(ty)
    }

    fn is_symbol(&self, expr: ExprId) -> bool {
        self.map_type(expr).is_none_or(|ty| self.game.types.is_set(ty))
    }

    /// The keys of a left side, innermost first.
    fn keys(&self, mut lhs: ExprId) -> Vec<ExprId> {
        let mut keys = Vec::new();
        loop {
            match self.game.exprs.get(lhs) {
                Expr::Access(map, key) => {
                    keys.push(key);
                    lhs = map;
                }
                Expr::Cast(_, inner) => lhs = inner,
                Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => return keys,
            }
        }
    }

    fn list(&self, terms: &mut Terms, known: &Knowledge, keys: &[ExprId]) -> Option<TermId> {
        let (&first, rest) = keys.split_first()?;
        let mut list = self.eval(terms, known, first)?;
        for &key in rest {
            let key = self.eval(terms, known, key)?;
            list = terms.make(Term::Pair(key, list))?;
        }
        Some(list)
    }

    /// Whether a write is certain to happen: every key is a key of its map. Writes elsewhere are ignored.
    fn keys_fit(&self, lhs: ExprId) -> bool {
        let Expr::Var(var) = self.game.exprs.root(lhs) else { return false };
        let Some(shape) = self.game.shape(self.game.vars[var].ty) else { return false };
        let mut values = self.values.borrow_mut();
        self.keys(lhs).into_iter().rev().zip(shape.keys).all(|(key, ty)| {
            values.possible(key).is_some_and(|all| all.iter().all(|&symbol| self.game.types.contains(ty, symbol)))
        })
    }

    /// The value of an expression; `None` if it is too large to be followed.
    fn eval(&self, terms: &mut Terms, known: &Knowledge, expr: ExprId) -> Option<TermId> {
        // The path to the root, then outwards; keys are expressions of their own and as a rule small.
        self.eval_nested(terms, known, expr, 0)
    }

    fn eval_nested(&self, terms: &mut Terms, known: &Knowledge, expr: ExprId, depth: u32) -> Option<TermId> {
        if depth > 32 {
            return None;
        }
        match self.game.exprs.get(expr) {
            Expr::Cast(_, inner) => self.eval_nested(terms, known, inner, depth + 1),
            Expr::Symbol(symbol) => terms.make(Term::Symbol(symbol)),
            Expr::Var(var) => known.value(terms, var),
            Expr::Const(mut id) => {
                for _ in 0..32 {
                    match self.game.consts.get(id)?.value {
                        Value::Symbol(symbol) => return terms.make(Term::Symbol(symbol)),
                        Value::Const(other) => id = other,
                        Value::Map(_) => break,
                    }
                }
                match self.game.exprs.get(expr) {
                    Expr::Const(id) => terms.make(Term::Const(id)),
                    _ => None,
                }
            }
            Expr::Access(map, key) => {
                let map = self.eval_nested(terms, known, map, depth + 1)?;
                let key = self.eval_nested(terms, known, key, depth + 1)?;
                terms.make(Term::Access(map, key))
            }
        }
    }
}
