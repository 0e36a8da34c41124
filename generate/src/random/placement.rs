//! Games in which stones are put on a board: where they may go, and what wins.

use super::one_of;
use engine::Rng;

/// Where a stone may be put, besides that the square is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Anywhere.
    Free,
    /// On the lowest row, or above another stone.
    Falling,
    /// Not next to a stone of the mover, along rows and columns.
    Apart,
}

/// What ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// Whoever makes a line of so many stones wins.
    Line(u32),
    /// Whoever makes a line of so many stones loses.
    Avoid(u32),
    /// White joins the upper side with the lower one, black the left side with the right one.
    Connect,
    /// Whoever cannot put a stone any more loses.
    LastMove,
}

/// Along what lines count, and stones are neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lines {
    Orthogonal,
    Diagonal,
    Both,
}

impl Lines {
    /// A direction of each line and the opposite one.
    pub(super) fn axes(self) -> &'static [(&'static [&'static str], &'static [&'static str])] {
        match self {
            Lines::Orthogonal => &[(&["up"], &["down"]), (&["right"], &["left"])],
            Lines::Diagonal => &[(&["up", "right"], &["down", "left"]), (&["up", "left"], &["down", "right"])],
            Lines::Both => &[
                (&["up"], &["down"]),
                (&["right"], &["left"]),
                (&["up", "right"], &["down", "left"]),
                (&["up", "left"], &["down", "right"]),
            ],
        }
    }

    fn words(self) -> &'static str {
        match self {
            Lines::Orthogonal => "rows and columns",
            Lines::Diagonal => "diagonals",
            Lines::Both => "rows, columns and diagonals",
        }
    }
}

/// A game of two players who put stones on the squares of a rectangle in turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) place: Place,
    pub(super) aim: Aim,
    pub(super) lines: Lines,
}

impl Placement {
    /// Draws a game. Constant time.
    pub(super) fn draw(rng: &mut Rng) -> Self {
        let (width, height) = (3 + rng.below(5), 3 + rng.below(5));
        let shorter = width.min(height);
        let length = 3 + rng.below(shorter.saturating_sub(2).min(3));
        let lines = one_of(rng, &[Lines::Orthogonal, Lines::Diagonal, Lines::Both]).unwrap_or(Lines::Both);
        let place = one_of(rng, &[Place::Free, Place::Falling, Place::Apart]).unwrap_or(Place::Free);
        let aims = [Aim::Line(length), Aim::Avoid(length), Aim::Connect, Aim::LastMove];
        let aim = one_of(rng, &aims).unwrap_or(Aim::LastMove);
        // Each aim with a way to put stones that lets it happen.
        let place = match (aim, place) {
            (Aim::LastMove, _) => Place::Apart,
            (Aim::Connect, _) => Place::Free,
            (_, Place::Apart) if lines != Lines::Diagonal => Place::Free,
            (_, place) => place,
        };
        let lines = if aim == Aim::Connect && lines == Lines::Diagonal { Lines::Both } else { lines };
        Self { width, height, place, aim, lines }
    }

    /// The rules in words, a sentence each.
    pub(super) fn prose(&self) -> Vec<String> {
        let mut out = vec![format!(
            "Two players put stones on a board of {} by {} squares in turn; white begins.",
            self.width, self.height
        )];
        out.extend(match self.place {
            Place::Free => None,
            Place::Falling => Some("A stone falls to the lowest empty square of its column.".to_owned()),
            Place::Apart => Some("No stone is put next to another of its colour in a row or column.".to_owned()),
        });
        let lines = self.lines.words();
        match self.aim {
            Aim::Line(length) => {
                out.push(format!("Whoever makes a line of {length} stones or more along {lines} wins."))
            }
            Aim::Avoid(length) => {
                out.push(format!("Whoever makes a line of {length} stones or more along {lines} loses."))
            }
            Aim::Connect => {
                out.push(
                    "White wants to join the upper side with the lower one, black the left side with the right one."
                        .to_owned(),
                );
                out.push(format!("Stones are neighbours along {lines}."));
            }
            Aim::LastMove => out.push("Whoever cannot put a stone loses.".to_owned()),
        }
        if self.aim != Aim::LastMove {
            out.push("If a player cannot put a stone, the game is drawn.".to_owned());
        }
        out
    }
}
