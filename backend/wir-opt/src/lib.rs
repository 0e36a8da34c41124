//! Cheap passes on functions: constants, common subexpressions, dead code, code that a loop need not repeat, and
//! control flow that decides nothing.

mod arms;
mod build;
mod choices;
mod closed;
mod composed;
mod cuts;
mod demanded;
mod disjoint;
mod emission;
mod entries;
mod evaluated;
mod facts;
mod fold;
pub mod gather;
mod hoist_exits;
mod lazy;
mod loop_cse;
mod loops;
mod merge_arms;
mod nested;
mod order;
mod returned;
mod sink;
mod spans;
mod sweep;
mod tables;
mod tabulate;
mod truth;
mod unions;
mod within;

pub use tables::drop_unused_tables;

use rg_ir::cancel;
use rg_ir::invariant::put;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use wir::calls::called;
use wir::uses::inner_mut;
use wir::verify::{verify_function, verify_rules};
use wir::{Block, FnId, Function, Inst, Program};

/// How often the passes run at most: at first, and with those that move code.
const ROUNDS: [usize; 2] = [4, 4];

/// Stack of the threads that simplify: functions are nested, and so are the calls that write them anew.
const STACK: usize = 16 << 20;

/// Simplifies all functions of a program that keeps the rules ([`wir::verify`]); it keeps them, and does the same.
///
/// A loop without effects whose results nobody reads goes away even if it would never have ended. Functions that others
/// call lose the parameters that they do not need. There are as many threads at work as there is room for.
///
/// Builds for development verify the program after every stage.
pub fn simplify(program: &mut Program) {
    kept(program, "lowering");
    let all: Vec<usize> = (0..program.functions.len()).collect();
    each(program, &all, settled);
    kept(program, "settling");
    let closed = changed(program, closed::close);
    kept(program, "closing loops");
    each(program, &closed, settled);
    each(program, &all, moved);
    kept(program, "moving code");
    let united = changed(program, merge_arms::unite);
    kept(program, "merging equal arms");
    each(program, &united, simpler);
    for (stage, change) in [("spans", spans::span as fn(&mut Program) -> Vec<FnId>), ("tabulating", tabulate::tabulate)]
    {
        let changed: Vec<usize> = change(program).into_iter().map(|id| id as usize).collect();
        kept(program, stage);
        each(program, &changed, simpler);
    }
    let cut: Vec<usize> = all.into_iter().filter(|&id| cuts::unite(program, id)).collect();
    kept(program, "uniting cuts");
    each(program, &cut, simpler);
    composed::compose(program);
    kept(program, "composing tables");
    within::together(program);
    kept(program, "joining row tests");
    program.functions.iter_mut().for_each(nested::join);
    kept(program, "joining nested choices");
    drop_parameters(program);
    kept(program, "dropping parameters");
    program.functions.iter_mut().for_each(order::order);
    kept(program, "ordering");
}

/// Takes away the parameters that functions do not need, and what they were computed from where they are called.
fn drop_parameters(program: &mut Program) {
    let called: BTreeSet<FnId> = program.functions.iter().flat_map(|function| called(&function.body)).collect();
    let mut left: FxHashMap<FnId, Vec<bool>> = FxHashMap::default();
    for (id, function) in (0..).zip(&mut program.functions) {
        // It calls earlier ones only.
        if drop_arguments(&mut function.body, &left) {
            *function = sweep::sweep(function);
        }
        if called.contains(&id) {
            let (swept, kept) = sweep::sweep_parameters(function);
            *function = swept;
            left.insert(id, kept);
        }
    }
}

/// Checks in builds for development that a stage has kept the rules of [`wir`].
fn kept(program: &Program, stage: &str) {
    if cfg!(debug_assertions) {
        let broken = verify_rules(program).err();
        debug_assert!(broken.is_none(), "after the stage `{stage}`: {}", broken.unwrap_or_default());
    }
}

/// As [`kept`], for a pass on one function of a program; returns it.
fn keeping(program: &Program, pass: &str, function: Function) -> Function {
    if cfg!(debug_assertions) {
        let broken = verify_function(program, &function).err();
        debug_assert!(broken.is_none(), "after the pass `{pass}`: {}", broken.unwrap_or_default());
    }
    function
}

/// The functions that something changes, one after the other.
fn changed(program: &mut Program, change: fn(&mut Program, &mut Function) -> bool) -> Vec<usize> {
    let mut functions = std::mem::take(&mut program.functions);
    let changed = functions.iter_mut().enumerate().filter_map(|(id, function)| change(program, function).then_some(id));
    let changed = changed.collect();
    program.functions = functions;
    changed
}

/// Changes some functions of a program: each is done by whichever thread is free.
fn each(program: &mut Program, ids: &[usize], change: fn(&Program, &Function) -> Function) {
    let (next, whole) = (AtomicUsize::new(0), &*program);
    let work = || {
        let mut done = Vec::new();
        loop {
            cancel::check();
            let Some(&id) = ids.get(next.fetch_add(1, Ordering::Relaxed)) else { return done };
            done.extend(whole.functions.get(id).map(|function| (id, change(whole, function))));
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
        put(&mut program.functions, id, function, "a function that was changed has a place");
    }
}

/// Takes the arguments of calls away for which there are no parameters any more, and says whether there were any.
fn drop_arguments(block: &mut Block, left: &FxHashMap<FnId, Vec<bool>>) -> bool {
    let mut dropped = false;
    for inst in &mut block.insts {
        if let Inst::Call { function, args, .. } = inst
            && let Some(left) = left.get(function)
        {
            let (mut left, before) = (left.iter(), args.len());
            args.retain(|_| left.next() != Some(&false));
            dropped |= args.len() < before;
        }
        inner_mut(inst).for_each(|block| dropped |= drop_arguments(block, left));
    }
    dropped
}

/// A function that was changed, with everything as simple as it can be.
fn simpler(program: &Program, function: &Function) -> Function {
    moved(program, &settled(program, function))
}

/// A function with everything as simple as it can be where it stands.
fn settled(program: &Program, function: &Function) -> Function {
    repeated(program, &sweep::sweep(function), ROUNDS[0], Function::clone)
}

/// A function that is as simple as it can be where it stands, with code moved to where it is cheaper.
fn moved(program: &Program, function: &Function) -> Function {
    let shared = keeping(program, "loop-cse", loop_cse::share(function));
    repeated(program, &shared, ROUNDS[1], |function| {
        let mut before = keeping(program, "lazy", lazy::split(function));
        hoist_exits::hoist(&mut before.body);
        let mut filled = keeping(program, "arms", arms::fill(program, &keeping(program, "hoist-exits", before)));
        sink::sink(&mut filled.body);
        keeping(program, "sink", filled)
    })
}

/// A function after some rounds, or as many as change it.
fn repeated(
    program: &Program,
    function: &Function,
    rounds: usize,
    prepare: impl Fn(&Function) -> Function,
) -> Function {
    let mut best = function.clone();
    for _ in 0..rounds {
        cancel::check();
        let built = keeping(program, "build", build::build(program, &prepare(&best)));
        let next = keeping(program, "sweep", sweep::sweep(&built));
        if next == best {
            break;
        }
        best = next;
    }
    best
}
