//! Remarks within the text: the names of parameters before arguments, and what front ends remark.

use crate::document::{Document, SOURCE};
use gen_lsp_types::{InlayHint, InlayHintKind, Label, Range};
use rg_ir::Span;
use rg_ir::index::{Call, EntityKind};

/// The remarks in a range.
pub(crate) fn hints(document: &Document, range: Range) -> Option<Vec<InlayHint>> {
    let bytes = document.lines.bytes(&document.text, range);
    let inside = |offset: u32| bytes.start <= offset as usize && offset as usize <= bytes.end;
    let index = document.index();
    let arguments = index.calls().iter().flat_map(|call| arguments(document, call));
    let named = arguments.map(|(offset, name)| (offset, format!("{name}:"), Some(InlayHintKind::Parameter)));
    let remarks = document.remarks().map(|hint| (hint.offset, hint.text.clone(), None));
    let mut found: Vec<_> = named.chain(remarks).filter(|(offset, ..)| inside(*offset)).collect();
    found.sort_by_key(|(offset, ..)| *offset);
    let hint = |(offset, text, kind): (u32, String, Option<InlayHintKind>)| InlayHint {
        position: document.range(Span::new(SOURCE, offset as usize, offset as usize)).start,
        label: Label::String(text),
        padding_right: kind.is_some().then_some(true),
        kind,
        text_edits: None,
        tooltip: None,
        padding_left: None,
        data: None,
    };
    Some(found.into_iter().map(hint).collect())
}

/// The arguments of a call of a macro or graph that do not tell by themselves what they are, with the names of their parameters.
fn arguments<'d>(document: &'d Document, call: &'d Call) -> impl Iterator<Item = (u32, &'d str)> {
    let callee = document.index().entity(call.callee);
    let callee = callee.filter(|entity| matches!(entity.kind, EntityKind::Macro | EntityKind::Graph));
    let names = callee.map(|entity| &*entity.parameters).unwrap_or_default();
    let named = names.iter().map(|parameter| parameter.split(':').next().unwrap_or_default().trim_end());
    let told = |(span, name): &(&Span, &str)| {
        let written = document.at(**span).to_lowercase();
        !written.is_empty() && !written.starts_with(&name.to_lowercase()) && !written.ends_with(&name.to_lowercase())
    };
    call.arguments.iter().zip(named).filter(told).map(|(span, name)| (span.start, name))
}
