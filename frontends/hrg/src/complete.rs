//! What may stand at a place of a text: the grammar tells reserved words, the tokens before the place tell what names are about.

use crate::ast::Element;
use crate::lexer::{self, CONDITIONS, Kind, STATEMENTS, Token};
use crate::parse::{expected_at_end, parse_into};
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
    let begins = begins_statement(declaration, before);
    let is_word = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_lowercase()) && !TERMINALS.contains(word);
    let accepts = |word: &str| terminals.contains(&word);
    // One statement stands on a line.
    let fits = |word: &&&str| match accepts("branch") {
        true if begins => !CONTINUES.contains(word),
        true => !STARTS.contains(word),
        false => true,
    };
    let mut words: Vec<String> = terminals.iter().filter(is_word).filter(fits).map(|&word| word.to_owned()).collect();
    if accepts("branch") && begins {
        words.extend(STATEMENTS.map(str::to_owned));
    }
    let in_graph = matches!(declaration.first().map(|token| token.kind), Some(Kind::Graph | Kind::Reusable));
    if in_graph && accepts("if") && !accepts("branch") || accepts("lower") && in_condition(declaration, before) {
        words.extend(CONDITIONS.map(str::to_owned));
    }
    let named = accepts("lower") || accepts("upper");
    let goes_on = !accepts("branch") || begins;
    let kinds = if named && goes_on { kinds(text, declaration, accepts("branch")) } else { &[] };
    let likely = if kinds.contains(&EntityKind::Value) { likely(text, &tokens, declaration) } else { Vec::new() };
    let start = u32::try_from(word).unwrap_or(u32::MAX);
    Expected { start, words, kinds: kinds.to_vec(), likely, ..Expected::default() }
}

/// Words with which an expression goes on, and a word that says the same as another one.
const CONTINUES: [&str; 2] = ["in", "forall"];

/// Words that begin statements.
const STARTS: [&str; 6] = ["branch", "forall", "if", "loop", "repeat", "while"];

/// Whether a statement may begin behind these tokens: on a new line, or behind a brace.
fn begins_statement(tokens: &[Token], before: &str) -> bool {
    let Some(last) = tokens.last() else { return true };
    let gap = before.get(last.end as usize..).unwrap_or_default();
    gap.contains('\n') || matches!(last.kind, Kind::BraceOpen | Kind::BraceClose)
}

/// The values of the type that is wanted behind these tokens, if what tells it is declared in front, and names of that type. Linear.
fn likely(text: &str, tokens: &[Token], declaration: &[Token]) -> Vec<String> {
    let declared = declared_types(text, tokens);
    let Some(Wanted { ty, of }) = wanted(text, tokens, declaration, &declared) else { return Vec::new() };
    let tree = parse_into(SourceId(0), text, &mut Report::default());
    // Whoever has a value of that type, and those values.
    let typed = declared.iter().filter(|(other, names)| names.last() == Some(&ty) && *other != of);
    let mut values: Vec<String> = typed.map(|(other, _)| (*other).to_owned()).collect();
    if of == "player" {
        values.extend(["keeper", "random"].map(str::to_owned));
    }
    let mut left = vec![ty];
    let mut seen: Vec<&str> = Vec::new();
    while let Some(ty) = left.pop() {
        if seen.contains(&ty) {
            continue;
        }
        seen.push(ty);
        match tree.domains.iter().find(|domain| tree.symbols.name(domain.name.symbol) == ty) {
            Some(domain) => left.extend(domain.elements.iter().map(|element| match element {
                Element::Name(name) | Element::Generator(name, ..) => tree.symbols.name(name.symbol),
            })),
            None => values.push(ty.to_owned()),
        }
    }
    values
}

/// A type, and what has a value of it already, which another value is assigned to or compared with.
struct Wanted<'t> {
    ty: &'t str,
    of: &'t str,
}

/// Names with the names of their types: of `name: A -> B`, `A` and `B`.
pub(crate) type Declared<'t> = Vec<(&'t str, Vec<&'t str>)>;

/// The type of what stands behind these tokens: of what is assigned or compared, of an argument, or of a key.
fn wanted<'t>(text: &'t str, tokens: &[Token], declaration: &[Token], declared: &Declared<'t>) -> Option<Wanted<'t>> {
    let types = |name: &str| declared.iter().rev().find(|(other, _)| *other == name);
    let [rest @ .., last] = tokens else { return None };
    let is_map = matches!(declaration, [name, colon, ..] if name.kind.is_name() && colon.kind == Kind::Colon);
    let depth = || open_brackets(declaration).iter().filter(|(open, _)| open.kind == Kind::BraceOpen).count();
    let of_map = |number: usize| {
        let name = declaration.first().filter(|_| is_map)?.text(text);
        let (_, types) = types(name)?;
        types.get(number).map(|&ty| Wanted { ty, of: "" })
    };
    match last.kind {
        Kind::Equal if is_map && depth() > 0 => of_map(depth()),
        // The value that a variable has at first.
        Kind::Equal if is_initial(declaration) => match types(declaration.first()?.text(text)) {
            Some((of, types)) if types.len() == 1 => types.last().map(|&ty| Wanted { ty, of }),
            _ => None,
        },
        Kind::Equal | Kind::EqualEqual | Kind::NotEqual => {
            let name = base(rest).filter(|name| name.kind.is_name())?;
            let (of, types) = types(name.text(text))?;
            types.last().map(|&ty| Wanted { ty, of })
        }
        Kind::Colon if rest.last().is_some_and(|before| before.kind == Kind::BraceOpen) => of_map(depth()),
        Kind::BraceOpen | Kind::Semicolon => of_map(depth().checked_sub(1)?),
        Kind::ParenOpen | Kind::Comma | Kind::BracketOpen => {
            let (open, at) = open_brackets(tokens).last().copied()?;
            let inside = tokens.get(at + 1..).unwrap_or_default();
            let callee = tokens.get(..at).and_then(base).filter(|name| name.kind.is_name())?;
            let (name, before) = (callee.text(text), tokens.get(..at).unwrap_or_default());
            let number = match open.kind {
                Kind::ParenOpen => commas(inside),
                Kind::BracketOpen => accesses(before),
                _ => return None,
            };
            let of_graph = || parameters(text, tokens, name).and_then(|parameters| parameters.get(number).copied());
            let key = types(name).filter(|(_, types)| number + 1 < types.len());
            let ty = key.and_then(|(_, types)| types.get(number).copied()).or_else(of_graph)?;
            Some(Wanted { ty, of: "" })
        }
        _ => None,
    }
}

/// Of `map[key][key]`, the map; of `f(a, b)`, the function.
fn base(tokens: &[Token]) -> Option<&Token> {
    let mut depth = 0_usize;
    tokens.iter().rev().find(|token| {
        match token.kind {
            Kind::BracketClose | Kind::ParenClose => depth += 1,
            Kind::BracketOpen | Kind::ParenOpen if depth > 0 => depth -= 1,
            _ => return depth == 0,
        }
        false
    })
}

/// How many keys stand in brackets at the end of these tokens.
fn accesses(tokens: &[Token]) -> usize {
    let (mut depth, mut count) = (0_usize, 0);
    for token in tokens.iter().rev() {
        match token.kind {
            Kind::BracketClose | Kind::ParenClose => depth += 1,
            Kind::BracketOpen | Kind::ParenOpen if depth > 0 => {
                depth -= 1;
                count += usize::from(depth == 0);
            }
            _ if depth == 0 => break,
            _ => {}
        }
    }
    count
}

/// The brackets that are open behind these tokens, with their numbers, the innermost one last.
fn open_brackets(tokens: &[Token]) -> Vec<(Token, usize)> {
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind.opens() {
            open.push((*token, at));
        } else if token.kind.closes() {
            open.pop();
        }
    }
    open
}

/// How many commas are not inside brackets.
pub(crate) fn commas(tokens: &[Token]) -> usize {
    let mut depth = 0_usize;
    let mut count = 0;
    for token in tokens {
        match token.kind {
            kind if kind.opens() => depth += 1,
            kind if kind.closes() => depth = depth.saturating_sub(1),
            Kind::Comma if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

/// The types of the parameters of a graph, in order; of a map, that of its values.
fn parameters<'t>(text: &'t str, tokens: &[Token], graph: &str) -> Option<Vec<&'t str>> {
    let is_head = |head: &[Token]| matches!(head, [word, name, open] if word.kind == Kind::Graph && name.text(text) == graph && open.kind == Kind::ParenOpen);
    let at = tokens.windows(3).position(is_head)?;
    let inside = tokens.get(at + 3..).unwrap_or_default();
    let end = inside.iter().position(|token| token.kind == Kind::ParenClose).unwrap_or(inside.len());
    let list = inside.get(..end).unwrap_or_default().split(|token| token.kind == Kind::Comma);
    Some(list.filter_map(|parameter| parameter.last()).map(|ty| ty.text(text)).collect())
}

/// Names that are declared with a `:`, in order, with the names of their types. Those of the language come first. Linear.
pub(crate) fn declared_types<'t>(text: &'t str, tokens: &[Token]) -> Declared<'t> {
    let mut declared =
        vec![("player", vec!["Player"]), ("goals", vec!["Player", "Score"]), ("visible", vec!["Player", "Bool"])];
    for (at, pair) in tokens.windows(2).enumerate() {
        let [name, colon] = pair else { continue };
        let Some((first, rest)) = tokens.get(at + 2..).and_then(<[Token]>::split_first) else { continue };
        if colon.kind != Kind::Colon || !name.kind.is_name() || !first.kind.is_name() {
            continue;
        }
        let arrow = |pair: &&[Token]| matches!(pair, [arrow, ty] if arrow.kind == Kind::Arrow && ty.kind.is_name());
        let more = rest.chunks_exact(2).take_while(arrow).filter_map(<[Token]>::last);
        let types = std::iter::once(first).chain(more).map(|ty| ty.text(text)).collect();
        declared.push((name.text(text), types));
    }
    declared
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
fn kinds(text: &str, tokens: &[Token], statement: bool) -> &'static [EntityKind] {
    use EntityKind::{Function, Graph, Parameter, Tag, Type, Value, Variable};
    let Some(first) = tokens.first() else { return &[] };
    let last = tokens.last().unwrap_or(first).kind;
    if matches!(tokens, [.., word, open] if open.kind == Kind::ParenOpen && word.text(text) == "reachable") {
        return &[Graph];
    }
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
        // Initial values and results are computed before anything is in a variable.
        Kind::Equal if is_initial(tokens) => &[Value, Function],
        _ if first.kind == Kind::Domain => &[Type, Value, Parameter],
        _ => &[Parameter, Variable, Function, Value, Graph, Type],
    }
}

/// Whether a variable is declared here, whose value at first follows: there is nothing but its type in front of the last sign, and no case of a function.
fn is_initial(tokens: &[Token]) -> bool {
    let [name, colon, ty @ .., equal] = tokens else { return false };
    let is_type = |token: &Token| !matches!(token.kind, Kind::ParenOpen | Kind::Equal);
    name.kind.is_name()
        && colon.kind == Kind::Colon
        && equal.kind == Kind::Equal
        && ty.iter().all(is_type)
        && open_brackets(ty).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use EntityKind::{Function, Graph, Parameter, Tag, Type, Value, Variable};

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
    fn a_statement_begins_on_a_line_of_its_own() {
        assert!(!offers("graph g() {\n  x = y\n  ", "in") && offers("f: A -> A\nf(X) = if X ", "in"));
        for word in ["branch", "check", "loop"] {
            assert!(offers("graph g() {\n  x = y\n  ", word) && offers("graph g() { ", word), "{word}");
            assert!(!offers("graph g() {\n  x = y ", word) && !offers("graph g() {\n  x = ", word), "{word}");
        }
    }

    #[test]
    fn values_of_the_type_are_likely() {
        let game = "domain Player = white | black\ndomain Piece = none | Player\nm: Player -> Piece\n\
                    f: Player -> Player -> Player\nf(X, Y) = Y\ngraph g(p: Player) {\n  ";
        let likely = |statement: &str| {
            let text = format!("{game}{statement}");
            let mut likely = expected(&text, text.len()).likely;
            likely.sort();
            likely
        };
        // Values, and what has some of them.
        assert_eq!(likely("player = "), ["black", "f", "keeper", "p", "random", "white"]);
        assert_eq!(likely("m[white] = "), ["black", "none", "white"]);
        assert_eq!(likely("check(p == "), ["black", "f", "player", "white"]);
        assert_eq!(likely("check(f(p, m[p]) == "), ["black", "p", "player", "white"]);
        assert_eq!(likely("check(m[f(p, p)] != "), ["black", "none", "white"]);
        assert_eq!(likely("if not(m(p) == "), ["black", "none", "white"]);
        assert!(likely("check((p) == ").is_empty() && likely("check(g(p) == ").is_empty());
        assert!(likely("x = ").is_empty() && likely("check(").is_empty());
        // Arguments and keys.
        let players = ["black", "f", "p", "player", "white"];
        for statement in
            ["m[", "goals[", "check(f(", "check(f(p, ", "check(f(f(p, p), ", "g(", "check(reachable(g(", "x = m["]
        {
            assert_eq!(likely(statement), players, "{statement}");
        }
        assert!(likely("check(f(p, p, ").is_empty() && likely("m[p][").is_empty() && likely("g(p, ").is_empty());
        assert_eq!(at_end(&format!("{game}check(reachable(")).1, [Graph]);
    }

    #[test]
    fn keys_and_values_of_maps_are_likely() {
        let game = "domain Player = white | black\ndomain Piece = none | some\nm: Piece -> Player -> Piece = { ";
        let likely = |entries: &str| {
            let text = format!("{game}{entries}");
            let mut likely = expected(&text, text.len()).likely;
            likely.sort();
            likely
        };
        assert_eq!(likely(""), ["m", "none", "some"]);
        assert_eq!(likely("none = { "), ["black", "player", "white"]);
        assert_eq!(likely("none = { white = "), ["m", "none", "some"]);
        assert_eq!(likely("none = { white = none; "), ["black", "player", "white"]);
        assert_eq!(likely("none = { :none }; "), ["m", "none", "some"]);
        assert_eq!(likely("none = { :"), ["m", "none", "some"]);
    }

    #[test]
    fn initial_values_are_of_the_type() {
        let game = "domain Piece = none | some\ndomain Cell = P(X) where X in 0..1\nf: Cell -> Piece\nf(X) = none\n";
        let at = |text: &str| {
            let text = format!("{game}{text}");
            let mut found = expected(&text, text.len());
            found.likely.sort();
            (found.kinds, found.likely)
        };
        assert_eq!(at("x: Piece = "), (vec![Value, Function], ["f", "none", "some"].map(str::to_owned).to_vec()));
        assert_eq!(at("x: Cell -> Piece = ").1, Vec::<String>::new());
        assert_eq!(at("x: Cell -> Piece = { P(0) = ").1, ["f", "none", "some", "x"]);
    }

    #[test]
    fn mistakes_before_are_seen_through() {
        assert_eq!(at_end("graph g() {\n  x = = y\n  if a == ) { b = c }\n  ").1, [Graph, Variable]);
        assert_eq!(at_end("domain A = |\nx: ").1, [Type]);
    }
}
