//! Grammars in the form that TextMate introduced, which most editors can read: the words of a language by regular expressions.

use crate::language::Language;
use rg_ir::index::{Class, EntityKind};
use rg_ir::lexical::Pattern;
use serde_json::{Value, json};

/// The grammar of a language; `None` for one that nobody writes by hand.
pub fn grammar(language: &Language) -> Option<Value> {
    let patterns = (language.editing.patterns)();
    if patterns.is_empty() {
        return None;
    }
    let name = language.name;
    let rule = |pattern: &Pattern| match pattern {
        Pattern::Word(class, found) => match scope(*class, "line") {
            Some(scope) => json!({ "name": format!("{scope}.{name}"), "match": found }),
            None => json!({ "match": found }),
        },
        Pattern::Block(class, begin, end) => {
            let scope = scope(*class, "block").unwrap_or("meta.block");
            json!({ "name": format!("{scope}.{name}"), "begin": begin, "end": end })
        }
    };
    Some(json!({
        "comment": "Made from the tables of the lexers; the test `grammars` of the crate `kit` writes it.",
        "name": language.title,
        "scopeName": format!("source.{name}"),
        "fileTypes": language.extensions,
        "patterns": patterns.iter().map(rule).collect::<Vec<Value>>(),
    }))
}

/// What a class is called in grammars; comments by their shape. Names are coloured where the language itself knows them.
fn scope(class: Class, shape: &str) -> Option<&'static str> {
    Some(match class {
        Class::Keyword => "keyword.control",
        Class::Comment if shape == "line" => "comment.line",
        Class::Comment => "comment.block",
        Class::Number => "constant.numeric",
        Class::Operator => "keyword.operator",
        Class::Text => "string.unquoted",
        Class::Name(EntityKind::Relation, _) => "support.function",
        Class::Name(EntityKind::Parameter, _) => "variable.parameter",
        Class::Name(EntityKind::Piece, _) => "variable.other.enummember",
        Class::Name(..) => return None,
    })
}
