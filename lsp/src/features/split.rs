//! Splitting an edge of an automaton that is written as one (RG): a new node comes between its nodes.

use crate::document::{Document, SOURCE};
use gen_lsp_types::TextEdit;
use rg_ir::Span;
use rg_ir::index::{Class, EntityKind, Role, Use};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The edits that split the edge in which a range of bytes lies. The label stays on the first part; the second one has none.
pub(crate) fn edge(document: &Document, bytes: Range<usize>) -> Option<Vec<TextEdit>> {
    let index = document.index();
    let is_node = |used: &&Use| index.entity(used.entity).is_some_and(|entity| entity.kind == EntityKind::Node);
    let leaves = |used: &&Use| matches!(used.role, Role::Definition | Role::Write);
    let uses = index.uses().iter().filter(is_node);
    let source = uses.clone().filter(leaves).take_while(|used| used.span.start as usize <= bytes.start).last()?;
    let target = uses.clone().find(|used| used.span.start >= source.span.end)?;
    let between = document.text.get(source.span.end as usize..target.span.start as usize)?;
    let end = end_of_edge(document, target.span)?;
    let rest = document.text.get(target.span.end as usize..end)?;
    if between.trim() != "," || !rest.trim_start().starts_with(':') || bytes.end > end {
        return None;
    }
    // A pragma says something about the edges of the node, by the nodes where they end.
    let in_pragma = |used: &Use| {
        let before = document.text.get(..used.span.start as usize).unwrap_or_default();
        before.rsplit([';', '\n']).next().is_some_and(|line| line.trim_start().starts_with('@'))
    };
    if index.uses_of(source.entity).any(in_pragma) {
        return None;
    }
    let (from, to) = (document.at(source.span), document.at(target.span));
    let known: FxHashSet<&str> = index.entities().values().map(|entity| &*entity.name).collect();
    let mut middles = (1..=known.len() + 1).map(|number| format!("{from}_{number}"));
    let middle = middles.find(|name| !known.contains(&**name))?;
    let behind = Span::new(SOURCE, end, end);
    Some(vec![
        TextEdit { range: document.range(target.span), new_text: middle.clone() },
        TextEdit {
            range: document.range(behind),
            new_text: document.with_its_line_ends(&format!("\n{middle}, {to}: ;")),
        },
    ])
}

/// The byte behind the `;` that ends an edge whose second node stands there. Linear.
fn end_of_edge(document: &Document, target: Span) -> Option<usize> {
    let tokens = document.index().tokens().iter().filter(|(span, _)| span.start >= target.end);
    let mut signs = tokens.filter(|(_, class)| *class == Class::Operator);
    signs.find(|(span, _)| document.at(*span) == ";").map(|(span, _)| span.end as usize)
}
