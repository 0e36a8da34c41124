//! The translation as RG: valid, small, and as documented.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use rg_ir::{Game, SourceId};

fn lower(text: &str) -> Game {
    let (lowered, diagnostics) = rbg::load(SourceId(0), text);
    lowered.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}")).game
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/rbg");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Declarations and edges, without the long lists.
fn edges(game: &Game) -> String {
    let text = rg_ir::text::print(game);
    text.lines()
        .filter(|line| !line.starts_with("type") && !line.starts_with("@integer"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_turn() {
    let text = "#players = p(100), q(100)\n#pieces = e, w, b\n#variables =\n
        #board = rectangle(up,down,left,right,[e,b][w,e])\n
        #turn(me; mine; opp; his; fwd) = ->me (up* + down*)(left* + right*) {mine} [e] fwd ({e} + (left + right) {e, his})
            ->> [mine] [$ me=100, opp=0] ({! fwd} ->> {} + {? fwd})\n
        #rules = (turn(p; w; q; b; up) turn(q; b; p; w; down))*";
    snapshot("turn", &edges(&lower(text)));
}

#[test]
fn counters_and_arithmetic() {
    let text = "#players = p(100)\n#pieces = a,b,c,d\n#variables = v(3)\n
        #board = rectangle(up,down,left,right,[a,b,c,d])\n
        #rules = ->p {a} [b] right* [c] {$ a + b > c} [$ v = v + 1] ->p [$ v = b - v] {$ a == b} ->> {}";
    snapshot("counters", &edges(&lower(text)));
}

/// The edges that walk or look at the board, without node names: what becomes of an expression without modifiers.
#[test]
fn walks_become_tables() {
    let mut out = String::new();
    for walk in [
        "(up* + down*)(left* + right*)",
        "(left* + right*)",
        "left* {! left} up* {! up}",
        "(up* + down*)(left* + right*){! down}",
        "up left {b}",
        "(up + down)",
        "(up + down)(left + right)",
        "(up^2 + down^2)(left + right) + (left^2 + right^2)(up + down)",
        "{? up} {! left}",
        "{? up up left left}",
        "({a} up)* {b}",
        "up {a,b,c,d}",
        "up {b,c}",
        "{a,b,d}",
        "up {} left",
        ". {a,b,c,d} (up down)*",
    ] {
        let text = format!(
            "#players = p(1)\n#pieces = a,b,c,d\n#variables =\n
            #board = rectangle(up,down,left,right,[a,b,c,d][a,a,a,a][b,b,b,b])\n#rules = ->p {walk} [a] ->p {{}}"
        );
        let text = edges(&lower(&text));
        let labels = text.lines().filter_map(|line| line.strip_suffix(';')?.split_once(": "));
        let labels = labels.filter(|(nodes, _)| !nodes.starts_with(['v', 'c']) && !nodes.starts_with("alive"));
        let labels: Vec<&str> = labels
            .map(|(_, label)| label)
            .filter(|label| ["pos", "choice"].iter().any(|word| label.contains(word)) && !label.starts_with("$$"))
            .filter(|label| *label != "board[pos] = piece_a")
            .collect();
        out.push_str(&format!("{walk}\n    {}\n", labels.join("\n    ")));
    }
    snapshot("walks", &out);
}

/// What becomes of comparisons and assignments.
#[test]
fn arithmetic_becomes_tables() {
    let mut out = String::new();
    for action in [
        "{$ v == 2}",
        "{$ 2 != v}",
        "{$ v > 2}",
        "{$ v > 0}",
        "{$ v < 3 + w - w}",
        "{$ v - 7 < 0}",
        "{$ v == w}",
        "{$ v + v == w + w}",
        "{$ v < w}",
        "{$ a + b + v == 0}",
        "{$ a + b + v + w >= 3}",
        "[$ v = 3]",
        "[$ v = 4]",
        "[$ v = w]",
        "[$ w = v]",
        "[$ v = v + 1]",
        "[$ v = v - w]",
        "[$ v = v * w / (w - 1)]",
        "[$ w = a + b + v]",
    ] {
        let text = format!(
            "#players = p(1)\n#pieces = a,b\n#variables = v(3), w(5)\n#board = s[a]{{r:t}} t[b]{{}}\n
            #rules = ->p {action} ->p {{}}"
        );
        let text = edges(&lower(&text));
        let labels = text.lines().filter(|line| !line.starts_with("var") && !line.starts_with("alive"));
        let labels = labels.filter(|line| ["var_", "count[", "const"].iter().any(|word| line.contains(word)));
        let labels: Vec<&str> =
            labels.map(|l| if l.starts_with("const") { l } else { l.split(": ").nth(1).unwrap() }).collect();
        out.push_str(&format!("{action}\n    {}\n", labels.join("\n    ")));
    }
    snapshot("arithmetic", &out);
}

/// No errors and no warnings. The ledger records how large the translations are.
#[test]
fn every_corpus_game_is_valid_rg() {
    let mut ledger = String::new();
    for folder in ["rbg", "rbg-ll"] {
        let Some(games) = common::corpus(folder) else { return };
        for (name, text) in games {
            let game = lower(&text);
            let findings = rg_ir::check(&game);
            // Tags on a cycle without a switch are modifiers on such a cycle: capturing sequences, for example.
            let findings = findings.iter().filter(|d| d.code != "RG024");
            let findings: Vec<(&str, &str)> = findings.map(|d| (d.code, d.message.as_str())).collect();
            assert!(findings.is_empty(), "{folder}/{name}: {} {:?}", findings.len(), findings.first());
            let (nodes, edges) = (game.automaton.node_count(), game.automaton.edge_count());
            ledger
                .push_str(&format!("{folder}/{name}: {nodes} nodes, {edges} edges, {} constants\n", game.consts.len()));
        }
    }
    snapshot("sizes", &ledger);
}
