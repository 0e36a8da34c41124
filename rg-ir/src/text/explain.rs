//! Messages for syntax errors: what was found, what would be accepted, and what is probably meant.

use super::lexer::{Lexeme, Token};
use super::parse::MAX_NESTING;
use crate::diag::{Diagnostic, alternatives};
use crate::source::{SourceId, Span};

/// `→`, which is how the paper prints the arrow.
pub(crate) fn paper_arrow(span: Span) -> Diagnostic {
    Diagnostic::error("RG052", span, "found `→`, expected `->`").help("files spell the arrow `->`").fix(
        "write `->`",
        span,
        "->",
    )
}

/// A character that starts no token.
pub(crate) fn unknown_character(span: Span, c: char) -> Diagnostic {
    let found = match c {
        c if c.is_control() || c.is_whitespace() => format!("found the character U+{:04X}", c as u32),
        c => format!("found the character `{c}`"),
    };
    let error = Diagnostic::error("RG052", span, format!("{found}, which is not part of the language"));
    match c {
        '-' => error.help("arrows are written `->`; there is no arithmetic, and names have no `-`"),
        '/' => error.help("comments start with `//`"),
        '<' | '>' | '+' | '%' | '^' => error.help("there is no arithmetic: use a constant map"),
        '&' | '|' | '~' => error.help("there are no connectives: use edges in a row for *and*, side by side for *or*"),
        '≠' => error.help("write `!=`"),
        '"' | '\'' | '`' => error.help("symbols are written without quotes"),
        '#' => error.help("comments start with `//`, pragmas with `@`"),
        '.' => error.help("names consist of letters, digits and `_`"),
        c if c.is_whitespace() => error.help("white space consists of spaces, tabs and line ends"),
        _ => error,
    }
}

/// `/*`
pub(crate) fn block_comment(span: Span) -> Diagnostic {
    Diagnostic::error("RG054", span, "found a block comment, expected `//` comments only")
        .help("start every line of the comment with `//`")
}

/// `//` between `@` and `;`
pub(crate) fn comment_in_pragma(span: Span) -> Diagnostic {
    Diagnostic::error("RG055", span, "found a comment inside a pragma, expected it before or after")
        .note("a pragma is everything up to the next `;`")
}

/// More than [`MAX_NESTING`] open brackets.
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("RG053", span, format!("brackets nest more than {MAX_NESTING} deep"))
        .label("one bracket too many")
}

/// What is remembered of a declaration that is being parsed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context<'t> {
    /// The first token.
    pub(crate) first: Option<Lexeme<'t>>,
    /// The name that is declared, where the second token is one.
    pub(crate) declares: Option<Lexeme<'t>>,
    /// The last two tokens before the last one, the nearer one first.
    before: [Option<Lexeme<'t>>; 2],
    /// The token read last.
    pub(crate) last: Option<Lexeme<'t>>,
    /// Number of tokens read.
    count: usize,
    /// The last token of the first line, if tokens stand on further lines.
    line_end: Option<Lexeme<'t>>,
    /// Brackets that are open.
    depth: usize,
}

impl<'t> Context<'t> {
    /// Takes note of the next token.
    pub(crate) fn push(&mut self, lexeme: Lexeme<'t>) {
        match self.first {
            None => self.first = Some(lexeme),
            Some(_) if lexeme.newlines > 0 && self.line_end.is_none() => self.line_end = self.last,
            Some(_) => {}
        }
        if let (1, Token::Name(_)) = (self.count, lexeme.token) {
            self.declares = Some(lexeme);
        }
        match lexeme.token {
            Token::OpenBrace | Token::OpenParen | Token::OpenBracket => self.depth += 1,
            Token::CloseBrace | Token::CloseParen | Token::CloseBracket => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.before = [self.last, self.before[0]];
        self.last = Some(lexeme);
        self.count += 1;
    }

    /// The name before the last token, if the two look like the beginning of an edge: `name,` on a new line, behind something else that is broken.
    pub(crate) fn begins_edge(&self) -> Option<Lexeme<'t>> {
        let comma = self.last.is_some_and(|last| last.token == Token::Comma);
        let edge = matches!(self.first.map(|first| first.token), Some(Token::Name(_)));
        let begins = |name: &Lexeme<'t>| matches!(name.token, Token::Name(_)) && name.newlines > 0;
        self.before[0].filter(|name| comma && edge && self.count > 2 && begins(name))
    }
}

/// One syntax error.
pub(crate) struct Problem<'a, 't> {
    /// The text it is in.
    pub(crate) source: SourceId,
    /// The token that did not fit; `None` where the declaration ended too early.
    pub(crate) found: Option<Lexeme<'t>>,
    /// The token after the end of a declaration that ended too early; `None` for the end of the text.
    pub(crate) next: Option<Lexeme<'t>>,
    /// The length of the text.
    pub(crate) end: usize,
    /// What would have fitted, in the grammar's own terms.
    pub(crate) expected: &'a [String],
}

impl<'t> Problem<'_, 't> {
    fn span(&self, lexeme: Lexeme<'t>) -> Span {
        Span::new(self.source, lexeme.start, lexeme.end)
    }

    fn expects(&self, token: &str) -> bool {
        self.expected.iter().any(|expected| expected.trim_matches('"') == token)
    }

    /// The error, and whether the token found starts a declaration of its own.
    pub(crate) fn explain(&self, context: &Context<'t>) -> (Diagnostic, bool) {
        let in_pragma = matches!(context.first.map(|first| first.token), Some(Token::Known(_)));
        // The last token that did fit.
        let before = match self.found {
            Some(_) => context.before[0],
            None => context.last,
        };
        let next_line = self.found.is_none_or(|found| found.newlines > 0);
        // Where a pragma ends early, a declaration begins.
        let ends = !in_pragma || self.found.is_none() && self.next.is_some();
        if let Some(before) = before.filter(|_| (next_line || self.is_keyword()) && self.expects(";") && ends) {
            return (self.missing_semicolon(before), true);
        }
        if let (Some(edge), Some(before)) = (context.begins_edge(), context.before[1]) {
            let message = format!("the declaration breaks off: {} and `,` begin an edge", describe(edge.token));
            let error = Diagnostic::error("RG050", self.span(before), message).label("more is expected after this");
            let error = error.also(self.span(edge), "the next edge");
            // An edge may have no label.
            let is_whole = before.token == Token::Colon;
            return (if is_whole { self.with_sign(error, before, ";").unsure() } else { error }, true);
        }
        let error = match self.found {
            Some(found) => {
                let error = self.special(context, found, before).unwrap_or_else(|| self.unexpected(context, found));
                self.completed(error, context, before)
            }
            None => self.ends_early(before),
        };
        if !in_pragma {
            return (error, false);
        }
        let error = Diagnostic { code: "RG055", ..error };
        let Some(line_end) = context.line_end else { return (error, false) };
        let error = error.note("a pragma goes on up to the next `;`, over line ends").help("is a `;` missing?");
        (self.with_sign(error, line_end, ";").unsure(), false)
    }

    /// Whether the token found is a word that only declarations begin with.
    fn is_keyword(&self) -> bool {
        self.found.is_some_and(|found| matches!(found.token, Token::Type | Token::Const | Token::Var))
    }

    /// Adds a fix that adds a sign behind a token.
    fn with_sign(&self, error: Diagnostic, behind: Lexeme<'t>, sign: &str) -> Diagnostic {
        error.fix(format!("add `{sign}`"), Span::new(self.source, behind.end, behind.end), sign)
    }

    /// Adds a fix for what is missing before the token found, where the grammar leaves no choice: a bracket at the end of the declaration, or the end
    /// itself before a name, which follows no other one.
    fn completed(&self, error: Diagnostic, context: &Context<'t>, before: Option<Lexeme<'t>>) -> Diagnostic {
        let (Some(found), Some(before)) = (self.found, before) else { return error };
        let closing = ["}", "]", ")"].into_iter().find(|bracket| self.expects(bracket));
        match (found.token, closing) {
            (Token::Semicolon, Some(bracket)) if before.token != Token::Comma && error.fixes.is_empty() => {
                let text = if bracket == "}" { " }" } else { bracket };
                let place = Span::new(self.source, before.end, before.end);
                let error = error.fix(format!("add `{bracket}`"), place, text);
                if context.depth > 1 { error.unsure() } else { error }
            }
            (Token::Name(_), None) if self.expects(";") && error.fixes.is_empty() => {
                self.with_sign(error, before, ";").unsure()
            }
            _ => error,
        }
    }

    fn missing_semicolon(&self, before: Lexeme<'t>) -> Diagnostic {
        let place = Span::new(self.source, before.end.saturating_sub(1), before.end);
        let followed = match self.found.or(self.next) {
            Some(next) => describe(next.token),
            None => "the end of the file".to_owned(),
        };
        // A name may end in a character of several bytes: then the whole name is marked.
        let place = if before.token.text().is_ascii() { place } else { self.span(before) };
        let message = format!("missing `;`: found {followed}, expected the declaration to end");
        let error = Diagnostic::error("RG051", place, message).label("add `;` after this");
        self.with_sign(error, before, ";")
    }

    fn ends_early(&self, before: Option<Lexeme<'t>>) -> Diagnostic {
        let (span, found) = match self.next {
            Some(next) => (self.span(next), describe(next.token)),
            None => (Span::new(self.source, self.end, self.end), "the end of the file".to_owned()),
        };
        let error = Diagnostic::error("RG050", span, format!("found {found}, expected {}", self.list()));
        match before {
            Some(before) => error.also(self.span(before), "the declaration stops here"),
            None => error,
        }
    }

    fn unexpected(&self, context: &Context<'t>, found: Lexeme<'t>) -> Diagnostic {
        let start = context.count <= 1;
        let expected = if start { "a declaration".to_owned() } else { self.list() };
        let message = format!("found {}, expected {expected}", describe(found.token));
        let error = Diagnostic::error("RG050", self.span(found), message);
        match found.token {
            _ if start => error.help("a declaration starts with `type`, `const`, `var`, `@` or the name of a node"),
            Token::Type | Token::Const | Token::Var if self.expects("name") => {
                error.note("`const`, `type` and `var` are reserved and cannot be names")
            }
            Token::Star => error.help("`T(*)` is allowed only as the whole right side of an assignment"),
            _ => match context.first.map(|first| (first, first.token)) {
                // A misspelt word at the beginning makes an edge of a declaration.
                Some((first, Token::Name(name))) if context.count == 2 => {
                    let message = format!("unknown keyword `{name}`");
                    let word = Diagnostic::error("RG050", self.span(first), message);
                    let word = word.suggest(name, ["type", "const", "var"]);
                    if word.fixes.is_empty() { error } else { word }
                }
                _ => error,
            },
        }
    }

    /// Mistakes that deserve a message of their own.
    fn special(&self, context: &Context<'t>, found: Lexeme<'t>, before: Option<Lexeme<'t>>) -> Option<Diagnostic> {
        let span = self.span(found);
        let first = context.first?.token;
        let edge = matches!(first, Token::Name(_));
        let earlier = context.before[1].map(|lexeme| lexeme.token);
        let error = match (before?.token, found.token) {
            (Token::Name(node), Token::OpenParen) if edge && (context.count == 2 || context.count == 4) => {
                Diagnostic::error("RG056", span, format!("found `(` after the node `{node}`, expected a plain name"))
                    .help("nodes have no parameters: use a variable, or a node for every value")
            }
            (Token::CloseBracket, Token::OpenParen) => {
                Diagnostic::error("RG050", span, "found `(` after an access, expected no call")
                    .help("a cast begins with a type: `T(x[k])`")
            }
            (Token::OpenParen, _) if earlier == Some(Token::CloseBrace) => {
                let message = format!("found {} in a cast to an inline set, expected `*`", describe(found.token));
                Diagnostic::error("RG050", span, message).help("give the set a name with `type` and cast to that")
            }
            (Token::Comma, Token::CloseBrace | Token::CloseBracket | Token::Semicolon) => {
                let message = format!("found {} after `,`, expected {}", describe(found.token), self.list());
                Diagnostic::error("RG050", self.span(before?), message).label("remove this trailing comma")
            }
            (Token::OpenBrace, Token::CloseBrace) => {
                Diagnostic::error("RG004", self.span(before?).to(span), "found `{}`, expected a symbol in the set type")
                    .label("no value could have this type")
            }
            (Token::Name(_), Token::Comma | Token::CloseBrace) if matches!(first, Token::Const | Token::Var) => {
                let message = format!("found {} after a key, expected `:` and a value", describe(found.token));
                Diagnostic::error("RG050", span, message).help("a map is written `{ :default, key: value }`")
            }
            _ => return None,
        };
        Some(error)
    }

    /// What would have fitted, for people: names of tokens, the commonest kinds first.
    fn list(&self) -> String {
        let names: Vec<String> = self.expected.iter().map(|raw| readable(raw.trim_matches('"'))).collect();
        if names.is_empty() { "nothing more".to_owned() } else { alternatives(&names) }
    }
}

/// A terminal of the grammar, for people.
fn readable(terminal: &str) -> String {
    match terminal {
        "name" => "a name".to_owned(),
        "pragma" => "a pragma".to_owned(),
        text => format!("`{text}`"),
    }
}

/// A token that was found, for people.
fn describe(token: Token) -> String {
    match token {
        Token::Const | Token::Type | Token::Var => format!("the keyword `{}`", token.text()),
        Token::Pragma(_) => "a pragma".to_owned(),
        Token::Name(name) if name.chars().count() > 60 => "a long name".to_owned(),
        token => format!("`{}`", token.text()),
    }
}
