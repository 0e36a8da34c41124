//! Positions in which no move is legal though the game is not over: `rgc check` names them, by the graph or by random games.

use crate::support::{rgc, rgc_with_input};

/// What `rgc check` says of a text.
fn check(from: &str, text: &str) -> String {
    let run = rgc_with_input(["check", "-", "--from", from, "--color", "never"], text);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stderr
}

const HEAD: &str = "type Player = { x, o };\ntype Score = { 0, 100 };\ntype Num = { n0, n1, n2, n3 };\n\
    const next: Num -> Num = { :n3, n0: n1, n1: n2, n2: n3 };\nvar n: Num = n0;\nbegin, go: player = x;\ngo, fin: $ three;\n\
    fin, end: player = keeper;\n";

#[test]
fn a_node_without_edges_is_named_at_once() {
    let said =
        check("rg", &format!("{HEAD}go, a: $ one;\na, b: player = o;\nb, c: $ two;\nc, stop: player = keeper;\n"));
    assert!(said.contains("warning[RG032]: node `stop` is a dead end: no edge leaves it\n"), "{said}");
    assert!(said.contains("only `end` ends a game") && !said.contains("RT211"), "{said}");
}

#[test]
fn random_games_show_where_nobody_can_move() {
    let player =
        "go, a: $ one;\na, a2: n = next[n];\na2, b: player = o;\nb, c: n != n3;\nc, c2: $ two;\nc2, go: player = x;\n";
    let said = check("rg", &format!("{HEAD}{player}"));
    assert!(said.contains("warning[RT211]: no move is legal here, and the game is not over\n"), "{said}");
    assert!(said.contains("after the moves `one; two; one; two; one`"), "{said}");
    let keeper = "go, a: $ one;\na, a2: n = next[n];\na2, k: player = keeper;\nk, b: n != n3;\nb, go: player = x;\n";
    let said = check("rg", &format!("{HEAD}{keeper}"));
    assert!(said.contains("warning[RT211]: the keeper has no move here, and the game is not over\n"), "{said}");
}

/// Two walks with the same tags that lead to different states stop a play; that is said while the game is written.
#[test]
fn random_games_show_moves_without_tags() {
    let silent = "domain Player = anna\ndomain Score = 0 | 100\ndomain Cell = P(X, Y) where X in 0..2, Y in 0..1\nhere: Cell\n\
        graph rules() {\n  player = anna\n  here = Cell(*)\n  player = keeper\n  if here == P(1, 0) { goals[anna] = 100 }\n  end()\n}\n";
    let said = check("hrg", silent);
    assert!(said.contains("warning[RT202]: two walks with no tags lead to different states\n"), "{said}");
    assert!(said.contains("show what is chosen as a tag") && !said.contains("--ambiguous"), "{said}");
    let shown = check("hrg", &silent.replace("  player = keeper", "  $$ here\n  player = keeper"));
    assert!(!shown.contains("RT202"), "{shown}");
}

#[test]
fn every_language_is_looked_at() {
    let text = "domain Player = a | b\ndomain Score = 0 | 1\ndomain N = 0 | 1 | 2\nnext: N -> N\nnext(X) = if X < 2 then X + 1 else 2\n\
        n: N = 0\ngraph rules() {\n  loop {\n    player = a\n    $ on\n    n = next[n]\n    player = keeper\n    check(n != 2)\n    \
        branch {\n      check(n == 0)\n      end()\n    } or {\n      check(n != 0)\n    }\n  }\n}\n";
    let said = check("hrg", text);
    assert!(
        said.contains("warning[RT211]: the keeper has no move here") && said.contains("after the moves `on; on`"),
        "{said}"
    );
    let gdl = "(role a)\n(init (n 0))\n(succ 0 1)\n(succ 1 2)\n(<= (legal a on) (true (n ?x)) (succ ?x ?y))\n\
        (<= (next (n ?y)) (does a on) (true (n ?x)) (succ ?x ?y))\n(<= terminal (true (n 7)))\n(goal a 100)\n";
    let said = check("gdl", gdl);
    assert!(said.contains("warning[GDL671]: `a` has no legal move, and the game is not over"), "{said}");
    assert!(rgc(["explain", "RT211"]).success().contains("random games"));
}
