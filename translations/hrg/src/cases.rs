//! Tables as cases of functions: `f(P(X, Y)) = P(X + 1, Y)` where one rule covers most of them, and else one case for each that is not the most
//! common one.

use crate::boxes::number;
use crate::names::{self, Names};
use rg_ir::{Game, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longer tables are maps, which take less room.
const MAX_CASES: usize = 12;

/// Of longer tables, cases are evaluated faster than maps, all of which is evaluated for each row.
const MAX_ROWS: usize = 400;

/// Arguments, and the result.
pub(crate) type Row = (Vec<Symbol>, Symbol);

/// The cases of a function with these domains, which has these results. Near-linear.
pub(crate) fn cases(game: &Game, names: &Names, name: &str, domains: &[String], rows: &[Row]) -> String {
    let table = Table { game, names, name, domains };
    let arity = domains.len();
    let needed: Vec<usize> = (0..arity).filter(|&at| is_needed(rows, at)).collect();
    let mut seen = FxHashSet::default();
    let shorter =
        |(row, value): &Row| -> Row { (needed.iter().filter_map(|&at| row.get(at).copied()).collect(), *value) };
    let rows: Vec<Row> = rows.iter().map(shorter).filter(|(row, _)| seen.insert(row.clone())).collect();
    let lines = table.shifted(&needed, &rows).or_else(|| table.listed(&needed, &rows));
    lines.unwrap_or_else(|| table.looked_up(&needed, &rows))
}

/// Whether results depend on an argument.
fn is_needed(rows: &[Row], at: usize) -> bool {
    let mut known: FxHashMap<Vec<Symbol>, Symbol> = FxHashMap::default();
    rows.iter().any(|(row, value)| {
        let others = row.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, &symbol)| symbol).collect();
        *known.entry(others).or_insert(*value) != *value
    })
}

/// The most common of some values; the first of several.
pub(crate) fn most_common<T: Copy + Eq + std::hash::Hash>(values: impl Iterator<Item = T> + Clone) -> Option<T> {
    let mut counts: FxHashMap<T, usize> = FxHashMap::default();
    for value in values.clone() {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    values.into_iter().find(|value| counts.get(value) == Some(&most))
}

/// A word as a term; a number is one without constructor.
fn parts(word: &str) -> Option<names::Parts<'_>> {
    if number(word).is_some() { Some(("", vec![word])) } else { names::term(word) }
}

/// A term of a constructor.
fn term(constructor: &str, arguments: &[String]) -> String {
    if constructor.is_empty() { arguments.concat() } else { format!("{constructor}({})", arguments.join(", ")) }
}

/// How each argument of a term changes: by so much, or not at all.
type Shift = Vec<Option<i64>>;

/// What becomes of the terms of one constructor.
struct Rule {
    constructor: String,
    shift: Shift,
    /// The result where the changed term is no value; nothing: the term itself.
    otherwise: Option<Symbol>,
}

struct Table<'t> {
    game: &'t Game,
    names: &'t Names,
    name: &'t str,
    domains: &'t [String],
}

impl Table<'_> {
    /// A case whose patterns are these at some places, and `_` elsewhere.
    fn case(&self, places: &[usize], patterns: &[String], result: &str) -> String {
        let pattern = |at: usize| {
            let given = places.iter().position(|&place| place == at).and_then(|index| patterns.get(index));
            given.map_or("_", String::as_str)
        };
        let patterns: Vec<&str> = (0..self.domains.len()).map(pattern).collect();
        format!("{}({}) = {result}\n", self.name, patterns.join(", "))
    }

    fn value(&self, symbol: Symbol) -> String {
        self.names.value(self.game, symbol)
    }

    /// Whether a symbol would be a variable as a pattern.
    fn is_variable(&self, symbol: Symbol) -> bool {
        let word = self.names.word(self.game, symbol);
        names::term(word).is_none() && word.chars().next().is_some_and(char::is_uppercase)
    }

    /// A case for each row, the most common result last; `None` if patterns cannot say that, or there are too many.
    fn listed(&self, places: &[usize], rows: &[Row]) -> Option<String> {
        let strange = |row: &[Symbol]| row.iter().any(|&symbol| self.is_variable(symbol));
        let default = most_common(rows.iter().map(|(_, value)| *value))?;
        // One case for all others says less than a case, unless these are several.
        let others = rows.iter().filter(|(_, value)| *value == default).count();
        let has_default = others > 1 || rows.len() == 1;
        if rows.len() - if has_default { others } else { 0 } > MAX_CASES && rows.len() <= MAX_ROWS {
            return None;
        }
        let mut text = String::new();
        for (row, value) in rows.iter().filter(|(_, value)| !has_default || *value != default) {
            if strange(row) {
                return None;
            }
            let patterns: Vec<String> = row.iter().map(|&symbol| self.value(symbol)).collect();
            text.push_str(&self.case(places, &patterns, &self.value(*value)));
        }
        if has_default || text.is_empty() {
            text.push_str(&self.case(&[], &[], &self.value(default)));
        }
        Some(text)
    }

    /// One case, which looks the result up in a map.
    fn looked_up(&self, places: &[usize], rows: &[Row]) -> String {
        let variables = self.names.patterns(places.len());
        let keys: String = variables.iter().map(|variable| format!("[{variable}]")).collect();
        let rows: Vec<(&[Symbol], Symbol)> = rows.iter().map(|(row, value)| (row.as_slice(), *value)).collect();
        self.case(places, &variables, &format!("{}{keys}", self.literal(&rows)))
    }

    fn literal(&self, rows: &[(&[Symbol], Symbol)]) -> String {
        if let [([], value)] = rows {
            return self.value(*value);
        }
        let mut order: Vec<Symbol> = Vec::new();
        let mut parts: FxHashMap<Symbol, Vec<(&[Symbol], Symbol)>> = FxHashMap::default();
        for (row, value) in rows {
            let Some((&first, rest)) = row.split_first() else { continue };
            let part = parts.entry(first).or_default();
            if part.is_empty() {
                order.push(first);
            }
            part.push((rest, *value));
        }
        let all: Vec<(Symbol, String)> = order
            .into_iter()
            .map(|key| (key, self.literal(parts.get(&key).map(Vec::as_slice).unwrap_or_default())))
            .collect();
        let default = most_common(all.iter().map(|(_, value)| value));
        let default = default.filter(|default| all.iter().filter(|(_, value)| value == *default).count() > 1).cloned();
        let entries = all.into_iter().filter(|(_, value)| Some(value) != default.as_ref());
        let entries = entries.map(|(key, value)| format!("{} = {value}", self.value(key)));
        let default = default.as_ref().map(|default| format!(":{default}"));
        format!("{{ {} }}", default.into_iter().chain(entries).collect::<Vec<_>>().join("; "))
    }

    /// A rule for the last argument, for each combination of the others; `None` if that is no shorter.
    fn shifted(&self, places: &[usize], rows: &[Row]) -> Option<String> {
        let (&last, others) = places.split_last()?;
        let domain = self.domains.get(last)?;
        let members: FxHashSet<String> = rows
            .iter()
            .filter_map(|(row, _)| row.last())
            .map(|&key| self.names.word(self.game, key).to_owned())
            .collect();
        let mut order: Vec<Vec<Symbol>> = Vec::new();
        let mut groups: FxHashMap<Vec<Symbol>, Vec<(Symbol, Symbol)>> = FxHashMap::default();
        for (row, value) in rows {
            let (&key, first) = row.split_last()?;
            let group = groups.entry(first.to_vec()).or_default();
            if group.is_empty() {
                order.push(first.to_vec());
            }
            group.push((key, *value));
        }
        let mut text = String::new();
        let mut count = 0;
        for first in &order {
            if first.iter().any(|&symbol| self.is_variable(symbol)) {
                return None;
            }
            let prefix: Vec<String> = first.iter().map(|&symbol| self.value(symbol)).collect();
            for (pattern, result) in self.column(groups.get(first)?, domain, &members)? {
                let (mut places, mut patterns) = (others.to_vec(), prefix.clone());
                if let Some(pattern) = pattern {
                    places.push(last);
                    patterns.push(pattern);
                }
                text.push_str(&self.case(&places, &patterns, &result));
                count += 1;
            }
        }
        let default = most_common(rows.iter().map(|(_, value)| *value))?;
        let plain = rows.iter().filter(|(_, value)| *value != default).count() + 1;
        (2 * count <= plain).then_some(text)
    }

    /// Cases of one argument; a pattern that is missing is `_`.
    fn column(
        &self,
        rows: &[(Symbol, Symbol)],
        domain: &str,
        members: &FxHashSet<String>,
    ) -> Option<Vec<(Option<String>, String)>> {
        let rule = self.rule(rows, members);
        let predicted = |key: Symbol| rule.as_ref().and_then(|rule| self.predicted(rule, key, members));
        let rest: Vec<(Symbol, Symbol)> = rows
            .iter()
            .copied()
            .filter(|&(key, value)| predicted(key).as_deref() != Some(self.names.word(self.game, value)))
            .collect();
        // Terms that the rule is wrong about need cases of their own; for all others there may be a common one.
        let open = |key: Symbol| predicted(key).is_none();
        let default = most_common(rest.iter().filter(|(key, _)| open(*key)).map(|(_, value)| *value));
        let mut cases = Vec::new();
        for &(key, value) in rest.iter().filter(|&&(key, value)| !open(key) || Some(value) != default) {
            if self.is_variable(key) {
                return None;
            }
            cases.push((Some(self.value(key)), self.value(value)));
        }
        if let Some(rule) = &rule {
            cases.push(self.written(rule, domain, rows, members));
        }
        cases.extend(default.map(|default| (None, self.value(default))));
        Some(cases)
    }

    /// The shift that most rows follow.
    fn rule(&self, rows: &[(Symbol, Symbol)], members: &FxHashSet<String>) -> Option<Rule> {
        let word = |symbol: Symbol| self.names.word(self.game, symbol);
        let shift = |&(key, value): &(Symbol, Symbol)| -> Option<(String, Shift)> {
            let ((constructor, before), (other, after)) = (parts(word(key))?, parts(word(value))?);
            let change = |(a, b): (&&str, &&str)| -> Option<Option<i64>> {
                match (number(a), number(b)) {
                    _ if a == b => Some(None),
                    (Some(a), Some(b)) => Some(Some(i64::try_from(b).ok()?.checked_sub(i64::try_from(a).ok()?)?)),
                    _ => None,
                }
            };
            let fits = constructor == other && before.len() == after.len();
            let shift = before.iter().zip(&after).map(change).collect::<Option<Shift>>();
            shift.filter(|_| fits).map(|shift| (constructor.to_owned(), shift))
        };
        let mut counts: FxHashMap<(String, Shift), usize> = FxHashMap::default();
        for shift in rows.iter().filter_map(shift) {
            *counts.entry(shift).or_default() += 1;
        }
        // Terms that stay as they are follow no rule, unless all do.
        let moves = |shift: &Shift| shift.iter().any(Option::is_some);
        let best = counts
            .iter()
            .max_by_key(|((constructor, shift), count)| (**count, moves(shift), constructor.clone(), shift.clone()));
        let ((constructor, shift), count) = best?;
        let mut rule = Rule { constructor: constructor.clone(), shift: shift.clone(), otherwise: None };
        let outside: Vec<(Symbol, Symbol)> = rows
            .iter()
            .copied()
            .filter(|&(key, _)| self.moved(&rule, key).is_some_and(|moved| !members.contains(&moved)))
            .collect();
        let itself = outside.iter().filter(|(key, value)| key == value).count();
        let common = most_common(outside.iter().map(|(_, value)| *value));
        let others = outside.iter().filter(|(_, value)| Some(*value) == common).count();
        rule.otherwise = common.filter(|_| others > itself);
        let is_of_it = |key: Symbol| {
            constructor.is_empty()
                || names::term(word(key)).is_some_and(|(of, list)| of == constructor && list.len() == shift.len())
        };
        // The pattern also fits terms whose arguments are no numbers; one without constructor fits everything.
        let fits = rows.iter().all(|&(key, _)| !is_of_it(key) || self.moved(&rule, key).is_some());
        (*count > 1 && fits).then_some(rule)
    }

    /// The changed term, whether it is a value or not.
    fn moved(&self, rule: &Rule, key: Symbol) -> Option<String> {
        let (constructor, arguments) = parts(self.names.word(self.game, key))?;
        let argument = |(word, change): (&&str, &Option<i64>)| match change {
            None => Some((*word).to_owned()),
            Some(change) => Some(i64::try_from(number(word)?).ok()?.checked_add(*change)?.to_string()),
        };
        let fits = constructor == rule.constructor && arguments.len() == rule.shift.len();
        let moved = arguments.iter().zip(&rule.shift).map(argument).collect::<Option<Vec<String>>>()?;
        fits.then(
            || if constructor.is_empty() { moved.concat() } else { format!("{constructor}__{}", moved.join("_")) },
        )
    }

    /// What the rule says about a value; nothing if it says nothing.
    fn predicted(&self, rule: &Rule, key: Symbol, members: &FxHashSet<String>) -> Option<String> {
        let moved = self.moved(rule, key)?;
        if members.contains(&moved) {
            return Some(moved);
        }
        Some(self.names.word(self.game, rule.otherwise.unwrap_or(key)).to_owned())
    }

    /// The case of a rule.
    fn written(
        &self,
        rule: &Rule,
        domain: &str,
        rows: &[(Symbol, Symbol)],
        members: &FxHashSet<String>,
    ) -> (Option<String>, String) {
        let variables = self.names.patterns(rule.shift.len());
        let argument = |(name, change): (&String, &Option<i64>)| match change {
            None | Some(0) => name.clone(),
            Some(change) if *change > 0 => format!("{name} + {change}"),
            Some(change) => format!("{name} - {}", change.unsigned_abs()),
        };
        let arguments: Vec<String> = variables.iter().zip(&rule.shift).map(argument).collect();
        let (pattern, moved) = (term(&rule.constructor, &variables), term(&rule.constructor, &arguments));
        let leaves = rows.iter().any(|&(key, _)| self.moved(rule, key).is_some_and(|moved| !members.contains(&moved)));
        let result = match rule.otherwise {
            _ if !leaves => moved,
            Some(otherwise) => format!("if {moved} in {domain} then {moved} else {}", self.value(otherwise)),
            None => format!("if {moved} in {domain} then {moved} else {pattern}"),
        };
        (Some(pattern), result)
    }
}
