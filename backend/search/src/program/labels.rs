//! Whether all walks of a search have labels of their own, so that no move is found twice.
//!
//! Two walks with one label are followed side by side from where they part, on the automaton alone: a pair of places is
//! come to if some two walks with equal tags so far may be there. If no pair of ends can be come to, and no walks meet again
//! before a tag has told them apart, labels need not be compared while moves are recorded. Walks that part because they
//! choose different values stay at one node: a tag with the value tells them apart.
//!
//! Conditions are not looked at, but for those of one node that exclude each other. So nothing is said of a walk that goes
//! round without a tag and never parts from itself: whether such a search ends is for marks to see to. At worst quadratic in
//! the size of the region, and given up after [`MAX_WORK`] steps.

use super::Op;
use super::region::Region;
use super::step::Step;
use fixedbitset::FixedBitSet;
use rg_ir::Symbol;
use rustc_hash::FxHashSet;

/// Most nodes and pairs of ways that are looked at for all entries together.
const MAX_WORK: usize = 200_000;

/// What a way shows of itself.
#[derive(Clone, Copy)]
enum Shows {
    /// Nothing; it writes this cell only, as far as single cells go.
    Nothing(Option<u32>),
    /// A tag.
    Symbol(Symbol),
    /// The value of a cell.
    Value(u32),
    /// That the move is over.
    End,
}

/// Two walks with equal tags so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Pair {
    /// At two places, the lower number first.
    Apart(usize, usize),
    /// At one node, with different values in a cell.
    Together(usize, u32),
}

/// A region as walks are followed in it. Places are its nodes, and behind them its ways before they are taken.
struct Walks<'r> {
    region: &'r Region,
    /// By node, the place of its first way.
    first: Vec<usize>,
    /// By place of a way, its node and number.
    ways: Vec<(usize, usize)>,
}

/// What is known of the labels of a region that searches for moves.
pub(super) struct Told {
    /// Per entry, whether all walks from there have labels of their own.
    pub(super) entries: Vec<bool>,
    /// Per node, whether that is so for all entries that lead there, and no way leads back there without a tag: then no
    /// search comes there twice with one label.
    pub(super) nodes: Vec<bool>,
}

/// Finds out which walks are distinguished by their labels.
pub(super) fn labels_unique(region: &Region) -> Told {
    let walks = Walks::new(region);
    let mut left = MAX_WORK;
    let nodes = (0..region.nodes.len()).map(|node| !region.is_on_silent_cycle(node)).collect();
    let mut told = Told { entries: vec![false; region.entries], nodes };
    for entry in 0..region.entries {
        let reached = region.reached(entry);
        let Some(less) = left.checked_sub(region.nodes.len()) else {
            // Nothing is known of the entries that are left.
            return Told { nodes: vec![false; region.nodes.len()], ..told };
        };
        left = less;
        told.entries[entry] = walks.from(&reached, &mut left);
        if !told.entries[entry] {
            reached.ones().for_each(|node| told.nodes[node] = false);
        }
    }
    told
}

impl<'r> Walks<'r> {
    fn new(region: &'r Region) -> Self {
        let (mut first, mut ways) = (Vec::with_capacity(region.nodes.len()), Vec::new());
        for (node, list) in region.alternatives.iter().enumerate() {
            first.push(region.nodes.len() + ways.len());
            ways.extend((0..list.len()).map(|number| (node, number)));
        }
        Self { region, first, ways }
    }

    /// Whether no two walks from an entry, from which these nodes are reached, have one label.
    fn from(&self, reached: &FixedBitSet, left: &mut usize) -> bool {
        let mut open: Vec<Pair> = Vec::new();
        for node in reached.ones() {
            let Some(()) = self.part(node, true, &mut open, left) else { return false };
            for alternative in self.region.alternatives.get(node).map_or(&[][..], |list| list) {
                if let Step::Each { op, .. } = alternative.step {
                    match chosen(op) {
                        Some(slot) => open.push(Pair::Together(alternative.target, slot)),
                        None => return false,
                    }
                }
            }
        }
        let mut seen: FxHashSet<Pair> = FxHashSet::default();
        while let Some(pair) = open.pop() {
            if !seen.insert(pair) {
                continue;
            }
            let told = match pair {
                Pair::Apart(one, other) => self.apart(one, other, &mut open, left),
                Pair::Together(node, slot) => self.together(node, slot, &mut open, left),
            };
            if told != Some(true) {
                return false;
            }
        }
        true
    }

    /// The pairs of ways at a node; without those that exclude each other if both walks are in one state. `None` if there
    /// are too many.
    fn part(&self, node: usize, alike: bool, open: &mut Vec<Pair>, left: &mut usize) -> Option<()> {
        let list = self.region.alternatives.get(node).map_or(&[][..], |list| list);
        let &first = self.first.get(node)?;
        *left = left.checked_sub(list.len().saturating_mul(list.len()))?;
        for (i, one) in list.iter().enumerate() {
            for (j, other) in list.iter().enumerate().skip(i + 1) {
                let excluded = matches!((&one.step, &other.step), (Step::Test(x), Step::Test(y)) if x.excludes(y));
                if !(alike && excluded) {
                    open.push(Pair::Apart(first + i, first + j));
                }
            }
        }
        Some(())
    }

    /// The ways from a place: what each shows, and where it leads.
    fn ways(&self, place: usize) -> impl ExactSizeIterator<Item = (Shows, usize)> {
        let nodes = self.region.nodes.len();
        let (node, only) = match place.checked_sub(nodes).and_then(|way| self.ways.get(way)) {
            Some(&(node, number)) => (node, Some(number)),
            None => (place, None),
        };
        let list = self.region.alternatives.get(node).map_or(&[][..], |list| list);
        let list = match only {
            Some(number) => list.get(number..=number).unwrap_or(&[]),
            None => list,
        };
        list.iter().map(|alternative| (shows(&alternative.step), alternative.target))
    }

    /// Goes on with walks at two places; whether they do not have one label already. `None` if it is too much work.
    fn apart(&self, one: usize, other: usize, open: &mut Vec<Pair>, left: &mut usize) -> Option<bool> {
        *left = left.checked_sub((1 + self.ways(one).len()).saturating_mul(1 + self.ways(other).len()))?;
        let mut to = |one: usize, other: usize| {
            open.push(Pair::Apart(one.min(other), one.max(other)));
            one != other
        };
        for (a, to_a) in self.ways(one) {
            if matches!(a, Shows::Nothing(_)) && !to(to_a, other) {
                return Some(false);
            }
            for (b, to_b) in self.ways(other) {
                let met = match (a, b) {
                    (Shows::Nothing(_), _) | (_, Shows::Nothing(_)) => false,
                    (Shows::End, Shows::End) => return Some(false),
                    (Shows::End, _) | (_, Shows::End) => false,
                    (Shows::Symbol(a), Shows::Symbol(b)) => a == b,
                    (Shows::Value(_), _) | (_, Shows::Value(_)) => true,
                };
                if met && !to(to_a, to_b) {
                    return Some(false);
                }
            }
        }
        Some(self.ways(other).all(|(b, to_b)| !matches!(b, Shows::Nothing(_)) || to(one, to_b)))
    }

    /// Goes on with walks at one node that differ in the value of a cell; whether they do not have one label already.
    fn together(&self, node: usize, slot: u32, open: &mut Vec<Pair>, left: &mut usize) -> Option<bool> {
        self.part(node, false, open, left)?;
        for (shows, target) in self.ways(node) {
            match shows {
                Shows::End => return Some(false),
                // Each value has a name of its own.
                Shows::Value(shown) if shown == slot => {}
                Shows::Nothing(Some(written)) if written == slot => return Some(false),
                Shows::Nothing(_) | Shows::Symbol(_) | Shows::Value(_) => open.push(Pair::Together(target, slot)),
            }
        }
        Some(true)
    }
}

/// The cell for whose values a way stands, if it is one cell.
fn chosen(op: Op) -> Option<u32> {
    match op {
        Op::Each { slot, .. } => Some(slot),
        _ => None,
    }
}

fn shows(step: &Step) -> Shows {
    match *step {
        Step::Tag(Op::Tag(symbol)) => Shows::Symbol(symbol),
        Step::Tag(Op::TagSlot { slot, .. }) => Shows::Value(slot),
        Step::Finish { .. } => Shows::End,
        Step::Each { op, .. } => Shows::Nothing(chosen(op)),
        Step::Write { op, .. } => Shows::Nothing(match op {
            Op::SetConstant { slot, .. } | Op::SetTable { slot, .. } | Op::Set { slot, .. } => Some(slot),
            _ => None,
        }),
        Step::Skip | Step::Never | Step::Test(_) | Step::Tag(_) => Shows::Nothing(None),
    }
}
