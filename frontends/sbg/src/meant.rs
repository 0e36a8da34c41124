//! Suggestions: what is meant where something else stands. Letters are not near to each other as words are, so that what is meant follows from
//! where they stand.

use rg_ir::diag::{Applies, Edit, Fix, alternatives, is_near, is_slip};
use rg_ir::{Diagnostic, Span};

/// Most texts that are suggested for one.
const MAX_SUGGESTED: usize = 3;

/// Whether a suggestion may be carried out without asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Certainty {
    /// Yes, if nothing else is suggested.
    Sure,
    /// No.
    Guess,
}

/// The finding with the suggestion to write one of the texts `meant` in place of `found`, which stands at `span`. Unchanged if there are none, or too
/// many.
pub(crate) fn suggest<T: ToString>(
    mut finding: Diagnostic,
    span: Span,
    found: &str,
    meant: &[T],
    certainty: Certainty,
) -> Diagnostic {
    if meant.is_empty() || meant.len() > MAX_SUGGESTED {
        return finding;
    }
    let meant: Vec<String> = meant.iter().map(ToString::to_string).collect();
    let quoted: Vec<String> = meant.iter().map(|text| format!("`{text}`")).collect();
    finding.help = Some(format!("did you mean {}?", alternatives(&quoted)));
    let is_sure = certainty == Certainty::Sure && meant.len() == 1;
    let applies = if is_sure { Applies::Always } else { Applies::Maybe };
    let fixes = meant.into_iter().map(|text| {
        let title = format!("replace `{found}` by `{text}`");
        let applies = applies.unless_number(found, &text);
        Fix { title, edits: vec![Edit { span, instead_of: Some(found.to_owned()), text }], applies }
    });
    finding.fixes.extend(fixes);
    finding
}

/// Those of the rows `others`, as they stand or with the letters of the other player, that have so many squares and from which a row differs by one
/// square, and of an empty row; those alone by a square written twice, if there are any. Both sides of a board mostly begin alike.
pub(crate) fn rows<'t>(row: &str, width: usize, others: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut near: Vec<String> = Vec::new();
    let empty = ".".repeat(width);
    let others = others.map(str::to_owned).chain([empty]);
    for other in others.filter(|other| other.chars().count() == width) {
        let turned: String = other.chars().map(turned).collect();
        for candidate in [other, turned] {
            if is_near(row, &candidate) && !near.contains(&candidate) {
                near.push(candidate);
            }
        }
    }
    if near.iter().any(|candidate| is_slip(row, candidate)) {
        near.retain(|candidate| is_slip(row, candidate));
    }
    near
}

/// The letter of the same piece of the other player.
pub(crate) fn turned(letter: char) -> char {
    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
}
