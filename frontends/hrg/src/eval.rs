//! Evaluation at compile time (section 5 of the specification).

use crate::ast::*;
use crate::codes;
use crate::parse::is_upper;
use crate::report::Report;
use crate::values::{MAX_TERM, Value, ValueRef, Values, integer};
use rg_ir::{Diagnostic, Span, Symbol, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// Most values that are built, and most steps of evaluation.
pub(crate) const MAX_STEPS: u64 = 20_000_000;

/// Evaluation may nest this deeply.
pub(crate) const MAX_DEPTH: u32 = 256;

/// Names bound to values, innermost last.
pub(crate) type Env = Vec<(Symbol, ValueRef)>;

pub(crate) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// An error, boxed.
pub(crate) fn error<T>(code: &'static str, span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::error(code, span, message)))
}

/// The values of a domain in order, and as a set.
#[derive(Clone, Default)]
pub(crate) struct Members {
    pub(crate) list: Vec<ValueRef>,
    pub(crate) set: FxHashSet<ValueRef>,
}

/// Everything that evaluation refers to.
pub(crate) struct Evaluator<'a> {
    pub(crate) source: &'a Source,
    pub(crate) symbols: Symbols,
    pub(crate) values: Values,
    pub(crate) domains: FxHashMap<Symbol, Members>,
    pub(crate) functions: FxHashMap<Symbol, &'a Function>,
    /// Names of variables and parameters, which are no values.
    pub(crate) places: FxHashSet<Symbol>,
    results: FxHashMap<(Symbol, Box<[ValueRef]>), ValueRef>,
    pub(crate) steps: u64,
    depth: u32,
    pub(crate) report: Report,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(source: &'a Source, report: Report) -> Self {
        Self {
            source,
            symbols: source.symbols.clone(),
            values: Values::default(),
            domains: FxHashMap::default(),
            functions: FxHashMap::default(),
            places: FxHashSet::default(),
            results: FxHashMap::default(),
            steps: 0,
            depth: 0,
            report,
        }
    }

    /// Counts work.
    pub(crate) fn spend(&mut self, steps: u64, span: Span) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS {
            return error(codes::LIMIT, span, "this description takes too much work to evaluate");
        }
        Ok(())
    }

    pub(crate) fn symbol(&mut self, name: &str) -> ValueRef {
        let symbol = self.symbols.intern(name);
        self.values.add(Value::Symbol(symbol))
    }

    /// Evaluates an expression; the recursion is as deep as [`MAX_DEPTH`] at most.
    pub(crate) fn eval(&mut self, expr: ExprRef, env: &mut Env) -> Result<ValueRef> {
        let span = self.source.span(expr);
        self.deeper(span, |this| this.eval_inner(expr, span, env))
    }

    /// Runs `inner` one level deeper.
    fn deeper<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.spend(1, span)?;
        if self.depth >= MAX_DEPTH {
            return error(codes::RECURSION_LIMIT, span, "evaluation is nested too deeply; does the recursion end?");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn eval_inner(&mut self, expr: ExprRef, span: Span, env: &mut Env) -> Result<ValueRef> {
        let source = self.source;
        match source.expr(expr) {
            Expr::Name(name) => self.name(*name, span, env),
            Expr::Construct(name, arguments) => {
                let arguments = self.eval_all(arguments, env)?;
                self.term(*name, arguments, span)
            }
            Expr::Call(callee, arguments) => {
                let arguments = self.eval_all(arguments, env)?;
                self.call(*callee, arguments, span, env)
            }
            Expr::Index(callee, key) => {
                let key = self.eval(*key, env)?;
                self.call(*callee, vec![key], span, env)
            }
            Expr::Binary(operator @ (Operator::Add | Operator::Subtract | Operator::Modulo), a, b) => {
                let (a, b) = (self.integer(*a, env)?, self.integer(*b, env)?);
                self.arithmetic(*operator, a, b, span)
            }
            Expr::If(condition, yes, no) => {
                let branch = if self.condition(*condition, env)? { yes } else { no };
                self.eval(*branch, env)
            }
            Expr::Map(default, parts) => self.map(*default, parts, span, env),
            Expr::Binary(..) => error(codes::TYPE, span, "a condition is no value; use it between `if` and `then`"),
        }
    }

    fn eval_all(&mut self, list: &[ExprRef], env: &mut Env) -> Result<Vec<ValueRef>> {
        list.iter().map(|&expr| self.eval(expr, env)).collect()
    }

    fn name(&mut self, name: Symbol, span: Span, env: &Env) -> Result<ValueRef> {
        if let Some(&(_, value)) = env.iter().rev().find(|(bound, _)| *bound == name) {
            return Ok(value);
        }
        let text = self.symbols.name(name);
        let value = Value::Symbol(name);
        if is_upper(text) {
            let message = format!("`{text}` is neither bound by a pattern nor a symbol of a domain");
            let value = self.values.add(value);
            return match self.domains.values().any(|members| members.set.contains(&value)) {
                true => Ok(value),
                false => error(codes::UNBOUND, span, message),
            };
        }
        Ok(self.values.add(value))
    }

    fn integer(&mut self, expr: ExprRef, env: &mut Env) -> Result<i64> {
        let value = self.eval(expr, env)?;
        let text = self.values.show(value, &self.symbols);
        match integer(&text) {
            Some(number) => Ok(number),
            None => error(codes::ARITHMETIC, self.source.span(expr), format!("`{text}` is no integer")),
        }
    }

    fn arithmetic(&mut self, operator: Operator, a: i64, b: i64, span: Span) -> Result<ValueRef> {
        let result = match operator {
            Operator::Add => a.checked_add(b),
            Operator::Subtract => a.checked_sub(b),
            _ if b == 0 => return error(codes::ARITHMETIC, span, "modulus by zero"),
            _ => a.checked_rem_euclid(b),
        };
        match result {
            Some(number) => Ok(self.symbol(&number.to_string())),
            None => error(codes::ARITHMETIC, span, "this number is too large"),
        }
    }

    /// Applies a function or a map, given by name or as a value.
    fn call(&mut self, callee: ExprRef, mut args: Vec<ValueRef>, span: Span, env: &mut Env) -> Result<ValueRef> {
        let mut value = match self.source.expr(callee) {
            Expr::Name(name) if self.functions.contains_key(name) => self.values.add(Value::Symbol(*name)),
            _ => self.eval(callee, env)?,
        };
        while !args.is_empty() {
            match self.values.get(value).clone() {
                Value::Map(default, entries) => {
                    let key = args.remove(0);
                    value = entries.iter().find(|(k, _)| *k == key).map_or(default, |(_, v)| *v);
                }
                Value::Symbol(name) if self.functions.contains_key(&name) => {
                    let arity = self.arity(name);
                    if args.len() < arity || arity == 0 {
                        let name = self.symbols.name(name);
                        let message = format!("function `{name}` takes {arity} arguments, found {}", args.len());
                        return error(codes::ARGUMENTS, span, message);
                    }
                    let rest = args.split_off(arity);
                    value = self.apply(name, args, span)?;
                    args = rest;
                }
                _ => {
                    let text = self.values.show(value, &self.symbols);
                    let names: Vec<&str> = self.functions.keys().map(|&f| self.symbols.name(f)).collect();
                    let error = Diagnostic::error(codes::UNKNOWN_FUNCTION, span, format!("`{text}` is no function"));
                    return Err(Box::new(error.suggest(&text, names)));
                }
            }
        }
        Ok(value)
    }

    /// The number of patterns of a function.
    pub(crate) fn arity(&self, name: Symbol) -> usize {
        self.functions.get(&name).and_then(|f| f.cases.first()).map_or(0, |case| case.patterns.len())
    }

    /// The result of a function of the program; `args` are as many as it has patterns.
    pub(crate) fn apply(&mut self, name: Symbol, args: Vec<ValueRef>, span: Span) -> Result<ValueRef> {
        let key = (name, args.into_boxed_slice());
        if let Some(&result) = self.results.get(&key) {
            return Ok(result);
        }
        let cases = self.functions.get(&name).map_or(&[][..], |function| &function.cases);
        for case in cases {
            self.spend(1, span)?;
            let mut env = Env::new();
            let matches = case.patterns.iter().zip(&key.1).all(|(p, &v)| self.matches(p, v, &mut env));
            if matches && case.patterns.len() == key.1.len() {
                let result = self.eval(case.value, &mut env)?;
                self.results.insert(key, result);
                return Ok(result);
            }
        }
        let args: Vec<String> = key.1.iter().map(|&v| self.values.show(v, &self.symbols)).collect();
        error(codes::UNCOVERED, span, format!("no case matches `{}({})`", self.symbols.name(name), args.join(", ")))
    }

    fn matches(&self, pattern: &Pattern, value: ValueRef, env: &mut Env) -> bool {
        match (pattern, self.values.get(value)) {
            (Pattern::Any, _) => true,
            (Pattern::Name(name), _) if is_upper(self.symbols.name(name.symbol)) => {
                env.push((name.symbol, value));
                true
            }
            (Pattern::Name(name), Value::Symbol(symbol)) => name.symbol == *symbol,
            (Pattern::Construct(name, patterns), Value::Term(symbol, list)) => {
                name.symbol == *symbol
                    && patterns.len() == list.len()
                    && patterns.iter().zip(list).all(|(p, &v)| self.matches(p, v, env))
            }
            _ => false,
        }
    }

    fn condition(&mut self, expr: ExprRef, env: &mut Env) -> Result<bool> {
        let span = self.source.span(expr);
        self.deeper(span, |this| this.condition_inner(expr, span, env))
    }

    fn condition_inner(&mut self, expr: ExprRef, span: Span, env: &mut Env) -> Result<bool> {
        match *self.source.expr(expr) {
            Expr::Binary(Operator::And, a, b) => Ok(self.condition(a, env)? && self.condition(b, env)?),
            Expr::Binary(Operator::Or, a, b) => Ok(self.condition(a, env)? || self.condition(b, env)?),
            Expr::Binary(Operator::In, a, b) => {
                let value = self.eval(a, env)?;
                let Expr::Name(domain) = *self.source.expr(b) else {
                    return error(codes::CONDITION, self.source.span(b), "expected the name of a domain");
                };
                match self.domains.get(&domain) {
                    Some(members) => Ok(members.set.contains(&value)),
                    None => {
                        let message = format!("there is no domain `{}`", self.symbols.name(domain));
                        error(codes::UNKNOWN_DOMAIN, self.source.span(b), message)
                    }
                }
            }
            Expr::Binary(operator, a, b)
                if !matches!(operator, Operator::Add | Operator::Subtract | Operator::Modulo) =>
            {
                let (a, b) = (self.eval(a, env)?, self.eval(b, env)?);
                self.compare(operator, a, b, span)
            }
            _ => error(codes::CONDITION, span, "this is no condition: expected a comparison, `in`, `&&` or `||`"),
        }
    }

    fn compare(&mut self, operator: Operator, a: ValueRef, b: ValueRef, span: Span) -> Result<bool> {
        match operator {
            Operator::Equal => return Ok(a == b),
            Operator::NotEqual => return Ok(a != b),
            _ => {}
        }
        let order = match self.order(a, b, span) {
            Some(order) => order,
            None => return error(codes::TYPE, span, "a symbol and a term cannot be ordered"),
        };
        Ok(match operator {
            Operator::Less => order == Ordering::Less,
            Operator::LessEqual => order != Ordering::Greater,
            Operator::Greater => order == Ordering::Greater,
            _ => order != Ordering::Less,
        })
    }

    fn order(&mut self, a: ValueRef, b: ValueRef, span: Span) -> Option<Ordering> {
        match (self.values.get(a).clone(), self.values.get(b).clone()) {
            (Value::Symbol(x), Value::Symbol(y)) => {
                let (x, y) = (self.symbols.name(x), self.symbols.name(y));
                if let (Some(x), Some(y)) = (integer(x), integer(y)) {
                    return Some(x.cmp(&y));
                }
                let message = format!("`{x}` and `{y}` are ordered as text");
                let order = x.cmp(y);
                self.report.warning(codes::ORDERING, span, message);
                Some(order)
            }
            (Value::Term(f, xs), Value::Term(g, ys)) => {
                let head = (self.symbols.name(f), xs.len()).cmp(&(self.symbols.name(g), ys.len()));
                let mut order = head;
                for (&x, &y) in xs.iter().zip(&*ys) {
                    if order == Ordering::Equal {
                        order = self.order(x, y, span)?;
                    }
                }
                Some(order)
            }
            _ => None,
        }
    }

    /// A map literal (section 6).
    fn map(&mut self, default: Option<ExprRef>, parts: &[Part], span: Span, env: &mut Env) -> Result<ValueRef> {
        if let ([Part { pattern: Pattern::Any, value, .. }], None) = (parts, default) {
            return self.map(Some(*value), &[], span, env);
        }
        let default = default.map(|expr| self.eval(expr, env)).transpose()?;
        let mut entries = Vec::new();
        let mut keys = FxHashSet::default();
        for part in parts {
            let ranges: Vec<(Symbol, Vec<ValueRef>)> =
                part.ranges.iter().map(|range| self.range(range)).collect::<Result<_>>()?;
            let mark = env.len();
            let mut odometer = Odometer::new(ranges.iter().map(|(_, values)| values.len()));
            while let Some(digits) = odometer.next() {
                self.spend(1, part.span)?;
                env.truncate(mark);
                env.extend(ranges.iter().zip(digits).filter_map(|((n, vs), &d)| Some((*n, *vs.get(d)?))));
                let key = self.instantiate(&part.pattern, part.span, env)?;
                if !keys.insert(key) {
                    let message = format!("the key `{}` occurs twice", self.values.show(key, &self.symbols));
                    return error(codes::DUPLICATE_KEY, part.span, message);
                }
                entries.push((key, self.eval(part.value, env)?));
            }
            env.truncate(mark);
        }
        let given: Vec<ValueRef> = entries.iter().map(|&(key, _)| key).collect();
        match self.values.map(default, entries, &self.symbols) {
            Some(map) => {
                if default.is_none() {
                    self.values.given.entry(map).or_insert(given);
                }
                Ok(map)
            }
            None => error(codes::MAP_KEYS, span, "this map has neither a default nor an entry"),
        }
    }

    /// The value a pattern stands for when its variables are bound.
    fn instantiate(&mut self, pattern: &Pattern, span: Span, env: &Env) -> Result<ValueRef> {
        match pattern {
            Pattern::Any => error(codes::WILDCARD, span, "`_` must be the only key of its map"),
            Pattern::Name(name) => self.name(name.symbol, name.span, env),
            Pattern::Construct(name, patterns) => {
                let list: Vec<ValueRef> =
                    patterns.iter().map(|p| self.instantiate(p, span, env)).collect::<Result<_>>()?;
                self.term(name.symbol, list, span)
            }
        }
    }

    fn term(&mut self, name: Symbol, arguments: Vec<ValueRef>, span: Span) -> Result<ValueRef> {
        let size = arguments.iter().fold(1, |sum: u64, &argument| sum.saturating_add(self.values.size(argument)));
        if size > MAX_TERM {
            let message = format!("this term consists of more than {MAX_TERM} symbols and constructors");
            return error(codes::LIMIT, span, message);
        }
        Ok(self.values.add(Value::Term(name, arguments.into())))
    }

    /// The values of a range.
    pub(crate) fn range(&mut self, range: &Range) -> Result<(Symbol, Vec<ValueRef>)> {
        let values = match &range.values {
            RangeValues::Set(symbols) => symbols.iter().map(|&s| self.values.add(Value::Symbol(s))).collect(),
            RangeValues::Numbers(first, last) => {
                self.spend(last.saturating_add(1).saturating_sub(*first), range.name.span)?;
                (*first..=*last).map(|number| self.symbol(&number.to_string())).collect()
            }
        };
        Ok((range.name.symbol, values))
    }
}

/// All combinations of digits, the last one fastest.
pub(crate) struct Odometer {
    sizes: Vec<usize>,
    digits: Option<Vec<usize>>,
    fresh: bool,
}

impl Odometer {
    pub(crate) fn new(sizes: impl Iterator<Item = usize>) -> Self {
        let sizes: Vec<usize> = sizes.collect();
        let digits = (!sizes.contains(&0)).then(|| vec![0; sizes.len()]);
        Self { sizes, digits, fresh: true }
    }

    /// The next combination.
    pub(crate) fn next(&mut self) -> Option<&[usize]> {
        if !std::mem::take(&mut self.fresh) && !self.step() {
            self.digits = None;
        }
        self.digits.as_deref()
    }

    /// Counts up; `false` behind the last combination.
    fn step(&mut self) -> bool {
        for (digit, size) in self.digits.as_deref_mut().unwrap_or_default().iter_mut().zip(&self.sizes).rev() {
            *digit += 1;
            if *digit < *size {
                return true;
            }
            *digit = 0;
        }
        false
    }
}
