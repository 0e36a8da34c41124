//! The engines against the corpus: perft counts of independent reasoners, and each engine against the other.

use backend::{Engine, Moves, Reasoner, Rng};
use rg_ir::SourceId;
use std::path::PathBuf;

fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("RGC_CORPUS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus")), PathBuf::from);
    if !path.is_dir() {
        println!("skipped: there is no corpus at {}", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn rg_games_have_the_published_perft_counts() {
    let Some(corpus) = corpus() else { return };
    let rows = std::fs::read_to_string(corpus.join("oracle/rg.csv")).unwrap();
    for row in rows.lines().skip(1) {
        let [game, depth, leaves] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
        let text = std::fs::read_to_string(corpus.join(format!("rg/{game}.rg"))).unwrap();
        let (parsed, diagnostics) = rg_ir::text::parse(SourceId(0), &text);
        let parsed = parsed.unwrap_or_else(|| panic!("{game}: {diagnostics:?}"));
        for &(name, engine) in Engine::ALL.iter().rev() {
            let budget = if engine == Engine::Naive { 20_000 } else { 300_000 };
            if leaves <= budget {
                let reasoner = Reasoner::new(&parsed, engine).unwrap();
                let initial = reasoner.initial().unwrap();
                assert_eq!(reasoner.perft(&initial, depth), Ok(leaves), "{game} at depth {depth}, engine {name}");
            }
        }
    }
}

/// Walks seeded random plays in both engines at once and compares everything that can be seen.
fn same_along_plays(name: &str, game: &rg_ir::Game, plays: u64, plies: usize) {
    let fast = Reasoner::new(game, Engine::Backtracking).unwrap();
    let slow = Reasoner::new(game, Engine::Naive).unwrap();
    for seed in 0..plays {
        let mut rng = Rng::new(seed);
        let (mut a, mut b) = (fast.initial().unwrap(), slow.initial().unwrap());
        let (mut of_a, mut of_b) = (Moves::new(), Moves::new());
        let mut play = Vec::new();
        for _ in 0..plies {
            assert_eq!(fast.turn(&a), slow.turn(&b), "{name}: {play:?}");
            if fast.is_terminal(&a) {
                assert_eq!(fast.scores(&a), slow.scores(&b), "{name}: {play:?}");
                break;
            }
            fast.legal_moves(&a, &mut of_a).unwrap();
            slow.legal_moves(&b, &mut of_b).unwrap();
            let texts = |r: &Reasoner, m: &Moves| m.iter().map(|t| r.tags_text(t)).collect::<Vec<_>>();
            let (in_a, in_b) = (texts(&fast, &of_a), texts(&slow, &of_b));
            let (mut sorted_a, mut sorted_b) = (in_a.clone(), in_b.clone());
            sorted_a.sort();
            sorted_b.sort();
            assert_eq!(sorted_a, sorted_b, "{name}: {play:?}");
            let at = rng.below(in_a.len() as u32) as usize;
            play.push(in_a[at].clone());
            let other = in_b.iter().position(|m| *m == in_a[at]).unwrap();
            fast.apply(&mut a, &of_a, at).unwrap();
            slow.apply(&mut b, &of_b, other).unwrap();
            assert_eq!(fast.node_name(&a), slow.node_name(&b), "{name}: {play:?}");
        }
    }
}

#[test]
fn engines_agree_on_rg_games() {
    let Some(corpus) = corpus() else { return };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(corpus.join("rg")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let game = rg_ir::text::parse(SourceId(0), &text).0.unwrap();
        same_along_plays(&file.display().to_string(), &game, 3, 20);
    }
}
