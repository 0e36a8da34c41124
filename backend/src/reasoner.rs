//! The public face of the engines.

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::naive::Naive;
use crate::rng::Rng;
use crate::state::{Event, Moves, State, Tag, Turn};
use rg_ir::ids::Id;
use rg_ir::{Game, StateView, Symbol, Symbols};
use rustc_hash::FxHashSet;

/// Which engine runs a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engine {
    /// The fastest one available.
    #[default]
    Auto,
    /// The reference: slow, and as simple as the semantics.
    Naive,
}

impl Engine {
    /// All engines by name, [`Engine::Auto`] first.
    pub const ALL: [(&'static str, Engine); 2] = [("auto", Engine::Auto), ("naive", Engine::Naive)];
}

/// A forward model of one game: legal moves, states, scores. Shared freely between threads.
#[derive(Debug)]
pub struct Reasoner {
    engine: Naive,
    symbols: Symbols,
    players: Vec<String>,
}

/// Sums over playouts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlayoutStats {
    /// Finished plays.
    pub plays: u64,
    /// Moves made by players (not by the keeper, not by `random`).
    pub plies: u64,
    /// Sum over plays of the square of their plies.
    pub plies_squared: u64,
    /// Sum over the players' decisions of the number of legal moves.
    pub moves: u64,
    /// Greatest number of legal moves of a decision.
    pub max_moves: u64,
    /// Per player, how often each score (by name) was reached.
    pub scores: Vec<std::collections::BTreeMap<String, u64>>,
}

impl Reasoner {
    /// Prepares a checked game for execution.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the game cannot be executed as it stands, which does not happen to checked games.
    pub fn new(game: &Game, engine: Engine) -> Result<Self, Error> {
        Self::with_limits(game, engine, Limits::default())
    }

    /// As [`Reasoner::new`], with other limits.
    ///
    /// # Errors
    /// As for [`Reasoner::new`].
    pub fn with_limits(game: &Game, _engine: Engine, limits: Limits) -> Result<Self, Error> {
        let engine = Naive::new(game, limits)?;
        let players = game.players().iter().map(|&p| game.name(p).to_string()).collect();
        let mut symbols = game.symbols.clone();
        for name in ["keeper", "random", "1"] {
            symbols.intern(name);
        }
        Ok(Self { engine, symbols, players })
    }

    /// Name of the engine that runs.
    pub fn engine_name(&self) -> &'static str {
        "naive"
    }

    /// The players in declaration order.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The text of a tag.
    pub fn tag_name(&self, tag: Tag) -> &str {
        self.symbols.name(Symbol::from_index(tag.0 as usize))
    }

    /// A tag sequence as text, separated by single spaces.
    pub fn tags_text(&self, tags: &[Tag]) -> String {
        tags.iter().map(|&t| self.tag_name(t)).collect::<Vec<_>>().join(" ")
    }

    /// The state in which the first decision is made: initial values, the keeper's moves completed.
    ///
    /// # Errors
    /// [`ErrorKind::Stuck`], [`ErrorKind::KeeperChoice`], [`ErrorKind::Ambiguous`], [`ErrorKind::Recursion`] or
    /// [`ErrorKind::Limit`] if the keeper cannot complete.
    pub fn initial(&self) -> Result<State, Error> {
        let mut state = self.engine.initial();
        self.engine.complete(&mut state, None)?;
        Ok(state)
    }

    /// Who decides.
    pub fn turn(&self, state: &State) -> Turn {
        self.engine.turn(state).unwrap_or(Turn::End)
    }

    /// Whether the play is over.
    pub fn is_terminal(&self, state: &State) -> bool {
        self.turn(state) == Turn::End
    }

    /// Fills `moves` with the legal moves of `state`: distinct tag sequences, in a deterministic order. None at the end
    /// of a play.
    ///
    /// # Errors
    /// [`ErrorKind::Ambiguous`], [`ErrorKind::Recursion`], [`ErrorKind::Limit`]; [`ErrorKind::Stuck`] if there is no
    /// move and the play is not over.
    pub fn legal_moves(&self, state: &State, moves: &mut Moves) -> Result<(), Error> {
        moves.clear();
        if self.is_terminal(state) {
            return Ok(());
        }
        self.engine.moves(state, moves)?;
        if moves.is_empty() {
            return Err(Error::new(ErrorKind::Stuck, self.node_name(state), "there is no legal move"));
        }
        Ok(())
    }

    /// Makes move `index` of `moves`, which must be the legal moves of `state`, and completes the keeper's moves.
    ///
    /// # Errors
    /// [`ErrorKind::IllegalMove`] if there is no such move; else as for [`Reasoner::initial`]. `state` is then
    /// unspecified.
    pub fn apply(&self, state: &mut State, moves: &Moves, index: usize) -> Result<(), Error> {
        self.apply_raw(state, moves, index)?;
        self.engine.complete(state, None)
    }

    /// As [`Reasoner::apply`], and appends what the players are told: the move itself, then each move of the keeper.
    ///
    /// # Errors
    /// As for [`Reasoner::apply`].
    pub fn apply_logged(
        &self,
        state: &mut State,
        moves: &Moves,
        index: usize,
        log: &mut Vec<Event>,
    ) -> Result<(), Error> {
        log.push(self.engine.event(moves, index, Some(self.turn(state))));
        self.apply_raw(state, moves, index)?;
        self.engine.complete(state, Some(log))
    }

    fn apply_raw(&self, state: &mut State, moves: &Moves, index: usize) -> Result<(), Error> {
        match moves.successors.get(index) {
            Some(next) => {
                *state = next.clone();
                Ok(())
            }
            None => Err(Error::new(ErrorKind::IllegalMove, self.node_name(state), "there is no such move")),
        }
    }

    /// Name of the automaton node a state is at.
    pub fn node_name(&self, state: &State) -> String {
        self.engine.node_name(state)
    }

    /// The scores (`goals`) in player order, by name. They are final once the play is over.
    pub fn scores(&self, state: &State) -> Vec<&str> {
        self.engine.scores(state)
    }

    /// The values of variables, for drawing and inspection.
    pub fn view<'a>(&'a self, state: &'a State) -> impl StateView + 'a {
        View { reasoner: self, state }
    }

    /// Size of a state in bytes.
    pub fn state_bytes(&self) -> usize {
        self.engine.initial().as_bytes().len()
    }

    /// Number of plays of exactly `depth` plies from `state` (section 9): moves of the keeper are free, successors of
    /// `random` are merged by state.
    ///
    /// # Errors
    /// As for [`Reasoner::legal_moves`] and [`Reasoner::apply`], with the play from `state` on.
    pub fn perft(&self, state: &State, depth: u32) -> Result<u64, Error> {
        if depth == 0 {
            return Ok(1);
        }
        if self.is_terminal(state) {
            return Ok(0);
        }
        let mut moves = Moves::new();
        self.legal_moves(state, &mut moves)?;
        let random = self.turn(state) == Turn::Random;
        if depth == 1 && !random {
            return Ok(moves.len() as u64);
        }
        let mut sum = 0u64;
        let mut seen = FxHashSet::default();
        for index in 0..moves.len() {
            let mut next = state.clone();
            self.apply_raw(&mut next, &moves, index)?;
            if random && !seen.insert(next.clone()) {
                continue;
            }
            let leaves = if depth == 1 {
                Ok(1)
            } else {
                self.engine.complete(&mut next, None).and_then(|()| self.perft(&next, depth - 1))
            };
            sum = sum.saturating_add(leaves.map_err(|e| e.after(self.tags_text(moves.tags(index))))?);
        }
        Ok(sum)
    }

    /// Plays one uniformly random play from the initial state and adds it to `stats`: in every state all legal moves
    /// are generated and one is chosen.
    ///
    /// # Errors
    /// As for [`Reasoner::legal_moves`] and [`Reasoner::apply`], with the play.
    pub fn playout(&self, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        let mut state = self.initial()?;
        let mut moves = Moves::new();
        let mut play: Vec<String> = Vec::new();
        let mut plies = 0u64;
        let result = loop {
            let turn = self.turn(&state);
            if turn == Turn::End {
                break Ok(());
            }
            if let Err(error) = self.legal_moves(&state, &mut moves) {
                break Err(error);
            }
            if turn != Turn::Random {
                plies += 1;
                stats.moves += moves.len() as u64;
                stats.max_moves = stats.max_moves.max(moves.len() as u64);
            }
            let index = rng.below(moves.len() as u32) as usize;
            play.push(self.tags_text(moves.tags(index)));
            if let Err(error) = self.apply(&mut state, &moves, index) {
                break Err(error);
            }
        };
        if let Err(mut error) = result {
            error.play = play;
            return Err(error);
        }
        stats.plays += 1;
        stats.plies += plies;
        stats.plies_squared += plies * plies;
        stats.scores.resize_with(self.players.len(), Default::default);
        for (counts, score) in stats.scores.iter_mut().zip(self.scores(&state)) {
            *counts.entry(score.to_string()).or_default() += 1;
        }
        Ok(())
    }
}

struct View<'a> {
    reasoner: &'a Reasoner,
    state: &'a State,
}

impl StateView for View<'_> {
    fn get(&self, variable: &str, keys: &[&str]) -> Option<&str> {
        self.reasoner.engine.get(self.state, variable, keys)
    }
}
