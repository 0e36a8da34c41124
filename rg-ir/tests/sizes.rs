//! Large and deep inputs: no overflow of the stack, no quadratic time.

#![allow(clippy::unwrap_used)]

mod common;

use rg_ir::{SourceId, text};
use std::fmt::Write;

const SOURCE: SourceId = SourceId(0);

/// An automaton of `size` edges with a few of everything.
fn large(size: usize) -> String {
    let mut out = String::from("type Player = { a };\ntype Score = { 0 };\ntype N = { 0, 1 };\n");
    out += "const next: N -> N = { :1 };\nvar n: N -> N = { :0 };\nbegin, n0: player = a;\n";
    for i in 0..size {
        let label = match i % 8 {
            0 => "n[0] = next[n[1]]".to_owned(),
            1 => format!("$ t{i}"),
            2 => "n[next[0]] == N(1)".to_owned(),
            3 => "n[0] = N(*)".to_owned(),
            4 => format!("? n{} -> n{}", i / 2, i),
            5 => "$$ player".to_owned(),
            6 => format!("n[1] != s{i}"),
            _ => String::new(),
        };
        writeln!(out, "n{i}, n{}: {label};", i + 1).unwrap();
    }
    out
}

#[test]
fn a_hundred_thousand_edges() {
    let source = large(100_000);
    let (game, findings) = text::parse(SOURCE, &source);
    assert_eq!(common::render(&source, &findings), "");
    let game = game.unwrap();
    assert_eq!(game.automaton.edge_count(), 100_001);
    assert!(text::print(&game) == source);
    let smaller = large(10_000);
    assert!(text::parse(SOURCE, &smaller).0.unwrap() != game);
    assert!(text::format(SOURCE, &smaller).unwrap() == smaller);
}

#[test]
fn a_large_set_and_a_large_map() {
    let names: Vec<String> = (0..20_000).map(|i| format!("s{i}")).collect();
    let entries: Vec<String> = names.iter().map(|name| format!("{name}: s0")).collect();
    let source =
        format!("type T = {{ {} }};\nconst c: T -> T = {{ :s1, {} }};\n", names.join(", "), entries.join(", "));
    let (game, findings) = text::parse(SOURCE, &source);
    assert_eq!(findings, []);
    assert!(text::print(&game.unwrap()) == source);
    let formatted = text::format(SOURCE, &source).unwrap();
    assert!(text::format(SOURCE, &formatted).unwrap() == formatted);
}

/// Texts that nest `depth` deep, of every kind that the grammar has.
fn nested(depth: usize) -> Vec<String> {
    let n = |text: &str| text.repeat(depth);
    vec![
        format!("const c: {{a}} -> {{b}} = {}{}{};", n("{:"), "b", n("}")),
        format!("var w: {{a}} -> {{b}} = {}{}{};", n("{a: b, :"), "b", n("}")),
        format!("x, y: {}v{} == a;", n("T("), n(")")),
        format!("x, y: {}a{} == a;", n("v["), n("]")),
        format!("x, y: v{} == a;", n("[a]")),
        format!("type W = {}{{a}};", n("{b} -> ")),
        format!("@simpleApply p q [] v = {}a{};", n("v["), n("]")),
    ]
}

#[test]
fn deep_nesting_is_accepted_up_to_a_limit() {
    for source in nested(999) {
        let source = format!("type T = {{a}}; var v: T = a;\n{source}");
        let (game, findings) = text::parse(SOURCE, &source);
        assert_eq!(common::render(&source, &findings), "");
        let game = game.unwrap();
        // What is accepted, the checker survives.
        rg_ir::check::check(&game);
        let printed = text::print(&game);
        assert!(text::parse(SOURCE, &printed).0.unwrap() == game);
        let formatted = text::format(SOURCE, &printed).unwrap();
        assert!(text::parse(SOURCE, &formatted).0.unwrap() == game);
        assert!(text::format(SOURCE, &formatted).unwrap() == formatted);
    }
}

#[test]
fn deeper_nesting_is_one_error() {
    for depth in [1_001, 20_000, 100_000] {
        for source in nested(depth) {
            let source = format!("type T = {{a}};\n{source}");
            let (game, findings) = text::parse(SOURCE, &source);
            assert!(game.is_none());
            let deep = findings.iter().filter(|finding| finding.code == "RG053").count();
            assert_eq!(deep, 1, "{}", common::render(&source, &findings));
        }
    }
}

#[test]
fn unclosed_brackets_are_errors() {
    for open in ["{", "(", "[", "{:", "x, y: a[", "type T = {", "/*", "@", "@simpleApply p q [", "const c: T = {a:"] {
        for depth in [1, 1_000, 100_000] {
            let (game, findings) = text::parse(SOURCE, &open.repeat(depth));
            assert!(game.is_none(), "{open}");
            assert!((1..=101).contains(&findings.len()), "{open}");
        }
    }
}

/// Long chains of aliases and of constants, forwards and backwards.
#[test]
fn long_chains() {
    let mut source = String::from("type T0 = {a};\nconst c0: T0 = a;\n");
    for i in 1..20_000 {
        writeln!(source, "type T{i} = T{};\nconst c{i}: T{i} -> T0 = {{ :c{} }};", i - 1, i - 1).unwrap();
    }
    assert_eq!(text::parse(SOURCE, &source).1, []);
    let cyclic = source.replace("type T0 = {a}", "type T0 = T19999").replace("c0: T0 = a", "c0: T0 = c19999");
    let codes: Vec<&str> = text::parse(SOURCE, &cyclic).1.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["RG002", "RG012"]);
}
