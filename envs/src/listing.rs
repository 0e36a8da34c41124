//! The legal actions of a state.

use crate::actions::ActionKind;
use crate::env::{EnvError, Labels};
use crate::game::Game;
use crate::numbers::{NO_NUMBER, Numbers};
use backend::{Moves, PackedMove, Rng, State, Tag};

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
    pub(crate) moves: Moves,
    /// Steps: the moves in the order of their tags, those that are still possible, and how many tags are chosen.
    pub(crate) order: Vec<u32>,
    possible: (usize, usize),
    depth: usize,
}

impl Listing {
    /// Whether something is listed.
    pub(crate) fn is_listed(&self) -> bool {
        self.listed != Listed::Nothing
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

    /// The moves that are still possible, with their tags.
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
        if game.actions().kind() == ActionKind::Steps {
            self.label(game, state)?;
            self.order.extend(0..self.moves.len() as u32);
            let moves = &self.moves;
            self.order.sort_unstable_by(|&one, &other| moves.tags(one as usize).cmp(moves.tags(other as usize)));
            (self.possible, self.depth) = ((0, self.order.len()), 0);
            return self.choices(game);
        }
        if !reasoner.hides() {
            reasoner.packed_moves(state, &mut self.packed)?;
            if let Some(key) = reasoner.packed_label_key(state, &self.packed) {
                self.listed = Listed::Packed;
                return self.look_up(game, key, labels);
            }
        }
        self.label(game, state)?;
        for index in 0..self.moves.len() {
            let number = game.actions().number(self.moves.tags(index));
            let label = || game.reasoner().tags_text(self.moves.tags(index));
            self.legal.push(number.ok_or_else(|| EnvError::Unnumbered { label: label() })?);
        }
        Ok(())
    }

    /// The moves with their tags.
    pub(crate) fn label(&mut self, game: &Game, state: &State) -> Result<(), EnvError> {
        game.reasoner().legal_moves(state, &mut self.moves)?;
        self.listed = Listed::Labelled;
        Ok(())
    }

    /// The numbers of moves that are words.
    fn look_up(&mut self, game: &Game, key: u32, labels: &mut Labels) -> Result<(), EnvError> {
        let at = key as usize;
        if labels.numbers.len() <= at {
            labels.numbers.resize_with(at + 1, Numbers::default);
        }
        let Some(numbers) = labels.numbers.get_mut(at) else { return Ok(()) };
        if numbers.look_up(&self.packed, &mut self.legal) {
            return Ok(());
        }
        for (number, &packed) in self.legal.iter_mut().zip(&self.packed).filter(|(number, _)| **number == NO_NUMBER) {
            let tags = game.reasoner().packed_tags(key, packed);
            let found = game.actions().number(&tags);
            *number = found.ok_or_else(|| EnvError::Unnumbered { label: game.reasoner().tags_text(&tags) })?;
            numbers.insert(packed.0, *number);
        }
        Ok(())
    }

    /// The tag of a possible move behind those that are chosen; `None` at its end.
    fn next_tag(&self, at: usize) -> Option<Tag> {
        let &index = self.order.get(at)?;
        self.moves.tags(index as usize).get(self.depth).copied()
    }

    /// Steps: takes the tags that all possible moves share, and lists the choices behind.
    fn choices(&mut self, game: &Game) -> Result<(), EnvError> {
        let (from, to) = self.possible;
        while to - from > 1
            && let (Some(first), Some(last)) = (self.next_tag(from), self.next_tag(to - 1))
            && first == last
        {
            self.depth += 1;
        }
        self.legal.clear();
        let mut last = None;
        for at in from..to {
            let tag = self.next_tag(at);
            if last == Some(tag) {
                continue;
            }
            last = Some(tag);
            let number = game.actions().number(tag.as_slice());
            let label = || tag.map_or_else(String::new, |tag| game.reasoner().tag_name(tag).to_owned());
            self.legal.push(number.ok_or_else(|| EnvError::Unnumbered { label: label() })?);
        }
        self.legal.sort_unstable();
        Ok(())
    }

    /// Steps: which of the possible moves go on with an action, in [`Listing::order`].
    pub(crate) fn going_on(&self, game: &Game, action: u32) -> Option<(usize, usize)> {
        let is_chosen = |&at: &usize| game.actions().number(self.next_tag(at).as_slice()) == Some(action);
        let (from, to) = self.possible;
        let from = (from..to).find(is_chosen)?;
        Some((from, (from..to).find(|at| !is_chosen(at)).unwrap_or(to)))
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
