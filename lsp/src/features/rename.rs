//! Giving something another name, if the text means the same afterwards.

use super::edits;
use crate::capabilities::Client;
use crate::dispatch::{Failure, Place};
use crate::document::{Document, SOURCE};
use gen_lsp_types::{PrepareRenamePlaceholder, PrepareRenameResult, TextEdit, WorkspaceEdit};
use kit::language::Reading;
use rg_ir::Diagnostic;
use rg_ir::ids::EntityId;
use rg_ir::index::{Class, Entity, Index, Role, Use};

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
    if let Some(reason) = (document.language.editing.misnamed)(&document.text, entity.kind, name) {
        return Err(unfit(name, entity, &reason));
    }
    let mut uses: Vec<Use> = document.index().uses_of(id).copied().collect();
    // An argument of a macro may be used in several ways, and is written once.
    uses.dedup_by_key(|used| used.span);
    let text = renamed(&document.text, &uses, (&entity.name, name));
    let other = (document.language.editing.index)(SOURCE, &text);
    if !is_renamed(document.index(), &other, id, name) {
        return Err(match clash(document.index(), id, name) {
            Some(other) => taken(document, name, other),
            None => unfit(name, entity, &changed(document, &other, id, name)),
        });
    }
    if let Some(error) = new_error(document, &text) {
        return Err(unfit(name, entity, &error));
    }
    let edit = |used: &Use| TextEdit {
        range: document.range(used.span),
        new_text: spelt(document.at(used.span), &entity.name, name),
    };
    Ok(Some(edits::of_document(document, client, uses.iter().map(edit).collect())))
}

/// That a name does not fit, with the reason.
fn unfit(name: &str, entity: &Entity, reason: &str) -> Failure {
    Failure::refusal(format!("`{name}` cannot be the name of this {}: {reason}", entity.kind.word()))
}

/// That something has the name already, and where that is declared.
fn taken(document: &Document, name: &str, other: &Entity) -> Failure {
    let place = match other.span.is_some() {
        true => {
            let position = document.range(other.span).start;
            format!("line {}, column {}", position.line + 1, position.character + 1)
        }
        false => "declared by the language".to_owned(),
    };
    Failure::refusal(format!("`{name}` is the name of a {} here ({place})", other.kind.word()))
}

/// What is wrong with a text that has more errors than the one of a document, as far as that can be told soon.
fn new_error(document: &Document, text: &str) -> Option<String> {
    let found = |text: &str| match document.language.outset {
        Some(outset) => outset(SOURCE, text),
        None => (document.language.lower)(SOURCE, text, Reading::default()).1,
    };
    let errors = |found: &[Diagnostic]| -> Vec<String> {
        found.iter().filter(|finding| finding.is_error()).map(|finding| finding.message.clone()).collect()
    };
    // What is known may come from a longer search than the one that is made here.
    let before = match document.findings().filter(|_| document.language.outset.is_none()) {
        Some(known) => errors(known),
        None => errors(&found(&document.text)),
    };
    let after = errors(&found(text));
    let new = || after.iter().find(|message| !before.contains(message)).or(after.first());
    (after.len() > before.len()).then(new)?.cloned()
}

/// What is named at a place, if it can be renamed.
fn target(place: Place<'_>) -> Result<(Use, &Entity), Failure> {
    let Place { document, offset } = place;
    let index = document.index();
    let named = index.names_at(offset);
    let Some(&used) = named.first() else { return Err(nameless(document, offset)) };
    let Some(entity) = index.entity(used.entity) else { return Err(nameless(document, offset)) };
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

/// That nothing can be renamed at a place, with what is there instead.
fn nameless(document: &Document, offset: u32) -> Failure {
    let tokens = document.index().tokens();
    let end = tokens.partition_point(|(span, _)| span.start <= offset);
    let here = tokens.get(..end).and_then(<[_]>::last).filter(|(span, _)| offset <= span.end);
    let Some((span, class)) = here else {
        let word = word_at(&document.text, offset as usize);
        let nothing = "nothing with a name is here".to_owned();
        return Failure::refusal(if word.is_empty() { nothing } else { format!("`{word}` is declared nowhere") });
    };
    // An unknown name may stand right behind a sign.
    let word = word_at(&document.text, offset as usize);
    if *class == Class::Operator && !word.is_empty() {
        return Failure::refusal(format!("`{word}` is declared nowhere"));
    }
    let written = document.at(*span).trim();
    Failure::refusal(match class {
        Class::Keyword => format!("`{written}` is a word of the language, and has no other name"),
        Class::Number => format!("`{written}` is a number, and has no other name"),
        Class::Operator => format!("`{written}` is a sign, and has no other name"),
        Class::Comment => "comments have no name".to_owned(),
        _ => "nothing with a name is here".to_owned(),
    })
}

/// The word around a byte of a text; nothing if none is there.
fn word_at(text: &str, offset: usize) -> &str {
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    let Some((before, after)) = text.split_at_checked(offset) else { return "" };
    let start = before.trim_end_matches(is_word).len();
    let end = offset + (after.len() - after.trim_start_matches(is_word).len());
    text.get(start..end).unwrap_or_default()
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

/// The first place at which another text would mean something else, and what.
fn changed(document: &Document, other: &Index, id: EntityId, name: &str) -> String {
    let index = document.index();
    let (before, after) = (index.uses(), other.uses());
    let meaning = |index: &Index, used: &Use| {
        index.entity(used.entity).map(|entity| (entity.kind, entity.name.clone(), used.role))
    };
    let renamed = |used: &Use| {
        let (kind, old, role) = meaning(index, used)?;
        Some((kind, if used.entity == id { name.to_owned() } else { old }, role))
    };
    let differs = |(before, after): &(&Use, &Use)| renamed(before) != meaning(other, after);
    match before.iter().zip(after).find(differs) {
        Some((used, meant)) => {
            let what = other.entity(meant.entity).map_or("something else", |entity| entity.kind.word());
            let old = index.entity(used.entity).map_or("name", |entity| entity.kind.word());
            let written = document.at(used.span);
            let line = line(document, used);
            format!("names would mean something else: `{written}` in line {line}, which is a {old}, would be a {what}")
        }
        None => "names in other places would mean something else".to_owned(),
    }
}

/// What has a name already where an entity is named.
fn clash<'i>(index: &'i Index, id: EntityId, name: &str) -> Option<&'i Entity> {
    let sees = |entity: &&Entity| index.uses_of(id).any(|used| entity.is_visible(used.span.start));
    index.entities().values().filter(|entity| entity.name == name).find(sees)
}
