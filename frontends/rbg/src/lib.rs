//! Regular Boardgames (RBG): reading, checking, printing and lowering to RG.
//!
//! Reading goes in stages, each a module: words (`lexer`), sections and macro definitions (`directives`), macro expansion
//! (`macros`), grammar (`syntax` and `grammar.lalrpop`, giving `raw` trees), names (`declare`, `board`, `resolve`), the
//! canonical form (`canonical`), and checks of the whole (`checks`). Every token keeps the chain of expansions it came
//! through, so that each finding can be followed to what the user wrote. Nothing recurses on the depth of the input, and
//! all work is linear in the expanded text, which is limited.
//!
//! Section numbers in this crate's docs refer to the project's specification of RBG; the language is due to Kowalski,
//! Mika, Sutowicz and Szykuła, *Regular Boardgames*.

mod arguments;
pub mod ast;
mod board;
mod bodies;
mod brackets;
mod canonical;
mod checks;
pub mod codes;
mod complete;
mod declare;
mod directives;
mod equal;
mod expansion;
mod extract;
mod format;
mod index;
mod layout;
mod left;
mod lexer;
mod lexical;
mod lists;
mod lower;
mod macros;
mod missing;
mod misspelt;
mod notation;
mod numeric;
mod parse;
mod print;
mod raw;
mod repair;
mod report;
mod resolve;
mod syntax;
mod undeclared;

pub use complete::expected;
pub use expansion::{Expanded, expanded_call, expansion, without_macros};
pub use extract::extract;
pub use format::format;
pub use index::{boards, index};
pub use lexer::{MAX_TOKENS, is_reserved};
pub use lexical::{meaning, patterns};
pub use lower::{Lowered, lower};
pub use notation::RbgNotation;
pub use numeric::NumericMoves;
pub use parse::{parse, parse_within};
pub use print::print;
pub use syntax::MAX_NESTING;

/// Reads a description and translates it to RG. All findings are returned, warnings included; the result is missing if
/// one of them is an error.
pub fn load(source: rg_ir::SourceId, text: &str) -> (Option<Lowered>, Vec<rg_ir::Diagnostic>) {
    let (description, mut diagnostics) = parse(source, text);
    let Some(description) = description.filter(|_| !rg_ir::diag::has_errors(&diagnostics)) else {
        return (None, diagnostics);
    };
    let lowered = lower(&description).map_err(|errors| diagnostics.extend(errors)).ok();
    if lowered.as_ref().is_some_and(|lowered| !can_end(&lowered.game))
        && let Some((origin, warning)) = checks::endless(&description)
    {
        diagnostics.push(report::explained(warning, origin, &description.expansions));
    }
    (lowered, diagnostics)
}

/// Whether some walk of the automaton leads to the end of the game.
fn can_end(game: &rg_ir::Game) -> bool {
    use rg_ir::ids::Id;
    game.automaton.reachable([game.begin()]).contains(game.end().index())
}
