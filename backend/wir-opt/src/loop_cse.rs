//! Loops that would do again what an earlier one has done.
//!
//! Two loops with the same code for the same values have the same results: the second one goes. If some of the values are
//! others, but only perhaps, such as a board after a capture that may not have happened, it is asked whether they are: the
//! comparison of a few words takes the place of many rounds. This is only done where all of them come from those of the
//! earlier loop by choices, so that there is a way on which they are the same.

use rustc_hash::{FxHashMap, FxHashSet};
use wir::effects::Effects;
use wir::uses::{inner, inner_mut, rename, results, size};
use wir::{Block, Function, Inst, Op, Reg};

/// Fewest instructions of a loop that is compared with others.
const WORTH: usize = 40;
/// Most values that are compared.
const MAX_COMPARED: usize = 24;
/// Most earlier loops that are looked at.
const MAX_EARLIER: usize = 64;
/// Most choices that are followed from a value to where it comes from.
const MAX_FOLLOWED: usize = 64;

/// Values of an earlier loop, and those that a later one has in their places.
type Pairs = Vec<(Reg, Reg)>;

/// Lets loops share their results.
pub(super) fn share(function: &Function) -> Function {
    let mut origins = Origins::default();
    origins.note(&function.body);
    let mut function = function.clone();
    let mut pass = LoopCse { origins, registers: function.registers, earlier: Vec::new() };
    pass.block(&mut function.body);
    function.registers = pass.registers;
    function
}

/// Where values come from.
#[derive(Default)]
struct Origins {
    constants: FxHashMap<Reg, u64>,
    /// What a value is one of.
    choices: FxHashMap<Reg, Vec<Reg>>,
}

impl Origins {
    fn note(&mut self, block: &Block) {
        for inst in &block.insts {
            match inst {
                Inst::Let { to, op: Op::Const(number) } => drop(self.constants.insert(*to, *number)),
                Inst::Let { to, op: Op::Select(_, yes, no) } => drop(self.choices.insert(*to, vec![*yes, *no])),
                Inst::If { then, other, to, .. } => {
                    for (&to, (&yes, &no)) in to.iter().zip(then.yields.iter().zip(&other.yields)) {
                        self.choices.insert(to, vec![yes, no]);
                    }
                }
                _ => {}
            }
            inner(inst).for_each(|block| self.note(block));
        }
    }

    /// Whether a value may be that of another register, by choices alone.
    fn comes_from(&self, value: Reg, source: Reg) -> bool {
        let (mut left, mut seen) = (vec![value], FxHashSet::default());
        while let Some(register) = left.pop() {
            if register == source {
                return true;
            }
            if seen.len() < MAX_FOLLOWED && seen.insert(register) {
                left.extend(self.choices.get(&register).into_iter().flatten());
            }
        }
        false
    }
}

/// A loop whose results are known where the pass is.
struct Earlier {
    carried: Vec<(Reg, Reg)>,
    body: Block,
    to: Vec<Reg>,
}

struct LoopCse {
    origins: Origins,
    registers: Reg,
    earlier: Vec<Earlier>,
}

impl LoopCse {
    fn fresh(&mut self) -> Reg {
        self.registers += 1;
        self.registers - 1
    }

    fn block(&mut self, block: &mut Block) {
        let known = self.earlier.len();
        let mut names: FxHashMap<Reg, Reg> = FxHashMap::default();
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in block.insts.drain(..) {
            if !names.is_empty() {
                rename(&mut inst, &names);
            }
            // What is already asked for is not asked for again.
            let compared = match &inst {
                Inst::If { other, .. } if other.insts.is_empty() && !other.yields.is_empty() => {
                    let is_it = |loop_: &Earlier| other.yields.iter().all(|to| loop_.to.contains(to));
                    self.earlier.iter().any(is_it)
                }
                _ => false,
            };
            if !compared {
                inner_mut(&mut inst).for_each(|block| self.block(block));
            }
            let Inst::Loop { carried, body, to } = &inst else {
                insts.push(inst);
                continue;
            };
            if size(body) < WORTH || !only_computes(body) {
                insts.push(inst);
                continue;
            }
            let now = Earlier { carried: carried.clone(), body: body.clone(), to: to.clone() };
            match self.match_of(&now) {
                Some((results, different)) if different.is_empty() => {
                    names.extend(now.to.iter().copied().zip(results));
                    continue;
                }
                Some((results, different)) => self.ask(&now, results, &different, &mut insts),
                None => insts.push(inst),
            }
            self.earlier.push(now);
        }
        block.insts = insts;
        if !names.is_empty() {
            block.yields.iter_mut().for_each(|register| *register = names.get(register).copied().unwrap_or(*register));
        }
        self.earlier.truncate(known);
    }

    /// The results of an earlier loop with the same code, and the values that may be others.
    fn match_of(&self, now: &Earlier) -> Option<(Vec<Reg>, Pairs)> {
        self.earlier.iter().rev().take(MAX_EARLIER).find_map(|earlier| {
            let different = self.same_code(earlier, now)?;
            let related = different.iter().all(|&(old, new)| self.origins.comes_from(new, old));
            let few = different.len() <= MAX_COMPARED && 4 * different.len() < size(&now.body);
            (related && few).then(|| (earlier.to.clone(), different))
        })
    }

    /// Values from outside that take each other's place in two loops that are the same otherwise.
    fn same_code(&self, earlier: &Earlier, now: &Earlier) -> Option<Pairs> {
        if earlier.carried.len() != now.carried.len() || earlier.to.len() != now.to.len() {
            return None;
        }
        let mut same = Same {
            origins: &self.origins,
            inside: FxHashMap::default(),
            defined: FxHashSet::default(),
            outside: FxHashMap::default(),
        };
        same.loops(&earlier.carried, &now.carried, &earlier.body, &now.body)?;
        let mut different: Pairs =
            same.outside.into_iter().map(|(new, old)| (old, new)).filter(|(old, new)| old != new).collect();
        different.sort_unstable();
        Some(different)
    }

    /// The loop only if any of the values is another.
    fn ask(&mut self, now: &Earlier, results: Vec<Reg>, different: &[(Reg, Reg)], insts: &mut Vec<Inst>) {
        let mut changed = None;
        for &(old, new) in different {
            let one = self.fresh();
            insts.push(Inst::Let { to: one, op: Op::Xor(old, new) });
            changed = Some(match changed {
                None => one,
                Some(before) => {
                    let all = self.fresh();
                    insts.push(Inst::Let { to: all, op: Op::Or(before, one) });
                    all
                }
            });
        }
        let Some(cond) = changed else { return };
        let to: Vec<Reg> = now.to.iter().map(|_| self.fresh()).collect();
        let turns = Inst::Loop { carried: now.carried.clone(), body: now.body.clone(), to: to.clone() };
        insts.push(Inst::If {
            cond,
            then: Block { insts: vec![turns], yields: to },
            other: Block { insts: Vec::new(), yields: results },
            to: now.to.clone(),
        });
    }
}

/// Whether code neither reads the state nor does anything but computing.
fn only_computes(block: &Block) -> bool {
    let effects = Effects::of(block);
    !(effects.loads || effects.stores || effects.emits || effects.side_exits)
}

/// Two pieces of code that are compared: which registers of the second one stand for which of the first.
struct Same<'o> {
    origins: &'o Origins,
    inside: FxHashMap<Reg, Reg>,
    /// What is defined inside of the first one.
    defined: FxHashSet<Reg>,
    outside: FxHashMap<Reg, Reg>,
}

impl Same<'_> {
    fn define(&mut self, old: Reg, new: Reg) {
        self.inside.insert(new, old);
        self.defined.insert(old);
    }

    /// Whether a register may stand for another.
    fn may(&self, old: Reg, new: Reg) -> bool {
        if let Some(&known) = self.inside.get(&new) {
            return known == old;
        }
        if self.defined.contains(&old) {
            return false;
        }
        if let (Some(a), Some(b)) = (self.origins.constants.get(&old), self.origins.constants.get(&new)) {
            return a == b;
        }
        self.outside.get(&new).is_none_or(|&known| known == old)
    }

    fn read(&mut self, old: Reg, new: Reg) -> Option<()> {
        if !self.may(old, new) {
            return None;
        }
        // Of constants nothing is to be compared any more, and what one stands for elsewhere has to be.
        let number = |register| self.origins.constants.contains_key(&register);
        if !(self.inside.contains_key(&new) || number(old) && number(new)) {
            self.outside.insert(new, old);
        }
        Some(())
    }

    fn all(&mut self, old: &[Reg], new: &[Reg]) -> Option<()> {
        if old.len() != new.len() {
            return None;
        }
        old.iter().zip(new).try_for_each(|(&old, &new)| self.read(old, new))
    }

    fn blocks(&mut self, old: &Block, new: &Block) -> Option<()> {
        if old.insts.len() != new.insts.len() {
            return None;
        }
        for (old, new) in old.insts.iter().zip(&new.insts) {
            self.insts(old, new)?;
        }
        self.all(&old.yields, &new.yields)
    }

    fn insts(&mut self, old: &Inst, new: &Inst) -> Option<()> {
        match (old, new) {
            (Inst::Let { op: a, .. }, Inst::Let { op: b, .. }) => self.ops(*a, *b)?,
            (Inst::If { cond: a, then, other, .. }, Inst::If { cond: b, then: then_b, other: other_b, .. }) => {
                self.read(*a, *b)?;
                self.blocks(then, then_b)?;
                self.blocks(other, other_b)?;
            }
            (
                Inst::Each { set: a, item, carried, body, .. },
                Inst::Each { set: b, item: item_b, carried: carried_b, body: body_b, .. },
            ) if carried.len() == carried_b.len() => {
                self.read(*a, *b)?;
                self.define(*item, *item_b);
                self.loops(carried, carried_b, body, body_b)?;
            }
            (Inst::Loop { carried, body, .. }, Inst::Loop { carried: carried_b, body: body_b, .. })
                if carried.len() == carried_b.len() =>
            {
                self.loops(carried, carried_b, body, body_b)?;
            }
            (Inst::Call { function: a, args, .. }, Inst::Call { function: b, args: args_b, .. }) if a == b => {
                self.all(args, args_b)?;
            }
            _ => return None,
        }
        let (old, new): (Vec<Reg>, Vec<Reg>) = (results(old).collect(), results(new).collect());
        if old.len() != new.len() {
            return None;
        }
        old.into_iter().zip(new).for_each(|(old, new)| self.define(old, new));
        Some(())
    }

    fn loops(&mut self, old: &[(Reg, Reg)], new: &[(Reg, Reg)], body: &Block, body_b: &Block) -> Option<()> {
        for (&(_, first), &(_, first_b)) in old.iter().zip(new) {
            self.read(first, first_b)?;
        }
        old.iter().zip(new).for_each(|(&(param, _), &(param_b, _))| self.define(param, param_b));
        self.blocks(body, body_b)
    }

    fn ops(&mut self, old: Op, new: Op) -> Option<()> {
        // Apart from registers they have to be the same.
        if old.map_reads(|_| 0) != new.map_reads(|_| 0) {
            return None;
        }
        let (a, b): (Vec<Reg>, Vec<Reg>) = (old.reads().collect(), new.reads().collect());
        let commutes =
            matches!(old, Op::And(..) | Op::Or(..) | Op::Xor(..) | Op::Add(..) | Op::Mul(..) | Op::Eq(..) | Op::Ne(..));
        match (&a[..], &b[..]) {
            (&[left, right], &[left_b, right_b])
                if commutes && !(self.may(left, left_b) && self.may(right, right_b)) =>
            {
                self.all(&[left, right], &[right_b, left_b])
            }
            _ => self.all(&a, &b),
        }
    }
}
