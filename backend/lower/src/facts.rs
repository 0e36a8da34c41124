//! What a move shows of the state in which it is made, written into the sets of maps.
//!
//! A move that begins at a place tells what is there. Sets say so, too, but only at run time. So the place is put into the
//! set of what is there and taken from all others, which changes nothing: what follows is simplified by what it sees of
//! that ([`wir_opt`]).

use super::Lifter;
use super::lane::{Lane, Sets, Store, Val};
use super::region::Goal;
use rg_ir::EdgeId;
use rg_ir::ids::Id;
use wir::Reg;

impl Lifter<'_> {
    /// Whether the keeper goes round loops after a move that ends with an edge: others do not ask for a place often enough.
    pub(super) fn walks_afterwards(&mut self, edge: EdgeId) -> bool {
        let (target, keepers) = self.led_to(edge);
        keepers && self.region(Goal::Keeper, target).cyclic.contains(&true)
    }

    /// Writes what a lane knows of the places that are arguments into sets, if they are in the first word.
    pub(super) fn write_facts(&mut self, lane: &mut Lane, arguments: &[Reg]) {
        for fact in lane.facts.clone() {
            let Val::Reg(place) = fact.index else { continue };
            let Some(Store::Sets(sets)) = lane.vars.get(fact.var.index()).cloned() else { continue };
            let small = self.function.builder.possible_bits(place) < 64 && sets.pending.is_empty();
            if !small || !arguments.contains(&place) || !self.is_always_real(fact.var, &Val::Reg(place)) {
                continue;
            }
            let words = sets.of.first().map_or(1, |set| set.len());
            let at = self.function.builder.singleton(place, words);
            let known = |(number, set): (usize, &super::sets::Set)| {
                if number == fact.value as usize {
                    self.function.builder.either(set, &at)
                } else {
                    self.function.builder.minus(set, &at)
                }
            };
            let of = sets.of.iter().enumerate().map(known).collect();
            if let Some(slot) = lane.vars.get_mut(fact.var.index()) {
                *slot = Store::Sets(Sets { of, pending: sets.pending });
            }
        }
    }
}
