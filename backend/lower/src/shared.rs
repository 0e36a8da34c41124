//! Checks as functions of their own, made once for all places that ask.

use super::build::Builder;
use super::checks::Answer;
use super::checks::takes_time;
use super::lane::{Lane, Sets, Store, Val};
use super::region::Region;
use super::sets::Set;
use super::values::{Condition, Stop};
use super::{Lifter, cells, support};
use rg_ir::NodeId;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::calls::{MAX_CALLED_ROUNDS, rounds_of};
use wir::effects::Effects;
use wir::uses::size;
use wir::{FnId, Inst, Reg};

/// Fewest instructions of a check that has a function of its own.
const MIN_SIZE: usize = 120;
/// Most arguments.
const MAX_ARGUMENTS: usize = 120;

/// So many choices are asked about one by one.
const FEW: u32 = 8;
/// How many operations are looked through to find out how many choices there are.
const LOOKED_THROUGH: u32 = 8;

/// A check that has a function of its own, or is known to have none.
pub(super) struct Shared {
    question: Question,
    /// By argument: the bits that it may have.
    bits: Vec<u64>,
    function: Option<FnId>,
    /// How many rounds its loops have at most.
    rounds: u64,
}

/// What a check is asked about.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    from: NodeId,
    to: NodeId,
    /// What the variables hold; for registers stand the numbers of arguments or, from above, of constants.
    vars: Vec<Store>,
    constants: Vec<u64>,
}

/// All such checks, in the order in which they were met.
#[derive(Default)]
pub(super) struct SharedChecks {
    checks: Vec<Shared>,
    /// By question: the numbers of its checks, which differ in the bits of their arguments.
    by_question: FxHashMap<Question, Vec<usize>>,
}

impl SharedChecks {
    pub(super) fn len(&self) -> usize {
        self.checks.len()
    }

    /// Forgets all but the first.
    pub(super) fn truncate(&mut self, len: usize) {
        for check in self.checks.drain(len..) {
            if let Some(numbers) = self.by_question.get_mut(&check.question) {
                numbers.retain(|&number| number < len);
            }
        }
    }

    fn push(&mut self, check: Shared) {
        self.by_question.entry(check.question.clone()).or_default().push(self.checks.len());
        self.checks.push(check);
    }

    /// A check that answers a question for all arguments with these bits.
    fn find(&self, question: &Question, bits: &[u64]) -> Option<&Shared> {
        let covers = |known: &&Shared| known.bits.iter().zip(bits).all(|(known, bits)| bits & !known == 0);
        self.by_question.get(question)?.iter().filter_map(|&number| self.checks.get(number)).find(covers)
    }

    /// How many rounds the loops of a function have at most, if it is the function of a check.
    fn rounds(&self, function: FnId) -> Option<u64> {
        self.checks.iter().find(|known| known.function == Some(function)).map(|known| known.rounds)
    }
}

/// Registers that are passed to a function, and the constants among them, which need not be.
#[derive(Default)]
struct Passed {
    args: Vec<Reg>,
    constants: Vec<u64>,
}

/// What is put aside while another function is built.
struct Aside {
    builder: Builder,
    answers: Vec<Answer>,
    beginning: Option<support::Beginning>,
    supports: Vec<support::Supported>,
    sources: FxHashMap<Reg, cells::Source>,
    entries: FxHashMap<Reg, cells::Entries>,
}

impl Lifter<'_> {
    /// Whether a check holds on a lane on which no choice is open, by a call of its function; `None` if it is too small for
    /// one, or does more than to compute.
    pub(super) fn by_call(
        &mut self,
        region: &Rc<Region>,
        asking: &Lane,
        from: NodeId,
        to: NodeId,
    ) -> Result<Option<Reg>, Stop> {
        if self.check.recording.is_some() || !self.function.pinned.is_empty() {
            return Ok(None);
        }
        let mut passed = Passed::default();
        let Some(vars) = self.by_arguments(asking, &mut passed) else { return Ok(None) };
        let Passed { args, constants } = passed;
        if args.len() > MAX_ARGUMENTS {
            return Ok(None);
        }
        let bits: Vec<u64> = args.iter().map(|&arg| self.function.builder.possible_bits(arg)).collect();
        let question = Question { from, to, vars, constants };
        let function = match self.shared.find(&question, &bits) {
            Some(known) => known.function,
            None => {
                let mut shared = Shared { question, bits, function: None, rounds: 0 };
                if let Some((function, rounds)) = self.function_of(region, asking, &shared)? {
                    (shared.function, shared.rounds) = (Some(function), rounds);
                }
                let function = shared.function;
                self.shared.push(shared);
                function
            }
        };
        let Some(function) = function else { return Ok(None) };
        let result = self.function.builder.fresh();
        self.function.builder.bound(result, 1);
        self.function.builder.push(Inst::Call { function, args, to: result });
        Ok(Some(result))
    }

    /// For which choices of a lane a check holds, by calls of its function; `None` if there may be many choices, or no calls.
    pub(super) fn by_calls(&mut self, region: &Rc<Region>, asking: &Lane, from: NodeId, to: NodeId) -> Option<Set> {
        let generator = asking
            .generator
            .as_ref()
            .filter(|_| self.function.style.size_optimised && self.check.recording.is_none())?;
        let most: u32 = generator.set.iter().map(|&word| self.function.builder.most_bits(word, LOOKED_THROUGH)).sum();
        if most > FEW || asking.dependants().is_empty() {
            return None;
        }
        self.attempt(|lifter| lifter.one_by_one(region, asking, from, to)).ok()
    }

    /// What the variables of a lane hold, with numbers in place of registers.
    fn by_arguments(&self, lane: &Lane, passed: &mut Passed) -> Option<Vec<Store>> {
        let mut pass = |reg: Reg| match self.function.builder.constant_of(reg) {
            Some(value) => {
                passed.constants.push(value);
                Reg::MAX - (passed.constants.len() as Reg - 1)
            }
            None => {
                passed.args.push(reg);
                passed.args.len() as Reg - 1
            }
        };
        renamed(&lane.vars, &mut pass)
    }

    fn function_of(
        &mut self,
        region: &Rc<Region>,
        asking: &Lane,
        shared: &Shared,
    ) -> Result<Option<(FnId, u64)>, Stop> {
        let (params, question) = (shared.bits.len() as u32, &shared.question);
        let aside = self.put_aside(params);
        for (param, &bits) in (0..).zip(&shared.bits) {
            self.function.builder.bound(param, bits);
        }
        let mut unpack = |reg: Reg| match question.constants.get((Reg::MAX - reg) as usize) {
            Some(&value) => self.function.builder.constant(value),
            None => reg,
        };
        let vars = renamed(&question.vars, &mut unpack).unwrap_or_default();
        let guard = self.function.builder.constant(1);
        let mut lane = Lane { vars, guard, ..asking.clone() };
        lane.facts.clear();
        lane.origins.clear();
        lane.forget_tests();
        lane.chosen.clear();
        lane.written.clear();
        self.begins_at(&lane);
        let answer = self.searched(region, &lane, question.from, question.to);
        let builder = self.take_back(aside);
        let Ok(Condition::Truth(truth)) = answer else { return Ok(None) };
        let name = format!("check_{}", self.game.node_name(question.from));
        let function = builder.finish(name, params, vec![truth]);
        let small = size(&function.body) < MIN_SIZE || !takes_time(&function.body);
        if small || Effects::of(&function.body) != Effects::default() {
            return Ok(None);
        }
        let rounds = rounds_of(&function.body, |callee| self.shared.rounds(callee));
        if rounds > MAX_CALLED_ROUNDS {
            return Ok(None);
        }
        self.program.functions.push(function);
        Ok(Some((self.program.functions.len() as FnId - 1, rounds)))
    }

    fn put_aside(&mut self, params: u32) -> Aside {
        Aside {
            builder: std::mem::replace(&mut self.function.builder, Builder::new(params, &self.tables)),
            answers: std::mem::take(&mut self.check.answers),
            beginning: self.check.beginning.take(),
            supports: std::mem::take(&mut self.check.supports),
            sources: std::mem::take(&mut self.function.sources),
            entries: std::mem::take(&mut self.function.entries),
        }
    }

    /// Goes on with what was put aside; what was built since is returned.
    fn take_back(&mut self, aside: Aside) -> Builder {
        self.check.answers = aside.answers;
        self.check.beginning = aside.beginning;
        self.check.supports = aside.supports;
        self.function.sources = aside.sources;
        self.function.entries = aside.entries;
        std::mem::replace(&mut self.function.builder, aside.builder)
    }
}

/// Variables with other registers; `None` if an assignment or a value depends on a choice that is open.
fn renamed(vars: &[Store], name: &mut impl FnMut(Reg) -> Reg) -> Option<Vec<Store>> {
    let mut result = Vec::with_capacity(vars.len());
    for store in vars {
        let mut value = |value: &Val| match value {
            Val::Const(value) => Some(Val::Const(*value)),
            Val::Reg(reg) => Some(Val::Reg(name(*reg))),
            Val::Gen(_) => None,
        };
        result.push(match store {
            Store::Dead => Store::Dead,
            Store::Scalar(single) => Store::Scalar(value(single)?),
            Store::Cells(cells) => Store::Cells(cells.iter().map(value).collect::<Option<_>>()?),
            Store::Sets(sets) if sets.pending.is_empty() => {
                let set = |set: &Set| set.iter().map(|&word| name(word)).collect();
                Store::Sets(Sets { of: sets.of.iter().map(set).collect(), pending: Rc::from([]) })
            }
            Store::Sets(_) => return None,
        });
    }
    Some(result)
}
