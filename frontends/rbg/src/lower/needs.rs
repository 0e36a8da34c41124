//! What can be left out, and what has to be there: facts about the finished draft that the emitter asks for.

use super::arith::{Arithmetic, Leaf};
use super::draft::{BEGIN, Draft, Kind, Place, Step};
use super::relation::{MAX_BRANCHES, Plan, RelId, Relations};
use super::vocabulary::Needs;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Facts about places and arrows of a draft.
pub(super) struct Facts {
    /// Per arrow: leaving the board need not be tested, since whatever follows fails there.
    unchecked: Vec<bool>,
    /// Per place: a piece that stands for all the current vertex can hold, as far as counters care.
    held: Vec<Option<u32>>,
}

impl Facts {
    /// Examines a draft. Linear.
    pub(super) fn new(draft: &Draft, relations: &Relations, arithmetic: &Arithmetic<'_>) -> (Self, Needs) {
        let mut needs = Needs { counted: counted(draft, arithmetic), ..Needs::default() };
        let mut kinds: FxHashMap<RelId, Shape> = FxHashMap::default();
        for arrow in &draft.arrows {
            if let Step::Go(relation) = arrow.step {
                let shape = *kinds.entry(relation).or_insert_with(|| Shape::of(relations, relation));
                needs.off |= shape.leaves_board;
                needs.choices = needs.choices.max(shape.choices);
                needs.anywhere |= shape.anywhere;
            }
        }
        let fails = fails_off_board(draft, &kinds);
        let unchecked: Vec<bool> = draft
            .arrows
            .iter()
            .map(|arrow| match arrow.step {
                Step::Go(relation) => {
                    let leaves = kinds.get(&relation).is_some_and(|shape| shape.leaves_board);
                    leaves && fails.get(arrow.to as usize).copied().unwrap_or(false)
                }
                _ => false,
            })
            .collect();
        needs.off_cell = reads_off_board(draft, &unchecked);
        let held = held(draft, &needs.counted);
        let everything_known = draft.arrows.iter().all(|arrow| {
            !matches!(arrow.step, Step::Off { .. }) || held.get(arrow.from as usize).is_some_and(Option::is_some)
        });
        needs.count_others = !needs.counted.is_empty() && !everything_known && needs.counted.len() < draft.all_pieces;
        (Self { unchecked, held }, needs)
    }

    /// Whether the arrow needs no test that it stays on the board.
    pub(super) fn unchecked(&self, arrow: usize) -> bool {
        self.unchecked.get(arrow).copied().unwrap_or(false)
    }

    /// A piece of the same counter as what the current vertex holds at the place, if that is known.
    pub(super) fn held(&self, place: Place) -> Option<u32> {
        self.held.get(place as usize).copied().flatten()
    }

    /// The piece missing in a set of two or more that lacks only one of `all`: such a set is tested by `!=`.
    pub(super) fn only_missing(pieces: &[u32], all: usize) -> Option<u32> {
        if pieces.len() < 2 || pieces.len() + 1 != all {
            return None;
        }
        (0u32..)
            .zip(pieces)
            .find(|(expected, found)| expected != *found)
            .map_or_else(|| u32::try_from(pieces.len()).ok(), |(expected, _)| Some(expected))
    }
}

/// What matters of the plan of a relation.
#[derive(Clone, Copy)]
struct Shape {
    /// Some alternative leads off the board.
    leaves_board: bool,
    /// Taken off the board, every alternative fails, or stays off and tests it unless what follows fails there.
    fails_off_board: bool,
    /// Alternatives chosen through the helper variable.
    choices: usize,
    /// It leads to any vertex.
    anywhere: bool,
}

impl Shape {
    fn of(relations: &Relations, relation: RelId) -> Self {
        let partial = |size: usize| size < relations.vertex_count();
        let none = Self { leaves_board: false, fails_off_board: false, choices: 0, anywhere: false };
        match relations.plan(relation).as_deref() {
            None | Some(Plan::Empty | Plan::Identity) => none,
            Some(Plan::Filter(_)) => Self { fails_off_board: true, ..none },
            Some(Plan::Goto { sources, targets }) => {
                let anywhere = targets.len() == relations.vertex_count() && targets.len() > 1;
                Self { fails_off_board: sources.is_some(), anywhere, ..none }
            }
            Some(Plan::Function(map)) => {
                Self { leaves_board: partial(map.len()), fails_off_board: partial(map.len()), ..none }
            }
            Some(Plan::Branches(maps)) => {
                let any = maps.iter().any(|map| partial(map.len()));
                let table = maps.len() > MAX_BRANCHES;
                let fails = any && (table || maps.iter().all(|map| partial(map.len())));
                let choices = if table { maps.len() } else { 0 };
                Self { leaves_board: any, fails_off_board: fails, choices, ..none }
            }
        }
    }
}

/// The places where no walk off the board gets anywhere.
fn fails_off_board(draft: &Draft, shapes: &FxHashMap<RelId, Shape>) -> Vec<bool> {
    let mut fails = vec![true; draft.places.len()];
    let mut clear = |place: Place| {
        if let Some(fails) = fails.get_mut(place as usize) {
            *fails = false;
        }
    };
    clear(BEGIN);
    for arrow in &draft.arrows {
        let good = match arrow.step {
            Step::On(set) => Facts::only_missing(draft.pieces(set), draft.all_pieces).is_none(),
            Step::Go(relation) => shapes.get(&relation).is_some_and(|shape| shape.fails_off_board),
            _ => false,
        };
        if !good {
            clear(arrow.from);
        }
        match arrow.step {
            Step::Switch { .. } | Step::Hand(_) => clear(arrow.to),
            Step::Check { from, to, .. } => {
                clear(from);
                clear(to);
            }
            _ => {}
        }
    }
    for (fails, info) in fails.iter_mut().zip(&draft.places) {
        *fails &= !matches!(info.kind, Kind::End | Kind::CheckEnd);
    }
    fails
}

/// Whether some `on` follows a step that may have left the board, possibly with such steps in between.
fn reads_off_board(draft: &Draft, unchecked: &[bool]) -> bool {
    let mut off = vec![false; draft.places.len()];
    for (arrow, &unchecked) in draft.arrows.iter().zip(unchecked) {
        if let Some(off) = off.get_mut(arrow.to as usize) {
            *off |= unchecked;
        }
    }
    // Places after steps that are themselves taken off the board are targets of unchecked steps, too: those steps
    // either test, or are unchecked.
    let at = |place: Place| off.get(place as usize).copied().unwrap_or(false);
    draft.arrows.iter().any(|arrow| matches!(arrow.step, Step::On(_)) && at(arrow.from))
}

fn counted(draft: &Draft, arithmetic: &Arithmetic<'_>) -> BTreeSet<u32> {
    let mut counted = BTreeSet::new();
    let mut add = |id| {
        counted.extend(arithmetic.leaves(id).into_iter().filter_map(|leaf| match leaf {
            Leaf::Count(piece) => Some(piece),
            _ => None,
        }));
    };
    for arrow in &draft.arrows {
        match arrow.step {
            Step::Assign { value, .. } => add(value),
            Step::Compare { left, right, .. } => {
                add(left);
                add(right);
            }
            _ => {}
        }
    }
    counted
}

/// For places that are entered only by `on` tests of pieces with one counter: one of these pieces.
fn held(draft: &Draft, counted: &BTreeSet<u32>) -> Vec<Option<u32>> {
    #[derive(Clone, Copy)]
    enum Held {
        Nothing,
        Piece(u32),
        Anything,
    }
    let mut held = vec![Held::Nothing; draft.places.len()];
    let mut enter = |place: Place, piece: Option<u32>| {
        let Some(held) = held.get_mut(place as usize) else { return };
        *held = match (*held, piece) {
            (Held::Nothing, Some(piece)) => Held::Piece(piece),
            (Held::Piece(old), Some(new)) if old == new || !(counted.contains(&old) || counted.contains(&new)) => {
                Held::Piece(old)
            }
            _ => Held::Anything,
        };
    };
    enter(BEGIN, None);
    for arrow in &draft.arrows {
        if let Step::Check { from, .. } = arrow.step {
            enter(from, None);
        }
        match arrow.step {
            Step::On(set) => draft.pieces(set).iter().for_each(|&piece| enter(arrow.to, Some(piece))),
            _ => enter(arrow.to, None),
        }
    }
    let piece = |held: Held| match held {
        Held::Piece(piece) => Some(piece),
        Held::Nothing | Held::Anything => None,
    };
    held.into_iter().map(piece).collect()
}
