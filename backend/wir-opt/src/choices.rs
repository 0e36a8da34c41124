//! Blocks of which one runs.

use super::fold::{Facts, Rule, rule};
use super::gvn::Builder;
use rg_ir::invariant::Invariant;
use wir::{Block, Inst, Op, Reg};

/// Choices between so few operations are made by computing all of them.
const FEW: usize = 2;

impl Builder<'_> {
    /// A block that may run; with the words that it writes, and what it yields apart from what is only known in it.
    fn arm(&mut self, block: &Block, assume: impl FnOnce(&mut Self)) -> (Block, Vec<u32>, Vec<Reg>) {
        self.enter(None);
        assume(self);
        self.insts(&block.insts);
        let yields = block.yields.iter().map(|&old| self.value_here(old)).collect();
        let open = self.leave();
        let written = open.written.iter().map(|&(word, _)| word).collect();
        (Block { insts: open.insts, yields }, written, self.values_of(&block.yields))
    }

    /// The new register of an old one, or a number that it has in the current block only.
    fn value_here(&mut self, old: Reg) -> Reg {
        let value = self.value_of(old);
        let op = self.definition(value);
        if matches!(op, Some(Op::Const(_))) {
            return value;
        }
        let truth = |op| match rule(self, op) {
            Some(Rule::Constant(number)) => Some(number),
            _ => op.evaluate(&self.program.tables, |read| self.constant(read)),
        };
        let number = self.constant(value).or_else(|| truth(op?));
        number.map_or(value, |number| self.put(Op::Const(number)))
    }

    pub(super) fn choose(&mut self, cond: Reg, then: &Block, other: &Block, to: &[Reg]) {
        let truth = |this: &mut Self| {
            if this.possible(cond) == 1 { this.assume(cond, 1) } else { this.assume_truth(cond) }
        };
        let (mut then, mut written, yes) = self.arm(then, truth);
        let (mut other, also, no) = self.arm(other, |this| this.assume(cond, 0));
        written.extend(also);
        // What is the same in both arms needs no choice, whatever it is known to be in one of them.
        for (index, (&yes, _)) in yes.iter().zip(&no).enumerate().filter(|(_, (yes, no))| yes == no) {
            for arm in [&mut then, &mut other] {
                arm.yields.get_mut(index).into_iter().for_each(|yielded| *yielded = yes);
            }
        }
        let pure = |block: &Block| block.insts.iter().all(|inst| matches!(inst, Inst::Let { .. }));
        if pure(&then) && pure(&other) && then.insts.len() + other.insts.len() <= FEW {
            for inst in then.insts.into_iter().chain(other.insts) {
                self.adopt(inst);
            }
            let pairs = then.yields.into_iter().zip(other.yields);
            let values: Vec<Reg> = pairs.map(|(yes, no)| self.put(Op::Select(cond, yes, no))).collect();
            return self.name_all(to, &values);
        }
        let mut arms = vec![then, other];
        let others = self.truths_of(cond, &mut arms, to);
        let results = self.results(&mut arms, &others);
        self.forget_all(written);
        let (Some(other), Some(then)) = (arms.pop(), arms.pop()) else { return };
        self.push(Inst::If { cond, then, other, to: results });
    }

    /// Results that are 1 in one case and 0 in the other are what decides, and no results any more; the others are returned.
    fn truths_of(&mut self, cond: Reg, arms: &mut [Block], to: &[Reg]) -> Vec<Reg> {
        let truth = |this: &Self, index: usize| {
            let mut numbers =
                arms.iter().map(|arm| arm.yields.get(index).and_then(|&register| this.constant(register)));
            match (numbers.next()??, numbers.next()??) {
                (1, 0) => Some(true),
                (0, 1) => Some(false),
                _ => None,
            }
        };
        let truths: Vec<Option<bool>> = (0..to.len()).map(|index| truth(self, index)).collect();
        for (&old, truth) in to.iter().zip(&truths) {
            let Some(truth) = *truth else { continue };
            let zero = self.put(Op::Const(0));
            let value = self.put(if truth { Op::Ne(cond, zero) } else { Op::Eq(cond, zero) });
            self.name(old, value);
        }
        for arm in arms {
            let mut kept = truths.iter();
            arm.yields.retain(|_| kept.next() == Some(&None));
        }
        to.iter().zip(truths).filter(|(_, truth)| truth.is_none()).map(|(&old, _)| old).collect()
    }

    /// Takes an operation over from a block that has ended.
    fn adopt(&mut self, inst: Inst) {
        let level = self.level();
        if let Inst::Let { to, .. } = inst
            && let Some(value) = self.values.get_mut(to as usize)
        {
            value.level = level;
        }
        self.push(inst);
    }

    /// Results of a choice; those that are the same in all cases are no results any more.
    fn results(&mut self, arms: &mut [Block], to: &[Reg]) -> Vec<Reg> {
        let mut results = Vec::new();
        let mut keep = Vec::new();
        for (index, &old) in to.iter().enumerate() {
            let yields: Vec<Reg> = arms.iter().filter_map(|arm| arm.yields.get(index).copied()).collect();
            let first = yields.first().copied().invariant_or(0, "every arm yields every result");
            let constant = self.constant(first);
            let same = yields.iter().all(|&register| register == first);
            let equal = constant.is_some() && yields.iter().all(|&register| self.constant(register) == constant);
            keep.push(!same && !equal);
            let new = match constant {
                _ if same => first,
                Some(number) if equal => self.put(Op::Const(number)),
                _ => {
                    let bits = yields.iter().fold(0, |all, &register| all | self.possible(register));
                    let result = self.fresh(None, bits);
                    self.note_result(result, &yields);
                    results.push(result);
                    result
                }
            };
            self.name(old, new);
        }
        for arm in arms {
            let kept = arm.yields.iter().zip(&keep).filter(|&(_, &keep)| keep);
            arm.yields = kept.map(|(&register, _)| register).collect();
        }
        results
    }

    pub(super) fn switch(&mut self, on: Reg, cases: &[Block], to: &[Reg]) {
        let on = self.value_of(on);
        let last = cases.len().saturating_sub(1);
        let certain = self.constant(on).map(|on| usize::try_from(on).unwrap_or(last).min(last));
        // No case beyond the largest possible number runs.
        let reachable = usize::try_from(self.possible(on)).unwrap_or(last).min(last);
        let cases = cases.get(..=reachable).unwrap_or(cases);
        match (certain.and_then(|case| cases.get(case)), cases) {
            (Some(case), _) | (None, [case]) => self.inline(case, to),
            (None, [zero, one]) => self.choose(on, one, zero, to),
            (None, _) => {
                let mut written = Vec::new();
                let mut arms = Vec::new();
                for (number, case) in cases.iter().enumerate() {
                    let (arm, words, _) = self.arm(case, |this| match number {
                        number if number < reachable => this.assume(on, number as u64),
                        _ => this.assume_truth(on),
                    });
                    arms.push(arm);
                    written.extend(words);
                }
                let to = self.results(&mut arms, to);
                self.forget_all(written);
                self.push(Inst::Switch { on, cases: arms, to });
            }
        }
    }
}
