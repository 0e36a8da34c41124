//! The passes on real games: what comes out is the same game, and no larger than it was before.
//!
//! Like the conformance suite it reads the corpus, skips without it, runs a subset by default, and everything with
//! `RGC_CONFORMANCE=full`. For every game, what `-O2` and `-O3` make of it (`full`: after every step) is played in lock step
//! with it, and perft of the result must be the oracle's. Of some games (`full`: of all), every single pass is run alone, and
//! all passes are run in random orders. Sizes after `-O2` are kept in the ledger `snapshots/sizes.txt`: no game may grow.
//! `RGC_UPDATE_LEDGER=1` rewrites it. `RGC_GAMES=hrg/,rbg/chess` looks only at games with one of
//! these texts in `language/name`.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

#[path = "../conformance/corpus.rs"]
#[allow(dead_code)] // playouts are not looked at here
mod corpus;
mod examine;
mod ledger;
mod targets;

use corpus::Corpus;
use examine::{Budget, Report, examine};

#[test]
fn passes_keep_real_games() {
    let Some(mut corpus) = Corpus::find() else {
        eprintln!("skipped: there is no corpus; set RGC_CORPUS, or put it at ../shared/corpus");
        return;
    };
    let wanted = std::env::var("RGC_GAMES").ok();
    if let Some(wanted) = &wanted {
        let wanted: Vec<&str> = wanted.split(',').collect();
        corpus.games.retain(|game| {
            let title = format!("{}/{}", game.language, game.name);
            wanted.iter().any(|text| title.contains(text))
        });
    }
    let full = std::env::var("RGC_CONFORMANCE").is_ok_and(|mode| mode == "full");
    let budget = if full { Budget::full() } else { Budget::fast() };
    let reports = examine_all(&corpus, &budget);
    let mut problems: Vec<String> = Vec::new();
    for report in &reports {
        problems.extend(report.problems.iter().map(|problem| format!("{}: {problem}", report.title())));
    }
    if std::env::var_os("RGC_UPDATE_LEDGER").is_some() && wanted.is_none() {
        ledger::write(&reports);
    } else {
        problems.extend(ledger::compare(&reports));
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Examines all games on all cores.
fn examine_all(corpus: &Corpus, budget: &Budget) -> Vec<Report> {
    let games: Vec<_> = corpus.games.iter().enumerate().collect();
    let mut reports = testgen::parallel(&games, |&(index, game)| {
        let report = examine(game, index, budget);
        eprintln!("{} ({:.1} s)", ledger::line(&report), report.seconds);
        report
    });
    reports.sort_by(|a, b| (a.language, &a.name).cmp(&(b.language, &b.name)));
    reports
}
