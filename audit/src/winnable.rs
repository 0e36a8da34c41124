//! Winnability of games in GDL: weakly, every role can score 100 if all roles help; strongly, some role has a sequence of moves
//! of its own that makes it score 100 whatever the others do.

use super::space::Explored;
use backend::Turn;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// The score of a winner in GDL.
pub(crate) const WIN: &str = "100";

/// Sets of positions looked at for one role.
const MAX_SETS: usize = 20_000;
/// Moves made for one role.
const MAX_MOVES: usize = 2_000_000;

/// What is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    Yes,
    No,
    /// Not all positions were explored.
    Unknown,
}

/// Whether roles can win.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Winnable {
    pub(crate) weakly: Answer,
    pub(crate) strongly: Answer,
    pub(crate) roles: Vec<Role>,
}

/// Whether a role can win.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Role {
    pub(crate) role: String,
    /// With the help of all others.
    pub(crate) weakly: Answer,
    /// A shortest play that it wins, if one was found among the positions nearest to the start.
    pub(crate) play: Option<Vec<String>>,
    /// By moves of its own that do not depend on what the others do.
    pub(crate) strongly: Answer,
    /// These moves.
    pub(crate) moves: Option<Vec<String>>,
}

/// Looks at all roles that are players; `won` says which of them won some playout. Moves are tags.
pub(crate) fn winnable(explored: &Explored<'_>, won: &[bool]) -> Winnable {
    let players: Vec<String> = explored.runner.players().map(str::to_owned).collect();
    let mut roles = Vec::new();
    for (player, role) in players.iter().enumerate() {
        let wins = |at: usize| {
            let state = explored.state(at);
            state.is_some_and(|state| explored.runner.reasoner.scores(state).get(player) == Some(&WIN))
        };
        let end = explored.ends().map(|(at, _)| at).find(|&at| wins(at));
        let play = end.map(|at| explored.play(at));
        let weakly = if play.is_some() || won.get(player) == Some(&true) {
            Answer::Yes
        } else if explored.complete() {
            Answer::No
        } else {
            Answer::Unknown
        };
        let (strongly, moves) = match weakly {
            Answer::No => (Answer::No, None),
            // Nobody else has a say, and there is no chance: any play that wins will do.
            _ if players.len() == 1 && !explored.runner.reasoner.has_chance() => (weakly, play.clone()),
            _ if explored.complete() => forced(explored, player, &wins),
            _ => (Answer::Unknown, None),
        };
        roles.push(Role { role: role.clone(), weakly, play, strongly, moves });
    }
    let all = |of: fn(&Role) -> Answer| {
        if roles.iter().any(|role| of(role) == Answer::No) {
            Answer::No
        } else if roles.iter().all(|role| of(role) == Answer::Yes) {
            Answer::Yes
        } else {
            Answer::Unknown
        }
    };
    let weakly = all(|role| role.weakly);
    let strongly = if roles.iter().any(|role| role.strongly == Answer::Yes) {
        Answer::Yes
    } else if roles.iter().all(|role| role.strongly == Answer::No) {
        Answer::No
    } else {
        Answer::Unknown
    };
    Winnable { weakly, strongly, roles }
}

/// A search for a sequence of moves of one player after which it has won, whatever the others did: breadth first over the sets
/// of positions that there may be after some moves. All of a set are equally many moves from the start.
fn forced(explored: &Explored<'_>, player: usize, wins: &dyn Fn(usize) -> bool) -> (Answer, Option<Vec<String>>) {
    let mut seen: FxHashSet<Vec<usize>> = FxHashSet::default();
    let mut queue: VecDeque<(Vec<usize>, Vec<String>)> = VecDeque::from([(vec![0], Vec::new())]);
    let (mut made, mut open) = (0, false);
    while let Some((set, played)) = queue.pop_front() {
        if seen.len() >= MAX_SETS || made >= MAX_MOVES {
            return (Answer::Unknown, None);
        }
        // Positions at the end of plays are done with if they are won, and else spoil everything.
        let (over, going): (Vec<usize>, Vec<usize>) = set.into_iter().partition(|&at| explored.turn(at) == Turn::End);
        if !over.into_iter().all(wins) {
            continue;
        }
        if going.is_empty() {
            return (Answer::Yes, Some(played));
        }
        if !seen.insert(going.clone()) {
            continue;
        }
        let own = going.iter().filter(|&&at| explored.turn(at) == Turn::Player(player)).count();
        if own != 0 && own != going.len() {
            // The roles are out of step; such games are not decided.
            open = true;
            continue;
        }
        let mut after: BTreeMap<String, (usize, Vec<usize>)> = BTreeMap::new();
        for &at in &going {
            for (text, next) in explored.moves(at) {
                made += 1;
                let text = if own > 0 { text } else { String::new() };
                let (positions, targets) = after.entry(text).or_default();
                *positions += usize::from(own > 0);
                targets.push(next);
            }
        }
        // A move of the player has to be legal wherever the play may be.
        for (text, (positions, mut targets)) in after.into_iter().filter(|(_, (n, _))| own == 0 || *n == going.len()) {
            targets.sort_unstable();
            targets.dedup();
            let mut played = played.clone();
            played.extend((positions > 0).then_some(text));
            queue.push_back((targets, played));
        }
    }
    (if open { Answer::Unknown } else { Answer::No }, None)
}
