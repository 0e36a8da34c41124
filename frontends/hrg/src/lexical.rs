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

/// What a word or sign of the language means, in a line; nothing if it needs no explanation.
pub fn meaning(word: &str) -> Option<&'static str> {
    Some(match word {
        "domain" => "declares a set of values: `domain Player = white | black`",
        "where" => "gives the values of the variables in front of it: `C(X) where X in 0..2`",
        "in" => "between a value and a set: whether it belongs to it; behind a variable, the values that it takes",
        "graph" => "declares a part of the rules, which statements call by its name; a play begins with `rules`",
        "reusable" => "says of a graph that its calls can share one copy; it changes nothing about the game",
        "if" => {
            "goes on with the first block if the condition holds, else with the second one, if there is one; also between expressions, with `then` and `else`"
        }
        "then" => "what a conditional expression is if its condition holds",
        "else" => "what is done, or what an expression is, if the condition does not hold",
        "loop" => "repeats its block until `break()`, or until the rules end otherwise",
        "while" => "repeats its block as long as the condition holds",
        "repeat" => "repeats its block that many times, or once for each value of a domain",
        "branch" => {
            "a choice: one of the blocks between `or` is followed, or the block with one of the values of a domain"
        }
        "or" => "separates the blocks of a `branch`",
        "const" | "type" | "var" => "a word of RG, which names nothing in HRG",
        "forall" => "a choice, as `branch x in T`: the block is followed with one of the values of the domain",
        "check" => "goes on only if the condition holds",
        "end" => "ends the game",
        "break" => "leaves the innermost loop",
        "continue" => "goes on with the next round of the innermost loop",
        "return" => "leaves the graph",
        "not" => "holds if the condition in it does not",
        "reachable" => "holds if the graph can be followed to its end from here; nothing of that stays",
        "true" => "always holds",
        "false" => "never holds",
        "$" => "adds names to the move",
        "$$" => "adds the value of a variable to the move",
        "$_" => "adds an artificial tag to the move, which tells moves apart and is not shown",
        "(*)" => "any value of the type: a choice",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_meaning() {
        let words = SPELLINGS.iter().filter(|(_, kind)| kind.is_reserved()).map(|(word, _)| *word);
        for word in words.chain(STATEMENTS).chain(CONDITIONS).chain([FOR_ALL]) {
            assert!(meaning(word).is_some(), "{word}");
        }
    }
}
