//! Agents: programs that choose moves.
//!
//! Every agent is an [`Agent`]; [`Spec`] reads what the user writes (`uct:1s,rave`) and makes one. [`Play`] is a game in
//! progress: it knows the state, the legal moves and what each player has observed, and it gives agents no more than
//! what they may know ([`Knowledge`]). With a budget of playouts, nodes or depth, agents are deterministic under a seed.
//!
//! | spec | agent |
//! |---|---|
//! | `random` | every legal move is equally likely |
//! | `greedy` | the move that leads to the best scores at once |
//! | `flat:1000p` | flat Monte Carlo: the move with the best random playouts |
//! | `uct:1s` | Monte Carlo tree search; with hidden information, over information sets |
//! | `ab:depth=6` | alpha-beta with iterative deepening, for two players without chance and hidden information |
//!
//! Two agents play tic-tac-toe, in which the better of them does not lose:
//!
//! ```
//! use agents::{Play, Spec};
//! use backend::{Engine, Reasoner, Turn};
//!
//! let text = include_str!("../../games/rg/ticTacToe.rg");
//! let (game, findings) = rg_ir::text::parse(rg_ir::SourceId(0), text);
//! let reasoner = Reasoner::new(&game.ok_or(format!("{findings:?}"))?, Engine::Auto)?;
//! let mut players = [Spec::parse("uct:300p")?.agent(&reasoner, 1)?, Spec::parse("random")?.agent(&reasoner, 2)?];
//!
//! let mut play = Play::new(&reasoner)?;
//! while let Turn::Player(player) = play.turn() {
//!     let choice = players[player].choose(&play.situation(player))?;
//!     play.make(choice.index)?;
//! }
//! assert_ne!(play.scores()[0], "0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabeta;
mod belief;
mod budget;
mod flat;
mod insight;
mod ismcts;
mod payoffs;
mod play;
mod simple;
mod spec;
mod uct;

pub use belief::{Labelled, Resampling};
pub use budget::Budget;
pub use insight::{Insight, Watch};
pub use payoffs::Payoffs;
pub use play::{Observed, Play};
pub use spec::{KINDS, NAMES, Spec, SpecError};

use backend::{Error, Moves, Reasoner, State};
use std::sync::atomic::AtomicBool;

/// Chooses moves for one player of one game. Agents may remember what they worked out for earlier moves.
pub trait Agent: Send {
    /// Chooses one of the legal moves.
    ///
    /// # Errors
    /// What went wrong in the game while the agent looked ahead: the rules are improper. The moves of the error begin
    /// somewhere below the situation.
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Choice, Error>;

    /// A copy with all that the agent remembers, which goes on as the agent itself does. Linear in that.
    fn clone_box(&self) -> Box<dyn Agent>;
}

impl Clone for Box<dyn Agent> {
    fn clone(&self) -> Self {
        self.as_ref().clone_box()
    }
}

/// What an agent knows when it has to move.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The rules.
    pub reasoner: &'a Reasoner,
    /// The player to choose for, by index.
    pub player: usize,
    /// The legal moves; there is at least one.
    pub moves: &'a Moves,
    /// What the player knows of the state.
    pub knowledge: Knowledge<'a>,
    /// Set from outside when the choice is not wanted any more: the agent then returns soon, with any legal move.
    pub stop: Option<&'a AtomicBool>,
    /// Receives what the agent has found out so far, every 50 ms at most. The choice is the same with and without.
    pub watch: Option<Watch<'a>>,
}

impl<'a> Situation<'a> {
    /// The same situation, for a search that ends soon after `stop` is set.
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The same situation, for a search that reports to `watch` what it has found out so far.
    pub fn watched(self, watch: Watch<'a>) -> Self {
        Self { watch: Some(watch), ..self }
    }
}

/// What a player knows of the state.
#[derive(Clone, Copy)]
pub enum Knowledge<'a> {
    /// All of it: nothing is hidden in this game.
    State(&'a State),
    /// What it observed since the beginning, move by move.
    Observations(&'a [Observed]),
}

/// An agent's move, and how it was found.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Choice {
    /// Index of the move among the legal moves.
    pub index: usize,
    /// What the agent expects to score with it, in the units of the game, if it has an opinion.
    pub value: Option<f64>,
    /// Random playouts made.
    pub playouts: u64,
    /// Nodes that its tree has, or positions that it searched.
    pub nodes: u64,
    /// Depth to which every move was looked at, in plies; 0 if the search is not of that kind.
    pub depth: u32,
}
