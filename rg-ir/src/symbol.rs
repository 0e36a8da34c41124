//! Interned names.

use crate::ids::{Id, Symbol};
use string_interner::backend::StringBackend;
use string_interner::symbol::SymbolU32;
use string_interner::{StringInterner, Symbol as _};

/// The names of one game. Ids are dense and follow the order of first interning, so they are deterministic.
#[derive(Clone)]
pub struct Symbols {
    interner: StringInterner<StringBackend<SymbolU32>, rustc_hash::FxBuildHasher>,
}

impl Default for Symbols {
    fn default() -> Self {
        Self { interner: StringInterner::with_hasher(rustc_hash::FxBuildHasher) }
    }
}

impl Symbols {
    /// The symbol of `name`, interned if it is new.
    pub fn intern(&mut self, name: &str) -> Symbol {
        Symbol::from_index(self.interner.get_or_intern(name).to_usize())
    }

    /// The symbol of `name`, if it was interned before.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.interner.get(name).map(|s| Symbol::from_index(s.to_usize()))
    }

    /// The text of a symbol of this table; the empty string for a symbol of another one.
    pub fn name(&self, symbol: Symbol) -> &str {
        SymbolU32::try_from_usize(symbol.index()).and_then(|s| self.interner.resolve(s)).unwrap_or("")
    }

    /// All names, in the order in which they were interned.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.interner.iter().map(|(_, name)| name)
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.interner.len()
    }

    /// Whether no name was interned yet.
    pub fn is_empty(&self) -> bool {
        self.interner.is_empty()
    }
}

impl std::fmt::Debug for Symbols {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Symbols({})", self.len())
    }
}
