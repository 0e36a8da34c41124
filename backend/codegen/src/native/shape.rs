//! What has to be known of a function before it is translated: that it is not too big, how much it can emit, and what
//! has to be put back when it takes a side exit.

use std::collections::BTreeSet;

use wir::effects::Effects;
use wir::uses::inner;
use wir::{Block, Function, Inst, Program};

/// Blocks inside blocks.
const MAX_DEPTH: usize = 200;

/// Instructions and passed values of one function.
const MAX_SIZE: u64 = 200_000;

/// The same of all functions.
const MAX_TOTAL: u64 = 2_000_000;

/// Registers of one function.
const MAX_REGISTERS: u32 = 1 << 20;

/// Words of a state.
const MAX_STATE: u32 = 1 << 20;

/// From this depth on the rounds of loops over bits are counted; what is not is a few thousand rounds.
const COUNTED_DEPTH: usize = 3;

/// See the module.
#[derive(Default)]
pub(super) struct Shape {
    /// Greatest number of moves; `u64::MAX` if nobody knows.
    pub(super) moves: u64,
    /// As `moves`, for sets of moves.
    pub(super) runs: u64,
    /// Whether it writes the state.
    pub(super) stores: bool,
    /// Whether it has loops whose rounds are counted.
    pub(super) counted: bool,
    /// Words of the state that may have been written when it takes a side exit.
    pub(super) undo: BTreeSet<u32>,
    /// Instructions and passed values.
    pub(super) size: u64,
    /// What it does besides computing.
    pub(super) effects: Effects,
}

/// Whether the rounds of a loop are counted; `depth` is its depth among loops, 1 for the outermost.
pub(super) fn is_counted(inst: &Inst, depth: usize) -> bool {
    matches!(inst, Inst::Loop { .. }) || (matches!(inst, Inst::Each { .. }) && depth >= COUNTED_DEPTH)
}

/// Shapes of all functions.
///
/// # Errors
/// What is too big.
pub(super) fn of_program(program: &Program) -> Result<Vec<Shape>, String> {
    if program.state_words > MAX_STATE {
        return Err(format!("a state of {} words is too big", program.state_words));
    }
    let mut total = 0;
    let mut shapes = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        let size = check_size(function)?;
        total += size;
        if total > MAX_TOTAL {
            return Err(format!("the functions have more than {MAX_TOTAL} instructions together"));
        }
        shapes.push(Shape { size, ..of_function(function) });
    }
    Ok(shapes)
}

/// The size of a function, if it is not too big. Before this nothing may recurse into its blocks.
fn check_size(function: &Function) -> Result<u64, String> {
    let refuse = |what: &str| Err(format!("function `{}` {what}", function.name));
    if function.registers > MAX_REGISTERS {
        return refuse("has too many registers");
    }
    let mut size = 0;
    let mut left = vec![(&function.body, 1)];
    while let Some((block, depth)) = left.pop() {
        if depth > MAX_DEPTH {
            return refuse("is nested too deeply");
        }
        size += block.yields.len() as u64;
        for inst in &block.insts {
            size += weight(inst);
            left.extend(inner(inst).map(|block| (block, depth + 1)));
        }
        if size > MAX_SIZE {
            return refuse("is too big");
        }
    }
    Ok(size)
}

fn weight(inst: &Inst) -> u64 {
    match inst {
        Inst::EmitSet { .. } => 8,
        Inst::Let { .. }
        | Inst::Store { .. }
        | Inst::Peek { .. }
        | Inst::Poke { .. }
        | Inst::Emit { .. }
        | Inst::SideExit { .. } => 1,
        Inst::Call { args, .. } => 2 + args.len() as u64,
        Inst::If { to, .. } => 2 + to.len() as u64,
        Inst::Switch { cases, to, .. } => (1 + cases.len() + to.len()) as u64,
        Inst::Each { to, carried, .. } | Inst::Loop { to, carried, .. } => (4 + to.len() + carried.len()) as u64,
    }
}

fn of_function(function: &Function) -> Shape {
    let mut shape = Shape { effects: Effects::of(&function.body), ..Shape::default() };
    let end = walk(&function.body, 0, &mut shape);
    shape.moves = end.moves;
    shape.runs = end.runs;
    shape.stores = !end.stored.is_empty();
    shape
}

/// What a block may have done when it is over.
#[derive(Default)]
struct End {
    moves: u64,
    runs: u64,
    /// Words written.
    stored: Vec<u32>,
    /// Whether it may take a side exit.
    exits: bool,
}

fn walk(block: &Block, depth: usize, shape: &mut Shape) -> End {
    let mut end = End::default();
    // How many of `end.stored` a side exit may come after.
    let mut covered = 0;
    for inst in &block.insts {
        match inst {
            Inst::Let { .. } | Inst::Peek { .. } | Inst::Poke { .. } | Inst::Call { .. } => {}
            Inst::Store { word, .. } => end.stored.push(*word),
            Inst::Emit { .. } => {
                end.moves = end.moves.saturating_add(1);
                end.runs = end.runs.saturating_add(1);
            }
            Inst::EmitSet { .. } => {
                end.moves = end.moves.saturating_add(64);
                end.runs = end.runs.saturating_add(1);
            }
            Inst::SideExit { .. } => {
                end.exits = true;
                covered = end.stored.len();
            }
            Inst::If { .. } | Inst::Switch { .. } => {
                let (mut moves, mut runs, mut stored) = (0, 0, Vec::new());
                for branch in inner(inst) {
                    let branch = walk(branch, depth, shape);
                    moves = branch.moves.max(moves);
                    runs = branch.runs.max(runs);
                    stored.extend(branch.stored);
                    if branch.exits {
                        end.exits = true;
                        covered = end.stored.len();
                    }
                }
                end.moves = end.moves.saturating_add(moves);
                end.runs = end.runs.saturating_add(runs);
                end.stored.extend(stored);
            }
            Inst::Each { body, .. } | Inst::Loop { body, .. } => {
                let round = walk(body, depth + 1, shape);
                let counted = is_counted(inst, depth + 1);
                shape.counted |= counted;
                let rounds = if matches!(inst, Inst::Each { .. }) { 64 } else { u64::MAX };
                end.moves = end.moves.saturating_add(round.moves.saturating_mul(rounds));
                end.runs = end.runs.saturating_add(round.runs.saturating_mul(rounds));
                end.stored.extend(round.stored);
                // A round may take a side exit after what an earlier one wrote.
                if round.exits || counted {
                    end.exits = true;
                    covered = end.stored.len();
                }
            }
        }
    }
    shape.undo.extend(end.stored.iter().take(covered));
    end
}
