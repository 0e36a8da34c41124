//! How the words of a language look, as regular expressions: for editors that colour a text by patterns before, or without, a parser. Each front end
//! makes its patterns from the table of its lexer, so that there is one list of words.

use crate::index::Class;

/// How something in a text looks. Expressions are in the syntax of Oniguruma, and find nothing that goes over a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Something on one line; a name that is not coloured has the class of a name.
    Word(Class, String),
    /// All from what the first expression finds to what the second does.
    Block(Class, String, String),
}

impl Pattern {
    /// A comment from what `start` finds to the end of the line.
    pub fn line_comment(start: &str) -> Self {
        Pattern::Word(Class::Comment, format!("{start}.*$"))
    }

    /// A comment between `/*` and `*/`.
    pub fn block_comment() -> Self {
        Pattern::Block(Class::Comment, r"/\*".to_owned(), r"\*/".to_owned())
    }
}

/// An expression that finds any of the texts, the longest ones first; nothing if there are none.
pub fn any<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut texts: Vec<&str> = texts.into_iter().collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let quoted = |text: &&str| {
        text.chars().fold(String::new(), |quoted, c| {
            if is_plain(c) { quoted + c.encode_utf8(&mut [0; 4]) } else { quoted + "\\" + c.encode_utf8(&mut [0; 4]) }
        })
    };
    if texts.is_empty() {
        "(?!)".to_owned()
    } else {
        format!("(?:{})", texts.iter().map(quoted).collect::<Vec<_>>().join("|"))
    }
}

/// Whether a character stands for itself in expressions.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '<' | '>' | '=' | '!' | ',' | ';' | ':' | '/' | '%' | '~' | '@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_quoted_and_longer_texts_come_first() {
        assert_eq!(any(["$", "$$", "in", "->"]), r"(?:\$\$|in|\->|\$)");
        assert_eq!(any([]), "(?!)");
    }
}
