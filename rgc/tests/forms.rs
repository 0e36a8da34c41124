//! Games that can be translated in two forms: the engine runs the one that is faster, and nothing else changes.

#![allow(clippy::expect_used, clippy::panic)] // a test stops at the first surprise

use backend::{Engine, Moves, Options};
use kit::Loaded;
use kit::language::{Reading, by_name};
use kit::runner::Runner;
use rg_ir::SourceMap;

/// Numbers are put on and taken off again, three at a time: a lifted game looks for rows of three among all triples, a ground one has an
/// edge for each of the 14 rows.
fn rows() -> Loaded {
    let numbers: String = (1..=14).map(|n| format!("(n {n}) ")).collect();
    let rows: String = (0..14).map(|n| format!("(row {} {} {}) ", n + 1, n * 5 % 14 + 1, n * 3 % 14 + 1)).collect();
    let text = format!(
        "(role p) {numbers} {rows} (init (on 2)) (init (on 8)) (init (on 12))
         (<= (legal p (add ?n)) (n ?n) (not (true (on ?n))))
         (<= (legal p (take ?a ?b ?c)) (true (on ?a)) (true (on ?b)) (true (on ?c)) (row ?a ?b ?c))
         (<= (next (on ?n)) (true (on ?n)) (does p (add ?m))) (<= (next (on ?n)) (does p (add ?n)))
         (<= (next (on ?n)) (true (on ?n)) (does p (take ?a ?b ?c)) (distinct ?n ?a))
         (<= terminal (not some)) (<= some (true (on ?n)))
         (<= terminal (not free)) (<= free (n ?n) (not (true (on ?n)))) (goal p 100)"
    );
    let mut sources = SourceMap::default();
    let source = sources.add("rows", text.clone());
    let language = by_name("gdl").expect("a language");
    let (translation, findings) = (language.lower)(source, &text, Reading::default());
    Loaded::new("rows".to_owned(), language, source, translation.unwrap_or_else(|| panic!("{findings:?}")))
}

fn runner(level: u8, engine: Engine) -> Runner {
    let loaded = rows().optimised(level).expect("passes");
    Runner::new(loaded, Options { engine, ..Options::default() }).expect("an engine")
}

fn legal(runner: &Runner) -> Vec<String> {
    let mut moves = Moves::new();
    let state = runner.initial().expect("a state");
    runner.reasoner.legal_moves(&state, &mut moves).expect("moves");
    runner.listed(&moves).into_iter().map(|(text, _)| text).collect()
}

#[test]
fn the_faster_form_is_run() {
    let edges = |runner: &Runner| runner.loaded.game.automaton.edge_count();
    let (ground, lifted) = (runner(2, Engine::Interpreter), runner(2, Engine::Naive));
    assert!(ground.loaded.ground.is_none(), "there is no third form");
    assert!(lifted.loaded.ground.is_some(), "the reference runs what it is given");
    assert!(edges(&ground) > edges(&lifted));
    // Without optimisation, a game is run as it was translated.
    assert!(runner(0, Engine::Interpreter).loaded.ground.is_some());

    assert_eq!(legal(&ground), legal(&lifted));
    for depth in 1..=4 {
        let count =
            |runner: &Runner| runner.reasoner.perft(&runner.initial().expect("a state"), depth).expect("a count");
        assert_eq!(count(&ground), count(&lifted), "depth {depth}");
    }
}
