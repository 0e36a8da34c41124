//! Moves with equal tags and different outcomes, distinguished by number.
//!
//! The numbers must not depend on the engine, so outcomes are sorted by what every engine knows of a state: its *image*,
//! the value of every cell in the order of declarations and keys, then the node.

use crate::model::Model;
use crate::state::{Moves, State, Tag};
use rustc_hash::FxHashMap;

/// What one label may lead to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Ambiguity {
    /// One state: two are an error of the game ([`crate::ErrorKind::Ambiguous`]).
    #[default]
    Error,
    /// Several states: every pair of a label and a state is a legal move ([`Moves::outcome`] tells them apart).
    Split,
}

/// Gives the outcomes of ambiguous labels their places among each other, and their numbers. Does nothing if there are
/// none; else O(n log n) for n moves and their outcomes, images included.
pub fn order(model: &dyn Model, state: &State, moves: &mut Moves) {
    if !moves.split {
        return;
    }
    let mut by_label: FxHashMap<&[Tag], Vec<usize>> = FxHashMap::default();
    for index in 0..moves.len() {
        by_label.entry(moves.tags(index)).or_default().push(index);
    }
    let image = |&index: &usize| {
        let mut next = state.clone();
        model.apply(&mut next, moves, index);
        (model.image(&next), next)
    };
    let (mut order, mut numbers): (Vec<usize>, Vec<u32>) = (0..moves.len()).map(|index| (index, 0)).unzip();
    for places in by_label.into_values().filter(|places| places.len() > 1) {
        let mut sorted = places.clone();
        sorted.sort_by_cached_key(image);
        for ((place, index), number) in places.into_iter().zip(sorted).zip(1..) {
            if let (Some(slot), Some(of)) = (order.get_mut(place), numbers.get_mut(place)) {
                (*slot, *of) = (index, number);
            }
        }
    }
    moves.rearrange(&order, numbers);
}

/// Where the cells of a table begin that starts at `base`, row-major in the order of the keys. `keys` are, outermost
/// first, the positions of the keys and the number of entries from one position to the next.
pub fn places(base: usize, keys: impl Iterator<Item = (Vec<usize>, usize)>) -> Vec<usize> {
    let mut places = vec![base];
    for (positions, stride) in keys {
        let inner = |&place: &usize| positions.iter().map(move |position| place + position * stride);
        places = places.iter().flat_map(inner).collect();
    }
    places
}
