//! Takes away what nobody needs, and numbers registers in the order of their definitions.

use rg_ir::invariant::{Invariant, put};
use wir::effects::Effects;
use wir::{Block, Function, Inst, Reg};

/// The function without dead code.
pub(super) fn sweep(function: &Function) -> Function {
    swept(function, false).0
}

/// The function without dead code and without parameters that nobody needs, and which ones are left.
pub(super) fn sweep_parameters(function: &Function) -> (Function, Vec<bool>) {
    swept(function, true)
}

fn swept(function: &Function, parameters: bool) -> (Function, Vec<bool>) {
    let count = function.registers as usize;
    let mut marks = Marks {
        newest: vec![NONE; count],
        sources: Vec::new(),
        needed: vec![false; count],
        work: Vec::new(),
        calls_act: Effects::of(&function.body).memory,
    };
    marks.block(&function.body, &mut Vec::new());
    marks.need_all(&function.body.yields);
    marks.spread();
    let mut sweeper = Sweeper { needed: marks.needed, names: vec![Reg::MAX; count], next: 0 };
    let left: Vec<bool> = (0..function.params).map(|param| !parameters || sweeper.needs(param)).collect();
    for (param, _) in (0..function.params).zip(&left).filter(|(_, left)| **left) {
        sweeper.define(param);
    }
    let params = sweeper.next;
    let keep = vec![true; function.body.yields.len()];
    let body = sweeper.block(&function.body, &keep);
    (Function { name: function.name.clone(), params, registers: sweeper.next, body }, left)
}

/// The end of a list.
const NONE: u32 = u32::MAX;

struct Marks {
    /// By register: where the list begins of those that it is made from, with those that decide.
    newest: Vec<u32>,
    /// All lists: a register, and where its list goes on.
    sources: Vec<(Reg, u32)>,
    needed: Vec<bool>,
    work: Vec<Reg>,
    /// Whether calls have effects: what is called works on scratch memory, too.
    calls_act: bool,
}

impl Marks {
    fn need(&mut self, register: Reg) {
        if let Some(needed) = self.needed.get_mut(register as usize).filter(|needed| !**needed) {
            *needed = true;
            self.work.push(register);
        }
    }

    fn need_all(&mut self, registers: &[Reg]) {
        registers.iter().for_each(|&register| self.need(register));
    }

    fn spread(&mut self) {
        while let Some(register) = self.work.pop() {
            let mut at = self.newest.get(register as usize).copied().unwrap_or(NONE);
            while let Some(&(source, next)) = self.sources.get(at as usize) {
                self.need(source);
                at = next;
            }
        }
    }

    fn source(&mut self, of: Reg, sources: impl IntoIterator<Item = Reg>) {
        let Some(newest) = self.newest.get_mut(of as usize) else { return };
        for source in sources {
            self.sources.push((source, *newest));
            *newest = self.sources.len() as u32 - 1;
        }
    }

    /// Notes what depends on what; `around` are the registers that decide whether the block runs. Returns whether it has
    /// effects.
    fn block(&mut self, block: &Block, around: &mut Vec<Reg>) -> bool {
        let mut effects = false;
        for inst in &block.insts {
            effects |= self.inst(inst, around);
        }
        effects
    }

    fn inst(&mut self, inst: &Inst, around: &mut Vec<Reg>) -> bool {
        match inst {
            Inst::Let { to, op } => {
                self.source(*to, op.reads());
                return false;
            }
            Inst::Call { args, to, .. } => {
                self.source(*to, args.iter().copied());
                if !self.calls_act {
                    return false;
                }
                self.need(*to);
            }
            Inst::Store { value, .. } => self.need(*value),
            Inst::Peek { at, .. } => self.need(*at),
            Inst::Poke { at, value } => self.need_all(&[*at, *value]),
            Inst::Emit { base: value } | Inst::SideExit { cond: value } => self.need(*value),
            Inst::EmitSet { base, set, .. } => self.need_all(&[*base, *set]),
            Inst::If { cond, then, other, to } => return self.choice(*cond, &[then, other], to, around),
            Inst::Switch { on, cases, to } => {
                let cases: Vec<&Block> = cases.iter().collect();
                return self.choice(*on, &cases, to, around);
            }
            Inst::Each { set, item, carried, body, to } => {
                self.source(*item, [*set]);
                return self.repeated(*set, carried, body, &body.yields, to, around);
            }
            Inst::Loop { carried, body, to } => {
                let Some((&on, yields)) = body.yields.split_first() else { return false };
                return self.repeated(on, carried, body, yields, to, around);
            }
        }
        // An effect: whatever decides about it is needed.
        while let Some(register) = around.pop() {
            self.need(register);
        }
        true
    }

    fn choice(&mut self, on: Reg, blocks: &[&Block], to: &[Reg], around: &mut Vec<Reg>) -> bool {
        let mut effects = false;
        for block in blocks {
            around.push(on);
            let inside = self.block(block, around);
            if !inside {
                around.pop();
            }
            effects |= inside;
            for (&to, &from) in to.iter().zip(&block.yields) {
                self.source(to, [from, on]);
            }
        }
        effects
    }

    fn repeated(
        &mut self,
        on: Reg,
        carried: &[(Reg, Reg)],
        body: &Block,
        yields: &[Reg],
        to: &[Reg],
        around: &mut Vec<Reg>,
    ) -> bool {
        around.push(on);
        let effects = self.block(body, around);
        if !effects {
            around.pop();
        }
        for ((&(param, first), &next), &to) in carried.iter().zip(yields).zip(to) {
            self.source(param, [first, next, on]);
            self.source(to, [first, next, on]);
        }
        effects
    }
}

struct Sweeper {
    needed: Vec<bool>,
    names: Vec<Reg>,
    next: Reg,
}

impl Sweeper {
    fn needs(&self, register: Reg) -> bool {
        self.needed.get(register as usize).copied().unwrap_or(true)
    }

    fn define(&mut self, register: Reg) -> Reg {
        let new = self.next;
        self.next += 1;
        put(&mut self.names, register as usize, new, "registers are below their number");
        new
    }

    fn name(&self, register: Reg) -> Reg {
        let name = self.names.get(register as usize).copied().filter(|&name| name != Reg::MAX);
        name.invariant_or(Reg::MAX, "registers are defined before they are read")
    }

    fn define_kept(&mut self, registers: &[Reg], keep: &[bool]) -> Vec<Reg> {
        let kept = registers.iter().zip(keep).filter(|&(_, &keep)| keep);
        kept.map(|(&register, _)| self.define(register)).collect()
    }

    fn block(&mut self, block: &Block, keep: &[bool]) -> Block {
        let mut insts = Vec::with_capacity(block.insts.len());
        insts.extend(block.insts.iter().filter_map(|inst| self.inst(inst)));
        let kept = block.yields.iter().zip(keep).filter(|&(_, &keep)| keep);
        Block { insts, yields: kept.map(|(&register, _)| self.name(register)).collect() }
    }

    fn inst(&mut self, inst: &Inst) -> Option<Inst> {
        Some(match inst {
            Inst::Let { to, op } => {
                if !self.needs(*to) {
                    return None;
                }
                let op = op.map_reads(|register| self.name(register));
                Inst::Let { to: self.define(*to), op }
            }
            Inst::Call { function, args, to } => {
                if !self.needs(*to) {
                    return None;
                }
                let args = args.iter().map(|&arg| self.name(arg)).collect();
                Inst::Call { function: *function, args, to: self.define(*to) }
            }
            Inst::Store { word, value } => Inst::Store { word: *word, value: self.name(*value) },
            Inst::Peek { to, at } => {
                let at = self.name(*at);
                Inst::Peek { to: self.define(*to), at }
            }
            Inst::Poke { at, value } => Inst::Poke { at: self.name(*at), value: self.name(*value) },
            Inst::Emit { base } => Inst::Emit { base: self.name(*base) },
            Inst::SideExit { cond } => Inst::SideExit { cond: self.name(*cond) },
            Inst::EmitSet { base, set, shift } => {
                Inst::EmitSet { base: self.name(*base), set: self.name(*set), shift: *shift }
            }
            Inst::If { cond, then, other, to } => {
                let keep: Vec<bool> = to.iter().map(|&register| self.needs(register)).collect();
                let (then, other) = (self.block(then, &keep), self.block(other, &keep));
                if then.insts.is_empty() && other.insts.is_empty() && !keep.contains(&true) {
                    return None;
                }
                Inst::If { cond: self.name(*cond), then, other, to: self.define_kept(to, &keep) }
            }
            Inst::Switch { on, cases, to } => {
                let keep: Vec<bool> = to.iter().map(|&register| self.needs(register)).collect();
                let cases: Vec<Block> = cases.iter().map(|case| self.block(case, &keep)).collect();
                if cases.iter().all(|case| case.insts.is_empty()) && !keep.contains(&true) {
                    return None;
                }
                Inst::Switch { on: self.name(*on), cases, to: self.define_kept(to, &keep) }
            }
            Inst::Each { set, item, carried, body, to } => {
                let keep = self.carried_kept(carried, to);
                let firsts = self.firsts(carried, &keep);
                let item = self.define(*item);
                let params = self.params(carried, &keep);
                let body = self.block(body, &keep);
                if body.insts.is_empty() && params.is_empty() {
                    return None;
                }
                let set = self.name(*set);
                let carried = params.into_iter().zip(firsts).collect();
                Inst::Each { set, item, carried, body, to: self.define_kept(to, &keep) }
            }
            Inst::Loop { carried, body, to } => {
                let keep = self.carried_kept(carried, to);
                let firsts = self.firsts(carried, &keep);
                let on = body.yields.first().copied()?;
                if !self.needs(on) {
                    return None;
                }
                let params = self.params(carried, &keep);
                let kept: Vec<bool> = [true].into_iter().chain(keep.iter().copied()).collect();
                let body = self.block(body, &kept);
                // What it goes on with may be needed elsewhere, but not what is around a loop that does nothing.
                if body.insts.is_empty() && params.is_empty() {
                    return None;
                }
                let carried = params.into_iter().zip(firsts).collect();
                Inst::Loop { carried, body, to: self.define_kept(to, &keep) }
            }
        })
    }

    fn carried_kept(&self, carried: &[(Reg, Reg)], to: &[Reg]) -> Vec<bool> {
        carried.iter().zip(to).map(|(&(param, _), &to)| self.needs(param) || self.needs(to)).collect()
    }

    fn firsts(&self, carried: &[(Reg, Reg)], keep: &[bool]) -> Vec<Reg> {
        let kept = carried.iter().zip(keep).filter(|&(_, &keep)| keep);
        kept.map(|(&(_, first), _)| self.name(first)).collect()
    }

    fn params(&mut self, carried: &[(Reg, Reg)], keep: &[bool]) -> Vec<Reg> {
        let params: Vec<Reg> = carried.iter().map(|&(param, _)| param).collect();
        self.define_kept(&params, keep)
    }
}
