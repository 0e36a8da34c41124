//! How the words of the language look.

use crate::lexer::{SIGNS, TAGS};
use rg_ir::index::{Class, EntityKind, Role};
use rg_ir::lexical::{Pattern, any};

/// How the words look.
pub fn patterns() -> Vec<Pattern> {
    let piece = Class::Name(EntityKind::Piece, Role::Read);
    let signs: String = SIGNS.into_iter().map(|(sign, _)| format!(r"\{sign}")).collect();
    vec![
        Pattern::line_comment("//"),
        Pattern::block_comment(),
        Pattern::Word(Class::Text, "<<.*?>>".to_owned()),
        Pattern::Word(Class::Keyword, any(TAGS.map(|(tag, _)| tag))),
        Pattern::Word(piece, r"\|[^|]*\|".to_owned()),
        Pattern::Word(Class::Number, "-?[0-9]+".to_owned()),
        // What a square has to hold ends a step.
        Pattern::Word(Class::Keyword, r"[A-Za-z](?=\s*\))".to_owned()),
        Pattern::Word(piece, "[A-Za-z]".to_owned()),
        Pattern::Word(Class::Operator, format!("[{signs}]")),
    ]
}
