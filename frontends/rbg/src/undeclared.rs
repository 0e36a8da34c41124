//! Names that are not declared: fixes that declare them.

use crate::codes;
use crate::directives::{Directives, Section};
use crate::lexer::{Kind, Token};
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, SourceId, Span};

/// What a finding expects in place of a name that is unknown.
pub(crate) const PIECE: &str = "a piece";
pub(crate) const PLAYER: &str = "a player";
/// The target of an assignment.
pub(crate) const TARGET: &str = "a variable or a player";
/// What has a value.
pub(crate) const OPERAND: &str = "a variable, player or piece";

/// Greatest values of variables and players that a fix declares.
const BOUND: u32 = 100;

/// Adds fixes to findings about unknown names that are spelt like nothing else: one that declares the name as what is expected there, where that is clear. It is
/// never certain, as something else may be meant. Linear in the findings, up to looking for tokens.
pub(crate) fn declare(source: SourceId, tokens: &[Token], directives: &Directives, findings: &mut [Diagnostic]) {
    for finding in findings.iter_mut().filter(|finding| finding.fixes.is_empty() && finding.help.is_none()) {
        let Some((name, section)) = undeclared(finding).filter(|_| !is_called(finding, tokens)) else { continue };
        let Some((span, before)) = end_of_list(section, source, tokens, directives) else { continue };
        let (entry, kind) = match section {
            Section::Pieces => (name.to_owned(), "piece"),
            Section::Players => (format!("{name}({BOUND})"), "player"),
            _ => (format!("{name}({BOUND})"), "variable"),
        };
        let title = format!("declare `{name}` as a {kind}");
        let edits = vec![Edit { span, instead_of: None, text: format!("{before}{entry}") }];
        finding.fixes.push(Fix { title, edits, applies: Applies::Maybe });
    }
}

/// The name that a finding says is unknown, and the section that would declare what is expected.
fn undeclared(finding: &Diagnostic) -> Option<(&str, Section)> {
    let rest = match finding.code {
        codes::UNKNOWN_NAME => finding.message.strip_prefix("unknown name `")?,
        codes::UNKNOWN_PIECE => finding.message.strip_prefix("unknown piece `")?,
        _ => return None,
    };
    let (name, expected) = rest.split_once('`')?;
    let section = match expected.strip_prefix(", expected ") {
        None if finding.code == codes::UNKNOWN_PIECE => Section::Pieces,
        Some(PIECE) => Section::Pieces,
        Some(PLAYER) => Section::Players,
        Some(TARGET | OPERAND) => Section::Variables,
        _ => return None,
    };
    Some((name, section))
}

/// Whether arguments follow the name: it is meant to be a macro.
fn is_called(finding: &Diagnostic, tokens: &[Token]) -> bool {
    let Some(place) = &finding.primary else { return true };
    let behind = tokens.partition_point(|token| token.start < place.span.end);
    tokens.get(behind).is_some_and(|token| token.kind == Kind::ParenOpen)
}

/// Where one more entry of a list is written, and what stands before it.
fn end_of_list(
    section: Section,
    source: SourceId,
    tokens: &[Token],
    directives: &Directives,
) -> Option<(Span, &'static str)> {
    let found = directives.sections.get(section as usize).copied().flatten()?;
    let last = tokens.get((found.body.1 as usize).checked_sub(1)?)?;
    let before = match last.kind {
        _ if found.body.0 >= found.body.1 => " ",
        Kind::Comma => " ",
        Kind::Ident | Kind::ParenClose => ", ",
        _ => return None,
    };
    Some((Span { source, start: last.end, end: last.end }, before))
}
