//! Moves and states in terms of SBG (section 7 of the specification).

use crate::ast::{Description, Square};
use rg_ir::{Notation, StateView};

// Names in the translation that the notation reads.
pub(crate) const WHITE: &str = "white";
pub(crate) const BLACK: &str = "black";
pub(crate) const NOBODY: &str = "nobody";
pub(crate) const EMPTY: &str = "empty";
pub(crate) const OFF: &str = "off";
pub(crate) const BOARD: &str = "board";
pub(crate) const POS: &str = "pos";
pub(crate) const TURN: &str = "turn";

/// Notation of a game that came from SBG. It owns all it needs.
///
/// A move is its source and its target square, `a2a4`; on input `a2-a4`, `a2xa4` and spaces are accepted, too.
#[derive(Clone, Debug)]
pub struct SbgNotation {
    width: u32,
    height: u32,
    limit: u32,
}

impl SbgNotation {
    /// The notation of a description.
    pub fn new(description: &Description) -> Self {
        Self { width: description.width, height: description.height, limit: description.limit }
    }

    fn row(&self, state: &dyn StateView, y: u32) -> String {
        let cell = |x| {
            let name = square(Square { x, y });
            match state.get(BOARD, &[&name]) {
                Some(EMPTY) | None => ".",
                Some(letter) => {
                    if letter.len() == 1 {
                        letter
                    } else {
                        "?"
                    }
                }
            }
            .to_owned()
        };
        let cells: Vec<String> = (0..self.width).map(cell).collect();
        self.line(&(y + 1).to_string(), cells.iter().map(String::as_str))
    }

    fn line<'a>(&self, label: &str, cells: impl Iterator<Item = &'a str>) -> String {
        let margin = self.height.to_string().len();
        let width = columns(self.width.saturating_sub(1)).len();
        let cells: String = cells.map(|cell| format!(" {cell:>width$}")).collect();
        format!("{label:>margin$}{cells}\n")
    }
}

impl Notation for SbgNotation {
    fn render_move(&self, tags: &[&str]) -> String {
        tags.concat()
    }

    fn parse_move(&self, text: &str, moves: &[Vec<&str>]) -> Result<usize, String> {
        let rendered = self.render_moves(moves);
        let wanted: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        let exact = |text: &str| rendered.iter().position(|m| m.eq_ignore_ascii_case(text));
        let without_mark = || {
            // The first number ends the source square; no column letters of a target begin with `x` unless the board has
            // more than 23 columns, and then `xx` does.
            let letters = wanted.find(|c: char| c.is_ascii_digit())?;
            let digits = wanted.get(letters..)?.find(|c: char| !c.is_ascii_digit())?;
            let (source, target) = wanted.split_at_checked(letters + digits)?;
            exact(&format!("{source}{}", target.strip_prefix(['x', 'X'])?))
        };
        exact(&wanted).or_else(without_mark).map_or_else(|| rg_ir::notation::find_move(&wanted, &rendered), Ok)
    }

    fn render_state(&self, state: &dyn StateView) -> Option<String> {
        let mut out: String = (0..self.height).rev().map(|y| self.row(state, y)).collect();
        let letters: Vec<String> = (0..self.width).map(columns).collect();
        out.push_str(&self.line("", letters.iter().map(String::as_str)));
        out.push_str(&format!("half-moves: {} of {}\n", state.get(TURN, &[])?, self.limit));
        let player = state.get("player", &[]).filter(|&player| player == WHITE || player == BLACK);
        if let Some(player) = player {
            out.push_str(&format!("on turn: {player}\n"));
        }
        Some(out)
    }
}

/// `a1`: the letters of the column, from the left, and the number of the row, from the bottom.
pub(crate) fn square(square: Square) -> String {
    format!("{}{}", columns(square.x), square.y + 1)
}

/// `a` to `z`, `aa`, `ab`, …
fn columns(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    letters.iter().rev().collect()
}
