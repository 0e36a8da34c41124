//! Gives the registers of a flat function slots of the frame and writes the bytecode.

use super::code::{Code, Slot};
use super::flatten::{Flat, Item, Kind, Label, Value};
use super::ranges::{Range, overlap, ranges, union};
use super::step::{FIRST_CONSTANT, SLOTS};
use rg_ir::invariant::Invariant;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ranges with more segments are not joined any more.
const MAX_SEGMENTS: usize = 256;

/// A function, the registers of which are slots of the frame.
pub(super) struct Assigned {
    /// Targets are indices of instructions.
    pub(super) code: Vec<Code<Slot>>,
    /// Targets of switches.
    pub(super) targets: Vec<u32>,
    /// What the slots from `constants_at` on hold.
    pub(super) constants: Vec<u64>,
    pub(super) constants_at: usize,
}

/// Writes a function, given how many slots at the beginning of a frame are those of the state and where the constants are;
/// `None` if it needs more slots than there are. After the state comes the argument.
pub(super) fn assign(flat: &Flat, state: usize, constants_at: usize) -> Option<Assigned> {
    let fixed = state + 1;
    let mut classes = Classes::new(flat, ranges(flat));
    classes.join_copies(flat);
    let slots = classes.slots(flat, fixed, constants_at);
    let mut writer = Writer {
        flat,
        slots,
        spare: 0,
        labelled: None,
        code: Vec::new(),
        places: vec![u32::MAX; flat.labels.len()],
        targets: Vec::new(),
    };
    let own = writer.slots.iter().copied().filter(|&slot| slot < constants_at);
    writer.spare = own.max().map_or(fixed, |slot| fixed.max(slot + 1));
    // One more for copies in a circle.
    if writer.spare >= FIRST_CONSTANT || constants_at + flat.constants.len() > SLOTS {
        return None;
    }
    writer.items();
    writer.resolve();
    writer.return_directly(fixed);
    Some(Assigned { code: writer.code, targets: writer.targets, constants: flat.constants.clone(), constants_at })
}

/// Registers that share a slot.
struct Classes {
    parents: Vec<Value>,
    /// By class.
    ranges: Vec<Range>,
    /// By class: it is a word of the state.
    pinned: Vec<Option<u32>>,
}

impl Classes {
    fn new(flat: &Flat, ranges: Vec<Range>) -> Self {
        let pinned = |kind: &Kind| match *kind {
            Kind::Changing(word) => Some(word),
            _ => None,
        };
        let parents = (0..flat.kinds.len() as Value).collect();
        Self { parents, ranges, pinned: flat.kinds.iter().map(pinned).collect() }
    }

    fn find(&mut self, mut value: Value) -> Value {
        while let Some(&parent) = self.parents.get(value as usize) {
            if parent == value {
                break;
            }
            let next = self.parents.get(parent as usize).copied().unwrap_or(parent);
            if let Some(slot) = self.parents.get_mut(value as usize) {
                *slot = next;
            }
            value = next;
        }
        value
    }

    /// Lets the two sides of copies share a slot where they can, those in inner loops first.
    fn join_copies(&mut self, flat: &Flat) {
        let free = |value: Value| matches!(flat.kinds.get(value as usize), Some(Kind::Free | Kind::Changing(_)));
        let mut copies: Vec<(u32, Value, Value)> = Vec::new();
        for item in &flat.items {
            if let Item::Moves(moves, depth) = item {
                copies.extend(moves.iter().map(|&(to, from)| (*depth, to, from)));
            }
        }
        copies.retain(|&(_, to, from)| free(to) && free(from));
        copies.sort_by_key(|&(depth, ..)| Reverse(depth));
        for (_, to, from) in copies {
            self.join(to, from);
        }
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.find(a), self.find(b));
        let (first, second) = (a as usize, b as usize);
        let (Some(left), Some(right)) = (self.ranges.get(first), self.ranges.get(second)) else { return };
        let pins = (self.pinned.get(first).copied().flatten(), self.pinned.get(second).copied().flatten());
        let large = left.len() + right.len() > MAX_SEGMENTS;
        if a == b || large || matches!(pins, (Some(_), Some(_))) || overlap(left, right) {
            return;
        }
        let both = union(left, right);
        if let (Some(range), Some(pinned)) = (self.ranges.get_mut(first), self.pinned.get_mut(first)) {
            (*range, *pinned) = (both, pins.0.or(pins.1));
        }
        if let Some(parent) = self.parents.get_mut(second) {
            *parent = a;
        }
    }

    /// The slot of each register.
    fn slots(&mut self, flat: &Flat, fixed: usize, constants_at: usize) -> Vec<usize> {
        let mut of_class = vec![0; flat.kinds.len()];
        let mut order: Vec<(u32, u32, usize)> = Vec::new();
        for (index, range) in self.ranges.iter().enumerate() {
            let is_class = self.parents.get(index).is_some_and(|&parent| parent as usize == index);
            if let (true, Some(None), Some(first), Some(last)) =
                (is_class, self.pinned.get(index), range.first(), range.last())
            {
                order.push((first.0, last.1, index));
            }
        }
        order.sort_unstable();
        let mut busy: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
        let mut idle: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
        let mut next = fixed;
        for (from, to, index) in order {
            while let Some(&Reverse((end, slot))) = busy.peek() {
                if end > from {
                    break;
                }
                busy.pop();
                idle.push(Reverse(slot));
            }
            let slot = idle.pop().map_or(next, |Reverse(slot)| slot);
            next = next.max(slot + 1);
            busy.push(Reverse((to, slot)));
            if let Some(place) = of_class.get_mut(index) {
                *place = slot;
            }
        }
        let slot = |(value, kind): (Value, &Kind)| match *kind {
            Kind::Constant(index) => constants_at + index as usize,
            Kind::Fixed(word) => word as usize,
            Kind::Argument => fixed - 1,
            Kind::Free | Kind::Changing(_) => {
                let class = self.find(value) as usize;
                let pinned = self.pinned.get(class).copied().flatten();
                pinned.map_or_else(
                    || of_class.get(class).copied().invariant_or(0, "every class of values has a slot"),
                    |word| word as usize,
                )
            }
        };
        (0..).zip(&flat.kinds).map(slot).collect()
    }
}

struct Writer<'a> {
    flat: &'a Flat,
    /// By register.
    slots: Vec<usize>,
    /// A slot that no register has.
    spare: usize,
    /// Where the last label is.
    labelled: Option<u32>,
    code: Vec<Code<Slot>>,
    /// By label.
    places: Vec<u32>,
    targets: Vec<u32>,
}

impl Writer<'_> {
    fn slot(&self, value: Value) -> Slot {
        self.slots.get(value as usize).map(|&slot| slot as Slot).invariant_or(0, "every value has a slot")
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn items(&mut self) {
        let flat = self.flat;
        for (index, item) in flat.items.iter().enumerate() {
            match item {
                Item::Code(Code::Jump { target }) => self.jump(*target, index),
                Item::Code(code) => {
                    let code = code.map(|value| self.slot(value), |value| self.slot(value));
                    self.code.push(code);
                }
                Item::Moves(moves, _) => self.moves(moves),
                Item::Label(label) => {
                    let here = self.here();
                    self.labelled = Some(here);
                    if let Some(place) = self.places.get_mut(*label as usize) {
                        *place = here;
                    }
                }
                Item::Switch(on, labels) => {
                    let first = self.targets.len() as u32;
                    self.targets.extend(labels);
                    let last = (labels.len() as u32).saturating_sub(1);
                    self.code.push(Code::Switch { on: self.slot(*on), first, last });
                }
            }
        }
    }

    /// A jump, unless it goes to the next instruction. A conditional jump over it takes its place.
    fn jump(&mut self, target: Label, index: usize) {
        let next = self.flat.items.get(index + 1..).unwrap_or_default();
        let labels = next.iter().map_while(|item| match item {
            Item::Label(label) => Some(*label),
            Item::Moves(moves, _) if moves.iter().all(|&(to, from)| self.slot(to) == self.slot(from)) => {
                Some(Label::MAX)
            }
            _ => None,
        });
        let labels: Vec<Label> = labels.collect();
        let here = self.here();
        let over = self.code.last().copied().filter(|code| !code.is_back() && self.labelled != Some(here));
        if let Some((mut inverted, over)) = over.and_then(|code| Some((code.inverted()?, code.target()?)))
            && labels.contains(&over)
            && !labels.contains(&target)
            && let (Some(goal), Some(last)) = (inverted.target_mut(), self.code.last_mut())
        {
            *goal = target;
            *last = inverted;
            return;
        }
        if !labels.contains(&target) {
            self.code.push(Code::Jump { target });
        }
    }

    /// Copies that happen at once, as copies one after the other.
    fn moves(&mut self, moves: &[(Value, Value)]) {
        let pairs = moves.iter().map(|&(to, from)| (self.slot(to), self.slot(from)));
        let mut left: Vec<(Slot, Slot)> = pairs.filter(|(to, from)| to != from).collect();
        while let Some(&(_, first)) = left.first() {
            let free = left.iter().position(|&(to, _)| left.iter().all(|&(_, from)| from != to));
            if let Some(index) = free {
                let (to, from) = left.swap_remove(index);
                self.code.push(Code::Copy { to, from });
            } else {
                // Only circles are left.
                let spare = self.spare as Slot;
                self.code.push(Code::Copy { to: spare, from: first });
                for (_, from) in left.iter_mut().filter(|(_, from)| *from == first) {
                    *from = spare;
                }
            }
        }
    }

    /// Replaces labels by indices of instructions.
    fn resolve(&mut self) {
        let place = |label: Label| self.places.get(label as usize).copied().unwrap_or(u32::MAX);
        self.targets.iter_mut().for_each(|target| *target = place(*target));
        self.code.iter_mut().filter_map(Code::target_mut).for_each(|target| *target = place(*target));
        let code = self.code.clone();
        let at = |index: u32| code.get(index as usize).copied();
        let thread = |target: &mut u32| {
            for _ in 0..8 {
                match at(*target) {
                    Some(Code::Jump { target: next }) => *target = next,
                    _ => break,
                }
            }
        };
        self.targets.iter_mut().for_each(thread);
        self.code.iter_mut().filter(|code| !code.is_back()).filter_map(Code::target_mut).for_each(thread);
        for inst in &mut self.code {
            if let Code::Jump { target } = *inst
                && let Some(last @ (Code::Return { .. } | Code::End {} | Code::Bail {})) = at(target)
            {
                *inst = last;
            }
        }
    }

    /// A result need not be copied before it is returned, unless to the state. `fixed` slots are state and argument.
    fn return_directly(&mut self, fixed: usize) {
        let next: Vec<Code<Slot>> = self.code.iter().skip(1).copied().collect();
        for (inst, next) in self.code.iter_mut().zip(next) {
            if let (Code::Copy { to, from }, Code::Return { value }) = (*inst, next)
                && to == value
                && usize::from(to) >= fixed
            {
                *inst = Code::Return { value: from };
            }
        }
    }
}
