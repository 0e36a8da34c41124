//! Checks that ask whether somebody has a move, at nodes where the keeper gives the turn to a player.
//!
//! That this is what a check asks is proven by [`proof`], or is a claim of the front end, the pragma `@handover k a b c ..;`, four
//! nodes each: `? a -> b` holds iff whoever plays on from `c` has a move, and from `k`, the keeper gives the turn on iff whoever
//! plays then has a move. Passes unite nodes that behave alike, so that `k` or the others may bear other names later; what
//! still has its name is what was meant.

mod proof;

use proof::{MAX_LOOKED_AT, asks_for_moves};
use rg_ir::check::{Ty, expr_type};
use rg_ir::{EdgeId, Game, Label, NodeId};
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// The edges of nodes where the keeper hands over.
#[derive(Default)]
pub struct MobilityChecks {
    /// Those with the check, and those with its negation.
    pub edges: [FxHashSet<EdgeId>; 2],
    /// Those at which the check holds iff whoever plays then has a move.
    exact: FxHashSet<EdgeId>,
    /// The last edges of moves that do not show that the check held; see [`proof`]. Where such an edge ends a move of
    /// another turn, that one is looked at twice without need.
    passes: FxHashSet<EdgeId>,
    /// Whether moves are being made speculatively.
    pub speculating: bool,
    /// Whether a check was left out.
    pub assumed: bool,
}

impl MobilityChecks {
    /// As is claimed, or as is proven.
    pub fn of(game: &Game, claimed: &[[Option<NodeId>; 4]]) -> Self {
        let mut checks = Self::default();
        let left = Cell::new(MAX_LOOKED_AT);
        for (id, edge) in game.automaton.edges() {
            let Label::Reach { from, to, negated: false } = edge.label else { continue };
            let Some((no, turn)) = hands_over(game, id) else { continue };
            let about = [edge.source, from, to, turn].map(Some);
            let claimed = claimed.iter().any(|claim| claim[0] == about[0] || claim[1..] == about[1..]);
            let passes =
                if claimed { Some(FxHashSet::default()) } else { asks_for_moves(game, (from, to), turn, &left) };
            let Some(passes) = passes else { continue };
            if passes.is_empty() {
                checks.exact.extend([id, no]);
            }
            checks.passes.extend(passes);
            checks.edges[0].insert(id);
            checks.edges[1].insert(no);
        }
        checks
    }

    /// Whether a check or its negation is asked where the keeper hands over iff whoever plays then has a move.
    pub fn is_exact(&self, edge: EdgeId) -> bool {
        self.exact.contains(&edge)
    }

    /// Whether a check is taken to hold.
    pub fn assumes(&mut self, edge: EdgeId) -> bool {
        let assumed = self.speculating && self.edges[0].contains(&edge);
        self.assumed |= assumed;
        assumed
    }

    /// Whether an edge asks what is known if moves are made speculatively.
    pub fn contains(&self, edge: EdgeId) -> bool {
        self.edges.iter().any(|edges| edges.contains(&edge))
    }

    /// Whether the negation of a check is taken not to hold.
    pub fn excludes(&self, edge: EdgeId) -> bool {
        self.speculating && self.edges[1].contains(&edge)
    }

    /// The kinds of moves that are legal only if all others are not, a bit each, the last one for all from 63 on: they do not
    /// show that a move before them was rightly made speculatively.
    pub fn passes(&self, kinds: impl Iterator<Item = EdgeId>) -> u64 {
        let passes = (0u32..).zip(kinds).filter(|(_, edge)| self.passes.contains(edge));
        passes.fold(0, |bits, (number, _)| bits | 1 << number.min(63))
    }
}

/// What belongs to an edge `? a -> b` where the keeper hands over, if it looks like one: the edge with the negation, and
/// where a player's turn begins.
fn hands_over(game: &Game, id: EdgeId) -> Option<(EdgeId, NodeId)> {
    let edge = game.automaton.edge(id);
    let Label::Reach { from, to, negated } = edge.label else { return None };
    let &[a, b] = game.automaton.outgoing(edge.source) else { return None };
    let no = if a == id { b } else { a };
    let &[hand] = game.automaton.outgoing(edge.target) else { return None };
    let hand = game.automaton.edge(hand);
    let Label::Assign { rhs, .. } = hand.label else { return None };
    let players = game.players();
    let is_player = match expr_type(game, rhs)? {
        Ty::Symbol(symbol) => players.contains(&symbol),
        Ty::Type(ty) => {
            let members = game.types.members(ty);
            !members.is_empty() && members.iter().all(|symbol| players.contains(symbol))
        }
    };
    let hands = game.ends_move(&hand.label) && is_player;
    let other = game.automaton.edge(no).label == Label::Reach { from, to, negated: !negated };
    (hands && other && hand.target != game.end()).then_some((no, hand.target))
}
