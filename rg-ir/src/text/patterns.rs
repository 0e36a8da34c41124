//! How the words of RG look.

use super::lexer::{KEYWORDS, Known, SIGNS};
use crate::index::{Class, EntityKind, Role};
use crate::lexical::{Pattern, any};

/// How the words look.
pub fn patterns() -> Vec<Pattern> {
    let end = r"(?![\p{Alphabetic}\p{N}_])";
    let keywords = any(KEYWORDS.iter().map(|&(text, _)| text));
    let pragmas = any(Known::ALL.into_iter().map(Known::name));
    vec![
        Pattern::line_comment("//"),
        Pattern::block_comment(),
        Pattern::Word(Class::Keyword, format!("@{pragmas}{end}")),
        // The whole of an unknown one.
        Pattern::Word(Class::Keyword, "@[^;]*".to_owned()),
        Pattern::Word(Class::Keyword, format!("{keywords}{end}")),
        Pattern::Word(Class::Number, format!("[0-9]+{end}")),
        Pattern::Word(Class::Name(EntityKind::Value, Role::Read), r"[\p{Alphabetic}\p{N}_]+".to_owned()),
        Pattern::Word(Class::Operator, any(SIGNS.iter().map(|&(text, _)| text))),
    ]
}
