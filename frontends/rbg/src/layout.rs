//! Tokens as a text for people: spaces as they are written by hand, and lines that show the structure.

use crate::directives::Section;
use crate::lexer::Kind;
use crate::macros::Expanded;
use crate::report::Steps;
use rg_ir::Symbols;

/// Column after which a line is not continued.
const WIDTH: usize = 100;

/// Deeper lines are not indented further.
const MAX_INDENT: usize = 40;

/// Tokens in lines, broken only where a line is full. Linear.
pub(crate) fn spaced(tokens: &[Expanded], names: &Symbols) -> String {
    let mut writer = Writer::default();
    for token in tokens {
        writer.token(token, names, false);
    }
    writer.out
}

/// The body of a section in lines: rows of a board, and in the rules a line for each alternative of a long sum, for each switch, and for what
/// each call in the section stands for. Linear.
pub(crate) fn section(section: Section, tokens: &[Expanded], names: &Symbols, steps: &Steps) -> String {
    let mut writer = Writer { keeps_calls_together: section != Section::Rules, ..Writer::default() };
    match section {
        Section::Board => writer.rows(tokens, names),
        Section::Rules => writer.rules(tokens, names, &steps.outermost()),
        Section::Players | Section::Pieces | Section::Variables => {
            tokens.iter().for_each(|token| writer.token(token, names, false));
        }
    }
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
    column: usize,
    indent: usize,
    before: Option<Kind>,
    /// Whether `(` follows a name without a space.
    keeps_calls_together: bool,
}

impl Writer {
    fn token(&mut self, token: &Expanded, names: &Symbols, breaks: bool) {
        let Some(kind) = token.kind else { return };
        let word = names.name(token.sym);
        let is_call = self.keeps_calls_together && kind == Kind::ParenOpen;
        let apart = self.before.is_some_and(|before| is_apart(before, kind) && !is_call);
        if breaks || apart && self.column >= WIDTH {
            let indent = self.indent.min(MAX_INDENT);
            self.out.push('\n');
            self.out.push_str(&" ".repeat(indent));
            self.column = indent;
        } else if apart {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column += word.len();
        self.before = Some(kind);
    }

    /// A board: a line for each row or vertex.
    fn rows(&mut self, tokens: &[Expanded], names: &Symbols) {
        self.indent = 4;
        let mut depth = 0_usize;
        for (at, token) in tokens.iter().enumerate() {
            let next = tokens.get(at + 1).and_then(|next| next.kind);
            let begins_row = match token.kind {
                Some(Kind::BracketOpen) => matches!(self.before, Some(Kind::Comma | Kind::BracketClose)),
                Some(Kind::Ident) => depth == 0 && next == Some(Kind::BracketOpen),
                _ => false,
            };
            self.token(token, names, begins_row);
            match token.kind {
                Some(kind) if kind.opens() => depth += 1,
                Some(kind) if kind.closes() => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Rules: a line for each switch, and in groups that do not fit on a line for each alternative and for what each call stands for.
    fn rules(&mut self, tokens: &[Expanded], names: &Symbols, outermost: &[u32]) {
        let call = |token: &Expanded| token.expansion.and_then(|step| outermost.get(step as usize)).copied();
        let mut last_call = None;
        let long = long_groups(tokens, names);
        let mut groups: Vec<bool> = Vec::new();
        self.indent = 4;
        for (token, &is_long) in tokens.iter().zip(&long) {
            let Some(kind) = token.kind else { continue };
            let in_long = groups.last().is_none_or(|&long| long);
            if kind.closes() && groups.pop() == Some(true) {
                self.indent = self.indent.saturating_sub(2);
            }
            let breaks = match kind {
                Kind::Arrow | Kind::ArrowKeeper | Kind::Plus => in_long,
                kind if !kind.closes() && call(token) != last_call => in_long && self.before.is_some(),
                kind if kind.opens() => is_long && in_long,
                _ => false,
            };
            self.token(token, names, breaks);
            last_call = call(token);
            if kind.opens() {
                groups.push(is_long);
                self.indent += 2 * usize::from(is_long);
            }
        }
    }
}

/// For each token that opens a group, whether the group is too long for a line.
fn long_groups(tokens: &[Expanded], names: &Symbols) -> Vec<bool> {
    let mut long = vec![false; tokens.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut width = 0;
    for (at, token) in tokens.iter().enumerate() {
        width += names.name(token.sym).len() + 1;
        match token.kind {
            Some(kind) if kind.opens() => open.push((at, width)),
            Some(kind) if kind.closes() => {
                if let Some((first, before)) = open.pop()
                    && let Some(long) = long.get_mut(first)
                {
                    *long = width - before > WIDTH;
                }
            }
            _ => {}
        }
    }
    long
}

/// Whether a space stands between two tokens.
fn is_apart(before: Kind, kind: Kind) -> bool {
    let opens =
        before.opens() && !matches!(before, Kind::CompareOpen | Kind::AssignOpen | Kind::CheckOpen | Kind::NotOpen);
    let joined = opens || matches!(before, Kind::Arrow | Kind::Caret | Kind::Tilde | Kind::Colon);
    let ends = kind.closes()
        || matches!(kind, Kind::Comma | Kind::Semicolon | Kind::Star | Kind::Caret | Kind::Tilde | Kind::Colon);
    !joined && !ends
}
