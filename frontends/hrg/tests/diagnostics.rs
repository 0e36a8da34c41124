//! Errors are found, several per run, and nothing crashes on hostile input.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use rg_ir::SourceId;

const BASE: &str = "domain Player = p\ndomain Score = 0 | 1\ndomain N = I(X) where X in 0..2\nv : N\n";

fn codes(text: &str) -> Vec<&'static str> {
    let mut codes: Vec<_> = hrg::load(SourceId(0), text).1.iter().map(|finding| finding.code).collect();
    codes.dedup();
    codes
}

/// Findings of a description with these declarations and this body of `rules`.
fn with(declarations: &str, body: &str) -> Vec<&'static str> {
    codes(&format!("{BASE}{declarations}\ngraph rules() {{ {body} v = v end() }}"))
}

#[test]
fn a_small_game_has_no_findings() {
    assert_eq!(with("", "player = p v = N(*) $$ v player = keeper"), [""; 0]);
}

#[test]
fn mistakes_in_declarations_are_found() {
    let cases = [
        ("w : M", hrg::codes::UNKNOWN_DOMAIN),
        ("domain A = B domain B = A", hrg::codes::RECURSIVE),
        ("domain A = C(X) where", hrg::codes::MISSING_RANGE),
        ("domain A = C(X) where X in 0..99999999999", hrg::codes::LIMIT),
        ("v : N", hrg::codes::DUPLICATE),
        ("f : N -> N f(I(0)) = I(0)", hrg::codes::UNCOVERED),
        ("f : N -> N f(X) = I(9)", hrg::codes::TYPE),
        ("f : N -> N f(X) = f(X)", hrg::codes::RECURSION_LIMIT),
        ("f : N -> N f(I(X)) = I(X % 0)", hrg::codes::ARITHMETIC),
        ("f : N -> N f(X) = I(p + 1)", hrg::codes::ARITHMETIC),
        ("f : N -> N f(X, Y) = X", hrg::codes::ARITY),
        ("m : N -> N = { I(0) = I(1); I(0) = I(2) }", hrg::codes::DUPLICATE_KEY),
        ("m : N -> N = { :I(0); I(7) = I(2) }", hrg::codes::TYPE),
        ("m : N -> N = { I(X) = I(2) }", hrg::codes::UNBOUND),
        ("domain A = a_b | C(a_b) where | C(a, b) where", hrg::codes::COLLISION),
    ];
    for (text, code) in cases {
        assert!(with(text, "").contains(&code), "{text}: {:?}", with(text, ""));
    }
}

#[test]
fn mistakes_in_graphs_are_found() {
    let cases = [
        ("go()", hrg::codes::UNKNOWN_GRAPH),
        ("rules()", hrg::codes::RECURSIVE),
        ("break()", hrg::codes::OUTSIDE_LOOP),
        ("check(v)", hrg::codes::CONDITION),
        ("check(reachable(v))", hrg::codes::REACHABLE),
        ("check(v == I(v))", hrg::codes::NOT_CONSTANT),
        ("end() v = I(0)", hrg::codes::DEAD_STATEMENT),
        ("branch x in N { x = I(0) }", hrg::codes::READ_ONLY),
        ("w = I(0)", hrg::codes::READ_ONLY),
        ("v = I(0) + 1", hrg::codes::COMPILE_TIME),
        ("repeat 99999999999 { $ a }", hrg::codes::LIMIT),
    ];
    for (text, code) in cases {
        assert!(with("", text).contains(&code), "{text}: {:?}", with("", text));
    }
}

#[test]
fn several_mistakes_are_found_in_one_run() {
    assert_eq!(codes("domain = a\ndomain B = |\ngraph rules() { x }"), [hrg::codes::SYNTAX]);
    assert_eq!(hrg::load(SourceId(0), "domain = a\ndomain B = |\ngraph rules() { x }").1.len(), 3);
}

#[test]
fn suspicious_things_get_warnings() {
    let cases = [
        ("f : N -> N f(I(X)) = I(0)", "v = I(0)", hrg::codes::UNUSED),
        ("w : N", "v = I(0)", hrg::codes::UNUSED),
        ("graph g(a : N) { v = I(0) }", "g(v)", hrg::codes::UNUSED),
        ("graph g() { v = I(0) }", "v = I(0)", hrg::codes::UNUSED),
        ("f : N -> N -> N f(I(X), I(X)) = I(0)", "v = f(v, v)", hrg::codes::REPEATED_VARIABLE),
        ("domain S = v | s", "v = I(0)", hrg::codes::HIDDEN),
        ("graph h() { player = p } graph g() { h() }", "check(reachable(g()))", hrg::codes::PLAYER_IN_CHECK),
        ("", "player = p $ a player = p $_ a player = p", hrg::codes::MIXED_TAG),
        ("", "branch {} or { return() }", hrg::codes::RULES_EXIT),
        ("m : N -> N = { I(0) = I(1) }", "m[v] = v", hrg::codes::MAP_KEYS),
    ];
    for (declarations, body, code) in cases {
        let findings = with(declarations, body);
        assert_eq!(findings, [code], "{declarations} {body}");
    }
}

#[test]
fn what_is_used_in_any_way_gets_no_warning() {
    let cases = [
        ("f : N -> N f(I(X)) = I(0)", "v = f(v)"),
        ("f : N -> N f(I(X)) = I(0)", "branch g in {f} { v = g[v] }"),
        ("f : N -> N f(I(X)) = I(0) domain F = f", "branch g in F { v = g[v] }"),
        ("w : N", "$$ w"),
        ("graph g(a : N) { $$ a }", "g(v)"),
        ("graph g() { end() }", "check(reachable(g()))"),
    ];
    for (declarations, body) in cases {
        assert_eq!(with(declarations, body), [""; 0], "{declarations} {body}");
    }
}
