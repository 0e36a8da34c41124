//! Recording moves. Where walks may have one label, labels are compared: a table has the hashes of those before.

use super::super::{Decider, Failure, Lifter};
use super::memory::{COUNT, FAILED, FUEL, MOST_TAGS, PAIRS, SEARCH, TAGS, Words};
use super::{Goal, Labels, Walk};
use wir::{Block, FnId, Function, Inst, Op, Reg};

/// A large odd number, by which labels are multiplied to spread them: 2⁶⁴ divided by the golden ratio (Knuth, The Art of
/// Computer Programming, 6.4).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Lifter<'_> {
    /// The walk shows one more tag.
    pub(super) fn sign_with(&mut self, walk: &mut Walk, tag: Reg) {
        let spread = self.function.builder.constant(SPREAD);
        let sum = self.function.builder.op(Op::Add(walk.sign, tag));
        walk.sign = self.function.builder.op(Op::Mul(sum, spread));
    }

    /// Records the move of a walk that has come to its end.
    pub(super) fn record_move(&mut self, labels: Labels, walk: &Walk) -> Result<Reg, Failure> {
        match labels {
            Labels::Unique => {
                let word = self.word_of_code(walk.code);
                self.append(word, None);
                Ok(self.function.builder.constant(0))
            }
            Labels::Compared => {
                let function = self.record_procedure();
                let to = self.function.builder.fresh();
                let word = self.word_of_code(walk.code);
                let args = vec![word, walk.sign];
                self.function.builder.push(Inst::Call { function, args, to });
                Ok(self.function.builder.constant(0))
            }
        }
    }

    /// Appends a move, and its label.
    fn append(&mut self, code: Reg, sign: Option<Reg>) {
        let count = self.peek(COUNT);
        let most = self.function.builder.constant(u64::from(self.room().capacity()));
        let fits = self.function.builder.op(Op::Less(count, most));
        let place = self.function.builder.op(Op::Select(fits, count, most));
        let list = self.function.builder.constant(u64::from(self.room().moves()));
        let at = self.function.builder.op(Op::Add(place, list));
        self.poke_at(at, code);
        if let Some(sign) = sign {
            let first = self.function.builder.constant(u64::from(self.room().signs()));
            let at = self.function.builder.op(Op::Add(place, first));
            self.poke_at(at, sign);
        }
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(count, one));
        self.poke(COUNT, next);
    }

    /// The number of the procedure `(move, hash of its label)` that records a move with a new label, and notes a pair of moves with
    /// the same one.
    fn record_procedure(&mut self) -> FnId {
        if let Some(id) = self.searches.record {
            return id;
        }
        let outer = std::mem::replace(&mut self.function.builder, super::super::build::Builder::new(2, &self.tables));
        let function = self.recording();
        self.function.builder = outer;
        let id = self.program.functions.len() as FnId;
        self.program.functions.push(function);
        self.searches.record = Some(id);
        id
    }

    fn recording(&mut self) -> Function {
        let (code, sign) = (0, 1);
        // Moves beyond the capacity end the search.
        let count = self.peek(COUNT);
        let most = self.function.builder.constant(u64::from(self.room().capacity()));
        let fits = self.function.builder.op(Op::Less(count, most));
        self.open();
        let (place, same) = self.slot_of(sign);
        self.open();
        self.note_pair(code, same);
        let pair = self.close(Vec::new());
        self.open();
        let search = self.peek(SEARCH);
        self.take_slot(place, search, count);
        self.append(code, Some(sign));
        let new = self.close(Vec::new());
        self.function.builder.push(Inst::If { cond: same, then: pair, other: new, to: Vec::new() });
        let then = self.close(Vec::new());
        self.open();
        self.fail();
        let other = self.close(Vec::new());
        self.function.builder.push(Inst::If { cond: fits, then, other, to: Vec::new() });
        let zero = self.function.builder.constant(0);
        self.finished("record".to_owned(), 2, vec![zero])
    }

    /// Gives a slot to the move with a number.
    pub(super) fn take_slot(&mut self, place: Reg, search: Reg, number: Reg) {
        let high = self.function.builder.op(Op::ShlBy(search, self.room().slot_bits()));
        let one = self.function.builder.constant(1);
        let number = self.function.builder.op(Op::Add(number, one));
        let slot = self.function.builder.or(high, number);
        self.poke_at(place, slot);
    }

    /// The slot for a hash of a label: the one that has it, with 1 more than the number of its move, or a free one, with 0.
    pub(super) fn slot_of(&mut self, sign: Reg) -> (Reg, Reg) {
        let hash = self.function.builder.op(Op::ShrBy(sign, 64 - self.room().slot_bits()));
        let zero = self.function.builder.constant(0);
        let search = self.peek(SEARCH);
        self.open();
        let at = self.function.builder.fresh();
        let before = self.function.builder.fresh();
        let table = self.function.builder.constant(u64::from(self.room().table()));
        let place = self.function.builder.op(Op::Add(table, at));
        let slot = self.peek_at(place);
        let owner = self.function.builder.op(Op::ShrBy(slot, self.room().slot_bits()));
        let taken = self.function.builder.op(Op::Eq(owner, search));
        let mask = self.function.builder.constant((1 << self.room().slot_bits()) - 1);
        let number = self.function.builder.and(slot, mask);
        let first = self.function.builder.constant(u64::from(self.room().signs() - 1));
        let place = self.function.builder.op(Op::Add(number, first));
        let other = self.peek_at(place);
        let equal = self.function.builder.op(Op::Eq(other, sign));
        let same = self.function.builder.and(taken, equal);
        let goes_on = self.function.builder.and_not(taken, equal);
        let no_number = self.function.builder.constant(0);
        let found = self.function.builder.op(Op::Select(same, number, no_number));
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(at, one));
        let last = self.function.builder.constant((1 << self.room().slot_bits()) - 1);
        let next = self.function.builder.and(next, last);
        let next = self.function.builder.op(Op::Select(goes_on, next, at));
        let body = self.close(vec![goes_on, next, found]);
        let (at_last, result) = (self.function.builder.fresh(), self.function.builder.fresh());
        let carried = vec![(at, hash), (before, zero)];
        self.function.builder.push(Inst::Loop { carried, body, to: vec![at_last, result] });
        let table = self.function.builder.constant(u64::from(self.room().table()));
        (self.function.builder.op(Op::Add(table, at_last)), result)
    }

    /// Notes that a move has the label of another, whose number is given, and 1 more.
    fn note_pair(&mut self, code: Reg, number: Reg) {
        let count = self.peek(PAIRS);
        let most = self.function.builder.constant(u64::from(self.room().most_pairs()));
        let fits = self.function.builder.op(Op::Less(count, most));
        let many = self.function.builder.negation(fits);
        self.fail_if(many);
        let place = self.function.builder.op(Op::Select(fits, count, most));
        let twice = self.function.builder.op(Op::ShlBy(place, 1));
        let list = self.function.builder.constant(u64::from(self.room().moves() - 1));
        let at = self.function.builder.op(Op::Add(number, list));
        let other = self.peek_at(at);
        for (word, code) in (0..).zip([other, code]) {
            let first = self.function.builder.constant(u64::from(self.room().pairs() + word));
            let at = self.function.builder.op(Op::Add(twice, first));
            self.poke_at(at, code);
        }
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(count, one));
        self.poke(PAIRS, next);
    }

    /// Takes a side exit if two moves with one label lead to different states.
    pub(super) fn compare_outcomes(&mut self, decider: &Decider) -> Result<(), Failure> {
        let count = self.peek(PAIRS);
        let [zero, calls] = [0, self.most_calls()].map(|value| self.function.builder.constant(value));
        self.open();
        // All of them together.
        self.poke(FUEL, calls);
        self.open();
        let left = self.function.builder.fresh();
        let one = self.function.builder.constant(1);
        let at = self.function.builder.op(Op::Sub(left, one));
        let twice = self.function.builder.op(Op::ShlBy(at, 1));
        let (after, other) = (self.after(0)?, self.other()?);
        let mut lost = zero;
        for word in 0..2 {
            let first = self.function.builder.constant(u64::from(self.room().pairs() + word));
            let place = self.function.builder.op(Op::Add(twice, first));
            let code = self.peek_at(place);
            let found = self.replay(Goal::Make, decider, code, zero)?;
            lost = self.function.builder.op(Op::Select(found, lost, one));
            if word == 0 {
                let [from, to] = [after, other].map(|at| self.function.builder.constant(u64::from(at)));
                self.copy_scratch(from, to, self.layout.words);
            }
        }
        let states = self.words_differ(after, Words::At(other), self.layout.words);
        let pairs = self.room().pairs();
        let differ = self.labels_differ(decider, [(pairs, twice), (pairs + 1, twice)])?;
        let differ = self.function.builder.or(differ, states);
        let differ = self.function.builder.or(differ, lost);
        self.function.builder.exit_if(differ);
        let more = self.function.builder.op(Op::Ne(at, zero));
        let body = self.close(vec![more, at]);
        let last = self.function.builder.fresh();
        self.function.builder.push(Inst::Loop { carried: vec![(left, count)], body, to: vec![last] });
        let failed = self.peek(FAILED);
        self.function.builder.exit_if(failed);
        let then = self.close(Vec::new());
        self.function.builder.push(Inst::If { cond: count, then, other: Block::default(), to: Vec::new() });
        Ok(())
    }

    /// Whether the labels of two moves differ; where they are in memory is given as sums.
    fn labels_differ(&mut self, decider: &Decider, moves: [(u32, Reg); 2]) -> Result<Reg, Failure> {
        for (at, (first, place)) in (0..).zip(moves) {
            let first = self.function.builder.constant(u64::from(first));
            let from = self.function.builder.op(Op::Add(first, place));
            let code = self.peek_at(from);
            let tags = self.function.builder.constant(u64::from(at * MOST_TAGS));
            self.replay(Goal::Label, decider, code, tags)?;
        }
        let zero = self.function.builder.constant(0);
        self.open();
        let number = self.function.builder.fresh();
        let tags = [0, MOST_TAGS].map(|label| {
            let first = self.function.builder.constant(u64::from(TAGS + label));
            let at = self.function.builder.op(Op::Add(first, number));
            self.peek_at(at)
        });
        let [a, b] = tags;
        let differ = self.function.builder.op(Op::Ne(a, b));
        let none = self.function.builder.constant(0);
        let more = self.function.builder.op(Op::Ne(a, none));
        let goes_on = self.function.builder.and_not(more, differ);
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(number, one));
        let before = self.function.builder.fresh();
        let body = self.close(vec![goes_on, next, differ]);
        let (last, result) = (self.function.builder.fresh(), self.function.builder.fresh());
        let carried = vec![(number, zero), (before, zero)];
        self.function.builder.push(Inst::Loop { carried, body, to: vec![last, result] });
        Ok(result)
    }
}
