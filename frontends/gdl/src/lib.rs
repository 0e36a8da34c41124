//! Game Description Language (GDL): reading, checking, printing and lowering to RG.
//!
//! There are two syntaxes, `prefix` (KIF, which servers speak) and `infix`, which has a dialect in the style of Prolog;
//! each has a lexer, a reader, a printer and a formatter, and all give the tree of [`ast`]. `checks` finds what is wrong with a description as a whole.
//!
//! Section numbers and names of checks in this crate's docs refer to the project's specification of GDL; the language is
//! due to Love, Hinrichs, Haley, Schkufza and Genesereth.

pub mod ast;
mod checks;
pub mod codes;
mod complete;
mod domains;
pub mod eval;
mod flat;
pub mod ground;
mod groups;
mod history;
mod index;
mod infix;
mod lenient;
mod lexical;
mod lifted;
pub mod lower;
pub mod normal;
mod notation;
mod picture;
mod prefix;
mod reading;
mod referee;
mod syntax;
mod tokens;
mod translate;

pub use ast::{Description, Syntax};
pub use complete::{expected, expected_in};
pub use eval::{Limits, Progress, Watch};
pub use flat::Unsupported;
pub use history::forget;
pub use index::{index, index_as};
pub use infix::{print as print_infix, print_prolog, term as infix_term};
pub use lexical::{is_reserved, meaning, patterns};
pub use lifted::{lift, lift_compact};
pub use lower::{Lowered, as_score};
pub use notation::GdlNotation;
pub use prefix::{MAX_NESTING, print as print_prefix, term as prefix_term};
pub use referee::Referee;
pub use tokens::MAX_TOKENS;
pub use translate::{GroundForm, translate, translate_ground, translate_watched};

use rg_ir::{Diagnostic, Game, Report, SourceId, removal};
use std::sync::Arc;

/// Reads a description in the syntax it seems to have. It is there iff there is no error; all findings are returned.
/// Near-linear.
pub fn parse(source: SourceId, text: &str) -> (Option<Description>, Vec<Diagnostic>) {
    parse_as(source, text, Syntax::of(text))
}

/// As [`parse`], in that syntax.
pub fn parse_as(source: SourceId, text: &str, syntax: Syntax) -> (Option<Description>, Vec<Diagnostic>) {
    let mut report = Report::default();
    let description = read_into(source, text, syntax, &mut report);
    // What a wrong form means is not known; findings that follow from it are not made.
    if report.failed() {
        beside_mistakes(text, &description, &mut report);
    } else {
        checks::run(&description, &mut report);
    }
    let failed = report.failed();
    let mut findings = report.finish_in_order();
    removal::complete(text, codes::U2_UNUSED, CLAUSES, &mut findings);
    if failed && let Some(first) = findings.iter_mut().find(|finding| finding.is_error()) {
        first.notes.extend(syntax.doubts(text));
    }
    (Some(description).filter(|_| !failed), findings)
}

/// Errors that are about a rule by itself, or about uses that do not agree.
const OF_RULES: [&str; 9] = [
    codes::A1_RELATION,
    codes::A2_FUNCTION,
    codes::A3_BOTH,
    codes::K1_ARITY,
    codes::K2_TERM,
    codes::K3_INPUT,
    codes::K5_OUTPUT,
    codes::U3_VALUE,
    codes::R1_UNSAFE,
];

/// Adds errors of rules that were read, where others were not: those that nothing in these can explain. Also fluents in the place of relations, without
/// certain fixes, as a rule that was not read may define the relation. Near-linear.
fn beside_mistakes(text: &str, description: &Description, report: &mut Report) {
    // Which rules there are is only known where brackets are in order.
    if report.full() || report.findings().iter().any(|finding| finding.code == codes::TOO_LARGE) {
        return;
    }
    let unbalanced = report.findings().iter().any(|finding| finding.code == codes::L1_UNBALANCED);
    let place =
        |finding: &Diagnostic| finding.primary.as_ref().map(|primary| form_at(text, primary.span.start as usize));
    let wrong: Vec<usize> = report.findings().iter().filter(|finding| finding.is_error()).filter_map(place).collect();
    let mut more = Report::default();
    checks::run(description, &mut more);
    for finding in more.finish_in_order() {
        let is_of_rule = finding.is_error() && OF_RULES.contains(&finding.code);
        let lacks_true = checks::unknown::lacks_true(&finding);
        let is_sure = is_of_rule && !(unbalanced && finding.code == codes::R1_UNSAFE) || lacks_true;
        let spans = finding.primary.iter().chain(&finding.secondary).map(|place| place.span.start as usize);
        let mut forms = spans.map(|start| form_at(text, start));
        if is_sure && !forms.any(|form| wrong.contains(&form)) {
            report.push(if lacks_true { finding.unsure() } else { finding });
        }
    }
}

/// Where the rule or fact probably begins that byte `offset` of a text is in: with a line that is not indented.
fn form_at(text: &str, offset: usize) -> usize {
    let mut start = offset.min(text.len());
    loop {
        let line = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let indented = text.get(line..).is_some_and(|line| line.starts_with([' ', '\t', ')', '\n', '\r']));
        if line == 0 || !indented {
            return line;
        }
        start = line - 1;
    }
}

/// What stands between rules, for fixes that remove some.
const CLAUSES: removal::Syntax = removal::Syntax { comments: &[";", "%"], separators: &[], terminators: &['.'] };

/// Reads a description and translates it to RG. All findings are returned, warnings included; the result is missing if
/// one of them is an error.
pub fn load(source: SourceId, text: &str, limits: Limits) -> (Option<Lowered>, Vec<Diagnostic>) {
    load_watched(source, text, limits, None)
}

/// As [`load`], with a callback for progress where that takes long.
pub fn load_watched(
    source: SourceId,
    text: &str,
    limits: Limits,
    watch: Option<Watch>,
) -> (Option<Lowered>, Vec<Diagnostic>) {
    let (description, mut findings) = parse(source, text);
    let lowered = description.and_then(|description| match translate_watched(&description, limits, watch) {
        Ok(lowered) => Some(lowered),
        Err(error) => {
            findings.push(*error);
            None
        }
    });
    (lowered, findings)
}

/// A game to be played.
pub struct Playable {
    /// The game.
    pub game: Game,
    /// Its notation, which knows the rules.
    pub notation: GdlNotation,
    /// Its other form, if it was lifted.
    pub ground: Option<GroundForm>,
}

/// As [`load_watched`], in some syntax, and for playing.
pub fn load_to_play(
    source: SourceId,
    text: &str,
    syntax: Syntax,
    limits: Limits,
    watch: Option<Watch>,
) -> (Option<Playable>, Vec<Diagnostic>) {
    let (description, mut findings) = parse_as(source, text, syntax);
    let game = description.and_then(|description| match translate_watched(&description, limits, watch) {
        Ok(lowered) => {
            let description = Arc::new(description);
            let ground = GroundForm::of(&description, &lowered, limits);
            let (game, notation) = GdlNotation::of(description, lowered);
            Some(Playable { game, notation, ground })
        }
        Err(error) => {
            findings.push(*error);
            None
        }
    });
    (game, findings)
}

/// Reads a description without checking it as a whole: a part of a game will do. It is there iff there is no error.
/// Linear.
pub fn read(source: SourceId, text: &str) -> (Option<Description>, Vec<Diagnostic>) {
    let mut report = Report::default();
    let description = read_into(source, text, Syntax::of(text), &mut report);
    (Some(description).filter(|_| !report.failed()), report.finish_in_order())
}

fn read_into(source: SourceId, text: &str, syntax: Syntax, report: &mut Report) -> Description {
    match syntax {
        Syntax::Prefix => prefix::read(source, text, report),
        Syntax::Infix | Syntax::Prolog => infix::read(source, text, syntax, report),
    }
}

/// Formats a text in the syntax it seems to have.
///
/// - Every form or clause begins a line; at most one blank line stands between two.
/// - What fits into 100 columns is one line; but a rule that goes over several lines has its head on the first, and its
///   conditions on lines of their own, indented by four.
/// - Comments stay where they are, behind what they follow or on lines of their own.
/// - Lines end with a line feed, whatever they ended with before; spelling and brackets are not touched.
///
/// Formatting twice is formatting once. Fails, with all errors, if the brackets (or, of infix texts, the clauses) are
/// wrong; other errors do not matter. Linear.
pub fn format(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    format_as(source, text, Syntax::of(text))
}

/// As [`format`], in that syntax.
///
/// # Errors
/// As for [`format`].
pub fn format_as(source: SourceId, text: &str, syntax: Syntax) -> Result<String, Vec<Diagnostic>> {
    match syntax {
        Syntax::Prefix => prefix::format(source, text),
        Syntax::Infix | Syntax::Prolog => infix::format(source, text, syntax),
    }
}
