//! Inputs made to hurt: each must be answered quickly and cleanly.

mod common;

use std::fmt::Write as _;

use common::{errors, printed, with};
use rg_ir::SourceId;

fn rules(text: &str) -> String {
    with(&format!("#rules = {text}"))
}

/// `#m0 = …` and macros that use the one before twice.
fn doubling(first: &str, step: impl Fn(usize) -> String, levels: usize) -> String {
    let mut text = format!("#m0 = {first}\n");
    for level in 1..=levels {
        let _ = writeln!(text, "#m{level}{}", step(level - 1));
    }
    with(&format!("{text}#rules = m{levels}"))
}

/// The codes of errors with a limit that is reached quickly.
fn errors_within(limit: usize, text: &str) -> Vec<&'static str> {
    let (description, diagnostics) = rbg::parse_within(SourceId(0), text, limit);
    assert_eq!(description.is_none(), !diagnostics.is_empty());
    diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn macro_bombs() {
    assert_eq!(errors(&doubling("up", |m| format!(" = m{m} m{m}"), 40)), ["RBG116"]);
    // Nothing is produced, but a lot is done.
    let empty = doubling("", |m| format!(" = m{m} m{m}"), 40);
    assert_eq!(errors_within(100_000, &empty), ["RBG116"]);
    // One name, but a long one.
    assert_eq!(errors(&doubling("up", |m| format!(" = m{m}~m{m}"), 40)), ["RBG116"]);
    let text = with("#m(x) = x x\n#k(x) = m(m(m(m(m(m(m(m(x))))))))\n#rules = k(k(k(k(up))))");
    assert_eq!(errors_within(100_000, &text), ["RBG116"]);
}

#[test]
fn limits_on_what_is_written() {
    let long = rules(&format!("->p {}->q", "up ".repeat(1_000)));
    assert_eq!(errors_within(1_000, &long), ["RBG104"]);
    assert_eq!(errors_within(1_000, &rules("->p (up^30)^40 ->q")), ["RBG116"]);
    assert!(rbg::parse_within(SourceId(0), &rules("->p (up^30)^20 ->q"), 1_000).0.is_some());
}

#[test]
fn an_error_that_is_expanded_often_is_reported_once() {
    let mut text = String::from("#m0 = nowhere\n");
    for level in 1..=8 {
        let _ = writeln!(text, "#m{level} = m{0} m{0}", level - 1);
    }
    assert_eq!(errors(&with(&format!("{text}#rules = m8"))), ["RBG131"]);
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("(", ")"), ("{? ", "}"), ("{! ", "}"), ("[$ v = (", ")]"), ("{", "}")] {
        for depth in [20_000, 100_000] {
            let text = rules(&format!("{}up{}", open.repeat(depth), close.repeat(depth)));
            assert_eq!(errors(&text), ["RBG117"], "{open} {depth}");
            let text = rules(&format!("{}up", open.repeat(depth)));
            assert_eq!(errors(&text), ["RBG117"], "{open} {depth}");
        }
    }
    let sum = format!("[$ v = 1{}]", " + 1".repeat(100_000));
    assert_eq!(errors(&rules(&sum)), ["RBG117"]);
    let calls = with(&format!("#m(x) = x\n#rules = {}up{}", "m(".repeat(100_000), ")".repeat(100_000)));
    assert!(printed(&calls).starts_with("#board"), "calls may nest as they like");
}

#[test]
fn nesting_up_to_the_limit_works() {
    let deep = |open: &str, close: &str| format!("->p {}up down{} ->q", open.repeat(999), close.repeat(999));
    for (open, close) in [("(", ")*"), ("(left + ", ")"), ("{! ", "}"), ("{? up ", " down}")] {
        let print = printed(&rules(&deep(open, close)));
        assert!(print.starts_with("#board"), "{print}");
        assert_eq!(printed(&print), print, "{open}");
    }
}

#[test]
fn long_chains_of_macros_do_not_recurse() {
    let mut text = String::from("#m0(x) = x\n");
    for level in 1..20_000 {
        let _ = writeln!(text, "#m{level} = m{}{}", level - 1, if level == 1 { "(up)" } else { "" });
    }
    assert!(printed(&with(&format!("{text}#rules = ->p m19999 ->q"))).contains("->p up ->q"));
    let _ = write!(text, "#rules = m19999 nowhere");
    assert_eq!(errors(&with(&text)), ["RBG131"]);
}

/// Macros that leave brackets open, in calls within calls: looking at all open brackets for each token, and at all calls around it, would take hours.
#[test]
fn brackets_left_open_by_many_calls() {
    let mut text = String::from("#left = (up {a}\n#right = up )\n");
    let _ = writeln!(text, "#m0 = {}", "up left right ".repeat(100));
    for level in 1..300 {
        let _ = writeln!(text, "#m{level} = m{}", level - 1);
    }
    let open = "left ".repeat(900);
    assert_eq!(errors(&with(&format!("{text}#rules = ->p {open} {} ->q", "m299 ".repeat(400)))), ["RBG118"]);
    // As many macros, each of which leaves one open.
    let mut text: String = (0..900).map(|n| format!("#open{n} = up (left\n#plain{n} = up\n")).collect();
    text.extend((0..40_000).map(|n| format!("#more{n} = up\n")));
    let calls: String = (0..900).map(|n| format!("open{n} plain{n} ")).collect();
    assert_eq!(errors(&with(&format!("{text}#rules = ->p {calls} {} ->q", "up ".repeat(100_000)))), ["RBG118"]);
}

#[test]
fn large_files() {
    let large = 60 << 20;
    let comment = rules(&format!("->p ->q // {}", "x".repeat(large)));
    assert_eq!(errors(&comment), [""; 0]);
    assert_eq!(errors(&rules(&"x".repeat(large))), ["RBG131"]);
    assert_eq!(errors(&rules(&"()".repeat(large / 2))), ["RBG104"]);
    let size = 4 << 20;
    assert_eq!(errors(&rules(&format!("[$ v = {}]", "9".repeat(size)))), ["RBG103"]);
    assert_eq!(errors(&format!("{}{}", rules("->p ->q "), "_".repeat(size))), ["RBG101"]);
    assert_eq!(errors(&format!("{}/*{}", rules("->p ->q "), "*".repeat(size))), ["RBG102"]);
}

#[test]
fn many_errors_are_cut_off() {
    let hashes = "#".repeat(200_000);
    assert_eq!(errors(&hashes).len(), 200);
    let strange = rules(&"_ % ".repeat(100_000));
    assert!(errors(&strange).len() <= 101);
    let names: String = (0..5_000).map(|n| format!("name{n} ")).collect();
    assert_eq!(errors(&rules(&names)).len(), 200);
}

#[test]
fn a_large_board() {
    let row = format!("[{}]", vec!["a"; 300].join(","));
    let text = with("#rules = ->p up* ->q").replace("s[a]{", "rectangle(up,down,left,right,ROWS) //");
    let text = text.replace("ROWS", &row.repeat(300));
    assert_eq!(errors(&text), [""; 0]);
}
