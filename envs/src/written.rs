//! Moves as people write them.

use crate::actions::{ActionKind, Merging};
use crate::env::{Acted, Env, Labels};
use crate::game::Game;
use backend::{Moves, Tag};

impl Env {
    /// The actions that make the legal move which a text means, written in any way that [`kit::runner::Runner::find_in`] reads: one, or the steps that are still
    /// to be taken. Linear in the legal moves.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn actions_of(&self, game: &Game, text: &str) -> Result<Vec<u32>, String> {
        let mut moves = Moves::new();
        game.reasoner().legal_moves(self.state(), &mut moves).map_err(|error| error.to_string())?;
        let index = game.runner().find_in(text, self.state(), &moves)?;
        self.actions_that_make(game, moves.tags(index), text)
    }

    /// The actions that make the legal move with these tags: one, or the steps that are still to be taken, for which actions must be listed. Linear in the legal moves.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn actions_for(&self, game: &Game, tags: &[Tag]) -> Result<Vec<u32>, String> {
        self.actions_that_make(game, tags, &game.reasoner().tags_text(tags))
    }

    fn actions_that_make(&self, game: &Game, wanted: &[Tag], text: &str) -> Result<Vec<u32>, String> {
        let unknown = || format!("`{text}` has no number");
        if game.actions().kind() == ActionKind::Moves {
            let mut moves = Moves::new();
            game.reasoner().legal_moves(self.state(), &mut moves).map_err(|error| error.to_string())?;
            let made = moves.iter().position(|tags| tags == wanted).ok_or_else(unknown)?;
            let actions = self.in_order(game, &moves).ok_or_else(unknown)?;
            return Ok(vec![actions.get(made).copied().ok_or_else(unknown)?]);
        }
        let number = |tags| game.actions().number(tags).ok_or_else(unknown);
        let (mut env, mut actions) = (self.clone(), Vec::new());
        loop {
            let chosen = env.chosen();
            let rest =
                wanted.strip_prefix(chosen).ok_or_else(|| format!("another move than `{text}` has been begun"))?;
            let action = number(rest.get(..1).unwrap_or(&[]))?;
            actions.push(action);
            if env.act(game, action).map_err(|error| error.to_string())? == Acted::Moved {
                return Ok(actions);
            }
        }
    }

    /// The legal moves in the shortest form that [`Env::actions_of`] reads, as people number them; those that the steps which were taken leave. Linear in the
    /// legal moves.
    ///
    /// # Errors
    /// What is wrong with the rules, in one line.
    pub fn written_moves(&self, game: &Game) -> Result<Vec<String>, String> {
        let mut moves = Moves::new();
        game.reasoner().legal_moves(self.state(), &mut moves).map_err(|error| error.to_string())?;
        let chosen = self.chosen();
        let listed = game.runner().short_listed(&moves);
        Ok(listed
            .into_iter()
            .filter(|(_, index)| moves.tags(*index).starts_with(chosen))
            .map(|(text, _)| text)
            .collect())
    }

    /// A legal action as people write it in this position, in the shortest form that [`Env::actions_of`] reads; `None` for steps, and for what is not legal. Linear
    /// in the legal moves.
    pub fn text_of(&self, game: &Game, action: u32) -> Option<String> {
        if game.actions().kind() == ActionKind::Steps {
            return None;
        }
        let mut moves = Moves::new();
        game.reasoner().legal_moves(self.state(), &mut moves).ok()?;
        let index = self.in_order(game, &moves)?.into_iter().position(|number| number == action)?;
        game.runner().short_texts(&moves).into_iter().nth(index)
    }

    /// The actions that the legal moves are, in their order, where actions are whole moves.
    fn in_order(&self, game: &Game, moves: &Moves) -> Option<Vec<u32>> {
        if *game.actions().merging() != Merging::Ranked {
            return moves.iter().map(|tags| game.actions().number(tags)).collect();
        }
        let mut env = self.clone();
        env.list(game, &mut Labels::default()).ok()?;
        Some(env.legal().to_vec())
    }
}
