//! What messages look like: every error and warning of section 10 of the specification.

#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{BASE, findings, snapshot};
use rg_ir::SourceId;

/// Checks the findings of several texts against one snapshot.
fn messages(name: &str, cases: &[String]) {
    let shown = |case: &String| {
        let case = case.strip_prefix(BASE).unwrap_or(case);
        let whole = if case.contains("domain Player") { case.to_owned() } else { format!("{BASE}{case}") };
        format!("{case}\n\n{}", findings(&whole))
    };
    let shown: Vec<String> = cases.iter().map(shown).collect();
    snapshot(name, &shown.join("\n----\n"));
}

/// Declarations, and a graph in which everything that is declared here is used.
fn with(declarations: &str) -> String {
    format!("{BASE}{declarations}\ngraph rules() {{ player = p v = v end() }}")
}

/// A body of `rules`, with what comes before.
fn body(declarations: &str, body: &str) -> String {
    format!("{BASE}{declarations}\ngraph rules() {{\n  player = p\n  {body}\n  v = v end()\n}}")
}

#[test]
fn words() {
    let cases = ["f: N -> N\nf(X) = X / 2", "w: N = \"a\"", "w: N = a & b", "@integer 0: a;"];
    messages("words", &cases.map(with));
}

#[test]
fn syntax_of_declarations() {
    let cases = [
        "domain = a",
        "domain where = a",
        "domain D = a |",
        "domain D = A(X)",
        "domain D = 0..3",
        "domain D = A(X) where X in 0..n",
        "domain D = A(X) where X in 0..99999999999999999999",
        "f: N -> -> N",
        "f: N -> N\nf(X) = X\ng(X) = X",
        "w: N = if v then I(0)",
        "w: N = (I(0)",
        "w: N = I(0))",
        "w: N -> N = { I(0) = I(1), I(1) = I(2) }",
        "w: N = -1",
        "const c: N = I(0)",
        "graph g(a) {}",
        "graph g(a: N,) {}",
    ];
    messages("syntax_of_declarations", &cases.map(with));
}

#[test]
fn syntax_of_statements() {
    let cases = [
        "v == I(0)",
        "if v = I(0) { $ a }",
        "v = ",
        "branch x { $ a }",
        "branch { $ a } or $ b",
        "repeat x { $ a }",
        "while { $ a }",
        "check(v == I(0)",
        "loop { $ a } }",
        "else { $ a }",
        "$ ()",
        "$$ (a b)",
        "v = N(*",
        "!v",
    ];
    messages("syntax_of_statements", &cases.map(|case| body("", case)));
}

#[test]
fn several_syntax_errors() {
    let text = format!(
        "{BASE}domain = a
f: N -> N
f(X = X
graph g() {{
  v == v
  $ a
  branch {{
    v =
    $ b
  }} or {{
    if v = v {{ $ c }} else {{ $ d }}
    foo(v,
      , v)
    $ e
  }}
  loop {{
    $ f $ = $ g
}}
w: N = )
graph rules() {{
  w = [v]
  end()
}}
x: N = I(0
domain E = e
graph h() {{ $ ) }}
"
    );
    messages("several_syntax_errors", &[text]);
}

#[test]
fn declarations() {
    let cases = [
        "domain N = a",
        "f: N -> N\nf(X) = X\nf: N -> N\nf(X) = I(0)",
        "v: N",
        "f: N -> N\nf(X) = X\nf: N",
        "graph g() {}\ngraph g() {}",
        "graph g(a: N, a: N) { $$ a }",
        "w: M",
        "w: Nn -> N",
        "domain A = B | a\ndomain B = C\ndomain C = A",
        "domain A = C(X, Y) where X in 0..1",
        "domain A = C(X, Y) where X in 0..99999, Y in 0..99999",
        "domain A = a_b | C(a_b) where | C(a, b) where",
        "graph g(p: N) { $$ p }\ng_arg0_p: N",
    ];
    let mut cases: Vec<String> = cases.map(with).to_vec();
    cases.extend([
        "domain Player = p\ndomain Score = 0\n".to_owned(),
        "domain Player = p\ndomain Score = 0\ngraph rules(a: Player) { $$ a end() }".to_owned(),
        "// domain Player\ndomain Score = 0\ngraph rules() { end() }".to_owned(),
    ]);
    messages("declarations", &cases);
}

#[test]
fn functions() {
    let cases = [
        "f: N -> N\nf(x) = I(0)",
        "f: N -> N -> N\nf(X) = X\nf(X, Y) = X",
        "f: N -> N\nf(X, Y) = X",
        "f: N\nf(X) = X",
        "f: M -> N\nf(X) = X",
        "f: Goals -> N\nf(X) = I(0)",
        "f: N -> N\nf(I(0)) = I(0)\nf(I(1)) = I(0)",
        "f: N -> N\nf(I(X)) = I(X - p)",
        "f: N -> N\nf(I(X)) = I(X % 0)",
        "f: N -> N\nf(I(X)) = I(X + 9223372036854775807)",
        "f: N -> N\nf(X) = f(X)",
        "f: N -> N\nf(X) = I(9)",
        "f: N -> N\nf(X) = g(X)",
        "f: N -> N -> N\nf(X, Y) = X\ng: N -> N\ng(X) = f(X)",
        "f: N -> N\nf(X) = if X then X else X",
        "f: N -> N\nf(X) = if X in M then X else X",
        "f: N -> N\nf(X) = if X in (N) then X else if I(0) in I(0) then X else X",
        "f: N -> N\nf(X) = if X < p then X else X",
        "f: N -> N\nf(X) = X == X",
        "f: N -> N\nf(X) = Y",
        "f: N -> N -> N\nf(p) = f\nf(X) = f",
    ];
    messages("functions", &cases.map(with));
}

#[test]
fn maps() {
    let cases = [
        "m: N -> N = { I(0) = I(1); I(X) = I(2) where X in 0..1 }",
        "m: N -> N = { :I(0); I(7) = I(2) }",
        "m: N -> N = { I(X) = I(2) }",
        "m: N -> N = { I(0) = I(2); _ = I(1) }",
        "m: N -> N = { :I(0); _ = I(1) }",
        "m: N -> N = { I(_) = I(1) }",
        "m: N -> N = { I(X) = I(1) where X in 2..1 }",
        "m: N -> N = I(0)",
        "m: N = { :I(0) }",
        "m: N -> N = { I(X) = I(X) where X in 0..1 }",
        "m: N -> N = { I(X) = I(0) where X in 0..5 }",
    ];
    messages("maps", &cases.map(with));
}

#[test]
fn statements() {
    let graph = "graph g(a: N) { v = a }";
    let cases = [
        ("", "go()"),
        (graph, "gg(v)"),
        (graph, "g()"),
        (graph, "g(v, v)"),
        (graph, "check(g(v))"),
        (graph, "reachable(g(v))"),
        ("", "check()"),
        ("", "return(v)"),
        ("", "check(not(v == v, v == v))"),
        ("", "check(true(v))"),
        ("", "check(v)"),
        ("", "check(v < I(1))"),
        ("", "check(v in N)"),
        ("", "check(nott(v == v))"),
        ("", "check(reachable(v))"),
        ("", "if p { $ a }"),
        ("", "end() $ a"),
        ("", "loop { break() $ a }"),
        ("", "break()"),
        ("", "branch { continue() } or {}"),
        ("graph h() { break() }", "loop { h() }"),
        ("", "branch x in N { x = I(0) }"),
        ("", "branch x in N { $$ x }"),
        (graph, "branch g in N { g(v) }"),
        ("graph h(a: N) { a = I(0) }", "h(v)"),
        ("", "w = I(0)"),
        ("f: N -> N f(X) = X", "f[v] = f[v]"),
        ("", "player[v] = p"),
        ("w: N = I(9)", "$$ w x = I(0) y = I(0)"),
        ("", "$$ w"),
        ("", "v = I(v)"),
        ("f: N -> N f(X) = X", "v = I(f(0))"),
        ("", "v = v + 1"),
        ("", "v = if v == v then v else v"),
        ("", "v = { :v }"),
        ("", "v = M(*)"),
        ("", "branch x in N -> N { $ x }"),
        ("", "repeat 99999999 { $ a }"),
    ];
    messages("statements", &cases.map(|(declarations, text)| body(declarations, text)));
}

#[test]
fn recursion() {
    let cases = [
        ("graph g() { g() }", "g()"),
        ("graph g() { h() }\ngraph h() { check(not(reachable(g()))) }", "g()"),
        ("", "check(reachable(rules()))"),
        ("graph g(a: N) { h(a) }\ngraph h(a: N) { check(reachable(g(a))) }", "$ a"),
    ];
    messages("recursion", &cases.map(|(declarations, text)| body(declarations, text)));
}

/// What the checks of RG find, at the statement that caused it.
#[test]
fn checks_of_rg() {
    let cases = [
        ("", "v = p"),
        ("", "v = I(7)"),
        ("", "if v == p { $ a }"),
        ("m: N -> N", "m = v"),
        ("m: N -> N", "v = m"),
        ("m: N -> N", "v = m[p]"),
        ("m: N -> N", "$$ m"),
        ("", "v[v] = v"),
        ("", "player = Player(*)"),
        ("graph g(a: N) { v = a }", "g(p)"),
        ("", "v = Player(*)"),
        ("m: N -> N", "m = N -> N(*)"),
        ("", "loop { $ a }"),
        ("", "loop { branch { $ a v = I(0) } or { $ b break() } }"),
        ("", "loop { branch { check(v == I(1)) $ a v = I(0) } or { $ b break() } }"),
        ("graph g() { check(false()) }", "check(reachable(g()))"),
        ("graph g() { loop {} }", "if reachable(g()) { $ a } else { $ b }"),
        ("", "loop { v = I(0) }"),
        ("domain E = C(X) where X in 1..0\ne: E", "$ a"),
    ];
    messages("checks_of_rg", &cases.map(|(declarations, text)| body(declarations, text)));
}

#[test]
fn warnings() {
    let cases = [
        ("f: N -> N\nf(X) = X", "$ a"),
        ("w: N", "w = v"),
        ("w: N", "$ a"),
        ("graph g(a: N) { v = I(0) }", "g(v)"),
        ("graph g() { v = I(0) }", "$ a"),
        ("f: N -> N -> N\nf(I(X), I(X)) = I(0)", "v = f(v, v)"),
        ("domain S = v | s\nw: S", "$$ w"),
        ("graph h() { player = p }\ngraph g() { h() }", "check(reachable(g()))"),
        ("", "player = p $ a player = p $_ a player = p"),
        ("", "branch {} or { return() }"),
        ("f: N -> N\nf(X) = if p < q then X else X", "v = f(v)"),
        ("", "loop { player = q $ a }\n  $ b"),
        ("f: N -> N\nf(J(_)) = I(0)\nf(I(X)) = I(0)\nf(I(0)) = I(1)", "v = f(v)"),
        ("", "check(false())\n  $ b"),
        ("", "branch { end() } or { return() }\n  if v == v { $ b }"),
    ];
    messages("warnings", &cases.map(|(declarations, text)| body(declarations, text)));
}

#[test]
fn what_is_used_in_any_way_gets_no_warning() {
    let cases = [
        ("", "$ a"),
        ("f: N -> N f(I(X)) = I(0)", "v = f(v)"),
        ("f: N -> N f(I(X)) = I(0)", "branch g in {f} { v = g[v] }"),
        ("f: N -> N f(I(X)) = I(0) domain F = f", "branch g in F { v = g[v] }"),
        ("w: N", "$$ w"),
        ("graph g(a: N) { $$ a }", "g(v)"),
        ("graph g() { end() }", "check(reachable(g()))"),
        ("domain D = a f: N -> N f(X) = if a in D then X else X", "v = f(v)"),
        ("domain D = a domain E = D | b", "branch x in E { $ x }"),
    ];
    for (declarations, text) in cases {
        let found = findings(&body(declarations, text));
        let warned = found.lines().filter(|line| line.contains("]: ") && !line.contains("HRG453"));
        assert_eq!(warned.collect::<Vec<_>>(), [""; 0], "{declarations} {text}");
    }
}

/// A name that is declared is no misspelt word, however near it is to one.
#[test]
fn declared_names_are_not_misspelt() {
    for text in ["player = \n  here = N(*)", "$ \n  here = N(*)", "check(here == here and here == here)"] {
        let found = findings(&body("here: N = 0", text));
        assert!(found.contains("expected") && !found.contains("`where`"), "{found}");
    }
    assert!(findings(&body("", "wile { v = v }")).contains("`while`"));
}

#[test]
fn a_mistake_of_the_syntax_hides_no_other() {
    let errors = |text: &str| -> Vec<&str> {
        hrg::load(SourceId(0), text).1.iter().filter(|found| found.is_error()).map(|found| found.code).collect()
    };
    let game = |domains: &str, declarations: &str, statements: &str| {
        format!(
            "domain Player = white | black\ndomain Score = 0 | 100\n{domains}\n{declarations}\nn: N = a\n\n\
             graph go(x: N) {{\n  n = x\n}}\n\ngraph rules() {{\n  player = white\n{statements}\n  $ pass\n  end()\n}}\n"
        )
    };
    let (domain, function) = ("domain N = a | b", "f: N -> N\nf(X) = X");
    assert_eq!(errors(&game(domain, function, "  go(n)")), Vec::<&str>::new());
    let other = "  n = f(f(n))\n  go(a, b)\n  gone()";
    // Arguments, and an unknown graph.
    let wanted = errors(&game(domain, function, other));
    assert_eq!(wanted, ["HRG421", "HRG420"]);
    for wrong in [
        game(domain, function, &format!("  n = = a\n{other}")),
        game(domain, function, &format!("{other}\n  check(n == )")),
        game(domain, "f: N - N\nf(X) = X", other),
        game("domain N = a |", function, other),
        game("domian N = a | b", function, other),
        game(domain, &format!("{function}\ndomain M = | a"), other),
    ] {
        let found = errors(&wrong);
        assert!(found.len() == 3 && found.contains(&"HRG402"), "{wrong}\n{found:?}");
        assert!(wanted.iter().all(|code| found.contains(code)), "{wrong}\n{found:?}");
    }
    // Two mistakes are two findings.
    assert_eq!(errors(&game(domain, function, "  n = = a\n  go(a)\n  check(n == )")), ["HRG402", "HRG402"]);
}

#[test]
fn what_is_missing_is_missing_behind_what_is_there() {
    let text = "graph rules() {\n  player =\n}\ndomain A = a |\nx: A\n";
    let found = hrg::load(SourceId(0), text).1;
    let places: Vec<&str> = found
        .iter()
        .filter(|found| found.code == "HRG402")
        .map(|found| text[..found.primary.as_ref().unwrap().span.start as usize].lines().last().unwrap())
        .collect();
    assert_eq!(places, ["  player =", "domain A = a |"], "{found:?}");
}

/// Codes and places of the findings about a text, but for those that something is not used.
fn places(text: &str) -> Vec<(&'static str, &str)> {
    let found = hrg::load(SourceId(0), text).1.into_iter().filter(|found| !found.message.contains("never used"));
    found.map(|found| (found.code, &text[found.primary.unwrap().span.range()])).collect()
}

#[test]
fn findings_point_at_what_is_wrong_and_not_at_all_that_is_around_it() {
    let expressions = [
        ("v = p", "RG017", "p"),
        ("m[I(0)] = m[p]", "RG018", "p"),
        ("m[v[v]] = v", "RG018", "v"),
        ("m[v] = m", "RG017", "m"),
        ("if k[v][p] == v && k[v][v] != p { $ a }", "RG017", "p"),
        ("check(k(v, m[p]) == v)", "RG018", "p"),
        ("take(v, m[q])", "RG018", "q"),
        ("take(v, q)", "RG017", "q"),
        ("check(reachable(take(v, q)))", "RG017", "q"),
        ("v[v] = N(*)", "RG018", "v"),
    ];
    let declarations =
        "m: N -> N = { :I(0) }\nk: N -> Player -> N = { :{ :I(0) } }\ngraph take(x: N, y: N) {\n  v = x v = y\n}";
    for (statement, code, place) in expressions {
        let text = body(declarations, statement);
        let found = places(&text);
        assert!(found.contains(&(code, place)), "{statement}: {found:?}");
    }
    let maps = [
        ("m: N -> N = { :I(0); I(1) = p; I(2) = I(0) }", "p"),
        ("m: N -> N = { :q; I(1) = I(0) }", "q"),
        ("m: N -> N = { :I(0); I(1) = I(2); p = I(2) }", "p"),
        ("m: N -> N = { :I(0); I(X) = J(X) where X in 1..2 }", "J(X)"),
        ("m: N -> N = { I(X) = I(0) where X in 1..2; I(0) = p }", "p"),
        ("m: N -> N -> N = { :{ :I(0) }; I(1) = { :I(1); I(2) = I(9) } }", "I(9)"),
        (
            "m: N -> N -> N = { I(X) = { I(Y) = I(Y) where Y in 0..2 } where X in 1..2; I(0) = { :I(0); q = I(1) } }",
            "q",
        ),
        // The most frequent value is no less wrong.
        ("m: N -> N = { I(0) = p; I(1) = p; I(2) = I(0) }", "p"),
        // What a map lacks is lacking where it begins, and what is too much is an entry.
        ("m: N -> N = {\n  I(X) = I(0) where X in 1..2\n}", "{"),
        ("m: N -> N -> N = { :{ I(X) = I(0) where X in 0..2 }; I(1) = { I(2) = I(2); I(1) = I(1) } }", "{"),
        ("m: N -> N = { I(X) = I(0) where X in 0..1; I(2) = I(1); q = I(1) }", "q"),
        // A map in a function.
        ("m: N -> N -> N\nm(I(0)) = { :I(0); I(1) = q }\nm(X) = { :X }", "q"),
        ("m: N -> N -> N\nm(X) = { :X; I(0) = { :X } }", "{ :X }"),
    ];
    for (declaration, place) in maps {
        let text = with(declaration);
        let found = places(&text);
        let [(code, at)] = found[..] else { panic!("{declaration}: {found:?}") };
        assert!(code.starts_with("HRG") && at == place, "{declaration}: {found:?}");
    }
}

/// The first finding of a description, and the description after its first fix, if it has one.
fn first(text: &str) -> (rg_ir::Diagnostic, Option<String>) {
    let found = hrg::load(SourceId(0), text).1.into_iter().find(rg_ir::Diagnostic::is_error).unwrap();
    let edit = found.fixes.first().and_then(|fix| fix.edits.first()).cloned();
    let mended = edit
        .map(|edit| format!("{}{}{}", &text[..edit.span.start as usize], edit.text, &text[edit.span.end as usize..]));
    (found, mended)
}

#[test]
fn calls_in_expressions_that_lack_arguments_say_so() {
    let functions = "f: N -> N -> N\nf(X, Y) = Y\nm: N -> N";
    for (statement, place) in [("check(f(v) == v)", "f(v)"), ("v = f(v)", "f(v)"), ("check(v != f(v))", "f(v)")] {
        let text = body(functions, statement);
        let (found, _) = first(&text);
        assert!(found.message.contains("takes 2 arguments, found 1"), "{found:?}");
        assert_eq!(&text[found.primary.unwrap().span.range()], place);
    }
    // As a map it may be assigned.
    assert!(hrg::load(SourceId(0), &body(functions, "m = f(v)")).0.is_some());
}

#[test]
fn what_is_about_the_whole_text_is_said_at_its_beginning() {
    let (found, _) = first("// A game.\ndomain Player = ann\ndomain Score = 0\ngraph other() {}\n");
    assert_eq!((found.primary.unwrap().span.range(), found.message.as_str()), (0..0, "there is no graph `rules`"));
}

#[test]
fn a_declaration_without_its_colon_is_one_mistake() {
    let rules = "graph rules() {\n  player = white\n  n = f[n]\n  $ pass\n  end()\n}\n";
    let before = "domain Player = white | black\ndomain Score = 0 | 100\ndomain N = a | b\n";
    for (declarations, place) in [
        ("f N -> N\nf(X) = X\nn: N = a\n", "f"),
        ("n: N = a\nf N -> N\nf(X) = X\n", "f"),
        ("f: N -> N\nf(X) = X\nn N = a\n", "n"),
        // Nothing but cases.
        ("f(X) = X\nn: N = a\n", "f"),
    ] {
        let text = format!("{before}{declarations}{rules}");
        let found = hrg::load(SourceId(0), &text).1;
        let [finding] = &found[..] else { panic!("{declarations}: {found:?}") };
        // The colon is missing behind the name, or found is what stands there.
        let at = finding.primary.as_ref().unwrap().span.start as usize;
        assert!(text[..at].trim_end().ends_with(&format!("\n{place}")), "{declarations}: {finding:?}");
        let Some(fix) = finding.fixes.first() else { continue };
        let [edit] = &fix.edits[..] else { panic!("{fix:?}") };
        let mended = format!("{}{}{}", &text[..edit.span.start as usize], edit.text, &text[edit.span.end as usize..]);
        assert!(hrg::load(SourceId(0), &mended).0.is_some(), "{mended}");
        assert_ne!(declarations.find('('), Some(1));
    }
    // Lines that go on are not new declarations.
    for domain in ["domain N =\na | b\n", "domain N = a |\nb\n", "domain N = a\n| b\n"] {
        let text =
            format!("{}{domain}f: N -> N\nf(X) =\nX\nn: N = a\n{rules}", before.replace("domain N = a | b\n", ""));
        assert_eq!(hrg::load(SourceId(0), &text).1, [], "{text}");
    }
}
