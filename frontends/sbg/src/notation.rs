//! Moves and states in terms of SBG (section 7 of the specification).

use crate::ast::{Description, Square};
use rg_ir::notation::{Item, Places, Reading};
use rg_ir::scene::{Board, Fact, Layout, Piece, Scene, Setup, coordinates};
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
    board: Board,
    /// Symbols of the pieces, in the order of those of the board.
    pieces: Vec<String>,
    places: Places,
    limit: u32,
}

impl SbgNotation {
    /// The notation of a description.
    pub fn new(description: &Description) -> Self {
        let letters = description.letters().into_iter().map(|letter| letter.to_string());
        let pieces: Vec<String> = std::iter::once(EMPTY.to_owned()).chain(letters).collect();
        let piece = |name: &String| Piece {
            name: name.clone(),
            short: if name == EMPTY { ".".to_owned() } else { name.clone() },
            is_empty: name == EMPTY,
            player: None,
        };
        let squares: Vec<(String, i64, i64)> =
            description.squares().map(|at| (square(at), i64::from(at.x), i64::from(at.y))).collect();
        let kinds: Vec<Piece> = pieces.iter().map(piece).collect();
        let layout = Layout::Rectangle { columns: description.width, rows: description.height };
        let none = || Board {
            title: String::new(),
            layout,
            places: Vec::new(),
            lines: Vec::new(),
            pieces: Vec::new(),
            block: None,
        };
        let board = Board::rectangle("", &squares, kinds).unwrap_or_else(none);
        let places = Places::new(board.places.iter().map(|place| (place.name.as_str(), place.label.as_str())));
        Self { board, pieces, places, limit: description.limit }
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

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }

    fn readings(&self, moves: &[Vec<&str>]) -> Vec<Reading> {
        let item = |tag: &&str| Item::Place((*tag).to_owned());
        moves.iter().map(|tags| Reading::plain(tags.iter().map(item).collect())).collect()
    }

    fn boards(&self) -> &[Board] {
        std::slice::from_ref(&self.board)
    }

    fn scene(&self, state: &dyn StateView) -> Option<Scene<'_>> {
        let piece = |name: &str| {
            let symbol = state.get(BOARD, &[name])?;
            self.pieces.iter().position(|piece| piece == symbol).and_then(|piece| u32::try_from(piece).ok())
        };
        let at = self.board.places.iter().map(|place| piece(&place.name)).collect();
        let mut facts = vec![Fact::alone("half-moves", format!("{} of {}", state.get(TURN, &[])?, self.limit))];
        let player = state.get("player", &[]).filter(|&player| player == WHITE || player == BLACK);
        facts.extend(player.map(|player| Fact::alone("on turn", player)));
        Some(Scene { boards: vec![Setup { board: &self.board, at, cursor: None }], tables: Vec::new(), facts })
    }
}

/// `a1`: the letters of the column, from the left, and the number of the row, from the bottom.
pub(crate) fn square(square: Square) -> String {
    coordinates(square.x, square.y)
}
