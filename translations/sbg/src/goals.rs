//! What decides plays, as outcomes show it.

use crate::facts::{Facts, Meaning, moves};
use crate::model::{Cell, Model};
use crate::store::Store;
use crate::turns::Turns;
use rg_ir::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// What decides plays.
pub(crate) struct Goals {
    /// Kinds of pieces that win on these squares.
    pub(crate) reach: BTreeMap<Symbol, BTreeSet<Cell>>,
    /// Kinds of pieces of which so many are too few.
    pub(crate) few: BTreeMap<Symbol, usize>,
    /// The number of half-moves after which a play is drawn.
    pub(crate) draw: Option<usize>,
}

impl Goals {
    pub(crate) fn new(turns: &Turns<'_, '_>, facts: &Facts) -> Self {
        let model = turns.explorer.eval.model;
        let mut wins: BTreeMap<(Symbol, Cell), bool> = BTreeMap::new();
        for (turn, ended) in moves(turns).filter(|(_, ended)| facts.reached.contains(&ended.origin)) {
            let feasible = || ended.outcomes.iter().filter(|outcome| facts.feasible(turns, &outcome.store));
            let won = |scores: Option<[Symbol; 2]>| winner(model, scores) == Some(Some(turn.start.player));
            let all = feasible().all(|outcome| won(outcome.scores));
            let some = feasible().any(|outcome| outcome.store.mobile.is_none_or(|(_, can)| can));
            *wins.entry((ended.origin.1, ended.target)).or_insert(true) &= all && some;
        }
        let mut reach: BTreeMap<Symbol, BTreeSet<Cell>> = BTreeMap::new();
        for ((kind, cell), _) in wins.into_iter().filter(|(_, won)| *won) {
            reach.entry(kind).or_default().insert(cell);
        }
        let mut goals = Self { reach, few: BTreeMap::new(), draw: None };
        for (_, ended) in moves(turns).filter(|(_, ended)| facts.reached.contains(&ended.origin)) {
            if goals.reach.get(&ended.origin.1).is_some_and(|cells| cells.contains(&ended.target)) {
                continue;
            }
            for outcome in ended.outcomes.iter().filter(|outcome| facts.feasible(turns, &outcome.store)) {
                goals.outcome(turns, facts, ended, outcome);
            }
        }
        goals
    }

    fn outcome(
        &mut self,
        turns: &Turns<'_, '_>,
        facts: &Facts,
        ended: &crate::turns::Ended,
        outcome: &crate::explore::Outcome,
    ) {
        let (model, known) = (turns.explorer.eval.model, &turns.explorer.eval.known);
        let Some(winner) = winner(model, outcome.scores) else { return };
        let Some(winner) = winner else {
            for (&slot, meaning) in &facts.meaning {
                let Meaning::Turn(values) = meaning else { continue };
                let domain = &model.slots[slot].domain;
                let set = outcome.store.set(slot, domain.len());
                let at = |value: &Symbol| domain.iter().position(|other| other == value);
                let first = values.iter().position(|value| at(value).and_then(|at| set.get(at).copied()) == Some(true));
                if let Some(first) = first
                    && set.contains(&false)
                {
                    self.draw = Some(self.draw.map_or(first + 1, |draw| draw.min(first + 1)));
                }
            }
            return;
        };
        let mask = facts.before(turns, ended, &outcome.store);
        let Some(&kind) = known.contents.get(mask.trailing_zeros() as usize) else { return };
        let loser = facts.owner.get(&kind).and_then(|&owner| model.players.get(owner)).copied();
        let blocked = outcome.store.mobile.is_some_and(|(_, can)| !can);
        if mask.count_ones() != 1
            || loser.is_none_or(|loser| model.other(loser) != winner)
            || blocked
            || !facts.allows_all(turns, &outcome.store, kind)
        {
            return;
        }
        let most = (1..=facts.count.get(&kind).copied().unwrap_or(0))
            .rev()
            .find(|&n| facts.allows(turns, &outcome.store, kind, n));
        if let Some(most) = most {
            let few = self.few.entry(kind).or_insert(most - 1);
            *few = (*few).max(most - 1);
        }
    }
}

impl Facts {
    /// Whether there may have been so many pieces of a kind before a move.
    pub(crate) fn allows(&self, turns: &Turns<'_, '_>, store: &Store, kind: Symbol, n: usize) -> bool {
        let may = |slot: usize, value: Symbol| {
            let domain = &turns.explorer.eval.model.slots[slot].domain;
            let at = domain.iter().position(|&other| other == value);
            at.is_some_and(|at| store.set(slot, domain.len()).get(at) == Some(&true))
        };
        self.meaning.iter().all(|(&slot, meaning)| match meaning {
            Meaning::Count(counted, values) if *counted == kind => {
                values.get(n).copied().flatten().is_some_and(|value| may(slot, value))
            }
            Meaning::Fixed(value) => may(slot, *value),
            Meaning::Count(..) | Meaning::Turn(_) => true,
        })
    }

    /// Whether slots that outcomes depend on may be so while a play goes on.
    fn feasible(&self, turns: &Turns<'_, '_>, store: &Store) -> bool {
        self.meaning.iter().all(|(&slot, meaning)| {
            let domain = &turns.explorer.eval.model.slots[slot].domain;
            let set = store.set(slot, domain.len());
            if !set.contains(&false) {
                return true;
            }
            let may = |value: &Symbol| domain.iter().zip(&set).any(|(other, &kept)| kept && other == value);
            match meaning {
                Meaning::Turn(values) => values.iter().any(may),
                Meaning::Count(_, values) => values.iter().flatten().any(may),
                Meaning::Fixed(value) => may(value),
            }
        })
    }

    /// Whether there may have been as many pieces of each other kind before a move as at the beginning.
    fn allows_all(&self, turns: &Turns<'_, '_>, store: &Store, kind: Symbol) -> bool {
        let others = self.count.iter().filter(|(other, _)| **other != kind);
        others.into_iter().all(|(&other, &count)| self.allows(turns, store, other, count))
    }
}

/// Who has won: nobody in a draw. `None` if the play goes on, or the scores are none of SBG.
pub(crate) fn winner(model: &Model<'_>, scores: Option<[Symbol; 2]>) -> Option<Option<Symbol>> {
    match scores.map(|scores| scores.map(|score| model.game.name(score)))? {
        ["100", "0"] => Some(Some(model.players[0])),
        ["0", "100"] => Some(Some(model.players[1])),
        ["50", "50"] => Some(None),
        _ => None,
    }
}
