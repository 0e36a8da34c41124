//! What a program does against what it did before passes changed it.

use super::ir::{evaluate, word};
use backend::Rng;
use codegen::{Executor, Vm};
use wir::Program;
use wir::verify::verify;

/// Rounds of loops that the evaluator does before a case is left out.
const FUEL: u64 = 20_000;

/// Runs the functions of both on random states; returns how often.
pub(crate) fn compare(before: &Program, after: &Program, rng: &mut Rng) -> u32 {
    let mut cases = 0;
    verify(after).unwrap_or_else(|e| panic!("{e}\n{before}\n{after}"));
    let vm = Vm::new(after).unwrap_or_else(|e| panic!("{e}"));
    for (index, (old, new)) in (0..).zip(before.functions.iter().zip(&after.functions)) {
        if super::ir::is_called(old) {
            continue;
        }
        for _ in 0..4 {
            let mut state: Vec<u64> = (0..before.state_words).map(|_| word(rng)).collect();
            let argument = word(rng);
            let args = if old.params == 0 { vec![] } else { vec![argument] };
            let Some(expected) = evaluate(before, old, &state, &args, FUEL) else { continue };
            let found = evaluate(after, new, &state, &args, FUEL);
            let found = found.unwrap_or_else(|| panic!("more rounds than before\n{before}\n{after}"));
            // Single moves may have become a set.
            let same =
                (found.exited, &found.state, &found.results) == (expected.exited, &expected.state, &expected.results);
            assert!(same && found.moves() == expected.moves(), "{expected:?}\n{found:?}\n{before}\n{after}");
            if old.params == 0 {
                let mut moves = Vec::new();
                let listed = vm.list(index, &state, &mut moves);
                assert_eq!(listed.is_err(), expected.exited, "{after}");
                assert!(expected.exited || moves == expected.moves(), "{after}");
            } else {
                let result = vm.call(index, &mut state, argument).ok();
                assert_eq!(result, expected.results.first().copied(), "{after}");
                assert!(expected.exited || state == expected.state, "{after}");
            }
            cases += 1;
        }
    }
    cases
}
