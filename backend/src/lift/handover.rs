//! Proofs that a check asks whether whoever decides next has a move.
//!
//! Where the keeper asks `? a -> b` and then hands over to a player who goes on from `c`, both are questions whether some walk
//! exists: from `a` to `b`, and from `c` to the end of a move. They have the same answer if the two parts of the automaton
//! allow the same tests and assignments in the same order, whatever tags they emit: nodes are paired as in a bisimulation, in
//! which every step of one has its like in the other. (Steps that do the same and lead to different places are paired in the order
//! in which they come, which may fail where another order would not.) A check in which a walk may end well (`? p -> q` with nothing but tags
//! and assignments behind it) is walked itself instead.

use super::ahead::variables;
use rg_ir::{Game, Label, NodeId};
use rustc_hash::FxHashSet;

/// Most pairs of nodes that are compared.
const MAX_PAIRS: usize = 1 << 12;
/// Most nodes that are looked at from one node, by steps that always succeed.
const MAX_NEAR: usize = 256;

/// A node, and where walks from it are to come; `None`: to the end of a move.
type Place = (NodeId, Option<NodeId>);

/// Whether there is a walk from `check.0` to `check.1` iff a player at `turn` has a move, in all states that differ in the value
/// of `player` only. At most 2^12 pairs of nodes are compared, each by the nodes near them.
pub(super) fn asks_for_moves(game: &Game, check: (NodeId, NodeId), turn: NodeId) -> bool {
    let start = ((check.0, Some(check.1)), (turn, None));
    let (mut alike, mut open) = (FxHashSet::from_iter([start]), vec![start]);
    while let Some((a, b)) = open.pop() {
        let Some(more) = paired(game, a, b).filter(|_| alike.len() <= MAX_PAIRS) else { return false };
        open.extend(more.into_iter().filter(|&pair| alike.insert(pair)));
    }
    true
}

/// Which places have to be alike so that there is a walk from `a` iff there is one from `b`; `None` if that is not known.
fn paired(game: &Game, a: Place, b: Place) -> Option<Vec<(Place, Place)>> {
    let (of_a, of_b) = match (next(game, a)?, next(game, b)?) {
        (Next::Ends, Next::Ends) => return Some(Vec::new()),
        (Next::Steps(a), Next::Steps(b)) if a.len() == b.len() => (a, b),
        _ => return None,
    };
    let mut pairs = Vec::new();
    let mut taken = vec![false; of_b.len()];
    for (label, after) in of_a {
        let like = |other: &Label| match (label, *other) {
            (Label::Reach { negated, .. }, Label::Reach { negated: other, .. }) => negated == other,
            (label, other) => label == other,
        };
        let mut found = of_b.iter().zip(&mut taken).filter(|((other, _), taken)| !**taken && like(other));
        let ((other, other_after), taken) = found.next()?;
        *taken = true;
        pairs.push((after, *other_after));
        match (label, *other) {
            (Label::Reach { from, to, .. }, Label::Reach { from: other_from, to: other_to, .. }) => {
                pairs.push(((from, Some(to)), (other_from, Some(other_to))));
            }
            _ if reads_player(game, &label) => return None,
            _ => {}
        }
    }
    Some(pairs)
}

/// What walks from a place do next.
enum Next {
    /// One of them comes to its end whatever the state is.
    Ends,
    /// One of these labels, and go on from a place.
    Steps(Vec<(Label, Place)>),
}

fn reads_player(game: &Game, label: &Label) -> bool {
    let mut read = FxHashSet::default();
    label.exprs().for_each(|expr| variables(game, expr, &mut read));
    let player = game.symbols.get("player").and_then(|name| game.find_var(name));
    player.is_none_or(|player| read.contains(&player))
}

/// What walks from a place do next, tags apart; `None` if that is too much.
fn next(game: &Game, place: Place) -> Option<Next> {
    let (mut seen, mut stack) = (FxHashSet::from_iter([place]), vec![place]);
    let mut steps = Vec::new();
    while let Some((node, to)) = stack.pop() {
        if seen.len() > MAX_NEAR {
            return None;
        }
        if surely_ends(game, (node, to))? {
            return Some(Next::Ends);
        }
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            let next = match edge.label {
                Label::Skip | Label::Tag(_) | Label::TagVar(_) => (edge.target, to),
                Label::Reach { from, to: inner, negated: false } if surely_ends(game, (edge.target, to))? => {
                    (from, Some(inner))
                }
                label => {
                    steps.push((label, (edge.target, to)));
                    continue;
                }
            };
            if seen.insert(next) {
                stack.push(next);
            }
        }
    }
    Some(Next::Steps(steps))
}

/// Whether some walk comes to its end by steps that always succeed; `None` if that is not found out.
fn surely_ends(game: &Game, (node, to): Place) -> Option<bool> {
    let (mut seen, mut stack) = (FxHashSet::from_iter([node]), vec![node]);
    while let Some(node) = stack.pop() {
        if to == Some(node) {
            return Some(true);
        }
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            if game.ends_move(&edge.label) {
                match to {
                    None => return Some(true),
                    // Checks that change who is to move are not followed.
                    Some(_) => continue,
                }
            }
            let succeeds = match edge.label {
                Label::Skip | Label::Tag(_) | Label::TagVar(_) => true,
                Label::Assign { .. } | Label::AssignAny { .. } => true,
                Label::Compare { .. } | Label::Reach { .. } => false,
            };
            if succeeds && seen.insert(edge.target) {
                stack.push(edge.target);
            }
        }
        if seen.len() > MAX_NEAR {
            return None;
        }
    }
    Some(false)
}
