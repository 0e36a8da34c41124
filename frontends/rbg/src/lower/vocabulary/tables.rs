//! Constant tables, each declared when it is first needed and shared by content.

use super::{Vocabulary, symbol_map};
use crate::lower::relation::Map;
use rg_ir::Value;
use rg_ir::ids::{ConstId, Symbol, TypeId};

impl Vocabulary {
    /// The table of a function on vertices; `off` where it has no value.
    pub(in crate::lower) fn map(&mut self, map: &Map) -> ConstId {
        if let Some(&known) = self.maps.get(map) {
            return known;
        }
        let default = if self.needs.off {
            Some(self.game.symbols.intern("off"))
        } else {
            map.first().and_then(|&(_, v)| self.vertices.get(v as usize).copied())
        };
        let symbol = |v: u32| self.vertices.get(v as usize).copied();
        let entries: Vec<(Symbol, Symbol)> =
            map.iter().filter_map(|&(from, to)| Some((symbol(from)?, symbol(to)?))).collect();
        let default = default.unwrap_or_else(|| self.game.symbols.intern("off"));
        let value = symbol_map(default, entries.into_iter().filter(|&(_, to)| to != default));
        let name = match self.shift_names.get(map) {
            Some(name) => name.clone(),
            None => self.fresh("map"),
        };
        let ty = self.game.types.arrow(self.place_type, self.place_type);
        let id = self.add(&name, ty, value);
        self.maps.insert(map.clone(), id);
        id
    }

    /// A table of functions on vertices by a number.
    pub(in crate::lower) fn maps(&mut self, maps: &[Map]) -> ConstId {
        let rows: Vec<ConstId> = maps.iter().map(|map| self.map(map)).collect();
        let key = self.range(0, i64::try_from(rows.len()).unwrap_or(1) - 1);
        let names: Vec<Symbol> = rows.iter().filter_map(|&row| Some(self.game.consts.get(row)?.name)).collect();
        let row_type = self.game.types.arrow(self.place_type, self.place_type);
        let content = (vec![key], row_type, names);
        if let Some(&known) = self.tables.get(&content) {
            return known;
        }
        let entries: Vec<(Symbol, Value)> =
            (0..).zip(rows.iter().skip(1)).map(|(i, &row)| (self.number(i + 1), Value::Const(row))).collect();
        let first = rows.first().map_or(Value::Symbol(self.number(0)), |&row| Value::Const(row));
        let ty = self.game.types.arrow(key, row_type);
        let name = self.fresh("maps");
        let id = self.add(&name, ty, Value::map(first, entries));
        self.tables.insert(content, id);
        id
    }

    /// Which vertices are meant.
    pub(in crate::lower) fn vertex_set(&mut self, vertices: &[u32]) -> ConstId {
        let members = vertices.iter().filter_map(|&v| self.vertices.get(v as usize).copied()).collect();
        self.set("at", self.place_type, members)
    }

    /// Which pieces are meant.
    pub(in crate::lower) fn piece_set(&mut self, pieces: &[u32]) -> ConstId {
        let members = pieces.iter().filter_map(|&p| self.pieces.get(p as usize).copied()).collect();
        self.set("holds", self.piece_type, members)
    }

    fn set(&mut self, kind: &'static str, key: TypeId, members: Vec<Symbol>) -> ConstId {
        let content = (vec![key], self.bool_type, members);
        if let Some(&known) = self.tables.get(&content) {
            return known;
        }
        let (zero, one) = (self.number(0), self.number(1));
        let value = symbol_map(zero, content.2.iter().map(|&member| (member, one)));
        let ty = self.game.types.arrow(key, self.bool_type);
        let name = self.fresh(kind);
        let id = self.add(&name, ty, value);
        self.tables.insert(content, id);
        id
    }

    /// The class of every piece, for its counter.
    pub(in crate::lower) fn classes(&mut self) -> Option<ConstId> {
        if !self.needs.count_others {
            return None;
        }
        let others = self.game.symbols.intern("others");
        let counter = self.game.symbols.intern("Counter");
        let counter = self.game.types.name(counter);
        let name = self.game.symbols.intern("counter_of");
        if let Some(known) = self.game.find_const(name) {
            return Some(known);
        }
        let counted = self.needs.counted.iter().filter_map(|&p| self.pieces.get(p as usize).copied());
        let value = symbol_map(others, counted.map(|piece| (piece, piece)));
        let ty = self.game.types.arrow(self.piece_type, counter);
        Some(self.add("counter_of", ty, value))
    }

    /// A table of numbers (or, with `truth`, of 0 and 1) over integer ranges, row-major.
    pub(in crate::lower) fn numbers(&mut self, arguments: &[(i64, usize)], values: &[i64], truth: bool) -> ConstId {
        let ends = |&(low, size): &(i64, usize)| (low, low + i64::try_from(size).unwrap_or(1) - 1);
        let keys: Vec<TypeId> = arguments.iter().map(ends).map(|(low, high)| self.range(low, high)).collect();
        let (low, high) = (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0));
        let leaf = if truth { self.bool_type } else { self.range(low, high) };
        let symbols: Vec<Symbol> = values.iter().map(|&v| self.number(v)).collect();
        let content = (keys, leaf, symbols);
        if let Some(&known) = self.tables.get(&content) {
            return known;
        }
        let dims: Vec<(i64, usize)> = arguments.to_vec();
        let default = if truth { 0 } else { values.first().copied().unwrap_or(0) };
        let default = self.number(default);
        let value = self.nested(&dims, &content.2, default);
        let ty = content.0.iter().rev().fold(leaf, |ty, &key| self.game.types.arrow(key, ty));
        let name = self.fresh(if truth { "test" } else { "calc" });
        let id = self.add(&name, ty, value);
        self.tables.insert(content, id);
        id
    }

    /// The literal of a table: from the innermost dimension outwards, without recursion.
    fn nested(&mut self, dims: &[(i64, usize)], symbols: &[Symbol], default: Symbol) -> Value {
        let mut level: Vec<Value> = symbols.iter().map(|&s| Value::Symbol(s)).collect();
        let mut standard = Value::Symbol(default);
        for &(low, size) in dims.iter().rev() {
            let keys: Vec<Symbol> = (low..).take(size).map(|n| self.number(n)).collect();
            let mut rows = Vec::with_capacity(level.len() / size.max(1));
            let mut values = level.into_iter().peekable();
            while values.peek().is_some() {
                let row = keys.iter().copied().zip(values.by_ref().take(size));
                rows.push(Value::map(standard.clone(), row.filter(|(_, value)| *value != standard)));
            }
            standard = Value::map(standard, []);
            level = rows;
        }
        level.into_iter().next().unwrap_or(Value::Symbol(default))
    }
}
