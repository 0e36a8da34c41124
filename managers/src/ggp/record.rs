//! Matches as JSON: in the form that game managers publish them in, and as lines of records that `rgc replay` reads.

use super::host::{Outcome, Played, Rules, Step};
use agents::Play;
use backend::{Error, ErrorKind, Turn};
use kit::record::{Check, PlayLine};
use kit::runner::Runner;
use rg_ir::Part;
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};

/// A match as GGP servers describe it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Record<'r> {
    match_id: &'r str,
    start_time: u64,
    start_clock: u64,
    play_clock: u64,
    game_role_names: Vec<String>,
    player_names_from_host: Vec<String>,
    states: Vec<String>,
    state_times: Vec<u64>,
    moves: Vec<&'r [String]>,
    errors: Vec<&'r [String]>,
    is_completed: bool,
    is_aborted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Per role; the role `random` may have none.
    goal_values: Option<Vec<Option<u32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r str>,
}

/// The record of a match: states as lists of fluents, the moves of all steps, and per step what went wrong. Linear.
///
/// # Errors
/// The text cannot be written.
pub fn record(rules: &Rules<'_>, played: &Played) -> Result<String, serde_json::Error> {
    let name = |player: &Option<super::client::Address>| {
        player.as_ref().map_or_else(|| "random".to_owned(), ToString::to_string)
    };
    let state = |fluents: &Vec<String>| format!("({})", fluents.join(" "));
    let (goal_values, reason) = match &played.outcome {
        Outcome::Over(goals) => (Some(goals.iter().map(|goal| goal.parse().ok()).collect()), None),
        Outcome::Long => (None, Some("the match was too long")),
        Outcome::Broken(why) => (None, Some(why.as_str())),
        Outcome::Stopped => (None, Some("the match was stopped")),
    };
    let starts = std::iter::once(played.start_errors.as_slice());
    serde_json::to_string_pretty(&Record {
        match_id: &played.id,
        start_time: milliseconds(played.start),
        start_clock: rules.start_clock.as_secs(),
        play_clock: rules.play_clock.as_secs(),
        game_role_names: rules.roles(),
        player_names_from_host: played.players.iter().map(name).collect(),
        states: played.states.iter().map(state).collect(),
        state_times: played.times.iter().map(|&time| milliseconds(time)).collect(),
        moves: played.steps.iter().map(|step| step.moves.as_slice()).collect(),
        errors: starts.chain(played.steps.iter().map(|step| step.errors.as_slice())).collect(),
        is_completed: matches!(played.outcome, Outcome::Over(_)),
        is_aborted: !matches!(played.outcome, Outcome::Over(_)),
        goal_values,
        reason,
    })
}

fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// A match as a line of a record of `rgc`, which has the moves of all plies. A step after which the game cannot go on is left out.
///
/// # Errors
/// The match cannot be played again in the engine.
pub fn play_line(runner: &Runner, played: &Played, number: u64) -> Result<PlayLine, Error> {
    let steps = played.steps.as_slice();
    let (play, check, moves) = match again(runner, steps) {
        Err(_) => again(runner, steps.split_last().map_or(steps, |(_, before)| before))?,
        Ok(made) => made,
    };
    // Seats are those of players; the role `random` is none.
    let seats = played.players.iter().flatten().map(ToString::to_string).collect();
    Ok(PlayLine {
        play: number,
        seats,
        seed: played.seed,
        moves,
        scores: play.scores().into_iter().map(str::to_owned).collect(),
        over: play.turn() == Turn::End,
        check: check.text(),
    })
}

/// The play that some steps make, with what a record has of it.
fn again<'r>(runner: &'r Runner, steps: &[Step]) -> Result<(Play<'r>, Check, Vec<String>), Error> {
    let mut play = Play::new(&runner.reasoner)?;
    let (mut check, mut moves) = (Check::default(), Vec::new());
    let unplayable = || Error::new(ErrorKind::IllegalMove, "", "the match cannot be played again".to_owned());
    let joint = runner.loaded.notation.joint().ok_or_else(unplayable)?;
    for step in steps {
        let parts = joint.step(&runner.reasoner.view(play.state()));
        for (_, wanted) in parts.iter().zip(&step.moves).filter(|(part, _)| **part == Part::Ply) {
            let texts = runner.texts(play.moves());
            let index = texts.iter().position(|text| text == wanted).ok_or_else(unplayable)?;
            check.add(runner, &play, index);
            moves.extend(texts.into_iter().nth(index));
            play.make(index)?;
        }
    }
    Ok((play, check, moves))
}
