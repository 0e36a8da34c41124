//! One text for several moves that a player makes one after another, from place to place.

use super::Table;
use agents::Play;
use backend::Turn;
use rg_ir::notation::Places;
use std::cell::Cell;

/// Places that a text names at most.
const LONGEST: usize = 40;

/// Moves that are tried at most, since a text may be divided into moves in very many ways.
const TRIES: usize = 200;

impl Table<'_> {
    /// The moves of the player to move that a text means together, where each of them is legal behind those before it: they go on from place to place as
    /// the text does, `f6h4f2` for `f6h4` and `h4f2`, or are places, each a move. `None` if it is no such text, or something is hidden, so that it
    /// is not known beforehand what will be legal.
    pub(in super::super) fn chain(&self, text: &str) -> Option<Vec<usize>> {
        let Turn::Player(_) = self.turn() else { return None };
        if self.hides_moves() {
            return None;
        }
        let labels = labels(self.drawn.loaded.notation.places()?, text).filter(|labels| labels.len() > 1)?;
        let chain = self.followed(&self.play, (&labels, None), &Cell::new(TRIES))?;
        (chain.len() > 1).then_some(chain)
    }

    /// The moves, from a position on, that `labels` are, behind the place where the move before has ended.
    fn followed(
        &self,
        play: &Play<'_>,
        (labels, last): (&[String], Option<&str>),
        left: &Cell<usize>,
    ) -> Option<Vec<usize>> {
        let (first, rest) = labels.split_first()?;
        let from_last = last.map(|last| ([last, first.as_str()], rest));
        let from_first = rest.split_first().map(|(second, rest)| ([first.as_str(), second.as_str()], rest));
        // A place that goes on from the last one is the rest of a way, and one alone is a move where none goes on.
        let ways = [from_last, from_first.filter(|_| last.is_none())].into_iter().flatten();
        for (way, rest) in ways {
            if let Some(chain) = self.first_of(play, (&way, rest), left) {
                return Some(chain);
            }
        }
        self.first_of(play, (&[first], rest), left)
    }

    /// The move that goes this way, and those behind it.
    fn first_of(&self, play: &Play<'_>, (way, rest): (&[&str], &[String]), left: &Cell<usize>) -> Option<Vec<usize>> {
        left.set(left.get().checked_sub(1)?);
        let index = self.fast.seek(&way.join(" "), play.moves()).ok()?;
        let short = self.fast.short_texts(play.moves());
        let places = labels(self.drawn.loaded.notation.places()?, short.get(index)?)?;
        let ends = [places.first(), places.last()].map(|label| label.map(String::as_str));
        if ends != [way.first().copied(), way.last().copied()] || (way.len() == 1 && places.len() > 1) {
            return None;
        }
        let mut chain = vec![index];
        if !rest.is_empty() {
            let mut after = play.clone();
            after.make(index).ok()?;
            if after.turn() != play.turn() {
                return None;
            }
            chain.extend(self.followed(&after, (rest, way.last().copied()), left)?);
        }
        Some(chain)
    }
}

/// The places that a text consists of, with signs between them that only separate; `None` if there is anything else, or too much.
fn labels(places: &Places, text: &str) -> Option<Vec<String>> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, '-' | '–' | '>' | '→' | ',' | ':' | '×');
    let (mut labels, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (label, behind) = places.begin(rest).or_else(|| places.begin(rest.strip_prefix(['x', 'X'])?))?;
        labels.push(label.to_owned());
        rest = behind.trim_start_matches(is_between);
        if labels.len() > LONGEST {
            return None;
        }
    }
    Some(labels)
}
