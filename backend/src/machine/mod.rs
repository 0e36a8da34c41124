//! The interpreter: executes a [`Program`] with an explicit stack of choice points and a trail of overwritten cells.

mod answers;
mod cell;
mod choices;
#[cfg(feature = "native")]
mod compiled;
mod flat;
mod record;
mod values;
mod visited;

pub(crate) use cell::Cell;

use crate::error::ErrorKind;
use crate::limits::Limits;
use crate::outcomes::Ambiguity;
use crate::program::{FAIL, Kinds, Op, Pc, Program};
#[cfg(feature = "native")]
use crate::reasoner::Engine;
use crate::reasoner::Options;
use crate::state::{Moves, Tag};
use answers::{Answer, Recall};
use choices::Choice;
use flat::Flat;
use record::{Dedupe, Outcome};
use rg_ir::NodeId;
use rg_ir::ids::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use visited::Visited;

/// What a search stops at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Collect all moves.
    All,
    /// As `All`, but what moves do is left out. Only where labels tell walks apart ([`Program::told_apart`]).
    Labels,
    /// Stop at the first move and stay there.
    First,
    /// As `First`, with the label in [`Machine::wanted`].
    Wanted,
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

/// What a search runs out of when it should be tried in exact mode.
const STEPS: &str = "steps";
/// What exact mode may run out of.
const VISITED: &str = "visited states";
/// What exact mode may run out of.
const MEMORY: &str = "bytes";
/// Slot number in the trail of an entry that restores the scope.
const SCOPE: u32 = u32::MAX;
/// Slot number of the entry below that, with the length of the marks' trail.
const LENGTH: u32 = u32::MAX - 1;
/// Stands behind the tags of a wanted move. No move has it.
pub(crate) const NO_TAG: Tag = Tag(u32::MAX);
/// Scope numbers start over when they come near the end of their range.
const LAST_SCOPE: u32 = u32::MAX - (1 << 30);
/// Arrivals in the checks of one search that are not remembered, and as many in a search for one move: most are over before
/// it pays.
const UNREMEMBERED: u64 = 32;
/// Steps that every move found allows in addition.
const STEPS_PER_MOVE: u64 = 10_000;

/// How much longer the engine `auto` waits before it compiles searches.
#[cfg(feature = "native")]
const AUTO_WAITS: u64 = 60;
/// How often compiled searches may give up before they are not asked any more.
#[cfg(feature = "native")]
const MAX_GIVEN_UP: u32 = 1_000;

/// Working memory for one game; reused between calls.
pub(crate) struct Machine<W> {
    pub cells: Vec<W>,
    trail: Vec<(u32, u32)>,
    choices: Vec<Choice>,
    /// The choice points of compiled searches.
    #[cfg(feature = "native")]
    points: Vec<[u64; 4]>,
    /// How often compiled searches gave up.
    #[cfg(feature = "native")]
    given_up: u32,
    /// Steps of interpreted searches.
    #[cfg(feature = "native")]
    interpreted: u64,
    pub tags: Vec<Tag>,
    /// The label of the move to be made, with [`NO_TAG`] behind it, for [`Goal::Wanted`], and how many there were to choose from: it takes no more
    /// steps to find than all of them.
    pub wanted: Vec<Tag>,
    pub wanted_of: u64,
    goal: Goal,
    /// Whether no two walks of the search have one label.
    told_apart: bool,
    pub masks: Vec<u64>,
    marks: Vec<u32>,
    mark_trail: Vec<(u32, u32)>,
    scope: u32,
    last_scope: u32,
    /// Whole-state marks of the scopes in progress, innermost last. In exact mode there is one set for all.
    hashed: Visited<W>,
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
    /// By check, the answer that was found last.
    answers: Vec<Answer<W>>,
    /// By check, its answer where the search began, if somebody has asked; [`NOT_ASKED`] otherwise.
    kept: Vec<u8>,
    /// Searches so far.
    searches: u64,
    /// Arrivals that need not be remembered: in searches for moves, and in checks.
    unremembered: [u64; 2],
    /// Node that the last completed move leads to.
    pub node: NodeId,
    dedupe: Dedupe,
    /// Whether outcomes that differ in dead variables only count apart, as moves of their own.
    pub strict: bool,
    /// Labels that were met with several outcomes: every outcome but the first.
    outcomes: FxHashSet<Outcome<W>>,
}

/// The constant part that machines of one game share.
pub(crate) struct Shared<W> {
    pub program: Program,
    pub tables: Vec<W>,
    /// The values of the program.
    flat: Vec<Flat>,
    pub initial: Vec<W>,
    pub limits: Limits,
    /// Whether the outcomes of one label are moves of their own.
    pub split: bool,
    /// Whether dead variables keep their values.
    pub keep_dead: bool,
    /// Cells from here on never take part in the effects of moves.
    pub lasting: u32,
    /// By check, what it can tell apart; found out by the first search.
    kinds: std::sync::OnceLock<Vec<Option<Kinds>>>,
    /// The steps that a machine makes before there is machine code.
    #[cfg(feature = "native")]
    compile_after: u64,
    /// The machine code, once it is made; `None` if there is none.
    #[cfg(feature = "native")]
    code: std::sync::OnceLock<Option<compiled::Code<W>>>,
}

impl<W: Cell> Shared<W> {
    pub(crate) fn new(program: Program, options: &Options) -> Self {
        let tables = program.layout.tables.iter().map(|&v| W::put(v)).collect();
        let initial = program.layout.initial.iter().map(|&v| W::put(v)).collect();
        let lasting = if options.keep_dead { FAIL } else { program.layout.lasting };
        let split = options.ambiguity == Ambiguity::Split;
        Self {
            flat: Flat::all(&program),
            program,
            tables,
            initial,
            limits: options.limits,
            split,
            keep_dead: options.keep_dead,
            lasting,
            kinds: std::sync::OnceLock::new(),
            #[cfg(feature = "native")]
            compile_after: match options.engine {
                Engine::Native => options.limits.compile_after,
                Engine::Auto => options.limits.compile_after.saturating_mul(AUTO_WAITS),
                Engine::Interpreter | Engine::Backtracking | Engine::Naive => u64::MAX,
            },
            #[cfg(feature = "native")]
            code: std::sync::OnceLock::new(),
        }
    }
}

impl<W: Cell> Machine<W> {
    pub(crate) fn new(shared: &Shared<W>) -> Self {
        Self {
            cells: shared.initial.clone(),
            trail: Vec::new(),
            choices: Vec::new(),
            #[cfg(feature = "native")]
            points: Vec::new(),
            #[cfg(feature = "native")]
            given_up: 0,
            #[cfg(feature = "native")]
            interpreted: 0,
            tags: Vec::new(),
            wanted: Vec::new(),
            wanted_of: 0,
            goal: Goal::All,
            told_apart: false,
            masks: Vec::new(),
            marks: vec![0; shared.program.mark_cells as usize],
            mark_trail: Vec::new(),
            scope: 0,
            last_scope: 0,
            hashed: Visited::default(),
            exact: false,
            labels: FxHashMap::default(),
            prefixes: Vec::new(),
            steps: 0,
            patience: 0,
            allowed: 0,
            depth: 0,
            check: 0,
            answers: Vec::new(),
            kept: Vec::new(),
            searches: 0,
            unremembered: [0; 2],
            node: shared.program.begin,
            dedupe: Dedupe::default(),
            strict: false,
            outcomes: FxHashSet::default(),
        }
    }

    /// Searches for moves from `node` with the present cells. With [`Goal::All`] and [`Goal::Labels`] the moves are put into
    /// `moves` and the cells are as before; with [`Goal::First`] and [`Goal::Wanted`] the cells and [`Machine::node`] are
    /// those after the move, whose tags are in [`Machine::tags`]. Returns whether there is a move.
    ///
    /// `exact` is the same game with marks everywhere, for searches that seem to go round in circles.
    pub(crate) fn search<'s>(
        &mut self,
        shared: &'s Shared<W>,
        exact: impl Fn() -> &'s Shared<W>,
        node: NodeId,
        goal: Goal,
        moves: &mut Moves,
    ) -> Result<bool, Halt> {
        // First without whole labels in the visited keys; then, if that seems to go round in circles, with them; and if
        // these become too many, without them to the end.
        let (quick, whole) = (shared.limits.steps.min(shared.limits.exact_after), shared.limits.steps);
        let found = self.attempt(shared, node, goal, moves, quick);
        if quick == whole || !matches!(found, Err(Halt { kind: ErrorKind::Limit, what: STEPS, .. })) {
            return found;
        }
        self.exact = true;
        let found = self.attempt(exact(), node, goal, moves, whole);
        self.exact = false;
        // They are of the checks of another program.
        self.answers.clear();
        match found {
            Err(Halt { kind: ErrorKind::Limit, what: VISITED | MEMORY, .. }) => {
                self.attempt(shared, node, goal, moves, whole)
            }
            found => found,
        }
    }

    /// One search with at most `patience` steps between moves found.
    fn attempt(
        &mut self,
        shared: &Shared<W>,
        node: NodeId,
        goal: Goal,
        moves: &mut Moves,
        patience: u64,
    ) -> Result<bool, Halt> {
        moves.clear();
        let entry = shared.program.entries.get(node.index()).copied().unwrap_or(FAIL);
        if entry == FAIL {
            return Ok(false);
        }
        self.goal = goal;
        self.told_apart = shared.program.told_apart.get(node.index()).copied().unwrap_or(false);
        #[cfg(feature = "native")]
        if let Some(found) = self.attempt_compiled(shared, entry, goal, moves, patience) {
            return found;
        }
        self.prepare(shared, moves, patience);
        let found = self.run(shared, entry, goal, moves);
        #[cfg(feature = "native")]
        {
            self.interpreted += self.steps;
        }
        self.concluded(found, goal, moves)
    }

    /// As [`Machine::attempt`] by machine code; `None` if there is none, or it gives up.
    #[cfg(feature = "native")]
    fn attempt_compiled(
        &mut self,
        shared: &Shared<W>,
        entry: Pc,
        goal: Goal,
        moves: &mut Moves,
        patience: u64,
    ) -> Option<Result<bool, Halt>> {
        if self.exact || self.strict || self.given_up > MAX_GIVEN_UP {
            return None;
        }
        if self.interpreted < shared.compile_after && shared.code.get().is_none() {
            return None;
        }
        let code = shared.code.get_or_init(|| compiled::Code::new(shared).ok()).as_ref()?;
        self.prepare(shared, moves, patience);
        let found = code.search(self, shared, entry, goal, moves);
        if found.is_none() {
            self.given_up += 1;
            self.undo(0);
            moves.clear();
        }
        found.map(|found| self.concluded(found, goal, moves))
    }

    /// Begins a search.
    fn prepare(&mut self, shared: &Shared<W>, moves: &Moves, patience: u64) {
        self.patience = patience;
        self.dedupe.clear();
        self.outcomes.clear();
        self.tags.clear();
        self.masks.clear();
        self.trail.clear();
        self.choices.clear();
        self.mark_trail.clear();
        self.hashed.clear();
        self.labels.clear();
        self.steps = 0;
        self.allowed = self.budget(moves);
        self.depth = 0;
        self.check = 0;
        self.begin_answers(shared.kinds().len());
        let unremembered = if self.exact { 0 } else { UNREMEMBERED };
        // Where all moves are wanted, whatever is come to twice would be gone through twice.
        let in_moves = if matches!(self.goal, Goal::All | Goal::Labels) { 0 } else { unremembered };
        self.unremembered = [in_moves, unremembered];
        if self.last_scope > LAST_SCOPE {
            self.marks.fill(0);
            self.last_scope = 0;
        }
        self.last_scope += 1;
        self.scope = self.last_scope;
    }

    /// Ends a search.
    fn concluded(&mut self, found: Result<bool, Halt>, goal: Goal, moves: &Moves) -> Result<bool, Halt> {
        if found.is_err() || matches!(goal, Goal::All | Goal::Labels) {
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
                let length = self.trail.pop().map_or(0, |(_, length)| length as usize);
                while self.mark_trail.len() > length {
                    let Some((mark, old)) = self.mark_trail.pop() else { break };
                    self.marks[mark as usize] = old;
                }
                self.forget();
                self.scope = old;
            } else {
                self.cells[slot as usize] = W::put(old);
            }
        }
    }

    /// Drops the whole-state marks of the scope that is left.
    #[inline]
    fn forget(&mut self) {
        self.hashed.forget(self.scope, self.cells.len());
    }

    #[inline(always)]
    fn set(&mut self, slot: u32, value: u32) {
        let cell = &mut self.cells[slot as usize];
        self.trail.push((slot, cell.get()));
        *cell = W::put(value);
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

    fn limit(&self, what: &'static str, limit: u64) -> Halt {
        Halt { kind: ErrorKind::Limit, what, limit, node: None }
    }

    /// Steps that the search may take, given the moves found so far.
    fn budget(&self, moves: &Moves) -> u64 {
        let found = if self.goal == Goal::Wanted { self.wanted_of } else { moves.len() as u64 };
        self.patience.saturating_add(found * STEPS_PER_MOVE)
    }

    #[cold]
    fn allow_more(&mut self, moves: &Moves) -> Result<(), Halt> {
        self.allowed = self.budget(moves);
        if self.steps > self.allowed { Err(self.limit(STEPS, self.allowed)) } else { Ok(()) }
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
                Op::Eq { left, right, other } => (!self.equal(shared, left, right)).then_some(other),
                Op::Ne { left, right, other } => self.equal(shared, left, right).then_some(other),
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
                Op::Each { low, .. }
                | Op::EachCell { low, .. }
                | Op::EachWhere { low, .. }
                | Op::EachTable { low, .. } => {
                    self.choice(pc, low);
                    self.next_value(shared, pc, low).is_none().then_some(FAIL)
                }
                Op::EachStore { .. } => {
                    self.choice(pc, 0);
                    self.next_value(shared, pc, 0).is_none().then_some(FAIL)
                }
                Op::Tag(_) | Op::TagSlot { .. } | Op::TagPair { .. } if self.repeats(shared, pc)? => Some(FAIL),
                Op::Tag(tag) => (!self.tag(shared, Tag(tag.index() as u32))?).then_some(FAIL),
                Op::TagSlot { slot, names } => {
                    let name = shared.program.names[(names + self.slot(slot)) as usize];
                    (!self.tag(shared, Tag(name.index() as u32))?).then_some(FAIL)
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
                    let both =
                        self.tag(shared, Tag(name.index() as u32))? && self.tag(shared, Tag(tag.index() as u32))?;
                    (!both).then_some(FAIL)
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
            Goal::Wanted if self.wanted.get(self.tags.len()) != Some(&NO_TAG) => Ok(false),
            Goal::First | Goal::Wanted => {
                self.reset_dead(shared, node);
                self.node = node;
                Ok(true)
            }
            Goal::All | Goal::Labels => self.record(shared, node, moves).map(|()| false),
        }
    }

    /// Puts the variables that are dead at `node` back to their initial values.
    fn reset_dead(&mut self, shared: &Shared<W>, node: NodeId) {
        if !shared.keep_dead {
            shared.program.resets.apply(node, &mut self.cells, &shared.initial);
        }
    }

    /// Emits a tag, unless it is not wanted.
    #[inline(always)]
    fn tag(&mut self, shared: &Shared<W>, tag: Tag) -> Result<bool, Halt> {
        if self.goal == Goal::Wanted && self.wanted.get(self.tags.len()) != Some(&tag) {
            return Ok(false);
        }
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
        Ok(true)
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
        let recall = self.recall(shared, check);
        if let Recall::Known(found) = recall {
            return Ok(found);
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
        if recall == Recall::New {
            self.learn(check, found);
        }
        Ok(found)
    }
}
