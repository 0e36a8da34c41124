//! A position as the page gets it.

use super::Failure;
use super::changes::Changes;
use rg_ir::scene::{Fact, Scene, Setup, Shape, Table, board_svg, coordinates, shapes};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::BTreeMap;

/// A position, as the one may see it who looks at the page.
#[derive(Default, Serialize)]
pub(crate) struct Position {
    pub(crate) play: u32,
    /// The version of the text that is played.
    pub(crate) version: u32,
    /// Moves before it, and moves of the whole record.
    pub(crate) ply: usize,
    pub(crate) plies: usize,
    pub(crate) players: Vec<String>,
    /// Per player its agent; nothing stands for a person.
    pub(crate) seats: Vec<Option<String>>,
    /// Who is to move, by index; none at the end, and where chance decides.
    pub(crate) turn: Option<usize>,
    pub(crate) boards: Vec<Board>,
    pub(crate) tables: Vec<Table>,
    pub(crate) facts: Vec<Fact>,
    /// The legal moves, in the order in which people number them, if they are the viewer's.
    pub(crate) moves: Vec<Move>,
    /// Places that stand for others when they are clicked.
    pub(crate) aliases: BTreeMap<String, String>,
    /// Places of the last move.
    pub(crate) marks: Vec<String>,
    /// What the last move has changed; nothing where something is hidden.
    pub(crate) changed: Changes,
    /// The moves of the record; none where something is hidden.
    pub(crate) record: Vec<Made>,
    pub(crate) scores: Vec<String>,
    /// Least and greatest value of a score.
    pub(crate) range: (f64, f64),
    /// How the game ended.
    pub(crate) over: Option<String>,
    /// Whether something is hidden from whoever looks.
    pub(crate) hides: bool,
    /// What the viewer has observed, where something is hidden.
    pub(crate) observed: Option<Vec<String>>,
    /// Who looks at the page, where something is hidden.
    pub(crate) viewer: Option<usize>,
    /// Whether the position is covered until somebody looks at it.
    pub(crate) covered: bool,
    /// Who may look at it then.
    pub(crate) next: Option<usize>,
    pub(crate) thinking: bool,
    pub(crate) analysing: bool,
    pub(crate) paused: bool,
    /// Why the play does not go on.
    pub(crate) trouble: Option<Failure>,
}

/// A board and what is on it.
#[derive(Serialize)]
pub(crate) struct Board {
    title: String,
    svg: String,
    /// Its column, and its row from the top, among boards that lie in rows and columns themselves.
    block: Option<(u32, u32)>,
    /// What moves call it there.
    outer: Option<String>,
    /// The labels of its places.
    #[serde(skip)]
    labels: Vec<String>,
    /// The pieces on it, by the label of their place.
    pieces: Vec<(String, String)>,
    /// What letters on it stand for.
    legend: BTreeMap<String, String>,
}

/// A legal move.
#[derive(Serialize)]
pub(crate) struct Move {
    pub(crate) index: usize,
    pub(crate) text: String,
    /// The places to click for it, in order.
    pub(crate) clicks: Vec<String>,
    /// The boards on which these places are meant, by number; none where any board is.
    pub(crate) boards: Vec<usize>,
}

/// A move that was made.
#[derive(Clone, Serialize)]
pub(crate) struct Made {
    /// Who made it; none stands for chance.
    pub(crate) player: Option<usize>,
    pub(crate) text: String,
}

impl Position {
    /// Shows a scene.
    pub(crate) fn show(&mut self, scene: Scene<'_>) {
        let outer = outer(&scene.boards);
        let board = |(setup, outer): (&Setup<'_>, Option<String>)| Board {
            outer,
            title: setup.board.title.clone(),
            svg: board_svg(setup),
            block: setup.board.block,
            labels: setup.board.places.iter().map(|place| place.label.clone()).collect(),
            pieces: pieces(setup),
            legend: legend(setup),
        };
        self.boards = scene.boards.iter().zip(outer).map(board).collect();
        (self.tables, self.facts) = (scene.tables, scene.facts);
    }

    /// If moves do not name boards that lie in a block, a place stands for itself.
    pub(crate) fn check_blocks(&mut self) {
        if self.moves.iter().any(|legal| legal.clicks.len() == 1) {
            self.boards.iter_mut().for_each(|board| board.outer = None);
        }
    }

    /// What the boards are called.
    pub(crate) fn titles(&self) -> impl Iterator<Item = &str> {
        self.boards.iter().map(|board| board.title.as_str())
    }

    /// Whether moves click on places of which several boards have one of the same label, and nothing but what a move does tells which board is meant.
    pub(crate) fn is_ambiguous(&self) -> bool {
        let mut known = FxHashSet::default();
        let mut again = FxHashSet::default();
        for board in self.boards.iter().filter(|board| board.outer.is_none()) {
            again.extend(board.labels.iter().filter(|label| !known.insert(label.as_str())));
        }
        self.moves.iter().flat_map(|legal| &legal.clicks).any(|label| again.contains(label))
    }

    /// Without a board, cells of tables are the places to click for moves that name them: by their column, or by row and column.
    pub(crate) fn click_cells(&mut self) {
        if !self.boards.is_empty() || self.moves.iter().any(|legal| !legal.clicks.is_empty()) {
            return;
        }
        let cells: FxHashSet<String> = self.tables.iter().flat_map(cells).collect();
        for legal in &mut self.moves {
            legal.clicks =
                legal.text.split_whitespace().filter(|word| cells.contains(*word)).map(str::to_owned).collect();
        }
    }
}

/// The pieces on a board, by the label of their place.
fn pieces(setup: &Setup<'_>) -> Vec<(String, String)> {
    let places = setup.board.places.iter().enumerate();
    places.filter_map(|(at, place)| Some((place.label.clone(), setup.piece(at)?.name.clone()))).collect()
}

/// The names of those pieces on a board that are drawn as letters, and called otherwise.
fn legend(setup: &Setup<'_>) -> BTreeMap<String, String> {
    let shapes = shapes(&setup.board.pieces);
    let kinds = setup.at.iter().flatten().collect::<FxHashSet<_>>();
    let letters = kinds.into_iter().filter_map(|&kind| {
        let piece = setup.board.pieces.get(kind as usize).filter(|piece| !piece.is_empty)?;
        let text = match shapes.get(kind as usize) {
            Some(Shape::Disc(_, text)) => text,
            Some(Shape::Text) | None => &piece.short,
            Some(_) => return None,
        };
        let is_short = !text.is_empty() && *text != piece.name;
        is_short.then(|| (text.clone(), piece.name.clone()))
    });
    letters.collect()
}

/// How moves may name the cells of a table.
fn cells(table: &Table) -> Vec<String> {
    let columns = table.columns.iter().filter(|column| !column.is_empty());
    let both = |column: &String| {
        let rows = table.rows.iter().filter(|(row, _)| !row.is_empty());
        rows.map(move |(row, _)| format!("{row},{column}")).collect::<Vec<_>>()
    };
    columns.flat_map(|column| both(column).into_iter().chain([column.clone()])).collect()
}

/// Per board what moves call its place among the boards of its name, if these lie in several rows.
fn outer(boards: &[Setup<'_>]) -> Vec<Option<String>> {
    fn name<'s>(setup: &'s Setup<'_>) -> Option<&'s str> {
        setup.board.title.split('[').next()
    }
    let bottom = |setup: &Setup<'_>| {
        let beside = boards.iter().filter(|other| name(other) == name(setup));
        beside.filter_map(|other| other.board.block).map(|(_, row)| row).max().filter(|&row| row > 0)
    };
    let label = |setup: &Setup<'_>| {
        let (column, row) = setup.board.block?;
        Some(coordinates(column, bottom(setup)? - row))
    };
    boards.iter().map(label).collect()
}
