//! The loop that executes bytecode.

use super::code::{Code, Compiled};
use super::sink::Sink;

/// What a function works on.
pub(super) struct Memory<'m> {
    /// All constant tables, one after the other.
    pub(super) tables: &'m [u64],
    /// The state that the function does not change, unless it is in the frame.
    pub(super) state: &'m [u64],
    /// The state that the function changes, unless it is in the frame.
    pub(super) own: &'m mut [u64],
    /// Rounds of loops until it is enough.
    pub(super) budget: u64,
}

/// Executes a function whose arguments and constants are in the frame, for its result. `None` if it gives the case back
/// or meets the budget.
pub(super) fn run<S: Sink, const N: usize>(
    compiled: &Compiled,
    memory: Memory<'_>,
    frame: &mut [u64; N],
    sink: &mut S,
) -> Option<u64> {
    // Slots are below N, and N is a power of two: the mask changes nothing, and no access can fail.
    const { assert!(N.is_power_of_two()) };
    let Memory { tables, state, own, mut budget } = memory;
    let code = compiled.code.as_slice();
    let mut next = 0;
    macro_rules! get {
        ($slot:expr) => {
            frame[$slot as usize & (N - 1)]
        };
    }
    macro_rules! set {
        ($slot:expr, $value:expr) => {{
            let value = $value;
            frame[$slot as usize & (N - 1)] = value;
        }};
    }
    macro_rules! jump {
        ($cond:expr, $target:expr) => {
            if $cond {
                next = $target as usize;
            }
        };
    }
    let shift = u32::from;
    loop {
        let inst = *code.get(next)?;
        next += 1;
        sink.step();
        match inst {
            Code::Copy { to, from } => set!(to, get!(from)),
            Code::Not { to, a } => set!(to, !get!(a)),
            Code::And { to, a, b } => set!(to, get!(a) & get!(b)),
            Code::Or { to, a, b } => set!(to, get!(a) | get!(b)),
            Code::Xor { to, a, b } => set!(to, get!(a) ^ get!(b)),
            Code::AndNot { to, a, b } => set!(to, get!(a) & !get!(b)),
            Code::Shl { to, a, b } => set!(to, get!(a).wrapping_shl(get!(b) as u32)),
            Code::Shr { to, a, b } => set!(to, get!(a).wrapping_shr(get!(b) as u32)),
            Code::ShlBy { to, a, by } => set!(to, get!(a).wrapping_shl(shift(by))),
            Code::ShrBy { to, a, by } => set!(to, get!(a).wrapping_shr(shift(by))),
            Code::Add { to, a, b } => set!(to, get!(a).wrapping_add(get!(b))),
            Code::Sub { to, a, b } => set!(to, get!(a).wrapping_sub(get!(b))),
            Code::Mul { to, a, b } => set!(to, get!(a).wrapping_mul(get!(b))),
            Code::Eq { to, a, b } => set!(to, u64::from(get!(a) == get!(b))),
            Code::Ne { to, a, b } => set!(to, u64::from(get!(a) != get!(b))),
            Code::Less { to, a, b } => set!(to, u64::from(get!(a) < get!(b))),
            Code::Select { to, cond, yes, no } => set!(to, if get!(cond) != 0 { get!(yes) } else { get!(no) }),
            Code::Count { to, a } => set!(to, u64::from(get!(a).count_ones())),
            Code::Lowest { to, a } => set!(to, u64::from(get!(a).trailing_zeros())),
            Code::Highest { to, a } => {
                let value = get!(a);
                set!(to, if value == 0 { 64 } else { u64::from(63 - value.leading_zeros()) });
            }
            Code::Load { to, word } => set!(to, *state.get(word as usize)?),
            Code::LoadOwn { to, word } => set!(to, *own.get(word as usize)?),
            Code::Store { value, word } => *own.get_mut(word as usize)? = get!(value),
            Code::Table { to, index, start, mask } => {
                set!(to, *tables.get(start as usize + (get!(index) as u32 & mask) as usize)?);
            }
            Code::And3 { to, a, b, c } => set!(to, get!(a) & get!(b) & get!(c)),
            Code::AndAndNot { to, a, b, c } => set!(to, get!(a) & get!(b) & !get!(c)),
            Code::Or3 { to, a, b, c } => set!(to, get!(a) | get!(b) | get!(c)),
            Code::ShlAnd { to, a, b, by } => set!(to, get!(a).wrapping_shl(shift(by)) & get!(b)),
            Code::ShrAnd { to, a, b, by } => set!(to, get!(a).wrapping_shr(shift(by)) & get!(b)),
            Code::ShlAndNot { to, a, b, by } => set!(to, get!(a).wrapping_shl(shift(by)) & !get!(b)),
            Code::ShrAndNot { to, a, b, by } => set!(to, get!(a).wrapping_shr(shift(by)) & !get!(b)),
            Code::ShlOr { to, a, b, by } => set!(to, get!(a).wrapping_shl(shift(by)) | get!(b)),
            Code::ShlAdd { to, a, b, by } => set!(to, get!(a).wrapping_shl(shift(by)).wrapping_add(get!(b))),
            Code::ShlAndOr { to, a, b, c, by } => set!(to, (get!(a).wrapping_shl(shift(by)) & get!(b)) | get!(c)),
            Code::ShrAndOr { to, a, b, c, by } => set!(to, (get!(a).wrapping_shr(shift(by)) & get!(b)) | get!(c)),
            Code::Bit { to, a, b } => set!(to, get!(a).wrapping_shr(get!(b) as u32) & 1),
            Code::Emit { base } => sink.one(get!(base)),
            Code::EmitSet { base, set, shift } => sink.set(get!(base), get!(set), shift),
            Code::Jump { target } => next = target as usize,
            Code::JumpIf { cond, target } => jump!(get!(cond) != 0, target),
            Code::JumpUnless { cond, target } => jump!(get!(cond) == 0, target),
            Code::JumpEq { a, b, target } => jump!(get!(a) == get!(b), target),
            Code::JumpNe { a, b, target } => jump!(get!(a) != get!(b), target),
            Code::JumpLess { a, b, target } => jump!(get!(a) < get!(b), target),
            Code::JumpNotLess { a, b, target } => jump!(get!(a) >= get!(b), target),
            Code::JumpMeet { a, b, target } => jump!(get!(a) & get!(b) != 0, target),
            Code::JumpApart { a, b, target } => jump!(get!(a) & get!(b) == 0, target),
            Code::JumpBit { a, b, target } => jump!(get!(a).wrapping_shr(get!(b) as u32) & 1 != 0, target),
            Code::JumpNoBit { a, b, target } => jump!(get!(a).wrapping_shr(get!(b) as u32) & 1 == 0, target),
            Code::EachFirst { item, rest, set, target } => {
                let set = get!(set);
                if set == 0 {
                    next = target as usize;
                } else {
                    set!(item, u64::from(set.trailing_zeros()));
                    set!(rest, set & set.wrapping_sub(1));
                }
            }
            Code::EachNext { item, rest, target } => {
                let set = get!(rest);
                if set != 0 {
                    set!(item, u64::from(set.trailing_zeros()));
                    set!(rest, set & set.wrapping_sub(1));
                    next = target as usize;
                }
            }
            Code::EachNextCounted { item, rest, target } => {
                let set = get!(rest);
                if set != 0 {
                    budget = budget.checked_sub(1)?;
                    set!(item, u64::from(set.trailing_zeros()));
                    set!(rest, set & set.wrapping_sub(1));
                    next = target as usize;
                }
            }
            Code::LoopIf { cond, target } => {
                if get!(cond) != 0 {
                    budget = budget.checked_sub(1)?;
                    next = target as usize;
                }
            }
            Code::Switch { on, first, last } => {
                let case = get!(on).min(u64::from(last)) as usize;
                next = *compiled.targets.get(first as usize + case)? as usize;
            }
            Code::Return { value } => return Some(get!(value)),
            Code::End {} => return Some(0),
            Code::Bail {} => return None,
        }
    }
}
