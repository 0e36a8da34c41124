//! What a player knows of the boards in a game that hides something.
//!
//! Everything here follows from the rules and from what the player observed; the state of the game is never looked at, so nothing that is hidden
//! can be shown. A number of *imagined* states follow the game: each makes the moves that the player saw, and at random those that it did not see.
//! A place of a board is known as long as all imagined states agree on it, and no move that the player did not see could have changed it.

use crate::draw::Drawer;
use agents::Observed;
use backend::{Moves, Reasoner, Rng, State, Turn};
use rg_ir::scene::{Board, Piece};
use std::collections::BTreeMap;

/// States that are imagined at first.
const IMAGINED: usize = 48;

/// With fewer of them nothing is known any more: the others could not follow the game.
const FEWEST: usize = 8;

/// Moves looked at, at most, for what a move that was not seen may have changed.
const MAX_UNSEEN: usize = 2_000;

/// Per board and place the piece there.
type Places = Vec<Vec<Option<u32>>>;

/// A move that a state may follow the game with, and where it leads.
struct Next {
    state: State,
    /// Whether all that is observed of it is what the player observed, with the answers of the keeper.
    is_same: bool,
}

/// What one player knows.
pub(super) struct Known {
    player: usize,
    rng: Rng,
    /// What the player observed so far.
    seen: Vec<Observed>,
    /// States that fit the moves seen, but not always the answers of the keeper; none where too few could follow.
    imagined: Vec<State>,
    /// Per board and place whether what is there is known.
    known: Vec<Vec<bool>>,
    /// What the keeper answered to the move that changed a place last, by board and place.
    answers: BTreeMap<(usize, usize), String>,
}

impl Known {
    /// At the beginning of the game everything is known.
    pub(super) fn new(drawer: &Drawer<'_>, reasoner: &Reasoner, player: usize) -> Self {
        let initial = reasoner.initial().ok();
        let places = initial.as_ref().map(|state| places(drawer, state)).unwrap_or_default();
        let known = places.iter().map(|board| vec![true; board.len()]).collect();
        let imagined = initial.map(|state| vec![state; IMAGINED]).unwrap_or_default();
        Self { player, rng: Rng::new(player as u64), seen: Vec::new(), imagined, known, answers: BTreeMap::new() }
    }

    /// Follows the game, of which the player has now observed `seen`; `false` if that is another game than before.
    pub(super) fn follow(&mut self, drawer: &Drawer<'_>, reasoner: &Reasoner, seen: &[Observed]) -> bool {
        let Some(new) = seen.strip_prefix(self.seen.as_slice()) else { return false };
        // The answers of the keeper belong to the move before them.
        for observed in new.chunk_by(|_, next| next.mover.is_none()) {
            self.step(drawer, reasoner, observed);
        }
        self.seen = seen.to_vec();
        true
    }

    /// Follows one move.
    fn step(&mut self, drawer: &Drawer<'_>, reasoner: &Reasoner, observed: &[Observed]) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let (mut is_answered, mut is_seen) = (false, true);
        let mut hidden = Vec::new();
        for (number, state) in std::mem::take(&mut self.imagined).iter().enumerate() {
            let mut nexts = nexts(reasoner, state, self.player, observed);
            if nexts.is_empty() {
                continue;
            }
            is_answered |= nexts.iter().any(|next| next.is_same);
            if nexts.len() > 1 {
                is_seen = false;
                // All of them would take long in every state, and differ little.
                if number == 0 {
                    let here = places(drawer, state);
                    hidden
                        .extend(nexts.iter().take(MAX_UNSEEN).map(|next| (here.clone(), places(drawer, &next.state))));
                }
            }
            // What fits the answers is preferred.
            if nexts.iter().any(|next| next.is_same) {
                nexts.retain(|next| next.is_same);
            }
            let chosen = self.rng.below(u32::try_from(nexts.len()).unwrap_or(u32::MAX)) as usize;
            before.push(places(drawer, state));
            after.extend((chosen < nexts.len()).then(|| nexts.swap_remove(chosen)).map(|next| {
                self.imagined.push(next.state.clone());
                places(drawer, &next.state)
            }));
        }
        // An answer that no imagined state gives may change what none of them shows.
        if self.imagined.len() < FEWEST || !is_answered {
            self.imagined.clear();
        }
        hidden.extend(before.into_iter().zip(after.iter().cloned()));
        let answers = observed.iter().skip(1).flat_map(|event| &event.tags).map(|&tag| reasoner.tag_name(tag));
        let answer = answers.collect::<Vec<_>>().join(" ");
        for (board, places) in self.known.iter_mut().enumerate() {
            for (place, is_known) in places.iter_mut().enumerate() {
                let changed = hidden.iter().any(|(before, after)| at(before, board, place) != at(after, board, place));
                let first = after.first().and_then(|after| at(after, board, place));
                let agree = first.is_some() && after.iter().all(|after| at(after, board, place) == first);
                *is_known = agree && if changed { is_seen } else { *is_known };
                if changed {
                    self.answers.remove(&(board, place));
                }
                if changed && *is_known && !answer.is_empty() {
                    self.answers.insert((board, place), answer.clone());
                }
            }
        }
    }

    /// The boards of which the player knows something, and per place the piece there, if it is known. Where the keeper answered to the move that
    /// made it so, the answer stands there as if it were a piece.
    pub(super) fn boards(&self, drawer: &Drawer<'_>) -> Vec<(Board, Vec<Option<u32>>)> {
        let Some(state) = self.imagined.first() else { return Vec::new() };
        let mut boards = Vec::new();
        for (number, (setup, known)) in drawer.scene(state).boards.into_iter().zip(&self.known).enumerate() {
            if !known.contains(&true) {
                continue;
            }
            let mut board = setup.board.clone();
            let mut at: Vec<Option<u32>> =
                setup.at.iter().zip(known).map(|(at, known)| at.filter(|_| *known)).collect();
            for (&(_, place), answer) in self.answers.range((number, 0)..(number + 1, 0)) {
                let kind = kind_of(&mut board, answer);
                at.get_mut(place).into_iter().for_each(|at| *at = u32::try_from(kind).ok());
            }
            boards.push((board, at));
        }
        boards
    }
}

/// The index of the kind of piece that stands for an answer; it is added if there is none yet. Its sign is the first letter that is not taken.
fn kind_of(board: &mut Board, answer: &str) -> usize {
    if let Some(kind) = board.pieces.iter().position(|piece| piece.name == answer) {
        return kind;
    }
    let is_free = |sign: &String| board.pieces.iter().all(|piece| piece.short != *sign);
    let mut letters = answer.chars().filter(|c| c.is_alphanumeric()).map(String::from);
    let short = letters.find(is_free).unwrap_or_else(|| answer.to_owned());
    board.pieces.push(Piece { name: answer.to_owned(), short, is_empty: false, player: None });
    board.pieces.len() - 1
}

/// The pieces on the boards of a state.
fn places(drawer: &Drawer<'_>, state: &State) -> Places {
    drawer.scene(state).boards.into_iter().map(|setup| setup.at).collect()
}

fn at(places: &Places, board: usize, place: usize) -> Option<u32> {
    places.get(board)?.get(place).copied().flatten()
}

/// The moves of a state of which a player would observe the same as of the move that was made, apart from the keeper's answers.
fn nexts(reasoner: &Reasoner, state: &State, player: usize, observed: &[Observed]) -> Vec<Next> {
    let Some(made) = observed.first().filter(|made| made.mover == Some(reasoner.turn(state))) else {
        return Vec::new();
    };
    let mut moves = Moves::new();
    if reasoner.legal_moves(state, &mut moves).is_err() {
        return Vec::new();
    }
    let own = made.mover == Some(Turn::Player(player));
    let may_be = |&index: &usize| {
        let tags = moves.tags(index);
        if own {
            tags == made.tags && moves.outcome(index) == made.outcome
        } else {
            made.tags.iter().all(|tag| tags.contains(tag))
        }
    };
    let next = |index: usize| {
        let (mut state, mut events) = (state.clone(), Vec::new());
        reasoner.apply_logged(&mut state, &moves, index, &mut events).ok()?;
        let mut seen = events.iter().map(|event| (event.mover, event.observed_by(player)));
        if seen.next().is_none_or(|(_, tags)| tags != made.tags) {
            return None;
        }
        // Of an answer that says nothing, it is not known whether there was one.
        let answers = seen.filter(|(_, tags)| !tags.is_empty());
        let heard = observed.iter().skip(1).filter(|event| !event.tags.is_empty());
        Some(Next { state, is_same: answers.eq(heard.map(|event| (event.mover, event.tags.clone()))) })
    };
    (0..moves.len()).filter(may_be).filter_map(next).collect()
}
