//! The symbols that values can be, numbered.

use super::Set;
use fixedbitset::FixedBitSet;
use rg_ir::{Game, Symbol, TypeKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// All members of set types, and the symbols on edges.
pub(super) struct Universe {
    symbols: Vec<Symbol>,
    places: FxHashMap<Symbol, usize>,
    all: Set,
    /// The sets of one symbol that were asked for.
    singles: RefCell<FxHashMap<Symbol, Set>>,
}

impl Universe {
    pub(super) fn of(game: &Game) -> Self {
        let mut symbols = Vec::new();
        let decls = game.type_decls.values().map(|decl| decl.definition);
        let mut stack: Vec<_> = decls.chain(game.vars.values().map(|decl| decl.ty)).collect();
        stack.extend(game.consts.values().map(|decl| decl.ty));
        while let Some(ty) = stack.pop() {
            match game.types.kind(ty) {
                TypeKind::Set(members) => symbols.extend_from_slice(members),
                TypeKind::Arrow(key, value) => stack.extend([*key, *value]),
                TypeKind::Name(_) => {}
            }
        }
        for (_, edge) in game.automaton.edges() {
            for expr in edge.label.exprs() {
                game.exprs.preorder(expr, |_, expr| {
                    if let rg_ir::Expr::Symbol(symbol) = expr {
                        symbols.push(symbol);
                    }
                });
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        let places = symbols.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect();
        let mut all = FixedBitSet::with_capacity(symbols.len());
        all.insert_range(..);
        Self { symbols, places, all: Rc::new(all), singles: RefCell::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Every symbol.
    pub(super) fn all(&self) -> Set {
        self.all.clone()
    }

    pub(super) fn place(&self, symbol: Symbol) -> Option<usize> {
        self.places.get(&symbol).copied()
    }

    pub(super) fn set(&self, symbols: impl IntoIterator<Item = Symbol>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.len());
        symbols.into_iter().filter_map(|symbol| self.place(symbol)).for_each(|place| set.insert(place));
        set
    }

    /// The set of one symbol.
    pub(super) fn single(&self, symbol: Symbol) -> Set {
        self.singles.borrow_mut().entry(symbol).or_insert_with(|| Rc::new(self.set([symbol]))).clone()
    }

    pub(super) fn symbols(&self, set: &FixedBitSet) -> Vec<Symbol> {
        set.ones().filter_map(|at| self.symbols.get(at)).copied().collect()
    }
}
