//! Where the moves of a search are in scratch memory, and how many there may be.

use super::super::Lifter;
use super::memory::{LARGE_SCRATCH, SCRATCH};
use super::numbered::LongMoves;

/// Room for moves: a list of them, one of the hashes of their labels, and a table of these by linear probing, with two slots for each. A slot has the
/// number of the search in its upper bits, and 1 more than that of the move in the lower ones. Elsewhere, pairs of moves with the same
/// label. The last place of each list is for what does not fit.
#[derive(Clone, Copy)]
pub(super) struct Room {
    first: u32,
    first_pair: u32,
    most_pairs: u32,
    /// The binary logarithm of the number of places.
    log: u32,
}

impl Room {
    /// Where there is room for few moves.
    const FEW: Self = Self { first: 1 << 12, log: 12, first_pair: 128, most_pairs: 60 };
    /// Behind everything else: where moves have numbers, there may be many.
    const MANY: Self =
        Self { first: LARGE_SCRATCH + (1 << 15), log: 16, first_pair: LARGE_SCRATCH, most_pairs: (1 << 14) - 1 };

    /// The end of the words before room for few moves.
    pub(super) const BEFORE: u32 = Self::FEW.first;
    /// The first word behind it.
    pub(super) const BEHIND: u32 = Self::FEW.end();

    /// Most moves of a search.
    pub(super) fn capacity(self) -> u32 {
        (1 << self.log) - 1
    }

    /// Where the list of moves begins.
    pub(super) fn moves(self) -> u32 {
        self.first
    }

    /// Where the list of the hashes of their labels begins.
    pub(super) fn signs(self) -> u32 {
        self.first + (1 << self.log)
    }

    /// Where the table begins.
    pub(super) fn table(self) -> u32 {
        self.first + (2 << self.log)
    }

    /// Where the pairs of moves with the same label begin.
    pub(super) fn pairs(self) -> u32 {
        self.first_pair
    }

    /// Most pairs.
    pub(super) fn most_pairs(self) -> u32 {
        self.most_pairs
    }

    /// Bits of the number of a slot.
    pub(super) fn slot_bits(self) -> u32 {
        self.log + 1
    }

    const fn end(self) -> u32 {
        self.first + (4 << self.log)
    }
}

impl Lifter<'_> {
    /// Room for the moves of a search.
    pub(super) fn room(&self) -> Room {
        match self.known.long_moves {
            LongMoves::SideExit => Room::FEW,
            LongMoves::Numbered { .. } => Room::MANY,
        }
    }

    /// Words of scratch memory; some of them may be behind the marks.
    pub(super) fn scratch_words(&self, is_large: bool) -> u32 {
        match self.known.long_moves {
            LongMoves::SideExit if is_large => LARGE_SCRATCH,
            LongMoves::SideExit => SCRATCH,
            LongMoves::Numbered { .. } => Room::MANY.end().next_power_of_two(),
        }
    }
}
