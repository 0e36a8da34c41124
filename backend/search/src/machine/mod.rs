//! The interpreter: executes a [`Program`] with an explicit stack of choice points and a trail of overwritten cells.

mod answers;
mod cell;
mod choices;
mod flat;
mod record;
mod run;
mod search;
mod values;
mod visited;

pub(crate) use cell::Cell;

use crate::program::{FAIL, Kinds, Program};
use answers::Answer;
use choices::Choice;
use engine::ErrorKind;
use engine::Limits;
use engine::options::Options;
use engine::outcomes::Ambiguity;
use engine::state::Tag;
use flat::Flat;
use record::{Dedupe, Outcome};
use rg_ir::NodeId;
use rg_ir::invariant::{Invariant, invariant};
use rustc_hash::{FxHashMap, FxHashSet};
use visited::Visited;

/// What a search stops at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Collect all moves.
    All,
    /// As `All`, but what moves do is left out. Only where labels tell walks apart ([`Program::labels_unique`]).
    Labels,
    /// Stop at the first move and stay there.
    First,
    /// As `First`, with the label in [`Machine::wanted`].
    Wanted,
}

/// What [`Halt::what`] says where the tags and writes of all legal moves together take too many bytes.
pub(crate) const MOVES_TOO_LARGE: &str = "bytes of tags and writes of legal moves";

/// Why a search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Halt {
    pub kind: ErrorKind,
    pub what: &'static str,
    pub limit: u64,
    /// The node in question, if it is known better than where the search began.
    pub node: Option<NodeId>,
}

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
/// Steps that every move found allows in addition.
const STEPS_PER_MOVE: u64 = 10_000;

/// Working memory for one game; reused between calls.
pub(crate) struct Machine<W> {
    pub cells: Vec<W>,
    trail: Vec<(u32, u32)>,
    choices: Vec<Choice>,
    pub tags: Vec<Tag>,
    /// The label of the move to be made, with [`NO_TAG`] behind it, for [`Goal::Wanted`], and how many there were to choose from: it takes no more
    /// steps to find than all of them.
    pub wanted: Vec<Tag>,
    pub wanted_of: u64,
    goal: Goal,
    /// Whether no two walks of the search have one label.
    labels_unique: bool,
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
    /// Whether checks where the keeper hands over are taken to hold, and whether one was.
    pub speculative: bool,
    pub speculated: bool,
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
    /// By operation that chooses, whether the tests behind it are asked of its values before one is taken.
    sifts: Vec<bool>,
    /// By check, what it can tell apart; found out by the first search.
    kinds: std::sync::OnceLock<Vec<Option<Kinds>>>,
}

impl<W: Cell> Shared<W> {
    pub(crate) fn new(program: Program, options: &Options) -> Self {
        let tables = program.layout.tables.iter().map(|&v| W::put(v)).collect();
        let initial = program.layout.initial.iter().map(|&v| W::put(v)).collect();
        let lasting = if options.keep_dead { FAIL } else { program.layout.lasting };
        let split = options.ambiguity == Ambiguity::Split;
        let sifts = choices::sifts(&program.code);
        Self {
            flat: Flat::all(&program),
            program,
            sifts,
            tables,
            initial,
            limits: options.limits,
            split,
            keep_dead: options.keep_dead,
            lasting,
            kinds: std::sync::OnceLock::new(),
        }
    }
}

impl<W: Cell> Machine<W> {
    pub(crate) fn new(shared: &Shared<W>) -> Self {
        Self {
            cells: shared.initial.clone(),
            trail: Vec::new(),
            choices: Vec::new(),
            tags: Vec::new(),
            wanted: Vec::new(),
            wanted_of: 0,
            goal: Goal::All,
            labels_unique: false,
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
            speculative: false,
            speculated: false,
            unremembered: [0; 2],
            node: shared.program.begin,
            dedupe: Dedupe::default(),
            strict: false,
            outcomes: FxHashSet::default(),
        }
    }

    /// Restores the cells to what they were when the trail had this length.
    #[inline]
    fn undo(&mut self, length: u32) {
        invariant(self.trail.len() >= length as usize, "a choice is undone once");
        while self.trail.len() > length as usize {
            let Some((slot, old)) = self.trail.pop() else { return };
            if slot == SCOPE {
                let length = self
                    .trail
                    .pop()
                    .map(|(_, length)| length as usize)
                    .invariant_or(0, "a scope on the trail has the length of the marks");
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
}
