//! The rules of the specification (sections 7 to 9 and the probe games of section 13), each as a small table, in both
//! engines.

#![allow(clippy::unwrap_used, clippy::panic, clippy::unreachable)]

use crate::common::{ENGINES, after, cells, checked, legal, parse, reasoner, texts, values};
use backend::{Ambiguity, Engine, ErrorKind, Event, Moves, Options, Reasoner, Rng, State, Turn};
use rg_ir::StateView;
use std::collections::BTreeMap;

/// Declarations of the probe games.
const HEAD: &str = "type Player = {a, b}; type Score = {0, 1, 2}; type T = {0, 1, 2, 3};\n";

fn probe(text: &str, engine: Engine) -> Reasoner {
    checked(&format!("{HEAD}{text}"), engine)
}

/// Games and their legal moves in the first decision, in order.
fn first_moves(table: &[(&str, &[&str])]) {
    for engine in ENGINES {
        for (text, moves) in table {
            let reasoner = probe(text, engine);
            let initial = reasoner.initial().unwrap();
            let found = legal(&reasoner, &initial);
            if moves.is_empty() {
                assert_eq!(found.map_err(|e| e.kind), Err(ErrorKind::Stuck), "{engine:?}: {text}");
                continue;
            }
            assert_eq!(
                found.as_deref(),
                Ok(&moves.iter().map(|m| m.to_string()).collect::<Vec<_>>()[..]),
                "{engine:?}: {text}"
            );
            assert_eq!(reasoner.perft(&initial, 1), Ok(moves.len() as u64), "{engine:?}: {text}");
            assert_eq!(reasoner.perft(&initial, 0), Ok(1));
        }
    }
}

fn value(reasoner: &Reasoner, state: &State, name: &str, keys: &[&str]) -> String {
    reasoner.view(state).get(name, keys).unwrap().to_string()
}

/// Games whose only move is empty, and what a cell holds after it.
fn outcomes(table: &[(&str, &str, &[&str], &str)]) {
    for engine in ENGINES {
        for (text, name, keys, wanted) in table {
            let options = Options { engine, checked: true, keep_dead: true, ..Options::default() };
            let reasoner = reasoner(&format!("{HEAD}{text}"), options);
            let state = after(&reasoner, &[""]).unwrap_or_else(|e| panic!("{engine:?}: {e}: {text}"));
            assert_eq!(value(&reasoner, &state, name, keys), *wanted, "{engine:?}: {text}");
        }
    }
}

#[test]
fn probes_of_section_13() {
    first_moves(&[
        ("begin, m: player = a; m, x: $ t; m, y: $ t; x, z: ; y, z: ; z, end: player = keeper;", &["t"]),
        ("begin, m: player = a; m, x: $ t; m, y: $ t; x, end: player = keeper; y, end: player = keeper;", &["t"]),
        ("begin, m: player = a; m, x: ? q -> r; q, s: $ h; s, r: $ h; x, end: player = keeper;", &[""]),
        ("begin, m: player = a; m, x: ? q -> r; q, s: player = b; s, r: player == b; x, end: player = keeper;", &[""]),
        (
            "var v: T = 0; begin, m: player = a; m, x: ? q -> r; q, r: v = 1; x, y: v == 0; y, end: player = keeper;",
            &[""],
        ),
        (
            "var v: T = 2; begin, m: player = a; m, x: v = T(*); x, y: $$ v; y, end: player = keeper;",
            &["0", "1", "2", "3"],
        ),
        (
            "type M = Player -> Score; var p: M = {:0, a: 1, b: 1}; var q: M = {:1};
             begin, m: player = a; m, x: p == q; x, end: player = keeper;",
            &[""],
        ),
    ]);
    let ambiguous = "begin, m: player = a; m, x: $ t; m, y: $ t; x, z: goals[a] = 0; y, z: goals[a] = 1;
                     z, end: player = keeper;";
    for engine in ENGINES {
        let reasoner = probe(ambiguous, engine);
        let initial = reasoner.initial().unwrap();
        assert_eq!(legal(&reasoner, &initial).unwrap_err().kind, ErrorKind::Ambiguous);
        assert_eq!(reasoner.perft(&initial, 1).unwrap_err().kind, ErrorKind::Ambiguous);
    }
}

#[test]
fn random_merges_outcomes_in_perft_and_keeps_labels_in_play() {
    let merged =
        "begin, m: player = random; m, x: $ s; m, w: $ t; x, z: ; w, z: ; z, q: player = a; q, end: player = keeper;";
    let weighted = "begin, m: player = random; m, x: $ s; m, x: $ t; m, y: $ u; x, z: goals[a] = 1; y, z: goals[a] = 2;
                    z, end: player = keeper;";
    for engine in ENGINES {
        let reasoner = probe(merged, engine);
        let initial = reasoner.initial().unwrap();
        assert_eq!(reasoner.turn(&initial), Turn::Random);
        assert_eq!(legal(&reasoner, &initial).unwrap(), ["s", "t"]);
        assert_eq!([1, 2, 3].map(|d| reasoner.perft(&initial, d)), [Ok(1), Ok(1), Ok(0)]);
        assert_eq!(after(&reasoner, &["s"]), after(&reasoner, &["t"]));

        let reasoner = probe(weighted, engine);
        let initial = reasoner.initial().unwrap();
        assert_eq!(reasoner.perft(&initial, 1), Ok(2));
        let mut stats = backend::PlayoutStats::default();
        let mut rng = Rng::new(5);
        (0..9_000).for_each(|_| reasoner.playout(&mut rng, &mut stats).unwrap());
        let one = reasoner.score_names().iter().position(|s| s == "1").unwrap();
        // Five standard deviations of a binomial with p = 2/3.
        assert!(stats.scores[0][one].abs_diff(6_000) < 224, "{stats:?}");
        assert_eq!((stats.plays, stats.plies, stats.moves), (9_000, 0, 0), "moves of random are no plies");
    }
}

#[test]
fn single_steps() {
    first_moves(&[
        // 8.1, comparisons.
        ("var v: T = 1; begin, m: player = a; m, n: v == 1; m, n: v == 2; n, end: player = keeper;", &[""]),
        ("var v: T = 1; begin, m: player = a; m, n: v != 1; n, end: player = keeper;", &[]),
        // Tags of the present value, of the present player, in order.
        ("var v: T = 1; begin, m: player = a; m, n: $$ v; n, o: v = 2; o, p: $$ v; p, end: player = keeper;", &["1 2"]),
        ("begin, m: player = b; m, n: $$ player; n, end: player = keeper;", &["b"]),
        // Checks: zero steps, both signs, cycles, tags and `end` on the way.
        ("begin, m: player = a; m, n: ? q -> q; n, end: player = keeper;", &[""]),
        ("begin, m: player = a; m, n: ! q -> q; n, end: player = keeper;", &[]),
        ("begin, m: player = a; m, n: ! q -> r; q, s: ; s, q: ; r, s: ; n, end: player = keeper;", &[""]),
        ("begin, m: player = a; m, n: ? q -> r; q, s: $ t; s, q: $ u; s, r: ; n, end: player = keeper;", &[""]),
        ("begin, m: player = a; m, n: ? q -> r; q, end: ; end, r: ; n, end: player = keeper;", &[""]),
        // Nested checks, of which the inner one sees what the outer one wrote, and the outer one nothing of the inner.
        (
            "var v: T = 0; begin, m: player = a; m, n: ? q -> r; n, end: player = keeper;
             q, s: v = 1; s, u: ? x -> y; u, r: v == 1; x, z: v == 1; z, y: v = 2;",
            &[""],
        ),
        // A check that any-assigns its way through.
        (
            "var v: T = 0; begin, m: player = a; m, n: ? q -> r; n, o: v == 0; o, end: player = keeper;
             q, s: v = T(*); s, r: v == 3;",
            &[""],
        ),
        // All values of a smaller type.
        ("var v: T = 0; begin, m: player = a; m, n: v = {3, 1}(*); n, o: $$ v; o, end: player = keeper;", &["1", "3"]),
    ]);
}

#[test]
fn moves_are_labels() {
    let table: &[(&str, &[&str])] = &[
        // Several empty walks are one move, for the players too.
        ("begin, m: player = a; m, n: ; m, o: ; n, p: ; o, p: ; p, end: player = keeper;", &[""]),
        // Walks that differ in `goals` until it is tested are not merged.
        (
            "var v: T = 0; begin, m: player = a; m, n: goals[a] = Score(*); n, o: goals[a] == 2; o, end: player = keeper;",
            &[""],
        ),
        ("begin, m: player = a; m, n: visible[b] = Bool(*); n, o: visible[b] == 0; o, end: player = keeper;", &[""]),
        // A prefix of a move is a move of its own.
        (
            "begin, m: player = a; m, n: $ t; n, o: $ u; n, end: player = keeper; o, end: player = keeper;",
            &["t", "t u"],
        ),
        // A cycle without tags ends the walk; a dead end is no move.
        ("begin, m: player = a; m, n: ; n, m: ; n, o: $ t; n, d: $ dead; o, end: player = keeper;", &["t"]),
        // The assignment to `player` may change nothing, may be computed, and may be hidden in a cast.
        ("begin, m: player = a; m, n: $ t; n, m: player = player;", &["t"]),
        (
            "const next: Player -> Player = {:a, a: b}; var w: Player = a;
             begin, m: player = a; m, n: $ t; n, m: player = next[w]; m, end: player == keeper;",
            &["t"],
        ),
        ("begin, m: player = a; m, n: $ t; n, end: PlayerOrSystem(player) = keeper;", &["t"]),
        // Falling into `end` without an assignment to `player` is no move.
        ("begin, m: player = a; m, end: ;", &[]),
        ("begin, m: player = a; m, end: ; end, m: player = b;", &[]),
    ];
    for &(text, moves) in table {
        first_moves(&[(&with_an_end(text), moves)]);
    }
}

/// Adds a way to `end` that is never legal, where there is none.
fn with_an_end(text: &str) -> String {
    if text.contains(", end:") { text.to_string() } else { format!("{text} m, end: player == keeper;") }
}

#[test]
fn plays() {
    let text =
        "begin, m: player = a; m, n: player = keeper; n, o: $ k; o, p: player = b; p, q: $ t; q, r: goals[b] = 2;
                r, end: player = keeper; end, z: $ x; z, end: player = a;";
    for engine in ENGINES {
        let reasoner = probe(text, engine);
        assert_eq!(reasoner.players(), ["a", "b"]);
        let mut state = reasoner.initial().unwrap();
        assert_eq!((reasoner.turn(&state), reasoner.node_name(&state)), (Turn::Player(0), "m"));
        let mut moves = Moves::new();
        reasoner.legal_moves(&state, &mut moves).unwrap();
        assert_eq!(texts(&reasoner, &moves), [""]);
        let mut log = Vec::new();
        let before = state.clone();
        let error = reasoner.apply(&mut state, &moves, 1).unwrap_err();
        assert_eq!(error.kind, ErrorKind::IllegalMove);
        state = before;
        reasoner.apply_logged(&mut state, &moves, 0, &mut log).unwrap();
        // The keeper moved as well.
        assert_eq!((reasoner.turn(&state), reasoner.node_name(&state)), (Turn::Player(1), "p"));
        assert_eq!(log.iter().map(|e: &Event| e.mover).collect::<Vec<_>>(), [Some(Turn::Player(0)), None]);
        reasoner.legal_moves(&state, &mut moves).unwrap();
        reasoner.apply(&mut state, &moves, 0).unwrap();
        // Edges out of `end` are ignored.
        assert!(reasoner.is_terminal(&state));
        assert_eq!((reasoner.node_name(&state), reasoner.scores(&state)), ("end", vec!["0", "2"]));
        assert_eq!(reasoner.legal_moves(&state, &mut moves), Ok(()));
        assert!(moves.is_empty());
        assert_eq!([0, 1, 2].map(|d| reasoner.perft(&state, d)), [Ok(1), Ok(0), Ok(0)]);
        let initial = reasoner.initial().unwrap();
        assert_eq!([0, 1, 2, 3].map(|d| reasoner.perft(&initial, d)), [Ok(1), Ok(1), Ok(1), Ok(0)]);
    }
    // `end` is the end whoever `player` is; and the first listed score is the default.
    for engine in ENGINES {
        let text = "type Player = {b, a}; type Score = {50, 0}; begin, m: player = a; m, end: player = b;";
        let reasoner = checked(text, engine);
        let state = after(&reasoner, &[""]).unwrap();
        assert_eq!((reasoner.turn(&state), reasoner.scores(&state)), (Turn::End, vec!["50", "50"]));
        assert_eq!(reasoner.players(), ["b", "a"]);
    }
    // Another player than the keeper may begin.
    for engine in ENGINES {
        let reasoner = probe("var player: PlayerOrSystem = b; begin, m: $ t; m, end: player = keeper;", engine);
        let initial = reasoner.initial().unwrap();
        assert_eq!((reasoner.turn(&initial), reasoner.node_name(&initial)), (Turn::Player(1), "begin"));
        assert_eq!(legal(&reasoner, &initial).unwrap(), ["t"]);
    }
}

/// Maps and loose types for the tables below: `e`'s keys are `x, y`; `z` is none.
const MAPS: &str = "type K = {x, y}; type L = {y, z}; type Any = {x, y, z}; type Two = {p, q};
    type E = K -> T; type F = L -> T; type N = K -> E; type ByAny = Any -> T;
    var e: E = {:3, x: 1, y: 2}; var f: F = {:0, y: 2, z: 1}; var n: N = {:{:3, x: 1}, y: {:0, y: 2}};
    var h: ByAny = {:0, x: 1, z: 2}; var any: Any = z; var v: T = 0; begin, m: player = a; ";

#[test]
fn reads_outside_the_keys() {
    let outcome = |edges: &'static str, name, keys, wanted| {
        (format!("{MAPS}{edges} o, end: player = keeper;"), name, keys, wanted)
    };
    let no_keys: &[&str] = &[];
    let table = [
        // The default of the literal it was initialised from.
        outcome("m, o: v = e[any];", "v", no_keys, "3"),
        outcome("m, p: any = x; p, o: v = e[any];", "v", no_keys, "1"),
        // Also at inner levels, and below a missing outer key.
        outcome("m, o: v = n[x][any];", "v", no_keys, "3"),
        outcome("m, o: v = n[any][x];", "v", no_keys, "1"),
        outcome("m, o: v = n[any][any];", "v", no_keys, "3"),
        outcome("m, p: any = y; p, o: v = n[any][any];", "v", no_keys, "2"),
        // Writing all keys leaves the default alone.
        outcome("m, p: e[x] = 0; p, q: e[y] = 0; q, o: v = e[any];", "v", no_keys, "3"),
        // A copy takes it along, through casts and between other keys.
        outcome("m, p: e = n[y]; p, o: v = e[any];", "v", no_keys, "0"),
        outcome("m, p: e = f; p, o: v = e[any];", "v", no_keys, "0"),
        outcome("m, p: e = E(f); p, o: v = e[any];", "v", no_keys, "0"),
        // Even from a map that needs no default, since all values are its keys.
        outcome("m, p: e = E(h); p, o: v = e[any];", "v", no_keys, "0"),
        outcome("m, p: n[x] = h; p, o: v = n[x][any];", "v", no_keys, "0"),
        outcome("m, p: n[x] = E(ByAny(h)); p, o: v = E(n[x])[any];", "v", no_keys, "0"),
        outcome("m, p: e = f; p, q: any = x; q, o: v = e[any];", "v", no_keys, "0"),
        outcome("m, o: e = f;", "e", &["y"], "2"),
        outcome("m, o: n[x] = f;", "n", &["x", "y"], "2"),
        outcome("m, o: n[x] = f;", "n", &["x", "x"], "0"),
        outcome("m, p: n[x] = f; p, o: v = n[x][any];", "v", no_keys, "0"),
        outcome("m, p: n = n; p, o: v = n[any][x];", "v", no_keys, "1"),
        // Within one map: everything is read before anything is written.
        outcome("m, p: n[x] = n[y]; p, o: n[y] = n[x];", "n", &["y", "y"], "2"),
    ];
    outcomes(&table.each_ref().map(|(t, n, k, w)| (t.as_str(), *n, *k, *w)));
}

#[test]
fn writes_outside_the_keys_are_ignored() {
    let table = [
        ("m, o: e[any] = 0;", "x", "1"),
        ("m, o: e[any] = 0;", "y", "2"),
        ("m, p: e[any] = {0}(*); p, o: ;", "y", "2"),
        ("m, p: any = y; p, o: e[any] = 0;", "y", "0"),
        // The right side and the keys are values from before the write.
        ("m, p: any = x; p, o: e[any] = e[y];", "x", "2"),
        // The spare entry stays as well.
        ("m, p: e[any] = 0; p, q: v = e[any]; q, r: v == 3; r, o: e[x] = 0;", "x", "0"),
        ("m, p: n[any] = f; p, q: n[any][x] == 1; q, o: e[x] = 0;", "x", "0"),
        ("m, p: n[any][x] = 2; p, q: n[any][x] == 1; q, o: e[x] = 0;", "x", "0"),
    ]
    .map(|(edges, key, wanted)| (format!("{MAPS}{edges} o, end: player = keeper;"), key, wanted));
    for (text, key, wanted) in &table {
        outcomes(&[(text, "e", &[*key], wanted)]);
    }
    // Keys are evaluated once, before.
    let text = "type K = {x, y}; var m: K -> K = {:x, x: y};
                begin, n: player = a; n, o: m[m[x]] = K(*); o, p: m[x] == y; p, q: m[y] != x; q, end: player = keeper;";
    outcomes(&[(text, "m", &["y"], "y")]);
}

#[test]
fn maps_are_equal_if_they_agree_on_their_keys() {
    let case = |test: &str, holds: bool| {
        let moves: &[&str] = if holds { &[""] } else { &[] };
        (format!("{MAPS}m, o: {test}; o, end: player = keeper;"), moves)
    };
    let table = [
        case("e == e", true),
        case("n[x] == n[x]", true),
        case("n[x] != n[y]", true),
        case("e == n[x]", false),
        // `e` and `f` agree on `y` alone; on `x` and `z` one of them gives its default.
        case("e == f", false),
        case("e != f", true),
        case("n == n", true),
        // What differs only in the default for what is not a key is equal.
        case("n[any] == n[x]", true),
    ];
    first_moves(&table.each_ref().map(|(text, moves)| (text.as_str(), *moves)));
    first_moves(&[(
        "type K = {x, y}; var p: K -> T = {:0, x: 1, y: 1}; var q: K -> T = {:1}; var r: K -> T = {:1, x: 1};
         begin, m: player = a; m, n: p == q; n, o: q == p; o, s: r == q; s, t: K(x) == x; t, end: player = keeper;",
        &[""],
    )]);
}

#[test]
fn what_players_are_told() {
    let text = "var visible: Visibility = {:1, b: 0};
        begin, m: player = a; m, n: $ s; n, o: visible[b] = 1; o, p: $ t; p, q: visible[a] = 0; q, r: player = keeper;
        r, s: $ k; s, u: visible[a] = 1; u, w: visible[b] = 0; w, x: player = random; x, y: $ u; y, z: player = b;
        z, c: $ x; c, end: player = keeper;";
    for engine in ENGINES {
        let reasoner = probe(text, engine);
        let (mut state, mut moves, mut log) = (reasoner.initial().unwrap(), Moves::new(), Vec::new());
        while !reasoner.is_terminal(&state) {
            reasoner.legal_moves(&state, &mut moves).unwrap();
            reasoner.apply_logged(&mut state, &moves, 0, &mut log).unwrap();
        }
        let told = |player: usize| -> Vec<String> {
            log.iter().map(|event| reasoner.tags_text(&event.observed_by(player))).collect()
        };
        // Moves of a, the keeper, random and b; the mover knows its own, also what is hidden from it.
        assert_eq!(told(0), ["s t", "", "u", "x"], "{engine:?}");
        assert_eq!(told(1), ["t", "k", "", "x"], "{engine:?}");
        assert_eq!(log[1].mover, None);
        assert_eq!(log[2].mover, Some(Turn::Random));
    }
    // Everybody sees everything where nothing is said of visibility.
    for engine in ENGINES {
        let reasoner = probe("begin, m: player = a; m, n: $ s; n, end: player = keeper;", engine);
        let (mut state, mut moves, mut log) = (reasoner.initial().unwrap(), Moves::new(), Vec::new());
        reasoner.legal_moves(&state, &mut moves).unwrap();
        reasoner.apply_logged(&mut state, &moves, 0, &mut log).unwrap();
        assert_eq!(reasoner.tags_text(&log[0].observed_by(1)), "s");
    }
}

/// The keeper moves once or twice before the play goes on, and three times before it ends; `visible` changes for one player in the move, for the other one before it.
#[test]
fn moves_of_lifted_games_are_logged_without_a_search() {
    let text = "type U = {0, 1, 2}; var visible: Visibility = {:1}; var v: U = 0;
        begin, h: visible[a] = 0; h, m: player = a; m, n: v = U(*); n, o: $$ v; o, p: visible[b] = 0; p, q: $ s;
        q, r: player = keeper; r, f: v == 0; f, g: player = keeper; g, w: visible[b] = 1; w, d: player = b;
        r, i: v == 1; i, x: player = b; x, j: $ u; d, j: $ t; j, k: player = keeper; k, l: player = keeper; l, end: player = keeper;
        r, c: v == 2; c, e: player = keeper; e, end: player = keeper;";
    let game = parse(&format!("{HEAD}{text}")).unwrap();
    let logs: Vec<Vec<_>> = Engine::ALL
        .iter()
        .map(|&(name, engine)| {
            let reasoner = Reasoner::new(&game, engine).unwrap();
            let mut logs = Vec::new();
            for first in 0..3 {
                let (mut state, mut moves, mut log) = (reasoner.initial().unwrap(), Moves::new(), Vec::new());
                while !reasoner.is_terminal(&state) {
                    reasoner.legal_moves(&state, &mut moves).unwrap();
                    let index = first.min(moves.len() - 1);
                    assert!(reasoner.visibility(&state, &moves).is_ok());
                    reasoner.apply_logged(&mut state, &moves, index, &mut log).unwrap();
                }
                let of =
                    |event: &Event| (event.mover, [0, 1].map(|player| reasoner.tags_text(&event.observed_by(player))));
                logs.push(log.iter().map(of).collect::<Vec<_>>());
            }
            let report = reasoner.report().join("\n");
            assert!(!report.contains("side exits") || report.contains("side exits: 0"), "{name}: {report}");
            logs
        })
        .collect();
    assert_eq!(logs[0].iter().map(Vec::len).collect::<Vec<_>>(), [6, 5, 3], "events");
    assert!(logs.iter().all(|log| *log == logs[0]), "{logs:?}");
}

#[test]
fn states_are_equal_if_their_values_and_nodes_are() {
    let text = "var v: T = 0; var m: Player -> T = {:0};
        begin, x: player = a; x, y: v = T(*); y, z: $$ v; z, x: player = a; z, w: $ w; w, x2: player = a; x, u: $ m;
        u, t: m[a] = T(*); t, s: $$ v; s, r: v == m[a]; r, x: player = a; x2, end: player = keeper;";
    let game = parse(&format!("{HEAD}{text}")).unwrap();
    let cells = cells(&game);
    for (engine, keep_dead) in ENGINES.into_iter().flat_map(|engine| [(engine, false), (engine, true)]) {
        let options = Options { engine, keep_dead, ..Options::default() };
        let reasoner = Reasoner::with_options(&game, options).unwrap();
        let mut images: BTreeMap<(Vec<Option<String>>, String), State> = BTreeMap::new();
        let mut queue = vec![reasoner.initial().unwrap()];
        while let Some(state) = queue.pop() {
            let image = (values(&reasoner, &state, &cells), reasoner.node_name(&state).to_string());
            if let Some(other) = images.get(&image) {
                assert_eq!(*other, state, "{engine:?}");
                continue;
            }
            assert!(images.values().all(|other| *other != state), "{engine:?}");
            images.insert(image, state.clone());
            let mut moves = Moves::new();
            if reasoner.is_terminal(&state) {
                continue;
            }
            reasoner.legal_moves(&state, &mut moves).unwrap();
            for index in 0..moves.len() {
                let mut next = state.clone();
                reasoner.apply(&mut next, &moves, index).unwrap();
                queue.push(next);
            }
        }
        // `x` with every pair of values, and `x2` and the end, where nothing is read any more: with every pair too, or once.
        assert_eq!(images.len(), if keep_dead { 48 } else { 18 }, "{engine:?}");
    }
}

#[test]
fn what_nobody_reads_any_more_is_forgotten_when_a_move_ends() {
    // After `a`, `v` is not read and `w` is; after `b`, neither is.
    let text = "var v: T = 3; var w: T = 3; var m: T -> T = {:2};
        begin, m: player = a; m, n: v = T(*); n, o: m[v] = 1; o, p: w = T(*); p, q: v == w; q, r: $ t; q, s: $$ v;
        r, c: player = b; s, c: player = b; c, d: v = T(*); d, e: v == 0; e, f: $$ w; f, end: player = keeper;";
    let ambiguous = text.replace("q, r: $ t; ", "");
    for (engine, keep_dead) in ENGINES.into_iter().flat_map(|engine| [(engine, false), (engine, true)]) {
        let options = |text: &str| {
            let options = Options { engine, checked: true, keep_dead, ..Options::default() };
            reasoner(&format!("{HEAD}{text}"), options)
        };
        let error = options(text).perft(&options(text).initial().unwrap(), 1).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Ambiguous, "{engine:?}: `w` tells states apart");
        let reasoner = options(&ambiguous);
        let state = after(&reasoner, &["1"]).unwrap();
        let look = |state: &State| {
            let cells: [(&str, &[&str]); 4] = [("v", &[]), ("w", &[]), ("m", &["1"]), ("player", &[])];
            cells.map(|(name, keys)| value(&reasoner, state, name, keys)).join(" ")
        };
        assert_eq!(look(&state), if keep_dead { "1 1 1 b" } else { "3 1 2 b" }, "{engine:?}");
        let over = after(&reasoner, &["1", "1"]).unwrap();
        assert_eq!(look(&over), if keep_dead { "0 1 1 keeper" } else { "3 3 2 keeper" }, "{engine:?}");
        assert_eq!(after(&reasoner, &["2", "2"]).unwrap() == over, !keep_dead, "{engine:?}");
    }
}

#[test]
fn walks_that_differ_in_what_nobody_reads_any_more_are_one_move() {
    // Perft merges moves of chance by the states before anything is forgotten, as they are in the rules.
    let one = "var v: T = 0; begin, m: player = a; m, n: v = T(*); n, o: $ t; o, c: player = b; c, d: $ u; d, end: player = keeper;";
    let chance = "var v: T = 0; begin, m: player = random; m, n: v = T(*); n, o: $$ v; o, c: player = b; c, d: $ u; d, end: player = keeper;";
    for (engine, keep_dead) in ENGINES.into_iter().flat_map(|engine| [(engine, false), (engine, true)]) {
        for ambiguity in [Ambiguity::Error, Ambiguity::Split] {
            let options = Options { engine, checked: true, keep_dead, ambiguity, ..Options::default() };
            let game = reasoner(&format!("{HEAD}{one}"), options);
            let initial = game.initial().unwrap();
            assert_eq!(legal(&game, &initial).unwrap(), ["t"]);
            assert_eq!(game.perft(&initial, 2), Ok(1), "{engine:?}");
            let game = reasoner(&format!("{HEAD}{chance}"), options);
            let initial = game.initial().unwrap();
            assert_eq!(legal(&game, &initial).unwrap().len(), 4);
            assert_eq!(game.perft(&initial, 2), Ok(4), "{engine:?}");
        }
    }
}

#[test]
fn a_label_without_tags_is_not_quoted() {
    let text = "begin, m: player = a; m, n: goals[a] = 1; m, n: goals[a] = 2; n, end: player = keeper;";
    for engine in ENGINES {
        let reasoner = probe(text, engine);
        let error = legal(&reasoner, &reasoner.initial().unwrap()).unwrap_err();
        assert_eq!(error.message, "two walks with no tags lead to different states");
    }
}

#[test]
fn equal_seeds_give_equal_playouts() {
    let text = "var v: T = 0; var w: T = 0;
        begin, x: player = a; x, y: v = T(*); y, z: $$ v; z, x2: player = random; x2, y2: w = T(*); y2, z2: $$ w;
        z2, k: player = keeper; k, g: v == w; k, x: player = a; g, h: goals[a] = 2; h, end: player = keeper;
        k, i: v != w; i, x: player = b;";
    let text = text.replace("k, x: player = a; ", "");
    let run = |engine, seed| {
        let reasoner = probe(&text, engine);
        let (mut stats, mut rng) = (backend::PlayoutStats::default(), Rng::new(seed));
        (0..50).for_each(|_| reasoner.playout(&mut rng, &mut stats).unwrap());
        stats
    };
    for engine in ENGINES {
        assert_eq!(run(engine, 1), run(engine, 1));
        assert_ne!(run(engine, 1), run(engine, 2));
    }
}
