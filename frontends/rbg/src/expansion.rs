//! What a macro call stands for, as a text, and whole descriptions without macros.

use crate::ast::{Expansion, Origin};
use crate::codes;
use crate::directives::{self, Directives, Section, SectionText};
use crate::layout;
use crate::lexer::{self, Kind, MAX_TOKENS};
use crate::macros::{Expanded as Token, Expander};
use rg_ir::invariant::invariant;
use rg_ir::{Diagnostic, Report, SourceId, Symbols};

/// Most tokens and steps of the expansion of a call.
const LIMIT: usize = 2_000;

/// A text in which macros are expanded, and where its words come from.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The text.
    pub text: String,
    /// Where words begin in the text, in order, with the places that they come from.
    pub words: Vec<(usize, Origin)>,
    /// The calls and parameters that origins lead through.
    pub expansions: Vec<Expansion>,
}

/// A description without macros, formatted: the sections in the order of the file. Nothing if there are errors; the findings are those of
/// [`crate::parse`]. Linear in the text with macros written out, which is limited.
pub fn without_macros(source: SourceId, text: &str) -> (Option<Expanded>, Vec<Diagnostic>) {
    let (description, findings) = crate::parse(source, text);
    if description.is_none() {
        return (None, findings);
    }
    let (mut report, mut names) = (Report::default(), Symbols::default());
    let tokens = lexer::lex(source, text, MAX_TOKENS, &mut names, &mut report).tokens;
    let directives = directives::cut(source, &tokens, &names, &mut report);
    let mut sections: Vec<(Section, SectionText)> = Section::ALL
        .into_iter()
        .filter_map(|section| Some((section, directives.sections[section as usize]?)))
        .collect();
    sections.sort_by_key(|(_, place)| place.directive);
    let mut expander = Expander::new(source, &tokens, &directives, MAX_TOKENS, &mut names, &mut report);
    let whole = |(_, place): &(Section, SectionText)| expander.expand(place).filter(|(_, whole)| *whole);
    let bodies: Option<Vec<(Vec<Token>, bool)>> = sections.iter().map(whole).collect();
    let Some(bodies) = bodies else {
        report.error(
            codes::EXPANSION_TOO_LARGE,
            place_of(&sections),
            "the description is too large to be written without macros",
        );
        return (None, report.finish());
    };
    let steps = expander.steps;
    let mut out = String::new();
    let mut origins: Vec<Origin> = Vec::new();
    for ((section, place), (body, _)) in sections.iter().zip(&bodies) {
        let body_text = layout::section(*section, body, &names, &steps);
        out.push_str(&format!("#{} = {body_text}\n\n", section.name()));
        // The sign, the name and the `=` belong to the section.
        let heading = Origin { span: place.span, expansion: None };
        origins.extend([heading; 3]);
        origins.extend(body.iter().filter(|token| token.kind.is_some()).map(|token| token.origin(&steps)));
    }
    let text = crate::format(source, &out).unwrap_or(out);
    let written = lexer::lex(source, &text, MAX_TOKENS, &mut Symbols::default(), &mut Report::default()).tokens;
    invariant(written.len() == origins.len(), "formatting keeps the tokens of a text");
    let words = written.iter().map(|token| token.start as usize).zip(origins).collect();
    (Some(Expanded { text, words, expansions: steps.export(&names) }), findings)
}

fn place_of(sections: &[(Section, SectionText)]) -> rg_ir::Span {
    sections.last().map_or(rg_ir::Span::NONE, |(_, place)| place.span)
}

/// What the macro call at a place expands to; see [`expansion`]. Nothing also where that is larger than any description may be.
pub fn expanded_call(source: SourceId, text: &str, offset: u32) -> Option<Expanded> {
    let (expanded, is_whole) = expanded_within(source, text, offset, MAX_TOKENS)?;
    is_whole.then_some(expanded)
}

/// What the macro call at byte `offset` of a text expands to where it stands, with parameters of the macro around it left as they are; its beginning
/// and `…` if that is long. Nothing if there is no call, or if it cannot be expanded. Linear.
pub fn expansion(source: SourceId, text: &str, offset: u32) -> Option<String> {
    let (expanded, is_whole) = expanded_within(source, text, offset, LIMIT)?;
    let cut = if is_whole { "" } else { "…" };
    (!expanded.text.is_empty() || is_whole).then(|| expanded.text + cut)
}

/// What a call expands to within some tokens and steps, and whether that is all.
fn expanded_within(source: SourceId, text: &str, offset: u32, limit: usize) -> Option<(Expanded, bool)> {
    let mut report = Report::default();
    let mut names = Symbols::default();
    let tokens = lexer::lex(source, text, MAX_TOKENS, &mut names, &mut report).tokens;
    let directives = directives::cut(source, &tokens, &names, &mut report);
    let behind = tokens.partition_point(|token| token.start <= offset);
    let at = behind.checked_sub(1)?;
    let name = tokens.get(at).filter(|token| token.kind == Kind::Ident && offset <= token.end)?;
    let (end, directive) = around(&directives, at)?;
    let close = tokens.get(at + 1).filter(|next| next.kind == Kind::ParenOpen && at + 1 < end);
    let close = close.and_then(|_| directives.partner(at + 1)).filter(|&close| close < end);
    let is_plain = directives.macros.iter().any(|found| found.name == name.sym && found.parameters.is_none());
    let last = close.filter(|_| !is_plain).unwrap_or(at);
    let body = (u32::try_from(at).ok()?, u32::try_from(last + 1).ok()?);
    let span = rg_ir::Span { source, start: name.start, end: name.end };
    let mut report = Report::default();
    let mut expander = Expander::new(source, &tokens, &directives, limit, &mut names, &mut report);
    let expanded = expander.expand_partly(&SectionText { span, body, directive });
    let steps = expander.steps;
    if steps.steps.is_empty() {
        return None;
    }
    let mut errors = report.finish().into_iter().filter(Diagnostic::is_error);
    let is_whole = match errors.next() {
        Some(error) if error.code == codes::EXPANSION_TOO_LARGE => false,
        Some(_) => return None,
        None => true,
    };
    let text = layout::spaced(&expanded, &names);
    let written = lexer::lex(source, &text, MAX_TOKENS, &mut Symbols::default(), &mut Report::default()).tokens;
    let origins = expanded.iter().filter(|token| token.kind.is_some()).map(|token| token.origin(&steps));
    let words = written.iter().map(|token| token.start as usize).zip(origins).collect();
    Some((Expanded { text, words, expansions: steps.export(&names) }, is_whole))
}

/// Where the body ends that a token is in, and the number of its directive.
fn around(directives: &Directives, at: usize) -> Option<(usize, u32)> {
    let macros = directives.macros.iter().map(|found| (found.body, found.directive));
    let sections = directives.sections.iter().flatten().map(|section| (section.body, section.directive));
    let (body, directive) =
        macros.chain(sections).find(|((start, end), _)| (*start as usize..*end as usize).contains(&at))?;
    Some((body.1 as usize, directive))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the call at `^` expands to.
    fn at_mark(marked: &str) -> Option<String> {
        let offset = marked.find('^').unwrap();
        expansion(SourceId(0), &marked.replacen('^', "", 1), u32::try_from(offset).unwrap())
    }

    #[test]
    fn calls_are_written_out() {
        let game = "#my(P) = w~P\n#step(dir; to) = dir {to, my(K)}\n#any = (up + left*)\n";
        let at_end = |rules: &str| at_mark(&format!("{game}{rules}"));
        assert_eq!(at_end("#rules = ->white ^step(any; e) [e]").as_deref(), Some("(up + left*) {e, wK}"));
        assert_eq!(at_end("#rules = step(^any; e)").as_deref(), Some("(up + left*)"));
        assert_eq!(at_end("#other(x) = s^tep(any; x) [x]").as_deref(), Some("(up + left*) {x, wK}"));
        assert_eq!(at_end("#rules = ^any (up)").as_deref(), Some("(up + left*)"));
        assert_eq!(at_end("#set = [$ x = 1]\n#rules = ^set ->white").as_deref(), Some("[$ x = 1]"));
    }

    #[test]
    fn what_is_no_call_expands_to_nothing() {
        for text in
            ["#a = b\n#rules = ^c", "#^a = b", "#a(x) = x\n#rules = ^a(b", "#a(x) = x\n#rules = ^a", "^", "#r^ules"]
        {
            assert_eq!(at_mark(text), None, "{text}");
        }
        // Macros are known behind their definitions only.
        assert_eq!(at_mark("#a = ^b\n#b = c"), None);
    }

    #[test]
    fn long_expansions_are_cut() {
        let doubled: String = (1..20).map(|n| format!("#m{n} = m{0} m{0}\n", n - 1)).collect();
        let text = at_mark(&format!("#m0 = up\n{doubled}#rules = ^m19")).unwrap();
        assert!(text.ends_with('…') && text.len() < 20_000 && text.lines().all(|line| line.len() < 120), "{text}");
    }
}
