//! Scalar code for decisions that have no form over sets: the base case, for any automaton.
//!
//! In: a decision's node. Out: functions that list its moves, make one, and read a label, as depth-first search by procedures that
//! call each other: one for each node where walks meet or that they come back to, with the single variables that matter there as
//! parameters. Maps are in scratch memory in the form that states have: one set per value, or a word for each entry. What a walk
//! writes is undone when it is left. A move's word has the
//! choices of its walk, a few bits for each ([`Goal::List`]): making a move follows them without a test. Reachability checks stop at
//! the first walk that arrives, and mark where they have been.
//!
//! Code is linear in the automaton. A search that takes too long, or goes too deep, is left to a side exit.

mod access;
mod analysis;
mod area;
mod certain;
mod check;
mod choice;
mod constant;
mod finish;
mod labels;
mod memory;
mod numbered;
mod parting;
mod record;
mod room;
mod tags;
mod tail;
#[cfg(test)]
mod tests;
mod walk;
mod whole_maps;

use super::emission::{PART_SHIFT, TEMPLATE_SHIFT};
use super::lane::{Lane, Store, Val};
use super::{Decider, Decision, Failure, Lifter, MoveFormat};
use area::Area;
use memory::{COUNT, FAILED, FUEL, MOST_TAGS, PAIRS, TAGS, WALKS};
pub use numbered::LongMoves;
use rg_ir::ids::Id;
use rg_ir::{NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use wir::{Block, FnId, Function, Inst, Op, Reg};

/// Calls of procedures after which a search is given up.
const MAX_CALLS: u64 = 1 << 18;
/// How deep procedures call each other before a search is given up.
const MAX_DEPTH: u64 = 500;
/// Most registers of the procedures that one decision adds.
const MAX_REGISTERS: usize = 1 << 17;
/// Bits of a move's word for the choices of its walk; the next one says that it has a number in their place.
const CODE_BITS: u32 = TEMPLATE_SHIFT - 1;
/// Bits that a register has for more choices before there is a test of whether they fit: a code that is known not to has the bit above
/// these as its highest one.
const SPARE_BITS: u32 = 63 - CODE_BITS;

/// How the tags of labels are read: several at a time, in one word, the first one in the lowest bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagWidth {
    /// Four tags of 16 bits.
    Narrow,
    /// Two tags of 32 bits, in games that have more symbols.
    Wide,
}

impl TagWidth {
    /// The width for a number of symbols. A tag is 1 more than the number of its symbol.
    pub(super) fn of(symbols: usize) -> Self {
        if symbols < 1 << Self::Narrow.bits() { Self::Narrow } else { Self::Wide }
    }

    /// Bits of a tag.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Narrow => 16,
            Self::Wide => 32,
        }
    }

    /// How many tags are read at a time: a power of two.
    #[must_use]
    pub const fn part(self) -> u32 {
        u64::BITS / self.bits()
    }
}

/// What a search is after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Goal {
    /// All moves: the choices of each walk are collected, a digit for each node where walks part and for each value that is chosen.
    List(Labels),
    /// The tags of the walk with a number in the order of `List`, and the state after its move.
    Nth(Labels),
    /// The state after the move that these choices are.
    Make,
    /// The tags of that move.
    Label,
    /// The tags of the tail of a move ([`super::tails`]): there is one walk at most.
    Tail,
    /// The keeper's moves until a player decides: the state then.
    Keep,
    /// Whether some walk reaches a node.
    Check(NodeId),
}

/// What is known of the labels of a decision's walks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Labels {
    /// They differ.
    Unique,
    /// They are compared: several walks with one label are one move, if they lead to one state.
    Compared,
}

/// What is shared by the scalar functions of a game.
#[derive(Default)]
pub(super) struct Searches {
    /// Where maps are in scratch memory, once that is laid out.
    memory: Option<Rc<memory::Memory>>,
    /// Words of marks.
    marks: u32,
    /// Procedures by what they search, and from where.
    procedures: FxHashMap<(Goal, NodeId), FnId>,
    /// Those that are not written yet.
    queue: Vec<(Rc<Area>, NodeId, FnId)>,
    /// How walks part by node, once that is known.
    partings: Option<Rc<[parting::Parting]>>,
    /// Which walks have labels of their own, once that is known.
    labels: Option<Rc<labels::WalkLabels>>,
    /// Parts of the automaton that are searched.
    areas: FxHashMap<Goal, Rc<Area>>,
    /// The procedure that records moves whose labels are compared.
    record: Option<FnId>,
    /// Those that are being analysed.
    open: FxHashSet<Goal>,
}

/// What of a walk has yet to be drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    Nothing,
    Scope,
    ScopeAndVersion,
}

/// A walk on its way.
#[derive(Clone)]
struct Walk {
    /// Single variables; maps have none.
    vars: Vec<Option<Val>>,
    /// What tests have found: a map has a value at an index.
    facts: Vec<(VarId, Val, u32)>,
    /// The choices, the last one in the lowest bits, with a 1 above the first one.
    code: Reg,
    /// How many bits the choices may have beyond their place in a word, if that has not been tested yet.
    untested: u32,
    /// How many bits of a move that is made are to come.
    left: Reg,
    /// Where the next tag of a label goes.
    next: Reg,
    /// A hash of the tags so far, for labels that are compared.
    sign: Reg,
    /// The number of the scope: marks of others do not count.
    scope: Reg,
    /// A number for what maps hold: answers of checks that were kept with another one do not count.
    version: Reg,
    /// Which of these numbers have yet to be drawn: they are when walks part, and when procedures are called.
    due: Due,
    /// How deep procedures may still call each other.
    depth: Reg,
    /// Edges since the procedure began.
    steps: u32,
    /// If what comes is the last thing that a procedure does: where that begins, and its parameters, the depth excepted.
    tail: Option<(NodeId, Vec<Reg>)>,
}

impl Lifter<'_> {
    /// The functions of a decision as searches.
    pub(super) fn as_search(&mut self, decider: &Decider) -> Result<Decision, Failure> {
        self.or_undone(|lifter| lifter.searching(decider))
    }

    /// What is written, or the program as it was before.
    fn or_undone<T>(&mut self, write: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        let count = self.program.functions.len();
        let written = write(self);
        if written.is_err() {
            self.program.functions.truncate(count);
            self.searches.queue.clear();
            self.searches.open.clear();
            self.searches.procedures.retain(|_, id| (*id as usize) < count);
            self.searches.record = self.searches.record.filter(|&id| (id as usize) < count);
        }
        written
    }

    fn searching(&mut self, decider: &Decider) -> Result<Decision, Failure> {
        if self.known.strict {
            return Err(Failure::new("a choice of the keeper has to be noticed"));
        }
        self.lay_out()?;
        let functions = [self.list_function(decider)?, self.make_function(decider)?, self.label_function(decider)?];
        self.write_procedures()?;
        let first = self.program.functions.len() as FnId;
        self.program.functions.extend(functions);
        Ok(Decision {
            decide: first,
            apply: first + 1,
            label: Some(first + 2),
            speculative: None,
            passes: 0,
            templates: vec![MoveFormat::default()],
            overlaps: false,
            is_search: true,
        })
    }

    /// Writes all procedures that are called and not there yet.
    fn write_procedures(&mut self) -> Result<(), Failure> {
        let mut size = 0;
        while let Some((area, node, id)) = self.searches.queue.pop() {
            let function = self.procedure(&area, node)?;
            size += function.registers as usize;
            if size > MAX_REGISTERS {
                return Err(Failure::too_large());
            }
            if let Some(slot) = self.program.functions.get_mut(id as usize) {
                *slot = function;
            }
        }
        Ok(())
    }

    /// Begins a function.
    fn begin_search(&mut self) {
        let numbers = self.numbers_long_moves().then_some((WALKS, 0));
        for (at, value) in [(FAILED, 0), (COUNT, 0), (FUEL, self.most_calls()), (PAIRS, 0)].into_iter().chain(numbers) {
            let value = self.function.builder.constant(value);
            self.poke(at, value);
        }
    }

    /// The walk from a decision's node, with what the search needs of maps in scratch memory.
    fn begin_walk(&mut self, area: &Area, decider: &Decider, code: Reg) -> Walk {
        let lane = self.loaded(decider);
        self.poke_maps(area, decider.node, &lane);
        let walk = self.begun(&lane, code);
        Walk { due: Due::ScopeAndVersion, ..walk }
    }

    /// The walk that begins with a lane's variables.
    fn begun(&mut self, lane: &Lane, code: Reg) -> Walk {
        let vars = lane.vars.iter().map(|store| match store {
            Store::Scalar(value) => Some(value.clone()),
            _ => None,
        });
        let (zero, depth) = (self.function.builder.constant(0), self.function.builder.constant(MAX_DEPTH));
        let left = self.function.builder.op(Op::Highest(code));
        Walk { code, left, depth, ..Walk::of(vars.collect(), zero) }
    }

    /// Begins a function.
    pub(super) fn begin_scalar(&mut self, params: u32) {
        self.function.builder = super::build::Builder::new(params, &self.tables);
        self.function.sources.clear();
        self.function.entries.clear();
        self.check.answers.clear();
        self.check.together = None;
        self.check.beginning = None;
        self.check.supports.clear();
    }

    /// The function that was begun.
    pub(super) fn finished(&mut self, name: String, params: u32, yields: Vec<Reg>) -> Function {
        let builder = std::mem::replace(&mut self.function.builder, super::build::Builder::new(0, &self.tables));
        builder.finish(name, params, yields)
    }

    /// How walks part, by node.
    fn partings(&mut self) -> Rc<[parting::Parting]> {
        let game = self.game;
        self.searches.partings.get_or_insert_with(|| parting::of(game).into()).clone()
    }

    /// Which walks have labels of their own.
    fn walk_labels(&mut self) -> Rc<labels::WalkLabels> {
        if let Some(labels) = &self.searches.labels {
            return labels.clone();
        }
        let partings = self.partings();
        let labels = Rc::new(labels::solve(self, self.known.labelled.unwrap_or(self.game), &partings));
        self.searches.labels = Some(labels.clone());
        labels
    }

    /// What is known of the labels of a decision.
    fn labels_at(&mut self, decider: &Decider) -> Labels {
        let unique = self.known.walks.and_then(|walks| walks.unique_labels.get(decider.node.index()));
        let unique = unique == Some(&true) || self.walk_labels().unique.contains(&decider.node);
        if unique { Labels::Unique } else { Labels::Compared }
    }

    fn list_function(&mut self, decider: &Decider) -> Result<Function, Failure> {
        let labels = self.labels_at(decider);
        let area = self.area(Goal::List(labels))?;
        if !area.region.contains(decider.node) {
            return Err(Failure::new("there is no move").at(self.game.node_name(decider.node)));
        }
        self.begin_scalar(0);
        let code = self.function.builder.constant(1);
        self.begin_search();
        if labels == Labels::Compared {
            self.begin_labels();
        }
        let walk = self.begin_walk(&area, decider, code);
        self.call_search(&area, decider.node, &walk)?;
        let (failed, count) = (self.peek(FAILED), self.peek(COUNT));
        let most = self.function.builder.constant(u64::from(self.room().capacity()));
        let over = self.function.builder.op(Op::Less(most, count));
        let failed = self.function.builder.or(failed, over);
        self.function.builder.exit_if(failed);
        if labels == Labels::Compared {
            self.compare_outcomes(decider)?;
        }
        // The moves, in the order in which they were found.
        self.open();
        let zero = self.function.builder.constant(0);
        self.open();
        let at = self.function.builder.fresh();
        let list = self.function.builder.constant(u64::from(self.room().moves()));
        let place = self.function.builder.op(Op::Add(list, at));
        let base = self.peek_at(place);
        self.function.builder.push(Inst::Emit { base });
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(at, one));
        let more = self.function.builder.op(Op::Less(next, count));
        let body = self.close(vec![more, next]);
        let to = vec![self.function.builder.fresh()];
        self.function.builder.push(Inst::Loop { carried: vec![(at, zero)], body, to });
        let then = self.close(Vec::new());
        self.function.builder.push(Inst::If { cond: count, then, other: Block::default(), to: Vec::new() });
        Ok(self.finished(format!("decide_{}", self.game.node_name(decider.node)), 0, Vec::new()))
    }

    fn make_function(&mut self, decider: &Decider) -> Result<Function, Failure> {
        self.begin_scalar(1);
        self.begin_search();
        let zero = self.function.builder.constant(0);
        let found = self.replay(Goal::Make, decider, 0, zero)?;
        let failed = self.peek(FAILED);
        let lost = self.function.builder.negation(found);
        let failed = self.function.builder.or(failed, lost);
        self.function.builder.exit_if(failed);
        let mut number = found;
        for word in 0..self.layout.words {
            let at = self.after(word)?;
            let value = self.peek(at);
            self.function.builder.push(Inst::Store { word, value });
            if word == self.layout.node.word {
                let mask = self.function.builder.constant((1 << self.layout.node.bits) - 1);
                number = self.function.builder.and(value, mask);
            }
        }
        Ok(self.finished(format!("apply_{}", self.game.node_name(decider.node)), 1, vec![number]))
    }

    /// The function that reads labels; see [`Decision::label`].
    fn label_function(&mut self, decider: &Decider) -> Result<Function, Failure> {
        self.begin_scalar(1);
        let mask = self.function.builder.constant((1 << TEMPLATE_SHIFT) - 1);
        let code = self.function.builder.and(0, mask);
        self.begin_search();
        let zero = self.function.builder.constant(0);
        self.replay(Goal::Label, decider, code, zero)?;
        let failed = self.peek(FAILED);
        self.function.builder.exit_if(failed);
        let tags = self.part_of_label();
        Ok(self.finished(format!("label_{}", self.game.node_name(decider.node)), 1, vec![tags]))
    }

    /// The tags that are found, of the part of a label whose number is above a move in the first register.
    fn part_of_label(&mut self) -> Reg {
        let width = TagWidth::of(self.game.symbols.len());
        let part = self.function.builder.op(Op::ShrBy(0, PART_SHIFT));
        let last = self.function.builder.constant(u64::from(MOST_TAGS / width.part() - 1));
        let part = self.function.builder.and(part, last);
        let first = self.function.builder.op(Op::ShlBy(part, width.part().ilog2()));
        let mut tags = self.function.builder.constant(0);
        for number in 0..width.part() {
            let offset = self.function.builder.constant(u64::from(TAGS + number));
            let at = self.function.builder.op(Op::Add(first, offset));
            let tag = self.peek_at(at);
            let moved = self.function.builder.op(Op::ShlBy(tag, number * width.bits()));
            tags = self.function.builder.or(tags, moved);
        }
        tags
    }

    /// Writes a procedure.
    fn procedure(&mut self, area: &Rc<Area>, node: NodeId) -> Result<Function, Failure> {
        self.fits()?;
        let vars = area.parameters(self, node);
        let own = Self::own_parameters(area);
        let params = (vars.len() + own + 1) as u32;
        self.begin_scalar(params);
        let name = format!("{}_{}", area.goal.name(), self.game.node_name(node));
        // The last thing that it does may be to begin anew: it is a loop then.
        let loops = area.is_recursive(node);
        if !loops {
            // Procedures are what looks at scratch memory.
            self.peek(FUEL);
            let walk = self.begun_procedure(area, &vars, (0..params - 1).collect(), params - 1);
            let found = self.marked(area, node, walk)?;
            return Ok(self.finished(name, params, found));
        }
        self.open();
        let parameters: Vec<Reg> = (0..params - 1).map(|_| self.function.builder.fresh()).collect();
        let before = self.function.builder.fresh();
        let walk = self.begun_procedure(area, &vars, parameters.clone(), params - 1);
        let walk = Walk { tail: Some((node, parameters.clone())), ..walk };
        let found = self.unless_long(area, node, walk)?;
        let (&found, rest) = found.split_first().ok_or_else(|| Failure::new("a block has no result"))?;
        let (&repeats, arguments) = rest.split_first().ok_or_else(|| Failure::new("a block has no result"))?;
        let yields = [repeats].into_iter().chain(arguments.iter().copied()).chain([found]).collect();
        let body = self.close(yields);
        let zero = self.function.builder.constant(0);
        let carried: Vec<(Reg, Reg)> = parameters.iter().copied().zip(0..).chain([(before, zero)]).collect();
        let to: Vec<Reg> = carried.iter().map(|_| self.function.builder.fresh()).collect();
        let found = to.last().copied().into_iter().collect();
        self.function.builder.push(Inst::Loop { carried, body, to });
        Ok(self.finished(name, params, found))
    }

    /// How many parameters a procedure has for what is not of the state.
    fn own_parameters(area: &Area) -> usize {
        Walk::of(Vec::new(), 0).own(area).len()
    }

    /// The walk with which a procedure begins, given its parameters.
    fn begun_procedure(&mut self, area: &Area, vars: &[VarId], parameters: Vec<Reg>, depth: Reg) -> Walk {
        let mut walk = Walk::of(self.initial_values(), depth);
        for (&register, var) in parameters.iter().zip(vars) {
            if let Some(slot) = walk.vars.get_mut(var.index()) {
                *slot = Some(Val::Reg(register));
            }
        }
        let own = parameters.iter().skip(vars.len());
        walk.own_mut(area).into_iter().zip(own).for_each(|(slot, &register)| *slot = register);
        walk
    }

    /// What a procedure does, unless the search has taken too long. Loops that end are not counted, unless they call
    /// themselves many times.
    fn unless_long(&mut self, area: &Rc<Area>, node: NodeId, walk: Walk) -> Result<walk::Found, Failure> {
        if area.has_loop_that_ends(node) && !area.is_nested(node) {
            self.open();
            // Procedures are what looks at scratch memory.
            self.peek(FUEL);
            let found = self.marked(area, node, walk.clone())?;
            let code = self.close(found.clone());
            if area.has_short_loop(node) || !self.calls_loop(area, node, &code) {
                self.function.builder.splice(code);
                return Ok(found);
            }
        }
        let [zero, one] = [0, 1].map(|value| self.function.builder.constant(value));
        let fuel = self.peek(FUEL);
        let left = self.function.builder.op(Op::Ne(fuel, zero));
        let next = self.function.builder.op(Op::Sub(fuel, left));
        self.poke(FUEL, next);
        let deep = self.function.builder.op(Op::Ne(walk.depth, zero));
        let goes_on = self.function.builder.and(left, deep);
        let before = walk.clone();
        self.open();
        let depth = self.function.builder.op(Op::Sub(walk.depth, one));
        let found = self.marked(area, node, Walk { depth, ..walk })?;
        let then = self.close(found);
        self.open();
        self.fail();
        let nothing = self.nothing(&before);
        let other = self.close(nothing);
        Ok(self.function.builder.if_else(goes_on, then, other))
    }

    /// Whether code calls a procedure of the loop of a node.
    fn calls_loop(&self, area: &Area, node: NodeId, code: &Block) -> bool {
        let called = wir::calls::called(code);
        let procedure = |node: &NodeId| self.searches.procedures.get(&(area.goal, *node));
        area.loop_of(node).iter().filter_map(procedure).any(|id| called.contains(id))
    }

    /// The initial values of single variables.
    fn initial_values(&mut self) -> Vec<Option<Val>> {
        let value = |var: VarId| match (self.known.kinds.get(var.index()), self.known.numbers.vars.get(var)) {
            (Some(super::layout::Kind::Scalar), Some(Ok(form))) => form.values.first().map(|&value| Val::Const(value)),
            _ => None,
        };
        self.game.vars.ids().map(value).collect()
    }

    /// Notes that a search cannot go on.
    fn fail_if(&mut self, cond: Reg) {
        if self.function.builder.constant_of(cond) == Some(0) {
            return;
        }
        self.open();
        self.fail();
        let then = self.close(Vec::new());
        self.function.builder.push(Inst::If { cond, then, other: Block::default(), to: Vec::new() });
    }

    fn fail(&mut self) {
        let one = self.function.builder.constant(1);
        self.poke(FAILED, one);
    }
}

impl Goal {
    fn name(self) -> &'static str {
        match self {
            Goal::List(_) => "list",
            Goal::Nth(_) => "nth",
            Goal::Make => "make",
            Goal::Label => "tags",
            Goal::Tail => "tail",
            Goal::Keep => "keep",
            Goal::Check(_) => "check",
        }
    }
}

impl Walk {
    /// A walk with these single variables, and one register for all else.
    fn of(vars: Vec<Option<Val>>, register: Reg) -> Self {
        let [code, left, next, sign, scope, version, depth] = [register; 7];
        Self {
            vars,
            facts: Vec::new(),
            code,
            untested: 0,
            left,
            next,
            sign,
            scope,
            version,
            due: Due::Nothing,
            depth,
            steps: 0,
            tail: None,
        }
    }

    /// What procedures have as parameters behind the variables, the depth excepted.
    fn own(&self, area: &Area) -> Vec<Reg> {
        self.clone().own_mut(area).into_iter().map(|register| *register).collect()
    }

    fn own_mut(&mut self, area: &Area) -> Vec<&mut Reg> {
        let Walk { code, left, next, sign, scope, version, .. } = self;
        let mut own = match area.goal {
            Goal::List(Labels::Compared) => vec![code, sign],
            Goal::List(Labels::Unique) => vec![code],
            Goal::Nth(_) | Goal::Tail => vec![next],
            Goal::Label => vec![code, left, next],
            Goal::Make => vec![code, left],
            Goal::Check(_) | Goal::Keep => Vec::new(),
        };
        if area.has_marks() {
            own.push(scope);
        }
        if area.checks {
            own.push(version);
        }
        own
    }

    /// The walk where it is not the last thing that a procedure does.
    fn inside(&self) -> Walk {
        Walk { tail: None, ..self.clone() }
    }
}
