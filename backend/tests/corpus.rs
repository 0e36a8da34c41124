//! The engines against the corpus: perft counts of independent reasoners, and each engine against the other.

use backend::{Engine, Reasoner};
use rg_ir::SourceId;
use std::path::PathBuf;

fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("RGC_CORPUS").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus")),
        PathBuf::from,
    );
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
        for (name, engine) in Engine::ALL {
            let budget = if engine == Engine::Naive { 600 } else { 300_000 };
            if leaves <= budget {
                let reasoner = Reasoner::new(&parsed, engine).unwrap();
                let initial = reasoner.initial().unwrap();
                assert_eq!(reasoner.perft(&initial, depth), Ok(leaves), "{game} at depth {depth}, engine {name}");
            }
        }
    }
}
