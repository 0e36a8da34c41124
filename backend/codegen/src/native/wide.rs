//! Writing the elements of sets with the wide instructions that some processors have (AVX-512 with VBMI2) and Cranelift does
//! not know: all elements of a word at once (`docs/engine/techniques.md`, *byte-wise emission*).
//!
//! Compiled code calls these functions by a convention that keeps every register it may use. They change no others than
//! mask registers and vector registers from 16 on, which compiled code never has values in.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "functions in assembly"))]

/// The functions, or what stands for them.
#[derive(Clone, Copy)]
pub(super) struct Wide<F> {
    /// `(set, to)`: writes the elements of `set` from `to` on, a byte for each; 64 bytes are changed.
    pub(super) bytes: F,
    /// `(set, to, base, by, number of elements)`: writes `base + (i << by)` for each element i of `set` from `to` on, a word
    /// for each; up to 8 words more than there are elements are changed.
    pub(super) words: F,
}

impl<F: Copy> Wide<F> {
    /// Something else for each of them; they have 2 and 5 parameters.
    pub(super) fn map<G>(self, mut of: impl FnMut(F, usize) -> G) -> Wide<G> {
        Wide { bytes: of(self.bytes, 2), words: of(self.words, 5) }
    }
}

/// Where the functions are, if the processor has what they need.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn wide() -> Option<Wide<*const u8>> {
    None
}

/// Where the functions are, if the processor has what they need.
#[cfg(target_arch = "x86_64")]
pub(super) fn wide() -> Option<Wide<*const u8>> {
    let there = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("popcnt");
    there.then_some(Wide { bytes: code::bytes as *const u8, words: code::words as *const u8 })
}

#[cfg(target_arch = "x86_64")]
mod code {
    use std::arch::naked_asm;

    static PLACES: [u8; 64] = {
        let mut places = [0; 64];
        let mut place = 0;
        while place < 64 {
            places[place] = place as u8;
            place += 1;
        }
        places
    };

    /// # Safety
    /// `rsi` points to 64 bytes that may be written; the processor has the instructions.
    #[unsafe(naked)]
    pub(super) unsafe extern "sysv64" fn bytes() {
        naked_asm!(
            "kmovq k1, rdi",
            "vmovdqu64 zmm16, zmmword ptr [rip + {places}]",
            "vpcompressb zmm17 {{k1}} {{z}}, zmm16",
            "vmovdqu64 zmmword ptr [rsi], zmm17",
            "ret",
            places = sym PLACES,
        )
    }

    /// # Safety
    /// `rsi` points to as many words as `rdi` has bits, which `r8` says, and 8 more that may be written; the processor has
    /// the instructions.
    #[unsafe(naked)]
    pub(super) unsafe extern "sysv64" fn words() {
        naked_asm!(
            "kmovq k1, rdi",
            "vmovdqu64 zmm16, zmmword ptr [rip + {places}]",
            "vpcompressb zmm17 {{k1}} {{z}}, zmm16",
            "vpbroadcastq zmm18, rdx",
            "vmovd xmm19, ecx",
            "vpmovzxbq zmm20, xmm17",
            "vpsllq zmm20, zmm20, xmm19",
            "vpaddq zmm20, zmm20, zmm18",
            "vmovdqu64 zmmword ptr [rsi], zmm20",
            "cmp r8, 8",
            "ja 2f",
            "ret",
            "2:",
            "push rsi",
            "push r8",
            "3:",
            "add rsi, 64",
            "valignq zmm17, zmm17, zmm17, 1",
            "vpmovzxbq zmm20, xmm17",
            "vpsllq zmm20, zmm20, xmm19",
            "vpaddq zmm20, zmm20, zmm18",
            "vmovdqu64 zmmword ptr [rsi], zmm20",
            "sub r8, 8",
            "cmp r8, 8",
            "ja 3b",
            "pop r8",
            "pop rsi",
            "ret",
            places = sym PLACES,
        )
    }
}
