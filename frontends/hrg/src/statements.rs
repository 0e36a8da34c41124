//! Statements become edges (section 8 of the specification).

use crate::ast::*;
use crate::codes;
use crate::eval::{Result, error};
use crate::graphs::{Context, Exits, Graphs, Task};
use crate::values::ValueRef;
use rg_ir::{Diagnostic, Label, NodeId, Span};
use std::collections::hash_map::Entry;

/// Calls that leave the block they stand in.
const JUMPS: [&str; 4] = ["break", "continue", "return", "end"];

impl<'a> Graphs<'_, 'a> {
    /// Adds the statements of a block to what is to be done.
    pub(crate) fn block(&mut self, block: &'a Block, from: NodeId, to: NodeId, cx: Context, span: Span) -> Result<()> {
        let source = self.declare.ev.source;
        let Some((&last, init)) = block.split_last() else { return self.edge(from, to, Label::Skip, span) };
        let mut at = from;
        let mut jump = None;
        for &statement in init {
            self.behind_jump(&mut jump, source.statement(statement));
            let next = self.node(cx.graph, source.statement(statement).span);
            self.tasks.push(Task::Statement(statement, at, next, cx));
            at = next;
        }
        self.behind_jump(&mut jump, source.statement(last));
        self.tasks.push(Task::Statement(last, at, to, cx));
        Ok(())
    }

    /// Reports the first statement behind a jump; `jump` is the one before, if there is one.
    fn behind_jump(&mut self, jump: &mut Option<(Name, Span)>, statement: &Statement) {
        if let Some((name, span)) = jump.take() {
            let message = format!("nothing after `{}()` is ever executed", self.text(name.symbol));
            let error = rg_ir::Diagnostic::error(codes::DEAD_STATEMENT, statement.span, message);
            self.declare.ev.report.push(error.also(span, "the jump"));
        }
        if let StatementKind::Call(name, _) = &statement.kind
            && JUMPS.contains(&self.text(name.symbol))
        {
            *jump = Some((*name, statement.span));
        }
    }

    /// Edges of a statement from `n` to `m`; its blocks and conditions are added to what is to be done.
    pub(crate) fn statement(&mut self, statement: &'a Statement, n: NodeId, m: NodeId, cx: Context) -> Result<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let (lhs, rhs) = (self.target(*target, cx), self.expression(*value, cx));
                let (lhs, rhs) = self.both_of(lhs, rhs)?;
                self.enough_arguments([*target, *value], [lhs, rhs])?;
                self.edge_of(n, m, Label::Assign { lhs, rhs }, span, &self.places(&[*target, *value]))
            }
            StatementKind::AssignAny(target, ty) => {
                let lhs = self.target(*target, cx)?;
                self.declare.shape(ty)?;
                let ty = self.declare.rg_type(ty);
                self.edge_of(n, m, Label::AssignAny { lhs, ty }, span, &self.places(&[*target]))
            }
            StatementKind::Call(name, arguments) => self.call(*name, arguments, n, m, cx, span),
            StatementKind::TagVariable(name) => match self.tagged(*name, cx)? {
                Some(variable) => self.edge(n, m, Label::TagVar(variable), span),
                None => Ok(()),
            },
            StatementKind::Tag(artificial, names) => self.tag(*artificial, names, [n, m], cx, span),
            StatementKind::Branch(arms) => {
                self.tasks.extend(arms.iter().map(|arm| Task::Block(arm, n, m, cx, span)));
                Ok(())
            }
            StatementKind::BranchIn(name, ty, body) => {
                for value in self.copies(ty, span)? {
                    let cx = self.bind(*name, value, cx);
                    self.tasks.push(Task::Block(body, n, m, cx, span));
                }
                Ok(())
            }
            StatementKind::Repeat(count, body) => {
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                self.spend(count, span)?;
                self.repeat(std::iter::repeat_n(None, count), body, [n, m], cx, span)
            }
            StatementKind::RepeatIn(name, ty, body) => {
                let values = self.copies(ty, span)?;
                self.repeat(values.into_iter().map(|value| Some((*name, value))), body, [n, m], cx, span)
            }
            StatementKind::Loop(body) => {
                let head = self.node(cx.graph, span);
                let cx = Context { on_break: Some(m), on_continue: Some(head), ..cx };
                self.tasks.push(Task::Block(body, head, head, cx, span));
                self.edge(n, head, Label::Skip, span)
            }
            StatementKind::While(condition, body) => {
                let (head, yes) = (self.node(cx.graph, span), self.node(cx.graph, span));
                self.tasks.push(Task::Condition(*condition, head, Exits { yes: Some(yes), no: Some(m) }, cx));
                let cx = Context { on_break: Some(m), on_continue: Some(head), ..cx };
                self.tasks.push(Task::Block(body, yes, head, cx, span));
                self.edge(n, head, Label::Skip, span)
            }
            StatementKind::If(condition, yes, no) => {
                let then = self.node(cx.graph, span);
                let otherwise = if no.is_some() { self.node(cx.graph, span) } else { m };
                let exits = Exits { yes: Some(then), no: Some(otherwise) };
                self.tasks.push(Task::Condition(*condition, n, exits, cx));
                self.tasks.push(Task::Block(yes, then, m, cx, span));
                self.tasks.extend(no.as_ref().map(|no| Task::Block(no, otherwise, m, cx, span)));
                Ok(())
            }
        }
    }

    /// Both of two results; of two mistakes, the first one is reported here.
    pub(crate) fn both_of<A, B>(&mut self, first: Result<A>, second: Result<B>) -> Result<(A, B)> {
        match (first, second) {
            (Ok(first), Ok(second)) => Ok((first, second)),
            (Err(first), Err(second)) => {
                self.declare.ev.report.push(*first);
                Err(second)
            }
            (Err(finding), _) | (_, Err(finding)) => Err(finding),
        }
    }

    /// Copies of a block in a row, with or without a variable. A jump goes to the next copy or behind the last.
    fn repeat(
        &mut self,
        copies: impl ExactSizeIterator<Item = Option<(Name, ValueRef)>>,
        body: &'a Block,
        [n, m]: [NodeId; 2],
        cx: Context,
        span: Span,
    ) -> Result<()> {
        if copies.len() == 0 {
            return self.edge(n, m, Label::Skip, span);
        }
        let (mut at, last) = (n, copies.len() - 1);
        for (index, binding) in copies.enumerate() {
            let next = if index == last { m } else { self.node(cx.graph, span) };
            let mut cx = Context { on_break: Some(m), on_continue: Some(next), ..cx };
            if let Some((name, value)) = binding {
                cx = self.bind(name, value, cx);
            }
            self.tasks.push(Task::Block(body, at, next, cx, span));
            at = next;
        }
        Ok(())
    }

    /// The values over which a statement is copied.
    fn copies(&mut self, ty: &Type, span: Span) -> Result<Vec<ValueRef>> {
        let shape = self.declare.shape(ty)?;
        if !shape.keys.is_empty() {
            return error(codes::KEY_TYPE, ty.span, "the values of a map type cannot be listed");
        }
        self.spend(shape.result.len(), span)?;
        Ok(shape.result)
    }

    fn tag(&mut self, artificial: bool, names: &[Name], [n, m]: [NodeId; 2], cx: Context, span: Span) -> Result<()> {
        let mut parts = Vec::new();
        for name in names {
            parts.push(match self.branch_value(name.symbol, cx) {
                Some(value) => self.declare.ev.values.serialise(value, &self.declare.ev.symbols),
                None => self.text(name.symbol).to_owned(),
            });
        }
        let tag = self.declare.game.symbols.intern(&parts.join("__"));
        if let Entry::Vacant(first) = self.tags.entry((tag, artificial)) {
            first.insert(span);
            self.artificial.extend(artificial.then_some(tag));
            self.warn_of_variable(artificial, names, cx, span);
        }
        self.edge(n, m, Label::Tag(tag), span)
    }

    /// Warns of a tag that has the name of a variable or parameter.
    fn warn_of_variable(&mut self, artificial: bool, names: &[Name], cx: Context, span: Span) {
        for name in names {
            let symbol = self.declare.rg_name(name.symbol);
            let is_value = self.branch_value(name.symbol, cx).is_some();
            let is_variable = self.parameter(name.symbol, cx).is_some() || self.declare.game.find_var(symbol).is_some();
            if is_value || !is_variable {
                continue;
            }
            let text = self.text(name.symbol);
            let message = format!("the tag is the word `{text}`, not what the variable `{text}` holds");
            let mut warning = Diagnostic::warning(codes::TAG_OF_VARIABLE, name.span, message)
                .help(format!("`$$ {text}` emits what it holds"));
            if names.len() == 1 && !artificial {
                let sign = Span { end: span.start, ..span };
                warning = warning.fix(format!("write `$$ {text}`"), sign, "$").unsure();
            }
            self.declare.ev.report.push(warning);
        }
    }
}
