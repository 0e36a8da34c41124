//! Larger and larger selections around a place: the word, what is in brackets, the item, the text.

use crate::document::{Document, SOURCE};
use gen_lsp_types::{Position, SelectionRange};
use rg_ir::Span;
use rg_ir::index::Class;

/// The selections around each of the places.
pub(crate) fn ranges(document: &Document, positions: &[Position]) -> Option<Vec<SelectionRange>> {
    let brackets = brackets(document);
    Some(positions.iter().map(|&position| around(document, &brackets, position)).collect())
}

fn around(document: &Document, brackets: &[Span], position: Position) -> SelectionRange {
    let offset = document.offset(position);
    let index = document.index();
    let names = index.names_at(offset).into_iter().map(|used| used.span);
    let tokens = index.tokens().iter().map(|(span, _)| *span);
    let items = index.items_at(offset).map(|item| item.span);
    let all = Span::new(SOURCE, 0, document.text.len());
    let mut spans: Vec<Span> = names.chain(tokens).chain(brackets.iter().copied()).chain(items).collect();
    spans.retain(|span| span.start <= offset && offset <= span.end && span.start < span.end);
    spans.push(all);
    // From the shortest on, each contains the one before.
    spans.sort_by_key(|span| span.end - span.start);
    let mut chain: Vec<Span> = Vec::new();
    for span in spans {
        if chain.last().is_none_or(|last| span.start <= last.start && last.end <= span.end && *last != span) {
            chain.push(span);
        }
    }
    let nested = chain
        .into_iter()
        .rev()
        .fold(None, |parent, span| Some(SelectionRange { range: document.range(span), parent: parent.map(Box::new) }));
    nested.unwrap_or(SelectionRange { range: document.range(all), parent: None })
}

/// What is in brackets, without and with them. Those in comments do not count.
fn brackets(document: &Document) -> Vec<Span> {
    let comments = document.index().tokens().iter().filter(|(_, class)| *class == Class::Comment);
    let mut comments = comments.map(|(span, _)| span.range()).peekable();
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (at, byte) in document.text.bytes().enumerate() {
        while comments.next_if(|comment| comment.end <= at).is_some() {}
        if comments.peek().is_some_and(|comment| comment.contains(&at)) {
            continue;
        }
        match byte {
            b'(' | b'[' | b'{' => open.push((at, byte)),
            b')' | b']' | b'}' => {
                if let Some((start, _)) = open.pop_if(|(_, opening)| is_pair(*opening, byte)) {
                    found.push(Span::new(SOURCE, start + 1, at));
                    found.push(Span::new(SOURCE, start, at + 1));
                }
            }
            _ => {}
        }
    }
    found
}

fn is_pair(open: u8, close: u8) -> bool {
    matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
}
