//! The pages of the book: their games are checked, and their commands are run and print what the pages say.
//!
//! What stands behind the language of a code block says what is done with it:
//!
//! - `file=NAME`: a complete game without findings, written to a file of that name in a folder where the commands run.
//! - `text file=NAME`: a file of another kind, which commands read.
//! - `wrong=NAME`: such a file, but of a game with mistakes; commands on the page show which.
//! - `frame=NAME`: a game with a hole, `…`.
//! - `parts=NAME`: every line is put into the hole of the frame of that name and gives a game without errors, or does what stands behind
//!   its `//`: `error: …` and `warning: …` are findings, `moves: …` all legal moves, `state: …` a line of the position,
//!   `play: …` how the play ends.
//!
//! In a block `console`, a line `$ rgc …` is a command, and the lines up to the next one are its output; `…` stands for
//! anything, alone in a line for any number of lines. Commands in a block `console wrong` fail.

use crate::support::{Scratch, command, json_lines, rgc_with_input};
use std::collections::HashMap;
use std::path::Path;

#[test]
fn rbg() {
    page("rbg", "languages/rbg", 4, 16);
}

#[test]
fn rg() {
    page("rg", "languages/rg", 3, 0);
}

#[test]
fn hrg() {
    page("hrg", "languages/hrg", 3, 105);
}

#[test]
fn sbg() {
    page("sbg", "languages/sbg", 2, 59);
}

#[test]
fn tour() {
    page("sbg", "tour", 1, 0);
}

#[test]
fn rg_reference() {
    page("rg", "languages/rg-reference", 0, 0);
}

/// Pages with a test of their own; all others are run as they are.
const OWN: [&str; 10] = [
    "audit",
    "embedding",
    "languages/gdl",
    "languages/hrg",
    "languages/rbg",
    "languages/rg",
    "languages/rg-reference",
    "languages/sbg",
    "reasoner",
    "tour",
];

/// Pages without games in their text; here text typed by a person stands behind `> `.
#[test]
fn the_other_pages() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut commands = HashMap::new();
    for path in crate::support::pages(&docs) {
        let name = path.strip_prefix(&docs).unwrap().with_extension("").to_str().unwrap().to_owned();
        if !OWN.contains(&name.as_str()) {
            let text = std::fs::read_to_string(&path).unwrap();
            let scratch = Scratch::new(&format!("docs-{}", name.replace('/', "-")));
            commands.insert(name, sessions(&scratch, &text));
        }
    }
    for (page, least) in [("playing", 10), ("generate", 4), ("install", 4), ("drawings", 5), ("passes", 4)] {
        assert!(commands[page] >= least, "{page}: {} commands", commands[page]);
    }
}

/// A command in a block that is not run may be wrong: there is none.
#[test]
fn every_command_is_run() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    for path in crate::support::pages(&docs) {
        let text = std::fs::read_to_string(&path).unwrap();
        let indented = text.lines().find(|line| line.trim_start().starts_with("```") && !line.starts_with("```"));
        assert_eq!(indented, None, "{}: a block that no test sees", path.display());
        for (kind, body) in blocks(&text).into_iter().filter(|(kind, _)| !kind.starts_with("console")) {
            let command = body.lines().find(|line| line.trim_start_matches("$ ").starts_with("rgc "));
            assert_eq!(command, None, "{}, in a block `{kind}`", path.display());
        }
    }
}

/// What the README shows of playing.
#[test]
fn readme() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with("Winning a game")).unwrap();
    assert_eq!(sessions(&Scratch::new("docs-readme"), section), 2);
}

/// Runs the sessions of a text and returns the number of commands.
fn sessions(scratch: &Scratch, text: &str) -> usize {
    let run = |(kind, body): (&str, String)| match kind {
        "console" => console(scratch, &body, 0),
        "console wrong" => body.split("\n$ ").map(|part| part.trim_start_matches("$ ")).fold(0, |sum, part| {
            let code = if part.contains("For more information") { 2 } else { 1 };
            sum + console(scratch, &format!("$ {part}"), code)
        }),
        // Commands other than `rgc`, diagrams, programs, which other tests run, and settings of editors.
        "sh" | "" | "python" | "lua" | "toml" | "lisp" => 0,
        _ if let Some(name) = kind.strip_prefix("text file=") => {
            std::fs::write(scratch.path(name), &body).unwrap();
            0
        }
        _ => panic!("a block that is not tested: {kind}"),
    };
    blocks(text).into_iter().map(run).sum()
}

#[test]
fn gdl() {
    page("gdl", "languages/gdl", 3, 33);
}

#[test]
fn reasoner() {
    page("rg", "reasoner", 2, 0);
}

#[test]
fn audit() {
    page("rg", "audit", 2, 0);
}

/// The page on embedding: its commands run, and its programs compile and print what the page says.
#[test]
fn embedding() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/embedding.md")).unwrap();
    let scratch = Scratch::new("docs-embedding");
    let variable = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let (mut commands, mut programs, mut printed) = (0, 0, None);
    for (kind, body) in blocks(&page) {
        let (compiler, file, arguments) = match kind {
            "console" => {
                commands += console(&scratch, &body, 0);
                continue;
            }
            "console wrong" => {
                commands += console(&scratch, &body, 1);
                continue;
            }
            // The output of the program before.
            "text" => {
                assert_eq!(printed.take().unwrap_or_else(|| body.clone()), body);
                continue;
            }
            "sh" => continue,
            kind if kind.starts_with("rg file=") => {
                std::fs::write(scratch.path(&kind["rg file=".len()..]), &body).unwrap();
                continue;
            }
            "rust" => (variable("RUSTC", "rustc"), "main.rs", "--edition 2024 -D warnings main.rs -o program"),
            "cpp" => (variable("CXX", "c++"), "main.cpp", "-std=c++17 -Wall -Wextra -Werror main.cpp -o program"),
            // The library need not be there.
            "c" => (variable("CC", "cc"), "main.c", "-std=c11 -Wall -Wextra -Werror -fsyntax-only main.c -I"),
            _ => panic!("a block that is not tested: {kind}"),
        };
        std::fs::write(scratch.path(file), &body).unwrap();
        let mut command = std::process::Command::new(compiler);
        command.args(arguments.split(' ')).current_dir(scratch.folder());
        if kind == "c" {
            command.arg(root.canonicalize().unwrap().join("capi/include"));
        }
        let Ok(compiled) = command.output() else {
            println!("skipped: there is no compiler for {file}");
            continue;
        };
        assert!(compiled.status.success(), "{file}: {}", String::from_utf8_lossy(&compiled.stderr));
        programs += 1;
        if kind != "c" {
            let run = std::process::Command::new(scratch.path("program")).output().unwrap();
            assert!(run.status.success(), "{file}: {}", String::from_utf8_lossy(&run.stderr));
            printed = Some(String::from_utf8(run.stdout).unwrap());
        }
    }
    assert!(commands >= 3 && programs >= 1);
}

#[test]
fn wildcards() {
    let matches =
        |pattern: &str, text: &str| agrees(&pattern.lines().collect::<Vec<_>>(), &text.lines().collect::<Vec<_>>());
    assert!(matches("a\n…\nd …", "a\nb\nc\nd 5"));
    assert!(matches("a\n…", "a"));
    assert!(matches("", ""));
    assert!(!matches("a\n…\nd", "a\nb"));
    assert!(!matches("a", "a\nb"));
    assert!(!matches("a 1 …", "a 2 3"));
}

/// Runs a page whose games are in a language: there are `games` complete games and at least `parts` parts.
fn page(language: &str, page: &str, games: usize, parts: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/{page}.md"));
    let text = std::fs::read_to_string(path).unwrap();
    let scratch = Scratch::new(&format!("docs-{}", page.replace('/', "-")));
    let (mut written, mut run, mut checked) = (0, 0, 0);
    let mut frames = HashMap::new();
    for (kind, body) in blocks(&text) {
        let (kind, name) = kind.split_once('=').unwrap_or((kind, ""));
        match kind.strip_prefix(language).unwrap_or(kind) {
            " file" => {
                std::fs::write(scratch.path(name), &body).unwrap();
                assert_eq!(execute(&scratch, &["check", name]), (String::new(), Some(0)), "{name}");
                written += 1;
            }
            " wrong" => std::fs::write(scratch.path(name), &body).unwrap(),
            " frame" => assert_eq!(frames.insert(name, body), None, "{name}"),
            " parts" => checked += body.lines().map(|line| part(language, &frames[name], line)).count(),
            "console" => run += console(&scratch, &body, 0),
            "console wrong" => run += console(&scratch, &body, 1),
            _ => panic!("a block that is not tested: {kind}"),
        }
    }
    assert_eq!(written, games);
    assert!(run >= games);
    assert!(checked >= parts, "{checked} parts");
}

/// All code blocks: what stands behind the opening fence, and the text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((kind, body.join("\n") + "\n"));
        }
    }
    blocks
}

/// Runs the commands of a block, which end with an exit code, and returns their number.
fn console(scratch: &Scratch, body: &str, exit: i32) -> usize {
    let mut count = 0;
    for part in format!("\n{body}").split("\n$ ").skip(1) {
        let mut lines = part.trim_end().lines();
        let line = lines.next().unwrap();
        let arguments = words(line.strip_prefix("rgc ").unwrap());
        let expected: Vec<&str> = lines.collect();
        let typed: Vec<&str> = expected.iter().filter_map(|line| line.strip_prefix("> ")).collect();
        let (output, code) = if typed.is_empty() {
            execute(scratch, &arguments)
        } else {
            typing(scratch, &arguments, &(typed.join("\n") + "\n"))
        };
        assert_eq!(code, Some(exit), "{line}\n{output}");
        let found: Vec<&str> = output.trim_end().lines().collect();
        assert!(agrees(&expected, &found), "{line}\nexpected:\n{}\nfound:\n{output}", expected.join("\n"));
        count += 1;
    }
    count
}

/// Standard output and standard error together, and the exit code.
fn execute(scratch: &Scratch, arguments: &[&str]) -> (String, Option<i32>) {
    let output = command(arguments).current_dir(scratch.folder()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (text, output.status.code())
}

/// As [`execute`], with text typed by a person.
fn typing(scratch: &Scratch, arguments: &[&str], input: &str) -> (String, Option<i32>) {
    let file = scratch.path("typed");
    std::fs::write(&file, input).unwrap();
    let mut command = command(arguments);
    let output = command.current_dir(scratch.folder()).stdin(std::fs::File::open(file).unwrap()).output().unwrap();
    (String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(), output.status.code())
}

/// Words of a command line; `"…"` is one word.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    parts.flat_map(|(i, part)| if i % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// Whether lines are as expected, where `…` stands for anything.
fn agrees(expected: &[&str], found: &[&str]) -> bool {
    match (expected, found) {
        ([], _) => found.is_empty(),
        (["…", rest @ ..], _) => (0..=found.len()).any(|skip| agrees(rest, &found[skip..])),
        (_, []) => false,
        ([line, rest @ ..], [first, others @ ..]) => fits(line, first) && agrees(rest, others),
    }
}

/// Whether a line is as expected, where each `…` stands for anything.
fn fits(line: &str, found: &str) -> bool {
    let Some((start, rest)) = line.split_once('…') else { return line == found };
    let Some(mut tail) = found.strip_prefix(start.trim_end()) else { return false };
    let mut parts: Vec<&str> = rest.split('…').collect();
    let end = parts.pop().unwrap();
    for part in parts {
        let Some((_, behind)) = tail.split_once(part) else { return false };
        tail = behind;
    }
    tail.ends_with(end)
}

/// Puts a line into a frame, and looks whether the game does what the line says.
fn part(language: &str, frame: &str, line: &str) {
    assert_eq!(frame.matches('…').count(), 1, "{frame}");
    // Not all languages have this sign for comments.
    let game = frame.replace('…', line.split_once(" // ").map_or(line, |(rule, _)| rule));
    let run = |arguments: &[&str]| rgc_with_input([arguments, &["-", "--from", language]].concat(), &game);
    let (what, expected) = line.split_once(" // ").map_or(("", ""), |(_, claim)| claim.split_once(": ").unwrap());
    if ["error", "warning"].contains(&what) {
        let found = run(&["check", "--message-format", "short"]);
        assert_eq!(found.code, i32::from(what == "error"), "{line}\n{}", found.stderr);
        let fits = |finding: &str| {
            let message = finding.split_once(&format!("{what}[")).and_then(|(_, rest)| rest.split_once("]: "));
            message.is_some_and(|(_, message)| agrees(&[expected], &[message]))
        };
        assert!(found.stderr.lines().any(fits), "{line}\n{}", found.stderr);
        return;
    }
    let checked = run(&["check"]);
    assert_eq!(checked.code, 0, "{line}\n{}", checked.stderr);
    match what {
        "" => {}
        "moves" => {
            let position = json_lines(&run(&["moves", "--json"]).output()).remove(0);
            let moves = position["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap());
            assert_eq!(moves.collect::<Vec<_>>().join(", "), expected, "{line}");
        }
        "state" => {
            let position = run(&["moves"]).output();
            assert!(position.lines().any(|found| found.contains(expected)), "{line}\n{position}");
        }
        "play" => {
            let trace = run(&["trace", "--seed", "1"]).output();
            let end = trace.lines().last().and_then(|end| end.strip_prefix(r#"{"ply":"#)).unwrap();
            let (plies, scores) = end.trim_end_matches('}').split_once(r#","scores":{"#).unwrap();
            let scores = scores.replace('"', "").replace(',', ", ").replace(':', " ");
            assert_eq!(format!("{scores} after {plies}"), expected, "{line}");
        }
        _ => panic!("{line}"),
    }
}
