//! Positions as data: what stands where on which board, and what is beside it. Text, pictures and number planes are made of it, in
//! all languages alike.
//!
//! A notation has its [`Board`]s, which do not change during a game, and makes a [`Scene`] of a state. Boards have places with
//! coordinates in the plane, kinds of pieces, and short names of both; a scene says which piece is on which place.

mod aside;
mod edge;
mod folded;
mod graph;
mod grid;
mod headers;
mod laid;
mod legend;
mod names;
mod points;
mod shapes;
mod slant;
mod svg;
mod term;
mod text;
mod vacant;
mod variables;

pub use grid::{Axes, coordinates, letters};
pub use legend::legend;
pub use names::{namesakes, short_names};
pub use points::spread;
pub use shapes::{Colour, Figure, Shape, shapes};
pub use slant::Slant;
pub use svg::{board_svg, svg};
pub use term::Term;
pub use text::{Ink, Look, Span, glyphs, lines, text};
pub use variables::Variables;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// The name of the fact that says which place [`Setup::cursor`] is.
pub const CURSOR: &str = "current vertex";

/// How the places of a board lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Squares in rows, some of which may be missing.
    Rectangle {
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
    },
    /// Hexagons in rows; neighbouring rows are shifted by half a hexagon.
    Hexagon,
    /// Hexagons in rows and columns, of which some may be missing; each row is shifted by half a hexagon, always to the same side, so
    /// that columns are slanted.
    Rhombus {
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
        /// Which way the columns lean.
        slant: Slant,
    },
    /// Rectangles one below the other.
    Cuboid {
        /// Number of columns of each.
        columns: u32,
        /// Number of rows of each.
        rows: u32,
        /// Number of rectangles.
        layers: u32,
    },
    /// Points joined by lines.
    Graph,
}

/// A place of a board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Place {
    /// Its name in the rules: `rx4y6`, `C(4,1)`.
    pub name: String,
    /// How people call it: `e2`. The name itself where the layout has no coordinates.
    pub label: String,
    /// Its centre, in widths of a place from the left. In a graph, all are 0 unless something is known of where its points lie; pictures
    /// have them where their names or [`spread`] place them then.
    pub x: f32,
    /// Its centre, in heights of a row from the top; in a graph as for the columns.
    pub y: f32,
}

/// A kind of piece: what a place can hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Piece {
    /// Its name in the rules: `wKnight`.
    pub name: String,
    /// Its name on a drawing in text, of few letters: `wKn`, and `.` for an empty place.
    pub short: String,
    /// Whether places that hold it are drawn as empty.
    pub is_empty: bool,
    /// The player whose name it has, or is the beginning of ([`namesakes`]).
    #[serde(skip)]
    pub player: Option<String>,
}

/// Something with places that hold pieces, for a whole game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Board {
    /// What it is called in the rules; empty if it is the only one and needs no name.
    pub title: String,
    /// How its places lie.
    pub layout: Layout,
    /// All places, in the order of the rules.
    pub places: Vec<Place>,
    /// Pairs of places that are joined by a line, by index, each once. None where the layout says it all.
    pub lines: Vec<(u32, u32)>,
    /// All kinds of pieces it can hold.
    pub pieces: Vec<Piece>,
    /// Its column, and its row from the top, among the boards of one name that lie in rows and columns themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<(u32, u32)>,
}

impl Board {
    /// The place with this name in the rules. Linear.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|place| place.name == name)
    }

    /// The names of the columns, if it is one rectangle or rhombus.
    pub fn column_names(&self) -> Vec<String> {
        match self.layout {
            Layout::Rectangle { columns, .. } | Layout::Rhombus { columns, .. } => (0..columns).map(letters).collect(),
            _ => Vec::new(),
        }
    }
}

/// A board and what is on it.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup<'n> {
    /// The board.
    pub board: &'n Board,
    /// Per place the piece there, by index; `None` if it is not known.
    pub at: Vec<Option<u32>>,
    /// The place that the rules look at, if that belongs to the position.
    pub cursor: Option<u32>,
}

/// Values in rows and columns: hands, stores, heaps. Two tables of one title, one behind the other, are rows of places that lie opposite each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Table {
    /// What it is about.
    pub title: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names and values of the rows; the name is empty where there is one row only.
    pub rows: Vec<(String, Vec<String>)>,
}

/// A position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene<'n> {
    /// The boards, and what is on them.
    pub boards: Vec<Setup<'n>>,
    /// What is kept in tables.
    pub tables: Vec<Table>,
    /// All else.
    pub facts: Vec<Fact>,
}

/// A value of a position that is on no board and in no table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fact {
    /// What it belongs to, such as `scores`; values of one group are printed in a line. Empty: it has a line of its own.
    pub group: &'static str,
    /// Its name; empty if the value says it all.
    pub name: String,
    /// The value.
    pub value: String,
}

impl Fact {
    /// A fact in a line of its own.
    pub fn alone(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::of("", name, value)
    }

    /// A fact of a group.
    pub fn of(group: &'static str, name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { group, name: name.into(), value: value.into() }
    }
}

impl Setup<'_> {
    /// The piece on a place, if there is one and the place is not empty.
    pub fn piece(&self, place: usize) -> Option<&Piece> {
        let piece = self.at.get(place).copied().flatten()?;
        self.board.pieces.get(piece as usize).filter(|piece| !piece.is_empty)
    }

    /// One plane of numbers for each kind of piece, in their order: 1 for the places where it is, 0 for all others.
    pub fn planes(&self) -> Vec<Vec<u8>> {
        let plane = |piece| self.at.iter().map(|&at| u8::from(at == Some(piece))).collect();
        (0..).take(self.board.pieces.len()).map(plane).collect()
    }
}

/// As it goes into JSON: the name of the board, and per place, by its label, the piece there.
impl Serialize for Setup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("board", &self.board.title)?;
        let name = |at: Option<u32>| Some(self.board.pieces.get(at? as usize)?.name.as_str());
        let pairs = self.board.places.iter().zip(&self.at).map(|(place, &at)| (place.label.as_str(), name(at)));
        map.serialize_entry("at", &Pairs(pairs.collect()))?;
        map.end()
    }
}

impl Serialize for Scene<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("boards", &self.boards)?;
        map.serialize_entry("tables", &self.tables)?;
        map.serialize_entry("facts", &self.facts)?;
        map.end()
    }
}

/// Names and values, as a map in the given order.
struct Pairs<'a>(Vec<(&'a str, Option<&'a str>)>);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
