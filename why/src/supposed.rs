//! With which other values of one variable a move would be legal.

use backend::{Moves, State, Turn};
use kit::position::{Content, Position};
use kit::runner::Runner;
use rg_ir::notation::SourceNames;
use std::sync::atomic::{AtomicBool, Ordering};

/// Values of a variable at most that are tried one after the other.
const VALUES: usize = 24;

/// Positions at most that are looked at, times the edges of the automaton.
const EFFORT: usize = 100_000;

/// A variable with its value, and the values with which a move would be legal.
#[derive(Debug)]
pub(super) struct Supposed {
    variable: String,
    is: String,
    values: Vec<String>,
}

impl Supposed {
    /// In words: ``it would be legal if `throw` were `1` or `4`, but it is `3` ``.
    pub(super) fn text(&self) -> String {
        let Self { variable, is, values } = self;
        format!("it would be legal if `{variable}` were {}, but it is `{is}`", rg_ir::diag::alternatives(values))
    }
}

/// The first variable without keys of which some other value would make the text a legal move of the player to move, where names of variables are
/// those of the rules. Ends soon after `stop` is set. Tries a limited number of positions.
pub(super) fn supposed(runner: &Runner, state: &State, text: &str, stop: &AtomicBool) -> Option<Supposed> {
    let (game, notation) = (&runner.loaded.game, &runner.loaded.notation);
    if !matches!(notation.source_names(), SourceNames::All | SourceNames::Variables) {
        return None;
    }
    let turn = runner.reasoner.turn(state);
    let position = Position::of(runner, state);
    let mut left = EFFORT / game.automaton.edge_count().max(1);
    let mut is_legal = |variable: &str, value: &str| -> Option<bool> {
        left = left.checked_sub(1).filter(|_| !stop.load(Ordering::Relaxed))?;
        let mut other = position.clone();
        let slot = other.variables.0.iter_mut().find(|(name, _)| name == variable);
        slot.into_iter().for_each(|(_, content)| *content = Content::Symbol(value.to_owned()));
        Some(is_legal_at(runner, &other, turn, text).unwrap_or(false))
    };
    for decl in game.vars.values() {
        let (variable, members) = (game.name(decl.name), game.types.members(decl.ty));
        let Some(Content::Symbol(is)) = position.get(variable).filter(|_| variable != "player") else { continue };
        if members.len() > VALUES {
            continue;
        }
        let mut values = Vec::new();
        for value in members.iter().map(|&value| game.name(value)).filter(|value| value != is) {
            if is_legal(variable, value)? {
                values.push(format!("`{}`", notation.render_value(value)));
            }
        }
        if !values.is_empty() {
            return Some(Supposed { variable: variable.to_owned(), is: notation.render_value(is).to_owned(), values });
        }
    }
    None
}

/// Whether a text is a legal move in a position, for the player whose turn this is; `None` if that is not known.
fn is_legal_at(runner: &Runner, position: &Position, turn: Turn, text: &str) -> Option<bool> {
    let reasoner = runner.loaded.reasoner_at(position)?;
    let state = reasoner.initial().ok().filter(|state| reasoner.turn(state) == turn)?;
    let mut moves = Moves::new();
    reasoner.legal_moves(&state, &mut moves).ok()?;
    let tags: Vec<Vec<&str>> =
        moves.iter().map(|tags| tags.iter().map(|&tag| reasoner.tag_name(tag)).collect()).collect();
    Some(runner.loaded.notation.read_move(text, &tags, runner.naming()).is_ok())
}
