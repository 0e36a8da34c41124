//! Moves as clicks on places.

use kit::runner::Runner;
use rg_ir::notation::{Item, Naming, Reading};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The places to click for a move, by label and in order: those that its reading names, without those that its piece only passes, and each once
/// where it is named again before another. None where the move names no places.
pub(crate) fn of(reading: &Reading) -> Vec<String> {
    let mut places = all(reading);
    places.dedup();
    places
}

/// The same in a game whose boards lie in a block, where a place that is named twice is a board and its place.
pub(crate) fn all(reading: &Reading) -> Vec<String> {
    let is_stop = |(index, _): &(usize, &Item)| !reading.passed.contains(index);
    let places = reading.items.iter().enumerate().filter(is_stop).filter_map(|(_, item)| match item {
        Item::Place(label) => Some(label.clone()),
        Item::Piece(_) | Item::Word(_) => None,
    });
    places.collect()
}

/// Other places that stand for the only place of a move: all of its column, where pieces fall down.
pub(crate) fn aliases(runner: &Runner, clicks: &[Vec<String>]) -> BTreeMap<String, String> {
    let mut aliases = BTreeMap::new();
    if runner.naming() != Naming::Column {
        return aliases;
    }
    let column = |label: &str| label.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let own: FxHashMap<String, &String> = clicks.iter().flatten().map(|label| (column(label), label)).collect();
    for label in runner.loaded.notation.places().into_iter().flat_map(|places| places.labels()) {
        if let Some(&meant) = own.get(&column(label)).filter(|&&meant| meant != label) {
            aliases.insert(label.to_owned(), meant.clone());
        }
    }
    aliases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_are_only_passed_are_not_clicked() {
        let place = |label: &str| Item::Place(label.to_owned());
        let items = vec![place("a3"), place("b4"), place("c5"), place("c5"), Item::Word("x".to_owned()), place("e7")];
        let reading = Reading { items, usual: vec![0, 5], passed: vec![1] };
        assert_eq!(of(&reading), ["a3", "c5", "e7"]);
        assert_eq!(all(&reading), ["a3", "c5", "c5", "e7"]);
    }
}
