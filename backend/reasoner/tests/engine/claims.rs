//! Claims are tested by search: wrong ones are found with a play, right ones are not complained about.

use backend::claims::verify;
use backend::lockstep::Budget;

const HEAD: &str = "type Player = {a}; type Score = {0, 1, 2, 3}; type Bool = {0, 1};
    var v: Score = 0; var w: Score = 0; var x: Score = 1; var y: Score = 1; var m: Score -> Bool = {:0, 1: 1};";

/// What is wrong with the claims of a game.
fn wrong(edges: &str, pragmas: &str) -> Vec<String> {
    let game = crate::common::parse(&format!("{HEAD} {edges} {pragmas}")).unwrap();
    verify(&game, &Budget::default()).unwrap().iter().map(ToString::to_string).collect()
}

#[track_caller]
fn check(edges: &str, right: &[&str], refuted: &[(&str, &str)]) {
    for pragma in right {
        assert_eq!(wrong(edges, pragma), Vec::<String>::new(), "{pragma}");
    }
    for (pragma, what) in refuted {
        assert_eq!(wrong(edges, pragma), [*what], "{pragma}");
    }
}

#[test]
fn disjoint() {
    check(
        "begin, p: player = a; p, q: v == 0; p, r: v == 1; p, r: v == 2; q, s: $ t; s, p: v = 3; r, end: player = keeper;
         q, end: player = keeper;",
        &["@disjoint p : q r r;", "@disjoint p : q;", "@disjoint p : q r;", "@disjoint p : r nowhere;"],
        &[("@disjointExhaustive p : q r r;", "after ``: 0 of the edges of `p` can be taken")],
    );
    // Specification of RG, 10.3, with the values for which both edges are open.
    check(
        "begin, p: player = a; p, r: x == 1; p, r: y != 1; p, q: x != 1; p, q: y == 1; r, end: player = keeper;
         q, z: $ t; z, end: player = keeper;",
        &[],
        &[
            ("@disjointExhaustive p : r r q q;", "after ``: 2 of the edges of `p` can be taken"),
            ("@disjoint p : q q r r;", "after ``: 2 of the edges of `p` can be taken"),
        ],
    );
}

#[test]
fn disjoint_in_checks() {
    check(
        "begin, p: player = a; p, e: ? c -> d; c, d: v == 1; c, f: v != 1; c, d: w == 0; e, end: player = keeper;",
        &["@disjointExhaustive c : f;"],
        &[("@disjoint c : d d f;", "after ``: 2 of the edges of `c` can be taken")],
    );
}

#[test]
fn unique_and_repeat() {
    // Specification of RG, 10.3: choices are forgotten.
    let what = "after ``: two walks with the tags `` arrive at `t` in the same state";
    check(
        "begin, p: player = a; p, q: v = Score(*); q, r: w = Score(*); r, s: v == w; s, u: w = 0; u, t: v = 0;
         t, end: player = keeper;",
        &["@unique p q r s u;", "@repeat t : ;", "@repeat u : v;"],
        &[
            ("@unique t;", what),
            ("@repeat r : v;", "after ``: two walks with the tags `` arrive at `r` and are not interchangeable"),
        ],
    );
    // Parallel edges before a tag.
    check(
        "begin, p: player = a; p, q: v == 0; p, q: w == 0; q, r: $$ v; r, end: player = keeper;",
        &["@unique p r;", "@repeat q : ;"],
        &[("@unique q;", "after ``: two walks with the tags `` arrive at `q` in the same state")],
    );
    // Inside a check, after a move.
    check(
        "begin, p: player = a; p, o: $ t; o, b: player = a; b, e: ? c -> d; c, f: v = 1; c, g: v = 1; f, h: ; g, h: ;
         h, d: v == 2; b, e: v == 0; e, end: player = keeper;",
        &["@unique c f g;", "@repeat h : ;"],
        &[("@unique h;", "after `; t`: two walks with the tags `` arrive at `h` in the same state")],
    );
}

#[test]
fn tag_index() {
    check(
        "begin, p: player = a; p, q: $ one; p, r: v = 1; r, q: $ two; q, s: $ three; s, end: player = keeper;
         r, q: w = 1;",
        &["@tagIndex p r : 0;", "@tagMaxIndex q : 1;", "@tagMaxIndex s : 2;"],
        &[
            ("@tagIndex q : 1;", "after ``: a walk arrives at `q` after 0 tags"),
            ("@tagMaxIndex s : 1;", "after ``: a walk arrives at `s` after 2 tags"),
        ],
    );
}

#[test]
fn iterator() {
    let edges = "begin, p: player = a; p, q: v = Score(*); q, r: m[v] == 1; r, s: $$ v; s, t: w = v; t, u: m[w] == 0;
         u, end: player = keeper;";
    check(
        edges,
        &["@iterator p q r : v;"],
        &[
            ("@iterator s t u : w;", "after the start: the choice of `w` is not the only edge of `s`"),
            ("@iterator p q r : w;", "after the start: the choice of `w` is not the only edge of `p`"),
            ("@iterator p q s : v;", "after the start: no test of `v` is the only edge of `q`"),
        ],
    );
}

#[test]
fn simple_apply() {
    let edges =
        "begin, p: player = a; p, n: v = Score(*); n, o: m[v] == 0; o, r: $$ v; r, s: w = v; r, t: $ t; t, s: w = 1;
         s, e: player = keeper; e, f: v == w; e, f: v != w; f, end: player = a;";
    check(
        edges,
        &[
            "@simpleApply p r [k: Score] v = Score(k);",
            "@simpleApplyExhaustive r e [] w = v, player = keeper; @simpleApplyExhaustive r e [t] w = 1, player = keeper;",
            "@simpleApply p e [2, t] v = 2, w = 1, player = keeper;",
            "@simpleApply p e [k: Bool] v = k, w = v, player = keeper;",
        ],
        &[
            ("@simpleApply p r [k: Score] v = 2;", "after ``: the continuation `0` from `p` leads to another state"),
            (
                "@simpleApply p e [k: Score] v = k, player = keeper;",
                "after ``: the continuation `2` from `p` leads to another state",
            ),
            (
                "@simpleApplyExhaustive r e [] w = v, player = keeper;",
                "after ``: no pragma covers the continuation `t` from `r`",
            ),
            ("@simpleApply t s [] w = 2;", "after ``: the continuation `` from `t` leads to another state"),
        ],
    );
}
