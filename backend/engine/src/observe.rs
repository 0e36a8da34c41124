//! Values of variables as bytes, for programs that learn.

/// A cell to look at: a variable, or an entry of a map.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The variable.
    pub variable: String,
    /// The keys of the entry; none for a variable that is no map.
    pub keys: Vec<String>,
    /// For each value, what it writes; values without an entry write nothing.
    pub writes: Vec<(String, Write)>,
}

/// A byte that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// Where.
    pub at: u32,
    /// What.
    pub byte: u8,
}

/// Where a lifted state has what some cells hold.
#[derive(Debug)]
pub enum Source {
    /// Always the same.
    Always(Write),
    /// Bits of a word that are the number of a value, with what each value writes.
    Field {
        /// The word.
        word: u32,
        /// The lowest bit.
        shift: u32,
        /// As many ones as there are bits.
        mask: u64,
        /// By number.
        writes: Box<[Option<Write>]>,
    },
    /// A word of 64 places that are in a set or not, with what each writes if it is.
    Set {
        /// The word.
        word: u32,
        /// By bit.
        writes: Box<[Option<Write>]>,
    },
    /// Places that are in none of some sets.
    Rest {
        /// The words of these sets.
        words: Box<[u32]>,
        /// The places that there are.
        within: u64,
        /// By bit.
        writes: Box<[Option<Write>]>,
    },
}

/// Cells to look at, prepared for one reasoner (`Reasoner::observer`).
#[derive(Debug)]
pub struct Observer {
    /// The cells.
    pub cells: Vec<Cell>,
    /// Where states of the engine have them, and their number of words, if it knows.
    pub sources: Option<(usize, Vec<Source>)>,
}

impl Observer {
    /// Writes what a state's words hold to bytes that are all 0. Linear in the sources and the places in sets.
    pub fn write(sources: &[Source], word: impl Fn(u32) -> u64, out: &mut [u8]) {
        let mut put = |at: u32, byte: u8| {
            if let Some(slot) = out.get_mut(at as usize) {
                *slot = byte;
            }
        };
        for source in sources {
            match source {
                Source::Always(write) => put(write.at, write.byte),
                Source::Field { word: at, shift, mask, writes } => {
                    let value = word(*at) >> shift & mask;
                    if let Some(Some(write)) = writes.get(value as usize) {
                        put(write.at, write.byte);
                    }
                }
                Source::Set { word: index, writes } => of_bits(word(*index), writes, &mut put),
                Source::Rest { words, within, writes } => {
                    let union = words.iter().fold(0, |union, &index| union | word(index));
                    of_bits(!union & within, writes, &mut put);
                }
            }
        }
    }
}

/// Writes for each bit that is set.
fn of_bits(mut set: u64, writes: &[Option<Write>], put: &mut impl FnMut(u32, u8)) {
    while set != 0 {
        if let Some(Some(write)) = writes.get(set.trailing_zeros() as usize) {
            put(write.at, write.byte);
        }
        set &= set - 1;
    }
}
