//! Games of joint moves, step by step: which fluents hold in a position, what every role may do, what a step leads to.
//!
//! [`JointGame`] is a game in that sense, however it is run; [`JointReasoner`] runs one that a front end has lowered.
//! [`compare()`] plays two of them in lock step: two lowerings of one description, or one and an interpreter of the rules.

mod compare;

pub use compare::{Aspect, Budget, Difference, Extent, compare};

use crate::reasoner::Reasoner;
use engine::state::{Event, Moves, State};
use engine::{Error, ErrorKind};
use rg_ir::{JointMoves, Notation, Part};

/// A game in which all roles move at once.
pub trait JointGame {
    /// A state between two steps.
    type State: Clone;

    /// The roles in order.
    fn roles(&self) -> Vec<String>;

    /// The state at first.
    ///
    /// # Errors
    /// The game cannot be run.
    fn initial(&self) -> Result<Self::State, Error>;

    /// What can be observed of a state.
    ///
    /// # Errors
    /// The game cannot be run.
    fn position(&self, state: &Self::State) -> Result<Position, Error>;

    /// The state after a step, given by the moves of all roles, and the percepts of each role; no lists of percepts in a
    /// game in which everybody sees everything.
    ///
    /// # Errors
    /// A move is not legal, or the game cannot be run.
    fn step(&self, state: &Self::State, moves: &[String]) -> Result<(Self::State, Vec<Vec<String>>), Error>;
}

/// What can be observed of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Position {
    /// The end of the game.
    Over {
        /// The fluents that hold, in ascending order.
        fluents: Vec<String>,
        /// The score of each role.
        goals: Vec<String>,
    },
    /// All roles can move.
    Open {
        /// The fluents that hold, in ascending order.
        fluents: Vec<String>,
        /// The legal moves of each role, in ascending order.
        legal: Vec<Vec<String>>,
    },
    /// Some role has no legal move, and the game is not over.
    Stuck,
}

impl Position {
    /// The fluents that hold, unless a role is stuck: then they do not matter any more.
    pub fn fluents(&self) -> Option<&[String]> {
        match self {
            Position::Over { fluents, .. } | Position::Open { fluents, .. } => Some(fluents),
            Position::Stuck => None,
        }
    }
}

/// Who tells the roles what they know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Information {
    /// All see everything.
    Open,
    /// Tags of the keeper are percepts.
    Percepts,
}

/// A lowered game in an engine, with the notation that says how plies make up steps.
pub struct JointReasoner<'g> {
    reasoner: &'g Reasoner,
    notation: &'g dyn Notation,
    joint: &'g dyn JointMoves,
    information: Information,
}

impl<'g> JointReasoner<'g> {
    /// A game whose notation knows joint moves; `None` if it does not. To tell all fluents apart, the reasoner must
    /// [keep](crate::Options::keep_dead) those that are not read any more.
    pub fn new(reasoner: &'g Reasoner, notation: &'g dyn Notation, information: Information) -> Option<Self> {
        Some(Self { reasoner, notation, joint: notation.joint()?, information })
    }

    fn fluents(&self, state: &State) -> Vec<String> {
        let text = self.joint.state_text(&self.reasoner.view(state));
        text.lines().map(str::to_owned).collect()
    }

    /// The legal moves of whoever makes the next ply, as text, in the order of the moves.
    fn listed(&self, state: &State, moves: &mut Moves) -> Result<Vec<String>, Error> {
        self.reasoner.legal_moves(state, moves)?;
        let tags = |index: usize| moves.tags(index).iter().map(|&tag| self.reasoner.tag_name(tag)).collect();
        let tags: Vec<Vec<&str>> = (0..moves.len()).map(tags).collect();
        Ok(self.notation.render_moves(&tags))
    }

    /// The legal moves of all roles, on a way that takes the first move of each.
    fn legal(&self, state: &State) -> Result<Vec<Vec<String>>, Error> {
        let mut legal = Vec::new();
        let mut moves = Moves::new();
        let mut state = state.clone();
        let parts = self.joint.step(&self.reasoner.view(&state));
        let mut plies = parts.iter().filter(|part| **part == Part::Ply).count();
        for part in parts {
            if let Part::Forced(only) = part {
                legal.push(vec![only.to_owned()]);
                continue;
            }
            let mut list = self.listed(&state, &mut moves)?;
            list.sort_unstable();
            legal.push(list);
            plies -= 1;
            // What the last ply leads to is not asked.
            if plies > 0 {
                self.reasoner.apply(&mut state, &moves, 0)?;
            }
        }
        Ok(legal)
    }

    /// What each role observes of the moves of the keeper.
    fn percepts(&self, log: &[Event]) -> Vec<Vec<String>> {
        if self.information == Information::Open {
            return Vec::new();
        }
        let observed = |role: &str| {
            let player = self.reasoner.players().iter().position(|name| self.notation.render_player(name) == role);
            let Some(player) = player else { return Vec::new() };
            let events = log.iter().filter(|event| event.mover.is_none());
            let mut seen: Vec<String> = events
                .flat_map(|event| event.observed_by(player))
                .map(|tag| self.reasoner.tag_name(tag).to_owned())
                .collect();
            seen.sort_unstable();
            seen.dedup();
            seen
        };
        self.joint.roles().into_iter().map(observed).collect()
    }
}

/// A state in a reasoner; `None` if the moves of the keeper that lead there do not end because a role is stuck.
type Reached = Option<State>;

/// A state that cannot be left is one.
fn or_stuck<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind == ErrorKind::Stuck => Ok(None),
        Err(error) => Err(error),
    }
}

impl JointGame for JointReasoner<'_> {
    type State = Reached;

    fn roles(&self) -> Vec<String> {
        self.joint.roles().into_iter().map(str::to_owned).collect()
    }

    fn initial(&self) -> Result<Reached, Error> {
        or_stuck(self.reasoner.initial())
    }

    fn position(&self, state: &Reached) -> Result<Position, Error> {
        let Some(state) = state else { return Ok(Position::Stuck) };
        let fluents = self.fluents(state);
        if self.reasoner.is_terminal(state) {
            return Ok(Position::Over { fluents, goals: self.joint.goals(&self.reasoner.view(state)) });
        }
        let legal = or_stuck(self.legal(state))?;
        Ok(legal.map_or(Position::Stuck, |legal| Position::Open { fluents, legal }))
    }

    fn step(&self, state: &Reached, moves: &[String]) -> Result<(Reached, Vec<Vec<String>>), Error> {
        let Some(mut state) = state.clone() else { return Ok((None, Vec::new())) };
        let illegal = |role: usize, state: &State| {
            let text = moves.get(role).map_or("none", String::as_str);
            let message = format!("there is no move `{text}`");
            Error::new(ErrorKind::IllegalMove, self.reasoner.node_name(state), message)
        };
        let mut log = Vec::new();
        let mut legal = Moves::new();
        let parts = self.joint.step(&self.reasoner.view(&state));
        for (role, part) in parts.into_iter().enumerate() {
            let wanted = moves.get(role);
            if let Part::Forced(only) = part {
                if wanted.is_none_or(|wanted| wanted != only) {
                    return Err(illegal(role, &state));
                }
                continue;
            }
            let list = self.listed(&state, &mut legal)?;
            let index = list.iter().position(|text| Some(text) == wanted).ok_or_else(|| illegal(role, &state))?;
            if or_stuck(self.reasoner.apply_logged(&mut state, &legal, index, &mut log))?.is_none() {
                return Ok((None, Vec::new()));
            }
        }
        Ok((Some(state), self.percepts(&log)))
    }
}
