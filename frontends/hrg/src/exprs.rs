//! Expressions and conditions of graphs (sections 7 and 8.1 of the specification).

use crate::ast::*;
use crate::codes;
use crate::eval::{Result, error};
use crate::graphs::{Context, Exits, Graphs, Task};
use crate::parse::MAX_NESTING;
use crate::plural::count;
use crate::values::ValueRef;
use rg_ir::check::Ty;
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Expr as RgExpr, ExprId, Label, NodeId, Span, Symbol, VarId};
use std::collections::BTreeSet;

/// How the finding begins that a variable is not declared.
pub(crate) const NO_VARIABLE: &str = "there is no variable";

/// A step of translating an expression.
enum Step {
    Expr(ExprRef),
    /// The expression below is accessed with the one on top.
    Access(Span),
}

/// A translated expression and how deeply it nests.
type Deep = (ExprId, usize);

impl<'a> Graphs<'_, 'a> {
    /// The variable that `$$ name` emits; none if its declaration has a mistake.
    pub(crate) fn tagged(&mut self, name: Name, cx: Context) -> Result<Option<VarId>> {
        if self.branch_value(name.symbol, cx).is_some() {
            let message = format!("`{}` is not a variable; write `$` instead of `$$`", self.text(name.symbol));
            return error(codes::READ_ONLY, name.span, message);
        }
        match self.parameter(name.symbol, cx) {
            Some(variable) => Ok(variable),
            None => self.variable(name.symbol, name.span),
        }
    }

    /// A variable by name; none if its declaration has a mistake.
    fn variable(&mut self, name: Symbol, span: Span) -> Result<Option<VarId>> {
        let symbol = self.declare.rg_name(name);
        if let Some(variable) = self.declare.game.find_var(symbol) {
            return Ok(Some(variable));
        }
        if self.declare.broken.contains(&name) {
            return Ok(None);
        }
        let game = &self.declare.game;
        let text = self.text(name);
        let mut known: Vec<&str> = game.vars.values().map(|variable| game.name(variable.name)).collect();
        let mut broken: Vec<&str> = self.declare.broken.iter().map(|&broken| self.text(broken)).collect();
        broken.sort_unstable();
        known.append(&mut broken);
        if self.declare.ev.functions.contains_key(&name) {
            return error(codes::READ_ONLY, span, format!("`{text}` is a function, expected a variable"));
        }
        let error = Diagnostic::error(codes::READ_ONLY, span, format!("{NO_VARIABLE} `{text}`"));
        Err(Box::new(error.suggest(text, known)))
    }

    /// The left side of an assignment. Its root must be a variable.
    pub(crate) fn target(&mut self, target: ExprRef, cx: Context) -> Result<ExprId> {
        let source = self.declare.ev.source;
        let mut root = target;
        while let Expr::Index(map, _) = source.expr(root) {
            root = *map;
        }
        let span = source.span(root);
        let Expr::Name(name) = *source.expr(root) else {
            return error(codes::READ_ONLY, span, "only variables can be assigned");
        };
        let text = self.text(name);
        if self.branch_value(name, cx).is_some() {
            return error(codes::READ_ONLY, span, format!("`{text}` stands for a value and cannot be assigned"));
        }
        if self.parameter(name, cx).is_some() {
            let message = format!("the parameter `{text}` cannot be assigned");
            let error = Diagnostic::error(codes::READ_ONLY, span, message);
            return Err(Box::new(error.help("assign to a variable of another name")));
        }
        self.variable(name, span)?;
        self.expression(target, cx)
    }

    /// An expression of a graph in RG.
    pub(crate) fn expression(&mut self, expr: ExprRef, cx: Context) -> Result<ExprId> {
        let source = self.declare.ev.source;
        let mut steps = vec![Step::Expr(expr)];
        let mut done: Vec<Deep> = Vec::new();
        while let Some(step) = steps.pop() {
            let next = match step {
                Step::Access(span) => {
                    let (Some(key), Some(map)) = (done.pop(), done.pop()) else { break };
                    self.access(map, key, span)?
                }
                Step::Expr(expr) => {
                    let span = source.span(expr);
                    match source.expr(expr) {
                        Expr::Name(name) => (self.named(*name, span, cx), 1),
                        Expr::Construct(..) => (self.term(expr, span, cx)?, 1),
                        Expr::Index(map, key) => {
                            steps.extend([Step::Access(span), Step::Expr(*key), Step::Expr(*map)]);
                            continue;
                        }
                        Expr::Call(map, keys) => {
                            for &key in keys.iter().rev() {
                                steps.extend([Step::Access(span), Step::Expr(key)]);
                            }
                            steps.push(Step::Expr(*map));
                            continue;
                        }
                        Expr::Binary(..) | Expr::If(..) | Expr::Map(..) => {
                            let message = "this can only be computed at compile time";
                            let error = Diagnostic::error(codes::COMPILE_TIME, span, message);
                            return Err(Box::new(error.help("write a function and access it here")));
                        }
                    }
                }
            };
            done.push(next);
        }
        match done.pop() {
            Some((id, _)) => Ok(id),
            None => error(codes::COMPILE_TIME, source.span(expr), "this has no value"),
        }
    }

    fn access(&mut self, map: Deep, key: Deep, span: Span) -> Result<Deep> {
        let depth = map.1.max(key.1) + 1;
        if depth > MAX_NESTING {
            return error(codes::NESTING, span, format!("accesses nest more than {MAX_NESTING} deep"));
        }
        Ok((self.declare.game.exprs.intern(RgExpr::Access(map.0, key.0)), depth))
    }

    fn named(&mut self, name: Symbol, span: Span, cx: Context) -> ExprId {
        if let Some(value) = self.branch_value(name, cx) {
            let symbol = self.declare.rg_symbol(value, span);
            return self.declare.game.resolve_name(symbol);
        }
        if let Some(Some(variable)) = self.parameter(name, cx) {
            return self.declare.game.exprs.intern(RgExpr::Var(variable));
        }
        let symbol = self.declare.rg_name(name);
        let found = self.declare.game.resolve_name(symbol);
        if matches!(self.declare.game.exprs.get(found), RgExpr::Symbol(_)) && !self.is_known(name) {
            self.unknown(name, span, cx);
        }
        found
    }

    /// Whether a name may stand for itself: it is a symbol of a type or of a list, or a number.
    fn is_known(&self, name: Symbol) -> bool {
        let text = self.text(name);
        self.declare.written.contains_key(text)
            || self.listed.as_ref().is_none_or(|listed| listed.contains(&name))
            || ["keeper", "random"].contains(&text)
            || text.bytes().all(|byte| byte.is_ascii_digit())
            || self.declare.broken.contains(&name)
            || self.parameters.iter().flatten().any(|(parameter, variable)| *parameter == name && variable.is_none())
            || self.declare.ev.functions.contains_key(&name)
    }

    /// Reports a name that stands for nothing, with those that are visible there as suggestions.
    fn unknown(&mut self, name: Symbol, span: Span, cx: Context) {
        let text = self.text(name).to_owned();
        let parameters = self.parameters.get(cx.graph).into_iter().flatten().map(|(parameter, _)| *parameter);
        let mut known: Vec<&str> =
            parameters.chain(self.visible(cx).map(|(name, _)| name)).map(|name| self.text(name)).collect();
        // Variables of parameters have names that nothing in the description has.
        let names = self.declare.ev.places.iter().chain(self.declare.ev.functions.keys());
        let mut global: Vec<&str> = names.map(|name| self.text(*name)).collect();
        global.extend(self.declare.written.keys().map(String::as_str));
        global.extend(["keeper", "random"]);
        global.sort_unstable();
        known.append(&mut global);
        let message = format!("`{text}` is neither a variable nor a symbol of a domain");
        let error = Diagnostic::error(codes::UNBOUND, span, message).suggest(&text, known);
        self.declare.ev.report.push(error);
    }

    /// A constructor term, evaluated at compile time.
    fn term(&mut self, expr: ExprRef, span: Span, cx: Context) -> Result<ExprId> {
        self.must_be_constant(expr, cx)?;
        let mut bindings: Vec<(Symbol, ValueRef)> = self.visible(cx).collect();
        bindings.reverse();
        let value = self.declare.ev.eval(expr, &bindings)?;
        let symbol = self.declare.rg_symbol(value, span);
        Ok(self.declare.game.exprs.intern(RgExpr::Symbol(symbol)))
    }

    /// Makes sure that the arguments of a constructor depend on nothing but values.
    fn must_be_constant(&self, expr: ExprRef, cx: Context) -> Result<()> {
        let source = self.declare.ev.source;
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            let span = source.span(expr);
            match source.expr(expr) {
                Expr::Construct(_, arguments) => stack.extend(arguments.iter().rev()),
                Expr::Binary(_, a, b) => stack.extend([b, a]),
                Expr::If(a, b, c) => stack.extend([c, b, a]),
                Expr::Name(name) if self.branch_value(*name, cx).is_none() => {
                    let game = &self.declare.game;
                    let symbol = game.symbols.get(self.text(*name));
                    let known = symbol.is_some_and(|s| game.find_var(s).is_some() || game.find_const(s).is_some());
                    if known || self.parameter(*name, cx).is_some() || self.declare.broken.contains(name) {
                        let message = format!("`{}` has no value at compile time", self.text(*name));
                        return error(codes::NOT_CONSTANT, span, message);
                    }
                }
                Expr::Name(_) => {}
                Expr::Call(..) | Expr::Index(..) | Expr::Map(..) => {
                    let message = "an argument of a constructor must be a compile-time value";
                    return error(codes::NOT_CONSTANT, span, message);
                }
            }
        }
        Ok(())
    }

    /// Edges from `n` to `yes` if a condition holds, and to `no` if it does not.
    pub(crate) fn condition(&mut self, expr: ExprRef, n: NodeId, exits: Exits, cx: Context) -> Result<()> {
        let source = self.declare.ev.source;
        let span = source.span(expr);
        match source.expr(expr) {
            Expr::Binary(operator @ (Operator::Equal | Operator::NotEqual), a, b) => {
                let (lhs, rhs) = (self.expression(*a, cx), self.expression(*b, cx));
                let (lhs, rhs) = self.both_of(lhs, rhs)?;
                self.enough_arguments([*a, *b], [lhs, rhs])?;
                let unequal = *operator == Operator::NotEqual;
                let label = |negated| Label::Compare { lhs, rhs, negated: negated != unequal };
                self.both(n, exits, span, label, &self.places(&[*a, *b]))
            }
            Expr::Binary(Operator::And, a, b) => {
                // Without a true exit it is the disjunction of the negations.
                let after = exits.yes.map(|_| self.node(cx.graph, source.span(*b)));
                self.parallel.extend(after.is_none().then(|| (source.span(*a), source.span(*b))));
                self.tasks.push(Task::Condition(*a, n, Exits { yes: after, ..exits }, cx));
                self.tasks.push(Task::Condition(*b, after.unwrap_or(n), exits, cx));
                Ok(())
            }
            Expr::Binary(Operator::Or, a, b) => {
                let after = exits.no.map(|_| self.node(cx.graph, source.span(*b)));
                self.parallel.extend(after.is_none().then(|| (source.span(*a), source.span(*b))));
                self.tasks.push(Task::Condition(*a, n, Exits { no: after, ..exits }, cx));
                self.tasks.push(Task::Condition(*b, after.unwrap_or(n), exits, cx));
                Ok(())
            }
            Expr::Call(..) => self.special(expr, n, exits, cx),
            Expr::Binary(Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual, ..) => {
                let error = Diagnostic::error(codes::CONDITION, span, NO_ORDER);
                Err(Box::new(error.help("write a function to a domain of two values, and compare its result")))
            }
            _ => Err(Box::new(self.no_condition(expr))),
        }
    }

    fn both(
        &mut self,
        n: NodeId,
        exits: Exits,
        span: Span,
        label: impl Fn(bool) -> Label,
        places: &[Span],
    ) -> Result<()> {
        if let Some(yes) = exits.yes {
            self.edge_of(n, yes, label(false), span, places)?;
        }
        exits.no.map_or(Ok(()), |no| self.edge_of(n, no, label(true), span, places))
    }

    /// Where expressions of a graph and their parts stand, in the order that edges have them in ([`rg_ir::Edge::spans`]): accesses from the outside in,
    /// maps before keys. Linear.
    pub(crate) fn places(&self, exprs: &[ExprRef]) -> Vec<Span> {
        let source = self.declare.ev.source;
        let mut places = Vec::new();
        let mut left: Vec<ExprRef> = exprs.iter().rev().copied().collect();
        while let Some(expr) = left.pop() {
            let (map, keys) = match source.expr(expr) {
                Expr::Index(map, key) => (map, std::slice::from_ref(key)),
                Expr::Call(map, keys) => (map, keys.as_slice()),
                _ => {
                    places.push(source.span(expr));
                    continue;
                }
            };
            places.extend(keys.iter().map(|_| source.span(expr)));
            left.extend(keys.iter().rev());
            left.push(*map);
        }
        places
    }

    /// `not`, `reachable`, `true` and `false`.
    fn special(&mut self, expr: ExprRef, n: NodeId, exits: Exits, cx: Context) -> Result<()> {
        let source = self.declare.ev.source;
        let span = source.span(expr);
        let Expr::Call(callee, arguments) = source.expr(expr) else { return Err(Box::new(self.no_condition(expr))) };
        let word = match source.expr(*callee) {
            Expr::Name(name) => self.text(*name).to_owned(),
            _ => String::new(),
        };
        match (word.as_str(), arguments.as_slice()) {
            ("not", [inner]) => {
                self.tasks.push(Task::Condition(*inner, n, Exits { yes: exits.no, no: exits.yes }, cx));
                Ok(())
            }
            ("true", []) => exits.yes.map_or(Ok(()), |yes| self.edge(n, yes, Label::Skip, span)),
            ("false", []) => exits.no.map_or(Ok(()), |no| self.edge(n, no, Label::Skip, span)),
            ("reachable", [call]) => {
                let inner = source.span(*call);
                if let Expr::Call(graph, arguments) = source.expr(*call)
                    && let Expr::Name(symbol) = source.expr(*graph)
                {
                    let name = Name { symbol: *symbol, span: inner };
                    let Some((from, to)) = self.check_instance(name, arguments, cx)? else { return Ok(()) };
                    return self.both(n, exits, span, |negated| Label::Reach { from, to, negated }, &[]);
                }
                let message = "`reachable` takes a call of a graph, such as `reachable(won(me))`";
                let wrong = Diagnostic::error(codes::REACHABLE, inner, message);
                // Names of graphs begin with a small letter.
                let Expr::Construct(name, _) = source.expr(*call) else { return Err(Box::new(wrong)) };
                let symbols = &self.declare.ev.symbols;
                let graphs: BTreeSet<&str> = self.by_name.keys().map(|&graph| symbols.name(graph)).collect();
                let name = symbols.name(*name);
                let start = Span { end: inner.start + u32::try_from(name.len()).unwrap_or(0), ..inner };
                Err(Box::new(wrong.suggest_at(start, name, graphs)))
            }
            ("not" | "true" | "false" | "reachable", _) => {
                let wanted = usize::from(word == "not" || word == "reachable");
                let message = format!("`{word}` takes {}, found {}", count(wanted, "argument"), arguments.len());
                error(codes::ARGUMENTS, span, message)
            }
            _ => {
                let error = self.no_condition(expr);
                let symbol = self.declare.ev.symbols.get(&word);
                let is_graph = symbol.is_some_and(|symbol| self.by_name.contains_key(&symbol));
                Err(Box::new(match is_graph {
                    true => within(error.help(format!("write `reachable({word}(..))`")), "reachable"),
                    false if error.help.is_some() => error,
                    false => error.suggest(&word, ["not", "true", "false", "reachable"]),
                }))
            }
        }
    }

    /// The error that an expression is no condition; a value can be compared with another one.
    fn no_condition(&self, expr: ExprRef) -> Diagnostic {
        let source = self.declare.ev.source;
        let error = Diagnostic::error(codes::CONDITION, source.span(expr), NO_CONDITION);
        let mut root = expr;
        while let Expr::Index(inner, _) | Expr::Call(inner, _) = source.expr(root) {
            root = *inner;
        }
        let Expr::Name(name) = source.expr(root) else { return error };
        let function = self.declare.ev.functions.get(name).map(|function| &function.ty);
        let variable = source.variables.iter().find(|variable| variable.name.symbol == *name).map(|found| &found.ty);
        let parameters = source.graphs.iter().flat_map(|graph| &graph.parameters);
        let mut parameter = parameters.filter(|(parameter, _)| parameter.symbol == *name).map(|(_, ty)| ty);
        let Some(ty) = function.or(variable).or(parameter.next_back()) else { return error };
        let has_one = match &ty.result {
            ResultType::Name(of) if self.text(of.symbol) == "Bool" => true,
            ResultType::Name(of) => self
                .declare
                .ev
                .domains
                .get(&of.symbol)
                .is_some_and(|members| members.list.iter().any(|&value| self.declare.ev.head(value) == "1")),
            ResultType::Set(members) => members.iter().any(|member| self.text(member.symbol) == "1"),
        };
        let error = error.help("a value has to be compared, as in `value == 1`");
        let end = Span { start: source.span(expr).end, ..source.span(expr) };
        if has_one { error.fix("add `== 1`", end, " == 1").unsure() } else { error }
    }

    /// An error if one of two sides is a call that lacks arguments, as it stands for a map, and the other one is not.
    pub(crate) fn enough_arguments(&self, sides: [ExprRef; 2], [left, right]: [ExprId; 2]) -> Result<()> {
        let game = &self.declare.game;
        let is_map = |id: ExprId| match rg_ir::check::expr_type(game, id) {
            Some(Ty::Type(ty)) => game.types.as_arrow(ty).is_some(),
            _ => false,
        };
        let wanting = match (is_map(left), is_map(right)) {
            (true, false) => sides[0],
            (false, true) => sides[1],
            _ => return Ok(()),
        };
        let source = self.declare.ev.source;
        let Expr::Call(callee, arguments) = source.expr(wanting) else { return Ok(()) };
        let Expr::Name(name) = source.expr(*callee) else { return Ok(()) };
        let Some(function) = self.declare.ev.functions.get(name) else { return Ok(()) };
        let (takes, found) = (count(function.ty.keys.len(), "argument"), arguments.len());
        let message = format!("`{}` takes {takes}, found {found}", self.text(*name));
        let error = Diagnostic::error(codes::ARGUMENTS, source.span(wanting), message);
        Err(Box::new(error.also(function.name.span, "declared here")))
    }
}

/// A finding with a fix that puts all of its place into the brackets of a word.
pub(crate) fn within(mut finding: Diagnostic, word: &str) -> Diagnostic {
    let Some(place) = finding.primary.as_ref().map(|primary| primary.span) else { return finding };
    let edit = |at: u32, text: String| Edit { span: Span { start: at, end: at, ..place }, instead_of: None, text };
    let edits = vec![edit(place.start, format!("{word}(")), edit(place.end, ")".to_owned())];
    finding.fixes.push(Fix { title: format!("write `{word}(…)`"), edits, applies: Applies::Always });
    finding
}

/// What is said of values that are ordered while a game is played.
pub(crate) const NO_ORDER: &str = "values can only be ordered at compile time";

const NO_CONDITION: &str =
    "this is not a condition: expected `==`, `!=`, `&&`, `||`, `not(..)`, `reachable(..)`, `true()` or `false()`";
