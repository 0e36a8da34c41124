//! Fixes of what does not fit in a rule or goal: signs that are missing, left over, or others than are meant.

use crate::codes;
use crate::lexer::{Kind, Token};
use crate::syntax::Builder;
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Span};

/// Squares that are written anew at most.
const MAX_SQUARES: usize = 64;

impl Builder<'_> {
    /// Adds fixes to the finding that the token `at` does not fit, or that the entry ends too early. Linear.
    pub(crate) fn mended(&self, finding: Diagnostic, at: u32, expected: &[String]) -> Diagnostic {
        let kind = |at: Option<u32>| at.and_then(|at| self.token(at)).map(|token| token.kind);
        let (found, before) = (kind(Some(at)), kind(at.checked_sub(1)));
        let only = match expected {
            [only] => Some(only.trim_matches('"')),
            _ => None,
        };
        let place = self.span(at);
        if let Some(fix) = self.squares().or_else(|| self.exchanged()) {
            return with(finding, fix);
        }
        match (before, found) {
            (Some(Kind::Caret), Some(Kind::Plus)) => finding.fix("write `^*`", place, "*").unsure(),
            (Some(Kind::Open | Kind::Comma), Some(Kind::Plus)) if kind(at.checked_add(1)) == Some(Kind::Nat) => {
                finding.fix("remove `+`", place, "")
            }
            (Some(Kind::Close), Some(Kind::Star)) => finding.fix("write `^*`", place, "^*"),
            (Some(Kind::Close), Some(Kind::Nat)) => {
                finding.fix("add `^`", Span { end: place.start, ..place }, "^").unsure()
            }
            (Some(Kind::Nat | Kind::Star), Some(Kind::Caret)) => match self.powered(at) {
                Some(fix) => with(finding, fix),
                None => finding,
            },
            // A sign of an alternative that is not there.
            (Some(Kind::Plus), Some(Kind::Plus | Kind::Close) | None) => {
                finding.fix("remove `+`", self.span(at.saturating_sub(1)), "").unsure()
            }
            (Some(Kind::Open), Some(Kind::Plus)) => finding.fix("remove `+`", place, "").unsure(),
            (_, Some(Kind::Close)) if self.depth(at) == 0 => finding.fix("remove `)`", place, ""),
            (_, Some(Kind::Close)) if only == Some(",") => {
                let behind = self.behind(at);
                let step =
                    |finding: Diagnostic, on: &str| finding.fix(format!("add `,{on}`"), behind, format!(",{on}"));
                step(step(finding, "e"), "p").unsure()
            }
            (Some(Kind::Upper | Kind::Lower), None) if kind(Some(0)) == Some(Kind::Hash) => {
                finding.fix("add `0`", self.behind(at), " 0").unsure()
            }
            (_, None) if expected.iter().any(|e| e.trim_matches('"') == ")") => {
                let missing = ")".repeat(self.depth(at));
                finding.fix(format!("add `{missing}`"), self.behind(at), missing).unsure()
            }
            (_, Some(_)) => match only {
                Some(sign @ (")" | ",")) => finding.fix(format!("add `{sign}`"), self.behind(at), sign),
                _ => finding,
            },
            _ => finding,
        }
    }

    /// The empty place right behind the token before `at`.
    fn behind(&self, at: u32) -> Span {
        let before = self.span(at.saturating_sub(1));
        Span { start: before.end, ..before }
    }

    /// How many brackets are open at a token.
    fn depth(&self, at: u32) -> usize {
        self.tokens.iter().take(at as usize).fold(0, |depth, token| match token.kind {
            Kind::Open => depth + 1,
            Kind::Close => depth.saturating_sub(1),
            _ => depth,
        })
    }

    /// Puts what has one power already into brackets where the token `at` begins a second one.
    fn powered(&self, at: u32) -> Option<Fix> {
        let close = at.checked_sub(3)?;
        if self.token(close)?.kind != Kind::Close {
            return None;
        }
        let mut depth = 0_usize;
        let open = (0..=close).rev().find(|&index| {
            match self.token(index).map(|token| token.kind) {
                Some(Kind::Close) => depth += 1,
                Some(Kind::Open) => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })?;
        let start = self.span(open);
        let edit = |span, text: &str| Edit { span, instead_of: None, text: text.to_owned() };
        let edits = vec![edit(Span { end: start.start, ..start }, "("), edit(self.behind(at), ")")];
        Some(Fix { title: "add brackets".to_owned(), edits, applies: Applies::Always })
    }

    /// The number of a `#` entry that stands before its letter.
    fn exchanged(&self) -> Option<Fix> {
        let [sign, number, letter] = self.tokens else { return None };
        let is_letter = matches!(letter.kind, Kind::Upper | Kind::Lower);
        if sign.kind != Kind::Hash || number.kind != Kind::Nat || !is_letter {
            return None;
        }
        let (number, letter) = (number.text(self.text), letter.text(self.text));
        let text = format!("#{letter} {number}");
        let span = self.span(0).to(self.span(2));
        let edits = vec![Edit { span, instead_of: None, text: text.clone() }];
        Some(Fix { title: format!("write `{text}`"), edits, applies: Applies::Always })
    }

    /// The squares of an `@` entry that are written in another way: with commas or brackets in them, without commas between them, or as `a1`.
    fn squares(&self) -> Option<Fix> {
        let [sign, letter, squares @ ..] = self.tokens else { return None };
        if sign.kind != Kind::At || !matches!(letter.kind, Kind::Upper | Kind::Lower) {
            return None;
        }
        let found = self.read_squares(squares)?;
        let span = squares.first()?.span(self.source).to(squares.last()?.span(self.source));
        let text = found.iter().map(|(x, y)| format!("{x} {y}")).collect::<Vec<_>>().join(", ");
        let edits = vec![Edit { span, instead_of: None, text: text.clone() }];
        let is_short = found.len() <= 3;
        let title = if is_short { format!("write `{text}`") } else { "write the squares as `x y, x y`".to_owned() };
        Some(Fix { title, edits, applies: Applies::Always })
    }

    /// A step that says several things of the square it leads to, such as `(2,1,ep)`, as the steps that say one of them each. `word` is the place of
    /// what it says.
    pub(crate) fn either(&self, word: Span) -> Option<Fix> {
        let at = self.tokens.iter().position(|token| token.start == word.start)?;
        let [open, dx, _, dy, comma] = self.tokens.get(at.checked_sub(5)?..at)? else { return None };
        let close = self.tokens.iter().find(|token| token.start >= word.end).filter(|next| next.kind == Kind::Close)?;
        let is_number = |token: &Token| matches!(token.kind, Kind::Nat | Kind::Negative);
        if open.kind != Kind::Open || comma.kind != Kind::Comma || !is_number(dx) || !is_number(dy) {
            return None;
        }
        let mut letters: Vec<char> = self.text.get(word.range())?.chars().collect();
        let count = letters.len();
        letters.sort_unstable();
        letters.dedup();
        if count < 2 || letters.len() != count || !letters.iter().all(|letter| "epw".contains(*letter)) {
            return None;
        }
        let (dx, dy) = (dx.text(self.text), dy.text(self.text));
        let steps: Vec<String> = letters.iter().map(|letter| format!("({dx},{dy},{letter})")).collect();
        let text = format!("({})", steps.join(" + "));
        let span = open.span(self.source).to(close.span(self.source));
        let edits = vec![Edit { span, instead_of: None, text: text.clone() }];
        Some(Fix { title: format!("write `{text}`"), edits, applies: Applies::Maybe })
    }

    /// The columns and rows of squares, if these tokens are nothing else.
    fn read_squares(&self, tokens: &[Token]) -> Option<Vec<(u32, u32)>> {
        let mut found = Vec::new();
        let mut column: Option<u32> = None;
        for token in tokens {
            match (token.kind, column) {
                (Kind::Comma | Kind::Open | Kind::Close, _) => {}
                (Kind::Lower, None) => {
                    let letter = token.text(self.text).bytes().next()?;
                    column = Some(u32::from(letter - b'a'));
                }
                (Kind::Nat, None) => column = Some(token.value),
                (Kind::Nat, Some(x)) => {
                    // Rows count from 1 behind a letter.
                    let before = tokens.iter().take_while(|before| before.start < token.start).last()?;
                    let y = if before.kind == Kind::Lower { token.value.checked_sub(1)? } else { token.value };
                    found.push((x, y));
                    column = None;
                }
                _ => return None,
            }
        }
        (column.is_none() && !found.is_empty() && found.len() <= MAX_SQUARES).then_some(found)
    }
}

/// Makes fixes that add a `&` uncertain where the entries beside it have other errors: where an entry ends that is not understood is a guess. Linear in the
/// text for each of them.
pub(crate) fn unsure_ends(text: &str, findings: &mut [Diagnostic]) {
    let is_end = |finding: &Diagnostic| [codes::MISSING_AMPERSAND, codes::FINAL_AMPERSAND].contains(&finding.code);
    let place = |finding: &Diagnostic| finding.primary.as_ref().map(|primary| primary.span.start as usize);
    let others = findings.iter().filter(|finding| finding.is_error() && !is_end(finding));
    let others: Vec<usize> = others.filter_map(place).collect();
    for finding in findings.iter_mut().filter(|finding| is_end(finding)) {
        let Some(at) = place(finding) else { continue };
        let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
        let start = before.rfind(['&', '>']).unwrap_or(0);
        let end = behind.find(['&', '<']).map_or(text.len(), |length| at + length);
        if others.iter().any(|other| (start..=end).contains(other)) {
            finding.fixes.iter_mut().for_each(|fix| fix.applies = Applies::Maybe);
        }
    }
}

pub(crate) fn with(mut finding: Diagnostic, fix: Fix) -> Diagnostic {
    finding.fixes.push(fix);
    finding
}
