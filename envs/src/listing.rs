//! The legal actions of a state.

use crate::actions::{ActionKind, Merging};
use crate::env::{EnvError, Labels};
use crate::game::Game;
use crate::numbers::{NO_NUMBER, Numbers};
use backend::{Moves, PackedMove, Rng, State, Tag};

/// Labels that are kept for moves that are words, at most.
const MAX_LABELS: usize = 1 << 16;

/// How the moves of a state are known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Listed {
    #[default]
    Nothing,
    /// As words.
    Packed,
    /// With their tags.
    Labelled,
}

/// See the module.
#[derive(Clone, Default, Debug)]
pub(crate) struct Listing {
    pub(crate) listed: Listed,
    /// The legal actions, ascending for steps, else in the order of the moves.
    pub(crate) legal: Vec<u32>,
    pub(crate) packed: Vec<PackedMove>,
    /// The tags of moves, for steps also where they are known as words.
    pub(crate) moves: Moves,
    /// Steps: the numbers of the moves in the order of their tags.
    order: Vec<u32>,
    /// Steps: where the moves that are still possible are in `order`, and how many tags are chosen.
    possible: (usize, usize),
    depth: usize,
}

impl Listing {
    /// Whether something is listed.
    pub(crate) fn is_listed(&self) -> bool {
        self.listed != Listed::Nothing
    }

    /// Bytes that the lists hold.
    pub(crate) fn bytes(&self) -> usize {
        let moves = size_of_val(self.moves.records.as_slice()) + size_of_val(self.moves.tags.as_slice());
        let words = size_of_val(self.packed.as_slice()) + size_of_val(self.legal.as_slice());
        moves + words + size_of_val(self.order.as_slice())
    }

    /// Draws the place of a legal action, each with the same probability; 0 if there are none.
    pub(crate) fn sample(&self, rng: &mut Rng) -> usize {
        if self.legal.is_empty() { 0 } else { rng.below(self.legal.len() as u32) as usize }
    }

    /// Nothing is listed any more.
    pub(crate) fn clear(&mut self) {
        self.listed = Listed::Nothing;
        self.legal.clear();
        self.order.clear();
        (self.possible, self.depth) = ((0, 0), 0);
    }

    /// The numbers of the moves that are still possible.
    pub(crate) fn possible_moves(&self) -> impl Iterator<Item = usize> + '_ {
        let (from, to) = self.possible;
        self.order.get(from..to).unwrap_or(&[]).iter().map(|&index| index as usize)
    }

    /// Whether some moves are not possible any more.
    pub(crate) fn is_narrowed(&self) -> bool {
        self.possible != (0, self.order.len())
    }

    /// The tags of each move that is still possible.
    pub(crate) fn possible(&self) -> impl Iterator<Item = &[Tag]> {
        self.possible_moves().map(|index| self.moves.tags(index))
    }

    /// The tags that were chosen of the move so far, with those that all possible moves share.
    pub(crate) fn chosen(&self) -> &[Tag] {
        let first = self.order.get(self.possible.0).map_or(&[][..], |&index| self.moves.tags(index as usize));
        first.get(..self.depth).unwrap_or(&[])
    }

    /// Lists the legal actions of a state, after nothing.
    ///
    /// # Errors
    /// As for [`crate::Env::list`].
    pub(crate) fn list(&mut self, game: &Game, state: &State, labels: &mut Labels) -> Result<(), EnvError> {
        let reasoner = game.reasoner();
        let is_step = game.actions().kind() == ActionKind::Steps;
        if !reasoner.hides() && (!is_step || labels.are_kept()) {
            reasoner.packed_moves(state, &mut self.packed)?;
            if let Some(key) = reasoner.packed_label_key(state, &self.packed)
                && self.look_up(game, key, labels)
            {
                self.listed = Listed::Packed;
                labels.counts.0 += 1;
                return if is_step { self.begin_steps(game) } else { self.tell_apart(game, state, labels) };
            }
            labels.counts.1 += 1;
        }
        self.legal.clear();
        self.label(game, state)?;
        if is_step {
            return self.begin_steps(game);
        }
        for index in 0..self.moves.len() {
            let number = game.actions().number(self.moves.tags(index));
            let label = || game.reasoner().tags_text(self.moves.tags(index));
            self.legal.push(number.ok_or_else(|| EnvError::Unnumbered { label: label() })?);
        }
        self.tell_apart(game, state, labels)
    }

    /// Where moves share numbers: either at most one of those may be legal, or they get the first ones in the order of their labels. Linear in the moves, unless some share
    /// numbers.
    fn tell_apart(&mut self, game: &Game, state: &State, labels: &mut Labels) -> Result<(), EnvError> {
        let merging = game.actions().merging();
        if *merging == Merging::Apart {
            return Ok(());
        }
        let Some(shared) = labels.first_repeated(&self.legal, game.actions().len()) else { return Ok(()) };
        let (reasoner, mut moves) = (game.reasoner(), Moves::new());
        reasoner.legal_moves(state, &mut moves)?;
        if *merging == Merging::Exclusive {
            let alike = moves.iter().filter(|tags| game.actions().number(tags) == Some(shared));
            return Err(EnvError::Alike {
                action: shared,
                labels: alike.map(|tags| reasoner.tags_text(tags)).collect(),
            });
        }
        // The moves are listed in the same order, with words and with tags.
        let names = |&at: &usize| moves.tags(at).iter().map(|&tag| reasoner.tag_name(tag)).collect::<Vec<_>>();
        let mut order: Vec<usize> = (0..self.legal.len()).collect();
        order.sort_by_cached_key(|at| (self.legal.get(*at).copied(), names(at)));
        let (mut first, mut next) = (None, 0);
        for at in order {
            let Some(number) = self.legal.get_mut(at) else { continue };
            if first != Some(*number) {
                (first, next) = (Some(*number), *number);
            }
            *number = next;
            next += 1;
        }
        Ok(())
    }

    /// The moves with their tags.
    pub(crate) fn label(&mut self, game: &Game, state: &State) -> Result<(), EnvError> {
        game.reasoner().legal_moves(state, &mut self.moves)?;
        self.listed = Listed::Labelled;
        Ok(())
    }

    /// Makes one of the moves, by its number.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the rules fail; [`EnvError::Illegal`] if there is no such move.
    pub(crate) fn make(&self, game: &Game, state: &mut State, index: usize) -> Result<(), EnvError> {
        if self.listed == Listed::Packed {
            let packed = self.packed.get(index).copied().ok_or(EnvError::Illegal { action: u32::MAX })?;
            return Ok(game.reasoner().apply_packed(state, packed)?);
        }
        Ok(game.reasoner().apply(state, &self.moves, index)?)
    }

    /// The numbers of moves that are words; for steps, their tags. Whether all are known.
    fn look_up(&mut self, game: &Game, key: u32, labels: &mut Labels) -> bool {
        let at = key as usize;
        if labels.numbers.len() <= at {
            labels.numbers.resize_with(at + 1, Numbers::default);
        }
        let Some(numbers) = labels.numbers.get_mut(at) else { return false };
        let (actions, steps) = (game.actions(), &mut labels.steps);
        if !numbers.look_up(&self.packed, &mut self.legal) {
            for (number, &packed) in self.legal.iter_mut().zip(&self.packed).filter(|(number, _)| **number == NO_NUMBER)
            {
                let tags = game.reasoner().packed_tags(key, packed);
                let found = match actions.kind() {
                    ActionKind::Moves => actions.number(&tags),
                    ActionKind::Steps => (steps.len() < MAX_LABELS).then(|| {
                        steps.push(tags.into());
                        steps.len() as u32 - 1
                    }),
                };
                let Some(found) = found else { return false };
                *number = found;
                numbers.insert(packed.0, found);
            }
        }
        if actions.kind() == ActionKind::Steps {
            self.moves.clear();
            for label in self.legal.drain(..) {
                self.moves.records.push(Default::default());
                if let Some(record) = self.moves.records.last_mut() {
                    record.tags = self.moves.tags.len() as u32;
                }
                self.moves.tags.extend_from_slice(steps.get(label as usize).map_or(&[], |label| label));
            }
        }
        true
    }

    /// Steps: lists the first ones of all moves.
    fn begin_steps(&mut self, game: &Game) -> Result<(), EnvError> {
        self.order.extend(0..self.moves.len() as u32);
        let moves = &self.moves;
        self.order.sort_unstable_by(|&one, &other| moves.tags(one as usize).cmp(moves.tags(other as usize)));
        (self.possible, self.depth) = ((0, self.order.len()), 0);
        self.choices(game)
    }

    /// The step of a possible move behind those that are chosen: the number of its tag, or that of the end of a move. `None` if it has no number.
    fn next(&self, game: &Game, at: usize) -> Option<u32> {
        let &index = self.order.get(at)?;
        game.actions().step(self.moves.tags(index as usize).get(self.depth).copied())
    }

    /// Steps: takes the tags that all possible moves share, and lists the choices behind.
    fn choices(&mut self, game: &Game) -> Result<(), EnvError> {
        let (from, to) = self.possible;
        let end = game.actions().step(None);
        while to - from > 1
            && let (first, last) = (self.next(game, from), self.next(game, to - 1))
            && first == last
            && first.is_some()
            && first != end
        {
            self.depth += 1;
        }
        self.legal.clear();
        for at in from..to {
            let next = self.next(game, at).ok_or_else(|| self.unnumbered(game, at))?;
            if self.legal.last() != Some(&next) {
                self.legal.push(next);
            }
        }
        self.legal.sort_unstable();
        Ok(())
    }

    /// The error of a step that has no number.
    fn unnumbered(&self, game: &Game, at: usize) -> EnvError {
        let tags = self.order.get(at).map_or(&[][..], |&index| self.moves.tags(index as usize));
        let name = tags.get(self.depth).map_or("", |&tag| game.reasoner().tag_name(tag));
        EnvError::Unnumbered { label: name.to_owned() }
    }

    /// Steps: which of the possible moves go on with an action, in the order.
    pub(crate) fn going_on(&self, game: &Game, action: u32) -> Option<(usize, usize)> {
        let is_chosen = |&at: &usize| self.next(game, at) == Some(action);
        let (from, to) = self.possible;
        let from = (from..to).find(is_chosen)?;
        Some((from, (from..to).find(|at| !is_chosen(at)).unwrap_or(to)))
    }

    /// Steps: the number of a move in the order.
    pub(crate) fn ordered(&self, at: usize) -> Option<usize> {
        self.order.get(at).map(|&index| index as usize)
    }

    /// Steps: goes on to one of those ranges.
    ///
    /// # Errors
    /// [`EnvError::Unnumbered`].
    pub(crate) fn step(&mut self, game: &Game, possible: (usize, usize)) -> Result<(), EnvError> {
        self.possible = possible;
        self.depth += 1;
        self.choices(game)
    }
}
