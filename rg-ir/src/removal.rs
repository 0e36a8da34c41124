//! Cutting declarations out of a text: with the separator that joined them to others, and with whole lines where nothing is left on them.

use crate::diag::{Diagnostic, Edit};
use crate::source::Span;

/// What stands between the declarations of a language.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// What begins a comment that goes to the end of the line.
    pub comments: &'static [&'static str],
    /// What stands between the elements of a list.
    pub separators: &'static [char],
    /// What ends an element, the last one included, and is not part of its span.
    pub terminators: &'static [char],
}

/// Completes the fixes of findings of the given code that remove something: an element of a list goes with one separator, and a line on
/// which nothing is left goes as a whole, with its comment. Linear in the text for each such finding.
pub fn complete(text: &str, code: &str, syntax: Syntax, findings: &mut [Diagnostic]) {
    for finding in findings.iter_mut().filter(|finding| finding.code == code) {
        for fix in &mut finding.fixes {
            let removes =
                |edit: &Edit| edit.text.is_empty() && edit.instead_of.is_none() && !edit.span.range().is_empty();
            if fix.edits.iter().all(removes) {
                let spans = joined(text, fix.edits.iter().map(|edit| edit.span).collect());
                let parts = spans.into_iter().flat_map(|span| cut(text, span, syntax));
                fix.edits = parts.map(|span| Edit { span, instead_of: None, text: String::new() }).collect();
            }
        }
    }
}

/// The spans in order; those with nothing but space between them are one.
fn joined(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.source, span.start));
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if is_blank(text, last.end as usize, span.start as usize) => *last = last.to(span),
            _ => joined.push(span),
        }
    }
    joined
}

/// What goes with the text at `span`, in order.
fn cut(text: &str, span: Span, syntax: Syntax) -> Vec<Span> {
    let (mut start, mut end) = (span.start as usize, span.end as usize);
    let mut before = None;
    let next = behind(text, end, syntax);
    let ends = |c: &char| syntax.separators.contains(c) || syntax.terminators.contains(c);
    if let Some(mark) = char_at(text, next).filter(ends) {
        end = next + mark.len_utf8();
    } else if let Some((at, mark)) = last(text, start, syntax).filter(|(_, mark)| syntax.separators.contains(mark)) {
        if text.get(at..start).is_some_and(|gap| gap.contains('\n')) {
            before = Some((at, at + mark.len_utf8()));
        } else {
            start = at;
        }
    }
    (start, end) = lines(text, start, end, syntax);
    before.into_iter().chain([(start, end)]).map(|(start, end)| Span::new(span.source, start, end)).collect()
}

/// The range with the rest of its lines if nothing else is on them, else with the space that is not needed any more.
fn lines(text: &str, start: usize, end: usize, syntax: Syntax) -> (usize, usize) {
    let line = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let rest = text.get(end..).unwrap_or_default();
    let line_end = rest.find('\n').map_or(text.len(), |at| end + at);
    let rest = text.get(end..line_end).unwrap_or_default();
    let nothing_before = is_blank(text, line, start);
    let nothing_behind = rest.trim_start().is_empty();
    let comment_behind = syntax.comments.iter().any(|comment| rest.trim_start().starts_with(comment));
    if nothing_before && (nothing_behind || comment_behind) {
        let mut end = (line_end + 1).min(text.len());
        // Of two blank lines one is left.
        let above = text.get(..line).unwrap_or_default();
        if (above.is_empty() || above.ends_with("\n\n")) && char_at(text, end) == Some('\n') {
            end += 1;
        }
        return (line, end);
    }
    let space = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    if nothing_behind || comment_behind || rest.trim_start().starts_with(syntax.separators) {
        let kept = text.get(..start).map_or(start, |before| before.trim_end_matches([' ', '\t']).len());
        return (kept, if nothing_behind { line_end } else { end });
    }
    // `e, w, x` without `w` is `e, x`; without `x` it is `e, w`.
    let before = text.get(..start).and_then(|before| before.chars().next_back());
    (start, if before.is_none_or(char::is_whitespace) { end + space(rest) } else { end })
}

/// The first place from `at` on with neither space nor comment.
fn behind(text: &str, mut at: usize, syntax: Syntax) -> usize {
    while let Some(rest) = text.get(at..) {
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if !syntax.comments.iter().any(|comment| trimmed.starts_with(comment)) {
            break;
        }
        at += trimmed.find('\n').unwrap_or(trimmed.len());
    }
    at
}

/// The last character before `at` that is neither space nor in a comment, and where it stands.
fn last(text: &str, at: usize, syntax: Syntax) -> Option<(usize, char)> {
    let mut end = at;
    loop {
        let before = text.get(..end)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.get(start..)?;
        let comment = syntax.comments.iter().filter_map(|comment| line.find(comment)).min();
        let code = line.get(..comment.unwrap_or(line.len()))?.trim_end();
        if let Some(mark) = code.chars().next_back() {
            return Some((start + code.len() - mark.len_utf8(), mark));
        }
        end = start.checked_sub(1)?;
    }
}

fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

fn is_blank(text: &str, start: usize, end: usize) -> bool {
    text.get(start..end).is_some_and(|gap| gap.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    const LIST: Syntax = Syntax { comments: &["//"], separators: &[',', '|'], terminators: &['&'] };

    /// The text without what stands between `<` and `>`.
    fn without(marked: &str) -> String {
        let text = marked.replace(['<', '>'], "");
        let mut spans = Vec::new();
        for (number, (start, _)) in marked.match_indices('<').enumerate() {
            let end = start + marked[start..].find('>').unwrap();
            spans.push(Span::new(SourceId(0), start - 2 * number, end - 2 * number - 1));
        }
        let found = Diagnostic::warning("RG029", spans[0], "unused").removing("x", spans);
        let mut findings = [found];
        complete(&text, "RG029", LIST, &mut findings);
        let mut left = text.clone();
        for edit in findings[0].fixes[0].edits.iter().rev() {
            left.replace_range(edit.span.range(), "");
        }
        left
    }

    #[test]
    fn elements_go_with_one_separator() {
        for (marked, left) in [
            ("p = <a>, b, c\n", "p = b, c\n"),
            ("p = a, <b>, c\n", "p = a, c\n"),
            ("p = a, b, <c>\n", "p = a, b\n"),
            ("p = a,b,<c> // last\n", "p = a,b // last\n"),
            ("p = a,<b>,c\n", "p = a,c\n"),
            ("p = <a(9)>\nq", "p =\nq"),
            ("p = a\n  | <b> // odd\n  | c\n", "p = a\n  | c\n"),
            ("p =\n  a, // first\n  <b> // last\nq\n", "p =\n  a // first\nq\n"),
            ("p =\n  a,\n  <b>, // odd\n  c\n", "p =\n  a,\n  c\n"),
            ("p = a,\n  <b>, c\n", "p = a,\n  c\n"),
            ("p = a, <b>,\n  c\n", "p = a,\n  c\n"),
            ("<P (x)> & Q &\n", "Q &\n"),
            ("P &\n<Q> &\nR &\n", "P &\nR &\n"),
        ] {
            assert_eq!(without(marked), left, "{marked}");
        }
    }

    #[test]
    fn lines_with_nothing_left_go() {
        for (marked, left) in [
            ("a;\n<b;> // odd\nc;\n", "a;\nc;\n"),
            ("a;\n\n<b\n  c;>\n\nd;\n", "a;\n\nd;\n"),
            ("<a;> b;\n", "b;\n"),
            ("a; <b;>\nc;\n", "a;\nc;\n"),
            ("a;\n<b;>", "a;\n"),
            ("(a) <(b)> <(b)> (c)\n<(b)>\n<(b)>\n(d)\n", "(a) (c)\n(d)\n"),
        ] {
            assert_eq!(without(marked), left, "{marked}");
        }
    }
}
