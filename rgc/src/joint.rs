//! Games of joint moves (GDL): counting and tracing steps, in each of which all roles move at once.
//!
//! Definitions are those of section 10 of the specification of GDL.

use crate::record::digest;
use crate::runner::Runner;
use crate::scores::Scores;
use crate::session::{Failure, Session, finding};
use backend::{Error, Moves, State};
use rg_ir::{JointMoves, Part};
use serde::Serialize;
use std::io::Write as _;

/// Traces stop after so many steps.
const MAX_STEPS: u64 = 300;

/// A game that is played in steps.
pub(crate) struct Steps<'a> {
    runner: &'a Runner,
    joint: &'a dyn JointMoves,
}

/// The first line of a trace.
#[derive(Serialize)]
struct Start<'a> {
    roles: Vec<&'a str>,
    /// Hash of the state.
    state: String,
}

/// A line of a trace.
#[derive(Serialize)]
struct Step<'a> {
    step: u64,
    /// Number of legal moves of every role before the step.
    legal: &'a [usize],
    /// The moves of all roles.
    moves: &'a [String],
    /// Hash of the state after the step.
    state: &'a str,
}

/// The last line of a trace.
#[derive(Serialize)]
struct End<'a> {
    /// Number of steps.
    steps: u64,
    status: String,
    /// Hash of the hashes of the states after all steps.
    hash: String,
    /// Numbers of legal moves of all steps.
    counts: String,
    /// The scores of all roles at the end of a play.
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<String>,
    /// Those of the players, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Scores<'a>>,
}

/// What a step came to.
struct Made {
    /// Number of legal moves of every role, up to one that has none.
    legal: Vec<usize>,
    /// The moves of the roles; fewer than there are roles if one of them cannot move.
    moves: Vec<String>,
}

impl<'a> Steps<'a> {
    /// The steps of a game.
    ///
    /// Error: its language has no joint moves (`IO322`).
    pub(crate) fn of(runner: &'a Runner) -> Result<Self, Failure> {
        let title = runner.loaded.language.title;
        let none = || finding("IO322", format!("a game in {title} has no joint moves")).help("leave out `--joint`");
        runner.loaded.notation.joint().map(|joint| Self { runner, joint }).ok_or_else(|| none().into())
    }

    /// Number of sequences of so many joint moves. Unlike [`backend::Reasoner::perft`], moves of chance that lead to the
    /// same state count each.
    pub(crate) fn perft(&self, state: &State, depth: u32) -> Result<u64, Error> {
        let plies = self.joint.plies().saturating_mul(depth);
        if self.joint.roles().contains(&"random") {
            self.count(state, plies)
        } else {
            self.runner.reasoner.perft(state, plies)
        }
    }

    fn count(&self, state: &State, plies: u32) -> Result<u64, Error> {
        let reasoner = &self.runner.reasoner;
        if plies == 0 {
            return Ok(1);
        }
        if reasoner.is_terminal(state) {
            return Ok(0);
        }
        let mut moves = Moves::new();
        reasoner.legal_moves(state, &mut moves)?;
        if plies == 1 {
            return Ok(moves.len() as u64);
        }
        let mut sum = 0_u64;
        for index in 0..moves.len() {
            let mut next = state.clone();
            reasoner.apply(&mut next, &moves, index)?;
            sum = sum.saturating_add(self.count(&next, plies - 1)?);
        }
        Ok(sum)
    }

    /// Plays one game with itself, as JSON lines: in step k the role with number i plays the move with number
    /// (7k + 3i + seed) mod n of its n legal moves in bytewise order.
    pub(crate) fn trace(&self, session: &mut Session, seed: u64, max_steps: u64) -> Result<(), Failure> {
        let reasoner = &self.runner.reasoner;
        let mut state = self.runner.initial()?;
        let roles = self.joint.roles();
        line(session, &Start { roles: roles.clone(), state: digest(self.text(&state).as_bytes()) })?;
        let (mut hashes, mut counts): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let (mut play, mut steps) = (Vec::new(), 0);
        let limit = max_steps.min(MAX_STEPS);
        let status = loop {
            if reasoner.is_terminal(&state) {
                break "terminal".to_owned();
            }
            if steps == limit {
                break format!("steps{limit}");
            }
            let made = self.step(&mut state, steps, seed, &mut play)?;
            let count: Vec<String> = made.legal.iter().map(usize::to_string).collect();
            if made.moves.len() < roles.len() {
                break format!("noplay({})", count.join(":"));
            }
            let text = digest(self.text(&state).as_bytes());
            line(session, &Step { step: steps, legal: &made.legal, moves: &made.moves, state: &text })?;
            counts.push(count.join(":"));
            hashes.push(text);
            steps += 1;
        };
        let over = reasoner.is_terminal(&state);
        let goals = over.then(|| self.joint.goals(&reasoner.view(&state)).join(" "));
        let scores = over.then(|| Scores::of(self.runner, &state));
        line(
            session,
            &End { steps, status, hash: digest(hashes.join("\n").as_bytes()), counts: counts.join(","), goals, scores },
        )
    }

    fn text(&self, state: &State) -> String {
        self.joint.state_text(&self.runner.reasoner.view(state))
    }

    /// Makes one step, unless a role cannot move.
    fn step(&self, state: &mut State, number: u64, seed: u64, play: &mut Vec<String>) -> Result<Made, Failure> {
        let reasoner = &self.runner.reasoner;
        let mut made = Made { legal: Vec::new(), moves: Vec::new() };
        let parts = self.joint.step(&reasoner.view(state));
        for (role, part) in parts.into_iter().enumerate() {
            let Part::Forced(only) = part else {
                let mut moves = Moves::new();
                if !reasoner.is_terminal(state) {
                    let found = reasoner.legal_moves(state, &mut moves);
                    found.map_err(|error| self.runner.failure_after(error, play.clone()))?;
                }
                let listed = self.runner.listed(&moves);
                made.legal.push(listed.len());
                let choice = crate::commands::choice(number, role, seed, listed.len());
                let Some((text, index)) = listed.into_iter().nth(choice) else { return Ok(made) };
                play.push(reasoner.move_text(&moves, index));
                let applied = reasoner.apply(state, &moves, index);
                applied.map_err(|error| self.runner.failure_after(error, play.clone()))?;
                made.moves.push(text);
                continue;
            };
            made.legal.push(1);
            made.moves.push(only.to_owned());
        }
        Ok(made)
    }
}

fn line(session: &mut Session, value: &impl Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(value).map_err(std::io::Error::from)?;
    Ok(writeln!(session.out(), "{line}")?)
}
