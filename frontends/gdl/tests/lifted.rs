//! Lifted lowering: against the oracle on games of the corpus, and against ground lowering on games of the library.
//!
//! `GDL_ONLY=name` takes all games of the corpus whose names contain `name` (`GDL_ONLY=` all, `GDL_ONLY==name` one) and
//! prints a table: seconds to translate, nodes, edges, verdict; `GDL_SECONDS` is the time for playing one game.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::oracle::{corpus, oracle};
use common::play::{Compared, Extent, Player};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Games of the corpus that must be lifted, with the most edges that they may have.
const LIFTED: &[(&str, usize)] = &[
    ("3pConnectFour", 450),
    ("battle", 700),
    ("breakthrough", 100),
    ("breakthroughHoles", 110),
    ("chomp", 110),
    ("connectFour", 260),
    ("eightPuzzle", 220),
    ("knightThrough", 90),
    ("nim1", 60),
    ("pawnWhopping", 240),
    ("roshambo2", 140),
    ("ticTacToe", 90),
    ("tron_10x10", 220),
];

#[test]
fn lifted_games_agree_with_the_oracle() {
    let Some(corpus) = corpus() else { return };
    let only = std::env::var("GDL_ONLY").ok();
    let seconds = std::env::var("GDL_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let wanted: BTreeMap<&str, usize> = LIFTED.iter().copied().collect();
    let mut failures = Vec::new();
    for (game, row) in oracle(&corpus) {
        let chosen = match &only {
            Some(only) => game.contains(only.as_str()) || only.strip_prefix('=') == Some(&game),
            None => wanted.contains_key(game.as_str()),
        };
        let Ok(bytes) = std::fs::read(corpus.join("kif").join(format!("{game}.kif"))) else { continue };
        let (description, _) = gdl::parse(rg_ir::SourceId(0), &String::from_utf8_lossy(&bytes));
        let Some(description) = description.filter(|_| chosen) else { continue };
        let start = Instant::now();
        let Ok(program) = gdl::normal::normalize(&description) else { continue };
        let lifted = gdl::lift(&program);
        let time = start.elapsed().as_secs_f64();
        let limit = wanted.get(game.as_str()).copied();
        let lowered = match lifted {
            Ok(lowered) => lowered,
            Err(reason) => {
                println!("{game} | {time:.2} | no: {}", reason.0);
                failures.extend(limit.map(|_| format!("{game} is not lifted: {}", reason.0)));
                continue;
            }
        };
        let (nodes, edges) = (lowered.game.automaton.node_count(), lowered.game.automaton.edge_count());
        if limit.is_some_and(|limit| edges > limit) {
            failures.push(format!("{game} has {edges} edges"));
        }
        let mut compared = Compared::default();
        let until = Some(Instant::now() + Duration::from_secs(seconds));
        let extent = Extent { steps: u64::MAX, leaves: 5_000, until };
        let agreed = Player::new(lowered).and_then(|player| player.agree(&row, extent, &mut compared));
        let verdict = agreed.map_or_else(
            |error| {
                failures.push(format!("{game}: {error}"));
                format!("FAILED: {error}")
            },
            |()| format!("agrees: {} playouts, perft {}", compared.playouts, compared.depth),
        );
        println!("{game} | {time:.2} {nodes} {edges} | {verdict}");
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Plays both lowerings side by side.
#[test]
fn lifted_games_agree_with_ground_lowering() {
    let library = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    let mut files: Vec<_> = std::fs::read_dir(library).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut lifted = 0;
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let (description, findings) = gdl::parse(rg_ir::SourceId(0), &text);
        let description = description.unwrap_or_else(|| panic!("{name}: {findings:?}"));
        let program = gdl::normal::normalize(&description).unwrap();
        let ours = match gdl::lift(&program) {
            Ok(lowered) => Player::new(lowered).unwrap(),
            Err(reason) => {
                println!("{name} is not lifted: {}", reason.0);
                continue;
            }
        };
        let theirs = Player::new(gdl::translate_ground(&description, gdl::Limits::default()).unwrap()).unwrap();
        lifted += 1;
        for seed in 0..3 {
            lock_step(&name, &ours, &theirs, seed);
        }
    }
    assert!(lifted >= 8, "only {lifted} games are lifted");
}

fn lock_step(name: &str, ours: &Player, theirs: &Player, seed: usize) {
    let (mut a, mut b) = (ours.reasoner.initial().unwrap(), theirs.reasoner.initial().unwrap());
    for step in 0..30 {
        assert_eq!(ours.text(&a), theirs.text(&b), "{name}, step {step}");
        assert_eq!(ours.reasoner.is_terminal(&a), theirs.reasoner.is_terminal(&b), "{name}, step {step}");
        if ours.reasoner.is_terminal(&a) {
            assert_eq!(ours.goals(&a), theirs.goals(&b), "{name}, step {step}");
            return;
        }
        let choose = |role: usize, legal: usize| (7 * step + 3 * role + seed) % legal;
        let (left, right) = (ours.step(&mut a, choose).unwrap(), theirs.step(&mut b, choose).unwrap());
        assert_eq!(left, right, "{name}, step {step}");
    }
}
