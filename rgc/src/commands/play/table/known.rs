//! What a player knows of the boards and tables in a game that hides something.
//!
//! Everything here follows from the rules and from what the player observed; the state of the game is never looked at, so nothing that is hidden
//! can be shown. As long as they are few, all states in which the player would have observed the same are kept: a place of a board is known if it
//! holds the same in all of them. Else a number of *imagined* states follow the game: each makes the moves that the player saw, and at random those
//! that it did not see. Then a place is known as long as all imagined states agree on it, and no move that the player did not see could have changed
//! it.

use crate::draw::{Drawer, UNKNOWN, cells};
use crate::runner::Runner;
use agents::Observed;
use backend::{Reasoner, Rng, State};
use kit::deduction::Deduction;
use kit::possible::nexts;
use rg_ir::scene::{Board, Fact, Piece, Scene, Setup, Table};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// All states that fit what the player observed are kept, if they are not more.
const ALL: usize = 512;

/// Moves looked at, at most, to find all of them.
const MAX_MOVES: usize = 4 * ALL;

/// States that are imagined where all are too many.
const IMAGINED: usize = 48;

/// With fewer of them nothing is known any more: the others could not follow the game.
const FEWEST: usize = 8;

/// Moves looked at, at most, for what a move that was not seen may have changed.
const MAX_UNSEEN: usize = 2_000;

/// Per board and place the piece there; then, as if they were one more board, the values in the tables and those of variables.
type Places = Vec<Vec<Option<u32>>>;

/// What one player knows.
pub(super) struct Known<'r> {
    player: usize,
    rng: Rng,
    /// What the player observed so far.
    seen: Vec<Observed>,
    /// All states that fit what was seen, if `has_all`; else some that fit the moves seen, but not always the answers of the keeper. None where too
    /// few could follow.
    imagined: Vec<State>,
    has_all: bool,
    /// Per board and place whether what is there is known, and behind the boards whether values in the tables and of variables are.
    known: Vec<Vec<bool>>,
    /// What the keeper answered to the move that changed a place last, by board and place.
    answers: BTreeMap<(usize, usize), String>,
    words: Words,
    /// What follows without looking at states; `None` in a large game.
    deduction: Option<Deduction<'r>>,
}

/// Numbers of what stands in tables.
#[derive(Default)]
struct Words(BTreeMap<String, u32>);

impl<'r> Known<'r> {
    /// At the beginning of the game everything is known.
    pub(super) fn new(drawer: &Drawer<'_>, runner: &'r Runner, player: usize) -> Self {
        let reasoner = &runner.reasoner;
        let initial = reasoner.initial().ok();
        let mut words = Words::default();
        let places = initial.as_ref().map(|state| words.places(drawer, state)).unwrap_or_default();
        let known = places.iter().map(|board| vec![true; board.len()]).collect();
        let rng = Rng::new(player as u64);
        let imagined = initial.into_iter().collect();
        let deduction = Deduction::new(runner);
        Self {
            player,
            rng,
            seen: Vec::new(),
            imagined,
            has_all: true,
            known,
            answers: BTreeMap::new(),
            words,
            deduction,
        }
    }

    /// Follows the game, of which the player has now observed `seen`; `false` if that is another game than before.
    pub(super) fn follow(&mut self, drawer: &Drawer<'_>, reasoner: &Reasoner, seen: &[Observed]) -> bool {
        let Some(new) = seen.strip_prefix(self.seen.as_slice()) else { return false };
        // The answers of the keeper belong to the move before them.
        for observed in new.chunk_by(|_, next| next.mover.is_none()) {
            if !self.step_all(drawer, reasoner, observed) {
                self.step(drawer, reasoner, observed);
            }
            self.deduction.iter_mut().for_each(|deduction| deduction.follow(self.player, observed));
        }
        self.seen = seen.to_vec();
        true
    }

    /// Follows one move with all states; `false` if they are too many, or were so before.
    fn step_all(&mut self, drawer: &Drawer<'_>, reasoner: &Reasoner, observed: &[Observed]) -> bool {
        if !self.has_all {
            return false;
        }
        // Per state afterwards, what stands on the boards.
        let mut after: BTreeMap<State, Places> = BTreeMap::new();
        let mut changes: Vec<Vec<bool>> = self.known.iter().map(|board| vec![false; board.len()]).collect();
        let mut looked = 0;
        for state in &self.imagined {
            let nexts = nexts(reasoner, state, self.player, observed, MAX_MOVES - looked);
            looked += nexts.len();
            let before = self.words.places(drawer, state);
            for next in nexts.into_iter().filter(|next| next.is_same) {
                let here = match after.entry(next.state) {
                    Entry::Occupied(found) => found.into_mut(),
                    Entry::Vacant(room) => {
                        let here = self.words.places(drawer, room.key());
                        room.insert(here)
                    }
                };
                mark_changes(&mut changes, &before, here);
            }
            if looked >= MAX_MOVES || after.len() > ALL {
                self.has_all = false;
                let count = u32::try_from(self.imagined.len()).unwrap_or(u32::MAX);
                let chosen = (0..IMAGINED).filter_map(|_| self.imagined.get(self.rng.below(count) as usize).cloned());
                self.imagined = chosen.collect();
                return false;
            }
        }
        let answer = answer(reasoner, observed);
        for (board, places) in self.known.iter_mut().enumerate() {
            for (place, is_known) in places.iter_mut().enumerate() {
                *is_known = agree(after.values(), board, place);
                if changes.get(board).and_then(|board| board.get(place)) == Some(&true) {
                    self.answers.remove(&(board, place));
                    if *is_known && !answer.is_empty() {
                        self.answers.insert((board, place), answer.clone());
                    }
                }
            }
        }
        self.imagined = after.into_keys().collect();
        true
    }

    /// Follows one move with imagined states.
    fn step(&mut self, drawer: &Drawer<'_>, reasoner: &Reasoner, observed: &[Observed]) {
        let (mut before, mut after, mut fitting) = (Vec::new(), Vec::new(), Vec::new());
        let (mut is_answered, mut is_seen) = (false, true);
        let mut hidden = Vec::new();
        for (number, state) in std::mem::take(&mut self.imagined).iter().enumerate() {
            let mut nexts = nexts(reasoner, state, self.player, observed, usize::MAX);
            if nexts.is_empty() {
                continue;
            }
            is_answered |= nexts.iter().any(|next| next.is_same);
            if nexts.len() > 1 {
                is_seen = false;
                // All of them would take long in every state, and differ little.
                if number == 0 {
                    let here = self.words.places(drawer, state);
                    hidden.extend(
                        nexts
                            .iter()
                            .take(MAX_UNSEEN)
                            .map(|next| (here.clone(), self.words.places(drawer, &next.state))),
                    );
                }
            }
            // What fits the answers is preferred.
            let fits = nexts.iter().any(|next| next.is_same);
            if fits {
                nexts.retain(|next| next.is_same);
            }
            let chosen = self.rng.below(u32::try_from(nexts.len()).unwrap_or(u32::MAX)) as usize;
            before.push(self.words.places(drawer, state));
            after.extend((chosen < nexts.len()).then(|| nexts.swap_remove(chosen)).map(|next| {
                self.imagined.push(next.state.clone());
                let here = self.words.places(drawer, &next.state);
                fitting.extend(fits.then(|| here.clone()));
                here
            }));
        }
        // An answer that no imagined state gives may change what none of them shows.
        if self.imagined.len() < FEWEST || !is_answered {
            self.imagined.clear();
        }
        hidden.extend(before.into_iter().zip(after.iter().cloned()));
        // The answer says which of the states may be the one on the table, if some are left.
        let after = if fitting.len() < FEWEST { after } else { fitting };
        let answer = answer(reasoner, observed);
        for (board, places) in self.known.iter_mut().enumerate() {
            for (place, is_known) in places.iter_mut().enumerate() {
                let changed = hidden.iter().any(|(before, after)| at(before, board, place) != at(after, board, place));
                *is_known = agree(after.iter(), board, place) && if changed { is_seen } else { *is_known };
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

    /// States that may be the one on the table, at most so many of them, as far as the player knows.
    pub(super) fn possible(&self, most: usize) -> impl Iterator<Item = &State> {
        self.imagined.iter().step_by(self.imagined.len().div_ceil(most.max(1)).max(1))
    }

    /// The tables of which the player knows something that is not nothing, with [`UNKNOWN`] for the values that it does not know.
    pub(super) fn tables(&self, drawer: &Drawer<'_>) -> Vec<Table> {
        let Some(state) = self.imagined.first() else { return Vec::new() };
        let Scene { boards, mut tables, .. } = drawer.scene(state);
        let mut known = self.known.get(boards.len()).into_iter().flatten();
        let deduced = self.deduction.as_ref().map(|deduction| drawer.deduced(deduction)).unwrap_or_default();
        let has_all = cells(&deduced).count() == cells(&tables).count();
        let mut deduced = cells(&deduced).filter(|_| has_all);
        tables.retain_mut(|table| {
            let mut tells = false;
            for cell in table.rows.iter_mut().flat_map(|(_, cells)| cells) {
                let deduced = deduced.next().filter(|value| *value != UNKNOWN);
                match (known.next(), deduced) {
                    (Some(true), _) => {}
                    (_, Some(value)) => cell.clone_from(value),
                    _ => UNKNOWN.clone_into(cell),
                }
                tells |= !matches!(cell.as_str(), "" | "0" | UNKNOWN);
            }
            tells
        });
        tables
    }

    /// The variables that hold what was chosen or dealt and decide the scores, as far as the player knows them.
    pub(super) fn variables(&self, drawer: &Drawer<'_>) -> Vec<Fact> {
        let Some(state) = self.imagined.first() else { return Vec::new() };
        let Scene { boards, tables, facts } = drawer.scene(state);
        let cells = tables.iter().flat_map(|table| &table.rows).map(|(_, cells)| cells.len()).sum();
        let known = self.known.get(boards.len()).into_iter().flatten().skip(cells);
        let facts = facts.into_iter().filter(is_variable).zip(known);
        facts.filter(|(fact, known)| **known && drawer.decides(state, fact)).map(|(fact, _)| fact).collect()
    }
}

impl Words {
    /// What stands on the boards and in the tables of a state, and the values of variables.
    fn places(&mut self, drawer: &Drawer<'_>, state: &State) -> Places {
        let scene = drawer.scene(state);
        let mut values = Vec::new();
        for table in &scene.tables {
            for (row, cells) in &table.rows {
                // Tables of other states may have other columns.
                let mut columns = table.columns.iter();
                let names =
                    |column: Option<&String>| [table.title.as_str(), row, column.map_or("", String::as_str)].join("\n");
                values.extend(cells.iter().map(|cell| Some(self.number(format!("{}\n{cell}", names(columns.next()))))));
            }
        }
        let variables = scene.facts.iter().filter(|fact| is_variable(fact));
        values.extend(variables.map(|fact| Some(self.number([fact.name.as_str(), &fact.value].join("\n")))));
        scene.boards.into_iter().map(|Setup { at, .. }| at).chain([values]).collect()
    }

    fn number(&mut self, word: String) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(word).or_insert(next)
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

/// Whether a fact is about a single variable.
fn is_variable(fact: &Fact) -> bool {
    fact.group == "variables"
}

/// Marks the places that differ.
fn mark_changes(changes: &mut [Vec<bool>], before: &Places, after: &Places) {
    for (board, places) in changes.iter_mut().enumerate() {
        for (place, is_changed) in places.iter_mut().enumerate() {
            *is_changed |= at(before, board, place) != at(after, board, place);
        }
    }
}

/// Whether a place holds the same in all states, of which there is one.
fn agree<'p>(mut states: impl Iterator<Item = &'p Places>, board: usize, place: usize) -> bool {
    let first = states.next().and_then(|first| at(first, board, place));
    first.is_some() && states.all(|other| at(other, board, place) == first)
}

/// What the keeper said of a move.
fn answer(reasoner: &Reasoner, observed: &[Observed]) -> String {
    let tags = observed.iter().skip(1).flat_map(|event| &event.tags);
    tags.map(|&tag| reasoner.tag_name(tag)).collect::<Vec<_>>().join(" ")
}

fn at(places: &Places, board: usize, place: usize) -> Option<u32> {
    places.get(board)?.get(place).copied().flatten()
}
