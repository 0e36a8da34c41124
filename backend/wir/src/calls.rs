//! Calls of one function by another.

use super::effects::Effects;
use super::uses::inner;
use super::{Block, FnId, Function, Inst, Op, Program, Reg};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The functions that a block calls itself, with all that it contains.
#[must_use]
pub fn called(block: &Block) -> BTreeSet<FnId> {
    let mut found = BTreeSet::new();
    each(block, |inst| {
        if let Inst::Call { function, .. } = inst {
            found.insert(*function);
        }
    });
    found
}

/// Looks at all instructions of a block, with all that it contains, in no particular order.
fn each<'b>(block: &'b Block, mut look: impl FnMut(&'b Inst)) {
    let mut left = vec![block];
    while let Some(block) = left.pop() {
        for inst in &block.insts {
            look(inst);
            left.extend(inner(inst));
        }
    }
}

/// Most rounds of loops of a function that is called: nobody counts them.
pub const MAX_CALLED_ROUNDS: u64 = 1 << 24;

/// By function: how many rounds its loops have at most, those of the functions that it calls included; `u64::MAX` for those
/// that may never end. Linear.
#[must_use]
pub fn rounds(program: &Program) -> Vec<u64> {
    let mut known: Vec<u64> = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        let rounds = rounds_of(&function.body, |callee| known.get(callee as usize).copied());
        known.push(rounds);
    }
    known
}

/// As [`rounds`] for the body of one function, given those of the functions that it calls.
pub fn rounds_of(body: &Block, known: impl Fn(FnId) -> Option<u64>) -> u64 {
    count_rounds(body, &known, &mut FxHashMap::default())
}

fn count_rounds(block: &Block, known: &impl Fn(FnId) -> Option<u64>, constants: &mut FxHashMap<Reg, u64>) -> u64 {
    let mut sum: u64 = 0;
    for inst in &block.insts {
        let rounds = match inst {
            Inst::Let { to, op: Op::Const(value) } => {
                constants.insert(*to, *value);
                0
            }
            // Procedures, which may come later, see to their own end.
            Inst::Call { function, .. } => known(*function).unwrap_or_default(),
            Inst::If { then, other, .. } => {
                let then = count_rounds(then, known, constants);
                then.max(count_rounds(other, known, constants))
            }
            Inst::Switch { cases, .. } => {
                cases.iter().map(|case| count_rounds(case, known, constants)).max().unwrap_or_default()
            }
            Inst::Each { set, body, .. } => {
                let most = constants.get(set).map_or(64, |set| u64::from(set.count_ones()));
                count_rounds(body, known, constants).saturating_add(1).saturating_mul(most)
            }
            Inst::Loop { .. } => u64::MAX,
            _ => 0,
        };
        sum = sum.saturating_add(rounds);
    }
    sum
}

/// By function: how many instructions it has, and those in the place of its calls if there were none. Linear.
#[must_use]
pub fn sizes(program: &Program) -> Vec<u64> {
    let mut known: Vec<u64> = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        let mut sum = 0u64;
        each(&function.body, |inst| {
            let called = match inst {
                Inst::Call { function, .. } => known.get(*function as usize).copied().unwrap_or_default(),
                _ => 0,
            };
            sum = sum.saturating_add(called).saturating_add(1);
        });
        known.push(sum);
    }
    known
}

/// The program without calls, but for those in functions that work on scratch memory: the code of the functions takes their place. Functions keep their numbers. Linear in the
/// result; a program without calls is not copied.
///
/// # Errors
/// If it would have more than `most` registers in all.
pub fn inlined(program: &Program, most: u64) -> Result<Cow<'_, Program>, String> {
    if program.functions.iter().all(|function| called(&function.body).is_empty()) {
        return Ok(Cow::Borrowed(program));
    }
    let mut plain = Program { functions: Vec::new(), ..program.clone() };
    let mut total = 0;
    for function in &program.functions {
        // Procedures call each other in circles.
        if Effects::of(&function.body).memory {
            plain.functions.push(function.clone());
            continue;
        }
        let mut inliner = Inliner { plain: &plain.functions, next: 0, most };
        let mut names = vec![0; function.registers as usize];
        let params: Vec<Reg> = (0..function.params).collect();
        for &param in &params {
            inliner.define(param, &mut names);
        }
        let body = inliner.block(&function.body, &mut names)?;
        let registers = inliner.next;
        total += u64::from(registers);
        if total > most {
            return Err(format!("the generated code would be too large (over {most} registers after inlining)"));
        }
        plain.functions.push(Function { name: function.name.clone(), params: function.params, registers, body });
    }
    Ok(Cow::Owned(plain))
}

struct Inliner<'a> {
    /// The functions before this one, without calls.
    plain: &'a [Function],
    next: Reg,
    most: u64,
}

impl Inliner<'_> {
    fn define(&mut self, old: Reg, names: &mut [Reg]) -> Reg {
        let new = self.next;
        self.next += 1;
        if let Some(name) = names.get_mut(old as usize) {
            *name = new;
        }
        new
    }

    fn define_all(&mut self, old: &[Reg], names: &mut [Reg]) -> Vec<Reg> {
        old.iter().map(|&old| self.define(old, names)).collect()
    }

    fn block(&mut self, block: &Block, names: &mut Vec<Reg>) -> Result<Block, String> {
        let mut insts = Vec::with_capacity(block.insts.len());
        self.insts(&block.insts, names, &mut insts)?;
        Ok(Block { insts, yields: block.yields.iter().map(|&register| name(names, register)).collect() })
    }

    fn insts(&mut self, insts: &[Inst], names: &mut Vec<Reg>, out: &mut Vec<Inst>) -> Result<(), String> {
        for inst in insts {
            if u64::from(self.next) > self.most {
                return Err(format!(
                    "the generated code would be too large (over {} registers after inlining)",
                    self.most
                ));
            }
            let of = |names: &[Reg], register: &Reg| name(names, *register);
            let inst = match inst {
                Inst::Call { function, args, to } => {
                    let plain = self.plain;
                    let Some(callee) = plain.get(*function as usize) else {
                        return Err(format!("there is no function {function} before this one"));
                    };
                    let mut inside = vec![0; callee.registers as usize];
                    for (slot, arg) in inside.iter_mut().zip(args) {
                        *slot = of(names, arg);
                    }
                    self.insts(&callee.body.insts, &mut inside, out)?;
                    let result = callee.body.yields.first().map_or(0, |result| of(&inside, result));
                    if let Some(slot) = names.get_mut(*to as usize) {
                        *slot = result;
                    }
                    continue;
                }
                Inst::Let { to, op } => {
                    let op = op.map_reads(|register| name(names, register));
                    Inst::Let { to: self.define(*to, names), op }
                }
                Inst::Store { word, value } => Inst::Store { word: *word, value: of(names, value) },
                Inst::Peek { to, at } => {
                    let at = of(names, at);
                    Inst::Peek { to: self.define(*to, names), at }
                }
                Inst::Poke { at, value } => Inst::Poke { at: of(names, at), value: of(names, value) },
                Inst::Emit { base } => Inst::Emit { base: of(names, base) },
                Inst::SideExit { cond } => Inst::SideExit { cond: of(names, cond) },
                Inst::EmitSet { base, set, shift } => {
                    Inst::EmitSet { base: of(names, base), set: of(names, set), shift: *shift }
                }
                Inst::If { cond, then, other, to } => {
                    let cond = of(names, cond);
                    let (then, other) = (self.block(then, names)?, self.block(other, names)?);
                    Inst::If { cond, then, other, to: self.define_all(to, names) }
                }
                Inst::Switch { on, cases, to } => {
                    let on = of(names, on);
                    let cases = cases.iter().map(|case| self.block(case, names)).collect::<Result<_, _>>()?;
                    Inst::Switch { on, cases, to: self.define_all(to, names) }
                }
                Inst::Each { set, item, carried, body, to } => {
                    let set = of(names, set);
                    let firsts: Vec<Reg> = carried.iter().map(|(_, first)| of(names, first)).collect();
                    let item = self.define(*item, names);
                    let params: Vec<Reg> = carried.iter().map(|&(param, _)| self.define(param, names)).collect();
                    let body = self.block(body, names)?;
                    let carried = params.into_iter().zip(firsts).collect();
                    Inst::Each { set, item, carried, body, to: self.define_all(to, names) }
                }
                Inst::Loop { carried, body, to } => {
                    let firsts: Vec<Reg> = carried.iter().map(|(_, first)| of(names, first)).collect();
                    let params: Vec<Reg> = carried.iter().map(|&(param, _)| self.define(param, names)).collect();
                    let body = self.block(body, names)?;
                    let carried = params.into_iter().zip(firsts).collect();
                    Inst::Loop { carried, body, to: self.define_all(to, names) }
                }
            };
            out.push(inst);
        }
        Ok(())
    }
}

fn name(names: &[Reg], register: Reg) -> Reg {
    names.get(register as usize).copied().unwrap_or(0)
}
