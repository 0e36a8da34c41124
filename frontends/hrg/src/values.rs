//! Compile-time values (sections 4 and 5 of the specification), hash-consed.

use rg_ir::{Symbol, Symbols};
use rustc_hash::FxHashMap;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ValueRef(u32);

/// What a value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    Symbol(Symbol),
    Term(Symbol, Box<[ValueRef]>),
    /// The default, and the entries that differ from it by ascending key.
    Map(ValueRef, Box<[(ValueRef, ValueRef)]>),
}

/// Most symbols and constructors that a term may be built of. Terms of larger terms would be too deep to walk, or, as parts
/// are shared, too long to write down.
pub(crate) const MAX_TERM: u64 = 256;

/// All values of a translation.
#[derive(Default)]
pub(crate) struct Values {
    values: Vec<(Value, u64)>,
    ids: FxHashMap<Value, ValueRef>,
    /// For map literals without a default: all keys that were given.
    pub(crate) given: FxHashMap<ValueRef, Vec<ValueRef>>,
}

impl Values {
    pub(crate) fn add(&mut self, value: Value) -> ValueRef {
        if let Some(&id) = self.ids.get(&value) {
            return id;
        }
        let size = match &value {
            Value::Symbol(_) => 1,
            Value::Term(_, list) => list.iter().fold(1, |sum: u64, &v| sum.saturating_add(self.size(v))),
            Value::Map(default, entries) => {
                entries.iter().fold(self.size(*default).saturating_add(1), |sum, &(_, v)| {
                    sum.saturating_add(self.size(v)).saturating_add(1)
                })
            }
        };
        let id = ValueRef(u32::try_from(self.values.len()).unwrap_or(u32::MAX));
        self.values.push((value.clone(), size));
        self.ids.insert(value, id);
        id
    }

    pub(crate) fn get(&self, id: ValueRef) -> &Value {
        &self.values[id.0 as usize].0
    }

    /// The number of symbols and constructors of a value, shared parts counted every time.
    pub(crate) fn size(&self, id: ValueRef) -> u64 {
        self.values[id.0 as usize].1
    }

    /// The name of a value in RG: `C__a_b` for `C(a, b)`. Terms are as large as [`MAX_TERM`] at most.
    pub(crate) fn serialise(&self, id: ValueRef, symbols: &Symbols) -> String {
        match self.get(id) {
            Value::Symbol(symbol) => symbols.name(*symbol).to_owned(),
            Value::Term(name, list) => {
                let list: Vec<String> = list.iter().map(|&v| self.serialise(v, symbols)).collect();
                format!("{}__{}", symbols.name(*name), list.join("_"))
            }
            Value::Map(..) => "{..}".to_owned(),
        }
    }

    /// A value as it is written in HRG.
    pub(crate) fn show(&self, id: ValueRef, symbols: &Symbols) -> String {
        match self.get(id) {
            Value::Term(name, list) => {
                let list: Vec<String> = list.iter().map(|&v| self.show(v, symbols)).collect();
                format!("{}({})", symbols.name(*name), list.join(", "))
            }
            _ => self.serialise(id, symbols),
        }
    }

    /// The map with these entries. Without a default it is the most frequent value; of several, the smallest in
    /// structure, and then the greatest as text (section 6). `None` if there is neither default nor entry.
    pub(crate) fn map(
        &mut self,
        default: Option<ValueRef>,
        mut entries: Vec<(ValueRef, ValueRef)>,
        symbols: &Symbols,
    ) -> Option<ValueRef> {
        let default = default.or_else(|| self.most_frequent(&entries, symbols))?;
        entries.retain(|&(_, value)| value != default);
        entries.sort_unstable();
        Some(self.add(Value::Map(default, entries.into())))
    }

    fn most_frequent(&self, entries: &[(ValueRef, ValueRef)], symbols: &Symbols) -> Option<ValueRef> {
        let mut counts: FxHashMap<ValueRef, u64> = FxHashMap::default();
        for &(_, value) in entries {
            *counts.entry(value).or_default() += 1;
        }
        let most = counts.values().max().copied()?;
        counts.retain(|_, count| *count == most);
        let smallest = counts.keys().map(|&v| self.size(v)).min()?;
        counts.retain(|&v, _| self.size(v) == smallest);
        counts.into_keys().max_by_key(|&v| (self.serialise(v, symbols), v))
    }
}

/// The number a symbol is, if it is a decimal integer.
pub(crate) fn integer(name: &str) -> Option<i64> {
    let digits = name.strip_prefix('-').unwrap_or(name);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    name.parse().ok()
}
