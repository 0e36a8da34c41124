//! Backtracking: to the topmost choice point, by a jump where it is known which one that is.

use super::known::Known;
use super::tops::FLOOR;
use super::translate::{CHOICE, EXHAUSTED, Resumption, Translator, memory};
use crate::program::Pc;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block as Label, InstBuilder, Value};
use cranelift_frontend::Switch;
use rustc_hash::FxHashMap;

/// Choice points of a function to which code backtracks directly where it can.
const MAX_DIRECT: usize = 400;

impl Translator<'_, '_> {
    /// Code of backtracking and of all resumptions. Resumptions make no new ones.
    pub(super) fn resume(&mut self) -> Result<(), String> {
        let resumptions = std::mem::take(&mut self.resumptions);
        self.known = Known::default();
        self.builder.switch_to_block(self.backtrack);
        let choices = self.builder.use_var(self.choices);
        let over = self.builder.ins().icmp(IntCC::Equal, choices, self.floor);
        let go_on = self.builder.create_block();
        self.builder.ins().brif(over, self.exhausted, &[], go_on, &[]);
        self.builder.switch_to_block(self.exhausted);
        self.leave(EXHAUSTED);
        self.builder.switch_to_block(go_on);
        let point = self.undone();
        let number = self.builder.ins().uload32(memory(), point, 0);
        let number = self.builder.ins().ireduce(I32, number);
        let mut switch = Switch::new();
        for (at, (.., label)) in resumptions.iter().enumerate() {
            switch.set_entry(at as u128, *label);
        }
        switch.emit(&mut self.builder, number, self.give_up);
        let labels: FxHashMap<Pc, Label> = resumptions.iter().map(|&(pc, _, label)| (pc, label)).collect();
        for (pc, resumption, label) in resumptions {
            self.known = Known::default();
            self.builder.switch_to_block(label);
            let choices = self.builder.use_var(self.choices);
            let point = self.builder.ins().iadd_imm_s(choices, -CHOICE);
            match resumption {
                Resumption::At(pc) => {
                    self.builder.def_var(self.choices, point);
                    let target = self.label(pc)?;
                    self.builder.ins().jump(target, &[]);
                }
                Resumption::Next => self.next(pc, point)?,
            }
        }
        for (pc, target) in std::mem::take(&mut self.skips) {
            self.known = Known::default();
            self.builder.switch_to_block(target);
            self.skip(pc)?;
        }
        for (pc, target) in std::mem::take(&mut self.direct) {
            self.builder.switch_to_block(target);
            self.undone();
            let label = labels.get(&pc).copied().unwrap_or(self.give_up);
            self.builder.ins().jump(label, &[]);
        }
        for ((pc, since), target) in std::mem::take(&mut self.straight) {
            self.builder.switch_to_block(target);
            self.burn();
            self.undo_known(&since)?;
            self.tags_as_before();
            let label = labels.get(&pc).copied().unwrap_or(self.give_up);
            self.builder.ins().jump(label, &[]);
        }
        Ok(())
    }

    /// What the topmost choice point, which is returned, has not seen is undone.
    fn undone(&mut self) -> Value {
        self.burn();
        let choices = self.builder.use_var(self.choices);
        let point = self.builder.ins().iadd_imm_s(choices, -CHOICE);
        let trail = self.builder.ins().load(I64, memory(), point, 8);
        self.undo(trail);
        self.tags_as_before();
        point
    }

    /// Takes tags off that were emitted since the topmost choice point was made.
    fn tags_as_before(&mut self) {
        let choices = self.builder.use_var(self.choices);
        let point = self.builder.ins().iadd_imm_s(choices, -CHOICE);
        let tags = self.builder.ins().load(I64, memory(), point, 16);
        self.builder.def_var(self.tags, tags);
    }

    /// Where to backtrack.
    pub(super) fn failing(&mut self) -> Label {
        if let Some([_, fails]) = self.inlined {
            return fails;
        }
        match self.known.top {
            Some(FLOOR) => self.exhausted,
            Some(pc) if self.known.fresh => *self.skips.entry(pc).or_insert_with(|| self.builder.create_block()),
            Some(pc)
                if let Some(since) = self.known.since()
                    && self.straight.len() < MAX_DIRECT =>
            {
                let since = since.clone();
                *self.straight.entry((pc, since)).or_insert_with(|| self.builder.create_block())
            }
            Some(pc) if self.direct.contains_key(&pc) || self.direct.len() < MAX_DIRECT => {
                *self.direct.entry(pc).or_insert_with(|| self.builder.create_block())
            }
            _ => self.backtrack,
        }
    }

    /// Drops the choice point of an operation, and backtracks to the one below.
    pub(super) fn out_of_values(&mut self, pc: Pc, point: Value) {
        self.builder.def_var(self.choices, point);
        let known = std::mem::take(&mut self.known);
        self.known.top = self.tops.get(&pc).copied();
        let fails = self.failing();
        self.builder.ins().jump(fails, &[]);
        self.known = known;
    }
}
