//! The compact form: relations that are costly to ask are asked by automata of their own instead of being written out
//! wherever they are asked. Walks are longer then, as arguments are handed over, but there are fewer cases.

use super::Lift;
use super::query::Mode;
use crate::flat::Rel;
use rustc_hash::FxHashMap;

/// Checks that look at fewer edges than this are written out.
const COSTLY: f64 = 8.0;

/// What is known about relations in the compact form.
#[derive(Default)]
pub(super) struct Compact {
    /// Whether the form is compact at all.
    pub(super) wanted: bool,
    /// Per relation, and for each of its arguments whether any value will do, whether it is costly. While that is found
    /// out, it is not.
    costly: FxHashMap<(Rel, Vec<bool>), bool>,
}

impl Compact {
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, ..Self::default() }
    }
}

impl Lift<'_, '_> {
    /// Whether a relation on the state is so costly to ask that it should not be written out again and again.
    pub(super) fn is_costly(&mut self, rel: Rel, modes: &[Mode]) -> bool {
        if !self.compact.wanted {
            return false;
        }
        let any: Vec<bool> = modes.iter().map(|mode| *mode == Mode::Any).collect();
        let question = (rel, any);
        if let Some(&known) = self.compact.costly.get(&question) {
            return known;
        }
        self.compact.costly.insert(question.clone(), false);
        let modes: Vec<Mode> = question.1.iter().map(|any| if *any { Mode::Any } else { Mode::Param }).collect();
        let procedure = self.procedure(rel, &modes).ok().and_then(|number| self.procedures.get(number));
        let costly = procedure.is_some_and(|procedure| procedure.effort.of_check() >= COSTLY);
        self.compact.costly.insert(question, costly);
        costly
    }
}
