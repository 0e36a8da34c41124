//! Translation validation: two games are played in lock step, and must not differ in anything that can be observed.
//!
//! Positions of both games are paired by the tags of the moves that lead to them. In a pair, who is to move, the labels
//! of the legal moves, who sees which tag, and, at the end of a play, the scores have to agree. A state of the first game
//! is always paired with the same state of the second, which thus remembers nothing more. Where the *first* game ends in
//! an error (it is improper), or a limit is met, nothing is compared further.

use crate::reasoner::Reasoner;
pub use engine::Budget;
use engine::Rng;
use engine::state::{Moves, State, Tag, Turn};
use engine::{Error, ErrorKind};
use rg_ir::cancel;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::VecDeque;

/// A play after which two games differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The labels of the moves, tags separated by spaces.
    pub play: Vec<String>,
    /// What differs.
    pub what: String,
    /// The kind of error that the second game ends in, if that is the difference.
    pub failure: Option<ErrorKind>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let play = if self.play.is_empty() { "the start".to_owned() } else { format!("`{}`", self.play.join("; ")) };
        write!(f, "after {play}: {}", self.what)
    }
}

/// What is wrong with a game that remembers more than the one before.
const SPLIT: &str = "states that were equal are not any more";

/// A position of both games.
type Pair = [State; 2];

/// The legal moves of a game in a state: labels in ascending order, each with the number of the move.
type Labels = Vec<(String, usize)>;

/// How much of two games was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Different positions from the beginning on, all up to some depth.
    pub positions: u64,
    /// Random plays.
    pub plays: u64,
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counted = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        write!(f, "{} from the start and {}", counted(self.positions, "position"), counted(self.plays, "random play"))
    }
}

/// Compares two games; the first difference found, if any.
pub fn compare(first: &Reasoner, second: &Reasoner, budget: &Budget) -> Option<Difference> {
    compare_counted(first, second, budget).0
}

/// Compares two games; the first difference found, if any, and how much was compared.
pub fn compare_counted(first: &Reasoner, second: &Reasoner, budget: &Budget) -> (Option<Difference>, Compared) {
    let games = Games { games: [first, second], translate: None, compared: Cell::default() };
    let difference = games.compare(budget);
    (difference, games.compared.get())
}

/// Compares two games that write their moves differently: `translate` makes a label of the second game from one of the
/// first. Who sees which tag is not compared.
pub fn compare_translated(
    first: &Reasoner,
    second: &Reasoner,
    budget: &Budget,
    translate: &dyn Fn(&str) -> String,
) -> Option<Difference> {
    Games { games: [first, second], translate: Some(translate), compared: Cell::default() }.compare(budget)
}

/// What differs in one position.
struct Found {
    what: String,
    failure: Option<ErrorKind>,
}

impl Found {
    fn after(self, play: Vec<String>) -> Difference {
        Difference { play, what: self.what, failure: self.failure }
    }
}

impl From<String> for Found {
    fn from(what: String) -> Self {
        Self { what, failure: None }
    }
}

fn failed(error: &Error) -> Found {
    Found { what: format!("the second game fails: {error}"), failure: Some(error.kind) }
}

struct Games<'g> {
    games: [&'g Reasoner; 2],
    /// From labels of the first game to labels of the second.
    translate: Option<&'g dyn Fn(&str) -> String>,
    compared: Cell<Compared>,
}

/// What comparing a pair of positions gave.
enum Look {
    /// The first game fails here, or somebody met a limit.
    Nothing,
    Differs(Found),
    Same(Box<[(Moves, Labels); 2]>),
}

impl Games<'_> {
    /// Counts what is compared.
    fn count(&self, add: impl FnOnce(&mut Compared)) {
        let mut compared = self.compared.get();
        add(&mut compared);
        self.compared.set(compared);
    }

    fn compare(&self, budget: &Budget) -> Option<Difference> {
        let start = match (self.games[0].initial(), self.games[1].initial()) {
            (Ok(a), Ok(b)) => [a, b],
            (Err(_), _) => return None,
            (Ok(_), Err(error)) if error.kind == ErrorKind::Limit => return None,
            (Ok(_), Err(error)) => return Some(failed(&error).after(Vec::new())),
        };
        self.systematically(&start, budget).or_else(|| self.randomly(&start, budget))
    }

    fn systematically(&self, start: &Pair, budget: &Budget) -> Option<Difference> {
        // The state of the second game for each of the first.
        let mut seen: FxHashMap<State, State> = FxHashMap::default();
        let mut queue: VecDeque<(Pair, Vec<String>)> = VecDeque::from([(start.clone(), Vec::new())]);
        let [first, second] = start.clone();
        seen.insert(first, second);
        let mut left = budget.moves;
        while let Some((pair, play)) = queue.pop_front() {
            cancel::check();
            if left == 0 {
                return None;
            }
            self.count(|compared| compared.positions += 1);
            let both = match self.look(&pair) {
                Look::Nothing => continue,
                Look::Differs(found) => return Some(found.after(play)),
                Look::Same(both) => both,
            };
            let [(_, labels), _] = both.as_ref();
            left = left.saturating_sub(labels.len() as u64 + 1);
            for at in 0..labels.len() {
                // More positions than there are moves left to generate will not be looked at.
                if queue.len() as u64 >= left {
                    break;
                }
                let mut play = play.clone();
                play.extend(labels.get(at).map(|(label, _)| label.clone()));
                match self.after(&pair, &both, at) {
                    Ok(Some([first, second])) => match seen.get(&first) {
                        None => {
                            seen.insert(first.clone(), second.clone());
                            queue.push_back(([first, second], play));
                        }
                        Some(known) if *known == second => {}
                        Some(_) => return Some(Found::from(SPLIT.to_owned()).after(play)),
                    },
                    Ok(None) => {}
                    Err(found) => return Some(found.after(play)),
                }
            }
        }
        None
    }

    fn randomly(&self, start: &Pair, budget: &Budget) -> Option<Difference> {
        let mut left = budget.play_moves;
        let mut rng = Rng::new(budget.seed);
        for _ in 0..budget.plays {
            let (mut pair, mut play) = (start.clone(), Vec::new());
            if left > 0 {
                self.count(|compared| compared.plays += 1);
            }
            for _ in 0..budget.plies {
                cancel::check();
                if left == 0 {
                    return None;
                }
                let both = match self.look(&pair) {
                    Look::Nothing => break,
                    Look::Differs(found) => return Some(found.after(play)),
                    Look::Same(both) => both,
                };
                let [(_, labels), _] = both.as_ref();
                left = left.saturating_sub(labels.len() as u64 + 1);
                let Some(count) = u32::try_from(labels.len()).ok().filter(|&count| count > 0) else { break };
                let at = rng.below(count) as usize;
                play.extend(labels.get(at).map(|(label, _)| label.clone()));
                match self.after(&pair, &both, at) {
                    Ok(Some(next)) => pair = next,
                    Ok(None) => break,
                    Err(found) => return Some(found.after(play)),
                }
            }
        }
        None
    }

    /// Compares what can be seen of a pair of positions.
    fn look(&self, pair: &Pair) -> Look {
        let ([first, second], [a, b]) = (self.games, pair);
        let (turn, other) = (first.turn(a), second.turn(b));
        if turn != other {
            return Look::Differs(format!("to move: {} / {}", mover(first, turn), mover(second, other)).into());
        }
        if turn == Turn::End {
            let (scores, others) = (first.scores(a), second.scores(b));
            if scores != others {
                return Look::Differs(format!("scores: {} / {}", scores.join(" "), others.join(" ")).into());
            }
            return Look::Nothing;
        }
        let moves = match labels(first, a, self.translate) {
            Ok(moves) => moves,
            Err(_) => return Look::Nothing,
        };
        let others = match labels(second, b, None) {
            Ok(moves) => moves,
            Err(error) if error.kind == ErrorKind::Limit => return Look::Nothing,
            Err(error) => return Look::Differs(failed(&error)),
        };
        match difference(&moves, &others, self.translate.is_none().then(|| everybody(first))) {
            Some(what) => Look::Differs(what.into()),
            None => Look::Same(Box::new([moves, others])),
        }
    }

    /// The pair after the move with that place in the sorted labels; `None` if the first game fails or a limit is met.
    fn after(&self, pair: &Pair, both: &[(Moves, Labels); 2], at: usize) -> Result<Option<Pair>, Found> {
        let mut next = pair.clone();
        for (which, ((game, state), (moves, labels))) in self.games.iter().zip(&mut next).zip(both).enumerate() {
            let Some(&(_, index)) = labels.get(at) else { return Ok(None) };
            match game.apply(state, moves, index) {
                Ok(()) => {}
                Err(error) if which == 0 || error.kind == ErrorKind::Limit => return Ok(None),
                Err(error) => return Err(failed(&error)),
            }
        }
        Ok(Some(next))
    }
}

fn mover(game: &Reasoner, turn: Turn) -> &str {
    match turn {
        Turn::Player(player) => game.players().get(player).map_or("?", String::as_str),
        Turn::Random => "random",
        Turn::End => "nobody",
    }
}

fn labels(
    game: &Reasoner,
    state: &State,
    translate: Option<&dyn Fn(&str) -> String>,
) -> Result<(Moves, Labels), Error> {
    let mut moves = Moves::new();
    game.legal_moves(state, &mut moves)?;
    moves.visibility = game.visibility(state, &moves)?;
    let write = |tags: &[Tag]| {
        let text = game.tags_text(tags);
        match translate {
            Some(translate) => translate(&text),
            None => text,
        }
    };
    let mut labels: Labels = moves.iter().map(write).zip(0..).collect();
    labels.sort_unstable();
    Ok((moves, labels))
}

/// What differs between the moves of two positions; `everybody` is a bit for every player if it is to be compared who
/// sees which tag.
fn difference(
    (moves, labels): &(Moves, Labels),
    (others, other_labels): &(Moves, Labels),
    everybody: Option<u64>,
) -> Option<String> {
    let names = |labels: &Labels| labels.iter().map(|(label, _)| label.clone()).collect::<Vec<_>>();
    let (ours, theirs) = (names(labels), names(other_labels));
    if let Some(label) = ours.iter().find(|label| theirs.binary_search(label).is_err()) {
        return Some(format!("the move `{label}` is gone"));
    }
    if let Some(label) = theirs.iter().find(|label| ours.binary_search(label).is_err()) {
        return Some(format!("the move `{label}` is new"));
    }
    if ours.len() != theirs.len() {
        return Some(format!("{} moves / {} moves", ours.len(), theirs.len()));
    }
    let everybody = everybody?;
    let seen_in = |moves, index| seen(moves, index, everybody);
    let differs = labels.iter().zip(other_labels).find(|((_, a), (_, b))| seen_in(moves, *a) != seen_in(others, *b));
    differs.map(|((label, _), _)| format!("the tags of `{label}` are seen by others"))
}

/// A bit for every player.
fn everybody(game: &Reasoner) -> u64 {
    u32::try_from(game.players().len()).ok().and_then(|count| 1u64.checked_shl(count)).map_or(u64::MAX, |bit| bit - 1)
}

/// For each tag of a move, who sees it; all do where nothing is hidden.
fn seen(moves: &Moves, index: usize, everybody: u64) -> Vec<u64> {
    let range = moves.tag_range(index);
    let tags: &[Tag] = moves.tags(index);
    let masks = moves.visibility.get(range).map_or_else(|| vec![u64::MAX; tags.len()], <[u64]>::to_vec);
    masks.into_iter().map(|mask| mask & everybody).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use engine::options::Engine;

    fn reasoner(edges: &str) -> Reasoner {
        let text = format!("type Player = {{ a, b }}; type Score = {{ 0, 1 }}; var v: Score = 0; {edges}");
        let game = rg_ir::text::parse(rg_ir::SourceId(0), &text).0.unwrap();
        Reasoner::new(&game, Engine::Interpreter).unwrap()
    }

    fn what(first: &str, second: &str) -> Option<String> {
        compare(&reasoner(first), &reasoner(second), &Budget::default()).map(|found| found.to_string())
    }

    #[test]
    fn differences_are_found_and_shown_with_a_play() {
        let game = "begin, m: player = a; m, x: $ s; x, n: player = b; n, y: $ t; y, z: goals[a] = 1; z, end: player = keeper;";
        assert_eq!(what(game, game), None);
        let said = |from: &str, to: &str| what(game, &game.replace(from, to)).unwrap();
        assert_eq!(said("$ s", "$ u"), "after the start: the move `s` is gone");
        assert_eq!(said("goals[a] = 1", "goals[b] = 1"), "after `s; t`: scores: 1 0 / 0 1");
        assert_eq!(said("x, n: player = b", "x, n: player = a"), "after `s`: to move: b / a");
        assert_eq!(said("y, z:", "n, q: $ w; q, y: ; y, z:"), "after `s`: the move `w` is new");
        assert!(said("$ t", "v == 1").starts_with("after `s`: the second game fails"));
    }

    #[test]
    fn a_game_that_remembers_more_is_another_one() {
        let game = "begin, m: player = a; m, p: v = 0; m, q: v = 1; p, x: $ s; q, x: $ t; x, n: player = b;
            n, y: $ u; y, z: v = 0; z, k: goals[a] = v; k, end: player = keeper;";
        assert_eq!(what(game, game), None);
        let longer = game.replace("y, z: v = 0", "y, z: v != v; y, z: v == v");
        let found = what(game, &longer).unwrap();
        assert!(found.contains("after `t`: states that were equal are not any more"), "{found}");
        // The other way round it is a game that forgets more, but its scores are others.
        assert_eq!(what(&longer, game).unwrap(), "after `t; u`: scores: 1 0 / 0 0");
    }

    #[test]
    fn a_failure_has_a_kind() {
        let game = "begin, m: player = a; m, x: $ s; x, n: player = b; n, z: $ t; z, end: player = keeper;";
        let stuck = game.replace("n, z: $ t", "n, y: v == 1; y, z: $ t");
        let found = compare(&reasoner(game), &reasoner(&stuck), &Budget::default()).unwrap();
        assert_eq!(found.failure, Some(ErrorKind::Stuck));
    }

    #[test]
    fn a_game_in_which_nothing_is_hidden_need_not_say_so() {
        let game = "begin, m: player = a; m, x: $ s; x, end: player = keeper;";
        let says = |value: &str| {
            format!("begin, q: visible[b] = {value}; q, m: player = a; m, x: $ s; x, end: player = keeper;")
        };
        assert_eq!(what(&says("1"), game), None);
        assert_eq!(what(&says("0"), game).unwrap(), "after the start: the tags of `s` are seen by others");
    }

    #[test]
    fn nothing_is_asked_of_an_improper_game() {
        let stuck = "begin, m: player = a; m, x: v == 1; x, end: player = keeper;";
        assert_eq!(what(stuck, "begin, m: player = a; m, x: $ s; x, end: player = keeper;"), None);
    }
}
