//! Colours: what each token is.

use crate::document::Document;
use gen_lsp_types::{Full, SemanticToken, SemanticTokens, SemanticTokensLegend, SemanticTokensOptions};
use rg_ir::Span;
use rg_ir::index::{Class, EntityKind, Role};

/// Types of tokens, all of them standard ones.
const TYPES: [&str; 14] = [
    "keyword",
    "comment",
    "number",
    "operator",
    "string",
    "type",
    "enumMember",
    "variable",
    "label",
    "event",
    "function",
    "macro",
    "parameter",
    "property",
];
/// Modifiers of tokens.
const MODIFIERS: [&str; 4] = ["declaration", "readonly", "modification", "defaultLibrary"];

const DECLARATION: u32 = 1;
const READONLY: u32 = 1 << 1;
const MODIFICATION: u32 = 1 << 2;

/// What the server says of tokens.
pub(crate) fn options() -> SemanticTokensOptions {
    let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let legend = SemanticTokensLegend { token_types: own(&TYPES), token_modifiers: own(&MODIFIERS) };
    SemanticTokensOptions { legend, full: Some(Full::Bool(true)), ..SemanticTokensOptions::default() }
}

/// The tokens of a text. One that goes over several lines is one for each line, as not all clients know longer ones.
pub(crate) fn tokens(document: &Document) -> Option<SemanticTokens> {
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for (span, class) in document.index().tokens() {
        let (name, modifiers) = described(*class);
        let Some(number) = TYPES.iter().position(|&other| other == name) else { continue };
        for (start, text) in lines(document, *span) {
            let place = document.lines.position(start);
            let delta_line = place.line - line;
            data.push(SemanticToken {
                delta_line,
                delta_start: if delta_line == 0 { place.character - column } else { place.character },
                length: document.lines.width(text),
                token_type: u32::try_from(number).unwrap_or(0),
                token_modifiers_bitset: modifiers,
            });
            (line, column) = (place.line, place.character);
        }
    }
    Some(SemanticTokens { result_id: None, data })
}

/// The parts of a token that stand on one line each, with where they begin.
fn lines(document: &Document, span: Span) -> impl Iterator<Item = (u32, &str)> {
    let mut at = span.start;
    let parts = document.at(span).split_inclusive(['\n', '\r']).map(move |part| {
        let start = at;
        at += u32::try_from(part.len()).unwrap_or(0);
        (start, part.trim_end_matches(['\r', '\n']))
    });
    parts.filter(|(_, part)| !part.is_empty())
}

fn described(class: Class) -> (&'static str, u32) {
    match class {
        Class::Keyword => ("keyword", 0),
        Class::Comment => ("comment", 0),
        Class::Number => ("number", 0),
        Class::Operator => ("operator", 0),
        Class::Text => ("string", 0),
        Class::Name(kind, role) => {
            let done = match role {
                Role::Definition => DECLARATION,
                Role::Write if kind == EntityKind::Variable => MODIFICATION,
                _ => 0,
            };
            let (name, always) = of_kind(kind);
            (name, always | done)
        }
    }
}

fn of_kind(kind: EntityKind) -> (&'static str, u32) {
    match kind {
        EntityKind::Type => ("type", 0),
        EntityKind::Value | EntityKind::Piece | EntityKind::Player => ("enumMember", 0),
        EntityKind::Constant => ("variable", READONLY),
        EntityKind::Variable => ("variable", 0),
        EntityKind::Node | EntityKind::Section => ("label", 0),
        EntityKind::Tag => ("event", 0),
        EntityKind::Function | EntityKind::Graph | EntityKind::Relation => ("function", 0),
        EntityKind::Macro => ("macro", 0),
        EntityKind::Parameter => ("parameter", 0),
        EntityKind::Direction | EntityKind::Place => ("property", 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_type() {
        use EntityKind::*;
        let kinds = [
            Type, Value, Constant, Variable, Node, Tag, Function, Graph, Macro, Parameter, Player, Piece, Direction,
            Place, Relation, Section,
        ];
        let names = kinds.map(|kind| Class::Name(kind, Role::Read));
        let others = [Class::Keyword, Class::Comment, Class::Number, Class::Operator, Class::Text];
        assert!(names.into_iter().chain(others).all(|class| TYPES.contains(&described(class).0)));
    }
}
