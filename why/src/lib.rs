//! Why a move is not legal, in terms of the rules: which comparison fails on the walk that the move would be ([`search`], told by [`with_reasons`]), or what a
//! look at the board tells ([`Sight`]).

mod answer;
mod defined;
mod ended;
mod forms;
mod legs;
mod looked;
mod owners;
mod position;
mod shared;
mod sight;
mod signs;
mod supposed;
mod words;

pub use answer::{Asked, with_reasons};
pub use ended::{Unable, unable};
pub use forms::{elsewhere, only_place};
pub use legs::Leg;
pub use owners::Owners;
pub use position::{Position, Told, only_board, stands};
pub use shared::in_all;
pub use sight::{HINT, Sight, named, one_place};
pub use signs::Signs;
pub use words::reads;

use backend::why::{Condition, Effort, Misses, NearMiss, near_misses};
use backend::{Error, Moves, State};
use kit::runner::Runner;
use rg_ir::notation::Item;
use rg_ir::{Game, Span};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Conditions that are taken away at most until a move is found that the text means.
const MOST: usize = 3;
/// The same where nothing is found with these: a long piece that lies on another one meets as many conditions as it is long.
const DEEPEST: usize = 5;
/// How many beginnings of legal moves are tried, at most.
const OPENINGS: usize = 3;
/// Steps of each search.
const STEPS: u64 = 200_000;
/// Steps, all searches together, of those that did not come to their end.
const ALL_STEPS: u64 = 2 * STEPS;

/// Why a move is not legal, as far as was found out.
#[derive(Default)]
pub struct Found {
    /// The move with the conditions because of which it is not legal.
    miss: Option<NearMiss>,
    /// What keeps all moves from beginning at the place where the one that is asked about begins: the values that are required of one thing.
    blocked: Vec<Condition>,
    /// The tags of the walk that comes furthest along the move, with the condition at which it stops.
    furthest: Option<NearMiss>,
    /// Other values of one thing before the move begins, each of which would be enough, where no rule leads there from the place.
    others: Vec<Condition>,
    /// For each condition of `miss`, itself and others about the same thing, each of which would be enough in its place.
    instead: Vec<Vec<Condition>>,
    /// Whether a move can begin where the move ends.
    is_own: bool,
    /// Words of all moves that were found, by their number, where that is not known to be incomplete.
    words: Vec<Vec<String>>,
    /// What would have to be different, where no condition of the rules keeps the move from being made.
    supposed: Option<supposed::Supposed>,
    /// Of a text that leaves the legal moves on one of its legs, a near miss that goes on there.
    leg: Option<NearMiss>,
    is_cut: bool,
}

/// Looks for the conditions of the rules that stand in the way of the move that `text` means: first among the moves from the same
/// place, of which there are few. Ends soon after `stop` is set.
pub fn search(
    runner: &Runner,
    state: &State,
    (text, leg): (&str, Option<&Leg>),
    stop: &AtomicBool,
) -> Result<Found, Error> {
    // A text that is only a part of longer moves may fit too many of them.
    if let Some(leg) = leg.filter(|leg| leg.is_beginning()) {
        return Ok(Found { leg: leg.missed(runner, state, stop)?, ..Found::default() });
    }
    let mut found = walked(runner, state, text, stop)?;
    if let Some(leg) = leg.filter(|_| found.miss.is_none()) {
        found.leg = leg.missed(runner, state, stop)?;
        return Ok(found);
    }
    if found.miss.is_none() && found.furthest.is_none() && found.blocked.is_empty() {
        found.supposed = supposed::supposed(runner, state, text, stop);
    }
    Ok(found)
}

/// What the walks of the rules tell.
fn walked(runner: &Runner, state: &State, text: &str, stop: &AtomicBool) -> Result<Found, Error> {
    let left = Cell::new(ALL_STEPS);
    let near = |(conditions, behind), wanted: &dyn Fn(&[&str]) -> bool| {
        if left.get() == 0 {
            return Ok(Misses { is_cut: true, ..Misses::default() });
        }
        let effort = Effort { conditions, behind, steps: STEPS.min(left.get()), stop: Some(stop) };
        let misses = near_misses(&runner.loaded.game, &runner.reasoner.image(state), effort, wanted)?;
        if misses.is_cut {
            left.set(left.get().saturating_sub(STEPS));
        }
        Ok(misses)
    };
    let mut found = Found::default();
    // A text may be the tags themselves; then nothing else has to be looked at.
    let words: Vec<&str> = text.split_whitespace().collect();
    let begins = |tags: &[&str]| tags.len() <= words.len() && tags.iter().zip(&words).all(|(tag, word)| tag == word);
    if words.iter().all(|word| runner.loaded.game.symbols.get(word).is_some()) {
        for conditions in 1..=MOST {
            let misses = near((conditions, 0), &begins)?;
            found.miss = misses.found.into_iter().find(|miss| miss.tags == words);
            if found.miss.is_some() {
                return Ok(found);
            }
        }
    }
    if let Some(first) = first_place(runner, text) {
        for opening in openings(runner, state, first)? {
            let near =
                |effort: (usize, usize), wanted: &dyn Fn(&[&str]) -> bool| opened(&opening, effort, wanted, &near);
            if found.seek_at(runner, text, first, &near)? {
                return Ok(found);
            }
        }
        let leads = |tags: &[&str]| leads_to(runner, first, tags);
        if is_way(runner, text) {
            let all = near((1, 0), &leads)?;
            found.blocked = if all.is_cut { Vec::new() } else { blocked(&all.found) };
            if found.blocked.is_empty() {
                found.seek((runner, text), |conditions| near((conditions, 0), &leads), |_| true)?;
            }
            found.furthest = None;
            return Ok(found);
        }
    }
    found.seek((runner, text), |conditions| near((conditions, 0), &|_| true), |_| true)?;
    found.furthest = None;
    if found.miss.is_none() && !found.is_cut {
        let all = near((MOST, 0), &|_| true)?;
        let tags: Vec<Vec<&str>> = all.found.iter().map(|miss| texts(&miss.tags)).collect();
        let moves = if all.is_cut { Vec::new() } else { runner.loaded.notation.short_moves(&tags, runner.naming()) };
        found.words = moves.iter().map(|text| kit::misread::words(text).map(str::to_owned).collect()).collect();
    }
    Ok(found)
}

/// A search for near misses: conditions ignored at most, tags before them at least, and which beginnings of tags are of interest.
type Near<'n> = dyn Fn((usize, usize), &dyn Fn(&[&str]) -> bool) -> Result<Misses, Error> + 'n;

/// Beginnings that a move from `place` may have before its first tag for that: what legal moves have before the place with which they are
/// written, such as a mark that is taken away, the most frequent one first; then what all legal moves have in common, the longest first. The last one is empty.
fn openings(runner: &Runner, state: &State, place: &str) -> Result<Vec<Vec<String>>, Error> {
    let mut moves = Moves::new();
    runner.reasoner.legal_moves(state, &mut moves)?;
    let tags = runner.tags(&moves);
    let [first, others @ ..] = tags.as_slice() else { return Ok(vec![Vec::new()]) };
    if others.is_empty() {
        return Ok(vec![Vec::new()]);
    }
    let is_shared = |at: usize, tag: &str| others.iter().all(|other| other.get(at) == Some(&tag));
    let is_place = |tag: &str| label(runner, tag) == Some(place);
    let shared = (0..).zip(first).take_while(|&(at, tag)| is_shared(at, tag) && !is_place(tag)).count();
    let cut = |length: usize| first.iter().take(length).map(|&tag| tag.to_owned()).collect();
    let mut openings = before_sources(runner, &moves, &tags);
    for opening in (0..=shared).rev().map(cut) {
        if !openings.contains(&opening) {
            openings.push(opening);
        }
    }
    Ok(openings)
}

/// What legal moves have before the place with which they are written, the most frequent first, and at most [`OPENINGS`]. Linear.
fn before_sources(runner: &Runner, moves: &Moves, tags: &[Vec<&str>]) -> Vec<Vec<String>> {
    let mut counts: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for (text, tags) in runner.short_texts(moves).iter().zip(tags) {
        let source = first_place(runner, text);
        let is_source = |tag: &&str| source.is_some() && label(runner, tag) == source;
        if let Some(at) = tags.iter().position(is_source) {
            *counts.entry(tags.iter().take(at).copied().collect()).or_default() += 1;
        }
    }
    let mut openings: Vec<(Vec<&str>, usize)> = counts.into_iter().collect();
    openings.sort_by_key(|&(_, count)| Reverse(count));
    openings.truncate(OPENINGS);
    openings.into_iter().map(|(opening, _)| opening.into_iter().map(str::to_owned).collect()).collect()
}

/// The label of the place that a tag names.
fn label<'r>(runner: &'r Runner, tag: &'r str) -> Option<&'r str> {
    let notation = &runner.loaded.notation;
    notation.places().and_then(|places| places.label(notation.render_value(tag)))
}

/// The near misses that begin with certain tags; these are left out of them.
fn opened(
    opening: &[String],
    (conditions, behind): (usize, usize),
    wanted: &dyn Fn(&[&str]) -> bool,
    near: &Near<'_>,
) -> Result<Misses, Error> {
    let goes_on = |tags: &[&str]| {
        opening.iter().zip(tags).all(|(opening, tag)| opening == tag)
            && tags.get(opening.len()..).is_none_or(|rest| rest.is_empty() || wanted(rest))
    };
    let Misses { mut found, mut furthest, is_cut } = near((conditions, behind + opening.len()), &goes_on)?;
    found.retain(|miss| miss.tags.len() >= opening.len());
    furthest = furthest.filter(|miss| miss.tags.len() >= opening.len());
    for miss in found.iter_mut().chain(&mut furthest) {
        miss.tags.drain(..opening.len());
        let others = miss.conditions.iter_mut().flat_map(|one| {
            std::iter::once(&mut one.after).chain(one.instead.iter_mut().map(|other| &mut other.after))
        });
        others.for_each(|after| *after = after.saturating_sub(opening.len()));
    }
    Ok(Misses { found, furthest, is_cut })
}

/// Whether the first place among the tags of a walk, if there is one, has this label: as the tags have it, or as the move would be written that has no
/// others. The place with which a whole move is written may depend on what comes behind, as that of castling does.
fn leads_to(runner: &Runner, place: &str, tags: &[&str]) -> bool {
    let in_tags = || tags.iter().find_map(|tag| label(runner, tag)) == Some(place);
    places(runner, tags).first().is_none_or(|first| first == place) || in_tags()
}

impl Found {
    /// The conditions that stand in the way of the move, as far as they are written anywhere, each place once.
    fn conditions(&self, game: &Game) -> Vec<(Span, &Condition)> {
        let misses = self.miss.iter().chain(&self.leg);
        let misses = misses.chain(self.furthest.iter().filter(|_| self.miss.is_none()));
        let conditions = misses.flat_map(|miss| &miss.conditions).chain(&self.blocked);
        let mut places: Vec<_> = conditions.map(|one| (game.automaton.edge(one.edge).span, one)).collect();
        places.retain(|(span, _)| span.is_some());
        places.dedup_by_key(|(span, _)| *span);
        places
    }

    /// Whether conditions were found that stand in the way of the move.
    pub fn has_reason(&self) -> bool {
        self.miss.is_some()
    }

    /// Looks among the walks from the first place of the text; says whether there are any that can begin there, or the move itself.
    fn seek_at(&mut self, runner: &Runner, text: &str, first: &str, near: &Near<'_>) -> Result<bool, Error> {
        let leads = |tags: &[&str]| leads_to(runner, first, tags);
        let any = |_: &NearMiss| true;
        self.seek((runner, text), |conditions| near((conditions, 1), &leads), any)?;
        // What can begin there is what is meant.
        self.furthest = self.furthest.take().filter(|miss| begins_at(runner, first, miss));
        if !is_way(runner, text) {
            self.furthest = None;
            return Ok(self.miss.is_some());
        }
        if self.miss.is_none() && self.furthest.is_some() {
            // What keeps this move alone from beginning; that another piece could make it is said apart.
            let furthest = self.furthest.take();
            let is_for_it = |miss: &NearMiss| !miss.conditions.iter().any(|one| looked::is_about(runner, one, first));
            self.seek((runner, text), |conditions| near((conditions, 0), &leads), is_for_it)?;
            self.furthest = furthest;
        }
        if self.miss.is_none() && self.furthest.is_some() {
            self.others = others(runner, &near((1, 0), &leads)?.found, text);
        }
        if let Some(last) = self.miss.as_ref().and_then(|miss| last_place(runner, miss)) {
            let leads = |tags: &[&str]| leads_to(runner, &last, tags);
            let walks = near((1, 1), &leads)?;
            self.is_own = walks.furthest.iter().chain(&walks.found).any(|miss| begins_at(runner, &last, miss));
        }
        Ok(self.miss.is_some() || self.furthest.is_some())
    }

    /// Looks with more and more conditions ignored for a near miss that the text means, among those that `may` be told.
    fn seek(
        &mut self,
        (runner, text): (&Runner, &str),
        near: impl Fn(usize) -> Result<Misses, Error>,
        may: impl Fn(&NearMiss) -> bool,
    ) -> Result<(), Error> {
        self.is_cut = false;
        // Of what leads from place to place, so much is another position.
        let deepest = if is_way(runner, text) { MOST } else { DEEPEST };
        for conditions in 1..=deepest {
            if conditions > MOST && self.miss.is_some() {
                break;
            }
            let mut misses = near(conditions)?;
            // What is that far away is only told where all of it was looked at.
            if conditions > MOST && misses.is_cut {
                break;
            }
            misses.found.retain(&may);
            self.is_cut |= misses.is_cut;
            self.furthest = self.furthest.take().or(misses.furthest);
            let best = meant(runner, &misses.found, text);
            if let Some(miss) = best.filter(|miss| self.miss.as_ref().is_none_or(|before| is_better(miss, before))) {
                self.instead = instead(runner, &misses.found, miss, text);
                self.miss = Some(miss.clone());
            }
            if misses.is_cut {
                break;
            }
        }
        Ok(())
    }
}

/// What must be different before any of the moves can begin, if that is the same thing for all of them, and each requires another value:
/// these conditions, one for each value.
fn blocked(misses: &[NearMiss]) -> Vec<Condition> {
    let mut found: Vec<Condition> = Vec::new();
    for miss in misses {
        let first = miss.conditions.first().filter(|condition| condition.after == 0 && condition.values.is_some());
        let Some(first) = first else { return Vec::new() };
        let is_same = |other: &Condition| actual(other) == actual(first) && other.keys == first.keys;
        if !found.iter().all(is_same) {
            return Vec::new();
        }
        if !found.iter().any(|other| other.values == first.values) {
            found.push(first.clone());
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// Of the near misses that a text fits, the conditions that fail before anything is chosen: those about the same thing as the first of them,
/// one for each value. With another form of the same piece on a place, the rules would lead from there.
fn others(runner: &Runner, misses: &[NearMiss], text: &str) -> Vec<Condition> {
    let mut found: Vec<Condition> = Vec::new();
    for miss in misses {
        let [only] = miss.conditions.as_slice() else { continue };
        let fits = || runner.loaded.notation.read_move(text, &[texts(&miss.tags)], runner.naming()).is_ok();
        let is_new = || found.iter().all(|other| actual(other) == actual(only) && other.values != only.values);
        let is_kin = |(is, wanted): &(String, String)| looked::are_kin(runner, is, wanted);
        if only.after == 0 && only.values.as_ref().is_some_and(is_kin) && is_new() && fits() {
            found.push(only.clone());
        }
    }
    found
}

/// For each condition of `best`, itself and those that would be enough in its place, if they look at the same thing: as the search has found them, and
/// those of other near misses that the text fits and that differ in nothing else. With any of the values that they require, there would be such
/// a move.
fn instead(runner: &Runner, misses: &[NearMiss], best: &NearMiss, text: &str) -> Vec<Vec<Condition>> {
    let looked = |one: &Condition| looked::looked_at(runner, one).map(|looked| (one.after, format!("{looked:?}")));
    let wanted: Vec<_> = best.conditions.iter().map(looked).collect();
    let mut found: Vec<Vec<Condition>> = best.conditions.iter().map(|one| vec![one.clone()]).collect();
    for (known, cell) in found.iter_mut().zip(&wanted) {
        let others: Vec<Condition> = known.iter().flat_map(|one| one.instead.clone()).collect();
        known.extend(others.into_iter().filter(|other| cell.is_some() && looked(other) == *cell));
    }
    let is_like = |miss: &&NearMiss| {
        miss.tags.len() == best.tags.len()
            && miss.conditions.len() == best.conditions.len()
            && miss.conditions.iter().zip(&wanted).all(|(one, cell)| cell.is_some() && looked(one) == *cell)
    };
    for miss in misses.iter().filter(is_like) {
        let differs =
            |(at, one): &(usize, &Condition)| best.conditions.get(*at).is_none_or(|other| other.edge != one.edge);
        let mut others = miss.conditions.iter().enumerate().filter(differs);
        let (Some((at, other)), None) = (others.next(), others.next()) else { continue };
        let fits = || runner.loaded.notation.read_move(text, &[texts(&miss.tags)], runner.naming()).is_ok();
        if let Some(known) = found.get_mut(at)
            && known.iter().all(|known| known.edge != other.edge)
            && fits()
        {
            known.push(other.clone());
        }
    }
    found
}

/// The last place that a near miss names.
fn last_place(runner: &Runner, miss: &NearMiss) -> Option<String> {
    places(runner, &texts(&miss.tags)).pop()
}

/// Whether the first place that a near miss names has this label.
fn begins_at(runner: &Runner, label: &str, miss: &NearMiss) -> bool {
    places(runner, &texts(&miss.tags)).first().is_some_and(|place| place == label)
}

/// The value of the left side of a comparison.
fn actual(condition: &Condition) -> Option<&str> {
    condition.values.as_ref().map(|(value, _)| value.as_str())
}

/// Whether a text begins with a place and names another one, or the same again.
pub fn is_way(runner: &Runner, text: &str) -> bool {
    let places = runner.loaded.notation.places();
    first_place(runner, text).is_some() && places.is_some_and(|places| sight::named(places, text).len() > 1)
}

/// Whether a text is a place and nothing else.
pub fn is_place(runner: &Runner, text: &str) -> bool {
    let places = runner.loaded.notation.places();
    places.and_then(|places| places.begin(text.trim())).is_some_and(|(_, rest)| rest.is_empty())
}

/// The place of which a text consists but for white space, where its first word is none: `a3` of `a 3`.
pub fn joined_place(runner: &Runner, text: &str) -> Option<String> {
    let places = runner.loaded.notation.places()?;
    let joined: String = text.split_whitespace().collect();
    let (label, _) = places.begin(&joined).filter(|(_, rest)| rest.is_empty() && joined.len() < text.trim().len())?;
    first_place(runner, text).is_none().then(|| label.to_owned())
}

fn texts(tags: &[String]) -> Vec<&str> {
    tags.iter().map(String::as_str).collect()
}

/// What people call the places among the tags of a move, or of its beginning.
fn places(runner: &Runner, tags: &[&str]) -> Vec<String> {
    let label = |item| match item {
        Item::Place(label) => Some(label),
        _ => None,
    };
    let readings = runner.loaded.notation.readings(&[tags.to_vec()]);
    readings.into_iter().flat_map(|reading| reading.items).filter_map(label).collect()
}

/// The place that a text begins with.
pub fn first_place<'r>(runner: &'r Runner, text: &str) -> Option<&'r str> {
    runner.loaded.notation.places()?.begin(text.trim_start()).map(|(label, _)| label)
}

/// The near miss that a text means: what it fits exactly, or else the best that it fits.
fn meant<'n>(runner: &Runner, near: &'n [NearMiss], text: &str) -> Option<&'n NearMiss> {
    let fits = |miss: &&NearMiss| {
        let tags = texts(&miss.tags);
        let is_off = || miss.conditions.iter().any(|one| looked::is_off_board(runner, one));
        names(runner, &tags, text)
            && !is_off()
            && runner.loaded.notation.read_move(text, &[tags], runner.naming()).is_ok()
    };
    near.iter().filter(fits).reduce(|best, other| if is_better(other, best) { other } else { best })
}

/// Whether a move is about the places that a text names: it begins or ends at the only one, and leads from the first one to the last one. A move may
/// pass by other places.
fn names(runner: &Runner, tags: &[&str], text: &str) -> bool {
    let Some(places) = runner.loaded.notation.places() else { return true };
    let wanted = sight::named(places, text);
    let short = runner.loaded.notation.short_moves(&[tags.to_vec()], runner.naming()).concat();
    let named = sight::named(places, &short);
    match wanted.as_slice() {
        // A letter or a number alone is not the name of a move that has it somewhere behind a place.
        [] if kit::misread::words(text).count() == 1
            || kit::misread::words(text).all(|word| word.parse::<u64>().is_ok()) =>
        {
            named.is_empty()
        }
        [only] if *only == text.trim() => named.is_empty() || named.first() == Some(only) || named.last() == Some(only),
        [first, .., last] if is_way(runner, text) => {
            named.is_empty() || named.first() == Some(first) && named.last() == Some(last)
        }
        _ => true,
    }
}

/// Of several moves that a text fits, because it leaves out much of them, the shortest is the likeliest, and then the one with fewest
/// conditions; of equal ones, that which comes furthest before a condition fails.
fn is_better(miss: &NearMiss, other: &NearMiss) -> bool {
    let reached = |miss: &NearMiss| miss.conditions.first().map_or(0, |condition| condition.after);
    let key = |miss: &NearMiss| (miss.tags.len(), miss.conditions.len(), Reverse(reached(miss)));
    key(miss) < key(other)
}
