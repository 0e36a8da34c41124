//! The lexer: text to tokens (section 1 of the specification). It never fails; what is not a token becomes a diagnostic.

use rg_ir::{Diagnostic, Report, SourceId, Span, Symbol, Symbols};

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
            /// Something that is not known, in no text: an argument, or what a macro stands for that cannot be called.
            Hole,
            $($(#[$doc])* $name,)*
        }

        /// Keywords and punctuation.
        pub(crate) const SPELLINGS: &[(&str, Kind)] = &[$(($text, Kind::$name)),*];

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
    /// Whether the text was read to its end.
    pub(crate) complete: bool,
}

/// Cuts `text` into tokens, interning the words in `names`. O(n).
pub(crate) fn lex(source: SourceId, text: &str, limit: usize, names: &mut Symbols, report: &mut Report) -> Lexed {
    let mut lexer =
        Lexer { source, text, limit, position: 0, tokens: Vec::new(), comments: Vec::new(), report, errors: 0 };
    lexer.run(names);
    let complete = lexer.position >= text.len();
    Lexed { tokens: lexer.tokens, comments: lexer.comments, complete }
}

struct Lexer<'a, 'd> {
    source: SourceId,
    text: &'a str,
    limit: usize,
    position: usize,
    tokens: Vec<Token>,
    comments: Vec<(u32, u32)>,
    report: &'d mut Report,
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
            if self.tokens.len() > self.limit {
                let span = Span::new(self.source, start, self.position);
                self.report.push(
                    Diagnostic::error(codes::TOO_LARGE, span, "this description is too large")
                        .note(format!("at most {} tokens are read", self.limit)),
                );
                return;
            }
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + ahead).copied()
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        let rest = self.text.as_bytes().get(self.position..).unwrap_or_default();
        self.position += rest.iter().position(|&b| !accept(b)).unwrap_or(rest.len());
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
            self.report.push(
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
        let Some((kind, length)) = punctuation([self.byte(0), self.byte(1), self.byte(2)]) else {
            return self.stray();
        };
        self.position += length;
        self.push(kind, names.intern(self.text.get(start..self.position).unwrap_or_default()), start);
    }

    /// The run of underscores at `start` and the letter behind it, and that letter as a capital; `None` where they are not within a name.
    fn joined(&self, start: usize) -> Option<(Span, String)> {
        let letter = self.text.get(self.position..)?.chars().next().filter(char::is_ascii_alphanumeric)?;
        let before = self.text.get(..start)?.chars().next_back().filter(char::is_ascii_alphanumeric);
        before.map(|_| (Span::new(self.source, start, self.position + 1), letter.to_ascii_uppercase().to_string()))
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
        self.report.push(match first {
            '_' => {
                let diagnostic =
                    diagnostic.help("names consist of letters and digits only: write `upLeft`, not `up_left`");
                match self.joined(start) {
                    Some((span, name)) => diagnostic.fix("remove `_`", span, name),
                    None => diagnostic,
                }
            }
            '"' => diagnostic.help("there are no strings in RBG"),
            '|' => {
                // In a list of pieces, a comma is meant.
                let finding = diagnostic.help("write alternatives with `+`, sequences by juxtaposition");
                finding.fix_here("write `+`", "+").unsure()
            }
            '&' => diagnostic.help(
                "conditions that all have to hold stand behind each other, as `{$ a < b} {$ c < d}`; alternatives are written with `+`",
            ),
            // Between two words, it may be all that separates them.
            '\u{feff}' => {
                let finding = diagnostic.help("remove the byte order mark");
                finding.fix_here("remove the byte order mark", "").unsure()
            }
            _ if !first.is_ascii() => diagnostic.help("only ASCII is allowed outside comments"),
            _ => diagnostic,
        });
    }
}

/// The longest punctuation the bytes begin with, and its length.
fn punctuation([first, second, third]: [Option<u8>; 3]) -> Option<(Kind, usize)> {
    let found = match (first?, second, third) {
        (b'-', Some(b'>'), Some(b'>')) => (Kind::ArrowKeeper, 3),
        (b'-', Some(b'>'), _) => (Kind::Arrow, 2),
        (b'{', Some(b'?'), _) => (Kind::CheckOpen, 2),
        (b'{', Some(b'!'), _) => (Kind::NotOpen, 2),
        (b'{', Some(b'$'), _) => (Kind::CompareOpen, 2),
        (b'[', Some(b'$'), _) => (Kind::AssignOpen, 2),
        (b'=', Some(b'='), _) => (Kind::EqualEqual, 2),
        (b'!', Some(b'='), _) => (Kind::NotEqual, 2),
        (b'<', Some(b'='), _) => (Kind::LessEqual, 2),
        (b'>', Some(b'='), _) => (Kind::GreaterEqual, 2),
        (b'(', ..) => (Kind::ParenOpen, 1),
        (b')', ..) => (Kind::ParenClose, 1),
        (b'{', ..) => (Kind::BraceOpen, 1),
        (b'}', ..) => (Kind::BraceClose, 1),
        (b'[', ..) => (Kind::BracketOpen, 1),
        (b']', ..) => (Kind::BracketClose, 1),
        (b'~', ..) => (Kind::Tilde, 1),
        (b'#', ..) => (Kind::Hash, 1),
        (b'-', ..) => (Kind::Minus, 1),
        (b'+', ..) => (Kind::Plus, 1),
        (b'^', ..) => (Kind::Caret, 1),
        (b'/', ..) => (Kind::Slash, 1),
        (b'*', ..) => (Kind::Star, 1),
        (b'.', ..) => (Kind::Dot, 1),
        (b',', ..) => (Kind::Comma, 1),
        (b';', ..) => (Kind::Semicolon, 1),
        (b':', ..) => (Kind::Colon, 1),
        (b'=', ..) => (Kind::Equal, 1),
        (b'<', ..) => (Kind::Less, 1),
        (b'>', ..) => (Kind::Greater, 1),
        (b'!', ..) => (Kind::Bang, 1),
        (b'?', ..) => (Kind::Question, 1),
        (b'$', ..) => (Kind::Dollar, 1),
        _ => return None,
    };
    Some(found)
}

/// Whether a word has a meaning in the language, and names nothing else.
pub fn is_reserved(word: &str) -> bool {
    Kind::of_spelling(word).is_some_and(|kind| kind.is_keyword())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let (mut names, mut report) = (Symbols::default(), Report::default());
        let lexed = lex(SourceId(0), text, 100, &mut names, &mut report);
        assert_eq!(report.finish(), []);
        let word = |token: &Token| names.name(token.sym).to_owned();
        lexed.tokens.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_longest_token_wins() {
        assert_eq!(words("->>p->q-> >{!{e}}[$v<=1]"), "->> p -> q -> > {! { e } } [$ v <= 1 ]");
        assert_eq!(words("8y y8 {$a!=b==c}"), "8 y y8 {$ a != b == c }");
        assert_eq!(words("a/*b*/c//d\ne/f\x0b\x0cg/**/h/*/i*/"), "a c e / f g h");
    }

    #[test]
    fn every_punctuation_is_found_by_its_spelling() {
        let all = "->> -> {? {! {$ [$ == != <= >= ( ) { } [ ] ~ # - + ^ / * . , ; : = < > ! ? $";
        for text in all.split(' ') {
            let mut bytes = text.bytes();
            let (kind, length) = punctuation([bytes.next(), bytes.next(), bytes.next()]).unwrap();
            assert_eq!((Kind::of_spelling(text), length), (Some(kind), text.len()), "{text}");
        }
    }
}
