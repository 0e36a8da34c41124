//! The state after a move.

use super::super::lane::{Lane, START, Store, Val};
use super::super::layout::{Kind, Place};
use super::super::{Failure, Lifter};
use super::Walk;
use rg_ir::NodeId;
use rg_ir::ids::Id;
use wir::{Op, Reg};

impl Lifter<'_> {
    /// Writes the words of the state in which somebody decides at a node. They are found.
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
        let lane = Lane {
            guard,
            generator: None,
            vars,
            label: Vec::new(),
            chosen: Vec::new(),
            path: START,
            facts: Vec::new(),
            origins: Vec::new(),
            found: Vec::new(),
            tested: Vec::new(),
            cases: Vec::new(),
            deferred_at: (START, None),
            written: Vec::new(),
        };
        if node != self.game.end() {
            self.fail_for_keeper(&lane);
        }
        let number = self.number_of(&lane, node)?;
        let number = self.function.builder.constant(u64::from(number));
        let state = self.packed_state(&lane, node, number)?;
        for (word, value) in (0..).zip(state) {
            let at = self.after(word)?;
            self.poke(at, value);
        }
        Ok(self.function.builder.constant(1))
    }

    /// Gives up if the next to move is the keeper after all, or nobody.
    fn fail_for_keeper(&mut self, lane: &Lane) {
        let Some(player) = self.known.player else { return };
        let Some(Store::Scalar(value)) = lane.vars.get(player.index()) else { return };
        let fine = match value {
            Val::Const(value) => self.function.builder.constant(u64::from(self.known.deciders.contains(value))),
            value => {
                let Some(value) = value.reg(&mut self.function.builder) else { return };
                let mut fine = self.function.builder.constant(0);
                for number in self.known.deciders.clone() {
                    let number = self.function.builder.constant(u64::from(number));
                    let same = self.function.builder.op(Op::Eq(value, number));
                    fine = self.function.builder.or(fine, same);
                }
                fine
            }
        };
        let wrong = self.function.builder.negation(fine);
        self.fail_if(wrong);
    }
}
