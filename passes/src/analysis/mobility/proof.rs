//! Proofs that a check asks whether whoever decides next has a move.
//!
//! Where the keeper asks `? a -> b` and then hands over to a player who goes on from `c`, both are questions whether some walk
//! exists: from `a` to `b`, and from `c` to the end of a move. They have the same answer if the two parts of the automaton
//! allow the same tests and assignments in the same order, whatever tags they emit: nodes are paired as in a bisimulation, in
//! which every step of one has its like in the other. All claims that come of that may be made at once, since walks are finite: each
//! step of one is a step of the other, to places of which the same is claimed. (Steps that do the same and lead to different places are paired in the
//! order in which they come, which may fail where another order would not.) A check in which a walk may end well (`? p -> q` with
//! nothing but tags and assignments behind it) is walked itself instead.
//!
//! A player who passes where he has no other move, by `! p -> q`, always has one. Then the check may ask for more than his
//! other moves, as whether anybody has one: it holds if he has another move, for which a simulation is enough.

use rg_ir::{EdgeId, Expr, Game, Label, NodeId};
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// Most pairs of nodes that are compared.
const MAX_PAIRS: usize = 1 << 12;
/// Most nodes that are looked at from one node, by steps that always succeed.
const MAX_NEAR: usize = 256;
/// Nodes that are looked at for all proofs of a game, as often as they are.
pub(super) const MAX_LOOKED_AT: usize = 1 << 20;

/// A node, and where walks from it are to come; `None`: to the end of a move.
type Place = (NodeId, Option<NodeId>);

/// What is to be proven: that there is a walk from one place if there is one from another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Claim {
    given: Place,
    then: Place,
    /// And the other way round.
    both: bool,
}

/// Whether the keeper asks by a check whether a player who goes on at `turn` has a move: `None` if that is not proven; no edges if
/// the check holds iff there is a move; and otherwise the last edges of all passes: then the check holds if there is another move,
/// and passes are legal only if there is none. All that is so in states that differ in the value of `player` only.
///
/// At most 2^12 claims are followed, each by the nodes near its two places and those near these, 2^8 each; `left` is how many
/// nodes may be looked at, for all proofs.
pub(super) fn asks_for_moves(
    game: &Game,
    check: (NodeId, NodeId),
    turn: NodeId,
    left: &Cell<usize>,
) -> Option<FxHashSet<EdgeId>> {
    let (asked, moves) = ((check.0, Some(check.1)), (turn, None));
    let all = Proof { game, turn, without: Vec::new(), left };
    if all.proves(Claim { given: moves, then: asked, both: true }) {
        return Some(FxHashSet::default());
    }
    let outgoing = game.automaton.outgoing(turn);
    let passes = outgoing.iter().filter_map(|&id| match game.automaton.edge(id).label {
        Label::Reach { from, to, negated: true } => Some((id, (from, Some(to)))),
        _ => None,
    });
    let passes: Vec<(EdgeId, Place)> = passes.collect();
    let others = Proof { game, turn, without: passes.iter().map(|&(id, _)| id).collect(), left };
    let only = passes.iter().all(|&(_, other)| others.proves(Claim { given: moves, then: other, both: true }));
    if passes.is_empty() || !only || !others.proves(Claim { given: moves, then: asked, both: false }) {
        return None;
    }
    let (passes, others): (Vec<EdgeId>, Vec<EdgeId>) = outgoing.iter().partition(|id| others.without.contains(id));
    let (passes, others) = (last_edges(game, &passes)?, last_edges(game, &others)?);
    passes.is_disjoint(&others).then_some(passes)
}

/// The edges that end moves which begin with some edges; `None` if there are too many ways.
fn last_edges(game: &Game, first: &[EdgeId]) -> Option<FxHashSet<EdgeId>> {
    let (mut seen, mut stack) = (FxHashSet::default(), first.to_vec());
    let mut last = FxHashSet::default();
    while let Some(id) = stack.pop() {
        let edge = game.automaton.edge(id);
        if game.ends_move(&edge.label) {
            last.insert(id);
        } else if seen.insert(edge.target) {
            stack.extend(game.automaton.outgoing(edge.target));
        }
        if seen.len() > MAX_PAIRS {
            return None;
        }
    }
    Some(last)
}

struct Proof<'a> {
    game: &'a Game,
    turn: NodeId,
    /// Edges of `turn` that are left out where moves are looked for.
    without: Vec<EdgeId>,
    /// How many nodes may still be looked at.
    left: &'a Cell<usize>,
}

/// What walks from a place do next.
enum Next {
    /// One of them comes to its end whatever the state is.
    Ends,
    /// One of these labels, and go on from a place.
    Steps(Vec<(Label, Place)>),
}

impl Proof<'_> {
    fn proves(&self, claim: Claim) -> bool {
        let (mut claimed, mut open) = (FxHashSet::from_iter([claim]), vec![claim]);
        while let Some(claim) = open.pop() {
            let Some(more) = self.follows(claim).filter(|_| claimed.len() <= MAX_PAIRS) else { return false };
            open.extend(more.into_iter().filter(|&claim| claimed.insert(claim)));
        }
        true
    }

    /// From what a claim follows; `None` if that is not known.
    fn follows(&self, Claim { given, then, both }: Claim) -> Option<Vec<Claim>> {
        let (given, then) = match (self.next(given)?, self.next(then)?) {
            (Next::Ends, Next::Ends) => return Some(Vec::new()),
            (Next::Steps(_), Next::Ends) if !both => return Some(Vec::new()),
            (Next::Steps(given), Next::Steps(then)) if !both || given.len() == then.len() => (given, then),
            _ => return None,
        };
        let mut claims = Vec::new();
        let mut taken = vec![false; then.len()];
        for (label, given) in given {
            let like = |other: &Label| match (label, *other) {
                (Label::Reach { negated, .. }, Label::Reach { negated: other, .. }) => negated == other,
                (label, other) => label == other,
            };
            let mut found = then.iter().zip(&mut taken).filter(|((other, _), taken)| !**taken && like(other));
            let (&(other, then), taken) = found.next()?;
            *taken = true;
            claims.push(Claim { given, then, both });
            match (label, other) {
                // Whether a check holds, or its negation, has to be the same.
                (Label::Reach { from, to, .. }, Label::Reach { from: like, to: there, .. }) => {
                    claims.push(Claim { given: (from, Some(to)), then: (like, Some(there)), both: true });
                }
                _ if self.reads_player(&label) => return None,
                _ => {}
            }
        }
        Some(claims)
    }

    fn reads_player(&self, label: &Label) -> bool {
        let player = self.game.symbols.get("player").and_then(|name| self.game.find_var(name));
        let Some(player) = player else { return true };
        let mut reads = false;
        for root in label.exprs() {
            self.game.exprs.preorder(root, |_, expr| reads |= expr == Expr::Var(player));
        }
        reads
    }

    /// What walks from a place do next, tags apart; `None` if that is too much.
    fn next(&self, place: Place) -> Option<Next> {
        let (mut seen, mut stack) = (FxHashSet::from_iter([place]), vec![place]);
        let mut steps = Vec::new();
        while let Some((node, to)) = stack.pop() {
            if seen.len() > MAX_NEAR {
                return None;
            }
            if self.surely_ends((node, to))? {
                return Some(Next::Ends);
            }
            for id in self.steps(node, to) {
                let edge = self.game.automaton.edge(id);
                let next = match edge.label {
                    Label::Skip | Label::Tag(_) | Label::TagVar(_) => (edge.target, to),
                    Label::Reach { from, to: inner, negated: false } if self.surely_ends((edge.target, to))? => {
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
    fn surely_ends(&self, (node, to): Place) -> Option<bool> {
        let (mut seen, mut stack) = (FxHashSet::from_iter([node]), vec![node]);
        while let Some(node) = stack.pop() {
            self.left.set(self.left.get().checked_sub(1)?);
            // Plays are over there; what a check would do is nothing that a player does.
            if node == self.game.end() {
                return None;
            }
            if to == Some(node) {
                return Some(true);
            }
            for id in self.steps(node, to) {
                let edge = self.game.automaton.edge(id);
                if self.game.ends_move(&edge.label) {
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

    /// The edges by which walks from a node go on.
    fn steps(&self, node: NodeId, to: Option<NodeId>) -> impl Iterator<Item = EdgeId> {
        let without = if (node, to) == (self.turn, None) { &self.without[..] } else { &[] };
        self.game.automaton.outgoing(node).iter().copied().filter(|id| !without.contains(id))
    }
}
