//! What may stand at a place of a text: the grammar tells reserved words, the tokens before the place tell what names are about.

use crate::lexer::{self, CONDITIONS, Kind, STATEMENTS, Token};
use crate::parse::expected_at_end;
use rg_ir::index::{EntityKind, Expected};
use rg_ir::{Report, SourceId};

/// What may stand before byte `offset` of a text, instead of the part of a word that does. Linear.
pub fn expected(text: &str, offset: usize) -> Expected {
    let before = text.get(..text.floor_char_boundary(offset)).unwrap_or_default();
    let word = before.rfind(|c: char| c != '_' && !c.is_alphanumeric()).map_or(0, |at| text.ceil_char_boundary(at + 1));
    let before = before.get(..word).unwrap_or_default();
    let lexed = lexer::lex(SourceId(0), before, &mut Report::default());
    let mut tokens = lexed.tokens;
    let inside = tokens.last().is_some_and(|last| last.kind == Kind::Comment && last.end as usize == before.len());
    if inside || !lexed.complete {
        return Expected::default();
    }
    tokens.retain(|token| token.kind != Kind::Comment);
    let (first, terminals) = expected_at_end(SourceId(0), before, &tokens);
    let terminals: Vec<&str> = terminals.iter().map(|terminal| terminal.trim_matches('"')).collect();
    let declaration = tokens.get(first..).unwrap_or_default();
    let is_word = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_lowercase()) && !TERMINALS.contains(word);
    let mut words: Vec<String> = terminals.iter().filter(is_word).map(|&word| word.to_owned()).collect();
    let accepts = |word: &str| terminals.contains(&word);
    if accepts("branch") {
        words.extend(STATEMENTS.map(str::to_owned));
    }
    let in_graph = matches!(declaration.first().map(|token| token.kind), Some(Kind::Graph | Kind::Reusable));
    if in_graph && accepts("if") && !accepts("branch") || accepts("lower") && in_condition(declaration, before) {
        words.extend(CONDITIONS.map(str::to_owned));
    }
    let named = accepts("lower") || accepts("upper");
    let kinds = if named { kinds(declaration, accepts("branch")) } else { &[] };
    Expected { start: u32::try_from(word).unwrap_or(u32::MAX), words, kinds: kinds.to_vec(), ..Expected::default() }
}

/// Terminals of the grammar that are not words of the language, and words that no declaration begins with.
const TERMINALS: [&str; 8] = ["lower", "upper", "number", "rest", "unknown", "const", "type", "var"];

/// Whether a condition may stand behind these tokens: right after `check(`, `not(`, `if`, `while`, `&&`, `||`.
fn in_condition(tokens: &[Token], text: &str) -> bool {
    match tokens {
        [.., word, open] if open.kind == Kind::ParenOpen => ["check", "not"].contains(&word.text(text)),
        [.., last] => matches!(last.kind, Kind::If | Kind::While | Kind::AndAnd | Kind::OrOr),
        [] => false,
    }
}

/// What a name stands for that follows these tokens of a declaration.
fn kinds(tokens: &[Token], statement: bool) -> &'static [EntityKind] {
    use EntityKind::{Function, Graph, Parameter, Tag, Type, Value, Variable};
    let Some(first) = tokens.first() else { return &[] };
    let last = tokens.last().unwrap_or(first).kind;
    let before = tokens.len().checked_sub(2).and_then(|at| tokens.get(at)).map(|token| token.kind);
    match last {
        Kind::Domain | Kind::Graph | Kind::Reusable => &[],
        Kind::Branch | Kind::Repeat => &[],
        _ if statement => &[Graph, Variable],
        // `{ :` and what it stands for by default, and then keys, which are patterns, with their values.
        Kind::Colon if before == Some(Kind::BraceOpen) => &[Value, Parameter, Function, Variable],
        Kind::BraceOpen if matches!(before, Some(Kind::Equal | Kind::Then | Kind::Else)) => &[Value, Parameter],
        Kind::BraceOpen if before == Some(Kind::In) => &[Value],
        Kind::Semicolon => &[Value, Parameter],
        Kind::Colon | Kind::Arrow | Kind::In => &[Type],
        Kind::DollarDollar => &[Variable, Parameter],
        Kind::Dollar | Kind::DollarArtificial => &[Tag, Value, Parameter],
        _ if first.kind == Kind::Domain => &[Type, Value, Parameter],
        _ => &[Parameter, Variable, Function, Value, Graph, Type],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EntityKind::{Graph, Parameter, Tag, Type, Value, Variable};

    /// What may stand at the end of a text.
    fn at_end(text: &str) -> (Vec<String>, Vec<EntityKind>) {
        let Expected { words, kinds, .. } = expected(text, text.len());
        (words, kinds)
    }

    fn offers(text: &str, word: &str) -> bool {
        at_end(text).0.iter().any(|other| other == word)
    }

    #[test]
    fn names_are_of_what_fits() {
        assert_eq!(at_end("graph g() {\n  ").1, [Graph, Variable]);
        assert_eq!(at_end("graph g() {\n  $ ").1.first(), Some(&Tag));
        assert_eq!(at_end("graph g() {\n  $$ ").1.first(), Some(&Variable));
        assert_eq!(at_end("x: ").1, [Type]);
        assert_eq!(at_end("f: A -> ").1, [Type]);
        assert_eq!(at_end("m: A -> B = { :").1.first(), Some(&Value));
        assert_eq!(at_end("m: A -> B = { :b; ").1, [Value, Parameter]);
        assert_eq!(at_end("m: A -> B = { ").1, [Value, Parameter]);
        assert_eq!(at_end("graph g() {\n  x = { :").1.first(), Some(&Value));
        assert_eq!(at_end("graph g(me: ").1, [Type]);
        assert!(at_end("graph ").1.is_empty() && at_end("domain ").1.is_empty());
        assert!(at_end("// a").1.is_empty() && at_end("// a").0.is_empty());
    }

    #[test]
    fn words_are_those_that_fit() {
        assert!(offers("", "domain") && offers("domain A = a\n", "graph") && !offers("", "loop"));
        assert!(offers("graph g() {\n  lo", "loop") && offers("graph g() {\n  ", "check"));
        assert!(offers("graph g() {\n  check(", "reachable") && !offers("graph g() {\n  check(", "loop"));
        assert!(offers("domain C = C(X) ", "where"));
    }

    #[test]
    fn mistakes_before_are_seen_through() {
        assert_eq!(at_end("graph g() {\n  x = = y\n  if a == ) { b = c }\n  ").1, [Graph, Variable]);
        assert_eq!(at_end("domain A = |\nx: ").1, [Type]);
    }
}
