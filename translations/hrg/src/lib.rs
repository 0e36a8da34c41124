//! Regular Games as structured programs in HRG.
//!
//! The rules become the graph `rules`, and each check of the automaton a graph of its own. In a graph, loops follow from dominators, and
//! branches end where postdominators say that all their walks meet. What several walks share becomes a graph if it is long enough.
//! Where no statement of HRG leads from one place to another (out of two loops at once, into the middle of a loop), walks store in a
//! variable where they go, and a row of questions sends them on; so an automaton has a program unless that nests too deeply.
//!
//! Set types become domains, with terms for symbols such as `P__0_1`, constants become functions, and what is written is
//! formatted and read by the front end of HRG before anybody gets it.

mod boxes;
mod build;
mod cases;
mod code;
pub mod codes;
mod emitter;
mod flow;
mod fold;
mod loops;
mod names;
mod normalise;
mod program;
mod scope;
mod text;
mod tidy;
mod types;
mod values;

use rg_ir::{Diagnostic, Game, SourceId, Span};

/// A program in HRG.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its text, formatted.
    pub text: String,
    /// Warnings about what is called something else than in the game.
    pub findings: Vec<Diagnostic>,
}

/// Translates a game that the checker of RG finds no errors in.
///
/// # Errors
/// Why it cannot be translated: one of the [`codes`].
pub fn translate(game: &Game) -> Result<Program, Box<Diagnostic>> {
    let game = normalise::normalise(game)?;
    let (text, findings) = program::program(&game)?;
    let text = hrg::format(SourceId(0), &text).map_err(unreadable)?;
    let (read, wrong) = hrg::load(SourceId(0), &text);
    match read {
        Some(_) => Ok(Program { text, findings }),
        None => Err(unreadable(wrong)),
    }
}

/// The finding about a program that was made and is not accepted.
fn unreadable(findings: Vec<Diagnostic>) -> Box<Diagnostic> {
    let first = findings.into_iter().find(Diagnostic::is_error);
    let (limit, message) = first.map_or_else(Default::default, |first| {
        ([hrg::codes::LIMIT, hrg::codes::NESTING].contains(&first.code), first.message)
    });
    let code = if limit { codes::TOO_LARGE } else { codes::INVALID };
    Box::new(Diagnostic::error(code, Span::NONE, format!("the program that was made is not accepted: {message}")))
}
