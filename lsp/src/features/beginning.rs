//! A text in which nothing is written yet, and a small game for it.

use crate::document::Document;
use kit::skeleton;
use rg_ir::index::Class;

/// A small game in the language of a text that has no more than comments.
pub(crate) fn game(document: &Document) -> Option<String> {
    let (mut rest, mut at) = (String::new(), 0);
    for (span, _) in document.index().tokens().iter().filter(|(_, class)| *class == Class::Comment) {
        rest.push_str(document.text.get(at..span.start as usize).unwrap_or_default());
        at = span.end as usize;
    }
    rest.push_str(document.text.get(at..).unwrap_or_default());
    if !rest.trim().is_empty() {
        return None;
    }
    let name = document.name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    skeleton::skeleton(document.language.name, if skeleton::is_name(stem) { stem } else { "game" })
}
