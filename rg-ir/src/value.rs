//! Values of constants and variables, as they are written.

use crate::ids::{ConstId, Symbol};

/// An initial value or the value of a constant, in its written form (so that printing gives it back).
///
/// Map literals have at least one default entry in a valid game; a literal nests as deep as its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A symbol.
    Symbol(Symbol),
    /// The value of another constant.
    Const(ConstId),
    /// A map literal.
    Map(MapLiteral),
}

/// `{ :default, key: value, … }`, entries in written order. Exactly one default and distinct keys, once checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MapLiteral {
    /// Entries in written order; `None` is the default entry. Keys are symbols, never constants (section 3).
    pub entries: Vec<(Option<Symbol>, Value)>,
}

impl MapLiteral {
    /// The value of the first default entry.
    pub fn default_value(&self) -> Option<&Value> {
        self.entries.iter().find(|(key, _)| key.is_none()).map(|(_, value)| value)
    }
}

impl Value {
    /// `{ :default, key: value, … }` from its parts, the default first.
    pub fn map(default: Value, entries: impl IntoIterator<Item = (Symbol, Value)>) -> Value {
        let entries = entries.into_iter().map(|(key, value)| (Some(key), value));
        Value::Map(MapLiteral { entries: std::iter::once((None, default)).chain(entries).collect() })
    }
}
