//! What a text has around the places that it names: brackets, the name of a piece, or a choice that is none.

use super::{Room, Table};
use rg_ir::diag::alternatives;
use rg_ir::notation::{Places, Unread};
use rg_ir::scene;

/// What may stand around a move without being a part of it.
const AROUND: [(char, char); 7] =
    [('(', ')'), ('[', ']'), ('{', '}'), ('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”')];

/// Moves at most that are named as examples.
const NAMED: usize = 4;

impl Table<'_> {
    /// A text without the brackets or quotation marks around it, and without the name of the piece before it that stands where it begins; `None` if
    /// it has neither, or no place is behind them.
    pub(super) fn bare<'t>(&self, text: &'t str) -> Option<&'t str> {
        let begins = |text: &str| why::first_place(self.drawn, text).is_some();
        let text = text.trim();
        if begins(text) {
            return None;
        }
        let inner = unwrapped(text);
        if begins(inner) {
            return Some(inner);
        }
        let (name, rest) = inner.split_once(char::is_whitespace)?;
        let rest = unwrapped(rest.trim());
        let place = why::first_place(self.drawn, rest)?;
        self.is_there(name, place).then_some(rest)
    }

    /// Whether a piece stands on a place, given by its name in the rules, or its sign on the board, with or without the small letters for its player;
    /// not if something is hidden.
    fn is_there(&self, name: &str, label: &str) -> bool {
        let look = self.look(Room::default());
        !self.is_secret()
            && self.drawer.scene(self.known_state()).boards.iter().any(|setup| {
                let at = setup.board.places.iter().position(|place| place.label == label);
                let Some((at, piece)) = at.and_then(|at| Some((at, setup.piece(at)?))) else { return false };
                let kind = setup.at.get(at).copied().flatten().and_then(|kind| usize::try_from(kind).ok());
                let sign = kind.and_then(|kind| scene::glyphs(setup.board, look).into_iter().nth(kind));
                let plain = piece.short.trim_start_matches(|c: char| c.is_ascii_lowercase());
                piece.name == name || piece.short == name || plain == name || sign.as_deref() == Some(name)
            })
    }

    /// Of a text that names the places of several legal moves which differ in what a piece becomes: that this is nothing of what it has behind them, and
    /// what there is to choose from. `None` for other texts.
    pub(super) fn not_to_become(&self, text: &str) -> Option<String> {
        let (begin, rest) = behind_places(self.drawn.loaded.notation.places()?, text)?;
        let Err(Unread::Choice(words)) = self.fast.seek(begin, self.play.moves()) else { return None };
        let is_begun = |word: &str| word.to_lowercase().starts_with(&rest.to_lowercase());
        if words.iter().any(|(word, _)| is_begun(word)) {
            return None;
        }
        let moves = || words.iter().map(|&(_, index)| self.text(index));
        if !moves().all(|text| text.contains('=')) {
            return None;
        }
        let shown: Vec<String> = moves().take(NAMED).map(|text| format!("`{text}`")).collect();
        let more = if words.len() > NAMED { ", …" } else { "" };
        let named: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let (named, shown) = (alternatives(&named), shown.join(", "));
        Some(format!("`{}` is not legal: the piece becomes {named} here: {shown}{more}", text.trim()))
    }

    /// Of a text that is a legal move with more letters behind its places: that, and which move it is. `None` for other texts.
    pub(super) fn surplus_letters(&self, text: &str) -> Option<String> {
        let (begin, _) = behind_places(self.drawn.loaded.notation.places()?, text)?;
        let legal = self.fast.seek(begin, self.play.moves()).ok().filter(|&index| !self.is_beginning(begin, index))?;
        Some(format!("`{}` is not legal; did you mean `{}`?", text.trim(), self.text(legal)))
    }
}

/// A text without pairs of brackets or quotation marks around all of it.
fn unwrapped<'t>(mut text: &'t str) -> &'t str {
    let inner =
        |text: &'t str| AROUND.into_iter().find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    while let Some(inner) = inner(text) {
        text = inner.trim();
    }
    text
}

/// The places that a text begins with, and the letters behind them; `None` if it has no letters there, or another place among them.
fn behind_places<'t>(places: &Places, text: &'t str) -> Option<(&'t str, &'t str)> {
    let text = text.trim();
    let is_between = |c: char| !c.is_alphanumeric();
    let mut rest = places.begin(text)?.1;
    let mut end = text.len() - rest.len();
    loop {
        rest = rest.trim_start_matches(is_between);
        let behind = places.begin(rest).or_else(|| places.begin(rest.strip_prefix(['x', 'X'])?));
        let Some((_, behind)) = behind else { break };
        rest = behind;
        end = text.len() - rest.len();
    }
    let rest = rest.trim_end_matches(is_between);
    let is_word = !rest.is_empty() && why::named(places, rest).is_empty();
    is_word.then(|| Some((text.get(..end)?, rest)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_letters_behind_places() {
        let places = Places::new(["a1", "b2"].map(|label| (label, label)));
        let of = |text: &'static str| behind_places(&places, text);
        assert_eq!(of("a1-b2=Q"), Some(("a1-b2", "Q")));
        assert_eq!((of("a1xb2e"), of(" a1 up")), (Some(("a1xb2", "e")), Some(("a1", "up"))));
        assert_eq!(["a1b2", "a1b2!", "up a1", "", "a1 up b2"].map(of), [None; 5]);
    }

    #[test]
    fn brackets_and_quotation_marks_are_no_part_of_a_move() {
        assert_eq!(
            ["(a1)", "[ \"a1 b2\" ]", "a1", "(", "()", "“a1”", "(a1"].map(unwrapped),
            ["a1", "a1 b2", "a1", "(", "", "a1", "(a1"]
        );
    }
}
