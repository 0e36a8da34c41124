//! Fixes that add a bracket or another sign that is missing, and that remove or replace one that is wrong.

use crate::ast::Origin;
use crate::codes;
use crate::directives::{Macro, Section};
use crate::left::{Left, left_by_macros};
use crate::lexer::Kind;
use crate::macros::Expanded;
use crate::raw::Arena;
use crate::repair::{closes, closing, opened, replace};
use crate::syntax::Text;
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Span};
use std::ops::Range;

/// Brackets that macros leave open, over all calls, that are looked at.
const MAX_LEFT: usize = 1_000;

impl Text<'_> {
    /// The finding that a macro or section lacks the sign it begins with, because of which the token at `index` does not fit. Linear.
    pub(crate) fn without_hash(&self, index: usize) -> Option<(usize, Diagnostic)> {
        let is_name = |at: &usize| self.kind(*at).is_some_and(|kind| kind == Kind::Ident || kind.is_keyword());
        let before = |at: usize| at.checked_sub(1);
        let behind = |at: usize| self.arguments_of(at).map_or(at + 1, |arguments| arguments.end);
        let callee = |close: usize| before(self.open_bracket(close)?);
        let at = match self.kind(index)? {
            Kind::Equal => match before(index).and_then(|at| self.kind(at))? {
                Kind::ParenClose => callee(index - 1)?,
                _ => before(index)?,
            },
            Kind::Semicolon => before(self.unclosed(index)?)?,
            Kind::ParenOpen => before(index)?,
            _ => index,
        };
        // What is listed is no definition.
        let is_listed = matches!(before(at).and_then(|at| self.kind(at)), None | Some(Kind::Comma));
        let is_defined = is_name(&at) && self.kind(behind(at)) == Some(Kind::Equal);
        if is_listed || !is_defined || self.unclosed(at).is_some() {
            return None;
        }
        let (name, place) = (self.text(at), self.origin(at).span);
        let what = if self.kind(at) == Some(Kind::Ident) { "macro" } else { "section" };
        let message = format!("the definition of `{name}` lacks its `#`");
        let finding = Diagnostic::error(codes::SYNTAX, place, message);
        let finding = finding.help(format!("a {what} begins with `#`: `#{name} = …`"));
        Some((at, finding.fix("add `#`", Span { end: place.start, ..place }, "#")))
    }

    /// Adds a fix to the finding that the token at `index` does not fit where another sign is written, or one more.
    pub(crate) fn with_sign(&self, index: usize, expected: &[String], finding: Diagnostic) -> Diagnostic {
        let accepts = |text: &str| expected.iter().any(|e| e.trim_matches('"') == text);
        let kind = |at: usize| self.tokens.get(at).and_then(|token| token.kind);
        let place = self.origin(index).span;
        let before = index.checked_sub(1);
        match kind(index) {
            _ if !finding.fixes.is_empty() => finding,
            Some(Kind::Equal) if accepts("==") => finding.fix("write `==`", place, "=="),
            // A comparison may stand in the wrong brackets.
            Some(Kind::EqualEqual) if accepts("=") => finding.fix("write `=`", place, "=").unsure(),
            // Behind an operator, it would be another term.
            Some(Kind::Minus) if matches!(before.and_then(kind), Some(Kind::Star | Kind::Slash | Kind::Minus)) => {
                finding
            }
            Some(Kind::Minus) if accepts("number") && accepts("(") => finding.fix("write `0-`", place, "0-"),
            Some(Kind::Semicolon) => finding.fix("remove `;`", place, "").unsure(),
            Some(Kind::Plus) if accepts(",") => self.with_commas(index, finding),
            Some(Kind::Comma)
                if self.section == Section::Board && before.and_then(kind) == Some(Kind::BracketClose) =>
            {
                finding.fix("remove `,`", place, "")
            }
            Some(Kind::Ident) if accepts(",") && before.and_then(kind) == Some(Kind::Ident) => {
                self.with_list(index, finding)
            }
            Some(_) if accepts(",") && self.fits(index..index, &[Kind::Comma]) => {
                let Some(left) = before.map(|before| self.origin(before)) else { return finding };
                // What another macro ends with may be right by itself.
                if left.expansion != self.origin(index).expansion {
                    return finding;
                }
                let fixed = finding.fix("add `,`", Span { start: left.span.end, ..left.span }, ",");
                if expected.len() == 1 { fixed } else { fixed.unsure() }
            }
            _ => finding,
        }
    }

    /// Adds a fix to the finding that the sign `+` at `index` does not fit, if it stands between the names of a list that ends with its bracket: all such signs
    /// in it become commas. Else the list may end before it. Linear in the list.
    fn with_commas(&self, index: usize, finding: Diagnostic) -> Diagnostic {
        let Some(open) = self.unclosed(index) else { return finding };
        let Some(close) = self.kind(open).map(closing) else { return finding };
        let length = (open + 1..self.tokens.len()).take_while(|&at| self.kind(at) != Some(close)).count();
        let list: Vec<usize> = (open + 1..open + 1 + length).collect();
        let is_sign = |at: usize| matches!(self.kind(at), Some(Kind::Plus | Kind::Comma));
        let is_list = list.iter().enumerate().all(|(number, &at)| match number % 2 {
            0 => self.kind(at) == Some(Kind::Ident),
            _ => is_sign(at),
        });
        let own = self.origin(open).expansion;
        let is_whole = list.len() % 2 == 1 && list.iter().all(|&at| self.origin(at).expansion == own);
        if !is_list || !is_whole || self.kind(open + 1 + length) != Some(close) {
            return finding;
        }
        let signs = list.into_iter().filter(|&at| self.kind(at) == Some(Kind::Plus));
        let edit = |at: usize| {
            let (before, sign) = (self.origin(at - 1).span, self.origin(at).span);
            // A space before the sign goes with it; there is no room for a comment.
            let start = if before.end + 1 == sign.start { before.end } else { sign.start };
            Edit { span: Span { start, ..sign }, instead_of: None, text: ",".to_owned() }
        };
        let mut finding = finding.help("pieces are separated by `,`");
        let edits = signs.map(edit).collect();
        finding.fixes.push(Fix { title: "write `,`".to_owned(), edits, applies: Applies::Always });
        finding
    }

    /// Adds fixes to the finding that the name at `index` follows another one in a list: a comma, or the end of the list. What is likelier comes first.
    fn with_list(&self, index: usize, finding: Diagnostic) -> Diagnostic {
        let origin = self.origin(index);
        let left = index.checked_sub(1).map(|before| self.origin(before).span);
        let left = left.filter(|left| left.end < origin.span.start);
        let is_here = index.checked_sub(1).is_some_and(|before| self.origin(before).expansion == origin.expansion);
        let comma = left.filter(|_| is_here).map(|left| Span { start: left.end, ..left });
        let with_comma = |finding: Diagnostic| match comma {
            Some(place) => finding.fix("add `,`", place, ","),
            None => finding,
        };
        if self.section != Section::Rules {
            return with_comma(finding).unsure();
        }
        let open = self.unclosed(index);
        let closed = self.with_closed(index, open, finding.clone());
        if self.is_action(index, open) {
            return with_comma(closed).unsure();
        }
        let mut finding = with_comma(finding);
        finding.fixes.extend(closed.fixes);
        finding.unsure()
    }

    /// Whether a name in the list that begins at `open` is rather an action behind it: where it stands elsewhere tells, or else that `[…]` mostly has one
    /// name. Linear.
    fn is_action(&self, index: usize, open: Option<usize>) -> bool {
        let Some(name) = self.tokens.get(index).map(|token| token.sym) else { return false };
        let (mut listed, mut acting) = (0_usize, 0_usize);
        let mut around: Vec<Kind> = Vec::new();
        let mut before = None;
        for (at, token) in self.tokens.iter().enumerate() {
            let Some(kind) = token.kind else { continue };
            if kind.opens() {
                around.push(kind);
            } else if kind.closes() {
                around.pop();
            } else if kind == Kind::Ident && token.sym == name && at != index {
                match around.last() {
                    Some(Kind::BraceOpen | Kind::BracketOpen) => listed += 1,
                    None | Some(Kind::ParenOpen | Kind::CheckOpen | Kind::NotOpen) if before != Some(Kind::Arrow) => {
                        acting += 1;
                    }
                    _ => {}
                }
            }
            before = Some(kind);
        }
        match (listed, acting) {
            (0, 0) => open.and_then(|open| self.kind(open)) == Some(Kind::BracketOpen),
            _ => acting > listed,
        }
    }

    /// Adds a fix to the finding that the token at `index`, or the end, does not fit, if with another bracket it does. Linear.
    pub(crate) fn with_bracket(&self, index: usize, finding: Diagnostic) -> Diagnostic {
        if !finding.fixes.is_empty() {
            return finding;
        }
        let kinds: Vec<Kind> = self.tokens.iter().filter_map(|token| token.kind).collect();
        let open = opened(&kinds, index);
        let last = open.last().copied();
        let inner = last.and_then(|open| kinds.get(open)).map(|&open| closing(open));
        match kinds.get(index) {
            None => self.with_end(index, &kinds, &open, finding),
            Some(&kind) if kind.closes() && !closes(&open, &kinds, kind) => {
                let outer = open.split_last().map(|(_, outer)| outer).unwrap_or_default();
                let place = self.origin(index).span;
                let quoted = spelling(kind);
                match inner {
                    Some(_) if closes(outer, &kinds, kind) => self.with_closed(index, last, finding),
                    Some(inner) if self.fits(index..index + 1, &[inner]) => {
                        let title = format!("replace `{quoted}` by `{}`", spelling(inner));
                        finding.fix(title, place, spelling(inner)).unsure()
                    }
                    None if self.fits(index..index + 1, &[]) => {
                        finding.fix(format!("remove `{quoted}`"), place, "").unsure()
                    }
                    _ => finding,
                }
            }
            Some(_) => self.with_closed(index, last, finding),
        }
    }

    /// The finding that a macro does not close a bracket, if the text can be read at the token at `index` once all macros close theirs; what stands behind
    /// the call may have closed it. Linear.
    pub(crate) fn left_open(&self, index: usize) -> Option<(Origin, Diagnostic)> {
        let kind = |at: usize| self.kind(at);
        let mut left = left_by_macros(self.tokens, self.steps);
        // Macros that are a bracket and nothing else are meant to be.
        let is_all = |open: usize| {
            let of = self.macro_around(self.origin(open).span);
            of.is_none_or(|found| found.body.1.saturating_sub(found.body.0) <= 1)
        };
        left.retain(|left| !is_all(left.open));
        left.truncate(MAX_LEFT);
        let first = left.first()?.open;
        let tokens = self.with_left_closed(&left);
        let before = left.iter().filter(|left| left.end <= index).count();
        let closed = Text { tokens: &tokens, ..*self };
        if closed.attempt(&mut Arena::default()).is_err_and(|(at, _)| at <= index + before) {
            return None;
        }
        let origin = self.origin(first);
        let own = left.iter().rev().filter(|left| self.origin(left.open).expansion == origin.expansion);
        let text: String = own.filter_map(|left| kind(left.open)).map(|open| spelling(closing(open))).collect();
        let all = self.macro_around(origin.span)?.all;
        let message = format!("`{}` is not closed in this macro", self.text(first));
        let finding = Diagnostic::error(codes::SYNTAX, origin.span, message).help(format!("expected `{text}`"));
        Some((origin, finding.fix(format!("add `{text}`"), Span { start: all.end, ..all }, text).unsure()))
    }

    /// The text with brackets closed where the macros end that left them open; of those that end at one place, the inner ones first.
    fn with_left_closed(&self, left: &[Left]) -> Vec<Expanded> {
        let mut order = left.to_vec();
        order.sort_by_key(|left| (left.end, std::cmp::Reverse(left.open)));
        let mut tokens = Vec::with_capacity(self.tokens.len() + left.len());
        let mut copied = 0;
        for Left { open, end } in order {
            tokens.extend_from_slice(self.tokens.get(copied..end).unwrap_or_default());
            copied = end;
            // It comes from where what it stands before comes from.
            let model = self.tokens.get(end).or(self.tokens.last());
            let kind = self.tokens.get(open).and_then(|token| token.kind).map(closing);
            tokens.extend(model.map(|model| Expanded { kind, ..*model }));
        }
        tokens.extend_from_slice(self.tokens.get(copied..).unwrap_or_default());
        tokens
    }

    /// The macro in whose definition a place is. Macros are in the order of the text.
    fn macro_around(&self, place: Span) -> Option<&Macro> {
        let behind = self.macros.partition_point(|found| found.all.start <= place.start);
        let last = behind.checked_sub(1).and_then(|last| self.macros.get(last))?;
        (place.end <= last.all.end).then_some(last)
    }

    /// Adds a fix that closes what is open in front of the token at `index`, within the macro that opens it. Linear.
    pub(crate) fn with_end_of_macro(&self, index: usize, finding: Diagnostic) -> Diagnostic {
        let kinds: Vec<Kind> = self.tokens.iter().filter_map(|token| token.kind).collect();
        self.with_end(index, &kinds, &opened(&kinds, index), finding)
    }

    /// Adds a fix that closes what is open at the end: within a macro if that opens it.
    fn with_end(&self, index: usize, kinds: &[Kind], open: &[usize], finding: Diagnostic) -> Diagnostic {
        let Some(&inner) = open.last() else { return finding };
        let origin = self.origin(inner);
        let same = open.iter().rev().take_while(|&&open| self.origin(open).expansion == origin.expansion);
        let missing: Vec<Kind> = same.filter_map(|&open| kinds.get(open)).map(|&open| closing(open)).collect();
        let text: String = missing.iter().map(|&kind| spelling(kind)).collect();
        let end = match origin.expansion {
            None => index.checked_sub(1).map(|last| self.written(last)),
            Some(_) => self.macro_around(origin.span).map(|found| found.all),
        };
        match end {
            Some(end) if origin.expansion.is_some() || self.fits(index..index, &missing) => {
                finding.fix(format!("add `{text}`"), Span { start: end.end, ..end }, text).unsure()
            }
            _ => finding,
        }
    }

    /// The finding that the bracket `open` is not closed where the token at `index` does not fit, with a fix that closes it, if the token fits then.
    fn with_closed(&self, index: usize, open: Option<usize>, finding: Diagnostic) -> Diagnostic {
        let Some(open) = open else { return finding };
        let Some(kind) = self.tokens.get(open).and_then(|token| token.kind) else { return finding };
        // A check ends before a switch, which cannot be in it.
        let is_switch = |at: &usize| {
            let kind = self.tokens.get(*at).and_then(|token| token.kind);
            matches!(kind, Some(Kind::Arrow | Kind::ArrowKeeper))
        };
        let is_check = matches!(kind, Kind::CheckOpen | Kind::NotOpen);
        let switch = (open + 2..index).find(is_switch).filter(|_| is_check);
        let place = switch.filter(|&at| self.fits(at..at, &[closing(kind)])).unwrap_or(index);
        let fixed = self.with_inserted(place, closing(kind), finding);
        let fixed = if place == index { fixed } else { fixed.unsure() };
        if fixed.fixes.is_empty() {
            return fixed;
        }
        let (opening, misfit) = (self.origin(open), self.origin(index));
        // What follows in another text than the bracket is told where it is.
        if opening.expansion != misfit.expansion {
            return fixed;
        }
        let message = format!("unclosed `{}`", self.text(open));
        let moved =
            Diagnostic::error(codes::SYNTAX, opening.span, message).also(misfit.span, "this does not fit in it");
        Diagnostic {
            help: Some(format!("expected `{}` before this", spelling(closing(kind)))),
            fixes: fixed.fixes,
            ..moved
        }
    }

    /// Adds a fix that puts a bracket in front of a token, if that fits then.
    fn with_inserted(&self, index: usize, bracket: Kind, finding: Diagnostic) -> Diagnostic {
        let Some(before) = index.checked_sub(1) else { return finding };
        let (left, right) = (self.origin(before), self.origin(index));
        // A comma may be missing between names, and a macro that ends there may be right by itself.
        let is_name = self.tokens.get(index).is_some_and(|token| token.kind == Some(Kind::Ident));
        let (left, applies) = match left.expansion == right.expansion {
            true if !is_name => (left.span, Applies::Always),
            true => (left.span, Applies::Maybe),
            false => (self.written(before), Applies::Maybe),
        };
        if !self.fits(index..index, &[bracket]) {
            return finding;
        }
        let mut fixed =
            finding.fix(format!("add `{}`", spelling(bracket)), Span { start: left.end, ..left }, spelling(bracket));
        fixed.fixes.iter_mut().for_each(|fix| fix.applies = applies);
        fixed
    }

    /// Where a token is written in the section itself: it, or the call of the macro that it comes from.
    fn written(&self, index: usize) -> Span {
        let origin = self.origin(index);
        let step = |step: u32| self.steps.steps.get(step as usize);
        let chain = std::iter::successors(origin.expansion.and_then(step), |inner| inner.outer.and_then(step));
        chain.last().map_or(origin.span, |outer| Span {
            source: origin.span.source,
            start: outer.start,
            end: outer.end,
        })
    }

    /// Whether the text fits one token further with others in the place of some.
    fn fits(&self, range: Range<usize>, with: &[Kind]) -> bool {
        let mut tokens = self.tokens.to_vec();
        let next = range.start + with.len();
        replace(&mut tokens, range, with);
        let changed = Text { tokens: &tokens, ..*self };
        changed.attempt(&mut Arena::default()).map_or_else(|(at, _)| at > next, |_| true)
    }
}

/// How a closing bracket is written.
pub(crate) fn spelling(bracket: Kind) -> &'static str {
    match bracket {
        Kind::ParenClose => ")",
        Kind::BracketClose => "]",
        _ => "}",
    }
}
