//! Giving something another name, if the text means the same afterwards.

use super::edits;
use crate::capabilities::Client;
use crate::dispatch::{Failure, Place};
use crate::document::{Document, SOURCE};
use gen_lsp_types::{PrepareRenamePlaceholder, PrepareRenameResult, TextEdit, WorkspaceEdit};
use kit::language::Reading;
use rg_ir::diag::{Diagnostic, Severity};
use rg_ir::ids::EntityId;
use rg_ir::index::{Entity, Index, Role, Use};

/// What would be renamed at a place.
pub(crate) fn prepare(place: Place) -> Result<Option<PrepareRenameResult>, Failure> {
    let (used, entity) = target(place)?;
    let placeholder =
        PrepareRenamePlaceholder { range: place.document.range(used.span), placeholder: entity.name.clone() };
    Ok(Some(PrepareRenameResult::PrepareRenamePlaceholder(placeholder)))
}

/// The edits that rename what is named at a place.
pub(crate) fn rename(place: Place, name: &str, client: &Client) -> Result<Option<WorkspaceEdit>, Failure> {
    let document = place.document;
    let (Use { entity: id, .. }, entity) = target(place)?;
    let name = name.trim();
    if name == entity.name {
        return Ok(None);
    }
    let uses: Vec<Use> = document.index().uses_of(id).copied().collect();
    let text = renamed(&document.text, &uses, (&entity.name, name));
    let other = (document.language.editing.index)(SOURCE, &text);
    if !is_renamed(document.index(), &other, id, name) {
        return Err(Failure::refusal(match clash(document.index(), id, name) {
            Some(word) => format!("`{name}` is the name of a {word} here"),
            None => format!("`{name}` cannot be the name of this {}", entity.kind.word()),
        }));
    }
    if let Some(error) = new_error(document, &text) {
        return Err(Failure::refusal(format!("`{name}` cannot be the name of this {}: {error}", entity.kind.word())));
    }
    let edit = |used: &Use| TextEdit {
        range: document.range(used.span),
        new_text: spelt(document.at(used.span), &entity.name, name),
    };
    Ok(Some(edits::of_document(document, client, uses.iter().map(edit).collect())))
}

/// What is wrong with a text that has more errors than the one of a document, as far as that can be told soon.
fn new_error(document: &Document, text: &str) -> Option<String> {
    let errors = |text: &str| {
        let found = match document.language.outset {
            Some(outset) => outset(SOURCE, text),
            None => (document.language.lower)(SOURCE, text, Reading::default()).1,
        };
        found.into_iter().filter(|finding| finding.severity == Severity::Error).collect::<Vec<_>>()
    };
    let (before, after) = (errors(&document.text), errors(text));
    let is_new = |finding: &Diagnostic| before.iter().all(|known| known.message != finding.message);
    let new = || after.iter().find(|finding| is_new(finding)).or(after.first());
    (after.len() > before.len()).then(new)?.map(|finding| finding.message.clone())
}

/// What is named at a place, if it can be renamed.
fn target(place: Place<'_>) -> Result<(Use, &Entity), Failure> {
    let Place { document, offset } = place;
    let index = document.index();
    let named = index.names_at(offset);
    let Some(&used) = named.first() else { return Err(Failure::refusal("nothing with a name is here")) };
    let Some(entity) = index.entity(used.entity) else { return Err(Failure::refusal("nothing with a name is here")) };
    if named.iter().any(|other| other.entity != used.entity) {
        return Err(Failure::refusal(format!("`{}` has several meanings here, which calls decide", entity.name)));
    }
    if let Some(why) = entity.fixed {
        return Err(Failure::refusal(format!("`{}` cannot be renamed: {why}", entity.name)));
    }
    if let Some(pasted) = index.uses_of(used.entity).find(|used| used.role == Role::Pasted) {
        let (name, line) = (&entity.name, line(document, pasted));
        return Err(Failure::refusal(format!("`{name}` cannot be renamed: it is made of parts in line {line}")));
    }
    Ok((used, entity))
}

fn line(document: &Document, used: &Use) -> u32 {
    document.lines.line(used.span.start) + 1
}

/// A new name as it is spelt at a place: in lower case where the old one is, though it is not by itself (pieces of SBG, words of GDL).
fn spelt(written: &str, old: &str, name: &str) -> String {
    if written != old && written == old.to_lowercase() { name.to_lowercase() } else { name.to_owned() }
}

/// The text with another name than the old one at these places.
fn renamed(text: &str, uses: &[Use], (old, name): (&str, &str)) -> String {
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for used in uses {
        let range = used.span.range();
        out.push_str(text.get(end..range.start).unwrap_or_default());
        out.push_str(&spelt(text.get(range.clone()).unwrap_or_default(), old, name));
        end = range.end;
    }
    out.push_str(text.get(end..).unwrap_or_default());
    out
}

/// Whether all names mean in another text what they mean in this one, and only one of them is spelt otherwise.
fn is_renamed(index: &Index, other: &Index, id: EntityId, name: &str) -> bool {
    let meaning = |used: &Use| (used.entity, used.role);
    let is_same = |(at, entity): (EntityId, &Entity)| {
        other.entity(at).is_some_and(|renamed| {
            renamed.kind == entity.kind && *renamed.name == *if at == id { name } else { &entity.name }
        })
    };
    index.entities().len() == other.entities().len()
        && index.uses().iter().map(meaning).eq(other.uses().iter().map(meaning))
        && index.entities().iter().all(is_same)
}

/// The kind of what has a name already where an entity is named.
fn clash(index: &Index, id: EntityId, name: &str) -> Option<&'static str> {
    let sees = |entity: &&Entity| index.uses_of(id).any(|used| entity.is_visible(used.span.start));
    let named = index.entities().values().filter(|entity| entity.name == name);
    named.into_iter().find(sees).map(|entity| entity.kind.word())
}
