//! From RBG to RG.
//!
//! 1. [`relation`], [`canon`]: expressions that only move the current vertex become relations between vertices; equal
//!    expressions are found.
//! 2. [`build`]: the rules become a [`draft`] automaton whose edges are whole actions. Equal checks share one part.
//! 3. [`alive`]: switches get their test whether the game goes on.
//! 4. [`needs`]: what the state has to hold, and which tests can be left out.
//! 5. [`vocabulary`], [`arith`], [`emit`]: declarations, and a path of RG edges for every action.
//!
//! A modifier that a player can execute is followed by the tags `$$ pos` and `$ i<index>`, after its effect (before it
//! for a switch, whose effect ends the move), so the moves of RG and RBG correspond one to one. A move of the keeper
//! alone has no tags. Nodes named by the pragma `@liveness` are those where the keeper finds out whether the play goes
//! on: one edge leads on if some move exists, the other, `! … -> …`, to the end if none does.

mod alive;
mod arith;
mod build;
mod canon;
mod draft;
mod emit;
mod needs;
mod relation;
mod vocabulary;

use crate::ast::Description;
use crate::notation::RbgNotation;
use rg_ir::{Diagnostic, Game};
use rustc_hash::FxHashMap;

/// A description in RG.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The game.
    pub game: Game,
    /// Moves and states in terms of RBG.
    pub notation: RbgNotation,
}

/// Translates a description (section 13 of the specification).
///
/// Fails with diagnostics if arithmetic or bounds need tables too large to build. Near-linear in the size of the
/// expanded rules, apart from relations, which have a fixed budget.
pub fn lower(description: &Description) -> Result<Lowered, Vec<Diagnostic>> {
    let mut relations = relation::Relations::new(&description.board);
    let mut arithmetic = arith::Arithmetic::new(description);
    let canon = canon::Canon::new(description, &mut relations);
    let mut builder = build::Builder {
        description,
        relations: &mut relations,
        canon: &canon,
        arithmetic: &mut arithmetic,
        draft: draft::Draft::new(description.pieces.len()),
        checks: FxHashMap::default(),
        diagnostics: Vec::new(),
    };
    builder.build();
    let build::Builder { mut draft, diagnostics, .. } = builder;
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    draft.tidy();
    alive::end_plays(&mut draft, &relations, &mut arithmetic);
    draft.tidy();
    let (facts, needs) = needs::Facts::new(&draft, &relations, &arithmetic);
    let emitter = emit::Emitter {
        draft: &draft,
        relations: &relations,
        arithmetic: &mut arithmetic,
        facts: &facts,
        control: alive::Control::new(&draft),
        vocabulary: vocabulary::Vocabulary::new(description, needs)?,
        made: 0,
        nodes: Vec::new(),
        ways: FxHashMap::default(),
        arithmetics: FxHashMap::default(),
    };
    let game = emitter.emit().game;
    Ok(Lowered { game, notation: RbgNotation::new(description) })
}
