//! Moves that are given by their numbers, because the choices of their walks do not fit into a word.
//!
//! ```text
//! 0…01 choices      a move that is made by replaying its choices
//! 1 number          a move that is made by a search, up to the walk with this number
//! ```
//!
//! Such a number counts the walks of a decision in the order in which [`Goal::List`] comes to their ends. [`Goal::Nth`] walks in the
//! same order, has the same marks, and stops at that walk. Only long moves pay for a second search.

use super::super::{Decider, Failure, Lifter};
use super::area::Area;
use super::memory::{LENGTH, MAKES, MOST_TAGS, SEARCH, TARGET, WALKS};
use super::{CODE_BITS, Goal, MAX_CALLS, Walk};
use rg_ir::EdgeId;
use wir::{Block, Inst, Op, Reg};

/// What becomes of moves whose choices do not fit into a word, in decisions that are searches.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LongMoves {
    /// A search that finds one takes a side exit.
    #[default]
    SideExit,
    /// Those whose choices take more than so many bits have numbers. Code is about twice as large.
    Numbered {
        /// The number of bits, where a word has so many.
        beyond: u32,
    },
}

/// Calls of procedures after which a search is given up where moves have numbers: there may be many.
const MAX_CALLS_OF_LONG: u64 = MAX_CALLS << 4;

impl Lifter<'_> {
    /// Calls of procedures after which a search is given up.
    pub(super) fn most_calls(&self) -> u64 {
        if self.numbers_long_moves() { MAX_CALLS_OF_LONG } else { MAX_CALLS }
    }

    pub(super) fn numbers_long_moves(&self) -> bool {
        self.known.long_moves != LongMoves::SideExit
    }

    /// Bits for the choices of a move.
    pub(super) fn code_bits(&self) -> u32 {
        match self.known.long_moves {
            LongMoves::SideExit => CODE_BITS,
            LongMoves::Numbered { beyond } => beyond.min(CODE_BITS),
        }
    }

    /// A walk's code, to which `following` bits are added next. If `over` is not 0, it is too long: with numbers for long moves, a code takes its
    /// place that stays too long whatever follows; without them, the search ends.
    pub(super) fn too_long(&mut self, code: Reg, over: Reg, following: u32) -> Reg {
        if !self.numbers_long_moves() {
            self.fail_if(over);
            return code;
        }
        let long = self.function.builder.constant(1 << self.code_bits().saturating_sub(following));
        self.function.builder.op(Op::Select(over, long, code))
    }

    /// The word of a move that is found: its choices, or its number.
    pub(super) fn word_of_code(&mut self, code: Reg) -> Reg {
        if !self.numbers_long_moves() {
            return code;
        }
        let long = self.function.builder.op(Op::ShrBy(code, self.code_bits()));
        let number = self.next_number();
        let bit = self.function.builder.constant(1 << CODE_BITS);
        let number = self.function.builder.or(number, bit);
        self.function.builder.op(Op::Select(long, number, code))
    }

    /// Makes a move, or reads its label to a place among the tags: whether it is found.
    pub(super) fn replay(&mut self, goal: Goal, decider: &Decider, word: Reg, tags: Reg) -> Result<Reg, Failure> {
        if !self.numbers_long_moves() {
            return self.replay_choices(goal, decider, word, tags);
        }
        let long = self.function.builder.op(Op::ShrBy(word, CODE_BITS));
        self.open();
        let found = self.find_nth(goal, decider, word, tags)?;
        if goal == Goal::Label {
            self.fail_if_cut();
        }
        let then = self.close(vec![found]);
        self.open();
        let found = self.replay_choices(goal, decider, word, tags)?;
        let other = self.close(vec![found]);
        let found = self.function.builder.if_else(long, then, other);
        Self::first_result(&found)
    }

    fn replay_choices(&mut self, goal: Goal, decider: &Decider, code: Reg, tags: Reg) -> Result<Reg, Failure> {
        let area = self.area(goal)?;
        let walk = self.begin_walk(&area, decider, code);
        self.call_search(&area, decider.node, &Walk { next: tags, ..walk })
    }

    /// Searches the walk with a number, makes its move if that is the goal, and has its label at a place among the tags: whether it is found.
    fn find_nth(&mut self, goal: Goal, decider: &Decider, word: Reg, tags: Reg) -> Result<Reg, Failure> {
        let labels = self.labels_at(decider);
        let area = self.area(Goal::Nth(labels))?;
        let mask = self.function.builder.constant((1 << CODE_BITS) - 1);
        let number = self.function.builder.and(word, mask);
        let [zero, makes] = [0, u64::from(goal == Goal::Make)].map(|value| self.function.builder.constant(value));
        for (at, value) in [(WALKS, zero), (TARGET, number), (MAKES, makes)] {
            self.poke(at, value);
        }
        let walk = self.begin_walk(&area, decider, zero);
        let walk = Walk { next: tags, ..walk };
        self.call_search(&area, decider.node, &walk)
    }

    /// Ends the search if a label has more tags than there is room for.
    fn fail_if_cut(&mut self) {
        let last = self.function.builder.constant(u64::from(MOST_TAGS - 1));
        let length = self.peek(LENGTH);
        let cut = self.function.builder.op(Op::Eq(length, last));
        self.fail_if(cut);
    }

    /// Counts a walk, or ends the search with it if it is the one that is wanted: whether it is.
    pub(super) fn arrived_nth(&mut self, area: &Area, id: EdgeId, walk: Walk) -> Result<Reg, Failure> {
        let [zero, one] = [0, 1].map(|value| self.function.builder.constant(value));
        let (count, target) = (self.next_number(), self.peek(TARGET));
        let is_wanted = self.function.builder.op(Op::Eq(count, target));
        self.open();
        self.end_label(&walk);
        let makes = self.peek(MAKES);
        self.open();
        let made = self.make_end(area, id, walk)?;
        // Another walk is no substitute for one whose end fails.
        let lost = self.function.builder.negation(made);
        self.fail_if(lost);
        let make = self.close(Vec::new());
        self.function.builder.push(Inst::If { cond: makes, then: make, other: Block::default(), to: Vec::new() });
        let then = self.close(vec![one]);
        self.open();
        let other = self.close(vec![zero]);
        let found = self.function.builder.if_else(is_wanted, then, other);
        Self::first_result(&found)
    }

    /// The number of the walk that has come to its end.
    fn next_number(&mut self) -> Reg {
        let number = self.peek(WALKS);
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(number, one));
        self.poke(WALKS, next);
        number
    }

    /// Ends the label of a walk behind its last tag.
    fn end_label(&mut self, walk: &Walk) {
        let zero = self.function.builder.constant(0);
        self.put_tag(walk.next, zero);
        let mask = self.function.builder.constant(u64::from(MOST_TAGS - 1));
        let length = self.function.builder.and(walk.next, mask);
        self.poke(LENGTH, length);
    }

    /// A walk's place for its next tag. It stays at the last one there is.
    pub(super) fn next_or_last(&mut self, next: Reg) -> Reg {
        let [one, last] = [1, u64::from(MOST_TAGS - 1)].map(|value| self.function.builder.constant(value));
        let number = self.function.builder.and(next, last);
        let full = self.function.builder.op(Op::Eq(number, last));
        let more = self.function.builder.op(Op::Add(next, one));
        self.function.builder.op(Op::Select(full, next, more))
    }

    /// A new search compares labels only with its own.
    pub(super) fn begin_labels(&mut self) {
        let search = self.peek(SEARCH);
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(search, one));
        self.poke(SEARCH, next);
    }
}
