//! What the pieces of a game are, and what its numbers count, as the turns show it. All of it is proved later.

use crate::codes;
use crate::model::{Advised, Cell, Model, Refused, refuse};
use crate::store::{Label, Mask, Source, Store, Val};
use crate::turns::{Ended, Turn, Turns};
use rg_ir::{Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a slot is a number of.
pub(crate) enum Meaning {
    /// Half-moves: its values after 0, 1, … of them.
    Turn(Vec<Symbol>),
    /// Pieces of that kind: its values for 0, 1, … of them, as far as they are known.
    Count(Symbol, Vec<Option<Symbol>>),
    /// Nothing that changes as long as a play goes on.
    Fixed(Symbol),
}

/// A change of a slot: for which values, what they become, and what was captured.
type Update = (Vec<bool>, Rc<[Symbol]>, Option<Symbol>);

pub(crate) struct Facts {
    /// The content of a square without a piece.
    pub(crate) empty: Symbol,
    /// Whose each kind of piece is, by the number of the player.
    pub(crate) owner: FxHashMap<Symbol, usize>,
    /// Where pieces can come to.
    pub(crate) reached: FxHashSet<(Cell, Symbol)>,
    /// How many pieces of each kind there are at the beginning.
    pub(crate) count: FxHashMap<Symbol, usize>,
    /// The slots that outcomes depend on.
    pub(crate) meaning: FxHashMap<usize, Meaning>,
}

impl Facts {
    pub(crate) fn new(turns: &Turns<'_, '_>) -> Result<Self, Refused> {
        let empty = empty(turns)?;
        let owner = owners(turns, empty)?;
        let (model, known) = (turns.explorer.eval.model, &turns.explorer.eval.known);
        let (mut count, mut reached) = (FxHashMap::default(), FxHashSet::default());
        for (&content, cell) in model.board.initial.iter().zip(0..) {
            if known.is_square(cell) && content != empty {
                *count.entry(content).or_default() += 1;
                reached.insert((cell, content));
            }
        }
        let mut facts = Self { empty, owner, reached, count, meaning: FxHashMap::default() };
        facts.spread(turns);
        for slot in tested(turns) {
            let meaning = facts.meaning(turns, slot)?;
            facts.meaning.insert(slot, meaning);
        }
        Ok(facts)
    }

    /// Follows moves from where pieces begin.
    fn spread(&mut self, turns: &Turns<'_, '_>) {
        let mut leads: FxHashMap<(Cell, Symbol), Vec<Cell>> = FxHashMap::default();
        for (_, ended) in moves(turns) {
            if ended.outcomes.iter().any(|outcome| outcome.scores.is_none()) {
                leads.entry(ended.origin).or_default().push(ended.target);
            }
        }
        let mut pending: Vec<(Cell, Symbol)> = self.reached.iter().copied().collect();
        while let Some((cell, kind)) = pending.pop() {
            let to = leads.get(&(cell, kind)).into_iter().flatten().map(|&to| (to, kind));
            pending.extend(to.filter(|&to| self.reached.insert(to)));
        }
    }

    /// The pieces of a player and those of the other one, as sets.
    pub(crate) fn sides(&self, turns: &Turns<'_, '_>, player: usize) -> [Mask; 2] {
        let known = &turns.explorer.eval.known;
        let side = |side: usize| {
            let own = self.owner.iter().filter(|(_, owner)| **owner == side);
            own.fold(0, |mask, (&kind, _)| mask | known.mask(kind))
        };
        [side(player), side(1 - player)]
    }

    /// What a slot counts.
    fn meaning(&self, turns: &Turns<'_, '_>, slot: usize) -> Result<Meaning, Refused> {
        let model = turns.explorer.eval.model;
        let decl = &model.slots[slot];
        let refused = || {
            let message = format!(
                "moves depend on `{}`, which is neither a number of half-moves nor one of pieces of a kind",
                decl.name
            );
            refuse(codes::STATE, decl.span, message).advised("SBG only counts half-moves, up to a limit, and pieces")
        };
        let Some(&Val::Known(first)) = turns.first.get(slot) else { return Err(refused()) };
        let Some(at) = decl.domain.iter().position(|&value| value == first) else { return Err(refused()) };
        let (mut still, mut changed): (bool, FxHashSet<Option<Symbol>>) = (false, FxHashSet::default());
        let mut updates: Vec<Update> = Vec::new();
        let mut seen = FxHashSet::default();
        for (_, ended) in moves(turns) {
            for outcome in ended.outcomes.iter().filter(|outcome| outcome.scores.is_none()) {
                let store = &outcome.store;
                let captured = self.captured(turns, ended, store);
                let set = store.sets.iter().find(|(other, _)| *other == slot).map(|(_, set)| set.clone());
                let val = store.vals.get(slot).copied().unwrap_or(Val::Dead);
                if !seen.insert((set, val, captured)) {
                    continue;
                }
                let Some(table) = table(turns, slot, val) else { return Err(refused()) };
                let allowed = store.set(slot, decl.domain.len());
                if allowed.get(at) == Some(&true) {
                    if table.get(at) == Some(&first) {
                        still = true;
                    } else {
                        changed.insert(captured);
                    }
                }
                updates.push((allowed, table, captured));
            }
        }
        let follow = |value: Symbol, captured: Option<Option<Symbol>>| -> Option<Symbol> {
            let at = decl.domain.iter().position(|&other| other == value)?;
            let fits = |(allowed, _, by): &&Update| {
                allowed.get(at) == Some(&true) && captured.is_none_or(|captured| captured == *by)
            };
            updates.iter().find(fits).and_then(|(_, table, _)| table.get(at).copied())
        };
        if !still {
            return Ok(Meaning::Turn(chain(first, decl.domain.len(), |value| follow(value, None))));
        }
        // Other captures may change it, too, as long as they are not told apart; that is found out in the proof.
        let mut kinds: Vec<Symbol> = changed.into_iter().flatten().collect();
        kinds.sort_unstable();
        if kinds.is_empty() {
            return Ok(Meaning::Fixed(first));
        }
        let &[kind] = kinds.as_slice() else { return Err(refused()) };
        let count = self.count.get(&kind).copied().unwrap_or(0);
        let down = chain(first, count + 1, |value| follow(value, Some(Some(kind))));
        let mut values = vec![None; count + 1];
        for (value, n) in down.into_iter().zip((0..=count).rev()) {
            values[n] = Some(value);
        }
        Ok(Meaning::Count(kind, values))
    }

    /// What a move captures, if that is one kind of piece for sure.
    fn captured(&self, turns: &Turns<'_, '_>, ended: &Ended, store: &Store) -> Option<Symbol> {
        let known = &turns.explorer.eval.known;
        let mask = self.before(turns, ended, store);
        (mask.count_ones() == 1 && mask != known.mask(self.empty))
            .then(|| known.contents.get(mask.trailing_zeros() as usize).copied())
            .flatten()
    }

    /// What may have been on the square that a move leads to. Where it stays it captures nothing.
    pub(crate) fn before(&self, turns: &Turns<'_, '_>, ended: &Ended, store: &Store) -> Mask {
        let known = &turns.explorer.eval.known;
        match store.pend {
            _ if ended.target == ended.origin.0 => known.mask(self.empty),
            Some((cell, mask)) if cell == ended.target => mask,
            _ => known.everything(),
        }
    }
}

/// All moves, with the turns that they are in.
pub(crate) fn moves<'t>(turns: &'t Turns<'_, '_>) -> impl Iterator<Item = (&'t Turn, &'t Ended)> {
    turns.turns.iter().flat_map(|turn| turn.moves.iter().map(move |ended| (turn, ended)))
}

/// What a slot becomes, for each of its values.
pub(crate) fn table(turns: &Turns<'_, '_>, slot: usize, val: Val) -> Option<Rc<[Symbol]>> {
    match val {
        Val::Known(symbol) => Some(vec![symbol; turns.explorer.eval.model.slots[slot].domain.len()].into()),
        Val::Func(number) => match turns.explorer.eval.known.function(number) {
            Some((Source::Slot(source), table)) if *source == slot => Some(table.clone()),
            _ => None,
        },
        Val::Dead => None,
    }
}

fn chain(first: Symbol, count: usize, next: impl Fn(Symbol) -> Option<Symbol>) -> Vec<Symbol> {
    let (mut values, mut seen) = (vec![first], FxHashSet::from_iter([first]));
    let mut at = first;
    while values.len() < count {
        match next(at).filter(|&value| seen.insert(value)) {
            Some(value) => at = value,
            None => break,
        }
        values.push(at);
    }
    values
}

/// The slots that restrict what follows somewhere.
fn tested(turns: &Turns<'_, '_>) -> Vec<usize> {
    let mut slots: Vec<usize> = moves(turns)
        .flat_map(|(_, ended)| &ended.outcomes)
        .flat_map(|outcome| outcome.store.sets.iter().map(|(slot, _)| *slot))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// What moves leave behind.
fn empty(turns: &Turns<'_, '_>) -> Result<Symbol, Refused> {
    let mut found = None;
    for (_, ended) in moves(turns) {
        for outcome in ended.outcomes.iter().filter(|outcome| outcome.scores.is_none()) {
            let left = outcome.store.written(ended.origin.0).filter(|_| ended.target != ended.origin.0);
            if let Some(left) = left {
                if found.is_some_and(|found| found != left) {
                    return Err(refuse(
                        codes::MOVE,
                        Span::NONE,
                        "moves leave different things behind; in SBG they leave an empty square",
                    ));
                }
                found = Some(left);
            }
        }
    }
    found
        .ok_or_else(|| refuse(codes::MOVE, Span::NONE, "no move of this game takes a piece from one square to another"))
}

/// Whose pieces are, by who moves them; those that never move, by who is tested for together with them.
fn owners(turns: &Turns<'_, '_>, empty: Symbol) -> Result<FxHashMap<Symbol, usize>, Refused> {
    let (model, known) = (turns.explorer.eval.model, &turns.explorer.eval.known);
    let side = |player: Symbol| usize::from(player != model.players[0]);
    let mut owner: FxHashMap<Symbol, usize> = FxHashMap::default();
    for (turn, ended) in moves(turns) {
        let (kind, mover) = (ended.origin.1, side(turn.start.player));
        if kind == empty || *owner.entry(kind).or_insert(mover) != mover {
            let message =
                format!("both players move `{}`; in SBG each piece belongs to one of them", model.game.name(kind));
            return Err(refuse(codes::MOVE, Span::NONE, message));
        }
    }
    let movers =
        |side: usize| owner.iter().filter(|(_, s)| **s == side).fold(0, |mask, (&kind, _)| mask | known.mask(kind));
    let sides: [Mask; 2] = [movers(0), movers(1)];
    let mut rest: Vec<Symbol> =
        known.contents.iter().copied().filter(|kind| *kind != empty && !owner.contains_key(kind)).collect();
    rest.sort_unstable();
    let tests = turns.turns.iter().flat_map(|turn| turn.graph.edges.iter().flatten()).flat_map(|(labels, _)| labels);
    let mut masks: FxHashSet<Mask> = FxHashSet::default();
    for label in tests {
        if let Label::Test(_, mask) = *label {
            masks.insert(mask);
        }
    }
    masks.extend(
        moves(turns)
            .flat_map(|(_, ended)| &ended.outcomes)
            .filter_map(|outcome| outcome.store.pend)
            .map(|(_, mask)| mask),
    );
    for kind in rest {
        let fits = |player: usize, mask: Mask| {
            let (own, foreign) = (sides[player] & mask, sides[1 - player] & mask);
            let with = mask & known.mask(kind) != 0;
            with && own != 0 && foreign == 0 || !with && own == 0 && foreign != 0
        };
        let votes = [0, 1].map(|player| masks.iter().filter(|&&mask| fits(player, mask)).count());
        let named = named_after(model, kind);
        owner.insert(
            kind,
            match votes[0].cmp(&votes[1]) {
                std::cmp::Ordering::Greater => 0,
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => named,
            },
        );
    }
    Ok(owner)
}

/// Whose a piece is that its name speaks of; small letters are the second player's.
fn named_after(model: &Model<'_>, kind: Symbol) -> usize {
    let name = model.game.name(kind);
    let speaks = |player: Symbol| {
        let player = model.game.name(player).trim_start_matches("player_");
        name.to_ascii_lowercase().contains(&player.to_ascii_lowercase())
    };
    let small = name.len() == 1 && name.chars().all(|c| c.is_ascii_lowercase());
    usize::from(speaks(model.players[1]) || small && !speaks(model.players[0]))
}
