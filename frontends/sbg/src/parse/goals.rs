//! The goals of a description, and the limit of half-moves in front of them.

use super::Parser;
use crate::ast::{Goal, GoalKind, Moves, Square};
use crate::codes;
use crate::lexer::{Kind, Token};
use crate::syntax::{Builder, Parsed, RawSquare};
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Span};

use super::MAX_LIMIT;

/// A limit to begin with.
const USUAL_LIMIT: u32 = 200;

/// The entry with the limit: its number, and what stands behind that.
type Limit<'a> = (&'a Token, &'a [Token]);

impl Parser<'_> {
    /// Reads the limit, its place, and the goals.
    pub(super) fn goals(&mut self, tag: Token, tokens: &[Token], moves: &mut Moves) -> Option<(u32, Span, Vec<Goal>)> {
        let entries = self.entries(tokens, |_, token| matches!(token.kind, Kind::Hash | Kind::At));
        let mut goals = Vec::new();
        let (mut limit, mut wrong_limit, mut late) = (None, None, None);
        for (number, entry) in entries.iter().enumerate() {
            let Some((first, rest)) = entry.split_first().filter(|_| !self.report.full()) else { continue };
            match first.kind {
                Kind::Nat if number == 0 => limit = Some((first, rest)),
                Kind::Upper | Kind::Lower if number == 0 => wrong_limit = Some(*entry),
                Kind::Hash | Kind::At => goals.extend(self.goal(entry, moves)),
                // The limit may stand behind the goals.
                Kind::Nat if limit.is_none() && wrong_limit.is_none() && late.is_none() && rest.is_empty() => {
                    late = Some(first);
                }
                _ => self.no_goal(first, entry, tokens),
            }
        }
        if let Some(entry) = wrong_limit {
            self.wrong_limit(entry);
            return None;
        }
        match (limit, late) {
            (Some(limit), _) => {
                let (value, span) = self.limit(limit)?;
                Some((value, span, goals))
            }
            (None, late) => {
                self.missing_limit(tag, tokens, late);
                None
            }
        }
    }

    /// The limit and its place, if it can be used.
    fn limit(&mut self, (token, after): Limit<'_>) -> Option<(u32, Span)> {
        let span = token.span(self.source);
        if let Some(extra) = after.first() {
            let message = format!("expected `&` after the limit, found `{}`", extra.text(self.text));
            let error = Diagnostic::error(codes::MISSING_AMPERSAND, extra.span(self.source), message);
            let all = after.iter().fold(extra.span(self.source), |all, token| all.to(token.span(self.source)));
            let found = self.text.get(all.range()).unwrap_or_default();
            let removed = Span { start: token.end, ..all };
            self.report.push(error.fix(format!("remove `{found}`"), removed, "").unsure());
        }
        if token.value > 0 && token.value <= MAX_LIMIT {
            return Some((token.value, span));
        }
        let found = token.text(self.text);
        let message = format!("expected a limit from 1 to {MAX_LIMIT}, found {found}");
        let meant = if token.value == 0 { USUAL_LIMIT } else { MAX_LIMIT };
        let error = Diagnostic::error(codes::BAD_LIMIT, span, message);
        self.report.push(error.fix(format!("replace `{found}` by `{meant}`"), span, meant.to_string()).unsure());
        None
    }

    /// Reports that no limit stands in front of the goals; `late` is a number further down that may be it.
    fn missing_limit(&mut self, tag: Token, tokens: &[Token], late: Option<&Token>) {
        let first = tokens.first().unwrap_or(&tag).span(self.source);
        let help = "begin the goals with a number, such as `200 &`";
        if let Some(late) = late {
            let message =
                format!("the limit of half-moves stands before the goals, not behind them: `{} &`", late.value);
            let place = late.span(self.source);
            let mut error = Diagnostic::error(codes::BAD_LIMIT, place, message).help(help);
            let is_blank = |from: u32, to: u32| {
                self.text.get(from as usize..to as usize).is_some_and(|text| text.trim().is_empty())
            };
            let after = tokens.iter().find(|token| token.start >= late.end);
            let closed = after.filter(|token| token.kind == Kind::Ampersand && is_blank(late.end, token.start));
            let old = closed.map_or(place, |closed| place.to(closed.span(self.source)));
            // The line goes with it if nothing else is on it; what follows may not become a part of a comment before.
            let rest = self.text.get(old.end as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default();
            let before = self.text.get(..old.start as usize).unwrap_or_default();
            let kept = if rest.trim().is_empty() { before.trim_end() } else { before.trim_end_matches([' ', '\t']) };
            let gap = before.len() - kept.len();
            let old = Span { start: old.start - u32::try_from(gap).unwrap_or(0), ..old };
            let added = Edit {
                span: Span { end: first.start, ..first },
                instead_of: None,
                text: format!("{} &\n", late.text(self.text)),
            };
            let removed = Edit { span: old, instead_of: None, text: String::new() };
            let title = "move the limit before the goals".to_owned();
            error.fixes.push(Fix { title, edits: vec![added, removed], applies: Applies::Always });
            return self.report.push(error);
        }
        let error = Diagnostic::error(codes::BAD_LIMIT, first, "the limit of half-moves is missing").help(help);
        let title = format!("add `{USUAL_LIMIT} &`");
        self.report.push(match tokens.first() {
            Some(_) => error.fix(title, Span { end: first.start, ..first }, format!("{USUAL_LIMIT} &\n")).unsure(),
            None => error.fix(title, self.behind(&tag), format!("\n{USUAL_LIMIT} &")).unsure(),
        });
    }

    /// Reports an entry that is no goal; `@` and `#` may be all that it lacks.
    fn no_goal(&mut self, first: &Token, entry: &[Token], all: &[Token]) {
        let message = format!("expected a goal, found `{}`", first.text(self.text));
        let span = first.span(self.source);
        let error = Diagnostic::error(codes::NO_GOAL, span, message);
        let error = error.help("goals look like `#K 0 &` and `@P 0 7, 1 7 &`");
        let numbers = entry.iter().skip(1).filter(|token| token.kind == Kind::Nat).count();
        let is_letter = matches!(first.kind, Kind::Upper | Kind::Lower);
        let others = entry.iter().skip(1).all(|token| matches!(token.kind, Kind::Nat | Kind::Comma));
        let start = Span { end: span.start, ..span };
        let closed = all.iter().any(|token| token.kind == Kind::Ampersand);
        self.report.push(match numbers {
            1 if is_letter && others && closed => error.fix("add `#`", start, "#").unsure(),
            2.. if is_letter && others && closed => error.fix("add `@`", start, "@").unsure(),
            _ => error,
        });
    }

    /// Reports a word in place of the limit.
    fn wrong_limit(&mut self, entry: &[Token]) {
        let joined = entry.windows(2).take_while(|pair| matches!(pair, [a, b] if a.is_joined_to(b))).count();
        let word = entry.iter().take(joined + 1).map(|token| token.span(self.source));
        let Some(span) = word.reduce(Span::to) else { return };
        let found = self.text.get(span.range()).unwrap_or_default();
        let error = format!("expected the limit of half-moves, a number, found `{found}`");
        let error = Diagnostic::error(codes::BAD_LIMIT, span, error).help("write it in digits, such as `200 &`");
        let title = format!("replace `{found}` by `{USUAL_LIMIT}`");
        self.report.push(error.fix(title, span, USUAL_LIMIT.to_string()).unsure());
    }

    fn goal(&mut self, entry: &[Token], moves: &mut Moves) -> Option<Goal> {
        let mut builder = Builder { source: self.source, text: self.text, tokens: entry, moves, report: self.report };
        let parsed = builder.parse(Kind::GoalMark)?;
        let span = builder.span(0).to(entry.last()?.span(self.source));
        let (letter, kind) = match parsed {
            Parsed::Count { letter, count } => (letter, GoalKind::Count(builder.value(count))),
            Parsed::Reach { letter, squares } => {
                let square = |raw: &RawSquare| {
                    let square = Square { x: builder.value(raw.x), y: builder.value(raw.y) };
                    (square, builder.span(raw.x).to(builder.span(raw.y)))
                };
                (letter, GoalKind::Reach(squares.iter().map(square).collect()))
            }
            Parsed::Rule { .. } => return None,
        };
        Some(Goal { letter: builder.letter(letter), letter_span: builder.span(letter), kind, span })
    }
}
