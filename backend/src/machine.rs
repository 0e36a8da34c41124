//! The interpreter: executes a [`Program`] with an explicit stack of choice points and a trail of overwritten cells.

use crate::error::ErrorKind;
use crate::limits::Limits;
use crate::program::{Ex, ExId, FAIL, MapRef, Op, Pc, Program, Term};
use crate::state::{Moves, Record, Tag};
use rg_ir::NodeId;
use rg_ir::ids::Id;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A cell of the state: the smallest unsigned number type that holds every value of the game.
pub(crate) trait Cell: Copy + Default + Eq + Hash + Send + Sync + std::fmt::Debug + 'static {
    const BYTES: usize;
    fn put(value: u32) -> Self;
    fn get(self) -> u32;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, out: &mut [u8]);
}

macro_rules! cell {
    ($ty:ty, $bytes:literal) => {
        impl Cell for $ty {
            const BYTES: usize = $bytes;
            #[inline(always)]
            fn put(value: u32) -> Self {
                value as $ty
            }
            #[inline(always)]
            fn get(self) -> u32 {
                u32::from(self)
            }
            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(0, <$ty>::from_le_bytes)
            }
            #[inline(always)]
            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }
        }
    };
}
cell!(u8, 1);
cell!(u16, 2);
cell!(u32, 4);

/// What a search stops at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Collect all moves.
    All,
    /// Stop at the first move and stay there.
    First,
}

/// Why a search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Halt {
    pub kind: ErrorKind,
    pub what: &'static str,
    pub limit: u64,
    /// The node in question, if it is known better than where the search began.
    pub node: Option<NodeId>,
}

/// A choice point.
#[derive(Clone, Copy)]
struct Choice {
    pc: Pc,
    trail: u32,
    tags: u32,
    /// Next value for an `Each`, [`FAIL`] for a plain choice.
    next: u32,
}

/// Whole-state marks made in one scope: mark, label (in exact mode) and cells.
struct Visited<W> {
    scope: u32,
    seen: FxHashSet<(u32, u32, Box<[W]>)>,
}

/// What a search runs out of when it should be tried in exact mode.
const STEPS: &str = "steps";
/// What exact mode may run out of.
const VISITED: &str = "visited states";
/// What exact mode may run out of.
const MEMORY: &str = "bytes";
/// Slot number in the trail of an entry that restores the scope.
const SCOPE: u32 = u32::MAX;
/// Scope numbers start over when they come near the end of their range.
const LAST_SCOPE: u32 = u32::MAX - (1 << 30);
/// Steps that every move found allows in addition.
const STEPS_PER_MOVE: u64 = 10_000;

/// Working memory for one game; reused between calls.
pub(crate) struct Machine<W> {
    pub cells: Vec<W>,
    trail: Vec<(u32, u32)>,
    choices: Vec<Choice>,
    pub tags: Vec<Tag>,
    pub masks: Vec<u64>,
    marks: Vec<u32>,
    mark_trail: Vec<(u32, u32)>,
    scope: u32,
    last_scope: u32,
    /// Whole-state marks of the scopes in progress, innermost last. In exact mode there is one set for all.
    hashed: Vec<Visited<W>>,
    /// Entries of `hashed`.
    remembered: u64,
    /// Exact mode: visited keys hold the whole label, as a number of `labels`.
    exact: bool,
    labels: FxHashMap<(u32, Tag), u32>,
    /// Exact mode: the numbers of the labels that end with each of `tags`.
    prefixes: Vec<u32>,
    steps: u64,
    /// Steps that the search may take without finding moves.
    patience: u64,
    /// Steps after which to look whether the search still finds moves.
    allowed: u64,
    depth: u64,
    /// The scope in which the check in progress began; 0 outside checks.
    check: u32,
    /// Node that the last completed move leads to.
    pub node: NodeId,
    dedupe: Dedupe,
}

/// Finds moves by their tags: open addressing, cleared by a generation count.
#[derive(Default)]
struct Dedupe {
    slots: Vec<(u32, u32)>,
    generation: u32,
}

impl Dedupe {
    fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.clear();
            self.generation = 1;
        }
    }

    /// The recorded move with these tags; otherwise records that the next one, number `moves.len()`, has them.
    fn find(&mut self, moves: &Moves, tags: &[Tag]) -> Option<usize> {
        if self.slots.len() < 2 * (moves.len() + 1) {
            self.slots = vec![(0, 0); (4 * (moves.len() + 1)).next_power_of_two().max(64)];
            for index in 0..moves.len() {
                let _ = self.probe(moves, moves.tags(index), index as u32);
            }
        }
        self.probe(moves, tags, moves.len() as u32)
    }

    #[inline]
    fn probe(&mut self, moves: &Moves, tags: &[Tag], new: u32) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash(tags) as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.0 != self.generation {
                *slot = (self.generation, new);
                return None;
            }
            if moves.tags(slot.1 as usize) == tags {
                return Some(slot.1 as usize);
            }
            at = (at + 1) & mask;
        }
    }
}

#[inline]
fn hash(tags: &[Tag]) -> u64 {
    let mut hasher = FxHasher::default();
    for tag in tags {
        hasher.write_u32(tag.0);
    }
    hasher.finish() >> 7
}

/// The constant part that machines of one game share.
pub(crate) struct Shared<W> {
    pub program: Program,
    pub tables: Vec<W>,
    pub initial: Vec<W>,
    pub limits: Limits,
}

impl<W: Cell> Shared<W> {
    pub(crate) fn new(program: Program, limits: Limits) -> Self {
        let tables = program.layout.tables.iter().map(|&v| W::put(v)).collect();
        let initial = program.layout.initial.iter().map(|&v| W::put(v)).collect();
        Self { program, tables, initial, limits }
    }
}

impl<W: Cell> Machine<W> {
    pub(crate) fn new(shared: &Shared<W>) -> Self {
        Self {
            cells: shared.initial.clone(),
            trail: Vec::new(),
            choices: Vec::new(),
            tags: Vec::new(),
            masks: Vec::new(),
            marks: vec![0; shared.program.mark_cells as usize],
            mark_trail: Vec::new(),
            scope: 0,
            last_scope: 0,
            hashed: Vec::new(),
            remembered: 0,
            exact: false,
            labels: FxHashMap::default(),
            prefixes: Vec::new(),
            steps: 0,
            patience: 0,
            allowed: 0,
            depth: 0,
            check: 0,
            node: shared.program.begin,
            dedupe: Dedupe::default(),
        }
    }

    /// Searches for moves from `node` with the present cells. With [`Goal::All`] the moves are put
    /// into `moves` and the cells are as before; with [`Goal::First`] the cells and [`Machine::node`] are those after the
    /// move, whose tags are in [`Machine::tags`]. Returns whether there is a move.
    pub(crate) fn search(
        &mut self,
        shared: &Shared<W>,
        node: NodeId,
        goal: Goal,
        moves: &mut Moves,
    ) -> Result<bool, Halt> {
        let entry = shared.program.entries.get(node.index()).copied().unwrap_or(FAIL);
        if entry == FAIL {
            moves.clear();
            return Ok(false);
        }
        // First without whole labels in the visited keys; then, if that seems to go round in circles, with them; and if
        // these become too many, without them to the end.
        let (quick, whole) = (shared.limits.steps.min(shared.limits.exact_after), shared.limits.steps);
        let mut found = Ok(false);
        for (exact, patience) in [(false, quick), (true, whole), (false, whole)] {
            (self.exact, self.patience) = (exact, patience);
            found = self.attempt(shared, entry, goal, moves);
            let more = match found {
                Err(Halt { kind: ErrorKind::Limit, what: STEPS, .. }) => !exact && patience < whole,
                Err(Halt { kind: ErrorKind::Limit, what: VISITED | MEMORY, .. }) => exact && quick < whole,
                _ => false,
            };
            if !more {
                break;
            }
        }
        found
    }

    fn attempt(&mut self, shared: &Shared<W>, entry: Pc, goal: Goal, moves: &mut Moves) -> Result<bool, Halt> {
        moves.clear();
        self.dedupe.clear();
        self.tags.clear();
        self.masks.clear();
        self.trail.clear();
        self.choices.clear();
        self.mark_trail.clear();
        self.hashed.clear();
        self.remembered = 0;
        self.labels.clear();
        self.steps = 0;
        self.allowed = self.budget(moves);
        self.depth = 0;
        self.check = 0;
        if self.last_scope > LAST_SCOPE {
            self.marks.fill(0);
            self.last_scope = 0;
        }
        self.last_scope += 1;
        self.scope = self.last_scope;
        let found = self.run(shared, entry, goal, moves);
        if found.is_err() || goal != Goal::First {
            self.undo(0);
        }
        Ok(found? || !moves.is_empty())
    }

    /// Restores the cells to what they were when the trail had this length.
    #[inline]
    fn undo(&mut self, length: u32) {
        while self.trail.len() > length as usize {
            let Some((slot, old)) = self.trail.pop() else { return };
            if slot == SCOPE {
                let length = self.trail.pop().map_or(0, |(length, _)| length as usize);
                while self.mark_trail.len() > length {
                    let Some((mark, old)) = self.mark_trail.pop() else { break };
                    self.marks[mark as usize] = old;
                }
                if self.hashed.last().is_some_and(|visited| visited.scope == self.scope) {
                    self.remembered -= self.hashed.pop().map_or(0, |visited| visited.seen.len() as u64);
                }
                self.scope = old;
            } else {
                self.cells[slot as usize] = W::put(old);
            }
        }
    }

    #[inline(always)]
    fn set(&mut self, slot: u32, value: u32) {
        let cell = &mut self.cells[slot as usize];
        self.trail.push((slot, cell.get()));
        *cell = W::put(value);
    }

    #[inline]
    fn open_scope(&mut self) {
        self.trail.push((self.mark_trail.len() as u32, 0));
        self.trail.push((SCOPE, self.scope));
        self.last_scope = self.last_scope.saturating_add(1);
        self.scope = self.last_scope;
    }

    #[inline(always)]
    fn slot(&self, slot: u32) -> u32 {
        self.cells[slot as usize].get()
    }

    #[inline(always)]
    fn cell(&self, base: u32, slot: u32) -> u32 {
        self.cells[(base + self.slot(slot)) as usize].get()
    }

    #[inline(always)]
    fn table(&self, shared: &Shared<W>, base: u32, slot: u32) -> u32 {
        shared.tables[(base + self.slot(slot)) as usize].get()
    }

    fn eval(&self, shared: &Shared<W>, ex: ExId) -> u32 {
        match shared.program.exprs[ex as usize] {
            Ex::Constant(value) => value,
            Ex::Slot(slot) => self.slot(slot),
            Ex::Cell { base, slot } => self.cell(base, slot),
            Ex::Table { base, slot } => self.table(shared, base, slot),
            Ex::Load { table, base, first, count } => {
                let mut at = base;
                for term in &shared.program.terms[first as usize..(first + count) as usize] {
                    at += self.position(shared, term) * term.stride;
                }
                if table { shared.tables[at as usize].get() } else { self.cells[at as usize].get() }
            }
        }
    }

    #[inline(always)]
    fn position(&self, shared: &Shared<W>, term: &Term) -> u32 {
        let value = self.eval(shared, term.value);
        if term.convert == FAIL { value } else { shared.tables[(term.convert + value) as usize].get() }
    }

    /// The cell of a store; `None` if a key is none.
    fn place(&self, shared: &Shared<W>, base: u32, first: u32, count: u32) -> Option<u32> {
        let mut at = base;
        for term in &shared.program.terms[first as usize..(first + count) as usize] {
            let position = self.position(shared, term);
            if position >= term.count {
                return None;
            }
            at += position * term.stride;
        }
        Some(at)
    }

    /// First cell or entry of a map; `None` if an outer key is none and the map is written to.
    fn map_base(&self, shared: &Shared<W>, map: &MapRef, write: bool) -> Option<u32> {
        let (first, count) = map.terms;
        if write {
            return self.place(shared, map.base, first, count);
        }
        let terms = &shared.program.terms[first as usize..(first + count) as usize];
        Some(map.base + terms.iter().map(|t| self.position(shared, t) * t.stride).sum::<u32>())
    }

    fn map_cell(&self, shared: &Shared<W>, table: bool, at: u32) -> u32 {
        if table { shared.tables[at as usize].get() } else { self.cells[at as usize].get() }
    }

    fn maps_equal(&self, shared: &Shared<W>, map: u32) -> bool {
        let pair = &shared.program.maps[map as usize];
        let bases = (self.map_base(shared, &pair.left, false), self.map_base(shared, &pair.right, false));
        let (Some(left), Some(right)) = bases else { return false };
        let cell = |at, table| self.map_cell(shared, table, at);
        pair.pairs.iter().all(|&(l, r)| cell(left + l, pair.left.table) == cell(right + r, pair.right.table))
    }

    fn copy_map(&mut self, shared: &Shared<W>, map: u32) {
        let pair = &shared.program.maps[map as usize];
        let Some(right) = self.map_base(shared, &pair.right, false) else { return };
        let Some(left) = self.map_base(shared, &pair.left, true) else { return };
        // Read everything before anything is written: the two may overlap.
        let values: Vec<u32> =
            pair.pairs.iter().map(|&(_, r)| self.map_cell(shared, pair.right.table, right + r)).collect();
        for (&(l, _), value) in pair.pairs.iter().zip(values) {
            self.set(left + l, value);
        }
    }

    fn limit(&self, what: &'static str, limit: u64) -> Halt {
        Halt { kind: ErrorKind::Limit, what, limit, node: None }
    }

    /// Steps that the search may take, given the moves found so far.
    fn budget(&self, moves: &Moves) -> u64 {
        self.patience.saturating_add(moves.len() as u64 * STEPS_PER_MOVE)
    }

    #[cold]
    fn allow_more(&mut self, moves: &Moves) -> Result<(), Halt> {
        self.allowed = self.budget(moves);
        if self.steps > self.allowed { Err(self.limit(STEPS, self.allowed)) } else { Ok(()) }
    }

    /// Whether this is the first arrival at a mark.
    #[inline]
    fn mark(&mut self, shared: &Shared<W>, index: u32) -> Result<bool, Halt> {
        let site = &shared.program.marks[index as usize];
        self.steps += 1;
        if self.exact || site.base == FAIL {
            return self.remember(shared, index, Some(site.node));
        }
        let mut at = site.base;
        for &(slot, stride) in &site.slots {
            at += self.slot(slot) * stride;
        }
        let mark = &mut self.marks[at as usize];
        if *mark == self.scope {
            return Ok(false);
        }
        self.mark_trail.push((at, *mark));
        *mark = self.scope;
        Ok(true)
    }

    /// Whether the whole state arrives for the first time at a mark, within the scope or (in exact mode) with these tags
    /// in this search or check.
    fn remember(&mut self, shared: &Shared<W>, index: u32, node: Option<NodeId>) -> Result<bool, Halt> {
        if self.remembered >= shared.limits.visited {
            return Err(Halt { node, ..self.limit(VISITED, shared.limits.visited) });
        }
        let bytes = (self.cells.len() * W::BYTES) as u64 + 48;
        if self.remembered.saturating_mul(bytes) >= shared.limits.memory {
            return Err(Halt { node, ..self.limit(MEMORY, shared.limits.memory) });
        }
        let (scope, label) = if self.exact { (self.check, self.label()) } else { (self.scope, 0) };
        if self.hashed.last().is_none_or(|visited| visited.scope != scope) {
            self.hashed.push(Visited { scope, seen: FxHashSet::default() });
        }
        let cells = self.cells.as_slice().into();
        let new = self.hashed.last_mut().is_some_and(|visited| visited.seen.insert((index, label, cells)));
        self.remembered += u64::from(new);
        Ok(new)
    }

    /// In exact mode every tag is a mark: walks with equal tags that met in different scopes go on as one from here.
    #[inline(always)]
    fn repeats(&mut self, shared: &Shared<W>, pc: Pc) -> Result<bool, Halt> {
        Ok(self.exact && !self.remember(shared, shared.program.marks.len() as u32 + pc, None)?)
    }

    /// Number of the tags so far, for exact mode; tags do not count in checks.
    fn label(&self) -> u32 {
        let last = self.tags.len().checked_sub(1).filter(|_| self.check == 0);
        last.and_then(|last| self.prefixes.get(last)).copied().unwrap_or(0)
    }

    /// Numbers the label that ends with a tag that is about to be emitted.
    #[cold]
    fn lengthen(&mut self, tag: Tag) {
        self.prefixes.truncate(self.tags.len());
        let next = self.labels.len() as u32 + 1;
        let before = self.prefixes.last().copied().unwrap_or(0);
        self.prefixes.push(*self.labels.entry((before, tag)).or_insert(next));
    }

    /// Restores the latest choice point at or above `floor` and returns where it continues.
    #[inline(always)]
    fn backtrack(&mut self, shared: &Shared<W>, floor: usize) -> Result<Option<Pc>, Halt> {
        loop {
            if self.choices.len() <= floor {
                return Ok(None);
            }
            let Some(&Choice { pc, trail, tags, next }) = self.choices.last() else { return Ok(None) };
            self.undo(trail);
            self.tags.truncate(tags as usize);
            self.steps += 1;
            if next == FAIL {
                self.choices.pop();
                return Ok(Some(pc));
            }
            if let Some(pc) = self.next_value(shared, pc, next) {
                return Ok(Some(pc));
            }
        }
    }

    /// Goes on with an `Each` operation from value `next`; the choice point on top is its own, and is dropped when no
    /// value is left after this one. `None` if there is no value any more.
    #[inline(always)]
    fn next_value(&mut self, shared: &Shared<W>, pc: Pc, next: u32) -> Option<Pc> {
        match shared.program.code[pc as usize] {
            Op::Each { slot, high, .. } => self.take_value(slot, next, high),
            Op::EachCell { slot, high, base, value, .. } => {
                let cells = &self.cells[(base + next) as usize..(base + high) as usize];
                let skipped = cells.iter().position(|&c| c.get() == value);
                self.take_value(slot, skipped.map_or(high, |n| next + n as u32), high)
            }
            Op::EachTable { slot, high, base, value, .. } => {
                let table = &shared.tables[(base + next) as usize..(base + high) as usize];
                let skipped = table.iter().position(|&c| c.get() == value);
                self.take_value(slot, skipped.map_or(high, |n| next + n as u32), high)
            }
            Op::EachStore { base, first, count, list, len } => {
                let value = shared.tables.get((list + next) as usize).map_or(0, |v| v.get());
                let place = self.place(shared, base, first, count);
                if next + 1 >= len {
                    self.choices.pop();
                } else if let Some(choice) = self.choices.last_mut() {
                    choice.next = next + 1;
                }
                if let Some(slot) = place {
                    self.set(slot, value);
                }
                Some(())
            }
            _ => {
                self.choices.pop();
                None
            }
        }
        .map(|()| pc + 1)
    }

    #[inline(always)]
    fn take_value(&mut self, slot: u32, value: u32, high: u32) -> Option<()> {
        if value + 1 >= high {
            self.choices.pop();
            if value >= high {
                return None;
            }
        } else if let Some(choice) = self.choices.last_mut() {
            choice.next = value + 1;
        }
        self.set(slot, value);
        Some(())
    }

    #[inline(always)]
    fn choice(&mut self, pc: Pc, next: u32) {
        let (trail, tags) = (self.trail.len() as u32, self.tags.len() as u32);
        self.choices.push(Choice { pc, trail, tags, next });
    }

    /// Runs from `pc` until the goal is met (`true`) or the search is exhausted (`false`).
    fn run(&mut self, shared: &Shared<W>, entry: Pc, goal: Goal, moves: &mut Moves) -> Result<bool, Halt> {
        let floor = self.choices.len();
        let code = shared.program.code.as_slice();
        let mut pc = entry;
        loop {
            // A test that fails yields where to go on; everything else goes on with the next operation.
            let other = match code[pc as usize] {
                Op::Jump(target) => {
                    pc = target;
                    continue;
                }
                Op::Try(alternative) => {
                    self.choice(alternative, FAIL);
                    pc += 1;
                    continue;
                }
                Op::SlotEq { slot, value, other } => (self.slot(slot) != value).then_some(other),
                Op::SlotNe { slot, value, other } => (self.slot(slot) == value).then_some(other),
                Op::CellEq { base, slot, value, other } => (self.cell(base, slot) != value).then_some(other),
                Op::CellNe { base, slot, value, other } => (self.cell(base, slot) == value).then_some(other),
                Op::TableEq { base, slot, value, other } => (self.table(shared, base, slot) != value).then_some(other),
                Op::CellTableEq { base, slot, table, value, other } => {
                    let number = shared.tables[(table + self.cell(base, slot)) as usize].get();
                    (number != value).then_some(other)
                }
                Op::Eq { left, right, other } => (self.eval(shared, left) != self.eval(shared, right)).then_some(other),
                Op::Ne { left, right, other } => (self.eval(shared, left) == self.eval(shared, right)).then_some(other),
                Op::MapEq { map, other } => (!self.maps_equal(shared, map)).then_some(other),
                Op::MapNe { map, other } => self.maps_equal(shared, map).then_some(other),
                Op::SetConstant { slot, value } => {
                    self.set(slot, value);
                    None
                }
                Op::SetTable { slot, base, from } => {
                    let value = self.table(shared, base, from);
                    self.set(slot, value);
                    None
                }
                Op::Step { slot, base, from, not } => {
                    let value = self.table(shared, base, from);
                    if value == not {
                        Some(FAIL)
                    } else {
                        self.set(slot, value);
                        None
                    }
                }
                Op::SetCell { base, slot, value, count } => {
                    let key = self.slot(slot);
                    if key < count {
                        self.set(base + key, value);
                    }
                    None
                }
                Op::Set { slot, value } => {
                    let value = self.eval(shared, value);
                    self.set(slot, value);
                    None
                }
                Op::Store { base, first, count, value } => {
                    let value = self.eval(shared, value);
                    if let Some(slot) = self.place(shared, base, first, count) {
                        self.set(slot, value);
                    }
                    None
                }
                Op::Copy { map } => {
                    self.copy_map(shared, map);
                    None
                }
                Op::Each { low, .. } | Op::EachCell { low, .. } | Op::EachTable { low, .. } => {
                    self.choice(pc, low);
                    self.next_value(shared, pc, low).is_none().then_some(FAIL)
                }
                Op::EachStore { .. } => {
                    self.choice(pc, 0);
                    self.next_value(shared, pc, 0).is_none().then_some(FAIL)
                }
                Op::Tag(_) | Op::TagSlot { .. } | Op::TagPair { .. } if self.repeats(shared, pc)? => Some(FAIL),
                Op::Tag(tag) => {
                    self.tag(shared, Tag(tag.index() as u32))?;
                    None
                }
                Op::TagSlot { slot, names } => {
                    let name = shared.program.names[(names + self.slot(slot)) as usize];
                    self.tag(shared, Tag(name.index() as u32))?;
                    None
                }
                Op::Scope => {
                    self.open_scope();
                    None
                }
                Op::Mark(index) => (!self.mark(shared, index)?).then_some(FAIL),
                Op::Reach { entry, negated, check, other } => {
                    (self.reach(shared, entry, check, moves)? == negated).then_some(other)
                }
                Op::TagPair { slot, names, tag } => {
                    let name = shared.program.names[(names + self.slot(slot)) as usize];
                    self.tag(shared, Tag(name.index() as u32))?;
                    self.tag(shared, Tag(tag.index() as u32))?;
                    None
                }
                Op::Finish(node) => {
                    if self.finish(shared, node, goal, moves)? {
                        self.choices.truncate(floor);
                        return Ok(true);
                    }
                    Some(FAIL)
                }
                Op::FinishWith { slot, value, node } => {
                    self.set(slot, value);
                    if self.finish(shared, node, goal, moves)? {
                        self.choices.truncate(floor);
                        return Ok(true);
                    }
                    Some(FAIL)
                }
                Op::Accept => {
                    self.choices.truncate(floor);
                    return Ok(true);
                }
                Op::Fail => Some(FAIL),
            };
            match other {
                None => pc += 1,
                Some(FAIL) => {
                    if self.steps > self.allowed {
                        self.allow_more(moves)?;
                    }
                    match self.backtrack(shared, floor)? {
                        Some(next) => pc = next,
                        None => return Ok(false),
                    }
                }
                Some(target) => pc = target,
            }
        }
    }

    /// A move is complete; returns whether the search is over.
    #[inline(always)]
    fn finish(&mut self, shared: &Shared<W>, node: NodeId, goal: Goal, moves: &mut Moves) -> Result<bool, Halt> {
        match goal {
            Goal::First => {
                self.node = node;
                Ok(true)
            }
            Goal::All => self.record(shared, node, moves).map(|()| false),
        }
    }

    /// Emits a tag.
    #[inline(always)]
    fn tag(&mut self, shared: &Shared<W>, tag: Tag) -> Result<(), Halt> {
        if self.tags.len() as u64 >= shared.limits.tags {
            return Err(self.limit("tags in one move", shared.limits.tags));
        }
        if let Some((cells, seen)) = &shared.program.visible {
            let mask = cells.iter().take(64).enumerate();
            let mask = mask.fold(0, |m, (i, &cell)| m | u64::from(self.slot(cell) == *seen) << i);
            self.masks.truncate(self.tags.len());
            self.masks.push(mask);
        }
        if self.exact {
            self.lengthen(tag);
        }
        self.tags.push(tag);
        Ok(())
    }

    fn reach(&mut self, shared: &Shared<W>, entry: Pc, check: u32, moves: &mut Moves) -> Result<bool, Halt> {
        if entry == FAIL {
            return Ok(false);
        }
        if self.depth >= shared.limits.check_depth {
            let node = shared.program.checks.get(check as usize).copied();
            let limit = shared.limits.check_depth;
            return Err(Halt { kind: ErrorKind::Recursion, what: "reachability checks", limit, node });
        }
        // Checks that succeed never backtrack, so their steps are counted here.
        self.steps += 1;
        if self.steps > self.allowed {
            self.allow_more(moves)?;
        }
        let trail = self.trail.len() as u32;
        let outer = self.check;
        self.open_scope();
        self.check = self.scope;
        self.depth += 1;
        let found = self.run(shared, entry, Goal::First, moves)?;
        self.depth -= 1;
        self.check = outer;
        self.undo(trail);
        Ok(found)
    }

    /// Adds the move that was just completed, unless it is there already.
    fn record(&mut self, shared: &Shared<W>, node: NodeId, moves: &mut Moves) -> Result<(), Halt> {
        if let Some(index) = self.dedupe.find(moves, &self.tags) {
            if self.same_outcome(moves, index, node) {
                return Ok(());
            }
            return Err(Halt { kind: ErrorKind::Ambiguous, what: "", limit: 0, node: Some(node) });
        }
        if moves.len() as u64 >= shared.limits.moves {
            return Err(self.limit("legal moves", shared.limits.moves));
        }
        if 8 * (moves.tags.len() + moves.effects.len()) as u64 > shared.limits.memory {
            return Err(self.limit("bytes of tags and writes of legal moves", shared.limits.memory));
        }
        let (tags, effects) = (moves.tags.len() as u32, moves.effects.len() as u32);
        moves.records.push(Record { tags, effects, node: node.index() as u32 });
        moves.tags.extend_from_slice(&self.tags);
        if shared.program.visible.is_some() {
            moves.visibility.extend(self.masks.iter().take(self.tags.len()));
        }
        let mut scope = false;
        for &(slot, _) in self.trail.iter().rev() {
            // The entry below a scope entry is a length, not a cell.
            if std::mem::replace(&mut scope, slot == SCOPE) || slot == SCOPE {
                continue;
            }
            moves.effects.push((slot, self.cells[slot as usize].get()));
        }
        Ok(())
    }

    /// Whether a recorded move has the outcome of the one just completed.
    fn same_outcome(&self, moves: &Moves, index: usize, node: NodeId) -> bool {
        if moves.records.get(index).map(|r| r.node) != Some(node.index() as u32) {
            return false;
        }
        let mut other = self.cells.clone();
        let mut scope = false;
        for &(slot, old) in self.trail.iter().rev() {
            if std::mem::replace(&mut scope, slot == SCOPE) || slot == SCOPE {
                continue;
            }
            other[slot as usize] = W::put(old);
        }
        for &(slot, value) in moves.effects(index) {
            other[slot as usize] = W::put(value);
        }
        other == self.cells
    }
}
