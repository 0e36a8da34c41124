//! Boards: points, and where each direction leads from them.

use crate::codes;
use rg_ir::{Diagnostic, Span};

/// Most points of a board.
pub const MAX_POINTS: usize = 1_000;

/// The two players. Black's side is the upper one of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Player {
    /// Moves down the board.
    Black,
    /// Moves up the board.
    White,
}

impl Player {
    /// Both, in the order in which games declare them.
    pub const ALL: [Player; 2] = [Player::Black, Player::White];

    /// `black` or `white`.
    pub fn name(self) -> &'static str {
        match self {
            Player::Black => "black",
            Player::White => "white",
        }
    }
}

/// The two kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// What most games have only.
    Man,
    /// What men are promoted to, or pieces that are stronger from the start.
    King,
}

impl Rank {
    /// Both.
    pub const ALL: [Rank; 2] = [Rank::Man, Rank::King];

    /// `Man` or `King`, as at the end of names.
    pub(super) fn name(self) -> &'static str {
        match self {
            Rank::Man => "Man",
            Rank::King => "King",
        }
    }
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub player: Player,
    /// What it is.
    pub rank: Rank,
}

impl Piece {
    /// The piece that a letter stands for: `w` and `b` are men, `W` and `B` kings.
    pub fn of_letter(letter: char) -> Option<Self> {
        let player = match letter.to_ascii_lowercase() {
            'w' => Player::White,
            'b' => Player::Black,
            _ => return None,
        };
        let rank = if letter.is_ascii_uppercase() { Rank::King } else { Rank::Man };
        Some(Self { player, rank })
    }

    /// The letter that stands for it.
    pub fn letter(self) -> char {
        match (self.player, self.rank) {
            (Player::White, Rank::Man) => 'w',
            (Player::White, Rank::King) => 'W',
            (Player::Black, Rank::Man) => 'b',
            (Player::Black, Rank::King) => 'B',
        }
    }
}

/// A point of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// What people call it: `a1` is at the lower left.
    pub name: String,
    /// The arguments of its term in the game, such as those of `P(0, 0)`: column and row, from the lower left; on boards of rings ray
    /// and ring. `None`: the centre of the rings.
    pub term: Option<(usize, usize)>,
    /// The piece there in the first position.
    pub piece: Option<Piece>,
    /// Line and column in the picture; on boards of rings, the ring and the ray.
    pub(super) cell: (usize, usize),
    /// Where it comes from; [`Span::NONE`] on boards of named families.
    pub(super) span: Span,
}

impl Point {
    /// Its term in HRG.
    pub(super) fn hrg(&self) -> String {
        self.term.map_or_else(|| "centre".to_owned(), |(column, row)| format!("P({column}, {row})"))
    }
}

/// A direction in which pieces move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Direction {
    /// Its name in the game.
    pub name: String,
    /// How many lines down and columns to the right it leads in a drawing, each -1, 0 or 1; `None` on boards of rings.
    pub vector: Option<(i8, i8)>,
    /// The points it leads to, by the points it leads from.
    pub(super) next: Vec<Option<usize>>,
}

/// A board, and the pieces on it in the first position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The points, in reading order: from top to bottom and from left to right; on boards of rings from the centre outwards.
    pub points: Vec<Point>,
    /// The directions that lead from some point to another.
    pub directions: Vec<Direction>,
    /// The drawing without pieces, line by line; empty on boards of rings.
    pub(super) picture: Vec<String>,
    /// Whether lines close into circles.
    pub(super) circular: bool,
    /// What kind of board it is, as the comment of a game says it.
    pub(super) summary: String,
    /// Where it is described.
    pub(super) span: Span,
}

impl Board {
    /// The index of the point that a direction leads to from a point.
    pub fn next(&self, direction: usize, point: usize) -> Option<usize> {
        *self.directions.get(direction)?.next.get(point)?
    }

    /// How many pieces a player has.
    pub fn pieces(&self, player: Player) -> usize {
        self.points.iter().filter(|point| point.piece.is_some_and(|piece| piece.player == player)).count()
    }

    /// The drawing with the pieces; empty on boards of rings.
    pub fn drawing(&self) -> Vec<String> {
        let mut lines: Vec<Vec<char>> = self.picture.iter().map(|line| line.chars().collect()).collect();
        for point in &self.points {
            let (line, column) = point.cell;
            if let Some(place) = lines.get_mut(line).and_then(|line| line.get_mut(column)) {
                *place = point.piece.map_or('.', Piece::letter);
            }
        }
        lines.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_owned()).collect()
    }

    /// The points at the far side of a player, where men are promoted; none on boards of rings.
    pub(super) fn far_row(&self, player: Player) -> impl Iterator<Item = &Point> {
        let lines = self.points.iter().map(|point| point.cell.0);
        let far = match player {
            Player::White => lines.min(),
            Player::Black => lines.max(),
        };
        self.points.iter().filter(move |point| !self.picture.is_empty() && Some(point.cell.0) == far)
    }

    /// A finding about points that cannot be reached from the first one.
    pub(super) fn unreachable(&self) -> Option<Diagnostic> {
        let mut reached = vec![false; self.points.len()];
        let mut open = vec![0];
        while let Some(point) = open.pop() {
            match reached.get_mut(point) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            open.extend((0..self.directions.len()).filter_map(|direction| self.next(direction, point)));
        }
        // The smaller part is the one that looks wrong.
        let many = reached.iter().filter(|&&seen| seen).count();
        let strange = many * 2 < reached.len();
        let at = reached.iter().position(|&seen| seen == strange).filter(|_| many < reached.len())?;
        let alone = (0..self.directions.len()).all(|direction| self.next(direction, at).is_none());
        let message = if alone {
            "no line leads to this point, expected one that begins right beside it"
        } else {
            "no line joins this part of the board to the rest"
        };
        let span = self.points.get(at).map(|point| point.span).filter(|span| span.is_some()).unwrap_or(self.span);
        let help =
            "lines are `-`, `|`, `/`, `\\` and `X` without gaps; a line that begins at a point points away from it";
        Some(Diagnostic::error(codes::UNREACHABLE, span, message).help(help))
    }
}

/// The name of a column: `a` to `z`, then `aa`, `ab` and so on.
pub(super) fn letters(column: usize) -> String {
    let mut name = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        name.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or_default()));
        rest /= 26;
    }
    name.iter().rev().collect()
}

/// A finding about a board with too many points.
pub(super) fn too_large(span: Span) -> Diagnostic {
    let message = format!("a board with too many points, expected at most {MAX_POINTS}");
    Diagnostic::error(codes::TOO_LARGE, span, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_go_on_behind_z() {
        let names: Vec<String> = [0, 25, 26, 51, 52, 701, 702].map(letters).into();
        assert_eq!(names, ["a", "z", "aa", "az", "ba", "zz", "aaa"]);
    }
}
