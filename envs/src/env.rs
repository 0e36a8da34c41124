//! One game in progress.

use crate::actions::ActionKind;
use crate::game::Game;
use crate::numbers::{NO_NUMBER, Numbers};
use backend::{Error, Event, Moves, PackedMove, Rng, State, Tag, Turn};
use std::fmt;

/// Moves of `random` in a row at most.
const MAX_CHANCE: u32 = 10_000;

/// Numbers of moves by their words, so that labels are read once only. One for each thread.
#[derive(Default, Debug)]
pub struct Labels {
    /// By `packed_label_key`.
    numbers: Vec<Numbers>,
}

/// What goes wrong while a game is played.
#[derive(Debug)]
pub enum EnvError {
    /// The rules fail.
    Game(Error),
    /// An action is not legal.
    Illegal {
        /// The action.
        action: u32,
    },
    /// `random` moves without end.
    EndlessChance,
    /// A legal move has no number. The rules' labels were not found out in full: an error of `rgc`.
    Unnumbered {
        /// The move's tags.
        label: String,
    },
}

impl From<Error> for EnvError {
    fn from(error: Error) -> Self {
        Self::Game(error)
    }
}

impl fmt::Display for EnvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(error) => write!(f, "{error}"),
            Self::Illegal { action } => write!(f, "action {action} is not legal"),
            Self::EndlessChance => write!(f, "`random` makes {MAX_CHANCE} moves in a row"),
            Self::Unnumbered { label } => {
                write!(f, "the move `{label}` has no number: this is a defect of rgc, please report it")
            }
        }
    }
}

impl std::error::Error for EnvError {}

/// What an action did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acted {
    /// A move was made, the keeper's answers included.
    Moved,
    /// A step of a move was taken; the same player goes on.
    Stepped,
}

/// How the moves of a state are known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Listed {
    #[default]
    Nothing,
    /// As words.
    Packed,
    /// With their tags.
    Labelled,
}

/// A game in progress: its state, its legal actions, and what of a move was chosen so far.
#[derive(Default, Debug)]
pub struct Env {
    state: State,
    turn: Option<Turn>,
    listed: Listed,
    /// The legal actions, ascending for steps, else in the order of the moves.
    legal: Vec<u32>,
    packed: Vec<PackedMove>,
    moves: Moves,
    /// Steps: the moves in the order of their tags, those that are still possible, and how many tags are chosen.
    order: Vec<u32>,
    possible: (usize, usize),
    depth: usize,
    /// If something is hidden: by player, the tags it was told.
    told: Vec<Vec<Tag>>,
}

impl Clone for Env {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            turn: self.turn,
            listed: self.listed,
            legal: self.legal.clone(),
            packed: self.packed.clone(),
            moves: self.moves.clone(),
            order: self.order.clone(),
            possible: self.possible,
            depth: self.depth,
            told: self.told.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        (self.turn, self.listed) = (source.turn, source.listed);
        self.legal.clone_from(&source.legal);
        self.packed.clone_from(&source.packed);
        self.order.clone_from(&source.order);
        if source.listed == Listed::Labelled {
            self.moves.clone_from(&source.moves);
        }
        (self.possible, self.depth) = (source.possible, source.depth);
        self.told.clone_from(&source.told);
    }
}

impl Env {
    /// A game at its beginning; its actions are not listed.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the keeper cannot come to the first decision.
    pub fn new(game: &Game) -> Result<Self, EnvError> {
        Ok(Self::at(game, game.reasoner().initial()?))
    }

    /// A game at a state that the game's engine handed out. Players were told nothing so far.
    pub fn at(game: &Game, state: State) -> Self {
        let reasoner = game.reasoner();
        let players = if reasoner.hides() { reasoner.players().len() } else { 0 };
        let turn = Some(reasoner.turn(&state));
        Self { state, turn, told: vec![Vec::new(); players], ..Self::default() }
    }

    /// The state in which the move began whose steps are being taken.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who decides.
    pub fn turn(&self) -> Turn {
        self.turn.unwrap_or(Turn::End)
    }

    /// The legal actions, once they are listed; none at the end.
    pub fn legal(&self) -> &[u32] {
        &self.legal
    }

    /// The game after some actions from its beginning.
    ///
    /// # Errors
    /// [`EnvError::Illegal`] for the first action that is not legal; as for [`Env::act`].
    pub fn after(game: &Game, actions: &[u32]) -> Result<Self, EnvError> {
        let (mut env, mut labels) = (Self::new(game)?, Labels::default());
        for &action in actions {
            env.list(game, &mut labels)?;
            env.act(game, action)?;
        }
        Ok(env)
    }

    /// The moves that are still possible, with their tags; none where moves are known as words only.
    pub fn possible(&self) -> impl Iterator<Item = &[Tag]> {
        let (from, to) = self.possible;
        self.order.get(from..to).unwrap_or(&[]).iter().map(|&index| self.moves.tags(index as usize))
    }

    /// The tags that were chosen of the move so far, with those that all possible moves share.
    pub fn chosen(&self) -> &[Tag] {
        let first = self.order.get(self.possible.0).map_or(&[][..], |&index| self.moves.tags(index as usize));
        first.get(..self.depth).unwrap_or(&[])
    }

    /// What a player was told so far: the tags of all moves as far as it saw them. Nothing if the game hides nothing.
    pub fn told(&self, player: usize) -> &[Tag] {
        self.told.get(player).map_or(&[], Vec::as_slice)
    }

    /// Lists the legal actions, if they are not.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the rules fail; [`EnvError::Unnumbered`].
    pub fn list(&mut self, game: &Game, labels: &mut Labels) -> Result<(), EnvError> {
        if self.listed != Listed::Nothing {
            return Ok(());
        }
        self.legal.clear();
        let reasoner = game.reasoner();
        if game.actions().kind() == ActionKind::Steps {
            self.label(game)?;
            self.order.clear();
            self.order.extend(0..self.moves.len() as u32);
            let moves = &self.moves;
            self.order.sort_unstable_by(|&one, &other| moves.tags(one as usize).cmp(moves.tags(other as usize)));
            (self.possible, self.depth) = ((0, self.order.len()), 0);
            return self.choices(game);
        }
        if !reasoner.hides() {
            reasoner.packed_moves(&self.state, &mut self.packed)?;
            if let Some(key) = reasoner.packed_label_key(&self.state, &self.packed) {
                self.listed = Listed::Packed;
                return self.look_up(game, key, labels);
            }
        }
        self.label(game)?;
        for index in 0..self.moves.len() {
            let number = game.actions().number(self.moves.tags(index));
            let label = || game.reasoner().tags_text(self.moves.tags(index));
            self.legal.push(number.ok_or_else(|| EnvError::Unnumbered { label: label() })?);
        }
        Ok(())
    }

    /// The moves with their tags.
    fn label(&mut self, game: &Game) -> Result<(), EnvError> {
        game.reasoner().legal_moves(&self.state, &mut self.moves)?;
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
        self.legal.extend(self.packed.iter().map(|packed| numbers.get(packed.0)));
        if !self.legal.contains(&NO_NUMBER) {
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

    /// Takes one of the legal actions, which must be listed, and the keeper's answers to it.
    ///
    /// # Errors
    /// [`EnvError::Illegal`], before anything has changed; [`EnvError::Game`] if the rules fail, after which the game is unspecified.
    pub fn act(&mut self, game: &Game, action: u32) -> Result<Acted, EnvError> {
        let at = self.legal.iter().position(|&legal| legal == action).ok_or(EnvError::Illegal { action })?;
        self.act_at(game, at)
    }

    /// As [`Env::act`], with the action's place among [`Env::legal`].
    pub(crate) fn act_at(&mut self, game: &Game, at: usize) -> Result<Acted, EnvError> {
        let action = self.legal.get(at).copied().ok_or(EnvError::Illegal { action: u32::MAX })?;
        match (self.listed, game.actions().kind()) {
            (Listed::Nothing, _) => return Err(EnvError::Illegal { action }),
            (Listed::Packed, _) => {
                let packed = self.packed.get(at).copied().ok_or(EnvError::Illegal { action })?;
                game.reasoner().apply_packed(&mut self.state, packed)?;
            }
            (Listed::Labelled, ActionKind::Moves) => self.make(game, at)?,
            (Listed::Labelled, ActionKind::Steps) => {
                let is_chosen = |&at: &usize| game.actions().number(self.next_tag(at).as_slice()) == Some(action);
                let (from, to) = self.possible;
                let from = (from..to).find(is_chosen).ok_or(EnvError::Illegal { action })?;
                let to = (from..to).find(|at| !is_chosen(at)).unwrap_or(to);
                if to - from > 1 {
                    self.possible = (from, to);
                    self.depth += 1;
                    self.choices(game)?;
                    return Ok(Acted::Stepped);
                }
                let index = self.order.get(from).copied().ok_or(EnvError::Illegal { action })?;
                self.make(game, index as usize)?;
            }
        }
        self.turn = Some(game.reasoner().turn(&self.state));
        self.forget();
        Ok(Acted::Moved)
    }

    /// Makes one of the moves that have their tags.
    fn make(&mut self, game: &Game, index: usize) -> Result<(), EnvError> {
        let reasoner = game.reasoner();
        if self.told.is_empty() {
            return Ok(reasoner.apply(&mut self.state, &self.moves, index)?);
        }
        let mut events: Vec<Event> = Vec::new();
        reasoner.apply_logged(&mut self.state, &self.moves, index, &mut events)?;
        for (player, told) in self.told.iter_mut().enumerate() {
            told.extend(events.iter().flat_map(|event| event.observed_by(player)));
        }
        Ok(())
    }

    /// Leaves no legal actions: the game is over, or counts as such.
    pub(crate) fn finish(&mut self) {
        self.forget();
    }

    /// The state has changed.
    fn forget(&mut self) {
        self.listed = Listed::Nothing;
        self.legal.clear();
        self.order.clear();
        (self.possible, self.depth) = ((0, 0), 0);
    }

    /// Makes the moves of `random`, as long as it decides, each drawn with the same probability.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the rules fail; [`EnvError::EndlessChance`].
    pub fn draw(&mut self, game: &Game, rng: &mut Rng) -> Result<(), EnvError> {
        let reasoner = game.reasoner();
        for _ in 0..MAX_CHANCE {
            if self.turn() != Turn::Random {
                return Ok(());
            }
            if self.told.is_empty() {
                reasoner.packed_moves(&self.state, &mut self.packed)?;
                let drawn = self.packed.get(rng.below(self.packed.len() as u32) as usize).copied();
                let Some(drawn) = drawn else { return Ok(()) };
                reasoner.apply_packed(&mut self.state, drawn)?;
            } else {
                self.label(game)?;
                let drawn = rng.below(self.moves.len() as u32) as usize;
                self.make(game, drawn)?;
            }
            self.turn = Some(reasoner.turn(&self.state));
            self.forget();
        }
        Err(EnvError::EndlessChance)
    }

    /// Draws one of the legal actions, each with the same probability; `None` if there are none.
    pub fn sample(&self, rng: &mut Rng) -> Option<u32> {
        self.legal.get(self.sample_at(rng)).copied()
    }

    /// As [`Env::sample`]: the action's place among [`Env::legal`].
    pub(crate) fn sample_at(&self, rng: &mut Rng) -> usize {
        if self.legal.is_empty() { 0 } else { rng.below(self.legal.len() as u32) as usize }
    }
}
