//! The reasoner program: what a game becomes before it is run.
//!
//! A program is *backtracking code* over a flat array of small numbers (the cells of the state): straight-line tests and
//! writes, with explicit choice points. It has one entry per automaton node at which a move can begin, and one per
//! reachability check. All names, types and maps are gone: symbols are numbers ([`classes`]), maps are tables and cells
//! ([`layout`]), accesses are sums of products.
//!
//! Execution model, which every engine implements:
//! - A test that fails continues at its `other` address, or *backtracks* if that is [`FAIL`].
//! - To backtrack is to restore all cells and tags to what they were at the latest choice point and to continue there;
//!   without a choice point the search is exhausted.
//! - [`Op::Try`] makes a choice point for an address; the `Each` operations make one for their next value.
//! - [`Op::Mark`] backtracks if the search was here before with the same tags and cells, so that every search ends;
//!   [`Op::Scope`] begins a new set of marks, left when it is backtracked over (module `marks`).
//! - [`Op::Finish`] completes a move, [`Op::Accept`] a reachability check.

mod ahead;
mod distinct;
mod emit;
mod labels;
pub mod layout;
mod lower;
mod marks;
mod region;
mod step;

use rg_ir::{NodeId, Symbol};

pub use lower::lower;
pub use marks::Marking;

/// Address of an operation.
pub type Pc = u32;

/// The address that stands for backtracking.
pub const FAIL: Pc = u32::MAX;

/// Index into [`Program::exprs`].
pub type ExId = u32;

/// A value: a tree whose inner nodes are loads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ex {
    /// A number.
    Constant(u32),
    /// The value of a cell.
    Slot(u32),
    /// `cells[base + cells[slot]]`.
    Cell {
        /// First cell.
        base: u32,
        /// Cell that holds the index.
        slot: u32,
    },
    /// `tables[base + cells[slot]]`.
    Table {
        /// First entry.
        base: u32,
        /// Cell that holds the index.
        slot: u32,
    },
    /// `cells[base + Σ terms]` or `tables[base + Σ terms]`, terms at `first..first + count` of [`Program::terms`].
    Load {
        /// Whether a constant table is read instead of the state.
        table: bool,
        /// First cell or entry.
        base: u32,
        /// First term.
        first: u32,
        /// Number of terms.
        count: u32,
    },
}

/// One index of a load: `convert[value] * stride`, or `value * stride` without a conversion table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// The key.
    pub value: ExId,
    /// Number of cells per step.
    pub stride: u32,
    /// Table from value to position, [`FAIL`] if there is none.
    pub convert: u32,
    /// Number of real keys: positions from here on are spare.
    pub count: u32,
}

/// A run of cells or table entries with a whole map in it.
#[derive(Clone, Debug)]
pub struct MapRef {
    /// Whether it is a constant.
    pub table: bool,
    /// First cell or entry, before the terms.
    pub base: u32,
    /// Terms of the outer keys that were already applied: first and count.
    pub terms: (u32, u32),
}

/// A whole-map copy or comparison: pairs of relative positions.
#[derive(Clone, Debug)]
pub struct MapPair {
    /// Left side, the target of a copy.
    pub left: MapRef,
    /// Right side.
    pub right: MapRef,
    /// Relative positions on the left and on the right that correspond.
    pub pairs: Vec<(u32, u32)>,
}

/// Where a visited test keeps its marks.
#[derive(Clone, Debug)]
pub struct MarkSite {
    /// First entry of the mark array, [`FAIL`] if the whole state is the key of a hash set.
    pub base: u32,
    /// Cells that tell arrivals apart, with the stride of each.
    pub slots: Vec<(u32, u32)>,
    /// Whether nothing is lost but time if some arrivals are not remembered, as in checks.
    pub patient: bool,
    /// The node, for messages.
    pub node: NodeId,
}

/// An operation. `other` is the address where a failed test continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields are the names in each operation's formula")]
pub enum Op {
    /// Continue elsewhere.
    Jump(Pc),
    /// Make a choice point: on backtracking, continue at the address.
    Try(Pc),
    /// Backtrack.
    Fail,
    /// `cells[slot] == value`.
    SlotEq { slot: u32, value: u32, other: Pc },
    /// `cells[slot] != value`.
    SlotNe { slot: u32, value: u32, other: Pc },
    /// `cells[base + cells[slot]] == value`.
    CellEq { base: u32, slot: u32, value: u32, other: Pc },
    /// `cells[base + cells[slot]] != value`.
    CellNe { base: u32, slot: u32, value: u32, other: Pc },
    /// `tables[base + cells[slot]] == value`.
    TableEq { base: u32, slot: u32, value: u32, other: Pc },
    /// `tables[table + cells[base + cells[slot]]] == value`.
    CellTableEq { base: u32, slot: u32, table: u32, value: u32, other: Pc },
    /// `left == right`.
    Eq { left: ExId, right: ExId, other: Pc },
    /// `left != right`.
    Ne { left: ExId, right: ExId, other: Pc },
    /// Whole maps are equal ([`Program::maps`]).
    MapEq { map: u32, other: Pc },
    /// Whole maps differ.
    MapNe { map: u32, other: Pc },
    /// `cells[slot] = value`.
    SetConstant { slot: u32, value: u32 },
    /// `cells[slot] = tables[base + cells[from]]`.
    SetTable { slot: u32, base: u32, from: u32 },
    /// As `SetTable`, but backtracks if the new value is `not`.
    Step { slot: u32, base: u32, from: u32, not: u32 },
    /// `cells[base + cells[slot]] = value`, nothing if `cells[slot]` is not below `count`.
    SetCell { base: u32, slot: u32, value: u32, count: u32 },
    /// `cells[slot] = value`.
    Set { slot: u32, value: ExId },
    /// `cells[base + Σ terms] = value`, nothing if a key is none.
    Store { base: u32, first: u32, count: u32, value: ExId },
    /// Copy a whole map ([`Program::maps`]).
    Copy { map: u32 },
    /// `cells[slot] = v` for every v in `low..high`.
    Each { slot: u32, low: u32, high: u32 },
    /// As `Each`, only those with `cells[base + v] == value`.
    EachCell { slot: u32, low: u32, high: u32, base: u32, value: u32 },
    /// As `Each`, only those with `tables[table + cells[base + v]] == 1`.
    EachWhere { slot: u32, low: u32, high: u32, base: u32, table: u32 },
    /// As `Each`, only those with `tables[base + v] == value`.
    EachTable { slot: u32, low: u32, high: u32, base: u32, value: u32 },
    /// As `Store`, for every entry v of the list `tables[list..list + len]`.
    EachStore { base: u32, first: u32, count: u32, list: u32, len: u32 },
    /// Emit a tag.
    Tag(Symbol),
    /// Emit the tag `names[names + cells[slot]]`.
    TagSlot { slot: u32, names: u32 },
    /// `TagSlot`, then `Tag`.
    TagPair { slot: u32, names: u32, tag: Symbol },
    /// Begin a new set of marks.
    Scope,
    /// Backtrack if visited ([`Program::marks`]).
    Mark(u32),
    /// Some walk (none, if negated) is accepted from the entry.
    Reach { entry: Pc, negated: bool, check: u32, other: Pc },
    /// A move is complete; the play goes on at the node.
    Finish(NodeId),
    /// `SetConstant`, then `Finish`.
    FinishWith { slot: u32, value: u32, node: NodeId },
    /// The check's target is reached.
    Accept,
}

/// A lowered game.
#[derive(Debug)]
pub struct Program {
    /// Numbering, tables and cells.
    pub layout: layout::Layout,
    /// Values.
    pub exprs: Vec<Ex>,
    /// Indices of loads and stores.
    pub terms: Vec<Term>,
    /// Whole-map operations.
    pub maps: Vec<MapPair>,
    /// Code.
    pub code: Vec<Op>,
    /// Names for tags of variables.
    pub names: Vec<Symbol>,
    /// Visited tests.
    pub marks: Vec<MarkSite>,
    /// Length of the mark array.
    pub mark_cells: u32,
    /// Start nodes of the reachability checks, for messages.
    pub checks: Vec<NodeId>,
    /// Entry per automaton node (by index), [`FAIL`] where no move can begin.
    pub entries: Vec<Pc>,
    /// By node, as entries: whether all walks from there are known to have labels of their own.
    pub labels_unique: Vec<bool>,
    /// Cell of `player`.
    pub player_slot: u32,
    /// Class of the values of `player`.
    pub player_class: passes::analysis::classes::Class,
    /// Number of the keeper.
    pub keeper: u32,
    /// Number of `random`.
    pub random: u32,
    /// Player index per value of `player`; [`FAIL`] for the system players.
    pub player_index: Vec<u32>,
    /// First cell of `visible` per player, and the number that means seen.
    pub visible: Option<(Vec<u32>, u32)>,
    /// Cell of `goals` per player.
    pub goals: Vec<u32>,
    /// Class of the scores.
    pub goals_class: passes::analysis::classes::Class,
    /// What nobody reads any more where moves end.
    pub resets: engine::canonical::Resets,
    /// Where plays begin and end.
    pub begin: NodeId,
    /// See `begin`.
    pub end: NodeId,
    /// Whether the keeper may have several moves, all with the same outcome in the end (games from RBG).
    pub keeper_may_choose: bool,
}
