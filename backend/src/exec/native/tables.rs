//! Constant tables as bytes.

use cranelift_codegen::ir::Type;
use cranelift_codegen::ir::types::{I8, I16, I32, I64};

use crate::ir::Table;

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
}

impl Tables {
    /// # Errors
    /// A number of entries that is not a power of two, too many of them.
    pub(super) fn new(tables: &[Table]) -> Result<Self, String> {
        let mut all = Tables::default();
        for (index, table) in tables.iter().enumerate() {
            if !table.entries.len().is_power_of_two() {
                return Err(format!("table {index} has {} entries, not a power of two", table.entries.len()));
            }
            let most = table.entries.iter().copied().max().unwrap_or(0);
            let (entry, width) = match most {
                0..=0xff => (I8, 1),
                0x100..=0xffff => (I16, 2),
                0x1_0000..=0xffff_ffff => (I32, 4),
                _ => (I64, 8),
            };
            while !all.bytes.len().is_multiple_of(8) {
                all.bytes.push(0);
            }
            if all.bytes.len() + width * table.entries.len() > MAX_BYTES {
                return Err("the tables are too big".to_string());
            }
            let offset = i32::try_from(all.bytes.len()).map_err(|error| error.to_string())?;
            for &value in &table.entries {
                match width {
                    1 => all.bytes.extend((value as u8).to_ne_bytes()),
                    2 => all.bytes.extend((value as u16).to_ne_bytes()),
                    4 => all.bytes.extend((value as u32).to_ne_bytes()),
                    _ => all.bytes.extend(value.to_ne_bytes()),
                }
            }
            all.places.push(Place { offset, entry, mask: table.entries.len() as u64 - 1, most });
        }
        while !all.bytes.len().is_multiple_of(64) {
            all.bytes.push(0);
        }
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
        Ok(all)
    }
}
