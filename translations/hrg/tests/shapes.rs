//! Small automata of every shape, and what they are in HRG. `shapes/*.rg` are the games, with what they show in their first line.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use backend::{Options, Reasoner, lockstep};
use rg_ir::SourceId;
use std::fs;
use std::path::Path;

/// What has another name in a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Renames {
    Nothing,
    /// Moves, too, so that they cannot be compared.
    Tags,
}

/// The program of a game, which is proved to be the same game.
fn program(text: &str, renames: Renames) -> String {
    let game = testgen::parse(text).unwrap_or_else(|| panic!("no game: {:?}", rg_ir::text::parse(SourceId(0), text).1));
    let program = rg_to_hrg::translate(&game).unwrap_or_else(|refused| panic!("{refused:?}"));
    let (read, findings) = hrg::load(SourceId(0), &program.text);
    let read = read.unwrap_or_else(|| panic!("{findings:?}"));
    let reasoner = |game| Reasoner::with_options(game, Options { checked: true, ..Options::default() }).unwrap();
    let budget = lockstep::Budget { moves: 2_000, plays: 3, plies: 20, play_moves: 300, seed: 1 };
    let found = lockstep::compare(&reasoner(&game), &reasoner(&read.game), &budget);
    assert!((found.is_none(), renames) != (false, Renames::Nothing), "{found:?}\n{}", program.text);
    program.text
}

#[test]
fn shapes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shapes");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = text.lines().next().unwrap().trim_start_matches("// ").to_owned();
        insta::with_settings!({ snapshot_path => "../../../snapshots/rg-to-hrg", prepend_module_to_snapshot => false, description => expected, omit_expression => true }, {
            let renames = if name == "words" { Renames::Tags } else { Renames::Nothing };
            insta::assert_snapshot!(name, program(&text, renames));
        });
    }
}
