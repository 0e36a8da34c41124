//! The proof that a description in SBG is the same game.
//!
//! Positions correspond if the same pieces stand on the same squares, the same player is on turn, and every slot that outcomes depend on has
//! the value that it means: the number of half-moves, or of pieces of a kind. At the beginning they do. Wherever they do,
//!
//! - the walks of each piece that can be on a square need the same of other squares in both games, and lead to the same ones; a pair of
//!   squares is one move, whatever leads there ([`Proof::moves`], [`Proof::tags`]);
//! - after each move either both plays go on, to positions that correspond, or both are over, with the same scores ([`Proof::outcome`]);
//! - what the game asks about the whole board is whether the next player can move ([`Proof::checks`]).
//!
//! What cannot be shown is refused, even if the games should be the same.

use crate::codes;
use crate::derive::Sketch;
use crate::explore::{Outcome, stopped};
use crate::facts::{Facts, Meaning, table};
use crate::goals::winner;
use crate::model::{Advised, Cell, Model, Refused, invalid, refuse};
use crate::store::{Mask, Phase, Store, Val};
use crate::turns::{Ended, Turn, Turns};
use crate::words::{Comparison, Nfa};
use rg_ir::{Span, Symbol};
use rustc_hash::FxHashMap;
use sbg::Words;
use sbg::ast::{Description, GoalKind, On, Square};
use std::collections::BTreeSet;

/// Most squares with states of automata of rules.
const MAX_STATES: usize = 1 << 22;

/// How a play goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Course {
    Won(Symbol),
    Drawn,
    On,
}

/// What moves are called, by what is on the square that they lead to.
type Names<'t> = Vec<(Mask, &'t [Symbol])>;

/// A description, and the game that it is to be.
pub(crate) struct Proof<'a, 'm, 'g> {
    pub(crate) turns: &'a mut Turns<'m, 'g>,
    pub(crate) facts: &'a Facts,
    sketch: &'a Sketch,
    description: &'a Description,
    /// Whether the limit is beyond all plays.
    endless: bool,
    cells: FxHashMap<(i32, i32), Cell>,
    words: FxHashMap<Symbol, Words>,
    comparison: Comparison,
    spent: usize,
}

/// Proves that a description is the same game. `endless` says that its limit is known to be beyond all plays.
///
/// # Errors
/// What could not be shown.
pub(crate) fn prove(
    turns: &mut Turns<'_, '_>,
    facts: &Facts,
    sketch: &Sketch,
    description: &Description,
    endless: bool,
) -> Result<(), Refused> {
    let places = (0..).zip(&sketch.grid.at).filter_map(|(cell, place)| place.map(|place| (place, cell)));
    let cells = places.collect();
    let everything = turns.explorer.eval.known.everything();
    let comparison = Comparison { everything, work: 0 };
    let words = words(facts, sketch, description)?;
    let mut proof = Proof { turns, facts, sketch, description, endless, cells, words, comparison, spent: 0 };
    proof.board()?;
    let (taken, mut result) = (std::mem::take(&mut proof.turns.turns), Ok(()));
    for turn in &taken {
        result = result.and_then(|()| proof.moves(turn)).and_then(|()| proof.tags(turn));
        for ended in turn.moves.iter().filter(|ended| facts.reached.contains(&ended.origin)) {
            result = result.and_then(|()| proof.ended(turn, ended));
        }
    }
    proof.turns.turns = taken;
    result?;
    proof.checks()
}

/// The automata of all kinds of pieces.
fn words(facts: &Facts, sketch: &Sketch, description: &Description) -> Result<FxHashMap<Symbol, Words>, Refused> {
    let mut out = FxHashMap::default();
    for (&kind, &letter) in &sketch.letters {
        let Some(rule) = description.rule(letter) else { continue };
        let words = Words::new(&description.moves, rule.moves)
            .map_err(|_| refuse(codes::TOO_LARGE, Span::NONE, "the rule of a piece would be too long"))?;
        out.insert(kind, if facts.owner.get(&kind) == Some(&0) { words } else { words.flipped() });
    }
    Ok(out)
}

impl Proof<'_, '_, '_> {
    pub(crate) fn model(&self) -> &Model<'_> {
        self.turns.explorer.eval.model
    }

    fn mask(&self, kind: Symbol) -> Mask {
        self.turns.explorer.eval.known.mask(kind)
    }

    fn side(&self, player: Symbol) -> usize {
        usize::from(player != self.model().players[0])
    }

    fn square(&self, cell: Cell) -> Option<Square> {
        let (x, y) = self.sketch.grid.place(cell)?;
        Some(Square { x: u32::try_from(x).ok()?, y: u32::try_from(y).ok()? })
    }

    /// Both games begin with the same pieces on the same squares, and the first player can move, which the game may ask.
    fn board(&mut self) -> Result<(), Refused> {
        let same = |(cell, kind): (Cell, &Symbol)| {
            let Some(square) = self.square(cell) else { return true };
            self.description.cell(square) == self.sketch.letters.get(kind).copied()
                && (*kind == self.facts.empty) == self.description.cell(square).is_none()
        };
        let size = (u32::try_from(self.sketch.grid.width), u32::try_from(self.sketch.grid.height));
        if size != (Ok(self.description.width), Ok(self.description.height))
            || !(0..).zip(&self.model().board.initial).all(same)
        {
            return Err(invalid(Span::NONE, "the board that was written is another one"));
        }
        let mut begins = false;
        let first: Vec<(Cell, Symbol)> = (0..).zip(self.model().board.initial.iter().copied()).collect();
        for (cell, kind) in first {
            if self.square(cell).is_some() && self.facts.owner.get(&kind) == Some(&0) {
                let (nfa, start) = self.rule(cell, kind)?;
                let known = &self.turns.explorer.eval.known;
                begins |= nfa.satisfied(start, |cell| known.mask(self.model().initial(cell)));
            }
        }
        if begins {
            return Ok(());
        }
        Err(refuse(codes::BLOCKED, Span::NONE, "the first player cannot move at the beginning"))
    }

    /// The walks of a piece from a square, as the rule of SBG has them: the automaton, and where it starts.
    fn rule(&mut self, from: Cell, kind: Symbol) -> Result<(Nfa, usize), Refused> {
        let owner = self.facts.owner.get(&kind).copied().unwrap_or(0);
        let [own, other] = self.facts.sides(self.turns, owner);
        let empty = self.mask(self.facts.empty);
        let mut nfa = Nfa::default();
        let start = nfa.state();
        let Some(words) = self.words.get(&kind) else { return Ok((nfa, start)) };
        let mut names = FxHashMap::from_iter([((0, from), start)]);
        let mut pending = vec![(0, from)];
        while let Some((state, cell)) = pending.pop() {
            rg_ir::cancel::check();
            self.spent += 1;
            if self.spent > MAX_STATES {
                let message = "it takes too long to compare the rules of SBG with the game";
                return Err(refuse(codes::TOO_LARGE, Span::NONE, message));
            }
            let (Some(&name), Some((x, y))) = (names.get(&(state, cell)), self.sketch.grid.place(cell)) else {
                continue;
            };
            if words.accepts(state) {
                nfa.accept(name, cell);
            }
            for &(step, to) in words.from(state) {
                let there = x.checked_add(step.dx).zip(y.checked_add(step.dy));
                let Some(&there) = there.and_then(|there| self.cells.get(&there)) else { continue };
                // The piece stands where it begins while its rule is read.
                if there == from && step.on != On::Own {
                    continue;
                }
                let next = *names.entry((to, there)).or_insert_with(|| {
                    pending.push((to, there));
                    nfa.state()
                });
                if there == from {
                    nfa.skip(name, next);
                    continue;
                }
                let mask = match step.on {
                    On::Empty => empty,
                    On::Own => own,
                    On::Opponent => other,
                };
                nfa.test(name, there, mask, next);
            }
        }
        Ok((nfa, start))
    }

    /// The pieces of a player go to the same squares in both games.
    fn moves(&mut self, turn: &Turn) -> Result<(), Refused> {
        let targets: FxHashMap<usize, Cell> = turn.moves.iter().map(|ended| (ended.state, ended.target)).collect();
        let game = Nfa::of(&turn.graph, self.comparison.everything, |state, _| targets.get(&state).copied());
        if game.blind {
            return Err(refuse(codes::MOVE, Span::NONE, "a move does not look at the piece that it takes"));
        }
        for (cell, kind) in self.own(turn.start.player) {
            let (rule, start) = self.rule(cell, kind)?;
            let begins = game.begins.get(&(cell, kind)).map(Vec::as_slice).unwrap_or_default();
            if !self.comparison.same([&game, &rule], [begins, &[start]], false)? {
                let model = self.model();
                let message = format!(
                    "where `{}` can go from `{}` does not follow one rule for all squares",
                    model.game.name(kind),
                    model.board.cells.get(cell as usize).map_or("", |&cell| model.game.name(cell))
                );
                return Err(refuse(codes::RULE, Span::NONE, message).advised(
                    "in SBG pieces of a kind move alike wherever they are; a step only depends on where it leads",
                ));
            }
        }
        Ok(())
    }

    /// The squares where pieces of a player can be.
    fn own(&self, player: Symbol) -> BTreeSet<(Cell, Symbol)> {
        let side = self.side(player);
        let own = self.facts.reached.iter().filter(|(_, kind)| self.facts.owner.get(kind) == Some(&side));
        own.copied().collect()
    }

    /// A pair of squares is one move: what moves are called tells apart these pairs, and nothing else.
    fn tags(&self, turn: &Turn) -> Result<(), Refused> {
        let mut pairs: FxHashMap<&[Symbol], (Cell, Cell)> = FxHashMap::default();
        let mut names: FxHashMap<((Cell, Symbol), Cell), Names<'_>> = FxHashMap::default();
        let refused = |message: &str, ended: &Ended| {
            let model = self.model();
            let name = |cell: Cell| model.board.cells.get(cell as usize).map_or("", |&cell| model.game.name(cell));
            let message = format!("{message} (from `{}` to `{}`)", name(ended.origin.0), name(ended.target));
            refuse(codes::TAGS, Span::NONE, message)
                .advised("in SBG a move is the pair of the squares where it begins and ends")
        };
        for ended in turn.moves.iter().filter(|ended| self.facts.reached.contains(&ended.origin)) {
            let pair = (ended.origin.0, ended.target);
            if *pairs.entry(&ended.tags).or_insert(pair) != pair {
                return Err(refused("moves between different squares have the same name", ended));
            }
            let Some(store) = turn.graph.states.get_index(ended.state) else { continue };
            let mask = self.facts.before(self.turns, ended, store);
            let others = names.entry((ended.origin, ended.target)).or_default();
            if others.iter().any(|(other, tags)| other & mask != 0 && **tags != *ended.tags) {
                return Err(refused("several moves lead from one square to another", ended));
            }
            others.push((mask, &ended.tags));
        }
        Ok(())
    }

    /// After a move both plays go on alike.
    fn ended(&self, turn: &Turn, ended: &Ended) -> Result<(), Refused> {
        if let Some(end) = turn.graph.states.get_index(ended.state) {
            self.unrestricted(turn, end)?;
            self.covered(turn, ended, end)?;
        }
        for outcome in &ended.outcomes {
            let mask = self.facts.before(self.turns, ended, &outcome.store);
            for (&content, _) in
                self.turns.explorer.eval.known.contents.iter().zip(0..).filter(|(_, at)| mask >> at & 1 == 1)
            {
                self.outcome(turn, ended, outcome, content)?;
            }
            if outcome.scores.is_none() {
                self.position(ended, outcome)?;
            }
        }
        Ok(())
    }

    /// Whether a move is legal depends on nothing besides the board.
    fn unrestricted(&self, turn: &Turn, end: &Store) -> Result<(), Refused> {
        for (slot, _) in &end.sets {
            let slots = &self.model().slots[*slot];
            let set = end.set(*slot, slots.domain.len());
            let may = |value: Symbol| slots.domain.iter().position(|&other| other == value).is_some_and(|at| set[at]);
            let all = match self.facts.meaning.get(slot) {
                Some(Meaning::Turn(values)) => self.half_moves(turn, values).all(|(_, value)| may(value)),
                Some(Meaning::Count(kind, values)) => {
                    self.numbers(*kind).all(|n| values.get(n).copied().flatten().is_some_and(may))
                }
                Some(Meaning::Fixed(value)) => may(*value),
                None => false,
            };
            if !all {
                let message = format!("moves depend on `{}`; in SBG they depend on the board only", slots.name);
                return Err(refuse(codes::STATE, slots.span, message));
            }
        }
        Ok(())
    }

    /// The half-moves that a player makes, within the limit, and what a slot that counts them is before.
    pub(crate) fn half_moves<'v>(
        &self,
        turn: &Turn,
        values: &'v [Symbol],
    ) -> impl Iterator<Item = (usize, Symbol)> + use<'v> {
        let (side, limit) = (self.side(turn.start.player), self.description.limit as usize);
        values.iter().copied().enumerate().take(limit).filter(move |(number, _)| number % 2 == side)
    }

    /// The numbers of pieces of a kind that there can be before a half-move. What decides a play is none of them.
    pub(crate) fn numbers(&self, kind: Symbol) -> std::ops::RangeInclusive<usize> {
        let few = self.few(kind).map_or(0, |few| few + 1);
        few..=self.facts.count.get(&kind).copied().unwrap_or(0)
    }

    fn few(&self, kind: Symbol) -> Option<usize> {
        let letter = self.sketch.letters.get(&kind)?;
        self.description.goals.iter().find_map(|goal| match goal.kind {
            GoalKind::Count(count) if goal.letter == *letter => Some(count as usize),
            _ => None,
        })
    }

    /// Whether the next half-move may be the last one before the limit, and whether it may be another one, by what is known of slots.
    fn last(&self, turn: &Turn, store: &Store) -> Vec<bool> {
        let limit = self.description.limit as usize;
        let turns = self.facts.meaning.iter().find_map(|(slot, meaning)| match meaning {
            Meaning::Turn(values) => Some((*slot, values)),
            Meaning::Count(..) | Meaning::Fixed(_) => None,
        });
        let Some((slot, values)) = turns else { return vec![false] };
        let domain = &self.model().slots[slot].domain;
        let set = store.set(slot, domain.len());
        let may = |value: Symbol| domain.iter().position(|&other| other == value).is_some_and(|at| set[at]);
        let (mut usual, mut last) = (false, false);
        for (number, _) in self.half_moves(turn, values).filter(|&(_, value)| may(value)) {
            if number + 1 == limit && !self.endless { last = true } else { usual = true }
        }
        [(usual, false), (last, true)].into_iter().filter(|(possible, _)| *possible).map(|(_, last)| last).collect()
    }

    /// What SBG makes of a move onto a square with that content is what the game makes of it.
    fn outcome(&self, turn: &Turn, ended: &Ended, outcome: &Outcome, content: Symbol) -> Result<(), Refused> {
        let (player, kind) = (turn.start.player, ended.origin.1);
        let reached = self.reaches(kind, ended.target);
        let captures = content != self.facts.empty;
        let few = self.few(content).filter(|_| captures);
        let least = 1 + usize::from(kind == content);
        let numbers: Vec<usize> = if captures {
            self.numbers(content)
                .filter(|&n| n >= least && self.facts.allows(self.turns, &outcome.store, content, n))
                .collect()
        } else {
            vec![0]
        };
        let others = self.facts.meaning.values().all(|meaning| match meaning {
            Meaning::Count(other, _) if *other != content => {
                let least = usize::from(*other == kind);
                let fits = |n: usize| n >= least && self.facts.allows(self.turns, &outcome.store, *other, n);
                self.numbers(*other).any(fits)
            }
            _ => true,
        });
        // The same for what is fixed, whatever is captured.
        if !others || !self.facts.allows(self.turns, &outcome.store, self.facts.empty, 0) {
            return Ok(());
        }
        let mut possible: Vec<bool> = numbers.iter().map(|&n| few.is_some_and(|few| n == few + 1)).collect();
        possible.dedup();
        for decided in possible {
            for last in self.last(turn, &outcome.store) {
                let actual = self.course(outcome)?;
                let owner = self.facts.owner.get(&content).copied().unwrap_or(0);
                let expected = if reached {
                    Course::Won(player)
                } else if decided {
                    Course::Won(self.model().players[1 - owner])
                } else if last {
                    Course::Drawn
                } else {
                    match outcome.store.mobile {
                        Some((_, true)) => Course::On,
                        // Who is blocked is blocked by the piece where it is put down.
                        Some((_, false)) if self.is_put(ended, outcome) => Course::Won(player),
                        Some((_, false)) => return Err(self.unknown(actual, ended, content)),
                        None => return Err(self.unknown(actual, ended, content)),
                    }
                };
                if actual != expected {
                    return Err(self.differs([actual, expected], ended, content));
                }
            }
        }
        Ok(())
    }

    /// What the game makes of a move.
    fn course(&self, outcome: &Outcome) -> Result<Course, Refused> {
        match (outcome.scores, winner(self.model(), outcome.scores)) {
            (None, _) => Ok(Course::On),
            (Some(_), Some(Some(winner))) => Ok(Course::Won(winner)),
            (Some(_), Some(None)) => Ok(Course::Drawn),
            (Some(scores), None) => {
                let [white, black] = scores.map(|score| self.model().game.name(score).to_owned());
                let message =
                    format!("a play ends with the scores {white} and {black}; in SBG they are 100 and 0, or 50 and 50");
                Err(refuse(codes::END, Span::NONE, message))
            }
        }
    }

    fn reaches(&self, kind: Symbol, target: Cell) -> bool {
        let (Some(letter), Some(square)) = (self.sketch.letters.get(&kind), self.square(target)) else { return false };
        self.description.goals.iter().any(|goal| match &goal.kind {
            GoalKind::Reach(squares) => goal.letter == *letter && squares.iter().any(|(other, _)| *other == square),
            GoalKind::Count(_) => false,
        })
    }

    /// Whether a piece is put down, and nothing else changed on the board.
    fn is_put(&self, ended: &Ended, outcome: &Outcome) -> bool {
        let (store, (origin, kind)) = (&outcome.store, ended.origin);
        if ended.target == origin {
            return store.written(origin).is_none_or(|content| content == kind) && store.writes.len() <= 1;
        }
        store.written(ended.target) == Some(kind)
            && store.written(origin) == Some(self.facts.empty)
            && store.writes.len() == 2
    }

    /// Where a play goes on, positions correspond again.
    fn position(&self, ended: &Ended, outcome: &Outcome) -> Result<(), Refused> {
        let store = &outcome.store;
        let (_, kind) = ended.origin;
        if !self.is_put(ended, outcome) {
            let message = format!("{} does not just put the piece there", self.told(ended, self.facts.empty));
            return Err(refuse(codes::MOVE, Span::NONE, message));
        }
        let mask = self.facts.before(self.turns, ended, store);
        for (&slot, meaning) in &self.facts.meaning {
            let decl = &self.model().slots[slot];
            let set = store.set(slot, decl.domain.len());
            let at = |value: Symbol| decl.domain.iter().position(|&other| other == value);
            let val = store.vals.get(slot).copied().unwrap_or(Val::Dead);
            let table = table(self.turns, slot, val);
            let leads = |from: Option<Symbol>, to: Option<Symbol>| {
                let Some(place) = from.and_then(at) else { return false };
                !set[place] || to.is_some() && table.as_ref().and_then(|table| table.get(place).copied()) == to
            };
            let fine = match meaning {
                Meaning::Turn(values) => {
                    let limit = if self.endless { values.len() } else { self.description.limit as usize };
                    let pairs =
                        values.iter().zip(values.iter().skip(1).map(Some).chain([None])).take(limit.saturating_sub(1));
                    !self.endless && pairs.into_iter().all(|(&from, to)| leads(Some(from), to.copied()))
                }
                Meaning::Fixed(value) => leads(Some(*value), Some(*value)),
                Meaning::Count(counted, values) => {
                    let takes = mask & self.mask(*counted) != 0;
                    let keeps = mask & !self.mask(*counted) != 0;
                    let value = |n: usize| values.get(n).copied().flatten();
                    let least = usize::from(kind == *counted);
                    self.numbers(*counted).filter(|&n| n >= least).all(|n| {
                        let after_taking = n > least && self.numbers(*counted).contains(&(n - 1)) && takes;
                        (!keeps || leads(value(n), value(n))) && (!after_taking || leads(value(n), value(n - 1)))
                    })
                }
            };
            if !fine {
                let message = format!("`{}` is neither a number of half-moves nor one of pieces of a kind", decl.name);
                return Err(refuse(codes::STATE, decl.span, message)
                    .advised("SBG only counts half-moves, up to a limit, and pieces"));
            }
        }
        Ok(())
    }

    /// What is asked about the whole board is whether the next player can move.
    fn checks(&mut self) -> Result<(), Refused> {
        let checks: Vec<(Store, Symbol, rg_ir::NodeId, Span)> = (self.turns.explorer.checks.iter())
            .map(|((start, player), check)| (start.clone(), *player, check.to, check.span))
            .collect();
        for (start, player, to, span) in checks {
            let refused = |message: &str| {
                refuse(codes::BLOCKED, span, message)
                    .advised("in SBG a play is over where the next player cannot move, and he has lost")
            };
            let graph = self.turns.explorer.explore(start.clone(), Phase::Check(to)).map_err(stopped)?;
            let exits = graph.exits.iter().filter_map(|&exit| graph.states.get_index(exit));
            if exits.into_iter().any(|exit| exit.sets != start.sets) {
                return Err(refused("whether the next player can move depends on more than the board"));
            }
            let check = Nfa::of(&graph, self.comparison.everything, |_, _| Some(0));
            if check.blind {
                return Err(refused("this does not ask whether the next player can move"));
            }
            for &(cell, kind) in &self.facts.reached {
                let (rule, from) = self.rule(cell, kind)?;
                let from =
                    if self.facts.owner.get(&kind) == Some(&self.side(player)) { vec![from] } else { Vec::new() };
                let begins = check.begins.get(&(cell, kind)).map(Vec::as_slice).unwrap_or_default();
                if !self.comparison.same([&check, &rule], [begins, &from], true)? {
                    return Err(refused("it cannot be shown that this asks whether the next player can move"));
                }
            }
            for (&(_, kind), begins) in &check.begins {
                let nothing = Nfa::default();
                if kind == self.facts.empty && !self.comparison.same([&check, &nothing], [begins, &[]], true)? {
                    return Err(refused("this does not ask whether the next player can move"));
                }
            }
        }
        Ok(())
    }
}
