//! What players observe of a move and of the keeper's answer, without making them by the search over packed states.
//!
//! Two data-flow analyses over the automaton, from a decision on. The first one follows the mover's walks and keeps for each player
//! whether `visible` is as it was at the decision, 1 or 0 (constant propagation, joined where walks meet); so each tag of the move is
//! seen by the same players in all states, but for those whose `visible` is read at the decision. The second one follows the keeper
//! and counts its moves. Where walks with different counts, or with tags of the keeper, meet at the next decision, nothing is known of the answer.
//! Linear in the edges that can be walked before the next decision, once for each decision that a logged move is made at.

use super::Fused;
use engine::state::{Event, Moves, State, Tag, Turn};
use lower::Lifted;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Moves of the keeper beyond which they are not counted.
const MAX_ANSWERS: u32 = 64;

/// Symbols that the analyses compare with, as a game has them.
pub(super) struct Names {
    visible: Option<VarId>,
    seen: Option<Symbol>,
    hidden: Option<Symbol>,
    keeper: Option<Symbol>,
    players: Vec<Symbol>,
}

impl Names {
    /// `players` are those of a game, in order.
    pub(super) fn of(game: &Game, players: Vec<Symbol>) -> Self {
        let symbol = |name: &str| game.symbols.get(name);
        Self {
            visible: symbol("visible").and_then(|name| game.find_var(name)),
            seen: symbol("1"),
            hidden: symbol("0"),
            keeper: symbol("keeper"),
            players,
        }
    }

    /// The bit of a player; all bits if it is not known which one an expression is.
    fn bits(&self, player: Expr) -> u64 {
        let Expr::Symbol(symbol) = player else { return u64::MAX };
        match self.players.iter().position(|&player| player == symbol) {
            Some(at) => u32::try_from(at).ok().and_then(|at| 1u64.checked_shl(at)).unwrap_or(0),
            None => 0,
        }
    }
}

/// What `visible` may be: for each possibility the players for whom it may be so (bit i: player i).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Sight {
    /// As it was at the decision.
    kept: u64,
    seen: u64,
    hidden: u64,
}

impl Sight {
    const AT_DECISION: Self = Self { kept: u64::MAX, seen: 0, hidden: 0 };

    fn join(self, other: Self) -> Self {
        Self { kept: self.kept | other.kept, seen: self.seen | other.seen, hidden: self.hidden | other.hidden }
    }

    /// After `visible` is written for one of these players, or for one out of several.
    fn written(self, players: u64, value: Option<bool>) -> Self {
        let rest = if players.is_power_of_two() { !players } else { u64::MAX };
        let (seen, hidden) = (value != Some(false), value != Some(true));
        let of = |is: bool| if is { players } else { 0 };
        Self { kept: self.kept & rest, seen: self.seen & rest | of(seen), hidden: self.hidden & rest | of(hidden) }
    }

    /// Whether there is one possibility for each player.
    fn is_known(self) -> bool {
        self.kept & self.seen == 0 && self.kept & self.hidden == 0 && self.seen & self.hidden == 0
    }
}

/// How many moves the keeper makes; `None` if that differs, or if its moves have tags.
type Count = Option<u32>;

/// Who decides after an assignment to `player`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Keeper,
    Other,
    Either,
}

/// What is known of the moves of a decision.
pub(super) struct Witness {
    /// By tag; those that are seen differently are missing.
    sights: FxHashMap<Symbol, Sight>,
    /// By the node of the next decision, or of the end: the keeper's moves on the way there, where they are known.
    answers: FxHashMap<NodeId, Count>,
}

impl Witness {
    /// What is known of the moves at a node.
    pub(super) fn of(game: &Game, lifted: &Lifted, names: &Names, node: NodeId) -> Self {
        let mut witness = Self { sights: FxHashMap::default(), answers: FxHashMap::default() };
        let mut keeper: FxHashMap<NodeId, Count> = FxHashMap::default();
        let mut open = Vec::new();
        for (label, to) in witness.walk(game, lifted, names, node) {
            witness.arrive((next(game, names, &label), to == game.end()), to, Some(0), &mut keeper, &mut open);
        }
        witness.sights.retain(|_, sight| sight.is_known());
        while let Some(node) = open.pop() {
            let count = keeper.get(&node).copied().flatten();
            for &edge in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(edge);
                let to = edge.target;
                if game.ends_move(&edge.label) {
                    let count = count.map(|count| count + 1).filter(|&count| count <= MAX_ANSWERS);
                    let next = next(game, names, &edge.label);
                    witness.arrive((next, to == game.end()), to, count, &mut keeper, &mut open);
                } else {
                    let is_tag = matches!(edge.label, Label::Tag(_) | Label::TagVar(_));
                    join_count(&mut keeper, to, count.filter(|_| !is_tag)).then(|| open.push(to));
                }
            }
        }
        witness.answers.retain(|_, count| count.is_some());
        witness
    }

    /// Follows the mover's walks; the edges that end them.
    fn walk(&mut self, game: &Game, lifted: &Lifted, names: &Names, node: NodeId) -> Vec<(Label, NodeId)> {
        let mut sights = FxHashMap::from_iter([(node, Sight::AT_DECISION)]);
        let (mut open, mut ends) = (vec![node], Vec::new());
        while let Some(node) = open.pop() {
            let sight = sights.get(&node).copied().unwrap_or_default();
            for &edge in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(edge);
                if game.ends_move(&edge.label) {
                    ends.push((edge.label, edge.target));
                    continue;
                }
                self.note(&edge.label, lifted, sight);
                let after = written(game, names, &edge.label, sight);
                let joined = sights.get(&edge.target).map_or(after, |before| before.join(after));
                if sights.insert(edge.target, joined) != Some(joined) {
                    open.push(edge.target);
                }
            }
        }
        ends
    }

    /// Notes who sees a tag.
    fn note(&mut self, label: &Label, lifted: &Lifted, sight: Sight) {
        let one;
        let tags = match label {
            Label::Tag(symbol) => {
                one = [*symbol];
                &one[..]
            }
            Label::TagVar(var) => lifted.symbols.get(var.index()).map_or(&[][..], |symbols| symbols),
            _ => &[],
        };
        for &tag in tags {
            let known = self.sights.entry(tag).or_insert(sight);
            *known = known.join(sight);
        }
    }

    /// A move ends at a node, after so many of the keeper.
    fn arrive(
        &mut self,
        (next, over): (Next, bool),
        node: NodeId,
        count: Count,
        keeper: &mut FxHashMap<NodeId, Count>,
        open: &mut Vec<NodeId>,
    ) {
        if over || next != Next::Keeper {
            join_count(&mut self.answers, node, count);
        }
        if !over && next != Next::Other && join_count(keeper, node, count) {
            open.push(node);
        }
    }

    /// Who sees a tag, if those who see it at the decision are given.
    fn mask(&self, tag: Tag, at_decision: u64) -> Option<u64> {
        let sight = self.sights.get(&Symbol::from_index(tag.0 as usize))?;
        Some(sight.kept & at_decision | sight.seen)
    }
}

/// Whether that changed something.
fn join_count(counts: &mut FxHashMap<NodeId, Count>, node: NodeId, count: Count) -> bool {
    match counts.entry(node) {
        Entry::Vacant(entry) => {
            entry.insert(count);
            true
        }
        Entry::Occupied(mut entry) => {
            let differs = entry.get().is_some() && *entry.get() != count;
            if differs {
                entry.insert(None);
            }
            differs
        }
    }
}

/// Who decides after a label that ends a move.
fn next(game: &Game, names: &Names, label: &Label) -> Next {
    let Label::Assign { rhs, .. } = *label else { return Next::Either };
    match value(game, rhs) {
        Expr::Symbol(symbol) if Some(symbol) == names.keeper => Next::Keeper,
        Expr::Symbol(_) => Next::Other,
        _ => Next::Either,
    }
}

/// An expression without the casts around it.
fn value(game: &Game, mut id: ExprId) -> Expr {
    while let Expr::Cast(_, inner) = game.exprs.get(id) {
        id = inner;
    }
    game.exprs.get(id)
}

/// What `visible` may be after a label.
fn written(game: &Game, names: &Names, label: &Label, sight: Sight) -> Sight {
    let (lhs, rhs) = match *label {
        Label::Assign { lhs, rhs } => (lhs, Some(rhs)),
        Label::AssignAny { lhs, .. } => (lhs, None),
        _ => return sight,
    };
    if names.visible.is_none_or(|visible| game.exprs.root(lhs) != Expr::Var(visible)) {
        return sight;
    }
    let players = match value(game, lhs) {
        Expr::Access(_, key) => names.bits(value(game, key)),
        _ => u64::MAX,
    };
    let value = rhs.and_then(|rhs| match value(game, rhs) {
        Expr::Symbol(symbol) if Some(symbol) == names.seen => Some(true),
        Expr::Symbol(symbol) if Some(symbol) == names.hidden => Some(false),
        _ => None,
    });
    sight.written(players, value)
}

impl Fused {
    fn witness(&self, words: &[u64]) -> Option<&Witness> {
        let number = self.lifted.layout.node.of(words) as usize;
        let (stop, cell) = (self.lifted.stops.get(number)?, self.witnesses.get(number)?);
        Some(cell.get_or_init(|| Witness::of(&self.game, &self.lifted, &self.names, stop.decider.node)))
    }

    /// Who sees these tags of moves at a state, a set of players for each; `None` if only a search can tell.
    pub(super) fn masks(&self, words: &[u64], tags: &[Tag]) -> Option<Vec<u64>> {
        if !self.hidden {
            return Some(vec![u64::MAX; tags.len()]);
        }
        let seeing = self.sights.iter().map(|(reader, seen)| reader.read(&self.lifted, words) == *seen);
        let at_decision = seeing.take(64).zip(0..).fold(0, |mask, (sees, at)| mask | u64::from(sees) << at);
        let witness = self.witness(words)?;
        tags.iter().map(|&tag| witness.mask(tag, at_decision)).collect()
    }

    /// Makes a move given as a word, and logs it with the keeper's answer. `false` if a search has to do that; nothing has changed then.
    pub(super) fn make_logged(&self, state: &mut State, (moves, index): (&Moves, usize), log: &mut Vec<Event>) -> bool {
        let event = || {
            let words = self.words(state)?;
            // Where no answer is known, no move is made in vain.
            let witness = self.witness(&words).filter(|witness| !witness.answers.is_empty())?;
            let masks = self.masks(&words, moves.tags(index))?;
            let tags = moves.tags(index).iter().copied().zip(masks).collect();
            Some((witness, Event { mover: Some(self.turn_of(&words)?), tags }))
        };
        let (Some((witness, event)), Some(word)) = (event(), Self::word(moves, index)) else { return false };
        if event.mover == Some(Turn::End) {
            return false;
        }
        let before = state.clone();
        if !self.make_in_place(state, word) {
            return false;
        }
        let next =
            self.words(state).and_then(|words| self.lifted.stops.get(self.lifted.layout.node.of(&words) as usize));
        let Some(count) = next.and_then(|stop| witness.answers.get(&stop.decider.node).copied().flatten()) else {
            *state = before;
            return false;
        };
        log.push(event);
        log.extend((0..count).map(|_| Event { mover: None, tags: Vec::new() }));
        true
    }
}
