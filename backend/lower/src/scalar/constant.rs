//! What expressions are worth where some single variables have known values.

use super::super::numbers::path;
use passes::analysis::Values;
use rg_ir::ids::Id;
use rg_ir::value::{MapLiteral, Value};
use rg_ir::{Expr, ExprId, Game, Label, Symbol, VarDecl, VarId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The entries of a map literal by key; the one without a key is for all others.
type Entries<'g> = Rc<FxHashMap<Option<Symbol>, &'g Value>>;

/// Evaluates expressions of a game. Map literals are indexed when they are first looked at, so that each access is a look-up.
pub(super) struct Constants<'g> {
    game: &'g Game,
    /// Variables that are maps of one key and written entry by entry: with a key outside the key type, they have their initial default.
    by_entry: Vec<bool>,
    literals: RefCell<FxHashMap<*const MapLiteral, Entries<'g>>>,
    /// The values that variables can have, if that is known.
    values: Option<&'g Values>,
}

impl<'g> Constants<'g> {
    pub(super) fn new(game: &'g Game, values: Option<&'g Values>) -> Self {
        let is_map = |decl: &VarDecl| game.shape(decl.ty).is_some_and(|shape| shape.keys.len() == 1);
        let mut by_entry: Vec<bool> = game.vars.values().map(is_map).collect();
        for (_, edge) in game.automaton.edges() {
            if let Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } = edge.label
                && let (Expr::Var(var), keys) = path(game, lhs)
                && keys.is_empty()
                && let Some(slot) = by_entry.get_mut(var.index())
            {
                *slot = false;
            }
        }
        Self { game, by_entry, literals: RefCell::default(), values }
    }

    /// The value of an expression, if it is a symbol; `known` are the values of single variables. `None` if it needs anything else.
    pub(super) fn eval(&self, expr: ExprId, known: &impl Fn(VarId) -> Option<Symbol>) -> Option<Symbol> {
        match self.game.exprs.get(expr) {
            Expr::Symbol(symbol) => Some(symbol),
            Expr::Var(var) => known(var),
            Expr::Cast(_, inner) => self.eval(inner, known),
            Expr::Access(map, key) => self.settled(map, key, known).or_else(|| self.symbol(expr, known)),
            Expr::Const(_) => self.symbol(expr, known),
        }
    }

    /// What a variable has at a key for ever.
    fn settled(&self, map: ExprId, key: ExprId, known: &impl Fn(VarId) -> Option<Symbol>) -> Option<Symbol> {
        let (Expr::Var(var), keys) = path(self.game, map) else { return None };
        let values = self.values.filter(|_| keys.is_empty())?;
        match values.ever_at(var, self.eval(key, known)?)?[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The value of a constant or of an entry of one, if it is a symbol.
    fn symbol(&self, expr: ExprId, known: &impl Fn(VarId) -> Option<Symbol>) -> Option<Symbol> {
        match self.value(expr, known)? {
            Value::Symbol(symbol) => Some(*symbol),
            Value::Const(_) | Value::Map(_) => None,
        }
    }

    /// The value of a constant or of an entry of one.
    fn value(&self, expr: ExprId, known: &impl Fn(VarId) -> Option<Symbol>) -> Option<&'g Value> {
        let found = match self.game.exprs.get(expr) {
            Expr::Const(id) => &self.game.consts.get(id)?.value,
            Expr::Cast(_, inner) => return self.value(inner, known),
            Expr::Access(map, key) => {
                let key = self.eval(key, known)?;
                if let Some(default) = self.outside(map, key) {
                    return self.resolved(default);
                }
                let Value::Map(literal) = self.value(map, known)? else { return None };
                let entries = self.entries(literal);
                entries.get(&Some(key)).or_else(|| entries.get(&None)).copied()?
            }
            Expr::Var(_) | Expr::Symbol(_) => return None,
        };
        self.resolved(found)
    }

    /// What a variable has at a key outside its key type.
    fn outside(&self, map: ExprId, key: Symbol) -> Option<&'g Value> {
        let (Expr::Var(var), keys) = path(self.game, map) else { return None };
        let decl =
            self.game.vars.get(var).filter(|_| keys.is_empty() && self.by_entry.get(var.index()) == Some(&true))?;
        let shape = self.game.shape(decl.ty)?;
        let &[inside] = &shape.keys[..] else { return None };
        let Some(Value::Map(literal)) = self.resolved(&decl.initial) else { return None };
        if self.game.types.members(inside).contains(&key) { None } else { literal.default_value() }
    }

    /// The value that the name of a constant stands for.
    fn resolved(&self, mut value: &'g Value) -> Option<&'g Value> {
        // Constants that refer to each other in a cycle are errors, so this ends.
        while let Value::Const(id) = value {
            value = &self.game.consts.get(*id)?.value;
        }
        Some(value)
    }

    fn entries(&self, literal: &'g MapLiteral) -> Entries<'g> {
        let mut literals = self.literals.borrow_mut();
        let index = || Rc::new(literal.entries.iter().map(|(key, value)| (*key, value)).collect());
        literals.entry(std::ptr::from_ref(literal)).or_insert_with(index).clone()
    }
}
