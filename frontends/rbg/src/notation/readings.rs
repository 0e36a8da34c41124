//! Moves in the terms of people: pieces that go from place to place.

use super::modifiers::Act;
use super::{Pair, RbgNotation};
use rg_ir::notation::{Item, Reading};
use rustc_hash::FxHashSet;

/// A move that puts nothing on the board.
pub(super) const PASS: &str = "pass";

impl RbgNotation {
    /// All legal moves of a state. Linear.
    pub(super) fn all_readings(&self, moves: &[Vec<&str>]) -> Vec<Reading> {
        let pairs: Vec<Vec<Pair>> = moves.iter().map(|tags| self.pairs(tags)).collect();
        if let Some(rotations) = self.rotations(&pairs) {
            return rotations;
        }
        let pass = self.pass_among(&pairs);
        let last: FxHashSet<u32> = pairs.iter().filter_map(|pairs| self.last_put(pairs)).collect();
        let reading = |(at, pairs): (usize, &Vec<Pair>)| match self.is_still(pairs) {
            true if pass == Some(at) => Reading::plain(vec![Item::Word(PASS.to_owned())]),
            true => self.still(pairs),
            false => self.moved(pairs, &last),
        };
        pairs.iter().enumerate().map(reading).collect()
    }

    /// Whether a move puts nothing on the board.
    fn is_still(&self, pairs: &[Pair]) -> bool {
        !pairs.iter().any(|pair| self.put(pair).is_some())
    }

    /// The only move that puts nothing on the board, which is to pass. Where it happens to end is not part of it.
    pub(super) fn pass_among(&self, moves: &[Vec<Pair>]) -> Option<usize> {
        let mut still = (0..).zip(moves).filter(|(_, pairs)| self.is_still(pairs)).map(|(at, _)| at);
        still.next().filter(|_| still.next().is_none())
    }

    /// The piece that a modifier puts down.
    pub(super) fn put(&self, pair: &Pair) -> Option<u32> {
        match self.modifiers.get(pair.index)?.act {
            Act::Put { piece, .. } => Some(piece),
            Act::Other => None,
        }
    }

    fn is_empty(&self, piece: u32) -> bool {
        self.picture.board.pieces.get(piece as usize).is_some_and(|piece| piece.is_empty)
    }

    /// The last piece that a move puts down.
    fn last_put(&self, pairs: &[Pair]) -> Option<u32> {
        pairs.iter().rev().filter_map(|pair| self.put(pair)).find(|&piece| !self.is_empty(piece))
    }

    /// Where the piece vanishes that moves, by its index among the modifiers: the first place that becomes empty and may have held
    /// one of the pieces that moves put down at `last` or, if this move puts any down, that are there at the start, so that it is not a mark that is
    /// taken away; or else the first one. `None` if something else is put down before.
    fn source(&self, pairs: &[Pair], last: &FxHashSet<u32>) -> Option<usize> {
        let puts = pairs.iter().enumerate().filter_map(|(at, pair)| Some((at, self.put(pair)?, pair)));
        let emptied: Vec<(usize, &Pair)> =
            puts.take_while(|&(_, piece, _)| self.is_empty(piece)).map(|(at, _, pair)| (at, pair)).collect();
        let puts_down = self.last_put(pairs).is_some();
        let moves = |pair: &Pair| match self.modifiers.get(pair.index).map(|modifier| &modifier.act) {
            Some(Act::Put { before: Some(before), .. }) => {
                before.iter().any(|piece| last.contains(piece) || puts_down && self.initial.contains(piece))
            }
            _ => true,
        };
        emptied.iter().find(|(_, pair)| moves(pair)).or(emptied.first()).map(|&(at, _)| at)
    }

    fn place(&self, pair: &Pair) -> Option<Item> {
        let place = self.picture.board.places.get(pair.vertex?)?;
        Some(Item::Place(place.label.clone()))
    }

    /// An assignment or a switch without its signs.
    pub(super) fn word(&self, pair: &Pair) -> Item {
        let text = self.modifier(pair.index);
        let bare = text.strip_prefix("[$").and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        Item::Word(bare.trim().to_owned())
    }

    /// Where the piece is put that is put down last, by its index among the modifiers. Of several places with that piece where it stays it is the first
    /// if one vanished before, `from` there, or else the first that was empty: others are pieces that turn into it.
    fn destination(&self, pairs: &[Pair], from: Option<usize>) -> Option<usize> {
        let puts = |at: usize| pairs.get(at).and_then(|pair| self.put(pair)).filter(|&piece| !self.is_empty(piece));
        let last = (0..pairs.len()).rev().find(|&at| puts(at).is_some())?;
        let vertex = |at: usize| pairs.get(at).map(|pair| pair.vertex);
        let stays = |at: usize| {
            !(at + 1..pairs.len())
                .any(|later| vertex(later) == vertex(at) && pairs.get(later).and_then(|pair| self.put(pair)).is_some())
        };
        let was_empty = |at: usize| {
            let modifier = pairs.get(at).and_then(|pair| self.modifiers.get(pair.index));
            let Some(Act::Put { before: Some(before), .. }) = modifier.map(|modifier| &modifier.act) else {
                return false;
            };
            before.iter().all(|&piece| self.is_empty(piece))
        };
        let begins = |at: usize| from.is_some_and(|from| from < at) || from.is_none() && was_empty(at);
        let first = (0..last).find(|&at| puts(at) == puts(last) && stays(at) && begins(at));
        Some(first.unwrap_or(last))
    }

    /// A move of pieces: from where one vanishes to where it is put. What becomes empty before is not part of it.
    fn moved(&self, pairs: &[Pair], last: &FxHashSet<u32>) -> Reading {
        let from = self.source(pairs, last);
        let to = self.destination(pairs, from);
        let mut items = Vec::new();
        let (mut source, mut target, mut passed) = (None, None, Vec::new());
        for (at, pair) in pairs.iter().enumerate() {
            let Some(piece) = self.put(pair) else {
                items.push(self.word(pair));
                continue;
            };
            if from.is_some_and(|from| at < from) {
                continue;
            }
            if from == Some(at) {
                source = Some(items.len());
            }
            if to == Some(at) {
                target = Some(items.len());
            }
            if from != Some(at) && to != Some(at) && !self.stops(pair, last) {
                passed.push(items.len());
            }
            items.extend(self.place(pair));
            let name = self.picture.board.pieces.get(piece as usize).map(|piece| piece.name.clone());
            items.extend(name.map(Item::Piece));
        }
        if target.is_none() {
            // Nothing is put down yet: it will be where the move ends.
            target = Some(items.len());
            items.extend(pairs.last().and_then(|pair| self.place(pair)));
        }
        let mut usual: Vec<usize> = source.into_iter().chain(target).collect();
        usual.dedup_by(|a, b| items.get(*a) == items.get(*b));
        Reading { usual, items, passed }
    }

    /// Whether a piece stops where a modifier puts something, given what moves put down at `last`: it puts a piece there and no mark, or leaves a place
    /// empty that was empty.
    fn stops(&self, pair: &Pair, last: &FxHashSet<u32>) -> bool {
        match self.modifiers.get(pair.index).map(|modifier| &modifier.act) {
            Some(Act::Put { piece, before }) if self.is_empty(*piece) => {
                before.as_ref().is_some_and(|before| before.iter().all(|&piece| self.is_empty(piece)))
            }
            Some(Act::Put { piece, .. }) => last.contains(piece) || self.initial.contains(piece),
            _ => false,
        }
    }

    /// A move that puts nothing on the board: the vertices of its modifiers.
    fn still(&self, pairs: &[Pair]) -> Reading {
        let (mut items, mut usual) = (Vec::new(), Vec::new());
        for pair in pairs {
            let place = self.place(pair);
            let is_new = place.is_some() && usual.last().and_then(|&last| items.get(last)) != place.as_ref();
            if is_new {
                usual.push(items.len());
                items.extend(place);
            }
            items.push(self.word(pair));
        }
        Reading { usual, items, passed: Vec::new() }
    }
}
