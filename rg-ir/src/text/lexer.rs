//! The lexer. It never fails: what is not a token becomes [`Token::Unknown`] or [`Token::BlockComment`].

/// The known pragmas, by the names they are written with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    ArtificialTag,
    Disjoint,
    DisjointExhaustive,
    Integer,
    Iterator,
    Repeat,
    SimpleApply,
    SimpleApplyExhaustive,
    TagIndex,
    TagMaxIndex,
    TranslatedFromRbg,
    Unique,
}

impl Known {
    /// All known pragmas.
    pub(crate) const ALL: [Known; 12] = [
        Known::ArtificialTag,
        Known::Disjoint,
        Known::DisjointExhaustive,
        Known::Integer,
        Known::Iterator,
        Known::Repeat,
        Known::SimpleApply,
        Known::SimpleApplyExhaustive,
        Known::TagIndex,
        Known::TagMaxIndex,
        Known::TranslatedFromRbg,
        Known::Unique,
    ];

    /// The name after the `@`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Known::ArtificialTag => "artificialTag",
            Known::Disjoint => "disjoint",
            Known::DisjointExhaustive => "disjointExhaustive",
            Known::Integer => "integer",
            Known::Iterator => "iterator",
            Known::Repeat => "repeat",
            Known::SimpleApply => "simpleApply",
            Known::SimpleApplyExhaustive => "simpleApplyExhaustive",
            Known::TagIndex => "tagIndex",
            Known::TagMaxIndex => "tagMaxIndex",
            Known::TranslatedFromRbg => "translatedFromRbg",
            Known::Unique => "unique",
        }
    }

    /// Splits the text after an `@` into a known name and its body; the whole name has to match.
    pub(crate) fn split(text: &str) -> Option<(Known, &str)> {
        let length = text.find(|c| !is_name_char(c)).unwrap_or(text.len());
        let (name, body) = text.split_at_checked(length)?;
        Known::ALL.into_iter().find(|known| known.name() == name).map(|known| (known, body))
    }
}

/// A token. Names, pragmas and comments carry their text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'t> {
    Name(&'t str),
    Const,
    Type,
    Var,
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    Comma,
    Colon,
    Semicolon,
    Assign,
    Equal,
    NotEqual,
    Arrow,
    Question,
    Exclamation,
    Dollar,
    DollarDollar,
    Star,
    /// The text from behind an `@` up to the next `;` or the end.
    Pragma(&'t str),
    /// `@` and the name of a known pragma. The lexer never makes it; the parser does, to hand the body to the grammar.
    Known(Known),
    /// `// …` without the end of the line.
    Comment(&'t str),
    /// `/* … */`, which RG does not have.
    BlockComment(&'t str),
    /// A character that starts no token.
    Unknown(char),
}

impl<'t> Token<'t> {
    /// The token as it is written in a text.
    pub(crate) fn text(self) -> std::borrow::Cow<'t, str> {
        let fixed = match self {
            Token::Name(text) | Token::Comment(text) | Token::BlockComment(text) => text,
            Token::Const => "const",
            Token::Type => "type",
            Token::Var => "var",
            Token::OpenBrace => "{",
            Token::CloseBrace => "}",
            Token::OpenParen => "(",
            Token::CloseParen => ")",
            Token::OpenBracket => "[",
            Token::CloseBracket => "]",
            Token::Comma => ",",
            Token::Colon => ":",
            Token::Semicolon => ";",
            Token::Assign => "=",
            Token::Equal => "==",
            Token::NotEqual => "!=",
            Token::Arrow => "->",
            Token::Question => "?",
            Token::Exclamation => "!",
            Token::Dollar => "$",
            Token::DollarDollar => "$$",
            Token::Star => "*",
            Token::Pragma(text) => return format!("@{text}").into(),
            Token::Known(known) => return format!("@{}", known.name()).into(),
            Token::Unknown(c) => return c.to_string().into(),
        };
        fixed.into()
    }
}

/// The words that are no names.
pub(crate) const KEYWORDS: [(&str, Token<'static>); 3] =
    [("const", Token::Const), ("type", Token::Type), ("var", Token::Var)];

/// The punctuation tokens, longer ones before those that they begin with, and common ones first.
pub(crate) const SIGNS: [(&str, Token<'static>); 18] = [
    (",", Token::Comma),
    (":", Token::Colon),
    (";", Token::Semicolon),
    ("[", Token::OpenBracket),
    ("]", Token::CloseBracket),
    ("==", Token::Equal),
    ("=", Token::Assign),
    ("(", Token::OpenParen),
    (")", Token::CloseParen),
    ("->", Token::Arrow),
    ("{", Token::OpenBrace),
    ("}", Token::CloseBrace),
    ("!=", Token::NotEqual),
    ("!", Token::Exclamation),
    ("$$", Token::DollarDollar),
    ("$", Token::Dollar),
    ("?", Token::Question),
    ("*", Token::Star),
];

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme<'t> {
    pub(crate) token: Token<'t>,
    /// First byte.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
    /// Number of line ends between the previous lexeme and this one, counted up to 2.
    pub(crate) newlines: u8,
}

/// Whether a character may be part of a name.
pub(crate) fn is_name_char(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The lexemes of a text, or of a part of it, comments included. Linear, lazy, no memory.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'t> {
    rest: &'t str,
    at: usize,
    /// A search for the end of a block comment has failed, so it need not be repeated.
    unclosed: bool,
}

impl<'t> Lexer<'t> {
    /// The lexemes of a whole text. A byte order mark at its start is skipped.
    pub(crate) fn new(text: &'t str) -> Self {
        match text.strip_prefix('\u{feff}') {
            Some(rest) => Self::part(rest, text.len() - rest.len()),
            None => Self::part(text, 0),
        }
    }

    /// The lexemes of `part`, which starts at byte `offset` of the text that offsets refer to.
    pub(crate) fn part(part: &'t str, offset: usize) -> Self {
        Self { rest: part, at: offset, unclosed: false }
    }

    /// Takes the next `length` bytes, or all that is left.
    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.at += taken.len();
        taken
    }

    /// Skips white space; returns the number of line ends in it, at most 2.
    fn skip_space(&mut self) -> u8 {
        let length = self.rest.find(|c| !matches!(c, ' ' | '\t' | '\r' | '\n')).unwrap_or(self.rest.len());
        let space = self.take(length);
        space.bytes().filter(|&b| b == b'\n').take(2).fold(0, |n, _| n + 1)
    }

    /// Takes everything before the first `end`, or all that is left.
    fn take_until(&mut self, end: char) -> &'t str {
        let length = self.rest.find(end).unwrap_or(self.rest.len());
        self.take(length)
    }

    fn name(&mut self) -> Token<'t> {
        let length = self.rest.find(|c| !is_name_char(c)).unwrap_or(self.rest.len());
        let name = self.take(length);
        KEYWORDS.iter().find(|(text, _)| *text == name).map_or(Token::Name(name), |&(_, keyword)| keyword)
    }

    fn slash(&mut self) -> Token<'t> {
        if self.rest.starts_with("//") {
            return Token::Comment(self.take_until('\n').trim_end());
        }
        if self.rest.starts_with("/*") {
            let end = if self.unclosed { None } else { self.rest.find("*/") };
            self.unclosed = end.is_none();
            return Token::BlockComment(self.take(end.map_or(2, |at| at + 2)));
        }
        self.take(1);
        Token::Unknown('/')
    }

    /// The longest of the punctuation tokens that the text starts with.
    fn punctuation(&mut self, first: char) -> Token<'t> {
        let found = SIGNS.iter().find(|(text, _)| self.rest.starts_with(text));
        let (length, token) =
            found.map_or((first.len_utf8(), Token::Unknown(first)), |&(text, token)| (text.len(), token));
        self.take(length);
        token
    }
}

impl<'t> Iterator for Lexer<'t> {
    type Item = Lexeme<'t>;

    fn next(&mut self) -> Option<Lexeme<'t>> {
        let newlines = self.skip_space();
        let start = self.at;
        let token = match self.rest.chars().next()? {
            '/' => self.slash(),
            '@' => {
                self.take(1);
                Token::Pragma(self.take_until(';'))
            }
            c if is_name_char(c) => self.name(),
            c => self.punctuation(c),
        };
        Some(Lexeme { token, start, end: self.at, newlines })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        Lexer::new(text).map(|lexeme| lexeme.token.text().into_owned()).collect()
    }

    #[test]
    fn the_longest_token_wins() {
        assert_eq!(texts("===!=!$$$->-"), ["==", "=", "!=", "!", "$$", "$", "->", "-"]);
        assert_eq!(texts("a==b!c"), ["a", "==", "b", "!", "c"]);
    }

    #[test]
    fn names_may_start_with_digits_and_keywords_and_may_be_of_any_script() {
        assert_eq!(texts("0 10_17 constant żółć 日本"), ["0", "10_17", "constant", "żółć", "日本"]);
        assert!(Lexer::new("constant typed variable").all(|l| matches!(l.token, Token::Name(_))));
        assert!(Lexer::new("const type var").all(|l| !matches!(l.token, Token::Name(_))));
    }

    #[test]
    fn spans_cut_the_text_without_overlap() {
        let text = "\u{feff}type T = {a};// end\r\n\n@x → y;/* z";
        let mut last = 0;
        for lexeme in Lexer::new(text) {
            assert!(last <= lexeme.start && lexeme.start < lexeme.end && lexeme.end <= text.len());
            assert!(text.is_char_boundary(lexeme.start) && text.is_char_boundary(lexeme.end));
            last = lexeme.end;
        }
        assert_eq!(last, text.len());
    }

    #[test]
    fn comments_end_with_the_line_and_pragmas_with_the_semicolon() {
        let tokens: Vec<Token> = Lexer::new("@a // b; // c ; d\r\ne /* f; */ g").map(|l| l.token).collect();
        let expected = [
            Token::Pragma("a // b"),
            Token::Semicolon,
            Token::Comment("// c ; d"),
            Token::Name("e"),
            Token::BlockComment("/* f; */"),
            Token::Name("g"),
        ];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn line_ends_are_counted_up_to_two() {
        assert_eq!(Lexer::new("a b\nc\n\n\n\nd").map(|l| l.newlines).collect::<Vec<_>>(), [0, 0, 1, 2]);
    }

    #[test]
    fn the_whole_name_of_a_pragma_has_to_match() {
        assert_eq!(Known::split("repeat a :"), Some((Known::Repeat, " a :")));
        assert_eq!(Known::split("repeatable a"), None);
        assert_eq!(Known::split(" repeat a :"), None);
    }
}
