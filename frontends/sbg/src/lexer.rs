//! Words (section 1).

use crate::codes;
use crate::meant::{self, Certainty};
use rg_ir::diag::closest;
use rg_ir::{Diagnostic, Report, SourceId, Span};

/// Most tokens that are read.
pub const MAX_TOKENS: usize = 1 << 24;

/// Greatest number that is read.
const MAX_NUMBER: u32 = i32::MAX as u32;

/// Longer texts in single brackets, in bytes, are not taken for the name of the game.
const MAX_NAME: usize = 256;

/// Longer runs of digits and letters are not taken for a number with letters `O`.
const MAX_DIGITS: usize = 16;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    /// `<<…>>`
    Name,
    /// `<BOARD>`
    Board,
    /// `<PIECES>`
    Pieces,
    /// `<GOALS>`
    Goals,
    /// `|…|`
    Row,
    /// A number without sign.
    Nat,
    /// A number with a minus.
    Negative,
    /// An upper-case letter.
    Upper,
    /// A lower-case letter.
    Lower,
    Open,
    Close,
    Plus,
    Caret,
    Star,
    Ampersand,
    Hash,
    At,
    Comma,
    /// Not in texts: a marker in front of a rule that is given to the grammar.
    RuleMark,
    /// The same for a goal.
    GoalMark,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The number, without sign.
    pub(crate) value: u32,
}

impl Token {
    /// Its place.
    pub(crate) fn span(&self, source: SourceId) -> Span {
        Span { source, start: self.start, end: self.end }
    }

    /// Whether this and the next one are letters of one word.
    pub(crate) fn is_joined_to(&self, next: &Token) -> bool {
        let letters = [self, next].iter().all(|token| matches!(token.kind, Kind::Upper | Kind::Lower));
        letters && self.end == next.start
    }

    /// Its spelling.
    pub(crate) fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A text cut into words.
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    /// Comments: first byte, and one past the last (the line end is not part of it).
    pub(crate) comments: Vec<(u32, u32)>,
}

/// Cuts a text into words; linear. Errors are reported, and what is wrong is left out.
pub(crate) fn lex(source: SourceId, text: &str, report: &mut Report) -> Lexed {
    let lexed = Lexed { tokens: Vec::new(), comments: Vec::new() };
    let has_tags = TAGS.map(|(tag, _)| text.contains(tag));
    let has_name = text.contains("<<");
    let mut lexer = Lexer { source, text, at: 0, report, lexed, section: Kind::Name, has_name, has_tags };
    while lexer.at < text.len() && lexer.lexed.tokens.len() <= MAX_TOKENS {
        lexer.next();
    }
    if lexer.at < text.len() {
        let span = Span::new(source, lexer.at, text.len());
        lexer.report.error(codes::TOO_LARGE, span, format!("more than {MAX_TOKENS} words; the rest is ignored"));
    }
    lexer.lexed
}

/// The tags that begin sections.
pub(crate) const TAGS: [(&str, Kind); 3] =
    [("<BOARD>", Kind::Board), ("<PIECES>", Kind::Pieces), ("<GOALS>", Kind::Goals)];

/// Punctuation.
pub(crate) const SIGNS: [(char, Kind); 9] = [
    ('(', Kind::Open),
    (')', Kind::Close),
    ('+', Kind::Plus),
    ('^', Kind::Caret),
    ('*', Kind::Star),
    ('&', Kind::Ampersand),
    ('#', Kind::Hash),
    ('@', Kind::At),
    (',', Kind::Comma),
];

struct Lexer<'t> {
    source: SourceId,
    text: &'t str,
    at: usize,
    report: &'t mut Report,
    lexed: Lexed,
    /// The tag that stood last, or [`Kind::Name`].
    section: Kind,
    /// Whether the text has a `<<`.
    has_name: bool,
    /// Which of [`TAGS`] the text has.
    has_tags: [bool; TAGS.len()],
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn token(&mut self, kind: Kind, length: usize, value: u32) {
        let span = Span::new(self.source, self.at, self.at + length);
        self.lexed.tokens.push(Token { kind, start: span.start, end: span.end, value });
        if matches!(kind, Kind::Board | Kind::Pieces | Kind::Goals) {
            self.section = kind;
        }
        self.at += length;
    }

    fn next(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if first.is_ascii_whitespace() || first == '\u{b}' {
            self.at += 1;
            return;
        }
        if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            return self.comment(length);
        }
        if rest.starts_with("/*") {
            return self.block_comment();
        }
        if rest.starts_with("<<") {
            return self.name();
        }
        if let Some((tag, kind)) = TAGS.into_iter().find(|(tag, _)| rest.starts_with(tag)) {
            return self.token(kind, tag.len(), 0);
        }
        if let Some(length) = self.single_brackets() {
            return self.name_in_single_brackets(length);
        }
        if let Some(length) = self.letters_for_zeros() {
            return self.number_with_letters(length);
        }
        let negative = first == '-' && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        if let Some((kind, length)) = self.sign_of_others() {
            return self.sign(kind, length);
        }
        let kind = match first {
            '|' => return self.row(),
            '0'..='9' => return self.number(0),
            '-' if negative => return self.number(1),
            'A'..='Z' => Kind::Upper,
            'a'..='z' => Kind::Lower,
            _ => match SIGNS.into_iter().find(|&(sign, _)| sign == first) {
                Some((_, kind)) => kind,
                None => return self.stray(first),
            },
        };
        self.token(kind, 1, 0);
    }

    /// A sign here that other notations have where this one has another: what that is, and the length of the sign.
    fn sign_of_others(&self) -> Option<(Kind, usize)> {
        let rest = self.rest();
        match (self.section, rest.as_bytes().first()?) {
            (Kind::Pieces | Kind::Goals, b';') => Some((Kind::Ampersand, 1)),
            (Kind::Pieces, b'|') => {
                let signs = rest.bytes().take_while(|&byte| byte == b'|').count();
                let line = rest.get(signs..).and_then(|rest| rest.lines().next()).unwrap_or_default();
                // A row of a board.
                let inner = line.split_once('|').map(|(inner, _)| inner);
                let is_square = |c: char| c.is_ascii_alphabetic() || c == '.';
                let is_row = signs == 1 && inner.is_some_and(|inner| !inner.is_empty() && inner.chars().all(is_square));
                (!is_row).then_some((Kind::Plus, signs))
            }
            _ => None,
        }
    }

    /// Takes a sign for another one, and reports that.
    fn sign(&mut self, kind: Kind, length: usize) {
        let span = Span::new(self.source, self.at, self.at + length);
        let found = self.rest().get(..length).unwrap_or_default().to_owned();
        let (meant, help) = match kind {
            Kind::Plus => ("+", "alternatives are separated by `+`"),
            _ => ("&", "rules and goals end with `&`"),
        };
        let error = Diagnostic::error(codes::UNKNOWN_CHARACTER, span, format!("unknown symbol `{found}`")).help(help);
        let error = error.fix(format!("replace `{found}` by `{meant}`"), span, meant);
        // Inside of a step, another sign may be meant.
        let line = self.text.get(..self.at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        let is_inside = line.matches('(').count() > line.matches(')').count();
        self.report.push(if is_inside { error.unsure() } else { error });
        self.token(kind, length, 0);
    }

    fn comment(&mut self, length: usize) {
        // A carriage return belongs to the line end.
        let shown = self.rest().get(..length).unwrap_or_default().trim_end_matches('\r').len();
        let span = Span::new(self.source, self.at, self.at + shown);
        self.lexed.comments.push((span.start, span.end));
        self.at += length;
    }

    fn block_comment(&mut self) {
        if let Some(end) = self.rest().get(2..).and_then(|inner| inner.find("*/")) {
            return self.comment(end + 4);
        }
        let span = Span::new(self.source, self.at, self.at + 2);
        let error = Diagnostic::error(codes::UNTERMINATED_COMMENT, span, "this comment does not end");
        self.report.push(error.help("close it with `*/`"));
        self.at = self.text.len();
    }

    /// `<<…>>`, on one line.
    fn name(&mut self) {
        let rest = self.rest();
        let is_end = |bytes: &[u8]| bytes == b">>" || bytes.first() == Some(&b'\n');
        let end = rest.as_bytes().windows(2).position(is_end);
        if let Some(end) = end.filter(|&end| rest.as_bytes().get(end) == Some(&b'>')) {
            return self.token(Kind::Name, end + 2, 0);
        }
        let length = rest.lines().next().unwrap_or_default().len();
        let span = Span::new(self.source, self.at, self.at + length);
        self.report.error(codes::BAD_NAME, span, "the name does not end; expected `>>` on this line");
        self.token(Kind::Name, length, 0);
    }

    /// The length of `<…>` that stands where the name is missing and looks like no section.
    fn single_brackets(&self) -> Option<usize> {
        if self.has_name || !self.lexed.tokens.is_empty() {
            return None;
        }
        let rest = self.rest().strip_prefix('<')?;
        let end = rest.bytes().take(MAX_NAME).position(|byte| matches!(byte, b'>' | b'\n'))?;
        let length = Some(end + 2).filter(|_| rest.as_bytes().get(end) == Some(&b'>'))?;
        let found = self.rest().get(..length)?;
        (length > 2 && closest(found, TAGS.map(|(tag, _)| tag)).is_none()).then_some(length)
    }

    fn name_in_single_brackets(&mut self, length: usize) {
        let found = self.rest().get(..length).unwrap_or_default().to_owned();
        let span = Span::new(self.source, self.at, self.at + length);
        let error = Diagnostic::error(codes::BAD_NAME, span, format!("expected `<<name>>`, found `{found}`"));
        self.report.push(meant::suggest(error, span, &found, &[format!("<{found}>")], Certainty::Sure));
        self.token(Kind::Name, length, 0);
    }

    /// `|…|`, on one line.
    fn row(&mut self) {
        let inner = self.rest().get(1..).unwrap_or_default();
        let end = inner.find(['|', '\n']);
        if let Some(end) = end.filter(|&end| inner.as_bytes().get(end) == Some(&b'|')) {
            return self.token(Kind::Row, end + 2, 0);
        }
        let length = 1 + inner.find(|c: char| !c.is_ascii_alphabetic() && c != '.').unwrap_or(inner.len());
        let span = Span::new(self.source, self.at, self.at + length);
        self.report.error(codes::SYNTAX, span, "the row does not end; expected `|` on this line");
        self.token(Kind::Row, length, 0);
    }

    fn number(&mut self, sign: usize) {
        let digits = self.rest().get(sign..).unwrap_or_default();
        let digits = digits.get(..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()));
        let digits = digits.unwrap_or_default();
        let length = sign + digits.len();
        let value = digits.parse::<u32>().ok().filter(|&n| n <= MAX_NUMBER);
        if value.is_none() {
            let span = Span::new(self.source, self.at, self.at + length);
            self.report.error(codes::NUMBER_TOO_LARGE, span, format!("a number above {MAX_NUMBER}"));
        }
        self.token(if sign == 0 { Kind::Nat } else { Kind::Negative }, length, value.unwrap_or(MAX_NUMBER));
    }

    /// The length of a number here in which the letter `O` stands for the digit 0: next to other digits, or alone where only a number can stand.
    fn letters_for_zeros(&self) -> Option<usize> {
        let rest = self.rest();
        let is_digit = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'O' | b'o');
        let length = rest.bytes().take(MAX_DIGITS + 1).take_while(is_digit).count();
        if length > MAX_DIGITS {
            return None;
        }
        let (found, after) = rest.split_at_checked(length)?;
        if !found.contains(['O', 'o']) || after.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let mut before = self.lexed.tokens.iter().rev().map(|token| token.kind);
        let (last, last_but_one) = (before.next()?, before.next());
        let joined = self.lexed.tokens.last().is_some_and(|token| token.end as usize == self.at);
        let alone = match last {
            Kind::Open | Kind::Caret => true,
            // The third entry of a step is a letter, and a bracket follows it.
            Kind::Comma => !after.trim_start().starts_with(')'),
            Kind::Board => true,
            // Behind a power, the letter may begin the next rule.
            Kind::Nat => self.section != Kind::Pieces,
            Kind::Upper | Kind::Lower => matches!(last_but_one, Some(Kind::Hash | Kind::At)) && !joined,
            _ => found.starts_with(|c: char| c.is_ascii_digit()),
        };
        alone.then_some(length)
    }

    fn number_with_letters(&mut self, length: usize) {
        let found = self.rest().get(..length).unwrap_or_default().to_owned();
        let digits = found.replace(['O', 'o'], "0");
        let span = Span::new(self.source, self.at, self.at + length);
        let error = Diagnostic::error(codes::SYNTAX, span, format!("expected a number, found `{found}`"));
        self.report.push(meant::suggest(error, span, &found, &[&digits], Certainty::Sure));
        // A number that is too large is wrong enough with its letters.
        let value = digits.parse::<u32>().ok().filter(|&n| n <= MAX_NUMBER);
        self.token(Kind::Nat, length, value.unwrap_or(MAX_NUMBER));
    }

    /// A run of characters that begin nothing: one finding, up to white space.
    fn stray(&mut self, first: char) {
        let known = |c: char| c.is_ascii_alphanumeric() || "()+^*&#@,|<- \t\r\n/".contains(c);
        let rest = self.rest();
        let length = match first {
            '<' => rest
                .find(|c: char| c == '>' || c.is_ascii_whitespace())
                .map_or(rest.len(), |at| at + usize::from(rest.as_bytes().get(at) == Some(&b'>'))),
            _ => {
                let after = rest.char_indices().skip(1).find(|&(_, c)| known(c));
                after.map_or(rest.len(), |(at, _)| at)
            }
        };
        let found: String = rest.chars().take(20).take(length).collect();
        let found = found.get(..length.min(found.len())).unwrap_or(&found).to_owned();
        let span = Span::new(self.source, self.at, self.at + length);
        let error = Diagnostic::error(
            codes::UNKNOWN_CHARACTER,
            span,
            format!("unknown {} `{found}`", if found.starts_with('<') { "section" } else { "symbol" }),
        );
        let tags = || TAGS.iter().map(|&(tag, _)| tag);
        let meant = closest(&found, tags()).filter(|_| first == '<');
        self.report.push(match first {
            '=' if self.section == Kind::Goals => {
                error.help("goals look like `#K 0 &` and `@P 0 7, 1 7 &`").fix(format!("remove `{found}`"), span, "")
            }
            '<' => error.help("the sections are `<BOARD>`, `<PIECES>` and `<GOALS>`").suggest(&found, tags()),
            '-' => error.help("a minus stands directly before its number"),
            '.' => error.help("empty squares stand in rows: `|..|`"),
            '/' => error.help("comments begin with `//` or `/*`"),
            _ => error,
        });
        // What follows is read as the section that was meant, unless there is one.
        let meant = TAGS.iter().zip(self.has_tags).find(|((tag, _), is_there)| Some(*tag) == meant && !is_there);
        if let Some((&(_, kind), _)) = meant {
            return self.token(kind, length, 0);
        }
        self.at += length.max(first.len_utf8());
    }
}
