//! From structured code to a list of instructions on any number of registers, with fused forms.

use super::code::Code;
use super::step::place;
use super::uses::{Uses, rounds};
use rg_ir::invariant::Invariant;
use rustc_hash::FxHashMap;
use wir::effects::Effects;
use wir::uses::inner;
use wir::{Block, Function, Inst, Op, Program, Reg, stride};

/// A register before slots are assigned: index into [`Flat::kinds`].
pub(super) type Value = u32;

/// Index into [`Flat::labels`].
pub(super) type Label = u32;

/// Functions with more instructions are not run.
const MAX_ITEMS: usize = 1 << 18;

/// States with at most so many words are copied into the frame, where access costs nothing.
pub(super) const MAX_STATE_IN_FRAME: u32 = 64;

/// How many operations may wait for the one that uses them.
const MAX_WAITING: u8 = 64;

/// Rounds of nested `each` up to which nobody has to count.
const FEW_ROUNDS: u64 = 10_000_000;

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A value of its own.
    Free,
    /// An entry of [`Flat::constants`].
    Constant(u32),
    /// A word of the state that is in the frame and never changes.
    Fixed(u32),
    /// A word of the state that is in the frame and may change.
    Changing(u32),
    /// The argument.
    Argument,
}

/// A step of a flat function.
#[derive(Debug)]
pub(super) enum Item {
    /// An instruction; targets are labels.
    Code(Code<Value>),
    /// Copies (to, from) that all happen at once, in so many loops.
    Moves(Vec<(Value, Value)>, u32),
    /// A place to jump to.
    Label(Label),
    /// Jumps to the label number `on`, or the last.
    Switch(Value, Vec<Label>),
}

/// What is known of a label.
#[derive(Clone, Default, Debug)]
pub(super) struct LabelInfo {
    /// Forward jumps to it.
    pub(super) jumps: u32,
    /// If it is the head of a loop: the registers that are set anew before each round.
    pub(super) anew: Option<Vec<Value>>,
}

/// A flat function.
#[derive(Default, Debug)]
pub(super) struct Flat {
    pub(super) items: Vec<Item>,
    pub(super) kinds: Vec<Kind>,
    pub(super) labels: Vec<LabelInfo>,
    pub(super) constants: Vec<u64>,
    /// The state is in the frame.
    pub(super) framed: bool,
    /// Rounds of `each` are counted.
    pub(super) counted: bool,
    /// The changing words in the frame; they are read at the end.
    pub(super) changing: Vec<Value>,
}

/// Flattens a function; `starts` says where the tables are. `None` if it is too large.
pub(super) fn flatten(program: &Program, function: &Function, starts: &[u32]) -> Option<Flat> {
    let count = function.registers as usize;
    let mut uses = Uses { reads: vec![(0, 0); count], stores: vec![0; program.state_words as usize], loops: 0 };
    uses.block(&function.body, 0);
    let framed = program.state_words <= MAX_STATE_IN_FRAME;
    let counted = Effects::of(&function.body).loops || rounds(&function.body) > FEW_ROUNDS;
    let mut flattener = Flattener {
        program,
        starts,
        flat: Flat { framed, counted, ..Flat::default() },
        names: vec![0; count],
        pending: vec![None; count],
        reads: uses.reads,
        stores: uses.stores,
        made_in: vec![0; count],
        block: 0,
        blocks: 0,
        constants: FxHashMap::default(),
        state: Vec::new(),
        exit: 0,
        doubts: Vec::new(),
        loops: 0,
        current: 0,
        depth: 0,
        too_large: false,
    };
    flattener.function(function);
    (!flattener.too_large).then_some(flattener.flat)
}

pub(super) struct Flattener<'a> {
    pub(super) program: &'a Program,
    starts: &'a [u32],
    pub(super) flat: Flat,
    /// By register of the function: where its value is.
    names: Vec<Value>,
    /// By register of the function: its operation, if that is not computed yet, and how many wait for it.
    pending: Vec<Option<(Op, u8)>>,
    reads: Vec<(u32, u32)>,
    /// By word of the state: number of instructions that write it.
    stores: Vec<u32>,
    /// By register of the function: the block that computes it.
    made_in: Vec<u32>,
    /// The block we are in, and blocks begun so far.
    block: u32,
    blocks: u32,
    constants: FxHashMap<u64, Value>,
    /// The words of the state, if they are in the frame.
    state: Vec<Value>,
    pub(super) exit: Label,
    /// Conditions of this block for giving the case back that have not been looked at yet.
    doubts: Vec<Reg>,
    /// Loops begun so far, and the one we are in.
    loops: u32,
    current: u32,
    depth: u32,
    too_large: bool,
}

/// Loops take time, those in arms as well.
fn takes_time(inst: &Inst) -> bool {
    matches!(inst, Inst::Each { .. } | Inst::Loop { .. }) || inner(inst).any(|block| block.insts.iter().any(takes_time))
}

impl Flattener<'_> {
    fn function(&mut self, function: &Function) {
        self.exit = self.label();
        for param in 0..function.params {
            let value = self.fresh(Kind::Argument);
            self.name(param, value);
        }
        if self.flat.framed {
            let stores: Vec<u32> = self.stores.clone();
            for (word, stores) in (0..).zip(stores) {
                let stored = stores > 0;
                let kind = if stored { Kind::Changing(word) } else { Kind::Fixed(word) };
                let value = self.fresh(kind);
                self.state.push(value);
                if stored {
                    self.flat.changing.push(value);
                }
            }
        }
        self.insts(&function.body);
        match function.body.yields.first() {
            Some(&result) => {
                let value = self.value(result);
                self.push(Code::Return { value });
            }
            None => self.push(Code::End {}),
        }
        self.place(self.exit);
        self.push(Code::Bail {});
    }

    fn item(&mut self, item: Item) {
        if self.flat.items.len() < MAX_ITEMS {
            self.flat.items.push(item);
        } else {
            self.too_large = true;
        }
    }

    pub(super) fn push(&mut self, code: Code<Value>) {
        if let Some(target) = code.target().filter(|_| !code.is_back()) {
            self.jump_to(target);
        }
        self.item(Item::Code(code));
    }

    fn jump_to(&mut self, label: Label) {
        if let Some(info) = self.flat.labels.get_mut(label as usize) {
            info.jumps += 1;
        }
    }

    fn label(&mut self) -> Label {
        self.flat.labels.push(LabelInfo::default());
        self.flat.labels.len() as Label - 1
    }

    fn place(&mut self, label: Label) {
        self.item(Item::Label(label));
    }

    pub(super) fn fresh(&mut self, kind: Kind) -> Value {
        self.flat.kinds.push(kind);
        self.flat.kinds.len() as Value - 1
    }

    fn name(&mut self, register: Reg, value: Value) {
        if let Some(name) = self.names.get_mut(register as usize) {
            *name = value;
        }
    }

    fn is_read(&self, register: Reg) -> bool {
        self.reads.get(register as usize).is_some_and(|&(count, _)| count > 0)
    }

    /// The operation that still waits to be computed for a register.
    pub(super) fn pending(&self, register: Reg) -> Option<Op> {
        self.pending.get(register as usize).copied().flatten().map(|(op, _)| op)
    }

    /// Where the value of a register is; it is computed here if it has not been yet.
    pub(super) fn value(&mut self, register: Reg) -> Value {
        if let Some((op, _)) = self.pending.get_mut(register as usize).and_then(Option::take) {
            self.compute_now(register, op);
        }
        self.names.get(register as usize).copied().invariant_or(0, "registers are below their number")
    }

    fn compute_now(&mut self, register: Reg, op: Op) {
        let value = self.compute(op);
        self.name(register, value);
    }

    pub(super) fn constant(&mut self, value: u64) -> Value {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let known = self.fresh(Kind::Constant(self.flat.constants.len() as u32));
        self.flat.constants.push(value);
        self.constants.insert(value, known);
        known
    }

    /// Whether a register is known to be this number.
    pub(super) fn is_constant(&self, register: Reg, value: u64) -> bool {
        let name = self.names.get(register as usize);
        self.pending(register).is_none() && name.is_some() && self.constants.get(&value) == name
    }

    fn insts(&mut self, block: &Block) {
        self.blocks += 1;
        let around = std::mem::replace(&mut self.block, self.blocks);
        let doubts = std::mem::take(&mut self.doubts);
        block.insts.iter().for_each(|inst| self.inst(inst));
        self.settle();
        self.doubts = doubts;
        self.block = around;
    }

    /// Looks at all conditions at once: what came after them does not count if one of them holds.
    fn settle(&mut self) {
        let doubts = std::mem::take(&mut self.doubts);
        self.give_back(&doubts);
    }

    fn inst(&mut self, inst: &Inst) {
        if !self.doubts.is_empty() && takes_time(inst) {
            self.settle();
        }
        match inst {
            Inst::Let { to, op } => self.define(*to, *op),
            Inst::Store { word, value } => self.store(*word, *value),
            Inst::If { cond, then, other, to } => {
                let to = self.results(to);
                let (otherwise, end) = (self.label(), self.label());
                self.branch(*cond, false, otherwise);
                self.arm(then, &to);
                self.push(Code::Jump { target: end });
                self.place(otherwise);
                self.arm(other, &to);
                self.place(end);
            }
            Inst::Switch { on, cases, to } => {
                let to = self.results(to);
                let on = self.value(*on);
                let labels: Vec<Label> = cases.iter().map(|_| self.label()).collect();
                labels.iter().for_each(|&label| self.jump_to(label));
                let end = self.label();
                self.item(Item::Switch(on, labels.clone()));
                for (case, label) in cases.iter().zip(labels) {
                    self.place(label);
                    self.arm(case, &to);
                    self.push(Code::Jump { target: end });
                }
                self.place(end);
            }
            Inst::Each { set, item, carried, body, to } => self.each(*set, *item, carried, body, to),
            Inst::Loop { carried, body, to } => self.turns(carried, body, to),
            // Calls are inlined before, and functions that work on memory are walked.
            Inst::Call { .. } | Inst::Peek { .. } | Inst::Poke { .. } => self.too_large = true,
            Inst::Emit { base } => {
                let base = self.value(*base);
                self.push(Code::Emit { base });
            }
            Inst::EmitSet { base, set, shift } => {
                let (base, set) = (self.value(*base), self.value(*set));
                self.push(Code::EmitSet { base, set, shift: *shift as u8 });
            }
            Inst::SideExit { cond } => self.doubts.push(*cond),
        }
    }

    fn store(&mut self, word: u32, register: Reg) {
        let value = self.value(register);
        let Some(&at) = self.state.get(word as usize) else {
            return self.push(Code::Store { word, value });
        };
        self.moves(vec![(at, value)]);
        // From here on the word is the value, if nothing else writes it and all uses of the value come after both.
        let here = self.made_in.get(register as usize) == Some(&self.block);
        let free = matches!(self.flat.kinds.get(value as usize), Some(Kind::Free));
        if here && free && self.stores.get(word as usize) == Some(&1) {
            self.name(register, at);
        }
    }

    /// An operation that is used once, and not in another loop, waits for its use: it may become a part of that.
    fn define(&mut self, to: Reg, op: Op) {
        if let Some(made_in) = self.made_in.get_mut(to as usize) {
            *made_in = self.block;
        }
        let (reads, inside) = self.reads.get(to as usize).copied().unwrap_or_default();
        if reads == 0 {
            return;
        }
        if let Op::Const(value) = op {
            let value = self.constant(value);
            return self.name(to, value);
        }
        if let Op::Load(word) = op {
            let value = self.load(word);
            return self.name(to, value);
        }
        let depth =
            |register: Reg| self.pending.get(register as usize).copied().flatten().map_or(0, |(_, depth)| depth);
        let depth = op.reads().map(depth).max().unwrap_or(0) + 1;
        if reads > 1 || inside != self.current || depth > MAX_WAITING {
            return self.compute_now(to, op);
        }
        if let Some(pending) = self.pending.get_mut(to as usize) {
            *pending = Some((op, depth));
        }
    }

    fn load(&mut self, word: u32) -> Value {
        let Some(&at) = self.state.get(word as usize) else {
            let to = self.fresh(Kind::Free);
            self.push(Code::Load { to, word });
            return to;
        };
        if !matches!(self.flat.kinds.get(at as usize), Some(Kind::Changing(_))) {
            return at;
        }
        let to = self.fresh(Kind::Free);
        self.moves(vec![(to, at)]);
        to
    }

    /// The place of a table.
    pub(super) fn place_of(&self, table: u32) -> u64 {
        let start = self.starts.get(table as usize).copied().invariant_or(0, "every table has a start");
        let len = self.program.tables.get(table as usize).map_or(1, |table| table.entries.len());
        place(start, (len as u32).wrapping_sub(1))
    }

    /// The place of a table of rows, of which the greatest number is the last row's.
    pub(super) fn rows_of(&self, table: u32, width: u32) -> u64 {
        let start = self.starts.get(table as usize).copied().invariant_or(0, "every table has a start");
        let len = self.program.tables.get(table as usize).map_or(1, |table| table.entries.len());
        place(start, ((len / stride(width)) as u32).saturating_sub(1))
    }

    fn moves(&mut self, moves: Vec<(Value, Value)>) {
        if !moves.is_empty() {
            self.item(Item::Moves(moves, self.depth));
        }
    }

    /// Registers for results; none for those that nobody reads.
    fn results(&mut self, to: &[Reg]) -> Vec<Option<Value>> {
        let result = |&register: &Reg| {
            let value = self.is_read(register).then(|| self.fresh(Kind::Free))?;
            self.name(register, value);
            Some(value)
        };
        to.iter().map(result).collect()
    }

    fn arm(&mut self, block: &Block, to: &[Option<Value>]) {
        self.insts(block);
        self.hand_over(&block.yields, to);
    }

    fn hand_over(&mut self, yields: &[Reg], to: &[Option<Value>]) {
        let wanted = yields.iter().zip(to).filter_map(|(&from, to)| to.map(|to| (to, from)));
        let moves = wanted.map(|(to, from)| (to, self.value(from))).collect();
        self.moves(moves);
    }

    /// Registers for carried values, with their first values; none for those that nobody reads.
    fn carry(&mut self, carried: &[(Reg, Reg)], to: &[Reg]) -> Vec<Option<Value>> {
        let mut values = Vec::new();
        let mut moves = Vec::new();
        for (&(param, first), &to) in carried.iter().zip(to) {
            let read = self.is_read(param) || self.is_read(to);
            let value = read.then(|| self.fresh(Kind::Free));
            if let Some(value) = value {
                moves.push((value, self.value(first)));
                self.name(param, value);
                self.name(to, value);
            }
            values.push(value);
        }
        self.moves(moves);
        values
    }

    fn enter(&mut self, head: Label, anew: Vec<Value>) -> u32 {
        if let Some(info) = self.flat.labels.get_mut(head as usize) {
            info.anew = Some(anew);
        }
        self.place(head);
        self.loops += 1;
        self.depth += 1;
        std::mem::replace(&mut self.current, self.loops)
    }

    fn leave(&mut self, outside: u32) {
        self.depth -= 1;
        self.current = outside;
    }

    fn each(&mut self, set: Reg, item: Reg, carried: &[(Reg, Reg)], body: &Block, to: &[Reg]) {
        let set = self.value(set);
        let values = self.carry(carried, to);
        let (element, rest) = (self.fresh(Kind::Free), self.fresh(Kind::Free));
        self.name(item, element);
        let (head, end) = (self.label(), self.label());
        self.push(Code::EachFirst { item: element, rest, set, target: end });
        let anew = values.iter().flatten().copied().chain([element]).collect();
        let outside = self.enter(head, anew);
        self.arm(body, &values);
        self.push(Code::EachNext { item: element, rest, counted: self.flat.counted, target: head });
        self.leave(outside);
        self.place(end);
    }

    fn turns(&mut self, carried: &[(Reg, Reg)], body: &Block, to: &[Reg]) {
        let values = self.carry(carried, to);
        let head = self.label();
        let outside = self.enter(head, values.iter().flatten().copied().collect());
        self.insts(body);
        if let Some((&on, yields)) = body.yields.split_first() {
            let mut cond = self.value(on);
            if values.contains(&Some(cond)) {
                // It is about to change.
                let copy = self.fresh(Kind::Free);
                self.moves(vec![(copy, cond)]);
                cond = copy;
            }
            self.hand_over(yields, &values);
            self.push(Code::LoopIf { cond, target: head });
        }
        self.leave(outside);
    }
}
