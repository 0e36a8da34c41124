//! Conformance of GDL: the rule sheets of the corpus, and what independent reasoners say of them.
//!
//! Every sheet must either be refused with a finding, or translate and agree with the oracle table: roles, initial state,
//! initial legal moves, numbers of sequences of joint moves, and three reproducible playouts with the hashes of all
//! states, the numbers of legal moves and the final scores (section 10 of the specification of GDL).
//!
//! The corpus is found as in the conformance suite, and there are the same modes: by default a fast subset runs, in which
//! grounding may use little; `RGC_CONFORMANCE=full` runs everything and compares with the ledger `snapshots/kif.txt`, which
//! `RGC_UPDATE_LEDGER=1` rewrites. Builds for development look at every twelfth sheet only, and at all of them with
//! `RGC_CONFORMANCE=fast`. `RGC_ONLY=name` restricts a run to one sheet; with `RGC_KEEP=seconds`, sheets that took longer
//! when the ledger was written are not run and keep their lines.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test stops at the first surprise

mod examine;
mod ledger;
#[path = "../common/oracle.rs"]
mod oracle;
#[path = "../common/play.rs"]
mod play;

use examine::{Budget, Verdict, examine};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads get the stack of a main thread on common systems.
const STACK: usize = 8 << 20;

#[test]
fn sheets_agree_with_the_oracle() {
    let Some(root) = oracle::corpus() else { return };
    let table = oracle::oracle(&root);
    let full = std::env::var("RGC_CONFORMANCE").is_ok_and(|mode| mode == "full");
    let update = std::env::var_os("RGC_UPDATE_LEDGER").is_some();
    let only = std::env::var("RGC_ONLY").ok();
    let budget = if full || update { Budget::FULL } else { Budget::FAST };
    let kept = ledger::slow(std::env::var("RGC_KEEP").ok().and_then(|seconds| seconds.parse().ok()));
    // In builds for development a sample has to do, unless more is asked for.
    let asked = update || only.is_some() || std::env::var_os("RGC_CONFORMANCE").is_some();
    let every = if cfg!(debug_assertions) && !asked { 12 } else { 1 };
    let mut sheets: Vec<_> = oracle::sheets(&root).into_iter().step_by(every).collect();
    sheets.retain(|(name, _)| only.as_ref().is_none_or(|only| only == name) && !kept.contains_key(name));
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((name, path)) = sheets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let report = examine(name, path, table.get(name), &budget);
            eprintln!("{}", report.line());
            reports.lock().unwrap().push(report);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap();
        }
    });
    let mut reports = reports.into_inner().unwrap();
    reports.sort_by(|a, b| a.name.cmp(&b.name));
    let wrong: Vec<String> = reports
        .iter()
        .filter_map(|report| match &report.verdict {
            Verdict::Wrong(problem) => Some(format!("{}: {problem}", report.name)),
            _ => None,
        })
        .collect();
    let mut problems = wrong;
    if update && only.is_none() {
        ledger::write(&reports, &kept);
    } else {
        problems.extend(ledger::compare(&reports, full));
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
