//! Where something is declared, and where it is named.

use crate::dispatch::Place;
use gen_lsp_types::{Definition, DefinitionResponse, DocumentHighlight, DocumentHighlightKind, Location};
use rg_ir::Span;
use rg_ir::ids::EntityId;
use rg_ir::index::{Entity, EntityKind, Role, Use};

/// What is named at a place, each entity once.
fn named(place: Place) -> Vec<EntityId> {
    let mut named: Vec<EntityId> =
        place.document.index().names_at(place.offset).iter().map(|used| used.entity).collect();
    named.dedup();
    named
}

/// All places where what is named at a place is named.
fn uses(place: Place) -> Vec<Use> {
    let index = place.document.index();
    let mut uses: Vec<Use> = named(place).into_iter().flat_map(|id| index.uses_of(id)).copied().collect();
    uses.sort_by_key(|used| (used.span.start, used.span.end));
    uses.dedup_by_key(|used| used.span);
    uses
}

/// Where what is named at a place is declared: a function where its type is, and its cases are references. What is declared in parts has several places.
pub(crate) fn definition(place: Place) -> Option<DefinitionResponse> {
    let index = place.document.index();
    let all = |id: EntityId| {
        let is_typed = |entity: &Entity| entity.kind == EntityKind::Function && entity.signature.is_some();
        let most = if index.entity(id).is_some_and(is_typed) { 1 } else { usize::MAX };
        index.declarations(id).into_iter().take(most)
    };
    let mut declared: Vec<Span> = named(place).into_iter().flat_map(all).collect();
    declared.dedup();
    let locations = located(place, declared);
    (!locations.is_empty()).then_some(DefinitionResponse::Definition(Definition::LocationList(locations)))
}

/// Where what is named at a place is named, with or without its declarations.
pub(crate) fn references(place: Place, declarations: bool) -> Option<Vec<Location>> {
    let uses = uses(place).into_iter().filter(|used| declarations || used.role != Role::Definition);
    Some(located(place, uses.map(|used| used.span).collect()))
}

/// The same, for marks in the text.
pub(crate) fn highlights(place: Place) -> Option<Vec<DocumentHighlight>> {
    let mark = |used: Use| DocumentHighlight {
        range: place.document.range(used.span),
        kind: Some(match used.role {
            Role::Definition | Role::Write => DocumentHighlightKind::Write,
            Role::Read | Role::Call => DocumentHighlightKind::Read,
            Role::Pasted => DocumentHighlightKind::Text,
        }),
    };
    Some(uses(place).into_iter().map(mark).collect())
}

fn located(place: Place, spans: Vec<Span>) -> Vec<Location> {
    let document = place.document;
    let location = |span| Location { uri: document.uri.clone(), range: document.range(span) };
    spans.into_iter().map(location).collect()
}
