//! Which syntax a text has.

use crate::ast::Syntax;

/// What speaks for which syntax.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    /// What the first bracket, quote or `:-` looks like.
    first: Option<Syntax>,
    /// Whether there is a comment that only infix texts have.
    percent: bool,
    /// `?x`, `<=`, and lists of words without commas.
    prefix: usize,
    /// `:-`, and signs between conditions.
    infix: usize,
    /// The first sign that only one of the two dialects with `:-` has.
    dialect: Option<Syntax>,
}

impl Syntax {
    /// The syntax of a text. Files of all syntaxes are called `.kif` and `.gdl`. Linear.
    ///
    /// It is prefix unless a name with a bracket directly behind it, `:-` or a name in quotes comes before any other
    /// bracket; and even then if more speaks for it (`?x`, `<=`, `(f a b)`) than against it: such a text has wrong brackets
    /// at its beginning. Of the two others it is the one whose signs come first: `&`, `~`, `!=` and `|`, or `\+`, `\=` and
    /// commas between conditions.
    pub fn of(text: &str) -> Syntax {
        let signs = Signs::of(text);
        let infix = signs.dialect.unwrap_or(Syntax::Infix);
        match signs.first {
            Some(Syntax::Prefix) => Syntax::Prefix,
            Some(_) if signs.prefix > signs.infix => Syntax::Prefix,
            Some(_) => infix,
            None if signs.percent => infix,
            None => Syntax::Prefix,
        }
    }

    /// Says how a text was read in this syntax if it looks like another one, or has signs of one.
    pub(crate) fn doubts(self, text: &str) -> Option<String> {
        let (signs, looks) = (Signs::of(text), Syntax::of(text));
        let unlike = match (self, looks) {
            (Syntax::Prefix, Syntax::Prefix) => false,
            (Syntax::Prefix, _) | (_, Syntax::Prefix) => signs.first.is_some(),
            // Where no sign tells, it may be both.
            _ => signs.dialect.is_some_and(|dialect| dialect != self),
        };
        if unlike {
            return Some(format!("the text was read as {}, but looks like {}", self.title(), looks.title()));
        }
        let mixed = match self {
            Syntax::Prefix => signs.first.is_some_and(|first| first != Syntax::Prefix),
            Syntax::Infix | Syntax::Prolog => signs.prefix > 0,
        };
        mixed.then(|| format!("the text looks like {}, and was read as that", self.title()))
    }

    /// What the syntax is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Syntax::Prefix => "prefix GDL (KIF)",
            Syntax::Infix => "infix GDL",
            Syntax::Prolog => "GDL in the style of Prolog",
        }
    }

    /// What the syntax is called, with a rule as an example.
    fn title(self) -> String {
        let example = match self {
            Syntax::Prefix => "(<= (p ?x) (q ?x))",
            Syntax::Infix => "p(X) :- q(X) & ~r(X)",
            Syntax::Prolog => "p(X) :- q(X), \\+ r(X).",
        };
        format!("{}, such as `{example}`", self.name())
    }
}

impl Signs {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut signs = Signs::default();
        let (mut at, mut depth, mut before) = (0, 0_usize, b' ');
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1).copied().unwrap_or(b' ');
            let apart = before.is_ascii_whitespace();
            match byte {
                b';' if depth > 0 && signs.first.is_some_and(|first| first != Syntax::Prefix) => {
                    signs.dialect(Syntax::Prolog);
                }
                b';' | b'%' if byte == b';' || apart || before == b'.' => {
                    signs.percent |= byte == b'%';
                    at += until(bytes, at, |b| matches!(b, b'\n' | b'\r'));
                    before = b'\n';
                    continue;
                }
                b'/' if next == b'*' && apart => {
                    signs.percent = true;
                    let end = text.get(at..).and_then(|rest| rest.find("*/"));
                    at = end.map_or(bytes.len(), |end| at + end + 2);
                    before = b' ';
                    continue;
                }
                b'(' => {
                    let list = apart || before == b'(';
                    signs.first.get_or_insert(if apart { Syntax::Prefix } else { Syntax::Infix });
                    signs.prefix += usize::from(list && begins_list(bytes, at + 1));
                    depth += 1;
                }
                b')' => depth = depth.saturating_sub(1),
                b'\'' if signs.first != Some(Syntax::Prefix) && (apart || signs.first.is_some()) => {
                    signs.first.get_or_insert(Syntax::Infix);
                    at += until(bytes, at + 1, |b| matches!(b, b'\'' | b'\n')) + 1;
                }
                b':' if next == b'-' => {
                    signs.first.get_or_insert(Syntax::Infix);
                    signs.infix += 1;
                }
                b'?' if (apart || before == b'(') && next.is_ascii_alphanumeric() => signs.prefix += 1,
                b'<' if next == b'=' => signs.prefix += 1,
                b'&' | b'~' | b'|' => signs.dialect(Syntax::Infix),
                b'!' if next == b'=' => signs.dialect(Syntax::Infix),
                b'\\' if matches!(next, b'+' | b'=') => signs.dialect(Syntax::Prolog),
                b',' if depth == 0 => signs.dialect(Syntax::Prolog),
                _ => {}
            }
            before = byte;
            at += 1;
        }
        signs
    }

    fn dialect(&mut self, syntax: Syntax) {
        self.infix += 1;
        self.dialect.get_or_insert(syntax);
    }
}

/// The number of bytes from a place to the first one that ends it.
fn until(bytes: &[u8], at: usize, ends: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().position(|&b| ends(b)).unwrap_or(rest.len())
}

/// Whether a word stands there, and behind a space another one or a bracket.
fn begins_list(bytes: &[u8], at: usize) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'+' | b'-' | b'<' | b'=' | b'>');
    let length = until(bytes, at, |b| !word(b));
    let space = until(bytes, at + length, |b| b != b' ');
    let next = bytes.get(at + length + space).copied().unwrap_or_default();
    length > 0 && space > 0 && (next.is_ascii_alphanumeric() || matches!(next, b'?' | b'('))
}
