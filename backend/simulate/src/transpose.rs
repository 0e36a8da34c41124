//! Transposing bit matrices.

use crate::Row;

/// [`WIDTH`](crate::WIDTH) matrices of 64 rows: bit c of word m of row r is the entry of row r and column c of the matrix m.
pub(crate) type Block = [Row; 64];

/// Transposes matrices in place, by exchanging blocks of 32, 16, … 1 rows and columns (Warren, *Hacker's Delight*, section 7-3): six times 32
/// exchanges of rows, for all matrices at once.
#[inline(always)]
pub(crate) fn transpose(block: &mut Block) {
    exchange::<32>(block, 0x0000_0000_FFFF_FFFF);
    exchange::<16>(block, 0x0000_FFFF_0000_FFFF);
    exchange::<8>(block, 0x00FF_00FF_00FF_00FF);
    exchange::<4>(block, 0x0F0F_0F0F_0F0F_0F0F);
    exchange::<2>(block, 0x3333_3333_3333_3333);
    exchange::<1>(block, 0x5555_5555_5555_5555);
}

/// Exchanges the upper right and lower left blocks of so many rows.
#[inline(always)]
fn exchange<const ROWS: usize>(block: &mut Block, mask: u64) {
    for pair in block.chunks_exact_mut(2 * ROWS) {
        let (upper, lower) = pair.split_at_mut(ROWS);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let changed: Row = std::array::from_fn(|at| (upper[at] >> ROWS ^ lower[at]) & mask);
            *upper = std::array::from_fn(|at| upper[at] ^ changed[at] << ROWS);
            *lower = std::array::from_fn(|at| lower[at] ^ changed[at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WIDTH;

    #[test]
    fn rows_become_columns() {
        let mut number = 1u64;
        let mut next = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            number ^ number >> 29
        };
        let mut block: Block = std::array::from_fn(|_| std::array::from_fn(|_| next()));
        let before = block;
        transpose(&mut block);
        for (row, new) in block.iter().enumerate() {
            for (column, old) in before.iter().enumerate() {
                for matrix in 0..WIDTH {
                    let [new, old] = [new[matrix] >> column & 1, old[matrix] >> row & 1];
                    assert_eq!(new, old, "matrix {matrix}, row {row}, column {column}");
                }
            }
        }
    }
}
