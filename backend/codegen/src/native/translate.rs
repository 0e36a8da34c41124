//! From a function of the word IR to Cranelift's.
//!
//! Translation trusts nobody: whatever could make the code touch memory that is not its own (a
//! word that the state does not have, a register without a value, numbers of results that do not match) is an error.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    AbiParam, Block as Label, BlockArg, FuncRef, Function as Clif, GlobalValue, InstBuilder, MemFlagsData, Value,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use rg_ir::invariant::Invariant;

use super::known::{Bits, Known};
use super::shape::{Shape, is_counted};
use super::tables::Tables;
use super::weights::Weights;
use super::wide::Wide;
use super::written::Written;
use rustc_hash::{FxHashMap, FxHashSet};
use wir::uses::{inner, reads};
use wir::{Block, FnId, Function, Inst, Reg};

/// Rounds of loops until the function takes a side exit.
const FUEL: i64 = 1 << 22;

/// The function is over and its results are there.
pub(super) const DONE: i64 = 0;
/// The function took a side exit.
pub(super) const BAILED: i64 = 1;
/// The buffer is full.
pub(super) const FULL: i64 = 2;

/// An error of functions that are called from machine code.
const NO_STATE: &str = "a function that is called uses the state";

/// Where scratch memory begins is the third word of what functions are given.
const SCRATCH_IN_OUT: i32 = 16;

/// What becomes of the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sink {
    /// `(state, buffer, end of it, out)`; `out[0]` is the end of the moves.
    List,
    /// `(state, out)`; `out[0]` is their number.
    Count,
    /// `(state, buffer, end of it, out)`; `out[0]` is the end of the sets, `out[1]` the number of moves.
    Runs,
    /// There are none. `(state, argument, out)`; `out[0]` is the result.
    Call,
    /// There are none, and there is no state: what is called from machine code. `(argument, …)`, for the result.
    Inner,
}

impl Sink {
    pub(super) fn name(self) -> &'static str {
        match self {
            Sink::List => "list",
            Sink::Count => "count",
            Sink::Runs => "runs",
            Sink::Call => "call",
            Sink::Inner => "inner",
        }
    }

    /// Parameters of the machine code.
    fn parameters(self, function: &Function, shape: &Shape) -> usize {
        match self {
            Sink::List | Sink::Runs => 4,
            Sink::Count => 2,
            Sink::Call => 3,
            Sink::Inner => function.params as usize + usize::from(shape.effects.is_procedure()),
        }
    }
}

/// The functions that are called.
pub(super) struct Callees {
    /// Those of the program.
    pub(super) by_id: FxHashMap<FnId, FuncRef>,
    /// Those of them that are procedures.
    pub(super) procedures: FxHashSet<FnId>,
    /// Those for writing sets, if they can be had.
    pub(super) wide: Option<Wide<FuncRef>>,
}

/// What translation needs.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) function: &'a Function,
    pub(super) shape: &'a Shape,
    pub(super) tables: &'a Tables,
    pub(super) state_words: u32,
    pub(super) scratch_words: u32,
    pub(super) sink: Sink,
    /// What was counted of it ([`wir::profile::Profile`]); nothing if nobody counted.
    pub(super) counts: &'a [u64],
}

/// Fills in `clif`. `symbol` is where the tables are.
///
/// # Errors
/// What is wrong with the function.
pub(super) fn translate(
    source: Source<'_>,
    clif: &mut Clif,
    symbol: impl FnOnce(&mut Clif) -> GlobalValue,
    callees: Callees,
    context: &mut FunctionBuilderContext,
    config: TargetFrontendConfig,
) -> Result<(), String> {
    for _ in 0..source.sink.parameters(source.function, source.shape) {
        clif.signature.params.push(AbiParam::new(I64));
    }
    clif.signature.returns.push(AbiParam::new(I64));
    let symbol = symbol(clif);
    let mut builder = FunctionBuilder::new(clif, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let arguments = builder.block_params(entry).to_vec();
    let mut parameters = arguments.iter().copied();
    let mut next = || parameters.next().ok_or_else(|| "a parameter is missing".to_string());
    let inner = source.sink == Sink::Inner;
    let state = if inner { State::None } else { State::Memory(next()?) };
    let first = if inner || source.sink == Sink::Count { None } else { Some(next()?) };
    let limit = if matches!(source.sink, Sink::List | Sink::Runs) { Some(next()?) } else { None };
    let out = if inner { None } else { Some(next()?) };

    let ends = [builder.create_block(), builder.create_block()];
    let mut translator = Translator::new(builder, source, symbol, callees, state, ends);
    translator.limit = limit;
    let arguments = if inner && source.shape.effects.is_procedure() {
        let (memory, rest) = arguments.split_first().ok_or("a procedure without memory")?;
        translator.scratch = Some(*memory);
        rest.to_vec()
    } else {
        if let Some(out) = out.filter(|_| source.shape.effects.memory) {
            translator.load_scratch(out, SCRATCH_IN_OUT);
        }
        arguments
    };
    translator
        .function(&arguments, first, out)
        .map_err(|error| format!("function `{}`: {error}", source.function.name))?;
    translator.builder.seal_all_blocks();
    translator.builder.finalize(config);
    Ok(())
}

/// See [`translate`].
pub(super) struct Translator<'a, 'f> {
    pub(super) builder: FunctionBuilder<'f>,
    pub(super) source: Source<'a>,
    pub(super) symbol: GlobalValue,
    pub(super) callees: Callees,
    /// Values of registers.
    known: Vec<Option<Known>>,
    /// How often registers are read.
    pub(super) reads: Vec<u8>,
    /// Registers with a value, in order of definition.
    defined: Vec<Reg>,
    state: State,
    /// By word of the state: what is known of it, in plays, if it was stored in this ply and not in a block that may not
    /// have run.
    pub(super) stored: Vec<Option<Bits>>,
    /// Where scratch memory begins.
    scratch: Option<Value>,
    /// End of the buffer.
    pub(super) limit: Option<Value>,
    /// Where the next emission goes.
    pub(super) cursor: Variable,
    /// Number of moves.
    pub(super) total: Variable,
    fuel: Variable,
    exit: Label,
    pub(super) full: Label,
    /// Loops around.
    loops: usize,
    /// How often blocks ran.
    pub(super) weights: Weights,
    /// Whether what is translated seldom runs, and stands apart.
    pub(super) cold: bool,
    /// Whether sets have few moves.
    pub(super) one_by_one: bool,
    /// If `List` writes of each move only the element, in a byte: what else there is of the moves so far. Only for functions
    /// that emit outside of loops and choices.
    pub(super) packs: Option<Vec<Pack>>,
    /// The elements of these moves as they were written, eight in a word, if all of them are in registers.
    pub(super) pieces: Option<Vec<Value>>,
}

/// Moves of which the elements are in bytes: the move without its element, how far that is shifted, and where they end.
#[derive(Clone, Copy)]
pub(super) struct Pack {
    pub(super) base: Value,
    pub(super) by: i64,
    pub(super) end: Value,
}

/// Where the words of the state are.
pub(super) enum State {
    /// Nowhere.
    None,
    /// In memory, from an address on.
    Memory(Value),
    /// In variables.
    Words(Vec<Variable>),
}

/// Memory that is there, and aligned.
pub(super) fn memory() -> MemFlagsData {
    MemFlagsData::trusted()
}

impl<'a, 'f> Translator<'a, 'f> {
    pub(super) fn new(
        mut builder: FunctionBuilder<'f>,
        source: Source<'a>,
        symbol: GlobalValue,
        callees: Callees,
        state: State,
        [exit, full]: [Label; 2],
    ) -> Self {
        let [cursor, total, fuel] = std::array::from_fn(|_| builder.declare_var(I64));
        let (known, reads) = (vec![None; source.function.registers as usize], reads(source.function));
        Self {
            builder,
            source,
            symbol,
            callees,
            known,
            reads,
            defined: Vec::new(),
            state,
            stored: Vec::new(),
            scratch: None,
            limit: None,
            cursor,
            total,
            fuel,
            exit,
            full,
            loops: 0,
            weights: Weights::of(source.function, source.counts),
            cold: false,
            one_by_one: false,
            packs: None,
            pieces: None,
        }
    }

    /// Begins with another function, whose side exits go to a label.
    pub(super) fn begin(&mut self, source: Source<'a>, exit: Label, written: Written) {
        self.source = source;
        self.weights = Weights::of(source.function, source.counts);
        self.cold = false;
        self.known = vec![None; source.function.registers as usize];
        self.reads = reads(source.function);
        self.defined.clear();
        self.stored = vec![None; source.state_words as usize];
        self.one_by_one = written == Written::OneByOne;
        self.packs = (written == Written::InBytes).then(Vec::new);
        self.pieces = (written == Written::InBytes).then(Vec::new);
        self.exit = exit;
        let fuel = self.constant(FUEL);
        self.builder.def_var(self.fuel, fuel);
    }

    /// The body of a function with these arguments.
    pub(super) fn body(&mut self, arguments: &[Value]) -> Result<(), String> {
        self.arguments(arguments)?;
        self.block(&self.source.function.body)
    }

    /// Takes scratch memory from where its address is.
    pub(super) fn load_scratch(&mut self, from: Value, offset: i32) {
        self.scratch = Some(self.builder.ins().load(I64, memory().with_readonly(), from, offset));
    }

    /// The address of a word of scratch memory, and an offset from there.
    fn scratch(&mut self, at: Reg) -> Result<(Value, i32), String> {
        let start = self.scratch.ok_or("there is no scratch memory")?;
        let (known, mask) = (self.known(at)?, u64::from(self.source.scratch_words.saturating_sub(1)));
        if let Some(constant) = known.bits.of(u64::MAX) {
            return Ok((start, ((constant & mask) * 8) as i32));
        }
        let index =
            if known.most <= mask { known.word } else { self.builder.ins().band_imm_u(known.word, mask as i64) };
        let offset = self.builder.ins().ishl_imm_u(index, 3);
        Ok((self.builder.ins().iadd(start, offset), 0))
    }

    pub(super) fn arguments(&mut self, arguments: &[Value]) -> Result<(), String> {
        (0..).zip(arguments).try_for_each(|(register, &argument)| self.define(register, Known::word(argument)))
    }
}

impl Translator<'_, '_> {
    fn function(&mut self, arguments: &[Value], first: Option<Value>, out: Option<Value>) -> Result<(), String> {
        let (source, shape) = (self.source, self.source.shape);
        let zero = self.constant(0);
        self.builder.def_var(self.total, zero);
        self.builder.def_var(self.cursor, first.unwrap_or(zero));
        let fuel = self.constant(FUEL);
        self.builder.def_var(self.fuel, fuel);
        let (params, yields) = match source.sink {
            Sink::Call => (1, 1),
            Sink::Inner => (source.function.params, 1),
            Sink::List | Sink::Runs | Sink::Count => (0, 0),
        };
        if (source.function.params, source.function.body.yields.len()) != (params, yields) {
            return Err(format!("wrong number of parameters or results for `{}`", source.sink.name()));
        }
        if source.sink == Sink::Inner {
            self.body(arguments)?;
            let result =
                source.function.body.yields.first().copied().invariant_or(0, "a function that is called has a result");
            let result = self.word(result)?;
            self.builder.ins().return_(&[result]);
            // Nothing leads there, but they are there.
            for unused in [self.exit, self.full] {
                self.builder.switch_to_block(unused);
                let zero = self.constant(0);
                self.builder.ins().return_(&[zero]);
            }
            return Ok(());
        }
        let out = out.ok_or_else(|| "a parameter is missing".to_string())?;
        let mut saved = Vec::new();
        if source.sink == Sink::Call {
            for &word in &shape.undo {
                saved.push((self.load(word, memory())?, word));
            }
        }

        self.body(if source.sink == Sink::Call { first.as_slice() } else { &[] })?;
        match source.sink {
            Sink::List | Sink::Runs => {
                let cursor = self.builder.use_var(self.cursor);
                self.builder.ins().store(memory(), cursor, out, 0);
                if source.sink == Sink::Runs {
                    let total = self.builder.use_var(self.total);
                    self.builder.ins().store(memory(), total, out, 8);
                }
            }
            Sink::Count => {
                let total = self.builder.use_var(self.total);
                self.builder.ins().store(memory(), total, out, 0);
            }
            Sink::Call | Sink::Inner => {
                for &result in &source.function.body.yields {
                    let result = self.word(result)?;
                    self.builder.ins().store(memory(), result, out, 0);
                }
            }
        }
        self.leave(DONE);

        self.builder.set_cold_block(self.exit);
        self.builder.switch_to_block(self.exit);
        for (value, word) in saved {
            self.store(word, value)?;
        }
        self.leave(BAILED);
        self.builder.set_cold_block(self.full);
        self.builder.switch_to_block(self.full);
        self.leave(FULL);
        Ok(())
    }

    /// A word of the state.
    pub(super) fn load(&mut self, word: u32, flags: MemFlagsData) -> Result<Value, String> {
        let offset = self.word_offset(word)?;
        match &self.state {
            State::None => Err(NO_STATE.to_string()),
            State::Memory(state) => Ok(self.builder.ins().load(I64, flags, *state, offset)),
            State::Words(words) => {
                let word = words.get(word as usize).ok_or("the state has no such word")?;
                Ok(self.builder.use_var(*word))
            }
        }
    }

    fn store(&mut self, word: u32, value: Value) -> Result<(), String> {
        let offset = self.word_offset(word)?;
        match &self.state {
            State::None => return Err(NO_STATE.to_string()),
            State::Memory(state) => {
                self.builder.ins().store(memory(), value, *state, offset);
            }
            State::Words(words) => {
                let word = words.get(word as usize).ok_or("the state has no such word")?;
                self.builder.def_var(*word, value);
            }
        }
        Ok(())
    }

    fn leave(&mut self, status: i64) {
        let status = self.constant(status);
        self.builder.ins().return_(&[status]);
    }

    pub(super) fn constant(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(I64, value)
    }

    /// Where a word of the state is.
    pub(super) fn word_offset(&self, word: u32) -> Result<i32, String> {
        if word >= self.source.state_words {
            return Err(format!("the state has no word {word}"));
        }
        i32::try_from(u64::from(word) * 8).map_err(|error| error.to_string())
    }

    /// What is known of a register.
    pub(super) fn known(&self, register: Reg) -> Result<Known, String> {
        let known = self.known.get(register as usize).copied().flatten();
        known.ok_or_else(|| format!("register {register} has no value where it is read"))
    }

    /// Value of a register.
    pub(super) fn word(&self, register: Reg) -> Result<Value, String> {
        Ok(self.known(register)?.word)
    }

    /// Value of a register where only 0 or not 0 counts.
    pub(super) fn condition(&self, register: Reg) -> Result<Value, String> {
        let known = self.known(register)?;
        Ok(known.truth.unwrap_or(known.word))
    }

    pub(super) fn define(&mut self, register: Reg, known: Known) -> Result<(), String> {
        let slot = self.known.get_mut(register as usize).ok_or_else(|| format!("there is no register {register}"))?;
        if slot.replace(known).is_some() {
            return Err(format!("register {register} is defined twice"));
        }
        self.defined.push(register);
        Ok(())
    }

    /// How much is defined.
    pub(super) fn mark(&self) -> usize {
        self.defined.len()
    }

    /// What was defined since `mark` is over.
    pub(super) fn forget(&mut self, mark: usize) {
        for register in self.defined.drain(mark.min(self.defined.len())..) {
            if let Some(slot) = self.known.get_mut(register as usize) {
                *slot = None;
            }
        }
    }

    /// Yields of a block that has been translated, to be passed on.
    fn passed(&self, yields: &[Reg]) -> Result<Vec<BlockArg>, String> {
        yields.iter().map(|&register| Ok(BlockArg::Value(self.word(register)?))).collect()
    }

    /// Goes on at a label whose parameters are the registers `to`, each with what it is not greater than.
    fn go_on(&mut self, label: Label, to: impl Iterator<Item = (Reg, u64)>) -> Result<(), String> {
        self.builder.switch_to_block(label);
        self.builder.seal_block(label);
        for (register, most) in to {
            let word = Known::word(self.builder.append_block_param(label, I64));
            self.define(register, Known { most, bits: Bits::up_to(most), ..word })?;
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<(), String> {
        self.insts(&block.insts)
    }

    pub(super) fn insts(&mut self, insts: &[Inst]) -> Result<(), String> {
        for inst in insts {
            match inst {
                Inst::Let { to, op } => {
                    let known = self.op(*to, *op)?;
                    self.define(*to, known)?;
                }
                Inst::Store { word, value } => {
                    let known = self.known(*value)?;
                    self.store(*word, known.word)?;
                    if let Some(stored) = self.stored.get_mut(*word as usize) {
                        *stored = Some(known.bits);
                    }
                }
                Inst::Peek { to, at } => {
                    let (start, offset) = self.scratch(*at)?;
                    let value = self.builder.ins().load(I64, memory(), start, offset);
                    self.define(*to, Known::word(value))?;
                }
                Inst::Poke { at, value } => {
                    let (start, offset) = self.scratch(*at)?;
                    let value = self.word(*value)?;
                    self.builder.ins().store(memory(), value, start, offset);
                }
                Inst::Call { function, args, to } => {
                    let callee = self.callees.by_id.get(function).copied();
                    let callee = callee.ok_or_else(|| format!("there is no code for function {function}"))?;
                    let procedure = self.callees.procedures.contains(function);
                    let memory = if procedure { Some(self.scratch.ok_or("there is no scratch memory")?) } else { None };
                    let args = args.iter().map(|&arg| self.word(arg));
                    let args = memory.into_iter().map(Ok).chain(args).collect::<Result<Vec<Value>, String>>()?;
                    let call = self.builder.ins().call(callee, &args);
                    let result = self.builder.inst_results(call).first().copied();
                    let result = result.ok_or_else(|| "a call without a result".to_string())?;
                    self.define(*to, Known::word(result))?;
                }
                Inst::If { cond, then, other, to } => {
                    let cond = self.condition(*cond)?;
                    let (yes, no) = (self.label(), self.label());
                    self.builder.ins().brif(cond, yes, &[], no, &[]);
                    self.branches(&[(yes, then), (no, other)], to)?;
                }
                Inst::Switch { on, cases, to } => self.switch(*on, cases, to)?,
                Inst::Each { set, item, carried, body, to } => {
                    let set = self.word(*set)?;
                    self.repeat(inst, Some((set, *item)), carried, body, to)?;
                }
                Inst::Loop { carried, body, to } => self.repeat(inst, None, carried, body, to)?,
                Inst::Emit { base } => {
                    let base = self.word(*base)?;
                    self.emit(base)?;
                }
                Inst::EmitSet { base, set, shift } => {
                    let (base, set) = (self.word(*base)?, self.known(*set)?);
                    self.emit_set(base, set, *shift)?;
                }
                Inst::SideExit { cond } => {
                    let cond = self.condition(*cond)?;
                    self.exit_unless_zero(cond);
                }
            }
            if inner(inst).next().is_some() {
                // Blocks may have stored something, or not.
                self.stored.fill(None);
            }
        }
        Ok(())
    }

    fn exit_unless_zero(&mut self, cond: Value) {
        let next = self.label();
        self.builder.ins().brif(cond, self.exit, &[], next, &[]);
        self.builder.switch_to_block(next);
        self.builder.seal_block(next);
    }

    /// Blocks of which one runs, and what follows.
    fn branches(&mut self, branches: &[(Label, &Block)], to: &[Reg]) -> Result<(), String> {
        let join = self.label();
        let mut most = vec![0; to.len()];
        let (cold, seldom) = (self.cold, self.arms(branches.iter().map(|&(_, block)| block)));
        for ((label, block), seldom) in branches.iter().zip(seldom) {
            self.arm(*label, seldom);
            self.builder.seal_block(*label);
            let mark = self.mark();
            self.block(block)?;
            if block.yields.len() != to.len() {
                return Err(format!("{} results where {} are wanted", block.yields.len(), to.len()));
            }
            for (most, &register) in most.iter_mut().zip(&block.yields) {
                *most = self.known(register)?.most.max(*most);
            }
            let passed = self.passed(&block.yields)?;
            self.builder.ins().jump(join, &passed);
            self.forget(mark);
            self.cold = cold;
        }
        self.go_on(join, to.iter().copied().zip(most))
    }

    fn switch(&mut self, on: Reg, cases: &[Block], to: &[Reg]) -> Result<(), String> {
        let value = self.word(on)?;
        let labelled: Vec<_> = cases.iter().map(|case| (self.label(), case)).collect();
        let Some(((last, _), others)) = labelled.split_last() else {
            return Err("a switch without cases".to_string());
        };
        match others {
            [] => {
                self.builder.ins().jump(*last, &[]);
            }
            [(first, _)] => {
                let cond = self.condition(on)?;
                self.builder.ins().brif(cond, *last, &[], *first, &[]);
            }
            _ => {
                let mut switch = Switch::new();
                for (number, (label, _)) in others.iter().enumerate() {
                    switch.set_entry(number as u128, *label);
                }
                switch.emit(&mut self.builder, value, *last);
            }
        }
        self.branches(&labelled, to)
    }

    /// A loop; over the bits of a word if there is one.
    fn repeat(
        &mut self,
        inst: &Inst,
        bits: Option<(Value, Reg)>,
        carried: &[(Reg, Reg)],
        body: &Block,
        to: &[Reg],
    ) -> Result<(), String> {
        let extra = usize::from(bits.is_none());
        if carried.len() != to.len() || body.yields.len() != carried.len() + extra {
            return Err("a loop whose numbers of values do not match".to_string());
        }
        let (round, done) = (self.label(), self.label());
        let first = carried.iter().map(|&(_, first)| Ok(BlockArg::Value(self.word(first)?)));
        let first: Vec<BlockArg> = first.collect::<Result<_, String>>()?;
        let rest = bits.map(|_| self.builder.append_block_param(round, I64));
        match bits {
            Some((set, _)) => {
                let mut enter = vec![BlockArg::Value(set)];
                enter.extend(&first);
                self.builder.ins().brif(set, round, &enter, done, &first);
            }
            None => {
                self.builder.ins().jump(round, &first);
            }
        }

        self.builder.switch_to_block(round);
        let mark = self.mark();
        self.loops += 1;
        for &(register, _) in carried {
            let value = self.builder.append_block_param(round, I64);
            self.define(register, Known::word(value))?;
        }
        if let (Some((_, item)), Some(rest)) = (bits, rest) {
            let position = Known::word(self.builder.ins().ctz(rest));
            self.define(item, Known { most: 63, ..position })?;
        }
        // What is called ends soon by the rules of the word IR.
        if self.source.sink != Sink::Inner && is_counted(inst, self.loops) {
            let fuel = self.builder.use_var(self.fuel);
            let fuel = self.builder.ins().iadd_imm_s(fuel, -1);
            self.builder.def_var(self.fuel, fuel);
            let empty = self.builder.ins().icmp_imm_u(IntCC::Equal, fuel, 0);
            self.exit_unless_zero(empty);
        }
        self.block(body)?;
        let next = self.passed(body.yields.get(extra..).unwrap_or_default())?;
        match rest {
            Some(rest) => {
                let rest = self.without_lowest(rest);
                let mut again = vec![BlockArg::Value(rest)];
                again.extend(&next);
                self.builder.ins().brif(rest, round, &again, done, &next);
            }
            None => {
                let on = body.yields.first().ok_or_else(|| "a loop without a condition".to_string())?;
                let on = self.condition(*on)?;
                self.builder.ins().brif(on, round, &next, done, &next);
            }
        }
        self.loops -= 1;
        self.forget(mark);
        self.builder.seal_block(round);
        self.go_on(done, to.iter().map(|&register| (register, u64::MAX)))
    }

    /// A set without its lowest element.
    pub(super) fn without_lowest(&mut self, set: Value) -> Value {
        let less = self.builder.ins().iadd_imm_s(set, -1);
        self.builder.ins().band(set, less)
    }
}
