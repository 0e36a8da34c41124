//! `rgc serve --ggp`: matches between players that listen.

use super::Lines;
use crate::cli::{Force, ServeArgs};
use crate::interrupt;
use crate::output::{Kind, What};
use crate::record;
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::table::{counted, render};
use backend::Options;
use managers::ggp::{Address, Match, Outcome, Played, Rules, play_line, record as ggp_record};
use rg_ir::{Diagnostic, Severity};
use serde::Serialize;
use std::io::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Ways to give the roles to players at most.
const MAX_SEATINGS: usize = 10_000;

/// A match in `--json`.
#[derive(Serialize)]
struct MatchRow<'a> {
    #[serde(rename = "match")]
    id: &'a str,
    /// Per role who played it.
    players: Vec<String>,
    roles: Vec<String>,
    steps: usize,
    /// Per role the moves that were drawn because its player failed.
    failures: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

/// What a player came to.
#[derive(Clone, Default)]
struct Standing {
    /// Matches that were over, and the sum of its scores in them.
    matches: u64,
    sum: f64,
    moves: usize,
    failures: usize,
}

#[derive(Serialize)]
struct PlayerRow {
    player: String,
    matches: u64,
    mean_score: f64,
    moves: usize,
    failures: usize,
}

/// Runs the matches one after the other.
pub(super) fn run(session: &mut Session, args: &ServeArgs) -> Result<(), Failure> {
    let file = &args.game.file;
    let loaded = session.load(file, args.game.language.from.as_deref(), Severity::Warning)?;
    let source = loaded.source;
    let written = session.sources.get(source).map(|file| file.text.clone()).unwrap_or_default();
    if loaded.notation.joint().is_none() {
        let message =
            format!("managers of General Game Playing speak GDL, but this game is in {}", loaded.language.title);
        return Err(finding("IO396", message).help("name a game in GDL").into());
    }
    let (description, _) = gdl::parse(source, &written);
    let text = description.as_ref().map(gdl::print_prefix).unwrap_or_default();
    // As they are written, the rules forget nothing: states of records have all that is true.
    let runner = Runner::new(loaded, Options { keep_dead: true, ..Options::default() })?;
    let rules = Rules {
        runner: &runner,
        text,
        start_clock: Duration::from_secs(args.start_clock),
        play_clock: Duration::from_secs(args.play_clock),
        max_steps: args.max_steps,
        is_scrambled: args.scramble,
    };
    let roles = rules.played_roles();
    if let Some((_, twice)) =
        args.ggp.iter().enumerate().find(|(at, address)| args.ggp.iter().take(*at).any(|other| other == *address))
    {
        let message = format!("the player `{twice}` is named twice, but plays one match at a time");
        return Err(finding("IO397", message).help("`--ggp` names a player for each role; more take turns").into());
    }
    let seatings = seatings(args.ggp.len(), &roles)?;
    if let Some(folder) = &args.ggp_record {
        std::fs::create_dir_all(folder).map_err(|error| What::no_folder(folder, &error))?;
    }
    let mut lines = Lines::create(session, args, &runner, &written)?;
    let (mut standings, mut broken) = (vec![Standing::default(); args.ggp.len()], false);
    let stop = interrupt::requests();
    for number in 0..args.matches {
        session.progress(&format!("match {} of {} …", number + 1, args.matches));
        let Some(seats) = seatings.get(number as usize % seatings.len().max(1)) else { break };
        let players = seats.iter().filter_map(|&seat| args.ggp.get(seat)).cloned().collect();
        let seed = args.seed.wrapping_add(number);
        let played = rules.play(&Match { id: name(&runner, number), players, seed, stop });
        let played = played.map_err(|error| runner.failure(&error))?;
        if played.outcome == Outcome::Stopped {
            break;
        }
        session.progress("");
        add(&mut standings, &rules, seats, &played);
        report(session, args, &rules, &played)?;
        keep(session, args, &rules, &played)?;
        if let Some(lines) = &mut lines {
            let line = play_line(&runner, &played, number).map_err(|error| runner.failure(&error))?;
            lines.add(&line)?;
        }
        broken |= matches!(played.outcome, Outcome::Broken(_));
    }
    session.progress("");
    show(session, args, &standings)?;
    match (broken, interrupt::is_requested()) {
        (true, _) => session.finish().and(Err(Failure::Shown)),
        (false, true) => session.finish().and(Err(Failure::Interrupted)),
        (false, false) => Ok(()),
    }
}

/// All ways to give the roles to different players, by number.
///
/// # Errors
/// `IO397`: there are fewer players than roles. `IO342`: there are too many ways.
fn seatings(players: usize, roles: &[String]) -> Result<Vec<Vec<usize>>, Failure> {
    if players < roles.len() {
        let (count, names) = (counted(roles.len() as u64, "role"), roles.join(", "));
        let message = format!("the game has {count} to be played, {names}, but {} named", are(players));
        return Err(finding("IO397", message).help("`--ggp` names a player for each role; more take turns").into());
    }
    let mut seatings = vec![Vec::new()];
    for _ in roles {
        let longer = |seats: &Vec<usize>| {
            let free = (0..players).filter(|player| !seats.contains(player));
            free.map(|player| [seats.as_slice(), &[player]].concat()).collect::<Vec<_>>()
        };
        seatings = seatings.iter().flat_map(longer).collect();
        if seatings.len() > MAX_SEATINGS {
            return Err(finding("IO342", format!("there are more than {MAX_SEATINGS} line-ups")).into());
        }
    }
    Ok(seatings)
}

/// `no player is`, `1 player is`, `2 players are`.
fn are(players: usize) -> String {
    match players {
        0 => "no player is".to_owned(),
        1 => "1 player is".to_owned(),
        _ => format!("{players} players are"),
    }
}

/// The name of a match: the game, the time, and a number.
fn name(runner: &Runner, number: u64) -> String {
    let is_sign = |c: &char| c.is_ascii_alphanumeric();
    let game: String = runner.loaded.name.chars().filter(is_sign).collect();
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    format!("{game}.{seconds}.{number}")
}

fn add(standings: &mut [Standing], rules: &Rules<'_>, seats: &[usize], played: &Played) {
    let is_played = |&role: &usize| played.players.get(role).is_some_and(Option::is_some);
    for (role, &seat) in (0..rules.roles().len()).filter(is_played).zip(seats) {
        let Some(standing) = standings.get_mut(seat) else { continue };
        standing.moves += played.steps.len();
        standing.failures += played.failures(role);
        if let Outcome::Over(scores) = &played.outcome {
            standing.matches += 1;
            standing.sum += scores.get(role).and_then(|score| score.parse::<f64>().ok()).unwrap_or(0.0);
        }
    }
}

fn player(address: &Option<Address>) -> String {
    address.as_ref().map_or_else(|| "(manager)".to_owned(), ToString::to_string)
}

/// What a match came to, and what went wrong in it first.
fn report(session: &mut Session, args: &ServeArgs, rules: &Rules<'_>, played: &Played) -> Result<(), Failure> {
    let (scores, reason) = match &played.outcome {
        Outcome::Over(scores) => (Some(scores.as_slice()), None),
        Outcome::Long => (None, Some("it was too long")),
        Outcome::Broken(why) => (None, Some(why.as_str())),
        Outcome::Stopped => (None, Some("it was stopped")),
    };
    if args.json {
        let row = MatchRow {
            id: &played.id,
            players: played.players.iter().map(player).collect(),
            roles: rules.roles(),
            steps: played.steps.len(),
            failures: (0..played.players.len()).map(|role| played.failures(role)).collect(),
            scores,
            reason,
        };
        session.out().write_all(record::line(&row)?.as_bytes())?;
    }
    let mut findings = Vec::new();
    for (role, address) in played.players.iter().enumerate().filter(|(_, address)| address.is_some()) {
        let first = played.steps.iter().enumerate().find_map(|(number, step)| {
            let error = step.errors.get(role).filter(|error| !error.is_empty())?;
            Some(format!("step {}: {error}", number + 1))
        });
        let start =
            played.start_errors.get(role).filter(|error| !error.is_empty()).map(|error| format!("start: {error}"));
        if let Some(first) = start.or(first) {
            let message = format!("match {}: the player at {} failed; {first}", played.id, player(address));
            findings.push(Diagnostic::warning("IO398", rg_ir::Span::NONE, message));
        }
    }
    if let Some(reason) = reason {
        let message = format!("match {} has no result: {reason}", played.id);
        findings.push(Diagnostic::warning("IO399", rg_ir::Span::NONE, message));
    }
    session.show(&findings);
    Ok(())
}

/// What the players came to.
fn show(session: &mut Session, args: &ServeArgs, standings: &[Standing]) -> Result<(), Failure> {
    let rows = args.ggp.iter().zip(standings).map(|(address, standing)| PlayerRow {
        player: address.to_string(),
        matches: standing.matches,
        mean_score: if standing.matches > 0 { standing.sum / standing.matches as f64 } else { 0.0 },
        moves: standing.moves,
        failures: standing.failures,
    });
    if args.json {
        for row in rows {
            session.out().write_all(record::line(&row)?.as_bytes())?;
        }
        return Ok(());
    }
    let cells = |row: PlayerRow| {
        let PlayerRow { player, matches, mean_score, moves, failures } = row;
        vec![player, matches.to_string(), format!("{mean_score:.1}"), moves.to_string(), failures.to_string()]
    };
    let table = render(&["player", "matches", "mean score", "moves", "failures"], 1, rows.map(cells).collect());
    Ok(session.out().write_all(table.as_bytes())?)
}

/// Writes a match to a file of its own.
fn keep(session: &Session, args: &ServeArgs, rules: &Rules<'_>, played: &Played) -> Result<(), Failure> {
    let Some(folder) = &args.ggp_record else { return Ok(()) };
    let text = ggp_record(rules, played).map_err(std::io::Error::from)?;
    let existing = Force { force: args.force }.over(Kind::Json);
    Ok(session.writer.write(What::Result, &folder.join(format!("{}.json", played.id)), existing, text)?)
}
