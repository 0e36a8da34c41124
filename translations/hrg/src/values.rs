//! Variables and functions: initial values as map literals, tables as cases.

use crate::boxes;
use crate::cases;
use crate::names::{self, Names};
use crate::types::{Domains, LINE};
use rg_ir::{ConstId, Game, MapLiteral, Shape, Symbol, TypeId, Value, VarDecl, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

/// What declarations are written with.
pub(crate) struct Declare<'d> {
    pub(crate) game: &'d Game,
    pub(crate) names: &'d mut Names,
    pub(crate) domains: &'d mut Domains,
    /// Variables that are read and written with keys of their types only, and never as a whole: what other keys would read does not matter.
    pub(crate) closed: FxHashSet<VarId>,
}

impl Declare<'_> {
    /// A type; `name` is what it may be called if its parts have no names.
    fn ty(&mut self, keys: &[String], leaf: TypeId, name: &str) -> String {
        let result = self.domains.name(self.game, self.names, leaf, name);
        let arrows: String = keys.iter().map(|key| format!("{key} -> ")).collect();
        format!("{arrows}{result}")
    }

    fn keys(&mut self, shape: &Shape, name: &str) -> Vec<String> {
        let key = |&key: &TypeId| self.domains.name(self.game, self.names, key, &format!("{name}_key"));
        shape.keys.iter().map(key).collect()
    }

    /// The declaration of a variable; nothing for one that is known without.
    pub(crate) fn variable(&mut self, id: VarId, name: &str) -> Option<String> {
        let decl = self.game.vars.get(id)?;
        let shape = self.game.shape(decl.ty)?;
        let first = self.domains.first(self.game, self.names, shape.leaf, name);
        let closed = shape.keys.len() == 1 && self.closed.contains(&id);
        let initial = closed.then(|| self.usual(decl, &shape)).flatten();
        let initial = self.literal(initial.as_ref().unwrap_or(&decl.initial), shape.keys.len(), 0)?;
        let default = first.and_then(|first| {
            let default = (0..shape.keys.len()).fold(Value::Symbol(first), |value, _| Value::map(value, []));
            self.literal(&default, shape.keys.len(), 0)
        });
        let built_in = match self.game.name(decl.name) {
            "goals" => default.clone(),
            "player" => Some("keeper".to_owned()),
            "visible" => Some("{ :1 }".to_owned()),
            _ => None,
        };
        if built_in.is_some_and(|built_in| built_in == initial) {
            return None;
        }
        let keys = self.keys(&shape, name);
        let ty = self.ty(&keys, shape.leaf, name);
        let value = if default.as_ref() == Some(&initial) { String::new() } else { format!(" = {initial}") };
        Some(wrapped(&format!("{name}: {ty}{value}\n")))
    }

    /// The same map with its most common value as the default.
    fn usual(&self, decl: &VarDecl, shape: &Shape) -> Option<Value> {
        let dense = self.game.dense(decl.ty, &decl.initial).ok()?;
        let members = self.game.types.members(*shape.keys.first()?);
        let entries: Vec<(Symbol, Symbol)> = members.iter().copied().zip(dense.values.iter().copied()).collect();
        let default = cases::most_common(entries.iter().map(|(_, value)| *value))?;
        Some(Value::map(Value::Symbol(default), entries.into_iter().map(|(key, value)| (key, Value::Symbol(value)))))
    }

    /// A value that nests maps so many times; entries that say the same as the default are left out.
    fn literal(&self, value: &Value, levels: usize, constants: usize) -> Option<String> {
        match value {
            Value::Symbol(symbol) => (levels == 0).then(|| self.names.value(self.game, *symbol)),
            // The checker of RG has seen that constants end.
            Value::Const(id) if constants <= self.game.consts.len() => {
                self.literal(&self.game.consts.get(*id)?.value, levels, constants + 1)
            }
            Value::Const(_) => None,
            Value::Map(map) => self.map(map, levels.checked_sub(1)?, constants),
        }
    }

    fn map(&self, map: &MapLiteral, levels: usize, constants: usize) -> Option<String> {
        let default = self.literal(map.default_value()?, levels, constants)?;
        let mut order: Vec<String> = Vec::new();
        let mut keys: FxHashMap<String, Vec<Symbol>> = FxHashMap::default();
        for (key, value) in &map.entries {
            let Some(key) = key else { continue };
            let value = self.literal(value, levels, constants)?;
            if value != default {
                let list = keys.entry(value.clone()).or_default();
                if list.is_empty() {
                    order.push(value);
                }
                list.push(*key);
            }
        }
        let mut text = format!("{{ :{default}");
        for value in order {
            for (key, ranges) in self.grouped(keys.get(&value)?) {
                let ranges = if ranges.is_empty() { ranges } else { format!(" where {ranges}") };
                let _ = write!(text, "; {key} = {value}{ranges}");
            }
        }
        text.push_str(" }");
        Some(text)
    }

    /// Symbols as terms with ranges.
    fn grouped(&self, symbols: &[Symbol]) -> Vec<(String, String)> {
        let mut terms: FxHashMap<(&str, usize), Vec<Vec<&str>>> = FxHashMap::default();
        let mut order = Vec::new();
        let mut list = Vec::new();
        for &symbol in symbols {
            match names::term(self.names.word(self.game, symbol)) {
                Some((constructor, arguments)) => {
                    let terms = terms.entry((constructor, arguments.len())).or_default();
                    if terms.is_empty() {
                        order.push((constructor, arguments.len()));
                    }
                    terms.push(arguments);
                }
                None => list.push((self.names.value(self.game, symbol), String::new())),
            }
        }
        for (constructor, arity) in order {
            let Some(mut all) = terms.remove(&(constructor, arity)) else { continue };
            all.sort_by_key(|arguments| -> Vec<(Option<u64>, String)> {
                arguments.iter().map(|word| (boxes::number(word), (*word).to_owned())).collect()
            });
            let variables = self.names.patterns(arity);
            for product in boxes::products(&all) {
                let (term, ranges) = boxes::written(constructor, &product, &variables);
                list.push((term, ranges.join(", ")));
            }
        }
        list
    }

    /// The declaration of a function for a constant. `keys` are the types of its arguments with what else it is given.
    /// How many rows the table of a constant has with these keys besides those of its type; `None` if there is no such number.
    pub(crate) fn rows(&self, id: ConstId, wider: &[Vec<Symbol>]) -> Option<usize> {
        let shape = self.game.shape(self.game.consts.get(id)?.ty)?;
        shape.keys.iter().enumerate().try_fold(1_usize, |rows, (level, &key)| {
            rows.checked_mul(self.game.types.members(key).len() + wider.get(level).map_or(0, Vec::len))
        })
    }

    pub(crate) fn function(&mut self, id: ConstId, name: &str, wider: &[Vec<Symbol>]) -> Option<String> {
        let decl = self.game.consts.get(id)?;
        let shape = self.game.shape(decl.ty)?;
        let dense = self.game.dense(decl.ty, &decl.value).ok()?;
        let mut keys = Vec::new();
        let mut members: Vec<Vec<(Symbol, usize)>> = Vec::new();
        for (level, &key) in shape.keys.iter().enumerate() {
            let own = self.game.types.members(key);
            let more = wider.get(level).map(Vec::as_slice).unwrap_or_default();
            let all = own.iter().enumerate().map(|(index, &symbol)| (symbol, index));
            // Keys that the type does not have read what the default is.
            members.push(all.chain(more.iter().map(|&symbol| (symbol, own.len()))).collect());
            keys.push(if more.is_empty() {
                self.domains.name(self.game, self.names, key, &format!("{name}_key"))
            } else {
                let all = own.iter().chain(more).copied().collect();
                self.domains.name_of(self.names, all, &format!("{name}_key"))
            });
        }
        let ty = self.ty(&keys, shape.leaf, name);
        let mut rows: Vec<(Vec<Symbol>, usize)> = vec![(Vec::new(), 0)];
        for (level, list) in members.iter().enumerate() {
            let width = dense.dims.get(level).copied()?;
            let longer = |(row, place): &(Vec<Symbol>, usize)| -> Vec<(Vec<Symbol>, usize)> {
                let with = |&(symbol, index): &(Symbol, usize)| {
                    (row.iter().copied().chain([symbol]).collect(), place * width + index)
                };
                list.iter().map(with).collect()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        let value = |(row, place): (Vec<Symbol>, usize)| Some((row, dense.values.get(place).copied()?));
        let rows: Vec<cases::Row> = rows.into_iter().map(value).collect::<Option<_>>()?;
        let cases = cases::cases(self.game, self.names, name, &keys, &rows);
        Some(wrapped(&format!("{name}: {ty}\n{cases}")))
    }
}

/// Breaks long lines between entries of maps.
fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let mut column = 0;
        for (index, entry) in line.split("; ").enumerate() {
            if index > 0 {
                let wraps = column + entry.len() > LINE;
                out.push_str(if wraps { ";\n" } else { "; " });
                column = if wraps { 0 } else { column + 2 };
            }
            out.push_str(entry);
            column += entry.len();
        }
        out.push('\n');
    }
    out
}
