//! The ledger of sizes, checked in, so that a change of them is seen in review.

use crate::examine::Report;
use crate::targets;
use passes::Size;
use std::fmt::Write as _;
use std::path::PathBuf;

const HEADER: &str = "\
# Sizes of games before and after -O2, written by RGC_UPDATE_LEDGER=1 cargo test --release -p rgc --test passes
# *: at most the best sizes known from elsewhere; otherwise those follow
# language game                            nodes          edges          cells                  bits
";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../snapshots/sizes.txt")
}

fn sizes(size: &Size) -> [u64; 4] {
    [size.nodes as u64, size.edges as u64, size.cells, size.bits]
}

/// The line of a game.
pub(crate) fn line(report: &Report) -> String {
    let (before, after) = (sizes(&report.before), sizes(&report.after));
    let mut line = format!("{:<8} {:<30}", report.language, report.name);
    for ((before, after), width) in before.iter().zip(after).zip([6, 6, 10, 7]) {
        let _ = write!(line, " {before:>width$} {after:>width$}");
    }
    if !report.problems.is_empty() {
        line.push_str(" FAILED");
    }
    match targets::of(report.language, &report.name) {
        Some(target) if reached(after, target) => line.push_str(" *"),
        Some([nodes, edges, cells]) => {
            let _ = write!(line, " {nodes} {edges} {cells}");
        }
        None => {}
    }
    line
}

fn reached(after: [u64; 4], target: [u64; 3]) -> bool {
    target.iter().zip(after).all(|(target, after)| after <= *target)
}

/// Sizes before and after.
type Pair = ([u64; 4], [u64; 4]);

/// Sums over all games, and for the games with targets how far below them.
fn summary(reports: &[Report]) -> String {
    let mut text = String::new();
    let mut sum = |what: &str, pairs: &[Pair]| {
        let _ = write!(text, "# {what}:");
        for (at, name) in ["nodes", "edges", "cells", "bits"].iter().enumerate() {
            let total = |pick: fn(&Pair) -> [u64; 4]| pairs.iter().map(|pair| pick(pair)[at]).sum::<u64>();
            let (from, to) = (total(|pair| pair.0), total(|pair| pair.1));
            if from > 0 {
                let change = (to as f64 / from as f64 - 1.0) * 100.0;
                let _ = write!(text, " {name} {from} -> {to} ({change:+.1} %)");
            }
        }
        text.push('\n');
    };
    let all: Vec<_> = reports.iter().map(|report| (sizes(&report.before), sizes(&report.after))).collect();
    sum(&format!("all {} games", all.len()), &all);
    let known: Vec<_> = reports
        .iter()
        .filter_map(|report| {
            let [nodes, edges, cells] = targets::of(report.language, &report.name)?;
            Some(([nodes, edges, cells, 0], sizes(&report.after)))
        })
        .collect();
    let below =
        known.iter().filter(|([nodes, edges, cells, _], after)| reached(*after, [*nodes, *edges, *cells])).count();
    sum(&format!("{below} of {} games at or below the best known sizes; those against ours", known.len()), &known);
    text
}

pub(crate) fn write(reports: &[Report]) {
    let lines: String = reports.iter().map(|report| line(report) + "\n").collect();
    std::fs::write(path(), format!("{HEADER}{lines}{}", summary(reports))).unwrap();
}

/// Games that are larger than the ledger says, or not there. Smaller ones are welcome.
pub(crate) fn compare(reports: &[Report]) -> Vec<String> {
    let ledger = std::fs::read_to_string(path()).unwrap_or_default();
    let mut problems = Vec::new();
    for report in reports {
        let key = [report.language, &report.name];
        let known = ledger.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            let found = key.iter().all(|part| words.next() == Some(part));
            found.then(|| words.filter_map(|word| word.parse().ok()).skip(1).step_by(2).take(4).collect::<Vec<u64>>())
        });
        match known.as_deref() {
            Some(&[nodes, edges, cells, bits]) => {
                let now = sizes(&report.after);
                for ((name, now), known) in
                    ["nodes", "edges", "cells", "bits"].iter().zip(now).zip([nodes, edges, cells, bits])
                {
                    if now > known {
                        problems.push(format!("{}: {now} {name} after -O2, {known} in the ledger", report.title()));
                    }
                }
            }
            _ => problems.push(format!("{}: not in the ledger: {}", report.title(), line(report))),
        }
    }
    problems
}
