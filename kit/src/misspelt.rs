//! Where exactly a misspelt name stands, and which of two spellings is the wrong one: that of the unknown name, or that of the declaration it
//! resembles.

use crate::library;
use rg_ir::diag::{Applies, Edit, Fix, changes_number};
use rg_ir::{Diagnostic, SourceId, Span};

/// Pairs of names that are looked at.
const MAX_PAIRS: usize = 4;

/// Longer texts are not read again to find out.
const MAX_TEXT: usize = 1 << 18;

/// Makes suggestions that are about a name somewhere in a statement, such as those of the checks of RG in other languages, into edits of the name
/// itself. A finding without a label points at the name then, if it occurs there once. Linear in the statements concerned.
pub(crate) fn narrow(text: &str, findings: &mut [Diagnostic]) {
    for finding in findings {
        let mut only = None;
        for fix in &mut finding.fixes {
            let [Edit { span, instead_of: Some(name), text: better }] = fix.edits.as_slice() else { continue };
            let Some(statement) = text.get(span.range()).filter(|statement| statement != name) else { continue };
            let place = |start: usize| {
                let start = span.start + u32::try_from(start).ok()?;
                Some(Span { source: span.source, start, end: start + u32::try_from(name.len()).ok()? })
            };
            let places: Vec<Span> = occurrences(statement, name).into_iter().filter_map(place).collect();
            if let [place] = *places {
                only = Some((*span, place));
            }
            if !places.is_empty() {
                let edit = |span| Edit { span, instead_of: Some(name.clone()), text: better.clone() };
                fix.edits = places.into_iter().map(edit).collect();
            }
        }
        if let (Some((from, to)), Some(primary)) = (only, &mut finding.primary)
            && primary.span == from
            && primary.text.is_empty()
        {
            primary.span = to;
        }
    }
}

/// Turns suggestions around where the declaration is what is misspelt: its name occurs nowhere else, and either fewer findings are left if
/// the declaration is changed than if the unknown name is, or as few, and the unknown name is a word of the bundled games and the declared one is not.
/// A name that occurs more than once is right even if no game has it, but not if only the declared one is such a word. `read` finds what is wrong with
/// a text. A pair of names costs two calls of it.
pub(crate) fn settle(
    source: SourceId,
    text: &str,
    findings: &mut [Diagnostic],
    read: impl Fn(&str) -> Option<Vec<Diagnostic>>,
) {
    if text.len() > MAX_TEXT {
        return;
    }
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (unknown, known) in findings.iter().filter_map(pair) {
        if pairs.len() < MAX_PAIRS && !pairs.iter().any(|pair| (&*pair.0, &*pair.1) == (unknown, known)) {
            pairs.push((unknown.to_owned(), known.to_owned()));
        }
    }
    let code = without_comments(text);
    for (unknown, known) in &pairs {
        if occurrences(text, known).is_empty() {
            settle_part(source, (text, &code), findings, (unknown, known), &read);
        }
    }
    for (unknown, known) in pairs {
        let (places, declared) = (occurrences(text, &unknown), occurrences(text, &known));
        let [start] = *declared else { continue };
        let place = u32::try_from(start).and_then(|start| Ok((start, u32::try_from(known.len())?)));
        let Ok((start, length)) = place else { continue };
        let left = |places: &[usize], from: &str, to: &str| {
            let found = read(&renamed(text, places, from, to))?;
            Some((found.iter().filter(|finding| finding.is_error()).count(), found.len()))
        };
        let of_declaration = left(&declared, &known, &unknown);
        let of_uses = left(&places, &unknown, &known);
        let (Some(of_declaration), Some(of_uses)) = (of_declaration, of_uses) else { return };
        let is_likely = || match places.len() {
            0 | 1 => is_better_known(&unknown, &known),
            _ => !is_better_known(&known, &unknown),
        };
        if of_declaration < of_uses || (of_declaration == of_uses && is_likely()) {
            let span = Span { source, start, end: start + length };
            let turned = findings.iter_mut().filter(|finding| pair(finding) == Some((&unknown, &known)));
            turned.for_each(|finding| turn(finding, span, &known, &unknown));
        }
    }
}

/// As [`settle`] where the known name stands nowhere in the text, since it was made of parts: `smaall1` of `smaall` and `1`. What is misspelt is the
/// part if it occurs once, several names that have the other spelling are unknown, and writing it like them leaves as few findings as writing them
/// like it. Parts are looked for in `code`, the text without comments. Otherwise it is unclear which spelling is wrong if there is such a part at all, and the suggestion is not certain.
fn settle_part(
    source: SourceId,
    (text, code): (&str, &str),
    findings: &mut [Diagnostic],
    (unknown, known): (&str, &str),
    read: &impl Fn(&str) -> Option<Vec<Diagnostic>>,
) {
    let Some((place, part, other)) = pasted(code, unknown, known) else { return };
    let is_same = |finding: &Diagnostic| {
        let names = pair(finding).filter(|(_, known)| occurrences(text, known).is_empty());
        let found = names.and_then(|(unknown, known)| pasted(code, unknown, known));
        found.is_some_and(|(_, of_known, of_unknown)| (of_known, of_unknown) == (part, other))
    };
    let mut names: Vec<&str> =
        findings.iter().filter(|finding| is_same(finding)).filter_map(|finding| Some(pair(finding)?.0)).collect();
    names.sort_unstable();
    names.dedup();
    let errors = |text: &str| Some(read(text)?.iter().filter(|finding| finding.is_error()).count());
    let span = |start: usize| {
        let start = u32::try_from(start).ok()?;
        Some(Span { source, start, end: start + u32::try_from(part.len()).ok()? })
    };
    let turned = match place {
        Some(start) if names.len() > 1 => {
            let of_part = errors(&renamed(text, &[start], part, other));
            let of_names = names.iter().fold(text.to_owned(), |text, name| {
                let better = name.replacen(other, part, 1);
                renamed(&text, &occurrences(&text, name), name, &better)
            });
            let fits = of_part.zip(errors(&of_names)).is_some_and(|(part, names)| part <= names);
            span(start).filter(|_| fits)
        }
        _ => None,
    };
    let (part, other) = (part.to_owned(), other.to_owned());
    let same: Vec<bool> = findings.iter().map(is_same).collect();
    for (finding, _) in findings.iter_mut().zip(same).filter(|(_, is_same)| *is_same) {
        match turned {
            Some(span) => turn(finding, span, &part, &other),
            None => finding.fixes.iter_mut().for_each(|fix| fix.applies = Applies::Maybe),
        }
    }
}

/// The part of a name by which it differs from another one, where it stands in the text on its own (if once only), and what the other one has
/// instead: `smaall` and `small` of `smaall1` and `small1`. `None` if no such part stands in the text.
fn pasted<'n>(text: &str, unknown: &'n str, known: &'n str) -> Option<(Option<usize>, &'n str, &'n str)> {
    let ends = known.char_indices().skip(1).map(|(at, _)| at);
    let heads = ends.clone().filter_map(|at| {
        let (part, rest) = known.split_at(at);
        Some((part, unknown.strip_suffix(rest)?))
    });
    let tails = ends.filter_map(|at| {
        let (rest, part) = known.split_at(at);
        Some((part, unknown.strip_prefix(rest)?))
    });
    // The longest one.
    let mut found: Vec<(Vec<usize>, &str, &str)> = heads
        .chain(tails)
        .filter(|(part, other)| part != other && !other.is_empty() && is_name(part) && is_name(other))
        .map(|(part, other)| (occurrences(text, part), part, other))
        .filter(|(places, ..)| !places.is_empty())
        .collect();
    found.sort_by_key(|(_, part, _)| part.len());
    let (places, part, other) = found.pop()?;
    let only = if let [place] = *places { Some(place) } else { None };
    Some((only, part, other))
}

/// Whether a part of a name could be a name, as the marks around a keyword could not.
fn is_name(part: &str) -> bool {
    part.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The text with spaces in place of comments that begin with `//`, or stand between `/*` and `*/`; offsets stay as they are. Linear.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        let (code, comment) = rest.split_at(start);
        let end = match comment.starts_with("//") {
            true => comment.find('\n').unwrap_or(comment.len()),
            false => comment.get(2..).and_then(|inner| inner.find("*/")).map_or(comment.len(), |end| end + 4),
        };
        let (comment, after) = comment.split_at(end);
        out.push_str(code);
        out.extend(std::iter::repeat_n(' ', comment.len()));
        rest = after;
    }
    out + rest
}

/// Whether the bundled games have this word, and not the other one. Linear in their text.
fn is_better_known(word: &str, other: &str) -> bool {
    let known = |word: &str| library::all().iter().any(|game| !occurrences(game.text, word).is_empty());
    known(word) && !known(other)
}

/// The unknown name and the known one of a finding whose fix replaces one by the other: a certain fix, or the only one if it is
/// uncertain just because it changes a number.
fn pair(finding: &Diagnostic) -> Option<(&str, &str)> {
    let fix = finding.fixes.first()?;
    let first = replaced(fix.edits.first()?)?;
    let is_only = finding.fixes.len() == 1 && changes_number(first.0, first.1);
    let is_pair =
        (fix.applies == Applies::Always || is_only) && fix.edits.iter().all(|edit| replaced(edit) == Some(first));
    is_pair.then_some(first)
}

/// What an edit replaces, and by what.
fn replaced(edit: &Edit) -> Option<(&str, &str)> {
    Some((edit.instead_of.as_deref()?, edit.text.as_str()))
}

/// Changes the suggestion of a finding into that of the declaration.
fn turn(finding: &mut Diagnostic, span: Span, known: &str, unknown: &str) {
    finding.help = Some(format!("`{known}` occurs nowhere else: is it meant to be `{unknown}`?"));
    let edits = vec![Edit { span, instead_of: Some(known.to_owned()), text: unknown.to_owned() }];
    let applies = Applies::Always.unless_number(known, unknown);
    finding.fixes = vec![Fix { title: format!("replace `{known}` by `{unknown}`"), edits, applies }];
}

/// Where a word stands, also in comments. Linear.
fn occurrences(text: &str, word: &str) -> Vec<usize> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let stands_alone = |&(start, _): &(usize, &str)| {
        let before = text.get(..start).and_then(|text| text.chars().next_back());
        let after = text.get(start + word.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(inside) && !after.is_some_and(inside)
    };
    text.match_indices(word).filter(stands_alone).map(|(start, _)| start).collect()
}

/// The text with another word at these places.
fn renamed(text: &str, places: &[usize], from: &str, to: &str) -> String {
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for &start in places {
        out.push_str(text.get(end..start).unwrap_or_default());
        out.push_str(to);
        end = start + from.len();
    }
    out.push_str(text.get(end..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_alone() {
        assert_eq!(occurrences("axis axiis axis2 (axis)", "axis"), [0, 18]);
        let whole = Span { source: SourceId(0), start: 2, end: 16 };
        let mut findings = [Diagnostic::error("RG001", whole, "").suggest("axiis", ["axis"])];
        narrow("a axis = axiis + 1", &mut findings);
        let [Diagnostic { primary: Some(primary), fixes, .. }] = &findings else { return assert!(findings.is_empty()) };
        assert_eq!((primary.span.start, primary.span.end, fixes.len()), (9, 14, 1));
        assert!(fixes.iter().all(|fix| fix.edits.iter().map(|edit| edit.span).eq([primary.span])));
        let text = "ring(smaall; 1) ring(large; smaall2) small1";
        assert_eq!(pasted(text, "small1", "smaall1"), Some((Some(5), "smaall", "small")));
        assert_eq!(pasted("a(in; smal) b(in)", "insmall", "insmal"), Some((Some(6), "smal", "small")));
        assert_eq!(pasted(text, "small1", "huge1"), None);
        assert_eq!(pasted("< g a", "<gg>", "<g>"), None);
        assert_eq!(without_comments("a // é\nb /* c */ d//"), "a      \nb         d  ");
        assert_eq!(renamed("a b a", &[0, 4], "a", "cc"), "cc b cc");
    }
}
