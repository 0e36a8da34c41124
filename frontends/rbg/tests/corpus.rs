//! Every game of the public collection reads without error or warning.

mod common;

use common::{corpus, render};
use rg_ir::{Severity, SourceId};

#[test]
fn the_whole_corpus_parses() {
    for folder in ["rbg", "rbg-ll"] {
        for (name, text) in corpus(folder).unwrap_or_default() {
            let (description, mut diagnostics) = rbg::parse(SourceId(0), &text);
            diagnostics.retain(|d| d.severity != Severity::Lint);
            assert_eq!(render(&text, &diagnostics), "", "{folder}/{name}");
            assert!(description.is_some(), "{folder}/{name}");
        }
    }
}
