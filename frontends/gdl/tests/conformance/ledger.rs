//! The ledger: the result of the full run, checked in, so that a change of it is seen in review.

use crate::examine::{Report, Verdict};
use std::collections::BTreeMap;
use std::path::PathBuf;

const HEADER: &str = "\
# GDL sheets of the corpus, written by RGC_UPDATE_LEDGER=1 cargo test --release -p gdl --test conformance
# seconds to translate (not compared); whether steps are turns; nodes, edges, bits of a state of the translation;
# depth of perft verified / known; playouts verified
#   s. sheet                                        steps   nodes   edges   bits perft p verdict
";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../snapshots/kif.txt")
}

/// Name and line of the sheets that took longer than so many seconds when the ledger was written.
pub(crate) fn slow(seconds: Option<f64>) -> BTreeMap<String, String> {
    let ledger = std::fs::read_to_string(path()).unwrap_or_default();
    let slow = |line: &str| {
        let mut words = line.split_whitespace();
        let took: f64 = words.next()?.parse().ok()?;
        Some((words.next()?.to_owned(), line.to_owned())).filter(|_| seconds.is_some_and(|seconds| took > seconds))
    };
    ledger.lines().filter_map(slow).collect()
}

/// Writes the ledger, with the lines that are kept.
pub(crate) fn write(reports: &[Report], kept: &BTreeMap<String, String>) {
    let mut lines = kept.clone();
    lines.extend(reports.iter().map(|report| (report.name.clone(), report.line())));
    let agree = lines.values().filter(|line| line.ends_with("agrees")).count();
    let refused = lines.values().filter(|line| line.contains(" refused ")).count();
    let seconds = |line: &String| line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    let mut times: Vec<f64> = lines.values().map(seconds).collect();
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    let summary = format!("# {} sheets: {agree} agree, {refused} are refused; median {median:.2} s\n", lines.len());
    let lines: String = lines.values().map(|line| line.clone() + "\n").collect();
    std::fs::write(path(), format!("{HEADER}{lines}{summary}")).unwrap();
}

/// The differences between the reports and the ledger, times aside. Of a fast run only what it says of the translation
/// is compared.
pub(crate) fn compare(reports: &[Report], full: bool) -> Vec<String> {
    let ledger = std::fs::read_to_string(path()).unwrap_or_default();
    let known: Vec<&str> = ledger.lines().filter_map(|line| line.get(7..)).collect();
    let part = |line: &str| -> Vec<String> {
        // Name, steps, nodes, edges, bits.
        line.split_whitespace().take(if full { usize::MAX } else { 5 }).map(str::to_owned).collect()
    };
    let judged = reports.iter().filter(|report| full || !matches!(report.verdict, Verdict::Skipped));
    let slow = |line: &str| line.ends_with(" slow");
    let missing = judged.filter(|report| {
        let key = report.key();
        // What was compared once must not have become too slow for that.
        !known.iter().any(|line| part(line) == part(&key) && (slow(line) || !slow(&key)))
    });
    missing.map(|report| format!("not in the ledger: {}", report.key())).collect()
}
