//! Times of `-O2` on automata of growing size: `cargo bench -p passes`, or `cargo bench -p passes -- chain 20000` for one kind up
//! to a size. The time per edge should stay about the same from line to line. Where the system tells it, times are those
//! on the processor (if they are not too short for that), which say something also on a machine that does other things; the
//! shares of passes are of time that passed.
#![allow(clippy::unwrap_used)] // a measurement stops at the first surprise

use passes::{Level, Observer, Pipeline, Step};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const SIZES: [usize; 6] = [1_000, 5_000, 20_000, 50_000, 100_000, 200_000];

/// The time of every pass.
#[derive(Default)]
struct Times(BTreeMap<&'static str, Duration>);

impl Observer for Times {
    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        *self.0.entry(step.pass.name()).or_default() += step.time;
        Ok(())
    }
}

/// The time this thread has been running, in steps of a few milliseconds, if the system tells.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let most = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(usize::MAX);
    let kinds: Vec<&String> = arguments.iter().filter(|argument| argument.parse::<usize>().is_err()).collect();
    println!(
        "{:<8} {:>8} {:>8} {:>7} {:>10} {:>9}  dearest passes",
        "kind", "edges", "after", "rounds", "ms", "µs/edge"
    );
    for (name, make) in testgen::automata::KINDS {
        if !kinds.is_empty() && !kinds.iter().any(|kind| *kind == name) {
            continue;
        }
        for size in SIZES.into_iter().filter(|size| *size <= most) {
            measure(name, &make(size), if size <= 20_000 { 5 } else { 3 });
        }
    }
}

/// Prints the line of a game: the median of some runs.
fn measure(name: &str, text: &str, runs: usize) {
    let game = testgen::parse(text).unwrap();
    let pipeline = Pipeline::level(Some(Level::Full)).validate(false);
    let mut measured: Vec<_> = (0..runs)
        .map(|_| {
            let (mut copy, mut times) = (game.clone(), Times::default());
            let (start, processor) = (Instant::now(), on_processor());
            let outcome = pipeline.run(&mut copy, &mut times).unwrap();
            let passed = start.elapsed();
            let busy = on_processor().zip(processor).map(|(now, then)| now.saturating_sub(then));
            let busy = busy.filter(|_| passed > Duration::from_millis(50));
            (busy.unwrap_or(passed), passed, outcome, times)
        })
        .collect();
    measured.sort_by_key(|(time, ..)| *time);
    let (time, passed, outcome, times) = &measured[runs / 2];
    let mut passes: Vec<_> = times.0.iter().collect();
    passes.sort_by_key(|(_, time)| std::cmp::Reverse(**time));
    let share = |time: &Duration, all: &Duration| (100.0 * time.as_secs_f64() / all.as_secs_f64()).round();
    let dearest: Vec<String> =
        passes.iter().take(4).map(|(pass, part)| format!("{pass} {} %", share(part, passed))).collect();
    let edges = outcome.before.edges;
    println!(
        "{name:<8} {edges:>8} {:>8} {:>7} {:>10.1} {:>9.2}  {}",
        outcome.after.edges,
        outcome.rounds,
        time.as_secs_f64() * 1e3,
        time.as_secs_f64() * 1e6 / edges as f64,
        dearest.join(", ")
    );
}
