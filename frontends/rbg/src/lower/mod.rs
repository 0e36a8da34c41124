//! From RBG to RG.
//!
//! 1. [`relation`], [`canon`]: expressions that only move the current vertex become relations between vertices; equal
//!    expressions are found.
//! 2. [`build`]: the rules become a [`draft`] automaton whose edges are whole actions. Equal checks share one part.
//! 3. [`cover`], [`alive`]: switches get their test whether the game goes on, where that is not certain.
//! 4. [`needs`]: what the state has to hold, and which tests can be left out.
//! 5. [`vocabulary`], [`arith`], [`emit`]: declarations, and a path of RG edges for every action.
//!
//! A modifier that a player can execute is followed by the tags `$$ pos` and `$ i<index>`, after its effect (before it
//! for a switch, whose effect ends the move), so the moves of RG and RBG correspond one to one. A move of the keeper
//! alone has no tags.
//!
//! The pragma `@liveness k ..;` names the nodes where the keeper finds out whether the play goes on. An edge `! a -> b`
//! leads from each of them to the end of the play, and holds iff no other walk from the node ends a move (where the
//! keeper stays in control), or iff the player to whom it hands over has no move (then the node's only other edge is
//! `? a -> b`). An engine may generate those moves instead of walking the check. `@handover k a b c ..;` names the nodes of
//! the latter kind once more, each with its check and the node where the player's turn begins.

mod alive;
mod arith;
mod build;
mod canon;
mod cover;
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
    lower_within(description, relation::BUDGET)
}

/// Translates with a budget for relations; with a small one, more of the rules' structure is kept.
fn lower_within(description: &Description, budget: u64) -> Result<Lowered, Vec<Diagnostic>> {
    let mut relations = relation::Relations::new(&description.board, budget);
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::lower_within;
    use backend::{Engine, Reasoner};
    use rg_ir::SourceId;

    /// What does not fit the budget for relations is translated by its structure, and means the same.
    #[test]
    fn budgets_change_the_size_only() {
        let head = "#players = p(9), q(9)\n#pieces = a,b,c\n#variables =\n
            #board = rectangle(up,down,left,right,[a,b,c,a][b,,a,c][c,a,a,b])\n";
        for walk in [
            "(up* + down*)(left* + right*) {a} [b] (up + down)(left + right)",
            "(up right + {a} down)* {! left (up + {? down})} [c] {? up* left* {! left}}",
            "((right + {! right} down)* {b} + . + (left)*) [a] ((up down)* + left right)",
            "{} up + {? {! (up + {} )*} } left + right right* [b]",
        ] {
            let text = format!("{head}#rules = (->p ({walk}) ->> {{? {walk}}} ->q ({walk}))*");
            let (description, diagnostics) = crate::parse(SourceId(0), &text);
            let description = description.unwrap_or_else(|| panic!("{diagnostics:?}"));
            let perft = |budget: u64| -> Vec<u64> {
                let game = lower_within(&description, budget).unwrap().game;
                assert!(!rg_ir::check(&game).iter().any(|d| d.is_error()), "{walk} {budget}");
                let reasoner = Reasoner::new(&game, Engine::Naive).unwrap();
                let state = reasoner.initial().unwrap();
                (1..=2).map(|depth| reasoner.perft(&state, depth).unwrap()).collect()
            };
            let expected = perft(super::relation::BUDGET);
            for budget in [0, 1, 30, 100, 300] {
                assert_eq!(perft(budget), expected, "{walk} {budget}");
            }
        }
    }
}
