//! What the last move crosses in the automaton.

use super::Failure;
use super::games::Version;
use backend::State;
use backend::why::{self, Crossed};
use kit::runner::Runner;
use serde::Serialize;

/// Steps of a search for what a move crosses, at most.
pub(super) const STEPS: usize = 200_000;

/// An edge, by the names of its nodes.
type Step = (String, String);

/// What a move crosses.
#[derive(Default, Serialize)]
pub(crate) struct Walk {
    /// The move itself.
    made: Vec<Step>,
    /// What the keeper does behind it.
    answers: Vec<Step>,
}

/// What a move by tags crosses from one state to another.
///
/// # Errors
/// The search for it goes wrong.
pub(super) fn walk(
    version: &Version,
    runner: &Runner,
    (before, behind): (&State, &State),
    tags: &[&str],
) -> Result<Walk, Failure> {
    let game = &runner.loaded.game;
    let (from, to) = (runner.reasoner.image(before), runner.reasoner.image(behind));
    let route = why::route(game, (&from, &to), tags, STEPS);
    let route = route.map_err(|error| version.failure(*runner.failure(&error)))?.unwrap_or_default();
    let name = |node| game.node_name(node).to_owned();
    let step = |crossed: &Crossed| game.automaton.edge(crossed.edge);
    let steps = |all: &[Crossed]| all.iter().map(step).map(|edge| (name(edge.source), name(edge.target))).collect();
    Ok(Walk { made: steps(&route.made), answers: steps(&route.answers) })
}
