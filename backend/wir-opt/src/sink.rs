//! What only one arm of a choice reads is computed there.
//!
//! ```text
//! x = a & b                     if c {
//! if c {                   →        x = a & b
//!     emit x                        emit x
//! } else { }                    } else { }
//! ```
//!
//! From the end of a function to its beginning, the innermost block around all readers of a register is kept: the lowest common
//! ancestor in the tree of blocks. An operation goes there, but into no loop, and what it reads is read there.
//! O(instructions times the depth of blocks).

use rg_ir::invariant::{Invariant, put};
use wir::uses::{inner, inner_mut, operands};
use wir::{Block, Function, Inst, Op, Reg};

/// No block: nothing reads the register, or its operation stays where it is.
const NOWHERE: u32 = u32::MAX;

/// Moves operations from before choices into the only arms that read them; whether there are any.
pub(super) fn sink(function: &mut Function) -> bool {
    let mut tree = Tree { blocks: Vec::new(), readers: vec![NOWHERE; function.registers as usize], found: false };
    tree.number(&function.body, None, Kind::Arm);
    tree.block(&function.body, 0);
    if tree.found {
        let sunk = vec![Vec::new(); tree.blocks.len()];
        Mover { targets: tree.readers, sunk, next: 0 }.block(&mut function.body);
    }
    tree.found
}

/// What a block is to the instruction that it is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An arm of a choice, or the body of the function.
    Arm,
    /// The body of a loop.
    Loop,
}

/// A block.
#[derive(Clone, Copy)]
struct Place {
    /// The block around it; the function's body is around itself.
    around: u32,
    depth: u32,
    kind: Kind,
    /// The highest number of a block inside, or its own.
    last: u32,
}

/// All blocks, and where registers are read.
struct Tree {
    /// In the order in which they begin.
    blocks: Vec<Place>,
    /// By register, the innermost block around all of its readers so far; once its operation has been looked at, where that goes.
    readers: Vec<u32>,
    /// Whether an operation goes elsewhere.
    found: bool,
}

impl Tree {
    fn number(&mut self, block: &Block, around: Option<u32>, kind: Kind) {
        let number = self.blocks.len() as u32;
        let depth = around.map_or(0, |around| self.place(around).depth + 1);
        self.blocks.push(Place { around: around.unwrap_or(number), depth, kind, last: number });
        for inst in &block.insts {
            let kind = if matches!(inst, Inst::If { .. } | Inst::Switch { .. }) { Kind::Arm } else { Kind::Loop };
            inner(inst).for_each(|block| self.number(block, Some(number), kind));
        }
        let last = self.blocks.len() as u32 - 1;
        if let Some(place) = self.blocks.get_mut(number as usize) {
            place.last = last;
        }
    }

    fn place(&self, block: u32) -> Place {
        let root = Place { around: block, depth: 0, kind: Kind::Arm, last: block };
        self.blocks.get(block as usize).copied().invariant_or(root, "every block has a number")
    }

    /// Looks at a block with all that it contains, from its end to its beginning.
    fn block(&mut self, block: &Block, number: u32) {
        block.yields.iter().for_each(|&register| self.read(register, number));
        let mut last = self.place(number).last;
        for inst in block.insts.iter().rev() {
            for inside in inner(inst).rev() {
                let inner = self.child(number, last);
                self.block(inside, inner);
                last = inner.saturating_sub(1);
            }
            let mut at = number;
            if let Inst::Let { to, op } = inst {
                let read = self.readers.get(*to as usize).copied().unwrap_or(NOWHERE);
                if read != NOWHERE && !matches!(op, Op::Const(_) | Op::Load(_)) {
                    at = self.target(read, number);
                }
                self.found |= at != number;
                let target = if at == number { NOWHERE } else { at };
                put(&mut self.readers, *to as usize, target, "registers are below their number");
            }
            operands(inst, |register| self.read(register, at));
        }
    }

    /// The block directly inside another one that is around a third, or is that.
    fn child(&self, number: u32, mut inside: u32) -> u32 {
        while self.place(inside).around > number {
            inside = self.place(inside).around;
        }
        inside
    }

    /// A register is read in a block.
    fn read(&mut self, register: Reg, number: u32) {
        let before = self.readers.get(register as usize).copied().unwrap_or(NOWHERE);
        let around = if before == NOWHERE { number } else { self.common(before, number) };
        put(&mut self.readers, register as usize, around, "registers are below their number");
    }

    /// The innermost block around two.
    fn common(&self, mut one: u32, mut other: u32) -> u32 {
        while one != other {
            if self.place(one).depth < self.place(other).depth {
                other = self.place(other).around;
            } else {
                one = self.place(one).around;
            }
        }
        one
    }

    /// The innermost block around one in which an operation is read, into which it can move from its own.
    fn target(&self, read: u32, from: u32) -> u32 {
        let (mut target, mut at) = (read, read);
        while at > from {
            let place = self.place(at);
            if place.kind == Kind::Loop {
                target = place.around;
            }
            at = place.around;
        }
        target
    }
}

/// Moves operations on a way through the function.
struct Mover {
    /// By register, where its operation goes.
    targets: Vec<u32>,
    /// By block, what goes there, in order.
    sunk: Vec<Vec<Inst>>,
    /// The number of the next block.
    next: u32,
}

impl Mover {
    fn block(&mut self, block: &mut Block) {
        let mut insts = self.sunk.get_mut(self.next as usize).map(std::mem::take).unwrap_or_default();
        self.next += 1;
        for mut inst in std::mem::take(&mut block.insts) {
            inner_mut(&mut inst).for_each(|inside| self.block(inside));
            let target = match inst {
                Inst::Let { to, .. } => self.targets.get(to as usize).copied().unwrap_or(NOWHERE),
                _ => NOWHERE,
            };
            self.sunk.get_mut(target as usize).unwrap_or(&mut insts).push(inst);
        }
        block.insts = insts;
    }
}
