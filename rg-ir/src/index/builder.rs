//! Filling an index.

use super::{Call, Class, Entity, EntityKind, Hint, Index, Item, Role, Use};
use crate::ids::{EntityId, ItemId};
use crate::source::Span;

/// An index that is being filled. What points nowhere ([`Span::NONE`]) is left out.
#[derive(Clone, Default, Debug)]
pub struct Builder {
    index: Index,
}

impl Builder {
    /// Adds an entity, but no use of it.
    pub fn entity(&mut self, entity: Entity) -> EntityId {
        self.index.entities.push(entity)
    }

    /// Adds an entity and the use that declares it.
    pub fn declare(&mut self, entity: Entity) -> EntityId {
        let span = entity.span;
        let id = self.entity(entity);
        self.mention(id, span, Role::Definition);
        id
    }

    /// An entity that was added, to be completed.
    pub fn get_mut(&mut self, id: EntityId) -> Option<&mut Entity> {
        self.index.entities.get_mut(id)
    }

    /// An entity that was added.
    pub fn get(&self, id: EntityId) -> Option<&Entity> {
        self.index.entities.get(id)
    }

    /// Adds a use.
    pub fn mention(&mut self, entity: EntityId, span: Span, role: Role) {
        if span.is_some() {
            self.index.uses.push(Use { span, entity, role });
        }
    }

    /// Adds a call. That its name is a use is said apart.
    pub fn call(&mut self, callee: EntityId, span: Span, arguments: Vec<Span>) {
        if span.is_some() {
            self.index.calls.push(Call { span, callee, arguments });
        }
    }

    /// Adds a part of the outline.
    pub fn item(
        &mut self,
        kind: EntityKind,
        name: impl Into<String>,
        (span, selection): (Span, Span),
        parent: Option<ItemId>,
    ) -> ItemId {
        self.index.items.push(Item { name: name.into(), kind, span, selection, parent })
    }

    /// Adds a token that is not a name.
    pub fn token(&mut self, span: Span, class: Class) {
        if span.is_some() {
            self.index.tokens.push((span, class));
        }
    }

    /// Adds a remark.
    pub fn hint(&mut self, offset: u32, text: impl Into<String>) {
        self.index.hints.push(Hint { offset, text: text.into() });
    }

    /// Says where the rules of the game begin. What is said first counts.
    pub fn rules(&mut self, span: Span) {
        if span.is_some() {
            self.index.rules.get_or_insert(span);
        }
    }

    /// The index: in order, with the tokens that are names. Sorts.
    pub fn finish(self) -> Index {
        let mut index = self.index;
        index.uses.sort_by_key(|used| (used.span.start, used.span.end, used.entity, used.role));
        index.uses.dedup();
        index.calls.sort_by_key(|call| (call.span.start, call.span.end));
        index.hints.sort_by_key(|hint| hint.offset);
        index.longest = index.uses.iter().map(|used| used.span.end - used.span.start).max().unwrap_or(0);
        // Of what is spelt out and what is made of it, the former is shown; of several meanings, the first; and a name of a known entity rather than a
        // word or number.
        let named = index.uses.iter().filter(|used| used.role != Role::Pasted);
        let named = named.filter_map(|used| {
            let kind = index.entities.get(used.entity)?.kind;
            Some((used.span, Class::Name(kind, used.role)))
        });
        let mut tokens: Vec<(Span, Class)> = named.chain(index.tokens).collect();
        tokens.sort_by_key(|(span, _)| span.start);
        let mut end = 0;
        tokens.retain(|(span, _)| {
            let fits = span.start >= end && span.start < span.end;
            end = if fits { span.end } else { end };
            fits
        });
        index.tokens = tokens;
        index
    }
}
