//! Whose pieces are: found out by who moves them.

use backend::{Moves, Rng, State, Turn};
use kit::draw::Drawer;
use kit::runner::Runner;
use rg_ir::notation::{Item, Reading};
use rg_ir::scene::Board;
use rustc_hash::FxHashSet;

/// Positions of each random game that are looked at, and moves in all of them.
const POSITIONS: usize = 24;
const MOVES: usize = 5_000;

/// Who was seen to move which kinds of pieces of the only board.
pub struct Owners {
    /// Pairs of a kind of piece and a player.
    seen: FxHashSet<(u32, usize)>,
}

/// What the name of a piece begins with that says whose it is.
#[derive(PartialEq, Eq)]
enum Mark<'n> {
    /// Small letters before a capital: `w` in `wKing`.
    Start(&'n str),
    /// A single letter, which is a capital or not.
    Letter(bool),
}

impl Owners {
    /// From two random games, one from the first position and one from a given one. Costs a search for legal moves per position.
    pub fn of(runner: &Runner, drawer: &Drawer<'_>, state: &State) -> Self {
        let mut owners = Self { seen: FxHashSet::default() };
        let (mut rng, mut moves, mut left) = (Rng::new(1), Moves::new(), MOVES);
        for state in [Some(state.clone()), runner.initial().ok()].into_iter().flatten() {
            let mut state = state;
            for _ in 0..POSITIONS {
                let is_ready = runner.reasoner.legal_moves(&state, &mut moves).is_ok();
                if !is_ready || moves.is_empty() || moves.len() > left {
                    break;
                }
                left -= moves.len();
                owners.look(runner, drawer, &state, &moves);
                let index = rng.below(u32::try_from(moves.len()).unwrap_or(u32::MAX)) as usize;
                if runner.reasoner.apply(&mut state, &moves, index).is_err() {
                    break;
                }
            }
        }
        owners
    }

    /// Takes in with which pieces the legal moves of a position begin.
    fn look(&mut self, runner: &Runner, drawer: &Drawer<'_>, state: &State, moves: &Moves) {
        let Turn::Player(player) = runner.reasoner.turn(state) else { return };
        let scene = drawer.scene(state);
        let [setup] = scene.boards.as_slice() else { return };
        for reading in runner.loaded.notation.readings(&runner.tags(moves)) {
            let place =
                start(&reading).and_then(|label| setup.board.places.iter().position(|place| place.label == label));
            if let Some(kind) = place.and_then(|place| setup.at.get(place).copied().flatten()) {
                self.seen.insert((kind, player));
            }
        }
    }

    /// The only player who moves a kind of piece: as was seen, or else as its name tells, which is like those of the pieces of one player only.
    pub fn owner(&self, board: &Board, kind: u32) -> Option<usize> {
        let name = |kind: u32| {
            board.pieces.get(kind as usize).filter(|piece| !piece.is_empty).map(|piece| piece.name.as_str())
        };
        let wanted = mark(name(kind)?);
        let is_seen = self.seen.iter().any(|&(other, _)| other == kind);
        let alike = |other: u32| match is_seen {
            true => other == kind,
            false => wanted.is_some() && name(other).and_then(mark) == wanted,
        };
        let players: FxHashSet<usize> =
            self.seen.iter().filter(|&&(other, _)| alike(other)).map(|&(_, player)| player).collect();
        let mut players = players.into_iter();
        players.next().filter(|_| players.next().is_none())
    }
}

/// The place where a move begins, if it leads to another one.
fn start(reading: &Reading) -> Option<&str> {
    let items = reading.usual.iter().filter_map(|&index| reading.items.get(index));
    let mut places = items.filter_map(|item| match item {
        Item::Place(label) => Some(label.as_str()),
        _ => None,
    });
    let first = places.next()?;
    places.any(|place| place != first).then_some(first)
}

fn mark(name: &str) -> Option<Mark<'_>> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next().filter(|letter| letter.is_alphabetic()), letters.next()) {
        return Some(Mark::Letter(letter.is_uppercase()));
    }
    let start = name.split_at_checked(name.find(|c: char| c.is_uppercase() || c == '_')?)?.0;
    (!start.is_empty()).then_some(Mark::Start(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rg_ir::scene::Piece;

    #[test]
    fn owners_are_known_by_their_pieces() {
        let piece =
            |name: &&str| Piece { name: (*name).into(), short: (*name).into(), is_empty: *name == "e", player: None };
        let names = ["e", "wMan", "bMan", "wKing", "bKing", "light", "both", "x_King"];
        let squares: Vec<(String, i64, i64)> = (0..4).map(|x| (format!("c{x}"), x % 2, x / 2)).collect();
        let board = Board::rectangle("", &squares, names.iter().map(piece).collect()).unwrap();
        let owners = Owners { seen: [(1, 0), (2, 1), (6, 0), (6, 1)].into_iter().collect() };
        let of = |kind| owners.owner(&board, kind);
        assert_eq!([1, 2, 3, 4].map(of), [Some(0), Some(1), Some(0), Some(1)], "kings were not seen");
        assert_eq!([0, 5, 6, 7].map(of), [None; 4], "nothing, a hole, a piece of both, and a name like no other");
    }
}
