//! States.

use crate::game::Session;
use crate::status::Status;
use backend::{Error, Moves, State, Turn};
use std::sync::Arc;

/// A state with its game, and its legal moves once they were asked for.
#[derive(Clone)]
pub(crate) struct Position {
    session: Arc<Session>,
    state: State,
    moves: Option<Moves>,
}

fn failed(error: &Error) -> Status {
    Status::Run.saying(&error.to_string())
}

impl Position {
    pub(crate) fn new(session: Arc<Session>) -> Result<Self, Status> {
        let state = session.reasoner.initial().map_err(|error| failed(&error))?;
        Ok(Self { session, state, moves: None })
    }

    /// A player's index, -1 for chance, -2 at the end.
    pub(crate) fn turn(&self) -> i32 {
        match self.session.reasoner.turn(&self.state) {
            Turn::Player(player) => i32::try_from(player).unwrap_or(i32::MAX),
            Turn::Random => -1,
            Turn::End => -2,
        }
    }

    fn moves(&mut self) -> Result<&Moves, Status> {
        if self.moves.is_none() {
            let mut moves = Moves::new();
            self.session.reasoner.legal_moves(&self.state, &mut moves).map_err(|error| failed(&error))?;
            self.moves = Some(moves);
        }
        self.moves.as_ref().ok_or(Status::Run)
    }

    pub(crate) fn move_count(&mut self) -> Result<usize, Status> {
        Ok(self.moves()?.len())
    }

    fn checked(&mut self, index: usize) -> Result<(), Status> {
        let count = self.move_count()?;
        if index < count {
            return Ok(());
        }
        Err(Status::Index.saying(&format!("there is no move {index}; there are {count}")))
    }

    pub(crate) fn move_text(&mut self, index: usize) -> Result<String, Status> {
        self.checked(index)?;
        let session = self.session.clone();
        Ok(session.reasoner.move_text(self.moves()?, index))
    }

    /// Makes a move; the state is as before if that fails.
    pub(crate) fn apply(&mut self, index: usize) -> Result<Status, Status> {
        self.checked(index)?;
        let (session, mut next) = (self.session.clone(), self.state.clone());
        session.reasoner.apply(&mut next, self.moves()?, index).map_err(|error| failed(&error))?;
        (self.state, self.moves) = (next, None);
        Ok(Status::Ok)
    }

    pub(crate) fn score(&self, player: usize) -> Result<String, Status> {
        let scores = self.session.reasoner.scores(&self.state);
        let found = scores.get(player).map(|&score| score.to_owned());
        found.ok_or_else(|| Status::Index.saying(&format!("there is no player {player}; there are {}", scores.len())))
    }

    pub(crate) fn perft(&self, depth: u32) -> Result<u64, Status> {
        self.session.reasoner.perft(&self.state, depth).map_err(|error| failed(&error))
    }
}
