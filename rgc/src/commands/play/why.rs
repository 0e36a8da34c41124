//! Why a move is not legal, in terms of the rules.

use crate::input::escaped;
use crate::runner::Runner;
use crate::session::Session;
use backend::why::{Condition, Effort, NearMiss, near_misses};
use backend::{Error, State};
use rg_ir::text::print_expr;
use rg_ir::{Game, Label};

/// Conditions that are taken away at most until a move is found that the text means.
const MOST: usize = 3;
/// Steps of each search.
const STEPS: u64 = 200_000;

/// Which conditions of the rules stand in the way of the move that `text` means, and where they are written.
pub(super) fn explained(session: &Session, runner: &Runner, state: &State, text: &str) -> Result<String, Error> {
    let (mut cut, mut best): (bool, Option<NearMiss>) = (false, None);
    for conditions in 1..=MOST {
        let effort = Effort { conditions, steps: STEPS };
        // A text may be the tags themselves; then nothing else has to be looked at.
        let words: Vec<&str> = text.split_whitespace().collect();
        let begins =
            |tags: &[&str]| tags.len() <= words.len() && tags.iter().zip(&words).all(|(tag, word)| tag == word);
        let known = words.iter().all(|word| runner.loaded.game.symbols.get(word).is_some());
        if known {
            let (near, _) = near_misses(&runner.reasoner, &runner.loaded.game, state, effort, begins)?;
            if let Some(miss) = near.iter().find(|miss| miss.tags == words) {
                return Ok(described(session, runner, miss));
            }
        }
        let (near, more) = near_misses(&runner.reasoner, &runner.loaded.game, state, effort, |_| true)?;
        cut |= more;
        // A text may leave out much of a move: of all moves that it fits, the shortest is the likeliest.
        let shorter = |miss: &&NearMiss| best.as_ref().is_none_or(|best| miss.tags.len() < best.tags.len());
        best = meant(runner, &near, text).filter(shorter).cloned().or(best);
        if more {
            break;
        }
    }
    if let Some(miss) = best {
        return Ok(described(session, runner, &miss));
    }
    let rest = if cut { "; but not everything could be looked at" } else { "" };
    Ok(format!(
        "`{text}` is not a legal move; no explanation found (searched violations of up to {MOST} conditions){rest}\n"
    ))
}

/// The near miss that a text means: what it fits exactly, or else the shortest that it fits.
fn meant<'n>(runner: &Runner, near: &'n [NearMiss], text: &str) -> Option<&'n NearMiss> {
    let fits = |miss: &&NearMiss| {
        let tags: Vec<&str> = miss.tags.iter().map(String::as_str).collect();
        runner.loaded.notation.read_move(text, &[tags], runner.naming()).is_ok()
    };
    near.iter().filter(fits).min_by_key(|miss| (miss.tags.len(), miss.conditions.len()))
}

fn described(session: &Session, runner: &Runner, miss: &NearMiss) -> String {
    let tags: Vec<&str> = miss.tags.iter().map(String::as_str).collect();
    let name = runner.loaded.notation.short_moves(&[tags], runner.naming()).concat();
    let count = miss.conditions.len();
    let mut text = match count {
        1 => format!("`{name}` is not legal, because of one condition:\n"),
        _ => format!("`{name}` is not legal, because of {count} conditions:\n"),
    };
    for condition in &miss.conditions {
        text.push_str(&format!("  {}\n", condition_text(&runner.loaded.game, condition)));
        text.push_str(&place(session, &runner.loaded.game, condition));
    }
    text
}

/// What the rules demand, and what is the case.
fn condition_text(game: &Game, condition: &Condition) -> String {
    match game.automaton.edge(condition.edge).label {
        Label::Compare { lhs, rhs, negated } => {
            let (left, right) = (print_expr(game, lhs), print_expr(game, rhs));
            let (sign, found) = match (&condition.values, negated) {
                (Some((value, _)), true) => ("!=", format!(", but both are `{value}`")),
                (Some((value, other)), false) if *right == *other => ("==", format!(", but it is `{value}`")),
                (Some((value, other)), false) => ("==", format!(", but they are `{value}` and `{other}`")),
                (None, negated) => (if negated { "!=" } else { "==" }, String::new()),
            };
            format!("it needs `{left} {sign} {right}`{found}")
        }
        Label::Reach { from, to, negated } => {
            let (from, to) = (game.node_name(from), game.node_name(to));
            match negated {
                true => format!("there must be no way from `{from}` to `{to}`, but there is one"),
                false => format!("there must be a way from `{from}` to `{to}`, but there is none"),
            }
        }
        _ => String::new(),
    }
}

/// Where a condition is written: place and line of the text.
fn place(session: &Session, game: &Game, condition: &Condition) -> String {
    let span = game.automaton.edge(condition.edge).span;
    let Some((file, (line, column))) = session.sources.get(span.source).zip(session.sources.position(span)) else {
        return String::new();
    };
    let text = file.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    format!("    {}:{line}:{column}: {}\n", escaped(&file.name), text.trim())
}
