//! What the last move crosses in the automaton, and why the game has ended behind it.

use super::Failure;
use super::games::{Part, Placer, Version};
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

/// Edges before the end at most among which these lines are looked for.
const EDGES: usize = 10_000;

/// Things at most that are told of what a line found: a loop may find something else each time.
const FOUND: usize = 8;

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

/// A line of the rules, with what it found, the last first.
struct Line {
    part: Part,
    found: Vec<String>,
}

impl Line {
    /// Adds an edge that was crossed earlier, and its part of the line.
    fn add(&mut self, runner: &Runner, part: Part, crossed: &Crossed) {
        (self.part.from, self.part.to) = (self.part.from.min(part.from), self.part.to.max(part.to));
        if self.found.len() == FOUND {
            return;
        }
        for read in ::why::reads(runner, &crossed.reads).into_iter().rev() {
            if self.found.len() < FOUND && !self.found.contains(&read) {
                self.found.push(read);
            }
        }
    }

    /// The line with what it found, in the order in which it did.
    fn told(mut self, placer: &Placer<'_>) -> Reason {
        self.found.reverse();
        let found = Some(self.found.join(", ")).filter(|found| !found.is_empty());
        Reason { found, ..placer.reason(self.part) }
    }
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
    let ended = match runner.reasoner.turn(behind) {
        Turn::End => ended(version, runner, &route),
        Turn::Player(_) | Turn::Random => Vec::new(),
    };
    Ok(Walk { made: steps(&route.made), answers: steps(&route.answers), ended })
}

/// The last lines of the rules before the end, in their order, each once: where the walk is there last. Linear in the text and in the edges that are looked at.
fn ended(version: &Version, runner: &Runner, route: &why::Route) -> Vec<Reason> {
    let (game, placer) = (&runner.loaded.game, version.placer());
    let mut lines: Vec<Line> = Vec::new();
    for crossed in route.made.iter().chain(&route.answers).rev().take(EDGES) {
        let edge = game.automaton.edge(crossed.edge);
        let does = match edge.label {
            Label::Compare { .. } | Label::Reach { .. } => true,
            Label::Assign { .. } | Label::AssignAny { .. } => !game.ends_move(&edge.label),
            Label::Skip | Label::Tag(_) | Label::TagVar(_) => false,
        };
        let Some(part) = placer.part(edge.span).filter(|_| does) else { continue };
        if let Some(known) = lines.iter_mut().find(|known| known.part.line == part.line) {
            known.add(runner, part, crossed);
        } else if lines.len() == LINES {
            break;
        } else {
            let mut line = Line { part, found: Vec::new() };
            line.add(runner, part, crossed);
            lines.push(line);
        }
    }
    lines.into_iter().rev().map(|line| line.told(&placer)).collect()
}
