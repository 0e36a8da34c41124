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

/// What a word or sign of the language means, in a line; nothing if it needs no explanation.
pub fn meaning(word: &str) -> Option<&'static str> {
    Some(match word {
        "players" => "the players, each with the greatest score it can have: `#players = white(100), black(100)`",
        "pieces" => "what can stand on a vertex: `#pieces = e, w, b`",
        "variables" => {
            "numbers that the rules keep, each with its greatest value: `#variables = turn(50)`; there may be none"
        }
        "board" => "the vertices, the edges between them, and the pieces at the beginning",
        "rules" => {
            "a regular expression over actions; a play is a word of it, and a move goes from one switch to the next"
        }
        "rectangle" => "a board of rows; the directions up, down, left and right are named first",
        "hexagon" => "a board of hexagons in rows that grow and shrink; its six directions are named first",
        "cuboid" => "a board of layers, each of rows; its six directions are named first",
        "->" => "hands over to a player, who makes the next move",
        "->>" => "hands over to the keeper, who has no choice to make",
        "{?" => "a check: holds if the rules in it can be followed from here; nothing of that stays",
        "{!" => "a negated check: holds if the rules in it cannot be followed from here",
        "{$" => "a comparison of numbers; the name of a piece is the number of those on the board",
        "[$" => "assigns numbers to variables, or scores to players",
        "~" => "pastes what stands left and right of it to one token, in macros",
        "#" => "begins a section or the definition of a macro",
        "^" => "repeats what stands before it that many times",
        "*" => "any number of times, also none; between numbers, times",
        "+" => "alternatives: what stands left of it, or what stands right of it; between numbers, plus",
        "{" => "goes on only if one of these pieces is on the current vertex",
        "[" => "puts this piece on the current vertex; of several, one is chosen",
        ";" => "separates the arguments of a macro",
        "." => "does nothing; it marks where a long move may be cut",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_meaning() {
        for (word, _) in SPELLINGS.iter().filter(|(_, kind)| kind.is_keyword()) {
            assert!(meaning(word).is_some(), "{word}");
        }
    }
}
