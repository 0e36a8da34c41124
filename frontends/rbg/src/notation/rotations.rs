//! Moves that turn a part of the board.
//!
//! The rules of such a move let places exchange their pieces, two at a time, so that none goes from one place to another: what was on the
//! first place goes round with all others. Such a move is called by that place and by the way round, `a3 clockwise`.

use super::{Pair, RbgNotation};
use rg_ir::notation::{Item, Reading};
use rustc_hash::FxHashMap;

impl RbgNotation {
    /// The moves of a position as rotations; `None` unless each of them is one. Linear.
    pub(super) fn rotations(&self, moves: &[Vec<Pair>]) -> Option<Vec<Reading>> {
        if moves.is_empty() {
            return None;
        }
        moves.iter().map(|pairs| self.rotation(pairs)).collect()
    }

    /// The only rotation that a text means: a place of the part that is turned, whichever it is, and the way round or the beginning of that.
    pub(super) fn rotated(&self, text: &str, moves: &[Vec<Pair>]) -> Option<usize> {
        let (place, way) = text.split_once(' ')?;
        let way = match way.trim().to_lowercase().as_str() {
            "cw" => "clockwise".to_owned(),
            "ccw" | "anticlockwise" => "counterclockwise".to_owned(),
            "" => return None,
            other => other.to_owned(),
        };
        let places = &self.picture.board.places;
        let place = places.iter().find(|other| other.label.eq_ignore_ascii_case(place))?;
        let is_meant = |pairs: &Vec<Pair>| {
            let cycle = self.exchanged(pairs)?;
            let turns = self.way_round(&cycle)?;
            let points = || cycle.iter().filter_map(|&at| places.get(at)).map(|place| (place.x, place.y));
            let (left, top) = points().fold((f32::INFINITY, f32::INFINITY), |(x, y), at| (x.min(at.0), y.min(at.1)));
            let (right, bottom) = points().fold((left, top), |(x, y), at| (x.max(at.0), y.max(at.1)));
            let is_inside = (left..=right).contains(&place.x) && (top..=bottom).contains(&place.y);
            (is_inside && turns.starts_with(&way)).then_some(())
        };
        let mut found = (0..).zip(moves).filter(|(_, pairs)| is_meant(pairs).is_some()).map(|(index, _)| index);
        found.next().filter(|_| found.next().is_none())
    }

    /// The places whose pieces go round in a move that consists of exchanges, in their order.
    fn exchanged(&self, pairs: &[Pair]) -> Option<Vec<usize>> {
        let puts = pairs.iter().filter_map(|pair| Some((pair.vertex, self.put(pair)?)));
        let puts: Vec<(usize, u32)> = puts.map(|(vertex, piece)| Some((vertex?, piece))).collect::<Option<_>>()?;
        cycle(&puts)
    }

    /// A move that consists of exchanges of pieces, by which that of the first place goes on to another one and at least three places change theirs.
    fn rotation(&self, pairs: &[Pair]) -> Option<Reading> {
        let cycle = self.exchanged(pairs)?;
        let place = |at: usize| Some(Item::Place(self.picture.board.places.get(at)?.label.clone()));
        let [first, second, ..] = cycle[..] else { return None };
        // Where it goes says which way round, if nothing else does.
        let way = self.way_round(&cycle).map(|way| Item::Word(way.to_owned())).or_else(|| place(second))?;
        let mut items = vec![place(first)?, way];
        let others = pairs.iter().filter(|pair| self.put(pair).is_none());
        items.extend(others.map(|pair| self.word(pair)));
        Some(Reading { items, usual: vec![0, 1], passed: Vec::new() })
    }

    /// Which way round places follow each other, as they are drawn; `None` if they lie in a line, or nobody knows where.
    fn way_round(&self, cycle: &[usize]) -> Option<&'static str> {
        let point = |at: &usize| self.picture.board.places.get(*at).map(|place| (place.x, place.y));
        let points: Vec<(f32, f32)> = cycle.iter().map(point).collect::<Option<_>>()?;
        let next = points.iter().cycle().skip(1);
        // Twice the area that they go round; rows are counted from the top.
        let area: f32 = points.iter().zip(next).map(|((x, y), (right, below))| x * below - right * y).sum();
        match area {
            area if area > 0.5 => Some("clockwise"),
            area if area < -0.5 => Some("counterclockwise"),
            _ => None,
        }
    }
}

/// Places, from the first one on, of which each gives its piece to the next one, and the last one to the first, in a sequence of pieces that are put on
/// places. `None` if these are no exchanges, or fewer than three places take part.
fn cycle(puts: &[(usize, u32)]) -> Option<Vec<usize>> {
    // Per place: where the piece that is there now was at first, and which one it is.
    let mut now: FxHashMap<usize, (usize, u32)> = FxHashMap::default();
    let exchanges = puts.chunks_exact(2);
    if !exchanges.remainder().is_empty() {
        return None;
    }
    for exchange in exchanges {
        let &[(one, its), (other, mine)] = exchange else { return None };
        let (before_one, before_other) = (now.get(&one).copied(), now.get(&other).copied());
        let fits = |before: Option<(usize, u32)>, piece: u32| before.is_none_or(|(_, before)| before == piece);
        if one == other || !fits(before_one, mine) || !fits(before_other, its) {
            return None;
        }
        now.insert(one, (before_other.map_or(other, |(from, _)| from), its));
        now.insert(other, (before_one.map_or(one, |(from, _)| from), mine));
    }
    let goes_to: FxHashMap<usize, usize> = now.iter().map(|(&to, &(from, _))| (from, to)).collect();
    let first = puts.first()?.0;
    let mut cycle = vec![first];
    let mut at = *goes_to.get(&first)?;
    while at != first && cycle.len() <= puts.len() {
        cycle.push(at);
        at = *goes_to.get(&at)?;
    }
    (cycle.len() > 2).then_some(cycle)
}

#[cfg(test)]
mod tests {
    use super::cycle;

    #[test]
    fn exchanges_make_a_cycle() {
        // Four places, of which three exchange with the next one.
        assert_eq!(cycle(&[(0, 1), (1, 2), (1, 1), (2, 2), (2, 3), (3, 2)]), Some(vec![0, 3, 2, 1]));
        assert_eq!(cycle(&[(0, 1), (1, 2), (1, 1), (2, 1)]), None, "another piece was there");
        assert_eq!(cycle(&[(0, 0), (1, 1)]), None, "a piece goes to another place");
        assert_eq!(cycle(&[(0, 0), (1, 1), (2, 0), (3, 1)]), None, "two pieces go");
        assert_eq!(cycle(&[(0, 0), (1, 0), (2, 1)]), None, "a piece is captured");
        assert_eq!(cycle(&[(0, 0), (0, 1)]), None);
        assert_eq!(cycle(&[]), None);
    }
}
