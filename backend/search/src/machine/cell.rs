//! Cells: the numbers that states are made of.

use rg_ir::invariant::Invariant;
use std::hash::Hash;

/// A cell of the state: the smallest unsigned number type that holds every value of the game.
pub(crate) trait Cell:
    Copy + Default + Ord + Hash + Into<u32> + Send + Sync + std::fmt::Debug + 'static
{
    const BYTES: usize;
    fn put(value: u32) -> Self;
    fn get(self) -> u32;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, out: &mut [u8]);
}

macro_rules! cell {
    ($ty:ty, $bytes:literal) => {
        impl Cell for $ty {
            const BYTES: usize = $bytes;
            #[inline(always)]
            fn put(value: u32) -> Self {
                value as $ty
            }
            #[inline(always)]
            fn get(self) -> u32 {
                u32::from(self)
            }
            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                bytes
                    .try_into()
                    .map(<$ty>::from_le_bytes)
                    .ok()
                    .invariant_or(0, "a cell is read from as many bytes as it has")
            }
            #[inline(always)]
            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }
        }
    };
}
cell!(u8, 1);
cell!(u16, 2);
cell!(u32, 4);
