//! From a program to Cranelift's code: a function for every entry.
//!
//! The stacks are in memory and their tops in registers. To backtrack is to undo what the topmost choice point has not
//! seen, and to go on where it says, by a jump through a table.

use super::Layout;
use super::checks::{inlines, kept};
use super::doomed::doomed;
use super::flow::{falls_through, leaders, reached};
use super::known::{Known, Wrote};
use super::tops::tops;
use crate::machine::NO_TAG;
use crate::program::{FAIL, Op, Pc, Program, written_cell};
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    AbiParam, Block as Label, FuncRef, Function as Clif, InstBuilder, MemFlagsData, SigRef, Signature, Value,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use rg_ir::ids::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The search is exhausted.
pub(super) const EXHAUSTED: i64 = 0;
/// It is where it wanted to get.
pub(super) const FOUND: i64 = 1;
/// A buffer is full, or a limit is met: the interpreter has to search.
pub(super) const GIVEN_UP: i64 = -1;
/// An error was noted.
pub(super) const HALTED: i64 = -2;

/// Where the fields of the context are, in bytes.
pub(super) mod field {
    pub(in super::super) const CELLS: i32 = 0;
    pub(in super::super) const TABLES: i32 = 8;
    pub(in super::super) const MARKS: i32 = 16;
    pub(in super::super) const TRAIL: i32 = 24;
    pub(in super::super) const TRAIL_END: i32 = 32;
    pub(in super::super) const CHOICES: i32 = 40;
    pub(in super::super) const CHOICES_END: i32 = 48;
    pub(in super::super) const TAGS: i32 = 56;
    pub(in super::super) const TAGS_END: i32 = 64;
    pub(in super::super) const MARKED_FIRST: i32 = 72;
    pub(in super::super) const MARKED: i32 = 80;
    pub(in super::super) const MARKED_END: i32 = 88;
    pub(in super::super) const SCOPE: i32 = 96;
    pub(in super::super) const LAST_SCOPE: i32 = 104;
    pub(in super::super) const FUEL: i32 = 112;
    pub(in super::super) const DEPTH: i32 = 120;
    pub(in super::super) const FIRST: i32 = 128;
    pub(in super::super) const NODE: i32 = 136;
    pub(in super::super) const RECORD: i32 = 144;
    pub(in super::super) const REMEMBER: i32 = 152;
    pub(in super::super) const FORGET: i32 = 160;
    pub(in super::super) const NAMES: i32 = 168;
    pub(in super::super) const RECALL: i32 = 176;
    pub(in super::super) const LEARN: i32 = 184;
    pub(in super::super) const WANTED: i32 = 192;
    /// Two of them, see [`crate::machine::Machine::unremembered`].
    pub(in super::super) const UNREMEMBERED: i32 = 200;
    pub(in super::super) const HASHED: i32 = 216;
    pub(in super::super) const KEPT: i32 = 224;
    pub(in super::super) const SPECULATIVE: i32 = 232;
    pub(in super::super) const SPECULATED: i32 = 240;
}

/// Bytes of a choice point: resumption and next value, top of the trail, top of the tags, and the values that are left.
pub(super) const CHOICE: i64 = 32;
/// Where these values are, for choices of which they are found all at once.
pub(super) const REST: i32 = 24;

pub(super) fn memory() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// `(context) -> status`.
pub(super) fn signature(convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.push(AbiParam::new(I64));
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// Fills in `clif` with the code from `entry` on. `callee` gives the functions of checks.
///
/// # Errors
/// What has no code.
pub(super) fn translate(
    program: &Program,
    layout: Layout<'_>,
    entry: Pc,
    clif: &mut Clif,
    mut callee: impl FnMut(&mut Clif, Pc) -> Result<FuncRef, String>,
    context: &mut FunctionBuilderContext,
    config: TargetFrontendConfig,
) -> Result<(), String> {
    let reached = reached(program, entry)?;
    let mut callees = FxHashMap::default();
    for &pc in &reached {
        if let Some(&Op::Reach { entry, .. }) = program.code.get(pc as usize)
            && entry != FAIL
        {
            callees.insert(entry, callee(clif, entry)?);
        }
    }
    let mut helper = signature(clif.signature.call_conv);
    helper.params.push(AbiParam::new(I64));
    let helper = clif.import_signature(helper);
    let mut builder = FunctionBuilder::new(clif, context);
    let first = builder.create_block();
    builder.append_block_params_for_function_params(first);
    builder.switch_to_block(first);
    let this = builder.block_params(first).first().copied().ok_or("a parameter is missing")?;
    let inlines = inlines(program, &reached);
    let begins_scope = |pc: &Pc| match program.code.get(*pc as usize) {
        Some(Op::Reach { entry, .. }) => *entry != FAIL && !inlines.contains_key(entry),
        Some(op) => matches!(op, Op::Scope),
        None => false,
    };
    let scoped = reached.iter().any(begins_scope);
    let [trail, choices, tags] = std::array::from_fn(|_| builder.declare_var(I64));
    let cells = builder.ins().load(I64, memory(), this, field::CELLS);
    let tables = builder.ins().load(I64, memory(), this, field::TABLES);
    let floor = builder.ins().load(I64, memory(), this, field::CHOICES);
    let top = builder.ins().load(I64, memory(), this, field::TRAIL);
    let tag = builder.ins().load(I64, memory(), this, field::TAGS);
    builder.def_var(trail, top);
    builder.def_var(choices, floor);
    builder.def_var(tags, tag);
    let [backtrack, exhausted, give_up, halt] = std::array::from_fn(|_| builder.create_block());
    let ways = leaders(program, entry, &reached);
    let labels = ways.keys().map(|&pc| (pc, builder.create_block())).collect();
    let alike = kept(program, layout.kinds, entry, &reached);
    let mut translator = Translator {
        builder,
        program,
        layout,
        callees,
        helper,
        this,
        cells,
        tables,
        floor,
        trail,
        choices,
        tags,
        backtrack,
        give_up,
        halt,
        labels,
        ways,
        known: Known::default(),
        passed: FxHashMap::default(),
        resumptions: Vec::new(),
        tops: FxHashMap::default(),
        doomed: doomed(program, layout.kinds, &reached, &alike),
        alike,
        is_check: !program.entries.contains(&entry),
        direct: BTreeMap::new(),
        straight: BTreeMap::new(),
        skips: BTreeMap::new(),
        exhausted,
        scoped,
        inlines,
        inlined: None,
        loads: 0,
    };
    let stays = |pc| translator.finds(pc).is_some();
    translator.tops = tops(program, entry, &reached, stays);
    translator.all(entry, &reached)?;
    translator.builder.seal_all_blocks();
    translator.builder.finalize(config);
    Ok(())
}

/// Where a choice point goes on.
pub(super) enum Resumption {
    /// There, for the last time.
    At(Pc),
    /// With the next value of the operation that made it.
    Next,
}

pub(super) struct Translator<'a, 'f> {
    pub(super) builder: FunctionBuilder<'f>,
    pub(super) program: &'a Program,
    pub(super) layout: Layout<'a>,
    pub(super) callees: FxHashMap<Pc, FuncRef>,
    pub(super) helper: SigRef,
    /// The context.
    pub(super) this: Value,
    pub(super) cells: Value,
    pub(super) tables: Value,
    /// The top of the choice points where the search began.
    pub(super) floor: Value,
    pub(super) trail: Variable,
    pub(super) choices: Variable,
    pub(super) tags: Variable,
    pub(super) backtrack: Label,
    pub(super) give_up: Label,
    pub(super) halt: Label,
    pub(super) labels: FxHashMap<Pc, Label>,
    /// The number of ways to each label.
    pub(super) ways: BTreeMap<Pc, u32>,
    pub(super) known: Known,
    /// What was known where the only way to a label begins.
    pub(super) passed: FxHashMap<Pc, Known>,
    /// By number, with the operations that make their choice points.
    pub(super) resumptions: Vec<(Pc, Resumption, Label)>,
    /// By operation, the one that made the topmost choice point.
    pub(super) tops: FxHashMap<Pc, Pc>,
    /// By check, where its answer at the beginning holds.
    pub(super) alike: FxHashMap<u32, FxHashSet<Pc>>,
    /// The checks that stop all ways from an operation on if they are known to hold.
    pub(super) doomed: FxHashMap<Pc, Vec<u32>>,
    /// Whether this is a check, not a search for moves.
    pub(super) is_check: bool,
    /// Where to backtrack to a choice point that is known, by the operation that made it.
    pub(super) direct: BTreeMap<Pc, Label>,
    /// The same where it is known what is to be undone.
    pub(super) straight: BTreeMap<(Pc, Vec<Wrote>), Label>,
    /// Where to go on with the next value of a choice point that is known, if nothing was written behind it.
    pub(super) skips: BTreeMap<Pc, Label>,
    /// Where there is nothing left to try.
    pub(super) exhausted: Label,
    /// Whether scopes are begun, so that the trail has entries that are no cells.
    pub(super) scoped: bool,
    /// The operations of checks whose code stands where they are asked.
    pub(super) inlines: FxHashMap<Pc, Vec<Pc>>,
    /// Where such a check goes on: if it holds, and if not.
    pub(super) inlined: Option<[Label; 2]>,
    /// Values computed so far.
    pub(super) loads: usize,
}

impl Translator<'_, '_> {
    pub(super) fn all(&mut self, entry: Pc, reached: &[Pc]) -> Result<(), String> {
        self.ops(entry, reached)?;
        self.resume()?;
        for (label, status) in [(self.give_up, GIVEN_UP), (self.halt, HALTED)] {
            self.builder.set_cold_block(label);
            self.builder.switch_to_block(label);
            self.leave(status);
        }
        Ok(())
    }

    /// Code of operations, resumptions excepted.
    pub(super) fn ops(&mut self, entry: Pc, reached: &[Pc]) -> Result<(), String> {
        let first = self.label(entry)?;
        self.builder.ins().jump(first, &[]);
        let mut open = false;
        for &pc in reached {
            if let Some(&label) = self.labels.get(&pc) {
                if open {
                    self.builder.ins().jump(label, &[]);
                }
                self.builder.switch_to_block(label);
                // There may be more ways than those whose code is there by now.
                let known = self.passed.remove(&pc).filter(|_| self.ways.get(&pc) == Some(&1));
                self.known = known.unwrap_or_default();
            }
            self.known.top = self.tops.get(&pc).copied();
            // A choice whose values are found at once is the only way here, for its first value and for others.
            let chosen = pc.checked_sub(1).filter(|chosen| self.tops.contains_key(chosen));
            let alone = self.ways.get(&pc) == Some(&2);
            let found = chosen.filter(|&chosen| alone && self.finds(chosen).is_some());
            if let Some(slot) = found.and_then(|chosen| written_cell(*self.program.code.get(chosen as usize)?)) {
                self.known.took(slot);
            }
            let op = *self.program.code.get(pc as usize).ok_or("a program runs over its end")?;
            self.stop(pc)?;
            self.op(pc, op)?;
            open = falls_through(&op);
            if open && !self.labels.contains_key(&(pc + 1)) && reached.binary_search(&(pc + 1)).is_err() {
                return Err("a program runs over its end".to_string());
            }
        }
        Ok(())
    }

    /// The label of an operation, to go there with the cells as they are now.
    pub(super) fn label(&mut self, pc: Pc) -> Result<Label, String> {
        if pc == FAIL {
            return Ok(self.failing());
        }
        if self.ways.get(&pc) == Some(&1) {
            self.passed.insert(pc, self.known.clone());
        }
        self.labels.get(&pc).copied().ok_or_else(|| "a jump leads nowhere".to_string())
    }

    /// Ends the function.
    pub(super) fn leave(&mut self, status: i64) {
        let status = self.builder.ins().iconst(I64, status);
        self.leave_with(status);
    }

    pub(super) fn leave_with(&mut self, status: Value) {
        self.put_back();
        self.builder.ins().return_(&[status]);
    }

    /// Writes the tops of the stacks to the context.
    pub(super) fn put_back(&mut self) {
        for (var, offset) in [(self.trail, field::TRAIL), (self.choices, field::CHOICES), (self.tags, field::TAGS)] {
            let top = self.builder.use_var(var);
            self.builder.ins().store(memory(), top, self.this, offset);
        }
    }

    pub(super) fn context(&mut self, offset: i32) -> Value {
        self.builder.ins().load(I64, memory(), self.this, offset)
    }

    /// Gives up unless `top` is below the end of its buffer.
    pub(super) fn room(&mut self, top: Value, end: i32) {
        let end = self.context(end);
        let full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, top, end);
        self.unless(full, self.give_up);
    }

    /// Goes elsewhere if the condition holds.
    pub(super) fn unless(&mut self, condition: Value, elsewhere: Label) {
        let next = self.builder.create_block();
        self.builder.ins().brif(condition, elsewhere, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// A step.
    pub(super) fn burn(&mut self) {
        let fuel = self.context(field::FUEL);
        let fuel = self.builder.ins().iadd_imm_s(fuel, -1);
        self.builder.ins().store(memory(), fuel, self.this, field::FUEL);
        let out = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, fuel, 0);
        self.unless(out, self.give_up);
    }

    /// Backtracks; what follows is not come to.
    pub(super) fn fail(&mut self) -> Result<(), String> {
        let fails = self.failing();
        self.builder.ins().jump(fails, &[]);
        let next = self.builder.create_block();
        self.builder.switch_to_block(next);
        Ok(())
    }

    /// Goes on elsewhere unless two values compare like this.
    pub(super) fn test(&mut self, how: IntCC, left: Value, right: u32, other: Pc) -> Result<(), String> {
        let fails = self.builder.ins().icmp_imm_s(how.complement(), left, i64::from(right));
        let other = self.label(other)?;
        self.unless(fails, other);
        Ok(())
    }

    pub(super) fn tag(&mut self, tag: Value) {
        self.known.fresh = false;
        let top = self.builder.use_var(self.tags);
        let end = self.context(field::TAGS_END);
        let full = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, top, end);
        let (asked, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(full, asked, &[], next, &[]);
        // There is no room, or a move is wanted: then only its tags pass.
        self.builder.set_cold_block(asked);
        self.builder.switch_to_block(asked);
        let wanted = self.context(field::WANTED);
        let (compare, give_up) = (self.builder.create_block(), self.give_up);
        self.builder.ins().brif(wanted, compare, &[], give_up, &[]);
        self.builder.set_cold_block(compare);
        self.builder.switch_to_block(compare);
        let same = self.is_wanted(top, wanted, tag);
        let fails = self.failing();
        self.builder.ins().brif(same, next, &[], fails, &[]);
        self.builder.switch_to_block(next);
        self.builder.ins().istore32(memory(), tag, top, 0);
        let top = self.builder.ins().iadd_imm_s(top, 4);
        self.builder.def_var(self.tags, top);
    }

    /// Whether the wanted move has this tag at the top of the tags.
    fn is_wanted(&mut self, top: Value, wanted: Value, tag: Value) -> Value {
        let address = self.builder.ins().iadd(top, wanted);
        let expected = self.builder.ins().uload32(memory(), address, 0);
        self.builder.ins().icmp(IntCC::Equal, expected, tag)
    }

    pub(super) fn named(&mut self, names: u32, slot: u32) -> Result<Value, String> {
        let index = self.slot(slot)?;
        self.name(names, index)
    }

    /// `names[base + index]`.
    pub(super) fn name(&mut self, names: u32, index: Value) -> Result<Value, String> {
        let start = self.context(field::NAMES);
        let offset = self.builder.ins().ishl_imm_s(index, 2);
        let address = self.builder.ins().iadd(start, offset);
        let offset = i32::try_from(u64::from(names) * 4).map_err(|error| error.to_string())?;
        Ok(self.builder.ins().uload32(memory(), address, offset))
    }

    pub(super) fn op(&mut self, pc: Pc, op: Op) -> Result<(), String> {
        match op {
            Op::Jump(target) => {
                let target = self.label(target)?;
                self.builder.ins().jump(target, &[]);
            }
            Op::Try(alternative) => {
                if self.ways.get(&alternative) == Some(&1) {
                    self.passed.insert(alternative, self.known.below());
                }
                self.choice(pc, Resumption::At(alternative), None);
            }
            Op::Fail => {
                let fails = self.failing();
                self.builder.ins().jump(fails, &[]);
            }
            Op::SlotEq { slot, value, other } => {
                let left = self.slot(slot)?;
                self.test(IntCC::Equal, left, value, other)?;
            }
            Op::SlotNe { slot, value, other } => {
                let left = self.slot(slot)?;
                self.test(IntCC::NotEqual, left, value, other)?;
            }
            Op::CellEq { base, slot, value, other } => {
                let index = self.slot(slot)?;
                let left = self.load(false, base, index)?;
                self.test(IntCC::Equal, left, value, other)?;
            }
            Op::CellNe { base, slot, value, other } => {
                let index = self.slot(slot)?;
                let left = self.load(false, base, index)?;
                self.test(IntCC::NotEqual, left, value, other)?;
            }
            Op::TableEq { base, slot, value, other } => {
                let index = self.slot(slot)?;
                let left = self.load(true, base, index)?;
                self.test(IntCC::Equal, left, value, other)?;
            }
            Op::CellTableEq { base, slot, table, value, other } => {
                let index = self.slot(slot)?;
                let number = self.load(false, base, index)?;
                let left = self.load(true, table, number)?;
                self.test(IntCC::Equal, left, value, other)?;
            }
            Op::Eq { left, right, other } | Op::Ne { left, right, other } => {
                let (left, right) = (self.value(left, 0)?, self.value(right, 0)?);
                let fails = if matches!(op, Op::Eq { .. }) { IntCC::NotEqual } else { IntCC::Equal };
                let fails = self.builder.ins().icmp(fails, left, right);
                let other = self.label(other)?;
                self.unless(fails, other);
            }
            Op::MapEq { .. } | Op::MapNe { .. } | Op::Copy { .. } => {
                return Err("whole maps have no machine code".to_string());
            }
            Op::SetConstant { slot, value } => {
                let value = self.builder.ins().iconst(I64, i64::from(value));
                self.write(slot, None, value)?;
            }
            Op::SetTable { slot, base, from } => {
                let index = self.slot(from)?;
                let value = self.load(true, base, index)?;
                self.write(slot, None, value)?;
            }
            Op::Step { slot, base, from, not } => {
                let index = self.slot(from)?;
                let value = self.load(true, base, index)?;
                self.test(IntCC::NotEqual, value, not, FAIL)?;
                self.write(slot, None, value)?;
            }
            Op::SetCell { base, slot, value, count } => {
                let index = self.slot(slot)?;
                let greatest = self.layout.most.get(slot as usize).copied().unwrap_or(u32::MAX);
                let reach = count.min(greatest.saturating_add(1));
                if greatest < count {
                    let value = self.builder.ins().iconst(I64, i64::from(value));
                    return self.write(base, Some((index, reach)), value);
                }
                let known = self.known.after_perhaps(&(base..base.saturating_add(reach)));
                let done = self.builder.create_block();
                let none = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, index, i64::from(count));
                self.unless(none, done);
                let value = self.builder.ins().iconst(I64, i64::from(value));
                self.write(base, Some((index, reach)), value)?;
                self.builder.ins().jump(done, &[]);
                self.builder.switch_to_block(done);
                self.known = known;
            }
            Op::Set { slot, value } => {
                let value = self.value(value, 0)?;
                self.write(slot, None, value)?;
            }
            Op::Store { base, first, count, value } => {
                let value = self.value(value, 0)?;
                self.store(base, first, count, value)?;
            }
            Op::Each { .. }
            | Op::EachCell { .. }
            | Op::EachWhere { .. }
            | Op::EachTable { .. }
            | Op::EachStore { .. } => self.each(pc, op)?,
            Op::Tag(tag) => {
                let tag = self.builder.ins().iconst(I64, tag.index() as i64);
                self.tag(tag);
            }
            Op::TagSlot { slot, names } => {
                let tag = self.named(names, slot)?;
                self.tag(tag);
            }
            Op::TagPair { slot, names, tag } => {
                let name = self.named(names, slot)?;
                self.tag(name);
                let tag = self.builder.ins().iconst(I64, tag.index() as i64);
                self.tag(tag);
            }
            Op::Scope => self.open_scope(),
            Op::Mark(index) => self.mark(index)?,
            Op::Reach { entry, negated, check, other } => self.reach(pc, (entry, check), negated, other)?,
            Op::Finish(node) => self.finish(node.index() as i64),
            Op::FinishWith { slot, value, node } => {
                let value = self.builder.ins().iconst(I64, i64::from(value));
                self.write(slot, None, value)?;
                self.finish(node.index() as i64);
            }
            Op::Accept => match self.inlined {
                Some([holds, _]) => _ = self.builder.ins().jump(holds, &[]),
                None => self.leave(FOUND),
            },
        }
        Ok(())
    }

    pub(super) fn finish(&mut self, node: i64) {
        self.known.fresh = false;
        let node = self.builder.ins().iconst(I64, node);
        let first = self.context(field::FIRST);
        let (stop, all) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(first, stop, &[], all, &[]);
        self.builder.switch_to_block(stop);
        let wanted = self.context(field::WANTED);
        let (compare, stays) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(wanted, compare, &[], stays, &[]);
        // A wanted move may be longer.
        self.builder.switch_to_block(compare);
        let top = self.builder.use_var(self.tags);
        let end = self.builder.ins().iconst(I64, i64::from(NO_TAG.0));
        let whole = self.is_wanted(top, wanted, end);
        let fails = self.failing();
        self.builder.ins().brif(whole, stays, &[], fails, &[]);
        self.builder.switch_to_block(stays);
        self.builder.ins().store(memory(), node, self.this, field::NODE);
        self.leave(FOUND);
        self.builder.switch_to_block(all);
        self.put_back();
        let record = self.context(field::RECORD);
        let call = self.builder.ins().call_indirect(self.helper, record, &[self.this, node]);
        let status = self.builder.inst_results(call).first().copied();
        let status = status.unwrap_or(node);
        let wrong = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, status, 0);
        let fails = self.failing();
        self.builder.ins().brif(wrong, self.halt, &[], fails, &[]);
    }
}
