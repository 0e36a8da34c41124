//! Fixes of ranges that stand where the language has none: as elements of a domain, as arguments of a constructor, and behind `in`.

use crate::lexer::{Kind, Token};
use crate::syntax::{Builder, Part};
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Span};

/// Numbers that are listed in place of a range, at most.
const MAX_LISTED: u64 = 32;

/// Names of variables that stand for ranges.
const VARIABLES: [&str; 8] = ["X", "Y", "Z", "I", "J", "K", "A", "B"];

impl Builder<'_> {
    /// Adds a fix to the finding that the token `at` does not fit, if that is one of a range: it says the same in the way of the language, which may not be
    /// the way that is meant. Linear in the declaration.
    pub(crate) fn with_range(&self, finding: Diagnostic, at: usize, part: Part) -> Diagnostic {
        let mut starts = at.saturating_sub(2).max(part.first)..=at;
        let Some(start) = starts.find(|&start| self.is_range(start, part)).filter(|_| finding.fixes.is_empty()) else {
            return finding;
        };
        let is_domain = self.kind(part.first) == Some(Kind::Domain);
        let before = start.checked_sub(1).and_then(|before| self.kind(before));
        let open = self.open(part, start).last().copied();
        let fix = match (is_domain, open, before) {
            (true, None, Some(Kind::Equal | Kind::Bar)) => self.listed(start, " | ", ["", ""]),
            (true, Some(open), _) if open.kind == Kind::ParenOpen => self.where_range(open, part),
            (false, _, Some(Kind::In)) => self.listed(start, ", ", ["{ ", " }"]),
            _ => None,
        };
        let mut finding = finding;
        if finding.help.is_none() && fix.is_some() && !is_domain {
            finding.help = Some("values are listed in braces, as `{ 0, 1, 2 }`".to_owned());
        }
        finding.fixes.extend(fix);
        finding
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Whether a range begins at a token.
    fn is_range(&self, start: usize, part: Part) -> bool {
        let kinds = [start, start + 1, start + 2].map(|at| self.kind(at));
        start + 2 < part.end && kinds == [Some(Kind::Number), Some(Kind::DotDot), Some(Kind::Number)]
    }

    /// The place of the range that begins at a token.
    fn place_of_range(&self, start: usize) -> Option<Span> {
        Some(self.tokens.get(start)?.span(self.source).to(self.tokens.get(start + 2)?.span(self.source)))
    }

    /// All numbers of a range in its place, if they are not too many.
    fn listed(&self, start: usize, separator: &str, [open, close]: [&str; 2]) -> Option<Fix> {
        let number = |at: usize| self.tokens.get(at)?.text(self.text).parse::<u64>().ok();
        let (first, last) = (number(start)?, number(start + 2)?);
        if last.checked_sub(first)? >= MAX_LISTED {
            return None;
        }
        let numbers: Vec<String> = (first..=last).map(|number| number.to_string()).collect();
        let text = format!("{open}{}{close}", numbers.join(separator));
        let edits = vec![Edit { span: self.place_of_range(start)?, instead_of: None, text }];
        Some(Fix { title: "list the numbers".to_owned(), edits, applies: Applies::Maybe })
    }

    /// Variables in place of all ranges among the arguments of a constructor, with what they stand for behind it.
    fn where_range(&self, open: Token, part: Part) -> Option<Fix> {
        let open = self.tokens.iter().position(|token| token.start == open.start)?;
        let close = (open..part.end).find(|&at| self.kind(at) == Some(Kind::ParenClose))?;
        let own = self.tokens.get(part.first..part.end)?;
        let is_free = |name: &&str| own.iter().all(|token| token.text(self.text) != *name);
        let mut free = VARIABLES.into_iter().filter(is_free);
        let (mut edits, mut ranges) = (Vec::new(), Vec::new());
        for start in (open..close).filter(|&start| self.is_range(start, part)) {
            let (place, name) = (self.place_of_range(start)?, free.next()?);
            ranges.push(format!("{name} in {}", self.text.get(place.range())?));
            edits.push(Edit { span: place, instead_of: None, text: name.to_owned() });
        }
        let ranges = ranges.join(", ");
        let (behind, text) = match self.kind(close + 1).filter(|_| close + 1 < part.end) {
            Some(Kind::Where) => (close + 1, format!(" {ranges},")),
            _ => (close, format!(" where {ranges}")),
        };
        let behind = self.tokens.get(behind)?.span(self.source);
        edits.push(Edit { span: Span { start: behind.end, ..behind }, instead_of: None, text });
        let title = "name what the ranges are of".to_owned();
        Some(Fix { title, edits, applies: Applies::Maybe })
    }
}
