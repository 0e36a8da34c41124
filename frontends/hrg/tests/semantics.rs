//! Statements and conditions (sections 7 and 8 of the specification), by the moves of games small enough to list them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{BASE, Play};

/// The legal moves of a game whose only turn, of `p`, does what `body` says.
fn moves_with(declarations: &str, body: &str) -> Vec<String> {
    let text = format!("{BASE}{declarations}\ngraph rules() {{ player = p turn() end() }}\ngraph turn() {{ {body} }}");
    Play::new(&text).moves()
}

fn moves(body: &str) -> Vec<String> {
    moves_with("", body)
}

#[test]
fn branches() {
    assert_eq!(moves("branch { $ a } or { $ b } or { $ c $ d }"), ["a", "b", "c d"]);
    assert_eq!(moves("branch { $ a } $ b"), ["a b"]);
    assert_eq!(moves("branch { $ a } or {} $ b"), ["a b", "b"]);
    assert_eq!(moves("branch x in N { $ x }"), ["I__0", "I__1", "I__2"]);
    assert_eq!(moves("branch x in {b, a} { branch y in {c, x} { $ x $ y } }"), ["a c", "a x", "b c", "b x"]);
    // Repetitions are copies, and copies are one move.
    assert_eq!(moves("branch _ in {0, 0, 1} { $ _ }"), ["0", "1"]);
}

#[test]
fn forall_is_branch() {
    assert_eq!(moves("forall x: N { $ x }"), ["I__0", "I__1", "I__2"]);
    assert_eq!(moves("forall x: {a, b} { forall y: {x} { $ y $ x } }"), ["x a", "x b"]);
    // It is a name everywhere else.
    assert_eq!(moves_with("forall: N = I(1)", "$$ forall forall = I(2) $$ forall"), ["I__1 I__2"]);
    assert_eq!(moves_with("graph forall(forall: N) { $$ forall }", "forall(I(1)) $ forall"), ["I__1 forall"]);
}

#[test]
fn inner_variables_hide_outer_ones() {
    assert_eq!(moves("branch x in {a} { $ x branch x in {b} { $ x } $ x }"), ["a b a"]);
    assert_eq!(moves_with("a: N", "branch x in {a} { repeat x in {a} { $$ a } $ x }"), ["I__0 a"]);
    // A called graph does not see them.
    assert_eq!(moves_with("graph g() { $ x }", "branch x in {a} { g() $ x }"), ["x a"]);
}

#[test]
fn branch_variables_stand_for_functions_symbols_and_parts_of_tags() {
    let functions = "next: N -> N next(I(X)) = I((X + 1) % 3) last: N -> N last(I(X)) = I((X - 1) % 3)";
    assert_eq!(moves_with(functions, "branch f in {next, last} { v = f[v] $_ f $$ v }"), ["last I__2", "next I__1"]);
    assert_eq!(moves("branch I in {0, 1} { branch J in {0} { $ (x I y J) $ I } }"), ["x__0__y__0 0", "x__1__y__0 1"]);
    assert_eq!(moves("branch x in {0, 1} { v = I(x + 1) $$ v }"), ["I__1", "I__2"]);
    assert_eq!(
        moves("branch x in {0, 1} { v = if0(x) }".replace("if0(x)", "I(if x == 0 then 2 else 0) $$ v").as_str()),
        ["I__0", "I__2"]
    );
}

#[test]
fn repetitions() {
    assert_eq!(moves("repeat 3 { $ a }"), ["a a a"]);
    assert_eq!(moves("repeat 0 { $ a } $ b"), ["b"]);
    assert_eq!(moves("repeat x in {a, b, a} { $ x }"), ["a b a"]);
    // `break` goes behind the last copy, `continue` to the next.
    assert_eq!(
        moves("repeat x in {a, b} { $ x branch { break() } or { $ go } } $ z"),
        ["a go b go z", "a go b z", "a z"]
    );
    assert_eq!(
        moves("repeat 2 { $ a branch { continue() } or { $ go } $ c } $ z"),
        ["a a go c z", "a a z", "a go c a go c z", "a go c a z"]
    );
    assert_eq!(moves("repeat 2 { repeat 2 { $ a break() } $ b }"), ["a b a b"]);
}

#[test]
fn loops_are_left_by_jumps_only() {
    assert_eq!(moves("loop { $ a break() } $ z"), ["a z"]);
    assert_eq!(
        moves("loop { if v == I(2) { break() } v = next[v] $$ v } $ z".replace("next[v]", "I(2)").as_str()),
        ["I__2 z"]
    );
    let next = "next: N -> N next(I(X)) = I((X + 1) % 3)";
    assert_eq!(moves_with(next, "loop { v = next(v) if v == I(2) { break() } $$ v }"), ["I__1"]);
    assert_eq!(moves_with(next, "loop { v = next(v) if v != I(0) { $$ v continue() } break() } $ z"), ["I__1 I__2 z"]);
    assert_eq!(moves_with(next, "loop { loop { break() } $ a break() }"), ["a"]);
}

#[test]
fn while_loops() {
    let next = "next: N -> N next(I(X)) = I((X + 1) % 3)";
    assert_eq!(moves_with(next, "while v != I(2) { $ a v = next(v) } $ z"), ["a a z"]);
    assert_eq!(moves_with(next, "while v == I(2) { $ a } $ z"), ["z"]);
    assert_eq!(moves_with(next, "while v != I(2) { v = next(v) if v == I(1) { continue() } $ a } $ z"), ["a z"]);
    // The loop has a head of its own: no play runs through it and then takes the other branch.
    assert_eq!(moves_with(next, "branch { while v != I(2) { v = next(v) $ a } $ b } or { $ c }"), ["a a b", "c"]);
    assert_eq!(
        moves_with(next, "branch { loop { v = next(v) $ a if v == I(2) { break() } } } or { $ c }"),
        ["a a", "c"]
    );
    // So it is if the loop is in a graph that begins with it.
    let graph = format!("{next} graph g() {{ while v != I(2) {{ v = next(v) $ a }} }}");
    assert_eq!(moves_with(&graph, "branch { g() $ b } or { $ c }"), ["a a b", "c"]);
}

#[test]
fn conditionals() {
    assert_eq!(moves("if v == I(0) { $ a } $ b"), ["a b"]);
    assert_eq!(moves("if v != I(0) { $ a } $ b"), ["b"]);
    assert_eq!(moves("if v != I(0) { $ a } else { $ b }"), ["b"]);
    assert_eq!(moves("if v == I(1) { $ a } else if v == I(0) { $ b } else { $ c }"), ["b"]);
    assert_eq!(moves("v = N(*) if v == I(0) { $ a } else if v == I(1) { $ b } else { $ c }"), ["a", "b", "c"]);
    assert_eq!(moves("if(v == I(0)){$ a}"), ["a"]);
}

/// Which values of `v` a condition holds for: as a check, as a conditional, and negated.
fn holds(condition: &str) -> String {
    let as_check = moves(&format!("v = N(*) check({condition}) $$ v")).join(" ");
    let negated = moves(&format!("v = N(*) check(not(not({condition}))) $$ v")).join(" ");
    let conditional = moves(&format!("v = N(*) if {condition} {{ $$ v }} else {{ $ no v = I(0) }}"));
    let conditional: Vec<String> = conditional.into_iter().filter(|text| text != "no").collect();
    let otherwise = moves(&format!("v = N(*) if not({condition}) {{ $ no v = I(0) }} else {{ $$ v }}"));
    let otherwise: Vec<String> = otherwise.into_iter().filter(|text| text != "no").collect();
    assert_eq!([&as_check, &conditional.join(" "), &otherwise.join(" ")], [&negated; 3], "{condition}");
    as_check
}

#[test]
fn conditions() {
    for (condition, values) in [
        ("v == I(1)", "I__1"),
        ("v != I(1)", "I__0 I__2"),
        ("I(1) == v", "I__1"),
        ("v == I(1) || v == I(2)", "I__1 I__2"),
        ("v != I(1) && v != I(2)", "I__0"),
        ("not(v == I(1) || v == I(2))", "I__0"),
        ("not(v == I(1) && v == I(2))", "I__0 I__1 I__2"),
        ("v == I(0) || v == I(1) && v != I(1)", "I__0"),
        ("(v == I(0) || v == I(1)) && v != I(0)", "I__1"),
        ("not(not(v == I(1)) && not(v == I(2)))", "I__1 I__2"),
        ("true()", "I__0 I__1 I__2"),
        ("false() || v == I(2)", "I__2"),
        ("true() && v == I(2)", "I__2"),
    ] {
        assert_eq!(holds(condition), values, "{condition}");
    }
}

#[test]
fn reachability() {
    let graphs = "graph is(n: N) { check(v == n) }
        graph endless() { loop {} }
        graph ends() { check(v == I(2)) end() }
        graph early() { if v == I(1) { return() } check(false()) }
        graph changes() { v = I(2) check(v == I(2)) }
        graph deep(n: N) { check(not(reachable(is(n)))) }
        graph some() { v = N(*) check(v == I(1)) }";
    let holding = |condition: &str| {
        let used = "check(reachable(is(v)) || reachable(endless()) || reachable(ends()) || reachable(early()) \
            || reachable(changes()) || reachable(deep(v)) || reachable(some()) || true())";
        moves_with(graphs, &format!("{used} v = N(*) if {condition} {{ $$ v }} else {{ $ no v = I(0) }}"))
            .into_iter()
            .filter(|text| text != "no")
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(holding("reachable(is(I(1)))"), "I__1");
    assert_eq!(holding("not(reachable(is(I(1))))"), "I__0 I__2");
    assert_eq!(holding("reachable(endless())"), "");
    assert_eq!(holding("reachable(ends())"), "I__2");
    assert_eq!(holding("reachable(early())"), "I__1");
    assert_eq!(holding("reachable(deep(I(1)))"), "I__0 I__2");
    assert_eq!(holding("reachable(is(I(0))) || reachable(is(I(2)))"), "I__0 I__2");
    // What a check does is undone.
    assert_eq!(holding("reachable(changes())"), "I__0 I__1 I__2");
    assert_eq!(holding("reachable(some())"), "I__0 I__1 I__2");
}

#[test]
fn jumps_end_graphs_moves_and_plays() {
    assert_eq!(moves_with("graph g() { branch { $ a return() } or { $ b } $ c }", "g() $ z"), ["a z", "b c z"]);
    assert_eq!(moves_with("graph g() { loop { $ a return() } }", "g() $ z"), ["a z"]);
    assert_eq!(moves_with("graph g() { branch { $ a end() } or { $ b } }", "g() $ z"), ["a", "b z"]);
    let play = Play::new(&format!(
        "{BASE}graph rules() {{ loop {{ player = p branch {{ $ go }} or {{ $ stop break() }} player = q $ a }} end() }}"
    ));
    // `go` leads on to `a`, `stop` to the end.
    assert_eq!(play.perft(4), [2, 1, 2, 1]);
}

#[test]
fn parameters_are_variables_that_keep_their_values() {
    let graph = "graph g(a: N, b: N) { $$ a $$ b }";
    assert_eq!(moves_with(graph, "g(I(1), v)"), ["I__1 I__0"]);
    // From left to right, and evaluated where the call stands.
    let graphs = "graph g(a: N, b: N) { $$ a $$ b } graph h(b: N, a: N) { g(a, b) }";
    assert_eq!(moves_with(graphs, "h(I(1), I(2))"), ["I__2 I__1"]);
    assert_eq!(moves_with("graph g(v: N) { $$ v h() } graph h() { $$ v }", "g(I(2))"), ["I__2 I__0"]);
    // Values stay after the call.
    assert_eq!(moves_with("graph g(a: N) { $$ a }", "g(I(2)) v = g_arg0_a $$ v"), ["I__2 I__2"]);
}

#[test]
fn parameters_of_function_and_map_type() {
    let functions = "next: N -> N next(I(X)) = I((X + 1) % 3) last: N -> N last(I(X)) = I((X - 1) % 3)
        graph go(f: N -> N) { v = f[v] $$ v } graph twice(f: N -> N) { go(f) go(f) }";
    assert_eq!(moves_with(functions, "go(next) go(last)"), ["I__1 I__0"]);
    assert_eq!(moves_with(functions, "twice(last)"), ["I__2 I__1"]);
    assert_eq!(moves_with(functions, "branch f in {next, last} { twice(f) }"), ["I__1 I__2", "I__2 I__1"]);
    let maps = "m: Player -> N -> N = { :{ :I(0) }; q = { :I(1); I(1) = I(2) } }
        graph show(of: N -> N, at: N) { v = of[at] $$ v }";
    assert_eq!(moves_with(maps, "show(m[q], I(1)) show(m[p], I(1)) show(m(q), I(0))"), ["I__2 I__0 I__1"]);
    // Whole maps are copied.
    assert_eq!(
        moves_with(&format!("{maps} k: N -> N"), "k = m[q] m[q][I(1)] = I(0) show(k, I(1)) show(m[q], I(1))"),
        ["I__2 I__0"]
    );
}

#[test]
fn reusable_graphs_do_what_others_do() {
    for reusable in ["", "reusable "] {
        let graphs = format!(
            "{reusable}graph g(a: N) {{ branch {{ $$ a }} or {{ $ b return() }} $ c }}
             {reusable}graph won() {{ check(v == I(1)) }} {reusable}graph over() {{ if v == I(1) {{ end() }} }}"
        );
        assert_eq!(moves_with(&graphs, "g(I(1)) g(I(2))"), ["I__1 c I__2 c", "I__1 c b", "b I__2 c", "b b"]);
        let body = "v = {I__0, I__1}(*) if reachable(won()) { $ won } else { $ not }";
        assert_eq!(moves_with(&graphs, body), ["not", "won"]);
        // In a call, `end` ends the play; in a check it only makes it succeed.
        let body = "v = {I__0, I__1}(*) $$ v if reachable(over()) { $ r } over() $ z";
        assert_eq!(moves_with(&graphs, body), ["I__0 r z", "I__1 r"]);
    }
}

#[test]
fn any_value_of_a_type() {
    assert_eq!(moves("v = N(*) $$ v"), ["I__0", "I__1", "I__2"]);
    assert_eq!(moves("v = {I__2, I__0}(*) $$ v"), ["I__0", "I__2"]);
    assert_eq!(moves_with("m: N -> Bool", "m[I(1)] = Bool(*) if m[I(1)] == 1 { $ a } else { $ b }"), ["a", "b"]);
    assert_eq!(moves_with("w: PlayerOrSystem", "w = PlayerOrSystem(*) $$ w"), ["keeper", "p", "q", "random"]);
}

#[test]
fn tags_and_artificial_tags() {
    assert_eq!(moves("$ a $_ b $_c $_(d e) $ (f g) $$ v"), ["a b c d__e f__g I__0"]);
    let (lowered, _) = hrg::load(
        rg_ir::SourceId(0),
        &format!("{BASE}graph rules() {{ player = p $ a $_b branch X in {{0, 1}} {{ $_(t X) }} $ _c $$ v end() }}"),
    );
    let printed = rg_ir::text::print(&lowered.unwrap().game);
    assert!(printed.contains("@artificialTag b t__0 t__1;"), "{printed}");
}

#[test]
fn several_statements_share_a_line_and_one_spans_several() {
    let play = Play::new(&format!(
        "{BASE}graph rules()\n{{\nplayer\n=\np\nbranch\n{{ $ a goals[p] = 1 goals[q] = 0 }} or\n{{ $\nb }} end(\n) }}"
    ));
    assert_eq!(play.moves(), ["a", "b"]);
}

#[test]
fn the_example_of_the_specification() {
    let text = "
domain Player = p
domain Score = 0 | 1
domain N = I(X) where X in 0..2

next : N -> N
next(I(X)) = if I(X + 1) in N then I(X + 1) else I(0)

v : N
graph won(goal: N) { check(v == goal) }
graph rules() {
  player = p
  loop {
    branch { $ stop break() } or { check(v != I(2)) v = next(v) $_ step }
  }
  player = keeper
  if reachable(won(I(2))) { goals[p] = 1 }
  end()
}
";
    assert_eq!(Play::new(text).moves(), ["step step stop", "step stop", "stop"]);
}
