//! `rgc protocol-test`: programs that keep the protocol for bots, and programs that break each of its rules.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)] // a test stops at the first surprise

use crate::support::{Scratch, json_lines, rgc};
use std::fs;
use std::process::{Command, Stdio};

/// The example in the documentation keeps every rule, in all games, and plays alike with the same seed.
#[test]
fn the_bot_of_the_documentation_keeps_the_protocol() {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no python3");
        return;
    }
    let scratch = Scratch::new("protocol");
    let bot = scratch.path("bot.py");
    let page = include_str!("../../../docs/playing.md");
    fs::write(&bot, page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap()).unwrap();
    let said = rgc(["protocol-test", &format!("python3 {bot}")]).success();
    assert!(said.lines().all(|line| line.starts_with("ok ")), "{said}");
    for rule in
        ["answers `start`", "plays ticTacToe as noughts", "plays kuhnPoker as", "from a `position`", "its input ends"]
    {
        assert!(said.contains(rule), "{rule}: {said}");
    }
    let rows =
        json_lines(&rgc(["protocol-test", &format!("cmd:python3 {bot},5s"), "--game", "nim.rbg", "--json"]).success());
    assert!(rows.len() == 9 && rows.iter().all(|row| row["verdict"] == "ok"), "{rows:?}");
}

/// Each of these programs in the shell breaks one rule, which is named, and keeps those before it.
#[test]
#[cfg(unix)]
fn what_is_broken_is_said() {
    let scratch = Scratch::new("breaks");
    for (script, rule, how) in [
        ("exit 3", "answers `start` with `ready`", "it ended (exit status: 3)"),
        (
            "read -r x; echo hello; cat > /dev/null",
            "answers `start` with `ready`",
            "it wrote `hello` where `ready` was expected",
        ),
        (
            "while read -r x; do case $x in *start*) echo ready; echo more ;; *move*) echo 1. ;; esac; done",
            "writes nothing unless it is asked",
            "it wrote `more` without being asked",
        ),
        (
            "while read -r x; do case $x in *start*) echo ready ;; *end*) exit ;; *moves*) echo 1. ;; esac; done",
            "takes an `end` without moves",
            "it ended (exit status: 0)",
        ),
        (
            "while read -r x; do case $x in *start*) echo ready ;; *end*) ;; *) echo 1. ;; esac; done",
            "ignores messages and members that it does not know",
            "",
        ),
        (
            "while read -r x; do case $x in *start*) echo ready ;; *moves*) echo z9 ;; esac; done",
            "plays ticTacToe as x",
            "its move cannot be made",
        ),
        (
            "while read -r x; do case $x in *start*) echo ready ;; *moves*) echo 1. ;; esac; done; sleep 5",
            "ends when its input ends",
            "it still runs",
        ),
    ] {
        let bot = scratch.path("bot.sh");
        fs::write(&bot, script).unwrap();
        let run = rgc(["protocol-test", &format!("sh {bot},2s"), "--game", "ticTacToe.rg"]);
        let failed = run.stdout.lines().find(|line| line.starts_with("FAILED"));
        assert!(
            run.code == 1
                && run.stderr.contains("IO401")
                && failed.is_some_and(|it| it.contains(rule) && it.contains(how)),
            "{script}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    let refused = rgc(["protocol-test", "'a"]);
    assert!(refused.code == 2 && refused.stderr.contains("is not closed"), "{}", refused.stderr);
    let missing = rgc(["protocol-test", "./nowhere", "--game", "ticTacToe.rg"]);
    assert!(missing.code == 1 && missing.stdout.contains("was not found"), "{}{}", missing.stdout, missing.stderr);
}
