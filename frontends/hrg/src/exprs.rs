//! Expressions and conditions of graphs (sections 7 and 8.1 of the specification).

use crate::ast::*;
use crate::codes;
use crate::eval::{Result, error};
use crate::graphs::{Context, Graphs};
use crate::values::ValueRef;
use rg_ir::{Diagnostic, Expr as RgExpr, ExprId, Label, NodeId, Span, Symbol, VarId};

impl Graphs<'_, '_> {
    /// The value of an enclosing `branch` or `repeat` variable.
    pub(crate) fn branch_value(&self, name: Symbol) -> Option<ValueRef> {
        let visible = self.env.get(self.scope..).unwrap_or_default();
        visible.iter().rev().find(|(bound, _)| *bound == name).map(|&(_, value)| value)
    }

    fn parameter(&self, name: Symbol, cx: Context) -> Option<VarId> {
        let list = self.parameters.get(cx.graph)?;
        list.iter().find(|(parameter, _)| *parameter == name).map(|&(_, variable)| variable)
    }

    /// The variable that `$$ name` emits.
    pub(crate) fn tagged(&mut self, name: Name, cx: Context) -> Result<VarId> {
        if self.branch_value(name.symbol).is_some() {
            let message = format!("`{}` is no variable; write `$` instead of `$$`", self.text(name.symbol));
            return error(codes::READ_ONLY, name.span, message);
        }
        if let Some(variable) = self.parameter(name.symbol, cx) {
            return Ok(variable);
        }
        let symbol = self.declare.rg_name(name.symbol);
        match self.declare.game.find_var(symbol) {
            Some(variable) => Ok(variable),
            None => Err(self.unknown_variable(name.symbol, name.span)),
        }
    }

    fn unknown_variable(&self, name: Symbol, span: Span) -> Box<Diagnostic> {
        let game = &self.declare.game;
        let text = self.text(name);
        let known: Vec<&str> = game.vars.values().map(|variable| game.name(variable.name)).collect();
        let error = Diagnostic::error(codes::READ_ONLY, span, format!("there is no variable `{text}`"));
        Box::new(error.suggest(text, known))
    }

    /// The left side of an assignment.
    pub(crate) fn target(&mut self, target: ExprRef, cx: Context) -> Result<ExprId> {
        let span = self.declare.ev.source.span(target);
        match self.declare.ev.source.expr(target) {
            Expr::Index(map, key) => {
                let map = self.target(*map, cx)?;
                let key = self.expression(*key, cx)?;
                Ok(self.declare.game.exprs.intern(RgExpr::Access(map, key)))
            }
            Expr::Name(name) => {
                let text = self.text(*name);
                if self.branch_value(*name).is_some() {
                    return error(
                        codes::READ_ONLY,
                        span,
                        format!("`{text}` stands for a value and cannot be assigned"),
                    );
                }
                if self.parameter(*name, cx).is_some() {
                    let message = format!("the parameter `{text}` cannot be assigned");
                    let error = Diagnostic::error(codes::READ_ONLY, span, message);
                    return Err(Box::new(error.help("assign to a variable of another name")));
                }
                let symbol = self.declare.rg_name(*name);
                match self.declare.game.find_var(symbol) {
                    Some(variable) => Ok(self.declare.game.exprs.intern(RgExpr::Var(variable))),
                    None => Err(self.unknown_variable(*name, span)),
                }
            }
            _ => error(codes::READ_ONLY, span, "only variables can be assigned"),
        }
    }

    /// An expression of a graph in RG.
    pub(crate) fn expression(&mut self, expr: ExprRef, cx: Context) -> Result<ExprId> {
        let span = self.declare.ev.source.span(expr);
        match self.declare.ev.source.expr(expr) {
            Expr::Name(name) => self.named(*name, span, cx),
            Expr::Construct(..) => {
                self.constant(expr, cx)?;
                let mut env = self.env.get(self.scope..).unwrap_or_default().to_vec();
                let value = self.declare.ev.eval(expr, &mut env)?;
                let symbol = self.declare.rg_symbol(value, span);
                Ok(self.declare.game.exprs.intern(RgExpr::Symbol(symbol)))
            }
            Expr::Index(map, key) => {
                let map = self.expression(*map, cx)?;
                let key = self.expression(*key, cx)?;
                Ok(self.declare.game.exprs.intern(RgExpr::Access(map, key)))
            }
            Expr::Call(map, keys) => {
                let mut map = self.expression(*map, cx)?;
                for &key in keys {
                    let key = self.expression(key, cx)?;
                    map = self.declare.game.exprs.intern(RgExpr::Access(map, key));
                }
                Ok(map)
            }
            Expr::Binary(..) | Expr::If(..) | Expr::Map(..) => {
                let error = Diagnostic::error(codes::COMPILE_TIME, span, "this can only be computed at compile time");
                Err(Box::new(error.help("write a function and access it here")))
            }
        }
    }

    fn named(&mut self, name: Symbol, span: Span, cx: Context) -> Result<ExprId> {
        if let Some(value) = self.branch_value(name) {
            let symbol = self.declare.rg_symbol(value, span);
            return Ok(self.declare.game.resolve_name(symbol));
        }
        if let Some(variable) = self.parameter(name, cx) {
            return Ok(self.declare.game.exprs.intern(RgExpr::Var(variable)));
        }
        let symbol = self.declare.rg_name(name);
        Ok(self.declare.game.resolve_name(symbol))
    }

    /// Makes sure that the arguments of a constructor depend on nothing but values.
    fn constant(&self, expr: ExprRef, cx: Context) -> Result<()> {
        let source = self.declare.ev.source;
        let span = source.span(expr);
        match source.expr(expr) {
            Expr::Construct(_, arguments) => arguments.iter().try_for_each(|&argument| self.constant(argument, cx)),
            Expr::Binary(_, a, b) => [a, b].into_iter().try_for_each(|&operand| self.constant(operand, cx)),
            Expr::If(a, b, c) => [a, b, c].into_iter().try_for_each(|&part| self.constant(part, cx)),
            Expr::Name(name) if self.branch_value(*name).is_none() => {
                let game = &self.declare.game;
                let symbol = game.symbols.get(self.text(*name));
                let variable = symbol.is_some_and(|s| game.find_var(s).is_some() || game.find_const(s).is_some());
                if variable || self.parameter(*name, cx).is_some() {
                    let message = format!("`{}` has no value at compile time", self.text(*name));
                    return error(codes::NOT_CONSTANT, span, message);
                }
                Ok(())
            }
            Expr::Name(_) => Ok(()),
            Expr::Call(..) | Expr::Index(..) | Expr::Map(..) => {
                error(codes::NOT_CONSTANT, span, "an argument of a constructor must be a compile-time value")
            }
        }
    }

    /// Edges from `n` to `yes` if a condition holds, and to `no` if it does not.
    pub(crate) fn condition(
        &mut self,
        expr: ExprRef,
        n: NodeId,
        yes: Option<NodeId>,
        no: Option<NodeId>,
        cx: Context,
    ) -> Result<()> {
        let span = self.declare.ev.source.span(expr);
        self.deeper(span, |this| this.condition_inner(expr, span, n, yes, no, cx))
    }

    fn condition_inner(
        &mut self,
        expr: ExprRef,
        span: Span,
        n: NodeId,
        yes: Option<NodeId>,
        no: Option<NodeId>,
        cx: Context,
    ) -> Result<()> {
        let source = self.declare.ev.source;
        match source.expr(expr) {
            Expr::Binary(operator @ (Operator::Equal | Operator::NotEqual), a, b) => {
                let (lhs, rhs) = (self.expression(*a, cx)?, self.expression(*b, cx)?);
                let unequal = *operator == Operator::NotEqual;
                self.both(n, yes, no, span, |negated| Label::Compare { lhs, rhs, negated: negated != unequal })
            }
            Expr::Binary(Operator::And, a, b) => self.both_of(*a, *b, n, yes, no, cx),
            Expr::Binary(Operator::Or, a, b) => match no {
                Some(_) => {
                    let middle = self.node(cx.graph, span);
                    self.condition(*a, n, yes, Some(middle), cx)?;
                    self.condition(*b, middle, yes, no, cx)
                }
                None => {
                    self.condition(*a, n, yes, None, cx)?;
                    self.condition(*b, n, yes, None, cx)
                }
            },
            Expr::Call(callee, arguments) => self.special(*callee, arguments, span, n, yes, no, cx),
            _ => error(codes::CONDITION, span, NO_CONDITION),
        }
    }

    /// A conjunction. Without a true exit it is the disjunction of the negations.
    fn both_of(
        &mut self,
        a: ExprRef,
        b: ExprRef,
        n: NodeId,
        yes: Option<NodeId>,
        no: Option<NodeId>,
        cx: Context,
    ) -> Result<()> {
        if yes.is_none() {
            self.condition(a, n, None, no, cx)?;
            return self.condition(b, n, None, no, cx);
        }
        let middle = self.node(cx.graph, self.declare.ev.source.span(b));
        self.condition(a, n, Some(middle), no, cx)?;
        self.condition(b, middle, yes, no, cx)
    }

    fn both(
        &mut self,
        n: NodeId,
        yes: Option<NodeId>,
        no: Option<NodeId>,
        span: Span,
        label: impl Fn(bool) -> Label,
    ) -> Result<()> {
        if let Some(yes) = yes {
            self.edge(n, yes, label(false), span)?;
        }
        no.map_or(Ok(()), |no| self.edge(n, no, label(true), span))
    }

    /// `not`, `reachable`, `true` and `false`.
    #[allow(clippy::too_many_arguments)] // the parts of a call, and where it leads
    fn special(
        &mut self,
        callee: ExprRef,
        arguments: &[ExprRef],
        span: Span,
        n: NodeId,
        yes: Option<NodeId>,
        no: Option<NodeId>,
        cx: Context,
    ) -> Result<()> {
        let source = self.declare.ev.source;
        let word = match source.expr(callee) {
            Expr::Name(name) => self.text(*name).to_owned(),
            _ => String::new(),
        };
        match (word.as_str(), arguments) {
            ("not", [inner]) => self.condition(*inner, n, no, yes, cx),
            ("true", []) => yes.map_or(Ok(()), |yes| self.edge(n, yes, Label::Skip, span)),
            ("false", []) => no.map_or(Ok(()), |no| self.edge(n, no, Label::Skip, span)),
            ("reachable", [call]) => {
                let inner = source.span(*call);
                if let Expr::Call(graph, arguments) = source.expr(*call)
                    && let Expr::Name(symbol) = source.expr(*graph)
                {
                    let name = Name { symbol: *symbol, span: inner };
                    let (from, to) = self.check_instance(name, arguments, cx)?;
                    return self.both(n, yes, no, span, |negated| Label::Reach { from, to, negated });
                }
                error(codes::REACHABLE, inner, "`reachable` takes a call of a graph, such as `reachable(won(me))`")
            }
            ("not" | "true" | "false" | "reachable", _) => {
                let wanted = usize::from(word == "not" || word == "reachable");
                let message = format!("`{word}` takes {wanted} arguments, found {}", arguments.len());
                error(codes::ARGUMENTS, span, message)
            }
            _ => error(codes::CONDITION, span, NO_CONDITION),
        }
    }
}

const NO_CONDITION: &str =
    "this is no condition: expected `==`, `!=`, `&&`, `||`, `not(..)`, `reachable(..)`, `true()` or `false()`";
