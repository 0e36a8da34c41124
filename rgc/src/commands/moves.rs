//! `rgc moves`.

use crate::cli::{EngineArgs, GameArgs};
use crate::draw;
use crate::runner::{Runner, shown};
use crate::scores::Scores;
use crate::session::{Failure, Session};
use crate::table::counted;
use backend::{Moves, State};
use serde::Serialize;
use std::io::Write as _;

#[derive(Serialize)]
struct Position<'a> {
    /// Number of moves played.
    ply: usize,
    /// `None` at the end of the play.
    player: Option<&'a str>,
    moves: Vec<Move<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Scores<'a>>,
}

#[derive(Serialize)]
struct Move<'a> {
    #[serde(rename = "move")]
    text: &'a str,
    tags: &'a [&'a str],
}

pub(super) fn run(
    session: &mut Session,
    game: &GameArgs,
    play: &str,
    json: bool,
    engine: &EngineArgs,
) -> Result<(), Failure> {
    let runner = Runner::start_to_draw(session, game, engine, engine.level.or(0))?;
    let (state, played) = runner.play(play)?;
    let mut moves = Moves::new();
    let ply = played.len();
    if let Err(error) = runner.reasoner.legal_moves(&state, &mut moves) {
        return Err(runner.failure_after(error, played));
    }
    let tags = runner.tags(&moves);
    let listed = runner.listed(&moves);
    let listed: Vec<Move<'_>> =
        listed.iter().filter_map(|(text, index)| Some(Move { text, tags: tags.get(*index)? })).collect();
    if json {
        let player = runner.mover(&state);
        let scores = player.is_none().then(|| Scores::of(&runner, &state));
        let line =
            serde_json::to_string(&Position { ply, player, moves: listed, scores }).map_err(std::io::Error::from)?;
        return Ok(writeln!(session.out(), "{line}")?);
    }
    let out = session.out();
    writeln!(out, "{}", draw::state(&runner, &state))?;
    writeln!(out, "{}", headline(&runner, &state, listed.len()))?;
    let width = listed.iter().map(|entry| entry.text.chars().count()).max().unwrap_or(0).min(60);
    for Move { text, tags } in listed {
        let tags = tags.join(" ");
        let text = shown(text);
        if tags == text || tags.is_empty() {
            writeln!(out, "  {text}")?;
        } else {
            writeln!(out, "  {text:width$}  {tags}")?;
        }
    }
    Ok(())
}

fn headline(runner: &Runner, state: &State, moves: usize) -> String {
    match runner.mover(state) {
        None => format!("the play is over; scores: {}", Scores::of(runner, state)),
        Some(mover) => format!("{mover} to move, {}:", counted(moves as u64, "legal move")),
    }
}
