//! What texts of programs are simplified to.

use super::compared::compare;
use backend::Rng;
use wir::{Program, parse};
use wir_opt::optimise;

/// The program of a text and what it is simplified to, which does the same `times` times on some random states.
pub(crate) fn simplified(text: &str, times: u32, rng: &mut Rng) -> (Program, Program) {
    let program = parse(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let mut simpler = program.clone();
    optimise(&mut simpler);
    for _ in 0..times {
        compare(&program, &simpler, rng);
    }
    (program, simpler)
}
