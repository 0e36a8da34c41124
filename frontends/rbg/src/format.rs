//! The source formatter: tidies white space, and touches nothing else.
//!
//! It works on high-level and low-level files alike, keeps comments, directives, macros and the author's lines, and only
//! ever changes the space between tokens; so the formatted text expands to exactly the same.

mod lines;

use rg_ir::{Diagnostic, Report, SourceId, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::directives;
use crate::lexer::{self, Kind, Token};

/// Width of a tab in indentation.
const TAB: usize = 4;

/// Formats a description.
///
/// - Directives begin at the left margin, `#name(a; b) = …`; at most one blank line stands between lines.
/// - Lines with which a directive goes on are indented: where they stand at the left margin, by four columns for each open bracket, or all alike if others
///   of the directive are indented already. A bracket that ends a directive may stand there.
/// - Within a line: single spaces around `+`, `=` and comparisons, none around `~` and `^`, one after `;` and `,` and none
///   before, none inside of `(…)`, `[…]` and `{…}` on one line. Wider gaps are alignment and stay, as does everything not mentioned.
/// - Tabs become spaces, trailing space goes, the text ends with one line feed.
///
/// Formatting twice is formatting once. Fails, with all errors, if the text cannot be cut into tokens and directives;
/// later errors (unknown names, say) do not matter. Linear.
pub fn format(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut names = Symbols::default();
    let mut report = Report::default();
    let lexed = lexer::lex(source, text, lexer::MAX_TOKENS, &mut names, &mut report);
    directives::cut(source, &lexed.tokens, &names, &mut report);
    if report.failed() {
        let mut errors = report.finish();
        errors.retain(Diagnostic::is_error);
        return Err(errors);
    }
    let mut out = String::with_capacity(text.len());
    let mut before: Option<Item> = None;
    let layout = Layout { text, tall: tall(&lexed.tokens, text), columns: lines::columns(&lexed, text) };
    // Columns by which the comments at the beginning of the text move to the left.
    let mut moved = 0;
    for item in items(&lexed.tokens, &lexed.comments) {
        let shown = text.get(item.start as usize..item.end as usize).unwrap_or_default();
        let gap = text.get(before.map_or(0, |b| b.end as usize)..item.start as usize).unwrap_or_default();
        match before {
            None => moved = indentation(gap),
            Some(before) => {
                moved = if item.kind.is_none() { moved } else { 0 };
                separate(&mut out, (before, item), (gap, moved), &layout);
            }
        }
        let mut lines = shown.trim_end().split('\n');
        out.push_str(lines.next().unwrap_or_default());
        for line in lines {
            out.push('\n');
            out.push_str(outdented(line, moved));
        }
        before = Some(item);
    }
    out.push('\n');
    Ok(out)
}

/// What is known of a text before it is written anew.
struct Layout<'t> {
    text: &'t str,
    /// The brackets that are closed on other lines, and those that close them.
    tall: FxHashSet<u32>,
    /// Where lines begin that move: their first bytes, and their new columns.
    columns: FxHashMap<u32, usize>,
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

/// The columns of the last line of a gap, up to what stands behind it.
fn indentation(gap: &str) -> usize {
    let indent = gap.rsplit('\n').next().unwrap_or_default();
    indent.chars().map(|c| if c == '\t' { TAB } else { usize::from(c == ' ') }).sum()
}

/// A line of a comment without so many columns of its indentation, or without all of it if that is less.
fn outdented(line: &str, columns: usize) -> &str {
    let mut rest = line;
    let mut left = columns;
    while let Some((width, behind)) =
        rest.strip_prefix(' ').map(|behind| (1, behind)).or_else(|| rest.strip_prefix('\t').map(|behind| (TAB, behind)))
    {
        let Some(less) = left.checked_sub(width) else { break };
        (left, rest) = (less, behind);
    }
    if columns == 0 { line } else { rest }
}

/// Writes what stands between two items, given what stood there, and by how many columns the second one moves to the left.
fn separate(out: &mut String, (before, item): (Item, Item), (gap, moved): (&str, usize), layout: &Layout<'_>) {
    let lines = gap.bytes().filter(|&b| b == b'\n').count();
    let directive = item.kind == Some(Kind::Hash);
    if lines == 0 && !directive {
        let width = gap.len();
        let wanted = if width >= 2 && before.kind != Some(Kind::Hash) {
            width
        } else {
            spaces((before, item), width, layout.text, &layout.tall)
        };
        out.extend(std::iter::repeat_n(' ', wanted));
        return;
    }
    out.extend(std::iter::repeat_n('\n', lines.clamp(1, 2)));
    if !directive {
        let kept = indentation(gap).saturating_sub(moved);
        out.extend(std::iter::repeat_n(' ', layout.columns.get(&item.start).copied().unwrap_or(kept)));
    }
}

/// The number of spaces between two items of a line that were `width` (0 or 1, unless one is `#`) apart.
fn spaces((before, item): (Item, Item), width: usize, text: &str, tall: &FxHashSet<u32>) -> usize {
    let (Some(left), Some(right)) = (before.kind, item.kind) else {
        // A comment behind something needs a space; something behind a comment keeps what it has.
        return if item.kind.is_none() { 1 } else { width };
    };
    let tight = |kind| matches!(kind, Kind::Tilde | Kind::Caret);
    let loose = |kind| {
        matches!(
            kind,
            Kind::Plus
                | Kind::Equal
                | Kind::EqualEqual
                | Kind::NotEqual
                | Kind::Less
                | Kind::LessEqual
                | Kind::Greater
                | Kind::GreaterEqual
        )
    };
    let wanted = if left == Kind::Hash || tight(left) || tight(right) {
        0
    } else if (loose(right) && ends_operand(left)) || (loose(left) && begins_operand(right)) {
        1
    } else if separates(right) && ends_operand(left) {
        0
    } else if separates(left) && begins_operand(right) {
        1
    } else if opens_list(left) && begins_operand(right) && !tall.contains(&before.start)
        || right.closes() && ends_operand(left) && !tall.contains(&item.start)
    {
        0
    } else {
        width
    };
    if wanted == 0 && width > 0 && would_merge(before, item, text) { 1 } else { wanted }
}

fn is_word(kind: Kind) -> bool {
    matches!(kind, Kind::Ident | Kind::Nat) || kind.is_keyword()
}

fn opens_list(kind: Kind) -> bool {
    matches!(kind, Kind::ParenOpen | Kind::BracketOpen | Kind::BraceOpen)
}

/// Where brackets begin that are closed on another line, and those that close them: space inside of these aligns alternatives. Linear.
fn tall(tokens: &[Token], text: &str) -> FxHashSet<u32> {
    let (mut open, mut tall): (Vec<(u32, usize)>, _) = (Vec::new(), FxHashSet::default());
    let (mut line, mut at) = (0, 0);
    for token in tokens {
        let start = token.start as usize;
        line += text.get(at..start).unwrap_or_default().matches('\n').count();
        at = start;
        if token.kind.opens() {
            open.push((token.start, line));
        } else if token.kind.closes()
            && let Some((start, first)) = open.pop()
            && first < line
        {
            tall.extend([start, token.start]);
        }
    }
    tall
}

fn separates(kind: Kind) -> bool {
    matches!(kind, Kind::Semicolon | Kind::Comma)
}

fn ends_operand(kind: Kind) -> bool {
    is_word(kind) || kind.closes() || matches!(kind, Kind::Star | Kind::Dot | Kind::ArrowKeeper)
}

fn begins_operand(kind: Kind) -> bool {
    is_word(kind) || kind.opens() || matches!(kind, Kind::Arrow | Kind::ArrowKeeper | Kind::Dot)
}

/// Whether two tokens would become others if nothing stood between them.
fn would_merge(before: Item, item: Item, text: &str) -> bool {
    let (Some(left), Some(right)) = (before.kind, item.kind) else { return true };
    if is_word(left) || is_word(right) {
        return is_word(left) && is_word(right);
    }
    let left = text.get(before.start as usize..before.end as usize).unwrap_or_default();
    let right = text.get(item.start as usize..item.end as usize).unwrap_or_default();
    let joined = format!("{left}{right}");
    let longer = (left.len() + 1..=joined.len()).filter_map(|length| joined.get(..length));
    longer.into_iter().any(|token| Kind::of_spelling(token).is_some() || token == "//" || token == "/*")
}
