//! The language pages: their games are checked, and their commands are run and print what the pages say.
//!
//! A code block that begins with `file=NAME` after its language is a complete game, and is written to a file of that name in
//! a folder where the commands run. In a block `console`, a line `$ rgc …` is a command, and the lines up to the next one
//! are its output; `…` stands for anything, alone in a line for any number of lines. Each line of a block `rbg rules`
//! is a part of rules that is checked in a frame.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use std::path::Path;
use support::{Scratch, command, rgc_with_input};

#[test]
fn rbg() {
    page("rbg", 4);
}

#[test]
fn rg() {
    page("rg", 3);
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

/// Runs the page of a language, in which there are `games` complete games.
fn page(language: &str, games: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/languages/{language}.md"));
    let text = std::fs::read_to_string(path).unwrap();
    let scratch = Scratch::new(&format!("docs-{language}"));
    let (mut written, mut run) = (0, 0);
    for (kind, body) in blocks(&text) {
        if let Some((_, name)) = kind.split_once(" file=") {
            std::fs::write(scratch.path(name), &body).unwrap();
            let (output, code) = execute(&scratch, &["check", name]);
            assert_eq!((output.as_str(), code), ("", Some(0)), "{name}");
            written += 1;
        } else if kind == "console" {
            run += console(&scratch, &body);
        } else {
            assert_eq!(kind, "rbg rules", "a block that is not tested");
            body.lines().for_each(rules);
        }
    }
    assert_eq!(written, games);
    assert!(run >= games);
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

/// Runs the commands of a block and returns their number.
fn console(scratch: &Scratch, body: &str) -> usize {
    let mut count = 0;
    for part in format!("\n{body}").split("\n$ ").skip(1) {
        let mut lines = part.trim_end().lines();
        let line = lines.next().unwrap();
        let arguments = words(line.strip_prefix("rgc ").unwrap());
        let (output, code) = execute(scratch, &arguments);
        assert_eq!(code, Some(0), "{line}\n{output}");
        let expected: Vec<&str> = lines.collect();
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
        ([line, rest @ ..], [first, others @ ..]) => {
            let fits = line.split_once('…').map_or(line == first, |(start, end)| {
                first.strip_prefix(start.trim_end()).is_some_and(|tail| tail.ends_with(end))
            });
            fits && agrees(rest, others)
        }
    }
}

/// Checks a part of rules in the frame of the page's first example.
fn rules(line: &str) {
    let text = format!(
        "#players = white(100), black(100)\n#pieces = e, w, b\n#variables = v(9)\n\
         #board = rectangle(up, down, left, right, [b, b, b] [e, e, e] [w, w, w])\n\
         #anywhere = (up* + down*) (left* + right*)\n#rules = ->white ({line}) ->black [$ v = 1] anywhere [b, w, e] ->white"
    );
    let run = rgc_with_input(["check", "-", "--from", "rbg"], &text);
    assert_eq!(run.code, 0, "{line}\n{}", run.stderr);
}
