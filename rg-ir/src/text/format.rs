//! The source formatter: white space is made regular; comments, order and grouping stay as they are.

use super::layout::{self, Cell};
use super::lexer::{Known, Lexeme, Lexer, Token};
use super::parse;
use super::report::Report;
use crate::diag::Diagnostic;
use crate::source::SourceId;

/// Lines are broken to stay within this many columns, where they can be broken.
const MAX_WIDTH: usize = 100;
/// Columns per level of broken braces.
const INDENT: usize = 4;
/// Levels that are indented; deeper ones are not indented further, so that the output stays linear.
const MAX_LEVEL: usize = 16;

/// Formats a text, or says what is wrong with its syntax (names are not looked at).
///
/// Every declaration starts a line; comments stay where they are, and at most one blank line is kept between things.
/// Set types and map literals stand on one line if they fit into 100 columns and do not already have a line end after
/// their `{`; otherwise they are indented by 4, keep the rows they were written in, and rows that are too long are
/// filled. The result means the same game, and formatting it again changes nothing. Linear.
pub fn format(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut report = Report::default();
    parse::declarations(source, text, &mut report);
    if !report.is_empty() {
        return Err(report.finish());
    }
    let mut writer = Writer::default();
    let mut declaration = Vec::new();
    for lexeme in Lexer::new(text) {
        match lexeme.token {
            Token::Comment(comment) if declaration.is_empty() => writer.comment(lexeme, comment),
            Token::Pragma(text) => match Known::split(text) {
                Some((known, body)) => {
                    declaration.push(Lexeme { token: Token::Known(known), ..lexeme });
                    declaration.extend(Lexer::part(body, lexeme.end - body.len()));
                }
                None => declaration.push(lexeme),
            },
            _ => declaration.push(lexeme),
        }
        if lexeme.token == Token::Semicolon {
            writer.declaration(&declaration);
            declaration.clear();
        }
    }
    Ok(writer.finish())
}

/// The output so far.
#[derive(Default)]
struct Writer {
    out: String,
    /// Column in the last line.
    column: usize,
}

/// What is remembered from cell to cell.
struct State {
    /// For every open brace whether its group is broken.
    groups: Vec<bool>,
    /// Number of broken groups that are open.
    level: usize,
    /// The last token that is not a comment.
    last: Token<'static>,
    /// A comment was just written: nothing may follow on its line.
    after_comment: bool,
    /// The last group that was closed was broken, in the item that is being written.
    after_broken: bool,
}

impl Writer {
    /// Ends the file with a line end, unless it is empty.
    fn finish(mut self) -> String {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    fn text(&mut self, text: &str, width: usize) {
        self.out.push_str(text);
        self.column += width;
    }

    fn space(&mut self) {
        self.text(" ", 1);
    }

    fn newline(&mut self, blank: bool, level: usize) {
        let indent = level.min(MAX_LEVEL) * INDENT;
        self.out.push_str(if blank { "\n\n" } else { "\n" });
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// A line for something that is not inside of a declaration.
    fn start(&mut self, newlines: u8) {
        if !self.out.is_empty() {
            self.newline(newlines > 1, 0);
        }
    }

    /// A comment between declarations.
    fn comment(&mut self, lexeme: Lexeme, comment: &str) {
        if lexeme.newlines == 0 && !self.out.is_empty() {
            self.space();
        } else {
            self.start(lexeme.newlines);
        }
        self.text(comment, 0);
    }

    fn declaration(&mut self, lexemes: &[Lexeme]) {
        let cells = layout::measure(lexemes);
        let mut state =
            State { groups: Vec::new(), level: 0, last: Token::Semicolon, after_comment: false, after_broken: false };
        for (i, cell) in cells.iter().enumerate() {
            if i == 0 {
                self.start(cell.lexeme.newlines);
            } else {
                self.white_space(&cells, i, cell, &mut state);
            }
            self.text(&cell.lexeme.token.text(), cell.width);
            self.note(&cells, i, cell, &mut state);
        }
    }

    /// Writes what stands between the previous cell and this one.
    fn white_space(&mut self, cells: &[Cell], i: usize, cell: &Cell, state: &mut State) {
        let newlines = cell.lexeme.newlines;
        let comment = matches!(cell.lexeme.token, Token::Comment(_));
        let in_broken = state.groups.last() == Some(&true);
        if in_broken && cell.lexeme.token == Token::CloseBrace {
            return self.newline(false, state.level.saturating_sub(1));
        }
        // Outside of braces, what follows a comment is indented once.
        let level = state.level.max(usize::from(state.groups.is_empty()));
        let opened = state.last == Token::OpenBrace;
        let item = in_broken && !comment && (opened || state.last == Token::Comma);
        let blank = newlines > 1 && in_broken && (item || comment) && (state.after_comment || !opened);
        if state.after_comment || (comment && newlines > 0) {
            self.newline(blank, level);
        } else if item && (opened || newlines > 0) {
            self.newline(blank && !opened, level);
        } else if item && (state.after_broken || !self.item_fits(cells, i, cell)) {
            self.newline(false, level);
        } else if cell.space {
            self.space();
        }
        if item {
            state.after_broken = false;
        }
    }

    /// Whether the item that starts with this cell can go on the line.
    fn item_fits(&self, cells: &[Cell], i: usize, cell: &Cell) -> bool {
        let end = cell.item_end.unwrap_or(i);
        let Some(last) = cells.get(end) else { return true };
        let width = last.end_of_item().saturating_sub(cell.start());
        !layout::is_hard(cells, i, end) && self.column + 1 + width <= MAX_WIDTH
    }

    /// Takes note of a cell that was written.
    fn note(&mut self, cells: &[Cell], i: usize, cell: &Cell, state: &mut State) {
        state.after_comment = matches!(cell.lexeme.token, Token::Comment(_));
        state.last = match cell.lexeme.token {
            Token::Comment(_) => return,
            Token::OpenBrace => {
                let close = cell.close.unwrap_or(i);
                let width = layout::line_end(cells, close + 1).saturating_sub(cell.start());
                let wide = self.column - cell.width + width > MAX_WIDTH;
                let broken = close > i + 1 && (wide || layout::is_hard(cells, i, close));
                state.groups.push(broken);
                state.level += usize::from(broken);
                Token::OpenBrace
            }
            Token::CloseBrace => {
                let broken = state.groups.pop() == Some(true);
                state.level -= usize::from(broken);
                state.after_broken = broken;
                Token::CloseBrace
            }
            Token::Comma => Token::Comma,
            _ => Token::Star,
        };
    }
}
