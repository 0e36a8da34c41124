//! Macros and parameters, which are what they are where they are written.

use super::{Indexer, Shown};
use crate::directives::{Macro, Section, Word};
use crate::lexer::{Kind, Token};
use rg_ir::ids::EntityId;
use rg_ir::index::{Entity, EntityKind, Role};
use rg_ir::{Span, Symbol};
use rustc_hash::FxHashMap;

impl Indexer<'_> {
    /// Adds all macros and their parameters.
    pub(super) fn macros(&mut self) {
        let end = self.text.len();
        for found in &self.directives.macros {
            let name = self.names.name(found.name);
            let doc = self.docs.on(found.all);
            // Macros are known in the directives behind them.
            let behind = self.tokens.partition_point(|token| token.start < found.all.end);
            let next = self.tokens.get(behind).map_or(end + 1, |hash| hash.start as usize);
            let scope = Span::new(self.source, next, end.max(next));
            let entity =
                Entity { signature: found.all, doc, scope, ..Entity::new(EntityKind::Macro, name, found.span) };
            let id = self.builder.entity(entity);
            self.mention(id, found.span, Role::Definition);
            self.builder.item(EntityKind::Macro, name, (found.all, found.span), None);
            self.macros.push(id);
            let parameters = self.parameters(found);
            let names = |id: &EntityId| self.builder.get(*id).map(|entity| entity.name.clone());
            let names = parameters.iter().filter_map(names).collect();
            if let Some(entity) = self.builder.get_mut(id) {
                entity.parameters = names;
            }
            self.parameters.push(parameters);
        }
    }

    fn parameters(&mut self, found: &Macro) -> Vec<EntityId> {
        let first = self.tokens.partition_point(|token| token.start < found.span.end);
        let head = self.tokens.get(first..found.body.0 as usize).unwrap_or_default();
        let mut parameters = Vec::new();
        for token in head.iter().filter(|token| token.kind == Kind::Ident) {
            let (name, span) = (self.names.name(token.sym), self.place(token));
            let entity = Entity { scope: found.all, ..Entity::new(EntityKind::Parameter, name, span) };
            let id = self.builder.entity(entity);
            self.mention(id, span, Role::Definition);
            parameters.push(id);
        }
        parameters
    }

    /// Adds the uses of macros and parameters.
    pub(super) fn written(&mut self) {
        let directives = self.directives;
        let mut plain: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut overloads: FxHashMap<(Symbol, usize), usize> = FxHashMap::default();
        for (at, found) in directives.macros.iter().enumerate() {
            match &found.parameters {
                None => plain.insert(found.name, at),
                Some(parameters) => overloads.insert((found.name, parameters.len()), at),
            };
        }
        let sections = directives.sections.iter().flatten().map(|section| (section.body, section.directive, None));
        let bodies = directives.macros.iter().enumerate().map(|(at, found)| (found.body, found.directive, Some(at)));
        for (body, directive, owner) in sections.chain(bodies).collect::<Vec<_>>() {
            for index in body.0 as usize..body.1 as usize {
                let Some(token) = self.tokens.get(index).filter(|token| token.kind == Kind::Ident) else { continue };
                if let (Word::Parameter(number), Some(owner)) = (directives.word(index), owner) {
                    let parameter = self.parameters.get(owner).and_then(|of| of.get(number as usize)).copied();
                    if let Some(id) = parameter {
                        self.mention(id, self.place(token), Role::Read);
                    }
                    continue;
                }
                let earlier = |at: &usize| directives.macros.get(*at).is_some_and(|found| found.directive < directive);
                if let Some(&at) = plain.get(&token.sym).filter(|at| earlier(at)) {
                    self.used(at, token);
                } else if let Some((close, arguments)) = self.arguments(index, body.1 as usize)
                    && let Some(&at) = overloads.get(&(token.sym, arguments.len())).filter(|at| earlier(at))
                {
                    self.used(at, token);
                    if let Some(&id) = self.macros.get(at) {
                        self.builder.call(id, self.span(token.start, close.end), arguments);
                    }
                }
            }
        }
    }

    fn used(&mut self, at: usize, token: &Token) {
        if let Some(&id) = self.macros.get(at) {
            let role = if self.directives.macros.get(at).is_some_and(|found| found.parameters.is_some()) {
                Role::Call
            } else {
                Role::Read
            };
            self.mention(id, self.place(token), role);
        }
    }

    /// The bracket that closes the arguments behind a token, if there are any, and where the arguments are.
    fn arguments(&self, name: usize, end: usize) -> Option<(Token, Vec<Span>)> {
        let open = name + 1;
        let first = self.tokens.get(open).filter(|token| token.kind == Kind::ParenOpen)?;
        let close = self.directives.partner(open).filter(|&close| close < end)?;
        let last = *self.tokens.get(close)?;
        let (mut arguments, mut start, mut index) = (Vec::new(), first.end, open + 1);
        while index < close {
            let token = self.tokens.get(index)?;
            match token.kind {
                Kind::Semicolon => {
                    arguments.push(self.trimmed(start, token.start));
                    start = token.end;
                }
                Kind::ParenOpen => index = self.directives.partner(index).unwrap_or(index),
                _ => {}
            }
            index += 1;
        }
        arguments.push(self.trimmed(start, last.start));
        Some((last, arguments))
    }

    /// A place without the space at its ends.
    fn trimmed(&self, start: u32, end: u32) -> Span {
        let whole = self.text.get(start as usize..end as usize).unwrap_or_default();
        let begin = start as usize + whole.len() - whole.trim_start().len();
        Span::new(self.source, begin, begin + whole.trim().len())
    }

    /// The sections in the outline.
    pub(super) fn directives(&mut self) {
        for section in Section::ALL {
            let Some(found) = self.directives.sections.get(section as usize).copied().flatten() else { continue };
            let last = self.tokens.get(found.body.1.saturating_sub(1) as usize);
            let hash = self.tokens.partition_point(|token| token.start < found.span.start).checked_sub(1);
            let hash = hash.and_then(|at| self.tokens.get(at)).map_or(found.span, |hash| self.place(hash));
            let whole = hash.to(found.span).to(last.map_or(found.span, |last| self.place(last)));
            let item = self.builder.item(EntityKind::Section, section.name(), (whole, found.span), None);
            if let Some(shown) = self.outline.get_mut(section as usize) {
                *shown = Some(Shown { item, whole, names: 0 });
            }
            if section == Section::Rules {
                self.builder.rules(found.span);
            }
        }
    }
}
