//! Where a text of several places leaves the legal moves that begin as it does.

use super::{MOST, STEPS, places, sight};
use backend::why::{Condition, Effort, NearMiss, near_misses};
use backend::{Error, State};
use kit::runner::Runner;
use std::sync::atomic::AtomicBool;

/// Places that are listed at most.
const LISTED: usize = 12;

/// The first leg of a text on which no legal move goes, though some go as the text does until then.
pub struct Leg {
    /// The places up to the end of this leg, two at least.
    labels: Vec<String>,
    /// Whether the text ends there.
    is_last: bool,
    /// A legal move that ends where this leg begins.
    whole: Option<String>,
    /// What comes in the legal moves that go so far: their next places, or where these are not known, all of them in short.
    next: Vec<String>,
}

impl Leg {
    /// Of a text that names a place behind those that legal moves have, given in short, with their `tags`. `None` for others, and where moves of two
    /// places are enough to tell what is wrong. Costs a look at the moves for each place.
    pub fn of(runner: &Runner, text: &str, tags: &[Vec<&str>], short: &[String]) -> Option<Self> {
        let notation = &runner.loaded.notation;
        let places = notation.places()?;
        let named = sight::named(places, text);
        let (first, _) = named.split_first().filter(|(_, rest)| !rest.is_empty())?;
        let ways = || short.iter().map(|legal| sight::named(places, legal)).filter(|way| way.first() == Some(first));
        let is_long = ways().next().is_some() && ways().all(|way| way.len() > named.len());
        if named.len() == 2 && !is_long {
            return None;
        }
        let begins =
            |length: usize| named.get(..length).map_or(Vec::new(), |labels| notation.going_on(&labels.join(" "), tags));
        let is_move = |length: usize| {
            named.get(..length).and_then(|labels| notation.read_move(&labels.join(" "), tags, runner.naming()).ok())
        };
        let length = (1..named.len())
            .rev()
            .find(|&length| !begins(length).is_empty() || (length > 1 && is_move(length).is_some()))?;
        let whole = is_move(length).filter(|_| length > 1).and_then(|index| short.get(index)).cloned();
        let labels: Vec<String> = named.iter().take(length + 1).map(|&label| label.to_owned()).collect();
        let mut next: Vec<String> = Vec::new();
        let on: Vec<usize> = begins(length);
        let readings = notation.readings(tags);
        for index in on {
            let ways = readings.get(index).map_or(Vec::new(), |reading| reading.places());
            let follows = ways.iter().zip(&named).take(length).all(|(place, label)| place == label);
            let one = ways
                .get(length)
                .filter(|_| follows)
                .map(|label| (*label).to_owned())
                .or_else(|| short.get(index).cloned());
            next.extend(one.filter(|one| !next.contains(one)));
        }
        next.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        Some(Self { is_last: length + 1 == named.len(), labels, whole, next })
    }

    /// Whether the text is two places, and legal moves from there have more.
    pub(super) fn is_beginning(&self) -> bool {
        self.labels.len() == 2 && self.is_last
    }

    /// The near miss with the fewest conditions whose way begins with the places of this leg, with those conditions that fail before its end.
    pub(super) fn missed(&self, runner: &Runner, state: &State, stop: &AtomicBool) -> Result<Option<NearMiss>, Error> {
        let way = |tags: &[&str]| {
            let mut way = places(runner, tags);
            way.dedup();
            way
        };
        let follows = |tags: &[&str]| way(tags).iter().zip(&self.labels).all(|(place, label)| place == label);
        let is_there = |tags: &[&str]| way(tags).starts_with(&self.labels);
        for conditions in 1..=MOST {
            let effort = Effort { conditions, behind: 0, steps: STEPS, stop: Some(stop) };
            let misses = near_misses(&runner.loaded.game, &runner.reasoner.image(state), effort, follows)?;
            let found = misses.found.into_iter().find(|miss| is_there(&super::texts(&miss.tags)));
            if let Some(mut miss) = found {
                let tags = super::texts(&miss.tags);
                let end = (0..tags.len()).find(|&length| is_there(tags.get(..length).unwrap_or_default()));
                let end = end.unwrap_or(tags.len());
                miss.conditions.retain(|condition: &Condition| condition.after < end);
                return Ok(Some(miss).filter(|miss| !miss.conditions.is_empty()));
            }
            if misses.is_cut {
                break;
            }
        }
        Ok(None)
    }

    /// What is wrong, without its end: that no legal move goes so.
    pub(super) fn text(&self, text: &str) -> String {
        let [before @ .., last] = self.labels.as_slice() else { return String::new() };
        let (before, way) = (joined(before), joined(&self.labels));
        match &self.whole {
            Some(whole) => {
                format!("`{text}` is not legal: `{whole}` is a legal move, but none goes on from there to `{last}`")
            }
            None if self.is_last && self.labels.len() > 2 => {
                format!("`{text}` is not legal: no legal move goes on from `{before}` to `{last}`")
            }
            None => format!("`{text}` is not legal: no legal move begins with `{way}`"),
        }
    }

    /// What legal moves have in place of the leg's end; empty if there are none that go on.
    pub(super) fn instead(&self) -> String {
        let [before @ .., _] = self.labels.as_slice() else { return String::new() };
        let shown: Vec<String> = self.next.iter().take(LISTED).map(|label| format!("`{label}`")).collect();
        let more = if self.next.len() > LISTED { ", …" } else { "" };
        match shown.as_slice() {
            [] => String::new(),
            shown => format!("; those that begin with `{}` go on to {}{more}", joined(before), shown.join(", ")),
        }
    }
}

/// Labels as they are written in a row: with signs between them, unless they are coordinates.
fn joined(labels: &[String]) -> String {
    let is_plain = labels.iter().all(|label| label.chars().all(char::is_alphanumeric));
    labels.join(if is_plain { "" } else { "-" })
}
