//! Games as environments for programs that learn.
//!
//! A [`Game`] is a game with an engine, an [`ActionSpace`], in which every move of every state has a number that is the same in all
//! states, and an [`ObservationSpace`], which names the bytes that describe a state. An [`Env`] is one game in progress; a [`Batch`] is
//! many of them, which are stepped together and fill arrays of the caller's.
//!
//! ```
//! use envs::{ActionKind, Actions, Env, Game, Labels};
//!
//! let game = Game::load("connectFour", Some("hrg"), Actions::Auto)?;
//! assert_eq!((game.actions().kind(), game.actions().len()), (ActionKind::Moves, 43));
//! let (mut env, mut labels) = (Env::new(&game)?, Labels::default());
//! env.list(&game, &mut labels)?;
//! assert_eq!(env.legal().len(), 7);
//! let column = env.legal()[3];
//! env.act(&game, column)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actions;
mod arrays;
mod batch;
mod chosen;
mod course;
mod decisions;
mod env;
mod game;
mod listing;
mod memory;
mod numbers;
mod observation;
mod perft;
mod perspective;
mod place;
mod playouts;
mod seeds;
mod version;
mod written;

pub use actions::{ActionKind, ActionSpace, Actions, Merging};
pub use arrays::Arrays;
pub use batch::{Autoreset, Batch, BatchError, Chance, Plan, Seeds};
pub use env::{Acted, Env, EnvError, Labels};
pub use game::{Game, GameError};
pub use memory::available_memory;
pub use observation::{ObservationSpace, Shape};
pub use perft::Part;
pub use playouts::{MAX_OBSERVED, Playouts};
