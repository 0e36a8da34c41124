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

/// What a word or sign of the language means, in a line; nothing if it needs no explanation.
pub fn meaning(word: &str) -> Option<&'static str> {
    Some(match word {
        "const" => "declares a constant: `const up: Cell -> Cell = { … };`",
        "type" => "declares a set of values: `type Player = { white, black };`",
        "var" => "declares a variable with its first value: `var cell: Cell = a1;`",
        "$" => "adds the name behind it to the move",
        "$$" => "adds the value of the variable behind it to the move",
        "?" => "holds if the second node can be reached from the first; nothing of that stays",
        "!" => "holds if the second node cannot be reached from the first",
        "@artificialTag" => "claims that the tag only tells moves apart and is not shown",
        "@disjoint" | "@disjointExhaustive" => {
            "claims that at most one (exhaustive: exactly one) of the edges to these nodes can be followed"
        }
        "@integer" => "claims that these symbols are numbers in a row",
        "@iterator" => "claims that the way through these nodes tries the values of the variable one by one",
        "@repeat" => "names the variables by which several arrivals at these nodes in one move differ",
        "@simpleApply" | "@simpleApplyExhaustive" => {
            "claims that a walk at one node goes on at the other with these tags and assignments (exhaustive: and not otherwise)"
        }
        "@tagIndex" | "@tagMaxIndex" => {
            "claims how many tags (max: at most how many) a move has made when it comes to these nodes"
        }
        "@translatedFromRbg" => "says that the game is a translation from RBG",
        "@unique" => "claims that the node is reached in one way only in each move",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_meaning() {
        let pragmas = Known::ALL.into_iter().map(|known| format!("@{}", known.name()));
        for word in KEYWORDS.iter().map(|(word, _)| (*word).to_owned()).chain(pragmas) {
            assert!(meaning(&word).is_some(), "{word}");
        }
    }
}
