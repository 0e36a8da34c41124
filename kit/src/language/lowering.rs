//! Reading games: the front end of each language, then the checks of RG.

use super::{Lowering, Reading, Translation};
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, PlainNotation, SourceId, removal};

const RG_TEXT: removal::Syntax = removal::Syntax { comments: &["//"], separators: &[], terminators: &[] };
const JSON_TEXT: removal::Syntax = removal::Syntax { comments: &[], separators: &[','], terminators: &[] };

pub(super) fn lower_rg(source: SourceId, text: &str, _: Reading) -> Lowering {
    let (game, mut findings) = rg_ir::text::parse(source, text);
    let game = game.map(|game| {
        findings.extend(rg_ir::check::check(&game).into_iter().map(|finding| rg_ir::text::located(text, finding)));
        // A name that is misspelt twice in a declaration is mended once.
        findings.dedup();
        removal::complete(text, "RG029", RG_TEXT, &mut findings);
        Translation::new(game, PlainNotation)
    });
    (game, findings)
}

pub(super) fn lower_json(source: SourceId, text: &str, _: Reading) -> Lowering {
    match rg_ir::json::from_json(source, text) {
        Ok(game) => {
            let located = |finding: Diagnostic| match rg_ir::json::path(&game, &finding) {
                Some(path) => finding.note(format!("at `{path}`")),
                None => finding,
            };
            let mut findings: Vec<Diagnostic> = rg_ir::check::check(&game).into_iter().map(located).collect();
            removal::complete(text, "RG029", JSON_TEXT, &mut findings);
            (Some(Translation::new(game, PlainNotation)), findings)
        }
        Err(findings) => (None, findings),
    }
}

pub(super) fn lower_rbg(source: SourceId, text: &str, _: Reading) -> Lowering {
    let (lowered, findings) = rbg::load(source, text);
    translated(lowered.map(|lowered| Translation::new(lowered.game, lowered.notation)), findings)
}

pub(super) fn lower_sbg(source: SourceId, text: &str, _: Reading) -> Lowering {
    let (lowered, findings) = sbg::load(source, text);
    translated(lowered.map(|lowered| Translation::new(lowered.game, lowered.notation)), findings)
}

/// Checks what a front end made. The RG text is not what the user wrote, so only what makes it unusable is of interest.
fn translated(translation: Option<Translation>, mut findings: Vec<Diagnostic>) -> Lowering {
    if let Some(Translation { game, .. }) = &translation {
        let wrong = rg_ir::check::check(game).into_iter().filter(Diagnostic::is_error);
        findings.extend(wrong.map(|error| error.note("found in the translation to RG: please report this as a bug")));
    }
    (translation, findings)
}

pub(super) fn lower_hrg(source: SourceId, text: &str, _: Reading) -> Lowering {
    let (lowered, findings) = hrg::load(source, text);
    (lowered.map(|lowered| Translation::new(lowered.game, lowered.notation)), findings)
}

pub(super) fn lower_gdl(source: SourceId, text: &str, reading: Reading) -> Lowering {
    lower_gdl_as(source, text, gdl::Syntax::of(text), reading)
}

pub(super) fn lower_gdl_as(source: SourceId, text: &str, syntax: gdl::Syntax, reading: Reading) -> Lowering {
    let (game, findings) = gdl::load_to_play(source, text, syntax, reading.limit.of_grounding(), reading.watch);
    let of = |playable: gdl::Playable| Translation {
        ground: playable.ground,
        ..Translation::new(playable.game, playable.notation)
    };
    translated(game.map(of), findings)
}

/// Names that the syntax cannot spell are reported.
pub(super) fn gdl_view(
    source: SourceId,
    text: &str,
    syntax: gdl::Syntax,
    print: fn(&gdl::Description) -> (String, Vec<Diagnostic>),
) -> (Option<String>, Vec<Diagnostic>) {
    let (description, mut findings) = gdl::parse_as(source, text, syntax);
    let text = description.map(|description| {
        let (text, renamed) = print(&description);
        findings.extend(renamed);
        text
    });
    (text, findings)
}

pub(super) fn low_level_rbg(source: SourceId, text: &str) -> (Option<String>, Vec<Diagnostic>) {
    let (description, findings) = rbg::parse(source, text);
    (description.map(|description| rbg::print(&description)), findings)
}

/// A description of SBG as rules of RBG. They are formatted, and read again: what RBG has to say against them, such as that
/// they are too large, is said of the description as a whole.
pub(super) fn rbg_of_sbg(source: SourceId, text: &str) -> (Option<String>, Vec<Diagnostic>) {
    let (description, mut findings) = sbg::parse(source, text);
    let Some(description) = description.filter(|_| !has_errors(&findings)) else { return (None, findings) };
    let rules = rbg::format(source, &sbg_to_rbg::translate(&description));
    let rules = rules.and_then(|rules| match rbg::parse(source, &rules) {
        (Some(_), found) if !has_errors(&found) => Ok(rules),
        (_, found) => Err(found),
    });
    match rules {
        Ok(rules) => (Some(rules), findings),
        Err(found) => {
            let reason = found.first().map_or("", |finding| &finding.message);
            let message = format!("this game cannot be written in RBG: {reason}");
            findings.push(Diagnostic::error("IO403", description.name_span, message));
            (None, findings)
        }
    }
}
