//! Games of joint moves (GDL): counting and tracing steps, in each of which all roles move at once.
//!
//! Definitions are those of section 10 of the specification of GDL.

use crate::record::digest;
use crate::runner::Runner;
use crate::scores::Scores;
use crate::session::{Failure, Session, finding};
use crate::wellformed::{Course, misjudged, stuck};
use backend::{Error, Moves, State};
use rg_ir::{Diagnostic, JointMoves, Part, RuleBook};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write as _;

/// Traces stop after this many steps.
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
    /// What the roles see of it (GDL-II).
    #[serde(skip_serializing_if = "Option::is_none")]
    sees: Option<BTreeMap<&'a str, Vec<String>>>,
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

/// What is done with a joint move, and with the state behind it unless some role has no move there.
type Visit<'v> = dyn FnMut(&[String], Option<&State>) -> Result<(), Error> + 'v;

/// What a step came to.
struct Made {
    /// Number of legal moves of every role, up to one that has none.
    legal: Vec<usize>,
    /// The moves of the roles; fewer than there are roles if one of them cannot move.
    moves: Vec<String>,
    /// Why the engine could not go on from there, if it is that a role has no legal move.
    error: Option<Error>,
}

/// Number of sequences of plies, those of chance each; none goes on where a player has no legal move.
pub(crate) fn count_each(runner: &Runner, state: &State, plies: u32) -> Result<u64, Error> {
    let reasoner = &runner.reasoner;
    if plies == 0 {
        return Ok(1);
    }
    if reasoner.is_terminal(state) {
        return Ok(0);
    }
    let mut moves = Moves::new();
    match reasoner.legal_moves(state, &mut moves) {
        Err(error) if runner.forgives(&error) => return Ok(0),
        listed => listed?,
    }
    if plies == 1 {
        return Ok(moves.len() as u64);
    }
    let mut sum = 0_u64;
    for index in 0..moves.len() {
        let mut next = state.clone();
        match reasoner.apply(&mut next, &moves, index) {
            Err(error) if runner.forgives(&error) => continue,
            made => made?,
        }
        sum = sum.saturating_add(count_each(runner, &next, plies - 1)?);
    }
    Ok(sum)
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

    /// Number of sequences of this many joint moves. Unlike [`backend::Reasoner::perft`], moves of chance that lead to the
    /// same state count each.
    pub(crate) fn perft(&self, state: &State, depth: u32) -> Result<u64, Error> {
        let plies = self.joint.plies().saturating_mul(depth);
        if self.joint.roles().contains(&"random") {
            return self.count(state, plies);
        }
        match self.runner.reasoner.perft(state, plies) {
            Err(error) if self.runner.forgives(&error) => self.count(state, plies),
            counted => counted,
        }
    }

    /// Sequences of plies; none goes on where a role has no legal move.
    fn count(&self, state: &State, plies: u32) -> Result<u64, Error> {
        count_each(self.runner, state, plies)
    }

    /// The joint moves in a state that is not terminal, each with the number of sequences that begin with it.
    pub(crate) fn divide(&self, state: &State, depth: u32) -> Result<Vec<(String, u64)>, Error> {
        let mut shares = Vec::new();
        if depth > 0 && !self.runner.reasoner.is_terminal(state) {
            let parts = self.joint.step(&self.runner.reasoner.view(state));
            self.joint_moves(state, &parts, &mut Vec::new(), &mut |moves, next| {
                let leaves = if depth == 1 { 1 } else { next.map_or(Ok(0), |next| self.perft(next, depth - 1))? };
                shares.push((crate::wellformed::joint_text(moves), leaves));
                Ok(())
            })?;
        }
        Ok(shares)
    }

    /// Calls `visit` with every way to make the rest of a step, and the state behind it unless some role has no move there.
    fn joint_moves(
        &self,
        state: &State,
        parts: &[Part<'_>],
        made: &mut Vec<String>,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let Some((part, rest)) = parts.split_first() else { return visit(made, Some(state)) };
        if let Part::Forced(only) = part {
            made.push((*only).to_owned());
            self.joint_moves(state, rest, made, visit)?;
            made.pop();
            return Ok(());
        }
        let reasoner = &self.runner.reasoner;
        let mut moves = Moves::new();
        match reasoner.legal_moves(state, &mut moves) {
            Err(error) if self.runner.forgives(&error) => return Ok(()),
            listed => listed?,
        }
        for (text, index) in self.runner.listed(&moves) {
            let mut next = state.clone();
            made.push(text);
            match reasoner.apply(&mut next, &moves, index) {
                Ok(()) => self.joint_moves(&next, rest, made, visit)?,
                Err(error) if self.runner.forgives(&error) && !rest.contains(&Part::Ply) => {
                    let forced = rest.iter().filter_map(|part| match part {
                        Part::Forced(only) => Some((*only).to_owned()),
                        Part::Ply => None,
                    });
                    let all: Vec<String> = made.iter().cloned().chain(forced).collect();
                    visit(&all, None)?;
                }
                Err(error) => return Err(error),
            }
            made.pop();
        }
        Ok(())
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
        let mut rules = self.joint.rules();
        let mut course = Course::new(self.text(&state));
        let mut findings = Vec::new();
        let limit = max_steps.min(MAX_STEPS);
        let status = loop {
            if reasoner.is_terminal(&state) {
                break "terminal".to_owned();
            }
            if steps == limit {
                break format!("steps{limit}");
            }
            let made = self.step(&mut state, steps, seed, &mut play)?;
            let is_whole = made.moves.len() == roles.len();
            if is_whole {
                let next = match (&made.error, &mut rules) {
                    (Some(_), Some(rules)) => rules.next(course.state(), &made.moves).unwrap_or_default(),
                    _ => self.text(&state),
                };
                let hash = digest(next.as_bytes());
                let sees = sees(&mut rules, &roles, course.state(), &made.moves);
                let (legal, moves) = (&made.legal, &made.moves);
                line(session, &Step { step: steps, legal, moves, sees, state: &hash })?;
                counts.push(numbers(&made.legal));
                hashes.push(hash);
                steps += 1;
                course.add(made.moves, next);
            }
            if let Some(error) = made.error {
                let legal = rules.as_mut().and_then(|rules| rules.legal(course.state()));
                let found = legal.as_ref().and_then(|legal| stuck(self.joint, legal, &course));
                let Some((legal, finding)) = legal.zip(found) else {
                    return Err(self.runner.failure_after(error, play).into());
                };
                findings.push(finding);
                break format!("noplay({})", numbers(&legal.iter().map(Vec::len).collect::<Vec<_>>()));
            }
            if !is_whole {
                break format!("noplay({})", numbers(&made.legal));
            }
        };
        let over = status == "terminal";
        let goals = over.then(|| self.goals(&state, &mut rules, &course, &mut findings));
        let scores = over.then(|| Scores::of(self.runner, &state));
        let hash = digest(hashes.join("\n").as_bytes());
        line(session, &End { steps, status, hash, counts: counts.join(","), goals, scores })?;
        session.show(&findings);
        Ok(())
    }

    /// The goal values of all roles at the end, with the findings about them.
    fn goals(
        &self,
        state: &State,
        rules: &mut Option<Box<dyn RuleBook>>,
        course: &Course,
        findings: &mut Vec<Diagnostic>,
    ) -> String {
        let Some(goals) = rules.as_mut().and_then(|rules| rules.goals(course.state())) else {
            return self.joint.goals(&self.runner.reasoner.view(state)).join(" ");
        };
        findings.extend(misjudged(self.joint, &goals, course));
        let text = |values: &Vec<String>| if values.is_empty() { "none".to_owned() } else { values.join("|") };
        goals.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    fn text(&self, state: &State) -> String {
        self.joint.state_text(&self.runner.reasoner.view(state))
    }

    /// Makes one step, as far as roles can move.
    fn step(&self, state: &mut State, number: u64, seed: u64, play: &mut Vec<String>) -> Result<Made, Failure> {
        let reasoner = &self.runner.reasoner;
        let mut made = Made { legal: Vec::new(), moves: Vec::new(), error: None };
        let parts = self.joint.step(&reasoner.view(state));
        for (role, part) in parts.into_iter().enumerate() {
            let Part::Forced(only) = part else {
                if made.error.is_some() {
                    return Ok(made);
                }
                let mut moves = Moves::new();
                if !reasoner.is_terminal(state)
                    && let Err(error) = reasoner.legal_moves(state, &mut moves)
                {
                    return self.broken(made, error, play);
                }
                let listed = self.runner.listed(&moves);
                made.legal.push(listed.len());
                let choice = crate::commands::choice(number, role, seed, listed.len());
                let Some((text, index)) = listed.into_iter().nth(choice) else { return Ok(made) };
                play.push(reasoner.move_text(&moves, index));
                made.moves.push(text);
                if let Err(error) = reasoner.apply(state, &moves, index) {
                    made = self.broken(made, error, play)?;
                }
                continue;
            };
            made.legal.push(1);
            made.moves.push(only.to_owned());
        }
        Ok(made)
    }

    /// A step after which, or in which, a role has no move; other errors are returned.
    fn broken(&self, made: Made, error: Error, play: &[String]) -> Result<Made, Failure> {
        match self.runner.forgives(&error) {
            true => Ok(Made { error: Some(error), ..made }),
            false => Err(self.runner.failure_after(error, play.to_vec()).into()),
        }
    }
}

/// `1:8:3`
fn numbers(counts: &[usize]) -> String {
    counts.iter().map(usize::to_string).collect::<Vec<_>>().join(":")
}

/// What the roles see of a step, by name; `None` if the rules do not say.
fn sees<'r>(
    rules: &mut Option<Box<dyn RuleBook>>,
    roles: &[&'r str],
    state: &str,
    moves: &[String],
) -> Option<BTreeMap<&'r str, Vec<String>>> {
    let rules = rules.as_mut().filter(|rules| rules.has_percepts())?;
    Some(roles.iter().copied().zip(rules.percepts(state, moves)?).collect())
}

fn line(session: &mut Session, value: &impl Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(value).map_err(std::io::Error::from)?;
    Ok(writeln!(session.out(), "{line}")?)
}
