//! Code generation: regions to backtracking code.

use super::marks::Marks;
use super::region::{Alternative, Region};
use super::step::{Lowering, Step, Test};
use super::{Ex, FAIL, MarkSite, Op, Pc, Term};
use rg_ir::NodeId;
use rustc_hash::FxHashMap;

/// A place in the code of a region that is not known yet.
type Label = u32;

/// Nodes with more ways on than this are not searched for exclusive tests (the search is quadratic).
const MAX_EXCLUSIVE: usize = 64;

/// Length of code that is repeated rather than jumped to: where code goes straight on, more is known.
const MAX_REPEATED: usize = 16;
/// Length of code that is repeated however often it is.
const REPEATED_ALWAYS: usize = 4;
/// Most operations of a region that are repeated besides.
const MAX_ALL_REPEATED: usize = 2048;

/// The code of all regions.
#[derive(Default)]
pub(super) struct Code {
    pub(super) ops: Vec<Op>,
    pub(super) marks: Vec<MarkSite>,
    /// Checks met, as (from, to); [`Op::Reach`] holds an index until entries are known.
    pub(super) checks: Vec<(NodeId, NodeId)>,
    check_ids: FxHashMap<(NodeId, NodeId), u32>,
}

impl Code {
    fn check(&mut self, from: NodeId, to: NodeId) -> u32 {
        let checks = &mut self.checks;
        *self.check_ids.entry((from, to)).or_insert_with(|| {
            checks.push((from, to));
            checks.len() as u32 - 1
        })
    }

    /// Emits a region; returns the addresses of its entries.
    pub(super) fn region(&mut self, lowering: &mut Lowering, region: &Region, marks: &Marks) -> Vec<Pc> {
        let first_op = self.ops.len();
        let mut emitter = Emitter {
            code: self,
            lowering,
            region,
            marks,
            labels: Vec::new(),
            node_labels: vec![FAIL; region.nodes.len()],
            emitted: vec![false; region.nodes.len()],
            asked: vec![false; region.nodes.len()],
            pending: Vec::new(),
            block: first_op,
            repeated: 0,
        };
        for entry in (0..region.entries).rev() {
            emitter.pending.push(Pending::Node(entry));
        }
        emitter.run();
        let labels = std::mem::take(&mut emitter.labels);
        let node_labels = std::mem::take(&mut emitter.node_labels);
        let address = |label: Label| labels.get(label as usize).copied().unwrap_or(FAIL);
        for op in self.ops.iter_mut().skip(first_op) {
            if let Some(target) = op.target_mut() {
                *target = address(*target);
            }
        }
        node_labels.iter().take(region.entries).map(|&label| address(label)).collect()
    }
}

impl Op {
    /// The address an operation may continue at.
    pub(crate) fn target_mut(&mut self) -> Option<&mut Pc> {
        match self {
            Op::Jump(pc) | Op::Try(pc) => Some(pc),
            Op::SlotEq { other, .. }
            | Op::SlotNe { other, .. }
            | Op::CellEq { other, .. }
            | Op::CellNe { other, .. }
            | Op::TableEq { other, .. }
            | Op::CellTableEq { other, .. }
            | Op::Eq { other, .. }
            | Op::Ne { other, .. }
            | Op::MapEq { other, .. }
            | Op::MapNe { other, .. }
            | Op::Reach { other, .. } => Some(other),
            _ => None,
        }
    }
}

/// Code still to be generated.
enum Pending {
    Node(usize),
    /// The alternatives of a node from one on; `known`: the first one's test is known to hold.
    Alternatives {
        label: Label,
        node: usize,
        from: usize,
        known: bool,
    },
}

struct Emitter<'a, 'g> {
    code: &'a mut Code,
    lowering: &'a mut Lowering<'g>,
    region: &'a Region,
    marks: &'a Marks,
    labels: Vec<Pc>,
    node_labels: Vec<Label>,
    emitted: Vec<bool>,
    /// Nodes whose tests further on have been asked before.
    asked: Vec<bool>,
    pending: Vec<Pending>,
    /// First operation that no label separates from the end.
    block: usize,
    /// Operations of longer code that are there once more.
    repeated: usize,
}

impl Emitter<'_, '_> {
    fn run(&mut self) {
        while let Some(pending) = self.pending.pop() {
            match pending {
                Pending::Node(node) if self.emitted[node] => {}
                Pending::Node(node) => self.flow(None, Some(node)),
                Pending::Alternatives { label, node, from, known } => {
                    self.place(label);
                    let next = self.alternatives(node, from, known);
                    self.flow(Some(node), next);
                }
            }
        }
    }

    fn new_label(&mut self) -> Label {
        self.labels.push(FAIL);
        self.labels.len() as Label - 1
    }

    fn place(&mut self, label: Label) {
        if let Some(pc) = self.labels.get_mut(label as usize) {
            *pc = self.code.ops.len() as Pc;
        }
        self.block = self.code.ops.len();
    }

    fn node_label(&mut self, node: usize) -> Label {
        if self.node_labels[node] == FAIL {
            self.node_labels[node] = self.new_label();
        }
        self.node_labels[node]
    }

    fn push(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// Generates code from a node on, to which the code goes on from `source`, as long as it goes straight.
    fn flow(&mut self, mut source: Option<usize>, mut next: Option<usize>) {
        while let Some(node) = next {
            if self.emitted[node] {
                let label = self.node_label(node);
                self.repeat_or_jump(label);
                return;
            }
            self.emitted[node] = true;
            let inside = source.filter(|&source| self.marks.is_way_in(source, node)).map(|_| self.new_label());
            if let Some(inside) = inside {
                self.push(Op::Jump(inside));
            }
            if self.region.arrivals[node] > 1 || node < self.region.entries {
                let label = self.node_label(node);
                self.place(label);
            }
            if self.region.is_target(node) {
                self.push(Op::Accept);
                return;
            }
            if let Some(site) = &self.marks.sites[node] {
                // A whole state is looked up only if the walk goes on at all.
                if site.base == FAIL
                    && let Some(tests) = super::ahead::test(self.lowering, self.region, node)
                {
                    self.one_of(&tests, FAIL);
                }
                self.code.marks.push(site.clone());
                self.push(Op::Mark(self.code.marks.len() as u32 - 1));
            }
            if let Some(inside) = inside {
                self.place(inside);
            }
            source = Some(node);
            next = self.alternatives(node, 0, false);
        }
    }

    /// Goes on at code that is there already: a jump, or the code again if it is short and goes nowhere else.
    fn repeat_or_jump(&mut self, label: Label) {
        let start = self.labels.get(label as usize).copied().unwrap_or(FAIL) as usize;
        let code = self.code.ops.get(start..).unwrap_or(&[]);
        let last = |op: &Op| matches!(op, Op::Finish(_) | Op::FinishWith { .. } | Op::Accept | Op::Fail | Op::Jump(_));
        match code.iter().take(MAX_REPEATED).position(last) {
            Some(end) if end < REPEATED_ALWAYS || self.repeated + end < MAX_ALL_REPEATED => {
                if end >= REPEATED_ALWAYS {
                    self.repeated += end + 1;
                }
                let again = code[..=end].to_vec();
                self.code.ops.extend(again);
                self.block = self.code.ops.len();
            }
            _ => self.push(Op::Jump(label)),
        }
    }

    /// Generates the alternatives of a node from `from` on; returns where the code goes straight on.
    fn alternatives(&mut self, node: usize, from: usize, known: bool) -> Option<usize> {
        let region = self.region;
        let list = &region.alternatives[node];
        let Some(alternative) = list.get(from) else {
            self.push(Op::Fail);
            return None;
        };
        let rest = list.get(from + 1..).unwrap_or(&[]);
        let mut exclusive = false;
        let mut other = FAIL;
        if !rest.is_empty() {
            other = self.new_label();
            let mut next_known = false;
            if let Step::Test(test) = &alternative.step
                && rest.len() <= MAX_EXCLUSIVE
            {
                exclusive = rest.iter().all(|a| matches!(&a.step, Step::Test(t) if test.excludes(t)));
                next_known = matches!(rest, [Alternative { step: Step::Test(t), .. }] if test.complements(t));
            }
            self.pending.push(Pending::Alternatives { label: other, node, from: from + 1, known: next_known });
        }
        match &alternative.step {
            Step::Test(test) => {
                if !known {
                    self.test(test, other);
                }
                let at = self.tests(alternative.target, if exclusive { FAIL } else { other });
                Some(at)
            }
            Step::Skip => Some(self.tests(alternative.target, other)),
            step => {
                if other != FAIL || !self.asked[node] {
                    self.ask(node, step, alternative.target, other);
                }
                if other != FAIL {
                    self.push(Op::Try(other));
                }
                self.effect(step, alternative.node);
                if matches!(step, Step::Each { .. }) {
                    self.filter(alternative.target);
                }
                if matches!(step, Step::Finish { .. } | Step::Never) {
                    return None;
                }
                let target = alternative.target;
                if region.opens(step, node, target) && self.marks.scoped[target] {
                    self.push(Op::Scope);
                }
                Some(target)
            }
        }
    }

    /// Generates the tests that follow at once, all of which continue at `other`, and then the choice point for it.
    fn tests(&mut self, mut at: usize, other: Label) -> usize {
        if other == FAIL {
            return at;
        }
        while self.region.arrivals[at] == 1 && !self.emitted[at] && self.marks.sites[at].is_none() {
            let [Alternative { step: Step::Test(test), target, .. }] = self.region.alternatives[at].as_slice() else {
                break;
            };
            if self.region.is_target(at) {
                break;
            }
            self.emitted[at] = true;
            self.test(test, other);
            at = *target;
        }
        // Where a check ends nothing else is tried.
        if !self.region.is_target(at) {
            self.ahead(at, other);
            self.push(Op::Try(other));
        }
        at
    }

    /// Asks before a choice point is made what is asked behind the write or the tag that comes next, if that is certain.
    fn ahead(&mut self, at: usize, other: Label) {
        let region = self.region;
        let only = region.arrivals[at] == 1 && !self.emitted[at] && self.marks.sites[at].is_none();
        if let ([Alternative { step, target, .. }], true) = (region.alternatives[at].as_slice(), only) {
            self.ask(at, step, *target, other);
            self.asked[at] = true;
        }
    }

    /// Asks what is asked behind a write or a tag at a node.
    fn ask(&mut self, node: usize, step: &Step, target: usize, other: Label) {
        let (tests, passed) = super::ahead::tests(self.lowering, self.region, node, step, target);
        for ways in tests {
            self.one_of(&ways, other);
        }
        passed.into_iter().for_each(|passed| self.asked[passed] = true);
    }

    fn effect(&mut self, step: &Step, node: NodeId) {
        match step {
            Step::Tag(tag) => self.tag(*tag),
            Step::Write { op, .. } | Step::Each { op, .. } => self.push(*op),
            Step::Finish { op: Op::SetConstant { slot, value }, .. } => {
                self.push(Op::FinishWith { slot: *slot, value: *value, node });
            }
            Step::Finish { op, .. } => {
                self.push(*op);
                self.push(Op::Finish(node));
            }
            Step::Never => self.push(Op::Fail),
            Step::Skip | Step::Test(_) => {}
        }
    }

    /// A tag, joined with the one before it where that is a variable's.
    fn tag(&mut self, op: Op) {
        let block = self.block;
        match (self.code.ops.len() > block).then(|| self.code.ops.last_mut()).flatten() {
            Some(last) => match (*last, op) {
                (Op::TagSlot { slot, names }, Op::Tag(tag)) => *last = Op::TagPair { slot, names, tag },
                _ => self.push(op),
            },
            None => self.push(op),
        }
    }

    fn test(&mut self, test: &Test, other: Label) {
        let op = match test {
            Test::In { value, class, list, negated } => self.membership(*value, *class, list, *negated, other),
            &Test::Equal { left, right, negated: false } => Op::Eq { left, right, other },
            &Test::Equal { left, right, negated: true } => Op::Ne { left, right, other },
            &Test::Map { map, negated: false, .. } => Op::MapEq { map, other },
            &Test::Map { map, negated: true, .. } => Op::MapNe { map, other },
            &Test::Reach { from, to, negated } => {
                let check = self.code.check(from, to);
                Op::Reach { entry: FAIL, negated, check, other }
            }
        };
        if other == FAIL && self.fuse(op) {
            return;
        }
        self.push(op);
    }

    /// Goes on if all tests of some group hold.
    fn one_of(&mut self, groups: &[Vec<Test>], other: Label) {
        let Some((last, rest)) = groups.split_last() else { return };
        let go_on = self.new_label();
        for group in rest {
            let next = self.new_label();
            for test in group {
                self.test(test, next);
            }
            self.push(Op::Jump(go_on));
            self.place(next);
        }
        for test in last {
            self.test(test, other);
        }
        if !rest.is_empty() {
            self.place(go_on);
        }
    }

    fn membership(&mut self, value: u32, class: usize, list: &[u32], negated: bool, other: Label) -> Op {
        let ex = self.lowering.exprs.get(value as usize).copied().unwrap_or(Ex::Constant(0));
        if let &[number] = list {
            match (ex, negated) {
                (Ex::Slot(slot), false) => return Op::SlotEq { slot, value: number, other },
                (Ex::Slot(slot), true) => return Op::SlotNe { slot, value: number, other },
                (Ex::Cell { base, slot }, false) => return Op::CellEq { base, slot, value: number, other },
                (Ex::Cell { base, slot }, true) => return Op::CellNe { base, slot, value: number, other },
                (Ex::Table { base, slot }, false) => return Op::TableEq { base, slot, value: number, other },
                _ => {}
            }
            if let (Some((table, base, slot)), false) = (self.table_of_cell(ex), negated) {
                return Op::CellTableEq { base, slot, table, value: number, other };
            }
            let right = self.lowering.constant(number);
            return if negated { Op::Ne { left: value, right, other } } else { Op::Eq { left: value, right, other } };
        }
        let table = self.lowering.layout.predicate(class, list.to_vec());
        let wanted = u32::from(!negated);
        match ex {
            Ex::Slot(slot) => Op::TableEq { base: table, slot, value: wanted, other },
            Ex::Cell { base, slot } => Op::CellTableEq { base, slot, table, value: wanted, other },
            _ => {
                let term = Term { value, stride: 1, convert: FAIL, count: u32::MAX };
                let left = self.lowering.load(true, table, vec![term]);
                let right = self.lowering.constant(wanted);
                Op::Eq { left, right, other }
            }
        }
    }

    /// `tables[table + cells[base + cells[slot]]]`.
    fn table_of_cell(&self, ex: Ex) -> Option<(u32, u32, u32)> {
        let Ex::Load { table: true, base: table, first, count: 1 } = ex else { return None };
        let term = self.lowering.terms.get(first as usize)?;
        match self.lowering.exprs.get(term.value as usize)? {
            &Ex::Cell { base, slot } if term.stride == 1 && term.convert == FAIL => Some((table, base, slot)),
            _ => None,
        }
    }

    /// After a choice of values, where all ways on ask what one cell holds that the value is the index of: chooses only
    /// among values for which one of them holds. The tests themselves stay.
    fn filter(&mut self, target: usize) {
        let Some(&Op::Each { slot, low, high }) = self.code.ops.last() else { return };
        let (Some(ways), Some(1)) = (self.region.alternatives.get(target), self.region.arrivals.get(target)) else {
            return;
        };
        if ways.len() < 2 || self.marks.sites[target].is_some() || self.region.is_target(target) {
            return;
        }
        let mut asked: Option<(u32, usize)> = None;
        let mut values: Vec<u32> = Vec::new();
        for way in ways {
            let Step::Test(Test::In { value, class, list, negated: false }) = &way.step else { return };
            if *asked.get_or_insert((*value, *class)) != (*value, *class) {
                return;
            }
            values.extend(list);
        }
        let Some((value, class)) = asked else { return };
        let Some(&Ex::Cell { base, slot: index }) = self.lowering.exprs.get(value as usize) else { return };
        if index != slot {
            return;
        }
        values.sort_unstable();
        values.dedup();
        let table = self.lowering.layout.predicate(class, values);
        if let Some(op) = self.code.ops.last_mut() {
            *op = Op::EachWhere { slot, low, high, base, table };
        }
    }

    /// Joins a backtracking test with the operation before it.
    fn fuse(&mut self, test: Op) -> bool {
        if self.code.ops.len() <= self.block {
            return false;
        }
        let Some(last) = self.code.ops.last_mut() else { return false };
        let fused = match (*last, test) {
            (Op::Each { slot, low, high }, Op::CellEq { base, slot: index, value, .. }) if slot == index => {
                Op::EachCell { slot, low, high, base, value }
            }
            (Op::Each { slot, low, high }, Op::CellTableEq { base, slot: index, table, value: 1, .. })
                if slot == index =>
            {
                Op::EachWhere { slot, low, high, base, table }
            }
            (Op::Each { slot, low, high }, Op::TableEq { base, slot: index, value, .. }) if slot == index => {
                Op::EachTable { slot, low, high, base, value }
            }
            (Op::SetTable { slot, base, from }, Op::SlotNe { slot: tested, value, .. }) if slot == tested => {
                Op::Step { slot, base, from, not: value }
            }
            _ => return false,
        };
        *last = fused;
        true
    }
}
