//! The one table of all passes. Command line, help, documentation, dumps, tests and benchmarks are made from it.

use crate::pass::Pass;
use crate::transform;

/// All passes, in the order in which a round of the pipeline runs them: cheap passes that shrink the automaton first.
/// Variables are merged before checks come to walk the rules, since what the rules need, though not the check, counts as
/// needed where such a check is made.
#[rustfmt::skip] // a pass to a line
static PASSES: &[&dyn Pass] = &[
    &transform::Prune,
    &transform::Skips,
    &transform::SelfLoops,
    &transform::SelfAssignments,
    &transform::SelfComparisons,
    &transform::CheckTags,
    &transform::DecidedChecks,
    &transform::Parallel,
    &transform::Complementary,
    &transform::Majority,
    &transform::CheckEnds,
    &transform::CheckInlining,
    &transform::LastChecks,
    &transform::KnownValues,
    &transform::ValueSets,
    &transform::SplitMaps,
    &transform::DeadStores,
    &transform::NarrowKeys,
    &transform::CheckParameters,
    &transform::InlineMaps,
    &transform::Rounds,
    &transform::FirstRounds,
    &transform::Inline,
    &transform::Forward,
    &transform::Compose,
    &transform::EqualChecks,
    &transform::CommonTails,
    &transform::CommonConditions,
    &transform::CommonHeads,
    &transform::Unused,
    &transform::MergeVariables,
    &transform::SharedChecks,
    &transform::SharedParts,
    &transform::NarrowTypes,
    &transform::DropArtificialTags,
    &transform::DropRedundantTags,
    &transform::BuiltIns,
    &transform::TypeForm,
    &transform::ConstantForm,
    &transform::ExpandAny,
    &transform::ExpandTags,
    &transform::ExplicitCasts,
    &transform::INFER_DISJOINT,
    &transform::INFER_ITERATOR,
    &transform::INFER_UNIQUE,
    &transform::INFER_SIMPLE_APPLY,
    &transform::INFER_TAG_INDEX,
    &transform::INFER_INTEGER,
    &transform::Mangle,
];

/// All passes in their order.
pub fn registry() -> &'static [&'static dyn Pass] {
    PASSES
}

/// The pass of that name.
pub fn find(name: &str) -> Option<&'static dyn Pass> {
    PASSES.iter().copied().find(|pass| pass.name() == name)
}

/// The names of all passes.
pub fn names() -> impl Iterator<Item = &'static str> {
    PASSES.iter().map(|pass| pass.name())
}
