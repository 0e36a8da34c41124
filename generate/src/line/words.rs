//! The words of a value, with their places.

use crate::codes;
use rg_ir::diag::{alternatives, expected_one_of};
use rg_ir::{Diagnostic, SourceId, Span};

/// Why something cannot be read.
pub(super) type Wrong = Box<Diagnostic>;

/// A part of a text with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) source: SourceId,
    pub(super) start: usize,
}

impl<'t> Text<'t> {
    pub(super) fn span(self) -> Span {
        Span::new(self.source, self.start, self.start + self.text.len())
    }

    /// The part `from..to`, without white space around it.
    pub(super) fn part(self, from: usize, to: usize) -> Self {
        let text = self.text.get(from..to).unwrap_or_default();
        let spaces = text.len() - text.trim_start().len();
        Self { text: text.trim(), start: self.start + from + spaces, ..self }
    }

    /// Without white space around it.
    pub(super) fn trimmed(self) -> Self {
        self.part(0, self.text.len())
    }

    /// The parts between commas.
    pub(super) fn items(self) -> Vec<Text<'t>> {
        let mut items = Vec::new();
        let mut from = 0;
        for part in self.text.split(',') {
            items.push(self.part(from, from + part.len()));
            from += part.len() + 1;
        }
        items
    }

    /// Numbers, runs of letters, and single other characters.
    pub(super) fn words(self) -> Words<'t> {
        let mut words = Vec::new();
        let mut before = ' ';
        for (at, found) in self.text.char_indices() {
            let joins = |class: fn(&char) -> bool| class(&before) && class(&found);
            let goes_on = joins(char::is_ascii_digit) || joins(|c| c.is_alphabetic());
            if goes_on && let Some(last) = words.last_mut() {
                let Text { text: word, start, .. } = last;
                *word = self.text.get(*start - self.start..at + found.len_utf8()).unwrap_or(word);
            } else if !found.is_whitespace() {
                let text = self.text.get(at..at + found.len_utf8()).unwrap_or_default();
                words.push(Text { text, start: self.start + at, ..self });
            }
            before = found;
        }
        Words { all: self, words, at: 0 }
    }

    /// That something else was expected here.
    pub(super) fn not(self, what: &str, expected: &str) -> Diagnostic {
        let found = if self.text.is_empty() { "nothing".to_owned() } else { format!("`{}`", shortened(self.text)) };
        Diagnostic::error(codes::BAD_VALUE, self.span(), format!("{found} as {what}, expected {expected}"))
    }

    /// The value that this word names.
    pub(super) fn choice<T: Copy>(self, what: &str, choices: &[(&str, T)]) -> Result<T, Wrong> {
        choices.iter().find(|(name, _)| *name == self.text).map(|&(_, value)| value).ok_or_else(|| {
            let names: Vec<String> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
            self.not(what, &alternatives(&names)).suggest(self.text, choices.iter().map(|&(name, _)| name)).into()
        })
    }
}

/// A text that is quoted in a message.
pub(super) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

/// A finding about a name that is none of those there are.
pub(super) fn unknown(code: &'static str, what: &str, name: Text<'_>, names: &[&str]) -> Diagnostic {
    let expected = expected_one_of(name.text, names.iter().copied());
    Diagnostic::error(code, name.span(), format!("unknown {what} `{}`; {expected}", shortened(name.text)))
        .suggest(name.text, names.iter().copied())
}

/// The words of a text, one after the other.
pub(super) struct Words<'t> {
    all: Text<'t>,
    words: Vec<Text<'t>>,
    at: usize,
}

impl<'t> Words<'t> {
    /// All of the text.
    pub(super) fn span(&self) -> Span {
        self.all.span()
    }

    /// The next word, which is not consumed; at the end an empty one.
    pub(super) fn peek(&self) -> Text<'t> {
        let end = Text { text: "", start: self.all.start + self.all.text.len(), ..self.all };
        self.words.get(self.at).copied().unwrap_or(end)
    }

    pub(super) fn next(&mut self) -> Text<'t> {
        let next = self.peek();
        self.at += 1;
        next
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.words.len()
    }

    /// Consumes the next word if it is this one.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.peek().text == word;
        self.at += usize::from(found);
        found
    }

    /// A number from 1 to `most`.
    pub(super) fn number(&mut self, what: &str, most: usize) -> Result<usize, Wrong> {
        let word = self.next();
        if word.text.is_empty() || !word.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(word.not(what, "a number").into());
        }
        match word.text.parse() {
            Ok(0) => Err(word.not(what, "a number from 1 on").into()),
            Ok(number) if number <= most => Ok(number),
            _ => {
                let message = format!("`{}` as {what}, expected at most {most}", shortened(word.text));
                Err(Diagnostic::error(codes::TOO_LARGE, word.span(), message).into())
            }
        }
    }

    /// Nothing else follows.
    pub(super) fn end(&self, after: &str) -> Result<(), Wrong> {
        let rest = self.peek();
        if self.is_at_end() {
            return Ok(());
        }
        let message = format!("`{}` behind {after}, expected `,` or the end of the line", shortened(rest.text));
        Err(Diagnostic::error(codes::BAD_VALUE, rest.span(), message).into())
    }
}
