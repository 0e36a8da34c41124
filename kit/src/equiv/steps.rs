//! Comparing games of which the second makes one move of the first in several steps: moves of the same player one after the other.
//!
//! A move is the sequence of its words, which are its tags, and in GDL the arguments of its term. The words of the steps one after the other have to be those
//! of the move. Every step has to lead to a move, and every move has to be made by one sequence of steps. Where words do not tell moves apart, or not
//! where one ends, a position is not compared: moves with the same words, and a move that may go on, after which the same player moves again.

use super::named::Stop;
use super::{Budget, Criterion, MAX_PLIES, Position, Verdict, below, look_at, players};
use crate::Result;
use crate::runner::Runner;
use crate::table::counted;
use backend::{Moves, Rng, State};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Most steps of a move.
const MAX_STEPS: usize = 1_000;

/// A move as its words.
type Words = Vec<String>;

/// Compares two games.
pub(super) fn compare(games: [&Runner; 2], budget: &Budget) -> Result<Verdict> {
    let mut verdict = Verdict::new(Criterion::Steps, None);
    let start = Position::initial(games)?;
    if let Some(what) = players(games) {
        return Ok(verdict.unless(Some(start.difference(games, what, false))));
    }
    let searched = systematically(games, &start, budget, &mut verdict);
    match searched.and_then(|()| randomly(games, &start, budget, &mut verdict)) {
        Ok(()) => Ok(verdict),
        Err(Stop::Different(difference)) => Ok(verdict.unless(Some(*difference))),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// Breadth first, by moves of the first game.
fn systematically(games: [&Runner; 2], start: &Position, budget: &Budget, verdict: &mut Verdict) -> Result<(), Stop> {
    let mut seen: FxHashSet<[State; 2]> = FxHashSet::from_iter([start.states.clone()]);
    let mut queue = VecDeque::from([(0u32, start.clone())]);
    // The depth to which there is room in the budget for all positions.
    let mut whole = None;
    while let Some((depth, position)) = queue.pop_front() {
        verdict.positions += 1;
        verdict.depth = depth;
        let Some(all) = after(games, &position)? else {
            verdict.positions -= 1;
            verdict.undecided += 1;
            continue;
        };
        for next in all {
            if depth >= budget.depth || verdict.positions + queue.len() as u64 >= budget.positions {
                whole = whole.or(Some(depth));
                break;
            }
            if seen.insert(next.states.clone()) {
                queue.push_back((depth + 1, next));
            }
        }
    }
    verdict.depth = whole.unwrap_or(verdict.depth);
    verdict.complete = whole.is_none() && verdict.undecided == 0;
    Ok(())
}

fn randomly(games: [&Runner; 2], start: &Position, budget: &Budget, verdict: &mut Verdict) -> Result<(), Stop> {
    let mut rng = Rng::new(budget.seed);
    let plays = if verdict.complete { 0 } else { budget.plays };
    'plays: for _ in 0..plays {
        let mut position = start.clone();
        for _ in 0..MAX_PLIES {
            let Some(mut next) = after(games, &position)? else {
                verdict.undecided += 1;
                continue 'plays;
            };
            if next.is_empty() {
                break;
            }
            position = next.swap_remove(below(&mut rng, next.len()));
        }
        verdict.plays += 1;
    }
    Ok(())
}

fn different(games: [&Runner; 2], position: &Position, what: String) -> Stop {
    Stop::Different(Box::new(position.difference(games, what, false)))
}

/// The positions after all moves of the first game, with the steps of the second one; `None` if words do not say which steps are which moves.
fn after(games: [&Runner; 2], position: &Position) -> Result<Option<Vec<Position>>, Stop> {
    if let Some(what) = position.differs(games) {
        return Err(different(games, position, what));
    }
    let [first, _] = games;
    let [state, _] = &position.states;
    let mut moves = Moves::new();
    legal(first, state, &position.play[0], &mut moves)?;
    let words = words(first, &moves);
    let mut whole: FxHashMap<&[String], usize> = FxHashMap::default();
    let (mut begun, mut open): (FxHashSet<&[String]>, FxHashSet<&[String]>) = Default::default();
    for (words, index) in words.iter().zip(0..) {
        if whole.insert(words, index).is_some() {
            return Ok(None);
        }
        open.extend((0..words.len()).filter_map(|length| words.get(..length)));
        begun.insert(words);
    }
    begun.extend(&open);
    let mut ends = Vec::with_capacity(moves.len());
    for index in 0..moves.len() {
        let mut next = state.clone();
        let mut play = position.play[0].clone();
        play.push(first.reasoner.move_text(&moves, index));
        let applied = first.reasoner.apply(&mut next, &moves, index);
        applied.map_err(|error| first.failure_after(error, play.clone()))?;
        ends.push((next, play));
    }
    let Some(found) = (Steps { games, position, ends: &ends, whole: &whole, begun: &begun, open: &open }).follow()?
    else {
        return Ok(None);
    };
    if let Some((_, play)) = ends.iter().zip(0..).find(|(_, index)| !found.contains_key(index)).map(|(end, _)| end) {
        let left = play.last().cloned().unwrap_or_default();
        let what = format!("first game: `{left}` is legal / second game: no steps make that move");
        return Err(different(games, position, what));
    }
    let mut found: Vec<(usize, Position)> = found.into_iter().collect();
    found.sort_unstable_by_key(|(index, _)| *index);
    Ok(Some(found.into_iter().map(|(_, position)| position).collect()))
}

/// How the second game makes the moves of a position.
struct Steps<'a> {
    games: [&'a Runner; 2],
    position: &'a Position,
    /// Where moves of the first game lead, with the play up to there.
    ends: &'a [(State, Vec<String>)],
    /// The moves by their words, all that these begin with, and what they begin with and go on after.
    whole: &'a FxHashMap<&'a [String], usize>,
    begun: &'a FxHashSet<&'a [String]>,
    open: &'a FxHashSet<&'a [String]>,
}

impl Steps<'_> {
    /// Where the steps lead, by the moves that they make; `None` if words do not say where one ends.
    fn follow(&self) -> Result<Option<FxHashMap<usize, Position>>, Stop> {
        let [_, second] = self.games;
        let mut found: FxHashMap<usize, Position> = FxHashMap::default();
        let mut moves = Moves::new();
        let mut pending: Vec<(Position, Words, usize)> = vec![(self.position.clone(), Vec::new(), 0)];
        while let Some((position, said, steps)) = pending.pop() {
            let [_, state] = &position.states;
            legal(second, state, &position.play[1], &mut moves)?;
            if moves.is_empty() && steps > 0 || steps > MAX_STEPS {
                let what = "first game: no such move / second game: steps that make no move";
                return Err(different(self.games, &position, what.to_owned()));
            }
            for (more, index) in words(second, &moves).into_iter().zip(0..) {
                let said = [said.as_slice(), &more].concat();
                let mut next = position.clone();
                next.play[1].push(second.reasoner.move_text(&moves, index));
                let applied = second.reasoner.apply(&mut next.states[1], &moves, index);
                applied.map_err(|error| second.failure_after(error, next.play[1].clone()))?;
                if !self.begun.contains(said.as_slice()) {
                    let what = "first game: no such move / second game: a legal step".to_owned();
                    return Err(different(self.games, &next, what));
                }
                let made = self.whole.get(said.as_slice()).and_then(|&index| Some((index, self.ends.get(index)?)));
                let [first, _] = self.games;
                let stays = look_at(second, &next.states[1]) == look_at(second, state);
                match made.filter(|(_, (end, _))| look_at(first, end) == look_at(second, &next.states[1])) {
                    Some(_) if stays && self.open.contains(said.as_slice()) => return Ok(None),
                    Some((index, (end, play))) => {
                        next.states[0] = end.clone();
                        next.play[0].clone_from(play);
                        if found.insert(index, next.clone()).is_some() {
                            let what = "first game: one move / second game: the same in other steps".to_owned();
                            return Err(different(self.games, &next, what));
                        }
                    }
                    None if stays => {
                        pending.push((next, said, steps + 1));
                    }
                    None => {
                        let (count, last) = (counted(steps as u64 + 1, "step"), next.play[1].last());
                        let last = last.cloned().unwrap_or_default();
                        let what = format!(
                            "first game: not that player's move to end / second game: {count}, the last `{last}`, end it"
                        );
                        return Err(different(self.games, &next, what));
                    }
                }
            }
        }
        Ok(Some(found))
    }
}

fn legal(game: &Runner, state: &State, play: &[String], moves: &mut Moves) -> Result<(), Stop> {
    let legal = game.reasoner.legal_moves(state, moves);
    Ok(legal.map_err(|error| game.failure_after(error, play.to_vec()))?)
}

/// The words of moves. In GDL the case of letters does not matter, and the name of a function says nothing; a name alone is no word.
fn words(game: &Runner, moves: &Moves) -> Vec<Words> {
    let tags = game.tags(moves);
    let plain = |word: &str| -> String {
        word.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
    };
    if game.loaded.language.name != "gdl" {
        return tags.iter().map(|tags| tags.iter().map(|tag| plain(tag)).collect()).collect();
    }
    let texts = game.loaded.notation.render_moves(&tags);
    let arguments = |text: &String| {
        let words = text.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|word| !word.is_empty());
        words.skip(1).map(plain).collect()
    };
    texts.iter().map(arguments).collect()
}
