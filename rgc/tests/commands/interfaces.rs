//! `rgc compile --emit cpp --interface`: programs that are written against the headers of the published compilers count what the engine counts.

use crate::support::{Scratch, game, rgc};
use std::fs;
use std::process::Command;

/// The usual loop over a game of RBG: perft with moves that are made on copies and with moves that are taken back, and random plays.
const RBG_MAIN: &str = r#"
#include "reasoner.hpp"
#include <cassert>
#include <cstdint>
#include <iostream>
#include <random>

using namespace reasoner;

bool run_keeper(game_state& state, resettable_bitarray_stack& cache) {
    while (state.get_current_player() == 0) {
        if (!state.apply_any_move(cache)) return false;
    }
    return true;
}

std::uint64_t by_copies(game_state state, resettable_bitarray_stack& cache, int depth) {
    if (!run_keeper(state, cache)) return depth == 0;
    if (depth == 0) return 1;
    std::vector<move> moves;
    state.get_all_moves(cache, moves);
    std::uint64_t sum = 0;
    for (const move& chosen : moves) {
        game_state next = state;
        next.apply_move(chosen);
        sum += by_copies(next, cache, depth - 1);
    }
    return sum;
}

std::uint64_t by_reverting(game_state& state, resettable_bitarray_stack& cache, int depth) {
    if (state.get_current_player() == 0) {
        game_state before = state;
        if (!run_keeper(state, cache)) {
            state = before;
            return depth == 0;
        }
        const std::uint64_t sum = by_reverting(state, cache, depth);
        state = before;
        return sum;
    }
    if (depth == 0) return 1;
    std::vector<move> moves;
    state.get_all_moves(cache, moves);
    std::uint64_t sum = 0;
    for (const move& chosen : moves) {
        assert(state.is_legal(chosen));
        // As a program does that gets moves from elsewhere.
        const move same(chosen.mr);
        assert(same == chosen);
        move_reverter before = state.apply_with_revert(same);
        sum += by_reverting(state, cache, depth - 1);
        state.revert(before);
    }
    return sum;
}

int main() {
    resettable_bitarray_stack cache;
    for (int depth = 0; depth <= DEPTH; ++depth) {
        game_state state;
        assert(state.get_current_player() == 0);
        const std::uint64_t sum = by_copies(state, cache, depth);
        assert(by_reverting(state, cache, depth) == sum);
        std::cout << sum << ' ';
    }
    std::cout << '\n';
    // The first position.
    game_state state;
    for (int cell = 0; cell < BOARD_SIZE; ++cell) {
        std::cout << board_cell_to_string(cell) << ' ' << piece_to_string(state.get_piece(cell));
        for (int edge = 0; edge < BOARD_DEGREE; ++edge) {
            const int next = get_neighbor(cell, edge);
            if (next >= 0) std::cout << ' ' << board_cell_to_string(next);
        }
        std::cout << '\n';
    }
    for (int variable = 0; variable < NUMBER_OF_VARIABLES; ++variable) {
        std::cout << variable_to_string(variable) << ' ' << state.get_variable_value(variable) << ' ' << get_bound(variable) << '\n';
    }
    // Every move of a player ends with a switch, and puts its pieces where it says.
    std::mt19937 rng(1);
    for (int play = 0; play < 50; ++play) {
        game_state now;
        std::vector<move> moves;
        while (run_keeper(now, cache)) {
            now.get_all_moves(cache, moves);
            if (moves.empty()) break;
            const move& chosen = moves[rng() % moves.size()];
            for (std::size_t at = 0; at < chosen.mr.size(); ++at) {
                const action_representation& action = chosen.mr[at];
                assert(action.index >= 1 && action.index <= NUMBER_OF_MODIFIERS);
                assert(action.cell >= 0 && action.cell < BOARD_SIZE);
                assert((is_switch(action.index) != 0) == (at + 1 == chosen.mr.size()));
            }
            now.apply_move(chosen);
        }
        for (int player = 1; player < NUMBER_OF_PLAYERS; ++player) assert(now.get_player_score(player) >= 0);
    }
}
"#;

/// The usual loop over a game of RG, in which chance is drawn by the caller.
const RG_MAIN: &str = r#"
#include "game.hpp"
#include <cstdint>
#include <iostream>

std::uint64_t perft(const GameState& state, Cache& cache, int depth) {
    cache.reset();
    if (depth == 0) return 1;
    if (state.isTerminal()) return 0;
    std::vector<Move> moves;
    state.getAllMoves(moves, cache);
    std::uint64_t sum = 0;
    for (const Move& move : moves) {
        GameState next = state;
        next.apply(move, cache);
        sum += perft(next, cache, depth - 1);
    }
    return sum;
}

int main() {
    Cache cache;
    for (int depth = 0; depth <= DEPTH; ++depth) std::cout << perft(GameState(), cache, depth) << ' ';
    std::cout << '\n' << (GameState().getStateDescription().find("player: ") != std::string::npos) << '\n';
    // A play of first moves, and its scores.
    GameState state;
    std::vector<Move> moves;
    while (!state.isTerminal()) {
        state.getAllMoves(moves, cache);
        state.apply(moves.front(), cache);
    }
    std::cout << state.getPlayerScore(0) + state.getPlayerScore(1) << '\n';
}
"#;

/// Compiles a program against the header of a game and runs it; nothing where there is no compiler.
fn ran(scratch: &Scratch, game: &str, (interface, header): (&str, &str), text: &str) -> Option<String> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        println!("skipped: there is no C++ compiler");
        return None;
    }
    rgc(["compile", game, "--emit", "cpp", "--interface", interface, "-o", &scratch.path(header), "--force"]).success();
    let (source, program) = (scratch.path("main.cpp"), scratch.path("main"));
    fs::write(&source, text).unwrap();
    let options = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o", &program, &source];
    let compiled = Command::new(&compiler).args(options).output().unwrap();
    assert!(compiled.status.success(), "{game}: {}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&program).output().unwrap();
    assert!(run.status.success(), "{game}: {}", String::from_utf8_lossy(&run.stderr));
    Some(String::from_utf8(run.stdout).unwrap())
}

/// The numbers of the `// perft:` line of a bundled game, from depth 0.
fn known(file: &str, depth: usize) -> String {
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("// perft: ")).unwrap();
    let numbers: Vec<&str> = std::iter::once("1").chain(line.split_whitespace()).take(depth + 1).collect();
    numbers.join(" ")
}

#[test]
fn programs_for_the_compiler_of_regular_boardgames() {
    for (name, depth) in [("breakthrough", 3), ("theMillGame", 2), ("reversi", 4), ("amazonsSplit", 2)] {
        let scratch = Scratch::new("interface-rbg");
        let file = game(&format!("rbg/{name}.rbg"));
        let main = RBG_MAIN.replace("DEPTH", &depth.to_string());
        let Some(output) = ran(&scratch, &file, ("rbg", "reasoner.hpp"), &main) else { return };
        let mut lines = output.lines();
        assert_eq!(lines.next().unwrap().trim(), known(&file, depth), "{name}");
        let first = lines.next().unwrap();
        match name {
            "breakthrough" => assert_eq!(first, "rx0y0 b rx0y1 rx1y0"),
            "theMillGame" => assert_eq!(output.lines().last().unwrap(), "quiet 0 100"),
            _ => {}
        }
    }
}

#[test]
fn programs_for_the_compiler_of_regular_games() {
    for (file, depth, sum) in
        [("hrg/ticTacToe.hrg", 4, 100), ("rbg/breakthrough.rbg", 3, 100), ("gdl/ticTacToe.gdl", 4, 100)]
    {
        let scratch = Scratch::new("interface-rg");
        let path = game(file);
        let main = RG_MAIN.replace("DEPTH", &depth.to_string());
        let Some(output) = ran(&scratch, &path, ("rg", "game.hpp"), &main) else { return };
        let lines: Vec<&str> = output.lines().map(str::trim).collect();
        let expected = rgc(["perft", &path, &depth.to_string(), "--json"]).success();
        let total = serde_json::from_str::<serde_json::Value>(expected.lines().last().unwrap()).unwrap();
        assert_eq!(
            lines[0].rsplit(' ').next(),
            total["leaves"].as_u64().map(|n| n.to_string()).as_deref(),
            "{file}: {expected}"
        );
        assert_eq!(lines[1..], ["1", &sum.to_string()], "{file}");
    }
}

#[test]
fn interfaces_that_a_game_cannot_have_are_refused() {
    for arguments in [
        ["compile", "ticTacToe.hrg", "--emit", "cpp", "--interface", "rbg"],
        ["compile", "breakthrough.rbg", "--emit", "rust", "--interface", "rbg"],
        ["compile", "breakthrough.rbg", "--emit", "rust", "--interface", "rg"],
    ] {
        let run = rgc(arguments);
        assert!(run.code == 1 && run.stderr.contains("IO405"), "{arguments:?}: {}", run.stderr);
    }
}
