//! Counts how often the blocks of a program run, and how many moves its sets have.

use super::{Executor, Vm};
use wir::profile::{LISTED, Profile, counted, traced};
use wir::{FnId, Program};

/// Blocks and moves that are counted at most; then plays are known well enough.
const MAX_COUNTED: u64 = 1 << 24;

/// Rounds of loops after which a call is not counted.
const BUDGET: u64 = 1 << 20;

/// Counts in bytecode.
pub struct Tracer {
    /// The copy of the program that tells what runs.
    vm: Vm,
    /// By function, how many numbers belong to it.
    sizes: Vec<usize>,
    /// Those of all functions.
    counts: Vec<u64>,
    state: Vec<u64>,
    listed: Vec<u64>,
    left: u64,
}

impl Tracer {
    /// Begins to count for a program.
    ///
    /// # Errors
    /// If the program breaks a rule of [`wir`], or is too large.
    pub fn new(program: &Program) -> Result<Self, String> {
        let sizes: Vec<usize> = program.functions.iter().map(counted).collect();
        let counts = vec![0; sizes.iter().sum()];
        let vm = Vm::with_budget(&traced(program)?, BUDGET)?;
        Ok(Self { vm, sizes, counts, state: Vec::new(), listed: Vec::new(), left: MAX_COUNTED })
    }

    /// Whether enough was counted.
    pub fn done(&self) -> bool {
        self.left == 0
    }

    /// Counts what a call comes through; the state stays as it is. A call that gives its case back does not count, and what is
    /// called from other functions only must not be called here.
    pub fn call(&mut self, function: FnId, state: &[u64], argument: u64) {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.state.push(argument);
        if self.done() || self.vm.list(function, &self.state, &mut self.listed).is_err() {
            return;
        }
        self.left = self.left.saturating_sub(self.listed.len() as u64);
        for &listed in &self.listed {
            if let Some(count) = self.counts.get_mut((listed >> LISTED) as usize) {
                *count += 1;
            }
        }
    }

    /// What was counted.
    pub fn finish(self) -> Profile {
        let mut counts = self.counts.into_iter();
        Profile { functions: self.sizes.iter().map(|&size| counts.by_ref().take(size).collect()).collect() }
    }
}
