//! The order of the passes, and who runs them: function passes on several threads, or one after the other with an observer.

use super::pass::{Change, Observer, Pass, Run};
use super::registry::{
    COMPOSE_TABLES, DCE, DIFFERENCE_CSE, DROP_PARAMETERS, DROP_TABLES, GATHER_TABLES, GVN, HOIST_EXITS, IF_CONVERSION,
    JUMP_THREADING, LOOP_CSE, LOOP_IDIOMS, LOOP_UNROLLING, MERGE_ARMS, REASSOCIATE, SHORT_CIRCUIT, SINK, WINDOW_TABLES,
    WITHIN_TABLES,
};
use rg_ir::cancel;
use rg_ir::invariant::put;
use std::borrow::Cow;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use wir::effects::Effects;
use wir::verify::{verify_function, verify_rules};
use wir::{Block, FnId, Function, Inst, Op, Program, Reg};

/// Stack of the threads that run passes: functions are nested, and so are the calls that write them anew.
const STACK: usize = 16 << 20;

/// How often passes are repeated at most.
const ROUNDS: usize = 4;

/// Instructions from which on a function is large: its rounds of passes end with the first that removes less than 1 / `LEAST_GAIN` of it.
const LARGE: usize = 10_000;
/// See [`LARGE`].
const LEAST_GAIN: usize = 50;

/// Passes on programs that work on searches, too, or have to know what these read.
const SEES_SEARCHES: [&str; 3] = [LOOP_UNROLLING.name, DROP_PARAMETERS.name, DROP_TABLES.name];

/// What is done with a function.
enum Step {
    /// A pass.
    Once(&'static Pass),
    /// Passes in this order, again until they change nothing, [`ROUNDS`] times at most.
    Repeat(&'static [&'static Pass]),
}

/// Simpler code where it stands.
static SIMPLIFY: &[Step] = &[Step::Once(&DCE), Step::Repeat(&[&GVN, &DCE])];

/// Code where it is cheapest.
static MOVE: &[Step] =
    &[Step::Once(&LOOP_CSE), Step::Repeat(&[&SHORT_CIRCUIT, &HOIST_EXITS, &JUMP_THREADING, &SINK, &GVN, &DCE])];

/// A part of the pipeline.
struct Stage {
    /// The pass that begins it.
    pass: Option<&'static Pass>,
    /// What is done then with each function that it hands on, or with all if there is none.
    then: &'static [&'static [Step]],
}

impl Stage {
    const fn functions(then: &'static [&'static [Step]]) -> Self {
        Self { pass: None, then }
    }

    const fn of(pass: &'static Pass, then: &'static [&'static [Step]]) -> Self {
        Self { pass: Some(pass), then }
    }
}

static PIPELINE: &[Stage] = &[
    Stage::of(&LOOP_UNROLLING, &[]),
    Stage::functions(&[SIMPLIFY]),
    Stage::of(&LOOP_IDIOMS, &[SIMPLIFY]),
    Stage::functions(&[MOVE]),
    Stage::of(&MERGE_ARMS, &[SIMPLIFY, MOVE]),
    Stage::of(&WINDOW_TABLES, &[SIMPLIFY, MOVE]),
    Stage::of(&GATHER_TABLES, &[SIMPLIFY, MOVE]),
    Stage::of(&DIFFERENCE_CSE, &[SIMPLIFY, MOVE]),
    Stage::of(&COMPOSE_TABLES, &[]),
    Stage::of(&WITHIN_TABLES, &[]),
    Stage::of(&IF_CONVERSION, &[]),
    Stage::of(&DROP_PARAMETERS, &[]),
    Stage::of(&REASSOCIATE, &[]),
    Stage::of(&DROP_TABLES, &[]),
];

/// Runs all passes on a program that keeps the rules ([`wir::verify`]); it keeps them, and does the same. Near-linear in the
/// instructions, with a bounded number of rounds.
///
/// A loop without effects whose results nobody reads goes away even if it would never have ended. Functions that others
/// call lose the parameters that they do not need. There are as many threads at work as there is room for.
///
/// Builds for development verify the program after every pass.
pub fn optimise(program: &mut Program) {
    kept(program, "lowering");
    for stage in PIPELINE {
        let ids = match stage.pass {
            None => all(program),
            Some(pass) => run_pass(program, pass, None),
        };
        if !stage.then.is_empty() {
            on_threads(program, &ids, |whole, function| steps(whole, function, stage.then, None));
        }
    }
}

/// As [`optimise`], on this thread alone, function by function: the observer sees every change. The result is the same.
pub fn optimise_observed(program: &mut Program, observer: &mut dyn Observer) {
    kept(program, "lowering");
    for stage in PIPELINE {
        let ids = match stage.pass {
            None => all(program),
            Some(pass) => run_pass(program, pass, Some(&mut *observer)),
        };
        if stage.then.is_empty() {
            continue;
        }
        let whole = program.clone();
        for id in ids {
            cancel::check();
            let Some(function) = program.functions.get_mut(id as usize) else { continue };
            if let Some(changed) = steps(&whole, function, stage.then, Some(&mut *observer)) {
                *function = changed;
            }
        }
    }
}

/// Runs some passes in this order, each on all functions. The observer sees every change.
pub fn run(program: &mut Program, passes: &[&'static Pass], observer: &mut dyn Observer) {
    for pass in passes {
        run_pass(program, pass, Some(&mut *observer));
    }
}

fn all(program: &Program) -> Vec<FnId> {
    (0..program.functions.len() as FnId).collect()
}

/// Runs a pass on a whole program; the functions that other passes should go on with.
fn run_pass(program: &mut Program, pass: &'static Pass, observer: Option<&mut dyn Observer>) -> Vec<FnId> {
    let before = observer.is_some().then(|| program.functions.clone());
    let changed = match pass.run {
        Run::Program(run) => {
            let searches = if SEES_SEARCHES.contains(&pass.name) { Vec::new() } else { without_searches(program) };
            let changed = run(program);
            for (id, function) in searches {
                put(&mut program.functions, id, function, "a function that was set aside has a place");
            }
            changed
        }
        Run::Function(_) | Run::InPlace(_) => {
            let ids = all(program);
            on_threads(program, &ids, |whole, function| {
                if is_search(whole, function) {
                    return None;
                }
                let (after, changed) = applied(whole, Cow::Borrowed(function), pass);
                changed.then(|| after.into_owned())
            });
            ids
        }
    };
    if let (Some(observer), Some(before)) = (observer, before) {
        let pairs = before.iter().zip(&program.functions).filter(|(before, after)| before != after);
        pairs.for_each(|(before, after)| observer.changed(&Change { pass, before, after }));
    }
    kept(program, pass.name);
    changed
}

/// A function of a program after some steps; `None` if they change nothing.
fn steps(
    whole: &Program,
    function: &Function,
    lists: &[&[Step]],
    observer: Option<&mut dyn Observer>,
) -> Option<Function> {
    if is_search(whole, function) {
        return None;
    }
    let mut course = Course { whole, changes: 0, idle: Vec::new(), observer };
    let mut function = Cow::Borrowed(function);
    for step in lists.iter().copied().flatten() {
        match step {
            Step::Once(one) => function = course.run(function, one),
            Step::Repeat(passes) => {
                for _ in 0..ROUNDS {
                    cancel::check();
                    let changes = course.changes;
                    let next = passes.iter().fold(Cow::Borrowed(&*function), |function, one| course.run(function, one));
                    if course.changes == changes || next == function {
                        break;
                    }
                    let next = next.into_owned();
                    let (before, after) = (function.size(), next.size());
                    function = Cow::Owned(next);
                    if before > LARGE && after + before / LEAST_GAIN > before {
                        break;
                    }
                }
            }
        }
    }
    (course.changes > 0).then(|| function.into_owned())
}

/// The passes that a function goes through.
struct Course<'p, 'o> {
    whole: &'p Program,
    /// How often the function has changed.
    changes: usize,
    /// Passes that have changed nothing, with what `changes` was then: as long as it is the same, they need not run again.
    idle: Vec<(&'static Pass, usize)>,
    observer: Option<&'o mut dyn Observer>,
}

impl Course<'_, '_> {
    /// The function after a pass.
    fn run<'f>(&mut self, function: Cow<'f, Function>, pass: &'static Pass) -> Cow<'f, Function> {
        if self.idle.iter().any(|&(idle, at)| std::ptr::eq(idle, pass) && at == self.changes) {
            return function;
        }
        let before = self.observer.is_some().then(|| function.clone().into_owned());
        let (function, changed) = applied(self.whole, function, pass);
        if !changed {
            self.idle.retain(|&(idle, _)| !std::ptr::eq(idle, pass));
            self.idle.push((pass, self.changes));
            return function;
        }
        self.changes += 1;
        if let (Some(observer), Some(before)) = (&mut self.observer, before)
            && before != *function
        {
            observer.changed(&Change { pass, before: &before, after: &function });
        }
        function
    }
}

/// Sets the functions that work on scratch memory aside: they are searches, as their lowering wrote them.
fn without_searches(program: &mut Program) -> Vec<(usize, Function)> {
    let mut aside = Vec::new();
    if program.scratch_words == 0 {
        return aside;
    }
    for (id, function) in program.functions.iter_mut().enumerate().filter(|(_, function)| works_on_memory(function)) {
        let yields: Vec<Reg> = (0..function.body.yields.len() as Reg).map(|at| function.params + at).collect();
        let insts = yields.iter().map(|&to| Inst::Let { to, op: Op::Const(0) }).collect();
        let registers = function.params + yields.len() as Reg;
        let empty = Function { body: Block { insts, yields }, registers, ..function.clone() };
        aside.push((id, std::mem::replace(function, empty)));
    }
    aside
}

/// Whether a function of a program is a search. Without scratch memory there are none.
fn is_search(whole: &Program, function: &Function) -> bool {
    whole.scratch_words > 0 && works_on_memory(function)
}

fn works_on_memory(function: &Function) -> bool {
    Effects::of(&function.body).memory
}

/// A function of a program after a function pass, and whether it may have changed. Searches are not given to passes.
fn applied<'f>(whole: &Program, function: Cow<'f, Function>, pass: &Pass) -> (Cow<'f, Function>, bool) {
    let (after, changed) = match pass.run {
        Run::Function(run) => {
            let after = run(whole, &function);
            if after == *function { (function, false) } else { (Cow::Owned(after), true) }
        }
        Run::InPlace(run) => {
            let mut function = function.into_owned();
            let changed = run(&mut function);
            (Cow::Owned(function), changed)
        }
        Run::Program(_) => (function, false),
    };
    if cfg!(debug_assertions) {
        let broken = verify_function(whole, &after).err();
        debug_assert!(broken.is_none(), "after the pass `{}`: {}", pass.name, broken.unwrap_or_default());
    }
    (after, changed)
}

/// Checks in builds for development that a program keeps the rules of [`wir`].
fn kept(program: &Program, pass: &str) {
    if cfg!(debug_assertions) {
        let broken = verify_rules(program).err();
        debug_assert!(broken.is_none(), "after the pass `{pass}`: {}", broken.unwrap_or_default());
    }
}

/// Changes some functions of a program, those for which there is another one: each is done by whichever thread is free.
fn on_threads(program: &mut Program, ids: &[FnId], change: impl Fn(&Program, &Function) -> Option<Function> + Sync) {
    let (next, whole) = (AtomicUsize::new(0), &*program);
    let work = || {
        let mut done = Vec::new();
        loop {
            cancel::check();
            let Some(&id) = ids.get(next.fetch_add(1, Ordering::Relaxed)) else { return done };
            let Some(function) = whole.functions.get(id as usize) else { continue };
            done.extend(change(whole, function).map(|function| (id, function)));
        }
    };
    let room = std::thread::available_parallelism().map_or(1, NonZero::get);
    let token = cancel::current();
    let work_there = || cancel::within(token.as_ref(), work);
    let done = std::thread::scope(|scope| {
        // Where there are no other threads, this one does it all.
        let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work_there).ok();
        let others: Vec<_> = (1..room.min(ids.len())).filter_map(spawn).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    for (id, function) in done {
        put(&mut program.functions, id as usize, function, "a function that was changed has a place");
    }
}
