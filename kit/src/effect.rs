//! Legal moves found by what they do, where their notation names something else than the place they lead to.

use crate::position::{Content, Entries, Position};
use crate::runner::Runner;
use backend::{Moves, State};
use rg_ir::diag::alternatives;
use rg_ir::notation::Places;

/// Legal moves at most whose effects are looked at.
const LOOKED_AT: usize = 80;

/// The legal moves, in short, that do what a text says which names two places: what stands on the first one goes to the second one. Only moves that do
/// not name the second one are looked at. None if something is hidden, and where there are very many moves. Makes each of them.
pub fn leading(runner: &Runner, state: &State, text: &str) -> Vec<String> {
    found(runner, state, text).unwrap_or_default()
}

/// Which of the legal moves these are, if there is only one.
pub(crate) fn only(runner: &Runner, state: &State, text: &str, moves: &Moves) -> Option<usize> {
    let [only] = &leading(runner, state, text)[..] else { return None };
    runner.find(only, moves).ok()
}

/// How a text of two places is written as a legal move, or as two of them of the same player; `None` if no move is meant.
pub fn written(runner: &Runner, state: &State, text: &str) -> Option<String> {
    let mut found = leading(runner, state, text);
    if found.is_empty() {
        found = in_two(runner, state, text).unwrap_or_default();
    }
    let found: Vec<String> = found.iter().map(|legal| format!("`{legal}`")).collect();
    (!found.is_empty()).then(|| format!("`{}` is written {} here", text.trim(), alternatives(&found)))
}

/// A text of several numbers as places that are numbered alike, `P6 P5` for `6/5`; `None` if it is no such text, or the places are not.
pub fn numbered_places(runner: &Runner, text: &str) -> Option<String> {
    let places = runner.loaded.notation.places()?;
    let named = names(Some(places), text).filter(|names| names.len() > 1)?;
    let mut full = Vec::new();
    for name in named {
        let is_it = |label: &&str| {
            let rest = label.trim_start_matches(|c: char| !c.is_ascii_digit());
            rest.len() < label.len() && rest == name
        };
        let mut found = places.labels().filter(is_it);
        full.push(found.next().filter(|_| found.next().is_none())?);
    }
    Some(full.join(" "))
}

/// Pairs of legal moves of the same player that do together what a text says, each separated by `;`.
fn in_two(runner: &Runner, state: &State, text: &str) -> Option<Vec<String>> {
    let ([from, to], before) = asked(runner, state, text)?;
    let turn = runner.reasoner.turn(state);
    let (mut firsts, mut seconds) = (Moves::new(), Moves::new());
    runner.reasoner.legal_moves(state, &mut firsts).ok()?;
    let (mut found, mut looked) = (Vec::new(), 0);
    for (first, text) in runner.short_texts(&firsts).iter().enumerate() {
        if !begins_at(runner, text, &from) {
            continue;
        }
        let mut between = state.clone();
        runner.reasoner.apply(&mut between, &firsts, first).ok()?;
        if runner.reasoner.turn(&between) != turn || runner.reasoner.legal_moves(&between, &mut seconds).is_err() {
            continue;
        }
        looked += seconds.len();
        if looked > LOOKED_AT {
            return None;
        }
        for (second, behind) in runner.short_texts(&seconds).iter().enumerate() {
            if leads(runner, &between, (&seconds, second), (&before, [&from, &to])) {
                found.push(format!("{text}; {behind}"));
            }
        }
    }
    Some(found)
}

fn found(runner: &Runner, state: &State, text: &str) -> Option<Vec<String>> {
    let ([from, to], before) = asked(runner, state, text)?;
    let mut moves = Moves::new();
    runner.reasoner.legal_moves(state, &mut moves).ok()?;
    let places = runner.loaded.notation.places();
    let names = |text: &str| names(places, text).unwrap_or_default();
    let may_be = |text: &str| begins_at(runner, text, &from) && !names(text).contains(&to);
    let short = runner.short_texts(&moves);
    let candidates = short.iter().enumerate().filter(|(_, text)| may_be(text));
    let leading = candidates.filter(|&(index, _)| leads(runner, state, (&moves, index), (&before, [&from, &to])));
    let mut found: Vec<String> = leading.map(|(_, text)| text.clone()).collect();
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// The two places that a text names, and the position; `None` if it does not, something is hidden, or there are very many moves.
fn asked(runner: &Runner, state: &State, text: &str) -> Option<([String; 2], Position)> {
    let named = names(runner.loaded.notation.places(), text)?;
    if !matches!(named.len(), 1 | 2) || runner.reasoner.hides() {
        return None;
    }
    let mut moves = Moves::new();
    if runner.reasoner.legal_moves(state, &mut moves).is_err() || moves.len() > LOOKED_AT {
        return None;
    }
    let before = Position::of(runner, state);
    let is_known = |name: &str| before.variables.0.iter().any(|(_, content)| has_key(runner, content, name));
    let both = match named.as_slice() {
        [both] => halves(both, is_known)?,
        [from, to] if is_known(from) && is_known(to) => [from.clone(), to.clone()],
        _ => return None,
    };
    Some((both, before))
}

/// Whether a move begins with a place, or with none.
fn begins_at(runner: &Runner, text: &str, from: &str) -> bool {
    runner.loaded.notation.places().and_then(|places| places.begin(text)).is_none_or(|(label, _)| label == from)
}

/// Whether after a move of a state something has gone from one place to another one, compared with the position `before`.
fn leads(
    runner: &Runner,
    state: &State,
    (moves, index): (&Moves, usize),
    (before, [from, to]): (&Position, [&str; 2]),
) -> bool {
    let mut after = state.clone();
    if runner.reasoner.apply(&mut after, moves, index).is_err() {
        return false;
    }
    let after = Position::of(runner, &after);
    let mut pairs = before.variables.0.iter().zip(&after.variables.0);
    pairs.any(|((_, before), (_, after))| moved(runner, (before, after), (from, to)))
}

/// The two names of which a text without anything between them consists, if there is only one way to cut it into such ones.
fn halves(text: &str, is_known: impl Fn(&str) -> bool) -> Option<[String; 2]> {
    let cuts = text.char_indices().skip(1).map(|(at, _)| text.split_at(at));
    let mut found = cuts.filter(|(from, to)| is_known(from) && is_known(to));
    let (from, to) = found.next()?;
    found.next().is_none().then(|| [from.to_owned(), to.to_owned()])
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
        let two = |text: &str| names(Some(&places), text).map(|names| names.join(" "));
        for text in ["P24 P2", "p24P2", "P24/P2", " P24 -> p2 "] {
            assert_eq!(two(text).as_deref(), Some("P24 P2"), "{text}");
        }
        assert_eq!(two("bar P2").as_deref(), Some("bar P2"));
        assert_eq!(["P2 (", "(a)"].map(two), [None, None]);
    }

    #[test]
    fn names_are_cut_where_both_parts_are_known() {
        let cut = |text: &str| {
            halves(text, |name| ["a1", "a11", "b1", "1", "11", "x"].contains(&name)).map(|two| two.join(" "))
        };
        assert_eq!(["a1b1", "xx", "1x"].map(cut), ["a1 b1", "x x", "1 x"].map(|text| Some(text.to_owned())));
        assert_eq!(
            ["a111", "a1c1", "a1", "", "é1"].map(cut),
            [None, None, None, None, None],
            "`a1 11` and `a11 1` are both two names"
        );
    }
}
