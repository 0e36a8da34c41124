//! Results of a match as tables, JSON lines and CSV.

use super::standings::{Games, Standings};
use crate::elo::{Results, elo, elo_text};
use crate::input::source_name;
use crate::record;
use crate::session::Failure;
use crate::table::{counted, render};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Columns of a terminal that tables fit, if the names are not too long.
const WIDTH: usize = 80;

/// How results are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    /// JSON lines.
    Json,
    /// The pairs, with a line of headings.
    Csv,
}

#[derive(Serialize)]
struct PairRow<'a> {
    agent: &'a str,
    opponent: &'a str,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
    /// `None` if infinite.
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
}

#[derive(Serialize)]
struct CsvRow<'a> {
    game: &'a str,
    agent: &'a str,
    opponent: &'a str,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
    /// Empty if infinite.
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
}

#[derive(Serialize)]
struct AgentRow<'a> {
    agent: &'a str,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
    /// The rating of all agents together, and the bounds of its interval; their mean is 0.
    rating: f64,
    rating_low: f64,
    rating_high: f64,
    mean_payoff: f64,
    ms_per_move: f64,
}

#[derive(Serialize)]
struct SeatRow<'a> {
    player: &'a str,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
}

#[derive(Serialize)]
struct MatchRow {
    games: u64,
    /// Of them, those that were too long and count as drawn.
    stopped: u64,
    /// Further ones, without a result: the rules or a bot failed.
    broken: u64,
    mean_plies: f64,
    /// The engine that ran, at the end.
    engine: &'static str,
}

/// A line of results in JSON: the field `kind` says which.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Row<'a> {
    Pair(PairRow<'a>),
    Agent(AgentRow<'a>),
    Seat(SeatRow<'a>),
    Match(MatchRow),
}

/// Writes the results of matches over these games.
pub(super) fn write(out: &mut impl Write, form: Form, all: &[(PathBuf, &Standings)]) -> Result<(), Failure> {
    if form == Form::Csv {
        return write_csv(out, all);
    }
    for (_, standings) in all {
        match form {
            Form::Json => write_json(out, standings)?,
            Form::Table | Form::Csv => write_tables(out, standings)?,
        }
    }
    Ok(())
}

fn write_csv(out: &mut impl Write, all: &[(PathBuf, &Standings)]) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(out);
    for (file, standings) in all {
        let game = source_name(file);
        for PairRow { agent, opponent, games, won, drawn, lost, score, elo, elo_low, elo_high } in pair_rows(standings)
        {
            let game = game.as_str();
            let row = CsvRow { game, agent, opponent, games, won, drawn, lost, score, elo, elo_low, elo_high };
            writer.serialize(row).map_err(std::io::Error::from)?;
        }
    }
    Ok(writer.flush()?)
}

fn write_json(out: &mut impl Write, standings: &Standings) -> Result<(), Failure> {
    let mut text = String::new();
    let pairs = pair_rows(standings).map(Row::Pair);
    let agents = agent_rows(standings).map(Row::Agent);
    let seats = seat_rows(standings).map(Row::Seat);
    for row in pairs.chain(agents).chain(seats).chain([Row::Match(summary(standings))]) {
        text.push_str(&record::line(&row)?);
    }
    Ok(out.write_all(text.as_bytes())?)
}

fn write_tables(out: &mut impl Write, standings: &Standings) -> Result<(), Failure> {
    let MatchRow { games, stopped, broken, mean_plies, engine } = summary(standings);
    if standings.all() == 0 {
        return Ok(writeln!(out, "no games")?);
    }
    if games > 0 {
        write_agents(out, standings)?;
        if standings.seats.len() > 1 {
            let seats = seat_rows(standings).map(|row| {
                let counts = [row.won, row.drawn, row.lost].map(|count| count.to_string());
                let mut cells = vec![row.player.to_owned()];
                cells.extend(counts);
                cells.push(percent(row.score));
                cells
            });
            writeln!(out, "{}", render(&["player", "won", "drawn", "lost", "score"], 1, seats.collect()))?;
        }
    }
    let mut last = format!("{} of {mean_plies:.1} plies on average, engine {engine}", counted(games, "game"));
    if stopped > 0 {
        last.push_str(&format!("\n{stopped} stopped before the end, counted as drawn"));
    }
    if broken > 0 {
        last.push_str(&format!("\n{broken} more stopped by an error, without a result"));
    }
    Ok(writeln!(out, "{last}")?)
}

/// The results of several games together.
pub(super) fn together(out: &mut impl Write, standings: &Standings, games: usize) -> Result<(), Failure> {
    writeln!(out, "all together: {}", counted(games as u64, "file"))?;
    write_agents(out, standings)
}

/// The table of pairs, and that of agents. Where names are so long that the first one is too wide, agents have numbers there.
fn write_agents(out: &mut impl Write, standings: &Standings) -> Result<(), Failure> {
    let named = pairs(standings, |agent| standings.name(agent).to_owned());
    let is_wide = named.lines().any(|line| line.chars().count() > WIDTH);
    let is_numbered = is_wide
        || standings
            .names
            .iter()
            .enumerate()
            .any(|(agent, name)| standings.names.iter().skip(agent + 1).any(|other| other == name));
    let number = |agent: usize| if is_numbered { format!("#{} ", agent + 1) } else { String::new() };
    if !standings.pairs.is_empty() {
        let text = if is_numbered { pairs(standings, number) } else { named };
        writeln!(out, "{text}")?;
    }
    let text = agents(standings, |agent| format!("{}{}", number(agent), standings.name(agent)));
    Ok(writeln!(out, "{text}")?)
}

fn pairs(standings: &Standings, name: impl Fn(usize) -> String) -> String {
    let rows = standings.pairs.iter().map(|(&(agent, opponent), results)| {
        let (low, high) = results.interval();
        let mut row = vec![name(agent), name(opponent)];
        row.extend([results.games(), results.won, results.drawn, results.lost].map(|count| count.to_string()));
        row.push(percent(results.score()));
        row.push(elo_text(elo(results.score())));
        row.push(format!("{} to {}", elo_text(elo(low)), elo_text(elo(high))));
        row
    });
    let header = ["agent", "opponent", "games", "won", "drawn", "lost", "score", "Elo", "95 % interval"];
    render(&header, 2, rows.collect())
}

/// The table of agents; if there are at least three, with a rating for each, best first.
fn agents(standings: &Standings, name: impl Fn(usize) -> String) -> String {
    let is_rated = standings.names.len() > 2;
    let mut rows: Vec<(usize, AgentRow<'_>)> = agent_rows(standings).enumerate().collect();
    if is_rated {
        rows.sort_by(|(_, a), (_, b)| b.rating.total_cmp(&a.rating));
    }
    let cells = rows.into_iter().map(|(index, row)| {
        let mut cells = vec![name(index), row.games.to_string()];
        if is_rated {
            cells.push(percent(row.score));
            cells.push(elo_text(row.rating));
            cells.push(format!("{} to {}", elo_text(row.rating_low), elo_text(row.rating_high)));
        }
        cells.extend([format!("{:.1}", row.mean_payoff), format!("{:.1}", row.ms_per_move)]);
        cells
    });
    let header: &[&str] = if is_rated {
        &["agent", "games", "score", "rating", "95 % interval", "payoff", "ms/move"]
    } else {
        &["agent", "games", "payoff", "ms/move"]
    };
    render(header, 1, cells.collect())
}

fn pair_rows(standings: &Standings) -> impl Iterator<Item = PairRow<'_>> {
    standings.pairs.iter().map(|(&(agent, opponent), results)| {
        let Results { won, drawn, lost } = *results;
        let finite = |score: f64| Some(elo(score)).filter(|elo| elo.is_finite());
        let (low, high) = results.interval();
        PairRow {
            agent: standings.name(agent),
            opponent: standings.name(opponent),
            games: results.games(),
            won,
            drawn,
            lost,
            score: results.score(),
            elo: finite(results.score()),
            elo_low: finite(low),
            elo_high: finite(high),
        }
    })
}

fn agent_rows(standings: &Standings) -> impl Iterator<Item = AgentRow<'_>> {
    let mean = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
    let rated = standings.totals.iter().zip(standings.ratings());
    standings.names.iter().zip(rated).map(move |(agent, (total, rating))| AgentRow {
        agent,
        games: total.games,
        won: total.results.won,
        drawn: total.results.drawn,
        lost: total.results.lost,
        score: total.results.score(),
        rating: rating.elo,
        rating_low: rating.elo - rating.half,
        rating_high: rating.elo + rating.half,
        mean_payoff: mean(total.payoff, total.games),
        ms_per_move: mean(total.time.as_secs_f64() * 1e3, total.moves),
    })
}

fn seat_rows(standings: &Standings) -> impl Iterator<Item = SeatRow<'_>> {
    standings.seats.iter().map(|(player, results)| {
        let Results { won, drawn, lost } = *results;
        SeatRow { player, won, drawn, lost, score: results.score() }
    })
}

fn summary(standings: &Standings) -> MatchRow {
    let Games { counted, stopped, broken, plies } = standings.games;
    let mean_plies = if counted == 0 { 0.0 } else { plies as f64 / counted as f64 };
    MatchRow { games: counted, stopped, broken, mean_plies, engine: standings.engine }
}

pub(super) fn percent(score: f64) -> String {
    format!("{:.1} %", 100.0 * score)
}
