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
        writes: Bits,
    },
    /// Places that are in none of some sets.
    Rest {
        /// The words of these sets.
        words: Box<[u32]>,
        /// The places that there are.
        within: u64,
        /// By bit.
        writes: Bits,
    },
}

/// What each bit of a word writes if it is set.
#[derive(Debug)]
pub struct Bits {
    /// Eight bits next to each other, from this one on, that write ones next to each other, from there on: they are written at once.
    eights: Box<[(u32, u32)]>,
    /// The bits that are not written in this way.
    singles: u64,
    /// By bit.
    writes: Box<[Option<Write>]>,
}

impl Bits {
    /// From what each bit writes. Linear.
    pub fn new(writes: Box<[Option<Write>]>) -> Self {
        let at = |bit: usize| writes.get(bit).copied().flatten();
        let mut singles = (0..64).filter(|&bit| at(bit).is_some()).fold(0u64, |all, bit| all | 1 << bit);
        let (mut eights, mut bit) = (Vec::new(), 0);
        while bit + 8 <= 64 {
            let first = at(bit).map_or(0, |write| write.at);
            let is_next = |next: u32| at(bit + next as usize) == Some(Write { at: first + next, byte: 1 });
            if (0..8).all(is_next) {
                eights.push((bit as u32, first));
                singles &= !(0xff << bit);
                bit += 8;
            } else {
                bit += 1;
            }
        }
        Self { eights: eights.into(), singles, writes }
    }

    /// Writes for each bit that is set.
    fn write(&self, set: u64, out: &mut [u8]) {
        for &(bit, first) in &self.eights {
            if let Some(bytes) = out.get_mut(first as usize..).and_then(|rest| rest.first_chunk_mut()) {
                *bytes = spread((set >> (bit & 63)) as u8);
            }
        }
        let mut left = set & self.singles;
        while left != 0 {
            if let Some(Some(write)) = self.writes.get(left.trailing_zeros() as usize) {
                put(out, *write);
            }
            left &= left - 1;
        }
    }
}

/// The bits of a byte as bytes, the lowest one first.
fn spread(bits: u8) -> [u8; 8] {
    // Three times, the upper half of each part goes to where the next larger part has its upper half.
    let halves = (u64::from(bits) | u64::from(bits) << 28) & 0x0000_000f_0000_000f;
    let quarters = (halves | halves << 14) & 0x0003_0003_0003_0003;
    ((quarters | quarters << 7) & 0x0101_0101_0101_0101).to_le_bytes()
}

/// Writes a byte, if there is room.
#[inline]
fn put(out: &mut [u8], write: Write) {
    if let Some(slot) = out.get_mut(write.at as usize) {
        *slot = write.byte;
    }
}

/// What to look at in states.
#[derive(Default, Debug)]
pub struct Looks {
    /// Values of variables.
    pub cells: Vec<Cell>,
    /// By the name of the node at which somebody has to move, what it writes; other nodes write nothing.
    pub nodes: Vec<(String, Write)>,
}

impl Looks {
    /// What the node of this name writes.
    pub fn at_node(&self, name: &str) -> Option<Write> {
        self.nodes.iter().find(|(node, _)| node == name).map(|(_, write)| *write)
    }
}

/// What to look at, prepared for one reasoner (`Reasoner::observer`).
#[derive(Debug)]
pub struct Observer {
    /// What it is.
    pub looks: Looks,
    /// Where states of the engine have them, and their number of words, if it knows.
    pub sources: Option<(usize, Vec<Source>)>,
}

impl Observer {
    /// Writes what a state's words hold to bytes that are all 0. Linear in the sources and the places in sets.
    pub fn write(sources: &[Source], word: impl Fn(u32) -> u64, out: &mut [u8]) {
        for source in sources {
            match source {
                Source::Always(write) => put(out, *write),
                Source::Field { word: at, shift, mask, writes } => {
                    let value = word(*at) >> shift & mask;
                    if let Some(Some(write)) = writes.get(value as usize) {
                        put(out, *write);
                    }
                }
                Source::Set { word: index, writes } => writes.write(word(*index), out),
                Source::Rest { words, within, writes } => {
                    let union = words.iter().fold(0, |union, &index| union | word(index));
                    writes.write(!union & within, out);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each bit writes, one after the other.
    fn one_by_one(set: u64, writes: &[Option<Write>], out: &mut [u8]) {
        for (bit, write) in writes.iter().enumerate() {
            if let Some(write) = write.filter(|_| set >> bit & 1 == 1) {
                put(out, write);
            }
        }
    }

    #[test]
    fn bits_are_written_at_once_as_one_by_one() {
        // In rows from the top, in rows of seven, by columns, all in one row that begins in the middle, with gaps, with another byte.
        let places: [&dyn Fn(u32) -> Option<Write>; 6] = [
            &|bit| Some(Write { at: (7 - bit / 8) * 8 + bit % 8, byte: 1 }),
            &|bit| Some(Write { at: 63 - (bit / 7 * 7 + (6 - bit % 7)).min(63), byte: 1 }),
            &|bit| Some(Write { at: bit % 8 * 8 + bit / 8, byte: 1 }),
            &|bit| (bit >= 3).then_some(Write { at: bit + 5, byte: 1 }),
            &|bit| (bit % 9 != 0).then_some(Write { at: bit, byte: 1 }),
            &|bit| Some(Write { at: bit, byte: if bit == 20 { 2 } else { 1 } }),
        ];
        for (number, place) in places.iter().enumerate() {
            let writes: Vec<Option<Write>> = (0..64).map(place).collect();
            let bits = Bits::new(writes.clone().into());
            for round in 0..200u64 {
                let set = round.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(round as u32);
                let (mut at_once, mut single) = ([0; 72], [0; 72]);
                bits.write(set, &mut at_once);
                one_by_one(set, &writes, &mut single);
                assert_eq!(at_once, single, "{number}: {set:x}");
            }
        }
        assert_eq!(spread(0b1000_0110), [0, 1, 1, 0, 0, 0, 0, 1]);
    }
}
