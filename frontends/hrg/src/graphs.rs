//! Graphs become automata (sections 7 and 8 of the specification).

use crate::ast::*;
use crate::codes;
use crate::declare::{Declare, duplicate};
use crate::eval::{Env, Result, error};
use rg_ir::{Diagnostic, ExprId, Label, NodeId, Pragma, PragmaDecl, Span, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most edges a description may unroll to.
const MAX_EDGES: usize = 2_000_000;

/// Blocks, conditions and calls may nest this deeply.
const MAX_LEVELS: u32 = 128;

/// Where jumps lead, and what names stand for.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) graph: usize,
    on_break: Option<NodeId>,
    on_continue: Option<NodeId>,
    on_return: NodeId,
    /// Inside a check: where `end()` leads.
    on_end: Option<NodeId>,
}

/// An instance of a graph inside checks: its start and its exit.
type CheckKey = (usize, Vec<ExprId>);

/// The translation of graphs.
pub(crate) struct Graphs<'e, 'a> {
    pub(crate) declare: Declare<'e, 'a>,
    by_name: FxHashMap<Symbol, usize>,
    /// Parameter variables of every graph, by the parameter's name.
    pub(crate) parameters: Vec<Vec<(Symbol, VarId)>>,
    checks: FxHashMap<CheckKey, (NodeId, NodeId)>,
    /// Variables of enclosing `branch` and `repeat`, innermost last; from `scope` on they are visible.
    pub(crate) env: Env,
    pub(crate) scope: usize,
    path: Vec<usize>,
    used: FxHashSet<usize>,
    counter: u64,
    edges: usize,
    levels: u32,
    artificial: Vec<Symbol>,
    tags: FxHashMap<(Symbol, bool), Span>,
}

impl<'e, 'a> Graphs<'e, 'a> {
    pub(crate) fn new(declare: Declare<'e, 'a>) -> Self {
        let mut by_name = FxHashMap::default();
        for (index, graph) in declare.ev.source.graphs.iter().enumerate() {
            by_name.entry(graph.name.symbol).or_insert(index);
        }
        Self {
            declare,
            by_name,
            parameters: Vec::new(),
            checks: FxHashMap::default(),
            env: Env::new(),
            scope: 0,
            path: Vec::new(),
            used: FxHashSet::default(),
            counter: 0,
            edges: 0,
            levels: 0,
            artificial: Vec::new(),
            tags: FxHashMap::default(),
        }
    }

    /// The name of a symbol of HRG.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.declare.ev.symbols.name(symbol)
    }

    /// Declares a variable for every parameter.
    pub(crate) fn parameters(&mut self) {
        for graph in &self.declare.ev.source.graphs {
            let mut list: Vec<(Symbol, VarId)> = Vec::new();
            let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
            for (index, (name, ty)) in graph.parameters.iter().enumerate() {
                if let Some(&first) = seen.get(&name.symbol) {
                    duplicate(self.declare.ev, "parameter", *name, first);
                }
                seen.insert(name.symbol, name.span);
                self.declare.ev.places.insert(name.symbol);
                let shape = match self.declare.shape(ty) {
                    Ok(shape) => shape,
                    Err(finding) => {
                        self.declare.ev.report.push(*finding);
                        continue;
                    }
                };
                let initial = self.declare.default_value(&shape, name.span);
                let ty = self.declare.rg_type(ty);
                let variable = format!("{}_arg{index}_{}", self.text(graph.name.symbol), self.text(name.symbol));
                let variable = self.declare.game.symbols.intern(&variable);
                list.push((name.symbol, self.declare.game.add_var(variable, ty, initial, name.span)));
            }
            self.parameters.push(list);
        }
    }

    /// Translates `rules` and everything it calls; other graphs are only looked through for errors.
    pub(crate) fn lower(&mut self) {
        let rules = self.declare.ev.symbols.intern("rules");
        let Some(&rules) = self.by_name.get(&rules) else { return };
        let (begin, end) = (self.declare.game.begin(), self.declare.game.end());
        let exit = self.node(rules, Span::NONE);
        self.start(rules, begin, exit);
        self.used.insert(rules);
        self.unused();
        let span = self.graph(rules).map_or(Span::NONE, |graph| graph.name.span);
        self.prune(begin);
        if self.declare.game.automaton.contains_node(exit) {
            let message = "a play can reach the end of `rules`, where it is stuck; plays finish with `end()`";
            self.declare.ev.report.warning(codes::RULES_EXIT, span, message);
            self.declare.game.automaton.add_edge(exit, end, Label::Skip, span);
        }
        self.declare.game.compact();
        self.tag_pragmas();
    }

    /// Translates the body of a graph outside of any call.
    fn start(&mut self, graph: usize, from: NodeId, exit: NodeId) {
        self.levels = 0;
        self.path.clear();
        let first = self.node(graph, Span::NONE);
        let span = self.graph(graph).map_or(Span::NONE, |graph| graph.name.span);
        let done = self.edge(from, first, Label::Skip, span).and_then(|()| self.body(graph, first, exit, None));
        if let Err(finding) = done {
            self.declare.ev.report.push(*finding);
        }
    }

    /// Looks for errors in graphs that are not used. What they become cannot be reached and is removed later.
    fn unused(&mut self) {
        for graph in 0..self.declare.ev.source.graphs.len() {
            if self.used.contains(&graph) {
                continue;
            }
            if let Some(name) = self.graph(graph).map(|graph| graph.name) {
                let message = format!("graph `{}` is never used", self.text(name.symbol));
                self.declare.ev.report.warning(codes::UNUSED, name.span, message);
            }
            let tags = (self.artificial.clone(), self.tags.clone());
            let (from, exit) = (self.node(graph, Span::NONE), self.node(graph, Span::NONE));
            self.start(graph, from, exit);
            (self.artificial, self.tags) = tags;
        }
    }

    /// Removes nodes that no walk and no check reaches.
    fn prune(&mut self, begin: NodeId) {
        let game = &mut self.declare.game;
        let mut starts = vec![begin, game.end()];
        let mut known: FxHashSet<NodeId> = starts.iter().copied().collect();
        let mut at = 0;
        while let Some(&node) = starts.get(at) {
            at += 1;
            for &edge in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(edge);
                let (other, further) = match edge.label {
                    Label::Reach { from, to, .. } => (Some(from), Some(to)),
                    _ => (None, None),
                };
                let next = [Some(edge.target), other, further].into_iter().flatten();
                starts.extend(next.filter(|&node| known.insert(node)));
            }
        }
        let dead: Vec<NodeId> = game.automaton.nodes().filter(|node| !known.contains(node)).collect();
        for node in dead {
            game.automaton.remove_node(node);
        }
    }

    fn tag_pragmas(&mut self) {
        for &tag in &self.artificial {
            if let Some(&span) = self.tags.get(&(tag, false)) {
                let message = format!("the tag `{}` is both artificial and ordinary", self.declare.game.name(tag));
                self.declare.ev.report.warning(codes::MIXED_TAG, span, message);
            }
        }
        if !self.artificial.is_empty() {
            let pragma = Pragma::ArtificialTag(std::mem::take(&mut self.artificial));
            self.declare.game.pragmas.push(PragmaDecl { pragma, span: Span::NONE });
        }
    }

    fn graph(&self, index: usize) -> Option<&'a Graph> {
        self.declare.ev.source.graphs.get(index)
    }

    /// A fresh node.
    pub(crate) fn node(&mut self, graph: usize, span: Span) -> NodeId {
        self.counter += 1;
        let name = self.graph(graph).map_or("", |graph| self.declare.ev.symbols.name(graph.name.symbol));
        let name = format!("{name}_{}", self.counter);
        let name = self.declare.game.symbols.intern(&name);
        self.declare.game.node(name, span)
    }

    /// A new edge; an error if there are too many.
    pub(crate) fn edge(&mut self, from: NodeId, to: NodeId, label: Label, span: Span) -> Result<()> {
        self.edges += 1;
        if self.edges > MAX_EDGES {
            let error = Diagnostic::error(codes::LIMIT, span, "calls and repetitions unroll to too many edges");
            return Err(Box::new(error.note(format!("at most {MAX_EDGES} edges are allowed"))));
        }
        self.declare.game.automaton.add_edge(from, to, label, span);
        Ok(())
    }

    /// An instance of a graph's body.
    fn body(&mut self, graph: usize, from: NodeId, exit: NodeId, on_end: Option<NodeId>) -> Result<()> {
        let Some(declaration) = self.graph(graph) else { return Ok(()) };
        if self.path.contains(&graph) {
            let message = format!("graph `{}` calls itself", self.text(declaration.name.symbol));
            return error(codes::RECURSIVE, declaration.name.span, message);
        }
        self.used.insert(graph);
        self.path.push(graph);
        let scope = std::mem::replace(&mut self.scope, self.env.len());
        let cx = Context { graph, on_break: None, on_continue: None, on_return: exit, on_end };
        let result = self.block(&declaration.body, from, exit, cx);
        self.scope = scope;
        self.path.pop();
        result
    }

    fn block(&mut self, block: &'a [Statement], from: NodeId, to: NodeId, cx: Context) -> Result<()> {
        let span = block.first().map_or(Span::NONE, |statement| statement.span);
        self.deeper(span, |this| this.statements(block, from, to, cx))
    }

    /// Runs `inner` one level deeper.
    pub(crate) fn deeper(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.levels >= MAX_LEVELS {
            let error =
                Diagnostic::error(codes::NESTING, span, "statements, conditions and calls are nested too deeply");
            return Err(Box::new(error.note(format!("at most {MAX_LEVELS} levels are allowed"))));
        }
        self.levels += 1;
        let result = inner(self);
        self.levels -= 1;
        result
    }

    fn statements(&mut self, block: &'a [Statement], from: NodeId, to: NodeId, cx: Context) -> Result<()> {
        let Some((last, init)) = block.split_last() else {
            let span = self.graph(cx.graph).map_or(Span::NONE, |graph| graph.name.span);
            return self.edge(from, to, Label::Skip, span);
        };
        let mut at = from;
        for statement in init {
            if let StatementKind::Call(name, _) = &statement.kind
                && ["break", "continue", "return", "end"].contains(&self.text(name.symbol))
            {
                let message = format!("nothing behind `{}()` is ever executed", self.text(name.symbol));
                self.declare.ev.report.error(codes::DEAD_STATEMENT, statement.span, message);
            }
            let next = self.node(cx.graph, statement.span);
            self.try_statement(statement, at, next, cx)?;
            at = next;
        }
        self.try_statement(last, at, to, cx)
    }

    /// Translates a statement. Errors are reported, so that the others are looked at too, except for limits.
    fn try_statement(&mut self, statement: &'a Statement, n: NodeId, m: NodeId, cx: Context) -> Result<()> {
        match self.statement(statement, n, m, cx) {
            Err(finding) if [codes::LIMIT, codes::NESTING, codes::RECURSIVE].contains(&finding.code) => Err(finding),
            Err(finding) => {
                self.declare.ev.report.push(*finding);
                self.edge(n, m, Label::Skip, statement.span)
            }
            Ok(()) => Ok(()),
        }
    }

    fn statement(&mut self, statement: &'a Statement, n: NodeId, m: NodeId, cx: Context) -> Result<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let lhs = self.target(*target, cx)?;
                let rhs = self.expression(*value, cx)?;
                self.edge(n, m, Label::Assign { lhs, rhs }, span)
            }
            StatementKind::AssignAny(target, ty) => {
                let lhs = self.target(*target, cx)?;
                self.declare.shape(ty)?;
                let ty = self.declare.rg_type(ty);
                self.edge(n, m, Label::AssignAny { lhs, ty }, span)
            }
            StatementKind::Call(name, arguments) => self.call(*name, arguments, n, m, cx, span),
            StatementKind::TagVariable(name) => {
                let variable = self.tagged(*name, cx)?;
                self.edge(n, m, Label::TagVar(variable), span)
            }
            StatementKind::Tag(artificial, names) => self.tag(*artificial, names, n, m, span),
            StatementKind::Branch(arms) => arms.iter().try_for_each(|arm| self.block(arm, n, m, cx)),
            StatementKind::BranchIn(name, ty, body) => {
                for value in self.copies(ty)? {
                    self.bound(*name, value, |this| this.block(body, n, m, cx))?;
                }
                Ok(())
            }
            StatementKind::Repeat(count, body) => {
                if *count > MAX_EDGES as u64 {
                    return error(codes::LIMIT, span, format!("at most {MAX_EDGES} repetitions are allowed"));
                }
                let cx = Context { on_break: Some(m), ..cx };
                let mut at = n;
                for _ in 0..*count {
                    let next = self.node(cx.graph, span);
                    self.block(body, at, next, Context { on_continue: Some(next), ..cx })?;
                    at = next;
                }
                self.edge(at, m, Label::Skip, span)
            }
            StatementKind::RepeatIn(name, ty, body) => {
                let cx = Context { on_break: Some(m), ..cx };
                let mut at = n;
                for value in self.copies(ty)? {
                    let next = self.node(cx.graph, span);
                    let cx = Context { on_continue: Some(next), ..cx };
                    self.bound(*name, value, |this| this.block(body, at, next, cx))?;
                    at = next;
                }
                self.edge(at, m, Label::Skip, span)
            }
            StatementKind::Loop(body) => {
                let head = self.node(cx.graph, span);
                self.edge(n, head, Label::Skip, span)?;
                self.block(body, head, head, Context { on_break: Some(m), on_continue: Some(head), ..cx })
            }
            StatementKind::While(condition, body) => {
                let (head, yes) = (self.node(cx.graph, span), self.node(cx.graph, span));
                self.edge(n, head, Label::Skip, span)?;
                self.condition(*condition, head, Some(yes), Some(m), cx)?;
                self.block(body, yes, head, Context { on_break: Some(m), on_continue: Some(head), ..cx })
            }
            StatementKind::If(condition, yes, no) => {
                let then = self.node(cx.graph, span);
                let otherwise = if no.is_some() { self.node(cx.graph, span) } else { m };
                self.condition(*condition, n, Some(then), Some(otherwise), cx)?;
                self.block(yes, then, m, cx)?;
                no.as_ref().map_or(Ok(()), |no| self.block(no, otherwise, m, cx))
            }
        }
    }

    /// The values over which a statement is copied.
    fn copies(&mut self, ty: &Type) -> Result<Vec<crate::values::ValueRef>> {
        let shape = self.declare.shape(ty)?;
        if !shape.keys.is_empty() {
            return error(codes::KEY_TYPE, ty.span, "the values of a map type cannot be listed");
        }
        Ok(shape.result)
    }

    fn bound(
        &mut self,
        name: Name,
        value: crate::values::ValueRef,
        inner: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let mark = self.env.len();
        self.env.push((name.symbol, value));
        let result = inner(self);
        self.env.truncate(mark);
        result
    }

    fn tag(&mut self, artificial: bool, names: &[Name], n: NodeId, m: NodeId, span: Span) -> Result<()> {
        let mut parts = Vec::new();
        for name in names {
            parts.push(match self.branch_value(name.symbol) {
                Some(value) => self.declare.ev.values.serialise(value, &self.declare.ev.symbols),
                None => self.text(name.symbol).to_owned(),
            });
        }
        let tag = self.declare.game.symbols.intern(&parts.join("__"));
        if self.tags.insert((tag, artificial), span).is_none() && artificial {
            self.artificial.push(tag);
        }
        self.edge(n, m, Label::Tag(tag), span)
    }

    fn call(&mut self, name: Name, args: &[ExprRef], n: NodeId, m: NodeId, cx: Context, span: Span) -> Result<()> {
        let word = self.text(name.symbol).to_owned();
        let special = match word.as_str() {
            "check" => {
                let [condition] = args else {
                    return error(codes::ARGUMENTS, span, format!("`check` takes one condition, found {}", args.len()));
                };
                return self.condition(*condition, n, Some(m), None, cx);
            }
            "break" => cx.on_break,
            "continue" => cx.on_continue,
            "return" => Some(cx.on_return),
            "end" => Some(cx.on_end.unwrap_or(self.declare.game.end())),
            _ => {
                let graph = self.find(name)?;
                let entry = self.arguments(graph, name, args, n, cx, span)?;
                let first = self.node(graph, span);
                self.edge(entry, first, Label::Skip, span)?;
                return self.body(graph, first, m, cx.on_end);
            }
        };
        if !args.is_empty() {
            return error(codes::ARGUMENTS, span, format!("`{word}` takes no arguments, found {}", args.len()));
        }
        let Some(target) = special else {
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

    fn find(&self, name: Name) -> Result<usize> {
        if let Some(&graph) = self.by_name.get(&name.symbol).filter(|_| self.branch_value(name.symbol).is_none()) {
            return Ok(graph);
        }
        let text = self.text(name.symbol);
        let known: Vec<&str> = self.by_name.keys().map(|&g| self.text(g)).collect();
        let unknown = Diagnostic::error(codes::UNKNOWN_GRAPH, name.span, format!("there is no graph `{text}`"));
        Err(Box::new(unknown.suggest(text, known)))
    }

    /// Assigns arguments; the result is where the body begins.
    fn arguments(
        &mut self,
        graph: usize,
        name: Name,
        args: &[ExprRef],
        n: NodeId,
        cx: Context,
        span: Span,
    ) -> Result<NodeId> {
        let values: Vec<ExprId> = args.iter().map(|&arg| self.expression(arg, cx)).collect::<Result<_>>()?;
        self.assign_arguments(graph, name, &values, n, span)
    }

    fn assign_arguments(&mut self, graph: usize, name: Name, args: &[ExprId], n: NodeId, span: Span) -> Result<NodeId> {
        let parameters = self.parameters.get(graph).cloned().unwrap_or_default();
        if parameters.len() != args.len() {
            let (wanted, found) = (parameters.len(), args.len());
            let message = format!("graph `{}` takes {wanted} arguments, found {found}", self.text(name.symbol));
            return error(codes::ARGUMENTS, span, message);
        }
        let mut at = n;
        for (&(_, variable), &rhs) in parameters.iter().zip(args) {
            let next = self.node(graph, span);
            let lhs = self.declare.game.exprs.intern(rg_ir::Expr::Var(variable));
            self.edge(at, next, Label::Assign { lhs, rhs }, span)?;
            at = next;
        }
        Ok(at)
    }

    /// The start and exit nodes of a call inside a check. Equal calls share them.
    pub(crate) fn check_instance(&mut self, name: Name, args: &[ExprRef], cx: Context) -> Result<(NodeId, NodeId)> {
        let graph = self.find(name)?;
        let values: Vec<ExprId> = args.iter().map(|&arg| self.expression(arg, cx)).collect::<Result<_>>()?;
        let key = (graph, values);
        if let Some(&nodes) = self.checks.get(&key) {
            return Ok(nodes);
        }
        let (start, exit) = (self.node(graph, name.span), self.node(graph, name.span));
        let at = self.assign_arguments(graph, name, &key.1, start, name.span)?;
        let first = self.node(graph, name.span);
        self.edge(at, first, Label::Skip, name.span)?;
        self.body(graph, first, exit, Some(exit))?;
        self.checks.insert(key, (start, exit));
        Ok((start, exit))
    }
}
