//! `rgc serve --rbg`: games between players that connect.

use super::Lines;
use crate::cli::ServeArgs;
use crate::interrupt;
use crate::record;
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::table::render;
use backend::Options;
use managers::rbg::{Game, Host, Outcome, Seating};
use rg_ir::{Diagnostic, Severity};
use serde::Serialize;
use std::io::Write as _;
use std::net::TcpListener;
use std::time::Duration;

/// The first line of `--json`: where players are waited for.
#[derive(Serialize)]
struct Listening {
    listening: String,
}

/// A game in `--json`.
#[derive(Serialize)]
struct GameRow<'a> {
    game: u64,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<&'a [String]>,
    /// The player that broke the protocol, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// What a player came to, in `--json`.
#[derive(Serialize)]
struct PlayerRow<'a> {
    player: &'a str,
    games: u64,
    mean_score: f64,
    forfeits: u64,
}

/// What a player came to.
#[derive(Clone, Default)]
struct Standing {
    player: String,
    /// Games that were over, and the sum of its scores in them.
    games: u64,
    sum: f64,
    forfeits: u64,
}

/// Waits for players, and runs the games one after the other.
pub(super) fn run(session: &mut Session, args: &ServeArgs, port: u16) -> Result<(), Failure> {
    let loaded = session.load(&args.game.file, args.game.language.from.as_deref(), Severity::Warning)?;
    let text = session.sources.get(loaded.source).map(|file| file.text.clone()).unwrap_or_default();
    if loaded.language.name != "rbg" {
        let message = format!("the RBG game manager speaks RBG, but this game is in {}", loaded.language.title);
        return Err(finding("IO396", message).help("name a game in RBG").into());
    }
    let runner = Runner::new(loaded.optimised(2)?, Options::default())?;
    runner.initial()?;
    let stop = interrupt::requests();
    let host = Host::new(&runner, &text, stop).ok_or_else(|| finding("IO396", "the game is not in RBG".to_owned()))?;
    let seconds = Duration::from_secs;
    let (preparation, clock) = (seconds(args.start_clock), seconds(args.play_clock));
    let host = Host { preparation, clock, max_plies: args.max_steps, ..host };
    let cannot = |error: std::io::Error| {
        finding("IO395", format!("the manager cannot listen on {}, port {port}: {error}", args.host))
    };
    let listener = TcpListener::bind((args.host, port)).map_err(cannot)?;
    let listening = listener.local_addr().map_err(cannot)?.to_string();
    match args.json {
        true => session.out().write_all(record::line(&Listening { listening })?.as_bytes())?,
        false => writeln!(session.out(), "waiting for players on {listening}")?,
    }
    session.out().flush()?;
    let mut lines = Lines::create(session, args, &runner, &text)?;
    let player = |name: &str| Standing { player: name.to_owned(), ..Standing::default() };
    let (mut seating, mut standings) = (Seating::default(), runner.players().map(player).collect::<Vec<_>>());
    let mut is_broken = false;
    for number in 0..args.matches {
        if let Err(why) = host.seat(&listener, &mut seating) {
            is_broken = !interrupt::is_requested();
            if is_broken {
                session.show(&[finding("IO398", format!("game {} cannot begin: {why}", number + 1))]);
            }
            break;
        }
        let game = host.play(&mut seating, number).map_err(|error| runner.failure(&error))?;
        if game.outcome == Outcome::Stopped {
            break;
        }
        add(&mut standings, &game);
        report(session, args, &standings, &game)?;
        if let Some(lines) = &mut lines {
            lines.add(&game.line)?;
        }
    }
    show(session, args, &standings)?;
    match (is_broken, interrupt::is_requested()) {
        (true, _) => session.finish().and(Err(Failure::Shown)),
        (false, true) => session.finish().and(Err(Failure::Interrupted)),
        (false, false) => Ok(()),
    }
}

fn add(standings: &mut [Standing], game: &Game) {
    match &game.outcome {
        Outcome::Over(scores) => {
            for (standing, score) in standings.iter_mut().zip(scores) {
                standing.games += 1;
                standing.sum += score.parse::<f64>().unwrap_or(0.0);
            }
        }
        Outcome::Forfeit(player, _) => {
            if let Some(standing) = standings.get_mut(*player) {
                standing.forfeits += 1;
            }
        }
        Outcome::Long | Outcome::Stopped => {}
    }
}

/// What a game came to.
fn report(session: &mut Session, args: &ServeArgs, standings: &[Standing], game: &Game) -> Result<(), Failure> {
    let name = |player: &usize| standings.get(*player).map_or("", |standing| standing.player.as_str());
    let (scores, forfeit, reason) = match &game.outcome {
        Outcome::Over(scores) => (Some(scores.as_slice()), None, None),
        Outcome::Forfeit(player, why) => (None, Some(name(player)), Some(why.clone())),
        Outcome::Long => (None, None, Some("it was too long".to_owned())),
        Outcome::Stopped => (None, None, Some("it was stopped".to_owned())),
    };
    let number = game.line.play + 1;
    if let Some(reason) = &reason {
        let message = match forfeit {
            Some(player) => format!("game {number}: {player} loses by forfeit: {reason}"),
            None => format!("game {number} has no result: {reason}"),
        };
        let code = if forfeit.is_some() { "IO398" } else { "IO399" };
        session.show(&[Diagnostic::warning(code, rg_ir::Span::NONE, message)]);
    }
    if args.json {
        let row = GameRow { game: game.line.play, plies: game.line.moves.len(), scores, forfeit, reason };
        session.out().write_all(record::line(&row)?.as_bytes())?;
    }
    Ok(())
}

/// What the players came to.
fn show(session: &mut Session, args: &ServeArgs, standings: &[Standing]) -> Result<(), Failure> {
    if args.json {
        for Standing { player, games, sum, forfeits } in standings {
            let mean_score = if *games > 0 { sum / *games as f64 } else { 0.0 };
            let row = PlayerRow { player, games: *games, mean_score, forfeits: *forfeits };
            session.out().write_all(record::line(&row)?.as_bytes())?;
        }
        return Ok(());
    }
    let cells = |standing: &Standing| {
        let Standing { player, games, sum, forfeits } = standing;
        let mean = if *games > 0 { format!("{:.1}", sum / *games as f64) } else { "–".to_owned() };
        vec![player.clone(), games.to_string(), mean, forfeits.to_string()]
    };
    let table = render(&["player", "games", "mean score", "forfeits"], 1, standings.iter().map(cells).collect());
    Ok(session.out().write_all(table.as_bytes())?)
}
