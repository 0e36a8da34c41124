//! What can be written at a place.

use super::{beginning, prose};
use crate::capabilities::Client;
use crate::dispatch::Place;
use crate::document::{Document, SOURCE};
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionList, CompletionResponse, Documentation,
    InsertTextFormat, MarkupContent, MarkupKind, Range, TextEdit,
};
use rg_ir::Span;
use rg_ir::ids::EntityId;
use rg_ir::index::{Entity, EntityKind, Expected, Index, Slot, Template, TemplatePart};
use rustc_hash::FxHashSet;

/// Items that are offered at most; of more, the client asks again with more letters.
const MAX_ITEMS: usize = 1_000;

/// Names and reserved words that fit, names first; where nothing is written yet, also a small game.
pub(crate) fn items(place: Place, client: &Client) -> Option<CompletionResponse> {
    let Place { document, offset } = place;
    let Expected { start, words, templates, kinds, likely, slot, without_arguments } =
        (document.language.editing.expected)(&document.text, offset as usize);
    // The rest of the word goes with its beginning.
    let behind = document.text.get(offset as usize..).unwrap_or_default();
    let rest = behind.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(behind.len());
    // What a template has may be there already.
    let is_open = behind.get(rest..).is_some_and(|behind| behind.trim_start().starts_with(['(', '=']));
    let template = |word: &str| templates.iter().find(|template| template.word == word && !is_open);
    let range = document.range(Span::new(SOURCE, start as usize, offset as usize + rest));
    let written = document.text.get(start as usize..offset as usize).unwrap_or_default();
    // A name that stands here alone is the one that is being written.
    let here = |entity: &Entity| entity.span.start == start && document.index().names_at(start).len() == 1;
    let mut seen = FxHashSet::default();
    // What is visible up to the last token is so behind it, too, where a declaration is being written.
    let before = document.text.get(..start as usize).unwrap_or_default().trim_end();
    let goes_on =
        !before.ends_with('}') || !document.text.get(before.len()..start as usize).unwrap_or_default().contains('\n');
    let index = document.index();
    let is_near = |entity: &&Entity| goes_on && !entity.is_visible(offset);
    let near = index.visible(before.len() as u32).filter(is_near);
    let known = slot.map(|slot| elsewhere(index, &slot, start)).unwrap_or_default();
    let fits = |entity: &&Entity| {
        // Where values are known that stand in such a place, others have none there; but any player may stand where only players do.
        let is_value = match entity.kind {
            EntityKind::Player => kinds.contains(&EntityKind::Value),
            kind => matches!(kind, EntityKind::Value | EntityKind::Function),
        };
        kinds.contains(&entity.kind)
            && (!without_arguments || entity.parameters.is_empty())
            && (known.is_empty() || !is_value || known.contains(&entity.span))
    };
    let named = index.visible(offset).chain(near).filter(fits);
    let named = named.filter(|entity| !(here(entity) && entity.name == written));
    let named = named.filter(|entity| seen.insert((entity.name.clone(), entity.kind)));
    // The order of kinds is that of how likely they are; what stands in such a place elsewhere is likelier.
    let rank = |entity: &Entity| match entity.kind {
        _ if known.contains(&entity.span) => 0,
        EntityKind::Value if likely.contains(&entity.name) => 0,
        EntityKind::Variable | EntityKind::Parameter | EntityKind::Function if likely.contains(&entity.name) => 1,
        kind => kinds.iter().position(|other| *other == kind).unwrap_or(kinds.len()) + 2,
    };
    let mut items: Vec<CompletionItem> =
        named.map(|entity| named_item(document, entity, rank(entity), range)).collect();
    // Some words of a language are names as well.
    let words = words.into_iter().filter(|word| items.iter().all(|item| item.label != *word));
    let words: Vec<CompletionItem> = words
        .map(|word| match template(&word) {
            Some(template) => template_item(template, client, range),
            None => word_item(word, range),
        })
        .collect();
    items.extend(words);
    items.extend(beginning::game(document).filter(|_| client.snippets).map(|game| game_item(document, &game, range)));
    let is_incomplete = items.len() > MAX_ITEMS;
    if is_incomplete {
        items.retain(|item| item.label.starts_with(written));
        items.truncate(MAX_ITEMS);
    }
    Some(CompletionResponse::CompletionList(CompletionList { is_incomplete, items, ..CompletionList::default() }))
}

/// What stands in a slot of other calls than the one at byte `start`, by where it is declared.
fn elsewhere(index: &Index, slot: &Slot, start: u32) -> FxHashSet<Span> {
    let is_meant = |entity: &Entity| slot.callees.iter().any(|name| name.eq_ignore_ascii_case(&entity.name));
    let callees: FxHashSet<EntityId> =
        index.entities().iter().filter(|(_, entity)| is_meant(entity)).map(|(id, _)| id).collect();
    let calls = index.calls().iter().filter(|call| callees.contains(&call.callee));
    let arguments = calls.filter_map(|call| call.arguments.get(slot.argument));
    let first = |argument: &Span| {
        let at = index.uses().partition_point(|used| used.span.start < argument.start);
        index.uses().get(at).filter(|used| used.span.end <= argument.end && used.span.start != start)
    };
    let entities = arguments.filter_map(first).filter_map(|used| index.entity(used.entity));
    entities.filter(|entity| entity.kind != EntityKind::Parameter).map(|entity| entity.span).collect()
}

fn named_item(document: &Document, entity: &Entity, rank: usize, range: Range) -> CompletionItem {
    let mut lines = document.at(entity.signature).lines();
    let mut signature = prose::short(lines.next().unwrap_or_default());
    if lines.next().is_some() {
        // What is begun on this line goes on below.
        signature.truncate(signature.trim_end_matches([' ', '=', '{']).len());
    }
    let detail = match (signature.as_str(), entity.detail.as_str()) {
        ("", "") => entity.kind.word().to_owned(),
        ("", detail) => format!("{} {detail}", entity.kind.word()),
        (signature, _) => signature.to_owned(),
    };
    let comment = entity.doc.is_some().then(|| {
        let value = prose::of_comment(document.at(entity.doc));
        Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
    });
    CompletionItem {
        detail: Some(detail),
        documentation: comment,
        kind: Some(kind(entity.kind)),
        sort_text: Some(format!("{rank}{}", entity.name)),
        ..item(entity.name.clone(), range)
    }
}

fn word_item(word: String, range: Range) -> CompletionItem {
    CompletionItem { kind: Some(CompletionItemKind::Keyword), sort_text: Some(format!("9{word}")), ..item(word, range) }
}

/// A word with what usually follows.
fn template_item(template: &Template, client: &Client, range: Range) -> CompletionItem {
    let plain = |part: &TemplatePart| match part {
        TemplatePart::Fixed(text) | TemplatePart::Hole(text) => text.clone(),
    };
    let plain: String = template.parts.iter().map(plain).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut item = CompletionItem { detail: Some(line.clone()), ..word_item(template.word.clone(), range) };
    item.kind = Some(CompletionItemKind::Snippet);
    // Clients that know no snippets may know no lines, either.
    let new_text = if client.snippets { snippet(&template.parts) } else { line };
    item.insert_text_format = client.snippets.then_some(InsertTextFormat::Snippet);
    item.text_edit = Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text }));
    item
}

/// A template as clients take it: `${1:…}` is what is to be replaced first.
fn snippet(parts: &[TemplatePart]) -> String {
    let (mut text, mut number) = (String::new(), 0);
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
    for part in parts {
        match part {
            TemplatePart::Fixed(part) => text.push_str(&escaped(part)),
            TemplatePart::Hole(part) => {
                number += 1;
                text.push_str(&format!("${{{number}:{}}}", escaped(part)));
            }
        }
    }
    text
}

/// A small game.
fn game_item(document: &Document, game: &str, range: Range) -> CompletionItem {
    let mut item = item("game".to_owned(), range);
    item.kind = Some(CompletionItemKind::Snippet);
    item.detail = Some("a small game to begin with".to_owned());
    item.sort_text = Some("8game".to_owned());
    let new_text = document.with_its_line_ends(game);
    item.text_edit = Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text }));
    item
}

/// An item that replaces the word that is being written.
fn item(label: String, range: Range) -> CompletionItem {
    let edit = TextEdit { range, new_text: label.clone() };
    CompletionItem { label, text_edit: Some(CompletionItemTextEdit::TextEdit(edit)), ..CompletionItem::default() }
}

fn kind(kind: EntityKind) -> CompletionItemKind {
    match kind {
        EntityKind::Type => CompletionItemKind::Enum,
        EntityKind::Value | EntityKind::Player | EntityKind::Piece => CompletionItemKind::EnumMember,
        EntityKind::Constant => CompletionItemKind::Constant,
        EntityKind::Variable | EntityKind::Parameter => CompletionItemKind::Variable,
        EntityKind::Node | EntityKind::Place => CompletionItemKind::Reference,
        EntityKind::Tag => CompletionItemKind::Event,
        EntityKind::Function | EntityKind::Graph | EntityKind::Macro | EntityKind::Relation => {
            CompletionItemKind::Function
        }
        EntityKind::Direction => CompletionItemKind::Property,
        EntityKind::Section => CompletionItemKind::Module,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_snippets_are_escaped() {
        let template = Template::new("a", "a($«b}»,\\«c»)");
        assert_eq!(snippet(&template.parts), "a(\\$${1:b\\}},\\\\${2:c})");
    }
}
