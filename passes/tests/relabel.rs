//! Passes that change how moves are written keep a one-to-one correspondence: the game before, the marked game and the
//! game after are played in lock step.
#![allow(clippy::unwrap_used, clippy::panic, clippy::unreachable)]

use backend::lockstep::{Budget, compare_translated};
use backend::{Engine, Reasoner};
use passes::{Context, Pass};
use rg_ir::{Game, SourceId};
use std::path::{Path, PathBuf};

fn parse(text: &str) -> Game {
    let (game, findings) = rg_ir::text::parse(SourceId(0), text);
    game.unwrap_or_else(|| panic!("{findings:?}\n{text}"))
}

/// The passes that change moves.
fn relabelling() -> impl Iterator<Item = &'static dyn Pass> {
    passes::registry().iter().copied().filter(|pass| pass.changes_moves())
}

/// Runs a pass; whether it changed the game. Panics if moves do not correspond.
fn compare(what: &str, game: &Game, pass: &'static dyn Pass, budget: &Budget) -> bool {
    let (mut after, mut context) = (game.clone(), Context::default());
    if !pass.run(&mut after, &mut context) {
        assert!(context.relabelled.is_empty(), "{what}: {}", pass.name());
        return false;
    }
    let [marked] = &context.relabelled[..] else { panic!("{what}: {} stages", context.relabelled.len()) };
    let reasoner = |game: &Game| Reasoner::new(game, Engine::Backtracking).unwrap();
    let (old, both, new) = (reasoner(game), reasoner(&marked.game), reasoner(&after));
    let tags = |label: &str| label.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let before = |label: &str| marked.before(tags(label).iter().map(String::as_str)).join(" ");
    let short = |label: &str| marked.after(tags(label).iter().map(String::as_str)).join(" ");
    for (which, other, translate) in
        [("before", &old, &before as &dyn Fn(&str) -> String), ("after", &new, &short as &dyn Fn(&str) -> String)]
    {
        if let Some(difference) = compare_translated(&both, other, budget, translate) {
            let texts = [game, &marked.game, &after].map(rg_ir::text::print).join("\n---\n");
            panic!("{what}: {}: marked game / game {which}: {difference}\n{texts}", pass.name());
        }
    }
    true
}

fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("RGC_CORPUS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus")), PathBuf::from);
    if !path.join("rg").is_dir() {
        println!("skipped: there is no corpus at {}", path.display());
        return None;
    }
    Some(path.join("rg"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn moves_of_fixtures_correspond() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for pass in relabelling() {
        let mut changed = 0;
        for file in files(&fixtures.join(pass.name())) {
            let text = std::fs::read_to_string(&file).unwrap();
            let what = file.file_name().unwrap().to_string_lossy().into_owned();
            changed += u32::from(compare(&what, &parse(&text), pass, &Budget::default()));
        }
        assert!(changed > 0, "{}", pass.name());
    }
}

#[test]
fn moves_of_the_corpus_correspond() {
    let Some(folder) = corpus() else { return };
    let budget = Budget { moves: 2_000, plays: 2, plies: 50, play_moves: 2_000, seed: 1 };
    for file in files(&folder) {
        let game = parse(&std::fs::read_to_string(&file).unwrap());
        for pass in relabelling() {
            compare(&file.display().to_string(), &game, pass, &budget);
        }
    }
}

#[test]
fn moves_of_random_games_correspond() {
    let count = std::env::var("RGC_RANDOM_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let budget = Budget { moves: 200, plays: 2, plies: 8, play_moves: 200, seed: 1 };
    let mut changed = 0;
    for seed in 0..count {
        // Tags that the generator makes up are declared artificial in every other game.
        let artificial = if seed % 2 == 0 { "@artificialTag s t e1 e2 e3 e4 e5;" } else { "" };
        let game = parse(&format!("{}\n{artificial}", testgen::game(seed)));
        for pass in relabelling() {
            changed += u32::from(compare(&format!("seed {seed}"), &game, pass, &budget));
        }
    }
    assert!(changed * 10 > count as u32, "only {changed} games were changed");
}
