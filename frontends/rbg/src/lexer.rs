//! The lexer: text to tokens (section 1 of the specification). It never fails; what is no token becomes a diagnostic.

use rg_ir::{Diagnostic, SourceId, Span, Symbol, Symbols};

use crate::codes;

/// Most tokens a description may have, as written and again when expanded.
pub const MAX_TOKENS: usize = 10_000_000;

/// Most lexical errors that are reported one by one.
const MAX_LEXICAL_ERRORS: usize = 100;

macro_rules! token_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// What a token is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Kind {
            /// An identifier.
            Ident,
            /// A number.
            Nat,
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// The keyword or punctuation spelt `text`.
            pub(crate) fn of_spelling(text: &str) -> Option<Kind> {
                match text {
                    $($text => Some(Kind::$name),)*
                    _ => None,
                }
            }
        }
    };
}

token_kinds! {
    Players = "players",
    Pieces = "pieces",
    Variables = "variables",
    Rules = "rules",
    Board = "board",
    Rectangle = "rectangle",
    Hexagon = "hexagon",
    Cuboid = "cuboid",
    ArrowKeeper = "->>",
    Arrow = "->",
    CheckOpen = "{?",
    NotOpen = "{!",
    CompareOpen = "{$",
    AssignOpen = "[$",
    EqualEqual = "==",
    NotEqual = "!=",
    LessEqual = "<=",
    GreaterEqual = ">=",
    ParenOpen = "(",
    ParenClose = ")",
    BraceOpen = "{",
    BraceClose = "}",
    BracketOpen = "[",
    BracketClose = "]",
    Tilde = "~",
    Hash = "#",
    Minus = "-",
    Plus = "+",
    Caret = "^",
    Slash = "/",
    Star = "*",
    Dot = ".",
    Comma = ",",
    Semicolon = ";",
    Colon = ":",
    Equal = "=",
    Less = "<",
    Greater = ">",
    /// Only an operand of pasting.
    Bang = "!",
    /// Only an operand of pasting.
    Question = "?",
    /// Only an operand of pasting.
    Dollar = "$",
}

impl Kind {
    /// Whether this is a reserved word.
    pub(crate) fn is_keyword(self) -> bool {
        matches!(
            self,
            Kind::Players
                | Kind::Pieces
                | Kind::Variables
                | Kind::Rules
                | Kind::Board
                | Kind::Rectangle
                | Kind::Hexagon
                | Kind::Cuboid
        )
    }

    /// Whether this opens a bracket.
    pub(crate) fn opens(self) -> bool {
        matches!(
            self,
            Kind::ParenOpen
                | Kind::BraceOpen
                | Kind::BracketOpen
                | Kind::CheckOpen
                | Kind::NotOpen
                | Kind::CompareOpen
                | Kind::AssignOpen
        )
    }

    /// Whether this closes a bracket.
    pub(crate) fn closes(self) -> bool {
        matches!(self, Kind::ParenClose | Kind::BraceClose | Kind::BracketClose)
    }
}

/// A token of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// Spelling of identifiers and numbers (of every token that is a word, in fact).
    pub(crate) sym: Symbol,
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
}

/// What the lexer found.
pub(crate) struct Lexed {
    /// The tokens, in order.
    pub(crate) tokens: Vec<Token>,
    /// The comments, as byte ranges, in order.
    pub(crate) comments: Vec<(u32, u32)>,
}

/// Cuts `text` into tokens, interning the words in `names`. O(n).
pub(crate) fn lex(source: SourceId, text: &str, names: &mut Symbols, diagnostics: &mut Vec<Diagnostic>) -> Lexed {
    let mut lexer =
        Lexer { source, text, position: 0, tokens: Vec::new(), comments: Vec::new(), diagnostics, errors: 0 };
    lexer.run(names);
    Lexed { tokens: lexer.tokens, comments: lexer.comments }
}

struct Lexer<'a, 'd> {
    source: SourceId,
    text: &'a str,
    position: usize,
    tokens: Vec<Token>,
    comments: Vec<(u32, u32)>,
    diagnostics: &'d mut Vec<Diagnostic>,
    errors: usize,
}

impl Lexer<'_, '_> {
    fn run(&mut self, names: &mut Symbols) {
        while let Some(byte) = self.byte(0) {
            let start = self.position;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.position += 1,
                b'/' if self.byte(1) == Some(b'/') => self.line_comment(),
                b'/' if self.byte(1) == Some(b'*') => self.block_comment(),
                b'a'..=b'z' | b'A'..=b'Z' => self.word(names),
                b'0'..=b'9' => {
                    self.skip_while(|b| b.is_ascii_digit());
                    let sym = names.intern(self.text.get(start..self.position).unwrap_or_default());
                    self.push(Kind::Nat, sym, start);
                }
                _ => self.punctuation(names),
            }
            if self.tokens.len() > MAX_TOKENS {
                let span = Span::new(self.source, start, self.position);
                self.diagnostics.push(
                    Diagnostic::error(codes::TOO_LARGE, span, "this description is too large")
                        .note(format!("at most {MAX_TOKENS} tokens are read")),
                );
                return;
            }
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + ahead).copied()
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&accept) {
            self.position += 1;
        }
    }

    fn push(&mut self, kind: Kind, sym: Symbol, start: usize) {
        let span = Span::new(self.source, start, self.position);
        self.tokens.push(Token { kind, sym, start: span.start, end: span.end });
    }

    fn line_comment(&mut self) {
        let start = self.position;
        self.skip_while(|b| b != b'\n');
        self.comment(start);
    }

    fn block_comment(&mut self) {
        let start = self.position;
        let rest = self.text.get(start + 2..).unwrap_or_default();
        if let Some(length) = rest.find("*/") {
            self.position = start + 2 + length + 2;
        } else {
            self.position = self.text.len();
            let span = Span::new(self.source, start, start + 2);
            self.diagnostics.push(
                Diagnostic::error(codes::UNTERMINATED_COMMENT, span, "this comment is not closed")
                    .help("end it with `*/`; comments do not nest"),
            );
        }
        self.comment(start);
    }

    fn comment(&mut self, start: usize) {
        let span = Span::new(self.source, start, self.position);
        self.comments.push((span.start, span.end));
    }

    fn word(&mut self, names: &mut Symbols) {
        let start = self.position;
        self.skip_while(|b| b.is_ascii_alphanumeric());
        let text = self.text.get(start..self.position).unwrap_or_default();
        let kind = Kind::of_spelling(text).unwrap_or(Kind::Ident);
        self.push(kind, names.intern(text), start);
    }

    fn punctuation(&mut self, names: &mut Symbols) {
        let start = self.position;
        for length in [3, 2, 1] {
            let text = self.text.get(start..start + length).unwrap_or_default();
            if let Some(kind) = Kind::of_spelling(text) {
                self.position += length;
                self.push(kind, names.intern(text), start);
                return;
            }
        }
        self.stray();
    }

    /// Reports a run of characters that begin no token, once, and skips it.
    fn stray(&mut self) {
        let start = self.position;
        let rest = self.text.get(start..).unwrap_or_default();
        let first = rest.chars().next().unwrap_or(' ');
        let length: usize = rest.chars().take_while(|&c| c == first).map(char::len_utf8).sum();
        self.position += length.max(1);
        self.errors += 1;
        let span = Span::new(self.source, start, self.position);
        let message = match self.errors.cmp(&MAX_LEXICAL_ERRORS) {
            std::cmp::Ordering::Less => format!("unknown character `{}`", first.escape_debug()),
            std::cmp::Ordering::Equal => "too many unknown characters, no more are reported".to_owned(),
            std::cmp::Ordering::Greater => return,
        };
        let diagnostic = Diagnostic::error(codes::UNKNOWN_CHARACTER, span, message);
        self.diagnostics.push(match first {
            '_' => diagnostic.help("names consist of letters and digits only: write `upLeft`, not `up_left`"),
            '"' => diagnostic.help("there are no strings in RBG"),
            '&' | '|' => diagnostic.help("write alternatives with `+`, sequences by juxtaposition"),
            '\u{feff}' => diagnostic.help("remove the byte order mark"),
            _ if !first.is_ascii() => diagnostic.help("only ASCII is allowed outside comments"),
            _ => diagnostic,
        });
    }
}
