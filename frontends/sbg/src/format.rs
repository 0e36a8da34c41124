//! The source formatter: tidies white space, and touches nothing else.

use crate::lexer::{self, Kind, Token};
use rg_ir::{Diagnostic, Report, SourceId};

/// Formats a description.
///
/// - Name, section tags, size of the board, rows, rules and goals stand on lines of their own; a rule or goal that goes
///   over several lines keeps them, indented by two. At most one blank line stands between lines.
/// - Within a line: spaces around `+`, before `&`, after the letter of a rule or goal, between the numbers of a square
///   and after the comma behind it; none within a step or around `^`.
/// - Comments stay. The text ends with one line feed.
///
/// Formatting twice is formatting once. Fails, with all errors, if the text cannot be cut into words; later errors do not
/// matter. Linear.
pub fn format(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut report = Report::default();
    let lexed = lexer::lex(source, text, &mut report);
    if report.failed() {
        let mut errors = report.finish_in_order();
        errors.retain(Diagnostic::is_error);
        return Err(errors);
    }
    let mut writer = Writer { out: String::with_capacity(text.len()), section: None, depth: 0, fresh: true, entry: 0 };
    let mut before: Option<Item> = None;
    for item in items(&lexed.tokens, &lexed.comments) {
        let gap = text.get(before.map_or(0, |b| b.end as usize)..item.start as usize).unwrap_or_default();
        let lines = gap.bytes().filter(|&b| b == b'\n').count();
        writer.item(before, item, lines, text);
        before = Some(item);
    }
    writer.out.push('\n');
    Ok(writer.out)
}

/// A token or (no kind) a comment.
#[derive(Clone, Copy)]
struct Item {
    kind: Option<Kind>,
    start: u32,
    end: u32,
}

/// Tokens and comments in the order of the text.
fn items(tokens: &[Token], comments: &[(u32, u32)]) -> impl Iterator<Item = Item> {
    let mut tokens = tokens.iter().map(|t| Item { kind: Some(t.kind), start: t.start, end: t.end }).peekable();
    let mut comments = comments.iter().map(|&(start, end)| Item { kind: None, start, end }).peekable();
    std::iter::from_fn(move || match (tokens.peek(), comments.peek()) {
        (Some(token), Some(comment)) if comment.start < token.start => comments.next(),
        (Some(_), _) => tokens.next(),
        (None, _) => comments.next(),
    })
}

struct Writer {
    out: String,
    /// The last section tag.
    section: Option<Kind>,
    /// Open brackets.
    depth: usize,
    /// The next token begins an entry: nothing but comments stands before it.
    fresh: bool,
    /// Tokens of the entry so far.
    entry: usize,
}

impl Writer {
    fn item(&mut self, before: Option<Item>, item: Item, lines: usize, text: &str) {
        let shown = text.get(item.start as usize..item.end as usize).unwrap_or_default();
        if let Some(before) = before {
            let line_comment = before.kind.is_none()
                && text.get(before.start as usize..).is_some_and(|comment| comment.starts_with("//"));
            if self.breaks(before, item, lines) || line_comment {
                self.out.extend(std::iter::repeat_n('\n', lines.clamp(1, 2)));
                if !self.fresh && !own_line(item) {
                    self.out.push_str("  ");
                }
            } else if self.space(before, item) {
                self.out.push(' ');
            }
        }
        self.out.push_str(shown);
        self.update(item);
    }

    fn update(&mut self, item: Item) {
        let Some(kind) = item.kind else { return };
        self.fresh = matches!(kind, Kind::Ampersand) || own_line(item);
        self.entry = if self.fresh { 0 } else { self.entry + 1 };
        match kind {
            Kind::Board | Kind::Pieces | Kind::Goals => self.section = Some(kind),
            Kind::Open => self.depth += 1,
            Kind::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.fresh {
            self.depth = 0;
        }
    }

    /// Whether `item` begins a line.
    fn breaks(&self, before: Item, item: Item, lines: usize) -> bool {
        match (before.kind, item.kind) {
            // A comment stays behind what it stands behind, and what stands behind a comment stays there.
            (_, None) | (None, _) if lines == 0 => own_line(item) && item.kind.is_some(),
            (_, None) | (None, _) => true,
            (Some(_), Some(_)) if self.fresh || own_line(item) => true,
            // The size of the board is one line.
            (Some(_), Some(_)) if self.section == Some(Kind::Board) => false,
            // A step or a square is not broken.
            (Some(left), Some(right)) => {
                let tight = matches!(right, Kind::Caret | Kind::Comma | Kind::Ampersand) || left == Kind::Caret;
                lines > 0 && !tight && !self.in_step(left, right) && self.entry > 1
            }
        }
    }

    /// Whether two neighbours belong to one step or square.
    fn in_step(&self, left: Kind, right: Kind) -> bool {
        let number = |kind| matches!(kind, Kind::Nat | Kind::Negative);
        let squares = self.section == Some(Kind::Goals) && self.depth == 0;
        (number(left) && !matches!(right, Kind::Open | Kind::Plus | Kind::Hash | Kind::At | Kind::Upper))
            || (left == Kind::Comma && !squares)
            || (left == Kind::Open && number(right))
            || matches!((left, right), (Kind::Lower, Kind::Close))
            || matches!(left, Kind::Hash | Kind::At)
    }

    /// Whether a space stands between two neighbours of a line.
    fn space(&self, before: Item, item: Item) -> bool {
        let (Some(left), Some(right)) = (before.kind, item.kind) else { return true };
        let number = |kind| matches!(kind, Kind::Nat | Kind::Negative);
        match (left, right) {
            (_, Kind::Plus | Kind::Ampersand) | (Kind::Plus, _) => true,
            (_, Kind::Comma | Kind::Caret | Kind::Close) | (Kind::Caret | Kind::Open, _) => false,
            (Kind::Comma, _) => self.depth == 0,
            (Kind::Hash | Kind::At, _) => false,
            (Kind::Upper | Kind::Lower, _) => true,
            (Kind::Close, Kind::Open) => false,
            (left, right) => number(left) && number(right) || right != Kind::Open,
        }
    }
}

/// Whether a token has a line for itself.
fn own_line(item: Item) -> bool {
    matches!(item.kind, Some(Kind::Name | Kind::Board | Kind::Pieces | Kind::Goals | Kind::Row))
}
