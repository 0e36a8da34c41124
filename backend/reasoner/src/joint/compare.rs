//! Two games of joint moves in lock step.
//!
//! All states are looked at, breadth first, as far as the budget goes, so that a difference is shown with one of the
//! shortest games that lead to it; then games are played at random.

use super::{JointGame, Position};
use engine::Rng;
use engine::{Error, ErrorKind};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

/// Most joint moves that are tried in one state; of more, some are chosen at random.
const MAX_WIDTH: usize = 256;

/// Most fluents, moves or percepts that a difference lists.
const SHOWN: usize = 8;

/// How much is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Steps in the systematic part.
    pub steps: u64,
    /// Random games after it, unless all states have been seen.
    pub plays: u64,
    /// Most steps of a random game.
    pub length: u64,
    /// Seed of the random games.
    pub seed: u64,
    /// Wall-clock time for everything, if it is limited; the systematic part gets half of it.
    pub time: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: 2_000, plays: 5, length: 100, seed: 1, time: None }
    }
}

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Extent {
    /// States in which everything that can be observed was compared; those of the random games count anew.
    pub states: u64,
    /// Steps that were made.
    pub steps: u64,
    /// Whether these are all states that can be reached.
    pub complete: bool,
}

/// What two games differ in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aspect {
    /// The names of the roles, or their order.
    Roles,
    /// Which fluents hold.
    Fluents,
    /// Whether the game is over, or some role cannot move.
    End,
    /// The legal moves of a role.
    Legal,
    /// The scores.
    Goals,
    /// What a role observes.
    Percepts,
    /// The second game cannot be run.
    Failure,
}

/// A game after which two games differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The roles.
    pub roles: Vec<String>,
    /// The joint moves that lead there.
    pub play: Vec<Vec<String>>,
    /// What differs.
    pub aspect: Aspect,
    /// The same in words, a line each.
    pub what: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = |moves: &Vec<String>| {
            let parts = self.roles.iter().zip(moves).map(|(role, text)| format!("{role} {text}"));
            parts.collect::<Vec<_>>().join(", ")
        };
        match self.play.as_slice() {
            [] => write!(f, "at the start:")?,
            play => write!(f, "after `{}`:", play.iter().map(step).collect::<Vec<_>>().join("; "))?,
        }
        self.what.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

/// Compares two games, which messages call by these names.
///
/// Where the first one cannot be run, or a limit of an engine is met, nothing is compared further.
///
/// # Errors
/// The first difference.
pub fn compare<A: JointGame, B: JointGame>(
    first: &A,
    second: &B,
    names: [&str; 2],
    budget: &Budget,
) -> Result<Extent, Box<Difference>> {
    let start = Instant::now();
    let until = budget.time.map(|time| start + time / 2);
    let mut pair = Pair { first, second, names, until, extent: Extent::default(), rng: Rng::new(budget.seed) };
    pair.compare(budget, budget.time.map(|time| start + time))?;
    Ok(pair.extent)
}

/// States of both games.
type Both<A, B> = (<A as JointGame>::State, <B as JointGame>::State);

struct Found {
    aspect: Aspect,
    what: Vec<String>,
}

impl Found {
    fn one(aspect: Aspect, what: String) -> Self {
        Self { aspect, what: vec![what] }
    }
}

/// What became of an attempt to go on with both games.
enum Outcome<T> {
    Same(T),
    /// The first game cannot be run here, or a limit was met.
    Unknown,
    Differs(Found),
}

struct Pair<'g, A, B> {
    first: &'g A,
    second: &'g B,
    names: [&'g str; 2],
    until: Option<Instant>,
    extent: Extent,
    rng: Rng,
}

impl<A: JointGame, B: JointGame> Pair<'_, A, B> {
    /// `end` is the moment at which the budget of time is used up.
    fn compare(&mut self, budget: &Budget, end: Option<Instant>) -> Result<(), Box<Difference>> {
        let (roles, others) = (self.first.roles(), self.second.roles());
        if roles != others {
            let what = format!("roles: {} / {}", roles.join(" "), others.join(" "));
            return Err(self.after(Vec::new(), Found::one(Aspect::Roles, what)));
        }
        let start = match self.both(self.first.initial(), |second| second.initial()) {
            Outcome::Same(start) => start,
            Outcome::Unknown => return Ok(()),
            Outcome::Differs(found) => return Err(self.after(Vec::new(), found)),
        };
        self.systematically(&start, budget.steps)?;
        self.until = end;
        for _ in 0..budget.plays {
            if self.extent.complete || self.is_late() {
                break;
            }
            self.randomly(&start, budget.length)?;
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() > until)
    }

    fn after(&self, play: Vec<Vec<String>>, found: Found) -> Box<Difference> {
        Box::new(Difference { roles: self.first.roles(), play, aspect: found.aspect, what: found.what })
    }

    /// What both games give, if both give something.
    fn both<T, U>(&self, first: Result<T, Error>, second: impl FnOnce(&B) -> Result<U, Error>) -> Outcome<(T, U)> {
        let Ok(first) = first else { return Outcome::Unknown };
        match second(self.second) {
            Ok(second) => Outcome::Same((first, second)),
            Err(error) if error.kind == ErrorKind::Limit => Outcome::Unknown,
            Err(error) => {
                let what = format!("{} fails: {error}", self.names[1]);
                Outcome::Differs(Found::one(Aspect::Failure, what))
            }
        }
    }

    fn systematically(&mut self, start: &Both<A, B>, steps: u64) -> Result<(), Box<Difference>> {
        let mut seen: FxHashSet<Vec<String>> = FxHashSet::default();
        let mut queue = VecDeque::from([(start.clone(), Vec::new())]);
        let (mut left, mut complete) = (steps, true);
        while let Some((states, play)) = queue.pop_front() {
            if left == 0 || self.is_late() {
                return Ok(());
            }
            let legal = match self.look(&states) {
                Outcome::Differs(found) => return Err(self.after(play, found)),
                Outcome::Unknown => {
                    complete = false;
                    continue;
                }
                Outcome::Same(position) => match new(position, &mut seen) {
                    Some(legal) => legal,
                    None => continue,
                },
            };
            let width = legal.iter().fold(1usize, |width, moves| width.saturating_mul(moves.len()));
            complete &= width <= MAX_WIDTH;
            for number in 0..width.min(MAX_WIDTH) {
                let moves = if width > MAX_WIDTH { self.any(&legal) } else { numbered(&legal, number) };
                // More states than there are steps left will not be looked at.
                if left == 0 || queue.len() as u64 > left {
                    complete = false;
                    break;
                }
                left -= 1;
                let next = [play.as_slice(), std::slice::from_ref(&moves)].concat();
                match self.step(&states, &moves) {
                    Outcome::Same(states) => queue.push_back((states, next)),
                    Outcome::Unknown => complete = false,
                    Outcome::Differs(found) => return Err(self.after(next, found)),
                }
            }
        }
        self.extent.complete = complete;
        Ok(())
    }

    /// A game at random; a difference at its end is shown without steps that it does not need.
    fn randomly(&mut self, start: &Both<A, B>, length: u64) -> Result<(), Box<Difference>> {
        let (mut states, mut play) = (start.clone(), Vec::new());
        for _ in 0..length {
            let legal = match self.look(&states) {
                Outcome::Same(Position::Open { legal, .. }) => legal,
                Outcome::Differs(found) => return Err(self.shortest(start, self.after(play, found))),
                _ => return Ok(()),
            };
            if self.is_late() {
                return Ok(());
            }
            let moves = self.any(&legal);
            play.push(moves.clone());
            match self.step(&states, &moves) {
                Outcome::Same(next) => states = next,
                Outcome::Unknown => return Ok(()),
                Outcome::Differs(found) => return Err(self.shortest(start, self.after(play, found))),
            }
        }
        Ok(())
    }

    /// The difference after a part of the same moves, from which no step can be left out.
    fn shortest(&mut self, start: &Both<A, B>, mut difference: Box<Difference>) -> Box<Difference> {
        let mut at = 0;
        while at < difference.play.len() {
            let mut play = difference.play.clone();
            play.remove(at);
            match self.replayed(start, &play).filter(|shorter| shorter.aspect == difference.aspect) {
                Some(shorter) => {
                    difference = shorter;
                    at = 0;
                }
                None => at += 1,
            }
        }
        difference
    }

    /// The first difference on the way of these moves, if they can be made.
    fn replayed(&mut self, start: &Both<A, B>, play: &[Vec<String>]) -> Option<Box<Difference>> {
        let mut states = start.clone();
        for number in 0..=play.len() {
            let made = || play.iter().take(number).cloned().collect();
            let legal = match self.look(&states) {
                Outcome::Same(Position::Open { legal, .. }) => legal,
                Outcome::Differs(found) => return Some(self.after(made(), found)),
                _ => return None,
            };
            let moves = play.get(number)?;
            if !legal.iter().zip(moves).all(|(legal, text)| legal.contains(text)) {
                return None;
            }
            match self.step(&states, moves) {
                Outcome::Same(next) => states = next,
                Outcome::Unknown => return None,
                Outcome::Differs(found) => {
                    return Some(self.after(play.iter().take(number + 1).cloned().collect(), found));
                }
            }
        }
        None
    }

    /// The position of both games, if they agree.
    fn look(&mut self, states: &Both<A, B>) -> Outcome<Position> {
        match self.both(self.first.position(&states.0), |second| second.position(&states.1)) {
            Outcome::Same((first, second)) => {
                self.extent.states += 1;
                match self.differs(&first, &second) {
                    Some(found) => Outcome::Differs(found),
                    None => Outcome::Same(first),
                }
            }
            Outcome::Unknown => Outcome::Unknown,
            Outcome::Differs(found) => Outcome::Differs(found),
        }
    }

    /// Both games after a step, if the roles observe the same.
    fn step(&mut self, states: &Both<A, B>, moves: &[String]) -> Outcome<Both<A, B>> {
        self.extent.steps += 1;
        match self.both(self.first.step(&states.0, moves), |second| second.step(&states.1, moves)) {
            Outcome::Same(((first, observed), (second, others))) => {
                for (role, (observed, others)) in self.first.roles().iter().zip(observed.iter().zip(&others)) {
                    let what = self.only_in(&format!("observed by {role}"), observed, others);
                    if !what.is_empty() {
                        return Outcome::Differs(Found { aspect: Aspect::Percepts, what });
                    }
                }
                Outcome::Same((first, second))
            }
            Outcome::Unknown => Outcome::Unknown,
            Outcome::Differs(found) => Outcome::Differs(found),
        }
    }

    fn differs(&self, first: &Position, second: &Position) -> Option<Found> {
        if let (Some(ours), Some(theirs)) = (first.fluents(), second.fluents()) {
            let what = self.only_in("fluents", ours, theirs);
            if !what.is_empty() {
                return Some(Found { aspect: Aspect::Fluents, what });
            }
        }
        match (first, second) {
            (Position::Stuck, Position::Stuck) => None,
            (Position::Over { goals, .. }, Position::Over { goals: others, .. }) => (goals != others).then(|| {
                let [ours, theirs] = self.names;
                let what = format!("scores: {} ({ours}), {} ({theirs})", goals.join(" "), others.join(" "));
                Found::one(Aspect::Goals, what)
            }),
            (Position::Open { legal, .. }, Position::Open { legal: others, .. }) => {
                let roles = self.first.roles();
                let mut lists = roles.iter().zip(legal.iter().zip(others));
                lists.find_map(|(role, (ours, theirs))| {
                    let what = self.only_in(&format!("legal moves of {role}"), ours, theirs);
                    (!what.is_empty()).then_some(Found { aspect: Aspect::Legal, what })
                })
            }
            _ => {
                let [ours, theirs] = self.names;
                let what = format!("{} ({ours}), {} ({theirs})", state_of(first), state_of(second));
                Some(Found::one(Aspect::End, what))
            }
        }
    }

    /// What only one of two lists has, in words; nothing if they are equal.
    fn only_in(&self, subject: &str, first: &[String], second: &[String]) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, own, other) in [(self.names[0], first, second), (self.names[1], second, first)] {
            let only: Vec<&str> = own.iter().filter(|text| !other.contains(text)).map(String::as_str).collect();
            if only.is_empty() {
                continue;
            }
            let shown = only.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" ");
            let more = if only.len() > SHOWN { format!(" and {} more", only.len() - SHOWN) } else { String::new() };
            lines.push(format!("{subject} only in {name}: {shown}{more}"));
        }
        lines
    }

    /// One of the joint moves, each as likely as any other.
    fn any(&mut self, legal: &[Vec<String>]) -> Vec<String> {
        let mut pick = |moves: &Vec<String>| {
            let count = u32::try_from(moves.len()).unwrap_or(u32::MAX);
            moves.get(self.rng.below(count) as usize).cloned()
        };
        legal.iter().filter_map(&mut pick).collect()
    }
}

/// The legal moves in a position that was not seen before.
fn new(position: Position, seen: &mut FxHashSet<Vec<String>>) -> Option<Vec<Vec<String>>> {
    match position {
        Position::Open { fluents, legal } => seen.insert(fluents).then_some(legal),
        Position::Over { .. } | Position::Stuck => None,
    }
}

/// The joint move with a number, the last role's move counting fastest.
fn numbered(legal: &[Vec<String>], mut number: usize) -> Vec<String> {
    let mut moves = Vec::with_capacity(legal.len());
    for list in legal.iter().rev() {
        let count = list.len().max(1);
        moves.extend(list.get(number % count).cloned());
        number /= count;
    }
    moves.reverse();
    moves
}

fn state_of(position: &Position) -> &'static str {
    match position {
        Position::Over { .. } => "the game is over",
        Position::Open { .. } => "the game goes on",
        Position::Stuck => "a role has no legal move",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Two roles count up together, each by one or two; at `end` or beyond the game is over. In one state, the second role
    /// cannot move.
    struct Counter {
        end: u32,
        stuck: Option<u32>,
        /// From here on the count is wrong.
        wrong: u32,
    }

    const RIGHT: Counter = Counter { end: 6, stuck: None, wrong: u32::MAX };

    impl JointGame for Counter {
        type State = u32;

        fn roles(&self) -> Vec<String> {
            vec!["a".to_owned(), "b".to_owned()]
        }

        fn initial(&self) -> Result<u32, Error> {
            Ok(0)
        }

        fn position(&self, &count: &u32) -> Result<Position, Error> {
            let shown = if count >= self.wrong { count + 1 } else { count };
            let fluents = vec![format!("(count {shown})")];
            if self.stuck == Some(count) {
                return Ok(Position::Stuck);
            }
            Ok(match count >= self.end {
                true => Position::Over { fluents, goals: vec![count.to_string(), "0".to_owned()] },
                false => Position::Open { fluents, legal: vec![vec!["1".to_owned(), "2".to_owned()]; 2] },
            })
        }

        fn step(&self, &count: &u32, moves: &[String]) -> Result<(u32, Vec<Vec<String>>), Error> {
            let sum = moves.iter().map(|text| text.parse::<u32>().unwrap()).sum::<u32>();
            Ok((count + sum, Vec::new()))
        }
    }

    fn shown(other: &Counter, budget: &Budget) -> String {
        compare(&RIGHT, other, ["one", "two"], budget).unwrap_err().to_string()
    }

    #[test]
    fn equal_games_are_compared_in_all_states() {
        let extent = compare(&RIGHT, &RIGHT, ["one", "two"], &Budget::default()).unwrap();
        // Four joint moves in each of the states 0, 2, 3, 4 and 5; every state that a step leads to is looked at.
        assert_eq!((extent.steps, extent.states, extent.complete), (20, 21, true));
        let some = Budget { steps: 3, plays: 2, ..Budget::default() };
        assert!(!compare(&RIGHT, &RIGHT, ["one", "two"], &some).unwrap().complete);
    }

    #[test]
    fn differences_come_with_the_shortest_game() {
        let random = Budget { steps: 0, plays: 50, ..Budget::default() };
        for budget in [Budget::default(), random] {
            let wrong = shown(&Counter { wrong: 4, ..RIGHT }, &budget);
            let play = wrong.lines().next().unwrap();
            assert!(play == "after `a 2, b 2`:" || budget == random && !play.contains("; a 1, b 1; "), "{wrong}");
            assert!(wrong.contains("fluents only in one: (count ") && wrong.lines().count() == 3, "{wrong}");
        }
        let stuck = shown(&Counter { stuck: Some(4), ..RIGHT }, &Budget::default());
        assert_eq!(stuck, "after `a 2, b 2`:\n  the game goes on (one), a role has no legal move (two)");
        let over = shown(&Counter { end: 3, ..RIGHT }, &Budget::default());
        assert_eq!(over, "after `a 1, b 2`:\n  the game goes on (one), the game is over (two)");
        assert_eq!(
            shown(&Counter { wrong: 0, ..RIGHT }, &random),
            "at the start:\n  fluents only in one: (count 0)\n  fluents only in two: (count 1)"
        );
    }
}
