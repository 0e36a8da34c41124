//! The reasoner: runs games in Regular Games.
//!
//! [`Reasoner`] answers who is to move, which moves are legal, what they lead to and what the scores are; it counts
//! plays ([`Reasoner::perft`]) and plays at random ([`Reasoner::playout`]). Semantics: specification of RG, sections 7
//! to 9.
//!
//! A game in which `a` picks a number and wins with the larger one, played once at random:
//!
//! ```
//! use backend::{Engine, Moves, Reasoner, Rng, Turn};
//!
//! let text = "
//!     type Player = { a };  type Score = { 0, 1 };
//!     var choice: Score = 0;
//!     begin, pick: player = a;
//!     pick, picked: choice = Score(*);
//!     picked, tagged: $$ choice;
//!     tagged, scored: goals[a] = choice;
//!     scored, end: player = keeper;
//! ";
//! let (game, findings) = rg_ir::text::parse(rg_ir::SourceId(0), text);
//! let game = game.ok_or(format!("{findings:?}"))?;
//! let reasoner = Reasoner::new(&game, Engine::Auto)?;
//!
//! let (mut state, mut moves, mut rng) = (reasoner.initial()?, Moves::new(), Rng::new(1));
//! assert_eq!(reasoner.perft(&state, 1)?, 2);
//! while reasoner.turn(&state) != Turn::End {
//!     reasoner.legal_moves(&state, &mut moves)?;
//!     let choice = rng.below(moves.len() as u32) as usize;
//!     let picked = reasoner.tags_text(moves.tags(choice));
//!     reasoner.apply(&mut state, &moves, choice)?;
//!     assert_eq!(reasoner.scores(&state), [picked]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bridge;
mod build;
pub mod emit;
mod fused;
pub mod joint;
mod listing;
pub mod lockstep;
mod reasoner;
mod side_by_side;
mod unique;

pub use build::chooses;
pub use engine::model::{DecisionForm, Effort, LiftedForm, MoveForm};
pub use engine::observe::{self, Observer};
pub use engine::options::{Engine, LiftedCode, Options};
pub use engine::outcomes::Ambiguity;
pub use engine::state::{Event, Moves, PackedMove, State, Tag, Turn};
pub use engine::valid::{ValidGame, has_chance};
pub use engine::{Error, ErrorKind, Limits, PlayoutStats, Rng, canonical};
pub use listing::{Listing, lifted_program, listing, profiled_program, program_by};
pub use reasoner::{Reasoner, SIDE_BY_SIDE};
pub use reference::{claims, proper, why};
pub use side_by_side::GroundForm;
pub use {wir, wir_opt};
