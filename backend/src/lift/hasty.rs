//! Moves that are made as if whoever decides next had one.
//!
//! Many games end where the next player has no move. The keeper finds that out by a check that plays those moves ahead,
//! and then they are listed once more. A move can be made *in haste* instead, without the check: if the next decision has a
//! move, the check would have held; if it has none, the move is made once more as ever. That this is what a check asks is
//! proven by [`super::handover`], or is a claim of the front end, the pragma `@handover k a b c ..;`, four nodes each:
//! `? a -> b` holds iff whoever plays on from `c` has a move, and from `k`, the keeper hands over iff whoever plays then has
//! a move. Passes unite nodes that behave alike, so that `k` or the others may bear other names later; what still has its
//! name is what was meant.

use super::emission::Template;
use super::handover::{MAX_LOOKED_AT, asks_for_moves};
use super::{Decider, Lifter};
use crate::ir::FnId;
use crate::ir::calls::sizes;
use rg_ir::check::{Ty, expr_type};
use rg_ir::{EdgeId, Game, Label, NodeId, Pragma};
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// How many instructions less a function must have to be worth it: at the end of a play a move is made twice.
const MIN_SAVED: u64 = 60;
/// How many instructions all functions may have, each with those of the functions that it calls in the place of calls: bytecode
/// has room for about twice as many.
const MAX_TOTAL: u64 = 1 << 21;

/// The edges of nodes where the keeper hands over.
#[derive(Default)]
pub(crate) struct Handed {
    /// Those with the check, and those with its negation.
    edges: [FxHashSet<EdgeId>; 2],
    /// Those at which the check holds iff whoever plays then has a move.
    exact: FxHashSet<EdgeId>,
    /// The last edges of moves that do not show that the check held; see [`super::handover`]. Where such an edge ends a move of
    /// another turn, that one is looked at twice without need.
    passes: FxHashSet<EdgeId>,
    /// Whether moves are being made in haste.
    active: bool,
    /// Whether a check was left out.
    met: bool,
}

impl Handed {
    /// As the pragmas of a game say, or as is proven.
    pub(crate) fn of(game: &Game) -> Self {
        let mut handed = Self::default();
        let claimed = claimed(game);
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
                handed.exact.extend([id, no]);
            }
            handed.passes.extend(passes);
            handed.edges[0].insert(id);
            handed.edges[1].insert(no);
        }
        handed
    }

    /// Whether a check or its negation is asked where the keeper hands over iff whoever plays then has a move.
    pub(crate) fn is_exact(&self, edge: EdgeId) -> bool {
        self.exact.contains(&edge)
    }

    /// Whether moves are being made in haste.
    pub(super) fn is_active(&self) -> bool {
        self.active
    }

    /// Whether a check is taken to hold.
    pub(super) fn surely(&mut self, edge: EdgeId) -> bool {
        let surely = self.active && self.edges[0].contains(&edge);
        self.met |= surely;
        surely
    }

    /// Whether an edge asks what is known if moves are made in haste.
    pub(super) fn asks(&self, edge: EdgeId) -> bool {
        self.edges.iter().any(|edges| edges.contains(&edge))
    }

    /// Whether the negation of a check is taken not to hold.
    pub(super) fn not(&self, edge: EdgeId) -> bool {
        self.active && self.edges[1].contains(&edge)
    }

    /// The kinds of moves that are legal only if all others are not, a bit each, the last one for all from 63 on: they do not
    /// show that a move before them was rightly made in haste.
    pub(super) fn passes(&self, templates: &[Template]) -> u64 {
        let passes = (0u32..).zip(templates).filter(|(_, template)| self.passes.contains(&template.edge));
        passes.fold(0, |bits, (number, _)| bits | 1 << number.min(63))
    }
}

/// The nodes of all claims `@handover`.
fn claimed(game: &Game) -> Vec<[Option<NodeId>; 4]> {
    let mut claimed: Vec<[Option<NodeId>; 4]> = Vec::new();
    for declared in &game.pragmas {
        let Pragma::Unknown(text) = &declared.pragma else { continue };
        let mut words = text.split_whitespace().map(|name| game.find_node(game.symbols.get(name)?));
        if is_handover(&declared.pragma) {
            words.next();
            claimed.extend(std::iter::from_fn(|| Some([words.next()?, words.next()?, words.next()?, words.next()?])));
        }
    }
    claimed
}

/// Whether a pragma tells where the keeper hands over.
pub(crate) fn is_handover(pragma: &Pragma) -> bool {
    matches!(pragma, Pragma::Unknown(text) if text.split_whitespace().next() == Some("handover"))
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

impl Lifter<'_> {
    /// A function that makes a move as if the next decision had one, if there is one that is much less than the function
    /// that was made last.
    pub(super) fn made_in_haste(&mut self, decider: &Decider, templates: &[Template]) -> Option<FnId> {
        if self.handed.edges.iter().any(FxHashSet::is_empty) {
            return None;
        }
        // Whatever this leads to, the rest goes on as if it had not been tried.
        let (work, stops, checks) = (self.work, self.stops.len(), self.shared.len());
        let (regions, functions) = (self.regions.clone(), self.program.functions.len());
        (self.handed.active, self.handed.met) = (true, false);
        let made = self.applying(decider, templates);
        self.handed.active = false;
        let new = self.stops.len() > stops;
        self.stops.truncate(stops);
        (self.work, self.regions) = (work, regions);
        let made = made.ok().filter(|_| self.handed.met && !new);
        let worth_it = made.and_then(|function| {
            self.program.functions.push(function);
            let sizes = sizes(&self.program);
            let size = *sizes.last()?;
            let saved = sizes.get(functions.checked_sub(1)?)?.saturating_sub(size);
            let total = sizes.iter().fold(0, |total: u64, &size| total.saturating_add(size));
            Some(saved >= MIN_SAVED && total <= MAX_TOTAL)
        });
        if worth_it == Some(true) {
            return Some(self.program.functions.len() as FnId - 1);
        }
        self.program.functions.truncate(functions);
        self.shared.truncate(checks);
        None
    }
}
