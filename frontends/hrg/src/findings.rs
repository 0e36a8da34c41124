//! What the checks of RG find in a translated game, as findings on the description.
//!
//! Edges have the places of the statements and conditions that made them, so most findings only need to be passed on.
//! Some speak of nodes, which have no name in HRG, and get other words; some are about the translation, not about the
//! description, and are left out:
//!
//! | code | subject | why it is left out |
//! |---|---|---|
//! | RG025 | edges out of `end` | there are none |
//! | RG027 | checks that enter themselves | recursive graphs are errors already; what is left is a lack of budget |
//! | RG028 | last step is not `player = keeper` | it always is, but at the end of `rules`, which has its own warning |
//! | RG029 | things that are not used | functions and domains are used at compile time too; there are warnings of our own |
//! | RG030 | equal edges | copies of different statements become equal, such as `return()` in the last of a `repeat` |

use crate::notation::HrgNotation;
use rg_ir::{Diagnostic, Game, Report, Span};

/// What findings need to speak of the description.
pub(crate) struct Names<'a> {
    /// The place of the name of `rules`.
    pub(crate) rules: Span,
    pub(crate) notation: &'a HrgNotation,
}

/// Adds what the checks of RG find. Near-linear.
pub(crate) fn check(game: &Game, names: &Names<'_>, report: &mut Report) {
    for finding in rg_ir::check(game) {
        if let Some(mut finding) = translate(finding, names.rules) {
            let texts = finding.notes.iter_mut().chain(&mut finding.help).chain([&mut finding.message]);
            texts.for_each(|text| *text = names.notation.translate(text));
            report.push(finding);
        }
    }
}

fn translate(finding: Diagnostic, rules: Span) -> Option<Diagnostic> {
    let place = finding.primary.as_ref().map_or(Span::NONE, |primary| primary.span);
    let reword = |message: &str| Diagnostic::new(finding.severity, finding.code, place, message);
    match finding.code {
        "RG022" => {
            let error = Diagnostic::error("RG022", rules, "no play can end: nothing leads to `end()`");
            Some(error.help("check that the loops on the way can be left"))
        }
        "RG016" => Some(finding.help("choose with one branch per player")),
        "RG023" => Some(reword("this tag is all that a loop does, so moves become infinitely long")),
        "RG026" if finding.primary.is_some() => {
            Some(reword("this graph never comes to its end, so the check always has the same outcome"))
        }
        "RG025" | "RG026" | "RG027" | "RG028" | "RG029" | "RG030" => None,
        _ if place.is_some() => Some(finding),
        // Without a place the whole of `rules` is the nearest.
        _ => {
            let whole = Diagnostic::new(finding.severity, finding.code, rules, finding.message.clone());
            Some(Diagnostic { primary: whole.primary, ..finding })
        }
    }
}
