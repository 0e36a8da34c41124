//! Perft of the public games against the reference numbers.
#![allow(clippy::unwrap_used, clippy::panic)]

use backend::{Engine, Reasoner};
use rg_ir::SourceId;
use std::path::PathBuf;

/// Leaves a test may visit: the naive engine in a debug build is slow.
fn budget() -> u64 {
    std::env::var("RGC_PERFT_LEAVES").ok().and_then(|n| n.parse().ok()).unwrap_or(600)
}

fn corpus() -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let path = std::env::var_os("RGC_CORPUS").map_or(root, PathBuf::from);
    if !path.is_dir() {
        eprintln!("skipped: no corpus");
        return None;
    }
    Some(path)
}

fn perft(folder: &str, table: &str) {
    let Some(corpus) = corpus() else { return };
    let oracle = std::fs::read_to_string(corpus.join("oracle").join(table)).unwrap();
    let only = std::env::var("RGC_GAME").ok();
    let mut wrong = Vec::new();
    let mut current: Option<(String, Reasoner)> = None;
    for line in oracle.lines().skip(1) {
        let mut fields = line.split(',');
        let (Some(name), Some(depth), Some(leaves)) = (fields.next(), fields.next(), fields.next()) else { continue };
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
        if depth > 1 && leaves > budget() {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(corpus.join(folder).join(format!("{name}.rbg"))) else { continue };
        if current.as_ref().is_none_or(|(loaded, _)| loaded != name) {
            let start = std::time::Instant::now();
            let (lowered, diagnostics) = rbg::load(SourceId(0), &text);
            let Some(lowered) = lowered else { panic!("{name}: {diagnostics:?}") };
            let automaton = &lowered.game.automaton;
            eprintln!(
                "{name}: {} nodes, {} edges, {:?}",
                automaton.node_count(),
                automaton.edge_count(),
                start.elapsed()
            );
            current = Some((name.to_owned(), Reasoner::new(&lowered.game, Engine::Naive).unwrap()));
        }
        let Some((_, reasoner)) = &current else { continue };
        let start = std::time::Instant::now();
        let found = reasoner.initial().and_then(|state| reasoner.perft(&state, depth));
        eprintln!("{name} {depth} {leaves} {:?}", start.elapsed());
        if found.as_ref().ok() != Some(&leaves) {
            wrong.push(format!("{name} depth {depth}: expected {leaves}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn high_level_games() {
    perft("rbg", "rbg.csv");
}

#[test]
fn low_level_games() {
    perft("rbg-ll", "rbg-ll.csv");
}
