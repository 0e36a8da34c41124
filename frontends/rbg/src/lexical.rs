//! How the words of the language look.

use crate::lexer::SPELLINGS;
use rg_ir::index::{Class, EntityKind, Role};
use rg_ir::lexical::{Pattern, any};

/// How the words look.
pub fn patterns() -> Vec<Pattern> {
    let (words, signs): (Vec<_>, Vec<_>) = SPELLINGS.iter().partition(|(_, kind)| kind.is_keyword());
    let words = any(words.into_iter().map(|&(text, _)| text));
    vec![
        Pattern::line_comment("//"),
        Pattern::block_comment(),
        Pattern::Word(Class::Keyword, format!("{words}(?![A-Za-z0-9])")),
        // A number may go directly before a name.
        Pattern::Word(Class::Number, "[0-9]+".to_owned()),
        Pattern::Word(Class::Name(EntityKind::Macro, Role::Read), "[A-Za-z][A-Za-z0-9]*".to_owned()),
        Pattern::Word(Class::Operator, any(signs.into_iter().map(|&(text, _)| text))),
    ]
}
