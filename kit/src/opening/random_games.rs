//! What random games come upon while a game is being written: dead ends, where whoever is to move has no legal move, or the keeper has none, and the
//! game is not over; moves that have the same tags and lead to different states; and, in GDL, goals that are not one number at the end.

use crate::load::Loaded;
use crate::runner::Runner;
use crate::wellformed;
use backend::{Engine, Error, ErrorKind, Moves, Options, Rng, Turn};
use rg_ir::{Diagnostic, Severity};
use std::time::{Duration, Instant};

/// Code of a dead end.
const DEAD_END: &str = "RT211";
/// Random games that are looked at.
const GAMES: u64 = 100;
/// Moves of one of them at most.
const PLIES: usize = 300;
/// How long games are looked at.
const TIME: Duration = Duration::from_millis(150);
/// Moves that are shown of a game: the last ones.
const SHOWN: usize = 12;

/// What random games come upon, which are always the same; nothing where that takes too long. In GDL, the first finding with each code, as one mistake may
/// well hide another.
pub(super) fn found(loaded: Loaded) -> Vec<Diagnostic> {
    if loaded.notation.joint().is_none() {
        return broken_off(loaded).into_iter().collect();
    }
    let mut found = wellformed::look(&loaded);
    let mut codes: Vec<&str> = Vec::new();
    found.retain(|finding| {
        let is_new = !codes.contains(&finding.code);
        codes.push(finding.code);
        is_new
    });
    found
}

/// The dead end, or the moves with the same tags, that the shortest of some random games ends with, if any does.
fn broken_off(loaded: Loaded) -> Option<Diagnostic> {
    let options = Options { engine: Engine::Backtracking, ..Options::default() };
    let runner = Runner::new(loaded, options).ok()?;
    let (mut rng, until) = (Rng::new(0), Instant::now() + TIME);
    let mut best: Option<(Error, Vec<String>)> = None;
    for _ in 0..GAMES {
        let most = best.as_ref().map_or(PLIES, |(_, play)| play.len());
        match game(&runner, &mut rng, (most, until)) {
            Ok(()) => {}
            Err((error, play)) if [ErrorKind::Stuck, ErrorKind::Ambiguous].contains(&error.kind) => {
                best = Some((error, play))
            }
            Err(_) => return None,
        }
        if Instant::now() > until {
            break;
        }
    }
    let (error, play) = best?;
    let kind = error.kind;
    let play = runner.short_play(&play);
    let last = play.get(play.len().saturating_sub(SHOWN)..).unwrap_or_default();
    let hidden = play.len() - last.len();
    let mut last = last.to_vec();
    if hidden > 0 {
        last.insert(0, format!("… {hidden} moves …"));
    }
    let plain = runner.failure_after(error, last);
    if kind == ErrorKind::Ambiguous {
        let help = "show what is chosen as a tag, so that these are different moves";
        return Some(Diagnostic { severity: Severity::Warning, ..*plain }.help(help));
    }
    let who = if plain.message.contains("keeper") { "the keeper has no move" } else { "no move is legal" };
    let message = format!("{who} here, and the game is not over");
    Some(
        Diagnostic { severity: Severity::Warning, code: DEAD_END, message, ..*plain }
            .help("let the rules go on here, or lead to the end of the game"),
    )
}

/// Whether a finding is that of a dead end.
pub(super) fn is_dead_end(finding: &Diagnostic) -> bool {
    [DEAD_END, gdl::codes::D1_STUCK].contains(&finding.code)
}

/// Plays one random game of up to so many moves; the error that it ends in, with the moves before it as tags.
fn game(runner: &Runner, rng: &mut Rng, (most, until): (usize, Instant)) -> Result<(), (Error, Vec<String>)> {
    let (reasoner, mut play, mut moves) = (&runner.reasoner, Vec::new(), Moves::new());
    let mut state = reasoner.initial().map_err(|error| (error, Vec::new()))?;
    while reasoner.turn(&state) != Turn::End && play.len() < most && Instant::now() <= until {
        reasoner.legal_moves(&state, &mut moves).map_err(|error| (error, play.clone()))?;
        let index = rng.below(u32::try_from(moves.len()).unwrap_or(u32::MAX)) as usize;
        play.push(reasoner.move_text(&moves, index));
        reasoner.apply(&mut state, &moves, index).map_err(|error| (error, play.clone()))?;
    }
    Ok(())
}
