//! Known values (catalogue of passes, 9.3).

use crate::dataflow::{Analysis, Direction, Solution, solve};
use crate::effects;
use crate::plain::Plain;
use crate::tables::Tables;
use rg_ir::check::{Ty, expr_type};
use rg_ir::{Edge, EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many facts are kept at all nodes together; what does not fit is forgotten.
const MAX_FACTS: usize = 4_000_000;

/// Deepest expression that is evaluated.
const MAX_DEPTH: usize = 100;

/// Expressions with the symbol that each is known to be equal to, ascending; shared between nodes.
pub type Facts = Rc<[(ExprId, Symbol)]>;

/// Which variables and cells certainly have which value: initially what is declared, after an assignment what was
/// assigned, after a comparison what the comparison says, until a variable that the expression mentions is written.
/// An expression stands for all that equal it apart from casts ([`Plain`]); only those that some edge reads are noted.
/// Edges whose comparison cannot succeed lead nowhere.
pub struct Known {
    plain: Plain,
    tables: Tables,
    /// The expressions worth knowing, with the variables they mention.
    read: FxHashMap<ExprId, Box<[VarId]>>,
    /// Most facts at a node.
    cap: usize,
}

impl Known {
    /// The problem for a game. O(size of the game).
    pub fn new(game: &Game) -> Self {
        let plain = Plain::of(game);
        let mut read = FxHashMap::default();
        for (_, edge) in game.automaton.edges() {
            for root in edge.label.exprs() {
                game.exprs.preorder(root, |id, expr| {
                    let variable = matches!(game.exprs.root(id), Expr::Var(_));
                    if variable && !matches!(expr, Expr::Cast(..)) {
                        read.entry(plain.expr(id)).or_insert_with(|| {
                            let mut vars = Vec::new();
                            effects::variables(game, id, &mut |var| vars.push(var));
                            vars.into()
                        });
                    }
                });
            }
            if let Label::TagVar(var) = edge.label
                && let Some(id) = game.exprs.find(Expr::Var(var))
            {
                read.entry(id).or_insert_with(|| [var].into());
            }
        }
        let cap = MAX_FACTS / game.automaton.node_count().max(1);
        Self { plain, tables: Tables::default(), read, cap: cap.clamp(16, 4096) }
    }

    /// Solves it: the facts at a node, `None` if no walk comes by. O(edges · facts at a node).
    pub fn solve(&self, game: &Game) -> Solution<Facts> {
        solve(game, self)
    }

    /// The value of an expression of the game, if it is known.
    pub fn value(&self, game: &Game, facts: &Facts, expr: ExprId) -> Option<Symbol> {
        self.value_within(game, facts, expr, MAX_DEPTH)
    }

    fn value_within(&self, game: &Game, facts: &Facts, expr: ExprId, depth: usize) -> Option<Symbol> {
        let depth = depth.checked_sub(1)?;
        let id = self.plain.expr(expr);
        match game.exprs.get(id) {
            Expr::Symbol(symbol) => return Some(symbol),
            Expr::Const(constant) => return self.tables.constant(game, constant)?.get(&[]),
            Expr::Var(_) | Expr::Access(..) | Expr::Cast(..) => {}
        }
        if let Ok(at) = facts.binary_search_by_key(&id, |&(expr, _)| expr) {
            return facts.get(at).map(|&(_, value)| value);
        }
        let (mut keys, mut at) = (Vec::new(), id);
        loop {
            match game.exprs.get(at) {
                Expr::Cast(_, inner) => at = inner,
                Expr::Access(map, key) => {
                    keys.push(key);
                    at = map;
                }
                Expr::Const(constant) => {
                    let keys = keys.iter().rev().map(|&key| self.value_within(game, facts, key, depth));
                    let keys: Vec<Symbol> = keys.collect::<Option<_>>()?;
                    return self.tables.constant(game, constant)?.get(&keys);
                }
                Expr::Var(_) | Expr::Symbol(_) => return None,
            }
        }
    }

    /// Whether a comparison succeeds, if that is known.
    pub fn decided(&self, game: &Game, facts: &Facts, label: &Label) -> Option<bool> {
        let Label::Compare { lhs, rhs, negated } = *label else { return None };
        if self.plain.expr(lhs) == self.plain.expr(rhs) {
            return Some(!negated);
        }
        let (a, b) = (self.value(game, facts, lhs)?, self.value(game, facts, rhs)?);
        Some((a == b) != negated)
    }

    /// Notes that an expression has a value.
    fn note(&self, facts: &mut Facts, expr: ExprId, value: Symbol) {
        let id = self.plain.expr(expr);
        if !self.read.contains_key(&id) {
            return;
        }
        let Err(at) = facts.binary_search_by_key(&id, |&(expr, _)| expr) else { return };
        if facts.len() < self.cap {
            let (before, after) = facts.split_at(at);
            *facts = before.iter().copied().chain([(id, value)]).chain(after.iter().copied()).collect();
        }
    }

    /// Forgets what the write of `lhs` may change.
    fn forget(&self, game: &Game, facts: &mut Facts, lhs: ExprId, var: VarId) {
        let mentions = |expr: &ExprId| self.read.get(expr).is_some_and(|vars| vars.contains(&var));
        if !facts.iter().any(|(expr, _)| mentions(expr)) {
            return;
        }
        let cell = self.cell(game, facts, lhs, var);
        let kept = |expr: ExprId| {
            !mentions(&expr)
                || matches!((cell, self.cell(game, facts, expr, var)), (Some(written), Some(other)) if written != other)
        };
        let kept: Facts = facts.iter().copied().filter(|&(expr, _)| kept(expr)).collect();
        *facts = kept;
    }

    /// The key of an access `var[key]` to a map of one level, if it is known and mentions nothing of the map.
    fn cell(&self, game: &Game, facts: &Facts, expr: ExprId, var: VarId) -> Option<Symbol> {
        let Expr::Access(map, key) = game.exprs.get(self.plain.expr(expr)) else { return None };
        let whole = game.exprs.get(self.plain.expr(map)) == Expr::Var(var);
        if !whole || effects::mentions(game, key, var) {
            return None;
        }
        self.value(game, facts, key)
    }

    /// What a comparison that succeeded says.
    fn learn(&self, game: &Game, facts: &mut Facts, label: &Label) {
        let Label::Compare { lhs, rhs, negated } = *label else { return };
        let (a, b) = (self.value(game, facts, lhs), self.value(game, facts, rhs));
        let (expr, other) = match (a, b) {
            (None, Some(value)) => (lhs, value),
            (Some(value), None) => (rhs, value),
            _ => return,
        };
        if !negated {
            return self.note(facts, expr, other);
        }
        // What differs from one of two symbols is the other.
        if let Some(Ty::Type(ty)) = expr_type(game, expr)
            && let &[a, b] = game.types.members(ty)
            && (other == a || other == b)
        {
            self.note(facts, expr, if other == a { b } else { a });
        }
    }

    /// Whether a write of `lhs` certainly goes to the cell that a read of it reads: no key can be outside its type.
    fn certain(&self, game: &Game, mut lhs: ExprId) -> bool {
        loop {
            match game.exprs.get(lhs) {
                Expr::Cast(_, inner) => lhs = inner,
                Expr::Access(map, key) => {
                    let Some(Ty::Type(ty)) = expr_type(game, map) else { return false };
                    let Some((keys, _)) = game.types.as_arrow(ty) else { return false };
                    let inside = match expr_type(game, key) {
                        Some(Ty::Symbol(symbol)) => game.types.contains(keys, symbol),
                        Some(Ty::Type(ty)) => game.types.subset(ty, keys),
                        None => false,
                    };
                    if !inside {
                        return false;
                    }
                    lhs = map;
                }
                Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => return true,
            }
        }
    }

    /// Whether the keys of a left side mention a variable.
    fn keys_mention(game: &Game, mut lhs: ExprId, var: VarId) -> bool {
        loop {
            match game.exprs.get(lhs) {
                Expr::Cast(_, inner) => lhs = inner,
                Expr::Access(_, key) if effects::mentions(game, key, var) => return true,
                Expr::Access(map, _) => lhs = map,
                Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => return false,
            }
        }
    }
}

impl Analysis for Known {
    type Fact = Facts;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, game: &Game) -> Vec<(NodeId, Facts)> {
        let mut facts = Vec::new();
        let mut initial = FxHashMap::default();
        for &id in self.read.keys() {
            let (mut keys, mut at) = (Vec::new(), id);
            let var = loop {
                match game.exprs.get(at) {
                    Expr::Cast(_, inner) => at = inner,
                    Expr::Access(map, key) => {
                        let Expr::Symbol(key) = game.exprs.get(self.plain.expr(key)) else { break None };
                        keys.push(key);
                        at = map;
                    }
                    Expr::Var(var) => break Some(var),
                    Expr::Const(_) | Expr::Symbol(_) => break None,
                }
            };
            let Some((var, decl)) = var.and_then(|var| Some((var, game.vars.get(var)?))) else { continue };
            keys.reverse();
            let table = initial.entry(var).or_insert_with(|| self.tables.table(game, decl.ty, &decl.initial));
            facts.extend(table.as_ref().and_then(|table| table.get(&keys)).map(|value| (id, value)));
        }
        facts.sort_unstable_by_key(|&(id, _)| id);
        facts.truncate(self.cap);
        vec![(game.begin(), facts.into())]
    }

    fn transfer(&self, game: &Game, _: EdgeId, edge: &Edge, facts: &mut Facts) -> bool {
        let (lhs, value) = match edge.label {
            Label::Compare { .. } => {
                if self.decided(game, facts, &edge.label) == Some(false) {
                    return false;
                }
                self.learn(game, facts, &edge.label);
                return true;
            }
            Label::Assign { lhs, rhs } => (lhs, self.value(game, facts, rhs)),
            Label::AssignAny { lhs, ty } => match *game.types.members(ty) {
                [only] => (lhs, Some(only)),
                _ => (lhs, None),
            },
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => return true,
        };
        let Some(write) = effects::write(game, &edge.label) else { return true };
        if value.is_some() && self.value(game, facts, lhs) == value && self.certain(game, lhs) {
            return true;
        }
        self.forget(game, facts, lhs, write.var);
        if let Some(value) = value
            && self.certain(game, lhs)
            && !Self::keys_mention(game, lhs, write.var)
        {
            self.note(facts, lhs, value);
        }
        true
    }

    fn join(&self, fact: &mut Facts, other: &Facts) -> bool {
        if Rc::ptr_eq(fact, other) {
            return false;
        }
        // Both ascend.
        let mut rest = other.iter();
        let mut next = rest.next();
        let agrees = |known: &&(ExprId, Symbol)| {
            while next.is_some_and(|other| other.0 < known.0) {
                next = rest.next();
            }
            next == Some(*known)
        };
        let kept: Vec<(ExprId, Symbol)> = fact.iter().filter(agrees).copied().collect();
        if kept.len() == fact.len() {
            return false;
        }
        *fact = kept.into();
        true
    }
}
