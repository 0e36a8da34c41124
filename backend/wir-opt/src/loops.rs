//! Loops: those that run once or never, and what does not change in them.

use super::fold::Facts;
use super::gvn::Builder;
use rg_ir::invariant::Invariant;
use rustc_hash::FxHashSet;
use wir::uses::inner;
use wir::{Block, Inst, Op, Reg};

impl Builder<'_> {
    pub(super) fn each(&mut self, set: Reg, item: Reg, carried: &[(Reg, Reg)], body: &Block, to: &[Reg]) {
        let firsts: Vec<Reg> = carried.iter().map(|&(_, first)| self.value_of(first)).collect();
        let params: Vec<Reg> = carried.iter().map(|&(param, _)| param).collect();
        if self.possible(set) == 0 {
            return self.name_all(to, &firsts);
        }
        if let Some(bits) = self.constant(set).filter(|bits| bits.is_power_of_two()) {
            let position = self.put(Op::Const(u64::from(bits.trailing_zeros())));
            self.name(item, position);
            self.name_all(&params, &firsts);
            return self.inline(body, to);
        }
        let outside = self.level();
        let element = self.begin_loop(body, 0x3f);
        self.assume_truth(set);
        self.name(item, element);
        let params = self.carry(&params, &firsts, &body.yields);
        let (body, written, kept) = self.end_loop(body, 0, &params);
        let (carried, to) = self.carried(&params, &kept, &firsts, to);
        if kept.is_empty() && self.emits_set(&body, element, set, outside) {
            return;
        }
        self.forget_all(written);
        self.push(Inst::Each { set, item: element, carried, body, to });
    }

    pub(super) fn turns(&mut self, carried: &[(Reg, Reg)], body: &Block, to: &[Reg]) {
        let firsts: Vec<Reg> = carried.iter().map(|&(_, first)| self.value_of(first)).collect();
        let params: Vec<Reg> = carried.iter().map(|&(param, _)| param).collect();
        let on = body.yields.first().copied().invariant_or(0, "a loop yields whether it goes on");
        let once = body.insts.iter().any(|inst| matches!(inst, Inst::Let { to, op: Op::Const(0) } if *to == on));
        if once {
            self.name_all(&params, &firsts);
            self.insts(&body.insts);
            let values = self.values_of(body.yields.get(1..).unwrap_or_default());
            return self.name_all(to, &values);
        }
        self.begin_loop(body, 0);
        let params = self.carry(&params, &firsts, body.yields.get(1..).unwrap_or_default());
        let (body, written, kept) = self.end_loop(body, 1, &params);
        self.forget_all(written);
        let (carried, to) = self.carried(&params, &kept, &firsts, to);
        self.push(Inst::Loop { carried, body, to });
    }

    /// Enters the body of a loop; returns a register for the element.
    fn begin_loop(&mut self, body: &Block, bits: u64) -> Reg {
        let mut written = FxHashSet::default();
        words_written(body, &mut written);
        let words: Vec<u32> = written.iter().copied().collect();
        self.enter(Some(written));
        self.forget_all(words);
        self.fresh(None, bits)
    }

    /// Registers for the parameters; the first value for one that never changes.
    fn carry(&mut self, params: &[Reg], firsts: &[Reg], yields: &[Reg]) -> Vec<Option<Reg>> {
        let mut new = Vec::new();
        for ((&param, &first), &next) in params.iter().zip(firsts).zip(yields) {
            let changes = param != next && self.named(next) != Some(first);
            let value = changes.then(|| self.fresh(None, u64::MAX));
            self.name(param, value.unwrap_or(first));
            new.push(value);
        }
        new
    }

    /// Writes the body and leaves it. Returns it, the words written, and which carried values are left.
    fn end_loop(&mut self, body: &Block, extra: usize, params: &[Option<Reg>]) -> (Block, Vec<u32>, Vec<usize>) {
        self.insts(&body.insts);
        let all = self.values_of(&body.yields);
        let (before, next) = all.split_at_checked(extra).unwrap_or((&all, &[]));
        let kept: Vec<usize> = params.iter().enumerate().filter_map(|(index, p)| p.map(|_| index)).collect();
        let mut yields = before.to_vec();
        yields.extend(kept.iter().filter_map(|&index| next.get(index)));
        let open = self.leave();
        let written = open.written.iter().map(|&(word, _)| word).collect();
        (Block { insts: open.insts, yields }, written, kept)
    }

    /// Carried values with their first values, and the results of a loop.
    fn carried(
        &mut self,
        params: &[Option<Reg>],
        kept: &[usize],
        firsts: &[Reg],
        to: &[Reg],
    ) -> (Vec<(Reg, Reg)>, Vec<Reg>) {
        self.name_all(to, firsts);
        let mut carried = Vec::new();
        let mut results = Vec::new();
        for &index in kept {
            if let (Some(&Some(param)), Some(&first), Some(&old)) =
                (params.get(index), firsts.get(index), to.get(index))
            {
                carried.push((param, first));
                let result = self.fresh(None, u64::MAX);
                self.name(old, result);
                results.push(result);
            }
        }
        (carried, results)
    }
}

/// The words that a block may write.
fn words_written(block: &Block, words: &mut FxHashSet<u32>) {
    for inst in &block.insts {
        if let Inst::Store { word, .. } = inst {
            words.insert(*word);
        }
        inner(inst).for_each(|block| words_written(block, words));
    }
}
