//! What shells and `man` get: completion scripts and manual pages.

use crate::support::{Scratch, rgc};
use std::fs;
use std::process::Command;

/// The names of all commands, from the help.
fn commands() -> Vec<String> {
    let help = rgc(["--help"]).success();
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap().to_owned();
    let names = list
        .lines()
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_command_has_a_page() {
    let scratch = Scratch::new("man");
    let nested = rgc(["man", &scratch.path("new/man1")]);
    assert!(
        nested.code == 1 && nested.stderr.contains("there is no folder"),
        "a folder in one that is missing: {}",
        nested.stderr
    );
    let folder = scratch.path("man1");
    assert_eq!(rgc(["man", &folder]).success(), "");
    let mut pages: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    let mut expected: Vec<String> = commands().into_iter().map(|name| format!("rgc-{name}.1")).collect();
    expected.push("rgc.1".to_owned());
    expected.sort();
    assert_eq!(pages, expected);
    let main = fs::read_to_string(format!("{folder}/rgc.1")).unwrap();
    assert_eq!(rgc(["man"]).success(), main);
    for command in commands() {
        let name = command.replace('-', "\\-");
        assert!(main.contains(&format!("rgc\\-{name}(1)")), "{command} is not in the list");
        let page = fs::read_to_string(format!("{folder}/rgc-{command}.1")).unwrap();
        assert!(page.contains(".TH") && page.contains(&format!("rgc\\-{name} \\- ")), "{page}");
        assert!(!page.contains("PAGER") && page.contains("\nrgc(1)\n"), "{page}");
    }
    let perft = fs::read_to_string(format!("{folder}/rgc-perft.1")).unwrap();
    // Lines of examples stay lines.
    assert!(perft.contains(".nf\n") && perft.contains("\n  rgc perft chess.rbg 4\n"), "{perft}");
    let file = scratch.path("file");
    fs::write(&file, "").unwrap();
    let wrong = rgc(["man", &file]);
    assert!(wrong.code == 1 && wrong.stderr.contains("IO309"), "{}", wrong.stderr);
}

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = rgc(["completions", shell]).success();
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        assert!(script.contains("dump-passes"), "{shell}: options");
    }
    assert_eq!(rgc(["completions", "tcsh"]).code, 2);
}

/// Shells that are there read their script without complaint, and fish completes with it.
#[test]
fn shells_read_their_scripts() {
    let scratch = Scratch::new("shells");
    for shell in ["bash", "zsh", "fish"] {
        let file = scratch.path(&format!("rgc.{shell}"));
        fs::write(&file, rgc(["completions", shell]).success()).unwrap();
        let Ok(output) = Command::new(shell).args(["-n", &file]).env("HOME", scratch.folder()).output() else {
            println!("skipped: there is no {shell}");
            continue;
        };
        assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        if shell == "fish" {
            let code = format!("source {file}; complete -C 'rgc graph --to ht'");
            let output = Command::new(shell).args(["-c", &code]).env("HOME", scratch.folder()).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(said.starts_with("html\t"), "{said}");
            fs::write(scratch.path("connections.rg"), "").unwrap();
            for line in ["rgc play conn", "rgc replay x --game conn"] {
                let code = format!("source {file}; complete -C '{line}'");
                let mut fish = Command::new(shell);
                let output =
                    fish.args(["-c", &code]).env("HOME", scratch.folder()).current_dir(scratch.folder()).output();
                let said = String::from_utf8(output.unwrap().stdout).unwrap();
                assert!(
                    said.contains("connectFour\tBundled game") && said.contains("connections.rg"),
                    "{line}: {said}"
                );
            }
        }
    }
}

/// zsh has no way to be asked without a terminal: at least every place for a game is one.
#[test]
fn games_are_completed_in_zsh() {
    let script = rgc(["completions", "zsh"]).success();
    assert!(script.contains("_alternative 'games:bundled game:(") && script.contains(" connectFour "), "{script}");
    let games = script.lines().filter(|line| line.contains("bundled game") && line.contains("_files"));
    assert_eq!(games.filter(|line| !line.contains("_alternative")).count(), 0);
    let count = script.lines().filter(|line| line.ends_with(":_rgc_games' \\")).count();
    let commands = commands().iter().filter(|name| rgc([name.as_str(), "--help"]).stdout.contains("FILE")).count();
    assert!(count >= commands, "{count} places in {commands} commands");
}

/// The script for bash, in bash: commands, options and values are completed.
#[test]
fn completion_in_bash() {
    let scratch = Scratch::new("completions");
    fs::write(scratch.path("rgc.bash"), rgc(["completions", "bash"]).success()).unwrap();
    let complete = |words: &[&str]| {
        let at = words.len() - 1;
        let (word, before) = (words[at], words[at - 1]);
        let code = format!(
            ". ./rgc.bash; COMP_WORDS=({}); COMP_CWORD={at}; _rgc_games rgc \"{word}\" \"{before}\"; echo \"${{COMPREPLY[@]}}\"",
            words.join(" ")
        );
        let output = Command::new("bash").args(["--norc", "-c", &code]).current_dir(scratch.folder()).output();
        output.ok().map(|output| String::from_utf8(output.stdout).unwrap().trim().to_owned())
    };
    let Some(first) = complete(&["rgc", "perf"]) else {
        println!("skipped: there is no bash");
        return;
    };
    assert_eq!(first, "perft");
    assert_eq!(complete(&["rgc", "graph", "x.rg", "--coll"]).unwrap(), "--collapse");
    assert_eq!(complete(&["rgc", "graph", "--to", "h"]).unwrap(), "html");
    assert!(complete(&["rgc", "perft", "--engine", "na"]).unwrap().contains("native"));
    // A game is a bundled one or a file.
    fs::write(scratch.path("connect me.rg"), "").unwrap();
    assert_eq!(complete(&["rgc", "play", "conn"]).unwrap(), "connect me.rg connectFour");
    assert_eq!(complete(&["rgc", "equiv", "hex", "hex5"]).unwrap(), "hex5");
    assert_eq!(complete(&["rgc", "replay", "x", "--game", "connectF"]).unwrap(), "connectFour");
    assert_eq!(complete(&["rgc", "play", "connectFour", "--seed", "hex"]).unwrap(), "", "this is no place for a game");
    assert!(!complete(&["rgc", "explain", "hex"]).unwrap().contains("hex5"));
    assert_eq!(complete(&["rgc", "play", "--full"]).unwrap(), "--full-screen");
    // What readline calls is that function.
    let script = rgc(["completions", "bash"]).success();
    assert!(script.contains("complete -F _rgc_games -o") && !script.contains("complete -F _rgc -o"), "{script}");
}
