//! A part of the rules becomes a macro.

use crate::directives::{self, Directives};
use crate::lexer::{self, Kind, Token};
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Report, SourceId, Span, Symbol, Symbols};
use std::ops::Range;

/// Most tokens that are read.
const MAX_TOKENS: usize = 1_000_000;

/// The change of a text that makes a macro of what a range of bytes has, with the parameters of the macro around it that it uses. Macros stand for
/// tokens, so the game stays the same. Nothing if the range does not have whole tokens of one body with their brackets, or if names are pasted
/// at its ends. Linear.
pub fn extract(source: SourceId, text: &str, range: Range<usize>) -> Option<Fix> {
    let mut report = Report::default();
    let mut names = Symbols::default();
    let tokens = lexer::lex(source, text, MAX_TOKENS, &mut names, &mut report).tokens;
    let directives = directives::cut(source, &tokens, &names, &mut report);
    let chosen = chosen(&tokens, &range)?;
    let (body, parameters) = around(&directives, &chosen)?;
    let kind = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
    let ends = [chosen.start.checked_sub(1), Some(chosen.start), chosen.end.checked_sub(1), Some(chosen.end)];
    let joined = ends.map(kind).contains(&Some(Kind::Tilde));
    // A name before a bracket may be a call.
    let calls = chosen.end < body.end && kind(Some(chosen.end)) == Some(Kind::ParenOpen);
    let part = tokens.get(chosen.clone())?;
    if joined || calls || !is_balanced(part) {
        return None;
    }
    let hash = tokens.get(..body.start)?.iter().rfind(|token| token.kind == Kind::Hash)?;
    let used: Vec<&str> = parameters
        .iter()
        .filter(|&&parameter| part.iter().any(|token| token.kind == Kind::Ident && token.sym == parameter))
        .map(|&parameter| names.name(parameter))
        .collect();
    let is_new = |name: &String| tokens.iter().all(|token| names.name(token.sym) != name);
    let name = std::iter::once("part".to_owned())
        .chain((2..=tokens.len() + 2).map(|number| format!("part{number}")))
        .find(is_new)?;
    let call = if used.is_empty() { name.clone() } else { format!("{name}({})", used.join("; ")) };
    let (start, end) = (part.first()?.start, part.last()?.end);
    let extracted = text.get(start as usize..end as usize)?;
    let start_of_item = above_comments(text, hash.start as usize);
    let gap = if start_of_item < hash.start as usize { "\n" } else { "" };
    let place = Span { source, start: start_of_item as u32, end: start_of_item as u32 };
    let definition = Edit { span: place, text: format!("#{call} = {extracted}\n{gap}"), instead_of: None };
    // Where brackets stood, a space is needed to tell the name from its neighbours.
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = if text.get(..start as usize)?.ends_with(is_word) { " " } else { "" };
    let behind = if text.get(end as usize..)?.starts_with(is_word) { " " } else { "" };
    let replaced =
        Edit { span: Span { source, start, end }, text: format!("{before}{call}{behind}"), instead_of: None };
    let title = format!("extract a macro `{name}`");
    Some(Fix { title, edits: vec![definition, replaced], applies: Applies::Maybe })
}

/// Where the lines begin that have only comments, directly above the line of a place; the place itself if there are none.
fn above_comments(text: &str, at: usize) -> usize {
    let mut above = at;
    let before = text.get(..at).unwrap_or_default();
    // What is in front of the place, in its line, is no comment.
    let Some(lines) = before.strip_suffix('\n') else { return at };
    for line in lines.rsplit('\n').take_while(|line| line.trim_start().starts_with("//")) {
        above -= line.len() + 1;
    }
    above
}

/// The tokens that a range of bytes has, more than one; nothing if it cuts one in two.
fn chosen(tokens: &[Token], range: &Range<usize>) -> Option<Range<usize>> {
    let start = tokens.partition_point(|token| token.end as usize <= range.start);
    let end = tokens.partition_point(|token| (token.start as usize) < range.end);
    let (first, last) = (tokens.get(start)?, tokens.get(end.checked_sub(1)?)?);
    let is_whole = range.start <= first.start as usize && last.end as usize <= range.end;
    (start + 1 < end && is_whole).then_some(start..end)
}

/// The body of the rules or of a macro that tokens are part of, and its parameters.
fn around<'d>(directives: &'d Directives, chosen: &Range<usize>) -> Option<(Range<usize>, &'d [Symbol])> {
    let rules = directives.sections.last()?.as_ref().map(|section| (section.body, &[][..]));
    let macros = directives.macros.iter().map(|found| (found.body, found.parameters.as_deref().unwrap_or_default()));
    let mut bodies = rules.into_iter().chain(macros).map(|((start, end), list)| (start as usize..end as usize, list));
    bodies.find(|(body, _)| body.start <= chosen.start && chosen.end <= body.end)
}

/// Whether every bracket has its partner, and arguments are only inside.
fn is_balanced(tokens: &[Token]) -> bool {
    let mut open = 0_usize;
    tokens.iter().all(|token| {
        if token.kind.opens() {
            open += 1;
        }
        let is_closed = !token.kind.closes() || open.checked_sub(1).map(|less| open = less).is_some();
        is_closed && (token.kind != Kind::Semicolon || open > 0)
    }) && open == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extracted(text: &str, range: Range<usize>) -> Option<String> {
        let fix = extract(SourceId(0), text, range)?;
        let mut text = text.to_owned();
        for edit in fix.edits.iter().rev() {
            text.replace_range(edit.span.range(), &edit.text);
        }
        Some(text)
    }

    /// What becomes of a text whose part between `^` is chosen.
    fn between_marks(marked: &str) -> Option<String> {
        let text = marked.replace('^', "");
        let start = marked.find('^').unwrap();
        extracted(&text, start..marked.rfind('^').unwrap() - 1)
    }

    #[test]
    fn parts_become_macros_with_the_parameters_that_they_use() {
        let rules = between_marks("#any = up\n#rules = ->white ^(any + left*) {e}^ [w]");
        assert_eq!(rules.as_deref(), Some("#any = up\n#part = (any + left*) {e}\n#rules = ->white part [w]"));
        let inside = between_marks("#part(a; b; c) = a ^b {c}^ b\n#rules = part(up; left; e)");
        let expected = "#part2(b; c) = b {c}\n#part(a; b; c) = a part2(b; c) b\n#rules = part(up; left; e)";
        assert_eq!(inside.as_deref(), Some(expected));
        let told = between_marks("// of what\n#a = up\n// the rules,\n// twice\n#rules = ->white ^up left^");
        let expected = "// of what\n#a = up\n#part = up left\n\n// the rules,\n// twice\n#rules = ->white part";
        assert_eq!(told.as_deref(), Some(expected));
        let close = between_marks("#rules = {e}^(up)^left");
        assert_eq!(close.as_deref(), Some("#part = (up)\n#rules = {e}part left"));
    }

    #[test]
    fn what_is_no_part_stays() {
        for text in [
            "#rules = ^(up +^ left)",
            "#rules = u^p le^ft",
            "#a(x; y) = x y\n#rules = a(^up; left^)",
            "#rules = ^^up",
            "#rules = {^e^}",
            "#a(x) = ^{up} w~^x\n#rules = up",
            "#a(x) = w~^x {up}^\n#rules = up",
            "#a(x) = up ^~x^\n#rules = up",
            "#a(x) = x\n#rules = ^up a^(up)",
            "#a ^= up^\n#rules = up",
            "#rules = ^up\n#pieces = ^e",
        ] {
            assert_eq!(between_marks(text), None, "{text}");
        }
    }

    #[test]
    fn games_stay_the_same() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/rbg");
        let printed = |text: &str| crate::parse(SourceId(0), text).0.map(|description| crate::print(&description));
        let mut count = 0;
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(path).unwrap();
            let expected = printed(&text);
            let starts: Vec<usize> = text.match_indices([' ', '(', '{', '[']).map(|(at, _)| at + 1).collect();
            for (number, &start) in starts.iter().enumerate().step_by(1 + starts.len() / 10) {
                let ends = text[start..].match_indices([' ', ')', '}', ']', '\n']).map(|(at, _)| start + at);
                let Some(changed) = ends.skip(number % 9).find_map(|end| extracted(&text, start..end)) else {
                    continue;
                };
                assert_eq!(printed(&changed), expected, "{changed}");
                count += 1;
            }
        }
        assert!(count > 50, "{count}");
    }
}
