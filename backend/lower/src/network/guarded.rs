//! Conjunctions of a *guard*, a literal with a wide fanout, and a *rest*.
//!
//! Who is to move, or what is true in most positions, is in thousands of conjunctions, of which hardly any depend on it at a time. A counter
//! would be changed for each of them whenever the guard flips. Instead, a set for each guard has the conjunctions whose rest is true (they are *armed*), and a
//! guard that flips changes the armed ones only: one step for each 64 conjunctions, and one for each that is armed. A rest that flips is put into the set
//! or taken out of it, and changes its conjunction if the guard is true. So a conjunction with several guards costs nothing until what is before
//! the guard is true, like watching a literal that is false in a satisfiability solver.

use super::counters::Signal;
use rustc_hash::FxHashMap;

/// Least number of conjunctions of a literal that makes it their guard: two words of bits.
pub(super) const WIDE: u32 = 128;

/// The guarded conjunctions of a part, each with a *slot*: a bit of a word of its guard.
#[derive(Default)]
pub(super) struct Guarded {
    /// By gate, where its words begin in [`Guarded::guards`], as guard.
    pub(super) first_word: Vec<u64>,
    /// By word, its guard.
    pub(super) guards: Vec<Signal>,
    /// By slot, its gate.
    pub(super) gates: Vec<u64>,
    /// By gate, where the slots whose rest it is begin in [`Guarded::slots`].
    pub(super) first_slot: Vec<u64>,
    /// Twice a slot, and 1 more if the rest is the complement of the gate.
    pub(super) slots: Vec<u64>,
    /// By word, the slots that are armed where no input is true.
    pub(super) armed: Vec<u64>,
}

impl Guarded {
    /// Whether a gate is a guard.
    pub(super) fn has_guards(&self, gate: usize) -> bool {
        self.first_word.get(gate) != self.first_word.get(gate + 1)
    }

    /// Whether a gate is a rest.
    pub(super) fn has_rests(&self, gate: usize) -> bool {
        self.first_slot.get(gate) != self.first_slot.get(gate + 1)
    }
}

/// Guarded conjunctions that are being collected.
#[derive(Default)]
pub(super) struct Pairs {
    /// The gate of a rest and a guard.
    gates: FxHashMap<(Signal, Signal), u32>,
    /// Guards, rests, gates, and whether they are armed where no input is true.
    all: Vec<(Signal, Signal, u32, bool)>,
}

impl Pairs {
    /// The gate of a rest and a guard, if there is one.
    pub(super) fn gate(&self, rest: Signal, guard: Signal) -> Option<u32> {
        self.gates.get(&(rest, guard)).copied()
    }

    /// Adds the conjunction of a rest and a guard.
    pub(super) fn add(&mut self, (rest, guard): (Signal, Signal), gate: u32, armed: bool) {
        self.gates.insert((rest, guard), gate);
        self.all.push((guard, rest, gate, armed));
    }

    /// The tables of all pairs, given the number of gates of the network.
    pub(super) fn finish(mut self, gates: usize) -> Guarded {
        self.all.sort_unstable();
        let mut guarded = Guarded::default();
        let mut rests: Vec<(Signal, u64)> = Vec::new();
        for (guard, rest, gate, armed) in self.all {
            if guarded.gates.len().is_multiple_of(64) || guarded.guards.last() != Some(&guard) {
                // Each word is of one guard.
                guarded.gates.resize(64 * guarded.guards.len(), 0);
                guarded.guards.push(guard);
                guarded.armed.push(0);
            }
            let slot = guarded.gates.len() as u64;
            guarded.gates.push(u64::from(gate));
            rests.push((rest, slot));
            if let Some(word) = guarded.armed.last_mut() {
                *word |= u64::from(armed) << (slot % 64);
            }
        }
        rests.sort_unstable();
        let begins = |list: &[Signal]| -> Vec<u64> {
            (0..=gates as u64).map(|gate| list.partition_point(|signal| signal >> 1 < gate) as u64).collect()
        };
        guarded.first_word = begins(&guarded.guards);
        guarded.first_slot = begins(&rests.iter().map(|&(rest, _)| rest).collect::<Vec<Signal>>());
        guarded.slots = rests.into_iter().map(|(rest, slot)| slot << 1 | (rest & 1)).collect();
        guarded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_guard_has_words_of_its_own() {
        let mut pairs = Pairs::default();
        // Gate 1 is the guard of 65 conjunctions, whose rests are the gates from 3 on, and its complement that of one more.
        for at in 0..65 {
            pairs.add((2 * (3 + at), 2), 100 + at as u32, at == 64);
        }
        pairs.add((7, 3), 200, true);
        assert_eq!((pairs.gate(7, 3), pairs.gate(6, 3)), (Some(200), None));
        let guarded = pairs.finish(300);
        assert_eq!(guarded.guards, [2, 2, 3]);
        assert_eq!(guarded.armed, [0, 1, 1]);
        assert_eq!((guarded.first_word[1], guarded.first_word[2]), (0, 3));
        assert!(guarded.has_guards(1) && !guarded.has_guards(2));
        // Gate 3 is the rest of the first slot, and its complement that of the one behind the guard's two words.
        let of_3 = guarded.first_slot[3] as usize..guarded.first_slot[4] as usize;
        assert_eq!(guarded.slots[of_3], [0, 2 * 128 + 1]);
        assert_eq!((guarded.gates[0], guarded.gates[64], guarded.gates[128]), (100, 164, 200));
    }
}
