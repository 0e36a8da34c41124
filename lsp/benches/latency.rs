//! How long the server takes after a change: `cargo bench -p lsp --bench latency`, or with paths of games behind `--`; else the longest bundled game of
//! each language; each also without one bracket in its middle, as while it is written. Times are those on the processor, of all threads but those that nobody waits for, which say something also on a machine
//! that does other things: the median and the 95th percentile, in milliseconds.
#![allow(clippy::unwrap_used)] // a measurement stops at the first surprise

#[path = "../tests/support/mod.rs"]
mod support;

use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;
use support::{Client, position};

/// Threads of the server that nobody waits for: they translate GDL, and look at the first positions of games.
const BACKGROUND: [&str; 2] = ["translation", "opening"];

/// Changes of each text.
const CHANGES: usize = 60;

fn main() {
    let paths: Vec<PathBuf> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).map(Into::into).collect();
    let given = paths
        .iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap()));
    let games: Vec<(String, String)> = if paths.is_empty() { longest() } else { given.collect() };
    println!(
        "{:<28} {:>8}  {:>13} {:>13} {:>13} {:>13} {:>13}",
        "file", "bytes", "findings", "colours", "hover", "completion", "hints"
    );
    for (name, text) in games {
        measure(&name, &name, &text);
        measure(&name, "  without a bracket", &without_a_bracket(&text));
    }
}

/// A text without the first closing bracket of its second half.
fn without_a_bracket(text: &str) -> String {
    let middle = text.ceil_char_boundary(text.len() / 2);
    let (before, behind) = text.split_at(middle);
    let mut text = before.to_owned();
    text.push_str(&behind.replacen([')', ']', '}', '>'], "", 1));
    text
}

/// The longest bundled game of each language.
fn longest() -> Vec<(String, String)> {
    let languages = kit::language::LANGUAGES.iter().map(|language| language.name);
    let longest = |language| {
        let games = kit::library::all().into_iter().filter(|game| game.language.name == language);
        games.max_by_key(|game| game.text.len())
    };
    languages.filter_map(longest).map(|game| (game.file_name(), game.text.to_owned())).collect()
}

/// The time that all threads but those in the background have been running, if the system tells; else that since the epoch.
fn on_processor() -> Duration {
    let since = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return since() };
    let time = |path: PathBuf| -> Option<u64> {
        let name = std::fs::read_to_string(path.join("comm")).ok()?;
        let text =
            std::fs::read_to_string(path.join("schedstat")).ok().filter(|_| !BACKGROUND.contains(&name.trim()))?;
        text.split_whitespace().next()?.parse().ok()
    };
    Duration::from_nanos(threads.flatten().filter_map(|thread| time(thread.path())).sum())
}

fn measure(name: &str, row: &str, text: &str) {
    let uri = format!("file:///{name}");
    let mut client = Client::new();
    client.open(&uri, text);
    client.findings(&uri, 1);
    let about = json!({ "textDocument": { "uri": uri } });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999_999, "character": 0 } });
    let mut times: [Vec<Duration>; 5] = Default::default();
    for change in 0..CHANGES {
        // A space comes, somewhere between two words, and goes again.
        let spaces: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
        let place = position(text, spaces[(change / 2 * 7919) % spaces.len()]);
        let behind = json!({ "line": place.line, "character": place.character + u32::from(change % 2 == 1) });
        let version = i32::try_from(change).unwrap() + 2;
        let mut took = Vec::new();
        let mut timed = |what: &mut dyn FnMut()| {
            let before = on_processor();
            what();
            took.push(on_processor().saturating_sub(before));
        };
        timed(&mut || {
            let edit =
                json!({ "range": { "start": place, "end": behind }, "text": if change % 2 == 0 { " " } else { "" } });
            client.change(&uri, version, json!([edit]));
            client.findings(&uri, version);
        });
        let with = |key: &str, value: Value| {
            let mut params = about.clone();
            params[key] = value;
            params
        };
        let asked = [
            ("textDocument/semanticTokens/full", about.clone()),
            ("textDocument/hover", with("position", json!(place))),
            ("textDocument/completion", with("position", json!(place))),
            ("textDocument/inlayHint", with("range", range.clone())),
        ];
        for (method, params) in asked {
            timed(&mut || {
                client.request(method, params.clone()).unwrap();
            });
        }
        times.iter_mut().zip(took).for_each(|(times, time)| times.push(time));
    }
    let shown = times.map(|mut times| {
        times.sort();
        let at = |percent: usize| times[times.len() * percent / 100].as_secs_f64() * 1e3;
        format!("{:.1} / {:.1}", at(50), at(95))
    });
    let [findings, colours, hover, completion, hints] = shown;
    println!("{row:<28} {:>8}  {findings:>13} {colours:>13} {hover:>13} {completion:>13} {hints:>13}", text.len());
}
