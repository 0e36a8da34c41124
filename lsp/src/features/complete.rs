//! What can be written at a place.

use super::prose;
use crate::dispatch::Place;
use crate::document::{Document, SOURCE};
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionList, CompletionResponse, Documentation,
    MarkupContent, MarkupKind, Range, TextEdit,
};
use rg_ir::Span;
use rg_ir::index::{Entity, EntityKind, Expected};
use rustc_hash::FxHashSet;

/// Items that are offered at most; of more, the client asks again with more letters.
const MAX_ITEMS: usize = 1_000;

/// Names and reserved words that fit, names first.
pub(crate) fn items(place: Place) -> Option<CompletionResponse> {
    let Place { document, offset } = place;
    let Expected { start, words, kinds } = (document.language.editing.expected)(&document.text, offset as usize);
    // The rest of the word goes with its beginning.
    let rest = document.text.get(offset as usize..).unwrap_or_default();
    let rest = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
    let range = document.range(Span::new(SOURCE, start as usize, offset as usize + rest));
    let written = document.text.get(start as usize..offset as usize).unwrap_or_default();
    // A name that stands here alone is the one that is being written.
    let here = |entity: &Entity| entity.span.start == start && document.index().names_at(start).len() == 1;
    let mut seen = FxHashSet::default();
    let named = document.index().visible(offset).filter(|entity| kinds.contains(&entity.kind));
    let named = named.filter(|entity| !(here(entity) && entity.name == written));
    let named = named.filter(|entity| seen.insert((entity.name.clone(), entity.kind)));
    let mut items: Vec<CompletionItem> = named.map(|entity| named_item(document, entity, &kinds, range)).collect();
    // Some words of a language are names as well.
    let words = words.into_iter().filter(|word| items.iter().all(|item| item.label != *word));
    let words: Vec<CompletionItem> = words.map(|word| word_item(word, range)).collect();
    items.extend(words);
    let is_incomplete = items.len() > MAX_ITEMS;
    if is_incomplete {
        items.retain(|item| item.label.starts_with(written));
        items.truncate(MAX_ITEMS);
    }
    Some(CompletionResponse::CompletionList(CompletionList { is_incomplete, items, ..CompletionList::default() }))
}

fn named_item(document: &Document, entity: &Entity, kinds: &[EntityKind], range: Range) -> CompletionItem {
    // The order of kinds is that of how likely they are.
    let rank = kinds.iter().position(|kind| *kind == entity.kind).unwrap_or(kinds.len());
    let signature = document.at(entity.signature).lines().next().unwrap_or_default();
    let detail = match (signature, entity.detail.as_str()) {
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
