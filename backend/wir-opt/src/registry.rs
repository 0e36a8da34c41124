//! The one table of all passes. Command line, documentation, dumps and tests are made from it.

use super::pass::{Pass, Run};
use super::{
    compose_tables, dce, difference_cse, gather_tables, gvn, hoist_exits, if_conversion, jump_threading, loop_cse,
    loop_idioms, merge_arms, parameters, reassociate, short_circuit, sink, tables, unroll, window_tables,
    within_tables,
};
use wir::{FnId, Function, Program};

macro_rules! passes {
    ($($constant:ident $name:literal $summary:literal $run:expr;)*) => {
        $(pub(super) static $constant: Pass = Pass { name: $name, summary: $summary, run: $run };)*
        static PASSES: &[&Pass] = &[$(&$constant),*];
    };
}

passes! {
    LOOP_UNROLLING "loop-unrolling" "write the body of a loop of a search as often as it runs, where that is known"
        Run::Program(unroll::unroll);
    GVN "gvn" "number values: fold constants, compute equal values once, and move out of loops what they do not change"
        Run::Function(gvn::build);
    DCE "dce" "remove operations that nothing reads, and number registers in order"
        Run::Function(|_, function| dce::sweep(function));
    LOOP_IDIOMS "loop-idioms" "replace loops that follow a line of tables by a scan of a mask"
        Run::Program(|program| each(program, loop_idioms::close));
    LOOP_CSE "loop-cse" "compute a loop once where an earlier one had the same values, which may take a comparison"
        Run::Function(|_, function| loop_cse::share(function));
    SHORT_CIRCUIT "short-circuit" "test a large union in two halves, the second one only if the first is empty"
        Run::Function(|_, function| short_circuit::split(function));
    HOIST_EXITS "hoist-exits" "move side exits before branches and loops that they do not depend on"
        Run::InPlace(|function| hoist_exits::hoist(&mut function.body));
    JUMP_THREADING "jump-threading" "move what follows a branch, and is known after one of its arms, into the other arm"
        Run::Function(jump_threading::fill);
    SINK "sink" "move operations into the only arm of a branch that reads their results"
        Run::InPlace(sink::sink);
    MERGE_ARMS "merge-arms" "make one arm of those that differ in numbers only, which become entries of tables"
        Run::Program(|program| each(program, merge_arms::unite));
    WINDOW_TABLES "window-tables" "compute functions of an index and a few neighbouring bits by a table"
        Run::Program(window_tables::span);
    GATHER_TABLES "gather-tables" "compute functions of an index and a few scattered bits by a table"
        Run::Program(gather_tables::tabulate);
    DIFFERENCE_CSE "difference-cse" "merge differences with the same set that are equal where both are needed"
        Run::Program(difference_cse::unite_all);
    COMPOSE_TABLES "compose-tables" "make one table of tables that are read one after the other"
        Run::Program(compose_tables::compose);
    WITHIN_TABLES "within-tables" "test several entries of tables for being parts of a set at once"
        Run::Program(within_tables::together);
    IF_CONVERSION "if-conversion" "make one branch of two nested ones that lead to the same results"
        Run::InPlace(if_conversion::join);
    DROP_PARAMETERS "drop-parameters" "remove parameters that functions do not need"
        Run::Program(parameters::drop);
    REASSOCIATE "reassociate" "compute first what does not depend on the arguments of a function"
        Run::InPlace(reassociate::order);
    DROP_TABLES "drop-tables" "remove tables that no function reads, and number the others anew"
        Run::Program(tables::drop_unused);
}

/// All passes, in the order in which they first run.
pub fn registry() -> &'static [&'static Pass] {
    PASSES
}

/// The pass of that name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().copied().find(|pass| pass.name == name)
}

/// Changes the functions of a program one after the other; those that were.
fn each(program: &mut Program, change: fn(&mut Program, &mut Function) -> bool) -> Vec<FnId> {
    let mut functions = std::mem::take(&mut program.functions);
    let changed = (0..).zip(&mut functions).filter_map(|(id, function)| change(program, function).then_some(id));
    let changed = changed.collect();
    program.functions = functions;
    changed
}
