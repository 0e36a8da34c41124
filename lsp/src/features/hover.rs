//! What something is: its declaration, the comment on it, and what findings at the place are about.

use super::prose;
use crate::dispatch::Place;
use crate::document::{Document, SOURCE};
use crate::findings;
use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};
use rg_ir::Span;
use rg_ir::ids::EntityId;
use rg_ir::index::{Class, Entity, EntityKind, Role};

/// Meanings of a name that are shown at most.
const MAX_MEANINGS: usize = 4;
/// Edges of a node that are shown at most.
const MAX_EDGES: usize = 10;

/// What is at a place.
pub(crate) fn hover(place: Place) -> Option<Hover> {
    let Place { document, offset } = place;
    let index = document.index();
    let mut named = index.names_at(offset);
    named.dedup_by_key(|used| used.entity);
    let mut sections: Vec<String> = Vec::new();
    for used in named.iter().take(MAX_MEANINGS) {
        sections.extend(index.entity(used.entity).map(|entity| described(document, used.entity, entity)));
    }
    let calls = named.iter().filter(|used| used.role != Role::Definition);
    let mut calls = calls.filter_map(|used| Some(index.entity(used.entity)?.kind));
    if calls.any(|kind| kind == EntityKind::Macro)
        && let Some(text) = (document.language.editing.expansion)(SOURCE, &document.text, offset)
    {
        let code = prose::long_code(document.language.name, &text);
        sections.push(format!("expands here to\n\n{code}"));
    }
    let word = word(document, offset).filter(|_| named.is_empty());
    sections.extend(word.iter().map(|(span, meaning)| format!("`{}`: {meaning}", document.at(*span))));
    let found = document.findings().unwrap_or_default().iter();
    let mut codes: Vec<&str> =
        found.filter(|finding| contains(findings::place(finding), offset)).map(|finding| finding.code).collect();
    codes.dedup();
    sections.extend(codes.into_iter().filter_map(|code| Some(format!("**{code}** {}", findings::meaning(code)?))));
    if sections.is_empty() {
        return None;
    }
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: sections.join("\n\n---\n\n") };
    let range = named.first().map(|used| used.span).or(word.map(|(span, _)| span)).map(|span| document.range(span));
    Some(Hover { contents: Contents::MarkupContent(contents), range })
}

/// The word or sign of the language at a place, with what it means, there or always: of two that touch there, the one that begins there.
fn word(document: &Document, offset: u32) -> Option<(Span, String)> {
    if let Some((range, said)) = (document.language.editing.told)(&document.text, offset) {
        return Some((Span::new(SOURCE, range.start, range.end), said));
    }
    let tokens = document.index().tokens();
    let end = tokens.partition_point(|(span, _)| span.start <= offset);
    let (span, class) = tokens.get(..end)?.last().filter(|(span, _)| offset <= span.end)?;
    let meaning = || (document.language.editing.meaning)(document.at(*span));
    let meaning = matches!(class, Class::Keyword | Class::Operator).then(meaning).flatten()?;
    Some((*span, meaning.to_owned()))
}

fn contains(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}

/// What an entity is, as Markdown.
fn described(document: &Document, id: EntityId, entity: &Entity) -> String {
    let word = entity.kind.word();
    let code = match entity.kind {
        EntityKind::Node => edges(document, id),
        _ if entity.signature.is_some() => document.at(entity.signature).to_owned(),
        _ => String::new(),
    };
    let mut parts = Vec::new();
    if !code.is_empty() {
        parts.push(prose::code(document.language.name, &code));
    }
    let tells = !code.is_empty() && entity.kind != EntityKind::Node;
    match entity.detail.as_str() {
        "" if tells => {}
        "" => parts.push(format!("{word} `{}`", entity.name)),
        detail => parts.push(format!("{word} `{}`, {detail}", entity.name)),
    }
    if entity.doc.is_some() {
        parts.push(prose::of_comment(document.at(entity.doc)));
    }
    parts.join("\n\n")
}

/// The edges out of a node, a line each.
fn edges(document: &Document, id: EntityId) -> String {
    let leaving = document.index().uses_of(id).filter(|used| matches!(used.role, Role::Definition | Role::Write));
    let edge = |span: Span| {
        let rest = document.text.get(span.start as usize..).unwrap_or_default();
        let end = rest.find([';', '\n']).map_or(rest.len(), |end| end + 1);
        rest.get(..end).unwrap_or_default().trim_end().to_owned()
    };
    let mut lines: Vec<String> = leaving.map(|used| edge(used.span)).collect();
    if lines.len() > MAX_EDGES {
        let more = lines.len() - MAX_EDGES;
        lines.truncate(MAX_EDGES);
        lines.push(format!("// and {more} more"));
    }
    lines.join("\n")
}
