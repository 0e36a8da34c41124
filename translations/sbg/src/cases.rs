//! Whether the rules say in every case how a play goes on, and in one way only.

use crate::codes;
use crate::facts::Meaning;
use crate::model::{Advised, Refused, refuse};
use crate::prove::Proof;
use crate::store::{Mask, Source, Store};
use crate::turns::{Ended, Turn};
use indexmap::IndexSet;
use rg_ir::{Span, Symbol};
use std::collections::BTreeSet;

/// Most cases.
const MAX_CASES: usize = 1 << 16;

/// Cases by the answers that fit them, a bit for each answer.
struct Cases(IndexSet<Vec<bool>>);

impl Cases {
    /// One case that so many answers fit.
    fn new(answers: usize) -> Self {
        Self(IndexSet::from_iter([vec![true; answers]]))
    }

    /// Tells cases apart by something more: for each of its values, the answers that fit. O(cases · values · answers), of those that differ.
    fn split(&mut self, values: impl IntoIterator<Item = Vec<bool>>) {
        let values: IndexSet<Vec<bool>> = values.into_iter().collect();
        let both = |case: &Vec<bool>, value: &Vec<bool>| case.iter().zip(value).map(|(a, b)| *a && *b).collect();
        self.0 = self.0.iter().flat_map(|case| values.iter().map(move |value| both(case, value))).collect();
    }

    fn are_many(&self) -> bool {
        self.0.len() > MAX_CASES
    }

    /// The least and the greatest number of answers that fit one case.
    fn least_and_most(&self) -> (usize, usize) {
        let counts = || self.0.iter().map(|case| case.iter().filter(|fits| **fits).count());
        (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
    }
}

impl Proof<'_, '_, '_> {
    /// The rules say how the play goes on, and in one way only, whatever was on the square that the move leads to, whatever the number of
    /// half-moves and of pieces is, and whether the next player can move or not.
    pub(crate) fn covered(&self, turn: &Turn, ended: &Ended, end: &Store) -> Result<(), Refused> {
        let stores: Vec<&Store> = ended.outcomes.iter().map(|outcome| &outcome.store).collect();
        let mut cases = Cases::new(stores.len());
        let mask = self.facts.before(self.turns, ended, end);
        let contents = (0..Mask::BITS).filter(|at| mask >> at & 1 == 1);
        cases.split(
            contents.map(|at| {
                stores.iter().map(|store| self.facts.before(self.turns, ended, store) >> at & 1 == 1).collect()
            }),
        );
        cases.split(
            [true, false]
                .map(|answer| stores.iter().map(|store| store.mobile.is_none_or(|(_, can)| can == answer)).collect()),
        );
        let slots: BTreeSet<usize> = stores.iter().flat_map(|store| store.sets.iter().map(|(slot, _)| *slot)).collect();
        for slot in slots {
            let values = self.values(turn, slot);
            cases.split(
                values.into_iter().map(|at| stores.iter().map(|store| store.allowed(Source::Slot(slot), at)).collect()),
            );
            if cases.are_many() {
                return Err(refuse(codes::TOO_LARGE, Span::NONE, "how a play goes on depends on too many cases"));
            }
        }
        let message = match cases.least_and_most() {
            (1, 1) => return Ok(()),
            (0, _) => "does not go on in every case: the rules have no way on",
            _ => "goes on in several ways: the rules do not say which",
        };
        let message = format!("after {}, the play {message}", self.told(ended, self.facts.empty));
        Err(refuse(codes::END, Span::NONE, message)
            .advised("after a move in SBG the next player is on turn, or the play is over"))
    }

    /// The numbers of the values that a slot can have before a move of a turn.
    fn values(&self, turn: &Turn, slot: usize) -> Vec<usize> {
        let domain = &self.model().slots[slot].domain;
        let at = |value: Symbol| domain.iter().position(|&other| other == value);
        match self.facts.meaning.get(&slot) {
            Some(Meaning::Turn(values)) => self.half_moves(turn, values).filter_map(|(_, value)| at(value)).collect(),
            Some(Meaning::Count(kind, values)) => {
                self.numbers(*kind).filter_map(|n| values.get(n).copied().flatten().and_then(at)).collect()
            }
            Some(Meaning::Fixed(value)) => at(*value).into_iter().collect(),
            None => (0..domain.len()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three answers: whatever it is on Mondays; on other days when it rains, and when it does not.
    #[test]
    fn each_case_has_one_answer() {
        let mut cases = Cases::new(3);
        cases.split([vec![true, false, false], vec![false, true, true]]);
        cases.split([vec![true, true, false], vec![true, false, true]]);
        assert_eq!(cases.least_and_most(), (1, 1));
    }

    #[test]
    fn cases_without_an_answer_and_with_two_are_found() {
        let mut cases = Cases::new(2);
        cases.split([vec![true, false], vec![false, true]]);
        assert_eq!(cases.least_and_most(), (1, 1));
        cases.split([vec![true, false], vec![true, true]]);
        assert_eq!(cases.least_and_most(), (0, 1));
        let mut cases = Cases::new(2);
        cases.split([vec![true, false], vec![true, true]]);
        assert_eq!(cases.least_and_most(), (1, 2));
    }
}
