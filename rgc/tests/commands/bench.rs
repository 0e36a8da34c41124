//! `rgc bench`: reports and comparisons. How fast anything is cannot be tested.

use crate::support::{Scratch, game, json_lines, rgc, rgc_with_input};
use std::fs;

const SHORT: [&str; 4] = ["--seconds", "0.03", "--mode", "list"];

#[test]
fn figures_are_medians_of_runs() {
    let file = game("rg/race.rg");
    for runs in ["1", "3"] {
        let rows = json_lines(&rgc([&["bench", &file, "--json", "--runs", runs][..], &SHORT].concat()).success());
        let row = &rows[0];
        let [least, greatest] = [0, 1].map(|end| row["spread"][end].as_f64().unwrap());
        let median = row["playouts_per_s"].as_f64().unwrap();
        assert!(least <= median && median <= greatest, "{row}");
        assert_eq!((row["runs"].to_string().as_str(), least == greatest), (runs, runs == "1"), "{row}");
        let parts = ["read_ms", "optimise_ms", "build_ms"].map(|part| row[part].as_f64().unwrap());
        assert!((parts.iter().sum::<f64>() - row["startup_ms"].as_f64().unwrap()).abs() < 1e-9, "{row}");
        assert!(row["peak_bytes"].as_u64().is_none_or(|bytes| bytes > 1 << 20), "{row}");
    }
    // From standard input, which can be read only once.
    let text = fs::read_to_string(&file).unwrap();
    for more in ["--engine=all", "--startup"] {
        let run = rgc_with_input(["bench", "-", "--from", "rg", "--seconds", "0.03", more], &text);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("\nstdin  ") || more == "--startup", "the name is not cut: {}", run.stdout);
    }
}

/// Where measuring is over before there is machine code, this is said; not where another engine was asked for.
#[test]
fn machine_code_that_comes_too_late_is_said_to() {
    let file = game("rbg/chess.rbg");
    let short = |more: &[&str]| {
        let arguments = ["bench", &file, "--mode", "list", "--runs", "1", "--seconds", "0.001"];
        rgc([&arguments[..], more].concat()).success()
    };
    for form in [&[][..], &["--markdown"]] {
        let said = short(form);
        // A fast machine may be in time.
        assert_eq!(said.contains("interpreter"), said.contains("machine code was not ready"), "{said}");
    }
    let asked = short(&["--engine", "interpreter"]);
    assert!(asked.contains("interpreter") && !asked.contains("not ready"), "{asked}");
}

#[test]
fn twins_are_compared_with_the_first() {
    let (first, second) = (game("gdl/ticTacToe.gdl"), game("rbg/ticTacToe.rbg"));
    let arguments = [&["bench", &first, &second, "--relative"][..], &SHORT].concat();
    let rows = json_lines(&rgc([&arguments[..], &["--json"]].concat()).success());
    assert_eq!(rows[0]["ratio_to_first"], 1.0, "{rows:?}");
    let [own, base] = [1, 0].map(|row: usize| rows[row]["playouts_per_s"].as_f64().unwrap());
    assert!((rows[1]["ratio_to_first"].as_f64().unwrap() - own / base).abs() < 1e-9, "{rows:?}");
    let table = rgc(&arguments).success();
    assert!(
        table.contains("ticTacToe (gdl)") && table.contains("ticTacToe (rbg)") && table.contains("to first"),
        "{table}"
    );
    // A first game that is not there is nothing to compare with.
    let run = rgc([&["bench", "missing.rg", &second, "--relative", "--json"][..], &SHORT].concat());
    assert!(run.code == 1 && json_lines(&run.stdout)[0]["ratio_to_first"].is_null(), "{}", run.stdout);
}

#[test]
fn runs_are_compared_with_earlier_ones() {
    let scratch = Scratch::new("bench-compare");
    let (file, earlier) = (game("rg/race.rg"), scratch.path("earlier.json"));
    let compared = |text: &str| {
        fs::write(&earlier, text).unwrap();
        rgc([&["bench", &file, "--json", "--compare", &earlier][..], &SHORT].concat())
    };
    // As older versions wrote it: without language and spread.
    let slow =
        r#"{"game":"race","engine":"auto","mode":"list","playouts_per_s":2.0,"states_per_s":9.0,"state_bytes":1}"#;
    let row = json_lines(&compared(slow).success()).remove(0);
    let ratio = row["ratio_to_earlier"].as_f64().unwrap();
    assert!(
        (ratio - row["playouts_per_s"].as_f64().unwrap() / 2.0).abs() < 1e-6 && row["beyond_spread"] == true,
        "{row}"
    );
    // Runs that overlap, and something else that was measured.
    let wide = slow.replace("}", r#","spread":[0.0,1e15],"language":"rg"}"#);
    assert_eq!(json_lines(&compared(&wide).success())[0]["beyond_spread"], false);
    for other in [slow.replace("race", "chess"), slow.replace("list", "bulk"), wide.replace("\"rg\"", "\"hrg\"")] {
        assert!(json_lines(&compared(&other).success())[0]["ratio_to_earlier"].is_null(), "{other}");
    }
    let text = rgc([&["bench", &file, "--compare", &earlier][..], &SHORT].concat()).success();
    assert!(text.contains("to earlier") && text.contains("1 not in the earlier run"), "{text}");
    for (foreign, code) in [
        ("type Player = {a};", "IO336"),
        ("{}", "IO336"),
        ("[1,2]", "IO336"),
        (&slow.replace("2.0", "-2.0"), "IO336"),
        (&slow.replace("2.0", "1e999"), "IO336"),
        (&slow.replace("2.0", "\"x\""), "IO336"),
        ("", "IO306"),
        ("\0", "IO305"),
    ] {
        let run = compared(foreign);
        assert!(run.code == 1 && run.stderr.contains(code) && run.stdout.is_empty(), "{foreign}: {}", run.stderr);
    }
}

#[test]
fn reports_in_markdown() {
    let files = [game("rg/race.rg"), game("rg/ticTacToe.rg")];
    let arguments = ["bench", &files[0], &files[1], "--markdown", "--engine", "all", "--seconds", "0.03"];
    let text = rgc(arguments).success();
    let tables: Vec<&str> = text.lines().filter(|line| line.starts_with("| --- |")).collect();
    assert_eq!(tables.len(), 3, "one for each mode, one for what the games need: {text}");
    assert!(text.starts_with("# Benchmark\n") && text.contains("## Mode `bulk`: states/s"), "{text}");
    // Every row of a table has as many cells as its header.
    for table in text.split("\n\n").filter(|part| part.starts_with('|')) {
        let cells: Vec<usize> = table.lines().map(|line| line.matches('|').count()).collect();
        assert!(cells.windows(2).all(|pair| pair[0] == pair[1]), "{table}");
    }
}

/// Tables fit a terminal of 80 columns, whatever games are called, and are written line by line.
#[test]
fn tables_fit_80_columns() {
    let scratch = Scratch::new("bench-width");
    let text = fs::read_to_string(game("rg/race.rg")).unwrap();
    let long = scratch.path(&format!("{}.rg", "race".repeat(20)));
    fs::write(&long, &text).unwrap();
    fs::write(scratch.path("short.rg"), &text).unwrap();
    let earlier = scratch.path("earlier.json");
    fs::write(&earlier, rgc([&["bench", &long, "--json"][..], &SHORT].concat()).success()).unwrap();
    for more in [&["--engine", "all"][..], &["--relative", "--compare", &earlier], &["--engine", "backtracking"]] {
        let text = rgc([&["bench", scratch.folder()][..], &SHORT, more].concat()).success();
        let too_long = text.lines().find(|line| line.chars().count() > 80 && !line.starts_with("against"));
        assert_eq!(too_long, None, "{more:?}");
        assert!(text.contains("warm-up\n") && text.ends_with("\n2 files: 2 measured\n"), "{text}");
        assert!(text.contains("…  ") && text.contains("\nshort  "), "{text}");
    }
    let text = rgc([&["bench", &scratch.path("short.rg")][..], &SHORT].concat()).success();
    assert!(text.starts_with("game   engine        mode   playouts/s       states/s  min–max %\nshort "), "{text}");
    assert!(!text.contains("file"), "{text}");
    fs::write(scratch.path("wrong.rg"), "type").unwrap();
    let run = rgc([&["bench", &scratch.path("*.rg")][..], &SHORT].concat());
    assert!(run.code == 1 && run.stdout.ends_with("\n3 files: 2 measured, 1 with errors\n"), "{}", run.stdout);
}
