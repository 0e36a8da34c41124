//! Names and texts that are awkward to show, misspelt words, and options that are no numbers.

use crate::support::{Scratch, rgc, rgc_with_input};
use std::fs;

const RG: &str = "type Player = { a };\ntype Score = { 0 };\n";

/// What a terminal would obey is written as an escape.
#[cfg(unix)]
#[test]
fn file_names_with_control_characters() {
    let scratch = Scratch::new("control");
    for name in ["red\u{1b}[31m.rg", "two\nlines.rg", "bell\u{7}.rg"] {
        let path = scratch.path(name);
        let missing = rgc(["check", &path]);
        assert!(missing.code == 1 && !missing.stderr.contains(['\u{1b}', '\u{7}']), "{:?}", missing.stderr);
        fs::write(&path, format!("{RG}begin, p: player = b; p, end: player = keeper;")).unwrap();
        let run = rgc(["check", &path, "--message-format", "short"]);
        assert!(run.code == 1 && !run.stderr.contains(['\u{1b}', '\u{7}']), "{:?}", run.stderr);
        assert!(run.stderr.lines().next().unwrap().contains(".rg:3:20: error[RG017]"), "{:?}", run.stderr);
        let long = rgc(["check", &path]);
        assert!(!long.stderr.contains(['\u{1b}', '\u{7}']), "{:?}", long.stderr);
    }
}

/// Lines that end in CR LF look like all others.
#[test]
fn line_ends_of_other_systems_leave_no_mark() {
    let text = format!("{RG}begin, p: player = b;\np, end: player = keeper;\n");
    let dos = text.replace('\n', "\r\n");
    let shown = |text: &str| {
        let run = rgc_with_input(["check", "-", "--from", "rg"], text);
        run.stderr.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(shown(&dos), shown(&text));
}

#[test]
fn long_names_are_cut() {
    let name = "x".repeat(1_000_000);
    let text = format!("{RG}begin, p: player = {name};\np, end: player = keeper;\n");
    for format in ["human", "short", "json"] {
        let run = rgc_with_input(["check", "-", "--from", "rg", "--message-format", format], &text);
        assert!(run.code == 1 && run.stderr.contains("xxx…`"), "{format}");
        assert!(run.stderr.len() < 3_000, "{format}: {} bytes", run.stderr.len());
    }
}

/// Misspelt names of all kinds, in texts that are right but for them, and what they are taken for.
#[test]
fn misspelt_words_are_recognised() {
    let rbg = "#players = red(1)\n#pieces = none, black\n#variables =\n#board = rectangle(up,down,left,right,[none,black])\n\
               #anywhere = (left + right)\n#go(direction) = direction\n#rules = ->red go(right) {black} [none] ->>\n";
    let rg = "type Player = { a };\ntype Score = { 0 };\nvar v: Score = 0;\nbegin, p: player = a;\np, end: player = keeper;\n";
    let hrg = fs::read_to_string(crate::support::game("hrg/ticTacToe.hrg")).unwrap();
    let sbg = fs::read_to_string(crate::support::game("sbg/breakthrough.sbg")).unwrap();
    let gdl = "(role red)\n(init (cell 1 blank))\n(shut 2)\n\
               (<= (legal ?player (mark ?n)) (role ?player) (true (cell ?n blank)) (not (shut ?n)) (not (seen ?player)))\n\
               (<= (seen ?r) (true (cell 1 ?r)))\n(<= (next (cell ?n ?r)) (does ?r (mark ?n)))\n\
               (<= terminal (seen red))\n(goal red 100)\n";
    let table: &[(&str, &str, &str, &str, &str)] = &[
        ("gdl", gdl, "(seen ?player)", "(seen ?xlayer)", "did you mean `?player`?"),
        ("rbg", rbg, "{black}", "{blakc}", "did you mean `black`?"),
        ("rbg", rbg, "->red", "->rde", "did you mean `red`?"),
        ("rbg", rbg, "->red go", "->red anywere go", "did you mean `anywhere`?"),
        ("rbg", rbg, "= direction", "= direciton", "did you mean `direction`?"),
        ("rbg", rbg, "#players", "#playrs", "should the macro `#playrs` be called `#players`?"),
        ("rg", rg, "player = a", "palyer = a", "did you mean `player`?"),
        ("rg", rg, "= keeper", "= keepr", "did you mean `keeper`?"),
        ("rg", rg, "type Score", "tpye Score", "did you mean `type`?"),
        ("rg", rg, "var v", "vra v", "did you mean `var`?"),
        ("hrg", &hrg, "loop", "lopo", "did you mean `loop`?"),
        ("hrg", &hrg, "end()", "edn()", "did you mean `end`?"),
        ("hrg", &hrg, "check(", "chekc(", "did you mean `check`?"),
        ("hrg", &hrg, "player = me", "palyer = me", "did you mean `player`?"),
        ("hrg", &hrg, "domain", "domian", "did you mean `domain`?"),
        ("sbg", &sbg, "<PIECES>", "<PIECSE>", "did you mean `<PIECES>`?"),
    ];
    for (language, text, right, wrong, help) in table {
        assert!(text.contains(right), "{language}: {right}");
        let run = rgc_with_input(["check", "-", "--from", language], &text.replacen(right, wrong, 1));
        assert!(run.code == 1 && run.stderr.contains(help), "{language}, {wrong}: {}", run.stderr);
    }
    // Of two spellings, that which occurs more often is right.
    let rare = "(lin a)\n(lin b)\n(<= p (line a))\n(<= q (line b) p)\n(<= (r ?x) (line ?x) q)\n";
    let run = rgc_with_input(["check", "-", "--from", "gdl"], &(gdl.to_owned() + rare));
    assert!(run.stderr.contains("`lin` is defined and never used: is it meant to be `line`?"), "{}", run.stderr);
    // A value of a declaration is underlined, and nothing else of it.
    let run = rgc_with_input(["check", "-", "--from", "rg"], &rg.replace("v: Score = 0", "v: Score = nothing"));
    assert!(run.stderr.contains(":3:16\n") && run.stderr.contains(" ^^^^^^^\n"), "{}", run.stderr);
    // One letter is near to every other.
    let run = rgc_with_input(["check", "-", "--from", "rg"], &rg.replace("player = a", "player = b"));
    assert!(run.code == 1 && !run.stderr.contains("did you mean"), "{}", run.stderr);
}

#[test]
fn options_that_are_no_numbers() {
    for (arguments, message) in [
        (
            &["perft", "ticTacToe", "2", "--limit", "soon"][..],
            "`soon` is not a value for `--limit <SECONDS>`: a whole number is",
        ),
        (&["perft", "ticTacToe", "2", "--limit", "0"], "a whole number from 1 to 86400 is expected"),
        (
            &["trace", "ticTacToe", "--seed", "1.5"],
            "`1.5` is not a value for `--seed <SEED>`: a whole number is expected",
        ),
    ] {
        let run = rgc(arguments);
        assert!(run.code == 2 && run.stderr.contains(message), "{}", run.stderr);
    }
}
