//! Evaluation at compile time (sections 5 and 6 of the specification), by a machine with explicit stacks: neither
//! nesting nor the recursion of functions uses the stack of the program.

use crate::ast::*;
use crate::codes;
use crate::eval::{Application, Evaluator, Odometer, Result, error};
use crate::lexer::is_upper;
use crate::plural::count;
use crate::values::{Value, ValueRef, integer};
use rg_ir::{Diagnostic, Span, Symbol};
use rustc_hash::FxHashSet;

/// Most applications of functions that wait for each other.
pub(crate) const MAX_CALLS: usize = 10_000;

/// Names bound to values, innermost last.
type Env = Vec<(Symbol, ValueRef)>;

/// Something to do. Values are taken from and left on one stack, truth values on another.
enum Task<'a> {
    Value(ExprRef),
    Condition(ExprRef),
    /// Of that many values.
    Term(Symbol, usize, Span),
    /// The value below that many others is applied to them.
    Apply(usize, Span),
    /// The value on top is applied to these.
    ApplyTo(Vec<ValueRef>, Span),
    /// The case of that number of a function has a result; the bindings of the caller begin there.
    Leave(Application, usize, usize),
    Arithmetic(Operator, [ExprRef; 2]),
    Choose(ExprRef, ExprRef),
    /// Look at the second operand, unless the first decides.
    And(ExprRef),
    Or(ExprRef),
    Member(ExprRef),
    Compare(Operator, Span),
    Map(Box<Literal<'a>>),
}

/// Variables with all their values.
type Ranges = Vec<(Symbol, Vec<ValueRef>)>;

/// A map literal that is being evaluated.
struct Literal<'a> {
    parts: &'a [Part],
    span: Span,
    /// What the value on top of the stack is.
    awaits: Awaits,
    default: Option<ValueRef>,
    entries: Vec<(ValueRef, ValueRef)>,
    keys: FxHashSet<ValueRef>,
    /// Ranges of the first of `parts`, and which of their values are next.
    ranges: Option<(Ranges, Odometer)>,
    /// Number of bindings outside.
    outside: usize,
}

enum Awaits {
    Nothing,
    Default,
    Entry(ValueRef),
}

struct Machine<'m, 'a> {
    ev: &'m mut Evaluator<'a>,
    tasks: Vec<Task<'a>>,
    values: Vec<ValueRef>,
    truths: Vec<bool>,
    env: Env,
    /// Where the visible bindings begin.
    base: usize,
    calls: usize,
}

impl Evaluator<'_> {
    /// The value of an expression. The number of steps and the depth of recursion are limited.
    pub(crate) fn eval(&mut self, expr: ExprRef, bindings: &[(Symbol, ValueRef)]) -> Result<ValueRef> {
        Machine::run(self, bindings, Task::Value(expr), Vec::new())
    }

    /// The result of a function.
    pub(crate) fn apply(&mut self, name: Symbol, args: Vec<ValueRef>, span: Span) -> Result<ValueRef> {
        let function = self.values.add(Value::Symbol(name));
        Machine::run(self, &[], Task::ApplyTo(args, span), vec![function])
    }
}

impl<'m, 'a> Machine<'m, 'a> {
    fn run(
        ev: &'m mut Evaluator<'a>,
        bindings: &[(Symbol, ValueRef)],
        task: Task<'a>,
        values: Vec<ValueRef>,
    ) -> Result<ValueRef> {
        let (tasks, truths) = (vec![task], Vec::new());
        let mut machine = Self { ev, tasks, values, truths, env: bindings.to_vec(), base: 0, calls: 0 };
        while let Some(task) = machine.tasks.pop() {
            machine.step(task).map_err(|finding| machine.locate(finding))?;
        }
        machine.pop()
    }

    /// Adds the innermost application that did not come to an end.
    fn locate(&self, finding: Box<Diagnostic>) -> Box<Diagnostic> {
        let innermost = self.tasks.iter().rev().find_map(|task| match task {
            Task::Leave(application, ..) => Some(application),
            _ => None,
        });
        match innermost {
            Some((name, args)) => Box::new(finding.note(format!("in `{}`", self.show(*name, args)))),
            None => finding,
        }
    }

    fn show(&self, name: Symbol, args: &[ValueRef]) -> String {
        let args: Vec<String> = args.iter().map(|&v| self.ev.values.show(v, &self.ev.symbols)).collect();
        format!("{}({})", self.ev.symbols.name(name), args.join(", "))
    }

    /// The value on top. There always is one, as every task leaves what others take.
    fn pop(&mut self) -> Result<ValueRef> {
        match self.values.pop() {
            Some(value) => Ok(value),
            None => error(codes::TYPE, Span::NONE, "this has no value"),
        }
    }

    fn pop_many(&mut self, count: usize) -> Vec<ValueRef> {
        self.values.split_off(self.values.len().saturating_sub(count))
    }

    fn step(&mut self, task: Task<'a>) -> Result<()> {
        match task {
            Task::Value(expr) => self.value(expr),
            Task::Condition(expr) => self.condition(expr),
            Task::Term(name, count, span) => {
                let arguments = self.pop_many(count);
                let term = self.ev.term(name, arguments, span)?;
                self.values.push(term);
                Ok(())
            }
            Task::Apply(count, span) => {
                let arguments = self.pop_many(count);
                self.apply(arguments, span)
            }
            Task::ApplyTo(arguments, span) => self.apply(arguments, span),
            Task::Leave(application, case, base) => {
                self.env.truncate(self.base);
                self.base = base;
                self.calls -= 1;
                let result = self.pop()?;
                self.ev.results.insert(application, (result, case));
                self.values.push(result);
                Ok(())
            }
            Task::Arithmetic(operator, operands) => self.arithmetic(operator, operands),
            Task::Choose(yes, no) => {
                let chosen = if self.truths.pop().unwrap_or(false) { yes } else { no };
                self.tasks.push(Task::Value(chosen));
                Ok(())
            }
            Task::And(other) => {
                self.second(other, true);
                Ok(())
            }
            Task::Or(other) => {
                self.second(other, false);
                Ok(())
            }
            Task::Member(domain) => self.member(domain),
            Task::Compare(operator, span) => {
                let (b, a) = (self.pop()?, self.pop()?);
                let truth = self.ev.compare(operator, a, b, span)?;
                self.truths.push(truth);
                Ok(())
            }
            Task::Map(literal) => self.literal(literal),
        }
    }

    /// Looks at another operand, unless the truth on top is not `undecided`.
    fn second(&mut self, other: ExprRef, undecided: bool) {
        if self.truths.last() == Some(&undecided) {
            self.truths.pop();
            self.tasks.push(Task::Condition(other));
        }
    }

    /// Tasks in the order in which they are to be done.
    fn then(&mut self, tasks: impl DoubleEndedIterator<Item = Task<'a>>) {
        self.tasks.extend(tasks.rev());
    }

    fn value(&mut self, expr: ExprRef) -> Result<()> {
        let source = self.ev.source;
        let span = source.span(expr);
        self.ev.spend(1, span)?;
        match source.expr(expr) {
            Expr::Name(name) => {
                let bindings = self.env.get(self.base..).unwrap_or_default();
                let value = self.ev.name(*name, span, bindings)?;
                self.values.push(value);
            }
            Expr::Construct(name, arguments) => {
                self.tasks.push(Task::Term(*name, arguments.len(), span));
                self.then(arguments.iter().map(|&argument| Task::Value(argument)));
            }
            Expr::Call(callee, arguments) => self.call(*callee, arguments, span),
            Expr::Index(callee, key) => self.call(*callee, std::slice::from_ref(key), span),
            Expr::Binary(operator @ (Operator::Add | Operator::Subtract | Operator::Modulo), a, b) => {
                self.then([Task::Value(*a), Task::Value(*b), Task::Arithmetic(*operator, [*a, *b])].into_iter());
            }
            Expr::If(condition, yes, no) => {
                self.then([Task::Condition(*condition), Task::Choose(*yes, *no)].into_iter());
            }
            Expr::Map(default, parts) => self.map(*default, parts, span),
            Expr::Binary(..) => {
                return error(codes::TYPE, span, "a condition is not a value; use it between `if` and `then`");
            }
        }
        Ok(())
    }

    fn condition(&mut self, expr: ExprRef) -> Result<()> {
        let span = self.ev.source.span(expr);
        self.ev.spend(1, span)?;
        let Expr::Binary(operator, a, b) = *self.ev.source.expr(expr) else {
            return error(codes::CONDITION, span, NO_CONDITION);
        };
        match operator {
            Operator::And => self.then([Task::Condition(a), Task::And(b)].into_iter()),
            Operator::Or => self.then([Task::Condition(a), Task::Or(b)].into_iter()),
            Operator::In => self.then([Task::Value(a), Task::Member(b)].into_iter()),
            Operator::Add | Operator::Subtract | Operator::Modulo => {
                return error(codes::CONDITION, span, NO_CONDITION);
            }
            _ => self.then([Task::Value(a), Task::Value(b), Task::Compare(operator, span)].into_iter()),
        }
        Ok(())
    }

    fn arithmetic(&mut self, operator: Operator, operands: [ExprRef; 2]) -> Result<()> {
        let mut numbers = [0; 2];
        let values = self.pop_many(2);
        for ((number, value), operand) in numbers.iter_mut().zip(values).zip(operands) {
            let text = self.ev.values.show(value, &self.ev.symbols);
            let Some(found) = integer(&text) else {
                let span = self.ev.source.span(operand);
                let error = Diagnostic::error(codes::ARITHMETIC, span, format!("found `{text}`, expected an integer"));
                return Err(Box::new(error.suggest(&text, self.ev.in_other_case(&text))));
            };
            *number = found;
        }
        let [a, b] = operands;
        let span = self.ev.source.span(a).to(self.ev.source.span(b));
        let result = self.ev.arithmetic(operator, numbers[0], numbers[1], span)?;
        self.values.push(result);
        Ok(())
    }

    fn member(&mut self, domain: ExprRef) -> Result<()> {
        let value = self.pop()?;
        let span = self.ev.source.span(domain);
        let Expr::Name(name) = *self.ev.source.expr(domain) else {
            return error(codes::CONDITION, span, "the right side of `in` must be the name of a domain");
        };
        match self.ev.domains.get(&name) {
            Some(members) => {
                self.truths.push(members.set.contains(&value));
                Ok(())
            }
            None => Err(self.ev.unknown_domain(Name { symbol: name, span })),
        }
    }

    /// Applies something, given by name or as a value.
    fn call(&mut self, callee: ExprRef, arguments: &'a [ExprRef], span: Span) {
        self.tasks.push(Task::Apply(arguments.len(), span));
        self.then(arguments.iter().map(|&argument| Task::Value(argument)));
        match self.ev.source.expr(callee) {
            Expr::Name(name) if self.ev.functions.contains_key(name) => {
                let function = self.ev.values.add(Value::Symbol(*name));
                self.values.push(function);
            }
            _ => self.tasks.push(Task::Value(callee)),
        }
    }

    /// Applies the value on top. Functions and maps take as many arguments as they need; the result takes the others.
    fn apply(&mut self, mut args: Vec<ValueRef>, span: Span) -> Result<()> {
        let mut value = self.pop()?;
        while let Some(&first) = args.first() {
            match self.ev.values.get(value) {
                Value::Map(default, entries) => {
                    let found = entries.binary_search_by_key(&first, |&(key, _)| key).ok();
                    value = found.and_then(|at| entries.get(at)).map_or(*default, |&(_, value)| value);
                    args.remove(0);
                }
                &Value::Symbol(name) if self.ev.functions.contains_key(&name) => {
                    let arity = self.ev.arity(name);
                    if args.len() < arity || arity == 0 {
                        let name = self.ev.symbols.name(name);
                        let wanted = count(arity, "argument");
                        let message = format!("function `{name}` takes {wanted}, found {}", args.len());
                        return error(codes::ARGUMENTS, span, message);
                    }
                    let rest = args.split_off(arity);
                    let application = (name, args.into_boxed_slice());
                    args = rest;
                    match self.ev.results.get(&application) {
                        Some(&(result, _)) => value = result,
                        None => {
                            self.tasks.push(Task::ApplyTo(args, span));
                            return self.enter(application, span);
                        }
                    }
                }
                _ => {
                    let text = self.ev.values.show(value, &self.ev.symbols);
                    let names = self.ev.functions.keys().map(|&f| self.ev.symbols.name(f));
                    let names: Vec<&str> = names.chain(self.ev.in_other_case(&text)).collect();
                    let error = Diagnostic::error(codes::UNKNOWN_FUNCTION, span, format!("`{text}` is not a function"));
                    return Err(Box::new(error.suggest(&text, names)));
                }
            }
        }
        self.values.push(value);
        Ok(())
    }

    /// Begins with the first case of a function that matches.
    fn enter(&mut self, application: Application, span: Span) -> Result<()> {
        if self.calls >= MAX_CALLS {
            let name = self.ev.symbols.name(application.0);
            let message = format!("`{name}` calls itself more than {MAX_CALLS} times; does the recursion end?");
            return error(codes::RECURSION_LIMIT, span, message);
        }
        let cases = self.ev.cases(application.0);
        let fixed = cases.fixed.get(&application.1).copied();
        let earlier = cases.general.iter().copied().take_while(|&index| fixed.is_none_or(|fixed| index < fixed));
        let declared = self.ev.functions.get(&application.0).map_or(&[][..], |function| &function.cases);
        let mark = self.env.len();
        for (index, case) in earlier.chain(fixed).filter_map(|index| Some((index, declared.get(index)?))) {
            self.ev.spend(1, span)?;
            self.env.truncate(mark);
            if case.patterns.len() == application.1.len() && self.matches(&case.patterns, &application.1) {
                self.ev.used_cases.insert((application.0, index));
                self.tasks.push(Task::Leave(application, index, self.base));
                self.tasks.push(Task::Value(case.value));
                self.base = mark;
                self.calls += 1;
                return Ok(());
            }
        }
        self.env.truncate(mark);
        let shown = self.show(application.0, &application.1);
        error(codes::UNCOVERED, span, format!("no case matches `{shown}`"))
    }

    /// Whether patterns match values; their variables are bound.
    fn matches(&mut self, patterns: &[PatternRef], values: &[ValueRef]) -> bool {
        let mut pairs: Vec<(PatternRef, ValueRef)> = Vec::new();
        pairs.extend(patterns.iter().copied().zip(values.iter().copied()).rev());
        while let Some((pattern, value)) = pairs.pop() {
            match (self.ev.source.pattern(pattern), self.ev.values.get(value)) {
                (Pattern::Any, _) => {}
                (Pattern::Name(name), _) if is_upper(self.ev.symbols.name(name.symbol)) => {
                    self.env.push((name.symbol, value));
                }
                (Pattern::Name(name), Value::Symbol(symbol)) if name.symbol == *symbol => {}
                (Pattern::Construct(name, patterns), Value::Term(symbol, list))
                    if name.symbol == *symbol && patterns.len() == list.len() =>
                {
                    pairs.extend(patterns.iter().copied().zip(list.iter().copied()).rev());
                }
                _ => return false,
            }
        }
        true
    }

    /// Begins with a map literal (section 6).
    fn map(&mut self, default: Option<ExprRef>, parts: &'a [Part], span: Span) {
        let (default, parts) = match (default, parts) {
            (None, [only]) if *self.ev.source.pattern(only.pattern) == Pattern::Any => (Some(only.value), &[][..]),
            other => other,
        };
        let literal = Literal {
            parts,
            span,
            awaits: if default.is_some() { Awaits::Default } else { Awaits::Nothing },
            default: None,
            entries: Vec::new(),
            keys: FxHashSet::default(),
            ranges: None,
            outside: self.env.len(),
        };
        self.tasks.push(Task::Map(Box::new(literal)));
        self.tasks.extend(default.map(Task::Value));
    }

    /// Goes on with a map literal: takes the value it waits for, and begins with the next.
    fn literal(&mut self, mut literal: Box<Literal<'a>>) -> Result<()> {
        match std::mem::replace(&mut literal.awaits, Awaits::Nothing) {
            Awaits::Nothing => {}
            Awaits::Default => literal.default = Some(self.pop()?),
            Awaits::Entry(key) => {
                let value = self.pop()?;
                literal.entries.push((key, value));
            }
        }
        while let Some(part) = literal.parts.first() {
            self.env.truncate(literal.outside);
            if literal.ranges.is_none() {
                let ranges: Ranges = part.ranges.iter().map(|range| self.ev.range(range)).collect::<Result<_>>()?;
                let odometer = Odometer::new(ranges.iter().map(|(_, values)| values.len()));
                literal.ranges = Some((ranges, odometer));
            }
            let bindings = literal.ranges.as_mut().and_then(|(ranges, odometer)| {
                let digits = odometer.next()?;
                let chosen = ranges.iter().zip(digits).filter_map(|((name, list), &d)| Some((*name, *list.get(d)?)));
                Some(chosen.collect::<Vec<_>>())
            });
            let Some(bindings) = bindings else {
                literal.ranges = None;
                literal.parts = literal.parts.get(1..).unwrap_or_default();
                continue;
            };
            self.ev.spend(1, part.span)?;
            self.env.extend(bindings);
            let key = self.key(part)?;
            if !literal.keys.insert(key) {
                let message = format!("the key `{}` occurs twice", self.ev.values.show(key, &self.ev.symbols));
                return error(codes::DUPLICATE_KEY, part.span, message);
            }
            literal.awaits = Awaits::Entry(key);
            self.tasks.push(Task::Map(literal));
            self.tasks.push(Task::Value(part.value));
            return Ok(());
        }
        self.finish(*literal)
    }

    fn finish(&mut self, literal: Literal<'_>) -> Result<()> {
        self.env.truncate(literal.outside);
        let given: Vec<ValueRef> = literal.entries.iter().map(|&(key, _)| key).collect();
        match self.ev.values.map(literal.default, literal.entries, &self.ev.symbols) {
            Some(map) => {
                if literal.default.is_none() {
                    self.ev.values.given.entry(map).or_insert(given);
                }
                self.values.push(map);
                Ok(())
            }
            None => error(codes::MAP_KEYS, literal.span, "this map has neither a default nor an entry"),
        }
    }

    /// The value that the key of a part stands for.
    fn key(&mut self, part: &Part) -> Result<ValueRef> {
        let source = self.ev.source;
        let mut values: Vec<ValueRef> = Vec::new();
        let mut tasks = vec![(part.pattern, false)];
        while let Some((pattern, parts_are_done)) = tasks.pop() {
            let value = match source.pattern(pattern) {
                Pattern::Any => return error(codes::WILDCARD, part.span, "`_` must be the only key of its map"),
                Pattern::Name(name) => {
                    let bindings = self.env.get(self.base..).unwrap_or_default();
                    self.ev.name(name.symbol, name.span, bindings)?
                }
                Pattern::Construct(name, patterns) if parts_are_done => {
                    let list = values.split_off(values.len().saturating_sub(patterns.len()));
                    self.ev.term(name.symbol, list, part.span)?
                }
                Pattern::Construct(_, patterns) => {
                    tasks.push((pattern, true));
                    tasks.extend(patterns.iter().rev().map(|&pattern| (pattern, false)));
                    continue;
                }
            };
            values.push(value);
        }
        values.pop().map_or_else(|| error(codes::TYPE, part.span, "this key has no value"), Ok)
    }
}

const NO_CONDITION: &str =
    "this is not a compile-time condition: expected `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `&&` or `||`";
