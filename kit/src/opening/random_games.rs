//! What random games come upon while a game is being written: dead ends, where whoever is to move has no legal move, or the keeper has none, and the
//! game is not over; moves that have the same tags and lead to different states; and, in GDL, goals that are not one number at the end.

use crate::load::Loaded;
use crate::runner::Runner;
use crate::wellformed;
use backend::{Engine, Error, ErrorKind, Limits, Moves, Options, Rng, Turn};
use rg_ir::{Diagnostic, Severity};

/// Code of a dead end.
const DEAD_END: &str = "RT211";
/// Random games that are looked at.
const GAMES: u64 = 100;
/// Moves of one of them at most.
const PLIES: usize = 300;
/// Work of all of them together: steps of searches for moves, and more for each move that is made. It counts, and not the time, so that the same is found everywhere.
const WORK: u64 = 2_000_000;
/// Work of a move, beside that of finding all moves: about what it takes to make it, and the keeper's moves behind it.
const MOVE: u64 = 400;
/// What one search may take, and moves of the keeper in a row.
const LIMITS: (u64, u64) = (100_000, 300);
/// Moves that are shown of a game: the last ones.
const SHOWN: usize = 12;

/// What random games come upon, which are always the same; nothing where that takes too much work. In GDL, the first finding with each code, as one mistake may
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
    let (steps, keeper_moves) = LIMITS;
    let limits = Limits { steps, keeper_moves, ..Limits::default() };
    let options = Options { engine: Engine::Backtracking, limits, ..Options::default() };
    let runner = Runner::new(loaded, options).ok()?;
    let (mut rng, mut left) = (Rng::new(0), WORK);
    let mut best: Option<(Error, Vec<String>)> = None;
    for _ in 0..GAMES {
        let most = best.as_ref().map_or(PLIES, |(_, play)| play.len());
        match game(&runner, &mut rng, (most, &mut left)) {
            Ok(()) => {}
            Err((error, play)) if [ErrorKind::Stuck, ErrorKind::Ambiguous].contains(&error.kind) => {
                best = Some((error, play))
            }
            Err(_) => return None,
        }
        if left == 0 {
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

/// Plays one random game of up to so many moves, as long as work is left; the error that it ends in, with the moves before it as tags.
fn game(runner: &Runner, rng: &mut Rng, (most, left): (usize, &mut u64)) -> Result<(), (Error, Vec<String>)> {
    let (reasoner, mut play, mut moves) = (&runner.reasoner, Vec::new(), Moves::new());
    let mut state = reasoner.initial().map_err(|error| (error, Vec::new()))?;
    while reasoner.turn(&state) != Turn::End && play.len() < most && *left > 0 {
        reasoner.legal_moves(&state, &mut moves).map_err(|error| (error, play.clone()))?;
        *left = left.saturating_sub(moves.steps + MOVE);
        let index = rng.below(u32::try_from(moves.len()).unwrap_or(u32::MAX)) as usize;
        play.push(reasoner.move_text(&moves, index));
        reasoner.apply(&mut state, &moves, index).map_err(|error| (error, play.clone()))?;
    }
    Ok(())
}
