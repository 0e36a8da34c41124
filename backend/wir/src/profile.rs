//! How often the blocks of a program run: what was counted, where it was counted, and the copy of a program that tells.
//!
//! Nothing else in an engine counts. A copy of the program lists, in place of moves, the blocks that it comes through
//! ([`traced`]), and whatever runs programs runs it.

use super::calls::inlined;
use super::effects::Effects;
use super::uses::{inner, inner_mut};
use super::{Block, Function, Inst, Op, Program, Reg};

/// Registers that the functions of a copy may have together, with those that they call in their places.
const MAX_INLINED: u64 = 4_000_000;

/// How often each block of a program ran in some plays. It says nothing of what the program does.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Profile {
    /// By function: by block how often it ran, and by [`Inst::EmitSet`] how many moves were emitted there, in the order in which
    /// these begin in the text of the program. The first one is the function's body.
    pub functions: Vec<Vec<u64>>,
}

impl Profile {
    /// The profile of a program with these numbers, in order. It fits if there are enough.
    #[must_use]
    pub fn of(program: &Program, mut counts: impl Iterator<Item = u64>) -> Self {
        let functions = program.functions.iter().map(|function| counts.by_ref().take(counted(function)).collect());
        Self { functions: functions.collect() }
    }

    /// Whether it can be that of a program: it has as many functions, and each as many blocks. Linear.
    ///
    /// # Errors
    /// What does not fit.
    pub fn fits(&self, program: &Program) -> Result<(), String> {
        let (known, there) = (self.functions.len(), program.functions.len());
        if known != there {
            return Err(format!("the profile is one of {known} functions, and the program has {there}"));
        }
        for (counts, function) in self.functions.iter().zip(&program.functions) {
            let (known, there) = (counts.len(), counted(function));
            if known != there {
                let name = &function.name;
                return Err(format!(
                    "for `{name}`, the profile has {known} numbers, and the program places for {there}"
                ));
            }
        }
        Ok(())
    }
}

/// How many numbers belong to a function.
pub fn counted(function: &Function) -> usize {
    let (mut count, mut left) = (0, vec![&function.body]);
    while let Some(block) = left.pop() {
        count += 1 + block.insts.iter().filter(|inst| matches!(inst, Inst::EmitSet { .. })).count();
        left.extend(block.insts.iter().flat_map(inner));
    }
    count
}

/// What a place that is counted lists: its number, shifted by so much. Sets add their elements.
pub const LISTED: u32 = 6;

/// A copy of a program that tells what runs: each function has no parameters and no results, and lists, in place of moves, the
/// numbers ([`LISTED`]) of the blocks that begin and, for each move of a set, that of the instruction. They are numbered from
/// function to function as in [`Profile`]. What is called stands in the places of calls, so that a block that is called is
/// listed there.
///
/// A state has one word more, the last one: the argument of functions that have one. Functions with more arguments, which only
/// others call, list nothing. Linear in the result.
///
/// # Errors
/// If the copy would be too large.
pub fn traced(program: &Program) -> Result<Program, String> {
    let (mut program, argument) = (program.clone(), program.state_words);
    program.state_words = argument.checked_add(1).ok_or("a state is too large")?;
    let mut number = 0;
    for function in &mut program.functions {
        if Effects::of(&function.body).memory {
            // Searches are not counted.
            number += counted(function) as u64;
            function.body.insts.clear();
            continue;
        }
        trace(&mut function.body, &mut number, &mut function.registers);
    }
    let mut program = inlined(&program, MAX_INLINED)?.into_owned();
    for function in &mut program.functions {
        function.body.yields.clear();
        match function.params {
            0 => {}
            1 => function.body.insts.insert(0, Inst::Let { to: 0, op: Op::Load(argument) }),
            _ => function.body.insts.clear(),
        }
        function.params = 0;
    }
    Ok(program)
}

/// Lets a block tell its number, which is the next one, and what is inside theirs.
fn trace(block: &mut Block, number: &mut u64, registers: &mut Reg) {
    let (base, named) = next(number, registers);
    let mut insts = vec![named, Inst::Emit { base }];
    for mut inst in std::mem::take(&mut block.insts) {
        match inst {
            Inst::Emit { .. } => {}
            Inst::EmitSet { set, .. } => {
                let (base, named) = next(number, registers);
                insts.extend([named, Inst::EmitSet { base, set, shift: 0 }]);
            }
            _ => {
                inner_mut(&mut inst).for_each(|block| trace(block, number, registers));
                insts.push(inst);
            }
        }
    }
    block.insts = insts;
}

/// A register with what the next place lists, and the instruction that puts it there.
fn next(number: &mut u64, registers: &mut Reg) -> (Reg, Inst) {
    let (this, to) = (*number << LISTED, *registers);
    *number += 1;
    *registers = registers.saturating_add(1);
    (to, Inst::Let { to, op: Op::Const(this) })
}
