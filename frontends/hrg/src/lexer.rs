//! Words and punctuation (section 2 of the specification). It never fails; what is not a token becomes a diagnostic.

use crate::codes;
use rg_ir::{Diagnostic, Report, SourceId, Span};

/// Most tokens that are read.
pub const MAX_TOKENS: usize = 10_000_000;

/// Most lexical errors that are reported one by one.
const MAX_LEXICAL_ERRORS: usize = 100;

macro_rules! token_kinds {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// What a token is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Kind {
            /// A name that begins with a lower-case letter, or with `_` or a digit without being one of the two below.
            Lower,
            /// A name that begins with an upper-case letter.
            Upper,
            /// A name of decimal digits.
            Number,
            /// `_` alone.
            Wildcard,
            /// `forall` where it begins a statement; distinguished by the parser.
            ForAll,
            /// `(*)`; put together by the parser.
            AnyValue,
            /// Not in the text: what follows is the rest of the body of a graph.
            Rest,
            /// From `//` to the end of the line.
            Comment,
            /// Characters that begin no token, which was reported.
            Unknown,
            $($name,)*
        }

        /// Reserved words and punctuation.
        pub(crate) const SPELLINGS: &[(&str, Kind)] = &[$(($text, Kind::$name)),*];

        impl Kind {
            /// The reserved word or punctuation spelt `text`.
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
    Domain = "domain",
    Where = "where",
    In = "in",
    Graph = "graph",
    Reusable = "reusable",
    If = "if",
    Then = "then",
    Else = "else",
    Loop = "loop",
    While = "while",
    Repeat = "repeat",
    Branch = "branch",
    Or = "or",
    Const = "const",
    Type = "type",
    Var = "var",
    DollarDollar = "$$",
    DollarArtificial = "$_",
    EqualEqual = "==",
    NotEqual = "!=",
    LessEqual = "<=",
    GreaterEqual = ">=",
    AndAnd = "&&",
    OrOr = "||",
    DotDot = "..",
    Arrow = "->",
    BraceOpen = "{",
    BraceClose = "}",
    ParenOpen = "(",
    ParenClose = ")",
    BracketOpen = "[",
    BracketClose = "]",
    Comma = ",",
    Colon = ":",
    Semicolon = ";",
    Equal = "=",
    Less = "<",
    Greater = ">",
    Plus = "+",
    Minus = "-",
    Percent = "%",
    Bar = "|",
    Dollar = "$",
    Star = "*",
}

/// What begins a statement that looks like `branch x in T`, unless it is a name.
pub(crate) const FOR_ALL: &str = "forall";
/// Statements that look like calls.
pub(crate) const STATEMENTS: [&str; 5] = ["check", "end", "break", "continue", "return"];
/// Conditions that look like calls.
pub(crate) const CONDITIONS: [&str; 4] = ["not", "reachable", "true", "false"];

impl Kind {
    /// Whether this is a name.
    pub(crate) fn is_name(self) -> bool {
        matches!(self, Kind::Lower | Kind::Upper | Kind::Number | Kind::Wildcard)
    }

    /// Whether this is a word that cannot be a name.
    pub(crate) fn is_reserved(self) -> bool {
        matches!(
            self,
            Kind::Domain
                | Kind::Where
                | Kind::In
                | Kind::Graph
                | Kind::Reusable
                | Kind::If
                | Kind::Then
                | Kind::Else
                | Kind::Loop
                | Kind::While
                | Kind::Repeat
                | Kind::Branch
                | Kind::Or
                | Kind::Const
                | Kind::Type
                | Kind::Var
        )
    }

    /// Whether this opens a bracket.
    pub(crate) fn opens(self) -> bool {
        matches!(self, Kind::ParenOpen | Kind::BraceOpen | Kind::BracketOpen)
    }

    /// Whether this closes a bracket.
    pub(crate) fn closes(self) -> bool {
        matches!(self, Kind::ParenClose | Kind::BraceClose | Kind::BracketClose)
    }
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Token {
    /// How it is written in `text`.
    pub(crate) fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// Its place in a file.
    pub(crate) fn span(self, source: SourceId) -> Span {
        Span { source, start: self.start, end: self.end }
    }
}

/// What the lexer found.
pub(crate) struct Lexed {
    /// All tokens, comments included.
    pub(crate) tokens: Vec<Token>,
    /// Whether the text was read to its end.
    pub(crate) complete: bool,
}

/// Cuts a text into tokens. Linear.
pub(crate) fn lex(source: SourceId, text: &str, report: &mut Report) -> Lexed {
    let mut tokens = Vec::new();
    let (mut at, mut errors) = (0, 0);
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let kind = if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            Kind::Comment
        } else if first.is_alphanumeric() || first == '_' {
            at += rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            word(text.get(start..at).unwrap_or_default())
        } else if let Some((kind, length)) = punctuation(rest) {
            at += length;
            kind
        } else {
            at += rest.chars().take_while(|c| *c == first).map(char::len_utf8).sum::<usize>();
            errors += 1;
            stray(Span::new(source, start, at), first, errors, report);
            Kind::Unknown
        };
        let span = Span::new(source, start, at);
        tokens.push(Token { kind, start: span.start, end: span.end });
        if tokens.len() > MAX_TOKENS {
            let error = Diagnostic::error(codes::TOO_LARGE, span, "this description is too large");
            report.push(error.note(format!("at most {MAX_TOKENS} tokens are read")));
            return Lexed { tokens, complete: false };
        }
    }
    Lexed { tokens, complete: true }
}

/// Whether a name is a variable in patterns and a constructor before `(`.
pub(crate) fn is_upper(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

fn word(text: &str) -> Kind {
    match Kind::of_spelling(text) {
        Some(kind) => kind,
        None if text == "_" => Kind::Wildcard,
        None if text.bytes().all(|b| b.is_ascii_digit()) => Kind::Number,
        None if is_upper(text) => Kind::Upper,
        None => Kind::Lower,
    }
}

/// The longest punctuation the text begins with, and its length.
fn punctuation(text: &str) -> Option<(Kind, usize)> {
    [2, 1].into_iter().find_map(|length| Some((Kind::of_spelling(text.get(..length)?)?, length)))
}

/// Reports a run of characters that begin no token.
fn stray(span: Span, first: char, errors: usize, report: &mut Report) {
    let message = match errors.cmp(&MAX_LEXICAL_ERRORS) {
        std::cmp::Ordering::Less if first.is_control() => format!("unknown character U+{:04X}", first as u32),
        std::cmp::Ordering::Less => format!("unknown character `{first}`"),
        std::cmp::Ordering::Equal => "too many unknown characters, no more are reported".to_owned(),
        std::cmp::Ordering::Greater => return,
    };
    let error = Diagnostic::error(codes::UNKNOWN_CHARACTER, span, message);
    report.push(match first {
        '"' | '\'' => error.help("symbols are written without quotes").fix("remove the quotes", span, "").unsure(),
        '&' => error.help("a conjunction is written `&&`").fix("write `&&`", span, "&&").unsure(),
        '!' => error.help("a negation is written `not(..)`"),
        '/' => error.help("comments start with `//`; there is no division"),
        '#' => error.help("comments start with `//`").fix("write `//`", span, "//").unsure(),
        '@' => error.help("pragmas are written by the translation; there are none in HRG"),
        // Between two words, it may be all that separates them.
        '\u{feff}' => error.help("remove the byte order mark").fix("remove the byte order mark", span, "").unsure(),
        _ => error,
    });
}

/// Whether a word has a meaning in the language, and names nothing else.
pub fn is_reserved(word: &str) -> bool {
    Kind::of_spelling(word).is_some_and(|kind| kind.is_reserved())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut report = Report::default();
        let lexed = lex(SourceId(0), text, &mut report);
        assert!(!report.failed());
        lexed.tokens.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn the_first_letter_tells_names_apart() {
        use Kind::{Lower, Number, Upper, Wildcard};
        assert_eq!(
            kinds("a A 0 10 0a _ __ _A Éa éa"),
            [Lower, Upper, Number, Number, Lower, Wildcard, Lower, Lower, Upper, Lower]
        );
        assert_eq!(kinds("branchx branch orr or"), [Lower, Kind::Branch, Lower, Kind::Or]);
    }

    #[test]
    fn the_longest_token_wins() {
        use Kind::{Dollar, DollarArtificial, DollarDollar, DotDot, Lower, Number};
        assert_eq!(
            kinds("$_go $_ go $ _go $$x"),
            [DollarArtificial, Lower, DollarArtificial, Lower, Dollar, Lower, DollarDollar, Lower]
        );
        assert_eq!(kinds("0..12"), [Number, DotDot, Number]);
        assert_eq!(
            kinds("a->b<=c<d==e=f//g\n||h"),
            [
                Lower,
                Kind::Arrow,
                Lower,
                Kind::LessEqual,
                Lower,
                Kind::Less,
                Lower,
                Kind::EqualEqual,
                Lower,
                Kind::Equal,
                Lower,
                Kind::Comment,
                Kind::OrOr,
                Lower
            ]
        );
    }
}
