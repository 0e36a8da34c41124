//! Games that run away, nest, explode or are merely large: every one ends in bounded time with an answer or an error that
//! names what happened, where, and after which play.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use backend::{Engine, Error, ErrorKind, Limits, MoveForm, Moves, Options, PlayoutStats, Reasoner, Rng};
use common::{ENGINES, legal, reasoner};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Long enough for a busy machine; the searches without limits would take years.
const SOON: Duration = Duration::from_secs(60);
const HEAD: &str = "type Player = { a, b };\ntype Score = { 0, 1 };\n";

fn game(text: &str) -> String {
    format!("{HEAD}{text}")
}

/// Low limits, so that the tests are quick; the defaults have tests of their own.
fn low() -> Limits {
    Limits {
        steps: 2_000_000,
        naive_steps: 20_000,
        keeper_moves: 1_000,
        tags: 1_000,
        check_depth: 100,
        moves: 10_000,
        visited: 100_000,
        plies: 500,
        ..Limits::default()
    }
}

fn with(text: &str, engine: Engine, limits: Limits) -> Reasoner {
    reasoner(&game(text), Options { engine, checked: true, limits, ..Options::default() })
}

/// The error of a playout, which must be the same as that of a perft if there is a play to it.
fn failure(text: &str, engine: Engine) -> Error {
    let reasoner = with(text, engine, low());
    let mut stats = PlayoutStats::default();
    let started = Instant::now();
    let error = reasoner.playout(&mut Rng::new(3), &mut stats).unwrap_err();
    assert!(started.elapsed() < SOON, "{engine:?}: {:?}\n{text}", started.elapsed());
    assert_eq!(stats, PlayoutStats::default(), "a failed play does not count");
    let again = reasoner.playouts(3, MoveForm::List, &mut Rng::new(3), &mut stats).unwrap_err();
    assert_eq!((again, stats), (error.clone(), PlayoutStats::default()), "several plays fail as one");
    error
}

/// Kind, a node among these, and play.
fn fails(text: &str, kind: ErrorKind, nodes: &[&str], play: &[&str]) {
    for engine in ENGINES {
        let error = failure(text, engine);
        assert_eq!(error.kind, kind, "{engine:?}: {error}\n{text}");
        assert!(nodes.contains(&error.node.as_str()), "{engine:?}: {error} ({error:?})\n{text}");
        assert_eq!(error.play, play, "{engine:?}: {error}\n{text}");
        assert!(error.to_string().contains(&error.node));
    }
}

#[test]
fn checks_inside_themselves() {
    // With the same state: never an answer.
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = keeper; c, o: ? q -> r; o, end: player = keeper;
         q, s: ? q -> r; s, r: ;",
        ErrorKind::Recursion,
        &["q"],
        &["t"],
    );
    // Through a second check.
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = keeper; c, o: ? q -> r; o, end: player = keeper;
         q, s: ! u -> v; s, r: ; u, w: ? q -> r; w, v: ;",
        ErrorKind::Recursion,
        &["q", "u"],
        &["t"],
    );
}

#[test]
fn checks_inside_themselves_with_less_to_do_are_fine() {
    let text = "type N = { n0, n1, n2, n3, nan }; const down: N -> N = { :nan, n3: n2, n2: n1, n1: n0 }; var v: N = n3;
        begin, m: player = a; m, n: ? q -> r; n, o: $ t; o, end: player = keeper;
        q, r: v == n0; q, s: v != n0; s, u: v = down[v]; u, r: ? q -> r;";
    for engine in ENGINES {
        let reasoner = with(text, engine, low());
        assert_eq!(legal(&reasoner, &reasoner.initial().unwrap()).unwrap(), ["t"], "{engine:?}");
    }
}

#[test]
fn tags_without_end() {
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = b; c, x: $ u; x, c: ; c, end: player = keeper;",
        ErrorKind::Limit,
        &["c", "x"],
        &["t"],
    );
}

#[test]
fn keepers_without_end() {
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = keeper; c, d: player = keeper; d, c: player = keeper;
         c, end: player == a;",
        ErrorKind::Limit,
        &["c", "d"],
        &["t"],
    );
}

#[test]
fn plays_without_end() {
    for engine in ENGINES {
        let error = failure("begin, m: player = a; m, m: player = b; m, end: player == keeper;", engine);
        assert_eq!((error.kind, error.node.as_str(), error.play.len()), (ErrorKind::Limit, "m", 500), "{engine:?}");
        assert!(error.to_string().len() < 5_000);
    }
}

#[test]
fn stuck_games() {
    fails("begin, m: player = a; m, n: $ t; n, c: player = b; c, end: ;", ErrorKind::Stuck, &["c"], &["t"]);
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = keeper; c, end: ! c -> c;",
        ErrorKind::Stuck,
        &["c"],
        &["t"],
    );
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = random; c, d: player != random; d, end: player = keeper;",
        ErrorKind::Stuck,
        &["c"],
        &["t"],
    );
}

#[test]
fn ambiguous_games() {
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = b; c, x: $ u; c, y: $ u; x, z: goals[a] = 0; y, z: goals[a] = 1;
         z, end: player = keeper;",
        ErrorKind::Ambiguous,
        &["c", "z", "end"],
        &["t"],
    );
    // One label, one state, two nodes.
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = b; n, d: player = b; c, end: player = keeper;
         d, end: player = keeper;",
        ErrorKind::Ambiguous,
        &["m", "n", "c", "d"],
        &[],
    );
}

#[test]
fn a_keeper_with_a_choice() {
    fails(
        "begin, m: player = a; m, n: $ t; n, c: player = keeper; c, x: $ u; c, x: $ v; x, end: player = keeper;",
        ErrorKind::KeeperChoice,
        &["c"],
        &["t"],
    );
}

#[test]
fn players_that_are_none() {
    fails(
        "type T = { a, x }; var v: T = x; begin, m: player = a; m, n: $ t; n, c: player = v; c, end: player = keeper;",
        ErrorKind::Invalid,
        &["c"],
        &["t"],
    );
}

#[test]
fn too_many_moves() {
    let symbols: Vec<String> = (0..200).map(|i| format!("s{i}")).collect();
    let text = format!(
        "type T = {{ {} }}; var v: T = s0; var w: T = s0;
         begin, m: player = a; m, n: v = T(*); n, o: w = T(*); o, p: $$ v; p, q: $$ w; q, end: player = keeper;",
        symbols.join(", ")
    );
    for engine in ENGINES {
        let reasoner = with(&text, engine, low());
        let error = legal(&reasoner, &reasoner.initial().unwrap()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{engine:?}: {error}");
        let tight = Limits { memory: 1 << 19, moves: 1_000_000, ..low() };
        let error = with(&text, engine, tight);
        let error = legal(&error, &error.initial().unwrap()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{engine:?}: {error}");
    }
    let reasoner = with(&text, Engine::Backtracking, Limits::default());
    assert_eq!(legal(&reasoner, &reasoner.initial().unwrap()).unwrap().len(), 40_000);
}

/// No two walks have one label, but each goes round for ever.
#[test]
fn rounds_without_a_tag_end() {
    let ring = "type Sq = { s0, s1, s2 }; type Piece = { none, stone }; var at: Sq = s0;
        const next: Sq -> Sq = { :s0, s0: s1, s1: s2 }; var board: Sq -> Piece = { :none };
        begin, c: player = a; c, t: at = Sq(*); t, u: $$ at; u, v: at = next[at];
        v, u: board[at] == none; v, w: board[at] != none; w, end: player = keeper;";
    fails(ring, ErrorKind::Stuck, &["c"], &[]);
    let idle = "type Bit = { 0, 1 }; var x: Bit = 0; begin, n: player = a; n, m: x == 0; m, n: ; n, o: x != 0;
        o, p: $ t; p, end: player = keeper;";
    fails(idle, ErrorKind::Stuck, &["n"], &[]);
    // So does the keeper.
    let keeper = idle.replace("player = a; n,", "player = a; b, t: $ s; t, n: player = keeper; n,");
    fails(&keeper.replace("begin, n:", "begin, b:"), ErrorKind::Stuck, &["n"], &["s"]);
}

#[test]
fn loops_through_all_states() {
    // A loop over 4^12 states within one move: a limit with few states allowed, and never a hang.
    let mut text = String::from("type T = { 0, 1, 2, 3 }; type M = I -> T; type I = { i0");
    (1..12).for_each(|i| write!(text, ", i{i}").unwrap());
    text.push_str(" }; var m: M = { :0 }; var i: I = i0; begin, x: player = a;");
    text.push_str("x, y: i = I(*); y, x: m[i] = T(*); x, z: m[i0] == m[i1]; z, end: player = keeper; z, x: m[i] != 9;");
    let text = text.replace("m[i] != 9", "m[i] != 3");
    for engine in ENGINES {
        let error = failure(&text, engine);
        assert_eq!(error.kind, ErrorKind::Limit, "{engine:?}: {error}");
        let reasoner = with(&text, engine, Limits { memory: 2 << 20, ..Limits::default() });
        let started = Instant::now();
        let error = legal(&reasoner, &reasoner.initial().unwrap()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{engine:?}: {error}");
        assert!(started.elapsed() < SOON, "{engine:?}");
    }
}

#[test]
fn checks_that_double_at_every_level_are_bounded() {
    let mut text = String::from("begin, m: player = a; m, n: ? q0 -> r; n, end: player = keeper;");
    for i in 0..60 {
        write!(text, "q{i}, s{i}: ? q{} -> r; s{i}, r: ? q{} -> r;", i + 1, i + 1).unwrap();
    }
    text.push_str("q60, r: ;");
    for engine in ENGINES {
        let error = failure(&text, engine);
        assert_eq!(error.kind, ErrorKind::Limit, "{engine:?}: {error}");
    }
}

/// `count` diamonds, with `inside` on all their sides and `between` after each.
fn diamonds(count: usize, inside: &str, between: &str) -> String {
    let mut text = String::from("var v: Bool = 0; var w: Player -> Bool = { :0 }; begin, d0: player = a;");
    for i in 0..count {
        write!(
            text,
            "d{i}, l{i}: {inside}; d{i}, r{i}: {inside}; l{i}, j{i}: ; r{i}, j{i}: ; j{i}, d{}: {between};",
            i + 1
        )
        .unwrap();
    }
    write!(text, "d{count}, c: player = b; c, e: v == 0; c, e: v == 1; e, end: player = keeper;").unwrap();
    text
}

/// A position steps down a tree and off the board by many ways, again and again, with a write to a map before each time: what
/// is off the board must not be brought on once for each way there.
#[test]
fn ways_off_the_board_do_not_multiply() {
    let mut text = String::from(
        "type Piece = { e, p };
         type Cell = { off, c0, c1, c2, c3, c4, c5, c6 };
         const left: Cell -> Cell = { c0: c1, c1: c3, c2: c5, :off };
         const right: Cell -> Cell = { c0: c2, c1: c4, c2: c6, :off };
         var pos: Cell = c0;  var board: Cell -> Piece = { :e };  var other: Cell -> Piece = { :e };
         begin, s0: player = a;",
    );
    for s in 0..12 {
        write!(text, "s{s}, d{s}_0: other[c{}] = p;", s % 7).unwrap();
        for step in 0..3 {
            for side in ["left", "right"] {
                write!(text, "d{s}_{step}, d{s}_{}: pos = {side}[pos];", step + 1).unwrap();
            }
        }
        write!(text, "d{s}_3, s{}: board[pos] == e;", s + 1).unwrap();
    }
    text += "s12, told: $$ pos;  told, end: player = keeper;";
    let limits = Limits { exact_after: 10_000, steps: 10_000, ..Limits::default() };
    let reasoner = with(&text, Engine::Backtracking, limits);
    assert_eq!(legal(&reasoner, &reasoner.initial().unwrap()).unwrap(), ["off"]);
}

#[test]
fn chains_of_diamonds() {
    let cases = [
        ("", ""),
        ("", "$ t"),
        ("$ t", ""),
        ("v = 1", "$ t"),
        ("w[a] = 1", ""),
        ("w[a] = 1", "$ t"),
        ("v = Bool(*)", "v = 0"),
        ("w[a] = Bool(*)", "w[a] = 0"),
        ("$ t", "v = Bool(*)"),
    ];
    for (inside, between) in cases {
        let text = diamonds(40, inside, between);
        for engine in ENGINES {
            let started = Instant::now();
            let limits = Limits { exact_after: 100_000, steps: 5_000_000, ..Limits::default() };
            let reasoner = with(&text, engine, limits);
            let result = legal(&reasoner, &reasoner.initial().unwrap()).map(|m| m.len()).map_err(|e| e.kind);
            if between == "v = Bool(*)" {
                assert_eq!(result, Err(ErrorKind::Ambiguous), "{engine:?}, `{inside}`, `{between}`");
            } else if engine == Engine::Backtracking && inside.starts_with("w[a]") {
                // Where walks meet after writes to maps, backtracking may give up.
                assert!(matches!(result, Ok(1) | Err(ErrorKind::Limit)), "`{inside}`, `{between}`: {result:?}");
            } else {
                assert_eq!(result, Ok(1), "{engine:?}, `{inside}`, `{between}`");
            }
            assert!(started.elapsed() < SOON, "{engine:?}, `{inside}`, `{between}`");
        }
    }
}

#[test]
fn values_forgotten_after_a_tag() {
    // 4^30 walks with one label.
    let mut text = String::from("type T = { 0, 1, 2, 3 }; var v: T = 0; begin, n0: player = a;");
    for i in 0..30 {
        write!(text, "n{i}, x{i}: v = T(*); x{i}, y{i}: $ t; y{i}, n{}: v = 0;", i + 1).unwrap();
    }
    text.push_str("n30, end: player = keeper;");
    let moves = |engine, limits| {
        let reasoner = with(&text, engine, limits);
        legal(&reasoner, &reasoner.initial().unwrap()).map(|moves| moves.len()).map_err(|error| error.kind)
    };
    for engine in ENGINES {
        assert_eq!(moves(engine, Limits::default()), Ok(1), "{engine:?}");
    }
}

#[test]
fn values_forgotten_where_only_one_way_leads() {
    // 4^30 walks again, but without tags: marks keep them apart, although no ways meet at any node.
    let chain = |first: &str, second: &str, last: &str| {
        let mut text = String::from("type T = { 0, 1, 2, 3 }; var v: T = 0; begin, n0: player = a;");
        for i in 0..30 {
            write!(text, "n{i}, x{i}: {first}; x{i}, n{}: {second};", i + 1).unwrap();
        }
        write!(text, "n30, x: {last}; x, end: player = keeper;").unwrap();
        text
    };
    let cases = [("v = T(*)", "v = 0", ""), ("v = T(*)", "v = T(*)", "v = 0"), ("v = T(*)", "v != 1", "v = 0")];
    for (first, second, last) in cases {
        let text = chain(first, second, last);
        for engine in ENGINES {
            let reasoner = with(&text, engine, low());
            let moves = legal(&reasoner, &reasoner.initial().unwrap());
            assert_eq!(moves.map(|moves| moves.len()), Ok(1), "{engine:?}: `{first}`, `{second}`");
        }
    }
}

/// Runs a game of growing size and checks that time grows about linearly: five times the size, under 20 times the time.
fn near_linear(what: &str, size: usize, make: impl Fn(usize) -> String) {
    let time = |size: usize| {
        let text = game(&make(size));
        let parsed = rg_ir::text::parse(rg_ir::SourceId(0), &text).0.unwrap();
        let started = Instant::now();
        let reasoner = Reasoner::new(&parsed, Engine::Interpreter).unwrap();
        let lowered = started.elapsed();
        let initial = reasoner.initial().unwrap();
        let mut moves = Moves::new();
        reasoner.legal_moves(&initial, &mut moves).unwrap();
        let leaves = reasoner.perft(&initial, 1).unwrap();
        println!("{what} of {size}: lowered in {lowered:?}, {leaves} moves, all in {:?}", started.elapsed());
        assert_eq!(leaves, moves.len() as u64);
        started.elapsed()
    };
    let (small, large) = (time(size / 5), time(size));
    assert!(large < small * 20 + Duration::from_millis(500), "{what}: {small:?} for a fifth, {large:?} for all");
    assert!(large < SOON, "{what}: {large:?}");
}

#[test]
fn long_chains() {
    near_linear("chain", 100_000, |size| {
        let mut text = String::from("var v: Bool = 0; begin, n0: player = a;");
        for i in 0..size {
            let label = ["", "v = 1", "v != 0", "v == 1"][i % 4];
            writeln!(text, "n{i}, n{}: {label};", i + 1).unwrap();
        }
        write!(text, "n{size}, end: player = keeper;").unwrap();
        text
    });
}

#[test]
fn long_moves() {
    near_linear("move", 50_000, |size| {
        let mut text = String::from("begin, n0: player = a;");
        (0..size).for_each(|i| writeln!(text, "n{i}, n{}: $ t;", i + 1).unwrap());
        write!(text, "n{size}, end: player = keeper;").unwrap();
        text
    });
}

#[test]
fn wide_nodes() {
    near_linear("fan", 50_000, |size| {
        let mut text = String::from("var v: Bool = 0; begin, m: player = a;");
        (0..size).for_each(|i| writeln!(text, "m, n{i}: $ t{i}; n{i}, end: player = keeper;").unwrap());
        text
    });
}

#[test]
fn many_checks_of_one_target() {
    near_linear("checks", 50_000, |size| {
        let mut text = String::from("begin, n0: player = a;");
        (0..size).for_each(|i| writeln!(text, "n{i}, n{}: ? q{i} -> r; q{i}, r: ;", i + 1).unwrap());
        write!(text, "n{size}, end: player = keeper;").unwrap();
        text
    });
}

#[test]
fn checks_that_spread_are_refused() {
    // Each of the checks has a target of its own and can come by all that follows: code for them is quadratic in size.
    let mut text = String::from("begin, n0: player = a;");
    for i in 0..8_000 {
        writeln!(text, "n{i}, n{}: ! n{} -> x{i};", i + 1, i + 1).unwrap();
    }
    text.push_str("n8000, end: player = keeper;");
    let parsed = rg_ir::text::parse(rg_ir::SourceId(0), &game(&text)).0.unwrap();
    let started = Instant::now();
    let error = Reasoner::new(&parsed, Engine::Interpreter).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Invalid, "{error}");
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
}

#[test]
fn many_values_of_one_variable() {
    near_linear("values", 50_000, |size| {
        let mut text = String::from("type T = { s0");
        (1..size).for_each(|i| write!(text, ", s{i}").unwrap());
        text.push_str(" }; var v: T = s0; begin, n: player = a; n, o: v = T(*);");
        (0..size).for_each(|i| writeln!(text, "o, p: v == s{i};").unwrap());
        text.push_str("p, r: v = s0;");
        (0..size / 2).for_each(|i| writeln!(text, "r, q{i}: v == s{i}; r, q{i}: v == s{}; q{i}, x: ;", i + 1).unwrap());
        text.push_str("x, end: player = keeper;");
        text
    });
}

#[test]
fn many_variables() {
    near_linear("variables", 10_000, |size| {
        let mut text = String::from("begin, n0: player = a;");
        for i in 0..size {
            writeln!(text, "var v{i}: Bool = 0; n{i}, n{}: v{i} = 1; n{i}, n{}: v{i} == 1;", i + 1, i + 1).unwrap();
        }
        write!(text, "n{size}, end: player = keeper;").unwrap();
        text
    });
}

#[test]
fn a_million_symbols() {
    let mut text = String::from("type T = { s0");
    (1..1_000_000).for_each(|i| write!(text, ", s{i}").unwrap());
    text.push_str(
        " }; type M = T -> Bool; var v: T = s0; var m: M = { :0, s7: 1 };
         begin, n: player = a; n, o: v = T(*); o, p: m[v] == 1; p, q: $$ v; q, end: player = keeper;",
    );
    for engine in ENGINES {
        let started = Instant::now();
        let reasoner = with(&text, engine, Limits::default());
        match (engine, legal(&reasoner, &reasoner.initial().unwrap())) {
            (_, Ok(moves)) => assert_eq!(moves, ["s7"], "{engine:?}"),
            // A million copies of a million cells.
            (Engine::Naive, Err(error)) => assert_eq!(error.kind, ErrorKind::Limit, "{error}"),
            (_, Err(error)) => panic!("{error}"),
        }
        assert!(started.elapsed() < SOON, "{engine:?}: {:?}", started.elapsed());
    }
}

#[test]
fn states_too_large_are_refused() {
    let symbols: Vec<String> = (0..5_000).map(|i| format!("s{i}")).collect();
    let mut text = format!("type T = {{ {} }}; type M = T -> T -> Bool;\n", symbols.join(", "));
    (0..40).for_each(|i| writeln!(text, "var m{i}: M = {{ :{{ :0 }} }};").unwrap());
    text.push_str("begin, end: player = keeper;");
    let parsed = rg_ir::text::parse(rg_ir::SourceId(0), &game(&text)).0.unwrap();
    for engine in ENGINES {
        let error = Reasoner::new(&parsed, engine).err().unwrap();
        assert_eq!(error.kind, ErrorKind::Invalid, "{error}");
    }
}

#[test]
fn deep_expressions() {
    let key = (0..900).fold("v".to_string(), |key, _| format!("m[{key}]"));
    let text = format!(
        "type T = {{ x, y }}; type M = T -> T; var v: T = x; var m: M = {{ :y, y: x }};
         begin, n: player = a; n, o: {key} == x; o, end: player = keeper;"
    );
    for engine in ENGINES {
        let reasoner = with(&text, engine, low());
        assert_eq!(legal(&reasoner, &reasoner.initial().unwrap()).map(|m| m.len()), Ok(1), "{engine:?}");
    }
}

#[test]
fn deep_perft() {
    for engine in ENGINES {
        let reasoner = with("begin, m: player = a; m, m: player = b; m, end: player == keeper;", engine, low());
        let initial = reasoner.initial().unwrap();
        assert_eq!(reasoner.perft(&initial, 400), Ok(1));
        let error = reasoner.perft(&initial, u32::MAX).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{engine:?}: {error}");
    }
}

#[test]
fn checks_as_deep_as_the_default_limit() {
    // As many checks inside each other as are allowed, on the small stack of a test, in every build.
    let mut text = String::from("begin, m: player = a; m, n: ? q0 -> r; n, end: player = keeper;");
    (0..499).for_each(|i| write!(text, "q{i}, r: ? q{} -> r;", i + 1).unwrap());
    for (last, kind) in [("q499, r: ;", None), ("q499, r: ? q500 -> r; q500, r: ;", Some(ErrorKind::Recursion))] {
        for engine in ENGINES {
            let reasoner = with(&format!("{text}{last}"), engine, Limits::default());
            let result = legal(&reasoner, &reasoner.initial().unwrap());
            assert_eq!(result.err().map(|e| e.kind), kind, "{engine:?}");
        }
    }
}

/// A play that does not end is stopped from outside, in every engine.
#[test]
fn endless_plays_are_stopped() {
    let text = "begin, m: player = a; m, m: player = b; m, end: player == keeper;";
    for engine in ENGINES {
        let reasoner = with(text, engine, Limits { plies: u64::MAX, ..Limits::default() });
        let token = rg_ir::cancel::Token::default();
        let stopped = std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                token.cancel();
            });
            let play = || reasoner.playouts(3, MoveForm::List, &mut Rng::new(1), &mut PlayoutStats::default());
            rg_ir::cancel::scope(&token, play)
        });
        assert!(stopped.is_err(), "{engine:?}: {stopped:?}");
    }
}
