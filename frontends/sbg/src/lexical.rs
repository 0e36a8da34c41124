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

/// What a word or sign of the language means, in a line; nothing if it needs no explanation.
pub fn meaning(word: &str) -> Option<&'static str> {
    Some(match word {
        "<BOARD>" => {
            "the width and height of the board, and its rows from the top; upper-case letters are pieces of the first player"
        }
        "<PIECES>" => "the pieces with their moves, as expressions over steps: the second player moves as in a mirror",
        "<GOALS>" => {
            "how many turns there are, and what decides before: pieces on squares (`@`), and how many are left (`#`)"
        }
        "e" => "the square that the step ends on has to be empty",
        "p" => "the square that the step ends on has to hold a piece of the opponent",
        "w" => "the square that the step ends on has to hold an own piece",
        "@" => "wins by reaching a square with a piece",
        "#" => "the owner of the piece has lost when so many of it are left",
        "+" => "or: an alternative to what stands before it",
        "*" => "any number of times, also none: `x^*`",
        "&" => "ends a rule, a goal, or the number of half-moves",
        "^" => "repeats the step before it that many times, `*` any number of times",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_meaning() {
        for (tag, _) in TAGS {
            assert!(meaning(tag).is_some(), "{tag}");
        }
    }
}
