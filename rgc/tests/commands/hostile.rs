//! Input that nobody means well: every command must answer with a clear error, in bounded time and memory.

use crate::support::{Scratch, game, rgc, rgc_with_input};
use std::fs::{self, File};

/// The commands that read a game, with the arguments behind the file's name.
const COMMANDS: [(&str, &[&str]); 10] = [
    ("check", &[]),
    ("translate", &[]),
    ("fmt", &["--check"]),
    ("moves", &[]),
    ("perft", &["2"]),
    ("trace", &[]),
    ("bench", &["--seconds", "0.01"]),
    ("audit", &["--playouts", "2", "--positions", "2"]),
    ("stats", &[]),
    ("graph", &[]),
];

/// Every command fails on the file with the given code, and says nothing else.
fn all_commands_fail(file: &str, code: &str, message: &str) {
    commands_fail(&COMMANDS, file, code, message);
}

/// As [`all_commands_fail`], for some of them.
fn commands_fail(commands: &[(&str, &[&str])], file: &str, code: &str, message: &str) {
    for (command, more) in commands {
        let run = rgc([&[*command, file], *more].concat());
        assert_eq!(run.code, 1, "{command} {file}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("error[{code}]")), "{command} {file}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{command} {file}: {}", run.stderr);
        assert!(run.stderr.len() < 10_000, "{command} {file}: {} bytes", run.stderr.len());
    }
}

#[test]
fn files_that_are_no_games() {
    let scratch = Scratch::new("hostile");
    fs::write(scratch.path("game.rg"), "type Player = {a};").unwrap();
    all_commands_fail(&scratch.path("gane.rg"), "IO301", "did you mean `game.rg`?");
    // For some commands a folder stands for the games in it.
    let several = |command: &str| ["check", "fmt", "perft", "bench", "audit", "stats"].contains(&command);
    let (some, others): (Vec<_>, Vec<_>) = COMMANDS.into_iter().partition(|(command, _)| several(command));
    commands_fail(&others, scratch.folder(), "IO302", "is a folder");
    fs::create_dir(scratch.path("folder")).unwrap();
    commands_fail(&some, &scratch.path("folder"), "IO365", "there is no game in the folder");
    let empty = scratch.path("empty.rbg");
    fs::write(&empty, " \n\t\n").unwrap();
    all_commands_fail(&empty, "IO306", "is empty");
    let binary = scratch.path("binary.rbg");
    fs::write(&binary, [0x7f, b'E', b'L', b'F', 2, 1, 0, 0, 0, 255]).unwrap();
    all_commands_fail(&binary, "IO305", "is a binary file");
    let latin = scratch.path("latin.rg");
    fs::write(&latin, b"// \xfcber\n").unwrap();
    all_commands_fail(&latin, "IO305", "is not UTF-8 text: line 1 has an invalid byte at offset 3");
    let unknown = scratch.path("game.txt");
    fs::write(&unknown, "type Player = {a};").unwrap();
    all_commands_fail(&unknown, "IO307", "does not belong to any language");
    let run = rgc_with_input(["check", "-"], "hello world");
    assert!(run.code == 1 && run.stderr.contains("IO308"), "{}", run.stderr);
}

#[test]
fn translations_have_a_limit() {
    let scratch = Scratch::new("limit");
    let file = scratch.path("counter.kif");
    let bits: String = (0..24).map(|n| format!("(bit ?x{n}) ")).collect();
    let arguments: String = (0..24).map(|n| format!("?x{n} ")).collect();
    let turned: String = (0..24).map(|n| format!("?x{} ", (n + 1) % 24)).collect();
    let sheet = format!(
        "(role a) (bit 0) (bit 1) (init s) (base s) (input a b) (<= (word {arguments}) {bits})\
         (<= (word {turned}) (word {arguments})) (<= (legal a (set {arguments})) (word {arguments}))\
         (<= terminal (not (true s))) (goal a 100)"
    );
    fs::write(&file, sheet).unwrap();
    let run = rgc(["perft", &file, "1", "--limit", "1"]);
    assert_eq!(run.code, 1);
    // Which comes first depends on the machine: the bound of grounding, or that of all preparation.
    let grounding = "error[GDL661]: the description does not ground within";
    let all = "error[IO357]: the game is not prepared within 1 second of CPU time";
    assert!(run.stderr.contains(grounding) || run.stderr.contains(all), "{}", run.stderr);
    // Bounds are for each game: what is counted beside it neither shares its time nor ends with it.
    let run = rgc(["perft", &file, "race", "1", "--limit", "1", "--json", "--jobs", "2"]);
    assert!(run.code == 1 && run.stdout.starts_with("{\"file\":\"race\",\"depth\":1,\"leaves\":2,"), "{}", run.stdout);
}

#[test]
fn rule_sheets_in_latin_1() {
    let scratch = Scratch::new("latin");
    let file = scratch.path("sheet.kif");
    fs::write(&file, b"; \xfcber\r\n(role a) (legal a b) terminal (goal a 100) (init x) (base x) (input a b)\n")
        .unwrap();
    assert_eq!(rgc(["check", &file]).code, 0);
    fs::write(&file, b"(role \xfcber)").unwrap();
    let run = rgc(["check", &file]);
    assert!(run.stderr.contains("character `\u{fc}` is not allowed"), "{}", run.stderr);
}

#[test]
fn files_beyond_the_size_limit() {
    let scratch = Scratch::new("large");
    let file = scratch.path("large.rbg");
    File::create(&file).unwrap().set_len(100_000_000).unwrap();
    all_commands_fail(&file, "IO304", "is larger than 64 MiB");
    let run = rgc_with_input(["check", "-", "--from", "rg"], &"x".repeat(100_000_000));
    assert!(run.code == 1 && run.stderr.contains("IO304"), "{}", run.stderr);
}

#[test]
fn one_very_long_line() {
    let texts = ["x", "[", "x, y: ;", "#a = b ", "{\"a\":", "é€ "];
    // Many short words: whatever looks for the end of the line at every word takes minutes.
    let short = ["O", "<x ", "(a) ", "|P| "];
    let all = ["rg", "rbg", "json"].into_iter().flat_map(|language| texts.map(|text| (language, text)));
    for (language, text) in all.chain(short.map(|text| ("sbg", text))) {
        let line = text.repeat(400_000 / text.len());
        let run = rgc_with_input(["check", "-", "--from", language, "--limit", "10"], &line);
        assert_eq!(run.code, 1, "{language} {text}: {}", run.stderr);
        assert!(run.stderr.len() < 200_000, "{language} {text}: {} bytes", run.stderr.len());
        let is_late = ["IO357", "IO358"].iter().any(|code| run.stderr.contains(&format!("error[{code}]")));
        assert!(!is_late, "{language} {text}: {}", run.stderr);
    }
}

#[test]
fn deep_nesting() {
    let depth = 100_000;
    let nested =
        |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
    let rg = "type Player = {a}; type Score = {0};\n";
    let rbg = "#players = a(1), b(1) #pieces = e #variables = #board = rectangle(u,d,l,r,[e,e]) #rules = ->a ";
    for (language, text) in [
        ("rg", format!("{rg}var v: Score = {};", nested("{:", "0", "}"))),
        ("rg", format!("{rg}begin, end: {} == 0;", nested("x[", "x", "]"))),
        ("rg", format!("{rg}begin, end: {} == 0;", nested("T(", "x", ")"))),
        ("rg", format!("{rg}type T = {}Score;", "Score -> ".repeat(depth))),
        ("rg", format!("{rg}begin, end: x{} == 0;", "[x]".repeat(depth))),
        ("rg", format!("{rg}{}", "{".repeat(depth))),
        ("rbg", format!("{rbg}{}", nested("(", "u", ")"))),
        ("rbg", format!("{rbg}{}", nested("{? ", "u", "}"))),
        ("rbg", format!("{rbg}{}", nested("(", "u", ")*"))),
        ("rbg", format!("{rbg}[$ a = {}]", nested("(", "1", ")"))),
        ("rbg", format!("{rbg}{}", "(".repeat(depth))),
        ("json", nested("[", "", "]")),
        ("json", nested("{\"a\":", "0", "}")),
    ] {
        let run = rgc_with_input(["check", "-", "--from", language], &text);
        let head: String = text.chars().take(120).collect();
        assert_eq!(run.code, 1, "{language} {head}: {}", run.stderr);
        assert!(run.stderr.contains("error["), "{language} {head}: {}", run.stderr);
        assert!(run.stderr.len() < 100_000, "{language} {head}: {} bytes", run.stderr.len());
    }
    // Macro calls in the arguments of macro calls are not nested once they are expanded.
    let run = rgc_with_input(["check", "-"], &format!("#m(x) = x {rbg}{}", nested("m(", "u", ")")));
    assert!(run.code <= 1, "{}", run.stderr);
}

#[test]
fn files_of_another_kind() {
    let scratch = Scratch::new("another");
    let (position, record, folder) = (scratch.path("position.json"), scratch.path("record.jsonl"), scratch.folder());
    fs::write(&position, rgc(["moves", "ticTacToe", "--json"]).stdout).unwrap();
    assert_eq!(rgc(["match", "race", "--players", "random", "--games", "1", "--record", &record]).code, 0);
    let (rbg, kif) = (scratch.path("game.hrg"), scratch.path("game.rg"));
    fs::copy(game("rbg/ticTacToe.rbg"), &rbg).unwrap();
    fs::copy(game("gdl/ticTacToe.gdl"), &kif).unwrap();
    let cases: [(&[&str], &str, &str); 16] = [
        (&["check", &rbg], "HRG401", "the text begins like Regular Boardgames (RBG); `--from rbg` reads it as that"),
        (&["fmt", "--check", &rbg], "HRG401", "`--from rbg` reads it as that"),
        (&["check", &kif], "RG0", "`--from gdl` reads it as that"),
        (&["check", &kif], "RG0", "more findings of this reading are left out"),
        (&["check", &position], "RG060", "with `--position`"),
        (&["check", "--from", "json", &record], "RG060", "which `rgc replay` reads"),
        (&["moves", &record], "IO307", "`rgc replay` reads records of games"),
        (&["moves", "ticTacToe", "--position", folder], "IO302", "a file with a position is expected"),
        (&["replay", folder], "IO302", "a file with a record of games is expected"),
        (&["replay", "/nonexistent"], "IO301", "no such file; a file with a record of games is expected"),
        (&["replay", "race"], "IO301", "`race` is a bundled game; a file with a record of games is expected"),
        (&["match", "race", "--players", "random", "--opening", folder], "IO380", "is a folder"),
        (&["bench", "race", "--compare", folder], "IO302", "a file with a run of `rgc bench --json` is expected"),
        (&["bench", "race", "--compare", &rbg], "IO336", "game.hrg:1:1"),
        (&["man", &rbg], "IO309", "this is a file; the name of a folder is expected"),
        (&["optimize", "race", &format!("--dump-passes={rbg}/x")], "IO309", "game.hrg` is a file, not a folder"),
    ];
    for (arguments, code, message) in cases {
        let run = rgc(arguments);
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("error[{code}")), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(rgc(["explain", ""]).code, 2);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = crate::support::command(["translate", &game("rbg/breakthrough.rbg"), "--to", "json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn results_that_cannot_be_written() {
    let run = rgc(["translate", &game("rg/race.rg"), "-o", "/nonexistent/folder/out.rg"]);
    assert!(run.code == 1 && run.stderr.contains("IO309"), "{}", run.stderr);
}

#[test]
fn games_that_run_wild() {
    let start = "type Player = {a, b}; type Score = {0, 1}; var v: Score = 0;\n";
    for (rules, code) in [
        ("begin, p: player = a; p, q: v == 1; q, end: player = keeper;", "RT201"),
        (
            "begin, p: player = a; p, x: $ t; p, y: $ t; x, end: player = keeper; y, z: goals[a] = 1; z, end: player = keeper;",
            "RT202",
        ),
        ("begin, p: player = keeper; p, p: player = keeper; p, end: v == 1;", "RT20"),
        ("begin, p: player = a; p, q: ? p -> q; q, end: player = keeper;", "RT204"),
    ] {
        // What nobody can observe may be optimised away, and errors with it.
        let run = rgc_with_input(["perft", "-", "3", "-O0"], &format!("{start}{rules}"));
        assert_eq!(run.code, 1, "{rules}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(code), "{rules}: {}", run.stderr);
    }
}

#[test]
fn a_keeper_with_a_choice() {
    let rules = "type Player = {a, b}; type Score = {0, 1};\n\
        begin, p: player = keeper; p, q: $ s; p, q: $ t; q, end: player = keeper;";
    for arguments in [&["moves", "-"][..], &["perft", "-", "3"], &["trace", "-"], &["moves", "-", "--engine", "naive"]]
    {
        let run = rgc_with_input(arguments, rules);
        assert_eq!(run.code, 1, "{arguments:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains("the keeper has a choice between 2 moves"), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn tables_beyond_the_limit() {
    let rules = format!(
        "type Player = {{a, b}}; type Score = {{0, 1}}; type T = {{0, 1, 2, 3}};\n\
         var m: {}T = {}0{};\nbegin, p: player = a; p, end: player = keeper;",
        "T -> ".repeat(20),
        "{:".repeat(20),
        "}".repeat(20)
    );
    let run = rgc_with_input(["perft", "-", "3", "-O0"], &rules);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("`m`: its table would have more than 16777216 entries"), "{}", run.stderr);
}
