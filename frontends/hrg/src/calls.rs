//! Calls of graphs, and the words that look like calls (sections 7 and 8 of the specification).

use crate::ast::*;
use crate::codes;
use crate::eval::{Result, error};
use crate::exprs;
use crate::graphs::{Context, Exits, Graphs, Task};
use crate::plural::count;
use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::{Diagnostic, Expr as RgExpr, ExprId, Label, NodeId, Span};
use rustc_hash::FxHashMap;

/// Words that begin statements, which a misspelt call may have meant.
const STATEMENTS: [&str; 10] =
    ["branch", "break", "check", "continue", "end", "if", "loop", "repeat", "return", "while"];

impl<'a> Graphs<'_, 'a> {
    /// Finds graphs that call themselves, and reports each of them once. Linear.
    pub(crate) fn find_recursion(&mut self) {
        let source = self.declare.ev.source;
        let mut calls: DiGraph<(), Span, usize> = DiGraph::default();
        let nodes: Vec<NodeIndex<usize>> = source.graphs.iter().map(|_| calls.add_node(())).collect();
        for (graph, &node) in source.graphs.iter().zip(&nodes) {
            for (name, span) in calls_of(source, graph) {
                if let Some(&target) = self.by_name.get(&name).and_then(|&target| nodes.get(target)) {
                    calls.add_edge(node, target, span);
                }
            }
        }
        self.group = vec![0; nodes.len()];
        for (number, component) in petgraph::algo::kosaraju_scc(&calls).into_iter().enumerate() {
            for &node in &component {
                if let Some(group) = self.group.get_mut(node.index()) {
                    *group = number + 1;
                }
            }
        }
        let inside = |edge| calls.edge_endpoints(edge).is_some_and(|(a, b)| self.same_group(a.index(), b.index()));
        let mut places: FxHashMap<usize, Vec<(usize, Span)>> = FxHashMap::default();
        for edge in calls.edge_indices().filter(|&edge| inside(edge)) {
            let (Some((from, _)), Some(&span)) = (calls.edge_endpoints(edge), calls.edge_weight(edge)) else {
                continue;
            };
            let group = self.group.get(from.index()).copied().unwrap_or(0);
            places.entry(group).or_default().push((from.index(), span));
        }
        let mut places: Vec<Vec<(usize, Span)>> = places.into_values().collect();
        places.sort_by_key(|calls| calls.first().map(|(_, span)| span.start));
        for calls in places {
            self.report_recursion(&calls);
        }
    }

    fn report_recursion(&mut self, calls: &[(usize, Span)]) {
        let Some((&(first, span), rest)) = calls.split_first() else { return };
        let name = self.graph(first).map_or("", |graph| self.text(graph.name.symbol));
        let through = if rest.iter().any(|&(graph, _)| graph != first) { " through others" } else { "" };
        let message = format!("graph `{name}` calls itself{through}");
        let mut error = Diagnostic::error(codes::RECURSIVE, span, message);
        for &(_, span) in rest.iter().take(3) {
            error = error.also(span, "this call is part of the circle");
        }
        self.declare.ev.report.push(error.help("calls are unrolled; repeat things with `loop` or `while`"));
    }

    fn same_group(&self, a: usize, b: usize) -> bool {
        a == b || self.group.get(a) == self.group.get(b)
    }

    /// A call, or a word that looks like one.
    pub(crate) fn call(
        &mut self,
        name: Name,
        args: &'a [ExprRef],
        n: NodeId,
        m: NodeId,
        cx: Context,
        span: Span,
    ) -> Result<()> {
        let word = self.text(name.symbol).to_owned();
        let target = match word.as_str() {
            "check" => {
                let [condition] = args else {
                    return error(codes::ARGUMENTS, span, format!("`check` takes one condition, found {}", args.len()));
                };
                self.tasks.push(Task::Condition(*condition, n, Exits { yes: Some(m), no: None }, cx));
                return Ok(());
            }
            "break" => cx.on_break,
            "continue" => cx.on_continue,
            "return" => Some(cx.on_return),
            "end" => Some(cx.on_end.unwrap_or(self.declare.game.end())),
            "not" | "reachable" | "true" | "false" => {
                let error =
                    Diagnostic::error(codes::CONDITION, span, format!("found `{word}(..)`, expected a statement"));
                let error = error.help(format!("conditions are tested with `check({word}(..))`"));
                return Err(Box::new(exprs::within(error, "check")));
            }
            _ => return self.call_graph(name, args, [n, m], cx, span),
        };
        if !args.is_empty() {
            return error(codes::ARGUMENTS, span, format!("`{word}` takes no arguments, found {}", args.len()));
        }
        let Some(target) = target else {
            return error(codes::OUTSIDE_LOOP, span, format!("`{word}()` outside of `loop`, `while` and `repeat`"));
        };
        let mut label = Label::Skip;
        if word == "end" {
            let game = &mut self.declare.game;
            let (player, keeper) = (game.symbols.intern("player"), game.symbols.intern("keeper"));
            label = Label::Assign { lhs: game.resolve_name(player), rhs: game.resolve_name(keeper) };
        }
        self.edge(n, target, label, span)
    }

    fn call_graph(&mut self, name: Name, args: &[ExprRef], [n, m]: [NodeId; 2], cx: Context, span: Span) -> Result<()> {
        let graph = self.find(name, cx)?;
        let values = self.arguments(args, cx)?;
        self.used.insert(graph);
        let entry = self.assign_arguments(graph, name, (args, &values), n, span)?;
        if self.same_group(graph, cx.graph) {
            return Ok(());
        }
        // The body never comes back to where it begins: loops have a head of their own.
        self.enter(graph, entry, m, cx.on_end, span);
        Ok(())
    }

    fn find(&self, name: Name, cx: Context) -> Result<usize> {
        let text = self.text(name.symbol);
        if self.branch_value(name.symbol, cx).is_some() {
            let message = format!("`{text}` stands for a value and cannot be called");
            return error(codes::UNKNOWN_GRAPH, name.span, message);
        }
        if let Some(&graph) = self.by_name.get(&name.symbol) {
            return Ok(graph);
        }
        let graphs = self.declare.ev.source.graphs.iter().map(|g| self.text(g.name.symbol));
        let known: Vec<&str> = graphs.chain(STATEMENTS.iter().copied()).collect();
        let mut unknown = Diagnostic::error(codes::UNKNOWN_GRAPH, name.span, format!("there is no graph `{text}`"));
        if self.declare.ev.functions.contains_key(&name.symbol) {
            unknown = unknown.note("a function of that name can be used in expressions only");
        }
        Err(Box::new(unknown.suggest(text, known)))
    }

    fn arguments(&mut self, args: &[ExprRef], cx: Context) -> Result<Vec<ExprId>> {
        args.iter().map(|&arg| self.expression(arg, cx)).collect()
    }

    /// Assigns arguments, as they are written and in RG; the result is where the body begins.
    fn assign_arguments(
        &mut self,
        graph: usize,
        name: Name,
        (args, values): (&[ExprRef], &[ExprId]),
        n: NodeId,
        span: Span,
    ) -> Result<NodeId> {
        let parameters = self.parameters.get(graph).cloned().unwrap_or_default();
        if parameters.len() != args.len() {
            let (wanted, found) = (count(parameters.len(), "argument"), args.len());
            let message = format!("graph `{}` takes {wanted}, found {found}", self.text(name.symbol));
            let declared = self.graph(graph).map_or(Span::NONE, |graph| graph.name.span);
            let error = Diagnostic::error(codes::ARGUMENTS, span, message);
            return Err(Box::new(error.also(declared, "declared here")));
        }
        let mut at = n;
        for ((&(_, variable), &arg), &rhs) in parameters.iter().zip(args).zip(values) {
            let Some(variable) = variable else { continue };
            let next = self.node(graph, span);
            let lhs = self.declare.game.exprs.intern(RgExpr::Var(variable));
            // The parameter has no place of its own.
            let mut places = vec![self.declare.ev.source.span(arg)];
            places.extend(self.places(&[arg]));
            self.edge_of(at, next, Label::Assign { lhs, rhs }, span, &places)?;
            at = next;
        }
        Ok(at)
    }

    /// The start and exit nodes of a call inside a check; `None` if the call is recursive. Equal calls share them.
    pub(crate) fn check_instance(
        &mut self,
        name: Name,
        args: &[ExprRef],
        cx: Context,
    ) -> Result<Option<(NodeId, NodeId)>> {
        let graph = self.find(name, cx)?;
        self.used.insert(graph);
        let key = (graph, self.arguments(args, cx)?);
        if let Some(&nodes) = self.checks.get(&key) {
            return Ok(Some(nodes));
        }
        let (start, exit) = (self.node(graph, name.span), self.node(graph, name.span));
        let first = self.assign_arguments(graph, name, (args, &key.1), start, name.span)?;
        if self.same_group(graph, cx.graph) {
            return Ok(None);
        }
        self.enter(graph, first, exit, Some(exit), name.span);
        self.checks.insert(key, (start, exit));
        Ok(Some((start, exit)))
    }
}

/// Names of the graphs that a graph calls, also in checks, and where.
fn calls_of(source: &Source, graph: &Graph) -> Vec<(rg_ir::Symbol, Span)> {
    let mut calls = Vec::new();
    let mut exprs: Vec<ExprRef> = Vec::new();
    let mut blocks = vec![&graph.body];
    while let Some(block) = blocks.pop() {
        for statement in block.iter().map(|&statement| source.statement(statement)) {
            blocks.extend(statement.blocks());
            match &statement.kind {
                StatementKind::Call(name, arguments) => {
                    calls.push((name.symbol, statement.span));
                    exprs.extend(arguments);
                }
                StatementKind::While(condition, _) | StatementKind::If(condition, _, _) => exprs.push(*condition),
                _ => {}
            }
        }
    }
    while let Some(expr) = exprs.pop() {
        match source.expr(expr) {
            Expr::Binary(_, a, b) => exprs.extend([a, b]),
            Expr::Call(callee, arguments) => {
                exprs.extend(arguments);
                let word = |callee: ExprRef| match source.expr(callee) {
                    Expr::Name(name) => Some(*name),
                    _ => None,
                };
                if let (Some(word_), [call]) = (word(*callee), arguments.as_slice())
                    && source.symbols.name(word_) == "reachable"
                    && let Expr::Call(graph, _) = source.expr(*call)
                {
                    calls.extend(word(*graph).map(|graph| (graph, source.span(*call))));
                }
            }
            _ => {}
        }
    }
    calls.sort_by_key(|(_, span)| span.start);
    calls
}
