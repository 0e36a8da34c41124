//! What may stand at a place of a text: the grammar tells reserved words, the tokens before the place tell what names are about.

use super::grammar::DeclarationParser;
use super::lexer::{KEYWORDS, Known, Lexeme, Lexer, Token, is_name_char};
use super::parse::MAX_NESTING;
use crate::index::{EntityKind, Expected};
use crate::source::SourceId;
use lalrpop_util::ParseError;

/// What may stand before byte `offset` of a text, instead of the part of a word that does. Linear.
pub fn expected(text: &str, offset: usize) -> Expected {
    let before = text.get(..text.floor_char_boundary(offset)).unwrap_or_default();
    let word = before.rfind(|c| !is_name_char(c)).map_or(0, |at| text.ceil_char_boundary(at + 1));
    let pragma = before.get(..word).and_then(|before| before.strip_suffix('@'));
    let start = word - usize::from(pragma.is_some());
    let Some(mut tokens) = declaration(before.get(..start).unwrap_or_default()) else { return Expected::default() };
    // Only a declaration begins with `@`.
    tokens.retain(|_| pragma.is_none());
    let (begins, terminals) = allowed(&tokens);
    let tokens = tokens.get(begins..).unwrap_or_default();
    let words = terminals.iter().map(|terminal| terminal.trim_matches('"'));
    let mut words: Vec<String> = words.filter(|word| is_word(word)).map(str::to_owned).collect();
    // After `@`, there is nothing but pragmas.
    words.retain(|word| pragma.is_none() || word.starts_with('@'));
    let named = pragma.is_none() && terminals.iter().any(|terminal| terminal == "\"name\"");
    let kinds = if named { kinds(tokens) } else { &[] };
    Expected { start: u32::try_from(start).unwrap_or(u32::MAX), words, kinds: kinds.to_vec(), ..Expected::default() }
}

/// Whether a terminal is a reserved word.
fn is_word(terminal: &str) -> bool {
    terminal.starts_with('@') || KEYWORDS.iter().any(|&(text, _)| text == terminal)
}

/// The tokens of the declaration that a text ends in; `None` inside of comments and of unknown pragmas.
fn declaration(text: &str) -> Option<Vec<Lexeme<'_>>> {
    let mut tokens = Vec::new();
    let mut comment = None;
    for lexeme in Lexer::new(text) {
        match lexeme.token {
            Token::Comment(_) => {}
            Token::Semicolon => tokens.clear(),
            Token::Pragma(body) => {
                let (known, names) = Known::split(body)?;
                tokens.clear();
                tokens.push(Lexeme { token: Token::Known(known), ..lexeme });
                tokens.extend(Lexer::part(names, lexeme.end - names.len()));
            }
            Token::Const | Token::Type | Token::Var if lexeme.newlines > 0 => {
                tokens.clear();
                tokens.push(lexeme);
            }
            _ => tokens.push(lexeme),
        }
        comment = matches!(lexeme.token, Token::Comment(_)).then_some(lexeme.end);
    }
    if comment == Some(text.len()) { None } else { Some(tokens) }
}

/// Where the last declaration begins, and the terminals that may follow. Where a token does not fit, a declaration probably begins with its line.
fn allowed(tokens: &[Lexeme<'_>]) -> (usize, Vec<String>) {
    let parser = DeclarationParser::new();
    let mut first = 0;
    while let Some(rest) = tokens.get(first..).filter(|rest| depth(rest) <= MAX_NESTING) {
        let placed = rest.iter().map(|lexeme| (lexeme.start, lexeme.token, lexeme.end));
        match parser.parse(SourceId(0), placed) {
            Err(ParseError::UnrecognizedEof { expected, .. }) => return (first, expected),
            Err(ParseError::UnrecognizedToken { token: (start, ..), .. }) => {
                let wrong = rest.partition_point(|lexeme| lexeme.start <= start);
                let fits = rest.get(1..wrong).unwrap_or_default();
                let Some(line) = fits.iter().rposition(|lexeme| lexeme.newlines > 0) else { break };
                first += line + 1;
            }
            _ => break,
        }
    }
    (first, Vec::new())
}

/// How deep brackets nest.
fn depth(tokens: &[Lexeme<'_>]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for lexeme in tokens {
        match lexeme.token {
            Token::OpenBrace | Token::OpenParen | Token::OpenBracket => depth += 1,
            Token::CloseBrace | Token::CloseParen | Token::CloseBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// What a name stands for that follows these tokens of a declaration.
fn kinds(tokens: &[Lexeme<'_>]) -> &'static [EntityKind] {
    use EntityKind::{Constant, Node, Parameter, Tag, Type, Value, Variable};
    let has = |token| tokens.iter().any(|lexeme| lexeme.token == token);
    let Some(first) = tokens.first() else { return &[Node] };
    let last = tokens.last().map_or(first.token, |lexeme| lexeme.token);
    let braces = tokens.iter().rev().find_map(|lexeme| match lexeme.token {
        Token::OpenBrace => Some(true),
        Token::CloseBrace => Some(false),
        _ => None,
    });
    let inside = braces == Some(true);
    match first.token {
        Token::Type if !has(Token::Assign) => &[],
        Token::Const | Token::Var if !has(Token::Colon) => &[],
        Token::Const | Token::Var if has(Token::Assign) => match last {
            Token::OpenBrace | Token::Comma => &[Value],
            _ => &[Value, Constant],
        },
        Token::Type | Token::Const | Token::Var => {
            if inside {
                &[Value]
            } else {
                &[Type]
            }
        }
        Token::Known(_) => &[Node, Variable, Value, Tag, Type, Parameter],
        _ if !has(Token::Colon) => &[Node],
        _ => match last {
            Token::Dollar => &[Tag, Value],
            Token::DollarDollar => &[Variable],
            Token::Question | Token::Exclamation => &[Node],
            Token::Arrow if has(Token::Question) || has(Token::Exclamation) => &[Node],
            Token::Arrow => &[Type],
            Token::OpenBrace | Token::Comma => &[Value],
            _ => &[Variable, Constant, Value, Type],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EntityKind::{Constant, Node, Tag, Type, Value, Variable};

    /// What may stand at the end of a text.
    fn at_end(text: &str) -> (String, Vec<EntityKind>) {
        let Expected { start, words, kinds, .. } = expected(text, text.len());
        (format!("{}|{}", &text[start as usize..], words.join(" ")), kinds)
    }

    #[test]
    fn names_are_of_what_fits() {
        let kinds = |text: &str| at_end(text).1;
        assert_eq!(kinds(""), [Node]);
        assert_eq!(kinds("a, b: ;\nbe"), [Node]);
        assert_eq!(kinds("a, "), [Node]);
        assert_eq!(kinds("a, b: $ "), [Tag, Value]);
        assert_eq!(kinds("a, b: $$ x"), [Variable]);
        assert_eq!(kinds("a, b: ? c -> "), [Node]);
        assert_eq!(kinds("a, b: x["), [Variable, Constant, Value, Type]);
        assert_eq!(kinds("var x: "), [Type]);
        assert_eq!(kinds("var x: T = { :"), [Value, Constant]);
        assert_eq!(kinds("type T = { a, "), [Value]);
        assert_eq!(kinds("type T = "), [Type]);
    }

    #[test]
    fn nothing_is_offered_where_a_name_is_new_or_nothing_fits() {
        assert!(at_end("type ").1.is_empty() && at_end("var ").1.is_empty());
        assert!(at_end("a, b: x y").1.is_empty());
        assert_eq!(at_end("// a "), ("// a |".to_owned(), Vec::new()));
    }

    #[test]
    fn reserved_words_begin_declarations() {
        assert_eq!(at_end("a, b: ;\nty").0.split('|').next(), Some("ty"));
        assert!(at_end("ty").0.contains("const") && at_end("ty").0.contains("@unique"));
        let (words, kinds) = at_end("@un");
        assert!(words.starts_with("@un|@") && words.contains("@unique") && !words.contains("type") && kinds.is_empty());
    }

    #[test]
    fn a_missing_semicolon_is_seen_through() {
        assert_eq!(at_end("a, b: x = y\nc, d: ? ").1, [Node]);
        assert_eq!(at_end("a, b: x = y\nvar x: ").1, [Type]);
        assert_eq!(at_end("a, b: x =\nc, d: $ ").1, [Tag, Value]);
        assert!(at_end("a, b: x =\n@un").0.contains("@unique"));
    }

    #[test]
    fn deep_brackets_are_left_alone() {
        let deep = format!("a, b: {}x{}", "T(".repeat(100_000), ")".repeat(100_000));
        assert!(at_end(&deep).1.is_empty());
    }
}
