//! A program in C uses the library, and finds what the engine finds.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use backend::{Engine, Moves, PlayoutStats, Reasoner, Rng, Turn};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Games, their languages and the engines to run them with.
const GAMES: [(&str, &str, &str); 3] = [
    ("rg/ticTacToe.rg", "rg", "auto"),
    ("rbg/breakthrough.rbg", "rbg", "interpreter"),
    ("hrg/connectFour.hrg", "hrg", "backtracking"),
];

/// The folder with the library; it is beside the program of this test, or one above.
fn library() -> PathBuf {
    let mine = std::env::current_exe().unwrap();
    let name = format!("{}rgc_capi{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folder = mine.ancestors().skip(1).take(2).find(|folder| folder.join(&name).exists());
    folder.unwrap_or_else(|| panic!("there is no {name} near {}", mine.display())).to_path_buf()
}

#[test]
fn a_client_in_c() {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    if cfg!(windows) || Command::new(&compiler).arg("--version").output().is_err() {
        println!("skipped: there is no C compiler");
        return;
    }
    let (root, library) = (Path::new(env!("CARGO_MANIFEST_DIR")), library());
    let program = std::env::temp_dir().join(format!("rgc-capi-{}", std::process::id()));
    let compiled = Command::new(&compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"])
        .args([&root.join("include"), &root.join("tests/client.c")])
        .args([Path::new("-o"), &program, Path::new("-L"), &library])
        .arg("-lrgc_capi")
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    for (path, language, engine) in GAMES {
        let path = root.join("../games").join(path);
        // Cargo's own path may begin with a folder where another build left the library.
        let mut run = Command::new(&program);
        run.arg(&path).args([language, engine]).env("LD_LIBRARY_PATH", &library);
        let run = run.output().unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        assert!(run.status.success(), "{}: {}: {text}", path.display(), run.status);
        assert_eq!(text, expected(&path, engine), "{}", path.display());
    }
    std::fs::remove_file(program).unwrap();
}

/// What the client prints.
fn expected(path: &Path, engine: &str) -> String {
    let mut sources = rg_ir::SourceMap::default();
    let (loaded, _) = kit::load(&mut sources, path, None);
    let loaded = loaded.unwrap().optimised(2).unwrap_or_else(|_| panic!("{}", path.display()));
    let engine = Engine::ALL.iter().find(|(name, _)| *name == engine).unwrap().1;
    let reasoner = Reasoner::new(&loaded.game, engine).unwrap();
    let mut text = String::new();
    for player in reasoner.players() {
        writeln!(text, "player {player}").unwrap();
    }
    let mut state = reasoner.initial().unwrap();
    for depth in 0..=3 {
        writeln!(text, "perft {}", reasoner.perft(&state, depth).unwrap()).unwrap();
    }
    let (mut stats, mut rng) = (PlayoutStats::default(), Rng::new(7));
    for _ in 0..50 {
        reasoner.playout(&mut rng, &mut stats).unwrap();
    }
    let PlayoutStats { plays, plies, plies_squared, moves, max_moves, scores, last: _ } = stats;
    writeln!(text, "stats {plays} {plies} {plies_squared} {moves} {max_moves}").unwrap();
    for mut counts in scores {
        counts.resize(reasoner.score_names().len(), 0);
        for count in counts {
            writeln!(text, "count {count}").unwrap();
        }
    }
    let mut moves = Moves::new();
    loop {
        let turn = match reasoner.turn(&state) {
            Turn::Player(player) => player as i32,
            Turn::Random => -1,
            Turn::End => break,
        };
        reasoner.legal_moves(&state, &mut moves).unwrap();
        writeln!(text, "turn {turn}: {} moves, {}", moves.len(), reasoner.move_text(&moves, 0)).unwrap();
        reasoner.apply(&mut state, &moves, 0).unwrap();
    }
    for score in reasoner.scores(&state) {
        writeln!(text, "score {score}").unwrap();
    }
    text + "done\n"
}
