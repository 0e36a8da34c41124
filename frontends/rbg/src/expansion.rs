//! What a macro call stands for, as a text.

use crate::codes;
use crate::directives::{self, Directives, SectionText};
use crate::lexer::{self, Kind};
use crate::macros::{Expanded, Expander};
use rg_ir::{Report, SourceId, Symbols};

/// Most tokens that are read.
const MAX_TOKENS: usize = 1_000_000;
/// Most tokens and steps of the expansion of a call.
const LIMIT: usize = 2_000;
/// Column after which a line is not continued.
const WIDTH: usize = 100;

/// What the macro call at byte `offset` of a text expands to where it stands, with parameters of the macro around it left as they are; its beginning
/// and `…` if that is long. Nothing if there is no call, or if it cannot be expanded. Linear.
pub fn expansion(source: SourceId, text: &str, offset: u32) -> Option<String> {
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
    let mut expander = Expander::new(source, &tokens, &directives, LIMIT, &mut names, &mut report);
    let expanded = expander.expand_partly(&SectionText { span, body, directive });
    if expander.steps.steps.is_empty() {
        return None;
    }
    let mut errors = report.finish().into_iter().filter(rg_ir::Diagnostic::is_error);
    let cut = match errors.next() {
        Some(error) if error.code == codes::EXPANSION_TOO_LARGE => "…",
        Some(_) => return None,
        None => "",
    };
    let shown = spaced(&expanded, &names);
    (!shown.is_empty() || cut.is_empty()).then(|| shown + cut)
}

/// Where the body ends that a token is in, and the number of its directive.
fn around(directives: &Directives, at: usize) -> Option<(usize, u32)> {
    let macros = directives.macros.iter().map(|found| (found.body, found.directive));
    let sections = directives.sections.iter().flatten().map(|section| (section.body, section.directive));
    let (body, directive) =
        macros.chain(sections).find(|((start, end), _)| (*start as usize..*end as usize).contains(&at))?;
    Some((body.1 as usize, directive))
}

/// Tokens with spaces as people write them, in lines. Linear.
fn spaced(tokens: &[Expanded], names: &Symbols) -> String {
    let (mut out, mut column) = (String::new(), 0);
    let mut before: Option<Kind> = None;
    for token in tokens {
        let Some(kind) = token.kind else { continue };
        let word = names.name(token.sym);
        let apart = before.is_some_and(|before| is_apart(before, kind));
        if apart && column >= WIDTH {
            out.push('\n');
            column = 0;
        } else if apart {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
        before = Some(kind);
    }
    out
}

/// Whether a space stands between two tokens.
fn is_apart(before: Kind, kind: Kind) -> bool {
    let opens = before.opens() && !matches!(before, Kind::CompareOpen | Kind::AssignOpen);
    let joined = opens || matches!(before, Kind::Arrow | Kind::Caret | Kind::Tilde | Kind::Colon);
    let ends = kind.closes()
        || matches!(kind, Kind::Comma | Kind::Semicolon | Kind::Star | Kind::Caret | Kind::Tilde | Kind::Colon);
    !joined && !ends
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
