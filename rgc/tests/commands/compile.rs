//! Source text of games: it is compiled, and its perft and playouts are those of the engine.

use crate::support::{Scratch, game, rgc};
use backend::{Engine, PlayoutStats, Reasoner, Rng};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Games and the depth of their perft: over sets, as searches, and one of the corpus whose labels have implied tags.
const GAMES: [(&str, u32); 10] = [
    ("rbg/breakthrough.rbg", 4),
    ("rbg/connectFour.rbg", 6),
    ("rbg/hex.rbg", 2),
    ("hrg/ticTacToe.hrg", 6),
    ("hrg/connectFour.hrg", 6),
    ("hrg/yavalath.hrg", 3),
    ("hrg/dotsAndBoxes.hrg", 3),
    ("hrg/pretwa.hrg", 4),
    ("hrg/felli.hrg", 4),
    (IN_CORPUS, 3),
];
/// A game of the corpus, from the folder of the bundled games.
const IN_CORPUS: &str = "../../shared/corpus/hrg/breakthrough.hrg";
/// Games to be compiled instead: bundled ones, separated by spaces, with the depth of their perft, as in `rbg/chess.rbg=2`. It is 0 for games
/// with chance.
const INSTEAD: &str = "RGC_COMPILE";
const PLAYS: u64 = 200;
const SEED: u64 = 7;

const RUST_MAIN: &str = r#"
#[path = "PATH"]
mod game;

fn main() {
    let state = game::State::initial();
    for depth in 0..=DEPTH {
        println!("perft {}", state.perft(depth).unwrap());
    }
    let stats = game::playouts(PLAYS, SEED).unwrap();
    let counts = [stats.plays, stats.plies, stats.plies_squared, stats.moves, stats.max_moves];
    println!("{}", counts.map(|count| count.to_string()).join(" "));
    for scores in &stats.scores {
        println!("{}", scores.map(|count| count.to_string()).join(" "));
    }
    let mut moves = Vec::new();
    state.get_all_moves(&mut moves).unwrap();
    for &shown in &moves {
        println!("move {}", state.move_text(shown));
    }
    assert!(state.get_state_description().contains("player: "));
    println!("{}", state.get_scores().join(" "));
}
"#;

const CPP_MAIN: &str = r#"
#include "PATH"
#include <iostream>

using namespace NAMESPACE;

int main() {
    GameState state;
    for (int depth = 0; depth <= DEPTH; ++depth) std::cout << "perft " << state.perft(depth) << "\n";
    Stats stats = playouts(PLAYS, SEED);
    std::cout << stats.plays << " " << stats.plies << " " << stats.pliesSquared << " " << stats.moves << " " << stats.maxMoves;
    std::cout << "\n";
    for (auto& scores : stats.scores) {
        for (std::size_t i = 0; i < scores.size(); ++i) std::cout << (i == 0 ? "" : " ") << scores[i];
        std::cout << "\n";
    }
    std::vector<Move> moves;
    Cache cache;
    state.getAllMoves(moves, cache);
    for (const Move& move : moves) std::cout << "move " << state.getMoveText(move) << "\n";
    if (state.getStateDescription().find("player: ") == std::string::npos) return 1;
    for (std::size_t i = 0; i < PLAYER_COUNT; ++i) std::cout << (i == 0 ? "" : " ") << state.getScore(i);
    std::cout << "\n";
}
"#;

#[test]
fn rust_does_what_the_engine_does() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    compare(("rust", "rust"), "rs", RUST_MAIN, |main, program| {
        let mut command = Command::new(&compiler);
        command.args(["-O", "--edition", "2024", "-D", "warnings", "-F", "unsafe_code", main, "-o", program]);
        command
    });
}

#[test]
fn cpp_does_what_the_engine_does() {
    compare_cpp("cpp", &["-O2"]);
}

/// The vector instructions of the machine write moves in another way.
#[test]
#[cfg(target_arch = "x86_64")]
fn cpp_for_this_processor_does_what_the_engine_does() {
    compare_cpp("cpp-native", &["-O3", "-march=native"]);
}

fn compare_cpp(name: &str, options: &[&str]) {
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    compare(("cpp", name), "hpp", CPP_MAIN, |main, program| {
        let mut command = Command::new(&compiler);
        command.args(options).args(["-std=c++17", "-Wall", "-Wextra", "-Werror", main, "-o", program]);
        command
    });
}

fn compare(
    (language, name): (&str, &str),
    extension: &str,
    main: &str,
    compiler: impl Fn(&str, &str) -> Command + Sync,
) {
    if compiler("--version", "/dev/null").output().is_err() {
        println!("skipped: there is no compiler of {language}");
        return;
    }
    let scratch = Scratch::new(&format!("compile-{name}"));
    let instead = std::env::var(INSTEAD).ok();
    let games: Vec<(&str, u32)> = match &instead {
        Some(games) => {
            let games = games.split_whitespace().map(|game| game.split_once('=').unwrap());
            games.map(|(path, depth)| (path, depth.parse().unwrap())).collect()
        }
        None => GAMES.to_vec(),
    };
    for (number, (path, depth)) in games.into_iter().enumerate() {
        println!("{path}");
        if path == IN_CORPUS && !Path::new(&game(path)).exists() {
            println!("skipped: there is no corpus");
            continue;
        }
        let name = format!("game{number}");
        let header = scratch.path(&format!("{name}.{extension}"));
        rgc(["compile", &game(path), "--emit", language, "-o", &header]).success();
        let stem = Path::new(path).file_stem().unwrap().to_str().unwrap();
        let text = main
            .replace("PATH", &header)
            .replace("NAMESPACE", &format!("rgc_{stem}"))
            .replace("DEPTH", &depth.to_string())
            .replace("PLAYS", &PLAYS.to_string())
            .replace("SEED", &SEED.to_string());
        let (source, program) =
            (scratch.path(&format!("{name}_main.{}", extension.replace("hpp", "cpp"))), scratch.path(&name));
        std::fs::write(&source, text).unwrap();
        let compiled = compiler(&source, &program).output().unwrap();
        assert!(compiled.status.success(), "{path}: {}", String::from_utf8_lossy(&compiled.stderr));
        let run = Command::new(&program).output().unwrap();
        assert!(run.status.success(), "{path}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(String::from_utf8(run.stdout).unwrap(), expected(path, depth), "{path}");
    }
}

/// What the engine makes of a game, in the form of the programs above.
fn expected(path: &str, depth: u32) -> String {
    let mut sources = rg_ir::SourceMap::default();
    let (loaded, _) = rgc::load(&mut sources, Path::new(&game(path)), None);
    let loaded = loaded.unwrap().optimised(2).unwrap_or_else(|_| panic!("{path}"));
    let reasoner = Reasoner::new(&loaded.game, Engine::Interpreter).unwrap();
    let state = reasoner.initial().unwrap();
    let mut text = String::new();
    for depth in 0..=depth {
        writeln!(text, "perft {}", reasoner.perft(&state, depth).unwrap()).unwrap();
    }
    let (mut stats, mut rng) = (PlayoutStats::default(), Rng::new(SEED));
    for _ in 0..PLAYS {
        reasoner.playout(&mut rng, &mut stats).unwrap();
    }
    let line = |counts: &[u64]| counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let sums = [stats.plays, stats.plies, stats.plies_squared, stats.moves, stats.max_moves];
    writeln!(text, "{}", line(&sums)).unwrap();
    for scores in &stats.scores {
        let mut scores = scores.clone();
        scores.resize(reasoner.score_names().len(), 0);
        writeln!(text, "{}", line(&scores)).unwrap();
    }
    let mut moves = backend::Moves::new();
    reasoner.legal_moves(&state, &mut moves).unwrap();
    for index in 0..moves.len() {
        writeln!(text, "move {}", reasoner.move_text(&moves, index)).unwrap();
    }
    writeln!(text, "{}", reasoner.scores(&state).join(" ")).unwrap();
    text
}

#[test]
fn games_without_source_text_are_refused_with_reasons() {
    let scratch = Scratch::new("compile-refused");
    let out = scratch.path("out.rs");
    let copies = "type Player = { a }; type Score = { 0, 1 }; type T = { 0, 1 }; type K = { x, y }; type L = { y, z };
        var e: K -> T = { :0 }; var f: L -> T = { :1 };
        begin, m: player = a; m, n: $ copy; n, o: e = f; o, p: e[x] == 1; p, end: player = keeper;";
    std::fs::write(scratch.path("copies.rg"), copies).unwrap();
    let run = rgc(["compile", &scratch.path("copies.rg"), "--emit", "rust", "-o", &out]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("error[IO314]: there is no source text of `copies`"), "{}", run.stderr);
    assert!(run.stderr.contains("is not lifted: maps of different types meet"), "{}", run.stderr);
    assert!(!Path::new(&out).exists());
}
