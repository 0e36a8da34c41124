//! What a function may do besides computing.

use super::{Block, Inst, Op};

/// What a block may do. All of it is what the code says, not what happens: a `side_exit` on a constant 0 counts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Reads words of the state.
    pub loads: bool,
    /// Writes words of the state.
    pub stores: bool,
    /// Emits moves.
    pub emits: bool,
    /// Gives cases back.
    pub side_exits: bool,
    /// Repeats code an unknown number of times ([`Inst::Loop`]); an engine may give up there.
    pub loops: bool,
    /// Works on scratch memory.
    pub memory: bool,
}

impl Effects {
    /// Effects of a block, with all that it contains.
    #[must_use]
    pub fn of(block: &Block) -> Self {
        block.insts.iter().fold(Self::default(), |effects, inst| effects.or(Self::of_inst(inst)))
    }

    /// Effects of an instruction, with all that it contains.
    #[must_use]
    pub fn of_inst(inst: &Inst) -> Self {
        let none = Self::default();
        match inst {
            Inst::Let { op, .. } => Self { loads: matches!(op, Op::Load(_)), ..none },
            Inst::Call { .. } => none,
            Inst::Peek { .. } | Inst::Poke { .. } => Self { memory: true, ..none },
            Inst::Store { .. } => Self { stores: true, ..none },
            Inst::Emit { .. } | Inst::EmitSet { .. } => Self { emits: true, ..none },
            Inst::SideExit { .. } => Self { side_exits: true, ..none },
            Inst::If { then, other, .. } => Self::of(then).or(Self::of(other)),
            Inst::Switch { cases, .. } => cases.iter().fold(none, |all, case| all.or(Self::of(case))),
            Inst::Each { body, .. } => Self::of(body),
            Inst::Loop { body, .. } => Self { loops: true, ..Self::of(body) },
        }
    }

    /// Both, in any order.
    fn or(self, other: Self) -> Self {
        Self {
            loads: self.loads || other.loads,
            stores: self.stores || other.stores,
            emits: self.emits || other.emits,
            side_exits: self.side_exits || other.side_exits,
            loops: self.loops || other.loops,
            memory: self.memory || other.memory,
        }
    }

    /// Whether the block is that of a procedure: it works on scratch memory, and has no other effects than that.
    #[must_use]
    pub fn is_procedure(self) -> bool {
        self.memory && !(self.loads || self.stores || self.emits || self.side_exits)
    }
}
