//! Evaluation of circuits, with vectors of 256 bits where the processor has them. Those of 512 bits gain nothing: compilers transpose matrices with gathers
//! and scatters then.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls of functions for vectors that the processor has")
)]

use crate::Row;
use crate::circuit::Circuit;

/// Puts states, given by where their words begin, into a circuit, and takes its outputs.
pub(crate) fn evaluate(circuit: &Circuit, memory: &mut [Row], states: (&[u64], &[usize]), out: &mut Vec<u64>) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these vectors.
            return unsafe { with_256_bits(circuit, memory, states, out) };
        }
    }
    steps(circuit, memory, states, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_256_bits(circuit: &Circuit, memory: &mut [Row], states: (&[u64], &[usize]), out: &mut Vec<u64>) {
    steps(circuit, memory, states, out);
}

/// Inlined, so that it is compiled for each width.
#[inline(always)]
fn steps(circuit: &Circuit, memory: &mut [Row], (states, firsts): (&[u64], &[usize]), out: &mut Vec<u64>) {
    circuit.load(memory, states, firsts);
    circuit.run(memory, firsts.len());
    circuit.store(memory, firsts.len(), out);
}
