//! Texts of places, and the ways of moves that they name in part or that they leave.

use super::Notation;
use super::read::{Said, Unread, parts, subsequence};
use super::short::Reading;
use crate::scene::Board;
use rustc_hash::FxHashMap;

/// Why a text of places is not read that ends where moves from its first place only change something; `None` for other texts. Linear.
pub(super) fn passed(said: &[Said], readings: &[Reading], short: &[String]) -> Option<Unread> {
    let labels: Vec<&str> = said.iter().map(Said::place).collect::<Option<_>>()?;
    let [first, .., last] = labels[..] else { return None };
    let is_meant = |reading: &Reading| {
        let places = reading.places();
        places.first() == Some(&first) && reading.passes(last) && subsequence(said, &mut reading.items.iter())
    };
    let found = (0..).zip(readings).filter(|(_, reading)| is_meant(reading)).map(|(index, _)| index);
    let moves: Vec<(String, usize)> = found.filter_map(|index| Some((short.get(index)?.clone(), index))).collect();
    (!moves.is_empty()).then(|| Unread::Passed { place: last.to_owned(), moves })
}

/// How much of a way a text names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// All of it.
    Whole,
    /// Its beginning.
    Beginning,
}

/// The moves of which a text names, from the first place on, every place where the piece comes down between jumps, where their own ways
/// have those that it jumps over: `f6h4f2` for `f6g5g3f2`. Linear.
pub(super) fn landed(said: &[Said], readings: &[Reading], boards: &[Board], much: Named) -> Vec<usize> {
    let least = if much == Named::Whole { 3 } else { 2 };
    let labels: Option<Vec<&str>> = said.iter().map(Said::place).collect();
    let Some(labels) = labels.filter(|labels| labels.len() >= least) else { return Vec::new() };
    let all = boards.iter().flat_map(|board| &board.places);
    let points: FxHashMap<&str, (f32, f32)> = all.map(|place| (place.label.as_str(), (place.x, place.y))).collect();
    let at = |label: &&str| points.get(label).copied();
    let Some(landings) = labels.iter().map(at).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let is_meant = |reading: &Reading| {
        let places = reading.places();
        let [first, inner @ .., last] = places.as_slice() else { return false };
        if labels.first() != Some(first) || (much == Named::Whole && labels.last() != Some(last)) {
            return false;
        }
        let mut inner = inner.iter().map(at).peekable();
        let jumps = landings.windows(2).all(|jump| {
            let over = |place: &Option<(f32, f32)>| place.is_some_and(|place| is_between(place, jump));
            let is_jump = inner.next_if(over).is_some();
            while inner.next_if(over).is_some() {}
            is_jump
        });
        jumps && inner.next().is_none() == (much == Named::Whole)
    };
    (0..).zip(readings).filter(|(_, reading)| is_meant(reading)).map(|(index, _)| index).collect()
}

/// The moves that go from place to place as a text does, and then on: its places are the first of theirs, or those where the piece comes
/// down between jumps. Linear.
pub(super) fn going_on<N: Notation + ?Sized>(notation: &N, text: &str, moves: &[Vec<&str>]) -> Vec<usize> {
    let said = notation.places().and_then(|places| parts(text, places)).unwrap_or_default();
    let labels: Option<Vec<&str>> = said.iter().map(Said::place).collect();
    let Some(labels) = labels.filter(|labels| !labels.is_empty()) else { return Vec::new() };
    let readings = notation.readings(moves);
    let goes_on = |reading: &Reading| {
        let places = reading.places();
        places.len() > labels.len() && places.starts_with(&labels)
    };
    let found: Vec<usize> =
        (0..).zip(&readings).filter(|(_, reading)| goes_on(reading)).map(|(index, _)| index).collect();
    if found.is_empty() { landed(&said, &readings, notation.boards(), Named::Beginning) } else { found }
}

/// Whether a point lies on the straight line between two others.
fn is_between((x, y): (f32, f32), ends: &[(f32, f32)]) -> bool {
    let &[(left, top), (right, bottom)] = ends else { return false };
    let (across, down) = (right - left, bottom - top);
    let aside = (x - left) * down - (y - top) * across;
    let along = (x - left) * across + (y - top) * down;
    let whole = across * across + down * down;
    aside.abs() < 1e-3 && along > 1e-3 && along < whole - 1e-3
}

#[cfg(test)]
mod tests {
    use super::super::Item;
    use super::*;

    #[test]
    fn texts_that_end_where_no_piece_stops_are_told_whole_moves() {
        let place = |label: &&str| Item::Place((*label).to_owned());
        let said = |labels: &[&str]| labels.iter().map(|label| Said::Place((*label).to_owned())).collect::<Vec<_>>();
        let items = ["g3", "h4", "f6", "g7"].iter().map(place).collect();
        let jumps = Reading { items, usual: vec![0, 3], passed: vec![1, 2] };
        let short = ["g3g7".to_owned()];
        let unread = passed(&said(&["g3", "h4"]), std::slice::from_ref(&jumps), &short).unwrap();
        assert_eq!(unread, Unread::Passed { place: "h4".to_owned(), moves: vec![("g3g7".to_owned(), 0)] });
        assert!(unread.message("g3h4").ends_with("no piece stops at `h4`; did you mean `g3g7`?"));
        assert_eq!(passed(&said(&["h4", "f6"]), &[jumps], &short), None, "the move does not begin there");
    }
}
