//! The reasoner program as data: pure functions over 64-bit words, in SSA form with structured control flow.
//!
//! All values are words. A truth value is 0 or 1, an element of a finite type its number, a set of elements one bit per
//! element over as many words as it takes. A program knows nothing of types, maps or nodes: the lifting compiler made
//! all that into words.
//!
//! - Every register is defined exactly once, by an instruction or as the parameter of a block, and may be used in what
//!   follows it in its block and in the blocks inside.
//! - The state is an array of words that functions read ([`Op::Load`]) and write ([`Inst::Store`]).
//! - Moves go out through [`Inst::Emit`] and [`Inst::EmitSet`]; what happens with them is the engine's business: they
//!   are listed, counted, or kept as sets.
//! - Scratch memory ([`Inst::Peek`], [`Inst::Poke`]) is for searches: what is on a stack, marked as visited, or collected.
//! - [`Inst::SideExit`] gives a case back to the caller: the function ends at once, and neither its emissions nor its
//!   stores count. So code may be fast on what happens and leave what hardly ever does to a slower engine.

pub mod calls;
pub mod effects;
mod lex;
mod ops;
mod parse;
mod print;
pub mod profile;
pub mod uses;
pub mod verify;

pub use lex::ParseError;
pub use ops::{Op, stride};
pub use parse::{parse, parse_counted};

/// A register: holds one word.
pub type Reg = u32;

/// Index into [`Program::functions`].
pub type FnId = u32;

/// Tables, functions and the size of the state.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Program {
    /// Constant tables.
    pub tables: Vec<Table>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Number of words of a state.
    pub state_words: u32,
    /// Number of words of scratch memory, a power of two or 0. It holds zeros at first, and what earlier calls have left later,
    /// those that took a side exit included; which calls these were depends on threads.
    pub scratch_words: u32,
}

/// A constant table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    /// Entries. Their number is a power of two: indices are taken modulo it.
    pub entries: Vec<u64>,
}

/// A function from words and the state to words, emissions and the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// For people.
    pub name: String,
    /// Registers `0..params` are the arguments.
    pub params: u32,
    /// Number of registers; all are below it.
    pub registers: u32,
    /// Code; what it yields is the result.
    pub body: Block,
}

/// Instructions in order, and the values that the block passes on.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Block {
    /// Code.
    pub insts: Vec<Inst>,
    /// Results.
    pub yields: Vec<Reg>,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inst {
    /// `to = op`.
    Let {
        /// The new register.
        to: Reg,
        /// Its value.
        op: Op,
    },
    /// `state[word] = value`.
    Store {
        /// Index of the word.
        word: u32,
        /// What it becomes.
        value: Reg,
    },
    /// Runs one of two blocks; their yields are as many as `to` and define it.
    If {
        /// 0 chooses `other`, anything else `then`.
        cond: Reg,
        /// See `cond`.
        then: Block,
        /// See `cond`.
        other: Block,
        /// Results.
        to: Vec<Reg>,
    },
    /// Runs the block number `on`, the last one if there are not so many. There is at least one.
    Switch {
        /// What decides.
        on: Reg,
        /// The blocks; each yields as many values as `to`.
        cases: Vec<Block>,
        /// Results.
        to: Vec<Reg>,
    },
    /// Runs the body for each bit of a word, from the lowest to the highest.
    Each {
        /// The word.
        set: Reg,
        /// Parameter of the body: the bit's position, 0 to 63.
        item: Reg,
        /// Parameters of the body that it yields anew for the next round, with their first values.
        carried: Vec<(Reg, Reg)>,
        /// Code.
        body: Block,
        /// The last values of `carried`.
        to: Vec<Reg>,
    },
    /// Runs the body at least once and as long as its first yield is not 0.
    Loop {
        /// As for `Each`.
        carried: Vec<(Reg, Reg)>,
        /// Code; yields whether to go on, then the next values of `carried`.
        body: Block,
        /// The last values of `carried`.
        to: Vec<Reg>,
    },
    /// `to = scratch[at]`, the index taken modulo the size of the memory.
    Peek {
        /// The new register.
        to: Reg,
        /// The index.
        at: Reg,
    },
    /// `scratch[at] = value`, the index taken modulo the size of the memory.
    Poke {
        /// The index.
        at: Reg,
        /// What it becomes.
        value: Reg,
    },
    /// Calls a function with one result: an earlier one that only computes, without [`Inst::Loop`]s; or, where this function
    /// works on scratch memory, any *procedure*, which does the same. Procedures neither read nor write the state, nor do
    /// they emit or take side exits; they may call each other in circles.
    Call {
        /// Its number.
        function: FnId,
        /// As many as it has parameters.
        args: Vec<Reg>,
        /// Its result.
        to: Reg,
    },
    /// Emits the move `base`.
    Emit {
        /// A move word.
        base: Reg,
    },
    /// Emits `base + (i << shift)` for each bit i of a set, in ascending order.
    EmitSet {
        /// A move word.
        base: Reg,
        /// The set.
        set: Reg,
        /// Where the element goes; below 64.
        shift: u32,
    },
    /// Gives the case back to the caller if `cond` is not 0.
    SideExit {
        /// What decides.
        cond: Reg,
    },
}

/// Most entries of a row.
pub const MAX_WIDTH: u32 = 64;

impl Function {
    /// How many instructions it has, those of inner blocks included. Linear.
    #[must_use]
    pub fn size(&self) -> usize {
        uses::size(&self.body)
    }
}

impl Table {
    /// The row with a number that [`Op::Within`] reads: so many entries. Empty if there is none.
    #[must_use]
    pub fn row(&self, number: u64, width: u32) -> &[u64] {
        let rows = self.entries.len() / stride(width);
        let from = (number as usize & rows.wrapping_sub(1)).saturating_mul(stride(width));
        self.entries.get(from..).and_then(|rest| rest.get(..width as usize)).unwrap_or_default()
    }
}
