//! Which legal move a text means that was typed.

use super::super::misread;
use super::{Table, after_end};
use crate::session::{Failure, finding};
use backend::Turn;
use kit::effect::{leading, numbered_places, written};
use rg_ir::notation::{Naming, Places, Unread, ends_in_number};

/// What a text is that was to be a move.
pub(in super::super) enum Sought {
    /// A legal move.
    Move(usize),
    /// The beginning of several: the words to choose from, each with its move.
    Choice(Vec<(String, usize)>),
}

impl Table<'_> {
    /// The legal move that a text means, or those that it begins.
    pub(in super::super) fn find(&self, text: &str) -> Result<Sought, Failure> {
        if self.turn() == Turn::End {
            return Err(finding("IO320", "the game is over").help(after_end(self.fast)).into());
        }
        let unread = match self.fast.seek(text, self.play.moves()) {
            Ok(found) if self.is_beginning(text, found) => {
                return Err(misread::incomplete(text, &[self.text(found)]).into());
            }
            Ok(found) => return Ok(Sought::Move(found)),
            Err(Unread::Choice(words)) => return Ok(Sought::Choice(words)),
            Err(Unread::Passed { place, moves }) => return Err(self.passed(text, &place, &moves).into()),
            Err(unread) => unread,
        };
        if let Some(place) = why::joined_place(self.drawn, text) {
            return self.find(&place);
        }
        if let Some(bare) = self.bare(text) {
            return self.find(bare);
        }
        if let Some(message) = self.not_to_become(text) {
            return Err(finding("IO320", message).into());
        }
        if let Some(full) = numbered_places(self.drawn, text) {
            return self.find(&full);
        }
        if let Some(index) = self.led(text) {
            return Ok(Sought::Move(index));
        }
        if let Some(written) = written(self.drawn, &self.state, text) {
            return Err(finding("IO320", written).into());
        }
        let goes_on = why::is_way(self.drawn, text) || why::is_place(self.drawn, text);
        match self.fast.begun(text, self.play.moves())[..] {
            [only] if (goes_on || self.is_beginning(text, only)) && !self.ends_in_number(text, only) => {
                Err(misread::incomplete(text, &[self.text(only)]).into())
            }
            [_, _, ..] if !text.trim().is_empty() && !self.is_whole(text) => {
                let begun = self.begun(text);
                let begun: Vec<&str> = begun.into_iter().map(|(_, index)| self.text(index)).collect();
                Err(misread::incomplete(text, &begun).into())
            }
            _ => {
                if let Some(place) = self.place_of_sign(text) {
                    let at = self.moves_from(&place);
                    if let [only] = at[..] {
                        return Ok(Sought::Move(only));
                    }
                    let at: Vec<&str> = at.into_iter().map(|index| self.text(index)).collect();
                    return Err(misread::sign(text, &place, &at, self.moves().len()).into());
                }
                let is_other = || {
                    why::is_way(self.drawn, text) && !matches!(unread, Unread::Wrong(ref said) if said.ends_with('?'))
                };
                if let Some(seen) = self.seen_at_start(text).filter(|_| is_other() || why::is_place(self.drawn, text)) {
                    return Err(misread::seen(seen).into());
                }
                if let Some(capture) = self.all_capture().filter(|_| is_other()) {
                    return Err(finding("IO320", format!("`{}` is not a legal move", text.trim()))
                        .help(capture)
                        .into());
                }
                let message = unread.message(text);
                let position = (self.play.state(), self.play.moves());
                Err(misread::not_a_move(self.fast, (text, message), position, &self.of_piece(text)).into())
            }
        }
    }

    /// The legal move that a text means, by what it names or by where it leads.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub(super) fn meant(&self, text: &str) -> Result<usize, String> {
        self.fast.find(text, self.play.moves()).or_else(|wrong| self.led(text).ok_or(wrong))
    }

    /// The only legal move that leads from the first of two places to the second one, though it names something else.
    pub(super) fn led(&self, text: &str) -> Option<usize> {
        let full = numbered_places(self.drawn, text);
        match &leading(self.drawn, &self.state, full.as_deref().unwrap_or(text))[..] {
            [only] => self.fast.seek(only, self.play.moves()).ok(),
            _ => None,
        }
    }

    /// Whether a text names several places, and not fewer than any legal move that begins with the first of them: more of it would not help.
    fn is_whole(&self, text: &str) -> bool {
        let count = |text: &str| self.drawn.loaded.notation.places().map_or(0, |places| why::named(places, text).len());
        let Some(first) = why::first_place(self.drawn, text).filter(|_| count(text) > 1) else { return false };
        let from = self.moves_from(first);
        !from.is_empty() && from.into_iter().all(|index| count(self.text(index)) <= count(text))
    }

    /// Whether a text is the beginning of a legal move, in short or as the rules have it, and not all of it. Such a text makes no move: it may
    /// have been sent too early.
    pub(super) fn is_beginning(&self, text: &str, index: usize) -> bool {
        let close = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let wanted = close(text);
        let begins = |full: &str| full.len() > wanted.len() && full.starts_with(&wanted);
        let names_place = why::first_place(self.drawn, text).is_some();
        let full = self.texts.get(index).map(|text| close(text)).filter(|full| !names_place && begins(full));
        !wanted.is_empty() && close(self.text(index)) != wanted && (begins(&close(self.text(index))) || full.is_some())
    }

    /// Whether a text is the name of a column, where these name the legal moves and none is hidden, but no legal move begins there.
    pub(in super::super) fn is_column(&self, text: &str) -> bool {
        let text = &text.trim().to_lowercase();
        let is_letter = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase());
        let in_column = |label: &str| label.strip_prefix(text.as_str()).is_some_and(|row| row.parse::<u32>().is_ok());
        let named = self.drawn.naming() == Naming::Column && !self.is_secret() && self.turn() != Turn::End;
        let mut places = self.drawn.loaded.notation.places().into_iter().flat_map(Places::labels);
        named
            && is_letter(text)
            && places.any(in_column)
            && self.short.iter().all(|legal| !legal.starts_with(text.as_str()))
    }

    /// Whether a text ends within a number of a legal move, however that is written: `b1` is not the beginning of `b10`.
    fn ends_in_number(&self, text: &str, index: usize) -> bool {
        [&self.short, &self.texts]
            .into_iter()
            .filter_map(|texts| texts.get(index))
            .any(|move_| ends_in_number(text, move_))
    }

    /// Whether each legal move is the name of a column, and nothing else.
    pub(super) fn names_columns(&self) -> bool {
        let is_column = |legal: &String| {
            let mut labels = self.drawn.loaded.notation.places().into_iter().flat_map(Places::labels);
            labels.any(|label| label.strip_prefix(legal.as_str()).is_some_and(|row| row.parse::<u32>().is_ok()))
        };
        let is_letter = |legal: &String| !legal.is_empty() && legal.chars().all(|c| c.is_ascii_lowercase());
        !self.short.is_empty() && self.short.iter().all(|legal| is_letter(legal) && is_column(legal))
    }
}
