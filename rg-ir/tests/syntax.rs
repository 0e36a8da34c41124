//! What the text syntax accepts, and what it says about what it does not.

#![allow(clippy::unwrap_used)]

mod common;

use rg_ir::{Game, SourceId, text};

const SOURCE: SourceId = SourceId(0);

/// The built-in types that every game needs, in front of a case.
const HEAD: &str = "type Player = {a, b}; type Score = {0, 1};\n";

fn parse(source: &str) -> Game {
    let (game, findings) = text::parse(SOURCE, source);
    assert_eq!(common::render(source, &findings), "", "{source}");
    game.unwrap()
}

/// Each case with what is reported about it.
fn reports(cases: &[&str]) -> String {
    let mut out = String::new();
    for case in cases {
        let (game, findings) = text::parse(SOURCE, case);
        assert_eq!(game.is_none(), findings.iter().any(|finding| finding.is_error()), "{case}");
        out += &format!(
            "─── {}\n{}",
            case.replace('\n', "⏎").replace('\0', "␀").replace('\u{a0}', "⍽"),
            common::render(case, &findings)
        );
    }
    out
}

fn snapshot(name: &str, cases: &[&str]) {
    insta::with_settings!({
        snapshot_path => "../../snapshots/rg-ir",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, reports(cases));
    });
}

/// Every form of the grammar, with the text it is printed as.
#[test]
fn accepted_forms() {
    let cases = [
        ("type  T={x,y} ;", "type T = { x, y };\n"),
        ("type M = Player->{x}->Score;", "type M = Player -> { x } -> Score;\n"),
        ("const c : Player->Score={a : 1,:0};", "const c: Player -> Score = { a: 1, :0 };\n"),
        ("var v: Player -> Player -> Score = {:{:0}};", "var v: Player -> Player -> Score = { :{ :0 } };\n"),
        ("x,y:;", "x, y: ;\n"),
        ("x, y: $0;", "x, y: $ 0;\n"),
        ("x, y: $$player;", "x, y: $$ player;\n"),
        ("x, y: ?q->r; x, y: !q->r;", "x, y: ? q -> r;\nx, y: ! q -> r;\n"),
        ("x, y: goals [a]==Score(goals[b]);", "x, y: goals[a] == Score(goals[b]);\n"),
        ("x, y: Goals(goals)[a]!=0;", "x, y: Goals(goals)[a] != 0;\n"),
        ("x, y: Player(PlayerOrSystem(player))=a;", "x, y: Player(PlayerOrSystem(player)) = a;\n"),
        ("x, y: goals[a]=Score(*);", "x, y: goals[a] = Score(*);\n"),
        ("x, y: goals[a]={0,1}(*);", "x, y: goals[a] = { 0, 1 }(*);\n"),
        ("x, y: goals = Player -> Score ( * );", "x, y: goals = Player -> Score(*);\n"),
        ("x, y: goals = {a} -> Score ( * );", "x, y: goals = { a } -> Score(*);\n"),
        ("constant, typed: ; variable, const_: ;", "constant, typed: ;\nvariable, const_: ;\n"),
        ("żółć, 日本: $ 10_17;", "żółć, 日本: $ 10_17;\n"),
        ("x, y: // a comment; with a semicolon\n ;// and another", "x, y: ;\n"),
        ("\u{feff}x,\r\n\ty\n:\n;", "x, y: ;\n"),
    ];
    let head = text::print(&parse(HEAD));
    for (case, printed) in cases {
        let source = if case.starts_with('\u{feff}') { format!("{case}{HEAD}") } else { format!("{HEAD}{case}") };
        let (game, findings) = text::parse(SOURCE, &source);
        assert_eq!(common::render(&source, &findings), "", "{case}");
        assert_eq!(text::print(&game.unwrap()), format!("{head}{printed}"), "{case}");
    }
}

#[test]
fn accepted_pragmas() {
    let cases = [
        ("@artificialTag t  u;", "@artificialTag t u;"),
        ("@disjoint p:q q r;", "@disjoint p : q q r;"),
        ("@disjointExhaustive p : q;", "@disjointExhaustive p : q;"),
        ("@integer 007 : a b;", "@integer 7 : a b;"),
        ("@iterator p q r : v;", "@iterator p q r : v;"),
        ("@repeat p q:;", "@repeat p q :;"),
        ("@repeat p : v\nw;", "@repeat p : v w;"),
        ("@unique p q;", "@unique p q;"),
        ("@tagIndex p q : 3;", "@tagIndex p q : 3;"),
        ("@tagMaxIndex p:18446744073709551615;", "@tagMaxIndex p : 18446744073709551615;"),
        ("@translatedFromRbg ;", "@translatedFromRbg;"),
        ("@simpleApply p q [];", "@simpleApply p q [];"),
        (
            "@simpleApply p q [hit , player : Player] goals [ a ] = Score(player),player=keeper;",
            "@simpleApply p q [hit, player: Player] goals[a] = Score(player), player = keeper;",
        ),
        ("@simpleApplyExhaustive p q[x:{a}->Player];", "@simpleApplyExhaustive p q [x: { a } -> Player];"),
        ("@ disjoint x : y;", "@ disjoint x : y;"),
        ("@repeatable  any → \"thing\" // goes\n here ;", "@repeatable  any → \"thing\" // goes\n here ;"),
        ("@;", "@;"),
    ];
    for (case, printed) in cases {
        let game = parse(&format!("{HEAD}{case}"));
        assert_eq!(text::print(&game), format!("{printed}\n{}", text::print(&parse(HEAD))), "{case}");
        assert!(parse(&text::print(&game)) == game, "{case}");
    }
}

#[test]
fn names() {
    for name in ["a", "0", "10_1", "_", "żółć", "constant", "Var"] {
        assert!(text::is_name(name), "{name}");
    }
    for no_name in ["", "const", "type", "var", "a b", " a", "a ", "a-b", "a;", "@a", "// a", "\u{feff}a"] {
        assert!(!text::is_name(no_name), "{no_name}");
    }
}

/// Order counts, except among pragmas; built-in definitions that are left out count as absent.
#[test]
fn equality() {
    let same = |a: &str, b: &str| parse(&format!("{HEAD}{a}")) == parse(&format!("{HEAD}{b}"));
    assert!(same("@unique a; @unique b; @x; x, y: a == b;", "@x; @unique b; x, y: a == b; @unique a;"));
    assert!(same("x, y: $ t; var v: Score = 0; type T = {a};", "type T = {a}; x, y: $ t; var v: Score = 0;"));
    let different = [
        ("@unique a; @unique a; @unique b;", "@unique a; @unique b; @unique b;"),
        ("x, y: ; x, z: ;", "x, z: ; x, y: ;"),
        ("x, y: ? a -> b;", "x, y: ? b -> a;"),
        ("x, y: ? a -> b;", "x, y: ! a -> b;"),
        ("x, y: a == b;", "x, y: b == a;"),
        ("x, y: a == goals;", "var gaols: Score = 0; x, y: a == gaols;"),
        ("type T = {a, b};", "type T = {b, a};"),
        ("type T = {a, b};", "type U = {a, b};"),
        ("const c: Score = 0; var v: Score = c;", "const c: Score = 0; var v: Score = 0;"),
        ("type Bool = {0, 1};", ""),
        ("@simpleApply p q [x: Score] goals[a] = x;", "@simpleApply p q [x] goals[a] = x;"),
        ("@simpleApply p q [] goals[a] = 0;", "@simpleApply p q [] goals[a] = 1;"),
    ];
    for (a, b) in different {
        assert!(!same(a, b), "{a} and {b}");
    }
}

/// A name that a pragma binds is the tag found, whatever else has that name.
#[test]
fn bound_names_hide_variables() {
    use rg_ir::{Expr, Pragma};
    let game =
        parse(&format!("{HEAD}@simpleApply p q [player: Player] player = player; @simpleApply p q [] player = a;"));
    let targets: Vec<bool> = game
        .pragmas
        .iter()
        .map(|decl| match &decl.pragma {
            Pragma::SimpleApply { assignments, .. } => matches!(game.exprs.get(assignments[0].0), Expr::Var(_)),
            _ => false,
        })
        .collect();
    assert_eq!(targets, [false, true]);
}

/// Declarations, nodes, edges and their expressions know where they stand.
#[test]
fn spans() {
    let source = format!("{HEAD}var v: Player -> Score = {{:0}};\nbegin, end: Goals(v)[Player(a)] != goals[b];");
    let game = parse(&source);
    let at = |span: rg_ir::Span| &source[span.range()];
    assert_eq!(at(game.type_decls.values().next().unwrap().span), "type Player = {a, b};");
    assert_eq!(at(game.vars.values().next().unwrap().span), "var v: Player -> Score = {:0};");
    assert_eq!(at(game.automaton.node(game.begin()).span), "begin");
    assert_eq!(at(game.automaton.node(game.end()).span), "end");
    let (_, edge) = game.automaton.edges().next().unwrap();
    assert_eq!(at(edge.span), "begin, end: Goals(v)[Player(a)] != goals[b];");
    let spans: Vec<&str> = edge.spans.iter().map(|&span| at(span)).collect();
    let expected = ["Goals(v)[Player(a)]", "Goals(v)", "v", "Player(a)", "a", "goals[b]", "goals", "b"];
    assert_eq!(spans, expected);
    let mut count = 0;
    edge.label.exprs().for_each(|root| game.exprs.preorder(root, |_, _| count += 1));
    assert_eq!(count, edge.spans.len());
}

#[test]
fn rejected_declarations() {
    snapshot(
        "rejected_declarations",
        &[
            "type T = {};",
            "type T = {x,};",
            "type T = (x);",
            "type T = {x} {y};",
            "type T = ;",
            "type = {x};",
            "type const = {x};",
            "const c = 0;",
            "const c: {0} = ;",
            "const c: {0} -> {0} = {0, 1};",
            "const c: {0} -> {0} = {:0,};",
            "var v: {0} = f(x);",
            "var v: {0} = $;",
            ";",
            "= x;",
            "}",
        ],
    );
}

#[test]
fn rejected_edges() {
    snapshot(
        "rejected_edges",
        &[
            "foo(x: Y), bar: ;",
            "foo, bar(x: Y): ;",
            "x: ;",
            "x, y;",
            "x, y: z;",
            "x, y: a[b](c);",
            "x, y: {a, b}(c) == d;",
            "x, y: d = {a, b}(c);",
            "x, y: d == T(*);",
            "x, y: d = e = f;",
            "x, y: d < e;",
            "x, y: ? a → b;",
            "x, y: ? a - b;",
            "x, y: $ a $ b;",
            "x, y: $ $ a;",
            "x, y: $ \"a\";",
            "x, y: a[ == b;",
            "x, y: a == ;",
            "x, y: not a;",
            "a, b: x[y] =\nc, d: $ t;\ne, f: ? ;",
            "a, b: x ==\nc,\nd: $;",
        ],
    );
}

#[test]
fn rejected_ends() {
    snapshot(
        "rejected_ends",
        &[
            "type T = {x}\nx, y: ;",
            "x, y: a == b\ny, z: ;",
            "x, y: $ a // why\ntype T = {x};\ny, z: $ ;",
            "x, y: a ==\ntype T = {x};",
            "x, y:",
            "x, y: ? a -> żółć",
            "type T = {x, y\n",
            "@unique a b\nx, y: ;",
            "@unique a\n@unique b;",
            "x, y: ; /* block; comment */ y, z: ;",
            "x, y: ; /* open, y, z: ;",
            "x, y: ;\u{a0}y, z: ;\u{0}",
        ],
    );
}

#[test]
fn rejected_pragmas() {
    snapshot(
        "rejected_pragmas",
        &[
            "@disjoint a b;",
            "@disjoint a : ;",
            "@integer x : y;",
            "@integer 18446744073709551616 : y;",
            "@iterator p q : v;",
            "@repeat p q;",
            "@unique;",
            "@unique a // b\n;",
            "@unique a, b;",
            "@unique a @b;",
            "@tagIndex p : q;",
            "@simpleApply p q;",
            "@simpleApply p q [a,];",
            "@simpleApply p q [a] b == c;",
            "@simpleApply p q [a: {b}, a: {c}];",
            "@translatedFromRbg x;",
        ],
    );
}

#[test]
fn rejected_names() {
    snapshot(
        "rejected_names",
        &[
            "type Player = {a}; var v: Plyer = a; x, y: v == Colour(v);",
            "type A = B; type B = {x} -> C; type C = A; type D = D;",
            "type M = {a} -> {b}; type N = M; type O = {a} -> N -> {c};",
            "type T = {a, b, a};",
            "type T = {a}; type T = {b}; const c: T = a; const c: T = a; var v: T = a; var v: T = a;",
            "type T = {a}; var c: T = a; const c: T = a;",
            "const c: {a} -> {b} = {a: b}; const d: {a} -> {b} = {:b, a: b, :b, a: b};",
            "const a: {x} = b; const b: {x} = c; const c: {x} = a; const d: {d} = d;",
            "var x: {a} = a; var y: {a} = x; const z: {a} -> {a} = {:x};",
            "x, y: $$ palyer; x, y: $$ nothing; const c: {a} = a; x, y: $$ c;",
            "type T = {a; const c: {x = a; var v: T = c; x, y: $$ c;",
        ],
    );
}

/// One error too many: a hundred are shown, and that there are more.
#[test]
fn errors_are_limited() {
    for case in ["x y;", "type T = Nope;", "x, y: #;", "x, y: $$ nope;\n"] {
        let (game, findings) = text::parse(SOURCE, &case.repeat(1000));
        assert!(game.is_none());
        assert_eq!(findings.len(), 101, "{case}");
        assert_eq!(findings.last().map(|finding| finding.code), Some("RG059"));
    }
}

#[test]
fn maps_that_are_called_are_told_from_casts() {
    let source = "type N = { a, b };\nconst next: N -> N = { :a, a: b };\nvar n: N = a;\nvar m: N -> N = { :a };\n\
                begin, x: n = next(m(n));\nx, end: player = keeper;\n";
    let found = text::parse(SOURCE, source).1;
    let mut edits: Vec<_> = found.iter().flat_map(|found| found.fixes[0].edits.clone()).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut mended = source.to_owned();
    edits.iter().for_each(|edit| mended.replace_range(edit.span.range(), &edit.text));
    assert_eq!(mended, source.replace("next(m(n))", "next[m[n]]"));
}
