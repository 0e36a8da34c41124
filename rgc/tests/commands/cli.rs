//! The command line as a user meets it: the program is run, and its output and exit code are looked at.

use crate::support::{Scratch, game, json_lines, rgc, rgc_with_input, snapshot};
use backend::Engine;
use std::fs;

/// Perft of a game in each language; `tests/games.rs` counts the others.
const PERFT: [(&str, &[u64]); 2] =
    [("rg/race.rg", &[2, 4, 8, 15, 27, 47, 81, 137, 222]), ("rbg/breakthrough.rbg", &[22, 484, 11132])];

#[test]
fn help() {
    snapshot("help", &rgc(["--help"]).success());
    snapshot("help_perft", &rgc(["perft", "--help"]).success());
    for command in [
        "translate",
        "compile",
        "check",
        "fmt",
        "moves",
        "perft",
        "trace",
        "bench",
        "audit",
        "stats",
        "optimize",
        "graph",
        "equiv",
        "games",
        "completions",
        "man",
    ] {
        let help = rgc([command, "--help"]).success();
        assert!(help.contains("Example"), "{command} has no example");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [
        &["perft"][..],
        &["perft", "x.rg", "many"],
        &["perft", "3", "x.rg"],
        &["perft", "x.rg", "3", "--engine", "steam"],
        &["prefect", "x.rg", "3"],
        &["translate", "x.rg", "--to", "latin"],
        &["check", "x.rg", "--from", "latin"],
        &["bench", "x.rg", "--seconds", "-1"],
        &["bench", "x.rg", "--runs", "0"],
        &["bench", "x.rg", "--json", "--markdown"],
        &["bench", "x.rg", "--startup", "--compare", "y"],
        &["audit"],
        &["audit", "x.rg", "--playouts", "0"],
        &["check", "x.rg", "--positions", "5"],
        &["check"],
        &[],
    ] {
        let run = rgc(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "");
        assert!(!run.stderr.is_empty());
    }
}

#[test]
fn examples_of_the_help_can_be_played() {
    let help = rgc(["moves", "--help"]).success();
    let example = "--play \"a2a3; b7b6\"";
    assert!(help.contains(&format!("breakthrough.rbg {example}")) && rgc(["--help"]).success().contains(example));
    rgc(["moves", &game("rbg/breakthrough.rbg"), "--play", "a2a3; b7b6"]).success();
}

#[test]
fn a_swapped_depth_is_explained() {
    let run = rgc(["perft", "3", "x.rg"]);
    assert!(run.stderr.contains("invalid value 'x.rg' for '<DEPTH>': a number of moves is expected"), "{}", run.stderr);
}

#[test]
fn perft_counts_plays() {
    for (name, wanted) in PERFT {
        let output = rgc(["perft", &game(name), &wanted.len().to_string(), "--json"]).success();
        let rows = json_lines(&output);
        let leaves: Vec<u64> = rows.iter().map(|row| row["leaves"].as_u64().unwrap()).collect();
        assert_eq!(leaves, wanted, "{name}");
        for (row, depth) in rows.iter().zip(1..) {
            assert_eq!(row["depth"].as_u64(), Some(depth));
            assert!(row["seconds"].is_number() && row["engine"].is_string());
            assert_eq!(row.as_object().unwrap().len(), 4);
        }
    }
}

#[test]
fn perft_of_depth_zero_is_one() {
    let rows = json_lines(&rgc(["perft", &game("rg/ticTacToe.rg"), "0", "--json"]).success());
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["leaves"], 1);
}

#[test]
fn perft_begins_anywhere_and_compares() {
    let leaves = |arguments: &[&str]| -> Vec<u64> {
        let rows = json_lines(&rgc([&["perft", "ticTacToe.rbg", "2", "--json"], arguments].concat()).output());
        rows.iter().map(|row| row["leaves"].as_u64().unwrap()).collect()
    };
    assert_eq!(leaves(&["--play", "b2; a3"]), [7, 42]);
    assert_eq!(leaves(&["--expect", "9, 72"]), [9, 72]);
    let run = rgc(["perft", "ticTacToe.rbg", "2", "--expect", "9,72,504"]);
    assert!(run.code == 1 && run.stderr.contains("3 numbers are expected, but depth 2"), "{}", run.stderr);
    let run = rgc(["perft", "ticTacToe.rbg", "2", "--expect", "9,73"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("error[IO362]: counted 72 leaves at depth 2, expected 73"), "{}", run.stderr);
    let said = |depth: &str| rgc(["perft", "ticTacToe.rbg", depth, "--expect", "9,72"]).success();
    assert!(!said("2").contains("is expected"));
    assert!(said("3").contains("no number is expected for depth 3\n"));
    assert!(said("4").contains("no number is expected for depths 3 to 4\n"));
    let run = rgc(["perft", "ticTacToe.rbg", "2", "--play", "b2; b2"]);
    assert!(run.code == 1 && run.stderr.contains("IO320"), "{}", run.stderr);
}

#[test]
fn perft_divides() {
    let output = rgc(["perft", &game("rg/ticTacToe.rg"), "3", "--divide"]).success();
    assert_eq!(output.lines().count(), 10);
    assert!(output.lines().take(9).all(|line| line.ends_with(" 56")), "{output}");
    assert!(output.ends_with("               504\n"), "{output}");
    let rows = json_lines(&rgc(["perft", &game("rg/race.rg"), "4", "--divide", "--json"]).success());
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["leaves"].as_u64().unwrap() + rows[1]["leaves"].as_u64().unwrap(), 15);
    assert_eq!(rows[2]["leaves"], 15);
    assert_eq!(rows[1]["move"], "walk");
}

#[test]
fn moves_are_listed_and_played() {
    snapshot("moves_rg", &rgc(["moves", &game("rg/race.rg"), "--play", "run; heads; walk"]).success());
    snapshot("moves_rbg", &rgc(["moves", &game("rbg/ticTacToe.rbg")]).success());
    snapshot("moves_end", &rgc(["moves", &game("rg/ticTacToe.rg"), "--play", "a1;a2;b1;b2;c1;"]).success());
    let output = rgc(["moves", &game("rg/race.rg"), "--play", "run", "--json"]).success();
    snapshot("moves_json", &output);
}

#[test]
fn illegal_moves_are_explained() {
    let run = rgc(["moves", &game("rg/race.rg"), "--play", "run; haeds"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("IO320") && run.stderr.contains("move 2: `haeds` is not a legal move"),
        "{}",
        run.stderr
    );
    let run = rgc(["moves", &game("rg/ticTacToe.rg"), "--play", "a1;a2;b1;b2;c1;c2"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("the game is over"), "{}", run.stderr);
}

#[test]
fn traces_follow_the_rule_of_choice() {
    snapshot("trace", &rgc(["trace", &game("rg/race.rg"), "--seed", "4"]).success());
    let run = rgc(["trace", &game("rg/race.rg"), "--max-plies", "3"]);
    assert_eq!((run.code, run.stdout.lines().count()), (1, 3));
    assert!(run.stderr.contains("IO321"), "{}", run.stderr);
    let lines = json_lines(&rgc(["trace", "chess", "--seed", "1", "--max-plies", "1", "--tags"]).stdout);
    assert_eq!((&lines[0]["short"], &lines[0]["tags"][0]), (&"a2a3".into(), &"v_rx0y6".into()), "{lines:?}");
    assert!(rgc(["trace", &game("gdl/ticTacToe.gdl"), "--tags"]).stderr.contains("IO325"));
    for (name, _) in PERFT {
        for seed in ["0", "1", "17", "18446744073709551615"] {
            let output = rgc(["trace", &game(name), "--seed", seed]).success();
            check_trace(&json_lines(&output));
            assert_eq!(output, rgc(["trace", &game(name), "--seed", seed]).success(), "{name} {seed}");
        }
    }
}

#[test]
fn engines_agree() {
    for (name, wanted) in PERFT {
        let trace = |engine| rgc(["trace", &game(name), "--seed", "9", "--engine", engine]).success();
        assert_eq!(trace("naive"), trace("auto"), "{name}");
        let output = rgc(["perft", &game(name), "2", "--json", "--engine", "naive"]).success();
        let rows = json_lines(&output);
        assert_eq!(rows[1]["leaves"], wanted[1], "{name}");
        assert_eq!(rows[1]["engine"], "naive");
    }
}

fn check_trace(lines: &[serde_json::Value]) {
    let (last, plies) = lines.split_last().unwrap();
    for (line, ply) in plies.iter().zip(0..) {
        assert_eq!(line["ply"].as_u64(), Some(ply));
        assert!(line["player"].is_string() && line["move"].is_string());
        assert!(line["moves"].as_u64().unwrap() >= 1);
    }
    assert_eq!(last["ply"].as_u64(), Some(plies.len() as u64));
    assert_eq!(last["scores"].as_object().unwrap().len(), 2);
}

#[test]
fn translations_give_the_game_back() {
    let scratch = Scratch::new("translate");
    for (name, wanted) in PERFT {
        let rg = rgc(["translate", &game(name), "--to", "rg"]).output();
        assert_eq!(rgc_with_input(["translate", "-", "--from", "rg"], &rg).output(), rg, "{name}");
        assert_eq!(rgc_with_input(["translate", "-"], &rg).output(), rg, "{name}: guessed");
        let json = scratch.path("game.json");
        assert_eq!(rgc(["translate", &game(name), "--to", "json", "-o", &json]).success(), "");
        assert_eq!(rgc(["translate", &json, "--to", "rg"]).output(), rg, "{name}");
        let rows = json_lines(&rgc_with_input(["perft", "-", "2", "--json"], &rg).output());
        assert_eq!(rows[1]["leaves"], wanted[1], "{name}");
    }
}

#[test]
fn low_level_rbg_is_the_same_game() {
    for (name, wanted) in PERFT.into_iter().filter(|(name, _)| name.ends_with("rbg")) {
        let low = rgc(["translate", &game(name), "--to", "ll-rbg"]).output();
        assert_eq!(rgc_with_input(["translate", "-", "--to", "ll-rbg"], &low).output(), low, "{name}");
        let rows = json_lines(&rgc_with_input(["perft", "-", "2", "--json"], &low).output());
        assert_eq!(rows[1]["leaves"], wanted[1], "{name}");
    }
    let run = rgc(["translate", &game("rg/race.rg"), "--to", "ll-rbg"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("IO310"), "{}", run.stderr);
}

#[test]
fn gdl_in_both_syntaxes_is_the_same_game() {
    let sheet = game("gdl/ticTacToe.gdl");
    let infix = rgc(["translate", &sheet, "--to", "gdl-infix"]).success();
    assert!(infix.contains("goal(R, 100) :- line(R)\n"), "{infix}");
    let prefix = rgc(["translate", &sheet, "--to", "gdl-prefix"]).success();
    assert!(prefix.contains("(<= (goal ?r 100) (line ?r))\n"), "{prefix}");
    assert_eq!(rgc_with_input(["translate", "-", "--to", "gdl-prefix"], &infix).output(), prefix);
    assert_eq!(rgc_with_input(["translate", "-", "--to", "gdl-infix"], &prefix).output(), infix);
    let trace = rgc(["trace", &sheet, "--seed", "2"]).success();
    assert_eq!(rgc_with_input(["trace", "-", "--seed", "2"], &infix).output(), trace);
    let run = rgc(["translate", &sheet, "--to", "ll-rbg"]);
    assert!(run.code == 1 && run.stderr.contains("IO310"), "{}", run.stderr);
}

#[test]
fn joint_moves() {
    let counts = |name: &str, arguments: &[&str]| {
        let rows = json_lines(&rgc([&["perft", &game(name), "2", "--json"], arguments].concat()).output());
        rows.iter().map(|row| row["leaves"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(counts("gdl/matchingPennies.gdl", &["--joint"]), [4, 0]);
    assert_eq!(counts("gdl/matchingPennies.gdl", &[]), [2, 4]);
    assert_eq!(counts("gdl/ticTacDie.gdl", &["--joint"]), [6, 18]);
    let run = rgc(["perft", &game("rg/race.rg"), "2", "--joint"]);
    assert!(run.code == 1 && run.stderr.contains("IO322"), "{}", run.stderr);
    let trace = rgc(["trace", &game("gdl/matchingPennies.gdl"), "--seed", "0"]).success();
    let lines = json_lines(&trace);
    assert_eq!(lines[1]["moves"], serde_json::json!(["heads", "tails"]));
    assert_eq!((&lines[2]["status"], &lines[2]["goals"]), (&"terminal".into(), &"0 100".into()));
    let play = rgc(["moves", &game("gdl/ticTacToe.gdl"), "--play", "put(2, 2); (PUT 1  1)"]).success();
    assert!(play.contains("2 . x .\n1 o . .\n") && play.contains("crosses to move, 7 legal moves"), "{play}");
}

#[test]
fn drawings() {
    let dot = rgc(["graph", &game("rg/race.rg")]).success();
    assert!(dot.starts_with("digraph") && dot.contains("$ heads"), "{dot}");
    assert_eq!(rgc(["translate", &game("rg/race.rg"), "--to", "dot"]).success(), dot);
    let svg = rgc(["graph", &game("rg/race.rg"), "--to", "svg"]).success();
    assert!(svg.contains("<svg") && svg.contains("heads") && svg.trim_end().ends_with("</svg>"));
}

#[test]
fn statistics_and_schema() {
    let output = rgc(["stats", &game("rg/race.rg"), "--json"]).success();
    let stats = json_lines(&output);
    assert_eq!(stats.len(), 1);
    let names = ["\"nodes\":", "\"edges\":", "\"constants\":", "\"variables\":", "\"cells\":", "\"state_bits\":"];
    let places: Vec<usize> = names.iter().map(|name| output.find(name).unwrap()).collect();
    assert!(places.is_sorted());
    // place 2·7, breath 2·2, mover 2, goals 2·2, player 4, visible 2·2
    let sizes = ["nodes", "edges", "constants", "variables", "cells"].map(|name| stats[0][name].as_u64().unwrap());
    assert_eq!(sizes, [18, 20, 3, 6, 32]);
    assert!(stats[0]["state_bits"].as_u64().unwrap() >= 12);
    assert!(rgc(["stats", &game("rg/race.rg")]).success().contains("cells"));
    let reasoner = &json_lines(&rgc(["stats", &game("rg/ticTacToe.rg"), "--reasoner", "--json"]).success())[0];
    assert_eq!((&reasoner["engine"], reasoner["state_bytes"].as_u64().is_some()), (&"auto".into(), true));
    let lines = reasoner["reasoner"].as_array().unwrap();
    assert!(lines.iter().any(|line| line.as_str().unwrap().contains(": lifted")), "{lines:?}");
    let text = rgc(["stats", &game("rg/ticTacToe.rg"), "--reasoner"]).success();
    assert!(lines.iter().all(|line| text.contains(line.as_str().unwrap())), "{text}");
    assert!(text.contains("engine auto, "), "{text}");
    let schema: serde_json::Value = serde_json::from_str(&rgc(["schema"]).success()).unwrap();
    assert!(schema.is_object());
}

#[test]
fn benchmarks() {
    let output = rgc(["bench", &game("rg/race.rg"), &game("rg/ticTacToe.rg"), "--seconds", "0.05", "--json"]).success();
    let rows = json_lines(&output);
    let names: Vec<String> =
        rows.iter().map(|row| format!("{} {}", row["game"].as_str().unwrap(), row["mode"].as_str().unwrap())).collect();
    assert_eq!(names, ["race list", "race bulk", "ticTacToe list", "ticTacToe bulk"]);
    for row in &rows {
        for name in ["states_per_s", "state_bytes", "startup_ms", "seconds"] {
            assert!(row[name].as_f64().unwrap() > 0.0, "{name} of {row}");
        }
        let list = row["mode"] == "list";
        for name in ["playouts_per_s", "mean_plies", "mean_moves"] {
            assert_eq!(row[name].is_number(), list, "{name} of {row}");
        }
        assert_eq!(row.as_object().unwrap().len(), 20);
        // `auto` is resolved to what ran.
        assert!(
            row["asked"] == "auto" && ["interpreter", "native"].contains(&row["engine"].as_str().unwrap()),
            "{row}"
        );
        assert!(row["warm_up_ms"].as_f64() > row["startup_ms"].as_f64(), "{row}");
    }
    assert!(rows[2]["mean_plies"].as_f64().unwrap() > 5.0);
    let all =
        ["bench", &game("rg/ticTacToe.rg"), "--seconds", "0.02", "--json", "--engine", "all", "--mode", "visit,list"];
    let rows = json_lines(&rgc(all).success());
    let engines = Engine::ALL.iter().map(|(name, _)| *name).filter(|name| *name != "auto");
    let expected: Vec<[&str; 2]> = engines.flat_map(|name| [[name, "visit"], [name, "list"]]).collect();
    let found: Vec<[&str; 2]> =
        rows.iter().map(|row| ["engine", "mode"].map(|name| row[name].as_str().unwrap())).collect();
    assert_eq!(found, expected);
    let run = rgc(["bench", &game("rg/race.rg"), "missing.rg", "--seconds", "0.01"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("race") && run.stderr.contains("IO301"));
}

#[test]
fn formatting() {
    let scratch = Scratch::new("fmt");
    let ugly = "type   Player={a,b};// players\ntype Score = {0};\nbegin,x:player=a;x , end: player=keeper;\n";
    let file = scratch.path("game.rg");
    fs::write(&file, ugly).unwrap();
    let run = rgc(["fmt", "--check", &file]);
    assert_eq!((run.code, run.stdout.trim()), (1, file.as_str()));
    assert_eq!(fs::read_to_string(&file).unwrap(), ugly);
    assert_eq!(rgc(["fmt", &file]).success(), format!("formatted {file} (4 lines)\n"));
    let formatted = fs::read_to_string(&file).unwrap();
    assert!(formatted != ugly && formatted.contains("// players"), "{formatted}");
    assert_eq!(rgc(["fmt", "--check", &file]).success(), "");
    assert_eq!(rgc_with_input(["fmt", "-"], ugly).success(), formatted);
    assert_eq!(fs::read_dir(scratch.folder()).unwrap().count(), 1, "no temporary files are left");
    fs::write(&file, "type Player = ;").unwrap();
    assert_eq!(rgc(["fmt", &file]).code, 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "type Player = ;");
}

#[test]
fn the_library_is_formatted() {
    for (name, _) in PERFT {
        let run = rgc(["fmt", "--check", &game(name)]);
        assert_eq!(run.code, 0, "{name} is not formatted: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn findings_in_all_formats() {
    let wrong = "type Player = {a, b};\ntype Score = {0};\nvar v: Plyer = a;\nbegin, end: player = keeper;\n";
    let run = rgc_with_input(["check", "-", "--color", "never"], wrong);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("error[RG001]") && run.stderr.contains("<stdin>:3:"), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `Player`?"), "{}", run.stderr);
    assert!(!run.stderr.contains('\u{1b}'));
    let run = rgc_with_input(["check", "-", "--color", "always"], wrong);
    assert!(run.stderr.contains('\u{1b}'));
    let run = rgc_with_input(["check", "-", "--message-format", "json"], wrong);
    let findings = json_lines(&run.stderr);
    let error = findings.iter().find(|finding| finding["code"] == "RG001").unwrap();
    assert_eq!(error["spans"][0]["line"], 3);
    let run = rgc_with_input(["check", "-", "--message-format", "short"], wrong);
    assert!(run.stderr.starts_with("<stdin>:"), "{}", run.stderr);
}

/// After `t`, `a` may or may not go on, silently; who stops has won.
const AMBIGUOUS: &str = "\
type Player = { a };
type Score = { 0, 1 };
begin, m: player = a;
m, n: $ t;
n, m: player = a;
n, o: goals[a] = 1;
o, end: player = keeper;
m, s: $ s;
s, end: player = keeper;
";

#[test]
fn ambiguous_games() {
    let scratch = Scratch::new("ambiguous");
    let file = scratch.path("ambiguous.rg");
    fs::write(&file, AMBIGUOUS).unwrap();
    let run = rgc(["moves", &file]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("RT202") && run.stderr.contains("--ambiguous split"), "{}", run.stderr);
    for (engine, _) in Engine::ALL {
        let with = |arguments: &[&str]| rgc([arguments, &["--ambiguous", "split", "--engine", engine]].concat());
        let listed = with(&["moves", &file, "--json"]).success();
        let moves: Vec<String> =
            json_lines(&listed)[0]["moves"].as_array().unwrap().iter().map(|entry| entry["move"].to_string()).collect();
        assert_eq!(moves, ["\"s\"", "\"t #1\"", "\"t #2\""]);
        let listed = with(&["moves", &file, "--play", "t #1; t #2"]).success();
        assert!(listed.contains("the game is over; scores: a 1"), "{listed}");
        let listed = with(&["moves", &file, "--play", "t #1; t #1"]).success();
        assert!(listed.contains("3 legal moves") && listed.contains("  3. t #2\n"), "{listed}");
        for (play, what) in [
            ("t", "`t` is ambiguous: it is one of `t #1` to `t #2`"),
            ("t #3", "`t` has outcomes #1 to #2, there is no #3"),
            ("s #1", "`s` leads to one position only"),
            ("u #1", "`u` is not a legal move"),
        ] {
            let run = with(&["moves", &file, "--play", play]);
            assert_eq!(run.code, 1);
            assert!(run.stderr.contains(what), "{play}: {}", run.stderr);
        }
        let counts: Vec<_> = json_lines(&with(&["perft", &file, "3", "--json"]).success())
            .iter()
            .map(|row| row["leaves"].as_u64().unwrap())
            .collect();
        assert_eq!(counts, [3, 3, 3]);
        let shares = with(&["perft", &file, "2", "--divide"]).success();
        assert!(shares.contains("t #1") && shares.contains("t #2"), "{shares}");
        let trace = json_lines(&with(&["trace", &file, "--seed", "2"]).success());
        assert_eq!((&trace[0]["move"], &trace[1]["scores"]["a"]), (&"t #2".into(), &1.into()), "{trace:?}");
        assert_eq!(with(&["bench", &file, "--seconds", "0.01", "--json"]).code, 0);
    }
}

/// The longest play of tic-tac-toe has nine moves: nothing is counted behind the first depth without plays.
#[test]
fn perft_ends_with_the_longest_play() {
    let rows = rgc(["perft", "ticTacToe.rbg", "1000", "--json"]).success();
    assert_eq!(rows.lines().count(), 10, "{rows}");
    assert!(rows.trim_end().lines().last().is_some_and(|row| row.contains("\"leaves\":0")), "{rows}");
}

/// Outcomes of chance that only differ in what nobody reads again are two states, at every level of optimisation.
#[test]
fn perft_counts_outcomes_of_chance_at_every_level() {
    let rules = "type Player = { a };\ntype Score = { 0 };\ntype Side = { up, down };\nvar side: Side = up;\n\
                 begin, throw: player = random; throw, one: $ one; throw, two: $ two; one, on: side = down; two, on: ;\n\
                 on, choose: player = a; choose, done: $ done; done, end: player = keeper;";
    for level in ["0", "1", "2", "3"] {
        for unique in [&[][..], &["--unique"], &["--unique", "--engine", "backtracking"]] {
            let arguments = ["perft", "-", "2", "--from", "rg", "--json", "-O", level];
            let count = rgc_with_input([&arguments, unique].concat(), rules).success();
            let leaves: Vec<u64> = json_lines(&count).iter().map(|row| row["leaves"].as_u64().unwrap()).collect();
            assert_eq!(leaves, [2, 2], "-O{level} {unique:?}: {count}");
        }
    }
}

/// Two ways round a corner are two moves to one place.
#[test]
fn perft_counts_positions() {
    let rules = "#players = one(1)\n#pieces = none, man\n#variables =\n\
                 #board = a[man]{right:b, down:c} b[none]{down:d} c[none]{right:d} d[none]{}\n\
                 #rules = ->one ([none] (right . [none] down + down [none] right) [man] + [none] right [man]) ->> ->one [none] [man] ->> {}\n";
    let count = |more: &[&str]| {
        let run = rgc_with_input([&["perft", "-", "2", "--from", "rbg", "--json"], more].concat(), rules).success();
        json_lines(&run).iter().map(|row| row["leaves"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(count(&[]), [3, 3]);
    assert_eq!(count(&["--unique"]), [2, 2]);
    let divided = rgc_with_input(["perft", "-", "1", "--from", "rbg", "--unique", "--divide"], rules).success();
    assert!(divided.lines().count() == 4 && divided.lines().last().unwrap().ends_with(" 2"), "{divided}");
}

/// What machine code takes to compile does not count as counting.
#[test]
fn perft_reports_compilation_apart() {
    let rows = |engine: &str| json_lines(&rgc(["perft", "ticTacToe.rg", "2", "--engine", engine, "--json"]).output());
    assert!(rows("auto").iter().all(|row| row["prepare_seconds"].is_null()));
    for row in rows("native").iter().filter(|row| row["engine"] == "native") {
        assert!(row["prepare_seconds"].as_f64().unwrap() > row["seconds"].as_f64().unwrap(), "{row}");
    }
}
