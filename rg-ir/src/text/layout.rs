//! What the formatter knows of a declaration before it writes it: spaces, widths, groups in braces.

use super::lexer::{Known, Lexeme, Token};

/// A lexeme of a declaration with everything that decides about white space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell<'t> {
    pub(super) lexeme: Lexeme<'t>,
    /// Number of columns.
    pub(super) width: usize,
    /// Whether a space stands before it if it does not start a line.
    pub(super) space: bool,
    /// The column behind it if the whole declaration stood on one line.
    pub(super) end: usize,
    /// For an opening brace: the cell of the closing one.
    pub(super) close: Option<usize>,
    /// Inside braces: the comma or brace that ends the item this belongs to.
    pub(super) item_end: Option<usize>,
    /// The next cell, this one included, that could end a line.
    stop: usize,
    /// Number of cells up to and including this one that have to be followed by the end of a line.
    hard: usize,
}

impl Cell<'_> {
    /// The column of its first character if the whole declaration stood on one line.
    pub(super) fn start(&self) -> usize {
        self.end.saturating_sub(self.width)
    }

    /// The column behind it, or, for a closing brace, behind the item before it.
    pub(super) fn end_of_item(&self) -> usize {
        match self.lexeme.token {
            Token::CloseBrace => self.start().saturating_sub(1),
            _ => self.end,
        }
    }
}

/// The cells of a declaration. Linear.
pub(super) fn measure<'t>(lexemes: &[Lexeme<'t>]) -> Vec<Cell<'t>> {
    let mut cells = Vec::with_capacity(lexemes.len());
    let mut spacing = Spacing::default();
    let (mut end, mut hard) = (0, 0);
    for (i, &lexeme) in lexemes.iter().enumerate() {
        let space = spacing.before(lexeme.token);
        let width = lexeme.token.text().chars().count();
        end += width + usize::from(space && i > 0);
        let next = lexemes.get(i + 1);
        let opened = lexeme.token == Token::OpenBrace
            && next.is_some_and(|next| next.newlines > 0 && next.token != Token::CloseBrace);
        hard += usize::from(opened || matches!(lexeme.token, Token::Comment(_)));
        cells.push(Cell { lexeme, width, space, end, close: None, item_end: None, stop: i, hard });
    }
    connect(&mut cells);
    cells
}

/// Finds the ends of groups and items, from the back.
fn connect(cells: &mut [Cell]) {
    // Per open group: its closing brace, and the separator met last.
    let mut groups: Vec<(usize, usize)> = Vec::new();
    let mut brackets = 0usize;
    let mut stop = cells.len().saturating_sub(1);
    for (i, cell) in cells.iter_mut().enumerate().rev() {
        match cell.lexeme.token {
            Token::CloseBracket | Token::CloseParen => brackets += 1,
            Token::OpenBracket | Token::OpenParen => brackets = brackets.saturating_sub(1),
            Token::CloseBrace => groups.push((i, i)),
            Token::OpenBrace => cell.close = groups.pop().map(|(close, _)| close),
            Token::Comma if brackets == 0 => {
                if let Some((_, separator)) = groups.last_mut() {
                    *separator = i;
                }
            }
            _ => {}
        }
        cell.item_end = groups.last().map(|&(_, separator)| separator);
        if matches!(cell.lexeme.token, Token::Comma | Token::Semicolon | Token::OpenBrace | Token::CloseBrace) {
            stop = i;
        }
        cell.stop = stop;
    }
}

/// Whether some cell of `from..=to` has to be followed by the end of a line.
pub(super) fn is_hard(cells: &[Cell], from: usize, to: usize) -> bool {
    let count = |i: usize| cells.get(i).map_or(0, |cell| cell.hard);
    let before = from.checked_sub(1).map_or(0, count);
    count(to) > before
}

/// The column behind what has to stay on the line of cell `i`, if all stood on one line. The brace that closes a group
/// around it does not: that one goes on a line of its own.
pub(super) fn line_end(cells: &[Cell], i: usize) -> usize {
    let stop = cells.get(i).map_or(i, |cell| cell.stop);
    cells.get(stop).map_or(0, Cell::end_of_item)
}

/// Decides about spaces from token to token.
#[derive(Default)]
struct Spacing<'t> {
    /// The last token and the one before it, without comments.
    last: Option<Token<'t>>,
    earlier: Option<Token<'t>>,
    /// The declaration is a known pragma.
    pragma: bool,
    /// In a `@simpleApply`, the tag list is still to come.
    list: bool,
    /// Open braces, brackets and parentheses.
    depth: usize,
}

impl<'t> Spacing<'t> {
    /// Whether a space stands before `token`, the next one.
    fn before(&mut self, token: Token<'t>) -> bool {
        if matches!(token, Token::Comment(_)) {
            return true;
        }
        let Some(last) = self.last else {
            self.pragma = matches!(token, Token::Known(_));
            self.list = matches!(token, Token::Known(Known::SimpleApply | Known::SimpleApplyExhaustive));
            self.last = Some(token);
            return false;
        };
        let default_entry = matches!(self.earlier, Some(Token::OpenBrace | Token::Comma));
        let space = match (last, token) {
            (Token::OpenBrace, Token::CloseBrace) | (Token::OpenParen | Token::OpenBracket, _) => false,
            (_, Token::Comma | Token::CloseParen | Token::CloseBracket | Token::OpenParen) => false,
            (_, Token::OpenBracket) => std::mem::take(&mut self.list),
            (Token::Colon, Token::Semicolon) => !self.pragma,
            (_, Token::Semicolon) => false,
            (Token::Colon, _) => !default_entry,
            (Token::OpenBrace | Token::Comma, Token::Colon) => true,
            (_, Token::Colon) => self.pragma && self.depth == 0,
            _ => true,
        };
        match token {
            Token::OpenBrace | Token::OpenBracket | Token::OpenParen => self.depth += 1,
            Token::CloseBrace | Token::CloseBracket | Token::CloseParen => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.earlier = self.last.replace(token);
        space
    }
}
