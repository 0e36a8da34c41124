//! Reachability checks: calls of their functions, or their code in the place of the call.

use super::alike::alike;
use super::flow::{falls_through, leaders, target};
use super::translate::{Translator, field, memory};
use crate::program::{FAIL, Kinds, Op, Pc, Program};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Label, InstBuilder, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most operations of a check whose code stands where it is asked.
const MAX_INLINED: usize = 64;

/// Most operations of all checks in the place of their calls in one function.
const MAX_ALL_INLINED: usize = 4096;

/// What is recalled of an answer besides the answer itself: that it is to be kept.
pub(super) const NEW: i64 = 2;
/// What is recalled of an answer besides the answer itself: nothing.
pub(super) const UNKNOWN: i64 = 3;

/// The checks that have their code where these operations ask them.
pub(super) fn inlines(program: &Program, reached: &[Pc]) -> FxHashMap<Pc, Vec<Pc>> {
    let (mut inlines, mut size) = (FxHashMap::default(), 0);
    for &pc in reached {
        let Some(&Op::Reach { entry, .. }) = program.code.get(pc as usize) else { continue };
        if entry == FAIL {
            continue;
        }
        let ops = inlines.entry(entry).or_insert_with(|| asks_only(program, entry));
        size += ops.as_ref().map_or(0, Vec::len);
    }
    if size > MAX_ALL_INLINED {
        return FxHashMap::default();
    }
    inlines.into_iter().filter_map(|(entry, ops)| Some((entry, ops?))).collect()
}

/// By check that is asked and whose answers are kept, the places where the state is one that it cannot tell apart from that
/// in which the search began.
pub(super) fn kept(
    program: &Program,
    kinds: &[Option<Kinds>],
    entry: Pc,
    reached: &[Pc],
) -> FxHashMap<u32, FxHashSet<Pc>> {
    let mut kept = FxHashMap::default();
    if !program.entries.contains(&entry) {
        // A check may be asked anywhere.
        return kept;
    }
    for &pc in reached {
        if let Some(&Op::Reach { check, .. }) = program.code.get(pc as usize)
            && let Some(Some(kinds)) = kinds.get(check as usize)
        {
            kept.entry(check).or_insert_with(|| alike(program, kinds, entry));
        }
    }
    kept
}

/// The operations of a check, in order, if they are few, only ask, and never lead back.
fn asks_only(program: &Program, entry: Pc) -> Option<Vec<Pc>> {
    let (mut ops, mut open) = (Vec::new(), vec![entry]);
    while let Some(pc) = open.pop() {
        let op = *program.code.get(pc as usize)?;
        let asks = matches!(
            op,
            Op::Jump(_)
                | Op::SlotEq { .. }
                | Op::SlotNe { .. }
                | Op::CellEq { .. }
                | Op::CellNe { .. }
                | Op::TableEq { .. }
                | Op::CellTableEq { .. }
                | Op::Eq { .. }
                | Op::Ne { .. }
                | Op::Fail
                | Op::Accept
        );
        if ops.contains(&pc) {
            continue;
        }
        ops.push(pc);
        if !asks || ops.len() > MAX_INLINED || target(op).is_some_and(|target| target <= pc) {
            return None;
        }
        open.extend(target(op));
        open.extend(falls_through(&op).then_some(pc + 1));
    }
    ops.sort_unstable();
    Some(ops)
}

impl Translator<'_, '_> {
    /// A check, and on elsewhere if it does not hold or, negated, does.
    pub(super) fn reach(&mut self, pc: Pc, (entry, check): (Pc, u32), negated: bool, other: Pc) -> Result<(), String> {
        let other = self.label(other)?;
        if entry == FAIL {
            // The check never holds.
            if !negated {
                self.builder.ins().jump(other, &[]);
                let next = self.builder.create_block();
                self.builder.switch_to_block(next);
            }
            return Ok(());
        }
        self.burn();
        let depth = self.context(field::DEPTH);
        let too_deep = self.builder.ins().icmp_imm_s(IntCC::Equal, depth, 0);
        self.unless(too_deep, self.give_up);
        if let Some(ops) = self.inlines.get(&entry).cloned() {
            let next = self.builder.create_block();
            self.inline(entry, &ops, if negated { [other, next] } else { [next, other] })?;
            self.builder.switch_to_block(next);
            return Ok(());
        }
        let remembers = matches!(self.layout.kinds.get(check as usize), Some(Some(_)));
        let answered = self.builder.create_block();
        let answer = self.builder.append_block_param(answered, I64);
        if !self.is_check && self.program.mobility_checks.get(check as usize) == Some(&true) {
            self.speculated(answered);
        }
        if self.alike.get(&check).is_some_and(|places| places.contains(&pc)) {
            self.kept(check, answered)?;
        }
        let recalled = if remembers { Some(self.recall(check, answered)?) } else { None };
        let callee = self.callees.get(&entry).copied().ok_or("a check is missing")?;
        let less = self.builder.ins().iadd_imm_s(depth, -1);
        self.builder.ins().store(memory(), less, self.this, field::DEPTH);
        let before = self.builder.use_var(self.trail);
        let known = self.known.clone();
        self.open_scope();
        self.put_back();
        let call = self.builder.ins().call(callee, &[self.this]);
        let status = self.builder.inst_results(call).first().copied().ok_or("a result is missing")?;
        let (out, go_on) = (self.builder.create_block(), self.builder.create_block());
        let wrong = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, status, 0);
        self.builder.ins().brif(wrong, out, &[], go_on, &[]);
        self.builder.set_cold_block(out);
        self.builder.switch_to_block(out);
        // The tops of the stacks are what the check has left.
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(go_on);
        self.builder.ins().store(memory(), depth, self.this, field::DEPTH);
        let top = self.context(field::TRAIL);
        self.builder.def_var(self.trail, top);
        self.undo(before);
        self.known.trail_as(&known);
        if let Some(recalled) = recalled {
            self.learn(check, recalled, status);
        }
        self.builder.ins().jump(answered, &[status.into()]);
        self.builder.switch_to_block(answered);
        let next = self.builder.create_block();
        let (then, otherwise) = if negated { (other, next) } else { (next, other) };
        self.builder.ins().brif(answer, then, &[], otherwise, &[]);
        self.builder.switch_to_block(next);
        Ok(())
    }

    /// Goes on as if a check held, if that is taken for granted.
    fn speculated(&mut self, answered: Label) {
        let speculative = self.context(field::SPECULATIVE);
        let (assumed, ask) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(speculative, assumed, &[], ask, &[]);
        self.builder.switch_to_block(assumed);
        self.builder.ins().store(memory(), speculative, self.this, field::SPECULATED);
        self.builder.ins().jump(answered, &[speculative.into()]);
        self.builder.switch_to_block(ask);
    }

    /// Goes on with the answer if it is kept for the state in which the search began, and for the present one as well.
    fn kept(&mut self, check: u32, answered: Label) -> Result<(), String> {
        let kept = self.context(field::KEPT);
        let offset = i32::try_from(check).map_err(|error| error.to_string())?;
        let answer = self.builder.ins().uload8(I64, memory(), kept, offset);
        let known = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, answer, NEW);
        let ask = self.builder.create_block();
        self.builder.ins().brif(known, answered, &[answer.into()], ask, &[]);
        self.builder.switch_to_block(ask);
        Ok(())
    }

    /// Goes on with the answer if it is known; returns what else is recalled.
    fn recall(&mut self, check: u32, answered: Label) -> Result<Value, String> {
        self.put_back();
        let recall = self.context(field::RECALL);
        let number = self.builder.ins().iconst(I64, i64::from(check));
        let call = self.builder.ins().call_indirect(self.helper, recall, &[self.this, number]);
        let recalled = self.builder.inst_results(call).first().copied().ok_or("a result is missing")?;
        let known = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, recalled, NEW);
        let ask = self.builder.create_block();
        self.builder.ins().brif(known, answered, &[recalled.into()], ask, &[]);
        self.builder.switch_to_block(ask);
        Ok(recalled)
    }

    /// Keeps an answer that is to be kept.
    fn learn(&mut self, check: u32, recalled: Value, answer: Value) {
        let (keep, next) = (self.builder.create_block(), self.builder.create_block());
        let new = self.builder.ins().icmp_imm_s(IntCC::Equal, recalled, NEW);
        self.builder.ins().brif(new, keep, &[], next, &[]);
        self.builder.switch_to_block(keep);
        let learn = self.context(field::LEARN);
        let answer = self.builder.ins().iadd_imm_s(answer, 2 * i64::from(check));
        self.builder.ins().call_indirect(self.helper, learn, &[self.this, answer]);
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(next);
    }

    /// A check that only asks, in the place of its call. What it finds out is not known afterwards.
    fn inline(&mut self, entry: Pc, ops: &[Pc], go_on: [Label; 2]) -> Result<(), String> {
        let ways = leaders(self.program, entry, ops);
        let labels = ways.keys().map(|&pc| (pc, self.builder.create_block())).collect();
        let labels = std::mem::replace(&mut self.labels, labels);
        let ways = std::mem::replace(&mut self.ways, ways);
        let passed = std::mem::take(&mut self.passed);
        let known = self.known.clone();
        self.inlined = Some(go_on);
        self.ops(entry, ops)?;
        self.inlined = None;
        (self.labels, self.ways, self.passed, self.known) = (labels, ways, passed, known);
        Ok(())
    }
}
