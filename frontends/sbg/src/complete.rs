//! What may stand at a place of a text: the words before tell.

use crate::index::State;
use crate::lexer::{self, Kind};
use rg_ir::index::{EntityKind, Expected};
use rg_ir::{Report, SourceId};

/// What may stand before byte `offset` of a text, instead of the part of a word that does. Linear.
pub fn expected(text: &str, offset: usize) -> Expected {
    let before = text.get(..text.floor_char_boundary(offset)).unwrap_or_default();
    let letters = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let start = letters.strip_suffix('<').unwrap_or(letters);
    let lexed = lexer::lex(SourceId(0), start, &mut Report::default());
    let length = u32::try_from(start.len()).unwrap_or(u32::MAX);
    if lexed.comments.last().is_some_and(|&(_, end)| end == length) {
        return Expected::default();
    }
    let state = lexed.tokens.iter().fold(State::START, |state, token| state.behind(token));
    let piece = vec![EntityKind::Piece];
    let next = |tag: &str| vec![tag.to_owned()];
    let (words, kinds) = match (state.section, state.before) {
        (Kind::Name, Some(Kind::Name)) => (next("<BOARD>"), Vec::new()),
        (Kind::Board, Some(Kind::Row)) => (next("<PIECES>"), Vec::new()),
        (Kind::Pieces, Some(Kind::Comma)) if state.depth > 0 => {
            (["e", "p", "w"].map(str::to_owned).to_vec(), Vec::new())
        }
        (Kind::Pieces, Some(Kind::Ampersand)) => (next("<GOALS>"), piece),
        (Kind::Pieces, Some(Kind::Pieces)) => (Vec::new(), piece),
        (Kind::Goals, Some(Kind::Hash | Kind::At)) => (Vec::new(), piece),
        _ => (Vec::new(), Vec::new()),
    };
    Expected { start: length, words, kinds, ..Expected::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_stand_somewhere_follows_from_what_is_before() {
        let at_end = |text: &str| {
            let Expected { start, words, kinds, .. } = expected(text, text.len());
            (text[start as usize..].to_owned(), words.join(" "), kinds.len())
        };
        let told = |word: &str, words: &str, kinds| (word.to_owned(), words.to_owned(), kinds);
        assert_eq!(at_end("<<a>> <BO"), told("<BO", "<BOARD>", 0));
        assert_eq!(at_end("<PIECES> P (0,1,"), told("", "e p w", 0));
        assert_eq!(at_end("<PIECES> P (0,1,e) & K"), told("K", "<GOALS>", 1));
        assert_eq!(at_end("<GOALS> 5 & #"), told("", "", 1));
        assert_eq!(expected("<PIECES> // P", 13), Expected::default());
    }
}
