//! Labels with several outcomes, as moves of their own.

use crate::common::{ENGINES, reasoner, texts};
use backend::{Ambiguity, Engine, Error, ErrorKind, Limits, Moves, Options, PlayoutStats, Reasoner, Rng, State};

const HEAD: &str = "type Player = {a, b}; type Score = {0, 1, 2}; type T = {0, 1, 2, 3};\n";

fn split(text: &str, engine: Engine, limits: Limits) -> Reasoner {
    let options = Options { engine, checked: true, ambiguity: Ambiguity::Split, limits, ..Options::default() };
    reasoner(&format!("{HEAD}{text}"), options)
}

fn legal(reasoner: &Reasoner, state: &State) -> Result<(Vec<String>, Moves), Error> {
    let mut moves = Moves::new();
    reasoner.legal_moves(state, &mut moves)?;
    let mut texts = texts(reasoner, &moves);
    texts.sort();
    Ok((texts, moves))
}

/// `a` says `t` and gets 0, 1 or 2, the last in two ways; or says `s`, which is unambiguous.
const GOALS: &str = "
    begin, m: player = a;
    m, x: $ t; m, y: $ t; m, w: $ t; m, v: $ t; m, u: $ s;
    x, z: goals[a] = 2; y, z: goals[a] = 0; w, z: goals[a] = 1; v, z: goals[a] = 2; u, z: goals[a] = 1;
    z, end: player = keeper;";

#[test]
fn outcomes_are_numbered_in_the_same_order_by_every_engine() {
    for engine in ENGINES {
        let reasoner = split(GOALS, engine, Limits::default());
        let initial = reasoner.initial().unwrap();
        let (listed, moves) = legal(&reasoner, &initial).unwrap();
        assert_eq!(listed, ["s", "t #1", "t #2", "t #3"], "{engine:?}");
        assert_eq!([0, 1, 2].map(|depth| reasoner.perft(&initial, depth)), [Ok(1), Ok(4), Ok(0)]);
        for index in 0..moves.len() {
            let mut next = initial.clone();
            reasoner.apply(&mut next, &moves, index).unwrap();
            let (score, number) = (reasoner.scores(&next)[0].to_owned(), moves.outcome(index));
            let wanted = if number == 0 { "1".to_owned() } else { (number - 1).to_string() };
            assert_eq!(score, wanted, "{engine:?}: {}", reasoner.move_text(&moves, index));
        }
        let mut stats = PlayoutStats::default();
        let mut rng = Rng::new(7);
        (0..4_000).for_each(|_| reasoner.playout(&mut rng, &mut stats).unwrap());
        let counts = ["0", "1", "2"].map(|score| {
            let at = reasoner.score_names().iter().position(|name| name == score).unwrap();
            stats.scores[0][at]
        });
        // Four standard deviations of binomials with p = 1/4 and 1/2.
        let near = |count: u64, wanted: u64| count.abs_diff(wanted) < 127;
        assert!(near(counts[0], 1_000) && near(counts[1], 2_000) && near(counts[2], 1_000), "{engine:?}: {counts:?}");
    }
}

#[test]
fn outcomes_may_differ_in_the_node_only() {
    let text = "begin, m: player = a; m, n: $ t; n, c: player = b; n, d: player = b; c, e: $ u; d, e: $ v; d, e: $ w;
                e, end: player = keeper;";
    for engine in ENGINES {
        let reasoner = split(text, engine, Limits::default());
        let initial = reasoner.initial().unwrap();
        let (listed, moves) = legal(&reasoner, &initial).unwrap();
        assert_eq!(listed, ["t #1", "t #2"]);
        assert_eq!(reasoner.perft(&initial, 2), Ok(3));
        let first = (0..2).find(|&index| moves.outcome(index) == 1).unwrap();
        let mut next = initial.clone();
        reasoner.apply(&mut next, &moves, first).unwrap();
        assert_eq!(legal(&reasoner, &next).unwrap().0, ["u"]);
    }
}

#[test]
fn plays_of_errors_say_which_outcome() {
    let text =
        "var v: T = 0; begin, m: player = a; m, n: v = T(*); n, o: $ t; o, c: player = b; c, d: v != 2; d, e: $ u;
                e, end: player = keeper;";
    for engine in ENGINES {
        let reasoner = split(text, engine, Limits::default());
        let initial = reasoner.initial().unwrap();
        let error = reasoner.perft(&initial, 2).unwrap_err();
        assert_eq!((error.kind, error.play), (ErrorKind::Stuck, vec!["t #3".to_owned()]), "{engine:?}");
        let (mut rng, mut stats) = (Rng::new(1), PlayoutStats::default());
        let error = (0..100).find_map(|_| reasoner.playout(&mut rng, &mut stats).err()).unwrap();
        assert_eq!(error.play, ["t #3"], "{engine:?}");
    }
}

#[test]
fn the_keeper_still_may_not_choose() {
    let text =
        "begin, m: player = a; m, n: $ t; n, c: player = keeper; c, x: $ u; c, y: $ u; x, z: goals[a] = 1; y, z: ;
                z, end: player = keeper;";
    for engine in ENGINES {
        let reasoner = split(text, engine, Limits::default());
        let (_, moves) = legal(&reasoner, &reasoner.initial().unwrap()).unwrap();
        let error = reasoner.apply(&mut reasoner.initial().unwrap(), &moves, 0).unwrap_err();
        assert_eq!(error.kind, ErrorKind::KeeperChoice, "{engine:?}");
    }
}

#[test]
fn many_outcomes_are_limited_like_moves() {
    // 4^7 outcomes of one label.
    let mut text =
        String::from("type I = { i0, i1, i2, i3, i4, i5, i6 }; var m: I -> T = { :0 }; begin, n0: player = a;");
    (0..7).for_each(|i| text += &format!("n{i}, n{}: m[i{i}] = T(*);", i + 1));
    text += "n7, c: player = b; c, e: m[i0] == 0; c, e: m[i0] != 0; e, end: player = keeper;";
    let limits = Limits { moves: 1_000, ..Limits::default() };
    for engine in ENGINES {
        let reasoner = split(&text, engine, limits);
        let error = legal(&reasoner, &reasoner.initial().unwrap()).map(|(texts, _)| texts.len()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{engine:?}: {error}");
    }
    let reasoner = split(&text, Engine::Backtracking, Limits::default());
    let (listed, moves) = legal(&reasoner, &reasoner.initial().unwrap()).unwrap();
    assert_eq!((listed.len(), moves.len()), (1 << 14, 1 << 14));
    assert!((0..moves.len()).all(|index| moves.outcome(index) == index as u32 + 1));
    let tight = Limits { memory: 1 << 16, ..Limits::default() };
    let reasoner = split(&text, Engine::Backtracking, tight);
    assert_eq!(legal(&reasoner, &reasoner.initial().unwrap()).map(drop).unwrap_err().kind, ErrorKind::Limit);
}
