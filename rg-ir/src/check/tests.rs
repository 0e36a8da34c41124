//! Every check fires on a wrong game and stays silent on a similar right one.

use super::check;
use crate::diag::{Diagnostic, has_errors};
use crate::source::SourceId;
use crate::{Game, Label, Span, json, text};
use std::collections::BTreeSet;

const PRELUDE: &str = "type Player = { a, b }; type Score = { 0, 1, 2 }; type T = { x, y }; type U = { y, z };\n";

/// A whole game around a few declarations.
pub(super) fn complete(part: &str) -> String {
    let prelude = if part.contains("type Player =") || part.contains("type Score =") { "" } else { PRELUDE };
    let main = if part.contains("begin,") { "" } else { "\nbegin, end: player = keeper;" };
    format!("{prelude}{part}{main}")
}

/// What parser and checker together say.
pub(super) fn findings(text: &str) -> Vec<Diagnostic> {
    let (game, mut found) = text::parse(SourceId(0), text);
    found.extend(game.iter().flat_map(check));
    found
}

fn codes(found: &[Diagnostic]) -> BTreeSet<&'static str> {
    found.iter().map(|d| d.code).collect()
}

fn messages(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

/// Code, a game that has the mistake, a similar one that has not.
const TEXTS: &[(&str, &str, &str)] = &[
    ("RG001", "var v: Nope = x;", "var v: T = x;"),
    (
        "RG001",
        "var v: T = x; begin, m: v = Nope(*); m, end: player = keeper;",
        "var v: T = x; begin, m: v = T(*); m, end: player = keeper;",
    ),
    ("RG002", "type A = B; type B = A;", "type A = B; type B = T;"),
    ("RG002", "type A = T -> A;", "type A = T -> T;"),
    ("RG003", "type F = T -> U; type G = F -> U;", "type F = T -> U; type G = T -> F;"),
    ("RG004", "type E = {};", "type E = {e};"),
    ("RG005", "type D = {a, a};", "type D = {a, b};"),
    ("RG006", "var v: T = x; var v: T = y;", "var v: T = x; var w: T = y;"),
    ("RG006", "type A = T; type A = U;", "type A = T; type B = U;"),
    ("RG006", "const c: T = x; const c: T = x;", "const c: T = x; const d: T = x;"),
    ("RG007", "const c: T = x; var c: T = x;", "const c: T = x; var d: T = c;"),
    ("RG008", "const c: T -> U = {x: y};", "const c: T -> U = {:z, x: y};"),
    ("RG008", "const c: T -> U = {:y, :z};", "const c: T -> U = {:y};"),
    ("RG008", "const c: T -> U = {x: y, x: z, :z};", "const c: T -> U = {x: y, y: z, :z};"),
    ("RG009", "var s: Score = {:0};", "var s: Goals = {:0};"),
    ("RG009", "var s: Goals = 0;", "var s: Score = 0;"),
    ("RG009", "const c: T = x; const d: T -> T = c;", "const c: T = x; const d: T -> T = {:c};"),
    ("RG010", "var p: Player = nobody;", "var p: PlayerOrSystem = random;"),
    ("RG010", "const c: U = z; const d: T = c;", "const c: U = y; const d: T = c;"),
    ("RG010", "const c: T -> U = {:y}; const d: T -> T = c;", "const c: T -> T = {:y}; const d: T -> T = c;"),
    ("RG011", "var s: Goals = {nobody: 1, :0};", "var s: Goals = {a: 1, :0};"),
    ("RG011", "const k: T = x; var m: U -> T = {:x, k: y};", "const y: T = x; var m: U -> T = {:x, y: y};"),
    ("RG012", "const c: T = d; const d: T = c;", "const c: T = d; const d: T = x;"),
    ("RG013", "var v: T = x; var w: T = v;", "const v: T = x; var w: T = v;"),
    ("RG014", "type Player = {a};", "type Player = {a}; type Score = {0};"),
    ("RG014", "type Score = {0};", "type Player = {a}; type Score = {0};"),
    ("RG014", "type Player = {a, keeper}; type Score = {0};", "type Player = {a, keeperx}; type Score = {0};"),
    ("RG014", "type Player = {a}; type Score = Player -> Player;", "type P = {a}; type Player = P; type Score = P;"),
    ("RG014", "type Bool = {0, 1, 2};", "type Bool = {1, 0};"),
    ("RG014", "type PlayerOrSystem = {a, b, keeper};", "type PlayerOrSystem = {keeper, a, b, random};"),
    ("RG014", "type Goals = Player -> Bool;", "type Goals = Player -> Score;"),
    ("RG014", "type Visibility = PlayerOrSystem -> Bool;", "type V = Player -> Bool; type Visibility = V;"),
    ("RG014", "var goals: Score = 0;", "var goals: Player -> Score = {:0};"),
    ("RG014", "var player: PlayerOrSystem = a;", "var player: PlayerOrSystem = keeper;"),
    ("RG014", "var player: Player = a;", "const k: PlayerOrSystem = keeper; var player: PlayerOrSystem = k;"),
    ("RG014", "var visible: Bool = 0;", "var visible: Visibility = {:0, a: 1};"),
    (
        "RG015",
        "var v: T = x; begin, m: x = v; m, end: player = keeper;",
        "var v: T = x; begin, m: v = x; m, end: player = keeper;",
    ),
    (
        "RG015",
        "const c: T -> U = {:y}; begin, m: c[x] = y; m, end: player = keeper;",
        "var c: T -> U = {:y}; begin, m: c[x] = y; m, end: player = keeper;",
    ),
    (
        "RG015",
        "const c: T = x; begin, m: T(c) = T(*); m, end: player = keeper;",
        "var c: T = x; begin, m: T(c) = T(*); m, end: player = keeper;",
    ),
    (
        "RG016",
        "begin, m: player = Player(*); m, end: player = keeper;",
        "begin, m: player = a; m, end: player = keeper;",
    ),
    (
        "RG016",
        "begin, m: PlayerOrSystem(player) = Player(*); m, end: player = keeper;",
        "var p: Player = a; begin, m: p = Player(*); m, end: player = keeper;",
    ),
    (
        "RG017",
        "var v: T = x; begin, m: v == foo; m, end: player = keeper;",
        "var v: T = x; begin, m: v == x; m, end: player = keeper;",
    ),
    (
        "RG017",
        "var v: T = x; begin, m: foo != v; m, end: player = keeper;",
        "var v: T = x; begin, m: x != v; m, end: player = keeper;",
    ),
    (
        "RG017",
        "var v: T = x; var s: Score = 0; begin, m: v = s; m, end: player = keeper;",
        "var v: T = x; var u: U = y; begin, m: v = u; m, end: player = keeper;",
    ),
    (
        "RG017",
        "var v: T = x; begin, m: goals == v; m, end: player = keeper;",
        "begin, m: goals == goals; m, end: player = keeper;",
    ),
    (
        "RG017",
        "var v: T = x; begin, m: v = U(*); m, end: player = keeper;",
        "var v: T = x; begin, m: v = {y}(*); m, end: player = keeper;",
    ),
    ("RG017", "begin, m: x == y; m, end: player = keeper;", "begin, m: x == x; m, end: player = keeper;"),
    (
        "RG018",
        "var v: T = x; begin, m: v[x] == x; m, end: player = keeper;",
        "var v: T -> T = {:x}; begin, m: v[x] == x; m, end: player = keeper;",
    ),
    (
        "RG018",
        "begin, m: goals[goals] == 0; m, end: player = keeper;",
        "begin, m: goals[a] == 0; m, end: player = keeper;",
    ),
    (
        "RG018",
        "var v: T = x; begin, m: goals[v] == 0; m, end: player = keeper;",
        "begin, m: goals[player] == 0; m, end: player = keeper;",
    ),
    (
        "RG019",
        "begin, m: T(player) == x; m, end: player = keeper;",
        "var u: U = y; begin, m: T(u) == x; m, end: player = keeper;",
    ),
    (
        "RG020",
        "begin, m: goals = Player -> Score(*); m, end: player = keeper;",
        "begin, m: goals[a] = Score(*); m, end: player = keeper;",
    ),
    (
        "RG020",
        "begin, m: goals = Goals(*); m, end: player = keeper;",
        "begin, m: goals[b] = {1}(*); m, end: player = keeper;",
    ),
    ("RG021", "begin, m: $$ goals; m, end: player = keeper;", "begin, m: $$ player; m, end: player = keeper;"),
    ("RG021", "begin, m: $$ x; m, end: player = keeper;", "var x: T = y; begin, m: $$ x; m, end: player = keeper;"),
    ("RG022", "begin, m: ; n, end: player = keeper;", "begin, n: ; n, end: player = keeper;"),
    ("RG022", "begin, m: ? end -> end;", "begin, m: ? end -> end; m, end: player = keeper;"),
    ("RG023", "begin, m: ; m, m: $ t; m, end: player = keeper;", "begin, m: ; m, m: ; m, end: player = keeper;"),
    (
        "RG023",
        "var v: T = x; begin, m: ; m, m: $$ v; m, end: player = keeper;",
        "var v: T = x; begin, m: $$ v; m, m: v = x; m, end: player = keeper;",
    ),
    (
        "RG024",
        "begin, m: ; m, n: $ t; n, m: ; m, end: player = keeper;",
        "begin, m: ; m, n: $ t; n, m: player = a; m, end: player = keeper;",
    ),
    ("RG024", "p, q: $ a; q, p: ;", "p, q: $ a; q, r: ;"),
    (
        "RG024",
        "begin, m: ? p -> r; p, q: $ t; q, p: $ t; q, r: $ u; m, q: ; r, end: player = keeper;",
        "begin, m: ? p -> r; p, q: $ t; q, p: $ t; q, r: $ u; m, end: player = keeper;",
    ),
    ("RG025", "begin, end: player = keeper; end, m: ;", "begin, end: player = keeper; m, begin: ;"),
    (
        "RG026",
        "begin, m: ? p -> q; m, end: player = keeper; p, r: ; s, q: ;",
        "begin, m: ? p -> q; m, end: player = keeper; p, r: ; r, q: ;",
    ),
    (
        "RG026",
        "begin, m: ! q -> p; m, end: player = keeper; p, q: ;",
        "begin, m: ! p -> p; m, end: player = keeper; p, q: ;",
    ),
    (
        "RG027",
        "begin, m: ? p -> q; p, q: ? p -> q; m, end: player = keeper;",
        "begin, m: ? p -> q; p, q: ? r -> s; r, s: ; m, end: player = keeper;",
    ),
    (
        "RG027",
        "begin, m: ? p -> q; p, q: ? r -> s; r, s: ! p -> q; m, end: player = keeper;",
        "begin, m: ? p -> q; p, q: ? r -> s; r, s: ! t -> t; m, end: player = keeper;",
    ),
    (
        "RG027",
        "begin, m: ? p -> q; p, n: ; n, q: ? p -> n; m, end: player = keeper;",
        "begin, m: ? p -> q; p, q: ; q, n: ? p -> q; m, end: player = keeper;",
    ),
    (
        "RG028",
        "begin, rules_end: player = keeper; rules_end, end: ;",
        "begin, rules_end: ; rules_end, end: player = keeper;",
    ),
    ("RG028", "begin, end: player = a;", "const k: PlayerOrSystem = keeper; begin, end: PlayerOrSystem(player) = k;"),
    (
        "RG030",
        "begin, m: ; begin, m: ; m, end: player = keeper;",
        "begin, m: ; begin, m: $ t; begin, n: ; n, m: ; m, end: player = keeper;",
    ),
    ("RG031", "@unique nope;", "@unique begin end;"),
    ("RG031", "@repeat begin : nope;", "@repeat begin : goals player;"),
    ("RG031", "@artificialTag t;", "@artificialTag t; begin, m: $ t; m, end: player = keeper;"),
    ("RG031", "@artificialTag x;", "@artificialTag x; var v: T = x; begin, m: $$ v; m, end: player = keeper;"),
    (
        "RG031",
        "@disjoint begin : m; begin, m: ; begin, m: $ t; m, end: player = keeper;",
        "@disjoint begin : m m; begin, m: ; begin, m: $ t; m, end: player = keeper;",
    ),
    ("RG031", "@disjoint begin : begin;", "@disjointExhaustive begin : end;"),
    ("RG031", "@iterator begin end m : player;", "@iterator begin begin end : player;"),
    ("RG031", "@tagIndex m : 0;", "@tagMaxIndex begin end : 0;"),
    ("RG031", "@simpleApply begin end [t] player = keeper;", "@simpleApply begin end [] player = keeper;"),
    (
        "RG031",
        "@simpleApply begin end [] x = keeper;",
        "@simpleApply begin end [v_1: T] PlayerOrSystem(player) = T(v_1);",
    ),
];

#[test]
fn every_check_fires_and_only_where_it_should() {
    for &(code, wrong, right) in TEXTS {
        let found = findings(&complete(wrong));
        assert!(codes(&found).contains(code), "{code} not found in {wrong}: {:?}", messages(&found));
        let found = findings(&complete(right));
        assert!(!codes(&found).contains(code), "{code} found in {right}: {:?}", messages(&found));
        assert!(!has_errors(&found), "errors in {right}: {:?}", messages(&found));
    }
}

#[test]
fn every_code_has_a_case() {
    // `unused_things` is the test of check 29.
    let tried: BTreeSet<&str> = TEXTS.iter().map(|&(code, ..)| code).chain(["RG029"]).collect();
    let all: Vec<String> = (1..=31).map(|n| format!("RG{n:03}")).collect();
    assert_eq!(tried.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn unused_things() {
    let unused = |part: &str| {
        let text = format!("type Player = {{ a }}; type Score = {{ 0 }}; {part}");
        findings(&text).into_iter().filter(|d| d.code == "RG029").map(|d| d.message).collect::<Vec<_>>()
    };
    let end = "begin, end: player = keeper;";
    assert!(unused(end).is_empty());
    let declared = "type T = { x }; type V = T; const c: V = x; const d: T = c; var v: T = d;";
    assert_eq!(unused(&format!("{declared} {end}")), ["variable `v` is never used"]);
    assert_eq!(unused(&format!("type T = {{ x }}; {end}")), ["type `T` is never used"]);
    assert_eq!(unused(&format!("const c: Score = 0; {end}")), ["constant `c` is never used"]);
    let used = [
        "begin, m: v == x;",
        "begin, m: v = x;",
        "begin, m: $$ v;",
        "begin, m: v = {x}(*);",
        "begin, m: x != T(v);",
        "begin, m: ; @simpleApply begin m [] v = x;",
    ];
    for label in used {
        assert!(unused(&format!("{declared} {label} m, end: player = keeper;")).is_empty(), "{label}");
    }
    // Once for `m` and what only `m` leads to, once for a cycle.
    assert_eq!(unused(&format!("{end} m, n: ; n, o: ; o, n: ;")), ["node `m` cannot be reached from `begin`"]);
    assert_eq!(unused(&format!("{end} m, n: ; n, m: ;")), ["node `m` cannot be reached from `begin`"]);
    assert!(unused("begin, m: ? p -> q; p, q: ! r -> r; m, end: player = keeper;").is_empty());
}

/// The severities are those of the specification, but for RG022 and RG023: both come to light when passes decide conditions and
/// join nodes, and what the program writes it has to read; such games can be run, move by move.
#[test]
fn severities_follow_the_specification() {
    for &(code, wrong, _) in TEXTS.iter().filter(|(_, wrong, _)| *wrong != "var player: Player = a;") {
        let warning = ("RG022".."RG032").contains(&code) || wrong == "var player: PlayerOrSystem = a;";
        for found in findings(&complete(wrong)).iter().filter(|d| d.code == code) {
            assert_eq!(found.is_error(), !warning, "{code} in {wrong}: {}", found.message);
        }
    }
}

/// A game with mistakes that the parser reports itself, from JSON: the parts are lists of items without brackets.
fn from_json(types: &str, constants: &str, variables: &str, edges: &str) -> Game {
    let separate = |list: &str| if list.is_empty() { String::new() } else { format!(",{list}") };
    let text = format!(
        r#"{{"version":1,"types":[
            {{"name":"Player","definition":{{"set":["a","b"]}}}},{{"name":"Score","definition":{{"set":["0","1"]}}}},
            {{"name":"T","definition":{{"set":["x","y"]}}}}{}],
        "constants":[{constants}],"variables":[{variables}],
        "edges":[{{"source":"begin","target":"end","label":{{"assign":
            {{"lhs":{{"variable":"player"}},"rhs":{{"symbol":"keeper"}}}}}}}}{}]}}"#,
        separate(types),
        separate(edges)
    );
    json::from_json(SourceId(0), &text).unwrap_or_else(|found| panic!("{:?}", messages(&found)))
}

#[test]
fn the_checker_needs_no_parser() {
    let t = r#""type":{"name":"T"}"#;
    let arrow = r#""type":{"arrow":[{"name":"T"},{"name":"T"}]}"#;
    let x = r#"{"symbol":"x"}"#;
    let c = |name: &str, value: &str| format!(r#"{{"name":"{name}",{t},"value":{value}}}"#);
    let map = |entries: &str| format!(r#"{{"name":"c",{arrow},"value":{{"map":[{entries}]}}}}"#);
    let alias = |name: &str, of: &str| format!(r#"{{"name":"{name}","definition":{of}}}"#);
    let edge = |label: &str| format!(r#"{{"source":"begin","target":"end","label":{label}}}"#);
    let cast =
        edge(r#"{"compare":{"lhs":{"cast":{"type":{"name":"N"},"operand":{"symbol":"x"}}},"rhs":{"symbol":"x"}}}"#);
    let cases = [
        ("RG001", from_json(&alias("A", r#"{"name":"B"}"#), "", "", "")),
        ("RG002", from_json(&[alias("A", r#"{"name":"B"}"#), alias("B", r#"{"name":"A"}"#)].join(","), "", "", "")),
        ("RG003", from_json(&alias("A", r#"{"arrow":[{"name":"Goals"},{"name":"T"}]}"#), "", "", "")),
        (
            "RG003",
            from_json(&alias("A", r#"{"arrow":[{"arrow":[{"name":"T"},{"name":"T"}]},{"name":"T"}]}"#), "", "", ""),
        ),
        ("RG004", from_json(&alias("A", r#"{"set":[]}"#), "", "", "")),
        ("RG005", from_json(&alias("A", r#"{"set":["x","x"]}"#), "", "", "")),
        ("RG006", from_json(&alias("T", r#"{"set":["x"]}"#), "", "", "")),
        ("RG006", from_json("", &[c("c", x), c("c", x)].join(","), "", "")),
        ("RG007", from_json("", &c("c", x), &format!(r#"{{"name":"c",{t},"initial":{x}}}"#), "")),
        ("RG007", from_json("", r#"{"name":"player","type":{"name":"T"},"value":{"symbol":"x"}}"#, "", "")),
        ("RG008", from_json("", &map(""), "", "")),
        ("RG008", from_json("", &map(r#"{"value":{"symbol":"x"}},{"value":{"symbol":"y"}}"#), "", "")),
        (
            "RG008",
            from_json(
                "",
                &map(
                    r#"{"value":{"symbol":"x"}},{"key":"x","value":{"symbol":"y"}},{"key":"x","value":{"symbol":"y"}}"#,
                ),
                "",
                "",
            ),
        ),
        ("RG012", from_json("", &c("c", r#"{"constant":"c"}"#), "", "")),
        ("RG012", from_json("", &[c("c", r#"{"constant":"d"}"#), c("d", r#"{"constant":"c"}"#)].join(","), "", "")),
        ("RG013", from_json("", &c("c", r#"{"symbol":"player"}"#), "", "")),
        ("RG019", from_json("", "", "", &cast)),
    ];
    for (code, game) in cases {
        let found = check(&game);
        assert!(codes(&found).contains(code), "{code}: {:?}", messages(&found));
        assert!(found.iter().any(|d| d.code == code && d.is_error()));
    }
    assert_eq!(messages(&check(&from_json("", "", "", ""))), ["RG029 type `T` is never used"]);
}

#[test]
fn two_nodes_of_one_name() {
    let mut game = from_json("", "", "", "");
    let name = game.automaton.node(game.begin()).name;
    let twin = game.automaton.add_node(name, Span::NONE);
    game.automaton.add_edge(twin, game.end(), Label::Skip, Span::NONE);
    assert!(codes(&check(&game)).contains("RG006"));
}

#[test]
fn removed_nodes_are_reported_and_do_no_harm() {
    let mut game = from_json("", "", "", "");
    let name = game.symbols.intern("gone");
    let gone = game.node(name, Span::NONE);
    let (begin, end) = (game.begin(), game.end());
    game.automaton.add_edge(begin, end, Label::Reach { from: gone, to: end, negated: false }, Span::NONE);
    game.automaton.remove_node(gone);
    assert!(messages(&check(&game)).iter().any(|m| m.contains("a node that does not exist")));
    game.automaton.remove_node(end);
    assert!(messages(&check(&game)).contains(&"RG014 the game has no node `end`".to_owned()));
}

/// Code, game, the text the finding points at, what the help says.
const PLACES: &[(&str, &str, &str, &str)] = &[
    ("RG017", "var v: T = x; begin, m: v == xx; m, end: player = keeper;", "xx", "did you mean `x`?"),
    ("RG017", "var v: T = x; begin, m: v != player; m, end: player = keeper;", "player", ""),
    ("RG018", "begin, m: goals[plyer] == 0; m, end: player = keeper;", "plyer", "did you mean `player`?"),
    ("RG018", "var m: T -> U = {:y}; begin, m: y == m[x][T(x)]; m, end: player = keeper;", "m[x]", ""),
    ("RG019", "begin, m: a == Player(T(x)); m, end: player = keeper;", "T(x)", ""),
    (
        "RG017",
        "var u: U = y; begin, m: u = U; m, end: player = keeper;",
        "U",
        "any value of it is assigned by `u = U(*)`",
    ),
    ("RG017", "var u: U = y; begin, m: u == U; m, end: player = keeper;", "U", "write a value of type `U`"),
    ("RG015", "var value: T = x; begin, m: valu = y; m, end: player = keeper;", "valu", "did you mean `value`?"),
];

#[test]
fn findings_point_at_the_offending_part() {
    for &(code, part, place, help) in PLACES {
        let text = complete(part);
        let found = findings(&text);
        let found = found.iter().find(|d| d.code == code).unwrap_or_else(|| panic!("{code} in {part}"));
        let span = found.primary.as_ref().unwrap().span;
        assert_eq!(&text[span.range()], place, "{part}");
        assert_eq!(found.help.as_deref().unwrap_or(""), help, "{part}: {}", found.message);
    }
}

#[test]
fn misspelt_nodes() {
    let found = findings(&complete("begin, turn: ; turn, ende: player = keeper;"));
    assert!(found.iter().any(|d| d.help.as_deref() == Some("is `ende` meant to be `end`?")));
    let found = findings(&complete("begin, m: ? check -> chek_end; check, check_end: ; m, end: player = keeper;"));
    let found = found.iter().find(|d| d.code == "RG026").unwrap();
    assert_eq!(found.help.as_deref(), Some("did you mean `check_end`?"));
}

/// One mistake, one finding: a bad declaration does not spread.
#[test]
fn mistakes_do_not_cascade() {
    let game = from_json(
        "",
        "",
        r#"{"name":"v","type":{"name":"Nope"},"initial":{"symbol":"q"}}"#,
        r#"{"source":"begin","target":"end","label":{"compare":{"lhs":{"access":[{"variable":"v"},{"symbol":"w"}]},"rhs":{"symbol":"x"}}}}"#,
    );
    let errors: Vec<_> = check(&game).into_iter().filter(Diagnostic::is_error).collect();
    assert_eq!(messages(&errors), ["RG001 unknown type `Nope`"]);
}

#[test]
fn all_findings_are_reported() {
    let text = complete("var v: T = x; begin, m: v == p; m, n: v == q; n, o: r = v; o, end: player = keeper;");
    let found = findings(&text);
    assert_eq!(found.iter().filter(|d| d.is_error()).count(), 3);
}

#[test]
fn types_of_expressions() {
    use super::{Ty, expr_type};
    let text = complete("var m: T -> U = {:y}; begin, p: m[x] == T(y); p, end: player = keeper;");
    let mut game = text::parse(SourceId(0), &text).0.unwrap();
    let (id, _) = game.automaton.edges().next().unwrap();
    let Label::Compare { lhs, rhs, .. } = game.automaton.edge(id).label else { panic!() };
    for expr in [lhs, rhs] {
        assert_eq!(expr_type(&game, expr), game.type_of(expr).map(Ty::Type));
    }
    let x = game.symbols.intern("x");
    let symbol = game.exprs.intern(crate::Expr::Symbol(x));
    assert_eq!(expr_type(&game, symbol), Some(Ty::Symbol(x)));
    let wrong = game.exprs.intern(crate::Expr::Access(symbol, symbol));
    assert_eq!(expr_type(&game, wrong), None);
}

/// A chain, a comb of checks and parallel edges, 100,000 edges in all.
#[test]
fn large_automata() {
    let mut text = complete("var v: T = x; begin, n0: ; n25000, end: player = keeper;");
    for i in 0..25_000 {
        let next = i + 1;
        text.push_str(&format!("n{i}, n{next}: ; n{i}, n{next}: v == x; n{i}, n{next}: ? n{next} -> n25000;\n"));
        text.push_str(&format!("n{i}, n{next}: $ t{i};\n"));
    }
    assert_eq!(messages(&findings(&text)), ["RG029 type `U` is never used"]);
}

/// Every check walks the whole ring, which is more than is looked at: then all that can be recursive counts as such.
#[test]
fn many_recursive_checks() {
    let mut text = complete("begin, n0: ; n0, end: player = keeper;");
    for i in 0..2_000 {
        let (next, before) = ((i + 1) % 2_000, (i + 1_999) % 2_000);
        text.push_str(&format!("n{i}, n{next}: ? n{i} -> n{before};\n"));
    }
    let found = findings(&text);
    let recursive: Vec<_> = found.iter().filter(|d| d.code == "RG027").collect();
    // A thousand with their places, and one that says how many more there are.
    assert_eq!(recursive.len(), 1_001);
    assert_eq!(recursive.last().map(|d| d.message.as_str()), Some("1000 more findings like this are not shown"));
}

/// As deep as builders may go; the parser has a limit of its own.
#[test]
fn deep_expressions_need_no_stack() {
    let mut game = from_json("", "", "", "");
    let (t, x, goals) = (game.symbols.intern("T"), game.symbols.intern("x"), game.symbols.intern("goals"));
    let t = game.types.name(t);
    let mut casts = game.exprs.intern(crate::Expr::Symbol(x));
    let mut accesses = game.resolve_name(goals);
    let mut arrows = t;
    for _ in 0..200_000 {
        casts = game.exprs.intern(crate::Expr::Cast(t, casts));
        accesses = game.exprs.intern(crate::Expr::Access(accesses, casts));
        arrows = game.types.arrow(t, arrows);
    }
    let label = Label::Compare { lhs: casts, rhs: accesses, negated: false };
    let (begin, end) = (game.begin(), game.end());
    game.automaton.add_edge(begin, end, label, Span::NONE);
    let found = check(&game);
    assert!(codes(&found).contains("RG018"));
    assert!(found.len() < 10, "{}", found.len());
}

/// The games of the public corpus are right.
#[test]
fn corpus_games_have_no_errors() {
    for (name, text) in crate::testing::corpus("rg") {
        let found = findings(&text);
        let errors: Vec<_> = found.iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}
