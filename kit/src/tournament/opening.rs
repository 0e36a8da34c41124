//! First moves that are made before anybody chooses: from a file, or at random.

use crate::runner::Runner;
use crate::{Result, finding};
use backend::{Error, Moves, Rng, State, Turn};
use rg_ir::{Diagnostic, SourceId, Span};
use rustc_hash::FxHashSet;

/// Attempts at an opening of random moves after which the game is not over and which is new.
const ATTEMPTS: u32 = 100;

/// The moves from the first position to one where the game goes on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Opening(Vec<usize>);

impl Opening {
    /// The moves by index.
    pub fn moves(&self) -> &[usize] {
        &self.0
    }
}

/// Makes `count` openings of `plies` random moves; all different if that many are found. Equal seeds give equal openings.
///
/// # Errors
/// `IO381`: of 100 random games, all ended before. Those of the rules.
pub fn random(runner: &Runner, plies: u32, count: u64, seed: u64) -> Result<Vec<Opening>> {
    let (mut openings, mut known) = (Vec::new(), FxHashSet::default());
    for number in 0..count {
        let mut rng = Rng::new(seed ^ Rng::new(!number).next_u64());
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let opening = walk(runner, plies, &mut rng).map_err(|error| runner.failure(&error))?;
            last = opening.or(last);
            if last.as_ref().is_some_and(|opening| !known.contains(opening)) {
                break;
            }
        }
        let ended = || {
            let message =
                format!("{ATTEMPTS} random games all ended within {plies} plies, so there are no such openings");
            finding("IO381", message).help("name fewer plies in `--opening`")
        };
        let opening = last.ok_or_else(ended)?;
        known.insert(opening.clone());
        openings.push(opening);
    }
    Ok(openings)
}

/// A random walk; `None` if the game is over after it or before.
fn walk(runner: &Runner, plies: u32, rng: &mut Rng) -> std::result::Result<Option<Opening>, Error> {
    let reasoner = &runner.reasoner;
    let (mut state, mut moves, mut made) = (reasoner.initial()?, Moves::new(), Vec::new());
    while reasoner.turn(&state) != Turn::End {
        if made.len() == plies as usize {
            return Ok(Some(Opening(made)));
        }
        reasoner.legal_moves(&state, &mut moves)?;
        let index = rng.below(u32::try_from(moves.len()).unwrap_or(u32::MAX)) as usize;
        made.push(index);
        reasoner.apply(&mut state, &moves, index)?;
    }
    Ok(None)
}

/// Reads a file of openings: one in each line, as moves with `;` between them, in any notation that the game's moves are read in. What follows
/// `#` is a comment, unless it is the number of an outcome.
///
/// # Errors
/// `IO380` with the line: a move is not legal, the game is over, or there is no opening at all. Those of the rules.
pub fn read(runner: &Runner, source: SourceId, text: &str) -> Result<Vec<Opening>> {
    let mut openings = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let moves = line.split_once("# ").map_or(line, |(moves, _)| moves);
        let moves = if moves.trim_start().starts_with('#') { "" } else { moves };
        let written = moves.trim();
        if !written.is_empty() {
            let begin = start + moves.find(written).unwrap_or(0);
            let place = Span::new(source, begin, begin + written.len());
            openings.push(Opening(indices(runner, written, place)?));
        }
        start += line.len();
    }
    if openings.is_empty() {
        let place = Span::new(source, 0, 0);
        let empty = Diagnostic::error("IO380", place, "there are no openings in this file");
        return Err(empty.help("write the moves of an opening in a line, with `;` between them").into());
    }
    Ok(openings)
}

/// The indices of the moves of a game that goes on after them.
fn indices(runner: &Runner, text: &str, place: Span) -> Result<Vec<usize>> {
    let reasoner = &runner.reasoner;
    let mut state: State = runner.initial()?;
    let (mut moves, mut made) = (Moves::new(), Vec::new());
    let wrong = |message: String| Diagnostic::error("IO380", place, message);
    for wanted in text.trim_end_matches(';').split(';').map(str::trim) {
        reasoner.legal_moves(&state, &mut moves).map_err(|error| runner.failure(&error))?;
        let found = runner.find_in(wanted, &state, &moves);
        let index = found.map_err(|message| wrong(format!("move {}: {message}", made.len() + 1)))?;
        made.push(index);
        reasoner.apply(&mut state, &moves, index).map_err(|error| runner.failure(&error))?;
    }
    match reasoner.turn(&state) {
        Turn::End => Err(wrong("the game is over after these moves".to_owned()).into()),
        _ => Ok(made),
    }
}
