//! Laws and refusals of the JSON format.

use super::{from_json, schema, to_json};
use crate::source::SourceId;
use crate::{Diagnostic, Expr, Game, Label, Span, Value, testing, text};
use proptest::prelude::*;

const SOURCE: SourceId = SourceId(0);

/// A game that uses everything the format can say.
const EVERYTHING: &str = "
    @artificialTag t;
    @disjoint begin : m;
    @disjointExhaustive m : n n;
    @integer 3 : x y;
    @iterator begin m n : v;
    @repeat m n : v w;
    @repeat m : ;
    @unique n;
    @tagIndex m n : 1;
    @tagMaxIndex n : 2;
    @translatedFromRbg;
    @simpleApply begin m [] v = x;
    @simpleApplyExhaustive m end [t, v_1: T] f[v] = T(v_1), player = keeper;
    @someone else : says \"this\" \\ and that;
    type Player = { a, b };
    type Score = { 50, 0, 100 };
    type T = { x, y };
    type Bool = { 1, 0 };
    type F = T -> { x } -> T;
    const c: T = d;
    const d: T = y;
    const żółć: T -> T = { :d, x: c, y: x };
    var v: T = c;
    var w: F = { :{ :x }, y: { x: d, :y } };
    var f: T -> T = żółć;
    begin, m: ;
    m, n: w[v][x] == T(f[żółć[v]]);
    m, n: T(v) != c;
    m, n: T(f[v]) = w[T(y)][x];
    m, n: v = T(*);
    m, n: v = { x }(*);
    m, n: ? p -> q;
    m, n: ! p -> q;
    p, q: $ t;
    n, n2: $$ v;
    n2, end: player = keeper;
";

fn parse(text: &str) -> Game {
    let (game, found) = text::parse(SOURCE, text);
    game.unwrap_or_else(|| panic!("{found:?}"))
}

fn law(game: &Game) {
    let json = to_json(game);
    let back = from_json(SOURCE, &json).unwrap_or_else(|found| panic!("{found:?}\n{json}"));
    assert_eq!(&back, game, "{json}");
    assert_eq!(to_json(&back), json);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["version"], super::VERSION);
}

#[test]
fn everything_comes_back() {
    law(&parse(EVERYTHING));
}

#[test]
fn corpus_games_come_back() {
    for (_, text) in testing::corpus("rg") {
        law(&parse(&text));
    }
}

#[test]
fn names_keep_their_kind() {
    // A symbol of the same name as a variable cannot be said in a text, but in JSON.
    let mut game = parse(EVERYTHING);
    let v = game.symbols.intern("v");
    let lhs = game.exprs.intern(Expr::Symbol(v));
    let rhs = game.resolve_name(v);
    let (begin, end) = (game.begin(), game.end());
    game.automaton.add_edge(begin, end, Label::Compare { lhs, rhs, negated: false }, Span::NONE);
    law(&game);
}

#[test]
fn snapshot() {
    let game = parse(
        "type Player = { a }; type Score = { 0 }; const c: Player -> Player = { :a, a: a }; @unique begin;
         begin, m: $ a; m, n: c[player] != Player(a); n, o: ? o -> o; o, end: player = keeper;",
    );
    testing::snapshot("json", to_json(&game));
}

fn refused(text: &str) -> Vec<Diagnostic> {
    from_json(SOURCE, text).expect_err(text)
}

fn only(text: &str) -> (&'static str, String, std::ops::Range<usize>) {
    let mut found = refused(text);
    assert_eq!(found.len(), 1, "{found:?}");
    let found = found.remove(0);
    (found.code, found.message, found.primary.unwrap().span.range())
}

#[test]
fn bad_json_is_reported_with_its_place() {
    let text = "{\n \"version\": 1,\n \"types\": [}\n";
    let (code, message, range) = only(text);
    assert_eq!((code, &text[range]), ("RG060", "}"), "{message}");
    assert!(!message.contains("line"), "{message}");
    for text in ["", "1", "[]", "{", "nonsense", "\u{feff}{}", "{\"version\":1}", "\"", "{\"version\":-1}", "żż"] {
        assert_eq!(only(text).0, "RG060", "{text}");
    }
}

#[test]
fn unknown_fields_are_reported() {
    let text = r#"{"version": 1, "types": [], "edges": [], "edgs": []}"#;
    let (code, message, range) = only(text);
    assert_eq!(code, "RG060");
    assert!(message.contains("`edgs`"), "{message}");
    assert!(text[..range.end].contains("edgs"));
    let text = r#"{"version":1,"types":[],"edges":[{"source":"a","target":"b","label":"skip","color":"red"}]}"#;
    assert!(only(text).1.contains("`color`"));
    let text = r#"{"version":1,"types":[],"edges":[{"source":"a","target":"b","label":"jump"}]}"#;
    assert!(only(text).1.contains("`jump`"));
}

#[test]
fn other_versions_are_refused() {
    for text in [r#"{"version": 2, "types": [], "edges": []}"#, r#"{"version": 7, "rules": "new"}"#] {
        let (code, _, range) = only(text);
        assert_eq!((code, &text[range]), ("RG061", "\"version\""));
    }
}

#[test]
fn unknown_and_impossible_names_are_reported() {
    let label = |label: &str| {
        format!(
            r#"{{"version":1,"types":[],"variables":[{{"name":"value","type":{{"name":"T"}},"initial":{{"symbol":"x"}}}}],
            "edges":[{{"source":"begin","target":"end","label":{label}}}]}}"#
        )
    };
    let found = refused(&label(r#"{"tagVariable":"valu"}"#));
    assert_eq!((found[0].code, found[0].help.as_deref()), ("RG062", Some("did you mean `value`?")));
    assert_eq!(found[0].message, "unknown variable `valu`");
    assert_eq!(found[0].notes, ["at `edges[0]`"]);
    let both = label(r#"{"assign":{"lhs":{"variable":"p"},"rhs":{"constant":"q"}}}"#);
    assert_eq!(refused(&both).iter().map(|d| d.code).collect::<Vec<_>>(), ["RG062", "RG062"]);
    for name in ["", "a b", "type", "x;", "\\u0000", "a-b"] {
        assert_eq!(refused(&label(&format!(r#"{{"tag":"{name}"}}"#)))[0].code, "RG063", "{name}");
    }
    assert_eq!(refused(r#"{"version":1,"types":[],"edges":[],"pragmas":[{"unknown":"a;b"}]}"#)[0].code, "RG063");
    let short = label(r#"{"compare":{"lhs":{"access":[{"symbol":"x"}]},"rhs":{"symbol":"x"}}}"#);
    assert_eq!(refused(&short)[0].code, "RG060");
}

#[test]
fn games_that_nest_as_deep_as_texts_may_are_read_back() {
    let depth = 990;
    let casts = format!("{}x{}", "T(".repeat(depth), ")".repeat(depth));
    let arrows = "T -> ".repeat(depth);
    let value = format!("{}x{}", "{ :".repeat(depth), " }".repeat(depth));
    let text = format!(
        "type Player = {{ a }}; type Score = {{ 0 }}; type T = {{ x }}; var v: T = x; var m: {arrows}T = {value};
        begin, p: player = a; p, q: v == {casts}; q, end: player = keeper;"
    );
    let game = parse(&text);
    let json = to_json(&game);
    assert_eq!(from_json(SourceId(0), &json).unwrap(), game);
}

#[test]
fn deep_json_is_refused_and_deep_games_are_written() {
    for text in ["[".repeat(100_000), format!(r#"{{"version":1,"types":{}"#, r#"[{"arrow":"#.repeat(100_000))] {
        assert_eq!(only(&text).0, "RG060");
    }
    let mut game = parse(EVERYTHING);
    let t = game.symbols.intern("T");
    let t = game.types.name(t);
    let x = game.symbols.intern("x");
    let mut expr = game.exprs.intern(Expr::Symbol(x));
    for _ in 0..100_000 {
        expr = game.exprs.intern(Expr::Cast(t, expr));
    }
    let (begin, end) = (game.begin(), game.end());
    game.automaton.add_edge(begin, end, Label::Compare { lhs: expr, rhs: expr, negated: true }, Span::NONE);
    let (code, message, _) = only(&to_json(&game));
    assert_eq!(code, "RG060");
    assert!(message.contains("more than 4096 levels deep"), "{message}");
}

/// Findings say where in the document they are: by the path of serde, or of the item that the game was made of.
#[test]
fn findings_have_a_path() {
    let json = to_json(&parse(EVERYTHING));
    let broken = json.replacen("\"reachability\"", "\"reachable\"", 1);
    assert_ne!(json, broken);
    let found = from_json(SourceId(0), &broken).unwrap_err();
    assert!(found[0].notes.iter().any(|note| note.starts_with("at `edges[")), "{found:?}");
    let text = r#"{"version":1,"types":[],"constants":[],"variables":[],"pragmas":[],"edges":[
        {"source":"begin","target":"p","label":{"tag":"t"}},
        {"source":"p","target":"end","label":{"assign":{"lhs":{"symbol":"x"},"rhs":{"symbol":"y"}}}}]}"#;
    let game = from_json(SourceId(0), text).unwrap();
    let paths: Vec<Option<String>> = crate::check(&game).iter().map(|finding| super::path(&game, finding)).collect();
    assert!(paths.contains(&Some("edges[1].label".to_owned())), "{paths:?}");
}

#[test]
fn the_schema_describes_the_format() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    assert_eq!(schema["title"], "Document");
    let fields = schema["properties"].as_object().unwrap();
    let written: serde_json::Value = serde_json::from_str(&to_json(&parse(EVERYTHING))).unwrap();
    for field in written.as_object().unwrap().keys() {
        assert!(fields.contains_key(field), "{field}");
    }
    let labels = schema["$defs"]["Label"]["oneOf"].as_array().unwrap();
    assert_eq!(labels.len(), 7);
}

/// A game of random parts; names come from a small pool so that they meet.
fn games() -> impl Strategy<Value = Game> {
    let name = || prop::sample::select(vec!["a", "b", "x", "1", "constant", "żółć", "keeper"]);
    let names = || prop::collection::vec(name(), 1..4);
    let declarations = (prop::collection::vec((name(), names()), 0..4), prop::collection::vec((name(), names()), 0..4));
    let edges = prop::collection::vec((name(), name(), 0..7usize, any::<prop::sample::Index>(), name()), 0..12);
    (declarations, edges).prop_map(|((consts, vars), edges)| build(&consts, &vars, &edges))
}

type RandomEdge = (&'static str, &'static str, usize, prop::sample::Index, &'static str);

fn build(consts: &[(&str, Vec<&str>)], vars: &[(&str, Vec<&str>)], edges: &[RandomEdge]) -> Game {
    let mut game = parse("type Player = { a }; type Score = { 0 }; begin, end: player = keeper;");
    for (is_const, &(name, ref parts)) in consts.iter().map(|d| (true, d)).chain(vars.iter().map(|d| (false, d))) {
        let symbol = game.symbols.intern(name);
        if game.find_const(symbol).is_some() || game.find_var(symbol).is_some() {
            continue;
        }
        let members: Vec<_> = parts.iter().map(|part| game.symbols.intern(part)).collect();
        let set = game.types.set(members.clone());
        let (mut ty, mut value) = (set, Value::Symbol(members[0]));
        for &member in &members[1..] {
            ty = game.types.arrow(set, ty);
            value = Value::map(value.clone(), [(member, value)]);
        }
        match is_const {
            true => drop(game.add_const(symbol, ty, value, Span::NONE)),
            false => drop(game.add_var(symbol, ty, value, Span::NONE)),
        };
    }
    for &(source, target, kind, pick, name) in edges {
        add_edge(&mut game, source, target, kind, pick, name);
    }
    game
}

fn add_edge(game: &mut Game, source: &str, target: &str, kind: usize, pick: prop::sample::Index, name: &str) {
    let symbol = game.symbols.intern(name);
    let (source, target) = (game.symbols.intern(source), game.symbols.intern(target));
    let (source, target) = (game.node(source, Span::NONE), game.node(target, Span::NONE));
    let leaf = game.resolve_name(symbol);
    let ty = game.types.set([symbol]);
    let earlier = crate::ids::Id::from_index(pick.index(game.exprs.len()));
    let access = game.exprs.intern(Expr::Access(earlier, leaf));
    let cast = game.exprs.intern(Expr::Cast(ty, access));
    let label = match kind {
        0 => Label::Skip,
        1 => Label::Compare { lhs: cast, rhs: leaf, negated: pick.index(2) == 0 },
        2 => Label::Assign { lhs: access, rhs: earlier },
        3 => Label::AssignAny { lhs: earlier, ty },
        4 => Label::Tag(symbol),
        5 => Label::TagVar(game.vars.ids().next_back().unwrap()),
        _ => Label::Reach { from: source, to: target, negated: pick.index(2) == 0 },
    };
    game.automaton.add_edge(source, target, label, Span::NONE);
}

proptest! {
    #[test]
    fn random_games_come_back(game in games()) {
        law(&game);
    }

    #[test]
    fn checking_random_games_never_fails(game in games()) {
        let found = crate::check(&game);
        prop_assert!(found.iter().all(|d| d.code.starts_with("RG0")));
    }

    #[test]
    fn random_text_is_no_game_or_one(text in ".{0,40}") {
        if let Err(found) = from_json(SOURCE, &text) {
            prop_assert!(!found.is_empty());
        }
    }
}
