//! Hashes that are the same on every machine and in every release, for the versions of numberings that programs keep.

use std::hash::{Hash, Hasher};

/// FNV-1a with 64 bits.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    // Numbers are as long on every machine, and their bytes are in one order.
    fn write_u32(&mut self, number: u32) {
        self.write(&number.to_le_bytes());
    }

    fn write_u64(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The hash of something. Linear.
pub(crate) fn version(of: impl Hash) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_algorithm() {
        let of = |bytes: &[u8]| {
            let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
            hasher.write(bytes);
            hasher.finish()
        };
        // Test vectors of its authors.
        assert_eq!((of(b""), of(b"a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
        assert_eq!(of(b"foobar"), 0x8594_4171_f739_67e8);
        assert_ne!(version(["a", "bc"]), version(["ab", "c"]));
    }
}
