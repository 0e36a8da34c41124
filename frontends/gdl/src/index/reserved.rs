//! What the words of the language mean, in a few words.

use crate::ast::{RESERVED, Word, Words};

/// What a relation of the language says.
pub(super) fn meaning(word: Word) -> Option<&'static str> {
    Some(match word {
        Word::ROLE => "the argument plays",
        Word::BASE => "the argument may hold in some state",
        Word::INPUT => "the second argument may be a move of the first in some state",
        Word::INIT => "the argument holds in the first state",
        Word::TRUE => "the argument holds now",
        Word::DOES => "the first argument makes the second its move now",
        Word::LEGAL => "the first argument may make the second its move now",
        Word::NEXT => "the argument holds after the joint move",
        Word::TERMINAL => "the game is over",
        Word::GOAL => "the score of the first argument is the second",
        Word::SEES => "the first argument sees the second (GDL-II)",
        _ => return None,
    })
}

/// What the arguments of a relation of the language are.
pub(super) fn parameters(word: Word) -> &'static [&'static str] {
    match word {
        Word::ROLE => &["role"],
        Word::BASE | Word::INIT | Word::TRUE | Word::NEXT => &["fact"],
        Word::INPUT | Word::DOES | Word::LEGAL => &["role", "move"],
        Word::GOAL => &["role", "score"],
        Word::SEES => &["role", "percept"],
        _ => &[],
    }
}

/// Whether a text in lower case is a word of the language that is no relation.
pub(super) fn is_word(text: &str) -> bool {
    KEYWORDS.contains(&text)
}

/// Words of the language that are no relations.
pub(crate) const KEYWORDS: [&str; 4] = ["not", "or", "and", "distinct"];

/// What an argument of a relation of the language is, and the relations that take the same there.
pub(crate) fn argument(relation: &str, number: usize) -> Option<(&'static str, Vec<&'static str>)> {
    let words = Words::default();
    let of = |text: &str| words.find(text).and_then(|word| parameters(word).get(number).copied());
    let what = of(relation)?;
    Some((what, RESERVED.iter().copied().filter(|text| of(text) == Some(what)).collect()))
}

/// The relations of the language.
pub(crate) fn relations() -> impl Iterator<Item = &'static str> {
    let words = Words::default();
    RESERVED.iter().copied().filter(move |text| words.find(text).is_some_and(|word| meaning(word).is_some()))
}
