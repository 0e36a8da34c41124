//! Tables that no function reads.

use crate::ir::uses::inner_mut;
use crate::ir::{Block, Inst, Op, Program};

/// Drops tables that no function reads, and numbers the others anew. Linear.
pub fn drop_unused_tables(program: &mut Program) {
    let mut used = vec![false; program.tables.len()];
    let mut note = |table: &mut u32| {
        if let Some(slot) = used.get_mut(*table as usize) {
            *slot = true;
        }
    };
    program.functions.iter_mut().for_each(|function| each(&mut function.body, &mut note));
    let mut next = 0;
    let numbers: Vec<u32> = used
        .iter()
        .map(|&used| {
            next += u32::from(used);
            next.saturating_sub(1)
        })
        .collect();
    let mut kept = used.iter();
    program.tables.retain(|_| kept.next() == Some(&true));
    let mut rename = |table: &mut u32| *table = numbers.get(*table as usize).copied().unwrap_or(*table);
    program.functions.iter_mut().for_each(|function| each(&mut function.body, &mut rename));
}

fn each(block: &mut Block, change: &mut impl FnMut(&mut u32)) {
    for inst in &mut block.insts {
        if let Inst::Let { op: Op::Table(table, _), .. } = inst {
            change(table);
        }
        inner_mut(inst).for_each(|block| each(block, change));
    }
}
