//! The values of variables and functions in RG (section 6 of the specification), and which part of the text a part of them comes from.

use crate::ast::*;
use crate::codes;
use crate::declare::Declare;
use crate::lexer::is_upper;
use crate::values::{Value, ValueRef, integer};
use rg_ir::{MapLiteral, Span, Value as RgValue};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many steps of evaluation an entry of a table counts for: it takes more memory than a value.
const ENTRY_STEPS: u64 = 10;

/// What type a value is to have, and where all of it stands.
#[derive(Clone, Copy)]
pub(crate) struct Typed<'t> {
    pub(crate) keys: &'t [Vec<ValueRef>],
    pub(crate) result: &'t [ValueRef],
    pub(crate) whole: Span,
}

/// Where a value comes from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'o> {
    /// An expression has it.
    Expr(ExprRef),
    /// It is the table of a function.
    Table(&'o Function),
    /// A map has it for this key (without: for any key that is not given).
    Entry(&'o Origin<'o>, Option<ValueRef>),
}

impl Declare<'_, '_> {
    /// A value in RG, recursively over the arrows of its type; `None` if it has another type, which is reported.
    pub(crate) fn rg_value(&mut self, value: ValueRef, typed: Typed<'_>, origin: Origin<'_>) -> Option<RgValue> {
        if let Err(finding) = self.ev.spend(ENTRY_STEPS, typed.whole) {
            self.ev.report.push(*finding);
            return None;
        }
        match (self.ev.values.get(value).clone(), typed.keys.split_first()) {
            (Value::Map(default, entries), Some((domain, rest))) => {
                self.warn_of_keys(value, domain, origin);
                let entries: FxHashMap<ValueRef, ValueRef> = entries.iter().copied().collect();
                let known: FxHashSet<ValueRef> = domain.iter().copied().collect();
                if let Some((&key, _)) = entries.iter().filter(|(key, _)| !known.contains(key)).min() {
                    self.ev.not_in_type("key", key, domain, self.place_of_key(origin, key));
                    return None;
                }
                let typed = Typed { keys: rest, ..typed };
                // The most frequent value is the default, so it may be that of an entry.
                let other = domain.iter().copied().find(|key| !entries.contains_key(key));
                let mut list = vec![(None, self.rg_value(default, typed, Origin::Entry(&origin, other))?)];
                for &key in domain {
                    if let Some(&value) = entries.get(&key) {
                        let symbol = self.rg_symbol_at(key, |declare| declare.place_of_key(origin, key));
                        list.push((Some(symbol), self.rg_value(value, typed, Origin::Entry(&origin, Some(key)))?));
                    }
                }
                Some(RgValue::Map(MapLiteral { entries: list }))
            }
            (Value::Symbol(name), Some(_)) if self.ev.functions.contains_key(&name) => {
                let symbol = self.rg_name(name);
                self.game.find_const(symbol).map(RgValue::Const)
            }
            (Value::Symbol(_) | Value::Term(..), None) if typed.result.contains(&value) => {
                Some(RgValue::Symbol(self.rg_symbol_at(value, |declare| declare.place(origin))))
            }
            _ => {
                let members = if typed.keys.is_empty() { typed.result } else { &[] };
                self.ev.not_in_type("value", value, members, self.place(origin));
                None
            }
        }
    }

    fn warn_of_keys(&mut self, map: ValueRef, domain: &[ValueRef], origin: Origin<'_>) {
        let Some(given) = self.ev.values.given.get(&map) else { return };
        let without = |from: &[ValueRef], without: &[ValueRef]| -> Vec<ValueRef> {
            let without: FxHashSet<ValueRef> = without.iter().copied().collect();
            from.iter().copied().filter(|value| !without.contains(value)).collect()
        };
        let list = |values: &[ValueRef]| {
            let shown = |&value: &ValueRef| format!("`{}`", self.ev.values.show(value, &self.ev.symbols));
            let some: Vec<String> = values.iter().take(5).map(shown).collect();
            some.join(", ") + if values.len() > 5 { ", …" } else { "" }
        };
        let (missing, ignored) = (without(domain, given), without(given, domain));
        let (missing_text, ignored_text) = (list(&missing), list(&ignored));
        if !missing.is_empty() {
            let message = format!("keys not covered: {missing_text}");
            self.ev.report.warning(codes::MAP_KEYS, self.beginning(origin), message);
        }
        if let Some(&first) = ignored.first() {
            let message = format!("keys outside the type ignored: {ignored_text}");
            self.ev.report.warning(codes::MAP_KEYS, self.place_of_key(origin, first), message);
        }
    }

    /// The smallest expression that a value comes from. Linear in the parts of the maps around it.
    fn place(&self, origin: Origin<'_>) -> Span {
        match self.expr_of(origin) {
            Ok(expr) => self.ev.source.span(expr),
            Err(place) => place,
        }
    }

    /// Where a map begins, if it is written there; else, where it comes from.
    fn beginning(&self, map: Origin<'_>) -> Span {
        let place = self.place(map);
        match self.expr_of(map).map(|expr| self.ev.source.expr(expr)) {
            Ok(Expr::Map(..)) => Span { end: place.start + 1, ..place },
            _ => place,
        }
    }

    /// Where the key of an entry stands, if the map is written there; else, where the map does.
    fn place_of_key(&self, map: Origin<'_>, key: ValueRef) -> Span {
        let part = self.expr_of(map).ok().and_then(|map| self.part(map, key));
        part.map_or_else(|| self.place(map), |part| part.span)
    }

    /// The smallest expression that a value comes from, or where a function is declared several cases of which have it.
    fn expr_of(&self, mut origin: Origin<'_>) -> Result<ExprRef, Span> {
        let mut keys: Vec<Option<ValueRef>> = Vec::new();
        let mut expr = loop {
            match origin {
                Origin::Entry(map, key) => {
                    keys.push(key);
                    origin = *map;
                }
                Origin::Expr(expr) => break expr,
                Origin::Table(function) => {
                    let arity = self.ev.arity(function.name.symbol);
                    let arguments: Option<Box<[ValueRef]>> =
                        keys.split_off(keys.len().saturating_sub(arity)).into_iter().rev().collect();
                    let case = arguments.and_then(|arguments| self.ev.results.get(&(function.name.symbol, arguments)));
                    let case = case.and_then(|&(_, case)| function.cases.get(case));
                    break case.map(|case| case.value).ok_or(function.name.span)?;
                }
            }
        };
        for key in keys.into_iter().rev() {
            let Expr::Map(default, _) = self.ev.source.expr(expr) else { break };
            let part = key.and_then(|key| self.part(expr, key)).map(|part| part.value);
            let Some(inner) = part.or(*default) else { break };
            expr = inner;
        }
        Ok(expr)
    }

    /// The first part of a map literal that may have a key.
    fn part(&self, map: ExprRef, key: ValueRef) -> Option<&Part> {
        let Expr::Map(_, parts) = self.ev.source.expr(map) else { return None };
        parts.iter().find(|part| self.may_be(part, key))
    }

    /// Whether the key of a part may be a value: names that are bound elsewhere may be anything.
    fn may_be(&self, part: &Part, key: ValueRef) -> bool {
        let mut pairs = vec![(part.pattern, key)];
        while let Some((pattern, value)) = pairs.pop() {
            let fits = match (self.ev.source.pattern(pattern), self.ev.values.get(value)) {
                (Pattern::Any, _) => true,
                (Pattern::Name(name), value) if is_upper(self.ev.symbols.name(name.symbol)) => {
                    let range = part.ranges.iter().find(|range| range.name.symbol == name.symbol);
                    range.is_none_or(|range| self.has(&range.values, value))
                }
                (Pattern::Name(name), Value::Symbol(symbol)) => name.symbol == *symbol,
                (Pattern::Construct(name, patterns), Value::Term(symbol, list)) => {
                    pairs.extend(patterns.iter().copied().zip(list.iter().copied()));
                    name.symbol == *symbol && patterns.len() == list.len()
                }
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        true
    }

    fn has(&self, values: &RangeValues, value: &Value) -> bool {
        let Value::Symbol(symbol) = *value else { return false };
        match values {
            RangeValues::Set(names) => names.iter().any(|name| name.symbol == symbol),
            RangeValues::Numbers(first, last) => {
                let number = integer(self.ev.symbols.name(symbol)).and_then(|number| u64::try_from(number).ok());
                number.is_some_and(|number| (*first..=*last).contains(&number))
            }
        }
    }
}
