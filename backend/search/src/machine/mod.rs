//! The interpreter: executes a [`Program`] with an explicit stack of choice points and a trail of overwritten cells.

mod cell;
mod choices;
mod flat;
mod record;
mod run;
mod search;
mod values;
mod visited;

pub(crate) use cell::Cell;

use crate::program::{FAIL, Program};
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
    /// Stop at the first move and stay there.
    First,
    /// Stop at the first move whose tags are [`Machine::wanted`] and stay there; walks with other tags end at the first one that differs.
    Labelled,
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
/// Steps that every move found allows in addition.
const STEPS_PER_MOVE: u64 = 10_000;

/// Working memory for one game; reused between calls.
pub(crate) struct Machine<W> {
    pub cells: Vec<W>,
    trail: Vec<(u32, u32)>,
    choices: Vec<Choice>,
    pub tags: Vec<Tag>,
    /// The tags that a move is to have ([`Goal::Labelled`]).
    pub wanted: Vec<Tag>,
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
