//! Games on which lifting once went wrong: all engines count the same plays, or find the same fault.
#![allow(clippy::unwrap_used, reason = "tests")]

use backend::{Engine, Reasoner};
use rg_ir::SourceId;
use std::path::Path;

#[test]
fn engines_count_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/lifting");
    let mut games = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let game = rg_ir::text::parse(SourceId(0), &text).0.unwrap();
        let count = |engine, depth| {
            let reasoner = Reasoner::new(&game, engine).unwrap();
            reasoner.perft(&reasoner.initial().unwrap(), depth).map_err(|error| error.kind)
        };
        for depth in 1..=3 {
            let expected = count(Engine::Naive, depth);
            assert!(depth > 1 || expected.is_ok(), "{path:?}: {expected:?}");
            for &(name, engine) in Engine::ALL {
                assert_eq!(count(engine, depth), expected, "{path:?} at depth {depth}, engine {name}");
            }
        }
        games += 1;
    }
    assert_eq!(games, 7);
}
