//! What the first positions show of a game that is being written.

mod random_games;
mod scores;

use crate::load::Loaded;
use crate::proper::{Terms, proper, rulebook, short};
use crate::runner::ahead;
use backend::proper::{Budget, examine};
use passes::Size;
use rg_ir::diag::Applies;
use rg_ir::{Diagnostic, Game};

/// Edges of the largest game that is looked at.
const EDGES: usize = 20_000;
/// Cells of the largest state of such a game of joint moves, whose single steps write most of them.
const CELLS: u64 = 2_000;
/// Code of a game that is over before the first move.
const OVER_AT_START: &str = "RT210";
/// Code of moves that need not end.
const ENDLESS: &str = "RT208";
/// Codes of findings, made without playing, that there is no first move, or that moves break off.
const SAID: [&str; 3] = [rbg::codes::NO_MOVE, "RG032", "SBG541"];

/// Whether the preparation of a game would be noticed: only smaller games are looked at without being asked to.
pub fn is_large(loaded: &Loaded) -> bool {
    let game = &loaded.game;
    match loaded.notation.joint() {
        // A keeper that was translated from GDL neither chooses nor stops; its steps may be long.
        Some(_) => game.automaton.edge_count() > EDGES / 20 || Size::of(game).cells > CELLS,
        None => game.automaton.edge_count() > EDGES,
    }
}

/// What is found in the first positions of a game, and in some random games, beside what is known to be wrong with its text (`known`): a keeper who
/// chooses where it matters, or never stops, a game that is over before the first move, and dead ends. The work is bounded, not the time,
/// and nothing is found where [`is_large`] holds.
pub fn findings(loaded: Loaded, known: &[Diagnostic]) -> Vec<Diagnostic> {
    if is_large(&loaded) || known.iter().any(|finding| SAID.contains(&finding.code)) {
        return Vec::new();
    }
    let mut found = found(loaded);
    // That moves need not end is said of the rules already, in their terms.
    if known.iter().any(|finding| finding.code == rbg::codes::ENDLESS_MODIFIERS) {
        found.retain(|finding| finding.code != ENDLESS);
    }
    // A name that is misspelt for certain may well be why.
    let certain = |finding: &Diagnostic| finding.fixes.iter().any(|fix| fix.applies == Applies::Always);
    if known.iter().any(certain) {
        found.retain(|finding| !random_games::is_dead_end(finding) && finding.code != OVER_AT_START);
    }
    found
}

/// As [`findings`], for whoever writes the game: also that no score is ever assigned, if nothing keeps the game from being played. A game without scores is sound, so that checks
/// of whole games do not say it.
pub fn while_written(loaded: Loaded, known: &[Diagnostic]) -> Vec<Diagnostic> {
    let unscored = scores::finding(&loaded);
    let mut found = findings(loaded, known);
    if found.is_empty() && !known.iter().any(|finding| SAID.contains(&finding.code)) {
        found.extend(unscored);
    }
    found
}

fn found(loaded: Loaded) -> Vec<Diagnostic> {
    let game = &loaded.game;
    let budget = Budget { positions: 6, steps: 40_000, plays: 0, plies: 0, play_steps: 0, seed: 0 };
    let Ok(examined) = examine(game, &budget) else { return Vec::new() };
    let short = |play: &[String]| short(&loaded, play);
    let terms = Terms { game, language: loaded.language, notation: &*loaded.notation, short: &short };
    let found = proper(&terms, &examined, rulebook::Examined::unneeded(), 0, &[]);
    let mut findings: Vec<Diagnostic> = found.violations.iter().filter_map(|broken| broken.draft(&loaded)).collect();
    if examined.over_at_start {
        findings.push(over_at_start(game));
    }
    if findings.is_empty() {
        findings.extend(random_games::found(loaded));
    }
    findings
}

/// The finding about a game that is over before the first move.
pub fn over_at_start(game: &Game) -> Diagnostic {
    let span = ahead(game, game.begin());
    Diagnostic::warning(OVER_AT_START, span, "the game is over before the first move")
        .help("the player who begins needs a legal move, and the rules must not lead to the end at once")
}
