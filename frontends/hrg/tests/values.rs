//! Domains, functions, variables and map literals (sections 4 to 6 of the specification), as they arrive in RG.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{BASE, load};
use rg_ir::{Game, text};

/// The declarations of the translation with this name, without spaces at the ends.
fn declared(game: &Game, name: &str) -> String {
    let printed = text::print(game);
    let lines = printed.lines().filter(|line| {
        let mut words = line.split([' ', ':', '@']).filter(|word| !word.is_empty());
        words.next().is_some_and(|word| ["type", "const", "var", "integer"].contains(&word))
            && words.next() == Some(name)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn game(declarations: &str) -> Game {
    load(&format!("{BASE}{declarations}\ngraph rules() {{ player = p v = v end() }}"))
}

/// What a declaration becomes.
fn becomes(declarations: &str, name: &str) -> String {
    declared(&game(declarations), name)
}

#[test]
fn the_leftmost_variable_of_a_generator_varies_slowest() {
    assert_eq!(
        becomes("domain D = V(X, Y) where X in 1..2, Y in {b, a}", "D"),
        "type D = { V__1_b, V__1_a, V__2_b, V__2_a };"
    );
    assert_eq!(
        becomes("domain D = V(X, Y) where Y in {b, a}, X in 1..2", "D"),
        "type D = { V__1_b, V__1_a, V__2_b, V__2_a };"
    );
}

#[test]
fn lower_case_arguments_of_a_generator_are_fixed() {
    assert_eq!(becomes("domain D = V(X, 6, c) where X in 1..2", "D"), "type D = { V__1_6_c, V__2_6_c };");
    assert_eq!(becomes("domain D = V(7) where X in 1..2", "D"), "type D = { V__7 };");
    assert_eq!(becomes("domain D = V() where | z", "D"), "type D = { V__, z };");
}

#[test]
fn unions_list_the_values_of_other_domains_in_place_and_once() {
    let text = "domain D = z | B | A | c\ndomain A = a | b\ndomain B = b | B2\ndomain B2 = STOP | V(X) where X in 0..1";
    assert_eq!(becomes(text, "D"), "type D = { z, b, STOP, V__0, V__1, a, c };");
    assert_eq!(becomes("domain D = V(X) where X in 3..2 | z", "D"), "type D = { z };");
}

#[test]
fn a_single_numeric_generator_is_a_number() {
    let pragmas = |text: &str| text::print(&game(text)).lines().filter(|line| line.contains("D__")).count();
    assert_eq!(becomes("domain D = D(X) where X in 5..6", "5"), "@integer 5 : D__5 D__6;");
    assert_eq!(pragmas("domain D = D(X) where X in 5..6"), 2);
    // Two generators, two arguments, a set: only the type is there.
    assert_eq!(pragmas("domain D = D(X) where X in 5..6 | z"), 1);
    assert_eq!(pragmas("domain D = D(X, 0) where X in 5..6"), 1);
    assert_eq!(pragmas("domain D = D(X) where X in {5, 6}"), 1);
}

#[test]
fn the_first_case_that_matches_counts() {
    let text = "f: N -> N\nf(I(1)) = I(2)\nf(I(X)) = I((X + 2) % 3)\nf(_) = I(0)\nf(I(0)) = I(0)";
    assert_eq!(becomes(text, "f"), "const f: N -> N = { :I__2, I__2: I__1 };");
    // Generated tables: fixed cases before and behind general ones.
    let text = "f: N -> N\nf(I(0)) = I(1)\nf(X) = X\nf(I(2)) = I(0)";
    assert_eq!(becomes(text, "f"), "const f: N -> N = { :I__1, I__2: I__2 };");
}

#[test]
fn cases_outside_the_domain_are_ignored() {
    let text = "f: N -> N\nf(null) = nowhere\nf(I(9)) = I(10)\nf(X) = I(0)\nf(J(_)) = 7";
    assert_eq!(becomes(text, "f"), "const f: N -> N = { :I__0 };");
}

#[test]
fn functions_call_each_other_in_any_order() {
    let text = "even: N -> Bool\neven(I(X)) = if X == 0 then 1 else odd(I(X - 1))\n\
        odd: N -> Bool\nodd(I(X)) = if X == 0 then 0 else even(I(X - 1))";
    assert_eq!(becomes(text, "even"), "const even: N -> Bool = { :1, I__1: 0 };");
    assert_eq!(becomes(text, "odd"), "const odd: N -> Bool = { :0, I__1: 1 };");
}

#[test]
fn results_of_functions_with_fewer_cases_than_arrows_are_functions_or_maps() {
    let text = "dir: Player -> N -> N\ndir(p) = up\ndir(q) = down\n\
        up: N -> N\nup(X) = I(0)\ndown: N -> N\ndown(X) = I(1)";
    assert_eq!(becomes(text, "dir"), "const dir: Player -> N -> N = { :up, q: down };");
    // Constants are in an order in which they are known.
    let printed = text::print(&game(text));
    assert!(printed.find("const up").unwrap() < printed.find("const dir").unwrap());
    let text = "f: Player -> N -> N\nf(p) = { :I(0); I(1) = I(2) }\nf(q) = { :I(1) }\ng: N -> N\ng(X) = f(p)(X)";
    assert_eq!(becomes(text, "g"), "const g: N -> N = { :I__0, I__1: I__2 };");
    assert_eq!(
        becomes("h: Player -> N -> N\nh(P, X) = f(P)[X]\nf: Player -> N -> N\nf(P) = id\nid: N -> N\nid(X) = X", "h"),
        "const h: Player -> N -> N = { :{ :I__2, I__0: I__0, I__1: I__1 } };"
    );
}

#[test]
fn built_in_types_are_keys_too() {
    assert_eq!(becomes("f: Bool -> N\nf(0) = I(1)\nf(1) = I(2)", "f"), "const f: Bool -> N = { :I__2, 0: I__1 };");
    let text = "f: PlayerOrSystem -> Bool\nf(keeper) = 1\nf(random) = 1\nf(_) = 0";
    assert_eq!(becomes(text, "f"), "const f: PlayerOrSystem -> Bool = { :1, p: 0, q: 0 };");
    let text = "f: Player -> PlayerOrSystem\nf(p) = keeper\nf(q) = random";
    assert_eq!(becomes(text, "f"), "const f: Player -> PlayerOrSystem = { :random, p: keeper };");
}

/// The value of an expression.
fn value(expr: &str) -> String {
    let all = "domain A = a | b | x10 | x9 | C(X) where X in {0 , 1, 2, 10} | 0 | 1 | 2 | 10 | C3(X, 0) where X in {0}";
    let printed = becomes(&format!("{all}\nw: A = {expr}"), "w");
    printed.strip_prefix("var w: A = ").and_then(|value| value.strip_suffix(';')).unwrap().to_owned()
}

#[test]
fn arithmetic_is_on_integers_and_from_left_to_right() {
    assert_eq!(value("1 + 2 - 1"), "2");
    assert_eq!(value("1 + 1 % 2"), "0"); // one level, from left to right
    assert_eq!(value("1 + (1 % 2)"), "2");
    assert_eq!(value("(0 - 1) % 3"), "2");
    assert_eq!(value("C(12 - 2)"), "C__10");
    assert_eq!(value("if 0 - 5 < 0 - 4 then 1 else 0"), "1");
}

#[test]
fn comparisons() {
    for (condition, outcome) in [
        ("10 > 9", 1),
        ("007 == 7", 1),
        ("C(07) == C(7)", 1),
        ("a != b && a < b", 1),
        ("x10 < x9", 1), // text, with a warning
        ("C(9) < C(10)", 1),
        ("B(9) < C(1)", 1),
        ("C(1, 0) < C(0)", 0),
        ("a == C(a)", 0),
        ("a != C(a)", 1),
        ("C(1) in A", 1),
        ("C(3) in A", 0),
        ("Unknown(1, 2) in A", 0),
        ("0 + 1 in A", 1), // one level with `+`
        ("a == a || b", 1),
        ("a == b && b", 0),
        ("1 >= 1 && 1 <= 1", 1),
    ] {
        assert_eq!(value(&format!("if {condition} then 1 else 0")), outcome.to_string(), "{condition}");
    }
}

#[test]
fn conditionals_take_all_they_can_and_evaluate_one_side() {
    assert_eq!(value("if a == b then 0 else 1 + 1"), "2");
    assert_eq!(value("(if a == b then 0 else 1) + 1"), "2");
    assert_eq!(value("1 + if a == a then 0 else 1 + 1"), "1");
    assert_eq!(value("if a == a then 1 else a + a"), "1");
    assert_eq!(value("if a == b then a else if a == a then 1 else 2"), "1");
}

#[test]
fn variables_without_initial_value_have_the_first() {
    assert_eq!(becomes("w: N", "w"), "var w: N = I__0;");
    assert_eq!(becomes("w: N -> Player -> N", "w"), "var w: N -> Player -> N = { :{ :I__0 } };");
    assert_eq!(becomes("w: {b, a}", "w"), "var w: { b, a } = b;");
    assert_eq!(becomes("w: Bool", "w"), "var w: Bool = 0;");
    assert_eq!(becomes("w: PlayerOrSystem", "w"), "var w: PlayerOrSystem = p;");
    assert_eq!(becomes("goals: Goals = { p = 1; q = 0 }", "goals"), "var goals: Goals = { :1, q: 0 };");
    assert_eq!(becomes("player: PlayerOrSystem = q", "player"), "var player: PlayerOrSystem = q;");
}

const SIX: &str = "domain K = a | b | c | d | e | f\ndomain W = V(0) where | V(1) where | x | y\n";

fn map(literal: &str) -> String {
    let printed = becomes(&format!("{SIX}m: K -> W = {literal}"), "m");
    printed.strip_prefix("var m: K -> W = ").and_then(|value| value.strip_suffix(';')).unwrap().to_owned()
}

#[test]
fn the_default_of_a_map_is_its_most_frequent_value() {
    assert_eq!(map("{ :x; a = y; b = x }"), "{ :x, a: y }");
    assert_eq!(map("{ _ = y }"), "{ :y }");
    assert_eq!(map("{ a = x; b = y; c = y }"), "{ :y, a: x }");
    // Of several the smaller one, and then the one that is greatest as text.
    assert_eq!(map("{ a = V(1); b = x }"), "{ :x, a: V__1 }");
    assert_eq!(map("{ a = x; b = y }"), "{ :y, a: x }");
    assert_eq!(map("{ a = V(1); b = V(0) }"), "{ :V__1, b: V__0 }");
    assert_eq!(map("{ a = V(1); b = V(1); c = x }"), "{ :V__1, c: x }");
}

#[test]
fn keys_outside_the_type_are_ignored_if_they_have_the_default() {
    assert_eq!(map("{ a = x; C(X) = y where X in 0..3 }"), "{ :y, a: x }");
    let (lowered, findings) = hrg::load(
        rg_ir::SourceId(0),
        &format!("{BASE}{SIX}m: K -> W = {{ a = y; b = y; C(0) = x }}\ngraph rules() {{ player = p v = v end() }}"),
    );
    assert!(lowered.is_none() && findings.iter().any(|finding| finding.code == hrg::codes::TYPE));
}

#[test]
fn inner_maps_see_outer_variables() {
    let text = format!(
        "{SIX}m: K -> N -> N = {{ X = {{ I(Y) = if Y == 0 then I(0) else g(X) where Y in 0..1 }} where X in {{a, b}} }}\n\
         g: K -> N\ng(a) = I(1)\ng(X) = I(2)"
    );
    assert_eq!(becomes(&text, "m"), "var m: K -> N -> N = { :{ :I__2, I__0: I__0 }, a: { :I__1, I__0: I__0 } };");
    assert_eq!(becomes("m: N -> N -> N = { _ = { _ = I(1) } }", "m"), "var m: N -> N -> N = { :{ :I__1 } };");
    assert_eq!(becomes("m: N -> N -> N = { :{ _ = I(1) } }", "m"), "var m: N -> N -> N = { :{ :I__1 } };");
}
