//! Tables that are added to a program, and those that no function reads any more.

use rg_ir::invariant::put;
use rustc_hash::FxHashMap;
use wir::uses::inner_mut;
use wir::{Block, FnId, Inst, Op, Program, Table};

/// A program to which tables are added, each once.
pub(super) struct Added<'p> {
    pub(super) program: &'p mut Program,
    numbers: FxHashMap<Vec<u64>, u32>,
    room: usize,
}

impl<'p> Added<'p> {
    /// With room for so many entries.
    pub(super) fn to(program: &'p mut Program, room: usize) -> Self {
        let numbers = program.tables.iter().zip(0..).map(|(table, number)| (table.entries.clone(), number)).collect();
        Self { program, numbers, room }
    }

    /// For how many entries there is room.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// The number of a table, whose length is a power of two; `None` if there is no room for it.
    pub(super) fn number(&mut self, entries: Vec<u64>) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&entries) {
            return Some(number);
        }
        self.room = self.room.checked_sub(entries.len())?;
        let number = self.program.tables.len() as u32;
        self.program.tables.push(Table { entries: entries.clone() });
        self.numbers.insert(entries, number);
        Some(number)
    }
}

/// Drops tables that no function reads, and numbers the others anew. Linear.
pub(super) fn drop_unused(program: &mut Program) -> Vec<FnId> {
    let mut used = vec![false; program.tables.len()];
    let mut note = |table: &mut u32| {
        put(&mut used, *table as usize, true, "tables are below their number");
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
    Vec::new()
}

fn each(block: &mut Block, change: &mut impl FnMut(&mut u32)) {
    for inst in &mut block.insts {
        if let Inst::Let { op: Op::Table(table, _) | Op::Within(table, ..), .. } = inst {
            change(table);
        }
        inner_mut(inst).for_each(|block| each(block, change));
    }
}
