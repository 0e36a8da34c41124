//! Counting plays (perft) while there is time.

use crate::Loaded;
use crate::runner::Runner;
use backend::{Engine, Options};
use std::time::{Duration, Instant};

/// The number of plays of exactly so many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Moves.
    pub depth: u32,
    /// Plays.
    pub leaves: u64,
}

/// Counts plays of one move, of two, and so on up to `depth`, and returns the last number. One move is counted in any case; more moves only if that will
/// not take longer than `time` altogether, as far as the numbers before tell. `None` if there is no number at all, because counting meets an error.
pub fn counted(runner: &Runner, depth: u32, time: Duration) -> Option<Counted> {
    let state = runner.initial().ok()?;
    let until = Instant::now() + time;
    let (mut last, mut before, mut expected) = (None, 1, Duration::ZERO);
    for depth in 1..=depth {
        let begin = Instant::now();
        if depth > 1 && begin + expected > until {
            break;
        }
        let Ok(leaves) = runner.reasoner.perft(&state, depth) else { break };
        last = Some(Counted { depth, leaves });
        if leaves == 0 {
            break;
        }
        // The next number is larger by about as much as this one is.
        let growth = leaves as f64 / before as f64;
        expected = begin.elapsed().mul_f64(growth.clamp(1.0, 1e6));
        before = leaves;
    }
    last
}

/// As [`counted`], for a game without an engine: one is prepared that takes little time for that. `None` if there can be none; else the game is returned,
/// too.
pub fn counted_in(loaded: Loaded, depth: u32, time: Duration) -> Option<(Option<Counted>, Loaded)> {
    let options = Options { engine: Engine::Backtracking, ..Options::default() };
    let runner = Runner::new(loaded, options).ok()?;
    Some((counted(&runner, depth, time), runner.into_given()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Reading;
    use crate::load::load_text;
    use rg_ir::SourceId;

    #[test]
    fn as_much_is_counted_as_there_is_time_for() {
        let game = crate::library::find("chess", Some("rbg")).unwrap();
        let number = |depth, time| {
            let translation = load_text(SourceId(0), "", game.text, game.language, Reading::default()).0.unwrap();
            let loaded = Loaded::new("chess".to_owned(), game.language, SourceId(0), translation);
            let (counted, loaded) = counted_in(loaded, depth, time).unwrap();
            assert_eq!(loaded.name, "chess");
            counted.map(|counted| (counted.depth, counted.leaves))
        };
        assert_eq!(number(2, Duration::from_secs(60)), Some((2, 400)));
        assert_eq!(number(9, Duration::ZERO), Some((1, 20)));
        assert_eq!(number(0, Duration::ZERO), None);
    }
}
