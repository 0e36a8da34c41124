//! What stands on a board, in words.

use super::owners::Owners;
use super::words::{Cell, shown};
use kit::runner::Runner;
use rg_ir::scene::{Board, Look, Piece, glyphs};

/// Pieces that are listed at most.
const LISTED: usize = 16;

/// How a game calls what conditions and moves are about: as the board is drawn.
pub struct Signs<'r> {
    /// The game.
    pub runner: &'r Runner,
    /// All boards.
    pub(super) boards: &'r [Board],
    /// The only board.
    board: Option<&'r Board>,
    /// How its kinds of pieces are drawn.
    glyphs: Vec<String>,
    /// Whose they are, where that is asked.
    owners: Option<&'r Owners>,
    /// What is on the places of the only board before the move, where that is asked.
    before: Vec<Option<u32>>,
}

impl<'r> Signs<'r> {
    /// For a game that is drawn on these boards, with characters for pieces, or in letters. Linear in the kinds of pieces.
    pub fn new(runner: &'r Runner, boards: &'r [Board], unicode: bool) -> Self {
        let board = match boards {
            [only] => Some(only),
            _ => None,
        };
        let glyphs = board.map_or(Vec::new(), |board| glyphs(board, Look { unicode, ..Look::default() }));
        Self { runner, boards, board, glyphs, owners: None, before: Vec::new() }
    }

    /// All pieces of a player are called so instead of being listed.
    #[must_use]
    pub fn with_owners(self, owners: &'r Owners) -> Self {
        Self { owners: Some(owners), ..self }
    }

    /// What is said of a place that the move itself has changed tells that.
    #[must_use]
    pub fn with_position(self, before: Vec<Option<u32>>) -> Self {
        Self { before, ..self }
    }

    /// The words behind a value that a place, given by its label, has got by the move itself.
    fn then(&self, label: &str, value: &str) -> &'static str {
        let kind = || {
            let board = self.board?;
            let place = board.places.iter().position(|place| place.label == label)?;
            board.pieces.get(self.before.get(place).copied().flatten()? as usize)
        };
        let is_new = kind().is_some_and(|before| self.kind(value).is_some_and(|(piece, _)| piece != before));
        if is_new { " by then" } else { "" }
    }

    /// The player whose pieces some values are, if they are several and all of them.
    fn owner(&self, values: &[&str]) -> Option<&str> {
        let (board, owners) = (self.board?, self.owners?);
        let owner = |piece: &Piece| {
            let kind = board.pieces.iter().position(|other| other.name == piece.name)?;
            owners.owner(board, u32::try_from(kind).ok()?)
        };
        let pieces = || values.iter().filter_map(|value| self.kind(value)).map(|(piece, _)| piece);
        let mut full = pieces().filter(|piece| !piece.is_empty);
        let player = owner(full.next()?)?;
        let is_all = full.next().is_some()
            && pieces().all(|piece| piece.is_empty || owner(piece) == Some(player))
            && board.pieces.iter().all(|piece| owner(piece) != Some(player) || pieces().any(|other| other == piece));
        self.runner.players().nth(player).filter(|_| is_all)
    }

    /// The label of the place of the board that a cell is, if it holds this value.
    pub(super) fn place<'c>(&'c self, (_, keys): &Cell<'c>, value: &str) -> Option<&'c str> {
        let board = self.board?;
        let [key] = keys.as_slice() else { return None };
        let label = shown(self.runner, key);
        let is_there = board.places.iter().any(|place| place.label == label);
        (is_there && self.kind(value).is_some()).then_some(label)
    }

    /// A kind of piece and how it is drawn.
    fn kind(&self, value: &str) -> Option<(&Piece, &str)> {
        let name = self.runner.loaded.notation.render_value(value);
        let kinds = self.board?.pieces.iter().zip(&self.glyphs);
        kinds.map(|(piece, glyph)| (piece, glyph.as_str())).find(|(piece, _)| piece.name == name)
    }

    /// Whether a value stands for an empty place.
    pub(super) fn is_empty(&self, value: &str) -> bool {
        self.kind(value).is_some_and(|(piece, _)| piece.is_empty)
    }

    /// A kind of piece: by the character that it is drawn as, or else by its name. Where a character stands for several, the name is beside it.
    pub(super) fn called(&self, value: &str) -> String {
        let name = self.runner.loaded.notation.render_value(value);
        match self.kind(value) {
            Some((piece, _)) if piece.is_empty => "empty".to_owned(),
            Some((_, glyph)) if !glyph.is_ascii() => {
                let is_shared = self.glyphs.iter().filter(|other| *other == glyph).count() > 1;
                if is_shared { format!("{glyph} (`{name}`)") } else { glyph.to_owned() }
            }
            _ => format!("`{name}`"),
        }
    }

    /// Whether a value only fills places that a game does not use, such as the light squares in draughts, which are drawn as gaps.
    pub(super) fn is_gap(&self, value: &str) -> bool {
        self.kind(value).is_some_and(|(piece, glyph)| !piece.is_empty && glyph.trim().is_empty())
    }

    /// What is on a place: `is empty`, ``holds `wP` ``.
    pub fn there(&self, value: &str) -> String {
        match self.is_empty(value) {
            true => "is empty".to_owned(),
            false if self.is_gap(value) => "is not used in this game".to_owned(),
            false => format!("holds {}", self.called(value)),
        }
    }

    /// That one of some values would have to be on a place, and which one is; `None` if these are too many.
    pub(super) fn required(&self, label: &str, wanted: &[&str], value: &str) -> Option<String> {
        if self.is_gap(value) {
            return Some(format!("`{label}` {}", self.there(value)));
        }
        let mut pieces: Vec<String> = Vec::new();
        for piece in wanted.iter().filter(|value| !self.is_empty(value)).map(|value| self.called(value)) {
            if !pieces.contains(&piece) {
                pieces.push(piece);
            }
        }
        let may_be_empty = wanted.iter().any(|value| self.is_empty(value));
        let listed = match pieces.as_slice() {
            [] => String::new(),
            _ if let Some(owner) = self.owner(wanted) => format!("hold a piece of {owner}"),
            [only] => format!("hold {only}"),
            _ if pieces.len() > LISTED => return None,
            _ => format!("hold one of {}", pieces.join(", ")),
        };
        let must = match (may_be_empty, listed.as_str()) {
            (true, "") => "be empty".to_owned(),
            (true, listed) => format!("be empty or {listed}"),
            (false, "") => return None,
            (false, listed) => listed.to_owned(),
        };
        let is = self.there(value);
        Some(format!("`{label}` must {must}, but it {is}{}", self.then(label, value)))
    }

    /// That a value must not be on a place, but is.
    pub(super) fn forbidden(&self, label: &str, value: &str) -> String {
        match self.is_empty(value) {
            true => format!("`{label}` must not be empty, but it is{}", self.then(label, value)),
            false => format!("`{label}` must not hold {}, but it does{}", self.called(value), self.then(label, value)),
        }
    }
}
