//! The conformance suite: real games, and what independent reasoners say of them.
//!
//! It reads the corpus at `$RGC_CORPUS`, else at `../shared/corpus` from the workspace, and skips with a message if it is
//! not there. Every file must parse, print to a text that parses to the same game, check clean, and run; its perft must
//! equal the oracle's, and random playouts must agree with the oracle's statistics within four standard errors.
//!
//! By default a fast subset runs; `RGC_CONFORMANCE=full` runs everything and compares with the ledger
//! `snapshots/conformance.txt`, which `RGC_UPDATE_LEDGER=1` rewrites; `RGC_CONFORMANCE=corpus` does the same here, but asks less
//! of other suites. The subset must be consistent with the ledger, too, and both with the ledger of effort
//! `snapshots/effort.txt`, which `RGC_UPDATE_LEDGER=effort` rewrites alone.
//! All budgets count work, not time, so a result does not depend on the machine.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod corpus;
mod examine;
mod ledger;

use corpus::Corpus;
use examine::{Budget, Report, examine};

#[test]
fn corpus_conforms() {
    let Some(corpus) = Corpus::find() else {
        eprintln!("skipped: there is no corpus; set RGC_CORPUS, or put it at ../shared/corpus");
        return;
    };
    let full = std::env::var("RGC_CONFORMANCE").is_ok_and(|mode| ["full", "corpus"].contains(&mode.as_str()));
    let update = std::env::var("RGC_UPDATE_LEDGER").ok();
    let (update, only_effort) =
        (update.as_deref().is_some_and(|what| what != "effort"), update.as_deref() == Some("effort"));
    let budget = if full || update { Budget::FULL } else { Budget::FAST };
    let reports = examine_all(&corpus, &budget);
    let mut problems: Vec<String> = Vec::new();
    for report in &reports {
        problems.extend(report.problems.iter().map(|problem| format!("{}: {problem}", report.title())));
    }
    if update || only_effort {
        ledger::write_effort(&reports);
    }
    if update {
        ledger::write(&reports);
    } else if !only_effort {
        problems.extend(ledger::compare(&reports, full));
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Examines all games on all cores.
fn examine_all(corpus: &Corpus, budget: &Budget) -> Vec<Report> {
    let mut reports = testgen::parallel(&corpus.games, |game| {
        let report = examine(game, budget);
        eprintln!("{} ({:.1} s)", report.line(), report.seconds);
        report
    });
    reports.sort_by(|a, b| a.key().cmp(&b.key()));
    reports
}
