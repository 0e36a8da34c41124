//! Constant tables as bytes.

use cranelift_codegen::ir::Type;
use cranelift_codegen::ir::types::{I8, I16, I32, I64};

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use wir::uses::{definitions, inner};
use wir::{Block, Inst, Op, Program, Reg};
use wir_opt::gather::{Gather, gather};

/// Most bits of the index of a table for sets of few elements.
const MAX_WIDTH: u32 = 8;

/// Most such tables.
const MAX_FEW: usize = 32;

/// Bytes of all tables.
const MAX_BYTES: usize = 1 << 26;

/// Where a table is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// First byte.
    pub(super) offset: i32,
    /// Type of its entries: the narrowest that holds all.
    pub(super) entry: Type,
    /// Number of entries without one.
    pub(super) mask: u64,
    /// Greatest entry.
    pub(super) most: u64,
    /// Where a copy begins whose index is the number of zeros above the highest bit, for those that are looked up by that.
    pub(super) by_zeros: Option<i32>,
}

/// The elements of sets that have few bits, far from each other: these are brought together by a product, and are the index of
/// a table.
#[derive(Clone, Copy)]
pub(super) struct Few {
    /// The bits that such a set may have, eight at most.
    pub(super) possible: u64,
    /// What it is multiplied with, so that they are the highest bits of the product.
    pub(super) factor: u64,
    /// How many bits that are.
    pub(super) width: u32,
    /// Where the table begins: a word for each, with an element in each byte, in order.
    pub(super) offset: i32,
}

/// All tables, one after the other.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) places: Vec<Place>,
    pub(super) bytes: Vec<u8>,
    /// Where the places of the bits of each byte begin: eight words of four bytes, the places in order.
    pub(super) bits: i32,
    /// The same with places of one byte each.
    pub(super) packed: i32,
    pub(super) few: Vec<Few>,
}

impl Tables {
    /// # Errors
    /// A number of entries that is not a power of two, too many of them.
    pub(super) fn new(program: &Program) -> Result<Self, String> {
        let mut all = Tables::default();
        let (by_highest, in_rows) = (by_highest(program), in_rows(program));
        for (index, table) in (0..).zip(&program.tables) {
            let length = table.entries.len();
            if !length.is_power_of_two() {
                return Err(format!("table {index} has {length} entries, not a power of two"));
            }
            let most = table.entries.iter().copied().max().unwrap_or(0);
            let entry = match most {
                _ if in_rows.contains(&index) => {
                    // A short row is in one line of the cache, and vectors are read from where they may begin.
                    all.align(64);
                    I64
                }
                0..=0xff => I8,
                0x100..=0xffff => I16,
                0x1_0000..=0xffff_ffff => I32,
                _ => I64,
            };
            let offset = all.put(&table.entries, entry)?;
            let by_zeros = by_highest.contains(&index).then(|| {
                // Of no bits all 64 are zeros, and the highest one is at 64.
                let highest = (0..=64_usize).map(|zeros| if zeros < 64 { 63 - zeros } else { 64 });
                let entries: Option<Vec<u64>> =
                    highest.map(|highest| table.entries.get(highest & (length - 1)).copied()).collect();
                all.put(&entries.unwrap_or_default(), entry)
            });
            all.places.push(Place { offset, entry, mask: length as u64 - 1, most, by_zeros: by_zeros.transpose()? });
        }
        all.align(64);
        all.bits = i32::try_from(all.bytes.len()).map_err(|error| error.to_string())?;
        for byte in 0..=u8::MAX {
            let mut places = [0u32; 8];
            let set = (0..8).filter(|place| byte >> place & 1 == 1);
            places.iter_mut().zip(set).for_each(|(word, place)| *word = place);
            all.bytes.extend(places.iter().flat_map(|word| word.to_ne_bytes()));
        }
        all.packed = i32::try_from(all.bytes.len()).map_err(|error| error.to_string())?;
        for byte in 0..=u8::MAX {
            let mut places = [0u8; 8];
            let set = (0..8).filter(|place| byte >> place & 1 == 1);
            places.iter_mut().zip(set).for_each(|(packed, place)| *packed = place);
            all.bytes.extend(places);
        }
        for possible in few(program) {
            all.gather(possible)?;
        }
        Ok(all)
    }

    /// Adds a table for sets that have no other bits than these, if they can be brought together.
    fn gather(&mut self, possible: u64) -> Result<(), String> {
        let elements: Vec<u32> = (0..64).filter(|at| possible >> at & 1 == 1).collect();
        let bits: Vec<(usize, u32)> = elements.iter().map(|&at| (0, at)).collect();
        let found = (elements.len() as u32..=MAX_WIDTH).find_map(|width| Some((width, gather(&bits, 1, width)?)));
        let Some((width, Gather { factors, slots })) = found else { return Ok(()) };
        let row = |index: u64| {
            let set = elements.iter().zip(&slots).filter(|(_, slot)| index >> *slot & 1 == 1);
            set.zip(0..).fold(0, |row, ((&element, _), place)| row | u64::from(element) << (8 * place))
        };
        let rows: Vec<u64> = (0..1_u64 << width).map(row).collect();
        let offset = self.put(&rows, I64)?;
        self.few.extend(factors.first().map(|&factor| Few { possible, factor, width, offset }));
        Ok(())
    }

    /// Fills up to a multiple of so many bytes.
    fn align(&mut self, to: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
    }

    /// Appends entries of a type; where they begin.
    fn put(&mut self, entries: &[u64], entry: Type) -> Result<i32, String> {
        self.align(8);
        if self.bytes.len() + entry.bytes() as usize * entries.len() > MAX_BYTES {
            return Err("the tables are too big".to_string());
        }
        let offset = i32::try_from(self.bytes.len()).map_err(|error| error.to_string())?;
        for &value in entries {
            match entry {
                I8 => self.bytes.extend((value as u8).to_ne_bytes()),
                I16 => self.bytes.extend((value as u16).to_ne_bytes()),
                I32 => self.bytes.extend((value as u32).to_ne_bytes()),
                _ => self.bytes.extend(value.to_ne_bytes()),
            }
        }
        Ok(offset)
    }
}

/// The tables that are looked up by the position of a highest bit.
fn by_highest(program: &Program) -> FxHashSet<u32> {
    fn note(block: &Block, highest: &mut FxHashSet<Reg>, found: &mut FxHashSet<u32>) {
        for inst in &block.insts {
            match *inst {
                Inst::Let { to, op: Op::Highest(_) } => drop(highest.insert(to)),
                Inst::Let { op: Op::Table(table, index), .. } if highest.contains(&index) => drop(found.insert(table)),
                _ => inner(inst).for_each(|block| note(block, highest, found)),
            }
        }
    }
    let mut found = FxHashSet::default();
    for function in &program.functions {
        note(&function.body, &mut FxHashSet::default(), &mut found);
    }
    found
}

/// The bits that sets of moves may have, if these are few and not next to each other.
fn few(program: &Program) -> BTreeSet<u64> {
    fn note(block: &Block, ops: &FxHashMap<Reg, Op>, found: &mut BTreeSet<u64>) {
        let constant = |register: Reg| match ops.get(&register) {
            Some(Op::Const(number)) => Some(*number),
            _ => None,
        };
        for inst in &block.insts {
            if let Inst::EmitSet { set, .. } = inst
                && let Some(&Op::And(a, b)) = ops.get(set)
                && let Some(possible) = constant(a).or_else(|| constant(b))
                && possible.count_ones() <= MAX_WIDTH
                && possible >> 8 != 0
                && found.len() < MAX_FEW
            {
                found.insert(possible);
            }
            inner(inst).for_each(|block| note(block, ops, found));
        }
    }
    let mut found = BTreeSet::new();
    for function in &program.functions {
        note(&function.body, &definitions(&function.body), &mut found);
    }
    found
}

/// The tables that are read in rows.
fn in_rows(program: &Program) -> FxHashSet<u32> {
    fn note(block: &Block, found: &mut FxHashSet<u32>) {
        for inst in &block.insts {
            if let Inst::Let { op: Op::Within(table, ..), .. } = *inst {
                found.insert(table);
            }
            inner(inst).for_each(|block| note(block, found));
        }
    }
    let mut found = FxHashSet::default();
    program.functions.iter().for_each(|function| note(&function.body, &mut found));
    found
}
