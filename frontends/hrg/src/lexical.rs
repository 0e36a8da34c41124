//! How the words of the language look.

use crate::lexer::{CONDITIONS, FOR_ALL, SPELLINGS, STATEMENTS};
use rg_ir::index::{Class, EntityKind, Role};
use rg_ir::lexical::{Pattern, any};

/// How the words look.
pub fn patterns() -> Vec<Pattern> {
    let end = r"(?![\p{Alphabetic}\p{N}_])";
    let (words, signs): (Vec<_>, Vec<_>) = SPELLINGS.iter().partition(|(_, kind)| kind.is_reserved());
    let words = any(words.into_iter().map(|&(text, _)| text));
    let calls = any(STATEMENTS.into_iter().chain(CONDITIONS));
    vec![
        Pattern::line_comment("//"),
        Pattern::Word(Class::Keyword, format!("{words}{end}")),
        Pattern::Word(Class::Keyword, format!(r"{calls}(?=\s*\()")),
        Pattern::Word(Class::Keyword, format!(r"{FOR_ALL}(?=\s+[\p{{Alphabetic}}\p{{N}}_]+\s*:)")),
        Pattern::Word(Class::Number, format!("[0-9]+{end}")),
        Pattern::Word(Class::Operator, format!("_{end}")),
        Pattern::Word(Class::Name(EntityKind::Value, Role::Read), r"[\p{Alphabetic}\p{N}_]+".to_owned()),
        Pattern::Word(Class::Operator, any(signs.into_iter().map(|&(text, _)| text))),
    ]
}
