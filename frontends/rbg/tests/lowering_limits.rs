//! Large and strange descriptions: lowered in near-linear time, or refused with a diagnostic; never a crash.
//! Test threads have a stack of 2 MiB.
#![allow(clippy::unwrap_used, clippy::panic)]

use rg_ir::SourceId;

const HEAD: &str = "#players = p(100), q(100)\n#pieces = a,b,c\n#variables = v(9), w(9)\n";
const SMALL: &str = "#board = rectangle(up,down,left,right,[a,b,c][a,b,c])\n";

/// Nodes and edges of the translation.
fn size(text: &str) -> (usize, usize) {
    let (lowered, diagnostics) = rbg::load(SourceId(0), text);
    let game = lowered.unwrap_or_else(|| panic!("{:?}", diagnostics.iter().find(|d| d.is_error()))).game;
    (game.automaton.node_count(), game.automaton.edge_count())
}

fn refused(text: &str) -> Vec<&'static str> {
    let (lowered, diagnostics) = rbg::load(SourceId(0), text);
    assert!(lowered.is_none());
    diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect()
}

#[test]
fn long_rules_grow_in_proportion() {
    for part in ["[a] right", "{? {a} up} ({b} + down)", "({a} [b] + {b} [a]) {$ a < b}"] {
        let sizes = [2_000, 4_000].map(|n| size(&format!("{HEAD}{SMALL}#rules = ->p ({part})^{n} ->q {{}}")).1);
        assert!(sizes[1] < 2 * sizes[0] + 100, "{part}: {sizes:?}");
    }
}

#[test]
fn many_alternatives_and_turns() {
    let moves = vec!["{a} [b] ->p up ->q"; 4_000].join(" + ");
    let (nodes, edges) = size(&format!("{HEAD}{SMALL}#rules = ->p ({moves})*"));
    assert!(nodes < 100_000 && edges < 120_000, "{nodes} {edges}");
}

#[test]
fn moves_without_tests_are_one_relation() {
    let line = vec!["a"; 40].join(",");
    let board = format!("#board = rectangle(up,down,left,right,{})\n", format!("[{line}]").repeat(30));
    let rules = "->p (up* + down*)(left* + right*) (up + down + left + right)^50 (up left)* {! down down} [b] ->q {}";
    let (nodes, edges) = size(&format!("{HEAD}{board}#rules = {rules}"));
    assert!(nodes < 30 && edges < 30, "{nodes} {edges}");
}

#[test]
fn deep_nesting() {
    let deep = |open: &str, close: &str, n: usize| format!("{}[a]{}", open.repeat(n), close.repeat(n));
    for (open, close) in [("(", ")"), ("(up + ", ")"), ("{? up ", "}"), ("{! left + ", "}"), ("(right (", " down))")] {
        size(&format!("{HEAD}{SMALL}#rules = ->p {} ->q {{}}", deep(open, close, 400)));
    }
    let sum = vec!["v"; 900].join(" + ");
    size(&format!("{HEAD}{SMALL}#rules = ->p [$ w = {sum}] ->q {{}}"));
}

#[test]
fn large_boards() {
    // One ring of vertices with many labels.
    let ring: String =
        (0..20_000).map(|i| format!("x{i}[a]{{next:x{}, l{}:x0}} ", (i + 1) % 20_000, i % 500)).collect();
    let labels: Vec<String> = (0..500).map(|i| format!("l{i}")).collect();
    size(&format!("{HEAD}#board = {ring}\n#rules = ->p next* ({}) [b] ->q {{}}", labels.join(" + ")));
}

#[test]
fn arithmetic_beyond_tables_is_refused() {
    let head = "#players = p(100), q(100)\n#pieces = a,b,c\n#variables = v(5000), w(5000), x(3000000)\n";
    let rules = |rules: &str| format!("{head}{SMALL}#rules = ->p {rules} ->q {{}}");
    assert_eq!(refused(&rules("{$ v * w > 3}")), ["RBG180"]);
    assert_eq!(refused(&rules("[$ x = 3]")), ["RBG181"]);
    let many: Vec<String> = (0..600).map(|i| format!("n{i}")).collect();
    let bounds: Vec<String> = many.iter().map(|n| format!("{n}(1)")).collect();
    let text = |n: usize| {
        let (names, bounds) = (many[..n].join(" + "), bounds[..n].join(", "));
        format!(
            "#players = p(1)\n#pieces = a\n#variables = {bounds}\n#board = s[a]{{}}\n#rules = ->p {{$ {names} > 5}} ->p {{}}"
        )
    };
    assert_eq!(refused(&text(600)), ["RBG183"]);
    size(&text(400));
}
