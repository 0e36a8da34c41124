//! Graphs become automata (sections 7 and 8 of the specification): the work list, nodes and edges.

use crate::ast::*;
use crate::codes;
use crate::declare::{Declare, duplicate};
use crate::eval::Result;
use crate::lints;
use crate::values::ValueRef;
use rg_ir::{Diagnostic, Edge, Label, NodeId, Pragma, PragmaDecl, Span, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where jumps lead, and what names stand for.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) graph: usize,
    pub(crate) on_break: Option<NodeId>,
    pub(crate) on_continue: Option<NodeId>,
    pub(crate) on_return: NodeId,
    /// Inside a check: where `end()` leads.
    pub(crate) on_end: Option<NodeId>,
    /// The innermost variable of `branch` and `repeat` around this.
    pub(crate) scope: Option<Scope>,
}

/// Position of a variable in [`Graphs::bound`].
#[derive(Clone, Copy)]
pub(crate) struct Scope(usize);

/// Where a condition leads.
#[derive(Clone, Copy)]
pub(crate) struct Exits {
    pub(crate) yes: Option<NodeId>,
    pub(crate) no: Option<NodeId>,
}

/// Something that is to be translated; the place is that of the statement it belongs to.
pub(crate) enum Task<'a> {
    Block(&'a Block, NodeId, NodeId, Context, Span),
    Statement(StatementRef, NodeId, NodeId, Context),
    Condition(ExprRef, NodeId, Exits, Context),
}

/// The parameters of a graph: names and variables, none where there is a mistake.
pub(crate) type Parameters = Vec<(Symbol, Option<VarId>)>;

/// The translation of graphs.
pub(crate) struct Graphs<'e, 'a> {
    pub(crate) declare: Declare<'e, 'a>,
    pub(crate) by_name: FxHashMap<Symbol, usize>,
    pub(crate) parameters: Vec<Parameters>,
    /// Graphs that call themselves through each other have the same number.
    pub(crate) group: Vec<usize>,
    /// Instances of graphs inside checks, by their arguments: start and exit.
    pub(crate) checks: FxHashMap<(usize, Vec<rg_ir::ExprId>), (NodeId, NodeId)>,
    /// All variables of `branch` and `repeat` with one of their values, and the next outer one.
    bound: Vec<(Option<Scope>, Symbol, ValueRef)>,
    /// Where statements begin, copy by copy.
    entries: Vec<(StatementRef, NodeId)>,
    /// What is to be done next is last.
    pub(crate) tasks: Vec<Task<'a>>,
    pub(crate) used: FxHashSet<usize>,
    counter: u64,
    edges: usize,
    pub(crate) artificial: Vec<Symbol>,
    /// Operands of which the second one is also looked at where the first one decides: `a || b` in a check.
    pub(crate) parallel: Vec<(Span, Span)>,
    /// Tags, artificial and ordinary ones, and where they are first emitted.
    pub(crate) tags: FxHashMap<(Symbol, bool), Span>,
    /// Symbols of the description's lists; nothing if declarations have mistakes, so that it is unclear what is known.
    pub(crate) listed: Option<FxHashSet<Symbol>>,
}

impl<'e, 'a> Graphs<'e, 'a> {
    pub(crate) fn new(declare: Declare<'e, 'a>) -> Self {
        let mut by_name = FxHashMap::default();
        for (index, graph) in declare.ev.source.graphs.iter().enumerate() {
            by_name.entry(graph.name.symbol).or_insert(index);
        }
        let listed = (!declare.ev.report.failed()).then(|| lints::listed(declare.ev.source));
        Self {
            declare,
            by_name,
            listed,
            parameters: Vec::new(),
            group: Vec::new(),
            checks: FxHashMap::default(),
            bound: Vec::new(),
            entries: Vec::new(),
            tasks: Vec::new(),
            used: FxHashSet::default(),
            counter: 0,
            edges: 0,
            artificial: Vec::new(),
            parallel: Vec::new(),
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
            let mut list = Parameters::new();
            let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
            for (index, (name, ty)) in graph.parameters.iter().enumerate() {
                if let Some(&first) = seen.get(&name.symbol) {
                    duplicate(self.declare.ev, "parameter", *name, first);
                }
                seen.insert(name.symbol, name.span);
                let variable = format!("{}_arg{index}_{}", self.text(graph.name.symbol), self.text(name.symbol));
                let variable = self.parameter_variable(&variable, *name, ty);
                list.push((name.symbol, variable));
            }
            self.parameters.push(list);
        }
    }

    fn parameter_variable(&mut self, variable: &str, name: Name, ty: &Type) -> Option<VarId> {
        let shape = match self.declare.shape(ty) {
            Ok(shape) => shape,
            Err(finding) => {
                self.declare.ev.report.push(*finding);
                return None;
            }
        };
        let initial = self.declare.default_value(&shape, name.span);
        let ty = self.declare.rg_type(ty);
        let variable = self.declare.game.symbols.intern(variable);
        if let Some(other) = self.declare.game.find_var(variable) {
            let place = self.declare.game.vars.get(other).map_or(Span::NONE, |other| other.span);
            let text = self.declare.game.name(variable);
            let message = format!("the variable of this parameter would be `{text}`, which is declared already");
            let error = Diagnostic::error(codes::COLLISION, name.span, message);
            self.declare.ev.report.push(error.also(place, "declared here"));
            return None;
        }
        Some(self.declare.game.add_var(variable, ty, initial, name.span))
    }

    /// The names of parameters, by those of their variables.
    pub(crate) fn parameter_names(&self) -> FxHashMap<String, String> {
        let all = self.parameters.iter().flatten();
        let variable = |id: Option<VarId>| self.declare.game.vars.get(id?).map(|variable| variable.name);
        let name = |id| self.declare.game.name(id).to_owned();
        all.filter_map(|&(parameter, id)| Some((name(variable(id)?), self.text(parameter).to_owned()))).collect()
    }

    /// Translates `rules` and everything it calls; other graphs are only looked through for errors.
    pub(crate) fn lower(&mut self) {
        self.find_recursion();
        let rules = self.declare.ev.symbols.intern("rules");
        let (begin, end) = (self.declare.game.begin(), self.declare.game.end());
        let rules = self.by_name.get(&rules).copied();
        let exit = rules.map(|rules| {
            let exit = self.node(rules, Span::NONE);
            self.used.insert(rules);
            self.start(rules, begin, exit);
            exit
        });
        self.look_through_unused();
        let (Some(rules), Some(exit)) = (rules, exit) else { return };
        if self.declare.ev.report.failed() {
            return;
        }
        self.prune(begin);
        self.find_unreachable();
        let span = self.graph(rules).map_or(Span::NONE, |graph| graph.name.span);
        if self.declare.game.automaton.contains_node(exit) {
            let message = "a game can reach the end of `rules`, where it is stuck; games finish with `end()`";
            self.declare.ev.report.warning(codes::RULES_EXIT, span, message);
            self.declare.game.automaton.add_edge(exit, end, Label::Skip, span);
        }
        self.declare.game.compact();
        self.tag_pragmas();
    }

    /// Translates the body of a graph outside of any call. Only reaching a limit ends this early.
    fn start(&mut self, graph: usize, from: NodeId, exit: NodeId) {
        let Some(declaration) = self.graph(graph) else { return };
        let span = declaration.name.span;
        let first = self.node(graph, span);
        let done = self.edge(from, first, Label::Skip, span).and_then(|()| {
            self.enter(graph, first, exit, None, span);
            self.run()
        });
        self.tasks.clear();
        if let Err(finding) = done {
            self.declare.ev.report.push(*finding);
        }
    }

    fn run(&mut self) -> Result<()> {
        while let Some(task) = self.tasks.pop() {
            let mark = self.tasks.len();
            let done = match task {
                Task::Block(block, from, to, cx, span) => self.block(block, from, to, cx, span),
                Task::Statement(statement, from, to, cx) => {
                    self.entries.push((statement, from));
                    self.statement(self.declare.ev.source.statement(statement), from, to, cx)
                }
                Task::Condition(expr, from, exits, cx) => self.condition(expr, from, exits, cx),
            };
            // Tasks were added in the order in which they are to be done.
            self.tasks.get_mut(mark..).unwrap_or_default().reverse();
            match done {
                Err(finding) if finding.code == codes::LIMIT => return Err(finding),
                Err(finding) => self.declare.ev.report.push(*finding),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Adds the body of a graph to what is to be done.
    pub(crate) fn enter(&mut self, graph: usize, from: NodeId, exit: NodeId, on_end: Option<NodeId>, span: Span) {
        let Some(declaration) = self.graph(graph) else { return };
        let cx = Context { graph, on_break: None, on_continue: None, on_return: exit, on_end, scope: None };
        self.tasks.push(Task::Block(&declaration.body, from, exit, cx, span));
    }

    /// Looks for errors in graphs that are not used. What they become cannot be reached and is removed later.
    fn look_through_unused(&mut self) {
        let mentioned = self.declare.ev.source.mentioned();
        for graph in 0..self.declare.ev.source.graphs.len() {
            if self.used.contains(&graph) {
                continue;
            }
            if let Some(name) = self.graph(graph).map(|graph| graph.name) {
                let called = format!("graph `{}`", self.text(name.symbol));
                let warning = Diagnostic::warning(codes::UNUSED, name.span, format!("{called} is never used"));
                // Other graphs that are not used may call it.
                let alone = !mentioned.contains(&name.symbol);
                let extent = self.declare.ev.source.extent(name.span);
                self.declare.ev.report.push(warning.removing(called, alone.then_some(extent)));
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

    /// Warns of statements no copy of which can be reached; only the first in a row. Comes behind [`Graphs::prune`].
    fn find_unreachable(&mut self) {
        let source = self.declare.ev.source;
        let mut alive = vec![false; source.statements.len()];
        for &(statement, node) in &self.entries {
            if let Some(alive) = alive.get_mut(statement.0 as usize) {
                *alive |= self.declare.game.automaton.contains_node(node);
            }
        }
        let is_alive = |statement: StatementRef| alive.get(statement.0 as usize).copied().unwrap_or(true);
        let used = source.graphs.iter().enumerate().filter(|(index, _)| self.used.contains(index));
        let mut blocks: Vec<&Block> = used.map(|(_, graph)| &graph.body).collect();
        while let Some(block) = blocks.pop() {
            let living = block.iter().take_while(|&&statement| is_alive(statement)).count();
            for &statement in block.iter().take(living) {
                blocks.extend(source.statement(statement).blocks());
            }
            if let Some(&dead) = block.get(living) {
                let message = "this statement can never be reached";
                self.declare.ev.report.warning(codes::UNREACHABLE, source.statement(dead).span, message);
            }
        }
    }

    fn tag_pragmas(&mut self) {
        for &tag in &self.artificial {
            if let Some(&span) = self.tags.get(&(tag, false)) {
                let message = format!("the tag `{}` is both artificial and ordinary", self.declare.game.name(tag));
                let warning = Diagnostic::warning(codes::MIXED_TAG, span, message);
                let artificial = self.tags.get(&(tag, true)).copied().unwrap_or(Span::NONE);
                self.declare.ev.report.push(warning.also(artificial, "artificial here"));
            }
        }
        if !self.artificial.is_empty() {
            let pragma = Pragma::ArtificialTag(std::mem::take(&mut self.artificial));
            self.declare.game.pragmas.push(PragmaDecl { pragma, span: Span::NONE });
        }
    }

    pub(crate) fn graph(&self, index: usize) -> Option<&'a Graph> {
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
        self.edge_of(from, to, label, span, &[])
    }

    /// The same for a label with expressions, and where these and their parts stand: see [`Graphs::places`].
    pub(crate) fn edge_of(
        &mut self,
        source: NodeId,
        target: NodeId,
        label: Label,
        span: Span,
        places: &[Span],
    ) -> Result<()> {
        self.spend(1, span)?;
        self.declare.game.automaton.insert(Edge { source, target, label, span, spans: places.into() });
        Ok(())
    }

    /// Counts edges, made or about to be made.
    pub(crate) fn spend(&mut self, edges: usize, span: Span) -> Result<()> {
        self.edges = self.edges.saturating_add(edges);
        let most = self.declare.ev.limits.edges;
        if self.edges > most {
            let error = Diagnostic::error(codes::LIMIT, span, "calls and repetitions unroll to too many edges");
            return Err(Box::new(error.note(format!("at most {most} edges are allowed"))));
        }
        Ok(())
    }

    /// Inside of a `branch` or `repeat` whose variable has a value.
    pub(crate) fn bind(&mut self, name: Name, value: ValueRef, cx: Context) -> Context {
        self.bound.push((cx.scope, name.symbol, value));
        Context { scope: Some(Scope(self.bound.len() - 1)), ..cx }
    }

    /// The variables of `branch` and `repeat` that are visible, innermost first.
    pub(crate) fn visible(&self, cx: Context) -> impl Iterator<Item = (Symbol, ValueRef)> {
        let mut next = cx.scope;
        std::iter::from_fn(move || {
            let &(outer, name, value) = self.bound.get(next?.0)?;
            next = outer;
            Some((name, value))
        })
    }

    /// The value of an enclosing `branch` or `repeat` variable.
    pub(crate) fn branch_value(&self, name: Symbol, cx: Context) -> Option<ValueRef> {
        self.visible(cx).find(|&(bound, _)| bound == name).map(|(_, value)| value)
    }

    /// A parameter of the graph; `Some(None)` if its declaration has a mistake.
    pub(crate) fn parameter(&self, name: Symbol, cx: Context) -> Option<Option<VarId>> {
        let list = self.parameters.get(cx.graph)?;
        list.iter().find(|(parameter, _)| *parameter == name).map(|&(_, variable)| variable)
    }
}
