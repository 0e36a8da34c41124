//! What evaluation at compile time knows, and its elementary operations (section 5 of the specification).

use crate::ast::*;
use crate::codes;
use crate::lexer::is_upper;
use crate::missing::Places;
use crate::values::{MAX_TERM, Value, ValueRef, Values, integer};
use rg_ir::{Diagnostic, Report, Span, Symbol, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::rc::Rc;

/// How much a description may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most values and steps of evaluation at compile time.
    pub steps: u64,
    /// Most edges that graphs unroll to.
    pub edges: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 20_000_000, edges: 1_000_000 }
    }
}

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

/// A function applied to arguments.
pub(crate) type Application = (Symbol, Box<[ValueRef]>);

/// The cases of a function, so that generated tables with thousands of them are evaluated in linear time.
#[derive(Default)]
pub(crate) struct Cases {
    /// Cases without variables and wildcards, by arguments; the first of each.
    pub(crate) fixed: FxHashMap<Box<[ValueRef]>, usize>,
    /// The others, in order.
    pub(crate) general: Vec<usize>,
}

/// Everything that evaluation refers to.
pub(crate) struct Evaluator<'a> {
    pub(crate) source: &'a Source,
    /// Where declarations can be added.
    pub(crate) additions: Places,
    pub(crate) limits: Limits,
    pub(crate) symbols: Symbols,
    pub(crate) values: Values,
    pub(crate) domains: FxHashMap<Symbol, Members>,
    pub(crate) functions: FxHashMap<Symbol, &'a Function>,
    /// Names of variables and parameters, which are not values.
    pub(crate) places: FxHashSet<Symbol>,
    /// The cases of functions, for those that were applied.
    pub(crate) cases: FxHashMap<Symbol, Rc<Cases>>,
    /// Results of functions that are known already, and which case gave them.
    pub(crate) results: FxHashMap<Application, (ValueRef, usize)>,
    /// Cases that were used.
    pub(crate) used_cases: FxHashSet<(Symbol, usize)>,
    steps: u64,
    /// Where there were too many steps.
    exhausted: Option<Span>,
    pub(crate) report: Report,
}

impl<'a> Evaluator<'a> {
    /// Reports a key or a value that is not one of the members of its type.
    pub(crate) fn not_in_type(&mut self, what: &str, value: ValueRef, members: &[ValueRef], span: Span) {
        let text = self.values.show(value, &self.symbols);
        let error = Diagnostic::error(codes::TYPE, span, format!("the {what} `{text}` is not in the type"));
        let symbol = |value: &ValueRef| match *self.values.get(*value) {
            Value::Symbol(name) => Some(self.symbols.name(name)),
            _ => None,
        };
        let error = match symbol(&value) {
            Some(name) => error.suggest(name, members.iter().filter_map(symbol)),
            None => error,
        };
        self.report.push(error);
    }

    pub(crate) fn new(source: &'a Source, additions: Places, limits: Limits, report: Report) -> Self {
        Self {
            source,
            additions,
            limits,
            symbols: source.symbols.clone(),
            values: Values::default(),
            domains: FxHashMap::default(),
            functions: FxHashMap::default(),
            places: FxHashSet::default(),
            cases: FxHashMap::default(),
            results: FxHashMap::default(),
            used_cases: FxHashSet::default(),
            steps: 0,
            exhausted: None,
            report,
        }
    }

    /// Counts work.
    pub(crate) fn spend(&mut self, steps: u64, span: Span) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= self.limits.steps {
            return Ok(());
        }
        // Whatever else is too much is so because of this.
        let place = *self.exhausted.get_or_insert(span);
        let error = Diagnostic::error(codes::LIMIT, place, "this takes too much work to evaluate");
        Err(Box::new(error.note(format!("at most {} values and steps of evaluation are allowed", self.limits.steps))))
    }

    /// The error for a domain that is not declared or has errors of its own.
    pub(crate) fn unknown_domain(&self, name: Name) -> Box<Diagnostic> {
        let text = self.symbols.name(name.symbol);
        if self.source.domains.iter().any(|domain| domain.name.symbol == name.symbol) {
            let error = Diagnostic::error(codes::UNKNOWN_DOMAIN, name.span, format!("domain `{text}` has errors"));
            return Box::new(error);
        }
        let mut known: Vec<&str> = self.domains.keys().map(|&domain| self.symbols.name(domain)).collect();
        known.sort_unstable();
        let unknown = Diagnostic::error(codes::UNKNOWN_DOMAIN, name.span, format!("there is no domain `{text}`"));
        Box::new(unknown.suggest(text, known))
    }

    pub(crate) fn symbol(&mut self, name: &str) -> ValueRef {
        let symbol = self.symbols.intern(name);
        self.values.add(Value::Symbol(symbol))
    }

    /// The value of a name.
    pub(crate) fn name(&mut self, name: Symbol, span: Span, env: &[(Symbol, ValueRef)]) -> Result<ValueRef> {
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
                false => {
                    let known = env.iter().rev().map(|(bound, _)| self.symbols.name(*bound));
                    let known = known.chain(self.in_other_case(text));
                    let error = Diagnostic::error(codes::UNBOUND, span, message);
                    Err(Box::new(error.suggest(text, known)))
                }
            };
        }
        Ok(self.values.add(value))
    }

    /// The names of the description that differ from a name in case only. Linear.
    pub(crate) fn in_other_case<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        let is_it = move |other: &&str| *other != name && other.to_lowercase() == name.to_lowercase();
        self.source.symbols.names().filter(is_it)
    }

    /// `a + b`, `a - b`, `a % b`.
    pub(crate) fn arithmetic(&mut self, operator: Operator, a: i64, b: i64, span: Span) -> Result<ValueRef> {
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

    /// The cases of a function.
    pub(crate) fn cases(&mut self, name: Symbol) -> Rc<Cases> {
        if let Some(cases) = self.cases.get(&name) {
            return Rc::clone(cases);
        }
        let mut cases = Cases::default();
        for (index, case) in self.functions.get(&name).map_or(&[][..], |function| &function.cases).iter().enumerate() {
            match case.patterns.iter().map(|&pattern| self.fixed(pattern)).collect::<Option<Box<[ValueRef]>>>() {
                Some(arguments) => {
                    cases.fixed.entry(arguments).or_insert(index);
                }
                None => cases.general.push(index),
            }
        }
        let cases = Rc::new(cases);
        self.cases.insert(name, Rc::clone(&cases));
        cases
    }

    /// The only value that a pattern matches; `None` if it has variables or wildcards.
    fn fixed(&mut self, pattern: PatternRef) -> Option<ValueRef> {
        let source = self.source;
        let mut values: Vec<ValueRef> = Vec::new();
        let mut tasks = vec![(pattern, false)];
        while let Some((pattern, parts_are_done)) = tasks.pop() {
            match source.pattern(pattern) {
                Pattern::Any => return None,
                Pattern::Name(name) if is_upper(self.symbols.name(name.symbol)) => return None,
                Pattern::Name(name) => values.push(self.values.add(Value::Symbol(name.symbol))),
                Pattern::Construct(name, patterns) if parts_are_done => {
                    let list = values.split_off(values.len().saturating_sub(patterns.len()));
                    values.push(self.term(name.symbol, list, name.span).ok()?);
                }
                Pattern::Construct(_, patterns) => {
                    tasks.push((pattern, true));
                    tasks.extend(patterns.iter().rev().map(|&pattern| (pattern, false)));
                }
            }
        }
        values.pop()
    }

    /// The number of patterns of a function.
    pub(crate) fn arity(&self, name: Symbol) -> usize {
        self.functions.get(&name).and_then(|f| f.cases.first()).map_or(0, |case| case.patterns.len())
    }

    /// The outcome of a comparison.
    pub(crate) fn compare(&mut self, operator: Operator, a: ValueRef, b: ValueRef, span: Span) -> Result<bool> {
        match operator {
            Operator::Equal => return Ok(self.equal(a, b)),
            Operator::NotEqual => return Ok(!self.equal(a, b)),
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

    /// Equality: of numbers by value, of other symbols by name, of terms part by part.
    fn equal(&self, a: ValueRef, b: ValueRef) -> bool {
        if a == b {
            return true;
        }
        match (self.values.get(a), self.values.get(b)) {
            (Value::Symbol(x), Value::Symbol(y)) => {
                let number = integer(self.symbols.name(*x));
                number.is_some() && number == integer(self.symbols.name(*y))
            }
            (Value::Term(f, xs), Value::Term(g, ys)) => {
                f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| self.equal(x, y))
            }
            _ => false,
        }
    }

    /// The order of two values; `None` for a symbol and a term. Terms are as large as [`MAX_TERM`] at most.
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

    /// `C(a, b)`.
    pub(crate) fn term(&mut self, name: Symbol, arguments: Vec<ValueRef>, span: Span) -> Result<ValueRef> {
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
            RangeValues::Set(names) => names.iter().map(|name| self.values.add(Value::Symbol(name.symbol))).collect(),
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
