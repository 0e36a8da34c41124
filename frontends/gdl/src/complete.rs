//! What may stand at a place of a text: the signs before it tell.

use crate::ast::Syntax;
use crate::index::reserved::relations;
use rg_ir::index::{EntityKind, Expected};

/// Words of the language that are offered where a relation may stand.
const PREFIX_WORDS: [&str; 4] = ["<=", "not", "or", "distinct"];

/// What may stand before byte `offset` of a text, instead of the part of a word that does. Linear.
pub fn expected(text: &str, offset: usize) -> Expected {
    expected_in(text, offset, Syntax::of(text))
}

/// As [`expected`], in that syntax.
pub fn expected_in(text: &str, offset: usize, syntax: Syntax) -> Expected {
    use EntityKind::{Function, Parameter, Player, Relation, Value};
    let before = text.get(..text.floor_char_boundary(offset)).unwrap_or_default();
    let in_word = |c: char| match syntax {
        Syntax::Prefix => !c.is_whitespace() && !matches!(c, '(' | ')' | ';'),
        Syntax::Infix | Syntax::Prolog => c == '_' || c.is_ascii_alphanumeric(),
    };
    let start = before.trim_end_matches(in_word);
    let line = start.get(start.rfind(['\n', '\r']).map_or(0, |at| at + 1)..).unwrap_or_default();
    let comments: &[char] = match syntax {
        Syntax::Prefix => &[';'],
        Syntax::Infix => &['%', ';'],
        Syntax::Prolog => &['%'],
    };
    if line.contains(comments) {
        return Expected::default();
    }
    let length = u32::try_from(start.len()).unwrap_or(u32::MAX);
    let relation = match syntax {
        Syntax::Prefix => start.ends_with('('),
        Syntax::Infix | Syntax::Prolog => depth(start) == 0,
    };
    let mut words: Vec<String> = Vec::new();
    if relation {
        words.extend(relations().map(str::to_owned));
    }
    if relation && syntax == Syntax::Prefix {
        words.extend(PREFIX_WORDS.map(str::to_owned));
    }
    let kinds = match relation {
        true => vec![Relation, Function],
        false if syntax == Syntax::Prefix && depth(start) == 0 => Vec::new(),
        false => vec![Parameter, Value, Player, Function],
    };
    Expected { start: length, words, kinds, ..Expected::default() }
}

/// Brackets that are open since the last line that begins with a word or bracket.
fn depth(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut begins = true;
    for byte in text.bytes() {
        match byte {
            b'(' if begins => depth = 1,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            byte if begins && byte.is_ascii_alphabetic() => depth = 0,
            _ => {}
        }
        begins = matches!(byte, b'\n' | b'\r');
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What may stand at the end of a text: the word that is written, the likeliest kind of names, and whether words are offered.
    fn at_end(text: &str) -> (&str, Option<EntityKind>, bool) {
        let Expected { start, words, kinds, .. } = expected(text, text.len());
        (&text[start as usize..], kinds.first().copied(), !words.is_empty())
    }

    #[test]
    fn relations_stand_where_conditions_do_and_terms_inside() {
        assert_eq!(at_end("(<= (le"), ("le", Some(EntityKind::Relation), true));
        assert_eq!(at_end("(<= (legal ?"), ("?", Some(EntityKind::Parameter), false));
        assert_eq!(at_end("(role a)\n"), ("", None, false));
        assert_eq!(at_end("legal(W, m) :- tr"), ("tr", Some(EntityKind::Relation), true));
        assert_eq!(at_end("legal(W, m) :- true(ce"), ("ce", Some(EntityKind::Parameter), false));
    }

    #[test]
    fn nothing_is_offered_in_comments() {
        assert_eq!(expected("; (role", 7), Expected::default());
        assert_eq!(expected("role(x)\n% a(", 12), Expected::default());
    }
}
