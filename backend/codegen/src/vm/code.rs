//! Bytecode: flat instructions on the words of a frame.

use super::group::Group;

/// Defines the instructions, each with the registers it writes, those it reads, and its constants.
macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident [$($w:ident)*] [$($r:ident)*] {$($i:ident: $t:ty),*})*) => {
        /// An instruction; `R` names registers. `target` is where to go on, if not with the next instruction.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Code<R> {
            $($(#[$meta])* $name { $($w: R,)* $($r: R,)* $($i: $t,)* }),*
        }

        impl<R> Code<R> {
            /// The same with other names for registers.
            #[allow(unused_mut, reason = "not every instruction reads and writes")]
            pub(super) fn map<S>(self, mut read: impl FnMut(R) -> S, mut write: impl FnMut(R) -> S) -> Code<S> {
                match self {
                    $(Code::$name { $($w,)* $($r,)* $($i,)* } => {
                        $(let $r = read($r);)*
                        $(let $w = write($w);)*
                        Code::$name { $($w,)* $($r,)* $($i,)* }
                    })*
                }
            }
        }
    };
}

codes! {
    Copy [to] [from] {}
    Not [to] [a] {}
    And [to] [a b] {}
    Or [to] [a b] {}
    Xor [to] [a b] {}
    AndNot [to] [a b] {}
    Shl [to] [a b] {}
    Shr [to] [a b] {}
    ShlBy [to] [a] { by: u8 }
    ShrBy [to] [a] { by: u8 }
    Add [to] [a b] {}
    Sub [to] [a b] {}
    Mul [to] [a b] {}
    Eq [to] [a b] {}
    Ne [to] [a b] {}
    Less [to] [a b] {}
    Select [to] [cond yes no] {}
    Count [to] [a] {}
    Lowest [to] [a] {}
    Highest [to] [a] {}
    /// From the state, where it is not in the frame.
    Load [to] [] { word: u32 }
    Store [] [value] { word: u32 }
    /// From the table that is at a place ([`super::step::place`]).
    Table [to] [index at] {}
    /// Whether one of the first entries of a row of the table that is at a place is a part of `word`.
    Within [to] [row word at] { width: u8 }
    /// `a & b & c`, and so on.
    And3 [to] [a b c] {}
    AndAndNot [to] [a b c] {}
    Or3 [to] [a b c] {}
    /// `(a & b) | c`, and so on.
    AndOr [to] [a b c] {}
    AndNotOr [to] [a b c] {}
    OrAnd [to] [a b c] {}
    /// `(a << by) & b`, and so on.
    ShlAnd [to] [a b] { by: u8 }
    ShrAnd [to] [a b] { by: u8 }
    ShlAndNot [to] [a b] { by: u8 }
    ShrAndNot [to] [a b] { by: u8 }
    ShlOr [to] [a b] { by: u8 }
    ShrOr [to] [a b] { by: u8 }
    ShlAdd [to] [a b] { by: u8 }
    /// The upper word of `a` and `b` together, shifted to the left by 1 to 63.
    Funnel [to] [a b] { by: u8 }
    FunnelAnd [to] [a b c] { by: u8 }
    FunnelOr [to] [a b c] { by: u8 }
    /// `(that & c) | e`.
    FunnelAndOr [to] [a b c e] { by: u8 }
    /// `((a << by) & b) | c`.
    ShlAndOr [to] [a b c] { by: u8 }
    ShrAndOr [to] [a b c] { by: u8 }
    /// `(a >> b) & 1`.
    Bit [to] [a b] {}
    /// `(a & b) | (c & d) | e`.
    MaskedOr [to] [a b c d e] {}
    Or5 [to] [a b c d e] {}
    /// `b` if `a`, else `d` if `c`, else `e`.
    Pick [to] [a b c d e] {}
    /// From the table that is at a place, the entry of the highest bit of `a`, or number 64.
    TopEntry [to] [a at] {}
    /// `a ^ (a - 1)`: all bits up to the lowest one.
    UpTo [to] [a] {}
    /// `a ^ (a - (b == 0))`: the same for the upper word of two.
    Through [to] [a b] {}
    /// `a & b` unless `c`, or if `c`; else nothing.
    AndUnless [to] [a b c] {}
    AndIf [to] [a b c] {}
    /// `a & (b >> c) & 1`, and `a & !((b >> c) & 1)`.
    AndBit [to] [a b c] {}
    AndNotBit [to] [a b c] {}
    /// `(a >> entry) & 1`.
    BitOfEntry [to] [a index at] {}
    /// `a & (b == c)`, and so on.
    AndEq [to] [a b c] {}
    AndNe [to] [a b c] {}
    /// `b | c` if `a`, else `c`.
    IfOr [to] [a b c] {}
    /// `entry | d` if `a`, else `d`.
    EntryIfOr [to] [a index at d] {}
    Emit [] [base] {}
    EmitSet [] [base set] { shift: u8 }
    Jump [] [] { target: u32 }
    JumpIf [] [cond] { target: u32 }
    JumpUnless [] [cond] { target: u32 }
    JumpEq [] [a b] { target: u32 }
    JumpNe [] [a b] { target: u32 }
    JumpLess [] [a b] { target: u32 }
    JumpNotLess [] [a b] { target: u32 }
    /// If the two have a bit in common.
    JumpMeet [] [a b] { target: u32 }
    JumpApart [] [a b] { target: u32 }
    /// If `a` has the bit at position `b`.
    JumpBit [] [a b] { target: u32 }
    JumpNoBit [] [a b] { target: u32 }
    /// The lowest bit of a set as `item` and the others as `rest`; goes to `target` if there is none.
    EachFirst [item rest] [set] { target: u32 }
    /// The lowest bit of `rest`, which loses it; goes back to `target` if there is one. It writes `rest`, too, which is
    /// in use over the whole loop.
    EachNext [item] [rest] { counted: bool, target: u32 }
    /// Back to `target` if `cond`, with a budget.
    LoopIf [] [cond] { target: u32 }
    /// Goes to the target number `first + min(on, last)` of the function.
    Switch [] [on] { first: u32, last: u32 }
    Return [] [value] {}
    End [] [] {}
    Bail [] [] {}
}

impl<R: Copy> Code<R> {
    /// Where it may go other than to the next instruction.
    pub(super) fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Code::Jump { target }
            | Code::JumpIf { target, .. }
            | Code::JumpUnless { target, .. }
            | Code::JumpEq { target, .. }
            | Code::JumpNe { target, .. }
            | Code::JumpLess { target, .. }
            | Code::JumpNotLess { target, .. }
            | Code::JumpMeet { target, .. }
            | Code::JumpApart { target, .. }
            | Code::JumpBit { target, .. }
            | Code::JumpNoBit { target, .. }
            | Code::EachFirst { target, .. }
            | Code::EachNext { target, .. }
            | Code::LoopIf { target, .. } => Some(target),
            _ => None,
        }
    }

    /// See [`Code::target_mut`].
    pub(super) fn target(mut self) -> Option<u32> {
        self.target_mut().copied()
    }

    /// Whether it goes back to the head of a loop.
    pub(super) fn is_back(self) -> bool {
        matches!(self, Code::EachNext { .. } | Code::LoopIf { .. })
    }

    /// Whether the next instruction never follows.
    pub(super) fn is_final(self) -> bool {
        matches!(
            self,
            Code::Jump { .. } | Code::Switch { .. } | Code::Return { .. } | Code::End { .. } | Code::Bail { .. }
        )
    }

    /// A conditional jump with the opposite condition.
    pub(super) fn inverted(self) -> Option<Self> {
        Some(match self {
            Code::JumpIf { cond, target } => Code::JumpUnless { cond, target },
            Code::JumpUnless { cond, target } => Code::JumpIf { cond, target },
            Code::JumpEq { a, b, target } => Code::JumpNe { a, b, target },
            Code::JumpNe { a, b, target } => Code::JumpEq { a, b, target },
            Code::JumpLess { a, b, target } => Code::JumpNotLess { a, b, target },
            Code::JumpNotLess { a, b, target } => Code::JumpLess { a, b, target },
            Code::JumpMeet { a, b, target } => Code::JumpApart { a, b, target },
            Code::JumpApart { a, b, target } => Code::JumpMeet { a, b, target },
            Code::JumpBit { a, b, target } => Code::JumpNoBit { a, b, target },
            Code::JumpNoBit { a, b, target } => Code::JumpBit { a, b, target },
            _ => return None,
        })
    }
}

/// A register of the frame.
pub(super) type Slot = u16;

/// A function ready to run.
pub(super) struct Compiled {
    /// Code; registers are slots of the frame, targets indices of instructions.
    pub(super) code: Vec<Group>,
    /// Targets of switches.
    pub(super) targets: Vec<u32>,
    /// What the slots from `constants_at` on hold.
    pub(super) constants: Vec<u64>,
    pub(super) constants_at: usize,
    /// Nobody else has these slots.
    pub(super) resident: bool,
    /// It changes the state.
    pub(super) stores: bool,
    /// It can be called for its moves.
    pub(super) lists_moves: bool,
    /// It can be called with an argument for a result.
    pub(super) calls: bool,
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiled").field("instructions", &self.code.len()).finish_non_exhaustive()
    }
}
