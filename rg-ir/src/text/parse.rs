//! From text to declarations: cuts the tokens at `;`, runs the grammar on each piece, reports what does not fit.

use super::ast::{Declaration, Name};
use super::explain::{self, Context};
use super::grammar::DeclarationParser;
use super::lexer::{Known, Lexeme, Lexer, Token};
use super::report::Report;
use crate::diag::Diagnostic;
use crate::source::{SourceId, Span};
use lalrpop_util::ParseError;

/// How deep brackets may nest.
pub(crate) const MAX_NESTING: usize = 1000;

/// What could be read of a text.
#[derive(Debug, Default)]
pub(crate) struct Parsed<'t> {
    /// The declarations that are well-formed, in order.
    pub(crate) declarations: Vec<Declaration<'t>>,
    /// The names that the other ones declare: they are not reported as unknown.
    pub(crate) broken: Vec<Broken<'t>>,
    /// The text of declarations that are not well-formed; those of edges, which declare nothing, are not among them.
    pub(crate) unread: Vec<&'t str>,
}

/// What is known of a declaration that is not well-formed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broken<'t> {
    /// The token that it begins with.
    pub(crate) first: Token<'t>,
    /// The name that it declares.
    pub(crate) name: Name<'t>,
}

/// The declarations of a text. What cannot be parsed is reported. Linear.
pub(crate) fn declarations<'t>(source: SourceId, text: &'t str, report: &mut Report) -> Parsed<'t> {
    let mut parsed = Parsed::default();
    if u32::try_from(text.len()).is_err() {
        let message = format!("the text has {} bytes, expected less than 4 GiB", text.len());
        report.add(Diagnostic::error("RG058", Span::NONE, message));
        return parsed;
    }
    let parser = DeclarationParser::new();
    let mut tokens = Tokens { source, report, text, lexer: Lexer::new(text), waiting: Vec::new() };
    while !tokens.report.is_full() && tokens.peek() {
        let mut piece = Piece::new(&mut tokens);
        let result = parser.parse(source, &mut piece);
        match result {
            Ok(declaration) if !piece.broken => parsed.declarations.push(declaration),
            Ok(_) => parsed.broken.extend(piece.declared()),
            Err(error) => {
                parsed.broken.extend(piece.declared());
                piece.recover(error);
                parsed.unread.extend(piece.unread());
            }
        }
    }
    parsed
}

/// The tokens of the text, without comments.
struct Tokens<'r, 't> {
    source: SourceId,
    report: &'r mut Report,
    text: &'t str,
    lexer: Lexer<'t>,
    /// Lexemes that were read too early, the next one last.
    waiting: Vec<Lexeme<'t>>,
}

impl<'t> Tokens<'_, 't> {
    fn next(&mut self) -> Option<Lexeme<'t>> {
        let waiting = self.waiting.pop();
        let mut newlines = 0;
        waiting.or_else(|| {
            loop {
                let mut lexeme = self.lexer.next()?;
                newlines = lexeme.newlines.max(newlines);
                lexeme.newlines = newlines;
                if !matches!(lexeme.token, Token::Comment(_)) {
                    return Some(lexeme);
                }
            }
        })
    }

    /// Goes on at byte `at`.
    fn resume(&mut self, at: usize) {
        self.waiting.clear();
        self.lexer = Lexer::part(self.text.get(at..).unwrap_or_default(), at);
    }

    /// Whether there is another token.
    fn peek(&mut self) -> bool {
        let next = self.next();
        self.waiting.extend(next);
        next.is_some()
    }
}

/// The tokens of one declaration, up to and including its `;`.
///
/// What is not a token is reported here and left out, so that the grammar only ever sees what it knows.
struct Piece<'p, 'r, 't> {
    tokens: &'p mut Tokens<'r, 't>,
    /// The tokens of a known pragma's body.
    body: Option<Lexer<'t>>,
    /// The first token and the last two.
    context: Context<'t>,
    /// Brackets that are open.
    depth: usize,
    /// No token will follow.
    done: bool,
    /// Something was reported that makes further errors in this piece doubtful.
    broken: bool,
}

impl<'p, 'r, 't> Piece<'p, 'r, 't> {
    fn new(tokens: &'p mut Tokens<'r, 't>) -> Self {
        Self { tokens, body: None, context: Context::default(), depth: 0, done: false, broken: false }
    }

    fn span(&self, lexeme: Lexeme<'t>) -> Span {
        Span::new(self.tokens.source, lexeme.start, lexeme.end)
    }

    /// What the declaration declares, as far as it was read.
    fn declared(&self) -> Option<Broken<'t>> {
        let (first, declared) = (self.context.first?, self.context.declares?);
        let Token::Name(text) = declared.token else { return None };
        Some(Broken { first: first.token, name: Name { text, span: self.span(declared) } })
    }

    /// The text of the declaration, as far as it was read, unless it is that of an edge.
    fn unread(&self) -> Option<&'t str> {
        let (first, last) = (self.context.first?, self.context.last?);
        let is_edge = matches!(first.token, Token::Name(_));
        self.tokens.text.get(first.start..last.end).filter(|_| !is_edge)
    }

    /// The next lexeme of the body of a pragma, or else of the text; `None` at the end of the declaration.
    fn lexeme(&mut self) -> Option<Lexeme<'t>> {
        if self.done {
            return None;
        }
        if let Some(lexeme) = self.body.as_mut().and_then(Iterator::next) {
            return Some(lexeme);
        }
        self.body = None;
        let lexeme = self.tokens.next()?;
        let starts = matches!(lexeme.token, Token::Const | Token::Type | Token::Var | Token::Pragma(_));
        if starts && lexeme.newlines > 0 && self.context.last.is_some() {
            // Only a declaration starts so: a `;` is missing before it.
            self.tokens.waiting.push(lexeme);
            self.done = true;
            return None;
        }
        self.done = lexeme.token == Token::Semicolon;
        Some(lexeme)
    }

    /// Reports an error after which the grammar's opinion of this piece is not asked. Only the first one counts.
    fn reject(&mut self, error: impl FnOnce() -> Diagnostic) {
        if !self.broken {
            self.tokens.report.add(error());
        }
        self.broken = true;
    }

    /// What the grammar gets to see of a lexeme, if anything.
    fn admit(&mut self, lexeme: Lexeme<'t>) -> Option<Lexeme<'t>> {
        let span = self.span(lexeme);
        match lexeme.token {
            Token::Unknown('→') => {
                self.tokens.report.add(explain::paper_arrow(span));
                return Some(Lexeme { token: Token::Arrow, ..lexeme });
            }
            Token::Unknown(c) => {
                self.reject(|| explain::unknown_character(span, c));
                return None;
            }
            Token::BlockComment(_) => {
                self.tokens.report.add(explain::block_comment(span));
                return None;
            }
            Token::Comment(_) => {
                self.reject(|| explain::comment_in_pragma(span));
                return None;
            }
            Token::Pragma(text) if self.context.last.is_none() => {
                let Some((known, body)) = Known::split(text) else { return Some(lexeme) };
                let start = lexeme.end - body.len();
                // A line that begins like a declaration is none of a pragma: a `;` is missing before it.
                let end = declaration_in(body);
                if let Some(end) = end {
                    self.tokens.resume(start + end);
                }
                let body = body.get(..end.unwrap_or(body.len())).unwrap_or_default();
                self.body = Some(Lexer::part(body, start));
                return Some(Lexeme { token: Token::Known(known), end: start, ..lexeme });
            }
            Token::OpenBrace | Token::OpenParen | Token::OpenBracket => self.depth += 1,
            Token::CloseBrace | Token::CloseParen | Token::CloseBracket => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth > MAX_NESTING {
            self.reject(|| explain::too_deep(span));
            return None;
        }
        Some(lexeme)
    }

    /// Reports a syntax error and skips the rest of the declaration, or what can be taken for it.
    fn recover(&mut self, error: ParseError<usize, Token<'t>, std::convert::Infallible>) {
        let (found, expected) = match error {
            ParseError::UnrecognizedToken { expected, .. } => (self.context.last, expected),
            ParseError::UnrecognizedEof { expected, .. } => (None, expected),
            ParseError::InvalidToken { .. } | ParseError::ExtraToken { .. } => (self.context.last, Vec::new()),
            ParseError::User { error } => match error {},
        };
        let empty = found.is_none() && self.context.last.is_none();
        if !self.broken && !empty {
            let next = self.tokens.waiting.last().copied();
            let end = self.tokens.text.len();
            let problem = explain::Problem { source: self.tokens.source, found, next, end, expected: &expected };
            let (diagnostic, resume) = problem.explain(&self.context);
            self.tokens.report.add(diagnostic);
            self.broken = true;
            if let Some(found) = found.filter(|_| resume) {
                self.tokens.waiting.push(found);
                self.tokens.waiting.extend(self.context.begins_edge());
                self.done = true;
                self.body = None;
            }
        }
        while self.next().is_some() {}
    }
}

impl<'t> Iterator for Piece<'_, '_, 't> {
    type Item = (usize, Token<'t>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let lexeme = self.lexeme()?;
            if let Some(lexeme) = self.admit(lexeme) {
                self.context.push(lexeme);
                return Some((lexeme.start, lexeme.token, lexeme.end));
            }
        }
    }
}

/// Where a line ends behind which one begins that only a declaration can be.
fn declaration_in(text: &str) -> Option<usize> {
    let begins = |line: &str| {
        let line = line.trim_start();
        line.starts_with('@') || ["type ", "const ", "var "].iter().any(|word| line.starts_with(word))
    };
    text.match_indices('\n').map(|(at, _)| at).find(|at| text.get(at + 1..).is_some_and(begins))
}
