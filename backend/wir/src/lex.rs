//! Tokens of the text form of programs.

use std::fmt;

/// Why a text is no program, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Word(String),
    Quoted(String),
    Register(u32),
    Number(u64),
    Sign(&'static str),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Quoted(text) => write!(f, "{text:?}"),
            Token::Register(register) => write!(f, "`r{register}`"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => f.write_str("the end"),
        }
    }
}

const SIGNS: [&str; 12] = ["->", "<<", "{", "}", "(", ")", "[", "]", ",", "=", "+", "@"];

pub(super) struct Lexer<'t> {
    rest: &'t str,
    line: usize,
    column: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text, line: 1, column: 1 }
    }

    /// The next token and where it starts.
    pub(super) fn next(&mut self) -> Result<(Token, (usize, usize)), ParseError> {
        self.blanks();
        let at = (self.line, self.column);
        let Some(first) = self.rest.chars().next() else { return Ok((Token::End, at)) };
        if first == '"' {
            self.take(first.len_utf8());
            return Ok((Token::Quoted(self.quoted()?), at));
        }
        if first.is_ascii_alphanumeric() || first == '_' {
            let word = self.while_true(|c| c.is_ascii_alphanumeric() || c == '_');
            let token = if first.is_ascii_digit() { number(word).map(Token::Number) } else { Some(name(word)) };
            let message = || format!("`{word}` is no number of 64 bits");
            return token.map(|token| (token, at)).ok_or_else(|| error(at, message()));
        }
        let sign = SIGNS.into_iter().find(|sign| self.rest.starts_with(sign));
        let sign = sign.ok_or_else(|| error(at, format!("`{first}` means nothing here")))?;
        self.take(sign.len());
        Ok((Token::Sign(sign), at))
    }

    /// Skips blanks and comments.
    fn blanks(&mut self) {
        loop {
            self.while_true(char::is_whitespace);
            if !self.rest.starts_with("//") {
                return;
            }
            self.while_true(|c| c != '\n');
        }
    }

    fn while_true(&mut self, keep: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Takes a number of bytes that ends between characters.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        for c in taken.chars() {
            (self.line, self.column) = if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
        taken
    }

    /// What follows an opening quote, with the closing one.
    fn quoted(&mut self) -> Result<String, ParseError> {
        let mut text = self.while_true(|c| !matches!(c, '"' | '\\' | '\n')).to_owned();
        loop {
            let at = (self.line, self.column);
            if self.rest.starts_with('"') {
                self.take(1);
                return Ok(text);
            }
            if !self.rest.starts_with('\\') {
                return Err(error(at, "a name without closing quote".to_owned()));
            }
            self.take(1);
            let c = match self.rest.chars().next() {
                Some(c @ ('"' | '\\')) => {
                    self.take(1);
                    Some(c)
                }
                Some('u') => {
                    self.take(1);
                    self.while_true(|c| c == '{');
                    let digits = self.while_true(|c| c.is_ascii_hexdigit());
                    self.while_true(|c| c == '}');
                    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
                }
                _ => None,
            };
            text.push(c.ok_or_else(|| error(at, r#"after `\` comes `"`, `\` or `u{…}`"#.to_owned()))?);
            text.push_str(self.while_true(|c| !matches!(c, '"' | '\\' | '\n')));
        }
    }
}

pub(super) fn error((line, column): (usize, usize), message: String) -> ParseError {
    ParseError { line, column, message }
}

fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

fn name(word: &str) -> Token {
    let digits = word.strip_prefix('r').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    digits.and_then(|digits| digits.parse().ok()).map_or_else(|| Token::Word(word.to_owned()), Token::Register)
}
