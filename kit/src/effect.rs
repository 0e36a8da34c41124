//! Legal moves found by what they do, where their notation names something else than the place they lead to.

use crate::position::{Content, Entries, Position};
use crate::runner::Runner;
use backend::{Moves, State};
use rg_ir::diag::alternatives;
use rg_ir::notation::Places;

/// Legal moves at most whose effects are looked at.
const LOOKED_AT: usize = 80;

/// How legal moves are written that do what a text says which names two places: what stands on the first one goes to the second one. Only moves that do
/// not name the second one are looked at. `None` if there are none, if something is hidden, and where there are very many moves. Makes each of them.
pub fn leading(runner: &Runner, state: &State, text: &str) -> Option<String> {
    let written: Vec<String> = found(runner, state, text).iter().map(|legal| format!("`{legal}`")).collect();
    (!written.is_empty()).then(|| format!("`{}` is written {} here", text.trim(), alternatives(&written)))
}

/// These moves, in short.
fn found(runner: &Runner, state: &State, text: &str) -> Vec<String> {
    let mut moves = Moves::new();
    let places = runner.loaded.notation.places();
    let Some([from, to]) = two_names(places, text).filter(|_| !runner.reasoner.hides()) else { return Vec::new() };
    if runner.reasoner.legal_moves(state, &mut moves).is_err() || moves.len() > LOOKED_AT {
        return Vec::new();
    }
    let before = Position::of(runner, state);
    let is_known = |name: &str| before.variables.0.iter().any(|(_, content)| has_key(runner, content, name));
    if !is_known(&from) || !is_known(&to) {
        return Vec::new();
    }
    let short = runner.short_texts(&moves);
    let names = |text: &str| names(places, text).unwrap_or_default();
    let begins = |text: &str| places.and_then(|places| places.begin(text)).is_none_or(|(label, _)| label == from);
    let candidates = (0..).zip(&short).filter(|(_, text)| begins(text) && !names(text).contains(&to));
    let leads = |index: usize| {
        let mut after = state.clone();
        runner.reasoner.apply(&mut after, &moves, index).ok()?;
        let after = Position::of(runner, &after);
        let mut pairs = before.variables.0.iter().zip(&after.variables.0);
        pairs.any(|((_, before), (_, after))| moved(runner, (before, after), (&from, &to))).then_some(())
    };
    let mut found: Vec<String> =
        candidates.filter(|&(index, _)| leads(index).is_some()).map(|(_, text)| text.clone()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What people call a key of a map.
fn called<'r>(runner: &'r Runner, key: &'r str) -> &'r str {
    let notation = &runner.loaded.notation;
    let name = notation.render_value(key);
    notation.places().and_then(|places| places.label(name)).unwrap_or(name)
}

/// Whether a map has a key of this name, at any level.
fn has_key(runner: &Runner, content: &Content, name: &str) -> bool {
    let Content::Map(Entries(entries)) = content else { return false };
    entries.iter().any(|(key, below)| called(runner, key).eq_ignore_ascii_case(name) || has_key(runner, below, name))
}

/// Whether something goes from one key of a map to another one of the same map: one number becomes smaller and the other one larger, and no third one
/// changes, or what the one had is what the other one has, and it is not the mark of an empty place.
fn moved(runner: &Runner, (before, after): (&Content, &Content), (from, to): (&str, &str)) -> bool {
    let (Content::Map(Entries(before)), Content::Map(Entries(after))) = (before, after) else { return false };
    let mut changed: Vec<(&str, &str, &str)> = Vec::new();
    for ((key, before), (_, after)) in before.iter().zip(after) {
        match (before, after) {
            (Content::Symbol(before), Content::Symbol(after)) if before != after => {
                changed.push((called(runner, key), before, after));
            }
            (Content::Symbol(_), _) | (_, Content::Symbol(_)) => {}
            maps => {
                if moved(runner, maps, (from, to)) {
                    return true;
                }
            }
        }
    }
    let of = |name: &str| changed.iter().find(|(key, ..)| key.eq_ignore_ascii_case(name));
    let (Some((_, lost, left)), Some((_, had, got))) = (of(from), of(to)) else { return false };
    let number = |text: &str| text.parse::<u64>().ok();
    match (number(lost), number(left), number(had), number(got)) {
        (Some(lost), Some(left), Some(had), Some(got)) => left < lost && had < got && changed.len() == 2,
        _ => {
            let name = runner.loaded.notation.render_value(lost);
            let mut pieces = runner.loaded.notation.boards().iter().flat_map(|board| &board.pieces);
            lost == got && !pieces.any(|piece| piece.is_empty && piece.name == name)
        }
    }
}

/// The two names of which a text consists, places by their labels.
fn two_names(places: Option<&Places>, text: &str) -> Option<[String; 2]> {
    names(places, text)?.try_into().ok()
}

/// The names of which a text consists, with signs between them; `None` if there is anything else.
fn names(places: Option<&Places>, text: &str) -> Option<Vec<String>> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, '-' | '–' | '>' | '→' | ',' | ':' | '/');
    let (mut found, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (name, behind) = match places.and_then(|places| places.begin(rest)) {
            Some((label, behind)) => (label, behind),
            None => rest.split_at(rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())),
        };
        if name.is_empty() {
            return None;
        }
        found.push(name.to_owned());
        rest = behind.trim_start_matches(is_between);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_consist_of_names() {
        let places = Places::new(["P2", "P24"].map(|label| (label, label)));
        let two = |text: &str| two_names(Some(&places), text).map(|names| names.join(" "));
        for text in ["P24 P2", "p24P2", "P24/P2", " P24 -> p2 "] {
            assert_eq!(two(text).as_deref(), Some("P24 P2"), "{text}");
        }
        assert_eq!(two("bar P2").as_deref(), Some("bar P2"));
        assert_eq!(["P2", "P2 P24 off", "P2 (", ""].map(two), [None, None, None, None]);
    }
}
