//! What declarations name.

use super::Indexer;
use super::locals::Scope;
use crate::ast::{
    Block, Element, Expr, ExprRef, Graph, Name, Part, Pattern, PatternRef, Range, ResultType, StatementKind, Type,
};
use crate::lexer::is_upper;
use rg_ir::Span;
use rg_ir::ids::EntityId;
use rg_ir::index::{Entity, EntityKind, Role};

impl<'t> Indexer<'t> {
    /// Adds what all declarations name.
    pub(super) fn bodies(&mut self) {
        let tree = self.tree;
        for element in tree.domains.iter().flat_map(|domain| &domain.elements) {
            match element {
                Element::Name(name) => {
                    if let Some(&id) = self.types.get(self.name(name.symbol)) {
                        self.mention(id, name.span, Role::Read);
                    }
                }
                Element::Generator(name, names, ranges) => self.generator(*name, names, ranges),
            }
        }
        for variable in &tree.variables {
            self.ty(&variable.ty);
            if let Some(initial) = variable.initial {
                self.expr(initial, Role::Read, None);
            }
        }
        for function in &tree.functions {
            self.ty(&function.ty);
            for case in &function.cases {
                let name = self.name(function.name.symbol);
                let start = case.span.start as usize;
                if let Some(&id) = self.data.get(name) {
                    // A case of another name is a mistake.
                    let span = Span::new(self.source, start, start + name.len());
                    if self.text.get(span.range()) == Some(name) {
                        self.mention(id, span, Role::Definition);
                    }
                }
                let place = case.span.to(self.tree.span(case.value));
                let scope = case.patterns.iter().fold(None, |scope, &pattern| self.pattern(pattern, place, scope));
                self.expr(case.value, Role::Read, scope);
            }
        }
        for graph in &tree.graphs {
            self.graph(graph);
        }
    }

    /// Binds a name and declares what it stands for.
    fn bind(&mut self, name: Name, place: Span, scope: Scope) -> Scope {
        self.bind_as(name, Span::NONE, place, scope)
    }

    /// The same, with what declares it, which tells its type.
    fn bind_as(&mut self, name: Name, signature: Span, place: Span, scope: Scope) -> Scope {
        let text = self.name(name.symbol);
        let entity = Entity { scope: place, signature, ..Entity::new(EntityKind::Parameter, text, name.span) };
        let id = self.builder.entity(entity);
        self.mention(id, name.span, Role::Definition);
        self.locals.bind(text, id, scope)
    }

    fn generator(&mut self, name: Name, names: &[Name], ranges: &[Range]) {
        let last = ranges.last().map_or(name.span, |range| range.name.span);
        let scope = self.ranges(ranges, name.span.to(last), None);
        for name in names {
            if let Some(id) = self.locals.find(self.name(name.symbol), scope) {
                self.mention(id, name.span, Role::Read);
            }
        }
    }

    fn ranges(&mut self, ranges: &[Range], place: Span, scope: Scope) -> Scope {
        ranges.iter().fold(scope, |scope, range| self.bind(range.name, place, scope))
    }

    fn ty(&mut self, ty: &Type) {
        let result = match &ty.result {
            ResultType::Name(name) => Some(name),
            ResultType::Set(_) => None,
        };
        for name in ty.keys.iter().chain(result) {
            if let Some(&id) = self.types.get(self.name(name.symbol)) {
                self.mention(id, name.span, Role::Read);
            }
        }
    }

    /// A pattern: upper-case names that are not bound yet are bound by it.
    fn pattern(&mut self, pattern: PatternRef, place: Span, mut scope: Scope) -> Scope {
        let mut stack = vec![pattern];
        while let Some(pattern) = stack.pop() {
            match self.tree.pattern(pattern) {
                Pattern::Any => {}
                Pattern::Name(name) if is_upper(self.name(name.symbol)) => {
                    match self.locals.find(self.name(name.symbol), scope) {
                        Some(id) => self.mention(id, name.span, Role::Read),
                        None => scope = self.bind(*name, place, scope),
                    }
                }
                Pattern::Name(name) => self.value_named(*name),
                Pattern::Construct(name, inner) => {
                    self.value_named(*name);
                    stack.extend(inner.iter().rev());
                }
            }
        }
        scope
    }

    fn value_named(&mut self, name: Name) {
        let text = self.name(name.symbol);
        if let Some(&id) = self.values.get(text).or_else(|| self.data.get(text)) {
            self.mention(id, name.span, Role::Read);
        }
    }

    /// What a name stands for.
    fn meaning(&self, name: &str, scope: Scope) -> Option<EntityId> {
        self.locals.find(name, scope).or_else(|| self.global(name))
    }

    /// An expression; what `role` is about is its root.
    fn expr(&mut self, expr: ExprRef, role: Role, scope: Scope) {
        let tree = self.tree;
        let mut stack = vec![(expr, role, scope)];
        while let Some((at, role, scope)) = stack.pop() {
            let span = tree.span(at);
            match tree.expr(at) {
                Expr::Name(symbol) => {
                    if let Some(id) = self.meaning(self.name(*symbol), scope) {
                        self.mention(id, span, role);
                    }
                }
                Expr::Call(callee, arguments) => {
                    stack.push((*callee, Role::Call, scope));
                    stack.extend(arguments.iter().map(|&argument| (argument, Role::Read, scope)));
                    if let Expr::Name(symbol) = tree.expr(*callee) {
                        self.call(*symbol, span, arguments, scope);
                    }
                }
                Expr::Construct(symbol, arguments) => {
                    let start = span.start as usize;
                    let span = Span::new(self.source, start, start + self.name(*symbol).len());
                    self.value_named(Name { symbol: *symbol, span });
                    stack.extend(arguments.iter().map(|&argument| (argument, Role::Read, scope)));
                }
                Expr::Index(map, key) => stack.extend([(*map, role, scope), (*key, Role::Read, scope)]),
                Expr::Binary(_, left, right) => {
                    stack.extend([(*left, Role::Read, scope), (*right, Role::Read, scope)]);
                }
                Expr::If(condition, yes, no) => {
                    stack.extend([condition, yes, no].map(|&part| (part, Role::Read, scope)));
                }
                Expr::Map(default, parts) => {
                    stack.extend(default.map(|default| (default, Role::Read, scope)));
                    for part in parts {
                        let scope = self.part(part, scope);
                        stack.push((part.value, Role::Read, scope));
                    }
                }
            }
        }
    }

    /// What a part of a map binds.
    fn part(&mut self, part: &Part, scope: Scope) -> Scope {
        let last = part.ranges.last().map_or(part.span, |range| range.name.span);
        let place = part.span.to(self.tree.span(part.value)).to(last);
        let scope = self.ranges(&part.ranges, place, scope);
        self.pattern(part.pattern, place, scope)
    }

    fn call(&mut self, callee: rg_ir::Symbol, span: Span, arguments: &[ExprRef], scope: Scope) {
        if let Some(id) = self.meaning(self.name(callee), scope) {
            let arguments = arguments.iter().map(|&argument| self.tree.span(argument)).collect();
            self.builder.call(id, span, arguments);
        }
    }

    fn graph(&mut self, graph: &'t Graph) {
        let place = self.tree.extent(graph.name.span);
        let mut scope = None;
        for (name, ty) in &graph.parameters {
            self.ty(ty);
            scope = self.bind_as(*name, name.span.to(ty.span), place, scope);
        }
        let mut blocks: Vec<(&Block, Scope)> = vec![(&graph.body, scope)];
        while let Some((block, scope)) = blocks.pop() {
            for &statement in block {
                let statement = self.tree.statement(statement);
                let inner = self.statement(&statement.kind, statement.span, place, scope);
                blocks.extend(statement.blocks().into_iter().map(|block| (block, inner)));
            }
        }
    }

    /// A statement without its blocks; the result is what is bound in them.
    fn statement(&mut self, kind: &StatementKind, span: Span, place: Span, scope: Scope) -> Scope {
        match kind {
            StatementKind::Assign(target, value) => {
                self.expr(*target, Role::Write, scope);
                self.expr(*value, Role::Read, scope);
            }
            StatementKind::AssignAny(target, ty) => {
                self.expr(*target, Role::Write, scope);
                self.ty(ty);
            }
            StatementKind::Call(name, arguments) => {
                if let Some(&id) = self.graphs.get(self.name(name.symbol)) {
                    self.mention(id, name.span, Role::Call);
                    self.call(name.symbol, span, arguments, None);
                }
                arguments.iter().for_each(|&argument| self.expr(argument, Role::Read, scope));
            }
            StatementKind::TagVariable(name) => {
                if let Some(id) = self.meaning(self.name(name.symbol), scope) {
                    self.mention(id, name.span, Role::Read);
                }
            }
            StatementKind::Tag(_, names) => names.iter().for_each(|name| self.tag(*name, scope)),
            StatementKind::BranchIn(name, ty, _) | StatementKind::RepeatIn(name, ty, _) => {
                self.ty(ty);
                let place = Span { start: span.start, ..place };
                return self.bind_as(*name, name.span.to(ty.span), place, scope);
            }
            StatementKind::If(condition, ..) | StatementKind::While(condition, _) => {
                self.expr(*condition, Role::Read, scope);
            }
            StatementKind::Branch(_) | StatementKind::Repeat(..) | StatementKind::Loop(_) => {}
        }
        scope
    }

    /// A tag: what the name is bound to, or the value of that name, or no more than a tag.
    fn tag(&mut self, name: Name, scope: Scope) {
        let text = self.name(name.symbol);
        let bound = self.locals.find(text, scope).or_else(|| self.data.get(text).copied());
        let id = bound.unwrap_or_else(|| self.value(name, EntityKind::Tag));
        self.mention(id, name.span, Role::Read);
    }
}
