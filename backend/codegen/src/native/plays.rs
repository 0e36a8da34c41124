//! Whole random plays as one function: moves are listed and drawn, and one is made, again and again, with the state and
//! the generator of random numbers in registers.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, Block as Label, BlockArg, Function as Clif, GlobalValue, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};

use super::emit::MOST_UNCHECKED;
use super::translate::{Callees, Pack, Source, State, Translator, memory};
use super::written::Written;
use wir::{Inst, Reg};

/// All plays are over.
pub(super) const OVER: i64 = 0;
/// Somebody else has to go on.
pub(super) const ASKED: i64 = 1;
/// Somebody else has to make the move that was chosen.
pub(super) const CHOSEN: i64 = 2;

/// Most words of a state that is kept in registers.
const MAX_WORDS: u32 = 12;

/// Most moves that a decision may seem to have: with more it has loops inside loops, and spends its time there.
const MAX_MOVES: u64 = 1 << 16;

/// Largest size of the functions together: larger ones spend their time in themselves.
const MAX_SIZE: u64 = 6_000;

/// Most instructions after a choice that each of its arms has for itself, and most choices inside each other.
const MAX_TWICE: usize = 16;
const MAX_NESTED: usize = 3;

/// Where the code finds what it needs besides the state and the buffer, in bytes: the generator, the plies that may
/// still be made and those that a play may have, what is counted, the move that was chosen last, where plays begin, where the next end goes, how many plays are left, where the buffer ends, whether
/// the last move was made speculatively, the moves of `random` in the present play, and where scratch memory begins.
pub(super) mod field {
    pub(in super::super) const RNG: i32 = 0;
    pub(in super::super) const REST: i32 = 32;
    pub(in super::super) const LIMIT: i32 = 40;
    pub(in super::super) const CHOICES: i32 = 48;
    pub(in super::super) const MOST: i32 = 56;
    pub(in super::super) const CHOSEN: i32 = 64;
    pub(in super::super) const START: i32 = 72;
    pub(in super::super) const ENDS: i32 = 80;
    pub(in super::super) const LEFT: i32 = 88;
    pub(in super::super) const ROOM: i32 = 96;
    pub(in super::super) const SPECULATIVE: i32 = 104;
    pub(in super::super) const CHANCE: i32 = 112;
    pub(in super::super) const SCRATCH: i32 = 120;
}

/// A decision.
#[derive(Clone, Copy)]
pub(super) struct Decision<'a> {
    /// The function that lists its moves.
    pub(super) decide: Source<'a>,
    /// The function that makes one.
    pub(super) apply: Source<'a>,
    /// Whether that is right only if the next decision has a move that is no pass.
    pub(super) speculative: bool,
    /// The kinds of moves that are passes, a bit each, the last one for all from 63 on, and where the kind begins in a word.
    pub(super) passes: (u64, u32),
    /// Whether `random` makes it.
    pub(super) chance: bool,
    /// How moves are written.
    pub(super) written: Written,
}

impl Decision<'_> {
    /// Whether its functions work on scratch memory.
    fn uses_scratch(&self) -> bool {
        [self.decide, self.apply].iter().any(|source| source.shape.effects.memory)
    }
}

/// What comes after an arm of a choice.
#[derive(Clone, Copy)]
struct Later<'i> {
    /// What the arm yields.
    results: &'i [Reg],
    /// What these are called afterwards.
    to: &'i [Reg],
    /// What follows.
    insts: &'i [Inst],
}

/// The last choice between two blocks, if only a few operations and stores follow it, with what is before and after it.
fn last_choice(insts: &[Inst]) -> Option<(&[Inst], &Inst, &[Inst])> {
    let simple = |inst: &Inst| matches!(inst, Inst::Let { .. } | Inst::Store { .. });
    let at = insts.iter().rposition(|inst| !simple(inst))?;
    let (before, rest) = insts.split_at(at);
    let (choice, after) = rest.split_first()?;
    (matches!(choice, Inst::If { .. }) && after.len() <= MAX_TWICE).then_some((before, choice, after))
}

/// The decisions of a game.
pub(super) struct Plays<'a> {
    /// The word of the state that has the decision's number, how far it is shifted, and its bits.
    pub(super) number: (usize, u32, u64),
    /// By number, without the first, which is the end; `None` for those that somebody else makes.
    pub(super) decisions: Vec<Option<Decision<'a>>>,
}

impl Plays<'_> {
    /// Whether they have a form as one function.
    pub(super) fn fit(&self) -> bool {
        let fits = |Decision { decide, apply, .. }: &Decision<'_>| {
            decide.state_words <= MAX_WORDS
                && decide.shape.moves <= MAX_MOVES
                && !decide.shape.stores
                && (decide.function.params, decide.function.body.yields.len()) == (0, 0)
                && (apply.function.params, apply.function.body.yields.len()) == (1, 1)
                && apply.shape.moves == 0
        };
        let sizes =
            self.decisions.iter().flatten().map(|decision| decision.decide.shape.size + decision.apply.shape.size);
        sizes.sum::<u64>() <= MAX_SIZE && self.decisions.iter().flatten().all(fits)
    }

    /// The most moves of a decision that are written without looking whether there is room.
    pub(super) fn most(&self) -> u64 {
        let moves = self.decisions.iter().flatten().map(|decision| decision.decide.shape.moves);
        moves.map(|moves| moves.min(MOST_UNCHECKED)).max().unwrap_or(0)
    }
}

/// Fills in `clif`, a function `(state, buffer, fields) -> why it ends`; the buffer has room for [`Plays::most`] moves and
/// ends as the fields say. If the moves of a decision do not fit, somebody else has to go on.
///
/// # Errors
/// What is wrong with the functions.
pub(super) fn translate(
    plays: &Plays<'_>,
    clif: &mut Clif,
    symbol: GlobalValue,
    callees: Callees,
    context: &mut FunctionBuilderContext,
    config: TargetFrontendConfig,
) -> Result<(), String> {
    let Some(&Decision { decide: first, .. }) = plays.decisions.iter().flatten().next() else {
        return Err("there is no decision".to_string());
    };
    clif.signature.params = vec![AbiParam::new(I64); 3];
    clif.signature.returns = vec![AbiParam::new(I64)];
    let mut builder = FunctionBuilder::new(clif, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let &[state, buffer, fields] = builder.block_params(entry) else {
        return Err("a parameter is missing".to_string());
    };
    let words: Vec<Variable> = (0..first.state_words).map(|_| builder.declare_var(I64)).collect();
    let rng = std::array::from_fn(|_| builder.declare_var(I64));
    for (at, &word) in (0..).zip(&words) {
        let value = builder.ins().load(I64, memory(), state, 8 * at);
        builder.def_var(word, value);
    }
    for (at, &word) in (0..).zip(&rng) {
        let value = builder.ins().load(I64, memory(), fields, field::RNG + 8 * at);
        builder.def_var(word, value);
    }
    let [begin, over, paused, leave, back] = std::array::from_fn(|_| builder.create_block());
    let decisions = plays.decisions.iter().map(|decision| decision.map(|_| builder.create_block())).collect();
    let room = builder.ins().load(I64, memory().with_readonly(), fields, field::ROOM);
    let mut translator = Translator::new(builder, first, symbol, callees, State::Words(words.clone()), [paused; 2]);
    translator.limit = Some(room);
    if plays.decisions.iter().flatten().any(|decision| decision.uses_scratch()) {
        translator.load_scratch(fields, field::SCRATCH);
    }
    translator.builder.ins().jump(begin, &[]);
    let mut player =
        Player { translator, words, rng, state, buffer, fields, begin, over, paused, leave, back, decisions };
    player.translator.builder.switch_to_block(begin);
    let speculative = plays.decisions.iter().flatten().any(|decision| decision.speculative);
    if speculative {
        player.note_speculation(false);
    }
    player.dispatch(plays, 0)?;
    for (at, decision) in plays.decisions.iter().enumerate() {
        if let (Some(decision), Some(&Some(label))) = (decision, player.decisions.get(at)) {
            player.translator.builder.switch_to_block(label);
            player.ply(plays, at, *decision, speculative)?;
        }
    }
    player.ends(speculative);
    player.translator.builder.seal_all_blocks();
    player.translator.builder.finalize(config);
    Ok(())
}

struct Player<'a, 'f> {
    translator: Translator<'a, 'f>,
    words: Vec<Variable>,
    rng: [Variable; 4],
    /// Where the state is in the end, and before a move that is made speculatively.
    state: Value,
    buffer: Value,
    fields: Value,
    /// Where plays begin.
    begin: Label,
    /// Where they end.
    over: Label,
    /// Where plays go that somebody else goes on with.
    paused: Label,
    /// As `paused`, with the reason.
    leave: Label,
    /// Where a playout leaves machine code, so that its last move is made again without speculation.
    back: Label,
    /// Where decisions begin.
    decisions: Vec<Option<Label>>,
}

impl<'a> Player<'a, '_> {
    /// The rest of a ply, then the next decision. If there is little to do after a choice, each of its arms does it and goes
    /// on by itself, since that often tells which decision is next. `later` is what comes after `insts`, the last first.
    fn goes_on(&mut self, plays: &Plays<'_>, at: usize, insts: &[Inst], later: &[Later<'_>]) -> Result<(), String> {
        if let Some((before, Inst::If { cond, then, other, to }, after)) = last_choice(insts)
            && later.len() < MAX_NESTED
        {
            self.translator.insts(before)?;
            let cond = self.translator.condition(*cond)?;
            let labels = [self.translator.label(), self.translator.label()];
            self.translator.builder.ins().brif(cond, labels[0], &[], labels[1], &[]);
            let stored = self.translator.stored.clone();
            let (cold, seldom) = (self.translator.cold, self.translator.arms([then, other]));
            for ((label, arm), seldom) in labels.into_iter().zip([then, other]).zip(seldom) {
                self.translator.arm(label, seldom);
                let mark = self.translator.mark();
                self.translator.stored.clone_from(&stored);
                let mut later = later.to_vec();
                later.push(Later { results: &arm.yields, to, insts: after });
                self.goes_on(plays, at, &arm.insts, &later)?;
                self.translator.forget(mark);
                self.translator.cold = cold;
            }
            return Ok(());
        }
        self.translator.insts(insts)?;
        let Some((next, later)) = later.split_last() else {
            return self.dispatch(plays, (at + 1) % self.decisions.len().max(1));
        };
        let known = next.results.iter().map(|&result| self.translator.known(result)).collect::<Result<Vec<_>, _>>()?;
        if known.len() != next.to.len() {
            return Err(format!("{} results where {} are wanted", known.len(), next.to.len()));
        }
        next.to.iter().zip(known).try_for_each(|(&to, known)| self.translator.define(to, known))?;
        self.goes_on(plays, at, next.insts, later)
    }

    /// Goes to the decision of the state; that of the number `next` is asked for first, if nothing is known.
    fn dispatch(&mut self, plays: &Plays<'_>, next: usize) -> Result<(), String> {
        let (word, shift, bits) = plays.number;
        let mask = bits.checked_shl(shift).unwrap_or(0);
        if let Some(known) = self.translator.stored.get(word).copied().flatten().and_then(|stored| stored.of(mask)) {
            let number = (known >> (shift & 63)) as usize;
            let label = match number.checked_sub(1) {
                None => self.over,
                Some(index) => self.decisions.get(index).copied().flatten().unwrap_or(self.paused),
            };
            self.translator.builder.ins().jump(label, &[]);
            return Ok(());
        }
        let word = self.words.get(word).copied().ok_or("the state has no number of its decision")?;
        let builder = &mut self.translator.builder;
        let number = builder.use_var(word);
        let number = builder.ins().ushr_imm_u(number, i64::from(shift & 63));
        let number = builder.ins().band_imm_u(number, bits.cast_signed());
        if let Some(&Some(label)) = self.decisions.get(next) {
            let other = builder.create_block();
            let here = builder.ins().icmp_imm_u(IntCC::Equal, number, next as i64 + 1);
            builder.ins().brif(here, label, &[], other, &[]);
            builder.switch_to_block(other);
        }
        let mut switch = Switch::new();
        switch.set_entry(0, self.over);
        for (number, label) in (1..).zip(&self.decisions) {
            if let Some(label) = label {
                switch.set_entry(number, *label);
            }
        }
        switch.emit(builder, number, self.paused);
        Ok(())
    }

    /// Notes whether the last move was made speculatively.
    fn note_speculation(&mut self, speculative: bool) {
        let builder = &mut self.translator.builder;
        let speculative = builder.ins().iconst(I64, i64::from(speculative));
        builder.ins().store(memory(), speculative, self.fields, field::SPECULATIVE);
    }

    /// One ply: a decision and what follows it. `speculates` says whether any move is made speculatively.
    fn ply(&mut self, plays: &Plays<'_>, at: usize, decision: Decision<'a>, speculates: bool) -> Result<(), String> {
        let Decision { decide, apply, speculative, passes, chance, written } = decision;
        let builder = &mut self.translator.builder;
        let (list, chosen) = (builder.create_block(), builder.create_block());
        let rest = builder.ins().load(I64, memory(), self.fields, field::REST);
        builder.ins().brif(rest, list, &[], self.paused, &[]);
        builder.switch_to_block(list);
        builder.def_var(self.translator.cursor, self.buffer);
        self.translator.begin(decide, self.paused, written);
        self.translator.body(&[])?;

        let builder = &mut self.translator.builder;
        let end = builder.use_var(self.translator.cursor);
        let bytes = builder.ins().isub(end, self.buffer);
        let count = if written == Written::InBytes { bytes } else { builder.ins().ushr_imm_u(bytes, 3) };
        let draw = builder.create_block();
        builder.ins().brif(count, draw, &[], self.paused, &[]);
        builder.switch_to_block(draw);
        let rng = self.rng.map(|word| self.translator.builder.use_var(word));
        let index = self.below(count);
        let word = match self.translator.packs.take() {
            Some(packs) => self.unpacked(index, &packs),
            None => self.listed(index),
        };
        if speculates && passes.0 != 0 {
            self.unless_pass(word, passes, rng);
        }
        self.count(count, chance);
        let builder = &mut self.translator.builder;
        let before: Vec<Value> = self.words.iter().map(|&word| builder.use_var(word)).collect();
        if speculative {
            for (at, &value) in (0..).zip(&before) {
                builder.ins().store(memory(), value, self.state, 8 * at);
            }
            builder.ins().store(memory(), word, self.fields, field::CHOSEN);
        }
        if speculates {
            self.note_speculation(speculative);
        }
        self.translator.begin(apply, if speculative { self.back } else { chosen }, Written::InWords);
        self.translator.arguments(&[word])?;
        self.goes_on(plays, at, &apply.function.body.insts, &[])?;

        // It took a side exit: the state is as it was.
        let builder = &mut self.translator.builder;
        builder.set_cold_block(chosen);
        builder.switch_to_block(chosen);
        if speculative {
            builder.ins().jump(self.back, &[]);
            return Ok(());
        }
        for (&word, value) in self.words.iter().zip(before) {
            builder.def_var(word, value);
        }
        builder.ins().store(memory(), word, self.fields, field::CHOSEN);
        let reason = builder.ins().iconst(I64, CHOSEN);
        builder.ins().jump(self.leave, &[BlockArg::Value(reason)]);
        Ok(())
    }

    /// Counts a move, in memory: registers are for the play. Of moves of `random` only their number matters.
    fn count(&mut self, choices: Value, chance: bool) {
        let builder = &mut self.translator.builder;
        let add = |builder: &mut FunctionBuilder<'_>, offset: i32, more: Value| {
            let sum = builder.ins().load(I64, memory(), self.fields, offset);
            let sum = builder.ins().iadd(sum, more);
            builder.ins().store(memory(), sum, self.fields, offset);
        };
        let less = builder.ins().iconst(I64, -1);
        add(builder, field::REST, less);
        if chance {
            let one = builder.ins().iconst(I64, 1);
            add(builder, field::CHANCE, one);
            return;
        }
        add(builder, field::CHOICES, choices);
        let [rare, common] = std::array::from_fn(|_| builder.create_block());
        let most = builder.ins().load(I64, memory(), self.fields, field::MOST);
        let greater = builder.ins().icmp(IntCC::UnsignedGreaterThan, choices, most);
        builder.ins().brif(greater, rare, &[], common, &[]);
        builder.set_cold_block(rare);
        builder.switch_to_block(rare);
        builder.ins().store(memory(), choices, self.fields, field::MOST);
        builder.ins().jump(common, &[]);
        builder.switch_to_block(common);
    }

    /// Goes on unless the move is a pass and the one before it was made speculatively: then that was wrong, and nothing was drawn.
    fn unless_pass(&mut self, word: Value, (passes, kind): (u64, u32), rng: [Value; 4]) {
        let builder = &mut self.translator.builder;
        let [pass, wrong, right] = std::array::from_fn(|_| builder.create_block());
        let kind = builder.ins().ushr_imm_u(word, i64::from(kind));
        let last = builder.ins().iconst(I64, 63);
        let kind = builder.ins().umin(kind, last);
        let passes = builder.ins().iconst(I64, passes.cast_signed());
        let bit = builder.ins().ushr(passes, kind);
        let bit = builder.ins().band_imm_u(bit, 1);
        builder.ins().brif(bit, pass, &[], right, &[]);
        builder.set_cold_block(pass);
        builder.switch_to_block(pass);
        let speculative = builder.ins().load(I64, memory(), self.fields, field::SPECULATIVE);
        builder.ins().brif(speculative, wrong, &[], right, &[]);
        builder.set_cold_block(wrong);
        builder.switch_to_block(wrong);
        for (&word, value) in self.rng.iter().zip(rng) {
            builder.def_var(word, value);
        }
        builder.ins().jump(self.back, &[]);
        builder.switch_to_block(right);
    }

    /// The move with a number.
    fn listed(&mut self, index: Value) -> Value {
        let builder = &mut self.translator.builder;
        let offset = builder.ins().ishl_imm_u(index, 3);
        let address = builder.ins().iadd(self.buffer, offset);
        builder.ins().load(I64, memory(), address, 0)
    }

    /// The move with a number, of which the element is in a byte.
    fn unpacked(&mut self, index: Value, packs: &[Pack]) -> Value {
        let builder = &mut self.translator.builder;
        let address = builder.ins().iadd(self.buffer, index);
        // What was just written to memory is there later than in its register.
        let element = match self.translator.pieces.as_deref() {
            Some(&[elements]) => {
                let turn = builder.ins().ishl_imm_u(index, 3);
                let turned = builder.ins().ushr(elements, turn);
                builder.ins().band_imm_u(turned, 0xff)
            }
            _ => builder.ins().uload8(I64, memory(), address, 0),
        };
        let same = packs.windows(2).all(|pair| matches!(pair, [a, b] if a.by == b.by));
        let mut word = None;
        for pack in packs.iter().rev() {
            let this = if same {
                pack.base
            } else {
                let moved = builder.ins().ishl_imm_u(element, pack.by);
                builder.ins().iadd(pack.base, moved)
            };
            word = Some(match word {
                None => this,
                Some(other) => {
                    let here = builder.ins().icmp(IntCC::UnsignedLessThan, address, pack.end);
                    builder.ins().select(here, this, other)
                }
            });
        }
        match (word, packs.first()) {
            (Some(base), Some(pack)) if same => {
                let moved = builder.ins().ishl_imm_u(element, pack.by);
                builder.ins().iadd(base, moved)
            }
            (word, _) => word.unwrap_or(element),
        }
    }

    /// A number below a bound, each equally likely: as [`engine::Rng::below`].
    fn below(&mut self, bound: Value) -> Value {
        let first = self.scaled(bound);
        let builder = &mut self.translator.builder;
        let [rare, check, again, done] = std::array::from_fn(|_| builder.create_block());
        let (checked, accepted) = (builder.append_block_param(check, I64), builder.append_block_param(done, I64));
        let low = builder.ins().ireduce(I32, first);
        let narrow = builder.ins().ireduce(I32, bound);
        let short = builder.ins().icmp(IntCC::UnsignedLessThan, low, narrow);
        let first = [BlockArg::Value(first)];
        builder.ins().brif(short, rare, &[], done, &first);

        builder.set_cold_block(rare);
        builder.switch_to_block(rare);
        let rest = builder.ins().ineg(narrow);
        let threshold = builder.ins().urem(rest, narrow);
        builder.ins().jump(check, &first);
        builder.set_cold_block(check);
        builder.switch_to_block(check);
        let low = builder.ins().ireduce(I32, checked);
        let short = builder.ins().icmp(IntCC::UnsignedLessThan, low, threshold);
        builder.ins().brif(short, again, &[], done, &[BlockArg::Value(checked)]);
        builder.set_cold_block(again);
        builder.switch_to_block(again);
        let next = self.scaled(bound);
        let builder = &mut self.translator.builder;
        builder.ins().jump(check, &[BlockArg::Value(next)]);

        builder.switch_to_block(done);
        builder.ins().ushr_imm_u(accepted, 32)
    }

    /// The upper half of the next random word, times a bound.
    fn scaled(&mut self, bound: Value) -> Value {
        let builder = &mut self.translator.builder;
        let [s0, s1, s2, s3] = self.rng.map(|word| builder.use_var(word));
        let sum = builder.ins().iadd(s0, s3);
        let turned = builder.ins().rotl_imm_u(sum, 23);
        let result = builder.ins().iadd(turned, s0);
        let t = builder.ins().ishl_imm_u(s1, 17);
        let s2 = builder.ins().bxor(s2, s0);
        let s3 = builder.ins().bxor(s3, s1);
        let next = [builder.ins().bxor(s0, s3), builder.ins().bxor(s1, s2), builder.ins().bxor(s2, t)];
        let last = builder.ins().rotl_imm_u(s3, 45);
        for (&word, value) in self.rng.iter().zip(next.into_iter().chain([last])) {
            builder.def_var(word, value);
        }
        let high = builder.ins().ushr_imm_u(result, 32);
        builder.ins().imul(high, bound)
    }

    /// Notes the end of a play, and begins the next one if there is one.
    fn over(&mut self) {
        let builder = &mut self.translator.builder;
        builder.switch_to_block(self.over);
        let [start, end, left, rest, limit] = [field::START, field::ENDS, field::LEFT, field::REST, field::LIMIT]
            .map(|offset| builder.ins().load(I64, memory(), self.fields, offset));
        let plies = builder.ins().isub(limit, rest);
        let chance = builder.ins().load(I64, memory(), self.fields, field::CHANCE);
        let plies = builder.ins().isub(plies, chance);
        let noted: Vec<Value> = self.words.iter().map(|&word| builder.use_var(word)).chain([plies]).collect();
        for (at, &value) in (0..).zip(&noted) {
            builder.ins().store(memory(), value, end, 8 * at);
        }
        let end = builder.ins().iadd_imm_s(end, 8 * noted.len() as i64);
        let left = builder.ins().iadd_imm_s(left, -1);
        builder.ins().store(memory(), end, self.fields, field::ENDS);
        builder.ins().store(memory(), left, self.fields, field::LEFT);
        let next = builder.create_block();
        let why = builder.ins().iconst(I64, OVER);
        builder.ins().brif(left, next, &[], self.leave, &[BlockArg::Value(why)]);

        builder.switch_to_block(next);
        builder.ins().store(memory(), limit, self.fields, field::REST);
        let none = builder.ins().iconst(I64, 0);
        builder.ins().store(memory(), none, self.fields, field::CHANCE);
        for (at, &word) in (0..).zip(&self.words) {
            let value = builder.ins().load(I64, memory(), start, 8 * at);
            builder.def_var(word, value);
        }
        builder.ins().jump(self.begin, &[]);
    }

    /// Puts everything back to memory.
    fn ends(&mut self, speculative: bool) {
        let state = self.state;
        let builder = &mut self.translator.builder;
        let reason = builder.append_block_param(self.leave, I64);
        self.over();
        let builder = &mut self.translator.builder;
        builder.switch_to_block(self.paused);
        let why = builder.ins().iconst(I64, ASKED);
        let why = [BlockArg::Value(why)];
        if speculative {
            let last = builder.ins().load(I64, memory(), self.fields, field::SPECULATIVE);
            builder.ins().brif(last, self.back, &[], self.leave, &why);
        } else {
            builder.ins().jump(self.leave, &why);
        }
        builder.set_cold_block(self.back);
        builder.switch_to_block(self.back);
        for (at, &word) in (0..).zip(&self.words) {
            let value = builder.ins().load(I64, memory(), state, 8 * at);
            builder.def_var(word, value);
        }
        let why = builder.ins().iconst(I64, CHOSEN);
        builder.ins().jump(self.leave, &[BlockArg::Value(why)]);
        builder.switch_to_block(self.leave);
        for (at, &word) in (0..).zip(&self.words) {
            let value = builder.use_var(word);
            builder.ins().store(memory(), value, state, 8 * at);
        }
        for (at, &word) in (0..).zip(&self.rng) {
            let value = builder.use_var(word);
            builder.ins().store(memory(), value, self.fields, field::RNG + 8 * at);
        }
        builder.ins().return_(&[reason]);
    }
}
