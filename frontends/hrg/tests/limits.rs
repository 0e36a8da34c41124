//! Inputs made to hurt: each must be answered quickly and cleanly, on a small stack.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use hrg::codes;
use rg_ir::SourceId;

const BASE: &str = "domain Player = p\ndomain Score = 0 | 1\ndomain N = I(X) where X in 0..2\nv : N\n";

fn errors(text: &str) -> Vec<&'static str> {
    // Smaller limits than usual are reached sooner.
    let limits = hrg::Limits { steps: 1_000_000, edges: 100_000 };
    let findings = hrg::load_within(SourceId(0), text, limits).1;
    let mut codes: Vec<_> = findings.iter().filter(|finding| finding.is_error()).map(|finding| finding.code).collect();
    codes.dedup();
    codes
}

fn game(declarations: &str, body: &str) -> String {
    format!("{BASE}{declarations}\ngraph rules() {{ player = p {body} v = v end() }}")
}

/// `open` and `close` around `inner`.
fn nest(count: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(count), close.repeat(count))
}

/// Runs a test with 2 MiB of stack, as threads have.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
}

/// Declarations and a body with that much nesting.
type Shape = fn(usize) -> (String, String);

const NESTED: [Shape; 9] = [
    |n| (String::new(), nest(n, "loop { ", "$ a", " break() }")),
    |n| (String::new(), nest(n, "if v == v { ", "$ a", " } else { $ b }")),
    |n| (String::new(), nest(n, "branch x in {I} { ", "$ a", " }")),
    |n| (String::new(), nest(n, "repeat 1 { ", "$ a", " }")),
    |n| (String::new(), format!("check({})", nest(n, "not(", "v == v", ")"))),
    |n| (String::new(), format!("check({})", nest(n, "(v == v || ", "v == v", ")"))),
    |n| (format!("f : N -> N f(X) = {}", nest(n, "if X in N then (", "X", ") else X")), "v = f(v)".into()),
    |n| ("f : N -> N f(X) = X".into(), format!("v = {}", nest(n, "f(", "v", ")"))),
    |n| ("f : N -> N f(X) = X".into(), format!("v = {}", nest(n, "f[", "v", "]"))),
];

#[test]
fn whatever_nests_as_deeply_as_is_allowed_is_accepted() {
    on_small_stack(|| {
        for (number, shape) in NESTED.iter().enumerate() {
            let (declarations, body) = shape(990);
            let text = game(&declarations, &body);
            assert_eq!(errors(&text), [""; 0], "{number}");
            let tree = hrg::parse(SourceId(0), &text).0.unwrap();
            assert_eq!(hrg::parse(SourceId(0), &hrg::print(&tree)).0.unwrap(), tree, "{number}");
            assert!(hrg::format(SourceId(0), &text).is_ok());
        }
    });
}

#[test]
fn whatever_nests_more_deeply_is_an_error_and_nothing_more() {
    on_small_stack(|| {
        for shape in NESTED {
            for depth in [1_001, 20_000] {
                let (declarations, body) = shape(depth);
                assert_eq!(errors(&game(&declarations, &body)), [codes::NESTING]);
            }
        }
    });
}

#[test]
fn brackets_that_only_open_are_an_error() {
    on_small_stack(|| {
        for open in ["(", "C(", "{ a = ", "{ :", "f(", "a[", "{", "[", "if (", "(*)", "}", "where ", "or {", ":", "$ ("]
        {
            let many = open.repeat(100_000);
            for text in [
                format!("{BASE}w : N = {many}"),
                format!("{BASE}graph rules() {{ {many}"),
                many.clone(),
                game("", &many),
            ] {
                assert!(hrg::load(SourceId(0), &text).0.is_none());
                assert!(hrg::format(SourceId(0), &text).is_err());
            }
        }
    });
}

#[test]
fn what_is_long_but_not_nested_is_accepted() {
    on_small_stack(|| {
        let n = 20_000;
        let sum = format!("m : N = if 0{} == {n} then I(1) else I(2)", " + 1".repeat(n));
        assert_eq!(errors(&game(&sum, "")), [""; 0]);
        let choice = format!("f : N -> N f(X) = {}X", "if X != X then X else ".repeat(n));
        assert_eq!(errors(&game(&choice, "v = f(v)")), [""; 0]);
        assert_eq!(errors(&game("", &format!("check(v == v{})", " && v == v".repeat(n)))), [""; 0]);
        assert_eq!(errors(&game("", &format!("check(v == v{})", " || v == v".repeat(n)))), [""; 0]);
        let chain = format!("if v == v {{ $ a }}{}", " else if v == v { $ a }".repeat(n));
        assert_eq!(errors(&game("", &chain)), [""; 0]);
        assert_eq!(errors(&game("", &"$ a ".repeat(n))), [""; 0]);
        let tree = hrg::parse(SourceId(0), &game(&sum, &chain)).0.unwrap();
        assert_eq!(hrg::parse(SourceId(0), &hrg::print(&tree)).0.unwrap(), tree);
        // Calls of calls of calls.
        let calls: String = (0..n).map(|i| format!("graph g{i}() {{ g{}() }}\n", i + 1)).collect();
        assert_eq!(errors(&game(&format!("{calls}graph g{n}() {{ $ a }}"), "g0()")), [""; 0]);
    });
}

#[test]
fn accesses_and_arrows_do_not_nest_without_end() {
    on_small_stack(|| {
        assert_eq!(errors(&game("", &format!("v = v{}", "[v]".repeat(20_000)))), [codes::NESTING]);
        assert_eq!(errors(&game("", &format!("v{} = v", "[v]".repeat(20_000)))), [codes::NESTING]);
        assert_eq!(errors(&game(&format!("w : {}N", "N -> ".repeat(20_000)), "")), [codes::NESTING]);
        assert_eq!(errors(&game(&format!("w : {}N", "N -> ".repeat(200)), "$ a")), [""; 0]);
        assert_eq!(
            errors(&game(&format!("w : {}N = {}", "N -> ".repeat(200), nest(200, "{ :", "I(0)", " }")), "")),
            [""; 0]
        );
        let unions: String = (0..20_000).map(|i| format!("domain D{i} = D{}\n", i + 1)).collect();
        assert!(errors(&game(&format!("{unions}domain D20000 = z"), "")).contains(&codes::NESTING));
    });
}

#[test]
fn recursion_ends() {
    on_small_stack(|| {
        let domain = "domain M = J(X) where X in {20000} ";
        let down = |from| format!("f : M -> N f(J(X)) = if X == {from} then I(0) else f(J(X - 1))");
        assert_eq!(errors(&game(&format!("{domain}{}", down(15_000)), "")), [""; 0]);
        assert_eq!(errors(&game(&format!("{domain}{}", down(0)), "")), [codes::RECURSION_LIMIT]);
        assert_eq!(errors(&game("f : N -> N f(X) = f(X)", "")), [codes::RECURSION_LIMIT]);
        let conditions =
            "f : N -> N f(X) = if ".to_owned() + &nest(50, "(", "f(X) == X", " && X == X)") + " then X else X";
        assert_eq!(errors(&game(&conditions, "")), [codes::RECURSION_LIMIT]);
    });
}

#[test]
fn values_do_not_grow_without_end() {
    let deep = "domain M = J(X) where X in {9999} f : M -> N f(J(X)) = if X == 0 then I(0) else C(f(J(X - 1)))";
    assert!(errors(&game(deep, "")).contains(&codes::LIMIT));
    let wide = "domain M = J(X) where X in {99} \
        f : M -> N f(J(X)) = if X == 0 then I(0) else C(f(J(X - 1)), f(J(X - 1)))";
    assert!(errors(&game(wide, "")).contains(&codes::LIMIT));
    // Maps share their parts, tables do not.
    let shared = format!(
        "domain M = J(X) where X in 0..99 domain B = a | b w : {}N = l(J(60)) \
         l : M -> N l(J(X)) = if X == 0 then I(0) else {{ a = l(J(X - 1)); b = r(J(X - 1)) }} \
         r : M -> N r(J(X)) = if X == 0 then I(1) else {{ a = r(J(X - 1)); b = l(J(X - 1)) }}",
        "B -> ".repeat(60)
    );
    assert!(errors(&game(&shared, "")).contains(&codes::LIMIT));
}

#[test]
fn domains_and_graphs_do_not_grow_without_end() {
    let domain = |ranges: &str| errors(&game(&format!("domain A = C(X, Y, Z) where {ranges}"), ""));
    assert_eq!(domain("X in 0..99999999999, Y in 0..1, Z in 0..1"), [codes::LIMIT]);
    assert_eq!(domain("X in 0..999, Y in 0..999, Z in 0..999"), [codes::LIMIT]);
    assert_eq!(domain("X in 0..99999999999999999999, Y in 0..1, Z in 0..1"), [codes::SYNTAX]);
    assert_eq!(domain("X in 0..9223372036854775807, Y in 0..1, Z in 0..1"), [codes::LIMIT]);
    assert_eq!(domain("X in 5..4, Y in 0..1, Z in 0..1 | z"), [""; 0]);
    assert_eq!(errors(&game("", "repeat 99999999999 { $ a }")), [codes::LIMIT]);
    assert_eq!(errors(&game("", &nest(30, "repeat 90000 { ", "", "}"))), [codes::LIMIT]);
    assert_eq!(errors(&game("", &nest(30, "branch x in N { ", "", "}"))), [codes::LIMIT]);
    let calls: String = (0..40).map(|i| format!("graph g{i}() {{ g{0}() g{0}() }}\n", i + 1)).collect();
    assert_eq!(errors(&game(&format!("{calls}graph g40() {{}}"), "g0()")), [codes::LIMIT]);
    // In checks, equal calls are shared.
    let checks: String = (0..40)
        .map(|i| format!("graph g{i}() {{ check(reachable(g{0}())) check(reachable(g{0}())) }}\n", i + 1))
        .collect();
    assert_eq!(errors(&game(&format!("{checks}graph g40() {{}}"), "g0()")), [""; 0]);
}

#[test]
fn many_errors_are_cut_short() {
    let text = game("", &"x = = y\n".repeat(100_000));
    assert!(hrg::load(SourceId(0), &text).1.len() <= 200);
    let text = "domain = x\n".repeat(100_000);
    assert!(hrg::load(SourceId(0), &text).1.len() <= 200);
    let text = "\u{1}x".repeat(100_000);
    assert!(hrg::load(SourceId(0), &text).1.len() <= 200);
}
