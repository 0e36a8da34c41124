//! The state after a move.

use super::super::lane::{Lane, Store};
use super::super::layout::{Kind, Place};
use super::super::{Failure, Lifter};
use super::Walk;
use rg_ir::NodeId;
use rg_ir::ids::Id;
use wir::Reg;

impl Lifter<'_> {
    /// Writes the words of the state after the move, in which a player decides at a node: the search has found it.
    pub(super) fn finish(&mut self, node: NodeId, walk: &Walk) -> Result<Reg, Failure> {
        let vars = self.game.vars.ids().map(|var| {
            let kept = !matches!(self.layout.of(var), Some(Place::Nowhere) | None);
            match self.known.kinds.get(var.index()) {
                Some(Kind::Scalar) => walk.vars.get(var.index()).cloned().flatten().map_or(Store::Dead, Store::Scalar),
                Some(Kind::Sets | Kind::Cells) if kept && self.is_live(node, var.index()) => self.peeked_store(var),
                _ => Store::Dead,
            }
        });
        let vars: Vec<Store> = vars.collect();
        let guard = self.function.builder.constant(1);
        let lane = Lane::beginning(guard, vars);
        if node != self.game.end() {
            self.fail_for_keeper(&lane);
        }
        let number = self.number_of(&lane, node)?;
        let number = self.function.builder.constant(u64::from(number));
        let state = self.packed_state(&lane, node, number)?;
        let is_packed = self.words_of_packed();
        for (word, value) in (0..).zip(state).filter(|(word, _)| !is_packed.contains(word)) {
            let at = self.after(word)?;
            self.poke(at, value);
        }
        self.finish_packed(node)?;
        Ok(self.function.builder.constant(1))
    }

    /// The words of a state that packed maps take.
    fn words_of_packed(&self) -> std::ops::Range<u32> {
        let packed = self.game.vars.ids().filter_map(|var| match self.layout.of(var)? {
            Place::Packed(packed) => Some(packed.first..packed.first + packed.words()),
            _ => None,
        });
        packed.reduce(|all, one| all.start.min(one.start)..all.end.max(one.end)).unwrap_or(0..0)
    }

    /// Writes the words of packed maps.
    fn finish_packed(&mut self, node: NodeId) -> Result<(), Failure> {
        for var in self.game.vars.ids() {
            let Some(&Place::Packed(packed)) = self.layout.of(var) else { continue };
            let to = self.after(packed.first)?;
            if self.is_live(node, var.index()) {
                let from = self.function.builder.constant(u64::from(self.map_place(var)?.base));
                let to = self.function.builder.constant(u64::from(to));
                self.copy_scratch(from, to, packed.words());
            } else {
                let words = self.initial_words(var)?;
                self.fill_scratch(words, to);
            }
        }
        Ok(())
    }

    /// Ends the search without a result if it is the keeper who decides next, or no player.
    fn fail_for_keeper(&mut self, lane: &Lane) {
        let Some(player) = self.known.player else { return };
        let Some(Store::Scalar(value)) = lane.vars.get(player.index()) else { return };
        let Some(value) = value.reg(&mut self.function.builder) else { return };
        let fine = self.is_decider(value);
        let wrong = self.function.builder.negation(fine);
        self.fail_if(wrong);
    }
}
