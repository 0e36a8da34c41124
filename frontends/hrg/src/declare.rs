//! Domains, functions and variables become types, constants and variables of RG (sections 4 to 6).

use crate::ast::*;
use crate::codes;
use crate::eval::{Evaluator, Members, Odometer, Result, error};
use crate::initial::{Origin, Typed};
use crate::lexer::is_upper;
use crate::patterns::{self, Strange};
use crate::plural::count;
use crate::values::{Value, ValueRef};
use rg_ir::diag::closest;
use rg_ir::{Diagnostic, Game, Pragma, PragmaDecl, Span, Symbol, TypeId, Value as RgValue};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most arrows of a type.
const MAX_ARROWS: usize = 200;

/// Domains may contain each other this deeply.
const MAX_UNIONS: usize = 200;

/// A type with its key domains listed.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) keys: Vec<Vec<ValueRef>>,
    pub(crate) result: Vec<ValueRef>,
}

/// Evaluates all domains.
pub(crate) fn domains(ev: &mut Evaluator<'_>) {
    let mut declared: FxHashMap<Symbol, &Domain> = FxHashMap::default();
    for domain in &ev.source.domains {
        if let Some(first) = declared.get(&domain.name.symbol) {
            duplicate(ev, "domain", domain.name, first.name.span);
        } else {
            declared.insert(domain.name.symbol, domain);
        }
    }
    for domain in &ev.source.domains {
        let mut path = Vec::new();
        if let Err(finding) = domain_values(ev, domain, &declared, &mut path) {
            ev.report.push(*finding);
        }
    }
    for required in ["Player", "Score"] {
        if !ev.source.domains.iter().any(|domain| ev.symbols.name(domain.name.symbol) == required) {
            let message = format!("there is no domain `{required}`");
            let domains =
                || ev.source.domains.iter().map(|domain| (ev.symbols.name(domain.name.symbol), domain.name.span));
            let near =
                closest(required, domains().map(|(name, _)| name).filter(|name| !["Player", "Score"].contains(name)));
            let place = domains().find(|(name, _)| near == Some(*name));
            let missing =
                Diagnostic::error(codes::MISSING, place.map_or(ev.additions.beginning(), |(_, span)| span), message);
            let missing = match near {
                Some(name) => {
                    let help = format!("should the domain `{name}` be called `{required}`?");
                    missing.suggest(name, [required]).help(help)
                }
                None => ev.additions.with_domain(missing, required),
            };
            ev.report.push(missing);
        }
    }
    builtin_domains(ev);
}

pub(crate) fn duplicate(ev: &mut Evaluator<'_>, what: &str, name: Name, first: Span) {
    let message = format!("{what} `{}` is declared twice", ev.symbols.name(name.symbol));
    ev.report.push(Diagnostic::error(codes::DUPLICATE, name.span, message).also(first, "first declared here"));
}

fn builtin_domains(ev: &mut Evaluator<'_>) {
    let player = ev.symbols.intern("Player");
    let players = ev.domains.get(&player).map(|members| members.list.clone()).unwrap_or_default();
    let system = [ev.symbol("keeper"), ev.symbol("random")];
    let bool = vec![ev.symbol("0"), ev.symbol("1")];
    let everyone = players.iter().copied().chain(system.into_iter().filter(|s| !players.contains(s))).collect();
    let everybody = ev.symbols.intern("PlayerOrSystem");
    for (name, list) in [("Bool", bool), ("PlayerOrSystem", everyone)] {
        let name = ev.symbols.intern(name);
        let members = Members { set: list.iter().copied().collect(), list };
        // Without players it is not known what the second one has.
        if name != everybody || !players.is_empty() {
            check_built_in(ev, name, Some(&members));
        }
        ev.domains.entry(name).or_insert(members);
    }
    for name in ["Goals", "Visibility"] {
        let name = ev.symbols.intern(name);
        check_built_in(ev, name, None);
    }
}

/// Reports a domain with the name of a built-in type, unless it has the very `members` of that, which none of a map type has. Linear in them.
fn check_built_in(ev: &mut Evaluator<'_>, name: Symbol, members: Option<&Members>) {
    let Some(domain) = ev.source.domains.iter().find(|domain| domain.name.symbol == name) else { return };
    let is_same = |own: &Members| members.is_some_and(|members| members.set == own.set);
    // A domain that could not be evaluated is reported already.
    if ev.domains.get(&name).is_none_or(is_same) {
        return;
    }
    let text = ev.symbols.name(name);
    let what = match text {
        "Bool" => "with the values `0` and `1`",
        "PlayerOrSystem" => "with the values of `Player`, and `keeper` and `random`",
        "Goals" => "as `Player -> Score`",
        _ => "as `Player -> Bool`",
    };
    let message = format!("the type `{text}` is built in, {what}, and this domain of the same name is another one");
    let error = Diagnostic::error(codes::BUILT_IN, domain.name.span, message);
    ev.report.push(error.help("give the domain another name"));
}

/// Evaluates a domain and those it contains; `path` holds the domains being evaluated.
fn domain_values(
    ev: &mut Evaluator<'_>,
    domain: &Domain,
    declared: &FxHashMap<Symbol, &Domain>,
    path: &mut Vec<Symbol>,
) -> Result<()> {
    let name = domain.name;
    if ev.domains.contains_key(&name.symbol) {
        return Ok(());
    }
    if path.contains(&name.symbol) {
        let message = format!("domain `{}` contains itself", ev.symbols.name(name.symbol));
        return error(codes::RECURSIVE, name.span, message);
    }
    if path.len() >= MAX_UNIONS {
        let message = format!("domains contain each other more than {MAX_UNIONS} deep");
        return error(codes::NESTING, name.span, message);
    }
    path.push(name.symbol);
    let mut members = Members::default();
    for element in &domain.elements {
        let values = match element {
            Element::Name(inner) => match declared.get(&inner.symbol) {
                Some(other) => {
                    domain_values(ev, other, declared, path)?;
                    ev.domains.get(&inner.symbol).map(|m| m.list.clone()).unwrap_or_default()
                }
                None => vec![ev.values.add(Value::Symbol(inner.symbol))],
            },
            Element::Generator(constructor, names, ranges) => generate(ev, *constructor, names, ranges)?,
        };
        ev.spend(values.len() as u64, name.span)?;
        for value in values {
            if members.set.insert(value) {
                members.list.push(value);
            }
        }
    }
    path.pop();
    ev.domains.insert(name.symbol, members);
    Ok(())
}

fn generate(ev: &mut Evaluator<'_>, name: Name, arguments: &[Name], ranges: &[Range]) -> Result<Vec<ValueRef>> {
    let ranges: Vec<(Symbol, Vec<ValueRef>)> = ranges.iter().map(|range| ev.range(range)).collect::<Result<_>>()?;
    let mut lists = Vec::new();
    for argument in arguments {
        let range = ranges.iter().find(|(variable, _)| *variable == argument.symbol);
        lists.push(match range {
            _ if !is_upper(ev.symbols.name(argument.symbol)) => vec![ev.values.add(Value::Symbol(argument.symbol))],
            Some((_, values)) => values.clone(),
            None => {
                let text = ev.symbols.name(argument.symbol);
                let error =
                    Diagnostic::error(codes::MISSING_RANGE, argument.span, format!("no values are given for `{text}`"));
                let known = ranges.iter().map(|(variable, _)| ev.symbols.name(*variable));
                return Err(Box::new(error.suggest(text, known)));
            }
        });
    }
    let total = lists.iter().fold(1_u64, |n, list| n.saturating_mul(list.len() as u64));
    ev.spend(total, name.span)?;
    let mut values = Vec::new();
    let mut odometer = Odometer::new(lists.iter().map(Vec::len));
    while let Some(digits) = odometer.next() {
        let list: Box<[ValueRef]> = lists.iter().zip(digits).filter_map(|(list, &d)| list.get(d).copied()).collect();
        values.push(ev.values.add(Value::Term(name.symbol, list)));
    }
    Ok(values)
}

/// Declares everything but graphs in RG.
pub(crate) struct Declare<'e, 'a> {
    pub(crate) ev: &'e mut Evaluator<'a>,
    pub(crate) game: Game,
    /// Which value a symbol of RG stands for.
    pub(crate) written: FxHashMap<String, ValueRef>,
    /// Variables with mistakes: they are not reported as unknown.
    pub(crate) broken: FxHashSet<Symbol>,
    /// Names in patterns that no argument has.
    pub(crate) strange: Vec<Strange>,
}

impl Declare<'_, '_> {
    /// The symbol of a value in RG.
    pub(crate) fn rg_symbol(&mut self, value: ValueRef, span: Span) -> Symbol {
        self.rg_symbol_at(value, |_| span)
    }

    /// The same, with a place that is looked for if there is a mistake.
    pub(crate) fn rg_symbol_at(&mut self, value: ValueRef, place: impl FnOnce(&Self) -> Span) -> Symbol {
        let text = self.ev.values.serialise(value, &self.ev.symbols);
        let symbol = self.game.symbols.intern(&text);
        let first = *self.written.entry(text).or_insert(value);
        if first != value {
            let show = |v| self.ev.values.show(v, &self.ev.symbols);
            let message = format!("`{}` and `{}` would be the same symbol", show(first), show(value));
            let place = place(self);
            self.ev.report.error(codes::COLLISION, place, message);
        }
        symbol
    }

    /// The symbol of a name in RG.
    pub(crate) fn rg_name(&mut self, name: Symbol) -> Symbol {
        self.game.symbols.intern(self.ev.symbols.name(name))
    }

    pub(crate) fn types(&mut self) {
        for domain in &self.ev.source.domains {
            let Some(members) = self.ev.domains.get(&domain.name.symbol).map(|m| m.list.clone()) else { continue };
            let list: Vec<Symbol> = members.iter().map(|&v| self.rg_symbol(v, domain.name.span)).collect();
            let name = self.rg_name(domain.name.symbol);
            let set = self.game.types.set(list.clone());
            self.game.add_type(name, set, domain.name.span);
            if let [Element::Generator(_, arguments, ranges)] = domain.elements.as_slice()
                && let [argument] = arguments.as_slice()
                && let Some(range) = ranges.iter().find(|range| range.name.symbol == argument.symbol)
                && let RangeValues::Numbers(first, _) = range.values
                && is_upper(self.ev.symbols.name(argument.symbol))
                && !list.is_empty()
            {
                let pragma = Pragma::Integer { first, symbols: list };
                self.game.pragmas.push(PragmaDecl { pragma, span: domain.name.span });
            }
        }
    }

    /// The type in RG.
    pub(crate) fn rg_type(&mut self, ty: &Type) -> TypeId {
        let mut id = match &ty.result {
            ResultType::Name(name) => {
                let name = self.rg_name(name.symbol);
                self.game.types.name(name)
            }
            ResultType::Set(members) => {
                let mut list: Vec<Symbol> = Vec::new();
                let mut seen = FxHashSet::default();
                for member in members {
                    let member = self.rg_name(member.symbol);
                    if seen.insert(member) {
                        list.push(member);
                    }
                }
                self.game.types.set(list)
            }
        };
        for key in ty.keys.iter().rev() {
            let key = self.rg_name(key.symbol);
            let key = self.game.types.name(key);
            id = self.game.types.arrow(key, id);
        }
        id
    }

    /// Lists a type's domains; an error if one of them is unknown.
    pub(crate) fn shape(&mut self, ty: &Type) -> Result<Shape> {
        if ty.keys.len() > MAX_ARROWS {
            let message = format!("this type has {} arrows, expected at most {MAX_ARROWS}", ty.keys.len());
            return error(codes::NESTING, ty.span, message);
        }
        let mut keys = Vec::new();
        for key in &ty.keys {
            keys.push(self.members(*key)?);
        }
        let result = match &ty.result {
            ResultType::Set(members) => {
                members.iter().map(|name| self.ev.values.add(Value::Symbol(name.symbol))).collect()
            }
            ResultType::Name(name) => {
                let built_in = match self.ev.symbols.name(name.symbol) {
                    "Goals" => Some("Score"),
                    "Visibility" => Some("Bool"),
                    _ => None,
                };
                match built_in.filter(|_| !self.ev.domains.contains_key(&name.symbol)) {
                    Some(result) => {
                        let player = Name { symbol: self.ev.symbols.intern("Player"), span: name.span };
                        keys.push(self.members(player)?);
                        let result = Name { symbol: self.ev.symbols.intern(result), span: name.span };
                        self.members(result)?
                    }
                    None => self.members(*name)?,
                }
            }
        };
        Ok(Shape { keys, result })
    }

    fn members(&mut self, name: Name) -> Result<Vec<ValueRef>> {
        if let Some(members) = self.ev.domains.get(&name.symbol) {
            return Ok(members.list.clone());
        }
        if ["Goals", "Visibility"].contains(&self.ev.symbols.name(name.symbol)) {
            let message = format!("the values of `{}` cannot be listed", self.ev.symbols.name(name.symbol));
            return error(codes::KEY_TYPE, name.span, message);
        }
        Err(self.ev.unknown_domain(name))
    }

    /// The type's default value in RG.
    pub(crate) fn default_value(&mut self, shape: &Shape, span: Span) -> RgValue {
        let first = shape.result.first().copied();
        let mut value = match first {
            Some(value) => RgValue::Symbol(self.rg_symbol(value, span)),
            None => {
                self.ev.report.error(codes::TYPE, span, "this type has no values");
                RgValue::Symbol(self.game.symbols.intern("0"))
            }
        };
        for _ in &shape.keys {
            value = RgValue::map(value, []);
        }
        value
    }

    /// The tables of all functions, in an order in which every table mentions only earlier ones.
    pub(crate) fn functions(&mut self) {
        let mut tables: Vec<(&Function, Shape, ValueRef, FxHashSet<Symbol>)> = Vec::new();
        for function in &self.ev.source.functions {
            let table = self.shape(&function.ty).and_then(|shape| {
                let strange = self.strange_patterns(function, &shape);
                let table = self
                    .table(function, &shape)
                    .map_err(|error| self.misspelt_domain(patterns::located(error, &strange)))?;
                self.strange.extend(strange);
                Ok((table, shape))
            });
            match table {
                Ok((table, shape)) => {
                    let mut used = FxHashSet::default();
                    self.mentioned(table, &mut used);
                    tables.push((function, shape, table, used));
                }
                Err(finding) => self.ev.report.push(*finding),
            }
        }
        let names: FxHashSet<Symbol> = tables.iter().map(|(f, ..)| f.name.symbol).collect();
        let mut done: FxHashSet<Symbol> = FxHashSet::default();
        while !tables.is_empty() {
            let before = tables.len();
            tables.retain(|(function, shape, table, used)| {
                if used.iter().any(|name| names.contains(name) && !done.contains(name)) {
                    return true;
                }
                done.insert(function.name.symbol);
                let typed = Typed { keys: &shape.keys, result: &shape.result, whole: function.name.span };
                let value = self.rg_value(*table, typed, Origin::Table(function));
                let ty = self.rg_type(&function.ty);
                let name = self.rg_name(function.name.symbol);
                if let Some(value) = value {
                    self.game.add_const(name, ty, value, function.name.span);
                }
                false
            });
            if tables.len() == before {
                for (function, ..) in &tables {
                    let name = self.ev.symbols.name(function.name.symbol);
                    let message = format!("the table of function `{name}` mentions itself");
                    self.ev.report.error(codes::RECURSIVE, function.name.span, message);
                }
                return;
            }
        }
    }

    /// Functions that a table mentions in place of a table.
    fn mentioned(&self, table: ValueRef, used: &mut FxHashSet<Symbol>) {
        let mut seen = FxHashSet::default();
        let mut stack = vec![table];
        while let Some(value) = stack.pop() {
            match self.ev.values.get(value) {
                Value::Map(default, entries) if seen.insert(value) => {
                    stack.extend(entries.iter().map(|&(_, v)| v).chain([*default]));
                }
                Value::Symbol(name) if self.ev.functions.contains_key(name) => {
                    used.insert(*name);
                }
                _ => {}
            }
        }
    }

    /// The table of a function as nested maps.
    fn table(&mut self, function: &Function, shape: &Shape) -> Result<ValueRef> {
        let arity = function.cases.first().map_or(0, |case| case.patterns.len());
        let name = self.ev.symbols.name(function.name.symbol).to_owned();
        if let Some(case) = function.cases.iter().find(|case| case.patterns.len() != arity) {
            let found = count(case.patterns.len(), "pattern");
            let message = format!("this case of `{name}` has {found}, the first has {arity}");
            return error(codes::ARITY, case.span, message);
        }
        if arity == 0 || arity > shape.keys.len() {
            let (patterns, arrows) = (count(arity, "pattern"), count(shape.keys.len(), "arrow"));
            let message = format!("`{name}` has {patterns}, its type has {arrows}");
            return error(codes::ARITY, function.name.span, message);
        }
        let total = shape.keys.iter().take(arity).fold(1_u64, |n, k| n.saturating_mul(k.len() as u64));
        self.ev.spend(total, function.name.span)?;
        let results: FxHashSet<ValueRef> = shape.result.iter().copied().collect();
        let mut levels: Vec<Vec<(ValueRef, ValueRef)>> = vec![Vec::new(); arity];
        let mut odometer = Odometer::new(shape.keys.iter().take(arity).map(Vec::len));
        while let Some(digits) = odometer.next() {
            let args: Vec<ValueRef> =
                shape.keys.iter().zip(digits).filter_map(|(keys, &d)| keys.get(d).copied()).collect();
            let mut value = self.ev.apply(function.name.symbol, args.clone(), function.name.span)?;
            if arity == shape.keys.len() && !results.contains(&value) {
                return Err(self.wrong_result(function, args, value, &shape.result));
            }
            for level in (0..arity).rev() {
                let (Some(entries), Some(&key), Some(keys)) =
                    (levels.get_mut(level), args.get(level), shape.keys.get(level))
                else {
                    break;
                };
                entries.push((key, value));
                if entries.len() < keys.len() {
                    break;
                }
                let entries = std::mem::take(entries);
                let Some(map) = self.ev.values.map(None, entries, &self.ev.symbols) else { break };
                if level == 0 {
                    return Ok(map);
                }
                value = map;
            }
        }
        error(codes::KEY_TYPE, function.name.span, format!("a key type of `{name}` has no values"))
    }

    pub(crate) fn variables(&mut self) {
        for variable in &self.ev.source.variables {
            if let Err(finding) = self.variable(variable) {
                self.ev.report.push(*finding);
                self.broken.insert(variable.name.symbol);
            }
        }
    }

    /// An error if a variable has the name of a built-in one, and other keys or values. Linear in these.
    fn check_built_in(&self, variable: &Variable, shape: &Shape) -> Result<()> {
        let (keys, result, ty): (&[&str], _, _) = match self.ev.symbols.name(variable.name.symbol) {
            "player" => (&[], "PlayerOrSystem", "PlayerOrSystem"),
            "goals" => (&["Player"], "Score", "Player -> Score"),
            "visible" => (&["Player"], "Bool", "Player -> Bool"),
            _ => return Ok(()),
        };
        let is_same = |own: &Vec<ValueRef>, domain: &str| {
            let members = self.ev.symbols.get(domain).and_then(|name| self.ev.domains.get(&name));
            // What is wrong with the domain is reported where that is.
            members.is_none_or(|members| members.set == own.iter().copied().collect())
        };
        let is_map = shape.keys.len() == keys.len() && shape.keys.iter().zip(keys).all(|(own, key)| is_same(own, key));
        if is_map && is_same(&shape.result, result) {
            return Ok(());
        }
        let name = self.ev.symbols.name(variable.name.symbol);
        let message = format!("the variable `{name}` is built in, of type `{ty}`, and this one is of another type");
        let error = Diagnostic::error(codes::BUILT_IN, variable.name.span, message);
        let error = error.help("leave the declaration out, or give the variable another name");
        let whole = self.ev.source.extent(variable.name.span);
        Err(Box::new(error.removing(format!("variable `{name}`"), [whole])))
    }

    fn variable(&mut self, variable: &Variable) -> Result<()> {
        let shape = self.shape(&variable.ty)?;
        self.check_built_in(variable, &shape)?;
        let default = self.default_value(&shape, variable.ty.span);
        let value = match variable.initial {
            None => Ok(Some(default.clone())),
            Some(initial) => {
                let typed = Typed { keys: &shape.keys, result: &shape.result, whole: self.ev.source.span(initial) };
                self.ev.eval(initial, &[]).map(|value| self.rg_value(value, typed, Origin::Expr(initial)))
            }
        };
        let ty = self.rg_type(&variable.ty);
        let name = self.rg_name(variable.name.symbol);
        // With another value if there is a mistake, so that graphs can be looked at.
        let known = value.as_ref().ok().cloned().flatten().unwrap_or(default);
        self.game.add_var(name, ty, known, variable.name.span);
        value.map(|_| ())
    }
}
