//! From structured functions to flat code: blocks become jumps, and registers slots of a frame, which blocks side by side share.

use super::Costs;
use wir::{Block, FnId, Function, Inst, Op, Reg};

/// An instruction. Registers of operations are slots.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    Let {
        to: u32,
        op: Op,
    },
    /// The operations that come most often: each has a case of its own, without a second branch on the kind of operation.
    And {
        to: u32,
        a: u32,
        b: u32,
    },
    Or {
        to: u32,
        a: u32,
        b: u32,
    },
    AndNot {
        to: u32,
        a: u32,
        b: u32,
    },
    Shl {
        to: u32,
        a: u32,
        by: u32,
    },
    Shr {
        to: u32,
        a: u32,
        by: u32,
    },
    Select {
        to: u32,
        cond: u32,
        yes: u32,
        no: u32,
    },
    Load {
        to: u32,
        word: u32,
    },
    Table {
        to: u32,
        table: u32,
        index: u32,
    },
    /// An operation with a constant on its right.
    With {
        to: u32,
        a: u32,
        kind: Kind,
        value: u64,
    },
    Move {
        to: u32,
        from: u32,
    },
    Store {
        word: u32,
        value: u32,
    },
    Peek {
        to: u32,
        at: u32,
    },
    PeekAt {
        to: u32,
        place: u32,
    },
    Poke {
        at: u32,
        value: u32,
    },
    PokeAt {
        place: u32,
        value: u32,
    },
    Jump {
        target: u32,
    },
    JumpIfZero {
        on: u32,
        target: u32,
    },
    JumpUnlessZero {
        on: u32,
        target: u32,
    },
    /// To one of `count` targets; the last one stands for all behind it.
    Switch {
        on: u32,
        first: u32,
        count: u32,
    },
    /// Removes the lowest element from a set; jumps if the set is empty.
    Next {
        rest: u32,
        item: u32,
        end: u32,
    },
    /// A round of a loop begins.
    Round,
    /// The slots of the arguments begin at `first`.
    Call {
        function: FnId,
        first: u32,
        to: u32,
    },
    Return {
        value: u32,
    },
    ReturnNothing,
    Emit {
        base: u32,
    },
    EmitSet {
        base: u32,
        set: u32,
        shift: u8,
    },
    SideExit {
        cond: u32,
    },
    /// What the instructions of a block cost.
    Spend {
        steps: u32,
        cost: u32,
    },
}

/// An operation with a constant on its right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Add,
    Sub,
    And,
    Or,
    Eq,
    Ne,
    Less,
    Mul,
    Shr,
}

/// What instructions cost in machine code, in tenths of a nanosecond, more or less: the best fit for the plies of some thirty games
/// in both of their forms. Where code goes cannot be foreseen, nor how many moves a set has: most of that is the price of wrong guesses.
pub(super) mod price {
    pub(super) const OPERATION: u32 = 1;
    pub(super) const MEMORY: u32 = 2;
    pub(super) const BRANCH: u32 = 6;
    pub(super) const CALL: u32 = 12;
    pub(super) const EMISSION: u32 = 7;
    /// For each set with moves, beside 1 for each move.
    pub(in super::super) const MOVES: u64 = 40;
}

/// A function as flat code.
#[derive(Debug, Default)]
pub(super) struct Flat {
    pub(super) code: Vec<Code>,
    /// Slots of arguments.
    pub(super) operands: Vec<u32>,
    /// Targets of switches.
    pub(super) targets: Vec<u32>,
    /// Slots of a frame.
    pub(super) frame: u32,
    pub(super) params: u32,
}

impl Flat {
    /// Flattens a function. Linear, but for moves of values that trade places.
    pub(super) fn of(function: &Function, costs: Costs) -> Self {
        let flat = Flat { params: function.params, ..Self::default() };
        let mut writer = Writer {
            flat,
            slots: vec![0; function.registers as usize],
            constants: vec![None; function.registers as usize],
            next: 0,
            costs,
        };
        (0..function.params).for_each(|param| {
            writer.define(param);
        });
        writer.block(&function.body);
        let end = match function.body.yields.first() {
            Some(&value) => {
                let value = writer.slot(value);
                Code::Return { value }
            }
            None => Code::ReturnNothing,
        };
        writer.push(end);
        writer.flat
    }
}

struct Writer {
    flat: Flat,
    /// By register.
    slots: Vec<u32>,
    /// By register, its value if it is a constant: that gets a slot where one is needed.
    constants: Vec<Option<u64>>,
    /// The first slot that is free.
    next: u32,
    costs: Costs,
}

impl Writer {
    fn push(&mut self, code: Code) {
        self.flat.code.push(code);
    }

    fn here(&self) -> u32 {
        self.flat.code.len() as u32
    }

    fn fresh(&mut self) -> u32 {
        let slot = self.next;
        self.next += 1;
        self.flat.frame = self.flat.frame.max(self.next);
        slot
    }

    fn constant(&self, register: Reg) -> Option<u64> {
        self.constants.get(register as usize).copied().flatten()
    }

    /// The slot of a register; a constant is put into one.
    fn slot(&mut self, register: Reg) -> u32 {
        if let Some(value) = self.constant(register) {
            let to = self.fresh();
            self.push(Code::Let { to, op: Op::Const(value) });
            return to;
        }
        self.slots.get(register as usize).copied().unwrap_or(0)
    }

    /// A constant address of scratch memory.
    fn place(&self, register: Reg) -> Option<u32> {
        u32::try_from(self.constant(register)?).ok()
    }

    fn define(&mut self, register: Reg) -> u32 {
        let slot = self.fresh();
        self.alias(register, slot);
        slot
    }

    fn alias(&mut self, register: Reg, slot: u32) {
        if let Some(place) = self.slots.get_mut(register as usize) {
            *place = slot;
        }
    }

    /// Sets the target of a jump.
    fn land(&mut self, jump: u32, at: u32) {
        match self.flat.code.get_mut(jump as usize) {
            Some(
                Code::Jump { target }
                | Code::JumpIfZero { target, .. }
                | Code::JumpUnlessZero { target, .. }
                | Code::Next { end: target, .. },
            ) => *target = at,
            _ => debug_assert!(false, "only jumps land"),
        }
    }

    fn block(&mut self, block: &Block) {
        if self.costs == Costs::Added {
            let cost = block.insts.iter().map(cost).sum();
            self.push(Code::Spend { steps: block.insts.len() as u32, cost });
        }
        block.insts.iter().for_each(|inst| self.inst(inst));
    }

    /// A block inside another one, whose results go to slots.
    fn inside(&mut self, block: &Block, to: &[u32]) {
        let outer = self.next;
        self.block(block);
        self.yielded(&block.yields, to);
        self.next = outer;
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Let { to, op } => self.operation(*to, *op),
            Inst::Store { word, value } => {
                let value = self.slot(*value);
                self.push(Code::Store { word: *word, value });
            }
            Inst::Peek { to, at } => {
                let code = match self.place(*at) {
                    Some(place) => Code::PeekAt { to: self.define(*to), place },
                    None => {
                        let at = self.slot(*at);
                        Code::Peek { to: self.define(*to), at }
                    }
                };
                self.push(code);
            }
            Inst::Poke { at, value } => {
                let value = self.slot(*value);
                let code = match self.place(*at) {
                    Some(place) => Code::PokeAt { place, value },
                    None => Code::Poke { at: self.slot(*at), value },
                };
                self.push(code);
            }
            Inst::If { cond, then, other, to } => {
                let on = self.slot(*cond);
                self.branch(on, (then, other), to);
            }
            Inst::Switch { on, cases, to } => {
                let on = self.slot(*on);
                self.switch(on, cases, to);
            }
            Inst::Each { set, item, carried, body, to } => {
                let set = self.slot(*set);
                self.each(set, *item, (carried, to), body);
            }
            Inst::Loop { carried, body, to } => self.repeat((carried, to), body),
            Inst::Call { function, args, to } => {
                let args: Vec<u32> = args.iter().map(|&arg| self.slot(arg)).collect();
                let first = self.flat.operands.len() as u32;
                self.flat.operands.extend(args);
                let to = self.define(*to);
                self.push(Code::Call { function: *function, first, to });
            }
            Inst::Emit { base } => {
                let base = self.slot(*base);
                self.push(Code::Emit { base });
            }
            Inst::EmitSet { base, set, shift } => {
                let (base, set) = (self.slot(*base), self.slot(*set));
                self.push(Code::EmitSet { base, set, shift: *shift as u8 });
            }
            Inst::SideExit { cond } => {
                let cond = self.slot(*cond);
                self.push(Code::SideExit { cond });
            }
        }
    }

    fn branch(&mut self, on: u32, (then, other): (&Block, &Block), to: &[Reg]) {
        let to: Vec<u32> = to.iter().map(|&to| self.define(to)).collect();
        let jump = self.here();
        self.push(Code::JumpIfZero { on, target: 0 });
        self.inside(then, &to);
        if other.insts.is_empty() && to.is_empty() {
            return self.land(jump, self.here());
        }
        let end = self.here();
        self.push(Code::Jump { target: 0 });
        self.land(jump, self.here());
        self.inside(other, &to);
        self.land(end, self.here());
    }

    fn switch(&mut self, on: u32, cases: &[Block], to: &[Reg]) {
        let to: Vec<u32> = to.iter().map(|&to| self.define(to)).collect();
        let (first, count) = (self.flat.targets.len() as u32, cases.len() as u32);
        self.flat.targets.extend(cases.iter().map(|_| 0));
        self.push(Code::Switch { on, first, count });
        let mut ends = Vec::new();
        for (at, case) in (first as usize..).zip(cases) {
            let here = self.here();
            if let Some(target) = self.flat.targets.get_mut(at) {
                *target = here;
            }
            self.inside(case, &to);
            ends.push(self.here());
            self.push(Code::Jump { target: 0 });
        }
        ends.into_iter().for_each(|end| self.land(end, self.here()));
    }

    /// Gives what a loop carries its first values: the slots, in which the results are in the end.
    fn begin(&mut self, (carried, to): (&[(Reg, Reg)], &[Reg])) -> Vec<u32> {
        let slots: Vec<u32> = carried.iter().map(|_| self.fresh()).collect();
        for (&slot, &(_, first)) in slots.iter().zip(carried) {
            let from = self.slot(first);
            self.push(Code::Move { to: slot, from });
        }
        for (&slot, &(param, _)) in slots.iter().zip(carried) {
            self.alias(param, slot);
        }
        to.iter().zip(&slots).for_each(|(&to, &slot)| self.alias(to, slot));
        slots
    }

    fn each(&mut self, set: u32, item: Reg, carried: (&[(Reg, Reg)], &[Reg]), body: &Block) {
        let slots = self.begin(carried);
        let outer = self.next;
        let rest = self.fresh();
        self.push(Code::Move { to: rest, from: set });
        let item = self.define(item);
        let head = self.here();
        self.push(Code::Next { rest, item, end: 0 });
        self.inside(body, &slots);
        self.push(Code::Jump { target: head });
        self.land(head, self.here());
        self.next = outer;
    }

    fn repeat(&mut self, carried: (&[(Reg, Reg)], &[Reg]), body: &Block) {
        let slots = self.begin(carried);
        let outer = self.next;
        let head = self.here();
        self.push(Code::Round);
        self.block(body);
        let Some((&on, next)) = body.yields.split_first() else { return };
        let mut on = self.slot(on);
        if slots.contains(&on) {
            let kept = self.fresh();
            self.push(Code::Move { to: kept, from: on });
            on = kept;
        }
        self.yielded(next, &slots);
        self.push(Code::JumpUnlessZero { on, target: head });
        self.next = outer;
    }

    /// Moves the results of a block to slots.
    fn yielded(&mut self, from: &[Reg], to: &[u32]) {
        let (constants, others): (Vec<_>, Vec<_>) =
            from.iter().zip(to).partition(|&(&from, _)| self.constant(from).is_some());
        let moves = others.into_iter().map(|(&from, &to)| (self.slot(from), to)).collect();
        self.moves(moves);
        for (&from, &to) in constants {
            if let Some(value) = self.constant(from) {
                self.push(Code::Let { to, op: Op::Const(value) });
            }
        }
    }

    /// An operation.
    fn operation(&mut self, to: Reg, op: Op) {
        if let Op::Const(value) = op {
            if let Some(place) = self.constants.get_mut(to as usize) {
                *place = Some(value);
            }
            return;
        }
        let with = |a: Reg, b: Reg, kind: Kind, swaps: bool| match (self.constant(a), self.constant(b)) {
            (_, Some(value)) => Some((a, kind, value)),
            (Some(value), None) if swaps => Some((b, kind, value)),
            _ => None,
        };
        let with = match op {
            Op::Add(a, b) => with(a, b, Kind::Add, true),
            Op::Sub(a, b) => with(a, b, Kind::Sub, false),
            Op::And(a, b) => with(a, b, Kind::And, true),
            Op::Or(a, b) => with(a, b, Kind::Or, true),
            Op::Eq(a, b) => with(a, b, Kind::Eq, true),
            Op::Ne(a, b) => with(a, b, Kind::Ne, true),
            Op::Less(a, b) => with(a, b, Kind::Less, false),
            Op::Mul(a, b) => with(a, b, Kind::Mul, true),
            Op::ShrBy(a, by) => Some((a, Kind::Shr, u64::from(by))),
            _ => None,
        };
        let code = match with {
            Some((a, kind, value)) => {
                let a = self.slot(a);
                Code::With { to: self.define(to), a, kind, value }
            }
            None => {
                let op = op.map_reads(|register| self.slot(register));
                let to = self.define(to);
                match op {
                    Op::And(a, b) => Code::And { to, a, b },
                    Op::Or(a, b) => Code::Or { to, a, b },
                    Op::AndNot(a, b) => Code::AndNot { to, a, b },
                    Op::Shl(a, by) => Code::Shl { to, a, by },
                    Op::Shr(a, by) => Code::Shr { to, a, by },
                    Op::Select(cond, yes, no) => Code::Select { to, cond, yes, no },
                    Op::Load(word) => Code::Load { to, word },
                    Op::Table(table, index) => Code::Table { to, table, index },
                    op => Code::Let { to, op },
                }
            }
        };
        self.push(code);
    }

    /// Parallel moves `(from, to)` as a sequence: each is written once its target is no longer read; cycles are broken through a temporary
    /// slot. Quadratic in the number of moves.
    fn moves(&mut self, mut moves: Vec<(u32, u32)>) {
        moves.retain(|&(from, to)| from != to);
        while !moves.is_empty() {
            let free = moves.iter().position(|&(_, to)| moves.iter().all(|&(from, _)| from != to));
            match free {
                Some(at) => {
                    let (from, to) = moves.swap_remove(at);
                    self.push(Code::Move { to, from });
                }
                None => {
                    let kept = self.fresh();
                    if let Some(&(first, _)) = moves.first() {
                        self.push(Code::Move { to: kept, from: first });
                        moves.iter_mut().filter(|(from, _)| *from == first).for_each(|(from, _)| *from = kept);
                    }
                }
            }
        }
    }
}

/// What an instruction costs, blocks inside it not included.
fn cost(inst: &Inst) -> u32 {
    match inst {
        Inst::Let { op: Op::Const(_), .. } => 0,
        Inst::Let { .. } | Inst::Store { .. } | Inst::SideExit { .. } => price::OPERATION,
        Inst::Peek { .. } | Inst::Poke { .. } => price::MEMORY,
        Inst::If { .. } | Inst::Switch { .. } => price::BRANCH,
        Inst::Each { .. } | Inst::Loop { .. } => 0,
        Inst::Call { .. } => price::CALL,
        Inst::Emit { .. } | Inst::EmitSet { .. } => price::EMISSION,
    }
}
