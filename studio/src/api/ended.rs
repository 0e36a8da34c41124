//! Why a game has ended behind its last move.

use super::Failure;
use super::games::{Part, Placer, Version};
use super::unlawful::{self, Answer, Reason};
use super::walk::STEPS;
use backend::why::{self, Crossed, Route};
use backend::{State, Turn};
use kit::draw::Drawer;
use kit::runner::Runner;
use rg_ir::Label;
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// Lines of the rules that are shown as the reason why a game has ended, at most.
const LINES: usize = 8;

/// Edges before the end at most among which these lines are looked for.
const EDGES: usize = 10_000;

/// Things at most that are told of what a line found: a loop may find something else each time.
const FOUND: usize = 8;

/// Why a game has ended.
#[derive(Default, Serialize)]
pub(crate) struct Ended {
    /// That somebody has no move, and what comes nearest to one, if the game has ended by that.
    unable: Option<Answer>,
    /// The last lines of the rules before the end, with what they found or wrote.
    lines: Vec<Reason>,
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

/// Why the game has ended behind a move by tags from one state to another; nothing where it has not.
///
/// # Errors
/// The search for it goes wrong.
pub(super) fn ended(
    version: &Version,
    (runner, drawer): (&Runner, &Drawer<'_>),
    (before, behind): (&State, &State),
    (tags, stop): (&[&str], &AtomicBool),
) -> Result<Ended, Failure> {
    if runner.reasoner.turn(behind) != Turn::End {
        return Ok(Ended::default());
    }
    let game = &runner.loaded.game;
    let (from, to) = (runner.reasoner.image(before), runner.reasoner.image(behind));
    let failed = |error| version.failure(*runner.failure(&error));
    let route = why::route(game, (&from, &to), tags, STEPS).map_err(failed)?.unwrap_or_default();
    let unable = why::unable(game, (&from, &to), tags, STEPS).map_err(failed)?;
    let sources = version.sources();
    let told = unable.map(|unable| ::why::unable(&sources, (runner, drawer, behind), &unable, stop));
    let told = told.transpose().map_err(failed)?;
    Ok(Ended { unable: told.map(|told| unlawful::answer(version, told)), lines: lines(version, runner, &route) })
}

/// The last lines of the rules before the end, in their order, each once: where the walk is there last. Linear in the text and in the edges that are looked at.
fn lines(version: &Version, runner: &Runner, route: &Route) -> Vec<Reason> {
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
