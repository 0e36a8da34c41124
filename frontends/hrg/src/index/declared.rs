//! What a text declares.

use super::{BUILT_IN, Indexer, MAX_SHOWN};
use crate::ast::{Declaration, Element, Expr, Name, RangeValues, ResultType, StatementKind, Type};
use crate::lexer::{Kind, Token};
use rg_ir::Span;
use rg_ir::ids::EntityId;
use rg_ir::index::{Entity, EntityKind, Role};
use rustc_hash::FxHashMap;

/// Domains and types that the language knows; it declares those that the text does not, but for the first two.
const TYPES: [&str; 6] = ["Player", "Score", "Bool", "Goals", "PlayerOrSystem", "Visibility"];
/// Variables that the language declares.
const VARIABLES: [&str; 3] = ["goals", "player", "visible"];
/// Values that the language knows.
const VALUES: [&str; 2] = ["keeper", "random"];
/// The graph that a game begins with.
const RULES: &str = "rules";
/// Domains that are named as those of a value, at most.
const MAX_DOMAINS: usize = 4;

impl<'t> Indexer<'t> {
    /// Adds everything that is declared without mistakes.
    pub(super) fn declarations(&mut self) {
        let tree = self.tree;
        for declaration in &tree.order {
            match *declaration {
                Declaration::Domain(at) => {
                    if let Some(domain) = tree.domains.get(at) {
                        let extent = tree.extent(domain.name.span);
                        self.declare(EntityKind::Type, domain.name, extent, Vec::new());
                    }
                }
                Declaration::Function(at) => {
                    if let Some(function) = tree.functions.get(at) {
                        // With its cases, which say what it is.
                        let signature = function.name.span.to(tree.extent(function.name.span));
                        let keys = function.ty.keys.iter().map(|name| self.name(name.symbol).to_owned()).collect();
                        self.declare(EntityKind::Function, function.name, signature, keys);
                    }
                }
                Declaration::Variable(at) => {
                    if let Some(variable) = tree.variables.get(at) {
                        let signature = variable.name.span.to(tree.extent(variable.name.span));
                        self.declare(EntityKind::Variable, variable.name, signature, Vec::new());
                    }
                }
                Declaration::Graph(at) => {
                    if let Some(graph) = tree.graphs.get(at) {
                        let signature = self.head(tree.extent(graph.name.span));
                        let parameter = |(name, ty): &(Name, Type)| {
                            self.text.get(name.span.to(ty.span).range()).unwrap_or_default().to_owned()
                        };
                        let parameters = graph.parameters.iter().map(parameter).collect();
                        self.declare(EntityKind::Graph, graph.name, signature, parameters);
                    }
                }
            }
        }
    }

    /// A declaration up to its first brace.
    fn head(&self, extent: Span) -> Span {
        let whole = self.text.get(extent.range()).unwrap_or_default();
        let head = whole.find('{').and_then(|at| whole.get(..at)).unwrap_or(whole).trim_end();
        Span::new(self.source, extent.start as usize, extent.start as usize + head.len())
    }

    /// Adds what a declaration declares; `signature` tells what it is, `parameters` what it takes.
    fn declare(&mut self, kind: EntityKind, name: Name, signature: Span, parameters: Vec<String>) {
        let text = self.name(name.symbol);
        let extent = self.tree.extent(name.span);
        let doc = self.docs.on(extent);
        let item = self.builder.item(kind, text, (extent, name.span), None);
        if kind == EntityKind::Type {
            self.outline.entry(name.symbol).or_insert(item);
        }
        self.add(text, Entity { signature, doc, parameters, ..Entity::new(kind, text, name.span) });
    }

    /// Adds an entity and its declaration; a second one of that name is one more declaration of the first.
    fn add(&mut self, name: &'t str, mut entity: Entity) -> EntityId {
        let span = entity.span;
        let (names, built_in) = match entity.kind {
            EntityKind::Type => (&mut self.types, TYPES.contains(&name)),
            EntityKind::Graph => (&mut self.graphs, name == RULES),
            _ => (&mut self.data, VARIABLES.contains(&name)),
        };
        entity.fixed = built_in.then_some(BUILT_IN);
        if entity.kind == EntityKind::Graph && name == RULES {
            self.builder.rules(span);
        }
        let id = *names.entry(name).or_insert_with(|| self.builder.entity(entity));
        self.mention(id, span, Role::Definition);
        id
    }

    /// Adds what declarations with mistakes declare: their names, and what their heads and loops bind.
    pub(super) fn broken(&mut self, tokens: &[Token]) {
        for &extent in &self.tree.extents {
            let first = tokens.partition_point(|token| token.start < extent.start);
            let end = tokens.partition_point(|token| token.start < extent.end);
            let tokens = tokens.get(first..end).unwrap_or_default();
            let kind = |at: usize| tokens.get(at).map(|token| token.kind);
            let (at, entity) = match (kind(0), kind(1), kind(2)) {
                (Some(Kind::Domain), Some(name), _) if name.is_name() => (1, EntityKind::Type),
                (Some(Kind::Graph), Some(name), _) if name.is_name() => (1, EntityKind::Graph),
                (Some(Kind::Reusable), Some(Kind::Graph), Some(name)) if name.is_name() => (2, EntityKind::Graph),
                (Some(name), Some(Kind::Colon), _) if name.is_name() => (0, EntityKind::Variable),
                // Without its colon.
                (Some(name), Some(key), Some(Kind::Arrow)) if name.is_name() && key.is_name() => {
                    (0, EntityKind::Variable)
                }
                _ => continue,
            };
            let Some(name) = tokens.get(at).filter(|name| !self.seen.contains(&name.start)) else { continue };
            let (text, span) = (name.text(self.text), name.span(self.source));
            let doc = self.docs.on(extent);
            self.builder.item(entity, text, (extent, span), None);
            self.add(text, Entity { doc, ..Entity::new(entity, text, span) });
            if entity == EntityKind::Graph {
                self.bindings(tokens.get(at + 1..).unwrap_or_default(), extent);
                self.map_variables(tokens.get(at + 1..).unwrap_or_default(), extent);
            } else {
                self.pattern_variables(tokens.get(at + 1..).unwrap_or_default(), text, extent);
            }
        }
    }

    /// Binds the variables of patterns in a declaration that could not be parsed: each within its case, which begins with the declared name.
    fn pattern_variables(&mut self, tokens: &[Token], declared: &str, extent: Span) {
        let is_case = |pair: &[Token]| matches!(pair, [name, open] if name.text(self.text) == declared && open.kind == Kind::ParenOpen);
        let mut starts: Vec<usize> =
            tokens.windows(2).enumerate().filter(|(_, pair)| is_case(pair)).map(|(at, _)| at).collect();
        if starts.is_empty() {
            starts.push(0);
        }
        let ends: Vec<usize> = starts.iter().skip(1).copied().chain([tokens.len()]).collect();
        for (start, end) in starts.into_iter().zip(ends) {
            let case = tokens.get(start..end).unwrap_or_default();
            let scope = Span {
                start: case.first().map_or(extent.start, |first| first.start),
                end: tokens.get(end).map_or(extent.end, |next| next.start),
                ..extent
            };
            self.case_variables(case, scope);
        }
    }

    /// Binds the variables of a case, or of a part of a map, within that scope.
    fn case_variables(&mut self, case: &[Token], scope: Span) {
        let mut bound: Vec<&str> = Vec::new();
        for (at, name) in case.iter().enumerate().filter(|(_, name)| name.kind == Kind::Upper) {
            let next = case.get(at + 1).map(|next| next.kind);
            let before = at.checked_sub(1).and_then(|before| case.get(before)).map(|before| before.kind);
            // Behind `in` stands a domain, before a bracket a constructor; in the body, what is not bound is something else.
            let binds =
                matches!(before, Some(Kind::ParenOpen | Kind::Comma | Kind::Where)) && next != Some(Kind::ParenOpen);
            let text = name.text(self.text);
            if !binds || bound.contains(&text) || self.types.contains_key(text) {
                continue;
            }
            bound.push(text);
            let entity = Entity { scope, ..Entity::new(EntityKind::Parameter, text, name.span(self.source)) };
            let id = self.builder.entity(entity);
            self.mention(id, name.span(self.source), Role::Definition);
            self.locals.bind_within(text, id, scope);
        }
    }

    /// Binds the variables in map literals of a graph that could not be parsed, each within its part. Linear for each level of maps in maps.
    fn map_variables(&mut self, tokens: &[Token], extent: Span) {
        let is_map = |pair: &[Token]| {
            matches!(pair, [before, open] if open.kind == Kind::BraceOpen
                && matches!(before.kind, Kind::Equal | Kind::ParenOpen | Kind::Comma | Kind::BracketOpen | Kind::Then))
        };
        let maps = tokens.windows(2).enumerate().filter(|(_, pair)| is_map(pair)).map(|(at, _)| at + 2);
        for first in maps.collect::<Vec<usize>>() {
            let (mut depth, mut start) = (0_usize, first);
            for at in first..=tokens.len() {
                let kind = tokens.get(at).map(|token| token.kind);
                let ends = kind.is_none() || (depth == 0 && kind.is_some_and(Kind::closes));
                if ends || (depth == 0 && kind == Some(Kind::Semicolon)) {
                    let part = tokens.get(start..at).unwrap_or_default();
                    let scope = Span {
                        start: part.first().map_or(extent.start, |token| token.start),
                        end: tokens.get(at).map_or(extent.end, |token| token.start),
                        ..extent
                    };
                    self.case_variables(part, scope);
                    start = at + 1;
                }
                if ends {
                    break;
                }
                depth = match kind {
                    Some(kind) if kind.opens() => depth + 1,
                    Some(kind) if kind.closes() => depth.saturating_sub(1),
                    _ => depth,
                };
            }
        }
    }

    /// Binds the parameters of a graph that could not be parsed, and the variables of its loops.
    fn bindings(&mut self, tokens: &[Token], extent: Span) {
        let body = tokens.iter().position(|token| token.kind == Kind::BraceOpen).unwrap_or(tokens.len());
        for (at, pair) in tokens.windows(2).enumerate() {
            let [name, next] = pair else { continue };
            let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.kind);
            let parameter = at < body && next.kind == Kind::Colon;
            let variable = match next.kind {
                Kind::In => matches!(before, Some(Kind::Branch | Kind::Repeat)),
                Kind::Colon => at > body,
                _ => false,
            };
            if !name.kind.is_name() || !(parameter || variable) {
                continue;
            }
            let (text, span) = (name.text(self.text), name.span(self.source));
            let scope = span.to(extent);
            let scope = Span { start: span.start, ..scope };
            let id = self.builder.entity(Entity { scope, ..Entity::new(EntityKind::Parameter, text, span) });
            self.mention(id, span, Role::Definition);
            self.locals.bind_within(text, id, scope);
        }
    }

    /// Adds what the language declares, where the text does not.
    pub(super) fn built_in(&mut self) {
        let implicit = |kind, name: &str| Entity {
            detail: "declared by the language".to_owned(),
            fixed: Some(BUILT_IN),
            ..Entity::new(kind, name, Span::NONE)
        };
        for name in TYPES.into_iter().skip(2) {
            self.types.entry(name).or_insert_with(|| self.builder.entity(implicit(EntityKind::Type, name)));
        }
        for name in VARIABLES {
            self.data.entry(name).or_insert_with(|| self.builder.entity(implicit(EntityKind::Variable, name)));
        }
        for name in VALUES {
            self.values.entry(name).or_insert_with(|| self.builder.entity(implicit(EntityKind::Value, name)));
        }
    }

    /// Adds the values of domains and of sets; each declares its own.
    pub(super) fn elements(&mut self) {
        let tree = self.tree;
        let mut of: FxHashMap<EntityId, Vec<&'t str>> = FxHashMap::default();
        for domain in &tree.domains {
            let item = self.outline.get(&domain.name.symbol).copied();
            for (number, element) in domain.elements.iter().enumerate() {
                let name = match element {
                    // The elements of another domain.
                    Element::Name(name) if self.types.contains_key(self.name(name.symbol)) => continue,
                    Element::Name(name) | Element::Generator(name, ..) => *name,
                };
                of.entry(self.member(name)).or_default().push(self.name(domain.name.symbol));
                if item.is_some() && number < MAX_SHOWN {
                    let text = self.name(name.symbol);
                    self.builder.item(EntityKind::Value, text, (name.span, name.span), item);
                }
                if let Element::Generator(_, _, ranges) = element {
                    ranges.iter().for_each(|range| self.members(&range.values));
                }
            }
        }
        for (id, domains) in of {
            let named: Vec<String> = domains.iter().take(MAX_DOMAINS).map(|name| format!("`{name}`")).collect();
            let more = if domains.len() > MAX_DOMAINS { " and others" } else { "" };
            if let Some(entity) = self.builder.get_mut(id).filter(|entity| entity.kind == EntityKind::Value) {
                entity.detail = format!("of {}{more}", named.join(", "));
            }
        }
        self.sets();
    }

    /// The members of sets outside of domains.
    fn sets(&mut self) {
        let tree = self.tree;
        for ty in tree.functions.iter().map(|function| &function.ty) {
            self.set(ty);
        }
        for ty in tree.variables.iter().map(|variable| &variable.ty) {
            self.set(ty);
        }
        for (_, ty) in tree.graphs.iter().flat_map(|graph| &graph.parameters) {
            self.set(ty);
        }
        for statement in &tree.statements {
            if let StatementKind::AssignAny(_, ty)
            | StatementKind::BranchIn(_, ty, _)
            | StatementKind::RepeatIn(_, ty, _) = &statement.kind
            {
                self.set(ty);
            }
        }
        for (expr, _) in &tree.exprs {
            if let Expr::Map(_, parts) = expr {
                parts.iter().flat_map(|part| &part.ranges).for_each(|range| self.members(&range.values));
            }
        }
    }

    fn set(&mut self, ty: &Type) {
        if let ResultType::Set(members) = &ty.result {
            members.iter().for_each(|name| {
                self.member(*name);
            });
        }
    }

    fn members(&mut self, values: &RangeValues) {
        if let RangeValues::Set(members) = values {
            members.iter().for_each(|name| {
                self.member(*name);
            });
        }
    }

    /// A value that is declared where its name stands, unless it is the name of a function or variable: `branch side in { left, right }`.
    fn member(&mut self, name: Name) -> EntityId {
        let data = self.data.get(self.name(name.symbol)).copied();
        let id = data.unwrap_or_else(|| self.value(name, EntityKind::Value));
        self.mention(id, name.span, if data.is_some() { Role::Read } else { Role::Definition });
        id
    }
}
