//! A game of any language as a sheet of rules in GDL.

use rg_ir::{Diagnostic, Game, SourceId};

/// The text of a game in a syntax of GDL. With it come findings about names that the syntax cannot spell. Of optimised games the rules are fewer and shorter.
///
/// # Errors
/// Why the game cannot be translated.
pub fn sheet(game: &Game, syntax: gdl::Syntax) -> Result<(String, Vec<Diagnostic>), Box<Diagnostic>> {
    let text = rg_to_gdl::translate(game)?;
    let text = gdl::format_as(SourceId(0), &text, gdl::Syntax::Prefix).map_err(unreadable)?;
    let print: fn(&gdl::Description) -> (String, Vec<Diagnostic>) = match syntax {
        gdl::Syntax::Prefix => return Ok((text, Vec::new())),
        gdl::Syntax::Infix => gdl::print_infix,
        gdl::Syntax::Prolog => gdl::print_prolog,
    };
    let (description, findings) = gdl::read(SourceId(0), &text);
    match description {
        Some(description) => Ok(print(&description)),
        None => Err(unreadable(findings)),
    }
}

/// The finding about rules that were made and cannot be read, which is a fault of the translation.
fn unreadable(findings: Vec<Diagnostic>) -> Box<Diagnostic> {
    let first = findings.into_iter().find(Diagnostic::is_error).map(|finding| finding.message).unwrap_or_default();
    let message = format!("the rules that were made cannot be read: {first}");
    Box::new(
        Diagnostic::error(rg_to_gdl::codes::INVALID, rg_ir::Span::NONE, message).note("please report this as a bug"),
    )
}
