//! The text syntax of RG (sections 1 and 2 of the specification): parsing, canonical printing, formatting.
//!
//! [`parse`] goes from tokens (`lexer`) to declarations (`parse`, which cuts the text at `;`, and `grammar`) to a
//! [`Game`] (`resolve`, `types`, `values`, `pragma`). Every stage reports all it finds, in `explain`'s words.
//!
//! Besides the codes of section 6 (`RG001` to `RG031`, of which this module reports 1 to 8, 12, 13 and 21):
//!
//! | code | finding |
//! |---|---|
//! | `RG050` | a token that does not fit |
//! | `RG051` | a missing `;` |
//! | `RG052` | a character that is not part of the language |
//! | `RG053` | nesting beyond the limit of 1000 |
//! | `RG054` | a block comment |
//! | `RG055` | a malformed pragma |
//! | `RG056` | a node with parameters |
//! | `RG058` | a text of 4 GiB or more |
//! | `RG059` | more errors than are shown |

mod ast;
mod complete;
mod cycles;
mod explain;
mod format;
mod index;
mod layout;
mod lexer;
mod parse;
mod patterns;
mod places;
mod pragma;
mod print;
mod report;
mod resolve;
mod types;
mod values;

use crate::diag::Diagnostic;
use crate::game::Game;
use crate::source::SourceId;

lalrpop_util::lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::too_many_lines,
        clippy::unwrap_used,
        clippy::panic,
        clippy::expect_used,
        clippy::unreachable
    )]
    #[allow(missing_docs, unreachable_pub, unused, dead_code, rustdoc::all)]
    grammar,
    "/text/grammar.rs"
);

pub use complete::expected;
pub use format::format;
pub use index::index;
pub(crate) use parse::MAX_NESTING;
pub use patterns::{meaning, patterns};
pub use places::located;
pub use print::{print, print_expr, print_label};

/// Whether `text` can stand for a name in RG: letters, digits and `_`, at least one, and not `const`, `type` or `var`.
/// Whoever makes up names should ask, or the game cannot be printed.
pub fn is_name(text: &str) -> bool {
    let mut lexemes = lexer::Lexer::part(text, 0);
    matches!((lexemes.next(), lexemes.next()), (Some(one), None) if one.token == lexer::Token::Name(text))
}

/// Reads a game. `source` is the id of `text` for spans.
///
/// There is a game if and only if there is no error; so far, all findings are errors. Reported are errors of
/// syntax, and of section 6 those that need the text or that a [`Game`] cannot hold: unknown types, recursive aliases,
/// maps as keys, duplicates, malformed map literals, cycles of constants, initialisers that refer to variables, and
/// `$$` with something that is not a variable. All else is found by the checker. Built-in definitions that the text leaves
/// out are added. At most 100 errors are reported. Linear, up to sorting.
pub fn parse(source: SourceId, text: &str) -> (Option<Game>, Vec<Diagnostic>) {
    let mut report = report::Report::default();
    let parsed = parse::declarations(source, text, &mut report);
    let game = resolve::resolve(&parsed, &mut report);
    let game = report.is_empty().then_some(game);
    (game, report.finish())
}

/// The names of the known pragmas, without `@`.
pub(crate) fn pragma_names() -> impl Iterator<Item = &'static str> {
    lexer::Known::ALL.into_iter().map(lexer::Known::name)
}
