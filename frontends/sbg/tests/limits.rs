//! Inputs made to hurt: each must be answered quickly and cleanly.

mod common;

use common::{errors, perft, probe};
use proptest::prelude::*;
use rg_ir::SourceId;

fn rule(rule: &str) -> String {
    probe(&format!("A {rule} &"), "9 & #a 0 &")
}

#[test]
fn deep_nesting_is_an_error() {
    let nested = |depth: usize| rule(&format!("{}(0,1,e){}", "(".repeat(depth), ")^2".repeat(depth)));
    for depth in [1_000, 20_000, 100_000] {
        assert_eq!(errors(&nested(depth)), ["SBG515"], "{depth}");
    }
    assert_eq!(errors(&rule(&"(".repeat(100_000))), ["SBG515"]);
    let stars = |depth: usize| rule(&format!("{}(0,1,e){}", "(".repeat(depth), ")^*".repeat(depth)));
    assert_eq!(perft(&stars(999), 1), [3]);
}

#[test]
fn powers_are_limited_by_what_they_make() {
    assert_eq!(errors(&rule("(0,1,e)^2147483647")), ["SBG517"]);
    assert_eq!(errors(&rule("((0,1,e)^0)^2147483647")), ["SBG517"]);
    assert_eq!(errors(&rule("(((0,1,e)^1000)^1000)^1000")), ["SBG517"]);
    assert_eq!(perft(&rule("((0,1,e)(0,-1,w)(0,1,e)(0,-1,w))^2000 + (1,0,e)"), 1), [2]);
}

#[test]
fn rules_whose_deterministic_automaton_is_large() {
    // The n-th step from the end decides: 2^n states, if they were all made.
    let text = rule("((0,0,w)+(0,1,e)+(0,-1,e))^*(0,1,e)((0,0,w)+(0,1,e)+(0,-1,e))^40");
    assert_eq!(errors(&text), [""; 0]);
    assert_eq!(perft(&text, 1), [2]);
}

#[test]
fn long_texts() {
    let alternatives = vec!["(0,1,e)"; 50_000].join("+");
    assert_eq!(perft(&rule(&alternatives), 1), [1]);
    assert_eq!(errors(&probe(&"A (0,1,e) & ".repeat(50_000), "9 &")).len(), 200);
    assert_eq!(errors(&probe(&"&".repeat(50_000), "9 &")).len(), 200);
    let goals = "@A 2 2 & ".repeat(50_000);
    assert_eq!(errors(&probe("A (0,1,e) &", &format!("9 & {goals}"))), [""; 0]);
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<<x>>",
        "<BOARD>",
        "<PIECES>",
        "<GOALS>",
        "|A.a|",
        "|..|",
        "3",
        "1",
        "0",
        "-1",
        "99999999999",
        "A",
        "a",
        "e",
        "p",
        "w",
        "(",
        ")",
        "+",
        "^",
        "*",
        "&",
        "#",
        "@",
        ",",
        "//",
        "/*",
        "*/",
        "\n",
        "ą",
        "<",
        "|",
        "(0,1,e)",
        "^*",
        "A (0,1,e) &",
        "9 &",
    ])
}

proptest! {
    #[test]
    fn nothing_panics(words in prop::collection::vec(word(), 0..60)) {
        let text = words.join(" ");
        let (lowered, diagnostics) = sbg::load(SourceId(0), &text);
        prop_assert_eq!(lowered.is_none(), rg_ir::diag::has_errors(&diagnostics));
        if let Ok(formatted) = sbg::format(SourceId(0), &text) {
            prop_assert_eq!(sbg::format(SourceId(0), &formatted), Ok(formatted));
        }
    }

    #[test]
    fn what_is_printed_reads_back(parts in prop::collection::vec(rule_part(), 1..6)) {
        let text = rule(&parts.join("+"));
        let first = sbg::parse(SourceId(0), &text).0.unwrap();
        let printed = sbg::print(&first);
        let second = sbg::parse(SourceId(0), &printed).0.unwrap();
        prop_assert_eq!(&sbg::print(&second), &printed);
        prop_assert!(sbg::lower(&first).unwrap().game == sbg::lower(&second).unwrap().game);
        let formatted = sbg::format(SourceId(0), &text).unwrap();
        prop_assert_eq!(sbg::format(SourceId(0), &formatted), Ok(formatted.clone()));
        prop_assert_eq!(sbg::print(&sbg::parse(SourceId(0), &formatted).0.unwrap()), printed);
    }
}

fn rule_part() -> impl Strategy<Value = String> {
    let step = (-2i32..3, -2i32..3, prop::sample::select(vec!['e', 'p', 'w']));
    let step = step.prop_map(|(dx, dy, on)| format!("({dx},{dy},{on})"));
    step.prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}+{b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} {b}")),
            (inner.clone(), 0u32..4).prop_map(|(a, n)| format!("({a})^{n}")),
            inner.prop_map(|a| format!("({a})^*")),
        ]
    })
}
