//! Games of pieces that move: who they are, how they walk, where they stand, and what wins.

use super::one_of;
use engine::Rng;

/// A step as its mover sees it: columns to the right, rows ahead.
pub(super) type Vector = (i32, i32);

/// What a piece may go onto.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Onto {
    Empty,
    Opponent,
    Both,
}

/// A way to move: one step in one of the directions, or any number over empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gait {
    pub(super) directions: &'static [Vector],
    pub(super) slides: bool,
    pub(super) onto: Onto,
}

/// A kind of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    pub(super) letter: char,
    pub(super) name: &'static str,
    pub(super) gaits: Vec<Gait>,
}

/// What wins, besides leaving the opponent without a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// A pawn reaches the last row.
    Race,
    /// The opponent has lost all his pieces of the kind with this number.
    Take(usize),
}

/// A game of two players whose pieces move on a rectangle. The board is the same for both, seen from their sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Movement {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Pawns first.
    pub(super) kinds: Vec<Kind>,
    /// The kinds on the first row; the second row is full of pawns.
    pub(super) back: Vec<Option<usize>>,
    pub(super) goals: Vec<Goal>,
    /// Half-moves until the game is drawn.
    pub(super) limit: u32,
}

const AHEAD: &[Vector] = &[(0, 1)];
const AHEAD_ASIDE: &[Vector] = &[(-1, 1), (1, 1)];
const THREE_AHEAD: &[Vector] = &[(-1, 1), (0, 1), (1, 1)];
const AHEAD_OR_ASIDE: &[Vector] = &[(-1, 0), (0, 1), (1, 0)];
const ORTHOGONAL: &[Vector] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: &[Vector] = &[(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ALL_AROUND: &[Vector] = &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT: &[Vector] = &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const TWO_ORTHOGONAL: &[Vector] = &[(0, 2), (2, 0), (0, -2), (-2, 0)];
const TWO_DIAGONAL: &[Vector] = &[(2, 2), (2, -2), (-2, -2), (-2, 2)];

/// How pawns may go to empty squares, and how they may take.
const PAWN_WAYS: [&[Vector]; 4] = [AHEAD, AHEAD_ASIDE, THREE_AHEAD, AHEAD_OR_ASIDE];

/// The other kinds, with their names in fairy chess.
const OFFICERS: [(char, &str, &[Vector], bool); 8] = [
    ('N', "knight", KNIGHT, false),
    ('R', "rook", ORTHOGONAL, true),
    ('B', "bishop", DIAGONAL, true),
    ('K', "king", ALL_AROUND, false),
    ('W', "wazir", ORTHOGONAL, false),
    ('F', "ferz", DIAGONAL, false),
    ('D', "dabbaba", TWO_ORTHOGONAL, false),
    ('A', "alfil", TWO_DIAGONAL, false),
];

impl Movement {
    /// Draws a game. Constant time.
    pub(super) fn draw(rng: &mut Rng) -> Self {
        let (width, height) = (4 + rng.below(4), 5 + rng.below(3));
        let mut kinds = vec![pawn(rng)];
        let mut left = OFFICERS.to_vec();
        for _ in 0..rng.below(4) {
            let place = rng.below(u32::try_from(left.len()).unwrap_or(1)) as usize;
            let (letter, name, directions, slides) = left.swap_remove(place);
            kinds.push(Kind { letter, name, gaits: vec![Gait { directions, slides, onto: Onto::Both }] });
        }
        let mut back = back(rng, width, kinds.len());
        let kinds = on_the_board(kinds, &mut back);
        let goals = goals(rng, &back);
        let limit = 20 * (3 + rng.below(4));
        Self { width, height, kinds, back, goals, limit }
    }

    /// The rules in words, a sentence each.
    pub(super) fn prose(&self) -> Vec<String> {
        let mut out = vec![format!("Two players on {} by {} squares; white begins.", self.width, self.height)];
        for kind in &self.kinds {
            for gait in &kind.gaits {
                out.push(sentence(kind, *gait));
            }
        }
        for goal in &self.goals {
            out.push(match *goal {
                Goal::Race => "Whoever brings a pawn to the last row wins.".to_owned(),
                Goal::Take(kind) => {
                    let name = self.kinds.get(kind).map_or("", |kind| kind.name);
                    format!("Whoever takes the last {name} of the opponent wins.")
                }
            });
        }
        out.push(format!("Who cannot move loses; after {} moves the game is drawn.", self.limit));
        out
    }
}

fn pawn(rng: &mut Rng) -> Kind {
    let goes = one_of(rng, &PAWN_WAYS).unwrap_or(AHEAD);
    let takes = one_of(rng, &PAWN_WAYS).unwrap_or(AHEAD_ASIDE);
    let gait = |directions, onto| Gait { directions, slides: false, onto };
    let gaits = if goes == takes {
        vec![gait(goes, Onto::Both)]
    } else {
        vec![gait(goes, Onto::Empty), gait(takes, Onto::Opponent)]
    };
    Kind { letter: 'P', name: "pawn", gaits }
}

/// The first row: officers at random, the same from both sides, and pawns where there are no officers at all.
fn back(rng: &mut Rng, width: u32, kinds: usize) -> Vec<Option<usize>> {
    let officers = u32::try_from(kinds.saturating_sub(1)).unwrap_or(0);
    if officers == 0 {
        let full = rng.below(2) == 0;
        return vec![full.then_some(0); width as usize];
    }
    let mut row = vec![None; width as usize];
    for column in 0..width.div_ceil(2) {
        let kind = (rng.below(4) > 0).then(|| 1 + rng.below(officers) as usize);
        for column in [column, width - 1 - column] {
            if let Some(square) = row.get_mut(column as usize) {
                *square = kind;
            }
        }
    }
    row
}

/// The kinds that stand on the board, which are all that count.
fn on_the_board(kinds: Vec<Kind>, back: &mut [Option<usize>]) -> Vec<Kind> {
    let mut kept = Vec::new();
    let mut numbers = Vec::new();
    for (number, kind) in kinds.into_iter().enumerate() {
        let stands = number == 0 || back.contains(&Some(number));
        numbers.push(stands.then_some(kept.len()));
        if stands {
            kept.push(kind);
        }
    }
    for square in back {
        *square = square.and_then(|number| numbers.get(number).copied().flatten());
    }
    kept
}

fn goals(rng: &mut Rng, back: &[Option<usize>]) -> Vec<Goal> {
    let officers: Vec<usize> = back.iter().copied().flatten().filter(|&kind| kind > 0).collect();
    let target = one_of(rng, &officers);
    let take = Goal::Take(target.unwrap_or(0));
    match rng.below(4) {
        0 => vec![Goal::Race],
        1 => vec![take],
        _ => vec![Goal::Race, take],
    }
}

fn sentence(kind: &Kind, gait: Gait) -> String {
    let far = match gait.directions {
        _ if gait.slides => "goes any number of squares",
        KNIGHT | TWO_ORTHOGONAL | TWO_DIAGONAL => "jumps",
        _ => "goes one square",
    };
    let article = if kind.name.starts_with('a') { "An" } else { "A" };
    let way = match gait.directions {
        AHEAD => "straight ahead",
        AHEAD_ASIDE => "diagonally ahead",
        THREE_AHEAD => "straight or diagonally ahead",
        AHEAD_OR_ASIDE => "ahead or sideways",
        ORTHOGONAL => "along rows and columns",
        DIAGONAL => "along diagonals",
        ALL_AROUND => "in any direction",
        KNIGHT => "two squares along a row or column and one aside",
        TWO_ORTHOGONAL => "two squares along rows and columns",
        _ => "two squares along diagonals",
    };
    let onto = match gait.onto {
        Onto::Empty => "to an empty square",
        Onto::Opponent => "to take",
        Onto::Both => "and takes that way too",
    };
    format!("{article} {} {far} {way}, {onto}.", kind.name)
}
