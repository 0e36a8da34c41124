//! Who calls what: macros, functions, graphs and relations, and the parts of a text that they are called in.

use super::outline;
use crate::dispatch::Place;
use crate::document::Document;
use gen_lsp_types::{CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Range};
use rg_ir::Span;
use rg_ir::ids::{EntityId, ItemId};
use rg_ir::index::{EntityKind, Item, Role, Use};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is called at a place, or declared there.
pub(crate) fn prepare(place: Place) -> Option<Vec<CallHierarchyItem>> {
    let Place { document, offset } = place;
    let declared = declared(document);
    let mut named: Vec<EntityId> = document.index().names_at(offset).iter().map(|used| used.entity).collect();
    named.dedup();
    let items: Vec<CallHierarchyItem> =
        named.iter().filter_map(|id| Some(shown(document, *declared.get(id)?.first()?))).flatten().collect();
    (!items.is_empty()).then_some(items)
}

/// The parts of the text in which something is called, with the places.
pub(crate) fn incoming(document: &Document, selection: Range) -> Option<Vec<CallHierarchyIncomingCall>> {
    let index = document.index();
    let offset = document.offset(selection.start);
    let named = index.names_at(offset);
    let called = |used: &&Use| used.role != Role::Definition && named.iter().any(|name| name.entity == used.entity);
    let parts = Parts::of(document);
    let mut callers: BTreeMap<ItemId, Vec<Range>> = BTreeMap::new();
    for used in index.uses().iter().filter(called) {
        if let Some(item) = parts.around(document, used.span) {
            let places = callers.entry(item).or_default();
            let range = document.range(used.span);
            if places.last() != Some(&range) {
                places.push(range);
            }
        }
    }
    let call = |(item, from_ranges)| Some(CallHierarchyIncomingCall { from: shown(document, item)?, from_ranges });
    Some(callers.into_iter().filter_map(call).collect())
}

/// What is called in a part of the text, with the places. Of relations, all rules count.
pub(crate) fn outgoing(document: &Document, selection: Range) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let index = document.index();
    let declared = declared(document);
    let offset = document.offset(selection.start);
    let named = index.names_at(offset);
    let mut parts: Vec<ItemId> =
        named.iter().filter_map(|name| declared.get(&name.entity)).flatten().copied().collect();
    if parts.is_empty() {
        parts.extend(index.items().iter().filter(|(_, item)| item.selection.start == offset).map(|(id, _)| id));
    }
    let spans: Vec<Span> = parts.iter().filter_map(|id| index.items().get(*id)).map(|item| item.span).collect();
    let inside = |used: &&Use| spans.iter().any(|span| contains(*span, used.span));
    let mut callees: BTreeMap<ItemId, Vec<Range>> = BTreeMap::new();
    for used in index.uses().iter().filter(|used| used.role != Role::Definition).filter(inside) {
        if let Some(&item) = declared.get(&used.entity).and_then(|items| items.first()) {
            callees.entry(item).or_default().push(document.range(used.span));
        }
    }
    let call = |(item, from_ranges)| Some(CallHierarchyOutgoingCall { to: shown(document, item)?, from_ranges });
    Some(callees.into_iter().filter_map(call).collect())
}

/// Where what can be called is declared: the parts of the text, by entity. Linear.
fn declared(document: &Document) -> FxHashMap<EntityId, Vec<ItemId>> {
    let index = document.index();
    let callable = |item: &Item| {
        use EntityKind::{Function, Graph, Macro, Relation};
        matches!(item.kind, Macro | Function | Graph | Relation)
    };
    let items = index.items().iter().filter(|(_, item)| callable(item));
    let by_name: FxHashMap<Span, ItemId> = items.map(|(id, item)| (item.selection, id)).collect();
    let mut declared: FxHashMap<EntityId, Vec<ItemId>> = FxHashMap::default();
    for used in index.uses().iter().filter(|used| used.role == Role::Definition) {
        if let Some(&item) = by_name.get(&used.span) {
            declared.entry(used.entity).or_default().push(item);
        }
    }
    declared
}

/// The parts of a text by where they begin; those that begin where another one does come behind it if they are in it.
struct Parts(Vec<(u32, ItemId)>);

impl Parts {
    fn of(document: &Document) -> Self {
        let mut parts: Vec<(u32, ItemId)> =
            document.index().items().iter().map(|(id, item)| (item.span.start, id)).collect();
        parts.sort_by_key(|(start, _)| *start);
        Self(parts)
    }

    /// The smallest part of the text that a place is in: the last one that begins before it, or one around that. Logarithmic in the parts, and linear
    /// in how deep they are.
    fn around(&self, document: &Document, place: Span) -> Option<ItemId> {
        let last = self.0.partition_point(|(start, _)| *start <= place.start).checked_sub(1)?;
        let items = document.index().items();
        let mut part = self.0.get(last).map(|(_, id)| *id);
        while let Some(item) = part.and_then(|id| items.get(id)) {
            if contains(item.span, place) {
                return part;
            }
            part = item.parent;
        }
        None
    }
}

fn contains(span: Span, inner: Span) -> bool {
    span.start <= inner.start && inner.end <= span.end
}

fn shown(document: &Document, id: ItemId) -> Option<CallHierarchyItem> {
    let item = document.index().items().get(id)?;
    Some(CallHierarchyItem {
        name: if item.name.is_empty() { "?".to_owned() } else { item.name.clone() },
        kind: outline::kind(item.kind),
        tags: None,
        detail: Some(item.kind.word().to_owned()),
        uri: document.uri.clone(),
        range: document.range(item.span),
        selection_range: document.range(item.selection),
        data: None,
    })
}
