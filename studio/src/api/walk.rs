//! What the last move crosses in the automaton, and why the game has ended behind it.

use super::Failure;
use super::games::Version;
use super::unlawful::Reason;
use backend::why::{self, Crossed};
use backend::{State, Turn};
use kit::runner::Runner;
use rg_ir::Label;
use serde::Serialize;

/// Steps of a search for what a move crosses, at most.
const STEPS: usize = 200_000;

/// Lines of the rules that are shown as the reason why a game has ended, at most.
const LINES: usize = 8;

/// An edge, by the names of its nodes.
type Step = (String, String);

/// What a move crosses.
#[derive(Default, Serialize)]
pub(crate) struct Walk {
    /// The move itself.
    made: Vec<Step>,
    /// What the keeper does behind it.
    answers: Vec<Step>,
    /// If the game has ended: the last lines of the rules before the end, with what they found or wrote.
    ended: Vec<Reason>,
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
    let route = why::route(game, &runner.reasoner.image(before), tags, STEPS);
    let route = route.map_err(|error| version.failure(*runner.failure(&error)))?.unwrap_or_default();
    let name = |node| game.node_name(node).to_owned();
    let step = |crossed: &Crossed| game.automaton.edge(crossed.edge);
    let steps = |all: &[Crossed]| all.iter().map(step).map(|edge| (name(edge.source), name(edge.target))).collect();
    let ended = match runner.reasoner.turn(behind) {
        Turn::End => ended(version, runner, &route),
        Turn::Player(_) | Turn::Random => Vec::new(),
    };
    Ok(Walk { made: steps(&route.made), answers: steps(&route.answers), ended })
}

/// The last lines of the rules before the end, in their order, each once: where the walk is there last.
fn ended(version: &Version, runner: &Runner, route: &why::Route) -> Vec<Reason> {
    let (game, place) = (&runner.loaded.game, version.placer());
    let mut lines: Vec<Reason> = Vec::new();
    for crossed in route.made.iter().chain(&route.answers).rev() {
        let edge = game.automaton.edge(crossed.edge);
        let does = match edge.label {
            Label::Compare { .. } | Label::Reach { .. } => true,
            Label::Assign { .. } | Label::AssignAny { .. } => !game.ends_move(&edge.label),
            Label::Skip | Label::Tag(_) | Label::TagVar(_) => false,
        };
        let Some(mut reason) = place(edge.span).filter(|_| does) else { continue };
        reason.found = Some(::why::reads(runner, &crossed.reads).join(", ")).filter(|found| !found.is_empty());
        if let Some(known) = lines.iter_mut().find(|known| known.line == reason.line) {
            known.add(reason);
        } else if lines.len() == LINES {
            break;
        } else {
            lines.push(reason);
        }
    }
    lines.reverse();
    lines
}
