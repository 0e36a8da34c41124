//! Warnings about things that are allowed but look like mistakes (section 10 of the specification). They depend on the
//! syntax tree only, and take time linear in it.

use crate::ast::*;
use crate::codes;
use crate::lexer::is_upper;
use rg_ir::{Diagnostic, Report, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// Looks at a whole description.
pub(crate) fn lint(tree: &Source, report: &mut Report) {
    let bodies: Vec<Uses> = tree.graphs.iter().map(|graph| Uses::of(tree, &graph.body)).collect();
    repeated_variables(tree, report);
    unused(tree, &bodies, report);
    hidden(tree, report);
    constructors(tree, report);
    checks(tree, &bodies, report);
}

/// What a graph's body refers to.
#[derive(Default)]
struct Uses {
    /// Names in expressions, and those that `$$` emits; not the variables that are assigned.
    read: FxHashSet<Symbol>,
    assigned: FxHashSet<Symbol>,
    called: FxHashSet<Symbol>,
    /// Graphs that are called in checks.
    checked: Vec<(Symbol, Span)>,
}

impl Uses {
    fn of(tree: &Source, body: &Block) -> Self {
        let mut uses = Self::default();
        let mut blocks = vec![body];
        while let Some(block) = blocks.pop() {
            for &statement in block {
                let statement = tree.statement(statement);
                uses.statement(tree, statement);
                blocks.extend(statement.blocks());
            }
        }
        uses
    }

    /// A statement without its blocks.
    fn statement(&mut self, tree: &Source, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                self.target(tree, *target);
                self.expression(tree, *value);
            }
            StatementKind::AssignAny(target, _) => self.target(tree, *target),
            StatementKind::Call(name, arguments) => {
                self.called.insert(name.symbol);
                arguments.iter().for_each(|&argument| self.expression(tree, argument));
            }
            StatementKind::TagVariable(name) => {
                self.read.insert(name.symbol);
            }
            StatementKind::While(condition, _) | StatementKind::If(condition, _, _) => {
                self.expression(tree, *condition);
            }
            _ => {}
        }
    }

    fn target(&mut self, tree: &Source, mut target: ExprRef) {
        while let Expr::Index(map, key) = tree.expr(target) {
            self.expression(tree, *key);
            target = *map;
        }
        if let Expr::Name(name) = tree.expr(target) {
            self.assigned.insert(*name);
        }
    }

    fn expression(&mut self, tree: &Source, expr: ExprRef) {
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            match tree.expr(expr) {
                Expr::Name(name) => {
                    self.read.insert(*name);
                }
                Expr::Call(callee, arguments) => {
                    self.check(tree, *callee, arguments);
                    stack.push(*callee);
                    stack.extend(arguments);
                }
                Expr::Construct(_, arguments) => stack.extend(arguments),
                Expr::Index(a, b) | Expr::Binary(_, a, b) => stack.extend([a, b]),
                Expr::If(a, b, c) => stack.extend([a, b, c]),
                Expr::Map(default, parts) => stack.extend(default.iter().chain(parts.iter().map(|part| &part.value))),
            }
        }
    }

    /// Notes `reachable(graph(..))`.
    fn check(&mut self, tree: &Source, callee: ExprRef, arguments: &[ExprRef]) {
        if let (Expr::Name(name), [call]) = (tree.expr(callee), arguments)
            && tree.symbols.name(*name) == "reachable"
            && let Expr::Call(graph, _) = tree.expr(*call)
            && let Expr::Name(graph) = tree.expr(*graph)
        {
            self.checked.push((*graph, tree.span(*call)));
        }
    }
}

/// Variables that occur twice in the patterns of a case: they are not compared.
fn repeated_variables(tree: &Source, report: &mut Report) {
    for case in tree.functions.iter().flat_map(|function| &function.cases) {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        let mut stack: Vec<PatternRef> = case.patterns.iter().rev().copied().collect();
        while let Some(pattern) = stack.pop() {
            match tree.pattern(pattern) {
                Pattern::Any => {}
                Pattern::Construct(_, patterns) => stack.extend(patterns.iter().rev().copied()),
                Pattern::Name(name) if is_upper(tree.symbols.name(name.symbol)) => {
                    if let Some(first) = seen.insert(name.symbol, name.span) {
                        let text = tree.symbols.name(name.symbol);
                        let message =
                            format!("`{text}` is bound twice; the values are not compared, and the last one counts");
                        let warning = Diagnostic::warning(codes::REPEATED_VARIABLE, name.span, message);
                        report.push(warning.also(first, "first bound here"));
                    }
                }
                Pattern::Name(_) => {}
            }
        }
    }
}

/// Functions and variables that are never mentioned, and parameters that are never read.
fn unused(tree: &Source, bodies: &[Uses], report: &mut Report) {
    // A name that stands in a list of symbols may be meant by whatever runs over the list.
    let mut used: FxHashSet<Symbol> = listed(tree);
    used.extend(tree.exprs.iter().filter_map(|(expr, _)| if let Expr::Name(name) = expr { Some(*name) } else { None }));
    for uses in bodies {
        used.extend(&uses.read);
    }
    let functions = tree.functions.iter().map(|function| ("function", function.name));
    let variables = tree.variables.iter().map(|variable| ("variable", variable.name));
    for (what, name) in functions.chain(variables).filter(|(_, name)| !used.contains(&name.symbol)) {
        let text = tree.symbols.name(name.symbol);
        if !["goals", "player", "visible"].contains(&text) {
            let called = format!("{what} `{text}`");
            let warning = Diagnostic::warning(codes::UNUSED, name.span, format!("{called} is never used"));
            report.push(warning.removing(called, [tree.extent(name.span)]));
        }
    }
    for (graph, uses) in tree.graphs.iter().zip(bodies) {
        for (name, _) in graph.parameters.iter().filter(|(name, _)| !uses.read.contains(&name.symbol)) {
            let text = tree.symbols.name(name.symbol);
            report.warning(codes::UNUSED, name.span, format!("the parameter `{text}` is never read"));
        }
    }
}

/// Symbols of domains, of sets in ranges, and of types that are written as sets.
pub(crate) fn listed(tree: &Source) -> FxHashSet<Symbol> {
    let mut listed = FxHashSet::default();
    for element in tree.domains.iter().flat_map(|domain| &domain.elements) {
        match element {
            Element::Name(name) => listed.extend([name.symbol]),
            Element::Generator(_, names, ranges) => {
                listed.extend(names.iter().map(|name| name.symbol));
                listed.extend(ranges.iter().flat_map(in_range));
            }
        }
    }
    for (expr, _) in &tree.exprs {
        if let Expr::Map(_, parts) = expr {
            listed.extend(parts.iter().flat_map(|part| &part.ranges).flat_map(in_range));
        }
    }
    for statement in &tree.statements {
        if let StatementKind::AssignAny(_, ty) | StatementKind::BranchIn(_, ty, _) | StatementKind::RepeatIn(_, ty, _) =
            &statement.kind
            && let ResultType::Set(members) = &ty.result
        {
            listed.extend(members.iter().map(|name| name.symbol));
        }
    }
    let types =
        tree.variables.iter().map(|variable| &variable.ty).chain(tree.functions.iter().map(|function| &function.ty));
    let types = types.chain(tree.graphs.iter().flat_map(|graph| &graph.parameters).map(|(_, ty)| ty));
    for ty in types {
        if let ResultType::Set(members) = &ty.result {
            listed.extend(members.iter().map(|name| name.symbol));
        }
    }
    listed
}

fn in_range(range: &Range) -> impl Iterator<Item = Symbol> {
    let names: &[Name] = match &range.values {
        RangeValues::Set(names) => names,
        RangeValues::Numbers(..) => &[],
    };
    names.iter().map(|name| name.symbol)
}

/// Constructors in expressions that no domain has, if they are spelt almost like one that a domain has. Linear, but for suggestions.
fn constructors(tree: &Source, report: &mut Report) {
    let elements = tree.domains.iter().flat_map(|domain| &domain.elements);
    let declared = elements.filter_map(|element| match element {
        Element::Generator(name, ..) => Some(name.symbol),
        Element::Name(_) => None,
    });
    let declared: FxHashSet<Symbol> = declared.collect();
    let mut known: Vec<&str> = declared.iter().map(|&name| tree.symbols.name(name)).collect();
    known.sort_unstable();
    for (expr, span) in &tree.exprs {
        let Expr::Construct(name, _) = expr else { continue };
        if declared.contains(name) {
            continue;
        }
        let text = tree.symbols.name(*name);
        let length = u32::try_from(text.len()).unwrap_or_default();
        let place = Span { end: span.end.min(span.start + length), ..*span };
        let warning =
            Diagnostic::warning(codes::UNKNOWN_CONSTRUCTOR, place, format!("no domain has the constructor `{text}`"));
        let warning = warning.suggest(text, known.iter().copied());
        if warning.help.is_some() {
            report.push(warning);
        }
    }
}

/// Variables and parameters that hide a symbol of a domain.
fn hidden(tree: &Source, report: &mut Report) {
    let mut symbols: FxHashMap<Symbol, Span> = FxHashMap::default();
    for element in tree.domains.iter().flat_map(|domain| &domain.elements) {
        if let Element::Name(name) = element {
            symbols.entry(name.symbol).or_insert(name.span);
        }
    }
    let variables = tree.variables.iter().map(|variable| variable.name);
    let parameters = tree.graphs.iter().flat_map(|graph| &graph.parameters).map(|(name, _)| *name);
    for name in variables.chain(parameters) {
        if let Some(&symbol) = symbols.get(&name.symbol) {
            let message = format!("`{}` is also a symbol, which this hides in graphs", tree.symbols.name(name.symbol));
            report.push(Diagnostic::warning(codes::HIDDEN, name.span, message).also(symbol, "the symbol"));
        }
    }
}

/// Checks whose graph assigns `player`, which has no effect there.
fn checks(tree: &Source, bodies: &[Uses], report: &mut Report) {
    let Some(player) = tree.symbols.get("player") else { return };
    let mut callers: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
    let mut assigning: Vec<Symbol> = Vec::new();
    for (graph, uses) in tree.graphs.iter().zip(bodies) {
        for &called in &uses.called {
            callers.entry(called).or_default().push(graph.name.symbol);
        }
        if uses.assigned.contains(&player) {
            assigning.push(graph.name.symbol);
        }
    }
    let mut known: FxHashSet<Symbol> = assigning.iter().copied().collect();
    while let Some(graph) = assigning.pop() {
        let more = callers.get(&graph).into_iter().flatten();
        assigning.extend(more.filter(|&&caller| known.insert(caller)));
    }
    for &(graph, span) in bodies.iter().flat_map(|uses| &uses.checked) {
        if known.contains(&graph) {
            let message =
                format!("`{}` assigns `player`, which does not end a move in a check", tree.symbols.name(graph));
            report.warning(codes::PLAYER_IN_CHECK, span, message);
        }
    }
}
