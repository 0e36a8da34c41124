//! How the words of the language look: in prefix and infix syntax at once, since files of both are called the same.

use crate::index::reserved::{KEYWORDS, relations};
use rg_ir::index::{Class, EntityKind, Role};
use rg_ir::lexical::{Pattern, any};

/// How the words look. A `;` begins a comment, except where it can only be the sign of Prolog: in brackets that close on the same line.
pub fn patterns() -> Vec<Pattern> {
    let name = |kind| Class::Name(kind, Role::Read);
    // Where words of both syntaxes begin and end.
    let (start, end) = (r"(?<![^\s()&|~,.;:])", r"(?![^\s()&|~,.;:])");
    // In prefix syntax, a relation stands behind a bracket, in infix syntax before one.
    let called = |words: String| format!(r"{start}(?:(?<=\()(?i:{words}){end}|(?i:{words})(?=\())");
    vec![
        Pattern::Word(Class::Operator, r"(?<=\S\s);(?=\s(?<part>[^()]++|\(\g<part>*+\))*+\))".to_owned()),
        Pattern::line_comment(";"),
        Pattern::line_comment(r"(?<![^\s.])%"),
        Pattern::Block(Class::Comment, r"(?<!\S)/\*".to_owned(), r"\*/".to_owned()),
        Pattern::Word(name(EntityKind::Value), r"'[^\s'()]*'".to_owned()),
        Pattern::Word(Class::Keyword, called(any(KEYWORDS))),
        Pattern::Word(name(EntityKind::Relation), called(any(relations()))),
        Pattern::Word(name(EntityKind::Parameter), format!(r"{start}(?:\?[^\s();]+|[A-Z_][A-Za-z0-9_]*(?=\s*[,)]))")),
        Pattern::Word(Class::Number, format!("{start}[0-9]+{end}")),
        Pattern::Word(Class::Operator, r"<=|:-|!=|\\\+|\\==?|[&|~]".to_owned()),
        Pattern::Word(name(EntityKind::Value), r"[^\s();&|~,.:'!\\]+".to_owned()),
    ]
}

/// Whether a word has a meaning in the language; in prefix texts, where case does not count, in lower case.
pub fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word) || word == "<=" || relations().any(|relation| relation == word)
}

/// What a word of the language that is no relation means, in a line. Relations have a description of their own.
pub fn meaning(word: &str) -> Option<&'static str> {
    Some(match &*word.to_ascii_lowercase() {
        "<=" | ":-" => "a rule: its head holds if all conditions do",
        "not" | "~" | "\\+" => "holds if the condition in it does not",
        "or" | "|" | ";" => "holds if one of the conditions does",
        "and" | "&" => "holds if all of the conditions do",
        "distinct" | "!=" => "holds if the two terms are different",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_meaning() {
        for word in KEYWORDS {
            assert!(meaning(word).is_some(), "{word}");
        }
    }
}
